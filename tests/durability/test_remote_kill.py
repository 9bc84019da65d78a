"""Tests of a remote server that is killed during a write (kill -9) and restarted: nothing is lost or partial."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event as Signal

import pytest

from graph import store as stores
from graph.entities import Event, Record
from graph.errors import EndpointProblem
from tests.support.served_engines import Served
from tests.unit.graph.test_remote_store import by_graph, local, put, stored_quads

#: The number of kills of the server, at random moments.
TIMES = 3
RANDOM = Random(20261122)  # noqa: S311 - moments, no secrets
NORMS = 12


def _law(number: int) -> str:
    return f"urn:lex:br:federal:lei:2001-03-05;{99_901 + number}"


@pytest.fixture(scope="module")
def batches(
    record: Callable[..., Record], deletion: Callable[..., Record], event: Callable[..., Event]
) -> list[list[Record]]:
    """Return new records; then records that replace, withdraw and revoke some of them; then new records again."""

    def made(number: int, start: str, datestamp: str) -> Record:
        relations = [("altera", _law(other)) for other in range(number % 7)]
        version = f"{_law(number)}@{start};publicacao;2001-03-06"
        return record(version, *relations, key=_law(number), datestamp=datestamp)

    revoking = "urn:lex:br:federal:lei:2003-03-05;99900"
    revoked = event("revogacao", _law(3), "2003-03-05", "2003-03-05", revoking)
    return [
        [made(number, "2001-03-06", "2008-12-15") for number in range(NORMS)],
        [
            *(made(number, "2001-04-01", "2008-12-17") for number in range(8)),
            *(deletion(_law(number), datestamp="2008-12-17") for number in range(8, 12)),
            record(revoking, ("revoga", _law(3)), events=[revoked], datestamp="2008-12-17"),
        ],
        [made(number, "2001-03-06", "2008-12-18") for number in range(NORMS, 2 * NORMS)],
    ]


@pytest.mark.slow
def test_killed_server_keeps_committed_batches_and_no_partial_records(
    written: Served, tmp_path: Path, batches: list[list[Record]]
) -> None:
    stores_of = [local(*batches[:number]) for number in range(len(batches) + 1)]
    states = [frozenset(map(str, store.engine)) for store in stores_of]
    written.empty()
    written.connect(tmp_path / "undisturbed")
    began = time.monotonic()
    for batch in batches:
        put(tmp_path / "undisturbed", batch)
    lasts = (time.monotonic() - began) / len(batches)
    assert stored_quads(written) == states[-1]
    cut = 0
    for kill in range(TIMES):
        written.empty()
        folder = tmp_path / f"{kill}"
        written.connect(folder)
        finished = _write_until_killed(written, folder, batches, kill % len(batches), lasts * RANDOM.uniform(0, 0.5))
        cut += finished < len(batches)
        written.start()
        with stores.open(folder) as store:
            _assert_whole_graphs(frozenset(map(str, store.engine)), states[finished : finished + 2])
        for batch in batches[finished:]:
            put(folder, batch)
        assert stored_quads(written) == states[-1]
        with stores.open(folder) as store:
            assert list(store.names) == list(stores_of[-1].names)
    assert cut, "no kill happened during a write"


def _write_until_killed(there: Served, folder: Path, batches: list[list[Record]], which: int, after: float) -> int:
    """Kill the server some seconds after a batch begins, and return the number of batches reported."""
    begun = Signal()

    def write() -> int:
        for finished, batch in enumerate(batches):
            if finished == which:
                begun.set()
            try:
                put(folder, batch)
            except EndpointProblem:
                return finished
        return len(batches)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        assert begun.wait(60)
        time.sleep(after)
        there.kill()
        return writing.result()


def _assert_whole_graphs(quads: frozenset[str], states: list[frozenset[str]]) -> None:
    """Check that every graph is as in one of these states; a graph that is in all of them must be stored."""
    stored, allowed = by_graph(quads), [by_graph(state) for state in states]
    for graph in {name for state in allowed for name in state} | set(stored):
        seen = stored.get(graph, frozenset())
        assert any(seen == state.get(graph, frozenset()) for state in allowed), f"{graph} is incomplete"
