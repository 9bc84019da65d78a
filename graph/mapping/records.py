"""One source record as triples of a named graph of its own (PROV-O), and the values of vocabularies."""

from __future__ import annotations

from graph.entities import Record, Source, Text
from graph.mapping.documents import map_document, map_versions
from graph.mapping.events import map_event
from graph.mapping.lines import Lines
from graph.mapping.provisions import map_provisions
from graph.terms import boolean, string, text
from graph.vocabulary import Concept
from ontology.iris import VOCAB, provider_iri, vocab_iri
from ontology.namespaces import DC, DCTERMS, PROV, RDFS, SKOS, VIG

__all__ = ["mapped"]


def mapped(record: Record) -> tuple[list[str], set[str]]:
    """What one record says, as N-Triples lines for the named graph ``record.source.iri``, and whose life it touches.

    The same record always gives the same lines, so that loading twice changes nothing.

    Returns:
        The lines, and the IRIs of the works and provisions whose periods have to be derived anew.
    """
    lines = Lines()
    _source(lines, record.source, deleted=record.deleted)
    if record.document is not None:
        map_document(lines, record.document, has_text=bool(record.provisions))
        map_versions(lines, record.document.name, record.versions)
        map_provisions(lines, record, record.document.name)
    for event in record.events:
        map_event(lines, event)
    for concept in record.concepts:
        _concept(lines, concept)
    return lines.done(), lines.touched


def _source(lines: Lines, source: Source, *, deleted: bool) -> None:
    """The record itself (PROV-O): whose it is, and from what bytes it was read."""
    lines.a(source.iri, PROV["Entity"], VIG["RegistroFonte"])
    lines.add(source.iri, VIG["hashConteudo"], string(source.payload_hash))
    lines.add(source.iri, VIG["carregador"], string(source.loader))
    lines.maybe(source.iri, DCTERMS["identifier"], source.identifier, string)
    lines.maybe(source.iri, VIG["datestamp"], source.datestamp, string)
    lines.maybe(source.iri, VIG["origem"], source.origin, string)
    lines.maybe(source.iri, VIG["curador"], source.curator, string)
    lines.maybe(source.iri, RDFS["comment"], source.note, string)
    lines.maybe(source.iri, DC["source"], source.cited, string)
    if source.wording_dates:
        lines.add(source.iri, VIG["datasDeRedacao"], boolean(True))
    if deleted:
        lines.add(source.iri, VIG["lapide"], boolean(True))
    if source.provider is not None:
        lines.link(source.iri, PROV["wasAttributedTo"], provider_iri(source.provider))


def _concept(lines: Lines, concept: Concept) -> None:
    """A value of a controlled vocabulary (LexML part 6, section 4: in SKOS)."""
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
