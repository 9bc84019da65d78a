"""Terms in days, months and years: from the day of publication to the first day of force.

The rule is that of LC 95/1998, art. 8, § 1: the day of publication and the last day of the term are both counted, and
the law enters into force on the next day, whether or not it is a working day. A year or a month ends on the day with
the same number in the year or month in which it ends; where there is none, on the day that follows (Lei 810/1949, arts.
1 to 3). So 29 February and the 31st of a month may end a term on the first day of a month.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from graph.errors import BadDate

_COUNTING = re.compile(
    r"(?P<term>[^ ]+ [^ ]+) from (?P<since>[0-9-]{10})(?: \(counted (?P<day>[0-9-]{10})\))?", re.ASCII
)
_TERM = re.compile(r"([0-9]{1,4}) (day|month|year)(s?)", re.ASCII)
_EXPECTED = "a term such as 180 days, 6 months or 1 year, of at most 9999"
_ONE_DAY = timedelta(days=1)


class Unit(StrEnum):
    """The unit of a term."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Term:
    """A number of days, months or years, at least one.

    >>> str(Term(1, Unit.YEAR)), str(Term(180, Unit.DAY))
    ('1 year', '180 days')
    """

    number: int
    unit: Unit

    def __str__(self) -> str:
        return f"{self.number} {self.unit.value}{'s' if self.number > 1 else ''}"


def parse_term(text: str) -> Term:
    """A term from a number and its unit, in English.

    >>> parse_term("6 months") == Term(6, Unit.MONTH)
    True

    Raises:
        BadDate: the text has another form, or the number is zero or has more than four digits.
    """
    found = _TERM.fullmatch(text)
    if found is None or int(found[1]) == 0 or (int(found[1]) == 1 and found[3]):
        raise BadDate(text, _EXPECTED)
    return Term(int(found[1]), Unit(found[2]))


@dataclass(frozen=True, slots=True)
class Counting:
    """How a first day of force was counted (LC 95/1998, art. 8, § 1). Its text is the form that the graph keeps.

    Attributes:
        number, unit: the term.
        since: the day of publication, a civil date; the term is counted from it.
        counted: the day that the count gives, where a source states another, which precedes; else None.

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
    """The counting of which :class:`Counting` made the text.

    >>> parse_counting("1 year from 2002-01-11 (counted 2003-01-12)").counted
    datetime.date(2003, 1, 12)

    Raises:
        BadDate: the text has another form.
    """
    found = _COUNTING.fullmatch(text)
    try:
        if found is not None:
            term, day = parse_term(found["term"]), found["day"]
            counted = date.fromisoformat(day) if day is not None else None
            return Counting(term.number, term.unit, date.fromisoformat(found["since"]), counted)
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

    There is no 31 February: the month ends on 1 March. There is no 29 February in 2017, and there is one in 2020.

    >>> str(first_day_after(date(2018, 1, 31), parse_term("1 month")))
    '2018-03-02'
    >>> [str(first_day_after(date(2016, 2, 29), parse_term(term))) for term in ("1 year", "4 years")]
    ['2017-03-02', '2020-03-01']

    Raises:
        BadDate: the term ends after the last day of the calendar, in the year 9999.
    """
    try:
        return _last_day(published, term) + _ONE_DAY
    except (OverflowError, ValueError):
        raise BadDate(str(term), f"a term from {published} that ends before the year 10000") from None


def _last_day(published: date, term: Term) -> date:
    """The last day of a term: in days the day of publication is the first; else the day with the same number."""
    if term.unit is Unit.DAY:
        return published + timedelta(days=term.number - 1)
    months = term.number * (12 if term.unit is Unit.YEAR else 1)
    years, month = divmod(published.month - 1 + months, 12)
    year = published.year + years
    first = date(year, month + 1, 1)
    following = date(year + month // 11, (month + 1) % 12 + 1, 1)
    return min(first + timedelta(days=published.day - 1), following)
