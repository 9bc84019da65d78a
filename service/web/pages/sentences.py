"""Answers as sentences: a status since when, an event with its days, a notice; what is not known is said to be so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from markupsafe import Markup

from graph.entities import Axis
from graph.urn import parse
from graph.wording.provisions import provision_name
from ontology.events import event_iri
from queries.answers import InForce
from queries.efficacy import WithoutEffect
from queries.english import message
from queries.evidence import day_stated
from queries.intervals import SINCE, AnswerInterval, first_like, standing_since
from queries.notices import Notice
from queries.reasons import Reason, Status, interrupts
from queries.status import ENDED
from service.web.http.negotiation import Language
from service.web.pages.phrases import Phrases
from service.web.pages.portuguese import portuguese
from service.web.pages.words import agreeing, counted, labelled, marked

_ONE_DAY = timedelta(days=1)
_CONVERSION, _REVOCATION = "conversao", "revogacao"
#: What may become of a norm in vacatio other than that it comes into force.
_BEFORE_FORCE = {*ENDED, Status.UNKNOWN}


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of a page.

    Attributes:
        text: the sentence.
        source: the IRI of the record that it rests on; None where it rests on none by itself.
    """

    text: Markup | str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Sentences(Phrases):
    """Answers in the words of one page: statuses, reasons and notices as sentences."""

    def reason(self, reason: Reason) -> Told:
        """What decided an answer, with its days."""
        by = self.words("norm.caused_by", cause=self.cause(reason)) if reason.cause is not None else ""
        text = self.words(
            "norm.reason",
            event=self.happened(reason),
            by=by,
            effect=self.when(reason.effect),
            known=self.published(reason.known),
        )
        if reason.counted is not None:
            text = text.removesuffix(".") + counted(reason.counted, self.words) + "."
        return Told(text, reason.source)

    def happened(self, reason: Reason) -> Markup:
        """What happened, in words; of an event that acts on part of a norm, with the provisions."""
        if not reason.provisions:
            return marked("{}", self.event(reason.event))
        parts = [one.rpartition("!")[2] for one in reason.provisions]
        called = provision_name(parts, language="pt" if self.frame.language is Language.PORTUGUESE else "en")
        text = self.words("norm.event_in_part", event=self.event(reason.event).lower(), provisions=called)
        return text[:1].upper() + text[1:]

    def cause(self, reason: Reason) -> Markup:
        """The norm that caused something, as a link; where only the days tell so, that they do."""
        cause = self.link(reason.cause or "")
        return self.words("norm.inferred", cause=cause) if self.is_inferred(reason) else cause

    def reasons(self, because: Iterable[Reason]) -> list[Told]:
        """What decided an answer, each sentence once."""
        return list({told.text: told for told in map(self.reason, because)}.values())

    def notice(self, notice: Notice) -> Told:
        """What to know beside an answer."""
        if self.frame.language is Language.ENGLISH:
            told = message(notice, self._event_in_english)
            return Told(told if told.startswith("urn:") else told[:1].upper() + told[1:])
        return Told(portuguese(notice, self))

    def _event_in_english(self, notation: str) -> str:
        return (labelled(event_iri(notation), Language.ENGLISH) or notation).lower()

    def notices(self, notices: Iterable[Notice]) -> list[Told]:
        """What to know beside an answer, each once."""
        return [self.notice(notice) for notice in dict.fromkeys(notices)]

    def reach(self, known_up_to: Iterable[tuple[str, date]]) -> Markup:
        """How far the sources of an answer reach, in one sentence: providers that reach the same day together.

        Args:
            known_up_to: providers, each with the day of its newest record.
        """
        words = self.words
        providers: dict[date, list[Markup]] = {}
        for provider, day in sorted(known_up_to):
            providers.setdefault(day, []).append(marked("{}", provider))
        if not providers:
            return words("norm.horizon_unsaid")
        told = (
            words("norm.horizon_of", day=words.time(day), providers=Markup(", ").join(providers[day]))
            for day in sorted(providers, reverse=True)
        )
        return words("norm.horizon", reaches=Markup("; ").join(told))

    def standing(
        self,
        answer: InForce,
        intervals: Sequence[AnswerInterval],
        version: str | None,
        effect: WithoutEffect | None = None,
        changed: date | None = None,
        *,
        named: bool = True,
    ) -> Markup:
        """A status in a sentence: since when, until when, which text.

        Args:
            answer: for one D and K.
            intervals: the answers for all days of force, as known on that K.
            version: the version whose text it is.
            effect: the days on which it has no effect; None where it has.
            changed: the last day on which its text changed within the version; None where it did not.
            named: whether of what is revoked the norm that did it is named.
        """
        words, status = self.words, answer.status
        suspended = self.without_effect(effect) if effect is not None else ""
        if suspended and status is Status.SUSPENDED:
            return words("norm.is_in_force_also", effect=suspended)
        at = next((i for i, one in enumerate(intervals) if one.holds(answer.on)), None)
        if at is None or status not in {*SINCE, Status.VACATIO} or intervals[at].status is not status:
            return words("norm.is_in_force_also", effect=suspended) if suspended else words(self._key(answer))
        first = first_like(intervals, at)
        last = at
        while last + 1 < len(intervals) and intervals[last + 1].status is status:
            last += 1
        end = intervals[last].until
        after = intervals[last + 1] if last + 1 < len(intervals) else None
        if status is Status.VACATIO:
            return self._waiting(answer, after)
        if status is Status.ANNULLED and not any(one.version or one.status is Status.UNKNOWN for one in intervals[:at]):
            return words(self._key(answer, "_origin"))
        doubtful = (first > 0 and intervals[first - 1].status is Status.UNKNOWN) or (
            status in ENDED and _is_at_last(answer.because, intervals[first].start)
        )
        since = words("norm.at_least_since" if doubtful else "norm.since", day=words.time(intervals[first].start))
        law = next((one.cause for one in answer.because if one.event == _CONVERSION and one.cause is not None), None)
        if status is Status.CONVERTED and law is not None:
            return words(self._key(answer, "_into"), law=self.link(law), since=since) + "."
        by = self._revoked_by(answer) if named else None
        if by and end is None:
            stated = since if doubtful else words("norm.when_day", day=words.time(intervals[first].start))
            return words(self._key(answer, "_by"), by=by, since=stated) + "."
        again = status is Status.IN_FORCE and _is_again(intervals, first)
        text = words(self._key(answer, "_again" if again else "_since"), since=since)
        if end is not None:
            text += " " + self._until(end, after is not None and after.status is Status.UNKNOWN)
        if suspended:
            text += ", " + suspended
        if status is Status.IN_FORCE and version is not None:
            text += words("norm.and", text=self.wording(version))
            text += words("norm.changed_to", day=words.time(changed)) if changed is not None else ""
        return text + "."

    def _revoked_by(self, answer: InForce) -> Markup | None:
        """By which norm what is revoked was revoked, where a source states it."""
        if answer.status is not Status.REVOKED:
            return None
        causes = [one.cause for one in answer.because if one.event == _REVOCATION and not self.is_inferred(one)]
        return self.by_one(causes[0], short=True) if len(causes) == 1 and causes[0] is not None else None

    def days_of_standing(
        self,
        answer: InForce,
        intervals: Sequence[AnswerInterval],
        version: str | None,
        effect: WithoutEffect | None = None,
        changed: date | None = None,
    ) -> frozenset[date]:
        """The days that :meth:`standing` states, civil dates; arguments as there."""
        days: set[date | None] = set()
        if effect is not None and effect.decided:
            days |= {effect.start, effect.until}
            days |= {effect.until - _ONE_DAY} if effect.until is not None else set()
        began = standing_since(answer, intervals)
        following = next((one for one in intervals if answer.on < one.start), None)
        if answer.status is Status.VACATIO and following is not None:
            days |= {following.start, following.start - _ONE_DAY}
        if began is not None:
            ends = next((one.start for one in intervals if began < one.start and one.status is not answer.status), None)
            last = ends or next((one.until for one in reversed(intervals) if one.status is answer.status), None)
            days |= {began, last - _ONE_DAY if last is not None else None}
            if answer.status is Status.IN_FORCE and version is not None:
                made = parse(version)
                days |= {made.version_date, made.view_date, changed}
        return frozenset(day for day in days if day is not None)

    def status(self, answer: InForce, effect: WithoutEffect | None = None) -> Markup:
        """A status in a word or two, which agrees with what it is said of."""
        if effect is not None and not effect.decided:
            return self.words("status.effect_undecided")
        if effect is not None:
            return self.words(f"status.{'suspended' if effect.suspended else 'no_effect_yet'}")
        return self.agreed(f"status.{answer.status}", answer.name)

    def without_effect(self, effect: WithoutEffect) -> Markup:
        """That something has no effect, with its days, as part of a sentence."""
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
            text += " " + self._until(effect.until, effect.open_end)
        return text

    def _waiting(self, answer: InForce, after: AnswerInterval | None) -> Markup:
        """What is in vacatio: when it comes into force, unless that is unknown, or something else came before."""
        begun = self.words(self._key(answer))
        if after is None or (after.version is None and after.status not in _BEFORE_FORCE):
            return begun
        begun = begun.removesuffix(".")
        if after.status is Status.UNKNOWN:
            until = self._until(after.start, doubtful=True)
            return self.at("tenses.after_undecided", after.start, said=begun, until=until)
        values = {"said": begun, "day": self.words.time(after.start)}
        key = "tenses.comes"
        if after.version is None:
            key, values["how"] = "tenses.in_vain", self.agreed(f"status.{after.status}", answer.name).lower()
        if answer.as_known < self.today:  # what was foreseen then may have turned out otherwise
            return self.words(f"{key}_foreseen", **values)
        return self.at(key, after.start, **values)

    def _until(self, end: date, doubtful: bool) -> Markup:
        """The last of some days; where nobody knows how it stands after it, that it is the last that is known."""
        return self.words("norm.at_least_until" if doubtful else "norm.until", day=self.words.time(end - _ONE_DAY))

    def _key(self, answer: InForce, ending: str = "") -> str:
        """The message of a status, which agrees with what it is said of, and has the tense of its day."""
        key = f"is_{_key(answer.status)}{ending}"
        told = f"norm.{key}" if self.words.has(f"norm.{key}") else self._tensed(f"tenses.{key}", answer.on)
        return agreeing(self.words, told, answer.name, self.vocabulary)


