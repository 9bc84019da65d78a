"""Civil dates: days without time or zone, today's date in Brazil, and terms counted in days, months and years.

Intervals are half open, ``[from, until)``. A civil date never passes through a time zone.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graph.errors import BadDate, BadParameter

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_YEAR = re.compile(r"[0-9]{4}", re.ASCII)

ONE_DAY = timedelta(days=1)


@lru_cache(maxsize=1 << 10)
def parse_day(text: str) -> date:
    """Return the day written ``YYYY-MM-DD`` (LexML 1.0 part 2, section 4.4); no other form, time or zone is accepted.

    >>> parse_day("1990-09-11")
    datetime.date(1990, 9, 11)

    Raises:
        BadDate: the text has another form or is not a day of the calendar.
    """
    if not _DAY.fullmatch(text):
        raise BadDate(text)
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadDate(text, f"a day of the calendar ({error})") from None


@lru_cache(maxsize=1 << 10)
def leading_day(text: str) -> date | None:
    """Return the day at the beginning of a timestamp, with any text after it; None if there is no day.

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
    """The bounds of the day of an event: one of the days ``[first, last]``, both included.

    ``last`` is None if there is no upper bound. A known day has ``first == last``.

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
        """Return bounds that allow only that day."""
        return cls(day, day)

    @classmethod
    def in_year(cls, year: int) -> When:
        """Return bounds that allow each day of a year: a date with only the year (LexML 1.0 part 2, section 10.1)."""
        return cls(date(year, 1, 1), date(year, 12, 31))

    @classmethod
    def not_before(cls, day: date) -> When:
        """Return bounds that allow that day and all later ones, for an event that cannot be older than its cause."""
        return cls(day, None)

    @classmethod
    def after(cls, earlier: When, last: date | None) -> When:
        """Return the bounds of an event that follows another one, if a source states only their order.

        Both bounds may have days in common. By convention the later ones begin one day after the earlier ones, so that
        :meth:`is_after` finds the order in them.

        >>> year = When.in_year(1990)
        >>> str(When.after(year, year.last)), When.after(year, year.last).is_after(year), year.is_after(year)
        ('1990-01-02/1990-12-31', True, False)
        """
        return cls(earlier.first + ONE_DAY, last)

    def is_after(self, earlier: When) -> bool:
        """Return whether these bounds state by the convention of :meth:`after` that the event follows another one."""
        return self.first == earlier.first + ONE_DAY

    @property
    def exact(self) -> date | None:
        """Return the day if it is known; else None."""
        return self.first if self.first == self.last else None

    def possible_on(self, day: date) -> bool:
        """Return whether the event may have happened by the end of ``day``."""
        return self.first <= day

    def certain_on(self, day: date) -> bool:
        """Return whether the event has certainly happened by the end of ``day``."""
        return self.last is not None and self.last <= day

    @property
    def days_of_change(self) -> tuple[date, ...]:
        """Return the days on which :meth:`possible_on` or :meth:`certain_on` changes, ascending."""
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
    """Return the bounds written as a day, a year, ``day/day`` or ``day/..``: the inverse of ``str``.

    >>> str(parse_when("1993")), str(parse_when("2008-06-19/.."))
    ('1993', '2008-06-19/..')

    Raises:
        BadDate: the text has another form, or the last day is before the first.
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


# Today's date: the civil date in Brazil, unless ``VIGENTE_TIMEZONE`` names another zone.
#
# Only this section reads a clock for a civil date. The zone of the process (``TZ``) is not used: a server with UTC
# would use the next day's date from 21:00 in Brasília on.


#: The time zone of Brasília, the default.
BRASILIA = "America/Sao_Paulo"
#: The environment variable that names another zone.
ZONE_VARIABLE = "VIGENTE_TIMEZONE"


def zone() -> ZoneInfo:
    """Return the time zone of today's civil date.

    Raises:
        BadParameter: the variable does not name a zone of the IANA database.
    """
    return _zone(os.environ.get(ZONE_VARIABLE) or BRASILIA)


@lru_cache(maxsize=8)
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        problem = f"expected {ZONE_VARIABLE} to be a zone of the IANA database, such as {BRASILIA}, got {name[:60]!r}"
        raise BadParameter(problem) from None


def today() -> date:
    """Return the civil date at this moment.

    Raises:
        BadParameter: as for :func:`zone`.
    """
    return _now().astimezone(zone()).date()


def seconds_left(day: date) -> int:
    """Return the whole seconds from now until the end of a civil day, rounded down; 0 if it is over.

    If clocks change at midnight, the day has its local length.

    Raises:
        BadParameter: as for :func:`zone`.
    """
    end = datetime.combine(day + ONE_DAY, time(), zone()).astimezone(UTC)
    return max(0, int((end - _now()).total_seconds()))


def day_before(day: date) -> date:
    """Return the day before a day; for the first day of the calendar, which has none, that day.

    >>> str(day_before(date(1990, 9, 11))), str(day_before(date.min))
    ('1990-09-10', '0001-01-01')
    """
    return max(day, _SECOND_DAY) - ONE_DAY


def day_after(day: date) -> date:
    """Return the day after a day; for the last day of the calendar, which has none, that day.

    >>> str(day_after(date(1990, 9, 11))), str(day_after(date.max))
    ('1990-09-12', '9999-12-31')
    """
    return min(day, _LAST_BUT_ONE) + ONE_DAY


def _now() -> datetime:
    return datetime.now(UTC)


