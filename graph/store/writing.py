"""Opens the store in a folder for writing: recovery after a killed writer, and the publication of snapshots."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pyoxigraph as ox

from graph.errors import DAMAGE_ADVICE, StoreDamaged, StoreLocked, StoreMissing, hint_for
from graph.process import deferred_signals, map_large_blocks
from graph.quarantine import remove_released
from graph.store.folder import (
    CURRENT,
    DATA,
    LAYOUT,
    MARKER,
    NEW_MARKER,
    QUARANTINE,
    SNAPSHOTS,
    check_marker,
    is_free,
    next_snapshot,
    remove_other_snapshots,
    switch_to,
)
from graph.store.index_file import stamp_of
from graph.store.journal import (
    is_marked,
    mark,
    mark_failed,
    state_left_by_writer,
    unmark,
)
from graph.store.names import NAMES, NameIndex, is_readable
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
from graph.store.writable import WritableStore

# The engine's message if the files are in use, by another process or by this one.
_LOCK_WORDS = ("While lock file:", "lock hold by current process")


@contextmanager
def open_for_writing(path: str | Path, *, create: bool = False) -> Iterator[WritableStore]:
    """Open the store in a folder for writing, which one process may do; publishes a snapshot at the end.

    If an earlier process was killed, its marked works are derived first, and its unpublished batches are published. The
    snapshot is also published if the block raises, because finished batches remain valid. After StoreDamaged it is not
    published: the next writer checks the data.

    Args:
        path: the folder.
        create: make a store if the folder is empty or does not exist.

    Raises:
        StoreMissing, NotAStore, StoreDamaged: as for reading.
        StoreLocked: another process is writing.
    """
    folder = Path(path)
    if create and is_free(folder):
        _create(folder)
    check_marker(folder)
    map_large_blocks()
    _check_table_list(folder)
    engine = _engine(folder)
    _refuse_changed_tables(folder)
    for cut in (folder / SNAPSHOTS).glob("*.tmp"):  # incomplete copies of the engine from a killed process
        shutil.rmtree(cut, ignore_errors=True)
    _remove_old_logs(folder / DATA)
    store = WritableStore(engine, folder, NameIndex(folder / NAMES))
    del engine  # only the store refers to it, so that closing the store closes the files
    try:
        store.left = state_left_by_writer(folder)
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


def _create(folder: Path) -> None:
    try:
        Path(os.path.realpath(folder)).mkdir(parents=True, exist_ok=True)  # a link means its target
        marker = folder / NEW_MARKER
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
    return is_marked(folder) or _last_published(folder) is None or not is_readable(folder / CURRENT / NAMES)


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


def _publish(store: WritableStore, folder: Path) -> None:
    """Publish the written data to readers in one step. Keep the previous snapshot."""
    store.finish()
    store.flush()
    target = next_snapshot(folder)
    kept = {target.name, (folder / CURRENT).resolve().name}
    try:
        assert isinstance(store.engine, ox.Store)  # noqa: S101 - it was opened here
        store.engine.backup(str(target))
        with ThreadPoolExecutor(1) as beside:
            copying = beside.submit(store.names.copy_to, target / NAMES)
            files = snapshot_files(target, _last_published(folder), folder / DATA)
            copying.result()
        write_description(target, folder / HARVEST, files)
        switch_to(target)
    except (OSError, RuntimeError, StoreDamaged) as error:
        shutil.rmtree(target, ignore_errors=True)  # no reader has opened it
        if isinstance(error, StoreDamaged):
            raise
        raise StoreDamaged(f"the snapshot {target} cannot be published: {error}{hint_for(error)}") from None
    remove_other_snapshots(folder, kept)
