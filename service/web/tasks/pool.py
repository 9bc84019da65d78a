"""The pool of worker processes: it runs tasks within limits and shares the processes fairly between clients."""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from ctypes import c_ulong
from dataclasses import dataclass, field
from itertools import chain, count
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, cast

from starlette.requests import Request

from service.web.http.problems import Problem
from service.web.published import State, note_read, state_of
from service.web.settings import Settings
from service.web.tasks.messages import Answer, BadMessage, MessageReader, TaskFunction, error_from_dict, pack
from service.web.tasks.worker import WorkerConfig, processor_seconds, run_worker

# The worker processes of a pool. A process that ends is replaced.
#
# The fork server of multiprocessing starts them: a process without threads that has imported the modules of the tasks.
# It ends with the service, as the workers do. If it ends before, the workers go on, and another is started.


_log = logging.getLogger("vigente.service")
#: The modules that the fork server imports once, for all workers.
_PRELOADED = ["__main__", "service.web.tasks.worker", "service.web.prepared"]
#: Seconds that a worker may take to start.
_START_SECONDS = 30.0
#: The first and the longest wait, in seconds, after workers that end at their start. The wait doubles each time.
_FIRST_WAIT, _LAST_WAIT = 0.1, 5.0
#: What multiprocessing has as the exit status of a process after its fork server has ended.
_NO_STATUS = 255
#: Seconds after which the start of a worker counts as successful.
_HEALTHY_SECONDS = 1.0


