"""Stores that nobody writes, and that remember: across many questions asked of one snapshot, or within one question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sized
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TypeVar, cast

import pyoxigraph as ox

from graph.store.embedded import Store
from graph.store.engine import Engine
from graph.store.names import NameIndex
from graph.terms import Solution

__all__ = ["Remembering", "Snapshot", "WithNotes"]

# How many rows last in a snapshot (a kilobyte each, or less), and in one that many ask, an answer without rows counting
# as one; and how many an answer has at most.
_LASTING = 20_000
_REMEMBERED = 200_000
_LONGEST = 5_000

_Kept = TypeVar("_Kept")
_Rows = TypeVar("_Rows", bound=Sized)


class Snapshot(Store):
    """A published state, which nobody changes: what takes long to make of it lasts. Threads may share it."""

    #: How many rows last.
    _most = _LASTING

    def __init__(self, engine: Engine, path: Path | None, names: NameIndex) -> None:
        super().__init__(engine, path, names)
        self._lock = Lock()
        self._held: OrderedDict[Hashable, Sized] = OrderedDict()
        self._weight = 0

    def lasting(self, key: Hashable, make: Callable[[], _Rows]) -> _Rows:
        """What ``make`` gave when it was first asked for this key, as long as few other questions came between.

        Args:
            key: stands for one value and no other.
            make: gives a value that is never changed.
        """
        known = self._known(key)
        if known is not None:
            return cast("_Rows", known)
        made = make()
        self._remember(key, made)
        return made

    def _known(self, key: Hashable) -> Sized | None:
        with self._lock:
            known = self._held.get(key)
            if known is not None:
                self._held.move_to_end(key)
        return known

    def _remember(self, key: Hashable, value: Sized) -> None:
        with self._lock:
            before = self._held.get(key)
            self._weight += max(1, len(value)) - (max(1, len(before)) if before is not None else 0)
            self._held[key] = value
            while self._weight > self._most:
                _, forgotten = self._held.popitem(last=False)
                self._weight -= max(1, len(forgotten))


class Remembering(Snapshot):
    """A published snapshot that is asked through one object by many; threads may share it.

    What was asked before is answered from memory as long as few other questions came between.

    Args:
        store: what is asked; this takes it over, and its closing closes it.
    """

    _most = _REMEMBERED

    def __init__(self, store: Store) -> None:
        super().__init__(store.engine, store.path, store.names)

    def select(self, query: str, bindings: Mapping[str, ox.NamedNode | ox.Literal] | None = None) -> Iterator[Solution]:
        """The rows of a SELECT query, as :meth:`graph.store.Store.select` gives them; errors likewise."""
        key = (query, frozenset((bindings or {}).items()))
        known = self._known(key)
        if known is not None:
            return (dict(row) for row in cast("tuple[Solution, ...]", known))
        return self._asked(key, super().select(query, bindings))

    def literals(self, subject: str, predicate: str) -> tuple[tuple[str, str], ...]:
        """As :meth:`graph.store.Store.literals`."""
        key = (subject, predicate)
        known = self._known(key)
        if known is not None:
            return cast("tuple[tuple[str, str], ...]", known)
        found = super().literals(subject, predicate)
        self._remember(key, found)
        return found

    def _asked(self, key: Hashable, rows: Iterator[Solution]) -> Iterator[Solution]:
        first = tuple(islice(rows, _LONGEST + 1))
        if len(first) <= _LONGEST:
            self._remember(key, first)
        yield from (dict(row) for row in first)
        yield from rows


class WithNotes(Store):
    """A store for one question: what one step has made of what it read, the next one need not make again.

    Args:
        store: what is asked; it stays open when this is closed.
        notes: of earlier questions to the same snapshot, to which those of this one are added; None for none.
    """

    def __init__(self, store: Store, notes: dict[Hashable, object] | None = None) -> None:
        super().__init__(store.engine, store.path, store.names)
        self._store = store
        self._notes = notes if notes is not None else {}

    @property
    def whole(self) -> Store:
        """The store that is asked."""
        return self._store.whole

    def close(self) -> None:
        """Nothing: the store stays open."""

    def select(self, query: str, bindings: Mapping[str, ox.NamedNode | ox.Literal] | None = None) -> Iterator[Solution]:
        """The rows of a SELECT query, as :meth:`graph.store.Store.select` gives them; errors likewise."""
        return self._store.select(query, bindings)

    def literals(self, subject: str, predicate: str) -> tuple[tuple[str, str], ...]:
        """As :meth:`graph.store.Store.literals`."""
        return self._store.literals(subject, predicate)

    def lasting(self, key: Hashable, make: Callable[[], _Rows]) -> _Rows:
        """As :meth:`graph.store.Store.lasting`."""
        return self._store.lasting(key, make)

    def kept(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """What ``make`` gave when it was first asked for this key.

        Args:
            key: stands for one value and no other.
            make: gives a value that is never changed.
        """
        try:
            return self._notes[key]  # type: ignore[return-value]  # what stands for the key is what makes it
        except KeyError:
            made = self._notes[key] = make()
            return made
