"""What a text leaves open: whether provisions apply, and what sources date differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name, from_iri, parse
from queries.catalogue import named
from queries.contradictions import contradictions, of_several
from queries.evidence import happenings, versions
from queries.notices import SourcesContradict
from queries.provisions.parts import holding
from queries.reasons import Reason
from queries.status import looked_up
from queries.text.same_text import within

#: The number of provisions whose contradictions are given in full; for others only the fact is given.
_MOST = 5


def left_open_by(store: Store, provisions: Iterable[str], on: date, known: date, axis: Axis) -> list[Reason]:
    """The events that leave open whether provisions apply on a day, on themselves or on what holds them, each once.

    Args:
        store: an opened store.
        provisions: canonical.
        on: D, a civil date.
        known: K, a civil date.
        axis: the clock.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found: dict[tuple[str, str], list[Reason]] = {}
    for name in map(parse, provisions):
        gap = looked_up(store, name, on, known, axis)
        wanted = set(gap.because) if gap is not None else set()
        for work in (name.iri, *holding(store, name)) if wanted else ():
            if not any((work, event) in found for event in wanted):
                for event, reason in happenings(store, work):
                    if event in wanted:
                        found.setdefault((work, event), []).append(reason)
    return list(dict.fromkeys(one for reasons in found.values() for one in reasons))


def contradicted_within(store: Store, target: Name, known: date | None) -> Iterator[SourcesContradict]:
    """What sources date differently of provisions that a norm or provision holds, also of those that have ended.

    Args:
        store: an opened store.
        target: without version.
        known: K, a civil date; None for all knowledge.

    Raises:
        StoreProblem: the store cannot be read.
    """
    told = {
        name.canonical: contradictions(store, name, versions(store, name.iri), known)
        for name in map(parse, _of_many_voices(store, target.work))
        if name != target and (target == target.work or target.iri in holding(store, name))
    }
    yield from of_several(told, _MOST)


def _of_many_voices(store: Store, norm: Name) -> tuple[str, ...]:
    """Return the provisions of a norm with versions or events of their own and more than one source."""
    return store.lasting((_of_many_voices, norm.iri), lambda: tuple(_found_of_many_voices(store, norm)))


def _found_of_many_voices(store: Store, norm: Name) -> Iterator[str]:
    rows = named("provisions_with_life").rows(store, {"norma": norm.iri})
    living = {str(row["dispositivo"]) for row in rows if row["redacoes"] is not None}
    living |= {str(row["dispositivo"]) for row in named("provisions_acted_on").rows(store, {"norma": norm.canonical})}
    return (from_iri(iri) for iri in sorted(living) if not store.summary(iri).of_one_voice)


#: The largest number of provisions with statements by source; further ones are only named.
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
