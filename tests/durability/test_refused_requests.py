"""Tests of request validation before the application, and of the header fields of every answer."""

from __future__ import annotations

import ast
import contextlib
import gzip
import json
import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from graph.store import open_for_writing
from service.web import application
from service.web.http.problem_codes import MEANINGS
from service.web.settings import Connections, Limits, Settings
from tests.support.raw_http import connect, problem, response_to, rest, statuses
from tests.support.web import serving

ROOT = Path(__file__).resolve().parents[2]
ERROR_TEXT = "what lies where"


async def _failing_handler(_: Request) -> Response:
    raise LookupError(ERROR_TEXT)


async def _echo_handler(request: Request) -> Response:
    return PlainTextResponse(await request.body())


async def _request_info_handler(request: Request) -> Response:
    client = request.client.host if request.client else ""
    return PlainTextResponse(f"{request.url} {client}")


def _add_test_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add test routes that fail, echo a body, or return the requested URL, to the real ones."""
    real = application._routes  # noqa: SLF001 - the tests add routes
    test_routes = [
        Route("/fails", _failing_handler),
        Route("/echo", _echo_handler, methods=["POST"]),
        Route("/seen/{path:path}", _request_info_handler),
    ]
    monkeypatch.setattr(application, "_routes", lambda: [*test_routes, *real()])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doors") / "store"
    with open_for_writing(folder, create=True):
        pass
    return folder


@pytest.fixture(scope="module")
def address(store: Path) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        _add_test_routes(monkeypatch)
        with serving(Settings(store, limits=Limits(body_bytes=1000))) as served_address:
            yield served_address


def _get_request(target: str, *fields: str, version: str = "1.1") -> bytes:
    lines = [f"GET {target} HTTP/{version}", *(fields or ("Host: localhost",)), "Connection: close", "", ""]
    return "\r\n".join(lines).encode("latin-1")


def test_every_response_has_security_headers(address: str) -> None:
    for path, status in (("/ns", 200), ("/no-such-page", 404), ("/fails", 500)):
        answer = httpx.get(address + path)
        assert answer.status_code == status
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["server"] == "vigente"
        assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])
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
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal-error"
    assert ERROR_TEXT not in answer.text
    assert "LookupError" not in answer.text
    (fault,) = [record for record in caplog.records if record.name == "vigente.faults"]
    assert fault.__dict__["fields"] == {"id": "faulty-1"}
    assert fault.exc_info is not None
    assert ERROR_TEXT in str(fault.exc_info[1])


def test_unknown_path_and_unsupported_method_are_rejected(address: str) -> None:
    answer = httpx.get(f"{address}/no-such-page")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-address")
    assert answer.headers["content-type"] == "application/problem+json"
    answer = httpx.post(f"{address}/ns")
    assert (answer.status_code, answer.json()["code"]) == (405, "method-not-allowed")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"):
        answer = httpx.request(method, f"{address}/ns", headers={"X-Secret": "s3cret"})
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        assert "s3cret" not in answer.text


def test_connect_and_unknown_methods_are_rejected(address: str) -> None:
    answer = response_to(
        address, b"CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\nConnection: close\r\n\r\n"
    )
    assert statuses(answer) in ([400], [404], [405])
    assert (
        problem(response_to(address, b"BREW / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        == "method-not-allowed"
    )


def test_options_lists_the_methods_and_allows_other_origins(address: str) -> None:
    answer = httpx.options(
        f"{address}/ns", headers={"Origin": "https://x.example", "Access-Control-Request-Method": "GET"}
    )
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["allow"] == answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert "Accept" in answer.headers["access-control-allow-headers"]
    assert answer.headers["access-control-allow-origin"] == "*"
    assert statuses(response_to(address, b"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")) in (
        [204],
        [404],
    )


@pytest.mark.parametrize(
    "fields",
    [
        ("X: 1",),
        ("Host: a", "Host: b"),
        ("Host: a", "Host: a"),
        ("Host: ",),
        ("Host: a/b",),
        ("Host: a@b",),
        ("Host: a b",),
        ("Host: a:99999",),
        ("Host: a:port",),
        ("Host: a,b",),
        ("Host: <script>",),
        ("Host: [::1",),
        ("Host: \u00e9.example",),
        ("Host: " + "a" * 300,),
    ],
    ids=str,
)
def test_invalid_host_is_rejected(address: str, fields: tuple[str, ...]) -> None:
    assert problem(response_to(address, _get_request("/ns", *fields))) == "bad-host"


@pytest.mark.parametrize("host", ["a", "a.example:8000", "127.0.0.1", "[::1]:80", "A.Example"])
def test_any_host_is_accepted_if_none_is_configured(address: str, host: str) -> None:
    assert statuses(response_to(address, _get_request("/ns", f"Host: {host}"))) == [200]


def test_only_configured_hosts_are_accepted(store: Path) -> None:
    with serving(Settings(store, hosts=("vigente.example", "other.example:8443"))) as address:
        for host, status in (
            ("vigente.example", 200),
            ("VIGENTE.example:1234", 200),
            ("other.example:8443", 200),
            ("other.example", 400),
            ("evil.example", 400),
            ("vigente.example.evil.example", 400),
            ("127.0.0.1", 400),
        ):
            assert (host, statuses(response_to(address, _get_request("/ns", f"Host: {host}")))) == (host, [status])
        assert statuses(response_to(address, _get_request("/health", "Host: 127.0.0.1"))) == [200]
        assert statuses(response_to(address, _get_request("http://vigente.example/ns", "Host: evil.example"))) == [400]


def test_only_the_path_of_an_absolute_target_is_used(address: str) -> None:
    answer = response_to(address, _get_request("http://evil.example/seen/a%20b?c=d", "Host: other.example"))
    assert answer.endswith(b"\r\n\r\nhttp://other.example/seen/a b?c=d 127.0.0.1")
    for target in ("http:///ns", "http://user@a/seen", "ns", "http://[/ns", "//evil.example/seen/x"):
        response = response_to(address, _get_request(target, "Host: mine.example"))
        assert statuses(response) in ([400], [404]), (target, response)
        assert b"evil" not in response


def test_path_traversal_is_rejected(address: str) -> None:
    for target in (
        "/../../etc/passwd",
        "/ns/../../etc/passwd",
        "/vocab/..%2f..%2fetc%2fpasswd",
        "/queries/..%2f..%2fREADME.md",
        "/queries/%2e%2e",
        "/vocab/%00",
        "/problems/../ns",
    ):
        answer = response_to(address, _get_request(target))
        assert statuses(answer) == [404], (target, answer)
        assert problem(answer) == "unknown-address"


def test_request_values_cannot_inject_headers(address: str) -> None:
    for target in ("/ns%0d%0aX-Injected:%201", "/vocab/a%0d%0aX-Injected:%201", "/ns?a=%0d%0aX-Injected:%201"):
        answer = response_to(address, _get_request(target))
        assert b"\nX-Injected" not in answer
        assert b"\nx-injected" not in answer
    answer = response_to(
        address, b"GET /ns HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\rX-Injected: 1\r\nConnection: close\r\n\r\n"
    )
    assert statuses(answer) == [400]


@pytest.mark.parametrize(
    "head",
    [
        "Content-Length: 4\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 4",
        "Content-Length: 4\r\nContent-Length: 9",
        "Content-Length: 4, 4",
        "Content-Length: +4",
        "Content-Length: -4",
        "Content-Length: 0x4",
        "Content-Length: 4 4",
        "Content-Length: 99999999999999999999999",
        "Content-Length:",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding:\x0bchunked",
        "Content-Length: 4\r\n folded: yes",
        "X: a\r\n b",
        "X: a\x00b",
        "X Y: a",
        ": a",
        "X",
    ],
    ids=repr,
)
def test_ambiguous_body_length_is_rejected(address: str, head: str) -> None:
    smuggled = "0\r\n\r\nGET /seen/smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    answer = response_to(address, f"POST /echo HTTP/1.1\r\nHost: a\r\n{head}\r\n\r\n{smuggled}".encode("latin-1"))
    assert len(statuses(answer)) <= 1, answer
    assert b"smuggled" not in answer.replace(b"GET /seen/smuggled", b"")
    assert not answer or b"connection: close" in answer.lower()


@pytest.mark.parametrize(
    "body", [b"zz\r\n", b"4;x\nabcd\r\n0\r\n\r\n", b"-1\r\n", b"fffffffffffffffff\r\n", b"4\r\nabcdX\r\n"]
)
def test_invalid_chunks_are_rejected(address: str, body: bytes) -> None:
    answer = response_to(address, b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
    assert statuses(answer) in ([400], []), answer


def test_bare_line_feeds_are_interpreted_consistently(address: str) -> None:
    assert statuses(response_to(address, b"GET /ns HTTP/1.1\nHost: a\nConnection: close\n\n")) in ([400], [200])
    answer = response_to(address, b"GET /seen/x HTTP/1.1\r\nHost: a\r\nX: 1\n\n" + _get_request("/seen/y"))
    assert statuses(answer) in ([400], [200, 200]), answer  # RFC 9112, section 2.2: a bare line feed may end a line


def test_http_versions_are_handled(address: str) -> None:
    answer = response_to(address, b"GET /seen/x HTTP/1.0\r\n\r\n")
    assert statuses(answer) == [200]
    assert statuses(response_to(address, b"GET /seen/x HTTP/1.0\r\nHost: a\r\n\r\n")) == [200]
    assert statuses(response_to(address, b"POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")) == [
        400
    ]
    for version in ("2.0", "1.2", "0.9", "3.0", "9.9"):
        assert statuses(response_to(address, _get_request("/ns", version=version)))[:1] in ([], [400], [505]), version
    assert statuses(response_to(address, b"GET /ns\r\n\r\n"))[:1] in ([], [400], [505])
    assert statuses(response_to(address, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))[:1] in ([], [400], [505])
    assert statuses(response_to(address, b"\x16\x03\x01\x02\x00\x01\x00")) == [400]


def test_pipelined_requests_are_answered_in_order(address: str) -> None:
    several = b"".join(f"GET /seen/{n} HTTP/1.1\r\nHost: a\r\n\r\n".encode() for n in range(20))
    answer = response_to(address, several + _get_request("/seen/last", "Host: a"))
    assert statuses(answer) == [200] * 21
    assert re.findall(rb"http://a/seen/(\w+) ", answer) == [*(str(n).encode() for n in range(20)), b"last"]


def test_invalid_pipelined_request_does_not_affect_the_previous(address: str) -> None:
    answer = response_to(address, b"GET /seen/good HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n")
    assert statuses(answer) == [200, 400]
    assert b"GARBAGE" not in answer


def test_protocol_upgrade_is_ignored(address: str) -> None:
    for protocol in ("websocket", "h2c"):
        headers = {"Upgrade": protocol, "Connection": "upgrade"}
        assert httpx.get(f"{address}/seen/x", headers=headers).status_code == 200


def test_header_and_target_sizes_are_limited(store: Path) -> None:
    limits = Connections(head_bytes=9000, target_bytes=2000)
    with serving(Settings(store, connections=limits)) as address:
        assert statuses(response_to(address, _get_request("/health?" + "a" * 1900))) == [200]
        assert problem(response_to(address, _get_request("/health?" + "a" * 2100))) == "target-too-long"
        assert statuses(response_to(address, _get_request("/ns", "Host: a", "X: " + "a" * 30000))) == [431]
        assert statuses(response_to(address, _get_request("/ns", "Host: a", *(f"X-{n}: a" for n in range(200))))) == [
            431
        ]
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


def test_body_size_is_limited(address: str) -> None:
    assert httpx.post(f"{address}/echo", content=b"a" * 1000).content == b"a" * 1000
    for answer in (
        httpx.post(f"{address}/echo", content=b"a" * 1001),
        httpx.post(f"{address}/echo", content=iter([b"a" * 500, b"a" * 501])),
    ):
        assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")
    waiting = b"POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n"
    with connect(address) as connection:
        connection.sendall(waiting)
        assert statuses(connection.recv(65536)) == [413]


def test_client_sending_after_the_response_is_disconnected(address: str) -> None:
    with connect(address) as connection:
        connection.sendall(b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n")
        assert statuses(connection.recv(65536)) == [413]
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 50_000_000:
                connection.sendall(b"a" * 10_000)
                sent += 10_000
        assert sent < 50_000_000


def test_compressed_bodies_are_rejected_undecoded(address: str) -> None:
    bomb = gzip.compress(b"a" * 500_000)
    assert len(bomb) < 1000
    for coding in ("gzip", "deflate", "br", "identity, gzip"):
        answer = httpx.post(f"{address}/echo", content=bomb, headers={"Content-Encoding": coding})
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-encoding")
        assert answer.headers["accept-encoding"] == "identity"
    assert httpx.post(f"{address}/echo", content=b"a", headers={"Content-Encoding": "identity"}).content == b"a"


def test_forwarded_headers_are_ignored_without_a_configured_proxy(
    address: str, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forwarded = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "192.0.2.7",
        "Forwarded": "host=evil.example;proto=https;for=192.0.2.7",
        "X-Original-URL": "/problems",
        "X-Rewrite-URL": "/problems",
        "X-Forwarded-Prefix": "/evil",
        "X-HTTP-Method-Override": "DELETE",
    }
    assert httpx.get(f"{address}/seen/x", headers=forwarded).text == f"{address}/seen/x 127.0.0.1"
    plain = httpx.get(f"{address}/.well-known/void").text
    assert "evil" not in httpx.get(f"{address}/.well-known/void", headers=forwarded).text
    assert address in plain
    _add_test_routes(monkeypatch)
    with serving(Settings(store, proxies=("127.0.0.1",))) as behind:
        assert httpx.get(f"{behind}/seen/x", headers=forwarded).text == f"https{behind[4:]}/seen/x 192.0.2.7"
    with serving(Settings(store, proxies=("192.0.2.1",))) as elsewhere:
        assert httpx.get(f"{elsewhere}/seen/x", headers=forwarded).text == f"{elsewhere}/seen/x 127.0.0.1"


def test_configured_base_address_overrides_the_host(store: Path) -> None:
    with serving(Settings(store, base="https://vigente.example")) as address:
        text = httpx.get(f"{address}/.well-known/void", headers={"Host": "poisoned.example"}).text
    assert "<https://vigente.example/.well-known/void#dataset>" in text
    assert "poisoned" not in text


def _problem_codes() -> set[str]:
    """Return the codes of problems in the source."""
    codes = set()
    for module in (ROOT / "service" / "web").rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
                code = node.args[1]
                if not isinstance(code, ast.Constant):  # a code passed as a parameter, or one chosen in the same module
                    assert module.name in ("answering.py", "messages.py", "parameters.py", "versions.py"), module
                    continue
                codes.add(str(code.value))
    return codes


def test_every_problem_code_has_a_meaning_and_is_used() -> None:
    assert _problem_codes() <= set(MEANINGS)
    sources = [path for path in (ROOT / "service" / "web").rglob("*.py") if path.name != "problem_codes.py"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    unused = {code for code in MEANINGS if f'"{code}"' not in text and f"``{code}``" not in text}
    assert unused == set()
    assert list(MEANINGS) == sorted(MEANINGS)


def test_problems_are_not_cached(address: str) -> None:
    for answer in (httpx.get(f"{address}/nope"), httpx.post(f"{address}/ns"), httpx.get(f"{address}/fails")):
        assert answer.headers["cache-control"] == "no-store"
        assert json.loads(answer.content)["status"] == answer.status_code
