"""In force and without effect: what is in force and suspended, or has no effect yet, is not told as simply in force."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from graph.entities import Axis
from graph.store import Store
from graph.urn import parse
from queries import in_force
from queries.answers import InForce, Reason, Status
from queries.periods import looked_up

__all__ = ["WithoutEffect", "without_effect"]

_ONE_DAY = timedelta(days=1)
_SUSPENSION = "suspensao"


@dataclass(frozen=True, slots=True)
class WithoutEffect:
    """Days ``[start, until)`` of efficacy on which what is in force has no effect; None where nothing is known of one.

    Attributes:
        suspended: whether an event suspended it; else its effects have not begun.
        open_end: whether nobody knows how it stands after the last day.
        because: what decides that.
    """

    start: date | None
    until: date | None
    suspended: bool
    open_end: bool
    because: tuple[Reason, ...]


def without_effect(store: Store, answer: InForce) -> WithoutEffect | None:
    """Whether what is in force on the day of an answer has no effect on it; None where it has, or nothing is in force.

    Raises:
        StoreProblem: the store cannot be read.
    """
    name = parse(answer.name) if answer.version is not None or answer.status is Status.SUSPENDED else None
    if name is None:
        return None
    told = in_force(store, name, answer.on, answer.as_known, Axis.EFFICACY)
    if told.status is not Status.SUSPENDED:
        return None
    start, until, open_end = None, None, False
    for target in dict.fromkeys((name, name.work)):
        found = looked_up(store, target, answer.on, answer.as_known, Axis.EFFICACY)
        if found is None or found.period.status is not Status.SUSPENDED:
            continue
        start, until = found.period.valid_from, found.period.valid_until
        while until is not None:
            after = looked_up(store, target, until, answer.as_known, Axis.EFFICACY)
            if after is None or after.period.status is not Status.SUSPENDED:
                open_end = after is not None and after.period.status is Status.UNKNOWN
                break
            until = after.period.valid_until
        while start is not None:
            before = looked_up(store, target, start - _ONE_DAY, answer.as_known, Axis.EFFICACY)
            if before is None or before.period.status is not Status.SUSPENDED:
                break
            start = before.period.valid_from
        break
    return WithoutEffect(start, until, any(one.event == _SUSPENSION for one in told.because), open_end, told.because)
