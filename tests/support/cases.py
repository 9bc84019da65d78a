"""Tables of cases for readers: rows of TOML, curated facts, and what is read or answered, each as short lines.

A reader's outcomes are lines that begin with a keyword; those with a subject have it second::

    name NAME                    version @VERSION CAUSE       relation KIND TARGET
    provision PART WITHIN "LABEL" "HEADING"                   wording PART VERSION CAUSE "WORDS" FLAGS
    event PART KIND EFFECT CAUSE KNOWN                kept PART KIND TARGET "WORDS" FLAGS
    note CODE COUNT kept|dropped MESSAGE                      refusal CODE PROBLEM

PART is the identifier of a provision, or ``.`` for the norm; names of federal norms lack ``urn:lex:br:federal:``; ``-``
stands for what is not stated. A case states all lines of the keywords and subjects that it has, each from its
beginning to the end of any word before a space or a colon. ``no KEYWORD SUBJECT`` states that there is none, ``only
KEYWORD`` that there are no others; after ``of NAME``, lines are about the record of that document.

A question to a store is a line with its answers; DAY may be ``DAY/KNOWN``::

    PART PART: DAY STATUS, DAY @VERSION, DAY !PART, DAY efficacy:STATUS         PART DAY = WORDS | WORDS
    PART DAY has NOTICE NOTICE        PART DAY lacks NOTICE           PART DAY <- EVENT EFFECT KNOWN CAUSE | ...
"""

from __future__ import annotations

import io
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import pytest

from graph.entities import Record, Wording
from graph.quarantine import Quarantine, Refusal
from graph.store import Store, WritableStore, in_memory
from graph.urn import Name
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load
from loaders.sources.facts import read_facts
from loaders.sources.registry import read_document
from queries.in_force import in_force
from queries.text.text import text

DATA = Path(__file__).resolve().parents[1] / "data"
#: Real samples beside the checkout, which are not distributed.
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
FEDERAL = "urn:lex:br:federal:"

Row: TypeAlias = Mapping[str, Any]


# Tables


@cache
def _file(file: str) -> dict[str, Any]:
    return tomllib.loads((DATA / "tables" / f"{file}.toml").read_text("utf-8"))


