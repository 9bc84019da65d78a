"""Lookups by pattern over all graphs of a store, for the derivation and for the works that a record affects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date
from itertools import chain
from typing import Protocol

import pyoxigraph as ox

from graph.civil import leading_day
from graph.terms import Cell, read
from graph.time.acts import name_of_year
from graph.time.statements import CAPUT, is_provision
from ontology.namespaces import CRM, ELI, FRBROO, PROV, VIG

HAS_MEMBER = ox.NamedNode(FRBROO["R10_has_member"])
TARGET = ox.NamedNode(VIG["alvo"])
CAUSE = ox.NamedNode(VIG["causadoPor"])
COMPONENT_OF = ox.NamedNode(VIG["componenteDe"])
_WITHIN = ox.NamedNode(VIG["contidoEm"])
OWN_LIFE = ox.NamedNode(VIG["vidaPropriaEm"])
PROVISION_OF = ox.NamedNode(VIG["dispositivoDe"])
PERIOD_OF = ox.NamedNode(VIG["periodoDe"])
_PERIOD_IN = ox.NamedNode(VIG["periodoNaNorma"])
_HORIZON = ox.NamedNode(VIG["horizonte"])
NUMBER = ox.NamedNode(VIG["numero"])
_DATESTAMP = ox.NamedNode(VIG["datestamp"])
_DOUBTFUL = ox.NamedNode(VIG["datestampDuvidoso"])
_ATTRIBUTED = ox.NamedNode(PROV["wasAttributedTo"])
_FETCHES = (ox.NamedNode(PROV["generatedAtTime"]), ox.NamedNode(VIG["obtidoEm"]))

#: The relations between acts that name the acting and the changed act.
RELATIONS = tuple(
    map(
        ox.NamedNode,
        (
            ELI["amends"],
            ELI["repeals"],
            *map(
                VIG.__getitem__, ("revogaDispositivo", "declaraInconstitucional", "declaraInconstitucionalDispositivo")
            ),
        ),
    )
)
#: The predicates for the time and the provider of a record.
STAMPS = frozenset(node.value for node in (_DATESTAMP, _DOUBTFUL, _ATTRIBUTED, *_FETCHES))
#: The predicates of statements that decide periods.
DECISIVE = frozenset(
    {
        *(node.value for node in (HAS_MEMBER, TARGET, CAUSE, COMPONENT_OF, _WITHIN, OWN_LIFE, NUMBER, *RELATIONS)),
        *STAMPS,
        *(CRM["P2_has_type"], FRBROO["R16_initiated"], FRBROO["R19_created_a_realisation_of"]),
        *map(
            VIG.__getitem__, ("dataEfeito", "dataConhecimento", "dataVersao", "dataVisao", "ordemVisao", "eventoVisao")
        ),
        *map(VIG.__getitem__, ("insercao", "cancelaVersao", "dispositivoDe", "desfazEfeitos", "restauraRedacao")),
        VIG["contagem"],
    }
)
#: The maximum number of containers of a provision that are read: contradictory sources may form cycles.
_DEEPEST = 64
#: The maximum depth of causes of causes (docs/explanation/time.md, rule F9).
_LONGEST_CHAIN = 16


class Quads(Protocol):
    """A source of quads with lookup by pattern."""

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | None,
        predicate: ox.NamedNode | None,
        object: ox.NamedNode | ox.Literal | None,  # noqa: A002 - as the engine calls it
        graph_name: ox.NamedNode | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Yield each quad with these terms; None matches any term."""
        ...


