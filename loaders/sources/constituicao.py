"""The history of the constitution from its dated states: full texts of the Senate, one for each day of amendments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from itertools import pairwise

from graph.civil import ONE_DAY, When
from graph.entities import Coverage, Document, Event, Provision, Record, Source, Wording
from graph.errors import BadRecord
from graph.quarantine import Refusal
from graph.terms import Text
from graph.urn import Fragmento, Name, Versao, parse
from graph.wording.folding import folded
from graph.wording.marks import is_repealed, marked_articles
from graph.wording.provisions import SIGNATURE
from loaders.articulated.lines import MAX_MIB, Line, lines_of_html
from loaders.articulated.occurrences import Occurrence
from loaders.articulated.tree import structure_lines
from loaders.codes import Code, RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome, Part, refuse_file, with_day_of_fetch
from loaders.sources.format import REFUSALS_OF_MARKUP, Head, Match, ReadOptions, SourceFormat
from loaders.xml import bounded
from ontology.events import EventKind
from ontology.iris import hashed_iri

# One dated state of the constitution: a page of the Senate with the full text after an amendment.
#
# A page has two documents, the constitution and its transitional provisions. Its file name has the day and the
# amendments of the state, e.g. ``20191112_EMC103.html``. The page states the last amendment, with its day.


KIND = "constituicao"

_CONTENT = "conteudoConst"
_TITLE = "constituicao da republica federativa do brasil"
_TRANSITIONAL = "ato das disposicoes constitucionais transitorias"
_CLOSING = re.compile(r"Brasília,\s+(?:em\s+)?5 de outubro de 1988\W*")
_FILE = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})_(ORIGINAL|EM[CR][0-9]{1,3}(?:_EM[CR][0-9]{1,3})*)\.html?", re.ASCII)
_AMENDMENT = re.compile(r"EM([CR])([0-9]{1,3})", re.ASCII)
_UNTIL = re.compile(
    r"\(Texto (?:compilado até a Emenda Constitucional (?P<revision>de Revisão )?nº (?P<number>[0-9]{1,3}) de"
    r"|promulgado em) (?P<day>[0-9]{2})/(?P<month>[0-9]{2})/(?P<year>[0-9]{4})\)",
    re.ASCII,
)
_EXPECTED = "a page of the constitution of the Senate, named by the day and the amendments, e.g. 20191112_EMC103.html"


@dataclass(frozen=True, slots=True, order=True)
class Amendment:
    """A constitutional amendment.

    Attributes:
        revision: whether it belongs to the revision of 1993 and 1994, which has its own numbers.
    """

    revision: bool
    number: int


@dataclass(frozen=True, slots=True)
class StateText:
    """The text of a provision in one state.

    Attributes:
        fragment: its identifier.
        within: the identifier of its container.
    """

    fragment: str
    within: str | None
    label: str | None
    heading: str | None
    text: str | None

    @property
    def wording(self) -> tuple[str | None, str | None, str | None]:
        """Return its label, heading and text."""
        return self.label, self.heading, self.text


@dataclass(frozen=True, slots=True)
class State:
    """The full text on a day.

    Attributes:
        day: the day of promulgation of its amendments; for the first state, that of the constitution.
        amendments: the amendments of that day; none for the first state.
        origin: the label of the file.
        digest: SHA-256 of the page in hexadecimal.
        words: every occurrence of a provision, in order.
        not_placed: lines outside the provisions, each with its number.
        disagreement: what the page states if the name of its file differs.
    """

    day: date
    amendments: tuple[Amendment, ...]
    origin: str
    digest: str
    words: tuple[StateText, ...]
    not_placed: tuple[tuple[int, str], ...]
    disagreement: str | None


def read_state(document: SourceDocument) -> Iterator[Outcome]:
    """Return the state of a page as a part of the one record, or its refusal."""
    try:
        raw = document.whole(MAX_MIB)
        yield Part(KIND, document.label, _state(raw, document))
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)


def _state(raw: bytes, document: SourceDocument) -> State:
    lines = lines_of_html(raw)
    until = next((match for line in lines if (match := _UNTIL.search(line.text)) is not None), None)
    named = _FILE.fullmatch(document.file_name)
    if until is None and named is None:
        raise BadRecord(RefusalCode.NO_DOCUMENT, "neither the file's name nor the page states the day", _EXPECTED)
    stated = (_day(until["year"], until["month"], until["day"]), _last_amendments(until)) if until is not None else None
    if named is not None:
        day = _day(named[1], named[2], named[3])
        amendments = tuple(Amendment(kind == "R", int(number)) for kind, number in _AMENDMENT.findall(named[4]))
    else:
        assert stated is not None  # noqa: S101 - checked above
        day, amendments = stated[0], stated[1]
    reading = _Reading()
    for pages in _documents(lines):
        reading.document(pages)
    if not any(word.fragment.startswith("art") for word in reading.words):
        raise BadRecord(RefusalCode.NO_DOCUMENT, "the page has no article", _EXPECTED)
    closings = [word.fragment for word in reading.words if word.fragment.endswith("localdatafecho")]
    if len(closings) < 2:
        problem = f"it ends without the closing of {'the transitional provisions' if closings else 'the constitution'}"
        raise BadRecord(RefusalCode.TRUNCATED_FILE, problem, "a page with both documents, each to its closing")
    agrees = stated is None or (stated[0] == day and stated[1] == amendments[-1:])
    return State(
        day,
        amendments,
        document.label,
        sha256(raw).hexdigest(),
        tuple(reading.words),
        tuple(reading.not_placed),
        None if agrees or until is None else until[0],
    )


def _day(year: str, month: str, day: str) -> date:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        problem = f"{year}-{month}-{day} is no day of the calendar"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, _EXPECTED) from None


def _last_amendments(until: re.Match[str]) -> tuple[Amendment, ...]:
    return () if until["number"] is None else (Amendment(until["revision"] is not None, int(until["number"])),)


def _documents(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines of the content of each document on the page."""
    starts = [index for index, line in enumerate(lines) if _CONTENT in line.anchors]
    for start, end in pairwise([*starts, len(lines)]):
        content = [line for line in lines[start:end] if line.text]
        # the lines from the menu on are the page header of the next document
        menu = next((index for index, line in enumerate(content) if line.text == "Portais"), len(content))
        yield content[:menu]


