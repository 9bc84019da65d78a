"""A pool of tasks for tests: its event loop in a thread, a store of some thousand quads, and kinds that misbehave."""

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

__all__ = ["MISBEHAVING", "Asking", "alive", "asking", "fill", "gone", "kill", "rss"]

T = TypeVar("T")


def _answer(text: str) -> Answer:
    return Answer(text.encode(), "text/plain")


def echo(_: Store, arguments: Mapping[str, object]) -> Answer:
    """What it was given, and where it ran."""
    return _answer(f"{arguments.get('text')} {os.getpid()}")


def number(store: Store, _: Mapping[str, object]) -> Answer:
    """How many quads there are, counted twice with a pause."""
    before = len(store)
    time.sleep(0.05)
    assert len(store) == before
    return _answer(str(before))


def sleep(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Sleep for some seconds."""
    time.sleep(float(str(arguments["seconds"])))
    return _answer("slept")


def die(_: Store, arguments: Mapping[str, object]) -> Answer:
    """End by a signal."""
    os.kill(os.getpid(), int(str(arguments["signal"])))
    time.sleep(1)  # it may reach another thread first
    return _answer("alive")


def fault(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Raise what a programmer did not think of, or what they did."""
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
    """Keep memory after the end."""
    _KEPT.append(b"x" * int(str(arguments["bytes"])))
    return _answer(str(os.getpid()))


_KEPT: list[bytes] = []


def large(_: Store, arguments: Mapping[str, object]) -> Answer:
    """An answer of some bytes, made without the capped buffer."""
    return Answer(b"x" * int(str(arguments["bytes"])), "text/plain")


def unguarded(store: Store, arguments: Mapping[str, object]) -> Answer:
    """What the engine says to a query that nobody looked at before."""
    return _answer(str(list(cast("Iterator[object]", store.answer(str(arguments["query"]))))))


def escape(_: Store, arguments: Mapping[str, object]) -> Answer:
    """Try to reach what a worker must not; what came of it."""
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


#: Kinds for tests, with those of the service.
MISBEHAVING = {
    **TASK_TYPES,
    **{kind.__name__: kind for kind in (echo, number, sleep, die, fault, grow, large, unguarded, escape, collect)},
}


class Asking:
    """A pool that runs, asked from the test's own thread."""

    def __init__(self, pool: Pool, loop: asyncio.AbstractEventLoop) -> None:
        self.pool, self._loop = pool, loop

    def do(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Run something in the pool's loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def begin(self, kind: str, client: str = "a", **arguments: object) -> Future[Answer]:
        """Begin a task."""
        return self.do(self.pool.run(Task(kind, arguments, client)))

    def run(self, kind: str, client: str = "a", **arguments: object) -> str:
        """The answer of a task, as text."""
        return self.begin(kind, client, **arguments).result(30).body.decode()

    def taken(self) -> None:
        """Wait until no task waits for a process: whoever came before has one."""
        ends = time.monotonic() + 10
        asked = self.do(asyncio.sleep(0))  # what was begun before has been put in the line
        asked.result(10)
        while self.pool.waiting:
            assert time.monotonic() < ends, f"expected no task to wait, got {self.pool.waiting}"
            time.sleep(0.005)

    def whole(self, workers: int = 2) -> tuple[int, ...]:
        """The processes of the workers, once all are there."""
        ends = time.monotonic() + 10
        while len(self.pool.pids) < workers:
            assert time.monotonic() < ends, f"expected {workers} workers, got {self.pool.pids}"
            time.sleep(0.005)
        return self.pool.pids

    def at_rest(self, workers: int = 2) -> tuple[int, ...]:
        """The processes of the workers, once all are there and none does anything: an answer leaves before its rest."""
        ends = time.monotonic() + 10
        while (free := len(self.pool._free)) < workers:  # noqa: SLF001 - who rests is nobody's business but a test's
            assert time.monotonic() < ends, f"expected {workers} workers at rest, got {free}"
            time.sleep(0.005)
        return self.pool.pids


@contextmanager
def asking(store: Path, workers: int = 2, *, wait: bool = True, **limits: Any) -> Iterator[Asking]:
    """A pool over a store with these limits, until the block ends."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        pool = Pool(Settings(store, query_workers=workers, limits=Limits(**limits)), MISBEHAVING)
        found = Asking(pool, loop)
        found.do(pool.__aenter__()).result(30)
        try:
            if wait:
                found.do(pool.ready()).result(30)
            yield found
        finally:
            found.do(pool.__aexit__(None, None, None)).result(30)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def fill(folder: Path, subjects: int) -> Path:
    """A published store: so many subjects in a ring, each with a long text, in one graph."""
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
    """Memory of a process, in KiB."""
    found = re.search(r"VmRSS:\s*([0-9]+) kB", Path(f"/proc/{process}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1])


def alive(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


def gone(*processes: int) -> bool:
    """Whether these processes end within some seconds."""
    ends = time.monotonic() + 5
    while any(map(alive, processes)):
        if time.monotonic() > ends:
            return False
        time.sleep(0.01)
    return True


def kill(process: int) -> None:
    """Kill a process of a pool's."""
    os.kill(process, signal.SIGKILL)
