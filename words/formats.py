"""Days and numbers as a language writes them, by the data of Babel."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal

_LOCALES = {"pt-BR": Locale("pt", "BR"), "en": Locale("en", "001")}
_DAYS = {"pt-BR": "dd/MM/yyyy", "en": "d MMMM y"}


@lru_cache(maxsize=1 << 12)
def day_in(language: str, day: date) -> str:
    """Return a civil day.

    >>> day_in("pt-BR", date(1991, 3, 11)), day_in("en", date(1991, 3, 11))
    ('11/03/1991', '11 March 1991')
    """
    return format_date(day, _DAYS[language], locale=_LOCALES[language])


def number_in(language: str, number: int) -> str:
    """Return a whole number with separators of thousands.

    >>> number_in("pt-BR", 8078), number_in("en", 8078)
    ('8.078', '8,078')
    """
    return format_decimal(number, locale=_LOCALES[language])
