"""The names of acts in the graph, and the derived statements on which act a name with only the year means.

:mod:`graph.time.acts` decides it. The derived graph has the decisions, and all answers read them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

import pyoxigraph as ox

from graph.patterns import CAUSE, NUMBER, RELATIONS, TARGET, Patterns
from graph.terms import Statement, iri
from graph.time.acts import act_meant, candidates, is_of_year, name_of_year
from ontology.namespaces import VIG

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
    """Reads the acts that names with only the year may mean.

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
        self._candidates: dict[str, Sequence[str]] = {}

    def candidates(self, year: str) -> Sequence[str]:
        """Return the acts that a name with only the year may mean, sorted."""
        if year not in self._candidates:
            mentioned = (name for name in self.names_of(year) if self.is_named(name))
            self._candidates[year] = candidates(year, self._patterns.numbered(year.rpartition(";")[2]), mentioned)
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
        act = act_meant(name, self)
        return {OF_YEAR: year} | ({SAME_ACT: act} if act is not None else {})
