"""Planalto: compiled pages of federal norms, each provision with its earlier wordings and the acts that made them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise

from graph.amendments import NotUnderstood, OperationKind
from graph.civil import Counting, When
from graph.entities import (
    Coverage,
    Document,
    Event,
    Provision,
    Record,
    Relation,
    RelationKind,
    Situation,
    Source,
    Text,
    Wording,
)
from graph.errors import BadRecord
from graph.urn import Fragmento, Name, Versao
from graph.wording.folding import folded
from graph.wording.marks import is_repealed, is_vetoed
from graph.wording.numerals import from_roman
from loaders.amendments import read_amendments
from loaders.articulated.lines import MAX_MIB, lines_of_html
from loaders.articulated.notes import ACT, ActName, NoteKind, act_of, day_of
from loaders.articulated.notes import Note as PageNote
from loaders.articulated.reading import name_of_title
from loaders.articulated.tree import Occurrence, StructuredText, structure_lines
from loaders.codes import Code, RefusalCode
from loaders.commencement import (
    ClauseWording,
    Commencement,
    read_changed_clause,
    read_commencement,
    starts_on_publication,
    stated_day,
    states_publication,
)
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.xml import bounded
from ontology.iris import hashed_iri

# The history of each provision of a compiled page: its wordings in order, and the act that made each.
#
# The page orders the wordings of a provision from oldest to newest. Notes name the act of each. Strikes repeat the
# notes, and are sometimes missing. Changes of a provisional measure that its conversion did not keep are reversed
# without a note (Constitution, art. 62, §§ 3, 11 and 12; rules F6 and F7 of docs/explanation/time.md).


_DAY = timedelta(days=1)
_ANCHOR = re.compile(r"art(?P<article>[0-9]+)[^§]*?(?:§(?P<paragraph>[0-9]+))?(?P<rest>[a-z]*)[.0-9]*$", re.ASCII)
_ROMAN = re.compile(r"[ivxlc]{2,}", re.ASCII)
_MAKES = {
    NoteKind.WORDING: "wording",
    NoteKind.INSERTION: "insertion",
    NoteKind.RENUMBERING: "renumbering",
    NoteKind.VETO_OVERTURNED: "veto-overturned",
    NoteKind.RESTORATION: "restoration",
}
_REVOKES = re.compile(r"\brevog\w+", re.ASCII)
_PROVISIONAL = "medida.provisoria"
#: The maximum number of wordings between a restored one and its first occurrence.
_MOST_STEPS = 40
#: A provisional measure loses its force after 60 days, not counting recesses; the term may be extended once
#: (Constitution, art. 62, §§ 3, 4 and 7). Its bill waits for sanction at most 15 working days. All these terms end
#: within the following year.
_YEARS_OF_A_MEASURE = 1
#: The year of EC 32/2001: a provisional measure issued before it no longer lapses.
_SINCE_LAPSES = 2001


@dataclass(frozen=True, slots=True)
class Change:
    """The change that made a wording.

    Attributes:
        kind: ``original``, ``wording``, ``insertion``, ``renumbering``, ``veto-overturned``, ``restoration``,
            ``return`` (without a note, after a provisional measure lapsed) or ``unknown``.
        act: None if the page does not name it.
        inherited: whether a note of the provision's container names the act.
        promulgated: of an overturned veto, the day that a note states; None if none does.
    """

    kind: str
    act: ActName | None = None
    inherited: bool = False
    promulgated: date | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a provision: ``repeal``, ``renumbering``, ``fall`` (of a provisional measure) or ``unknown``."""

    kind: str
    act: ActName | None
    when: When


@dataclass(frozen=True, slots=True)
class Step:
    """One wording of a provision.

    Attributes:
        placed: its occurrence in the page.
        change: the change that made it.
        when: the day of the act, as far as it is known.
        vetoed: whether its text only states the veto.
        endings: the endings of the provision after it, without another wording; several if one was repeated.
        repeats: the index, in the history, of the wording that it repeats; None if it is not a restored wording.
        unstruck: whether the page prints it as current, although a later wording or an ending follows.
    """

    placed: Occurrence
    change: Change
    when: When
    vetoed: bool = False
    endings: tuple[Ending, ...] = ()
    repeats: int | None = None
    unstruck: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """The wordings of one provision, oldest first."""

    fragment: str
    within: str | None
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Findings:
    """The findings on a page, by kind: pairs of a fragment and what was found.

    Attributes:
        later: notes on another day of effect, a suspension or a decision of unconstitutionality.
        unread: notes that name an act without a change.
    """

    disagreements: list[tuple[str, str]] = field(default_factory=list)
    anchors: list[tuple[str, str]] = field(default_factory=list)
    unnamed: list[tuple[str, str]] = field(default_factory=list)
    later: list[tuple[str, PageNote]] = field(default_factory=list)
    unread: list[tuple[str, PageNote]] = field(default_factory=list)
    unstruck: list[tuple[str, str]] = field(default_factory=list)
    conversions: dict[ActName, ActName] = field(default_factory=dict)


def histories(text: StructuredText, signed: date, days: Mapping[ActName, date]) -> tuple[list[History], Findings]:
    """Return the history of each provision of a page, in the order of the page, and the findings on the page.

    Args:
        signed: the day of the norm's signature.
        days: the days of acts that the page itself names in full.
    """
    reading = _Reading(text, signed, days)
    found_of = list(reading.all())
    reading.findings.conversions = reading.conversions
    return found_of, reading.findings


