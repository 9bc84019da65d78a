"""Tests of a store behind an endpoint: the probe of an engine, its content, and its answers."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import httpx
import orjson
import pyoxigraph as ox
import pytest

from graph import store as stores
from graph.entities import Record
from graph.errors import BadParameter, BadQuery, EndpointProblem, NotAStore, StoreDamaged, StoreLocked
from graph.store import Store, WritableStore, in_memory
from graph.store.remote import engine as here
from graph.store.remote import folder as beside
from graph.store.remote.endpoint import Limits
from graph.store.remote.engine import FetchedQuads
from graph.store.remote.folder import assign_endpoint, properties_at, publish_index_copies
from graph.store.remote.probe import OWN_GRAPHS, Properties, probe
from graph.store.writable import BatchResult
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import RDF
from queries.catalogue import named
from queries.in_force import in_force
from queries.timeline import timeline
from service.cli.program import execute
from tests.support.cases import constant
from tests.support.misbehaving import Fault, fair, misbehaving
from tests.support.query_records import records_in
from tests.support.records import deletion, event, record, store_of
from tests.support.serve_process import until
from tests.support.served_engines import EngineName, Served, fill
from tests.unit.queries.test_catalogue_rows import CASES, DATA, Case, records_of, rows

# A store behind an endpoint


RECORDS = Path(__file__).parents[2] / "data" / "queries" / "records.jsonl"
LAW = "urn:lex:br:federal:lei:2001-03-05;99901"


@pytest.fixture
def there(written: Served) -> Iterator[Served]:
    """Return a server of the engine that can be written to, without quads."""
    written.empty()
    yield written
    written.empty()


@pytest.fixture
def folder(there: Served, tmp_path: Path) -> Path:
    there.connect(tmp_path / "beside")
    return tmp_path / "beside"


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return records_in(RECORDS)


@pytest.fixture(scope="module")
def batches() -> tuple[list[Record], list[Record]]:
    return two_batches()


def two_batches() -> tuple[list[Record], list[Record]]:
    """Return two batches: the second replaces a record, withdraws one, and adds one that revokes the first norm."""
    law, other = "urn:lex:br:federal:lei:2001-03-05;99901", "urn:lex:br:federal:lei:2002-03-05;99902"
    new, later = "urn:lex:br:federal:lei:2003-03-05;99903", "2008-12-17"
    revoked = event("revogacao", law, "2003-03-05", "2003-03-05", new)
    return [record(f"{law}@2001-03-06;publicacao;2001-03-06", key=law), record(other, key=other)], [
        record(f"{law}@2001-04-01;publicacao;2001-03-06", key=law, datestamp=later),
        deletion(other, datestamp=later),
        record(new, ("revoga", law), events=[revoked], datestamp=later),
    ]


def put(folder: Path, records: Sequence[Record]) -> BatchResult:
    with stores.open_for_writing(folder) as store:
        return store.apply(records)


def stored_quads(there: Served) -> frozenset[str]:
    """Return all quads of the endpoint."""
    return frozenset(map(str, there.engine()))


def local(*batches: Sequence[Record]) -> WritableStore:
    store = in_memory()
    for batch in batches:
        store.apply(batch)
    return store


def by_graph(quads: Sequence[str] | frozenset[str]) -> dict[str, frozenset[str]]:
    """Group quads by graph, without those of the derived graph."""
    grouped: dict[str, set[str]] = {}
    for quad in quads:
        grouped.setdefault(quad.rpartition(" ")[2], set()).add(quad)
    return {graph: frozenset(graph_quads) for graph, graph_quads in grouped.items() if DERIVED_GRAPH not in graph}


def test_remote_store_holds_the_quads_of_the_embedded_store(there: Served, folder: Path, records: list[Record]) -> None:
    expected = in_memory()
    for start in range(0, len(records), 9):
        assert put(folder, records[start : start + 9]) == expected.apply(records[start : start + 9])
        assert stored_quads(there) == frozenset(map(str, expected.engine))
    with stores.open_for_writing(folder) as store:
        assert list(store.names) == list(expected.names)
        assert store.apply(records) == expected.apply(records), "what is there already is left alone"
        assert store.rebuild() == expected.rebuild()
        assert len(store) == len(expected)
    assert stored_quads(there) == frozenset(map(str, expected.engine))


def test_remote_bulk_load_equals_the_embedded_store(
    there: Served, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Load many records, with a large one that touches more works than are derived at once."""
    monkeypatch.setattr("graph.store.writable._DERIVED_AT_ONCE", 400)
    many = [record(f"urn:lex:br:federal:lei:2001-03-05;{number}") for number in range(99901, 99999)]
    large = record(LAW, *(("altera", f"urn:lex:br:federal:lei:1990-01-02;{number}") for number in range(1, 500)))
    assert put(folder, [*many[1:], large]) == BatchResult(98)
    expected = local([*many[1:], large])
    assert stored_quads(there) == frozenset(map(str, expected.engine))
    smaller = record(LAW, ("altera", "urn:lex:br:federal:lei:1990-01-02;1"), datestamp="2009-01-01")
    put(folder, [smaller])
    expected.apply([smaller])
    assert stored_quads(there) == frozenset(map(str, expected.engine))


