"""OAI-PMH responses and bare ``oai_lexml`` records (OAI-PMH 2.0; LexML part 4)."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import IDENTITY_REFUSALS
from loaders.outcomes import Outcome
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.oai_lexml.reader import KIND, LOADER, ROOTS, read_oai_lexml, record_iri
from loaders.xml import XML_REFUSALS

__all__ = ["KIND", "LOADER", "OAI_LEXML", "read_oai_lexml", "record_iri"]


def _detect(head: Head) -> Match:
    """Certain of the envelope; likely, of ``LexML`` by itself and of XML that is damaged before its root element."""
    if not head.is_markup or head.is_html:
        return Match.NONE
    if head.prolog is None or head.prolog.root == "LexML":
        return Match.LIKELY
    return Match.CERTAIN if head.prolog.root in ROOTS else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    return read_oai_lexml(document, provider=options.provider)


OAI_LEXML = SourceFormat(
    name=KIND,
    title="an OAI-PMH response, or one oai_lexml record (LexML part 4)",
    recognised="the root element `OAI-PMH`, `LexML` or `record`",
    documentation="""\
Defined by LexML part 4, sections 3.2 to 3.4. Both generations of the schema are read, in the namespaces
`http://www.lexml.gov.br/oai_lexml`, `http://www.lexml.gov.br/` and that of the response, in any order of elements.
`xml:lang` is `pt-br` where it is absent. A record is known by its OAI identifier: the next harvest replaces it, a
deletion leaves a tombstone ([The graph](graph.md#records-harvests-and-tombstones)), and answers about its norm say
who withdrew it and when. A record without an envelope is known by its content. Equal content, status and datestamp
mean that nothing has changed. A datestamp more than a day ahead of the reading is kept, told (`future-datestamp`),
and says nothing: it moves no horizon, dates no deletion and makes nothing older, until the provider gives the
record another one.

What two providers say of one norm stands side by side, a graph for each record. Where they date one publication,
amendment or event differently the answers name both (`sources-contradict`).""",
    detect=_detect,
    read=_read,
    refusals=(
        *XML_REFUSALS,
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_IDENTIFIER,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.NO_IDENTIFIER,
        RefusalCode.NO_METADATA,
        RefusalCode.NOT_OAI_LEXML,
        RefusalCode.SEVERAL_DOCUMENTS,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.WRONG_NAMESPACE,
    ),
    notes=(
        NoteCode.BAD_DATESTAMP,
        NoteCode.BAD_LANGUAGE,
        NoteCode.BAD_PAGE_COUNT,
        NoteCode.BAD_URL,
        NoteCode.DELETED_WITH_METADATA,
        NoteCode.FUTURE_DATESTAMP,
        NoteCode.ITEM_WITHOUT_URL,
        NoteCode.MORE_NOTES,
        NoteCode.NO_RECORDS,
        NoteCode.NOT_USED,
        NoteCode.OAI_ERROR,
        NoteCode.RELATION_REFUSED,
        NoteCode.UNKNOWN_ITEM_TYPE,
        NoteCode.UNKNOWN_STATUS,
        NoteCode.UNREAD_ELEMENT,
    ),
)
