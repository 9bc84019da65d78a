"""Reads the versions, views and events of a work from the graph, for the derivation.

Statements of several records on one version are combined. A date that is missing from an event is taken from its cause.
A date that no source states is known only within bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

import pyoxigraph as ox

from graph.acts import Acts
from graph.civil import ONE_DAY, When
from graph.document_kinds import begins_with_its_event
from graph.errors import BadDate, BadName
from graph.mapping.documents import making_event_iri
from graph.patterns import CAPUT, Patterns, is_provision
from graph.terms import Cell, Statement, read_when
from graph.time.causes import causes_of, rank
from graph.time.events import ENDINGS, History, LifecycleEvent, Member, Moves, Starts, own_starts, possibly_known
from graph.time.force import BitemporalPeriod, derive
from graph.time.kinds import EC_32_2001
from graph.time.measure_terms import latest_day
from graph.urn import from_iri, parse
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, OVERTURNED_VETOES, Effect, EventKind, event_iri
from ontology.namespaces import CRM, FRBROO, VIG

_HAS_MEMBER = ox.NamedNode(FRBROO["R10_has_member"])
_TARGET = ox.NamedNode(VIG["alvo"])
_PROVISION_OF = ox.NamedNode(VIG["dispositivoDe"])
_COMPONENT_OF = ox.NamedNode(VIG["componenteDe"])
_OWN_LIFE = ox.NamedNode(VIG["vidaPropriaEm"])
_LINKS_VERSION, _LINKS_EVENT = str(_HAS_MEMBER), str(_TARGET)
_TYPE_OF_EVENT: str = CRM["P2_has_type"]
_CONCEIVED = ox.NamedNode(FRBROO["R16_initiated"])
_MADE = frozenset({FRBROO["R16_initiated"], FRBROO["R19_created_a_realisation_of"]})
_CAUSE = ox.NamedNode(VIG["causadoPor"])
_EFFECT: str = VIG["dataEfeito"]
_KNOWN: str = VIG["dataConhecimento"]
_VERSION_DATE: str = VIG["dataVersao"]
_VIEW_DATE: str = VIG["dataVisao"]
_VIEW_ORDER: str = VIG["ordemVisao"]
_VIEW_EVENT: str = VIG["eventoVisao"]
_INSERTS: str = VIG["insercao"]
_CANCELS: str = VIG["cancelaVersao"]
_UNDOES: str = VIG["desfazEfeitos"]
_WORDING: str = VIG["restauraRedacao"]

_EFFECTS = {term.iri: term.effect for term in EVENTS.values() if term.effect not in {None, Effect.INTERPRETS}}
_REJECTION = event_iri(EventKind.REJEICAO)
_START = event_iri(EventKind.INICIO_VIGENCIA)
_SIGNATURE = event_iri(EventKind.ASSINATURA)
_PUBLICATION = event_iri(EventKind.PUBLICACAO)
_ORIGINAL = frozenset(map(event_iri, FIRST_TEXT_EVENTS))
_MOVES = {
    event_iri(EventKind.PRORROGACAO_VACATIO): Moves.PROROGUES,
    event_iri(EventKind.REPUBLICACAO): Moves.REPUBLISHES,
}
_OVERTURNED = frozenset(map(event_iri, OVERTURNED_VETOES))
_PROVISIONAL = "medida.provisoria"
_FEDERAL_MEASURE = f"urn:lex:br:federal:{_PROVISIONAL}:"
#: The maximum depth of causes that are read.
_DEEPEST = 17

#: The values of a node, by predicate.
_Facts: TypeAlias = Mapping[str, Sequence[Cell]]


class Histories:
    """Reads versions and events of works from quads that do not change. What is read is cached.

    Args:
        patterns: the quads.
        acts: the acts that names with only the year mean.
    """

    def __init__(self, patterns: Patterns, acts: Acts) -> None:
        self._patterns = patterns
        self._acts = acts
        self._events_of: dict[str, tuple[LifecycleEvent, ...]] = {}
        self._causes_read: dict[str, History] = {}
        self._forces: dict[str, _Force] = {}
        self._stated_days: dict[str, When] = {}
        self._publications: dict[str, date | None] = {}

    def periods(self, history: History) -> tuple[BitemporalPeriod, ...]:
        """Return the bitemporal periods of the work with this history."""
        return derive(history, self.causes_of(history))

    def of(self, work: str) -> History:
        """Return all versions and events that decide on which days the versions of a work are in force.

        The result is empty for a provision that only follows its norm: no event acts on it or on its containers, and no
        source states another text than the first.

        Args:
            work: the IRI of a norm or provision.
        """
        patterns = self._patterns
        norms = patterns.links(work, _PROVISION_OF)
        own = self._events(work)
        holders = [self._events_of_holder(holder) for holder in patterns.holders(work)] if norms else []
        if is_provision(work) and not own and not any(holders) and not patterns.links(work, _OWN_LIFE):
            return History()
        above = [*norms, *(document for name in (work, *norms) for document in self._containing_documents(name))]
        stated_versions = self._versions(work)
        vetoed = _day_of_veto(own, *holders)
        if vetoed is not None:
            own = self._begun_by_proof(work, own)
        wording_days = {event.wording: event.known for event in own if event.wording is not None}
        own = _with_days_of_versions(own, self._stated_days, stated_versions, vetoed, self._acts)
        if _day_of_veto(own) is not None:
            own = (*own, *self._restorations_by_caput(work))
        inherited = (
            *(events for events in _with_restorations(own, holders) if events),
            *(_without_starts(self._events(container)) for container in dict.fromkeys(above)),
        )
        if not is_provision(work):
            own = _without_dated_starts(own, stated_versions)
        members = tuple(_known_with_its_wording(version.member, wording_days) for version in stated_versions)
        latest = (day for name in dict.fromkeys((*norms, work, *above)) if (day := self._latest_day(name)) is not None)
        norm = norms[0] if norms else None
        return History(members, own, inherited, _is_provisional(work), norm, next(latest, None))

    def _latest_day(self, work: str) -> date | None:
        """Return the last day on which a federal provisional measure may be in force without a stated end.

        None for any other work, and for a measure issued before EC 32/2001. A measure without a stated publication may
        have been published on the first day on which it may have been known.
        """
        if not work.startswith(_FEDERAL_MEASURE) or not _is_provisional(work):
            return None
        views = (version.member.view.first for version in self._versions(work) if version.member.original)
        published = self._published(work) or min(views, default=None)
        return latest_day(published) if published is not None else None

    def _events_of_holder(self, holder: str) -> tuple[LifecycleEvent, ...]:
        """Return the events of a container; of a vetoed one with its restorations by versions."""
        events = self._events(holder)
        vetoed = _day_of_veto(events)
        if vetoed is None:
            return events
        begun = self._begun_by_proof(holder, events)
        return _with_days_of_versions(begun, self._stated_days, self._versions(holder), vetoed, self._acts)

    def _begun_by_proof(self, work: str, events: Iterable[LifecycleEvent]) -> tuple[LifecycleEvent, ...]:
        """Return the events of a work that was vetoed, or is part of one that was; its wordings have a last day.

        A source that has the promulgated words without their day proves only that they were in force when it was
        fetched or published.
        """
        return tuple(
            replace(
                event,
                when=self._proven(event.when, event.name, work),
                known=self._proven(event.known, event.name, work),
            )
            if event.effect is Effect.RESTORES_WORDING
            else event
            for event in events
        )

    def _proven(self, when: When, event: str, work: str) -> When:
        """Return bounds without a last day with the first day on which a record proves the event, if there is one."""
        if when.last is not None:
            return when
        return _between(when.first, self._patterns.first_proof(event, _TARGET, work))

    def _restorations_by_caput(self, article: str) -> list[LifecycleEvent]:
        """Return the events that restore the caput of a vetoed article, and so the article without its other parts."""
        return [event for event in self.of(f"{article}{CAPUT}").events if event.effect is Effect.RESTORES]

    def causes_of(self, history: History) -> dict[str, History]:
        """Return the histories of the causes of events and versions, of their causes and so on, by IRI.

        Causes without events and with an unmoved start are left out, because they never fall.
        """
        histories: dict[str, History] = {}
        left = causes_of(history)
        for _ in range(_DEEPEST):
            fresh = {name: self._history_of_cause(name) for name in left - histories.keys()}
            acted_on = {
                name: cause_history
                for name, cause_history in fresh.items()
                if any(cause_history.lists) or any(_moving_versions(cause_history.members))
            }
            histories.update(acted_on)
            left = {cause for cause_history in acted_on.values() for cause in causes_of(cause_history)}
        return histories

    def _history_of_cause(self, work: str) -> History:
        """Return the history of a norm or provision as a cause.

        A provision without events has the history of its norm. A provision without its own first text starts with its
        norm.
        """
        if work not in self._causes_read:
            history = self.of(work)
            norm = work.partition("!")[0]
            if norm != work and not any(history.lists):
                history = self.of(norm)
            elif norm != work and not any(member.original for member in history.members):
                begins = (m for m in self.of(norm).members if m.original or m.sets_start)
                history = replace(history, members=(*begins, *history.members))
            self._causes_read[work] = self._as_earlier_measure(history) if _is_earlier_measure(norm) else history
        return self._causes_read[work]

    def _as_earlier_measure(self, history: History) -> History:
        """Return the history of a provisional measure issued before EC 32/2001, as a cause: rule F10.

        Its lapse undid its changes, unless it was reissued in time, which sources seldom state. A rejection by
        Congress undid them: it could not be reissued.
        """

        def read(event: LifecycleEvent) -> LifecycleEvent:
            doubtful = event.effect in {Effect.EXPIRES, Effect.CONVERTS} and not self._is_early_rejection(event)
            return replace(event, known=possibly_known(event.known)) if doubtful else event

        inherited = tuple(tuple(map(read, events)) for events in history.inherited)
        return replace(history, events=tuple(map(read, history.events)), inherited=inherited, provisional=True)

    def _is_early_rejection(self, event: LifecycleEvent) -> bool:
        """Return whether an event is the rejection of a provisional measure before EC 32/2001."""
        kinds = self._patterns.facts(event.name).get(_TYPE_OF_EVENT, ())
        return _REJECTION in kinds and event.when.last is not None and event.when.last < EC_32_2001

    def _containing_documents(self, work: str) -> list[str]:
        """Return the documents that an annex is part of and ends with. A rectification is not part of a document."""
        wholes = self._patterns.links(work, _COMPONENT_OF)
        return [] if not wholes or parse(from_iri(work)).descritor.retificacao is not None else wholes

    def _versions(self, work: str) -> list[_StatedVersion]:
        """Return the versions and views of a work."""
        candidates = [self._stated_version(work, version) for version in self._patterns.links(work, _HAS_MEMBER)]
        stated_versions = [version for version in candidates if version is not None]
        stated_versions = [
            self._repeated_version(stated_version, stated_versions) for stated_version in stated_versions
        ]
        return [
            stated_version
            if stated_version.dated or not _is_dated_by_another(stated_version, stated_versions, self._acts)
            else stated_version.without_start()
            for stated_version in stated_versions
        ]

    def _repeated_version(self, version: _StatedVersion, stated_versions: Iterable[_StatedVersion]) -> _StatedVersion:
        """Return a version. If its act made an earlier version, remove its start and restore the bounds of its view.

        The reason is that of :meth:`_repeated_event`.
        """
        acts = {self._acts.norm(cause) for cause in version.member.causes}
        for other in stated_versions:
            if version.bounds is None or other.bounds is None or other.bounds.first >= version.bounds.first:
                continue
            if acts & {self._acts.norm(cause) for cause in other.member.causes}:
                view = _days_after(version.bounds, other.member.view)
                return replace(version, member=replace(version.member, version_date=None, view=view))
        return version

    def _stated_version(self, work: str, version: str) -> _StatedVersion | None:
        """Return one version; None if no source gives it a date."""
        facts = self._patterns.facts(version)
        view_date = _first_day(facts, _VIEW_DATE)
        begun: When | None = None
        bounds: When | None = None
        if view_date is not None:
            view = When.on(view_date)
        else:
            bounds = _days_of_view(version)
            floor = _representative_day(work)
            if floor is None and bounds is None:
                return None
            view = bounds or _between(floor or date.min, self._patterns.first_harvest(work, _HAS_MEMBER, version))
            for cause in self._causes(version) if bounds is not None else ():
                begun = begun or self._day_of_act(view, cause, self._effect_of)
                view = self._day_of_act(view, cause, self._known_of) or view
        order = min((n for n in facts.get(_VIEW_ORDER, ()) if isinstance(n, int)), default=0)
        event = min((e for e in facts.get(_VIEW_EVENT, ()) if isinstance(e, str)), default=None)
        first = event is None or event in _ORIGINAL or _INSERTS in facts
        is_first_text = first and _INSERTS not in facts and not is_provision(work)
        causes = () if is_first_text else self._causes(version)
        view = self._known_by_publication(view, causes)
        stated, cancels = _first_day(facts, _VERSION_DATE), _first_day(facts, _CANCELS)
        start = stated or (begun.exact if begun is not None else None)
        if start is None and view_date is not None and begins_with_its_event(parse(from_iri(work))):
            start = view_date
        member = Member(version, start, view, order, cancels, first, causes, _MOVES.get(event or ""))
        return _StatedVersion(member, event, stated is not None, bounds if begun is not None else None)

    def _causes(self, version: str) -> tuple[str, ...]:
        """Return the distinct causes of a version, in order."""
        makings = (making_event_iri(version), *self._patterns.sources(_CONCEIVED, version))
        own = version.partition("@")[0]  # a rectification is part of its norm and cannot fall
        causes = {cause for making in makings for cause in self._patterns.links(making, _CAUSE)}
        return tuple(sorted(cause for cause in causes if cause != own and not cause.startswith(f"{own};")))

    def _events(self, work: str) -> tuple[LifecycleEvent, ...]:
        """Return the events that act on the work, except those that made a version of it."""
        known = self._events_of.get(work)
        if known is not None:
            return known
        events = []
        for event in self._patterns.sources(_TARGET, work):
            facts = self._patterns.facts(event)
            kinds = sorted(str(kind) for kind in facts.get(_TYPE_OF_EVENT, ()))
            effect = next((_EFFECTS[kind] for kind in kinds if kind in _EFFECTS), None)
            if effect is Effect.STARTS_FORCE and not _has_day(facts):
                continue
            if effect is not None and _MADE.isdisjoint(facts):
                events.append(self._event(work, event, effect, facts))
        events = [self._repeated_event(lifecycle_event, events) for lifecycle_event in events]
        events = [self._after_dated_event(lifecycle_event, events) for lifecycle_event in events]
        events = [self._after_its_wording(lifecycle_event, events) for lifecycle_event in events]
        events = [_with_earlier_revocation_cancelled(lifecycle_event, events) for lifecycle_event in events]
        taken_back = {lifecycle_event.cancels for lifecycle_event in events}
        self._events_of[work] = tuple(
            lifecycle_event
            for lifecycle_event in events
            if lifecycle_event.name in taken_back or not _is_superseded(lifecycle_event, events, self._acts)
        )
        return self._events_of[work]

    def _event(self, work: str, event: str, effect: Effect, facts: _Facts) -> LifecycleEvent:
        when = _stated_when(facts, _EFFECT)
        known = _stated_when(facts, _KNOWN)
        stated = when is not None or known is not None
        cause = next(iter(self._patterns.links(event, _CAUSE)), None)
        if effect is Effect.STARTS_FORCE and not is_provision(work) and when is not None:
            when, known = self._start_of_norm(work, event, cause, when, known)
        elif cause is not None:
            dated = self._day_of_act(when, cause, self._effect_of)
            if when is not None and dated is not None:
                self._stated_days[event], when = when, dated
            known = self._day_of_act(known, cause, self._known_of) or known
            known = self._known_by_publication(known, [cause]) if known is not None else None
        with_cause = False
        if when is None or known is None:
            force = self._force_of(cause)
            ceiling = self._patterns.first_harvest(event, _TARGET, work)
            with_cause = when is None and effect is Effect.REVOKES and force.moved is not None
            publication = force.published if with_cause else force.published_with_start
            known = known or publication or _between(_oldest_day(cause), ceiling)
            if effect is Effect.REVOKES:
                when = when or force.start or When.not_before(_oldest_day(cause))
            elif effect is Effect.CONVERTS:
                when = when or known
        return LifecycleEvent(
            event,
            effect,
            when or When.not_before(date.min),
            known,
            cause=cause,
            undoes=False not in facts.get(_UNDOES, ()),
            stated=stated,
            wording=next((str(version) for version in facts.get(_WORDING, ())), None),
            with_cause=with_cause,
        )

    def _start_of_norm(
        self, work: str, event: str, cause: str | None, when: When, known: When | None
    ) -> tuple[When, When | None]:
        """Return the day of a start of force of a norm, and the day of its knowledge (rules R30 and R31).

        A start whose bounds begin with those of its knowledge has effect on the publication of its act. The act is the
        norm itself if no change of its clause of commencement states the start. If the day of knowledge is that of the
        signature of the act, the bounds are replaced by any later publication. A source that does not bound the
        publication proves only that the norm was published when the source was fetched or published.
        """
        if known is None:
            return when, known
        if when.exact is None and when.first == known.first:
            act = self._acts.norm(cause) if cause is not None else work
            published = self._published(act)
            last = when.last if known.exact is None or known.exact != _day_of_name(act) else None
            if published is not None and when.first <= published <= (last or date.max):
                return When.on(published), When.on(published)
            known = self._proven(known, event, work) if known == when else known
        if cause is not None:
            known = self._day_of_act(known, cause, self._known_of) or known
            known = self._known_by_publication(known, [cause])
        return self._proven(when, event, work), known

    def _day_of_act(self, when: When | None, cause: str, day_of: Callable[[str, date], date]) -> When | None:
        """Return the day of an act to replace bounds that come from a name with only the year; None to keep them."""
        if when is None or when.exact is not None or when.last is None:
            return None
        act = self._acts.norm(cause)
        signed = _day_of_name(act)
        if act == cause or signed is None or not when.first <= signed <= when.last:
            return None
        return When.on(day_of(act, signed))

    def _repeated_event(self, lifecycle_event: LifecycleEvent, others: Iterable[LifecycleEvent]) -> LifecycleEvent:
        """Return an event. If its day is that of its act and the act has an earlier wording, restore its bounds.

        A later part of the same act, such as one whose veto was overturned, has a later day.
        """
        stated = self._stated_days.get(lifecycle_event.name)
        if stated is None or lifecycle_event.cause is None:
            return lifecycle_event
        act = self._acts.norm(lifecycle_event.cause)
        for event in others:
            earlier = self._stated_days.get(event.name)
            same = (
                event.effect is lifecycle_event.effect
                and event.cause is not None
                and self._acts.norm(event.cause) == act
            )
            if earlier is not None and same and earlier.first < stated.first:
                return replace(
                    lifecycle_event, when=_days_after(stated, event.when), known=_days_after(stated, event.known)
                )
        return lifecycle_event

    def _after_dated_event(self, lifecycle_event: LifecycleEvent, others: Iterable[LifecycleEvent]) -> LifecycleEvent:
        """Return an event. If it follows one that got the day of its act, its bounds begin after that day.

        :meth:`When.after` states the order of the two.
        """
        when = lifecycle_event.when
        if when.exact is not None:
            return lifecycle_event
        for event in others:
            stated = self._stated_days.get(event.name)
            if stated is None or event is lifecycle_event or not when.is_after(stated):
                continue
            moved = When.after(event.when, when.last)
            if when.last is None or moved.first <= when.last:
                known = lifecycle_event.known
                since = When.after(event.known, known.last)
                if known == when and (known.last is None or since.first <= known.last):
                    known = since
                return replace(lifecycle_event, when=moved, known=known)
        return lifecycle_event

    def _after_its_wording(self, lifecycle_event: LifecycleEvent, others: Iterable[LifecycleEvent]) -> LifecycleEvent:
        """Return an event. If a source states only that an ending follows the wording that it ended, keep this order.

        In such a source both have the same last day, and :meth:`When.after` states their order. The ending is then
        dated on the last day, and the wording is not certain on any day. If the act dates the ending, the bounds of the
        wording end on the day before it.
        """
        when, effect = lifecycle_event.when, lifecycle_event.effect
        if when.exact is not None or when.last is None:
            return lifecycle_event
        for event in others:
            stated = self._stated_days.get(event.name, event.when)
            if stated.exact is not None or stated.last != when.last:
                continue
            days = None
            if effect in ENDINGS and event.effect is Effect.RESTORES_WORDING and event.when.exact is None:
                days = When.on(when.last) if when.is_after(stated) else None
            elif effect is Effect.RESTORES_WORDING and event.effect in ENDINGS and event.when.exact is not None:
                before = event.when.first - ONE_DAY
                ordered = stated.is_after(when) and when.first <= before
                days = When(when.first, before) if ordered else None
            if days is not None:
                known = days if lifecycle_event.known == when else lifecycle_event.known
                return replace(lifecycle_event, when=days, known=known)
        return lifecycle_event

    def _effect_of(self, act: str, signed: date) -> date:
        """Return the first day of effect of an act: its first day of force if a source states it, else the day of
        its name."""
        start = self._force_of(act).start
        return start.exact if start is not None and start.exact is not None and start.exact >= signed else signed

    def _known_of(self, act: str, signed: date) -> date:
        """Return the day of knowledge of an act: its publication if a source dates it, else the day of its name."""
        return self._published(act) or signed

    def _published(self, act: str) -> date | None:
        """Return the first day on which a norm was published; None if no source states it."""
        if act not in self._publications:
            facts = (self._patterns.facts(version) for version in self._patterns.links(act, _HAS_MEMBER))
            days = [
                _first_day(version_facts, _VIEW_DATE)
                for version_facts in facts
                if _PUBLICATION in version_facts.get(_VIEW_EVENT, ())
            ]
            self._publications[act] = min((day for day in days if day is not None), default=None)
        return self._publications[act]

    def _known_by_publication(self, view: When, causes: Iterable[str]) -> When:
        """Return the day of knowledge of a change; if it is the day in the name of its act, the later publication."""
        for cause in causes if view.exact is not None else ():
            act = cause.partition("!")[0]
            if view.exact == _day_of_name(act):
                published = self._published(act)
                if published is not None and published > view.first:
                    return When.on(published)
        return view

    def _force_of(self, cause: str | None) -> _Force:
        """Return the first day of force and the day of knowledge of a norm or provision.

        They are the days of its changes (docs/explanation/time.md). A provision without versions has those of its norm.
        """
        if cause is None:
            return _Force()
        force = self._forces.get(cause)
        if force is None:
            norm = cause.partition("!")[0]
            force = _force(cause, self._versions(cause) or self._versions(norm))
            if force.start is None:
                force = replace(force, start=self._bounds_of_start(norm))
            self._forces[cause] = force
        return force

    def _bounds_of_start(self, norm: str) -> When | None:
        """Return the bounds of the start of a norm by the last known wording of its clause of commencement."""
        starts = []
        for event in self._patterns.sources(_TARGET, norm):
            facts = self._patterns.facts(event)
            kinds = facts.get(_TYPE_OF_EVENT, ())
            if _START in kinds and _has_day(facts) and _stated_when(facts, _KNOWN) is not None:
                starts.append(self._event(norm, event, Effect.STARTS_FORCE, facts))
        left = [start.when for start in own_starts([starts], date.max) if start is not None]
        if not left:
            return None
        lasts = [when.last for when in left if when.last is not None]
        return When(min(when.first for when in left), max(lasts) if len(lasts) == len(left) else None)


def dates_itself(record: Patterns, statements: Iterable[Statement]) -> bool:
    """Return whether a record states the days of each version and event that it links to a work.

    The datestamp and the day of fetch of such a record do not affect periods.

    Args:
        record: the statements of the record, for lookups.
        statements: the same statements.
    """
    for subject, predicate, target in statements:
        if predicate == _LINKS_VERSION and _first_day(record.facts(target[1:-1]), _VIEW_DATE) is None:
            return False
        if predicate == _LINKS_EVENT and not _has_last_days(record.facts(subject[1:-1])):
            return False
    return True


def _has_last_days(facts: _Facts) -> bool:
    """Return whether an event has a day of knowledge, and each of its stated days has an upper bound."""
    effect, known = _stated_when(facts, _EFFECT), _stated_when(facts, _KNOWN)
    return known is not None and known.last is not None and (effect is None or effect.last is not None)


def _with_restorations(
    own: Sequence[LifecycleEvent], holders: Sequence[tuple[LifecycleEvent, ...]]
) -> Iterator[tuple[LifecycleEvent, ...]]:
    """Yield the events of each container, with restorations of its parts: an article may return without its chapter."""
    restoring = [event for event in own if event.effect is Effect.RESTORES]
    for events in holders:
        yield (*events, *restoring) if any(event.effect is not Effect.RESTORES for event in events) else events
        restoring.extend(event for event in events if event.effect is Effect.RESTORES)


def _known_with_its_wording(member: Member, wording_days: Mapping[str, When]) -> Member:
    """Return a version; an undated one is known with the event that gives the provision its text.

    Args:
        wording_days: the days of knowledge of these events, by version.
    """
    known = wording_days.get(member.name)
    is_open = member.version_date is None and member.view.last is None
    if known is None or not is_open:
        return member
    return replace(member, view=replace(known, first=max(known.first, member.view.first)))


def _is_overturned(version: _StatedVersion) -> bool:
    """Return whether an overturned veto made a version with a first day of force."""
    return version.event in _OVERTURNED and version.member.version_date is not None


def _restoration(version: _StatedVersion, vetoed: date) -> LifecycleEvent:
    """Return the restoration of a provision, vetoed from a day on, by its first version in force."""
    day = max(version.member.version_date or vetoed, vetoed)
    return LifecycleEvent(making_event_iri(version.member.name), Effect.RESTORES, When.on(day), version.member.view)


def _with_days_of_versions(
    events: Sequence[LifecycleEvent],
    stated_days: Mapping[str, When],
    stated_versions: Sequence[_StatedVersion],
    vetoed: date | None,
    acts: Acts,
) -> tuple[LifecycleEvent, ...]:
    """Return the events of a work without the restored wordings that a version of another source dates.

    If the work was vetoed, this version restores it, and so does each version that an overturned veto made.

    Args:
        vetoed: the first day of the veto of the work or of one that contains it; None if there was none.
    """
    dated = [
        (event, _dating_version(event, stated_days.get(event.name, event.when), stated_versions, vetoed, acts))
        for event in events
    ]
    kept = [event for event, version in dated if version is None]
    if vetoed is not None:
        restoring = (
            *(version for _, version in dated if version is not None),
            *filter(_is_overturned, stated_versions),
        )
        kept.extend(_restoration(version, vetoed) for version in dict.fromkeys(restoring))
    return tuple(kept)


def _day_of_veto(*lists: Iterable[LifecycleEvent]) -> date | None:
    """Return the first day of the last veto in lists of events; None if there is none."""
    vetoes = (event for events in lists for event in events if event.effect is Effect.VETOES)
    return max((event.when.first for event in vetoes), default=None)


def _without_dated_starts(
    events: Sequence[LifecycleEvent], stated_versions: Sequence[_StatedVersion]
) -> tuple[LifecycleEvent, ...]:
    """Return the events of a norm without its starts by wordings of its clause of commencement, if another source
    states the first day of force."""
    members = [version.member for version in stated_versions]
    if not any(member.original and member.version_date is not None for member in members):
        return tuple(events)
    return _without_starts(events)


def _without_starts(events: Iterable[LifecycleEvent]) -> tuple[LifecycleEvent, ...]:
    return tuple(event for event in events if event.effect is not Effect.STARTS_FORCE)


def _dating_version(
    lifecycle_event: LifecycleEvent,
    when: When,
    stated_versions: Sequence[_StatedVersion],
    vetoed: date | None,
    acts: Acts,
) -> _StatedVersion | None:
    """Return the version of another source with the day of a restored wording for which this source only has bounds.

    The same act made it, or an overturned veto, and it starts within the bounds. If this source names no act, any act
    except a provisional measure is sufficient, because nothing else changed the wording within the bounds.

    Args:
        when: the bounds of this source. They have no end only after a veto.
        vetoed: the first day of the veto of the provision; None if it was not vetoed.
    """
    is_open = (when.last is None and vetoed is None) or lifecycle_event.wording is None
    if lifecycle_event.effect is not Effect.RESTORES_WORDING or when.exact is not None or is_open:
        return None
    first = when.first if vetoed is None else max(when.first, vetoed + ONE_DAY)
    starts = {
        version.member.version_date: version
        for version in stated_versions
        if version.dated and version.member.version_date is not None
        if _may_date(lifecycle_event, when, version, acts)
    }
    day = min((start for start in starts if first <= start <= (when.last or date.max)), default=None)
    return starts[day] if day is not None else None


def _may_date(lifecycle_event: LifecycleEvent, when: When, version: _StatedVersion, acts: Acts) -> bool:
    cause, causes = lifecycle_event.cause, version.member.causes
    if version.event in _OVERTURNED:
        return True
    if cause is not None:
        return any(acts.same(cause, other) for other in causes)
    return when.last is not None and any(_PROVISIONAL not in other for other in causes)


def _is_dated_by_another(version: _StatedVersion, stated_versions: Iterable[_StatedVersion], acts: Acts) -> bool:
    """Return whether another source states the first day of a version whose day is taken from its act."""
    start = version.member.version_date
    return start is not None and any(
        other.dated
        and other.member.version_date is not None
        and other.member.version_date.year == start.year
        and any(acts.same(cause, same) for cause in version.member.causes for same in other.member.causes)
        for other in stated_versions
    )


def _days_after(bounds: When, when: When) -> When:
    """Return the part of ``bounds`` after the first day of ``when``; all of ``bounds`` if there is no such part."""
    first = max(bounds.first, when.first + ONE_DAY)
    return When(first, bounds.last) if bounds.last is None or first <= bounds.last else bounds


def _is_superseded(lifecycle_event: LifecycleEvent, others: Iterable[LifecycleEvent], acts: Acts) -> bool:
    """Return whether another source states the day of an ending or start that this source leaves undated."""
    cause = lifecycle_event.cause
    if lifecycle_event.effect is Effect.STARTS_FORCE:
        return any(_is_same_start(lifecycle_event, event, acts) for event in others)
    if lifecycle_event.effect not in ENDINGS or lifecycle_event.when.exact is not None or cause is None:
        return False
    return any(
        event.effect is lifecycle_event.effect
        and event.when.exact is not None
        and event.cause is not None
        and lifecycle_event.when.possible_on(event.when.exact)
        and acts.same(cause, event.cause)
        for event in others
    )


def _with_earlier_revocation_cancelled(
    lifecycle_event: LifecycleEvent, others: Iterable[LifecycleEvent]
) -> LifecycleEvent:
    """Return an event. A revocation cancels an earlier known, undated revocation by the same provision.

    The revoking provision was changed, so that it revokes on another day, or only since the change.
    """
    cause = lifecycle_event.cause
    if lifecycle_event.effect is not Effect.REVOKES or cause is None or "!" not in cause:
        return lifecycle_event
    for event in others:
        if (
            (event.effect, event.cause) != (Effect.REVOKES, cause)
            or event.when.exact is not None
            or event is lifecycle_event
        ):
            continue
        if event.known.last is not None and event.known.last < lifecycle_event.known.first:
            return replace(lifecycle_event, cancels=event.name)
    return lifecycle_event


def _is_same_start(lifecycle_event: LifecycleEvent, other: LifecycleEvent, acts: Acts) -> bool:
    """Return whether another source states the day of knowledge of a start for which this source only has bounds.

    If this source names no act, a wording returned after another had lapsed. Its start is within bounds.
    """
    known, when, cause = other.known.exact, lifecycle_event.when, lifecycle_event.cause
    is_within = when.first <= other.when.first and (
        when.last is None or (other.when.last is not None and other.when.last <= when.last)
    )
    if lifecycle_event.known.exact is not None or known is None or not lifecycle_event.known.possible_on(known):
        return False
    if other.effect is not lifecycle_event.effect or not is_within:
        return False
    if cause is None:
        return other.when.exact is None
    return other.cause is not None and acts.same(cause, other.cause)


def _day_of_name(work: str) -> date | None:
    """Return the day in the name of a norm; None if there is none."""
    try:
        return parse(from_iri(work)).representative_date
    except BadName:
        return None


def _is_provisional(work: str) -> bool:
    """Return whether a work is a provisional measure whose lapse undoes its changes (EC 32/2001, art. 2)."""
    issued = _day_of_measure(work)
    return issued is not None and issued >= EC_32_2001


def _is_earlier_measure(work: str) -> bool:
    """Return whether a work is a provisional measure issued before EC 32/2001."""
    issued = _day_of_measure(work)
    return issued is not None and issued < EC_32_2001


def _day_of_measure(work: str) -> date | None:
    """Return the earliest day on which a provisional measure was issued; None for any other work."""
    if _PROVISIONAL not in work:
        return None
    try:
        name = parse(from_iri(work))
    except BadName:
        return None
    return name.oldest_day if name.tipo_documento[0] == _PROVISIONAL else None


@dataclass(frozen=True, slots=True)
class _StatedVersion:
    """A version with its view, and the event in its name; None if the name has none.

    Attributes:
        dated: whether its source states its first day; if not, the day of its act may be used.
        bounds: the bounds that the name of its view states, if the day of its act replaced them.
    """

    member: Member
    event: str | None
    dated: bool
    bounds: When | None = None

    def without_start(self) -> _StatedVersion:
        """Return the version without a first day."""
        return replace(self, member=replace(self.member, version_date=None))


def _first_day(facts: _Facts, predicate: str) -> date | None:
    return min((d for d in facts.get(predicate, ()) if isinstance(d, date)), default=None)


def _between(floor: date, ceiling: date | None) -> When:
    """Return the bounds from one day to another; without an upper bound if the second is missing or earlier."""
    return When(floor, ceiling) if ceiling is None or ceiling >= floor else When.not_before(floor)


def _representative_day(work: str) -> date | None:
    """Return the earliest day that the work's own name allows."""
    try:
        name = parse(from_iri(work))
    except BadName:
        return None
    return name.oldest_day


