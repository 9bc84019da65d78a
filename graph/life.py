"""Reading a work's life back from the graph: its versions, views and events, ready for the derivation.

What several records say of the same version is joined here; dates that an event leaves open are looked up at its
cause, and what no source says stays open within bounds. Nothing is invented.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

import pyoxigraph as ox

from graph.civil import When, leading_day
from graph.errors import BadDate, BadName
from graph.terms import Cell, read, read_when
from graph.urn import from_iri, parse
from graph.vigencia import Happening, Member
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, Effect, event_iri
from ontology.namespaces import CRM, FRBROO, PROV, VIG

__all__ = ["DECISIVE", "Life", "Patterns", "Quads", "life_of", "touched_by"]

_HAS_MEMBER = ox.NamedNode(FRBROO["R10_has_member"])
_TYPE_OF_EVENT = ox.NamedNode(CRM["P2_has_type"])
_TARGET = ox.NamedNode(VIG["alvo"])
_MADE = (ox.NamedNode(FRBROO["R16_initiated"]), ox.NamedNode(FRBROO["R19_created_a_realisation_of"]))
_CAUSE = ox.NamedNode(VIG["causadoPor"])
_EFFECT = ox.NamedNode(VIG["dataEfeito"])
_KNOWN = ox.NamedNode(VIG["dataConhecimento"])
_VERSION_DATE = VIG["dataVersao"]
_VIEW_DATE = VIG["dataVisao"]
_VIEW_ORDER = VIG["ordemVisao"]
_VIEW_EVENT = VIG["eventoVisao"]
_INSERTS = VIG["insercao"]
_CANCELS = VIG["cancelaVersao"]
_PROVISION_OF = ox.NamedNode(VIG["dispositivoDe"])
_COMPONENT_OF = ox.NamedNode(VIG["componenteDe"])
_WITHIN = ox.NamedNode(VIG["contidoEm"])
_OWN_LIFE = ox.NamedNode(VIG["vidaPropriaEm"])
_PERIOD_OF = ox.NamedNode(VIG["periodoDe"])
_PERIOD_IN = ox.NamedNode(VIG["periodoNaNorma"])
_HORIZON = ox.NamedNode(VIG["horizonte"])
_DATESTAMP = ox.NamedNode(VIG["datestamp"])
_DOUBTFUL = ox.NamedNode(VIG["datestampDuvidoso"])
_ATTRIBUTED = ox.NamedNode(PROV["wasAttributedTo"])

#: The predicates that decide a life: of what arrives nothing else need be looked at.
DECISIVE = frozenset(
    {
        *(node.value for node in (_HAS_MEMBER, _TYPE_OF_EVENT, _TARGET, *_MADE, _CAUSE, _EFFECT, _KNOWN)),
        *(_VERSION_DATE, _VIEW_DATE, _VIEW_ORDER, _VIEW_EVENT, _INSERTS, _CANCELS),
        *(node.value for node in (_PROVISION_OF, _COMPONENT_OF, _WITHIN, _OWN_LIFE)),
        *(node.value for node in (_DATESTAMP, _DOUBTFUL, _ATTRIBUTED)),
    }
)

_EFFECTS = {term.iri: term.effect for term in EVENTS.values() if term.effect is not None}
_SIGNATURE = event_iri("assinatura")
_ORIGINAL = frozenset(map(event_iri, FIRST_TEXT_EVENTS))
#: How many provisions one may lie within: sources may contradict each other, and go round in circles.
_DEEPEST = 64
_MOVES = frozenset(map(event_iri, ("prorrogacao.vacatio", "republicacao")))


@dataclass(frozen=True, slots=True)
class Life:
    """What :func:`graph.vigencia.derive` needs to know of one work; for a provision, also the norm it belongs to."""

    members: tuple[Member, ...]
    happenings: tuple[Happening, ...]
    inherited: tuple[tuple[Happening, ...], ...]
    norm: str | None = None


class Quads(Protocol):
    """What can be asked by pattern."""

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | None,
        predicate: ox.NamedNode | None,
        object: ox.NamedNode | None,  # noqa: A002 - as the engine calls it
        graph_name: ox.NamedNode | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Each quad with these terms, None standing for any."""
        ...


