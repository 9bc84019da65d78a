"""The rules of evidence: which versions and events follow from what sources state. Pure functions without a store.

Statements of several records complete each other. A day that no source states is taken from the act that caused the
change. A day that no act gives is known only within bounds. The numbers of the rules are those of
docs/reference/rules-of-evidence.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from graph.civil import ONE_DAY, Term, When, first_day_after
from graph.document_kinds import begins_with_its_event
from graph.errors import BadDate, BadName
from graph.time import acts
from graph.time.causes import causes_of, rank
from graph.time.events import ENDINGS, History, LifecycleEvent, Member, Moves, Starts, own_starts, possibly_known
from graph.time.kinds import EC_32_2001
from graph.time.measure_terms import latest_day
from graph.time.statements import CAPUT, StatedEvent, StatedVersion, Statements, is_provision, norm_of, same_act
from graph.urn import from_iri, parse
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, OVERTURNED_VETOES, Effect, EventKind, event_iri
from ontology.iris import making_event_iri

_EFFECTS = {term.iri: term.effect for term in EVENTS.values() if term.effect not in {None, Effect.INTERPRETS}}
_REJECTION = event_iri(EventKind.REJEICAO)
_ENTRY = event_iri(EventKind.ENTRADA_VIGOR)
_LAPSE = event_iri(EventKind.CADUCIDADE)
_START = event_iri(EventKind.INICIO_VIGENCIA)
_WORDING = event_iri(EventKind.REDACAO)
_VETO = event_iri(EventKind.VETO)
_SIGNATURE = event_iri(EventKind.ASSINATURA)
_PUBLICATION = event_iri(EventKind.PUBLICACAO)
_ORIGINAL = frozenset(map(event_iri, FIRST_TEXT_EVENTS))
_MOVES = {
    event_iri(EventKind.PRORROGACAO_VACATIO): Moves.PROROGUES,
    event_iri(EventKind.REPUBLICACAO): Moves.REPUBLISHES,
}
_OVERTURNED = frozenset(map(event_iri, OVERTURNED_VETOES))
_PROVISIONAL: Final = "medida.provisoria"
_FEDERAL_MEASURE = f"urn:lex:br:federal:{_PROVISIONAL}:"
#: The beginning of the names of norms of states and towns.
_LOCAL = "urn:lex:br;"
#: The maximum depth of causes that are evaluated.
_DEEPEST = 17


class Evidence:
    """The versions and events of works that follow from statements. What is decided is cached.

    Args:
        statements: what sources state about the works and all works that decide on their days. They may grow.
    """

    def __init__(self, statements: Statements) -> None:
        self._statements = statements
        self._events_of: dict[str, tuple[LifecycleEvent, ...]] = {}
        self._rejections: set[str] = set()
        self._undated: set[str] = set()
        self._causes_read: dict[str, History] = {}
        self._forces: dict[str, _Force] = {}
        self._stated_days: dict[str, When] = {}
        self._decided: dict[str, dict[str, DecidedDays]] = {}
        self._proofs: dict[tuple[str, str], date | None] = {}
        self._dating: set[str] = set()
        self._is_cut = False

    def history(self, work: str) -> History:
        """Return all versions and events that decide on which days the versions of a work are in force (E27).

        The result is empty for a provision that only follows its norm: no event acts on it or on its containers, and no
        source states another text than the first.

        Args:
            work: the IRI of a norm or provision.

        Raises:
            KeyError: the statements do not include the work.
        """
        stated = self._statements.works[work]
        own = self._events(work)
        holders = [self._events_of_holder(holder) for holder in stated.holders]
        if is_provision(work) and not own and not any(holders) and not stated.lives:
            return History()
        above = [*stated.norms, *(whole for name in (work, *stated.norms) for whole in self._wholes(name))]
        versions = self._versions(work)
        vetoed = _day_of_veto(own, *holders)
        if vetoed is not None:
            own = self._begun_by_proof(work, own)
        known_by_wording = {event.wording: event.known for event in own if event.wording is not None}
        own = self._with_days_of_versions(own, versions, vetoed)
        if is_provision(work) and _day_of_veto(own) is not None:
            own = (*own, *self._restorations_by_caput(work))
        inherited = (
            *(events for events in _with_restorations(own, holders) if events),
            *(_without_starts(self._events(container)) for container in dict.fromkeys(above)),
        )
        if not is_provision(work):
            own = _without_dated_starts(own, versions)
        members = tuple(_known_with_its_wording(version.member, known_by_wording) for version in versions)
        latest = (day for name in dict.fromkeys((*stated.norms, work, *above)) if (day := self._latest_day(name)))
        norm = stated.norms[0] if stated.norms else None
        return History(members, own, inherited, _is_provisional(work), norm, next(latest, None))

    def decided_days(self, work: str) -> Mapping[str, DecidedDays]:
        """Return the days that the rules decide for events of a work, by event, where its sources state none or bounds.

        Raises:
            KeyError: the statements do not include the work.
        """
        self._events(work)
        return self._decided[work]

    def causes_of(self, history: History) -> dict[str, History]:
        """Return the histories of the causes of events and versions, of their causes and so on, by IRI.

        Causes without events, and with an unmoved start that no act made, are left out, because they never fall.
        """
        histories: dict[str, History] = {}
        left = causes_of(history)
        for _ in range(_DEEPEST):
            fresh = {name: self._history_of_cause(name) for name in left - histories.keys()}
            acted_on = {
                name: cause_history
                for name, cause_history in fresh.items()
                if any(cause_history.lists) or any(map(_may_fall, cause_history.members))
            }
            histories.update(acted_on)
            left = {cause for cause_history in acted_on.values() for cause in causes_of(cause_history)}
        return histories

    # Versions

    def _versions(self, work: str) -> list[_DatedVersion]:
        """Return the versions and views of a work.

        An entry into force is the start of a first text whose source does not date its force (E8).
        """
        candidates = (self._version(work, stated) for stated in self._statements.works[work].versions)
        versions = [version for version in candidates if version is not None]
        versions = [self._repeated_version(version, versions) for version in versions]
        if any(version.member.original and version.member.version_date is None for version in versions):
            versions = [version.as_first_text() if version.event == _ENTRY else version for version in versions]
        return [
            version.without_start() if not version.dated and self._is_dated_by_another(version, versions) else version
            for version in versions
        ]

    def _version(self, work: str, stated: StatedVersion) -> _DatedVersion | None:
        """Return one version; None if no source gives it a date (E1, E5, E14, E15)."""
        begun: When | None = None
        causes = _foreign_causes(stated)
        if stated.view_date is not None:
            view = When.on(stated.view_date)
        else:
            floor = _oldest_day(work)
            if floor is None and stated.bounds is None:
                return None
            view = stated.bounds or _between(floor or date.min, stated.harvested)
            for cause in causes if stated.bounds is not None else ():
                by_year = cause in stated.by_year
                begun = begun or self._day_of_act(view, cause, self._effect_of, by_year=by_year)
                view = self._day_of_act(view, cause, self._known_of, by_year=by_year) or view
        first = stated.event is None or stated.event in _ORIGINAL or stated.inserts
        if first and not stated.inserts and not is_provision(work):
            causes = ()
        view = self._known_by_publication(view, causes)
        start = self._first_day(stated, causes) or (begun.exact if begun is not None else None)
        if start is None and stated.view_date is not None and begins_with_its_event(parse(from_iri(work))):
            start = stated.view_date
        moves = _MOVES.get(stated.event or "")
        member = Member(stated.name, start, view, stated.order, stated.cancels, first, causes, moves)
        bounds = stated.bounds if begun is not None else None
        return _DatedVersion(member, stated.event, stated.version_date is not None, bounds)

    def _first_day(self, stated: StatedVersion, causes: Iterable[str]) -> date | None:
        """Return the first day of a version that its source states; the act's, if it is a local signature (E1)."""
        day = stated.version_date
        for cause in causes:
            if day is not None:
                begun = self._day_of_act(When.on(day), cause, self._effect_of, by_year=cause in stated.by_year)
                day = begun.first if begun is not None else day
        return day

    def _repeated_version(self, version: _DatedVersion, versions: Iterable[_DatedVersion]) -> _DatedVersion:
        """Return a version. If its act made an earlier version, restore the bounds of its view, and keep as its start
        only the one that its source states (E2)."""
        made_by = set(map(norm_of, version.member.causes))
        for other in versions:
            if version.bounds is None or other.bounds is None or other.bounds.first >= version.bounds.first:
                continue
            if made_by & set(map(norm_of, other.member.causes)):
                view = _days_after(version.bounds, other.member.view)
                start = version.member.version_date if version.dated else None
                return replace(version, member=replace(version.member, version_date=start, view=view))
        return version

    def _is_dated_by_another(self, version: _DatedVersion, versions: Iterable[_DatedVersion]) -> bool:
        """Return whether another source states the first day of a version whose day is taken from its act (E16)."""
        start = version.member.version_date
        return start is not None and any(
            other.dated
            and other.member.version_date is not None
            and other.member.version_date.year == start.year
            and any(same_act(cause, same) for cause in version.member.causes for same in other.member.causes)
            for other in versions
        )

    # Events

    def _events(self, work: str) -> tuple[LifecycleEvent, ...]:
        """Return the events that act on the work, except those that made a version of it."""
        if work in self._events_of:
            return self._events_of[work]
        stated_events = self._statements.works[work].events
        self._proofs.update(((work, stated.name), stated.proven) for stated in stated_events)
        events: list[LifecycleEvent] = []
        decided: dict[str, DecidedDays] = {}
        for stated in stated_events:
            effect = next((_EFFECTS[kind] for kind in stated.kinds if kind in _EFFECTS), None)
            if stated.makes:
                continue
            if effect is None or (effect is Effect.STARTS_FORCE and stated.effect is None):
                decided[stated.name] = DecidedDays(known=self._known_with_act(stated))
                continue
            if _REJECTION in stated.kinds:
                self._rejections.add(stated.name)
            if stated.effect is None or (effect is Effect.REVOKES and stated.is_presumed):
                self._undated.add(stated.name)
            event = self._event(work, stated, effect)
            if event.when.exact is not None or not self._is_first_text(work, stated):
                events.append(event)
        events = [self._repeated_event(event, events) for event in events]
        by_name = {stated.name: stated for stated in stated_events}
        decided |= {event.name: _decided_days(event, by_name[event.name]) for event in events}
        self._decided[work] = {name: days for name, days in decided.items() if days != DecidedDays()}
        events = [self._after_dated_event(event, events) for event in events]
        events = [self._after_its_wording(event, events) for event in events]
        events = [_with_earlier_revocation_cancelled(event, events) for event in events]
        taken_back = {event.cancels for event in events}
        self._events_of[work] = tuple(
            event for event in events if event.name in taken_back or not self._is_superseded(event, events)
        )
        return self._events_of[work]

    def _event(self, work: str, stated: StatedEvent, effect: Effect) -> LifecycleEvent:
        """Return an event with its days (E1, E5, E8, E9, E10, E11)."""
        when, known, cause = stated.effect, stated.known, stated.cause
        if effect is Effect.REVOKES and stated.is_presumed:
            start = self._force_of(cause).start
            when = when if start is None or start.exact is None else None
        if effect is Effect.STARTS_FORCE and not is_provision(work) and when is not None:
            when, known = self._start_of_norm(work, stated, when)
        elif cause is not None:
            is_by_year = stated.by_year and (is_provision(work) or when is None or when.exact is None)
            dated = self._day_of_act(when, cause, self._effect_of, by_year=is_by_year)
            if when is not None and dated is not None:
                self._stated_days[stated.name], when = when, dated
            known = self._day_of_act(known, cause, self._known_of, by_year=stated.by_year) or known
            known = self._known_by_publication(known, [cause]) if known is not None else None
            if effect is Effect.REVOKES and when is not None:
                when = self._from_publication(when, cause)
            elif effect is Effect.RESTORES_WORDING and when is not None and known is not None:
                when, known = self._days_of_wording(work, stated, when, known)
        with_cause = False
        if when is None or known is None:
            force = self._force_of(cause)
            floor = (_oldest_day(cause) if cause is not None else None) or date.min
            with_cause = when is None and effect is Effect.REVOKES and force.moved is not None
            publication = force.published if with_cause else force.published_with_start
            known = known or publication or _between(floor, stated.harvested)
            if effect is Effect.REVOKES:
                when = when or force.start or When.not_before(force.not_before(floor))
            elif effect is Effect.CONVERTS:
                when = when or known
        return LifecycleEvent(
            stated.name,
            effect,
            when or When.not_before(date.min),
            known,
            cause=cause,
            undoes=stated.undoes,
            stated=stated.effect is not None or stated.known is not None,
            wording=stated.wording,
            with_cause=with_cause,
            is_term=_LAPSE in stated.kinds,
        )

    def _known_with_act(self, stated: StatedEvent) -> date | None:
        """Return the day on which an event that decides nothing became known, if its source does not state it (E1)."""
        if stated.cause is None:
            return None
        act = norm_of(stated.cause)
        signed = _day_of_name(act)
        if stated.known is None:
            return self._known_of(act, signed) if signed is not None else None
        day = self._day_of_act(stated.known, stated.cause, self._known_of, by_year=stated.by_year)
        return day.exact if day is not None else None

    def _is_first_text(self, work: str, stated: StatedEvent) -> bool:
        """Return whether an event states the first text of a provision, which begins with its norm (E18).

        The norm promulgates words of a vetoed provision, too.
        """
        if _WORDING not in stated.kinds or stated.cause != norm_of(work):
            return False
        works = (self._statements.works[each] for each in (work, *self._statements.works[work].holders))
        return not any(_VETO in event.kinds for each in works for event in each.events)

    def _days_of_wording(self, work: str, stated: StatedEvent, when: When, known: When) -> tuple[When, When]:
        """Return the days of a wording; bounds are replaced by the days of the act that made it within them, if the act
        gives the work no other wording (E18)."""
        cause = stated.cause
        wordings = (each.cause for each in self._statements.works[work].events if each.wording is not None)
        if cause is None or is_provision(cause) or stated.by_year or list(wordings).count(cause) > 1:
            return when, known
        start, published = self._force_of(cause).start, self._published(cause)
        day = start.exact if start is not None else None
        return (
            When.on(day) if day is not None and _has(when, day) else when,
            When.on(published) if published is not None and _has(known, published) else known,
        )

    def _start_of_norm(self, work: str, stated: StatedEvent, when: When) -> tuple[When, When | None]:
        """Return the day of a start of force of a norm, and the day of its knowledge (E12, E13).

        A start whose bounds begin with those of its knowledge has effect on the publication of its act. The act is the
        norm itself if no change of its clause of commencement states the start. If the day of knowledge is that of the
        signature of the act, the bounds are replaced by any later publication. A source that does not bound the
        publication proves only that the norm was published when the source was fetched or published. A term of the
        norm's own clause is counted from the publication.
        """
        known, cause = stated.known, stated.cause
        if known is None:
            return when, known
        act = norm_of(cause) if cause is not None else work
        published = self._published(act)
        if act == work and known.exact is None and (when.exact is not None or stated.term is not None):
            is_dated = published is not None and _has(known, published)
            known = When.on(published) if is_dated and published is not None else _proven(known, stated.proven)
            return (when if stated.term is None else _after_term(known, stated.term)), known
        if when.exact is None and when.first == known.first:
            last = when.last if known.exact is None or known.exact != _day_of_name(act) else None
            if published is not None and when.first <= published <= (last or date.max):
                return When.on(published), When.on(published)
            known = _proven(known, stated.proven) if known == when else known
        if cause is not None:
            known = self._day_of_act(known, cause, self._known_of, by_year=stated.by_year) or known
            known = self._known_by_publication(known, [cause])
        return _proven(when, stated.proven), known

    def _repeated_event(self, event: LifecycleEvent, events: Iterable[LifecycleEvent]) -> LifecycleEvent:
        """Return an event. If its day is that of its act and the act has an earlier wording, restore its bounds (E2).

        A later part of the same act, such as one whose veto was overturned, has a later day.
        """
        stated = self._stated_days.get(event.name)
        if stated is None or event.cause is None:
            return event
        for other in events:
            earlier = self._stated_days.get(other.name)
            same = other.effect is event.effect and other.cause is not None and same_act(other.cause, event.cause)
            if earlier is not None and same and earlier.first < stated.first:
                return replace(event, when=_days_after(stated, other.when), known=_days_after(stated, other.known))
        return event

    def _after_dated_event(self, event: LifecycleEvent, events: Iterable[LifecycleEvent]) -> LifecycleEvent:
        """Return an event. If it follows one that got the day of its act, its bounds begin after that day (E3).

        :meth:`When.after` states the order of the two.
        """
        when = event.when
        if when.exact is not None:
            return event
        for other in events:
            stated = self._stated_days.get(other.name)
            if stated is None or other is event or not when.is_after(stated):
                continue
            moved = When.after(other.when, when.last)
            if when.last is None or moved.first <= when.last:
                known = event.known
                since = When.after(other.known, known.last)
                if known == when and (known.last is None or since.first <= known.last):
                    known = since
                return replace(event, when=moved, known=known)
        return event

    def _after_its_wording(self, event: LifecycleEvent, events: Iterable[LifecycleEvent]) -> LifecycleEvent:
        """Return an event. If a source states only that an ending follows the wording that it ended, keep this order
        (E4).

        In such a source both have the same last day, and :meth:`When.after` states their order. The ending is then
        dated on the last day, and the wording is not certain on any day. If the act dates the ending, the bounds of the
        wording end on the day before it.
        """
        when, effect = event.when, event.effect
        if when.exact is not None or when.last is None:
            return event
        for other in events:
            stated = self._stated_days.get(other.name, other.when)
            if stated.exact is not None or stated.last != when.last:
                continue
            days = None
            if effect in ENDINGS and other.effect is Effect.RESTORES_WORDING and other.when.exact is None:
                days = When.on(when.last) if when.is_after(stated) else None
            elif effect is Effect.RESTORES_WORDING and other.effect in ENDINGS and other.when.exact is not None:
                before = other.when.first - ONE_DAY
                ordered = stated.is_after(when) and when.first <= before
                days = When(when.first, before) if ordered else None
            if days is not None:
                known = days if event.known == when else event.known
                return replace(event, when=days, known=known)
        return event

    def _is_superseded(self, event: LifecycleEvent, events: Iterable[LifecycleEvent]) -> bool:
        """Return whether another source states the day of an ending or start that this source leaves undated (E6,
        E7)."""
        if event.effect is Effect.STARTS_FORCE:
            return any(self._is_same_start(event, other) for other in events)
        is_undated = event.name in self._undated
        if event.effect not in ENDINGS or event.cause is None or not (is_undated or event.when.exact is None):
            return False
        return any(
            other.effect is event.effect
            and other.when.exact is not None
            and other.name not in self._undated
            and other.cause is not None
            and (is_undated or event.when.possible_on(other.when.exact))
            and same_act(event.cause, other.cause)
            for other in events
        )

    def _is_same_start(self, event: LifecycleEvent, other: LifecycleEvent) -> bool:
        """Return whether another source states the day of knowledge of a start for which this source only has bounds
        (E7).

        If this source names no act, a wording returned after another had lapsed. Its start is within bounds.
        """
        known, when, cause = other.known.exact, event.when, event.cause
        is_within = when.first <= other.when.first and (
            when.last is None or (other.when.last is not None and other.when.last <= when.last)
        )
        if event.known.exact is not None or known is None or not event.known.possible_on(known):
            return False
        if other.effect is not event.effect or not is_within:
            return False
        if cause is None:
            return other.when.exact is None
        return other.cause is not None and same_act(cause, other.cause)

    # Vetoes and restored wordings

    def _events_of_holder(self, holder: str) -> tuple[LifecycleEvent, ...]:
        """Return the events of a container; of a vetoed one with its restorations by versions."""
        events = self._events(holder)
        vetoed = _day_of_veto(events)
        if vetoed is None:
            return events
        return self._with_days_of_versions(self._begun_by_proof(holder, events), self._versions(holder), vetoed)

    def _begun_by_proof(self, work: str, events: Iterable[LifecycleEvent]) -> tuple[LifecycleEvent, ...]:
        """Return the events of a work that was vetoed, or is part of one that was; its wordings have a last day (E17).

        A source that has the promulgated words without their day proves only that they were in force when it was
        fetched or published.
        """
        return tuple(
            replace(
                event,
                when=_proven(event.when, self._proofs[work, event.name]),
                known=_proven(event.known, self._proofs[work, event.name]),
            )
            if event.effect is Effect.RESTORES_WORDING
            else event
            for event in events
        )

    def _with_days_of_versions(
        self, events: Sequence[LifecycleEvent], versions: Sequence[_DatedVersion], vetoed: date | None
    ) -> tuple[LifecycleEvent, ...]:
        """Return the events of a work without the restored wordings that a version of another source dates (E18).

        If the work was vetoed, this version restores it, and so does each version that an overturned veto made (E19).

        Args:
            vetoed: the first day of the veto of the work or of one that contains it; None if there was none.
        """
        dated = [(event, self._dating_version(event, versions, vetoed)) for event in events]
        kept = [event for event, version in dated if version is None]
        if vetoed is not None:
            restoring = (
                *(version for _, version in dated if version is not None),
                *(version for version in versions if version.is_overturned and version.member.version_date is not None),
            )
            kept.extend(_restoration(version, vetoed) for version in dict.fromkeys(restoring))
        return tuple(kept)

    def _dating_version(
        self, event: LifecycleEvent, versions: Sequence[_DatedVersion], vetoed: date | None
    ) -> _DatedVersion | None:
        """Return the version of another source with the day of a restored wording for which this source only has
        bounds (E18).

        The same act made it, or an overturned veto, and it starts within the bounds. If this source names no act, any
        act except a provisional measure is sufficient, because nothing else changed the wording within the bounds.

        Args:
            vetoed: the first day of the veto of the provision; None if it was not vetoed.
        """
        when = self._stated_days.get(event.name, event.when)  # without an end only after a veto
        is_open = (when.last is None and vetoed is None) or event.wording is None
        if event.effect is not Effect.RESTORES_WORDING or when.exact is not None or is_open:
            return None
        first = when.first if vetoed is None else max(when.first, vetoed + ONE_DAY)
        starts = {
            version.member.version_date: version
            for version in versions
            if version.dated and version.member.version_date is not None and self._may_date(event, when, version)
        }
        day = min((start for start in starts if first <= start <= (when.last or date.max)), default=None)
        return starts[day] if day is not None else None

    def _may_date(self, event: LifecycleEvent, when: When, version: _DatedVersion) -> bool:
        cause, causes = event.cause, version.member.causes
        if version.is_overturned:
            return True
        if cause is not None:
            return any(same_act(cause, other) for other in causes)
        return when.last is not None and any(_PROVISIONAL not in other for other in causes)

    def _restorations_by_caput(self, article: str) -> list[LifecycleEvent]:
        """Return the events that restore the caput of a vetoed article, and so the article without its other parts
        (E20)."""
        return [event for event in self.history(f"{article}{CAPUT}").events if event.effect is Effect.RESTORES]

    # Acts as causes

    def _history_of_cause(self, work: str) -> History:
        """Return the history of a norm or provision as a cause (E21).

        A provision without events, and whose text no act moved or inserted, has the history of its norm. A provision
        without its own first text starts with its norm.
        """
        if work not in self._causes_read:
            history = self.history(work)
            norm = norm_of(work)
            if norm != work and not any(history.lists) and not any(map(_may_fall, history.members)):
                history = self.history(norm)
            elif norm != work and not any(member.original for member in history.members):
                begins = (m for m in self.history(norm).members if m.original or m.sets_start)
                history = replace(history, members=(*begins, *history.members))
            self._causes_read[work] = self._as_earlier_measure(history) if _is_earlier_measure(norm) else history
        return self._causes_read[work]

    def _as_earlier_measure(self, history: History) -> History:
        """Return the history of a provisional measure issued before EC 32/2001, as a cause (E22).

        Its lapse undid its changes, unless it was reissued in time, which sources seldom state. A rejection by
        Congress undid them: it could not be reissued.
        """

        def read(event: LifecycleEvent) -> LifecycleEvent:
            last = event.when.last
            rejected = event.name in self._rejections and last is not None and last < EC_32_2001
            doubtful = event.effect in {Effect.EXPIRES, Effect.CONVERTS} and not rejected
            return replace(event, known=possibly_known(event.known)) if doubtful else event

        inherited = tuple(tuple(map(read, events)) for events in history.inherited)
        return replace(history, events=tuple(map(read, history.events)), inherited=inherited, provisional=True)

    def _wholes(self, work: str) -> Sequence[str]:
        """Return the documents that an annex is part of and ends with. A rectification is not part of a document
        (E23)."""
        wholes = self._statements.works[work].wholes
        return () if not wholes or parse(from_iri(work)).descritor.retificacao is not None else wholes

    def _latest_day(self, work: str) -> date | None:
        """Return the last day on which a federal provisional measure may be in force without a stated end (E24).

        None for any other work, and for a measure issued before EC 32/2001. A measure without a stated publication may
        have been published on the first day on which it may have been known.
        """
        if not work.startswith(_FEDERAL_MEASURE) or not _is_provisional(work):
            return None
        views = (version.member.view.first for version in self._versions(work) if version.member.original)
        published = self._published(work) or min(views, default=None)
        return latest_day(published) if published is not None else None

    def _day_of_act(
        self, when: When | None, cause: str, day_of: Callable[[str, date], date], *, by_year: bool
    ) -> When | None:
        """Return the day of an act to replace bounds that come from a name with only the year, or the day of its
        signature as the only day that a source has of an act of a state or town; None to keep them (E1)."""
        act = norm_of(cause)
        signed = _day_of_name(act)
        if not (by_year or is_provision(cause)) or signed is None:
            return None
        is_local_signature = by_year and act.startswith(_LOCAL) and when == When.on(signed)
        return When.on(day_of(act, signed)) if is_local_signature or acts.dates(signed, when) else None

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
        versions = self._statements.works[act].versions
        days = (version.view_date for version in versions if _PUBLICATION in version.events)
        return min((day for day in days if day is not None), default=None)

    def _known_by_publication(self, view: When, causes: Iterable[str]) -> When:
        """Return the day of knowledge of a change; if it is the day in the name of its act, the later publication
        (E5)."""
        for cause in causes if view.exact is not None else ():
            act = norm_of(cause)
            if view.exact == _day_of_name(act):
                published = self._published(act)
                if published is not None and published > view.first:
                    return When.on(published)
        return view

    def _from_publication(self, when: When, cause: str) -> When:
        """Return the bounds of a revocation; if they begin with the signature of its act and have no end, they begin
        with the later publication (E9)."""
        act = norm_of(cause)
        published = self._published(act) if when.last is None and when.first == _day_of_name(act) else None
        return When.not_before(max(when.first, published)) if published is not None else when

    def _force_of(self, cause: str | None) -> _Force:
        """Return the first day of force and the day of knowledge of a norm or provision.

        They are the days of its changes. A provision without versions has those of its norm.
        """
        if cause is None:
            return _Force()
        if cause in self._forces:
            return self._forces[cause]
        if cause in self._dating:  # of acts that date each other, none dates the other
            self._is_cut = True
            return _Force()
        self._dating.add(cause)
        norm = norm_of(cause)
        force = _force(cause, self._versions(cause) or self._versions(norm))
        force = replace(force, start=force.start or self._bounds_of_start(norm))
        self._dating.remove(cause)
        if not (self._is_cut and self._dating):  # the others depend on the act that was asked first
            self._forces[cause] = force
            self._is_cut = False
        return force

    def _bounds_of_start(self, norm: str) -> When | None:
        """Return the bounds of the start of a norm by the last known wording of its clause of commencement (E12)."""
        starts = [
            self._event(norm, stated, Effect.STARTS_FORCE)
            for stated in self._statements.works[norm].events
            if _START in stated.kinds and stated.effect is not None and stated.known is not None
        ]
        left = [start.when for start in own_starts([starts], date.max) if start is not None]
        if not left:
            return None
        lasts = [when.last for when in left if when.last is not None]
        return When(min(when.first for when in left), max(lasts) if len(lasts) == len(left) else None)


