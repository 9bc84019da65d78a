"""Tests of the processes of a pool: replacement, shutdown with the service, new snapshots, and released memory."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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

ROOT = Path(__file__).resolve().parents[2]
#: A service to be killed: it prints the process ids of its fork server and of its two workers, which are busy.
SERVICE_SCRIPT = """
import sys, time
from multiprocessing import forkserver
from pathlib import Path
from typing import Any
from tests.support.serve_process import until
from tests.support.tasks import asking
with asking(Path(sys.argv[1]), query_seconds=60) as asked:
    workers = asked.whole()
    task = asked.begin("sleep", seconds=60)
    query = asked.begin("sparql", "b", query="SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
    time.sleep(0.2)
    print(forkserver._forkserver._forkserver_pid, *workers, flush=True)
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("processes") / "store", 1000)


@pytest.fixture(scope="module")
def asked(store: Path) -> Iterator[Asking]:
    with asking(store, query_seconds=5, answer_bytes=1 << 20, worker_kept=96 << 20) as pool_client:
        pool_client.whole()
        yield pool_client


def _problem(asked: Asking, kind: str, **arguments: Any) -> tuple[int, str]:
    error = asked.begin(kind, **arguments).exception(30)
    assert isinstance(error, Problem), error
    return error.status, error.code


def _sleep_task(seconds: float) -> Task:
    """Return a task that sleeps for 20 seconds, with this time limit in seconds."""
    return Task("sleep", {"seconds": 20}, "a", seconds)


def _replacement_workers(asked: Asking, before: tuple[int, ...]) -> tuple[int, ...]:
    """Wait until all earlier workers have been replaced; return the process ids of the new ones."""
    ends = time.monotonic() + 30
    while len(now := asked.pool.pids) < 2 or set(now) & set(before):
        assert time.monotonic() < ends, f"expected others than {before}, got {now}"
        time.sleep(0.005)
    return now


def test_task_exception_reaches_the_caller(asked: Asking) -> None:
    error = asked.begin("fault", what="BadName").exception(30)
    assert isinstance(error, BadName)
    assert (error.code, error.span, error.text) == ("bad-date", Span(4, 8), "lei:20x0")
    assert str(error).startswith("expected a date\n  lei:20x0\n")
    unknown = asked.begin("fault", what="UnknownName").exception(30)
    assert isinstance(unknown, UnknownName)
    assert unknown.name == "urn:lex:br:\udce1"
    problem = asked.begin("fault", what="Problem").exception(30)
    assert isinstance(problem, Problem)
    assert (problem.status, problem.headers, problem.more) == (410, {"X-A": "b"}, {"n": 1})
    with pytest.raises(KeyError, match="expected one of"):
        asked.run("none")


def test_unexpected_error_ends_the_process_without_logging_values(
    asked: Asking, caplog: pytest.LogCaptureFixture
) -> None:
    before = asked.whole()
    with caplog.at_level(logging.ERROR, "vigente.service"):
        assert _problem(asked, "fault", what="secret") == (500, "task-died")
    assert "ZeroDivisionError" in caplog.text
    assert "secret" not in caplog.text
    assert _problem(asked, "fault", what="MemoryError") == (507, "out-of-memory")
    _replacement_workers(asked, before)
    assert asked.run("echo", text="here").startswith("here ")


def test_crashed_worker_is_replaced(asked: Asking, caplog: pytest.LogCaptureFixture) -> None:
    before = asked.whole()
    for number in (signal.SIGKILL, signal.SIGSEGV):
        assert _problem(asked, "die", signal=int(number)) == (500, "task-died")
    _replacement_workers(asked, before)
    assert "ended by SIGSEGV" in caplog.text


def test_killed_worker_fails_one_request_and_is_replaced(asked: Asking) -> None:
    """Kill a worker at work and an idle one: one request ends with 500, and no other is affected."""
    before = asked.whole()
    task = asked.begin("sleep", seconds=5)
    time.sleep(0.1)
    for process in before:
        kill(process)
    error = task.exception(5)
    assert isinstance(error, Problem)
    assert error.code == "task-died"
    assert asked.run("echo", "b", text="again").startswith("again ")
    _replacement_workers(asked, before)
    assert gone(*before)


def test_workers_go_on_while_a_killed_fork_server_is_replaced(store: Path) -> None:
    with asking(store, query_seconds=20) as asked:
        before, server = asked.whole(), _fork_server_pid()
        running = asked.begin("sleep", seconds=0.5)
        asked.taken()
        kill(server)
        assert running.result(10).body == b"slept"
        assert int(asked.run("echo", "b", text="x").split()[1]) in before
        until(lambda: _fork_server_pid() != server)
        assert asked.pool.pids == before
        sleeping = asked.do(asked.pool.run(_sleep_task(0.3)))
        assert sleeping.exception(10).code == "time-limit"  # type: ignore[union-attr]
        for process in set(before) & set(asked.pool.pids):
            kill(process)
        after = _replacement_workers(asked, before)
        assert asked.run("echo", text="again").startswith("again ")
        assert gone(*before)
    assert gone(*after)


def _fork_server_pid() -> int:
    process: int = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]  # noqa: SLF001 - no public name
    return process


def test_timed_out_task_is_killed_and_its_worker_replaced(asked: Asking) -> None:
    before = asked.whole()
    began = time.monotonic()
    task = asked.do(asked.pool.run(_sleep_task(0.3)))
    problem = task.exception(5)
    assert isinstance(problem, Problem)
    assert (problem.status, problem.code) == (504, "time-limit")
    assert time.monotonic() - began >= 0.3
    asked.run("echo", text="x")
    assert len(set(asked.whole()) & set(before)) == 1


