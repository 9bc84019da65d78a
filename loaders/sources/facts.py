"""Curated facts: life-cycle events of a norm that no provider states, each with its curator and source."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from hashlib import sha256

from graph.civil import Counting, When, first_day_after, parse_term, parse_when
from graph.entities import Document, Event, Provision, Record, Source, Wording
from graph.errors import BadDate, BadParameter, BadRecord
from graph.quarantine import Refusal
from graph.urn import Name, Versao
from graph.wording.folding import with_printed_controls
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import IDENTITY_REFUSALS, identity, quoted
from loaders.lines import lines
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.tables import Rows, misfit
from loaders.xml import bounded, spaced
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, PARTICIPATIONS, Effect, EventKind, EventTerm
from ontology.iris import hashed_iri

# Curated facts: life-cycle events of a norm that no provider states, each with its curator and source.
#
# A fact has a norm or provision, an event of the vocabulary, the first day of effect, the first day of knowledge, a
# cause, and a curator. TOML has a list ``[[facts]]``, with a curator and source for all facts above it; CSV has a
# column for each key. Missing values are not filled in: an unknown day stays open, and a year stays a year. A fact with
# an ``id`` replaces or withdraws the curator's earlier fact on the norm with that id.


KIND = "facts"
LOADER = "facts/2"
#: The events that a fact may state.
FACT_EVENTS = {notation: term for notation, term in EVENTS.items() if notation not in PARTICIPATIONS}
#: The keys of a fact; norm, event and curator are required.
COLUMNS = (
    *("norm", "event", "effect", "after", "known", "cause", "wording", "text", "undoes"),
    *("note", "source", "curator", "id", "withdrawn"),
)
NEEDED = ("norm", "event", "curator")
KEYS = f"the keys {', '.join(COLUMNS)}"
#: The maximum number of characters of a value that is not running text.
LONGEST = 4096
#: The valid values by key; every other key takes a text.
EXPECTED = {
    **dict.fromkeys(("effect", "known"), "a day YYYY-MM-DD, a year, or a text"),
    "after": 'a term as a text, such as "180 days" or "1 year"',
    "undoes": "true or false",
    "withdrawn": "true",
}
#: The keys of running text; any other value is short.
_RUNNING = frozenset({"note", "source", "text"})
#: A day in Brazilian notation, with the ordinal for the first of a month.
_BRAZILIAN = re.compile(r"([0-9]{1,2}|1[º°o])([/.])([0-9]{1,2})\2([0-9]{4})", re.ASCII)
_DAYS = "a day YYYY-MM-DD or DD/MM/YYYY that the calendar has, a year, day/day or day/.. (the later day second)"
_AS_OF = "as of "
#: Events for which ``undoes`` may state that the earlier law does not return to force or effect.
_UNDOABLE = frozenset({Effect.ANNULS, Effect.SUSPENDS, Effect.EXPIRES})
_MPV = "medida.provisoria"
#: Types of norms that may be rejected: provisional measures, and the decree-laws that preceded them.
_REJECTABLE = frozenset({_MPV, "decreto.lei"})
#: Types of norms that may convert a provisional measure.
_CONVERTING = frozenset({"lei", "lei.complementar"})


def _bad_fact(problem: str, expected: str) -> BadRecord:
    return BadRecord(RefusalCode.BAD_FACT, problem, expected)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with parsed values.

    Attributes:
        cells: the values as written.
        effect: as stated; else as counted from ``after``.
        counted: how the term of ``after`` was counted; None without ``after``.
        differs: a sentence on how the stated day differs from the counted one; None if it does not.
    """

    cells: Mapping[str, str]
    norm: Name
    term: EventTerm
    effect: When | None
    known: When | None
    cause: Name | None
    counted: Counting | None = None
    differs: str | None = None

    @classmethod
    def of(cls, cells: Mapping[str, str]) -> Fact:
        """Return the fact with these values.

        Raises:
            BadRecord: a key is missing or unknown, a name, day or term is invalid, or a value is too long.
        """
        for key in cells:
            if key not in COLUMNS:
                raise _bad_fact(f"the fact has a key {quoted(key)}", KEYS)
        for key in NEEDED:
            if key not in cells:
                raise _bad_fact(f"the fact has no {key}", ", ".join(NEEDED))
        for key, value in cells.items():
            if key in _RUNNING:
                bounded(value)
            elif len(value) > LONGEST:
                raise _bad_fact(f"{key} has {len(value)} characters", f"at most {LONGEST}")
        term = FACT_EVENTS.get(cells["event"])
        if term is None:
            raise _bad_fact(f"there is no event {quoted(cells['event'])}", f"one of {', '.join(FACT_EVENTS)}")
        norm = identity(cells["norm"])
        cause = identity(cells["cause"]) if "cause" in cells else None
        effect, known = _when(cells, "effect"), _when(cells, "known")
        fact = cls(cells, norm, term, effect, known, cause)
        return fact._with_term(cells["after"]) if "after" in cells else fact

    def _with_term(self, written: str) -> Fact:
        """Return the fact with its counted day; a stated day takes precedence."""
        published = self.known.exact if self.known is not None else None
        if published is None:
            problem = "after is counted from known, and known is not a day"
            raise _bad_fact(problem, "the day of publication in known")
        try:
            term = parse_term(written)
            day = first_day_after(published, term)
        except BadDate as error:
            raise _bad_fact(f"after: {error}", "180 days, 6 months, 1 year or the like") from None
        counting = Counting(term.number, term.unit, published)
        stated = self.effect
        if stated is None or stated.exact == day:
            return replace(self, effect=When.on(day), counted=counting)
        differs = (
            f"effect is {stated}; {counting}, counted by LC 95/1998, art. 8, § 1, give {day}: the stated day counts"
        )
        return replace(self, counted=replace(counting, counted=day), differs=differs)

    def record(self, label: str) -> Record:
        """Return the record that states the fact, or withdraws it.

        Raises:
            BadRecord: the event lacks a required key, or has one that it does not allow.
        """
        source = self._source(label)
        if "withdrawn" in self.cells:
            if self.cells["withdrawn"].lower() != "true":
                raise _bad_fact(f"withdrawn is {quoted(self.cells['withdrawn'])}", EXPECTED["withdrawn"])
            return Record(source, None)
        self._check_keys()
        if self.term.effect is None:
            return self._record_of_version(source)
        target = self.norm.provision or self.norm.work
        if self.norm != target:
            raise _bad_fact(f"{self.norm} is a version", "the norm or provision that the event acts on")
        self._check_target(target)
        undoes = self._read_undoes()
        event = Event(
            self.term.notation, target, self.effect, self.known, self.cause, self._wording(), undoes, self.counted
        )
        return Record(source, None, (event,))

    def _source(self, label: str) -> Source:
        cells = self.cells
        lines = [f"{key}={cells[key]}" for key in sorted(cells)]
        if "id" in cells:
            known_by = [cells["id"], cells["curator"]]
        else:
            days = [str(day) if day is not None else "" for day in (self.effect, self.known)]
            cause = self.cause.canonical if self.cause is not None else ""
            known_by = [self.term.notation, *days, cause, cells["curator"]]
        return Source(
            hashed_iri("fato", self.norm.canonical, *known_by),
            KIND,
            sha256("\n".join(lines).encode("utf-8", "backslashreplace")).hexdigest(),
            LOADER,
            identifier=cells.get("id"),
            origin=label,
            curator=cells["curator"],
            note=cells.get("note"),
            cited=cells.get("source"),
        )

    def _check_keys(self) -> None:
        """Refuse keys that the event does not allow."""
        effect, event = self.term.effect, self.term.notation
        if "wording" in self.cells and effect is not Effect.RESTORES_WORDING:
            raise _bad_fact(
                f"the event {event} restores no wording",
                "wording only with the events restauracao and redacao",
            )
        if "text" in self.cells and (effect is not None or self.norm.provision is None):
            problem = f"the event {event} on {self.norm} makes no wording of a provision"
            raise _bad_fact(problem, "text only with a provision, and an event that makes a version of it")
        if "undoes" in self.cells and effect not in _UNDOABLE:
            problem = f"the event {event} restores nothing, so undoes has no meaning"
            raise _bad_fact(problem, "undoes only with an annulment, a suspension, a lapse or a rejection")

    def _check_target(self, target: Name) -> None:
        """Refuse a norm or cause that the event does not allow."""
        effect, kind = self.term.effect, target.tipo_documento[0]
        if effect is Effect.CONVERTS:
            cause = self.cause.tipo_documento if self.cause is not None else ()
            if target.provision is not None or kind != _MPV:
                raise _bad_fact(f"{target} is no provisional measure", f"a norm of the type {_MPV}")
            if self.cause is None or len(cause) != 1 or cause[0] not in _CONVERTING or self.cause.local != target.local:
                given = f"{self.cause} does not convert {target}" if self.cause is not None else "there is no cause"
                raise _bad_fact(given, "under cause the law or complementary law of the same place that converts it")
        elif self.term.notation == EventKind.REJEICAO and kind not in _REJECTABLE:
            raise _bad_fact(f"{target} is no provisional measure", f"a norm of the type {_MPV} or decreto.lei")
        elif effect is Effect.VETOES and target.provision is None:
            raise _bad_fact(f"{target} is no provision", "a provision: a bill that was vetoed as a whole is not a norm")
        elif self.term.notation == EventKind.RENUMERACAO and target.provision is None:
            raise _bad_fact(f"{target} is no provision", "a provision: a norm keeps its number")
        elif effect is Effect.STARTS_FORCE:
            self._check_start(target)
        elif effect is Effect.INTERPRETS and self.cause is None:
            raise _bad_fact(f"the event {self.term.notation} has no cause", "under cause the ruling")

    def _check_start(self, target: Name) -> None:
        """Refuse a start of force without a day, of a norm by the event of provisions, or the reverse."""
        is_of_provision = self.term.notation == EventKind.VIGENCIA_PROPRIA
        kind = "provision" if is_of_provision else "norm"
        if self.effect is None:
            raise _bad_fact("there is no effect", f"a {kind}, and under effect its first day of force")
        if is_of_provision != (target.provision is not None):
            raise _bad_fact(f"{target} is no {kind}", f"a {kind}, and under effect its first day of force")

    def _read_undoes(self) -> bool:
        written = self.cells.get("undoes", "true")
        if written.lower() not in {"true", "false"}:
            raise _bad_fact(f"undoes is {quoted(written)}", EXPECTED["undoes"])
        return written.lower() == "true"

    def _wording(self) -> Name | None:
        """Return the version whose wording is restored; None for other events.

        If the fact is about a provision, the name returned is that of the provision in the version.
        """
        if self.term.effect is not Effect.RESTORES_WORDING:
            return None
        expected = "`as of` and the full name of a version of the same norm or provision"
        written = self.cells.get("wording", "")
        if not written.startswith(_AS_OF):
            raise _bad_fact(f"wording is {quoted(written)}" if written else "the fact has no wording", expected)
        version = identity(written.removeprefix(_AS_OF).strip())
        individual = version.individual
        if individual is None or version.work != self.norm.work:
            raise _bad_fact(f"{version} is no version of {self.norm}", expected)
        if version.version_date is None or version.view_date is None:
            raise _bad_fact(f"{version} leaves parts of the version open", f"{expected}: NAME@START;EVENT;KNOWN")
        if version.provision not in (None, self.norm.provision):
            raise _bad_fact(f"{version} is a version of another provision than {self.norm}", expected)
        try:
            return individual if self.norm.provision is None else individual.with_fragmento(self.norm.fragmento)
        except BadParameter as error:
            raise _bad_fact(str(error), "a norm of br") from None

    def _record_of_version(self, source: Source) -> Record:
        """Return the record of an event that makes a version, with its cause and its text."""
        version = _version(self.norm, self.term.notation, self.effect, self.known)
        return Record(
            source,
            Document(version),
            versions=((version, self.cause),) if self.cause is not None else (),
            counted=((version, self.counted),) if self.counted is not None else (),
            provisions=tuple(self._provisions_with_text(version)),
        )

    def _provisions_with_text(self, version: Name) -> Iterator[Provision]:
        fragment, individual = version.fragmento, version.individual
        if "text" not in self.cells or fragment is None or individual is None:
            return
        if len(fragment.partes) != 1 or not isinstance(fragment.partes[0], str):
            raise _bad_fact(f"{self.norm} is several provisions", "one provision with text")
        words = "\n".join(filter(None, map(spaced, self.cells["text"].splitlines())))
        yield Provision(version.canonical.partition("!")[2], None, 0, (Wording(individual, text=words),))


