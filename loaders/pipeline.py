"""From paths to the store: documents, their kind, their records, in batches; what is refused goes into quarantine."""

from __future__ import annotations

import io
import re
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias

from graph.entities import Record
from graph.errors import BadRecord
from graph.quarantine import Damaged, Kept, Quarantine, Refusal
from loaders.documents import BadInput, SourceDocument, walk
from loaders.facts import read_facts
from loaders.lexml_xml import read_lexml_xml
from loaders.names import read_names
from loaders.normas import read_normas
from loaders.oai_lexml import read_oai_lexml
from loaders.outcomes import Note, NoteCode, Outcome, RefusalCode
from loaders.refusing import refuse_file
from loaders.sniff import KINDS, Sniffed, sniff
from loaders.vocabulary import read_vocabulary
from loaders.xml import read_head

__all__ = ["BATCH_SIZE", "MAX_TOLD", "Applied", "LoadInterrupted", "Sink", "Summary", "load", "retry"]

#: Records in one transaction, unless asked otherwise.
BATCH_SIZE = 200
#: How many notes and how many refusals a summary tells one by one; all are counted.
MAX_TOLD = 100

# How many provisions weigh as much as one record: a transaction is bounded by what it writes.
_PROVISIONS_A_RECORD = 5

_ALONE = re.compile(r"(?:record|line|fact) [0-9]+")


class Applied(Protocol):
    """What one transaction did; the three add up to the records that were given."""

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


class Sink(Protocol):
    """Where records go: the store."""

    def apply(self, records: Sequence[Record], /) -> Applied:
        """Replace what the sources of these records said before, in order, all in one transaction."""
        ...


