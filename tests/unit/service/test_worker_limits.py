"""Tests of the limits of workers: the queue, the share of one client, fairness, and disconnecting clients."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from graph.errors import BadQuery
from service.web.http.problem_codes import MEANINGS
from service.web.http.problems import Problem
from service.web.settings import Limits
from service.web.tasks import pool
from service.web.tasks.messages import LIMITS, PREFIX, Answer, BadMessage, CappedBuffer, MessageReader, pack
from service.web.tasks.pool import FairQueue, Job, Task
from tests.support.tasks import Asking, asking, fill


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("limits") / "store", 50)


@pytest.fixture(scope="module")
def asked(store: Path) -> Iterator[Asking]:
    """Start one worker with a queue of three, and three tasks for each client."""
    with asking(
        store, workers=1, query_seconds=1, waiting=3, per_client=3, query_length=1000, answer_bytes=5_000
    ) as pool_client:
        yield pool_client


def _problem(task: Future[Answer], status: int, code: str) -> Problem:
    error = task.exception(10)
    assert isinstance(error, Problem)
    assert (error.status, error.code) == (status, code), error.detail
    return error


def test_tasks_of_a_client_and_the_queue_are_limited(asked: Asking) -> None:
    tasks = [asked.begin("sleep", "a", seconds=0.3) for _ in range(3)]
    assert _problem(asked.begin("echo", "a"), 429, "too-many-requests").headers == {"Retry-After": "1"}
    assert asked.begin("echo", "b").result(5)
    assert all(task.result(5) for task in tasks)
    assert asked.begin("echo", "a").result(5), "what has ended no longer counts"
    tasks = [asked.begin("sleep", "first", seconds=0.5)]
    asked.taken()
    tasks += [asked.begin("sleep", str(n), seconds=0.1) for n in range(3)]
    assert _problem(asked.begin("echo", "late"), 503, "busy").headers == {"Retry-After": "1"}
    assert all(task.result(5) for task in tasks)
    assert asked.pool.waiting == 0
    assert asked.begin("echo", "late").result(5)


def test_waiting_time_is_limited(asked: Asking) -> None:
    """Run a task of a type that may take longer than the time limit for queued tasks."""
    running = asked.do(asked.pool.run(Task("sleep", {"seconds": 1}, "a", 8)))
    refused = _problem(asked.do(asked.pool.run(Task("echo", {}, "b", 0.1))), 503, "busy")
    assert "no process was free for 0.4 s" in refused.detail
    assert running.result(8)


def test_clients_are_served_in_turn(store: Path) -> None:
    """Check that a client with three tasks at once delays only itself, and not a client that comes later."""
    ended: list[str] = []
    with asking(store, workers=1, query_seconds=5, waiting=4) as asked:

        async def run_task(client: str) -> None:
            await asked.pool.run(Task("sleep", {"seconds": 0.05}, client))
            ended.append(client)

        async def all_at_once() -> None:
            await asyncio.gather(run_task("a"), run_task("a"), run_task("a"), run_task("b"))

        asked.do(all_at_once()).result(5)
    assert ended.index("b") < 2


def test_one_client_never_uses_every_worker(store: Path) -> None:
    with asking(store, workers=2, query_seconds=5) as asked:
        asked.whole()
        tasks = [asked.begin("sleep", "a", seconds=0.4) for _ in range(3)]
        began = time.monotonic()
        asked.run("echo", "b")
        assert time.monotonic() - began < 0.3
        assert [task.done() for task in tasks] == [False, False, False]
        for task in tasks:
            task.result(5)


def test_strangers_leave_a_worker_to_others(store: Path) -> None:
    """Start as many endless queries of strangers as there are workers: another client is answered before they end."""
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    with asking(store, workers=3, query_seconds=30, quick_seconds=0.1, crowded_seconds=0.3) as asked:
        asked.whole(3)
        strangers = [asked.begin("sparql", f"stranger {n}", query=endless) for n in range(3)]
        asked.taken()
        assert asked.begin("work", "reader", seconds=0.05).result(60)
        assert asked.begin("work", "reader", seconds=0.5).result(60), "a long task gets its turn too"
        ended = [_problem(task, 504, "time-limit") for task in strangers if task.done()]
        assert ended, "expected the place of a stranger"
        assert all("and others wait" in problem.detail for problem in ended)
        for task in strangers:
            task.cancel()


def test_limit_counts_processor_time(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with asking(store, workers=1, query_seconds=0.4) as asked:
        assert "longer than 1.6 s" in _problem(asked.begin("sleep", seconds=5), 504, "time-limit").detail
        monkeypatch.setattr(pool, "_PATIENCE", 100)  # for a busy machine
        assert asked.run("sleep", seconds=0.8) == "slept"
        assert "0.4 s of processor time" in _problem(asked.begin("work", seconds=20), 504, "time-limit").detail


def test_large_pages_end_and_small_ones_pass_them(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for four large pages and one small one of one worker: all are answered, the small one early."""
    ended: list[str] = []
    monkeypatch.setattr(pool, "_PATIENCE", 100)  # for a busy machine
    with asking(store, workers=2, query_seconds=5, quick_seconds=0.1, crowded_seconds=0.2) as asked:
        asked.whole()

        async def read(page: str, seconds: float) -> None:
            await asked.pool.run(Task("work", {"page": page, "seconds": seconds}, page, shared=True))
            ended.append(page)

        async def all_at_once() -> None:
            await asyncio.gather(*(read(f"large {n}", 0.5) for n in range(4)), read("small", 0.01))

        asked.do(all_at_once()).result(120)
    assert len(ended) == 5
    assert ended.index("small") < 2


