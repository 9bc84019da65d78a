"""The timeline of a norm: all its rectangles with both clocks, and the events behind them."""

from __future__ import annotations

from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Kind, Name, parse
from queries.answers import Notice, Reason, Timeline
from queries.catalogue import named
from queries.causes import causes
from queries.evidence import happenings, records, versions
from queries.in_force import period_of

__all__ = ["timeline"]


def timeline(store: Store, name: str | Name) -> Timeline:
    """Everything that is known of when a norm's versions applied, and since when it was known.

    Args:
        store: an opened store.
        name: the norm or provision in any dialect; a version's name asks for its norm's timeline.

    Raises:
        BadName: not a name.
        UnknownName: no source speaks of it, or the name is a reference.
        StoreProblem: the store cannot be read.
    """
    parsed = parse(name) if isinstance(name, str) else name
    target = parsed.provision or parsed.work
    if parsed.kind is Kind.REFERENCE or not records(store, target.iri):
        raise UnknownName(parsed.canonical)
    periods = tuple(period_of(row) for row in named("timeline").rows(store, {"norma": target.iri}))
    events: dict[Reason, None] = {}
    views = versions(store, target.iri)
    caused = causes(store, target.iri, views)
    for version in views:
        events.update(dict.fromkeys(version.reasons(caused)))
    for _, reason in happenings(store, target.iri):
        events[reason] = None
    ordered = sorted(events, key=lambda r: (r.known or "9999", r.effect or "9999", r.event or ""))
    notices = () if periods else (Notice("no-version-dates", "no source says from when this is in force"),)
    return Timeline(target.canonical, periods, tuple(ordered), notices)
