"""A store made of a backup (backup.py): nothing that the list of the backup does not vouch for gets into it."""

from __future__ import annotations

import json
import os
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from graph.errors import BadParameter, NotAStore, StoreDamaged, StoreMissing
from graph.store.backup import FORMAT, MANIFEST, BackedUp
from graph.store.folder import CURRENT, DATA, MARKER, QUARANTINE, SNAPSHOTS, check_marker, is_free, open_snapshot
from graph.store.names import NAMES
from graph.store.published import chunks, engine_files, read_published
from graph.store.staging import staged

# What may be in a backup, and so where anything may be written.
_PART = r"(?!\.{1,2}/|\.{1,2}$)[^/\\\0]+"
_PATHS = re.compile(
    rf"store\.json|demo|publication\.sqlite|snapshots/[0-9]+/{_PART}|quarantine/{_PART}|harvest/{_PART}/(pages/)?{_PART}",
    re.ASCII,
)
# A list of files longer than this is none of ours, in bytes.
_LONGEST_LIST = 1 << 30
_TABLES = ".sst"
_SHOWN = 3
# The file format of SQLite, section 1.3: where the first 100 bytes have the page size, the pages, the user version.
_PAGE_SIZE, _PAGES, _VERSION = slice(16, 18), slice(28, 32), slice(60, 64)
_LARGEST_PAGE = 1 << 16
_HEAD = 100
_NO_INDEX = "expected one that a store had published. Take another backup"


@dataclass(frozen=True, slots=True)
class _List:
    """The list of a backup: sizes and hashes by path."""

    snapshot: str
    made: datetime
    files: Mapping[str, tuple[int, str]]

    @property
    def told(self) -> BackedUp:
        return BackedUp(self.snapshot, self.made, len(self.files), sum(size for size, _ in self.files.values()))


def verify(backup: Path, tell: Callable[[int, int], None] | None = None) -> BackedUp:
    """Read a whole backup and compare it with its list; nothing is written.

    Raises:
        BadParameter: nothing is there.
        NotAStore: something else is there.
        StoreDamaged: a file is missing or damaged.
    """
    with _opened(backup) as (pieces, said):
        return _compared(backup, pieces, said, None, tell).told


def restore(backup: Path, store: Path, tell: Callable[[int, int], None] | None = None) -> BackedUp:
    """Make a store of a backup, and check every byte; the store is there when all of it is.

    Args:
        backup: what :func:`graph.store.backup.back_up` made.
        store: nothing that is there yet, or an empty folder.
        tell: called with the bytes read and how many there are (0 where that is not known yet).

    Raises:
        BadParameter: there is no backup, or the store is there already.
        NotAStore: the backup is none.
        StoreDamaged: a file of the backup is missing, or is not what was backed up.
        StoreMissing: the store cannot be made.
    """
    if not is_free(store):
        raise BadParameter(f"{store} is there already, and is left alone; restore to a folder that nothing has yet")
    with _opened(backup) as (pieces, said):
        try:
            with staged(store) as part:
                found = _compared(backup, pieces, said, part, tell)
                _complete(part, found.snapshot)
        except OSError as error:
            raise StoreMissing(f"no store can be made at {store}: {error.strerror or error}") from None
    return found.told


def _complete(part: Path, number: str) -> None:
    """Add the files that a writer needs, and open the store to prove that it is sound."""
    snapshot, data = part / SNAPSHOTS / number, part / DATA
    (part / CURRENT).symlink_to(Path(SNAPSHOTS) / number)
    (part / QUARANTINE).mkdir(exist_ok=True)
    check_marker(part)
    published = read_published(snapshot)
    if published is None:
        raise StoreDamaged(f"the backup has no list of the files of its snapshot {number}")
    for name, one in published.files.items():
        os.utime(snapshot / name, ns=(one.changed, one.changed))  # so that nobody takes it for changed
    data.mkdir()
    for path in engine_files(snapshot):
        _shared(path, data / path.name)
    shutil.copyfile(snapshot / NAMES, part / NAMES)
    with open_snapshot(snapshot, part) as store:
        if not store.is_empty:
            next(iter(store.graphs()), None)
        if not store.names.is_sound:
            raise StoreDamaged(f"the index of names in the backup, {NAMES}, is damaged: {_NO_INDEX}")


def _shared(path: Path, target: Path) -> None:
    """Link a table, which never changes, if the file system supports links; copy any other file."""
    if path.suffix == _TABLES:
        try:
            target.hardlink_to(path)
        except OSError:
            pass
        else:
            return
    shutil.copy2(path, target)


_Piece = tuple[str, BinaryIO]


@contextmanager
def _opened(backup: Path) -> Iterator[tuple[Iterator[_Piece], _List | None]]:
    """Return the files of a backup by their paths, and its list if it comes first."""
    if not os.path.lexists(backup):
        raise BadParameter(f"expected a backup, got {backup}, which does not exist")
    if backup.is_dir():
        said = _listed(backup, _read_list(backup / MANIFEST))
        yield _of_folder(backup, said), said
        return
    try:
        with tarfile.open(backup, "r:") as archive:
            yield _of_archive(backup, archive), None
    except tarfile.TarError as error:
        raise NotAStore(f"{backup} is no backup of Vigente, or is cut or damaged: {error}") from None


