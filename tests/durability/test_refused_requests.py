"""Tests of refused requests, and of slow, incomplete, ending or very many connections."""

from __future__ import annotations

import contextlib
import gzip
import logging
import re
import signal
import socket
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from service.web import application
from service.web.http.networks import within
from service.web.http.problem_codes import MEANINGS
from service.web.settings import Connections, Limits, Settings
from tests.support.raw_http import connect, problem, response_to, rest, statuses
from tests.support.serve_process import served
from tests.support.sparql_endpoint import filled
from tests.support.web import serving

# Request validation before the application, and of the header fields of every answer


ROOT = Path(__file__).resolve().parents[2]
DATA = tomllib.loads((ROOT / "tests" / "data" / "hostile_requests.toml").read_text("utf-8"))
ERROR_TEXT = "what lies where"


async def _failing_handler(_: Request) -> Response:
    raise LookupError(ERROR_TEXT)


async def _echo_handler(request: Request) -> Response:
    return PlainTextResponse(await request.body())


async def _request_info_handler(request: Request) -> Response:
    client = request.client.host if request.client else ""
    return PlainTextResponse(f"{request.url} {client}")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a store; its services have routes that fail, echo a body, or return the requested URL, besides the real."""
    real = application._routes  # noqa: SLF001 - the tests add routes
    test_routes = [
        Route("/fails", _failing_handler),
        Route("/echo", _echo_handler, methods=["POST"]),
        Route("/seen/{path:path}", _request_info_handler),
    ]
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(application, "_routes", lambda: [*test_routes, *real()])
        yield filled(tmp_path_factory.mktemp("doors") / "store")


@pytest.fixture(scope="module")
def address(store: Path) -> Iterator[str]:
    with serving(Settings(store, limits=Limits(body_bytes=1000))) as served_address:
        yield served_address


def get(target: str, *fields: str) -> bytes:
    lines = [f"GET {target} HTTP/1.1", *(fields or ("Host: localhost",)), "Connection: close", "", ""]
    return "\r\n".join(lines).encode("latin-1")


# Requests and statuses


def sent_of(kind: Mapping[str, Any]) -> Iterator[bytes]:
    for fields in kind.get("fields", ()):
        yield get("/ns", *fields)
    for target in kind.get("target", ()):
        yield get(target, "Host: mine.example")
    for written in kind.get("sent", ()):
        yield written.encode("latin-1")


@pytest.mark.parametrize("kind", DATA["requests"])
def test_request_has_its_status(address: str, kind: str) -> None:
    row = DATA["requests"][kind]
    for sent in sent_of(row):
        answer = response_to(address, sent)
        assert statuses(answer) in row["statuses"], (sent, answer)
        assert "code" not in row or problem(answer) == row["code"], sent
        assert all(foreign not in answer.lower() for foreign in (b"\nx-injected", b"evil", b"garbage")), sent


@pytest.mark.parametrize("head", DATA["ambiguous"]["heads"], ids=repr)
def test_ambiguous_body_length_is_rejected(address: str, head: str) -> None:
    smuggled = "0\r\n\r\nGET /seen/smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    answer = response_to(address, f"POST /echo HTTP/1.1\r\nHost: a\r\n{head}\r\n\r\n{smuggled}".encode("latin-1"))
    assert len(statuses(answer)) <= 1, answer
    assert b"smuggled" not in answer.replace(b"GET /seen/smuggled", b"")
    assert not answer or b"connection: close" in answer.lower()


def test_pipelined_requests_are_answered_in_order(address: str) -> None:
    several = b"".join(f"GET /seen/{n} HTTP/1.1\r\nHost: a\r\n\r\n".encode() for n in range(20))
    answer = response_to(address, several + get("/seen/last", "Host: a"))
    assert statuses(answer) == [200] * 21
    assert re.findall(rb"http://a/seen/(\w+) ", answer) == [*(str(n).encode() for n in range(20)), b"last"]


# The fields of every answer


def test_every_response_has_security_headers(address: str) -> None:
    for path, status in (("/ns", 200), ("/no-such-page", 404), ("/fails", 500)):
        answer = httpx.get(address + path)
        assert answer.status_code == status
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])
        assert {
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-resource-policy": "cross-origin",
            "access-control-allow-origin": "*",
            "server": "vigente",
        }.items() <= dict(answer.headers).items()
        if status != 200:
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["status"] == status
    private = httpx.get(f"{address}/health").headers
    assert "access-control-allow-origin" not in private
    assert (private["cross-origin-resource-policy"], private["cache-control"]) == ("same-origin", "no-store")


def test_request_id_is_accepted_if_short_and_plain(address: str) -> None:
    def given(*values: str) -> str:
        fields = [("X-Request-Id", value) for value in values]
        return str(httpx.get(f"{address}/health", headers=fields).headers["x-request-id"])

    assert given("a-plain.ID_1") == "a-plain.ID_1"
    for foreign in (("a b",), ("x" * 65,), ("one", "two"), ('"};alert(1)',)):
        assert given(*foreign) not in foreign


def test_unexpected_error_is_500_without_details(address: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "vigente")
    answer = httpx.get(f"{address}/fails", headers={"X-Request-Id": "faulty-1"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal-error")
    assert ERROR_TEXT not in answer.text
    assert "LookupError" not in answer.text
    (fault,) = [record for record in caplog.records if record.name == "vigente.faults"]
    assert fault.__dict__["fields"] == {"id": "faulty-1"}
    assert fault.exc_info is not None
    assert ERROR_TEXT in str(fault.exc_info[1])


def test_unsupported_methods_are_rejected(address: str) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"):
        answer = httpx.request(method, f"{address}/ns", headers={"X-Secret": "s3cret"})
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        assert answer.json()["code"] == "method-not-allowed"
        assert "s3cret" not in answer.text
    headers = {"Origin": "https://x.example", "Access-Control-Request-Method": "GET"}
    answer = httpx.options(f"{address}/ns", headers=headers)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["allow"] == answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert "Accept" in answer.headers["access-control-allow-headers"]
    assert answer.headers["access-control-allow-origin"] == "*"


def test_protocol_upgrade_is_ignored(address: str) -> None:
    for protocol in ("websocket", "h2c"):
        headers = {"Upgrade": protocol, "Connection": "upgrade"}
        assert httpx.get(f"{address}/seen/x", headers=headers).status_code == 200


# Bodies


def test_body_size_is_limited(address: str) -> None:
    assert httpx.post(f"{address}/echo", content=b"a" * 1000).content == b"a" * 1000
    for content in (b"a" * 1001, iter([b"a" * 500, b"a" * 501])):
        answer = httpx.post(f"{address}/echo", content=content)
        assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")
    for fields, sent in (
        ("Expect: 100-continue\r\nContent-Length: 5000", 0),
        ("Content-Length: 100000000", 50_000_000),
    ):
        with connect(address) as connection:
            connection.sendall(f"POST /echo HTTP/1.1\r\nHost: a\r\n{fields}\r\n\r\n".encode())
            assert statuses(connection.recv(65536)) == [413]
            rejected = 0
            with contextlib.suppress(OSError):  # a client that sends nevertheless is disconnected
                while rejected < sent:
                    connection.sendall(b"a" * 10_000)
                    rejected += 10_000
            assert rejected < sent or not sent


def test_compressed_bodies_and_two_types_are_rejected(address: str) -> None:
    bomb = gzip.compress(b"a" * 500_000)
    assert len(bomb) < 1000
    for coding in ("gzip", "deflate", "br", "identity, gzip"):
        answer = httpx.post(f"{address}/echo", content=bomb, headers={"Content-Encoding": coding})
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-encoding")
        assert answer.headers["accept-encoding"] == "identity"
    assert httpx.post(f"{address}/echo", content=b"a", headers={"Content-Encoding": "identity"}).content == b"a"
    for types in (("application/sparql-query", "text/plain"), ("text/plain", "application/sparql-query")):
        fields = [("Content-Type", media) for media in types]
        answer = httpx.post(f"{address}/sparql", content=b"ASK {}", headers=fields)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")


def test_header_and_target_sizes_are_limited(store: Path) -> None:
    with serving(Settings(store, connections=Connections(head_bytes=9000, target_bytes=2000))) as address:
        assert statuses(response_to(address, get("/health?" + "a" * 1900))) == [200]
        assert problem(response_to(address, get("/health?" + "a" * 2100))) == "target-too-long"
        for fields in (("X: " + "a" * 30000,), tuple(f"X-{n}: a" for n in range(200))):
            assert statuses(response_to(address, get("/ns", "Host: a", *fields))) == [431]
        with connect(address) as endless:
            endless.sendall(b"GET /ns HTTP/1.1\r\nHost: a\r\nX: ")
            time.sleep(0.2)  # bytes that arrive with the first ones are not counted, but have a time limit
            for _ in range(100):
                try:
                    endless.sendall(b"a" * 1000)
                except OSError:
                    break
            else:
                assert statuses(rest(endless)) == [431]


# Hosts and proxies

FORWARDED = DATA["forwarded"]


def test_only_configured_hosts_are_accepted(store: Path) -> None:
    with serving(Settings(store, hosts=("vigente.example", "other.example:8443"))) as address:
        for target, host, status in (
            ("/ns", "vigente.example", 200),
            ("/ns", "VIGENTE.example:1234", 200),
            ("/ns", "other.example:8443", 200),
            ("/ns", "other.example", 400),
            ("/ns", "evil.example", 400),
            ("/ns", "vigente.example.evil.example", 400),
            ("/ns", "127.0.0.1", 400),
            ("/health", "127.0.0.1", 200),
            ("http://vigente.example/ns", "evil.example", 400),
        ):
            assert statuses(response_to(address, get(target, f"Host: {host}"))) == [status], host


def test_the_host_of_the_request_is_used(address: str, store: Path) -> None:
    answer = response_to(address, get("http://evil.example/seen/a%20b?c=d", "Host: other.example"))
    assert answer.endswith(b"\r\n\r\nhttp://other.example/seen/a b?c=d 127.0.0.1")
    assert httpx.get(f"{address}/seen/x", headers=FORWARDED).text == f"{address}/seen/x 127.0.0.1"
    void = httpx.get(f"{address}/.well-known/void", headers=FORWARDED).text
    assert ("evil" in void, address in void) == (False, True)
    with serving(Settings(store, proxies=("192.0.2.1",))) as elsewhere:
        assert httpx.get(f"{elsewhere}/seen/x", headers=FORWARDED).text == f"{elsewhere}/seen/x 127.0.0.1"
    with serving(Settings(store, base="https://vigente.example")) as based:
        text = httpx.get(f"{based}/.well-known/void", headers={"Host": "poisoned.example"}).text
    assert "<https://vigente.example/.well-known/void#dataset>" in text
    assert "poisoned" not in text


def test_only_the_last_forwarded_addresses_are_trusted(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "vigente.requests")
    clients = DATA["clients"]
    with serving(Settings(store, proxies=("127.0.0.1",))) as address:
        assert httpx.get(f"{address}/seen/x", headers=FORWARDED).text == f"https{address[4:]}/seen/x 192.0.2.7"
        for forwarded in clients:
            assert httpx.get(f"{address}/health", headers={"X-Forwarded-For": forwarded}).status_code == 200
            answer = httpx.get(f"{address}/metrics", headers={"X-Forwarded-For": forwarded})
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), forwarded
    asked = [vars(record)["fields"] for record in caplog.records if record.name == "vigente.requests"]
    assert [entry["client"] for entry in asked if entry["route"] == "/health"] == list(clients.values())


# The codes of problems


def test_every_problem_code_has_a_meaning_and_is_used() -> None:
    sources = [path for path in (ROOT / "service" / "web").rglob("*.py") if path.name != "problem_codes.py"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    assert set(re.findall(r'\bProblem\(\s*[0-9]+,\s*"([a-z-]+)"', text)) <= set(MEANINGS)
    assert {code for code in MEANINGS if f'"{code}"' not in text and f"``{code}``" not in text} == set()
    assert list(MEANINGS) == sorted(MEANINGS)


# Slow, incomplete, ending or very many connections


HEALTH = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
#: Queries that take some tenths of a second, that would never end, and with an answer larger than socket buffers.
SLOW = f"SELECT (COUNT(*) AS ?n) {{ {' '.join(f'?a{n} ?b{n} ?c{n} .' for n in range(9))} }}"
ENDLESS = f"SELECT (COUNT(*) AS ?n) {{ {' '.join(f'?a{n} ?b{n} ?c{n} .' for n in range(25))} }}"
_LONG = f"'{'a' * 3500}' {'1 ' * 30}"
LARGE = f"SELECT * {{ {' '.join(f'VALUES ?v{number} {{ {_LONG} }}' for number in range(3))} }}"


def sparql(query: str, *fields: str) -> bytes:
    head = [f"GET /sparql?format=csv&query={quote(query)} HTTP/1.1", "Host: a", *fields, "", ""]
    return "\r\n".join(head).encode()


@pytest.fixture(scope="module")
def connected_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("connections") / "store")


@pytest.fixture(scope="module")
def connected_address(connected_store: Path) -> Iterator[str]:
    with serving(Settings(connected_store)) as connected_address:
        yield connected_address


@pytest.fixture(scope="module")
def hasty(connected_store: Path) -> Iterator[str]:
    """Yield the address of a service that waits one second for heads and bodies, and 0.6 for readers."""
    limits = Connections(head_seconds=1.0, body_seconds=1.0, stall_seconds=0.6, most=800)
    with serving(Settings(connected_store, connections=limits)) as connected_address:
        yield connected_address


@contextmanager
def connections(connected_address: str, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Open that many connections from another address, and send the same bytes on each."""
    with ExitStack() as stack:
        opened = [stack.enter_context(connect(connected_address, "127.0.0.2")) for _ in range(count)]
        for connection in opened:
            connection.sendall(sent)
        yield opened


