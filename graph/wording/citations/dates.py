"""Dates, years and numbers as citations write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from graph.wording.folding import folded
from graph.wording.numerals import MONTHS, from_roman

#: Two digits up to this are years of the 2000s: no law of 1900 to 1930 is cited by two digits.
PIVOT = 30

_MONTH = "|".join((*MONTHS, "marco"))
_MONTH_NUMBERS = {folded(month): at for at, month in enumerate(MONTHS, start=1)}

#: ``nº`` in its many spellings, the ordinal sign lost to an ``o`` too.
NUMBER_MARK = r"n(?:[úu]meros?\b|r\.?|(?=\s\d)|\sos?(?=\s\d)|\.?\s?[º°ª]\.?s?\.?|os?\b\.?|s?\.|s\b)"
#: A number with points of thousands or without, the number of a reissue or a letter, the year behind a bar.
NUMBER = (
    r"(\d{1,3}(?:\.\d{3}){1,2}|\d{1,2}(?: \.|\. )\d{3}(?=\s?(?:/|,|d[ea]\s))|\d{1,7})(?!\.?\d)"
    r"(-\d{1,3}(?!\d|-|/\d{1,2}/)|[-–‑](?-i:[A-Z])(?![A-Za-zÀ-ú]))?(?:\s?/\s?(\d{4}|\d{2})(?!\d))?"
)
#: ``, de 5 de novembro de 1993``, ``de 24/08/2020``, ``, de 2007``; at the end of a clause ``de 91``.
DATE = (
    r",?\s*(?:,?\s*(?:ambas|ambos|todas|todos)\s+)?"
    r"(?:(?:de|em)(?:\s+|(?=\d))|(?<=,\s)(?=\d{1,2}[º°o]?\s+de\s))(?:"
    rf"(\d{{1,2}})\s?\.?\s?[º°o]?\s*(?:de\s+|de(?=[a-z]))?\s*({_MONTH})\s*(?:,\s*)?(?:de\s*)?"
    r"(\d{4}|[12]\.\d{3}|\d{2})(?!\d)"
    r"|(\d{1,2})(?:\s?[º°]|o(?=[/.-]))?([/.-])(\d{1,2}|(?-i:X(?:II?)?|I[XV]|VI{0,3}|I{1,3}))\5(\d{4}|\d{2})(?!\d)"
    rf"|(?:(?:{_MONTH})\s+de\s+)?((?:1[5-9]|20)\d{{2}}(?![\d/])|(?<=\bde\s)\d{{2}}(?=\s*(?:$|[)\];:]|[.,](?![\dIVX])))))"
)


@dataclass(frozen=True, slots=True)
class When:
    """A full date, or the year alone."""

    year: int
    day: date | None = None

    def __str__(self) -> str:
        return f"{self.year:04d}" if self.day is None else self.day.isoformat()


def year_of(text: str) -> int:
    """A year of four digits as it is; of two digits the nearest that law is cited by.

    >>> year_of("95"), year_of("05"), year_of("1850")
    (1995, 2005, 1850)
    """
    year = int(text.replace(".", ""))
    if len(text) > 2:
        return year
    return 2000 + year if year <= PIVOT else 1900 + year


def number_of(digits: str, reissue: str | None) -> str:
    """A number as names write it: without points, with the number of its reissue or its letter.

    >>> number_of("2.192", "-70"), number_of("3.890", "–A")
    ('2192-70', '3890-a')
    """
    behind = f"-{reissue[1:].lower()}" if reissue else ""
    return (re.sub(r"[.\s]", "", digits).lstrip("0") or "0") + behind


def when_of(found: re.Match[str], first: int) -> When | None:
    """What the eight groups of :data:`DATE` from ``first`` on say; None when they say no day of the calendar."""
    day, month, year, day_in_digits, _, month_in_digits, short_year, alone = found.groups()[first - 1 : first + 7]
    if alone is not None:
        return When(year_of(alone))
    if day is not None:
        when = year_of(year), _MONTH_NUMBERS[folded(month)], int(day)
    elif day_in_digits is not None:
        month_number = int(month_in_digits) if month_in_digits.isdigit() else from_roman(month_in_digits)
        when = year_of(short_year), month_number or 0, int(day_in_digits)
    else:
        return None
    try:
        return When(when[0], date(*when))
    except ValueError:
        return None
