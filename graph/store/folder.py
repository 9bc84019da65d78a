"""The folder of an embedded store: one writer's data, published snapshots, and what a killed process left behind.

    store.json      says that the folder is ours, and in which layout
    data/           the engine's files; only the one writing process opens them
    snapshots/N/    hard-linked, immutable copies for readers
    current         a link to the newest snapshot, switched atomically
    names.sqlite    the index of names (graph/store/names.py); each snapshot has a copy
    unpublished     there while a process writes: found without one, it tells that the writer was killed
    journal.json    there while many records are written at once (graph/store/journal.py)
    quarantine/     refused records (graph/quarantine.py)

Readers open nothing but ``current``: they neither wait for a writer nor see half of its work (docs/decisions/0005).
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox

from graph.errors import NotAStore, StoreDamaged, StoreLocked, StoreMissing
from graph.store.embedded import Store
from graph.store.heap import one_heap
from graph.store.journal import JOURNAL, Journal, sweep
from graph.store.names import NAMES, NameIndex
from graph.store.writable import WritableStore

__all__ = ["CURRENT", "QUARANTINE", "holding", "open_for_reading", "open_for_writing", "open_snapshot"]

#: The sub-folder of refused records.
QUARANTINE = "quarantine"

_MARKER = "store.json"
_NEW_MARKER = _MARKER + ".new"
_LAYOUT = 3
_DATA = "data"
_SNAPSHOTS = "snapshots"
# What the engine says when the files are in use, by another process or by this one.
_LOCK_WORDS = ("While lock file:", "lock hold by current process")
#: The link to the snapshot that readers open.
CURRENT = "current"
_UNPUBLISHED = "unpublished"


def open_for_reading(path: str | Path) -> Store:
    """The last published state of the store in that folder; never blocks and never writes.

    Raises:
        StoreMissing: nothing is there.
        NotAStore: something else is there.
        StoreDamaged: the engine cannot open the snapshot.
    """
    folder = Path(path)
    return open_snapshot(_published(folder), folder)


def open_snapshot(snapshot: Path, folder: Path | None = None) -> Store:
    """One published state, by the folder of its snapshot.

    Args:
        snapshot: the snapshot.
        folder: the store that it is of; default the one that it lies in.

    Raises:
        StoreDamaged: the engine cannot open it.
    """
    whole = folder or snapshot.parent.parent
    try:
        engine = ox.Store.read_only(str(snapshot))
    except (OSError, RuntimeError) as error:
        raise StoreDamaged(f"the snapshot of {whole} cannot be opened: {error}") from None
    return Store(engine, whole, NameIndex(snapshot / NAMES, immutable=True))


def _published(folder: Path) -> Path:
    _check(folder)
    snapshot = folder / CURRENT
    if not snapshot.exists():
        raise StoreDamaged(
            f"{folder} has no published snapshot: its creation was cut short; run `vigente load` to mend it"
        )
    return snapshot.resolve()


@contextmanager
def holding(path: str | Path) -> Iterator[Path]:
    """The folder of the last published snapshot, which no writer removes until the block ends: for long reading.

    Nothing is written: the snapshot is locked for sharing, and the lock ends with the process at the latest.

    Raises:
        StoreMissing, NotAStore, StoreDamaged: as for reading.
    """
    folder = Path(path)
    while True:
        snapshot = _published(folder)
        try:
            handle = os.open(snapshot, os.O_RDONLY)
        except FileNotFoundError:  # replaced and removed since its name was read
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
            if (snapshot / "CURRENT").exists():
                yield snapshot
                return
        finally:
            os.close(handle)


def _is_held(snapshot: Path) -> bool:
    """Whether somebody reads a snapshot for long."""
    try:
        handle = os.open(snapshot, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


@contextmanager
def open_for_writing(path: str | Path, *, create: bool = False) -> Iterator[WritableStore]:
    """The store in that folder, for the one process that may write it; publishes a snapshot at the end.

    What a killed process had half written is undone first (the store's ``undone`` tells), what it left marked is
    derived, and what it left unpublished is published. The snapshot is published also when the block raises: every
    finished batch counts.

    Args:
        path: the folder.
        create: make a store where there is nothing, or an empty folder.

    Raises:
        StoreMissing, NotAStore, StoreDamaged: as for reading.
        StoreLocked: another process is writing.
    """
    folder = Path(path)
    if create and _is_free(folder):
        _create(folder)
    _check(folder)
    one_heap()
    engine = _engine(folder)
    sweep(folder, folder / _DATA)
    store = WritableStore(engine, folder, Journal(folder / JOURNAL), NameIndex(folder / NAMES))
    del engine  # the store alone holds it, so that closing the store closes the files
    try:
        unpublished = _prepare(folder)
        if _is_of_another_run(folder):
            store.names.clear()
        if store.finish() or store.changed or unpublished:
            _publish(store, folder)
            store.changed = False
        (folder / _UNPUBLISHED).write_text(_run_of_the_machine(), encoding="ascii")
        try:
            yield store
        finally:
            if store.changed:
                _publish(store, folder)
            (folder / _UNPUBLISHED).unlink(missing_ok=True)
    finally:
        store.close()


def _is_free(folder: Path) -> bool:
    """Whether nothing is there but what a creation that was cut short left behind."""
    if not folder.exists():
        return True
    return folder.is_dir() and {entry.name for entry in folder.iterdir()} <= {_NEW_MARKER}


def _create(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        marker = folder / _NEW_MARKER
        marker.write_text(json.dumps({"application": "vigente", "layout": _LAYOUT}) + "\n", encoding="utf-8")
        marker.replace(folder / _MARKER)
    except OSError as error:
        raise StoreMissing(f"no store can be made at {folder}: {error.strerror or error}") from None


def _prepare(folder: Path) -> bool:
    """Make what a young store lacks; whether there is anything that readers cannot see yet."""
    try:
        (folder / _SNAPSHOTS).mkdir(exist_ok=True)
        (folder / QUARANTINE).mkdir(exist_ok=True)
    except OSError as error:
        raise StoreDamaged(f"{folder} cannot be written: {error.strerror or error}") from None
    return (folder / _UNPUBLISHED).exists() or not (folder / CURRENT).exists()


def _is_of_another_run(folder: Path) -> bool:
    """Whether the machine itself went down under a writer: then nothing says that the index followed the graph."""
    try:
        said = (folder / _UNPUBLISHED).read_text("ascii")
    except FileNotFoundError:
        return False
    return not said or said != _run_of_the_machine()  # where the system doesn't say, nothing is sure either


def _run_of_the_machine() -> str:
    """What the system calls the time since it was started; nothing where it doesn't say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


def _check(folder: Path) -> None:
    """Whether the folder is a store of ours, in the layout that we know."""
    if not folder.exists():
        raise StoreMissing(f"there is no store at {folder}; `vigente load` or `vigente demo` makes one")
    marker = folder / _MARKER
    if not marker.is_file():
        raise NotAStore(f"{folder} is not a store of Vigente: expected a folder with {_MARKER} in it")
    try:
        said = json.loads(marker.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreDamaged(f"{marker} cannot be read: {error}") from None
    if not isinstance(said, dict) or said.get("application") != "vigente":
        raise NotAStore(f"{folder} is not a store of Vigente: {_MARKER} says something else")
    if said.get("layout") != _LAYOUT:
        raise NotAStore(
            f"{folder} has layout {said.get('layout')!r}, this version of Vigente knows layout {_LAYOUT}; load it anew"
        )


def _engine(folder: Path) -> ox.Store:
    """The engine on the data; never on an empty folder where something was published, which it would replace."""
    if (folder / CURRENT).exists() and not (folder / _DATA / "CURRENT").is_file():
        raise StoreDamaged(
            f"the data of {folder} is gone or damaged; what was published still answers. To go on from there: "
            f"copy {folder / CURRENT} to {folder / _DATA}"
        )
    try:
        return ox.Store(str(folder / _DATA))
    except (OSError, RuntimeError) as error:
        if any(words in str(error) for words in _LOCK_WORDS):
            raise StoreLocked(f"{folder} is being written by another process; wait for it, or stop it") from None
        raise StoreDamaged(f"the data of {folder} cannot be opened: {error}") from None


def _snapshots(folder: Path) -> list[Path]:
    """Published snapshots, the oldest first."""
    found = [p for p in (folder / _SNAPSHOTS).iterdir() if p.name.isdigit()]
    return sorted(found, key=lambda p: int(p.name))


def _publish(store: WritableStore, folder: Path) -> None:
    """Make what is written visible to readers, in one step; keep the snapshot that readers had until now."""
    store.finish()
    store.flush()
    before = _snapshots(folder)
    number = int(before[-1].name) + 1 if before else 1
    target = folder / _SNAPSHOTS / str(number)
    kept = {target.name, (folder / CURRENT).resolve().name}
    try:
        store.engine.backup(str(target))
        store.names.copy_to(target / NAMES)
        link = folder / (CURRENT + ".new")
        link.unlink(missing_ok=True)
        link.symlink_to(Path(_SNAPSHOTS) / target.name)
        link.replace(folder / CURRENT)
    except (OSError, RuntimeError) as error:
        raise StoreDamaged(f"the snapshot {target} cannot be published: {error}") from None
    for old in _snapshots(folder):
        if old.name not in kept and not _is_held(old):
            shutil.rmtree(old, ignore_errors=True)
