"""Intervals: the periods of a provision combined with its norm's, and the days with an equal answer.

The answer of :func:`queries.in_force` is the same on all days of an interval. From the first day with an answer on, the
intervals have no gaps. Revoked, annulled, suspended and in vacatio are answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from graph.read_model.subject import SummarizedSubject
from graph.store import Store
from graph.terms import day_stated
from graph.time.combination import (
    Decision,
    Subject,
    cells,
    combined_periods,
    decide,
    edges,
    merged_periods,
    stays_whole,
)
from graph.time.intervals import BitemporalPeriod, Interval
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, parse
from queries.answers import InForce, Period
from queries.evidence import OWN_START
from queries.reasons import Reason
from queries.status import answer_period, periods_of, sorted_periods, subject_of

# The periods of a provision together with its norm, by :mod:`graph.time.combination`: the answers on each pair of days.


def provision_periods(store: Store, provision: Name) -> tuple[Period, ...]:
    """Return the periods of a provision on both axes, sorted by day of knowledge.

    Args:
        provision: the provision, without version; the store has records of it.
    """
    return sorted_periods(answer_period(period, axis) for axis in Axis for period in _combined(store, provision, axis))


def periods_stated(store: Store, target: Name) -> tuple[Period, ...]:
    """Return the periods of a norm, or of a provision together with its norm, sorted by day of knowledge.

    Args:
        target: the norm or provision, without version; the store has records of it.
    """
    return periods_of(store, target) if target == target.work else provision_periods(store, target)


def periods_of_place(store: Store, occupants: Sequence[Name]) -> tuple[Period, ...]:
    """Return the periods of an identifier that several provisions had in sequence, sorted by day of knowledge.

    Args:
        occupants: the provisions, without version; the store has records of each.
    """
    periods: list[Period] = []
    for axis in Axis:
        ranked = [(occupant, period) for occupant in occupants for period in _combined(store, occupant, axis)]
        ranked.sort(key=lambda pair: precedence(pair[1], pair[0]))
        every = [period for _, period in ranked]
        decided: dict[tuple[date, date], BitemporalPeriod] = {}
        for period in every:
            for cell in cells(period, *edges(every)):
                decided[cell.days.start, cell.known.start] = cell
        periods.extend(answer_period(period, axis) for period in merged_periods(decided.values()))
    return sorted_periods(periods)


def precedence(period: BitemporalPeriod, occupant: Name) -> tuple[bool, bool, bool, date]:
    """Return the sort key of several periods for one (D, K) of a shared identifier: the greatest decides.

    A text in force decides first. If several are in force, a provision whose name states the inserting norm
    decides: other sources have one history of all provisions with the identifier.
    """
    in_force, fragment = period.version is not None, occupant.fragmento
    named = in_force and fragment is not None and fragment.inserido_por is not None
    return in_force, named, period.status is Status.UNKNOWN, period.days.start


def period_stated(
    store: Store, target: Name, decides: BitemporalPeriod, on: date, as_known: date, axis: Axis
) -> BitemporalPeriod:
    """Return the period of the version in an answer; for a provision, that of its own text rather than of its norm's.

    Args:
        target: a norm or provision without version.
        decides: the deciding period, with the version.
        on, as_known: D and K, civil dates.
        axis: the axis.
    """
    if target == target.work:
        return decides
    subject = subject_of(store, target, axis)
    own = _periods_of_version(store, target, subject, decides)
    fitting = own or _combined(store, target, axis)
    held = (period for period in fitting if period.version == decides.version and period.holds(on, as_known))
    return next(held, decides)


def _combined(store: Store, provision: Name, axis: Axis) -> tuple[BitemporalPeriod, ...]:
    key = _combined, provision.canonical, axis
    return store.memoized(key, lambda: store.cached(key, lambda: combined_periods(subject_of(store, provision, axis))))


def _periods_of_version(
    store: Store, provision: Name, subject: SummarizedSubject, decides: BitemporalPeriod
) -> tuple[BitemporalPeriod, ...]:
    """Return the periods of :func:`provision_periods` for one version, without deriving those of the others.

    The result is empty if all periods must be derived: if the period is not one of the provision's own, if the norm
    has a complete text, or if the norm splits a period of the version.
    """
    if decides not in subject.periods or any(edition.complete for edition in subject.editions):
        return ()
    of_version = [period for period in subject.periods if period.version == decides.version]

    def merged() -> tuple[BitemporalPeriod, ...]:
        return tuple(merged_periods(of_version)) if all(stays_whole(subject, own) for own in of_version) else ()

    return store.cached((_periods_of_version, provision.canonical, subject.axis, decides.version), merged)


# Intervals with one answer: over days of force as known today, and over days of knowledge for one day of force.


#: Statuses with a known first day.
SINCE = frozenset({*ENDED, Status.SUSPENDED, *(status for status in Status if status.stands)})
#: The status before the first day with another status.
_NOTHING = (Status.NOT_PUBLISHED, Status.UNKNOWN_NAME)


@dataclass(frozen=True, slots=True)
class AnswerInterval(Interval):
    """Days of force, or of knowledge, on which one question has one answer.

    Attributes:
        status: of the answer.
        version: the version in force, by its canonical name; None if there is none.
    """

    status: Status
    version: str | None


def over_force(store: Store, target: Name, known: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for all days of force, on the axis of force, in their order.

    Args:
        target: a norm or provision with records.
        known: K, a civil date, the same for all.

    Returns:
        Neighbours differ in the version, in its days of force and knowledge, or in the status. Empty if, as known
        on K, every day is before publication or has an unknown status.
    """

    def found() -> tuple[AnswerInterval, ...]:
        subject = subject_of(store, target, Axis.FORCE, known)
        days, _ = edges(_periods_around(subject))
        return _intervals(store, target, subject, days, lambda day: (day, known))

    return store.memoized((over_force, target.canonical, known), found)


