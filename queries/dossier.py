"""The dossier of a norm: all data that a client needs on one norm for (D, K, axis), as one value.

Pages, the API and the command line read it. Dates are civil dates; intervals are half open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from graph.civil import day_before
from graph.civil import today as civil_today
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, from_iri, parse, parse_or_none
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, EventKind
from ontology.events import Effect as EventEffect
from queries.answers import InForce, ItemAnswer, Period
from queries.catalogue import named
from queries.causes import causes, reasons_of
from queries.contradictions import Dispute, disagreements, dispute
from queries.documents import document, explanation_document, notice_document
from queries.editorial_notes import ProvisionNote, editorial_notes
from queries.efficacy import WithoutEffect, shown_as, without_effect
from queries.evidence import records, versions
from queries.in_force import in_force
from queries.intervals import AnswerInterval, over_force, status_since
from queries.notices import Notice, SourcesContradict
from queries.reason_days import with_days_of_acts
from queries.reasons import Explanation, Reason, Role, flattened
from queries.related import Record, RelatedData, copies_document, copies_of, records_of, related_data
from queries.status import periods_of
from queries.text.absent import Reading, located
from queries.text.text import contradicted_within
from queries.text.wording_history import newest, parts_with_own_history, wording_events
from queries.unsourced import known_events, provisions_with_events

# The events that began the days of an answer, or may have begun them, and those that undo an ending or a suspension. A
# first text begins them, or a restoration, whose day may be uncertain.


_SIGNED, _PUBLISHED = EventKind.ASSINATURA, EventKind.PUBLICACAO
_UNDOES = frozenset({EventEffect.RESTORES, EventEffect.REINSTATES})
_ENDS = frozenset(
    {EventEffect.REVOKES, EventEffect.ANNULS, EventEffect.EXPIRES, EventEffect.CONVERTS, EventEffect.VETOES}
)


def starting_reasons(store: Store, answer: InForce, intervals: Sequence[AnswerInterval]) -> tuple[Reason, ...]:
    """Return the reasons that began the days of force of an answer: the events that first made its text.

    If a text is in force again, the result includes its earlier ending. If the first day is unknown, the result has all
    events that make it uncertain.

    Args:
        answer: for one D and K.
        intervals: the answers for all days of force, as known on that K.
    """
    since = status_since(answer, intervals)
    if not answer.status.stands or since is None:
        return ()
    target = parse(answer.name)
    doubted = list(_unknown_intervals_before(since, intervals))
    if doubted:
        reasons = (in_force(store, target, interval.start, answer.as_known).because for interval in doubted)
        return tuple(dict.fromkeys(reason for because in reasons for reason in because if reason.event is not None))
    known = answer.as_known
    views = [
        (version.event, version.view_date)
        for version in versions(store, target.iri)
        if version.version_date == since and version.view_date is not None and version.view_date <= known
    ]
    printed = [day for event, day in views if event in FIRST_TEXT_EVENTS and event != _SIGNED]
    first = in_force(store, target, since, min(printed or [day for _, day in views], default=known))
    made = first.version.name if first.version is not None else None
    began = tuple(reason for reason in first.because if reason.version == made)
    if not any(interval.until == since and interval.status in ENDED for interval in intervals):
        return began
    before = in_force(store, target, day_before(since), known)
    return (*began, *(reason for reason in before.because if _effect_of(reason) in _ENDS))


def _unknown_intervals_before(day: date, intervals: Sequence[AnswerInterval]) -> Iterator[AnswerInterval]:
    """Yield the intervals of unknown status just before a day, the latest first, and the ending that precedes them."""
    doubted = False
    for interval in reversed(intervals):
        if interval.until == day and (interval.status is Status.UNKNOWN or (doubted and interval.status in ENDED)):
            yield interval
            day, doubted = interval.start, interval.status is Status.UNKNOWN


def undoing_events(
    store: Store, answer: InForce, intervals: Sequence[AnswerInterval], effect: WithoutEffect | None
) -> tuple[Reason, ...]:
    """Return the events that restore an ended norm, or reinstate a suspended one, just after the days of the answer.

    Args:
        store, answer, intervals: as for :func:`starting_reasons`.
        effect: the days without effect; None if it has effect.
    """
    ends: list[tuple[date, Axis]] = []
    if answer.status in ENDED:
        ended = (
            interval.until for interval in intervals if interval.status is answer.status and interval.until is not None
        )
        ends += [(day, Axis.FORCE) for day in ended if day > answer.on][:1]
    if effect is not None and effect.until is not None:
        ends.append((effect.until, Axis.EFFICACY))
    reasons = (in_force(store, parse(answer.name), day, answer.as_known, axis).because for day, axis in ends)
    return tuple(reason for because in reasons for reason in because if _effect_of(reason) in _UNDOES)


def _effect_of(reason: Reason) -> EventEffect | None:
    term = EVENTS.get(reason.event or "")
    return term.effect if term is not None else None


def deciding_reasons(answer: InForce, because: Iterable[Reason]) -> Iterator[Reason]:
    """Yield the reasons that decide the status on D, without a signature if a publication follows.

    Args:
        answer: for one D and K.
        because: its reasons, and others like them.
    """
    because, day = list(because), answer.on.isoformat()
    printed = {
        reason.effect
        for reason in because
        if reason.event == _PUBLISHED and reason.known is not None and reason.known <= day
    }
    yield from (reason for reason in because if reason.event != _SIGNED or reason.effect not in printed)


# The dossier itself.


#: The maximum number of names of one relation in a document.
_MOST_NAMES = 1_000


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction between sources.

    Attributes:
        notice: the contradiction, and the records of each side.
        days: the days of force on which they differ on the status or the text; None if that does not follow from days.
    """

    notice: SourcesContradict
    days: Dispute | None

    def as_json(self) -> dict[str, object]:
        days = self.days
        days_document = None
        if days is not None:
            days_document = {"from": _day(days.start), "until": _day(days.until), "known_from": _known_day(days.known)}
        return {**notice_document(self.notice), "days": days_document}


