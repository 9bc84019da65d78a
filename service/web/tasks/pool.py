"""The pool of worker processes: it runs tasks within limits and shares the processes fairly between clients."""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import signal
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from starlette.requests import Request

from service.web.http.problems import Problem
from service.web.settings import Settings
from service.web.tasks.messages import Answer, BadMessage, MessageReader, TaskFunction, error_from_dict, pack
from service.web.tasks.worker import WorkerConfig, run_worker

# The worker processes of a pool. A process that ends is replaced.
#
# The fork server of multiprocessing starts them: a process without threads that has imported the modules of the tasks.
# It ends with the service, and the workers end with it.


_log = logging.getLogger("vigente.service")
#: The modules that the fork server imports once, for all workers.
_PRELOADED = ["__main__", "service.web.tasks.worker", "service.web.task_types", "service.web.pages.prepared"]
#: Seconds that a worker may take to start.
_START_SECONDS = 30.0
#: The first and the longest wait, in seconds, after workers that end at their start. The wait doubles each time.
_FIRST_WAIT, _LAST_WAIT = 0.1, 5.0
#: Seconds after which the start of a worker counts as successful.
_HEALTHY_SECONDS = 1.0


class Connection(asyncio.Protocol):
    """The connection to one worker.

    Args:
        most: longest body that is accepted from it, in bytes.
        on_message: called with the header and the body of each message.
    """

    def __init__(self, most: int, on_message: Callable[[dict[str, Any], bytes], None]) -> None:
        self._incoming = MessageReader(most)
        self._on_message = on_message
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

    def data_received(self, data: bytes) -> None:
        """Pass complete messages to ``on_message``."""
        try:
            for header, body in self._incoming.messages(data):
                self._on_message(header, body)
        except BadMessage:
            _log.exception("a worker process sent an invalid message; its connection is closed")
            self.close()


class Worker:
    """The state of one worker process. ``pid`` is 0 until it is ready; ``exitcode`` is None until it has ended."""

    def __init__(self) -> None:
        self.pid = 0
        self.ready_since = time.monotonic()
        self.tasks_done = 0
        self.exitcode: int | None = None
        self.killed = False
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
        if worker.process is not None:
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
                worker.process.kill()
            self._exited(worker)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(coroutine)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start(self, after: float) -> None:
        await asyncio.sleep(after)
        worker = Worker()
        watch = self._loop.call_later(_START_SECONDS, self._start_timed_out, worker)

        def on_message(header: dict[str, Any], body: bytes) -> None:
            if "ready" in header:
                watch.cancel()
                self._became_ready(worker, header)
            elif worker.on_message is not None:
                worker.on_message(header, body)

        def process_exited() -> None:
            assert worker.process is not None  # noqa: S101 - its sentinel is read
            self._loop.remove_reader(worker.process.sentinel)
            watch.cancel()
            self._exited(worker)

        self._workers.add(worker)
        async with self._start_lock:
            own_socket, worker_socket = socket.socketpair()
            process = self._context.Process(target=run_worker, args=(worker_socket, self._config), daemon=True)
            try:
                with worker_socket:
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
        worker.connection = Connection(self._config.limits.answer_bytes, on_message)
        await self._loop.create_unix_connection(lambda: cast("Connection", worker.connection), sock=own_socket)
        self._loop.add_reader(process.sentinel, process_exited)

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
        if worker.process is not None:
            worker.process.join(1)
            worker.exitcode = worker.process.exitcode
            if not (self._ending or worker.killed) and worker.process.exitcode:
                _log.warning("a worker process ended %s", _exit_text(worker.process.exitcode))
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


Job = TypeVar("Job")


class FairJobQueue(Generic[Job]):
    """Queues jobs by client. The next job is of the client that was served least recently.

    Args:
        max_running: the maximum number of jobs of one client that run at the same time.

    >>> queue = FairJobQueue[str](max_running=1)
    >>> for client, job in [("a", "a1"), ("a", "a2"), ("b", "b1")]:
    ...     queue.add(client, job)
    >>> queue.next(), queue.next(), queue.next()
    ('a1', 'b1', None)
    >>> queue.finished("a")
    >>> queue.next(), len(queue)
    ('a2', 0)
    """

    def __init__(self, max_running: int) -> None:
        self._max_running = max_running
        self._waiting: dict[str, deque[Job]] = {}
        self._running: Counter[str] = Counter()
        self._counter = count(1)
        self._last_served: dict[str, int] = {}

    def __len__(self) -> int:
        """Return the number of waiting jobs."""
        return sum(map(len, self._waiting.values()))

    def add(self, client: str, job: Job) -> None:
        """Append a job to the queue of its client."""
        self._waiting.setdefault(client, deque()).append(job)

    def remove(self, client: str, job: Job) -> bool:
        """Remove a waiting job. Return whether it was waiting."""
        jobs = self._waiting.get(client)
        if jobs is None or job not in jobs:
            return False
        jobs.remove(job)
        self._forget_idle(client)
        return True

    def next(self) -> Job | None:
        """Remove and return the next job, which counts as running; None where no job may run."""
        may = [client for client in self._waiting if self._running[client] < self._max_running]
        if not may:
            return None
        client = min(may, key=lambda client: self._last_served.get(client, 0))
        job = self._waiting[client].popleft()
        self._running[client] += 1
        self._last_served[client] = next(self._counter)
        self._forget_idle(client)
        return job

    def finished(self, client: str) -> None:
        """Record that a job of the client is no longer running."""
        self._running[client] -= 1
        self._forget_idle(client)

    def _forget_idle(self, client: str) -> None:
        """Remove the data of a client without jobs."""
        if not self._waiting.get(client):
            self._waiting.pop(client, None)
        if not self._running[client]:
            del self._running[client]
            if client not in self._waiting:
                self._last_served.pop(client, None)


