"""A slow evaluator of the rules of evidence: which versions and events follow from what sources state.

It follows the table (tests/data/rules_of_evidence.toml), with the numbers of the rules. It shares only the types of its
input and result with graph/time/evidence.py, keeps nothing, and decides everything again whenever it is needed. Where a
comment says ``Open``, it does what the code does, although the table or the law suggests something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from graph.civil import Term, When, first_day_after
from graph.document_kinds import begins_with_its_event
from graph.time.events import History, LifecycleEvent, Member, Moves, Starts
from graph.time.measure_terms import latest_day
from graph.time.statements import CAPUT, StatedEvent, StatedVersion, Statements, is_provision
from graph.urn import from_iri, parse
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, OVERTURNED_VETOES, Effect, EventKind, event_iri
from ontology.iris import making_event_iri

_EC_32 = date(2001, 9, 12)
_ENDINGS = {Effect.REVOKES, Effect.ANNULS, Effect.EXPIRES, Effect.CONVERTS, Effect.VETOES}
_EFFECTS = {term.iri: term.effect for term in EVENTS.values() if term.effect is not Effect.INTERPRETS}
_MOVES = {EventKind.PRORROGACAO_VACATIO: Moves.PROROGUES, EventKind.REPUBLICACAO: Moves.REPUBLISHES}
_NEVER: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Event:
    """An event, the days of which the rules decide one after the other.

    ``bounds`` are those of its effect that the day of its act replaced (E1); None if they were not replaced.
    """

    stated: StatedEvent
    effect: Effect
    when: When
    known: When
    bounds: When | None = None
    with_cause: bool = False
    cancels: str | None = None


@dataclass(frozen=True)
class Version:
    """A version with its days; ``bounds`` are those of its view that a day of its act replaced (E1)."""

    stated: StatedVersion
    member: Member
    bounds: When | None = None

    def is_a(self, *kinds: EventKind) -> bool:
        """Return whether an event of one of some kinds made it."""
        return any(event_iri(kind) == self.stated.event for kind in kinds)


@dataclass(frozen=True)
class Start:
    """The first day of force of an act, the day of its knowledge, and the view of the version that moved the start."""

    day: When | None
    known: When | None
    moved: When | None = None


def history(s: Statements, work: str) -> History:
    """Return the versions and events that follow for a work (E27)."""
    lists = [_own_events(s, work), *_above(s, work)]
    holders = (work, *s.works[work].holders)
    if is_provision(work) and not s.works[work].lives and not any(_first_events(s, each) for each in holders):
        return History()
    norms = s.works[work].norms
    kept, *above = (tuple(map(_lifecycle_event, events)) for events in lists)
    is_later = _is_measure(work) and not _is_earlier_measure(work)
    members = tuple(_known_with_its_wording(s, work, version.member) for version in _versions(s, work))
    return History(members, kept, tuple(above), is_later, norms[0] if norms else None, _latest(s, work))


def causes(s: Statements, of: History) -> dict[str, History]:
    """Return the histories of the causes of the versions and events of a work, by name; a conversion never falls."""
    acts = (event for each in of.lists for event in each if event.effect is not Effect.CONVERTS)
    events = {event.cause for event in acts if event.cause is not None}
    return {name: _as_cause(s, name) for name in events.union(*(member.causes for member in of.members))}


# Names and bounds


def _oldest(name: str | None) -> date:
    """Return the earliest day that the name of a work allows."""
    return (parse(from_iri(name)).oldest_day if name is not None else None) or date.min


def _signed(act: str) -> date | None:
    return parse(from_iri(act)).representative_date


def _is_measure(work: str) -> bool:
    return "medida.provisoria" in parse(from_iri(work)).tipo_documento


def _is_earlier_measure(work: str) -> bool:
    return _is_measure(work) and _oldest(work) < _EC_32


def _norm(name: str) -> str:
    return name.partition("!")[0]


def _of_one_act(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and _norm(one) == _norm(other)


def _between(first: date, last: date | None) -> When:
    """Return bounds; a last day before the first one does not count."""
    return When(first, last if last is None or last >= first else None)


def _after(bounds: When, earlier: When) -> When:
    """Return the part of some bounds after the first day of others; all of them if there is no such part."""
    first = max(bounds.first, earlier.first + timedelta(1))
    return bounds if bounds.last is not None and first > bounds.last else When(first, bounds.last)


def _proven(bounds: When, event: Event) -> When:
    """E13, E17: the last day of open bounds is that on which a record was fetched or published."""
    return _between(bounds.first, event.stated.proven) if bounds.last is None else bounds


# Acts


def _published(s: Statements, act: str) -> date | None:
    """Return the day of publication of an act, if a source dates it."""
    kind = event_iri(EventKind.PUBLICACAO)
    return min(
        (v.view_date for v in s.works[act].versions if v.event == kind and v.view_date is not None), default=None
    )


def _start(s: Statements, act: str | None, asked: frozenset[str] = _NEVER) -> Start:
    """E8, E9, E12: return the start of a norm, or of a provision that has versions.

    Of acts that date each other by their years, none dates the other: ``asked`` has the acts whose start is asked for.
    """
    if act is None or act in asked:
        return Start(None, None)
    norm = act.partition("!")[0]  # Open: an act that is named only by its year does not date what it revokes.
    versions = _versions(s, act, asked | {act}) or _versions(s, norm, asked | {act})
    known = _known_with(act, versions)
    starts = Starts.of(sorted((v.member for v in versions), key=lambda m: (m.view.first, m.order, m.name)))
    members = [v.member for v in versions]
    dated = [(m.version_date, m.view.first, m) for m in members if m.version_date not in {None, *starts.cancelled}]
    dated = [each for each in dated if each[2] not in starts.late]
    own = [each for each in dated if each[2].original or each[2].cancels is not None or each[2].name in starts.moved]
    day, _, first = min(own or dated, key=lambda each: each[:2], default=(None, None, None))
    if day is None or first is None:
        return Start(_start_by_clause(s, norm), known)
    if not own:  # Open: a start by a clause of commencement (E12) does not precede these bounds.
        return Start(_between(_first_possible(act, known), day), known)
    return Start(When.on(day), known, first.view if first.cancels is not None or first.name in starts.moved else None)


def _first_possible(act: str | None, known: When | None) -> date:
    """E9: return the first day on which an act may have been in force: it binds nobody before it may be known."""
    return max(_oldest(act), known.first) if known is not None else _oldest(act)


def _known_with(act: str, versions: Sequence[Version]) -> When | None:
    """E9: return the day from which an act was known: a signature is not a publication, an amendment comes after it."""
    public = [v.member for v in versions if not v.is_a(EventKind.ASSINATURA)]
    first = min(
        (m.view for m in public if m.original), key=lambda view: (view.first, view.last or date.max), default=None
    )
    latest = min((m.view.last for m in public if m.view.last is not None), default=None)
    return first or (_between(_oldest(act), latest) if latest is not None else None)


def _start_by_clause(s: Statements, norm: str) -> When | None:
    """E12: return the bounds of the starts of a norm after which no other one certainly became known."""
    kind = event_iri(EventKind.INICIO_VIGENCIA)
    stated = [e for e in s.works[norm].events if kind in e.kinds and e.known is not None]
    starts = [_start_of_norm(s, norm, event, event.effect) for event in stated if event.effect is not None]
    sure = [e.known.first for e in starts if e.known.last is not None]
    left = [e.when for e in starts if not any(e.known.last is not None and e.known.last < day for day in sure)]
    lasts = [when.last for when in left if when.last is not None]
    return When(min(w.first for w in left), max(lasts) if len(lasts) == len(left) else None) if left else None


def _is_dated_by_act(bounds: When | None, cause: str, *, by_year: bool) -> bool:
    """E1: return whether bounds contain the signature of an act that a source names by its year."""
    signed = _signed(_norm(cause))
    is_dated = not by_year and not is_provision(cause)
    if is_dated or signed is None or bounds is None or bounds.exact is not None or bounds.last is None:
        return False
    return bounds.first <= signed <= bounds.last


def _is_local_signature(when: When | None, cause: str, *, by_year: bool) -> bool:
    """E1: return whether a day is only that of the signature of an act of a state or town."""
    signed = _signed(_norm(cause))
    return by_year and ";" in cause.split(":")[2] and signed is not None and when == When.on(signed)


def _day_of_act(s: Statements, cause: str, asked: frozenset[str] = _NEVER) -> When:
    """E1: return the first day of force of an act, unless it is before the signature; else the day of its signature."""
    start, signed = _start(s, _norm(cause), asked).day, _oldest(_norm(cause))
    return start if start is not None and start.exact is not None and start.exact >= signed else When.on(signed)


def _knowledge(s: Statements, known: When, cause: str, *, by_year: bool) -> When:
    """E1, E5: return the publication of an act in place of bounds, or of its signature."""
    if _is_dated_by_act(known, cause, by_year=by_year):
        return When.on(_published(s, _norm(cause)) or _oldest(_norm(cause)))
    return _not_before_publication(s, known, cause)


def _not_before_publication(s: Statements, known: When, cause: str) -> When:
    """E5: return the later publication of an act in place of the day of its signature."""
    act = _norm(cause)
    published = _published(s, act)
    late = published is not None and known.exact == _signed(act) and published > known.first
    return When.on(published) if late and published is not None else known


# Days of events


def _first_events(s: Statements, work: str) -> list[Event]:
    """Return the events of a work that have an effect, each with its own days (E1, E5, E8 to E13)."""
    events = []
    for stated in s.works[work].events:
        effect = next((effect for kind in stated.kinds if (effect := _EFFECTS.get(kind)) is not None), None)
        if stated.makes or (effect is Effect.STARTS_FORCE and stated.effect is None):
            continue  # E10
        if effect is Effect.STARTS_FORCE and stated.effect is not None and not is_provision(work):
            events.append(_start_of_norm(s, work, stated, stated.effect))
        elif effect is not None:
            event = _by_its_act(s, work, _first_event(s, work, stated, effect))
            vetoes = [each for name in (work, *s.works[work].holders) for each in s.works[name].events]
            is_vetoed = any(event_iri(EventKind.VETO) in each.kinds for each in vetoes)
            is_first_text = event_iri(EventKind.REDACAO) in stated.kinds and stated.cause == _norm(work)
            events += [] if is_first_text and not is_vetoed and event.when.exact is None else [event]
    return events


def _first_event(s: Statements, work: str, stated: StatedEvent, effect: Effect) -> Event:
    cause, when = stated.cause, stated.effect
    start = _start(s, cause)
    presumed = effect is Effect.REVOKES and stated.term is not None and stated.term.number == 0
    when = None if presumed and start.day is not None and start.day.exact is not None else when  # E8
    by_cause = when is None and effect is Effect.REVOKES
    known = stated.known
    if known is not None and cause is not None:
        known = _knowledge(s, known, cause, by_year=stated.by_year)
    known = known or _known_by_cause(stated, start, by_cause=by_cause)  # E10
    if by_cause:
        day = start.day or When.not_before(_first_possible(cause, start.known))  # E8, E9, E12
        return Event(stated, effect, day, known, with_cause=start.moved is not None)
    is_local = cause is not None and is_provision(work) and _is_local_signature(when, cause, by_year=stated.by_year)
    if cause is not None and when is not None and (is_local or _is_dated_by_act(when, cause, by_year=stated.by_year)):
        return Event(stated, effect, _day_of_act(s, cause), known, when)  # E1
    if when is not None and cause is not None and effect is Effect.REVOKES:  # E9
        published = _published(s, _norm(cause))
        if when.last is None and when.first == _signed(_norm(cause)) and published is not None:
            when = When.not_before(max(published, when.first))
    unstated = known if effect is Effect.CONVERTS else When.not_before(date.min)  # E11
    return Event(stated, effect, when or unstated, known)


def _by_its_act(s: Statements, work: str, event: Event) -> Event:
    """E18: a wording within bounds has the days of its act, if the act gives the work no other wording."""
    stated, cause = event.stated, event.stated.cause
    given = [each for each in s.works[work].events if each.wording is not None and each.cause == cause]
    is_open = event.effect is Effect.RESTORES_WORDING and stated.effect is not None and stated.known is not None
    if cause is None or is_provision(cause) or stated.by_year or len(given) > 1 or not is_open:
        return event
    day, published = _start(s, cause).day, _published(s, cause)
    when, known = event.when, event.known
    if day is not None and day.exact is not None and when.first <= day.first <= (when.last or date.max):
        event = replace(event, when=day)
    if published is not None and known.first <= published <= (known.last or date.max):
        event = replace(event, known=When.on(published))
    return event


def _known_by_cause(stated: StatedEvent, start: Start, *, by_cause: bool) -> When:
    """E10: return the day of knowledge of the norm that caused an event.

    If its start was moved, the change may have been added then: it was known on a day until the view that moved it.
    """
    if start.known is None:
        return _between(_oldest(stated.cause), stated.harvested)
    is_bounded = start.moved is not None and not by_cause
    return _between(start.known.first, start.moved.last) if is_bounded and start.moved is not None else start.known


def _start_of_norm(s: Statements, norm: str, stated: StatedEvent, when: When) -> Event:
    """E13: return a start of a norm, on its publication, or on that of the act that changed its clause."""
    cause = stated.cause
    if stated.known is None:
        start = _start(s, cause)
        return Event(stated, Effect.STARTS_FORCE, when, _known_by_cause(stated, start, by_cause=False))
    act = _norm(cause) if cause is not None else norm
    event = Event(stated, Effect.STARTS_FORCE, when, stated.known)
    known = stated.known
    published = _published(s, act)
    is_counted = stated.term is not None
    if act == norm and known.exact is None and (when.exact is not None or is_counted):
        certain = published is not None and known.first <= published <= (known.last or date.max)
        known = When.on(published) if certain and published is not None else _proven(known, event)
        return replace(event, when=_counted(known, stated.term) if stated.term is not None else when, known=known)
    if when.exact is None and when.first == known.first:
        last = when.last if known.exact is None or known.exact != _signed(act) else None
        if published is not None and when.first <= published and (last is None or published <= last):
            return replace(event, when=When.on(published), known=When.on(published))
        known = _proven(known, event) if known == when else known
    known = _knowledge(s, known, cause, by_year=stated.by_year) if cause is not None else known
    # Open: the record proves also a start that its source does not state to be on the publication.
    return replace(event, when=_proven(when, event), known=known)


def _counted(published: When, term: Term) -> When:
    """E13: return the first day after a term (LC 95/1998, art. 8, § 1), from the first and last day of publication."""
    first, last = (None if day is None else first_day_after(day, term) for day in (published.first, published.last))
    return When(first or published.first, last)


def _later_part(event: Event, events: Iterable[Event]) -> Event:
    """E2: a later part of an act has its own bounds, after the first day of the earlier part."""
    for other in events:
        if event.bounds is None or other.bounds is None or other.bounds.first >= event.bounds.first:
            continue
        if other.effect is event.effect and _of_one_act(other.stated.cause, event.stated.cause):
            # Open: an exact day of knowledge that the source states for the later part is lost.
            when, known = _after(event.bounds, other.when), _after(event.bounds, other.known)
            return replace(event, when=when, known=known)
    return event


def _after_dated(event: Event, events: Iterable[Event]) -> Event:
    """E3: a change that a source places after one with the day of its act begins one day after it."""
    for other in events:
        if other is event or event.when.exact is not None or other.bounds is None:
            continue
        if not event.when.is_after(other.bounds):
            continue
        when, known = When.after(other.when, event.when.last), When.after(other.known, event.known.last)
        if when.last is None or when.first <= when.last:
            fits = event.known == event.when and (known.last is None or known.first <= known.last)
            return replace(event, when=when, known=known if fits else event.known)
    return event


def _with_its_wording(event: Event, events: Iterable[Event]) -> Event:
    """E4: an ending after the wording that it ended is on the last day; a dated one ends the bounds of the wording."""
    when = event.when
    if when.exact is not None or when.last is None:
        return event
    for other in events:
        theirs, days = other.bounds or other.when, None
        if theirs.exact is not None or theirs.last != when.last:
            continue
        if event.effect in _ENDINGS and other.effect is Effect.RESTORES_WORDING:
            days = When.on(when.last) if when.is_after(theirs) and other.when.exact is None else None
        elif event.effect is Effect.RESTORES_WORDING and other.effect in _ENDINGS and other.when.exact is not None:
            end = other.when.first - timedelta(1)
            days = When(when.first, end) if theirs.is_after(when) and when.first <= end else None
        if days is not None:
            return replace(event, when=days, known=days if event.known == when else event.known)
    return event


def _cancelling(event: Event, events: Iterable[Event]) -> Event:
    """E25: a revocation takes back an undated revocation by the same provision that was known before."""
    cause = event.stated.cause
    if event.effect is Effect.REVOKES and cause is not None and is_provision(cause):
        for other in events:
            is_undated = other.effect is Effect.REVOKES and other.stated.cause == cause and other.when.exact is None
            if is_undated and other.known.last is not None and other.known.last < event.known.first:
                return replace(event, cancels=other.stated.name)
    return event


def _is_presumed(event: Event) -> bool:
    return event.effect is Effect.REVOKES and event.stated.term is not None and event.stated.term.number == 0


def _is_superseded(event: Event, other: Event) -> bool:
    """E6: an ending without a stated day does not count beside a dated one of its kind by its act."""
    by_one = event.effect is other.effect and _of_one_act(event.stated.cause, other.stated.cause)
    day = other.when.exact if other.stated.effect is not None and not _is_presumed(other) else None
    if event.effect not in _ENDINGS or not by_one or day is None:
        return False
    return event.stated.effect is None or _is_presumed(event) or (event.when.exact is None and event.when.first <= day)


def _is_same_start(event: Event, other: Event) -> bool:
    """E7: a start known within bounds does not count beside one of which the knowledge is dated."""
    starts = event.effect is Effect.STARTS_FORCE is other.effect
    if not starts or event.known.exact is not None or other.known.exact is None:
        return False
    last, end = event.when.last, other.when.last
    within = event.when.first <= other.when.first and (last is None or (end is not None and end <= last))
    if not within or other.known.exact < event.known.first:
        return False
    if event.stated.cause is None:
        return other.when.exact is None
    return _of_one_act(event.stated.cause, other.stated.cause)


def _events(s: Statements, work: str) -> list[Event]:
    """Return the events of a work with their days, before its versions decide on them (E1 to E13, E25)."""
    events = _first_events(s, work)
    events = [_later_part(event, events) for event in events]
    events = [_after_dated(event, events) for event in events]
    events = [_with_its_wording(event, events) for event in events]
    events = [_cancelling(event, events) for event in events]
    cancelled = {event.cancels for event in events}
    return [
        event
        for event in events
        if event.stated.name in cancelled
        or not any(_is_superseded(event, other) or _is_same_start(event, other) for other in events)
    ]


# Vetoes and wordings


def _vetoed(*lists: Iterable[Event]) -> date | None:
    """Return the day of the last veto."""
    vetoes = (event.when.first for events in lists for event in events if event.effect is Effect.VETOES)
    return max(vetoes, default=None)


def _begun_by_proof(event: Event) -> Event:
    """E17: words promulgated after a veto were in force when a record with them was fetched or published."""
    if event.effect is not Effect.RESTORES_WORDING:
        return event
    return replace(event, when=_proven(event.when, event), known=_proven(event.known, event))


def _dating_version(event: Event, versions: Iterable[Version], vetoed: date | None) -> Version | None:
    """E18: return the first version of another source that starts within the bounds of a wording."""
    bounds, cause = event.bounds or event.when, event.stated.cause
    if event.effect is not Effect.RESTORES_WORDING or event.stated.wording is None or bounds.exact is not None:
        return None
    if bounds.last is None and vetoed is None:
        return None
    first = bounds.first if vetoed is None else max(bounds.first, vetoed + timedelta(1))

    def fits(version: Version) -> bool:
        if version.is_a(*OVERTURNED_VETOES):
            return True
        if cause is not None:
            return any(_of_one_act(cause, other) for other in version.member.causes)
        return bounds.last is not None and not all(map(_is_measure, version.member.causes))

    stated = [
        (v.stated.version_date, v) for v in versions if v.stated.version_date == v.member.version_date and fits(v)
    ]
    days = [(day, v) for day, v in stated if day is not None and first <= day <= (bounds.last or date.max)]
    return min(days, key=lambda pair: pair[0], default=(None, None))[1]


def _with_versions(s: Statements, work: str, events: list[Event], vetoed: date | None) -> Iterator[Event]:
    """E18, E19: leave out the wordings that versions date; versions after a veto restore the provision."""
    versions = _versions(s, work)
    dating = {event.stated.name: _dating_version(event, versions, vetoed) for event in events}
    yield from (event for event in events if dating[event.stated.name] is None)
    for version in versions if vetoed is not None else ():
        day = version.member.version_date
        overturns = version.is_a(*OVERTURNED_VETOES) and day is not None
        if vetoed is not None and (overturns or version in dating.values()):
            stated = StatedEvent(making_event_iri(version.stated.name), effect=When.on(vetoed))
            yield Event(stated, Effect.RESTORES, When.on(max(day or vetoed, vetoed)), version.member.view)


def _own_events(s: Statements, work: str) -> list[Event]:
    """Return the events of a work itself (E12, E17 to E20)."""
    events = _events(s, work)
    if not is_provision(work) and any(v.member.original and v.member.version_date for v in _versions(s, work)):
        events = _without_starts(events)  # E12
    vetoed = _vetoed(events, *(_events(s, holder) for holder in s.works[work].holders))
    if vetoed is not None:
        events = list(map(_begun_by_proof, events))
    events = list(_with_versions(s, work, events, vetoed))
    if is_provision(work) and _vetoed(events) is not None:  # E20
        events += [event for event in _own_events(s, f"{work}{CAPUT}") if event.effect is Effect.RESTORES]
    return events


def _without_starts(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.effect is not Effect.STARTS_FORCE]


# Works


def _above(s: Statements, work: str) -> Iterator[list[Event]]:
    """E20, E23, E27: return the events of the containers, the nearest first, of the norm, and of the whole document."""
    stated = s.works[work]
    restoring = [event for event in _own_events(s, work) if event.effect is Effect.RESTORES]
    for holder in stated.holders:
        events = _events_for_parts(s, holder)
        if events:
            yield [*events, *(restoring if any(e.effect is not Effect.RESTORES for e in events) else ())]
        restoring += [event for event in events if event.effect is Effect.RESTORES]
    wholes = (whole for name in (work, *stated.norms) for whole in _wholes(s, name))
    for above in dict.fromkeys((*stated.norms, *wholes)):
        yield _without_starts(_events(s, above))


def _events_for_parts(s: Statements, holder: str) -> list[Event]:
    """Return the events of a container for its parts, which do not return with its caput (E20)."""
    events = _events(s, holder)
    vetoed = _vetoed(events)  # Open: a veto of what contains the container does not count here.
    if vetoed is None:
        return events  # Open: wordings that a version of the container dates (E18) count for its parts.
    return list(_with_versions(s, holder, list(map(_begun_by_proof, events)), vetoed))


def _wholes(s: Statements, work: str) -> Sequence[str]:
    """E23: return the documents of which a work is a component; a rectification is not one."""
    wholes = s.works[work].wholes
    return wholes if wholes and parse(from_iri(work)).descritor.retificacao is None else ()


def _latest(s: Statements, work: str) -> date | None:
    """E24: return the latest possible day of a provisional measure, for itself, its provisions and components."""
    names = (work, *s.works[work].norms)
    for name in (*reversed(names), *(whole for each in names for whole in _wholes(s, each))):
        views = [v.member.view.first for v in _versions(s, name) if v.member.original]
        if name.startswith("urn:lex:br:federal:") and _is_measure(name) and not _is_earlier_measure(name):
            published = _published(s, name) or min(views, default=None)
            if published is not None and (day := latest_day(published)) is not None:
                return day
    return None


def _as_cause(s: Statements, cause: str) -> History:
    """E21: return the history of a cause; a provision without events that no act made has that of its norm."""
    found, norm = history(s, cause), cause.partition("!")[0]
    made = any(member.sets_start or (member.original and member.causes) for member in found.members)
    if is_provision(cause) and not any(found.lists) and not made:
        found = history(s, norm)
    elif is_provision(cause) and not any(member.original for member in found.members):
        first = (member for member in history(s, norm).members if member.original or member.sets_start)
        found = replace(found, members=(*first, *found.members))
    return _as_earlier_measure(s, found) if _is_earlier_measure(norm) else found


def _as_earlier_measure(s: Statements, found: History) -> History:
    """E22: the lapse of an earlier measure may not have happened, but its rejection before 2001-09-12 did."""
    kind = event_iri(EventKind.REJEICAO)
    rejections = {event.name for work in s.works.values() for event in work.events if kind in event.kinds}

    def doubted(event: LifecycleEvent) -> LifecycleEvent:
        last = event.when.last
        is_certain = event.name in rejections and last is not None and last < _EC_32
        if event.effect not in {Effect.EXPIRES, Effect.CONVERTS} or is_certain:
            return event
        return replace(event, known=When.not_before(event.known.first))

    events, *inherited = (tuple(map(doubted, each)) for each in found.lists)
    return replace(found, events=events, inherited=tuple(inherited), provisional=True)


def _lifecycle_event(event: Event) -> LifecycleEvent:
    e = event.stated
    is_stated = e.effect is not None or e.known is not None
    is_term = event_iri(EventKind.CADUCIDADE) in e.kinds
    rest = (event.cancels, e.cause, e.undoes, is_stated, e.wording, event.with_cause, is_term)
    return LifecycleEvent(e.name, event.effect, event.when, event.known, *rest)


# Versions


def _versions(s: Statements, work: str, asked: frozenset[str] = _NEVER) -> list[Version]:
    """Return the versions of a work with their days (E1, E2, E5, E14 to E16, E23)."""
    has_day = parse(from_iri(work)).oldest_day is not None
    stated = [v for v in s.works[work].versions if v.view_date is not None or v.bounds is not None or has_day]  # E14
    versions = [_version(s, work, version, asked) for version in stated]
    versions = [_later_version(version, versions) for version in versions]
    if any(v.member.original and v.member.version_date is None for v in versions):
        entries = [v for v in versions if v.is_a(EventKind.ENTRADA_VIGOR)]
        firsts = {v.member.name: replace(v, member=replace(v.member, original=True)) for v in entries}
        versions = [firsts.get(v.member.name, v) for v in versions]  # E8
    return [_dated_elsewhere(version, versions) for version in versions]


def _version(s: Statements, work: str, stated: StatedVersion, asked: frozenset[str]) -> Version:
    norm = stated.name.partition("@")[0]
    foreign = tuple(cause for cause in stated.causes if cause != norm and not cause.startswith(f"{norm};"))  # E23
    bounds = stated.bounds if stated.view_date is None else None
    dating = next((c for c in foreign if _is_dated_by_act(bounds, c, by_year=c in stated.by_year)), None)
    first_texts = map(event_iri, FIRST_TEXT_EVENTS)
    is_first = stated.event is None or stated.inserts or stated.event in first_texts
    start = stated.version_date
    local = (c for c in foreign if start and _is_local_signature(When.on(start), c, by_year=c in stated.by_year))
    start = next((_day_of_act(s, cause, asked).exact for cause in local), start)  # E1
    if stated.view_date is not None:
        view = When.on(stated.view_date)
        if begins_with_its_event(parse(from_iri(work))):
            start = start or stated.view_date  # E15
    else:
        view = stated.bounds or _between(_oldest(work), stated.harvested)  # E14
    if dating is not None:
        start = start or _day_of_act(s, dating, asked).exact  # E1
        view = _knowledge(s, view, dating, by_year=dating in stated.by_year)
    if is_first and not stated.inserts and not is_provision(work):
        foreign = ()  # E23
    view = next((late for c in foreign if (late := _not_before_publication(s, view, c)) != view), view)  # E5
    moves = next((how for kind, how in _MOVES.items() if event_iri(kind) == stated.event), None)
    member = Member(stated.name, start, view, stated.order, stated.cancels, is_first, foreign, moves)
    return Version(stated, member, stated.bounds if dating is not None else None)


def _later_version(version: Version, versions: Iterable[Version]) -> Version:
    """E2: a later version by one act has only the first day that its source states, and its own bounds."""
    acts = set(map(_norm, version.member.causes))
    for other in versions:
        if version.bounds is None or other.bounds is None or other.bounds.first >= version.bounds.first:
            continue
        if acts & set(map(_norm, other.member.causes)):
            view = _after(version.bounds, other.member.view)
            return replace(version, member=replace(version.member, version_date=version.stated.version_date, view=view))
    return version


def _dated_elsewhere(version: Version, versions: Iterable[Version]) -> Version:
    """E16: the day of the act does not count beside a version by that act with a first day in the same year."""
    start = version.member.version_date
    if version.stated.version_date is not None or start is None:
        return version
    for other in versions:
        day = other.member.version_date if other.stated.version_date is not None else None
        by_one = any(_of_one_act(one, two) for one in version.member.causes for two in other.member.causes)
        if day is not None and day.year == start.year and by_one:
            return replace(version, member=replace(version.member, version_date=None))
    return version


def _known_with_its_wording(s: Statements, work: str, member: Member) -> Member:
    """E26: an undated version is known with the event that gives it, not before its own first day of knowledge."""
    events = [event for event in _events(s, work) if event.stated.wording == member.name]
    if not events or member.version_date is not None or member.view.last is not None:
        return member
    if _vetoed(_events(s, work), *(_events(s, holder) for holder in s.works[work].holders)) is not None:
        events = list(map(_begun_by_proof, events))
    known = events[-1].known  # Open: of several events the last one in their order counts.
    return replace(member, view=_between(max(known.first, member.view.first), known.last))
