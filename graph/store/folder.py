"""The folder of an embedded store: the writer's data, published snapshots, and files left by a killed process.

    store.json      marks the folder as a store, with its layout
    data/           the engine's files; only the one writing process opens them
    snapshots/N/    hard-linked, immutable copies for readers
    current         a link to the newest snapshot, switched atomically
    tables.json     checksums of the tables that the engine merged after they were published (published.py)
    names.sqlite    the index of names (graph/store/names.py); each snapshot has a copy
    unpublished     exists while a process writes; it remains if the writer is killed or meets an error
    build.json      the build that the store was made from (loaders/builds.py)
    publication.sqlite   the records served by OAI-PMH (graph/publication.py)
    quarantine/     refused records (graph/quarantine.py)
    harvest/        states of harvests (loaders/harvest); each snapshot has a copy (published.py)

Readers open only ``current``: they neither wait for a writer nor see a partial write (docs/decisions/0005).
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pyoxigraph as ox

from graph.errors import NotAStore, StoreDamaged, StoreMissing
from graph.store.caching import Snapshot
from graph.store.embedded import Store
from graph.store.journal import sync_to_disk
from graph.store.names import NAMES, NameIndex

#: The sub-folder of refused records.
QUARANTINE = "quarantine"

#: The file that marks a folder as a store.
MARKER = "store.json"
NEW_MARKER = MARKER + ".new"
#: The file of a store made by `vigente demo`.
DEMO = "demo"
#: The layout of folders.
LAYOUT = 3
#: The engine's files, for the one writing process.
DATA = "data"
#: The published snapshots.
SNAPSHOTS = "snapshots"
#: The link to the snapshot for readers.
CURRENT = "current"


def open_for_reading(path: str | Path) -> Store:
    """Open the last published state of the store in a folder; never blocks and never writes.

    Raises:
        StoreMissing: the folder does not exist.
        NotAStore: it is not a store, or has an unsupported layout.
        StoreDamaged: the engine cannot open the snapshot.
    """
    folder = Path(path)
    while True:
        snapshot = _published(folder)
        try:
            return open_snapshot(snapshot, folder)
        except StoreDamaged:
            if _published(folder) == snapshot:  # else it was replaced and removed since its name was read
                raise


def open_snapshot(snapshot: Path, folder: Path | None = None) -> Store:
    """Open one published state, by the folder of its snapshot.

    Args:
        snapshot: the snapshot.
        folder: the store that the snapshot belongs to; default the store that contains it.

    Raises:
        StoreDamaged: the engine cannot open it.
    """
    store_folder = folder or snapshot.parent.parent
    try:
        engine = ox.Store.read_only(str(snapshot))
    except (OSError, RuntimeError) as error:
        raise StoreDamaged(f"the snapshot of {store_folder} cannot be opened: {error}") from None
    return Snapshot(engine, store_folder, NameIndex(snapshot / NAMES, immutable=True))


def _published(folder: Path) -> Path:
    check_marker(folder)
    snapshot = folder / CURRENT
    if not snapshot.exists():
        raise StoreDamaged(
            f"{folder} has no published snapshot: its creation was interrupted; run `vigente load` to complete it"
        )
    return snapshot.resolve()


@contextmanager
def holding(path: str | Path) -> Iterator[Path]:
    """Yield the folder of the last published snapshot. No writer removes it until the block ends.

    Nothing is written. The snapshot has a shared lock, which ends with the process at the latest.

    Raises:
        StoreMissing, NotAStore, StoreDamaged: as for reading.
    """
    folder = Path(path)
    seen: Path | None = None
    while True:
        snapshot = _published(folder)
        if snapshot == seen:  # no writer has replaced it
            raise StoreDamaged(
                f"{folder / CURRENT} leads to no snapshot: expected a folder of the engine's files with a file CURRENT "
                f"in it, found {snapshot}. `vigente rebuild` publishes the store again"
            )
        seen = snapshot
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


def has_endpoint(folder: Path) -> bool:
    """Return whether a folder belongs to an endpoint."""
    return "endpoint" in read_marker(folder)


def read_marker(folder: Path) -> Mapping[str, object]:
    """Return the content of the folder's marker; empty if it cannot be read, which opening the store reports."""
    try:
        data = json.loads((folder / MARKER).read_bytes())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


@contextmanager
def try_exclusive_lock(path: Path) -> Iterator[bool]:
    """Lock a file or folder for the block, if no other process has locked it; yield whether that succeeded.

    Raises:
        FileNotFoundError: it does not exist.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        except OSError:
            alone = False
        yield alone
    finally:
        os.close(handle)


def snapshots_of(folder: Path) -> list[Path]:
    """Return the published snapshots of a store, the oldest first."""
    paths = [path for path in (folder / SNAPSHOTS).iterdir() if path.name.isdigit()]
    return sorted(paths, key=lambda path: int(path.name))


def next_snapshot(folder: Path) -> Path:
    """Return the place of the next snapshot, which does not exist yet."""
    before = snapshots_of(folder)
    return folder / SNAPSHOTS / str(int(before[-1].name) + 1 if before else 1)


def switch_to(snapshot: Path) -> None:
    """Publish a snapshot of a store, whose files are complete, in one step.

    Raises:
        OSError: the link cannot be written.
    """
    folder = snapshot.parent.parent
    link = folder / f"{CURRENT}.new"
    link.unlink(missing_ok=True)
    link.symlink_to(Path(SNAPSHOTS) / snapshot.name)
    sync_to_disk(folder / SNAPSHOTS)
    link.replace(folder / CURRENT)


def remove_other_snapshots(folder: Path, kept: Container[str], locked: str = "") -> None:
    """Remove the snapshots of a store that no process has open, but for those with the given names.

    Args:
        locked: the file in a snapshot that a reader locks; the snapshot itself by default.
    """
    for old in snapshots_of(folder):
        if old.name not in kept:
            with suppress(FileNotFoundError), try_exclusive_lock(old / locked) as alone:
                if alone:
                    shutil.rmtree(old, ignore_errors=True)


def is_free(folder: Path) -> bool:
    """Return whether a folder does not exist or is empty, except for files of an interrupted creation."""
    if not folder.exists():
        return True
    return folder.is_dir() and {entry.name for entry in folder.iterdir()} <= {NEW_MARKER}


def check_marker(folder: Path) -> None:
    """Check that the folder is a store with a supported layout, and its graph in the folder.

    Raises:
        StoreMissing, NotAStore, StoreDamaged: as for reading.
    """
    if is_free(folder):
        raise StoreMissing(f"there is no store at {folder}; `vigente load` or `vigente demo` makes one")
    marker = folder / MARKER
    if not marker.is_file():
        raise NotAStore(f"{folder} is not a store of Vigente: expected a folder with {MARKER} in it")
    try:
        data = json.loads(marker.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreDamaged(f"{marker} cannot be read: {error}") from None
    if not isinstance(data, dict) or data.get("application") != "vigente":
        raise NotAStore(f"{folder} is not a store of Vigente: {MARKER} was not written by Vigente")
    if "endpoint" in data:
        raise NotAStore(f"the graph of {folder} is behind an endpoint: expected a store with its graph in the folder")
    if data.get("layout") != LAYOUT:
        raise NotAStore(
            f"{folder} has layout {data.get('layout')!r}, this version of Vigente supports layout {LAYOUT}; load the "
            "sources into a new store"
        )
