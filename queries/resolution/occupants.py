"""Provisions that had the same identifier in sequence, such as ``!art65_cpt_inc2``, which two acts inserted.

A source distinguishes them by the inserting norm after a comma (``!art65_cpt_inc2,lei-13853-2019-07-08``). The
identifier without it means the provision in force on the day.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from graph.civil import parse_day, today
from graph.store import Store
from graph.time.kinds import Axis
from graph.urn import Name, from_iri, parse
from ontology.namespaces import VIG
from queries.evidence import records, versions
from queries.intervals import precedence
from queries.notices import Notice, Occupant, SeveralOccupants
from queries.question import given_days
from queries.status import periods_of

_OCCUPIED: str = VIG["ocupadoPor"]


def occupants(store: Store, name: Name) -> tuple[Name, ...]:
    """Return the provisions that had an identifier, the earliest first; empty if there was only one.

    Args:
        name: of a provision, or of a version of one.
    """
    place = name.provision
    if place is None or place.fragmento is None or place.fragmento.inserido_por is not None:
        return ()
    return store.memoized((occupants, place.iri), lambda: _occupants(store, place))


def _occupants(store: Store, place: Name) -> tuple[Name, ...]:
    names = [parse(from_iri(link)) for link in store.links(place.iri, _OCCUPIED)]
    if names and records(store, place.iri):
        names.append(place)
    return tuple(sorted(names, key=lambda name: _first_day(store, name))) if len(names) > 1 else ()


def _first_day(store: Store, provision: Name) -> tuple[date, str]:
    days = [version.version_date for version in versions(store, provision.iri) if version.version_date is not None]
    return min(days, default=date.max), provision.canonical


def place_of(provision: Name) -> Name:
    """Return the identifier of a provision without the norm that inserted it."""
    fragment = provision.fragmento
    return provision if fragment is None else provision.with_fragmento(replace(fragment, inserido_por=None))


def occupant_on(store: Store, name: Name, on: date | None, as_known: date | str | None) -> tuple[Name, Notice | None]:
    """Return the provision that an identifier means on a day, as known on another, and a notice on the choice.

    If there was only one provision, the result is the name itself, and None.

    A name with a day (a version's, or a temporal reference's) uses that day.
    """
    among = occupants(store, name)
    if not among:
        return name, None
    carried = given_days(name)
    day = carried.on or name.version_date or on or today()
    known = parse_day(as_known) if isinstance(as_known, str) else as_known
    as_known = carried.as_known or known or today()
    held = [
        (precedence(period, occupant), occupant)
        for occupant in among
        for period in periods_of(store, occupant)
        if period.axis is Axis.FORCE and period.holds(day, as_known)
    ]
    chosen = max(held, key=lambda ranked: ranked[0])[1] if held else among[0]
    notice = SeveralOccupants(tuple(days_of(store, occupant, as_known) for occupant in among), chosen.canonical, day)
    return name.with_fragmento(chosen.fragmento), notice


def days_of(store: Store, provision: Name, known: date) -> Occupant:
    """Return the interval of force of a provision, as known on a day."""
    periods = [
        period
        for period in periods_of(store, provision)
        if period.axis is Axis.FORCE and period.version is not None and period.is_known(known)
    ]
    if not periods:
        return Occupant(provision.canonical, None, None, known)
    ends = [period.valid_until for period in periods]
    until = max((end for end in ends if end is not None), default=None) if None not in ends else None
    return Occupant(provision.canonical, min(period.valid_from for period in periods), until, known)
