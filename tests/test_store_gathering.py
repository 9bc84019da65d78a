"""Batches that are gathered and written at once make the graph of batches put one by one, or nothing of it."""

from __future__ import annotations

import errno
import gc
import os
import pickle
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.entities import Record
from graph.errors import StoreDamaged
from graph.mapping import Mapped, map_record
from graph.store import Applied, Store, WritableStore, in_memory, launching, open_for_writing, writable
from graph.store import open as open_for_reading
from tests.killing import killed
from tests.test_store_begun import in_batches

Make = Callable[..., Record]
Quads = Callable[[Store], frozenset[str]]

LAW = "urn:lex:br:federal:lei:2001-03-05;"
KINDS = ("publicacao", "alteracao", "retificacao")
PARTS = ("", "!art1", "!art1_cpt", "!art2")
KILLS = int(os.environ.get("KILLS", "6"))
GATHERING = """
import pickle, sys
from graph.store import launching, open_for_writing, writable
writable._BULK = launching._MUCH = launching._DEEP = 1
batches = pickle.load(sys.stdin.buffer)
with open_for_writing(sys.argv[1]) as store, store.gathering():
    print("begun", flush=True)
    for batch in batches:
        store.begin(batch)
    print("gathered", flush=True)
print("written", flush=True)
"""


@pytest.fixture(autouse=True)
def always_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writable, "_BULK", 1)


def entangled(record: Make, seed: int, count: int = 40) -> list[list[Mapped]]:
    """Few works and provisions in many batches: versions, revocations of what came just before, a record again."""
    random_ = random.Random(seed)  # noqa: S311 - an order, not a secret
    made = []
    for number in range(count):
        work = f"{LAW}{random_.randrange(99901, 99909)}"
        if random_.randrange(3):
            day = f"20{random_.randrange(10, 25)}-0{random_.randrange(1, 10)}-01"
            part = random_.choice(PARTS)
            key = f"k{random_.choice((number, number, number, number - 3))}"
            one = record(f"{work}@{day};{random_.choice(KINDS)};{day}{part}", key=key)
        else:
            other = f"{LAW}{random_.randrange(99901, 99909)}{random_.choice(PARTS)}"
            one = record(work, ("revoga", other), key=f"k{number}")
        made.append(map_record(one))
    return in_batches(made, random_)


def new_ones(record: Make, count: int) -> list[list[Mapped]]:
    """Batches of one norm each."""
    names = (f"{LAW}{99901 + n}@2001-04-01;publicacao;2001-03-06" for n in range(count))
    return [[map_record(record(name, key=f"k{n}"))] for n, name in enumerate(names)]


def state_of(store: Store, quads: Quads) -> tuple[frozenset[str], list[tuple[str, str, str]]]:
    return quads(store), list(store.names)


