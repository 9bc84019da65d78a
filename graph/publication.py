"""The records that a store publishes by OAI-PMH: every version, with its datestamp, in an SQLite file beside the graph.

A batch of changes has one datestamp, which is later than those of all earlier batches. Versions are numbered in order.
The records of a window therefore have a range of numbers. A version is kept until :data:`KEPT_SECONDS` after its
replacement, so that a list that has begun continues unchanged (OAI-PMH 2.0, section 3.5.1).

The datestamp of a batch is :data:`_AHEAD` seconds in the future, and the batch is not shown before that time. A
response date is therefore never later than the datestamp of a batch that is still being written.

A batch changes a copy, which then replaces the file. A file never changes, so that a reader needs no lock.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from graph.errors import StoreDamaged, StoreMissing, StoreProblem
from graph.store.journal import sync_to_disk

#: The file of the publication, in the folder of a store.
PUBLICATION = "publication.sqlite"
#: The number of seconds for which a replaced version is kept: the lifetime of a resumption token.
KEPT_SECONDS = 7 * 86400
_AHEAD = 2
_FORMAT = "1"
_LOGS = ("-wal", "-shm")
_SCHEMA = """
CREATE TABLE settings (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE batches (batch INTEGER PRIMARY KEY, stamp INTEGER NOT NULL UNIQUE, last INTEGER NOT NULL);
CREATE TABLE versions (
    seq INTEGER PRIMARY KEY, identifier TEXT NOT NULL, source TEXT NOT NULL, origin TEXT NOT NULL, stamp INTEGER,
    superseded INTEGER, digest BLOB NOT NULL, specs TEXT NOT NULL, metadata BLOB, about BLOB
);
CREATE UNIQUE INDEX current ON versions (identifier) WHERE superseded IS NULL;
CREATE INDEX of_source ON versions (source, origin) WHERE superseded IS NULL;
CREATE INDEX past ON versions (superseded) WHERE superseded IS NOT NULL;
CREATE TABLE members (spec TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (spec, seq)) WITHOUT ROWID;
CREATE TABLE sets (spec TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
"""
_LIVING = "v.seq > ? AND v.seq <= ? AND (v.superseded IS NULL OR v.superseded > ?)"
_COLUMNS = "v.seq, v.identifier, v.stamp, v.specs, v.metadata, v.about, v.source, v.origin"


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """One version of a published record.

    Attributes:
        seq: its number; later versions have higher ones.
        identifier: of the record, in OAI-PMH.
        stamp: its datestamp, in seconds since 1970 (UTC).
        specs: its sets, without those that contain them.
        metadata: the ``oai_lexml`` element in exclusive canonical XML; None for a deleted record.
        about: the content of ``about``; None if there is none.
        source: the key of a published folder, or the URL of a harvested provider.
        origin: its identifier at that source.
    """

    seq: int
    identifier: str
    stamp: int
    specs: tuple[str, ...]
    metadata: bytes | None
    about: bytes | None
    source: str
    origin: str


@dataclass(frozen=True, slots=True)
class Window:
    """A range of versions of a publication, as fixed at the beginning of a list.

    Attributes:
        after: the window begins after this number.
        until: the window ends with this number.
        snapshot: the number of the last version at the beginning of the list.
        spec: a set; None for all records.
    """

    after: int
    until: int
    snapshot: int
    spec: str | None = None


def with_containing_sets(spec: str) -> Iterator[str]:
    """Yield the sets that contain a set, the outermost first, then the set itself (OAI-PMH 2.0, section 2.6).

    >>> list(with_containing_sets("lugar:br:sao.paulo"))
    ['lugar', 'lugar:br', 'lugar:br:sao.paulo']
    """
    parts = spec.split(":")
    return (":".join(parts[: n + 1]) for n in range(len(parts)))


@contextmanager
def temporary_copy(folder: Path) -> Iterator[Path | None]:
    """Copy the current publication of a store to a temporary file for the block.

    Args:
        folder: of the store; it may be published and served at the same time.

    Yields:
        The file; None if nothing was published.

    Raises:
        StoreDamaged: the file cannot be read.
    """
    path = folder / PUBLICATION
    if not path.is_file():
        yield None
        return
    with TemporaryDirectory(prefix="vigente-publication-") as place:
        target = Path(place) / PUBLICATION
        with (
            _translating_errors(path),
            closing(_open_for_reading(path)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            published = _has_schema(source)
            if published:
                source.backup(copy)
        yield target if published else None


class Publication:
    """The published records of one store, for reading. Threads must not share it.

    Args:
        folder: the folder of the store.
        clock: seconds since 1970 (UTC).

    Raises:
        StoreMissing: nothing was published.
        StoreDamaged: the file cannot be read.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        path = folder / PUBLICATION
        if not path.is_file():
            raise _nothing_published(folder)
        self._clock = clock
        with _translating_errors(path):
            self._db = _open_for_reading(path)
            if not _has_schema(self._db):
                self._db.close()
                raise _nothing_published(folder)
            self._db.execute("BEGIN")  # all reads see one state
            self._path = path
            row = self._db.execute(
                "SELECT last FROM batches WHERE stamp <= ? ORDER BY batch DESC LIMIT 1", (int(clock()),)
            ).fetchone()
        self.snapshot: int = row[0] if row else 0

    def __enter__(self) -> Publication:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def setting(self, key: str) -> str | None:
        """Return a setting of the publication; None if it has none."""
        return _setting(self._db, key)

    def settings(self, prefix: str) -> list[str]:
        """Return the settings whose keys begin with a prefix, sorted by key."""
        found = "SELECT text FROM settings WHERE substr(key, 1, ?) = ? ORDER BY key"
        return [row[0] for row in self._db.execute(found, (len(prefix), prefix))]

    def earliest(self) -> int | None:
        """Return the first datestamp ever assigned, in seconds since 1970 (UTC); None before the first."""
        first_stamp: int | None = self._db.execute("SELECT min(stamp) FROM batches").fetchone()[0]
        return first_stamp

    def sets(self) -> list[tuple[str, str]]:
        """Return pairs of setSpec and setName, sorted by setSpec."""
        return self._db.execute("SELECT spec, name FROM sets ORDER BY spec").fetchall()

    def window(self, first: int | None, last: int | None, spec: str | None) -> Window:
        """Return the window of the records with datestamps from ``first`` to ``last``, both included.

        Args:
            first, last: in seconds since 1970 (UTC); None for no bound.
            spec: a set; None for all records.
        """
        after = 0 if first is None else self._last_seq_at(first - 1)
        until = self.snapshot if last is None else min(self._last_seq_at(last), self.snapshot)
        return Window(after, until, self.snapshot, spec)

    def _last_seq_at(self, stamp: int) -> int:
        row = self._db.execute(
            "SELECT last FROM batches WHERE stamp <= ? ORDER BY stamp DESC LIMIT 1", (stamp,)
        ).fetchone()
        return row[0] if row else 0

    def is_kept(self, window: Window) -> bool:
        """Return whether every version that existed at the beginning of the list is still stored."""
        return int(self.setting("pruned") or 0) <= window.snapshot <= self.snapshot

    def count(self, window: Window) -> int:
        """Return the number of records in a window."""
        query = f"SELECT count(*) FROM {_from_clause(window)}"  # noqa: S608 - the clause has only names of columns
        total: int = self._db.execute(query, _bound_parameters(window)).fetchone()[0]
        return total

    def records(self, window: Window, after: int) -> Iterator[PublishedVersion]:
        """Yield the records of a list numbered above ``after``, in order."""
        text = f"SELECT {_COLUMNS} FROM {_from_clause(window)} ORDER BY v.seq"  # noqa: S608
        bounds = _bound_parameters(Window(max(after, window.after), window.until, window.snapshot, window.spec))
        for row in self._db.execute(text, bounds):
            yield _published_from_row(row)

    def record(self, identifier: str) -> PublishedVersion | None:
        """Return the current version of a record; None if the identifier was never published."""
        row = self._db.execute(
            f"SELECT {_COLUMNS} FROM versions v WHERE v.identifier = ? AND {_LIVING}",  # noqa: S608
            (identifier, 0, self.snapshot, self.snapshot),
        ).fetchone()
        return None if row is None else _published_from_row(row)


def _from_clause(window: Window) -> str:
    if window.spec is None:
        return f"versions v WHERE {_LIVING}"
    living = _LIVING.replace("v.seq", "m.seq")
    return f"members m CROSS JOIN versions v ON v.seq = m.seq WHERE m.spec = ? AND {living}"


def _bound_parameters(window: Window) -> tuple[object, ...]:
    bounds = (window.after, window.until, window.snapshot)
    return bounds if window.spec is None else (window.spec, *bounds)


def _published_from_row(row: tuple[int, str, int, str, bytes | None, bytes | None, str, str]) -> PublishedVersion:
    seq, identifier, stamp, specs, metadata, about, source, origin = row
    return PublishedVersion(seq, identifier, stamp, tuple(specs.split()), metadata, about, source, origin)


class Batch:
    """Changes of a publication that get one datestamp; created by :func:`publishing`.

    Attributes:
        new, changed, deleted, unchanged: the counts of records.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.new = self.changed = self.deleted = self.unchanged = 0

    @property
    def has_changes(self) -> bool:
        """Return whether any record was new, changed or deleted in this batch."""
        return bool(self.new or self.changed or self.deleted)

    def setting(self, key: str) -> str | None:
        """Return a setting of the publication; None if it has none."""
        return _setting(self._db, key)

    def set(self, key: str, text: str) -> None:
        """Store a setting."""
        self._db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, text))

    def name_set(self, spec: str, name: str) -> None:
        """Store the name of a set, unless it has one."""
        self._db.execute("INSERT OR IGNORE INTO sets VALUES (?, ?)", (spec, name))

    def source_of(self, identifier: str) -> tuple[str, str] | None:
        """Return source and origin of the record with an identifier, deleted or not; None if there is none."""
        row: tuple[str, str] | None = self._db.execute(
            "SELECT source, origin FROM versions WHERE identifier = ? AND superseded IS NULL", (identifier,)
        ).fetchone()
        return row

    def identifier_of(self, source: str, origin: str) -> str | None:
        """Return the identifier of a source's record in this repository; None if it was never published."""
        row = self._db.execute(
            "SELECT identifier FROM versions WHERE source = ? AND origin = ? AND superseded IS NULL", (source, origin)
        ).fetchone()
        return None if row is None else row[0]

    def living(self, source: str) -> list[str]:
        """Return the identifiers of a source's records that are not deleted."""
        rows = self._db.execute(
            "SELECT identifier FROM versions WHERE source = ? AND superseded IS NULL AND metadata IS NOT NULL",
            (source,),
        )
        return [row[0] for row in rows]

    def put(
        self,
        identifier: str,
        metadata: bytes | None,
        specs: Iterable[str],
        *,
        source: str,
        origin: str,
        about: bytes | None = None,
    ) -> bool:
        """Publish the current state of a record, or its deletion.

        Args:
            identifier: of the record, in OAI-PMH.
            metadata: None if it is deleted; a deleted record stays in its sets.
            specs: its sets.
            source, origin: as in :class:`PublishedVersion`.
            about: published with the metadata; a change of it alone does not count as a change.

        Returns:
            Whether the record changed.
        """
        before = self._db.execute(
            "SELECT seq, digest, specs, metadata IS NULL FROM versions WHERE identifier = ? AND superseded IS NULL",
            (identifier,),
        ).fetchone()
        kept = " ".join(sorted(set(specs)))
        if metadata is None and before is not None:
            kept = kept or before[2]
        digest = sha256(b"-" if metadata is None else b"+" + metadata + kept.encode()).digest()
        if before is not None and (before[1] == digest or (metadata is None and before[3])):
            self.unchanged += 1
            return False
        seq = self._db.execute("SELECT coalesce(max(seq), 0) + 1 FROM versions").fetchone()[0]
        if before is not None:
            self._db.execute("UPDATE versions SET superseded = ? WHERE seq = ?", (seq, before[0]))
        row = (seq, identifier, source, origin, None, None, digest, kept, metadata, about)
        self._db.execute("INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        memberships = {set_spec for spec in kept.split() for set_spec in with_containing_sets(spec)}
        self._db.executemany("INSERT INTO members VALUES (?, ?)", [(spec, seq) for spec in memberships])
        if metadata is None:
            self.deleted += 1
        elif before is None:
            self.new += 1
        else:
            self.changed += 1
        return True


@contextmanager
def publishing(folder: Path, clock: Callable[[], float] = time.time) -> Iterator[Batch]:
    """Yield a batch of changes to a publication, which is created if there is none. After an error nothing is changed.

    Args:
        folder: the folder of the store, which is open for writing.
        clock: seconds since 1970 (UTC).

    Raises:
        StoreDamaged: the file is not a publication.
        StoreProblem: it cannot be written.
    """
    path, part = folder / PUBLICATION, folder / f".{PUBLICATION}.part"
    with _translating_errors(path):
        try:
            _copy(path, part)
            with _changing(part) as db:
                _prepare(db)
                batch = Batch(db)
                yield batch
                if batch.has_changes:
                    _stamp(db, clock)
                    _prune(db, int(clock()))
            _replace(path, part, clock if batch.has_changes else None)
        finally:
            part.unlink(missing_ok=True)


def _copy(path: Path, part: Path) -> None:
    """Copy the published file, if there is one, to a new file."""
    part.unlink(missing_ok=True)  # of a killed writer; the store has one writer
    if path.exists():
        with closing(_open_for_reading(path)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)


@contextmanager
def _changing(part: Path) -> Iterator[sqlite3.Connection]:
    """Change a file that nobody reads, and write it to the disk. After an error its content is undefined."""
    with closing(sqlite3.connect(part, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=OFF")
        db.execute("PRAGMA synchronous=OFF")
        db.execute("BEGIN")
        yield db
        db.execute("COMMIT")
    sync_to_disk(part)


def _replace(path: Path, part: Path, clock: Callable[[], float] | None) -> None:
    """Publish a changed copy; a clock assigns a later datestamp to its last batch if writing took longer than planned.

    Readers have the old file or the new one. They need no lock and no other file, so that the folder can be read-only.
    """
    ahead = _AHEAD
    stamp = _last_stamp(part)
    while True:
        if clock is not None and clock() >= stamp:
            ahead *= 2
            stamp = max(int(clock()) + ahead, stamp + 1)
            with _changing(part) as db:
                _stamp_again(db, stamp)
            continue
        for suffix in _LOGS:  # of a version that wrote the file in place; the copy has their content
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        part.replace(path)
        sync_to_disk(path.parent)
        if clock is None or clock() < stamp:
            return
        _copy(path, part)


def _last_stamp(part: Path) -> int:
    with closing(sqlite3.connect(part)) as db:
        stamp: int | None = db.execute("SELECT max(stamp) FROM batches").fetchone()[0]
    return stamp or 0


def _open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a published file, which never changes. It may have a log if a version that wrote in place was killed."""
    unchanging = "" if Path(f"{path}{_LOGS[0]}").exists() else "&immutable=1"
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{unchanging}", uri=True, isolation_level=None)


def _has_schema(db: sqlite3.Connection) -> bool:
    """Return whether the first publication was committed; a killed one leaves an empty database."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'versions'").fetchone() is not None


def _nothing_published(folder: Path) -> StoreMissing:
    return StoreMissing(f"nothing was published from {folder}: run `vigente publish`")


def _prepare(db: sqlite3.Connection) -> None:
    if not _has_schema(db):
        for statement in _SCHEMA.split(";")[:-1]:
            db.execute(statement)
        db.executemany("INSERT INTO settings VALUES (?, ?)", [("format", _FORMAT), ("secret", secrets.token_hex(16))])
    elif _setting(db, "format") != _FORMAT:
        raise StoreDamaged(f"the publication is of another version: expected format {_FORMAT}")


def _stamp(db: sqlite3.Connection, clock: Callable[[], float]) -> None:
    """Assign a datestamp to the versions without one: in the future, and later than all earlier datestamps."""
    last = db.execute("SELECT max(stamp) FROM batches").fetchone()[0]
    stamp = max(int(clock()) + _AHEAD, (last or 0) + 1)
    db.execute("UPDATE versions SET stamp = ? WHERE stamp IS NULL", (stamp,))
    db.execute("INSERT INTO batches SELECT NULL, ?, max(seq) FROM versions", (stamp,))


def _stamp_again(db: sqlite3.Connection, stamp: int) -> None:
    """Assign a later datestamp to the last batch."""
    batch, before = db.execute("SELECT batch, stamp FROM batches ORDER BY batch DESC LIMIT 1").fetchone()
    db.execute("UPDATE versions SET stamp = ? WHERE stamp = ?", (stamp, before))
    db.execute("UPDATE batches SET stamp = ? WHERE batch = ?", (stamp, batch))


def _prune(db: sqlite3.Connection, now: int) -> None:
    """Remove versions that were replaced more than :data:`KEPT_SECONDS` ago."""
    old = db.execute("SELECT last FROM batches WHERE stamp < ? ORDER BY batch DESC", (now - KEPT_SECONDS,)).fetchone()
    if old is None:
        return
    gone = db.execute("SELECT max(superseded) FROM versions WHERE superseded <= ?", old).fetchone()[0]
    if gone is not None:
        db.execute("DELETE FROM members WHERE seq IN (SELECT seq FROM versions WHERE superseded <= ?)", old)
        db.execute("DELETE FROM versions WHERE superseded <= ?", old)
        db.execute("INSERT OR REPLACE INTO settings VALUES ('pruned', ?)", (str(gone),))


def _setting(db: sqlite3.Connection, key: str) -> str | None:
    row = db.execute("SELECT text FROM settings WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


@contextmanager
def _translating_errors(path: Path) -> Iterator[None]:
    """Translate exceptions of SQLite to errors of the store."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreProblem(f"{path} cannot be used: {error}") from None
    except sqlite3.DatabaseError as error:
        raise StoreDamaged(f"{path} is damaged: {error}") from None
