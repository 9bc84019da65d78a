"""The datestamps of OAI-PMH: days or seconds in UTC, as they should be written and as they are (section 3.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Literal

from graph.civil import parse_day
from graph.errors import BadDate

_SECOND = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_EXPECTED = "YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, OAI-PMH 2.0, section 3.3"


class Granularity(StrEnum):
    """How finely a provider dates its records (OAI-PMH 2.0, section 2.7.1)."""

    DAY = "YYYY-MM-DD"
    SECOND = "YYYY-MM-DDThh:mm:ssZ"


@dataclass(frozen=True, slots=True)
class Datestamp:
    """When a record was last changed at its provider.

    Attributes:
        text: as written, without the white space around it.
        day: the day, in UTC unless there is a doubt.
        moment: the second, in UTC; None when only a day is known.
        doubt: why more than the day, or the day itself, is not sure; None for a text of one of the two forms.
    """

    text: str
    day: date
    moment: datetime | None = None
    doubt: str | None = None

    @property
    def granularity(self) -> Granularity:
        """How much of it is known."""
        return Granularity.DAY if self.moment is None else Granularity.SECOND


def parse_datestamp(text: str) -> Datestamp:
    """A datestamp from either form; of any other text that begins with a day, that day with a doubt.

    >>> parse_datestamp("2026-01-02T03:04:05Z").granularity
    <Granularity.SECOND: 'YYYY-MM-DDThh:mm:ssZ'>
    >>> print(parse_datestamp("2008-07-08-10:20:20:002221").day)
    2008-07-08

    Raises:
        BadDate: the text does not begin with a day of the calendar.
    """
    text = text.strip(" \t\r\n")
    try:
        day = parse_day(text[:10])
    except BadDate as error:
        expected = f"a day of the calendar, {_EXPECTED}" if "calendar" in str(error) else _EXPECTED
        raise BadDate(text if len(text) <= 60 else text[:60] + "...", expected) from None
    if len(text) == 10:
        return Datestamp(text, day)
    if _SECOND.fullmatch(text):
        try:
            return Datestamp(text, day, datetime.fromisoformat(text))
        except ValueError:
            return Datestamp(text, day, None, "it names a time that the day does not have")
    return Datestamp(text, day, None, f"only its day could be read: expected {_EXPECTED}")


def is_datestamp(text: str) -> bool:
    """Whether a text is a datestamp of one of the two forms, with nothing in doubt.

    >>> is_datestamp("2026-01-02"), is_datestamp("2026-01-02 03:04:05")
    (True, False)
    """
    try:
        return parse_datestamp(text).doubt is None
    except BadDate:
        return False


def format_datestamp(when: date | datetime, granularity: Granularity) -> str:
    """A day or a moment as an argument ``from`` or ``until`` (OAI-PMH 2.0, section 2.7.1).

    >>> format_datestamp(datetime(2026, 1, 2, 3, 4, 5, 999999, tzinfo=UTC), Granularity.SECOND)
    '2026-01-02T03:04:05Z'
    >>> format_datestamp(date(2026, 1, 2), Granularity.DAY)
    '2026-01-02'

    Args:
        when: a moment must have a time zone; what is finer than the granularity is cut off.

    Raises:
        BadDate: a moment without a time zone, or seconds asked of a day.
    """
    if not isinstance(when, datetime):
        if granularity is Granularity.SECOND:
            raise BadDate(when.isoformat(), "a moment: a day does not say which second of it is meant")
        return when.isoformat()
    if when.tzinfo is None:
        raise BadDate(when.isoformat(), "a moment with its time zone")
    utc = when.astimezone(UTC)
    return utc.date().isoformat() if granularity is Granularity.DAY else f"{utc:%Y-%m-%dT%H:%M:%S}Z".rjust(20, "0")


def compare(one: Datestamp, other: Datestamp) -> Literal[-1, 0, 1] | None:
    """Which datestamp is earlier: -1 the first, 1 the second, 0 neither, None when their texts don't tell.

    Two days that are equal are the same datestamp; a day and a second of it cannot be told apart. Of a datestamp
    in doubt only the day counts, and equal days tell nothing.

    >>> compare(parse_datestamp("2026-01-02"), parse_datestamp("2026-01-03T00:00:00Z"))
    -1
    >>> compare(parse_datestamp("2026-01-02"), parse_datestamp("2026-01-02T00:00:00Z")) is None
    True
    """
    if one.moment is not None and other.moment is not None:
        return _order(one.moment, other.moment)
    if one.day == other.day and (one.granularity != other.granularity or one.doubt or other.doubt):
        return None
    return _order(one.day, other.day)


def _order(one: date, other: date) -> Literal[-1, 0, 1]:
    return -1 if one < other else 1 if one > other else 0
