"""Tests of damage: full and read-only disks, truncated logs, flipped bytes. It is reported and not made worse."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.entities import Record
from graph.errors import DAMAGE_ADVICE as NEXT
from graph.errors import StoreDamaged, StoreProblem
from graph.store import Store, in_memory, open_for_writing, open_snapshot
from graph.store import open as open_for_reading
from graph.store.backup import back_up, restore
from service.cli import main

Make = Callable[..., Record]
Quads = Callable[[Store], frozenset[str]]

ROOT = Path(__file__).resolve().parents[2]
LAW = "urn:lex:br:federal:lei:2001-03-05;"
DAMAGE_ADVICE = re.escape(NEXT)
DISK_FULL_MESSAGE = r"the disk is full: free disk space and run the command again\. Completed work is kept$"
#: Writes the batches of a pickle, and is killed before the engine flushes anything more to the disk.
KILLED_WRITER_SCRIPT = """
import os, pickle, sys
from graph.store import open_for_writing
with open_for_writing(sys.argv[1]) as store:
    for batch in pickle.load(sys.stdin.buffer):
        store.apply(batch)
    os.kill(os.getpid(), 9)
"""


def batch(record: Make, number: int, size: int = 5) -> list[Record]:
    """Return laws in force since 2001; the last of them revokes the first."""
    numbers = range(99901 + number * size, 99901 + (number + 1) * size)
    laws = [record(f"{LAW}{n}@2001-04-01;publicacao;2001-03-06", key=f"k{n}") for n in numbers[:-1]]
    revoking = record(f"{LAW}{numbers[-1]}@2006-01-01;publicacao;2005-01-04", ("revoga", f"{LAW}{numbers[0]}"))
    return [*laws, revoking]


def states(record: Make, quads: Quads, count: int, size: int = 5) -> list[frozenset[str]]:
    """Return the graph before the first batch and after each of that many batches."""
    store = in_memory()
    graphs = [quads(store)]
    for number in range(count):
        store.apply(batch(record, number, size))
        graphs.append(quads(store))
    return graphs


def read(folder: Path, quads: Quads) -> frozenset[str]:
    """Return what readers see, and check that the name index agrees with the graph."""
    with open_for_reading(folder) as store:
        assert list(store.names) == list(Store(store.engine, None).names)
        return quads(store)


def _snapshot_numbers(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "snapshots").iterdir())


@pytest.fixture
def folder(tmp_path: Path, record: Make) -> Path:
    """Return the folder of a store with one batch."""
    path = tmp_path / "store"
    with open_for_writing(path, create=True) as store:
        store.apply(batch(record, 0))
    return path


# Disks


class Disk:
    """A small file system in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def remount(self, options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", str(self.path)], check=True, capture_output=True)

    def fill(self, left: int = 0) -> Path:
        """Fill the disk except for ``left`` bytes; return the file that fills it."""
        filler = self.path / "filler"
        with filler.open("wb", buffering=0) as output:
            for _ in range(5):  # the engine removes files asynchronously
                statistics = os.statvfs(self.path)
                output.write(bytes(max(0, statistics.f_bavail * statistics.f_frsize - left)))
                time.sleep(0.05)
        return filler


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    path = tmp_path / "disk"
    path.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(path)], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("this user cannot mount a file system")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def test_disk_full_during_a_load_keeps_committed_batches(disk: Disk, record: Make, quads: Quads) -> None:
    folder, size, most = disk.path / "store", 60, 100
    expected = states(record, quads, 4, size)
    finished = 0

    def load() -> None:
        nonlocal finished
        with open_for_writing(folder) as store:
            for number in range(finished, most):
                store.apply(batch(record, number, size))
                finished = number + 1

    with open_for_writing(folder, create=True) as store:
        store.apply(batch(record, 0, size))
        finished = 1
    filler = disk.fill(1 << 20)
    for _ in range(2):  # the disk stays full for the second attempt
        with pytest.raises(StoreDamaged, match=DISK_FULL_MESSAGE):
            load()
        assert read(folder, quads) in {expected[1], *states(record, quads, finished, size)[1:]}
        assert not list(folder.glob("journal-*.trig"))
    assert finished < most
    filler.unlink()
    with open_for_writing(folder) as store:
        assert store.left.failed
        later = states(record, quads, finished + 1, size)
        assert quads(store) in later[finished:]  # the failed batch may be stored completely
        store.apply(batch(record, finished, size))
    assert read(folder, quads) == later[-1]


