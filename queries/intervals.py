"""Intervals: the periods of a provision combined with its norm's, and the days with an equal answer.

The answer of :func:`queries.in_force` is the same on all days of an interval. From the first day with an answer on, the
intervals have no gaps. Revoked, annulled, suspended and in vacatio are answers too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise, product

from graph.store import Store
from graph.time.intervals import Interval
from graph.time.kinds import Axis, Status
from graph.urn import Name, parse
from queries.answers import InForce, Period
from queries.causes import oldest
from queries.evidence import OWN_START, Version, day_stated, versions
from queries.provisions import editions, texts_may_decide
from queries.reasons import Reason
from queries.status import ENDED, DecidedStatus, DecidingPeriod, decided_status, periods_of

# Combines the periods of a provision and its norm: its own if they decide, else those of its norm.
#
# The periods equal the answers of :func:`queries.in_force` on each pair of days: both use :mod:`queries.status`.


def provision_periods(store: Store, provision: Name) -> tuple[Period, ...]:
    """Return the periods of a provision on both axes, sorted by day of knowledge.

    Args:
        store: an opened store.
        provision: the provision, without version; the store has records of it.

    Raises:
        StoreProblem: the store cannot be read.
    """
    key = provision_periods, provision.canonical
    return store.memoized(key, lambda: store.cached(key, lambda: _provision_periods(store, provision)))


def periods_stated(store: Store, target: Name) -> tuple[Period, ...]:
    """Return the periods of a norm, or of a provision together with its norm, sorted by day of knowledge.

    Args:
        store: an opened store.
        target: the norm or provision, without version; the store has records of it.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return periods_of(store, target) if target == target.work else provision_periods(store, target)


def periods_of_place(store: Store, occupants: Sequence[Name]) -> tuple[Period, ...]:
    """Return the periods of an identifier that several provisions had in sequence, sorted by day of knowledge.

    Args:
        store: an opened store.
        occupants: the provisions, without version; the store has records of each.

    Raises:
        StoreProblem: the store cannot be read.
    """
    periods: list[Period] = []
    for axis in Axis:
        ranked = [
            (occupant, provision_period)
            for occupant in occupants
            for provision_period in provision_periods(store, occupant)
            if provision_period.axis is axis
        ]
        ranked.sort(key=lambda pair: precedence(pair[1], pair[0]))
        every = [period for _, period in ranked]
        force, knowledge = _edges(every)
        cells: dict[tuple[date, date], Period] = {}
        for period in every:
            for cell in _cells(period, force, knowledge):
                cells[cell.valid_from, cell.known_from] = cell
        periods.extend(_merged_periods(cells.values()))
    return tuple(sorted(periods, key=lambda period: (period.known_from, period.valid_from, period.axis)))


def precedence(period: Period, occupant: Name) -> tuple[bool, bool, bool, date]:
    """Return the sort key of several periods for one (D, K) of a shared identifier: the greatest decides.

    A text in force decides first. If several are in force, a provision whose name states the inserting norm
    decides: other sources have one history of all provisions with the identifier.
    """
    in_force, fragment = period.version is not None, occupant.fragmento
    named = in_force and fragment is not None and fragment.inserido_por is not None
    return in_force, named, period.status is Status.UNKNOWN, period.valid_from