@dataclass(frozen=True, slots=True)
class DecidedDays:
    """The days of an event that follow from the rules where its sources state none, or only bounds; civil dates.

    Attributes:
        effect: the first day of effect; None if the sources state it, or if no rule decides it.
        known: the first day on which anyone could know of it, likewise.
        with_cause: whether the effect is the first day of force of the cause as known on K; ``effect`` is that day
            according to everything that ever became known.
    """

    effect: date | None = None
    known: date | None = None
    with_cause: bool = False


def _decided_days(event: LifecycleEvent, stated: StatedEvent) -> DecidedDays:
    if event.effect is Effect.STARTS_FORCE and event.when.exact is None:
        return DecidedDays()  # no source dates the publication: the reason has the bounds that the source states
    return DecidedDays(
        event.when.exact if event.when != stated.effect else None,
        event.known.exact if stated.known is None or stated.known.exact is None else None,
        event.with_cause,
    )


@dataclass(frozen=True, slots=True)
class _DatedVersion:
    """A version with its view, and the kind of the event in its name; None if the name has none.

    Attributes:
        dated: whether its source states its first day; if not, the day of its act may be used.
        bounds: the bounds that the name of its view states, if the day of its act replaced them.
    """

    member: Member
    event: str | None
    dated: bool
    bounds: When | None = None

    @property
    def is_overturned(self) -> bool:
        """Whether an overturned veto made it."""
        return self.event in _OVERTURNED

    def as_first_text(self) -> _DatedVersion:
        """Return the version as one of the first text."""
        return replace(self, member=replace(self.member, original=True))

    def without_start(self) -> _DatedVersion:
        """Return the version without a first day."""
        return replace(self, member=replace(self.member, version_date=None))


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

    def not_before(self, floor: date) -> date:
        """Return the first day on which the norm may have been in force: that of its knowledge (E9).

        Args:
            floor: the earliest day that its name allows.
        """
        return max(floor, self.published.first) if self.published is not None else floor