class Connection(asyncio.Protocol):
    """The connection to one worker.

    Args:
        most: longest body that is accepted from it, in bytes.
        on_message: called with the header and the body of each message.
        on_lost: called when it ends.
    """

    def __init__(
        self, most: int, on_message: Callable[[dict[str, Any], bytes], None], on_lost: Callable[[], None]
    ) -> None:
        self._incoming = MessageReader(most)
        self._on_message = on_message
        self._on_lost = on_lost
        self.is_lost = False
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport to the worker."""
        self._transport = cast(
            "asyncio.WriteTransport", transport
        )  # the transports of some event loops are not subclasses

    def send(self, message: bytes) -> None:
        """Send a message."""
        assert self._transport is not None  # noqa: S101 - there's a message only after the connection
        self._transport.write(message)

    def close(self) -> None:
        """Close the connection, which ends an idle worker."""
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        """Pass the end on."""
        self.is_lost = True
        self._on_lost()

    def data_received(self, data: bytes) -> None:
        """Pass complete messages to ``on_message``."""
        try:
            for header, body in self._incoming.messages(data):
                self._on_message(header, body)
        except BadMessage:
            _log.exception("a worker process sent an invalid message; its connection is closed")
            self.close()


class Worker:
    """The state of one worker process.

    ``begun`` is a number in shared memory: how many tasks the process has begun. ``pid`` is 0 until it is ready.
    ``is_orphan`` is true if the fork server has ended before it. ``exitcode`` is None until it has ended, and that of
    an orphan remains unknown.
    """

    def __init__(self, begun: c_ulong) -> None:
        self.begun = begun
        self.pid = 0
        self.ready_since = time.monotonic()
        self.tasks_done = 0
        self.exitcode: int | None = None
        self.killed = False
        self.is_orphan = False
        self.service: socket.socket | None = None
        self.on_message: Callable[[dict[str, Any], bytes], None] | None = None
        self.on_exit: Callable[[], None] | None = None
        self.connection: Connection | None = None
        self.process: BaseProcess | None = None


class Workers:
    """Keeps a number of worker processes running.

    Args:
        config: the configuration of every worker.
        size: the number of workers.
        on_ready: called with a worker that is ready for its first task.
    """

    def __init__(self, config: WorkerConfig, size: int, on_ready: Callable[[Worker], None]) -> None:
        self._config, self._size, self._on_ready = config, size, on_ready
        self._loop = asyncio.get_running_loop()
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(_PRELOADED)
        self.sandboxed: bool | None = None
        self.ready = asyncio.Event()
        self._workers: set[Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._start_lock = asyncio.Lock()
        self._failures = 0
        self._ending = False
        for _ in range(size):
            self._spawn(self._start(0.0))

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the ready workers."""
        return tuple(worker.pid for worker in self._workers if worker.pid and not worker.killed)

    def kill(self, worker: Worker) -> None:
        """Kill a worker process; another replaces it."""
        worker.killed = True
        if worker.process is None:
            return
        if worker.is_orphan:
            with suppress(ProcessLookupError):
                os.kill(cast("int", worker.process.pid), signal.SIGKILL)
        else:
            worker.process.kill()

    async def end(self) -> None:
        """Kill all worker processes."""
        self._ending = True
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for worker in list(self._workers):
            if worker.process is not None:
                self._loop.remove_reader(worker.process.sentinel)
                self.kill(worker)
            self._exited(worker)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(coroutine)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start(self, after: float) -> None:
        await asyncio.sleep(after)
        worker = Worker(self._context.RawValue(c_ulong))
        watch = self._loop.call_later(_START_SECONDS, self._start_timed_out, worker)

        def on_message(header: dict[str, Any], body: bytes) -> None:
            if "ready" in header:
                watch.cancel()
                self._became_ready(worker, header)
            elif worker.on_message is not None:
                worker.on_message(header, body)

        def status_arrived() -> None:
            """Handle the end of the process, or of the fork server, from which its status comes."""
            assert worker.process is not None  # noqa: S101 - its sentinel is read
            self._loop.remove_reader(worker.process.sentinel)
            assert worker.connection is not None  # noqa: S101 - it is made before
            if worker.process.exitcode == _NO_STATUS and not worker.connection.is_lost:
                worker.is_orphan = True
                self._spawn(self._start_fork_server())
                return
            watch.cancel()
            self._exited(worker)

        def connection_lost() -> None:
            if worker.is_orphan and worker in self._workers:
                watch.cancel()
                self._exited(worker)

        self._workers.add(worker)
        async with self._start_lock:
            own_socket, worker_socket = socket.socketpair()
            worker.service, service_end = socket.socketpair()
            process = self._context.Process(
                target=run_worker, args=(worker_socket, service_end, self._config, worker.begun), daemon=True
            )
            try:
                with worker_socket, service_end:
                    await asyncio.to_thread(process.start)
            except (OSError, EOFError):  # the fork server has ended; the next start launches another
                own_socket.close()
                watch.cancel()
                self._exited(worker)
                return
            except BaseException:  # the pool ends meanwhile
                own_socket.close()
                raise
        worker.process = process
        worker.connection = Connection(self._config.limits.answer_bytes, on_message, connection_lost)
        await self._loop.create_unix_connection(lambda: cast("Connection", worker.connection), sock=own_socket)
        self._loop.add_reader(process.sentinel, status_arrived)

    async def _start_fork_server(self) -> None:
        """Start a fork server if there is none, so that it is ready when a worker ends."""
        for wait in (_FIRST_WAIT, _LAST_WAIT):  # its connections end shortly before it, later on a busy machine
            await asyncio.sleep(wait)
            with suppress(OSError):  # the start of the next worker tries again
                await asyncio.to_thread(forkserver.ensure_running)

    def _start_timed_out(self, worker: Worker) -> None:
        _log.warning("a worker process was not ready after %s s; it is killed", _START_SECONDS)
        self.kill(worker)

    def _became_ready(self, worker: Worker, header: dict[str, Any]) -> None:
        worker.pid, worker.ready_since = header["ready"], time.monotonic()
        if self.sandboxed is None and not header["sandboxed"]:
            _log.warning(
                "this system has no filter of system calls (seccomp) for worker processes: "
                "only the check of the query's text keeps queries from other hosts"
            )
        self.sandboxed = header["sandboxed"]
        self.ready.set()
        self._on_ready(worker)

    def _exited(self, worker: Worker) -> None:
        self._workers.discard(worker)
        if worker.connection is not None:
            worker.connection.close()
        if worker.service is not None:
            worker.service.close()
        if worker.process is not None:
            worker.process.join(1)
            worker.exitcode = None if worker.is_orphan else worker.process.exitcode
            if not (self._ending or worker.killed) and worker.exitcode:
                _log.warning("a worker process ended %s", _exit_text(worker.exitcode))
            with suppress(ValueError):
                worker.process.close()
        if worker.on_exit is not None:
            worker.on_exit()
        if self._ending:
            return
        healthy = worker.pid and (worker.tasks_done or time.monotonic() - worker.ready_since > _HEALTHY_SECONDS)
        self._failures = 0 if healthy else self._failures + 1
        wait = min(_FIRST_WAIT * 2 ** (self._failures - 1), _LAST_WAIT) if self._failures else 0.0
        if self._failures > self._size:
            _log.warning("%d worker processes ended at their start; the next starts in %s s", self._failures, wait)
        self._spawn(self._start(wait))


