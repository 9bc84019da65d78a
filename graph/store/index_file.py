"""Opens the SQLite file of an index of names: for its writer, or as an immutable copy."""

from __future__ import annotations

import fcntl
import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from secrets import randbits
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from urllib.parse import quote
from weakref import finalize

from graph.errors import StoreDamaged, hint_for

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


class IndexConnection(sqlite3.Connection):
    """A connection to the file of an index.

    Attributes:
        path: the file; None for an index in memory.
    """

    path: Path | None = None


def path_of(connection: sqlite3.Connection) -> Path | None:
    """Return the file of a connection; None for an index in memory."""
    return connection.path if isinstance(connection, IndexConnection) else None


def damage_error(path: Path | None, error: Exception) -> StoreDamaged:
    """Return the error of an index that cannot be used."""
    helps = hint_for(error) or "; `vigente rebuild` recreates it"
    return StoreDamaged(f"the index of names, {path or 'in memory'}, cannot be used: {error}{helps}")


@contextmanager
def translating_errors(path: Path | None) -> Iterator[None]:
    """Translate errors of the file of an index to :class:`graph.errors.StoreDamaged`."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise damage_error(path, error) from None


_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


class Table(Protocol):
    """A table of an index."""

    connection: sqlite3.Connection


_Of = TypeVar("_Of", bound=Table)


def reading(method: Callable[Concatenate[_Of, _Given], _Answer]) -> Callable[Concatenate[_Of, _Given], _Answer]:
    """Decorate a method of a table: it raises :class:`graph.errors.StoreDamaged` if the index cannot be read."""

    @wraps(method)
    def read(table: _Of, /, *given: _Given.args, **named: _Given.kwargs) -> _Answer:
        with translating_errors(path_of(table.connection)):
            return method(table, *given, **named)

    return read


def opened(path: Path | None, *, immutable: bool) -> IndexConnection:
    """Return a connection to the file of an index.

    Args:
        path: the file; None for an index in memory.
        immutable: whether the file never changes; it is then opened for reading only.

    Raises:
        sqlite3.Error: the file cannot be opened. For writing, a file that is not a database raises nothing here.
    """
    if path is None:
        return sqlite3.connect(":memory:", check_same_thread=False, factory=IndexConnection)
    if immutable:
        place = f"file:{quote(str(path))}?mode=ro&immutable=1"
        connection = sqlite3.connect(place, uri=True, check_same_thread=False, factory=IndexConnection)
        connection.path = path
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        connection.execute("PRAGMA temp_store = MEMORY")  # a worker cannot create files for a large sort
        if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:  # else it counts towards the limit
            connection.execute(f"PRAGMA mmap_size = {_MAPPED}")
        return connection
    connection = sqlite3.connect(path, check_same_thread=False, factory=IndexConnection)
    connection.path = path
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
