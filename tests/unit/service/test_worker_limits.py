"""Tests of workers: the fair queue, the share of one client, disconnecting clients, and newer snapshots."""

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

import httpx
import pytest
from pyoxigraph import Literal, NamedNode, Quad
from starlette.types import Message, Receive, Scope, Send

from graph.errors import BadQuery
from graph.store import open_for_writing
from service.web.http.problem_codes import MEANINGS
from service.web.http.problems import Problem
from service.web.middleware.requests import FairRequestQueue, RequestRecord
from service.web.settings import Limits, Settings
from service.web.tasks import pool
from service.web.tasks.messages import LIMITS, PREFIX, Answer, BadMessage, CappedBuffer, MessageReader, pack
from service.web.tasks.pool import FairQueue, Job, Task
from tests.support.cases import constant
from tests.support.engines import embedded
from tests.support.serve_process import served, until
from tests.support.tasks import Asking, asking, fill
from tests.support.web import serving

# The limits of workers


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
FIRST_TASKS_SCRIPT = constant("programs", "worker_limits_first_tasks_script")


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


# The fair queue


_CROWD, _OTHER = "192.0.2.1", "192.0.2.2"


class _RecordingApplication:
    """An application that records the client of each request that it starts."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    async def __call__(self, scope: Scope, _: Receive, __: Send) -> None:
        self.begun.append(scope["client"][0])


class _ResponseRecorder:
    def __init__(self) -> None:
        self.status = 0

    async def send(self, message: Message) -> None:
        self.status = message.get("status", self.status)


async def _receive_disconnect() -> Message:
    return {"type": "http.disconnect"}


def _send_request(queue: FairRequestQueue, client: str, answer: _ResponseRecorder) -> asyncio.Task[None]:
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": (client, 1)}
    return asyncio.create_task(queue(scope, _receive_disconnect, answer.send))


def _run_requests(
    most: int, *clients: str, gone: int = 0
) -> tuple[list[str], list[_ResponseRecorder], list[RequestRecord]]:
    """Return the clients whose requests were started in order, the answers, and the refused requests.

    All arrive at once; the first ``gone`` queued ones are cancelled.
    """
    application, refused = _RecordingApplication(), list[RequestRecord]()
    answers = [_ResponseRecorder() for _ in clients]

    async def crowd() -> None:
        queue = FairRequestQueue(application, most, refused.append)
        tasks = [_send_request(queue, client, answer) for client, answer in zip(clients, answers, strict=True)]
        await asyncio.sleep(0)
        for task in [task for task in tasks if not task.done()][:gone]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.01)
        assert not queue._queues  # noqa: SLF001 - no client is stored after its requests

    asyncio.run(crowd())
    return application.begun, answers, refused


def test_clients_take_turns() -> None:
    """A client does not wait for the queue of another; the addresses of one 64-bit network share one queue."""
    begun, _, refused = _run_requests(1000, *[_CROWD] * 500, _OTHER)
    assert (len(begun), begun.index(_OTHER) < 10, refused) == (501, True, [])
    begun, _, _ = _run_requests(1000, *[f"2001:db8::{n:x}" for n in range(1, 200)], _OTHER)
    assert begun.index(_OTHER) < 10
    clients = [f"192.0.2.{n}" for n in range(1, 100)]
    assert _run_requests(1000, *clients)[0] == clients
    begun, _, _ = _run_requests(1000, *[_CROWD] * 100, _OTHER, gone=96)
    assert (begun.count(_OTHER), begun.count(_CROWD)) == (1, 4), "a cancelled request leaves the queue"


@pytest.mark.parametrize("over", [0, 1, 50])
def test_requests_above_the_client_limit_are_rejected_and_counted(over: int) -> None:
    begun, answers, refused = _run_requests(20, *[_CROWD] * (4 + 20 + over), _OTHER)
    assert [answer.status for answer in answers] == [0] * 24 + [429] * over + [0]
    assert [(request.status, request.reason) for request in refused] == [(429, "too-many-requests")] * over
    assert (begun.count(_CROWD), begun.count(_OTHER)) == (24, 1)


_STORM_SCRIPT = constant("programs", "worker_limits_storm_script")


def test_request_is_served_during_a_storm_of_disconnecting_clients(tmp_path: Path) -> None:
    """Limit the log lines between a request and its answer, while clients connect and disconnect without a pause."""
    with open_for_writing(tmp_path / "store", create=True):
        pass
    with served(tmp_path / "store") as service:
        where = httpx.URL(service.address)
        between = []
        with subprocess.Popen([sys.executable, "-c", _STORM_SCRIPT, where.host, str(where.port)]) as storm:
            until(lambda: len(service.lines) > 1000, 60)
            for _ in range(5):
                before = len(service.lines)
                assert httpx.get(f"{service.address}/health", timeout=20).status_code == 200
                between.append(len(service.lines) - before)
            storm.kill()
        assert max(between) < 1500, between


# The service switches to newer snapshots, and to a store that replaces another


NODE = NamedNode("https://w3id.org/vigente/id/test")


def test_replaced_store_with_an_equal_number_has_another_etag(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("store", "other")]
    for folder, value in zip(folders, ("before", "after"), strict=True):
        with open_for_writing(folder, create=True) as store:
            embedded(store).add(Quad(NODE, NODE, Literal(value), NODE))
            store.changed = True
    addresses = ("/sparql?query=SELECT+?o+%7B?s+?p+?o%7D", f"/descriptions/{NODE.value}")
    with serving(Settings(folders[0])) as address, httpx.Client(base_url=address, timeout=60) as web:
        before = {path: web.get(path) for path in addresses}
        assert [answer.status_code for answer in before.values()] == [200, 200]
        tags = {path: {"If-None-Match": answer.headers["ETag"]} for path, answer in before.items()}
        assert [web.get(path, headers=held).status_code for path, held in tags.items()] == [304, 304]
        folders[0].rename(tmp_path / "away")
        folders[1].rename(folders[0])
        for path, held in tags.items():
            after = web.get(path, headers=held)
            assert after.status_code == 200, path
            assert ("before" in before[path].text, "after" in after.text) == (True, True), path
