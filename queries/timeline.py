"""The timeline of a norm: all its rectangles with both clocks, and the events behind them."""

from __future__ import annotations

from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name
from queries.answers import Notice, Reason, Timeline
from queries.catalogue import named
from queries.causes import causes
from queries.evidence import happenings, records, versions
from queries.in_force import period_of
from queries.resolution.understood import understood

__all__ = ["timeline"]


def timeline(store: Store, name: str | Name) -> Timeline:
    """Everything that is known of when a norm's versions applied, and since when it was known.

    Args:
        store: an opened store.
        name: the norm or provision in any dialect; a version's name asks for its norm's timeline. An incomplete name,
            a citation or a nickname is followed where one work agrees with all that it says, and the answer tells so.

    Raises:
        BadName: the text is meant as a name and is none.
        UnknownName: no source speaks of it, or it may mean several works.
        StoreProblem: the store cannot be read.
    """
    meant = understood(store, name)
    typed = name if isinstance(name, str) else name.text
    if meant.name is None:
        told = (n.message if n.code == "unknown-name" else f"{n.code}: {n.message}" for n in meant.notices)
        raise UnknownName(typed, "; ".join(told))
    target = meant.name.provision or meant.name.work
    if not records(store, target.iri):
        raise UnknownName(target.canonical)
    periods = tuple(period_of(row) for row in named("timeline").rows(store, {"norma": target.iri}))
    events: dict[Reason, None] = {}
    views = versions(store, target.iri)
    caused = causes(store, target.iri, views)
    for version in views:
        events.update(dict.fromkeys(version.reasons(caused)))
    for _, reason in happenings(store, target.iri):
        events[reason] = None
    ordered = sorted(events, key=lambda r: (r.known or "9999", r.effect or "9999", r.event or ""))
    undated = () if periods else (Notice("no-version-dates", "no source says from when this is in force"),)
    return Timeline(target.canonical, periods, tuple(ordered), (*meant.notices, *undated))
