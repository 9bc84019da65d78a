"""The journal of the bulk loader: which graphs are being written at once, so that a killed process leaves none half.

The bulk loader is fast and not atomic. Before it begins, the journal names the graphs it will make, none of which is
there yet, and the works whose periods come with them. When they are there the journal takes up what remains to be done
by one transaction, and from then on the load counts. It goes when everything is on the disk. A journal found later
tells by that which it is: a load that counts is brought to its end, any other is dropped (docs/decisions/0007).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from graph.errors import StoreDamaged
from graph.store.faults import unwritable

#: The journal's file in the folder of a store.
JOURNAL = "journal.json"
_LINES = "journal-{}.trig"


@dataclass(frozen=True, slots=True)
class Load:
    """One bulk load.

    Attributes:
        graphs: that it makes.
        works: that it derives anew.
        rest: the operations that remain once it counts, good to be done twice; None as long as it does not count.
    """

    graphs: tuple[str, ...]
    works: tuple[str, ...]
    rest: tuple[str, ...] | None = None


class Journal:
    """The bulk load under way, if any: kept in a file that is there whole or not at all.

    Args:
        path: the file; None for a store in memory, of which a kill leaves nothing anyhow.

    Attributes:
        under_way: the load.

    Raises:
        StoreDamaged: a journal is there and cannot be read.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._numbers = count(1)
        self.under_way = _read(path) if path is not None and path.exists() else None

    @property
    def is_kept(self) -> bool:
        """Whether it is kept in a file."""
        return self._path is not None

    def lines(self) -> Path | None:
        """A new file for the lines of a load: another may be under way. None for a store in memory."""
        return None if self._path is None else self._path.with_name(_LINES.format(next(self._numbers)))

    def begin(self, graphs: Iterable[str], works: Iterable[str]) -> None:
        """Name what is about to be written; on the disk before this returns.

        Raises:
            StoreDamaged: the file cannot be written; then nothing is under way.
        """
        self._write(Load(tuple(graphs), tuple(works)))

    def count(self, rest: Iterable[str]) -> None:
        """What was named is on the disk and counts, with these operations still to be done.

        Raises:
            StoreDamaged: the file cannot be written; then the load does not count yet.
        """
        assert self.under_way is not None  # noqa: S101 - it was begun
        self._write(replace(self.under_way, rest=tuple(rest)))

    def _write(self, load: Load) -> None:
        if self._path is not None:
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
        """Forget the load: it is whole and on the disk, or nothing is left of it.

        Raises:
            StoreDamaged: the file cannot be removed.
        """
        if self._path is not None:
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
    """Remove the files that killed bulk loads left in a store, also among the engine's own; how many there were.

    Only for who holds the engine's lock.
    """
    orphans = [*folder.glob(_LINES.format("*")), *data.glob("bulk-*.sst")]
    for orphan in orphans:
        orphan.unlink(missing_ok=True)
    return len(orphans)
