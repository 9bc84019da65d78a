"""Rectangles of days as numbers: days of force and days of knowledge, as the tables of the read model store them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from typing import NamedTuple

#: The ordinal that represents an open end.
OPEN = (1 << 22) - 1


class Rectangle(NamedTuple):
    """Days ``[start, until)`` as known on days ``[known, known_until)``: ordinals of dates, or :data:`OPEN`."""

    start: int
    until: int
    known: int
    known_until: int

    def is_known(self, known: int) -> bool:
        """Return whether the days of knowledge contain K, an ordinal."""
        return self.known <= known < self.known_until

    def holds(self, on: int, known: int) -> bool:
        """Return whether the rectangle contains (D, K), both ordinals."""
        return self.start <= on < self.until and self.is_known(known)

    def intersection(self, other: Rectangle) -> Rectangle | None:
        """Return the days that two rectangles have in common; None if there are none."""
        met = Rectangle(
            max(self.start, other.start),
            min(self.until, other.until),
            max(self.known, other.known),
            min(self.known_until, other.known_until),
        )
        return met if met.start < met.until and met.known < met.known_until else None

    def without(self, others: Iterable[Rectangle]) -> list[Rectangle]:
        """Return disjoint rectangles with the days of this one that are in none of the others.

        >>> Rectangle(1, 9, 1, 9).without([Rectangle(3, 5, 1, 9)])
        [Rectangle(start=1, until=3, known=1, known_until=9), Rectangle(start=5, until=9, known=1, known_until=9)]
        """
        rest: list[Rectangle] = [self]
        for other in others:
            rest = [part for rectangle in rest for part in _outside(rectangle, other)]
        return rest

    def split(self, force: Iterable[int], knowledge: Iterable[int]) -> Iterator[Rectangle]:
        """Yield the parts of the rectangle between some days of force and of knowledge."""
        days = [self.start, *sorted({day for day in force if self.start < day < self.until}), self.until]
        known = [self.known, *sorted({day for day in knowledge if self.known < day < self.known_until})]
        for start, until in pairwise(days):
            for since, before in pairwise([*known, self.known_until]):
                yield Rectangle(start, until, since, before)


def _outside(rectangle: Rectangle, other: Rectangle) -> Iterator[Rectangle]:
    met = rectangle.intersection(other)
    if met is None:
        yield rectangle
        return
    if rectangle.known < met.known:
        yield rectangle._replace(known_until=met.known)
    if met.known_until < rectangle.known_until:
        yield rectangle._replace(known=met.known_until)
    if rectangle.start < met.start:
        yield met._replace(start=rectangle.start, until=met.start)
    if met.until < rectangle.until:
        yield met._replace(start=met.until, until=rectangle.until)


def ordinal(day: str | date | None) -> int:
    """Return the ordinal of a date, given as a date or in ISO 8601; :data:`OPEN` for None."""
    if day is None:
        return OPEN
    return (date.fromisoformat(day) if isinstance(day, str) else day).toordinal()


def day_of(number: int) -> date | None:
    """Return the date of a proleptic Gregorian ordinal; None for :data:`OPEN`."""
    return None if number >= OPEN else date.fromordinal(max(number, 1))


def coalesced(rectangles: Iterable[Rectangle]) -> list[Rectangle]:
    """Return disjoint rectangles that cover the same pairs of days; adjacent days D are joined for each K.

    >>> coalesced([Rectangle(1, 5, 1, 9), Rectangle(5, 8, 1, 9), Rectangle(1, 8, 9, 12)])
    [Rectangle(start=1, until=8, known=1, known_until=12)]
    """
    given = list(rectangles)
    if len(given) < 2:
        return given
    edges = sorted({edge for each in given for edge in (each.known, each.known_until)})
    result: list[Rectangle] = []
    running: dict[tuple[int, int], int] = {}
    ordered = sorted(given)
    for known, known_until in pairwise(edges):
        joined: list[list[int]] = []
        for each in ordered:
            if each.known <= known and known_until <= each.known_until:
                if joined and each.start <= joined[-1][1]:
                    joined[-1][1] = max(joined[-1][1], each.until)
                else:
                    joined.append([each.start, each.until])
        now = {(start, until): running.get((start, until), known) for start, until in joined}
        result += [Rectangle(*days, since, known) for days, since in running.items() if days not in now]
        running = now
    result += [Rectangle(*days, since, edges[-1]) for days, since in running.items()]
    return sorted(result)