def period_stated(store: Store, target: Name, decides: Period, on: date, as_known: date) -> Period:
    """Return the period of the version in an answer; for a provision, that of its own text rather than of its norm's.

    Args:
        store: an opened store.
        target: a norm or provision without version.
        decides: the deciding period, with the version.
        on, as_known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if target == target.work:
        return decides
    own = _periods_of_version(store, target, decides) or provision_periods(store, target)
    fitting = (period for period in own if (period.axis, period.version) == (decides.axis, decides.version))
    return next((period for period in fitting if period.holds(on, as_known)), decides)


def _periods_of_version(store: Store, provision: Name, decides: Period) -> tuple[Period, ...]:
    """Return the periods of :func:`provision_periods` for one version, without deriving those of the others.

    The result is empty if all periods must be derived: if the period is not one of the provision's own, if the norm
    has a complete text, or if the norm splits a period of the version.
    """
    own = [period for period in periods_of(store, provision) if period.axis is decides.axis]
    if decides not in own or any(edition.complete for edition in editions(store, provision.work.iri)):
        return ()
    version_periods = [period for period in own if period.version == decides.version]

    def merged_periods() -> tuple[Period, ...]:
        all_whole = all(map(_with_norm(store, provision, decides.axis).stays_whole, version_periods))
        return tuple(_merged_periods(version_periods)) if all_whole else ()

    return store.cached((_periods_of_version, provision.canonical, decides.axis, decides.version), merged_periods)


def _with_norm(store: Store, provision: Name, axis: Axis) -> _WithNorm:
    return _WithNorm(
        store,
        provision,
        tuple(period for period in periods_of(store, provision) if period.axis is axis),
        tuple(period for period in periods_of(store, provision.work) if period.axis is axis),
        tuple(versions(store, provision.iri)),
        tuple(versions(store, provision.work.iri)),
    )


def _provision_periods(store: Store, provision: Name) -> tuple[Period, ...]:
    periods: list[Period] = []
    for axis in Axis:
        periods.extend(_merged_periods(_with_norm(store, provision, axis).periods()))
    return tuple(sorted(periods, key=lambda period: (period.known_from, period.valid_from, period.axis)))


@dataclass(frozen=True, slots=True)
class _WithNorm:
    """A provision's own periods, and those of its norm, on one axis, with the versions of both."""

    store: Store
    provision: Name
    own: tuple[Period, ...]
    norm: tuple[Period, ...]
    known: tuple[Version, ...]
    complete_versions: tuple[Version, ...]

    def periods(self) -> Iterator[Period]:
        """Yield the combined periods; an own period that the norm leaves unchanged is not split."""
        pieces: dict[Period | None, list[Period | None]] = {None: [], **{period: [] for period in self.own}}
        own_at, norm_at = _PeriodLookup(self.own), _PeriodLookup(self.norm)
        for period in self.norm:
            for cell in _cells(period, *self._days_of_change(period)):
                own_period = own_at(cell)
                pieces[own_period].append(self._decide(cell, own_period, period))
        for period in self.own:
            for cell in _cells(period, *_edges(self.norm)):
                if norm_at(cell) is None:
                    pieces[period].append(self._decide(cell, period, None))
        for own, decided in pieces.items():
            if own is not None and all(_is_same_answer(own, piece) for piece in decided):
                yield own
            else:
                yield from (piece for piece in decided if piece is not None)

    def stays_whole(self, own: Period) -> bool:
        """Return whether the norm leaves an own period unchanged on all of its days."""
        overrule_it = texts_may_decide(self.store, self.provision.work)
        return all(
            _is_same_answer(own, self._decide(cell, own, period))
            for period in self.norm
            if overrule_it or period.version is None
            for part in _intersection(period, own)
            for cell in _cells(part, *self._days_of_change(period))
        )

    def _decide(self, cell: Period, own: Period | None, norm: Period | None) -> Period | None:
        """Return the period for days with one answer; None if there is nothing to answer yet.

        Args:
            norm: None if no period of the norm contains the days.
        """
        decided = decided_status(
            self.store,
            self.provision,
            DecidingPeriod(own, ()) if own is not None else None,
            DecidingPeriod(norm, ()) if norm is not None else None,
            self.known,
            cell.valid_from,
            cell.known_from,
        )
        if decided.status is Status.NOT_PUBLISHED:
            return None
        version = decided.deciding_period.period.version if decided.deciding_period is not None else None
        return replace(cell, version=version, status=decided.status)

    def _days_of_change(self, norm: Period) -> tuple[set[date | None], set[date | None]]:
        """Return the days of force and of knowledge on which the answer may change within a period of the norm."""
        force, knowledge = _edges(self.own)
        if norm.version is not None:  # the texts of this and of earlier versions may decide too
            start = parse(norm.version).version_date or date.max
            knowledge |= {
                version.view_date
                for version in self.complete_versions
                if version.version_date is None or version.version_date <= start
            }
        elif norm.status is Status.VACATIO:  # the coming text decides
            knowledge |= _edges(self.norm)[1] | {version.view_date for version in self.complete_versions}
        issued = oldest(self.provision.canonical)
        return {*force, issued}, {*knowledge, issued}


