"""Amending acts: the operations that they make on other norms, without the act's own text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from graph.amendments import Amendments, RefusalReason
from graph.entities import Document, Record, Source
from graph.errors import BadRecord
from graph.urn import Name
from loaders.amendments import amendments_of
from loaders.articulated.lines import MAX_MIB
from loaders.codes import Code, RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.xml import bounded
from ontology.iris import hashed_iri

KIND = "amendments"
LOADER = "amendments/3"

_EPIGRAPH = re.compile(
    r"[\s#]*(?:EMENDA CONSTITUCIONAL|EMENDA [ÀA] LEI ORG[ÂA]NICA[^\n]{0,120}?|LEI(?: COMPLEMENTAR| DELEGADA)?"
    r"|DECRETO(?:-LEI)?|MEDIDA PROVISÓRIA) N(?:º|°|o|\.)? ?[0-9.]+,? DE [0-9]",
    re.IGNORECASE,
)
_MOST_EACH = 40
_LONGEST_TITLE = 600


class AmendmentCode(Code):
    """Notes on an amending act."""

    NOT_UNDERSTOOD = "not-understood"
    REFUSED_OPERATIONS = "refused-operations"
    UNDATED_OPERATIONS = "undated-operations"


def _detect(head: Head) -> Match:
    return Match.CERTAIN if _EPIGRAPH.match(head.text[:_LONGEST_TITLE].decode(errors="replace")) else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    try:
        raw = document.whole(MAX_MIB)
        act, reading = _act_and_operations(amendments_of(raw, document.file_name, None, options.origin))
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)
        return
    for skipped in reading.left[:_MOST_EACH]:
        message = f"line {skipped.line}: {skipped.text[:160]} ({skipped.code})"
        yield Note(
            AmendmentCode.NOT_UNDERSTOOD, message, document.label, f"line {skipped.line}", act.canonical, dropped=True
        )
    more = len(reading.left) - _MOST_EACH
    if more > 0:
        message = f"{more} more lines"
        yield Note(AmendmentCode.NOT_UNDERSTOOD, message, document.label, "document", act.canonical, more, dropped=True)
    refused = [each for each in reading.operations if each.refused not in {None, RefusalReason.VETOED}]
    if refused:
        targets = (f"{each.target.canonical} ({each.refused})" for each in refused[:_MOST_EACH])
        yield Note(
            AmendmentCode.REFUSED_OPERATIONS,
            "; ".join(targets),
            document.label,
            "document",
            act.canonical,
            len(refused),
        )
    undated = sum(operation.effect is None for operation in reading.operations)
    if undated:
        message = f"{undated} of {len(reading.operations)} operations"
        yield Note(AmendmentCode.UNDATED_OPERATIONS, message, document.label, "document", act.canonical, undated)
    digest = sha256(raw).hexdigest()
    source = Source(hashed_iri(KIND, act.canonical), KIND, digest, LOADER, origin=document.file_name)
    yield Record(
        source, Document(act), operations=(*reading.operations, *reading.doubts), unread_orders=len(reading.left)
    )


def _act_and_operations(reading: Amendments) -> tuple[Name, Amendments]:
    """Return the act's name and the result, after checking the length of the texts.

    Raises:
        BadRecord: the act does not state its name, or a text is too long.
    """
    if reading.act is None:
        problem = "the act does not state its name"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, "an amending act whose title spells type, number and day")
    for operation in reading.operations:
        bounded(operation.text or "")
    return reading.act.work, reading


AMENDMENTS = SourceFormat(
    name=KIND,
    title="an amending act: the operations that it orders on other norms",
    detect=_detect,
    read=_read,
    refusals=(
        RefusalCode.BAD_ENCODING,
        RefusalCode.EMPTY_FILE,
        RefusalCode.ILL_FORMED_XML,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.NO_TEXT,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.XML_LIMIT,
    ),
    notes=tuple(AmendmentCode),
)
