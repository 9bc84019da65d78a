"""The derived graph of a store: the bitemporal periods of works and the derivation of versions as triples, and the
changes that an update requires.

The derived graph also has the horizons of providers. A killed process of an earlier release may have left marks on
works in it. The periods of a marked work must still be derived.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import attrgetter

import pyoxigraph as ox

from graph.acts import OF_YEAR, SAME_ACT, Acts, named_acts
from graph.mapping import MappedRecord
from graph.patterns import HAS_MEMBER, Patterns, Quads
from graph.statements import StatementsReader
from graph.store.engine import derived_block
from graph.summaries import pack_derived
from graph.terms import day as day_literal
from graph.terms import iri, string
from graph.time.acts import is_of_year, name_of_year
from graph.time.evidence import Evidence
from graph.time.force import derive
from graph.time.intervals import BitemporalPeriod
from graph.time.kinds import AXES, SITUATIONS
from ontology.iris import DERIVED_GRAPH, hashed_iri, provider_iri, provider_of
from ontology.namespaces import FRBROO, PROV, RDF, RDFS, VIG

# Derived triples: the periods of a work (and the horizons of providers) as N-Triples lines.
#
# They are in a separate graph, which can be deleted and rebuilt from the asserted graphs. Their vocabulary may
# change; docs/reference/graph.md has the queries in plain SPARQL.


_TYPE = iri(RDF["type"])


def period_lines(work: str, norm: str | None, periods: Iterable[BitemporalPeriod]) -> Iterator[str]:
    """Yield the lines of the periods of one work. ``norm`` is the IRI of the norm of a provision, else None."""
    for period in periods:
        yield from _lines(work, norm, period)


def _lines(work: str, norm: str | None, r: BitemporalPeriod) -> Iterator[str]:
    in_force = r.version is not None
    axes = sorted(r.axes)
    node = iri(hashed_iri("periodo" if in_force else "lacuna", work, *axes, str(r.days.start), str(r.known.start)))
    yield f"{node} {_TYPE} {iri(VIG['Periodo' if in_force else 'Lacuna'])} ."
    yield f"{node} {iri(VIG['periodoDe'])} {iri(work)} ."
    if norm is not None:
        yield f"{node} {iri(VIG['periodoNaNorma'])} {iri(norm)} ."
    if r.version is not None:
        yield f"{node} {iri(VIG['versao'])} {iri(r.version)} ."
    else:
        yield f"{node} {iri(VIG['situacao'])} {iri(SITUATIONS[r.status])} ."
    for reason in r.because:
        yield f"{node} {iri(VIG['decididoPor'])} {iri(reason)} ."
    for axis in axes:
        yield f"{node} {iri(VIG['eixo'])} {iri(AXES[axis])} ."
    for property_, bound in (
        ("inicio", r.days.start),
        ("fim", r.days.until),
        ("conhecidoDesde", r.known.start),
        ("conhecidoAte", r.known.until),
    ):
        if bound is not None:
            yield f"{node} {iri(VIG[property_])} {day_literal(bound)} ."


@dataclass(frozen=True, slots=True, order=True)
class _View:
    """A version or view with both of its dates, in the order of versions, of their views, and of the views of a day."""

    start: date
    view: date
    order: int
    version: str
    has_event: bool

    @property
    def place(self) -> tuple[date, date, int]:
        return self.start, self.view, self.order


def derivation_lines(patterns: Patterns, work: str) -> Iterator[str]:
    """Yield the lines that state from which version each version of a work was made (LexML part 1, figure 4).

    A view was made from the previous view of its version. The first view of a version was made from the last view of
    the previous version that was known then. The event of a version is the type of its derivation. A version without
    both dates, or without an event, has no line.
    """
    views = list(filter(None, (_view_of(patterns, version) for version in patterns.links(work, HAS_MEMBER))))
    earlier: list[list[_View]] = []  # versions with their views: those of a later version were known later
    for _, same_start in groupby(sorted(views), key=attrgetter("start")):
        same = list(same_start)
        before: list[_View] = []
        for _, same_place in groupby(same, key=attrgetter("place")):
            here = list(same_place)
            origins = before or _known_by(earlier, here[0].view)
            for made in here:
                for origin in origins if made.has_event else ():
                    yield f"{iri(made.version)} {DERIVES} {iri(origin.version)} ."
            before = here
        while earlier and earlier[-1][0].view >= same[0].view:
            earlier.pop()
        earlier.append(same)


def _view_of(patterns: Patterns, version: str) -> _View | None:
    facts = patterns.facts(version)
    start, view = (
        min((day for day in facts.get(VIG[term], ()) if isinstance(day, date)), default=None)
        for term in ("dataVersao", "dataVisao")
    )
    if start is None or view is None:
        return None
    order = min((rank for rank in facts.get(VIG["ordemVisao"], ()) if isinstance(rank, int)), default=0)
    return _View(start, view, order, version, VIG["eventoVisao"] in facts)


def _known_by(versions: Sequence[Sequence[_View]], day: date) -> list[_View]:
    """Return the last views, known on a day, of the last version that has any.

    Args:
        versions: the first view of each is later than that of the version before it.
    """
    count = bisect_right(versions, day, key=lambda views: views[0].view)
    if count == 0:
        return []
    views = versions[count - 1]
    known = views[: bisect_right(views, day, key=attrgetter("view"))]
    return [view for view in known if view.place == known[-1].place]


def act_lines(name: str, stated: Mapping[ox.NamedNode, str]) -> Iterator[str]:
    """Yield the lines of the derived statements about a name of an act."""
    return (f"{iri(name)} {predicate} {iri(act)} ." for predicate, act in stated.items())


def horizon_lines(provider: str, newest: date) -> list[str]:
    """Return the lines of a provider and the day up to which it was harvested."""
    node = iri(provider)
    return [
        f"{node} {_TYPE} {iri(PROV['Agent'])} .",
        f"{node} {iri(RDFS['label'])} {string(provider_of(provider))} .",
        f"{node} {iri(VIG['horizonte'])} {day_literal(newest)} .",
    ]


# Compares the derived graph with the asserted graphs.


_DERIVED = ox.NamedNode(DERIVED_GRAPH)
_TO_DERIVE = ox.NamedNode(VIG["aDerivar"])
_PERIOD_OF = ox.NamedNode(VIG["periodoDe"])
#: From a version to the one from which it was made.
DERIVES = ox.NamedNode(FRBROO["R2_is_derivative_of"])
_HORIZON = ox.NamedNode(VIG["horizonte"])


def changes(before: set[str], after: set[str]) -> list[str]:
    """Return the update operations that replace some lines of the derived graph by others."""
    return [
        f"{verb} DATA {{ {derived_block(lines)} }}"
        for verb, lines in (("DELETE", before - after), ("INSERT", after - before))
        if lines
    ]


@dataclass(frozen=True, slots=True)
class Change:
    """The derived data of some works, before and after a change.

    Attributes:
        before: the current lines of the derived graph.
        after: the lines that it should have.
        packed: the summary of the lines ``after`` by work; None if a work has none.
    """

    before: set[str]
    after: set[str]
    packed: dict[str, str | None]


class Derivation:
    """Compares the derived graph with what should be derived.

    Args:
        quads: the stored quads, alone or with asserted graphs that will be written.
        named: names of acts of these asserted graphs, as IRIs.
    """

    def __init__(self, quads: Quads, named: Iterable[str] = ()) -> None:
        self._quads = quads.quads_for_pattern
        self._patterns = Patterns(quads)
        self._named = frozenset(named)
        self._acts = Acts(self._patterns, self._named)

    def marked(self) -> list[str]:
        """Return the works whose periods have to be derived."""
        marks = self._quads(None, _TO_DERIVE, None, _DERIVED)
        return [quad.subject.value for quad in marks if isinstance(quad.subject, ox.NamedNode)]

    def dependants(self, works: Iterable[str]) -> list[str]:
        """Return these works and the works whose periods depend on them."""
        return self._patterns.with_dependants(works)

    def of(self, works: Iterable[str], replaced: Iterable[str] = ()) -> Change:
        """Return the derived data of these works, current and required.

        Args:
            replaced: versions of these works in graphs that will be replaced.
        """
        change = Change(set(map(_line, self._derivations(replaced))), set(), {})
        required = list(works)
        evidence = Evidence(StatementsReader(self._patterns, self._acts).read(required))
        for work in required:
            history = evidence.history(work)
            periods = derive(history, evidence.causes_of(history))
            of_act = work in self._named or is_of_year(work)
            stated = self._acts.statements(work) if of_act else {}
            change.before.update(self._lines(work, of_act=of_act))
            change.after.update(period_lines(work, history.norm, periods))
            change.after.update(act_lines(work, stated))
            change.after.update(derivation_lines(self._patterns, work))
            change.packed[work] = pack_derived(work, periods, evidence.decided_days(work), stated.get(SAME_ACT))
        return change

    def _lines(self, work: str, *, of_act: bool) -> Iterator[str]:
        """Yield all derived lines of one work in the graph, with its mark, and with those of its name if asked."""
        node = ox.NamedNode(work)
        for predicate in (_TO_DERIVE, *((OF_YEAR, SAME_ACT) if of_act else ())):
            for quad in self._quads(node, predicate, None, _DERIVED):
                yield _line(quad)
        yield from self._lines_of_each(self._quads(None, _PERIOD_OF, node, _DERIVED))
        yield from map(_line, self._derivations(self._patterns.links(work, HAS_MEMBER)))

    def _derivations(self, versions: Iterable[str]) -> Iterator[ox.Quad]:
        """Yield the quads that state from which version each of some versions was made."""
        for version in versions:
            yield from self._quads(ox.NamedNode(version), DERIVES, None, _DERIVED)

    def works(self) -> set[str]:
        """Return all works that have versions or events, have periods or are marked."""
        with_periods = {
            quad.object.value
            for quad in self._quads(None, _PERIOD_OF, None, _DERIVED)
            if isinstance(quad.object, ox.NamedNode)
        }
        return self._patterns.works_with_history() | with_periods | set(self.marked()) | self.names_of_acts()

    def names_of_acts(self) -> set[str]:
        """Return all names of acts in records, and those about which statements are derived."""
        named = named_acts(self._patterns, None).named | set(self._patterns.subjects_in(OF_YEAR, _DERIVED))
        return named | {name.partition("!")[0] for name in named if is_of_year(name)}

    def joined(self, described: Iterable[str]) -> tuple[set[str], set[str]]:
        """Return the names of acts whose derived statements may change, and the works of which the cause changes.

        Args:
            described: works that the records to be written describe, or described before.
        """
        years = {year for year in map(name_of_year, (*self._named, *described)) if year is not None}
        names = {name for year in years for name in self._acts.names_of(year)}
        names |= {name.partition("!")[0] for name in names if is_of_year(name)}
        moved = {
            name
            for name in names
            if self._patterns.links(name, SAME_ACT) != list(filter(None, [self._acts.statements(name).get(SAME_ACT)]))
        }
        return names, {work for name in moved for work in self._acts.caused_by(name)}

    def horizons(self) -> tuple[set[str], set[str]]:
        """Return the current lines of all horizons, and the required lines."""
        newest = self._patterns.horizons()
        return self._horizon_lines(), {
            line for provider, day in newest.items() for line in horizon_lines(provider, day)
        }

    def moved_horizons(
        self,
        fresh: Mapping[str, MappedRecord],
        replaced: Iterable[tuple[str, date]],
        datestamps: Callable[[], Collection[str]],
    ) -> tuple[set[str], set[str]]:
        """Return the lines of horizons to remove and to add when these records replace the stored ones.

        A horizon usually becomes later. It becomes earlier when the last record with its day is replaced by an older
        record, or by a record of another provider.

        Args:
            fresh: the new records, by their graphs.
            replaced: provider and day of the replaced records.
            datestamps: returns the datestamps of all records, each once.
        """
        newest = newest_days(fresh.values())
        days = [(provider, day) for provider, day in replaced if day > newest.get(provider, date.min)]
        horizons = {provider: self._patterns.horizon(provider) for provider, _ in days}
        fallen = {provider: day for provider, day in days if day == horizons[provider]}
        gone: set[str] = set()
        come: set[str] = set()
        stored = datestamps() if fallen else ()
        for provider, day in fallen.items():
            new_day = newest.pop(provider, None)
            last = self._patterns.newest(provider, stored, fresh.keys(), new_day or date.min) or new_day
            gone.update(horizon_lines(provider, day) if last != day else ())
            come.update(horizon_lines(provider, last) if last not in (None, day) else ())
        risen = self.risen_horizons(newest)
        return gone | risen[0], come | risen[1]

    def risen_horizons(self, newest: Mapping[str, date]) -> tuple[set[str], set[str]]:
        """Return the lines of horizons to remove and to add when records of these days are added."""
        gone: set[str] = set()
        come: set[str] = set()
        for provider, day in newest.items():
            known = self._patterns.horizon(provider)
            if known is None or known < day:
                gone.update(horizon_lines(provider, known) if known is not None else ())
                come.update(horizon_lines(provider, day))
        return gone, come

    def _horizon_lines(self) -> set[str]:
        return set(self._lines_of_each(self._quads(None, _HORIZON, None, _DERIVED)))

    def _lines_of_each(self, quads: Iterable[ox.Quad]) -> Iterator[str]:
        """Return every line of the derived graph about the subjects of some of its quads."""
        for subject_quad in quads:
            if isinstance(subject_quad.subject, ox.NamedNode):
                for quad in self._quads(subject_quad.subject, None, None, _DERIVED):
                    yield _line(quad)


def _line(quad: ox.Quad) -> str:
    return f"{quad.subject} {quad.predicate} {quad.object} ."


def newest_days(records: Iterable[MappedRecord]) -> dict[str, date]:
    """Return the newest day of each provider's datestamps in a batch."""
    newest: dict[str, date] = {}
    for record in records:
        day = record.source.datestamp_day
        if day is not None and record.source.provider is not None:
            provider = provider_iri(record.source.provider)
            newest[provider] = max(day, newest.get(provider, day))
    return newest
