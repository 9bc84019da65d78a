"""The folder of an embedded store: the writer's data, published snapshots, and files left by a killed process.

    store.json      marks the folder as a store, with its layout
    data/           the engine's files; only the one writing process opens them
    snapshots/N/    hard-linked, immutable copies for readers
    current         a link to the newest snapshot, switched atomically
    tables.json     checksums of the tables that the engine merged after they were published (published.py)
    names.sqlite    the index of names (graph/store/names.py); each snapshot has a copy
    unpublished     exists while a process writes; it remains if the writer is killed or meets an error
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
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from graph.errors import DAMAGE_ADVICE, NotAStore, StoreDamaged, StoreLocked, StoreMissing, hint_for
from graph.process import deferred_signals, map_large_blocks
from graph.quarantine import remove_released
from graph.store.caching import Snapshot
from graph.store.embedded import Store
from graph.store.journal import (
    JOURNAL,
    Journal,
    is_marked,
    mark,
    mark_failed,
    remove_bulk_load_files,
    state_left_by_writer,
    sync_to_disk,
    unmark,
)
from graph.store.names import NAMES, NameIndex, remove, stamp_of
from graph.store.published import (
    HARVEST,
    TABLES,
    PublishedSnapshot,
    changed_message,
    changed_tables,
    describe_tables,
    described_tables,
    is_truncated,
    read_published,
    restore_harvest_states,
    snapshot_files,
    write_description,
)

if TYPE_CHECKING:
    from graph.store.writable import WritableStore

#: The sub-folder of refused records.
QUARANTINE = "quarantine"

#: The file that marks a folder as a store.
MARKER = "store.json"
#: The file of a store made by `vigente demo`.
DEMO = "demo"
_NEW_MARKER = MARKER + ".new"
#: The layout of folders.
LAYOUT = 3
#: The engine's files, for the one writing process.
DATA = "data"
#: The published snapshots.
SNAPSHOTS = "snapshots"
# The engine's message if the files are in use, by another process or by this one.
_LOCK_WORDS = ("While lock file:", "lock hold by current process")
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
def open_for_writing(path: str | Path, *, create: bool = False) -> Iterator[WritableStore]:
    """Open the store in a folder for writing, which one process may do; publishes a snapshot at the end.

    If an earlier process was killed, its incomplete write is undone first (see the store's ``undone``), its marked
    works are derived, and its unpublished batches are published. The snapshot is also published if the block raises,
    because finished batches remain valid. After StoreDamaged it is not published: the next writer checks the data.

    Args:
        path: the folder.
        create: make a store if the folder is empty or does not exist.

    Raises:
        StoreMissing, NotAStore, StoreDamaged: as for reading.
        StoreLocked: another process is writing.
    """
    from graph.store.writable import WritableStore  # noqa: PLC0415 - slow to import; a reader does not need it

    folder = Path(path)
    if create and is_free(folder):
        _create(folder)
    check_marker(folder)
    map_large_blocks()
    _check_table_list(folder)
    engine = _engine(folder)
    _refuse_changed_tables(folder)
    swept = remove_bulk_load_files(folder, folder / DATA)
    for cut in (folder / SNAPSHOTS).glob("*.tmp"):  # incomplete copies of the engine from a killed process
        shutil.rmtree(cut, ignore_errors=True)
    _remove_old_logs(folder / DATA)
    _remove_obsolete_files(folder)
    store = WritableStore(engine, folder, NameIndex(folder / NAMES))
    del engine  # only the store refers to it, so that closing the store closes the files
    try:
        store.finish_load(Journal(folder / JOURNAL))
        store.left = state_left_by_writer(folder, swept)
        unpublished = _prepare(folder)
        if store.left.failed:
            _check_readable(store, folder)
        if store.left.machine or not _is_published_index(folder):
            store.names.clear()
        if store.left.killed or store.left.failed:
            store.compare_with_index()
            if store.lost:
                restore_harvest_states(_last_published(folder), folder / HARVEST)
        if store.finish() or store.changed or unpublished:
            _publish(store, folder)
            store.changed = False
        remove_released(folder / QUARANTINE)
        mark(folder)
        try:
            yield store
        except StoreDamaged:  # a writer that met an error of the disk or the engine does not publish
            mark_failed(folder)
            raise
        except BaseException:
            _publish_and_close(store, folder)
            raise
        _publish_and_close(store, folder)
    finally:
        store.close()


def _remove_old_logs(data: Path) -> None:
    """Remove the log files of earlier openings except the last: the engine keeps up to a thousand of them."""
    for old in sorted(data.glob("LOG.old.*"))[:-1]:
        with suppress(OSError):
            old.unlink()


def _remove_obsolete_files(folder: Path) -> None:
    """Remove the files with which earlier releases copied the index of names.

    :class:`graph.store.names.NameIndex` rebuilds an index that had a part in such a file.
    """
    with suppress(OSError):
        (folder / "copies.json").unlink(missing_ok=True)
        remove(folder / "names-waiting.sqlite")
        shutil.rmtree(folder / SNAPSHOTS / "spare", ignore_errors=True)


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


def _is_published_index(folder: Path) -> bool:
    """Return whether the index of names is the one published last; True if the last writer did not finish.

    An index from a backup or another store would differ from the graph.
    """
    published = _last_published(folder)
    if is_marked(folder) or published is None or published.index is None:
        return True
    return stamp_of(folder / NAMES) == published.index


def _check_readable(store: WritableStore, folder: Path) -> None:
    """Check after an error that the data can be read, before they are published.

    Raises:
        StoreDamaged: they cannot be read.
    """
    try:
        store.check_readable()
    except StoreDamaged as error:
        raise StoreDamaged(f"the data of {folder} is damaged: {error}. {DAMAGE_ADVICE}") from None


def _publish_and_close(store: WritableStore, folder: Path) -> None:
    """Publish every finished batch, close the store, and describe the tables that no snapshot holds.

    SIGINT is deferred until this returns. Otherwise readers would see the batches only after the next write.
    """
    with deferred_signals():
        try:
            if store.changed:
                _publish(store, folder)
        except StoreDamaged:
            mark_failed(folder)
            raise
        unmark(folder)
        remove_released(folder / QUARANTINE)
        store.close()  # no table changes any more
        published = _last_published(folder)
        with suppress(OSError):  # without the description the next writer does not check these tables
            describe_tables(folder / TABLES, folder / DATA, {} if published is None else published.files)


def is_free(folder: Path) -> bool:
    """Return whether a folder does not exist or is empty, except for files of an interrupted creation."""
    if not folder.exists():
        return True
    return folder.is_dir() and {entry.name for entry in folder.iterdir()} <= {_NEW_MARKER}


def _create(folder: Path) -> None:
    try:
        Path(os.path.realpath(folder)).mkdir(parents=True, exist_ok=True)  # a link means its target
        marker = folder / _NEW_MARKER
        marker.write_text(json.dumps({"application": "vigente", "layout": LAYOUT}) + "\n", encoding="utf-8")
        marker.replace(folder / MARKER)
    except OSError as error:
        raise StoreMissing(f"no store can be created at {folder}: {error.strerror or error}") from None


def _prepare(folder: Path) -> bool:
    """Create the sub-folders that a new store lacks. Return whether the store must be published."""
    try:
        (folder / SNAPSHOTS).mkdir(exist_ok=True)
        (folder / QUARANTINE).mkdir(exist_ok=True)
    except OSError as error:
        raise StoreDamaged(f"{folder} cannot be written: {error.strerror or error}") from None
    return is_marked(folder) or _last_published(folder) is None


def _last_published(folder: Path) -> PublishedSnapshot | None:
    """Return the description of the last snapshot; None if it is missing or cannot be read."""
    try:
        return read_published(folder / CURRENT)
    except StoreDamaged:
        return None


def _check_table_list(folder: Path) -> None:
    """Raise StoreDamaged if the engine's list of tables is truncated: the engine would delete the unlisted tables."""
    published = _last_published(folder)
    try:
        cut = published is not None and is_truncated(published, folder / DATA)
    except OSError as error:
        raise StoreDamaged(f"the data of {folder} cannot be read: {error}") from None
    if cut:
        raise StoreDamaged(
            f"the data of {folder} is damaged: its list of tables is truncated or changed. {DAMAGE_ADVICE}"
        )


def _refuse_changed_tables(folder: Path) -> None:
    """Raise StoreDamaged if a table of the data differs from its published or last written state."""
    published = _last_published(folder)
    known = {**(published.files if published is not None else {}), **described_tables(folder / TABLES)}
    try:
        changed = changed_tables(known, folder / DATA)
    except OSError as error:
        raise StoreDamaged(f"the data of {folder} cannot be read: {error}") from None
    if changed:
        raise StoreDamaged(changed_message(folder / DATA, changed))
    (folder / TABLES).unlink(missing_ok=True)  # from now on the engine makes tables without a description


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


def _engine(folder: Path) -> ox.Store:
    """Open the engine on the data.

    If a snapshot was published and the data are missing, this raises: an empty engine would replace the snapshot.

    Raises:
        StoreLocked: another process is writing.
        StoreDamaged: the data are missing or cannot be opened.
    """
    if (folder / CURRENT).exists() and not (folder / DATA / "CURRENT").is_file():
        raise StoreDamaged(
            f"the data of {folder} is gone or damaged; the published snapshot can still be read. To continue from it, "
            f"copy {folder / CURRENT} to {folder / DATA}"
        )
    try:
        return ox.Store(str(folder / DATA))
    except (OSError, RuntimeError) as error:
        if any(words in str(error) for words in _LOCK_WORDS):
            raise StoreLocked(f"{folder} is being written by another process; wait for it, or stop it") from None
        if helps := hint_for(error):
            raise StoreDamaged(f"{folder} cannot be written: {error}{helps}") from None
        raise StoreDamaged(f"the data of {folder} cannot be opened: {error}. {DAMAGE_ADVICE}") from None


def _snapshots(folder: Path) -> list[Path]:
    """Return the published snapshots, the oldest first."""
    paths = [p for p in (folder / SNAPSHOTS).iterdir() if p.name.isdigit()]
    return sorted(paths, key=lambda p: int(p.name))


def _publish(store: WritableStore, folder: Path) -> None:
    """Publish the written data to readers in one step. Keep the previous snapshot."""
    store.finish()
    store.flush()
    before = _snapshots(folder)
    number = int(before[-1].name) + 1 if before else 1
    target = folder / SNAPSHOTS / str(number)
    kept = {target.name, (folder / CURRENT).resolve().name}
    try:
        assert isinstance(store.engine, ox.Store)  # noqa: S101 - it was opened here
        store.engine.backup(str(target))
        with ThreadPoolExecutor(1) as beside:
            copying = beside.submit(store.names.copy_to, target / NAMES)
            files = snapshot_files(target, _last_published(folder), folder / DATA)
            copying.result()
        write_description(target, folder / HARVEST, files)
        link = folder / (CURRENT + ".new")
        link.unlink(missing_ok=True)
        link.symlink_to(Path(SNAPSHOTS) / target.name)
        sync_to_disk(folder / SNAPSHOTS)
        link.replace(folder / CURRENT)
    except (OSError, RuntimeError, StoreDamaged) as error:
        shutil.rmtree(target, ignore_errors=True)  # no reader has opened it
        if isinstance(error, StoreDamaged):
            raise
        raise StoreDamaged(f"the snapshot {target} cannot be published: {error}{hint_for(error)}") from None
    for old in _snapshots(folder):
        if old.name not in kept:
            with suppress(FileNotFoundError), try_exclusive_lock(old) as alone:
                if alone:
                    shutil.rmtree(old, ignore_errors=True)
