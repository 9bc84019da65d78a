"""Derived rectangles as answers need them: all of a name, and the one that holds a day, from its summary."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from graph.entities import Axis
from graph.errors import StoreDamaged
from graph.store import Store
from graph.summaries import PeriodTold
from graph.urn import Name, from_iri
from ontology.namespaces import VIG
from queries.answers import Period
from queries.reasons import Status

#: The concept of each clock, as queries take it.
AXES = {Axis.FORCE: VIG["forca"], Axis.EFFICACY: VIG["eficacia"]}


def periods_of(store: Store, name: Name) -> tuple[Period, ...]:
    """All rectangles of a norm or provision: by since when they were known, then by their start and clock."""
    return store.kept((periods_of, name.iri), lambda: _periods_of(store, name))


def _periods_of(store: Store, name: Name) -> tuple[Period, ...]:
    found = (period_of(told, axis) for told in store.summary(name.iri).periods() for axis in told.axes)
    return tuple(sorted(found, key=lambda each: (each.known_from, each.valid_from, each.axis)))


def period_of(told: PeriodTold, axis: Axis) -> Period:
    """A derived rectangle on one of its clocks."""
    return Period(
        from_iri(told.version) if told.version is not None else None,
        Status(told.status.value),
        date.fromisoformat(told.start),
        date.fromisoformat(told.end) if told.end is not None else None,
        date.fromisoformat(told.known_from),
        date.fromisoformat(told.known_until) if told.known_until is not None else None,
        axis,
    )


class Found(NamedTuple):
    """The rectangle that answers, and the IRIs of what decided it, where it is a gap."""

    period: Period
    because: tuple[str, ...]


def looked_up(store: Store, work: Name, on: date, known: date, axis: Axis) -> Found | None:
    """The rectangle of a work or provision that holds (D, K) on a clock; None where none does.

    Raises:
        StoreDamaged: there are two.
    """
    found = store.derived(work.iri, on, known, axis).periods_at(on.isoformat(), known.isoformat(), axis)
    if len(found) > 1:
        problem = f"two derived periods of {work.canonical} overlap; `vigente rebuild` derives them anew"
        raise StoreDamaged(problem)
    return Found(period_of(found[0], axis), found[0].because) if found else None
