"""Stores that cache results: across many questions to one snapshot, or within one question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from sys import getsizeof
from threading import Lock
from typing import NamedTuple, TypeVar, cast

import pyoxigraph as ox

from graph.store.embedded import Store
from graph.store.engine import Engine
from graph.store.names import NameIndex
from graph.terms import Solution

#: The approximate maximum size of the cache in bytes, and the maximum number of rows of a cached answer.
_REMEMBERED = 32 << 20
_LONGEST = 5_000
#: The maximum number of norms with memoized results, and of these results; most take one to two kilobytes.
_NORMS, _RESULTS = 128, 20_000
#: The size in bytes of a question with its values and its cache entry; the text of a query is shared.
_QUESTION = 1_000

_Kept = TypeVar("_Kept")
_Rows = TypeVar("_Rows", bound=tuple[object, ...])


class _Answer(NamedTuple):
    """A cached value and its size in bytes."""

    value: tuple[object, ...]
    size: int


class Snapshot(Store):
    """A store that reads an immutable published state, with a cache of slow results. Threads may share it."""

    def __init__(self, engine: Engine, path: Path | None, names: NameIndex) -> None:
        super().__init__(engine, path, names)
        self._lock = Lock()
        self._held: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._weight = 0

    def cached(self, key: Hashable, make: Callable[[], _Rows]) -> _Rows:
        """Return the cached result of ``make`` for a key, or call ``make``. Least recently used results are evicted.

        Args:
            key: identifies the value.
            make: returns a value that is never changed.
        """
        known = self._cached_value(key)
        if known is not None:
            return cast("_Rows", known)
        made = make()
        self._remember(key, made)
        return made

    def _cached_value(self, key: Hashable) -> tuple[object, ...] | None:
        with self._lock:
            known = self._held.get(key)
            if known is not None:
                self._held.move_to_end(key)
        return known.value if known is not None else None

    def _remember(self, key: Hashable, value: tuple[object, ...]) -> None:
        answer = _Answer(value, _QUESTION + _bytes(value))
        with self._lock:
            before = self._held.pop(key, None)
            self._weight += answer.size - (before.size if before is not None else 0)
            self._held[key] = answer
            while self._weight > _REMEMBERED:
                _, forgotten = self._held.popitem(last=False)
                self._weight -= forgotten.size


class CachingStore(Snapshot):
    """A published snapshot that caches the answers to queries, and results about norms; threads may share it.

    If a cache exceeds its maximum size, the least recently used answers, or results about a norm, are evicted.

    Args:
        store: the store to read; closing this object closes it.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store.engine, store.path, store.names)
        self._by_norm: OrderedDict[tuple[str, date], MemoizingStore] = OrderedDict()

    def about(self, norm: str, today: date) -> MemoizingStore:
        """Return a store that memoizes intermediate results about a norm; all questions of a day share it.

        Args:
            norm: the IRI of the norm.
            today: the current civil date, on which results may depend.
        """
        key = norm, today
        with self._lock:
            noted = self._by_norm.pop(key, None)
            if noted is None:
                noted = MemoizingStore(self)
            self._by_norm[key] = noted
            while len(self._by_norm) > _NORMS or sum(each.results for each in self._by_norm.values()) > _RESULTS:
                self._by_norm.popitem(last=False)
        return noted

    def select(self, query: str, bindings: Mapping[str, ox.NamedNode | ox.Literal] | None = None) -> Iterator[Solution]:
        """Return the rows of a SELECT query, as :meth:`graph.store.Store.select`; errors likewise."""
        key = (query, frozenset((bindings or {}).items()))
        known = self._cached_value(key)
        if known is not None:
            return (dict(row) for row in cast("tuple[Solution, ...]", known))
        return self._rows_with_caching(key, super().select(query, bindings))

    def literals(self, subject: str, predicate: str) -> tuple[tuple[str, str], ...]:
        """As :meth:`graph.store.Store.literals`."""
        key = (subject, predicate)
        known = self._cached_value(key)
        if known is not None:
            return cast("tuple[tuple[str, str], ...]", known)
        values = super().literals(subject, predicate)
        self._remember(key, values)
        return values

    def _rows_with_caching(self, key: Hashable, rows: Iterator[Solution]) -> Iterator[Solution]:
        first = tuple(islice(rows, _LONGEST + 1))
        if len(first) <= _LONGEST:
            self._remember(key, first)
        yield from (dict(row) for row in first)
        yield from rows


def _bytes(value: object) -> int:
    """Return the size of a value of an answer in bytes, without names of columns and fields, which are shared."""
    inner: Iterable[object] = ()
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, tuple):
        inner = value
    elif is_dataclass(value):
        inner = (getattr(value, field.name) for field in fields(value))
    return getsizeof(value) + sum(map(_bytes, inner))


class MemoizingStore(Store):
    """A store for one question that memoizes intermediate results.

    Args:
        store: the store to read; it stays open when this object is closed.
        notes: memoized results of earlier questions to the same snapshot, to which new ones are added; None to begin
            with none.
    """

    def __init__(self, store: Store, notes: dict[Hashable, object] | None = None) -> None:
        super().__init__(store.engine, store.path, store.names)
        self._engine = None
        self._store = store
        self._notes = notes if notes is not None else {}

    @property
    def engine(self) -> Engine:
        """Return the engine of the underlying store. This object does not hold it, because its notes may refer to it in
        a cycle: a closed writer would keep its lock until the next garbage collection.
        """
        return self._store.engine

    @property
    def base(self) -> Store:
        """Return the underlying store."""
        return self._store.base

    @property
    def results(self) -> int:
        """The number of memoized results."""
        return len(self._notes)

    @property
    def is_warm(self) -> bool:
        """Whether a question was answered: there are more results than the summary of a norm."""
        return self.results > 1

    def close(self) -> None:
        """Do nothing: the underlying store stays open."""

    def select(self, query: str, bindings: Mapping[str, ox.NamedNode | ox.Literal] | None = None) -> Iterator[Solution]:
        """Return the rows of a SELECT query, as :meth:`graph.store.Store.select`; errors likewise."""
        return self._store.select(query, bindings)

    def literals(self, subject: str, predicate: str) -> tuple[tuple[str, str], ...]:
        """As :meth:`graph.store.Store.literals`."""
        return self._store.literals(subject, predicate)

    def cached(self, key: Hashable, make: Callable[[], _Rows]) -> _Rows:
        """As :meth:`graph.store.Store.cached`."""
        return self._store.cached(key, make)

    def memoized(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """Return the memoized result of ``make`` for a key, or call ``make``.

        Args:
            key: identifies the value.
            make: returns a value that is never changed.
        """
        try:
            return self._notes[key]  # type: ignore[return-value]  # the key determines the type that `make` returns
        except KeyError:
            made = self._notes[key] = make()
            return made
