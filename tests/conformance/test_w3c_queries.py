"""The query, protocol and service description tests of the W3C SPARQL 1.1 suite, over HTTP."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph as ox
import pytest
from rdflib import XSD, BNode, Graph, Literal, Namespace, URIRef
from rdflib.compare import isomorphic
from rdflib.query import Result

from graph.store import open_for_writing
from service.web.http.negotiation import RESULTS
from service.web.settings import Settings
from tests.support.cases import constant
from tests.support.engines import embedded
from tests.support.web import serving

# The W3C SPARQL 1.1 test suite
# The suite is not distributed with Vigente. Tests that need it are skipped if it is not beside the checkout.


SUITE = Path(__file__).resolve().parents[3] / "shared" / "data" / "w3c-sparql11"
needs_suite = pytest.mark.skipif(not SUITE.is_dir(), reason="the W3C SPARQL 1.1 tests are not next to this checkout")

#: The base IRI of the suite at W3C. Manifests name files with it.
BASE = "http://www.w3.org/2009/sparql/docs/tests/data-sparql11/"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RS = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/result-set#")
_NUMBERS = {XSD.decimal: Decimal, XSD.integer: Decimal, XSD.double: float, XSD.float: float}


@dataclass(frozen=True)
class Entry:
    """A test of a manifest: its name, kind and node, and the manifest."""

    name: str
    kind: str
    node: ox.NamedNode
    manifest: ox.Store

    def value(self, *path: str) -> Any:
        """Return the first value of a path of properties; None if there is none."""
        node: Any = self.node
        for step in path:
            node = next(iter(self.values(node, step)), None)
            if node is None:
                return None
        return node

    def values(self, node: Any, step: str) -> list[Any]:
        """Return all values of a property of a node."""
        return [q.object for q in self.manifest.quads_for_pattern(node, ox.NamedNode(step), None)]

    def items(self, head: Any) -> Iterator[Any]:
        """Yield the members of an RDF list."""
        while head != ox.NamedNode(_RDF + "nil"):
            (first,) = self.values(head, _RDF + "first")
            yield first
            (head,) = self.values(head, _RDF + "rest")


def file_of(iri: ox.NamedNode) -> Path:
    """Return the local path of a file of the suite."""
    assert iri.value.startswith(BASE)
    return SUITE / iri.value.removeprefix(BASE)


@cache
def entries(folder: str) -> tuple[Entry, ...]:
    """Return the tests of the manifest of a folder, in order; none if the suite is missing."""
    if not SUITE.is_dir():
        return ()
    manifest = ox.Store()
    manifest_iri = f"{BASE}{folder}/manifest.ttl"
    manifest.load(path=SUITE / folder / "manifest.ttl", format=ox.RdfFormat.TURTLE, base_iri=manifest_iri)
    root = Entry("", "", ox.NamedNode(manifest_iri), manifest)
    return tuple(
        Entry(node.value.rpartition("#")[2], root.values(node, _RDF + "type")[0].value.removeprefix(MF), node, manifest)
        for node in root.items(root.value(MF + "entries"))
    )


def _table(body: bytes, kind: str) -> Any:
    """Return the answer to a SELECT or ASK query: ``srx``, ``srj``, ``csv``, ``tsv``, or ``ttl`` as a result set."""
    if kind != "ttl":
        return Result.parse(io.BytesIO(body), format={"srx": "xml", "srj": "json"}.get(kind, kind))
    graph = Graph().parse(data=body, format="turtle")
    result: Any = Result("SELECT")
    result.vars = list(graph.objects(None, _RS.resultVariable))
    result.bindings = [
        {
            graph.value(binding, _RS.variable): graph.value(binding, _RS.value)
            for binding in graph.objects(row, _RS.binding)
        }
        for row in graph.objects(None, _RS.solution)
    ]
    return result


def _term(term: Any) -> Any:
    """Return a term in a form for comparison: numbers by value and datatype, booleans by value."""
    if not isinstance(term, Literal) or term.datatype is None:
        return term
    if term.datatype == XSD.boolean:
        return Literal({"1": "true", "0": "false"}.get(str(term), str(term)))
    if term.datatype not in _NUMBERS:
        return term
    value = _NUMBERS[term.datatype](str(term))
    return Literal(f"{term.datatype} {value.normalize() if isinstance(value, Decimal) else value!r}")


def _rows(result: Any, *, ordered: bool) -> tuple[Counter[Any], Graph]:
    """Return the rows without blank nodes, and a graph of the others; each has its number if they are ordered."""
    ground, others = Counter[Any](), Graph()
    for number, binding in enumerate(result.bindings):
        row = {str(name): _term(term) for name, term in binding.items()}
        row |= {"": Literal(number)} if ordered else {}
        if any(isinstance(term, BNode) for term in row.values()):
            for name, term in row.items():
                others.add((BNode(f"row{number}"), URIRef(f"urn:x:{name}"), term))
        else:
            ground[frozenset(row.items())] += 1
    return ground, others


def same_answer(
    expected: tuple[bytes, str, str], actual: tuple[bytes, str, str], *, table: bool, ordered: bool
) -> bool:
    """Return whether two answers are equal, each given by its body, format and base.

    Names of blank nodes may differ, and the order of rows too, unless ``ordered``.
    """
    if not table:
        graphs = [Graph().parse(data=body, format="turtle", publicID=base) for body, _, base in (expected, actual)]
        return isomorphic(*graphs)
    one, other = (_table(body, kind) for body, kind, _ in (expected, actual))
    if one.type == "ASK" or other.type == "ASK":
        return one.askAnswer is not None and one.askAnswer == other.askAnswer
    same_columns = {str(name) for name in one.vars or ()} == {str(name) for name in other.vars or ()}
    ground, others = zip(*(_rows(result, ordered=ordered) for result in (one, other)), strict=True)
    return same_columns and ground[0] == ground[1] and isomorphic(*others)


# The query, protocol and service description tests of the W3C SPARQL 1.1 suite, over HTTP
# The tests of the update protocol are run as well, to check that each is refused: the endpoint is read only.


pytestmark = needs_suite

QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
FOLDERS = (
    "aggregates", "bind", "bindings", "cast", "construct", "csv-tsv-res", "exists", "functions", "grouping", "json-res",
    "negation", "project-expression", "property-path", "subquery",
)  # fmt: skip
MEDIA = constant("w3c_queries", "media")
RDF_FORMATS = {"ttl": ox.RdfFormat.TURTLE, "rdf": ox.RdfFormat.RDF_XML, "nt": ox.RdfFormat.N_TRIPLES}
# No graph has this name: it selects an empty default graph.
NO_GRAPH = "urn:x-none:no-graph"

#: Tests in which the engine differs from the suite, over HTTP and without it, and the reason.
KNOWN = constant("w3c_queries", "known")
#: Well-formed queries that call an undefined function.
UNKNOWN_FUNCTION = ("test_4",)


def of_kind(*kinds: str, folders: tuple[str, ...] = FOLDERS) -> list[Entry]:
    return [entry for folder in folders for entry in entries(folder) if entry.kind.rstrip("1") in kinds]


EVALUATIONS = of_kind("QueryEvaluationTest", "CSVResultFormatTest")
SYNTAXES = of_kind("PositiveSyntaxTest", "NegativeSyntaxTest", folders=("syntax-query", *FOLDERS))


def text_of(entry: Entry) -> str:
    iri = entry.value(MF + "action", QT + "query") or entry.value(MF + "action")
    return f"BASE <{iri.value}>\n" + file_of(iri).read_text(encoding="utf-8")


def graphs_of(entry: Entry) -> tuple[list[ox.NamedNode], list[ox.NamedNode]]:
    """Return the IRIs of the files of the default graph and of the named graphs; each names its graph."""
    action = entry.value(MF + "action")
    return entry.values(action, QT + "data"), entry.values(action, QT + "graphData")


def load(store: ox.Store, iri: ox.NamedNode, graph: ox.NamedNode | ox.DefaultGraph) -> None:
    rdf_format = RDF_FORMATS[iri.value.rpartition(".")[2]]
    store.load(path=file_of(iri), format=rdf_format, base_iri=iri.value, to_graph=graph)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client of a service over the data of all tests, with a graph for each file."""
    folder: Path = tmp_path_factory.mktemp("w3c") / "store"
    with open_for_writing(folder, create=True) as store:
        for iri in {graph for entry in EVALUATIONS for graphs in graphs_of(entry) for graph in graphs}:
            load(embedded(store), iri, iri)
        store.changed = True
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_suite_is_complete() -> None:
    assert (len(EVALUATIONS), len(SYNTAXES)) == (235, 103)
    assert (len(PROTOCOL_QUERIES), len(PROTOCOL_UPDATES), len(entries("service-description"))) == (20, 14, 3)


