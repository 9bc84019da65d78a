"""The status of a norm or provision on (D, K), on each axis: by its own periods, or by those of its norm."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from graph.civil import parse_when
from graph.document_kinds import NoNorm, non_norm_kind
from graph.errors import StoreDamaged
from graph.store import Store
from graph.summaries import EventRow, PeriodRow
from graph.time.kinds import Axis, Situation, Status
from graph.urn import Name, from_iri, parse
from ontology.events import EVENTS, OVERTURNED_VETOES, Effect, EventKind, event_iri, interprets
from ontology.namespaces import VIG
from queries.answers import AxisAnswer, Period
from queries.catalogue import named
from queries.causes import oldest
from queries.evidence import Version, day_stated, lifecycle_events, versions, wording_dates
from queries.notices import Disagreement, NormUndated, Notice, NotInText, SourcesContradict, TextUnknown, UndatedText
from queries.provisions import holding, is_in_a_text, is_in_undated_text, placed, text_of, texts_may_decide
from queries.reasons import Reason

#: The concept of each axis, as queries take it.
AXES = {Axis.FORCE: VIG["forca"], Axis.EFFICACY: VIG["eficacia"]}


def periods_of(store: Store, name: Name) -> tuple[Period, ...]:
    """Return all periods of a norm or provision, sorted by day of knowledge, then by start and axis."""
    return store.memoized((periods_of, name.iri), lambda: _periods_of(store, name))


def _periods_of(store: Store, name: Name) -> tuple[Period, ...]:
    periods = (period_of(name, row, axis) for row in store.summary(name.iri).periods() for axis in row.axes)
    return tuple(sorted(periods, key=lambda period: (period.known_from, period.valid_from, period.axis)))


_STANDING: Mapping[NoNorm | None, Status] = {NoNorm.BILL: Status.IN_PROGRESS, NoNorm.JUDGMENT: Status.DECIDED}


def standing(name: Name) -> Status:
    """Return the status of a document with a text on a day: a bill or a judgment is never in force.

    >>> from graph.urn import parse
    >>> standing(parse("urn:lex:br:senado.federal:projeto.lei;pls:2017;3")).value
    'in-progress'
    """
    return _STANDING.get(non_norm_kind(name), Status.IN_FORCE)


def period_of(name: Name, row: PeriodRow, axis: Axis) -> Period:
    """Return a derived period of a norm or provision on one of its axes."""
    return Period(
        from_iri(row.version) if row.version is not None else None,
        row.status if row.version is None else standing(name),
        date.fromisoformat(row.start),
        date.fromisoformat(row.end) if row.end is not None else None,
        date.fromisoformat(row.known_from),
        date.fromisoformat(row.known_until) if row.known_until is not None else None,
        axis,
    )


class DecidingPeriod(NamedTuple):
    """The period that answers, and the IRIs of the reasons if it is a gap."""

    period: Period
    because: tuple[str, ...]


def find_period(store: Store, work: Name, on: date, known: date, axis: Axis) -> DecidingPeriod | None:
    """Return the period of a work or provision that contains (D, K) on an axis; None if there is none.

    Raises:
        StoreDamaged: two periods contain it.
    """
    period_rows = store.derived(work.iri, on, known, axis).periods_at(on.isoformat(), known.isoformat(), axis)
    if len(period_rows) > 1:
        problem = f"two derived periods of {work.canonical} overlap; `vigente rebuild` derives them anew"
        raise StoreDamaged(problem)
    return DecidingPeriod(period_of(work, period_rows[0], axis), period_rows[0].because) if period_rows else None


#: The event of a provision's own start of force.
_OWN_START = event_iri(EventKind.VIGENCIA_PROPRIA)
#: Statuses that only a restoration ends.
ENDED = (Status.REVOKED, Status.ANNULLED, Status.EXPIRED, Status.CONVERTED, Status.VETOED)


@dataclass(frozen=True, slots=True)
class DecidedStatus:
    """The status on (D, K), and its origin.

    Attributes:
        status: ``in-force`` if a version is in force.
        deciding_period: the deciding period, with its version; None if no period decides.
        of_norm: whether the answer of the norm is used for its provision.
        notice: the notice that explains how the texts decide the status; None if they do not.
    """

    status: Status
    deciding_period: DecidingPeriod | None = None
    of_norm: bool = False
    notice: Notice | None = None


def decided_status(
    store: Store,
    target: Name,
    own: DecidingPeriod | None,
    norm: DecidingPeriod | None,
    known: Sequence[Version],
    on: date,
    as_known: date,
) -> DecidedStatus:
    """Return the status of a norm or provision.

    Args:
        own: the period of the norm or provision itself that contains (D, K); None if there is none.
        norm: the same of its norm; used only for a provision.
        known: its versions.
        on: D, a civil date.
        as_known: K, a civil date.
    """
    if target != target.work:
        has_ended = norm is not None and norm.period.status in ENDED
        if own is None and not has_ended and _day_of_insertion(store, target, known) is not None:
            return DecidedStatus(Status.NOT_PUBLISHED)
        held = _decided_by_norm(store, target, own, norm, known, on, as_known)
        if held is not None:
            return held
    if own is None:
        return DecidedStatus(status_without_period(store, target, known, on, as_known))
    return DecidedStatus(own.period.status, own)


def status_without_period(store: Store, target: Name, known: Sequence[Version], on: date, as_known: date) -> Status:
    """Return the status if no period contains (D, K): K is too early, or nothing is dated."""
    issued = oldest(target.canonical)
    if _has_periods(store, target):
        presupposes = issued <= min(on, as_known) and not any(version.first for version in known)
        return Status.UNKNOWN if presupposes else Status.NOT_PUBLISHED
    if as_known < issued:
        return Status.NOT_PUBLISHED
    events = (reason for _, reason in lifecycle_events(store, target.iri)) if target == target.work else ()
    return certain_ending(events, on, as_known) or Status.UNKNOWN


def _decided_by_norm(
    store: Store,
    target: Name,
    own: DecidingPeriod | None,
    norm: DecidingPeriod | None,
    known: Sequence[Version],
    on: date,
    as_known: date,
) -> DecidedStatus | None:
    """Return the status of a provision that its norm decides; None if the provision's own periods decide."""
    if own is not None and own.period.status in ENDED:
        return _status_if_printed_later(store, target, own, norm, as_known)
    has_periods = _has_periods(store, target)
    if norm is None or norm.period.status is Status.UNKNOWN:
        decide = _of_undated_norm if has_periods else _status_of_norm
        return decide(store, target, own, norm, on, as_known)
    if norm.period.version is None:
        return _without_text(store, target, own, norm, known, on, as_known)
    asked = own is None or texts_may_decide(store, target.work)
    place = placed(store, target, norm.period.version, as_known) if asked else None
    if place is None:
        follows = not has_periods and is_in_undated_text(store, target, as_known)
        return DecidedStatus(Status.IN_FORCE, norm, of_norm=True, notice=UndatedText()) if follows else None
    made = next((_since(v) for v in known if own is not None and v.name == own.period.version), None)
    if place.missing is not None:
        return _beside_missing_text(store, target, place.missing, known, made)
    whole = place.complete_since
    if has_periods and (whole is None or (own is not None and (made is None or made > whole))):
        return None
    if place.version is not None:
        return DecidedStatus(standing(target), norm._replace(period=replace(norm.period, version=place.version)))
    if own is None and has_periods and any((version.view_date or date.min) <= as_known for version in known):
        return None  # a change presupposes the provision that the text lacks
    status = Status.REVOKED if place.was_there or made is not None else Status.NOT_PUBLISHED
    if made is not None and whole is not None and made[0] == whole[0]:  # one source makes what another one lacks
        status = Status.UNKNOWN
    return DecidedStatus(status, notice=NotInText(norm.period.version))


