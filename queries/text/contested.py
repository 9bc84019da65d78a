"""What sources date differently of a norm or provision, what holds it and what it holds, where it bears on two days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from graph.store import Store
from graph.urn import Name, from_iri, parse
from queries.answers import Notice
from queries.catalogue import named
from queries.contradictions import contradictions
from queries.evidence import versions
from queries.text.parts import holders
from queries.text.same_text import within

__all__ = ["contested"]

#: Most provisions of which it is told who says what; further ones are named alone.
_TOLD = 10
#: Most further ones that are named.
_NAMED = 5


def contested(store: Store, target: Name, first: date, last: date, known: date) -> tuple[Notice, ...]:
    """The notices ``sources-contradict`` on what is so by one source, not by another, on two days or between.

    Args:
        store: an opened store.
        target: without version.
        first, last: the two days D, civil dates in this order.
        known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    told: dict[str, tuple[Notice, ...]] = {}
    for iri in _around(store, target):
        if not store.summary(iri).of_one_voice:
            name = parse(from_iri(iri))
            found = contradictions(store, name, versions(store, iri), known, between=(first, last))
            told[name.canonical] = tuple(found)
    names = [name for name, notices in told.items() if notices]
    return (*(notice for name in names[:_TOLD] for notice in told[name]), *_further(names[_TOLD:]))


def _around(store: Store, target: Name) -> Iterable[str]:
    """A norm or provision, what holds it, and what it holds that has a life of its own, by IRI."""
    norm = target.work.iri
    if target.iri == norm:
        living = (str(row["dispositivo"]) for row in named("provisions_with_life").rows(store, {"norma": norm}))
        return dict.fromkeys((norm, *living))
    outer, chain = holders(store, norm), {target.iri: None}
    holder = outer.get(target.iri)
    while holder is not None and holder not in chain:
        chain[holder] = None
        holder = outer.get(holder)
    return dict.fromkeys((norm, *chain, *within(store, target)))


def _further(names: list[str]) -> Iterator[Notice]:
    if names:
        shown = ", ".join(names[:_NAMED]) + (" ..." if len(names) > _NAMED else "")
        yield Notice("sources-contradict", f"sources date what became of these differently: {shown}")
