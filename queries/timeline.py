"""The timeline of a norm: all its rectangles with both clocks, and the events behind them."""

from __future__ import annotations

from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name
from queries.answers import Notice, Reason, Timeline
from queries.causes import causes
from queries.contradictions import contradictions
from queries.evidence import happenings, records, versions
from queries.notices import before_norm
from queries.partial import reasons_of
from queries.provision_periods import periods_told
from queries.resolution.understood import understood
from queries.withdrawn import gone_for, of_withdrawn

__all__ = ["timeline"]


def timeline(store: Store, name: str | Name) -> Timeline:
    """Everything that is known of when a norm's versions applied, and since when it was known.

    Args:
        store: an opened store.
        name: the norm or provision in any dialect; a version's name asks for its norm's timeline. An incomplete name,
            a citation or a nickname is followed where one work agrees with all that it says, and the answer tells so.

    Raises:
        BadName: the text is meant as a name and is none.
        UnknownName: no source speaks of it or ever did, or it may mean several works.
        StoreProblem: the store cannot be read.
    """
    meant = understood(store, name)
    typed = name if isinstance(name, str) else name.text
    if meant.name is None:
        why = (n.message if n.code == "unknown-name" else f"{n.code}: {n.message}" for n in meant.notices)
        raise UnknownName(typed, "; ".join(why))
    target = meant.name.provision or meant.name.work
    gone = gone_for(store, target)
    if not gone and not records(store, target.iri):
        raise UnknownName(target.canonical)
    periods = periods_told(store, target)
    events: dict[Reason, None] = {}
    views = versions(store, target.iri)
    caused = causes(store, target.iri, views)
    for version in views:
        events.update(dict.fromkeys(reasons_of(store, target, version, caused)))
    for _, reason in happenings(store, target.iri):
        events[reason] = None
    ordered = sorted(events, key=lambda r: (r.known or "9999", r.effect or "9999", r.event or ""))
    undated = () if periods else (Notice("no-version-dates", "no source says from when this is in force"),)
    told = (*of_withdrawn(gone), *contradictions(store, target, views, None), *before_norm(target, views), *undated)
    return Timeline(target.canonical, periods, tuple(ordered), (*meant.notices, *told))
