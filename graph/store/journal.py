"""The journal of the bulk loader: which graphs are being written at once, so that a killed process leaves none half.

The bulk loader is fast and not atomic. Before it begins, the journal names the graphs it will make, none of which is
there yet. One transaction afterwards makes them count, with a mark of this load in it. A journal found later tells
by the mark which it is: with it the load is whole; without it all its graphs are dropped (docs/decisions/0007).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from graph.errors import StoreDamaged
from ontology.iris import ID

__all__ = ["JOURNAL", "LOADS", "Journal", "Load", "sweep"]

#: The journal's file in the folder of a store.
JOURNAL = "journal.json"
#: Where the marks of bulk loads live.
LOADS = ID + "carga/"


@dataclass(frozen=True, slots=True)
class Load:
    """One bulk load: its mark, and the graphs that it makes."""

    mark: str
    graphs: tuple[str, ...]


class Journal:
    """The bulk load under way, if any: kept in a file that is there whole or not at all.

    Args:
        path: the file; None for a store in memory, of which a kill leaves nothing anyhow.

    Raises:
        StoreDamaged: a journal is there and cannot be read.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.under_way = _read(path) if path is not None and path.exists() else None

    def begin(self, graphs: Iterable[str]) -> Load:
        """Name the graphs that are about to be written; on the disk before this returns.

        Raises:
            StoreDamaged: the file cannot be written; then nothing is under way.
        """
        load = Load(LOADS + token_hex(8), tuple(graphs))
        if self._path is not None:
            new = self._path.with_suffix(".new")
            try:
                with new.open("w", encoding="utf-8") as file:
                    json.dump({"mark": load.mark, "graphs": load.graphs}, file)
                    file.flush()
                    os.fsync(file.fileno())
                new.replace(self._path)
                _to_disk(self._path.parent)
            except OSError as error:
                raise StoreDamaged(f"the store cannot be written: {error}") from None
        self.under_way = load
        return load

    def end(self) -> None:
        """Forget the load: it is whole, or nothing is left of it.

        Raises:
            StoreDamaged: the file cannot be removed.
        """
        if self._path is not None:
            try:
                self._path.unlink(missing_ok=True)
                _to_disk(self._path.parent)
            except OSError as error:
                raise StoreDamaged(f"the store cannot be written: {error}") from None
        self.under_way = None


def _read(path: Path) -> Load:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return Load(str(said["mark"]), tuple(map(str, said["graphs"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(f"{path} cannot be read: {error!r}; the last load may be there in part") from None


def _to_disk(folder: Path) -> None:
    """What a folder lists, brought to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(data: Path) -> None:
    """Remove the files that killed bulk loads left beside the engine's own. Only for who holds the engine's lock."""
    for orphan in data.glob("bulk-*.sst"):
        orphan.unlink(missing_ok=True)
