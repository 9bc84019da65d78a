"""The status of a norm or provision on (D, K), on each axis: rows of the read model, and the days around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from graph.read_model.rectangles import Rectangle, coalesced, day_of
from graph.read_model.rows import Axes, Row
from graph.read_model.subject import overlapping_periods
from graph.store import Store
from graph.time.combination import Doubt
from graph.time.intervals import Interval
from graph.time.kinds import Axis, Status
from graph.urn import Name, from_iri
from queries.answers import AxisAnswer, Period
from queries.notices import Disagreement, NormUndated, Notice, NotInText, SourcesContradict, TextUnknown, UndatedText

_BITS = {Axis.FORCE: Axes.FORCE, Axis.EFFICACY: Axes.EFFICACY}
#: The rules that decide on days without a period of its own.
_WITHOUT_PERIOD = frozenset({"C2", "C3"})


class Decided(NamedTuple):
    """What the rules of combination decide on (D, K).

    Attributes:
        row: the row of these days.
        rectangle: the days around (D, K) with this version; without a version, with this status for this reason.
    """

    row: Row
    rectangle: Rectangle

    @property
    def status(self) -> Status:
        """The status."""
        return self.row.status

    @property
    def version(self) -> str | None:
        """The canonical name of the version that applies; None if there is none."""
        return from_iri(self.row.version) if self.row.version is not None else None

    @property
    def because(self) -> tuple[str, ...]:
        """The IRIs of the deciding events."""
        return self.row.because

    @property
    def reason(self) -> tuple[object, ...]:
        """What joins rows: the version; without one, the status with its reason."""
        return reason_of(self.row)

    @property
    def is_dated(self) -> bool:
        """Whether a period decides."""
        return self.row.rule not in _WITHOUT_PERIOD

    @property
    def days(self) -> Interval:
        """The days of force of the rectangle."""
        return Interval(day_of(self.rectangle.start) or date.max, day_of(self.rectangle.until))

    @property
    def valid_from(self) -> date:
        """The first day of force of the rectangle."""
        return self.days.start

    @property
    def known(self) -> Interval:
        """The days of knowledge of the rectangle."""
        return Interval(day_of(self.rectangle.known) or date.max, day_of(self.rectangle.known_until))


def reason_of(row: Row) -> tuple[object, ...]:
    """Return what joins rows: the version; without one, the status with its reason."""
    if row.version is not None:
        return row.status, row.version
    return row.status, None, row.because, row.is_of_norm, row.doubt, row.about, row.rule in _WITHOUT_PERIOD


def rows_of(store: Store, name: Name) -> tuple[Row, ...]:
    """Return the rows of a norm or provision, without version; none if no record describes it."""
    return store.memoized((rows_of, name.iri), lambda: tuple(store.full_text.rows_of_one(name.iri)))


def decided_rows(store: Store, name: Name, axis: Axis) -> tuple[Decided, ...]:
    """Return the rows of a norm or provision on an axis, each with its rectangle, in the order of their first days."""

    every = rows_of(store, name)
    rows = [row for row in every if row.axes & _BITS[axis]]

    def found() -> tuple[Decided, ...]:
        return tuple(Decided(row, row.days) for row in rows) if name == name.work else tuple(_joined(rows))

    return store.memoized((decided_rows, name.iri, axis if len(rows) < len(every) else None), found)


def _joined(rows: Sequence[Row]) -> Iterator[Decided]:
    """Yield rows with the joined days of those with the same reason; a row in several of them is divided."""
    alike: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        alike.setdefault(reason_of(row), []).append(row)
    found = [
        Decided(row._replace(days=met), whole)
        for same in alike.values()
        for whole in coalesced(row.days for row in same)
        for row in same
        if (met := row.days.intersection(whole)) is not None
    ]
    yield from sorted(found, key=lambda each: each.row.days)


def decided(store: Store, name: Name, on: date, known: date, axis: Axis) -> Decided | None:
    """Return what the rules decide for a norm or provision on (D, K); None if it is not published on them.

    Args:
        store: an opened store.
        name: without version.
        on, known: D and K, civil dates.
        axis: the axis.

    Raises:
        StoreProblem: the store cannot be read.
        StoreDamaged: two rows contain (D, K).
    """
    day, known_day = on.toordinal(), known.toordinal()
    found = [each for each in decided_rows(store, name, axis) if each.row.days.holds(day, known_day)]
    if len(found) > 1:
        raise overlapping_periods(name.canonical)
    return found[0] if found else None


def status_on(store: Store, name: Name, on: date, known: date, axis: Axis = Axis.FORCE) -> Status:
    """Return the status of a norm or provision on (D, K); the arguments are those of :func:`decided`."""
    found = decided(store, name, on, known, axis)
    return found.status if found is not None else Status.NOT_PUBLISHED


def periods_of(store: Store, name: Name) -> tuple[Period, ...]:
    """Return the periods of a norm, or of a provision together with its norm, on both axes.

    They are sorted by day of knowledge, then by start and axis. If any is known, the days of unknown status before the
    first text are a period, too.

    Args:
        store: an opened store.
        name: the norm or provision, without version.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return sorted_periods(period for axis in Axis for period in _periods(store, name, axis))


