"""Tests of slow, busy, interrupted or killed endpoints: retries where they are safe, else an error; nothing is lost."""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import md5
from pathlib import Path
from random import Random
from threading import Event as Signal
from urllib.request import parse_http_list, parse_keqv_list

import pytest

from graph import store as stores
from graph.entities import Record
from graph.errors import BadParameter, BadQuery, EndpointProblem
from graph.store.remote.endpoint import PASSWORD, PASSWORD_FILE, TABLE, USER, AnswerCut, Credentials, Endpoint, Limits
from graph.store.remote.engine import RemoteEngine
from graph.store.remote.folder import TIMEOUT, UPDATES
from graph.store.remote.probe import Properties
from tests.support.cases import values
from tests.support.misbehaving import Fault, Proxy, fair, misbehaving
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer, silence, trickle
from tests.support.records import deletion, event, record
from tests.support.served_engines import WHY_NOT, EngineName, Served, programs, serving_engine
from tests.unit.graph.test_remote_store import by_graph, local, put, stored_quads

# Slow, busy or interrupted endpoints and partial answers


SHORT_LIMITS = Limits(connect=2, answer=2, tries=3, pause=0.01)
ALL = "SELECT ?s WHERE { GRAPH ?g { ?s ?p ?o } }"
BASIC = f"Basic {b64encode(b'ana:secreta').decode()}"
INSERT = "INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> <urn:o> } }"


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Proxy, Endpoint]]:
    """Yield a proxy in front of an engine with one triple, and the endpoint that it is."""
    if programs(EngineName.OXIGRAPH) is None:
        pytest.skip(WHY_NOT[EngineName.OXIGRAPH])
    folder = tmp_path_factory.mktemp("endpoint")
    with (
        serving_engine(EngineName.OXIGRAPH, folder) as served,
        misbehaving(served.url) as proxy,
    ):
        endpoint = Endpoint(f"{proxy.url}/query", f"{proxy.url}/update", None, SHORT_LIMITS)
        endpoint.change(INSERT)
        yield proxy, endpoint


def refused(
    message: str, url: str, query: str = ALL, who: Credentials | None = None, limits: Limits | None = None
) -> str:
    """Check that a query, or an update, fails with a message; return the whole message."""
    endpoint = Endpoint(url, url, who, limits or SHORT_LIMITS)
    with pytest.raises(EndpointProblem, match=message) as raised:
        endpoint.change(query) if query is INSERT else endpoint.ask(query, TABLE)
    return str(raised.value)


# Faults of connections and answers

DROPPED = "cannot be reached"
BUSY, UNSENT, UNANSWERED, CUT = Fault.BUSY, Fault.NEVER_SENT, Fault.NEVER_ANSWERED, Fault.CUT_ANSWER


@pytest.mark.parametrize(
    ("update", "faults", "requests", "error", "message"),
    [
        *((False, [fault] * 2, 3, None, "") for fault in (BUSY, UNSENT, UNANSWERED, CUT)),
        (False, [BUSY] * 9, 3, EndpointProblem, "answers 503"),
        *((False, [fault] * 9, 3, EndpointProblem, DROPPED) for fault in (UNSENT, CUT)),
        (False, [Fault.ROWS], 1, AnswerCut, "cut its answer at 10000 rows"),
        (False, [Fault.SQL_STATE], 1, AnswerCut, "S1TAT"),
        (True, [BUSY] * 2, 3, None, ""),
        (True, [UNANSWERED] * 9, 1, EndpointProblem, "it is unknown whether the request was executed"),
    ],
)
def test_request_is_retried_where_this_is_safe(
    oxigraph: tuple[Proxy, Endpoint],
    update: bool,
    faults: list[Fault],
    requests: int,
    error: type[Exception] | None,
    message: str,
) -> None:
    proxy, endpoint = oxigraph
    proxy.seen.clear()
    left = faults.copy()
    proxy.plan = lambda _path: left.pop() if left else None

    def ask() -> None:
        if update:
            endpoint.change(INSERT)
        else:
            assert b"urn:s" in endpoint.ask(ALL, TABLE)

    if error is None:
        ask()
    else:
        with pytest.raises(error, match=message):
            ask()
    assert len(proxy.seen) == requests


def test_invalid_query_and_large_answer_are_errors(oxigraph: tuple[Proxy, Endpoint]) -> None:
    proxy, endpoint = oxigraph
    proxy.plan = fair
    with pytest.raises(SyntaxError):
        RemoteEngine(endpoint, Properties(endpoint.url)).query("SELECT ?s WHERE {")
    with pytest.raises(BadQuery, match="refuses the query"):
        endpoint.ask("SELECT ?s WHERE {", TABLE)
    refused("larger than 20 bytes", endpoint.url, limits=Limits(longest=20, tries=1))


