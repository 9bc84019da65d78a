"""Combination: the status and version of a norm or provision on (D, K), from its periods, its norm and its texts.

docs/reference/rules-of-combination.md has the rules under the numbers that stand here (``C1`` ...). They are pure
functions of a :class:`Subject`; whoever makes it reads a store or anything else. A norm is decided by C1 to C3 alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import product
from typing import NamedTuple, Protocol

from graph.civil import When
from graph.time.editions import Edition, MadeVersion, TextsOfVersion, may_be_first
from graph.time.intervals import BitemporalPeriod, Interval
from graph.time.kinds import ENDED, Status
from ontology.events import EVENTS, OVERTURNED_VETOES, Effect, EventKind, interprets

_ENDINGS = {
    Effect.REVOKES: Status.REVOKED,
    Effect.ANNULS: Status.ANNULLED,
    Effect.EXPIRES: Status.EXPIRED,
    Effect.CONVERTS: Status.CONVERTED,
    Effect.VETOES: Status.VETOED,
}


class ActingEvent(NamedTuple):
    """An event that acts on a norm or provision.

    Attributes:
        name: its IRI, as ``because`` of periods has it.
        kind: its notation in the event vocabulary; None if no source states it.
        effect: the first day of effect, or its bounds; None if nothing is known.
        known: the first day on which anyone could know of it, or its bounds; None if nothing is known.
    """

    name: str
    kind: str | None
    effect: When | None
    known: When | None

    @property
    def ending(self) -> Status | None:
        """The status in which it ends its target; None if it does not."""
        term = EVENTS.get(self.kind or "")
        return _ENDINGS.get(term.effect) if term is not None and term.effect is not None else None


class Subject(Protocol):
    """A norm or provision on one axis, as combination reads it. Names are canonical; days are civil dates."""

    @property
    def whole(self) -> Subject | None:
        """The norm of a provision; None for a norm."""
        ...

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def issued(self) -> date:
        """The earliest day that its name allows: it was not known before."""
        ...

    @property
    def stands(self) -> Status:
        """The status with a version: ``in-force``, or that of a document that is never in force."""
        ...

    @property
    def has_periods(self) -> bool:
        """Whether it has periods of its own, on any axis."""
        ...

    @property
    def periods(self) -> Sequence[BitemporalPeriod]:
        """Its own periods on the axis."""
        ...

    @property
    def versions(self) -> Sequence[MadeVersion]:
        """Its versions and views."""
        ...

    @property
    def editions(self) -> Sequence[Edition[MadeVersion]]:
        """The versions of the norm with their texts, in order."""
        ...

    def texts_of(self, version: str, known: date) -> TextsOfVersion[MadeVersion]:
        """Return the texts for one version of the norm: see :func:`graph.time.editions.readable`."""
        ...

    def period(self, on: date, known: date) -> BitemporalPeriod | None:
        """Return its own period that contains (D, K); None if there is none."""
        ...

    def events(self) -> Iterable[ActingEvent]:
        """Return the events that act on it."""
        ...

    def events_around(self) -> Iterable[ActingEvent]:
        """Return the events that act on a provision, or on one that contains it."""
        ...

    def is_in(self, edition: Edition[MadeVersion]) -> bool:
        """Return whether the text of an edition has the provision."""
        ...

    def is_in_undated_text(self) -> bool:
        """Return whether a text that no source dates has the provision."""
        ...

    def is_marked_as_ended(self, edition: Edition[MadeVersion]) -> bool:
        """Return whether the text of an edition marks the provision, or one that contains it, as revoked or vetoed."""
        ...

    def is_dated_by_act(self, version: str) -> bool:
        """Return whether a source of a version dates wordings by the signature of the act that made them."""
        ...


class Doubt(StrEnum):
    """Why a text of the norm decides, or lets nothing decide."""

    #: No source dates the only text with the provision.
    UNDATED_TEXT = "undated-text"
    #: The text of the norm lacks the provision.
    NOT_IN_TEXT = "not-in-text"
    #: No source has the text of a version of the norm.
    TEXT_UNKNOWN = "text-unknown"
    #: The first day of force of the norm is not known.
    NORM_UNDATED = "norm-undated"
    #: A complete text contains the provision after its end.
    ENDED_AND_PRINTED = "ended-and-printed"


_DOUBTS = {
    "C5": Doubt.ENDED_AND_PRINTED,
    "C7": Doubt.NORM_UNDATED,
    "C12": Doubt.UNDATED_TEXT,
    "C13": Doubt.TEXT_UNKNOWN,
    "C16": Doubt.NOT_IN_TEXT,
    "C17": Doubt.NOT_IN_TEXT,
}
_OF_NORM = frozenset({"C6", "C7", "C8", "C12"})


class Decision(NamedTuple):
    """The status on (D, K), and its origin.

    Attributes:
        rule: the number of the rule that decided.
        status: the status; that of the document's kind if a version applies.
        version: the version that applies; None if there is none.
        because: the names of the deciding events.
        about: the version, or the norm, that ``doubt`` is about; None if it is about none.
    """

    rule: str
    status: Status
    version: str | None = None
    because: tuple[str, ...] = ()
    about: str | None = None

    @property
    def doubt(self) -> Doubt | None:
        """Why the texts decide the status; None if they do not."""
        return doubt_of(self.rule, has_version=self.version is not None)


def doubt_of(rule: str, *, has_version: bool) -> Doubt | None:
    """Return why the texts of a norm decide by a rule; None if they do not.

    Args:
        rule: its number.
        has_version: whether the decision has a version.
    """
    return _DOUBTS.get(rule) if has_version or rule != "C12" else None


def is_of_norm(rule: str, *, has_version: bool) -> bool:
    """Return whether a rule gives a provision the answer of its norm; the arguments are those of :func:`doubt_of`."""
    return rule in _OF_NORM and (has_version or rule != "C12")


def _by_period(rule: str, period: BitemporalPeriod, about: str | None = None) -> Decision:
    return Decision(rule, period.status, period.version, period.because, about)


def decide(subject: Subject, on: date, known: date) -> Decision:
    """Return the status of a norm or provision.

    Args:
        on: D, a civil date.
        known: K, a civil date.
    """
    own = subject.period(on, known)
    if subject.whole is not None:
        norm = subject.whole.period(on, known)
        held = _Provision(subject, subject.whole, own, norm, on, known).decided()
        if held is not None:
            return held
    return _by_period("C1", own) if own is not None else without_period(subject, on, known)


def without_period(subject: Subject, on: date, known: date) -> Decision:
    """Return the status if no period contains (D, K).

    C2: its periods begin later. A change presupposes an earlier text, which no source has: ``unknown`` from the issue
    on; but nobody could know a provision before its norm. C3: nothing is dated. Endings may be certain nevertheless,
    and before its issue it was no law.
    """
    if subject.has_periods:
        presupposed = subject.issued <= min(on, known) and not any(map(may_be_first, subject.versions))
        whole = subject.whole
        if presupposed and whole is not None and whole.has_periods and whole.period(on, known) is None:
            return without_period(whole, on, known)
        return Decision("C2", Status.UNKNOWN if presupposed else Status.NOT_PUBLISHED)
    if min(on, known) < subject.issued:
        return Decision("C3", Status.NOT_PUBLISHED)
    events = subject.events() if subject.whole is None else ()
    return Decision("C3", certain_ending(events, on, known) or Status.UNKNOWN)


def certain_ending(events: Iterable[ActingEvent], on: date, known: date) -> Status | None:
    """Return how something ended by D, if all its stated events are endings, or starts of a norm (rule C3).

    Args:
        on, known: D and K, civil dates.

    Returns:
        The status of the ending that certainly came first. None if none certainly has effect by D, or was certainly
        known by K, or if another event may have undone an ending.
    """
    endings: list[tuple[date, date, Status]] = []
    for event in events:
        if interprets(event.kind) or event.kind == EventKind.INICIO_VIGENCIA:
            continue
        status = event.ending
        if status is None:
            return None
        effect, known_on = (when.last if when is not None else None for when in (event.effect, event.known))
        if effect is not None and known_on is not None and effect <= on and known_on <= known:
            endings.append((effect, known_on, status))
    return min(endings)[2] if endings else None


def is_ended_after(subject: Subject, start: date, view: date) -> bool:
    """Return whether a text may contain a provision that has ended: nobody could know of an end by its first day.

    Ends of the provisions that contain it count, too.

    Args:
        start: the first day of force of the text.
        view: the day on which the text was published.
    """
    return no_end_was_known(subject.events_around(), start, view)


def no_end_was_known(events: Iterable[ActingEvent], start: date, view: date) -> bool:
    """Return whether nobody could know, on the view of a text, of an end with effect by the first day of the text."""
    ends = (event for event in events if event.ending is not None)
    by_then = [event.known for event in ends if event.effect is None or event.effect.possible_on(start)]
    return not any(day is None or day.possible_on(view) for day in by_then)


@dataclass(frozen=True, slots=True)
class _Provision:
    """A provision on (D, K): what its norm and its texts decide.

    Attributes:
        own: its own period that contains (D, K); None if there is none.
        norm: that of its norm.
    """

    subject: Subject
    whole: Subject
    own: BitemporalPeriod | None
    norm: BitemporalPeriod | None
    on: date
    known: date

    def decided(self) -> Decision | None:
        """Return the status by C4 to C18; None if C1 to C3 decide it by the provision's own periods."""
        own, norm = self.own, self.norm
        has_ended = norm is not None and norm.status in ENDED
        if own is None and not has_ended and self._known_insertion() is not None:
            return Decision("C4", Status.NOT_PUBLISHED)
        if own is not None and own.status in ENDED:
            return self._printed_later(own)
        if norm is None or norm.status is Status.UNKNOWN:
            return self._in_undated_norm()
        if norm.version is None:
            return self._without_text(norm)
        return self._in_text(norm, norm.version)

    def _known_insertion(self) -> date | None:
        """Return the first day on which an inserted provision was known; None if it may be of the first text."""
        versions = self.subject.versions
        if not any(v.inserts for v in versions) or any(may_be_first(v) and not v.inserts for v in versions):
            return None
        return min((period.known.start for period in self.subject.periods), default=None)

    def _printed_later(self, own: BitemporalPeriod) -> Decision | None:
        """C5: an ended provision stays ended, unless a complete text of a later day contains it: then the sources
        contradict each other. They do not if nobody could know of the ending when the text was published, or if the
        text marks it as ended."""
        if self.norm is None or self.norm.version is None:
            return None
        place = _place(self.subject, self.norm.version, self.known)
        if (
            place is None
            or place.edition is None
            or place.complete_since is None
            or place.complete_since[0] < own.days.start
            or is_ended_after(self.subject, *place.complete_since)
            or self.subject.is_marked_as_ended(place.edition)
        ):
            return None
        return Decision("C5", Status.UNKNOWN, about=self.norm.version)

    def _in_undated_norm(self) -> Decision | None:
        """C6: a provision without periods of its own follows its norm, whose first day is not known. C7: one that is
        only dated by the signature of its wording follows it, too, unless it starts by itself."""
        if not self.subject.has_periods:
            return self._as_norm("C6")
        own = self.own
        if own is None or own.version is None or not self.subject.is_dated_by_act(own.version):
            return None
        if self._starts_by_itself(own):
            return None
        return self._as_norm("C7")._replace(about=self.whole.name)

    def _as_norm(self, rule: str) -> Decision:
        if self.norm is not None:
            return _by_period(rule, self.norm)
        return without_period(self.whole, self.on, self.known)._replace(rule=rule)

    def _without_text(self, norm: BitemporalPeriod) -> Decision:
        """C8: if its norm has no text in force, a provision has the status of its norm, unless it decides by itself
        (C9). In the vacatio of the norm, one that the coming text lacks is not published (C10), and one of which only
        amendments are known, and that no text has, is unknown (C11)."""
        own = self.own
        if own is not None and self._decides_by_itself(own, norm):
            return _by_period("C9", own)
        if norm.status is Status.VACATIO:
            if self._is_missing_at_start(norm):
                return Decision("C10", Status.NOT_PUBLISHED)
            if (own is None or own.version is None) and self._is_only_amended():
                return Decision("C11", Status.UNKNOWN)
        return _by_period("C8", norm)

    def _decides_by_itself(self, own: BitemporalPeriod, norm: BitemporalPeriod) -> bool:
        """C9: a suspension only ends the efficacy of a text in force: a provision in vacatio stays so. In the vacatio
        of its norm, a provision decides if its own vacatio ends on another day, if a source starts it before its norm
        (as arts. 55-A to 55-L of Lei 13.709/2018), or if it is in doubt because of its own insertion or ending."""
        if norm.status is Status.SUSPENDED:
            return own.status is Status.VACATIO
        if norm.status is not Status.VACATIO:
            return False
        if own.status is Status.VACATIO:
            return own.days.until != norm.days.until
        if self._begins_before_its_norm(own) or self._starts_by_itself(own):
            return True
        return own.status is Status.UNKNOWN and (self._known_insertion() is not None or self._may_have_ended(own))

    def _begins_before_its_norm(self, own: BitemporalPeriod) -> bool:
        """Return whether a version is in force in the vacatio of its norm, by a source that dates its force.

        A part whose veto was overturned takes effect with its law at first.
        """
        made = next((version for version in self.subject.versions if version.name == own.version), None)
        return made is not None and made.event not in OVERTURNED_VETOES and not self.subject.is_dated_by_act(made.name)

    def _starts_by_itself(self, own: BitemporalPeriod) -> bool:
        """Return whether the period follows (or may follow) from the provision's own start of force by D.

        Before such a start it is in vacatio with its norm.
        """
        return self._follows_from(
            own, (event for event in self._events_by_now() if event.kind == EventKind.VIGENCIA_PROPRIA)
        )

    def _may_have_ended(self, own: BitemporalPeriod) -> bool:
        """Return whether the status is unknown because the provision, or one that contains it, may have ended by D, or
        may have been restored."""
        events = list(self._events_by_now())
        return any(event.ending is not None for event in events) and self._follows_from(own, events)

    def _events_by_now(self) -> Iterator[ActingEvent]:
        """Yield the events that may have effect by D on the provision, or on one that contains it."""
        for event in self.subject.events_around():
            if event.effect is None or event.effect.possible_on(self.on):
                yield event

    @staticmethod
    def _follows_from(own: BitemporalPeriod, events: Iterable[ActingEvent]) -> bool:
        return any(event.name in own.because for event in events)

    def _is_missing_at_start(self, norm: BitemporalPeriod) -> bool:
        """Return whether the text that ends the vacatio of a norm lacks the provision."""
        start = norm.days.until
        return start is not None and decide(self.subject, start, self.known).status is Status.NOT_PUBLISHED

    def _is_only_amended(self) -> bool:
        """Return whether sources state only amendments of a provision, and no text of its norm has it.

        It is then not known whether it was in the first text.
        """
        versions = self.subject.versions
        if not versions or any(may_be_first(v) or v.event in OVERTURNED_VETOES for v in versions):
            return False
        return not any(map(self.subject.is_in, self.subject.editions))

    def _in_text(self, norm: BitemporalPeriod, version: str) -> Decision | None:
        """Return the status of a provision whose norm has a version in force.

        C12: no source dates the only text with the provision: it is in force with its norm. C13: no source has the text
        of a version of the norm: ``unknown``, unless the provision was inserted or made later. C14: it has the wording
        of the text in force, if it has no periods, or none later than the complete text. C15: it has its own status, if
        its version became known or begins later. C16: a complete text lacks it: ``revoked`` if an earlier text had it,
        else ``not-published``. C17: one source makes it on the day on which another one lacks it: ``unknown``. C18: a
        change that is known presupposes the provision that the text lacks.
        """
        own, subject = self.own, self.subject
        place = _place(subject, version, self.known) if own is None or texts_may_decide(subject.editions) else None
        if place is None:
            undated = not subject.has_periods and self._is_in_undated_text()
            return self._of_undated_text(norm) if undated else None
        made = next((_since(v) for v in subject.versions if own is not None and v.name == own.version), None)
        if place.missing is not None:
            return self._beside_missing_text(place.missing, made)
        whole = place.complete_since
        is_later = made is None or whole is None or made[0] > whole[0] or made[1] > whole[1]
        if subject.has_periods and (whole is None or (own is not None and is_later)):
            return None
        if place.edition is not None:
            fragment = subject.name.rpartition("!")[2]
            return Decision("C14", subject.stands, f"{place.edition.version.name}!{fragment}", norm.because)
        is_changed = any((view.view_date or date.min) <= self.known for view in subject.versions)
        if own is None and subject.has_periods and is_changed:
            return None
        if made is not None and whole is not None and made[0] == whole[0]:
            return Decision("C17", Status.UNKNOWN, about=version)
        status = Status.REVOKED if place.was_there or made is not None else Status.NOT_PUBLISHED
        return Decision("C16", status, about=version)

    def _of_undated_text(self, norm: BitemporalPeriod) -> Decision:
        """C12: a provision of an undated text has the status of its norm, unless it may have ended by D."""
        events = list(self.subject.events_around())
        if not any(event.ending is not None and self._may_act(event) for event in events):
            return _by_period("C12", norm)
        return Decision("C12", certain_ending(events, self.on, self.known) or Status.UNKNOWN)

    def _may_act(self, event: ActingEvent) -> bool:
        """Return whether an event may have effect by D, and may be known on K."""
        effect, known = event.effect, event.known
        return (effect is None or effect.possible_on(self.on)) and (known is None or known.possible_on(self.known))

    def _is_in_undated_text(self) -> bool:
        """Return whether a text without a day has the provision, of a norm of which only one version is known.

        If the norm was changed, such a text may be of before or after the change.
        """
        views = (edition.version for edition in self.subject.editions)
        days = {view.version_date for view in views if view.view_date is None or view.view_date <= self.known}
        return len(days) == 1 and self.subject.is_in_undated_text()

    def _beside_missing_text(self, missing: MadeVersion, made: tuple[date, date] | None) -> Decision | None:
        """C13: the status in a version of the norm of which no source has the text.

        Args:
            missing: the version without a text.
            made: the first day of force of the provision's version and its day of knowledge.
        """
        start, view = missing.version_date or date.min, missing.view_date or date.max
        inserted = self._known_insertion()
        if inserted is not None and inserted > view:
            return None
        if made is not None and made[0] >= start and made[1] > view:
            return None
        return Decision("C13", Status.UNKNOWN, about=missing.name)


