"""How a writer recovers: the outcome of a batch, the dirty flag, and the journal for endpoints without atomic requests.

The operations are good to be done twice. A journal that is found by the next writer is carried out again, to its end
(docs/decisions/0007). One of an earlier release may be of a bulk load: the graphs that it was making are dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from graph.errors import StoreDamaged, unwritable
from graph.terms import iri

# What became of a batch of records, and of the writer before.


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of writing a batch: each record is counted once.

    Attributes:
        older: records and deletions from files that left what is there alone, since that has a later datestamp.
    """

    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    older: int = 0

    def __add__(self, other: Applied) -> Applied:
        return Applied(
            self.loaded + other.loaded,
            self.unchanged + other.unchanged,
            self.deleted + other.deleted,
            self.older + other.older,
        )


@dataclass(frozen=True, slots=True)
class Left:
    """What the writer before left behind, as the next one finds it.

    Attributes:
        killed: it did not come to its end.
        machine: the machine itself went down, or was begun anew, before it had.
        failed: it met an error of the disk or of the engine.
        files: how many files of its bulk loads were removed.
        resumed: what it had begun behind an endpoint was brought to its end.
    """

    killed: bool = False
    machine: bool = False
    failed: bool = False
    files: int = 0
    resumed: bool = False


# The mark file of a writer. A mark without a running writer shows the next writer how the last one ended.


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


# The journal of a writer behind an endpoint whose requests are not atomic: what it is about to do stands in it first.


#: The journal's file in the folder of a store.
JOURNAL = "journal.json"


@dataclass(frozen=True, slots=True)
class Load:
    """What is being written.

    Attributes:
        graphs: that a bulk load of an earlier release was making.
        works: that it derived anew.
        rest: the operations; None of a bulk load that does not count.
    """

    graphs: tuple[str, ...]
    works: tuple[str, ...]
    rest: tuple[str, ...] | None

    @property
    def operations(self) -> tuple[str, ...]:
        """What is still to be done."""
        return self.rest if self.rest is not None else tuple(f"DROP SILENT GRAPH {iri(graph)}" for graph in self.graphs)


class Journal:
    """What is being written, if anything: kept in a file that is there whole or not at all.

    Args:
        path: the file.

    Attributes:
        under_way: what is being written.

    Raises:
        StoreDamaged: a journal is there and cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.under_way = _read(path) if path.exists() else None

    def begin(self, operations: Iterable[str]) -> None:
        """Write down operations that are about to be carried out; on the disk when this returns.

        Raises:
            StoreDamaged: the file cannot be written; then nothing is under way.
        """
        load = Load((), (), tuple(operations))
        new = self._path.with_suffix(".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                json.dump({"graphs": load.graphs, "works": load.works, "rest": load.rest}, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
            to_disk(self._path.parent)
        except OSError as error:
            raise unwritable(error) from None
        self.under_way = load

    def end(self) -> None:
        """Forget the operations: all is carried out.

        Raises:
            StoreDamaged: the file cannot be removed.
        """
        try:
            self._path.unlink(missing_ok=True)
            to_disk(self._path.parent)
        except OSError as error:
            raise unwritable(error) from None
        self.under_way = None


def _read(path: Path) -> Load:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        rest = said["rest"]
        return Load(
            tuple(map(str, said["graphs"])),
            tuple(map(str, said["works"])),
            None if rest is None else tuple(map(str, rest)),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(
            f"{path} cannot be read: {error!r}; the last load may be there in part. "
            "Restore a backup (`vigente restore`), or load anew"
        ) from None


def to_disk(path: Path) -> None:
    """What a folder lists, or a file holds, brought to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(folder: Path, data: Path) -> int:
    """Remove the files that killed bulk loads of earlier releases left in a store; how many there were.

    Only for who holds the engine's lock.
    """
    orphans = [*folder.glob("journal-*.trig"), *data.glob("bulk-*.sst")]
    for orphan in orphans:
        orphan.unlink(missing_ok=True)
    return len(orphans)
