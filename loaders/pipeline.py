"""From paths to the store: documents, their kind, their records, in batches; what is refused goes into quarantine."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from graph.mapping import Mapped
from graph.quarantine import Damaged, Kept, Quarantine, Refusal
from graph.store.heap import seldom_collected
from loaders.codes import NoteCode
from loaders.documents import BadInput, SourceDocument, walk
from loaders.outcomes import MappedOutcome, Note, Outcome, Part, mapped_outcome
from loaders.parallel import prefetch, read_documents
from loaders.run import MAX_TOLD, Applied, LoadInterrupted, Run, Sink, Summary, weight
from loaders.sources.format import ReadOptions
from loaders.sources.registry import FORMATS, joined, read_document, reader

__all__ = ["BATCH_SIZE", "MAX_TOLD", "Applied", "LoadInterrupted", "Sink", "Summary", "check_way", "load", "retry"]

#: Records that the store takes at once, unless asked otherwise.
BATCH_SIZE = 1_000

# How much is read ahead at once, by weight.
_AHEAD = 100

_ALONE = re.compile(r"(?:record|line|fact) [0-9]+")


def load(
    paths: Sequence[Path],
    sink: Sink,
    quarantine: Quarantine,
    *,
    as_kind: str | None = None,
    column: str | None = None,
    batch_size: int = BATCH_SIZE,
    workers: int = 1,
    on_progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Load files, folders, ``.zip`` and ``.gz`` into a store. Loading the same again changes nothing.

    A record or file that cannot be loaded goes into the quarantine and stops nothing. A record that loads leaves the
    quarantine, if one of its identifier was there. While the store takes one batch the next is read.

    Args:
        as_kind: a key of :data:`loaders.sources.registry.FORMATS`; None to look.
        column: for lists of names, the column or key.
        batch_size: records that the store takes at once, at least 1; long ones count for several.
        workers: how many processes read beside this one, when there is much to read; 1 for this one alone.
        on_progress: called with the state after each batch and at the end.

    Raises:
        BadInput: a path, kind, column or batch size that cannot be; what came before it in order is loaded.
        LoadInterrupted: on KeyboardInterrupt.
        StoreProblem: the store or the quarantine cannot be written.
    """
    check_way(as_kind, workers)
    if batch_size < 1:
        raise BadInput(f"expected at least 1 record in a batch, got {batch_size}")
    run = Run(sink, quarantine, batch_size, on_progress)
    try:
        everything = prefetch(joined(read_documents(walk(paths), reader(as_kind, column), workers)), weight, _AHEAD)
        with closing(everything), seldom_collected():
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


def check_way(as_kind: str | None, workers: int) -> None:
    """Refuse a way of reading that is none, before anything is read.

    Raises:
        BadInput: the kind is none of :data:`loaders.sources.registry.FORMATS`, or there would be no process.
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
    on_progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Try everything in the quarantine again; what loads now leaves it, what is refused again stays.

    Of records with one identifier the one with the latest datestamp is tried last. What was kept only in part, or is
    damaged, stays and is told in a note.

    Raises:
        LoadInterrupted: on KeyboardInterrupt.
        StoreProblem: the store or the quarantine cannot be written.
    """
    run = Run(sink, quarantine, batch_size, on_progress, clearing=False)
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


def _settle(run: Run, quarantine: Quarantine, done: list[str]) -> None:
    """Let go of what is in the store by now."""
    run.flush()
    for key in done:
        quarantine.remove(key)
    done.clear()


def _try_again(run: Run, quarantine: Quarantine, entry: Kept) -> bool:
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
                return _settle_one(run, [mapped_outcome(outcome) for outcome in outcomes], entry)
            stays = kept_part = False
            for outcome in map(mapped_outcome, outcomes):
                if isinstance(outcome, Part):
                    kept_part = True
                    continue
                stays = stays or (isinstance(outcome, Refusal) and outcome.key == entry.key)
                run.take(outcome)
            if kept_part:
                message = f"refused as {entry.code}; it is a part of a norm: load it again with the other parts"
                run.take(_left(entry.origin, entry.position, message, entry.identifier))
            return not (stays or kept_part)
    except BadInput as error:
        run.take(_left(entry.origin, entry.position, str(error), entry.identifier))
        return False


def _settle_one(run: Run, outcomes: list[MappedOutcome], entry: Kept) -> bool:
    """Take what became of one record that stood alone this time; False when it is refused as before.

    One record settles as one: a fault of its XML beside it is told by the refusal of the file that it came from.
    """
    refusals = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
    settled = [outcome for outcome in outcomes if not isinstance(outcome, Refusal)]
    if not any(isinstance(outcome, Mapped) for outcome in settled) and refusals:
        same = next((refusal for refusal in refusals if refusal.key == entry.key), refusals[0])
        run.take(replace(same, position=entry.position))
        return same.key != entry.key
    for outcome in settled:
        run.take(outcome)
    return True


def _again(document: SourceDocument, entry: Kept) -> Generator[Outcome, None, None]:
    known = FORMATS.get(entry.kind)
    if known is not None and entry.form is not None:
        yield from known.read(document, ReadOptions(entry.provider, entry.column, entry.form))
    else:
        as_kind = known.name if known is not None else None
        yield from read_document(document, entry.provider, as_kind=as_kind, column=entry.column)


def _left(origin: str, position: str, message: str, identifier: str | None = None) -> Note:
    return Note(NoteCode.QUARANTINE_LEFT, message, origin, position, identifier)
