"""Tests of kill -9 during a load, a publication, a rebuild and a backup: finished work is kept, the rest is repaired.

Harvests are in test_harvest_kill.py. Set ``KILLS=50`` for more kills.
"""

from __future__ import annotations

import os
import pickle
import random

import pytest

from graph.store import open as open_for_reading
from graph.store import open_for_writing
from graph.store.backup import restore, verify
from tests.durability.conftest import Kit
from tests.support.killing import killed

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("KILLS", "2"))
BATCHES = 30 + 3 * KILLS
#: The maximum number of starts for KILLS kills during a write. On a slow machine, some kills precede the write.
STARTS = 20 * KILLS
#: Writes batches beginning with the given number, and prints the number of each finished batch.
WRITING = """
import pickle, sys
from graph.store.writing import open_for_writing
batches = pickle.load(sys.stdin.buffer)
print("begun", flush=True)
"""
#: In one load, or with a publication of each batch.
WRITERS = {
    "load": WRITING
    + """
with open_for_writing(sys.argv[1]) as store:
    for number in range(int(sys.argv[2]), len(batches)):
        store.apply(batches[number])
        store.flush()
        print(number, flush=True)
""",
    "publication": WRITING
    + """
for number in range(int(sys.argv[2]), len(batches)):
    with open_for_writing(sys.argv[1]) as store:
        store.apply(batches[number])
    print(number, flush=True)
""",
}
#: Drops the derived graph and the name index, and rebuilds them, in an endless loop.
REBUILDING = """
import sys
from graph.store.writing import open_for_writing
print("begun", flush=True)
while True:
    with open_for_writing(sys.argv[1]) as store:
        store.names.clear()
        store.engine.remove_graph(next(g for g in store.graphs() if "derivado" in g.value))
        store.rebuild(batch=3)
"""
#: Makes one backup after another.
BACKING_UP = """
import sys
from itertools import count
from pathlib import Path
from graph.store.backup import back_up
print("begun", flush=True)
for number in count():
    back_up(Path(sys.argv[1]), Path(sys.argv[2]) / f"{sys.argv[3]}-{number}{'.tar' * (number % 2)}")
    print(number, flush=True)
"""


@pytest.mark.parametrize("writer", WRITERS)
def test_killed_writer_keeps_finished_batches(writer: str, kit: Kit) -> None:
    """Check that readers see a published state, and that the next writer continues after the last reported batch."""
    folder, expected = kit.write(folder=kit.tmp / "new"), kit.states(BATCHES)
    payload = pickle.dumps([kit.batch(number) for number in range(BATCHES)])
    moments = random.Random(19901011)  # noqa: S311 - moments, not secrets
    last = unfinished = 0
    for _ in range(STARTS):
        published = last
        printed = killed(WRITERS[writer], moments.uniform(0.0, 0.25), folder, last, given=payload).decode().split()
        finished = last + len(printed) - 1
        seen = expected.index(kit.read(folder))
        assert seen in ({finished, finished + 1} if writer == "publication" else {published, BATCHES})
        with open_for_writing(folder) as store:
            unfinished += store.left.killed
            assert (store.lost, store.undone, store.marked) == (0, 0, [])
            last = expected.index(kit.quads(store))
            store.rebuild()
        assert last in {finished, finished + 1}
        assert kit.read(folder) == expected[last]
        assert len(kit.snapshots(folder)) <= 2
        if last == BATCHES or (last and unfinished >= KILLS):
            break
    assert last > 0
    assert unfinished


def test_killed_rebuild_keeps_the_published_state(kit: Kit) -> None:
    """Check that readers have the published state, and that rebuilding again gives the same."""
    kit.write([law for number in range(8) for law in kit.batch(number)])
    expected = kit.read()
    moments = random.Random(19930522)  # noqa: S311 - moments, not secrets
    killings = 0
    for _ in range(STARTS):
        killed(REBUILDING, moments.uniform(0.0, 0.4), kit.folder)
        with open_for_reading(kit.folder) as store:
            assert len(store) > 0
        with open_for_writing(kit.folder) as store:
            killings += store.left.killed
            store.rebuild()
        assert kit.read() == expected
        if killings == KILLS:
            break
    assert killings == KILLS


def test_killed_backup_leaves_no_partial_target(kit: Kit) -> None:
    """Check that each backup under its final name is complete, and that the next one removes unfinished ones."""
    kit.write(kit.batch(0, 60))
    safe = kit.tmp / "safe"
    moments = random.Random(20070110)  # noqa: S311 - moments, not secrets
    names: list[str] = []
    for number in range(KILLS):
        printed = killed(BACKING_UP, moments.uniform(0.0, 0.25), kit.folder, safe, number).decode().split()
        before, names = names, sorted(path.name for path in safe.iterdir() if not path.name.startswith("."))
        assert len(names) - len(before) in {len(printed) - 1, len(printed)}
    for name in names:
        verify(safe / name)
    if names:
        restore(safe / names[-1], kit.tmp / "again")
        assert kit.read(kit.tmp / "again") == kit.read()
