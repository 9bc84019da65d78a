"""What a loader says of its input: records, refusals and notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from graph.entities import Record
from graph.mapping import Mapped, map_record
from graph.quarantine import Refusal
from loaders.codes import NoteCode

__all__ = ["MappedOutcome", "Note", "Outcome", "mapped_outcome"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader of the summary should know of a file or of a record that was loaded all the same.

    Attributes:
        code: one of :class:`loaders.codes.NoteCode`.
        message: one sentence with the value as the source wrote it.
        origin: the label of the file.
        position: where in the file, e.g. ``"record 12"``.
        identifier: the record's identifier at its provider, or the name as written.
    """

    code: NoteCode
    message: str
    origin: str
    position: str
    identifier: str | None = None


#: What the stream of a loader consists of.
Outcome: TypeAlias = Record | Refusal | Note
#: The same with what the mapping says in place of each record.
MappedOutcome: TypeAlias = Mapped | Refusal | Note


def mapped_outcome(outcome: Outcome) -> MappedOutcome:
    """The outcome as the store takes it."""
    return map_record(outcome) if isinstance(outcome, Record) else outcome
