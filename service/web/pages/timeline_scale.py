"""Scales of days: where a civil day stands along a line on which every change has room, however near the next is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

__all__ = ["Scale", "scale"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Places of days along a line, in pixels.

    Attributes:
        days: the stops, civil dates in their order.
        places: where each stands, ascending.
    """

    days: tuple[date, ...]
    places: tuple[float, ...]

    def at(self, day: date) -> float:
        """Where a day between the first and the last stop stands."""
        after = bisect_right(self.days, day)
        if after == len(self.days):
            return self.places[-1]
        start, end = self.days[after - 1], self.days[after]
        share = (day - start).days / (end - start).days
        return self.places[after - 1] + share * (self.places[after] - self.places[after - 1])

    def holds(self, day: date) -> bool:
        """Whether a day lies between the first and the last stop, both included."""
        return self.days[0] <= day <= self.days[-1]


def scale(days: Iterable[date], start: float, length: float, even: float) -> Scale:
    """A scale that is partly by order, so that no stop hides another, and partly by time.

    Args:
        days: the stops, in any order; at least one.
        start: where the first stands, in pixels.
        length: from the first stop to the last, in pixels.
        even: the share of the length, from 0 to 1, that is given to all spaces alike; the rest is by their days.
    """
    stops = sorted(set(days))
    spaces = len(stops) - 1
    whole = (stops[-1] - stops[0]).days
    places = [start]
    for earlier, later in pairwise(stops):
        places.append(places[-1] + length * (even / spaces + (1 - even) * (later - earlier).days / whole))
    return Scale(tuple(stops), tuple(places))
