"""Names that no source describes: those with only deleted records, references from other documents, or events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.terms import day_stated
from graph.time.acts import has_day, name_of_year
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.provisions import natural_order_key
from ontology.iris import ID
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.causes import amendments, oldest
from queries.evidence import RecordNote, derived_record, lifecycle_events, record_note, records
from queries.notices import Notice, RecordWithdrawn
from queries.reasons import Reason

#: The maximum number of deleted records with a notice of their own.
_MOST_NOTICES = 5
#: The beginning of the IRIs of curated facts.
_FACTS = f"{ID}fato/"


@dataclass(frozen=True, slots=True)
class WithdrawnRecord:
    """A deleted source record about a name.

    Attributes:
        note: the record.
        identifier: its identifier at the provider.
        withdrawn_on: the civil date of the deletion; None if its datestamp does not give it.
        missing_since: the civil date on which it was first noticed that the provider no longer lists it.
    """

    note: RecordNote
    identifier: str | None
    withdrawn_on: date | None
    missing_since: date | None

    @property
    def notice(self) -> RecordWithdrawn:
        """Return the notice that the record was deleted."""
        return RecordWithdrawn(
            self.identifier or self.note.iri,
            self.note.provider,
            self.withdrawn_on,
            self.missing_since,
            curated=self.note.iri.startswith(_FACTS),
        )


def withdrawn(store: Store, name: str) -> list[WithdrawnRecord]:
    """Return the deleted records about a name, by its IRI (OAI-PMH 2.0, section 2.5.1), except its derived texts."""
    records_withdrawn = []
    own = derived_record(parse(from_iri(name)))
    for row in (row for row in store.summary(name).withdrawn() if row.record != own):
        days = [date.fromisoformat(day) if day is not None else None for day in (row.withdrawn_on, row.missing_since)]
        records_withdrawn.append(WithdrawnRecord(record_note(store, row), row.identifier, *days))
    return records_withdrawn


def withdrawn_for(store: Store, target: Name) -> list[WithdrawnRecord]:
    """Return the deleted records about a norm or provision; for a provision without any, those of its norm."""
    return withdrawn(store, target.iri) or (withdrawn(store, target.work.iri) if target != target.work else [])


def withdrawal_notices(gone: Iterable[WithdrawnRecord]) -> Iterator[Notice]:
    """Yield a notice for each deleted record; of many the first ones and the number of the others."""
    every = list(gone)
    for withdrawal in every[:_MOST_NOTICES]:
        yield withdrawal.notice
    if len(every) > _MOST_NOTICES:
        yield RecordWithdrawn(None, more=len(every) - _MOST_NOTICES)


_CAUSED: str = VIG["causadoPor"]


@dataclass(frozen=True, slots=True)
class Backlink:
    """A norm or provision that refers to a name.

    Attributes:
        name: of the norm or provision, not of its version or text.
        caused: whether the name caused an event of it; if False, it only refers to the name.
    """

    name: Name
    caused: bool


def backlinks(store: Store, name: Name) -> list[Backlink]:
    """Return the norms and provisions that refer to a norm or provision, each once, those that it changed first.

    Args:
        name: without version.
    """
    caused_by_name: dict[Name, bool] = {}
    for target in dict.fromkeys((name, name.work)):
        for row in named("references_to").rows(store, {"norma": target.canonical}):
            where = parse(from_iri(str(row["onde"])))
            itself = where.provision or where.work
            if itself.work != name.work:
                caused_by_name[itself] = caused_by_name.get(itself, False) or str(row["relacao"]) == _CAUSED
    found_links = [Backlink(source_name, caused) for source_name, caused in caused_by_name.items()]
    return sorted(found_links, key=lambda backlink: (not backlink.caused, backlink.name.canonical))


#: A name with only the year of its norm's date: the text before the year, the year, and the rest.
_YEAR_ALONE = re.compile("([^!@~$]+:)([0-9]{4})(;[^@~$]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class UnsourcedFacts:
    """The facts stated on a norm or provision that no source describes.

    Attributes:
        itself: the events that act on it.
        parts: those that act on its provisions, by the provision.
    """

    itself: tuple[Reason, ...]
    parts: Mapping[Name, tuple[Reason, ...]]

    @property
    def facts(self) -> int:
        """Return the number of events; equal statements of several records count once."""
        groups = [(None, self.itself), *self.parts.items()]
        return len(
            {
                (of, reason.event, reason.effect, reason.known, reason.cause)
                for of, reasons in groups
                for reason in reasons
            }
        )


def unsourced_facts(store: Store, name: Name, known: date) -> UnsourcedFacts | None:
    """Return the facts on a norm or provision that no source describes; None if a source does, or there are none.

    Facts are events, and statements that another norm amends it. The result is also None if a record about the norm
    or provision was withdrawn.

    Args:
        name: the norm or provision, without version.
        known: K, a civil date: facts not known by then are left out.
    """
    if records(store, name.iri) or records(store, name.work.iri) or withdrawn_for(store, name):
        return None
    facts = UnsourcedFacts(
        known_events(store, name, known), provisions_with_events(store, name, known) if name == name.work else {}
    )
    referred = any(amendment.known <= known for amendment in amendments(store, name.iri))
    return facts if facts.facts or referred else None


def first_known(store: Store, name: Name, by: date) -> date | None:
    """Return the first day on which a fact on a norm or provision without a description could be known.

    Args:
        name: the norm or provision, without version.
        by: a civil date: facts not known by then are left out.

    Returns:
        None if a source describes it, or there are no facts.
    """
    facts = unsourced_facts(store, name, by)
    if facts is None:
        return None
    days = [amendment.known for amendment in amendments(store, name.iri) if amendment.known <= by]
    for reason in (*facts.itself, *(part_reason for reasons in facts.parts.values() for part_reason in reasons)):
        known = day_stated(reason.known)
        days.append(
            known.first if known is not None else oldest(reason.cause) if reason.cause is not None else date.min
        )
    return min(days)


def provisions_with_events(store: Store, norm: Name, known: date) -> dict[Name, tuple[Reason, ...]]:
    """Return the provisions of a norm with events, in the order of their numbers, with the events known on K.

    Args:
        norm: without version.
        known: K, a civil date.
    """
    rows = named("provisions_acted_on").rows(store, {"norma": norm.canonical})
    names = sorted((from_iri(str(row["dispositivo"])) for row in rows), key=natural_order_key)
    events_by_name = {name: known_events(store, name, known) for name in map(parse, names)}
    return {name: reasons for name, reasons in events_by_name.items() if reasons}


def unsourced_matches(store: Store, text: str, known: date) -> list[Name]:
    """Return the norms or provisions that a name may mean, and about which sources state only events.

    Args:
        text: a name, canonical; for one with only the year, every day of the year is tried.
        known: K, a civil date.
    """
    candidates, unambiguous = _possible_names(store, text)
    names = [name for name in candidates if unsourced_facts(store, name, known) is not None]
    return names[:1] if unambiguous else names


def withdrawn_matches(store: Store, text: str) -> list[Name]:
    """Return the norms or provisions that a name may mean and that have only deleted records.

    Args:
        text: a name, canonical.
    """
    candidates, unambiguous = _possible_names(store, text)
    gone = [name for name in candidates if withdrawn_for(store, name) and not records(store, name.work.iri)]
    return gone[:1] if unambiguous else gone


def _possible_names(store: Store, text: str) -> tuple[list[Name], bool]:
    """Return the full names that a name may mean, and whether it has a day: then only the first match counts."""
    name = parse(text)
    target = name.provision or name.work
    year = _YEAR_ALONE.fullmatch(target.canonical)
    if year is None:
        return list(dict.fromkeys((target, target.work))), True
    first, last = (date(int(year[2]), *day).toordinal() for day in ((1, 1), (12, 31)))
    dated_names = (f"{year[1]}{date.fromordinal(day)}{year[3]}" for day in range(first, last + 1))
    return [
        target,
        *(parse(dated_name) for dated_name in dated_names if store.names.mentions(to_iri(dated_name))),
    ], False


def mentioned_act(store: Store, name: Name) -> Name | None:
    """Return the name that sources give to a norm that none of them describes, with the provision of the given name.

    Sources name an act by its day or only by its year. A name with only the year means the only act of that year and
    number (docs/reference/names.md). A name with a day means the act without a day of that year and number, if sources
    name no other.

    Returns:
        None if sources mention no such norm, or several.
    """
    given = name.work.iri
    year = name_of_year(given)
    if year is None:
        return name if store.names.mentions(given) else None
    (_, *dated_names), _ = _possible_names(store, from_iri(year))
    rows = store.select(f"SELECT ?nome WHERE {{ ?nome <{VIG['nomeDoAno']}> <{year}> }}")
    acts = {str(row["nome"]).partition("!")[0] for row in rows} | {dated.iri for dated in dated_names}
    fitting = {given} & acts if has_day(given) else set(filter(has_day, acts))
    meant = fitting or acts
    if len(meant) != 1 or (has_day(given) and not meant <= {given, year}):
        return None
    _, mark, provision = name.canonical.partition("!")
    return parse(f"{from_iri(*meant)}{mark}{provision}")


def known_events(store: Store, name: Name, known: date) -> tuple[Reason, ...]:
    """Return the events on a name that anyone could have known by K; an event without days has the day of its cause."""
    day = known.isoformat()
    events = (reason for _, reason in lifecycle_events(store, name.iri))
    known_by_day = (
        event
        for event in events
        if (event.known or str(oldest(event.cause) if event.cause else day))[: len(day)] <= day
    )
    return tuple(
        sorted(
            known_by_day,
            key=lambda reason: (reason.known or "", reason.effect or "", reason.event or "", reason.source or ""),
        )
    )