@pytest.mark.parametrize("most", [1, 20_000, 1 << 40], ids=["each by itself", "some at once", "all at once"])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_gathered_makes_the_graph_of_what_is_put(
    seed: int, most: int, tmp_path: Path, record: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Works that come again before they are written, provisions that hang on norms, and records that replace others."""
    monkeypatch.setattr(launching, "_GATHERED", most)
    batches = entangled(record, seed)
    expected = in_memory()
    done = [expected.put(batch) for batch in batches]
    with open_for_writing(tmp_path / "store", create=True) as store:
        with store.gathering():
            assert [store.begin(batch) for batch in batches] == done
        assert state_of(store, quads) == state_of(expected, quads)
        assert store.marked == []
        store.changed = False
        store.rebuild()
        assert not store.changed
        store.changed = True
    with open_for_reading(tmp_path / "store") as published:
        assert state_of(published, quads) == state_of(expected, quads)


def test_nothing_is_seen_until_it_is_written_and_then_all(tmp_path: Path, record: Make, quads: Quads) -> None:
    batches = new_ones(record, 5)
    with open_for_writing(tmp_path / "store", create=True) as store:
        before = quads(store)
        with store.gathering():
            for batch in batches:
                assert store.begin(batch) == Applied(loaded=1)
                assert quads(store) == before
            assert store.begin(batches[0]) == Applied(unchanged=1), "it is looked at again, when it is there"
            assert len(quads(store)) > len(before)
        assert not list((tmp_path / "store").glob("journal*"))


def test_what_is_there_already_and_unchanged_does_not_part_what_is_gathered(tmp_path: Path, record: Make) -> None:
    """A load that goes on where another was cut short is as fast; a record that is replaced is written after all that
    came before it."""
    batches = new_ones(record, 6)
    written = list[int]()
    with open_for_writing(tmp_path / "store", create=True) as store:
        store.put(batches[0])
        with store.gathering(lambda _, count: written.append(count)):
            for number, known in ((1, 0), (2, 0), (3, 0)):
                assert store.begin([*batches[number], *batches[known]]) == Applied(loaded=1, unchanged=1)
            assert store.begin(batches[0]) == Applied(unchanged=1)
            assert written == []
            other = map_record(record(f"{LAW}99950@2001-04-01;publicacao;2001-03-06", key="k0", datestamp="2030-01-01"))
            assert store.begin([*batches[4], other]) == Applied(loaded=2)
            assert written == [3]
            assert store.has_graph(batches[4][0].graph)
            store.begin(batches[5])
        assert written == [3, 1]


def test_files_are_laid_out_anew_after_much(tmp_path: Path, record: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out = list[int]()
    monkeypatch.setattr(WritableStore, "optimize", lambda store: laid_out.append(len(store)))
    monkeypatch.setattr(launching, "_DEEP", 1)
    for much in (1 << 40, 1):
        monkeypatch.setattr(launching, "_MUCH", much)
        with open_for_writing(tmp_path / str(much), create=True) as store:
            with store.gathering():
                store.begin(new_ones(record, 1)[0])
            with store.gathering():
                pass
            everything = [len(store)] * 2
            assert laid_out == ([] if much > 1 else everything), "once, when all is there, and once to compress it"


def test_files_are_written_once_more_and_nothing_is_left_of_what_that_takes(
    tmp_path: Path, record: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "_MUCH", 1)
    monkeypatch.setattr(launching, "_DEEP", 1)
    with open_for_writing(tmp_path / "store", create=True) as store, store.gathering():
        store.begin(new_ones(record, 1)[0])
    expected = in_memory()
    expected.put(new_ones(record, 1)[0])
    with open_for_reading(tmp_path / "store") as published:
        assert state_of(published, quads) == state_of(expected, quads)
        assert set(published.graphs()) == set(expected.graphs())


def test_in_memory_nothing_is_gathered(record: Make) -> None:
    store = in_memory()
    first, second = new_ones(record, 2)
    with store.gathering():
        store.begin(first)
        store.begin(second)
        assert store.has_graph(first[0].graph)


class _Stopped(Exception):
    pass


@pytest.mark.parametrize("error", [_Stopped, KeyboardInterrupt])
def test_what_was_begun_counts_when_the_block_is_left_by_an_error(
    error: type[BaseException], tmp_path: Path, record: Make, quads: Quads
) -> None:
    expected = in_memory()
    batches = new_ones(record, 3)

    def stopped() -> None:
        with open_for_writing(tmp_path / "store", create=True) as store, store.gathering():
            for batch in batches:
                store.begin(batch)
                expected.put(batch)
            raise error

    with pytest.raises(error):
        stopped()
    with open_for_reading(tmp_path / "store") as published:
        assert state_of(published, quads) == state_of(expected, quads)


def test_what_comes_after_an_error_has_ended_the_block_is_derived_from_what_was_gathered(
    tmp_path: Path, record: Make, quads: Quads
) -> None:
    expected = in_memory()
    first = [map_record(record(f"{LAW}99901@2001-04-01;publicacao;2001-03-06", key="a"))]
    second = [map_record(record(f"{LAW}99901@2003-01-01;alteracao;2002-12-01", key="b"))]

    def stopped(store: WritableStore) -> None:
        with store.gathering():
            store.begin(first)
            raise _Stopped

    with open_for_writing(tmp_path / "store", create=True) as store:
        with pytest.raises(_Stopped):
            stopped(store)
        store.put(second)
        for batch in (first, second):
            expected.put(batch)
        assert state_of(store, quads) == state_of(expected, quads)


@pytest.mark.parametrize("what", ["append_blocks", "wait", "_bulk"])
def test_who_goes_on_after_a_failure_finds_nothing_of_what_failed(
    what: str, tmp_path: Path, record: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same batch comes again in the same process, and the index says what the graph says."""
    first, second = new_ones(record, 2)
    expected = in_memory()
    expected.put(first)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device") if what == "append_blocks" else StoreDamaged("full")

    with open_for_writing(tmp_path / "store", create=True) as store:
        store.put(first)
        with store.gathering():
            with monkeypatch.context() as patch:
                patch.setattr({"append_blocks": launching, "wait": store.names}.get(what, store), what, full)
                with pytest.raises(StoreDamaged):
                    store.put(second)
            store.finish()
            assert state_of(store, quads) == state_of(expected, quads)
            assert store.put(second) == Applied(loaded=1)
            expected.put(second)
        store.finish()
        assert state_of(store, quads) == state_of(expected, quads)


@pytest.mark.parametrize("what", ["append_blocks", "_bulk", "wait", "_rising"])
def test_a_full_disk_is_told_and_leaves_nothing_of_what_was_gathered(
    what: str, tmp_path: Path, record: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is gathered, while the engine writes it, while the index lets it wait, and before it counts."""
    batches = new_ones(record, 4)
    with open_for_writing(tmp_path / "store", create=True) as store:
        store.put(batches[0])
        before = state_of(store, quads)

    def full(*_: object) -> None:
        if what == "append_blocks":
            raise OSError(errno.ENOSPC, "No space left on device")
        raise StoreDamaged("the store cannot be written: No space left on device")

    def fill() -> None:
        with open_for_writing(tmp_path / "store") as store, store.gathering():
            store.begin(batches[1])
            store.begin(batches[2])
            where = {"append_blocks": launching, "wait": store.names}.get(what, store)
            monkeypatch.setattr(where, what, full)
            store.begin(batches[3])

    with pytest.raises(StoreDamaged, match="No space left on device"):
        fill()
    monkeypatch.undo()
    monkeypatch.setattr(writable, "_BULK", 1)
    gc.collect()  # what was raised holds the engine
    with open_for_writing(tmp_path / "store") as store:
        assert state_of(store, quads) == before
        assert not list((tmp_path / "store").glob("journal*"))
        assert not list((tmp_path / "store").glob("names-waiting*"))
        assert store.put([one for batch in batches for one in batch]) == Applied(loaded=3, unchanged=1)


@pytest.mark.slow
def test_a_load_that_is_killed_while_it_gathers_or_writes_is_whole_or_gone(
    tmp_path: Path, record: Make, quads: Quads
) -> None:
    """Nothing is there, or all; the index says so too, nothing is left lying about, and going on comes to the same."""
    batches = new_ones(record, 150)
    whole = in_memory()
    nothing = quads(whole)
    for batch in batches:
        whole.put(batch)
    everything = quads(whole)
    payload = pickle.dumps(batches)
    moments = random.Random(19901011)  # noqa: S311 - moments, not secrets
    seen = set[str]()
    for number in range(KILLS):
        folder = tmp_path / str(number)
        with open_for_writing(folder, create=True):
            pass
        said = killed(GATHERING, moments.uniform(0.0, 1.2), folder, given=payload).decode().split()
        seen.add(said[-1])
        with open_for_writing(folder) as store:
            found = quads(store)
            assert found in (nothing, everything)
            assert found == everything or "written" not in said
            index = list(store.names)
            assert index == list(Store(store.engine, None).names)
            for batch in batches:
                store.begin(batch)
            store.land()
            assert quads(store) == everything
        names = {path.name for path in folder.iterdir()}
        assert not {name for name in names if name.startswith(("journal", "names-waiting"))}
    assert "begun" in seen or "gathered" in seen, "one at least was killed at work"
