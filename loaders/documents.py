"""Walks the files, folders, ``.zip``, ``.gz`` and ``.tar`` that the user names, as one stream of documents.

Limits on archives prevent a small file from using all memory or unlimited time. A label has the last component of the
argument and the path below it, so that no absolute path enters the store.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import IO, cast

from graph.civil import leading_day
from graph.errors import BadRecord, VigenteError
from graph.quarantine import Refusal
from loaders.codes import RefusalCode
from loaders.lines import ByteStream


class BadInput(VigenteError):
    """A request that cannot be carried out: a path that does not exist, or a column that a list does not have."""


_CHUNK = 1 << 20
#: The suffixes of archives of several files besides ``.zip``, each with its unpacker.
_TARS = {
    ".tar": open,
    ".tar.gz": gzip.open,
    ".tgz": gzip.open,
    ".tar.xz": lzma.open,
    ".txz": lzma.open,
    ".tar.bz2": bz2.open,
}
_NESTED = (".zip", ".gz", *_TARS)
#: The largest member of a ``.tar``, which is held in memory, in bytes.
_LARGEST_MEMBER = 256 << 20
#: The factor between the maximum ratio of an archive that compresses all members together and that of one member.
_ALIKE = 10
#: Exceptions of zipfile, tarfile and gzip for damaged or unsupported input, besides OSError and EOFError.
UNPACKING_ERRORS = (
    gzip.BadGzipFile,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ValueError,
    OverflowError,
    NotImplementedError,  # zipfile: an unsupported compression method or version
)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an archive.

    Attributes:
        members: the maximum number of files in a ``.zip`` or ``.tar``.
        size: the maximum unpacked size in bytes, of all members together.
        ratio: the maximum ratio of unpacked to packed size, for a member of more than ``ratio_from`` bytes.
        ratio_from: see ``ratio``.
    """

    members: int = 100_000
    size: int = 8 << 30
    ratio: int = 200
    ratio_from: int = 10 << 20


#: The limits in use.
LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One file, or one member of an archive.

    Attributes:
        label: its name in messages, e.g. ``"pages.zip!p3.xml"``.
        open: opens it from the beginning; may be called repeatedly, but only before the next document is taken from
            :func:`walk`. Reading raises :class:`graph.errors.BadRecord` if the archive is damaged or exceeds its
            limits, and OSError if the file cannot be read.
        fetched: the civil date on which it was fetched from its publisher, as stated; None if nothing states it.
    """

    label: str
    open: Callable[[], ByteStream]
    fetched: date | None = None

    @property
    def file_name(self) -> str:
        """Return the last part of the label, with its file name extension but without ``.gz``."""
        name = self.label.rpartition("!")[2].rpartition("/")[2]
        return name[:-3] if name.lower().endswith(".gz") else name

    @property
    def found(self) -> bool:
        """Return whether it was found in a folder or archive, rather than named by the user."""
        return "/" in self.label or "!" in self.label

    def whole(self, limit: int) -> bytes:
        """Return all of its bytes.

        Args:
            limit: the maximum size in MiB.

        Raises:
            BadRecord: ``record-too-large``, or it cannot be unpacked.
            OSError: it cannot be read.
        """
        content = bytearray()
        with closing(self.open()) as stream:
            while chunk := stream.read(_CHUNK):
                content += chunk
                if len(content) > limit << 20:
                    problem = f"the file has more than {limit} MiB"
                    raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {limit} MiB")
        return bytes(content)


def shown_path(path: str) -> str:
    r"""Return a path that can be printed and stored: characters that cannot be printed or decoded are escaped.

    >>> shown_path("a\n\x1b[31m.xml")
    'a\\x0a\\x1b[31m.xml'
    """
    shown: list[str] = []
    for char in path:
        if char.isprintable() and not "\ud800" <= char <= "\udfff":
            shown.append(char)
        elif "\udc80" <= char <= "\udcff":  # a byte that is not UTF-8, as Python decodes it
            shown.append(f"\\x{ord(char) - 0xDC00:02x}")
        else:
            shown.append(f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}")
    return "".join(shown)


def walk(
    paths: Sequence[Path], limits: Limits = LIMITS, *, fetched: date | None = None
) -> Generator[SourceDocument | Refusal, None, None]:
    """Yield the documents of all paths in the order of the arguments, and a refusal for each unreadable one.

    The files of a folder or ``.zip`` are sorted by name; those of a ``.tar`` keep their order. Folders are walked
    recursively. Hidden files are skipped. A folder that one argument reaches twice is read once.

    Args:
        limits: the limits of archives.
        fetched: the civil date on which the documents were fetched, if nothing beside or in a document states it.

    Raises:
        BadInput: a path does not exist; raised before anything is read.
    """
    return _walk(files(paths), limits, fetched)


def _walk(
    found: Iterable[tuple[Path | Refusal, str]], limits: Limits, fetched: date | None
) -> Generator[SourceDocument | Refusal, None, None]:
    for entry, label in found:
        yield from documents_of(entry, label, limits, fetched=fetched)


def files(paths: Sequence[Path]) -> Iterator[tuple[Path | Refusal, str]]:
    """Return the files of all paths with their labels, in the order of :func:`walk`, without opening them.

    Raises:
        BadInput: a path does not exist; raised before anything is read.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise BadInput(f"expected a file or a folder, got '{shown_path(str(path))}', which does not exist")
    return _files(paths)


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path | Refusal, str]]:
    for path in paths:
        label = shown_path(path.name if path.name not in {"", ".."} else path.resolve().name)
        if _is_folder(path):
            yield from _files_below(path, label)
        else:
            yield path, label


