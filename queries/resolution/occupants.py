"""Provisions that had one identifier one after the other, as ``!art65_cpt_inc2`` of a law that two acts inserted.

A source tells them apart by the norm behind the comma (``!art65_cpt_inc2,lei-13853-2019-07-08``). The identifier alone
means the one in force on the day.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from graph.civil import parse_day
from graph.entities import Axis
from graph.store import Store
from graph.today import today
from graph.urn import Name, from_iri, parse
from ontology.namespaces import VIG
from queries.evidence import records, versions
from queries.notices import Notice, Occupant, SeveralOccupants
from queries.provision_periods import standing_of
from queries.question import said
from queries.status import periods_of

_OCCUPIED: str = VIG["ocupadoPor"]


def occupants(store: Store, name: Name) -> tuple[Name, ...]:
    """The provisions that had an identifier, the earliest first; none where no more than one had it.

    Args:
        name: of a provision, or of a version of one.
    """
    place = name.provision
    if place is None or place.fragmento is None or place.fragmento.inserido_por is not None:
        return ()
    return store.kept((occupants, place.iri), lambda: _occupants(store, place))


def _occupants(store: Store, place: Name) -> tuple[Name, ...]:
    found = [parse(from_iri(one)) for one in store.links(place.iri, _OCCUPIED)]
    if found and records(store, place.iri):
        found.append(place)
    return tuple(sorted(found, key=lambda one: _first_day(store, one))) if len(found) > 1 else ()


def _first_day(store: Store, provision: Name) -> tuple[date, str]:
    days = [one.version_date for one in versions(store, provision.iri) if one.version_date is not None]
    return min(days, default=date.max), provision.canonical


def place_of(provision: Name) -> Name:
    """The identifier of a provision without the norm that inserted it."""
    fragment = provision.fragmento
    return provision if fragment is None else provision.with_fragmento(replace(fragment, inserido_por=None))


def seated(store: Store, name: Name, on: date | None, as_known: date | str | None) -> tuple[Name, Notice | None]:
    """The provision that an identifier means on a day, as known on another; the name as it is where only one had it.

    A name that says a day (a version's, or a temporal reference's) asks for that day.
    """
    among = occupants(store, name)
    if not among:
        return name, None
    carried = said(name)
    day = carried.on or name.version_date or on or today()
    known = parse_day(as_known) if isinstance(as_known, str) else as_known
    heard = carried.as_known or known or today()
    standing = [
        (standing_of(period), one)
        for one in among
        for period in periods_of(store, one)
        if period.axis is Axis.FORCE and period.holds(day, heard)
    ]
    chosen = max(standing, key=lambda each: each[0])[1] if standing else among[0]
    notice = SeveralOccupants(tuple(days_of(store, one, heard) for one in among), chosen.canonical, day)
    return name.with_fragmento(chosen.fragmento), notice


def days_of(store: Store, provision: Name, known: date) -> Occupant:
    """From when to when a provision was in force, as known on a day."""
    told = [
        one
        for one in periods_of(store, provision)
        if one.axis is Axis.FORCE and one.version is not None and one.is_known(known)
    ]
    if not told:
        return Occupant(provision.canonical, None, None, known)
    ends = [one.valid_until for one in told]
    until = max((end for end in ends if end is not None), default=None) if None not in ends else None
    return Occupant(provision.canonical, min(one.valid_from for one in told), until, known)
