"""Intervals: the days with an equal answer, from rows.

The answer of :func:`queries.in_force` is the same on all days of an interval. From the first day with an answer on, the
intervals have no gaps. Revoked, annulled, suspended and in vacatio are answers too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from graph.read_model.rectangles import OPEN, Rectangle, coalesced, day_of
from graph.read_model.rows import rectangle
from graph.store import Store
from graph.terms import day_stated
from graph.time.intervals import Interval
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, parse
from queries.answers import InForce, Period
from queries.evidence import OWN_START
from queries.reasons import Reason
from queries.status import Decided, decided_rows, is_dated, period_on, periods_of, sorted_periods

# The periods of an identifier that several provisions had in sequence.


def periods_of_place(store: Store, occupants: Sequence[Name]) -> tuple[Period, ...]:
    """Return the periods of an identifier that several provisions had in sequence, sorted by day of knowledge.

    Args:
        store: an opened store.
        occupants: the provisions, without version; the store has records of each.

    Raises:
        StoreProblem: the store cannot be read.
    """
    ranked = [(occupant, period) for occupant in occupants for period in periods_of(store, occupant)]
    ranked.sort(key=lambda pair: precedence(pair[1], pair[0]), reverse=True)
    taken: dict[Axis, list[Rectangle]] = {axis: [] for axis in Axis}
    alike: dict[tuple[Axis, Status, str | None], list[Rectangle]] = {}
    for _, period in ranked:
        days = rectangle(period.valid, period.known)
        alike.setdefault((period.axis, period.status, period.version), []).extend(days.without(taken[period.axis]))
        taken[period.axis].append(days)
    return sorted_periods(
        period_on(days, status, version, axis)
        for (axis, status, version), held in alike.items()
        for days in coalesced(held)
    )


def precedence(period: Period, occupant: Name) -> tuple[bool, bool, bool, bool, date]:
    """Return the sort key of several periods for one (D, K) of a shared identifier: the greatest decides.

    A text in force decides first. If several are in force, a provision whose name states the inserting norm
    decides: other sources have one history of all provisions with the identifier. If none is, one that has not
    ended decides, such as one in the vacatio of its norm.
    """
    in_force, fragment = period.version is not None, occupant.fragmento
    named = in_force and fragment is not None and fragment.inserido_por is not None
    has_ended = period.status in ENDED
    return in_force, named, not has_ended, period.status is Status.UNKNOWN, period.valid_from


# Intervals with one answer: over days of force as known today, and over days of knowledge for one day of force.


#: Statuses with a known first day.
SINCE = frozenset({*ENDED, Status.SUSPENDED, *(status for status in Status if status.stands)})


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
        on K, no period is known, or every day is before publication or has an unknown status.
    """
    day = known.toordinal()
    if not is_dated(store, target, day, Axis.FORCE):
        return ()
    rows = (each for each in decided_rows(store, target, Axis.FORCE) if each.row.days.is_known(day))
    return _intervals((each.row.days.start, each.row.days.until, each) for each in rows)


def answers_over_knowledge(store: Store, target: Name, on: date, today: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for one day of force on all days of knowledge, on the axis of force, in their order.

    Args:
        on: D, a civil date, the same for all.
        today: the civil date of today, the last day of knowledge.

    Returns:
        As for :func:`over_force`.
    """
    if not is_dated(store, target, None, Axis.FORCE):
        return ()
    day, last = on.toordinal(), today.toordinal()
    rows = (
        each
        for each in decided_rows(store, target, Axis.FORCE)
        if each.row.days.start <= day < each.row.days.until and each.row.days.known <= last
    )
    ends = ((each.row.days.known, each.row.days.known_until, each) for each in rows)
    return _intervals((start, until if until <= last else OPEN, each) for start, until, each in ends)


def _intervals(rows: Iterable[tuple[int, int, Decided]]) -> tuple[AnswerInterval, ...]:
    """Return the answers of rows between ordinals, and of the days between rows; equal neighbours are joined."""
    kept: list[tuple[int, Status, str | None]] = []
    last, end = None, OPEN
    for start, until, each in sorted(rows, key=lambda row: row[:2]):
        if each.status is Status.NOT_PUBLISHED:
            continue
        if end < start:
            kept.append((end, Status.NOT_PUBLISHED, None))
            last = None
        if last is None or (each.rectangle, each.reason) != (last.rectangle, last.reason):
            kept.append((start, each.status, each.version))
        last, end = each, until
    if all(status in {Status.UNKNOWN, Status.NOT_PUBLISHED} for _, status, _ in kept):
        return ()
    if end < OPEN:
        kept.append((end, Status.NOT_PUBLISHED, None))
    return tuple(
        AnswerInterval(day_of(start) or date.max, day_of(until), status, version)
        for (start, status, version), until in zip(kept, (*(start for start, *_ in kept[1:]), OPEN), strict=True)
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
