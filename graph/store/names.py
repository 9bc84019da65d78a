"""The index of names: what is known of each norm and provision, by name (docs/decisions/0012).

It repeats what the graph says, record by record, in the shape that answers need, and lies beside the graph. What a
batch is about to change is written down in it before the graph changes, and crossed out with the change of the index
itself: what a killed process leaves is found at the next opening and made anew from the graph.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from threading import Lock

from graph.entities import Axis
from graph.errors import StoreDamaged
from graph.mapping.index_entries import SPOKEN_OF, Said, Worded, said_again
from graph.store.beginnings import BEGINNINGS_SCHEMA, BeginningsIndex
from graph.store.faults import helped
from graph.store.fulltext import FULLTEXT_SCHEMA, Clause, Filters, Found, FullTextIndex, Join, Kind
from graph.store.index_files import held, opened, remove, stamp
from graph.store.journal import to_disk
from graph.store.keys import KEYS_SCHEMA, KeysIndex
from graph.store.periods import PERIODS_SCHEMA, PeriodsIndex
from graph.store.words import WORDS_SCHEMA, WordsFound, WordsIndex
from ontology.iris import DERIVED_GRAPH

#: The file of the index: in the folder of a store that of the writer, in each snapshot that of its readers.
NAMES = "names.sqlite"

_SCHEMA = """
CREATE TABLE records (id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE);
CREATE TABLE summaries (
    name TEXT NOT NULL, record INTEGER NOT NULL, packed TEXT NOT NULL, PRIMARY KEY (name, record)
) WITHOUT ROWID;
CREATE INDEX summaries_of_record ON summaries (record) WHERE record > 0;
CREATE TABLE pending (
    iri TEXT NOT NULL, derived INTEGER NOT NULL, put INTEGER NOT NULL, PRIMARY KEY (iri, derived)
) WITHOUT ROWID;
"""
# Records, and works of which something is derived, that are about to change; put where the index has the change, and
# the graph may not have it on the disk. What a killed process leaves there is made anew from the graph.
_INTENDED = "INSERT OR REPLACE INTO pending VALUES (?, ?, 0)"
_PUT = "UPDATE pending SET put = 1 WHERE iri = ? AND derived = ?"
_FLUSHED = "DELETE FROM pending WHERE put = 1"
_WRITTEN_DOWN = "SELECT iri, derived FROM pending WHERE put = ? ORDER BY iri"
# What an index says of itself when all that the graph says was put into it; a new one says 0.
_WHOLE = 1
_NEWEST = {"put": "pending", "said": "beginnings", "key": "keys", "stale": "norms_sought"}
_DERIVED = 0  # derived data belong to one record of their own
_LOOK_UP = "SELECT iri, packed FROM summaries JOIN records ON records.id = summaries.record WHERE name = ?"
_ALL = "SELECT name, iri, packed FROM summaries JOIN records ON records.id = summaries.record ORDER BY name, iri"
_NORMS = (
    "SELECT DISTINCT name FROM summaries WHERE name >= ? AND instr(name, '!') = 0 AND instr(packed, ?) ORDER BY name"
)
_SPEAKS_OF = "SELECT EXISTS (SELECT 1 FROM summaries WHERE name = ?1 OR name > ?1 || '!' AND name < ?1 || '\"')"
_OF_RECORD = "SELECT name, packed FROM summaries WHERE record = ? AND record > 0"
_DERIVED_OF = "SELECT packed FROM summaries WHERE name = ? AND record = 0"
# "`" is the character behind "_", which parts the steps of a provision's identifier.
_DERIVED_WITHIN = (
    "SELECT name FROM summaries WHERE record = 0 AND (name = ?1 OR name > ?1 || '_' AND name < ?1 || '`') ORDER BY name"
)
_GONE = "DELETE FROM summaries WHERE name = ? AND record = ?"
_INSERT = "INSERT INTO summaries VALUES (?, ?, ?)"


class NameIndex:
    """The index of one store. Threads may share it for reading; one writes at a time.

    Args:
        path: its file; None for one in memory.
        immutable: whether the file belongs to a snapshot, which never changes.

    Raises:
        StoreDamaged: the file of a snapshot is not there or no index.
    """

    def __init__(self, path: Path | None, *, immutable: bool = False) -> None:
        self._path = path
        self._lock = Lock()
        with self._telling():
            self._let_go = held(path, self) if path is not None and immutable else None
            self._connection = opened(path, immutable=immutable)
            self._part()
            if not immutable:
                self._prepare()

    def _part(self) -> None:
        """The parts of the index."""
        self._full_text = FullTextIndex(self._connection)
        self._words = WordsIndex(self._connection, self._full_text)
        self._beginnings = BeginningsIndex(self._connection)
        self._keys = KeysIndex(self._connection)
        self._periods = PeriodsIndex(self._connection)

    def _prepare(self) -> None:
        """Make the tables if there are none. A file that is not an index is replaced."""
        try:
            for column, table in _NEWEST.items():  # an index of an earlier release may lack it
                self._connection.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchone()  # noqa: S608 - our own
            waits = self._connection.execute("PRAGMA user_version").fetchone()[0] > _WHOLE or not self._full_text.fits
            self._beginnings.prepare()
            self._periods.prepare()
        except (sqlite3.DatabaseError, StoreDamaged) as error:
            if helped(error):  # it is not the index that is wrong
                raise
            self._make()
        else:
            if waits:  # a part of it waits in a file of its own, or has terms of another analysis: an earlier release's
                self._make()

    def _make(self) -> None:
        self._connection.close()
        if self._path is not None:
            try:
                remove(self._path)
            except OSError as error:
                raise self._damaged(error) from None
        self._connection = opened(self._path, immutable=False)
        self._part()
        parts = (_SCHEMA, WORDS_SCHEMA, FULLTEXT_SCHEMA, BEGINNINGS_SCHEMA, KEYS_SCHEMA, *PERIODS_SCHEMA)
        self._connection.executescript(";".join(parts))
        self._full_text.prepare()
        self._connection.execute("INSERT INTO records VALUES (?, ?)", (_DERIVED, DERIVED_GRAPH))
        self._connection.commit()

    @property
    def is_whole(self) -> bool:
        """Whether everything that the graph says was put into it: a new one has to be filled."""
        with self._telling():
            return bool(self._connection.execute("PRAGMA user_version").fetchone()[0] == _WHOLE)

    def told_whole(self) -> None:
        """Everything that the graph says is in it."""
        with self._lock, self._telling():
            self._connection.execute(f"PRAGMA user_version = {_WHOLE}")

    def of(self, name: str) -> tuple[tuple[str, str], ...]:
        """The summaries of a name, each with the IRI of the graph that it repeats.

        Args:
            name: the IRI of a norm or provision.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        try:
            return tuple(self._connection.execute(_LOOK_UP, (name,)))
        except sqlite3.Error as error:
            raise self._damaged(error) from None

    def derived(self, name: str, on: date, known: date, axis: Axis) -> str | None:
        """What is derived of a name, with at least what holds (D, K): see :class:`graph.store.periods.PeriodsIndex`.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        try:
            return self._periods.about(name, on, known, axis)
        except sqlite3.Error as error:
            raise self._damaged(error) from None

    def derived_within(self, provision: str) -> list[str]:
        """The provision, and what lies in it by its identifier, of which anything is derived; in order.

        Args:
            provision: its IRI.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._telling():
            return [name for (name,) in self._connection.execute(_DERIVED_WITHIN, (provision,))]

    def follows(self, name: str, packed: str | None) -> bool:
        """Return whether the index has the derived summary of a name, and its periods as rows if the summary is long.

        Args:
            packed: the summary of what is derived; None where that is nothing.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._telling():
            found = self._connection.execute(_DERIVED_OF, (name,)).fetchone()
            return found == (None if packed is None else (packed,)) and self._periods.follow(name, packed)

    def worded(
        self, match: str, limit: int, kinds: Collection[int] | None = None, year: int | None = None
    ) -> list[WordsFound]:
        """What has some words, best first.

        Args:
            match: a query in the language of SQLite's FTS5, over the columns title, nicknames, summary, text.
            limit: how many at most.
            kinds: ids of the places, authorities and types of the norms; None for all.
            year: of the norms; None for any.

        Raises:
            StoreDamaged: the index cannot be read, or the query is none.
        """
        with self._telling():
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
    ) -> Found:
        """The norms with wordings that have words: see :meth:`graph.store.fulltext.FullTextIndex.find`.

        Raises:
            StoreDamaged: the index cannot be read, or is one of an earlier release that has no full text.
        """
        with self._telling():
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

    def kinds(self) -> list[Kind]:
        """The places, authorities and types of all norms that have words.

        Raises:
            StoreDamaged: as :meth:`found`.
        """
        with self._telling():
            return self._full_text.kinds()

    def word_known(self, word: str) -> int:
        """How many wordings have a folded word as it is; raises as :meth:`found`."""
        with self._telling():
            return self._full_text.known(word)

    def words_beginning(self, start: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """As :meth:`graph.store.fulltext.FullTextIndex.beginning`, all at once; raises as :meth:`found`."""
        with self._telling():
            return list(self._full_text.beginning(start, shortest, longest))

    def written(self, word: str) -> str | None:
        """Return a text with a folded word; None if no text has it. Raises as :meth:`found`."""
        with self._telling():
            return self._full_text.written(word)

    @property
    def is_stale(self) -> bool:
        """Return whether the days of any words are stale: see :meth:`refresh`."""
        with self._telling():
            return self._full_text.is_stale

    def refresh(self) -> bool:
        """Make the days of words again where summaries or words have changed. Return whether there were any.

        Each transaction makes those of some norms. What a killed process leaves is made by the next.

        Raises:
            StoreDamaged: the index cannot be written.
        """
        changed = False
        while True:
            with self._lock, self._telling(), self._connection:
                if not self._full_text.refresh():
                    return changed
            changed = True

    def remake_full_text(self) -> bool:
        """Make the search terms and days of all words again. Return whether they differ from before.

        Raises:
            StoreDamaged: the index cannot be written.
        """
        self.refresh()
        with self._lock, self._telling(), self._connection:
            before = self._full_text.digest()
            self._words.remake_terms()
        self.refresh()
        with self._telling():
            return self._full_text.digest() != before

    def beginning(self, said: str, limit: int) -> list[tuple[str, str]]:
        """Return the norms whose names or nicknames begin with a text; see
        :meth:`graph.store.beginnings.BeginningsIndex.find`.

        Raises:
            StoreDamaged: the index cannot be read, or is one of an earlier release that has no beginnings.
        """
        with self._telling():
            return self._beginnings.find(said, limit)

    def keyed(self, start: str, limit: int) -> list[str]:
        """Return the works whose lookup keys begin with a text; see :meth:`graph.store.keys.KeysIndex.find`.

        Raises:
            StoreDamaged: the index cannot be read, or is one of an earlier release that has no keys.
        """
        with self._telling():
            return self._keys.find(start, limit)

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        """Everything in it: name, graph and summary, in order."""
        with self._telling():
            yield from self._connection.execute(_ALL)

    def norms(self, start: str = "") -> Iterator[str]:
        """Yield the IRI of each document of a record, without its provisions, in order.

        Args:
            start: the first that may come, and none before it.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._telling():
            for (name,) in self._connection.execute(_NORMS, (start, SPOKEN_OF)):
                yield name

    def speaks_of(self, norm: str) -> bool:
        """Return whether any record mentions a norm or one of its provisions.

        Args:
            norm: its IRI.

        Raises:
            StoreDamaged: the index cannot be read.
        """
        with self._telling():
            return bool(self._connection.execute(_SPEAKS_OF, (norm,)).fetchone()[0])

    def intend(self, records: Iterable[str], works: Iterable[str]) -> None:
        """Record whose summaries are about to change: those of records, and those derived of works.

        Raises:
            StoreDamaged: the index cannot be written. So it is for all that writes.
        """
        with self._lock, self._telling(), self._connection:
            self._connection.executemany(_INTENDED, _rows(records, works))

    @property
    def pending(self) -> tuple[list[str], list[str]]:
        """The records and the works that were written down and not put since."""
        with self._telling():
            return self._written_down(put=False)

    @property
    def unflushed(self) -> tuple[list[str], list[str]]:
        """The records and the works that were put, and are not known to be on the disk in the graph as well."""
        with self._telling():
            return self._written_down(put=True)

    def flushed(self) -> None:
        """What was put is on the disk in the graph as well."""
        with self._lock, self._telling(), self._connection:
            self._connection.execute(_FLUSHED)

    def _written_down(self, *, put: bool) -> tuple[list[str], list[str]]:
        rows = list(self._connection.execute(_WRITTEN_DOWN, (put,)))
        return [iri for iri, derived in rows if not derived], [iri for iri, derived in rows if derived]

    def put(self, records: Mapping[str, Said], derived: Mapping[str, str | None]) -> bool:
        """Replace the summaries of records and those derived of works, in one transaction.

        Args:
            records: by the IRI of the record; of one that is gone nothing.
            derived: by the IRI of the work; None where nothing is derived of it.

        Returns:
            Whether the index says anything else than before.
        """
        with self._lock, self._telling(), self._connection as connection:
            before = connection.total_changes
            self._put_records(records)
            for work, packed in derived.items():
                self._put_derived(work, packed)
            changed = connection.total_changes > before
            connection.executemany(_PUT, _rows(records, derived))
        return changed

    def _put_records(self, records: Mapping[str, Said]) -> None:
        words = dict(one for record, said in records.items() for one in self._put_record(record, said))
        self._words.put(words)

    def _put_record(self, record: str, said: Said) -> Iterator[tuple[int, Sequence[Worded]]]:
        """Put all of a record but its words: these come, with the record's number, where they are others."""
        ask = self._connection.execute
        known = ask("SELECT id FROM records WHERE iri = ?", (record,)).fetchone()
        before = Said()
        if known is not None:
            before = said_again(ask(_OF_RECORD, known).fetchall(), self._words.of(known[0]))
        elif any(said):
            known = (int(ask("INSERT INTO records (iri) VALUES (?)", (record,)).lastrowid or 0),)
        if known is None:
            return
        old, new = set(before.summaries), set(said.summaries)
        old_editions = self._full_text.editions(known[0])
        if old_editions != sorted(said.editions):
            self._full_text.put_editions(known[0], said.editions)
        self._connection.executemany(_GONE, [(name, *known) for name, _ in old - new])
        self._connection.executemany(_INSERT, [(name, *known, packed) for name, packed in sorted(new - old)])
        self._beginnings.put(known[0], said.beginnings, before.beginnings)
        self._keys.put(known[0], said.keys, before.keys)
        reworded = list(before.words) != list(said.words)
        if reworded:
            yield known[0], said.words
        if reworded or old != new or old_editions != sorted(said.editions):
            changed = (*(name for name, _ in old ^ new), *(one.name for one in (*before.words, *said.words)))
            self._full_text.stale([*changed, *(_norm_of(text) for text, _ in (*old_editions, *said.editions))])
        if not any(said):
            ask("DELETE FROM records WHERE id = ?", known)

    def _put_derived(self, work: str, packed: str | None) -> None:
        ask = self._connection.execute
        known = ask(_DERIVED_OF, (work,)).fetchone()
        self._periods.put(work, known[0] if known is not None else None, packed)
        if known != (None if packed is None else (packed,)):
            self._full_text.stale([work])
        if packed is None and known is not None:
            ask(_GONE, (work, _DERIVED))
        elif packed is not None and known != (packed,):
            ask("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", (work, _DERIVED, packed))

    def records(self) -> list[str]:
        """The IRIs of the records that it repeats."""
        with self._telling():
            return [iri for (iri,) in self._connection.execute("SELECT iri FROM records WHERE id > 0")]

    @property
    def is_sound(self) -> bool:
        """Whether the whole file can be read."""
        try:
            return bool(self._connection.execute("PRAGMA quick_check").fetchone() == ("ok",))
        except sqlite3.Error:
            return False

    def clear(self) -> None:
        """Delete all entries. A file that cannot be read is replaced by a new one."""
        with self._lock, self._telling():
            self._make()

    def copy_to(self, target: Path) -> None:
        """A copy for readers, on the disk when this returns.

        Args:
            target: its file, in the folder of the new snapshot.

        Raises:
            OSError: it cannot be written.
        """
        with self._lock, self._telling():
            if self._path is None:
                raise StoreDamaged("expected an index in a file, got one in memory")
            stamp(self._connection)
            busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:  # what is not in the file itself would be missing in the copy
                raise StoreDamaged(f"the index of names, {self._path}, is being read, and cannot be copied whole")
            shutil.copyfile(self._path, target)
            to_disk(target)
            to_disk(target.parent)

    def close(self) -> None:
        """Let go of the file. Closing twice is no fault."""
        self._connection.close()
        if self._let_go is not None:
            self._let_go()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> StoreDamaged:
        where = self._path or "in memory"
        helps = helped(error) or "; `vigente rebuild` makes it anew"
        return StoreDamaged(f"the index of names, {where}, cannot be used: {error}{helps}")


def _norm_of(text: str) -> str:
    """Return the IRI of the norm of an edition."""
    return text.partition("@")[0].partition("~")[0]


def _rows(records: Iterable[str], works: Iterable[str]) -> list[tuple[str, int]]:
    return [*((record, 0) for record in records), *((work, 1) for work in works)]