def answers_over_knowledge(store: Store, target: Name, on: date, today: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for one day of force on all days of knowledge, on the axis of force, in their order.

    Args:
        on: D, a civil date, the same for all.
        today: the civil date of today, the last day of knowledge.

    Returns:
        As for :func:`over_force`.
    """
    subject = subject_of(store, target, Axis.FORCE)
    _, days = edges(_periods_around(subject))
    if subject.whole is not None:  # a provision without a history of its own depends on the known texts of its norm
        days |= {version.view_date for version in subject.whole.versions if version.view_date is not None}
    return _intervals(store, target, subject, {day for day in days if day <= today}, lambda day: (on, day))


def _periods_around(subject: Subject) -> Iterable[BitemporalPeriod]:
    """Return all periods that may decide."""
    return (*subject.periods, *(subject.whole.periods if subject.whole is not None else ()))


def _intervals(
    store: Store,
    target: Name,
    subject: SummarizedSubject,
    edges: set[date],
    days_at: Callable[[date], tuple[date, date]],
) -> tuple[AnswerInterval, ...]:
    """Return the answers between edges, with equal neighbours merged.

    Args:
        edges: every day on which the answer may differ from the day before.
        days_at: returns the (D, K) of such a day.
    """
    if not edges:
        return ()
    days = sorted({*edges, subject.issued} if subject.issued > date.min else edges)  # decides on a presupposed text

    def answer(day: date) -> Decision:
        on, known = days_at(day)
        decided = decide(subject, on, known)
        if decided.period is None or decided.period.version is None:
            return decided
        return replace(decided, period=period_stated(store, target, decided.period, on, known, subject.axis))

    answers = [(day, answer(day)) for day in days]
    first = next((i for i, (_, decided) in enumerate(answers) if decided.status not in _NOTHING), len(answers))
    kept: list[tuple[date, Decision]] = []
    for day, decided in answers[first:]:
        if not kept or decided.answer != kept[-1][1].answer:
            kept.append((day, decided))
    if all(decided.status in {Status.UNKNOWN, *_NOTHING} for _, decided in kept):
        return ()
    return tuple(
        AnswerInterval(day, until, decided.status, decided.version)
        for (day, decided), until in zip(kept, (*(day for day, _ in kept[1:]), None), strict=True)
    )


def status_since(answer: InForce, intervals: Sequence[AnswerInterval]) -> date | None:
    """Return the first of the consecutive days with the status of D; None if it is not known.

    Args:
        answer: for one D and K.
        intervals: the answers for all days of force, as known on that K.
    """
    index = next((i for i, interval in enumerate(intervals) if interval.holds(answer.on)), None)
    if index is None or answer.status not in SINCE or intervals[index].status is not answer.status:
        return None
    return intervals[first_with_same_status(intervals, index)].start


def first_possible_start(because: Iterable[Reason], intervals: Sequence[AnswerInterval], index: int) -> date | None:
    """Return the first possible day of a status whose start has no last day in any source.

    The store takes the day on which it derived its periods as the first certain day of such a status: the source has
    the text, but that day dates nothing. A provision that starts by itself starts on its own day at the earliest.

    Args:
        because: the reasons of the answer.
        intervals: the answers for all days of force.
        index: that of the first interval with the status.

    Returns:
        None if the status before is not unknown, or if a source bounds the start.
    """
    if not index or intervals[index - 1].status is not Status.UNKNOWN:
        return None
    reasons = [(reason, day_stated(reason.effect)) for reason in because]
    start = intervals[index].start
    if any(effect is not None and effect.last == start for _, effect in reasons):
        return None
    own = [effect.first for reason, effect in reasons if reason.event == OWN_START and effect is not None]
    is_open = any(
        _is_undated(reason.version) if effect is None else effect.last is None and effect.first < start
        for reason, effect in reasons
    )
    return max((intervals[index - 1].start, *own)) if is_open else None


def _is_undated(version: str | None) -> bool:
    """Return whether a version has neither a first day nor bounds of it in its name."""
    name = parse(version) if version is not None else None
    return name is not None and name.version_date is None and name.versao is not None and not name.versao.visao_periodo


def first_with_same_status(intervals: Sequence[AnswerInterval], index: int) -> int:
    """Return the index of the first of adjacent intervals with the same status as the one at an index."""
    first = index
    while (
        first
        and intervals[first - 1].status is intervals[index].status
        and intervals[first - 1].until == intervals[first].start
    ):
        first -= 1
    return first


def merged_intervals(intervals: Sequence[AnswerInterval]) -> tuple[AnswerInterval, ...]:
    """Return the intervals; neighbours with the same version, or without one for the same reason, are merged."""
    merged: list[AnswerInterval] = []
    for interval in intervals:
        last = merged[-1] if merged else None
        if last is not None and (last.version, last.status, last.until) == (
            interval.version,
            interval.status,
            interval.start,
        ):
            merged[-1] = replace(last, until=interval.until)
        else:
            merged.append(interval)
    return tuple(merged)


def doubtful(intervals: Sequence[AnswerInterval]) -> frozenset[date]:
    """Return the bounds of intervals next to an unknown status: the known status may extend beyond them.

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
    return tuple(interval for interval in intervals if interval.status is not Status.NOT_PUBLISHED)