@dataclass(slots=True)
class _Reading:
    """The state of reading one page."""

    words: list[StateText] = field(default_factory=list)
    not_placed: list[tuple[int, str]] = field(default_factory=list)

    def document(self, lines: list[Line]) -> None:
        """Read one document: title, preamble, provisions, closing and signatures."""
        if not lines:
            return
        title, rest = lines[0], lines[1:]
        transitional = folded(title.text).startswith(_TRANSITIONAL)
        if not transitional and not folded(title.text).startswith(_TITLE):
            self.not_placed += [(line.number, line.text) for line in lines]
            return
        prefix = "anx1_" if transitional else ""
        heading = None
        if rest and folded(rest[0].text) == "preambulo":
            heading, rest = rest[0].text, rest[1:]
        end = next((position for position, line in enumerate(rest) if _CLOSING.fullmatch(line.text)), len(rest))
        if transitional:
            self.words.append(StateText("anx1", None, title.text, None, None))
        else:
            self.words.append(StateText("epigrafe", None, None, None, title.text))
        structured = structure_lines(rest[:end])
        for provision in structured.provisions:
            self.words.append(_words(provision, prefix, heading if provision.id == "preambulo" else None))
        self.not_placed += [*structured.not_placed, *structured.beside]
        for index, line in enumerate(rest[end:]):
            part = "localdatafecho" if index == 0 else SIGNATURE if index == 1 else f"{SIGNATURE}{index}"
            self.words.append(StateText(f"{prefix}{part}", "anx1" if transitional else None, None, None, line.text))


def _words(occurrence: Occurrence, prefix: str, heading: str | None) -> StateText:
    within = f"{prefix}{occurrence.within}" if occurrence.within is not None else prefix.rstrip("_") or None
    text = " ".join(
        filter(None, (occurrence.text, *(f"({note.text})" for note in occurrence.notes)))
    )  # on these pages, notes are part of the text
    return StateText(f"{prefix}{occurrence.id}", within, occurrence.label, occurrence.heading or heading, text or None)


