"""Outcomes of a loader: records, refusals and notes; and the refusal of a whole file."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from typing import TypeAlias, overload

from graph.entities import Record
from graph.errors import BadRecord
from graph.mapping import MappedRecord, map_record
from graph.quarantine import MAX_PAYLOAD, Refusal
from loaders.codes import Code, RefusalCode
from loaders.documents import SourceDocument
from loaders.xml import BadXml

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Note:
    """Information about a file or a record that was loaded nevertheless.

    Attributes:
        code: one of :class:`loaders.codes.NoteCode`, or of the codes of the format.
        message: one sentence with the value as the source wrote it.
        origin: the label of the file.
        position: the position in the file, e.g. ``"record 12"``.
        identifier: the record's identifier at its provider, or the name as written.
        count: the number of values of the source that the note covers.
        dropped: whether content that the format of the source defines was not loaded. The load is then not complete.
    """

    code: Code
    message: str
    origin: str
    position: str
    identifier: str | None = None
    count: int = 1
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """The contribution of one document to a record that several documents make together.

    Attributes:
        kind: the name of the format, whose ``join`` makes the record.
        origin: the label of the document.
        content: a value of the format that can be pickled.
        fetched: the stated day of fetch of the document; None if nothing states it.
    """

    kind: str
    origin: str
    content: object
    fetched: date | None = None


#: The members of the stream of a loader.
Outcome: TypeAlias = Record | Refusal | Note | Part
#: The same, with mapped records in place of some or all records.
MappedOutcome: TypeAlias = Outcome | MappedRecord


@overload
def with_day_of_fetch(outcome: Record, fetched: date) -> Record: ...
@overload
def with_day_of_fetch(outcome: Outcome, fetched: date) -> Outcome: ...
def with_day_of_fetch(outcome: Outcome, fetched: date) -> Outcome:
    """Return an outcome with the stated day of fetch of its document, unless the document itself states one.

    A day before that of the norm cannot be right, and is not used.
    """
    if isinstance(outcome, Record):
        oldest = outcome.document.name.oldest_day if outcome.document is not None else None
        undated = outcome.source.day_of_fetch is None and (oldest is None or fetched >= oldest)
        return replace(outcome, source=replace(outcome.source, fetched_on=fetched)) if undated else outcome
    if isinstance(outcome, Refusal | Part) and outcome.fetched is None:
        return replace(outcome, fetched=fetched)
    return outcome


def mapped_outcome(outcome: MappedOutcome) -> MappedOutcome:
    """Return the outcome, if it is a record in its mapped form."""
    return map_record(outcome) if isinstance(outcome, Record) else outcome


def refuse_file(
    document: SourceDocument,
    error: BadRecord | OSError,
    *,
    kind: str,
    provider: str | None = None,
    form: str | None = None,
    column: str | None = None,
) -> Refusal:
    """Return the refusal of a whole document, with its bytes read again from the beginning.

    At most :data:`graph.quarantine.MAX_PAYLOAD` bytes are stored. For a longer file the hash of the whole is stored
    too, if all of it can be read.
    """
    if isinstance(error, OSError):
        error = BadRecord(
            RefusalCode.UNREADABLE, f"it cannot be read: {error.strerror or error}", "a file that can be read"
        )
    payload = bytearray()
    digest = sha256()
    size = 0
    complete = True
    try:
        with closing(document.open()) as stream:
            while chunk := stream.read(_CHUNK):
                size += len(chunk)
                digest.update(chunk)
                payload += chunk[: MAX_PAYLOAD - len(payload)]
    except (BadRecord, OSError):
        complete = False
    return Refusal(
        origin=document.label,
        position=error.position if isinstance(error, BadXml) else "whole file",
        identifier=None,
        code=error.code,
        problem=error.problem,
        expected=error.expected,
        kind=kind,
        payload=bytes(payload),
        provider=provider,
        form=form,
        column=column,
        truncated=not complete or size > MAX_PAYLOAD,
        whole_sha256=digest.hexdigest() if complete and size > MAX_PAYLOAD else None,
    )