class _Reading:
    def __init__(self, text: StructuredText, signed: date, days: Mapping[ActName, date]) -> None:
        self.findings = Findings()
        self._signed = signed
        self._strikes = any(provision.struck for provision in text.provisions)
        self._days = days
        self._order = {id(placed): index for index, placed in enumerate(text.provisions)}
        self._caputs = {
            id(placed): after
            for placed, after in pairwise(text.provisions)
            if placed.prefix == "art" and after.prefix == "cpt"
        }
        #: The caputs before a paragraph of their article.
        self._before_paragraph = {
            id(placed)
            for placed, after in pairwise(text.provisions)
            if placed.prefix == "cpt" and placed.within == after.within
        }
        #: The articles of which a paragraph is left, even if their caput is revoked.
        self._with_paragraphs = set(_articles_with_paragraphs(text.provisions))
        self._times: dict[str, list[Occurrence]] = {}
        for occurrence in text.provisions:
            self._times.setdefault(occurrence.id, []).append(occurrence)
            for anchor in occurrence.anchors if not occurrence.quoted and occurrence.prefix != "cpt" else ():
                if anchor_disagrees(anchor, occurrence.id):
                    self.findings.anchors.append((occurrence.id, anchor))
        self._made: dict[int, Change] = {}
        self.conversions = dict(self._conversions(text))
        self._renumbered = dict(self._renumberings(text.provisions))
        self._within: dict[int, Occurrence] = {}
        #: The last occurrence of each provision that only states its repeal, after an earlier wording.
        self._repeal_marks: dict[str, Occurrence] = {}
        latest: dict[str, Occurrence] = {}
        for occurrence in text.provisions:
            if occurrence.within is not None and occurrence.within in latest:
                self._within[id(occurrence)] = latest[occurrence.within]
            if occurrence.id in latest and self._is_repeal_mark(occurrence):
                self._repeal_marks[occurrence.id] = occurrence
            else:
                latest[occurrence.id] = occurrence

    def all(self) -> Iterator[History]:
        for fragment, times in self._times.items():
            yield History(fragment, times[0].within, tuple(self._steps(fragment, times)))

    # Notes

    def _notes(self, occurrence: Occurrence) -> Sequence[PageNote]:
        """Return the notes of an occurrence; for an article, those of its caput, which is on the same line."""
        if occurrence.prefix == "art":
            caput = self._caputs.get(id(occurrence))
            return caput.notes if caput is not None else occurrence.notes
        return occurrence.notes

    def _is_repeal_mark(self, occurrence: Occurrence) -> bool:
        """Return whether an occurrence only states its repeal in a note, such as "Art. 5º (Revogado pela ...)"."""
        words = self._caputs.get(id(occurrence), occurrence).text or ""
        is_empty = is_repealed(words) or not any(map(str.isalnum, words))
        is_empty = is_empty and (occurrence.heading is None or occurrence.prefix == "art")
        repealed = any(note.kind is NoteKind.REPEAL for note in self._notes(occurrence))
        return is_empty and repealed and not occurrence.quoted

    def _is_vetoed(self, occurrence: Occurrence) -> bool:
        """Return whether an occurrence only states its veto; of an article, whether it is only a vetoed caput."""
        caput = self._caputs.get(id(occurrence))
        words = occurrence if caput is None else caput
        return is_vetoed(words.text) and (caput is None or id(caput) not in self._before_paragraph)

    @staticmethod
    def _renumberings(provisions: Sequence[Occurrence]) -> Iterator[tuple[str, ActName | None]]:
        """Yield the provisions that have another number now, according to a note elsewhere, with the act of the
        renumbering."""
        for provision in provisions:
            for note in provision.notes:
                if note.kind is NoteKind.RENUMBERING and provision.within is not None:
                    plain = folded(note.text)
                    if provision.prefix == "par" and ("paragrafo unico" in plain or "§ unico" in plain):
                        yield f"{provision.within}_par1u", note.act
                    old = re.search(r"d[oe] (?:§ ?|paragrafo )([0-9]{1,3})", plain)
                    if old is not None:
                        yield f"{provision.within}_par{int(old[1])}", note.act

    @staticmethod
    def _conversions(text: StructuredText) -> Iterator[tuple[ActName, ActName]]:
        """Return the conversions of provisional measures into laws, from the notes after their wordings."""
        for provision in text.provisions:
            measure = next((n.act for n in provision.notes if n.act is not None and n.act.kind == _PROVISIONAL), None)
            law = next((n.act for n in provision.notes if n.kind is NoteKind.CONVERSION), None)
            if measure is not None and law is not None and law.kind != _PROVISIONAL:
                yield measure, law

    # Steps

    def _steps(self, fragment: str, times: Sequence[Occurrence]) -> Iterator[Step]:
        steps: list[Step] = []
        for index, occurrence in enumerate(times):
            for note in self._notes(occurrence):
                self._record_note(fragment, occurrence, note)
            is_last = index + 1 == len(times)
            words = folded((self._caputs.get(id(occurrence), occurrence) if is_last else occurrence).text or "")
            ending = self._ending(occurrence, words)
            if is_last and fragment in self._with_paragraphs:  # a note on the repeal concerns its caput only
                words, ending = "", None
                if steps and self._is_repeal_mark(occurrence):
                    break
            if ending is not None and steps and self._is_repeal_mark(occurrence):
                steps[-1] = self._with_ending(steps[-1], ending)
                continue
            change, repeats = self._change(fragment, times, index, steps)
            self._made[id(occurrence)] = change
            if ending is not None and is_repealed(words) and steps and change.kind != "original":
                steps[-1] = self._with_ending(steps[-1], ending)
                continue
            vetoed = self._is_vetoed(occurrence)
            endings = (ending,) if ending is not None else ()
            over = self._strikes and (not is_last or bool(endings))
            unstruck = over and not occurrence.struck and not vetoed and occurrence.prefix not in {"art", "assinatura"}
            unstruck = unstruck and any(map(str.isalnum, words)) and not is_repealed(words)
            if unstruck:
                self.findings.unstruck.append((fragment, (occurrence.text or "")[:60]))
            steps.append(
                Step(occurrence, change, self._when_changed(change, steps), vetoed, endings, repeats, unstruck)
            )
        yield from self._narrow_bounds(self._with_final_ending(fragment, times, steps))

    @staticmethod
    def _with_ending(step: Step, ending: Ending) -> Step:
        return replace(step, endings=(*step.endings, ending))

    def _record_note(self, fragment: str, occurrence: Occurrence, note: PageNote) -> None:
        """Record the content of a note besides the act of the wording."""
        if occurrence.prefix == "art":
            return
        if note.disagrees:
            self.findings.disagreements.append((fragment, f"{note.text} -> {note.href}"))
        if note.kind in {NoteKind.LATER_EFFECT, NoteKind.SUSPENSION, NoteKind.UNCONSTITUTIONAL}:
            self.findings.later.append((fragment, note))
        elif note.kind in {NoteKind.OTHER, NoteKind.SEE, NoteKind.VETO} or (
            note.kind is NoteKind.VETO_OVERTURNED and is_vetoed(occurrence.text)
        ):
            self.findings.unread.append((fragment, note))
        elif note.act is None or note.act.year is None:
            self.findings.unnamed.append((fragment, note.text))

    def _change(
        self, fragment: str, times: Sequence[Occurrence], index: int, steps: Sequence[Step]
    ) -> tuple[Change, int | None]:
        """Return the change that made an occurrence, and the earlier occurrence that it repeats."""
        occurrence = times[index]
        if occurrence.quoted:
            return Change("original"), None
        vetoed = self._is_vetoed(occurrence)
        notes = [note for note in self._notes(occurrence) if note.kind in _MAKES]
        overturning = [note for note in notes if note.kind is NoteKind.VETO_OVERTURNED and not vetoed]
        made = [note for note in notes if note.kind is not NoteKind.VETO_OVERTURNED]
        act = made[-1].act if made else None
        before = steps[-1].change.act if steps and steps[-1].vetoed and not vetoed else None
        if overturning or (act is not None and before is not None and act.agrees(before)):
            stated = (day_of(ACT.sub(" ", note.text)) for note in overturning)
            return Change("veto-overturned", act, promulgated=next(filter(None, stated), None)), None
        if made:
            note = made[-1]
            again = self._repeated_wording(occurrence, steps)
            if again is not None and steps[again].change.act == note.act:
                return Change("return", self._act_of_ending(steps, again)), again
            return Change(_MAKES[note.kind], note.act), None
        back = self._repeated_wording(occurrence, steps)
        if back is not None:
            return Change("return", self._act_of_ending(steps, back)), back
        return self._change_without_note(fragment, times, index), None

    @staticmethod
    def _act_of_ending(steps: Sequence[Step], index: int) -> ActName | None:
        """Return the act that ended a wording which was restored later.

        It is the act of the next wording; without a next wording, the act of the last ending.
        """
        ended = [ending.act for ending in steps[index].endings]
        return steps[index + 1].change.act if index + 1 < len(steps) else ended[-1] if ended else None

    def _change_without_note(self, fragment: str, times: Sequence[Occurrence], index: int) -> Change:
        """Return the change that made an occurrence, which has no note and repeats no earlier wording."""
        occurrence = times[index]
        holder = self._within.get(id(occurrence))
        above = self._made.get(id(holder)) if holder is not None and not holder.id.startswith("anx") else None
        if index == 0:
            inherits = occurrence.prefix != "art" or self._has_letter_suffix(
                occurrence
            )  # an original article may be in a chapter inserted later
            if above is not None and above.kind in {"insertion", "veto-overturned"} and inherits:
                return replace(above, inherited=True)
            if self._has_letter_suffix(occurrence) and (above is None or above.kind == "original"):
                self.findings.unnamed.append((fragment, f"{occurrence.label} has no note"))
                return Change("unknown")
            return Change("original")
        if self._is_vetoed(times[index - 1]):
            return Change("veto-overturned")
        if occurrence.prefix == "art":
            return Change("unknown")
        if (
            above is not None
            and above.act is not None
            and self._follows_container_change(occurrence, times[index - 1], holder)
        ):
            return Change("wording", above.act, inherited=True)
        self.findings.unnamed.append((fragment, f"line {occurrence.line}: a later wording has no note"))
        return Change("unknown")

    def _follows_container_change(self, occurrence: Occurrence, before: Occurrence, holder: Occurrence | None) -> bool:
        """Return whether the container of an occurrence was rewritten between the occurrence before and this one."""
        return holder is not None and self._order[id(before)] < self._order[id(holder)] < self._order[id(occurrence)]

    @staticmethod
    def _has_letter_suffix(occurrence: Occurrence) -> bool:
        return "-" in occurrence.id.rpartition("_")[2] and occurrence.prefix not in {"alt", "omi"}

    @staticmethod
    def _repeated_wording(occurrence: Occurrence, steps: Sequence[Step]) -> int | None:
        """Return the earlier wording that an occurrence repeats, if a provisional measure is between the two."""
        if not steps:
            return None
        plain = _comparable_text(occurrence)
        between = False
        for index in range(len(steps) - 1, max(-1, len(steps) - _MOST_STEPS), -1):
            step = steps[index]
            if between and _comparable_text(step.placed) == plain:
                return index
            ended = [ending.act for ending in step.endings if ending.act is not None]
            if ended and ended[-1].kind == _PROVISIONAL and _comparable_text(step.placed) == plain:
                return index
            act = step.change.act
            between = between or (act is not None and act.kind == _PROVISIONAL)
            if act is not None and act.kind != _PROVISIONAL:
                return None
        return None

    # Days

    def _day(self, act: ActName | None) -> When | None:
        if act is None:
            return None
        day = act.day or self._days.get(ActName(act.kind, act.number, act.year))
        if day is not None:
            return When.on(day)
        if act.year is None:
            return None
        year = When.in_year(act.year)
        after = self._signed + _DAY  # an act that changes the norm is later than the norm
        return When(max(year.first, after), year.last) if year.certain_on(after) is False else year

    def _when_changed(self, change: Change, steps: Sequence[Step]) -> When:
        if change.kind == "original":
            return When.on(self._signed)
        if change.kind == "return":
            return self._when_lapsed(change.act)
        if change.promulgated is not None:
            return When.on(change.promulgated)
        when = self._day(change.act)
        if change.kind == "veto-overturned" and when is not None:
            when = When.not_before(when.first)  # a note has the year of the vetoed act, not of the promulgation
        if when is None:
            return When.not_before(steps[-1].when.first if steps else self._signed)
        return when

    def _when_lapsed(self, act: ActName | None) -> When:
        """Return the bounds of the day on which a provisional measure lost its force."""
        since = self._day(act)
        if since is None or since.last is None:
            return When.not_before(self._signed)
        if act is not None and (act.kind != _PROVISIONAL or since.last.year < _SINCE_LAPSES):
            return When.not_before(since.first)
        law = self._day(self.conversions.get(act)) if act is not None else None
        if law is not None and law.last is not None:
            return When(max(since.first + _DAY, law.first), law.last)
        return When(since.first + _DAY, date(since.last.year + _YEARS_OF_A_MEASURE, 12, 31))

    def _ending(self, occurrence: Occurrence, words: str) -> Ending | None:
        for note in self._notes(occurrence):
            repeals = note.kind is NoteKind.REPEAL
            states_repeal = is_repealed(words) and note.kind in {NoteKind.WORDING, NoteKind.INSERTION}
            if repeals or states_repeal:
                when = self._day(note.act)
                return Ending("repeal", note.act, when or When.not_before(self._signed))
        if is_repealed(words):
            return Ending("repeal", None, When.not_before(self._signed))
        return None

    def _with_final_ending(self, fragment: str, times: Sequence[Occurrence], steps: list[Step]) -> list[Step]:
        """Return the steps, with the ending of a provision whose last wording is struck without a note."""
        last = times[-1]
        if not steps or steps[-1].placed is not last or not last.struck or steps[-1].endings:
            return steps
        step = steps[-1]
        act = step.change.act
        if last.prefix in {"alt", "omi", "assinatura"} or last.quoted or fragment in self._with_paragraphs:
            return steps
        if fragment in self._renumbered:
            by = self._renumbered[fragment]
            ending = Ending("renumbering", by, self._day(by) or When.not_before(step.when.first))
        elif act is not None and act.kind == _PROVISIONAL and (act.year or 0) >= _SINCE_LAPSES:
            ending = Ending("fall", act, self._when_lapsed(act))
        else:
            holder = self._within.get(id(last))
            above = self._ending_of_container(holder)
            if above is not None:
                ending = above
            else:
                self.findings.unnamed.append((fragment, f"line {last.line}: struck, and no note says by which act"))
                ending = Ending("unknown", None, When.not_before(step.when.first))
        return [*steps[:-1], self._with_ending(step, ending)]

    def _ending_of_container(self, holder: Occurrence | None) -> Ending | None:
        """Return the ending that the nearest container states in a note or its text; None if none does."""
        for _ in range(12):
            if holder is None:
                return None
            within = self._within.get(id(holder))
            holder = self._repeal_marks.get(holder.id, holder)
            ending = self._ending(holder, folded(holder.text or ""))
            if ending is not None:
                return ending
            if holder.prefix == "art":
                caput = self._caputs.get(id(holder))
                ending = self._ending(caput, folded(caput.text or "")) if caput is not None else None
                if ending is not None:
                    return ending
            holder = within
        return None

    @staticmethod
    def _narrow_bounds(steps: Sequence[Step]) -> list[Step]:
        """Return the steps with bounds from the order of the wordings: each is later than the one before it.

        The bounds of an ending begin after the last possible first day of the wording that it ended. Before that day
        the wording itself is not certain. If both have the same last day, :meth:`When.after` states their order.
        """
        latest: date | None = None
        bounds: list[tuple[When, list[When]]] = []
        for step in reversed(steps):
            ends: list[When] = []
            for ending in reversed(step.endings):
                when = _limit_latest(ending.when, latest)
                latest = _latest_before(when, latest)
                ends.append(when)
            open_end = ends[-1].last if ends and ends[-1].exact is None else None
            when = _limit_latest(step.when, open_end or latest)
            latest = _latest_before(when, latest)
            bounds.append((when, ends[::-1]))
        earliest: date | None = None
        narrowed: list[Step] = []
        for step, (until, ends) in zip(steps, reversed(bounds), strict=True):
            when = _limit_earliest(until, earliest) or step.when
            behind = (when.first if when.exact is not None or when.last is None else when.last) + _DAY
            fixed = [_limit_earliest(end, behind) or _limit_earliest(end, behind - _DAY) or None for end in ends]
            endings = tuple(
                replace(ending, when=_shown(when, end, limited) or ending.when)
                for ending, end, limited in zip(step.endings, ends, fixed, strict=True)
            )
            latest_end = (fixed[-1] or endings[-1].when) if endings else when
            earliest = When.after(latest_end, None).first
            narrowed.append(replace(step, when=when, endings=endings))
        return narrowed


