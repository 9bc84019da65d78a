"""The crew of a pool: so many workers, each replaced as soon as it ends, the nursery too; who is free is told."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any

from service.web.tasks.processes import Connection, Nursery
from service.web.tasks.worker import Orders

_log = logging.getLogger("vigente.service")
#: Seconds that a worker may take to start.
_START = 30.0
#: Seconds before the next attempt when workers die at their start: doubled each time, from the first to the last.
_FIRST_WAIT, _LAST_WAIT = 0.1, 5.0
#: Seconds that a worker lives at least if its start is to count as good.
_SOUND = 1.0
#: Seconds that the nursery has for its end.
_END = 5.0


class Worker:
    """One worker process as the service knows it; ``pid`` is 0 until it is ready."""

    def __init__(self) -> None:
        self.pid = 0
        self.number = 0
        self.since = 0.0
        self.done = 0
        self.killed = False
        self.told: Callable[[dict[str, Any], bytes], None] | None = None
        self.lost: Callable[[], None] | None = None
        self.connection: Connection | None = None


class Crew:
    """Keeps ``size`` workers.

    Args:
        orders: what every worker is told.
        size: how many.
        free: called with a worker that is ready for its first task.
    """

    def __init__(self, orders: Orders, size: int, free: Callable[[Worker], None]) -> None:
        self._orders, self._size, self._free = orders, size, free
        self.sandboxed: bool | None = None
        self.ready = asyncio.Event()
        self._workers: set[Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._failures = 0
        self._ending = False
        self._nursery = Nursery(orders, self._nursery_lost)
        self._lost_nurseries = 0
        for _ in range(size):
            self._begin(self._start(0.0))

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes of the workers that are ready."""
        return tuple(worker.pid for worker in self._workers if worker.pid and not worker.killed)

    @property
    def nursery(self) -> int:
        """The process that forks the workers."""
        return self._nursery.pid

    def kill(self, worker: Worker) -> None:
        """End a worker's process, whatever it does; another takes its place."""
        worker.killed = True
        self._nursery.kill(worker.number)

    async def end(self) -> None:
        """End all processes."""
        self._ending = True
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        self._nursery.hang_up()
        for worker in list(self._workers):
            if worker.connection is not None:
                worker.connection.close()
        await asyncio.to_thread(self._nursery.wait, _END)

    def _begin(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start(self, after: float) -> None:
        await asyncio.sleep(after)
        worker = Worker()
        watch = asyncio.get_running_loop().call_later(_START, self._late, worker)
        worker.since = time.monotonic()

        def told(said: dict[str, Any], body: bytes) -> None:
            if "ready" in said:
                watch.cancel()
                self._begun(worker, said)
            elif worker.told is not None:
                worker.told(said, body)

        def lost() -> None:
            watch.cancel()
            self._ended(worker)

        worker.connection = Connection(self._orders.limits.answer_bytes, told, lost)
        self._workers.add(worker)
        try:
            worker.number = await self._nursery.fork(worker.connection)
        except OSError:
            lost()

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
        self._lost_nurseries = 0
        self.ready.set()
        self._free(worker)

    def _ended(self, worker: Worker) -> None:
        self._workers.discard(worker)
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

    def _nursery_lost(self) -> None:
        if self._ending:
            return
        self._lost_nurseries += 1
        wait = min(_FIRST_WAIT * 2 ** (self._lost_nurseries - 1), _LAST_WAIT)
        _log.warning("the process that starts workers ended; it is started anew in %s s", wait)
        self._begin(self._new_nursery(wait))

    async def _new_nursery(self, after: float) -> None:
        await asyncio.to_thread(self._nursery.wait, _END)
        await asyncio.sleep(after)
        self._nursery = Nursery(self._orders, self._nursery_lost)
