"""Reading a work's life back from the graph: its versions, views and events, ready for the derivation.

What several records say of the same version is joined here; dates that an event leaves open are looked up at its
cause, and what no source says stays open within bounds. Nothing is invented.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

import pyoxigraph as ox

from graph.civil import When
from graph.errors import BadDate, BadName
from graph.patterns import Patterns, is_provision
from graph.terms import Cell, Statement, read_when
from graph.urn import from_iri, parse
from graph.vigencia import Happening, Member
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, Effect, event_iri
from ontology.namespaces import CRM, FRBROO, VIG

__all__ = ["Life", "Lives", "dates_itself"]

_HAS_MEMBER = ox.NamedNode(FRBROO["R10_has_member"])
_TARGET = ox.NamedNode(VIG["alvo"])
_PROVISION_OF = ox.NamedNode(VIG["dispositivoDe"])
_COMPONENT_OF = ox.NamedNode(VIG["componenteDe"])
_OWN_LIFE = ox.NamedNode(VIG["vidaPropriaEm"])
_LINKS_VERSION, _LINKS_EVENT = str(_HAS_MEMBER), str(_TARGET)
_TYPE_OF_EVENT = CRM["P2_has_type"]
_MADE = frozenset({FRBROO["R16_initiated"], FRBROO["R19_created_a_realisation_of"]})
_CAUSE = ox.NamedNode(VIG["causadoPor"])
_EFFECT = VIG["dataEfeito"]
_KNOWN = VIG["dataConhecimento"]
_VERSION_DATE = VIG["dataVersao"]
_VIEW_DATE = VIG["dataVisao"]
_VIEW_ORDER = VIG["ordemVisao"]
_VIEW_EVENT = VIG["eventoVisao"]
_INSERTS = VIG["insercao"]
_CANCELS = VIG["cancelaVersao"]

_EFFECTS = {term.iri: term.effect for term in EVENTS.values() if term.effect is not None}
_SIGNATURE = event_iri("assinatura")
_ORIGINAL = frozenset(map(event_iri, FIRST_TEXT_EVENTS))
_MOVES = frozenset(map(event_iri, ("prorrogacao.vacatio", "republicacao")))

#: What is said of a node, by predicate.
_Facts: TypeAlias = Mapping[str, Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Life:
    """What :func:`graph.vigencia.derive` needs to know of one work; for a provision, also the norm it belongs to."""

    members: tuple[Member, ...]
    happenings: tuple[Happening, ...]
    inherited: tuple[tuple[Happening, ...], ...]
    norm: str | None = None


class Lives:
    """The lives of works, from quads that stay as they are: what many lives depend on is read once.

    Args:
        patterns: the quads.
    """

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._acting: dict[str, tuple[Happening, ...]] = {}
        self._forces: dict[str, tuple[When | None, When | None]] = {}

    def of(self, work: str) -> Life:
        """Everything that decides in which days the versions of a work are in force.

        Nothing does for a provision that only follows its norm: no event acts on it or on a provision that holds it,
        and no source gives it words beside those of a first text.

        Args:
            work: the IRI of a norm or provision.
        """
        patterns = self._patterns
        norms = patterns.links(work, _PROVISION_OF)
        own = self._happenings(work)
        holders = [self._happenings(holder) for holder in patterns.holders(work)] if norms else []
        if is_provision(work) and not own and not any(holders) and not patterns.links(work, _OWN_LIFE):
            return Life((), (), ())
        above = [*norms, *(whole for one in (work, *norms) for whole in self._wholes(one))]
        inherited = (
            *(each for each in _with_restorations(own, holders) if each),
            *(self._happenings(one) for one in dict.fromkeys(above)),
        )
        members = tuple(told.member for told in self._versions(work))
        return Life(members, own, inherited, norms[0] if norms else None)

    def _wholes(self, work: str) -> list[str]:
        """The document that an annex belongs to and ends with; a rectification is no part of what it corrects."""
        wholes = self._patterns.links(work, _COMPONENT_OF)
        return [] if not wholes or parse(from_iri(work)).descritor.retificacao is not None else wholes

    def _versions(self, work: str) -> list[_Told]:
        """The versions and views of a work, those that moved a start told so."""
        found = [self._told(work, version) for version in self._patterns.links(work, _HAS_MEMBER)]
        told = [one for one in found if one is not None]
        return [_moved(one, told) for one in told]

    def _told(self, work: str, version: str) -> _Told | None:
        """One version; None where nothing places it in time."""
        facts = self._patterns.facts(version)
        view_date = _first_day(facts, _VIEW_DATE)
        if view_date is not None:
            view = When.on(view_date)
        else:
            floor = _representative_day(work)
            if floor is None:
                return None
            view = _between(floor, self._patterns.first_harvest(work, _HAS_MEMBER, version))
        order = min((n for n in facts.get(_VIEW_ORDER, ()) if isinstance(n, int)), default=0)
        event = min((e for e in facts.get(_VIEW_EVENT, ()) if isinstance(e, str)), default=None)
        first = event is None or event in _ORIGINAL or _INSERTS in facts
        return _Told(
            Member(version, _first_day(facts, _VERSION_DATE), view, order, _first_day(facts, _CANCELS), first), event
        )

    def _happenings(self, work: str) -> tuple[Happening, ...]:
        """What acts on the work; an event that made a text of it (a decision with effect on its words) ends nothing."""
        known = self._acting.get(work)
        if known is not None:
            return known
        found = []
        for event in self._patterns.sources(_TARGET, work):
            facts = self._patterns.facts(event)
            kinds = sorted(str(kind) for kind in facts.get(_TYPE_OF_EVENT, ()))
            effect = next((_EFFECTS[kind] for kind in kinds if kind in _EFFECTS), None)
            if effect is not None and _MADE.isdisjoint(facts):
                found.append(self._happening(work, event, effect, facts))
        self._acting[work] = tuple(found)
        return self._acting[work]

    def _happening(self, work: str, event: str, effect: Effect, facts: _Facts) -> Happening:
        when = _stated(facts, _EFFECT)
        known = _stated(facts, _KNOWN)
        if when is None or known is None:
            cause = next(iter(self._patterns.links(event, _CAUSE)), None)
            force, publication = self._force_of(cause)
            ceiling = self._patterns.first_harvest(event, _TARGET, work)
            known = known or publication or _between(_oldest(cause), ceiling)
            if effect is Effect.REVOKES:
                when = when or force or When.not_before(_oldest(cause))
        return Happening(event, effect, when or When.not_before(date.min), known)

    def _force_of(self, cause: str | None) -> tuple[When | None, When | None]:
        """From when a norm is in force and since when that is known: so a change that it makes has effect
        (docs/time.md)."""
        if cause is None:
            return None, None
        found = self._forces.get(cause)
        if found is None:
            found = self._forces[cause] = _force(cause, self._versions(cause))
        return found


def dates_itself(record: Patterns, said: Iterable[Statement]) -> bool:
    """Whether a record dates each version and event that it links to a work: its datestamp then decides nothing.

    Args:
        record: what the record says.
        said: the same.
    """
    for subject, predicate, target in said:
        if predicate == _LINKS_VERSION and _first_day(record.facts(target[1:-1]), _VIEW_DATE) is None:
            return False
        if predicate == _LINKS_EVENT and _stated(record.facts(subject[1:-1]), _KNOWN) is None:
            return False
    return True


def _with_restorations(
    own: Sequence[Happening], holders: Sequence[tuple[Happening, ...]]
) -> Iterator[tuple[Happening, ...]]:
    """What acts on each holder, with what restores what it holds: an article may come back without its chapter."""
    restoring = [one for one in own if one.effect is Effect.RESTORES]
    for each in holders:
        yield (*each, *restoring) if any(one.effect is not Effect.RESTORES for one in each) else each
        restoring.extend(one for one in each if one.effect is Effect.RESTORES)


@dataclass(frozen=True, slots=True)
class _Told:
    """A version and view with the event that made it, where its name says one."""

    member: Member
    event: str | None


def _moved(one: _Told, told: Sequence[_Told]) -> _Told:
    """A prorogation, or a republication in vacatio, takes the place of the start that was to come (docs/time.md).

    LexML 1.0 part 2, section 12.1: what is republished before the end of the vacatio makes no version beside it.
    """
    member = one.member
    if one.event not in _MOVES or member.version_date is None or member.cancels is not None:
        return one
    before = [
        other.member
        for other in told
        if other is not one and other.member.version_date is not None and other.member.view.first <= member.view.first
    ]
    starts = [other.version_date for other in before if other.version_date is not None]
    if not starts or min(starts) <= member.view.first:
        return one
    latest = max(before, key=lambda other: (other.view.first, other.order, other.name))
    if latest.version_date == member.version_date:
        return one
    return replace(one, member=replace(member, cancels=latest.version_date))


def _first_day(facts: _Facts, predicate: str) -> date | None:
    return min((d for d in facts.get(predicate, ()) if isinstance(d, date)), default=None)


def _between(floor: date, ceiling: date | None) -> When:
    """Some day from one to the other; where they contradict each other only the first is believed."""
    return When(floor, ceiling) if ceiling is None or ceiling >= floor else When.not_before(floor)


def _representative_day(work: str) -> date | None:
    """The earliest day that the work's own name allows: nothing of it is older."""
    try:
        name = parse(from_iri(work))
    except BadName:
        return None
    return name.oldest_day


