"""Checks of one work that need all of its versions and periods.

The periods are derived again (graph/time/force.py) and compared with the stored ones. Views are compared with each
other by the rules of LexML 1.0 part 2, section 12. If a shape has the same check in SPARQL, tests compare the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import pyoxigraph as ox

from graph.acts import OF_YEAR, SAME_ACT, Acts
from graph.patterns import Patterns
from graph.statements import StatementsReader
from graph.store import Store
from graph.store.derivation import DERIVES, act_lines, derivation_lines, period_lines
from graph.store.embedded import translating_engine_errors
from graph.summaries import pack_derived
from graph.terms import Cell, iri, read
from graph.time.events import History, Member
from graph.time.evidence import DecidedDays, Evidence
from graph.time.force import derive
from graph.time.intervals import Interval
from graph.urn import from_iri, parse
from ontology.events import EventKind, rank
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import FRBROO, PREFIXES, VIG, XSD
from queries.checks.results import BY_PROGRAM, Finding
from queries.checks.shapes import BY_QUERY, Term
from queries.contradictions import contradictions
from queries.evidence import versions
from queries.messages import message

#: The checks implemented here.
LIFE_CHECKS = (
    "periods-follow-sources",
    "periods-overlap",
    "rectification-incomplete",
    "sources-contradict",
    "version-before-norm",
    "view-ambiguous",
    "view-before-norm",
)

_DERIVED = ox.NamedNode(DERIVED_GRAPH)
_PERIOD_OF = ox.NamedNode(VIG["periodoDe"])
_HAS_MEMBER = ox.NamedNode(FRBROO["R10_has_member"])
_TO_DERIVE = ox.NamedNode(VIG["aDerivar"])
_NORM_DATE = ox.NamedNode(VIG["dataRepresentativa"])
_YEAR = re.compile("[0-9]{4}", re.ASCII)
_RECTIFIES = rank(EventKind.RETIFICACAO)
_AMENDS = rank(EventKind.ALTERACAO)

_IS_WORK = "?this a frbroo:F15_Complex_Work FILTER NOT EXISTS { ?this vig:dispositivoDe ?whole }"
_LIVES = "?this vig:vidaPropriaEm ?norm"
#: Every work and provision that may have versions, events or periods, and every name of an act about which statements
#: are derived; the queries have disjoint results.
_WORK_QUERIES = (
    _IS_WORK,
    f"{_LIVES} FILTER NOT EXISTS {{ {_IS_WORK} }}",
    f"?event vig:alvo ?this FILTER NOT EXISTS {{ {_LIVES} }} FILTER NOT EXISTS {{ {_IS_WORK} }}",
    (
        f"?period vig:periodoDe ?this FILTER NOT EXISTS {{ {_LIVES} }} FILTER NOT EXISTS {{ {_IS_WORK} }} "
        "FILTER NOT EXISTS { ?event vig:alvo ?this }"
    ),
    (
        f"?this vig:nomeDoAno ?year FILTER NOT EXISTS {{ {_LIVES} }} FILTER NOT EXISTS {{ {_IS_WORK} }} "
        "FILTER NOT EXISTS { ?event vig:alvo ?this } FILTER NOT EXISTS { ?period vig:periodoDe ?this }"
    ),
)
_HEAD = f"PREFIX vig: <{PREFIXES['vig']}> PREFIX frbroo: <{FRBROO}> "


@dataclass(frozen=True, slots=True)
class _StoredPeriod:
    """A stored period, and the IRIs of its axes."""

    node: str
    axes: frozenset[str]
    days: Interval
    known: Interval

    def overlaps(self, other: _StoredPeriod) -> bool:
        together = self.days.overlaps(other.days) and self.known.overlaps(other.known)
        return together and not self.axes.isdisjoint(other.axes)


def works_of(store: Store) -> Iterator[str]:
    """Yield every work and provision for :func:`life_check_results`, each once.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    for query in _WORK_QUERIES:
        for row in store.select(f"{_HEAD}SELECT DISTINCT ?this WHERE {{ {query} FILTER (isIRI(?this)) }}"):
            yield str(row["this"])


