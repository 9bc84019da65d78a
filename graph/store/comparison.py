"""Compares the index of names with the graph: entries of records, rows of norms, and rows that belong to nothing."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import pyoxigraph as ox

from graph.acts import OF_YEAR
from graph.index_entries import index_entries_from
from graph.index_rows import IS_ABOUT, IndexEntries
from graph.patterns import OWN_LIFE, PERIOD_OF, PROVISION_OF, TARGET
from graph.read_model.parts import PartsTable
from graph.read_model.table import USED_EDITIONS, USED_REASONS
from graph.store.engine import Engine
from graph.store.filling import entries_of
from graph.store.fulltext import FullTextIndex
from graph.store.lookup import beginning_rows, key_rows
from graph.store.names import NameIndex
from graph.store.words import WordsIndex
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import FRBROO, RDF

_TYPE, _WORK = ox.NamedNode(RDF["type"]), ox.NamedNode(FRBROO["F15_Complex_Work"])
_NO_RECORD = "NOT IN (SELECT id FROM records)"
_NORM_OF_NAME = "substr(name, 1, instr(name || '!', '!') - 1)"
_OF_RECORD = "SELECT name, packed FROM summaries WHERE record = ?"
_ABOUT_NORM = "SELECT record, packed FROM summaries WHERE name = ? AND record > 0 AND instr(packed, ?)"
#: The rows of tables that belong to nothing: the table, the IRI that a row has or NULL, and how to select them.
_UNFOUNDED = (
    ("pending", "iri", "pending WHERE put = 0"),
    ("summaries", "name", f"summaries WHERE record > 0 AND record {_NO_RECORD}"),
    ("parts", "NULL", f"parts WHERE record {_NO_RECORD}"),
    ("parts", "NULL", "parts WHERE edition NOT IN (SELECT id FROM edition)"),
    ("editions_sought", "text", f"editions_sought WHERE record {_NO_RECORD}"),
    ("worded", "name", f"worded WHERE record {_NO_RECORD}"),
    ("worded", "name", f"worded LEFT JOIN norms_sought ON norms_sought.id = norm WHERE iri IS NOT {_NORM_OF_NAME}"),
    ("words", "NULL", "words_docsize WHERE id NOT IN (SELECT id FROM worded)"),
    ("stems", "NULL", "stems_docsize WHERE id NOT IN (SELECT id FROM worded)"),
    ("stems", "name", "worded WHERE id NOT IN (SELECT id FROM stems_docsize)"),
    ("provision", "NULL", "provision WHERE norm NOT IN (SELECT id FROM norms_sought)"),
    ("history", "NULL", "history WHERE provision NOT IN (SELECT id FROM provision)"),
    ("history", "NULL", "history WHERE version NOT NULL AND version NOT IN (SELECT id FROM edition)"),
    ("history", "NULL", "history WHERE shown NOT NULL AND shown NOT IN (SELECT id FROM edition)"),
    ("made", "NULL", "made WHERE provision NOT IN (SELECT id FROM provision)"),
    ("made", "NULL", "made WHERE version NOT IN (SELECT id FROM edition)"),
    ("history", "NULL", "history WHERE about NOT NULL AND about NOT IN (SELECT id FROM edition)"),
    ("history", "NULL", "history WHERE because NOT NULL AND because NOT IN (SELECT id FROM reasons)"),
    ("edition", "NULL", f"edition WHERE id NOT IN ({USED_EDITIONS})"),
    ("reasons", "NULL", f"reasons WHERE id NOT IN ({USED_REASONS})"),
    ("kinds_sought", "example", "kinds_sought WHERE id NOT IN (SELECT kind FROM norms_sought)"),
)


class Difference(NamedTuple):
    """A difference between the index and the graph.

    Attributes:
        node: the IRI of the record, norm or provision; None if the rows have none.
        table: the table of the index.
    """

    node: str | None
    table: str


class IndexComparison:
    """Compares an index with its graph. Large tables are read row by row.

    Args:
        names: the index.
        engine: the graph.

    All methods raise :class:`graph.errors.StoreDamaged` if the index cannot be read.
    """

    def __init__(self, names: NameIndex, engine: Engine) -> None:
        self._names, self._engine = names, engine

    def all(self) -> Iterator[Difference]:
        """Yield all differences."""
        for record in self.records():
            yield from self.of_record(record)
        for norm in self.norms():
            yield from self.of_norm(norm)
        yield from self.unfounded()

    def records(self) -> Iterator[str]:
        """Yield the IRIs of the records of the graph, and of those that only the index has."""
        for graph in self._engine.named_graphs():
            if isinstance(graph, ox.NamedNode) and graph.value != DERIVED_GRAPH:
                yield graph.value
        with self._names.reading() as connection:
            for (record,) in connection.execute("SELECT iri FROM records WHERE id > 0"):
                if not self._engine.contains_named_graph(ox.NamedNode(record)):
                    yield record

    def norms(self) -> Iterator[str]:
        """Yield the IRIs of the norms with rows."""
        with self._names.reading() as connection:
            for (norm,) in connection.execute("SELECT iri FROM norms_sought"):
                yield norm

    def of_record(self, record: str) -> Iterator[Difference]:
        """Yield the tables whose entries of a record are not those that its statements have."""
        entries = entries_of(self._engine, record)
        with self._names.reading() as connection:
            known = connection.execute("SELECT id, digest FROM records WHERE iri = ?", (record,)).fetchone()
            is_embedded = isinstance(self._engine, ox.Store)  # others may write the same statements differently
            if (known is not None) != any(entries) or (known and is_embedded and known[1] != entries.digest):
                yield Difference(record, "records")
            if known is None:
                return
            tables = _stored_entries(connection, known[0])
            for table, stored, stated in zip(
                ("summaries", "words", "editions_sought", "parts"),
                tables,
                (entries.summaries, entries.words, entries.editions, [*dict.fromkeys(entries.parts)]),
                strict=True,
            ):
                if Counter(stored) != Counter(stated):
                    yield Difference(record, table)
            for table, rows in _lookups(known[0], entries).items():
                if any(connection.execute(_IS_IN[table], row).fetchone() is None for row in rows):
                    yield Difference(record, table)
            norms = {name.partition("!")[0] for name, packed in entries.summaries if IS_ABOUT in packed}
            full_text = FullTextIndex(connection)
            yield from (Difference(norm, "norms_sought") for norm in norms if full_text.number_if_known(norm) is None)

    def of_norm(self, norm: str) -> Iterator[Difference]:
        """Yield the norm and its provisions whose rows are not those that follow from the summaries of the index."""
        with self._names.reading() as connection:
            full_text = FullTextIndex(connection)
            if not full_text.is_sound(norm):
                yield Difference(norm, "norms_sought")
            number = full_text.number_if_known(norm)
            for name in full_text.history.differing(number, norm) if number is not None else ():
                yield Difference(name, "history")

    def unfounded(self) -> Iterator[Difference]:
        """Yield the rows that belong to no record, norm or work."""
        with self._names.reading() as connection:
            for table, node, rows in _UNFOUNDED:
                for (name,) in connection.execute(f"SELECT {node} FROM {rows}"):  # noqa: S608 - of this module
                    yield Difference(name, table)
            for (name,) in connection.execute("SELECT name FROM summaries WHERE record = 0"):
                if not self._may_have_periods(ox.NamedNode(name)):
                    yield Difference(name, "summaries")
            founded = _founded_lookups(connection)
            for table in ("keys", "beginnings"):
                columns = "name, record, key, name, record" if table == "keys" else "name, record, *"
                for name, record, *row in connection.execute(f"SELECT {columns} FROM {table}"):  # noqa: S608 - ours
                    if tuple(row) not in founded(name, record)[table]:
                        yield Difference(name, table)

    def _may_have_periods(self, node: ox.NamedNode) -> bool:
        """Return whether `vigente check` compares the derived summary of a name, because the graph has it."""
        look = self._engine.quads_for_pattern
        is_norm = any(look(node, _TYPE, _WORK)) and not any(look(node, PROVISION_OF, None))
        own = (look(node, predicate, None) for predicate in (OWN_LIFE, OF_YEAR))
        of_it = (look(None, predicate, node) for predicate in (TARGET, PERIOD_OF))
        return is_norm or any(any(quads) for quads in chain(own, of_it))


_IS_IN = {
    "keys": "SELECT 1 FROM keys WHERE (key, name, record) = (?, ?, ?)",
    "beginnings": "SELECT 1 FROM beginnings WHERE (depth, said, name, record, nickname) = (?, ?, ?, ?, ?)",
}


def _stored_entries(connection: sqlite3.Connection, record: int) -> tuple[list[object], ...]:
    full_text = FullTextIndex(connection)
    return (
        list(connection.execute(_OF_RECORD, (record,))),
        [*WordsIndex(connection, full_text).of(record)],
        [*full_text.editions(record)],
        [*PartsTable(connection).of_record(record)],
    )


def _lookups(record: int, entries: IndexEntries) -> dict[str, set[tuple[object, ...]]]:
    """Return the rows of keys and beginnings that a record has."""
    return {"keys": set(key_rows(record, entries.keys)), "beginnings": set(beginning_rows(record, entries.beginnings))}


def _founded_lookups(connection: sqlite3.Connection) -> Callable[[str, int], dict[str, set[tuple[object, ...]]]]:
    """Return a function of a norm and a record, 0 for all: the rows of keys and beginnings that may be of them."""
    words = WordsIndex(connection, FullTextIndex(connection))

    @lru_cache(1 << 12)
    def founded(name: str, record: int) -> dict[str, set[tuple[object, ...]]]:
        rows: dict[str, set[tuple[object, ...]]] = {"keys": set(), "beginnings": set()}
        about = dict(connection.execute(_ABOUT_NORM, (name, IS_ABOUT)).fetchall())
        for number in about if record == 0 else (record,):
            summaries = [(name, about[number])] if number in about else []
            entries = index_entries_from(summaries, [] if record == 0 else words.of(number, name))
            for table, found in _lookups(number, entries).items():
                rows[table] |= found
        return rows

    return founded