def media_of(entry: Entry) -> str:
    """Return the format to request: that of the expected answer, or JSON for a table written in Turtle."""
    kind = entry.value(MF + "result").value.rpartition(".")[2]
    return "srj" if kind == "ttl" and "CONSTRUCT" not in text_of(entry) else kind


def as_expected(entry: Entry, body: bytes, base: str) -> bool:
    """Return whether an answer is the expected one."""
    result, kind = entry.value(MF + "result"), media_of(entry)
    ordered = re.search(r"\bORDER\s+BY\b[^{}]*\Z", text_of(entry), re.IGNORECASE) is not None
    wanted = file_of(result).read_bytes(), result.value.rpartition(".")[2], result.value
    return same_answer(wanted, (body, kind, base), table=kind != "ttl", ordered=ordered)


@pytest.mark.parametrize("entry", EVALUATIONS, ids=lambda entry: entry.name)
def test_query_gives_the_expected_result(entry: Entry, endpoint: httpx.Client) -> None:
    query, media = text_of(entry), MEDIA[media_of(entry)]
    default, named = graphs_of(entry)
    dataset = {} if re.search(r"\bFROM\b", query) else {
        "default-graph-uri": [graph.value for graph in default] or [NO_GRAPH],
        "named-graph-uri": [graph.value for graph in named],
    }  # fmt: skip
    asked = endpoint.post("/sparql", data={"query": query, **dataset}, headers={"Accept": media})
    assert asked.status_code == 200, asked.text
    assert asked.headers["content-type"].startswith(media)
    assert as_expected(entry, asked.content, str(asked.url)) is (entry.name not in KNOWN), asked.text