def test_remote_queries_equal_the_embedded_answers(folder: Path, records: list[Record]) -> None:
    put(folder, records)
    with local(records) as expected, stores.open(folder) as store:
        names = sorted({f"urn:lex:{name.removeprefix('urn:lex:')}" for name in expected.names.norms()})
        assert len(names) > 5
        for name in names:
            assert in_force(store, name, "2007-06-01").as_json() == in_force(expected, name, "2007-06-01").as_json()
            assert timeline(store, name).as_json() == timeline(expected, name).as_json()
        assert store.literals("urn:x:none", "urn:x:p") == ()
        assert len(store) == len(expected)
        assert not store.is_empty


def test_other_folder_builds_its_index_and_rebuilds_it_for_another_graph(
    there: Served, folder: Path, tmp_path: Path, records: list[Record]
) -> None:
    put(folder, records[:10])
    elsewhere = tmp_path / "elsewhere"
    assign_endpoint(elsewhere, there.url)  # it only reads
    for batch in ([], records[10:]):
        if batch:
            put(folder, batch)
        with stores.open(folder) as store, stores.open(elsewhere) as other:
            assert list(other.names) == list(store.names) != []
    index = (elsewhere / "names.sqlite").stat().st_mtime_ns
    with stores.open(elsewhere):
        pass
    assert (elsewhere / "names.sqlite").stat().st_mtime_ns == index, "it fits, so nothing is read again"


def test_externally_filled_graph_is_identified_by_its_quad_count(there: Served, folder: Path) -> None:
    engine = there.engine()
    first, second = record(LAW), record("urn:lex:br:federal:lei:2002-03-05;99902")
    for law_record in (first, second):
        fill(engine, local([law_record]).engine)
        with stores.open(folder) as store:
            assert str(law_record.document.name.iri if law_record.document else "") in list(store.names.norms())


@pytest.mark.parametrize("fault", [Fault.NEVER_SENT, Fault.NEVER_ANSWERED])
def test_any_failed_request_leaves_complete_records(
    there: Served, tmp_path: Path, batches: tuple[list[Record], list[Record]], fault: Fault
) -> None:
    """Check that a failed update leaves each record in its old or its new state.

    Each update of the second batch fails in turn, before it is sent or before it is answered. The same batch, applied
    once more, gives the state of an undisturbed load.
    """
    first, second = batches
    before, after = local(first), local(first, second)
    states = by_graph(frozenset(map(str, before.engine))), by_graph(frozenset(map(str, after.engine)))
    allowed = {graph: {state.get(graph, frozenset()) for state in states} for graph in {*states[0], *states[1]}}
    for broken in range(100):
        there.empty()
        folder = tmp_path / f"{broken}"
        with misbehaving(there.url) as proxy:
            assign_endpoint(folder, proxy.url, atomic=True)
            put(folder, first)
            proxy.plan = nth_update(broken, fault)
            try:
                put(folder, second)
            except EndpointProblem:
                pass
            else:
                assert broken > 0, "some update was broken"
                return
            proxy.plan = fair
            with stores.open(folder) as store:
                for graph, quads in by_graph(frozenset(map(str, store.engine))).items():
                    assert quads in allowed[graph], f"update {broken}: {graph} is half written"
            put(folder, second)
            assert stored_quads(there) == frozenset(map(str, after.engine)), f"update {broken}"
            with stores.open(folder) as store:
                assert list(store.names) == list(after.names)
    raise AssertionError("every update failed")


def nth_update(nth: int, fault: Fault) -> Callable[[str], Fault | None]:
    """Return a plan in which this update and all later ones fail: a broken connection stays broken."""
    counted = iter(range(10**6))
    return lambda asked: fault if asked == "/update" and next(counted) >= nth else None


