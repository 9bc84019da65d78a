"""Loads sources: reads the documents of paths, detects their format, and writes their records in batches to the store
or as N-Quads."""

from __future__ import annotations

import io
import re
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Protocol

from graph.civil import leading_day
from graph.entities import Record
from graph.mapping import Arriving, MappedRecord, map_record
from graph.process import raised_gc_threshold
from graph.quarantine import DamagedFile, Quarantine, QuarantinedRecord, Refusal
from graph.record_rules import RecordRules
from graph.store.journal import BatchResult as AppliedBatch
from graph.terms import iri
from loaders.articulated.issuer import NOWHERE, Origin
from loaders.codes import NoteCode
from loaders.documents import BadInput, SourceDocument, walk
from loaders.outcomes import MappedOutcome, Note, Outcome, Part
from loaders.parallel import prefetch, read_documents
from loaders.sources.registry import FORMATS, join_parts, read_document, reader
from loaders.sources.vocabulary import built_in_record

# A load in progress: its sink, its counts, and the batch being filled.


#: The maximum number of notes and of refusals listed in a summary; all are counted.
MAX_REPORTED = 100

# The number of characters of triples, or of provisions, that weigh as much as one record: a batch is bounded by the
# size of its output.
_CHARACTERS_A_RECORD = 12_000
_PROVISIONS_A_RECORD = 8


class TransactionResult(Protocol):
    """The result of one transaction; the four counts add up to the number of records."""

    @property
    def loaded(self) -> int:
        """The number of records that changed the store."""
        ...

    @property
    def unchanged(self) -> int:
        """The number of records already in the store, by payload hash and loader."""
        ...

    @property
    def deleted(self) -> int:
        """The number of records that the source withdrew."""
        ...

    @property
    def older(self) -> int:
        """The number of records from files that are older than the stored ones, by their datestamps."""
        ...


class Sink(Protocol):
    """A destination of records: the store."""

    def apply(self, records: Sequence[Arriving], /) -> TransactionResult:
        """Replace the earlier records of the same sources, in order, in one transaction."""
        ...


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a load. ``read == loaded + unchanged + deleted + older + refused.total()`` always holds.

    Attributes:
        files: the number of documents opened; a member of an archive counts as one.
        read: the number of records processed, plus files that were refused whole or in part.
        loaded, unchanged, deleted, older: as the store counted them.
        refused: the number of refusals, by code.
        deviations: the number of deviations of the names of the records, by code.
        note_counts: the number of values of the sources that the notes cover, by code.
        noted: the number of notes.
        dropped: the number of values defined by the formats of the sources that were not loaded
            (:attr:`loaders.outcomes.Note.dropped`).
        notes: the first notes, at most :data:`MAX_REPORTED`.
        refusals: the first refusals, at most :data:`MAX_REPORTED`, without their payloads.
        seconds: the duration.
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
        """Return the number of notes that are counted but not in :attr:`notes`."""
        return self.noted - len(self.notes)

    @property
    def complete(self) -> bool:
        """Return whether nothing was refused, and no content that the format of a source defines was dropped."""
        return not self.refused and not self.dropped

    @property
    def refusals_omitted(self) -> int:
        """Return the number of refusals that are counted but not in :attr:`refusals`."""
        return self.refused.total() - len(self.refusals)


class LoadInterrupted(KeyboardInterrupt):
    """The user stopped a load. The finished batches are in the store, the others are not.

    Attributes:
        summary: the summary so far.
    """

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        super().__init__(f"interrupted after {summary.read} records")


