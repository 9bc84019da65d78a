"""The timeline of a norm: all its rectangles with both clocks, and the events behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import product

from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name
from queries.answers import Notice, Period, Reason, Status, Timeline
from queries.causes import causes
from queries.contradictions import contradictions
from queries.evidence import happenings, records, versions
from queries.notices import before_norm
from queries.partial import reasons_of
from queries.periods import Found, periods_of
from queries.resolution.understood import understood
from queries.standing import standing
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
    if target != target.work:
        norm = periods_of(store, target.work)
        own = (*periods, *_waiting(store, target, periods, norm)) if periods else _followed(store, target, norm)
        periods = _joined(own)
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


def _waiting(store: Store, provision: Name, own: Sequence[Period], norm: Iterable[Period]) -> Iterator[Period]:
    """The days on which a provision that is known waits with its norm, outside its own periods (docs/time.md)."""
    known = versions(store, provision.iri)
    for waited in norm:
        if waited.status is not Status.VACATIO:
            continue
        beside = [one for one in own if one.axis is waited.axis]
        days = _edges(waited.valid_from, waited.valid_until, ((p.valid_from, p.valid_until) for p in beside))
        heard = _edges(waited.known_from, waited.known_until, ((p.known_from, p.known_until) for p in beside))
        for (start, end), (since, until) in product(days, heard):
            unheard = all(one.view_date is not None and one.view_date > since for one in known)
            if unheard or any(one.holds(start, since) for one in beside):
                continue
            found = standing(store, provision, None, Found(waited, ()), known, start, since)
            if found.status is Status.VACATIO:
                yield Period(None, Status.VACATIO, waited.axis, start, end, since, until)


def _edges(
    first: date, last: date | None, within: Iterable[tuple[date, date | None]]
) -> list[tuple[date, date | None]]:
    """The days from one to another in pieces, cut where others begin or end."""
    cuts = {day for pair in within for day in pair if day is not None and first < day and (last is None or day < last)}
    days = [first, *sorted(cuts)]
    return list(zip(days, (*days[1:], last), strict=True))


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