#: Largest value of Retry-After, in seconds.
_MAX_RETRY_AFTER = 5
#: Seconds within which a worker must be ready for the next task after its answer.
_CLEANUP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Task:
    """A task for a worker process.

    Attributes:
        kind: the name of one of the functions of the pool.
        arguments: values of JSON types.
        client: the key of the client, whose limit the task counts against.
        seconds: the time limit; None for that of the service.
    """

    kind: str
    arguments: Mapping[str, object]
    client: str
    seconds: float | None = None


@dataclass(eq=False, slots=True)
class _Job:
    """A waiting or running task.

    Attributes:
        started: whether a worker has started it.
        lost_workers: how many workers ended before they started it.
        timer: the timer of the limit on waiting or on running.
    """

    client: str
    message: bytes
    seconds: float
    answer: asyncio.Future[Answer]
    worker: Worker | None = None
    started: bool = False
    lost_workers: int = 0
    timer: asyncio.TimerHandle | None = field(default=None)


class Pool:
    """Runs tasks within limits. It is an async context manager that starts and ends the processes.

    Args:
        settings: the store, the number of processes, and the limits.
        kinds: the task functions by name. They are module-level functions, so that they can be pickled.
    """

    def __init__(self, settings: Settings, kinds: Mapping[str, TaskFunction]) -> None:
        self._limits = settings.limits
        self._size = settings.query_workers
        self._config = WorkerConfig(settings.store.absolute(), dict(kinds), settings.limits, settings.log_queries)
        self._workers: Workers | None = None
        # with several workers, one stays free for other clients
        self._queue = FairJobQueue[_Job](max(1, self._size - 1))
        self._free: list[Worker] = []
        self._clients: Counter[str] = Counter()

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
        while (job := self._queue.next()) is not None:
            self._queue.finished(job.client)
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
        """Run a task and return its complete answer. Cancelling this call kills the process of the task.

        Raises:
            Problem: 504 ``time-limit``, 413 ``answer-too-large``, 503 ``busy`` with Retry-After, 429
                ``too-many-requests``, 507 ``out-of-memory``, 500 ``task-died``; and the problems that the task raises.
            VigenteError: the errors that the task raises.
            KeyError: there is no such task function.
        """
        self._entered_workers()
        if task.kind not in self._config.kinds:
            raise KeyError(f"expected one of {sorted(self._config.kinds)}, got {task.kind!r}")
        if self._clients[task.client] >= self._limits.per_client:
            detail = f"expected at most {self._limits.per_client} tasks of one client at once"
            raise Problem(429, "too-many-requests", detail, headers={"Retry-After": "1"})
        seconds = self._limits.query_seconds if task.seconds is None else task.seconds
        loop = asyncio.get_running_loop()
        message = pack({"kind": task.kind, "arguments": dict(task.arguments)})
        job = _Job(task.client, message, seconds, loop.create_future())
        self._clients[task.client] += 1
        self._queue.add(task.client, job)
        try:
            self._dispatch()
            if job.worker is None:
                if len(self._queue) > self._limits.waiting:
                    raise _busy(f"{self._limits.waiting} tasks are waiting already", self._retry_after())
                self._start_wait_timer(job)
            return await job.answer
        finally:
            self._release(job)

    def _entered_workers(self) -> Workers:
        if self._workers is None:
            raise RuntimeError("expected a running pool: use it within `async with pool`")
        return self._workers

    def _retry_after(self) -> int:
        return max(1, min(_MAX_RETRY_AFTER, math.ceil(self._limits.query_seconds)))

    def _start_wait_timer(self, job: _Job) -> None:
        """Limit the time that a job waits in the queue."""
        seconds = self._limits.query_seconds
        problem = _busy(f"no process was free for {seconds:g} s", self._retry_after())
        job.timer = asyncio.get_running_loop().call_later(seconds, _fail, job, problem)

    def _on_worker_ready(self, worker: Worker) -> None:
        self._free.append(worker)
        worker.on_exit = lambda: self._free.remove(worker) if worker in self._free else None
        self._dispatch()

    def _dispatch(self) -> None:
        while self._free and (job := self._queue.next()) is not None:
            self._assign(self._free.pop(0), job)

    def _assign(self, worker: Worker, job: _Job) -> None:
        assert worker.connection is not None  # noqa: S101 - it said that it is ready
        if job.timer is not None:
            job.timer.cancel()
        job.worker = worker
        worker.on_message = lambda header, body: self._on_message(worker, job, header, body)
        worker.on_exit = lambda: self._on_worker_exit(job)
        job.timer = asyncio.get_running_loop().call_later(job.seconds, self._on_time_limit, worker, job)
        worker.connection.send(job.message)

    def _on_message(self, worker: Worker, job: _Job, header: dict[str, Any], body: bytes) -> None:
        """Handle a message of a worker about its job: started, the answer or an error, or ready for the next job."""
        if "started" in header:
            job.started = True
            return
        if "died" in header or "error" in header or "media" in header:
            self._on_answer(worker, job, header, body)
        if "rested" in header:
            self._on_finished(worker, job, header["rested"])

    def _on_answer(self, worker: Worker, job: _Job, header: dict[str, Any], body: bytes) -> None:
        if job.timer is not None:
            job.timer.cancel()
        job.timer = asyncio.get_running_loop().call_later(_CLEANUP_SECONDS, self._kill, worker)
        worker.tasks_done += 1
        if "died" in header:
            _log.error("a task failed: %s", header["died"])
            _fail(job, _out_of_memory() if "memory" in header else _died_problem())
        elif "error" in header:
            _fail(job, error_from_dict(header["error"]))
        elif not job.answer.done():
            job.answer.set_result(Answer(body, header["media"]))

    def _on_finished(self, worker: Worker, job: _Job, kept: int) -> None:
        if job.timer is not None:
            job.timer.cancel()
        if kept > self._limits.worker_kept:
            _log.info("a worker process kept %d bytes and is replaced", kept)
            self._kill(worker)  # the job finishes when the process has ended
            return
        self._queue.finished(job.client)
        worker.on_message = None
        self._on_worker_ready(worker)

    def _on_worker_exit(self, job: _Job) -> None:
        """Handle the end of a job's worker. A job that was not started is queued again."""
        if job.timer is not None:
            job.timer.cancel()
        self._queue.finished(job.client)
        if self._workers is None:
            _fail(job, _busy("the service is ending"))
        elif job.started or job.answer.done() or job.lost_workers == self._size:
            aborted = job.worker is not None and job.worker.exitcode == -signal.SIGABRT
            _fail(job, _out_of_memory() if aborted else _died_problem())
        else:  # the worker had not started the job, so that the job is not the cause
            job.worker, job.lost_workers = None, job.lost_workers + 1
            self._start_wait_timer(job)
            self._queue.add(job.client, job)
        self._dispatch()

    def _on_time_limit(self, worker: Worker, job: _Job) -> None:
        detail = f"the task took longer than {job.seconds:g} s; request less"
        _fail(job, Problem(504, "time-limit", detail))
        self._kill(worker)

    def _kill(self, worker: Worker) -> None:
        if self._workers is not None:
            self._workers.kill(worker)

    def _release(self, job: _Job) -> None:
        """Release a job whose caller has its answer or was cancelled."""
        self._clients[job.client] -= 1
        if not self._clients[job.client]:
            del self._clients[job.client]
        if job.worker is None:
            if job.timer is not None:
                job.timer.cancel()
            self._queue.remove(job.client, job)
        elif job.answer.cancelled():
            self._kill(job.worker)


