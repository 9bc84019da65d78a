"""Curated facts: events in the life of a norm that no provider states, each with who states it and from where.

A fact names a norm or provision and an event of the vocabulary, since when it has effect, since when anyone could
know it, what caused it, and its curator. TOML holds a list ``[[facts]]``, with a curator and source for all above it;
CSV has a column for each key. Nothing is filled in: a day that nobody knows stays open, and a year stays a year. A
fact with an ``id`` replaces what its curator said of the norm under that id before, or withdraws it.
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256

from graph.civil import When, parse_when
from graph.entities import Document, Event, Record, Source
from graph.errors import BadDate, BadParameter, BadRecord
from graph.quarantine import Refusal
from graph.urn import Name, Versao
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import identity, shown
from loaders.lines import lines
from loaders.outcomes import Outcome
from loaders.refusing import refuse_file
from loaders.tables import Rows, misfit
from loaders.text import spaced
from ontology.events import EVENTS, FIRST_TEXT_EVENTS
from ontology.iris import hashed_iri

__all__ = ["COLUMNS", "KIND", "LOADER", "read_facts"]

KIND = "facts"
LOADER = "facts/1"
#: What a fact may say, under these keys; norm, event and curator it must say.
COLUMNS = ("norm", "event", "effect", "known", "cause", "note", "source", "curator", "id", "withdrawn")

_NEEDED = ("norm", "event", "curator")
_LARGEST = 16 << 20
_CHUNK = 1 << 20
_LONGEST = 4096
_KEYS = f"the keys {', '.join(COLUMNS)}"


@dataclass(frozen=True, slots=True)
class _Stated:
    """A fact as written: what it says under each key, and where it stands."""

    position: str
    cells: Mapping[str, str]
    fault: BadRecord | None = None


def read_facts(document: SourceDocument, *, form: str | None = None) -> Iterator[Outcome]:
    """The records of a file of facts, one for each fact, in its order.

    Args:
        form: ``"toml"`` or ``"csv"``; None to go by the file's name, CSV unless it ends in ``.toml``.
    """
    form = form or ("toml" if document.file_name.lower().endswith(".toml") else "csv")
    try:
        for stated in _from_toml(document) if form == "toml" else _from_csv(document):
            yield _outcome(stated, document.label)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND, form=form)


def _from_toml(document: SourceDocument) -> Iterator[_Stated]:
    whole = _text(document)
    try:
        read: dict[str, object] = tomllib.loads(whole)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadRecord(RefusalCode.BAD_FACT, f"the file is not TOML: {error}", "TOML 1.0 with [[facts]]") from None
    facts = read.pop("facts", None)
    if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
        raise BadRecord(RefusalCode.BAD_FACT, "the file has no list [[facts]]", "[[facts]] with norm and event")
    for number, fact in enumerate(facts, start=1):
        said = {**read, **fact}
        plain = {key: text for key, value in said.items() if (text := _plain(key, value)) is not None}
        odd = next((key for key in said if key not in plain), None)
        fault = None
        if odd is not None:
            problem = f"{odd} is {shown(str(said[odd]))}"
            fault = BadRecord(RefusalCode.BAD_FACT, problem, "a text, a day YYYY-MM-DD or a year")
        yield _Stated(f"fact {number}", plain, fault)


def _text(document: SourceDocument) -> str:
    """The whole file as text."""
    found = bytearray()
    with closing(document.open()) as stream:
        while chunk := stream.read(_CHUNK):
            found += chunk
            if len(found) > _LARGEST:
                problem = f"the file has more than {_LARGEST >> 20} MiB"
                raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {_LARGEST >> 20} MiB")
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the file, 0x{found[error.start]:02X}, is not UTF-8"
        raise BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8") from None


def _plain(key: str, value: object) -> str | None:
    """A value of TOML as text: a civil date, a year, or a text; None where it is none of these."""
    if isinstance(value, str):
        return value
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    if value is True and key == "withdrawn":
        return "true"
    if isinstance(value, int) and not isinstance(value, bool) and key in {"effect", "known"}:
        return f"{value:04d}"
    return None


def _from_csv(document: SourceDocument) -> Iterator[_Stated]:
    with closing(document.open()) as stream:
        rows = iter(Rows(lines(stream), ","))
        header = next(rows, None)
        if header is None or header.fault is not None or not set(_NEEDED) <= set(header.cells):
            raise BadRecord(RefusalCode.UNKNOWN_KIND, "the file has no columns of facts", f"a header with {_KEYS}")
        for row in rows:
            fault = misfit(row, header)
            cells = dict(zip(header.cells, row.cells, strict=True)) if fault is None else {}
            yield _Stated(f"line {row.line}", cells, fault)


def _outcome(stated: _Stated, label: str) -> Outcome:
    cells = {key: value.strip() for key, value in stated.cells.items() if spaced(value)}
    try:
        if stated.fault is not None:
            raise stated.fault
        return _record(cells, label)
    except BadRecord as error:
        return Refusal(
            origin=label,
            position=stated.position,
            identifier=cells.get("norm", "")[:_LONGEST] or None,
            code=error.code,
            problem=error.problem,
            expected=error.expected,
            kind=KIND,
            payload=_row(stated.cells),
            form="csv",
        )


def _row(cells: Mapping[str, str]) -> bytes:
    """A fact as a table of one row, to be tried again."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    columns = [*COLUMNS, *(key for key in cells if key not in COLUMNS)]
    writer.writerows([columns, [cells.get(key, "") for key in columns]])
    return written.getvalue().encode("utf-8", "replace")


