"""The days on which a text changes. The sources may give a day only within bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from graph.civil import ONE_DAY
from graph.store import Store
from graph.time.kinds import Axis, Status
from graph.urn import Name
from queries.intervals import AnswerInterval
from queries.text.composition import OPEN, changes_by_part

#: The maximum distance of the bounds of a change that divides the texts of a norm. The bounds of a lapsed provisional
#: measure have at most this distance; those of promulgated words without a day are wider.
_WIDEST = timedelta(days=2 * 366)


@dataclass(frozen=True, slots=True)
class ChangeDay:
    """The day of a change, exact or within bounds.

    Attributes:
        first, last: the first and the last possible day; None if a bound is unknown.
    """

    first: date | None
    last: date | None

    @property
    def exact(self) -> date | None:
        """Return the day if it is known; else None."""
        return self.first if self.first == self.last else None

    @property
    def is_vague(self) -> bool:
        """Return whether both bounds are known, and are so far apart that they date nothing."""
        return self.first is not None and self.last is not None and self.last - self.first > _WIDEST

    def is_settled(self, on: date) -> bool:
        """Return whether the change has certainly happened by a day."""
        return self.last is not None and self.last <= on

    def is_pending(self, on: date) -> bool:
        """Return whether the change may have happened by a day, but may also happen later."""
        return (self.first is None or self.first <= on) and not self.is_settled(on)


def change_days(store: Store, name: Name, known: date) -> tuple[ChangeDay, ...]:
    """Return the days of force on which any part of a text changes, on the axis of force.

    Changes of its parts with vague bounds are left out.

    Args:
        store: an opened store.
        name: a norm or provision, without version.
        known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    key = change_days, name.canonical, known

    def computed() -> tuple[ChangeDay, ...]:
        changes = _all_changes(store, name, known)
        own = change_days_of_part(store, name, known) if any(change.is_vague for change in changes) else ()
        return tuple(change for change in changes if not change.is_vague or change in own)

    return store.cached(key, computed)


