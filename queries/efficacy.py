"""Days without efficacy: norms and provisions that are in force and suspended, or have no effect yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from graph.civil import ONE_DAY
from graph.store import Store
from graph.time.intervals import Interval
from graph.time.kinds import Axis, Status
from graph.urn import Name, parse
from ontology.events import EventKind
from queries.answers import InForce
from queries.in_force import in_force
from queries.reasons import Reason
from queries.status import decided, periods_of

_SUSPENSION = EventKind.SUSPENSAO


@dataclass(frozen=True, slots=True)
class WithoutEffect:
    """Days ``[start, until)`` on which a norm or provision in force has no effect; None for an unknown bound.

    Attributes:
        suspended: whether an event suspended it; else its effects have not begun.
        decided: whether the sources decide it; else its effect on these days is unknown.
        open_start, open_end: whether the status before the first day, or after the last, is not known.
        because: the deciding events.
    """

    start: date | None
    until: date | None
    suspended: bool
    decided: bool
    open_start: bool
    open_end: bool
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Days(Interval):
    """Days of one status.

    Attributes:
        doubtful: the bounds with an unknown status on their other side.
    """

    doubtful: frozenset[date | None]


def shown_as(answer: InForce, effect: WithoutEffect | None) -> Status:
    """Return the status to show for an answer: "in force without effect" is not shown as in force."""
    if effect is None:
        return answer.status
    return Status.SUSPENDED if effect.decided else Status.UNKNOWN


def days_without_effect(store: Store, target: Name, known: date) -> list[Days]:
    """Return the days on which a norm or provision is in force without effect, in order.

    Args:
        target: without version.
        known: K, a civil date.
    """
    efficacy = [period for period in periods_of(store, target) if period.axis is Axis.EFFICACY]
    known_periods = [period for period in efficacy if period.holds(period.valid_from, known)]
    unsure = {
        edge
        for period in known_periods
        if period.status is Status.UNKNOWN
        for edge in (period.valid_from, period.valid_until)
    }
    intervals: list[Days] = []
    for known_period in sorted(known_periods, key=lambda period: period.valid_from):
        if known_period.status is not Status.SUSPENDED:
            continue
        first = (
            intervals.pop().start
            if intervals and intervals[-1].until == known_period.valid_from
            else known_period.valid_from
        )
        intervals.append(Days(first, known_period.valid_until, frozenset({first, known_period.valid_until} & unsure)))
    return intervals


def without_effect(store: Store, answer: InForce) -> WithoutEffect | None:
    """Return the days without effect around the day of an answer, also if they are uncertain; None if there is effect,
    or nothing is in force.
    """
    name = parse(answer.name) if answer.version is not None or answer.status is Status.SUSPENDED else None
    if name is None:
        return None
    answer_on_efficacy = in_force(store, name, answer.on, answer.as_known, Axis.EFFICACY)
    if answer_on_efficacy.status not in {Status.SUSPENDED, Status.UNKNOWN}:
        return None
    span = answer_on_efficacy.efficacy

    def is_unknown(day: date | None) -> bool:
        found = decided(store, name, day, answer.as_known, Axis.EFFICACY) if day is not None else None
        return found is not None and found.is_dated and found.status is Status.UNKNOWN

    return WithoutEffect(
        span.since,
        span.until,
        any(reason.event == _SUSPENSION for reason in answer_on_efficacy.because),
        answer_on_efficacy.status is Status.SUSPENDED,
        is_unknown(span.since - ONE_DAY if span.since is not None else None),
        is_unknown(span.until),
        answer_on_efficacy.because,
    )
