"""Tests of the guard for queries: none can reach another host, and the word SERVICE alone is not refused."""

from __future__ import annotations

import contextlib
import socket
import time
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.errors import BadQuery
from queries.catalogue import catalogue
from queries.guard import MAX_DEPTH, MAX_SIZE, refuse_unsafe
from tests.support.commands import Run

# For each of these the engine would open a connection to HOST. Where a query can be parsed in two ways, only the
# parse in which the keyword is not a keyword is harmless.
FEDERATED_QUERIES = [
    "SELECT * { SERVICE <HOST> { ?s ?p ?o } }",
    "SELECT * { # ' \n SERVICE <HOST> { ?s ?p ?o } } # '",
    "SELECT * { BIND('\\'' AS ?a) SERVICE <HOST> { ?s ?p ?o } BIND('' AS ?b) }",
    "SELECT * { BIND('''a''b''' AS ?a) SERVICE <HOST> { ?s ?p ?o } BIND('''''' AS ?b) }",
    "PREFIX : <HOST> SELECT * { SERVICE:{ ?s ?p ?o } }",
    "PREFIX : <HOST> SELECT * { SERVICE:#\n{ ?s ?p ?o } }",
    "SELECT * { SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { BIND(1 AS ?a) FILTER(?a<2)SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { BIND(1 AS ?a) BIND(2 AS ?b) FILTER(?a<?b)SERVICE#>\n<HOST>{ ?s ?p ?o } }",
    "SELECT * { BIND(1 AS ?a) BIND(2 AS ?b) FILTER(?a<?b#>'''\n) SERVICE <HOST> { ?s ?p ?o } #'''\n}",
    "SELECT * { FILTER(1<<http://x/#y>)SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { FILTER(1<'x>y')SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { FILTER(EXISTS{}<?b#>\n)SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { { SELECT * { GRAPH ?g { SERVICE <HOST> { ?s ?p ?o } } } } }",
    "ASK { SERVICE <HOST> { ?s ?p ?o } }",
    "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <HOST> { ?s ?p ?o } }",
    "DESCRIBE ?s WHERE { SERVICE <HOST> { ?s ?p ?o } }",
]

# The engine parses these as SERVICE, but makes no request while its own side of the join is empty, or hides the error.
FEDERATED_QUERIES_WITH_VARIABLES = [
    "SELECT * { VALUES ?x { <HOST> } SERVICE ?x { ?s ?p ?o } }",
    "SELECT * { service silent <HOST> { ?s ?p ?o } }",
    "SELECT * { VALUES ?x { 1 } SERVICESILENT<HOST>{ ?s ?p ?o } }",
    "SELECT * { ?s ?p 1SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { ?s ?p 1.5e3SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { ?s ?p trueSERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { ?s ?p ('''abc') . SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { ?s ?p <HOST#\\u00e9> SERVICE<HOST>{ ?s ?p ?o } }",
    "SELECT * { ?s ?p [].SERVICE<HOST>{ ?s ?p ?o } }",
]

HARMLESS_QUERIES = [
    "SELECT * { ?s ?p 'SERVICE <http://x> {}' } # SERVICE <http://x> {}",
    'SELECT * { ?s ?p """ " SERVICE \' """@en , "service"^^<http://x/#service> }',
    "SELECT ?service $SERVICE { ?service <http://x/#service> _:service }",
    "PREFIX ex: <http://x/service#> SELECT * { ?s ex:service ex:a.service , ex:a\\'service }",
    "SELECT * { ?s ?p ?o FILTER(?o < 'service' && ?s > <http://x/service>) }",
    "SELECT * { ?s ?p ?o FILTER(?s IN (<http://x/#service>, <http://x/'b'>)) }",
    "SELECT * { VALUES (?a ?b) { (<http://x/a> <http://x/service>) } }",
    "SELECT * { FILTER EXISTS { ?s <http://x/#service> ?o } }",
]

