"""The timeline of a norm: all its rectangles with both clocks, and the events behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name
from queries.answers import Notice, Period, Reason, Status, Timeline
from queries.causes import causes
from queries.contradictions import contradictions
from queries.evidence import happenings, records, versions
from queries.notices import before_norm
from queries.partial import reasons_of
from queries.periods import periods_of
from queries.resolution.understood import understood
from queries.text.placing import placed
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
    periods = tuple(periods_of(store, target))
    if not periods and target != target.work:
        periods = _joined(_followed(store, target, periods_of(store, target.work)))
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


def _followed(store: Store, provision: Name, periods: Iterable[Period]) -> Iterator[Period]:
    """The periods of a provision that only follows its norm: those in which a version with it is in force, and gaps."""
    for period in periods:
        if period.version is None:
            yield period
            continue
        place = placed(store, provision, period.version, period.known_from)
        if place is None or place.missing is not None:
            yield replace(period, version=None, status=Status.UNKNOWN)
        elif place.version is not None:
            yield replace(period, version=place.version)


def _joined(periods: Iterable[Period]) -> tuple[Period, ...]:
    """Periods that say the same and touch, as one: first along the days of knowledge, then along those of force."""
    known: dict[tuple[object, ...], Period] = {}
    for period in periods:
        key = (period.version, period.status, period.axis, period.valid_from, period.valid_until)
        before = known.get((*key, period.known_from))
        if before is not None:
            del known[*key, period.known_from]
            period = replace(period, known_from=before.known_from)  # noqa: PLW2901 - the one that both are
        known[*key, period.known_until] = period
    valid: dict[tuple[object, ...], Period] = {}
    for period in sorted(known.values(), key=lambda each: each.valid_from):
        key = (period.version, period.status, period.axis, period.known_from, period.known_until)
        before = valid.pop((*key, period.valid_from), None)
        start = before.valid_from if before is not None else period.valid_from
        valid[*key, period.valid_until] = replace(period, valid_from=start)
    return tuple(sorted(valid.values(), key=lambda each: (each.known_from, each.valid_from, each.axis)))