def _since(version: MadeVersion) -> tuple[date, date] | None:
    """Return the first day of force of a version and its day of knowledge; None if its name has no first day."""
    return (version.version_date, version.view_date or date.min) if version.version_date is not None else None


class _Place(NamedTuple):
    """The place of a provision in the texts of its norm.

    Attributes:
        edition: the latest text that has it; None if the text lacks it, or if that is not known.
        missing: the norm's version whose changes no source states; None if nothing is missing.
        was_there: whether an earlier text of the norm has the provision.
        complete_since: the first day and the view of the deciding complete text; None if the text is composed.
    """

    edition: Edition[MadeVersion] | None
    missing: MadeVersion | None
    was_there: bool
    complete_since: tuple[date, date] | None


def texts_may_decide(every: Sequence[Edition[MadeVersion]]) -> bool:
    """Return whether the texts of a norm may decide on a provision with its own periods.

    They may if one of them is complete, or if only some versions have a text.
    """
    return any(edition.complete for edition in every) or len({edition.text is None for edition in every}) > 1


def _place(subject: Subject, version: str, known: date) -> _Place | None:
    """Return the place of a provision in a version of its norm, as known on K; None if no source gives any text."""
    every = subject.editions
    if all(edition.text is None for edition in every):
        return None
    texts = subject.texts_of(version, known)
    whole_day = texts.editions[0].complete_since if texts.editions else None
    if texts.missing is not None:
        return _Place(None, texts.missing.version, was_there=False, complete_since=whole_day)
    reading = next(filter(subject.is_in, texts.editions), None)
    if reading is not None:
        return _Place(reading, None, was_there=True, complete_since=whole_day)
    if not texts.editions:  # no source describes the version
        return None
    first = texts.editions[0].rank
    before = (e for e in every if e.rank < first and (e.version.view_date or date.min) <= known)
    return _Place(None, None, was_there=any(map(subject.is_in, before)), complete_since=whole_day)


