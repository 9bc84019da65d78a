"""Records that are gone: what their provider has withdrawn, or no longer lists, is told and not passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name
from queries.evidence import RecordNote, spoken_by
from queries.notices import Notice, RecordWithdrawn

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
        found.append(Withdrawn(spoken_by(store, told), told.identifier, *days))
    return found


def gone_for(store: Store, target: Name) -> list[Withdrawn]:
    """The records that were about a norm or provision and are gone; where none was about a provision, its norm's."""
    return withdrawn(store, target.iri) or (withdrawn(store, target.work.iri) if target != target.work else [])


def of_withdrawn(gone: Iterable[Withdrawn]) -> Iterator[Notice]:
    """A notice for each record that is gone; of many the first and how many more there are."""
    every = list(gone)
    for one in every[:_TOLD]:
        yield one.notice
    if len(every) > _TOLD:
        yield RecordWithdrawn(None, more=len(every) - _TOLD)