def _when(cells: Mapping[str, str], key: str) -> When | None:
    """Return the day, year or interval under ``key``; None if absent.

    Days may be in Brazilian notation: ``31/12/1990``, ``1º/12/1990``, ``1º.12.1990``.

    Raises:
        BadRecord: it is none of these.
    """
    if key not in cells:
        return None
    given = written = cells[key]
    match = _BRAZILIAN.fullmatch(written)
    try:
        if match is not None:
            written = f"{match[4]}-{match[3]:0>2}-{match[1].rstrip('º°o'):0>2}"
        return parse_when(written)
    except BadDate:
        raise _bad_fact(f"{key} is {quoted(given)}, which is not a day, a year or an interval", _DAYS) from None


def _version(norm: Name, event: str, effect: When | None, known: When | None) -> Name:
    """Return the name of the version that an event makes (LexML 1.0 part 2, section 12.3)."""
    if norm.versao is not None:
        raise _bad_fact(f"{norm} is a version", "the norm; its version follows from the days")
    start = effect.exact if effect is not None else None
    seen = known.exact if known is not None else None
    if seen is None or (effect is not None and start is None) or (start is None and event not in FIRST_TEXT_EVENTS):
        problem = f"the event {event} makes a version, and its days are not both known"
        expected = "the days effect and known; for a first text, known is enough"
        raise _bad_fact(problem, expected)
    datas, word = ((start,), None) if start is not None else ((), "inicio.vigencia")
    try:
        return norm.with_versao(Versao(datas=datas, palavra=word, evento=event, visao=(seen,)))
    except BadParameter as error:
        raise _bad_fact(str(error), "a norm of br") from None


