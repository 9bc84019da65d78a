"""Answers as sentences: a status since when, an event with its days, a notice; what is not known is said to be so."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from markupsafe import Markup

from graph.civil import parse_day, parse_when
from graph.entities import Axis
from graph.errors import BadDate, BadName
from graph.today import today
from graph.urn import Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import is_feminine, label
from graph.wording.provisions import provision_name
from ontology.events import FIRST_TEXT_EVENTS, event_iri
from queries.answers import InForce
from queries.chains import interrupts
from queries.efficacy import WithoutEffect
from queries.english import message
from queries.evidence import day_stated
from queries.notices import Notice
from queries.reasons import Reason, Status
from queries.standing import ENDED
from queries.stretches import SINCE, Stretch, first_like, standing_since
from service.web.http.name_paths import name_path
from service.web.pages.frame import Frame
from service.web.pages.portuguese import portuguese
from service.web.pages.words import Language, Words, agreeing, counted, is_she, labelled, marked, words_in

__all__ = ["Sentences", "Told", "undone"]

_ONE_DAY = timedelta(days=1)
#: The name of a page of an issue of a gazette (LexML part 4, figure 3).
_PAGE = re.compile("([^!]+)!pag([0-9]+)", re.ASCII)
_CONVERSION = "conversao"
#: What may become of a norm in vacatio other than that it comes into force.
_BEFORE_FORCE = {*ENDED, Status.UNKNOWN}
#: Days from one to another, by whether nobody knows how it stands before them, and after them.
_FROM_TO = {
    (False, False): "norm.from_to",
    (True, False): "norm.from_to_begun",
    (False, True): "norm.from_to_ended",
    (True, True): "norm.from_to_begun_ended",
}


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
class Sentences:
    """What an answer is in the words of one page.

    Attributes:
        is_known: whether any source speaks of a name: only then there is something to link to.
        is_inferred: whether the cause of a reason follows from its days alone, and no source states it.
        today: the civil date by which verbs have their tense.
    """

    frame: Frame
    vocabulary: Vocabulary
    is_known: Callable[[Name], bool]
    is_inferred: Callable[[Reason], bool] = lambda _: False
    today: date = field(default_factory=today)

    @property
    def words(self) -> Words:
        """The words of the page's language."""
        return words_in(self.frame.language)

    def at(self, key: str, when: date, /, **values: object) -> Markup:
        """A message in the tense of a day: as it was, is or will be on it.

        Args:
            key: of ``tenses``, without the tense.
            when: the civil date.
        """
        return self.words(self._tensed(key, when), **values)

    def _tensed(self, key: str, day: date) -> str:
        return f"{key}_{'past' if day < self.today else 'now' if day == self.today else 'ahead'}"

    def label(self, name: str | Name) -> str:
        """A name in words; what is no name stays as it is."""
        try:
            read = parse(name) if isinstance(name, str) else name
        except BadName:
            return str(name)
        page = _PAGE.fullmatch(read.canonical) if read.tipo_documento[0] == "publicacao.oficial" else None
        if page is not None:
            return str(self.words("norm.page_of", issue=self._label(parse(page[1])), page=page[2]))
        return self._label(read)

    def title(self, name: str | Name) -> str:
        """A name in words with a capital at its head."""
        said = self.label(name)
        return said[:1].upper() + said[1:]

    def _label(self, name: Name) -> str:
        return label(name, "pt" if self.frame.language is Language.PORTUGUESE else "en", self.vocabulary)

    def link(self, name: str, query: str = "") -> Markup:
        """A name in words as a link to its address; what is no name is text."""
        try:
            read = parse(name)
        except BadName:
            return marked("<bdi>{}</bdi>", name)
        if not self.is_known(read):
            return marked('<span class="unknown-here">{}</span>', self.label(read))
        path = self.frame.to(name_path(read.canonical) + query)
        return marked('<a href="{}">{}</a>', path, self.label(read))

    def by(self, names: Sequence[str]) -> Markup:
        """Which norms did something: ``pela`` one, ``pelo`` another."""
        return self.words("norm.and_by").join(self.by_one(name) for name in names)

    def by_one(self, name: str) -> Markup:
        """Which norm did something: ``pela`` or ``pelo`` and its name."""
        feminine = is_she(name, self.vocabulary)
        return self.words("norm.by_her" if feminine else "norm.by_him", norm=self.link(name))

    def of(self, name: Name, called: str, query: str) -> Markup:
        """Of which norm something is: ``da`` Lei, ``do`` Decreto, as a link."""
        link = marked('<a href="{}">{}</a>', self.frame.to(name_path(name.canonical) + query), called)
        return self.words("norm.of_her" if is_feminine(name, self.vocabulary) else "norm.of_him", norm=link)

    def event(self, notation: str | None) -> str:
        """An event in words, one capital at its head: as the vocabulary calls it; one that it lacks by its notation."""
        if notation is None:
            return str(self.words("norm.event_unnamed"))
        called = labelled(event_iri(notation), self.frame.language) or notation.replace(".", " ")
        return called[:1] + called[1:].lower()

    def stamp(self, said: str) -> Markup:
        """The day of a datestamp, as a provider writes it; what begins with no day stays as it is."""
        try:
            return self.words.time(parse_day(said[:10]))
        except BadDate:
            return marked("{}", said)

    def day(self, said: str) -> Markup:
        """A day or a year, as a query writes it."""
        when = parse_when(said)
        return self.words.time(when.exact) if when.exact is not None else marked("{}", said)

    def when(self, said: str | None) -> Markup:
        """From when on something is so: a day, a year, or bounds, as a reason has it."""
        words = self.words
        if said is None:
            return words("norm.when_unsaid")
        try:
            found = parse_when(said)
        except BadDate:
            return marked("<bdi>{}</bdi>", said)
        if found.exact is not None:
            return words("norm.when_day", day=words.time(found.exact))
        if found.last is None:
            return words("norm.when_not_before", day=words.time(found.first))
        if len(said) == 4:
            return words("norm.when_year", year=said)
        return words("norm.when_between", first=words.time(found.first), last=words.time(found.last))

    def reason(self, reason: Reason) -> Told:
        """What decided an answer, with its days."""
        by = self.words("norm.caused_by", cause=self.cause(reason)) if reason.cause is not None else ""
        text = self.words(
            "norm.reason",
            event=self.happened(reason),
            by=by,
            effect=self.when(reason.effect),
            known=self.when(reason.known),
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
        stretches: Sequence[Stretch],
        version: str | None,
        effect: WithoutEffect | None = None,
        changed: date | None = None,
    ) -> Markup:
        """A status in a sentence: since when, until when, which text.

        Args:
            answer: for one D and K.
            stretches: the answers for all days of force, as known on that K.
            version: the version whose text it is.
            effect: the days on which it has no effect; None where it has.
            changed: the last day on which its text changed within the version; None where it did not.
        """
        words, status = self.words, answer.status
        suspended = self.without_effect(effect) if effect is not None else ""
        if suspended and status is Status.SUSPENDED:
            return words("norm.is_in_force_also", effect=suspended)
        at = next((i for i, one in enumerate(stretches) if one.holds(answer.on)), None)
        if at is None or status not in {*SINCE, Status.VACATIO} or stretches[at].status is not status:
            return words("norm.is_in_force_also", effect=suspended) if suspended else words(self._key(answer))
        first = first_like(stretches, at)
        last = at
        while last + 1 < len(stretches) and stretches[last + 1].status is status:
            last += 1
        end = stretches[last].until
        after = stretches[last + 1] if last + 1 < len(stretches) else None
        if status is Status.VACATIO:
            return self._waiting(answer, after)
        if status is Status.ANNULLED and not any(one.version or one.status is Status.UNKNOWN for one in stretches[:at]):
            return words(self._key(answer, "_origin"))
        doubtful = (first > 0 and stretches[first - 1].status is Status.UNKNOWN) or (
            status in ENDED and _is_at_last(answer.because, stretches[first].start)
        )
        since = words("norm.at_least_since" if doubtful else "norm.since", day=words.time(stretches[first].start))
        law = next((one.cause for one in answer.because if one.event == _CONVERSION and one.cause is not None), None)
        if status is Status.CONVERTED and law is not None:
            return words(self._key(answer, "_into"), law=self.link(law), since=since) + "."
        again = status is Status.IN_FORCE and _is_again(stretches, first)
        text = words(self._key(answer, "_again" if again else "_since"), since=since)
        if end is not None:
            text += " " + self._until(end, after is not None and after.status is Status.UNKNOWN)
        if suspended:
            text += ", " + suspended
        if status is Status.IN_FORCE and version is not None:
            text += words("norm.and", text=self.wording(version))
            text += words("norm.changed_to", day=words.time(changed)) if changed is not None else ""
        return text + "."

    def days_of_standing(
        self,
        answer: InForce,
        stretches: Sequence[Stretch],
        version: str | None,
        effect: WithoutEffect | None = None,
        changed: date | None = None,
    ) -> frozenset[date]:
        """The days that :meth:`standing` states, civil dates; arguments as there."""
        days: set[date | None] = set()
        if effect is not None and effect.decided:
            days |= {effect.start, effect.until}
            days |= {effect.until - _ONE_DAY} if effect.until is not None else set()
        began = standing_since(answer, stretches)
        following = next((one for one in stretches if answer.on < one.start), None)
        if answer.status is Status.VACATIO and following is not None:
            days |= {following.start, following.start - _ONE_DAY}
        if began is not None:
            ends = next((one.start for one in stretches if began < one.start and one.status is not answer.status), None)
            last = ends or next((one.until for one in reversed(stretches) if one.status is answer.status), None)
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

    def agreed(self, key: str, name: str | Name, **values: object) -> Markup:
        """A message that agrees with what it is said of."""
        told = name if isinstance(name, str) else name.canonical
        return self.words(agreeing(self.words, key, told, self.vocabulary), **values)

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

    def _waiting(self, answer: InForce, after: Stretch | None) -> Markup:
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

    def wording(self, version: str) -> Markup:
        """Which text a version is: its day, and what made this view of it."""
        words, name = self.words, parse(version)
        day = name.version_date
        text = words("norm.text_of", day=words.time(day)) if day is not None else words("norm.text_undated")
        made, seen = name.event, name.view_date
        if made is not None and made not in FIRST_TEXT_EVENTS and made != "alteracao" and seen is not None:
            key = f"norm.made_{made}" if words.has(f"norm.made_{made}") else "norm.made"
            text += words("norm.and", text=words(key, day=words.time(seen), event=self.event(made).lower()))
        return text

    def interval(self, start: date, until: date | None, doubtful: Container[date | None] = ()) -> Markup:
        """Days ``[start, until)`` as people say them, with the last day that belongs.

        Args:
            start, until: civil dates; None where nothing ends them.
            doubtful: those of the two on whose other side nobody knows how it stands.
        """
        words, first = self.words, self.words.time(start)
        begun, ended = start in doubtful, until in doubtful
        if until is None:
            return words("norm.from_begun" if begun else "norm.from", day=first)
        if until - _ONE_DAY == start:
            return words("norm.only_at_least" if begun or ended else "norm.only", day=first)
        return words(_FROM_TO[begun, ended], first=first, last=words.time(until - _ONE_DAY))


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


def _is_again(stretches: Sequence[Stretch], at: int) -> bool:
    """Whether it had ended before one of the stretches: surely, or on days that nobody knows, and its text is back."""
    return any(
        one.status in ENDED or (one.version is not None and one.version == stretches[at].version)
        for one in stretches[:at]
    )