class Run:
    """One load in progress: the batch being filled, and the counts.

    A record is removed from the quarantine once it is in the store.

    Args:
        batch_size: the weight of a batch.
        clearing: whether loaded records are removed from the quarantine.
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
        self._batch: list[Arriving] = []
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
        self._repeating = False

    @property
    def is_mapping(self) -> bool:
        """Return whether to map records before the store looks them up: not while most are in the store."""
        return not self._repeating

    @property
    def waiting(self) -> int:
        """Return the weight of the outcomes of the next batch."""
        return self._weight

    def take(self, outcome: MappedOutcome | SourceDocument) -> None:
        """Count an opened document, or add the outcome of one."""
        if isinstance(outcome, SourceDocument):
            self.files += 1
        elif isinstance(outcome, Refusal):
            # A good record before a bad one of the same identifier must not clear the bad one out of quarantine.
            if outcome.identifier in self._in_batch:
                self.flush()
            self._quarantine.put(outcome)
            self._refused[str(outcome.code)] += 1
            self._sums["read"] += 1
            if len(self._refusals) < MAX_REPORTED:
                self._refusals.append(replace(outcome, payload=b""))
        elif isinstance(outcome, Note):
            self._note_counts[str(outcome.code)] += outcome.count
            self._noted += 1
            self._sums["dropped"] += outcome.count if outcome.dropped else 0
            if len(self._notes) < MAX_REPORTED:
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
        """Write the batch to the store, and remove its records from the quarantine."""
        batch, self._batch = self._batch, []
        self._weight = 0
        identifiers, self._in_batch = self._in_batch, set()
        if not batch:
            return
        applied = self._sink.apply(batch)
        self._repeating = 2 * applied.unchanged > len(batch)
        if self._clearing:
            for identifier in sorted(filter(self._quarantine.has_refusal_of, identifiers)):
                self._quarantine.clear_for(identifier)
        self._sums["read"] += len(batch)
        self._sums["loaded"] += applied.loaded
        self._sums["unchanged"] += applied.unchanged
        self._sums["deleted"] += applied.deleted
        self._sums["older"] += applied.older
        for record in batch:
            self._deviations.update(record.deviations)
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
    """Return the weight of an outcome in a batch and in memory, as a number of records."""
    if isinstance(outcome, MappedRecord):
        return 1 + len(outcome.lines) // _CHARACTERS_A_RECORD
    return 1 + len(outcome.provisions) // _PROVISIONS_A_RECORD if isinstance(outcome, Record) else 1


# Reads the records of paths and writes them to the store in batches; refused records go to the quarantine.


#: The default number of records in a batch.
BATCH_SIZE = 1_000

# The maximum weight that is prefetched at once.
_AHEAD = 100

_ALONE = re.compile(r"(?:record|line|fact) [0-9]+")


def load(  # noqa: PLR0913 - one parameter for each option
    paths: Sequence[Path],
    sink: Sink,
    quarantine: Quarantine,
    *,
    as_kind: str | None = None,
    column: str | None = None,
    fetched: date | None = None,
    batch_size: int = BATCH_SIZE,
    workers: int = 1,
    rules: RecordRules | None = None,
    origin: Origin = NOWHERE,
    published: date | None = None,
    on_progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Load files, folders, ``.zip``, ``.gz`` and ``.tar`` into a store. Loading the same data again changes nothing.

    A record or file that cannot be loaded goes to the quarantine, and the load continues. A record that loads is
    removed from the quarantine, if one with its identifier was there. The next batch is read while the store writes
    one.

    Args:
        as_kind: a key of :data:`loaders.sources.registry.FORMATS`; None to detect it.
        column: for lists of names, the column or key.
        fetched: the civil date on which the files were fetched, for those that state no day of fetch.
        batch_size: the number of records in a batch, at least 1; long ones count for several.
        workers: the number of worker processes that read, if there is much to read; 1 to read only in this process.
        rules: what records of providers are compared with; None for the built-in vocabularies.
        origin: the place and the authority of acts that do not state them.
        published: the civil day of publication of texts that do not state it; they are then first texts.
        on_progress: called with the summary after each batch and at the end.

    Raises:
        BadInput: an invalid path, kind, column, batch size or number of workers; earlier paths are loaded.
        LoadInterrupted: on KeyboardInterrupt.
        StoreProblem: the store or the quarantine cannot be written.
    """
    check_reading_options(as_kind, workers)
    if batch_size < 1:
        raise BadInput(f"expected at least 1 record in a batch, got {batch_size}")
    run = Run(sink, quarantine, batch_size, on_progress)
    try:
        outcomes = read_documents(
            walk(paths, fetched=fetched),
            reader(as_kind, column, rules, origin, published),
            workers,
            lambda: run.is_mapping,
        )
        everything = prefetch(join_parts(outcomes), weight, _AHEAD)
        with closing(everything), raised_gc_threshold():
            for outcome in everything:
                run.take(outcome)
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


def check_reading_options(as_kind: str | None, workers: int) -> None:
    """Check the options of reading before anything is read.

    Raises:
        BadInput: the kind is not one of :data:`loaders.sources.registry.FORMATS`, or the number of processes is below
            1.
    """
    if as_kind is not None and as_kind not in FORMATS:
        raise BadInput(f"expected a kind of source, one of {', '.join(FORMATS)}, got {as_kind!r}")
    if workers < 1:
        raise BadInput(f"expected at least 1 process, got {workers}")