def _record(cells: Mapping[str, str], label: str) -> Record:
    """The record of a fact.

    Raises:
        BadRecord: a key is missing or unknown, a name or day is none, or the event needs what is not said.
    """
    for key in cells:
        if key not in COLUMNS:
            raise BadRecord(RefusalCode.BAD_FACT, f"the fact has a key {shown(key)}", _KEYS)
    for key in _NEEDED:
        if key not in cells:
            raise BadRecord(RefusalCode.BAD_FACT, f"the fact does not say its {key}", f"{', '.join(_NEEDED)}")
    norm = identity(cells["norm"])
    effect, known = _when(cells, "effect"), _when(cells, "known")
    cause = identity(cells["cause"]) if "cause" in cells else None
    said = [f"{key}={cells[key]}" for key in sorted(cells)]
    known_by = ("id", "curator") if "id" in cells else ("event", "effect", "known", "cause", "curator")
    source = Source(
        hashed_iri("fato", norm.canonical, *(cells.get(key, "") for key in known_by)),
        KIND,
        sha256("\n".join(said).encode()).hexdigest(),
        LOADER,
        origin=label,
        curator=cells["curator"],
        note=cells.get("note"),
        cited=cells.get("source"),
    )
    if "withdrawn" in cells:
        if "id" not in cells or cells["withdrawn"] != "true":
            problem = "a fact is withdrawn by its id, with withdrawn = true"
            raise BadRecord(RefusalCode.BAD_FACT, problem, "the id that the fact had")
        return Record(source, None)
    term = EVENTS.get(cells["event"])
    if term is None:
        known_events = ", ".join(EVENTS)
        raise BadRecord(RefusalCode.BAD_FACT, f"there is no event {shown(cells['event'])}", f"one of {known_events}")
    if term.effect is not None:
        target = norm.provision or norm.work
        if norm != target:
            raise BadRecord(
                RefusalCode.BAD_FACT, f"{norm} is a version", "the norm or provision that the event acts on"
            )
        return Record(source, None, (Event(term.notation, target, effect, known, cause),))
    if cause is not None:
        problem = f"the event {term.notation} makes a text and says no cause here"
        raise BadRecord(RefusalCode.BAD_FACT, problem, "the amending norm's own record, which says altera")
    return Record(source, Document(_version(norm, term.notation, effect, known)))


def _when(cells: Mapping[str, str], key: str) -> When | None:
    try:
        return parse_when(cells[key]) if key in cells else None
    except BadDate as error:
        raise BadRecord(RefusalCode.BAD_FACT, f"{key}: {error}", "a day YYYY-MM-DD, a year, or day/day") from None


def _version(norm: Name, event: str, effect: When | None, known: When | None) -> Name:
    """The name of the version that an event makes (LexML 1.0 part 2, section 12.3)."""
    if norm.versao is not None:
        raise BadRecord(RefusalCode.BAD_FACT, f"{norm} is a version", "the norm; its version follows from the days")
    start = effect.exact if effect is not None else None
    seen = known.exact if known is not None else None
    if seen is None or (effect is not None and start is None) or (start is None and event not in FIRST_TEXT_EVENTS):
        problem = f"the event {event} makes a version, and its days are not both known"
        expected = "the days effect and known; of a first text known alone is enough"
        raise BadRecord(RefusalCode.BAD_FACT, problem, expected)
    datas, word = ((start,), None) if start is not None else ((), "inicio.vigencia")
    try:
        return norm.with_versao(Versao(datas=datas, palavra=word, evento=event, visao=(seen,)))
    except BadParameter as error:
        raise BadRecord(RefusalCode.BAD_FACT, str(error), "a norm of br") from None
