"""Tests of batches: the result does not depend on their division, and an interrupted load leaves nothing partial."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

from benchmarks.generate import write_mixed_pages
from graph.mapping import MappedRecord, map_record
from graph.store import WritableStore, in_memory, open_for_writing
from ontology.iris import DERIVED_GRAPH
from tests.support.cases import constant
from tests.support.killing import killed
from tests.support.memory import needs_peak
from tests.support.records import deletion, event, quads, record

ROOT = Path(__file__).resolve().parents[3]
LAW = "urn:lex:br:federal:lei:2001-03-05;"
SIZE = 20
KILLS = 5
LOADER = """
import pickle, sys
from graph.store import open_for_writing
with open_for_writing(sys.argv[1]) as store:
    for number, batch in enumerate(pickle.load(sys.stdin.buffer)):
        store.apply(batch)
        print(number, flush=True)
"""
GROWING = constant("programs", "store_batches_growing")


def batch_of(number: int) -> list[MappedRecord]:
    """Return laws with a version each, and one that revokes the first.

    Every second batch also replaces a record of the batch before it.
    """
    numbers = range(99901 + number * SIZE, 99901 + (number + 1) * SIZE)
    made = [record(f"{LAW}{n}@2001-04-01;publicacao;2001-03-06", key=f"k{n}") for n in numbers]
    made.append(record(f"{LAW}{numbers[-1]}", ("revoga", f"{LAW}{numbers[0]}"), key=f"revoga{number}"))
    if number % 2:
        before = numbers[0] - SIZE
        made.append(record(f"{LAW}{before}@2002-02-02;publicacao;2001-03-07", key=f"k{before}", datestamp="2009-01-01"))
    return [map_record(new_record) for new_record in made]


# put() and apply() are equivalent


# Interrupted batches


def test_interrupted_batch_is_rolled_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply(batch_of(0))
        before = quads(store)
        with monkeypatch.context() as patch:
            patch.setattr(store._transactions, "carry_out", cut)  # noqa: SLF001 - the interrupted call
            with pytest.raises(KeyboardInterrupt):
                store.apply(batch_of(1))
        assert quads(store) == before
        store.apply(batch_of(1))
        expected = in_memory()
        expected.apply(batch_of(0))
        expected.apply(batch_of(1))
        assert quads(store) == quads(expected)


@pytest.mark.parametrize("parted", [3, 1000])
def test_graph_is_independent_of_batch_boundaries(parted: int) -> None:
    records = [mapped for number in range(4) for mapped in batch_of(number)]
    records[40:40] = [map_record(deletion("k99903")), map_record(record(f"{LAW}99902", key="k99904"))]
    store, expected = in_memory(), in_memory()
    for start in range(0, len(records), parted):
        store.apply(records[start : start + parted])
    for mapped_record in records:
        expected.apply([mapped_record])
    assert quads(store) == quads(expected)
    assert list(store.names) == list(expected.names)
    store.changed = False
    store.rebuild()
    assert not store.changed


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("together", [False, True])
def test_record_naming_an_annex_part_is_independent_of_order(order: tuple[int, ...], together: bool) -> None:
    """Load an annex that revokes its own norm, and thereby itself.

    Only the third record states that the annex belongs to the norm.
    """
    law = "urn:lex:br:federal:lei:2001-03-05;99907"
    published, annex = f"{law}@2001-03-06;publicacao;2001-03-06", f"{law};anexo.1"
    made = (
        record(published, key="a", events=[event("revogacao", law, "2002-01-01", None, annex)]),
        record(published, key="b", events=[event("suspensao", law)]),
        record(f"{annex}!art1", key="c"),
    )
    store = in_memory()
    records = [made[index] for index in order]
    for batch in [records] if together else [[single] for single in records]:
        store.apply(batch)
    expected = in_memory()
    expected.apply(made)
    expected.rebuild()
    assert sorted(store.names) == sorted(expected.names)
    without = in_memory()
    without.apply(made[:2])
    assert sorted(without.names) != sorted(store.names)
    store.apply([deletion("c")])
    assert _periods(store) == _periods(without)


def _periods(store: WritableStore) -> list[str]:
    return [packed for _, graph, packed in store.names if graph == DERIVED_GRAPH]


# Orders of loads, and killed loads


@pytest.fixture(scope="module")
def undisturbed() -> tuple[list[list[MappedRecord]], list[frozenset[str]]]:
    """Return the batches, and all quads before the first and after each."""
    batches = [batch_of(number) for number in range(4 * KILLS)]
    store = in_memory()
    states = [quads(store)]
    for batch in batches:
        store.apply(batch)
        states.append(quads(store))
    return batches, states


@pytest.mark.slow
def test_killed_load_is_complete_or_rolled_back(
    tmp_path: Path, undisturbed: tuple[list[list[MappedRecord]], list[frozenset[str]]]
) -> None:
    """Check that each finished batch is stored, that no other is, and that continuing gives the undisturbed result."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    batches, states = undisturbed
    moments = random.Random(20080911)  # noqa: S311 - moments, not secrets
    stored_count = 0
    for _ in range(KILLS):
        finished = stored_count + _load_and_kill(folder, batches[stored_count:], moments.uniform(0.0, 0.3))
        with open_for_writing(folder) as store:
            assert store.marked == []
            stored_quads = quads(store)
        assert stored_quads in states[finished:], "a finished batch is gone, or one is half there"
        stored_count = states.index(stored_quads)
        if stored_count == len(batches):
            break
    assert stored_count > 0
    with open_for_writing(folder) as store:
        for batch in batches[stored_count:]:
            store.apply(batch)
        assert quads(store) == states[-1]


def _load_and_kill(folder: Path, batches: list[list[MappedRecord]], after: float) -> int:
    """Kill a loading process some seconds after its first batch, and return how many batches it reported."""
    return killed(LOADER, after, folder, given=pickle.dumps(batches)).count(b"\n")


# Memory


@pytest.mark.slow
@needs_peak
def test_load_memory_is_bounded(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    write_mixed_pages(pages, 4_000, without_version=0.0)
    command = [sys.executable, "-c", GROWING, str(pages), str(tmp_path / "store"), "400"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded, peak = map(int, run.stdout.split())
    assert loaded == 4_000
    assert peak < 400  # MiB; a leak of 44 KiB for each record would exceed it
