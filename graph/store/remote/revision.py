"""The state of an endpoint. An index of names fits exactly one state."""

from __future__ import annotations

import json
import os
from pathlib import Path
from uuid import uuid4

from graph.errors import StoreDamaged
from graph.store.faults import unwritable
from graph.store.journal import to_disk
from graph.store.remote.dialects import STATES

#: The file in the folder.
REVISION = "revision.json"


class Revision:
    """The states that the endpoint may be in: one, or two while a change is under way.

    Attributes:
        known: their names, the older one first; none of an endpoint that was never written from here.
        writing: whether a writer of this folder has left word there that it writes, or was about to.

    Raises:
        StoreDamaged: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known: tuple[str, ...] = ()
        self.writing = False
        try:
            said = json.loads(path.read_bytes())
            self.known, self.writing = tuple(map(str, said["states"])), bool(said["writing"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreDamaged(f"{path} cannot be read: {error!r}; remove it, and the index is made anew") from None

    def begins(self) -> None:
        """A writer is about to leave word that it writes."""
        self._write(self.known, writing=True)

    def coming(self) -> str:
        """A new state, which the endpoint is about to come into; on the disk when this returns."""
        new = f"{STATES}{uuid4().hex}"
        self._write((*self.known[-1:], new), writing=self.writing)
        return new

    def came(self, state: str, *, writing: bool) -> None:
        """The endpoint is in a state, and is still being written or not."""
        self._write((state,), writing=writing)

    def _write(self, states: tuple[str, ...], *, writing: bool) -> None:
        new = self._path.with_suffix(".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                json.dump({"states": states, "writing": writing}, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
            to_disk(self._path.parent)
        except OSError as error:
            raise unwritable(error) from None
        self.known, self.writing = states, writing
