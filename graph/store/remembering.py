"""A store that nobody writes, with its latest answers remembered: for who answers many questions from one snapshot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sized
from itertools import islice
from threading import Lock
from typing import TypeVar, cast

import pyoxigraph as ox

from graph.store.embedded import Store
from graph.terms import Solution

__all__ = ["Remembering"]

#: How many rows are remembered, an answer without rows counting as one, and how many an answer has at most.
_REMEMBERED = 200_000
_LONGEST = 500

_Kept = TypeVar("_Kept", bound=Sized)


class Remembering(Store):
    """A published snapshot that is asked through one object by many; threads may share it.

    What was asked before is answered from memory as long as few other questions came between.

    Args:
        store: what is asked; this takes it over, and its closing closes it.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store.engine, store.path)
        self._lock = Lock()
        self._held: OrderedDict[Hashable, Sized] = OrderedDict()
        self._weight = 0

    def select(self, query: str, bindings: Mapping[str, ox.NamedNode | ox.Literal] | None = None) -> Iterator[Solution]:
        """The rows of a SELECT query, as :meth:`graph.store.Store.select` gives them; errors likewise."""
        key = (query, frozenset((bindings or {}).items()))
        known = self._known(key)
        if known is not None:
            return (dict(row) for row in cast("tuple[Solution, ...]", known))
        return self._asked(key, super().select(query, bindings))

    def kept(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """What ``make`` gave for this key when it was last asked, as long as it is remembered.

        Args:
            key: stands for one value and no other.
            make: gives a value that is never changed; its length is what it weighs.
        """
        known = self._known(key)
        if known is None:
            made = make()
            self._remember(key, made)
            return made
        return cast("_Kept", known)

    def _known(self, key: Hashable) -> Sized | None:
        with self._lock:
            known = self._held.get(key)
            if known is not None:
                self._held.move_to_end(key)
        return known

    def _asked(self, key: Hashable, rows: Iterator[Solution]) -> Iterator[Solution]:
        first = tuple(islice(rows, _LONGEST + 1))
        if len(first) <= _LONGEST:
            self._remember(key, first)
        yield from (dict(row) for row in first)
        yield from rows

    def _remember(self, key: Hashable, value: Sized) -> None:
        with self._lock:
            before = self._held.get(key)
            self._weight += max(1, len(value)) - (max(1, len(before)) if before is not None else 0)
            self._held[key] = value
            while self._weight > _REMEMBERED:
                _, forgotten = self._held.popitem(last=False)
                self._weight -= max(1, len(forgotten))
