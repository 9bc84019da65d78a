"""Tests of the fair queue: requests of different clients are started in turn."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from graph.store import open_for_writing
from service.web.middleware.requests import FairRequestQueue, RequestRecord
from tests.support.serve_process import served, until

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


_STORM_SCRIPT = """
import socket, sys, threading
def hang_up(host, port, source, count):
    for _ in range(count):
        try:
            with socket.create_connection((host, port), 5, (source, 0)) as one:
                one.sendall(b"GET /ns HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
        except OSError:
            pass
host, port = sys.argv[1], int(sys.argv[2])
all = [threading.Thread(target=hang_up, args=(host, port, f"127.0.0.{n}", 3000)) for n in range(20, 40)]
for one in all: one.start()
for one in all: one.join()
"""


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