def _periods(store: Store, name: Name, axis: Axis) -> Iterator[Period]:
    """Yield the days of rows on which the norm or provision is published, if a period of it or of its norm is known.

    Those of a provision are joined by status and version, as are days of a norm that no period decides.
    """
    if not is_dated(store, name, None, axis):
        return
    alike: dict[tuple[Status, str | None, Rectangle | None], list[Rectangle]] = {}
    for each in decided_rows(store, name, axis):
        if each.status is not Status.NOT_PUBLISHED:
            alone = each.row.days if name == name.work and each.is_dated else None
            alike.setdefault((each.status, each.row.version, alone), []).append(each.row.days)
    for (status, version, _), days in alike.items():
        yield from (period_on(rectangle, status, version, axis) for rectangle in coalesced(days))


def period_on(days: Rectangle, status: Status, version: str | None, axis: Axis) -> Period:
    """Return the period with a status and version on some days.

    Args:
        version: its IRI; None if there is none.
    """
    start, known = (day_of(day) or date.max for day in (days.start, days.known))
    name = from_iri(version) if version is not None else None
    return Period(name, status, start, day_of(days.until), known, day_of(days.known_until), axis)


def sorted_periods(periods: Iterable[Period]) -> tuple[Period, ...]:
    """Return periods in the order of a timeline: by day of knowledge, then by start and axis."""
    return tuple(sorted(periods, key=lambda period: (period.known_from, period.valid_from, period.axis)))


def notice_of(decision: Decided) -> Notice | None:
    """Return the notice that explains how the texts decide a status; None if they do not."""
    about = decision.row.about or ""
    match decision.row.doubt:
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


def both_axes(store: Store, target: Name, on: date, known: date) -> Mapping[Axis, AxisAnswer]:
    """Return the status on (D, K) on each axis, with the days around D that have the same status, as known on K.

    Args:
        store: an opened store.
        target: a norm or provision without version, with records.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return {axis: _axis_answer(store, target, on, known, axis) for axis in Axis}


def _axis_answer(store: Store, target: Name, on: date, known: date, axis: Axis) -> AxisAnswer:
    known_day = known.toordinal()
    rows = [each.row for each in decided_rows(store, target, axis) if each.row.days.is_known(known_day)]
    index = next((i for i, row in enumerate(rows) if row.days.holds(on.toordinal(), known_day)), None)
    if index is None or rows[index].status is Status.NOT_PUBLISHED:
        return AxisAnswer(Status.NOT_PUBLISHED)
    status = rows[index].status
    if not is_dated(store, target, known_day, axis):
        return AxisAnswer(status)
    first = last = index
    while first > 0 and _is_continued_by(rows[first - 1], rows[first]):
        first -= 1
    while last + 1 < len(rows) and _is_continued_by(rows[last], rows[last + 1]):
        last += 1
    return AxisAnswer(status, day_of(rows[first].days.start), day_of(rows[last].days.until))


def _is_continued_by(row: Row, following: Row) -> bool:
    return row.days.until == following.days.start and row.status is following.status


def is_dated(store: Store, target: Name, known: int | None, axis: Axis) -> bool:
    """Return whether a norm or provision, or the norm of a provision, has a period.

    Args:
        known: the ordinal of K: only periods known on it count; None for any K.
    """
    return any(
        each.is_dated and each.row.rule != "C6" and (known is None or each.row.days.is_known(known))
        for name in dict.fromkeys((target, target.work))
        for each in decided_rows(store, name, axis)
    )
