"""The payloads of harvests, kept as they were served: compressed, in order, with the moment at which each came.

    pages/RUN.gz      one gzip member after another
    pages/RUN.jsonl   a line for each: where it stands, when it came, what it is

A line is written when its member is: what stands behind the last line is what a killed process left, and goes when
the next page is kept. Only pages that changed the store stay (docs/harvesting.md).
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from graph.errors import StoreDamaged, StoreProblem
from loaders.harvest.state import moment, written

_FOLDER = "pages"
_LEVEL = 6


class PageKind(StrEnum):
    """What a kept payload is."""

    PAGE = "page"  #: an answer of a provider of OAI-PMH
    NORMA = "norma"  #: an answer of the API of normas.leg.br
    MISSING = "missing"  #: identifiers that the provider no longer lists
    RUN = "run"  #: what became of the harvest so far


@dataclass(frozen=True, slots=True)
class Entry:
    """One kept payload.

    Attributes:
        url: base URL of the provider.
        run: when its harvest began (UTC).
        fetched: when it came (UTC).
        software: name and version of what harvested.
        label: what its records say of where they were read.
        sha256: of the payload, in hexadecimal.
    """

    kind: PageKind
    url: str
    set: str | None
    run: datetime
    fetched: datetime
    software: str
    label: str
    sha256: str
    file: Path
    offset: int
    length: int

    def payload(self) -> bytes:
        """The bytes as they came.

        Raises:
            StoreDamaged: they are not those that were kept.
        """
        try:
            with self.file.open("rb") as stream:
                stream.seek(self.offset)
                payload = gzip.decompress(stream.read(self.length))
        except (OSError, EOFError, zlib.error) as error:
            raise StoreDamaged(f"{self.file} at {self.offset} cannot be read: {error}") from None
        if sha256(payload).hexdigest() != self.sha256:
            raise StoreDamaged(f"{self.file} at {self.offset} is not what was kept: its hash is another")
        return payload


class Archive:
    """Where the pages of one list at one provider are kept. One process writes at a time."""

    def __init__(self, folder: Path, url: str, set_: str | None, software: str) -> None:
        self._folder = folder / _FOLDER
        self._said = {"url": url, "set": set_, "software": software}
        self._ends: dict[Path, int] = {}
        self._unsettled: list[tuple[Path, int, int]] = []

    def keep(self, kind: PageKind, run: datetime, fetched: datetime, label: str, payload: bytes) -> None:
        """Keep a payload behind the others of its run.

        Raises:
            StoreProblem: it cannot be written.
        """
        name = f"{run:%Y%m%dT%H%M%S}Z"
        data, index = self._folder / f"{name}.gz", self._folder / f"{name}.jsonl"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if index not in self._ends:
                last = _last(index)
                self._ends[index] = 0 if last is None else last.offset + last.length
            offset = self._ends[index]
            member = gzip.compress(payload, _LEVEL, mtime=0)
            with data.open("ab") as stream:
                stream.truncate(offset)
                stream.seek(offset)
                stream.write(member)
            line = {
                "kind": kind.value,
                **self._said,
                "run": written(run),
                "fetched": written(fetched),
                "label": label,
                "sha256": sha256(payload).hexdigest(),
                "offset": offset,
                "length": len(member),
            }
            with index.open("ab") as stream:
                before = stream.tell()
                stream.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        except OSError as error:
            raise StoreProblem(f"{data} cannot be written: {error.strerror or error}") from None
        self._unsettled.append((index, before, offset))
        self._ends[index] = offset + len(member)

    def settle(self, *, changed: bool) -> None:
        """What was kept since the last call changed the store, and stays, on the disk; or it did not, and goes.

        Raises:
            StoreProblem: it cannot be written.
        """
        try:
            self._sync() if changed else self._undo()
        except OSError as error:
            raise StoreProblem(f"{self._folder} cannot be written: {error.strerror or error}") from None
        self._unsettled.clear()

    def _sync(self) -> None:
        for index in dict.fromkeys(index for index, _, _ in self._unsettled):
            for path in (index.with_suffix(".gz"), index):
                with path.open("rb") as stream:
                    os.fsync(stream.fileno())

    def _undo(self) -> None:
        for index, line, offset in reversed(self._unsettled):
            data = index.with_suffix(".gz")
            os.truncate(index, line)
            os.truncate(data, offset)
            self._ends[index] = offset
            if line == 0:
                index.unlink()
                data.unlink()


def archived(folder: Path) -> list[Entry]:
    """Everything that was kept below a folder, in the order in which it came.

    Raises:
        StoreDamaged: an index cannot be read.
    """
    found = [entry for index in sorted(folder.glob(f"*/{_FOLDER}/*.jsonl")) for entry in _entries(index)]
    return sorted(found, key=lambda entry: entry.fetched)  # stable: within a list the order is that of arrival


def _entries(index: Path) -> Iterator[Entry]:
    try:
        lines = index.read_bytes().split(b"\n")
    except OSError as error:
        raise StoreProblem(f"{index} cannot be read: {error.strerror or error}") from None
    for number, line in enumerate(lines[:-1], 1):  # a line without its end is what a killed process left
        yield _entry(index, number, line)


def _last(index: Path) -> Entry | None:
    """The last whole line of an index; one that was cut is taken away."""
    if not index.exists():
        return None
    text = index.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        os.truncate(index, whole)
    before = text.rfind(b"\n", 0, whole - 1) + 1
    return _entry(index, text.count(b"\n", 0, whole), text[before : whole - 1]) if whole else None


def _entry(index: Path, number: int, line: bytes) -> Entry:
    try:
        said = json.loads(line)
        return Entry(
            PageKind(said["kind"]),
            said["url"],
            said["set"],
            moment(said["run"]),
            moment(said["fetched"]),
            said["software"],
            said["label"],
            said["sha256"],
            index.with_suffix(".gz"),
            int(said["offset"]),
            int(said["length"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(f"{index}, line {number}: expected a kept page, got {error}") from None