def retry(
    quarantine: Quarantine,
    sink: Sink,
    *,
    batch_size: int = BATCH_SIZE,
    rules: RecordRules | None = None,
    on_progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Load everything in the quarantine again; records that load are removed from it.

    Of records with one identifier, the one with the latest datestamp is loaded last. A damaged or incomplete entry
    stays and is reported in a note.

    Raises:
        LoadInterrupted: on KeyboardInterrupt.
        StoreProblem: the store or the quarantine cannot be written.
    """
    run = Run(sink, quarantine, batch_size, on_progress, clearing=False)
    done: list[str] = []
    try:
        for damaged in quarantine.damaged():
            run.take(_left_note(damaged.file, "whole file", f"{damaged.file}: {damaged.problem}"))
        for entry in sorted(quarantine.list(), key=lambda entry: entry.datestamp or ""):
            if _retry_entry(run, quarantine, entry, rules):
                done.append(entry.key)
            if len(done) >= batch_size:
                _remove_loaded(run, quarantine, done)
        _remove_loaded(run, quarantine, done)
    except KeyboardInterrupt:
        raise LoadInterrupted(run.summary()) from None
    return run.summary()


def _remove_loaded(run: Run, quarantine: Quarantine, done: list[str]) -> None:
    """Write the batch, and remove its records from the quarantine."""
    run.flush()
    for key in done:
        quarantine.remove(key)
    done.clear()


def _retry_entry(run: Run, quarantine: Quarantine, entry: QuarantinedRecord, rules: RecordRules | None) -> bool:
    """Read one refused record or file again; return False if it must stay in the quarantine."""
    payload = quarantine.payload(entry)
    if isinstance(payload, DamagedFile):
        run.take(_left_note(entry.origin, entry.position, f"{payload.file}: {payload.problem}"))
        return False
    if entry.truncated:
        message = f"refused as {entry.code} and kept only in part: correct the file and load it again"
        run.take(_left_note(entry.origin, entry.position, message, entry.identifier))
        return False
    fetched = leading_day(entry.fetched) if entry.fetched is not None else None
    document = SourceDocument(entry.origin, partial(io.BytesIO, payload), fetched)
    run.files += 1
    try:
        with closing(_read_again(document, entry, rules)) as outcomes:
            if _ALONE.fullmatch(entry.position) is not None:
                return _take_retried(run, list(outcomes), entry)
            stays = kept_part = False
            for outcome in outcomes:
                if isinstance(outcome, Part):
                    kept_part = True
                    continue
                stays = stays or (isinstance(outcome, Refusal) and outcome.key == entry.key)
                run.take(outcome)
            if kept_part:
                message = f"refused as {entry.code}; it is a part of a norm: load it again with the other parts"
                run.take(_left_note(entry.origin, entry.position, message, entry.identifier))
            return not (stays or kept_part)
    except BadInput as error:
        run.take(_left_note(entry.origin, entry.position, str(error), entry.identifier))
        return False


def _take_retried(run: Run, outcomes: list[Outcome], entry: QuarantinedRecord) -> bool:
    """Process the outcomes of one record read on its own; return False if it is refused again.

    If it is refused, only one refusal is counted. If it is loaded, other refusals are left out: the refusal of its file
    reports a fault of the XML around it.
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


def _read_again(
    document: SourceDocument, entry: QuarantinedRecord, rules: RecordRules | None
) -> Generator[Outcome, None, None]:
    known = FORMATS.get(entry.kind)
    as_kind = known.name if known is not None else None
    yield from read_document(
        document, entry.provider, as_kind=as_kind, column=entry.column, form=entry.form, rules=rules
    )


def _left_note(origin: str, position: str, message: str, identifier: str | None = None) -> Note:
    return Note(NoteCode.QUARANTINE_LEFT, message, origin, position, identifier)


# Sources to N-Quads, without a store: for the bulk loader of another engine, or for several machines.
#
# The output has the statements of records, each in its named graph. Periods are derived from complete stores, not here.


_END = " .\n"


def convert(  # noqa: PLR0913 - one parameter for each option
    paths: Sequence[Path],
    output: BinaryIO,
    quarantine: Quarantine,
    *,
    as_kind: str | None = None,
    column: str | None = None,
    fetched: date | None = None,
    workers: int = 1,
    origin: Origin = NOWHERE,
    on_progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Write the statements of the records of files, folders, ``.zip``, ``.gz`` and ``.tar`` as N-Quads in UTF-8.

    Vigente's own vocabularies come first. Of repeated records the first is written; a later one that
    differs counts as ``older``. Refused records go to the quarantine.

    Args:
        output: the output stream.
        as_kind, column, fetched, workers, origin, on_progress: as for :func:`loaders.pipeline.load`.

    Raises:
        BadInput: an invalid path, kind, column or number of processes.
        LoadInterrupted: on KeyboardInterrupt.
        OSError: the output cannot be written.
        StoreProblem: the quarantine cannot be written.
    """
    check_reading_options(as_kind, workers)
    run = Run(_Lines(output), quarantine, BATCH_SIZE, on_progress)
    run.take(built_in_record())
    try:
        documents = read_documents(walk(paths, fetched=fetched), reader(as_kind, column, origin=origin), workers)
        with closing(join_parts(documents)) as everything:
            for outcome in everything:
                run.take(outcome)
        run.flush()
    except KeyboardInterrupt:
        raise LoadInterrupted(run.summary()) from None
    return run.summary()


class _Lines:
    """A sink that writes records as lines."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._written: dict[bytes, bytes] = {}

    def apply(self, records: Sequence[Arriving], /) -> AppliedBatch:
        loaded = unchanged = deleted = older = 0
        for record in records:
            source = record.source
            state, place = _digest(source.payload_hash + source.loader), _digest(source.iri)
            known = self._written.get(place)
            if known is not None:
                unchanged += known == state
                older += known != state
                continue
            self._written[place] = state
            self._output.write(map_record(record).lines.replace(_END, f" {iri(source.iri)}{_END}").encode())
            deleted += record.deleted
            loaded += not record.deleted
        return AppliedBatch(loaded, unchanged, deleted, older)


def _digest(text: str) -> bytes:
    """Return a digest of a text, to save memory."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
