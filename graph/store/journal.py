"""Recovery of a writer: the result of a batch, the dirty flag, and the journal of a bulk load of an earlier release.

The operations of a journal can be run twice. The next writer runs all operations of a journal that it finds
(docs/decisions/0007). If a bulk load did not end, its graphs are dropped.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from graph.errors import StoreDamaged, unwritable_store_error
from graph.terms import iri

# The result of a batch of records, and the end of the previous writer.


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result of writing a batch: each record is counted once.

    Attributes:
        loaded: records that were written.
        unchanged: records that are equal to the stored ones.
        deleted: tombstones that were written.
        older: records and deletions from files that were ignored, because the stored record has a later datestamp.
    """

    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    older: int = 0

    def __add__(self, other: BatchResult) -> BatchResult:
        return BatchResult(
            self.loaded + other.loaded,
            self.unchanged + other.unchanged,
            self.deleted + other.deleted,
            self.older + other.older,
        )


@dataclass(frozen=True, slots=True)
class PreviousState:
    """The state that the previous writer left.

    Attributes:
        killed: the process did not finish.
        machine: the machine went down or was restarted before it finished.
        failed: it met an error of the disk or of the engine.
        files: the number of removed files of its bulk loads.
    """

    killed: bool = False
    machine: bool = False
    failed: bool = False
    files: int = 0


# The mark file of a writer. A mark without a running writer shows the next writer how the last one ended.


_UNPUBLISHED = "unpublished"
# The content of the mark of a writer that met an error of the disk or the engine.
_FAILED = "failed"


def is_marked(folder: Path) -> bool:
    """Return whether the mark exists: a writer is running, or did not finish."""
    return (folder / _UNPUBLISHED).exists()


def unmark(folder: Path) -> None:
    """Remove the mark: everything written is published."""
    (folder / _UNPUBLISHED).unlink(missing_ok=True)


def mark(folder: Path) -> None:
    """Write the mark of a running writer.

    Raises:
        StoreDamaged: it cannot be written.
    """
    try:
        (folder / _UNPUBLISHED).write_text(f"{_boot_id()}\n", encoding="ascii")
    except OSError as error:
        raise unwritable_store_error(error) from None


def mark_failed(folder: Path) -> None:
    """Record in the mark that the writer met an error; if that cannot be written, the mark stays as it is."""
    with suppress(OSError), (folder / _UNPUBLISHED).open("a", encoding="ascii") as output:
        output.write(_FAILED)


def state_left_by_writer(folder: Path, swept: int) -> PreviousState:
    """Return the state that the previous writer left."""
    try:
        run, _, how = (folder / _UNPUBLISHED).read_text("ascii").partition("\n")
    except FileNotFoundError:
        return PreviousState(files=swept)
    failed = bool(how)
    # a restart is assumed if the system does not identify its boot
    return PreviousState(not failed, not run or run != _boot_id(), failed, swept)


def _boot_id() -> str:
    """Return the identifier of the current boot of the system; an empty text if there is none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


# The journal of a bulk load of an earlier release.


#: The journal's file in the folder of a store.
JOURNAL = "journal.json"


@dataclass(frozen=True, slots=True)
class Load:
    """A write in progress.

    Attributes:
        graphs: the graphs of a bulk load of an earlier release.
        works: the works that it derived again.
        rest: the operations; None for an incomplete bulk load, whose graphs are dropped.
    """

    graphs: tuple[str, ...]
    works: tuple[str, ...]
    rest: tuple[str, ...] | None

    @property
    def operations(self) -> tuple[str, ...]:
        """Return the remaining operations."""
        return self.rest if self.rest is not None else tuple(f"DROP SILENT GRAPH {iri(graph)}" for graph in self.graphs)


class Journal:
    """The record of a write in progress, in a file that is replaced atomically.

    Args:
        path: the file.

    Attributes:
        under_way: the write in progress.

    Raises:
        StoreDamaged: a journal exists and cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.under_way = _read(path) if path.exists() else None

    def end(self) -> None:
        """Remove the journal: all operations were run.

        Raises:
            StoreDamaged: the file cannot be removed.
        """
        try:
            self._path.unlink(missing_ok=True)
            sync_to_disk(self._path.parent)
        except OSError as error:
            raise unwritable_store_error(error) from None
        self.under_way = None


def _read(path: Path) -> Load:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rest = data["rest"]
        return Load(
            tuple(map(str, data["graphs"])),
            tuple(map(str, data["works"])),
            None if rest is None else tuple(map(str, rest)),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(
            f"{path} cannot be read: {error!r}; the last load may be incomplete. "
            "Restore a backup (`vigente restore`), or load the sources again"
        ) from None


def sync_to_disk(path: Path) -> None:
    """Sync the entries of a folder, or a file, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_bulk_load_files(folder: Path, data: Path) -> int:
    """Remove files of bulk loads of earlier releases that were killed. Return the number of removed files.

    Only the process with the engine's lock may call this.
    """
    orphans = [*folder.glob("journal-*.trig"), *data.glob("bulk-*.sst")]
    for orphan in orphans:
        orphan.unlink(missing_ok=True)
    return len(orphans)