def is_determined(store: Store, name: Name, on: date, known: date) -> bool:
    """Return whether no part of a text has a change that may have happened by D or may happen later.

    Changes with vague bounds count. The arguments are those of :func:`change_days`, and D, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return not any(change.is_pending(on) for change in _all_changes(store, name, known))


def ends_vague_change(store: Store, name: Name, day: date | None, known: date) -> bool:
    """Return whether a day is only the last possible day of a change of a part with vague bounds.

    The other arguments are those of :func:`change_days`.
    """
    changes = [change for change in _all_changes(store, name, known) if change.last == day]
    own = change_days_of_part(store, name.work, known) if changes else ()
    return bool(changes) and all(change.is_vague and change not in own for change in changes)


def _all_changes(store: Store, name: Name, known: date) -> tuple[ChangeDay, ...]:
    def computed() -> tuple[ChangeDay, ...]:
        parts = changes_by_part(store, name, known.isoformat())
        return tuple(dict.fromkeys(change for steps in parts for change in _changes_of_part(steps)))

    return store.cached((_all_changes, name.canonical, known), computed)


def change_days_of_part(store: Store, name: Name, known: date) -> tuple[ChangeDay, ...]:
    """Return the days on which a norm or provision itself changes, without its parts."""
    day, steps = known.isoformat(), list[tuple[str, str]]()
    end: str | None = None
    periods = (period_row for period_row in store.summary(name.iri).periods() if Axis.FORCE in period_row.axes)
    for period in sorted(periods, key=lambda period_row: period_row.start):
        if period.is_known(day):
            if end is not None and end < period.start:
                steps.append((end, ""))
            state = period.version or (OPEN if period.status.value == Status.UNKNOWN else "")
            if not steps or steps[-1][1] != state:
                steps.append((period.start, state))
            end = period.end
    if end is not None:
        steps.append((end, ""))
    return tuple(_changes_of_part(steps))


def _changes_of_part(steps: Sequence[tuple[str, str]]) -> Iterator[ChangeDay]:
    """Yield the changes of one part from its days and states.

    The state of a part is unknown between the bounds of a change. If a wording after such bounds lasts a single day,
    its day is uncertain too, because another change follows within the same bounds.
    """
    bounds: ChangeDay | None = None  # of the previous change
    for index, (day, state) in enumerate(steps):
        if not day:
            continue
        today = date.fromisoformat(day)
        if state.startswith(OPEN):
            until = date.fromisoformat(steps[index + 1][0]) if index + 1 < len(steps) else None
            bounds = ChangeDay(today, until)
            yield bounds
            continue
        if index > 0 and steps[index - 1][1].startswith(OPEN):
            if not steps[index - 1][0]:  # a change with its bounds is already yielded
                yield ChangeDay(None, today)
            continue
        if bounds is not None and bounds.last is not None and bounds.last == today - ONE_DAY:
            bounds = ChangeDay(bounds.first, today)
        else:
            bounds = None
        yield bounds or ChangeDay(today, today)


def last_change(changes: Iterable[ChangeDay], after: date, on: date) -> ChangeDay | None:
    """Return the day of the last change that has certainly happened by D.

    Args:
        changes: the days of all changes.
        after: earlier changes, and those of this day, are left out.
        on: D, a civil date.

    Returns:
        None if no change has certainly happened after the given day.
    """
    settled = [
        change for change in changes if change.is_settled(on) and change.last is not None and change.last > after
    ]
    if not settled:
        return None
    firsts = [change.first for change in settled if change.first is not None]
    return ChangeDay(max(firsts, default=None), max(change.last for change in settled if change.last is not None))


def pending_change(changes: Iterable[ChangeDay], on: date) -> ChangeDay | None:
    """Return the bounds of the changes that may have happened by D and may also happen later; None for none."""
    pending = [change for change in changes if change.first is not None and change.is_pending(on)]
    if not pending:
        return None
    firsts, lasts = [change.first for change in pending if change.first], [change.last for change in pending]
    return ChangeDay(min(firsts), None if None in lasts else max(day for day in lasts if day is not None))


def uncertain_days(changes: Iterable[ChangeDay]) -> dict[date, ChangeDay]:
    """Return the bounds of changes by each day that is a bound and not the exact day of another change."""
    exact = {change_day.exact for change_day in changes}
    bounds: dict[date, ChangeDay] = {}
    for change in changes:
        for day in (change.first, change.last):
            if change.exact is None and day is not None and day not in exact:
                bounds[day] = _combined_bounds(bounds.get(day, change), change)
    return bounds


def _combined_bounds(change: ChangeDay, other: ChangeDay) -> ChangeDay:
    firsts, lasts = (change.first, other.first), (change.last, other.last)
    return ChangeDay(
        None if None in firsts else min(day for day in firsts if day is not None),
        None if None in lasts else max(day for day in lasts if day is not None),
    )


def joined_within_bounds(rows: Iterable[AnswerInterval], changes: Sequence[ChangeDay]) -> tuple[AnswerInterval, ...]:
    """Return intervals of texts; those within the bounds of a change are joined.

    Neighbours with the same status that no change divides, or without a text, are joined too.

    Args:
        rows: the intervals of :func:`queries.text.composition.texts_over_force`.
        changes: the days of the changes, as known on the same day.
    """
    uncertain = uncertain_days(changes)
    edges = {day for change in changes for day in (change.first, change.last)}

    def is_pending(day: date) -> bool:
        return pending_change(changes, day) is not None

    intervals: list[AnswerInterval] = []
    for row in rows:
        before = intervals[-1] if intervals else None
        if (
            before is not None
            and (row.version, row.status) == (before.version, before.status)
            and (
                row.version is None
                or row.start not in edges
                or (row.start in uncertain and all(map(is_pending, (before.start, row.start))))
            )
        ):
            intervals[-1] = replace(before, until=row.until)
        else:
            intervals.append(row)
    return tuple(intervals)


def is_between(row: AnswerInterval, changes: Sequence[ChangeDay]) -> bool:
    """Return whether a text begins on the first possible day of a change whose day is unknown."""
    return row.start in uncertain_days(changes) and pending_change(changes, row.start) is not None