KILLED = constant("programs", "remote_store_killed")


def test_killed_writer_leaves_complete_records(
    there: Served, folder: Path, batches: tuple[list[Record], list[Record]]
) -> None:
    first, second = batches
    expected = local(first, second)
    put(folder, first)
    for requests in (1, 3):
        script = [sys.executable, "-c", KILLED, str(folder), str(requests)]
        ended = subprocess.run(script, check=False, capture_output=True, cwd=Path(__file__).parents[3])
        assert ended.returncode in (0, -signal.SIGKILL), ended.stderr.decode()
    put(folder, second)
    assert stored_quads(there) == frozenset(map(str, expected.engine))
    with stores.open(folder) as store:
        assert list(store.names) == list(expected.names)


def test_second_writer_process_is_refused(folder: Path) -> None:
    with (
        stores.open_for_writing(folder),
        pytest.raises(StoreLocked, match="by another process"),
        stores.open_for_writing(folder),
    ):
        pass


def test_index_copied_during_a_write_is_copied_again(
    folder: Path, batches: tuple[list[Record], list[Record]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a copy of the index that was made between the write to the endpoint and the write to the index."""
    first, second = batches
    put(folder, first)
    monkeypatch.setattr(beside, "LOOK_EVERY", 0.05)
    with stores.open_for_writing(folder) as store:
        add = store.names.put

        def slowly(entries: object, packed: object) -> None:
            with publish_index_copies(folder, warnings.append):
                time.sleep(0.3)
            add(entries, packed)  # type: ignore[arg-type]

        warnings: list[str] = []
        monkeypatch.setattr(store.names, "put", slowly)
        store.apply(second)
    with publish_index_copies(folder, warnings.append), stores.open(folder) as expected:
        until(lambda: names_published(folder) == list(expected.names))
    assert warnings == []


def test_index_of_an_earlier_release_is_made_again_for_an_endpoint(
    folder: Path, batches: tuple[list[Record], list[Record]]
) -> None:
    law, warnings = "urn:lex:br:federal:lei:2001-03-05;99901", list[str]()
    put(folder, batches[0])
    with publish_index_copies(folder, warnings.append), stores.open_published(folder) as store:
        rows = store.names.full_text.rows(law)
    for index in (folder / "names.sqlite", folder / "current" / "names.sqlite"):
        with closing(sqlite3.connect(index)) as connection:
            connection.execute("DROP TABLE history")
    with pytest.raises(StoreDamaged, match="`vigente rebuild`"):
        stores.open_published(folder)
    with publish_index_copies(folder, warnings.append), stores.open_published(folder) as store:
        assert store.names.full_text.rows(law) == rows != []


def names_published(folder: Path) -> list[tuple[str, str, str]]:
    with beside.open_published(folder) as store:
        return list(store.names)


def test_results_over_the_engine_limit_are_paginated(served: Served) -> None:
    """Check that rows are read page by page. Virtuoso cuts at 1,000 rows here: other queries raise an error."""
    served.empty()
    engine = served.engine()
    lines = [f"<urn:x:{n}> <urn:p> <urn:o:{n % 7}> <urn:g:{n % 1100}> ." for n in range(2_500)]
    fill(engine, ox.parse("\n".join(lines), ox.RdfFormat.N_QUADS))
    quads = list(engine.quads_for_pattern(None, ox.NamedNode("urn:p"), None, None))
    assert sorted(f"{quad} ." for quad in quads) == sorted(lines)
    assert len(set(engine.named_graphs())) == 1_100
    query = "SELECT ?s WHERE { ?s <urn:p> ?o }"
    if served.name is EngineName.VIRTUOSO:
        with pytest.raises(EndpointProblem, match="cut its answer at 1000 rows"):
            engine.query(query, use_default_graph_as_union=True)
    else:
        assert len(list(engine.query(query, use_default_graph_as_union=True))) == 2_500  # type: ignore[arg-type]


def test_folder_is_bound_to_one_endpoint(there: Served, folder: Path, tmp_path: Path) -> None:
    assign_endpoint(folder, there.url)
    with pytest.raises(NotAStore, match="expected another folder"):
        assign_endpoint(folder, "http://127.0.0.1:9/other")
    with pytest.raises(BadParameter) as refused:
        assign_endpoint(folder, "http://ana:secreta@127.0.0.1:9/query")
    assert "secreta" not in str(refused.value)
    with stores.open_for_writing(tmp_path / "embedded", create=True):
        pass
    with pytest.raises(NotAStore, match="with --store"):
        assign_endpoint(tmp_path / "embedded", there.url)
    with pytest.raises(NotAStore, match="is behind an endpoint"), stores.holding(folder):
        pass
    with stores.open(folder) as store:
        assert store.is_empty


def test_folder_that_only_reads_refuses_to_write(there: Served, folder: Path, tmp_path: Path) -> None:
    put(folder, [record(LAW)])
    assign_endpoint(tmp_path / "reader", there.url)
    with stores.open(tmp_path / "reader") as store:
        assert LAW in list(store.names.norms())
    with pytest.raises(NotAStore, match="connect the folder with --atomic"):
        put(tmp_path / "reader", [record(LAW)])
    there.connect(tmp_path / "reader")  # the operator says so later
    assert put(tmp_path / "reader", [record(LAW)]) == BatchResult(unchanged=1)


# The probe of an engine


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


# Queries, commands and checks give the same results on each remote engine as on the embedded store


#: The cases, sorted by records: those over the same records are consecutive.
IN_ORDER: list[Case] = sorted(CASES, key=records_of)
SAMPLE = Path(__file__).parents[3] / "samples"


@pytest.fixture(scope="module")
def pairs(served: Served) -> Callable[[str], tuple[WritableStore, Store]]:
    """Return a function: ``pairs(records)`` returns an embedded store and the same quads in the engine."""
    engine = served.engine()
    locals_: dict[str, WritableStore] = {}
    loaded: list[str] = []

    def pair(name: str) -> tuple[WritableStore, Store]:
        if name not in locals_:
            locals_[name] = store_of(*records_in(DATA / name))
        local = locals_[name]
        if loaded != [name]:
            served.empty()
            fill(engine, local.engine)
            loaded[:] = [name]
        return local, Store(engine, None)

    return pair


@pytest.mark.parametrize("case", IN_ORDER, ids=lambda case: case["expected"].removesuffix(".tsv"))
def test_remote_query_returns_the_embedded_rows(
    case: Case, pairs: Callable[[str], tuple[WritableStore, Store]]
) -> None:
    local, store = pairs(records_of(case))
    expected = rows(local, case["query"], case["parameters"]).decode().splitlines()
    remote_rows = rows(store, case["query"], case["parameters"]).decode().splitlines()
    if "ORDER BY" not in named(case["query"]).text:
        expected, remote_rows = sorted(expected), sorted(remote_rows)
    assert remote_rows == expected


def test_remote_construct_and_ask_equal_the_embedded_answers(
    pairs: Callable[[str], tuple[WritableStore, Store]], served: Served
) -> None:
    local, store = pairs("sound.jsonl")
    construct = "CONSTRUCT { ?s <urn:p> ?o } WHERE { ?s <https://w3id.org/vigente/ns#nome> ?o }"
    both = [queried.answer(construct) for queried in (local, store)]
    here_, remote_triples = (sorted(map(str, triples)) for triples in both if isinstance(triples, ox.QueryTriples))
    assert here_ == remote_triples != []
    for query, truth in (("ASK { ?s ?p ?o }", True), ("ASK { ?s <urn:none> ?o }", False)):
        assert bool(store.answer(query)) is truth
    name = next(iter(local.graphs()))
    inside = f"SELECT ?s WHERE {{ GRAPH <{name.value}> {{ ?s ?p ?o }} }}"
    assert sorted(map(str, store.select(inside))) == sorted(map(str, local.select(inside)))
    assert {graph.value for graph in store.graphs()} == {graph.value for graph in local.graphs()}
    assert served.process.poll() is None


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("SELECT ?s WHERE { ?s <urn:p> ?o MINUS { ?s a <urn:c> } }", {"urn:p", RDF["type"], "urn:c"}),
        ("PREFIX x: <urn:> SELECT ?a ?b WHERE { ?a x:p/^x:q* ?b } GROUP BY ?a ?b ?c", {"urn:p", "urn:q"}),
        ("SELECT ?s WHERE { ?s ?p 'MINUS' }", {None}),
        ("SELECT ?s WHERE { ?s <urn:p> ?o ; ?p 2 }", {None}),
        ("SELECT ?s WHERE { VALUES ?p { <urn:p> } GRAPH ?g { <urn:s> ?p <urn:o> } }", {None}),
    ],
)
def test_query_fetches_only_the_data_it_needs(query: str, read: set[str | None]) -> None:
    asked: list[str | None] = []

    def look_up(name: ox.NamedNode | None) -> Iterator[ox.Quad]:
        asked.append(None if name is None else name.value)
        yield from ()

    FetchedQuads().fetch_for(query, look_up)
    assert set(asked) == read


def test_fetch_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(here, "MOST", 1)
    node = ox.NamedNode("urn:x")
    with pytest.raises(BadQuery, match="more than 1 triples"):
        FetchedQuads().fetch_for(
            "SELECT ?s WHERE { ?s <urn:p> ?o }", lambda name: iter([ox.Quad(node, name or node, node, node)] * 2)
        )


@pytest.fixture
def command(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command on either store: ``command(remote, argument...)``.

    It returns exit code, stdout and stderr.
    """
    served.empty()
    if served.credentials is not None:
        monkeypatch.setenv("VIGENTE_ENDPOINT_USER", served.credentials.user)
        monkeypatch.setenv("VIGENTE_ENDPOINT_PASSWORD", served.credentials.password)

    def run(remote: bool, *arguments: str) -> tuple[int, str, str]:
        where = ["--store", str(tmp_path / ("beside" if remote else "here"))]
        code = execute([*where, *(served.options if remote else []), *arguments])
        output = capfd.readouterr()
        return code, output.out, output.err

    return run


def test_commands_give_the_same_output_on_both_stores(
    command: Callable[..., tuple[int, str, str]], served: Served, tmp_path: Path
) -> None:
    norm = "urn:lex:br:federal:lei:1990-09-11;8078"
    files = [str(path) for path in sorted(SAMPLE.rglob("*.xml"))][:3]
    assert command(False, "load", *files)[0] in (0, 3)
    writes = served.name is EngineName.OXIGRAPH
    if writes:
        assert command(True, "load", *files)[0] in (0, 3)
    else:
        with stores.open(tmp_path / "here") as store:
            fill(served.engine(), store.engine)
    asked: list[list[str]] = [
        ["in-force", norm, "--on", "2000-01-01", "--json"],
        ["show", norm, "--json"],
        ["timeline", norm, "--json"],
        ["text", norm, "--on", "2000-01-01", "--json"],
        ["diff", norm, "--from", "1992-01-01", "--to", "2000-01-01", "--json"],
        ["quarantine", "list", "--json"],
        ["resolve", "Código de Defesa do Consumidor", "--json"],
        ["query", "works_by_type", "--json"],
        ["stats", "--json"],
        *([["quarantine", "retry", "--json"], ["rebuild", "--json"]] if writes else []),
    ]
    for arguments in asked:
        (code, here_, _), (there_code, remote_output, errors) = (
            command(remote, *arguments) for remote in (False, True)
        )
        assert (there_code, _sorted(remote_output)) == (code, _sorted(here_)), (arguments, errors)
    checked = [json.loads(command(remote, "check", "--workers", "1", "--json")[1]) for remote in (False, True)]
    assert checked[1].pop("snapshot") is None
    assert checked[0].pop("snapshot")
    assert checked[1]["results"] == checked[0]["results"]
    assert command(True, "export", str(tmp_path / "all.nq"))[0] == 0
    assert writes or command(True, "rebuild")[0] == 4, "it is only read"
    for refused in (["backup", str(tmp_path / "b")], ["optimize"]):
        code, _, errors = command(True, *refused)
        assert (code, "not behind an endpoint" in errors) == (4, True), refused


def _sorted(text: str) -> Any:
    """Return a document with the rows of its table sorted, and without the elapsed time."""
    data = json.loads(text)
    if isinstance(data, Mapping):
        data = {key: value for key, value in data.items() if key != "seconds"}
    if isinstance(data, Mapping) and "results" in data:
        return sorted(map(str, data["results"]["bindings"]))
    return data


def test_wrong_password_is_reported(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if served.name is not EngineName.VIRTUOSO:
        pytest.skip("oxigraph serve asks nobody who they are")
    monkeypatch.setenv("VIGENTE_ENDPOINT_USER", "dba")
    monkeypatch.setenv("VIGENTE_ENDPOINT_PASSWORD", "errada")
    served.empty()
    where = ["--store", str(tmp_path / "s"), "--endpoint", f"{served.url}/sparql-auth"]
    assert execute([*where, "stats"]) == 4
    errors = capfd.readouterr().err
    assert "rejects the credentials" in errors
    assert "errada" not in errors