# Slow clients


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET /ns HTTP/1.1\r\nHost: a\r\nX-Slow: ", b"POST /ns HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na"],
    ids=["nothing", "half a head", "half a body"],
)
def test_300_half_open_connections_do_not_block_others(hasty: str, sent: bytes) -> None:
    slowest = 9.0
    for _ in range(3):  # on a busy machine an answer may be late: try again, with new connections
        with connections(hasty, 300, sent) as half_open:
            slowest = 0.0
            for _ in range(10):
                began = time.monotonic()
                assert httpx.get(f"{hasty}/health", timeout=5).status_code == 200
                slowest = max(slowest, time.monotonic() - began)
            for connection in half_open:
                assert statuses(rest(connection)) in ([], [408], [405], [404])
        if slowest < 2.0:
            break
    assert slowest < 2.0


@pytest.mark.parametrize(
    ("first", "sent"),
    [(b"", b"GET /ns HTTP/1.1\r\nHost: a\r\nX: "), (HEALTH, b"GET /health HTTP/1.1\r\nHo"), (HEALTH, b"")],
    ids=["a first head", "a later head", "idle"],
)
def test_slow_header_and_idle_connection_time_out(hasty: str, first: bytes, sent: bytes) -> None:
    with connect(hasty) as slow:
        if first:
            slow.sendall(first)
            answer = slow.recv(65536)
            assert statuses(answer) == [200]
            assert answer.endswith(b'{"alive":true}')
        slow.sendall(sent)
        began = time.monotonic()
        with suppress(OSError):  # a head that arrives byte by byte has no more time
            while not first and time.monotonic() - began < 5:
                slow.sendall(b"a")
                time.sleep(0.1)
        assert statuses(rest(slow)) in ([], [408])
        assert 0.5 < time.monotonic() - began < 4.5