# Terms in days, months and years: from the day of publication to the first day of force.
#
# The rule is that of LC 95/1998, art. 8, § 1: the day of publication and the last day of the term are both counted, and
# the law enters into force on the next day, whether or not it is a working day. A term in months or years ends on the
# day with the same number in its last month; if that month has no such day, on the next day (Lei 810/1949, arts. 1 to
# 3). So 29 February and the 31st of a month may end a term on the first day of a month.


_COUNTING = re.compile(
    r"(?P<term>[^ ]+(?: [^ ]+){1,2}) from (?P<since>[0-9-]{10})(?: \(counted (?P<day>[0-9-]{10})\))?", re.ASCII
)
_TERM = re.compile(r"([0-9]{1,4}) ((?:following )?(?:month|year)|day)(s?)", re.ASCII)
_EXPECTED = "a term such as 180 days, 6 months or 1 year, of at most 9999"
_SECOND_DAY, _LAST_BUT_ONE = date.min + ONE_DAY, date.max - ONE_DAY


class Unit(StrEnum):
    """The unit of a term; a following month or year counts from its first day."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    FOLLOWING_MONTH = "following month"
    FOLLOWING_YEAR = "following year"


@dataclass(frozen=True, slots=True)
class Term:
    """A number of days, months or years, at least one.

    >>> str(Term(1, Unit.YEAR)), str(Term(180, Unit.DAY))
    ('1 year', '180 days')
    """

    number: int
    unit: Unit

    def __str__(self) -> str:
        return f"{self.number} {self.unit.value}{'' if self.number == 1 else 's'}"


def parse_term(text: str) -> Term:
    """Return the term of a number and its unit, in English.

    >>> parse_term("6 months") == Term(6, Unit.MONTH)
    True

    Raises:
        BadDate: the text has another form, or the number is zero or has more than four digits.
    """
    match = _TERM.fullmatch(text)
    if match is None or int(match[1]) == 0 or (int(match[1]) == 1 and match[3]):
        raise BadDate(text, _EXPECTED)
    return Term(int(match[1]), Unit(match[2]))


_NO_TERM = Term(0, Unit.DAY)


@dataclass(frozen=True, slots=True)
class Counting:
    """How a first day of force was counted (LC 95/1998, art. 8, § 1). The graph stores its text form.

    Attributes:
        number, unit: the term; zero days if the publication counts, because no source states the first day of force.
        since: the day of publication, a civil date; the start of the count.
        counted: if a source states another day, which takes precedence, the counted day; else None.

    >>> from datetime import date
    >>> str(Counting(180, Unit.DAY, date(2015, 7, 7)))
    '180 days from 2015-07-07'
    """

    number: int
    unit: Unit
    since: date
    counted: date | None = None

    def __str__(self) -> str:
        text = f"{Term(self.number, self.unit)} from {self.since}"
        return text if self.counted is None else f"{text} (counted {self.counted})"


def parse_counting(text: str) -> Counting:
    """Return the counting from the text form of :class:`Counting`.

    >>> parse_counting("1 year from 2002-01-11 (counted 2003-01-12)").counted
    datetime.date(2003, 1, 12)

    Raises:
        BadDate: the text has another form.
    """
    match = _COUNTING.fullmatch(text)
    try:
        if match is not None:
            term, day = _NO_TERM if match["term"] == str(_NO_TERM) else parse_term(match["term"]), match["day"]
            counted = date.fromisoformat(day) if day is not None else None
            return Counting(term.number, term.unit, date.fromisoformat(match["since"]), counted)
    except ValueError:
        pass
    raise BadDate(text, "a term and the day from which it was counted, such as 180 days from 2015-07-07")


def first_day_after(published: date, term: Term) -> date:
    """Return the first day of force of a law published on a day, if it enters into force after a term.

    >>> str(first_day_after(date(2015, 3, 17), parse_term("1 year")))
    '2016-03-18'
    >>> str(first_day_after(date(2015, 7, 7), parse_term("180 days")))
    '2016-01-03'
    >>> str(first_day_after(date(2002, 1, 11), parse_term("1 year")))
    '2003-01-12'
    >>> [str(first_day_after(date(2016, 3, 12), parse_term(f"1 following {unit}"))) for unit in ("month", "year")]
    ['2016-04-01', '2017-01-01']

    There is no 31 February: the month ends on 1 March. There is no 29 February in 2017, and there is one in 2020.

    >>> str(first_day_after(date(2018, 1, 31), parse_term("1 month")))
    '2018-03-02'
    >>> [str(first_day_after(date(2016, 2, 29), parse_term(term))) for term in ("1 year", "4 years")]
    ['2017-03-02', '2020-03-01']

    Raises:
        BadDate: the term ends after the last day of the calendar, in the year 9999.
    """
    try:
        return _last_day(published, term) + ONE_DAY
    except (OverflowError, ValueError):
        raise BadDate(str(term), f"a term from {published} that ends before the year 10000") from None


def _last_day(published: date, term: Term) -> date:
    """Return the last day of a term.

    The day of publication is the first day of a term in days. The last day of a term in months or years has the same
    number as the day of publication.
    """
    if term.unit is Unit.DAY:
        return published + timedelta(days=term.number - 1)
    if term.unit is Unit.FOLLOWING_YEAR:
        return date(published.year + term.number, 1, 1) - ONE_DAY
    months = term.number * (12 if term.unit is Unit.YEAR else 1)
    years, month = divmod(published.month - 1 + months, 12)
    if term.unit is Unit.FOLLOWING_MONTH:
        return date(published.year + years, month + 1, 1) - ONE_DAY
    year = published.year + years
    first = date(year, month + 1, 1)
    following = date(year + month // 11, (month + 1) % 12 + 1, 1)
    return min(first + timedelta(days=published.day - 1), following)
