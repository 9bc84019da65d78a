"""What many new records say, waiting to be put into the index of names in order: a file beside that of the index.

The names, keys and beginnings of new records fall everywhere into the tables of the index: taken up one by one, each
reads and writes a page of its own. Here they wait as they come, and go into the tables sorted, those of many records at
once. The file is there as long as anything waits in it. What a killed writer left waiting the next one takes up; where
the killed one had just done so, and only the file was left to be removed, the last record in it tells. The index says
that something waits, so that a file that is gone or not the same is not taken for one in which nothing does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from graph.mapping.index_entries import Said
from graph.store.beginnings import beginning_rows
from graph.store.index_files import remove
from graph.store.keys import key_rows
from graph.store.periods import PeriodsIndex

#: What an index says of itself: that everything was put into it, or all but what waits. A new one says neither.
WHOLE, _WAITED_FOR = 1, 2
# What the file says of itself when it is made.
_MADE = 1

#: How many rows wait at most until they are taken up: those of some 200,000 records.
_ENOUGH = 2_000_000

# Rows are only added: what a killed process was adding is rolled back by the file's own journal, and of a machine that
# went down the whole index is made anew, so that nobody waits for the disk.
_OPEN = "PRAGMA waiting.synchronous = OFF"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS waiting.records (id INTEGER PRIMARY KEY, iri TEXT);
CREATE TABLE IF NOT EXISTS waiting.summaries (name TEXT, record INTEGER, packed TEXT);
CREATE TABLE IF NOT EXISTS waiting.derived (name TEXT, packed TEXT);
CREATE TABLE IF NOT EXISTS waiting.keys (record INTEGER, key TEXT, name TEXT, whose INTEGER);
CREATE TABLE IF NOT EXISTS waiting.beginnings (depth INTEGER, said TEXT, name TEXT, record INTEGER, nickname TEXT);
CREATE TABLE IF NOT EXISTS waiting.words (
    record INTEGER, name TEXT, node TEXT, title TEXT, nicknames TEXT, summary TEXT, text TEXT
);
"""
_COLUMNS = {"records": 2, "summaries": 3, "derived": 2, "keys": 4, "beginnings": 5, "words": 7}
_ADD = {
    table: f"INSERT INTO waiting.{table} VALUES ({', '.join('?' * count)})"  # noqa: S608 - of our own words
    for table, count in _COLUMNS.items()
}
_NEXT_RECORD = """
SELECT 1 + max((SELECT max(id) FROM main.records), coalesce((SELECT max(id) FROM waiting.records), 0))
"""
_LAST_IS_THERE = """
SELECT EXISTS (
    SELECT 1 FROM waiting.records JOIN main.records USING (id, iri)
    WHERE id = (SELECT max(id) FROM waiting.records)
)
"""
_KNOWN = "SELECT iri FROM waiting.records WHERE iri IN (SELECT iri FROM main.records) ORDER BY iri"
# What is still written down was not written in the graph: a killed writer had only begun it.
_UNWRITTEN = """
SELECT id FROM waiting.records JOIN main.pending ON pending.iri = records.iri AND NOT pending.derived
"""
_OF_RECORDS = {"summaries": "record", "keys": "record", "beginnings": "record", "words": "record", "records": "id"}
_DROP = (
    *(
        f"DELETE FROM waiting.{table} WHERE {number} IN ({_UNWRITTEN})"  # noqa: S608 - of our own words
        for table, number in _OF_RECORDS.items()
    ),
    "DELETE FROM waiting.derived WHERE name IN (SELECT iri FROM main.pending WHERE derived)",
)
# What is derived of a work may have come several times: the last counts.
_LAST = "SELECT name, packed FROM waiting.derived WHERE rowid IN (SELECT max(rowid) FROM waiting.derived GROUP BY name)"
_NO_LONGER = f"""
DELETE FROM main.summaries WHERE record = 0 AND name IN (SELECT name FROM ({_LAST}) WHERE packed IS NULL)
"""  # noqa: S608 - of our own words
_LONG = f"""
SELECT name, packed FROM ({_LAST})
WHERE length(packed) >= ? OR name IN (SELECT name FROM main.many) ORDER BY name
"""  # noqa: S608 - of our own words
_TAKE_UP = (
    "INSERT INTO main.records SELECT id, iri FROM waiting.records ORDER BY id",
    f"""
    INSERT OR REPLACE INTO main.summaries
    SELECT name, record, packed FROM (
        SELECT name, record, packed FROM waiting.summaries
        UNION ALL SELECT name, 0, packed FROM ({_LAST}) WHERE packed IS NOT NULL
    ) ORDER BY name, record
    """,  # noqa: S608 - of our own words
    "INSERT OR IGNORE INTO main.keys SELECT key, name, whose FROM waiting.keys ORDER BY key, name, whose",
    """
    INSERT OR REPLACE INTO main.beginnings
    SELECT depth, said, name, record, nickname FROM waiting.beginnings ORDER BY depth, said, name, record
    """,
)
# Words are found by numbers that only grow.
_LAST_WORDS = "SELECT coalesce(max(id), 0) FROM main.worded"
_WORDS = (
    "INSERT INTO main.worded SELECT ? + rowid, record, name, node FROM waiting.words ORDER BY rowid",
    """
    INSERT INTO main.words (rowid, title, nicknames, summary, text)
    SELECT ? + rowid, title, nicknames, summary, text FROM waiting.words ORDER BY rowid
    """,
)


