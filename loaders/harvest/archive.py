"""Payloads of harvests, stored as received; the graph can be rebuilt from them.

    pages/RUN.gz      one gzip member after another
    pages/RUN.jsonl   one line for each member: its harvest, its offset, when it was received, its kind

The name is that of the first harvest in the file: later ones are appended, until the file has 64 MiB.

A line is written after its member. A member without a line was left by a killed process; the next write truncates it.
Only pages that changed the store are kept (docs/reference/harvesting.md).
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TypeAlias

from graph import store as stores
from graph.civil import parse_day
from graph.entities import HarvestRun, Record, Source, record_of
from graph.errors import BadDate, StoreDamaged, StoreProblem
from graph.quarantine import Refusal
from graph.record_rules import RecordRules
from graph.store import Store
from loaders.documents import SourceDocument
from loaders.harvest.state import last_second, moment, written
from loaders.oai_pmh import ProviderFault
from loaders.outcomes import Outcome
from loaders.sources.normas import KIND as NORMAS
from loaders.sources.normas import read_normas
from loaders.sources.oai_lexml import KIND, LOADER, read_oai_lexml, record_iri
from loaders.sources.vocabulary import built_in_record

_FOLDER = "pages"
_INDEXES = f"*/{_FOLDER}/*.jsonl"
_LEVEL = 6
#: A file of at least this many bytes is closed for further payloads.
_FULL = 64 << 20


class PageKind(StrEnum):
    """The kind of a stored payload."""

    PAGE = "page"  #: an answer of a provider of OAI-PMH
    NORMA = "norma"  #: an answer of the API of normas.leg.br
    MISSING = "missing"  #: identifiers that the provider no longer lists
    RUN = "run"  #: the results of the harvest so far


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored payload.

    Attributes:
        url: base URL of the provider.
        fetched: when it was received (UTC).
        software: name and version of the harvester.
        label: the origin of its records.
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
        """Return the bytes as received.

        Raises:
            StoreDamaged: they differ from what was stored.
        """
        try:
            with self.file.open("rb") as stream:
                stream.seek(self.offset)
                payload = gzip.decompress(stream.read(self.length))
        except (OSError, EOFError, zlib.error) as error:
            raise StoreDamaged(f"{self.file}: the payload at byte {self.offset} cannot be read: {error}") from None
        if sha256(payload).hexdigest() != self.sha256:
            raise StoreDamaged(f"{self.file}: the payload at byte {self.offset} was changed: its hash differs")
        return payload


class Archive:
    """The stored pages of one list of one provider. Only one process at a time may write."""

    def __init__(self, folder: Path, url: str, set_: str | None, software: str) -> None:
        self._folder = folder / _FOLDER
        self._context = {"url": url, "set": set_, "software": software}
        self._ends: dict[Path, int] = {}
        self._unsettled: list[tuple[Path, int, int]] = []

    def keep(self, kind: PageKind, run: datetime, fetched: datetime, label: str, payload: bytes) -> None:
        """Append a payload to the last file, or to a new file that is named after its run.

        Raises:
            StoreProblem: it cannot be written.
        """
        data = index = self._folder
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            index = self._file_for(run)
            data = index.with_suffix(".gz")
            if index not in self._ends:
                last = _last_line(index)
                self._ends[index] = 0 if last is None else last.offset + last.length
            offset = self._ends[index]
            member = gzip.compress(payload, _LEVEL, mtime=0)
            with data.open("ab") as stream:
                stream.truncate(offset)
                stream.seek(offset)
                stream.write(member)
            line = {
                "kind": kind.value,
                **self._context,
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

    def _file_for(self, run: datetime) -> Path:
        """Return the index of the last file; that of a new one if the last is full or there is none."""
        files = sorted(self._folder.glob("*.jsonl"), key=lambda path: path.stem)
        if files and self._size(files[-1]) < _FULL:
            return files[-1]
        name = f"{run:%Y%m%dT%H%M%S}Z"
        taken = [path.stem for path in files if path.stem >= name]  # of this harvest, or named by a clock that was fast
        return self._folder / f"{taken[-1] + '_' if taken else name}.jsonl"

    def _size(self, index: Path) -> int:
        """Return the number of bytes of payloads in a file."""
        data = index.with_suffix(".gz")
        return self._ends[index] if index in self._ends else data.stat().st_size if data.exists() else 0

    def settle(self, *, changed: bool) -> None:
        """Sync the payloads since the last call to the disk if they changed the store; otherwise remove them.

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


def is_archive(folder: Path) -> bool:
    """Return whether a folder has stored payloads, as :func:`read_archive` reads them."""
    return any(folder.glob(_INDEXES))


