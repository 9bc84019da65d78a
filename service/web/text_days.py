"""Which day an address has to say: an article keeps its version while what it holds is reworded, so that its name alone
leads to the first of its texts; what was restored has the version that it had before it ended.
"""

from __future__ import annotations

from datetime import date

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name, parse
from queries.periods import periods_of
from queries.stretches import over_force
from service.web.pages.history import living_within

__all__ = ["changed_within", "said_with"]


def changed_within(store: Store, version: str, on: date, known: date) -> date | None:
    """Since when a provision reads as it does on D, where the name of its version leads to another text.

    Args:
        store: an opened store.
        version: of a norm or provision, canonical, which is the answer for D.
        on: D, a civil date.
        known: K, a civil date.

    Returns:
        The last day, after the version's own and up to D, on which anything that the provision holds changed, by the
        clock of force; None where nothing did, and of a norm, of which a change makes another version.
    """
    name = parse(version)
    began = name.version_date
    if name.provision is None or began is None:
        return None
    days = [_changed(store, parse(one), began, on, known) for one in living_within(store, name.provision)]
    return max((day for day in days if day is not None), default=None)


def said_with(store: Store, version: str, on: date, known: date) -> date | None:
    """The day that the address of a version says so that it leads to the text of D; None where its name alone does.

    Args:
        store, version, on, known: as for :func:`changed_within`.
    """
    days = (changed_within(store, version, on, known), _restored(store, version, on, known))
    return max((day for day in days if day is not None), default=None)


def _restored(store: Store, version: str, on: date, known: date) -> date | None:
    """The first day of the days around D on which a version is in force, where it was so before and then was not."""
    name = parse(version)
    told = [one for one in over_force(store, name.provision or name.work, known) if one.start <= on]
    since: date | None = None
    while told and told[-1].version == version:
        since = told.pop().start
    return since if any(one.version == version for one in told) else None


def _changed(store: Store, inner: Name, began: date, on: date, known: date) -> date | None:
    """The first day of the period that holds D, where another one, or none, held the version's own day."""
    heard = [one for one in periods_of(store, inner) if one.axis is Axis.FORCE]
    first, now = (next((one for one in heard if one.holds(day, known)), None) for day in (began, on))
    if now is None or now.valid_from <= began:
        return None
    same = first is not None and (first.version, first.status) == (now.version, now.status)
    return None if same else now.valid_from
