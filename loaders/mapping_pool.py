"""Reading and mapping in processes of their own: a page of bytes in, mapped records, refusals and notes out, in order.

Reading and mapping are Python's own work, which threads of one process cannot share out. What a worker gets and gives
are plain values; the store stays with the process that has it. A worker ends with the pool, and with its parent,
however that ends.
"""

from __future__ import annotations

import gc
import io
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from threading import BoundedSemaphore, Thread
from types import TracebackType
from typing import Protocol, TypeAlias

from graph.errors import VigenteError
from graph.store.heap import MANY_OBJECTS
from loaders.documents import SourceDocument
from loaders.oai_lexml import read_oai_lexml
from loaders.outcomes import MappedOutcome, Outcome, mapped_outcome

__all__ = ["Handle", "MappingPool", "Page", "PoolBroken", "Reader", "read_and_map", "read_page"]

#: How a page is read: a function of a module, so that another process finds it, of the document and its provider.
Reader: TypeAlias = Callable[[SourceDocument, str | None], Iterable[Outcome]]

# Pages for each worker that may wait to be read: there are enough of them while a batch is stored.
_AHEAD = 12


class PoolBroken(VigenteError):
    """A worker ended in the middle of a page; nothing of that page, nor of any after it, has been given."""

    def __init__(self, label: str) -> None:
        self.label = label
        super().__init__(
            f"a process that reads pages ended unexpectedly, killed or out of memory, at {label} or a page near it; "
            "what was stored before is whole: run the same again"
        )


@dataclass(frozen=True, slots=True)
class Page:
    """One document to be read elsewhere: its label for people, its bytes, and its provider where it doesn't say."""

    label: str
    payload: bytes
    provider: str | None = None


class Handle:
    """A page that was handed in.

    Args:
        here: reads it in this process.
    """

    def __init__(
        self, label: str, future: Future[list[MappedOutcome]], here: Callable[[], list[MappedOutcome]]
    ) -> None:
        self.label = label
        self._future = future
        self._here = here
        self._found: list[MappedOutcome] | None = None

    @property
    def ready(self) -> bool:
        """Whether it has been read."""
        return self._future.done()

    def take_back(self) -> bool:
        """Read it here, where no worker has it yet; whether that was so."""
        if self._found is not None or not self._future.cancel():
            return False
        self._found = self._here()
        return True

    def result(self) -> list[MappedOutcome]:
        """What became of it, in the page's order; waits until it is read.

        Raises:
            PoolBroken: a worker ended, or the pool was closed before the page was read.
        """
        if self._found is not None:
            return self._found
        try:
            return self._future.result()
        except (BrokenProcessPool, CancelledError):
            raise PoolBroken(self.label) from None


def read_page(document: SourceDocument, provider: str | None) -> Iterable[Outcome]:
    """The reader of OAI-PMH pages."""
    return read_oai_lexml(document, provider=provider)


def read_and_map(label: str, payload: bytes, provider: str | None, read: Reader) -> list[MappedOutcome]:
    """What a worker does with a page; also for one process that needs no other."""
    outcomes = read(SourceDocument(label, partial(io.BytesIO, payload)), provider)
    return [mapped_outcome(outcome) for outcome in outcomes]


class MappingPool:
    """Workers that read and map pages. Use it as a context manager: leaving it ends them, after an error at once.

    Args:
        workers: how many processes; None for as many as there are processors.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or available()
        context = get_context("spawn")
        self._ends, self._lasts = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(self.workers, context, initializer=_begin, initargs=(self._ends,))
        self._places = BoundedSemaphore(self.workers * _AHEAD)

    def __enter__(self) -> MappingPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._lasts.close()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._lasts.close()
        self._ends.close()

    def begin(self) -> None:
        """Begin the first worker, which takes a moment, before there is anything for it."""
        self._executor.submit(os.getpid)

    def submit(self, label: str, payload: bytes, provider: str | None = None, read: Reader = read_page) -> Handle:
        """Hand in a page; waits while as many pages as are kept ahead are still unread.

        Raises:
            PoolBroken: a worker ended before.
        """
        self._places.acquire()
        try:
            future = self._executor.submit(read_and_map, label, payload, provider, read)
        except BrokenProcessPool:
            self._places.release()
            raise PoolBroken(label) from None
        future.add_done_callback(lambda _: self._places.release())
        return Handle(label, future, partial(read_and_map, label, payload, provider, read))

    def outcomes(self, pages: Iterable[Page], read: Reader = read_page) -> Generator[list[MappedOutcome], None, None]:
        """What became of each page, in order; pages are taken from where they come as workers get free.

        Raises:
            PoolBroken: a worker ended.
        """
        waiting: deque[Handle] = deque()
        for page in pages:
            if len(waiting) >= self.workers * _AHEAD:
                yield waiting.popleft().result()
            waiting.append(self.submit(page.label, page.payload, page.provider, read))
        while waiting:
            yield waiting.popleft().result()


def available() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Pipe(Protocol):
    """The end of a pipe that workers listen at."""

    def poll(self, timeout: float | None = 0.0, /) -> bool:
        """Wait until something comes, or the other end is closed."""
        ...


def _begin(ends: _Pipe) -> None:
    """What a worker does first: leave Ctrl-C to the parent, and end when the parent says so or is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # what is there by now lasts as long as the worker, and need not be looked at again and again
    gc.set_threshold(MANY_OBJECTS)
    Thread(target=_end_with, args=(ends,), name="end-with-parent", daemon=True).start()


def _end_with(ends: _Pipe) -> None:
    ends.poll(None)  # nothing is ever sent: the other end, which the parent alone has, was closed
    os._exit(1)