class Patterns:
    """Reads works by lookups of patterns over all graphs.

    Args:
        quads: stored quads, alone or with those about to be written.
    """

    def __init__(self, quads: Quads) -> None:
        self._quads = quads.quads_for_pattern

    def objects(self, subject: str, predicate: ox.NamedNode) -> Iterator[Cell]:
        """Yield the objects of a subject and predicate; each once for each graph that states it."""
        for quad in self._quads(ox.NamedNode(subject), predicate, None, None):
            yield read(quad.object)

    def facts(self, subject: str) -> dict[str, list[Cell]]:
        """Return all values of a node by the IRI of the predicate, in one lookup; for nodes with few triples."""
        values: dict[str, list[Cell]] = {}
        for quad in self._quads(ox.NamedNode(subject), None, None, None):
            values.setdefault(quad.predicate.value, []).append(read(quad.object))
        return values

    def links(self, subject: str, predicate: ox.NamedNode) -> list[str]:
        """Return the distinct IRIs to which the subject refers, sorted."""
        quads = self._quads(ox.NamedNode(subject), predicate, None, None)
        return sorted({quad.object.value for quad in quads if isinstance(quad.object, ox.NamedNode)})

    def sources(self, predicate: ox.NamedNode, target: str) -> list[str]:
        """Return the distinct IRIs that refer to the target, sorted."""
        quads = self._quads(None, predicate, ox.NamedNode(target), None)
        return sorted({quad.subject.value for quad in quads if isinstance(quad.subject, ox.NamedNode)})

    def numbered(self, number: str) -> list[str]:
        """Return the distinct IRIs of the works that have this number, sorted."""
        quads = self._quads(None, NUMBER, ox.Literal(number), None)
        return sorted({quad.subject.value for quad in quads if isinstance(quad.subject, ox.NamedNode)})

    def subjects_in(self, predicate: ox.NamedNode, graph: ox.NamedNode | None) -> Iterator[str]:
        """Yield the subjects of a predicate in one graph; for None, in all."""
        for quad in self._quads(None, predicate, None, graph):
            if isinstance(quad.subject, ox.NamedNode):
                yield quad.subject.value

    def objects_in(self, predicate: ox.NamedNode, graph: ox.NamedNode | None) -> Iterator[str]:
        """Yield the IRIs that are objects of a predicate in one graph; for None, in all."""
        for quad in self._quads(None, predicate, None, graph):
            if isinstance(quad.object, ox.NamedNode):
                yield quad.object.value

    def members_in(self, graph: str) -> Iterator[tuple[str, str]]:
        """Yield the works of a record's graph, each with one of its versions, as IRIs."""
        for quad in self._quads(None, HAS_MEMBER, None, ox.NamedNode(graph)):
            if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode):
                yield quad.subject.value, quad.object.value

    def first_harvest(self, subject: str, predicate: ox.NamedNode, value: str) -> date | None:
        """Return the oldest datestamp of the records that state a link, or None: by that day the link was known."""
        days = (stamped for record in self._records(subject, predicate, value) for stamped in self._stamped(record))
        return min(days, default=None)

    def first_proof(self, subject: str, predicate: ox.NamedNode, value: str) -> date | None:
        """Return the oldest datestamp or day of fetch of the records that state a link; None if they state none."""
        records = self._records(subject, predicate, value)
        return min(
            (day for record in records for day in (*self._stamped(record), *self._fetched(record))), default=None
        )

    def _records(self, subject: str, predicate: ox.NamedNode, value: str) -> Iterator[str]:
        """Yield the records that state a link."""
        for quad in self._quads(ox.NamedNode(subject), predicate, ox.NamedNode(value), None):
            if isinstance(quad.graph_name, ox.NamedNode):
                yield quad.graph_name.value

    def day_of_fetch(self, record: str) -> date | None:
        """Return the day on which a record was fetched; None if it states none."""
        return min(self._fetched(record), default=None)

    def _fetched(self, record: str) -> Iterator[date]:
        cells = (str(cell) for predicate in _FETCHES for cell in self.objects(record, predicate))
        yield from (day for day in map(leading_day, cells) if day is not None)

    def _stamped(self, record: str) -> Iterator[date]:
        """Yield the day of a record's datestamp, unless it is later than the record's day of fetch."""
        days = [leading_day(str(cell)) for cell in self.objects(record, _DATESTAMP)]
        if any(days) and not any(True for _ in self.objects(record, _DOUBTFUL)):
            yield from (stamped for stamped in days if stamped is not None)

    def horizon(self, provider: str) -> date | None:
        """Return the derived day up to which a provider was harvested; None if there is none."""
        return next((day for day in self.objects(provider, _HORIZON) if isinstance(day, date)), None)

    def stamp(self, record: str) -> Iterator[tuple[str, date]]:
        """Yield provider and day of a record's datestamp, if it has both and the day is not doubtful."""
        for stamped in self._stamped(record):
            yield from ((provider, stamped) for provider in self.links(record, _ATTRIBUTED))

    def horizons(self) -> dict[str, date]:
        """Return the newest datestamp of each provider, over all records."""
        newest: dict[str, date] = {}
        for quad in self._quads(None, _DATESTAMP, None, None):
            if isinstance(quad.subject, ox.NamedNode):
                for provider, stamped in self.stamp(quad.subject.value):
                    newest[provider] = max(stamped, newest.get(provider, stamped))
        return newest

    def newest(self, provider: str, datestamps: Iterable[str], without: Collection[str], after: date) -> date | None:
        """Return the newest day of a provider's datestamps. Records with earlier datestamps are not read.

        Args:
            provider: its IRI.
            datestamps: the distinct datestamps of all records.
            without: records to ignore.
            after: only days after this one count.

        Returns:
            None if there is no such day.
        """
        days = (
            (day, datestamp) for datestamp in datestamps if (day := leading_day(datestamp)) is not None and day > after
        )
        for day, datestamp in sorted(days, reverse=True):
            for quad in self._quads(None, _DATESTAMP, ox.Literal(datestamp), None):
                record = quad.subject.value if isinstance(quad.subject, ox.NamedNode) else ""
                if record and record not in without and (provider, day) in self.stamp(record):
                    return day
        return None

    def works_with_history(self) -> set[str]:
        """Return all works with versions or events, and all provisions with versions or events of their own."""
        return _with_own_history(self._subjects(HAS_MEMBER), self._subjects(OWN_LIFE), self._objects(TARGET))

    def _subjects(self, predicate: ox.NamedNode) -> Iterator[str]:
        for quad in self._quads(None, predicate, None, None):
            if isinstance(quad.subject, ox.NamedNode):
                yield quad.subject.value

    def _objects(self, predicate: ox.NamedNode) -> Iterator[str]:
        for quad in self._quads(None, predicate, None, None):
            if isinstance(quad.object, ox.NamedNode):
                yield quad.object.value

    def with_dependants(self, works: Iterable[str]) -> list[str]:
        """Return these works and all works whose periods depend on them, sorted.

        They are the works with events that these works caused, directly or indirectly, the provisions and components
        that end with any of them, and the articles with events that may return with their caput.
        """
        affected = set(works)
        fresh = set(affected)
        for _ in range(_LONGEST_CHAIN):
            targets = {target for work in self._outermost(fresh) for target in self._works_changed_by(work)} - affected
            affected |= targets
            fresh = {target for target in targets if self._is_acted_on(target)}
        for work in list(affected):
            affected.update(self.sources(COMPONENT_OF, work))
        for work in list(affected):
            affected.update(self.sources(OWN_LIFE, work))
            for period in self.sources(_PERIOD_IN, work):
                affected.update(self.links(period, PERIOD_OF))
        held = [work for work in affected if is_provision(work)]
        while held:
            inside = set(self.sources(_WITHIN, held.pop())) - affected
            affected |= inside
            held.extend(inside)
        articles = {work.removesuffix(CAPUT) for work in affected if work.endswith(CAPUT)} - affected
        return sorted(affected.union(article for article in articles if any(self.sources(TARGET, article))))

    def _outermost(self, works: set[str]) -> Iterator[str]:
        """Return these works, without the provisions of the norms among them."""
        return (work for work in works if not is_provision(work) or work.partition("!")[0] not in works)

    def _works_changed_by(self, work: str) -> Iterator[str]:
        """Return the works and provisions with events caused by a norm or provision, or by a provision in it.

        An event may name the norm with only its year.
        """
        parts = self._parts_of(work) if is_provision(work) else self.sources(PROVISION_OF, work)
        causes = {work, *parts}
        if (year := name_of_year(work)) is not None:
            causes |= {year, *self.sources(PROVISION_OF, year)} if not is_provision(work) else set()
            causes |= {f"{year}!{cause.partition('!')[2]}" for cause in causes if is_provision(cause)}
        for cause in sorted(causes):
            for event in self.sources(CAUSE, cause):
                yield from self.links(event, TARGET)

    def _parts_of(self, provision: str) -> set[str]:
        parts: set[str] = set()
        left = [provision]
        while left:
            inside = set(self.sources(_WITHIN, left.pop())) - parts
            parts |= inside
            left.extend(inside)
        return parts

    def _is_acted_on(self, work: str) -> bool:
        """Return whether another norm or a judgment acts on a work, so that the changes it caused may fall."""
        return any(self.links(event, CAUSE) for event in self.sources(TARGET, work))

    def holders(self, provision: str) -> list[str]:
        """Return the distinct provisions that contain a provision, the nearest first."""
        containers: list[str] = []
        level = self.links(provision, _WITHIN)
        while level and len(containers) < _DEEPEST:
            containers.extend(level)
            above = dict.fromkeys(holder for inner in level for holder in self.links(inner, _WITHIN))
            level = [holder for holder in above if holder not in containers and holder != provision]
        return containers


def affected_works(patterns: Patterns, graph: ox.NamedNode) -> set[str]:
    """Return the works whose periods may depend on a record's graph.

    They are the works whose versions or events the record states, and the parts of documents that it names. Provisions
    are included only if they have their own versions or events.
    """
    living = chain(patterns.subjects_in(OWN_LIFE, graph), patterns.subjects_in(COMPONENT_OF, graph))
    return _with_own_history(patterns.subjects_in(HAS_MEMBER, graph), living, patterns.objects_in(TARGET, graph))


def _with_own_history(members: Iterable[str], living: Iterable[str], targets: Iterable[str]) -> set[str]:
    """Return the works, and those provisions that have versions or events besides the first text."""
    return _names_of_lex_namespace({*(work for work in members if not is_provision(work)), *living, *targets})


def _names_of_lex_namespace(works: Iterable[str]) -> set[str]:
    """Return the names of the ``lex`` namespace, without others, such as the series of a gazette."""
    return {work for work in works if work.startswith("urn:lex:")}