def documents_of(
    entry: Path | Refusal, label: str, limits: Limits = LIMITS, *, fetched: date | None = None
) -> Iterator[SourceDocument | Refusal]:
    """Yield the documents of a file of :func:`files`; arguments as of :func:`walk`."""
    for document in _file(entry, label, limits) if isinstance(entry, Path) else [entry]:
        undated = isinstance(document, SourceDocument) and document.fetched is None
        yield replace(document, fetched=fetched) if undated else document


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # no permission for a folder of the path: reading the file reports it
        return False


def _files_below(folder: Path, label: str) -> Iterator[tuple[Path | Refusal, str]]:
    """Yield the files of a folder with their labels; a folder that cannot be listed is a refusal."""
    seen: set[tuple[int, int]] = set()
    pending: list[tuple[Path, str]] = [(folder, label)]
    while pending:
        path, label = pending.pop()
        try:
            if not _is_folder(path):
                yield path, label
                continue
            about = path.stat()
            if (about.st_dev, about.st_ino) in seen:
                continue
            seen.add((about.st_dev, about.st_ino))
            entries = sorted((p for p in path.iterdir() if not p.name.startswith(".")), key=lambda p: p.name)
        except OSError as error:
            yield _unreadable(label, error), label
            continue
        pending.extend(
            (entry, f"{label}/{shown_path(entry.name)}" if label else shown_path(entry.name))
            for entry in reversed(entries)
        )


def _file(path: Path, label: str, limits: Limits) -> Iterator[SourceDocument | Refusal]:
    try:
        about = path.stat()
    except OSError as error:
        yield _unreadable(label, error)
        return
    if not stat.S_ISREG(about.st_mode):
        yield _refusal(label, RefusalCode.UNREADABLE, "it is no regular file", "a file, a folder, .zip or .gz")
        return
    if not os.access(path, os.R_OK):
        yield _refusal(label, RefusalCode.UNREADABLE, "no permission to read it", "a file that this user may read")
        return
    if _is_metadata(path):
        return
    suffix = path.suffix.lower()
    tar = next((unpack for end, unpack in _TARS.items() if path.name.lower().endswith(end)), None)
    if suffix == ".zip":
        yield from _members(path, label, limits)
    elif tar is not None:
        yield from _tar_members(path, label, cast("Callable[[Path, str], IO[bytes]]", tar), limits)
    elif suffix == ".gz":
        yield SourceDocument(label, partial(_open_gzip, path, about.st_size, limits))
    else:
        header, length = _response_header(path)
        fetched = _day_of_header(header) or _day_of_metadata(path)
        yield SourceDocument(label, partial(_open_file, path, length), fetched)


# The stated day of fetch of a file. The metadata file that `vigente get` writes beside an answer states it, and so does
# the header of the HTTP response, if it was kept at the beginning of the file. The file's own times state nothing.


#: The suffixes of an answer of `vigente get` and of its metadata, and the keys of the metadata.
ANSWER, METADATA = ".bin", ".json"
METADATA_KEYS = ("source", "url", "at", "sha256", "bytes")
_LARGEST_METADATA = 64 << 10
_HTTP = b"HTTP/"
_LONGEST_HEADER = 64 << 10
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")


def _metadata(path: Path) -> dict[str, object] | None:
    """Return the content of a metadata file of `vigente get`; None if it is another file."""
    try:
        if path.stat().st_size > _LARGEST_METADATA:
            return None
        stated: object = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return stated if isinstance(stated, dict) and stated.keys() == set(METADATA_KEYS) else None


