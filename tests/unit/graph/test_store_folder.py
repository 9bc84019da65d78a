"""Tests of the folder of a store: which folders are accepted, locks, snapshots, and the errors for damaged files."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.errors import NotAStore, StoreDamaged, StoreLocked, StoreMissing, StoreProblem
from graph.store import holding, open_for_writing
from graph.store import open as open_for_reading
from tests.support.cases import constant
from tests.support.records import quads, record

ROOT = Path(__file__).resolve().parents[3]
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
HOLDER = """
import sys, time
from graph.store import open_for_writing
with open_for_writing(sys.argv[1]) as store:
    print("held", flush=True)
    sys.stdin.read()
"""
INTERRUPTED = constant("programs", "store_folder_interrupted")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a store with one record."""
    path = tmp_path / "a store"
    with open_for_writing(path, create=True) as store:
        store.apply([record(FIRST)])
    return path


@pytest.fixture
def amend(folder: Path) -> Callable[..., None]:
    """Return a function that loads another version of the norm."""

    def load(year: int = 2002) -> None:
        with open_for_writing(folder) as store:
            store.apply([record(f"{LAW}@{year}-01-01;alteracao;2001-12-01")])

    return load


def snapshots(folder: Path) -> list[str]:
    return sorted((entry.name for entry in (folder / "snapshots").iterdir()), key=int)


# Creation


@pytest.mark.parametrize("there", [False, True])
def test_store_is_created_where_nothing_exists(there: bool, tmp_path: Path) -> None:
    path = tmp_path / "one" / "two"
    if there:
        path.mkdir(parents=True)
    with open_for_writing(path, create=True) as store:
        assert store.path == path
        assert store.is_empty
    assert json.loads((path / "store.json").read_text("utf-8")) == {"application": "vigente", "layout": 3}
    with open_for_reading(path) as store:
        assert store.is_empty
    entries = "current data names.sqlite quarantine snapshots store.json tables.json"
    assert sorted(entry.name for entry in path.iterdir()) == entries.split()


@pytest.mark.parametrize("left", [[], ["store.json.new"]])
def test_interrupted_creation_is_restarted(left: list[str], tmp_path: Path) -> None:
    for name in left:
        (tmp_path / name).write_text("{", "utf-8")
    with open_for_writing(tmp_path, create=True):
        pass
    assert (tmp_path / "store.json").is_file()


def test_store_with_only_a_marker_is_repaired(tmp_path: Path) -> None:
    (tmp_path / "store.json").write_text('{"application": "vigente", "layout": 3}', "utf-8")
    message = f"{tmp_path} has no published snapshot: its creation was interrupted; run `vigente load` to complete it"
    with pytest.raises(StoreDamaged) as refused:
        open_for_reading(tmp_path)
    assert str(refused.value) == message
    with open_for_writing(tmp_path):
        pass
    with open_for_reading(tmp_path) as store:
        assert store.is_empty


def test_store_is_not_created_unless_requested(tmp_path: Path) -> None:
    path = tmp_path / "none"
    message = f"there is no store at {path}; `vigente load` or `vigente demo` makes one"
    with pytest.raises(StoreMissing) as refused, open_for_writing(path):
        pass
    assert str(refused.value) == message
    with pytest.raises(StoreMissing) as refused:
        open_for_reading(path)
    assert str(refused.value) == message
    assert not path.exists()


def test_store_cannot_be_created_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "store"
    with pytest.raises(StoreMissing) as refused, open_for_writing(path, create=True):
        pass
    assert str(refused.value) == f"no store can be created at {path}: Not a directory"


# Folders that are not stores


FOREIGN = "{path} is not a store of Vigente: store.json was not written by Vigente"
NO_FOLDER = "{path} is not a store of Vigente: expected a folder with store.json in it"
LAYOUT = "{path} has layout %s, this version of Vigente supports layout 3; load the sources into a new store"
NO_JSON = "{path}/store.json cannot be read: Expecting value: line 1 column 17 (char 16)"
NO_UTF_8 = "{path}/store.json cannot be read: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"