def _exit_text(exitcode: int) -> str:
    return f"by {signal.Signals(-exitcode).name}" if exitcode < 0 else f"with status {exitcode}"


# The queue and the pool.


#: The maximum value of Retry-After, in seconds.
_MAX_RETRY_AFTER = 5
#: Seconds within which a worker must be ready for the next task after its answer.
_CLEANUP_SECONDS = 5.0
#: Seconds between two checks of the limits of tasks.
_CHECK_SECONDS = 0.05
#: How many times its limit of processor time a task may take by the wall clock, with its time in the queue.
_PATIENCE = 4


@dataclass(frozen=True, slots=True)
class Task:
    """A task for a worker process.

    Attributes:
        kind: the name of one of the functions of the pool.
        arguments: values of JSON types.
        client: the key of the client, whose limit the task counts against.
        seconds: the limit of its processor time; None for that of the service.
        shared: whether the work is bounded by the data, as that of a page, so that its answer is also for others who
            ask for the same while it runs, and it has its whole time in a crowd. The query of a stranger is not.
    """

    kind: str
    arguments: Mapping[str, object]
    client: str
    seconds: float | None = None
    shared: bool = False


@dataclass(eq=False, slots=True)
class Job:
    """A waiting or running task, for one or more requests.

    Attributes:
        key: what identifies the work.
        message: the message to the worker.
        shared: as in the task.
        seconds: the limit of its processor time.
        deadline: the time on the monotonic clock at which it is ended.
        answer: the future answer.
        clients: the clients that have asked for it.
        readers: how many requests wait for the answer.
        worker: the worker that runs it; None while it waits.
        since: the processor time of the worker at the first check after it got the task; None before.
        is_long: whether it has taken the time of a quick task.
        lost_workers: how many workers ended before they started it.
    """

    key: object
    message: bytes
    shared: bool
    seconds: float
    deadline: float
    answer: asyncio.Future[Answer]
    clients: set[str] = field(default_factory=set)
    readers: int = 0
    worker: Worker | None = None
    since: float | None = None
    is_long: bool = False
    lost_workers: int = 0


