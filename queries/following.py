"""The changes of a norm that a reader follows: one for each change, also where several sources state it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from graph.civil import When, day_before
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import Status
from graph.urn import parse, to_iri
from ontology.events import EventKind
from queries.causes import causes
from queries.dossier import Effect
from queries.evidence import versions
from queries.in_force import in_force
from queries.intervals import doubtful, over_force
from queries.reasons import EventMeaning, Reason, flattened

#: The events by which sources state the same change, each with the event that stands for all of them.
_ALIKE: Mapping[str, str] = MappingProxyType(
    {EventKind.ALTERACAO: EventKind.REDACAO, EventKind.INICIO_VIGENCIA: EventKind.PRORROGACAO_VACATIO}
)
#: The events that may insert a provision.
_INSERTING = frozenset({EventKind.REDACAO, EventKind.ALTERACAO, EventKind.PUBLICACAO})
_START = EventKind.INICIO_VIGENCIA


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """A change.

    Attributes:
        stated: the event as its most exact source states it.
        reason: the same with its narrower meaning, and with its certain day where only other sources determine it.
    """

    stated: Effect
    reason: Reason


def feed_events(store: Store, effects: Iterable[Effect], known: date) -> list[FeedEvent]:
    """Return the changes by events; events of several sources that may be the same change are one.

    They are the same if an act made both, on the same provisions, and their days do not contradict each other.

    Args:
        effects: the events that act on a norm and its provisions.
        known: K, a civil date.
    """
    kept: dict[object, list[FeedEvent]] = {}
    shown = (FeedEvent(effect, _shown(store, effect, known)) for effect in effects)
    for event in sorted(shown, key=_vagueness):
        reason = event.reason
        kind = reason.meaning or _ALIKE.get(reason.event or "", reason.event)
        alike = kept.setdefault((event.stated.name, kind, reason.provisions), [])
        if not any(_is_same(other.reason, reason) for other in alike):
            alike.append(event)
    return [event for alike in kept.values() for event in alike]


def _vagueness(event: FeedEvent) -> tuple[bool, ...]:
    """Return a sort key that is lower for an event with a cause and with exact days."""
    reason = event.reason
    effect, known = day_stated(reason.effect), day_stated(reason.known)
    return (
        reason.cause is None,
        reason.of_act,
        effect is None or effect.exact is None,
        effect is None,
        known is None or known.exact is None,
        reason.event == _START,
    )


def _is_same(exact: Reason, vague: Reason) -> bool:
    """Return whether two events of one kind on the same provisions may be the same change."""
    is_dated_otherwise = not (exact.of_act or vague.of_act) and not _overlap(exact.effect, vague.effect)
    if vague.cause is None or exact.cause is None:
        return not is_dated_otherwise and _overlap(exact.known, vague.known)
    return not is_dated_otherwise and parse(exact.cause).work == parse(vague.cause).work


def _overlap(one: str | None, other: str | None) -> bool:
    """Return whether two days within bounds may be the same; True if one of them is not stated."""
    first, second = day_stated(one), day_stated(other)
    return first is None or second is None or (_is_by(first, second) and _is_by(second, first))


def _is_by(one: When, other: When) -> bool:
    return other.last is None or one.first <= other.last


def _shown(store: Store, effect: Effect, known: date) -> Reason:
    """Return an event with its narrower meaning and its certain day."""
    reason = effect.reason
    may_insert = reason.event in _INSERTING and reason.meaning is None and "!" in effect.name
    if may_insert and reason.cause is not None and _inserts(store, to_iri(effect.name), reason.cause):
        return replace(reason, meaning=EventMeaning.INSERTION)
    when = day_stated(reason.effect)
    if reason.event == _START and reason.cause is not None and when is not None and when.exact is None:
        return replace(reason, effect=_certain_start(store, effect.name, reason, when, known) or reason.effect)
    return reason


def _inserts(store: Store, provision: str, cause: str) -> bool:
    """Return whether a version that inserts a provision, by its IRI, was made by the act of a cause."""
    every = versions(store, provision)
    inserting = [version for version in every if version.inserts]
    caused = causes(store, provision, every) if inserting else {}
    made = (reason.cause for version in inserting for reason in version.reasons(caused))
    act = parse(cause).work
    return any(parse(other).work == act for other in made if other is not None)


def _certain_start(store: Store, name: str, reason: Reason, when: When, known: date) -> str | None:
    """Return the certain day after a vacatio on which an act began the force; None if there is none."""
    rows = over_force(store, parse(name), known)
    for row in rows:
        is_within = when.first <= row.start and (when.last is None or row.start <= when.last)
        if row.version is None or not is_within or row.start in doubtful(rows):
            continue
        if in_force(store, name, day_before(row.start), known).status is not Status.VACATIO:
            continue
        day, act = row.start.isoformat(), parse(reason.cause or "").work
        for decided in flattened(in_force(store, name, row.start, known).because):
            if decided.effect == day and decided.cause is not None and parse(decided.cause).work == act:
                return day
    return None
