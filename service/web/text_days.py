"""Which day an address has to say: an article keeps its version while what it holds is reworded, so that its name alone
leads to the first of its texts.
"""

from __future__ import annotations

from datetime import date

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name, parse
from queries.periods import periods_of
from service.web.pages.history import living_within

__all__ = ["changed_within"]


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


def _changed(store: Store, inner: Name, began: date, on: date, known: date) -> date | None:
    """The first day of the period that holds D, where another one, or none, held the version's own day."""
    heard = [one for one in periods_of(store, inner) if one.axis is Axis.FORCE]
    first, now = (next((one for one in heard if one.holds(day, known)), None) for day in (began, on))
    if now is None or now.valid_from <= began:
        return None
    same = first is not None and (first.version, first.status) == (now.version, now.status)
    return None if same else now.valid_from
