"""Lists of names: one record for each name, with only the data that the name itself states."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType

from graph.entities import Document, Record, Source
from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import BadInput, SourceDocument
from loaders.identity import IDENTITY_REFUSALS, identity, quoted
from loaders.lines import Line, lines
from loaders.outcomes import Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.tables import Rows, count_unused, misfit, unused_note
from ontology.iris import hashed_iri

KIND = "names"
LOADER = "names/4"
#: The forms of a list, by the extension of its file.
FORMS = MappingProxyType({".txt": "txt", ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"})

_DEFAULT_COLUMN = "urn"
_DELIMITERS = {"csv": ",", "tsv": "\t"}
_LONGEST_IDENTIFIER = 4096
_NAME_STARTS = (b"urn:", b"lex:", b"urn%3a")


@dataclass(frozen=True, slots=True)
class _Cell:
    """One entry of a list.

    Attributes:
        line: the number of its line.
        payload: the line; for a table preceded by the header.
        text: the name as written; None if the line has none.
        fault: why there is none.
        complete: whether the payload is complete.
        beside: the other columns or keys with a value.
    """

    line: int
    payload: bytes
    text: str | None
    fault: BadRecord | None = None
    complete: bool = True
    beside: tuple[str, ...] = ()


def read_names(document: SourceDocument, *, form: str, column: str | None = None) -> Iterator[Outcome]:
    """Yield the records of a list of names, one for each name, in its order.

    Args:
        form: ``"txt"``: a name in each line, ``#`` begins a comment line; ``"csv"``, ``"tsv"``: with a header row;
            ``"jsonl"``: an object or a string in each line.
        column: column or key of the name; else ``urn``, else the only column.

    Raises:
        BadInput: a table without that column, or without a header row.
    """
    try:
        unused: Counter[str] = Counter()
        with closing(document.open()) as stream:
            for cell in _cells(lines(stream), form, column, document.label):
                outcome = _outcome(cell, document.label, form, column)
                if isinstance(outcome, Record):  # a refused line is stored with all its columns
                    count_unused(unused, cell.beside)
                yield outcome
        if unused:
            yield unused_note(unused, "column or key", document.label)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND, form=form, column=column)


def _cells(source: Iterator[Line], form: str, column: str | None, label: str) -> Iterator[_Cell]:
    if form == "txt":
        return _text_cells(source)
    if form == "jsonl":
        return _json_cells(source, column or _DEFAULT_COLUMN)
    return _table_cells(Rows(source, _DELIMITERS[form]), form, column, label)


def _outcome(cell: _Cell, label: str, form: str, column: str | None) -> Outcome:
    try:
        if cell.text is None:
            raise cell.fault or BadRecord(RefusalCode.NO_NAME, "there is no name", "a name")
        name = identity(_encodable(cell.text))
    except BadRecord as error:
        named = cell.text is not None and len(cell.text) <= _LONGEST_IDENTIFIER
        return Refusal(
            origin=label,
            position=f"line {cell.line}",
            identifier=cell.text if named else None,
            code=error.code,
            problem=error.problem,
            expected=error.expected,
            kind=KIND,
            payload=cell.payload,
            form=form,
            column=column,
            truncated=not cell.complete,
        )
    digest = sha256(name.canonical.encode()).hexdigest()
    source = Source(hashed_iri("nome", name.canonical), KIND, digest, LOADER, origin=label)
    return Record(source, Document(name))


def _encodable(text: str) -> str:
    r"""Return the text if it can be encoded: JSON may contain half of a surrogate pair (``"\ud800"``)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        problem = f"{quoted(text)} holds half of a surrogate pair"
        raise BadRecord(RefusalCode.BAD_ENCODING, problem, "Unicode text") from None
    return text


def _faulty_cell(line: Line, payload: bytes) -> _Cell:
    return _Cell(line.number, payload, None, line.fault, line.whole)


def _text_cells(source: Iterator[Line]) -> Iterator[_Cell]:
    for line in source:
        if line.text is None:
            yield _faulty_cell(line, line.raw)
        elif line.text.strip() and not line.text.lstrip().startswith("#"):
            yield _Cell(line.number, line.raw, line.text)


def _json_cells(source: Iterator[Line], column: str) -> Iterator[_Cell]:
    for line in source:
        if line.text is None:
            yield _faulty_cell(line, line.raw)
        elif line.text.strip():
            try:
                name, beside = _json_name(line.text, column)
                yield _Cell(line.number, line.raw, name, beside=beside)
            except BadRecord as error:
                yield _Cell(line.number, line.raw, None, error)


def _json_name(text: str, column: str) -> tuple[str, tuple[str, ...]]:
    """Return the name in a line, and the other keys of the line."""
    try:
        value: object = json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise BadRecord(RefusalCode.BAD_ROW, "the JSON is nested too deep", "an object or a string") from None
    except ValueError as error:
        problem = f"the line is not JSON: {error}"
        raise BadRecord(RefusalCode.BAD_ROW, problem, "an object or a string, RFC 8259") from None
    name = value.get(column) if isinstance(value, dict) else value
    if isinstance(name, str) and name.strip():
        return name, tuple(key for key in value if key != column) if isinstance(value, dict) else ()
    problem = f"the line has no text under {column!r}" if isinstance(value, dict) else "the line is no text"
    raise BadRecord(RefusalCode.NO_NAME, problem, f"an object with {column!r}, or a string")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object; repeated keys are refused, because it is unknown which value is right."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object repeats a key")
    return members


