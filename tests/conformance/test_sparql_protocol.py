"""Tests of the endpoint by the clauses of the SPARQL 1.1 Protocol: methods, parameters, datasets, formats, errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pyoxigraph as ox
import pytest
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from service.web.settings import Limits
from tests.support.sparql_endpoint import EX, asking, filled

ALL = "SELECT DISTINCT ?v { ?s ?p ?v } ORDER BY ?v"
CONSTRUCT = "CONSTRUCT { ?s <r> ?v } WHERE { ?s ?p ?v }"
FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"
SD = "http://www.w3.org/ns/sparql-service-description#"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with asking(filled(tmp_path_factory.mktemp("sparql") / "store")) as client:
        yield client


def values(answer: httpx.Response) -> list[str]:
    """Return the values of the only column, ``v``."""
    assert answer.status_code == 200, answer.text
    return [row["v"]["value"] for row in answer.json()["results"]["bindings"]]


def problem(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    document = answer.json()
    assert document["status"] == answer.status_code
    return answer.status_code, document["code"]


# 2.1.1 to 2.1.3: the three ways to send a query


def test_query_by_get(client: httpx.Client) -> None:
    assert values(client.get("/sparql", params={"query": ALL})) == ["dois", "três", "um"]


@pytest.mark.parametrize("charset", ["", "; charset=UTF-8", '; charset="utf-8"', ";CHARSET=utf8"])
@pytest.mark.parametrize("media", [FORM, QUERY, QUERY.upper()])
def test_query_by_post(client: httpx.Client, media: str, charset: str) -> None:
    query = 'SELECT ?v { ?s ?p ?v FILTER(?v = "três") }'
    body = urlencode({"query": query}) if media == FORM else query
    answer = client.post("/sparql", content=body.encode(), headers={"Content-Type": media + charset})
    assert values(answer) == ["três"]


def test_plus_and_percent_encoding_are_decoded(client: httpx.Client) -> None:
    query = 'SELECT ("a+b %&=;ç" AS ?v) {}'
    for encoded in (quote(query, safe=""), quote(query, safe="").replace("%20", "+")):
        assert values(client.get(f"/sparql?query={encoded}")) == ["a+b %&=;ç"]


def test_post_form_accepts_only_other_parameters_in_the_query_string(client: httpx.Client) -> None:
    data = {"query": ALL}
    assert values(client.post("/sparql", params={"default-graph-uri": EX + "g2"}, data=data)) == ["três"]
    assert problem(client.post("/sparql", params=data, data={"x": "y"})) == (400, "bad-request")
    assert problem(client.post("/sparql", params=data, data=data)) == (400, "bad-request")


def test_direct_post_takes_its_dataset_from_the_query_string(client: httpx.Client) -> None:
    headers = {"Content-Type": QUERY}
    parameters = {"default-graph-uri": EX + "g2"}
    assert values(client.post("/sparql", params=parameters, content=ALL, headers=headers)) == ["três"]
    answer = client.post("/sparql", params={"query": ALL}, content=ALL, headers=headers)
    assert problem(answer) == (400, "bad-request")


def test_unknown_parameters_are_ignored(client: httpx.Client) -> None:
    answer = client.get("/sparql", params={"query": ALL, "timeout": "0", "callback": "x", "": "y"})
    assert values(answer) == ["dois", "três", "um"]


@pytest.mark.parametrize("parameters", ["query=ASK{}&query=ASK{}", "default-graph-uri=http://e/g", "named-graph-uri="])
def test_exactly_one_query_is_required(client: httpx.Client, parameters: str) -> None:
    assert problem(client.get(f"/sparql?{parameters}")) == (400, "bad-request")


def test_missing_or_empty_query_is_refused(client: httpx.Client) -> None:
    assert problem(client.get("/sparql?query=")) == (400, "bad-query")
    assert problem(client.post("/sparql", data={"format": "json"})) == (400, "bad-request")
    assert problem(client.post("/sparql", content=b"", headers={"Content-Type": QUERY})) == (400, "bad-query")


# 2.1.4: the dataset


@pytest.mark.parametrize(
    ("default", "named", "expected"),
    [
        ([], [], ["d:dois", "d:três", "d:um", "g1:dois", "g1:um", "g2:três", "g3:um"]),
        (["g1"], [], ["d:dois", "d:um"]),
        (["g1", "g2"], [], ["d:dois", "d:três", "d:um"]),
        (["g1", "g3"], [], ["d:dois", "d:um"]),
        ([], ["g1", "g2"], ["g1:dois", "g1:um", "g2:três"]),
        (["g2"], ["g3"], ["d:três", "g3:um"]),
        (["nowhere"], [], []),
        ([], ["nowhere"], []),
    ],
)
@pytest.mark.parametrize("by", ["GET", "POST", "FROM", "over FROM"])
def test_dataset_parameters_select_the_graphs(
    client: httpx.Client, by: str, default: list[str], named: list[str], expected: list[str]
) -> None:
    clauses = [f"FROM <{EX}{graph}>" for graph in default] + [f"FROM NAMED <{EX}{graph}>" for graph in named]
    if by == "over FROM" and clauses:
        clauses = [f"FROM <{EX}g3> FROM NAMED <{EX}g1>"]
    query = (
        f"SELECT DISTINCT ?v {' '.join(clauses) if 'FROM' in by else ''} WHERE {{ "
        '{ ?s ?p ?o BIND(CONCAT("d:", ?o) AS ?v) } UNION '
        f'{{ GRAPH ?g {{ ?s ?p ?o }} BIND(CONCAT(STRAFTER(STR(?g), "{EX}"), ":", ?o) AS ?v) }} }} ORDER BY ?v'
    )
    dataset = {"default-graph-uri": [EX + g for g in default], "named-graph-uri": [EX + g for g in named]}
    if by == "POST":
        answer = client.post("/sparql", data={"query": query, **dataset})
    else:
        answer = client.get("/sparql", params={"query": query} if by == "FROM" else {"query": query, **dataset})
    assert values(answer) == expected


def test_triple_in_two_graphs_is_returned_twice(client: httpx.Client) -> None:
    """Check duplicates: the engine does not merge graphs as SPARQL requires; DISTINCT and CONSTRUCT remove them."""
    pattern = f"{{ <{EX}a> <{EX}p> ?v FILTER(?v = 'um') }}"
    for dataset in ("", f"FROM <{EX}g1> FROM <{EX}g3>"):
        assert values(client.get("/sparql", params={"query": f"SELECT ?v {dataset} {pattern}"})) == ["um", "um"]
        assert values(client.get("/sparql", params={"query": f"SELECT DISTINCT ?v {dataset} {pattern}"})) == ["um"]
        query = f"CONSTRUCT {{ <x:x> <x:p> ?v }} {dataset} WHERE {pattern}"
        assert client.get("/sparql", params={"query": query, "format": "nt"}).text == '<x:x> <x:p> "um" .\n'


def test_graph_result_has_each_triple_once(client: httpx.Client) -> None:
    """Check SPARQL 1.1, section 16: a constructed or described graph has no duplicates."""
    for query in (
        f"DESCRIBE <{EX}a>",
        f"CONSTRUCT {{ <x:x> <x:p> ?v }} WHERE {{ <{EX}a> <{EX}p> ?w, ?v }}",
    ):
        lines = client.get("/sparql", params={"query": query, "format": "nt"}).text.splitlines()
        assert len(lines) == len(set(lines)) > 0, query


@pytest.mark.parametrize("iri", ["", "g1", "/g1", "http://e/a b", "http://e/<>", "http://e/\x00", "file:\\\\x"])
@pytest.mark.parametrize("name", ["default-graph-uri", "named-graph-uri"])
def test_graph_names_must_be_absolute_iris(client: httpx.Client, name: str, iri: str) -> None:
    assert problem(client.get("/sparql", params={"query": ALL, name: iri})) == (400, "bad-parameter")


def test_relative_iris_resolve_against_the_endpoint(client: httpx.Client) -> None:
    answer = client.get("/sparql", params={"query": "SELECT (STR(<x>) AS ?v) {}"})
    assert values(answer) == [f"{client.base_url}/x".replace("//x", "/x")]


# 2.1.5 and 2.1.6: formats


def content_of(answer: httpx.Response) -> Any:
    """Return the parsed content of an answer in any format."""
    media = answer.headers["content-type"].partition(";")[0]
    if media == "application/json":
        media = "application/sparql-results+json"
    if media == "text/csv":
        return {tuple(line.split(",")) for line in answer.text.splitlines()[1:]}
    results = ox.QueryResultsFormat.from_media_type(media)
    if results is not None:
        read = ox.parse_query_results(answer.content, results)
        return bool(read) if isinstance(read, ox.QueryBoolean) else {tuple(t.value for t in row) for row in read}
    rdf_format = ox.RdfFormat.from_media_type(media)
    assert rdf_format is not None
    return {quad.triple for quad in ox.parse(answer.content, rdf_format)}


RESULTS = (
    "application/sparql-results+json", "application/sparql-results+xml", "text/csv", "text/tab-separated-values",
)  # fmt: skip
GRAPHS = ("text/turtle", "application/n-triples", "application/rdf+xml", "application/ld+json")


@pytest.mark.parametrize("media", [*RESULTS, "application/json"])
def test_select_results_in_each_format(client: httpx.Client, media: str) -> None:
    answer = client.get("/sparql", params={"query": ALL}, headers={"Accept": media})
    charset = "; charset=utf-8" if media.startswith("text/") else ""
    assert (answer.status_code, answer.headers["content-type"]) == (200, media + charset)
    assert content_of(answer) == {("dois",), ("três",), ("um",)}


@pytest.mark.parametrize("media", GRAPHS)
def test_graph_results_in_each_format(client: httpx.Client, media: str) -> None:
    answer = client.get("/sparql", params={"query": CONSTRUCT}, headers={"Accept": media})
    charset = "; charset=utf-8" if media.startswith("text/") else ""
    assert (answer.status_code, answer.headers["content-type"]) == (200, media + charset)
    assert len(content_of(answer)) == 3


@pytest.mark.parametrize("media", RESULTS[:2])
def test_ask_results_in_each_format(client: httpx.Client, media: str) -> None:
    for query, expected in ((f"ASK {{ <{EX}a> ?p ?v }}", True), ("ASK { <x:x> ?p ?v }", False)):
        assert content_of(client.get("/sparql", params={"query": query}, headers={"Accept": media})) is expected


@pytest.mark.parametrize(
    ("name", "results", "graphs"),
    [
        ("json", RESULTS[0], GRAPHS[3]),
        ("xml", RESULTS[1], GRAPHS[2]),
        ("csv", RESULTS[2], None),
        ("tsv", RESULTS[3], None),
        ("ttl", None, GRAPHS[0]),
        ("nt", None, GRAPHS[1]),
        ("rdf", None, GRAPHS[2]),
        ("jsonld", None, GRAPHS[3]),
    ],
)
def test_format_parameter_overrides_accept(
    client: httpx.Client, name: str, results: str | None, graphs: str | None
) -> None:
    for query, media in ((ALL, results), (CONSTRUCT, graphs)):
        answer = client.get("/sparql", params={"query": query, "format": name}, headers={"Accept": "image/png"})
        if media is None:
            assert problem(answer) == (406, "not-acceptable")
        else:
            assert answer.headers["content-type"].partition(";")[0] == media
    answer = client.post("/sparql", data={"query": ALL, "format": name}, headers={"Accept": "image/png"})
    assert answer.status_code == (406 if results is None else 200)


@pytest.mark.parametrize("parameters", ["format=yaml", "format=", "format=json&format=csv", "output=png"])
def test_unknown_format_falls_back_to_accept(client: httpx.Client, parameters: str) -> None:
    answer = client.get(f"/sparql?query=ASK{{}}&{parameters}", headers={"Accept": RESULTS[1]})
    assert answer.headers["content-type"] == RESULTS[1]


@pytest.mark.parametrize(
    ("parameters", "media"),
    [
        ("format=turtle", "text/turtle"),
        ("format=Turtle", "text/turtle"),
        ("output=n3", "text/n3"),
        ("format=json-ld&output=json-ld&results=json-ld", "application/ld+json"),
        ("format=rdf%2Bxml", "application/rdf+xml"),
        ("format=rdf+xml", "application/rdf+xml"),
        ("format=application/rdf%2Bxml", "application/rdf+xml"),
        ("format=text/turtle", "text/turtle"),
        ("format=application/n-quads", "application/n-quads"),
        ("format=trig", "application/trig"),
        ("format=json&format=application/json", "application/ld+json"),
    ],
)
def test_format_aliases_are_accepted(client: httpx.Client, parameters: str, media: str) -> None:
    answer = client.get(f"/sparql?query={quote(CONSTRUCT)}&{parameters}", headers={"Accept": "image/png"})
    assert answer.headers["content-type"].partition(";")[0] == media
    assert len(content_of(answer)) == 3


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("*/*", RESULTS[0]),
        ("", RESULTS[0]),
        ("text/csv;q=0.5, application/sparql-results+xml;q=0.9", RESULTS[1]),
        ("text/*", RESULTS[2]),
        ("text/turtle, text/tab-separated-values;q=0.1", RESULTS[3]),
        ("application/sparql-results+json;q=0, */*;q=0.1", RESULTS[1]),
        ("text/turtle", None),
        ("text/csv;q=0", None),
    ],
)
def test_accept_weights_are_honoured(client: httpx.Client, accept: str, media: str | None) -> None:
    answer = client.get("/sparql", params={"query": ALL}, headers={"Accept": accept})
    assert answer.headers["vary"] == "Accept, Accept-Encoding"
    if media is None:
        assert problem(answer) == (406, "not-acceptable")
    else:
        assert answer.headers["content-type"].partition(";")[0] == media


# 2.1.7, 2.2, and features that the endpoint does not have


def test_malformed_query_reports_the_engine_error(client: httpx.Client) -> None:
    answer = client.get("/sparql", params={"query": "SELECT ?x WHERE { ?x ?y }"})
    assert problem(answer) == (400, "bad-query")
    assert "error at 1:26" in answer.json()["detail"]


def test_unknown_functions_are_refused(client: httpx.Client) -> None:
    answer = client.get("/sparql", params={"query": "SELECT (<x:f>(1) AS ?v) {}"})
    assert problem(answer) == (400, "bad-query")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_other_methods_are_refused(client: httpx.Client, method: str) -> None:
    answer = client.request(method, "/sparql", params={"graph": EX + "g1"}, content=b"")
    assert problem(answer) == (405, "method-not-allowed")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"


def test_updates_are_refused(client: httpx.Client) -> None:
    update = "DROP ALL"
    answers = [
        client.post("/sparql", data={"update": update}),
        client.post("/sparql", content=update, headers={"Content-Type": "application/sparql-update"}),
        client.get("/sparql", params={"update": update}),
        client.get("/sparql", params={"update": update, "query": ALL}),
    ]
    assert [problem(answer) for answer in answers] == [(403, "read-only")] * 4
    for text in (
        update,
        "LOAD <http://example.org/g1>",
        "# all\nPREFIX with: <http://example.org/> CLEAR ALL",
        "insert {",
    ):
        for answer in (client.get("/sparql", params={"query": text}), client.post("/sparql", data={"query": text})):
            assert problem(answer) == (403, "read-only"), text
    for text in ("DROPS ALL", "PREFIX drop: <http://example.org/> SELECT", "'DROP ALL'", "?drop"):
        assert problem(client.get("/sparql", params={"query": text})) == (400, "bad-query"), text
    assert len(values(client.get("/sparql", params={"query": ALL}))) == 3


def test_graph_store_requests_are_refused(client: httpx.Client) -> None:
    for parameters in ({"graph": EX + "g1"}, {"default": ""}):
        answer = client.get("/sparql", params=parameters)
        assert problem(answer) == (400, "bad-request")
        assert "Graph Store" in answer.json()["detail"]


@pytest.mark.parametrize("media", [None, "text/plain", "multipart/form-data; boundary=x", "application/json", "/", "é"])
def test_other_media_types_are_refused(client: httpx.Client, media: str | None) -> None:
    headers = [] if media is None else [(b"Content-Type", media.encode())]
    answer = client.post("/sparql", content=b"ASK{}", headers=headers)
    assert problem(answer) == (415, "unsupported-media-type")
    assert answer.headers["accept-post"] == f"{QUERY}, {FORM}"


# Limits


def test_long_queries_and_addresses_are_limited(client: httpx.Client) -> None:
    query = "ASK{}#" + "x" * (8 * 1024)
    assert client.get("/sparql", params={"query": query}).json()["boolean"] is True
    longest = "ASK{}#" + "x" * (60 * 1024 - len("/sparql?query=ASK{}#"))
    assert client.get(f"/sparql?query={longest}".replace("#", "%23")[:-2]).json()["boolean"] is True
    answer = client.get(f"/sparql?query={longest}".replace("#", "%23"))
    assert problem(answer) == (414, "target-too-long")


def test_configured_limits_are_enforced(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = filled(tmp_path_factory.mktemp("sparql") / "store")
    with asking(folder, Limits(query_length=100, body_bytes=1000)) as client:
        fits, longer = ("ASK{}#" + "é" * (length - 6) for length in (100, 101))
        for way in ("GET", "form", "direct"):
            for query, status in ((fits, 200), (longer, 413)):
                if way == "GET":
                    answer = client.get("/sparql", params={"query": query})
                elif way == "form":
                    answer = client.post("/sparql", data={"query": query})
                else:
                    answer = client.post("/sparql", content=query.encode(), headers={"Content-Type": QUERY})
                assert answer.status_code == status
                assert status == 200 or problem(answer) == (413, "query-too-long")
        answer = client.post("/sparql", data={"query": "ASK{}", "x": "y" * 1000})
        assert problem(answer) == (413, "body-too-large")


# Service Description


@pytest.mark.parametrize("media", [*GRAPHS, None])
def test_service_description_is_served(client: httpx.Client, media: str | None) -> None:
    answer = client.get("/sparql", headers={} if media is None else {"Accept": media})
    assert answer.headers["content-type"].partition(";")[0] == (media or "text/turtle")
    assert answer.headers["link"] == '</.well-known/void>; rel="describedby"'
    stated = {(t.predicate.value.removeprefix(SD), t.object.value.removeprefix(SD)) for t in content_of(answer)}
    base = str(client.base_url).rstrip("/")
    assert ("endpoint", f"{base}/sparql") in stated
    assert {value for name, value in stated if name == "feature"} == {"UnionDefaultGraph"}
    assert {value for name, value in stated if name == "supportedLanguage"} == {"SPARQL11Query"}
    assert ("http://rdfs.org/ns/void#triples", "3") in stated
    assert ("http://www.w3.org/2000/01/rdf-schema#seeAlso", f"{base}/.well-known/void") in stated
    assert {value.rpartition("/")[2] for name, value in stated if name == "resultFormat"} == {
        "SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV",
        "Turtle", "N-Triples", "RDF_XML", "JSON-LD", "N3", "N-Quads", "TriG",
    }  # fmt: skip
    assert not any(name in ("namedGraph", "availableGraphs") for name, _ in stated)


def test_service_description_has_an_html_page(client: httpx.Client) -> None:
    answer = client.get("/sparql", headers={"Accept": "text/html"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == "default-src 'none'"
    assert "<script" not in answer.text
    assert "sd:endpoint &lt;http" in answer.text
    assert problem(client.get("/sparql", headers={"Accept": "image/png"})) == (406, "not-acceptable")
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    assert client.get("/sparql", headers={"Accept": browser}).headers["content-type"].startswith("text/html")


def test_service_description_in_a_named_format(client: httpx.Client) -> None:
    assert client.get("/sparql?format=nt").headers["content-type"] == "application/n-triples"
    assert client.get("/sparql?format=json").headers["content-type"] == "application/ld+json"
    assert problem(client.get("/sparql?format=csv")) == (406, "not-acceptable")


# An independent client


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("results", ["xml", "json", "csv", "tsv"])
def test_rdflib_client_queries_the_endpoint(client: httpx.Client, method: str, results: str) -> None:
    store = SPARQLStore(f"{client.base_url}/sparql".replace("//sparql", "/sparql"), method=method, returnFormat=results)
    query = "SELECT DISTINCT ?s ?v { ?s ?p ?v FILTER(?v = 'três') }"
    assert [[str(value) for value in row.values()] for row in store.query(query).bindings] == [[EX + "a", "três"]]
    named = store.query("SELECT DISTINCT ?v { ?s ?p ?v }", queryGraph=EX + "g2")
    assert [[str(value) for value in row.values()] for row in named.bindings] == [["três"]]
