"""Tests of a caching store: it answers as the store itself does, whatever the number and order of the queries."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from threading import Thread

import pyoxigraph as ox
import pytest

from graph.entities import Record
from graph.errors import BadQuery
from graph.store import caching, in_memory
from graph.store.caching import CachingStore, MemoizingStore
from graph.time.kinds import Status
from queries.in_force import in_force
from queries.timeline import timeline
from queries.vocabulary import vocabulary

LAW = "urn:lex:br:federal:lei:2001-03-05;"
NAMES = "SELECT ?work ?name WHERE { ?work <https://w3id.org/vigente/ns#nome> ?name } ORDER BY ?name"


def filled(record: Callable[..., Record]) -> CachingStore:
    store = in_memory()
    store.apply([record(f"{LAW}{n}@2001-04-01;publicacao;2001-03-06", key=f"k{n}") for n in range(99901, 99911)])
    return CachingStore(store)


def test_cached_answers_equal_the_store_and_are_queried_once(
    record: Callable[..., Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = filled(record)
    asked = []

    class Counting:
        def __getattr__(self, name: str) -> object:
            asked.append(name)
            return getattr(engine, name)

    engine = store.engine
    monkeypatch.setattr(store, "_engine", Counting())
    name = f"{LAW}99901"
    first = in_force(store, name, "2001-05-01", "2020-01-01")
    assert first.status is Status.IN_FORCE
    count = len(asked)
    assert count
    assert in_force(store, name, "2001-05-01", "2020-01-01") == first
    assert len(asked) == count
    assert in_force(store, name, "2001-03-31", "2020-01-01").status is Status.VACATIO
    assert len(asked) <= count + 3
    monkeypatch.undo()
    plain = in_memory()
    plain.apply([record(f"{LAW}{n}@2001-04-01;publicacao;2001-03-06", key=f"k{n}") for n in range(99901, 99911)])
    assert first == in_force(plain, name, "2001-05-01", "2020-01-01")
    assert timeline(store, name) == timeline(plain, name)


def test_changed_row_does_not_change_the_cache(record: Callable[..., Record]) -> None:
    store = filled(record)
    for row in store.select(NAMES):
        row.clear()
    for row in store.select(NAMES):
        row.clear()
    assert all(row["name"] for row in store.select(NAMES))


def test_long_answers_are_complete_and_not_cached(
    record: Callable[..., Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = filled(record)
    expected = list(store.select(NAMES))
    monkeypatch.setattr(caching, "_LONGEST", len(expected) - 1)
    other = CachingStore(store)
    assert list(other.select(NAMES)) == list(other.select(NAMES)) == expected


def test_cache_is_bounded(record: Callable[..., Record], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "_REMEMBERED", 10_000)
    store = filled(record)
    query = "SELECT ?work WHERE { ?work <https://w3id.org/vigente/ns#nome> ?name }"
    for number in range(99901, 99911):
        bound = {"name": ox.Literal(f"{LAW}{number}")}
        with pytest.raises(BadQuery):  # a parameter that is not projected
            list(store.select(query, bound))
        assert len(list(store.select(query.replace("?work WHERE", "?work ?name WHERE"), bound))) == 1
    assert 4 <= len(store._held) <= 9  # noqa: SLF001 - the cache has no public size


def test_cache_size_is_measured_in_bytes(record: Callable[..., Record], monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the memory held for cached answers matches its estimate, and stays within twice the limit."""
    many, most = 2_000, 1 << 20
    monkeypatch.setattr(caching, "_REMEMBERED", most)
    store = filled(record)
    long = "SELECT (CONCAT(STR(?at), ?said) AS ?told) ?at WHERE { VALUES ?said { '" + "x" * 10_000 + "' } }"
    tracemalloc.start()
    try:
        for index in range(many):
            assert len(list(store.select(long, {"at": ox.Literal(str(index))}))) == 1
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most / 2 < held < 2 * most


def test_cache_is_thread_safe(record: Callable[..., Record]) -> None:
    store = filled(record)
    statuses: list[object] = []

    def ask() -> None:
        for number in range(99901, 99911):
            statuses.append(in_force(store, f"{LAW}{number}", "2001-05-01", "2020-01-01").status)

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert statuses == [Status.IN_FORCE] * 40


def test_vocabulary_is_read_once_per_store(record: Callable[..., Record]) -> None:
    store = filled(record)
    first = vocabulary(MemoizingStore(store))
    assert vocabulary(MemoizingStore(store)) is first
    assert vocabulary(MemoizingStore(MemoizingStore(store))) is vocabulary(store) is first
    assert vocabulary(filled(record)) is not first
