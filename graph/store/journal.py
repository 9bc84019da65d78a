"""Recovery of a writer: the result of a batch, and the mark of a writer that did not finish."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from graph.errors import unwritable_store_error

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
    """

    killed: bool = False
    machine: bool = False
    failed: bool = False


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


def state_left_by_writer(folder: Path) -> PreviousState:
    """Return the state that the previous writer left."""
    try:
        run, _, how = (folder / _UNPUBLISHED).read_text("ascii").partition("\n")
    except FileNotFoundError:
        return PreviousState()
    failed = bool(how)
    # a restart is assumed if the system does not identify its boot
    return PreviousState(not failed, not run or run != _boot_id(), failed)


def _boot_id() -> str:
    """Return the identifier of the current boot of the system; an empty text if there is none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


def sync_to_disk(path: Path) -> None:
    """Sync the entries of a folder, or a file, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
