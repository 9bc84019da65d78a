"""How names of norms begin when people write them: the table in which they are found."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from graph.mapping.index_entries import DEPTHS, Beginning

#: The table: the country's norms before those of states, these before those of towns; within each by what is said.
BEGINNINGS_SCHEMA = """
CREATE TABLE beginnings (
    depth INTEGER NOT NULL, said TEXT NOT NULL, name TEXT NOT NULL, record INTEGER NOT NULL, nickname TEXT NOT NULL,
    PRIMARY KEY (depth, said, name, record)
) WITHOUT ROWID;
"""
# The next norm or beginning: many records may speak of one norm, and are not read through.
_NEXT = """
SELECT said, name, nickname FROM beginnings WHERE depth = ? AND (said, name, record) > (?, ?, ?) AND said < ?
ORDER BY said, name, record LIMIT 1
"""
_GONE = "DELETE FROM beginnings WHERE depth = ? AND said = ? AND name = ? AND record = ?"
_COME = "INSERT INTO beginnings VALUES (?, ?, ?, ?, ?)"
# No record has a higher number.
_LAST_RECORD = (1 << 63) - 1
#: Behind every letter and digit.
_END = "{"


class BeginningsIndex:
    """The table of beginnings of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def prepare(self) -> None:
        """Drop a table of earlier releases that is not used any more and is as large as this one."""
        self._connection.execute("DROP INDEX IF EXISTS beginnings_of_record")

    def put(self, record: int, beginnings: Iterable[Beginning], before: Iterable[Beginning] = ()) -> None:
        """Replace the beginnings of a record."""
        old, new = _nicknames(before), _nicknames(beginnings)
        changed = dict(new.items() - old.items())
        gone = sorted(key for key in old if key in changed or key not in new)
        self._connection.executemany(_GONE, [(*key, record) for key in gone])
        self._connection.executemany(_COME, [(*key, record, changed[key]) for key in sorted(changed)])

    def find(self, said: str, limit: int) -> list[tuple[str, str]]:
        """What begins so: names of norms, each with the nickname that it was found by, or an empty text.

        Args:
            said: as :func:`graph.mapping.index_entries.said_plainly` writes it; not empty.
            limit: how many beginnings at most are looked at of each depth; a norm may have several.
        """
        found: dict[str, str] = {}
        for depth in range(DEPTHS):
            last, end = (said, "", _LAST_RECORD), said + _END
            for _ in range(limit):
                row = self._connection.execute(_NEXT, (depth, *last, end)).fetchone()
                if row is None:
                    break
                last = (row[0], row[1], _LAST_RECORD)
                found.setdefault(row[1], row[2])
        return list(found.items())


def beginning_rows(record: int, beginnings: Iterable[Beginning]) -> Iterator[tuple[int, str, str, int, str]]:
    """The rows of the beginnings that a record has."""
    for (depth, said, name), nickname in _nicknames(beginnings).items():
        yield depth, said, name, record, nickname


def _nicknames(beginnings: Iterable[Beginning]) -> dict[tuple[int, str, str], str]:
    """Return the nickname of each beginning: the first if there are several."""
    found: dict[tuple[int, str, str], str] = {}
    for depth, said, name, nickname in beginnings:
        found.setdefault((depth, said, name), nickname)
    return found
