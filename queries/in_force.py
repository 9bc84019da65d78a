"""The main question of Vigente: which version was in force on D, as known on K, and for which reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from graph.civil import parse_day, today
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.terms import day_stated
from graph.time.combination import ActingEvent, certain_ending
from graph.time.kinds import ENDED, Axis, Status
from graph.time.measure_terms import TERM_PASSED
from graph.urn import Kind, Name, from_iri, parse, to_iri
from ontology.events import EVENTS, Effect
from queries.answers import AxisAnswer, Expression, InForce, ItemAnswer, VersionAnswer
from queries.causes import amendments, causes, deciding_events, oldest, reasons_of
from queries.contradictions import contradictions, contradictions_of_container
from queries.evidence import (
    OWN_START,
    Version,
    act_days,
    copies,
    copies_with_anchor,
    curators,
    lifecycle_events,
    records,
    versions,
)
from queries.interpretations import interpretations
from queries.notice_rules import (
    before_norm,
    beyond_horizon,
    changed_commencement,
    measure_notices,
    missing_amendments,
    no_version_dates,
    undated_notice,
    unused_parts,
    wording_notices,
)
from queries.notices import (
    BeforePublication,
    CaputEnded,
    EarlierTextUnknown,
    EfficacyDiffers,
    KnownOnlyLater,
    Notice,
    OnlyMentioned,
    OtherVersion,
    ProvisionUnknown,
    ReferenceName,
    ReturnedInstead,
    TermPassed,
    UnderstoodAs,
    WiderLevel,
)
from queries.orders import derived_texts, made_on, orders_not_applied
from queries.provisions import containers_by_provision, holding
from queries.question import Days, Question, ask, days, refuse_several
from queries.reasons import Reason, flattened
from queries.resolution.interpretation import interpret, only_mentioned
from queries.status import Decided, both_axes, decided, notice_of
from queries.unsourced import WithdrawnRecord, first_known, mentioned_act, withdrawal_notices, withdrawn_for

#: The effects that restore force or efficacy.
_UNDOING = {
    Axis.FORCE: frozenset({Effect.RESTORES}),
    Axis.EFFICACY: frozenset({Effect.RESTORES, Effect.REINSTATES, Effect.STARTS_EFFICACY}),
}


def in_force(
    store: Store,
    name: str | Name,
    on: date | str | None = None,
    as_known: date | str | None = None,
    axis: Axis | str | None = None,
) -> InForce:
    """Return which version of a norm was in force on a day, as anyone could have known it on another day.

    Args:
        name: the norm in any dialect of ``urn:lex``. The name of a version is read as its norm, with a notice. A
            temporal reference (``@versao.vigente.em;D`` ...) has its own day. An incomplete name, a citation or a
            nickname is resolved if exactly one work matches, with a notice.
        on: D, a civil date; default today.
        as_known: K, a civil date; default today.
        axis: ``force`` (default) or ``efficacy``.

    Returns:
        Always an answer: if no version applies, its status and reasons explain why.

    Raises:
        BadName, BadDate, BadParameter: the question is malformed.
        NotYetKnown: K is in the future.
    """
    if not isinstance(store, MemoizingStore):
        store = MemoizingStore(store)  # several steps read the same data
    day = on if on is not None else as_known
    understood = interpret(store, name, parse_day(day) if isinstance(day, str) else day, as_known)
    typed = name if isinstance(name, str) else name.text
    target, stated = understood.name, understood.notices
    if target is None and (target := only_mentioned(store, understood)) is not None:
        stated = (UnderstoodAs(typed, target.canonical),)
    if target is None:
        return _not_understood(typed, days(on, as_known, axis), stated)
    refuse_several(target)
    answer = _Inquiry(store, ask(target, on, as_known, axis, asked=typed), stated).answer()
    return replace(answer, notices=tuple(dict.fromkeys((*answer.notices, *_orders_not_applied(store, answer)))))


def _orders_not_applied(store: Store, answer: InForce) -> Iterable[Notice]:
    """Yield the notices on orders that concern the norm or provision of an answer; after its end, only later orders.

    A later order may have restored it.
    """
    if answer.status in {Status.NOT_PUBLISHED, Status.UNKNOWN_NAME}:
        return
    is_ended = answer.status in ENDED and answer.status is not Status.EXPIRED  # an order may have prolonged its term
    ended = answer.force.since if is_ended else None
    target = parse(answer.name)
    whole = made_on(parse(answer.version.name)) if answer.version is not None else None

    def made(name: str) -> date | None:
        own = (v for v in versions(store, to_iri(name)) if v.view_date is None or v.view_date <= answer.as_known)
        days = [made_on(parse(v.name)) for v in own if v.version_date is not None and v.version_date <= answer.on]
        return max(filter(None, (*days, ended)), default=whole)

    derived = [each for each in derived_texts(store, target.work) if each.day <= answer.on]
    applied = {act for each in derived for act in each.acts}
    for notice in orders_not_applied(store, target, answer.on, answer.as_known, made, applied):
        if target.fragmento is not None or target.canonical in notice.provisions:
            yield notice


def _not_understood(typed: str, asked: Days, notices: tuple[Notice, ...]) -> InForce:
    """Return the answer for a text that does not identify exactly one name."""
    nothing = AxisAnswer(Status.UNKNOWN_NAME)
    return InForce(
        typed,
        typed,
        asked.on,
        asked.as_known,
        asked.axis,
        Status.UNKNOWN_NAME,
        nothing,
        nothing,
        None,
        (),
        (),
        (),
        notices,
        (),
        (),
    )


def _without_repeated(because: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return the reasons; one is left out if it is repeated together with the events that undid it."""
    reasons = tuple(dict.fromkeys(because))
    longer = {replace(reason, undone_by=()) for reason in reasons if reason.undone_by}
    return tuple(reason for reason in reasons if reason.undone_by or reason not in longer)