class FairQueue:
    """The waiting and the running jobs. The next job is of a client that was served least recently.

    Where several clients were never served, every second turn is of the one that came last. What a job takes is known
    only after it ran, so that a quick job otherwise waits for every job that came before it and turns out to be long.

    Args:
        places: how many jobs of one client, and how many long jobs, run at the same time.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._served: dict[str, int] = {}
        self._counter = count(1)

    def __len__(self) -> int:
        """Return the number of waiting jobs."""
        return len(self._waiting)

    def __iter__(self) -> Iterator[Job]:
        """Yield the jobs, the waiting ones first."""
        return chain(self._waiting, self._running)

    def add(self, job: Job) -> None:
        """Append a job."""
        self._waiting.append(job)

    def remove(self, job: Job) -> None:
        """Remove a job, and what is known about clients without jobs."""
        for jobs in (self._waiting, self._running):
            if job in jobs:
                jobs.remove(job)
        present = {client for other in self for client in other.clients}
        self._served = {client: turn for client, turn in self._served.items() if client in present}

    def add_again(self, job: Job) -> None:
        """Move a running job to the waiting ones."""
        self._running.remove(job)
        self._waiting.append(job)

    def next(self) -> Job | None:
        """Return the next job, which counts as running; None where no job may run."""
        if not self._waiting:
            return None
        busy = Counter(client for job in self._running for client in job.clients)
        may_be_long = self.has_long_place()
        ready = [
            job
            for job in self._waiting
            if (may_be_long or not job.is_long) and any(busy[client] < self._places for client in job.clients)
        ]
        if not ready:
            return None
        turn = next(self._counter)
        last_turns = [min(self._served.get(client, 0) for client in job.clients) for job in ready]
        first = [job for job, last in zip(ready, last_turns, strict=True) if last == min(last_turns)]
        newest = first[-1].clients if turn % 2 == 0 else first[0].clients
        job = next(job for job in first if job.clients & newest)
        self._waiting.remove(job)
        self._running.append(job)
        self._served.update(dict.fromkeys(job.clients, turn))
        return job

    def has_long_place(self) -> bool:
        """Return whether one more long job may run."""
        return sum(job.is_long for job in self._running) < self._places

    def is_awaited(self, job: Job) -> bool:
        """Return whether a long job of another client waits for the place of a job."""
        return any(other.is_long and not other.clients & job.clients for other in self._waiting)


class Pool:
    """Runs tasks within limits. It is an async context manager that starts and ends the processes.

    With two or more workers, long tasks have at most all but one, and so has one client. One worker is therefore free
    for quick tasks and for other clients. A task that becomes long where the long tasks have all their places waits for
    such a place, and begins again.

    Args:
        settings: the store, the number of processes, and the limits.
        kinds: the task functions by name. They are module-level functions, so that they can be pickled.
    """

    def __init__(self, settings: Settings, kinds: Mapping[str, TaskFunction]) -> None:
        self._limits = settings.limits
        self._size = settings.query_workers
        self._config = WorkerConfig(settings.store.absolute(), dict(kinds), settings.limits, settings.log_queries)
        self._workers: Workers | None = None
        self._queue = FairQueue(max(1, self._size - 1))
        self._free: list[Worker] = []
        self._check: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Pool:
        """Start the processes. Tasks may be added at once; they wait for a process."""
        self._workers = Workers(self._config, self._size, self._on_worker_ready)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes; waiting and running tasks fail with 503."""
        workers, self._workers = self._workers, None
        self._free.clear()
        for job in list(self._queue):
            _fail(job, _busy("the service is ending"))
        if workers is not None:
            await workers.end()

    @property
    def sandboxed(self) -> bool | None:
        """Whether a filter of system calls keeps the workers from the network; None until one is ready."""
        return self._workers.sandboxed if self._workers is not None else None

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the ready workers."""
        return self._workers.pids if self._workers is not None else ()

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a process."""
        return len(self._queue)

    async def ready(self) -> None:
        """Wait until the first worker is ready."""
        await self._entered_workers().ready.wait()

    async def run(self, task: Task) -> Answer:
        """Run a task and return its complete answer.

        If this call is cancelled, the process of the task is killed. A shared task that has begun is completed.

        Raises:
            Problem: 504 ``time-limit``, 413 ``answer-too-large``, 503 ``busy`` with Retry-After, 429
                ``too-many-requests``, 507 ``out-of-memory``, 500 ``task-died``; and the problems that the task raises.
            VigenteError: the errors that the task raises.
            KeyError: there is no such task function.
        """
        self._entered_workers()
        if task.kind not in self._config.kinds:
            raise KeyError(f"expected one of {sorted(self._config.kinds)}, got {task.kind!r}")
        message = pack({"kind": task.kind, "arguments": dict(task.arguments)})
        key = self._key(task, message)
        job = next((job for job in self._queue if job.key == key and not job.answer.done()), None)
        asked = sum(task.client in other.clients for other in self._queue if other is not job)
        if asked >= self._limits.per_client:
            detail = f"expected at most {self._limits.per_client} tasks of one client at once"
            raise Problem(429, "too-many-requests", detail, headers={"Retry-After": "1"})
        if job is None:
            job = self._add(task, key, message)
        job.clients.add(task.client)
        job.readers += 1
        try:
            self._dispatch()
            if job.worker is None and len(self._queue) > self._limits.waiting and job.readers == 1:
                raise _busy(f"{self._limits.waiting} tasks are waiting already", self._retry_after())
            return await asyncio.shield(job.answer)
        finally:
            job.readers -= 1
            if not job.readers:
                self._leave(job)

    def _key(self, task: Task, message: bytes) -> object:
        """Return what identifies the work of a task; it is unique unless the task is shared."""
        if task.shared:
            with suppress(OSError):  # without a state the task fails, and has nothing to share
                return message, state_of(self._config.store)
        return object()

    def _add(self, task: Task, key: object, message: bytes) -> Job:
        seconds = self._limits.query_seconds if task.seconds is None else task.seconds
        loop = asyncio.get_running_loop()
        deadline = time.monotonic() + _PATIENCE * seconds
        job = Job(key, message, task.shared, seconds, deadline, loop.create_future())
        self._queue.add(job)
        if self._check is None:
            self._check = loop.call_later(_CHECK_SECONDS, self._check_limits)
        return job

    def _leave(self, job: Job) -> None:
        """Handle a job whose readers have the answer or are gone."""
        if job.worker is None:
            self._queue.remove(job)
        elif not (job.answer.done() or job.shared):
            job.answer.cancel()
            self._kill(job.worker)

    def _entered_workers(self) -> Workers:
        if self._workers is None:
            raise RuntimeError("expected a running pool: use it within `async with pool`")
        return self._workers

    def _retry_after(self) -> int:
        return max(1, min(_MAX_RETRY_AFTER, math.ceil(self._limits.query_seconds)))

    def _check_limits(self) -> None:
        """End the tasks that have reached a limit. Runs regularly while there are tasks."""
        now = time.monotonic()
        for job in list(self._queue):
            if job.worker is None:
                if now >= job.deadline:
                    _fail(job, _busy(f"no process was free for {_PATIENCE * job.seconds:g} s", self._retry_after()))
            elif job.answer.done():
                if now >= job.deadline:
                    self._kill(job.worker)
            else:
                self._check_running(job, job.worker, now)
        again = self._workers is not None and any(self._queue)
        self._check = asyncio.get_running_loop().call_later(_CHECK_SECONDS, self._check_limits) if again else None

    def _check_running(self, job: Job, worker: Worker, now: float) -> None:
        used = processor_seconds(worker.pid)
        job.since = used if job.since is None else job.since
        taken = used - job.since
        if now >= job.deadline:
            self._end(job, worker, f"the task took longer than {_PATIENCE * job.seconds:g} s; request less")
        elif taken >= job.seconds:
            self._end(job, worker, f"the task took longer than {job.seconds:g} s of processor time; request less")
        elif taken >= self._limits.crowded_seconds and not job.shared and self._queue.is_awaited(job):
            seconds = self._limits.crowded_seconds
            self._end(job, worker, f"the query took longer than {seconds:g} s of processor time, and others wait")
        elif taken >= self._limits.quick_seconds and not job.is_long:
            has_place = self._queue.has_long_place()
            job.is_long = True
            if not has_place:
                worker.on_message = worker.on_exit = None
                self._kill(worker)
                self._add_again(job)

    def _add_again(self, job: Job) -> None:
        """Queue a running job again, if it has readers."""
        job.worker = job.since = None
        if job.readers:
            self._queue.add_again(job)
        else:
            self._queue.remove(job)

    def _end(self, job: Job, worker: Worker, detail: str) -> None:
        _fail(job, Problem(504, "time-limit", detail))
        self._kill(worker)

    def _on_worker_ready(self, worker: Worker) -> None:
        self._free.append(worker)
        worker.on_exit = lambda: self._free.remove(worker) if worker in self._free else None
        self._dispatch()

    def _dispatch(self) -> None:
        while self._free and (job := self._queue.next()) is not None:
            self._assign(self._free.pop(), job)  # the last used worker has the most of its data at hand

    def _assign(self, worker: Worker, job: Job) -> None:
        assert worker.connection is not None  # noqa: S101 - it said that it is ready
        job.worker = worker
        worker.on_message = lambda header, body: self._on_message(worker, job, header, body)
        worker.on_exit = lambda: self._on_worker_exit(worker, job)
        worker.connection.send(job.message)

    def _on_message(self, worker: Worker, job: Job, header: dict[str, Any], body: bytes) -> None:
        """Handle a message of a worker about its job: the answer or an error, or ready for the next job."""
        if "died" in header or "error" in header or "media" in header:
            self._on_answer(worker, job, header, body)
        if "rested" in header:
            self._on_finished(worker, job, header["rested"])

    def _on_answer(self, worker: Worker, job: Job, header: dict[str, Any], body: bytes) -> None:
        job.deadline = time.monotonic() + _CLEANUP_SECONDS
        worker.tasks_done += 1
        if "died" in header:
            _log.error("a task failed: %s", header["died"])
            _fail(job, _out_of_memory() if "memory" in header else _died_problem())
        elif "error" in header:
            _fail(job, error_from_dict(header["error"]))
        elif not job.answer.done():
            job.answer.set_result(Answer(body, header["media"], State(*header["state"])))

    def _on_finished(self, worker: Worker, job: Job, kept: int) -> None:
        if kept > self._limits.worker_kept:
            _log.info("a worker process kept %d bytes and is replaced", kept)
            self._kill(worker)  # the job finishes when the process has ended
            return
        self._queue.remove(job)
        worker.on_message = None
        self._on_worker_ready(worker)

    def _on_worker_exit(self, worker: Worker, job: Job) -> None:
        """Handle the end of a job's worker. A job that was not started is queued again."""
        if self._workers is None:
            _fail(job, _busy("the service is ending"))
        elif worker.begun.value > worker.tasks_done or job.answer.done() or job.lost_workers == self._size:
            _fail(job, _out_of_memory() if worker.exitcode == -signal.SIGABRT else _died_problem())
            self._queue.remove(job)
        else:  # the worker had not started the job, so that the job is not the cause
            job.lost_workers += 1
            self._add_again(job)
        self._dispatch()

    def _kill(self, worker: Worker) -> None:
        if self._workers is not None:
            self._workers.kill(worker)


