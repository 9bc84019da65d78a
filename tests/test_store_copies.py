"""Copies of the index for readers, made of older ones: always what the index is, and never of one that is read."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Record, Text
from graph.errors import StoreDamaged
from graph.store import copies, open_for_writing, open_snapshot
from graph.store import open as open_for_reading
from graph.store.copies import COPIES, alone_with
from graph.store.names import NAMES

Make = Callable[..., Record]

ROOT = Path(__file__).resolve().parents[1]


def law(number: int) -> str:
    return f"urn:lex:br:federal:lei:2001-03-05;{99901 + number}"


def titled(record: Make, number: int, title: str) -> Record:
    return record(f"{law(number)}@2001-04-01;publicacao;2001-03-06", key=str(number), epigraphs=[Text(title)])


@pytest.fixture
def folder(tmp_path: Path, record: Make) -> Path:
    """A store that was published three times."""
    path = tmp_path / "store"
    for title in ("primeira", "segunda"):
        publish(path, [titled(record, number, title) for number in range(30)])
    return path


def publish(folder: Path, records: list[Record]) -> None:
    with open_for_writing(folder, create=True) as store:
        store.apply(records)


def is_copied(folder: Path) -> bool:
    """Whether readers have the index as it is, byte for byte."""
    assert not (folder / f"{NAMES}-wal").exists()
    return (folder / "current" / NAMES).read_bytes() == (folder / NAMES).read_bytes()


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """What was copied whole."""
    copied: list[Path] = []
    really = shutil.copyfile

    def copy(source: Path, target: Path, *, follow_symlinks: bool = True) -> Path:
        copied.append(target)
        return really(source, target, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(shutil, "copyfile", copy)
    return copied


def test_a_copy_is_made_of_the_one_before_the_last(folder: Path, record: Make, whole: list[Path]) -> None:
    for number in range(4):
        old = sorted((folder / "snapshots").iterdir())[0] / NAMES
        before = old.stat().st_ino
        publish(folder, [titled(record, number, f"terceira {number}")])
        assert (folder / "current" / NAMES).stat().st_ino == before
        assert is_copied(folder)
        assert not old.exists()
    assert whole == []
    with open_for_reading(folder) as store:
        assert [found.texts[0] for found in store.names.worded("terceira", 9)] == [f"terceira {n}" for n in range(4)]


@settings(max_examples=12)
@given(batches=st.lists(st.dictionaries(st.integers(0, 80), st.text("abc ", min_size=1, max_size=900)), max_size=6))
def test_whatever_changes_the_copy_is_the_index(
    batches: list[dict[int, str]], record: Make, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("copies") / "store"
    for batch in batches:
        publish(path, [titled(record, number, title) for number, title in batch.items()])
        assert is_copied(path)


def test_a_copy_that_is_read_stays_as_it_is(folder: Path, record: Make, whole: list[Path]) -> None:
    with ExitStack() as stack:
        for number in range(4):
            snapshot = (folder / "current").resolve()
            reader = stack.enter_context(open_snapshot(snapshot))
            file = (snapshot / NAMES).open("rb")
            stack.enter_context(file)
            before = file.read(), list(reader.names)
            for turn in range(3):
                publish(folder, [titled(record, number, f"leitura {number} {turn}")])
                assert is_copied(folder)
            file.seek(0)
            assert (file.read(), list(reader.names)) == before
        assert len(whole) == 4
    for turn in range(3):
        publish(folder, [titled(record, 1, f"depois {turn}")])
        assert is_copied(folder)
    assert len(whole) == 4


@pytest.fixture
def spared(tmp_path: Path, record: Make, whole: list[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store whose first copy of an index that is worth it has a spare one beside it, the last that was made whole."""
    monkeypatch.setattr(copies, "_WORTH_SPARING", 0)
    path = tmp_path / "store"
    publish(path, [])
    _not_told(path)
    publish(path, [titled(record, number, "primeira") for number in range(30)])
    assert whole[-1] == path / "snapshots" / "spare" / NAMES
    whole.clear()
    return path


def test_of_a_first_copy_there_is_a_spare_one(spared: Path, record: Make, whole: list[Path]) -> None:
    path, spare = spared, spared / "snapshots" / "spare" / NAMES
    assert spare.read_bytes() == (path / NAMES).read_bytes()
    published = (path / "current" / NAMES).stat().st_ino
    inode = spare.stat().st_ino
    for turn, kept in enumerate((inode, published, inode)):
        publish(path, [titled(record, turn, f"mudada {turn}")])
        assert (path / "current" / NAMES).stat().st_ino == kept
        assert is_copied(path)
        assert not spare.parent.exists()
    assert whole == []


def _touched(spare: Path) -> None:
    spare.touch()


def _gone(spare: Path) -> None:
    shutil.rmtree(spare.parent)


def _cut_short(spare: Path) -> None:
    """As one that was killed before it told of it leaves it."""
    said = json.loads((spare.parents[2] / COPIES).read_text("ascii"))
    (spare.parents[2] / COPIES).write_text(json.dumps([*said[:3], None, []]), encoding="ascii")
    spare.write_bytes(spare.read_bytes()[:100])


@pytest.mark.parametrize("befalls", [_touched, _gone, _cut_short])
def test_a_spare_copy_that_is_not_as_it_was_left_is_of_no_use(
    befalls: Callable[[Path], None], spared: Path, record: Make, whole: list[Path]
) -> None:
    befalls(spared / "snapshots" / "spare" / NAMES)
    for turn in range(3):
        publish(spared, [titled(record, 1, f"depois {turn}")])
        assert is_copied(spared)
    assert len(whole) == 1
    assert len(list((spared / "snapshots").iterdir())) == 2