# The days of a provision together with its norm: each pair of days has the answer of `decide`.


class DecidedCell(NamedTuple):
    """Days of force, as known on days of knowledge, with one decision."""

    days: Interval
    known: Interval
    decision: Decision


def decided_cells(subject: Subject) -> Iterator[DecidedCell]:
    """Yield what :func:`decide` returns for each (D, K) of the periods of a subject and of its norm, on its axis.

    Pairs of days that are in no period are left out, and those that are ``not-published`` without a doubt.
    """
    whole = subject.whole
    if whole is None:
        yield from (DecidedCell(each.days, each.known, _by_period("C1", each)) for each in subject.periods)
        return
    for period in whole.periods:
        yield from _decided_cells(subject, cells(period, *_days_of_change(subject, whole, period)))
    edges_of_norm = edges(whole.periods)
    for period in subject.periods:
        yield from _decided_cells(
            subject,
            (each for each in cells(period, *edges_of_norm) if whole.period(each[0].start, each[1].start) is None),
        )


def _decided_cells(subject: Subject, parts: Iterable[tuple[Interval, Interval]]) -> Iterator[DecidedCell]:
    for days, known in parts:
        decided = decide(subject, days.start, known.start)
        if decided.status is not Status.NOT_PUBLISHED or decided.doubt is not None:
            yield DecidedCell(days, known, decided)


