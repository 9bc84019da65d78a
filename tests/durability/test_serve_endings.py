"""Tests of how connections end: pending answers are sent first and in order, and none is lost."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from service.web.settings import Settings
from tests.support.raw_http import connect, problem, response_to, rest, statuses
from tests.support.serve_process import served
from tests.support.sparql_endpoint import filled
from tests.support.web import serving

HEALTH = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
#: A query that takes some tenths of a second.
SLOW_QUERY = f"SELECT (COUNT(*) AS ?n) {{ {' '.join(f'?a{n} ?b{n} ?c{n} .' for n in range(9))} }}"
#: A query that would never end.
ENDLESS_QUERY = f"SELECT (COUNT(*) AS ?n) {{ {' '.join(f'?a{n} ?b{n} ?c{n} .' for n in range(25))} }}"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(Settings(filled(tmp_path_factory.mktemp("endings") / "store"))) as address:
        yield address


def _sparql_request(query: str) -> bytes:
    return f"GET /sparql?query={quote(query)} HTTP/1.1\r\nHost: a\r\n\r\n".encode()


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize(
    ("bad", "status"),
    [
        (b"GARB AGE\r\n\r\n", 400),
        (b"\x00\xff\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost : b\r\n\r\n", 400),
        (b"GET / HTTP/3.0\r\nHost: a\r\n\r\n", 400),
        (b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 415),
        (b"POST /sparql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n", 415),
    ],
)
def test_invalid_bytes_after_requests_are_rejected_after_the_answers(
    address: str, bad: bytes, status: int, count: int
) -> None:
    answer = response_to(address, HEALTH * count + bad)
    *owed, last = statuses(answer)
    assert owed == [200] * count
    assert last in (status, 505)
    assert answer.count(b'{"alive":true}') == count


def test_invalid_bytes_during_a_request_are_rejected_after_its_answer(address: str) -> None:
    with connect(address) as connection:
        connection.sendall(_sparql_request(SLOW_QUERY))
        time.sleep(0.2)
        connection.sendall(b"GARB AGE\r\n\r\n")
        answer = rest(connection)
    assert statuses(answer) == [200, 400]
    assert b'"n"' in answer


def test_bytes_beyond_content_length_are_not_part_of_the_body(address: str) -> None:
    head = b"POST /api/v1/in-force HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"
    answer = response_to(address, head + b"[]xx")
    assert statuses(answer) in ([200], [200, 400])
    assert b'{"answers":[]}' in answer


def test_incomplete_request_of_a_closed_client_is_rejected(address: str) -> None:
    with connect(address) as connection:
        connection.sendall(b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Type: application/sparql-query\r\n")
        connection.sendall(b"Content-Length: 100\r\n\r\nASK")
        time.sleep(0.1)
        connection.shutdown(socket.SHUT_WR)
        assert statuses(rest(connection)) in ([], [400])


def test_disconnect_cancels_the_query(address: str) -> None:
    """Send more endless queries than one client may run: a further query is accepted only if they were cancelled."""
    for _ in range(8):
        with connect(address) as connection:
            connection.sendall(_sparql_request(ENDLESS_QUERY))
            time.sleep(0.1)
    time.sleep(1.5)
    began = time.monotonic()
    with connect(address) as connection:
        connection.sendall(_sparql_request("ASK {}").replace(b"Host: a", b"Host: a\r\nConnection: close"))
        assert statuses(rest(connection)) == [200]
    assert time.monotonic() - began < 5


def test_stopping_drops_waiting_requests_and_sends_every_answer(tmp_path: Path) -> None:
    """Check pipelined requests: with unread requests on a closed socket, the system would discard the answers."""
    with served(filled(tmp_path / "store")) as service, ExitStack() as stack:
        asked = _sparql_request(SLOW_QUERY) + HEALTH * 20
        clients = [stack.enter_context(connect(service.address, f"127.0.0.{host}")) for host in range(2, 6)]
        for client in clients:
            client.sendall(asked)
        time.sleep(0.3)
        service.process.send_signal(signal.SIGTERM)
        for client in clients:
            answer = b""
            while piece := client.recv(65536):  # no ConnectionResetError
                answer += piece
            assert statuses(answer) in ([200], [503])
            assert b"\r\nconnection: close\r\n" in answer.lower()
        assert service.ended() == 0


@pytest.mark.parametrize("size", [1_200_000, 3_000_000])
@pytest.mark.parametrize("path", ["/sparql", "/api/v1/in-force", "/ns"])
def test_client_receives_the_answer_to_a_too_large_body(address: str, path: str, size: int) -> None:
    fields = f"Connection: close\r\nContent-Type: application/json\r\nContent-Length: {size}"
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\n{fields}\r\n\r\n"
    for _ in range(8):
        with connect(address) as connection:
            connection.sendall(head.encode() + b" " * size)
            assert problem(rest(connection)) == "body-too-large"


def test_endless_body_is_cut(address: str) -> None:
    with connect(address) as connection:
        connection.sendall(b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
        began = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - began < 10:
                connection.sendall(b"a" * 1000)
                time.sleep(0.01)
        assert time.monotonic() - began < 5
