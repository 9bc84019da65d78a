"""Tests that the name index follows the graph: after kills, damage, loss, a system crash, and a foreign index."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from graph.errors import StoreDamaged
from graph.index_rows import IndexEntries
from graph.store import Store, WritableStore, open_for_writing
from graph.store import open as open_for_reading
from graph.store.names import NAMES, NameIndex
from graph.summaries import Summary
from ontology.iris import DERIVED_GRAPH
from queries.in_force import in_force
from service.cli import main
from tests.support.records import deletion, record

pytestmark = pytest.mark.slow

Index = list[tuple[str, str, str]]

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
OTHER = "urn:lex:br:federal:lei:2003-02-03;99908"
FIRST = f"{LAW}@2001-04-01;publicacao;2001-03-06"
SECOND = f"{LAW}@2004-04-01;alteracao;2004-03-06"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a store with two batches, beside which are the index after the first, and that of another store."""
    path, other = tmp_path / "store", tmp_path / "other"
    for folder, name in ((path, FIRST), (other, f"{OTHER}@2003-02-04;publicacao;2003-02-04")):
        with open_for_writing(folder, create=True) as store:
            store.apply([record(name, key="a")])
        shutil.copy(folder / NAMES, tmp_path / f"index of {folder.name}")
    with open_for_writing(path) as store:
        store.apply([record(f"{OTHER}@2003-02-04;publicacao;2003-02-04", ("revoga", LAW))])
    return path


def _rebuilt_index(store: Store) -> Index:
    """Return the index built from the graph alone."""
    return list(Store(store.engine, None).names)


def _published_index(folder: Path) -> Index:
    """Return the index of the last snapshot, and check that it agrees with the graph."""
    with open_for_reading(folder) as store:
        entries = list(store.names)
        assert entries == _rebuilt_index(store)
        assert Summary(LAW, store.summaries(LAW)).has_periods
    return entries


class _Killed(BaseException):
    pass


