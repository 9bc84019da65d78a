"""Header values: civil days as HTTP dates, and the validators of conditional requests (RFC 9110, section 13)."""

from __future__ import annotations

import re
from datetime import date

from starlette.requests import Request

from service.output import shown
from service.web.http.problems import Problem

# Civil days as HTTP dates. By declared convention day D is written ``D 00:00:00 GMT``.
#
# Memento (RFC 7089, section 2.1.1) requires a time of day, and law has only days. Any time of day D means day D. No
# value is converted between time zones, so that no day is shifted.


_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MOMENT = re.compile(
    rf"({'|'.join(_WEEKDAYS)}), ([0-9]{{2}}) ({'|'.join(_MONTHS)}) ([0-9]{{4}}) "
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60) GMT",
    re.ASCII,
)


def as_moment(day: date) -> str:
    """Return a civil day as an IMF-fixdate (RFC 9110, section 5.6.7).

    >>> as_moment(date(1991, 3, 11))
    'Mon, 11 Mar 1991 00:00:00 GMT'
    """
    return f"{_WEEKDAYS[day.weekday()]}, {day.day:02} {_MONTHS[day.month - 1]} {day.year:04} 00:00:00 GMT"


def day_of_moment(field: str) -> date:
    """Return the civil day of an ``Accept-Datetime`` field; the time of day is ignored.

    >>> day_of_moment("Mon, 11 Mar 1991 23:59:59 GMT")
    datetime.date(1991, 3, 11)

    Raises:
        Problem: 400 ``bad-accept-datetime``: malformed, not a day of the calendar, or with the wrong weekday.
    """
    match = _MOMENT.fullmatch(field.strip(" \t"))
    expected = "expected Accept-Datetime as in 'Mon, 11 Mar 1991 00:00:00 GMT' (RFC 7089, section 2.1.1)"
    if match is None:
        raise Problem(400, "bad-accept-datetime", f"{expected}, got {shown(field[:60])!r}")
    weekday, day, month, year = match.groups()
    try:
        civil = date(int(year), _MONTHS.index(month) + 1, int(day))
    except ValueError as error:
        raise Problem(400, "bad-accept-datetime", f"{expected}, a day of the calendar: {error}") from None
    if _WEEKDAYS[civil.weekday()] != weekday:
        problem = f"{expected}; {civil} is a {_WEEKDAYS[civil.weekday()]}, not a {weekday}"
        raise Problem(400, "bad-accept-datetime", problem)
    return civil


# Conditional requests (RFC 9110, section 13).


_STRONG = re.compile(r'(?<!W/)"[^"\x00-\x20\x7f]*"', re.ASCII)
_TAG = re.compile(r'(?:W/)?("[^"\x00-\x20\x7f]*")', re.ASCII)


def is_not_modified(request: Request, tag: str, *, exists: bool = True) -> bool:
    """Return whether ``If-None-Match`` has the entity tag, by weak comparison.

    Args:
        tag: the entity tag of the answer.
        exists: whether the answer is known to exist. Only then ``*`` matches and ``If-Match`` is evaluated.

    Raises:
        Problem: 412 where ``If-Match`` does not have the tag; a weak tag never matches (RFC 9110, section 13.1.1).
    """
    if "if-match" in request.headers:
        if not exists:
            return False  # If-Match precedes If-None-Match, and needs an existing answer
        named = ", ".join(request.headers.getlist("if-match")).strip()
        if named != "*" and tag not in _STRONG.findall(named):
            detail = f"expected an answer with a tag of If-Match, {named[:100]!a}; it has {tag}"
            raise Problem(412, "precondition-failed", detail)
    if "if-none-match" not in request.headers:
        return False
    field = ", ".join(request.headers.getlist("if-none-match")).strip()
    return exists if field == "*" else tag.removeprefix("W/") in _TAG.findall(field)