def _since(version: Version) -> tuple[date, date] | None:
    """Return the first day of force of a version and its day of knowledge; None if its name has no first day."""
    return (version.version_date, version.view_date or date.min) if version.version_date is not None else None


def _beside_missing_text(
    store: Store,
    target: Name,
    missing: str,
    known: Sequence[Version],
    made: tuple[date, date] | None,
) -> DecidedStatus | None:
    """Return the status of a provision in a version of its norm of which no source has the text; None if its own
    periods decide.

    They decide if it was inserted, or its version was made, later than that version.

    Args:
        missing: the version without a text, by its canonical name.
        made: the first day of force of the provision's version and its day of knowledge.
    """
    lost = parse(missing)
    start, view = lost.version_date or date.min, lost.view_date or date.max
    inserted = _day_of_insertion(store, target, known)
    if inserted is not None and inserted > view:
        return None
    if made is not None and made[0] >= start and made[1] > view:
        return None
    return DecidedStatus(Status.UNKNOWN, notice=TextUnknown(missing))


def _without_text(
    store: Store,
    target: Name,
    own: DecidingPeriod | None,
    norm: DecidingPeriod,
    known: Sequence[Version],
    on: date,
    as_known: date,
) -> DecidedStatus:
    """Return the status if the norm has no text in force: then its provision has none, unless it decides by itself.

    A provision that a source starts before its norm is in force during the vacatio of the norm, as arts. 55-A to 55-L
    of Lei 13.709/2018 were.
    """
    if own is not None and _decides_by_itself(store, target, own, norm, known, on):
        return DecidedStatus(own.period.status, own)
    if norm.period.status is Status.VACATIO:
        if _is_missing_at_start(store, target, norm, known, as_known):
            return DecidedStatus(Status.NOT_PUBLISHED)
        if (own is None or own.period.version is None) and _is_only_amended(store, target, known):
            return DecidedStatus(Status.UNKNOWN)
    return DecidedStatus(norm.period.status, norm, of_norm=True)