def _days_of_view(version: str) -> When | None:
    """Return the bounds of the day on which a version became known, if its name states them."""
    if "[" not in version and "%5B" not in version:
        return None
    try:
        versao = parse(from_iri(version)).versao
    except BadName:
        return None
    return When(versao.visao[0], versao.visao[-1]) if versao is not None and versao.visao_periodo else None


def _has_day(facts: _Facts) -> bool:
    """Return whether an event has a stated day of effect, exact or within bounds."""
    return _stated_when(facts, _EFFECT) is not None


def _stated_when(facts: _Facts, predicate: str) -> When | None:
    for cell in facts.get(predicate, ()):
        try:
            return read_when(cell)
        except BadDate:
            continue
    return None


@dataclass(frozen=True, slots=True)
class _Force:
    """The first day of force of a norm, if its versions state it.

    Attributes:
        start: its first day of force, according to everything that ever became known.
        published: the day of knowledge of the norm.
        moved: the first day on which anyone could know of that start, if it was moved during the vacatio.
    """

    start: When | None = None
    published: When | None = None
    moved: When | None = None

    @property
    def published_with_start(self) -> When | None:
        """Return the bounds of the day on which the norm's changes on its first day became known."""
        if self.published is None or self.moved is None or self.start is None:
            return self.published
        return _between(self.published.first, self.moved.last)