def _force(cause: str, versions: Sequence[_DatedVersion]) -> _Force:
    """Return the first day of force of a norm with these versions, and the day of its knowledge (E8, E9).

    A day of signature is no day of publication. The days of an amendment to the norm are only bounds for its own days.
    """
    public = [version.member for version in versions if version.event != _SIGNATURE]
    published = min((member.view for member in public if member.original), key=_bounds_key, default=None)
    floor = _oldest_day(cause) or date.min
    if published is None:
        view_days = [member.view.last for member in public if member.view.last is not None]
        published = _between(floor, min(view_days)) if view_days else None
    members = [version.member for version in versions]
    moves = Starts.of(sorted(members, key=rank))
    starts = [m for m in members if m.version_date not in {None, *moves.cancelled} and m not in moves.late]
    moving = {m.name for m in starts if m.cancels is not None or m.name in moves.moved}
    own = [m for m in starts if m.original or m.name in moving]
    first = min(own or starts, key=lambda m: (m.version_date or date.max, m.view.first), default=None)
    if first is None or first.version_date is None:
        return _Force(None, published)
    if not own:
        return _Force(_between(_Force(None, published).not_before(floor), first.version_date), published)
    return _Force(When.on(first.version_date), published, first.view if first.name in moving else None)


def _foreign_causes(stated: StatedVersion) -> tuple[str, ...]:
    """Return the causes of a version except its own norm: a rectification is part of its norm and cannot fall (E23)."""
    own = stated.name.partition("@")[0]
    return tuple(cause for cause in stated.causes if cause != own and not cause.startswith(f"{own};"))


