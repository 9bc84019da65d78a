"""The words of norms and provisions, found with accents and case folded: a full-text index in the file of names."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from graph.mapping.index_entries import Worded
from graph.store.fulltext import FullTextIndex

#: How much is read of each title, nicknames, summary or text that is found, in characters.
READ_OF_EACH = 100_000

#: The tables (SQLite FTS5). The ordinal signs part words: "5º" is found as 5.
WORDS_SCHEMA = """
CREATE TABLE worded (
    id INTEGER PRIMARY KEY, record INTEGER NOT NULL, name TEXT NOT NULL, node TEXT NOT NULL, norm INTEGER NOT NULL
);
CREATE INDEX worded_of_record ON worded (record);
CREATE INDEX worded_of_norm ON worded (norm);
CREATE VIRTUAL TABLE words USING fts5(
    title, nicknames, summary, text, tokenize = "unicode61 remove_diacritics 2 separators 'ºª°'"
);
"""
# The weight of a word by its field: titles, nicknames, summaries, text.
_WEIGHTS = "8.0, 10.0, 4.0, 1.0"
# Of what is found only the best are read, and no more of each than an excerpt needs. FTS5's own snippet() takes time by
# the square of how often a text has the words.
_FIND = f"""
SELECT best.name, best.node, best.iri, best.score, substr(words.title, 1, {READ_OF_EACH}),
    substr(words.nicknames, 1, {READ_OF_EACH}), substr(words.summary, 1, {READ_OF_EACH}),
    substr(words.text, 1, {READ_OF_EACH})
FROM (
    SELECT worded.id, name, node, records.iri AS iri, bm25(words, {_WEIGHTS}) AS score
    FROM words JOIN worded ON worded.id = words.rowid JOIN records ON records.id = worded.record
    JOIN norms_sought ON norms_sought.id = worded.norm
    WHERE words MATCH :match AND (:year IS NULL OR norms_sought.year = :year)
        AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
    ORDER BY score, name, node, iri LIMIT :limit
) AS best JOIN words ON words.rowid = best.id ORDER BY best.score, best.name, best.node, best.iri
"""  # noqa: S608 - of our own numbers


class WordsFound(NamedTuple):
    """Words that were found: whose they are, what has them, in which record, how well they fit, and where they stand.

    ``texts`` are its title, nicknames, summary and text, each no further than :data:`READ_OF_EACH` characters.
    """

    name: str
    of: str
    record: str
    score: float
    texts: tuple[str, ...]


class WordsIndex:
    """The tables of words of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection, full_text: FullTextIndex) -> None:
        self._connection = connection
        self._full_text = full_text

    def of(self, record: int) -> list[Worded]:
        """The words of a record, in order."""
        rows = self._connection.execute(
            "SELECT name, node, title, nicknames, summary, text FROM worded JOIN words ON words.rowid = worded.id "
            "WHERE record = ? ORDER BY node",
            (record,),
        )
        return [Worded(*row) for row in rows]

    def put(self, records: Mapping[int, Iterable[Worded]]) -> None:
        """Take up the words of records, by number, in place of those that they had.

        All that goes is taken away first, then what comes is added, each in the order of its numbers: FTS5 writes out
        what it holds whenever a number is lower than the one before.
        """
        ask = self._connection.execute
        before = (
            "SELECT id, name, title, nicknames, summary, text FROM worded JOIN words ON words.rowid = worded.id "
            "WHERE record = ?"
        )
        for number, name, *texts in sorted(row for record in records for row in ask(before, (record,)).fetchall()):
            self._full_text.remove(number, name, texts)
            ask("DELETE FROM words WHERE rowid = ?", (number,))
            ask("DELETE FROM worded WHERE id = ?", (number,))
        for record, words in records.items():
            for one in words:
                norm = self._full_text.number_of(one.name)
                sql = "INSERT INTO worded (record, name, node, norm) VALUES (?, ?, ?, ?)"
                number = ask(sql, (record, *one[:2], norm)).lastrowid
                sql = "INSERT INTO words (rowid, title, nicknames, summary, text) VALUES (?, ?, ?, ?, ?)"
                ask(sql, (number, *one[2:]))
                self._full_text.add(int(number or 0), one.name, one[2:])

    def remake_terms(self) -> None:
        """Make the terms of all words again."""
        self._full_text.forget()
        sql = (
            "SELECT id, name, title, nicknames, summary, text FROM worded JOIN words ON words.rowid = worded.id "
            "ORDER BY id"
        )
        for number, name, *texts in self._connection.execute(sql):
            self._full_text.add(number, name, texts)

    def find(
        self, match: str, limit: int, kinds: Collection[int] | None = None, year: int | None = None
    ) -> list[WordsFound]:
        """What has some words, best first.

        Args:
            match: a query in FTS5's language.
            limit: how many at most.
            kinds: ids of the places, authorities and types of the norms; None for all.
            year: of the norms; None for any.
        """
        said = {"match": match, "limit": limit, "kinds": None if kinds is None else str(sorted(kinds)), "year": year}
        rows = self._connection.execute(_FIND, said)
        return [WordsFound(name, of, record, -score, tuple(texts)) for name, of, record, score, *texts in rows]
