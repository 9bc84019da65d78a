"""The index of names: an SQLite file with summaries of each norm and provision (docs/decisions/0012).

It repeats the statements of the graph, record by record, in the form that answers need, and is stored beside the graph.
Before the graph changes, the affected records and works are listed in the index. The transaction that changes the index
marks them as put. After a kill, the next opening makes the listed entries again from the graph.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Lock

from graph.errors import StoreDamaged, hint_for
from graph.index_rows import IS_ABOUT, IndexedText, IndexEntries, PrintedPart
from graph.read_model.parts import PARTS_SCHEMA, PartsTable
from graph.read_model.table import HISTORY_SCHEMA, StoredNorm, texts_with_parts
from graph.store.fulltext import FULLTEXT_SCHEMA, FullTextIndex
from graph.store.index_file import damage_error, lock_for_reading, opened, remove, stamp, translating_errors
from graph.store.journal import sync_to_disk
from graph.store.lookup import BEGINNINGS_SCHEMA, KEYS_SCHEMA, BeginningsIndex, KeysIndex
from graph.store.words import WORDS_SCHEMA, WordsIndex
from ontology.iris import DERIVED_GRAPH

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
    "rule": "history",
    "own": "provision",
    "place": "parts",
    "digest": "records",
    "parent": "provision",
    "act": "made",
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
#: The number of norms whose rows are written in one transaction.
_AT_ONCE = 500
_GONE = "DELETE FROM summaries WHERE name = ? AND record = ?"
_INSERT = "INSERT INTO summaries VALUES (?, ?, ?)"


class NameIndex:
    """The index of names of one store. Threads may share it; writes are serialised by a lock.

    Args:
        path: its file; None for one in memory.
        immutable: whether the file belongs to a snapshot, which never changes.

    Attributes:
        full_text, words, beginnings, keys: the tables for searches.

    All methods raise :class:`graph.errors.StoreDamaged` if the index cannot be read or written.
    """

    def __init__(self, path: Path | None, *, immutable: bool = False) -> None:
        self._path = path
        self.immutable = immutable
        self._lock = Lock()
        with translating_errors(self._path):
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
        self.full_text = FullTextIndex(self._connection)
        self._parts = PartsTable(self._connection)
        self.words = WordsIndex(self._connection, self.full_text)
        self.beginnings = BeginningsIndex(self._connection)
        self.keys = KeysIndex(self._connection)

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
                or not self.full_text.fits
            )
            self.beginnings.prepare()
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
                raise damage_error(self._path, error) from None
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
        self.full_text.prepare()
        self._connection.execute("INSERT INTO records (id, iri) VALUES (?, ?)", (_DERIVED, DERIVED_GRAPH))
        self._connection.commit()

    @property
    def is_whole(self) -> bool:
        """Return whether the index covers the whole graph; a new one must be filled."""
        with translating_errors(self._path):
            return bool(self._connection.execute("PRAGMA user_version").fetchone()[0] == _WHOLE)

    def mark_complete(self) -> None:
        """Record that the index covers the whole graph."""
        with self._lock, translating_errors(self._path):
            self._connection.execute(f"PRAGMA user_version = {_WHOLE}")

    def of(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return the summaries of a name, each with the IRI of its graph.

        Args:
            name: the IRI of a norm or provision.
        """
        try:
            return tuple(self._connection.execute(_LOOK_UP, (name,)))
        except sqlite3.Error as error:
            raise damage_error(self._path, error) from None

    def texts_with_parts(self, norm: str) -> Mapping[str, bool]:
        """Return the texts of the versions of a norm whose parts a record has, each with whether they are complete.

        Args:
            norm: its IRI.
        """
        with translating_errors(self._path):
            return texts_with_parts(self._connection, norm)

    def parts(self, text: str, within: Collection[str] | None = None) -> list[PrintedPart]:
        """Return the parts of a text: see :meth:`graph.read_model.parts.PartsTable.of_text`."""
        with translating_errors(self._path):
            return self._parts.of_text(text, within)

    def provisions(self, norm: str) -> dict[str, list[tuple[str, str]]]:
        """Return the summaries of the provisions of a norm, by name in their order, each with the IRI of its graph.

        Args:
            norm: its IRI.
        """
        return self._packed(_PROVISIONS, norm)

    def within(self, provision: str) -> dict[str, list[tuple[str, str]]]:
        """Return the summaries of a provision and of its parts by their identifiers, as :meth:`provisions`.

        Args:
            provision: its IRI.
        """
        return self._packed(_WITHIN, provision)

    def _packed(self, query: str, name: str) -> dict[str, list[tuple[str, str]]]:
        packed: dict[str, list[tuple[str, str]]] = {}
        with translating_errors(self._path):
            for found, graph, text in self._connection.execute(query, (name,)):
                packed.setdefault(found, []).append((graph, text))
        return packed

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, to compare the tables with the graph."""
        with translating_errors(self._path):
            yield self._connection

    def is_up_to_date(self, name: str, packed: str | None) -> bool:
        """Return whether the index has the derived summary of a name.

        Args:
            packed: the derived summary; None if nothing is derived.
        """
        with translating_errors(self._path):
            row = self._connection.execute(_DERIVED_OF, (name,)).fetchone()
            return bool(row == (None if packed is None else (packed,)))

    def refresh(self) -> bool:
        """Compute all stale days of words again. Return whether there were any.

        Each transaction covers some norms. After a kill, the next writer computes the rest.
        """
        changed = False
        while True:
            with self._lock, translating_errors(self._path), self._connection:
                if not self.full_text.refresh():
                    return changed
            changed = True

    def remake_full_text(self) -> bool:
        """Make the search terms of all words again. Return whether any of them changed."""
        self.refresh()
        with self._lock, translating_errors(self._path), self._connection:
            before = self.full_text.digest()
            self.words.remake_terms()
            return self.full_text.digest() != before

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        """Yield triples of a name, the IRI of a graph and a summary, sorted by name and graph."""
        with translating_errors(self._path):
            yield from self._connection.execute(_ALL)

    def norms(self, start: str = "") -> Iterator[str]:
        """Yield the IRI of each norm that a record is about, in order; not those of provisions.

        Args:
            start: the lowest IRI to yield.
        """
        with translating_errors(self._path):
            for (name,) in self._connection.execute(_NORMS, (start, IS_ABOUT)):
                yield name

    def stored_norms(self) -> Iterator[StoredNorm]:
        """Yield the norms with rows, sorted by IRI, and their rows."""
        with translating_errors(self._path):
            for number, norm in self._connection.execute("SELECT id, iri FROM norms_sought ORDER BY iri"):
                yield StoredNorm(norm, self.full_text.history.provisions(number, norm))

    def put_norms(self, norms: Iterable[StoredNorm]) -> None:
        """Replace the rows of norms by known ones, and compute those of the norms that are still stale."""
        waiting = iter(norms)
        while some := list(islice(waiting, _AT_ONCE)):
            with self._lock, translating_errors(self._path), self._connection:
                for stored in some:
                    self.full_text.put_rows(stored)
        self.refresh()

    def mentions(self, norm: str) -> bool:
        """Return whether any record mentions a norm or one of its provisions.

        Args:
            norm: its IRI.
        """
        with translating_errors(self._path):
            return bool(self._connection.execute(_MENTIONS, (norm,)).fetchone()[0])

    def intend(self, records: Iterable[str], works: Iterable[str]) -> None:
        """List records, and works with derived data, as pending: their summaries are about to change.

        Raises:
            StoreDamaged: the index cannot be written. All writing methods raise it.
        """
        with self._lock, translating_errors(self._path), self._connection:
            self._connection.executemany(_INTENDED, _rows(records, works))

    @property
    def pending(self) -> tuple[list[str], list[str]]:
        """Return the records and the works that :meth:`intend` listed and :meth:`put` has not replaced since."""
        with translating_errors(self._path):
            return self._recorded_changes(put=False)

    @property
    def unflushed(self) -> tuple[list[str], list[str]]:
        """Return the records and the works that were put, and whose change of the graph may not be on the disk."""
        with translating_errors(self._path):
            return self._recorded_changes(put=True)

    def mark_flushed(self) -> None:
        """Record that the graph is on the disk with all changes that were put."""
        with self._lock, translating_errors(self._path), self._connection:
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
        with self._lock, translating_errors(self._path), self._connection as connection:
            before = connection.total_changes
            self._put_records(records)
            for work, packed in derived.items():
                self._put_derived(work, packed)
            changed = connection.total_changes > before
            connection.executemany(_PUT, _rows(records, derived))
        return changed

    def _put_records(self, records: Mapping[str, IndexEntries]) -> None:
        words = dict(pair for record, entries in records.items() for pair in self._put_record(record, entries))
        self.words.put(words)

    def _put_record(self, record: str, entries: IndexEntries) -> Iterator[tuple[int, Sequence[IndexedText]]]:
        """Put the entries of a record except its words. If these changed, yield the record's number and the words."""
        ask = self._connection.execute
        known = ask("SELECT id FROM records WHERE iri = ?", (record,)).fetchone()
        from graph.index_entries import index_entries_from  # noqa: PLC0415 - slow to import; only a writer needs it

        before = IndexEntries()
        if known is not None:
            before = index_entries_from(ask(_OF_RECORD, known).fetchall(), self.words.of(known[0]))
        elif any(entries):
            known = (int(ask("INSERT INTO records (iri) VALUES (?)", (record,)).lastrowid or 0),)
        if known is None:
            return
        ask("UPDATE records SET digest = ?1 WHERE id = ?2 AND digest IS NOT ?1", (entries.digest, *known))
        old, new = set(before.summaries), set(entries.summaries)
        old_editions = self.full_text.editions(known[0])
        if old_editions != sorted(entries.editions):
            self.full_text.put_editions(known[0], entries.editions)
        self._connection.executemany(_GONE, [(name, *known) for name, _ in old - new])
        self._connection.executemany(_INSERT, [(name, *known, packed) for name, packed in sorted(new - old)])
        reprinted = self._parts.put(known[0], entries.parts)
        self.beginnings.put(known[0], entries.beginnings, before.beginnings)
        self.keys.put(known[0], entries.keys, before.keys)
        reworded = list(before.words) != list(entries.words)
        if reworded:
            yield known[0], entries.words
        if reworded or reprinted or old != new or old_editions != sorted(entries.editions):
            changed = (
                *(name for name, _ in old ^ new),
                *(indexed_text.name for indexed_text in (*before.words, *entries.words)),
            )
            for norm in {name.partition("!")[0] for name, packed in new - old if IS_ABOUT in packed}:
                self.full_text.number_of(norm)
            self.full_text.stale([*changed, *(_norm_of(text) for text, _ in (*old_editions, *entries.editions))])
        if not any(entries):
            ask("DELETE FROM records WHERE id = ?", known)

    def _put_derived(self, work: str, packed: str | None) -> None:
        ask = self._connection.execute
        known = ask(_DERIVED_OF, (work,)).fetchone()
        if known != (None if packed is None else (packed,)):
            self.full_text.stale([work])
        if packed is None and known is not None:
            ask(_GONE, (work, _DERIVED))
        elif packed is not None and known != (packed,):
            ask("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", (work, _DERIVED, packed))

    def records(self) -> list[str]:
        """Return the IRIs of the records in the index."""
        with translating_errors(self._path):
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
        with self._lock, translating_errors(self._path):
            self._make()

    def copy_to(self, target: Path) -> None:
        """Make a copy for readers, which is on the disk when this returns.

        Args:
            target: its file, in the folder of the new snapshot.

        Raises:
            StoreDamaged: it cannot be read or written.
        """
        with self._lock, translating_errors(self._path):
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