def _intersection(norm: Period, own: Period) -> Iterator[Period]:
    """Yield the intersection of two periods; nothing if it is empty."""
    valid, known = norm.valid.intersection(own.valid), norm.known.intersection(own.known)
    if valid is not None and known is not None:
        yield norm.within(valid, known)


def _edges(periods: Iterable[Period]) -> tuple[set[date | None], set[date | None]]:
    """Return the days of force and of knowledge on which any of these begins or ends."""
    force: set[date | None] = set()
    knowledge: set[date | None] = set()
    for period in periods:
        force |= {period.valid_from, period.valid_until}
        knowledge |= {period.known_from, period.known_until}
    return force, knowledge


def _cells(period: Period, force: Iterable[date | None], knowledge: Iterable[date | None]) -> Iterator[Period]:
    """Yield the parts of a period, split on these days of force and of knowledge."""
    valid, known = period.valid.split(filter(None, force)), period.known.split(filter(None, knowledge))
    yield from (period.within(*days) for days in product(valid, known))


class _PeriodLookup:
    """Finds the period that contains the first days of a cell."""

    def __init__(self, periods: Iterable[Period]) -> None:
        self._periods = sorted(periods, key=lambda period: period.valid_from)
        self._known: dict[date, tuple[list[Period], list[date]]] = {}

    def __call__(self, cell: Period) -> Period | None:
        since = cell.known_from
        if since not in self._known:
            known_periods = [period for period in self._periods if period.holds(period.valid_from, since)]
            self._known[since] = known_periods, [period.valid_from for period in known_periods]
        known_periods, starts = self._known[since]
        index = bisect_right(starts, cell.valid_from) - 1
        return known_periods[index] if index >= 0 and known_periods[index].holds(cell.valid_from, since) else None


def _is_same_answer(own: Period, piece: Period | None) -> bool:
    return piece is not None and (piece.version, piece.status) == (own.version, own.status)


def _merged_periods(periods: Iterable[Period]) -> Iterable[Period]:
    """Merge equal adjacent periods, first over days of knowledge, then over days of force."""
    alike: dict[tuple[object, ...], list[Period]] = {}
    for period in periods:
        alike.setdefault((period.version, period.status), []).append(period)
    for equal_periods in alike.values():
        knowledge = _edges(equal_periods)[1]
        yield from _merged_over_knowledge(
            _merged_over_force(cell for period in equal_periods for cell in _cells(period, (), knowledge))
        )


def _merged_over_knowledge(periods: Iterable[Period]) -> list[Period]:
    known: dict[tuple[object, ...], Period] = {}
    for period in sorted(periods, key=lambda item: item.known_from):
        key = (period.version, period.status, period.valid_from, period.valid_until)
        before = known.pop((*key, period.known_from), period)
        known[*key, period.known_until] = replace(period, known_from=before.known_from)
    return list(known.values())


def _merged_over_force(periods: Iterable[Period]) -> list[Period]:
    valid: dict[tuple[object, ...], Period] = {}
    for period in sorted(periods, key=lambda item: item.valid_from):
        key = (period.version, period.status, period.known_from, period.known_until)
        before = valid.pop((*key, period.valid_from), period)
        valid[*key, period.valid_until] = replace(period, valid_from=before.valid_from)
    return list(valid.values())


# Intervals with one answer: over days of force as known today, and over days of knowledge for one day of force.