def _with_restorations(
    own: Sequence[LifecycleEvent], holders: Sequence[tuple[LifecycleEvent, ...]]
) -> Iterator[tuple[LifecycleEvent, ...]]:
    """Yield the events of each container, with restorations of its parts: an article may return without its chapter
    (E20)."""
    restoring = [event for event in own if event.effect is Effect.RESTORES]
    for events in holders:
        yield (*events, *restoring) if any(event.effect is not Effect.RESTORES for event in events) else events
        restoring.extend(event for event in events if event.effect is Effect.RESTORES)


def _may_fall(member: Member) -> bool:
    """Return whether the fall of an act takes or moves the start of a work that this version gives it."""
    return member.sets_start or (member.original and bool(member.causes))


def _known_with_its_wording(member: Member, known_by_wording: Mapping[str, When]) -> Member:
    """Return a version; an undated one is known with the event that gives the provision its text (E26).

    Args:
        known_by_wording: the days of knowledge of these events, by version.
    """
    known = known_by_wording.get(member.name)
    is_open = member.version_date is None and member.view.last is None
    if known is None or not is_open:
        return member
    return replace(member, view=_between(max(known.first, member.view.first), known.last))


def _restoration(version: _DatedVersion, vetoed: date) -> LifecycleEvent:
    """Return the restoration of a provision, vetoed from a day on, by its first version in force."""
    day = max(version.member.version_date or vetoed, vetoed)
    return LifecycleEvent(making_event_iri(version.member.name), Effect.RESTORES, When.on(day), version.member.view)


