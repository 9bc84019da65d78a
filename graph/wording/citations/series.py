"""The numbers of federal norms by day: a law with another number is of a state or a municipality.

Federal laws, complementary laws, decrees, decree-laws and constitutional amendments each have one series of numbers, in
the order of their dates. ``federal_series.csv`` holds some norms of each series.
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

#: The lowest fictional number, used by examples and tests; no series has reached it.
_FICTIONAL = 99_901
#: The maximum deviation of numbers from the order of dates, and the maximum number of norms in a year, by type.
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
    """The known norms of one type, in the order of their dates."""

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
    """Return whether a federal norm of a type can have a number in a year or on a day; None if this is unknown.

    >>> fits_federal_series("lei", "8078", 1990, date(1990, 9, 11)), fits_federal_series("lei", "10261", 1968)
    (True, False)
    >>> fits_federal_series("lei", "3071", 1916), fits_federal_series("portaria", "1", 2001)
    (None, None)

    Args:
        kind: the type in the spelling of names.
        number: the number in the spelling of names.
        year: the year.
        day: the day; None for any day of the year.
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
            return None  # the numbers restarted
    else:
        highest = series.numbers[-1] + slack + yearly * ((last - series.days[-1]).days + 1) // _DAYS_OF_A_YEAR
    return lowest <= int(digits) <= highest