#: Statuses with a known first day.
SINCE = frozenset({*ENDED, Status.SUSPENDED, *(status for status in Status if status.stands)})
#: The status before the first day with another status.
_NOTHING = (Status.NOT_PUBLISHED, Status.UNKNOWN_NAME)


@dataclass(frozen=True, slots=True)
class AnswerInterval(Interval):
    """Days of force, or of knowledge, on which one question has one answer.

    Attributes:
        status: of the answer.
        version: the version in force, by its canonical name; None if there is none.
    """

    status: Status
    version: str | None


def over_force(store: Store, target: Name, known: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for all days of force, on the axis of force, in their order.

    Args:
        target: a norm or provision with records.
        known: K, a civil date, the same for all.

    Returns:
        Neighbours differ in the version, in its days of force and knowledge, or in the status. Empty if, as known
        on K, every day is before publication or has an unknown status.
    """
    asked = _Subject(store, target, known)
    edges = {edge for period in asked.periods() for edge in (period.valid_from, period.valid_until) if edge is not None}
    return asked.intervals(edges, lambda day: (day, known))


def answers_over_knowledge(store: Store, target: Name, on: date, today: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for one day of force on all days of knowledge, on the axis of force, in their order.

    Args:
        on: D, a civil date, the same for all.
        today: the civil date of today, the last day of knowledge.

    Returns:
        As for :func:`over_force`.
    """
    asked = _Subject(store, target)
    edges = {edge for period in asked.periods() for edge in (period.known_from, period.known_until) if edge is not None}
    # a provision without a history of its own depends on the texts of its norm that are known
    edges |= {version.view_date for version in asked.views if version.view_date is not None}
    return asked.intervals({edge for edge in edges if edge <= today}, lambda day: (on, day))


class _Subject:
    """One norm or provision, for many (D, K). With a fixed K, only the data known on it are used."""

    def __init__(self, store: Store, target: Name, known: date | None = None) -> None:
        self._store, self._target = store, target
        norm = target.work
        part = target != norm
        self._own = list(_decisive_periods(periods_of(store, target), known))
        self._norm = list(_decisive_periods(periods_of(store, norm), known)) if part else []
        self._known = versions(store, target.iri)
        self.views = versions(store, norm.iri) if part else []

    def periods(self) -> Iterable[Period]:
        """Return all periods that may decide."""
        return (*self._own, *self._norm)

    def intervals(self, edges: set[date], days_at: Callable[[date], tuple[date, date]]) -> tuple[AnswerInterval, ...]:
        """Return the answers between edges, with equal neighbours merged.

        Args:
            edges: every day on which the answer may differ from the day before.
            days_at: returns the (D, K) of such a day.
        """
        if not edges:
            return ()
        issued = oldest(self._target.canonical)  # decides whether a text is presupposed
        days = sorted({*edges, issued} if issued > date.min else edges)
        answers = [(day, self._decide(*days_at(day))) for day in days]
        first = next((i for i, (_, decided) in enumerate(answers) if decided.status not in _NOTHING), len(answers))
        kept: list[tuple[date, DecidedStatus]] = []
        for day, decided in answers[first:]:
            if not kept or decided != kept[-1][1]:
                kept.append((day, decided))
        if all(decided.status in {Status.UNKNOWN, *_NOTHING} for _, decided in kept):
            return ()
        return tuple(_merged_intervals(kept))

    def _decide(self, on: date, known: date) -> DecidedStatus:
        own, norm = _period_at(self._own, on, known), _period_at(self._norm, on, known)
        decided = decided_status(self._store, self._target, own, norm, self._known, on, known)
        if decided.deciding_period is None or decided.deciding_period.period.version is None:
            return decided
        period = period_stated(self._store, self._target, decided.deciding_period.period, on, known)
        return replace(decided, deciding_period=decided.deciding_period._replace(period=period))


def _decisive_periods(periods: Iterable[Period], known: date | None) -> Iterator[Period]:
    return (period for period in periods if period.axis is Axis.FORCE and (known is None or period.is_known(known)))


def _merged_intervals(kept: list[tuple[date, DecidedStatus]]) -> Iterator[AnswerInterval]:
    for index, (day, decided) in enumerate(kept):
        until = kept[index + 1][0] if index + 1 < len(kept) else None
        yield AnswerInterval(
            day,
            until,
            decided.status,
            decided.deciding_period.period.version if decided.deciding_period is not None else None,
        )


def _period_at(periods: Iterable[Period], on: date, known: date) -> DecidingPeriod | None:
    return next((DecidingPeriod(period, ()) for period in periods if period.holds(on, known)), None)


def status_since(answer: InForce, intervals: Sequence[AnswerInterval]) -> date | None:
    """Return the first of the consecutive days with the status of D; None if it is not known.

    Args:
        answer: for one D and K.
        intervals: the answers for all days of force, as known on that K.
    """
    index = next((i for i, interval in enumerate(intervals) if interval.holds(answer.on)), None)
    if index is None or answer.status not in SINCE or intervals[index].status is not answer.status:
        return None
    return intervals[first_with_same_status(intervals, index)].start


def first_possible_start(because: Iterable[Reason], intervals: Sequence[AnswerInterval], index: int) -> date | None:
    """Return the first possible day of a status whose start has no last day in any source.

    The store takes the day on which it derived its periods as the first certain day of such a status: the source has
    the text, but that day dates nothing. A provision that starts by itself starts on its own day at the earliest.

    Args:
        because: the reasons of the answer.
        intervals: the answers for all days of force.
        index: that of the first interval with the status.

    Returns:
        None if the status before is not unknown, or if a source bounds the start.
    """
    if not index or intervals[index - 1].status is not Status.UNKNOWN:
        return None
    reasons = [(reason, day_stated(reason.effect)) for reason in because]
    start = intervals[index].start
    if any(effect is not None and effect.last == start for _, effect in reasons):
        return None
    own = [effect.first for reason, effect in reasons if reason.event == OWN_START and effect is not None]
    is_open = any(
        _is_undated(reason.version) if effect is None else effect.last is None and effect.first < start
        for reason, effect in reasons
    )
    return max((intervals[index - 1].start, *own)) if is_open else None


def _is_undated(version: str | None) -> bool:
    """Return whether a version has neither a first day nor bounds of it in its name."""
    name = parse(version) if version is not None else None
    return name is not None and name.version_date is None and name.versao is not None and not name.versao.visao_periodo


def first_with_same_status(intervals: Sequence[AnswerInterval], index: int) -> int:
    """Return the index of the first of adjacent intervals with the same status as the one at an index."""
    first = index
    while (
        first
        and intervals[first - 1].status is intervals[index].status
        and intervals[first - 1].until == intervals[first].start
    ):
        first -= 1
    return first


def merged_intervals(intervals: Sequence[AnswerInterval]) -> tuple[AnswerInterval, ...]:
    """Return the intervals; neighbours with the same version, or without one for the same reason, are merged."""
    merged: list[AnswerInterval] = []
    for interval in intervals:
        last = merged[-1] if merged else None
        if last is not None and (last.version, last.status, last.until) == (
            interval.version,
            interval.status,
            interval.start,
        ):
            merged[-1] = replace(last, until=interval.until)
        else:
            merged.append(interval)
    return tuple(merged)


def doubtful(intervals: Sequence[AnswerInterval]) -> frozenset[date]:
    """Return the bounds of intervals next to an unknown status: the known status may extend beyond them.

    Args:
        intervals: in their order.
    """
    return frozenset(
        later.start
        for before, later in pairwise(intervals)
        if before.until == later.start and (before.status is Status.UNKNOWN) != (later.status is Status.UNKNOWN)
    )


def from_first_text(intervals: Iterable[AnswerInterval]) -> tuple[AnswerInterval, ...]:
    """Return the intervals without those before the first publication."""
    return tuple(interval for interval in intervals if interval.status is not Status.NOT_PUBLISHED)