def _force(cause: str, stated_versions: Sequence[_StatedVersion]) -> _Force:
    """Return the first day of force of a norm with these versions, and the day of its knowledge.

    A day of signature is no day of publication. The days of an amendment to the norm are only bounds for its own days.
    """
    public = [stated_version for stated_version in stated_versions if stated_version.event != _SIGNATURE]
    published = min(
        (version.member.view for version in public if version.member.original), key=_bounds_key, default=None
    )
    floor = _oldest_day(cause)
    if published is None:
        view_days = [version.member.view.last for version in public if version.member.view.last is not None]
        published = _between(floor, min(view_days)) if view_days else None
    members = [stated_version.member for stated_version in stated_versions]
    moves = Starts.of(sorted(members, key=rank))
    starts = [m for m in members if m.version_date not in {None, *moves.cancelled} and m not in moves.late]
    moving = {m.name for m in starts if m.cancels is not None or m.name in moves.moved}
    own = [m for m in starts if m.original or m.name in moving]
    first = min(own or starts, key=lambda m: (m.version_date or date.max, m.view.first), default=None)
    if first is None or first.version_date is None:
        return _Force(None, published)
    if not own:
        return _Force(_between(floor, first.version_date), published)
    return _Force(When.on(first.version_date), published, first.view if first.name in moving else None)


def _moving_versions(members: Iterable[Member]) -> Iterator[Member]:
    """Yield the versions that move or cancel a start."""
    return (member for member in members if member.sets_start)


def _bounds_key(when: When) -> tuple[date, date]:
    return when.first, when.last or date.max


def _oldest_day(cause: str | None) -> date:
    return (_representative_day(cause) if cause is not None else None) or date.min