def undone(reason: Reason, answer: InForce, say: Sentences) -> Told:
    """What became of something that an event changed, whose cause fell: since when it is in force, and why.

    Args:
        reason: with what undid it.
        answer: whose reason it is.
        say: the words of the page.
    """
    words, chain = say.words, _chain(reason, answer.name, say)
    asked = answer.force if answer.axis is Axis.FORCE else answer.efficacy
    if answer.status is not Status.IN_FORCE:
        return Told(words("norm.undone", chain=chain[:1].upper() + chain[1:]), reason.source)
    if asked.since is not None and any(one.effect == asked.since.isoformat() for one in reason.undone_by):
        key = "norm.undone_again" if interrupts(reason) else "norm.undone_since"
        return Told(words(key, day=words.time(asked.since), chain=chain), reason.source)
    known = max((one.known for one in reason.undone_by if one.known is not None), default=None)
    if known is None:
        return Told(words("norm.undone_in_force", chain=chain), reason.source)
    return Told(words("norm.undone_known", known=say.when(known), chain=chain), reason.source)


def _chain(reason: Reason, name: str, say: Sentences) -> Markup:
    """What happened to a norm or provision, and what undid that: revoked by A, which was annulled by B."""
    words, key = say.words, f"norm.undone_by_{(reason.event or '').replace('.', '_')}"
    if words.has(key):
        said = say.agreed(key, name)
    else:
        said = words("norm.undone_by_event", event=say.event(reason.event).lower())
    if reason.cause is not None:
        said += " " + say.by_one(reason.cause)
    for one in reason.undone_by:
        said += words("norm.undone_which", chain=_chain(one, reason.cause or name, say))
    return said


def _key(status: Status) -> str:
    return status.value.replace("-", "_")


def _is_at_last(because: Iterable[Reason], day: date) -> bool:
    """Whether the day is the last of the bounds within which something that decides happened: perhaps it did before."""
    effects = (day_stated(reason.effect) for reason in because)
    return any(one is not None and one.exact is None and one.last == day for one in effects)


def _is_again(intervals: Sequence[AnswerInterval], at: int) -> bool:
    """Whether it had ended before one of the intervals: surely, or on days that nobody knows, and its text is back."""
    return any(
        one.status in ENDED or (one.version is not None and one.version == intervals[at].version)
        for one in intervals[:at]
    )
