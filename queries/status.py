"""The status of a norm or provision on (D, K), on each axis: what the store has, given to the rules of combination."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from types import MappingProxyType

from graph.document_kinds import NoNorm, non_norm_kind
from graph.errors import StoreDamaged
from graph.store import Store
from graph.summaries import PeriodRow
from graph.terms import day_stated
from graph.time.combination import ActingEvent, Decision, Doubt, PeriodLookup, decide, edges
from graph.time.editions import Edition, MadeVersion
from graph.time.intervals import BitemporalPeriod, Interval
from graph.time.kinds import Axis, Situation, Status
from graph.urn import Name, from_iri
from ontology.namespaces import VIG
from queries.answers import AxisAnswer, Period
from queries.catalogue import named
from queries.causes import oldest
from queries.evidence import Version, copies, lifecycle_events, versions, wording_dates
from queries.notices import Disagreement, NormUndated, Notice, NotInText, SourcesContradict, TextUnknown, UndatedText
from queries.provisions import editions, holding, some_parts, text_of
from queries.reasons import Reason

#: The concept of each axis, as queries take it.
AXES = {Axis.FORCE: VIG["forca"], Axis.EFFICACY: VIG["eficacia"]}


def bitemporal_periods(store: Store, name: Name) -> tuple[BitemporalPeriod, ...]:
    """Return all derived periods of a norm or provision, in the order of the store."""

    def read() -> tuple[BitemporalPeriod, ...]:
        return tuple(bitemporal_period(name, row) for row in store.summary(name.iri).periods())

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


_STANDING: Mapping[NoNorm | None, Status] = {NoNorm.BILL: Status.IN_PROGRESS, NoNorm.JUDGMENT: Status.DECIDED}


def standing(name: Name) -> Status:
    """Return the status of a document with a text on a day: a bill or a judgment is never in force.

    >>> from graph.urn import parse
    >>> standing(parse("urn:lex:br:senado.federal:projeto.lei;pls:2017;3")).value
    'in-progress'
    """
    return _STANDING.get(non_norm_kind(name), Status.IN_FORCE)


def bitemporal_period(name: Name, row: PeriodRow) -> BitemporalPeriod:
    """Return a derived period of a norm or provision, with the canonical name of its version."""
    return BitemporalPeriod(
        frozenset(row.axes),
        row.status if row.version is None else standing(name),
        from_iri(row.version) if row.version is not None else None,
        row.because,
        Interval(date.fromisoformat(row.start), _day(row.end)),
        Interval(date.fromisoformat(row.known_from), _day(row.known_until)),
    )


def _day(written: str | None) -> date | None:
    return date.fromisoformat(written) if written is not None else None


def answer_period(period: BitemporalPeriod, axis: Axis) -> Period:
    """Return a period in the form of answers, on one of its axes."""
    days, known = period.days, period.known
    return Period(period.version, period.status, days.start, days.until, known.start, known.until, axis)


def find_period(store: Store, work: Name, on: date, known: date, axis: Axis) -> BitemporalPeriod | None:
    """Return the period of a work or provision that contains (D, K) on an axis; None if there is none.

    Raises:
        StoreDamaged: two periods contain it.
    """
    period_rows = store.derived(work.iri, on, known, axis).periods_at(on.isoformat(), known.isoformat(), axis)
    if len(period_rows) > 1:
        raise _overlap_error(work)
    return bitemporal_period(work, period_rows[0]) if period_rows else None


def _overlap_error(work: Name) -> StoreDamaged:
    return StoreDamaged(f"two derived periods of {work.canonical} overlap; `vigente rebuild` derives them anew")


class StoredSubject:
    """A norm or provision of a store on one axis, as :class:`graph.time.combination.Subject`; read when it is needed.

    Args:
        store: an opened store.
        name: without version.
        axis: the axis.
        known: K, if all questions have the same: then only the periods known on it are read; None for any K.
    """

    def __init__(self, store: Store, name: Name, axis: Axis, known: date | None = None) -> None:
        self._store, self._name, self._known = store, name, known
        self.axis = axis
        self._found: dict[str, bool] = {}
        norm = name.work
        self._whole = StoredSubject(store, norm, axis, known) if norm != name else None

    @property
    def whole(self) -> StoredSubject | None:
        """The norm of a provision; None for a norm."""
        return self._whole

    @property
    def name(self) -> str:
        """The canonical name."""
        return self._name.canonical

    @property
    def issued(self) -> date:
        """The earliest day that the name allows."""
        return oldest(self._name.canonical)

    @property
    def stands(self) -> Status:
        """The status with a version."""
        return standing(self._name)

    @property
    def has_periods(self) -> bool:
        """Whether it has periods of its own, on any axis."""
        return self._store.summary(self._name.iri).has_periods

    @cached_property
    def _on_both_axes(self) -> list[BitemporalPeriod]:
        periods = bitemporal_periods(self._store, self._name)
        return [period for period in periods if self._known is None or period.known.holds(self._known)]

    @property
    def is_alike_on_both_axes(self) -> bool:
        """Whether no event acts on one axis alone."""
        return all(len(period.axes) > 1 for period in self._on_both_axes)

    @property
    def periods(self) -> Sequence[BitemporalPeriod]:
        """Its own periods on the axis."""
        return self._periods

    @cached_property
    def _periods(self) -> Sequence[BitemporalPeriod]:
        return [period for period in self._on_both_axes if self.axis in period.axes]

    @cached_property
    def _lookup(self) -> PeriodLookup:
        return PeriodLookup(self._periods)

    @property
    def versions(self) -> Sequence[Version]:
        """Its versions and views."""
        return versions(self._store, self._name.iri)

    @property
    def editions(self) -> Sequence[Edition[MadeVersion]]:
        """The versions of the norm with their texts, in order."""
        return self._editions

    @cached_property
    def _editions(self) -> Sequence[Edition[MadeVersion]]:
        return editions(self._store, self._name.work.iri)

    def period(self, on: date, known: date) -> BitemporalPeriod | None:
        """Return its own period that contains (D, K); None if there is none.

        Raises:
            StoreDamaged: two periods contain it.
        """
        try:
            return self._lookup(on, known)
        except ValueError:
            raise _overlap_error(self._name) from None

    def events(self) -> list[ActingEvent]:
        """Return the events that act on it."""
        return _acting_events(self._store, self._name.iri)

    def events_around(self) -> list[ActingEvent]:
        """Return the events that act on a provision, or on one that contains it."""
        return [event for work in self._within() for event in _acting_events(self._store, work)]

    def _within(self) -> tuple[str, ...]:
        """Return the IRIs of a provision and of those that contain it."""
        return (self._name.iri, *holding(self._store, self._name)[:-1])

    def is_in(self, edition: Edition[MadeVersion]) -> bool:
        """Return whether the text of an edition has the provision."""
        if edition.text is None:
            return False
        part = f"{edition.text}!{self._name.iri.rpartition('!')[2]}"
        if part not in self._found:
            self._found[part] = part in self._realised and bool(self._store.subjects_having([part], VIG["ordem"]))
        return self._found[part]

    @cached_property
    def _realised(self) -> frozenset[str]:
        return frozenset(self._store.summary(self._name.iri).realised())

    def is_in_undated_text(self) -> bool:
        """Return whether a text that no source dates has the provision."""
        norm = self._name.work.iri
        texts, _ = copies(self._store, norm, norm)
        return any(some_parts(self._store, text.name, norm, None, {self._name.iri}) for text in texts)

    def is_marked_as_ended(self, edition: Edition[MadeVersion]) -> bool:
        """Return whether the text of an edition marks the provision, or one that contains it, as revoked or vetoed."""
        printed = (f"{edition.version.name}!{from_iri(work).partition('!')[2]}" for work in self._within())
        return any(
            row["situacao"] in (Situation.REVOGADO, Situation.VETADO)
            for version in printed  # the caput of an article printed as revoked has no such remark
            for row in named("wording").rows(self._store, {"parte": text_of(version)})
        )

    def is_dated_by_act(self, version: str) -> bool:
        """Return whether a source of a version dates wordings by the signature of the act that made them."""
        return self._store.memoized((wording_dates, version), lambda: wording_dates(self._store, [version]))


def acting_event(reason: Reason, name: str = "") -> ActingEvent:
    """Return a reason as an event that acts on a norm or provision.

    Args:
        name: the IRI of the event.
    """
    return ActingEvent(name, reason.event, day_stated(reason.effect), day_stated(reason.known))


def _acting_events(store: Store, work: str) -> list[ActingEvent]:
    return [acting_event(reason, iri) for iri, reason in lifecycle_events(store, work)]


def decided_status(store: Store, target: Name, on: date, known: date, axis: Axis) -> Decision:
    """Return the status of a norm or provision without version on (D, K), and its origin."""
    return decide(StoredSubject(store, target, axis), on, known)


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
        store: an opened store.
        target: a norm or provision without version, with records.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    force = StoredSubject(store, target, Axis.FORCE, known)
    norm = force.whole
    if force.is_alike_on_both_axes and (norm is None or norm.is_alike_on_both_axes):
        return MappingProxyType(dict.fromkeys(Axis, _axis_answer(force, on, known)))
    subjects = {axis: StoredSubject(store, target, axis, known) for axis in Axis}
    return MappingProxyType({axis: _axis_answer(subject, on, known) for axis, subject in subjects.items()})


def _axis_answer(subject: StoredSubject, on: date, known: date) -> AxisAnswer:
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