class Waiting:
    """What waits beside an index; who has the index sees to errors, and that one writes at a time.

    Args:
        connection: to the index.
        index: its file.

    Attributes:
        file: the file in which it waits.
    """

    def __init__(self, connection: sqlite3.Connection, index: Path) -> None:
        self._connection = connection
        self.file = index.with_name(f"{index.stem}-waiting{index.suffix}")
        self._attached = False
        self._rows = 0

    @property
    def is_left(self) -> bool:
        """Whether a writer before has left anything waiting, or the file in which it did."""
        return self._is_waited_for or self.file.exists()

    @property
    def _is_waited_for(self) -> bool:
        """Whether the index says that anything waits."""
        return bool(self._connection.execute("PRAGMA main.user_version").fetchone()[0] == _WAITED_FOR)

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return self._attached

    @property
    def is_enough(self) -> bool:
        """Whether so much waits that it is to be taken up."""
        return self._rows >= _ENOUGH

    def add(self, records: Mapping[str, Said], derived: Mapping[str, str | None]) -> None:
        """Let records wait of which the index says nothing, and what is derived of works; all of it or nothing."""
        self.attach()
        if self._connection.execute("PRAGMA main.user_version").fetchone()[0] == WHOLE:
            self._connection.execute(f"PRAGMA main.user_version = {_WAITED_FOR}")
        ask, add = self._connection.execute, self._connection.executemany
        with self._connection:
            ask("BEGIN")
            ((number,),) = ask(_NEXT_RECORD)
            saying = ((iri, said) for iri, said in records.items() if any(said))
            speaking = [(each, iri, said) for each, (iri, said) in enumerate(saying, number)]
            rows: dict[str, Iterable[tuple[object, ...]]] = {
                "records": ((each, iri) for each, iri, _ in speaking),
                "summaries": ((name, each, packed) for each, _, said in speaking for name, packed in said.summaries),
                "derived": derived.items(),
                "keys": ((each, *row) for each, _, said in speaking for row in key_rows(each, said.keys)),
                "beginnings": (row for each, _, said in speaking for row in beginning_rows(each, said.beginnings)),
                "words": ((each, *worded) for each, _, said in speaking for worded in said.words),
            }
            for table, some in rows.items():
                self._rows += max(0, add(_ADD[table], some).rowcount)

    def attach(self) -> None:
        """Open the file, or make it.

        Raises:
            sqlite3.DatabaseError: something waits, by what the index says, and not in this file.
        """
        if not self._attached:
            ask = self._connection.execute
            ask("ATTACH ? AS waiting", (str(self.file),))
            self._attached = True
            if self._is_waited_for and ask("PRAGMA waiting.user_version").fetchone()[0] != _MADE:
                raise sqlite3.DatabaseError(f"what waits in {self.file} is gone")
            ask(_OPEN)
            with self._connection:
                for table in _SCHEMA.split(";")[:-1]:
                    ask(table)
            ask(f"PRAGMA waiting.user_version = {_MADE}")

    def drop_unwritten(self) -> None:
        """Forget what a killed writer let wait and did not come to write in the graph; what has been taken up stays."""
        ask = self._connection.execute
        if not ask(_LAST_IS_THERE).fetchone()[0]:
            with self._connection:
                for sql in _DROP:
                    ask(sql)

    def known(self) -> list[str]:
        """The IRIs of records that wait and of which the index says something all the same; none where all that waits
        has been taken up already."""
        ask = self._connection.execute
        return [] if ask(_LAST_IS_THERE).fetchone()[0] else [iri for (iri,) in ask(_KNOWN)]

    def take_up(self, periods: PeriodsIndex) -> None:
        """Put all that waits into the tables of the index, where it says nothing of these records."""
        ask = self._connection.execute
        if self._is_waited_for:
            ask(f"PRAGMA main.user_version = {WHOLE}")
        if ask(_LAST_IS_THERE).fetchone()[0]:
            return
        for name, packed in ask(_LONG, (periods.long,)).fetchall():
            periods.replace(name, packed)
        ask(_NO_LONGER)
        for sql in _TAKE_UP:
            ask(sql)
        ((last,),) = ask(_LAST_WORDS)
        for sql in _WORDS:
            ask(sql, (last,))

    def forget(self) -> None:
        """Remove the file: nothing in it is waited for any more.

        Raises:
            OSError: it cannot be removed.
        """
        if self._attached:
            self._connection.execute("DETACH waiting")
            self._attached = False
        self._rows = 0
        remove(self.file)
