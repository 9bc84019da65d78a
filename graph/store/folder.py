"""The folder of an embedded store: one writer's data, published snapshots, and what a killed process left behind.

    store.json      says that the folder is ours, and in which layout
    data/           the engine's files; only the one writing process opens them
    snapshots/N/    hard-linked, immutable copies for readers
    current         a link to the newest snapshot, switched atomically
    quarantine/     refused records (graph/quarantine.py)

Readers open nothing but ``current``: they neither wait for a writer nor see half of its work (docs/decisions/0005).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox

from graph.errors import NotAStore, StoreDamaged, StoreLocked, StoreMissing
from graph.store.embedded import Store, WritableStore

__all__ = ["QUARANTINE", "open_for_reading", "open_for_writing"]

#: The sub-folder of refused records.
QUARANTINE = "quarantine"

_MARKER = "store.json"
_LAYOUT = 1
_DATA = "data"
_SNAPSHOTS = "snapshots"
_CURRENT = "current"
_KEPT_SNAPSHOTS = 2


def open_for_reading(path: str | Path) -> Store:
    """The last published state of the store in that folder; never blocks and never writes.

    Raises:
        StoreMissing: nothing is there.
        NotAStore: something else is there.
        StoreDamaged: the engine cannot open the snapshot.
    """
    folder = Path(path)
    _check(folder)
    snapshot = folder / _CURRENT
    if not snapshot.exists():
        raise StoreDamaged(
            f"{folder} has no published snapshot: its creation was cut short; run `vigente load` to mend it"
        )
    try:
        engine = ox.Store.read_only(str(snapshot.resolve()))
    except (OSError, RuntimeError) as error:
        raise StoreDamaged(f"the snapshot of {folder} cannot be opened: {error}") from None
    return Store(engine, folder)


@contextmanager
def open_for_writing(path: str | Path, *, create: bool = False) -> Iterator[WritableStore]:
    """The store in that folder, for the one process that may write it; publishes a snapshot at the end.

    What a killed process left marked is derived first. The snapshot is published also when the block raises: every
    finished batch counts.

    Args:
        path: the folder.
        create: make a store where there is nothing, or an empty folder.

    Raises:
        StoreMissing, NotAStore, StoreDamaged: as for reading.
        StoreLocked: another process is writing.
    """
    folder = Path(path)
    if create and (not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))):
        _create(folder)
    _check(folder)
    store = WritableStore(_engine(folder), folder)
    try:
        if store.finish() or not (folder / _CURRENT).exists() or _stale(store, folder):
            _publish(store, folder)
        yield store
    finally:
        if store.changed:
            _publish(store, folder)
        store.close()


def _create(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _SNAPSHOTS).mkdir()
        (folder / QUARANTINE).mkdir()
        marker = folder / (_MARKER + ".new")
        marker.write_text(json.dumps({"application": "vigente", "layout": _LAYOUT}) + "\n", encoding="utf-8")
        marker.replace(folder / _MARKER)
    except OSError as error:
        raise StoreMissing(f"no store can be made at {folder}: {error.strerror or error}") from None


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
    try:
        return ox.Store(str(folder / _DATA))
    except (OSError, RuntimeError) as error:
        if "lock" in str(error).lower():
            raise StoreLocked(f"{folder} is being written by another process; wait for it, or stop it") from None
        raise StoreDamaged(f"the data of {folder} cannot be opened: {error}") from None


def _snapshots(folder: Path) -> list[Path]:
    """Published snapshots, the oldest first."""
    found = [p for p in (folder / _SNAPSHOTS).iterdir() if p.name.isdigit()]
    return sorted(found, key=lambda p: int(p.name))


def _stale(store: WritableStore, folder: Path) -> bool:
    """Whether a killed process finished batches that it did not publish."""
    try:
        published = ox.Store.read_only(str((folder / _CURRENT).resolve()))
    except (OSError, RuntimeError):
        return True
    return len(published) != len(store)


def _publish(store: WritableStore, folder: Path) -> None:
    """Make what is written visible to readers, in one step; keep the snapshot that readers may still have open."""
    store.flush()
    before = _snapshots(folder)
    number = int(before[-1].name) + 1 if before else 1
    target = folder / _SNAPSHOTS / str(number)
    try:
        store.engine.backup(str(target))
        link = folder / (_CURRENT + ".new")
        link.unlink(missing_ok=True)
        link.symlink_to(Path(_SNAPSHOTS) / target.name)
        link.replace(folder / _CURRENT)
    except (OSError, RuntimeError) as error:
        raise StoreDamaged(f"the snapshot {target} cannot be published: {error}") from None
    for old in _snapshots(folder)[:-_KEPT_SNAPSHOTS]:
        shutil.rmtree(old, ignore_errors=True)
