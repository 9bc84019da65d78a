"""One source record as triples of its own named graph (PROV-O), and as a picklable value for the writer process."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from graph.entities import HarvestRun, Record, Source
from graph.index_entries import index_entries_of
from graph.index_rows import IndexEntries
from graph.mapping.documents import (
    Lines,
    map_document,
    map_event,
    map_notes,
    map_participations,
    map_provisions,
    map_versions,
)
from graph.mapping.operations import map_derived_texts, map_operations
from graph.patterns import DECISIVE
from graph.terms import Statement, Text, boolean, day, iri, moment, number, string, text
from graph.vocabulary import Concept
from ontology.iris import VOCAB, provider_iri, vocab_iri
from ontology.namespaces import CRM, DC, DCTERMS, PROV, RDFS, SKOS, VIG


def mapped(record: Record, about: Iterable[str]) -> tuple[list[Statement], set[str]]:
    """Return the triples of a record for its named graph, and the works whose periods must be derived again.

    The same record always gives the same triples in the same order, so that loading twice changes nothing.

    Args:
        record: the record; its named graph is ``record.source.iri``.
        about: the IRIs of its subjects (:attr:`Record.about`).

    Returns:
        The triples as terms in N-Triples, each once, and the IRIs of the works and provisions whose periods must be
        derived again.
    """
    lines = Lines()
    _source(lines, record.source, deleted=record.deleted)
    for name in about:
        lines.link(record.source.iri, CRM["P129_is_about"], name)
    if record.document is not None:
        map_document(lines, record.document, has_text=bool(record.provisions))
        map_versions(lines, record.document.name, record.versions, record.counted)
        map_provisions(lines, record, record.document.name)
        map_notes(lines, record, record.document.name.work)
        map_operations(lines, record)
        map_participations(lines, record, record.document.name)
        map_derived_texts(lines, record.document.name.work, record.derived)
    for event in record.events:
        map_event(lines, event)
    for concept in record.concepts:
        _concept(lines, concept)
    for class_, above in record.superclasses:
        lines.link(class_, RDFS["subClassOf"], above)
    if record.harvest is not None:
        lines.link(record.source.iri, CRM["P129_is_about"], record.harvest.iri)
        _harvest(lines, record.harvest)
    return lines.done(), lines.touched


def _source(lines: Lines, source: Source, *, deleted: bool) -> None:
    """Map the record itself (PROV-O): its provider, and the hash of the data from which it was read."""
    lines.a(source.iri, PROV["Entity"], VIG["RegistroFonte"])
    lines.add(source.iri, VIG["hashConteudo"], string(source.payload_hash))
    lines.add(source.iri, VIG["carregador"], string(source.loader))
    lines.add_if_present(source.iri, DCTERMS["identifier"], source.identifier, string)
    lines.add_if_present(source.iri, VIG["datestamp"], source.datestamp, string)
    lines.add_if_present(source.iri, VIG["origem"], source.origin, string)
    lines.add_if_present(source.iri, VIG["curador"], source.curator, string)
    lines.add_if_present(source.iri, RDFS["comment"], source.note, string)
    lines.add_if_present(source.iri, DC["source"], source.cited, string)
    if source.wording_dates:
        lines.add(source.iri, VIG["datasDeRedacao"], boolean(True))
    if source.doubtful_stamp:
        lines.add(source.iri, VIG["datestampDuvidoso"], boolean(True))
    if source.provider is not None:
        lines.link(source.iri, PROV["wasAttributedTo"], provider_iri(source.provider))
    if source.run is not None:
        lines.link(source.iri, PROV["wasGeneratedBy"], source.run)
    lines.add_if_present(source.iri, PROV["generatedAtTime"], source.fetched, moment)
    lines.add_if_present(source.iri, VIG["obtidoEm"], source.fetched_on, day)
    if deleted:
        _tombstone(lines, source)


def _tombstone(lines: Lines, source: Source) -> None:
    """Map a deleted record (OAI-PMH 2.0, section 2.5.1), with the civil date of deletion, if one is known."""
    lines.add(source.iri, VIG["lapide"], boolean(True))
    if source.missing_since is not None:
        lines.add(source.iri, VIG["ausenteDesde"], day(source.missing_since))
    else:
        lines.add_if_present(source.iri, VIG["retiradoEm"], source.datestamp_day, day)


def _harvest(lines: Lines, run: HarvestRun) -> None:
    """Map a harvest run (PROV-O): its provider, request and time, and the counts of its records."""
    lines.a(run.iri, PROV["Activity"], VIG["Colheita"])
    lines.link(run.iri, PROV["wasAssociatedWith"], provider_iri(run.provider))
    lines.add(run.iri, PROV["startedAtTime"], moment(run.started))
    lines.add_if_present(run.iri, PROV["endedAtTime"], run.ended, moment)
    lines.add_if_present(run.iri, VIG["conjunto"], run.set, string)
    lines.add_if_present(run.iri, VIG["pedidoDesde"], run.since, string)
    lines.add_if_present(run.iri, VIG["pedidoAte"], run.until, string)
    for term, count in (
        ("carregados", run.loaded),
        ("inalterados", run.unchanged),
        ("retirados", run.deleted),
        ("recusados", run.refused),
    ):
        lines.add(run.iri, VIG[term], number(count))


def _concept(lines: Lines, concept: Concept) -> None:
    """Map a value of a controlled vocabulary (LexML part 6, section 4: in SKOS)."""
    node = vocab_iri(concept.scheme.value, concept.notation)
    scheme = VOCAB + concept.scheme.value
    lines.a(scheme, SKOS["ConceptScheme"])
    lines.a(node, SKOS["Concept"])
    lines.add(node, SKOS["notation"], string(concept.notation))
    lines.add(node, SKOS["prefLabel"], text(Text(concept.label, "pt-BR")))
    if concept.label_en is not None:
        lines.add(node, SKOS["prefLabel"], text(Text(concept.label_en, "en")))
    lines.add(node, SKOS["altLabel"], *(text(Text(label, "pt-BR")) for label in concept.alternative))
    lines.link(node, SKOS["inScheme"], scheme)
    if concept.broader is not None:
        lines.link(node, SKOS["broader"], vocab_iri(concept.scheme.value, concept.broader))
    else:
        lines.link(node, SKOS["topConceptOf"], scheme)


# The mapping of one record as a value that can be sent to the process that writes.


_DECISIVE = frozenset(map(iri, DECISIVE))


@dataclass(frozen=True, slots=True)
class MappedRecord:
    """One record, ready for the store: it replaces the earlier record of the same source.

    Attributes:
        source: the source of the record; its IRI is the named graph.
        deleted: whether the record is deleted; its lines are then those of a tombstone without data of the stored
            record.
        lines: the triples as N-Triples; each line ends with a line feed.
        touched: the IRIs of the works and provisions whose periods must be derived again, sorted.
        about: the IRIs of the record's subjects.
        decisive: the triples that decide periods, as terms in N-Triples; empty if the record affects no periods.
        deviations: the codes of the deviations of its document's name.
        entries: the entries of the index of names.
    """

    source: Source
    deleted: bool
    lines: str
    touched: tuple[str, ...] = ()
    decisive: tuple[Statement, ...] = ()
    about: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    entries: IndexEntries = field(default_factory=IndexEntries)

    def __reduce__(self) -> tuple[type[MappedRecord], tuple[object, ...]]:
        """Pickle by position: the default of dataclasses takes three times as long."""
        content = (self.lines, self.touched, self.decisive, self.about, self.deviations, self.entries)
        return MappedRecord, (self.source, self.deleted, *content)

    @property
    def graph(self) -> str:
        """Return the IRI of the record's named graph."""
        return self.source.iri


#: A record on its way to the store, which maps it only if it writes it.
Arriving: TypeAlias = Record | MappedRecord


def placed(record: Arriving, graph: str) -> Arriving:
    """Return the same record in another named graph."""
    source = replace(record.source, iri=graph)
    if isinstance(record, Record):
        return replace(record, source=source)
    before, now = iri(record.graph), iri(graph)
    lines = re.sub(f"^{re.escape(before)} ", lambda _: f"{now} ", record.lines, flags=re.MULTILINE)
    decisive = tuple((now if node == before else node, kind, term) for node, kind, term in record.decisive)
    return replace(record, source=source, lines=lines, decisive=decisive)


def map_record(record: Arriving) -> MappedRecord:
    """Return the mapping of one record, unless it is mapped. The lines of the same record are always the same."""
    if isinstance(record, MappedRecord):
        return record
    about = record.about
    stated, touched = mapped(record, about)
    return MappedRecord(
        record.source,
        record.deleted,
        "".join([f"{subject} {predicate} {term} .\n" for subject, predicate, term in stated]),
        tuple(sorted(touched)),
        tuple(statement for statement in stated if statement[1] in _DECISIVE),
        about,
        record.deviations,
        index_entries_of(record.source.iri, stated),
    )