def _is_metadata(path: Path) -> bool:
    """Return whether a file is the metadata of an answer beside it."""
    if path.suffix != METADATA or _metadata(path) is None:
        return False
    return path.with_suffix(ANSWER).exists() or any(
        other.stem == path.stem and other != path for other in path.parent.iterdir()
    )


def _day_of_metadata(path: Path) -> date | None:
    """Return the day in UTC that the metadata beside a file state for these bytes; None if there is none."""
    beside = path.with_suffix(METADATA)
    stated = _metadata(beside) if beside != path and beside.exists() else None
    if stated is None:
        return None
    try:
        with path.open("rb") as content:
            same = file_digest(content, "sha256").hexdigest() == stated["sha256"]
    except OSError:
        return None
    return leading_day(str(stated["at"])) if same else None


def _response_header(path: Path) -> tuple[Message | None, int]:
    """Return the header of an HTTP response at the beginning of a file, and its length; None and 0 without one."""
    try:
        with path.open("rb") as content:
            head = content.read(len(_HTTP))
            if head != _HTTP:
                return None, 0
            head += content.read(_LONGEST_HEADER)
    except OSError:
        return None, 0
    end = _END_OF_HEADER.search(head)
    if end is None:
        return None, 0
    return BytesHeaderParser().parsebytes(head[: end.end()].partition(b"\n")[2]), end.end()


def _day_of_header(header: Message | None) -> date | None:
    """Return the day in UTC of the field ``Date`` (RFC 9110, section 6.6.1); None without a valid one."""
    try:
        return None if header is None else parsedate_to_datetime(str(header["Date"])).astimezone(UTC).date()
    except (ValueError, OverflowError):
        return None


def _unreadable(label: str, error: OSError) -> Refusal:
    return _refusal(
        label, RefusalCode.UNREADABLE, f"it cannot be read: {error.strerror or error}", "a file that can be read"
    )


def _refusal(label: str, code: RefusalCode, problem: str, expected: str) -> Refusal:
    return Refusal(
        origin=label,
        position="whole file",
        identifier=None,
        code=code,
        problem=problem,
        expected=expected,
        kind="unknown",
        payload=b"",
        truncated=True,
    )


def _members(path: Path, label: str, limits: Limits) -> Iterator[SourceDocument | Refusal]:
    """Yield the files inside a ``.zip``. The declared sizes of a member are checked before it is opened."""
    try:
        archive = zipfile.ZipFile(path)
    except OSError as error:
        yield _unreadable(label, error)
        return
    except UNPACKING_ERRORS as error:
        yield _refusal(label, RefusalCode.BAD_ARCHIVE, f"it cannot be opened: {error}", "a .zip archive")
        return
    with archive:
        members = sorted((m for m in archive.infolist() if not m.is_dir()), key=lambda m: m.filename)
        if len(members) > limits.members:
            yield _refusal(
                label,
                RefusalCode.ARCHIVE_BOMB,
                f"it holds {len(members)} files",
                f"at most {limits.members} files in an archive",
            )
            return
        total = 0
        for member in members:
            if any(part.startswith(".") and part not in {".", ".."} for part in member.filename.split("/")):
                continue
            inner = f"{label}!{shown_path(member.filename)}"
            total += member.file_size
            refusal = _zip_refusal(member, inner, total, limits)
            yield refusal or SourceDocument(inner, partial(_open_member, archive, member))


def _zip_refusal(member: zipfile.ZipInfo, label: str, total: int, limits: Limits) -> Refusal | None:
    """Return the refusal of a member by its declared values; None if it may be read, up to its declared size."""
    if member.flag_bits & 0x1:
        return _refusal(label, RefusalCode.ENCRYPTED, "it is encrypted", "an archive without a password")
    if member.filename.lower().endswith(_NESTED):
        return _refusal(
            label, RefusalCode.NESTED_ARCHIVE, "it is an archive inside an archive", "the inner archive by itself"
        )
    if total > limits.size:
        return _refusal(
            label,
            RefusalCode.ARCHIVE_BOMB,
            f"with it the archive holds {total} bytes unpacked",
            f"at most {limits.size} bytes in an archive",
        )
    if _exceeds_ratio(member.file_size, member.compress_size, limits):
        return _refusal(
            label,
            RefusalCode.ARCHIVE_BOMB,
            f"its {member.compress_size} bytes unpack to {member.file_size}",
            f"at most {limits.ratio} times the packed size above {limits.ratio_from} bytes",
        )
    return None


