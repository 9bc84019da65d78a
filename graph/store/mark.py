"""The mark file of a writer. A mark without a running writer shows the next writer how the last one ended."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from graph.store.applied import Left
from graph.store.faults import unwritable

_UNPUBLISHED = "unpublished"
# What the mark says besides of a writer that met an error of the disk or the engine.
_FAILED = "failed"


def is_marked(folder: Path) -> bool:
    """Whether a writer left its mark: it is at work, or did not come to its end."""
    return (folder / _UNPUBLISHED).exists()


def unmark(folder: Path) -> None:
    """All that was written is published."""
    (folder / _UNPUBLISHED).unlink(missing_ok=True)


def mark(folder: Path) -> None:
    """Leave word that a writer is at work.

    Raises:
        StoreDamaged: it cannot be written.
    """
    try:
        (folder / _UNPUBLISHED).write_text(f"{_run_of_the_machine()}\n", encoding="ascii")
    except OSError as error:
        raise unwritable(error) from None


def mark_failed(folder: Path) -> None:
    """Leave word that the writer met an error; where not even that can be written, the mark stays as it is."""
    with suppress(OSError), (folder / _UNPUBLISHED).open("a", encoding="ascii") as output:
        output.write(_FAILED)


def left_by(folder: Path, swept: int) -> Left:
    """What the writer before left behind."""
    try:
        run, _, how = (folder / _UNPUBLISHED).read_text("ascii").partition("\n")
    except FileNotFoundError:
        return Left(files=swept)
    failed = bool(how)
    # where the system doesn't say which run it is, nothing is sure either
    return Left(not failed, not run or run != _run_of_the_machine(), failed, swept)


def _run_of_the_machine() -> str:
    """Return the identifier of the current boot of the system; an empty text if there is none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""