def _decides_by_itself(
    store: Store, target: Name, own: DecidingPeriod, norm: DecidingPeriod, known: Sequence[Version], on: date
) -> bool:
    """Return whether the own period of a provision decides although its norm has no text in force."""
    if norm.period.status is Status.SUSPENDED:
        return own.period.status is Status.VACATIO  # a suspension only ends the efficacy of a text in force
    if norm.period.status is not Status.VACATIO:
        return False
    if own.period.status is Status.VACATIO:
        return own.period.valid_until != norm.period.valid_until
    if _begins_before_its_norm(store, own, known) or _starts_by_itself(store, target, on, own, norm.period.axis):
        return True
    in_doubt = own.period.status is Status.UNKNOWN
    return in_doubt and (
        _day_of_insertion(store, target, known) is not None or _may_have_ended(store, target, on, own, norm.period.axis)
    )


def _may_have_ended(store: Store, target: Name, on: date, own: DecidingPeriod, axis: Axis) -> bool:
    """Return whether the status of a provision is unknown because it, or one that contains it, may have ended by D, or
    may have been restored."""
    kinds = {event.iri: event.kind for event in _events_by(store, target, on)}
    return not _ENDING_KINDS.isdisjoint(kinds.values()) and _follows_from(store, target, on, own, axis, kinds.keys())


def _events_by(store: Store, target: Name, on: date) -> Iterator[EventRow]:
    """Yield the events that may have effect by D on a provision, or on one that contains it."""
    for work in (target.iri, *holding(store, target)[:-1]):
        for event in store.summary(work).events():
            day = day_stated(event.effect)
            if day is None or day.possible_on(on):
                yield event


def _follows_from(store: Store, target: Name, on: date, match: DecidingPeriod, axis: Axis, events: Set[str]) -> bool:
    """Return whether some events are reasons of the period of a provision."""
    if not events:
        return False
    known = match.period.known_from
    periods = store.derived(target.iri, on, known, axis).periods_at(on.isoformat(), known.isoformat(), axis)
    return not events.isdisjoint(name for period in periods for name in period.because)


def is_ended_after(store: Store, target: Name, start: date, view: date) -> bool:
    """Return whether a text may contain a provision that has ended: nobody could know of an end by its first day.

    Args:
        target: the provision; ends of those that contain it count, too.
        start: the first day of force of the text.
        view: the day on which the text was published.
    """
    known = [
        day_stated(event.known)
        for work in (target.iri, *holding(store, target)[:-1])
        for _, event in lifecycle_events(store, work)
        if _ending_of(event.event) is not None and ((day := day_stated(event.effect)) is None or day.possible_on(start))
    ]
    return not any(day is None or day.possible_on(view) for day in known)


def _day_of_insertion(store: Store, target: Name, known: Sequence[Version]) -> date | None:
    """Return the first day on which an inserted provision was known; None if it may be of the first text."""
    if not any(version.inserts for version in known) or any(v.first and not v.inserts for v in known):
        return None
    first = min((period.known_from for period in store.summary(target.iri).periods()), default=None)
    return date.fromisoformat(first) if first is not None else None


def _is_only_amended(store: Store, target: Name, known: Sequence[Version]) -> bool:
    """Return whether sources state only amendments of a provision, and no text of its norm has it.

    It is then not known whether it was in the first text.
    """
    if not known or any(version.first or version.event in OVERTURNED_VETOES for version in known):
        return False
    return not is_in_a_text(store, target)


def _begins_before_its_norm(store: Store, own: DecidingPeriod, known: Sequence[Version]) -> bool:
    """Return whether a version of a provision is in force in the vacatio of its norm, by a source that dates its
    force."""
    made = next((version for version in known if version.name == own.period.version), None)
    if made is None or made.event in OVERTURNED_VETOES:
        return False  # a part whose veto was overturned takes effect with its law at first
    return not wording_dates(store, [made.name])


