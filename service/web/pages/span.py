"""The days on which a text reads as it does: as far as nothing that it holds begins, ends or becomes doubtful."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name
from queries.text.same_text import OPEN, changes_by_part

__all__ = ["Span", "span_of_text"]


@dataclass(frozen=True, slots=True)
class Span:
    """Days of force ``[first, until)`` on which a text is the same, as known on one day.

    Attributes:
        first, until: civil dates; None where nothing bounds them.
        open_first, open_until: whether nobody knows how it reads on the other side.
    """

    first: date | None
    until: date | None
    open_first: bool
    open_until: bool

    @property
    def edges(self) -> frozenset[date]:
        """The bounds on whose other side nobody knows how it reads."""
        bounds = ((self.first, self.open_first), (self.until, self.open_until))
        return frozenset(day for day, is_open in bounds if is_open and day is not None)


def span_of_text(store: Store, name: Name, on: date, known: date) -> Span:
    """The days around D on which a norm or provision has the text of D, by the clock of force.

    Args:
        store: an opened store.
        name: without version.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    day, heard = on.isoformat(), known.isoformat()
    first: tuple[str, bool] = ("", False)
    until: tuple[str, bool] | None = None
    for changes in changes_by_part(store, name, heard):
        begun, ended = _around(changes, day)
        first = max(first, begun)
        until = min(until, ended, key=_earlier) if until and ended else until or ended
    return Span(
        date.fromisoformat(first[0]) if first[0] else None,
        date.fromisoformat(until[0]) if until else None,
        first[1],
        until is not None and until[1],
    )


def _earlier(bound: tuple[str, bool]) -> tuple[str, bool]:
    """Of two bounds on one day that which is open counts."""
    return bound[0], not bound[1]


def _around(changes: list[tuple[str, str]], day: str) -> tuple[tuple[str, bool], tuple[str, bool] | None]:
    """The last change up to a day and the first one after it, each with whether it is open beyond."""
    at = sum(start <= day for start, _ in changes)
    begun = ("", False)
    if at:
        begun = (changes[at - 1][0], at > 1 and changes[at - 2][1].startswith(OPEN))
    ended = (changes[at][0], changes[at][1].startswith(OPEN)) if at < len(changes) else None
    return begun, ended
