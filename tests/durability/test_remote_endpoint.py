"""Tests of slow, busy or interrupted endpoints and partial answers: retries where they are safe, else an error."""

from __future__ import annotations

import re
import socket
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import md5
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.request import parse_http_list, parse_keqv_list

import pytest

from graph.errors import BadParameter, BadQuery, EndpointProblem
from graph.store.remote.endpoint import PASSWORD, PASSWORD_FILE, TABLE, USER, AnswerCut, Credentials, Endpoint, Limits
from graph.store.remote.engine import RemoteEngine
from graph.store.remote.folder import TIMEOUT, UPDATES
from graph.store.remote.probe import Properties
from tests.support.misbehaving import Fault, misbehaving
from tests.support.served_engines import WHY_NOT, EngineName, Served, programs, serving_engine

SHORT_LIMITS = Limits(connect=2, answer=2, tries=3, pause=0.01)
ALL_SUBJECTS_QUERY = "SELECT ?s WHERE { GRAPH ?g { ?s ?p ?o } }"
INSERT = "INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> <urn:o> } }"


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    if programs(EngineName.OXIGRAPH) is None:
        pytest.skip(WHY_NOT[EngineName.OXIGRAPH])
    with serving_engine(EngineName.OXIGRAPH, tmp_path_factory.mktemp("endpoint")) as served:
        engine = served.engine()
        engine.update(INSERT)
        engine.endpoint.close()
        yield served


@contextmanager
def _open_endpoint(url: str, limits: Limits = SHORT_LIMITS) -> Iterator[Endpoint]:
    endpoint = Endpoint(f"{url}/query", f"{url}/update", None, limits)
    try:
        yield endpoint
    finally:
        endpoint.close()


@pytest.mark.parametrize("fault", [Fault.BUSY, Fault.NEVER_SENT, Fault.NEVER_ANSWERED, Fault.CUT_ANSWER])
def test_query_is_retried_after_a_connection_error(oxigraph: Served, fault: Fault) -> None:
    with misbehaving(oxigraph.url) as proxy, _open_endpoint(proxy.url) as endpoint:
        proxy.plan = lambda _path: fault if len(proxy.seen) < 2 else None
        assert b"urn:s" in endpoint.ask(ALL_SUBJECTS_QUERY, TABLE).body
        assert len(proxy.seen) == 3


@pytest.mark.parametrize("fault", [Fault.BUSY, Fault.NEVER_SENT, Fault.CUT_ANSWER])
def test_query_fails_after_the_maximum_number_of_tries(oxigraph: Served, fault: Fault) -> None:
    with misbehaving(oxigraph.url) as proxy, _open_endpoint(proxy.url) as endpoint:
        proxy.plan = lambda _path: fault
        with pytest.raises(EndpointProblem, match="answers 503" if fault is Fault.BUSY else "cannot be reached"):
            endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)
        assert len(proxy.seen) == 3


def test_update_is_retried_only_if_it_was_not_executed(oxigraph: Served) -> None:
    with misbehaving(oxigraph.url) as proxy, _open_endpoint(proxy.url) as endpoint:
        proxy.plan = lambda _path: Fault.BUSY if len(proxy.seen) < 2 else None
        endpoint.change(INSERT)
        assert len(proxy.seen) == 3
        proxy.plan = lambda _path: Fault.NEVER_ANSWERED
        with pytest.raises(EndpointProblem, match="it is unknown whether the request was executed"):
            endpoint.change(INSERT)
        assert len(proxy.seen) == 4


@pytest.mark.parametrize(
    ("status", "reported"),
    [(500, True), (502, True), (503, False), (404, False)],
    ids=["failed", "of a gateway", "busy", "not there"],
)
def test_server_error_leaves_the_update_result_unknown(status: int, reported: bool) -> None:
    """Check that its execution is unknown after a server error; busy and not found mean that it was not executed."""
    with _answering_server(b"oops", status=status) as url, closing(Endpoint(url, url, None, SHORT_LIMITS)) as endpoint:
        with pytest.raises(EndpointProblem, match=f"answers {status}: oops") as refused:
            endpoint.change(INSERT)
        assert ("it is unknown whether the request was executed" in str(refused.value)) is reported
        with pytest.raises(EndpointProblem, match=f"answers {status}: oops$"):
            endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)