#: The maximum size of a TOML file, in MiB.
_LARGEST = 16


@dataclass(frozen=True, slots=True)
class _WrittenFact:
    """A fact as written: its values by key, and its position.

    Attributes:
        fault: why it cannot be read; else None.
        original: the fact as TOML, if it has a fault, so that it can be read again.
    """

    position: str
    cells: Mapping[str, str]
    fault: BadRecord | None = None
    original: bytes | None = None


def read_facts(document: SourceDocument, *, form: str | None = None) -> Iterator[Outcome]:
    """Yield the records of a file of facts, one for each fact, in its order.

    Args:
        form: ``"toml"`` or ``"csv"``; None to take it from the file's name, CSV unless it ends in ``.toml``.
    """
    form = form or ("toml" if document.file_name.lower().endswith(".toml") else "csv")
    try:
        for stated in _from_toml(document) if form == "toml" else _from_csv(document):
            yield from _outcomes(stated, document.label)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND, form=form)


def _from_toml(document: SourceDocument) -> Iterator[_WrittenFact]:
    content = _text(document)
    try:
        read: dict[str, object] = tomllib.loads(content)
    except (ValueError, RecursionError) as error:  # numbers of too many digits are no TOMLDecodeError
        problem = f"the file is not TOML: {str(error)[:LONGEST]}"
        raise BadRecord(RefusalCode.BAD_FACT, problem, "TOML 1.0 with [[facts]]") from None
    facts = read.pop("facts", None)
    if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
        raise BadRecord(RefusalCode.BAD_FACT, "the file has no list [[facts]]", "[[facts]] with norm and event")
    for number, fact in enumerate(facts, start=1):
        fields = {**read, **fact}
        plain = {key: text for key, value in fields.items() if (text := _as_text(key, value)) is not None}
        odd = next((key for key in fields if key not in plain), None)
        if odd is None:
            yield _WrittenFact(f"fact {number}", plain)
            continue
        problem = f"{quoted(odd) if odd not in COLUMNS else odd} is {_describe(fields[odd])}"
        fault = BadRecord(RefusalCode.BAD_FACT, problem, EXPECTED.get(odd, "a text"))
        yield _WrittenFact(f"fact {number}", plain, fault, _toml(fields))


