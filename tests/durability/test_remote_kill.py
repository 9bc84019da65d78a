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

#: The number of kills of each server, at random moments.
TIMES = 4
RANDOM = Random(20261122)  # noqa: S311 - moments, no secrets
FIRST = 99_901
NORMS = 24


@pytest.fixture
def there(written: Served) -> Served:
    written.empty()
    return written


@pytest.fixture(scope="module")
def batches(
    record: Callable[..., Record], deletion: Callable[..., Record], event: Callable[..., Event]
) -> list[list[Record]]:
    """Return new records; then records that replace, withdraw and revoke some of them; then new records again."""

    def _law_name(number: int) -> str:
        return f"urn:lex:br:federal:lei:2001-03-05;{FIRST + number}"

    def _make_record(number: int, start: str, datestamp: str) -> Record:
        relations = [("altera", _law_name(other)) for other in range(number % 7)]
        return record(
            f"{_law_name(number)}@{start};publicacao;2001-03-06", *relations, key=_law_name(number), datestamp=datestamp
        )

    revoking = "urn:lex:br:federal:lei:2003-03-05;99900"
    revoked = event("revogacao", _law_name(3), "2003-03-05", "2003-03-05", revoking)
    return [
        [_make_record(number, "2001-03-06", "2008-12-15") for number in range(NORMS)],
        [
            *(_make_record(number, "2001-04-01", "2008-12-17") for number in range(8)),
            *(deletion(_law_name(number), datestamp="2008-12-17") for number in range(8, 12)),
            record(revoking, ("revoga", _law_name(3)), events=[revoked], datestamp="2008-12-17"),
        ],
        [_make_record(number, "2001-03-06", "2008-12-18") for number in range(NORMS, 2 * NORMS)],
    ]


def _expected_states(batches: list[list[Record]]) -> list[frozenset[str]]:
    """Return all quads before the first batch, and after each."""
    return [frozenset(map(str, local(*batches[:number]).engine)) for number in range(len(batches) + 1)]


@pytest.mark.slow
def test_killed_server_keeps_committed_batches_and_no_partial_records(
    there: Served, tmp_path: Path, batches: list[list[Record]]
) -> None:
    states = _expected_states(batches)
    there.connect(tmp_path / "undisturbed")
    began = time.monotonic()
    for batch in batches:
        put(tmp_path / "undisturbed", batch)
    lasts = time.monotonic() - began
    assert stored_quads(there) == states[-1]
    cut = 0
    for time_ in range(TIMES):
        there.empty()
        folder = tmp_path / f"{time_}"
        there.connect(folder)
        which = RANDOM.randrange(len(batches))
        finished = _write_until_killed(there, folder, batches, which, lasts / len(batches) * RANDOM.uniform(0, 0.5))
        cut += finished < len(batches)
        there.start()
        kill_description = f"kill {time_}, after {finished} of {len(batches)} batches"
        _assert_readers_see_whole_records(folder, states[finished : finished + 2], kill_description)
        for batch in batches[finished:]:
            put(folder, batch)
        assert stored_quads(there) == states[-1], kill_description
        expected = local(*batches)
        with stores.open(folder) as store:
            assert list(store.names) == list(expected.names), kill_description
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


def _assert_readers_see_whole_records(folder: Path, states: list[frozenset[str]], moment: str) -> None:
    """Check that a reader sees every record as it was before or after the batch."""
    with stores.open(folder) as store:
        _assert_whole_graphs(by_graph(frozenset(map(str, store.engine))), states, f"{moment}: a reader")


def _assert_whole_graphs(stored: dict[str, frozenset[str]], states: list[frozenset[str]], moment: str) -> None:
    """Check that every graph is as in one of these states; a graph that is in all of them must be stored."""
    allowed = [by_graph(state) for state in states]
    for graph in {name for state in allowed for name in state} | set(stored):
        quads = stored.get(graph, frozenset())
        assert any(quads == state.get(graph, frozenset()) for state in allowed), f"{moment}: {graph} is incomplete"
