"""The quarantine: refused records stored in a folder of the store, until they load or are removed.

Each refused record has two files named by one key: ``KEY.bin`` with the refused bytes, and ``KEY.json`` with the
reason. The key is a hash of both, so that refusing the same record twice stores it once. The metadata file is
renamed last: a payload without metadata was left by a killed process, and is reported as damaged.

The files of a removed record are kept under hidden names until its replacement is published. A backup of an earlier
published state, and a store whose last writer was killed, still need them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from graph.errors import StoreProblem

#: The maximum length of a stored payload, in bytes; of a longer one only the beginning is stored, marked as truncated.
MAX_PAYLOAD = 16 << 20

_FORMAT = 1
# The prefix of the hidden names of files of removed records.
_GONE = ".gone-"
_NUMBER = re.compile(r"[0-9]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused record or file: the actual and the expected content, and the data to load it again.

    Attributes:
        origin: the label of the file, e.g. ``"pages.zip!p3.xml"``.
        position: the position in the file, e.g. ``"record 12"`` or ``"line 7"``.
        identifier: the record's identifier at its provider, or the name as written; None if there is none.
        code: the stable reason, e.g. ``"bad-name"``.
        problem: the actual content, in a sentence.
        expected: the expected content and the section of the specification.
        kind: the kind of source: ``"oai_lexml"``, ``"names"`` or ``"unknown"``.
        payload: the refused bytes; of a whole file at most :data:`MAX_PAYLOAD` bytes.
        datestamp: the record's datestamp as its provider wrote it.
        provider: the base URL or domain of its provider, if the payload does not contain it.
        form: of a list of names, its form (``"txt"``, ``"csv"``, ``"tsv"``, ``"jsonl"``).
        column: of a list of names, the requested column.
        truncated: whether the payload is only the beginning of the refused bytes.
        whole_sha256: SHA-256 in hexadecimal of all refused bytes, if the payload is truncated and the rest could be
            read.
        fetched: the stated civil date on which it was fetched; None if nothing states it.
    """

    origin: str
    position: str
    identifier: str | None
    code: str
    problem: str
    expected: str
    kind: str
    payload: bytes
    datestamp: str | None = None
    provider: str | None = None
    form: str | None = None
    column: str | None = None
    truncated: bool = False
    whole_sha256: str | None = None
    fetched: date | None = None

    @property
    def key(self) -> str:
        """Return the SHA-256 in hexadecimal of the payload, the code and the identifier; equal refusals have equal
        keys."""
        digest = sha256()
        for part in (self.kind, self.code, self.identifier or "", self.whole_sha256 or ""):
            written = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(written))
            digest.update(written)
        digest.update(self.payload)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class QuarantinedRecord:
    """One refused record in the quarantine: a :class:`Refusal` without its payload, which may be large.

    Attributes:
        key: its name in the quarantine.
        payload_sha256: SHA-256 in hexadecimal of the stored payload.
        payload_size: length of the stored payload, in bytes.
        Other attributes: as those of :class:`Refusal`.
    """

    key: str
    origin: str
    position: str
    identifier: str | None
    code: str
    problem: str
    expected: str
    kind: str
    datestamp: str | None
    provider: str | None
    form: str | None
    column: str | None
    truncated: bool
    whole_sha256: str | None
    payload_sha256: str
    payload_size: int
    fetched: str | None = None


@dataclass(frozen=True, slots=True)
class DamagedFile:
    """An unusable file in the quarantine: its name, and the problem."""

    file: str
    problem: str


_TEXTS = ("key", "origin", "position", "code", "problem", "expected", "kind", "payload_sha256")
_OPTIONAL_TEXTS = ("identifier", "datestamp", "provider", "form", "column", "whole_sha256", "fetched")


