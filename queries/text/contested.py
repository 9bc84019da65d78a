"""What sources date differently of a norm or provision, what holds it and what it holds, where it bears on two days."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from graph.store import Store
from graph.urn import Name, from_iri, parse
from queries.catalogue import named
from queries.contradictions import contradictions, of_several
from queries.evidence import versions
from queries.notices import SourcesContradict
from queries.provisions.parts import holding
from queries.text.same_text import within

#: Most provisions of which it is told who says what; further ones are named alone.
_TOLD = 10


def contested(store: Store, target: Name, first: date, last: date, known: date) -> tuple[SourcesContradict, ...]:
    """The notices ``sources-contradict`` on what is so by one source, not by another, on two days or between.

    Args:
        store: an opened store.
        target: without version.
        first, last: the two days D, civil dates in this order.
        known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    told = {
        name.canonical: contradictions(store, name, versions(store, name.iri), known, between=(first, last))
        for name in map(parse, map(from_iri, _around(store, target)))
        if not store.summary(name.iri).of_one_voice
    }
    return tuple(of_several(told, _TOLD))


def _around(store: Store, target: Name) -> Iterable[str]:
    """What holds a norm or provision, the norm first, itself, and what it holds that has a life of its own, by IRI."""
    held: Iterable[str] = within(store, target)
    if target == target.work:
        held = (str(row["dispositivo"]) for row in named("provisions_with_life").rows(store, {"norma": target.iri}))
    return dict.fromkeys((*reversed(holding(store, target)), target.iri, *held))