def _days_of_change(subject: Subject, whole: Subject, norm: BitemporalPeriod) -> tuple[set[date], set[date]]:
    """Return the days of force and of knowledge on which the answer may change within a period of the norm."""
    force, knowledge = edges(subject.periods)
    for event in () if subject.has_periods else subject.events_around():  # C12
        force |= {*(event.effect.days_of_change if event.effect is not None else ())}
        knowledge |= {*(event.known.days_of_change if event.known is not None else ())}
    knowledge |= set(sorted(_views(subject.versions))[:1])  # a change that is known presupposes the provision (C18)
    if norm.version is not None:  # the texts of this and of earlier versions may decide too
        start = next((view.version_date for view in whole.versions if view.name == norm.version), None) or date.max
        knowledge |= _views(view for view in whole.versions if (view.version_date or date.min) <= start)
    elif norm.status is Status.VACATIO:  # the coming text decides
        knowledge |= edges(whole.periods)[1] | _views(whole.versions)
    return force | {subject.issued}, knowledge | {subject.issued}


def _views(versions: Iterable[MadeVersion]) -> set[date]:
    return {version.view_date for version in versions if version.view_date is not None}


def edges(periods: Iterable[BitemporalPeriod]) -> tuple[set[date], set[date]]:
    """Return the days of force and of knowledge on which any of these begins or ends."""
    force: set[date] = set()
    knowledge: set[date] = set()
    for period in periods:
        force |= period.days.edges
        knowledge |= period.known.edges
    return force, knowledge


