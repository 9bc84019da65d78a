"""Intervals of civil days, and bitemporal periods: rectangles of days of force and days of knowledge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from graph.time.kinds import Axis, Status


@dataclass(frozen=True, slots=True)
class Interval:
    """Civil days ``[start, until)``; ``until`` is None if there is no last day.

    An interval has at least one day; ``date.min`` as its start means that no first day is known.

    >>> from datetime import date
    >>> law = Interval(date(1990, 9, 11), date(1991, 3, 11))
    >>> law.holds(date(1991, 3, 10)), law.holds(date(1991, 3, 11))
    (True, False)
    """

    start: date
    until: date | None

    @property
    def edges(self) -> frozenset[date]:
        """The first day, and the day after the last one if there is one."""
        return frozenset({self.start} if self.until is None else {self.start, self.until})

    def holds(self, day: date) -> bool:
        """Return whether the interval contains a day."""
        return self.start <= day and (self.until is None or day < self.until)

    def overlaps(self, other: Interval) -> bool:
        """Return whether two intervals have a day in common."""
        return (self.until is None or other.start < self.until) and (other.until is None or self.start < other.until)

    def intersection(self, other: Interval) -> Interval | None:
        """Return the days that two intervals have in common; None if there are none."""
        if not self.overlaps(other):
            return None
        ends = [end for end in (self.until, other.until) if end is not None]
        return Interval(max(self.start, other.start), min(ends, default=None))

    def split(self, days: Iterable[date]) -> Iterator[Interval]:
        """Yield the parts of the interval between some days, ascending; each of these days begins a part.

        >>> from datetime import date
        >>> [str(part.start) for part in Interval(date(2001, 1, 1), None).split([date(2002, 1, 1), date(2000, 1, 1)])]
        ['2001-01-01', '2002-01-01']
        """
        start = self.start
        for day in sorted({day for day in days if self.holds(day)} - {start}):
            yield Interval(start, day)
            start = day
        yield Interval(start, self.until)


@dataclass(frozen=True, slots=True)
class BitemporalPeriod:
    """Days ``days``, as known on days ``known``, on which a work has one status.

    ``version`` is a member's name if and only if ``status`` is in-force. ``because`` has the names of the deciding
    events, or of undated members. If a cause fell, it has the event that does not count and then the events that ended
    its cause. A version in force, or a vacatio, that follows from its own days needs no reason.
    """

    axes: frozenset[Axis]
    status: Status
    version: str | None
    because: tuple[str, ...]
    days: Interval
    known: Interval

    def holds(self, day: date, known: date) -> bool:
        """Return whether the period contains (D, K)."""
        return self.days.holds(day) and self.known.holds(known)
