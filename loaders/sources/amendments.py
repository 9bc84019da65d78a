"""Amending acts: the operations that they make on other norms, without the act's own text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from graph.amendments import Amendments, Operation, RefusalReason
from graph.entities import Document, Record, Source
from graph.errors import BadRecord
from graph.urn import Name
from loaders.amendments import amendments_of_each
from loaders.articulated.lines import MAX_MIB
from loaders.codes import Code, RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import REFUSALS_OF_MARKUP, Head, Match, ReadOptions, SourceFormat
from loaders.xml import bounded
from ontology.iris import hashed_iri

KIND = "amendments"
LOADER = "amendments/3"

_MOST_EACH = 40


class AmendmentCode(Code):
    """Notes on an amending act."""

    NOT_UNDERSTOOD = "not-understood"
    REFUSED_OPERATIONS = "refused-operations"
    UNDATED_OPERATIONS = "undated-operations"


def _detect(_: Head) -> Match:
    """Return that no document is of this format: the text of an act is loaded whole, and acts."""
    return Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    try:
        raw = document.whole(MAX_MIB)
        readings = amendments_of_each(raw, document.file_name, None, options.origin)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)
        return
    known: set[Name] = set()
    for reading in readings:
        try:
            act = _act(reading, known)
        except BadRecord as error:
            yield refuse_file(document, error, kind=KIND)
        else:
            yield from _outcomes(document, raw, act, reading)


def _outcomes(document: SourceDocument, raw: bytes, act: Name, reading: Amendments) -> Iterator[Outcome]:
    """Yield the record of an act, after notes on what is not understood, refused or undated."""
    for skipped in reading.left[:_MOST_EACH]:
        message = f"line {skipped.line}: {skipped.text[:160]} ({skipped.code})"
        yield Note(
            AmendmentCode.NOT_UNDERSTOOD, message, document.label, f"line {skipped.line}", act.canonical, dropped=True
        )
    more = len(reading.left) - _MOST_EACH
    if more > 0:
        message = f"{more} more lines"
        yield Note(AmendmentCode.NOT_UNDERSTOOD, message, document.label, "document", act.canonical, more, dropped=True)
    digest = sha256(raw).hexdigest()
    source = Source(hashed_iri(KIND, act.canonical), KIND, digest, LOADER, origin=document.file_name)
    record = Record(
        source, Document(act), operations=(*reading.operations, *reading.doubts), unread_orders=len(reading.left)
    )
    yield from _notes_on_operations(reading.operations, act, document.label)
    yield record


def notes_on_operations(record: Record, label: str) -> Iterator[Note]:
    """Yield notes on the orders of an act's text that were not understood, are refused, or have no day."""
    if record.document is None:
        return
    act, unread = record.document.name.work, record.unread_orders
    if unread:
        message = f"{unread} orders on other norms; `vigente amendments` lists them"
        yield Note(AmendmentCode.NOT_UNDERSTOOD, message, label, "document", act.canonical, unread, dropped=True)
    yield from _notes_on_operations(record.operations, act, label)


def _notes_on_operations(operations: Sequence[Operation], act: Name, label: str) -> Iterator[Note]:
    operations = [each for each in operations if each.refused is not RefusalReason.NOT_UNDERSTOOD]
    refused = [each for each in operations if each.refused not in {None, RefusalReason.VETOED}]
    if refused:
        targets = "; ".join(f"{each.target.canonical} ({each.refused})" for each in refused[:_MOST_EACH])
        yield Note(AmendmentCode.REFUSED_OPERATIONS, targets, label, "document", act.canonical, len(refused))
    undated = sum(operation.effect is None for operation in operations)
    if undated:
        message = f"{undated} of {len(operations)} operations"
        yield Note(AmendmentCode.UNDATED_OPERATIONS, message, label, "document", act.canonical, undated)


def _act(reading: Amendments, known: set[Name]) -> Name:
    """Return the act's name, which is added to those of the same file, after checking the length of the texts.

    Raises:
        BadRecord: the act does not state its name, or the file has it again, or a text is too long.
    """
    if reading.act is None:
        problem = "the act does not state its name"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, "an amending act whose title spells type, number and day")
    for operation in reading.operations:
        bounded(operation.text or "")
    if reading.act.work in known:
        problem = f"the file has {reading.act.work.canonical} a second time"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, "one text of an act in a file")
    known.add(reading.act.work)
    return reading.act.work


AMENDMENTS = SourceFormat(
    name=KIND,
    title="an amending act: the operations that it orders on other norms",
    detect=_detect,
    read=_read,
    refusals=(*REFUSALS_OF_MARKUP, RefusalCode.NO_TEXT),
    notes=tuple(AmendmentCode),
)