def life_check_results(store: Store, works: Iterable[str]) -> Iterator[Finding]:
    """Yield the results of :data:`LIFE_CHECKS` for some works; those of one work are consecutive.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    checking = _CheckRun(store)
    with translating_engine_errors():
        for work in works:
            yield from checking.work(work)


class _CheckRun:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._engine = store.engine
        self._patterns = Patterns(store.engine)
        self._acts = Acts(self._patterns)
        self._reader = StatementsReader(self._patterns, self._acts)
        self._evidence = Evidence(self._reader.statements)

    def work(self, work: str) -> Iterator[Finding]:
        history = History()
        decided: Mapping[str, DecidedDays] = {}
        if work.startswith("urn:lex:"):
            self._reader.read([work])
            history, decided = self._evidence.history(work), self._evidence.decided_days(work)
        yield from self._periods(work, history, decided)
        yield from self._views(work, history.members)
        if _may_contradict(history):
            for notice in contradictions(self._store, parse(from_iri(work)), versions(self._store, work), None):
                yield Finding("sources-contradict", BY_PROGRAM, work, None, message(notice))

    def _periods(self, work: str, history: History, decided: Mapping[str, DecidedDays]) -> Iterator[Finding]:
        node = ox.NamedNode(work)
        stored: set[str] = set()
        periods = []
        for period_quad in self._engine.quads_for_pattern(None, _PERIOD_OF, node, _DERIVED):
            properties: dict[str, list[Cell]] = {}
            for quad in self._engine.quads_for_pattern(period_quad.subject, None, None, _DERIVED):
                stored.add(f"{quad.subject} {quad.predicate} {quad.object} .")
                properties.setdefault(quad.predicate.value, []).append(read(quad.object))
            periods.append(_stored_period(str(read(period_quad.subject)), properties))
        yield from _overlapping_periods([period for period in periods if period is not None])
        if any(True for _ in self._engine.quads_for_pattern(node, _TO_DERIVE, None, _DERIVED)):
            return  # known to be outdated; `periods-pending` reports it
        derived = derive(history, self._evidence.causes_of(history))
        acts = self._acts.statements(work)
        for predicate in (OF_YEAR, SAME_ACT):
            stored.update(f"{node} {predicate} {iri(act)} ." for act in self._patterns.links(work, predicate))
        for version in self._patterns.links(work, _HAS_MEMBER):
            made_from = self._patterns.links(version, DERIVES)
            stored.update(f"{iri(version)} {DERIVES} {iri(origin)} ." for origin in made_from)
        derived_lines = {
            *period_lines(work, history.norm, derived),
            *act_lines(work, acts),
            *derivation_lines(self._patterns, work),
        }
        differing = stored.symmetric_difference(derived_lines)
        if not self._store.names.is_up_to_date(work, pack_derived(work, derived, decided, acts.get(SAME_ACT))):
            yield Finding("periods-follow-sources", BY_PROGRAM, work, None, "the index of names differs")
        for period in sorted({line.partition(" ")[0] for line in differing}):
            yield Finding("periods-follow-sources", BY_PROGRAM, work, period)

    def _views(self, work: str, members: Sequence[Member]) -> Iterator[Finding]:
        dated = [
            (m.version_date, m.view.exact, m)
            for m in members
            if m.version_date is not None and m.view.exact is not None
        ]
        yield from _ambiguous_views(work, [(start, seen, m) for start, seen, m in dated if seen is not None])
        yield from _incomplete_views(work, [(start, seen, m) for start, seen, m in dated if seen is not None])
        dates = self._engine.quads_for_pattern(ox.NamedNode(work), _NORM_DATE, None, None)
        oldest = {str(read(quad.object)) for quad in dates if _is_day_or_year(quad.object)}
        for member in members:
            for code, day in (("version-before-norm", member.version_date), ("view-before-norm", member.view.exact)):
                if day is not None and any(str(day)[: len(norm_date)] < norm_date for norm_date in oldest):
                    yield Finding(code, BY_QUERY, work, iri(member.name))


def _is_day_or_year(term: Term) -> bool:
    if isinstance(term, ox.Literal) and term.datatype.value == XSD["gYear"]:
        return _YEAR.fullmatch(term.value) is not None
    return isinstance(read(term), date)


_Dated = tuple[date, date, Member]


def _ambiguous_views(work: str, dated: Sequence[_Dated]) -> Iterator[Finding]:
    """Yield the views of one version with the same day and rank, except the last by name."""
    groups: dict[tuple[date, date, int], list[str]] = {}
    for start, seen, member in dated:
        groups.setdefault((start, seen, member.order), []).append(member.name)
    for names in groups.values():
        for name in sorted(names)[:-1]:
            yield Finding("view-ambiguous", BY_QUERY, work, iri(name))


def _incomplete_views(work: str, dated: Sequence[_Dated]) -> Iterator[Finding]:
    """Yield the views that a later rectification left unchanged, although it corrected an earlier version."""
    corrected: dict[date, date] = {}
    done = set()
    for start, seen, member in dated:
        if member.order == _RECTIFIES:
            corrected[seen] = min(start, corrected.get(seen, start))
            done.add((start, seen))
    for start, seen, member in dated if corrected else ():
        if any(seen < day and first < start and (start, day) not in done for day, first in corrected.items()):
            yield Finding("rectification-incomplete", BY_QUERY, work, iri(member.name))


def _may_contradict(history: History) -> bool:
    """Return whether two sources may differ on a date: an event that occurs only once is stated more than once."""
    if len(history.events) > 1:
        return True
    firsts = [m.order for m in history.members if m.order < _AMENDS]
    views = [m.view for m in history.members if m.order == _AMENDS]
    starts = [m.version_date for m in history.members if m.order == _AMENDS]
    return any(len(set(values)) < len(values) for values in (firsts, views, starts))


def _stored_period(node: str, properties: dict[str, list[Cell]]) -> _StoredPeriod | None:
    """Return a stored period; None if it has no start, which other checks report."""

    def day(term: str) -> date | None:
        return next((cell for cell in properties.get(VIG[term], ()) if isinstance(cell, date)), None)

    start, known_from = day("inicio"), day("conhecidoDesde")
    if start is None or known_from is None:
        return None
    axes = frozenset(str(axis) for axis in properties.get(VIG["eixo"], ()))
    return _StoredPeriod(node, axes, Interval(start, day("fim")), Interval(known_from, day("conhecidoAte")))


def _overlapping_periods(periods: list[_StoredPeriod]) -> Iterator[Finding]:
    """Yield a result for each period and each other period that it overlaps."""
    periods.sort(key=lambda period: period.days.start)
    pairs = []
    for index, period in enumerate(periods):
        for other in periods[index + 1 :]:
            if period.days.until is not None and other.days.start >= period.days.until:
                break
            if period.overlaps(other):
                pairs += [(period.node, other.node), (other.node, period.node)]
    for node, other_node in sorted(pairs):
        yield Finding("periods-overlap", BY_QUERY, node, iri(other_node))