def _articles_with_paragraphs(provisions: Sequence[Occurrence]) -> Iterator[str]:
    """Yield the articles with a paragraph that the page prints as current: not struck, revoked or vetoed."""
    last = {provision.id: provision for provision in provisions if not provision.quoted}
    for occurrence in last.values():
        ended = occurrence.struck or any(note.kind is NoteKind.REPEAL for note in occurrence.notes)
        ended = ended or is_repealed(occurrence.text) or is_vetoed(occurrence.text)
        if occurrence.prefix == "par" and occurrence.within is not None and not ended:
            yield occurrence.within


def anchor_disagrees(anchor: str, fragment: str) -> bool:
    """Return whether an anchor names another article, paragraph or item than the one it marks.

    An anchor may omit the container of the provision, and ends in points and zeros for later wordings.

    >>> anchor_disagrees("art4iib0", "art4_cpt_inc2_ali2"), anchor_disagrees("art4iv§2.", "art4_par2")
    (False, False)
    >>> anchor_disagrees("art66", "art27"), anchor_disagrees("art4iv§4", "art4_par2")
    (True, True)
    """
    match = _ANCHOR.match(anchor.casefold())
    if match is None or not fragment.startswith("art"):
        return False
    steps = fragment.split("_")
    if not _same_number(match["article"], steps[0].removeprefix("art").partition("-")[0]):
        return True
    paragraph = next((step.removeprefix("par") for step in steps if step.startswith("par")), None)
    number = "1" if paragraph == "1u" else paragraph.partition("-")[0] if paragraph is not None else None
    if number is not None and match["paragraph"] is not None and not _same_number(match["paragraph"], number):
        return True
    last = steps[-1].removeprefix("inc")
    if last != steps[-1] and last.isdecimal() and _ROMAN.fullmatch(match["rest"]) is not None:
        return from_roman(match["rest"]) != int(last)
    return False


