"""The days on which a text changes. The sources may give a day only within bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name
from queries.intervals import AnswerInterval
from queries.reasons import Status
from queries.text.composition import OPEN, changes_by_part

_ONE_DAY = timedelta(days=1)


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

    def is_settled(self, on: date) -> bool:
        """Return whether the change has certainly happened by a day."""
        return self.last is not None and self.last <= on

    def is_pending(self, on: date) -> bool:
        """Return whether the change may have happened by a day, or may happen later."""
        return (self.first is None or self.first <= on) and not self.is_settled(on)


def change_days(store: Store, name: Name, known: date) -> tuple[ChangeDay, ...]:
    """Return the days of force on which any part of a text changes, on the axis of force.

    Args:
        store: an opened store.
        name: a norm or provision, without version.
        known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    key = change_days, name.canonical, known

    def found() -> tuple[ChangeDay, ...]:
        parts = changes_by_part(store, name, known.isoformat())
        return tuple(dict.fromkeys(one for steps in parts for one in _of_part(steps)))

    return store.cached(key, found)


def change_days_of_part(store: Store, name: Name, known: date) -> tuple[ChangeDay, ...]:
    """Return the days on which a norm or provision itself changes, without its parts."""
    day, steps = known.isoformat(), list[tuple[str, str]]()
    end: str | None = None
    periods = (one for one in store.summary(name.iri).periods() if Axis.FORCE in one.axes)
    for one in sorted(periods, key=lambda each: each.start):
        if one.known_from <= day and (one.known_until is None or day < one.known_until):
            if end is not None and end < one.start:
                steps.append((end, ""))
            state = one.version or (OPEN if one.status.value == Status.UNKNOWN else "")
            if not steps or steps[-1][1] != state:
                steps.append((one.start, state))
            end = one.end
    if end is not None:
        steps.append((end, ""))
    return tuple(_of_part(steps))


def _of_part(steps: Sequence[tuple[str, str]]) -> Iterator[ChangeDay]:
    """Yield the changes of one part from its days and states.

    The state of a part is unknown between the bounds of a change. If a wording after such bounds lasts a single day,
    its day is uncertain too, because another change follows within the same bounds.
    """
    bounds: ChangeDay | None = None  # of the previous change
    for at, (day, state) in enumerate(steps):
        if not day:
            continue
        today = date.fromisoformat(day)
        if state.startswith(OPEN):
            until = date.fromisoformat(steps[at + 1][0]) if at + 1 < len(steps) else None
            bounds = ChangeDay(today, until)
            yield bounds
            continue
        after_open = at > 0 and steps[at - 1][1].startswith(OPEN)
        if after_open and steps[at - 1][0]:
            continue  # already yielded with its bounds
        if bounds is not None and bounds.last is not None and bounds.last == today - _ONE_DAY:
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
    settled = [one for one in changes if one.is_settled(on) and one.last is not None and one.last > after]
    if not settled:
        return None
    firsts = [one.first for one in settled if one.first is not None]
    return ChangeDay(max(firsts, default=None), max(one.last for one in settled if one.last is not None))


def pending_change(changes: Iterable[ChangeDay], on: date) -> ChangeDay | None:
    """Return the bounds of the changes that may have happened by D or may happen later; None if there are none."""
    pending = [one for one in changes if one.first is not None and one.is_pending(on)]
    if not pending:
        return None
    firsts, lasts = [one.first for one in pending if one.first], [one.last for one in pending]
    return ChangeDay(min(firsts), None if None in lasts else max(one for one in lasts if one is not None))


def uncertain_days(changes: Iterable[ChangeDay]) -> dict[date, ChangeDay]:
    """Return the bounds of changes by each day that is a bound and not the exact day of another change."""
    exact = {one.exact for one in changes}
    found: dict[date, ChangeDay] = {}
    for one in changes:
        for day in (one.first, one.last):
            if one.exact is None and day is not None and day not in exact:
                found[day] = _joined(found.get(day, one), one)
    return found


def _joined(one: ChangeDay, other: ChangeDay) -> ChangeDay:
    firsts, lasts = (one.first, other.first), (one.last, other.last)
    return ChangeDay(
        None if None in firsts else min(day for day in firsts if day is not None),
        None if None in lasts else max(day for day in lasts if day is not None),
    )


def joined_within_bounds(rows: Iterable[AnswerInterval], changes: Sequence[ChangeDay]) -> tuple[AnswerInterval, ...]:
    """Return intervals of texts; those within the bounds of a change are joined.

    Neighbours with one status and without a text are joined too.

    Args:
        rows: the intervals of :func:`queries.text.composition.same_over_force`.
        changes: the days of the changes, as known on the same day.
    """
    uncertain = uncertain_days(changes)

    def is_pending(day: date) -> bool:
        return pending_change(changes, day) is not None

    found: list[AnswerInterval] = []
    for row in rows:
        before = found[-1] if found else None
        if (
            before is not None
            and (row.version, row.status) == (before.version, before.status)
            and (row.version is None or (row.start in uncertain and all(map(is_pending, (before.start, row.start)))))
        ):
            found[-1] = replace(before, until=row.until)
        else:
            found.append(row)
    return tuple(found)


def is_between(row: AnswerInterval, changes: Sequence[ChangeDay]) -> bool:
    """Return whether a text begins on the first possible day of a change whose day is unknown."""
    return row.start in uncertain_days(changes) and pending_change(changes, row.start) is not None
