"""The words of norms and provisions, with accents and case folded: a full-text index in the file of names."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from graph.index_rows import IndexedText
from graph.store.fulltext import FullTextIndex
from graph.store.index_file import reading

#: The number of characters read of each field of an entry: title, nicknames, summary, text.
READ_OF_EACH = 100_000

#: The tables (SQLite FTS5). The ordinal signs separate words: "5º" is found as 5.
WORDS_SCHEMA = """
CREATE TABLE worded (
    id INTEGER PRIMARY KEY, record INTEGER NOT NULL, name TEXT NOT NULL, node TEXT NOT NULL, norm INTEGER NOT NULL,
    provision INTEGER, edition INTEGER
);
CREATE INDEX worded_of_record ON worded (record);
CREATE INDEX worded_of_norm ON worded (norm);
CREATE VIRTUAL TABLE words USING fts5(
    title, nicknames, summary, text, tokenize = "unicode61 remove_diacritics 2 separators 'ºª°'"
);
"""
# The weight of a word by its field: titles, nicknames, summaries, text.
_WEIGHTS = "8.0, 10.0, 4.0, 1.0"
# Only the best results are read, up to the length of an excerpt. The time of FTS5's own snippet() is quadratic in the
# number of matches in a text.
_WORDS_FIND = f"""
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
    """An entry that matches a search.

    Attributes:
        name: the IRI of the norm or provision.
        of: the IRI of the text; the name itself if the words are not of a version.
        record: the IRI of the record.
        score: higher is better.
        texts: title, nicknames, summary and text, each up to :data:`READ_OF_EACH` characters.
    """

    name: str
    of: str
    record: str
    score: float
    texts: tuple[str, ...]


class WordsIndex:
    """The tables of words of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection, full_text: FullTextIndex) -> None:
        self.connection = connection
        self._full_text = full_text

    def of(self, record: int, name: str | None = None) -> list[IndexedText]:
        """Return the words of a record by its number, or only those of a name in it, sorted by node."""
        rows = self.connection.execute(
            "SELECT name, node, title, nicknames, summary, text FROM worded JOIN words ON words.rowid = worded.id "
            "WHERE record = ?1 AND (?2 IS NULL OR name = ?2) ORDER BY node",
            (record, name),
        )
        return [IndexedText(*row) for row in rows]

    def put(self, records: Mapping[int, Iterable[IndexedText]]) -> None:
        """Replace the words of records, by number.

        All removals come first, then all additions, each in ascending order of the numbers: FTS5 flushes its buffer
        whenever a number is lower than the previous one.
        """
        ask = self.connection.execute
        before = (
            "SELECT id, name, title, nicknames, summary, text FROM worded JOIN words ON words.rowid = worded.id "
            "WHERE record = ?"
        )
        for number, name, *texts in sorted(row for record in records for row in ask(before, (record,)).fetchall()):
            self._full_text.remove(number, name, texts)
            ask("DELETE FROM words WHERE rowid = ?", (number,))
            ask("DELETE FROM worded WHERE id = ?", (number,))
        for record, words in records.items():
            for word in words:
                norm = self._full_text.number_of(word.name)
                sql = "INSERT INTO worded (record, name, node, norm) VALUES (?, ?, ?, ?)"
                number = ask(sql, (record, *word[:2], norm)).lastrowid
                sql = "INSERT INTO words (rowid, title, nicknames, summary, text) VALUES (?, ?, ?, ?, ?)"
                ask(sql, (number, *word[2:]))
                self._full_text.add(int(number or 0), word.name, word[2:])

    def remake_terms(self) -> None:
        """Make the search terms of all words again."""
        self._full_text.forget()
        sql = (
            "SELECT id, name, title, nicknames, summary, text FROM worded JOIN words ON words.rowid = worded.id "
            "ORDER BY id"
        )
        for number, name, *texts in self.connection.execute(sql):
            self._full_text.add(number, name, texts)

    @reading
    def find(
        self, match: str, limit: int, kinds: Collection[int] | None = None, year: int | None = None
    ) -> list[WordsFound]:
        """Return the entries that match a query, best first.

        Args:
            match: a query in FTS5's language.
            limit: the maximum number.
            kinds: ids of the places, authorities and types of the norms; None for all.
            year: of the norms; None for any.
        """
        parameters = {
            "match": match,
            "limit": limit,
            "kinds": None if kinds is None else str(sorted(kinds)),
            "year": year,
        }
        rows = self.connection.execute(_WORDS_FIND, parameters)
        return [WordsFound(name, of, record, -score, tuple(texts)) for name, of, record, score, *texts in rows]
