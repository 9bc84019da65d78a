"""Suggestions: norms whose names, nicknames or titles begin with a text, or a provision of one.

The index of prefixes (:mod:`graph.index_entries`) needs only a few lookups for each question, regardless of the
number of works. :func:`queries.resolve.resolve` interprets complete texts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from graph.index_entries import plain_form, suffixes_by_word
from graph.store import Store
from graph.urn import from_iri, parse, parse_or_none
from graph.wording.citations.lexicon import CONSTITUTIONS
from graph.wording.folding import CONNECTIVES, folded, without_invisible_marks
from graph.wording.labels import label
from graph.wording.nicknames import nicknames
from queries.evidence import records
from queries.resolution.names import in_constitution
from queries.resolution.typed import parted, with_types_in_full
from queries.vocabulary import vocabulary

__all__ = ["LONGEST", "MOST", "Suggestion", "nearest", "parted", "suggest"]

#: The maximum length of a text, in characters, and the maximum number of suggestions.
LONGEST, MOST = 100, 20
#: The number of rows of the index read for each level of the federation, and of well-known nicknames.
_ROWS, _KNOWN = 40, 40
#: The number of nearest norms, and the least likeness of their nicknames to a text.
_NEAREST, _LIKENESS = 3, 0.75
#: A number with the beginning of a year: ``8.078/9``, ``8078 de 90``.
_NUMBERED = re.compile(r"(.*[0-9])\s*(?:/|,?\s+de\s)\s*([0-9]{1,2})", re.ASCII | re.DOTALL)
_CENTURIES = ("19", "20", "18")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A possible norm, or its provision with which the text begins.

    Attributes:
        text: the completed text: a nickname, or the name in words.
        name: of the norm or provision, canonical.
        label: the name in words, in Portuguese.
    """

    text: str
    name: str
    label: str


def suggest(store: Store, text: str, limit: int = 8) -> tuple[Suggestion, ...]:
    """Return the norms whose nicknames, names or titles begin with a text, well-known nicknames first, then by level.

    Accents, case, connectives (also incomplete ones), dots in numbers and the number sign are ignored. A nickname may
    begin at any of its first words. A year after a number may have only its last two digits. After a provision, ``art.
    57 do ``, the norm is searched by the following words, and its provision is suggested, whether or not a source has
    it.

    Args:
        text: the typed text; a longer one than the limit gives no suggestions.
        limit: the maximum number, up to :data:`MOST`; each norm is suggested once.

    >>> from graph.store import in_memory
    >>> suggest(in_memory(), "Lei nº 8.0")
    ()
    """
    if len(text) > LONGEST:
        return ()
    text, limit = without_invisible_marks(text), min(limit, MOST)
    provision, begun, norm = parted(text)
    matches = [(name, "", nickname) for name, nickname in _matching_norms(store, text, limit).items()]
    if provision:
        matches += [(name, f"!{provision}", nickname) for name, nickname in _matching_norms(store, norm, limit).items()]
    known = vocabulary(store) if matches else None
    suggestions = []
    for name, inside, nickname in matches[:limit]:
        target = parse_or_none(name + inside)
        if target is not None:
            target = in_constitution(store, target) or target
            called = label(target, vocabulary=known)
            written = (begun if inside else "") + nickname if nickname else called
            suggestions.append(Suggestion(written, target.canonical, called))
    return tuple(suggestions)


def nearest(store: Store, text: str) -> tuple[Suggestion, ...]:
    """Return the norms whose names begin with a text; without any, those whose well-known nickname is like it."""
    begun = suggest(store, text, _NEAREST)
    listed = [key for key, *_ in _nicknames()]
    near = [] if begun else get_close_matches(plain_form(text[:LONGEST]), listed, _KNOWN, _LIKENESS)
    return begun or next(filter(None, (suggest(store, key, _NEAREST) for key in near)), ())


def _matching_norms(store: Store, text: str, limit: int) -> dict[str, str]:
    nicknames_by_name: dict[str, str] = {}
    for reading in _readings(text):
        for name, nickname in (*_well_known_norms(store, reading), *_matches_in_index(store, reading)):
            nicknames_by_name.setdefault(name, nickname)
        if len(nicknames_by_name) >= limit:
            break
    completed = _without_incomplete_connective(text)
    return nicknames_by_name if nicknames_by_name or completed == text else _matching_norms(store, completed, limit)


def _without_incomplete_connective(text: str) -> str:
    """Return a text without an incomplete connective at its end, such as ``d`` in ``código de defesa d``."""
    before, _, last = text.rpartition(" ")
    begun = folded(last)
    return before.rstrip() if begun and any(connective.startswith(begun) for connective in CONNECTIVES) else text


def _readings(text: str) -> Iterator[str]:
    """Yield the plain words of a text; for a number with the end of a year, with each possible century.

    An abbreviation of a type before a number is written out.
    """
    text = with_types_in_full(text)
    numbered = _NUMBERED.fullmatch(text.strip())
    if numbered is not None:
        before, year = plain_form(numbered[1]), numbered[2]
        if year in _CENTURIES or year in {century[:1] for century in _CENTURIES}:
            yield f"{before} {year}"
        yield from (f"{before} {century}{year}" for century in _CENTURIES)
    plain = plain_form(text)
    if plain:
        yield plain


def _matches_in_index(store: Store, beginning: str) -> Iterator[tuple[str, str]]:
    """Yield the matches in the index: names with the nicknames that matched."""
    for iri, nickname in store.names.beginnings.find(beginning, _ROWS):
        yield from_iri(iri), nickname


def _well_known_norms(store: Store, beginning: str) -> Iterator[tuple[str, str]]:
    """Yield the norms of the store with a well-known nickname that matches: the first in the list, if several do."""
    listed = _nicknames()
    nickname_by_name: dict[str, tuple[int, str]] = {}
    for key, text, name, position in listed[bisect_left(listed, (beginning,)) :][:_KNOWN]:
        if not key.startswith(beginning):
            break
        nickname_by_name[name] = min(nickname_by_name.get(name, (position, text)), (position, text))
    for name, (_, nickname) in nickname_by_name.items():
        norm = parse(name)
        if records(store, norm.iri) or in_constitution(store, norm) is not None:
            yield name, nickname


@cache
def _nicknames() -> tuple[tuple[str, str, str, int], ...]:
    """Return the parts of well-known nicknames that begin at any word, sorted: each with the nickname, the name, and
    the position of the nickname in the list."""
    entries = {
        (beginning, nickname.text, nickname.name, position)
        for position, listed in enumerate(nicknames().values())
        for nickname in listed
        for beginning in suffixes_by_word(plain_form(nickname.text))
    }
    year, since = max(CONSTITUTIONS.items())
    constitution = f"urn:lex:br:federal:constituicao:{since};{year}"
    entries |= {(plain_form(text), text, constitution, 0) for text in ("CF", "Constituição Federal")}
    return tuple(sorted(entries))
