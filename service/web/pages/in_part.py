"""What documents are to part of a norm: they annulled or suspended provisions, or declared them void."""

from __future__ import annotations

from datetime import date

from graph.civil import parse_when
from graph.store import Store
from graph.urn import Name
from ontology.events import event_iri
from queries.catalogue import named

__all__ = ["caused_in_part"]

#: What an event on provisions of a norm makes of its cause; one that amends or revokes a provision amends the norm.
_CAUSED = {
    "anulacao": "annulled-in-part-by",
    "declaracao.inconstitucionalidade": "declared-void-in-part-by",
    "suspensao": "suspended-in-part-by",
}


def caused_in_part(store: Store, norm: Name, known: date = date.max) -> dict[str, list[str]]:
    """The documents that caused an event of provisions of a norm, by their IRIs, by what they are to it.

    Args:
        store: an opened store.
        norm: without version.
        known: K, a civil date: what nobody can have known by then is left out.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found: dict[str, list[str]] = {}
    for event, relation in _CAUSED.items():
        rows = named("events_of_provisions").rows(store, {"norma": norm.canonical, "tipo": event_iri(event)})
        found[relation] = [
            str(row["causa"])
            for row in rows
            if row["causa"] is not None
            and (row["conhecimento"] is None or parse_when(str(row["conhecimento"])).first <= known)
        ]
    return found
