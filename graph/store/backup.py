"""Backup and restore of the last published state of a store with all its files, in a folder or in one file.

    backup.json         every file with its size and SHA-256; written last
    store.json, current, snapshots/N/, quarantine/, harvest/     as in a store (folder.py), without a writer's files

A backup can be made while the store is written and served. The snapshot does not change. The states of harvests and the
payloads are those of the snapshot (published.py). The refused records are the current ones, and those that a writer
has removed since the snapshot. Files are copied, because a hard link would share damage with the original.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from graph.errors import BadParameter, NotAStore, StoreDamaged, StoreMissing
from graph.publication import PUBLICATION, temporary_copy
from graph.quarantine import kept_keys, open_kept_file
from graph.store.folder import (
    CURRENT,
    DATA,
    DEMO,
    MARKER,
    QUARANTINE,
    SNAPSHOTS,
    check_marker,
    holding,
    is_free,
    open_snapshot,
)
from graph.store.journal import sync_to_disk
from graph.store.names import NAMES, NameIndex
from graph.store.published import HARVEST, PUBLISHED, chunks, engine_files, read_published

# Creates a folder or file atomically: under another name, which is synced to the disk and renamed.


@contextmanager
def staged_folder(target: Path, file: str | None = None) -> Iterator[Path]:
    """Yield a new folder, which is renamed to its target when the block ends; if the block raises, it is deleted.

    A folder left by a killed process is removed first: the folder is locked while it is in use.

    Args:
        target: must not exist, or be an empty folder.
        file: the only file of the folder that is moved to the target.

    Raises:
        OSError: the folder cannot be written, or another process has created the target.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in target.parent.glob(f".{_escaped(target.name)}.*.part"):
        _remove_if_unlocked(old)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.mkdir()
    handle = os.open(part, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield part
        for folder, _, names in os.walk(part, topdown=False):
            for path in (Path(folder, name) for name in names):
                if not path.is_symlink():
                    sync_to_disk(path)
            sync_to_disk(Path(folder))
        if file is None:
            part.rename(target)
        else:
            os.link(part / file, target)  # unlike a rename, it replaces nothing
            shutil.rmtree(part, ignore_errors=True)
        sync_to_disk(target.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    finally:
        os.close(handle)


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _remove_if_unlocked(part: Path) -> None:
    with suppress(OSError):
        handle = os.open(part, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(part, ignore_errors=True)
        finally:
            os.close(handle)


# Making a backup.


#: The suffix of a backup in one file.
ARCHIVE = ".tar"
#: The list of the files of a backup.
MANIFEST = "backup.json"
# The name of an unfinished archive.
_ONE = "it"
#: The version of the format of :data:`MANIFEST`.
FORMAT = 1


@dataclass(frozen=True, slots=True)
class BackedUp:
    """The contents of a backup.

    Attributes:
        snapshot: the number of the snapshot.
        made: when the backup was made (UTC).
        files: the number of files, without the list of files.
        bytes: the size of these files.
        left_out: the paths of payloads that no longer exist; always empty for a backup that is read.
    """

    snapshot: str
    made: datetime
    files: int
    bytes: int
    left_out: tuple[str, ...] = ()


class _Sink(Protocol):
    def add(self, path: str, size: int, stream: BinaryIO) -> None: ...

    def link(self, path: str, target: str) -> None: ...


def back_up(store: Path, target: Path, progress: Callable[[int, int], None] | None = None) -> BackedUp:
    """Copy the last published state of a store, with refused records and states of harvests.

    The files of the engine are compared with the published checksums while they are copied.

    Args:
        store: the folder of the store; it may be written and served at the same time.
        target: a new folder, or a new file whose name ends in ``.tar``.
        progress: called with the bytes copied and their total.

    Raises:
        BadParameter: the target exists, is within the store, ends like another kind of archive (``.zip``), or cannot be
            written.
        StoreProblem: the store is missing, not a store, or damaged; no backup is made.
    """
    in_one_file = target.suffix == ARCHIVE
    if os.path.lexists(target):
        raise BadParameter(f"{target} already exists; give the name of a new file or folder")
    if not in_one_file and target.suffix in {".gz", ".zip", ".tgz", ".xz", ".zst", ".bz2"}:
        raise BadParameter(f"expected a folder or a file ending in {ARCHIVE}, got {target}")
    if store.resolve() in target.resolve().parents:
        raise BadParameter(f"{target} is within the store; give a place outside of {store}")
    while True:
        with holding(store) as snapshot, suppress(_Overtaken):
            copying = _BackupCopy(store, snapshot, progress)
            try:
                with staged_folder(target, _ONE if in_one_file else None) as part:
                    if not in_one_file:
                        return copying.into(_InFolder(part))
                    with tarfile.open(part / _ONE, "w", format=tarfile.PAX_FORMAT) as archive:
                        return copying.into(_InFile(archive))
            except OSError as error:
                why = error.strerror or error
                raise BadParameter(f"{target} cannot be written: {why}; nothing is left of it") from None


class _Overtaken(Exception):
    """Raised if another snapshot was published before this one was copied; the copy is then repeated."""


class _BackupCopy:
    """One backup in progress: copies the files of a snapshot to a sink."""

    def __init__(self, store: Path, snapshot: Path, progress: Callable[[int, int], None] | None) -> None:
        published = read_published(snapshot)
        if published is None:
            raise StoreDamaged(
                f"{snapshot} was published by an earlier version of Vigente, which kept no list of its files; "
                "`vigente rebuild` publishes it again"
            )
        index = NameIndex(snapshot / NAMES, immutable=True)
        try:
            if not (index.is_whole and index.is_sound):
                raise StoreDamaged(f"{snapshot / NAMES} is damaged or empty; `vigente rebuild` recreates it")
        finally:
            index.close()
        self._store, self._snapshot, self._published, self._progress = store, snapshot, published, progress
        self._done = 0
        sizes = (path.stat().st_size for path in snapshot.iterdir())
        self._all = sum(sizes) + sum(published.payloads.values())
        self._files: dict[str, dict[str, object]] = {}
        self._left_out: list[str] = []

    def into(self, sink: _Sink) -> BackedUp:
        """Copy all files, and the list last.

        Raises:
            _Overtaken: files of the snapshot may have been removed.
        """
        self._copy_refused(sink)
        if (self._store / CURRENT).resolve() != self._snapshot:
            raise _Overtaken
        for name in (MARKER, DEMO):
            if (self._store / name).exists():
                self._copy(sink, name, self._store / name)
        inside = f"{SNAPSHOTS}/{self._snapshot.name}"
        published = {name: checksum.sha256 for name, checksum in sorted(self._published.files.items())}
        for name, sha in {**published, NAMES: None, PUBLISHED: None}.items():
            try:
                self._copy(sink, f"{inside}/{name}", self._snapshot / name, expected=sha)
            except FileNotFoundError:
                raise StoreDamaged(
                    f"the snapshot of {self._store} is damaged: {self._snapshot / name} is missing. There is no backup "
                    "of it; restore an earlier one (`vigente restore`), or load the sources again"
                ) from None
        for path, text in self._published.states.items():
            self._put(sink, f"{HARVEST}/{path}", text.encode())
        for path, length in self._published.payloads.items():
            try:
                self._copy(sink, f"{HARVEST}/{path}", self._store / HARVEST / path, length=length)
            except FileNotFoundError:
                self._left_out.append(path)
        with temporary_copy(self._store) as publication:
            if publication is not None:
                self._copy(sink, PUBLICATION, publication)
        sink.link(CURRENT, inside)
        made = datetime.now(UTC).replace(microsecond=0)
        size = sum(cast("int", entry["size"]) for entry in self._files.values())
        summary = BackedUp(self._snapshot.name, made, len(self._files), size, tuple(self._left_out))
        manifest = {
            "application": "vigente",
            "backup": FORMAT,
            "snapshot": summary.snapshot,
            "made": made.isoformat().replace("+00:00", "Z"),
            "files": self._files,
        }
        listed = json.dumps(manifest, indent=1, ensure_ascii=False).encode()
        sink.add(MANIFEST, len(listed), BytesIO(listed))
        return summary

    def _copy_refused(self, sink: _Sink) -> None:
        """Copy each refused record with its payload; a record that a writer removed gets its original name."""
        folder = self._store / QUARANTINE
        for key in kept_keys(folder):
            for path in (f"{key}.bin", f"{key}.json"):
                with suppress(FileNotFoundError), open_kept_file(folder, path) as stream:
                    self._add(sink, f"{QUARANTINE}/{path}", os.fstat(stream.fileno()).st_size, stream)

    def _copy(
        self, sink: _Sink, path: str, source: Path, *, length: int | None = None, expected: str | None = None
    ) -> None:
        with source.open("rb") as stream:
            digest = self._add(sink, path, os.fstat(stream.fileno()).st_size if length is None else length, stream)
        if expected is not None and digest != expected:
            raise StoreDamaged(
                f"the snapshot of {self._store} is damaged: {source} is not what was published (its SHA-256 "
                "differs). No backup was made; restore an earlier one (`vigente restore`), or load the sources "
                "again"
            )

    def _put(self, sink: _Sink, path: str, content: bytes) -> None:
        self._add(sink, path, len(content), BytesIO(content))

    def _add(self, sink: _Sink, path: str, size: int, stream: BinaryIO) -> str:
        measured = _HashedBytes(stream, size, path, self._count)
        sink.add(path, size, cast("BinaryIO", measured))
        sha = measured.digest.hexdigest()
        self._files[path] = {"size": size, "sha256": sha}
        return sha

    def _count(self, count: int) -> None:
        self._done += count
        if self._progress is not None:
            self._progress(self._done, max(self._done, self._all))


class _HashedBytes:
    """A stream of the first ``size`` bytes of a file, which hashes them during reading.

    Raises:
        StoreDamaged: raised during reading if the file cannot be read or has fewer bytes.
    """

    def __init__(self, stream: BinaryIO, size: int, path: str, on_read: Callable[[int], None]) -> None:
        self.digest = sha256()
        self._stream, self._left, self._path, self._on_read = stream, size, path, on_read

    def read(self, size: int = -1) -> bytes:
        """Return at most ``size`` bytes, or all if it is negative; empty at the end."""
        wanted = self._left if size < 0 else min(size, self._left)
        try:
            data = self._stream.read(wanted)
        except OSError as error:
            raise StoreDamaged(f"{self._path} of the store cannot be read: {error.strerror or error}") from None
        if wanted and not data:
            raise StoreDamaged(f"{self._path} of the store is shorter than it was: {self._left} bytes are missing")
        self._left -= len(data)
        self.digest.update(data)
        self._on_read(len(data))
        return data


class _InFolder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, path: str, size: int, stream: BinaryIO) -> None:
        """Write a file of the given size."""
        target = self._folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as output:
            output.writelines(chunks(stream))
            assert output.tell() == size  # noqa: S101 - as measured

    def link(self, path: str, target: str) -> None:
        """Write a symbolic link."""
        (self._folder / path).symlink_to(target)


class _InFile:
    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive

    def add(self, path: str, size: int, stream: BinaryIO) -> None:
        """Write a member."""
        member = tarfile.TarInfo(path)
        member.size, member.mode, member.mtime = size, 0o644, 0
        self._archive.addfile(member, stream)

    def link(self, path: str, target: str) -> None:
        """Write a symbolic link."""
        member = tarfile.TarInfo(path)
        member.type, member.linkname = tarfile.SYMTYPE, target
        self._archive.addfile(member)


# Restores a backup: only files in its list are written to the store.


# The paths that a backup may contain.
_PART = r"(?!\.{1,2}/|\.{1,2}$)[^/\\\0]+"
_PATHS = re.compile(
    rf"store\.json|demo|publication\.sqlite|snapshots/[0-9]+/{_PART}|quarantine/{_PART}|harvest/{_PART}/(pages/)?{_PART}",
    re.ASCII,
)
# The maximum length of a list of files, in bytes.
_LONGEST_LIST = 1 << 30
_TABLES = ".sst"
_SHOWN = 3
# The file format of SQLite, section 1.3: the first 100 bytes have the page size, the number of pages and the user
# version.
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
    def summary(self) -> BackedUp:
        return BackedUp(self.snapshot, self.made, len(self.files), sum(size for size, _ in self.files.values()))


def verify(backup: Path, progress: Callable[[int, int], None] | None = None) -> BackedUp:
    """Read a whole backup, compare it with its list, and return its contents; nothing is written.

    Raises:
        BadParameter: there is no such file or folder.
        NotAStore: it is not a backup.
        StoreDamaged: a file is missing or damaged.
    """
    with _opened_backup(backup) as (pieces, listed):
        return _compare_with_list(backup, pieces, listed, None, progress).summary


def restore(backup: Path, store: Path, progress: Callable[[int, int], None] | None = None) -> BackedUp:
    """Make a store from a backup, check every byte, and return the contents; the store appears only when complete.

    Args:
        backup: as made by :func:`graph.store.backup.back_up`.
        store: must not exist, or be an empty folder.
        progress: called with the bytes read and their total (0 while that is unknown).

    Raises:
        BadParameter: there is no backup, or the store exists.
        NotAStore: it is not a backup.
        StoreDamaged: a file of the backup is missing or differs from its list.
        StoreMissing: the store cannot be made.
    """
    if not is_free(store):
        raise BadParameter(f"{store} already exists and was not changed; restore to a new folder")
    with _opened_backup(backup) as (pieces, listed):
        try:
            with staged_folder(Path(os.path.realpath(store))) as part:  # a link means its target
                verified = _compare_with_list(backup, pieces, listed, part, progress)
                _complete_store(part, verified.snapshot)
        except OSError as error:
            raise StoreMissing(f"no store can be created at {store}: {error.strerror or error}") from None
    return verified.summary


def _complete_store(part: Path, number: str) -> None:
    """Add the files that a writer needs, and open the store to check it."""
    snapshot, data = part / SNAPSHOTS / number, part / DATA
    (part / CURRENT).symlink_to(Path(SNAPSHOTS) / number)
    (part / QUARANTINE).mkdir(exist_ok=True)
    check_marker(part)
    published = read_published(snapshot)
    if published is None:
        raise StoreDamaged(f"the backup has no list of the files of its snapshot {number}")
    for name, checksum in published.files.items():
        os.utime(
            snapshot / name, ns=(checksum.changed, checksum.changed)
        )  # keeps the time stamp, so that the file does not seem changed
    data.mkdir()
    for path in engine_files(snapshot):
        _link_or_copy(path, data / path.name)
    shutil.copyfile(snapshot / NAMES, part / NAMES)
    with open_snapshot(snapshot, part) as store:
        if not store.is_empty:
            next(iter(store.graphs()), None)
        if not store.names.is_sound:
            raise StoreDamaged(f"the index of names in the backup, {NAMES}, is damaged: {_NO_INDEX}")


def _link_or_copy(path: Path, target: Path) -> None:
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
def _opened_backup(backup: Path) -> Iterator[tuple[Iterator[_Piece], _List | None]]:
    """Yield the files of a backup with their paths, and its list (None for an archive, which ends with its list).

    Raises:
        BadParameter: there is no such file or folder.
        NotAStore: it is not a backup.
    """
    if not os.path.lexists(backup):
        raise BadParameter(f"expected a backup, got {backup}, which does not exist")
    if backup.is_dir():
        listed = _parse_list(backup, _read_list(backup / MANIFEST))
        yield _pieces_of_folder(backup, listed), listed
        return
    try:
        with tarfile.open(backup, "r:") as archive:
            yield _pieces_of_archive(backup, archive), None
    except tarfile.TarError as error:
        raise NotAStore(f"{backup} is not a backup of Vigente, or is truncated or damaged: {error}") from None


def _pieces_of_folder(backup: Path, listed: _List) -> Iterator[_Piece]:
    for path in listed.files:
        try:
            with (backup / path).open("rb") as stream:
                yield path, stream
        except FileNotFoundError:
            continue  # reported as missing
        except OSError as error:
            raise StoreDamaged(f"{backup / path} cannot be read: {error.strerror or error}") from None


def _pieces_of_archive(backup: Path, archive: tarfile.TarFile) -> Iterator[_Piece]:
    while (member := archive.next()) is not None:
        if member.name == CURRENT and member.issym():
            continue
        stream = archive.extractfile(member) if member.isreg() else None
        if stream is None:
            raise NotAStore(f"{backup} is not a backup of Vigente: {member.name!r} in it is not a file")
        with stream:
            yield member.name, stream  # type: ignore[misc]  # a member's reader is a binary stream


def _compare_with_list(
    backup: Path,
    pieces: Iterator[_Piece],
    listed: _List | None,
    into: Path | None,
    progress: Callable[[int, int], None] | None,
) -> _List:
    """Read every file, write it if ``into`` is given, compare all with the list, and return the list."""
    read: dict[str, tuple[int, str]] = {}
    cut: str | None = None
    done = 0
    total = listed.summary.bytes if listed is not None else backup.stat().st_size
    for path, stream in pieces:
        if path == MANIFEST:
            listed = _parse_list(backup, stream.read(_LONGEST_LIST))
            continue
        if _PATHS.fullmatch(path) is None or path in read:
            raise NotAStore(f"{backup} is not a backup of Vigente: {path!r} is not a file of a store")
        digest, size, head = sha256(), 0, b""
        with _output(into, path) as write:
            for chunk in _read(backup, path, stream):
                digest.update(chunk)
                head += chunk[: _HEAD - len(head)]
                size += len(chunk)
                write(chunk)
                if progress is not None:
                    progress(done + size, max(done + size, total))
        done += size
        if path.endswith(f"/{NAMES}") and not _is_whole_index(head, size):
            cut = path
        read[path] = (size, digest.hexdigest())
    if listed is None:
        raise StoreDamaged(f"the backup {backup} is truncated: its last file, {MANIFEST}, is missing")
    _check_against_list(backup, listed, read)
    if cut is not None:
        raise StoreDamaged(f"{cut} of the backup {backup} is empty or truncated: {_NO_INDEX}")
    return listed


def _is_whole_index(head: bytes, size: int) -> bool:
    """Return whether a file is a complete index of names, by its first bytes and its size."""
    page = int.from_bytes(head[_PAGE_SIZE], "big")
    expected_size = (_LARGEST_PAGE if page == 1 else page) * int.from_bytes(head[_PAGES], "big")
    return size == expected_size > 0 and int.from_bytes(head[_VERSION], "big") > 0


def _check_against_list(backup: Path, listed: _List, read: Mapping[str, tuple[int, str]]) -> None:
    wrong = [path for path, entry in listed.files.items() if read.get(path) != entry]
    wrong += [path for path in read if path not in listed.files]
    needed = f"{SNAPSHOTS}/{listed.snapshot}/{NAMES}"
    wrong += [path for path in (MARKER, needed) if path not in listed.files]
    if wrong:
        details = ", ".join(f"{path} ({_describe_difference(listed, read, path)})" for path in wrong[:_SHOWN])
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise StoreDamaged(f"the backup {backup} is damaged: {details}{more}; nothing was restored from it")


def _describe_difference(listed: _List, read: Mapping[str, tuple[int, str]], path: str) -> str:
    if path not in listed.files:
        return "not in its list"
    if path not in read:
        return "missing"
    size = listed.files[path][0]
    size_read = read[path][0]
    return f"expected {size} bytes, got {size_read}" if size != size_read else "its SHA-256 differs"


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
        raise NotAStore(f"{path.parent} is not a backup of Vigente: expected {MANIFEST} in it") from None
    except OSError as error:
        raise StoreDamaged(f"{path} cannot be read: {error.strerror or error}") from None


def _parse_list(backup: Path, text: bytes) -> _List:
    try:
        data = json.loads(text)
        if data["application"] != "vigente" or data["backup"] != FORMAT:
            raise NotAStore(
                f"{backup} was written by {data['application']!r} in format {data['backup']!r}; this version reads "
                f"backups of Vigente in format {FORMAT}"
            )
        files = {str(path): (int(entry["size"]), str(entry["sha256"])) for path, entry in data["files"].items()}
        file_list = _List(str(data["snapshot"]), datetime.fromisoformat(data["made"]), files)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreDamaged(f"{MANIFEST} of the backup {backup} cannot be read: {error!r}") from None
    strange = [path for path in file_list.files if _PATHS.fullmatch(path) is None]
    if strange or not file_list.snapshot.isdecimal():
        raise NotAStore(
            f"{backup} is not a backup of Vigente: {strange[:1] or file_list.snapshot} is not a file of a store"
        )
    return file_list
