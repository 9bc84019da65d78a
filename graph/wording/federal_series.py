"""Which numbers federal norms had on which days: a law that fits no federal number is of a state or a municipality.

Federal laws, complementary laws, decrees, decree-laws and constitutional amendments are numbered in one series each, in
the order of their days. ``federal_series.csv`` holds some norms of each series.
"""

from __future__ import annotations

import csv
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from io import StringIO
from itertools import pairwise

#: Numbers from here on are fictional: examples and tests have them, no series has come so far.
_FICTIONAL = 99_901
#: By type: how far numbers may be out of the order of their days, and how many a year has at most.
_SLACK = {
    "lei": (12, 500),
    "lei.complementar": (2, 20),
    "decreto": (40, 900),
    "decreto.lei": (20, 900),
    "emenda.constitucional": (2, 16),
}
_DAYS_OF_A_YEAR = 365


@dataclass(frozen=True, slots=True)
class _Series:
    """The known norms of one type, in the order of their days."""

    days: tuple[date, ...]
    numbers: tuple[int, ...]


@cache
def _series() -> dict[str, _Series]:
    text = files("graph.wording").joinpath("federal_series.csv").read_text("utf-8")
    known: dict[str, list[tuple[date, int]]] = {}
    for row in csv.DictReader(StringIO(text)):
        known.setdefault(row["tipo"], []).append((date.fromisoformat(row["dia"]), int(row["numero"])))
    return {
        kind: _Series(tuple(day for day, _ in sorted(listed)), tuple(number for _, number in sorted(listed)))
        for kind, listed in known.items()
    }


def fits_federal_series(kind: str, number: str, year: int, day: date | None = None) -> bool | None:
    """Whether a federal norm of a type can have a number in a year or on a day; None where the table does not decide.

    >>> fits_federal_series("lei", "8078", 1990, date(1990, 9, 11)), fits_federal_series("lei", "10261", 1968)
    (True, False)
    >>> fits_federal_series("lei", "3071", 1916), fits_federal_series("portaria", "1", 2001)
    (None, None)

    Args:
        kind: the type as a name writes it.
        number: the number as a name writes it.
        year: the year; where no day is given, any day of it counts.
        day: the day.
    """
    series = _series().get(kind)
    digits = number.partition("-")[0]
    if series is None or not digits.isdecimal() or len(digits) > len(str(_FICTIONAL)) or int(digits) >= _FICTIONAL:
        return None
    first, last = (day, day) if day is not None else (date(year, 1, 1), date(year, 12, 31))
    before, behind = bisect_right(series.days, first) - 1, bisect_left(series.days, last)
    if before < 0:
        return None
    slack, yearly = _SLACK[kind]
    lowest = series.numbers[before] - slack
    if behind < len(series.days):
        highest = series.numbers[behind] + slack
        between = series.numbers[before : behind + 1]
        if any(later < earlier for earlier, later in pairwise(between)):
            return None  # the series began anew
    else:
        highest = series.numbers[-1] + slack + yearly * ((last - series.days[-1]).days + 1) // _DAYS_OF_A_YEAR
    return lowest <= int(digits) <= highest
