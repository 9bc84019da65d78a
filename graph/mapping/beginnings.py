"""How names of norms begin when people write them, for who has not written all of it yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from graph.mapping.wordings import Worded
from graph.urn import Name, from_iri, parse
from graph.wording.folding import folded, words
from graph.wording.labels import label

#: Country, states, towns and what is below.
DEPTHS = 3
#: Longest of what is kept of one, in characters; of a nickname, at how many of its words one may begin to write it.
_LONGEST, _ROTATED = 100, 6
#: Between thousands; the last ones may not be written yet.
_THOUSANDS = re.compile(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9])|[0-9]{1,2}\Z)", re.ASCII)
#: What stands before a number and says nothing.
_NUMBER_SIGNS = frozenset({"n", "nr", "num", "numero"})
#: The IRI of a norm, and not of a version or provision of one.
NORM = re.compile("urn:lex:[^@!~$]+")


#: How a norm may be written: its depth, the plain words, its IRI, and the nickname that they are, or an empty text.
#: There are several for each, and a plain tuple goes from one process to another in a small part of the time.
Beginning: TypeAlias = tuple[int, str, str, str]


def said_plainly(text: str) -> str:
    """The words of a text as beginnings are kept: folded, numbers without dots, no connectives, no sign of numbers.

    >>> said_plainly("Lei nº 8.078, de 11 de setembro de 1990"), said_plainly("Código de Def")
    ('lei 8078 11 setembro 1990', 'codigo def')
    """
    plain = _THOUSANDS.sub("", folded(text))
    return " ".join(word for word in words(plain) if word not in _NUMBER_SIGNS)


def rotated(said: str) -> Iterator[str]:
    """A text, and what begins at one of its later words.

    >>> list(rotated("codigo defesa consumidor"))
    ['codigo defesa consumidor', 'defesa consumidor', 'consumidor']
    """
    pieces = said.split()
    for at in range(min(len(pieces), _ROTATED)):
        yield " ".join(pieces[at:])


def beginnings_of(names: Mapping[str, Name], worded: Sequence[Worded]) -> Iterator[Beginning]:
    """How the norms that a record speaks of may be written.

    Args:
        names: norms, not provisions, by their IRIs.
        worded: the words that the record has for them and others.
    """
    titled = {one.name for one in worded if one.title}
    for iri, name in names.items():
        depth = _depth(name)
        yield from ((depth, said, iri, "") for said in _numbered(name))
        if iri not in titled and (said := said_plainly(label(name))[:_LONGEST]):
            yield depth, said, iri, ""
    for one in worded:
        if not (one.title or one.nicknames) or NORM.fullmatch(one.name) is None:
            continue
        depth = _depth(names.get(one.name) or parse(from_iri(one.name)))
        for title in one.title.split("\n"):
            if said := said_plainly(title[:_LONGEST]):
                yield depth, said, one.name, ""
        for nickname in one.nicknames.split("\n"):
            for said in rotated(said_plainly(nickname[:_LONGEST])):
                yield depth, said, one.name, nickname[:_LONGEST]


def _depth(name: Name) -> int:
    return min(len(name.local.detalhe), DEPTHS - 1)


def _numbered(name: Name) -> Iterator[str]:
    """By number and year, with and without the type, and the subtype in its place."""
    year = name.representative_year
    for number in name.descritor.identificadores:
        pieces = (number,) if number.isdecimal() else words(number)
        numbered = " ".join((*pieces, f"{year:04d}" if year is not None else "")).rstrip()[:_LONGEST]
        yield numbered
        for kind in dict.fromkeys((name.tipo_documento[0], name.tipo_documento[-1])):
            yield f"{kind.replace('.', ' ')} {numbered}"