@pytest.mark.parametrize(("status", "unknown"), [(500, True), (502, True), (503, False), (404, False)])
def test_server_error_leaves_the_update_result_unknown(status: int, unknown: bool) -> None:
    """Check that its execution is unknown after a server error; busy and not found mean that it was not executed."""
    with OaiServer([Reply("oops", status)]) as server:
        message = refused(f"answers {status}: oops", server.url, INSERT)
        assert ("it is unknown whether the request was executed" in message) is unknown
        refused(f"answers {status}: oops$", server.url)


def test_answer_ending_prematurely_is_an_error() -> None:
    """Check an answer as `oxigraph serve --timeout-s` ends it: status 200, and an error sentence after a part."""
    half = b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"urn:s"}}The SPARQL operation'
    reply = Reply(half, fields={"Content-Type": TABLE})
    with OaiServer([reply]) as server:
        endpoint = Endpoint(server.url, None, None, SHORT_LIMITS)
        for query in (ALL, "CONSTRUCT WHERE { ?s ?p ?o }"):
            with pytest.raises(AnswerCut, match="incomplete"):
                RemoteEngine(endpoint, Properties(server.url)).query(query)


def test_redirect_is_not_followed() -> None:
    with OaiServer([Reply("", 302, {"Location": "/elsewhere"})]) as server:
        refused("answers 302", server.url)
    assert [asked.target for asked in server.asked] == ["/oai"]


@pytest.mark.parametrize("behaviour", [silence, trickle(" " * 100, 0.05)], ids=["missing", "slow"])
def test_missing_or_slow_answer_times_out(behaviour: ScriptedAnswer) -> None:
    began = time.monotonic()
    with OaiServer([behaviour]) as server:
        refused(r"no answer within 0\.3 s", server.url, limits=Limits(answer=0.3, tries=3, pause=0.01))
    assert time.monotonic() - began < 1.5
    refused("cannot be reached", server.url, INSERT)


# Addresses and credentials


@pytest.mark.parametrize(("url", "why"), values("remote_endpoint", "invalid_endpoint_address_is_rejected"))
def test_invalid_endpoint_address_is_rejected(url: str, why: str) -> None:
    with pytest.raises(BadParameter, match=why):
        Endpoint(url)


