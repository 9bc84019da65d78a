"""Many new records at once: the bulk loader gives what transactions give, and a load cut short leaves nothing half."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from benchmarks.generate import write_mixed_pages
from graph.entities import Record, Text
from graph.errors import StoreDamaged
from graph.mapping import Mapped, map_record
from graph.store import Applied, Store, WritableStore, in_memory, open_for_writing, writable
from graph.store import open as open_for_reading
from tests.killing import killed
from tests.memory import needs_peak

Make = Callable[..., Record]
Quads = Callable[[Store], frozenset[str]]

ROOT = Path(__file__).resolve().parents[1]
LAW = "urn:lex:br:federal:lei:2001-03-05;"
SIZE = 20
KILLS = 10
LOADER = """
import pickle, sys
from graph.store import open_for_writing, writable
writable._BULK = 1
with open_for_writing(sys.argv[1]) as store:
    for number, batch in enumerate(pickle.load(sys.stdin.buffer)):
        getattr(store, sys.argv[2])(batch)
        print(number, flush=True)
"""
GROWING = """
import sys
from pathlib import Path
from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from tests.memory import peak
where = Path(sys.argv[2])
with open_for_writing(where, create=True) as store:
    loaded = load([Path(sys.argv[1])], store, Quarantine(where / "quarantine"), batch_size=int(sys.argv[3])).loaded
