"""The history of each provision of a compiled page: its wordings in order, and which act made each.

The page orders the wordings of a provision from oldest to newest. Notes say which act made each; strikes say nothing
that the notes do not, and are forgotten now and then. What a provisional measure did and its conversion did not keep
comes back without a note (Constitution, art. 62, §§ 3, 11 and 12; rules F6 and F7 of docs/explanation/time.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import pairwise

from graph.civil import When
from graph.wording.folding import folded
from graph.wording.numerals import from_roman
from loaders.articulated.acts import ActName
from loaders.articulated.notes import Note, NoteKind
from loaders.articulated.tree import Placed, Structured

_DAY = timedelta(days=1)
_REPEALED = re.compile(r"\W*(?:revogad[oa]s?|suprimid[oa]s?)\W*$")
_VETOED = re.compile(r"\W*vetad[oa]s?\W*(?:e|ou)?\W*$")
_ANCHOR = re.compile(r"art(?P<article>[0-9]+)[^§]*?(?:§(?P<paragraph>[0-9]+))?(?P<rest>[a-z]*)[.0-9]*$", re.ASCII)
_ROMAN = re.compile(r"[ivxlc]{2,}", re.ASCII)
_MAKES = {
    NoteKind.WORDING: "wording",
    NoteKind.INSERTION: "insertion",
    NoteKind.RENUMBERING: "renumbering",
    NoteKind.VETO_OVERTURNED: "veto-overturned",
    NoteKind.RESTORATION: "restoration",
}
_PROVISIONAL = "medida.provisoria"
#: So many wordings back a returning one is sought.
_MOST_STEPS = 40
#: A provisional measure loses its force after 60 days, prorogued once, not counted in recess (Constitution, art. 62,
#: §§ 3, 4 and 7), and its bill waits for sanction at most 15 working days: all within the year after its own.
_YEARS_OF_A_MEASURE = 1
#: The publication of EC 32/2001: a provisional measure edited before does not lapse any more.
_SINCE_LAPSES = 2001


@dataclass(frozen=True, slots=True)
class Change:
    """What made a wording.

    Attributes:
        kind: ``original``, ``wording``, ``insertion``, ``renumbering``, ``veto-overturned``, ``restoration``,
            ``return`` (without a note, once a provisional measure had fallen) or ``unknown``.
        act: None where the page does not name it.
        inherited: whether a note of the provision that holds this one names the act.
    """

    kind: str
    act: ActName | None = None
    inherited: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """What ended a provision: ``repeal``, ``renumbering``, ``fall`` (of a provisional measure) or ``unknown``."""

    kind: str
    act: ActName | None
    when: When


@dataclass(frozen=True, slots=True)
class Step:
    """One wording of a provision.

    Attributes:
        placed: where it stands in the page.
        change: what made it.
        when: the day of the act, as far as it is known.
        vetoed: whether its words only say that it was vetoed.
        endings: what ended the provision after it, with no wording in its place; several where one was repeated.
        repeats: of a wording that came back, the place in the history of the one that it repeats.
        unstruck: whether the page prints it as if it still applied, although a later wording or an ending follows.
    """

    placed: Placed
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
    """What is to be told of a page: pairs of a fragment and what was found there, by what it is.

    Attributes:
        later: notes that announce another day of effect, a suspension or a decision of unconstitutionality.
        unread: notes that point at an act without saying that it changed anything.
    """

    disagreements: list[tuple[str, str]] = field(default_factory=list)
    anchors: list[tuple[str, str]] = field(default_factory=list)
    unnamed: list[tuple[str, str]] = field(default_factory=list)
    later: list[tuple[str, Note]] = field(default_factory=list)
    unread: list[tuple[str, Note]] = field(default_factory=list)
    unstruck: list[tuple[str, str]] = field(default_factory=list)
    conversions: dict[ActName, ActName] = field(default_factory=dict)


def histories(found: Structured, signed: date, days: Mapping[ActName, date]) -> tuple[list[History], Findings]:
    """The history of each provision of a page, in the order of the page.

    Args:
        signed: the day of the norm's signature.
        days: the days of acts that the page itself names in full.
    """
    reading = _Reading(found, signed, days)
    found_of = list(reading.all())
    reading.findings.conversions = reading.conversions
    return found_of, reading.findings


class _Reading:
    def __init__(self, found: Structured, signed: date, days: Mapping[ActName, date]) -> None:
        self.findings = Findings()
        self._signed = signed
        self._strikes = any(one.struck for one in found.provisions)
        self._days = days
        self._order = {id(one): at for at, one in enumerate(found.provisions)}
        self._caputs = {
            id(one): after for one, after in pairwise(found.provisions) if one.prefix == "art" and after.prefix == "cpt"
        }
        self._times: dict[str, list[Placed]] = {}
        for one in found.provisions:
            self._times.setdefault(one.id, []).append(one)
            for anchor in one.anchors if not one.quoted and one.prefix != "cpt" else ():
                if anchor_disagrees(anchor, one.id):
                    self.findings.anchors.append((one.id, anchor))
        self._made: dict[int, Change] = {}
        self.conversions = dict(self._conversions(found))
        self._renumbered = dict(self._renumberings(found.provisions))
        self._within: dict[int, Placed] = {}
        latest: dict[str, Placed] = {}
        for one in found.provisions:
            if one.within is not None and one.within in latest:
                self._within[id(one)] = latest[one.within]
            latest[one.id] = one

    def all(self) -> Iterator[History]:
        for fragment, times in self._times.items():
            yield History(fragment, times[0].within, tuple(self._steps(fragment, times)))

    # Notes

    def _notes(self, one: Placed) -> Sequence[Note]:
        """The notes of an occurrence; of an article those of its caput, which stands in the same line."""
        if one.prefix == "art":
            caput = self._caputs.get(id(one))
            return caput.notes if caput is not None else one.notes
        return one.notes

    @staticmethod
    def _renumberings(provisions: Sequence[Placed]) -> Iterator[tuple[str, ActName | None]]:
        """The provisions that a note elsewhere says to have another number now, with the act that gave it."""
        for one in provisions:
            for note in one.notes:
                if note.kind is NoteKind.RENUMBERING and one.within is not None:
                    plain = folded(note.text)
                    if one.prefix == "par" and ("paragrafo unico" in plain or "§ unico" in plain):
                        yield f"{one.within}_par1u", note.act
                    old = re.search(r"d[oe] (?:§ ?|paragrafo )([0-9]{1,3})", plain)
                    if old is not None:
                        yield f"{one.within}_par{int(old[1])}", note.act

    @staticmethod
    def _conversions(found: Structured) -> Iterator[tuple[ActName, ActName]]:
        """The laws that provisional measures were converted into, where a note behind a wording of theirs says so."""
        for one in found.provisions:
            measure = next((n.act for n in one.notes if n.act is not None and n.act.kind == _PROVISIONAL), None)
            law = next((n.act for n in one.notes if n.kind is NoteKind.CONVERSION), None)
            if measure is not None and law is not None and law.kind != _PROVISIONAL:
                yield measure, law

    # Steps

    def _steps(self, fragment: str, times: Sequence[Placed]) -> Iterator[Step]:
        steps: list[Step] = []
        for at, one in enumerate(times):
            for note in self._notes(one):
                self._look(fragment, one, note)
            change, repeats = self._change(fragment, times, at, steps)
            self._made[id(one)] = change
            words = folded(one.text or "")
            ending = self._ending(one, words)
            if ending is not None and _REPEALED.match(words) and steps and change.kind != "original":
                steps[-1] = self._ended(steps[-1], ending)
                if at + 1 == len(times):
                    break
                continue
            vetoed = _VETOED.match(words) is not None
            endings = (ending,) if ending is not None else ()
            over = self._strikes and (at + 1 < len(times) or bool(endings))
            unstruck = over and not one.struck and not vetoed and one.prefix not in {"art", "assinatura"}
            unstruck = unstruck and any(map(str.isalnum, words)) and not _REPEALED.match(words)
            if unstruck:
                self.findings.unstruck.append((fragment, (one.text or "")[:60]))
            steps.append(Step(one, change, self._when(change, steps), vetoed, endings, repeats, unstruck))
        yield from self._narrowed(self._closed(fragment, times, steps))

    @staticmethod
    def _ended(step: Step, ending: Ending) -> Step:
        return replace(step, endings=(*step.endings, ending))

    def _look(self, fragment: str, one: Placed, note: Note) -> None:
        """What a note says beside who made the wording."""
        if one.prefix == "art":
            return
        if note.disagrees:
            self.findings.disagreements.append((fragment, f"{note.text} -> {note.href}"))
        if note.kind in {NoteKind.LATER_EFFECT, NoteKind.SUSPENSION, NoteKind.UNCONSTITUTIONAL}:
            self.findings.later.append((fragment, note))
        elif note.kind in {NoteKind.OTHER, NoteKind.SEE, NoteKind.VETO} or (
            note.kind is NoteKind.VETO_OVERTURNED and _VETOED.match(folded(one.text or ""))
        ):
            self.findings.unread.append((fragment, note))
        elif note.act is None or note.act.year is None:
            self.findings.unnamed.append((fragment, note.text))

    def _change(
        self, fragment: str, times: Sequence[Placed], at: int, steps: Sequence[Step]
    ) -> tuple[Change, int | None]:
        """What made an occurrence, and which earlier one it repeats."""
        one = times[at]
        if one.quoted:
            return Change("original"), None
        vetoed = _VETOED.match(folded(one.text or "")) is not None
        made = [
            note
            for note in self._notes(one)
            if note.kind in _MAKES and not (vetoed and note.kind is NoteKind.VETO_OVERTURNED)
        ]
        if made:
            note = made[-1]
            if note.kind is NoteKind.VETO_OVERTURNED:
                return Change("veto-overturned"), None
            again = self._repeated(one, steps)
            if again is not None and steps[again].change.act == note.act:
                return Change("return", self._between(steps, again)), again
            return Change(_MAKES[note.kind], note.act), None
        back = self._repeated(one, steps)
        if back is not None:
            return Change("return", self._between(steps, back)), back
        return self._noteless(fragment, times, at), None

    @staticmethod
    def _between(steps: Sequence[Step], at: int) -> ActName | None:
        """The act that stands between a wording and its return: of the next wording, or of what ended it."""
        ended = [each.act for each in steps[at].endings]
        return steps[at + 1].change.act if at + 1 < len(steps) else ended[-1] if ended else None

    def _noteless(self, fragment: str, times: Sequence[Placed], at: int) -> Change:
        """What made an occurrence that has no note and repeats nothing."""
        one = times[at]
        holder = self._within.get(id(one))
        above = self._made.get(id(holder)) if holder is not None and not holder.id.startswith("anx") else None
        if at == 0:
            inherits = one.prefix != "art" or self._lettered(one)  # an old article may stand in a new chapter
            if above is not None and above.kind == "insertion" and inherits:
                return Change("insertion", above.act, inherited=True)
            if self._lettered(one) and (above is None or above.kind == "original"):
                self.findings.unnamed.append((fragment, f"{one.label} has no note"))
                return Change("unknown")
            return Change("original")
        if one.prefix == "art" or _VETOED.match(folded(times[at - 1].text or "")):
            return Change("unknown" if one.prefix == "art" else "veto-overturned")
        if above is not None and above.act is not None and self._follows(one, times[at - 1], holder):
            return Change("wording", above.act, inherited=True)
        self.findings.unnamed.append((fragment, f"line {one.line}: a later wording has no note"))
        return Change("unknown")

    def _follows(self, one: Placed, before: Placed, holder: Placed | None) -> bool:
        """Whether what holds an occurrence was itself written anew between the occurrence before and this one."""
        return holder is not None and self._order[id(before)] < self._order[id(holder)] < self._order[id(one)]

    @staticmethod
    def _lettered(one: Placed) -> bool:
        return "-" in one.id.rpartition("_")[2] and one.prefix not in {"alt", "omi"}

    @staticmethod
    def _repeated(one: Placed, steps: Sequence[Step]) -> int | None:
        """The earlier wording that an occurrence repeats where a provisional measure stands between the two."""
        if not steps:
            return None
        plain = _compared(one)
        between = False
        for at in range(len(steps) - 1, max(-1, len(steps) - _MOST_STEPS), -1):
            step = steps[at]
            if between and _compared(step.placed) == plain:
                return at
            ended = [each.act for each in step.endings if each.act is not None]
            if ended and ended[-1].kind == _PROVISIONAL and _compared(step.placed) == plain:
                return at
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
        after = self._signed + _DAY  # what changes the norm comes after it
        return When(max(year.first, after), year.last) if year.certain_on(after) is False else year

    def _when(self, change: Change, steps: Sequence[Step]) -> When:
        if change.kind == "original":
            return When.on(self._signed)
        if change.kind == "return":
            return self._fallen(change.act)
        when = self._day(change.act)
        if when is None:
            return When.not_before(steps[-1].when.first if steps else self._signed)
        return when

    def _fallen(self, act: ActName | None) -> When:
        """When a provisional measure had no force any more, at the latest."""
        since = self._day(act)
        if since is None or since.last is None:
            return When.not_before(self._signed)
        if act is not None and (act.kind != _PROVISIONAL or since.last.year < _SINCE_LAPSES):
            return When.not_before(since.first)
        law = self._day(self.conversions.get(act)) if act is not None else None
        if law is not None and law.last is not None:
            return When(max(since.first + _DAY, law.first), law.last)
        return When(since.first + _DAY, date(since.last.year + _YEARS_OF_A_MEASURE, 12, 31))

    def _ending(self, one: Placed, words: str) -> Ending | None:
        for note in self._notes(one):
            repeals = note.kind is NoteKind.REPEAL
            says_so = _REPEALED.match(words) is not None and note.kind in {NoteKind.WORDING, NoteKind.INSERTION}
            if repeals or says_so:
                when = self._day(note.act)
                return Ending("repeal", note.act, when or When.not_before(self._signed))
        if _REPEALED.match(words):
            return Ending("repeal", None, When.not_before(self._signed))
        return None

    def _closed(self, fragment: str, times: Sequence[Placed], steps: list[Step]) -> list[Step]:
        """The steps, with what ended a provision whose last wording is struck without a note that says why."""
        last = times[-1]
        if not steps or steps[-1].placed is not last or not last.struck or steps[-1].endings:
            return steps
        step = steps[-1]
        act = step.change.act
        if last.prefix in {"alt", "omi", "assinatura"} or last.quoted:
            return steps
        if fragment in self._renumbered:
            by = self._renumbered[fragment]
            ending = Ending("renumbering", by, self._day(by) or When.not_before(step.when.first))
        elif act is not None and act.kind == _PROVISIONAL and (act.year or 0) >= _SINCE_LAPSES:
            ending = Ending("fall", act, self._fallen(act))
        else:
            holder = self._within.get(id(last))
            above = self._ended_above(holder)
            if above is not None:
                ending = above
            else:
                self.findings.unnamed.append((fragment, f"line {last.line}: struck, and no note says by which act"))
                ending = Ending("unknown", None, When.not_before(step.when.first))
        return [*steps[:-1], self._ended(step, ending)]

    def _ended_above(self, holder: Placed | None) -> Ending | None:
        """What ended the provision that holds one, where a note there says so."""
        for _ in range(12):
            if holder is None:
                return None
            ending = self._ending(holder, folded(holder.text or ""))
            if ending is not None:
                return ending
            if holder.prefix == "art":
                caput = self._caputs.get(id(holder))
                ending = self._ending(caput, folded(caput.text or "")) if caput is not None else None
                if ending is not None:
                    return ending
            holder = self._within.get(id(holder))
        return None

    @staticmethod
    def _narrowed(steps: Sequence[Step]) -> list[Step]:
        """The steps with the bounds that the order of the wordings leaves: each comes after the one before it.

        The days of an ending begin behind those of the wording that it ended, so that their order is known; of the days
        before, the wording leaves each open as well.
        """
        latest: date | None = None
        bounds: list[tuple[When, list[When]]] = []
        for step in reversed(steps):
            ends: list[When] = []
            for ending in reversed(step.endings):
                when = _until(ending.when, latest)
                latest = _before(when, latest)
                ends.append(when)
            when = _until(step.when, latest)
            latest = _before(when, latest)
            bounds.append((when, ends[::-1]))
        earliest: date | None = None
        narrowed: list[Step] = []
        for step, (until, ends) in zip(steps, reversed(bounds), strict=True):
            when = _since(until, earliest) or step.when
            behind = (when.first if when.exact is not None or when.last is None else when.last) + _DAY
            endings = tuple(
                replace(ending, when=_since(end, behind) or ending.when)
                for ending, end in zip(step.endings, ends, strict=True)
            )
            earliest = (endings[-1].when.first if endings else when.first) + _DAY
            narrowed.append(replace(step, when=when, endings=endings))
        return narrowed


def anchor_disagrees(anchor: str, fragment: str) -> bool:
    """Whether an anchor names another article, paragraph or item than the one that it stands at.

    An anchor may leave out what holds the provision, and ends in points and zeros for later wordings.

    >>> anchor_disagrees("art4iib0", "art4_cpt_inc2_ali2"), anchor_disagrees("art4iv§2.", "art4_par2")
    (False, False)
    >>> anchor_disagrees("art66", "art27"), anchor_disagrees("art4iv§4", "art4_par2")
    (True, True)
    """
    said = _ANCHOR.match(anchor.casefold())
    if said is None or not fragment.startswith("art"):
        return False
    steps = fragment.split("_")
    if not _same_number(said["article"], steps[0].removeprefix("art").partition("-")[0]):
        return True
    paragraph = next((step.removeprefix("par") for step in steps if step.startswith("par")), None)
    number = "1" if paragraph == "1u" else paragraph.partition("-")[0] if paragraph is not None else None
    if number is not None and said["paragraph"] is not None and not _same_number(said["paragraph"], number):
        return True
    last = steps[-1].removeprefix("inc")
    if last != steps[-1] and last.isdecimal() and _ROMAN.fullmatch(said["rest"]) is not None:
        return from_roman(said["rest"]) != int(last)
    return False


def _same_number(said: str, number: str) -> bool:
    """Whether digits are a number, perhaps with a zero behind it for a later wording."""
    return said in {number, f"{number}0"}


def _until(when: When, latest: date | None) -> When:
    """The same days up to the latest that what follows leaves."""
    if latest is None or when.exact is not None or latest < when.first:
        return when
    return When(when.first, latest if when.last is None else min(when.last, latest))


def _before(when: When, latest: date | None) -> date | None:
    """The latest day that what comes before may have."""
    last = when.last
    return last - _DAY if last is not None else latest


def _since(when: When, earliest: date | None) -> When | None:
    """The same days from the earliest on that what precedes leaves; None where none is left."""
    if earliest is None or when.exact is not None or when.first >= earliest:
        return when
    return When(earliest, when.last) if when.last is None or earliest <= when.last else None


def _compared(one: Placed) -> str:
    """The words of an occurrence without what editors change: white space, and the signs at its end."""
    return re.sub(r"[\s.;:,]+", " ", (one.text or "").casefold()).strip().removesuffix(" e").removesuffix(" ou")
