"""Tests of request validation before the application, and of the header fields of every answer."""

from __future__ import annotations

import contextlib
import gzip
import logging
import re
import time
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from service.web import application
from service.web.http.problem_codes import MEANINGS
from service.web.settings import Connections, Limits, Settings
from tests.support.raw_http import connect, problem, response_to, rest, statuses
from tests.support.sparql_endpoint import filled
from tests.support.web import serving

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
