"""Reads documents in parallel: in worker processes, and in a thread that prefetches while the store writes.

Parsing and mapping are Python code, which the threads of one process cannot run in parallel. A worker process receives
the bytes of a document and returns records, refusals and notes; the store stays in the parent. Workers map the records,
except while most are unchanged: the store does not need the mapping of these. Workers end with
the pool and with the parent process, even if that is killed.
"""

from __future__ import annotations

import gc
import io
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from datetime import date
from functools import partial
from multiprocessing import get_context
from queue import Empty, Full, Queue
from threading import Event, Thread
from types import TracebackType
from typing import Protocol, TypeAlias, TypeVar

from graph.errors import BadRecord, PoolBroken
from graph.process import MANY_OBJECTS, available
from graph.quarantine import Refusal
from loaders.documents import SourceDocument
from loaders.outcomes import MappedOutcome, Outcome, mapped_outcome
from loaders.sources.oai_lexml import read_oai_lexml

#: Reads a document for a given provider. It must be a function of a module, so that a worker can import it.
Reader: TypeAlias = Callable[[SourceDocument, str | None], Iterable[Outcome]]
_Item = TypeVar("_Item")

#: The number of bytes read in this process before workers are started.
_WORTH = 4 << 20
#: The maximum size of a document for a worker, and the maximum number of bytes with workers at once.
_LARGEST = 8 << 20
_AHEAD = 12 << 20
#: Seconds between two checks whether the consumer of a prefetching thread has stopped.
_PATIENCE = 0.1


def read_page(document: SourceDocument, provider: str | None) -> Iterable[Outcome]:
    """Reads a page of OAI-PMH."""
    return read_oai_lexml(document, provider=provider)


def read_payload(
    label: str,
    payload: bytes,
    provider: str | None,
    read: Reader,
    fetched: date | None = None,
    *,
    mapping: bool = False,
) -> list[MappedOutcome]:
    """Reads the bytes of one document, in whichever process calls it, and maps its records if ``mapping`` is set."""
    outcomes = read(SourceDocument(label, partial(io.BytesIO, payload), fetched), provider)
    return [mapped_outcome(outcome) if mapping else outcome for outcome in outcomes]


class PendingPage:
    """A page that a worker reads; made by :meth:`ReaderPool.submit`."""

    def __init__(self, label: str, future: Future[list[MappedOutcome]], pool: ReaderPool) -> None:
        self._label = label
        self._future = future
        self._pool = pool

    @property
    def ready(self) -> bool:
        """Whether :meth:`result` returns at once."""
        return self._future.done()

    def result(self) -> list[MappedOutcome]:
        """Returns the outcomes in the order of the page; waits for them.

        Raises:
            PoolBroken: a worker ended, or the pool was closed before the page was read.
        """
        try:
            return self._future.result()
        except (BrokenProcessPool, CancelledError):
            raise PoolBroken(self._label, self._pool.has_worked) from None


class ReaderPool:
    """Worker processes that read and map pages. A context manager; after an error it ends the workers at once.

    Args:
        workers: how many processes; None for the number of processors.
    """

    def __init__(self, workers: int | None = None) -> None:
        context = get_context("spawn")
        self._ends, self._lasts = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(
            workers or available(), context, initializer=_init_worker, initargs=(self._ends,)
        )
        self._first: Future[int] = self._executor.submit(os.getpid)

    def __enter__(self) -> ReaderPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._lasts.close()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._lasts.close()
        self._ends.close()

    @property
    def is_starting(self) -> bool:
        """Whether no worker has started yet, and none has failed to."""
        return not self._first.done()

    @property
    def has_worked(self) -> bool:
        """Whether a worker has started."""
        return self._first.done() and not self._first.cancelled() and self._first.exception() is None

    def submit(
        self,
        label: str,
        payload: bytes,
        provider: str | None = None,
        read: Reader = read_page,
        fetched: date | None = None,
        *,
        mapping: bool = True,
    ) -> PendingPage:
        """Queues a page for the workers. The caller bounds how many are queued.

        Args:
            mapping: whether the worker maps the records; the store maps those that it writes otherwise.

        Raises:
            PoolBroken: a worker has ended.
        """
        try:
            future = self._executor.submit(read_payload, label, payload, provider, read, fetched, mapping=mapping)
            return PendingPage(label, future, self)
        except BrokenProcessPool:
            raise PoolBroken(label, self.has_worked) from None


class _Pipe(Protocol):
    """The end of a pipe that workers watch."""

    def poll(self, timeout: float | None = 0.0, /) -> bool:
        """Waits until data come or the other end is closed."""
        ...


