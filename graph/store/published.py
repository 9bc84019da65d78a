"""The description of a published snapshot, written before readers see it.

    published.json   the engine's files with their sizes and SHA-256, and the states of harvests at that moment
    tables.json      in the folder of the store: sizes and SHA-256 of the engine's tables that no snapshot has

During a harvest, its state on the disk is newer than the snapshot. A harvest continued from a backup of both would
skip the records in between. Each snapshot therefore has a copy of the states at its own time, and the sizes of the
payload files. A state covers only data that were on the disk before it (docs/reference/harvesting.md). The copy is
therefore never newer than its snapshot.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from graph.errors import DAMAGE_ADVICE, StoreDamaged, unwritable_store_error
from graph.store.index_file import stamp_of
from graph.store.names import NAMES

#: The sub-folder of a store for the states of harvests.
HARVEST = "harvest"
#: The file in a snapshot.
PUBLISHED = "published.json"
#: The file in the folder of a store that describes the tables that the engine merged after the last snapshot.
TABLES = "tables.json"
#: The engine's tables, which never change. Its other files keep their names when they change.
_TABLES = ".sst"
_CHUNK = 1 << 20
# How many files are hashed in parallel.
_AT_ONCE = 4
# The size of the pieces read to find the end of the last complete line.
_TAIL = 1 << 16


@dataclass(frozen=True, slots=True)
class FileChecksum:
    """A file of a snapshot, with its checksum.

    Attributes:
        size: in bytes.
        changed: its time of last change according to the file system, in nanoseconds.
        sha256: in hexadecimal.
    """

    size: int
    changed: int
    sha256: str

    def is_unchanged(self, path: Path) -> bool:
        """Return whether a file is unchanged: by size and time stamp, or by its SHA-256 if the time stamp differs.

        Raises:
            OSError: it cannot be read.
        """
        file_stat = path.stat()
        if (file_stat.st_size, file_stat.st_mtime_ns) == (self.size, self.changed):
            return True
        return file_stat.st_size == self.size and hash_of(path) == self.sha256


@dataclass(frozen=True, slots=True)
class PublishedSnapshot:
    """The description of a snapshot.

    Attributes:
        files: the engine's files, by name.
        states: the states of harvests, by path below the folder of harvests.
        payloads: by path below the same folder, the number of bytes of each payload file that belong to it.
        index: the random number of its copy of the index of names (:func:`graph.store.index_file.stamp`), or None.
    """

    files: Mapping[str, FileChecksum]
    states: Mapping[str, str]
    payloads: Mapping[str, int]
    index: int | None = None


def snapshot_files(snapshot: Path, before: PublishedSnapshot | None, data: Path) -> dict[str, FileChecksum]:
    """Return the engine's files in a new snapshot, by name.

    Args:
        snapshot: the snapshot.
        before: the previous snapshot, or None; files that both have are not read again.
        data: the folder of the engine's files, for the message.

    Raises:
        OSError: a file cannot be read.
        StoreDamaged: a table differs from what was first published.
    """
    known = {} if before is None else before.files
    files = engine_files(snapshot)
    with ThreadPoolExecutor(_AT_ONCE) as threads:  # hashing releases the interpreter lock
        sealed = threads.map(lambda path: _file_checksum(path, known.get(path.name), data), files)
        return {path.name: checksum for path, checksum in zip(files, sealed, strict=True)}


def write_description(snapshot: Path, harvests: Path, files: Mapping[str, FileChecksum]) -> None:
    """Write the description of a new snapshot before it is published; it is on the disk when this returns.

    Args:
        snapshot: the snapshot, with its index of names.
        harvests: the folder of harvests; no other process may write to it during the call.
        files: the engine's files in it.

    Raises:
        OSError: a file cannot be read or written.
    """
    description = {
        "files": _as_json(files),
        "states": {
            _relative_path(path, harvests): path.read_text("utf-8") for path in sorted(harvests.glob("*/*.json"))
        },
        "payloads": {
            _relative_path(path, harvests): _complete_size(path) for path in sorted(harvests.glob("*/pages/*"))
        },
        "index": stamp_of(snapshot / NAMES),
    }
    with (snapshot / PUBLISHED).open("w", encoding="utf-8") as output:
        json.dump(description, output, ensure_ascii=False)
        output.flush()
        os.fsync(output.fileno())


def read_published(snapshot: Path) -> PublishedSnapshot | None:
    """Return the description of a snapshot; None if it was published by a version that wrote none.

    Raises:
        StoreDamaged: it cannot be read.
    """
    path = snapshot / PUBLISHED
    try:
        data = json.loads(path.read_bytes())
        return PublishedSnapshot(
            _from_json(data["files"]),
            {str(name): str(text) for name, text in data["states"].items()},
            {str(name): int(length) for name, length in data["payloads"].items()},
            None if data.get("index") is None else int(data["index"]),
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreDamaged(f"{path} cannot be read: {error!r}") from None


def engine_files(folder: Path) -> list[Path]:
    """Return the engine's files in the folder of a snapshot."""
    return sorted(path for path in folder.iterdir() if path.name not in {NAMES, PUBLISHED} and path.is_file())


