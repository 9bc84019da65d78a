"""Tests of the guard for queries: none can reach another host, and the word SERVICE alone is not refused."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.errors import BadQuery
from queries.catalogue import catalogue
from queries.guard import MAX_DEPTH, MAX_SIZE, refuse_unsafe
from service.cli import main

HEADER = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"

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


@pytest.mark.parametrize("query", FEDERATED_QUERIES + FEDERATED_QUERIES_WITH_VARIABLES)
def test_federated_query_is_rejected(query: str) -> None:
    with pytest.raises(BadQuery):
        refuse_unsafe(query.replace("HOST", "http://127.0.0.1:9/x"))


@pytest.mark.parametrize("query", FEDERATED_QUERIES)
def test_engine_alone_would_connect(query: str) -> None:
    """Use port 9, which the engine's HTTP client refuses by itself: it tries, and no connection is made."""
    with pytest.raises(OSError, match="The port 9 is not allowed"):
        _run(query.replace("HOST", "http://127.0.0.1:9/x"))


def _run(query: str) -> None:
    result = ox.Store().query(query)
    if not isinstance(result, ox.QueryBoolean):
        list(result)


@pytest.mark.parametrize("query", HARMLESS_QUERIES)
def test_service_as_plain_text_is_accepted(query: str) -> None:
    refuse_unsafe(query)
    ox.Store().query(query)


# Codepoint escapes (SPARQL 1.1, section 19.2): the standard replaces them before parsing, this engine in strings and
# IRIs alone. The guard checks both, so that it also holds for other versions of the engine.
ESCAPED_QUERIES = [
    "SELECT * { \\u0053ERVICE <http://127.0.0.1:9/x> { ?s ?p ?o } }",
    "SELECT * { SERV\\U00000049CE <http://127.0.0.1:9/x> { ?s ?p ?o } }",
    "SELECT * { # \\u000a SERVICE <http://127.0.0.1:9/x> { ?s ?p ?o } \n }",
    "SELECT * { ?s ?p 'a\\u0027 . SERVICE <http://127.0.0.1:9/x> { ?s ?p ?o } #' }",
]


@pytest.mark.parametrize("query", ESCAPED_QUERIES)
def test_escaped_keyword_is_rejected(query: str) -> None:
    with pytest.raises(BadQuery, match="got SERVICE"):
        refuse_unsafe(query)


@pytest.mark.parametrize("query", ESCAPED_QUERIES[:2])
def test_engine_rejects_escaped_keywords(query: str) -> None:
    with pytest.raises(SyntaxError):
        ox.Store().query(query)


def test_escape_without_the_keyword_is_accepted() -> None:
    for query in (
        "SELECT * { ?s ?p 'd\\u0027oeste' }",
        "SELECT * { ?s ?p '\\u0053ervice', <http://x/\\u0053ervice> }",
        "ASK { ?s ?p '\\U7FFFFFFF' }",
    ):
        refuse_unsafe(query)


def test_message_contains_the_line() -> None:
    with pytest.raises(BadQuery) as caught:
        refuse_unsafe("SELECT *\n{\n  SERVICE <http://x> {} }")
    assert str(caught.value) == (
        "expected a query of this store alone, got SERVICE in line 3; queries reach no other host"
    )


def test_ambiguous_less_than_sign_is_reported() -> None:
    with pytest.raises(BadQuery) as caught:
        refuse_unsafe("SELECT * { FILTER(?a<?b#>) } # service\n) }")
    assert str(caught.value) == (
        "expected an IRI or a comparison, got <?b#> in line 1, which may be either: "
        "write a space behind < to compare, or give the IRI a prefix"
    )


def test_unclosed_string_is_reported() -> None:
    with pytest.raises(BadQuery) as caught:
        refuse_unsafe("SELECT * {\n ?s ?p 'a }")
    assert str(caught.value) == "expected a string that is closed, got a lone ' in line 2"


@pytest.mark.parametrize("opening", ["{", "(", "["])
def test_nesting_depth_is_limited(opening: str) -> None:
    refuse_unsafe(opening * MAX_DEPTH)
    refuse_unsafe("{}" * MAX_DEPTH * 2)
    with pytest.raises(BadQuery) as caught:
        refuse_unsafe("\n" + opening * (MAX_DEPTH + 1))
    assert str(caught.value) == "expected at most 100 brackets within each other, got more in line 2"


def test_query_size_is_limited() -> None:
    refuse_unsafe("#" * MAX_SIZE)
    with pytest.raises(BadQuery) as caught:
        refuse_unsafe("#" * (MAX_SIZE + 1))
    assert str(caught.value) == "expected a query of at most 262144 characters, got 262145"


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["'a", "'''a", '"\\', "<", "<a", "a.", "a:", ":", "?", "@", "\\", "%", "-", "#\n", "'\\x", "1.e", "_:"]
)
def test_check_takes_linear_time(piece: str) -> None:
    query = "service " + piece * (MAX_SIZE // len(piece) - 10)
    began = time.process_time()
    for text in (query, query.removeprefix("service ")):
        try:
            refuse_unsafe(text)
        except BadQuery:
            continue
    assert time.process_time() - began < 8


@pytest.mark.parametrize("name", list(catalogue()))
def test_catalogue_queries_are_accepted(name: str) -> None:
    refuse_unsafe(catalogue()[name].text)


def test_rejected_query_opens_no_connection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        host = f"http://127.0.0.1:{server.getsockname()[1]}/"
        query = tmp_path / "outside.rq"
        query.write_text(f"{HEADER}SELECT * {{ SERVICE <{host}> {{ ?s ?p ?o }} }}", encoding="utf-8")
        assert main(["--store", str(tmp_path / "s"), "query", str(query)]) == 2
        with pytest.raises(TimeoutError):
            server.accept()
    assert "queries reach no other host" in capsys.readouterr().err