def _day_of_veto(*lists: Iterable[LifecycleEvent]) -> date | None:
    """Return the first day of the last veto in lists of events; None if there is none."""
    vetoes = (event for events in lists for event in events if event.effect is Effect.VETOES)
    return max((event.when.first for event in vetoes), default=None)


def _without_dated_starts(
    events: Sequence[LifecycleEvent], versions: Iterable[_DatedVersion]
) -> tuple[LifecycleEvent, ...]:
    """Return the events of a norm without its starts by wordings of its clause of commencement, if another source
    states the first day of force (E12)."""
    if not any(version.member.original and version.member.version_date is not None for version in versions):
        return tuple(events)
    return _without_starts(events)


def _without_starts(events: Iterable[LifecycleEvent]) -> tuple[LifecycleEvent, ...]:
    return tuple(event for event in events if event.effect is not Effect.STARTS_FORCE)


def _days_after(bounds: When, when: When) -> When:
    """Return the part of ``bounds`` after the first day of ``when``; all of ``bounds`` if there is no such part."""
    first = max(bounds.first, when.first + ONE_DAY)
    return When(first, bounds.last) if bounds.last is None or first <= bounds.last else bounds


def _with_earlier_revocation_cancelled(event: LifecycleEvent, events: Iterable[LifecycleEvent]) -> LifecycleEvent:
    """Return an event. A revocation cancels an earlier known, undated revocation by the same provision (E25).

    The revoking provision was changed, so that it revokes on another day, or only since the change.
    """
    cause = event.cause
    if event.effect is not Effect.REVOKES or cause is None or "!" not in cause:
        return event
    for other in events:
        if (other.effect, other.cause) != (Effect.REVOKES, cause) or other.when.exact is not None or other is event:
            continue
        if other.known.last is not None and other.known.last < event.known.first:
            return replace(event, cancels=other.name)
    return event