def _expanded(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return re.sub(r"\{([A-Z_0-9]+)\}", lambda found: _expanded(names.get(found[1], found[0]), names), value)
    if isinstance(value, list):
        return [_expanded(each, names) for each in value]
    return {key: _expanded(each, names) for key, each in value.items()} if isinstance(value, dict) else value


def rows(file: str, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table of tests/data/tables/FILE.toml; ``{NAME}`` stands for the text in its ``names``."""
    names = {name: value for name, value in _file(file).get("names", {}).items() if f"{{{name}}}" not in value}
    expanded = _expanded(_file(file)[table], names)
    assert isinstance(expanded, list)
    return expanded


def values(file: str, table: str) -> list[Any]:
    """Return the ``rows`` of a table that has only these: lists of the values of the parameters of a test."""
    (table_of_rows,) = rows(file, table)
    found: list[Any] = table_of_rows["rows"]
    return found


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _read(each) for key, each in value.items()}
    return tuple(map(_read, value)) if isinstance(value, list) else None if value == "-" else value


def tuples(file: str, table: str) -> list[Any]:
    """Return the ``values`` of a table with tuples for lists, and None for ``-``."""
    return [_read(row) for row in values(file, table)]


def named(file: str, table: str) -> list[Any]:
    """Return the ``tuples`` of a table as parameters: the first value of each is its name."""
    return [pytest.param(*row[1:], id=row[0]) for row in tuples(file, table)]


def constant(file: str, table: str) -> Any:
    """Return the ``value`` of a table: a text, or a table with tuples for lists, and None for ``-``."""
    return _read(_file(file)[table]["value"])


def cases(file: str, table: str) -> pytest.MarkDecorator:
    """Return a mark that gives a test each row of a table as ``row``; its ``id`` says what it checks."""
    found = rows(file, table)
    return pytest.mark.parametrize("row", found, ids=[row.get("id", number) for number, row in enumerate(found)])


# Sources and stores


def source(raw: bytes | str, label: str = "a") -> SourceDocument:
    """Return a document in memory."""
    return SourceDocument(label, partial(io.BytesIO, raw.encode() if isinstance(raw, str) else raw))


def read_by(kind: str, raw: bytes | str, label: str = "a") -> list[Outcome]:
    """Return the outcomes of a document that is read as one of a format."""
    return list(read_document(source(raw, label), as_kind=kind))


def records(outcomes: Iterable[Outcome]) -> list[Record]:
    """Return the records among outcomes."""
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def only(outcomes: Iterable[Outcome]) -> Record:
    """Return the record among outcomes, which have no other."""
    (record,) = records(outcomes)
    return record


def refusals(outcomes: Iterable[Outcome]) -> list[Refusal]:
    """Return the refusals among outcomes."""
    return [outcome for outcome in outcomes if isinstance(outcome, Refusal)]


def facts(lines: str | Iterable[str], curator: str = "A") -> str:
    """Return curated facts as TOML: each line is ``NORM EVENT EFFECT KNOWN KEY=VALUE ...``, ``-`` if not stated."""
    written = [f'curator = "{curator}"\n']
    for line in lines.splitlines() if isinstance(lines, str) else lines:
        if not line.strip():
            continue
        norm, event, effect, known, *more = shlex.split(line)
        fields = {"norm": norm, "event": event, "effect": effect, "known": known}
        fields |= dict(field.split("=", 1) for field in more)
        written.append("[[facts]]")
        written += [
            f"{key} = {value}" if value in {"true", "false"} else f"{key} = '{value}'"
            for key, value in fields.items()
            if value != "-"
        ]
    return "\n".join(written) + "\n"


def stored(*sources: Record | str) -> WritableStore:
    """Return a store with records and curated facts (text in TOML), applied in this order; no fact is refused."""
    store = in_memory()
    for each in sources:
        outcomes = [each] if isinstance(each, Record) else list(read_facts(source(each, "facts.toml")))
        assert not refusals(outcomes)
        store.apply(records(outcomes))
    return store


def loaded(*paths: Path) -> WritableStore:
    """Return a store with files loaded together, none of which is refused."""
    store = in_memory()
    with TemporaryDirectory() as folder:
        assert not load(paths, store, Quarantine(Path(folder))).refused
    return store


# What a reader read


def _short(name: object) -> str:
    return "-" if name is None else str(name).removeprefix(FEDERAL)


def _quoted(words: str | None) -> str:
    return "-" if words is None else '"' + words.replace("\n", "\\n") + '"'


def _part(name: Name, own: str | None) -> str:
    work, _, fragment = name.canonical.partition("!")
    return (fragment or ".") if work == own else _short(name)


def _flags(**flags: object) -> str:
    return "".join(f" {value if isinstance(value, str) else key}" for key, value in flags.items() if value)


def _wording(fragment: str, wording: Wording) -> str:
    version = "-" if wording.version is None else wording.version.canonical.partition("@")[2].partition("!")[0]
    flags = _flags(situation=wording.situation, inserts=wording.inserts)
    return f"wording {fragment} {version} {_short(wording.cause)} {_quoted(wording.text)}{flags}"


def _of_record(record: Record) -> Iterator[str]:
    document = record.document
    own = None
    if document is not None:
        own = document.name.work.canonical
        yield f"name {_short(document.name.canonical)}"
        for field in ("epigraphs", "nicknames", "summaries", "index_terms", "catalogue_notes"):
            yield from (f"{field} {_quoted(each.value)} {each.language}" for each in getattr(document, field))
        for item in document.items:
            kind = "-" if item.kind is None else item.kind.value
            yield f"item {item.url or '-'} {item.format or '-'} {kind} {item.pages or '-'} {_quoted(item.note)}"
        yield from (f"relation {relation.kind.value} {_short(relation.target)}" for relation in document.relations)
    yield f"coverage {record.coverage.value}"
    for version, cause in record.versions:
        yield f"version @{version.canonical.partition('@')[2]} {_short(cause)}"
    yield from (f"counted {counting}" for _, counting in record.counted)
    for provision in record.provisions:
        headed = " ".join(f"{_quoted(each.label)} {_quoted(each.heading)}" for each in provision.wordings[:1])
        yield f"provision {provision.fragment} {provision.within or '-'} {headed}"
        for wording in provision.wordings:
            yield _wording(provision.fragment, wording)
            yield from (f"cites {provision.fragment} {_short(name)}" for name in wording.cites)
        if provision.words is not None:
            yield f"words {provision.fragment} {_short(provision.words)}"
    for event in record.events:
        days = [str(day) if day is not None else "-" for day in (event.effect, event.known)]
        yield f"event {_part(event.target, own)} {event.kind} {days[0]} {_short(event.cause)} {days[1]}"
    for note in record.notes:
        written = f"{note.kind.value} {_short(note.target)} {_quoted(note.text)}{_flags(struck=note.struck)}"
        yield f"kept {note.fragment or '.'} {written}"
    for operation in record.operations:
        yield f"operation {_short(operation.target)} {operation.effect or '-'}"
    yield f"unread {record.unread_orders}"


def _reading(outcomes: Iterable[Outcome]) -> Iterator[tuple[str | None, str]]:
    """Yield each line about outcomes, with the name of the document of its record; None for notes and refusals."""
    for outcome in outcomes:
        if isinstance(outcome, Record):
            about = None if outcome.document is None else _short(outcome.document.name.canonical)
            yield from ((about or "-", line) for line in _of_record(outcome))
        elif isinstance(outcome, Note):
            kept = "dropped" if outcome.dropped else "kept"
            yield None, f"note {outcome.code} {outcome.count} {kept} {outcome.message}"
        elif isinstance(outcome, Refusal):
            yield None, f"refusal {outcome.code} {outcome.problem}"


_WITH_SUBJECT = frozenset({"provision", "wording", "cites", "words", "event", "kept", "note", "refusal"})


def _group(line: str) -> str:
    keyword, _, rest = line.partition(" ")
    return f"{keyword} {rest.partition(' ')[0]}" if keyword in _WITH_SUBJECT else keyword


def _agrees(read: str, line: str) -> bool:
    return read.startswith(line) and read.removeprefix(line)[:1] in {"", " ", ":"}


def read_back(outcomes: Iterable[Outcome], expected: Iterable[str]) -> list[str]:
    """Return the expected lines as outcomes have them: the same list if all agree."""
    every = list(_reading(outcomes))
    about, wanted, found = None, dict[tuple[str | None, str], list[str]](), list[str]()
    for line in expected:
        about = line.removeprefix("of ") if line.startswith("of ") else about
        wanted.setdefault((about, line if line.startswith(("of ", "no ", "only ")) else _group(line)), []).append(line)
    for (record, group), lines in wanted.items():
        own = [line for of, line in every if of is None or record is None or of == record]
        first, _, rest = group.partition(" ")
        if first == "of":
            others = [] if any(of == record for of, _ in every) else [f"of {of}" for of in {of for of, _ in every}]
        elif first == "no":
            others = [line for line in own if line.startswith(f"{rest} ")]
        elif first == "only":
            stated = {group for of, group in wanted if of == record}
            others = [line for line in own if line.startswith(f"{rest} ") and _group(line) not in stated]
        else:
            same = [line for line in own if _group(line) == group]
            pairs = zip(same, [*lines, *[""] * len(same)], strict=False)
            found += [line if line and _agrees(read, line) else read for read, line in pairs]
            continue
        found += others or lines
    return found


# What a store answers


def _state(store: Store, name: str, day: str, state: str) -> str:
    on, _, known = day.partition("/")
    axis = "efficacy" if state.startswith("efficacy:") else None
    answer = in_force(store, name, None if on == "-" else on, known or None, axis)
    if state.startswith("!"):
        return "!" + answer.name.partition("!")[2]
    if state.startswith("@") and answer.version is not None:
        return "@" + answer.version.name.partition("@")[2].partition("!")[0]
    return f"{axis}:{answer.status.value}" if axis else answer.status.value


def _answer(store: Store, norm: str, line: str) -> str:
    def name(part: str) -> str:
        return part if part.startswith("urn:") else norm if part == "." else f"{norm}!{part}"

    asked = re.fullmatch(r"(\S+) (\S+) (=|has|lacks|<-) ?(.*)", line)
    if asked is None:
        parts, _, days = line.partition(": ")
        found = []
        for part in parts.split():
            pairs = [pair.split(" ", 1) for pair in days.split(", ")]
            states = ", ".join(f"{day} {_state(store, name(part), day, state)}" for day, state in pairs)
            found.append(parts if states == days else f"{part}: {states}")
        return next((each for each in found if each != parts), line)
    part, day, how, rest = asked.groups()
    on, _, known = day.partition("/")
    if how == "=":
        texts = text(store, name(part), on, known or None).provisions
        actual = " | ".join(each.text for each in texts if each.text)
    elif how == "<-":
        because = in_force(store, name(part), on, known or None).because
        actual = " | ".join(f"{r.event} {r.effect or '-'} {r.known or '-'} {_short(r.cause)}" for r in because)
    else:
        answer = text(store, name(part), on, known or None)
        codes = {
            str(notice.code) for notice in (*in_force(store, name(part), on, known or None).notices, *answer.notices)
        }
        wrong = [code for code in rest.split() if (code in codes) is (how == "lacks")]
        return line if not wrong else f"{line}: got {sorted(codes)}"
    return f"{part} {day} {how} {actual}".rstrip()


def answered(store: Store, norm: str, lines: Iterable[str]) -> list[str]:
    """Return each question with the answers of the store: the same list if all agree."""
    return [_answer(store, norm, line) for line in lines]
