"""Checks of the values that users give to the public API."""

from __future__ import annotations

from datetime import date, datetime, time

from graph.civil import parse_day
from graph.errors import BadDate, BadParameter
from graph.urn import Name


def checked_name(name: str | Name) -> str | Name:
    """Return the name. Values that are not texts, such as missing values of a data frame, are refused."""
    if not isinstance(name, str | Name):
        raise BadParameter(f"expected a name as text or vigente.Name, got {name!r}")
    return name


def optional_day(day: date | str | None) -> date | None:
    """Return a civil date. A timestamp must be at midnight without a time zone, as in data frames."""
    if day is None:
        return None
    if isinstance(day, str):
        return parse_day(day)
    if isinstance(day, datetime):
        if day.tzinfo is not None or day.time() != time.min:
            raise BadDate(str(day), "a day without a time or time zone")
        return day.date()
    if not isinstance(day, date):
        raise BadDate(str(day), "a datetime.date or a text YYYY-MM-DD")
    return day


def required_day(day: date | str) -> date:
    """Return a civil date, as :func:`optional_day`; None is refused."""
    parsed = optional_day(day)
    if parsed is None:
        raise BadDate("None", "a datetime.date or a text YYYY-MM-DD")
    return parsed