def _init_worker(ends: _Pipe) -> None:
    """Prepares a worker: it ignores Ctrl-C, which the parent handles, and ends when the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # the objects that exist now live as long as the worker
    gc.set_threshold(MANY_OBJECTS)
    Thread(target=_exit_with_parent, args=(ends,), name="end-with-parent", daemon=True).start()


def _exit_with_parent(ends: _Pipe) -> None:
    ends.poll(None)  # no data are ever sent: this returns when the parent's end is closed
    os._exit(1)


def read_documents(
    documents: Generator[SourceDocument | Refusal, None, None],
    read: Reader,
    workers: int,
    mapping: Callable[[], bool] = lambda: True,
) -> Generator[SourceDocument | MappedOutcome, None, None]:
    """Yields each document, then its outcomes, in order. Workers read small documents, this process large ones.

    Args:
        read: a function at module level, so that a worker can import it.
        workers: the number of worker processes; with 1, this process reads everything.
        mapping: whether workers map the records of the next document.

    Raises:
        PoolBroken: a worker ended while it read a document.
    """
    with closing(documents), ExitStack() as stack:
        pending = _PendingDocuments()
        pool: ReaderPool | None = None
        read_here = 0
        for document in documents:
            payload = _read_whole(document) if workers > 1 and isinstance(document, SourceDocument) else None
            if isinstance(document, Refusal) or payload is None or (pool is None and read_here < _WORTH):
                yield from pending.finished()
                yield document
                if isinstance(document, SourceDocument):
                    yield from read(document, None)
                read_here += len(payload or b"")
                continue
            if pool is None:
                pool = stack.enter_context(ReaderPool(workers))
            page = pool.submit(document.label, payload, None, read, document.fetched, mapping=mapping())
            pending.add(document, page, len(payload))
            yield from pending.finished(_AHEAD)
        yield from pending.finished()


class _PendingDocuments:
    """The documents that workers have, in order."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[SourceDocument, PendingPage, int]] = deque()
        self._size = 0

    def add(self, document: SourceDocument, page: PendingPage, size: int) -> None:
        """Adds a document."""
        self._waiting.append((document, page, size))
        self._size += size

    def finished(self, most: int = 0) -> Iterator[SourceDocument | MappedOutcome]:
        """Yields finished documents with their outcomes; waits until at most ``most`` bytes are with the workers."""
        while self._waiting and (self._size > most or self._waiting[0][1].ready):
            document, page, size = self._waiting.popleft()
            self._size -= size
            yield document
            yield from page.result()


def _read_whole(document: SourceDocument) -> bytes | None:
    """Returns the bytes of a document; None if it is too large or cannot be read to its end."""
    pieces: list[bytes] = []
    left = _LARGEST + 1
    try:
        with closing(document.open()) as stream:
            while left > 0 and (piece := stream.read(left)):
                pieces.append(piece)
                left -= len(piece)
    except (BadRecord, OSError):
        return None
    return b"".join(pieces) if left > 0 else None


def prefetch(
    items: Generator[_Item, None, None], weight: Callable[[_Item], int], limit: int
) -> Generator[_Item, None, None]:
    """Yields the same items in the same order, read in a thread; an error is raised at its place in the order.

    At most two batches of weight ``limit`` are queued while a third is filled. If the consumer stops early, the thread
    stops too and closes ``items``.

    Args:
        weight: the weight of an item, at least 1.
    """
    batches: Queue[list[_Item] | BaseException | None] = Queue(maxsize=2)
    stopped = Event()
    thread = Thread(target=_fill, args=(items, weight, limit, batches, stopped), name="prefetch", daemon=True)
    thread.start()
    try:
        while True:
            batch = batches.get()
            if batch is None:
                return
            if isinstance(batch, BaseException):
                raise batch
            yield from batch
    finally:
        stopped.set()
        while thread.is_alive():
            try:
                batches.get(timeout=_PATIENCE)
            except Empty:
                continue
        thread.join()


def _fill(
    items: Generator[_Item, None, None],
    weight: Callable[[_Item], int],
    limit: int,
    batches: Queue[list[_Item] | BaseException | None],
    stopped: Event,
) -> None:
    batch: list[_Item] = []
    heavy = 0
    fault: BaseException | None = None
    try:
        with closing(items):
            for item in items:
                batch.append(item)
                heavy += weight(item)
                if heavy >= limit:
                    _put(batches, batch, stopped)
                    batch, heavy = [], 0
                if stopped.is_set():
                    return
    except BaseException as error:  # noqa: BLE001 - the consumer raises it
        fault = error
    _put(batches, batch, stopped)
    _put(batches, fault, stopped)


def _put(
    batches: Queue[list[_Item] | BaseException | None], batch: list[_Item] | BaseException | None, stopped: Event
) -> None:
    while not stopped.is_set():
        try:
            batches.put(batch, timeout=_PATIENCE)
        except Full:
            continue
        return
