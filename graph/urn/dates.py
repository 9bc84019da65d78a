"""Dates of Brazilian names: one, several, or a closed interval (LexML 1.0 part 2, section 4.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, TypeVar

from graph.urn.deviations import Accepted, Normalised, Reason
from graph.urn.scan import Mark, Read, Refused, element, shown

V = TypeVar("V")

#: Dates, and whether they are the ends of an interval.
Dates = tuple[tuple[date, ...], bool]

NO_DATES: Read[Dates] = Read(((), False))

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATES = "LexML 1.0 part 2, section 4.4"


def pieces(piece: str, separator: str) -> Iterable[tuple[str, int]]:
    """The items of ``piece`` between separators of one character, each with where it starts.

    >>> list(pieces("a,bc", ","))
    [('a', 0), ('bc', 2)]
    """
    at = 0
    for item in piece.split(separator):
        yield item, at
        at += len(item) + 1


def ordered(
    items: list[V], key: Callable[[V], Any], code: Normalised
) -> tuple[tuple[V, ...], tuple[Normalised, ...], bool]:
    """Sorted, without repetition; what that normalised, and whether something stood twice."""
    unique = list(dict.fromkeys(items))
    in_order = tuple(sorted(unique, key=key))
    return in_order, ((code,) if in_order != tuple(unique) else ()), len(unique) < len(items)


def dia(piece: str) -> date:
    """``data ::= year "-" month "-" day``, four, two and two digits, a day of the calendar (section 4.4)."""
    if not _DAY.fullmatch(piece):
        problem = f"expected a date YYYY-MM-DD, got {shown(piece)}"
        raise Refused(Reason.BAD_DATE, problem, 0, len(piece), _DATES)
    try:
        return date.fromisoformat(piece)
    except ValueError:
        problem = f"expected a day of the calendar, got {shown(piece)}"
        raise Refused(Reason.BAD_DATE, problem, 0, len(piece), _DATES) from None


def datas(piece: str) -> Read[Dates]:
    """Dates joined by commas, or ``[a,b]`` for the closed interval (section 4.4.1); the flag says which.

    An interval of one day is that day.

    >>> datas("[2003-05-01,2005-04-02]").value
    ((datetime.date(2003, 5, 1), datetime.date(2005, 4, 2)), True)
    """
    if len(piece) == 10:
        return Read(((dia(piece),), False))
    if not piece.startswith("["):
        days = [element(dia, item, at) for item, at in pieces(piece, ",")]
        in_order, normalised, repeated = ordered(days, lambda day: day, Normalised.DATES_SORTED)
        marks = (Mark(Accepted.REPEATED, 0, len(piece)),) if repeated else ()
        return Read((in_order, False), normalised, marks)
    first, comma, last = piece[1:-1].partition(",")
    if not piece.endswith("]") or not comma:
        problem = f"expected an interval [YYYY-MM-DD,YYYY-MM-DD], got {shown(piece)}"
        raise Refused(Reason.BAD_PERIOD, problem, 0, len(piece), "LexML 1.0 part 2, section 4.4.1")
    begin, end = element(dia, first, 1), element(dia, last, len(first) + 2)
    if end < begin:
        problem = f"expected an interval that runs forwards, got {shown(piece)}"
        raise Refused(Reason.BAD_PERIOD, problem, 0, len(piece), "LexML 1.0 part 2, section 4.4.1")
    if begin == end:
        return Read(((begin,), False), (Normalised.ONE_DAY,))
    return Read(((begin, end), True))