class _Inquiry:
    """The evaluation of one question."""

    def __init__(self, store: Store, question: Question, notices: Iterable[Notice]) -> None:
        self._store = store
        self._question = question
        self._notices = list(notices)
        name = question.name
        self._target = name.provision or name.work
        self._spoken = records(store, self._target.iri)
        self._axes: Mapping[Axis, AxisAnswer] = {}

    def answer(self) -> InForce:
        question, store = self._question, self._store
        if question.name.kind is Kind.REFERENCE:
            self._notices.append(ReferenceName(question.name.canonical))
            return self._without_version(Status.UNKNOWN_NAME, ())
        self._notices.extend(unused_parts(question))
        gone = withdrawn_for(store, self._target)
        self._notices.extend(withdrawal_notices(gone))
        self._notices.extend(interpretations(store, self._target, question.on, question.as_known))
        if not self._spoken:
            return self._unknown_name(gone)
        self._notices.extend(beyond_horizon(self._spoken, question.as_known))
        known = versions(store, self._target.iri)
        self._axes = both_axes(store, self._target, question.on, question.as_known)
        self._notices.extend(contradictions(store, self._target, known, question.as_known))
        for holder in map(parse, map(from_iri, holding(store, self._target))):
            self._notices.extend(
                contradictions_of_container(store, holder, question.as_known)
            )  # the provision follows its containers
        return self._decided_answer(self._lookup(self._target), known)

    def _decided_answer(self, found: Decided | None, known: list[Version]) -> InForce:
        if found is None:
            has_periods = self._store.summary(self._target.iri).has_periods
            if self._target != self._target.work and not has_periods and self._lookup(self._target.work) is None:
                return self._answer_of_norm()
            return self._before_or_undated(Status.NOT_PUBLISHED, known)
        notice = notice_of(found)
        if notice is not None:
            self._notices.append(notice)
        if found.row.is_of_norm:
            norm = self._lookup(self._target.work)
            if norm is None or not norm.is_dated or norm.status is Status.UNKNOWN or norm.status.stands:
                return self._answer_of_norm()
            return self._without_version(found.status, self._gap_reasons(norm, self._target.work))
        if notice is not None:
            return self._without_version(found.status, self._known_events())
        if not found.is_dated:
            return self._before_or_undated(found.status, known)
        if found.version is not None:
            return self._with_version(found, found.version, known)
        reasons = self._gap_reasons(found, self._target)
        self._note_other_version(None, known)
        return self._without_version(found.status, reasons)

    def _answer_of_norm(self) -> InForce:
        """Return the answer of the norm: its force, or that nothing is known of that day."""
        question = self._question
        norm = in_force(self._store, self._target.work, question.on, question.as_known, question.axis)
        self._notices = list(dict.fromkeys((*self._notices, *norm.notices)))
        return self._without_version(norm.status, norm.because)

    def _lookup(self, work: Name, on: date | None = None) -> Decided | None:
        """Return what is decided for a norm or provision on the requested day, or on another one."""
        question = self._question
        return decided(self._store, work, on or question.on, question.as_known, question.axis)

    def _unknown_name(self, gone: list[WithdrawnRecord]) -> InForce:
        """Return the answer for a name that no record describes.

        A provision may belong to a known norm, and records may be withdrawn.
        """
        norm = self._target.work
        self._spoken = records(self._store, norm.iri) if self._target != norm else []
        if self._spoken:
            self._notices.append(ProvisionUnknown(norm.canonical))
            self._notices.extend(beyond_horizon(self._spoken, self._question.as_known))
            events = self._known_events()
            acting = [ActingEvent("", e.event, day_stated(e.effect), day_stated(e.known)) for e in events]
            ended = certain_ending(acting, self._question.on, self._question.as_known)
            if ended is None:
                whole = in_force(self._store, norm, self._question.on, self._question.as_known, self._question.axis)
                if whole.status is Status.NOT_PUBLISHED:  # nor was any of its provisions
                    return self._without_version(whole.status, ())
                if whole.status in ENDED and not containers_by_provision(self._store, norm.iri):
                    # its provisions are not known, and none of them is in force
                    return self._without_version(whole.status, (*events, *whole.because))
            return self._without_version(ended or Status.UNKNOWN, events)
        events = self._known_events()
        if gone:
            self._spoken = [withdrawal.note for withdrawal in gone]
            return self._without_version(Status.UNKNOWN, events)
        first = first_known(self._store, self._target, today())
        if first is not None and first > self._question.as_known:
            self._notices.append(KnownOnlyLater(first))
        elif self._is_mentioned(events):
            self._notices.append(OnlyMentioned())
        return self._without_version(Status.UNKNOWN_NAME, events)

    def _is_mentioned(self, events: list[Reason]) -> bool:
        """Return whether sources state events of an undescribed name, act on others by it, or only mention its norm."""
        made = amendments(self._store, self._target.iri)
        known = events or any(self._was_known(amendment.known) for amendment in made)
        return bool(known) or mentioned_act(self._store, self._target) is not None

    def _known_events(self) -> list[Reason]:
        """Return the events that anyone could have known by K; for one without days, the day of its cause counts."""
        day = self._question.as_known.isoformat()
        known = self._question.as_known
        reasons = [reason for _, reason in lifecycle_events(self._store, self._target.iri, known)]
        return [r for r in reasons if (r.known or str(oldest(r.cause) if r.cause else day))[: len(day)] <= day]

    def _deciding_events(self, status: Status) -> list[Reason]:
        """Return the events known on K; for a norm that events alone have ended, only those with effect by D."""
        events = self._known_events()
        if status is Status.UNKNOWN:
            return events
        days = ((reason, day_stated(reason.effect)) for reason in events)
        return [reason for reason, day in days if day is not None and day.certain_on(self._question.on)]

    def _was_known(self, known: date | None) -> bool:
        """Return whether an event was known on K. An event without a day of knowledge (None) counts as known."""
        return known is None or known <= self._question.as_known

    def _before_or_undated(self, status: Status, known: list[Version]) -> InForce:
        """Return the answer without a period for (D, K): K is too early, or nothing is dated."""
        question = self._question
        first = min((v.view_date for v in known if v.view_date is not None), default=None)
        if not self._store.summary(self._target.iri).has_periods:
            if status is Status.UNKNOWN:
                self._notices.append(no_version_dates(self._target))
                self._notices.extend(missing_amendments(self._store, self._target, known, question.as_known))
        elif status is Status.UNKNOWN:
            self._notices.append(EarlierTextUnknown(first))
        elif first is not None and first <= question.as_known:
            self._notices.append(BeforePublication(question.on, first))
        return self._without_version(status, [] if status is Status.NOT_PUBLISHED else self._deciding_events(status))

    def _with_version(self, period: Decided, version: str, known: list[Version]) -> InForce:
        question = self._question
        chosen = next((v for v in known if v.name == version), None)
        self._notices.extend(missing_amendments(self._store, self._target, known, question.as_known))
        self._notices.extend(before_norm(self._target, (chosen,) if chosen is not None else ()))
        answer = VersionAnswer(
            name=version,
            version_date=chosen.version_date if chosen else None,
            event=chosen.event if chosen else None,
            view_date=chosen.view_date if chosen else None,
            valid_from=period.days.start,
            valid_until=period.days.until,
            known_from=period.known.start,
            known_until=period.known.until,
        )
        force, efficacy = self._both_axes(period.status)
        self._note_other_version(chosen, known)
        because = _without_repeated((*self._reasons(chosen, period, known), *self._deciders(period)))
        if self._target != self._target.work:
            self._notices.extend(wording_notices(self._store, self._target.work, version))
            self._note_ended_caput()
        expressions, items = self._copies(chosen.iri if chosen else version)
        self._add_reason_notices(because)
        return InForce(
            self._target.canonical,
            question.asked,
            question.on,
            question.as_known,
            question.axis,
            period.status,
            force,
            efficacy,
            answer,
            expressions,
            items,
            tuple(because),
            tuple(self._notices),
            self._horizons,
            chosen.sources if chosen else (),
        )

    def _copies(self, version: str) -> tuple[tuple[Expression, ...], tuple[ItemAnswer, ...]]:
        """Return the texts and copies of a version; of a name with a form only its own text, if a source has it."""
        form, target = self._question.name.forma, self._target.iri
        if form is None:
            texts, items = copies(self._store, target, version)
            return texts, (*items, *copies_with_anchor(self._store, self._target))
        of_form = copies(self._store, target, version, form)
        if of_form[0]:
            return of_form
        self._notices.append(WiderLevel(self._question.name.canonical, ReturnedInstead.VERSION_OF_TEXT))
        return copies(self._store, target, version)

    def _note_ended_caput(self) -> None:
        """Add a notice if the caput of an article in force has ended."""
        caput = parse(f"{self._target.canonical}_cpt")
        found = self._lookup(caput)
        if found is not None and found.status in ENDED:
            self._notices.append(CaputEnded(caput.canonical, found.status))

    def _reasons(self, chosen: Version | None, period: Decided, known: list[Version]) -> Iterable[Reason]:
        """Yield the events that made the version and its view, and that began and ended the period, as far as known
        on K."""
        if chosen is None:
            return
        caused = causes(self._store, self._target.iri, known)
        known_views = [v for v in known if v.view_date is not None and self._was_known(v.view_date)]
        dated = {(v.version_date, v.view_date) for v in known_views if v.event is not None}
        known_views = [
            v for v in known_views if v.event is not None or (v.version_date, v.view_date) not in dated or v == chosen
        ]
        first = next((v for v in known_views if v.version_date == chosen.version_date), chosen)
        for version in dict.fromkeys((first, chosen)):
            yield from reasons_of(self._store, self._target, version, caused)
        if period.days.start != chosen.version_date:
            yield from self._restoring_events(period.days.start)
        until = period.days.until
        if until is not None:
            ending = next((v for v in known_views if v.version_date == until), None)
            gap = self._lookup(self._target, until)
            if gap is not None and gap.is_dated and gap.version is None:
                yield from self._deciders(gap)
            elif ending is not None:
                yield from reasons_of(self._store, self._target, ending, caused)

    def _restoring_events(self, day: date) -> Iterable[Reason]:
        """Yield the events that began days of force of an older version, on the name itself or its containers.

        An event within bounds has certainly occurred only from the last possible day on (docs/explanation/time.md).
        """
        undoing = _UNDOING[self._question.axis]
        for work in (self._target.iri, *holding(self._store, self._target)):
            for _, reason in lifecycle_events(self._store, work, self._question.as_known):
                term = EVENTS.get(reason.event or "")
                if term is None or term.effect not in undoing:
                    continue
                effect, known = day_stated(reason.effect), day_stated(reason.known)
                was_known = known is None or known.possible_on(self._question.as_known)
                if was_known and effect is not None and effect.last == day:
                    yield reason

    def _gap_reasons(self, match: Decided, work: Name) -> list[Reason]:
        """Return the events that decided a gap of a norm or provision; in vacatio, also those of the coming version."""
        known = versions(self._store, work.iri)
        caused = causes(self._store, work.iri, known)
        reasons = self._deciders(match, work)
        if match.status is Status.VACATIO:
            known_views = [v for v in known if v.view_date is not None and v.view_date <= self._question.as_known]
            coming = [v for v in known_views if v.version_date == match.days.until]
            reasons.extend(reason for v in coming for reason in v.reasons(caused))
        if TERM_PASSED in match.because:
            self._notices.append(TermPassed(self._target.work.canonical, match.days.start))
        elif match.status is Status.UNKNOWN:
            self._notices.append(undated_notice(reasons, [v for v in known if self._was_known(v.view_date)]))
        self._note_doubted_causes(reasons)
        return list(dict.fromkeys(reasons))

    def _note_doubted_causes(self, reasons: Iterable[Reason]) -> None:
        """Add the notices on contradictions about the causes of a gap, because its days depend on their days."""
        for cause in dict.fromkeys(reason.cause for reason in reasons if reason.cause is not None):
            norm = parse(cause).work
            notices = contradictions(self._store, norm, versions(self._store, norm.iri), self._question.as_known)
            self._notices.extend(notice for notice in notices if notice not in self._notices)

    def _deciders(self, match: Decided, of: Name | None = None) -> list[Reason]:
        """Return the events that decided a period, as :func:`queries.causes.deciding_events`.

        Args:
            of: the norm or provision with the period; None for the requested one.
        """
        known = self._question.as_known
        return deciding_events(self._store, self._target, of or self._target, match.because, known)

    def _note_other_version(self, version: Version | None, known: list[Version]) -> None:
        """Add a notice if the name of a version was read as its norm, unless the answer is that version."""
        asked = self._question.name
        if asked.versao is not None and not (version is not None and version.fits(asked, known)):
            self._notices.append(OtherVersion(asked.canonical, answered=version is not None))

    @property
    def _horizons(self) -> tuple[tuple[str, date], ...]:
        horizons = {
            note.provider: note.horizon
            for note in self._spoken
            if note.provider is not None and note.horizon is not None
        }
        return tuple(sorted(horizons.items()))

    def _add_reason_notices(self, because: Sequence[Reason]) -> None:
        """Add the notices on the reasons: curated facts, and provisional measures that ended."""
        question = self._question
        notices = measure_notices(self._store, self._target, because, question.on, question.as_known)
        self._notices.extend(notice for notice in notices if notice not in self._notices)
        self._notices.extend(curators(self._store, flattened(because), self._spoken))
        self._notices.extend(act_days(self._store, flattened(because)))
        if self._spoken and all(reason.event != OWN_START for reason in because):
            changed = changed_commencement(self._store, self._target.work, question.as_known)
            self._notices.extend(notice for notice in changed if notice not in self._notices)

    def _without_version(self, status: Status, because: Sequence[Reason]) -> InForce:
        question = self._question
        self._add_reason_notices(because)
        force, efficacy = self._both_axes(status)
        return InForce(
            self._target.canonical,
            question.asked,
            question.on,
            question.as_known,
            question.axis,
            status,
            force,
            efficacy,
            None,
            (),
            (),
            tuple(because),
            tuple(dict.fromkeys(self._notices)),
            self._horizons,
            tuple(note.iri for note in self._spoken),
        )

    def _both_axes(self, status: Status) -> tuple[AxisAnswer, AxisAnswer]:
        """Return the status of force and efficacy, each with its days; without days if no period decides it."""
        asked = self._axes.get(self._question.axis)
        if asked is None or asked.status is not status:
            return AxisAnswer(status), AxisAnswer(status)
        force, efficacy = self._axes[Axis.FORCE], self._axes[Axis.EFFICACY]
        differs = status.stands is not efficacy.status.stands
        if self._question.axis is Axis.FORCE and differs:
            self._notices.append(self._efficacy_notice(status, efficacy))
        return force, efficacy

    def _efficacy_notice(self, force: Status, efficacy: AxisAnswer) -> Notice:
        """Return the notice that a norm or provision is in force without effect, or has effect and is not in force."""
        question = self._question
        answer = in_force(self._store, self._target, question.on, question.as_known, Axis.EFFICACY)
        return EfficacyDiffers(force, efficacy.status, efficacy.since, efficacy.until, answer.because)
