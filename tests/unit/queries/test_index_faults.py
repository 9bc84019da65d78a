"""Tests that `check` finds each fault of the index, and statements changed behind it, and that `rebuild` mends them."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.entities import Coverage, Provision, Wording
from graph.errors import StoreDamaged
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory, open_snapshot
from graph.store.filling import fill
from graph.store.names import NAMES, NameIndex
from graph.urn import parse
from loaders.pipeline import load
from ontology.namespaces import PREFIXES
from queries.checks.results import Finding
from queries.checks.run import check
from queries.checks.shapes import checks
from tests.support.cases import constant
from tests.support.deriving import dump
from tests.support.records import record

ROOT = Path(__file__).parents[3]
SAMPLES = [ROOT / "samples" / "lexml_xml", ROOT / "tests" / "data" / "planalto"]
#: A version of which a record has the complete text.
WHOLE = "urn:lex:br:federal:lei:2001-03-05;99901@2001-04-01;publicacao;2001-03-06"
#: The checks that compare the index and the derived graph with the records.
FOLLOWING = {"index-follows-graph", "periods-follow-sources"}


def _connection(names: NameIndex) -> sqlite3.Connection:
    with names.reading() as connection:
        return connection


def _indexed(engine: ox.Store) -> NameIndex:
    names = NameIndex(None)
    fill(names, engine)
    names.refresh()
    return names


def _found(store: Store, monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Return the results of the checks by code, without those that are only queries of shapes."""
    wanted = {code: one for code, one in checks().items() if code in FOLLOWING}
    with monkeypatch.context() as patch:
        patch.setattr("queries.checks.run.checks", lambda: wanted)
        found: list[Finding] = []
        try:
            check(store, take=found.append)
        except StoreDamaged as error:
            assert "`vigente rebuild`" in str(error)  # noqa: PT017 - either is a report
            return {("damaged", "")}
    return {(one.code, one.focus) for one in found}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> tuple[ox.Store, NameIndex, list[str]]:
    """Return the graph and index of a sample, and the dump of the index."""
    store = in_memory()
    load(SAMPLES, store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    whole = Provision("art1", None, 1, (Wording(parse(WHOLE), "Art. 1º", None, "A lei vale."),))
    store.apply([replace(record(WHOLE), provisions=(whole,), coverage=Coverage.WHOLE)])
    assert isinstance(store.engine, ox.Store)
    store.names.refresh()
    return store.engine, store.names, list(dump(_connection(store.names)))


@pytest.fixture
def store(loaded: tuple[ox.Store, NameIndex, list[str]]) -> WritableStore:
    """Return a copy of it."""
    engine, names = ox.Store(), NameIndex(None)
    engine.bulk_extend(loaded[0])
    _connection(loaded[1]).backup(_connection(names))
    return WritableStore(engine, None, names)


def _changed(engine: ox.Store, predicate: str, how: str) -> bool:
    """Remove, change or add one statement with a predicate; return whether the sample has any."""
    prefix, _, local = predicate.partition(":")
    found = sorted(engine.quads_for_pattern(None, ox.NamedNode(PREFIXES[prefix] + local), None, None), key=str)
    for quad in found[-1:]:
        term = quad.object
        if isinstance(term, ox.NamedNode):
            other: ox.NamedNode | ox.Literal = ox.NamedNode(f"{term.value}x")
        elif isinstance(term, ox.Literal) and term.datatype.value.endswith("date"):
            other = ox.Literal(str(date.fromisoformat(term.value) + timedelta(1)), datatype=term.datatype)
        else:
            assert isinstance(term, ox.Literal)
            text = "false" if term.value == "true" else term.value + "1"
            other = (
                ox.Literal(text, language=term.language) if term.language else ox.Literal(text, datatype=term.datatype)
            )
        if how != "added":
            engine.remove(quad)
        if how != "removed":
            engine.add(ox.Quad(quad.subject, quad.predicate, other, quad.graph_name))
    return bool(found)


def _statements() -> Iterator[tuple[str, str, str]]:
    for kind in ("derived", "stated"):
        yield from (
            (kind, *case) for case in product(constant("index_faults", kind).split(), ("changed", "removed", "added"))
        )


@pytest.mark.parametrize(("kind", "predicate", "how"), [*_statements()])
def test_statement_changed_behind_the_index_is_found(
    kind: str,
    predicate: str,
    how: str,
    store: WritableStore,
    monkeypatch: pytest.MonkeyPatch,
    loaded: tuple[ox.Store, NameIndex, list[str]],
) -> None:
    assert isinstance(store.engine, ox.Store)
    assert _changed(store.engine, predicate, how)
    assert _found(store, monkeypatch)
    store.rebuild()
    assert _found(store, monkeypatch) == set()
    rebuilt = list(dump(_connection(store.names)))
    assert rebuilt == (loaded[2] if kind == "derived" else list(dump(_connection(_indexed(store.engine)))))


@pytest.mark.parametrize("sql", constant("index_faults", "index").strip().split("\n"))
def test_fault_of_the_index_is_found_and_mended(
    sql: str, store: WritableStore, monkeypatch: pytest.MonkeyPatch, loaded: tuple[ox.Store, NameIndex, list[str]]
) -> None:
    with _connection(store.names) as connection:
        assert connection.execute(sql).rowcount or "stems" in sql
    assert _found(store, monkeypatch)
    store.rebuild()
    assert store.changed
    assert list(dump(_connection(store.names))) == loaded[2]
    assert _found(store, monkeypatch) == set()


def test_stale_norm_of_a_snapshot_is_found(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = shutil.copytree((sample_store / "current").resolve(), tmp_path / "snapshots" / "1")
    with open_snapshot(snapshot) as sound:
        assert _found(sound, monkeypatch) == set()
    with closing(sqlite3.connect(snapshot / NAMES)) as index:
        index.execute("UPDATE norms_sought SET stale = 1 WHERE id = 1")
        index.commit()
    with open_snapshot(snapshot) as stale:
        assert {code for code, _ in _found(stale, monkeypatch)} == {"index-follows-graph"}
