"""The published snapshot: opened once, and replaced by a newer one without affecting running requests."""

from __future__ import annotations

import gc
import os
import time
import weakref
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from graph.errors import StoreDamaged, StoreProblem
from graph.process import release_free_memory
from graph.store import Store, open_published
from graph.store.caching import CachingStore
from graph.store.folder import CURRENT
from service.web.settings import program_version

#: Seconds between attempts to open a snapshot that cannot be opened.
_RETRY_SECONDS = 1.0
#: Seconds between attempts to release old snapshots, which running requests may still use.
_RELEASE_SECONDS = 5.0

#: Part of entity tags, because another version of the program may answer differently from the same data.
_PROGRAM = program_version()

_T = TypeVar("_T")
#: The maximum number of times that an answer is made.
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class State:
    """The identity of a published snapshot. The number alone is not unique: the store may have been replaced.

    Attributes:
        number: its number in the folder.
        since: the time of its publication, in nanoseconds of the system clock.
    """

    number: str
    since: int

    @property
    def mark(self) -> str:
        """A text for entity tags that identifies the state, the store and the version of the program."""
        return f"{self.number} {self.since} {_PROGRAM}"


def state_of(folder: Path) -> State:
    """Return the published state in the folder of a store.

    Raises:
        OSError: there is none.
    """
    link = f"{folder}/{CURRENT}"  # each request reads it, and the methods of a path take longer than the system calls
    return State(os.readlink(link).rpartition("/")[2], os.stat(link, follow_symlinks=False).st_mtime_ns)  # noqa: PTH115, PTH116


#: The states that the running request has read; None where nothing notes them.
_READ: ContextVar[set[State] | None] = ContextVar("_READ", default=None)


def note_read(state: State) -> None:
    """Note that the running request, or a task for it, has read this state."""
    states = _READ.get()
    if states is not None:
        states.add(state)


async def from_one_snapshot(respond: Callable[[], Awaitable[_T]]) -> _T:
    """Return the result of a function that has read only one state.

    Its parts read the state at different times: the entity tag, the body, and each task in a worker process. If another
    snapshot was published in between, the function runs again.

    Raises:
        StoreProblem: a snapshot was published during each attempt.
    """
    for _ in range(_ATTEMPTS):
        states = set[State]()
        noted = _READ.set(states)
        try:
            result = await respond()
        finally:
            _READ.reset(noted)
        if len(states) <= 1:
            return result
    raise StoreProblem(f"a snapshot was published during each of {_ATTEMPTS} attempts to answer; ask again later")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A published snapshot of the store.

    Attributes:
        state: its identity.
        store: the store opened for reading, with a cache of recent reads.
    """

    state: State
    store: CachingStore


class SnapshotReader:
    """The last published snapshot of a store.

    A request uses one snapshot until its end. An old snapshot is closed when its last request has ended.

    Args:
        folder: the folder of the store.
        warn: called with a message, once each time that the store becomes unreadable.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None] = lambda _: None) -> None:
        self._folder = folder
        self._warn = warn
        self._warned = False
        self._lock = Lock()
        self._snapshot: Snapshot | None = None
        self._failed_at = -_RETRY_SECONDS
        self._old: list[weakref.ref[Store]] = []
        self._released_at = 0.0

    @property
    def recent(self) -> Snapshot | None:
        """The open snapshot, if it is the published one; else None. This opens nothing."""
        snapshot = self._snapshot
        try:
            if snapshot is None or snapshot.state != state_of(self._folder):
                return None
        except OSError:
            return None
        note_read(snapshot.state)
        return snapshot

    def now(self) -> Snapshot:
        """Return the published snapshot. All processes use a new one from its publication on.

        If it cannot be opened, the previous one is returned.

        Raises:
            StoreProblem: there is no readable snapshot, or the folder is missing.
        """
        recent = self.recent
        if recent is not None and not self._old:
            return recent
        with self._lock:
            return self._check_snapshot()

    def _check_snapshot(self) -> Snapshot:
        try:
            state = state_of(self._folder)
        except OSError as error:
            self._replace(None)
            problem = StoreDamaged(f"{self._folder} has no published snapshot: {error}")
            self._report(problem)
            raise problem from None
        tried = time.monotonic() - self._failed_at < _RETRY_SECONDS
        try:
            if self._snapshot is None or (self._snapshot.state != state and not tried):
                self._replace(Snapshot(state, CachingStore(open_published(self._folder))))
            elif self._old:
                self._release_old()
            self._warned = False
        except StoreProblem as error:
            self._failed_at = time.monotonic()
            self._report(error)
            if self._snapshot is None:
                raise
        assert self._snapshot is not None  # noqa: S101 - opened above, else the error was raised
        note_read(self._snapshot.state)
        return self._snapshot

    def _replace(self, new: Snapshot | None) -> None:
        if self._snapshot is not None:
            self._old.append(weakref.ref(self._snapshot.store))
            self._released_at = 0.0
        self._snapshot = new

    def _release_old(self) -> None:
        """Release the files and the memory of old snapshots.

        Unreachable reference cycles, such as a connection to SQLite, may keep them open. The garbage collector would
        find old objects late, so it is called here.
        """
        if time.monotonic() - self._released_at < _RELEASE_SECONDS:
            return
        self._released_at = time.monotonic()
        gc.collect()
        self._old = [old for old in self._old if old() is not None]
        release_free_memory()

    def _report(self, error: StoreProblem) -> None:
        if not self._warned:
            self._warned = True
            self._warn(f"the store cannot be read: {error}")