@pytest.mark.parametrize(
    ("file", "content", "error", "message"),
    [
        ("", b"", NotAStore, NO_FOLDER),
        ("letter.txt", b"", NotAStore, NO_FOLDER),
        ("store.json", b'{"application": "another", "layout": 4}', NotAStore, FOREIGN),
        ("store.json", b"[1]", NotAStore, FOREIGN),
        ("store.json", b'{"application": "vigente", "layout": 4}', NotAStore, LAYOUT % 4),
        ("store.json", b'{"application": "vigente"}', NotAStore, LAYOUT % None),
        ("store.json", b'{"application": ', StoreDamaged, NO_JSON),
        ("store.json", b"\xff", StoreDamaged, NO_UTF_8),
    ],
)
def test_folder_that_is_not_a_store_is_refused_and_unchanged(
    file: str, content: bytes, error: type[StoreProblem], message: str, tmp_path: Path
) -> None:
    """Check a file (without a name below it), and folders with another file or a marker that is not Vigente's."""
    path = tmp_path / "it"
    if file:
        path.mkdir()
    (path / file if file else path).write_bytes(content)
    before = sorted(path.rglob("*"))
    for create in (False, True):
        with pytest.raises(error) as refused, open_for_writing(path, create=create):
            pass
        assert str(refused.value) == message.format(path=path)
    with pytest.raises(error) as refused:
        open_for_reading(path)
    assert str(refused.value) == message.format(path=path)
    assert sorted(path.rglob("*")) == before


# Writers and readers


def test_second_writer_is_refused_while_readers_continue(folder: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreLocked) as refused, open_for_writing(folder):
            pass
        assert str(refused.value) == f"{folder} is being written by another process; wait for it, or stop it"
        with open_for_reading(folder) as store:
            assert not store.is_empty
    finally:
        holder.stdin.close()
        assert holder.wait(30) == 0
        holder.stdout.close()
    with open_for_writing(folder) as store:
        assert not store.is_empty


def test_one_process_cannot_open_two_writers(folder: Path) -> None:
    with open_for_writing(folder), pytest.raises(StoreLocked), open_for_writing(folder):
        pass


def test_readers_see_a_load_after_publication_also_if_it_ends_by_an_error(folder: Path) -> None:
    second, third = (record(f"{LAW}@200{n}-01-01;alteracao;2001-12-01") for n in (2, 3))
    with open_for_writing(folder) as store:
        store.apply([second])
        with open_for_reading(folder) as reader:
            assert len(reader) < len(store)
    with open_for_reading(folder) as after:
        size = len(after)

    def load_and_stop() -> None:
        with open_for_writing(folder) as store:
            store.apply([third])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_and_stop()
    with open_for_reading(folder) as after, open_for_writing(folder) as store:
        assert size < len(after) == len(store)
        assert not after.names.full_text.is_stale
    assert not (folder / "unpublished").exists()


def test_sigint_is_deferred_until_a_snapshot_is_published(folder: Path) -> None:
    """Check Ctrl-C during publishing: the snapshot is complete, so that readers need not wait for the next writer."""
    before = (folder / "current").resolve()
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(folder)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.stdout.split("\n"), ended.stderr) == (["went on", "heard", ""], "")
    assert (folder / "current").resolve() != before
    assert not (folder / "unpublished").exists()
    with open_for_reading(folder) as after:
        assert not after.names.full_text.is_stale


def test_opening_without_writing_publishes_nothing(folder: Path) -> None:
    before = snapshots(folder)
    with open_for_writing(folder) as store:
        assert not store.changed
    assert snapshots(folder) == before
    with open_for_writing(folder) as store:
        store.rebuild()
    assert snapshots(folder) == before


def test_two_snapshots_are_kept_for_existing_readers(folder: Path, amend: Callable[..., None]) -> None:
    reader = open_for_reading(folder)
    before = quads(reader)
    for year in range(2002, 2005):
        amend(year)
        assert (folder / "current").resolve().name == snapshots(folder)[-1]
        assert len(snapshots(folder)) == 2
    assert quads(reader) == before
    with open_for_reading(folder) as newest:
        assert quads(newest) > before
        assert len(newest) > len(reader)


def test_compaction_keeps_the_content_in_fewer_files(folder: Path, amend: Callable[..., None]) -> None:
    for year in range(2002, 2008):
        amend(year)
    with open_for_reading(folder) as before, open_for_writing(folder) as store:
        content, files = quads(before), len(list((folder / "current").glob("*.sst")))
        store.optimize()
    with open_for_reading(folder) as after:
        assert quads(after) == content
    assert len(list((folder / "current").glob("*.sst"))) < files


