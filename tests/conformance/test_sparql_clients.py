"""Tests of independent clients with the SPARQL endpoint: SPARQLWrapper, pandas, rdflib."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import httpx
import pyoxigraph as ox
import pytest
from rdflib import Graph
from SPARQLWrapper import CSV, JSON, JSONLD, N3, RDFXML, TSV, TURTLE, XML, SPARQLWrapper

from service.cli import main
from service.web.settings import Settings
from tests.support.web import serving

SELECT = "SELECT ?s WHERE { ?s a ?c } LIMIT 3"
CONSTRUCT = "CONSTRUCT { ?s a ?c } WHERE { ?s a ?c } LIMIT 3"
NORM = "urn:lex:br:federal:lei:1990-09-11;8078"
DESCRIBE = f"DESCRIBE <{NORM}>"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("clients") / "store"
    assert main(["--store", str(folder), "demo", "--json"]) == 0
    with serving(Settings(folder)) as base_url:
        yield base_url


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("returned", [JSON, XML, CSV, TSV])
def test_sparqlwrapper_reads_tables(address: str, returned: str, method: str) -> None:
    client = SPARQLWrapper(f"{address}/sparql", returnFormat=returned)
    client.setMethod(method)
    client.setQuery(SELECT)
    answer = client.query()
    body = answer.response.read()
    assert answer.info()["content-type"].startswith(
        {"json": "application/sparql-results+json", "xml": "application/sparql-results+xml"}.get(
            returned, "text/csv" if returned == CSV else "text/tab-separated-values"
        )
    )
    assert body.count(b"urn:") + body.count(b"http") >= 3


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")  # SPARQLWrapper makes one
@pytest.mark.parametrize("query", [CONSTRUCT, DESCRIBE])
@pytest.mark.parametrize("returned", [TURTLE, N3, RDFXML, XML, JSONLD])
def test_sparqlwrapper_reads_graphs(address: str, returned: str, query: str) -> None:
    client = SPARQLWrapper(f"{address}/sparql", returnFormat=returned)
    client.setQuery(query)
    result = client.query().convert()
    assert isinstance(result, Graph | bytes)
    graph = result if isinstance(result, Graph) else Graph().parse(data=result, format="turtle")
    assert len(graph) >= 3


def test_sparqlwrapper_reads_ask(address: str) -> None:
    client = SPARQLWrapper(f"{address}/sparql", returnFormat=JSON)
    client.setQuery(f"ASK {{ <{NORM}> ?p ?o }}")
    answer: Any = client.query().convert()
    assert answer["boolean"] is True


def test_pandas_reads_csv_results(address: str) -> None:
    pandas = pytest.importorskip("pandas")
    url = f"{address}/sparql?format=csv&query={quote(SELECT)}"
    with urlopen(url) as answer:  # noqa: S310 - as pandas does it
        assert answer.headers["content-type"].startswith("text/csv")
    assert list(pandas.read_csv(url).columns) == ["s"]
    asked = httpx.get(f"{address}/sparql", params={"query": SELECT}, headers={"Accept": "text/csv"})
    assert len(pandas.read_csv(io.BytesIO(asked.content))) == 3


#: The Accept header of clients that dereference: Comunica (2.10), rdf-dereference, Jena.
QUAD_READERS = [
    "application/n-quads,application/trig;q=0.95,application/ld+json;q=0.9,application/n-triples;q=0.8,text/turtle;q=0.6",
    "application/trig, text/turtle;q=0.9, */*;q=0.1",
    "text/turtle,application/n-triples;q=0.9,application/rdf+xml;q=0.7,application/trig,application/n-quads;q=0.9",
]


@pytest.mark.parametrize("accept", QUAD_READERS)
def test_quad_formats_have_the_description_in_the_default_graph(address: str, accept: str) -> None:
    answer = httpx.get(f"{address}/descriptions/{NORM}", headers={"Accept": accept})
    media = answer.headers["content-type"].partition(";")[0]
    quads = ox.parse(answer.content, ox.RdfFormat.from_media_type(media))
    assert sum(quad.graph_name == ox.DefaultGraph() for quad in quads) > 10
