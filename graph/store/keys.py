"""Lookup keys: the table by which works are found when a question says less than their name (docs/decisions/0017)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from graph.mapping.index_entries import SPOKEN_OF, Keyed

#: The table: a key that follows from the name stands once, whoever speaks of the work; a nickname for each record.
KEYS_SCHEMA = """
CREATE TABLE keys (
    key TEXT NOT NULL, name TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (key, name, record)
) WITHOUT ROWID;
"""
_OF_ALL = 0
_COME = "INSERT OR IGNORE INTO keys VALUES (?, ?, ?)"
_GONE = "DELETE FROM keys WHERE key = ? AND name = ? AND record = ?"
_NO_MORE = f"""
DELETE FROM keys WHERE key = ? AND name = ? AND record = {_OF_ALL} AND NOT EXISTS (
    SELECT 1 FROM summaries WHERE summaries.name = keys.name AND summaries.record > 0 AND instr(packed, '{SPOKEN_OF}')
)
"""  # noqa: S608 - both are constants of this program
_FIND = "SELECT DISTINCT name FROM keys WHERE key >= ? AND key < ? ORDER BY key, name LIMIT ?"
#: Behind every character of a key.
_END = "\U0010ffff"


class KeysIndex:
    """The table of keys within a connection; who has it sees to transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(self, record: int, keys: Iterable[Keyed], before: Iterable[Keyed] = ()) -> None:
        """Take up what a record has in place of what it had before; its summaries were taken up already."""
        old, new = set(before), set(keys)
        self._connection.executemany(_COME, sorted(key_rows(record, new - old)))
        if gone := sorted(old - new):
            self._connection.executemany(_GONE, [(key, name, record) for key, name, called in gone if called])
            self._connection.executemany(_NO_MORE, [(key, name) for key, name, called in gone if not called])

    def find(self, start: str, limit: int) -> list[str]:
        """The IRIs of the works whose keys begin so, by key and name.

        Args:
            start: as the functions of :mod:`graph.lookup` make it.
            limit: how many at most.
        """
        return [name for (name,) in self._connection.execute(_FIND, (start, start + _END, limit))]


def key_rows(record: int, keys: Iterable[Keyed]) -> Iterator[tuple[str, str, int]]:
    """The rows of the keys that a record has."""
    for key, name, called in keys:
        yield key, name, record if called else _OF_ALL