@dataclass(frozen=True, slots=True)
class Effect:
    """An event that acts on a norm or provision.

    Attributes:
        name: the target, canonical, without version.
        reason: the event with its days, cause and source.
    """

    name: str
    reason: Reason

    def as_json(self) -> dict[str, object]:
        return {"name": self.name, **document(self.reason), "version": self.reason.version}


@dataclass(frozen=True, slots=True)
class OnDay:
    """The status of a norm or provision for one (D, K, axis), with its reasons.

    Attributes:
        answer: the result of :func:`queries.in_force`.
        shown_as: the status to show; "in force without effect" is not shown as in force.
        effect: the days without effect; None if it has effect, or nothing is in force.
        intervals: the answers for all days of force, as known on K.
        newest: the version with the newest text in the answer; of an article, it may be a version of a paragraph.
        reasons: each once, with the beginning first.
        contradictions: the contradictions of sources about it and its norm.
    """

    answer: InForce
    shown_as: Status
    effect: WithoutEffect | None
    intervals: tuple[AnswerInterval, ...]
    newest: str | None
    reasons: tuple[Explanation, ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def disputed(self) -> bool:
        """Return whether sources differ on the status or the text of the day."""
        return any(
            contradiction.days is not None and contradiction.days.holds(self.answer.on)
            for contradiction in self.contradictions
        )

    def as_json(self) -> dict[str, object]:
        answer = self.answer
        asked = answer.force if answer.axis is Axis.FORCE else answer.efficacy
        return {
            **document(asked),
            "force": document(answer.force),
            "efficacy": document(answer.efficacy),
            "version": document(answer.version) if answer.version is not None else None,
        }


@dataclass(frozen=True, slots=True)
class Dossier:
    """All data on one norm or provision.

    Attributes:
        name: canonical, without version; as typed if it does not identify one.
        day: its status on D, as known on K, on the requested axis.
        today: its status today, as known today, on the axis of force.
        texts: the periods of the requested axis known by K, sorted by day of knowledge.
        notices: those of the answer for D, without contradictions.
        contradictions: the contradictions of sources about it, its norm, and its parts.
        effects_on: the events that act on it, and on provisions of a norm, known by K.
        effects_by: the events on other norms and provisions caused by it or its provisions, known by K.
        around: its titles and relations; for a provision, the titles and relations of its norm.
        copies: the copies at publishers, each with its version, or with None for a copy of the document itself.
        sources: the records with the data of the dossier.
        notes: the notes of publishers on it and its parts.
    """

    name: str
    day: OnDay
    today: OnDay
    texts: tuple[Period, ...] = ()
    notices: tuple[Notice, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    effects_on: tuple[Effect, ...] = ()
    effects_by: tuple[Effect, ...] = ()
    around: RelatedData | None = None
    copies: tuple[tuple[ItemAnswer, str | None], ...] = ()
    sources: tuple[Record, ...] = ()
    notes: tuple[ProvisionNote, ...] = ()

    @property
    def is_unknown(self) -> bool:
        """Whether the name is unknown, the text identifies no single name, or the norm has no such provision."""
        return self.day.answer.is_unknown

    def as_json(self) -> dict[str, object]:
        answer = self.day.answer
        return {
            "name": self.name,
            "asked": answer.asked,
            "question": {"on": _day(answer.on), "as_known": _day(answer.as_known), "axis": answer.axis.value},
            **self.day.as_json(),
            **({"nearest": answer.nearest} if answer.nearest is not None else {}),
            "today": self.today.as_json(),
            "called": _titles_document(self.around),
            "texts": [_text_document(text) for text in self.texts],
            "reasons": [explanation_document(reason) for reason in self.day.reasons],
            "notices": [notice_document(notice) for notice in self.notices],
            "contradictions": [contradiction.as_json() for contradiction in self.contradictions],
            "effects_on": [effect.as_json() for effect in self.effects_on],
            "effects_by": [effect.as_json() for effect in self.effects_by],
            "related": _related_document(self.around),
            "notes": [document(note) for note in self.notes],
            "copies": copies_document(self.copies),
            "sources": [_source_document(source) for source in self.sources],
            "horizon": [{"provider": provider, "known_up_to": _day(day)} for provider, day in answer.known_up_to],
        }


def dossier(
    store: Store,
    name: str | Name,
    on: date | str | None = None,
    as_known: date | str | None = None,
    axis: Axis | str | None = None,
    *,
    today: date | None = None,
    effects: bool = True,
    reading: Reading | None = None,
) -> Dossier:
    """Return all data on a norm or provision on D, as anyone could have known it on K, and its status today.

    Args:
        name: as :func:`queries.in_force` takes it, as are the days.
        on: D, a civil date; default today.
        as_known: K, a civil date; default today.
        axis: ``force`` (default) or ``efficacy``.
        today: today's civil date; default that of :func:`graph.civil.today`.
        effects: whether to include the events on it and by it, and their records.
        reading: as for :func:`queries.text.absent.located`.

    Returns:
        Always a dossier: for an unknown name, its status is ``unknown-name``; for a provision that its norm does not
            have, ``no-such-provision``.

    Raises:
        BadName, BadDate, BadParameter: the question is malformed.
        NotYetKnown: K is in the future.
    """
    if not isinstance(store, MemoizingStore):
        store = MemoizingStore(store)  # several steps read the same data, which do not change between them
    answer = located(store, in_force(store, name, on, as_known, axis), reading)
    target = _target(answer)
    if target is None:
        alone = OnDay(answer, answer.status, None, (), None, (), ())
        return Dossier(answer.name, alone, alone, notices=answer.notices)
    return _dossier_of(store, target, answer, today or civil_today(), effects=effects, reading=reading)


def _dossier_of(
    store: Store, target: Name, answer: InForce, now: date, *, effects: bool, reading: Reading | None
) -> Dossier:
    known, axis = answer.as_known, answer.axis
    day = on_day(store, target, answer)
    today = day
    if (answer.on, known, axis) != (now, now, Axis.FORCE):
        today = on_day(store, target, located(store, in_force(store, target, now, now), reading))
    within = [Contradiction(notice, dispute(notice)) for notice in contradicted_within(store, target, known)]
    contradictions = tuple(dict.fromkeys((*day.contradictions, *within)))
    effects_on = tuple(_effects_on(store, target, known)) if effects else ()
    cited = _cited_records(contradictions, effects_on, day, today)
    return Dossier(
        target.canonical,
        day,
        today,
        tuple(period for period in _periods(store, target) if period.axis is axis and period.known_from <= known),
        tuple(notice for notice in answer.notices if not isinstance(notice, SourcesContradict)),
        contradictions,
        effects_on,
        tuple(_effects_by(store, target, known)) if effects else (),
        related_data(store, target.work, None, citations=target == target.work, known=known if known < now else None),
        copies_of(store, target, answer, None),
        tuple(records_of(store, cited).values()) if effects else (),
        editorial_notes(store, target, known),
    )


def on_day(store: Store, target: Name, answer: InForce) -> OnDay:
    """Return the status of a norm or provision on a day, with its reasons.

    Args:
        target: without version.
        answer: the result of :func:`queries.in_force` for it.
    """
    intervals = over_force(store, target, answer.as_known)
    effect = without_effect(store, answer)
    contradictions = tuple(
        Contradiction(disagreement, dispute(disagreement)) for disagreement in disagreements(store, answer)
    )
    because = tuple(_reasons(store, answer, intervals, effect))
    return OnDay(answer, shown_as(answer, effect), effect, intervals, newest(store, answer), because, contradictions)


def _reasons(
    store: Store, answer: InForce, intervals: tuple[AnswerInterval, ...], effect: WithoutEffect | None
) -> Iterator[Explanation]:
    """Yield the explanations of an answer, each event once; of two roles the deciding one."""
    roles = {
        Role.DECIDED: answer.because,
        Role.BEGAN: starting_reasons(store, answer, intervals),
        Role.WORDED: tuple(wording_events(store, answer)),
        Role.WITHOUT_EFFECT: effect.because if effect is not None else (),
        Role.UNDOES: undoing_events(store, answer, intervals, effect),
    }
    role_of: dict[Reason, Role] = {}
    for role, because in roles.items():
        for reason in because:
            role_of.setdefault(reason, role)
    reasons = (
        *roles[Role.BEGAN],
        *(
            role_reason
            for role, role_reasons in roles.items()
            if role is not Role.BEGAN
            for role_reason in role_reasons
        ),
    )
    deciding = list(dict.fromkeys(deciding_reasons(answer, reasons)))
    for stated, reason in zip(deciding, with_days_of_acts(deciding, answer), strict=True):
        yield Explanation(role_of[stated], reason)


def _effects_on(store: Store, target: Name, known: date) -> Iterator[Effect]:
    """Yield the events that act on a norm or provision, and on its parts, known by K.

    For a norm, amendments of provisions count as its own; for a provision also those of its parts.
    """
    yield from (Effect(target.canonical, reason) for reason in _acting_events(store, target, known))
    if target == target.work:
        for name, reasons in provisions_with_events(store, target, known).items():
            yield from (Effect(name.canonical, reason) for reason in reasons)
        return
    for name in map(parse, parts_with_own_history(store, target)):
        yield from (Effect(name.canonical, reason) for reason in _acting_events(store, name, known))


def _effects_by(store: Store, target: Name, known: date) -> Iterator[Effect]:
    """Yield the events that a norm or provision caused, known by K, by the name of their target."""
    rows = named("effects_of_norm").rows(store, {"norma": target.work.canonical})
    acted = (parse(from_iri(str(row["alvo"]))) for row in rows)
    for name in dict.fromkeys(affected.provision or affected.work for affected in acted):
        for reason in _acting_events(store, name, known):
            if reason.cause is not None and _is_target_or_part(reason.cause, target):
                yield Effect(name.canonical, reason)


def _is_target_or_part(cause: str, target: Name) -> bool:
    own = target.canonical
    return cause == own or cause.startswith(f"{own}_" if "!" in own else f"{own}!")


def _acting_events(store: Store, target: Name, known: date) -> tuple[Reason, ...]:
    """Return the events that made versions of a norm or provision, and those that act on it, by day of knowledge."""
    views = versions(store, target.iri)
    caused = causes(store, target.iri, views)
    made = [
        reason
        for version in views
        if version.view_date is None or version.view_date <= known
        for reason in reasons_of(store, target, version, caused)
    ]
    every = dict.fromkeys((*made, *known_events(store, target, known)))
    return tuple(
        sorted(every, key=lambda reason: (reason.known or "9999", reason.effect or "9999", reason.event or ""))
    )


def _periods(store: Store, target: Name) -> tuple[Period, ...]:
    return periods_of(store, target) if records(store, target.iri) else ()


def _cited_records(contradictions: Iterable[Contradiction], effects: Iterable[Effect], *days: OnDay) -> Iterator[str]:
    """Yield the IRIs of the records with the data of the dossier."""
    for contradiction in contradictions:
        yield from (statement.record for statement in contradiction.notice.statements)
    for day in days:
        reasons = flattened(reason.reason for reason in day.reasons)
        yield from (reason.source for reason in reasons if reason.source is not None)
    yield from (effect.reason.source for effect in effects if effect.reason.source is not None)
    for day in days:
        yield from day.answer.sources


def _target(answer: InForce) -> Name | None:
    """Return the norm or provision of an answer; None if the text does not identify one."""
    name = parse_or_none(answer.name)
    if name is None:
        return None
    return name.provision or name.work


def _day(value: date | None) -> str | None:
    return value.isoformat() if value is not None else None


def _known_day(value: date) -> str | None:
    """Return a day of knowledge; None if it is not known."""
    return value.isoformat() if value > date.min else None


def _text_document(period: Period) -> dict[str, object]:
    return {
        "version": period.version,
        "valid": {"from": _day(period.valid_from), "until": _day(period.valid_until)},
        "known": {"from": _day(period.known_from), "until": _day(period.known_until)},
        "status": period.status.value,
    }


def _titles_document(around: RelatedData | None) -> dict[str, object]:
    called = around.called if around is not None else None
    return {
        "epigraph": called.epigraph if called is not None else None,
        "nicknames": [nickname.value for nickname in called.nicknames] if called is not None else [],
        "summaries": list(called.summaries) if called is not None else [],
    }


def _related_document(around: RelatedData | None) -> dict[str, object]:
    if around is None:
        return {}
    published = {"published-in": around.issues} if around.issues else {}
    related: Mapping[str, tuple[str, ...]] = {
        **{related_norm.code: related_norm.names for related_norm in around.related},
        **published,
    }
    return {code: {"count": len(names), "names": list(names[:_MOST_NAMES])} for code, names in related.items()}


def _source_document(record: Record) -> dict[str, object]:
    return {
        "record": record.iri,
        "identifier": record.identifier,
        "provider": record.provider,
        "datestamp": record.datestamp,
        "curator": record.curator,
        "origin": record.origin,
        "cited": record.cited,
        "remark": record.remark,
    }
