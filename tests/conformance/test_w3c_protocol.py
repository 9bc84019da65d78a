"""The protocol and service description tests of the W3C SPARQL 1.1 suite, against the running service.

The tests of the update protocol are run as well, to check that each is refused: the endpoint is read only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph as ox
import pytest

from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.engines import embedded
from tests.support.w3c import MF, Entry, entries, file_of, needs_suite
from tests.support.web import serving

pytestmark = needs_suite

CNT = "http://www.w3.org/2011/content#"
HT = "http://www.w3.org/2011/http#"
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
SD = "http://www.w3.org/ns/sparql-service-description#"
UT = "http://www.w3.org/2009/sparql/tests/test-update#"
FORMATS = {
    "boolean": ("application/sparql-results+json", "application/sparql-results+xml"),
    "tabular": ("application/sparql-results+json", "application/sparql-results+xml"),
    "RDF": ("text/turtle", "application/n-triples", "application/rdf+xml", "application/ld+json"),
}


@dataclass(frozen=True)
class Step:
    """A request of a test and its expected answer."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes | None
    statuses: frozenset[str]
    form: str | None
    boolean: bool | None


def steps(entry: Entry) -> list[Step]:
    """Return the requests of a test, in order."""

    def first_value(node: Any, step: str) -> Any:
        return next(iter(entry.values(node, step)), None)

    all_steps = []
    for request in entry.items(first_value(entry.value(MF + "action"), HT + "requests")):
        headers = {}
        listed = first_value(request, HT + "headers")
        for header in entry.items(listed) if listed is not None else ():
            headers[first_value(header, HT + "fieldName").value] = first_value(header, HT + "fieldValue").value
        body, response = first_value(request, HT + "body"), first_value(request, HT + "resp")
        boolean, form = first_value(response, MF + "expectedBoolean"), first_value(response, MF + "expectedFormat")
        text = None
        if body is not None:
            text = first_value(body, CNT + "chars").value.encode(first_value(body, CNT + "characterEncoding").value)
        all_steps.append(
            Step(
                first_value(request, HT + "methodName").value,
                first_value(request, HT + "absolutePath").value,
                headers,
                text,
                frozenset(status.value[-3:] for status in entry.values(response, MF + "expectedStatus")),
                None if form is None else form.value,
                None if boolean is None else boolean.value == "true",
            )
        )
    return all_steps


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a service over the graphs that the suite expects."""
    folder: Path = tmp_path_factory.mktemp("w3c") / "store"
    with open_for_writing(folder, create=True) as store:
        loaded = set()
        for entry in entries("protocol"):
            for data in entry.values(entry.node, UT + "graphData"):
                (file,), (name,) = entry.values(data, UT + "graph"), entry.values(data, RDFS_LABEL)
                if name not in loaded:
                    loaded.add(name)
                    path, graph = file_of(file), ox.NamedNode(name.value)
                    embedded(store).load(path=path, format=ox.RdfFormat.N_TRIPLES, to_graph=graph)
        assert len(loaded) == 3
        store.changed = True
    with serving(Settings(folder)) as address:
        yield address


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client


def sent(client: httpx.Client, step: Step) -> httpx.Response:
    assert step.target.startswith("/sparql/")
    target = "/sparql" + step.target.removeprefix("/sparql/")
    return client.request(step.method, target, headers=step.headers, content=step.body)


def queries() -> list[Entry]:
    return [entry for entry in entries("protocol") if "update" not in entry.name]


def updates() -> list[Entry]:
    return [entry for entry in entries("protocol") if "update" in entry.name]


def test_suite_is_complete() -> None:
    assert (len(queries()), len(updates())) == (20, 14)
    assert len(entries("service-description")) == 3


@pytest.mark.parametrize("entry", queries(), ids=lambda entry: entry.name)
def test_protocol_query_gives_the_expected_response(entry: Entry, client: httpx.Client) -> None:
    (step,) = steps(entry)
    answer = sent(client, step)
    assert f"{answer.status_code // 100}xx" in step.statuses, answer.text
    if step.form is not None:
        assert answer.headers["content-type"].partition(";")[0] in FORMATS[step.form]
    if step.boolean is not None:
        assert answer.json() == {"head": {}, "boolean": step.boolean}


@pytest.mark.parametrize("entry", updates(), ids=lambda entry: entry.name)
def test_protocol_update_is_refused(entry: Entry, client: httpx.Client) -> None:
    every = {"query": "SELECT * { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g ?s ?p ?o"}
    before = client.get("/sparql", params=every)
    answer = sent(client, steps(entry)[0])
    if answer.status_code == 415:  # neither a SPARQL nor a form media type: the service cannot recognise an update
        assert entry.name in ("bad_update_wrong_media_type", "bad_update_missing_form_type")
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "read-only")
    assert client.get("/sparql", params=every).content == before.content


@pytest.fixture(scope="module")
def description(client: httpx.Client) -> ox.Store:
    """Return the graph of a GET request to the endpoint without a query."""
    answer = client.get("/sparql")
    assert answer.status_code == 200
    graph = ox.Store()
    graph.load(answer.content, ox.RdfFormat.from_media_type(answer.headers["content-type"]))
    return graph


def test_description_is_rdf(description: ox.Store) -> None:
    assert len(description) > 0


def test_description_has_the_endpoint(description: ox.Store, address: str) -> None:
    endpoint = ox.NamedNode(f"{address}/sparql")
    assert len(list(description.quads_for_pattern(None, ox.NamedNode(SD + "endpoint"), endpoint))) == 1


def test_description_conforms_to_the_schema(description: ox.Store) -> None:
    """Check domains, ranges and cardinalities by SPARQL 1.1 Service Description, section 3."""

    def instances(name: str) -> set[Any]:
        return {quad.subject for quad in description.quads_for_pattern(None, RDF_TYPE, ox.NamedNode(SD + name))}

    domains = {
        "endpoint": "Service", "feature": "Service", "defaultDataset": "Service", "supportedLanguage": "Service",
        "resultFormat": "Service", "defaultGraph": "Dataset",
    }  # fmt: skip
    ranges = {"defaultDataset": "Dataset", "defaultGraph": "Graph"}
    used = {q.predicate.value.removeprefix(SD) for q in description if q.predicate.value.startswith(SD)}
    assert used == set(domains)
    assert len(instances("Service")) == 1
    for name in used:
        quads = list(description.quads_for_pattern(None, ox.NamedNode(SD + name), None))
        assert {quad.subject for quad in quads} <= instances(domains[name])
        assert all(isinstance(quad.object, ox.NamedNode | ox.BlankNode) for quad in quads)
        if name in ranges:
            assert len(quads) == 1
            assert {quad.object for quad in quads} <= instances(ranges[name])