def _fail(job: Job, error: Exception) -> None:
    if not job.answer.done():
        job.answer.set_exception(error)
        job.answer.exception()  # the readers may be gone


def _busy(why: str, retry: int = _MAX_RETRY_AFTER) -> Problem:
    return Problem(503, "busy", f"expected a process to be free, but {why}", headers={"Retry-After": str(retry)})


def _out_of_memory() -> Problem:
    """Return the problem of a task that exceeded the memory limit; the engine aborts when an allocation fails."""
    return Problem(507, "out-of-memory", "the task needs more memory than the limit; request less")


def _died_problem() -> Problem:
    return Problem(500, "task-died", "the worker process ended while it ran the task; request less")


# Tasks for a request, which are cancelled when the client disconnects.


#: Seconds after which a request is watched for a disconnect; most tasks end before.
_UNWATCHED_SECONDS = 0.05


async def run_while_connected(request: Request, pool: Pool, task: Task) -> Answer:
    """Run a task and return its answer; see :func:`run_all_while_connected`."""
    (answer,) = await run_all_while_connected(request, pool, (task,))
    return answer


async def run_all_while_connected(request: Request, pool: Pool, tasks: Sequence[Task]) -> list[Answer]:
    """Run tasks in parallel and return their answers, in order. Cancel them when the client disconnects.

    Args:
        request: a request whose body has been read, or that has none. Further messages are discarded.
        pool: the pool that runs the tasks.
        tasks: the tasks; where one fails, the others are cancelled.

    Raises:
        Problem, VigenteError: as :meth:`Pool.run`; and 408 ``client-gone``, which only the log has.
    """
    running = [asyncio.ensure_future(pool.run(task)) for task in tasks]
    awaited: list[asyncio.Future[Any]] = [asyncio.gather(*running)]
    try:
        await asyncio.wait(awaited, timeout=_UNWATCHED_SECONDS)
        if not awaited[0].done():
            awaited.append(asyncio.ensure_future(_wait_for_disconnect(request)))
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        if not awaited[0].done():
            raise Problem(408, "client-gone", "the client disconnected before the answer was ready")
        answers: list[Answer] = awaited[0].result()
        for answer in answers:
            if answer.state is not None:
                note_read(answer.state)
        return answers
    finally:
        unfinished = [future for future in (*running, *awaited) if not future.done()]
        for future in unfinished:
            future.cancel()
        if unfinished:
            await asyncio.wait(unfinished)


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
