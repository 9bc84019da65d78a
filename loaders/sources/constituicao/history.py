"""From the dated states of the constitution to one record with the history of every provision.

What differs between two states was changed after the first and by the day of the second. The amendment of the second
made it, and on that day, where no other amendment can lie between the two; else the days are bounds, and nobody is
named as its cause. What differs in punctuation, accents, capitals or spaces alone is no change of the law: the page
prints the same provision otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256

from graph.civil import When
from graph.entities import Coverage, Document, Event, Provision, Record, Source, Text, Wording
from graph.quarantine import Refusal
from graph.urn import Fragmento, Name, Versao, parse
from graph.wording.folding import folded
from loaders.codes import Code, RefusalCode
from loaders.outcomes import Note, Outcome, Part
from loaders.sources.constituicao.state import KIND, Amendment, State, Words, without_repeats
from loaders.xml import bounded
from ontology.iris import hashed_iri

LOADER = "constituicao/1"

_WORK = "urn:lex:br:federal:constituicao:1988-10-05;1988"
#: Whose pages these are; the newest state is the last that is known of them.
_PROVIDER = "senado.leg.br"
_PROMULGATED = date(1988, 10, 5)
_OPEN = "inicio.vigencia"
_DAY = timedelta(days=1)
_EXAMPLES = 5
_MOST_EACH = 200


class StateCode(Code):
    """Notes on dated states of the constitution."""

    NOT_PLACED = "not-placed", "a line of a page or text that is no part of its provisions; left out (`dropped`)"
    EDITORIAL = "editorial-difference", "a provision that a later state prints otherwise without a change of its words"
    REPEATED = "repeated-provision", "a provision that one state has twice; the words that are new in it count"
    NAME_DISAGREES = "name-disagrees", "a page that names another day or amendment than its file; the file is believed"
    BOUNDED = "several-amendments", "changes between two states with several amendments: none is named as their cause"
    SAME_DAY = "same-state", "a second page of one day; the first counts (`dropped`)"


def join_states(parts: Sequence[Part]) -> Iterator[Outcome]:
    """The one record of all states, after the notes on it; or the refusal of a state that stands alone."""
    told = [part.content for part in parts if isinstance(part.content, State)]
    states: dict[date, State] = {}
    for state in sorted(told, key=lambda one: (one.day, one.origin)):
        if state.day in states:
            message = f"{states[state.day].origin} is of the same day, {state.day}"
            yield Note(StateCode.SAME_DAY, message, state.origin, "whole file", dropped=True)
        else:
            states[state.day] = state
    if len(states) < 2:
        for state in states.values():
            problem = "it is one state of the constitution alone, and would take the place of all others"
            expected = "a folder with all dated states, at least two"
            yield Refusal(
                state.origin, "whole file", None, RefusalCode.NO_DOCUMENT, problem, expected, KIND, payload=b""
            )
        return
    history = _History(tuple(states.values()))
    record = history.record()
    yield from history.notes
    yield record


@dataclass(frozen=True, slots=True)
class _Gap:
    """What lies between two states.

    Attributes:
        when: the days on which a change between them may have been made.
        cause: the one amendment that can have made it; None where there are several.
    """

    when: When
    cause: Name | None


@dataclass(slots=True)
class _History:
    """States on their way to a record."""

    states: Sequence[State]
    work: Name = field(default_factory=lambda: parse(_WORK))
    notes: list[Note] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    wordings: dict[str, list[Wording]] = field(default_factory=dict)
    within: dict[str, str | None] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    _editorial: list[tuple[str, str]] = field(default_factory=list)

    def record(self) -> Record:
        """The record, whose notes are then complete."""
        before: dict[str, Words] = {}
        doubled: dict[str, frozenset[str | None]] = {}
        for at, told in enumerate(self.states):
            state = without_repeats(told, before, doubled)
            if doubled:
                repeats = [(fragment, f"{len(texts)} texts") for fragment, texts in doubled.items()]
                self._tell(StateCode.REPEATED, told, repeats)
            gap = self._gap(at)
            now = {one.fragment: one for one in state.words}
            self._compare(state, gap, before, now)
            before = now
        self._tell_of_states()
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
        places = {fragment: at for at, fragment in enumerate(self.order, 1)}
        first = self.work.with_versao(_exact(_PROMULGATED, "publicacao"))
        return Record(
            source,
            Document(self.work, epigraphs=(Text("Constituição da República Federativa do Brasil de 1988"),)),
            events=tuple(dict.fromkeys(self.events)),
            versions=((first, None),),
            provisions=tuple(
                Provision(fragment, self.within[fragment], places[fragment], tuple(wordings))
                for fragment, wordings in sorted(self.wordings.items(), key=lambda one: places[one[0]])
            ),
            coverage=Coverage.HISTORY,
        )

    def _gap(self, at: int) -> _Gap:
        """What lies between a state and the one before it; before the first, the constitution's promulgation."""
        state = self.states[at]
        first = self.states[at - 1].day + _DAY if at else _PROMULGATED
        possible = _possible(self.states, at)
        if len(possible) != 1:
            exact = len(set(possible)) > 1 and set(possible) == set(state.amendments)
            when = When.on(state.day) if exact or first == state.day else When(first, state.day)
            return _Gap(when, None)
        return _Gap(When.on(state.day), _named(possible[0], state.day))

    def _compare(self, state: State, gap: _Gap, before: Mapping[str, Words], now: Mapping[str, Words]) -> None:
        changed = 0
        last: str | None = None
        for fragment, words in now.items():
            self._place(fragment, last)
            last = fragment
            self.within[fragment] = words.within
            known = before.get(fragment)
            if known is not None and known.said == words.said:
                continue
            if known is not None and _alike(known, words):
                self._editorial.append((f"{state.origin}, {fragment}", _difference(known, words)))
                self._add(words, _Gap(When.on(state.day), None), editorial=True)
                continue
            changed += 1
            self._add(words, gap, editorial=False)
        gone = [fragment for fragment in before if fragment not in now]
        texts = {words.text for fragment, words in now.items() if fragment not in before} - {None}
        for fragment in gone:
            renumbered = before[fragment].text in texts
            target = self.work.with_fragmento(Fragmento((fragment,)))
            kind = "renumeracao" if renumbered else "revogacao"
            self.events.append(Event(kind, target, gap.when, gap.when, gap.cause))
        if before and (changed or gone) and gap.cause is None:
            message = f"{changed} provisions changed and {len(gone)} ended on {gap.when}, by one of several amendments"
            self.notes.append(Note(StateCode.BOUNDED, message, state.origin, "document", self.work.canonical))

    def _place(self, fragment: str, last: str | None) -> None:
        if fragment not in self.wordings:
            self.wordings[fragment] = []
            self.order.insert(self.order.index(last) + 1 if last is not None else 0, fragment)

    def _add(self, words: Words, gap: _Gap, *, editorial: bool) -> None:
        day = gap.when.exact
        wordings = self.wordings[words.fragment]
        if day is not None:
            kind = "texto.atualizado" if editorial else "publicacao" if day == _PROMULGATED else "alteracao"
            versao = _exact(day, kind)
        else:
            view = (gap.when.first, gap.when.last or gap.when.first)
            versao = Versao(palavra=_OPEN, evento="alteracao", visao=view, visao_periodo=True)
        version = self.work.with_versao(versao)
        inserts = not wordings and gap.when.first > _PROMULGATED
        text = bounded(words.text) if words.text is not None else None
        wordings.append(Wording(version, words.label, words.heading, text, cause=gap.cause, inserts=inserts))
        if day is None:
            fragment = Fragmento((words.fragment,))
            target, wording = self.work.with_fragmento(fragment), version.with_fragmento(fragment)
            self.events.append(Event("redacao", target, gap.when, gap.when, gap.cause, wording=wording))

    def _tell_of_states(self) -> None:
        for state in self.states:
            if state.not_placed:
                lines = [(f"line {number}", text[:120]) for number, text in state.not_placed]
                self._tell(StateCode.NOT_PLACED, state, lines, dropped=True)
            if state.disagreement is not None:
                self._tell(StateCode.NAME_DISAGREES, state, [("", state.disagreement)])
        origin = self.states[-1].origin
        for where, difference in self._editorial[:_MOST_EACH]:
            self.notes.append(Note(StateCode.EDITORIAL, difference, origin, where, self.work.canonical))
        left = self._editorial[_MOST_EACH:]
        if left:
            message = "; ".join(where for where, _ in left[:_EXAMPLES])
            self.notes.append(
                Note(StateCode.EDITORIAL, f"{message} and others", origin, "document", self.work.canonical, len(left))
            )

    def _tell(self, code: Code, state: State, what: Sequence[tuple[str, str]], *, dropped: bool = False) -> None:
        shown = "; ".join(f"{where}: {text}" if where else text for where, text in what[:_EXAMPLES])
        more = f"; and {len(what) - _EXAMPLES} more" if len(what) > _EXAMPLES else ""
        self.notes.append(
            Note(code, f"{shown}{more}", state.origin, "document", self.work.canonical, len(what), dropped)
        )


