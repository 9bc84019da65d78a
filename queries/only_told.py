"""Norms of which no source says what they are, and yet something is told: an event that acts on them or on a provision.

A curated fact may be all that is known of a norm. It has no text then and no day of force, and yet it is not unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.provisions import as_counted
from queries.catalogue import named
from queries.causes import amendments, oldest
from queries.evidence import day_stated, happenings, records
from queries.reasons import Reason
from queries.withdrawn import gone_for

#: A name that says of the date of its norm no more than the year: what stands before the year, the year, and the rest.
_YEAR_ALONE = re.compile("([^!@~$]+:)([0-9]{4})(;[^@~$]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class OnlyTold:
    """What is told of a norm or provision that no source describes.

    Attributes:
        itself: the events that act on it.
        parts: those that act on its provisions, by the provision.
    """

    itself: tuple[Reason, ...]
    parts: Mapping[Name, tuple[Reason, ...]]

    @property
    def facts(self) -> int:
        """How many events these are; what several records tell alike is one."""
        told = [(None, self.itself), *self.parts.items()]
        return len({(of, one.event, one.effect, one.known, one.cause) for of, reasons in told for one in reasons})


def only_told(store: Store, name: Name, known: date) -> OnlyTold | None:
    """What is told of a norm or provision that no source describes; None where one does, or nothing is told.

    Args:
        store: an opened store.
        name: the norm or provision, without version.
        known: K, a civil date: only what could be known then counts.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if records(store, name.iri) or records(store, name.work.iri) or gone_for(store, name):
        return None
    found = OnlyTold(heard(store, name, known), acted_on(store, name, known) if name == name.work else {})
    referred = any(one.known <= known for one in amendments(store, name.iri))
    return found if found.facts or referred else None


def first_told(store: Store, name: Name, by: date) -> date | None:
    """The first day on which anyone could know what is told of a norm or provision that no source describes.

    Args:
        store: an opened store.
        name: the norm or provision, without version.
        by: a civil date: only what could be known then counts.

    Returns:
        None where a source describes it, or nothing is told.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found = only_told(store, name, by)
    if found is None:
        return None
    days = [one.known for one in amendments(store, name.iri) if one.known <= by]
    for one in (*found.itself, *(one for told in found.parts.values() for one in told)):
        known = day_stated(one.known)
        days.append(known.first if known is not None else oldest(one.cause) if one.cause is not None else date.min)
    return min(days)


def acted_on(store: Store, norm: Name, known: date) -> dict[Name, tuple[Reason, ...]]:
    """The provisions of a norm that events act on, in the order of their numbers, with the events known on K.

    Args:
        store: an opened store.
        norm: without version.
        known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    rows = named("provisions_acted_on").rows(store, {"norma": norm.canonical})
    names = sorted((from_iri(str(row["dispositivo"])) for row in rows), key=as_counted)
    found = {name: heard(store, name, known) for name in map(parse, names)}
    return {name: reasons for name, reasons in found.items() if reasons}


def told_of(store: Store, said: str, known: date) -> list[Name]:
    """The norms or provisions that a name may mean, of which no source says more than that something acts on them.

    Args:
        store: an opened store.
        said: a name, canonical; of one that has the year alone every day of the year is tried.
        known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    meant, one = _meant(store, said)
    found = [name for name in meant if only_told(store, name, known) is not None]
    return found[:1] if one else found


def gone_of(store: Store, said: str) -> list[Name]:
    """The norms or provisions that a name may mean, as :func:`told_of`, of which every record is gone.

    Args:
        store: an opened store.
        said: a name, canonical.

    Raises:
        StoreProblem: the store cannot be read.
    """
    meant, one = _meant(store, said)
    gone = [name for name in meant if gone_for(store, name) and not records(store, name.work.iri)]
    return gone[:1] if one else gone


def _meant(store: Store, said: str) -> tuple[list[Name], bool]:
    """The names that one without a day may mean, and whether it has the day itself and means one thing."""
    name = parse(said)
    target = name.provision or name.work
    year = _YEAR_ALONE.fullmatch(target.canonical)
    if year is None:
        return list(dict.fromkeys((target, target.work))), True
    first, last = (date(int(year[2]), *day).toordinal() for day in ((1, 1), (12, 31)))
    whole = (f"{year[1]}{date.fromordinal(day)}{year[3]}" for day in range(first, last + 1))
    return [target, *(parse(one) for one in whole if store.names.speaks_of(to_iri(one)))], False


def heard(store: Store, name: Name, known: date) -> tuple[Reason, ...]:
    """The events that act on a name and that anyone could have known by K; one without days is as old as its cause."""
    day = known.isoformat()
    told = (reason for _, reason in happenings(store, name.iri))
    heard = (one for one in told if (one.known or str(oldest(one.cause) if one.cause else day))[: len(day)] <= day)
    return tuple(sorted(heard, key=lambda one: (one.known or "", one.effect or "", one.event or "", one.source or "")))
