"""Works by a number alone, ``8078`` or ``8.078/90``: of every type of document that the vocabularies know."""

from __future__ import annotations

import re
from dataclasses import replace

from graph.references import Reference
from graph.store import Store
from graph.vocabulary import Scheme
from graph.wording.citations.dates import year_of
from queries.resolution.searching import Sought, search
from queries.resolution.works import Found, order_of, works_of
from queries.vocabulary import vocabulary

_NUMBER = re.compile(
    r"(?:n(?:[º°o]|r)?\.?\s*[º°]?\s*)?([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,9})"
    r"(?:\s*(?:/|,?\s+de\s)\s*([0-9]{4}|[0-9]{2}))?",
    re.ASCII | re.IGNORECASE,
)


def is_number(text: str) -> bool:
    """Whether a text is a number and nothing else but perhaps a year.

    >>> is_number("8078"), is_number("nº 8.078/90"), is_number("8.078 de 1990"), is_number("Lei 8078")
    (True, True, True, False)
    """
    return _NUMBER.fullmatch(text.strip()) is not None


def number_of(text: str) -> tuple[str, int | None] | None:
    """The number and the year of a text; None of one that is no number.

    >>> number_of("nº 8.078/90"), number_of("8078"), number_of("Lei 8078")
    (('8078', 1990), ('8078', None), None)
    """
    read = _NUMBER.fullmatch(text.strip())
    if read is None:
        return None
    return read[1].replace(".", ""), year_of(read[2]) if read[2] is not None else None


def numbered(store: Store, text: str) -> tuple[tuple[Found, ...], bool]:
    """The works that have a number, best first, and whether these are all; a year of two digits as citations have it.

    Nothing for a text that is no number. Works of a type that no vocabulary knows are not found.

    Raises:
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> numbered(in_memory(), "8.078/90")
    ((), True)
    """
    read = number_of(text)
    if read is None:
        return (), True
    number, year = read
    found: dict[str, Found] = {}
    whole = True
    for kind in _kinds(store):
        works = works_of(store, Reference(text, None, "br", (), (kind,), year=year, numbers=(number,)))
        whole = whole and not works.more
        found.update((one.name.canonical, one) for one in works.found if one.agrees)
    return tuple(sorted(found.values(), key=order_of)), whole


def numbered_within(store: Store, text: str, within: Sought) -> tuple[tuple[Found, ...], bool]:
    """The works that have a number and of which all is true that is said beside it, and whether these are all.

    Args:
        store: an opened store.
        text: a number, perhaps with a year; nothing is found for another text.
        within: the type, the authority, the place and the year that are said; a year that is not that of the text
            agrees with nothing.

    Raises:
        BadParameter: a value cannot be.
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> numbered_within(in_memory(), "8.078/90", Sought(type="lei"))
    ((), True)
    """
    read = number_of(text)
    if read is None or (None not in (read[1], within.year) and read[1] != within.year):
        return (), True
    found: dict[str, Found] = {}
    whole = True
    for kind in [within.type] if within.type is not None else _kinds(store):
        searched = search(store, replace(within, type=kind, number=read[0], year=read[1] or within.year, words=None))
        whole = whole and searched.whole
        found.update((one.name.canonical, one) for one in searched.found)
    return tuple(sorted(found.values(), key=order_of)), whole


def _kinds(store: Store) -> list[str]:
    """The types of document that the vocabularies know."""
    known = vocabulary(store).concepts(Scheme.TIPO_DOCUMENTO)
    return list(dict.fromkeys(one.notation.partition(";")[0] for one in known))
