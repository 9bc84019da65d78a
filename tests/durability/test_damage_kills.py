"""Tests of kill -9 during rebuilding, publishing and backing up: finished work is kept, and the next run continues.

Loads and harvests are in test_store_kill.py and test_harvest_kill.py. Set ``KILLS=50`` for more kills.
"""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.entities import Record
from graph.store import Store, open_for_writing
from graph.store import open as open_for_reading
from graph.store.backup import restore, verify
from tests.durability.test_damage import batch, read, states
from tests.support.killing import killed

Make = Callable[..., Record]
Quads = Callable[[Store], frozenset[str]]

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("KILLS", "3"))
BATCHES = 40 + 3 * KILLS
#: The maximum number of starts for KILLS kills during a write. On a slow machine, some kills precede the write.
STARTS = 20 * KILLS
#: Publishes each batch separately, beginning with the given number.
PUBLISHING_SCRIPT = """
import pickle, sys
from graph.store import open_for_writing
batches = pickle.load(sys.stdin.buffer)
print("begun", flush=True)
for number in range(int(sys.argv[2]), len(batches)):
    with open_for_writing(sys.argv[1]) as store:
        store.apply(batches[number])
    print(number, flush=True)
"""
#: Drops the derived graph and the name index, and rebuilds them, in an endless loop.
REBUILDING_SCRIPT = """
import sys
from graph.store import open_for_writing
print("begun", flush=True)
while True:
    with open_for_writing(sys.argv[1]) as store:
        store.names.clear()
        store.engine.remove_graph(next(g for g in store.graphs() if "derivado" in g.value))
        store.rebuild(batch=3)
    print("whole", flush=True)
"""
#: Makes one backup after another.
BACKUP_SCRIPT = """
import sys
from itertools import count
from pathlib import Path
from graph.store.backup import back_up
print("begun", flush=True)
for number in count():
    back_up(Path(sys.argv[1]), Path(sys.argv[2]) / f"{sys.argv[3]}-{number}{'.tar' * (number % 2)}")
    print(number, flush=True)
"""


@pytest.mark.slow
def test_killed_publishing_keeps_a_published_state(tmp_path: Path, record: Make, quads: Quads) -> None:
    """Check that readers see a published state, not older than the last one reported; the next writer continues."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    batches = [batch(record, number) for number in range(BATCHES)]
    expected = states(record, quads, BATCHES)
    payload = pickle.dumps(batches)
    moments = random.Random(19901011)  # noqa: S311 - moments, not secrets
    last_state = unfinished = 0
    for _ in range(STARTS):
        printed = (
            killed(PUBLISHING_SCRIPT, moments.uniform(0.0, 0.25), folder, last_state, given=payload).decode().split()
        )
        finished = last_state + len(printed) - 1
        read_state = expected.index(read(folder, quads))
        assert read_state in {finished, finished + 1}
        with open_for_writing(folder) as store:
            unfinished += store.left.killed
            assert store.lost == store.undone == 0
            last_state = expected.index(quads(store))
        assert last_state in {finished, finished + 1}
        assert read(folder, quads) == expected[last_state]
        assert len(list((folder / "snapshots").iterdir())) <= 2
        if last_state == BATCHES or (last_state and unfinished >= KILLS):
            break
    assert last_state > 0
    assert unfinished


@pytest.mark.slow
def test_killed_rebuild_keeps_the_published_state(tmp_path: Path, record: Make, quads: Quads) -> None:
    """Check that readers have the published state, and that rebuilding again gives the same."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        for number in range(8):
            store.apply(batch(record, number))
    expected = states(record, quads, 8)[8]
    moments = random.Random(19930522)  # noqa: S311 - moments, not secrets
    killings = 0
    for _ in range(STARTS):
        killed(REBUILDING_SCRIPT, moments.uniform(0.0, 0.4), folder)
        with open_for_reading(folder) as store:
            assert len(store) > 0
        with open_for_writing(folder) as store:
            killings += store.left.killed
            store.rebuild()
            assert quads(store) == expected
        assert read(folder, quads) == expected
        if killings == KILLS:
            break
    assert killings == KILLS


@pytest.mark.slow
def test_killed_backup_leaves_no_partial_target(tmp_path: Path, record: Make, quads: Quads) -> None:
    """Check that each backup under its final name is complete, and that the next one removes unfinished ones."""
    folder, safe = tmp_path / "store", tmp_path / "safe"
    with open_for_writing(folder, create=True) as store:
        store.apply(batch(record, 0, 60))
    expected = read(folder, quads)
    moments = random.Random(20070110)  # noqa: S311 - moments, not secrets
    finished = 0
    names: list[str] = []
    for number in range(KILLS):
        printed = killed(BACKUP_SCRIPT, moments.uniform(0.0, 0.25), folder, safe, number).decode().split()
        names = sorted(path.name for path in safe.iterdir() if not path.name.startswith("."))
        assert len(names) - finished in {len(printed) - 1, len(printed)}
        finished = len(names)
    for path in safe.iterdir():
        if not path.name.startswith("."):
            verify(path)
    if names:
        restore(safe / names[-1], tmp_path / "again")
        assert read(tmp_path / "again", quads) == expected
