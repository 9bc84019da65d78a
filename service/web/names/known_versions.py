"""The versions of a norm or provision in their order: which is before, after, in force, the newest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.entities import Axis
from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name, parse
from queries import timeline
from queries.answers import Period


@dataclass(frozen=True, slots=True)
class KnownVersions:
    """All rectangles of a norm or provision on one clock that have a version, with gaps left out.

    Attributes:
        target: the norm or provision.
        periods: valid ``[from, until)``, known ``[from, until)``; in order of their first days.
    """

    target: Name
    periods: tuple[Period, ...]

    def as_known(self, known: date) -> tuple[Period, ...]:
        """The periods that one would have named on a day, in order of their first days of force.

        Periods of one version that touch are one: what changed between them was something else.
        """
        kept: list[Period] = []
        for period in self.periods:
            if not _holds(period.known_from, period.known_until, known):
                continue
            if kept and kept[-1].version == period.version and kept[-1].valid_until == period.valid_from:
                kept[-1] = replace(kept[-1], valid_until=period.valid_until)
            else:
                kept.append(period)
        return tuple(kept)

    def of(self, version: str) -> tuple[Period, ...]:
        """The rectangles of one version, by its canonical name, in the order in which they came to be known."""
        found = (period for period in self.periods if period.version == version)
        return tuple(sorted(found, key=lambda period: (period.known_from, period.valid_from)))

    @property
    def first_known(self) -> date | None:
        """The first day on which anyone could name a version; None where there is none."""
        return min((period.known_from for period in self.periods), default=None)


def _holds(start: date, end: date | None, day: date) -> bool:
    return start <= day and (end is None or day < end)


def at(periods: Iterable[Period], day: date) -> Period | None:
    """The period of force that holds a day; None in a gap."""
    return next((period for period in periods if _holds(period.valid_from, period.valid_until, day)), None)


def next_after(periods: Iterable[Period], day: date) -> Period | None:
    """The first period that begins after a day."""
    return min((p for p in periods if p.valid_from > day), key=lambda p: p.valid_from, default=None)


def last_before(periods: Iterable[Period], day: date) -> Period | None:
    """The last period that began on a day or before."""
    return max((p for p in periods if p.valid_from <= day), key=lambda p: p.valid_from, default=None)


def own_start(version: str, periods: Sequence[tuple[date, date | None]]) -> date | None:
    """The first day of the period for which a version's name answers where no day is said.

    That is the one that holds the version's own date, else the first one.

    Args:
        version: its canonical name.
        periods: ``[from, until)``, all those in which it answers, in their order.
    """
    day = parse(version).version_date
    holding = (start for start, until in periods if day is not None and _holds(start, until, day))
    return next(holding, periods[0][0] if periods else None)


def known_versions(store: Store, target: Name, axis: Axis = Axis.FORCE) -> KnownVersions:
    """The versions of a norm or provision; none where nothing dates them.

    Raises:
        StoreProblem: the store cannot be read.
    """
    try:
        periods = timeline(store, target).periods
    except UnknownName:
        periods = ()
    ours = (period for period in periods if period.axis is axis and period.version is not None)
    return KnownVersions(target, tuple(sorted(ours, key=lambda p: (p.valid_from, p.known_from))))