def test_reader_of_a_large_answer_is_waited_for_while_it_reads(hasty: str) -> None:
    with connect(hasty, "127.0.0.2") as deaf, connect(hasty) as slow:
        deaf.sendall(sparql(LARGE, "Connection: close"))
        slow.sendall(b"GET /ns HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        received = b""
        while piece := slow.recv(4096):
            received += piece
            time.sleep(0.1)
        assert len(received) > 40_000
        time.sleep(2)
        assert httpx.get(f"{hasty}/health").status_code == 200
        answer = rest(deaf)
    length = re.search(rb"content-length: (\d+)", answer)
    assert length is not None
    assert len(answer) < int(length[1])


def test_addresses_are_matched_to_networks() -> None:
    for client, networks, inside in (
        ("::ffff:127.0.0.1", ("127.0.0.0/8",), True),
        ("::1", ("::1/128",), True),
        ("10.0.0.1", ("127.0.0.0/8", "::1"), False),
        ("testclient", ("0.0.0.0/0", "::/0"), False),
    ):
        assert within(client, networks) is inside


def test_connections_above_the_limit_wait(connected_store: Path) -> None:
    settings = Settings(connected_store, connections=Connections(most=2), limits=Limits(query_seconds=1))
    with serving(settings) as connected_address:
        while not httpx.get(f"{connected_address}/ready").is_success:
            time.sleep(0.05)
        with connections(connected_address, 2, sparql(ENDLESS, "Connection: close")) as held:
            time.sleep(0.3)
            with connect(connected_address) as one_more:
                one_more.sendall(HEALTH.replace(b"a\r\n", b"a\r\nConnection: close\r\n"))
                assert [statuses(rest(connection)) for connection in held] == [[504], [504]]
                assert statuses(rest(one_more)) == [200]
        time.sleep(0.3)
        assert httpx.get(f"{connected_address}/health").status_code == 200


# Ends of connections


@pytest.mark.parametrize("count", [1, 5])
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
    connected_address: str, bad: bytes, status: int, count: int
) -> None:
    answer = response_to(connected_address, HEALTH * count + bad)
    *owed, last = statuses(answer)
    assert owed == [200] * count
    assert last in (status, 505)
    assert answer.count(b'{"alive":true}') == count