@pytest.mark.parametrize("left", [0, 12_000])
def test_disk_full_during_publishing_keeps_the_old_snapshot(left: int, disk: Disk, record: Make, quads: Quads) -> None:
    """Fill the disk before publishing: without free space, the snapshot fails; with a little, the copy of the index."""
    folder = disk.path / "store"
    expected = states(record, quads, 2)
    with open_for_writing(folder, create=True) as store:
        store.apply(batch(record, 0))
    snapshot_numbers = _snapshot_numbers(folder)

    def load() -> None:
        with open_for_writing(folder) as store:
            store.apply(batch(record, 1))
            store.flush()
            disk.fill(left)

    with pytest.raises(StoreDamaged, match=DISK_FULL_MESSAGE):
        load()
    assert _snapshot_numbers(folder) == snapshot_numbers
    assert read(folder, quads) == expected[1]
    (disk.path / "filler").unlink()
    with open_for_writing(folder) as store:
        assert store.left.failed
    assert read(folder, quads) == expected[2]


def test_disk_full_leaves_no_partial_backup_or_restored_store(
    folder: Path, disk: Disk, tmp_path: Path, quads: Quads
) -> None:
    disk.fill(100_000)
    for target in ("backup", "backup.tar"):
        with pytest.raises(Exception, match="No space left on device; nothing is left of it"):
            back_up(folder, disk.path / target)
    back_up(folder, tmp_path / "backup")
    with pytest.raises(StoreProblem, match=r"no store can be created at .*: No space left on device"):
        restore(tmp_path / "backup", disk.path / "store")
    assert [path.name for path in disk.path.iterdir()] == ["filler"]
    assert read(folder, quads)


