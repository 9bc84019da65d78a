"""Curated facts: events in the life of a norm that no provider states, each with who states it and from where.

A fact names a norm or provision and an event of the vocabulary, since when it has effect, since when anyone could
know it, what caused it, and its curator. TOML holds a list ``[[facts]]``, with a curator and source for all above it;
CSV has a column for each key. Nothing is filled in: a day that nobody knows stays open, and a year stays a year. A
fact with an ``id`` replaces what its curator said of the norm under that id before, or withdraws it.
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, time

from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import shown
from loaders.lines import lines
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.facts.fact import COLUMNS, EXPECTED, KEYS, KIND, LOADER, LONGEST, NEEDED, Fact
from loaders.tables import Rows, misfit
from loaders.text import spaced

__all__ = ["COLUMNS", "KIND", "LOADER", "read_facts"]

#: How many MiB a file of TOML may have.
_LARGEST = 16


@dataclass(frozen=True, slots=True)
class _Stated:
    """A fact as written: its values by key, and its position.

    Attributes:
        fault: why it cannot be read; else None.
        original: of a fact with a fault, the same as TOML, to be tried again.
    """

    position: str
    cells: Mapping[str, str]
    fault: BadRecord | None = None
    original: bytes | None = None


def read_facts(document: SourceDocument, *, form: str | None = None) -> Iterator[Outcome]:
    """The records of a file of facts, one for each fact, in its order.

    Args:
        form: ``"toml"`` or ``"csv"``; None to go by the file's name, CSV unless it ends in ``.toml``.
    """
    form = form or ("toml" if document.file_name.lower().endswith(".toml") else "csv")
    try:
        for stated in _from_toml(document) if form == "toml" else _from_csv(document):
            yield from _outcomes(stated, document.label)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND, form=form)


def _from_toml(document: SourceDocument) -> Iterator[_Stated]:
    whole = _text(document)
    try:
        read: dict[str, object] = tomllib.loads(whole)
    except (ValueError, RecursionError) as error:  # numbers of too many digits are no TOMLDecodeError
        problem = f"the file is not TOML: {str(error)[:LONGEST]}"
        raise BadRecord(RefusalCode.BAD_FACT, problem, "TOML 1.0 with [[facts]]") from None
    facts = read.pop("facts", None)
    if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
        raise BadRecord(RefusalCode.BAD_FACT, "the file has no list [[facts]]", "[[facts]] with norm and event")
    for number, fact in enumerate(facts, start=1):
        said = {**read, **fact}
        plain = {key: text for key, value in said.items() if (text := _plain(key, value)) is not None}
        odd = next((key for key in said if key not in plain), None)
        if odd is None:
            yield _Stated(f"fact {number}", plain)
            continue
        problem = f"{shown(odd) if odd not in COLUMNS else odd} is {_described(said[odd])}"
        fault = BadRecord(RefusalCode.BAD_FACT, problem, EXPECTED.get(odd, "a text"))
        yield _Stated(f"fact {number}", plain, fault, _toml(said))


def _described(value: object) -> str:
    """A value of TOML in words."""
    if isinstance(value, str):
        return "empty"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a number with more than 20 digits"
    return shown(str(value))


def _toml(said: Mapping[str, object]) -> bytes | None:
    """A fact as a file of TOML with that fact alone; None where a value is too large or too deep to be written."""
    try:
        written = "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in said.items())
    except (ValueError, RecursionError):
        return None
    return f"[[facts]]\n{written}".encode("utf-8", "replace")


def _value(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_value(inner)}' for key, inner in value.items())}}}"
    return str(value)


def _text(document: SourceDocument) -> str:
    """The whole file as text."""
    found = document.whole(_LARGEST)
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the file, 0x{found[error.start]:02X}, is not UTF-8"
        raise BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8") from None


def _plain(key: str, value: object) -> str | None:
    """A value of TOML as text: a civil date, a year, or a text; None where it is none of these, or prints nothing."""
    if isinstance(value, str):
        return value if spaced(value) else None
    if isinstance(value, bool):
        return str(value).lower() if key == "undoes" or (key == "withdrawn" and value) else None
    if key in {"effect", "known"}:
        if isinstance(value, date) and not isinstance(value, datetime):
            return value.isoformat()
        if isinstance(value, int) and 0 < value <= date.max.year:
            return f"{value:04d}"
    return None


def _from_csv(document: SourceDocument) -> Iterator[_Stated]:
    with closing(document.open()) as stream:
        rows = iter(Rows(lines(stream), ","))
        header = next(rows, None)
        if header is None or header.fault is not None or not set(NEEDED) <= set(header.cells):
            raise BadRecord(RefusalCode.UNKNOWN_KIND, "the file has no columns of facts", f"a header with {KEYS}")
        for row in rows:
            fault = misfit(row, header)
            cells = dict(zip(header.cells, row.cells, strict=True)) if fault is None else {}
            yield _Stated(f"line {row.line}", cells, fault)


def _outcomes(stated: _Stated, label: str) -> Iterator[Outcome]:
    """The record of a fact, with a note where its days differ; or its refusal."""
    cells = {key: value.strip() for key, value in stated.cells.items() if spaced(value)}
    try:
        if stated.fault is not None:
            raise stated.fault
        fact = Fact.of(cells)
        record = fact.record(label)
    except BadRecord as error:
        yield Refusal(
            origin=label,
            position=stated.position,
            identifier=cells.get("norm", "")[:LONGEST] or None,
            code=error.code,
            problem=error.problem,
            expected=error.expected,
            kind=KIND,
            payload=stated.original or _row(stated.cells),
            form="toml" if stated.original is not None else "csv",
        )
        return
    if fact.differs is not None:
        yield Note(NoteCode.COUNTED_OTHERWISE, fact.differs, label, stated.position, fact.norm.canonical)
    yield record


def _row(cells: Mapping[str, str]) -> bytes:
    """A fact as a table of one row, to be tried again."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    columns = [*COLUMNS, *(key for key in cells if key not in COLUMNS)]
    writer.writerows([columns, [cells.get(key, "") for key in columns]])
    return written.getvalue().encode("utf-8", "replace")
