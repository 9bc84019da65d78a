"""The index of names: an SQLite file with summaries of each norm and provision (docs/decisions/0012).

It repeats the statements of the graph, record by record, in the form that answers need, and is stored beside the graph.
Before the graph changes, the affected records and works are listed in the index. The transaction that changes the index
marks them as put. After a kill, the next opening makes the listed entries again from the graph.
"""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import randbits
from threading import Lock
from typing import NamedTuple
from urllib.parse import quote
from weakref import finalize

from graph.errors import StoreDamaged, hint_for
from graph.index_rows import DEPTHS, IS_ABOUT, Beginning, IndexedText, IndexEntries, LookupKey, PrintedPart
from graph.read_model.parts import PARTS_SCHEMA, PartsTable
from graph.read_model.table import HISTORY_SCHEMA, HistoryTable, StoredRow, texts_with_parts
from graph.store.fulltext import FULLTEXT_SCHEMA, Clause, Filters, FullTextIndex, Join, Kind, SearchPage
from graph.store.journal import sync_to_disk
from ontology.iris import DERIVED_GRAPH

# Opens the file of an index of names: for its writer, or as an immutable copy.


# The size of SQLite's page cache in KiB, for a reader and for the writer. New rows are spread over a large file, so a
# larger cache would not help.
_CACHE, _WRITERS_CACHE = 32 << 10, 16 << 10
# The maximum size of the memory-mapped part of a file, in bytes: SQLite maps no more.
_MAPPED = 0x7FFF0000
# The number of pages of SQLite's log before a checkpoint; until then changes are read from the log.
_LOGGED = 16_384
# The file format of SQLite, section 1.3: the offset of the application's number.
_STAMP = slice(68, 72)
# The suffixes of SQLite's auxiliary files.
_BESIDE = ("", "-wal", "-shm", "-journal")


def opened(path: Path | None, *, immutable: bool) -> sqlite3.Connection:
    """Return a connection to the file of an index.

    Args:
        path: the file; None for an index in memory.
        immutable: whether the file never changes; it is then opened for reading only.

    Raises:
        sqlite3.Error: the file cannot be opened. For writing, a file that is not a database raises nothing here.
    """
    if path is None:
        return sqlite3.connect(":memory:", check_same_thread=False)
    if immutable:
        place = f"file:{quote(str(path))}?mode=ro&immutable=1"
        connection = sqlite3.connect(place, uri=True, check_same_thread=False)
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        connection.execute("PRAGMA temp_store = MEMORY")  # a worker cannot create files for a large sort
        if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:  # else it counts towards the limit
            connection.execute(f"PRAGMA mmap_size = {_MAPPED}")
        return connection
    connection = sqlite3.connect(path, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOGGED}")
        connection.execute(f"PRAGMA cache_size = -{_WRITERS_CACHE}")
    except sqlite3.DatabaseError:
        pass  # not a database: NameIndex replaces it
    return connection


