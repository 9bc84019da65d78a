"""The days on which a text reads as it does: as far as nothing that it holds begins, ends or becomes doubtful."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name
from queries.answers import Status
from queries.catalogue import named
from queries.evidence import summary

__all__ = ["Span", "span_of_text"]

#: What a text has of a part on a day, other than one of its versions: nothing; or nobody knows.
_ABSENT, _OPEN = "", "?"


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
    for one in _living(store, name):
        begun, ended = _around(_changes(store, one, heard), day)
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


def _living(store: Store, name: Name) -> Iterator[str]:
    """What decides of a text: itself, or the norm that it follows, and what it holds that has a life of its own."""
    yield name.iri if next(iter(summary(store, name.iri).periods()), None) is not None else name.work.iri
    inside = f"{name.iri}_" if name != name.work else ""
    norm = {"norma": name.work.canonical}
    living = store.kept(
        (_living, name.work.iri),
        lambda: tuple(str(row["dispositivo"]) for row in named("provisions_with_life").rows(store, norm)),
    )
    yield from (one for one in living if one.startswith(inside))


def _changes(store: Store, work: str, heard: str) -> list[tuple[str, str]]:
    """The days on which what a text has of a part becomes another, each with what it has from then on."""
    known = [
        one
        for one in summary(store, work).periods()
        if Axis.FORCE in one.axes and one.known_from <= heard and (one.known_until is None or heard < one.known_until)
    ]
    return list(_steps((one.start, one.end, one.version or _none(one.status.value)) for one in known))


def _none(status: str) -> str:
    return _OPEN if status == Status.UNKNOWN else _ABSENT


def _steps(periods: Iterable[tuple[str, str | None, str]]) -> Iterator[tuple[str, str]]:
    state, end = _ABSENT, None
    for start, until, now in sorted(periods):
        if end is not None and end < start and state != _ABSENT:
            yield end, (state := _ABSENT)
        if now != state:
            yield start, now
        state, end = now, until
    if end is not None and state != _ABSENT:
        yield end, _ABSENT


def _around(changes: list[tuple[str, str]], day: str) -> tuple[tuple[str, bool], tuple[str, bool] | None]:
    """The last change up to a day and the first one after it, each with whether it is open beyond."""
    at = sum(start <= day for start, _ in changes)
    begun = ("", False)
    if at:
        begun = (changes[at - 1][0], at > 1 and changes[at - 2][1] == _OPEN)
    ended = (changes[at][0], changes[at][1] == _OPEN) if at < len(changes) else None
    return begun, ended