def _of_folder(backup: Path, said: _List) -> Iterator[_Piece]:
    for path in said.files:
        try:
            with (backup / path).open("rb") as stream:
                yield path, stream
        except FileNotFoundError:
            continue  # told as missing
        except OSError as error:
            raise StoreDamaged(f"{backup / path} cannot be read: {error.strerror or error}") from None


def _of_archive(backup: Path, archive: tarfile.TarFile) -> Iterator[_Piece]:
    while (member := archive.next()) is not None:
        if member.name == CURRENT and member.issym():
            continue
        stream = archive.extractfile(member) if member.isreg() else None
        if stream is None:
            raise NotAStore(f"{backup} is no backup of Vigente: {member.name!r} in it is no file")
        with stream:
            yield member.name, stream  # type: ignore[misc]  # what reads a member is a file


def _compared(
    backup: Path,
    pieces: Iterator[_Piece],
    said: _List | None,
    into: Path | None,
    tell: Callable[[int, int], None] | None,
) -> _List:
    """Read every file, write it, and compare it with the list."""
    read: dict[str, tuple[int, str]] = {}
    cut: str | None = None
    done = 0
    total = said.told.bytes if said is not None else backup.stat().st_size
    for path, stream in pieces:
        if path == MANIFEST:
            said = _listed(backup, stream.read(_LONGEST_LIST))
            continue
        if _PATHS.fullmatch(path) is None or path in read:
            raise NotAStore(f"{backup} is no backup of Vigente: {path!r} has no place in a store")
        digest, size, head = sha256(), 0, b""
        with _output(into, path) as write:
            for chunk in _read(backup, path, stream):
                digest.update(chunk)
                head += chunk[: _HEAD - len(head)]
                size += len(chunk)
                write(chunk)
                if tell is not None:
                    tell(done + size, max(done + size, total))
        done += size
        if path.endswith(f"/{NAMES}") and not _is_whole_index(head, size):
            cut = path
        read[path] = (size, digest.hexdigest())
    if said is None:
        raise StoreDamaged(f"the backup {backup} is cut: {MANIFEST}, which comes last, is not in it")
    _hold(backup, said, read)
    if cut is not None:
        raise StoreDamaged(f"{cut} of the backup {backup} is empty or cut: {_NO_INDEX}")
    return said


def _is_whole_index(head: bytes, size: int) -> bool:
    """Whether a file is a complete index of names, by its first bytes and its size."""
    page = int.from_bytes(head[_PAGE_SIZE], "big")
    whole = (_LARGEST_PAGE if page == 1 else page) * int.from_bytes(head[_PAGES], "big")
    return size == whole > 0 and int.from_bytes(head[_VERSION], "big") > 0


def _hold(backup: Path, said: _List, read: Mapping[str, tuple[int, str]]) -> None:
    wrong = [path for path, one in said.files.items() if read.get(path) != one]
    wrong += [path for path in read if path not in said.files]
    needed = f"{SNAPSHOTS}/{said.snapshot}/{NAMES}"
    wrong += [path for path in (MARKER, needed) if path not in said.files]
    if wrong:
        told = ", ".join(f"{path} ({_wrong(said, read, path)})" for path in wrong[:_SHOWN])
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise StoreDamaged(f"the backup {backup} is damaged: {told}{more}; nothing was restored from it")


def _wrong(said: _List, read: Mapping[str, tuple[int, str]], path: str) -> str:
    if path not in said.files:
        return "not in its list"
    if path not in read:
        return "missing"
    size = said.files[path][0]
    found = read[path][0]
    return f"expected {size} bytes, got {found}" if size != found else "its SHA-256 is another"


@contextmanager
def _output(into: Path | None, path: str) -> Iterator[Callable[[bytes], object]]:
    if into is None:
        yield len
        return
    target = into / path
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as output:
        yield output.write


def _read(backup: Path, path: str, stream: BinaryIO) -> Iterator[bytes]:
    try:
        yield from chunks(stream)
    except (OSError, tarfile.TarError) as error:
        raise StoreDamaged(f"{path} in the backup {backup} cannot be read: {error}") from None


def _read_list(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(_LONGEST_LIST)
    except FileNotFoundError:
        raise NotAStore(f"{path.parent} is no backup of Vigente: expected {MANIFEST} in it") from None
    except OSError as error:
        raise StoreDamaged(f"{path} cannot be read: {error.strerror or error}") from None


def _listed(backup: Path, text: bytes) -> _List:
    try:
        said = json.loads(text)
        if said["application"] != "vigente" or said["backup"] != FORMAT:
            raise NotAStore(
                f"{backup} is of {said['application']!r}, form {said['backup']!r}; this version of Vigente reads form "
                f"{FORMAT} of its own"
            )
        files = {str(path): (int(one["size"]), str(one["sha256"])) for path, one in said["files"].items()}
        found = _List(str(said["snapshot"]), datetime.fromisoformat(said["made"]), files)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreDamaged(f"{MANIFEST} of the backup {backup} cannot be read: {error!r}") from None
    strange = [path for path in found.files if _PATHS.fullmatch(path) is None]
    if strange or not found.snapshot.isdecimal():
        raise NotAStore(f"{backup} is no backup of Vigente: {strange[:1] or found.snapshot} has no place in a store")
    return found