class Patterns:
    """Look-ups by pattern over all graphs: the fastest way to read one work.

    Args:
        quads: what is stored, or what is stored and what is about to be.
    """

    def __init__(self, quads: Quads) -> None:
        self._quads = quads.quads_for_pattern

    def objects(self, subject: str, predicate: ox.NamedNode) -> Iterator[Cell]:
        """Each object once per graph that says it."""
        for quad in self._quads(ox.NamedNode(subject), predicate, None, None):
            yield read(quad.object)

    def facts(self, subject: str) -> dict[str, list[Cell]]:
        """All that is said of a node of few triples, by predicate: one look-up where several would be needed."""
        found: dict[str, list[Cell]] = {}
        for quad in self._quads(ox.NamedNode(subject), None, None, None):
            found.setdefault(quad.predicate.value, []).append(read(quad.object))
        return found

    def links(self, subject: str, predicate: ox.NamedNode) -> list[str]:
        """The IRIs that the subject points at, each once, in order."""
        quads = self._quads(ox.NamedNode(subject), predicate, None, None)
        return sorted({quad.object.value for quad in quads if isinstance(quad.object, ox.NamedNode)})

    def sources(self, predicate: ox.NamedNode, target: str) -> list[str]:
        """The IRIs that point at the target, each once, in order."""
        quads = self._quads(None, predicate, ox.NamedNode(target), None)
        return sorted({quad.subject.value for quad in quads if isinstance(quad.subject, ox.NamedNode)})

    def subjects_in(self, predicate: ox.NamedNode, graph: ox.NamedNode) -> Iterator[str]:
        """The subjects of a predicate in one graph."""
        for quad in self._quads(None, predicate, None, graph):
            if isinstance(quad.subject, ox.NamedNode):
                yield quad.subject.value

    def objects_in(self, predicate: ox.NamedNode, graph: ox.NamedNode) -> Iterator[str]:
        """The IRIs that a predicate points at in one graph."""
        for quad in self._quads(None, predicate, None, graph):
            if isinstance(quad.object, ox.NamedNode):
                yield quad.object.value

    def first_harvest(self, subject: str, predicate: ox.NamedNode, value: str) -> date | None:
        """The oldest datestamp of the records that state a link: by then anyone could know it."""
        days = [
            stamped
            for quad in self._quads(ox.NamedNode(subject), predicate, ox.NamedNode(value), None)
            if isinstance(quad.graph_name, ox.NamedNode)
            for stamped in self._stamped(quad.graph_name.value)
        ]
        return min(days, default=None)

    def _stamped(self, record: str) -> Iterator[date]:
        """The day of one record's datestamp; none where it lay in the future when the record was read."""
        days = [leading_day(str(cell)) for cell in self.objects(record, _DATESTAMP)]
        if any(days) and not any(True for _ in self.objects(record, _DOUBTFUL)):
            yield from (stamped for stamped in days if stamped is not None)

    def horizon(self, provider: str) -> date | None:
        """Up to when a provider has been heard, as derived."""
        return next((day for day in self.objects(provider, _HORIZON) if isinstance(day, date)), None)

    def stamp(self, record: str) -> Iterator[tuple[str, date]]:
        """Provider and day of one record's datestamp, where it has both and the day is no doubtful one."""
        for stamped in self._stamped(record):
            yield from ((provider, stamped) for provider in self.links(record, _ATTRIBUTED))

    def horizons(self, without: Collection[str] = ()) -> dict[str, date]:
        """The newest datestamp of each provider, over all records but those that are left out."""
        newest: dict[str, date] = {}
        for quad in self._quads(None, _DATESTAMP, None, None):
            if isinstance(quad.subject, ox.NamedNode) and quad.subject.value not in without:
                for provider, stamped in self.stamp(quad.subject.value):
                    newest[provider] = max(stamped, newest.get(provider, stamped))
        return newest

    def works_with_life(self) -> set[str]:
        """All works and provisions that have a life: :func:`touched_by` over all graphs."""
        return _living(self._subjects(_HAS_MEMBER), self._subjects(_OWN_LIFE), self._objects(_TARGET))

    def _subjects(self, predicate: ox.NamedNode) -> Iterator[str]:
        for quad in self._quads(None, predicate, None, None):
            if isinstance(quad.subject, ox.NamedNode):
                yield quad.subject.value

    def _objects(self, predicate: ox.NamedNode) -> Iterator[str]:
        for quad in self._quads(None, predicate, None, None):
            if isinstance(quad.object, ox.NamedNode):
                yield quad.object.value

    def with_dependants(self, works: Iterable[str]) -> list[str]:
        """These works, those that events caused by them act on, and the provisions that live or end with them."""
        found = set(works)
        for work in list(found):
            for event in self.sources(_CAUSE, work):
                found.update(self.links(event, _TARGET))
        for work in list(found):
            found.update(self.sources(_COMPONENT_OF, work))
        for work in list(found):
            found.update(self.sources(_OWN_LIFE, work))
            for period in self.sources(_PERIOD_IN, work):
                found.update(self.links(period, _PERIOD_OF))
        held = [work for work in found if _is_provision(work)]
        while held:
            inside = set(self.sources(_WITHIN, held.pop())) - found
            found |= inside
            held.extend(inside)
        return sorted(found)

    def holders(self, provision: str) -> list[str]:
        """The provisions that hold one, the nearest first; each once, whatever sources say."""
        found: list[str] = []
        level = self.links(provision, _WITHIN)
        while level and len(found) < _DEEPEST:
            found.extend(level)
            above = dict.fromkeys(holder for one in level for holder in self.links(one, _WITHIN))
            level = [holder for holder in above if holder not in found and holder != provision]
        return found


