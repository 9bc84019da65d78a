"""Days as people write them in Brazil: ``01/06/1993``, ``1º de junho de 1993``, ``hoje``; also ``1993-06-01``."""

from __future__ import annotations

import re
from datetime import date, timedelta

from graph.civil import parse_day
from graph.errors import BadDate
from graph.today import today
from graph.wording.folding import folded
from graph.wording.numerals import MONTHS

_MONTHS = {folded(month): number for number, month in enumerate(MONTHS, start=1)}
_DAY = (
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[º°]?[/.-][0-9]{1,2}[/.-][0-9]{4}"
    rf"|(?:[0-9]{{1,2}}\s?[º°o]?|primeiro)\s+de\s+(?:{'|'.join((*MONTHS, 'marco'))})(?:\s+de|,)?\s+[0-9]{{4}}"
    r"|hoje|ontem)"
)
_NUMBERS = re.compile(r"([0-9]{1,2})[º°]?([/.-])([0-9]{1,2})\2([0-9]{4})", re.ASCII)
_WORDS = re.compile(r"([0-9]{1,2}|primeiro)\s?[º°o]?\s+de\s+([a-z]+)(?:\s+de|,)?\s+([0-9]{4})", re.ASCII)
#: What says that a day is the one on which a text applies; the day of a norm has ``de`` in front.
_APPLIES = (
    r"(?:vigentes?\s+|em\s+vigor\s+|v[áa]lid[ao]s?\s+|como\s+era\s+|reda[çc][ãa]o\s+)?"
    r"(?:em|n[oa]\s+(?:dia|data(?:\s+de)?))"
)
_AT_THE_END = re.compile(rf"(?:\A|[\s,;]+){_APPLIES}\s+({_DAY})[\s.,;]*\Z", re.IGNORECASE)
#: Longest text that is read as a day, and of which the end is read, in characters.
_LONGEST, _LONGEST_TEXT = 60, 1_000
#: A day after the year of Christ 1500 and before 2200 is one of law; another is a slip.
_FIRST, _LAST = date(1500, 1, 1), date(2199, 12, 31)


def read_day(text: str) -> date:
    """Return the civil date that a text writes; the day comes before the month, and a year has four digits.

    >>> read_day("01/06/1993"), read_day("1º de junho de 1993"), read_day("1993-06-01")
    (datetime.date(1993, 6, 1), datetime.date(1993, 6, 1), datetime.date(1993, 6, 1))

    Raises:
        BadDate: it writes none, or one that the calendar does not have.
    """
    said = " ".join(text.split())
    plain = folded(said) if len(said) <= _LONGEST else ""
    if plain in ("hoje", "ontem"):
        return today() - timedelta(plain == "ontem")
    if (found := _NUMBERS.fullmatch(said)) is not None:
        day, _, month, year = found.groups()
        return _day(text, int(year), int(month), int(day))
    if (found := _WORDS.fullmatch(plain)) is not None and found[2] in _MONTHS:
        return _day(text, int(found[3]), _MONTHS[found[2]], 1 if found[1] == "primeiro" else int(found[1]))
    return parse_day(text)


def _day(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise BadDate(text[:_LONGEST], f"a day of the calendar ({error})") from None


def day_at_end(text: str) -> tuple[str, date] | None:
    """Return a text without the day at its end on which it is to apply, and that day; None where it has none.

    >>> day_at_end("art. 57 do CDC em 1º de junho de 1993")
    ('art. 57 do CDC', datetime.date(1993, 6, 1))
    >>> day_at_end("Lei nº 8.078, de 11 de setembro de 1990") is None
    True
    """
    found = _AT_THE_END.search(text) if len(text) <= _LONGEST_TEXT else None
    if found is None:
        return None
    try:
        day = read_day(found[1])
    except BadDate:
        return None
    before = text[: found.start()].strip()
    return (before, day) if before and _FIRST <= day <= _LAST else None
