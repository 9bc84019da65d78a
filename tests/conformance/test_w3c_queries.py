"""The query tests of the W3C SPARQL 1.1 suite, over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pyoxigraph as ox
import pytest

from graph.store import open_for_writing
from service.web.http.negotiation import RESULTS
from service.web.settings import Settings
from tests.support.engines import embedded
from tests.support.w3c import (
    BASE,
    MF,
    Entry,
    Rows,
    entries,
    file_of,
    graph_of,
    needs_suite,
    same_graph,
    same_rows,
    table_of,
)
from tests.support.web import serving

pytestmark = needs_suite

QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
FOLDERS = (
    "aggregates", "bind", "bindings", "cast", "construct", "csv-tsv-res", "exists", "functions", "grouping", "json-res",
    "negation", "project-expression", "property-path", "subquery",
)  # fmt: skip
EVALUATION = ("QueryEvaluationTest", "CSVResultFormatTest")
MEDIA = {
    "srx": "application/sparql-results+xml",
    "srj": "application/sparql-results+json",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "ttl": "text/turtle",
}
RDF_FORMATS = {"ttl": ox.RdfFormat.TURTLE, "rdf": ox.RdfFormat.RDF_XML, "nt": ox.RdfFormat.N_TRIPLES}
# No graph has this name: it selects an empty default graph.
NO_GRAPH = "urn:x-none:no-graph"

#: Tests in which the engine differs from the suite, over HTTP and without it, and the reason.
_CONSTANT_PATH = "a path of no steps from a constant finds the constant only where a graph has it"
_TAGS = "GROUP_CONCAT keeps the language tag that all its members share, as SPARQL 1.2 has it"
KNOWN = {
    "agg-groupconcat-04": _TAGS,
    "agg-groupconcat-06": _TAGS,
    "agg-empty-group-count-graph": "an aggregate without GROUP BY within GRAPH ?g counts all graphs as one",
    "csv03": "the store keeps the value of xsd:double, not its spelling",
    "tsv03": "the store keeps xsd:negativeInteger as xsd:integer",
    "graph": "GRAPH ?g does not bind ?g where VALUES within it leaves it UNDEF",
    "bnode01": "BNODE(label) gives one node for all rows that have the label, not one for each row",
    "graph-minus": "the variable of an outer GRAPH counts as shared by both sides of MINUS",
    "zero_or_more_set_start": _CONSTANT_PATH,
    "zero_or_more_set_end": _CONSTANT_PATH,
    "zero_or_one_set_start": _CONSTANT_PATH,
    "zero_or_one_set_end": _CONSTANT_PATH,
}
#: Well-formed queries that call an undefined function.
UNKNOWN_FUNCTION = ("test_4",)


def evaluations() -> list[Entry]:
    return [entry for folder in FOLDERS for entry in entries(folder) if entry.kind in EVALUATION]


def syntaxes() -> list[Entry]:
    folders = ("syntax-query", *FOLDERS)
    return [entry for folder in folders for entry in entries(folder) if "SyntaxTest" in entry.kind]


def text_of(entry: Entry) -> str:
    iri = entry.value(MF + "action", QT + "query") or entry.value(MF + "action")
    return f"BASE <{iri.value}>\n" + file_of(iri).read_text(encoding="utf-8")


def graphs_of(entry: Entry) -> tuple[list[ox.NamedNode], list[ox.NamedNode]]:
    """Return the IRIs of the files of the default graph and of the named graphs; each names its graph."""
    action = entry.value(MF + "action")
    return entry.values(action, QT + "data"), entry.values(action, QT + "graphData")


def dataset_of(entry: Entry, query: str) -> dict[str, list[str]]:
    """Return the parameters for the dataset of a test; none where the query itself names it."""
    if re.search(r"\bFROM\b", query):
        return {}
    default, named = graphs_of(entry)
    return {
        "default-graph-uri": [graph.value for graph in default] or [NO_GRAPH],
        "named-graph-uri": [graph.value for graph in named],
    }


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of an endpoint over the data of all tests, with a graph for each file."""
    folder: Path = tmp_path_factory.mktemp("w3c") / "store"
    with open_for_writing(folder, create=True) as store:
        for iri in {graph for entry in evaluations() for graphs in graphs_of(entry) for graph in graphs}:
            rdf_format = RDF_FORMATS[iri.value.rpartition(".")[2]]
            embedded(store).load(path=file_of(iri), format=rdf_format, base_iri=iri.value, to_graph=iri)
        store.changed = True
    with serving(Settings(folder)) as address:
        yield f"{address}/sparql"


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=30) as client:
        yield client