def without_repeats(state: State, before: dict[str, StateText], doubled: dict[str, frozenset[str | None]]) -> State:
    """Return the state with each provision once; of repeated ones, the text that was not in the state before.

    If the state before repeated the same texts, its text is kept.

    Args:
        before: the provisions of the state before, by their identifiers.
        doubled: the texts of provisions that were repeated in the state before; updated to this state.
    """
    by_fragment: dict[str, list[StateText]] = {}
    for word in state.words:
        by_fragment.setdefault(word.fragment, []).append(word)
    now: dict[str, frozenset[str | None]] = {}
    for fragment, several in by_fragment.items():
        if len(several) > 1:
            now[fragment] = frozenset(wording_state.text for wording_state in several)
            known = before.get(fragment)
            same = [
                wording_state
                for wording_state in several
                if known is not None and wording_state.wording == known.wording
            ]
            others = [wording_state for wording_state in several if wording_state not in same]
            stays = doubled.get(fragment) == now[fragment]
            by_fragment[fragment] = (same or several)[:1] if stays or not others else others[:1]
    doubled.clear()
    doubled.update(now)
    return replace(state, words=tuple(several[0] for several in by_fragment.values()))


# Makes one record with the history of every provision from the dated states of the constitution.
#
# A difference between two states was made after the day of the first, and not after the day of the second. If only one
# amendment is possible, it made the difference, on the day of the second state. Otherwise the days are bounds, and no
# cause is given. A difference only in punctuation, accents, capitals or spaces is editorial, and not a change of the
# law.


LOADER = "constituicao/3"

_WORK = "urn:lex:br:federal:constituicao:1988-10-05;1988"
#: The provider of these pages. The day of the newest state is the datestamp of the record.
_PROVIDER = "senado.leg.br"
_PROMULGATED = date(1988, 10, 5)
_OPEN = "inicio.vigencia"
_EXAMPLES = 5
_MOST_EACH = 200


class StateCode(Code):
    """Notes on dated states of the constitution."""

    NOT_PLACED = "not-placed"
    EDITORIAL = "editorial-difference"
    REPEATED = "repeated-provision"
    NAME_DISAGREES = "name-disagrees"
    BOUNDED = "several-amendments"
    SAME_DAY = "same-state"


def join_states(parts: Sequence[Part]) -> Iterator[Outcome]:
    """Yield the one record of all states, after its notes; or the refusal of a single state."""
    contents = [part.content for part in parts if isinstance(part.content, State)]
    states: dict[date, State] = {}
    for state in sorted(contents, key=lambda dated_state: (dated_state.day, dated_state.origin)):
        if state.day in states:
            message = f"{states[state.day].origin} is of the same day, {state.day}"
            yield Note(StateCode.SAME_DAY, message, state.origin, "whole file", dropped=True)
        else:
            states[state.day] = state
    if len(states) < 2:
        for state in states.values():
            problem = "it is only one state of the constitution, and would replace all others"
            expected = "a folder with all dated states, at least two"
            yield Refusal(
                state.origin, "whole file", None, RefusalCode.NO_DOCUMENT, problem, expected, KIND, payload=b""
            )
        return
    history = _History(tuple(states.values()))
    record = history.record()
    yield from history.notes
    days = [part.fetched for part in parts]
    fetched = max((day for day in days if day is not None), default=None)
    yield record if fetched is None or None in days else with_day_of_fetch(record, fetched)


@dataclass(frozen=True, slots=True)
class _Interval:
    """The interval between two states.

    Attributes:
        when: the possible days of a change between them.
        cause: the only amendment that can have made it; None if there are several.
    """

    when: When
    cause: Name | None