def _table_cells(rows: Rows, form: str, column: str | None, label: str) -> Iterator[_Cell]:
    source = iter(rows)
    header = next(source, None)
    if header is None:
        return
    if header.fault is not None:
        raise header.fault
    index = _column_of(header.cells, form, column, label)
    for row in source:
        payload = header.raw + b"\n" + row.raw
        fault = misfit(row, header)
        if fault is not None:
            yield _Cell(row.line, payload, None, fault, row.complete)
        elif not row.cells[index].strip():
            fault = BadRecord(RefusalCode.NO_NAME, "the cell of the name is empty", "a name")
            yield _Cell(row.line, payload, None, fault)
        else:
            filled = (title for title, cell in zip(header.cells, row.cells, strict=True) if cell.strip())
            beside = tuple(title for title in filled if title != header.cells[index])
            yield _Cell(row.line, payload, row.cells[index], beside=beside)


def _column_of(header: list[str], form: str, column: str | None, label: str) -> int:
    """Return the column of the names.

    Raises:
        BadInput: there is no such column, there are two, or the first row is not a header.
    """
    titles = [title.strip() for title in header]
    has = "its columns are " + ", ".join(quoted(title) for title in titles)
    if any(title.lower().startswith(("urn:", "lex:")) for title in titles):
        raise BadInput(f"{label}: expected a header row with the names of the columns, got a name: {has}")
    wanted = column or (_DEFAULT_COLUMN if _DEFAULT_COLUMN in titles or len(titles) > 1 else titles[0])
    other = next((mark for mark in ",;\t|" if mark != _DELIMITERS[form] and mark in titles[0]), None)
    if len(titles) == 1 and other is not None:
        mark = "a tab" if other == "\t" else repr(other)
        between = "tabs" if form == "tsv" else "commas"
        raise BadInput(f"{label}: expected {between} between the columns of a .{form} file, got {mark}: {has}")
    if titles.count(wanted) != 1:
        many = "no" if wanted not in titles else str(titles.count(wanted))
        raise BadInput(f"{label}: expected one column {wanted!r}, got {many}: {has}; choose with --column")
    return titles.index(wanted)


def form_of(head: Head) -> str:
    """Return the form of a list: by the extension of its file, else by its first line, else text.

    Raises:
        BadRecord: ``bad-encoding``: it is in UTF-16 or UTF-32.
    """
    if head.wide_encoding is not None:
        raise BadRecord(RefusalCode.BAD_ENCODING, f"the file is in {head.wide_encoding}", "UTF-8")
    return FORMS.get(head.extension) or _form_by_content(head) or "txt"


def _form_by_content(head: Head) -> str | None:
    """Return the form of a list by its first line that is not a comment; None if that has no name."""
    for line in head.text.splitlines()[:100]:
        first = line.strip()
        if not first or first.startswith(b"#"):
            continue
        if first.lower().startswith(_NAME_STARTS):
            return "txt"
        return "jsonl" if _is_json_name(first) else None
    return None


def _is_json_name(line: bytes) -> bool:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return False
    texts = value.values() if isinstance(value, dict) else [value]
    return any(isinstance(text, str) and text.lower().startswith(("urn:", "lex:")) for text in texts)


def _are_mostly_names(head: Head) -> bool:
    lines = [line.strip().lower() for line in head.text.splitlines()]
    if not head.is_whole:
        lines = lines[:-1]  # the last line may be incomplete
    filled = [line for line in lines if line and not line.startswith(b"#")]
    return 2 * sum(line.startswith(_NAME_STARTS) for line in filled) > len(filled)


def _detect(head: Head) -> Match:
    if head.extension == ".txt":
        return Match.LIKELY if _are_mostly_names(head) and not head.is_markup else Match.NAME
    if head.extension in FORMS:
        return Match.NAME
    return Match.LIKELY if _form_by_content(head) is not None else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    try:
        form = options.form or form_of(Head.of(document))
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)
        return
    try:
        yield from read_names(document, form=form, column=options.column)
    except BadInput as error:
        if options.column is not None:  # the user named a column that is missing
            raise
        missing = BadRecord(RefusalCode.UNKNOWN_KIND, str(error), "a list of names, or --column NAME")
        yield refuse_file(document, missing, kind=KIND)


NAMES = SourceFormat(
    name=KIND,
    title="a list of names: text, CSV, TSV or JSON lines",
    detect=_detect,
    read=_read,
    refusals=(
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_ROW,
        RefusalCode.LINE_TOO_LONG,
        RefusalCode.NO_NAME,
    ),
    notes=(NoteCode.NOT_USED,),
)