def read_archive(folder: Path) -> list[Entry]:
    """Return everything that is stored below a folder, in the order in which it was received.

    Raises:
        StoreDamaged: a line of an index is invalid.
        StoreProblem: an index cannot be read.
    """
    entries = [entry for index in sorted(folder.glob(_INDEXES)) for entry in _entries(index)]
    return sorted(entries, key=lambda entry: entry.fetched)  # stable: within a list the order is that of arrival


def _entries(index: Path) -> Iterator[Entry]:
    try:
        lines = index.read_bytes().split(b"\n")
    except OSError as error:
        raise StoreProblem(f"{index} cannot be read: {error.strerror or error}") from None
    for number, line in enumerate(lines[:-1], 1):  # the last piece is empty, or left by a killed process
        yield _entry(index, number, line)


def _last_line(index: Path) -> Entry | None:
    """Return the last complete line of an index; an incomplete one is removed."""
    if not index.exists():
        return None
    text = index.read_bytes()
    complete = text.rfind(b"\n") + 1
    if complete < len(text):
        os.truncate(index, complete)
    before = text.rfind(b"\n", 0, complete - 1) + 1
    return _entry(index, text.count(b"\n", 0, complete), text[before : complete - 1]) if complete else None


def _entry(index: Path, number: int, line: bytes) -> Entry:
    try:
        data = json.loads(line)
        return Entry(
            PageKind(data["kind"]),
            data["url"],
            data["set"],
            moment(data["run"]),
            moment(data["fetched"]),
            data["software"],
            data["label"],
            data["sha256"],
            index.with_suffix(".gz"),
            int(data["offset"]),
            int(data["length"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(f"{index}, line {number}: not a valid entry of a stored payload: {error}") from None


_COUNTS = ("loaded", "unchanged", "deleted", "refused")


@dataclass(frozen=True, slots=True)
class RunContext:
    """The harvest that received a payload.

    Attributes:
        url: base URL of the provider, as requested: answers may name another.
        began: when the harvest began (UTC).
        software: name and version of the harvester.
        rules: what records are compared with; None for the built-in vocabularies.
    """

    url: str
    set: str | None
    began: datetime
    software: str
    rules: RecordRules | None = None

    @property
    def run(self) -> HarvestRun:
        """Return the harvest, as far as it is known while it runs."""
        return HarvestRun(self.url, self.began, self.software, self.set)


def read_page(came: RunContext, fetched: datetime, document: SourceDocument, provider: str | None) -> Iterable[Outcome]:
    """Yield the records of an answer to ListRecords, GetRecord or (deletions only) ListIdentifiers.

    Args:
        fetched: when it was received (UTC).
        provider: ignored: ``came`` has the URL of the provider.
    """
    del provider
    return read_oai_lexml(document, provider=came.url, run=came.run.iri, fetched=fetched, rules=came.rules)


def read_norma(
    came: RunContext, fetched: datetime, document: SourceDocument, provider: str | None
) -> Iterable[Outcome]:
    """Yield the one record of an answer of the API of normas.leg.br; arguments as for :func:`read_page`."""
    del provider
    return read_normas(document, provider=came.url, run=came.run.iri, fetched=fetched)


#: Reads an answer; the arguments are the harvest, the moment, the answer, and a provider that is ignored.
AnswerReader: TypeAlias = Callable[[RunContext, datetime, SourceDocument, str | None], Iterable[Outcome]]
#: The reader of each kind of answer, also when a stored answer is read again.
READERS: Mapping[PageKind, AnswerReader] = MappingProxyType({PageKind.PAGE: read_page, PageKind.NORMA: read_norma})
_SOURCES: Mapping[PageKind, str] = MappingProxyType({PageKind.PAGE: KIND, PageKind.NORMA: NORMAS})


def withdrawn(identifiers: Iterable[str], label: str, came: RunContext, noticed: datetime) -> Iterator[Record]:
    """Return tombstones of records that the provider no longer lists. Only the day on which this was noticed is
    known."""
    for identifier in identifiers:
        digest = sha256(f"missing\x1f{identifier}".encode("utf-8", "surrogatepass")).hexdigest()
        source = Source(record_iri(identifier, came.url), KIND, digest, LOADER, came.url, identifier, origin=label)
        yield Record(replace(source, run=came.run.iri, fetched=noticed, missing_since=noticed.date()), None)


def missing_payload(identifiers: Iterable[str]) -> bytes:
    """Return the payload for identifiers that are no longer listed.

    >>> missing_identifiers(missing_payload(["oai:a:b/1"]))
    ['oai:a:b/1']
    """
    return json.dumps(list(identifiers)).encode()


def missing_identifiers(payload: bytes) -> list[str]:
    """Return the identifiers of a payload of :func:`missing_payload`."""
    identifiers: list[str] = json.loads(payload)
    return identifiers


def run_payload(run: HarvestRun) -> bytes:
    """Return the payload for the results of a harvest."""
    counts = {name: getattr(run, name) for name in _COUNTS}
    return json.dumps(
        {**counts, "since": run.since, "until": run.until, "ended": run.ended and written(run.ended)}
    ).encode()


def run_of(context: RunContext, payload: bytes) -> HarvestRun:
    """Return the harvest of a payload of :func:`run_payload`."""
    data = json.loads(payload)
    ended = data.pop("ended")
    return replace(context.run, **data, ended=ended and moment(ended))


def refused_page(fault: ProviderFault, kind: PageKind, label: str, provider: str, identifier: str | None) -> Refusal:
    """Return the refusal of an unreadable answer; ``identifier`` is that of the requested record, None for a list."""
    return Refusal(
        origin=label,
        position="whole page",
        identifier=identifier,
        code=str(fault.code),
        problem=f"{fault.url}: {fault.problem}",
        expected=fault.expected,
        kind=_SOURCES[kind],
        payload=fault.payload,
        provider=provider,
        truncated=True,
    )


_BATCH = 2000


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The graph made from stored payloads, the number of those read, and the fault of each damaged one."""

    store: Store
    payloads: int
    damaged: tuple[str, ...]


def as_of(text: str) -> datetime:
    """Return a moment ``YYYY-MM-DDThh:mm:ssZ``, or the last second of a civil date, as an aware datetime in UTC.

    >>> as_of("2026-03-01")
    datetime.datetime(2026, 3, 1, 23, 59, 59, tzinfo=datetime.timezone.utc)

    Raises:
        BadDate: it is neither.
    """
    try:
        return moment(text)
    except ValueError:
        pass
    try:
        day = parse_day(text)
    except BadDate:
        raise BadDate(text, "a date YYYY-MM-DD, or a moment YYYY-MM-DDThh:mm:ssZ") from None
    return last_second(day)


def archived_runs(folder: Path) -> set[str]:
    """Return the IRIs of the harvests with payloads below a folder.

    Raises:
        StoreDamaged: a line of an index is invalid.
        StoreProblem: an index cannot be read.
    """
    return {RunContext(entry.url, entry.set, entry.run, entry.software).run.iri for entry in read_archive(folder)}


@contextmanager
def replayed_graph(folder: Path, until: datetime) -> Iterator[ReplayResult]:
    """Yield the graph as it was at a moment, made from the payloads stored below a folder.

    The current loaders make it in a temporary folder. Refused records are not in it. If a payload is damaged, the
    earlier state of the same records is used instead.

    Raises:
        StoreDamaged: a line of an index is invalid.
        StoreProblem: an index cannot be read.
    """
    entries = [entry for entry in read_archive(folder) if entry.fetched <= until]
    with TemporaryDirectory(prefix="vigente-") as temporary:
        where = Path(temporary) / "store"
        with stores.open_for_writing(where, create=True) as store:
            store.apply([built_in_record()])
            batch: list[Record] = []
            damaged: list[str] = []
            for entry in entries:
                try:
                    batch.extend(_records(entry))
                except StoreDamaged as error:
                    damaged.append(str(error))
                if len(batch) >= _BATCH:
                    store.apply(batch)
                    batch.clear()
            store.apply(batch)
        with stores.open(where) as replayed:
            yield ReplayResult(replayed, len(entries) - len(damaged), tuple(damaged))


def _records(entry: Entry) -> Sequence[Record]:
    """Return the records of a stored payload, without its refusals and notes."""
    return [outcome for outcome in outcomes(entry) if isinstance(outcome, Record)]


def outcomes(entry: Entry) -> Iterable[Outcome]:
    """Return what is read from a stored payload.

    Raises:
        StoreDamaged: the payload differs from what was stored.
    """
    came = RunContext(entry.url, entry.set, entry.run, entry.software)
    payload = entry.payload()
    if entry.kind is PageKind.RUN:
        return [record_of(run_of(came, payload))]
    if entry.kind is PageKind.MISSING:
        return withdrawn(missing_identifiers(payload), entry.label, came, entry.fetched)
    document = SourceDocument(entry.label, partial(io.BytesIO, payload))
    return READERS[entry.kind](came, entry.fetched, document, None)