@dataclass(slots=True)
class _History:
    """Joins the states into one record."""

    states: Sequence[State]
    work: Name = field(default_factory=lambda: parse(_WORK))
    notes: list[Note] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    wordings: dict[str, list[Wording]] = field(default_factory=dict)
    within: dict[str, str | None] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    #: The provisions that have ended: they are gone, or their text only states that they were revoked.
    _ended: set[str] = field(default_factory=set)
    _editorial: list[tuple[str, str]] = field(default_factory=list)

    def record(self) -> Record:
        """Return the record, and complete the notes."""
        before: dict[str, StateText] = {}
        doubled: dict[str, frozenset[str | None]] = {}
        for index, original in enumerate(self.states):
            state = without_repeats(original, before, doubled)
            if doubled:
                repeats = [(fragment, f"{len(texts)} texts") for fragment, texts in doubled.items()]
                self._note(StateCode.REPEATED, original, repeats)
            gap = self._interval_before(index)
            now = {word.fragment: word for word in state.words}
            self._compare(state, gap, before, now)
            before = now
        self._note_states()
        digest = sha256("".join(state.digest for state in self.states).encode()).hexdigest()
        source = Source(
            hashed_iri(KIND, self.work.canonical),
            KIND,
            digest,
            LOADER,
            provider=_PROVIDER,
            datestamp=self.states[-1].day.isoformat(),
            origin=f"{len(self.states)} states, {self.states[0].origin} to {self.states[-1].origin}",
            wording_dates=True,
        )
        places = {fragment: position for position, fragment in enumerate(self.order, 1)}
        first = self.work.with_versao(_exact_version(_PROMULGATED, EventKind.PUBLICACAO))
        return Record(
            source,
            Document(self.work, epigraphs=(Text("Constituição da República Federativa do Brasil de 1988"),)),
            events=tuple(dict.fromkeys(self.events)),
            versions=((first, None),),
            provisions=tuple(
                Provision(fragment, self.within[fragment], places[fragment], tuple(wordings))
                for fragment, wordings in sorted(self.wordings.items(), key=lambda item: places[item[0]])
                if wordings
            ),
            coverage=Coverage.HISTORY,
        )

    def _interval_before(self, index: int) -> _Interval:
        """Return the interval between a state and the one before it; for the first, the constitution's promulgation."""
        state = self.states[index]
        first = self.states[index - 1].day + ONE_DAY if index else _PROMULGATED
        possible = _possible_amendments(self.states, index)
        if len(possible) != 1:
            exact = len(set(possible)) > 1 and set(possible) == set(state.amendments)
            when = When.on(state.day) if exact or first == state.day else When(first, state.day)
            return _Interval(when, None)
        return _Interval(When.on(state.day), _amendment_name(possible[0], state.day))

    def _compare(
        self, state: State, gap: _Interval, before: Mapping[str, StateText], now: Mapping[str, StateText]
    ) -> None:
        changed = 0
        last: str | None = None
        marked = {fragment for fragment, words in now.items() if is_repealed(words.text)}
        marked.update(marked_articles({fragment: words.within for fragment, words in now.items()}, marked))
        for fragment, words in now.items():
            self._insert_fragment(fragment, last)
            last = fragment
            self.within[fragment] = words.within
            if fragment in marked:
                changed += self._end(fragment, gap)
                continue
            known = before.get(fragment)
            ended = fragment in self._ended
            if not ended and known is not None and known.wording == words.wording:
                continue
            if not ended and known is not None and _is_alike(known, words):
                self._editorial.append((f"{state.origin}, {fragment}", _difference(known, words)))
                self._add_wording(words, _Interval(When.on(state.day), None), editorial=True)
                continue
            changed += 1
            self._add_wording(words, gap, editorial=False)
        gone = [fragment for fragment in before if fragment not in now and fragment not in self._ended]
        texts = {words.text for fragment, words in now.items() if fragment not in before} - {None}
        for fragment in gone:
            self._end(fragment, gap, EventKind.RENUMERACAO if before[fragment].text in texts else EventKind.REVOGACAO)
        if before and (changed or gone) and gap.cause is None:
            message = f"{changed} provisions changed and {len(gone)} ended on {gap.when}, by one of several amendments"
            self.notes.append(Note(StateCode.BOUNDED, message, state.origin, "document", self.work.canonical))

    def _end(self, fragment: str, gap: _Interval, kind: str = EventKind.REVOGACAO) -> bool:
        """Add the ending of a provision. Return whether it had not ended before."""
        if fragment in self._ended:
            return False
        self._ended.add(fragment)
        target = self.work.with_fragmento(Fragmento((fragment,)))
        self.events.append(Event(kind, target, gap.when, gap.when, gap.cause))
        return True

    def _insert_fragment(self, fragment: str, last: str | None) -> None:
        if fragment not in self.wordings:
            self.wordings[fragment] = []
            self.order.insert(self.order.index(last) + 1 if last is not None else 0, fragment)

    def _add_wording(self, words: StateText, gap: _Interval, *, editorial: bool) -> None:
        day = gap.when.exact
        wordings = self.wordings[words.fragment]
        if day is not None:
            kind = (
                EventKind.TEXTO_ATUALIZADO
                if editorial
                else EventKind.PUBLICACAO
                if day == _PROMULGATED
                else EventKind.ALTERACAO
            )
            versao = _exact_version(day, kind)
        else:
            view = (gap.when.first, gap.when.last or gap.when.first)
            versao = Versao(palavra=_OPEN, evento=EventKind.ALTERACAO, visao=view, visao_periodo=True)
        version = self.work.with_versao(versao)
        inserts = not wordings and gap.when.first > _PROMULGATED
        text = bounded(words.text) if words.text is not None else None
        wordings.append(Wording(version, words.label, words.heading, text, cause=gap.cause, inserts=inserts))
        returns = words.fragment in self._ended
        self._ended.discard(words.fragment)
        if day is None or returns:
            fragment = Fragmento((words.fragment,))
            target, wording = self.work.with_fragmento(fragment), version.with_fragmento(fragment)
            self.events.append(Event(EventKind.REDACAO, target, gap.when, gap.when, gap.cause, wording=wording))

    def _note_states(self) -> None:
        for state in self.states:
            if state.not_placed:
                lines = [(f"line {number}", text[:120]) for number, text in state.not_placed]
                self._note(StateCode.NOT_PLACED, state, lines, dropped=True)
            if state.disagreement is not None:
                self._note(StateCode.NAME_DISAGREES, state, [("", state.disagreement)])
        origin = self.states[-1].origin
        for where, difference in self._editorial[:_MOST_EACH]:
            self.notes.append(Note(StateCode.EDITORIAL, difference, origin, where, self.work.canonical))
        rest = self._editorial[_MOST_EACH:]
        if rest:
            message = "; ".join(where for where, _ in rest[:_EXAMPLES])
            self.notes.append(
                Note(StateCode.EDITORIAL, f"{message} and others", origin, "document", self.work.canonical, len(rest))
            )

    def _note(self, code: Code, state: State, examples: Sequence[tuple[str, str]], *, dropped: bool = False) -> None:
        shown = "; ".join(f"{where}: {text}" if where else text for where, text in examples[:_EXAMPLES])
        more = f"; and {len(examples) - _EXAMPLES} more" if len(examples) > _EXAMPLES else ""
        self.notes.append(
            Note(code, f"{shown}{more}", state.origin, "document", self.work.canonical, len(examples), dropped)
        )


