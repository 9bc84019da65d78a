"""Clients in turn at a real server: floods, threads, clients that hang up."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

from graph.store import open_for_writing
from tests.raw_http import connect, rest, said, statuses
from tests.serve_process import Served, served, until

#: How many requests are worked on at once.
AT_ONCE = 32


#: Keeps 200 connections of four addresses full of requests, twenty behind each other, until its input ends.
FLOOD = """
import asyncio, os, sys
async def ask(number):
    source = (f"127.0.1.{1 + number % 4}", 0)
    taking, giving = await asyncio.open_connection(sys.argv[1], int(sys.argv[2]), local_addr=source)
    asked = b"GET /openapi.json HTTP/1.1\\r\\nHost: a\\r\\nAccept-Encoding: gzip\\r\\n\\r\\n"
    giving.write(asked * 20)
    end = b""
    while came := await taking.read(1 << 18):
        giving.write(asked * (end + came).count(b"HTTP/1.1 "))
        end = came[-8:]
async def flood():
    asyncio.get_running_loop().add_reader(0, lambda: os._exit(0))
    await asyncio.gather(*(ask(number) for number in range(200)))
asyncio.run(flood())
"""


def test_200_connections_with_20_requests_each_leave_others_their_answers(tmp_path: Path) -> None:
    """Counted in the log, and not timed: how many of others are answered between those of who asks ten times."""
    with open_for_writing(tmp_path / "store", create=True):
        pass
    with served(tmp_path / "store") as service, _hostile(service, FLOOD) as flood:
        until(lambda: len(_clients(service)) > 800, 60)
        request = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        last = request.replace(b"a\r", b"a\r\nConnection: close\r")
        assert statuses(said(service.address, request * 9 + last)) == [200] * 10
        until(lambda: _clients(service).count("127.0.0.1") == 10)
        clients = _clients(service)
        until(lambda: len(_clients(service)) > len(clients) + 400, 60)
        assert flood.poll() is None
    own = [place for place, client in enumerate(clients) if client == "127.0.0.1"]
    between = own[-1] - own[0] - 9
    assert between <= 9 * 2 * AT_ONCE, between  # twice the places of all


@contextmanager
def _hostile(service: Served, program: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of its own, which is told where the service is; it ends with its input."""
    where = urlsplit(service.address)
    command = [sys.executable, "-c", program, str(where.hostname), str(where.port), *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        yield process
        process.communicate()


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
    with served(tmp_path / "store") as service, _hostile(service, HOSTILE, CITE.decode()) as hostile:
        time.sleep(1.5)
        began = time.monotonic()
        for _ in range(10):
            request = b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            assert statuses(said(service.address, request)) == [200]
        spent = time.monotonic() - began
        assert hostile.poll() is None
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


def _clients(service: Served) -> list[str]:
    """Who was answered, in order, as the log has it."""
    told = (json.loads(line) for line in service.lines if line.startswith("{"))
    return [each["client"] for each in told if each.get("message") == "request"]
