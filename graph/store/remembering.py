"""A store that nobody writes, with its latest answers remembered: for who answers many questions from one snapshot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from itertools import islice
from threading import Lock
from typing import TypeAlias

import pyoxigraph as ox

from graph.store.embedded import Store
from graph.terms import Solution

__all__ = ["Remembering"]

_Key: TypeAlias = tuple[str, frozenset[tuple[str, ox.NamedNode | ox.Literal]]]

#: How many rows are remembered, an answer without rows counting as one, and how many an answer has at most.
_REMEMBERED = 200_000
_LONGEST = 500


class Remembering(Store):
    """A published snapshot that is asked through one object by many; threads may share it.

    What was asked before is answered from memory as long as few other questions came between.

    Args:
        store: what is asked; this takes it over, and its closing closes it.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store.engine, store.path)
        self._lock = Lock()
        self._held: OrderedDict[_Key, tuple[Solution, ...]] = OrderedDict()
        self._weight = 0

    def select(self, query: str, bindings: Mapping[str, ox.NamedNode | ox.Literal] | None = None) -> Iterator[Solution]:
        """The rows of a SELECT query, as :meth:`graph.store.Store.select` gives them; errors likewise."""
        key = (query, frozenset((bindings or {}).items()))
        with self._lock:
            known = self._held.get(key)
            if known is not None:
                self._held.move_to_end(key)
        if known is not None:
            return (dict(row) for row in known)
        return self._asked(key, super().select(query, bindings))

    def _asked(self, key: _Key, rows: Iterator[Solution]) -> Iterator[Solution]:
        first = tuple(islice(rows, _LONGEST + 1))
        if len(first) <= _LONGEST:
            self._remember(key, first)
        yield from (dict(row) for row in first)
        yield from rows

    def _remember(self, key: _Key, rows: tuple[Solution, ...]) -> None:
        with self._lock:
            if key not in self._held:
                self._weight += max(1, len(rows))
            self._held[key] = rows
            while self._weight > _REMEMBERED:
                _, forgotten = self._held.popitem(last=False)
                self._weight -= max(1, len(forgotten))
