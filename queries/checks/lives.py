"""Checks of one work that need all of its versions and periods.

The periods are derived anew (graph/vigencia.py) and compared with those that are stored; views are compared with each
other by the rules of LexML 1.0 part 2, section 12. Where a shape states the same in SPARQL the two must agree; tests
hold them to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import pyoxigraph as ox

from graph.derived import rectangle_lines
from graph.happenings import Life, Member
from graph.life import Lives
from graph.patterns import Patterns
from graph.store import Store
from graph.store.embedded import telling_damage
from graph.summaries import periods_packed
from graph.terms import Cell, iri, read
from graph.urn import from_iri, parse
from ontology.events import rank
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import FRBROO, PREFIXES, VIG, XSD
from queries.checks.found import Found
from queries.checks.shapes import BY_QUERY, Term
from queries.contradictions import contradictions
from queries.english import message
from queries.evidence import versions

#: The checks that are answered here.
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
_TO_DERIVE = ox.NamedNode(VIG["aDerivar"])
_NORM_DATE = ox.NamedNode(VIG["dataRepresentativa"])
_YEAR = re.compile("[0-9]{4}", re.ASCII)
_RECTIFIES = rank("retificacao")
_AMENDS = rank("alteracao")
_BY_PROGRAM = "ProgramConstraintComponent"

_IS_WORK = "?this a frbroo:F15_Complex_Work FILTER NOT EXISTS { ?this vig:dispositivoDe ?whole }"
_LIVES = "?this vig:vidaPropriaEm ?norm"
#: Every work and provision that may have versions, events or periods, those of one query in no other.
_WORKS = (
    _IS_WORK,
    f"{_LIVES} FILTER NOT EXISTS {{ {_IS_WORK} }}",
    f"?event vig:alvo ?this FILTER NOT EXISTS {{ {_LIVES} }} FILTER NOT EXISTS {{ {_IS_WORK} }}",
    (
        f"?period vig:periodoDe ?this FILTER NOT EXISTS {{ {_LIVES} }} FILTER NOT EXISTS {{ {_IS_WORK} }} "
        "FILTER NOT EXISTS { ?event vig:alvo ?this }"
    ),
)
_HEAD = f"PREFIX vig: <{PREFIXES['vig']}> PREFIX frbroo: <{FRBROO}> "


@dataclass(frozen=True, slots=True)
class _Stored:
    """A rectangle as it is stored, an open end told by the last day there is."""

    node: str
    axes: frozenset[str]
    start: date
    end: date
    known_from: date
    known_until: date

    def overlaps(self, other: _Stored) -> bool:
        return (
            self.start < other.end
            and other.start < self.end
            and self.known_from < other.known_until
            and other.known_from < self.known_until
            and not self.axes.isdisjoint(other.axes)
        )


def works_of(store: Store) -> Iterator[str]:
    """Every work and provision that :func:`of_lives` has to look at, each once.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    for query in _WORKS:
        for row in store.select(f"{_HEAD}SELECT DISTINCT ?this WHERE {{ {query} FILTER (isIRI(?this)) }}"):
            yield str(row["this"])


