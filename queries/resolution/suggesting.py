"""Suggestions: norms whose names, nicknames or titles begin with what somebody has written so far.

They are found by an index of beginnings (:mod:`graph.mapping.beginnings`), a few look-ups for each question, however
many works there are. What a text means is not said here: for that :func:`queries.resolution.resolver.resolve` is there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from graph.mapping.beginnings import rotated, said_plainly
from graph.store import Store
from graph.urn import from_iri, parse
from graph.wording.citations.lexicon import nicknames
from graph.wording.folding import unmarked
from graph.wording.labels import label
from queries.evidence import records
from queries.vocabulary import vocabulary

__all__ = ["LONGEST", "MOST", "Suggestion", "suggest"]

#: Longest text that is looked at, in characters, and most suggestions that are given.
LONGEST, MOST = 100, 20
#: How many rows of the index are read for each level of the federation; of well-known nicknames, how many.
_ROWS, _KNOWN = 40, 40
#: A number with the beginning of a year behind it: ``8.078/9``, ``8078 de 90``.
_NUMBERED = re.compile(r"(.*[0-9])\s*(?:/|,?\s+de\s)\s*([0-9]{1,2})", re.ASCII | re.DOTALL)
_CENTURIES = ("19", "20", "18")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A norm that may be meant.

    Attributes:
        text: what to write for it: a nickname, or the norm in words.
        name: of the norm, canonical.
        label: the norm in words, in Portuguese.
    """

    text: str
    name: str
    label: str

    def as_json(self) -> dict[str, object]:
        return {"text": self.text, "name": self.name, "label": self.label}


def suggest(store: Store, text: str, limit: int = 8) -> tuple[Suggestion, ...]:
    """The norms whose nicknames, names or titles begin with a text, well-known nicknames first, then by level.

    Accents, case, connectives, dots in numbers and the sign of a number don't count. A nickname may begin at any of its
    first words; a year behind a number may have its last two digits.

    Args:
        store: an opened store.
        text: what is written so far; of a long one nothing is known.
        limit: how many at most, up to :data:`MOST`; each norm is suggested once.

    Raises:
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> suggest(in_memory(), "Lei nº 8.0")
    ()
    """
    found: dict[str, str] = {}
    limit = min(limit, MOST)
    if len(text) <= LONGEST:
        for said in _readings(unmarked(text)):
            for name, nickname in (*_well_known(store, said), *_kept(store, said)):
                found.setdefault(name, nickname)
            if len(found) >= limit:
                break
    known = vocabulary(store) if found else None
    told = []
    for name, nickname in list(found.items())[:limit]:
        called = label(parse(name), vocabulary=known)
        told.append(Suggestion(nickname or called, name, called))
    return tuple(told)


def _readings(text: str) -> Iterator[str]:
    """The plain words of a text; of a number with the end of a year, with the centuries that may be meant."""
    numbered = _NUMBERED.fullmatch(text.strip())
    if numbered is not None:
        before, year = said_plainly(numbered[1]), numbered[2]
        if year in _CENTURIES or year in {one[:1] for one in _CENTURIES}:
            yield f"{before} {year}"
        yield from (f"{before} {century}{year}" for century in _CENTURIES)
    said = said_plainly(text)
    if said:
        yield said


def _kept(store: Store, said: str) -> Iterator[tuple[str, str]]:
    """What the index has: names that the sources know, with the nicknames by which they were found."""
    for iri, nickname in store.names.beginning(said, _ROWS):
        yield from_iri(iri), nickname


def _well_known(store: Store, said: str) -> Iterator[tuple[str, str]]:
    """What has a well-known nickname, where the store knows it."""
    listed = _nicknames()
    for key, text, name in listed[bisect_left(listed, (said,)) :][:_KNOWN]:
        if not key.startswith(said):
            return
        if records(store, parse(name).iri):
            yield name, text


@cache
def _nicknames() -> tuple[tuple[str, str, str], ...]:
    """How each well-known nickname may begin, with its text and the name, in order."""
    found = {
        (said, one.text, one.name)
        for listed in nicknames().values()
        for one in listed
        for said in rotated(said_plainly(one.text))
    }
    return tuple(sorted(found))
