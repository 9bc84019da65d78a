"""A backup: the last published state of a store with all that belongs to it, in a folder or in one file.

    backup.json         every file with its size and SHA-256; written last
    store.json, current, snapshots/N/, quarantine/, harvest/     as in a store (folder.py), without what a writer needs

It is made while the store is written and served: the snapshot does not change, what harvests remember is what they
remembered when it was published (published.py), and of kept payloads comes what was kept by then. Refused records are
those of the moment, with those that a writer has let go of since what was published. Files are copied and not linked: a
link would share the damage that a backup is there for.
"""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from graph.errors import BadParameter, StoreDamaged
from graph.publication import PUBLICATION, copied
from graph.quarantine import kept_keys, opened_kept
from graph.store.folder import CURRENT, DEMO, MARKER, QUARANTINE, SNAPSHOTS, holding
from graph.store.names import NAMES, NameIndex
from graph.store.published import HARVEST, PUBLISHED, chunks, read_published
from graph.store.staging import staged

#: How the name of a backup in one file ends.
ARCHIVE = ".tar"
#: The list of what a backup holds.
MANIFEST = "backup.json"
# The archive, as long as it is being written.
_ONE = "it"
#: The version of the form of :data:`MANIFEST`.
FORMAT = 1


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds.

    Attributes:
        snapshot: the number of the snapshot.
        made: when (UTC).
        files: how many, without the list of them.
        bytes: of these files.
        left_out: kept payloads that are no longer there, by path; of a backup that is read none.
    """

    snapshot: str
    made: datetime
    files: int
    bytes: int
    left_out: tuple[str, ...] = ()


class _Sink(Protocol):
    def add(self, path: str, size: int, stream: BinaryIO) -> None: ...

    def link(self, path: str, target: str) -> None: ...


def back_up(store: Path, target: Path, tell: Callable[[int, int], None] | None = None) -> BackedUp:
    """Copy the last published state of a store, with refused records and what harvests remembered, and check it.

    Args:
        store: the folder of the store; it may be written and served meanwhile.
        target: a new folder, or a new file whose name ends in ``.tar``.
        tell: called with the bytes copied and how many there are.

    Raises:
        BadParameter: the target is there already, is none, or cannot be written.
        StoreProblem: the store is missing, none, or damaged; then there is no backup.
    """
    in_one_file = target.suffix == ARCHIVE
    if os.path.lexists(target):
        raise BadParameter(f"{target} is there already; give a name that nothing has yet")
    if not in_one_file and target.suffix in {".gz", ".zip", ".tgz", ".xz", ".zst", ".bz2"}:
        raise BadParameter(f"expected a folder or a file ending in {ARCHIVE}, got {target}")
    if store.resolve() in target.resolve().parents:
        raise BadParameter(f"{target} lies within the store; give a place outside of {store}")
    while True:
        with holding(store) as snapshot, suppress(_Overtaken):
            copying = _Copying(store, snapshot, tell)
            try:
                with staged(target, _ONE if in_one_file else None) as part:
                    if not in_one_file:
                        return copying.into(_InFolder(part))
                    with tarfile.open(part / _ONE, "w", format=tarfile.PAX_FORMAT) as archive:
                        return copying.into(_InFile(archive))
            except OSError as error:
                why = error.strerror or error
                raise BadParameter(f"{target} cannot be written: {why}; nothing is left of it") from None


class _Overtaken(Exception):
    """Raised if another snapshot was published before this one was copied: copy again."""


class _Copying:
    """One backup: yields its files piece by piece."""

    def __init__(self, store: Path, snapshot: Path, tell: Callable[[int, int], None] | None) -> None:
        published = read_published(snapshot)
        if published is None:
            raise StoreDamaged(
                f"{snapshot} was published by an earlier version of Vigente, which kept no list of its files; "
                "`vigente rebuild` publishes it anew"
            )
        index = NameIndex(snapshot / NAMES, immutable=True)
        try:
            if not (index.is_whole and index.is_sound):
                raise StoreDamaged(f"{snapshot / NAMES} is damaged or empty; `vigente rebuild` makes it anew")
        finally:
            index.close()
        self._store, self._snapshot, self._published, self._tell = store, snapshot, published, tell
        self._done = 0
        sizes = (path.stat().st_size for path in snapshot.iterdir())
        self._all = sum(sizes) + sum(published.payloads.values())
        self._files: dict[str, dict[str, object]] = {}
        self._left_out: list[str] = []

    def into(self, sink: _Sink) -> BackedUp:
        """Copy all of it, and the list last.

        Raises:
            _Overtaken: what goes with the snapshot may be gone.
        """
        self._copy_refused(sink)
        if (self._store / CURRENT).resolve() != self._snapshot:
            raise _Overtaken
        for name in (MARKER, DEMO):
            if (self._store / name).exists():
                self._copy(sink, name, self._store / name)
        inside = f"{SNAPSHOTS}/{self._snapshot.name}"
        published = {name: one.sha256 for name, one in sorted(self._published.files.items())}
        for name, sha in {**published, NAMES: None, PUBLISHED: None}.items():
            try:
                self._copy(sink, f"{inside}/{name}", self._snapshot / name, expected=sha)
            except FileNotFoundError:
                raise StoreDamaged(
                    f"the snapshot of {self._store} is damaged: {self._snapshot / name} is missing. There is no backup "
                    "of it; restore an earlier one (`vigente restore`), or load anew"
                ) from None
        for path, text in self._published.states.items():
            self._put(sink, f"{HARVEST}/{path}", text.encode())
        for path, length in self._published.payloads.items():
            try:
                self._copy(sink, f"{HARVEST}/{path}", self._store / HARVEST / path, length=length)
            except FileNotFoundError:
                self._left_out.append(path)
        with copied(self._store) as publication:
            if publication is not None:
                self._copy(sink, PUBLICATION, publication)
        sink.link(CURRENT, inside)
        made = datetime.now(UTC).replace(microsecond=0)
        size = sum(cast("int", each["size"]) for each in self._files.values())
        found = BackedUp(self._snapshot.name, made, len(self._files), size, tuple(self._left_out))
        said = {
            "application": "vigente",
            "backup": FORMAT,
            "snapshot": found.snapshot,
            "made": made.isoformat().replace("+00:00", "Z"),
            "files": self._files,
        }
        listed = json.dumps(said, indent=1, ensure_ascii=False).encode()
        sink.add(MANIFEST, len(listed), BytesIO(listed))
        return found

    def _copy_refused(self, sink: _Sink) -> None:
        """Copy each refused record with its payload, under its name before a writer released it."""
        folder = self._store / QUARANTINE
        for key in kept_keys(folder):
            for path in (f"{key}.bin", f"{key}.json"):
                with suppress(FileNotFoundError), opened_kept(folder, path) as stream:
                    self._add(sink, f"{QUARANTINE}/{path}", os.fstat(stream.fileno()).st_size, stream)

    def _copy(
        self, sink: _Sink, path: str, source: Path, *, length: int | None = None, expected: str | None = None
    ) -> None:
        with source.open("rb") as stream:
            found = self._add(sink, path, os.fstat(stream.fileno()).st_size if length is None else length, stream)
        if expected is not None and found != expected:
            raise StoreDamaged(
                f"the snapshot of {self._store} is damaged: {source} is not what was published (its SHA-256 is "
                "another). There is no backup of it; restore an earlier one (`vigente restore`), or load anew"
            )

    def _put(self, sink: _Sink, path: str, content: bytes) -> None:
        self._add(sink, path, len(content), BytesIO(content))

    def _add(self, sink: _Sink, path: str, size: int, stream: BinaryIO) -> str:
        measured = _Measured(stream, size, path, self._told)
        sink.add(path, size, cast("BinaryIO", measured))
        sha = measured.digest.hexdigest()
        self._files[path] = {"size": size, "sha256": sha}
        return sha

    def _told(self, count: int) -> None:
        self._done += count
        if self._tell is not None:
            self._tell(self._done, max(self._done, self._all))


class _Measured:
    """The first bytes of a file, hashed as they are read.

    Raises:
        StoreDamaged: when it is read, and cannot be, or has less.
    """

    def __init__(self, stream: BinaryIO, size: int, path: str, told: Callable[[int], None]) -> None:
        self.digest = sha256()
        self._stream, self._left, self._path, self._told = stream, size, path, told

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes; none at the end."""
        wanted = self._left if size < 0 else min(size, self._left)
        try:
            found = self._stream.read(wanted)
        except OSError as error:
            raise StoreDamaged(f"{self._path} of the store cannot be read: {error.strerror or error}") from None
        if wanted and not found:
            raise StoreDamaged(f"{self._path} of the store is shorter than it was: {self._left} bytes are missing")
        self._left -= len(found)
        self.digest.update(found)
        self._told(len(found))
        return found


class _InFolder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, path: str, size: int, stream: BinaryIO) -> None:
        """A file; of the size that it says of itself."""
        target = self._folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as output:
            output.writelines(chunks(stream))
            assert output.tell() == size  # noqa: S101 - as measured

    def link(self, path: str, target: str) -> None:
        """A symbolic link."""
        (self._folder / path).symlink_to(target)


class _InFile:
    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive

    def add(self, path: str, size: int, stream: BinaryIO) -> None:
        """A member."""
        member = tarfile.TarInfo(path)
        member.size, member.mode, member.mtime = size, 0o644, 0
        self._archive.addfile(member, stream)

    def link(self, path: str, target: str) -> None:
        """A symbolic link."""
        member = tarfile.TarInfo(path)
        member.type, member.linkname = tarfile.SYMTYPE, target
        self._archive.addfile(member)
