"""A slow evaluator of the rules of evidence: which versions and events follow from what sources state.

It follows the table (tests/data/rules_of_evidence.toml), with the numbers of the rules. It shares only the
types of its input and result with graph/time/evidence.py, and evaluates everything again for each question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from graph.civil import When
from graph.document_kinds import begins_with_its_event
from graph.time.events import History, LifecycleEvent, Member, Moves, Starts
from graph.time.measure_terms import latest_day
from graph.time.statements import CAPUT, StatedEvent, StatedVersion, Statements, is_provision
from graph.urn import Name, from_iri, parse
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, OVERTURNED_VETOES, Effect, EventKind, event_iri

_EARLIER_MEASURES = date(2001, 9, 12)
_ENDINGS = {Effect.REVOKES, Effect.ANNULS, Effect.EXPIRES, Effect.CONVERTS, Effect.VETOES}
_RESTORATIONS = {Effect.RESTORES, Effect.RESTORES_WORDING}
_EFFECTS = {term.iri: term.effect for term in EVENTS.values()}
_MOVES = {EventKind.PRORROGACAO_VACATIO: Moves.PROROGUES, EventKind.REPUBLICACAO: Moves.REPUBLISHES}
_NO_DAY = When.not_before(date.min)


@dataclass(frozen=True)
class Draft:
    """An event whose days the rules decide one after the other; ``dated`` says that E1 gave it the days of its act."""

    stated: StatedEvent
    effect: Effect
    when: When
    known: When
    dated: bool = False
    with_cause: bool = False
    cancels: str | None = None

    def is_a(self, kind: EventKind) -> bool:
        return event_iri(kind) in self.stated.kinds


def history(s: Statements, work: str) -> History:
    """Return the versions and events that follow for a work."""
    if is_provision(work) and not _has_own_history(s, work):
        return History()
    return _history(s, work, is_earlier_measure=False)


def _history(s: Statements, work: str, is_earlier_measure: bool) -> History:
    lists = [_with_restored_caput(s, work), *_above(s, work)]
    if is_earlier_measure:
        lists = [list(map(_as_earlier_measure, drafts)) for drafts in lists]
    events, *inherited = (tuple(map(_event, drafts)) for drafts in lists)
    norm = _norm(s, work) if is_provision(work) else None
    provisional = is_earlier_measure or _is_later_measure(norm or work)
    return History(tuple(_members(s, work)), events, tuple(inherited), provisional, norm, _latest(s, norm or work))


def causes(s: Statements, of: History) -> dict[str, History]:
    """Return the histories of the causes of the versions and events of a work, by name."""
    events = {event.cause for each in of.lists for event in each if event.cause is not None}
    names = events.union(*(member.causes for member in of.members))
    return {name: _as_cause(s, name) for name in names}


# Names


def _name(work: str) -> Name:
    return parse(from_iri(work))


def _norm(s: Statements, work: str) -> str:
    return s.norm(work)


def _meant(s: Statements, name: str | None) -> str | None:
    """Return the act that a name means, with its provision; the name itself if no other act fits."""
    return None if name is None else s.act(name) or name


def _same(s: Statements, one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and s.same(one, other)


def _oldest(s: Statements, work: str | None) -> date:
    """Return the earliest day that the name of a norm allows."""
    day = _name(_norm(s, work)).oldest_day if work is not None else None
    return day or date.min


def _signed(s: Statements, act: str) -> date | None:
    return _name(_norm(s, act)).representative_date


def _is_measure(work: str) -> bool:
    """Return whether a name is that of a federal provisional measure or of a provision of one."""
    name = _name(work)
    return name.tipo_documento[0] == "medida.provisoria" and name.autoridade == (("federal",),)


def _is_later_measure(work: str) -> bool:
    return _is_measure(work) and (_name(work).oldest_day or date.min) >= _EARLIER_MEASURES


# What sources state about an act


def _versions(s: Statements, work: str) -> tuple[StatedVersion, ...]:
    return s.works[work].versions if work in s.works else ()


def _is_original(version: StatedVersion) -> bool:
    return not version.inserts and (not version.events or version.events[0] in map(event_iri, FIRST_TEXT_EVENTS))


def _is_signature(version: StatedVersion) -> bool:
    return version.event == event_iri(EventKind.ASSINATURA)


def _publication(s: Statements, act: str) -> date | None:
    """Return the day of publication of an act, if a source dates it: a signature is not a publication (E9)."""
    stated = _versions(s, _norm(s, act))
    published = event_iri(EventKind.PUBLICACAO)
    return min((v.view_date for v in stated if v.event == published and v.view_date is not None), default=None)


def _known_with_act(s: Statements, act: str | None, harvested: date | None) -> When:
    """E9, E10: return the day from which an act was known: its publication, else within bounds."""
    if act is None:
        return _between(date.min, harvested)
    if (published := _publication(s, act)) is not None:
        return When.on(published)
    stated = _versions(s, _norm(s, act))
    views = [_view(s, _norm(s, act), version) for version in stated if not _is_signature(version)]
    latest = [day for day in (harvested, *(view.last for view in views)) if day is not None]
    return _between(_oldest(s, act), min(latest, default=None))


def _start(s: Statements, act: str) -> tuple[When, bool]:
    """E8, E9, E12: return the first day of force of an act, and whether it was moved."""
    norm = _norm(s, act)
    stated = _versions(s, norm)
    ranked = sorted((_stated_member(s, norm, v) for v in stated), key=lambda m: (m.view.first, m.order, m.name))
    starts = Starts.of(ranked)
    days = [m.version_date for m in ranked if m not in starts.late and m.version_date not in starts.cancelled]
    first = min((day for day in days if day is not None), default=None)
    if any(v.version_date is not None for v in stated if _is_original(v)) and first is not None:
        return When.on(first), bool(starts.moved)
    if clauses := [d for d in _drafts(s, norm) if d.is_a(EventKind.INICIO_VIGENCIA)]:
        newest = max(d.known.first for d in clauses)
        whens = [d.when for d in clauses if d.known.first == newest]
        ends = [when.last for when in whens if when.last is not None]
        return When(min(when.first for when in whens), max(ends) if len(ends) == len(whens) else None), False
    return _between(_oldest(s, act), first), False


def _between(first: date, last: date | None) -> When:
    """Return bounds; if the days contradict each other, the later one counts as not stated."""
    return When(first, last) if last is None or first <= last else When(date.min, last)


# Days of events


def _drafts(s: Statements, work: str) -> list[Draft]:
    """Return the events of a work with an effect, with their days as stated, or by E8 to E13."""
    drafts = []
    for event in s.works[work].events if work in s.works else ():
        effect = next((effect for kind in event.kinds if (effect := _EFFECTS.get(kind)) is not None), None)
        if effect is not None:
            known = event.known or _known_with_act(s, event.cause, event.harvested)  # E10
            when, moved = event.effect or _NO_DAY, False
            if event.effect is None and effect is Effect.REVOKES and event.cause is not None:
                when, moved = _start(s, event.cause)  # E8, E9, E12
            elif event.effect is None and effect is Effect.CONVERTS:
                when = known  # E11
            drafts.append(_started_by_publication(s, work, Draft(event, effect, when, known, with_cause=moved)))
    return drafts


def _started_by_publication(s: Statements, work: str, draft: Draft) -> Draft:
    """E13: a norm that starts on its publication starts on the day that another source states, or before its proof."""
    same = draft.when.first == draft.known.first and draft.when.exact is None and draft.known.exact is None
    if not draft.is_a(EventKind.INICIO_VIGENCIA) or not same:
        return draft
    published = _publication(s, work)
    if published is not None and _within(When.on(published), draft.when):
        return replace(draft, when=When.on(published), known=When.on(published))
    return _proven(draft)


def _proven(draft: Draft) -> Draft:
    """E13, E17: the last day of open bounds is that on which a record was fetched or published."""
    proven = draft.stated.proven
    if proven is None or proven < draft.when.first or draft.when.last is not None:
        return draft
    known = When(draft.known.first, proven) if draft.known.last is None and draft.known.first <= proven else draft.known
    return replace(draft, when=When(draft.when.first, proven), known=known)


def _within(inner: When, outer: When) -> bool:
    return outer.first <= inner.first and (outer.last is None or (inner.last is not None and inner.last <= outer.last))


def _day_of_act(s: Statements, cause: str | None, bounds: When) -> date | None:
    """E1: return the first day of an act that a source names by its year, if the bounds contain its signature."""
    act = s.act(cause) if cause is not None else None
    signed = _signed(s, act) if act is not None else None
    if act is None or signed is None or bounds.exact is not None or not _within(When.on(signed), bounds):
        return None
    start = _start(s, act)[0].exact
    return start if start is not None and start >= signed else signed


def _publication_of_act(s: Statements, cause: str, bounds: When) -> When:
    """E1: return the publication of the act, else its signature, in place of bounds that contain the signature."""
    act = s.act(cause)
    signed = _signed(s, act) if act is not None else None
    if act is None or signed is None or bounds.exact is not None or not _within(When.on(signed), bounds):
        return bounds
    return When.on(_publication(s, act) or signed)


def _dated_by_acts(s: Statements, drafts: list[Draft]) -> Iterator[Draft]:
    """E1, E2: date changes by their acts, each act only the first part of each kind."""
    for draft in drafts:
        cause = draft.stated.cause
        day = _day_of_act(s, cause, draft.when) if draft.stated.effect is not None else None
        if cause is None or day is None or draft.when == _NO_DAY:
            yield draft
            continue
        parts = [d for d in drafts if d.effect is draft.effect and _same(s, d.stated.cause, cause)]
        earlier = [d for d in parts if d.when.first < draft.when.first and _day_of_act(s, d.stated.cause, d.when)]
        if earlier:
            yield _begun_after(draft, day)
        else:
            yield replace(draft, when=When.on(day), known=_publication_of_act(s, cause, draft.known), dated=True)


def _begun_after(draft: Draft, day: date) -> Draft:
    """E2, E3: let the bounds begin one day after a day; those of the knowledge too, if they are the same."""
    first = day + timedelta(1)
    if draft.when.last is not None and first > draft.when.last:
        return draft
    when = When(first, draft.when.last)
    return replace(draft, when=when, known=when if draft.known == draft.when else draft.known)


def _after_dated(drafts: list[Draft], dated: list[Draft]) -> Iterator[Draft]:
    """E3: move the bounds of a change that a source places after one that has the day of its act."""
    before = {d.stated.name: d.when for d in drafts}
    for draft in dated:
        earlier = [d.when.first for d in dated if d.dated and before[draft.stated.name].is_after(before[d.stated.name])]
        if earlier and draft.when == before[draft.stated.name] and draft.when.exact is None:
            yield _begun_after(draft, max(earlier))
        else:
            yield draft


def _ended_wordings(drafts: list[Draft], now: list[Draft]) -> Iterator[Draft]:
    """E4: an ending placed after the wording that it ended has effect on the last day of the bounds."""
    before = {d.stated.name: d.when for d in drafts}

    def follows(ending: Draft, wording: Draft) -> bool:
        end, words = before[ending.stated.name], before[wording.stated.name]
        return (
            ending.effect in _ENDINGS
            and wording.effect is Effect.RESTORES_WORDING
            and not wording.dated
            and end.last is not None
            and end.last == words.last
            and end.is_after(words)
        )

    for draft in now:
        ended = [d for d in now if follows(draft, d)]
        endings = [d for d in now if d.dated and follows(d, draft)]
        if ended and not draft.dated and draft.when.last is not None:
            last = When.on(draft.when.last)
            yield replace(draft, when=last, known=last if draft.known == draft.when else draft.known)
        elif endings:
            end = min(d.when.first for d in endings) - timedelta(1)
            bounds = When(draft.when.first, end) if draft.when.first <= end else draft.when
            yield replace(draft, when=bounds, known=bounds if draft.known == draft.when else draft.known)
        else:
            yield draft


def _known_by_publication(s: Statements, known: When, cause: str | None) -> When:
    """E5: a change known from the signature of its act is known from the publication."""
    act = _meant(s, cause)
    published = _publication(s, act) if act is not None else None
    late = act is not None and published is not None and known.exact == _signed(s, act) and published > known.first
    return When.on(published) if late and published is not None else known


def _is_superseded(s: Statements, draft: Draft, drafts: list[Draft]) -> bool:
    """E6: an ending without a day does not count beside a dated ending of its kind by its act."""
    return (
        draft.effect in _ENDINGS
        and draft.when.exact is None
        and any(
            d.effect is draft.effect
            and d.when.exact is not None
            and _same(s, d.stated.cause, draft.stated.cause)
            and _within(d.when, draft.when)
            for d in drafts
        )
    )


def _is_same_start(s: Statements, draft: Draft, drafts: list[Draft]) -> bool:
    """E7: a start known within bounds does not count beside one of which the knowledge is dated."""
    if draft.effect is not Effect.STARTS_FORCE or draft.known.exact is not None:
        return False
    cause = draft.stated.cause
    return any(
        d.effect is Effect.STARTS_FORCE
        and d.known.exact is not None
        and _within(d.known, draft.known)
        and _within(d.when, draft.when)
        and (_same(s, d.stated.cause, cause) or (cause is None is d.stated.cause and draft.when.exact is None))
        for d in drafts
    )


def _dating_version(s: Statements, work: str, event: StatedEvent) -> StatedVersion | None:
    """E18: return the version of another source that dates a wording with bounds."""
    if event.effect is None or event.effect.exact is not None or event.wording is None:
        return None
    for version in s.works[work].versions:
        day = version.version_date
        if day is not None and _within(When.on(day), event.effect) and version.name != event.wording:
            if any(_same(s, cause, event.cause) for cause in version.causes):
                return version
            if event.cause is None and version.causes and not any(_is_measure(c) for c in version.causes):
                return version
    return None


def _begun_by_proof(draft: Draft, drafts: list[Draft]) -> Draft:
    """E17: words promulgated after a veto were in force when a record with them was fetched or published."""
    vetoes = [d.when.first for d in drafts if d.effect is Effect.VETOES]
    after = any(day < draft.when.first for day in vetoes)
    return _proven(draft) if draft.effect is Effect.RESTORES_WORDING and after else draft


def _restored_by_versions(s: Statements, work: str, vetoes: list[Draft]) -> Iterator[Draft]:
    """E19: a version that promulgates a vetoed provision restores it, not before the veto."""
    dating = [_dating_version(s, work, event) for event in s.works[work].events]
    for version in s.works[work].versions:
        promulgates = any(event_iri(kind) in version.events for kind in OVERTURNED_VETOES) or version in dating
        if vetoes and promulgates and version.version_date is not None:
            day = max(version.version_date, *(d.when.first for d in vetoes))
            stated = StatedEvent("http:restoration", (event_iri(EventKind.REPRISTINACAO),), cause=None)
            yield Draft(stated, Effect.RESTORES, When.on(day), _view(s, work, version))


def _with_earlier_revocations_cancelled(drafts: list[Draft]) -> Iterator[Draft]:
    """E25: a revocation takes back an undated earlier one by the same provision."""
    for draft in drafts:
        cause = draft.stated.cause
        earlier = [
            d
            for d in drafts
            if draft.effect is Effect.REVOKES is d.effect
            and d.stated.cause == cause
            and cause is not None
            and is_provision(cause)
            and d.when.exact is None
            and d.known.last is not None
            and d.known.last < draft.known.first
        ]
        taken = max(earlier, key=lambda d: (d.known.first, d.stated.name), default=None)
        yield draft if taken is None else replace(draft, cancels=taken.stated.name)


def _own_events(s: Statements, work: str) -> list[Draft]:
    """Return the events of a work itself, with their days."""
    if work not in s.works:
        return []
    drafts = _drafts(s, work)
    now = list(_after_dated(drafts, list(_dated_by_acts(s, drafts))))
    now = list(_ended_wordings(drafts, now))
    now = [replace(d, known=_known_by_publication(s, d.known, d.stated.cause)) for d in now]
    now = [_begun_by_proof(d, now) for d in now]
    kept = [
        d
        for d in now
        if not _is_superseded(s, d, now)
        and not _is_same_start(s, d, now)
        and (d.effect is not Effect.RESTORES_WORDING or _dating_version(s, work, d.stated) is None)
        and not (d.is_a(EventKind.INICIO_VIGENCIA) and _states_first_day(s, work))
    ]
    vetoes = [d for d in kept if d.effect is Effect.VETOES]
    return list(_with_earlier_revocations_cancelled([*kept, *_restored_by_versions(s, work, vetoes)]))


def _states_first_day(s: Statements, norm: str) -> bool:
    """E12: return whether a source states a first day of force."""
    return any(_is_original(version) and version.version_date is not None for version in s.works[norm].versions)


def _with_restored_caput(s: Statements, work: str) -> list[Draft]:
    """E20: return the events of a work; a vetoed article is restored with its caput."""
    own = _own_events(s, work)
    if not any(d.effect is Effect.VETOES for d in own):
        return own
    return [*own, *(d for d in _own_events(s, f"{work}{CAPUT}") if d.effect in _RESTORATIONS)]


def _above(s: Statements, work: str) -> Iterator[list[Draft]]:
    """E20, E23, E27: return the events of containers, the nearest first, then of the norm, or of the whole document."""
    stated = s.works[work]
    restored = [d for d in _own_events(s, work) if d.effect in _RESTORATIONS]
    for holder in stated.holders:
        own = _own_events(s, holder)
        yield [*own, *(restored if any(d.effect in _ENDINGS for d in own) else ())]
        restored += [d for d in own if d.effect in _RESTORATIONS]
    wholes = [] if _name(work).descritor.retificacao is not None else list(stated.wholes)
    for norm in (*stated.norms, *wholes):
        yield [d for d in _own_events(s, norm) if d.effect is not Effect.STARTS_FORCE]


def _event(draft: Draft) -> LifecycleEvent:
    e = draft.stated
    words = e.wording if draft.effect is Effect.RESTORES_WORDING else None
    return LifecycleEvent(
        e.name, draft.effect, draft.when, draft.known, draft.cancels, e.cause, e.undoes, True, words, draft.with_cause
    )


# Versions


def _view(s: Statements, work: str, version: StatedVersion) -> When:
    """E14: return the day from which a version was known, else within bounds."""
    if version.view_date is not None:
        return When.on(version.view_date)
    return version.bounds or _between(_oldest(s, work), version.harvested)


def _stated_member(s: Statements, work: str, version: StatedVersion) -> Member:
    """Return a version with its days as stated."""
    moves = next((how for kind, how in _MOVES.items() if event_iri(kind) in version.events), None)
    foreign = tuple(cause for cause in version.causes if not s.same(cause, work))  # E23
    return Member(
        version.name,
        version.version_date,
        _view(s, work, version),
        version.order,
        version.cancels,
        _is_original(version),
        foreign,
        moves,
    )


def _members(s: Statements, work: str) -> Iterator[Member]:
    """Return the versions of a work."""
    for version in _versions(s, work):
        member = _stated_member(s, work, version)
        for cause in version.causes:
            member = _dated_version(s, work, member, cause)
            member = replace(member, view=_known_by_publication(s, member.view, cause))
        if begins_with_its_event(_name(work)):
            member = replace(member, version_date=member.version_date or member.view.exact)  # E15
        yield _known_with_its_wording(s, work, member)


def _dated_version(s: Statements, work: str, member: Member, cause: str) -> Member:
    """E1, E16: date a version by its act, unless another source states the first day of a version by that act."""
    day = _day_of_act(s, cause, member.view)
    if day is None:
        return member
    others = [v for v in s.works[work].versions if any(s.same(c, cause) for c in v.causes)]
    elsewhere = any(v.version_date is not None and v.version_date.year == day.year for v in others)
    start = member.version_date or (None if elsewhere else day)
    return replace(member, version_date=start, view=_publication_of_act(s, cause, member.view))


def _known_with_its_wording(s: Statements, work: str, member: Member) -> Member:
    """E26: an undated version is known with the event that gives it, not before its own first day of knowledge."""
    if member.version_date is not None or member.view.last is not None:
        return member
    events = [d for d in _own_events(s, work) if d.stated.wording == member.name]
    if not events:
        return member
    known = min((d.known for d in events), key=lambda known: (known.first, known.last or date.max))
    first = max(known.first, member.view.first)
    return replace(member, view=When(first, None if known.last is None else max(first, known.last)))


# Works


def _has_own_history(s: Statements, work: str) -> bool:
    """E27: return whether an event acts on a provision or its containers, or a source states another text of it."""
    stated = s.works[work]
    return stated.lives or any(s.works[each].events for each in (work, *stated.holders) if each in s.works)


def _latest(s: Statements, norm: str) -> date | None:
    """E24: return the latest possible day of a provisional measure."""
    if not _is_later_measure(norm):
        return None
    views = [_view(s, norm, version).first for version in _versions(s, norm)]
    return latest_day(_publication(s, norm) or min(views)) if views else None


def _as_cause(s: Statements, cause: str) -> History:
    """E21: return the history of a cause: a provision without a history of its own has that of its norm."""
    name = _meant(s, cause)
    norm = _norm(s, cause)
    if name is None or name not in s.works or not is_provision(name) or not _has_own_history(s, name):
        return _history(s, norm, _is_measure(norm) and not _is_later_measure(norm))
    found = _history(s, name, _is_measure(norm) and not _is_later_measure(norm))
    if any(member.original for member in found.members):
        return found
    return replace(found, members=(*_members(s, norm), *found.members))


def _as_earlier_measure(draft: Draft) -> Draft:
    """E22: the lapse of an earlier measure may not have happened, but its rejection before 2001-09-12 did."""
    rejected = draft.is_a(EventKind.REJEICAO) and draft.when.last is not None and draft.when.last < _EARLIER_MEASURES
    ends = any(map(draft.is_a, (EventKind.CADUCIDADE, EventKind.REJEICAO, EventKind.CONVERSAO)))
    return replace(draft, known=When.not_before(draft.known.first)) if ends and not rejected else draft
