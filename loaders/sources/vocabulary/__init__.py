"""Controlled vocabularies of LexML, as CSV or as SKOS (LexML part 6)."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Outcome
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.vocabulary.reader import HEADER, KIND, LOADER, built_in_record, read_vocabulary
from loaders.sources.vocabulary.skos import is_rdf, is_rdf_xml
from loaders.xml import XML_REFUSALS
from ontology.namespaces import RDF

__all__ = ["KIND", "LOADER", "VOCABULARY", "built_in_record", "read_vocabulary"]

_HEADER = HEADER.encode()


def _detect(head: Head) -> Match:
    if head.text.startswith(_HEADER):
        return Match.CERTAIN
    if is_rdf_xml(head.raw):
        found = head.prolog
        is_rdf_root = found is not None and found.root == "RDF" and RDF["type"] == f"{found.namespace}type"
        return Match.CERTAIN if is_rdf_root else Match.NONE
    if is_rdf(head.raw, "") or (is_rdf(b"", head.file_name) and head.text.startswith(b"<")):
        return Match.CERTAIN
    return Match.NAME if is_rdf(b"", head.file_name) else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    return read_vocabulary(document, form=options.form)


VOCABULARY = SourceFormat(
    name=KIND,
    title="a controlled vocabulary of LexML as CSV, or SKOS in RDF/XML or Turtle (LexML part 6)",
    recognised="the root element `rdf:RDF`; `.ttl`, or a beginning with `@prefix`; or a first line that begins "
    "with `id,about,prefLabel`; which vocabulary it is the file's name says: `localidade.csv`, "
    "`autoridade.csv`, `tipoDocumento.csv`, `tipoConteudo.csv`, `lingua.csv`, `evento.csv`",
    documentation="""\
LexML's official lists, version 1.0.1: `id,about,prefLabel,lang,altLabel,broader` and what follows. As SKOS, in
RDF/XML or Turtle of at most 64 MiB and 2,000,000 statements: `skos:prefLabel` in `pt-BR` (and `en`),
`skos:altLabel`, `skos:broader`, and `skos:notation`, else what the concept's address ends in
(`localidade#br;sao.paulo`). Which vocabulary it is the file's name says, as for CSV, else `skos:inScheme` or the
concept's address. Each row or concept becomes one SKOS concept with a graph of its own. Labels stay as they are: of
two rows with one notation both are kept, and "Canoninhas - SC" is not corrected. A row without notation or label,
or in another language, is refused by itself. Every store also gets the built-in values
([Names](names.md#vocabularies)) as one record, whose origin is `vigente`; it is not counted in the summary of a
load.""",
    detect=_detect,
    read=_read,
    refusals=(
        *XML_REFUSALS,
        RefusalCode.BAD_RDF,
        RefusalCode.BAD_ROW,
        RefusalCode.LINE_TOO_LONG,
        RefusalCode.TEXT_TOO_LONG,
    ),
    notes=(NoteCode.NOT_USED,),
)
