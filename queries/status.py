"""The status of a norm or provision on (D, K), on each axis: what the store has, given to the rules of combination."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from datetime import date
from types import MappingProxyType

from graph.read_model.subject import SummarizedSubject, bitemporal_period, overlapping_periods, standing
from graph.store import Store
from graph.time.combination import Decision, Doubt, decide, edges
from graph.time.intervals import BitemporalPeriod
from graph.time.kinds import Axis, Status
from graph.urn import Name
from ontology.namespaces import VIG
from queries.answers import AxisAnswer, Period
from queries.notices import Disagreement, NormUndated, Notice, NotInText, SourcesContradict, TextUnknown, UndatedText

#: The concept of each axis, as queries take it.
AXES = {Axis.FORCE: VIG["forca"], Axis.EFFICACY: VIG["eficacia"]}


def bitemporal_periods(store: Store, name: Name) -> tuple[BitemporalPeriod, ...]:
    """Return all derived periods of a norm or provision, in the order of the store."""

    def read() -> tuple[BitemporalPeriod, ...]:
        return tuple(bitemporal_period(row, standing(name)) for row in store.summary(name.iri).periods())

    key = bitemporal_periods, name.iri
    return store.memoized(key, lambda: store.cached(key, read))


def periods_of(store: Store, name: Name) -> tuple[Period, ...]:
    """Return all periods of a norm or provision, sorted by day of knowledge, then by start and axis."""
    return sorted_periods(
        answer_period(period, axis) for period in bitemporal_periods(store, name) for axis in period.axes
    )


def sorted_periods(periods: Iterable[Period]) -> tuple[Period, ...]:
    """Return periods in the order of a timeline: by day of knowledge, then by start and axis."""
    return tuple(sorted(periods, key=lambda period: (period.known_from, period.valid_from, period.axis)))


def answer_period(period: BitemporalPeriod, axis: Axis) -> Period:
    """Return a period in the form of answers, on one of its axes."""
    days, known = period.days, period.known
    return Period(period.version, period.status, days.start, days.until, known.start, known.until, axis)


def find_period(store: Store, work: Name, on: date, known: date, axis: Axis) -> BitemporalPeriod | None:
    """Return the period of a work or provision that contains (D, K) on an axis; None if there is none.

    Raises:
        StoreDamaged: two periods contain it.
    """
    period_rows = store.summary(work.iri).periods_at(on.isoformat(), known.isoformat(), axis)
    if len(period_rows) > 1:
        raise overlapping_periods(work.canonical)
    return bitemporal_period(period_rows[0], standing(work)) if period_rows else None


def subject_of(store: Store, name: Name, axis: Axis, known: date | None = None) -> SummarizedSubject:
    """Return a norm or provision as the rules of combination read it.

    Args:
        name: without version.
        axis: the axis.
        known: K, if all questions have the same: then only the periods known on it are read; None for any K.
    """
    if name == name.work:
        return store.memoized(
            (subject_of, name.iri, axis, known), lambda: SummarizedSubject(store, name.iri, axis, known)
        )
    return SummarizedSubject(store, name.iri, axis, known, subject_of(store, name.work, axis, known))


def decided_status(store: Store, target: Name, on: date, known: date, axis: Axis) -> Decision:
    """Return the status of a norm or provision without version on (D, K), and its origin."""
    return decide(subject_of(store, target, axis), on, known)


def notice_of(decision: Decision) -> Notice | None:
    """Return the notice that explains how the texts decide a status; None if they do not."""
    about = decision.about or ""
    match decision.doubt:
        case None:
            return None
        case Doubt.UNDATED_TEXT:
            return UndatedText()
        case Doubt.NOT_IN_TEXT:
            return NotInText(about)
        case Doubt.TEXT_UNKNOWN:
            return TextUnknown(about)
        case Doubt.NORM_UNDATED:
            return NormUndated(about)
        case Doubt.ENDED_AND_PRINTED:
            return SourcesContradict(Disagreement.ENDED_AND_PRINTED, (about,))


#: The statuses of an answer without days.
_NOTHING = (Status.UNKNOWN_NAME, Status.NOT_PUBLISHED)


def both_axes(store: Store, target: Name, on: date, known: date) -> Mapping[Axis, AxisAnswer]:
    """Return the status on (D, K) on each axis, with the days around D that have the same status, as known on K.

    Args:
        target: a norm or provision without version, with records.
        on, known: D and K, civil dates.
    """
    force = subject_of(store, target, Axis.FORCE, known)
    norm = force.whole
    if force.is_alike_on_both_axes and (norm is None or norm.is_alike_on_both_axes):
        return MappingProxyType(dict.fromkeys(Axis, _axis_answer(force, on, known)))
    subjects = {axis: subject_of(store, target, axis, known) for axis in Axis}
    return MappingProxyType({axis: _axis_answer(subject, on, known) for axis, subject in subjects.items()})


def _axis_answer(subject: SummarizedSubject, on: date, known: date) -> AxisAnswer:
    norm = subject.whole
    if norm is None:
        answer = _answer_of_norm(subject.periods, on)
        if answer is not None and answer.status is not Status.UNKNOWN:  # days without a period may be unknown, too
            return answer
    status = decide(subject, on, known).status
    if status in _NOTHING:
        return AxisAnswer(status)
    force, _ = edges((*subject.periods, *(norm.periods if norm is not None else ())))
    days = sorted(force | {subject.issued} if force else force)  # from the issue on a text may be presupposed
    index = bisect_right(days, on)
    since: date | None = None
    for day in reversed(days[:index]):
        if decide(subject, day, known).status is not status:
            break
        since = day
    until = next((day for day in days[index:] if decide(subject, day, known).status is not status), None)
    return AxisAnswer(status, since, until)


def _answer_of_norm(periods: Iterable[BitemporalPeriod], on: date) -> AxisAnswer | None:
    """Return the answer for a norm by its own periods; None if no period contains D."""
    ordered = sorted(periods, key=lambda period: period.days.start)
    index = bisect_right(ordered, on, key=lambda period: period.days.start) - 1
    if index < 0:
        return None
    first = last = index
    while first > 0 and _is_continued_by(ordered[first - 1], ordered[first]):
        first -= 1
    while last + 1 < len(ordered) and _is_continued_by(ordered[last], ordered[last + 1]):
        last += 1
    return AxisAnswer(ordered[index].status, ordered[first].days.start, ordered[last].days.until)


def _is_continued_by(period: BitemporalPeriod, following: BitemporalPeriod) -> bool:
    return period.days.until == following.days.start and period.status is following.status