def _same_number(digits: str, number: str) -> bool:
    """Return whether digits are a number, perhaps with a trailing zero for a later wording."""
    return digits in {number, f"{number}0"}


def _limit_latest(when: When, latest: date | None) -> When:
    """Return the bounds, limited by the latest day that the following wordings allow."""
    if latest is None or when.exact is not None or latest < when.first:
        return when
    return When(when.first, latest if when.last is None else min(when.last, latest))


def _latest_before(when: When, latest: date | None) -> date | None:
    """Return the latest day that the preceding wordings may have."""
    last = when.last
    return last - _DAY if last is not None else latest


def _limit_earliest(when: When, earliest: date | None) -> When | None:
    """Return the bounds, limited by the earliest day that the preceding wordings allow; None if none is left."""
    if earliest is None or when.exact is not None or when.first >= earliest:
        return when
    return When(earliest, when.last) if when.last is None or earliest <= when.last else None


def _shown(wording: When, end: When, fixed: When | None) -> When | None:
    """Return the bounds of an ending: if its wording has the same last day, by :meth:`When.after`; else ``fixed``.

    Args:
        wording, end: the bounds of both.
        fixed: the bounds of the ending after those of the wording, or on their last day; None if there are none.
    """
    after = When.after(wording, end.last)
    is_same_end = wording.exact is None and wording.last is not None and wording.last == end.last
    return after if is_same_end and end.last is not None and end.first <= after.first <= end.last else fixed


def _comparable_text(occurrence: Occurrence) -> str:
    """Return the text of an occurrence without parts that editors change: white space, and the signs at its end."""
    return re.sub(r"[\s.;:,]+", " ", (occurrence.text or "").casefold()).strip().removesuffix(" e").removesuffix(" ou")


# Compiled pages of Planalto: one record with the history of every provision, from the bytes of a page.
#
# The days of the wordings are those of the acts, if notes, links or the text state them. A note with only a year leaves
# bounds, so that answers between them are unknown. They are not days of entry into force.


KIND = "planalto"
LOADER = "planalto/7"

_EXPECTED = "a page of a norm of Planalto, whose title spells its type, number and day"
_EXAMPLES = 5
#: The maximum number of notes of one kind that are reported individually.
_MOST_EACH = 40
_OPEN = "inicio.vigencia"
_ARTICLE_ANCHOR = re.compile(r"art([0-9]{1,4})\.*", re.ASCII)
#: The event of each ending other than a repeal.
_ENDINGS = {"fall": "caducidade", "renumbering": "renumeracao"}
#: Lines of a page that surround the norm's text and are not part of it.
_FURNITURE = frozenset(
    {"presidencia da republica", "secretaria-geral", "casa civil", "subchefia para assuntos juridicos", "*", ""}
    | {"secretaria especial para assuntos juridicos", "gabinete do ministro", "secretaria geral", "imprensa nacional"}
)