def _stated(facts: _Facts, predicate: str) -> When | None:
    for cell in facts.get(predicate, ()):
        try:
            return read_when(cell)
        except BadDate:
            continue
    return None


def _force(cause: str, told: Sequence[_Told]) -> tuple[When | None, When | None]:
    """From when a norm of these versions is in force and since when that is known.

    A signature publishes nothing, and the days of an amendment to the norm only bound its own.
    """
    public = [one for one in told if one.event != _SIGNATURE]
    published = min((one.member.view for one in public if one.member.original), key=_by_day, default=None)
    floor = _oldest(cause)
    if published is None:
        heard = [one.member.view.last for one in public if one.member.view.last is not None]
        published = _between(floor, min(heard)) if heard else None
    cancelled = {one.member.cancels for one in told}
    starts = [one.member for one in told if one.member.version_date not in {None, *cancelled}]
    own = [m for m in starts if m.original or m.cancels is not None]
    first = min(own or starts, key=lambda m: (m.version_date or date.max, m.view.first), default=None)
    if first is None or first.version_date is None:
        return None, published
    if not own:
        return _between(floor, first.version_date), published
    if first.cancels is not None and published is not None:
        published = _between(published.first, first.view.last)
    return When.on(first.version_date), published


def _by_day(when: When) -> tuple[date, date]:
    return when.first, when.last or date.max


def _oldest(cause: str | None) -> date:
    return (_representative_day(cause) if cause is not None else None) or date.min
