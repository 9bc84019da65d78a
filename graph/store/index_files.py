"""The file of an index of names as it is opened: for the one that writes it, or as a copy that nobody changes."""

from __future__ import annotations

import fcntl
import os
import resource
import sqlite3
from collections.abc import Callable
from pathlib import Path
from secrets import randbits
from urllib.parse import quote
from weakref import finalize

# How much of the file SQLite may keep in memory, in KiB, for a reader and for the writer: what comes in falls
# everywhere into a large file, and more would not help.
_CACHE, _WRITERS_CACHE = 32 << 10, 16 << 10
# How much of a file is taken as it lies in the system's memory, where it is, in bytes: SQLite takes no more.
_MAPPED = 0x7FFF0000
# How many pages SQLite's log may have before they are brought into the file: until then what changed is known by it.
_LOGGED = 16_384
# The file format of SQLite, section 1.3: where a file has the number that its application gave it.
_STAMP = slice(68, 72)
# What SQLite keeps beside a file while it is written.
_BESIDE = ("", "-wal", "-shm", "-journal")


def opened(path: Path | None, *, immutable: bool) -> sqlite3.Connection:
    """A connection to the file of an index.

    Args:
        path: the file; None for an index in memory.
        immutable: whether nobody changes the file.

    Raises:
        sqlite3.Error: it cannot be opened. One to be written that is no database is opened all the same.
    """
    if path is None:
        return sqlite3.connect(":memory:", check_same_thread=False)
    if immutable:
        place = f"file:{quote(str(path))}?mode=ro&immutable=1"
        connection = sqlite3.connect(place, uri=True, check_same_thread=False)
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:  # else it takes from what is given
            connection.execute(f"PRAGMA mmap_size = {_MAPPED}")
        return connection
    connection = sqlite3.connect(path, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOGGED}")
        connection.execute(f"PRAGMA cache_size = -{_WRITERS_CACHE}")
    except sqlite3.DatabaseError:
        pass  # no index: it gives way to one
    return connection


def held(copy: Path, owner: object) -> Callable[[], object]:
    """Hold a copy for reading: nobody makes another of it until what this gives is called, or the owner forgotten.

    Raises:
        OSError: it is not there, or another is just being made of it.
    """
    handle = os.open(copy, os.O_RDONLY)
    let_go = finalize(owner, os.close, handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        let_go()
        raise
    except OSError:  # where files cannot be locked, no copy is made of another
        return let_go
    return let_go


def stamp(connection: sqlite3.Connection) -> None:
    """Give an index another number by chance: a copy of it has the same, and no index of before or elsewhere has."""
    connection.execute(f"PRAGMA application_id = {1 + randbits(30)}")


def stamped(path: Path) -> int | None:
    """The number that an index was given last, where its log was brought into the file; None where it has none.

    Raises:
        OSError: the file is there and cannot be read.
    """
    try:
        with path.open("rb") as file:
            return int.from_bytes(file.read(_STAMP.stop)[_STAMP]) or None
    except FileNotFoundError:
        return None


def remove(path: Path) -> None:
    """Remove a file of SQLite, with what lies beside it while it is written.

    Raises:
        OSError: it cannot be removed.
    """
    for end in _BESIDE:
        path.with_name(path.name + end).unlink(missing_ok=True)
