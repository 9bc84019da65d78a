"""The tables of the index of names that find works by a part of their name, and complete names.

The caller of the methods that write handles transactions and errors.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from graph.index_rows import DEPTHS, IS_ABOUT, Beginning, LookupKey
from graph.store.index_file import reading

# Lookup keys (docs/decisions/0017).


#: The table. A key made from a name is stored once, with record 0; a key made from a nickname once for each record.
KEYS_SCHEMA = """
CREATE TABLE keys (
    key TEXT NOT NULL, name TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (key, name, record)
) WITHOUT ROWID;
"""
_OF_ALL = 0
_KEYS_COME = "INSERT OR IGNORE INTO keys VALUES (?, ?, ?)"
_KEYS_GONE = "DELETE FROM keys WHERE key = ? AND name = ? AND record = ?"
_NO_MORE = f"""
DELETE FROM keys WHERE key = ? AND name = ? AND record = {_OF_ALL} AND NOT EXISTS (
    SELECT 1 FROM summaries WHERE summaries.name = keys.name AND summaries.record > 0 AND instr(packed, '{IS_ABOUT}')
)
"""  # noqa: S608 - both are constants of this program
_KEYS_FIND = "SELECT DISTINCT name FROM keys WHERE key >= ? AND key < ? ORDER BY key, name LIMIT ?"
#: A character that sorts after every character of a key.
_KEYS_END = "\U0010ffff"


class KeysIndex:
    """The table of keys of a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def put(self, record: int, keys: Iterable[LookupKey], before: Iterable[LookupKey] = ()) -> None:
        """Replace the keys ``before`` of a record; call this after its summaries were replaced."""
        old, new = set(before), set(keys)
        self.connection.executemany(_KEYS_COME, sorted(key_rows(record, new - old)))
        if gone := sorted(old - new):
            self.connection.executemany(_KEYS_GONE, [(key, name, record) for key, name, called in gone if called])
            self.connection.executemany(_NO_MORE, [(key, name) for key, name, called in gone if not called])

    @reading
    def find(self, start: str, limit: int) -> list[str]:
        """Return the IRIs of the works whose keys have a prefix, sorted by key and name.

        Args:
            start: the prefix, as the functions of :mod:`graph.references` return keys.
            limit: the maximum number.
        """
        return [name for (name,) in self.connection.execute(_KEYS_FIND, (start, start + _KEYS_END, limit))]


def key_rows(record: int, keys: Iterable[LookupKey]) -> Iterator[tuple[str, str, int]]:
    """Yield the rows of the keys of a record."""
    for key, name, called in keys:
        yield key, name, record if called else _OF_ALL


# Beginnings of names: the table that completes the name of a norm as people write it.


#: The table. ``depth`` sorts federal norms before those of states, and these before those of municipalities.
BEGINNINGS_SCHEMA = """
CREATE TABLE beginnings (
    depth INTEGER NOT NULL, said TEXT NOT NULL, name TEXT NOT NULL, record INTEGER NOT NULL, nickname TEXT NOT NULL,
    PRIMARY KEY (depth, said, name, record)
) WITHOUT ROWID;
"""
# The next norm or beginning; other records about the same norm are skipped.
_NEXT = """
SELECT said, name, nickname FROM beginnings WHERE depth = ? AND (said, name, record) > (?, ?, ?) AND said < ?
ORDER BY said, name, record LIMIT 1
"""
_BEGINNINGS_GONE = "DELETE FROM beginnings WHERE depth = ? AND said = ? AND name = ? AND record = ?"
_BEGINNINGS_COME = "INSERT INTO beginnings VALUES (?, ?, ?, ?, ?)"
# A number above that of every record.
_LAST_RECORD = (1 << 63) - 1
#: A character that sorts after every letter and digit.
_BEGINNINGS_END = "{"


class BeginningsIndex:
    """The table of beginnings of a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def prepare(self) -> None:
        """Drop an index of earlier releases, which is no longer used and as large as the table."""
        self.connection.execute("DROP INDEX IF EXISTS beginnings_of_record")

    def put(self, record: int, beginnings: Iterable[Beginning], before: Iterable[Beginning] = ()) -> None:
        """Replace the beginnings of a record."""
        old, new = _nicknames(before), _nicknames(beginnings)
        changed = dict(new.items() - old.items())
        gone = sorted(key for key in old if key in changed or key not in new)
        self.connection.executemany(_BEGINNINGS_GONE, [(*key, record) for key in gone])
        self.connection.executemany(_BEGINNINGS_COME, [(*key, record, changed[key]) for key in sorted(changed)])

    @reading
    def find(self, prefix: str, limit: int) -> list[tuple[str, str]]:
        """Return the norms whose names or nicknames begin with a prefix.

        Each item is an IRI and the nickname that matched, or an empty text if the name matched.

        Args:
            prefix: in the form of :func:`graph.index_entries.plain_form`; not empty.
            limit: the maximum number of beginnings read at each depth; a norm may have several.
        """
        matches: dict[str, str] = {}
        for depth in range(DEPTHS):
            last, end = (prefix, "", _LAST_RECORD), prefix + _BEGINNINGS_END
            for _ in range(limit):
                row = self.connection.execute(_NEXT, (depth, *last, end)).fetchone()
                if row is None:
                    break
                last = (row[0], row[1], _LAST_RECORD)
                matches.setdefault(row[1], row[2])
        return list(matches.items())


def beginning_rows(record: int, beginnings: Iterable[Beginning]) -> Iterator[tuple[int, str, str, int, str]]:
    """Yield the rows of the beginnings of a record."""
    return ((*key, record, nickname) for key, nickname in _nicknames(beginnings).items())


def _nicknames(beginnings: Iterable[Beginning]) -> dict[tuple[int, str, str], str]:
    """Return the nickname of each beginning: the first if there are several."""
    nicknames: dict[tuple[int, str, str], str] = {}
    for depth, text, name, nickname in beginnings:
        nicknames.setdefault((depth, text, name), nickname)
    return nicknames