@pytest.mark.parametrize("fault", [Fault.ROWS, Fault.SQL_STATE])
def test_truncated_answer_is_an_error_with_any_status(oxigraph: Served, fault: Fault) -> None:
    with misbehaving(oxigraph.url) as proxy, _open_endpoint(proxy.url) as endpoint:
        proxy.plan = lambda _path: fault
        with pytest.raises(AnswerCut, match="cut its answer at 10000 rows" if fault is Fault.ROWS else "S1TAT"):
            endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)


def test_answer_ending_prematurely_is_an_error() -> None:
    """Check an answer as `oxigraph serve --timeout-s` ends it: status 200, and an error sentence after a part."""
    half = b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"urn:s"}}The SPARQL operation'
    with _answering_server(half) as url:
        engine = RemoteEngine(Endpoint(url, None, None, SHORT_LIMITS), Properties(url))
        with pytest.raises(AnswerCut, match="incomplete"):
            engine.query(ALL_SUBJECTS_QUERY)
        with pytest.raises(AnswerCut, match="incomplete"):
            engine.query("CONSTRUCT WHERE { ?s ?p ?o }")
        engine.endpoint.close()


def test_answer_size_is_limited(oxigraph: Served) -> None:
    limits = Limits(longest=20, tries=1)
    with _open_endpoint(oxigraph.url, limits) as endpoint, pytest.raises(EndpointProblem, match="larger than 20 bytes"):
        endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)


def test_missing_answer_times_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        limits = Limits(answer=0.1, tries=3, pause=0.01)
        with _open_endpoint(url, limits) as endpoint, pytest.raises(EndpointProblem, match=r"no answer within 0\.1 s"):
            endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)
    with _open_endpoint(url) as endpoint, pytest.raises(EndpointProblem, match="cannot be reached"):
        endpoint.change(INSERT)


def test_invalid_query_raises_the_error_of_the_embedded_store(oxigraph: Served) -> None:
    with _open_endpoint(oxigraph.url) as endpoint:
        engine = RemoteEngine(endpoint, Properties(endpoint.url))
        with pytest.raises(SyntaxError):
            engine.query("SELECT ?s WHERE {")
        with pytest.raises(BadQuery, match="refuses the query"):
            endpoint.ask("SELECT ?s WHERE {", TABLE)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://dba:dba@127.0.0.1:1/sparql", "URL without user"),
        ("ftp://127.0.0.1/sparql", "http:// or https://"),
        ("sparql", "http:// or https://"),
        ("http://127.0.0.1:0/sparql", "a port from 1 to 65535"),
        ("http://127.0.0.1:65536/sparql", "a port from 1 to 65535"),
    ],
)
def test_invalid_endpoint_address_is_rejected(url: str, why: str) -> None:
    with pytest.raises(BadParameter, match=why):
        Endpoint(url)


def test_credentials_are_read_from_the_environment(tmp_path: Path) -> None:
    variables = {"VIGENTE_ENDPOINT_USER": "ana"}
    assert Credentials.of_environment({}) is None
    with pytest.raises(BadParameter, match="expected its password"):
        Credentials.of_environment(variables)
    (tmp_path / "password").write_text("secreta\n")
    by_file = Credentials.of_environment({**variables, "VIGENTE_ENDPOINT_PASSWORD_FILE": str(tmp_path / "password")})
    by_word = Credentials.of_environment({**variables, "VIGENTE_ENDPOINT_PASSWORD": "secreta"})
    assert by_file == by_word == Credentials("ana", "secreta")
    assert "secreta" not in repr(by_file)
    with pytest.raises(BadParameter, match="cannot be read"):
        Credentials.of_environment({**variables, "VIGENTE_ENDPOINT_PASSWORD_FILE": str(tmp_path / "none")})


def test_password_is_sent_when_requested() -> None:
    wanted = f"Basic {b64encode(b'ana:secreta').decode()}"
    with _answering_server(b"{}", wanted=wanted) as url:
        for credentials, ends in (
            (Credentials("ana", "secreta"), True),
            (Credentials("ana", "x"), False),
            (None, False),
        ):
            endpoint = Endpoint(url, None, credentials, SHORT_LIMITS)
            if ends:
                assert endpoint.ask(ALL_SUBJECTS_QUERY, TABLE).body == b"{}"
                assert endpoint.ask(ALL_SUBJECTS_QUERY, TABLE).body == b"{}", (
                    "expected the password in the first request"
                )
            else:
                with pytest.raises(EndpointProblem, match="rejects the credentials"):
                    endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)
            endpoint.close()


