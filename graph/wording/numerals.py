"""Numerals as law writes them: Roman numbers, ordinals in signs and words, letters of an alphabetic series, months.

Identifiers count in Arabic digits whatever the text writes (LexML 1.0 part 2, section 4.3.6; part 3, sections 5.3 to
5.5): ``art. 12-B`` is ``art12-2``, ``alínea c`` is ``ali3``.
"""

from __future__ import annotations

import re
from functools import lru_cache

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
    """A number from 1 to 3999 in Roman capitals.

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
    """The number that Roman capitals or small letters write in their one right form; None for any other text.

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
    """The letters that count to a number as spreadsheets do: a to z, aa, ab and so on.

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
    """The number that up to four letters count to; None for any other text.

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


def ordinal(number: int, *, feminine: bool = False) -> str:
    """An ordinal as law writes it: with a sign up to nine, bare from ten on (Lei Complementar nº 95/1998, art. 10).

    >>> ordinal(9), ordinal(10), ordinal(1, feminine=True)
    ('9º', '10', '1ª')
    """
    if number > 9:
        return str(number)
    return f"{number}{'ª' if feminine else 'º'}"


@lru_cache(maxsize=4096)
def from_ordinal(text: str) -> int | None:
    """The number of an ordinal in words, masculine or feminine, up to ``centésimo nono``; None for any other text.

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