# Codepoint escapes (SPARQL 1.1, section 19.2): the standard replaces them before parsing, this engine in strings and
# IRIs alone. The guard checks both, so that it also holds for other versions of the engine.
ESCAPED_QUERIES = [
    "SELECT * { \\u0053ERVICE <HOST> { ?s ?p ?o } }",
    "SELECT * { SERV\\U00000049CE <HOST> { ?s ?p ?o } }",
    "SELECT * { # \\u000a SERVICE <HOST> { ?s ?p ?o } \n }",
    "SELECT * { ?s ?p 'a\\u0027 . SERVICE <HOST> { ?s ?p ?o } #' }",
]
HARMLESS_ESCAPES = [
    "SELECT * { ?s ?p 'd\\u0027oeste' }",
    "SELECT * { ?s ?p '\\u0053ervice', <http://x/\\u0053ervice> }",
    "ASK { ?s ?p '\\U7FFFFFFF' }",
]

#: Queries that are refused, and the message.
MESSAGES = [
    (
        "SELECT *\n{\n  SERVICE <http://x> {} }",
        "expected a query of this store alone, got SERVICE in line 3; queries reach no other host",
    ),
    (
        "SELECT * { FILTER(?a<?b#>) } # service\n) }",
        (
            "expected an IRI or a comparison, got <?b#> in line 1, which may be either: "
            "write a space behind < to compare, or give the IRI a prefix"
        ),
    ),
    ("SELECT * {\n ?s ?p 'a }", "expected a string that is closed, got a lone ' in line 2"),
    *(
        ("\n" + opening * (MAX_DEPTH + 1), "expected at most 100 brackets within each other, got more in line 2")
        for opening in "{(["
    ),
    ("#" * (MAX_SIZE + 1), "expected a query of at most 262144 characters, got 262145"),
]


def test_federated_queries_are_refused() -> None:
    for query in FEDERATED_QUERIES + FEDERATED_QUERIES_WITH_VARIABLES + ESCAPED_QUERIES:
        with pytest.raises(BadQuery, match="got SERVICE" if query in ESCAPED_QUERIES else None):
            refuse_unsafe(query.replace("HOST", "http://127.0.0.1:9/x"))
    for query in ESCAPED_QUERIES[:2]:
        with pytest.raises(SyntaxError):
            ox.Store().query(query)


def test_engine_alone_would_connect() -> None:
    """Use port 9, which the engine's HTTP client refuses by itself: it tries, and no connection is made."""
    for query in FEDERATED_QUERIES:
        with pytest.raises(OSError, match="The port 9 is not allowed"):
            _run(query.replace("HOST", "http://127.0.0.1:9/x"))


def _run(query: str) -> None:
    result = ox.Store().query(query)
    if not isinstance(result, ox.QueryBoolean):
        list(result)


def test_harmless_queries_are_accepted() -> None:
    for query in HARMLESS_QUERIES:
        refuse_unsafe(query)
        ox.Store().query(query)
    nested = [opening * MAX_DEPTH for opening in "{(["]
    of_the_catalogue = [query.text for query in catalogue().values()]
    for query in (*HARMLESS_ESCAPES, *nested, "{}" * MAX_DEPTH * 2, "#" * MAX_SIZE, *of_the_catalogue):
        refuse_unsafe(query)


@pytest.mark.parametrize(("query", "message"), MESSAGES, ids=[message for _, message in MESSAGES])
def test_message_says_what_is_expected(query: str, message: str) -> None:
    with pytest.raises(BadQuery) as caught:
        refuse_unsafe(query)
    assert str(caught.value) == message


def test_check_takes_linear_time() -> None:
    """Check long queries of one repeated piece; the word makes the guard read the whole query."""
    pieces = ["'a", "'''a", '"\\', "<", "<a", "a.", "a:", ":", "?", "@", "\\", "%", "-", "#\n", "'\\x", "1.e", "_:"]
    assert len(pieces) == 17
    for piece in pieces:
        query = "service " + piece * (MAX_SIZE // len(piece) // 4)
        began = time.process_time()
        for text in (query, query.removeprefix("service ")):
            with contextlib.suppress(BadQuery):
                refuse_unsafe(text)
        assert time.process_time() - began < 2, piece


def test_refused_query_opens_no_connection(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        host = f"http://127.0.0.1:{server.getsockname()[1]}/"
        header = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"
        (tmp_path / "outside.rq").write_text(f"{header}SELECT * {{ SERVICE <{host}> {{ ?s ?p ?o }} }}", "utf-8")
        assert "queries reach no other host" in run("--store s query outside.rq", code=2).err
        with pytest.raises(TimeoutError):
            server.accept()
