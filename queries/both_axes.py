"""How a norm or provision stands on each axis on (D, K), and since when until when: every answer reports both."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType

from graph.entities import Axis
from graph.store import Store
from graph.summaries import PeriodTold
from graph.urn import Name
from queries.answers import AxisAnswer, Period
from queries.causes import oldest
from queries.evidence import versions
from queries.periods import Found, period_of
from queries.reasons import Status
from queries.standing import standing

_ONE_DAY = timedelta(days=1)
#: Nothing is known of these from any day on.
_NOTHING = (Status.UNKNOWN_NAME, Status.NOT_PUBLISHED)


def both_axes(store: Store, target: Name, on: date, known: date) -> Mapping[Axis, AxisAnswer]:
    """The status on (D, K) on each axis, with the days around D that have the same status, as known on K.

    Args:
        store: an opened store.
        target: a norm or provision without version; there are records of it.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    own = _known_by(store, target, known)
    norm = _known_by(store, target.work, known) if target != target.work else []
    if all(len(one.axes) > 1 for one in (*own, *norm)):  # no event acts on one axis alone
        both = _axis_answer(store, target, own, norm, on, known, Axis.FORCE)
        return MappingProxyType(dict.fromkeys(Axis, both))
    return MappingProxyType({axis: _axis_answer(store, target, own, norm, on, known, axis) for axis in Axis})


def _known_by(store: Store, name: Name, known: date) -> list[PeriodTold]:
    """The derived periods of a name that are known on K, on both axes."""
    day = known.isoformat()
    return [
        one
        for one in store.summary(name.iri).periods()
        if one.known_from <= day and (one.known_until is None or day < one.known_until)
    ]


def _axis_answer(
    store: Store,
    target: Name,
    own: Iterable[PeriodTold],
    norm: Iterable[PeriodTold],
    on: date,
    known: date,
    axis: Axis,
) -> AxisAnswer:
    own, norm = ([one for one in each if axis in one.axes] for each in (own, norm))
    found = _of_norm(own, on) if target == target.work else None
    if found is not None and found.status is not Status.UNKNOWN:  # days without a period may be unknown, too
        return found
    days = _Days(store, target, (own, norm), known, axis)
    status = days.status(on)
    edges = days.edges
    if status in _NOTHING or not edges:
        return AxisAnswer(status)
    at = bisect_right(edges, on)
    since: date | None = None
    for day in reversed(edges[:at]):
        if days.status(day) is not status:
            break
        since = day
    if since is not None and since == edges[0] and since > date.min and days.status(since - _ONE_DAY) is status:
        since = None
    until = next((day for day in edges[at:] if days.status(day) is not status), None)
    return AxisAnswer(status, since, until)


def _of_norm(periods: Sequence[PeriodTold], on: date) -> AxisAnswer | None:
    """The answer of a norm, of which no other period decides; None where no period holds D."""
    day = on.isoformat()
    ordered = sorted(periods, key=lambda one: one.start)
    at = bisect_right(ordered, day, key=lambda one: one.start) - 1
    if at < 0 or not (ordered[at].end is None or day < str(ordered[at].end)):
        return None
    first = last = at
    while first > 0 and _continues(ordered[first - 1], ordered[first]):
        first -= 1
    while last + 1 < len(ordered) and _continues(ordered[last], ordered[last + 1]):
        last += 1
    until = ordered[last].end
    return AxisAnswer(
        Status(ordered[at].status.value),
        date.fromisoformat(ordered[first].start),
        date.fromisoformat(until) if until is not None else None,
    )


def _continues(one: PeriodTold, following: PeriodTold) -> bool:
    return one.end == following.start and one.status is following.status


class _Days:
    """The statuses of one norm or provision on all days D, for one K and axis.

    Attributes:
        edges: every day on which the status may differ from that of the day before, ascending.
    """

    def __init__(
        self,
        store: Store,
        target: Name,
        periods: tuple[Iterable[PeriodTold], Iterable[PeriodTold]],
        known: date,
        axis: Axis,
    ) -> None:
        self._store, self._target, self._known = store, target, known
        self._versions = versions(store, target.iri)
        self._own, self._norm = ([period_of(one, axis) for one in each] for each in periods)
        edges = set(_edges((*self._own, *self._norm)))
        issued = oldest(target.canonical)  # from this day on a text may be presupposed
        self.edges = sorted({*edges, issued} if edges and issued > date.min else edges)

    def status(self, day: date) -> Status:
        """The status on D."""
        own, norm = _holding(self._own, day), _holding(self._norm, day)
        return standing(self._store, self._target, own, norm, self._versions, day, self._known).status


def _edges(periods: Iterable[Period]) -> Iterator[date]:
    for one in periods:
        yield one.valid_from
        if one.valid_until is not None:
            yield one.valid_until


def _holding(periods: Iterable[Period], day: date) -> Found | None:
    for one in periods:
        if one.valid_from <= day and (one.valid_until is None or day < one.valid_until):
            return Found(one, ())
    return None
