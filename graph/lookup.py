"""Lookup keys: short texts by which works are found when a question says less than their name.

A work has a key for each combination of fields that questions come with (LexML part 5, section 2.5: fields are
compared one by one, dates by position): of a question with fewer fields the keys begin as it does, so that every
incomplete name is one range of an index and no scan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from graph.urn import Name
from graph.wording.folding import words

_PIECE = re.compile(r"[^a-z0-9]+", re.ASCII)
#: Shorter pieces of a number, except the first, do not identify: check digits of a process, the court's code.
_SHORTEST_PIECE = 3


def by_number(kind: str, number: str) -> str:
    """How the keys begin of works of a type with a number, wherever they come from.

    >>> by_number("lei", "08078")
    'lei nº 8078/'
    """
    return f"{kind} nº {_bare(number)}/"


def by_number_and_year(kind: str, number: str, year: int) -> str:
    """How the keys begin of works of a type with a number, of one year.

    >>> by_number_and_year("lei", "8078", 1990)
    'lei nº 8078/1990'
    """
    return f"{by_number(kind, number)}{year:04d}"


def by_number_of(place: str, authority: str, kind: str, number: str) -> str:
    """How the keys begin of works of a type with a number, from one place and authority.

    >>> by_number_of("br", "federal", "lei", "8078")
    'br:federal:lei nº 8078/'
    """
    return by_number(f"{place}:{authority}:{kind}", number)


def by_date_of(place: str, authority: str, kind: str, year: int, month: int | None = None) -> str:
    """How the keys begin of works of a type of one year or month, from one place and authority.

    >>> by_date_of("br", "federal", "lei", 1990), by_date_of("br", "federal", "lei", 1990, 9)
    ('br:federal:lei de 1990', 'br:federal:lei de 1990-09')
    """
    return by_date(f"{place}:{authority}:{kind}", year, month)


def by_date(kind: str, year: int, month: int | None = None) -> str:
    """How the keys begin of works of a type of one year or month, wherever they come from.

    >>> by_date("lei", 1990), by_date("lei", 1990, 9)
    ('lei de 1990', 'lei de 1990-09')
    """
    return f"{kind} de {year:04d}" + (f"-{month:02d}" if month is not None else "")


def by_day(start: str, day: date) -> str:
    """Of how keys of a month or year begin, those of one civil day.

    >>> by_day(by_date("lei", 1990), date(1990, 9, 11))
    'lei de 1990-09-11'
    """
    return f"{start.rpartition(' ')[0]} {day.isoformat()}"


def nickname_key(text: str) -> str:
    """The key of works that are known by a name of their own, however it is spelled.

    >>> nickname_key("Código de Defesa do Consumidor") == nickname_key("codigo.defesa.consumidor")
    True
    """
    return f"apelido {' '.join(words(text))}."


def numbers_of(identifier: str) -> tuple[str, ...]:
    """A number and the pieces by which people cite it (LexML part 5, section 2.5: fields without a position).

    >>> numbers_of("2021-5"), numbers_of("039"), numbers_of("0247900-75.2009.5.16.0012")
    (('2021-5', '2021'), ('39',), ('247900-75.2009.5.16.0012', '247900', '2009', '0012'))
    """
    whole = _bare(identifier)
    if whole.isdecimal():
        return (whole,)
    pieces = [piece for piece in _PIECE.split(whole) if piece]
    kept = [piece for at, piece in enumerate(pieces) if at == 0 or len(piece) >= _SHORTEST_PIECE]
    return tuple(dict.fromkeys((whole, *kept)))


def keys_of(work: Name) -> Iterator[str]:
    """All keys that a work has by its name; a component of a document has none, it is found through its whole.

    >>> from graph.urn import parse
    >>> for key in keys_of(parse("urn:lex:br:federal:lei:1990-09-11;8078")):
    ...     print(key)
    lei nº 8078/1990
    br:federal:lei nº 8078/1990
    lei de 1990-09-11
    br:federal:lei de 1990-09-11
    """
    descritor = work.descritor
    if descritor.componentes or descritor.retificacao is not None or (work.rfc is not None and work.rfc.anexos):
        return
    place = ";".join((work.local.pais, *work.local.detalhe))
    kind = work.tipo_documento[0]
    kinds = (kind, *(f"{place}:{root}:{kind}" for root in dict.fromkeys(subject[0] for subject in work.autoridade)))
    days = [day.isoformat() for day in dict.fromkeys(descritor.datas)]
    years = dict.fromkeys(day[:4] for day in days) or [f"{descritor.ano:04d}" if descritor.ano is not None else ""]
    for number in dict.fromkeys(piece for one in descritor.identificadores for piece in numbers_of(one)):
        yield from (f"{by_number(one, number)}{year}" for one in kinds for year in years)
    yield from (f"{one} de {when}" for one in kinds for when in days or years if when)


def _bare(number: str) -> str:
    return number.lstrip("0") or "0" if number[:1] == "0" else number
