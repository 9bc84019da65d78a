"""Which norm a query means by a nickname, also where the store does not know the norm."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from urllib.parse import quote

from graph.store import Store
from graph.urn import Name, parse
from graph.wording.citations.lexicon import Nickname, nicknames
from graph.wording.folding import words
from graph.wording.labels import label
from queries.evidence import records
from queries.full_text.answers import Meant

#: Where norms of the country, and all others, are published: addresses that take a name.
_NORMS, _PORTAL = "https://normas.leg.br/?urn=", "https://www.lexml.gov.br/urn/"
#: What people leave out at the beginning of a nickname.
_LEFT_OUT = ("", "lei ", "codigo ", "estatuto ")


def meant(store: Store, text: str, on: date) -> tuple[Meant, ...]:
    """Return the norms of which a text is a nickname on a day, by the list that comes with the project.

    Args:
        store: an opened store.
        text: the whole query.
        on: a civil date: some nicknames passed from one norm to another.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found: dict[str, Meant] = {}
    for one in _nicknamed(text):
        if one.fits(on):
            name = parse(one.name)
            known = bool(records(store, name.iri))
            found.setdefault(one.name, Meant(one.text, one.name, _capital(label(name)), known, official(name)))
    return tuple(found.values())


def _nicknamed(text: str) -> Iterator[Nickname]:
    key = " ".join(words(text))
    for start in _LEFT_OUT if key else ():
        if found := nicknames().get(start + key):
            yield from found
            return


def official(name: Name) -> str:
    """Return the address at which the official publisher of names leads to a norm.

    >>> official(parse("urn:lex:br:federal:lei:1990-09-11;8078"))
    'https://normas.leg.br/?urn=urn:lex:br:federal:lei:1990-09-11;8078'
    """
    of_country = not name.local.detalhe and [subject[0] for subject in name.autoridade] == ["federal"]
    return (_NORMS if of_country else _PORTAL) + quote(name.canonical, safe=":;,")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