def test_digest_is_preferred_to_basic_and_sent_preemptively() -> None:
    seen: list[str | None] = []

    class Handler(_SilentHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            authorization = self.headers.get("Authorization")
            seen.append(authorization)
            fields = parse_keqv_list(parse_http_list((authorization or "").removeprefix("Digest ")))
            user_hash = md5(b"ana:r:secreta").hexdigest()  # noqa: S324 - as RFC 7616 specifies
            request_hash = md5(b"POST:/query").hexdigest()  # noqa: S324
            wanted = ":".join((user_hash, "n", fields.get("nc", ""), fields.get("cnonce", ""), "auth", request_hash))
            known = fields.get("response") == md5(wanted.encode()).hexdigest()  # noqa: S324
            self.send_response_only(200 if known else 401)
            self.send_header("WWW-Authenticate", 'Basic realm="r"')
            self.send_header("WWW-Authenticate", 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5')
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

    with _running_server(Handler) as url:
        with closing(Endpoint(url, None, Credentials("ana", "secreta"), SHORT_LIMITS)) as endpoint:
            assert endpoint.ask(ALL_SUBJECTS_QUERY, TABLE).body == b"{}"
            assert endpoint.ask(ALL_SUBJECTS_QUERY, TABLE).body == b"{}"
        assert [authorization is None for authorization in seen] == [True, False, False]
        assert all("secreta" not in (authorization or "") for authorization in seen)
        with (
            closing(Endpoint(url, None, Credentials("ana", "x"), SHORT_LIMITS)) as endpoint,
            pytest.raises(EndpointProblem, match="rejects the credentials"),
        ):
            endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)
        assert len(seen) == 5


def test_redirect_is_not_followed() -> None:
    seen: list[str] = []

    class Handler(_SilentHandler):
        def do_POST(self) -> None:
            seen.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response_only(302)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            seen.append(self.path)

    with (
        _running_server(Handler) as url,
        closing(Endpoint(url, None, None, SHORT_LIMITS)) as endpoint,
        pytest.raises(EndpointProblem, match="answers 302"),
    ):
        endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)
    assert seen == ["/query"]


def test_slow_answer_times_out() -> None:
    class Handler(_SilentHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response_only(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            with suppress(OSError):
                for _ in range(40):
                    self.wfile.write(b" ")
                    time.sleep(0.05)

    limits = Limits(answer=0.4, tries=3, pause=0.01)
    with _running_server(Handler) as url, closing(Endpoint(url, None, None, limits)) as endpoint:
        began = time.monotonic()
        with pytest.raises(EndpointProblem, match=r"no answer within 0\.4 s"):
            endpoint.ask(ALL_SUBJECTS_QUERY, TABLE)
        assert time.monotonic() - began < 1.5


def test_settings_match_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "remote.md").read_text("utf-8")
    documented = set(re.findall(r"^\| `(VIGENTE_\w+)` \|", page, re.MULTILINE))
    assert documented == {
        "VIGENTE_ENDPOINT",
        "VIGENTE_ENDPOINT_ATOMIC",
        USER,
        PASSWORD,
        PASSWORD_FILE,
        UPDATES,
        TIMEOUT,
    }
    assert f"`{Limits().answer:g}`" in page


@contextmanager
def _answering_server(body: bytes, wanted: str | None = None, status: int = 200) -> Iterator[str]:
    """Run a server that sends these bytes and this status as every answer."""

    class Handler(_SilentHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            known = wanted is None or self.headers.get("Authorization") == wanted
            self.send_response_only(status if known else 401)
            if not known:
                self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.send_header("Content-Type", TABLE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with _running_server(Handler) as url:
        yield url


class _SilentHandler(BaseHTTPRequestHandler):
    """A handler that writes no log."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the base class
        """Write nothing."""


@contextmanager
def _running_server(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Run a server on loopback, and yield its address."""
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/query"
        finally:
            server.shutdown()
            thread.join()
