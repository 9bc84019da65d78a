"""A worker pool for tests, with its event loop in a thread, a generated store, and faulty task types."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar, cast

import pyoxigraph as ox

from graph.errors import BadName, Span, UnknownName
from graph.store import Store, open_for_writing
from service.web.http.problems import Problem
from service.web.settings import Limits, Settings
from service.web.task_types import TASK_TYPES
from service.web.tasks.messages import Answer
from service.web.tasks.pool import Pool, Task
from tests.support.engines import embedded

T = TypeVar("T")


def _answer(text: str) -> Answer:
    return Answer(text.encode(), "text/plain")


def echo(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the argument ``text`` and the process id."""
    return _answer(f"{arguments.get('text')} {os.getpid()}")


def number(store: Store, _: Mapping[str, object]) -> Answer:
    """Return the number of quads, counted twice with a pause."""
    before = len(store)
    time.sleep(0.05)
    assert len(store) == before
    return _answer(str(before))


def sleep(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Sleep for some seconds."""
    time.sleep(float(str(arguments["seconds"])))
    return _answer("slept")


def work(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Use the processor for some seconds; return when the work began, on the monotonic clock."""
    began, until = time.monotonic(), time.process_time() + float(str(arguments["seconds"]))
    while time.process_time() < until:
        pass
    return _answer(str(began))


def die(_: Store, arguments: Mapping[str, object]) -> Answer:
    """End the process by a signal."""
    os.kill(os.getpid(), int(str(arguments["signal"])))
    time.sleep(1)  # the signal may be delivered to another thread first
    return _answer("alive")


def fault(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Raise an expected or an unexpected error, as the argument ``what`` names it."""
    match arguments["what"]:
        case "BadName":
            raise BadName("expected a date", "lei:20x0", span=Span(4, 8), code="bad-date", section="4.4")
        case "UnknownName":
            raise UnknownName("urn:lex:br:\udce1")
        case "Problem":
            raise Problem(410, "gone", "it was here", headers={"X-A": "b"}, more={"n": 1})
        case "MemoryError":
            return Answer(bytes(1 << 40), "text/plain")
        case _:
            raise ZeroDivisionError(arguments["what"])


def grow(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Keep memory allocated after the task has ended; return the process id."""
    _KEPT.append(b"x" * int(str(arguments["bytes"])))
    return _answer(str(os.getpid()))


_KEPT: list[bytes] = []


def large(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Return an answer of ``bytes`` bytes, made without the limited buffer."""
    return Answer(b"x" * int(str(arguments["bytes"])), "text/plain")


def unguarded(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the rows of a query that was not checked before."""
    return _answer(str(list(cast("Iterator[object]", store.answer(str(arguments["query"]))))))


def escape(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Try what a worker must not do; return the outcome of each attempt."""
    port, path = int(str(arguments["port"])), Path(str(arguments["path"]))
    attempts: dict[str, Callable[[], object]] = {
        "tcp": lambda: socket.create_connection(("127.0.0.1", port), timeout=1),
        "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port)),
        "tcp6": lambda: socket.socket(socket.AF_INET6),
        "unix": lambda: socket.socket(socket.AF_UNIX),
        "program": lambda: subprocess.run(["/bin/true"], check=True),
        "write": lambda: path.write_text("x", encoding="ascii"),
        "append": lambda: path.with_name("kept").open("a", encoding="ascii"),
        "delete": lambda: path.with_name("kept").unlink(),
        "rename": lambda: path.with_name("kept").rename(path),
        "folder": path.mkdir,
    }
    return _answer("\n".join(f"{name} {_outcome(attempt)}" for name, attempt in attempts.items()))


def collect(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Collect more distinct rows by SQL than SQLite's cache of temporary tables holds."""
    connection = store.names._connection  # noqa: SLF001 - no query of the index collects as much in a small store
    query = "WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT x + 1 FROM n WHERE x < ?) SELECT DISTINCT hex(x) FROM n"
    return _answer(str(sum(1 for _ in connection.execute(query, (int(str(arguments["rows"])),)))))


def _outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except (OSError, subprocess.SubprocessError) as error:
        return type(error).__name__
    return "done"


#: The task types for tests, and those of the service.
MISBEHAVING = {
    **TASK_TYPES,
    **{
        kind.__name__: kind for kind in (echo, number, sleep, work, die, fault, grow, large, unguarded, escape, collect)
    },
}


class Asking:
    """A running pool, used from the thread of the test."""

    def __init__(self, pool: Pool, loop: asyncio.AbstractEventLoop) -> None:
        self.pool, self._loop = pool, loop

    def do(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine in the event loop of the pool."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def begin(self, kind: str, client: str = "a", **arguments: object) -> Future[Answer]:
        """Start a task; return the future of its answer."""
        return self.do(self.pool.run(Task(kind, arguments, client)))

    def share(self, kind: str, client: str, **arguments: object) -> Future[Answer]:
        """Start a task that is shared with others who ask for the same; return the future of its answer."""
        return self.do(self.pool.run(Task(kind, arguments, client, shared=True)))

    def run(self, kind: str, client: str = "a", **arguments: object) -> str:
        """Run a task; return its answer as text."""
        return self.begin(kind, client, **arguments).result(30).body.decode()

    def taken(self) -> None:
        """Wait until no task waits for a process."""
        ends = time.monotonic() + 10
        asked = self.do(asyncio.sleep(0))  # tasks that were started before are in the queue now
        asked.result(10)
        while self.pool.waiting:
            assert time.monotonic() < ends, f"expected no task to wait, got {self.pool.waiting}"
            time.sleep(0.005)

    def whole(self, workers: int = 2) -> tuple[int, ...]:
        """Wait until all workers have started; return their process ids."""
        ends = time.monotonic() + 10
        while len(self.pool.pids) < workers:
            assert time.monotonic() < ends, f"expected {workers} workers, got {self.pool.pids}"
            time.sleep(0.005)
        return self.pool.pids

    def at_rest(self, workers: int = 2) -> tuple[int, ...]:
        """Wait until all workers are idle; return their process ids. A worker becomes idle shortly after its answer."""
        ends = time.monotonic() + 10
        while (free := len(self.pool._free)) < workers:  # noqa: SLF001 - only tests need the idle workers
            assert time.monotonic() < ends, f"expected {workers} idle workers, got {free}"
            time.sleep(0.005)
        return self.pool.pids


@contextmanager
def asking(store: Path, workers: int = 2, *, wait: bool = True, **limits: Any) -> Iterator[Asking]:
    """Run a pool over a store with these limits until the block ends."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        pool = Pool(Settings(store, query_workers=workers, limits=Limits(**limits)), MISBEHAVING)
        pool_client = Asking(pool, loop)
        pool_client.do(pool.__aenter__()).result(30)
        try:
            if wait:
                pool_client.do(pool.ready()).result(30)
            yield pool_client
        finally:
            pool_client.do(pool.__aexit__(None, None, None)).result(30)
            pool_client.do(asyncio.sleep(0.02)).result(30)  # the tasks that failed by it end too
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def fill(folder: Path, subjects: int) -> Path:
    """Publish a store with subjects linked in a ring, each with a long text, in one graph; return its folder."""
    graph, linked, text = (ox.NamedNode(f"http://x.example/{name}") for name in ("graph", "next", "text"))
    nodes = [ox.NamedNode(f"http://x.example/{n}") for n in range(subjects)]
    with open_for_writing(folder, create=True) as store:
        embedded(store).extend(
            quad
            for n, node in enumerate(nodes)
            for quad in (
                ox.Quad(node, linked, nodes[(n + 1) % subjects], graph),
                ox.Quad(node, text, ox.Literal("a" * 40 + str(n)), graph),
            )
        )
        store.changed = True
    return folder


def rss(process: int) -> int:
    """Return the resident memory of a process, in KiB."""
    match = re.search(r"VmRSS:\s*([0-9]+) kB", Path(f"/proc/{process}/status").read_text(encoding="ascii"))
    assert match is not None
    return int(match[1])


def alive(process: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


def gone(*processes: int) -> bool:
    """Return whether these processes end within five seconds."""
    ends = time.monotonic() + 5
    while any(map(alive, processes)):
        if time.monotonic() > ends:
            return False
        time.sleep(0.01)
    return True


def kill(process: int) -> None:
    """Kill a process of a pool with SIGKILL."""
    os.kill(process, signal.SIGKILL)
