"""The status after events, for the slow evaluator, which tries every order in which they may have occurred."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import product

from graph.time.force import LifecycleEvent
from graph.time.kinds import Status
from ontology.events import Effect

RESTORING = (Effect.RESTORES, Effect.RESTORES_WORDING)
_UNDOING = (*RESTORING, Effect.REINSTATES)
ENDINGS = {
    Effect.REVOKES: Status.REVOKED,
    Effect.ANNULS: Status.ANNULLED,
    Effect.EXPIRES: Status.EXPIRED,
    Effect.CONVERTS: Status.CONVERTED,
    Effect.VETOES: Status.VETOED,
}


def agreed(reach: tuple[LifecycleEvent, ...], sure: set[str], elsewhere: frozenset[str]) -> Status:
    """Return the status after the events in every order that their days allow; unknown if the orders differ.

    Only the orders count in which the fewest restorations have nothing to restore.
    """
    orders = _orders(reach)
    if orders is None:
        return Status.UNKNOWN
    ends = [_after(order, sure) for order in orders]
    fewest = min(len(idle - elsewhere) for _, idle in ends)
    left = {now for now, idle in ends if len(idle - elsewhere) == fewest}
    return left.pop() if len(left) == 1 else Status.UNKNOWN


@lru_cache(maxsize=1 << 12)
def _orders(reach: tuple[LifecycleEvent, ...]) -> frozenset[tuple[LifecycleEvent, ...]] | None:
    """Return all possible orders of events; None if there are too many. Only the bounds of the events' days are tried.

    Events of one day act in the order in which they were known, endings before restorations.
    """
    edges = {day for h in reach for day in (h.when.first, h.when.last or date.max)}
    if all(h.when.exact for h in reach) or len({h.effect in _UNDOING for h in reach}) < 2:
        edges = set()
    choices = [
        [day for day in edges if h.when.first <= day <= (h.when.last or date.max)] or [h.when.first] for h in reach
    ]
    ways = 1
    for days in choices:
        ways *= len(days)
    if ways > 512:
        return None
    return frozenset(
        tuple(
            h
            for _, h in sorted(
                zip(days, reach, strict=True),
                key=lambda pair: (pair[0], pair[1].known.first, pair[1].effect in RESTORING, pair[1].name),
            )
        )
        for days in product(*choices)
    )


def _after(order: Sequence[LifecycleEvent], sure: set[str]) -> tuple[Status, set[str]]:
    """Return the status after events in that order, and the names of those that had nothing to undo."""
    now, idle = Status.IN_FORCE, set[str]()
    for event in order:
        begins = {**ENDINGS, Effect.SUSPENDS: Status.SUSPENDED}.get(event.effect)
        if begins is None and now is Status.IN_FORCE:
            idle.add(event.name)
        elif begins is None:
            now = Status.IN_FORCE if event.name in sure else Status.UNKNOWN
        elif now in (Status.IN_FORCE, Status.UNKNOWN):
            now = begins if event.name in sure else Status.UNKNOWN
    return now, idle