class PageCode(Code):
    """Notes on a compiled page."""

    NOT_CLOSED = "not-closed", "a page without its closing `</html>`: it may be incomplete"
    NOT_PLACED = "not-placed", "a line of a page or text that belongs to no provision; left out (`dropped`)"
    ACT_DISAGREES = "act-disagrees", "a note and its link name different acts; the note is used"
    ANCHOR_DISAGREES = (
        "anchor-disagrees",
        "an anchor and a label that name different provisions; the label is used",
    )
    ACT_NOT_NAMED = (
        "act-not-named",
        "a wording or revocation for which the page names no act, or not the year of the act",
    )
    LATER_EFFECT = "later-effect", "a note about another day of effect, which only the named act states"
    ANNOTATION = "annotation", "a note that refers to another act but states no change; left out"
    UNSTRUCK = "unstruck", "an earlier wording that is not struck through; the order of the page is used"
    COMMENCEMENT_CHANGED = (
        "commencement-changed",
        "a clause of commencement that was changed later; only its days for single articles are read",
    )
    START_NOT_APPLIED = (
        "start-not-applied",
        "a provision with its own day of entry into force that was changed before that day, or does not exist",
    )
    REPEALED_RANGE = (
        "repealed-range",
        "a provision that revokes a range of provisions of another norm: those with letters in their number do not end",
    )
    REPEAL_NOT_READ = "repeal-not-read", "a provision that revokes something in words that are not understood"


def read_page(document: SourceDocument) -> Iterator[Outcome]:
    """Yield the one record of a page, after its notes; or its refusal."""
    try:
        raw = document.whole(MAX_MIB)
        page = _Page(structure_lines(lines_of_html(raw)), document.label)
        record = page.record(sha256(raw).hexdigest())
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)
        return
    if _is_cut(raw):
        end = " ".join(raw[-_END:].decode("latin-1").split())
        yield Note(
            PageCode.NOT_CLOSED,
            f"expected </html> at the end, got {end!r}: the page may be incomplete",
            document.label,
            "end",
        )
    yield from page.notes
    yield record


#: How many bytes of the end of a cut page a note shows.
_END = 60


def _is_cut(raw: bytes) -> bool:
    """Return whether an HTML page has its opening tag and not its closing one.

    >>> _is_cut(b"<html><body>Art. 1"), _is_cut(b"<HTML><p>Art. 1</HTML>"), _is_cut(b"<p>Art. 1")
    (True, False, False)
    """
    page = raw.lower()
    return b"<html" in page and b"</html" not in page


