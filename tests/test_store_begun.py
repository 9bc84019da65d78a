"""A batch that is written while the next is prepared: the graph is the one that comes of writing them one by one."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from graph.entities import Record
from graph.errors import StoreDamaged
from graph.mapping import Mapped, map_record
from graph.store import Applied, Store, WritableStore, in_memory, journaled, open_for_writing, writable
from graph.store import open as open_for_reading
from graph.store.blocks import load_blocks

Make = Callable[..., Record]
Quads = Callable[[Store], frozenset[str]]

LAW = "urn:lex:br:federal:lei:2001-03-05;"
KINDS = ("publicacao", "alteracao", "retificacao")


@pytest.fixture(autouse=True)
def always_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writable, "_BULK", 1)


def entangled(record: Make, random_: random.Random) -> list[list[Mapped]]:
    """Few works in many batches: versions, revocations of what came just before, the same record again."""
    made = []
    for number in range(40):
        work = f"{LAW}{random_.randrange(99901, 99909)}"
        if random_.randrange(3):
            day = f"20{random_.randrange(10, 25)}-0{random_.randrange(1, 10)}-01"
            one = record(f"{work}@{day};{random_.choice(KINDS)};{day}", key=f"k{random_.choice((number, number - 3))}")
        else:
            one = record(work, ("revoga", f"{LAW}{random_.randrange(99901, 99909)}"), key=f"k{number}")
        made.append(map_record(one))
    return in_batches(made, random_)


def in_batches(made: list[Mapped], random_: random.Random) -> list[list[Mapped]]:
    """One to five at once, in order."""
    batches: list[list[Mapped]] = []
    while made:
        size = random_.randrange(1, 6)
        batches.append(made[:size])
        del made[:size]
    return batches


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_batches_begun_make_the_graph_of_batches_put(
    seed: int, late: bool, record: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether what is being written is seen by the next batch already (written early) or not yet (late)."""
    main = threading.get_ident()

    def slowly(*what: object) -> None:
        if threading.get_ident() != main and late:
            time.sleep(0.02)
        load_blocks(*what)  # type: ignore[arg-type]
        if threading.get_ident() != main and not late:
            time.sleep(0.02)

    batches = entangled(record, random.Random(seed))  # noqa: S311 - an order, not a secret
    put, begun = in_memory(), in_memory()
    done = [put.put(batch) for batch in batches]
    monkeypatch.setattr(journaled, "load_blocks", slowly)
    assert [begun.begin(batch) for batch in batches] == done
    begun.land()
    assert quads(begun) == quads(put)
    assert begun.marked == []
    begun.rebuild()
    assert quads(begun) == quads(put)


def test_what_was_begun_is_there_when_the_next_is(tmp_path: Path, record: Make) -> None:
    batches = [[map_record(record(f"{LAW}{99901 + n}", key=f"k{n}"))] for n in range(20)]
    with open_for_writing(tmp_path, create=True) as store:
        for before, batch in pairwise([[], *batches]):
            assert store.begin(batch) == Applied(loaded=1)
            assert all(store.holds(one.graph, "https://provedor.example/oai", one.graph) for one in before)
        assert store.begin(batches[-1]) == Applied(unchanged=1)
    with open_for_reading(tmp_path) as found:
        graphs = {row["g"] for row in found.select("SELECT DISTINCT ?g { GRAPH ?g { ?s a ?o } }")}
    assert graphs >= {one.graph for batch in batches for one in batch}


def test_a_batch_that_cannot_be_written_is_told_until_the_end(
    tmp_path: Path, record: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = ([map_record(record(f"{LAW}{99901 + n}", key=f"k{n}"))] for n in range(3))

    def full(*_: object) -> None:
        raise OSError("no space left")

    def fill(store: WritableStore) -> None:
        assert store.put(first) == Applied(loaded=1)
        with monkeypatch.context() as patch:
            patch.setattr(journaled, "load_blocks", full)
            assert store.begin(second) == Applied(loaded=1)
            with pytest.raises(StoreDamaged, match="no space left"):
                store.begin(third)
        with pytest.raises(StoreDamaged, match="no space left"):
            store.flush()

    gc.disable()  # what was raised holds the engine, and lets it go without being looked for
    try:
        with pytest.raises(StoreDamaged, match="no space left"), open_for_writing(tmp_path, create=True) as store:
            fill(store)
        with open_for_writing(tmp_path) as store:
            assert store.put(first) == Applied(unchanged=1)
            assert store.put([*second, *third]) == Applied(loaded=2)
    finally:
        gc.enable()


_HEARD = """
import signal, threading, time
from graph.store.flight import Flight
from graph.store.together import Index

signal.signal(signal.SIGINT, signal.default_int_handler)
written = []
go_on = threading.Event()

def write():
    go_on.wait(20)
    written.append("all")

flight = Flight(write, (), Index(), set())
flight.start()
threading.Timer(0.2, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
try:
    flight.join()
except KeyboardInterrupt:
    threading.Timer(0.2, go_on.set).start()
    flight.join()
    print(*written)
"""


def test_who_heard_ctrl_c_while_waiting_waits_on() -> None:
    """What was being written then was published without its end: Python took the thread for one that had ended."""
    ended = subprocess.run([sys.executable, "-c", _HEARD], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "all", "")
