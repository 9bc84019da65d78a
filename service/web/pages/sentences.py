"""Sentences of the pages: statuses with their days, events, and changes that were undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from markupsafe import Markup

import queries.notices as n
from graph.civil import ONE_DAY
from graph.document_kinds import begins_with_its_event
from graph.errors import BadName
from graph.terms import day_stated
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import parse
from graph.wording.provisions import provision_name
from ontology.events import EventKind
from queries.answers import InForce
from queries.efficacy import WithoutEffect
from queries.intervals import SINCE, AnswerInterval, first_possible_start, first_with_same_status, status_since
from queries.notices import Notice
from queries.reasons import Reason, are_declarations, interrupts
from queries.text.change_days import ChangeDay
from queries.text.wording_history import bounds_of, is_ended_by_act
from service.web.http.negotiation import Language
from service.web.pages.frame import (
    counted,
    format_markup,
    gender,
)
from service.web.pages.notices import notice_sentence
from service.web.pages.phrases import (
    DECLARED_VOID,
    Phrases,
    effect_of_reason,
    facts_by_curator,
    is_only_signature,
)
from words.texts import FORESEEN

_CONVERSION, _REVOCATION, _START = EventKind.CONVERSAO, EventKind.REVOGACAO, EventKind.INICIO_VIGENCIA
_AMENDMENT, _SIGNATURE = EventKind.ALTERACAO, EventKind.ASSINATURA
#: A word in the names of courts.
_COURT = "tribunal"
_LAPSE = EventKind.CADUCIDADE
_LAPSES = frozenset({_LAPSE, EventKind.REJEICAO})
#: The statuses of what was in force before; a veto precedes force.
_ENDED_AFTER_FORCE = frozenset(ENDED) - {Status.VETOED}
#: The statuses that may follow vacatio other than in force.
_BEFORE_FORCE = {*ENDED, Status.UNKNOWN}


@dataclass(frozen=True, slots=True)
class SourcedSentence:
    """A sentence of a page.

    Attributes:
        text: the sentence.
        source: the IRI of the record that states it; None where it has no record of its own.
    """

    text: Markup | str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Sentences(Phrases):
    """The sentences of one page: statuses, reasons and notices."""

    def reason(self, reason: Reason) -> SourcedSentence:
        """Return the event that decided an answer, with its cause and days."""
        by = self.words("norm.caused_by", cause=self.cause(reason)) if reason.cause is not None else ""
        event, known = self.event_in_words(reason), self.published(reason.known)
        effect = effect_of_reason(reason, self)
        is_signed, published = self._signature(reason)
        if published is not None:
            values = {"known": known, "published": self.published(published.isoformat())}
            text = self.words("norm.reason_published", event=event, by=by, effect=effect, **values)
        else:
            has_day_of_act = reason.of_act and reason.named is None  # a named act has its own day of publication
            key = "norm.reason_signed" if is_signed or has_day_of_act else "norm.reason"
            key = "norm.reason_signature" if is_only_signature(reason) else key
            key = "norm.reason_of_text" if _is_of_no_norm(reason) else key
            text = self.words(key, event=event, by=by, effect=effect, known=known)
        if reason.counted is not None:
            text = text.removesuffix(".") + counted(reason.counted, self.words) + "."
        return SourcedSentence(text, reason.source)

    def _signature(self, reason: Reason) -> tuple[bool, date | None]:
        """Return whether a reason is known since a signature, and the later day of publication where a source has it.

        The day of an act in its name is that of its signature. An act of a court has none.
        """
        if reason.event == _SIGNATURE:
            return True, None
        if reason.cause is None or reason.known is None:
            return False, None
        act = parse(reason.cause).work
        signed = act.representative_date
        if signed is None or reason.known != signed.isoformat() or _COURT in act.canonical.partition(";")[0]:
            return False, None
        published = self.published_on(act) if self.published_on is not None else None
        return published != signed, published if published is not None and published > signed else None

    def event_in_words(self, reason: Reason) -> Markup:
        """Return the event of a reason in words, with the provisions if it acts on only a part of a norm."""
        if reason.event == _LAPSE and reason.cause is not None:  # only a law that converts a measure causes a lapse
            return self.words("norm.event_not_kept")
        if not reason.provisions:
            return format_markup("{}", self.event_of(reason))
        parts = [provision.rpartition("!")[2] for provision in reason.provisions]
        called = provision_name(parts, language="pt" if self.frame.language is Language.PORTUGUESE else "en")
        text = self.words("norm.event_in_part", event=self.event(reason.event).lower(), provisions=called)
        return text[:1].upper() + text[1:]

    def cause(self, reason: Reason) -> Markup:
        """Return the norm that caused an event as a link, marked where the cause is inferred from dates."""
        cause = self.link(reason.cause or "", short=True)
        return self.words("norm.inferred", cause=cause) if self.is_inferred(reason) else cause

    def reasons(self, because: Iterable[Reason]) -> list[SourcedSentence]:
        """Return the events that decided an answer, each sentence once.

        An event that one source dates within bounds, and another exactly, is shown with the exact days.
        """
        shown = map(self.reason, without_vaguer(with_bounds_of_versions(because)))
        return list({reported.text: reported for reported in shown}.values())

    def notice(self, notice: Notice) -> SourcedSentence:
        """Return the sentence of a notice."""
        return SourcedSentence(notice_sentence(notice, self))

    def notices(self, notices: Iterable[Notice]) -> list[SourcedSentence]:
        """Return the sentences of notices, each once. The facts of one curator are one sentence."""
        every = list(dict.fromkeys(notices))
        joined = facts_by_curator(every)
        first = [notice for notice in every if notice not in joined or joined[notice][0] == notice]
        return [self.facts(joined[notice]) if notice in joined else self.notice(notice) for notice in first]

    def facts(self, facts: Sequence[n.CuratedFact]) -> SourcedSentence:
        """Return the sentence of facts that one curator states, each with a source."""
        named = dict.fromkeys((fact.source or "", self.cited_source(fact.source or "")) for fact in facts)
        quoted = (cited if cited.striptags() != source else format_markup("“{}”", source) for source, cited in named)
        sources = Markup(", ").join(quoted)
        return SourcedSentence(self.words("norm.curated_facts", who=facts[0].curator, sources=sources))

    def coverage_sentence(self, known_up_to: Iterable[tuple[str, date]]) -> Markup:
        """Return the last day that each provider covers, and that other sources state none.

        Providers with the same day are joined.

        Args:
            known_up_to: providers, each with the day of its newest record.
        """
        words = self.words
        providers: dict[date, list[Markup]] = {}
        for provider, day in sorted(known_up_to):
            named = self.source(provider)
            if named not in providers.setdefault(day, []):
                providers[day].append(named)
        if not providers:
            return words("norm.horizon_unsaid")
        reported = (
            words("norm.horizon_of", day=words.time(day), providers=Markup(", ").join(providers[day]))
            for day in sorted(providers, reverse=True)
        )
        return words("norm.horizon", reaches=Markup("; ").join(reported))

    def status_sentence(
        self,
        answer: InForce,
        intervals: Sequence[AnswerInterval],
        version: str | None,
        effect: WithoutEffect | None = None,
        changed: ChangeDay | None = None,
        *,
        named: bool = True,
        changed_by_act: bool = False,
    ) -> Markup:
        """Return the status as a sentence with its days and text.

        Args:
            answer: the answer for one D and K.
            intervals: the answers for all days of force, as known on that K.
            version: the version of the text.
            effect: the days without effect; None where it has effect.
            changed: the day of the last change of its text within the version; None where it did not change.
            named: whether the sentence names the norm that revoked it.
            changed_by_act: whether the day of the last change is only that of the act.
        """
        words, status = self.words, answer.status
        if self.is_wording_open(answer):
            return words("norm.is_wording_open")
        suspended = self.without_effect(effect) if effect is not None else ""
        if suspended and status is Status.SUSPENDED:
            return words("norm.is_in_force_also", effect=suspended)
        index = next((i for i, interval in enumerate(intervals) if interval.holds(answer.on)), None)
        if index is None or status not in {*SINCE, Status.VACATIO} or intervals[index].status is not status:
            plain = words("norm.is_in_force_also", effect=suspended) if suspended else self._is(answer)
            plain += self._start_on_publication(answer)
            return (self._ended_by(answer) if index is None and not suspended else None) or plain
        first = first_with_same_status(intervals, index)
        last = index
        while last + 1 < len(intervals) and intervals[last + 1].status is status:
            last += 1
        end = intervals[last].until
        after = intervals[last + 1] if last + 1 < len(intervals) else None
        if status is Status.VACATIO:
            return self._vacatio_sentence(answer, after)
        if status is Status.ANNULLED and not any(
            interval.version or interval.status is Status.UNKNOWN for interval in intervals[:index]
        ):
            return self._is(answer, "_origin")
        doubtful = (first > 0 and intervals[first - 1].status is Status.UNKNOWN) or (
            status in ENDED and is_at_last(answer.because, intervals[first].start)
        )
        start = words.time(intervals[first].start)
        open_end = after is not None and after.status is Status.UNKNOWN
        since = self._since(answer, intervals, first, (end, open_end), doubtful=doubtful)
        law = _law_of_conversion(answer)
        converted = words("norm.at_latest_on" if doubtful else "norm.published_day", day=start)
        if status is Status.CONVERTED and law is not None:
            return self._is(answer, "_into", law=self.link(law, short=True), when=converted) + "."
        from_day = since if doubtful else words("norm.when_day", day=start)
        revoked = self._revoked(answer, from_day, named=named) if end is None else None
        if revoked is not None:
            return revoked + "."
        since = self.of_act(since) if end is None and is_ended_by_act(answer) else since
        again = status is Status.IN_FORCE and _is_again(intervals, first)
        if status is Status.CONVERTED:
            text = self._is(answer, "_since", when=converted)
        else:
            text = self._is(answer, "_again" if again else "_since", since=since)
        if end is not None and status is Status.CONVERTED:
            text += " " + self._last_day(end, open_end)
        if suspended:
            text += ", " + suspended
        if status is Status.IN_FORCE and version is not None:
            text += self._text_in_force(version, changed, of_act=changed_by_act)
        return text + "."

    def _since(
        self,
        answer: InForce,
        intervals: Sequence[AnswerInterval],
        first: int,
        ended: tuple[date | None, bool],
        *,
        doubtful: bool,
    ) -> Markup:
        """Return the days of a status; a day on which a store only derived its periods is not given as its first.

        Args:
            first: the index of the first interval with the status.
            ended: the day after the last one, and whether the status from that day on is unknown.
            doubtful: whether the status may have begun earlier.
        """
        words, start, (end, open_end) = self.words, intervals[first].start, ended
        if end is not None:
            return self.interval(start, end, (start if doubtful else None, end if open_end else None))
        possible = first_possible_start(answer.because, intervals, first)
        if possible is not None:
            return words("norm.since_open", first=words.time(possible))
        return words("norm.at_least_since" if doubtful else "norm.since", day=words.time(start))

    def _text_in_force(self, version: str, changed: ChangeDay | None, *, of_act: bool) -> Markup:
        """Return the text in force, to follow the status: its wording, or the day or bounds of its last change."""
        words = self.words
        if changed is None:
            return words("norm.and", text=self.wording(version))
        corrected = self.correction(version)
        text = words("norm.and", text=corrected) if corrected is not None else Markup("")
        if changed.exact is not None:
            day = words.time(changed.exact)
            return text + words("norm.changed_to", day=self.of_act(day) if of_act else day)
        last = words.time(changed.last or date.max)
        if changed.first is None:
            return text + words("norm.changed_at_latest", last=last)
        return text + words("norm.changed_between", first=words.time(changed.first), last=last)

    def _revoked(self, answer: InForce, since: Markup, *, named: bool) -> Markup | None:
        """Return a revocation with its act, or with its bounds if no source names the act; None for any other answer.

        Args:
            answer: the answer.
            since: the first day without force, in words.
            named: whether the act is named.
        """
        words, is_of_act = self.words, is_ended_by_act(answer)
        between = self.revoked_between(answer)
        if between is not None:
            is_constitution = parse(answer.name).tipo_documento[0] == "constituicao"
            act = words("norm.which_amendment" if is_constitution else "norm.which_act")
            return self._is(answer, "_between", since=self.of_act(between) if is_of_act else between, act=act)
        by = self.revoked_by(answer, first=True) if named else None
        if by is None:
            return None
        return self._is(answer, "_by", by=by, since=self.of_act(since) if is_of_act else since)

    def _start_on_publication(self, answer: InForce) -> Markup:
        """Return the clause by which a norm starts on its publication, whose day no source states; else nothing."""
        norm = parse(answer.name).work.canonical
        for reason in answer.because if answer.status is Status.UNKNOWN else ():
            bounds = day_stated(reason.effect)
            clause = reason.cause if reason.cause is not None and reason.cause.startswith(f"{norm}!") else None
            if reason.event != _START or clause is None or bounds is None or reason.effect != reason.known:
                continue
            values = {"clause": self.link(clause, short=True), "first": self.words.time(bounds.first)}
            if bounds.last is None:
                return Markup(" ") + self.words("norm.starts_on_publication", **values)
            return Markup(" ") + self.words(
                "norm.starts_on_publication_between", **values, last=self.words.time(bounds.last)
            )
        return Markup("")

    def _ended_by(self, answer: InForce) -> Markup | None:
        """Return the sentence for a revoked norm of which no source dates a text; None if its end has no exact day."""
        by = self.revoked_by(answer)
        ended = [day_stated(reason.effect) for reason in answer.because if reason.event == _REVOCATION]
        day = ended[0].exact if by and len(ended) == 1 and ended[0] is not None else None
        if day is None:
            return None
        since = self.words("norm.when_day", day=self.words.time(day))
        return self._is(answer, "_by", by=by, since=since) + "."

    def converted_into(self, answer: InForce) -> Markup | None:
        """Return that a measure was converted into a law that a source names, without the day; else None."""
        law = _law_of_conversion(answer) if answer.status is Status.CONVERTED else None
        return self._is(answer, "_law", law=self.link(law, short=True)) if law is not None else None

    def revoked_by(self, answer: InForce, *, first: bool = False) -> Markup | None:
        """Return the norm that revoked a revoked norm, where exactly one stated cause is known; else None.

        Several acts may revoke one after the other, such as a provisional measure and its law of conversion.

        Args:
            first: whether the first of them is asked, instead of the one that was not undone.
        """
        if answer.status is not Status.REVOKED:
            return None
        stated = [reason for reason in answer.because if reason.event == _REVOCATION and not self.is_inferred(reason)]
        day = min((reason.effect or "" for reason in stated), default=None)
        acts = [reason.cause for reason in stated if ((reason.effect or "") == day if first else not reason.undone_by)]
        return self.by_one(acts[0], short=True) if len(acts) == 1 and acts[0] is not None else None

    def revoked_between(self, answer: InForce) -> Markup | None:
        """Return the bounds of a revocation by an act that no source names, in words; None for any other answer."""
        if answer.status is not Status.REVOKED:
            return None
        revocations = [reason for reason in answer.because if reason.event == _REVOCATION]
        effect = day_stated(revocations[0].effect) if len(revocations) == 1 else None
        if effect is None or effect.exact is not None or effect.last is None or revocations[0].cause is not None:
            return None
        return self.words("norm.between", first=self.words.time(effect.first), last=self.words.time(effect.last))

    def days_of_status_sentence(
        self,
        answer: InForce,
        intervals: Sequence[AnswerInterval],
        version: str | None,
        effect: WithoutEffect | None = None,
        changed: ChangeDay | None = None,
    ) -> frozenset[date]:
        """Return the civil dates that :meth:`status_sentence` states, for the same arguments."""
        days: set[date | None] = set()
        if effect is not None and effect.decided:
            days |= {effect.start, effect.until}
            days |= {effect.until - ONE_DAY} if effect.until is not None else set()
        began = status_since(answer, intervals)
        following = next((interval for interval in intervals if answer.on < interval.start), None)
        if answer.status is Status.VACATIO and following is not None:
            days |= {following.start, following.start - ONE_DAY}
        if began is not None:
            ends = next(
                (
                    interval.start
                    for interval in intervals
                    if began < interval.start and interval.status is not answer.status
                ),
                None,
            )
            last = ends or next(
                (interval.until for interval in reversed(intervals) if interval.status is answer.status), None
            )
            days |= {began, last - ONE_DAY if last is not None else None}
            if answer.status.stands and version is not None:
                made = parse(version)
                if changed is None:
                    days |= {made.version_date, made.view_date}
                else:
                    days |= {
                        changed.first,
                        changed.last,
                        made.view_date if self.correction(version) is not None else None,
                    }
        return frozenset(day for day in days if day is not None)

    def status(self, answer: InForce, effect: WithoutEffect | None = None) -> Markup:
        """Return the status in a word or two that agree in gender with the norm or provision."""
        if effect is not None and not effect.decided:
            return self.words("status.effect_undecided")
        if effect is not None:
            return self.words(f"status.{'suspended' if effect.suspended else 'no_effect_yet'}")
        if self.is_wording_open(answer):
            return self.words("status.wording_open")
        key = "signed" if self._is_only_signed(answer) else DECLARED_VOID if is_declared_void(answer) else answer.status
        return self.agreed(f"status.{key}", answer.name)

    def _is_only_signed(self, answer: InForce) -> bool:
        """Return whether the sources date the publication of a norm in vacatio after D."""
        if answer.status is not Status.VACATIO:
            return False
        day = self.published_on(parse(answer.name).work) if self.published_on is not None else None
        return day is not None and day > answer.on

    def without_effect(self, effect: WithoutEffect) -> Markup:
        """Return the days without effect, as part of a sentence."""
        words = self.words
        if not effect.decided:
            return words("norm.effect_undecided")
        if not effect.suspended:
            if effect.until is None:
                return words("norm.no_effect_yet")
            return words("norm.no_effect_until", day=words.time(effect.until))
        text = words("norm.suspended")
        if effect.start is not None:
            since = "norm.at_least_since" if effect.open_start else "norm.since"
            text += " " + words(since, day=words.time(effect.start))
        if effect.until is not None:
            text += " " + self._last_day(effect.until, effect.open_end)
        return text

    def _vacatio_sentence(self, answer: InForce, after: AnswerInterval | None) -> Markup:
        """Return the sentence for vacatio, with the first day of force or the status that followed instead of force."""
        begun = self._is(answer)
        if after is None or (after.version is None and after.status not in _BEFORE_FORCE):
            return begun
        begun = begun.removesuffix(".")
        if after.status is Status.UNKNOWN:
            until = self._last_day(after.start, doubtful=True)
            return self.words("tenses.after_undecided", said=begun, until=until)
        values = {"said": begun, "day": self.words.time(after.start)}
        key = "tenses.comes"
        if after.version is None:
            key, values["how"] = "tenses.in_vain", self.status_word(after.status, answer.name).lower()
        # the day foreseen on K may have changed since
        tense = FORESEEN if answer.as_known < self.today else self.tense(after.start)
        return self.words(key, tense, **values)

    def _last_day(self, end: date, doubtful: bool) -> Markup:
        """Return the last day of an interval; the last known one where the status after it is unknown."""
        return self.words("norm.at_least_until" if doubtful else "norm.until", day=self.words.time(end - ONE_DAY))

    def _is(self, answer: InForce, ending: str = "", **values: object) -> Markup:
        """Return the message on a status, in the right gender and tense."""
        status = DECLARED_VOID if is_declared_void(answer) else _key(answer.status)
        key = f"norm.is_{'signed' if self._is_only_signed(answer) else status}{ending}"
        return self.words(key, self.tense(answer.on), *gender(answer.name, self.vocabulary), **values)


def _is_of_no_norm(reason: Reason) -> bool:
    """Return whether a reason made a text of a bill or judgment, which has no start of force."""
    return (
        reason.version is not None
        and reason.effect in {None, reason.known}
        and begins_with_its_event(parse(reason.version).work)
    )


def undone_change(
    reason: Reason,
    answer: InForce,
    sentences: Sentences,
    is_kept: Callable[[Reason, Reason], bool] = lambda _, __: False,
) -> SourcedSentence:
    """Return the sentence for a change whose cause was undone: since when the original applies again, and why.

    Args:
        reason: the reason with the events that undid it.
        answer: the answer that the reason belongs to.
        sentences: the sentences of the page.
        is_kept: returns whether the law of a conversion has an act like that of the measure.
    """
    words, undone = sentences.words, reason.undone_by[0]
    if not answer.status.stands or len(reason.undone_by) > 1 or undone.undone_by:
        chain = _chain(reason, answer.name, sentences)
        return SourcedSentence(words("norm.undone", chain=chain[:1].upper() + chain[1:]), reason.source)
    kept = undone.event == _CONVERSION and is_kept(reason, undone)
    act = _undone_act(reason, undone, sentences, kept=kept)
    asked = answer.force if answer.axis is Axis.FORCE else answer.efficacy
    if kept or (undone.event == _CONVERSION and undone.cause is None):
        return SourcedSentence(words("norm.undone_in_force", what=act), reason.source)
    if asked.since is not None and undone.effect == asked.since.isoformat():
        key = "norm.undone_again" if interrupts(reason) else "norm.undone_since"
        return SourcedSentence(words(key, day=words.time(asked.since), what=act), reason.source)
    effect = day_stated(undone.effect)
    if undone.known is None or effect is None or not effect.certain_on(answer.on):
        return SourcedSentence(words("norm.undone_in_force", what=act), reason.source)
    key = "norm.undone_known_wording" if reason.event == _AMENDMENT else "norm.undone_known"
    return SourcedSentence(words(key, known=sentences.published_of(undone.known), what=act), reason.source)


def _undone_act(reason: Reason, undone: Reason, sentences: Sentences, *, kept: bool) -> Markup:
    """Return an act and the event that undid it, in words: the amendment by A lost its effect."""
    words = sentences.words
    act = _act(reason, sentences)
    if reason.cause is not None:
        act = words("norm.undone_act_by", act=act, by=sentences.by_one(reason.cause, short=True))
    if undone.event in _LAPSES:
        return words("norm.undone_lapsed", act=act)
    if undone.event == _CONVERSION:
        if undone.cause is None:
            return words("norm.undone_converted", act=act)
        key = "norm.undone_kept" if kept else "norm.undone_not_kept"
        return words(key, act=act, law=sentences.link(undone.cause, short=True))
    ending = words("norm.undone_ending", act=_act(undone, sentences))
    if undone.cause is not None:
        ending = words("norm.undone_act_by", act=ending, by=sentences.by_one(undone.cause, short=True)).removesuffix(
            ","
        )
    return words("norm.undone_void", act=act, ending=ending)


def _act(reason: Reason, sentences: Sentences) -> Markup:
    """Return an event as a noun with its article."""
    key = f"norm.undone_act_{(reason.event or '').replace('.', '_')}"
    if sentences.words.has(key):
        return sentences.words(key)
    return sentences.words("norm.undone_act_other", event=sentences.event(reason.event).lower())


def _chain(reason: Reason, name: str, sentences: Sentences) -> Markup:
    """Return an event and the events that undid it, in words: revoked by A, which was annulled by B."""
    words, key = sentences.words, f"norm.undone_by_{(reason.event or '').replace('.', '_')}"
    if words.has(key):
        text = sentences.agreed(key, name)
    else:
        text = words("norm.undone_by_event", event=sentences.event(reason.event).lower())
    if reason.cause is not None:
        text += " " + sentences.by_one(reason.cause, short=True)
    for undoing in reason.undone_by:
        text += words("norm.undone_which", chain=_chain(undoing, reason.cause or name, sentences))
    return text


def with_bounds_of_versions(because: Iterable[Reason]) -> list[Reason]:
    """Return reasons, where an event without days has the bounds in the name of the version that it made.

    It is left out if another reason with the same cause states an event with these bounds.
    """
    every = list(because)
    bounded = [replace(reason, effect=days, known=days) if (days := _bounds(reason)) else reason for reason in every]
    stated = {(reason.effect, reason.cause) for reason in every if reason.effect is not None}
    return [
        shown
        for reason, shown in zip(every, bounded, strict=True)
        if shown is reason or (shown.effect, shown.cause) not in stated
    ]


def _bounds(reason: Reason) -> str | None:
    """Return the bounds of an event without days, from the name of the version that it made; None for other events."""
    if reason.version is None or reason.effect is not None or reason.known is not None:
        return None
    days = bounds_of(parse(reason.version))
    return "/".join(day.isoformat() for day in days) if days is not None else None


def with_days_of_acts(because: Iterable[Reason], answer: InForce) -> list[Reason]:
    """Return the reasons of an answer, where bounds are replaced by a day that another source states for the act.

    The day is that of the signature or publication of the act, and the first day of the status of the answer.

    Args:
        because: the reasons.
        answer: the answer, with the days of the acts in its notices.
    """
    days_by_act = {notice.act: notice for notice in answer.notices if isinstance(notice, n.ActDays)}
    since = (answer.force if answer.axis is Axis.FORCE else answer.efficacy).since
    return [_with_day_of_act(reason, days_by_act, since) for reason in because]


def _with_day_of_act(reason: Reason, days_by_act: Mapping[str, n.ActDays], since: date | None) -> Reason:
    act = days_by_act.get(reason.cause.partition("!")[0]) if reason.cause is not None else None
    effect = day_stated(reason.effect)
    if act is None or since is None or since not in {act.signed, act.published}:
        return reason
    if effect is None or effect.exact is not None or not effect.possible_on(since):
        return reason
    day = since.isoformat()
    return replace(reason, effect=day, known=day, of_act=reason.of_act and since != act.published)


def without_vaguer(because: Iterable[Reason]) -> list[Reason]:
    """Return reasons without those that state an event of another reason less exactly.

    It is the same event if the act has the same type, number and year, and the exact day is within the bounds.
    """
    every = list(because)
    exact = {_of_act(reason): reason for reason in every if reason.cause is not None and _is_exact(reason)}
    return [reason for reason in every if _is_exact(reason) or not _is_within(exact.get(_of_act(reason)), reason)]


def _of_act(reason: Reason) -> object:
    """Return what identifies an event of an act: the event, its provisions, and the act without its day."""
    try:
        act: object = parse(reason.cause or "").work
    except BadName:
        act = reason.cause
    return reason.event, reason.provisions, reason.counted, act


def _is_exact(reason: Reason) -> bool:
    effect = day_stated(reason.effect)
    return effect is not None and effect.exact is not None


def _is_within(exact: Reason | None, vague: Reason) -> bool:
    """Return whether a reason with an exact day of effect is within the bounds of another."""
    if exact is None or vague.cause is None or vague.undone_by:
        return False
    day, bounds = day_stated(exact.effect), day_stated(vague.effect)
    return day is not None and bounds is not None and day.exact is not None and bounds.possible_on(day.exact)


def is_declared_void(answer: InForce) -> bool:
    """Return whether an answer is annulled because a court declared the norm or provision unconstitutional."""
    return answer.status is Status.ANNULLED and are_declarations(answer.because)


def _key(status: Status) -> str:
    return status.value.replace("-", "_")


def _law_of_conversion(answer: InForce) -> str | None:
    """Return the name of the law that converted a measure; None where no source names it."""
    conversions = (reason.cause for reason in answer.because if reason.event == _CONVERSION)
    return next((cause for cause in conversions if cause is not None), None)


def is_at_last(because: Iterable[Reason], day: date) -> bool:
    """Return whether a day is the last one within the bounds of a deciding event, which may have happened earlier."""
    effects = (day_stated(reason.effect) for reason in because)
    return any(effect is not None and effect.exact is None and effect.last == day for effect in effects)


def _is_again(intervals: Sequence[AnswerInterval], index: int) -> bool:
    """Return whether the text of an interval was in force before, or an earlier interval had ended.

    Two ends are none of something in force: a veto, and one that follows vacatio only.
    """
    before = intervals[:index]
    if any(interval.version is not None and interval.version == intervals[index].version for interval in before):
        return True
    ended = next((i for i, interval in enumerate(before) if interval.status in _ENDED_AFTER_FORCE), None)
    return ended is not None and (ended == 0 or any(row.status is not Status.VACATIO for row in before[:ended]))
