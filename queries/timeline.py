"""The timeline of a norm: all its periods on both axes, and the events that caused them."""

from __future__ import annotations

from collections.abc import Iterable

from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name
from queries.answers import Timeline
from queries.causes import causes, reasons_of, with_undoing_events
from queries.contradictions import contradictions
from queries.evidence import lifecycle_events, records, versions
from queries.intervals import periods_of_place
from queries.messages import why_unknown
from queries.notice_rules import before_norm, no_version_dates
from queries.notices import Notice, SeveralOccupants
from queries.question import refuse_several
from queries.reasons import Reason
from queries.resolution.interpretation import interpret
from queries.resolution.occupants import occupants, place_of
from queries.status import periods_of
from queries.unsourced import withdrawal_notices, withdrawn_for


def timeline(store: Store, name: str | Name) -> Timeline:
    """Return all periods of a norm's versions, with their days of force and of knowledge.

    Args:
        name: the norm or provision in any dialect; a version's name means its norm's timeline. An incomplete name, a
            citation or a nickname is resolved if exactly one work matches, with a notice.

    Raises:
        BadName: the text has the form of a name and is invalid.
        UnknownName: no source has or had a record of it, or it may mean several works.
    """
    understood = interpret(store, name)
    typed = name if isinstance(name, str) else name.text
    if understood.name is None:
        raise UnknownName(typed, why_unknown(understood.notices))
    refuse_several(understood.name)
    target = understood.name.provision or understood.name.work
    if any(isinstance(notice, SeveralOccupants) for notice in understood.notices):
        return _timeline_of_place(store, place_of(target), understood.notices)
    return _timeline_of_one(store, target, understood.notices)


def _timeline_of_one(store: Store, target: Name, notices: tuple[Notice, ...]) -> Timeline:
    gone = withdrawn_for(store, target)
    if not gone and not records(store, target.iri):
        raise UnknownName(target.canonical)
    periods = periods_of(store, target)
    events: dict[Reason, None] = {}
    views = versions(store, target.iri)
    caused = causes(store, target.iri, views)
    for version in views:
        events.update(dict.fromkeys(reasons_of(store, target, version, caused)))
    for _, reason in lifecycle_events(store, target.iri):
        events[reason] = None
    undated = () if periods else (no_version_dates(target),)
    all_notices = (
        *withdrawal_notices(gone),
        *contradictions(store, target, views, None),
        *before_norm(target, views),
        *undated,
    )
    return Timeline(
        target.canonical, periods, _ordered(with_undoing_events(store, target, events)), (*notices, *all_notices)
    )


def _timeline_of_place(store: Store, place: Name, notices: tuple[Notice, ...]) -> Timeline:
    """Return the timeline of an identifier that several provisions had in sequence."""
    among = occupants(store, place)
    timelines = [_timeline_of_one(store, name, ()) for name in among]
    events = dict.fromkeys(event for occupant_timeline in timelines for event in occupant_timeline.events)
    all_notices = (*notices, *(notice for occupant_timeline in timelines for notice in occupant_timeline.notices))
    return Timeline(
        place.canonical, periods_of_place(store, among), _ordered(events), tuple(dict.fromkeys(all_notices))
    )


def _ordered(events: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple(sorted(events, key=lambda r: (r.known or "9999", r.effect or "9999", r.event or "")))