def test_read_only_disk_is_readable_and_writing_is_rejected(
    disk: Disk, tmp_path: Path, record: Make, quads: Quads, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = disk.path / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply(batch(record, 0))
    disk.remount("ro")
    with pytest.raises(StoreDamaged) as raised, open_for_writing(folder) as store:
        pass
    assert str(raised.value).startswith(f"{folder} cannot be written: ")
    assert str(raised.value).endswith("; the disk is read-only: the store can be read but not written")
    assert read(folder, quads) == states(record, quads, 1)[1]
    back_up(folder, tmp_path / "backup")
    for command in (["stats"], ["in-force", f"{LAW}99902", "--on", "2002-01-01"], ["check"]):
        assert main(["--store", str(folder), *command]) == 0
    assert main(["--store", str(folder), "rebuild"]) == 4
    assert "Traceback" not in capsys.readouterr().err
    disk.remount("rw")
    with open_for_writing(folder) as store:
        assert not store.left.failed
        assert not store.left.killed


# The log


@pytest.mark.parametrize("share", [0.0, 0.6, 0.999, 1.0])
def test_truncated_log_is_reported_and_repaired(
    share: float, folder: Path, record: Make, quads: Quads, capsys: pytest.CaptureFixture[str]
) -> None:
    """Truncate the log of a writer that was killed after finished batches, before they were flushed."""
    expected = states(record, quads, 5)
    batches = pickle.dumps([batch(record, number) for number in range(1, 5)])
    command = [sys.executable, "-c", KILLED_WRITER_SCRIPT, str(folder)]
    assert subprocess.run(command, cwd=ROOT, input=batches, check=False).returncode == -9
    log = max((folder / "data").glob("*.log"), key=lambda path: path.stat().st_size)
    os.truncate(log, int(log.stat().st_size * share))
    assert main(["--store", str(folder), "rebuild"]) == 0
    errors = capsys.readouterr().err
    assert "note: the last writer was killed: its finished batches are published now\n" in errors
    published = read(folder, quads)
    assert published in expected[1:]
    assert ("note: the end of the engine's log is lost: " in errors) == (published != expected[-1])
    assert published == expected[-1] or share < 1.0
    assert published != expected[-1] or share > 0.9
    with open_for_writing(folder) as store:
        assert store.lost == 0
        for number in range(1, 5):
            store.apply(batch(record, number))
    assert read(folder, quads) == expected[-1]


def test_lost_tables_reset_the_harvest_state(
    folder: Path, record: Make, quads: Quads, capsys: pytest.CaptureFixture[str]
) -> None:
    """Remove the graphs that a killed writer stored, as the engine does if its list of tables is truncated."""
    state = folder / "harvest" / "list" / "state.json"
    state.parent.mkdir(parents=True)
    state.write_text("as it was published", "utf-8")
    with open_for_writing(folder) as store:
        store.apply(batch(record, 1))
    gone = "for one in batch: store.engine.remove_graph(NamedNode(one.source.iri))"
    program = KILLED_WRITER_SCRIPT.replace(
        "    os.kill", f"    store.flush()\n    {gone}\n    store.engine.flush()\n    os.kill"
    )
    command = [sys.executable, "-c", f"from pyoxigraph import NamedNode{program}", str(folder)]
    batches = pickle.dumps([batch(record, 2)])
    assert subprocess.run(command, cwd=ROOT, input=batches, check=False).returncode == -9
    state.write_text("ahead of what is left", "utf-8")
    (state.parent / "window-1.json").write_text("begun since", "utf-8")
    assert main(["--store", str(folder), "rebuild"]) == 0
    errors = capsys.readouterr().err
    assert read(folder, quads) == states(record, quads, 2)[2]
    assert "note: the end of the engine's log is lost: 5 records are not up to date; repeat the load" in errors
    assert state.read_text("utf-8") == "as it was published"
    assert not (state.parent / "window-1.json").exists()


# Flipped bytes


def _table_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sst"), key=lambda path: -path.stat().st_size)


def _flip_bit(path: Path, position: int) -> None:
    """Flip a bit at a position of a file, after making the file separate from its hard links."""
    content = bytearray(path.read_bytes())
    content[position % len(content)] ^= 0x10
    path.unlink()
    path.write_bytes(content)


def test_flipped_bytes_in_a_snapshot_are_reported_or_harmless(folder: Path, tmp_path: Path, quads: Quads) -> None:
    """Check all data under the engine's checksums: the data read is the data written, or an error is reported."""
    expected = read(folder, quads)
    reported = 0
    for number, table in enumerate(_table_files((folder / "current").resolve())):
        copy = tmp_path / f"copy{number}"
        shutil.copytree(folder / "current", copy)
        for share in (0.0, 0.2, 0.4):
            _flip_bit(copy / table.name, int(table.stat().st_size * share))
            try:
                with open_snapshot(copy, folder) as store:
                    assert quads(store) == expected
            except (StoreDamaged, RuntimeError, OSError) as error:
                reported += "orruption" in str(error)
            shutil.copy(table, copy / table.name)
    assert reported > len(_table_files(folder / "current"))


@pytest.mark.parametrize("share", [0, 0.5], ids=["at its beginning", "in its middle"])
def test_flipped_bytes_in_the_data_are_reported_before_writing(
    share: float, folder: Path, tmp_path: Path, record: Make, quads: Quads
) -> None:
    """Damage only the writer's data: the published snapshot is intact, and the next one would not be."""
    expected = read(folder, quads)
    for number, table in enumerate(_table_files(folder / "data")):
        copy = tmp_path / f"copy{number}"  # the engine may change other tables after it opened damaged ones
        shutil.copytree(folder, copy, symlinks=True)
        snapshot_numbers = _snapshot_numbers(copy)
        damaged = copy / "data" / table.name
        _flip_bit(damaged, int(table.stat().st_size * share))
        with pytest.raises(StoreDamaged, match=DAMAGE_ADVICE), open_for_writing(copy) as store:
            store.apply(batch(record, 1))
        assert _snapshot_numbers(copy) == snapshot_numbers
        assert read(copy, quads) == expected
    with open_for_writing(folder) as store:
        store.apply(batch(record, 1))
    assert read(folder, quads) == states(record, quads, 2)[2]


def test_flipped_bytes_in_merged_tables_are_reported(tmp_path: Path, record: Make, quads: Quads) -> None:
    """Check tables that the engine merged in the background after the snapshot was made.

    The next batch reads few of their blocks.
    """
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply(batch(record, 0, size := 200))
    with open_for_writing(folder) as store:
        assert isinstance(store.engine, ox.Store)
        store.engine.optimize()
    expected, snapshot_numbers = read(folder, quads), _snapshot_numbers(folder)
    published = {path.name for path in (folder / "current").resolve().iterdir()}
    merged = [table for table in _table_files(folder / "data") if table.name not in published]
    assert merged
    for number, table in enumerate(merged):
        copy = tmp_path / f"copy{number}"
        shutil.copytree(folder, copy, symlinks=True)
        _flip_bit(copy / "data" / table.name, table.stat().st_size // 2)
        for _ in range(2):
            with pytest.raises(StoreDamaged, match=DAMAGE_ADVICE), open_for_writing(copy) as store:
                store.apply(batch(record, 1))
        assert _snapshot_numbers(copy) == snapshot_numbers
        assert read(copy, quads) == expected
    with open_for_writing(folder) as store:
        store.apply(batch(record, 1, size))
    assert read(folder, quads) == states(record, quads, 2, size)[2]


def test_invalid_table_list_is_reported(folder: Path, record: Make) -> None:
    (folder / "tables.json").write_text('{"000001.sst": 3}', "utf-8")
    with pytest.raises(StoreDamaged, match=r"tables\.json cannot be read: .*Remove it"), open_for_writing(folder):
        pass
    (folder / "tables.json").unlink()
    with open_for_writing(folder) as store:
        store.apply(batch(record, 1))


def _halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize("harm", [Path.unlink, _halve], ids=["lost", "cut"])
@pytest.mark.parametrize("name", ["MANIFEST-*", "*.sst", "CURRENT"])
def test_missing_data_files_are_reported_and_the_snapshot_kept(
    name: str, harm: Callable[[Path], None], folder: Path, tmp_path: Path, record: Make, quads: Quads
) -> None:
    back_up(folder, tmp_path / "backup")
    expected, snapshot_numbers = read(folder, quads), _snapshot_numbers(folder)
    path = max((folder / "data").glob(name), key=lambda path: path.stat().st_size)
    shutil.copy(path, tmp_path / "own")
    path.unlink()
    shutil.copy(tmp_path / "own", path)
    harm(path)
    for _ in range(2):
        with pytest.raises(StoreDamaged, match=rf"^the data of {folder} ") as raised, open_for_writing(folder) as store:
            store.apply(batch(record, 1))
        assert "restore" in str(raised.value) or "copy" in str(raised.value)
    assert _snapshot_numbers(folder) == snapshot_numbers
    assert read(folder, quads) == expected
    restore(tmp_path / "backup", tmp_path / "again")
    with open_for_writing(tmp_path / "again") as store:
        store.apply(batch(record, 1))
    assert read(tmp_path / "again", quads) == states(record, quads, 2)[2]


def test_unreadable_data_is_not_published_after_an_error(folder: Path, record: Make, quads: Quads) -> None:
    """Raise an error in the writer, and damage what it had written before the next writer opens the store."""
    expected, snapshot_numbers = read(folder, quads), _snapshot_numbers(folder)
    before = {path.name for path in _table_files(folder / "data")}

    def fail() -> None:
        with open_for_writing(folder) as store:
            store.apply(batch(record, 1))
            store.flush()
            raise StoreDamaged("the disk says so")

    with pytest.raises(StoreDamaged, match=r"^the disk says so$"):
        fail()
    assert read(folder, quads) == expected
    for path in _table_files(folder / "data"):
        if path.name not in before:
            _flip_bit(path, 10)
    message = rf"^the data of {folder} is damaged: .*orruption.*{DAMAGE_ADVICE}"
    with pytest.raises(StoreDamaged, match=message), open_for_writing(folder):
        pass
    assert _snapshot_numbers(folder) == snapshot_numbers
    assert read(folder, quads) == expected


def test_files_of_a_killed_writer_are_removed_and_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "data" / "bulk-1.sst").touch()
    (folder / "journal-1.trig").touch()
    (folder / "snapshots" / "3.tmp").mkdir()
    (folder / "unpublished").write_text("another run of the machine\n", "ascii")
    assert main(["--store", str(folder), "rebuild"]) == 0
    assert capsys.readouterr().err.startswith(
        "note: the machine stopped during a write: the data on the disk are published now; repeat the load (a harvest "
        "continues by itself)\n"
        "note: 2 incomplete files of the interrupted write were removed\n"
    )
    assert not [path for path in folder.rglob("*") if path.name in {"bulk-1.sst", "journal-1.trig", "3.tmp"}]
    assert main(["--store", str(folder), "rebuild"]) == 0
    assert "note" not in capsys.readouterr().err