print(loaded, peak() >> 10)
"""


@pytest.fixture
def always_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writable, "_BULK", 1)


def batch_of(record: Make, number: int) -> list[Mapped]:
    """Laws with a version each, one that revokes the first of them; every other time an older record once more."""
    numbers = range(99901 + number * SIZE, 99901 + (number + 1) * SIZE)
    made = [record(f"{LAW}{n}@2001-04-01;publicacao;2001-03-06", key=f"k{n}") for n in numbers]
    made.append(record(f"{LAW}{numbers[-1]}", ("revoga", f"{LAW}{numbers[0]}"), key=f"revoga{number}"))
    if number % 2:
        before = numbers[0] - SIZE
        made.append(record(f"{LAW}{before}@2002-02-02;publicacao;2001-03-07", key=f"k{before}", datestamp="2009-01-01"))
    return [map_record(one) for one in made]


# The same as transactions


def test_putting_is_applying(code_records: tuple[Record, ...], quads: Quads) -> None:
    applied, put = in_memory(), in_memory()
    assert applied.apply(code_records) == put.put([map_record(one) for one in code_records]) == Applied(loaded=9)
    assert quads(applied) == quads(put)
    assert put.put([map_record(one) for one in code_records]) == Applied(unchanged=9)
    assert applied.put([map_record(one) for one in code_records]) == Applied(unchanged=9)
    assert pickle.loads(pickle.dumps(map_record(code_records[0]))) == map_record(code_records[0])  # noqa: S301 - ours


def test_the_bulk_loader_writes_what_transactions_write(
    code_records: tuple[Record, ...], record: Make, deletion: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches: list[Sequence[Record]] = [
        code_records,
        [record(f"{LAW}99901", key="a", summaries=[Text('De "tudo" um \\ pouco\n\x01'), Text("é", "pt-br")])],
        [deletion("a"), record(f"{LAW}99902!art1", key="b"), record(f"{LAW}99901", key="c", datestamp="2030-01-01")],
        [record(f"{LAW}99901", key="c", datestamp="2010-01-01"), deletion("new")],
    ]
    found = []
    for threshold in (1, 1 << 40):
        monkeypatch.setattr(writable, "_BULK", threshold)
        store = in_memory()
        counted = [store.apply(batch) for batch in batches]
        found.append((counted, quads(store)))
        assert store.marked == []
        store.changed = False
        store.rebuild()
        assert not store.changed
    assert found[0] == found[1]


@pytest.mark.usefixtures("always_bulk")
def test_a_finished_load_leaves_no_journal(tmp_path: Path, record: Make, quads: Quads) -> None:
    folder = tmp_path / "store"
    expected = in_memory()
    with open_for_writing(folder, create=True) as store:
        for number in range(3):
            store.put(batch_of(record, number))
            expected.put(batch_of(record, number))
            assert not (folder / "journal.json").exists()
        assert store.undone == 0
        assert quads(store) == quads(expected)
    with open_for_reading(folder) as published:
        assert quads(published) == quads(expected)


# Cut short


def _cut(store: WritableStore, monkeypatch: pytest.MonkeyPatch, where: str, batch: Sequence[Mapped]) -> None:
    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, where, cut)
        with pytest.raises(KeyboardInterrupt):
            store.put(batch)


@pytest.mark.usefixtures("always_bulk")
@pytest.mark.parametrize("where", ["_bulk", "_replacing", "_derive"])
def test_an_interrupted_load_is_undone_or_finished_at_once(
    where: str, tmp_path: Path, record: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.put(batch_of(record, 0))
        before = quads(store)
        _cut(store, monkeypatch, where, batch_of(record, 1))
        assert not (folder / "journal.json").exists()
        if where == "_derive":
            assert store.marked
            assert store.finish()
        else:
            assert store.undone == SIZE + 1
            store.finish()
            assert quads(store) == before
        assert store.marked == []
        store.put(batch_of(record, 1))
        expected = in_memory()
        expected.put(batch_of(record, 0))
        expected.put(batch_of(record, 1))
        assert quads(store) == quads(expected)


@pytest.mark.usefixtures("always_bulk")
def test_a_load_that_counts_is_brought_to_its_end_by_who_comes_next(
    tmp_path: Path, record: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.put(batch_of(record, 0))
        _cut(store, monkeypatch, "_transact", batch_of(record, 1))
        left = (folder / "journal.json").read_text("utf-8")
    said = json.loads(left)
    assert len(said["graphs"]) == SIZE + 1
    assert said["rest"]
    with open_for_writing(folder) as store:
        whole = quads(store)
        assert store.undone == 0
    (folder / "journal.json").write_text(left, "utf-8")  # killed when it was done, before that was noted
    with open_for_writing(folder) as store:
        assert quads(store) == whole
        assert store.undone == 0
        assert store.put(batch_of(record, 1)).loaded == 0
    assert not (folder / "journal.json").exists()
    expected = in_memory()
    expected.put(batch_of(record, 0))
    expected.put(batch_of(record, 1))
    assert whole == quads(expected)


@pytest.mark.usefixtures("always_bulk")
def test_periods_come_with_the_records_whatever_was_there_before(record: Make, quads: Quads) -> None:
    """New records on works that have periods: of another version, of a cause with its dates, of what revokes them."""
    batches = [
        [record(f"{LAW}99901@2001-04-01;publicacao;2001-03-06", key="a")],
        [record(f"{LAW}99901@2003-01-01;alteracao;2002-12-01", key="b"), record(f"{LAW}99902", key="c")],
        [record(f"{LAW}99903", ("revoga", f"{LAW}99901"), key="d")],
        [record(f"{LAW}99903@2010-05-06;publicacao;2010-05-05", key="e")],
    ]
    loaded = in_memory()
    for batch in batches:
        loaded.apply(batch)
        there = quads(loaded)
        loaded.changed = False
        loaded.rebuild()
        assert not loaded.changed
        assert quads(loaded) == there
    at_once = in_memory()
    at_once.apply([one for batch in batches for one in batch])
    assert quads(at_once) == quads(loaded)


def test_a_journal_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    journal = folder / "journal.json"
    journal.write_text("{", "utf-8")
    with pytest.raises(StoreDamaged) as refused, open_for_writing(folder):
        pass
    assert str(refused.value) == (
        f"{journal} cannot be read: JSONDecodeError('Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)'); the last load may be there in part. "
        "Restore a backup (`vigente restore`), or load anew"
    )


def test_a_journal_of_a_load_that_does_not_count_is_undone_and_told(tmp_path: Path, record: Make, quads: Quads) -> None:
    folder = tmp_path / "store"
    first, second = record(f"{LAW}99901", key="a"), record(f"{LAW}99902", key="b")
    with open_for_writing(folder, create=True) as store:
        store.apply([first])
        before = quads(store)
        store.apply([second])
    load = {"graphs": [second.source.iri, "urn:x:never-begun"], "works": [f"{LAW}99902"], "rest": None}
    (folder / "journal.json").write_text(json.dumps(load), "utf-8")
    (folder / "data" / "bulk-1.sst").touch()
    with open_for_writing(folder) as store:
        assert store.undone == 2
        assert quads(store) == before
    assert not (folder / "journal.json").exists()
    assert not list((folder / "data").glob("bulk-*"))
    with open_for_reading(folder) as published:
        assert quads(published) == before


@pytest.fixture(scope="module")
def undisturbed(record: Make, quads: Quads) -> tuple[list[list[Mapped]], list[frozenset[str]]]:
    """Batches, and all quads before the first and after each."""
    batches = [batch_of(record, number) for number in range(4 * KILLS)]
    store = in_memory()
    states = [quads(store)]
    for batch in batches:
        store.put(batch)
        states.append(quads(store))
    return batches, states


@pytest.mark.slow
@pytest.mark.parametrize("how", ["put", "begin"])
def test_a_bulk_load_killed_at_any_moment_is_whole_or_gone(
    how: str, tmp_path: Path, undisturbed: tuple[list[list[Mapped]], list[frozenset[str]]], quads: Quads
) -> None:
    """What was finished is there, what was not is not there at all, and going on from there comes to the same."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    batches, states = undisturbed
    moments = random.Random(20080911)  # noqa: S311 - moments, not secrets
    there = 0
    for _ in range(KILLS):
        finished = there + _load_and_kill(folder, how, batches[there:], moments.uniform(0.0, 0.3))
        with open_for_writing(folder) as store:
            assert store.marked == []
            assert not list((folder / "data").glob("bulk-*"))
            assert not (folder / "journal.json").exists()
            found = quads(store)
        assert found in states[finished:], "a finished batch is gone, or one is half there"
        there = states.index(found)
        if there == len(batches):
            break
    assert there > 0
    with open_for_writing(folder) as store:
        for batch in batches[there:]:
            store.put(batch)
        assert quads(store) == states[-1]


def _load_and_kill(folder: Path, how: str, batches: list[list[Mapped]], after: float) -> int:
    """Kill a loading process some seconds after its first batch; how many it said were finished, of those that were
    only begun all but the last."""
    said = killed(LOADER, after, folder, how, given=pickle.dumps(batches))
    return said.count(b"\n") - (how == "begin")


# Memory


@pytest.mark.slow
@needs_peak
@pytest.mark.parametrize("batch_size", [200, 2000])
def test_memory_stays_bounded_while_a_load_grows(tmp_path: Path, batch_size: int) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    write_mixed_pages(pages, 4_000, without_version=0.0)
    command = [sys.executable, "-c", GROWING, str(pages), str(tmp_path / "store"), str(batch_size)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded, peak = map(int, run.stdout.split())
    assert loaded == 4_000
    assert peak < 325  # MiB; with 44 KiB more for each record it is beyond that