def test_invalid_bytes_during_a_request_are_rejected_after_its_answer(connected_address: str) -> None:
    with connect(connected_address) as connection:
        connection.sendall(sparql(SLOW))
        time.sleep(0.2)
        connection.sendall(b"GARB AGE\r\n\r\n")
        answer = rest(connection)
    assert statuses(answer) == [200, 400]
    assert b"n\r\n" in answer.partition(b"\r\n\r\n")[2]


def test_bytes_beyond_content_length_are_not_part_of_the_body(hasty: str) -> None:
    head = b"POST /api/v1/in-force HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"
    answer = response_to(hasty, head + b"[]xx")
    assert statuses(answer) in ([200], [200, 400])
    assert b'{"answers":[]}' in answer


def test_incomplete_request_of_a_closed_client_is_rejected(connected_address: str) -> None:
    with connect(connected_address) as connection:
        connection.sendall(b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Type: application/sparql-query\r\n")
        connection.sendall(b"Content-Length: 100\r\n\r\nASK")
        time.sleep(0.1)
        connection.shutdown(socket.SHUT_WR)
        assert statuses(rest(connection)) in ([], [400])


def test_stopping_drops_waiting_requests_and_sends_every_answer(connected_store: Path) -> None:
    """Check pipelined requests: with unread requests on a closed socket, the system would discard the answers."""
    with served(connected_store) as service, ExitStack() as stack:
        clients = [stack.enter_context(connect(service.address, f"127.0.0.{host}")) for host in (2, 3)]
        for client in clients:
            client.sendall(sparql(SLOW) + HEALTH * 20)
        time.sleep(0.3)
        service.process.send_signal(signal.SIGTERM)
        for client in clients:
            answer = b""
            while piece := client.recv(65536):  # no ConnectionResetError
                answer += piece
            assert statuses(answer) in ([200], [503])
            assert b"\r\nconnection: close\r\n" in answer.lower()
        assert service.ended() == 0


@pytest.mark.parametrize("path", ["/sparql", "/api/v1/in-force", "/ns"])
def test_client_receives_the_answer_to_a_too_large_body(connected_address: str, path: str) -> None:
    for size in (1_200_000, 3_000_000) * 3:
        fields = f"Host: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {size}"
        with connect(connected_address) as connection:
            connection.sendall(f"POST {path} HTTP/1.1\r\n{fields}\r\n\r\n".encode() + b" " * size)
            assert problem(rest(connection)) == "body-too-large"


def test_endless_body_is_cut(connected_address: str) -> None:
    with connect(connected_address) as connection:
        connection.sendall(b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
        began = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - began < 10:
                connection.sendall(b"a" * 1000)
                time.sleep(0.01)
        assert time.monotonic() - began < 5
