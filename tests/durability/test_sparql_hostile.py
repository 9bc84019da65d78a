"""Tests of the endpoint with hostile queries and bodies: nothing is fetched or changed, and it keeps answering."""

from __future__ import annotations

import socket
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import httpx
import pytest

from service.web.settings import Connections, Limits, Settings
from tests.support.raw_http import connect, problem, rest, statuses
from tests.support.sparql_endpoint import asking, filled
from tests.support.web import serving

HEAD = b"POST /sparql HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/sparql-query\r\n"


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
def listener() -> Iterator[tuple[str, list[object]]]:
    """Run a listener on loopback, and yield its address and the list of clients that connected."""
    callers: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.1)
        ended = False

        def listen() -> None:
            while not ended:
                with suppress(TimeoutError):
                    called, caller = listening.accept()
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


DATA = tomllib.loads((Path(__file__).parents[1] / "data" / "sparql" / "requests.toml").read_text("utf-8"))
FEDERATION: dict[str, list[str]] = DATA["federation"]


def test_queries_do_not_contact_other_hosts(client: httpx.Client) -> None:
    with listener() as (address, callers):
        for kind, expected in (("refused", (400, "bad-query")), ("updates", (403, "read-only"))):
            for text in FEDERATION[kind]:
                answer = client.get("/sparql", params={"query": text.replace("@", address)})
                assert (answer.status_code, answer.json()["code"]) == expected, text
        dataset = {"default-graph-uri": address, "named-graph-uri": address}
        for text, more in (*((text, {}) for text in FEDERATION["answered"]), ("SELECT * { ?s ?p ?o }", dataset)):
            answer = client.post("/sparql", data={"query": text.replace("@", address), "format": "json", **more})
            assert answer.status_code == 200, text
            document = answer.json()
            assert document == [] or document.get("boolean") is False or document["results"]["bindings"] == []
        assert client.post("/sparql", data={"update": f"LOAD <{address}>"}).status_code == 403
    assert not callers
    with listener() as (address, callers), pytest.raises(httpx.HTTPError):
        httpx.get(address, timeout=2)
    assert callers


# Bodies


def send(client: httpx.Client, sent: bytes, *, end: bool = False) -> bytes:
    """Send these bytes on a connection, and return the response."""
    with connect(str(client.base_url)) as connection:
        with suppress(ConnectionError):  # the answer may arrive before all is sent
            connection.sendall(HEAD + sent)
            if end:
                connection.shutdown(socket.SHUT_WR)
        return rest(connection)


def chunked(*chunks: bytes) -> bytes:
    return b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(b"%x\r\n%s\r\n" % (len(c), c) for c in chunks)


TOO_LARGE = (413, "body-too-large")


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (chunked(b"ASK", b" {", b"}", b""), 200, None),
        (b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400, None),
        (b"Content-Length: 2000000\r\n\r\n", *TOO_LARGE),  # without a body: the answer is immediate
        (chunked(*[b"#" * 4096] * 500, b""), *TOO_LARGE),
        (chunked(*[b"#" * 4096] * 20), *TOO_LARGE),
        (b"Content-Length: 3\r\n\r\nASK {}", 400, "bad-query"),
        *((b"Content-Length: " + length + b"\r\n\r\nASK {}", 400, None) for length in (b"-1", b"x", b"1e3", b"9" * 23)),
        # the chunks determine the length, and nothing is read after them
        (b"Content-Length: 6\r\n" + chunked(b"ASK {}", b""), 200, None),
        *(
            (b"Content-Length: %d\r\n\r\n%s" % (len(body), body), 400, "bad-request")
            for body in (b"ASK { ?s ?p '\xff' }", b"\xff\xfeA\x00S\x00K\x00", "ASK{}".encode("utf-16"), b"\xed\xa0\x80")
        ),
    ],
)  # fmt: skip
def test_body_has_its_status(client: httpx.Client, sent: bytes, status: int, code: str | None) -> None:
    start = time.monotonic()
    came = send(client, sent)
    assert statuses(came) in ([status], [413] if code is None and status == 400 else [])
    assert code is None or problem(came) == code
    assert b"connection: close" in came.lower()
    assert time.monotonic() - start < 5


def test_incomplete_and_too_large_bodies_are_refused(client: httpx.Client, folder: Path) -> None:
    assert 200 not in statuses(send(client, b"Content-Length: 100\r\n\r\nASK {}", end=True))
    headers = {"Content-Type": "application/sparql-query"}
    answer = client.post("/sparql", content=b"#" * 2_000_000, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == TOO_LARGE
    settings = Settings(folder, connections=Connections(body_seconds=0.3))
    with serving(settings) as address, httpx.Client(base_url=address) as slow:
        came = send(slow, b"Content-Length: 100\r\n\r\nASK")
    assert (statuses(came), problem(came)) == ([408], "slow-body")