@dataclass(slots=True)
class _Page:
    """The state of making a record from a page."""

    text: StructuredText
    label: str
    notes: list[Note] = field(default_factory=list)

    def record(self, digest: str) -> Record:
        work = name_of_title(self.text)
        signed = work.representative_date if work is not None else None
        if work is None or signed is None:
            title = self.text.first("epigrafe")
            actual = "no title" if title is None else f"the title {(title.text or '')[:80]!r}"
            raise BadRecord(
                RefusalCode.NO_DOCUMENT, f"the page has {actual}, which names no norm with its day", _EXPECTED
            )
        if not any(provision.prefix == "art" for provision in self.text.provisions):
            raise BadRecord(RefusalCode.NO_DOCUMENT, "the page has no article", _EXPECTED)
        all_, findings = histories(self.text, signed, self._days())
        self._note_findings(work, findings)
        starts, stayed = self._commencement_clauses(work, all_)
        makers = _Makers(work, signed, findings.conversions, self._parts(work, starts, all_) if stayed else {})
        provisions = [makers.provision(history, index) for index, history in enumerate(all_, 1)]
        complete = not any(step.change.kind == "wording" for history in all_ for step in history.steps[:1])
        versions, counted = self._versions(work, signed, _clause_on_whole_norm(starts) if stayed else None)
        commencements = () if stayed else self._changed_clause(work, all_)
        repeals = tuple(self._repeals(work, signed, all_, starts if stayed else ()))
        source = Source(hashed_iri(KIND, work.canonical), KIND, digest, LOADER, origin=self.label, wording_dates=True)
        return Record(
            source,
            self._document(work, all_, findings),
            events=tuple(
                dict.fromkeys(
                    (
                        *makers.events,
                        *makers.endings_of_norm(self.text.notes),
                        *makers.announced_starts(findings.later),
                        *commencements,
                        *repeals,
                    )
                )
            ),
            versions=versions,
            counted=counted,
            provisions=tuple(provision for provision in provisions if provision.wordings),
            coverage=Coverage.HISTORY if complete else Coverage.PARTS,
        )

    def _days(self) -> dict[ActName, date]:
        """Return the days of acts that the page states in full, in text or notes; an act with two days has none."""
        days: dict[ActName, set[date]] = {}
        for provision in self.text.provisions:
            texts = [*provision.paragraphs, *(note.text for note in provision.notes)]
            for text in texts:
                for match in ACT.finditer(text):
                    act = act_of(match[0]) if match["day"] is not None and not match["day"].isdecimal() else None
                    if act is not None and act.day is not None:
                        days.setdefault(ActName(act.kind, act.number, act.day.year), set()).add(act.day)
        return {act: act_days.pop() for act, act_days in days.items() if len(act_days) == 1}

    def _document(self, work: Name, all_: Sequence[History], findings: Findings) -> Document:
        texts = {history.fragment: [step.placed.text for step in history.steps] for history in all_}
        epigraphs = [text for text in texts.get("epigrafe", ())[:1] if text]
        summaries = [text for text in texts.get("ementa", ())[-1:] if text]
        return Document(
            work,
            epigraphs=tuple(Text(" ".join(text.split())) for text in epigraphs),
            summaries=tuple(Text(text) for text in summaries),
            relations=tuple(dict.fromkeys((*self._converted_measure(work), *_related(work, findings.unread)))),
        )

    def _converted_measure(self, work: Name) -> Iterator[Relation]:
        """Return the provisional measure converted into a law, from a note beside its title."""
        for note in self.text.notes:
            name = note.act.name if note.act is not None else None
            if note.kind is NoteKind.CONVERSION and name is not None and _is_measure(name) and not _is_measure(work):
                yield Relation(RelationKind.SUCESSOR_LOGICO_DE, name)

    def _commencement_clauses(self, work: Name, all_: Sequence[History]) -> tuple[Sequence[Commencement], bool]:
        """Return the commencement clauses, and whether they are unchanged."""
        if self.text.published is None:
            return (), False
        own = {history.fragment: history for history in all_ if history.steps and not history.steps[0].placed.quoted}
        texts = {key: history.steps[0].placed.text or "" for key, history in own.items()}
        starts = read_commencement(texts, self.text.published)
        stayed = all(len(own[start.fragment].steps) == 1 for start in starts)
        if starts and not stayed:
            clauses = [(start.fragment, start.clause[:80]) for start in starts]
            self._note(PageCode.COMMENCEMENT_CHANGED, work, clauses, dropped=False)
        return starts, stayed

    def _changed_clause(self, work: Name, all_: Sequence[History]) -> Sequence[Event]:
        """Return the events of a clause of commencement that was changed later: the starts of single articles, and the
        changes whose effect is not read."""
        published = self.text.published
        if published is None:
            return ()
        own = [history for history in all_ if history.steps and not history.steps[0].placed.quoted]
        clause_change = read_changed_clause(
            work, (clause_wording for history in own for clause_wording in _clause_wordings(history)), published
        )
        if clause_change is None:
            return ()
        fragments = {history.fragment for history in own}
        missing = {
            (fragment, str(event.effect))
            for event in clause_change.starts
            if (fragment := event.target.canonical.partition("!")[2]) not in fragments
        }
        if missing:
            self._note(PageCode.START_NOT_APPLIED, work, sorted(missing), dropped=False)
        return clause_change.events

    def _repeals(
        self, work: Name, signed: date, all_: Sequence[History], starts: Sequence[Commencement]
    ) -> Iterator[Event]:
        """Yield the revocations of other norms, and of their provisions, that the current wordings of the page order.

        The provision, or its container, may have had another wording before. As known before the current wording, the
        revocation then has no certain day. A revocation without a stated day begins with its article. If it begins on
        the day of publication, as the norm does, and the page does not state that day, it begins with the norm.

        Args:
            starts: the clauses of commencement, if they are unchanged.
        """
        days = {part: When.on(start.day) for start in starts for part in start.parts or ()}
        current = {
            history.fragment: history.steps[-1] for history in all_ if history.steps and _is_current(history.steps[-1])
        }
        placed = {id(step.placed) for step in current.values()}
        text = replace(
            self.text, provisions=[provision for provision in self.text.provisions if id(provision) in placed]
        )
        since = self.text.published or signed
        histories_of = {history.fragment: history for history in all_}
        on_publication = self.text.published is None and _starts_on_publication(all_)
        read = read_amendments(text, work)
        lines = {provision.line for provision in text.provisions if not provision.quoted}
        ranges: dict[tuple[str, str], None] = {}
        for operation in read.operations:
            source, target = operation.source, operation.target
            if operation.kind is not OperationKind.REPEAL or source is None or operation.line not in lines:
                continue
            if operation.refused is not None or target.representative_date is None or target.work == work:
                continue
            chain = [histories_of[key] for key in _with_containers(source) if key in current]
            words = " ".join(current[history.fragment].placed.text or "" for history in chain)
            if operation.letters:
                ranges[source.canonical.partition("!")[2], current[chain[-1].fragment].placed.text or ""] = None
            day = stated_day(words, self.text.published) or days.get(chain[-1].fragment.partition("_")[0])
            if on_publication and states_publication(words):
                day = None
            cause = source if day is not None else work
            effect = When.not_before(since) if day is not None and day.exact is None else day
            latest = max(
                (history.steps[-1].when for history in chain), key=lambda when: (when.first, when.last or date.max)
            )
            changed = any(history.steps[-1].change.kind != "original" for history in chain)
            yield Event("revogacao", target, effect, latest if changed else When.on(since), cause)
            if changed:
                yield Event("revogacao", target, When.not_before(since), When.on(since), cause)
        left = [
            ("", unparsed_text.text)
            for unparsed_text in read.left
            if unparsed_text.code is NotUnderstood.FORMULA and _REVOKES.search(folded(unparsed_text.text)) is not None
        ]
        for code, examples in ((PageCode.REPEALED_RANGE, list(ranges)), (PageCode.REPEAL_NOT_READ, left)):
            if examples:
                self._note(code, work, [(where, text[:120]) for where, text in examples], dropped=False)

    def _parts(self, work: Name, starts: Sequence[Commencement], all_: Sequence[History]) -> Mapping[str, Versao]:
        """Return the version in which each provision named by a clause comes into force, by its identifier.

        A provision changed or ended before that day is left out: the source does not state what happened to the day.
        """
        published = self.text.published
        days = {part: start.day for start in starts for part in start.parts or ()}
        versions: dict[str, Versao] = {}
        left = [(part, str(day)) for part, day in days.items() if part not in {history.fragment for history in all_}]
        for history in all_:
            day = days.get(history.fragment.partition("_")[0])
            if day is None or published is None or not history.steps or history.steps[0].change.kind != "original":
                continue
            later = [step.when for step in history.steps[1:]]
            later += [ending.when for step in history.steps for ending in step.endings]
            if any(when.first < day for when in later):
                left.append((history.fragment, str(day)))
            else:
                versions[history.fragment] = Versao(datas=(day,), evento="publicacao", visao=(published,))
        if left:
            self._note(PageCode.START_NOT_APPLIED, work, left, dropped=False)
        return versions

    def _versions(
        self, work: Name, signed: date, commencement: Commencement | None
    ) -> tuple[tuple[tuple[Name, Name | None], ...], tuple[tuple[Name, Counting], ...]]:
        """Return the versions of the signed text and of its publication, and the terms that were counted."""
        published = self.text.published
        if published is None:
            return (), ()
        first = Versao(palavra=_OPEN, evento="assinatura", visao=(signed,))
        versions: list[tuple[Name, Name | None]] = [(work.with_versao(first), None)] if signed <= published else []
        counted: list[tuple[Name, Counting]] = []
        if commencement is not None:
            version = work.with_versao(Versao(datas=(commencement.day,), evento="publicacao", visao=(published,)))
            if commencement.term is not None:
                counted.append((version, Counting(commencement.term.number, commencement.term.unit, published)))
        else:
            version = work.with_versao(Versao(palavra=_OPEN, evento="publicacao", visao=(published,)))
        versions.append((version, None))
        return tuple(versions), tuple(counted)

    def _note_findings(self, work: Name, findings: Findings) -> None:
        lines = [
            (f"line {line}", text[:120])
            for line, text in self.text.not_placed
            if folded(text).strip(" .") not in _FURNITURE and not folded(text).startswith("este texto nao substitui")
        ]
        for code, examples, dropped in (
            (PageCode.NOT_PLACED, lines, True),
            (PageCode.ACT_DISAGREES, findings.disagreements, False),
            (PageCode.ANCHOR_DISAGREES, findings.anchors, False),
            (PageCode.ACT_NOT_NAMED, findings.unnamed, False),
            (PageCode.UNSTRUCK, findings.unstruck, False),
        ):
            if examples:
                self._note(code, work, examples, dropped=dropped)
        beside = [("", note) for note in self.text.notes]
        for code, notes in (
            (PageCode.LATER_EFFECT, findings.later),
            (PageCode.ANNOTATION, [*beside, *findings.unread]),
        ):
            self._add_notes(code, work, notes)

    def _add_notes(self, code: Code, work: Name, notes: Sequence[tuple[str, PageNote]]) -> None:
        """Add a note for each of the page's notes, with its provision; beyond the limit, one note for all others."""
        for fragment, note in notes[:_MOST_EACH]:
            target = work.with_fragmento(Fragmento((fragment,))) if fragment else work
            leads = f" ({note.href})" if note.href else ""
            self.notes.append(Note(code, f"{note.text}{leads}", self.label, fragment or "title", target.canonical))
        left = notes[_MOST_EACH:]
        if left:
            self._note(code, work, [(fragment, note.text) for fragment, note in left], dropped=False)

    def _note(self, code: Code, work: Name, passages: Sequence[tuple[str, str]], *, dropped: bool) -> None:
        shown = "; ".join(f"{where}: {text}" for where, text in passages[:_EXAMPLES])
        more = f"; and {len(passages) - _EXAMPLES} more" if len(passages) > _EXAMPLES else ""
        message = f"{shown}{more}"
        self.notes.append(Note(code, message, self.label, "document", work.canonical, len(passages), dropped))