def _proven(when: When, proof: date | None) -> When:
    """Return bounds without a last day with the first day on which a record proves the event, if there is one (E13,
    E17)."""
    return when if when.last is not None else _between(when.first, proof)


def _after_term(published: When, term: Term) -> When:
    """Return the first day of force after a term from a publication within bounds (E13)."""
    try:
        last = first_day_after(published.last, term) if published.last is not None else None
        return When(first_day_after(published.first, term), last)
    except BadDate:  # the term ends after the last day of the calendar
        return When.not_before(published.first)


def _has(bounds: When, day: date) -> bool:
    """Return whether a day is within bounds."""
    return bounds.first <= day <= (bounds.last or date.max)


def _between(floor: date, ceiling: date | None) -> When:
    """Return the bounds from one day to another; without an upper bound if the second is missing or earlier."""
    return When(floor, ceiling) if ceiling is None or ceiling >= floor else When.not_before(floor)


def _bounds_key(when: When) -> tuple[date, date]:
    return when.first, when.last or date.max


def _day_of_name(work: str) -> date | None:
    """Return the day in the name of a norm; None if there is none."""
    try:
        return parse(from_iri(work)).representative_date
    except BadName:
        return None


def _oldest_day(work: str) -> date | None:
    """Return the earliest day that the work's own name allows; None if the name is invalid or has no such day."""
    try:
        return parse(from_iri(work)).oldest_day
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
