"""The parts of texts: each provision as each record prints it, in the SQLite file of the index of names."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable

from graph.index_rows import PrintedPart

#: The table. ``edition`` is the number of the text in the table of that name (:mod:`graph.read_model.table`).
PARTS_SCHEMA = """
CREATE TABLE parts (
    edition INTEGER NOT NULL, fragment TEXT NOT NULL, record INTEGER NOT NULL, place INTEGER NOT NULL,
    label TEXT, heading TEXT, words TEXT, markup TEXT, situation TEXT
);
CREATE INDEX parts_of_text ON parts (edition, fragment);
CREATE INDEX parts_of_record ON parts (record);
"""
_OF_TEXT = (
    "SELECT fragment, place, label, heading, words, markup, situation FROM parts "
    "WHERE edition = (SELECT id FROM edition WHERE name = ?1)"
)
#: The condition that a provision has the fragment of the parameter with this number, or one that begins with it.
WITHIN = " AND (fragment = ?{0} OR fragment > ?{0} || '_' AND fragment < ?{0} || '`')"
_OF_RECORD = (
    "SELECT name, fragment, place, label, heading, words, markup, situation FROM parts "
    "JOIN edition ON edition.id = parts.edition WHERE record = ?"
)


class PartsTable:
    """The table of parts of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def of_text(self, text: str, within: Collection[str] | None = None) -> list[PrintedPart]:
        """Return the parts of a text, once for each record and form, in no order.

        Args:
            text: its IRI.
            within: the identifiers of the provisions to read, each with those whose identifiers begin with its own;
                None for all.
        """
        ask = self._connection.execute
        if within is None:
            return [PrintedPart(*row) for row in ask(_OF_TEXT, (text,))]
        some = _OF_TEXT + WITHIN.format(2)
        return [PrintedPart(*row) for fragment in within for row in ask(some, (text, fragment))]

    def of_record(self, record: int) -> list[tuple[str, PrintedPart]]:
        """Return the parts of a record by its number, each with the IRI of its text."""
        return [(text, PrintedPart(*row)) for text, *row in self._connection.execute(_OF_RECORD, (record,))]

    def put(self, record: int, parts: Iterable[tuple[str, PrintedPart]]) -> bool:
        """Replace the parts of a record by its number. Return whether any of them changed.

        Args:
            parts: each with the IRI of its text.
        """
        new = dict.fromkeys(parts)
        if new.keys() == set(self.of_record(record)):
            return False
        ask = self._connection.execute
        ask("DELETE FROM parts WHERE record = ?", (record,))
        for text in dict.fromkeys(text for text, _ in new):
            ask("INSERT OR IGNORE INTO edition (name) VALUES (?)", (text,))
        self._connection.executemany(
            "INSERT INTO parts VALUES ((SELECT id FROM edition WHERE name = ?), ?, ?, ?, ?, ?, ?, ?, ?)",
            [(text, part.fragment, record, *part[1:]) for text, part in new],
        )
        return True