def _tar_members(
    path: Path, label: str, unpack: Callable[[Path, str], IO[bytes]], limits: Limits
) -> Iterator[SourceDocument | Refusal]:
    """Yield the files inside a ``.tar`` in order. Each is read to its end and held in memory before the next."""
    expected = "an undamaged .tar archive"
    stream_limits = replace(limits, ratio=limits.ratio * _ALIKE)
    try:
        with (
            closing(
                _UnpackedBytes(unpack(path, "rb"), expected, packed=path.stat().st_size, limits=stream_limits)
            ) as stream,
            _translate_errors(expected),
            tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r|") as archive,
        ):
            for count, member in enumerate(archive, 1):
                if count > limits.members:
                    problem = f"it holds more than {limits.members} files"
                    expected = f"at most {limits.members} files in an archive"
                    yield _refusal(label, RefusalCode.ARCHIVE_BOMB, problem, expected)
                    return
                if member.isdir() or any(part.startswith(".") and part != "." for part in member.name.split("/")):
                    continue
                inner = f"{label}!{shown_path(member.name)}"
                yield _tar_refusal(member, inner) or SourceDocument(
                    inner, partial(io.BytesIO, _read_member(archive, member))
                )
    except BadRecord as error:
        yield _refusal(label, RefusalCode(error.code), error.problem, error.expected)
    except OSError as error:
        yield _unreadable(label, error)


def _tar_refusal(member: tarfile.TarInfo, label: str) -> Refusal | None:
    if not member.isreg():
        return _refusal(label, RefusalCode.UNREADABLE, "it is no regular file", "a regular file in the archive")
    if member.name.lower().endswith(_NESTED):
        return _refusal(
            label, RefusalCode.NESTED_ARCHIVE, "it is an archive inside an archive", "the inner archive by itself"
        )
    if member.size > _LARGEST_MEMBER:
        problem = f"it has {member.size} bytes"
        return _refusal(label, RefusalCode.RECORD_TOO_LARGE, problem, f"at most {_LARGEST_MEMBER} bytes in a .tar")
    return None


def _read_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    content = archive.extractfile(member)
    return b"" if content is None else content.read()


def _exceeds_ratio(size: int, packed: int, limits: Limits) -> bool:
    return size > limits.ratio_from and size > limits.ratio * packed


def _open_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> ByteStream:
    with _translate_errors("an undamaged .zip archive"):
        return _UnpackedBytes(archive.open(member), "an undamaged .zip archive")


def _open_file(path: Path, skipped: int = 0) -> ByteStream:
    content = path.open("rb")
    content.seek(skipped)
    return content


def _open_gzip(path: Path, packed: int, limits: Limits) -> ByteStream:
    return _UnpackedBytes(gzip.open(path), "an undamaged .gz file", packed=packed, limits=limits)


@contextmanager
def _translate_errors(expected: str) -> Iterator[None]:
    """Translate exceptions of the unpackers to refusals."""
    try:
        yield
    except EOFError:
        problem = "the compressed file is truncated"
        raise BadRecord(RefusalCode.TRUNCATED_FILE, problem, f"{expected}, whole") from None
    except UNPACKING_ERRORS as error:
        raise BadRecord(RefusalCode.BAD_ARCHIVE, f"the archive is damaged: {error}", expected) from None
    except OSError as error:
        if error.errno is not None:  # an error of the system, not of the unpacker
            raise
        raise BadRecord(RefusalCode.BAD_ARCHIVE, f"the archive is damaged: {error}", expected) from None


class _UnpackedBytes:
    """The unpacked bytes of a file or member; all bytes before a fault are returned before it is raised."""

    def __init__(
        self, packed_stream: gzip.GzipFile | IO[bytes], expected: str, *, packed: int = 0, limits: Limits | None = None
    ) -> None:
        self._stream = packed_stream
        self._expected = expected
        self._packed = packed
        self._limits = limits
        self._given = 0

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes, fewer if fewer are available; empty at the end."""
        with _translate_errors(self._expected):
            # read1 returns the available bytes; read would lose them if the next piece is damaged
            data = cast("io.BufferedIOBase", self._stream).read1(size if size >= 0 else -1)
        self._given += len(data)
        if self._limits is not None:
            beyond = self._given > self._limits.size
            if beyond or _exceeds_ratio(self._given, self._packed, self._limits):
                raise BadRecord(
                    RefusalCode.ARCHIVE_BOMB,
                    f"its {self._packed} bytes unpack to {self._given} and more",
                    f"at most {self._limits.ratio} times the packed size above {self._limits.ratio_from} bytes,"
                    f" and at most {self._limits.size}",
                )
        return data

    def close(self) -> None:
        """Close the member, not the archive."""
        self._stream.close()
