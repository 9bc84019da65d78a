"""Spans of datestamps to ask for, and halving them (OAI-PMH 2.0, section 2.7.1: both ends count)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

#: The two granularities that the protocol has, as the length of one unit (OAI-PMH 2.0, section 3.3.1).
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def stamp(moment: datetime, unit: timedelta) -> str:
    """A moment as ``from`` and ``until`` take it (OAI-PMH 2.0, section 3.3).

    >>> stamp(datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), DAY)
    '2024-02-29'
    >>> stamp(datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), SECOND)
    '2024-02-29T23:59:59Z'
    >>> stamp(datetime(1, 1, 1, tzinfo=UTC), DAY)
    '0001-01-01'
    """
    return moment.date().isoformat() if unit == DAY else f"{moment.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


@dataclass(frozen=True, slots=True)
class Window:
    """The records stamped from ``start`` to ``end``, both counting; None leaves an end open.

    Attributes:
        start, end: aware moments in UTC.
    """

    start: datetime | None = None
    end: datetime | None = None

    def from_(self, unit: timedelta) -> str | None:
        """The argument ``from``."""
        return None if self.start is None else stamp(self.start, unit)

    def until(self, unit: timedelta) -> str | None:
        """The argument ``until``."""
        return None if self.end is None else stamp(self.end, unit)

    def is_apart(self, other: Window) -> bool:
        """Whether no moment lies in both.

        >>> day = lambda d: datetime(2024, 1, d, tzinfo=UTC)
        >>> Window(None, day(2)).is_apart(Window(day(3))), Window(None, day(3)).is_apart(Window(day(3)))
        (True, False)
        """
        return _is_before(self, other) or _is_before(other, self)

    def has_day(self, day: date) -> bool:
        """Whether any moment of a civil day (UTC) lies in it.

        >>> window = Window(datetime(2024, 1, 2, 12, tzinfo=UTC), datetime(2024, 1, 3, tzinfo=UTC))
        >>> [window.has_day(date(2024, 1, d)) for d in (1, 2, 3, 4)]
        [False, True, True, False]
        """
        return (self.start is None or self.start.date() <= day) and (self.end is None or day <= self.end.date())

    def halves(self, unit: timedelta, earliest: datetime, now: datetime) -> tuple[Window, Window] | None:
        """Two windows that hold between them what this one holds; None where one unit is left.

        Open ends stay open in the half that has them, so that no datestamp falls out.

        >>> day = lambda d: datetime(2024, 1, d, tzinfo=UTC)
        >>> left, right = Window(None, day(4)).halves(DAY, day(1), day(9))
        >>> left.until(DAY), right.from_(DAY), right.until(DAY)
        ('2024-01-02', '2024-01-03', '2024-01-04')
        >>> Window(day(1), day(1)).halves(DAY, day(1), day(9)) is None
        True

        Args:
            unit: the granularity.
            earliest: where an open start is taken to lie: the provider's earliest datestamp.
            now: where an open end is taken to lie.
        """
        end = _floor(self.end or now, unit)
        start = _floor(self.start or min(earliest, end), unit)
        units = (end - start) // unit
        if units <= 0:
            return None
        middle = start + unit * ((units - 1) // 2)
        return replace(self, end=_last(middle, unit)), replace(self, start=middle + unit)

    def __str__(self) -> str:
        first = "the beginning" if self.start is None else stamp(self.start, SECOND)
        return f"{first} to {'now' if self.end is None else stamp(self.end, SECOND)}"


def around(windows: Iterable[Window]) -> Window:
    """The smallest window that holds all of these.

    >>> day = lambda d: datetime(2024, 1, d, tzinfo=UTC)
    >>> str(around([Window(day(3)), Window(day(1), day(2))]))
    '2024-01-01T00:00:00Z to now'
    """
    starts, ends = zip(*((window.start, window.end) for window in windows), strict=True)
    known_starts, known_ends = [each for each in starts if each], [each for each in ends if each]
    return Window(
        min(known_starts) if len(known_starts) == len(starts) else None,
        max(known_ends) if len(known_ends) == len(ends) else None,
    )


def _is_before(one: Window, other: Window) -> bool:
    return one.end is not None and other.start is not None and one.end < other.start


def _floor(moment: datetime, unit: timedelta) -> datetime:
    """The beginning of the unit that a moment lies in."""
    if unit == DAY:
        return datetime.combine(moment.date(), time.min, tzinfo=UTC)
    return moment.replace(microsecond=0)


def _last(moment: datetime, unit: timedelta) -> datetime:
    """The last second of the unit that begins at a moment."""
    return moment + unit - SECOND
