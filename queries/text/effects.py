"""Changes of efficacy: norms and provisions that are in force on both days and have effect on one of them only.

A text that is suspended reads as it read before. So this is told beside what changed in the words, and never among it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name, from_iri, parse
from ontology.events import EVENTS, Effect
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.evidence import happenings
from queries.in_force import in_force
from queries.provisions.parts import holding
from queries.reasons import Reason, Status
from queries.status import AXES
from queries.text.answers import EffectChange
from queries.text.same_text import within

_ON_EFFICACY = frozenset({Effect.SUSPENDS, Effect.REINSTATES, Effect.STARTS_EFFICACY})
_GAPS = {VIG[one]: status for one, status in (("suspensa", Status.SUSPENDED), ("indeterminada", Status.UNKNOWN))}


def effects(store: Store, target: Name, first: date, last: date, known: date) -> tuple[EffectChange, ...]:
    """Where a norm or provision, or what it holds, is in force on both days and has effect on one of them alone.

    Where it is so of the whole, nothing is told of what it holds.

    Args:
        store: an opened store.
        target: without version.
        first, last: the two days D, civil dates in this order.
        known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    whole = _statuses(store, target, first, last, known)
    if whole is None:
        return ()
    if whole[0] is not whole[1]:
        return (EffectChange(target.canonical, *whole, _because(store, target, first, last, known)),)
    if whole[0] is not Status.IN_FORCE:
        return ()
    before, after = (gaps_within(store, target.work, day, known) for day in (first, last))
    inner = set(map(from_iri, within(store, target))) if target != target.work else {*before, *after}
    differ = [name for name in sorted({*before, *after} & inner) if before.get(name) != after.get(name)]
    found: dict[str, EffectChange] = {}
    for name in differ:
        part = parse(name)
        both = _statuses(store, part, first, last, known)
        if both is not None and both[0] is not both[1]:
            found[name] = EffectChange(name, *both, _because(store, part, first, last, known))
    return tuple(found[name] for name in outermost(found))


def gaps_within(store: Store, norm: Name, on: date, known: date) -> dict[str, Status]:
    """The provisions of a norm that are suspended on a day, or of which nobody knows how they stand, by their names.

    Of provisions with a life of their own, by the clock of efficacy.

    Args:
        store: an opened store.
        norm: without version.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    asked = {"norma": norm.canonical, "em": on, "conhecido": known, "eixo": AXES[Axis.EFFICACY]}
    rows = named("provisions_in_force").rows(store, asked)
    return {from_iri(str(row["dispositivo"])): _GAPS[str(row["situacao"])] for row in rows if row["situacao"] in _GAPS}


def outermost(names: Iterable[str]) -> list[str]:
    """Of provisions those that stand in no other of them, by their identifiers."""
    names = list(names)
    return [name for name in names if not _above(name) & set(names)]


def _above(name: str) -> set[str]:
    head, mark, fragment = name.rpartition("!")
    steps = fragment.split("_")
    return {f"{head}{mark}{'_'.join(steps[:count])}" for count in range(1, len(steps))}


def _statuses(store: Store, target: Name, first: date, last: date, known: date) -> tuple[Status, Status] | None:
    """How it stands on both days by the clock of efficacy; None where it is not in force on both."""
    if any(in_force(store, target, day, known).status is not Status.IN_FORCE for day in (first, last)):
        return None
    before, after = (in_force(store, target, day, known, Axis.EFFICACY).status for day in (first, last))
    return before, after


def _because(store: Store, target: Name, first: date, last: date, known: date) -> tuple[Reason, ...]:
    """What suspended or reinstated it between the days, or what holds it; else what leaves that open."""
    acted = tuple(dict.fromkeys(_acted(store, target, first, last, known)))
    if acted:
        return acted
    told = (in_force(store, target, day, known, Axis.EFFICACY) for day in (first, last))
    return tuple(dict.fromkeys(one for each in told for one in each.because if _on_efficacy(one)))


def _acted(store: Store, target: Name, first: date, last: date, known: date) -> Iterator[Reason]:
    chain = dict.fromkeys((target.work.iri, target.iri, *holding(store, target)))
    since, until, heard = first.isoformat(), last.isoformat(), known.isoformat()
    for name in chain:
        for _, reason in happenings(store, name):
            surely = reason.effect is not None and since < reason.effect <= until and (reason.known or heard) <= heard
            if surely and _on_efficacy(reason):
                yield reason


def _on_efficacy(reason: Reason) -> bool:
    term = EVENTS.get(reason.event or "")
    return term is not None and term.effect in _ON_EFFICACY
