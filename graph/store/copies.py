"""Copies of the index of names for readers: each made of an older one that nobody reads, by the pages that changed.

SQLite brings nothing of what it writes into the file itself until its log is long. As long as it has not, the log says
which pages differ from the last copy. Beside the index lies what has to be known of that copy:

    copies.json   which snapshot has the last copy, which one had the copy before it, in which pages the two differ, and
                  what the file system said of the copies and of the index then

A reader locks its copy for sharing as long as it has it open, and who keeps a snapshot for longer has links of his own
to its files. A copy that can be locked alone and has no other link is moved out of its snapshot, which is removed, and
takes up the pages of both steps in the place where the new copy belongs. Where anything is not as it was left, the
whole file is copied. Of a large copy that has none before it, or one of less than half its size, a spare one is made
when it has been published: it stands for the one before, so that the next to publish need not wait for a whole copy.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from graph.store.journal import to_disk

#: The file in the folder of a store.
COPIES = "copies.json"

#: What the file system says of a file: its number, its size in bytes, when it was last changed, in nanoseconds.
_Seen: TypeAlias = tuple[int, int, int]

# The file format of SQLite, sections 1.3.2 and 4.1: where the file, and where its log, says how large a page is.
_PAGE_SIZE, _LOG_PAGE_SIZE = slice(16, 18), slice(8, 12)
_LOG_HEADER, _FRAME_HEADER = 32, 24
_LARGEST_PAGE = 1 << 16
#: The folder beside the snapshots for a spare copy.
_SPARE = "spare"
#: From so many bytes on a copy takes longer than anyone notices.
_WORTH_SPARING = 16 << 20


@dataclass(frozen=True, slots=True)
class Copied:
    """What is known of the last copy.

    Attributes:
        snapshot: the name of the snapshot that has it.
        index: the index as it was copied.
        copy: the copy itself.
        before: the snapshot and the copy before it; None where the two may differ anywhere.
        pages: in which pages the two differ, the first being 1.
    """

    snapshot: str
    index: _Seen
    copy: _Seen
    before: tuple[str, _Seen] | None
    pages: frozenset[int]

    def note(self, folder: Path) -> None:
        """Write this down in the folder of a store, whole or not at all; what is not there is copied whole.

        Raises:
            OSError: it cannot be written.
        """
        before = None if self.before is None else [self.before[0], list(self.before[1])]
        said = [self.snapshot, list(self.index), list(self.copy), before, sorted(self.pages)]
        new = (folder / COPIES).with_suffix(".new")
        new.write_text(json.dumps(said), encoding="ascii")
        new.replace(folder / COPIES)


def last_copied(folder: Path) -> Copied | None:
    """What is known of the last copy in a store; None where nothing is, or nothing that can be read."""
    try:
        snapshot, index, copy, before, pages = json.loads((folder / COPIES).read_bytes())
        earlier = None if before is None else (str(before[0]), _read_seen(before[1]))
        return Copied(str(snapshot), _read_seen(index), _read_seen(copy), earlier, frozenset(map(int, pages)))
    except (OSError, ValueError, TypeError, IndexError, KeyError, RecursionError):
        return None


def _read_seen(said: list[int]) -> _Seen:
    number, size, changed = map(int, said)
    return number, size, changed


def seen(path: Path) -> _Seen:
    """What the file system says of a file.

    Raises:
        OSError: it is not there.
    """
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def logged_pages(index: Path) -> frozenset[int]:
    """The pages of a file of SQLite that its log holds: all that changed since the log was last brought into the file.

    Raises:
        OSError: the log cannot be read.
    """
    found = set[int]()
    with suppress(FileNotFoundError), index.with_name(index.name + "-wal").open("rb") as log:
        size = int.from_bytes(log.read(_LOG_HEADER)[_LOG_PAGE_SIZE], "big")
        while len(frame := log.read(_FRAME_HEADER)) == _FRAME_HEADER:
            found.add(int.from_bytes(frame[:4], "big"))
            log.seek(size, os.SEEK_CUR)
    return frozenset(found)


def copied(index: Path, target: Path, last: Copied | None, changed: frozenset[int] | None) -> Copied:
    """Copy an index into a new snapshot; on the disk when this returns.

    Args:
        index: its file, which nobody writes and which has no log.
        target: where the copy comes: nothing is there.
        last: what is known of the last copy, where that is known to be the last.
        changed: the pages of the index that changed since; None where they are not known.

    Raises:
        OSError: it cannot be written.
    """
    if last is None or changed is None or not _renewed(index, target, last, changed):
        shutil.copyfile(index, target)
        to_disk(target)
    to_disk(target.parent)
    before = None if last is None or changed is None else (last.snapshot, last.copy)
    return Copied(target.parent.name, seen(index), seen(target), before, changed or frozenset())


def spared(folder: Path, snapshots: Path, index: str) -> None:
    """Make a spare copy where the next one would be as good as whole; remove one that is of no use any more.

    Args:
        folder: of a store, in which nobody else writes.
        snapshots: where its snapshots lie.
        index: the name of the file that is copied.

    Raises:
        OSError: it cannot be written, and the next copy is a whole one.
    """
    last, spare = last_copied(folder), snapshots / _SPARE
    if last is not None and last.before is not None and last.before[0] == _SPARE:
        return
    if spare.exists():
        shutil.rmtree(spare)
    if last is None or last.copy[1] < _WORTH_SPARING or (last.before and 2 * last.before[1][1] > last.copy[1]):
        return
    try:
        spare.mkdir()
        shutil.copyfile(snapshots / last.snapshot / index, spare / index)
        to_disk(spare / index)
        to_disk(spare)
        replace(last, before=(_SPARE, seen(spare / index)), pages=frozenset()).note(folder)
    except OSError:
        shutil.rmtree(spare, ignore_errors=True)
        raise


def _renewed(index: Path, target: Path, last: Copied, changed: frozenset[int]) -> bool:
    """Whether the copy before the last could be had, and is now a copy of the index in its new place."""
    if last.before is None:
        return False
    old = target.parent.with_name(last.before[0])
    try:
        with alone_with(old) as nobody_holds, alone_with(old / target.name) as nobody_reads:
            is_free = nobody_holds and nobody_reads and (old / target.name).stat().st_nlink == 1
            if not is_free or seen(old / target.name) != last.before[1]:
                return False
            (old / target.name).rename(target)
            shutil.rmtree(old, ignore_errors=True)
            _take_up(index, target, last.pages | changed)
            return True
    except FileNotFoundError:
        return False


def _take_up(index: Path, copy: Path, pages: frozenset[int]) -> None:
    with index.open("rb") as source, copy.open("r+b") as target:
        size = int.from_bytes(source.read(_PAGE_SIZE.stop)[_PAGE_SIZE], "big")
        size = _LARGEST_PAGE if size == 1 else size
        for page in sorted(pages):
            at = (page - 1) * size
            os.pwrite(target.fileno(), os.pread(source.fileno(), size, at), at)
        os.truncate(target.fileno(), os.fstat(source.fileno()).st_size)
    to_disk(copy)


@contextmanager
def alone_with(path: Path) -> Iterator[bool]:
    """Whether nobody else has locked a file or folder; then nobody can until the block ends.

    Raises:
        FileNotFoundError: it is not there.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        except OSError:
            alone = False
        yield alone
    finally:
        os.close(handle)