@dataclass(frozen=True, slots=True)
class Summary:
    """What a load did. ``read == loaded + unchanged + deleted + refused.total()`` always holds.

    Attributes:
        files: documents that were opened, a member of an archive counting as one.
        read: records that were settled, and files that were refused whole or in part.
        loaded, unchanged, deleted: as the store counted them.
        refused: how many were refused, by code.
        deviations: how many deviations the names of the given records had, by code.
        note_counts: how many notes there were, by code.
        notes: the first notes, at most :data:`MAX_TOLD`.
        refusals: the first refusals, at most :data:`MAX_TOLD`, without their payloads.
        seconds: how long it took.
    """

    files: int = 0
    read: int = 0
    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    deviations: Counter[str] = field(default_factory=Counter)
    note_counts: Counter[str] = field(default_factory=Counter)
    notes: tuple[Note, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    seconds: float = 0.0

    @property
    def notes_omitted(self) -> int:
        """How many notes are counted and not in :attr:`notes`."""
        return self.note_counts.total() - len(self.notes)

    @property
    def refusals_omitted(self) -> int:
        """How many refusals are counted and not in :attr:`refusals`."""
        return self.refused.total() - len(self.refusals)


Outcomes: TypeAlias = Generator[Outcome, None, None]


class LoadInterrupted(KeyboardInterrupt):
    """The user stopped a load: the finished batches are in the store, the others are not.

    Attributes:
        summary: what was done until then.
    """

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        super().__init__(f"interrupted after {summary.read} records")


class _Run:
    """One load under way: the batch being filled, and the counts."""

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
        self._batch: list[Record] = []
        self._weight = 0
        self._in_batch: set[str] = set()
        self._sums = Counter[str]()
        self._refused = Counter[str]()
        self._deviations = Counter[str]()
        self._note_counts = Counter[str]()
        self._notes: list[Note] = []
        self._refusals: list[Refusal] = []
        self._began = time.monotonic()

    def take_all(self, outcomes: Outcomes) -> None:
        with closing(outcomes):
            for outcome in outcomes:
                self.take(outcome)

    def take(self, outcome: Outcome) -> None:
        if isinstance(outcome, Record):
            self._batch.append(outcome)
            self._weight += 1 + len(outcome.provisions) // _PROVISIONS_A_RECORD
            if outcome.source.identifier is not None:
                self._in_batch.add(outcome.source.identifier)
            if self._weight >= self._batch_size:
                self.flush()
        elif isinstance(outcome, Refusal):
            # A good record before a bad one of the same identifier must not clear the bad one out of quarantine.
            if outcome.identifier in self._in_batch:
                self.flush()
            self._quarantine.put(outcome)
            self._refused[str(outcome.code)] += 1
            self._sums["read"] += 1
            if len(self._refusals) < MAX_TOLD:
                self._refusals.append(replace(outcome, payload=b""))
        else:
            self._note_counts[str(outcome.code)] += 1
            if len(self._notes) < MAX_TOLD:
                self._notes.append(outcome)

    def flush(self) -> None:
        """Give the batch to the store."""
        batch, self._batch = self._batch, []
        self._weight = 0
        identifiers, self._in_batch = self._in_batch, set()
        if not batch:
            return
        applied = self._sink.apply(batch)
        self._sums["read"] += len(batch)
        self._sums["loaded"] += applied.loaded
        self._sums["unchanged"] += applied.unchanged
        self._sums["deleted"] += applied.deleted
        for record in batch:
            if record.document is not None:
                self._deviations.update(deviation.code for deviation in record.document.name.deviations)
        if self._clearing:
            for identifier in sorted(identifiers):
                self._quarantine.clear_for(identifier)
        if self._on_progress is not None:
            self._on_progress(self.summary())

    def summary(self) -> Summary:
        return Summary(
            files=self.files,
            read=self._sums["read"],
            loaded=self._sums["loaded"],
            unchanged=self._sums["unchanged"],
            deleted=self._sums["deleted"],
            refused=self._refused.copy(),
            deviations=self._deviations.copy(),
            note_counts=self._note_counts.copy(),
            notes=tuple(self._notes),
            refusals=tuple(self._refusals),
            seconds=time.monotonic() - self._began,
        )


def load(
    paths: Sequence[Path],
    sink: Sink,
    quarantine: Quarantine,
    *,
    as_kind: str | None = None,
    column: str | None = None,
    batch_size: int = BATCH_SIZE,
    on_progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Load files, folders, ``.zip`` and ``.gz`` into a store. Loading the same again changes nothing.

    A record or file that cannot be loaded goes into the quarantine and stops nothing. A record that loads leaves the
    quarantine, if one of its identifier was there.

    Args:
        as_kind: a key of :data:`loaders.sniff.KINDS`; None to look.
        column: for lists of names, the column or key.
        batch_size: records in one transaction, at least 1.
        on_progress: called with the state after each batch and at the end.

    Raises:
        BadInput: a path, kind, column or batch size that cannot be; what came before it in order is loaded.
        LoadInterrupted: on KeyboardInterrupt.
        StoreProblem: the store or the quarantine cannot be written.
    """
    if as_kind is not None and as_kind not in KINDS:
        raise BadInput(f"expected a kind of source, one of {', '.join(KINDS)}, got {as_kind!r}")
    if batch_size < 1:
        raise BadInput(f"expected at least 1 record in a batch, got {batch_size}")
    run = _Run(sink, quarantine, batch_size, on_progress)
    try:
        with closing(walk(paths)) as documents:
            for document in documents:
                if isinstance(document, Refusal):
                    run.take(document)
                else:
                    run.files += 1
                    run.take_all(_outcomes(document, as_kind, column))
        run.flush()
    except BadInput:
        run.flush()
        raise
    except KeyboardInterrupt:
        raise LoadInterrupted(run.summary()) from None
    summary = run.summary()
    if on_progress is not None:
        on_progress(summary)
    return summary


def _outcomes(
    document: SourceDocument, as_kind: str | None, column: str | None, provider: str | None = None
) -> Outcomes:
    """The outcomes of one document, of the kind that it is seen or said to be."""
    found = _sniffed(document, as_kind)
    if isinstance(found, Refusal):
        yield found
    elif found.kind == "vocabulary":
        yield from read_vocabulary(document)
    elif found.kind == "facts":
        yield from read_facts(document)
    elif found.kind == "normas":
        yield from read_normas(document)
    elif found.kind == "lexml_xml":
        yield from read_lexml_xml(document)
    elif found.form is not None:
        try:
            yield from read_names(document, form=found.form, column=column)
        except BadInput as error:
            if column is not None:  # a column that was asked for and is not there is a mistake of the call
                raise
            missing = BadRecord(RefusalCode.UNKNOWN_KIND, str(error), "a list of names, or --column NAME")
            yield refuse_file(document, missing, kind="names")
    else:
        yield from read_oai_lexml(document, provider=provider)


def _sniffed(document: SourceDocument, as_kind: str | None) -> Sniffed | Refusal:
    try:
        with closing(document.open()) as stream:
            head, cut = read_head(stream)
        if cut is not None and not head:
            raise cut
        return sniff(head, document.file_name, as_kind=as_kind)
    except (BadRecord, OSError) as error:
        return refuse_file(document, error, kind=as_kind or "unknown")


def retry(
    quarantine: Quarantine,
    sink: Sink,
    *,
    batch_size: int = BATCH_SIZE,
    on_progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Try everything in the quarantine again; what loads now leaves it, what is refused again stays.

    Of records with one identifier the one with the latest datestamp is tried last. What was kept only in part, or is
    damaged, stays and is told in a note.

    Raises:
        LoadInterrupted: on KeyboardInterrupt.
        StoreProblem: the store or the quarantine cannot be written.
    """
    run = _Run(sink, quarantine, batch_size, on_progress, clearing=False)
    done: list[str] = []
    try:
        for damaged in quarantine.damaged():
            run.take(_left(damaged.file, "whole file", f"{damaged.file}: {damaged.problem}"))
        for entry in sorted(quarantine.list(), key=lambda entry: entry.datestamp or ""):
            if _try_again(run, quarantine, entry):
                done.append(entry.key)
            if len(done) >= batch_size:
                _settle(run, quarantine, done)
        _settle(run, quarantine, done)
    except KeyboardInterrupt:
        raise LoadInterrupted(run.summary()) from None
    return run.summary()


def _settle(run: _Run, quarantine: Quarantine, done: list[str]) -> None:
    """Let go of what is in the store by now."""
    run.flush()
    for key in done:
        quarantine.remove(key)
    done.clear()


def _try_again(run: _Run, quarantine: Quarantine, entry: Kept) -> bool:
    """Read one refused record or file again; False when it must stay in the quarantine."""
    payload = quarantine.payload(entry)
    if isinstance(payload, Damaged):
        run.take(_left(entry.origin, entry.position, f"{payload.file}: {payload.problem}"))
        return False
    if entry.truncated:
        message = f"refused as {entry.code} and kept only in part: correct the file and load it again"
        run.take(_left(entry.origin, entry.position, message, entry.identifier))
        return False
    document = SourceDocument(entry.origin, partial(io.BytesIO, payload))
    run.files += 1
    try:
        with closing(_again(document, entry)) as outcomes:
            if _ALONE.fullmatch(entry.position) is not None:
                return _settle_one(run, list(outcomes), entry)
            stays = False
            for outcome in outcomes:
                stays = stays or (isinstance(outcome, Refusal) and outcome.key == entry.key)
                run.take(outcome)
            return not stays
    except BadInput as error:
        run.take(_left(entry.origin, entry.position, str(error), entry.identifier))
        return False


def _settle_one(run: _Run, outcomes: list[Outcome], entry: Kept) -> bool:
    """Take what became of one record that stood alone this time; False when it is refused as before.

    One record settles as one: a fault of its XML beside it is told by the refusal of the file that it came from.
    """
    refusals = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
    settled = [outcome for outcome in outcomes if not isinstance(outcome, Refusal)]
    if not any(isinstance(outcome, Record) for outcome in settled) and refusals:
        same = next((refusal for refusal in refusals if refusal.key == entry.key), refusals[0])
        run.take(replace(same, position=entry.position))
        return same.key != entry.key
    for outcome in settled:
        run.take(outcome)
    return True


def _again(document: SourceDocument, entry: Kept) -> Outcomes:
    if entry.kind == "names" and entry.form is not None:
        yield from read_names(document, form=entry.form, column=entry.column)
    elif entry.kind == "vocabulary":
        yield from read_vocabulary(document, form=entry.form)
    elif entry.kind == "facts":
        yield from read_facts(document, form=entry.form)
    else:
        as_kind = entry.kind if entry.kind in KINDS else None
        yield from _outcomes(document, as_kind, entry.column, entry.provider)


def _left(origin: str, position: str, message: str, identifier: str | None = None) -> Note:
    return Note(NoteCode.QUARANTINE_LEFT, message, origin, position, identifier)