def _starts_by_itself(store: Store, target: Name, on: date, match: DecidingPeriod, axis: Axis) -> bool:
    """Return whether the period of a provision follows (or may follow) from its own start of force by D.

    Before such a start it is in vacatio with its norm.
    """
    starts = {event.iri for event in _events_by(store, target, on) if event.kind == _OWN_START}
    return _follows_from(store, target, on, match, axis, starts)


def _is_missing_at_start(
    store: Store, target: Name, norm: DecidingPeriod, known: Sequence[Version], as_known: date
) -> bool:
    """Return whether the text that ends the vacatio of a norm lacks a provision."""
    start = norm.period.valid_until
    if start is None:
        return False
    own, coming = (find_period(store, name, start, as_known, norm.period.axis) for name in (target, target.work))
    return decided_status(store, target, own, coming, known, start, as_known).status is Status.NOT_PUBLISHED


def _status_of_norm(
    store: Store, target: Name, _: DecidingPeriod | None, norm: DecidingPeriod | None, on: date, as_known: date
) -> DecidedStatus:
    """Return the status of the norm, if neither it nor its provision has a version on the day."""
    if norm is not None:
        return DecidedStatus(norm.period.status, norm, of_norm=True)
    whole_norm = target.work
    return DecidedStatus(
        status_without_period(store, whole_norm, versions(store, whole_norm.iri), on, as_known), of_norm=True
    )


def _status_if_printed_later(
    store: Store, target: Name, match: DecidingPeriod, norm: DecidingPeriod | None, as_known: date
) -> DecidedStatus | None:
    """Return the status of an ended provision that a complete text of a later day contains: the sources contradict each
    other, unless nobody could know of the ending when the text was published."""
    if norm is None or norm.period.version is None:
        return None
    place = placed(store, target, norm.period.version, as_known)
    if (
        place is None
        or place.version is None
        or place.complete_since is None
        or place.complete_since[0] < match.period.valid_from
        or is_ended_after(store, target, *place.complete_since)
    ):
        return None
    version_name = place.version.partition("!")[0]
    around = (f"{version_name}!{from_iri(holder).partition('!')[2]}" for holder in holding(store, target)[:-1])
    for version in (place.version, *around):  # the caput of an article printed as revoked has no such remark
        for row in named("wording").rows(store, {"parte": text_of(version)}):
            if row["situacao"] in (Situation.REVOGADO, Situation.VETADO):
                return None
    printed = SourcesContradict(Disagreement.ENDED_AND_PRINTED, (norm.period.version,))
    return DecidedStatus(Status.UNKNOWN, notice=printed)


def _of_undated_norm(
    store: Store, target: Name, own: DecidingPeriod | None, norm: DecidingPeriod | None, on: date, as_known: date
) -> DecidedStatus | None:
    """Return the status of the norm, whose start is not known, for a provision dated by the signature of its wording.

    None if a source dates the force of the provision itself, or if its status needs no start of its norm.
    """
    if own is None or own.period.version is None:
        return None
    version = own.period.version
    if not store.memoized((wording_dates, version), lambda: wording_dates(store, [version])):
        return None
    if _starts_by_itself(store, target, on, own, own.period.axis):
        return None
    decided = _status_of_norm(store, target, own, norm, on, as_known)
    return replace(decided, notice=NormUndated(target.work.canonical))


def _has_periods(store: Store, target: Name) -> bool:
    return store.summary(target.iri).has_periods


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
    own = _known_periods(store, target, known)
    norm = _known_periods(store, target.work, known) if target != target.work else []
    if all(len(period_row.axes) > 1 for period_row in (*own, *norm)):  # no event acts on one axis alone
        both = _axis_answer(store, target, own, norm, on, known, Axis.FORCE)
        return MappingProxyType(dict.fromkeys(Axis, both))
    return MappingProxyType({axis: _axis_answer(store, target, own, norm, on, known, axis) for axis in Axis})


def _known_periods(store: Store, name: Name, known: date) -> list[PeriodRow]:
    """Return the derived periods of a name that are known on K, on both axes."""
    day = known.isoformat()
    return [period for period in store.summary(name.iri).periods() if period.is_known(day)]


def _axis_answer(
    store: Store,
    target: Name,
    own: Iterable[PeriodRow],
    norm: Iterable[PeriodRow],
    on: date,
    known: date,
    axis: Axis,
) -> AxisAnswer:
    own, norm = ([period_row for period_row in period_rows if axis in period_row.axes] for period_rows in (own, norm))
    norm_answer = _answer_of_norm(target, own, on) if target == target.work else None
    if (
        norm_answer is not None and norm_answer.status is not Status.UNKNOWN
    ):  # days without a period may be unknown, too
        return norm_answer
    days = _Days(store, target, (own, norm), known, axis)
    status = days.status(on)
    edges = days.edges
    if status in _NOTHING:
        return AxisAnswer(status)
    index = bisect_right(edges, on)
    since: date | None = None
    for day in reversed(edges[:index]):
        if days.status(day) is not status:
            break
        since = day
    until = next((day for day in edges[index:] if days.status(day) is not status), None)
    return AxisAnswer(status, since, until)


