"""Periods of what has many, found by the day that is asked without reading the others: tables in the file of names.

A period is a rectangle of days in force and days of knowledge, and no two of one clock overlap. Each stands at one day
of its knowledge: that which comes first where all days are halved again and again (an interval tree, laid out as rows
as in Kriegel, Poetke and Seidl, "Managing Intervals Efficiently in Object-Relational Databases", VLDB 2000). All that
stand at one day are known on it, so that their days in force have nothing in common: of each of the few days that lead
to K, only the last period that starts by D can hold (D, K).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date

from graph.entities import Axis
from graph.summaries import CLOCKS, periods_apart

#: The tables. Days are counted as :meth:`datetime.date.toordinal` does, ends not included; ``clocks`` are the letters
#: of summaries: one row of ``many`` stands for both where all periods of the name are on both.
PERIODS_SCHEMA = (
    "CREATE TABLE many (id INTEGER PRIMARY KEY, name TEXT NOT NULL, clocks TEXT NOT NULL, UNIQUE (name, clocks))",
    """
    CREATE TABLE periods (
        many INTEGER NOT NULL, stands INTEGER NOT NULL, start INTEGER NOT NULL, until INTEGER NOT NULL,
        known INTEGER NOT NULL, known_until INTEGER NOT NULL, packed TEXT NOT NULL, PRIMARY KEY (many, stands, start)
    ) WITHOUT ROWID
    """,
)
# From how many characters on a summary's periods have rows of their own: shorter ones are sooner read than searched.
_LONG = 4_000

# How often all days of the calendar can be halved, and the day behind the last one.
_HALVINGS = 22
_OPEN = (1 << _HALVINGS) - 1
_IS_THERE = "SELECT 1 FROM sqlite_master WHERE name = 'periods'"
_LONG_ONES = "SELECT name, packed FROM summaries WHERE record = 0 AND length(packed) >= ?"
_WHOLE = "SELECT packed, NULL FROM summaries WHERE name = ? AND record = 0"
# A long text is not read.
_WHOLE_OR_MANY = """
SELECT CASE WHEN many.id IS NULL THEN packed END, many.id FROM summaries
LEFT JOIN many ON many.name = summaries.name AND instr(many.clocks, ?) WHERE summaries.name = ? AND record = 0
"""
_FIND = f"""
WITH way (day) AS (VALUES {", ".join(["(?)"] * _HALVINGS)})
SELECT packed FROM (
    SELECT (
        SELECT CASE WHEN until > ? AND known <= ? AND known_until > ? THEN packed END FROM periods
        WHERE many = ? AND stands = way.day AND start <= ? ORDER BY start DESC LIMIT 1
    ) AS packed FROM way
) WHERE packed IS NOT NULL LIMIT 1
"""  # noqa: S608 - of our own number
_ROWS = """
SELECT clocks, stands, start, until, known, known_until, periods.packed
FROM many JOIN periods ON periods.many = many.id WHERE name = ?
"""
_INSERT = "INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?, ?)"


class PeriodsIndex:
    """The tables of periods of a connection. The caller handles transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._is_there: bool | None = None

    def prepare(self) -> None:
        """Make the tables of an index of an earlier release, from the summaries in it."""
        ask = self._connection.execute
        if ask(_IS_THERE).fetchone() is None:
            with self._connection:
                ask("BEGIN")
                for table in PERIODS_SCHEMA:
                    ask(table)
                for name, packed in ask(_LONG_ONES, (_LONG,)).fetchall():
                    self.put(name, None, packed)

    def put(self, name: str, before: str | None, packed: str | None) -> None:
        """Replace the periods of a name with a long summary.

        Args:
            before: the derived summary that is replaced; None if there was none.
            packed: that which takes its place.
        """
        if max(len(before or ""), len(packed or "")) < _LONG:
            return
        rows = _of_their_own(name, packed)
        if set(self._connection.execute(_ROWS, (name,))) == rows:
            return
        ask = self._connection.execute
        for known in ask("SELECT id FROM many WHERE name = ?", (name,)).fetchall():
            ask("DELETE FROM periods WHERE many = ?", known)
        ask("DELETE FROM many WHERE name = ?", (name,))
        for clocks in sorted({row[0] for row in rows}):
            many = ask("INSERT INTO many (name, clocks) VALUES (?, ?)", (name, clocks)).lastrowid
            told = ((many, *row[1:]) for row in rows if row[0] == clocks)
            self._connection.executemany(_INSERT, told)

    def follow(self, name: str, packed: str | None) -> bool:
        """Return whether the rows of a name with a long summary equal that summary.

        Args:
            packed: the derived summary; None if there is none.
        """
        return not self._are_there() or set(self._connection.execute(_ROWS, (name,))) == _of_their_own(name, packed)

    def about(self, name: str, on: date, known: date, axis: Axis) -> str | None:
        """Return a derived summary of a name with at least the period that contains (D, K) on an axis.

        Returns:
            None where there is none such, or nothing is derived of the name.
        """
        ask = self._connection.execute
        clock = CLOCKS[axis]
        found = ask(_WHOLE_OR_MANY, (clock, name)) if self._are_there() else ask(_WHOLE, (name,))
        packed, many = found.fetchone() or (None, None)
        if many is None:
            return packed
        day, heard = on.toordinal(), known.toordinal()
        (packed,) = ask(_FIND, (*_way(heard), day, heard, heard, many, day)).fetchone() or (None,)
        return packed

    def _are_there(self) -> bool:
        if self._is_there is None:  # a snapshot of an earlier release has no such tables
            self._is_there = self._connection.execute(_IS_THERE).fetchone() is not None
        return self._is_there


def _way(day: int) -> Iterator[int]:
    """Yield the days of the interval tree at which a period known on a day may be stored, from the root on."""
    for halving in reversed(range(_HALVINGS)):
        yield day >> (halving + 1) << (halving + 1) | 1 << halving


def _stands(first: int, end: int) -> int:
    """Return the day of ``[first, end)`` that is nearest to the root of the interval tree."""
    last = end - 1
    halving = (first - 1 ^ last).bit_length() - 1
    return last >> halving << halving


def _of_their_own(name: str, packed: str | None) -> set[tuple[str, int, int, int, int, int, str]]:
    """The rows of a summary that is long."""
    if packed is None or len(packed) < _LONG:
        return set()
    return set({row[:3]: row for row in _rows(name, packed)}.values())


def _rows(name: str, packed: str) -> Iterator[tuple[str, int, int, int, int, int, str]]:
    apart = list(periods_apart(name, packed))
    whole = "".join(sorted(CLOCKS.values()))
    together = all(one.clocks == whole for one in apart)
    for one in apart:
        start, end, known, known_until = map(_ordinal, (one.start, one.end, one.known_from, one.known_until))
        for clocks in (whole,) if together else one.clocks:
            yield clocks, _stands(known, known_until), start, end, known, known_until, one.packed


def _ordinal(day: str | None) -> int:
    return _OPEN if day is None else date.fromisoformat(day).toordinal()