def cells(
    period: BitemporalPeriod, force: Iterable[date], knowledge: Iterable[date]
) -> Iterator[tuple[Interval, Interval]]:
    """Yield the days of force and of knowledge of the parts of a period, split on these days."""
    return product(list(period.days.split(force)), list(period.known.split(knowledge)))


class PeriodLookup:
    """Finds the period of one axis that contains (D, K), among many that do not overlap."""

    def __init__(self, periods: Iterable[BitemporalPeriod]) -> None:
        self._periods = sorted(periods, key=lambda period: period.days.start)
        self._known: dict[date, tuple[list[BitemporalPeriod], list[date]]] = {}

    def __call__(self, on: date, known: date) -> BitemporalPeriod | None:
        """Return the period that contains (D, K); None if there is none.

        Raises:
            ValueError: two periods contain it.
        """
        if known not in self._known:
            of_day = [period for period in self._periods if period.known.holds(known)]
            self._known[known] = of_day, [period.days.start for period in of_day]
        of_day, starts = self._known[known]
        index = bisect_right(starts, on) - 1
        if index > 0 and of_day[index - 1].days.holds(on):
            raise ValueError(f"two periods contain {on}, as known on {known}")
        return of_day[index] if index >= 0 and of_day[index].days.holds(on) else None
