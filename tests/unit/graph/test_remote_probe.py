"""Tests of the probe of an engine: what each engine is found to have, and what an engine is refused for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import orjson
import pyoxigraph as ox
import pytest

from graph import store as stores
from graph.errors import BadParameter, EndpointProblem, NotAStore
from graph.store.remote.endpoint import Limits
from graph.store.remote.folder import assign_endpoint, properties_at
from graph.store.remote.probe import OWN_GRAPHS, Properties, probe
from tests.support.served_engines import EngineName, Served, fill

LIMITS = Limits(connect=2, answer=10, tries=1)
QUAD = ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.NamedNode("urn:o"), ox.NamedNode("urn:g"))


def test_each_engine_is_found_to_have_its_properties(served: Served) -> None:
    served.empty()
    with pytest.raises(NotAStore, match="has no named graphs, and is only read without --atomic"):
        probe(served.url, None, served.credentials, LIMITS, atomic=False)
    fill(served.engine(), [QUAD])
    found = probe(served.url, None, served.credentials, LIMITS, atomic=False)
    if served.name is EngineName.OXIGRAPH:
        union = (("union-default-graph", "true"),)
        address = served.url
        assert found == Properties(f"{address}/query", None, f"{address}/store", union)
        writes = probe(served.url, None, None, LIMITS, atomic=True)
        written = Properties(
            f"{address}/query", f"{address}/update", f"{address}/store", union, keeps_empty_graphs=True
        )
        assert writes == written
    else:
        assert found == Properties(f"{served.url}/sparql", hidden=OWN_GRAPHS, is_standard=False)
        with pytest.raises(NotAStore, match="a failing update is executed in part"):
            probe(served.url, f"{served.url}/sparql-auth", served.credentials, LIMITS, atomic=True)
    engine = served.engine()
    assert [quad for quad in engine if quad != QUAD] == [], "the probe leaves nothing"
    engine.endpoint.close()


def test_properties_are_kept_in_the_folder(written: Served, tmp_path: Path) -> None:
    written.connect(tmp_path / "beside")
    known = properties_at(tmp_path / "beside")
    assert Properties.of_json(orjson.loads(orjson.dumps(known.as_json()))) == known
    (tmp_path / "beside" / "store.json").write_text(
        '{"application": "vigente", "layout": 1, "endpoint": {"engine": "virtuoso"}}', "utf-8"
    )
    with pytest.raises(NotAStore, match="remove"):
        stores.open(tmp_path / "beside")


@pytest.mark.parametrize(
    ("faults", "atomic", "finding"),
    [
        ({"no-union"}, False, "does not answer queries over the union of all graphs"),
        ({"no-union"}, True, "does not answer queries over the union of all graphs"),
        ({"truncates"}, False, "truncates an answer at 1000 rows without saying so"),
        ({"truncates"}, True, "truncates an answer at 1000 rows without saying so"),
        ({"in-part"}, True, "a failing update is executed in part"),
        ({"never-fails"}, True, "no failing update shows that its requests are atomic"),
        ({"numbers"}, True, "computes values or joins in its own way"),
        ({"forgets"}, True, "does not return the values that were written"),
        ({"retypes"}, True, "does not return the values that were written"),
    ],
    ids=lambda value: "-".join(sorted(value)) if isinstance(value, set) else None,
)
def test_engine_is_refused_for_what_the_probe_found(
    faults: set[str], atomic: bool, finding: str, tmp_path: Path
) -> None:
    with _engine_with(faults) as url:
        with pytest.raises(NotAStore, match=finding):
            assign_endpoint(tmp_path / "beside", url, atomic=atomic)
        assert not (tmp_path / "beside").exists()
        graphs = httpx.post(url, data={"query": "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"}).json()
        assert [row["g"]["value"] for row in graphs["results"]["bindings"]] == ["urn:g"], "the probe leaves nothing"
    with _engine_with(faults - {"no-union", "truncates"}) as url:
        assign_endpoint(tmp_path / "beside", url)
        known = properties_at(tmp_path / "beside")
        assert (known.update_url, known.is_standard) == (None, not faults & {"numbers", "retypes"})


def test_another_server_is_no_endpoint() -> None:
    with _engine_with({"no-endpoint"}) as url, pytest.raises((BadParameter, EndpointProblem)):
        probe(url, None, None, LIMITS, atomic=False)


@pytest.mark.parametrize("atomic", [False, True])
def test_error_of_a_proxy_ends_the_probe(atomic: bool, tmp_path: Path) -> None:
    """Check that an engine that is not reached is not taken for one that refuses."""
    with _engine_with({"is-busy"}) as url, pytest.raises(EndpointProblem, match="answers 502"):
        assign_endpoint(tmp_path / "beside", url, atomic=atomic)
    assert not (tmp_path / "beside").exists()


@contextmanager
def _engine_with(faults: set[str]) -> Iterator[str]:
    """Run an engine with these faults, which has many triples in a graph, and yield its address."""
    store = ox.Store()
    store.extend(
        ox.Quad(QUAD.subject, QUAD.predicate, ox.NamedNode(f"urn:o:{n}"), QUAD.graph_name) for n in range(2000)
    )

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            try:
                answer = b"" if self.path.endswith("/update") else self._rows(parse_qs(body)["query"][0])
                if self.path.endswith("/update"):
                    self._update(body)
            except (SyntaxError, ValueError, RuntimeError, OSError, KeyError) as error:
                self._send(502 if "is-busy" in faults else 400, str(error).encode())
            else:
                self._send(404 if "no-endpoint" in faults else 200, answer)

        def do_GET(self) -> None:
            self._send(404, b"")

        def _update(self, text: str) -> None:
            if "forgets" in faults:
                return
            for part in text.split(" ; ") if {"in-part", "never-fails"} & faults else [text]:
                try:
                    store.update(part)
                except (RuntimeError, OSError):
                    if "never-fails" not in faults:
                        raise

        def _rows(self, text: str) -> bytes:
            if text.startswith("define"):
                raise SyntaxError("expected a query")
            results = store.query(text, use_default_graph_as_union="no-union" not in faults)
            assert isinstance(results, ox.QuerySolutions)
            found = orjson.loads(results.serialize(format=ox.QueryResultsFormat.JSON) or b"")
            rows = found["results"]["bindings"]
            if "truncates" in faults:
                del rows[1000:]
            if "retypes" in faults or ("numbers" in faults and "BOUND" in text):
                for term in (term for row in rows for term in row.values()):
                    if term["value"] == "true":
                        term.update(value="1", datatype="http://www.w3.org/2001/XMLSchema#integer")
            return orjson.dumps(found)

        def _send(self, status: int, answer: bytes) -> None:
            self.send_response_only(status)
            self.send_header("Content-Type", "application/sparql-results+json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the base class
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
