"""The snapshot that answers: opened once, exchanged when another is published, never under a request's feet."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from graph.errors import StoreDamaged, StoreProblem
from graph.process import release_free_memory
from graph.store import Store, open_published
from graph.store.caching import CachingStore
from graph.store.folder import CURRENT
from service.web.settings import program_version

#: How many seconds a snapshot answers before it is looked whether there is a newer one.
_LOOK_EVERY = 1.0
#: Seconds between searches for what holds an old one: a request under way may, for as long as it lasts.
_SEARCH_EVERY = 5.0

#: Another version of the program may answer the same question from the same data in other words.
_PROGRAM = program_version()


@dataclass(frozen=True, slots=True)
class State:
    """What is published: a store that took the place of another may call its own by the same number.

    Attributes:
        number: what the folder calls it.
        since: when it was published there, in nanoseconds of the system's clock.
    """

    number: str
    since: int

    @property
    def mark(self) -> str:
        """What entity tags tell its answers by, from those of other states, stores and versions of the program."""
        return f"{self.number} {self.since} {_PROGRAM}"


def state_of(folder: Path) -> State:
    """What is published in the folder of a store.

    Raises:
        OSError: nothing is.
    """
    link = folder / CURRENT
    return State(link.readlink().name, link.lstat().st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A published state of the store.

    Attributes:
        state: which one.
        store: opened for reading; what was asked lately it answers from memory.
    """

    state: State
    store: Store


class Published:
    """The last published snapshot of a store.

    A request takes the snapshot once and keeps it to its end; an old one is closed when its last request has ended.

    Args:
        folder: the folder of the store.
        warn: called once with what is wrong each time that it stops being readable.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None] = lambda _: None) -> None:
        self._folder = folder
        self._warn = warn
        self._warned = False
        self._lock = Lock()
        self._now: Snapshot | None = None
        self._looked = 0.0
        self._old: list[weakref.ref[Store]] = []
        self._searched = 0.0

    @property
    def recent(self) -> Snapshot | None:
        """The snapshot that answers, where it need not be looked whether there is a newer one; this takes no time."""
        return self._now if time.monotonic() - self._looked < _LOOK_EVERY else None

    def now(self) -> Snapshot:
        """The snapshot that answers.

        Raises:
            StoreProblem: there is none. Where a newer one cannot be opened that which was opened before answers; where
                the folder itself is gone none does: its files can be read no more, some sooner, some later.
        """
        recent = self.recent
        if recent is not None:
            return recent
        with self._lock:
            return self._looked_at()

    def _looked_at(self) -> Snapshot:
        self._looked = time.monotonic()
        try:
            state = state_of(self._folder)
        except OSError as error:
            self._exchange(None)
            found = StoreDamaged(f"{self._folder} has no published snapshot: {error}")
            self._tell(found)
            raise found from None
        try:
            if self._now is None or self._now.state != state:
                self._exchange(Snapshot(state, CachingStore(open_published(self._folder))))
            elif self._old:
                self._clear_up()
            self._warned = False
        except StoreProblem as error:
            self._tell(error)
            if self._now is None:
                raise
        assert self._now is not None  # noqa: S101 - else it was opened now, or that was raised which forbade it
        return self._now

    def _exchange(self, new: Snapshot | None) -> None:
        if self._now is not None:
            self._old.append(weakref.ref(self._now.store))
            self._searched = 0.0
        self._now = new

    def _clear_up(self) -> None:
        """See that old snapshots are closed: their files, and memory for what was read of them, are much.

        They, or what they opened, may still be held by what nobody can reach any more, such as a connection to SQLite,
        which holds itself: the collector comes late to what has lived long.
        """
        if time.monotonic() - self._searched < _SEARCH_EVERY:
            return
        self._searched = time.monotonic()
        gc.collect()
        self._old = [old for old in self._old if old() is not None]
        release_free_memory()

    def _tell(self, error: StoreProblem) -> None:
        if not self._warned:
            self._warned = True
            self._warn(f"the store cannot be read: {error}")
