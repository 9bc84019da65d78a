"""Tests of the SPARQL endpoint: requests and answers by the clauses of the protocol, delivery, independent clients."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode
from xml.etree import ElementTree as ET

import httpx
import pyoxigraph as ox
import pytest
import SPARQLWrapper
from rdflib import Graph
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from service.web.settings import Limits
from tests.support.cases import values
from tests.support.sparql_endpoint import EX, asking, filled

DATA = tomllib.loads((Path(__file__).parents[1] / "data" / "sparql" / "requests.toml").read_text("utf-8"))
ALL, CONSTRUCT, FORM, QUERY = (DATA[name] for name in ("ALL", "CONSTRUCT", "FORM", "QUERY"))
LONG = f"SELECT (CONCAT(?v, '{'ç' * 32}') AS ?w) {{ ?s0 ?p0 ?v0 . ?s1 ?p1 ?v1 . ?s ?p ?v }}"
SD = "http://www.w3.org/ns/sparql-service-description#"
VARY = "Accept, Accept-Encoding"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("sparql") / "store")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with asking(folder) as client:
        yield client


@pytest.fixture(scope="module")
def endpoint(client: httpx.Client) -> str:
    return f"{str(client.base_url).rstrip('/')}/sparql"


# The table of requests


def written(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value of a row with the names in it replaced."""
    if isinstance(value, dict):
        return {written(key, names): written(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [written(item, names) for item in value]
    if not isinstance(value, str):
        return value
    for name, text in names.items():
        value = value.replace(f"{{{name}}}", text)
    if value in ("ALL", "CONSTRUCT", "LONG"):
        return {"ALL": ALL, "CONSTRUCT": CONSTRUCT, "LONG": LONG}[value]
    return re.sub(r"(?<!-)\b(?:QUERY|FORM)\b", lambda found: DATA[found[0]], value)


def rows() -> Iterator[Any]:
    for clause, listed in DATA["clauses"].items():
        for row in listed:
            each = row.get("each", {})
            for chosen in product(*each.values()):
                whole = written({key: value for key, value in row.items() if key != "each"},
                                dict(zip(each, chosen, strict=True)))  # fmt: skip
                yield pytest.param(whole, id=f"{clause}: {json.dumps(whole, ensure_ascii=True)[:60]}")


def content_of(answer: httpx.Response) -> Any:
    """Return the parsed content of an answer in any format: a boolean, a set of rows, or a set of triples."""
    media = answer.headers["content-type"].partition(";")[0]
    if media == "text/csv":
        return {tuple(line.split(",")) for line in answer.text.splitlines()[1:]}
    results = ox.QueryResultsFormat.from_media_type(
        media.replace("application/json", "application/sparql-results+json")
    )
    if results is not None:
        read = ox.parse_query_results(answer.content, results)
        return bool(read) if isinstance(read, ox.QueryBoolean) else {tuple(t.value for t in row) for row in read}
    rdf_format = ox.RdfFormat.from_media_type(media)
    assert rdf_format is not None
    return {quad.triple for quad in ox.parse(answer.content, rdf_format)}


def send(client: httpx.Client, row: Mapping[str, Any], method: str) -> httpx.Response:
    parameters = ({"query": row["query"]} if "query" in row else {}) | row.get("with", {})
    string = row.get("raw", urlencode(parameters, doseq=True))
    fields = [(name, value.encode()) for name, value in row.get("fields", {}).items()]
    fields += [("content-type", row["type"].encode())] if row.get("type") else []
    fields += [("accept", row["accept"].encode())] if "accept" in row else []
    target = client.base_url.copy_with(raw_path=b"/sparql" + (b"?" if string else b"") + string.encode())
    body = {"data": row["form"]} if "form" in row else {"content": row["body"].encode()} if "body" in row else {}
    return client.request(method, target, headers=fields, **body)


def fields_of(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in ("date", "x-request-id")}


@pytest.mark.parametrize("row", list(rows()))
def test_request_has_its_answer(client: httpx.Client, row: Mapping[str, Any]) -> None:
    method = row.get("method", "POST" if {"form", "body"} & set(row) else "GET")
    answer = send(client, row, method)
    assert answer.status_code == row.get("status", 200), answer.text
    if "code" in row:
        assert (answer.headers["content-type"], answer.headers["cache-control"]) == (
            "application/problem+json",
            "no-store",
        )
        problem = answer.json()
        assert (problem["status"], problem["code"]) == (answer.status_code, row["code"])
        assert row.get("detail", "") in problem["detail"]
    if "values" in row:
        bindings = answer.json()["results"]["bindings"]
        base = str(client.base_url).rstrip("/")
        assert [binding["v"]["value"] for binding in bindings] == [v.replace("SELF", base) for v in row["values"]]
    assert "rows" not in row or content_of(answer) == set(map(tuple, row["rows"]))
    assert "boolean" not in row or content_of(answer) is row["boolean"]
    assert "triples" not in row or len(content_of(answer)) == row["triples"]
    assert "lines" not in row or sorted(answer.text.splitlines()) == row["lines"]
    assert row.get("has", {}).items() <= dict(answer.headers).items()
    assert answer.headers.get("content-type") == row.get("media", answer.headers.get("content-type"))
    assert set(row.get("lacks", ())).isdisjoint(answer.headers)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    if method == "GET":
        assert "Retry-After" in answer.headers["access-control-expose-headers"]
        assert answer.status_code not in (200, 406) or answer.headers["vary"] == row.get("has", {}).get("vary", VARY)
        head = send(client, row, "HEAD")
        assert (head.status_code, head.content) == (answer.status_code, b"")
        assert "etag" in row.get("lacks", ()) or fields_of(head) == fields_of(answer)


@pytest.mark.parametrize(("default", "named", "expected"), DATA["datasets"])
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
    parameters = {"query": query, **({} if by == "FROM" else dataset)}
    answer = client.post("/sparql", data=parameters) if by == "POST" else client.get("/sparql", params=parameters)
    assert [row["v"]["value"] for row in answer.json()["results"]["bindings"]] == expected


# Limits


def test_long_queries_and_addresses_are_limited(client: httpx.Client, folder: Path) -> None:
    def status(client: httpx.Client, by: str, query: str, **more: str) -> tuple[int, str | None]:
        answer = (
            client.get("/sparql", params={"query": query})
            if by == "GET"
            else client.post("/sparql", data={"query": query, **more})
            if by == "form"
            else client.post("/sparql", content=query.encode(), headers={"Content-Type": QUERY})
        )
        return answer.status_code, answer.json().get("code")

    longest = 60 * 1024 - len("/sparql?query=ASK{}%23")
    for length, expected in ((8 * 1024, 200), (longest, 200), (longest + 1, 414)):
        answer = send(client, {"raw": "query=ASK{}%23" + "x" * length}, "GET")
        assert (answer.status_code, answer.json().get("code", "target-too-long")) == (expected, "target-too-long")
    for depth in (150, 5000):
        assert status(client, "form", "ASK " + "{" * depth + "}" * depth) == (400, "bad-query")
    graphs = [f"{EX}g{n}" for n in range(1000)]
    assert client.post("/sparql", data={"query": "ASK { ?s ?p ?o }", "default-graph-uri": graphs}).json()["boolean"]
    answer = client.post("/sparql", content=b"query=ASK{}" + b"&" * 50_000, headers={"Content-Type": FORM})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")
    assert "5000 parameters" in answer.json()["detail"]
    with asking(folder, Limits(query_length=100, body_bytes=1000)) as limited:
        for by in ("GET", "form", "direct"):
            assert status(limited, by, "ASK{}#" + "é" * 94) == (200, None)
            assert status(limited, by, "ASK{}#" + "é" * 95) == (413, "query-too-long")
        assert status(limited, "form", "ASK{}", x="y" * 1000) == (413, "body-too-large")


# Delivery: validators, compression, whole answers


def test_conditional_get_skips_the_query(client: httpx.Client) -> None:
    parameters = {"query": ALL}
    etag = client.get("/sparql", params=parameters).headers["etag"]
    for tags, matches in (
        *((tags, True) for tags in (etag, etag.removeprefix("W/"), f'"x", {etag}', "*")),
        *((tags, False) for tags in ('"x"', "x", etag.strip('W/"'), "")),
    ):
        for method, coding in (("GET", "identity"), ("HEAD", "identity"), ("GET", "gzip")):
            fields = {"If-None-Match": tags, "Accept-Encoding": coding}
            again = client.request(method, "/sparql", params=parameters, headers=fields)
            assert again.status_code == (304 if matches else 200)
            assert (again.headers["etag"], again.headers["vary"]) == (etag, VARY)
            assert again.headers["access-control-allow-origin"] == "*"
            assert not (again.content and matches)


def test_different_answers_have_different_etags(client: httpx.Client) -> None:
    asked: list[tuple[dict[str, str], str]] = [
        ({"query": ALL}, "*/*"),
        ({"query": ALL}, "text/csv"),
        ({"query": ALL + " "}, "*/*"),
        ({"query": ALL, "default-graph-uri": EX + "g1"}, "*/*"),
        ({"query": ALL, "named-graph-uri": EX + "g1"}, "*/*"),
        ({}, "*/*"),
        ({}, "text/html"),
    ]
    etags = [client.get("/sparql", params=p, headers={"Accept": accept}).headers["etag"] for p, accept in asked]
    assert len(set(etags)) == len(asked)
    assert client.get("/sparql", params={"query": ALL, "format": "csv"}).headers["etag"] == etags[1]


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_bodies_of_any_size_are_complete(client: httpx.Client, coding: str) -> None:
    values = " ".join(str(n) for n in range(20000))
    data = {"query": f"SELECT ?n {{ VALUES ?n {{ {values} }} }}", "format": "csv"}
    with client.stream("POST", "/sparql", data=data, headers={"Accept-Encoding": coding}) as answer:
        raw = b"".join(answer.iter_raw())
    assert len(raw) == int(answer.headers["content-length"])
    body = gzip.decompress(raw) if coding == "gzip" else raw
    assert len(body) > 64 * 1024
    assert body.decode().split() == ["n", *values.split()]


def test_late_serialization_failure_is_an_error(client: httpx.Client) -> None:
    """Check a triple as a term, which JSON-LD cannot write, after thousands of other rows: none of them is sent."""
    numbers = " ".join(str(n) for n in range(5000))
    pattern = f"{{ VALUES ?o {{ {numbers} }} }} UNION {{ BIND(<<( <x:s> <x:p> 1 )>> AS ?o) }}"
    query = f"CONSTRUCT {{ <x:s> <x:p> ?o }} WHERE {{ {pattern} }}"
    whole = client.post("/sparql", data={"query": query, "format": "nt"})
    assert (whole.status_code, len(whole.text.splitlines())) == (200, 5001)
    late = client.post("/sparql", data={"query": query, "format": "jsonld"})
    assert late.headers["content-type"] == "application/problem+json"
    assert (late.status_code, late.json()["code"]) == (400, "bad-query")


def test_values_round_trip_through_every_format(client: httpx.Client) -> None:
    value = "a\r\nb\rc\td ]]> <e/> &amp; \u0085 \u2028 \U0001f600 \"'"
    literal = json.dumps(value, ensure_ascii=False)

    def get(query: str, form: str) -> httpx.Response:
        return client.get("/sparql", params={"query": query, "format": form})

    select, construct = f"SELECT ({literal} AS ?v) {{}}", f"CONSTRUCT {{ <x:s> <x:p> {literal} }} WHERE {{}}"
    assert get(select, "json").json()["results"]["bindings"][0]["v"]["value"] == value
    assert "".join(ET.fromstring(get(select, "xml").content).itertext()) == value
    assert list(csv.reader(io.StringIO(get(select, "csv").text, newline="")))[1][0] == value
    for form in ("ttl", "nt", "rdf", "jsonld"):
        (triple,) = content_of(get(construct, form))
        assert triple.object == ox.Literal(value)


# The service description


def test_service_description_is_served(client: httpx.Client, endpoint: str) -> None:
    stated = {
        (t.predicate.value.removeprefix(SD), t.object.value.removeprefix(SD)) for t in content_of(client.get("/sparql"))
    }
    by_name = {name: {value.rpartition("/")[2] for key, value in stated if key == name} for name, _ in stated}
    assert by_name["feature"] == {"UnionDefaultGraph"}
    assert by_name["supportedLanguage"] == {"SPARQL11Query"}
    assert by_name["resultFormat"] == {
        "SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV",
        "Turtle", "N-Triples", "RDF_XML", "JSON-LD", "N3", "N-Quads", "TriG",
    }  # fmt: skip
    void = endpoint.replace("/sparql", "/.well-known/void")
    assert stated >= {
        ("endpoint", endpoint),
        ("http://rdfs.org/ns/void#triples", "3"),
        ("http://www.w3.org/2000/01/rdf-schema#seeAlso", void),
    }
    assert not {"namedGraph", "availableGraphs"} & set(by_name)
    page = client.get("/sparql", headers={"Accept": "text/html"}).text
    assert ('<header class="site">' in page, "<td>" not in page, "sd:endpoint" in page) == (True, True, True)


# Independent clients


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("results", ["xml", "json", "csv", "tsv"])
def test_rdflib_client_queries_the_endpoint(endpoint: str, method: str, results: str) -> None:
    store = SPARQLStore(endpoint, method=method, returnFormat=results)
    query = "SELECT DISTINCT ?s ?v { ?s ?p ?v FILTER(?v = 'três') }"
    assert [[str(value) for value in row.values()] for row in store.query(query).bindings] == [[EX + "a", "três"]]
    named = store.query("SELECT DISTINCT ?v { ?s ?p ?v }", queryGraph=EX + "g2")
    assert [[str(value) for value in row.values()] for row in named.bindings] == [["três"]]


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")  # SPARQLWrapper makes one
@pytest.mark.parametrize(
    "form", [SPARQLWrapper.TURTLE, SPARQLWrapper.N3, SPARQLWrapper.RDFXML, SPARQLWrapper.XML, SPARQLWrapper.JSONLD]
)
def test_sparqlwrapper_reads_graphs(endpoint: str, form: str) -> None:
    client = SPARQLWrapper.SPARQLWrapper(endpoint, returnFormat=form)
    for query, triples in ((CONSTRUCT, 3), (f"DESCRIBE <{EX}a>", 2)):
        client.setQuery(query)
        result = client.query().convert()
        assert isinstance(result, Graph | bytes)
        graph = result if isinstance(result, Graph) else Graph().parse(data=result, format="turtle")
        assert len(graph) == triples


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_sparqlwrapper_reads_tables(endpoint: str, method: str) -> None:
    client = SPARQLWrapper.SPARQLWrapper(endpoint)
    client.setMethod(method)
    for form, media in (
        (SPARQLWrapper.JSON, "application/sparql-results+json"),
        (SPARQLWrapper.XML, "application/sparql-results+xml"),
        (SPARQLWrapper.CSV, "text/csv"),
        (SPARQLWrapper.TSV, "text/tab-separated-values"),
    ):
        client.setReturnFormat(form)
        client.setQuery(ALL)
        answer = client.query()
        body = answer.response.read()
        assert answer.info()["content-type"].startswith(media)
        assert all(value.encode() in body for value in ("dois", "três", "um"))
    client.setReturnFormat(SPARQLWrapper.JSON)
    client.setQuery(f"ASK {{ <{EX}a> ?p ?o }}")
    asked: Any = client.query().convert()
    assert asked["boolean"] is True


def test_pandas_reads_csv_results(endpoint: str) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(f"{endpoint}?format=csv&query={quote(ALL)}")
    assert (list(table.columns), list(table["v"])) == (["v"], ["dois", "três", "um"])


#: The Accept header of clients that dereference: Comunica (2.10), rdf-dereference, Jena.
QUAD_READERS = values("sparql_protocol", "quad_readers")


@pytest.mark.parametrize("accept", QUAD_READERS)
def test_quad_formats_have_the_description_in_the_default_graph(web: httpx.Client, accept: str) -> None:
    answer = web.get("/descriptions/urn:lex:br:federal:lei:1990-09-11;8078", headers={"Accept": accept})
    quads = ox.parse(answer.content, ox.RdfFormat.from_media_type(answer.headers["content-type"].partition(";")[0]))
    assert sum(quad.graph_name == ox.DefaultGraph() for quad in quads) > 10