def test_credentials_are_read_from_the_environment(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("secreta\n")
    assert Credentials.of_environment({}) is None
    for variables, known in (
        ({PASSWORD_FILE: str(tmp_path / "password")}, Credentials("ana", "secreta")),
        ({PASSWORD: "secreta"}, Credentials("ana", "secreta")),
        ({}, "expected its password"),
        ({PASSWORD_FILE: str(tmp_path / "none")}, "cannot be read"),
    ):
        if isinstance(known, Credentials):
            assert Credentials.of_environment({USER: "ana", **variables}) == known
            assert "secreta" not in repr(known)
        else:
            with pytest.raises(BadParameter, match=known):
                Credentials.of_environment({USER: "ana", **variables})


CHALLENGES = {
    "Basic": ['Basic realm="r"'],
    "Digest": ['Basic realm="r"', 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5'],
}


def digest(authorization: str) -> str:
    """Return the field that Digest requires for the password (RFC 7616)."""
    fields = parse_keqv_list(parse_http_list(authorization.removeprefix("Digest ")))
    user, request = (md5(text).hexdigest() for text in (b"ana:r:secreta", b"POST:/oai"))  # noqa: S324
    wanted = ":".join((user, "n", fields.get("nc", ""), fields.get("cnonce", ""), "auth", request))
    return md5(wanted.encode()).hexdigest()  # noqa: S324


@pytest.mark.parametrize("kind", CHALLENGES)
def test_password_is_sent_when_requested_and_digest_is_preferred(kind: str) -> None:
    def script(asked: ReceivedRequest) -> ScriptedAnswer:
        authorization = asked.fields.get("authorization", "")
        known = digest(authorization) in authorization if kind == "Digest" else authorization == BASIC
        lines = ["HTTP/1.1 200 OK" if known else "HTTP/1.1 401 No", "Content-Length: 2"]
        lines += [f"WWW-Authenticate: {challenge}" for challenge in CHALLENGES[kind]]
        return lambda connection: connection.send(("\r\n".join(lines) + "\r\n\r\n{}").encode())

    with OaiServer(script) as server:
        endpoint = Endpoint(server.url, None, Credentials("ana", "secreta"), SHORT_LIMITS)
        assert [endpoint.ask(ALL, TABLE) for _ in range(2)] == [b"{}", b"{}"]
        sent = [asked.fields.get("authorization", "") for asked in server.asked]
        assert [authorization.partition(" ")[0] for authorization in sent] == ["", kind, kind]
        for credentials in (Credentials("ana", "x"), None):
            refused("rejects the credentials", server.url, who=credentials)
        assert len(server.asked) == 6
        assert all("secreta" not in str(asked.fields) for asked in server.asked)


def test_settings_match_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "remote.md").read_text("utf-8")
    documented = set(re.findall(r"^\| `(VIGENTE_\w+)` \|", page, re.MULTILINE))
    own = {USER, PASSWORD, PASSWORD_FILE, UPDATES, TIMEOUT}
    assert documented == own | {"VIGENTE_ENDPOINT", "VIGENTE_ENDPOINT_ATOMIC"}
    assert f"`{Limits().answer:g}`" in page


# A remote server that is killed during a write (kill -9) and restarted


#: The number of kills of the server, at random moments.
TIMES = 3
RANDOM = Random(20261122)  # noqa: S311 - moments, no secrets
NORMS = 12


def _law(number: int) -> str:
    return f"urn:lex:br:federal:lei:2001-03-05;{99_901 + number}"


@pytest.fixture(scope="module")
def batches() -> list[list[Record]]:
    """Return new records; then records that replace, withdraw and revoke some of them; then new records again."""

    def made(number: int, start: str, datestamp: str) -> Record:
        relations = [("altera", _law(other)) for other in range(number % 7)]
        version = f"{_law(number)}@{start};publicacao;2001-03-06"
        return record(version, *relations, key=_law(number), datestamp=datestamp)

    revoking = "urn:lex:br:federal:lei:2003-03-05;99900"
    revoked = event("revogacao", _law(3), "2003-03-05", "2003-03-05", revoking)
    return [
        [made(number, "2001-03-06", "2008-12-15") for number in range(NORMS)],
        [
            *(made(number, "2001-04-01", "2008-12-17") for number in range(8)),
            *(deletion(_law(number), datestamp="2008-12-17") for number in range(8, 12)),
            record(revoking, ("revoga", _law(3)), events=[revoked], datestamp="2008-12-17"),
        ],
        [made(number, "2001-03-06", "2008-12-18") for number in range(NORMS, 2 * NORMS)],
    ]


@pytest.mark.slow
def test_killed_server_keeps_committed_batches_and_no_partial_records(
    written: Served, tmp_path: Path, batches: list[list[Record]]
) -> None:
    stores_of = [local(*batches[:number]) for number in range(len(batches) + 1)]
    states = [frozenset(map(str, store.engine)) for store in stores_of]
    written.empty()
    written.connect(tmp_path / "undisturbed")
    began = time.monotonic()
    for batch in batches:
        put(tmp_path / "undisturbed", batch)
    lasts = (time.monotonic() - began) / len(batches)
    assert stored_quads(written) == states[-1]
    cut = 0
    for kill in range(TIMES):
        written.empty()
        folder = tmp_path / f"{kill}"
        written.connect(folder)
        finished = _write_until_killed(written, folder, batches, kill % len(batches), lasts * RANDOM.uniform(0, 0.5))
        cut += finished < len(batches)
        written.start()
        with stores.open(folder) as store:
            _assert_whole_graphs(frozenset(map(str, store.engine)), states[finished : finished + 2])
        for batch in batches[finished:]:
            put(folder, batch)
        assert stored_quads(written) == states[-1]
        with stores.open(folder) as store:
            assert list(store.names) == list(stores_of[-1].names)
    assert cut, "no kill happened during a write"


def _write_until_killed(there: Served, folder: Path, batches: list[list[Record]], which: int, after: float) -> int:
    """Kill the server some seconds after a batch begins, and return the number of batches reported."""
    begun = Signal()

    def write() -> int:
        for finished, batch in enumerate(batches):
            if finished == which:
                begun.set()
            try:
                put(folder, batch)
            except EndpointProblem:
                return finished
        return len(batches)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        assert begun.wait(60)
        time.sleep(after)
        there.kill()
        return writing.result()


def _assert_whole_graphs(quads: frozenset[str], states: list[frozenset[str]]) -> None:
    """Check that every graph is as in one of these states; a graph that is in all of them must be stored."""
    stored, allowed = by_graph(quads), [by_graph(state) for state in states]
    for graph in {name for state in allowed for name in state} | set(stored):
        seen = stored.get(graph, frozenset())
        assert any(seen == state.get(graph, frozenset()) for state in allowed), f"{graph} is incomplete"