def test_cancelled_tasks_free_their_slots(asked: Asking) -> None:
    before = asked.whole()
    tasks = [asked.begin("sleep", seconds=5) for _ in range(4)]
    assert asked.begin("echo").exception(5).code == "too-many-requests"  # type: ignore[union-attr]
    for task in reversed(tasks):  # if the running task were cancelled first, the next one would start, and need a kill
        task.cancel()
    began = time.monotonic()
    assert asked.run("echo", text="free").startswith("free ")
    assert time.monotonic() - began < 4
    assert asked.pool.waiting == 0
    assert len(set(asked.whole()) & set(before)) == 1


def test_a_worker_that_keeps_memory_is_replaced(asked: Asking) -> None:
    asked.whole()
    fat = int(asked.run("grow", bytes=128 << 20))
    assert gone(fat)
    assert all(rss(process) < 96 << 10 for process in asked.at_rest())
    same = int(asked.run("grow", bytes=1 << 20))
    assert alive(same)


def test_answer_size_is_limited(asked: Asking) -> None:
    assert len(asked.begin("large", bytes=1 << 20).result(5).body) == 1 << 20
    assert _problem(asked, "large", bytes=(1 << 20) + 1) == (413, "answer-too-large")


def test_many_quick_tasks_leak_nothing(asked: Asking) -> None:
    def ask(times: int) -> None:
        for n in range(times):
            assert asked.run("sparql", query=f"ASK {{ ?s ?p {n} }}", accept="text/csv") == "false"

    asked.whole()
    ask(100)
    before = {process: (rss(process), _count_descriptors(process)) for process in asked.at_rest()}
    own = _count_descriptors(os.getpid())
    ask(200)
    assert set(asked.at_rest()) == set(before), "expected the same processes"
    for process, (memory, descriptors) in before.items():
        assert rss(process) - memory < 4 << 10
        assert _count_descriptors(process) == descriptors
    assert _count_descriptors(os.getpid()) == own


def _count_descriptors(process: int) -> int:
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


@pytest.mark.slow
def test_new_snapshot_is_used_under_load(tmp_path: Path) -> None:
    """Check that every request is answered from one snapshot, and the last request from the last snapshot."""
    folder = fill(tmp_path / "store", 100)
    with asking(folder, per_client=8) as asked, ThreadPoolExecutor(4) as threads:
        asked.whole()
        published, ends = threading.Event(), time.monotonic() + 60

        def ask(client: int) -> list[int]:
            received = [0]
            while time.monotonic() < ends and not (published.is_set() and received[-1] == 204):
                received.append(int(asked.run("number", str(client))))
            return received[1:]

        asking_all = [threads.submit(ask, client) for client in range(4)]
        for n in range(4):
            time.sleep(0.5)
            with open_for_writing(folder) as store:
                node = ox.NamedNode(f"http://x.example/new/{n}")
                embedded(store).extend([ox.Quad(node, node, node, node)])
                store.changed = True
        published.set()
        all_answers = [numbers.result() for numbers in asking_all]
    for numbers in all_answers:
        assert set(numbers) <= set(range(200, 205))
        assert numbers[-1] == 204
        assert len(numbers) > 10


def test_closing_the_pool_ends_all_processes(store: Path) -> None:
    with asking(store) as asked:
        workers = asked.whole()
        assert all(map(alive, workers))
        task = asked.begin("sleep", seconds=20)
        time.sleep(0.1)
    assert gone(*workers)
    error = task.exception(5)
    assert isinstance(error, Problem)
    assert error.code == "busy"
    with pytest.raises(RuntimeError, match="expected a running pool"):
        asked.pool.run(_sleep_task(1)).send(None)


def test_killing_the_service_ends_all_processes(store: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVICE_SCRIPT, str(store)], stdout=subprocess.PIPE, cwd=ROOT
    ) as service:
        assert service.stdout is not None
        processes = [int(word) for word in service.stdout.readline().split()]
        assert len(processes) == 3
        assert all(map(alive, processes))
        service.kill()
        service.wait()
        assert gone(*processes)


def test_missing_store_is_reported_and_opened_later(tmp_path: Path) -> None:
    with asking(tmp_path / "store") as asked:
        assert isinstance(asked.begin("number").exception(5), StoreProblem)
        fill(tmp_path / "store", 10)
        assert asked.run("number") == "20"


def test_workers_killed_while_idle_fail_no_request(asked: Asking) -> None:
    """Kill all workers and submit a task at once: it does not fail, because no worker had received it."""
    for _ in range(5):
        workers = asked.whole()

        async def at_once(processes: tuple[int, ...]) -> str:
            for process in processes:
                kill(process)
            return (await asked.pool.run(Task("echo", {"text": "at once"}, "b"))).body.decode()

        assert asked.do(at_once(workers)).result(10).startswith("at once ")
        _replacement_workers(asked, workers)


def test_restarts_of_failing_workers_are_limited(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    with asking(store, wait=False, query_seconds=1.5, worker_memory=32 << 20) as asked:
        error = asked.begin("echo").exception(20)
        assert isinstance(error, Problem)
        assert error.code == "busy"
    attempts = sum("ended at their start" in record.message for record in caplog.records)
    assert 1 <= attempts <= 10
