"""Tests of a store behind an endpoint: the same content and answers as a folder, also after failed requests."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph import store as stores
from graph.entities import Event, Record
from graph.errors import BadParameter, EndpointProblem, NotAStore, StoreLocked
from graph.store import WritableStore, in_memory
from graph.store.remote import folder as beside
from graph.store.remote.folder import assign_endpoint, publish_index_copies
from graph.store.writable import BatchResult
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import FRBROO
from queries.in_force import in_force
from queries.timeline import timeline
from tests.support.misbehaving import Fault, fair, misbehaving
from tests.support.query_records import records_in
from tests.support.serve_process import until
from tests.support.served_engines import EngineName, Served, fill

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
def records(
    record: Callable[..., Record], deletion: Callable[..., Record], event: Callable[..., Event]
) -> list[Record]:
    return records_in(RECORDS, record, deletion, event)


@pytest.fixture(scope="module")
def batches(
    record: Callable[..., Record], deletion: Callable[..., Record], event: Callable[..., Event]
) -> tuple[list[Record], list[Record]]:
    return two_batches(record, deletion, event)


def two_batches(
    record: Callable[..., Record], deletion: Callable[..., Record], event: Callable[..., Event]
) -> tuple[list[Record], list[Record]]:
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
    engine = there.engine()
    try:
        return frozenset(map(str, engine))
    finally:
        engine.endpoint.close()


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


def test_remote_bulk_load_equals_the_embedded_store(there: Served, folder: Path, record: Callable[..., Record]) -> None:
    """Load many records, with a large one."""
    many = [record(f"urn:lex:br:federal:lei:2001-03-05;{number}") for number in range(99901, 99999)]
    large = record(LAW, *(("altera", f"urn:lex:br:federal:lei:1990-01-02;{number}") for number in range(1, 2500)))
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
        members, graphs = FRBROO["R10_has_member"], [graph.value for graph in expected.graphs()]
        assert store.subjects_with(graphs, members) == expected.subjects_with(graphs, members) != frozenset()
        assert store.subjects_having(names, members) == expected.subjects_having(names, members) != frozenset()
        assert store.subjects_with([], members) == store.subjects_having([], members) == frozenset()
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


def test_externally_filled_graph_is_identified_by_its_quad_count(
    there: Served, folder: Path, record: Callable[..., Record]
) -> None:
    engine = there.engine()
    first, second = record(LAW), record("urn:lex:br:federal:lei:2002-03-05;99902")
    for law_record in (first, second):
        fill(engine, local([law_record]).engine)
        with stores.open(folder) as store:
            assert str(law_record.document.name.iri if law_record.document else "") in list(store.names.norms())
    engine.endpoint.close()


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


KILLED = """
import os, signal, sys
from pathlib import Path
from graph import store as stores
from graph.store.remote.endpoint import Endpoint
from tests.support import records
from tests.unit.graph.test_remote_store import two_batches
left = int(sys.argv[2])
change = Endpoint.change
def counted(self, update):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    change(self, update)
Endpoint.change = counted
_, second = two_batches(records.record, records.deletion, records.event)
with stores.open_for_writing(Path(sys.argv[1])) as store:
    store.apply(second)
"""


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
    engine.endpoint.close()


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


def test_folder_that_only_reads_refuses_to_write(
    there: Served, folder: Path, tmp_path: Path, record: Callable[..., Record]
) -> None:
    put(folder, [record(LAW)])
    assign_endpoint(tmp_path / "reader", there.url)
    with stores.open(tmp_path / "reader") as store:
        assert LAW in list(store.names.norms())
    with pytest.raises(NotAStore, match="connect the folder with --atomic"):
        put(tmp_path / "reader", [record(LAW)])
    there.connect(tmp_path / "reader")  # the operator says so later
    assert put(tmp_path / "reader", [record(LAW)]) == BatchResult(unchanged=1)
