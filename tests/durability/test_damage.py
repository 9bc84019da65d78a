"""Tests of damage: full disks, flipped bytes, and kill -9: finished work is kept, the rest is reported or repaired."""

from __future__ import annotations

import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.entities import Record
from graph.errors import DAMAGE_ADVICE as NEXT
from graph.errors import BadParameter, StoreDamaged, StoreProblem
from graph.store import open as open_for_reading
from graph.store import open_for_writing, open_snapshot
from graph.store.backup import back_up, restore, verify
from service.cli import main
from tests.durability.conftest import LAW, Kit
from tests.support.cases import constant
from tests.support.killing import killed
from tests.support.records import quads

# Damage


ROOT = Path(__file__).resolve().parents[2]
DAMAGE_ADVICE = re.escape(NEXT)
DISK_FULL_MESSAGE = r"the disk is full: free disk space and run the command again\. Completed work is kept$"
#: Writes the batches of a pickle, runs a statement, and is killed before the engine flushes anything more to the disk.
KILLED_WRITER_SCRIPT = constant("programs", "damage_killed_writer_script")
LOSE_THE_LAST_BATCH = constant("damage", "lose_the_last_batch")


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
    command = ["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(path)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("this user cannot mount a file system")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def test_disk_full_during_a_load_keeps_committed_batches(disk: Disk, kit: Kit) -> None:
    size, most, finished = 60, 100, 1
    folder = kit.write(kit.batch(0, size), folder=disk.path / "store")

    def load() -> None:
        nonlocal finished
        with open_for_writing(folder) as store:
            for number in range(finished, most):
                store.apply(kit.batch(number, size))
                finished = number + 1

    filler = disk.fill(1 << 20)
    for _ in range(2):  # the disk stays full for the second attempt
        with pytest.raises(StoreDamaged, match=DISK_FULL_MESSAGE):
            load()
        assert kit.read(folder) in kit.states(finished, size)[1:]
        assert not list(folder.glob("journal-*.trig"))
    assert finished < most
    filler.unlink()
    later = kit.states(finished + 1, size)
    with open_for_writing(folder) as store:
        assert store.left.failed
        assert quads(store) in later[finished:]  # the failed batch may be stored completely
        store.apply(kit.batch(finished, size))
    assert kit.read(folder) == later[-1]


@pytest.mark.parametrize("left", [0, 12_000])
def test_disk_full_during_publishing_keeps_the_old_snapshot(left: int, disk: Disk, kit: Kit) -> None:
    """Fill the disk before publishing: without free space, the snapshot fails; with a little, the copy of the index."""
    folder = kit.write(kit.batch(0), folder=disk.path / "store")
    before = kit.snapshots(folder)

    def load() -> None:
        with open_for_writing(folder) as store:
            store.apply(kit.batch(1))
            store.flush()
            disk.fill(left)

    with pytest.raises(StoreDamaged, match=DISK_FULL_MESSAGE):
        load()
    assert (kit.snapshots(folder), kit.read(folder)) == (before, kit.states(1)[1])
    (disk.path / "filler").unlink()
    with open_for_writing(folder) as store:
        assert store.left.failed
    assert kit.read(folder) == kit.states(2)[2]


def test_disk_full_leaves_no_partial_backup_or_restored_store(disk: Disk, kit: Kit) -> None:
    disk.fill(100_000)
    for target in ("backup", "backup.tar"):
        with pytest.raises(BadParameter, match="No space left on device; nothing is left of it"):
            back_up(kit.folder, disk.path / target)
    back_up(kit.folder, kit.tmp / "backup")
    with pytest.raises(StoreProblem, match=r"no store can be created at .*: No space left on device"):
        restore(kit.tmp / "backup", disk.path / "store")
    assert [path.name for path in disk.path.iterdir()] == ["filler"]
    assert kit.read()


def test_read_only_disk_is_readable_and_writing_is_rejected(disk: Disk, kit: Kit) -> None:
    folder = kit.write(kit.batch(0), folder=disk.path / "store")
    disk.remount("ro")
    with pytest.raises(StoreDamaged) as raised, open_for_writing(folder):
        pass
    assert str(raised.value).startswith(f"{folder} cannot be written: ")
    assert str(raised.value).endswith("; the disk is read-only: the store can be read but not written")
    assert kit.read(folder) == kit.states(1)[1]
    back_up(folder, kit.tmp / "backup")
    for command in (["stats"], ["in-force", f"{LAW}99902", "--on", "2002-01-01"], ["check"]):
        assert main(["--store", str(folder), *command]) == 0
    assert main(["--store", str(folder), "rebuild"]) == 4
    disk.remount("rw")
    with open_for_writing(folder) as store:
        assert (store.left.failed, store.left.killed) == (False, False)


# The log


def write_and_kill(kit: Kit, batches: list[list[Record]], last: str = "") -> None:
    command = [sys.executable, "-c", KILLED_WRITER_SCRIPT, str(kit.folder), last]
    assert subprocess.run(command, cwd=ROOT, input=pickle.dumps(batches), check=False).returncode == -9


@pytest.mark.parametrize("share", [0.0, 0.6, 0.999, 1.0])
def test_truncated_log_is_reported_and_repaired(share: float, kit: Kit, capsys: pytest.CaptureFixture[str]) -> None:
    """Truncate the log of a writer that was killed after finished batches, before they were flushed."""
    expected, batches = kit.states(5), [kit.batch(number) for number in range(1, 5)]
    write_and_kill(kit, batches)
    log = max((kit.folder / "data").glob("*.log"), key=lambda path: path.stat().st_size)
    os.truncate(log, int(log.stat().st_size * share))
    assert main(["--store", str(kit.folder), "rebuild"]) == 0
    errors = capsys.readouterr().err
    assert "note: the last writer was killed: its finished batches are published now\n" in errors
    published = kit.read()
    assert published in expected[1:]
    assert ("note: the end of the engine's log is lost: " in errors) == (published != expected[-1])
    assert (share == 1.0) <= (published == expected[-1]) <= (share > 0.9)
    with open_for_writing(kit.folder) as store:
        assert store.lost == 0
    kit.write(*batches)
    assert kit.read() == expected[-1]


def test_lost_tables_reset_the_harvest_state(kit: Kit, capsys: pytest.CaptureFixture[str]) -> None:
    """Remove the graphs that a killed writer stored, as the engine does if its list of tables is truncated."""
    state = kit.folder / "harvest" / "list" / "state.json"
    state.parent.mkdir(parents=True)
    state.write_text("as it was published", "utf-8")
    kit.write(kit.batch(1))
    write_and_kill(kit, [kit.batch(2)], LOSE_THE_LAST_BATCH)
    state.write_text("ahead of what is left", "utf-8")
    (state.parent / "window-1.json").write_text("begun since", "utf-8")
    assert main(["--store", str(kit.folder), "rebuild"]) == 0
    message = "note: the end of the engine's log is lost: 5 records are not up to date; repeat the load"
    assert message in capsys.readouterr().err
    assert kit.read() == kit.states(2)[2]
    assert state.read_text("utf-8") == "as it was published"
    assert not (state.parent / "window-1.json").exists()


# Flipped bytes and lost files


def tables(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sst"), key=lambda path: -path.stat().st_size)


def flip_bit(path: Path, share: float = 0.0) -> None:
    """Flip a bit in a file, after making the file separate from its hard links."""
    content = bytearray(path.read_bytes())
    content[int(len(content) * share)] ^= 0x10
    path.unlink()
    path.write_bytes(content)


def test_flipped_bytes_in_a_snapshot_are_reported_or_harmless(kit: Kit) -> None:
    """Check all data under the engine's checksums: the data read is the data written, or an error is reported."""
    seen, snapshot = kit.read(), (kit.folder / "current").resolve()
    own = tables(snapshot)
    reported = 0
    for table in own:
        for share in (0.0, 0.2, 0.4):
            copy = Path(shutil.copytree(snapshot, kit.tmp / f"{table.name}-{share}"))
            flip_bit(copy / table.name, share)
            try:
                with open_snapshot(copy, kit.folder) as store:
                    assert quads(store) == seen
            except (StoreDamaged, RuntimeError, OSError) as error:
                reported += "orruption" in str(error)
    assert reported > len(own)


@pytest.mark.parametrize("share", [0, 0.5], ids=["at its beginning", "in its middle"])
def test_flipped_bytes_in_the_data_are_reported_before_writing(share: float, kit: Kit) -> None:
    """Damage only the writer's data: the published snapshot is intact, and the next one would not be."""
    for table in tables(kit.folder / "data"):
        copy = kit.copy(table.name)  # the engine may change other tables after it opened damaged ones
        flip_bit(copy / "data" / table.name, share)
        kit.refuses(DAMAGE_ADVICE, copy)
    kit.write(kit.batch(1))
    assert kit.read() == kit.states(2)[2]


def test_flipped_bytes_in_merged_tables_are_reported(kit: Kit) -> None:
    """Check tables that the engine merged in the background after the snapshot was made.

    The next batch reads few of their blocks.
    """
    merged: list[Path] = []
    large, size = kit, 150
    while not merged and size < 400:  # the engine may have merged them before the snapshot was made
        size += 50
        large = replace(kit, folder=kit.write(kit.batch(0, size), folder=kit.tmp / f"large{size}"))
        with open_for_writing(large.folder) as store:
            assert isinstance(store.engine, ox.Store)
            store.engine.optimize()
        published = {path.name for path in (large.folder / "current").resolve().iterdir()}
        merged = [table for table in tables(large.folder / "data") if table.name not in published]
    assert merged
    for table in merged[::2]:
        copy = large.copy(table.name)
        flip_bit(copy / "data" / table.name, 0.5)
        large.refuses(DAMAGE_ADVICE, copy, times=2)
    large.write(kit.batch(1, size))
    assert large.read() == kit.states(2, size)[2]


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize("harm", [Path.unlink, halve], ids=["lost", "cut"])
@pytest.mark.parametrize("name", ["data/MANIFEST-*", "data/*.sst", "data/CURRENT"])
def test_missing_data_files_are_reported(name: str, harm: Callable[[Path], None], kit: Kit) -> None:
    path = max(kit.folder.glob(name), key=lambda path: path.stat().st_size)
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)
    harm(path)
    for message in kit.refuses(rf"^the data of {kit.folder} ", times=2):
        assert "restore" in message or "copy" in message


def test_invalid_table_list_is_reported(kit: Kit) -> None:
    (kit.folder / "tables.json").write_text('{"000001.sst": 3}', "utf-8")
    kit.refuses(r"tables\.json cannot be read: .*Remove it")
    (kit.folder / "tables.json").unlink()
    kit.write(kit.batch(1))


def test_unreadable_data_is_not_published_after_an_error(kit: Kit) -> None:
    """Raise an error in the writer, and damage what it had written before the next writer opens the store."""
    before = {path.name for path in tables(kit.folder / "data")}

    def fail() -> None:
        with open_for_writing(kit.folder) as store:
            store.apply(kit.batch(1))
            store.flush()
            raise StoreDamaged("the disk says so")

    with pytest.raises(StoreDamaged, match=r"^the disk says so$"):
        fail()
    assert kit.read() == kit.states(1)[1]
    for path in tables(kit.folder / "data"):
        if path.name not in before:
            flip_bit(path)
    kit.refuses(rf"^the data of {kit.folder} is damaged: .*orruption.*{DAMAGE_ADVICE}")


def test_snapshot_of_a_killed_writer_is_removed_and_its_run_is_reported(
    kit: Kit, capsys: pytest.CaptureFixture[str]
) -> None:
    left = kit.folder / "snapshots" / "3.tmp"
    left.mkdir()
    (kit.folder / "unpublished").write_text("another run of the machine\n", "ascii")
    assert main(["--store", str(kit.folder), "rebuild"]) == 0
    assert capsys.readouterr().err.startswith(
        "note: the machine stopped during a write: the data on the disk are published now; repeat the load (a harvest "
        "continues by itself)\n"
    )
    assert not left.exists()
    assert main(["--store", str(kit.folder), "rebuild"]) == 0
    assert "note" not in capsys.readouterr().err


# Kill -9 during a load, a publication, a rebuild and a backup
# Harvests are in test_harvest_faults.py. Set ``KILLS=50`` for more kills.


KILLS = int(os.environ.get("KILLS", "2"))
BATCHES = 30 + 3 * KILLS
#: The maximum number of starts for KILLS kills during a write. On a slow machine, some kills precede the write.
STARTS = 20 * KILLS
#: In one load, or with a publication of each batch.
WRITERS = constant("damage", "writers")
#: Drops the derived graph and the name index, and rebuilds them, in an endless loop.
REBUILDING = constant("programs", "damage_rebuilding")
#: Makes one backup after another.
BACKING_UP = constant("programs", "damage_backing_up")


@pytest.mark.slow
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
            assert (store.lost, store.marked) == (0, [])
            last = expected.index(quads(store))
            store.rebuild()
        assert last in {finished, finished + 1}
        assert kit.read(folder) == expected[last]
        assert len(kit.snapshots(folder)) <= 2
        if last == BATCHES or (last and unfinished >= KILLS):
            break
    assert last > 0
    assert unfinished


@pytest.mark.slow
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


@pytest.mark.slow
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
