"""The worker processes of a pool: so many, each replaced as soon as it ends.

multiprocessing's fork server starts them: a process without threads that has imported what tasks need. It ends when the
service ends, in whatever way, and the workers with it.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import socket
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from multiprocessing.process import BaseProcess
from typing import Any, cast

from service.web.tasks.messages import BadMessage, Incoming
from service.web.tasks.worker import Orders, work

_log = logging.getLogger("vigente.service")
#: What the fork server imports; ``__main__`` is imported there once, and not by each worker.
_PRELOADED = ["__main__", "service.web.tasks.worker", "service.web.task_types", "service.web.pages.prepared"]
#: Seconds that a worker may take to start.
_START = 30.0
#: Seconds before the next attempt when workers die at their start: doubled each time, from the first to the last.
_FIRST_WAIT, _LAST_WAIT = 0.1, 5.0
#: Seconds that a worker lives at least if its start is to count as good.
_SOUND = 1.0


class Connection(asyncio.Protocol):
    """The connection to one worker.

    Args:
        most: longest body that is taken from it, in bytes.
        told: called with each message and its body.
    """

    def __init__(self, most: int, told: Callable[[dict[str, Any], bytes], None]) -> None:
        self._incoming = Incoming(most)
        self._told = told
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to the worker."""
        self._transport = cast("asyncio.WriteTransport", transport)  # not every loop's says so of itself

    def send(self, message: bytes) -> None:
        """Send a whole message."""
        assert self._transport is not None  # noqa: S101 - there's a message only after the connection
        self._transport.write(message)

    def close(self) -> None:
        """Close it: an idle worker ends."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Hand on the messages that are whole."""
        try:
            for said, body in self._incoming.messages(data):
                self._told(said, body)
        except BadMessage:
            _log.exception("a worker process sent what is no message; it is ended")
            self.close()


class Worker:
    """One worker process as the service knows it; ``pid`` is 0 until it is ready, ``exitcode`` None until it ended."""

    def __init__(self) -> None:
        self.pid = 0
        self.since = time.monotonic()
        self.done = 0
        self.exitcode: int | None = None
        self.killed = False
        self.told: Callable[[dict[str, Any], bytes], None] | None = None
        self.lost: Callable[[], None] | None = None
        self.connection: Connection | None = None
        self.process: BaseProcess | None = None


class Workers:
    """Keeps ``size`` workers.

    Args:
        orders: what every worker is told.
        size: how many.
        free: called with a worker that is ready for its first task.
    """

    def __init__(self, orders: Orders, size: int, free: Callable[[Worker], None]) -> None:
        self._orders, self._size, self._free = orders, size, free
        self._loop = asyncio.get_running_loop()
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(_PRELOADED)
        self.sandboxed: bool | None = None
        self.ready = asyncio.Event()
        self._workers: set[Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._one_starts = asyncio.Lock()
        self._failures = 0
        self._ending = False
        for _ in range(size):
            self._begin(self._start(0.0))

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes of the workers that are ready."""
        return tuple(worker.pid for worker in self._workers if worker.pid and not worker.killed)

    def kill(self, worker: Worker) -> None:
        """End a worker's process, whatever it does; another takes its place."""
        worker.killed = True
        if worker.process is not None:
            worker.process.kill()

    async def end(self) -> None:
        """End all processes."""
        self._ending = True
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for worker in list(self._workers):
            if worker.process is not None:
                self._loop.remove_reader(worker.process.sentinel)
                worker.process.kill()
            self._ended(worker)

    def _begin(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(coroutine)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start(self, after: float) -> None:
        await asyncio.sleep(after)
        worker = Worker()
        watch = self._loop.call_later(_START, self._late, worker)

        def told(said: dict[str, Any], body: bytes) -> None:
            if "ready" in said:
                watch.cancel()
                self._begun(worker, said)
            elif worker.told is not None:
                worker.told(said, body)

        def ended() -> None:
            assert worker.process is not None  # noqa: S101 - its sentinel is read
            self._loop.remove_reader(worker.process.sentinel)
            watch.cancel()
            self._ended(worker)

        self._workers.add(worker)
        async with self._one_starts:
            ours, theirs = socket.socketpair()
            process = self._context.Process(target=work, args=(theirs, self._orders), daemon=True)
            try:
                with theirs:
                    await asyncio.to_thread(process.start)
            except (OSError, EOFError):  # the fork server has ended; the next start begins another
                ours.close()
                watch.cancel()
                self._ended(worker)
                return
            except BaseException:  # the pool ends meanwhile
                ours.close()
                raise
        worker.process = process
        worker.connection = Connection(self._orders.limits.answer_bytes, told)
        await self._loop.create_unix_connection(lambda: cast("Connection", worker.connection), sock=ours)
        self._loop.add_reader(process.sentinel, ended)

    def _late(self, worker: Worker) -> None:
        _log.warning("a worker process was not ready after %s s; it is ended", _START)
        self.kill(worker)

    def _begun(self, worker: Worker, said: dict[str, Any]) -> None:
        worker.pid, worker.since = said["ready"], time.monotonic()
        if self.sandboxed is None and not said["sandboxed"]:
            _log.warning(
                "this system has no filter of system calls (seccomp) for worker processes: "
                "that no query reaches another host rests on reading the query alone"
            )
        self.sandboxed = said["sandboxed"]
        self.ready.set()
        self._free(worker)

    def _ended(self, worker: Worker) -> None:
        self._workers.discard(worker)
        if worker.connection is not None:
            worker.connection.close()
        if worker.process is not None:
            worker.process.join(1)
            worker.exitcode = worker.process.exitcode
            if not (self._ending or worker.killed) and worker.process.exitcode:
                _log.warning("a worker process ended %s", _how(worker.process.exitcode))
            with suppress(ValueError):
                worker.process.close()
        if worker.lost is not None:
            worker.lost()
        if self._ending:
            return
        sound = worker.pid and (worker.done or time.monotonic() - worker.since > _SOUND)
        self._failures = 0 if sound else self._failures + 1
        wait = min(_FIRST_WAIT * 2 ** (self._failures - 1), _LAST_WAIT) if self._failures else 0.0
        if self._failures > self._size:
            _log.warning("worker processes die at their start, %d so far; the next in %s s", self._failures, wait)
        self._begin(self._start(wait))


def _how(exitcode: int) -> str:
    return f"by {signal.Signals(-exitcode).name}" if exitcode < 0 else f"with status {exitcode}"
