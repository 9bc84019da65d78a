"""The editorial notes of publishers on a norm and its provisions, such as "(Vide Decreto nº 99.901, de 2001)"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from graph.entities import EditorialNoteKind
from graph.store import Store
from graph.urn import Name, from_iri, parse
from queries.catalogue import named
from queries.reasons import UNLESS_EMPTY


@dataclass(frozen=True, slots=True)
class ProvisionNote:
    """A note of a publisher on a norm or provision. It changes neither the text nor the days of force.

    Attributes:
        provision: canonical name of the provision, without version; of the norm for a note on the whole norm.
        kind: the subject of the note.
        text: the note as the publisher writes it, without parentheses.
        target: canonical name of the norm or provision that it names; None if it names none that has a name.
        url: the address of its link, as the publisher writes it; None if it has none.
        source: the source record.
        struck: true if the publisher struck it through, because it is no longer current.
    """

    provision: str
    kind: EditorialNoteKind
    text: str
    target: str | None
    url: str | None
    source: str
    struck: Annotated[bool, UNLESS_EMPTY] = False


def editorial_notes(store: Store, target: Name, known: date | None = None) -> tuple[ProvisionNote, ...]:
    """Return the notes on a norm or provision and on its parts, in the order of their sources.

    Args:
        target: without version. For a norm, the notes on its provisions are included.
        known: K, a civil date: notes that name a norm of a later day are left out; None for all notes.
    """
    own = target.canonical
    noted = store.cached((editorial_notes, target.work.iri), lambda: tuple(_notes_of(store, target.work)))
    return tuple(
        note
        for note in noted
        if (target == target.work or note.provision == own or note.provision.startswith(f"{own}_"))
        and (known is None or note.target is None or (parse(note.target).oldest_day or date.min) <= known)
    )


def _notes_of(store: Store, norm: Name) -> Iterable[ProvisionNote]:
    for row in named("notes_of_norm").rows(store, {"norma": norm.canonical}):
        yield ProvisionNote(
            from_iri(str(row["dispositivo"])),
            EditorialNoteKind(str(row["tipo"])),
            str(row["texto"]),
            None if row["citado"] is None else from_iri(str(row["citado"])),
            None if row["url"] is None else str(row["url"]),
            str(row["registro"]),
            str(row["riscada"]).lower() == "true",
        )