def _exact_version(day: date, event: str) -> Versao:
    return Versao(datas=(day,), evento=event, visao=(day,))


def _possible_amendments(states: Sequence[State], index: int) -> list[Amendment]:
    """Return the amendments that may have been made between the state before and a state.

    These are the amendments of the state itself, and those that no state names and whose numbers are between those of
    the earlier and the later states.
    """
    listed = {stated_amendment for state in states for stated_amendment in state.amendments}
    amendments = set(states[index].amendments)
    for revision in (False, True):
        until = [
            stated_amendment.number
            for state in states[:index]
            for stated_amendment in state.amendments
            if stated_amendment.revision == revision
        ]
        since = [
            stated_amendment.number
            for state in states[index:]
            for stated_amendment in state.amendments
            if stated_amendment.revision == revision
        ]
        if since:
            numbers = range(max(until, default=0) + 1, min(since))
            amendments.update(
                amendment for number in numbers if (amendment := Amendment(revision, number)) not in listed
            )
    return sorted(amendments)


def _amendment_name(amendment: Amendment, day: date) -> Name:
    kind = "emenda.constitucional.revisao" if amendment.revision else "emenda.constitucional"
    return parse(f"urn:lex:br:federal:{kind}:{day.isoformat()};{amendment.number}")


def _is_alike(wording_state: StateText, other: StateText) -> bool:
    """Return whether two wordings differ only in punctuation, accents, capitals or spaces."""
    return all(_letters(a) == _letters(b) for a, b in zip(wording_state.wording, other.wording, strict=True))


def _letters(text: str | None) -> str:
    return "".join(filter(str.isalnum, folded(text or "")))


def _difference(wording_state: StateText, other: StateText) -> str:
    """Return the first words in which two wordings differ."""
    pairs = [(a or "", b or "") for a, b in zip(wording_state.wording, other.wording, strict=True) if a != b]
    before, after = pairs[0]
    index = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    start = max(0, index - 20)
    return f"{before[start : index + 30]!r} became {after[start : index + 30]!r}"


def _detect(head: Head) -> Match:
    if not head.is_markup:
        return Match.NONE
    raw = head.raw
    return Match.CERTAIN if b'id="conteudoConst"' in raw and b"senado" in raw else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_state(document)


CONSTITUICAO = SourceFormat(
    name=KIND,
    title="a page of the Senate with the constitution after an amendment (HTML), one of several",
    detect=_detect,
    read=_read,
    refusals=REFUSALS_OF_MARKUP,
    notes=tuple(StateCode),
    join=join_states,
)
