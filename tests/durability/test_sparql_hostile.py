"""Tests of the endpoint with hostile queries: nothing is fetched, nothing changes, and it keeps answering."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import httpx
import pytest

from service.web.settings import Connections, Limits, Settings
from tests.support.sparql_endpoint import asking, filled
from tests.support.web import serving

QUERY = "application/sparql-query"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("sparql") / "store")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with asking(folder, Limits(body_bytes=64 * 1024)) as client:
        yield client
        assert client.get("/sparql", params={"query": "ASK { ?s ?p ?o }"}).json()["boolean"] is True


# Nothing is fetched


@contextmanager
def _listener() -> Iterator[tuple[str, list[object]]]:
    """Run a listener on loopback, and yield its address and the list of clients that connected."""
    callers: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.1)
        ended = False

        def listen() -> None:
            while not ended:
                try:
                    called, caller = listening.accept()
                except TimeoutError:
                    continue
                called.close()
                callers.append(caller)

        thread = Thread(target=listen, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/x", callers
            time.sleep(0.15)
        finally:
            ended = True
            thread.join(5)


def test_the_listener_receives_requests() -> None:
    with _listener() as (address, callers), pytest.raises(httpx.HTTPError):
        httpx.get(address, timeout=2)
    assert callers


REJECTED_QUERIES = (
    "SELECT * { SERVICE <@> { ?s ?p ?o } }",
    "SELECT * { SERVICE SILENT <@> { ?s ?p ?o } }",
    "SELECT * { service<@>{} }",
    "SELECT * { SeRvIcE\n#\n<@> {} }",
    "PREFIX x: <@> SELECT * { SERVICE x: {} }",
    "PREFIX : <@> SELECT * { SERVICE:{} }",
    "BASE <@> SELECT * { SERVICE <> {} }",
    "SELECT * { VALUES ?x { <@> } SERVICE ?x { ?s ?p ?o } }",
    "SELECT * { BIND(<@> AS ?x) OPTIONAL { SERVICE ?x {} } }",
    "ASK { FILTER NOT EXISTS { SERVICE <@> {} } }",
    "ASK { { SELECT * { SERVICE SILENT <@> {} } } }",
    "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { SERVICE <@> { ?s ?p ?o } } }",
    "DESCRIBE ?s { SERVICE <@> { ?s ?p ?o } }",
    "SELECT * { \\u0053ERVICE <@> {} }",
    "SELECT ?x ('#' AS ?y) { SERVICE <@> {} }",
    "SELECT * { FILTER(?a<?b) SERVICE <@> {} FILTER(?c>?d) }",
    "LOAD <@>",
    "LOAD SILENT <@> INTO GRAPH <x:g>",
    "ASK {} ; LOAD <@>",
    "INSERT { ?s ?p ?o } WHERE { SERVICE <@> { ?s ?p ?o } }",
)
ANSWERED_QUERIES = (
    "SELECT * FROM <@> { ?s ?p ?o }",
    "SELECT * FROM NAMED <@> { GRAPH ?g { ?s ?p ?o } }",
    "SELECT * { GRAPH <@> { ?s ?p ?o } }",
    "DESCRIBE <@>",
    "PREFIX s: <@#> SELECT ?service { ?service s:SERVICE <@> }",
    "ASK { <@> ?p 'SERVICE <@> {}' } # SERVICE <@> {}",
)


def test_queries_do_not_contact_other_hosts(client: httpx.Client) -> None:
    with _listener() as (address, callers):
        for text in REJECTED_QUERIES:
            answer = client.get("/sparql", params={"query": text.replace("@", address)})
            expected = (403, "read-only") if text.startswith("LOAD") else (400, "bad-query")
            assert (answer.status_code, answer.json()["code"]) == expected, text
        for text in ANSWERED_QUERIES:
            answer = client.post("/sparql", data={"query": text.replace("@", address), "format": "json"})
            assert answer.status_code == 200, text
            document = answer.json()
            assert document == [] or document.get("boolean") is False or document["results"]["bindings"] == []
        dataset = {"default-graph-uri": address, "named-graph-uri": address}
        answer = client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o }", **dataset})
        assert answer.json()["results"]["bindings"] == []
        update = {"update": f"LOAD <{address}>"}
        assert client.post("/sparql", data=update).status_code == 403
    assert not callers


# Invalid bodies and addresses


@pytest.mark.parametrize(
    "encoded",
    ["query=ASK%2", "query=%", "query=%zz", "query=ASK{}&x=%u0041", "%=1&query=ASK{}", "query=%FF", "query=%C3"],
)
def test_invalid_percent_encoding_is_rejected(client: httpx.Client, encoded: str) -> None:
    for answer in (
        client.get(httpx.URL(str(client.base_url)).copy_with(raw_path=f"/sparql?{encoded}".encode())),
        client.post("/sparql", content=encoded.encode(), headers={"Content-Type": FORM}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")


@pytest.mark.parametrize(
    "body", [b"ASK { ?s ?p '\xff' }", b"\xff\xfeA\x00S\x00K\x00", "ASK{}".encode("utf-16"), b"\xed\xa0\x80"]
)
def test_invalid_utf_8_is_rejected(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/sparql", content=body, headers={"Content-Type": QUERY})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")


@pytest.mark.parametrize("charset", ["utf-16", "iso-8859-1", "nonsense", ""])
def test_other_charsets_are_rejected(client: httpx.Client, charset: str) -> None:
    for media, body in ((QUERY, "ASK{}"), (FORM, "query=ASK{}")):
        answer = client.post("/sparql", content=body, headers={"Content-Type": f"{media}; charset={charset}"})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")


def test_compressed_body_is_rejected(client: httpx.Client) -> None:
    answer = client.post("/sparql", content=b"x", headers={"Content-Type": QUERY, "Content-Encoding": "gzip"})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-encoding")


def test_number_of_parameters_is_limited(client: httpx.Client) -> None:
    graphs = [f"http://example.org/g{n}" for n in range(1000)]
    answer = client.post("/sparql", data={"query": "ASK { ?s ?p ?o }", "default-graph-uri": graphs})
    assert answer.json()["boolean"] is True
    answer = client.post("/sparql", content=b"query=ASK{}" + b"&" * 50_000, headers={"Content-Type": FORM})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")
    assert "5000 parameters" in answer.json()["detail"]


def test_nul_is_accepted_only_in_literals(client: httpx.Client) -> None:
    assert client.get("/sparql", params={"query": "ASK {} \0"}).json()["code"] == "bad-query"
    answer = client.get("/sparql", params={"query": "SELECT ('\0' AS ?v) {}"})
    assert answer.json()["results"]["bindings"][0]["v"]["value"] == "\0"


@pytest.mark.parametrize("depth", [150, 5000])
def test_nesting_depth_is_limited(client: httpx.Client, depth: int) -> None:
    answer = client.post("/sparql", data={"query": "ASK " + "{" * depth + "}" * depth})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-query")


@pytest.mark.parametrize("host", ["a b", "<x>", "x{y}", 'a"b', "é", ""])
def test_invalid_hosts_are_not_echoed(client: httpx.Client, host: str) -> None:
    for target in ("/sparql", "/sparql?query=ASK{}"):
        answer = client.get(target, headers=[(b"Host", host.encode())])
        assert answer.status_code in (200, 400)
        assert "<x>" not in answer.text


def _send_raw(client: httpx.Client, sent: bytes, *, end: bool = False) -> bytes:
    """Send these bytes on a connection, and return the response."""
    with socket.create_connection(("127.0.0.1", client.base_url.port or 0), timeout=10) as connection:
        came = b""
        with suppress(ConnectionError):  # the answer may arrive before all is sent
            connection.sendall(sent)
            if end:
                connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while chunk := connection.recv(65536):
                came += chunk
        return came


HEAD = b"POST /sparql HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/sparql-query\r\n"


def chunked(*chunks: bytes) -> bytes:
    return b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(b"%x\r\n%s\r\n" % (len(c), c) for c in chunks)


def test_chunked_bodies_are_read(client: httpx.Client) -> None:
    came = _send_raw(client, HEAD + chunked(b"ASK", b" {", b"}", b""))
    assert came.startswith(b"HTTP/1.1 200 ")
    assert came.endswith(b'{"head":{},"boolean":true}')
    assert _send_raw(client, HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n").startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("framing", ["length", "chunked", "chunked without end"])
def test_too_large_body_is_not_read(client: httpx.Client, framing: str) -> None:
    if framing == "length":
        sent = HEAD + b"Content-Length: 2000000\r\n\r\n"  # without a body: the answer is immediate
    elif framing == "chunked":
        sent = HEAD + chunked(*[b"#" * 4096] * 500, b"")
    else:
        sent = HEAD + chunked(*[b"#" * 4096] * 20)
    start = time.monotonic()
    came = _send_raw(client, sent)
    assert came.startswith(b"HTTP/1.1 413 ")
    assert b'"body-too-large"' in came
    assert b"connection: close" in came.lower()
    assert time.monotonic() - start < 5


def test_too_large_body_of_an_ordinary_client_is_413(client: httpx.Client) -> None:
    answer = client.post("/sparql", content=b"#" * 2_000_000, headers={"Content-Type": QUERY})
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


def test_slow_body_times_out(folder: Path) -> None:
    settings = Settings(folder, connections=Connections(body_seconds=0.3))
    start = time.monotonic()
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        came = _send_raw(client, HEAD + b"Content-Length: 100\r\n\r\nASK")
    assert came.startswith(b"HTTP/1.1 408 ")
    assert b'"slow-body"' in came
    assert time.monotonic() - start < 5


def test_wrong_content_lengths_are_handled(client: httpx.Client) -> None:
    longer = _send_raw(client, HEAD + b"Content-Length: 100\r\n\r\nASK {}", end=True)
    assert not longer.startswith(b"HTTP/1.1 200 ")
    shorter = _send_raw(client, HEAD + b"Content-Length: 3\r\n\r\nASK {}")
    assert shorter.startswith(b"HTTP/1.1 400 ")
    assert b"bad-query" in shorter
    for length in (b"-1", b"x", b"1e3", b"99999999999999999999999"):
        came = _send_raw(client, HEAD + b"Content-Length: " + length + b"\r\n\r\nASK {}")
        assert came.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 "))
    both = _send_raw(client, HEAD + b"Content-Length: 6\r\n" + chunked(b"ASK {}", b""))
    assert both.startswith(b"HTTP/1.1 200 ")  # the chunks determine the length, and nothing is read after them
    assert b"connection: close" in both.lower()


def test_too_long_target_is_414(client: httpx.Client) -> None:
    query = quote("ASK{}#" + "x" * 66_000)
    came = _send_raw(client, f"GET /sparql?query={query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert came.startswith(b"HTTP/1.1 414 URI Too Long")