@pytest.mark.parametrize("entry", [e for e in EVALUATIONS if e.name in KNOWN], ids=lambda entry: entry.name)
def test_known_failures_are_failures_of_the_engine(entry: Entry) -> None:
    store = ox.Store()
    default, named = graphs_of(entry)
    for iri in named:
        load(store, iri, iri)
    for iri in default:
        load(store, iri, ox.DefaultGraph())
    results = store.query(text_of(entry))
    assert not isinstance(results, ox.QueryTriples)
    assert not as_expected(entry, results.serialize(format=RESULTS[MEDIA[media_of(entry)]]) or b"", BASE)


@pytest.mark.parametrize("entry", SYNTAXES, ids=lambda entry: entry.name)
def test_query_syntax_is_accepted_or_refused(entry: Entry, endpoint: httpx.Client) -> None:
    asked = endpoint.get("/sparql", params={"query": text_of(entry), "default-graph-uri": NO_GRAPH})
    if entry.name in UNKNOWN_FUNCTION:
        assert asked.status_code == 400
        assert "cannot be answered: The custom function" in asked.json()["detail"]
    elif entry.kind == "PositiveSyntaxTest11":
        assert asked.status_code == 200, asked.text
    else:
        assert (asked.status_code, asked.json()["code"]) == (400, "bad-query")


@pytest.mark.parametrize("entry", entries("service"), ids=lambda entry: entry.name)
def test_federation_is_refused(entry: Entry, endpoint: httpx.Client) -> None:
    asked = endpoint.get("/sparql", params={"query": text_of(entry)})
    assert (asked.status_code, asked.json()["code"]) == (400, "bad-query")
    assert "no other host" in asked.json()["detail"]


# The protocol and the service description

CNT = "http://www.w3.org/2011/content#"
HT = "http://www.w3.org/2011/http#"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
SD = "http://www.w3.org/ns/sparql-service-description#"
UT = "http://www.w3.org/2009/sparql/tests/test-update#"
FORMATS = constant("w3c_queries", "formats")