class Quarantine:
    """The refused records of one store. Only one process at a time may write, as in the store itself.

    The folder is made for the first record. Use one object for each load: it caches the stored identifiers.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_identifier: dict[str, set[str]] | None = None

    @property
    def folder(self) -> Path:
        """Return the folder of the files."""
        return self._folder

    def put(self, refusal: Refusal) -> str:
        """Store a refusal and return its key. If it is already stored, only damaged files are written again.

        Raises:
            StoreProblem: the folder cannot be written.
        """
        key = refusal.key
        payload = refusal.payload[:MAX_PAYLOAD]
        truncated = refusal.truncated or len(refusal.payload) > MAX_PAYLOAD
        whole_digest = refusal.whole_sha256
        if len(refusal.payload) > MAX_PAYLOAD:
            whole_digest = sha256(refusal.payload).hexdigest()
        entry = QuarantinedRecord(
            key=key,
            origin=refusal.origin,
            position=refusal.position,
            identifier=refusal.identifier,
            code=refusal.code,
            problem=refusal.problem,
            expected=refusal.expected,
            kind=refusal.kind,
            datestamp=refusal.datestamp,
            provider=refusal.provider,
            form=refusal.form,
            column=refusal.column,
            truncated=truncated,
            whole_sha256=whole_digest,
            payload_sha256=sha256(payload).hexdigest(),
            payload_size=len(payload),
            fetched=refusal.fetched.isoformat() if refusal.fetched is not None else None,
        )
        if not self._is_usable(key):
            with self._translating_write_errors():
                self._folder.mkdir(parents=True, exist_ok=True)
                self._write(f"{key}.bin", payload)
                self._write(f"{key}.json", _to_json(entry))
        if entry.identifier is not None:
            self._index().setdefault(entry.identifier, set()).add(key)
        return key

    def list(self) -> tuple[QuarantinedRecord, ...]:
        """Return the usable entries, sorted by origin, position and key; damaged files are left out."""
        return tuple(
            sorted(self._usable(), key=lambda entry: (entry.origin, _sortable_position(entry.position), entry.key))
        )

    def damaged(self) -> tuple[DamagedFile, ...]:
        """Return the unusable files, sorted by name. They are never deleted automatically."""
        return tuple(entry for entry in self._scan() if isinstance(entry, DamagedFile))

    def count(self) -> int:
        """Return the number of usable refused records."""
        return sum(1 for _ in self._usable())

    def payload(self, entry: QuarantinedRecord) -> bytes | DamagedFile:
        """Return the refused bytes, or the problem of their file."""
        name = f"{entry.key}.bin"
        try:
            payload = (self._folder / name).read_bytes()
        except OSError as error:
            return DamagedFile(name, f"cannot be read: {error.strerror or error}")
        if sha256(payload).hexdigest() != entry.payload_sha256:
            return DamagedFile(name, f"expected SHA-256 {entry.payload_sha256}, got another: the file was changed")
        return payload

    def remove(self, key: str) -> bool:
        """Remove one refused record and its payload; return False if there is none with that key.

        Raises:
            ValueError: the key is not 64 lower-case hexadecimal digits.
            StoreProblem: the folder cannot be written.
        """
        if not _is_key(key):
            raise ValueError(f"expected a key of 64 lower-case hexadecimal digits, got {key!r}")
        with self._translating_write_errors():
            existed = (self._folder / f"{key}.json").exists()
            for name in (f"{key}.json", f"{key}.bin"):
                with suppress(FileNotFoundError):
                    (self._folder / name).replace(self._folder / f"{_GONE}{name}")
        return existed

    def has_refusal_of(self, identifier: str) -> bool:
        """Return whether the quarantine has a refusal of that identifier."""
        return identifier in self._index()

    def clear_for(self, identifier: str) -> int:
        """Remove every refusal of an identifier whose record has been loaded. Return their number.

        Raises:
            StoreProblem: the folder cannot be written.
        """
        keys = self._index().pop(identifier, set())
        return sum(self.remove(key) for key in sorted(keys))

    def _index(self) -> dict[str, set[str]]:
        if self._by_identifier is None:
            index: dict[str, set[str]] = {}
            for entry in self._usable():
                if entry.identifier is not None:
                    index.setdefault(entry.identifier, set()).add(entry.key)
            self._by_identifier = index
        return self._by_identifier

    def _usable(self) -> Iterator[QuarantinedRecord]:
        return (entry for entry in self._scan() if isinstance(entry, QuarantinedRecord))

    def _scan(self) -> Iterator[QuarantinedRecord | DamagedFile]:
        if not self._folder.is_dir():
            if self._folder.exists():
                yield DamagedFile(_printable(self._folder.name), "expected a folder, got a file")
            return
        names = sorted(path.name for path in self._folder.iterdir() if not path.name.startswith("."))
        present = set(names)
        for name in names:
            stem, _, suffix = name.rpartition(".")
            if not _is_key(stem) or suffix not in {"bin", "json"}:
                yield DamagedFile(_printable(name), "not a file of the quarantine")
            elif suffix == "json":
                yield self._read(stem)
            elif f"{stem}.json" not in present:
                yield DamagedFile(
                    name, "a payload without its metadata: the load that refused it was killed; load again"
                )

    def _read(self, key: str) -> QuarantinedRecord | DamagedFile:
        name = f"{key}.json"
        try:
            raw: object = json.loads((self._folder / name).read_bytes())
        except OSError as error:
            return DamagedFile(name, f"cannot be read: {error.strerror or error}")
        except (ValueError, RecursionError):
            return DamagedFile(name, "not JSON: the file was changed or truncated")
        entry = _from_json(raw)
        if entry is None or entry.key != key:
            return DamagedFile(name, "not the metadata of a refused record: the file was changed")
        try:
            size = (self._folder / f"{key}.bin").stat().st_size
        except OSError as error:
            return DamagedFile(name, f"its payload {key}.bin cannot be read: {error.strerror or error}")
        if size != entry.payload_size:
            return DamagedFile(name, f"its payload {key}.bin should have {entry.payload_size} bytes, has {size}")
        return entry

    def _is_usable(self, key: str) -> bool:
        return (self._folder / f"{key}.json").exists() and isinstance(self._read(key), QuarantinedRecord)

    @contextmanager
    def _translating_write_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            problem = f"the quarantine {_printable(str(self._folder))} cannot be written: {error.strerror or error}"
            raise StoreProblem(problem) from error

    def _write(self, name: str, content: bytes) -> None:
        """Write a file atomically: under a hidden name, which is then renamed."""
        hidden = self._folder / f".{name}"
        hidden.write_bytes(content)
        hidden.replace(self._folder / name)


def kept_keys(folder: Path) -> list[str]:
    """Return the keys of the records in a quarantine, and of removed records whose files are still kept, sorted."""
    names = (path.name.removeprefix(_GONE) for path in folder.glob("*.json")) if folder.is_dir() else ()
    return sorted({name.removesuffix(".json") for name in names if not name.startswith(".")})


def open_kept_file(folder: Path, name: str) -> BinaryIO:
    """Open a file of a record of :func:`kept_keys` for reading.

    Raises:
        FileNotFoundError: it was deleted meanwhile, or never existed.
    """
    try:
        return (folder / name).open("rb")
    except FileNotFoundError:
        return (folder / f"{_GONE}{name}").open("rb")


def remove_released(folder: Path) -> None:
    """Delete the files of removed records, after the records that replaced them were published.

    Raises:
        OSError: a file cannot be deleted.
    """
    for path in folder.glob(f"{_GONE}*"):
        path.unlink(missing_ok=True)


def _is_key(text: str) -> bool:
    return len(text) == 64 and all(c in "0123456789abcdef" for c in text)


def _sortable_position(position: str) -> str:
    """Return a position with its numbers padded, so that record 2 is sorted before record 12."""
    return _NUMBER.sub(lambda match: match[0].zfill(12), position)


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def _to_json(entry: QuarantinedRecord) -> bytes:
    fields = {name: getattr(entry, name) for name in QuarantinedRecord.__slots__}
    return json.dumps({"format": _FORMAT, **fields}, indent=1).encode()


def _from_json(raw: object) -> QuarantinedRecord | None:
    """Return the metadata; None if a field is missing or of the wrong type."""
    if not isinstance(raw, dict) or raw.get("format") != _FORMAT:
        return None
    texts = {name: raw[name] for name in _TEXTS if isinstance(raw.get(name), str)}
    optional: dict[str, str | None] = {}
    for name in _OPTIONAL_TEXTS:
        value: object = raw.get(name)
        if value is not None and not isinstance(value, str):
            return None
        optional[name] = value
    size, truncated = raw.get("payload_size"), raw.get("truncated")
    if len(texts) != len(_TEXTS) or not isinstance(size, int) or not isinstance(truncated, bool):
        return None
    return QuarantinedRecord(
        **texts,
        identifier=optional["identifier"],
        datestamp=optional["datestamp"],
        provider=optional["provider"],
        form=optional["form"],
        column=optional["column"],
        whole_sha256=optional["whole_sha256"],
        payload_size=size,
        truncated=truncated,
        fetched=optional["fetched"],
    )