@pytest.mark.parametrize("step", range(4))
def test_writer_killed_between_graph_and_index_is_recovered(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Kill the writer before each call of the index: the intention and the update of each of two batches."""
    steps = iter(range(10))

    def dying(real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            if next(steps) >= step:
                raise _Killed
            return real(*arguments)

        return call

    def load() -> None:
        with open_for_writing(folder) as store, monkeypatch.context() as patch:
            patch.setattr(store.names, "put", dying(store.names.put))
            patch.setattr(store.names, "intend", dying(store.names.intend))
            try:
                store.apply([record(SECOND, key="a"), record(SECOND, key="b"), record(f"{OTHER}!art1", key="c")])
                store.apply([deletion("b")])
            finally:  # a killed process publishes nothing
                patch.setattr("graph.store.writing._publish", lambda *_: None)
                store.changed = False

    with pytest.raises(_Killed):
        load()
    (folder / "unpublished").write_text(Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip(), "ascii")
    with open_for_writing(folder) as store:
        assert store.names.pending == ([], [])
        assert list(store.names) == _rebuilt_index(store)
        store.rebuild()
        assert not store.changed
    _published_index(folder)


def _altered(file: Path, sql: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(sql)


#: How an index may be harmed.
HARMS: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "truncated": lambda file: file.write_bytes(file.read_bytes()[:5000]),
    "overwritten": lambda file: file.write_bytes(file.read_bytes()[:4096] + b"\xff" * (file.stat().st_size - 4096)),
    "something else": lambda file: file.write_bytes(b"something else" * 1000),
    "without rows": lambda file: _altered(file, "DROP TABLE history"),
    "of an earlier release": lambda file: _altered(file, "ALTER TABLE records DROP COLUMN digest"),
}
#: Indexes that are sound, but not of this graph.
FOREIGN: dict[str, Callable[[Path], object]] = {
    name: lambda file, name=name: shutil.copy(file.parents[1] / name, file)  # type: ignore[misc]
    for name in ("index of store", "index of other")
}


@pytest.mark.parametrize("harm", [*HARMS, *FOREIGN])
def test_lost_or_foreign_index_is_rebuilt_by_the_next_writer(folder: Path, harm: str) -> None:
    before = _published_index(folder)
    (HARMS | FOREIGN)[harm](folder / NAMES)
    with open_for_writing(folder) as store:
        assert list(store.names) == before
    assert _published_index(folder) == before


@pytest.mark.parametrize("harm", HARMS)
def test_damaged_published_index_raises_an_error(folder: Path, harm: str, capsys: pytest.CaptureFixture[str]) -> None:
    HARMS[harm](folder / "current" / NAMES)

    def ask() -> None:
        with open_for_reading(folder) as store:
            in_force(store, LAW, "2002-01-01", "2008-01-01")

    with pytest.raises(StoreDamaged, match="the index of names"):
        ask()
    assert main(["--store", str(folder), "in-force", LAW]) == 4
    assert "`vigente rebuild`" in capsys.readouterr().err
    assert main(["--store", str(folder), "rebuild"]) == 0
    ask()


def test_index_of_a_copied_store_is_kept(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(folder, tmp_path / "copy", symlinks=True)
    monkeypatch.setattr(NameIndex, "clear", lambda _: pytest.fail("the index was rebuilt"))
    for path in (tmp_path / "copy", folder):
        with open_for_writing(path) as store:
            assert list(store.names)


def test_damaged_index_is_reported_and_fixed_by_rebuild(folder: Path) -> None:
    before = _published_index(folder)
    with open_for_writing(folder) as store:
        store.names.put({f"urn:{number}": IndexEntries([(f"urn:{number}", "x" * 500)]) for number in range(100)}, {})
    content = (folder / NAMES).read_bytes()
    (folder / NAMES).write_bytes(content[:-40_000] + b"\xff" * 40_000)
    with open_for_writing(folder) as store:
        with pytest.raises(StoreDamaged, match=r"names.sqlite, cannot be used: .*; `vigente rebuild` recreates it"):
            list(store.names)
        store.rebuild()
        assert list(store.names) == before
    assert _published_index(folder) == before


@pytest.mark.parametrize("run", ["another run", ""])
def test_index_is_rebuilt_after_a_system_crash(folder: Path, run: str) -> None:
    before = _published_index(folder)
    with open_for_writing(folder) as store:
        store.names.put({}, {LAW: None, OTHER: '{"r":[]}'})
        store.names.put({"urn:nobody": IndexEntries([("urn:x", "{}")])}, {})
    (folder / "unpublished").write_text(run, "ascii")
    with open_for_writing(folder):
        pass
    assert _published_index(folder) == before


def test_incomplete_copy_of_the_index_is_rejected(folder: Path, tmp_path: Path) -> None:
    with open_for_writing(folder) as store:
        store.names.put({"urn:r": IndexEntries([("urn:x", "{}")])}, {})
        with closing(sqlite3.connect(folder / NAMES)) as other:
            held = other.execute("SELECT * FROM summaries")
            held.fetchone()
            store.names.put({"urn:r": IndexEntries([("urn:z", "{}")])}, {})
            with pytest.raises(StoreDamaged, match="is being read, and cannot be copied whole"):
                store.names.copy_to(tmp_path / "copy")
            held.close()
        store.names.copy_to(tmp_path / "copy")
    with pytest.raises(StoreDamaged, match="expected an index in a file"):
        NameIndex(None).copy_to(tmp_path / "copy")


def test_store_without_an_index_builds_one(folder: Path) -> None:
    with open_for_reading(folder) as store:
        assert [name for name, graph, _ in store.names if graph == DERIVED_GRAPH] == [LAW, OTHER]
        bare = Store(store.engine, None)
        assert in_force(bare, LAW, "2002-01-01", "2008-01-01") == in_force(store, LAW, "2002-01-01", "2008-01-01")
        assert isinstance(bare.names, NameIndex)
        assert not isinstance(bare, WritableStore)