def test_suite_is_complete() -> None:
    assert len(evaluations()) == 235
    assert len(syntaxes()) == 103


def marked(entry: Entry) -> pytest.ParameterSet:
    marks = [pytest.mark.xfail(reason=KNOWN[entry.name])] if entry.name in KNOWN else []
    return pytest.param(entry, id=entry.name, marks=marks)


def as_expected(entry: Entry, media: str, body: bytes, base: str) -> bool:
    """Return whether an answer in that media type is the expected one."""
    result = entry.value(MF + "result")
    expected, kind = file_of(result), result.value.rpartition(".")[2]
    if media == MEDIA["ttl"]:
        graphs = (expected.read_bytes(), result.value), (body, base)
        return same_graph(*(graph_of(text, ox.RdfFormat.TURTLE, base_iri) for text, base_iri in graphs))
    actual = table_of(body.decode(), next(kind for kind, name in MEDIA.items() if name == media))
    wanted = table_of(expected.read_text(encoding="utf-8"), kind, result.value)
    if not isinstance(wanted, Rows) or not isinstance(actual, Rows):
        return wanted is actual
    ordered = re.search(r"\bORDER\s+BY\b[^{}]*\Z", text_of(entry), re.IGNORECASE) is not None
    return same_rows(wanted, actual, ordered=ordered)


def media_of(entry: Entry) -> str:
    """Return the format to request: that of the expected answer, or JSON for a table written in Turtle."""
    kind = entry.value(MF + "result").value.rpartition(".")[2]
    return MEDIA["srj" if kind == "ttl" and "CONSTRUCT" not in text_of(entry) else kind]


@pytest.mark.parametrize("entry", [marked(entry) for entry in evaluations()])
def test_query_gives_the_expected_result(entry: Entry, endpoint: str, client: httpx.Client) -> None:
    query = text_of(entry)
    media = media_of(entry)
    asked = client.post(endpoint, data={"query": query, **dataset_of(entry, query)}, headers={"Accept": media})
    assert asked.status_code == 200, asked.text
    assert asked.headers["content-type"].startswith(media)
    assert as_expected(entry, media, asked.content, endpoint), asked.text


@pytest.mark.parametrize("entry", [e for e in evaluations() if e.name in KNOWN], ids=lambda entry: entry.name)
def test_known_failures_are_failures_of_the_engine(entry: Entry) -> None:
    store = ox.Store()
    default, named = graphs_of(entry)
    for iri in (*default, *named):
        rdf_format = RDF_FORMATS[iri.value.rpartition(".")[2]]
        graphs: list[ox.NamedNode | ox.DefaultGraph] = [iri] if iri in named else []
        for graph in [*graphs, ox.DefaultGraph()] if iri in default else graphs:
            store.load(path=file_of(iri), format=rdf_format, base_iri=iri.value, to_graph=graph)
    results = store.query(text_of(entry))
    assert not isinstance(results, ox.QueryTriples)
    media = media_of(entry)
    assert not as_expected(entry, media, results.serialize(format=RESULTS[media]) or b"", BASE)


@pytest.mark.parametrize("entry", syntaxes(), ids=lambda entry: entry.name)
def test_query_syntax_is_accepted_or_refused(entry: Entry, endpoint: str, client: httpx.Client) -> None:
    asked = client.get(endpoint, params={"query": text_of(entry), "default-graph-uri": NO_GRAPH})
    if entry.name in UNKNOWN_FUNCTION:
        assert asked.status_code == 400
        assert "cannot be answered: The custom function" in asked.json()["detail"]
    elif entry.kind == "PositiveSyntaxTest11":
        assert asked.status_code == 200, asked.text
    else:
        assert entry.kind == "NegativeSyntaxTest11"
        assert (asked.status_code, asked.json()["code"]) == (400, "bad-query")


@pytest.mark.parametrize("entry", entries("service"), ids=lambda entry: entry.name)
def test_federation_is_refused(entry: Entry, endpoint: str, client: httpx.Client) -> None:
    asked = client.get(endpoint, params={"query": text_of(entry)})
    assert (asked.status_code, asked.json()["code"]) == (400, "bad-query")
    assert "no other host" in asked.json()["detail"]


def test_files_have_their_w3c_names() -> None:
    assert all(
        graph.value.startswith(BASE)
        for entry in evaluations()
        for graph_group in graphs_of(entry)
        for graph in graph_group
    )