def test_a_small_index_has_no_spare_copy(folder: Path) -> None:
    assert not (folder / "snapshots" / "spare").exists()


def test_a_snapshot_whose_copy_is_taken_up_is_not_opened(folder: Path) -> None:
    snapshot = (folder / "current").resolve()
    with alone_with(snapshot / NAMES) as alone:
        assert alone
        with pytest.raises(StoreDamaged, match="cannot be used"):
            open_for_reading(folder)
    with open_for_reading(folder), alone_with(snapshot / NAMES) as alone:
        assert not alone
    with alone_with(snapshot / NAMES) as alone:
        assert alone


def test_a_snapshot_kept_by_links_of_its_own_stays_as_it_is(folder: Path, record: Make, whole: list[Path]) -> None:
    """As docs/remote.md has it for readers on other machines."""
    snapshot = (folder / "current").resolve()
    kept = folder.with_name("sent")
    shutil.copytree(snapshot, kept, copy_function=os.link)
    before = (kept / NAMES).read_bytes()
    for turn in range(3):
        publish(folder, [titled(record, 1, f"depois {turn}")])
        assert is_copied(folder)
    assert (kept / NAMES).read_bytes() == before
    assert len(whole) == 1
    with open_snapshot(kept) as store:
        assert store.names.worded("segunda", 1)


def _another_program(folder: Path) -> None:
    with closing(sqlite3.connect(folder / NAMES)) as index, index:
        index.execute("INSERT INTO pending VALUES ('urn:x', 0, 1)")


def _elsewhere(folder: Path) -> None:
    shutil.copytree(folder, folder.with_name("other"), symlinks=True, copy_function=shutil.copy)
    shutil.rmtree(folder)
    folder.with_name("other").rename(folder)


def _not_told(folder: Path) -> None:
    (folder / COPIES).unlink()


def _nonsense(folder: Path) -> None:
    (folder / COPIES).write_text('["3", [1], null]', encoding="ascii")


def _of_another(folder: Path) -> None:
    said = json.loads((folder / COPIES).read_text("ascii"))
    (folder / COPIES).write_text(json.dumps(["99", *said[1:]]), encoding="ascii")


def _old_one_changed(folder: Path) -> None:
    before = json.loads((folder / COPIES).read_text("ascii"))[3][0]
    (folder / "snapshots" / before / NAMES).touch()


def _old_one_gone(folder: Path) -> None:
    before = json.loads((folder / COPIES).read_text("ascii"))[3][0]
    shutil.rmtree(folder / "snapshots" / before)


@pytest.mark.parametrize(
    "befalls",
    [_another_program, _elsewhere, _not_told, _nonsense, _of_another, _old_one_changed, _old_one_gone],
)
def test_where_anything_is_not_as_it_was_left_the_whole_is_copied(
    befalls: Callable[[Path], None], folder: Path, record: Make, whole: list[Path]
) -> None:
    befalls(folder)
    whole.clear()
    publish(folder, [titled(record, 3, "depois")])
    assert len(whole) == 1
    assert is_copied(folder)


#: Publishes a batch and is killed before the n-th call that may change the disk, whichever thread makes it (the index
#: is copied beside the hashing of the files); another process then looks, and publishes twice more. All of them come
#: of one process, which opens nothing.
KILLED = """
import itertools, os, pickle, signal, sys, threading
from graph.store import Store, copies, folder, open_for_writing
from graph.store import open as open_for_reading
path, batches = sys.argv[1], pickle.load(sys.stdin.buffer)
WRITES = {"fsync", "mkdir", "pwrite", "rename", "replace", "rmdir", "symlink", "truncate"}
copies._WORTH_SPARING = 0

def kill_at(last, anew, turn):
    calls = itertools.count()
    if anew and os.path.exists(f"{path}/copies.json"):
        os.unlink(f"{path}/copies.json")
    def on_call(frame, event, called):
        if event == "c_call" and called.__name__ in WRITES and next(calls) >= last:
            os.kill(os.getpid(), signal.SIGKILL)
    end = folder._end
    def watched(*arguments):
        threading.setprofile(on_call)
        sys.setprofile(on_call)
        end(*arguments)
        sys.setprofile(None)
        threading.setprofile(None)
    with open_for_writing(path) as store:
        store.apply(batches[turn % 2])  # other than what stands there
        folder._end = watched

def look(last):
    with open_for_reading(path) as store:
        assert list(store.names) == list(Store(store.engine, None).names)
    for batch in (2, 4):
        with open_for_writing(path) as store:
            store.apply(batches[batch + last % 2])
        with open_for_reading(path) as store:
            assert list(store.names) == list(Store(store.engine, None).names)
        assert open(f"{path}/names.sqlite", "rb").read() == open(f"{path}/current/names.sqlite", "rb").read()

def ended(what, *arguments):
    child = os.fork()
    if not child:
        try:
            what(*arguments)
            os._exit(0)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

turns = itertools.count()
for anew in (False, True):
    last = 0
    while (code := ended(kill_at, last, anew, next(turns))) == -signal.SIGKILL:
        assert ended(look, last) == 0, last
        last += 1
    assert code == 0 and os.path.exists(f"{path}/snapshots/spare") == anew and ended(look, last) == 0
    print(last)
"""


@pytest.mark.slow
def test_killed_before_any_call_that_writes_readers_have_a_whole_index(folder: Path, record: Make) -> None:
    given_ = pickle.dumps([[titled(record, one // 2, f"título {one}")] for one in range(6)])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, folder], cwd=ROOT, input=given_, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert all(int(calls) >= 12 for calls in done.stdout.split()), done.stdout