def test_unused_snapshot_does_not_evict_the_one_being_read(folder: Path, amend: Callable[..., None]) -> None:
    current = (folder / "current").resolve().name
    (folder / "snapshots" / "900").mkdir()
    amend()
    assert snapshots(folder) == [current, "901"]


def test_killed_writers_batch_of_equal_size_is_published(folder: Path) -> None:
    """Check a replacement with the same number of quads: only the dirty flag shows that it was not published."""
    program = """
import os, pickle, sys
from graph.store import open_for_writing
with open_for_writing(sys.argv[1]) as store:
    store.apply(pickle.loads(sys.stdin.buffer.read()))
    os.kill(os.getpid(), 9)
"""
    other = record(f"{LAW}@2001-03-07;publicacao;2001-03-07", key=FIRST)
    with open_for_reading(folder) as reader:
        before = quads(reader)
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], cwd=ROOT, input=pickle.dumps([other]), check=False
    )
    assert done.returncode == -9
    with open_for_reading(folder) as reader:
        assert quads(reader) == before
    with open_for_writing(folder):
        pass
    with open_for_reading(folder) as reader:
        assert len(reader) == len(before)
        assert quads(reader) != before


# Damage


def test_damaged_snapshot_is_reported(folder: Path) -> None:
    current = (folder / "current").resolve() / "CURRENT"
    current.write_text("rubbish", "utf-8")
    with pytest.raises(StoreDamaged) as refused:
        open_for_reading(folder)
    assert str(refused.value) == (
        f"the snapshot of {folder} cannot be opened: Corruption: CURRENT file does not end with newline"
    )


def test_damaged_data_is_reported_and_not_as_a_lock(folder: Path) -> None:
    folder = folder.rename(folder.with_name("lock hold"))
    (folder / "data" / "CURRENT").write_text("rubbish", "utf-8")
    with pytest.raises(StoreDamaged) as refused, open_for_writing(folder):
        pass
    assert str(refused.value) == (
        f"the data of {folder} cannot be opened: Corruption: CURRENT file does not end with newline. The "
        "published snapshot is unchanged. Restore a backup (`vigente restore`), or load the sources again"
    )
    with open_for_reading(folder) as store:
        assert not store.is_empty


def test_missing_snapshot_is_reported_and_recreated(folder: Path) -> None:
    (folder / "current").unlink()
    (folder / "current").symlink_to("snapshots/77")
    with pytest.raises(StoreDamaged, match=r"has no published snapshot"):
        open_for_reading(folder)
    with open_for_writing(folder):
        pass
    with open_for_reading(folder) as store:
        assert not store.is_empty


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_marker_is_reported(folder: Path) -> None:
    (folder / "store.json").chmod(0)
    with pytest.raises(StoreDamaged, match=r"store\.json cannot be read: .*Permission denied"):
        open_for_reading(folder)


@pytest.mark.parametrize("lost", ["data", "data/CURRENT"])
def test_missing_data_never_replaces_the_published_snapshot(lost: str, folder: Path) -> None:
    with open_for_reading(folder) as published:
        size = len(published)
    shutil.rmtree(folder / lost) if lost == "data" else (folder / lost).unlink()
    for _ in range(2):
        with pytest.raises(StoreDamaged) as raised, open_for_writing(folder, create=True):
            pytest.fail("opened")
        assert str(raised.value) == (
            f"the data of {folder} is gone or damaged; the published snapshot can still be read. To continue from it, "
            f"copy {folder / 'current'} to {folder / 'data'}"
        )
    with open_for_reading(folder) as published:
        assert len(published) == size
    shutil.rmtree(folder / "data", ignore_errors=True)
    shutil.copytree(folder / "current", folder / "data")
    with open_for_writing(folder) as store:
        assert len(store) == size


@pytest.mark.parametrize("kind", ["an empty folder", "a link to an empty folder", "a snapshot without CURRENT"])
def test_invalid_current_link_is_reported_without_waiting(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    current = folder / "current"
    snapshot = current.resolve()
    if kind == "a snapshot without CURRENT":
        (snapshot / "CURRENT").unlink()
    else:
        current.unlink()
        made = current if kind == "an empty folder" else tmp_path / "elsewhere"
        made.mkdir()
        if made != current:
            current.symlink_to(made)
    with pytest.raises(StoreDamaged, match="leads to no snapshot"), holding(folder):
        pass