@pytest.fixture(scope="module")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client of a service over the graphs that the suite expects."""
    folder: Path = tmp_path_factory.mktemp("w3c") / "store"
    data = {
        entry.values(graph, LABEL)[0].value: file_of(entry.values(graph, UT + "graph")[0])
        for entry in entries("protocol")
        for graph in entry.values(entry.node, UT + "graphData")
    }
    assert len(data) == 3
    with open_for_writing(folder, create=True) as store:
        for name, path in data.items():
            embedded(store).load(path=path, format=ox.RdfFormat.N_TRIPLES, to_graph=ox.NamedNode(name))
        store.changed = True
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def value(entry: Entry, node: Any, *path: str) -> Any:
    """Return the first value of a path of properties of a node; None if there is none."""
    for step in path:
        node = next(iter(entry.values(node, step)), None) if node is not None else None
    return node


def sent(client: httpx.Client, entry: Entry) -> tuple[httpx.Response, Any]:
    """Send the first request of a test; return the answer, and the node of the expected one."""
    request = next(entry.items(entry.value(MF + "action", HT + "requests")))
    listed = value(entry, request, HT + "headers")
    headers = {
        value(entry, header, HT + "fieldName").value: value(entry, header, HT + "fieldValue").value
        for header in (entry.items(listed) if listed is not None else ())
    }
    encoding = value(entry, request, HT + "body", CNT + "characterEncoding")
    content = value(entry, request, HT + "body", CNT + "chars").value.encode(encoding.value) if encoding else None
    target = value(entry, request, HT + "absolutePath").value
    assert target.startswith("/sparql/")
    method = value(entry, request, HT + "methodName").value
    answer = client.request(method, target.replace("/sparql/", "/sparql", 1), headers=headers, content=content)
    return answer, value(entry, request, HT + "resp")


PROTOCOL_QUERIES = [entry for entry in entries("protocol") if "update" not in entry.name]
PROTOCOL_UPDATES = [entry for entry in entries("protocol") if "update" in entry.name]


@pytest.mark.parametrize("entry", PROTOCOL_QUERIES, ids=lambda entry: entry.name)
def test_protocol_query_gives_the_expected_response(entry: Entry, protocol: httpx.Client) -> None:
    answer, expected = sent(protocol, entry)
    statuses = {status.value[-3:] for status in entry.values(expected, MF + "expectedStatus")}
    form, boolean = (value(entry, expected, MF + name) for name in ("expectedFormat", "expectedBoolean"))
    assert f"{answer.status_code // 100}xx" in statuses, answer.text
    assert form is None or answer.headers["content-type"].partition(";")[0] in FORMATS[form.value]
    assert boolean is None or answer.json() == {"head": {}, "boolean": boolean.value == "true"}


@pytest.mark.parametrize("entry", PROTOCOL_UPDATES, ids=lambda entry: entry.name)
def test_protocol_update_is_refused(entry: Entry, protocol: httpx.Client) -> None:
    every = {"query": "SELECT * { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g ?s ?p ?o"}
    before = protocol.get("/sparql", params=every)
    answer, _ = sent(protocol, entry)
    if answer.status_code == 415:  # neither a SPARQL nor a form media type: the service cannot recognise an update
        assert entry.name in ("bad_update_wrong_media_type", "bad_update_missing_form_type")
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "read-only")
    assert protocol.get("/sparql", params=every).content == before.content


def test_description_conforms_to_the_schema(protocol: httpx.Client) -> None:
    """Check domains, ranges and cardinalities by SPARQL 1.1 Service Description, section 3."""
    answer = protocol.get("/sparql")
    graph = ox.Store()
    graph.load(answer.content, ox.RdfFormat.from_media_type(answer.headers["content-type"]))

    def pairs(name: str) -> list[tuple[Any, Any]]:
        return [(q.subject, q.object) for q in graph.quads_for_pattern(None, ox.NamedNode(SD + name), None)]

    def instances(name: str) -> set[Any]:
        return {quad.subject for quad in graph.quads_for_pattern(None, TYPE, ox.NamedNode(SD + name))}

    domains = {
        "endpoint": "Service", "feature": "Service", "defaultDataset": "Service", "supportedLanguage": "Service",
        "resultFormat": "Service", "defaultGraph": "Dataset",
    }  # fmt: skip
    ranges = {"defaultDataset": "Dataset", "defaultGraph": "Graph"}
    assert {q.predicate.value.removeprefix(SD) for q in graph if q.predicate.value.startswith(SD)} == set(domains)
    assert [object_.value for _, object_ in pairs("endpoint")] == [f"{str(protocol.base_url).rstrip('/')}/sparql"]
    assert len(instances("Service")) == 1
    for name, domain in domains.items():
        assert {subject for subject, _ in pairs(name)} <= instances(domain)
        assert all(isinstance(object_, ox.NamedNode | ox.BlankNode) for _, object_ in pairs(name))
        if name in ranges:
            ((_, only),) = pairs(name)
            assert only in instances(ranges[name])
