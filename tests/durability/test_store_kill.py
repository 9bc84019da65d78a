"""Tests of kill -9 during a load: finished batches are stored, none is partial, and the next open repairs the rest."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.entities import Record
from graph.store import Store, open_for_writing
from graph.store import open as open_for_reading
from ontology.namespaces import VIG
from queries.catalogue import named
from tests.support.killing import killed

Make = Callable[..., Record]

ROOT = Path(__file__).resolve().parents[2]
BATCH = 5
#: Loads the batches of a pickle one by one, and prints the number of each finished batch.
LOADER_SCRIPT = """
import pickle, sys
from graph.store import open_for_writing
batches = pickle.load(sys.stdin.buffer)
with open_for_writing(sys.argv[1]) as store:
    for number, batch in enumerate(batches):
        store.apply(batch)
        store.flush()
        print(number, flush=True)
"""


def _law_name(batch: int, number: int) -> str:
    return f"urn:lex:br:federal:lei:2001-03-05;{99901 + batch * BATCH + number}"


def _make_batch(record: Make, number: int) -> list[Record]:
    laws = [record(f"{_law_name(number, n)}@2001-04-01;publicacao;2001-03-06") for n in range(BATCH)]
    revoking = f"urn:lex:br:federal:decreto:2005-01-03;{99901 + number}@2006-01-01;publicacao;2005-01-04"
    return [*laws, record(revoking, ("revoga", _law_name(number, 0)))]


def _batch_statuses(store: Store, batch: int) -> list[str | None]:
    """Return for each law of a batch ``"in force"``, the IRI of its status in 2007, or None if it is not stored."""
    return [_status(store, _law_name(batch, number)) for number in range(BATCH)]


def _status(store: Store, name: str) -> str | None:
    values = {"norma": name, "em": "2007-01-01", "conhecido": "2008-12-15"}
    rows = list(named("version_in_force").rows(store, values))
    assert len(rows) <= 1
    return (str(rows[0]["situacao"]) if rows[0]["versao"] is None else "in force") if rows else None


COMPLETE_BATCH = [VIG["revogada"], *["in force"] * (BATCH - 1)]
ABSENT_BATCH = [None] * BATCH


@pytest.mark.slow
def test_killed_load_keeps_committed_batches(tmp_path: Path, record: Make) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    batches = [_make_batch(record, number) for number in range(100)]
    payload = pickle.dumps(batches)
    moments = random.Random(20081215)  # noqa: S311 - moments, not secrets
    finished = -1
    for _ in range(8):
        finished = max(finished, _load_and_kill(folder, payload, moments.uniform(0.0, 0.12)))
        with open_for_reading(folder) as published:
            seen = [_batch_statuses(published, number) for number in range(len(batches))]
        assert all(statuses in (COMPLETE_BATCH, ABSENT_BATCH) for statuses in seen)
        with open_for_writing(folder) as store:
            assert store.marked == []
            assert [_batch_statuses(store, number) for number in range(finished + 1)] == [COMPLETE_BATCH] * (
                finished + 1
            )
            length = len(store)
            store.rebuild()
            assert not store.changed
        with open_for_reading(folder) as published:
            assert len(published) == length
            later = [_batch_statuses(published, number) for number in range(finished + 1, len(batches))]
            assert all(statuses in (COMPLETE_BATCH, ABSENT_BATCH) for statuses in later)
    assert 0 <= finished < len(batches) - 1, "no kill happened during the load"


def _load_and_kill(folder: Path, payload: bytes, after: float) -> int:
    """Kill a loading process some seconds after its first finished batch, and return the last one reported."""
    printed = killed(LOADER_SCRIPT, after, folder, given=payload)
    return int(printed.split(b"\n")[-2])
