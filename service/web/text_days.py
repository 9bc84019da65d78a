"""Which day an address has to say: an article keeps its version while what it holds is reworded, and a norm while
events act on its provisions, so that the name alone leads to the first of its texts; what was restored has the
version that it had before it ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name, parse
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.periods import AXES, periods_of
from queries.stretches import over_force
from service.web.pages.history import living_within

__all__ = ["changed_within", "said_with"]


def changed_within(store: Store, version: str, on: date, known: date) -> date | None:
    """Since when a norm or provision reads as it does on D, where the name of its version leads to another text.

    Most changes of a norm make another version of it; one that does not, such as a fact on one of its articles, a veto
    overturned or an annulment with modulated effect, changes its text within a version.

    Args:
        store: an opened store.
        version: of a norm or provision, canonical, which is the answer for D.
        on: D, a civil date.
        known: K, a civil date.

    Returns:
        The last day, after the version's own and up to D, on which anything that the norm or provision holds changed,
        by the clock of force; None where nothing did.
    """
    name = parse(version)
    began = name.version_date
    if began is None or on <= began:
        return None
    if name.provision is None:
        key = (changed_within, name.work, began, on, known)
        return _last(store.lasting(key, lambda: tuple(_of_norm(store, name.work, began, on, known))))
    return _last(_of_one(store, parse(one), began, on, known) for one in living_within(store, name.provision))


def said_with(store: Store, version: str, on: date, known: date) -> date | None:
    """The day that the address of a version says so that it leads to the text of D; None where its name alone does.

    Args:
        store, version, on, known: as for :func:`changed_within`.
    """
    return _last((changed_within(store, version, on, known), _restored(store, version, on, known)))


def _last(days: Iterable[date | None]) -> date | None:
    return max((day for day in days if day is not None), default=None)


def _restored(store: Store, version: str, on: date, known: date) -> date | None:
    """The first day of the days around D on which a version is in force, where it was so before and then was not."""
    name = parse(version)
    told = [one for one in over_force(store, name.provision or name.work, known) if one.start <= on]
    since: date | None = None
    while told and told[-1].version == version:
        since = told.pop().start
    return since if any(one.version == version for one in told) else None


def _of_norm(store: Store, norm: Name, began: date, on: date, known: date) -> list[date]:
    """The first days of the periods that hold D, of the provisions that read otherwise on the version's own day.

    All provisions of the norm are asked at once, and those of the version's own day only where one began after it.
    """
    now = {name: one for name, one in _wordings(store, norm, on, known).items() if one[1] > began}
    first = _wordings(store, norm, began, known) if now else {}
    return [day for name, (reads, day) in now.items() if reads != first.get(name, (None, began))[0]]


def _wordings(store: Store, norm: Name, on: date, known: date) -> dict[str, tuple[str | None, date]]:
    """How each provision with a life of its own reads on D, and since when: its version, that nobody knows, or not."""
    asked = {"norma": norm.canonical, "em": on, "conhecido": known, "eixo": AXES[Axis.FORCE]}
    rows = named("provisions_in_force").rows(store, asked)
    return {
        str(row["dispositivo"]): (
            str(row["versao"] or row["situacao"]) if row["versao"] or row["situacao"] == VIG["indeterminada"] else None,
            start,
        )
        for row in rows
        if isinstance(start := row["inicio"], date)
    }


def _of_one(store: Store, inner: Name, began: date, on: date, known: date) -> date | None:
    """The first day of the period that holds D, where another one, or none, held the version's own day."""
    heard = [one for one in periods_of(store, inner) if one.axis is Axis.FORCE]
    first, now = (next((one for one in heard if one.holds(day, known)), None) for day in (began, on))
    if now is None or now.valid_from <= began:
        return None
    same = first is not None and (first.version, first.status) == (now.version, now.status)
    return None if same else now.valid_from
