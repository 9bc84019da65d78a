"""Connections that come slowly, or never whole, or in masses: others are answered all the same."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from select import select
from urllib.parse import quote

import httpx
import pytest

from graph.store import open_for_writing
from service.web.http.networks import within
from service.web.running.shares import Shares
from service.web.settings import Connections, Limits, Settings
from tests.raw_http import connect, problem, rest, statuses
from tests.web import serving

#: Another address of loopback, for those who mean ill.
ELSEWHERE = "127.0.0.2"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("connections") / "store"
    with open_for_writing(folder, create=True):
        pass
    return folder


@contextmanager
def _many(address: str, count: int, sent: bytes, source: str = ELSEWHERE) -> Iterator[list[socket.socket]]:
    """That many connections, each with something sent."""
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            connection = stack.enter_context(connect(address, source))
            connection.sendall(sent)
            found.append(connection)
        yield found


def _closed(connection: socket.socket) -> bool:
    """Whether the service has closed its end by now."""
    connection.settimeout(0.01)
    try:
        return connection.recv(65536) == b""
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True


def _said(connection: socket.socket) -> bool:
    """Whether the service has refused it, or closed its end."""
    connection.settimeout(0.01)
    try:
        return b"200 OK" not in connection.recv(65536)
    except TimeoutError:
        return False


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"G",
        b"GET /ns HTTP/1.1\r\nHost: a\r\nX-Slow: ",
        b"POST /ns HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na",
    ],
    ids=["nothing", "a letter", "half a head", "half a body"],
)
def test_300_half_open_connections_do_not_keep_others_from_their_answer(store: Path, sent: bytes) -> None:
    limits = Connections(head_seconds=1.0, body_seconds=1.0, per_address=400)
    with serving(Settings(store, connections=limits)) as address:
        slowest = 0.0
        for _ in range(3):  # on a busy machine an answer may be late: it is tried again, with new connections
            with _many(address, 300, sent) as half_open:
                slowest = 0.0
                for _ in range(20):
                    began = time.monotonic()
                    assert httpx.get(f"{address}/health", timeout=5).status_code == 200
                    slowest = max(slowest, time.monotonic() - began)
                time.sleep(1.5)
                for connection in half_open:
                    answer = rest(connection)
                    # 429: more requests of one client than wait for their turn
                    assert statuses(answer) in ([408], [405], [404], [429]), answer
            if slowest < 2.0:
                break
        assert slowest < 2.0


def test_an_address_has_a_share_and_others_have_theirs(store: Path) -> None:
    limits = Connections(per_address=20, head_seconds=30.0)
    with serving(Settings(store, connections=limits)) as address, _many(address, 20, b"GET") as held:
        time.sleep(0.2)
        with connect(address, ELSEWHERE) as one_more:
            answer = rest(one_more)
            assert problem(answer) == "too-many-connections"
            assert b"retry-after: 10" in answer.lower()
            assert b"\r\naccess-control-allow-origin: *\r\n" in answer
        assert httpx.get(f"{address}/health").status_code == 200
        held.pop().close()
        time.sleep(0.2)
        transport = httpx.HTTPTransport(local_address=ELSEWHERE)
        with httpx.Client(transport=transport) as client:
            assert client.get(f"{address}/health").status_code == 200


def test_addresses_of_one_network_of_ipv6_have_one_share() -> None:
    shares, limits = Shares(), Connections(per_address=2)
    assert shares.take("2001:db8::1", limits, exempt=False)
    assert shares.take("2001:db8::ffff:2", limits, exempt=False)
    assert not shares.take("2001:db8:0:0:3::", limits, exempt=False)
    assert shares.take("2001:db8:0:1::1", limits, exempt=False)
    shares.give_back("2001:db8::1")
    assert shares.take("2001:db8::3", limits, exempt=False)


def test_and_one_budget_for_what_they_ask(store: Path) -> None:
    limits, held = Limits(per_client=1, query_seconds=3), "2001:db8::1"
    endless = "SELECT (COUNT(*) AS ?n) {" + " ".join(f"VALUES ?{name} {{ {'1 ' * 400} }}" for name in "abcde") + "}"
    settings = Settings(store, limits=limits, proxies=("127.0.0.1",))
    with serving(settings) as address, httpx.Client(base_url=address, timeout=20) as web, ThreadPoolExecutor() as other:

        def ask(query: str, who: str) -> int:
            return web.post("/sparql", data={"query": query}, headers={"X-Forwarded-For": who}).status_code

        slow = other.submit(ask, endless, held)
        time.sleep(1.5)
        assert ask("ASK {}", "2001:db8::2") == 429
        assert ask("ASK {}", "2001:db8:0:1::1") == 200
        assert slow.result() == 504


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"", []),
        (b"GET /ns HTTP/1.1\r\nHost: a\r\nX-Slow: ", [503]),
        (b"POST /api/v1/cite HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\na", [503]),
        (b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n", [200]),
    ],
    ids=["nothing", "half a head", "half a body", "nothing more"],
)
def test_who_asks_has_the_place_of_who_keeps_the_service_waiting(store: Path, sent: bytes, told: list[int]) -> None:
    limits = Connections(most=30, head_seconds=30.0)
    with serving(Settings(store, connections=limits)) as address, _many(address, 30, sent) as held:
        time.sleep(0.3)
        for each in held if told == [200] else ():  # on a busy machine answers come later
            select([each], [], [], 10)
        with connect(address, ELSEWHERE) as another:
            another.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert statuses(rest(another)) == [200]
        assert statuses(rest(held[0])) == told
        assert not any(_said(each) for each in held[1:])


def test_a_process_has_room_for_so_many_that_it_answers_and_is_free_again_when_they_go(store: Path) -> None:
    limits = Connections(most=2)
    endless = "SELECT (COUNT(*) AS ?n) {" + " ".join(f"VALUES ?{name} {{ {'1 ' * 400} }}" for name in "abcde") + "}"
    asked = f"GET /sparql?query={quote(endless)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()
    settings = Settings(store, connections=limits, limits=Limits(query_seconds=3))
    with serving(settings) as address:
        with _many(address, 2, asked) as held:
            time.sleep(0.5)
            with connect(address) as one_more:
                assert problem(rest(one_more)) == "too-many-connections"
            assert [statuses(rest(each)) for each in held] == [[504], [504]]
        time.sleep(0.3)
        assert httpx.get(f"{address}/health").status_code == 200


def test_a_proxy_has_no_share(store: Path) -> None:
    limits = Connections(per_address=5, head_seconds=30.0)
    settings = Settings(store, connections=limits, proxies=(ELSEWHERE,))
    with serving(settings) as address, _many(address, 20, b"GET") as held:
        time.sleep(0.2)
        assert not any(_closed(each) for each in held)


def test_a_letter_now_and_then_does_not_make_the_time_longer(store: Path) -> None:
    with serving(Settings(store, connections=Connections(head_seconds=1.0))) as address, connect(address) as slow:
        began = time.monotonic()
        slow.sendall(b"GET /ns HTTP/1.1\r\nHost: a\r\nX: ")
        while time.monotonic() - began < 5:
            try:
                slow.sendall(b"a")
            except OSError:
                break
            time.sleep(0.1)
        assert time.monotonic() - began < 4.5


def test_the_same_holds_for_the_next_request_of_a_connection(store: Path) -> None:
    with serving(Settings(store, connections=Connections(head_seconds=1.0))) as address, connect(address) as slow:
        slow.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        assert statuses(slow.recv(65536)) == [200]
        slow.sendall(b"GET /health HTTP/1.1\r\nHo")
        began = time.monotonic()
        assert problem(rest(slow)) == "slow-request"
        assert 0.5 < time.monotonic() - began < 3


def test_a_connection_without_a_next_request_is_closed(store: Path) -> None:
    with serving(Settings(store, connections=Connections(idle_seconds=1.0))) as address, connect(address) as idle:
        idle.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        began = time.monotonic()
        answer = rest(idle)
        assert statuses(answer) == [200]
        assert answer.endswith(b'{"alive":true}')
        assert 0.5 < time.monotonic() - began < 4


def test_a_client_that_takes_nothing_is_let_go(store: Path) -> None:
    with serving(Settings(store, connections=Connections(stall_seconds=1.0))) as address, connect(address) as deaf:
        began = time.monotonic()
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            while time.monotonic() - began < 15:
                deaf.sendall(b"GET /ns HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 8000 + b"\r\n\r\n")
        assert time.monotonic() - began < 8
        assert httpx.get(f"{address}/health").status_code == 200


def test_who_asks_has_the_place_of_who_takes_nothing(store: Path) -> None:
    """All places are held by clients that ask for much and read none of it; a good one is answered all the same."""
    limits = Connections(most=6, per_address=3)
    with serving(Settings(store, connections=limits)) as address, ExitStack() as stalled:
        deaf = [stalled.enter_context(connect(address, f"127.0.0.{host}")) for host in (2, 3) for _ in range(3)]
        for _ in range(6):  # more than the system keeps for them
            for one in deaf:
                one.sendall(b"GET /ns HTTP/1.1\r\nHost: a\r\n\r\n" * 60)
            time.sleep(0.7)
        began = time.monotonic()
        for _ in range(4):
            assert httpx.get(f"{address}/health").status_code == 200
        assert time.monotonic() - began < 5, "the stalled ones keep their places for stall_seconds, which are 30"


#: An answer of some megabytes, more than the system keeps for a client.
_LONG = f"'{'a' * 3500}' {'1 ' * 30}"
LARGE = f"SELECT * {{ {' '.join(f'VALUES ?v{number} {{ {_LONG} }}' for number in range(3))} }}"


def _untaken(address: str, source: str) -> socket.socket:
    """A client that asks for a large answer and takes nothing."""
    connection = connect(address, source)
    target = f"/sparql?format=csv&query={quote(LARGE)}"
    connection.sendall(f"GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    return connection


def test_answers_that_nobody_takes_are_bounded_by_address_and_in_all(store: Path) -> None:
    with serving(Settings(store)) as address:
        whole = httpx.get(f"{address}/sparql", params={"query": LARGE}, headers={"Accept": "text/csv"})
        size = len(whole.content)
    assert size > 8 << 20
    limits = Connections(unsent_per_address=size, unsent=3 * size // 2)  # the system takes some of each answer
    assert _taken(Settings(store, connections=limits), ELSEWHERE, ELSEWHERE, size=size) == [True, False]
    of_three = _taken(Settings(store, connections=limits), ELSEWHERE, "127.0.0.3", "127.0.0.4", size=size)
    assert sum(of_three) == 2, "all addresses have room for two"
    behind = Settings(store, connections=limits, proxies=(ELSEWHERE,))
    assert _taken(behind, ELSEWHERE, ELSEWHERE, size=size) == [True, True]


def _taken(settings: Settings, *sources: str, size: int) -> list[bool]:
    """Which of these get their answer whole, when they take it at last."""
    with serving(settings) as address, ExitStack() as stack:
        clients = []
        for source in sources:
            clients.append(stack.enter_context(_untaken(address, source)))
            time.sleep(1.5)
        taken = [len(rest(client)) > size for client in clients]
        assert httpx.get(f"{address}/health").status_code == 200
    return taken


def test_a_client_that_takes_slowly_gets_its_answer(store: Path) -> None:
    with serving(Settings(store, connections=Connections(stall_seconds=0.6))) as address, connect(address) as slow:
        slow.sendall(b"GET /ns HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        found = b""
        while piece := slow.recv(4096):
            found += piece
            time.sleep(0.1)
        assert len(found) > 40_000


def test_shares_are_given_back() -> None:
    shares = Shares()
    limits = Connections(most=3, per_address=2)
    assert [shares.take("a", limits, exempt=False) for _ in range(3)] == [True, True, False]
    assert shares.take("b", limits, exempt=False)
    assert not shares.take("c", limits, exempt=True)
    shares.give_back("a")
    assert shares.take("a", limits, exempt=False)


def test_within() -> None:
    assert within("::ffff:127.0.0.1", ("127.0.0.0/8",))
    assert within("::1", ("::1/128",))
    assert not within("10.0.0.1", ("127.0.0.0/8", "::1"))
    assert not within("testclient", ("0.0.0.0/0", "::/0"))
