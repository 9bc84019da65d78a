"""A load under way: where records go, what has been counted, and the batch that is being filled."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from graph.mapping import Mapped
from graph.quarantine import Quarantine, Refusal
from loaders.documents import SourceDocument
from loaders.outcomes import MappedOutcome, Note, Part

#: How many notes and how many refusals a summary tells one by one; all are counted.
MAX_TOLD = 100

# How many characters of triples weigh as much as one record more: a batch is bounded by what it writes.
_CHARACTERS_A_RECORD = 12_000


class Applied(Protocol):
    """What one transaction did; the four add up to the records that were given."""

    @property
    def loaded(self) -> int:
        """Records that changed the store."""
        ...

    @property
    def unchanged(self) -> int:
        """Records that the store held already, by payload hash and loader."""
        ...

    @property
    def deleted(self) -> int:
        """Records that the source withdrew."""
        ...

    @property
    def older(self) -> int:
        """Records from files that are older than what the store holds of them, by their datestamps."""
        ...


class Sink(Protocol):
    """Where records go: the store."""

    def put(self, mapped: Sequence[Mapped], /) -> Applied:
        """Replace what the sources of these records said before, in order, all or none."""
        ...


@dataclass(frozen=True, slots=True)
class Summary:
    """What a load did. ``read == loaded + unchanged + deleted + older + refused.total()`` always holds.

    Attributes:
        files: documents that were opened, a member of an archive counting as one.
        read: records that were settled, and files that were refused whole or in part.
        loaded, unchanged, deleted, older: as the store counted them.
        refused: how many were refused, by code.
        deviations: how many deviations the names of the given records had, by code.
        note_counts: how many things of the sources the notes are about, by code.
        noted: how many notes there were.
        dropped: how much of what the formats of the sources define was not loaded
            (:attr:`loaders.outcomes.Note.dropped`).
        notes: the first notes, at most :data:`MAX_TOLD`.
        refusals: the first refusals, at most :data:`MAX_TOLD`, without their payloads.
        seconds: how long it took.
    """

    files: int = 0
    read: int = 0
    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    older: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    deviations: Counter[str] = field(default_factory=Counter)
    note_counts: Counter[str] = field(default_factory=Counter)
    noted: int = 0
    dropped: int = 0
    notes: tuple[Note, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    seconds: float = 0.0

    @property
    def notes_omitted(self) -> int:
        """How many notes are counted and not in :attr:`notes`."""
        return self.noted - len(self.notes)

    @property
    def complete(self) -> bool:
        """Whether nothing was refused, and no content that the format of a source defines was dropped."""
        return not self.refused and not self.dropped

    @property
    def refusals_omitted(self) -> int:
        """How many refusals are counted and not in :attr:`refusals`."""
        return self.refused.total() - len(self.refusals)


Outcomes: TypeAlias = Generator[MappedOutcome, None, None]


class LoadInterrupted(KeyboardInterrupt):
    """The user stopped a load: the finished batches are in the store, the others are not.

    Attributes:
        summary: what was done until then.
    """

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        super().__init__(f"interrupted after {summary.read} records")


class Run:
    """One load under way: the batch being filled, and the counts.

    A record leaves the quarantine when the store has it.

    Args:
        batch_size: what a batch weighs.
        clearing: whether what is loaded leaves the quarantine.
    """

    def __init__(
        self,
        sink: Sink,
        quarantine: Quarantine,
        batch_size: int,
        on_progress: Callable[[Summary], None] | None,
        *,
        clearing: bool = True,
    ) -> None:
        self.files = 0
        self._clearing = clearing
        self._sink = sink
        self._quarantine = quarantine
        self._batch_size = batch_size
        self._on_progress = on_progress
        self._batch: list[Mapped] = []
        self._weight = 0
        self._in_batch: set[str] = set()
        self._sums = Counter[str]()
        self._refused = Counter[str]()
        self._deviations = Counter[str]()
        self._note_counts = Counter[str]()
        self._noted = 0
        self._notes: list[Note] = []
        self._refusals: list[Refusal] = []
        self._began = time.monotonic()

    @property
    def waiting(self) -> int:
        """The weight of what waits for the next batch."""
        return self._weight

    def take(self, outcome: MappedOutcome | SourceDocument) -> None:
        """Count a document that was opened, or take up what became of one."""
        if isinstance(outcome, SourceDocument):
            self.files += 1
        elif isinstance(outcome, Refusal):
            # A good record before a bad one of the same identifier must not clear the bad one out of quarantine.
            if outcome.identifier in self._in_batch:
                self.flush()
            self._quarantine.put(outcome)
            self._refused[str(outcome.code)] += 1
            self._sums["read"] += 1
            if len(self._refusals) < MAX_TOLD:
                self._refusals.append(replace(outcome, payload=b""))
        elif isinstance(outcome, Note):
            self._note_counts[str(outcome.code)] += outcome.count
            self._noted += 1
            self._sums["dropped"] += outcome.count if outcome.dropped else 0
            if len(self._notes) < MAX_TOLD:
                self._notes.append(outcome)
        elif isinstance(outcome, Part):
            raise TypeError(f"expected the record that {outcome.origin} is a part of")
        else:
            self._batch.append(outcome)
            self._weight += weight(outcome)
            if outcome.source.identifier is not None:
                self._in_batch.add(outcome.source.identifier)
            if self._weight >= self._batch_size:
                self.flush()

    def flush(self) -> None:
        """Put the batch into the store; of it nothing stays in the quarantine."""
        batch, self._batch = self._batch, []
        self._weight = 0
        identifiers, self._in_batch = self._in_batch, set()
        if not batch:
            return
        applied = self._sink.put(batch)
        if self._clearing:
            for identifier in sorted(filter(self._quarantine.refuses, identifiers)):
                self._quarantine.clear_for(identifier)
        self._sums["read"] += len(batch)
        self._sums["loaded"] += applied.loaded
        self._sums["unchanged"] += applied.unchanged
        self._sums["deleted"] += applied.deleted
        self._sums["older"] += applied.older
        for one in batch:
            self._deviations.update(one.deviations)
        if self._on_progress is not None:
            self._on_progress(self.summary())

    def summary(self) -> Summary:
        return Summary(
            files=self.files,
            read=self._sums["read"],
            loaded=self._sums["loaded"],
            unchanged=self._sums["unchanged"],
            deleted=self._sums["deleted"],
            older=self._sums["older"],
            refused=self._refused.copy(),
            deviations=self._deviations.copy(),
            note_counts=self._note_counts.copy(),
            noted=self._noted,
            dropped=self._sums["dropped"],
            notes=tuple(self._notes),
            refusals=tuple(self._refusals),
            seconds=time.monotonic() - self._began,
        )


def weight(outcome: MappedOutcome | SourceDocument) -> int:
    """How much an outcome weighs in a batch and in memory: as many records."""
    return 1 + len(outcome.lines) // _CHARACTERS_A_RECORD if isinstance(outcome, Mapped) else 1
