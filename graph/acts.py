"""The identity of acts: which act a name with only the year means (docs/reference/names.md).

Sources name an amending act by its day or only by its year. This module alone decides whether such names mean one act.
The derived graph has the decisions, and all answers read them there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

import pyoxigraph as ox

from graph.patterns import CAUSE, NUMBER, RELATIONS, TARGET, Patterns
from graph.terms import Statement, iri
from ontology.namespaces import VIG

_ACT = re.compile(r"(urn:lex:[^:]*:[^:]*:[^:]*:[0-9]{4})(-[0-9]{2}-[0-9]{2})?(;[^;,@!~$&]+)(!.*)?", re.ASCII)

#: The derived statements: the name of an act with only its year, and the act that such a name means.
OF_YEAR: Final = ox.NamedNode(VIG["nomeDoAno"])
SAME_ACT: Final = ox.NamedNode(VIG["mesmoAto"])


_CAUSE, _NUMBER, _RELATIONS = iri(CAUSE.value), iri(NUMBER.value), frozenset(iri(node.value) for node in RELATIONS)


class NamedActs(NamedTuple):
    """The names of acts in records, as IRIs.

    Attributes:
        named: the names of causes of events, and those in relations.
        described: the names of works that the records describe with a number.
    """

    named: set[str]
    described: set[str]


def name_of_year(act: str) -> str | None:
    """Return the name of an act with only its year, by any of its names or that of a provision of it; all are IRIs.

    >>> name_of_year("urn:lex:br:federal:lei:2019-07-08;13853!art2")
    'urn:lex:br:federal:lei:2019;13853'

    Returns:
        None for a name of another form, such as that of an act with several numbers, or of a version.
    """
    match = _ACT.fullmatch(act)
    return None if match is None else f"{match[1]}{match[3]}"


@lru_cache(maxsize=4096)
def is_of_year(act: str) -> bool:
    """Return whether the name of an act, or of its provision, has only its year."""
    match = _ACT.fullmatch(act)
    return match is not None and match[2] is None


def has_day(act: str) -> bool:
    """Return whether the name of an act has its day."""
    match = _ACT.fullmatch(act)
    return match is not None and match[2] is not None


def named_acts(patterns: Patterns, graph: ox.NamedNode | None) -> NamedActs:
    """Return the acts that a record names; for None, those of all records."""
    objects = (patterns.objects_in(predicate, graph) for predicate in (CAUSE, *RELATIONS))
    subjects = (patterns.subjects_in(predicate, graph) for predicate in RELATIONS)
    return NamedActs(set(chain(*objects, *subjects)), set(patterns.subjects_in(NUMBER, graph)))


def acts_stated(statements: Iterable[Statement]) -> NamedActs:
    """Return the acts that statements of a record name."""
    acts = NamedActs(set(), set())
    for subject, predicate, target in statements:
        if predicate in _RELATIONS:
            acts.named.update((subject[1:-1], target[1:-1]))
        elif predicate == _CAUSE:
            acts.named.add(target[1:-1])
        elif predicate == _NUMBER:
            acts.described.add(subject[1:-1])
    return acts


class Acts:
    """Decides which acts the names with only the year mean.

    A name means an act if exactly one act of the store has its place, authority, type, year and number. The acts of the
    store are those that a source describes. If it describes none of that name, they are those that a source names by
    their day as the cause of an event, or in a relation.

    Args:
        patterns: the statements of the store.
        named: further names of acts to consider, as IRIs: those of records about to be written.
    """

    def __init__(self, patterns: Patterns, named: Iterable[str] = ()) -> None:
        self._patterns = patterns
        self._named: dict[str, set[str]] = {}
        for name in named:
            if (year := name_of_year(name)) is not None:
                self._named.setdefault(year, set()).add(name)
        self._candidates: dict[str, list[str]] = {}

    def act(self, name: str) -> str | None:
        """Return the act that a name with only the year means, with the provision of the name; None if not one fits."""
        match = _ACT.fullmatch(name)
        if match is None or match[2] is not None:
            return None
        fitting = self.candidates(f"{match[1]}{match[3]}")
        return f"{fitting[0]}{match[4] or ''}" if len(fitting) == 1 else None

    def norm(self, name: str) -> str:
        """Return the act that a name of it or of a provision of it means; the norm of the name if no other act fits."""
        return (self.act(name) or name).partition("!")[0]

    def same(self, name: str, other: str) -> bool:
        """Return whether two names are of one act, or of provisions of one act."""
        return self.norm(name) == self.norm(other)

    def candidates(self, year: str) -> list[str]:
        """Return the acts that a name with only the year may mean, sorted."""
        if year not in self._candidates:
            numbered = self._patterns.numbered(year.rpartition(";")[2])
            described = [act for act in numbered if "!" not in act and has_day(act) and name_of_year(act) == year]
            mentioned = (name for name in self.names_of(year) if has_day(name) and self.is_named(name))
            self._candidates[year] = described or sorted({name.partition("!")[0] for name in mentioned})
        return self._candidates[year]

    def names_of(self, year: str) -> set[str]:
        """Return the names of acts with a year and number that the derived graph or the records to be written have."""
        return {*self._patterns.sources(OF_YEAR, year), *self._named.get(year, ())}

    def is_named(self, name: str) -> bool:
        """Return whether a source names an act as the cause of an event, or in a relation.

        A name with only the year counts also if a source names a provision of it so.
        """
        parts = (part for part in self.names_of(name) if "!" in part and is_of_year(part))
        return (
            (is_of_year(name) and "!" not in name and any(map(self.is_named, parts)))
            or any(self._patterns.sources(predicate, name) for predicate in (CAUSE, *RELATIONS))
            or any(self._patterns.links(name, predicate) for predicate in RELATIONS)
        )

    def caused_by(self, name: str) -> set[str]:
        """Return the works with events or versions that an act caused, by a name of it."""
        events = self._patterns.sources(CAUSE, name)
        return {work for event in events for work in self._patterns.links(event, TARGET)}

    def statements(self, name: str) -> Mapping[ox.NamedNode, str]:
        """Return the derived statements about a name of an act: their predicates and objects."""
        year = name_of_year(name)
        if year is None or not self.is_named(name):
            return {}
        act = self.act(name)
        return {OF_YEAR: year} | ({SAME_ACT: act} if act is not None else {})