def _answer_of_norm(name: Name, periods: Sequence[PeriodRow], on: date) -> AxisAnswer | None:
    """Return the answer for a norm by its own periods; None if no period contains D."""
    day = on.isoformat()
    ordered = sorted(periods, key=lambda period_row: period_row.start)
    index = bisect_right(ordered, day, key=lambda period_row: period_row.start) - 1
    if index < 0:
        return None
    first = last = index
    while first > 0 and _is_continued_by(ordered[first - 1], ordered[first]):
        first -= 1
    while last + 1 < len(ordered) and _is_continued_by(ordered[last], ordered[last + 1]):
        last += 1
    until = ordered[last].end
    return AxisAnswer(
        standing(name) if ordered[index].version is not None else ordered[index].status,
        date.fromisoformat(ordered[first].start),
        date.fromisoformat(until) if until is not None else None,
    )


def _is_continued_by(period_row: PeriodRow, following: PeriodRow) -> bool:
    return period_row.end == following.start and period_row.status is following.status


class _Days:
    """The statuses of one norm or provision on all days D, for one K and axis.

    Attributes:
        edges: every day on which the status may differ from that of the day before, ascending.
    """

    def __init__(
        self,
        store: Store,
        target: Name,
        periods: tuple[Iterable[PeriodRow], Iterable[PeriodRow]],
        known: date,
        axis: Axis,
    ) -> None:
        self._store, self._target, self._known = store, target, known
        self._versions = versions(store, target.iri)
        self._own, self._norm = (
            [period_of(target, period_row, axis) for period_row in period_rows] for period_rows in periods
        )
        edges = set(_edges((*self._own, *self._norm)))
        issued = oldest(target.canonical)  # from this day on a text may be presupposed
        edges |= {issued} if edges else set()
        self.edges = sorted(edges)

    def status(self, day: date) -> Status:
        """Return the status on D."""
        own, norm = _period_at(self._own, day), _period_at(self._norm, day)
        return decided_status(self._store, self._target, own, norm, self._versions, day, self._known).status


def _edges(periods: Iterable[Period]) -> Iterator[date]:
    for period in periods:
        yield period.valid_from
        if period.valid_until is not None:
            yield period.valid_until


def _period_at(periods: Iterable[Period], day: date) -> DecidingPeriod | None:
    for period in periods:
        if period.valid.holds(day):
            return DecidingPeriod(period, ())
    return None


_ENDINGS = {
    Effect.REVOKES: Status.REVOKED,
    Effect.ANNULS: Status.ANNULLED,
    Effect.EXPIRES: Status.EXPIRED,
    Effect.CONVERTS: Status.CONVERTED,
    Effect.VETOES: Status.VETOED,
}
#: The kinds of events that end a provision.
_ENDING_KINDS = frozenset(term.iri for term in EVENTS.values() if term.effect in _ENDINGS)


def _ending_of(event: str | None) -> Status | None:
    """Return how an event ends its target; None if it does not."""
    term = EVENTS.get(event or "")
    return _ENDINGS.get(term.effect) if term is not None and term.effect is not None else None


def certain_ending(events: Iterable[Reason], on: date, known: date) -> Status | None:
    """Return how something ended by D, if all its stated events are endings (docs/explanation/time.md, the rules).

    Args:
        events: the events that act on it, with days in the form of reasons.
        on, known: D and K, civil dates.

    Returns:
        The status of the ending that certainly came first. None if none certainly has effect by D, or was certainly
        known by K, or if another event may have undone an ending.
    """
    endings: list[tuple[date, date, Status]] = []
    for event in events:
        if interprets(event.event):
            continue
        status = _ending_of(event.event)
        if status is None:
            return None
        effect, known_on = (_last_possible_day(day) for day in (event.effect, event.known))
        if effect is not None and known_on is not None and effect <= on and known_on <= known:
            endings.append((effect, known_on, status))
    return min(endings)[2] if endings else None


def _last_possible_day(text: str | None) -> date | None:
    """Return the last possible day of a text of days; None if there is no bound."""
    when = parse_when(text) if text is not None else None
    return when.last if when is not None else None