def _exact(day: date, event: str) -> Versao:
    return Versao(datas=(day,), evento=event, visao=(day,))


def _possible(states: Sequence[State], at: int) -> list[Amendment]:
    """The amendments that can lie between a state and the one before it: its own, and those of no state whose numbers
    lie between what came until then and what comes from then on."""
    listed = {one for state in states for one in state.amendments}
    found = set(states[at].amendments)
    for revision in (False, True):
        until = [one.number for state in states[:at] for one in state.amendments if one.revision == revision]
        since = [one.number for state in states[at:] for one in state.amendments if one.revision == revision]
        if since:
            numbers = range(max(until, default=0) + 1, min(since))
            found.update(one for number in numbers if (one := Amendment(revision, number)) not in listed)
    return sorted(found)


def _named(amendment: Amendment, day: date) -> Name:
    kind = "emenda.constitucional.revisao" if amendment.revision else "emenda.constitucional"
    return parse(f"urn:lex:br:federal:{kind}:{day.isoformat()};{amendment.number}")


def _alike(one: Words, other: Words) -> bool:
    """Whether two wordings differ in punctuation, accents, capitals or spaces alone."""
    return all(_letters(a) == _letters(b) for a, b in zip(one.said, other.said, strict=True))


def _letters(text: str | None) -> str:
    return "".join(filter(str.isalnum, folded(text or "")))


def _difference(one: Words, other: Words) -> str:
    """The first words in which two wordings differ."""
    pairs = [(a or "", b or "") for a, b in zip(one.said, other.said, strict=True) if a != b]
    before, after = pairs[0]
    at = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    start = max(0, at - 20)
    return f"{before[start : at + 30]!r} became {after[start : at + 30]!r}"
