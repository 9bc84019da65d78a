"""Intervals with one answer: over days of force as known today, and over days of knowledge for one day of force.

What :func:`queries.in_force` says for one (D, K) it says for a interval of days beside it. The intervals run without a
gap from the first day on which there is anything to say; revoked, annulled, suspended and in vacatio are answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name
from queries.answers import InForce, Period
from queries.causes import oldest
from queries.evidence import versions
from queries.provision_periods import period_told
from queries.reasons import Status
from queries.status import ENDED, Found, Standing, periods_of, standing

#: Statuses whose first day is of interest.
SINCE = frozenset({*ENDED, Status.SUSPENDED, Status.IN_FORCE})
#: Before the first day that has another status, nobody could have said anything.
_NOTHING = (Status.NOT_PUBLISHED, Status.UNKNOWN_NAME)


@dataclass(frozen=True, slots=True)
class AnswerInterval:
    """Days ``[start, until)``, of force or of knowledge, on which one question has one answer.

    Attributes:
        start, until: civil dates; None where nothing ends it.
        status: of the answer.
        version: the one that answers, by its canonical name; None where none does.
    """

    start: date
    until: date | None
    status: Status
    version: str | None

    def holds(self, day: date) -> bool:
        """Return whether the interval contains a civil date."""
        return self.start <= day and (self.until is None or day < self.until)


def over_force(store: Store, target: Name, known: date) -> tuple[AnswerInterval, ...]:
    """The answers for all days of force, by the clock of force, in their order.

    Args:
        target: a norm or provision of which there are records.
        known: K, a civil date, the same for all.

    Returns:
        Neighbours differ in their answers: in the version, in the days for which it is told to be in force and known,
        or in the status. None where no rectangle of the norm or provision is known by K.
    """
    asked = _Asked(store, target, known)
    edges = {edge for period in asked.periods() for edge in (period.valid_from, period.valid_until) if edge is not None}
    return asked.intervals(edges, lambda day: (day, known))


def over_knowledge(store: Store, target: Name, on: date, today: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for one day of force on all days of knowledge, on the axis of force, in their order.

    Args:
        on: D, a civil date, the same for all.
        today: the civil date of today, the last day of knowledge.

    Returns:
        As of :func:`over_force`.
    """
    asked = _Asked(store, target)
    edges = {edge for period in asked.periods() for edge in (period.known_from, period.known_until) if edge is not None}
    # by what is known of the texts of a norm, they decide of a provision that follows it
    edges |= {version.view_date for version in asked.views if version.view_date is not None}
    return asked.intervals({edge for edge in edges if edge <= today}, lambda day: (on, day))


class _Asked:
    """One norm or provision, asked for many (D, K): where K is always the same, what is known on it decides alone."""

    def __init__(self, store: Store, target: Name, known: date | None = None) -> None:
        self._store, self._target = store, target
        whole = target.work
        part = target != whole
        self._own = list(_decisive(periods_of(store, target), known))
        self._norm = list(_decisive(periods_of(store, whole), known)) if part else []
        self._known = versions(store, target.iri)
        self.views = versions(store, whole.iri) if part else []

    def periods(self) -> Iterable[Period]:
        """All rectangles that may decide."""
        return (*self._own, *self._norm)

    def intervals(self, edges: set[date], at: Callable[[date], tuple[date, date]]) -> tuple[AnswerInterval, ...]:
        """The answers from edge to edge, those that are the same joined.

        Args:
            edges: every day on which the answer may be another than the day before.
            at: the (D, K) of such a day.
        """
        if not edges:
            return ()
        issued = oldest(self._target.canonical)  # whether a text is presupposed hangs on it
        days = sorted({*edges, issued} if issued > date.min else edges)
        answers = [(day, self._standing(*at(day))) for day in days]
        first = next((i for i, (_, one) in enumerate(answers) if one.status not in _NOTHING), len(answers))
        kept: list[tuple[date, Standing]] = []
        for day, one in answers[first:]:
            if not kept or one != kept[-1][1]:
                kept.append((day, one))
        if all(one.status in {Status.UNKNOWN, *_NOTHING} for _, one in kept):
            return ()
        return tuple(_stretched(kept))

    def _standing(self, on: date, known: date) -> Standing:
        found, norm = _holding(self._own, on, known), _holding(self._norm, on, known)
        stands = standing(self._store, self._target, found, norm, self._known, on, known)
        if stands.found is None or stands.found.period.version is None:
            return stands
        period = period_told(self._store, self._target, stands.found.period, on, known)
        return replace(stands, found=stands.found._replace(period=period))


def _decisive(periods: Iterable[Period], known: date | None) -> Iterator[Period]:
    return (one for one in periods if one.axis is Axis.FORCE and (known is None or one.is_known(known)))


def _stretched(kept: list[tuple[date, Standing]]) -> Iterator[AnswerInterval]:
    for at, (day, one) in enumerate(kept):
        until = kept[at + 1][0] if at + 1 < len(kept) else None
        yield AnswerInterval(day, until, one.status, one.found.period.version if one.found is not None else None)


def _holding(periods: Iterable[Period], on: date, known: date) -> Found | None:
    return next((Found(period, ()) for period in periods if period.holds(on, known)), None)


def standing_since(answer: InForce, intervals: Sequence[AnswerInterval]) -> date | None:
    """Return the day since when a norm or provision has the status of D; None if it is not known.

    Args:
        answer: for one D and K.
        intervals: the answers for all days of force, as known on that K.
    """
    at = next((i for i, one in enumerate(intervals) if one.holds(answer.on)), None)
    if at is None or answer.status not in SINCE or intervals[at].status is not answer.status:
        return None
    return intervals[first_like(intervals, at)].start


def first_like(intervals: Sequence[AnswerInterval], at: int) -> int:
    """Return the place of the first of the intervals that run on to one without a gap and have its status."""
    first = at
    while (
        first
        and intervals[first - 1].status is intervals[at].status
        and intervals[first - 1].until == intervals[first].start
    ):
        first -= 1
    return first


def joined(intervals: Sequence[AnswerInterval]) -> tuple[AnswerInterval, ...]:
    """Return the intervals; neighbours with the same version, or without one for the same reason, are merged."""
    found: list[AnswerInterval] = []
    for one in intervals:
        last = found[-1] if found else None
        if last is not None and (last.version, last.status, last.until) == (one.version, one.status, one.start):
            found[-1] = replace(last, until=one.until)
        else:
            found.append(one)
    return tuple(found)


def doubtful(intervals: Sequence[AnswerInterval]) -> frozenset[date]:
    """The days on one side of which nobody knows how it stands: what is so up to one may be so for longer.

    Args:
        intervals: in their order.
    """
    return frozenset(
        later.start
        for before, later in pairwise(intervals)
        if before.until == later.start and (before.status is Status.UNKNOWN) != (later.status is Status.UNKNOWN)
    )


def from_first_text(intervals: Iterable[AnswerInterval]) -> tuple[AnswerInterval, ...]:
    """Return the intervals without those before the first publication."""
    return tuple(one for one in intervals if one.status is not Status.NOT_PUBLISHED)
