"""The built-in nicknames of norms, with the days on which each meant its norm."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from io import StringIO

from graph.time.intervals import Interval
from graph.urn import Name, parse
from graph.wording.folding import words


@dataclass(frozen=True, slots=True)
class Nickname:
    """A name by which a norm is known, and the days on which it meant that norm: ``[since, until)``.

    A text cannot mean a later norm. ``since`` is the day of publication or entry into force if the table has it, else
    the first day that the name of the norm allows.
    """

    text: str
    name: str
    since: date | None
    until: date | None

    def fits(self, day: date) -> bool:
        """Return whether the nickname meant the norm on a day."""
        return Interval(self.since or date.min, self.until).holds(day)


@cache
def nicknames() -> dict[str, tuple[Nickname, ...]]:
    """Return the built-in nicknames by their folded words; for one nickname, the oldest norm first."""
    text = files("graph.wording").joinpath("apelidos.csv").read_text("utf-8")
    by_words: dict[str, list[Nickname]] = {}
    for row in csv.DictReader(StringIO(text)):
        since = date.fromisoformat(row["desde"]) if row["desde"] else parse(row["nome"]).oldest_day
        until = date.fromisoformat(row["ate"]) if row["ate"] else None
        nickname = Nickname(row["apelido"], row["nome"], since, until)
        by_words.setdefault(" ".join(words(nickname.text)), []).append(nickname)
    return {key: tuple(listed) for key, listed in by_words.items()}


@cache
def _nicknames_by_norm() -> dict[str, tuple[Nickname, ...]]:
    by_norm: dict[str, list[Nickname]] = {}
    for listed in nicknames().values():
        for nickname in listed:
            by_norm.setdefault(nickname.name, []).append(nickname)
    return {name: tuple(listed) for name, listed in by_norm.items()}


def popular_name(norm: Name, stated: Iterable[str], day: date) -> str | None:
    """Return the name that people use for a norm on a day, with its abbreviation; None if it has none.

    >>> from graph.urn import Name, parse
    >>> popular_name(parse("urn:lex:br:federal:lei:2018-08-14;13709"), (), date(2020, 1, 1))
    'Lei Geral de Proteção de Dados Pessoais (LGPD)'

    Args:
        norm: a norm without version.
        stated: the nicknames that sources state.
        day: a civil date.
    """
    listed = _nicknames_by_norm().get(norm.canonical, ())
    texts = [*(nickname.text for nickname in listed if nickname.fits(day)), *stated]
    names = [text for text in texts if not text.isupper()]
    if not names:
        return None
    short = next((text for text in texts if text.isupper() and f"({text})" not in names[0]), None)
    return f"{names[0]} ({short})" if short is not None else names[0]
