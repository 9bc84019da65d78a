"""Records that are gone: what their provider has withdrawn, or no longer lists, is told and not passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name
from queries.answers import Notice
from queries.evidence import RecordNote, spoken_by

__all__ = ["Withdrawn", "gone_for", "of_withdrawn", "withdrawn"]

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

    def __str__(self) -> str:
        what = f"the record {self.identifier or self.note.iri}"
        if self.note.provider is not None:
            what += f" of {self.note.provider}"
        if self.missing_since is not None:
            return f"{what} is no longer listed by its provider: first noticed on {self.missing_since}"
        if self.withdrawn_on is not None:
            return f"{what} was withdrawn by its provider on {self.withdrawn_on}"
        return f"{what} was withdrawn by its provider; since when is not known"


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
        yield Notice("record-withdrawn", str(one))
    if len(every) > _TOLD:
        yield Notice("record-withdrawn", f"{len(every) - _TOLD} more records that were about it are gone")