def touched_by(patterns: Patterns, graph: ox.NamedNode) -> set[str]:
    """The works whose life one record's graph speaks of, and the provisions with a life of their own."""
    return _living(
        patterns.subjects_in(_HAS_MEMBER, graph),
        patterns.subjects_in(_OWN_LIFE, graph),
        patterns.objects_in(_TARGET, graph),
    )


def _living(members: Iterable[str], living: Iterable[str], targets: Iterable[str]) -> set[str]:
    """A provision with no more than its place in a first text has no life of its own: it follows its norm."""
    return _named({*(work for work in members if not _is_provision(work)), *living, *targets})


def _is_provision(work: str) -> bool:
    return "!" in work


def _named(works: Iterable[str]) -> set[str]:
    """Those with a name of the ``lex`` namespace: a gazette's series has issues for members, and no life of its own."""
    return {work for work in works if work.startswith("urn:lex:")}


def life_of(patterns: Patterns, work: str) -> Life:
    """Everything that decides in which days the versions of a work are in force.

    Nothing does for a provision that only follows its norm: no event acts on it or on a provision that holds it, and
    no source gives it words beside those of a first text.
    """
    norms = patterns.links(work, _PROVISION_OF)
    own = _happenings(patterns, work)
    holders = [_happenings(patterns, holder) for holder in patterns.holders(work)] if norms else []
    if _is_provision(work) and not own and not any(holders) and not patterns.links(work, _OWN_LIFE):
        return Life((), (), ())
    above = [*norms, *(whole for one in (work, *norms) for whole in _wholes(patterns, one))]
    inherited = (
        *(each for each in _with_restorations(own, holders) if each),
        *(_happenings(patterns, one) for one in dict.fromkeys(above)),
    )
    members = tuple(told.member for told in _versions(patterns, work))
    return Life(members, own, inherited, norms[0] if norms else None)


