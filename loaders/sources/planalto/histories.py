"""The history of each provision of a compiled page: its wordings in order, and the act that made each.

The page orders the wordings of a provision from oldest to newest. Notes name the act of each. Strikes repeat the notes,
and are sometimes missing. Changes of a provisional measure that its conversion did not keep are reversed without a note
(Constitution, art. 62, §§ 3, 11 and 12; rules F6 and F7 of docs/explanation/time.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise

from graph.civil import ONE_DAY, When
from graph.wording.folding import folded
from graph.wording.marks import is_repealed, is_vetoed
from graph.wording.numerals import from_roman
from graph.wording.provisions import SIGNATURE
from loaders.articulated.notes import ACT, ActName, NoteKind, day_of
from loaders.articulated.notes import Note as PageNote
from loaders.articulated.occurrences import Occurrence, StructuredText

_ANCHOR = re.compile(r"art(?P<article>[0-9]+)[^§]*?(?:§(?P<paragraph>[0-9]+))?(?P<rest>[a-z]*)[.0-9]*$", re.ASCII)
_ROMAN = re.compile(r"[ivxlc]{2,}", re.ASCII)
_MAKES = {
    NoteKind.WORDING: "wording",
    NoteKind.INSERTION: "insertion",
    NoteKind.RENUMBERING: "renumbering",
    NoteKind.VETO_OVERTURNED: "veto-overturned",
    NoteKind.RESTORATION: "restoration",
}
#: The kinds of notes whose act made or ended a wording.
CHANGES = frozenset({*_MAKES, NoteKind.REPEAL}) - {NoteKind.VETO_OVERTURNED}
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
        vetoed_changes: vetoed changes of words that stay.
    """

    disagreements: list[tuple[str, str]] = field(default_factory=list)
    anchors: list[tuple[str, str]] = field(default_factory=list)
    unnamed: list[tuple[str, str]] = field(default_factory=list)
    later: list[tuple[str, PageNote]] = field(default_factory=list)
    unread: list[tuple[str, PageNote]] = field(default_factory=list)
    unstruck: list[tuple[str, str]] = field(default_factory=list)
    vetoed_changes: list[tuple[str, str]] = field(default_factory=list)
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
        self._vetoed_changes: dict[int, Occurrence] = {}  # by the occurrence with the words that they concern
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

    def _steps(self, fragment: str, occurrences: Sequence[Occurrence]) -> Iterator[Step]:
        times = self._without_vetoed_changes(fragment, occurrences)
        steps: list[Step] = []
        for index, occurrence in enumerate(times):
            notes = self._notes(occurrence)
            for place, note in enumerate(notes):
                self._record_note(fragment, occurrence, note, is_read=not _is_start_of_cited_act(notes, place))
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
            unstruck = over and not occurrence.struck and not vetoed and occurrence.prefix not in {"art", SIGNATURE}
            unstruck = unstruck and any(map(str.isalnum, words)) and not is_repealed(words)
            if unstruck:
                self.findings.unstruck.append((fragment, (occurrence.text or "")[:60]))
            steps.append(
                Step(occurrence, change, self._when_changed(change, steps), vetoed, endings, repeats, unstruck)
            )
        yield from self._narrow_bounds(self._with_final_ending(fragment, times, steps))

    def _without_vetoed_changes(self, fragment: str, times: Sequence[Occurrence]) -> list[Occurrence]:
        """Return the occurrences of a provision without the vetoes of changes to its words.

        A vetoed change has no effect: the words before it stay. If words follow the veto, they are the promulgated
        ones.
        """
        kept: list[Occurrence] = []
        for occurrence in times:
            if kept and not occurrence.quoted and self._is_vetoed(occurrence) and not self._is_vetoed(kept[-1]):
                self._vetoed_changes[id(kept[-1])] = occurrence
                if occurrence.prefix != "art":
                    self.findings.vetoed_changes.append((fragment, f"line {occurrence.line}"))
            else:
                kept.append(occurrence)
        return kept

    def _act_of_vetoed_change(self, occurrence: Occurrence) -> ActName | None:
        vetoed = self._vetoed_changes.get(id(occurrence))
        acts = (note.act for note in self._notes(vetoed) if note.kind in _MAKES) if vetoed is not None else ()
        return next((act for act in acts if act is not None), None)

    @staticmethod
    def _with_ending(step: Step, ending: Ending) -> Step:
        return replace(step, endings=(*step.endings, ending))

    def _record_note(self, fragment: str, occurrence: Occurrence, note: PageNote, *, is_read: bool) -> None:
        """Record the content of a note besides the act of the wording; of a note that is not read, only its words."""
        if occurrence.prefix == "art":
            return
        if note.disagrees:
            self.findings.disagreements.append((fragment, f"{note.text} -> {note.href}"))
        if not is_read:
            self.findings.unread.append((fragment, note))
        elif note.kind in {NoteKind.LATER_EFFECT, NoteKind.SUSPENSION, NoteKind.UNCONSTITUTIONAL}:
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
        if index and before is None:
            before = self._act_of_vetoed_change(times[index - 1])
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
        if self._is_vetoed(times[index - 1]) or id(times[index - 1]) in self._vetoed_changes:
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

    def _has_letter_suffix(self, occurrence: Occurrence) -> bool:
        """Return whether a letter after the number shows that an act inserted the provision.

        The text of a norm without "Anexo II" may have an "Anexo II-A" from the start.
        """
        plain, hyphen, _ = occurrence.id.rpartition("_")[2].partition("-")
        first = occurrence.prefix == "anx" and plain not in self._times
        return bool(hyphen) and occurrence.prefix not in {"alt", "omi"} and not first

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
        after = self._signed + ONE_DAY  # an act that changes the norm is later than the norm
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
            return When(max(since.first + ONE_DAY, law.first), law.last)
        return When(since.first + ONE_DAY, date(since.last.year + _YEARS_OF_A_MEASURE, 12, 31))

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
        if last.prefix in {"alt", "omi", SIGNATURE} or last.quoted or fragment in self._with_paragraphs:
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
                since = self._day(self._act_of_vetoed_change(last)) or step.when
                ending = Ending("unknown", None, When.not_before(since.first))
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
            behind = (when.first if when.exact is not None or when.last is None else when.last) + ONE_DAY
            fixed = [_limit_earliest(end, behind) or _limit_earliest(end, behind - ONE_DAY) or None for end in ends]
            endings = tuple(
                replace(ending, when=_shown(when, end, limited) or ending.when)
                for ending, end, limited in zip(step.endings, ends, fixed, strict=True)
            )
            latest_end = (fixed[-1] or endings[-1].when) if endings else when
            earliest = When.after(latest_end, None).first
            narrowed.append(replace(step, when=when, endings=endings))
        return narrowed