def _related(work: Name, notes: Sequence[tuple[str, PageNote]]) -> Iterator[Relation]:
    """Return the acts that notes such as "Vide" and "Regulamento" name with a year."""
    for _, note in notes:
        name = note.act.name if note.kind is NoteKind.SEE and note.act is not None else None
        if name is not None and not name.is_reference and name != work:
            yield Relation(RelationKind.CORRELATO_A, name)


def _is_current(step: Step) -> bool:
    """Return whether the wording of a provision is the current one, by its page."""
    return not step.endings and not step.vetoed and not step.placed.quoted


def _starts_on_publication(all_: Sequence[History]) -> bool:
    """Return whether the norm is in force from its publication on, by a clause that was never changed."""
    texts: dict[str, str] = {}
    for history in all_:
        first = next(iter(history.steps), None)
        if first is None or first.placed.quoted:
            continue
        text = texts[history.fragment] = first.placed.text or ""
        if starts_on_publication({history.fragment: text}) and (len(history.steps) > 1 or first.endings):
            return False
    return starts_on_publication(texts)


def _with_containers(provision: Name) -> Iterator[str]:
    """Yield the identifier of a provision, after those of its containers in the article."""
    steps = provision.canonical.partition("!")[2].split("_")
    return ("_".join(steps[: level + 1]) for level in range(1, len(steps)))


def _clause_wordings(history: History) -> Iterator[ClauseWording]:
    """Yield the wordings of a provision, with the data that are needed to read a clause of commencement."""
    for step in history.steps:
        act = step.change.act.name if step.change.act is not None else None
        yield ClauseWording(
            history.fragment,
            step.placed.text or "",
            step.when,
            None if act is None or act.is_reference or step.repeats is not None else act,
            first=step.change.kind == "original",
            restored=step.repeats is not None or step.change.kind in {"return", "unknown"},
            ended=bool(step.endings),
        )


def _clause_on_whole_norm(starts: Sequence[Commencement]) -> Commencement | None:
    """Return the clause on the whole norm; None if only parts of it are dated."""
    on_whole_norm = [start for start in starts if start.parts is None]
    return on_whole_norm[0] if len(on_whole_norm) == 1 else None


def _is_measure(name: Name) -> bool:
    return name.tipo_documento[0] == "medida.provisoria"


@dataclass(slots=True)
class _Makers:
    """Makes provisions, their versions and events from histories."""

    work: Name
    signed: date
    conversions: Mapping[ActName, ActName]
    parts: Mapping[str, Versao]
    events: list[Event] = field(default_factory=list)

    def provision(self, history: History, order: int) -> Provision:
        """Return a provision with its wordings."""
        target = self.work.with_fragmento(Fragmento((history.fragment,)))
        versions: list[Name] = []
        wordings: dict[Name, Wording] = {}
        for index, step in enumerate(history.steps):
            if step.repeats is not None and step.repeats < len(versions):
                versions.append(versions[step.repeats])
                self._add_restored_wording(target, versions[-1], step)
            else:
                version = self._version(step, index, history.fragment)
                if version in wordings:  # two acts of one day: each has a version of its own
                    version = self.work.with_versao(Versao(palavra=_OPEN, evento=f"alteracao.{index}"))
                versions.append(version)
                wordings[version] = self._wording(version, step, index)
                if step.when.exact is None and not (step.vetoed and all(each.vetoed for each in history.steps[:index])):
                    self._within(target, version, step)
            for ending in step.endings:
                self._ending(target, ending)
        return Provision(history.fragment, history.within, order, tuple(wordings.values()))

    def endings_of_norm(self, notes: Sequence[PageNote]) -> Iterator[Event]:
        """Return the endings of the norm in notes beside the title: a repeal, or the conversion of a measure into
        law."""
        for note in notes:
            act = note.act
            cause = self._cause(act)
            if act is None or act.year is None or cause is None or _is_measure(cause):
                continue
            ended = note.kind is NoteKind.REPEAL
            if not ended and not (note.kind is NoteKind.CONVERSION and _is_measure(self.work)):
                continue
            when = When.on(act.day) if act.day is not None else When.in_year(act.year)
            yield Event("revogacao" if ended else "conversao", self.work, when, when, cause)

    def announced_starts(self, notes: Sequence[tuple[str, PageNote]]) -> Iterator[Event]:
        """Yield the entries into force that notes announce, each with the act or article that states the day."""
        for fragment, note in notes:
            if note.kind is not NoteKind.LATER_EFFECT or not fragment:
                continue
            _, hash_, anchor = (note.href or "").partition("#")
            article = _ARTICLE_ANCHOR.fullmatch(anchor.casefold())
            act = self._cause(note.act) if note.act is not None else self.work if note.href and hash_ else None
            if act is None or (note.act is None and not (note.href or "").startswith("#")):
                continue
            cause = act.with_fragmento(Fragmento((f"art{article[1]}",))) if article is not None else act
            target = self.work.with_fragmento(Fragmento((fragment,)))
            if cause not in {self.work, target}:
                yield Event("entrada.vigor", target, None, None, cause)

    def _wording(self, version: Name, step: Step, index: int) -> Wording:
        placed = step.placed
        overturned = step.change.kind == "veto-overturned" and step.change.act is not None
        inserts = index == 0 and (overturned or step.change.kind in {"insertion", "renumbering"})
        situation = Situation.VETADO if step.vetoed else Situation.OMISSIS if placed.omitted else None
        text = bounded(placed.text) if placed.text is not None else None
        cause = self._cause(step.change.act)
        return Wording(
            version,
            placed.label,
            placed.heading,
            text,
            None,
            situation,
            (),
            cause,
            inserts,
            unstruck=step.unstruck,
            inferred=step.change.inherited,
        )

    @staticmethod
    def _cause(act: ActName | None) -> Name | None:
        name = act.name if act is not None else None
        return None if name is None or name.is_reference else name

    def _version(self, step: Step, index: int, fragment: str) -> Name:
        """Return the version of a wording: of its day, or with its bounds."""
        day = step.when.exact
        if index == 0 and fragment in self.parts:
            return self.work.with_versao(self.parts[fragment])
        if step.change.kind == "original" and index == 0:
            return self.work.with_versao(Versao(datas=(self.signed,), evento="assinatura", visao=(self.signed,)))
        if day is not None:
            event = "alteracao" if step.change.promulgated is None else "derrubada.veto.parcial"
            return self.work.with_versao(Versao(datas=(day,), evento=event, visao=(day,)))
        if step.when.last is None:
            return self.work.with_versao(Versao(palavra=_OPEN, evento=f"alteracao.{index}"))
        view = (step.when.first, step.when.last)
        return self.work.with_versao(Versao(palavra=_OPEN, evento="alteracao", visao=view, visao_periodo=True))

    def _within(self, target: Name, version: Name, step: Step) -> None:
        """Add the event of a wording whose day is known within bounds."""
        wording = version.with_fragmento(target.fragmento)
        self.events.append(
            Event("redacao", target, step.when, step.when, self._cause(step.change.act), wording=wording)
        )

    def _add_restored_wording(self, target: Name, version: Name, step: Step) -> None:
        """Add the event that restores an earlier wording."""
        measure = step.change.act
        law = self.conversions.get(measure) if measure is not None else None
        wording = version.with_fragmento(target.fragmento)
        self.events.append(Event("restauracao", target, step.when, step.when, self._cause(law), wording=wording))

    def _ending(self, target: Name, ending: Ending) -> None:
        kind = _ENDINGS.get(ending.kind, "revogacao")
        act = self.conversions.get(ending.act) if ending.act and ending.kind == "fall" else ending.act
        self.events.append(Event(kind, target, ending.when, ending.when, self._cause(act)))