def of_lives(store: Store, works: Iterable[str]) -> Iterator[Found]:
    """The results of :data:`LIFE_CHECKS` for some works, those of one work together.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    checking = _Checking(store)
    with telling_damage():
        for work in works:
            yield from checking.work(work)


class _Checking:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._engine = store.engine
        self._patterns = Patterns(store.engine)
        self._lives = Lives(self._patterns)

    def work(self, work: str) -> Iterator[Found]:
        life = self._lives.of(work) if work.startswith("urn:lex:") else Life()
        yield from self._periods(work, life)
        yield from self._views(work, life.members)
        if _may_contradict(life):
            for notice in contradictions(self._store, parse(from_iri(work)), versions(self._store, work), None):
                yield Found("sources-contradict", _BY_PROGRAM, work, None, message(notice))

    def _periods(self, work: str, life: Life) -> Iterator[Found]:
        node = ox.NamedNode(work)
        stored: set[str] = set()
        rectangles = []
        for found in self._engine.quads_for_pattern(None, _PERIOD_OF, node, _DERIVED):
            said: dict[str, list[Cell]] = {}
            for quad in self._engine.quads_for_pattern(found.subject, None, None, _DERIVED):
                stored.add(f"{quad.subject} {quad.predicate} {quad.object} .")
                said.setdefault(quad.predicate.value, []).append(read(quad.object))
            rectangles.append(_rectangle(str(read(found.subject)), said))
        yield from _overlapping([each for each in rectangles if each is not None])
        if any(True for _ in self._engine.quads_for_pattern(node, _TO_DERIVE, None, _DERIVED)):
            return  # known to be outdated: reported by `periods-pending`
        derived = self._lives.rectangles(life)
        differing = stored.symmetric_difference(rectangle_lines(work, life.norm, derived))
        if not self._store.names.follows(work, periods_packed(work, derived) if derived else None):
            yield Found("periods-follow-sources", _BY_PROGRAM, work, None, "the index of names says otherwise")
        for rectangle in sorted({line.partition(" ")[0] for line in differing}):
            yield Found("periods-follow-sources", _BY_PROGRAM, work, rectangle)

    def _views(self, work: str, members: Sequence[Member]) -> Iterator[Found]:
        dated = [
            (m.version_date, m.view.exact, m)
            for m in members
            if m.version_date is not None and m.view.exact is not None
        ]
        yield from _ambiguous(work, [(start, seen, m) for start, seen, m in dated if seen is not None])
        yield from _incomplete(work, [(start, seen, m) for start, seen, m in dated if seen is not None])
        said = self._engine.quads_for_pattern(ox.NamedNode(work), _NORM_DATE, None, None)
        oldest = {str(read(quad.object)) for quad in said if _is_day_or_year(quad.object)}
        for member in members:
            for code, day in (("version-before-norm", member.version_date), ("view-before-norm", member.view.exact)):
                if day is not None and any(str(day)[: len(one)] < one for one in oldest):
                    yield Found(code, BY_QUERY, work, iri(member.name))


def _is_day_or_year(term: Term) -> bool:
    if isinstance(term, ox.Literal) and term.datatype.value == XSD["gYear"]:
        return _YEAR.fullmatch(term.value) is not None
    return isinstance(read(term), date)


_Dated = tuple[date, date, Member]


def _ambiguous(work: str, dated: Sequence[_Dated]) -> Iterator[Found]:
    """Views of one version that were made on one day and have one rank: all but the one that the alphabet lets win."""
    groups: dict[tuple[date, date, int], list[str]] = {}
    for start, seen, member in dated:
        groups.setdefault((start, seen, member.order), []).append(member.name)
    for names in groups.values():
        for name in sorted(names)[:-1]:
            yield Found("view-ambiguous", BY_QUERY, work, iri(name))


def _incomplete(work: str, dated: Sequence[_Dated]) -> Iterator[Found]:
    """Views that a rectification known later left as they were, though it corrected an earlier version."""
    corrected: dict[date, date] = {}
    done = set()
    for start, seen, member in dated:
        if member.order == _RECTIFIES:
            corrected[seen] = min(start, corrected.get(seen, start))
            done.add((start, seen))
    for start, seen, member in dated if corrected else ():
        if any(seen < day and first < start and (start, day) not in done for day, first in corrected.items()):
            yield Found("rectification-incomplete", BY_QUERY, work, iri(member.name))


def _may_contradict(life: Life) -> bool:
    """Whether there is anything that two sources could date differently: more than one of what there is one of."""
    if len(life.happenings) > 1:
        return True
    firsts = [m.order for m in life.members if m.order < _AMENDS]
    views = [m.view for m in life.members if m.order == _AMENDS]
    starts = [m.version_date for m in life.members if m.order == _AMENDS]
    return any(len(set(said)) < len(said) for said in (firsts, views, starts))


def _rectangle(node: str, said: dict[str, list[Cell]]) -> _Stored | None:
    """A rectangle; None where it has no start, which other checks tell."""

    def day(term: str) -> date | None:
        return next((cell for cell in said.get(VIG[term], ()) if isinstance(cell, date)), None)

    start, known_from = day("inicio"), day("conhecidoDesde")
    if start is None or known_from is None:
        return None
    axes = frozenset(str(axis) for axis in said.get(VIG["eixo"], ()))
    return _Stored(node, axes, start, day("fim") or date.max, known_from, day("conhecidoAte") or date.max)


def _overlapping(rectangles: list[_Stored]) -> Iterator[Found]:
    """Each rectangle that overlaps another, once for each; looked for among those that begin before it ends."""
    rectangles.sort(key=lambda each: each.start)
    pairs = []
    for at, one in enumerate(rectangles):
        for other in rectangles[at + 1 :]:
            if other.start >= one.end:
                break
            if one.overlaps(other):
                pairs += [(one.node, other.node), (other.node, one.node)]
    for node, other_node in sorted(pairs):
        yield Found("periods-overlap", BY_QUERY, node, iri(other_node))