def _is_start_of_cited_act(notes: Sequence[PageNote], place: int) -> bool:
    """Return whether a note such as "Vigência" concerns an act that another note only cites.

    In "(Vide Decreto nº 12.343, de 2024) (Vigência)", the link leads to the clause of commencement of the decree. The
    decree does not start the provision.
    """
    note, before = notes[place], notes[place - 1] if place else None
    if note.kind is not NoteKind.LATER_EFFECT or note.acts:
        return False
    linked = note.linked
    if linked is None:
        return before is not None and before.kind is NoteKind.SEE and before.act is not None
    kinds = {each.kind for each in notes if each.act is not None and each is not note and each.act.agrees(linked)}
    return NoteKind.SEE in kinds and kinds.isdisjoint(_MAKES)


def _articles_with_paragraphs(provisions: Sequence[Occurrence]) -> Iterator[str]:
    """Yield the articles with a paragraph that the page prints as current: not struck, revoked or vetoed."""
    last = {provision.id: provision for provision in provisions if not provision.quoted}
    for occurrence in last.values():
        ended = occurrence.struck or any(note.kind is NoteKind.REPEAL for note in occurrence.notes)
        ended = ended or is_repealed(occurrence.text) or is_vetoed(occurrence.text)
        if occurrence.prefix == "par" and occurrence.within is not None and not ended:
            yield occurrence.within


def anchors_of_page(provisions: Sequence[Occurrence]) -> Iterator[tuple[str, str]]:
    """Yield each provision with the anchor of its last wording, if the page has that anchor once and they agree.

    Another place of the page with the same anchor would be shown instead.
    """
    counted = Counter(
        anchor for placed in provisions if placed.prefix != "cpt" for anchor in dict.fromkeys(placed.anchors)
    )
    last = {placed.id: placed for placed in provisions if not placed.quoted and placed.prefix != "cpt"}
    for fragment, placed in last.items():
        fitting = (
            anchor
            for anchor in placed.anchors
            if counted[anchor] == 1 and _is_plain(anchor) and not anchor_disagrees(anchor, fragment)
        )
        anchor = next(fitting, None)
        if anchor is not None:
            yield fragment, anchor


def _is_plain(anchor: str) -> bool:
    """Return whether an anchor has the form of a provision, without white space and ``#``."""
    return _ANCHOR.match(anchor.casefold()) is not None and not any(sign in anchor for sign in " \t\n#")


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
    return last - ONE_DAY if last is not None else latest


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