def test_readers_of_one_page_share_its_work(store: Path) -> None:
    with asking(store, workers=2, query_seconds=5) as asked:
        asked.whole()
        readers = [asked.share("work", f"reader {n}", seconds=0.3) for n in range(16)]
        assert len({task.result(10).body for task in readers}) == 1
        gone = asked.share("work", "gone", seconds=0.5)
        asked.taken()
        (job,) = asked.pool._queue  # noqa: SLF001 - it identifies the work
        gone.cancel()
        assert asked.share("work", "gone", seconds=0.5).result(10) is job.answer.result(), "work that was begun is kept"


#: The first tasks of a worker, about a norm that the fork server does not know: it prints what they import, compile and
#: cache once for all.
FIRST_TASKS_SCRIPT = """
import functools, gc, re, sys
from service.web import prepared
import samples
def once():
    wrappers = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    whole = [each for each in wrappers if each.cache_parameters()["maxsize"] is None]
    return {f"{each.__module__}.{each.__qualname__}": each.cache_info().misses for each in whole}
store = prepared.store_of(samples.folder() / "lexml_xml" / "lei-8078-1990.xml")
modules, expressions, results = set(sys.modules), set(re._cache), once()
for kind, arguments in prepared.tasks("urn:lex:br:federal:lei:1990-09-11;8078").items():
    prepared.TASK_TYPES[kind](store, arguments)
print(set(sys.modules) - modules, set(re._cache) - expressions, set(once().items()) - set(results.items()))
"""


def test_first_tasks_of_a_worker_need_no_preparation() -> None:
    command = [sys.executable, "-c", FIRST_TASKS_SCRIPT]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.stderr, ran.stdout) == ("", "set() set() set()\n")


def test_documentation_lists_every_limit_with_its_default() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "reference", "limits.md").read_text(encoding="utf-8")
    documented = dict(re.findall(r"^\| `(\w+)` \| ([0-9.]+) \|", page, re.MULTILINE))
    assert documented == {name: str(value) for name, value in dataclasses.asdict(Limits()).items()}
    assert set(re.findall(r"[0-9]{3} `([a-z-]+)`", page)) <= set(MEANINGS)


#: Steps with a queue of two places: jobs that are added, with their clients (upper case: long), removed ("-"),
#: run ("!") or queued again as long ("~"); then the jobs in the order in which they run.
TURNS = {
    "a removed job": (["a1", "-a1"], []),
    "two places for one client": (["a1", "a2", "a3"], ["a1", "a2"]),
    "a client that comes later": (["a1", "a2", "a3", "b1"], ["a1", "b1", "a2"]),
    "a place that becomes free": (["a1", "a2", "a3", "-a1"], ["a2", "a3"]),
    "two places for long jobs": (["A1", "B1", "C1", "d1"], ["A1", "d1", "B1"]),
    "a job of a busy client and of a free one": (["a1", "a2", "ab"], ["a1", "ab"]),
    "every second turn is of the last client": (["a1", "b1", "c1", "d1", "d2"], ["a1", "d1", "b1", "c1", "d2"]),
    "a new job passes long ones": (["a1", "b1", "!", "!", "~a1", "~b1", "c1"], ["a1", "b1", "c1", "a1", "b1"]),
    "a new job passes new ones": (["a1", "b1", "c1", "!", "~a1", "d1"], ["a1", "d1", "b1", "c1", "a1"]),
}


@pytest.mark.parametrize(("steps", "expected"), TURNS.values(), ids=TURNS)
def test_turns_of_jobs(steps: list[str], expected: list[str]) -> None:
    loop, queue, jobs, ran = asyncio.new_event_loop(), FairQueue(2), dict[str, Job](), list[Job | None]()
    for step in steps:
        if step == "!":
            ran.append(queue.next())
            continue
        if step.startswith("-"):
            queue.remove(jobs[step[1:]])
            continue
        if step.startswith("~"):
            jobs[step[1:]].is_long = True
            queue.add_again(jobs[step[1:]])
            continue
        jobs[step] = Job(step, b"", False, 1, 0, loop.create_future(), set(step.strip("123").lower()))
        jobs[step].is_long = step[0].isupper()
        queue.add(jobs[step])
    assert [job and job.key for job in (*ran, *iter(queue.next, None))] == expected
    loop.close()


def test_query_and_answer_sizes_are_limited(asked: Asking) -> None:
    query = "SELECT * { ?s ?p ?o } #"
    _problem(asked.begin("sparql", query=query + "x" * 1000), 413, "query-too-long")
    _problem(asked.begin("sparql", query=query), 413, "answer-too-large")
    triples = asked.begin("sparql", query="CONSTRUCT WHERE { ?s ?p ?o }", accept="application/n-triples")
    _problem(triples, 413, "answer-too-large")
    assert len(json.loads(asked.run("sparql", query=f"{query}\nLIMIT 10"))["results"]["bindings"]) == 10
    assert isinstance(asked.begin("sparql", query=f"ASK {'{' * 101}").exception(5), BadQuery)


def test_buffer_size_is_limited() -> None:
    token = LIMITS.set(Limits(answer_bytes=4))
    try:
        buffer = CappedBuffer()
        buffer.write(b"ab")
        buffer.write(memoryview(b"cd"))
        with pytest.raises(Problem, match="at most 4 bytes"):
            buffer.write(b"e")
        assert buffer.getvalue() == b"abcd"
    finally:
        LIMITS.reset(token)


def test_invalid_messages_are_rejected() -> None:
    with pytest.raises(BadMessage, match="expected a message of at most"):
        list(MessageReader(10).messages(pack({}, b"x" * 11)))
    with pytest.raises(BadMessage, match="expected JSON"):
        list(MessageReader(10).messages(PREFIX.pack(1, 0) + b"{"))
