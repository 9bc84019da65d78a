"""Civil dates: days without time and zone, and bounds for days that are not known exactly.

Intervals are half open, ``[from, until)``. A civil date never passes through a time zone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from graph.errors import BadDate

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_YEAR = re.compile(r"[0-9]{4}", re.ASCII)


@lru_cache(maxsize=1 << 10)
def parse_day(text: str) -> date:
    """A day from ``YYYY-MM-DD`` (LexML 1.0 part 2, section 4.4); no other spelling, no time, no zone.

    >>> parse_day("1990-09-11")
    datetime.date(1990, 9, 11)

    Raises:
        BadDate: the text has another form or names a day that the calendar does not have.
    """
    if not _DAY.fullmatch(text):
        raise BadDate(text)
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadDate(text, f"a day of the calendar ({error})") from None


@lru_cache(maxsize=1 << 10)
def leading_day(text: str) -> date | None:
    """Return the day at the beginning of a timestamp, whatever follows it; None if there is no day.

    >>> leading_day("2008-07-08-10:20:20:002221")
    datetime.date(2008, 7, 8)
    >>> leading_day("08/07/2008") is None
    True
    """
    try:
        return parse_day(text[:10])
    except BadDate:
        return None


@dataclass(frozen=True, slots=True)
class When:
    """When something happened, as far as it is known: on one of the days ``[first, last]``.

    ``last`` is None when nothing bounds it from above. A known day has ``first == last``.

    >>> When.on(date(1993, 5, 22)).certain_on(date(1993, 5, 22))
    True
    >>> year = When.in_year(1990)
    >>> year.possible_on(date(1990, 1, 1)), year.certain_on(date(1990, 12, 30)), year.certain_on(date(1990, 12, 31))
    (True, False, True)
    """

    first: date
    last: date | None

    @classmethod
    def on(cls, day: date) -> When:
        """Exactly that day."""
        return cls(day, day)

    @classmethod
    def in_year(cls, year: int) -> When:
        """Some day of that year: a date known only by its year (LexML 1.0 part 2, section 10.1)."""
        return cls(date(year, 1, 1), date(year, 12, 31))

    @classmethod
    def not_before(cls, day: date) -> When:
        """Some day from that one on: the date is not known, but its cause is no older."""
        return cls(day, None)

    @property
    def exact(self) -> date | None:
        """The day, when it is known; else None."""
        return self.first if self.first == self.last else None

    def possible_on(self, day: date) -> bool:
        """Whether it may have happened by the end of ``day``."""
        return self.first <= day

    def certain_on(self, day: date) -> bool:
        """Whether it surely has happened by the end of ``day``."""
        return self.last is not None and self.last <= day

    @property
    def breaks(self) -> tuple[date, ...]:
        """The days on which :meth:`possible_on` or :meth:`certain_on` changes, ascending."""
        if self.last is None or self.last == self.first:
            return (self.first,)
        return (self.first, self.last)

    def __str__(self) -> str:
        if self.exact is not None:
            return self.first.isoformat()
        if self.last is None:
            return f"{self.first.isoformat()}/.."
        if (self.first, self.last) == (date(self.first.year, 1, 1), date(self.first.year, 12, 31)):
            return f"{self.first.year:04d}"
        return f"{self.first.isoformat()}/{self.last.isoformat()}"


def parse_when(text: str) -> When:
    """A :class:`When` from a day, a year, ``day/day`` or ``day/..``: the inverse of ``str``.

    >>> str(parse_when("1993")), str(parse_when("2008-06-19/.."))
    ('1993', '2008-06-19/..')

    Raises:
        BadDate: none of these forms, or the interval runs backwards.
    """
    if _YEAR.fullmatch(text) and int(text) >= 1:
        return When.in_year(int(text))
    first, slash, last = text.partition("/")
    begin = parse_day(first)
    if not slash:
        return When.on(begin)
    if last == "..":
        return When.not_before(begin)
    end = parse_day(last)
    if end < begin:
        raise BadDate(text, "an interval that runs forwards")
    return When(begin, end)
