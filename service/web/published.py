"""The snapshot that answers: opened once, exchanged when another is published, never under a request's feet."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from graph.errors import StoreDamaged, StoreProblem
from graph.store import Store
from graph.store import open as open_store
from graph.store.folder import CURRENT
from graph.store.remembering import Remembering

__all__ = ["Published", "Snapshot"]

#: How many seconds a snapshot answers before it is looked whether there is a newer one.
_LOOK_EVERY = 1.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A published state of the store.

    Attributes:
        number: what the folder calls it; another state has another number.
        store: opened for reading; what was asked lately it answers from memory.
    """

    number: str
    store: Store


class Published:
    """The last published snapshot of a store.

    A request takes the snapshot once and keeps it to its end; an old one is closed when its last request has ended.

    Args:
        folder: the folder of the store.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._now: Snapshot | None = None
        self._looked = 0.0

    @property
    def recent(self) -> Snapshot | None:
        """The snapshot that answers, where it need not be looked whether there is a newer one; this takes no time."""
        return self._now if time.monotonic() - self._looked < _LOOK_EVERY else None

    def now(self) -> Snapshot:
        """The snapshot that answers.

        Raises:
            StoreProblem: there is none, and never was; one that was opened answers until another can be.
        """
        recent = self.recent
        if recent is not None:
            return recent
        with self._lock:
            return self._looked_at()

    def _looked_at(self) -> Snapshot:
        self._looked = time.monotonic()
        try:
            number = (self._folder / CURRENT).readlink().name
            if self._now is None or self._now.number != number:
                self._now = Snapshot(number, Remembering(open_store(self._folder)))
        except (OSError, StoreProblem) as error:
            if self._now is None:
                if isinstance(error, StoreProblem):
                    raise
                raise StoreDamaged(f"{self._folder} has no published snapshot: {error}") from None
        return self._now