def _describe(value: object) -> str:
    """Return a description of a TOML value."""
    if isinstance(value, str):
        return "empty"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a number with more than 20 digits"
    return quoted(str(value))


def _toml(fields: Mapping[str, object]) -> bytes | None:
    """Return a file of TOML with only this fact; None if a value is too large or too deep."""
    try:
        written = "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in fields.items())
    except (ValueError, RecursionError):
        return None
    return f"[[facts]]\n{written}".encode("utf-8", "replace")


def _value(value: object) -> str:
    """Return a value in TOML notation."""
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
    """Return the whole file as text."""
    content = document.whole(_LARGEST)
    try:
        return with_printed_controls(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the file, 0x{content[error.start]:02X}, is not UTF-8"
        raise BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8") from None


def _as_text(key: str, value: object) -> str | None:
    """Return a TOML value as text: a date, a year, a Boolean, or a text; None for any other value, or blank text."""
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


def _from_csv(document: SourceDocument) -> Iterator[_WrittenFact]:
    with closing(document.open()) as stream:
        rows = iter(Rows(lines(stream), ","))
        header = next(rows, None)
        if header is None or header.fault is not None or not set(NEEDED) <= set(header.cells):
            raise BadRecord(RefusalCode.UNKNOWN_KIND, "the file has no columns of facts", f"a header with {KEYS}")
        for row in rows:
            fault = misfit(row, header)
            cells = dict(zip(header.cells, row.cells, strict=True)) if fault is None else {}
            yield _WrittenFact(f"line {row.line}", cells, fault)


def _outcomes(stated: _WrittenFact, label: str) -> Iterator[Outcome]:
    """Yield the record of a fact, with a note if its days differ; or its refusal."""
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
    """Return a fact as a table of one row, so that it can be read again."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    columns = [*COLUMNS, *(key for key in cells if key not in COLUMNS)]
    writer.writerows([columns, [cells.get(key, "") for key in columns]])
    return written.getvalue().encode("utf-8", "replace")


def _detect(head: Head) -> Match:
    if head.text.startswith(b"norm,event,"):
        return Match.CERTAIN
    return Match.NAME if head.extension == ".toml" else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    return read_facts(document, form=options.form)


FACTS = SourceFormat(
    name=KIND,
    title="curated facts: TOML with [[facts]], or CSV",
    detect=_detect,
    read=_read,
    refusals=(
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_FACT,
        RefusalCode.BAD_ROW,
        RefusalCode.LINE_TOO_LONG,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
    ),
    notes=(NoteCode.COUNTED_OTHERWISE,),
)
