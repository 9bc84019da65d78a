"""Names that no source describes (any more): withdrawn records, references from other documents, and events alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.provisions import as_counted
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.causes import amendments, oldest
from queries.evidence import RecordNote, day_stated, lifecycle_events, record_note, records
from queries.notices import Notice, RecordWithdrawn
from queries.reasons import Reason

#: How many records that are gone are told one by one.
_TOLD = 5


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A source record that was about a name and is gone.

    Attributes:
        note: the record.
        identifier: what its provider calls it.
        withdrawn_on: the civil date of the deletion; None where its datestamp says none.
        missing_since: the civil date on which it was first noticed that the provider no longer lists it.
    """

    note: RecordNote
    identifier: str | None
    withdrawn_on: date | None
    missing_since: date | None

    @property
    def notice(self) -> RecordWithdrawn:
        """The notice that the record is gone."""
        name = self.identifier or self.note.iri
        return RecordWithdrawn(name, self.note.provider, self.withdrawn_on, self.missing_since)


def withdrawn(store: Store, name: str) -> list[Withdrawn]:
    """The records that were about a name, by its IRI, and are gone (OAI-PMH 2.0, section 2.5.1)."""
    found = []
    for told in store.summary(name).withdrawn():
        days = [date.fromisoformat(day) if day is not None else None for day in (told.withdrawn_on, told.missing_since)]
        found.append(Withdrawn(record_note(store, told), told.identifier, *days))
    return found


def withdrawn_for(store: Store, target: Name) -> list[Withdrawn]:
    """The records that were about a norm or provision and are gone; where none was about a provision, its norm's."""
    return withdrawn(store, target.iri) or (withdrawn(store, target.work.iri) if target != target.work else [])


def withdrawal_notices(gone: Iterable[Withdrawn]) -> Iterator[Notice]:
    """A notice for each record that is gone; of many the first and how many more there are."""
    every = list(gone)
    for one in every[:_TOLD]:
        yield one.notice
    if len(every) > _TOLD:
        yield RecordWithdrawn(None, more=len(every) - _TOLD)


_CAUSED: str = VIG["causadoPor"]


@dataclass(frozen=True, slots=True)
class Backlink:
    """A norm or provision that leads to a name.

    Attributes:
        name: of the norm or provision itself, and not of its version or text.
        caused: whether what happened to it is said to be caused by the name; else it refers to it.
    """

    name: Name
    caused: bool


def backlinks(store: Store, name: Name) -> list[Backlink]:
    """The norms and provisions that lead to a norm or provision, each once, those that it changed first.

    Args:
        store: an opened store.
        name: without version.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found: dict[Name, bool] = {}
    for one in dict.fromkeys((name, name.work)):
        for row in named("references_to").rows(store, {"norma": one.canonical}):
            where = parse(from_iri(str(row["onde"])))
            itself = where.provision or where.work
            if itself.work != name.work:
                found[itself] = found.get(itself, False) or str(row["relacao"]) == _CAUSED
    told = [Backlink(one, caused) for one, caused in found.items()]
    return sorted(told, key=lambda one: (not one.caused, one.name.canonical))


#: A name that says of the date of its norm no more than the year: what stands before the year, the year, and the rest.
_YEAR_ALONE = re.compile("([^!@~$]+:)([0-9]{4})(;[^@~$]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class UnsourcedFacts:
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


def unsourced_facts(store: Store, name: Name, known: date) -> UnsourcedFacts | None:
    """What is told of a norm or provision that no source describes; None where one does, or nothing is told.

    Args:
        store: an opened store.
        name: the norm or provision, without version.
        known: K, a civil date: only what could be known then counts.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if records(store, name.iri) or records(store, name.work.iri) or withdrawn_for(store, name):
        return None
    found = UnsourcedFacts(heard(store, name, known), acted_on(store, name, known) if name == name.work else {})
    referred = any(one.known <= known for one in amendments(store, name.iri))
    return found if found.facts or referred else None


def first_known(store: Store, name: Name, by: date) -> date | None:
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
    found = unsourced_facts(store, name, by)
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


def unsourced_matches(store: Store, said: str, known: date) -> list[Name]:
    """The norms or provisions that a name may mean, of which no source says more than that something acts on them.

    Args:
        store: an opened store.
        said: a name, canonical; of one that has the year alone every day of the year is tried.
        known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    meant, one = _meant(store, said)
    found = [name for name in meant if unsourced_facts(store, name, known) is not None]
    return found[:1] if one else found


def withdrawn_matches(store: Store, said: str) -> list[Name]:
    """The norms or provisions that a name may mean, as :func:`unsourced_matches`, of which every record is gone.

    Args:
        store: an opened store.
        said: a name, canonical.

    Raises:
        StoreProblem: the store cannot be read.
    """
    meant, one = _meant(store, said)
    gone = [name for name in meant if withdrawn_for(store, name) and not records(store, name.work.iri)]
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
    return [target, *(parse(one) for one in whole if store.names.mentions(to_iri(one)))], False


def heard(store: Store, name: Name, known: date) -> tuple[Reason, ...]:
    """The events that act on a name and that anyone could have known by K; one without days is as old as its cause."""
    day = known.isoformat()
    told = (reason for _, reason in lifecycle_events(store, name.iri))
    heard = (one for one in told if (one.known or str(oldest(one.cause) if one.cause else day))[: len(day)] <= day)
    return tuple(sorted(heard, key=lambda one: (one.known or "", one.effect or "", one.event or "", one.source or "")))
