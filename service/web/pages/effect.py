"""In force and without effect: what is in force and suspended, or has no effect yet, is not told as simply in force."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name, parse
from queries import in_force
from queries.answers import InForce, Period, Reason, Status
from queries.periods import looked_up

__all__ = ["WithoutEffect", "shown_as", "without_effect"]

_ONE_DAY = timedelta(days=1)
_SUSPENSION = "suspensao"


@dataclass(frozen=True, slots=True)
class WithoutEffect:
    """Days ``[start, until)`` of efficacy on which what is in force has no effect; None where nothing is known of one.

    Attributes:
        suspended: whether an event suspended it; else its effects have not begun.
        decided: whether the sources allow to say so; else nobody knows whether it has effect on these days.
        open_start, open_end: whether nobody knows how it stands before the first day, or after the last.
        because: what decides that.
    """

    start: date | None
    until: date | None
    suspended: bool
    decided: bool
    open_start: bool
    open_end: bool
    because: tuple[Reason, ...]


def shown_as(answer: InForce, effect: WithoutEffect | None) -> Status:
    """The status as which an answer is shown: what is in force and has no effect is not shown as simply in force."""
    if effect is None:
        return answer.status
    return Status.SUSPENDED if effect.decided else Status.UNKNOWN


def without_effect(store: Store, answer: InForce) -> WithoutEffect | None:
    """Whether what is in force on the day of an answer has no effect on it, or nobody knows; None where it has, or
    nothing is in force.

    Raises:
        StoreProblem: the store cannot be read.
    """
    name = parse(answer.name) if answer.version is not None or answer.status is Status.SUSPENDED else None
    if name is None:
        return None
    told = in_force(store, name, answer.on, answer.as_known, Axis.EFFICACY)
    if told.status not in {Status.SUSPENDED, Status.UNKNOWN}:
        return None

    def at(target: Name, day: date) -> Period | None:
        found = looked_up(store, target, day, answer.as_known, Axis.EFFICACY)
        return found.period if found is not None else None

    first = last = before = after = None
    for target in dict.fromkeys((name, name.work)):
        held = at(target, answer.on)
        if held is None or held.status is not told.status:
            continue
        first = last = held
        while last.valid_until is not None and (after := at(target, last.valid_until)) is not None:
            if after.status is not told.status:
                break
            last, after = after, None
        while (before := at(target, first.valid_from - _ONE_DAY)) is not None:
            if before.status is not told.status:
                break
            first, before = before, None
        break
    return WithoutEffect(
        first.valid_from if first is not None else None,
        last.valid_until if last is not None else None,
        any(one.event == _SUSPENSION for one in told.because),
        told.status is Status.SUSPENDED,
        before is not None and before.status is Status.UNKNOWN,
        after is not None and after.status is Status.UNKNOWN,
        told.because,
    )
