"""Tests of the processes of a pool: replacement, shutdown with the service, new snapshots, and released memory."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from graph.errors import BadName, Span, StoreProblem, UnknownName
from graph.store import open_for_writing
from service.web.http.problems import Problem
from service.web.tasks.pool import Task
from tests.support.engines import embedded
from tests.support.serve_process import until
from tests.support.tasks import Asking, alive, asking, fill, gone, kill, rss


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("processes") / "store", 1000)


@pytest.fixture(scope="module")
def asked(store: Path) -> Iterator[Asking]:
    with asking(store, query_seconds=5, answer_bytes=1 << 20, worker_kept=96 << 20) as pool_client:
        pool_client.whole()
        yield pool_client


def problem(task: Future[Any]) -> tuple[int, str]:
    error = task.exception(30)
    assert isinstance(error, Problem), error
    return error.status, error.code


def limited(asked: Asking) -> Future[Any]:
    """Start a task of 20 seconds with a limit of 0.3 seconds."""
    return asked.do(asked.pool.run(Task("sleep", {"seconds": 20}, "a", 0.3)))


def replaced(asked: Asking, before: tuple[int, ...]) -> tuple[int, ...]:
    """Wait until all earlier workers have been replaced; return the process ids of the new ones."""
    until(lambda: len(asked.pool.pids) == 2 and not set(asked.pool.pids) & set(before), 30)
    return asked.pool.pids


# Errors of tasks


def test_task_exception_reaches_the_caller(asked: Asking) -> None:
    error = asked.begin("fault", what="BadName").exception(30)
    assert isinstance(error, BadName)
    assert (error.code, error.span, error.text) == ("bad-date", Span(4, 8), "lei:20x0")
    assert str(error).startswith("expected a date\n  lei:20x0\n")
    unknown = asked.begin("fault", what="UnknownName").exception(30)
    assert isinstance(unknown, UnknownName)
    assert unknown.name == "urn:lex:br:\udce1"
    gone_problem = asked.begin("fault", what="Problem").exception(30)
    assert isinstance(gone_problem, Problem)
    assert (gone_problem.status, gone_problem.headers, gone_problem.more) == (410, {"X-A": "b"}, {"n": 1})
    with pytest.raises(KeyError, match="expected one of"):
        asked.run("none")
    assert len(asked.begin("large", bytes=1 << 20).result(5).body) == 1 << 20
    assert problem(asked.begin("large", bytes=(1 << 20) + 1)) == (413, "answer-too-large")


@pytest.mark.parametrize(
    ("tasks", "logged"),
    [
        ([("fault", {"what": "secret"}, (500, "task-died"))], "ZeroDivisionError"),
        ([("fault", {"what": "MemoryError"}, (507, "out-of-memory"))], ""),
        ([("die", {"signal": int(signal.SIGSEGV)}, (500, "task-died"))], "ended by SIGSEGV"),
        ([("die", {"signal": int(signal.SIGKILL)}, (500, "task-died"))], "ended by SIGKILL"),
    ],
)
def test_failed_worker_is_replaced(
    asked: Asking,
    tasks: list[tuple[str, dict[str, Any], tuple[int, str]]],
    logged: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    before = asked.whole()
    with caplog.at_level(logging.WARNING, "vigente.service"):
        for kind, arguments, status in tasks * 2:
            assert problem(asked.begin(kind, **arguments)) == status
    replaced(asked, before)
    assert logged in caplog.text
    assert "secret" not in caplog.text
    assert asked.run("echo", text="here").startswith("here ")


# Killed, late and cancelled tasks


def test_killed_worker_fails_one_request_and_is_replaced(asked: Asking) -> None:
    """Kill a worker at work and an idle one: one request ends with 500, and no other is affected."""
    before = asked.whole()
    task = asked.begin("sleep", seconds=5)
    time.sleep(0.1)
    for process in before:
        kill(process)
    assert problem(task) == (500, "task-died")
    assert asked.run("echo", "b", text="again").startswith("again ")
    replaced(asked, before)
    assert gone(*before)


def test_workers_killed_while_idle_fail_no_request(asked: Asking) -> None:
    """Kill all workers and submit a task at once: it does not fail, because no worker had received it."""
    for _ in range(3):
        workers = asked.whole()

        async def at_once(processes: tuple[int, ...]) -> str:
            for process in processes:
                kill(process)
            return (await asked.pool.run(Task("echo", {"text": "at once"}, "b"))).body.decode()

        assert asked.do(at_once(workers)).result(10).startswith("at once ")
        replaced(asked, workers)


def fork_server() -> int:
    process: int = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]  # noqa: SLF001 - no public name
    return process


def test_workers_go_on_while_a_killed_fork_server_is_replaced(store: Path) -> None:
    with asking(store, query_seconds=20) as asked:
        before, server = asked.whole(), fork_server()
        running = asked.begin("sleep", seconds=0.5)
        asked.taken()
        kill(server)
        assert running.result(10).body == b"slept"
        assert int(asked.run("echo", "b", text="x").split()[1]) in before
        until(lambda: fork_server() != server)
        assert asked.pool.pids == before
        assert problem(limited(asked)) == (504, "time-limit")
        for process in set(before) & set(asked.pool.pids):
            kill(process)
        after = replaced(asked, before)
        assert asked.run("echo", text="again").startswith("again ")
        assert gone(*before)
    assert gone(*after)


def cancelled(asked: Asking) -> None:
    tasks = [asked.begin("sleep", seconds=5) for _ in range(4)]
    assert problem(asked.begin("echo"))[1] == "too-many-requests"
    for task in reversed(tasks):  # if the running task were cancelled first, the next one would start, and need a kill
        task.cancel()


def timed_out(asked: Asking) -> None:
    began = time.monotonic()
    assert problem(limited(asked)) == (504, "time-limit")
    assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize("end", [cancelled, timed_out])
def test_worker_of_an_ended_task_is_replaced_at_once(asked: Asking, end: Callable[[Asking], None]) -> None:
    before = asked.whole()
    end(asked)
    began = time.monotonic()
    assert asked.run("echo", text="free").startswith("free ")
    assert time.monotonic() - began < 4
    assert asked.pool.waiting == 0
    assert len(set(asked.whole()) & set(before)) == 1


# Memory and descriptors


def test_a_worker_that_keeps_memory_is_replaced(asked: Asking) -> None:
    asked.whole()
    assert gone(int(asked.run("grow", bytes=128 << 20)))
    assert all(rss(process) < 96 << 10 for process in asked.at_rest())
    assert alive(int(asked.run("grow", bytes=1 << 20)))


def test_many_quick_tasks_leak_nothing(asked: Asking) -> None:
    def descriptors(process: int) -> int:
        return len(list(Path(f"/proc/{process}/fd").iterdir()))

    def ask(times: int) -> tuple[dict[int, tuple[int, int]], int]:
        for n in range(times):
            assert asked.run("sparql", query=f"ASK {{ ?s ?p {n} }}", accept="text/csv") == "false"
        workers = {process: (rss(process), descriptors(process)) for process in asked.at_rest()}
        return workers, descriptors(os.getpid())

    asked.whole()
    (before, own), (after, own_after) = ask(100), ask(200)
    assert set(before) == set(after), "expected the same processes"
    for process, (memory, count) in before.items():
        assert after[process][0] - memory < 4 << 10
        assert after[process][1] == count
    assert own_after == own


# The store, and the end of the service


@pytest.mark.slow
def test_new_snapshot_is_used_under_load(tmp_path: Path) -> None:
    """Check that every request is answered from one snapshot, and the last request from the last snapshot."""
    with asking(tmp_path / "store", per_client=8) as asked, ThreadPoolExecutor(4) as threads:
        assert isinstance(asked.begin("number").exception(5), StoreProblem)
        folder = fill(tmp_path / "store", 100)
        assert asked.run("number") == "200"
        published, ends = threading.Event(), time.monotonic() + 60

        def ask(client: int) -> list[int]:
            received = [0]
            while time.monotonic() < ends and not (published.is_set() and received[-1] == 203):
                received.append(int(asked.run("number", str(client))))
            return received[1:]

        asking_all = [threads.submit(ask, client) for client in range(4)]
        for n in range(3):
            time.sleep(0.4)
            with open_for_writing(folder) as store:
                node = ox.NamedNode(f"http://x.example/new/{n}")
                embedded(store).extend([ox.Quad(node, node, node, node)])
                store.changed = True
        published.set()
        for numbers in (answers.result() for answers in asking_all):
            assert set(numbers) <= set(range(200, 204))
            assert numbers[-1] == 203
            assert len(numbers) > 10


def test_closing_the_pool_ends_all_processes(store: Path) -> None:
    with asking(store) as asked:
        workers = asked.whole()
        assert all(map(alive, workers))
        task = asked.begin("sleep", seconds=20)
        time.sleep(0.1)
    assert gone(*workers)
    assert problem(task)[1] == "busy"
    with pytest.raises(RuntimeError, match="expected a running pool"):
        asked.pool.run(Task("sleep", {"seconds": 1}, "a")).send(None)


def test_restarts_of_failing_workers_are_limited(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    with asking(store, wait=False, query_seconds=1.5, worker_memory=32 << 20) as asked:
        assert problem(asked.begin("echo"))[1] == "busy"
    assert 1 <= sum("ended at their start" in record.message for record in caplog.records) <= 10
