"""Numbers and days as written in Brazil: Roman numbers, ordinals, letters as numbers, months, dates and years.

Identifiers always have Arabic digits (LexML 1.0 part 2, section 4.3.6; part 3, sections 5.3 to 5.5):
``art. 12-B`` is ``art12-2``, ``alínea c`` is ``ali3``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from graph.civil import parse_day, today
from graph.errors import BadDate
from graph.wording.folding import folded

#: Portuguese names of the months, January first.
MONTHS = (
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)
MONTHS_EN = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

_ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
_ROMAN_WORD = re.compile(r"M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})", re.ASCII)
_LARGEST_ROMAN = 3999
_ALPHABET = 26
_LONGEST_LETTERS = 4

_UNITS = {
    "primeir": 1,
    "segund": 2,
    "terceir": 3,
    "quart": 4,
    "quint": 5,
    "sext": 6,
    "setim": 7,
    "oitav": 8,
    "non": 9,
}
_TENS = {
    "decim": 10,
    "vigesim": 20,
    "trigesim": 30,
    "quadragesim": 40,
    "quinquagesim": 50,
    "sexagesim": 60,
    "septuagesim": 70,
    "octogesim": 80,
    "nonagesim": 90,
    "centesim": 100,
}


def roman(number: int) -> str:
    """Return a number from 1 to 3999 in Roman capitals.

    >>> roman(49)
    'XLIX'

    Raises:
        ValueError: the number has no Roman form.
    """
    if not 1 <= number <= _LARGEST_ROMAN:
        raise ValueError(f"expected a number from 1 to {_LARGEST_ROMAN}, got {number}")
    written: list[str] = []
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        written.append(sign * count)
    return "".join(written)


@lru_cache(maxsize=4096)
def from_roman(text: str) -> int | None:
    """Return the number of a canonical Roman numeral in upper or lower case; None for any other text.

    >>> from_roman("xlix"), from_roman("IIX"), from_roman("")
    (49, None, None)
    """
    upper = text.upper()
    if not upper or _ROMAN_WORD.fullmatch(upper) is None:
        return None
    total = 0
    for value, sign in _ROMAN:
        while upper.startswith(sign):
            total += value
            upper = upper.removeprefix(sign)
    return total


def letters(number: int) -> str:
    """Return the letters of a number in the order of the columns of a spreadsheet: a to z, aa, ab and so on.

    >>> letters(1), letters(26), letters(28)
    ('a', 'z', 'ab')

    Raises:
        ValueError: the number is below 1.
    """
    if number < 1:
        raise ValueError(f"expected a number from 1 up, got {number}")
    written = ""
    while number:
        number, rest = divmod(number - 1, _ALPHABET)
        written = chr(ord("a") + rest) + written
    return written


def from_letters(text: str) -> int | None:
    """Return the number of up to four letters; None for any other text.

    >>> from_letters("AB"), from_letters("é")
    (28, None)
    """
    lower = text.lower()
    if not 1 <= len(lower) <= _LONGEST_LETTERS or not (lower.isascii() and lower.isalpha()):
        return None
    number = 0
    for letter in lower:
        number = number * _ALPHABET + ord(letter) - ord("a") + 1
    return number


def ordinal(number: int) -> str:
    """Return an ordinal in legal notation: with the ordinal sign up to 9, as a plain number from 10
    (Lei Complementar nº 95/1998, art. 10).

    >>> ordinal(9), ordinal(10)
    ('9º', '10')
    """
    return str(number) if number > 9 else f"{number}º"


@lru_cache(maxsize=4096)
def from_ordinal(text: str) -> int | None:
    """Return the number of an ordinal in words, masculine or feminine, up to ``centésimo nono``; None for any other
    text.

    >>> from_ordinal("Décima Primeira"), from_ordinal("vigésimo"), from_ordinal("sexta-feira")
    (11, 20, None)
    """
    total = 0
    place = 3
    for word in folded(text).replace("-", " ").split():
        stem = word[:-1] if word[-1] in "oa" else ""
        value = _TENS.get(stem) or _UNITS.get(stem)
        if value is None or len(str(value)) > place:
            return None
        total += value
        place = len(str(value)) - 1
    return total or None


def ordinal_in_words(number: int, *, feminine: bool = False) -> tuple[str, ...]:
    """Return the folded words of an ordinal from 1 to 99.

    >>> ordinal_in_words(13), ordinal_in_words(2, feminine=True)
    (('decimo', 'terceiro'), ('segunda',))
    """
    stems = {value: stem for listed in (_UNITS, _TENS) for stem, value in listed.items()}
    parts = (number // 10 * 10, number % 10)
    return tuple(f"{stems[part]}{'a' if feminine else 'o'}" for part in parts if part)


# Dates, years and numbers in the notation of citations.


#: The largest two-digit year that is in the 2000s: laws of 1900 to 1930 are not cited by two digits.
PIVOT = 30

_MONTH = "|".join((*MONTHS, "marco"))
_MONTH_NUMBERS = {folded(month): position for position, month in enumerate(MONTHS, start=1)}

#: ``nº`` in its many spellings, also with an ``o`` in place of the ordinal sign.
NUMBER_MARK = r"n(?:[úu]meros?\b|r\.?|(?=\s\d)|\sos?(?=\s\d)|\.?\s?[º°ª]\.?s?\.?|os?\b\.?|s?\.|s\b)"
#: A number with or without separators of thousands, the number of a reissue or a letter, and the year after a slash.
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
    """Return a year of four digits unchanged, and a year of two digits with its century.

    >>> year_of("95"), year_of("05"), year_of("1850")
    (1995, 2005, 1850)
    """
    year = int(text.replace(".", ""))
    if len(text) > 2:
        return year
    return 2000 + year if year <= PIVOT else 1900 + year


def number_of(digits: str, reissue: str | None) -> str:
    """Return a number in the notation of names: without dots, with the number of its reissue or its letter.

    >>> number_of("2.192", "-70"), number_of("3.890", "–A")
    ('2192-70', '3890-a')
    """
    behind = f"-{reissue[1:].lower()}" if reissue else ""
    return (re.sub(r"[.\s]", "", digits).lstrip("0") or "0") + behind


def when_of(match: re.Match[str], first: int) -> When | None:
    """Return the date in the eight groups of :data:`DATE` from ``first`` on; None if it is not a valid day."""
    day, month, year, day_in_digits, _, month_in_digits, short_year, alone = match.groups()[first - 1 : first + 7]
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


# Days in Brazilian notation: ``01/06/1993``, ``1º de junho de 1993``, ``hoje``; also ``1993-06-01``.


_MONTHS = {folded(month): number for number, month in enumerate(MONTHS, start=1)}
_DAY = (
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[º°]?[/.-][0-9]{1,2}[/.-][0-9]{4}"
    rf"|(?:[0-9]{{1,2}}\s?[º°o]?|primeiro)\s+de\s+(?:{'|'.join((*MONTHS, 'marco'))})(?:\s+de|,)?\s+[0-9]{{4}}"
    r"|hoje|ontem)"
)
_NUMBERS = re.compile(r"([0-9]{1,2})[º°]?([/.-])([0-9]{1,2})\2([0-9]{4})", re.ASCII)
_WORDS = re.compile(r"([0-9]{1,2}|primeiro)\s?[º°o]?\s+de\s+([a-z]+)(?:\s+de|,)?\s+([0-9]{4})", re.ASCII)
#: Words before the day on which a text applies; the date of a norm is preceded by ``de``.
_APPLIES = (
    r"(?:vigentes?\s+|em\s+vigor\s+|v[áa]lid[ao]s?\s+|como\s+era\s+|reda[çc][ãa]o\s+)?"
    r"(?:em|n[oa]\s+(?:dia|data(?:\s+de)?))"
)
_AT_THE_END = re.compile(
    rf"(?:\A|[\s,;]+)(?:{_APPLIES}\s+({_DAY})|(?:(?:vigentes?|em\s+vigor|v[áa]lid[ao]s?)\s+)?(hoje|ontem))[\s.,;]*\Z",
    re.IGNORECASE,
)
_YEAR_AT_THE_END = re.compile(
    rf"[\s,;]+(?:{_APPLIES}|n[oa]\s+ano(?:\s+de)?)\s+([0-9]{{4}})[\s.,;]*\Z", re.IGNORECASE | re.ASCII
)
#: The maximum length of a text that is read as a day, and of the end of a text that is searched for one, in characters.
_LONGEST, _LONGEST_TEXT = 60, 1_000
#: The range of plausible years; a day outside of it is a typing error.
FIRST_DAY, LAST_DAY = date(1500, 1, 1), date(2199, 12, 31)


def read_day(text: str) -> date:
    """Return the civil date in a text; the day precedes the month, and the year has four digits.

    >>> read_day("01/06/1993"), read_day("1º de junho de 1993"), read_day("1993-06-01")
    (datetime.date(1993, 6, 1), datetime.date(1993, 6, 1), datetime.date(1993, 6, 1))

    Raises:
        BadDate: the text is not a date, or not a day of the calendar.
    """
    normalized = " ".join(text.split())
    plain = folded(normalized) if len(normalized) <= _LONGEST else ""
    if plain in ("hoje", "ontem"):
        return today() - timedelta(plain == "ontem")
    if (match := _NUMBERS.fullmatch(normalized)) is not None:
        day, _, month, year = match.groups()
        return _day(text, int(year), int(month), int(day))
    if (match := _WORDS.fullmatch(plain)) is not None and match[2] in _MONTHS:
        return _day(text, int(match[3]), _MONTHS[match[2]], 1 if match[1] == "primeiro" else int(match[1]))
    return parse_day(text)


def _day(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise BadDate(text[:_LONGEST], f"a day of the calendar ({error})") from None


def day_at_end(text: str) -> tuple[str, date] | None:
    """Return a text without the day of application at its end, and that day; None if it has none.

    >>> day_at_end("art. 57 do CDC em 1º de junho de 1993")
    ('art. 57 do CDC', datetime.date(1993, 6, 1))
    >>> day_at_end("LGPD hoje") == ("LGPD", today()), day_at_end("hoje")
    (True, None)
    >>> day_at_end("Lei nº 8.078, de 11 de setembro de 1990") is None
    True
    """
    match = _AT_THE_END.search(text) if len(text) <= _LONGEST_TEXT else None
    if match is None:
        return None
    try:
        day = read_day(match[1] or match[2])
    except BadDate:
        return None
    before = text[: match.start()].strip()
    return (before, day) if before and FIRST_DAY <= day <= LAST_DAY else None


def year_at_end(text: str) -> tuple[str, int] | None:
    """Return a text without the year of application at its end, and that year; None if it has none.

    >>> year_at_end("art. 57 do CDC em 1993"), year_at_end("cdc art 57 no ano de 1993")
    (('art. 57 do CDC', 1993), ('cdc art 57', 1993))
    >>> year_at_end("lei 8.078 de 1990"), year_at_end("cdc em 01/06/1993")
    (None, None)
    """
    match = _YEAR_AT_THE_END.search(text) if len(text) <= _LONGEST_TEXT else None
    if match is None:
        return None
    before, year = text[: match.start()].strip(), int(match[1])
    return (before, year) if before and FIRST_DAY.year <= year <= LAST_DAY.year else None


def day_of_year(year: int, today: date) -> date:
    """Return the day for a year of application without a day: the last of the year; today for the current year.

    >>> day_of_year(1993, date(2020, 5, 4)), day_of_year(2020, date(2020, 5, 4))
    (datetime.date(1993, 12, 31), datetime.date(2020, 5, 4))
    """
    return today if year == today.year else date(year, 12, 31)


def impossible_day_at_end(text: str) -> tuple[str, str] | None:
    """Return a text without the invalid day at its end, and that day as written; None if it has none.

    >>> impossible_day_at_end("lgpd em 31/02/2020")
    ('lgpd', '31/02/2020')
    >>> impossible_day_at_end("lgpd em 28/02/2020") is None
    True
    """
    match = _AT_THE_END.search(text) if len(text) <= _LONGEST_TEXT else None
    if match is None or not (before := text[: match.start()].strip()):
        return None
    try:
        day = read_day(match[1] or match[2])
    except BadDate:
        return before, match[1] or match[2]
    return None if FIRST_DAY <= day <= LAST_DAY else (before, match[1] or match[2])