def _detect(head: Head) -> Match:
    if not head.is_markup:
        return Match.NONE
    raw = head.raw.lower()
    if b"<html" not in raw and b"<body" not in raw and b"<p" not in raw:
        return Match.NONE
    if b"planalto.gov.br" in raw or b"legislacao.nsf" in raw or b"/ccivil_03/" in raw:
        return Match.CERTAIN
    is_official = b"republicadobrasil" in raw or "presidência da república".encode("windows-1252") in raw
    return Match.LIKELY if is_official or "presidência da república".encode() in raw else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    return read_page(document)


PLANALTO = SourceFormat(
    name=KIND,
    title="a compiled page of Planalto (HTML) with the earlier wordings of a federal norm",
    recognised="HTML that names `planalto.gov.br` or *Presidência da República* near its beginning",
    documentation="""\
The page has the current text, earlier wordings struck through, and editorial notes. Save it as published. Each
provision gets all its wordings in the order of the page, whether struck through or not. Notes state which act made each
wording (`Redação dada`, `Incluído`, `Revogado`, `Renumerado`, `Promulgação partes vetadas`, `Convertida`). The loader
compares the words of a note with its link and its year, and reports a difference (`act-disagrees`). It compares anchors
with labels in the same way (`anchor-disagrees`). A provision that was renumbered ends with `renumeracao`. "Art. 5º
(Revogado pela ...)" revokes the caput of the article and its items. If the page prints a paragraph of the article as
current (not struck through, revoked or vetoed), this paragraph and the article stay in force, and answers on the
article have the notice `caput-ended`. Otherwise the whole article ends. `(Vigência)` becomes an `entrada.vigor` without
days, caused by the act or article that states the day. Acts after `Vide` and `Regulamento` are related to the norm
(`correlato.a`). Each such note is reported with its provision (`later-effect`, `annotation`). A provision without a
note inside an inserted provision was inserted with it. Changes by a provisional measure that its conversion did not
keep are undone without a note (rules F6 and F7 of [Time](../explanation/time.md)): the earlier wording is restored
(`restauracao`), and provisions that the measure had inserted expire (`caducidade`, by the converting law if noted).

Days are those of the acts, not of entry into force: answers based on them have the notice `dates-of-wording`. A wording
has the full date of its act if a note or the text of the page states it. A note with only a year gives bounds: the
wording began on some day of that year (`redacao`), later than the wording before it, and answers between the bounds are
`unknown`. If the store has exactly one act of that type, number and year, its days are used instead
([Time](../explanation/time.md)). A provision printed as "(VETADO)" is vetoed until its promulgated words begin. A note
names the vetoed act, not the promulgation, which may be years later. The words therefore begin on the day in a note
("Promulgação partes vetadas em 20.3.2018"), on the day that another source states, or on some day after the veto:
answers after it are then `unknown`. The page proves that the words were promulgated by the day on which the store
derived the periods: from this day on they are in force. A provisional measure that lapsed did so by the end of the year after its own
(Constitution, art. 62). If no note names the act that changed a provision (`act-not-named`), the provision is `unknown`
from the earliest possible day on.

`Este texto não substitui o publicado no DOU de ...` gives the day of publication. The first clause of commencement
gives the day of entry into force, counted by LC 95/1998, art. 8, unless the clause was changed later
(`commencement-changed`). If it dates parts ("quanto aos arts. 1º e 2º, em ..."), these articles and all their parts
begin on that day, unless they were changed before it (`start-not-applied`). If the clause was changed later, only the
days of single articles are read ("dia 1º de agosto de 2021, quanto aos arts. 52, 53 e 54"): each becomes a
`vigencia.propria` of the article, known from the act that made the wording. They are read only if each wording of the
clause is understood, and if the last wording names all articles that earlier ones name. Each other change of the clause
is an `entrada.vigor` of the norm without a day; answers on the norm, and on provisions without a day of their own, have
the notice `commencement-changed`.

A provision that revokes other norms, or articles and parts of them, ends them (`revogacao`) on the day that it states
("em 30 de dezembro de 2023", "após decorridos 2 (dois) anos da publicação"), else on the day of its article. A range
("os arts. 89 a 108") covers every number between its ends. Only the other norm states which numbers with letters exist:
such provisions do not end (`repealed-range`). Revocations in other words end nothing (`repeal-not-read`). If the day is
not understood, it is open, and the other norm is `unknown` from the publication on. If the provision was changed later,
the revocation is known from the changing act on. As known before that, the other norm is `unknown` from the publication
on, because the page may lack an earlier wording.

A page of the kind "compilado" has no earlier wordings: they are unknown, not absent. A page does not state when it was
compiled. For the LGPD, normas.leg.br and the page have the same wordings, texts and acts. They differ in five points.
normas.leg.br gives the day of each act; the page mostly gives its year. When the wording before an MPV returned
(art. 4º, II, b), normas.leg.br names the law that did not keep the change; the page names no act. `art65_cpt_inc2` is
two provisions on normas.leg.br, and one with a longer history on the page. The name of a chapter is its text on
normas.leg.br, and its heading on the page. The closing is `fecho` on normas.leg.br, and `localdatafecho` on the page. A
text contains each of them once: of provisions with one identifier, the one dated by normas.leg.br; and
`localdatafecho`.

Each file has one page. It is read as UTF-8 if that is valid, else as windows-1252, whatever encoding it declares.""",
    detect=_detect,
    read=_read,
    refusals=(
        RefusalCode.BAD_ENCODING,
        RefusalCode.EMPTY_FILE,
        RefusalCode.ILL_FORMED_XML,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.XML_LIMIT,
    ),
    notes=tuple(PageCode),
)
