"""Clients in turn at a real server: floods, threads, clients that hang up."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from urllib.parse import quote, urlsplit

from graph.store import open_for_writing
from tests.raw_http import connect, rest, said, statuses
from tests.serve_process import Served, served, until

#: How many requests are worked on at once.
AT_ONCE = 32
#: How many requests each hostile connection sends at once, and what their answers begin with.
EACH = 20
STATUS_LINE = b"HTTP/1.1 "


def test_200_connections_with_20_requests_each_leave_others_their_answers(tmp_path: Path) -> None:
    """Counted in the log, and not timed: how many of others are answered between those of who asks ten times."""
    with open_for_writing(tmp_path / "store", create=True):
        pass
    asked = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n" * EACH
    with served(tmp_path / "store") as service, ExitStack() as stack:
        flood = [stack.enter_context(connect(service.address, f"127.0.1.{1 + number % 4}")) for number in range(200)]
        totals = [0] * 8
        takers = [Thread(target=_take, args=(flood[at::8], asked, totals, at)) for at in range(8)]
        for taker in takers:
            taker.start()
        while sum(totals) < 400:
            assert any(taker.is_alive() for taker in takers)
        request = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        assert (
            statuses(said(service.address, request * 9 + request.replace(b"a\r", b"a\r\nConnection: close\r")))
            == [200] * 10
        )
        for taker in takers:
            taker.join(60)
        assert sum(totals) == 200 * EACH
        until(lambda: len(_clients(service)) == 200 * EACH + 10)
        clients = _clients(service)
    own = [place for place, client in enumerate(clients) if client == "127.0.0.1"]
    between = own[-1] - own[0] - 9
    assert between <= 9 * 2 * AT_ONCE, between  # twice the places of all
    assert own[-1] < len(clients) - 100, "the others had done"


#: What takes a thread some milliseconds.
CITE = b"GET /api/v1/cite?text=" + quote("art. 6, VIII, da Lei 8.078, de 11 de setembro de 1990; " * 30).encode()


#: Asks for that on 24 connections, and makes and resets others meanwhile, until its input ends.
HOSTILE = """
import socket, struct, sys, threading
where, asked = (sys.argv[1], int(sys.argv[2])), sys.argv[3].encode() + b" HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
def connect():
    return socket.create_connection(where, 30, ("127.0.0.5", 0))
def keep_asking():
    with connect() as connection:
        while True:
            connection.sendall(asked)
            while b"HTTP/1.1 200" not in connection.recv(1 << 18):
                pass
def hang_up():
    while True:
        with connect() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
for what in [keep_asking] * 24 + [hang_up] * 4:
    threading.Thread(target=what, daemon=True).start()
sys.stdin.read()
"""


def test_threads_and_clients_that_hang_up_leave_others_their_answers(tmp_path: Path) -> None:
    """Threads have the interpreter by turns: where many want it, the loop would hear of each hang-up a second later."""
    with open_for_writing(tmp_path / "store", create=True):
        pass
    with served(tmp_path / "store") as service:
        where = urlsplit(service.address)
        command = [sys.executable, "-c", HOSTILE, str(where.hostname), str(where.port), CITE.decode()]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as hostile:
            time.sleep(1.5)
            began = time.monotonic()
            for _ in range(10):
                request = b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                assert statuses(said(service.address, request)) == [200]
            spent = time.monotonic() - began
            assert hostile.poll() is None
            hostile.communicate()
    assert spent < 8


def test_half_a_request_that_waits_for_its_turn_is_no_fault_of_the_service(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "store", create=True):
        pass
    half = b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Type: application/sparql-query\r\n"
    half += b"Content-Length: 6\r\nExpect: 100-continue\r\n\r\n"
    with served(tmp_path / "store") as service, ExitStack() as stack:
        busy = [stack.enter_context(connect(service.address)) for _ in range(45)]
        for connection in busy:
            connection.sendall((CITE + b" HTTP/1.1\r\nHost: a\r\n\r\n") * 5)
        for _ in range(10):
            with connect(service.address) as connection:
                connection.sendall(half)
                connection.shutdown(socket.SHUT_WR)
                assert statuses(rest(connection)) == [400]
        until(lambda: len(_clients(service)) >= 45 * 5 + 10, 60)
        assert not [line for line in service.lines if '"status":500' in line or "Traceback" in line]


def _take(mine: list[socket.socket], asked: bytes, totals: list[int], at: int) -> None:
    """Ask by all connections, then count the answers that come."""
    for connection in mine:
        connection.settimeout(60)
        connection.sendall(asked)
    for connection in mine:
        last, found = b"", 0
        while found < EACH:
            came = connection.recv(1 << 18)
            assert came, "the service closed the connection"
            new = (last + came).count(STATUS_LINE)
            last = came[-len(STATUS_LINE) + 1 :]
            found += new
            totals[at] += new


def _clients(service: Served) -> list[str]:
    """Who was answered, in order, as the log has it."""
    told = (json.loads(line) for line in service.lines if line.startswith("{"))
    return [each["client"] for each in told if each.get("message") == "request"]