def _with_restorations(
    own: Sequence[Happening], holders: Sequence[tuple[Happening, ...]]
) -> Iterator[tuple[Happening, ...]]:
    """What acts on each holder, with what restores what it holds: an article may come back without its chapter."""
    restoring = [one for one in own if one.effect is Effect.RESTORES]
    for each in holders:
        yield (*each, *restoring) if any(one.effect is not Effect.RESTORES for one in each) else each
        restoring.extend(one for one in each if one.effect is Effect.RESTORES)


def _wholes(patterns: Patterns, work: str) -> list[str]:
    """The document that an annex belongs to and ends with; a rectification is no part of what it corrects."""
    wholes = patterns.links(work, _COMPONENT_OF)
    return [] if not wholes or parse(from_iri(work)).descritor.retificacao is not None else wholes


@dataclass(frozen=True, slots=True)
class _Told:
    """A version and view with the event that made it, where its name says one."""

    member: Member
    event: str | None


def _versions(patterns: Patterns, work: str) -> list[_Told]:
    """The versions and views of a work, those that moved a start told so."""
    found = [_told(patterns, work, version) for version in patterns.links(work, _HAS_MEMBER)]
    told = [one for one in found if one is not None]
    return [_moved(one, told) for one in told]


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


def _first_day(facts: Mapping[str, Sequence[Cell]], predicate: str) -> date | None:
    return min((d for d in facts.get(predicate, ()) if isinstance(d, date)), default=None)


def _told(patterns: Patterns, work: str, version: str) -> _Told | None:
    """One version; None where nothing places it in time."""
    facts = patterns.facts(version)
    view_date = _first_day(facts, _VIEW_DATE)
    if view_date is not None:
        view = When.on(view_date)
    else:
        floor = _representative_day(work)
        if floor is None:
            return None
        view = _between(floor, patterns.first_harvest(work, _HAS_MEMBER, version))
    order = min((n for n in facts.get(_VIEW_ORDER, ()) if isinstance(n, int)), default=0)
    event = min((e for e in facts.get(_VIEW_EVENT, ()) if isinstance(e, str)), default=None)
    first = event is None or event in _ORIGINAL or _INSERTS in facts
    return _Told(
        Member(version, _first_day(facts, _VERSION_DATE), view, order, _first_day(facts, _CANCELS), first), event
    )


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


def _happenings(patterns: Patterns, work: str) -> tuple[Happening, ...]:
    """What acts on the work; an event that made a text of it (a decision with effect on its words) ends nothing."""
    found = []
    for event in patterns.sources(_TARGET, work):
        effect = next((_EFFECTS[kind] for kind in patterns.links(event, _TYPE_OF_EVENT) if kind in _EFFECTS), None)
        if effect is not None and not any(patterns.links(event, made) for made in _MADE):
            found.append(_happening(patterns, work, event, effect))
    return tuple(found)


def _happening(patterns: Patterns, work: str, event: str, effect: Effect) -> Happening:
    when = _stated(patterns, event, _EFFECT)
    known = _stated(patterns, event, _KNOWN)
    cause = next(iter(patterns.links(event, _CAUSE)), None)
    if when is None or known is None:
        force, publication = _force_of(patterns, cause)
        ceiling = patterns.first_harvest(event, _TARGET, work)
        known = known or publication or _between(_oldest(cause), ceiling)
        if effect is Effect.REVOKES:
            when = when or force or When.not_before(_oldest(cause))
    return Happening(event, effect, when or When.not_before(date.min), known)


def _stated(patterns: Patterns, event: str, predicate: ox.NamedNode) -> When | None:
    for cell in patterns.objects(event, predicate):
        try:
            return read_when(cell)
        except BadDate:
            continue
    return None


def _force_of(patterns: Patterns, cause: str | None) -> tuple[When | None, When | None]:
    """From when a norm is in force and since when that is known: so a change that it makes has effect (docs/time.md).

    A signature publishes nothing, and the days of an amendment to the norm only bound its own.
    """
    told = _versions(patterns, cause) if cause is not None else []
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