def _fail(job: _Job, error: Exception) -> None:
    if not job.answer.done():
        job.answer.set_exception(error)


def _busy(why: str, retry: int = _MAX_RETRY_AFTER) -> Problem:
    return Problem(503, "busy", f"expected a process to be free, but {why}", headers={"Retry-After": str(retry)})


def _out_of_memory() -> Problem:
    """Return the problem of a task that exceeded the memory limit; the engine aborts when an allocation fails."""
    return Problem(507, "out-of-memory", "the task needs more memory than the limit; request less")


def _died_problem() -> Problem:
    return Problem(500, "task-died", "the worker process ended while it ran the task; request less")


# Tasks for a request, which are cancelled when the client disconnects.


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
    return await _while_connected(request, pool, tasks)


async def _while_connected(request: Request, pool: Pool, tasks: Sequence[Task]) -> list[Answer]:
    running = asyncio.ensure_future(_run_all(pool, tasks))
    disconnected = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait((running, disconnected), return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            return running.result()
        raise Problem(408, "client-gone", "the client disconnected before the answer was ready")
    finally:
        for future in (running, disconnected):
            future.cancel()
        await asyncio.gather(running, disconnected, return_exceptions=True)


async def _run_all(pool: Pool, tasks: Sequence[Task]) -> list[Answer]:
    running = [asyncio.ensure_future(pool.run(task)) for task in tasks]
    try:
        return [await task for task in running]
    finally:
        for future in running:
            future.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