def lock_for_reading(copy: Path, owner: object) -> Callable[[], object]:
    """Lock a copy for reading, so that it is not reused, until the returned function is called or the owner is
    collected.

    Raises:
        OSError: it does not exist, or is being reused.
    """
    handle = os.open(copy, os.O_RDONLY)
    let_go = finalize(owner, os.close, handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        let_go()
        raise
    except OSError:  # without file locks no copy is reused
        return let_go
    return let_go


def stamp(connection: sqlite3.Connection) -> None:
    """Give an index a new random number. Only copies of the index have the same number."""
    connection.execute(f"PRAGMA application_id = {1 + randbits(30)}")


def stamp_of(path: Path) -> int | None:
    """Return the number of an index, if its log was merged into the file; None if it has none.

    Raises:
        OSError: the file exists and cannot be read.
    """
    try:
        with path.open("rb") as file:
            return int.from_bytes(file.read(_STAMP.stop)[_STAMP]) or None
    except FileNotFoundError:
        return None


def remove(path: Path) -> None:
    """Remove a file of SQLite, with its auxiliary files.

    Raises:
        OSError: it cannot be removed.
    """
    for end in _BESIDE:
        path.with_name(path.name + end).unlink(missing_ok=True)


# Lookup keys: the table that finds works by a part of their name (docs/decisions/0017).


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
    """The table of keys of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(self, record: int, keys: Iterable[LookupKey], before: Iterable[LookupKey] = ()) -> None:
        """Replace the keys ``before`` of a record; call this after its summaries were replaced."""
        old, new = set(before), set(keys)
        self._connection.executemany(_KEYS_COME, sorted(key_rows(record, new - old)))
        if gone := sorted(old - new):
            self._connection.executemany(_KEYS_GONE, [(key, name, record) for key, name, called in gone if called])
            self._connection.executemany(_NO_MORE, [(key, name) for key, name, called in gone if not called])

    def find(self, start: str, limit: int) -> list[str]:
        """Return the IRIs of the works whose keys have a prefix, sorted by key and name.

        Args:
            start: the prefix, as the functions of :mod:`graph.references` return keys.
            limit: the maximum number.
        """
        return [name for (name,) in self._connection.execute(_KEYS_FIND, (start, start + _KEYS_END, limit))]


def key_rows(record: int, keys: Iterable[LookupKey]) -> Iterator[tuple[str, str, int]]:
    """Yield the rows of the keys of a record."""
    for key, name, called in keys:
        yield key, name, record if called else _OF_ALL


# The words of norms and provisions, with accents and case folded: a full-text index in the file of names.


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
        self._connection = connection
        self._full_text = full_text

    def of(self, record: int, name: str | None = None) -> list[IndexedText]:
        """Return the words of a record by its number, or only those of a name in it, sorted by node."""
        rows = self._connection.execute(
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
        for number, name, *texts in self._connection.execute(sql):
            self._full_text.add(number, name, texts)

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
        rows = self._connection.execute(_WORDS_FIND, parameters)
        return [WordsFound(name, of, record, -score, tuple(texts)) for name, of, record, score, *texts in rows]


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
    """The table of beginnings of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def prepare(self) -> None:
        """Drop an index of earlier releases, which is no longer used and as large as the table."""
        self._connection.execute("DROP INDEX IF EXISTS beginnings_of_record")

    def put(self, record: int, beginnings: Iterable[Beginning], before: Iterable[Beginning] = ()) -> None:
        """Replace the beginnings of a record."""
        old, new = _nicknames(before), _nicknames(beginnings)
        changed = dict(new.items() - old.items())
        gone = sorted(key for key in old if key in changed or key not in new)
        self._connection.executemany(_BEGINNINGS_GONE, [(*key, record) for key in gone])
        self._connection.executemany(_BEGINNINGS_COME, [(*key, record, changed[key]) for key in sorted(changed)])

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
                row = self._connection.execute(_NEXT, (depth, *last, end)).fetchone()
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


# The index itself.


#: The file name of the index, in the folder of a store (for the writer) and in each snapshot (for readers).
NAMES = "names.sqlite"

_SCHEMA = """
CREATE TABLE records (id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE, digest BLOB);
CREATE TABLE summaries (
    name TEXT NOT NULL, record INTEGER NOT NULL, packed TEXT NOT NULL, PRIMARY KEY (name, record)
) WITHOUT ROWID;
CREATE INDEX summaries_of_record ON summaries (record) WHERE record > 0;
CREATE TABLE pending (
    iri TEXT NOT NULL, derived INTEGER NOT NULL, put INTEGER NOT NULL, PRIMARY KEY (iri, derived)
) WITHOUT ROWID;
"""
# Records, and works with derived data, that are about to change. A row is marked as put once the index has the change,
# and removed once the graph is synced. After a kill, the listed entries are made again from the graph.
_INTENDED = "INSERT OR REPLACE INTO pending VALUES (?, ?, 0)"
_PUT = "UPDATE pending SET put = 1 WHERE iri = ? AND derived = ?"
_FLUSHED = "DELETE FROM pending WHERE put = 1"
_WRITTEN_DOWN = "SELECT iri, derived FROM pending WHERE put = ? ORDER BY iri"
# The user_version of an index that covers the whole graph; a new index has 0.
_WHOLE = 1
_NEWEST = {
    "put": "pending",
    "said": "beginnings",
    "key": "keys",
    "stale": "norms_sought",
    "words": "history",
    "own": "provision",
    "place": "parts",
    "digest": "records",
    "parent": "provision",
}
_DERIVED = 0  # the number of the record of derived data
_LOOK_UP = "SELECT iri, packed FROM summaries JOIN records ON records.id = summaries.record WHERE name = ?"
_ALL = "SELECT name, iri, packed FROM summaries JOIN records ON records.id = summaries.record ORDER BY name, iri"
_NORMS = (
    "SELECT DISTINCT name FROM summaries WHERE name >= ? AND instr(name, '!') = 0 AND instr(packed, ?) ORDER BY name"
)
_MENTIONS = "SELECT EXISTS (SELECT 1 FROM summaries WHERE name = ?1 OR name > ?1 || '!' AND name < ?1 || '\"')"
_OF_RECORD = "SELECT name, packed FROM summaries WHERE record = ? AND record > 0"
_DERIVED_OF = "SELECT packed FROM summaries WHERE name = ? AND record = 0"
# "`" is the character after "_", which separates the steps of a provision's identifier.
_PROVISIONS = (
    "SELECT name, iri, packed FROM summaries JOIN records ON records.id = summaries.record "
    "WHERE name > ?1 || '!' AND name < ?1 || '\"' ORDER BY name"
)
_WITHIN = (
    "SELECT name, iri, packed FROM summaries JOIN records ON records.id = summaries.record "
    "WHERE name = ?1 OR name > ?1 || '_' AND name < ?1 || '`' ORDER BY name"
)
_GONE = "DELETE FROM summaries WHERE name = ? AND record = ?"
_INSERT = "INSERT INTO summaries VALUES (?, ?, ?)"


class NameIndex:
    """The index of names of one store. Threads may share it; writes are serialised by a lock.

    Args:
        path: its file; None for one in memory.
        immutable: whether the file belongs to a snapshot, which never changes.

    Raises:
        StoreDamaged: the file of a snapshot is missing or is not an index.
    """

    def __init__(self, path: Path | None, *, immutable: bool = False) -> None:
        self._path = path
        self.immutable = immutable
        self._lock = Lock()
        with self._translating_errors():
            self._let_go = lock_for_reading(path, self) if path is not None and immutable else None
            self._connection = opened(path, immutable=immutable)
            self._make_parts()
            if not immutable:
                self._prepare()
            elif (problem := self._missing_table()) is not None:
                raise StoreDamaged(
                    f"the index of names, {path}, is of an earlier release of Vigente: {problem}. "
                    "Run `vigente rebuild`, which upgrades the store"
                )

    def _make_parts(self) -> None:
        """Create the objects that access the parts of the index."""
        self._full_text = FullTextIndex(self._connection)
        self._parts = PartsTable(self._connection)
        self._words = WordsIndex(self._connection, self._full_text)
        self._beginnings = BeginningsIndex(self._connection)
        self._keys = KeysIndex(self._connection)

    def _missing_table(self) -> str | None:
        """Return the error for a table or column that the file lacks, because an earlier release made it."""
        try:
            for column, table in _NEWEST.items():
                self._connection.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchone()  # noqa: S608 - our own
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:  # the file cannot be read
                raise
            return str(error)
        return None

    def _prepare(self) -> None:
        """Check the tables. A file that lacks them, or is from an incompatible release, is replaced by a new index."""
        try:
            waits = (
                self._missing_table() is not None
                or self._connection.execute("PRAGMA user_version").fetchone()[0] > _WHOLE
                or not self._full_text.fits
            )
            self._beginnings.prepare()
        except (sqlite3.DatabaseError, StoreDamaged) as error:
            if hint_for(error):  # the fault is not in the index
                raise
            self._make()
        else:
            if waits:  # from an earlier release: in two files, or with other terms
                self._make()

    def _make(self) -> None:
        self._connection.close()
        if self._path is not None:
            try:
                remove(self._path)
            except OSError as error:
                raise self._damage_error(error) from None
        self._connection = opened(self._path, immutable=False)
        self._make_parts()
        parts = (
            _SCHEMA,
            WORDS_SCHEMA,
            FULLTEXT_SCHEMA,
            HISTORY_SCHEMA,
            PARTS_SCHEMA,
            BEGINNINGS_SCHEMA,
            KEYS_SCHEMA,
        )
        self._connection.executescript(";".join(parts))
        self._full_text.prepare()
        self._connection.execute("INSERT INTO records (id, iri) VALUES (?, ?)", (_DERIVED, DERIVED_GRAPH))
        self._connection.commit()

    @property
    def is_whole(self) -> bool:
        """Return whether the index covers the whole graph; a new one must be filled."""
        with self._translating_errors():
            return bool(self._connection.execute("PRAGMA user_version").fetchone()[0] == _WHOLE)

    def mark_complete(self) -> None:
        """Record that the index covers the whole graph."""
        with self._lock, self._translating_errors():
            self._connection.execute(f"PRAGMA user_version = {_WHOLE}")

    def of(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return the summaries of a name, each with the IRI of its graph.

        Args:
            name: the IRI of a norm or provision.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        try:
            return tuple(self._connection.execute(_LOOK_UP, (name,)))
        except sqlite3.Error as error:
            raise self._damage_error(error) from None

    def texts_with_parts(self, norm: str) -> Mapping[str, bool]:
        """Return the texts of the versions of a norm whose parts a record has, each with whether they are complete.

        Args:
            norm: its IRI.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            return texts_with_parts(self._connection, norm)

    def parts(self, text: str, within: Collection[str] | None = None) -> list[PrintedPart]:
        """Return the parts of a text: see :meth:`graph.read_model.parts.PartsTable.of_text`.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            return self._parts.of_text(text, within)

    def provisions(self, norm: str) -> dict[str, list[tuple[str, str]]]:
        """Return the summaries of the provisions of a norm, by name in their order, each with the IRI of its graph.

        Args:
            norm: its IRI.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        return self._packed(_PROVISIONS, norm)

    def within(self, provision: str) -> dict[str, list[tuple[str, str]]]:
        """Return the summaries of a provision and of its parts by their identifiers, as :meth:`provisions`.

        Args:
            provision: its IRI.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        return self._packed(_WITHIN, provision)

    def _packed(self, query: str, name: str) -> dict[str, list[tuple[str, str]]]:
        packed: dict[str, list[tuple[str, str]]] = {}
        with self._translating_errors():
            for found, graph, text in self._connection.execute(query, (name,)):
                packed.setdefault(found, []).append((graph, text))
        return packed

    def rows(self, norm: str) -> list[StoredRow]:
        """Return the rows of a norm and its provisions; none if the index has no rows of it.

        Args:
            norm: its IRI.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            number = self._full_text.number_if_known(norm)
            return self._full_text.history.of(number, norm) if number is not None else []

    @contextmanager
    def history(self, norm: str) -> Iterator[tuple[HistoryTable, int]]:
        """Yield the tables of rows, and the number of a norm by its IRI; 0, which no norm has, if it has no rows.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            yield self._full_text.history, self._full_text.number_if_known(norm) or 0

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, to compare the tables with the graph.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            yield self._connection

    def is_up_to_date(self, name: str, packed: str | None) -> bool:
        """Return whether the index has the derived summary of a name.

        Args:
            packed: the derived summary; None if nothing is derived.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            row = self._connection.execute(_DERIVED_OF, (name,)).fetchone()
            return bool(row == (None if packed is None else (packed,)))

    def worded(
        self, match: str, limit: int, kinds: Collection[int] | None = None, year: int | None = None
    ) -> list[WordsFound]:
        """Return the entries that match a query in the language of FTS5, best first.

        Args:
            match: the query, over the columns title, nicknames, summary, text.
            limit: the maximum number.
            kinds: ids of the places, authorities and types of the norms; None for all.
            year: of the norms; None for any.

        Raises:
            StoreDamaged: the index cannot be read, or the query is invalid.
        """
        with self._translating_errors():
            return self._words.find(match, limit, kinds, year)

    def found(
        self,
        wanted: Sequence[Clause],
        unwanted: Sequence[Clause],
        filters: Filters,
        *,
        join: Join = Join.WORDING,
        first: Sequence[str] = (),
        shown: tuple[int, int],
        limit: int,
        offset: int,
    ) -> SearchPage:
        """Return a page of the norms with matching wordings: see :meth:`graph.store.fulltext.FullTextIndex.find`.

        Raises:
            StoreDamaged: the index cannot be read, or is from an earlier release without full text.
        """
        with self._translating_errors():
            return self._full_text.find(
                wanted,
                unwanted,
                filters,
                join=join,
                first=first,
                shown=shown,
                limit=limit,
                offset=offset,
            )

    def text_within(self, name: str, node: str | None, on: int | None, known: int) -> str:
        """Return the first words in a provision: see :meth:`graph.store.fulltext.FullTextIndex.text_within`.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            return self._full_text.text_within(name, node, on, known)

    def kinds(self) -> list[Kind]:
        """Return the places, authorities and types of all norms with words.

        Raises:
            StoreDamaged: as :meth:`found`.
        """
        with self._translating_errors():
            return self._full_text.kinds()

    def count_of_word(self, word: str) -> int:
        """Return the number of wordings that contain exactly this folded word; raises as :meth:`found`."""
        with self._translating_errors():
            return self._full_text.known(word)

    def words_with_prefix(self, start: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """As :meth:`graph.store.fulltext.FullTextIndex.beginning`, as a list; raises as :meth:`found`."""
        with self._translating_errors():
            return list(self._full_text.beginning(start, shortest, longest))

    def written(self, word: str) -> str | None:
        """Return a text with a folded word; None if no text has it. Raises as :meth:`found`."""
        with self._translating_errors():
            return self._full_text.written(word)

    @property
    def is_stale(self) -> bool:
        """Return whether the days of any words are stale: see :meth:`refresh`."""
        with self._translating_errors():
            return self._full_text.is_stale

    def refresh(self) -> bool:
        """Compute all stale days of words again. Return whether there were any.

        Each transaction covers some norms. After a kill, the next writer computes the rest.

        Raises:
            StoreDamaged: the index cannot be written.
        """
        changed = False
        while True:
            with self._lock, self._translating_errors(), self._connection:
                if not self._full_text.refresh():
                    return changed
            changed = True

    def remake_full_text(self) -> bool:
        """Make the search terms of all words again. Return whether any of them changed.

        Raises:
            StoreDamaged: the index cannot be written.
        """
        self.refresh()
        with self._lock, self._translating_errors(), self._connection:
            before = self._full_text.digest()
            self._words.remake_terms()
            return self._full_text.digest() != before

    def beginning(self, prefix: str, limit: int) -> list[tuple[str, str]]:
        """Return the norms whose names or nicknames begin with a text; see
        :meth:`graph.store.names.BeginningsIndex.find`.

        Raises:
            StoreDamaged: the index cannot be read, or is from an earlier release without beginnings.
        """
        with self._translating_errors():
            return self._beginnings.find(prefix, limit)

    def works_by_key(self, start: str, limit: int) -> list[str]:
        """Return the works whose lookup keys begin with a text; see :meth:`graph.store.names.KeysIndex.find`.

        Raises:
            StoreDamaged: the index cannot be read, or is from an earlier release without keys.
        """
        with self._translating_errors():
            return self._keys.find(start, limit)

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        """Yield triples of a name, the IRI of a graph and a summary, sorted by name and graph."""
        with self._translating_errors():
            yield from self._connection.execute(_ALL)

    def norms(self, start: str = "") -> Iterator[str]:
        """Yield the IRI of each norm that a record is about, in order; not those of provisions.

        Args:
            start: the lowest IRI to yield.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            for (name,) in self._connection.execute(_NORMS, (start, IS_ABOUT)):
                yield name

    def mentions(self, norm: str) -> bool:
        """Return whether any record mentions a norm or one of its provisions.

        Args:
            norm: its IRI.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._translating_errors():
            return bool(self._connection.execute(_MENTIONS, (norm,)).fetchone()[0])

    def intend(self, records: Iterable[str], works: Iterable[str]) -> None:
        """List records, and works with derived data, as pending: their summaries are about to change.

        Raises:
            StoreDamaged: the index cannot be written. All writing methods raise it.
        """
        with self._lock, self._translating_errors(), self._connection:
            self._connection.executemany(_INTENDED, _rows(records, works))

    @property
    def pending(self) -> tuple[list[str], list[str]]:
        """Return the records and the works that :meth:`intend` listed and :meth:`put` has not replaced since."""
        with self._translating_errors():
            return self._recorded_changes(put=False)

    @property
    def unflushed(self) -> tuple[list[str], list[str]]:
        """Return the records and the works that were put, and whose change of the graph may not be on the disk."""
        with self._translating_errors():
            return self._recorded_changes(put=True)

    def mark_flushed(self) -> None:
        """Record that the graph is on the disk with all changes that were put."""
        with self._lock, self._translating_errors(), self._connection:
            self._connection.execute(_FLUSHED)

    def _recorded_changes(self, *, put: bool) -> tuple[list[str], list[str]]:
        rows = list(self._connection.execute(_WRITTEN_DOWN, (put,)))
        return [iri for iri, derived in rows if not derived], [iri for iri, derived in rows if derived]

    def put(self, records: Mapping[str, IndexEntries], derived: Mapping[str, str | None]) -> bool:
        """Replace the entries of records and the derived summaries of works, in one transaction.

        Args:
            records: by the IRI of the record; empty entries for a deleted one.
            derived: by the IRI of the work; None if it has no derived data.

        Returns:
            Whether the index changed.
        """
        with self._lock, self._translating_errors(), self._connection as connection:
            before = connection.total_changes
            self._put_records(records)
            for work, packed in derived.items():
                self._put_derived(work, packed)
            changed = connection.total_changes > before
            connection.executemany(_PUT, _rows(records, derived))
        return changed

    def _put_records(self, records: Mapping[str, IndexEntries]) -> None:
        words = dict(pair for record, entries in records.items() for pair in self._put_record(record, entries))
        self._words.put(words)

    def _put_record(self, record: str, entries: IndexEntries) -> Iterator[tuple[int, Sequence[IndexedText]]]:
        """Put the entries of a record except its words. If these changed, yield the record's number and the words."""
        ask = self._connection.execute
        known = ask("SELECT id FROM records WHERE iri = ?", (record,)).fetchone()
        from graph.index_entries import index_entries_from  # noqa: PLC0415 - slow to import; only a writer needs it

        before = IndexEntries()
        if known is not None:
            before = index_entries_from(ask(_OF_RECORD, known).fetchall(), self._words.of(known[0]))
        elif any(entries):
            known = (int(ask("INSERT INTO records (iri) VALUES (?)", (record,)).lastrowid or 0),)
        if known is None:
            return
        ask("UPDATE records SET digest = ?1 WHERE id = ?2 AND digest IS NOT ?1", (entries.digest, *known))
        old, new = set(before.summaries), set(entries.summaries)
        old_editions = self._full_text.editions(known[0])
        if old_editions != sorted(entries.editions):
            self._full_text.put_editions(known[0], entries.editions)
        self._connection.executemany(_GONE, [(name, *known) for name, _ in old - new])
        self._connection.executemany(_INSERT, [(name, *known, packed) for name, packed in sorted(new - old)])
        reprinted = self._parts.put(known[0], entries.parts)
        self._beginnings.put(known[0], entries.beginnings, before.beginnings)
        self._keys.put(known[0], entries.keys, before.keys)
        reworded = list(before.words) != list(entries.words)
        if reworded:
            yield known[0], entries.words
        if reworded or reprinted or old != new or old_editions != sorted(entries.editions):
            changed = (
                *(name for name, _ in old ^ new),
                *(indexed_text.name for indexed_text in (*before.words, *entries.words)),
            )
            for norm in {name.partition("!")[0] for name, packed in new - old if IS_ABOUT in packed}:
                self._full_text.number_of(norm)
            self._full_text.stale([*changed, *(_norm_of(text) for text, _ in (*old_editions, *entries.editions))])
        if not any(entries):
            ask("DELETE FROM records WHERE id = ?", known)

    def _put_derived(self, work: str, packed: str | None) -> None:
        ask = self._connection.execute
        known = ask(_DERIVED_OF, (work,)).fetchone()
        if known != (None if packed is None else (packed,)):
            self._full_text.stale([work])
        if packed is None and known is not None:
            ask(_GONE, (work, _DERIVED))
        elif packed is not None and known != (packed,):
            ask("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", (work, _DERIVED, packed))

    def records(self) -> list[str]:
        """Return the IRIs of the records in the index."""
        with self._translating_errors():
            return [iri for (iri,) in self._connection.execute("SELECT iri FROM records WHERE id > 0")]

    @property
    def is_sound(self) -> bool:
        """Return whether the whole file can be read."""
        try:
            return bool(self._connection.execute("PRAGMA quick_check").fetchone() == ("ok",))
        except sqlite3.Error:
            return False

    def clear(self) -> None:
        """Delete all entries. A file that cannot be read is replaced by a new one."""
        with self._lock, self._translating_errors():
            self._make()

    def copy_to(self, target: Path) -> None:
        """Make a copy for readers, which is on the disk when this returns.

        Args:
            target: its file, in the folder of the new snapshot.

        Raises:
            StoreDamaged: it cannot be read or written.
        """
        with self._lock, self._translating_errors():
            if self._path is None:
                raise StoreDamaged("expected an index in a file, got one in memory")
            stamp(self._connection)
            busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:  # changes outside of the file itself would be missing in the copy
                raise StoreDamaged(f"the index of names, {self._path}, is being read, and cannot be copied whole")
            shutil.copyfile(self._path, target)
            sync_to_disk(target)
            sync_to_disk(target.parent)

    def close(self) -> None:
        """Close the file. Closing twice has no effect."""
        self._connection.close()
        if self._let_go is not None:
            self._let_go()

    @contextmanager
    def _translating_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise self._damage_error(error) from None

    def _damage_error(self, error: Exception) -> StoreDamaged:
        where = self._path or "in memory"
        helps = hint_for(error) or "; `vigente rebuild` recreates it"
        return StoreDamaged(f"the index of names, {where}, cannot be used: {error}{helps}")


def is_readable(path: Path) -> bool:
    """Return whether a copy of an index can be opened for reading, and is not of an earlier release."""
    try:
        NameIndex(path, immutable=True).close()
    except StoreDamaged:
        return False
    return True


def _norm_of(text: str) -> str:
    return text.partition("@")[0].partition("~")[0]


def _rows(records: Iterable[str], works: Iterable[str]) -> list[tuple[str, int]]:
    return [*((record, 0) for record in records), *((work, 1) for work in works)]