def changed_tables(known: Mapping[str, FileChecksum], folder: Path) -> list[str]:
    """Return the names of the tables in a folder of the engine that differ from their descriptions.

    Args:
        known: descriptions of files, by name.
        folder: the folder of the engine.

    Raises:
        OSError: one cannot be read.
    """
    changed = []
    for name, checksum in known.items():
        with suppress(FileNotFoundError):  # the engine has merged it into others
            if name.endswith(_TABLES) and not checksum.is_unchanged(folder / name):
                changed.append(name)
    return changed


def describe_tables(path: Path, data: Path, published: Mapping[str, FileChecksum]) -> None:
    """Write the file of the tables that no snapshot holds, after the engine has closed them.

    The engine merges tables in the background, and may replace published ones. Without a description, damage to a new
    table would be detected only after the next writer has published it.

    Args:
        path: of the file.
        data: the engine's folder.
        published: descriptions of the files in the last snapshot, by name.

    Raises:
        OSError: a file cannot be read or written.
    """
    tables = [table for table in sorted(data.glob("*" + _TABLES)) if table.name not in published]
    new = path.with_suffix(".new")
    new.write_text(json.dumps(_as_json({table.name: _file_checksum(table, None, data) for table in tables})), "utf-8")
    new.replace(path)


def described_tables(path: Path) -> dict[str, FileChecksum]:
    """Return the descriptions in a file of :func:`describe_tables`, by name; empty if no writer has finished.

    Raises:
        StoreDamaged: the file cannot be read.
    """
    try:
        return _from_json(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise StoreDamaged(f"{path} cannot be read: {error!r}. Remove it to go on without it") from None


def _as_json(files: Mapping[str, FileChecksum]) -> dict[str, list[int | str]]:
    return {name: [checksum.size, checksum.changed, checksum.sha256] for name, checksum in sorted(files.items())}


def _from_json(files: Any) -> dict[str, FileChecksum]:
    return {str(name): FileChecksum(int(size), int(when), str(sha)) for name, (size, when, sha) in files.items()}


def restore_harvest_states(published: PublishedSnapshot | None, harvests: Path) -> None:
    """Restore the published states of harvests: later ones may cover records that were lost.

    Raises:
        StoreDamaged: it cannot be written.
    """
    if published is None:
        return
    try:
        for path in harvests.glob("*/*.json"):
            if path.relative_to(harvests).as_posix() not in published.states:
                path.unlink()
        for name, text in published.states.items():
            new = (harvests / name).with_suffix(".new")
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(text, encoding="utf-8")
            new.replace(harvests / name)
    except OSError as error:
        raise unwritable_store_error(error) from None


def is_truncated(published: PublishedSnapshot, folder: Path) -> bool:
    """Return whether the engine's list of its tables, in its own folder, no longer begins with the published list.

    The engine only appends to a list, and begins a new one when it is opened. If a list is truncated, the engine
    deletes the tables that are no longer listed.

    Raises:
        OSError: it cannot be read.
    """
    with suppress(FileNotFoundError):
        name = (folder / "CURRENT").read_text("ascii", errors="replace").strip()
        checksum = published.files.get(name)
        if checksum is not None and (folder / name).is_file():
            with (folder / name).open("rb") as stream:
                return sha256(stream.read(checksum.size)).hexdigest() != checksum.sha256
    return False


def _file_checksum(path: Path, before: FileChecksum | None, data: Path) -> FileChecksum:
    file_stat = path.stat()
    is_table = path.suffix == _TABLES
    if is_table and before is not None and (file_stat.st_size, file_stat.st_mtime_ns) == (before.size, before.changed):
        return before
    now = FileChecksum(file_stat.st_size, file_stat.st_mtime_ns, hash_of(path))
    if is_table and before is not None and (now.size, now.sha256) != (before.size, before.sha256):
        raise StoreDamaged(changed_message(data, [path.name]))
    return now


def changed_message(data: Path, names: list[str]) -> str:
    """Return the error message for tables that changed after publication."""
    return (
        f"the data of {data.parent} is damaged: {', '.join(names[:3])} in {data} changed since it was published. "
        f"{DAMAGE_ADVICE}"
    )


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = sha256()
    with path.open("rb") as stream:
        for chunk in chunks(stream):
            digest.update(chunk)
    return digest.hexdigest()


def chunks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a file, piece by piece."""
    while chunk := stream.read(_CHUNK):
        yield chunk


def _relative_path(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _complete_size(path: Path) -> int:
    """Return the size of a file in bytes. For a file of lines, an incomplete last line does not count."""
    size = path.stat().st_size
    if path.suffix != ".jsonl":
        return size
    with path.open("rb") as stream:
        start = size
        while start > 0:
            begin = max(0, start - _TAIL)
            stream.seek(begin)
            newline = stream.read(start - begin).rfind(b"\n")
            if newline >= 0:
                return begin + newline + 1
            start = begin
    return 0
