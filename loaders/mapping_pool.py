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
from threading import BoundedSemaphore, Lock, Thread
from types import TracebackType
from typing import Protocol, TypeAlias

from graph.errors import VigenteError
from graph.store.heap import MANY_OBJECTS
from loaders.documents import SourceDocument
from loaders.outcomes import MappedOutcome, Outcome, mapped_outcome
from loaders.sources.oai_lexml import read_oai_lexml

#: How a page is read: a function of a module, so that another process finds it, of the document and its provider.
Reader: TypeAlias = Callable[[SourceDocument, str | None], Iterable[Outcome]]

# Pages for each worker that may wait to be read: there are enough of them while a batch is stored.
_AHEAD = 12
# Pages for each worker that it has, or gets as soon as it is ready: nobody else can read them then.
_GIVEN = 2


class PoolBroken(VigenteError):
    """A worker ended in the middle of a page; nothing of that page, nor of any after it, has been given.

    Args:
        label: the page, for people.
        has_worked: whether any worker had done anything before.
    """

    def __init__(self, label: str, has_worked: bool = True) -> None:
        self.label = label
        super().__init__(
            f"a process that reads pages ended unexpectedly, killed or out of memory, at {label} or a page near it; "
            "what was stored before is whole: run the same again"
            if has_worked
            else f"a process that was to read {label} ended before it began: killed, out of memory, or begun by a "
            'script that does not load or harvest under `if __name__ == "__main__":`, and that each such process '
            'imports (Python, multiprocessing, "Safe importing of main module"); what was stored before is whole: '
            "run the same again"
        )


@dataclass(frozen=True, slots=True)
class Page:
    """One document to be read elsewhere: its label for people, its bytes, and its provider where it doesn't say."""

    label: str
    payload: bytes
    provider: str | None = None


class Handle:
    """A page that was handed in; made by :meth:`MappingPool.submit`.

    Args:
        read: reads it, in whichever process.
        take_out: takes it out of the line of those that no worker has yet; whether it stood there.
    """

    def __init__(self, label: str, read: Callable[[], list[MappedOutcome]], take_out: Callable[[Handle], bool]) -> None:
        self.label = label
        self.read = read
        self.outcomes: Future[list[MappedOutcome]] = Future()
        self._take_out = take_out

    @property
    def ready(self) -> bool:
        """Whether it has been read, or never will be."""
        return self.outcomes.done()

    def take_back(self) -> bool:
        """Read it here, where no worker has it yet; whether that was so."""
        if not self._take_out(self):
            return False
        self.outcomes.set_result(self.read())
        return True

    def result(self) -> list[MappedOutcome]:
        """What became of it, in the page's order; waits until it is read.

        Raises:
            PoolBroken: a worker ended, or the pool was closed before the page was read.
        """
        return self.outcomes.result()


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
        # The executor gets no more than its workers can begin soon. The rest stands in a line of our own: an executor
        # that loses a worker forgets those who wait where one of them was cancelled (CPython 3.11).
        self._lock = Lock()
        self._line: deque[Handle] = deque()
        self._given = 0
        self._is_closed = False
        self._is_begun = False
        self._has_worked = False

    def __enter__(self) -> MappingPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if kind is not None:
            self._lasts.close()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._lasts.close()
        self._ends.close()

    def begin(self) -> None:
        """Begin the first worker, which takes a moment; otherwise the first page begins it."""
        with self._lock:
            is_first, self._is_begun = not self._is_begun, True
        if is_first:  # outside the lock: the executor has its own
            self._executor.submit(os.getpid).add_done_callback(self._came_to_work)

    def submit(self, label: str, payload: bytes, provider: str | None = None, read: Reader = read_page) -> Handle:
        """Hand in a page; waits while as many pages as are kept ahead are still unread."""
        handle = Handle(label, partial(read_and_map, label, payload, provider, read), self._take_out)
        self._places.acquire()
        handle.outcomes.add_done_callback(lambda _: self._places.release())
        with self._lock:
            if is_open := not self._is_closed:
                self._line.append(handle)
        if is_open:
            self.begin()
            self._hand_on()
        else:
            handle.outcomes.set_exception(self._broken_at(label))
        return handle

    def _came_to_work(self, future: Future[int]) -> None:
        self._has_worked = not future.cancelled() and future.exception() is None

    def _broken_at(self, label: str) -> PoolBroken:
        return PoolBroken(label, self._has_worked)

    def _take_out(self, handle: Handle) -> bool:
        with self._lock:
            if handle not in self._line:
                return False
            self._line.remove(handle)
            return True

    def _hand_on(self) -> None:
        """Give the executor as much of the line as its workers have room for; outside the lock, for it has its own."""
        while (handle := self._next()) is not None:
            try:
                future = self._executor.submit(handle.read)
            except RuntimeError:  # it is broken, or shut down meanwhile
                handle.outcomes.set_exception(self._broken_at(handle.label))
                self._close()
            else:
                future.add_done_callback(partial(self._came, handle))

    def _next(self) -> Handle | None:
        with self._lock:
            if not self._line or self._given == self.workers * _GIVEN:
                return None
            self._given += 1
            return self._line.popleft()

    def _came(self, handle: Handle, future: Future[list[MappedOutcome]]) -> None:
        """A page has been read, or never will be; in a thread of the executor."""
        with self._lock:
            self._given -= 1
        error = CancelledError() if future.cancelled() else future.exception()
        if isinstance(error, (BrokenProcessPool, CancelledError)):
            handle.outcomes.set_exception(self._broken_at(handle.label))
            self._close()
            return
        self._hand_on()
        if error is None:
            handle.outcomes.set_result(future.result())
        else:
            handle.outcomes.set_exception(error)

    def _close(self) -> None:
        """Tell all who stand in line that nobody will read their page, and take no more."""
        with self._lock:
            self._is_closed = True
            left = list(self._line)
            self._line.clear()
        for handle in left:
            handle.outcomes.set_exception(self._broken_at(handle.label))

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
