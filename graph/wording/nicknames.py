"""The built-in nicknames of norms, with the days on which each meant its norm."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from io import StringIO

from graph.time.intervals import Interval
from graph.urn import parse
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
