"""Names, match reasons, contradictions and notices in words, in the language of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import assert_never

from markupsafe import Markup

import queries.notices as n
from graph.civil import When, parse_day, parse_when, today
from graph.entities import Axis, Text
from graph.errors import BadDate, BadName
from graph.urn import Kind, Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.citations import cite
from graph.wording.labels import authority_label, is_feminine, label, place_label, provision_label
from ontology.events import FIRST_TEXT_EVENTS, event_iri
from queries.answers import InForce
from queries.contradictions import effect_of
from queries.evidence import day_stated
from queries.naming import Agreement, MatchReason
from queries.notices import Disagreement, Notice, SourcesContradict, Statement
from queries.reasons import Reason, Status
from queries.text.change_days import ChangeDay
from queries.text.wording_history import bounds_of
from service.web.http.name_paths import description_path, name_path
from service.web.http.negotiation import Language
from service.web.pages.frame import (
    Frame,
    Messages,
    agreeing_key,
    format_markup,
    is_feminine_name,
    label_of,
    source_name,
    words_in,
)
from service.web.text_layout import cut

# Phrases: names as links, events, days and intervals in words, and match reasons.


ONE_DAY = timedelta(days=1)
#: Matches the name of a page of a gazette issue (LexML part 4, figure 3).
_PAGE = re.compile("([^!]+)!pag([0-9]+)", re.ASCII)
#: Matches the date after a norm's number, in both languages. Official notes have only its year.
_DAY_OF_NORM = re.compile(r"(, de| of) \d{1,2}º? (?:de )?\w+ (?:de )?(\d{4})\Z")
#: Matches the date in a title, in both languages.
_DAY_IN_TITLE = re.compile(r"(, de| of) \d{1,2}º? (?:de )?\w+ (?:de )?(\d{4})\b")
#: The message for the status ``annulled`` of a norm or provision that a court declared unconstitutional.
DECLARED_VOID = "declared_void"
#: Matches the number after the word of an event of which a source has several without a day.
_NUMBERED = re.compile(r"\.[0-9]+\Z", re.ASCII)
#: The messages of an interval, by whether the status before it and the status after it are unknown.
_FROM_TO = {
    (False, False): "norm.from_to",
    (True, False): "norm.from_to_begun",
    (False, True): "norm.from_to_ended",
    (True, True): "norm.from_to_begun_ended",
}


@dataclass(frozen=True, slots=True)
class Phrases:
    """Names, events and days in the words of one page.

    Attributes:
        is_known: returns whether the store has a name, so that the page can link to it.
        is_inferred: returns whether the cause of a reason is inferred from dates, without a source that states it.
        today: the civil date that decides the tense of verbs.
        carried: returns the days that a link to a name keeps, as the query of its address.
        is_declared_void: returns whether a norm or provision ended because it was declared unconstitutional.
        is_described: returns whether the store describes a provision. A link to another one leads to its norm.
        published_on: returns the first day on which a norm was published, None where it is unknown; None if the page
            does not distinguish signature and publication.
        is_wording_open: returns whether only the wording of a provision is unknown, and not its status.
    """

    frame: Frame
    vocabulary: Vocabulary
    is_known: Callable[[Name], bool]
    is_inferred: Callable[[Reason], bool] = lambda _: False
    today: date = field(default_factory=today)
    carried: Callable[[Name], str] = lambda _: ""
    published_on: Callable[[Name], date | None] | None = None
    is_declared_void: Callable[[Name], bool] = lambda _: False
    is_described: Callable[[Name], bool] = lambda _: True
    is_wording_open: Callable[[InForce], bool] = lambda _: False

    @property
    def words(self) -> Messages:
        """Return the messages of the page's language."""
        return words_in(self.frame.language)

    def at(self, key: str, when: date, /, **values: object) -> Markup:
        """Return a message in the past, present or future tense, as a day is before, on or after today.

        Args:
            key: the key of ``tenses``, without the tense.
            when: the civil date.
        """
        return self.words(self._tensed(key, when), **values)

    def _tensed(self, key: str, day: date) -> str:
        return f"{key}_{'past' if day < self.today else 'now' if day == self.today else 'ahead'}"

    def label(self, name: str | Name) -> str:
        """Return a name in words; an invalid name unchanged."""
        try:
            read = parse(name) if isinstance(name, str) else name
        except BadName:
            return str(name)
        page = _PAGE.fullmatch(read.canonical) if read.tipo_documento[0] == "publicacao.oficial" else None
        if page is not None:
            return str(self.words("norm.page_of", issue=self._label(parse(page[1])), page=page[2]))
        return self._label(read)

    def within(self, name: Name) -> str:
        """Return a provision in words, relative to its norm."""
        language = "pt" if self.frame.language is Language.PORTUGUESE else "en"
        return provision_label(name, language=language)

    def title(self, name: str | Name) -> str:
        """Return a name in words with an initial capital."""
        stated = self.label(name)
        return stated[:1].upper() + stated[1:]

    def _label(self, name: Name) -> str:
        return label(name, "pt" if self.frame.language is Language.PORTUGUESE else "en", self.vocabulary)

    def link(self, name: str, query: str | None = None, *, short: bool = False, capital: bool = False) -> Markup:
        """Return a name in words as a link to its page; an invalid name as text.

        Args:
            name: the name of a norm or provision.
            query: the query of the address; None for the days of :attr:`carried`.
            short: whether a norm has only its number and year, as in official notes.
            capital: whether the first letter is a capital.
        """
        try:
            read = parse(name)
        except BadName:
            return format_markup("<bdi>{}</bdi>", name)
        called = self.label(read)
        called = _DAY_OF_NORM.sub(r"\1 \2", called) if short else called
        called = called[:1].upper() + called[1:] if capital else called
        if not self.is_known(read):
            return format_markup('<span class="unknown-here">{}</span>', called)
        if read.provision is not None and read.versao is None and not self.is_described(read):
            read = read.work
        path = self.path(read) if query is None else self.frame.to(name_path(read.canonical) + query)
        return format_markup('<a href="{}">{}</a>', path, called)

    def listed(self, name: str, *, short: bool = False, capital: bool = False) -> Markup:
        """Return an act of a list as :meth:`link` does, with a note if no source of the store describes it."""
        shown = self.link(name, short=short, capital=capital)
        try:
            is_known = self.is_known(parse(name))
        except BadName:
            is_known = False
        if is_known:
            return shown
        return format_markup('{} <span class="soft">({})</span>', shown, self.words("norm.not_described"))

    def short(self, name: str | Name) -> str:
        """Return a norm in words with only its number and year; an invalid name unchanged."""
        return _DAY_IN_TITLE.sub(r"\1 \2", self.title(name))

    def path(self, name: str | Name) -> str:
        """Return the address of a norm or provision, with the days of the page that the link keeps."""
        read = parse(name) if isinstance(name, str) else name
        return self.frame.to(name_path(read.canonical) + self.carried(read))

    def by(self, names: Sequence[str], *, short: bool = False) -> Markup:
        """Return the norms that caused something, each with ``pela`` or ``pelo``."""
        return self.words("norm.and_by").join(self.by_one(name, short=short) for name in names)

    def by_one(self, name: str, *, short: bool = False) -> Markup:
        """Return the norm that caused something, with ``pela`` or ``pelo``."""
        feminine = is_feminine_name(name, self.vocabulary)
        return self.words("norm.by_her" if feminine else "norm.by_him", norm=self.link(name, short=short))

    def of(self, name: Name, called: str, query: str) -> Markup:
        """Return the norm that something belongs to, as a link with ``da`` or ``do``."""
        link = format_markup('<a href="{}">{}</a>', self.frame.to(name_path(name.canonical) + query), called)
        return self.words("norm.of_her" if is_feminine(name, self.vocabulary) else "norm.of_him", norm=link)

    def event(self, notation: str | None) -> str:
        """Return the label of an event with an initial capital; its notation where the vocabulary has no label."""
        if notation is None:
            return str(self.words("norm.event_unnamed"))
        word = _NUMBERED.sub("", notation)
        called = label_of(event_iri(word), self.frame.language) or word.replace(".", " ")
        return called[:1].upper() + called[1:].lower()

    def event_of(self, reason: Reason) -> str:
        """Return the label of a reason's event; of an event with a narrower meaning, that meaning."""
        if reason.meaning is not None:
            return str(self.words(f"norm.event_{reason.meaning}"))
        return self.event(reason.event)

    def stamp(self, stated: str) -> Markup:
        """Return the day of a provider's datestamp in words; text that does not begin with a day is unchanged."""
        try:
            return self.words.time(parse_day(stated[:10]))
        except BadDate:
            return format_markup("{}", stated)

    def day(self, stated: str) -> Markup:
        """Return a day or a year, from the form that queries use."""
        when = parse_when(stated)
        return self.words.time(when.exact) if when.exact is not None else format_markup("{}", stated)

    def when(self, stated: str | None) -> Markup:
        """Return the time of an effect in words.

        Args:
            stated: a day, a year or bounds, as in :attr:`queries.reasons.Reason.effect`; None if no source states it.
        """
        words = self.words
        if stated is None:
            return words("norm.when_unsaid")
        try:
            moment = parse_when(stated)
        except BadDate:
            return format_markup("<bdi>{}</bdi>", stated)
        if moment.exact is not None:
            return words("norm.when_day", day=words.time(moment.exact))
        if moment.last is None:
            return words("norm.when_not_before", day=words.time(moment.first))
        if len(stated) == 4:
            return words("norm.when_year", year=stated)
        return words("norm.when_between", first=words.time(moment.first), last=words.time(moment.last))

    def published(self, stated: str | None) -> Markup:
        """Return the time of a publication in words; ``stated`` as for :meth:`when`."""
        try:
            day = parse_when(stated).exact if stated is not None else None
        except BadDate:
            day = None
        return self.words("norm.published_day", day=self.words.time(day)) if day is not None else self.when(stated)

    def published_of(self, stated: str) -> Markup:
        """Return the time of a publication, to follow the word ``publicação``; ``stated`` as for :meth:`when`."""
        day = day_stated(stated)
        if day is None or day.exact is None:
            return self.when(stated)
        return self.words("norm.published_of_day", day=self.words.time(day.exact))

    def agreed(self, key: str, name: str | Name, **values: object) -> Markup:
        """Return a message that agrees in gender with a norm or provision."""
        reported = name if isinstance(name, str) else name.canonical
        return self.words(agreeing_key(self.words, key, reported, self.vocabulary), **values)

    def status_in_row(self, status: Status, name: str | Name, start: date) -> Markup:
        """Return the status of a row of days. Before its publication, a norm is signed.

        Args:
            status: the status.
            name: the norm or provision.
            start: the first day of the row.
        """
        norm = (parse(name) if isinstance(name, str) else name).work
        if status is Status.VACATIO and self.published_on is not None:
            published = self.published_on(norm)
            if published is not None and start < published:
                return self.agreed("status.signed", name)
            if published is None and start == norm.representative_date:
                return self.agreed("status.vacatio_signed", name)
        return self.status_word(status, name)

    def status_word(self, status: Status, name: str | Name) -> Markup:
        """Return a status in a word or two. What a court declared unconstitutional is not called annulled.

        Args:
            status: the status.
            name: the norm or provision.
        """
        read = parse(name) if isinstance(name, str) else name
        is_void = status is Status.ANNULLED and self.is_declared_void(read)
        return self.agreed(f"status.{DECLARED_VOID if is_void else status}", read)

    def wording(self, version: str) -> Markup:
        """Return the words for a version's text: its day, and an event that made this view, such as a rectification."""
        words, name = self.words, parse(version)
        day = name.version_date
        bounds = bounds_of(name)
        if day is not None:
            text = words("norm.text_of", day=words.time(day))
        elif bounds is not None:
            text = words("norm.text_between", first=words.time(bounds[0]), last=words.time(bounds[1]))
        else:
            text = words("norm.text_undated")
        made, seen = name.event, name.view_date
        if made is not None and made not in FIRST_TEXT_EVENTS and made != "alteracao" and seen is not None:
            key = f"norm.made_{made}" if words.has(f"norm.made_{made}") else "norm.made"
            text += words("norm.and", text=words(key, day=words.time(seen), event=self.event(made).lower()))
        return text

    def correction(self, version: str) -> Markup | None:
        """Return the annulment, republication or rectification that made a version, in words; None for other events."""
        name = parse(version)
        if name.event is None or name.view_date is None or not self.words.has(f"norm.made_{name.event}"):
            return None
        return self.words(f"norm.made_{name.event}", day=self.words.time(name.view_date))

    def cited_source(self, text: str) -> Markup:
        """Return the source that a curator names, with the norms that it cites as the rest of the page names them."""
        markup, index = Markup(""), 0
        for citation in cite(text):
            if citation.kind is Kind.COMPLEX:
                markup += format_markup(
                    "{}{}",
                    text[index : citation.start],
                    self.link(citation.name, short=True, capital=citation.start == 0),
                )
                index = citation.end
        return format_markup("{}{}", markup, text[index:])

    def nicknames(self, texts: Iterable[Text]) -> list[Text]:
        """Return the nicknames in Portuguese, in the language of the page, or in a language that is not stated."""
        shown = {"pt", self.frame.language.value[:2].lower()}
        return [text for text in texts if text.language is None or text.language[:2].lower() in shown]

    def source(self, provider: str) -> Markup:
        """Return the name of a source, with its address as a tooltip."""
        name = cut(source_name(provider), _LONGEST)
        return (
            format_markup("{}", name)
            if name == provider
            else format_markup('<span title="{}">{}</span>', provider, name)
        )

    def interval(self, start: date, until: date | None, doubtful: Container[date | None] = ()) -> Markup:
        """Return the days ``[start, until)`` in words, with the last day included.

        Args:
            start, until: civil dates; ``until`` is None for an open interval.
            doubtful: the bounds where the status on the other side is unknown.
        """
        words, first = self.words, self.words.time(start)
        begun, ended = start in doubtful, until in doubtful
        if until is None:
            return words("norm.from_begun" if begun else "norm.from", day=first)
        if until - ONE_DAY == start:
            return words("norm.only_at_least" if begun or ended else "norm.only", day=first)
        return words(_FROM_TO[begun, ended], first=first, last=words.time(until - ONE_DAY))

    def text_interval(
        self, start: date, until: date | None, edges: Container[date | None], begun: ChangeDay | None
    ) -> Markup:
        """Return the days ``[start, until)`` of a text in words.

        Args:
            start, until: civil dates; ``until`` is None for an open interval.
            edges: the bounds beyond which the text is unknown.
            begun: the bounds of its first day, where the sources do not determine that day; else None.
        """
        words = self.words
        if begun is None or begun.first is None or begun.last is None:
            return self.interval(start, until, edges)
        since = words("norm.since_between", first=words.time(begun.first), last=words.time(begun.last))
        if until is None:
            return since
        key = "norm.at_least_until" if until in edges else "norm.until"
        return words("norm.and_until", since=since, until=words(key, day=words.time(until - ONE_DAY)))


#: The match reasons whose value is a name, those about parts that the text omits, and those whose value is a day.
_NAMES = frozenset({Agreement.EQUIVALENT, Agreement.CITED_AS, Agreement.READ_AS, Agreement.WORDS_OF})
_UNSAID = frozenset({Agreement.AUTHORITY_MISSING, Agreement.PLACE_MISSING, Agreement.TYPE_MISSING})
_DAYS = frozenset({Agreement.FULL_DATE, Agreement.OTHER_DAY, Agreement.OF_DAY})


def why(reasons: Iterable[MatchReason], sentences: Phrases) -> Markup:
    """Return the match reasons of a candidate on one line."""
    phrases: list[Markup] = []
    before: MatchReason | None = None
    for reason in reasons:
        if reason.code is Agreement.IT_IS and before is not None and before.code in _UNSAID:
            phrases[-1] = sentences.words(f"why.{before.code}_is", words=_place(reason.value or "", sentences))
        else:
            phrases.append(_reason_phrase(reason, sentences))
        before = reason
    return Markup("; ").join(phrases)


def _reason_phrase(reason: MatchReason, sentences: Phrases) -> Markup:
    key, value = f"why.{reason.code}", reason.value or ""
    match reason.code:
        case Agreement.IN_FORCE_FROM | Agreement.KNOWN_FORCE_NONE | Agreement.IN_FORCE | Agreement.MADE_KNOWN:
            return _days_of_reason(reason, sentences)
        case Agreement.IT_IS | Agreement.OTHER_AUTHORITY | Agreement.OTHER_ORGAN:
            return sentences.words(key, words=_place(value, sentences))
        case code if code in _NAMES:
            return sentences.words(key, name=_name_phrase(value, sentences))
        case code if code in _DAYS:
            return sentences.words(key, day=sentences.day(value))
        case _:
            return sentences.words(key, words=value)


def _days_of_reason(reason: MatchReason, sentences: Phrases) -> Markup:
    day = sentences.words.time
    values: dict[str, object] = {"known": day(reason.known) if reason.known is not None else "?"}
    if reason.code is Agreement.IN_FORCE_FROM and reason.since is not None:
        values["days"] = sentences.interval(reason.since, reason.until)
    elif reason.since is not None:
        values["day"] = day(reason.since)
    if reason.code is Agreement.MADE_KNOWN:
        values["event"] = sentences.event(reason.value).lower()
    return sentences.words(
        f"why.{reason.code}_{reason.value}" if reason.code is Agreement.IN_FORCE else f"why.{reason.code}", **values
    )


def _name_phrase(name: str, sentences: Phrases) -> Markup | str:
    """Return a name in words. A version is named by its days, as in the rest of the page."""
    try:
        version = parse(name)
    except BadName:
        return name
    return sentences.wording(name) if version.versao is not None else sentences.label(version)


#: The authority of norms of a municipality.
_MUNICIPAL = "municipal"


def _place(words: str, sentences: Phrases) -> str:
    """Return a pair of place and authority, a place, or a type in words."""
    place, _, authority = words.partition(":")
    if not authority:
        known = place_label(place, sentences.vocabulary) if ";" in place else place
        return known.replace(".", " ")
    where, who = place_label(place, sentences.vocabulary), authority_label(authority, sentences.vocabulary)
    if place == "br":
        return who
    if authority == _MUNICIPAL:
        return str(sentences.words("why.municipality", place=where))
    return f"{who} ({where})"


# Notices in Portuguese, and contradictions in the language of the page.


_SIGNATURE = "assinatura"
#: The events that create a text.
_OF_TEXTS = frozenset({"alteracao", *FIRST_TEXT_EVENTS})
#: The events that make a text, or decide when one enters into force.
_OF_FORCE = _OF_TEXTS | {
    "entrada.vigor",
    "inicio.vigencia",
    "prorrogacao.vacatio",
    "redacao",
    "republicacao",
    "restauracao",
    "retificacao",
    "vigencia.propria",
}
#: The maximum number of statements of one contradiction on a page, and of those before a sentence; the maximum
#: number of characters of the name of a source.
_MOST, _MOST_CLAIMS, _LONGEST = 12, 5, 100
#: The maximum number of provisions that a sentence names.
_MOST_NAMES = 5


def begins_force(event: str | None) -> bool:
    """Return whether an event makes a text, or decides when one enters into force. Others end a norm or its effect."""
    return event in _OF_FORCE


def effect_in_words(event: str | None, stated: str | None, sentences: Phrases) -> Markup:
    """Return the time of an event's effect in words, as the start of force or of effects.

    Args:
        event: the notation of the event.
        stated: as for :meth:`Phrases.when`.
        sentences: the phrases of the page.
    """
    when = sentences.when(stated)
    if not begins_force(event):
        return sentences.words("norm.effect_of", when=when)
    day = day_stated(stated)
    key = "norm.force_from" if day is not None and day.exact is not None else "norm.force_start"
    return sentences.words(key, when=when)


def is_only_signature(reason: Reason) -> bool:
    """Return whether a reason is a signature whose stated day of effect is its own day, which starts no force."""
    return reason.event == _SIGNATURE and reason.effect is not None and reason.effect == reason.known


def effect_of_reason(reason: Reason, sentences: Phrases) -> Markup:
    """Return the time of a reason's effect in words. The day of a signature is not shown as the start of force."""
    if is_only_signature(reason):
        return sentences.words("norm.effect_signed", when=sentences.published(reason.effect))
    day = day_stated(reason.effect)
    if reason.of_act and day is not None and day.last is not None:
        return sentences.words("norm.effect_of_act", when=sentences.published_of(reason.effect or ""))
    return effect_in_words(reason.event, reason.effect, sentences)


def records_behind(notices: Iterable[Notice]) -> Iterator[str]:
    """Yield the IRIs of the records with the statements of ``sources-contradict`` notices."""
    for notice in notices:
        if isinstance(notice, SourcesContradict):
            yield from (statement.record for statement in notice.statements[:_MOST])


def contradicting_statements(notice: SourcesContradict, sentences: Phrases) -> Markup:
    """Return the statements that contradict each other, in the page's language."""
    if notice.on is Disagreement.ENDED_AND_PRINTED:
        version = parse(notice.names[0])
        return sentences.words(
            "norm.contradicted_end", norm=sentences.label(version.work), text=sentences.wording(version.canonical)
        )
    if notice.on is not Disagreement.DATES:
        names = Markup(", ").join(_described_statements(name, sentences) for name in notice.names[:_MOST_NAMES])
        key = "norm.contradicted_words" if notice.on is Disagreement.WORDINGS else "norm.contradicted_days"
        return sentences.words(key, names=names + "…" if len(notice.names) > _MOST_NAMES else names)
    target = notice.names[0]
    event = format_markup("{}", sentences.event(notice.event).lower())
    if notice.day is not None:
        event += format_markup(" ({})", sentences.words.time(notice.day))
    if notice.start is not None:
        event = sentences.words("norm.publication_of", event=event, day=sentences.words.time(notice.start))
    if notice.cause is not None:
        event += format_markup(" ({})", sentences.link(notice.cause, short=True))
    stated = Markup("; ").join(
        _statement_phrase(statement, notice.event, sentences) for statement in notice.statements[:_MOST]
    )
    if len(notice.statements) > _MOST:
        path = sentences.frame.to("/sparql/editor", example="events_of_work", norma=target)
        every = format_markup('<a href="{}">{}</a>', path, sentences.words("norm.part_facts_all"))
        stated += _more_statements(len(notice.statements) - _MOST, sentences) + format_markup(" ({})", every)
    return sentences.words("norm.contradicted", event=event, target=sentences.label(target), said=stated)


def _more_statements(count: int, sentences: Phrases) -> Markup:
    """Return the number of statements left out, in words."""
    return Markup("; ") + sentences.words("norm.more", n=sentences.words.number(count)) if count > 0 else Markup("")


def _described_statements(name: str, sentences: Phrases) -> Markup:
    """Return a provision as a link to its statements, each with the record that makes it."""
    return format_markup('<a href="{}">{}</a>', sentences.frame.to(description_path(name)), sentences.label(name))


def _statement_phrase(statement: Statement, event: str | None, sentences: Phrases) -> Markup:
    return sentences.words(
        "norm.contradicted_by", who=by_source(statement, sentences), words=_contested_days(statement, event, sentences)
    )


def _contested_days(statement: Statement, event: str | None, sentences: Phrases) -> Markup:
    if statement.version is None:
        return sentences.words(
            "norm.contradicted_event",
            effect=effect_in_words(event, statement.effect, sentences),
            known=sentences.published(statement.known),
        )
    seen = parse(statement.version).view_date
    known = sentences.published(seen.isoformat() if seen is not None else None)
    return sentences.words("norm.contradicted_text", text=sentences.wording(statement.version), known=known)


def contested(
    notice: SourcesContradict, sentence: Markup, days: Container[date], on: date, sentences: Phrases
) -> Markup | None:
    """Return the statements of the sources, where the status sentence on D would repeat the statement of only one.

    Args:
        notice: the contradiction of the sources.
        sentence: the status sentence.
        days: the civil dates that the sentence states.
        on: D, a civil date.
        sentences: the phrases of the page.

    Returns:
        None where the sources do not contradict the sentence.
    """
    if notice.on is not Disagreement.DATES:
        return None
    try:
        dated = [(statement, effect_of(statement)) for statement in notice.statements]
        effects = {effect.first for _, effect in dated if effect is not None}
        if len(effects) < 2 or not any(_is_stated(day, notice.event, days, on) for day in effects):
            return None
        claims = list(
            {(statement.by, statement.curated, effect): (statement, effect) for statement, effect in dated}.values()
        )
        stated = [
            sentences.words(
                "norm.contradicted_by",
                who=by_source(statement, sentences),
                words=_claim(notice.event, effect, sentences),
            )
            for statement, effect in claims[:_MOST_CLAIMS]
        ]
    except (BadDate, BadName):
        return None
    every = Markup("; ").join(stated) + _more_statements(len(claims) - _MOST_CLAIMS, sentences)
    return sentences.words("norm.contested", said=every, sentence=_with_lower_initial(sentence))


def _is_stated(day: date, event: str | None, days: Container[date], on: date) -> bool:
    """Return whether a sentence on D with some days depends on the day that a source states for an event.

    An event that creates no text ends the days before it, and decides all later ones.
    """
    return day in days or (event not in _OF_TEXTS and (day <= on or day - ONE_DAY in days))


def _with_lower_initial(sentence: Markup) -> Markup:
    """Return a sentence with a lower-case initial, to follow other text."""
    return sentence[:1].lower() + sentence[1:]


def _claim(event: str | None, effect: When | None, sentences: Phrases) -> Markup:
    """Return the statement of a source in words."""
    if event in _OF_TEXTS and effect is not None:
        start = "norm.contested_start" if effect.first <= sentences.today else "norm.contested_start_ahead"
        key = start if event in FIRST_TEXT_EVENTS else "norm.contested_text"
        return sentences.words(key, day=sentences.day(str(effect)))
    if begins_force(event):
        effects = effect_in_words(event, str(effect) if effect is not None else None, sentences)
        return format_markup("{}, {}", sentences.event(event).lower(), effects)
    when = sentences.when(str(effect) if effect is not None else None)
    return sentences.words("norm.contested_event", event=sentences.event(event).lower(), effect=when)


def by_source(statement: Statement, sentences: Phrases) -> Markup:
    """Return the name of the curator or provider that makes a statement."""
    return (
        sentences.words("norm.curator", name=cut(statement.by, _LONGEST))
        if statement.curated
        else sentences.source(statement.by)
    )


#: The maximum number of names in a sentence.
_SHOWN = 5
_MISSING = {n.MissingDay.START: "o primeiro dia de vigência", n.MissingDay.KNOWN: "desde quando ela foi conhecida"}
_MEASURE_ENDS = {
    n.MeasureEnd.LAPSED: "teve o prazo de vigência encerrado",
    n.MeasureEnd.REJECTED: "foi rejeitada",
    n.MeasureEnd.NOT_KEPT: "foi convertida em lei que não manteve esta alteração",
    n.MeasureEnd.NOT_STATED: "não foi convertida em lei, ou a lei de conversão não manteve esta alteração",
}
_GIVEN = {
    n.ReturnedInstead.NORM: "a resposta mostra a norma a que pertence",
    n.ReturnedInstead.VERSIONS: "a resposta mostra versões da norma",
    n.ReturnedInstead.VERSION: "a resposta mostra a versão inteira",
    n.ReturnedInstead.VERSION_OF_TEXT: "a resposta mostra a versão desse texto",
}
_FIELDS = {"type": "tipo", "authority": "autoridade", "place": "localidade"}


def facts_by_curator(notices: Iterable[Notice]) -> dict[Notice, Sequence[n.CuratedFact]]:
    """Return all facts with a source of one curator, by each of them; a curator with a single fact is left out."""
    facts: dict[str, list[n.CuratedFact]] = {}
    for notice in notices:
        if isinstance(notice, n.CuratedFact) and notice.source is not None:
            facts.setdefault(notice.curator, []).append(notice)
    return {fact: curator_facts for curator_facts in facts.values() if len(curator_facts) > 1 for fact in curator_facts}


def portuguese_sentence(notice: n.Notice, sentences: Phrases) -> Markup:  # noqa: PLR0911, PLR0912, PLR0915 - a table
    """Return the Portuguese sentence of a notice.

    Args:
        notice: a notice of :data:`queries.notices.AnyNotice`.
        sentences: the phrases of a page in Portuguese.
    """
    note: n.AnyNotice = notice  # type: ignore[assignment]  # a test checks that the list has every subclass
    day = sentences.words.time
    match note:
        case n.PartsNotUsed():
            parts = ", ".join(note.parts)
            return format_markup("Parte do nome da versão não foi considerada: {}.", parts)
        case n.OtherVersion():
            clause = "que não é a desta resposta" if note.answered else "mas nenhuma está em vigor"
            return format_markup("O nome identifica uma versão ({}) {}.", sentences.wording(note.asked), clause)
        case n.ReferenceName():
            lacking = "O nome{} não basta para identificar a norma: informe o número, ou a autoridade e o ano."
            return format_markup(
                lacking, format_markup(" ({})", sentences.label(note.name)) if note.name is not None else ""
            )
        case n.UnderstoodAs():
            why_so = "não é um nome válido e foi entendido como" if note.repaired else "foi entendido como"
            rest = "" if note.repaired else ": nenhum outro ato corresponde à busca"
            return format_markup("“{}” {} {}{}.", note.asked, why_so, sentences.link(note.name), rest)
        case n.NotUnderstood():
            if note.on is not None:
                return format_markup(
                    "Em {}, nenhuma norma tinha este nome; em outras datas, houve norma com esse nome.", day(note.on)
                )
            return Markup("O texto não foi reconhecido como nome, citação ou apelido de norma.")
        case n.WordsLeft():
            names = _links(note.names, sentences)
            return format_markup(
                "Parte da busca foi ignorada: “{}” foi entendido como {}, e “{}” não foi entendido.",
                note.understood,
                names,
                note.left,
            )
        case n.UnknownValue():
            near = format_markup(" Parecidos: {}.", ", ".join(note.near)) if note.near else ""
            return format_markup(
                "Nada foi encontrado: {} “{}” não consta de nenhum vocabulário.{}",
                _FIELDS[note.field],
                note.value,
                near,
            )
        case n.UnspecificSearch():
            return Markup("A busca precisa de mais dados: informe uma norma, outras palavras, ou o tipo e o ano.")
        case n.UnknownName():
            if not note.one:
                return format_markup("“{}” não identifica uma única norma.", note.name)
            return format_markup("Norma não encontrada no acervo: {}.", sentences.label(note.name))
        case n.OnlyMentioned():
            return Markup("Nenhuma fonte descreve esta norma: há apenas fatos avulsos ou referências de outras normas.")
        case n.KnownOnlyLater():
            return format_markup(
                "Nenhuma fonte descreve esta norma. Os fatos sobre ela só foram publicados em {}.", day(note.first)
            )
        case n.ProvisionUnknown():
            near = Markup("")
            if note.nearest is not None:
                near = format_markup(" O artigo mais próximo é: {}.", sentences.link(note.nearest))
            if note.day is not None:
                text = "Nenhuma fonte traz este dispositivo: o texto da norma ({}) em {} não o tem."
                return format_markup(text, sentences.link(note.norm), day(note.day)) + near
            text = "A norma ({}) consta do acervo; nenhuma fonte trata deste dispositivo em separado."
            return format_markup(text, sentences.link(note.norm)) + near
        case n.Ambiguous():
            count = sentences.words.number(note.count)
            several = f"mais de {count}" if note.more else count
            which = "tiveram este apelido nesse dia" if note.nickname else "correspondem à busca"
            return format_markup(
                "Vários atos ({}) {}. Escolha um: {}.", several, which, _links(note.names, sentences, note.count)
            )
        case n.AgreesInPart():
            return format_markup(
                "Nenhum ato corresponde a todos os dados informados; alguns correspondem em parte: {}{} ({}).",
                _links(note.names, sentences),
                "…" if note.more else "",
                why(note.why, sentences),
            )
        case n.SeveralCitations():
            return format_markup("O texto cita mais de uma norma ou dispositivo: {}.", _links(note.names, sentences))
        case n.EquivalentNames():
            return format_markup(
                "As fontes conhecem este documento por mais de um nome: {}.", _links(note.names, sentences)
            )
        case n.SameNumber():
            return format_markup(
                "Há também, da mesma autoridade e do mesmo tipo, número e ano: {}.", _links(note.names, sentences)
            )
        case n.NumbersBeganAnew():
            return Markup("A numeração das emendas recomeçou com a Constituição de 1988: informe o ano.")
        case n.TailLeft():
            return format_markup("Escolha primeiro a norma, e depois a versão ou o dispositivo ({}).", note.tail)
        case n.CandidatesCut():
            if note.looked_at is not None:
                return format_markup(
                    "Só {} dos atos que correspondem à busca foram comparados: informe mais dados do ato.",
                    sentences.words.number(note.looked_at),
                )
            return format_markup(
                "Há mais resultados ({}) do que os mostrados ({}): informe mais dados do ato.",
                sentences.words.number(note.found or 0),
                sentences.words.number(note.shown or 0),
            )
        case n.WiderLevel():
            return format_markup("Nada consta sobre {}; {}.", sentences.label(note.asked), _GIVEN[note.given])
        case n.SeveralOccupants():
            listed = Markup("; ").join(_occupant(occupant, sentences) for occupant in note.occupants)
            return format_markup(
                "Vários dispositivos tiveram este identificador, um depois do outro: {}. Em {}, ele designa {}.",
                listed,
                day(note.on),
                sentences.link(note.chosen),
            )
        case n.RecordWithdrawn():
            return _withdrawn(note, sentences)
        case n.UnknownVersion():
            return _unknown_version(note, sentences)
        case n.SeveralVersions():
            return Markup("Foi pedido o texto de várias versões; nenhuma fonte as publica em um só texto.")
        case n.NoVersionAnswers():
            return format_markup(
                "Em {}, não há versão aplicável ({}), conforme o publicado até {}: {}.",
                day(note.on),
                sentences.link(note.name),
                day(note.as_known),
                sentences.status_word(note.status, note.name).lower(),
            )
        case n.SameInVersion():
            return format_markup(
                "Esta versão ({}) não alterou o dispositivo, que tem a redação dada por versão anterior ({}).",
                sentences.wording(note.version),
                sentences.wording(note.made_by),
            )
        case n.SupersededView():
            return format_markup(
                "Este texto ({}) era o publicado até {}; conforme o publicado até {}, outro texto o substituiu.",
                sentences.wording(note.version),
                day(note.last),
                day(note.as_known),
            )
        case n.NotInForceToday():
            return _not_in_force_today(note, sentences)
        case n.NoEffectToday():
            has = sentences.wording(note.with_effect) if note.with_effect is not None else "nenhum"
            return format_markup(
                "Este texto não tem eficácia hoje. Texto com eficácia em {}: {}.", day(note.today), has
            )
        case n.NextToCome():
            return format_markup(
                "{}: este é o texto que {} a partir de {}.",
                _not_today(note, sentences),
                _future_phrase(note),
                day(note.start),
            )
        case n.MostRecentPast():
            until = format_markup(", até {}", day(note.until - timedelta(days=1))) if note.until is not None else ""
            return format_markup(
                "{}: este é o último texto que {}{}.", _not_today(note, sentences), _past_phrase(note), until
            )
        case n.BeforeFirstMemento():
            return format_markup(
                "O dia pedido ({}) é anterior ao primeiro texto conhecido, que é de {}.", day(note.day), day(note.first)
            )
        case n.AfterToday():
            return format_markup("O dia {} ainda não chegou: a resposta considera o publicado até hoje.", day(note.day))
        case n.NoHarvestDate():
            return Markup("As fontes desta resposta não informam a data da coleta.")
        case n.OutsideKnowledgeHorizon():
            return sentences.words("norm.notice_horizon", day=day(note.horizon))
        case n.NoVersionDates():
            named = (
                format_markup("; o nome da norma traz apenas o seu ano ({})", note.year)
                if note.year is not None
                else ""
            )
            if note.day is not None:
                named = format_markup("; o nome da norma traz apenas a sua data ({})", day(note.day))
            return format_markup("Nenhuma fonte informa o início da vigência{}.", named)
        case n.Undated():
            return _undated(note, sentences)
        case n.UndatedText():
            which = format_markup(" ({})", sentences.wording(note.version)) if note.version is not None else ""
            return format_markup("Nenhuma fonte informa se, ou quando, este texto{} vigorou.", which)
        case n.BeforePublication():
            return format_markup(
                "Segundo as fontes, a norma ou o dispositivo só é conhecido a partir de {}, depois do dia pedido ({}).",
                day(note.first),
                day(note.on),
            )
        case n.EarlierTextUnknown():
            since = format_markup(", conhecido desde {},", day(note.first)) if note.first is not None else ""
            return format_markup(
                "O primeiro texto conhecido{} pressupõe outro, que nenhuma fonte publica: o texto anterior é "
                "desconhecido.",
                since,
            )
        case n.AmendmentWithoutVersion():
            return format_markup(
                "Uma fonte informa uma alteração {}, mas nenhuma versão deste acervo resulta dela.",
                sentences.by_one(note.amending, short=True),
            )
        case n.DatesBeforeNorm():
            listed = Markup(", ").join(_dated(version, sentences) for version in note.versions[:_SHOWN])
            return format_markup(
                "Uma fonte atribui a uma versão data anterior à da própria norma ({}): a vigência é retroativa ou há "
                "erro na fonte. Versões: {}{}.",
                day(note.oldest),
                listed,
                "…" if len(note.versions) > _SHOWN else "",
            )
        case n.DatesOfWording():
            return Markup(
                "As datas destas redações são as de assinatura das normas alteradoras, e não as de entrada em vigor."
            )
        case n.NormUndated():
            return format_markup(
                "Nenhuma fonte informa o início da vigência da norma ({}): o dispositivo pode ter entrado em vigor "
                "depois do dia indicado.",
                sentences.title(note.norm),
            )
        case n.CommencementChanged():
            by = Markup(", ").join(sentences.link(act, short=True) for act in note.acts)
            return format_markup(
                "A cláusula de vigência da norma ({}) foi alterada{}: alguns artigos podem ter início de vigência "
                "diferente do indicado nesta resposta.",
                sentences.title(note.norm),
                format_markup(" ({})", by) if by else "",
            )
        case n.ActDays():
            return _act_days(note, sentences)
        case n.CuratedFact():
            cited = (
                format_markup(" (fonte: {})", sentences.cited_source(note.source)) if note.source is not None else ""
            )
            return format_markup("Fato informado pelo curador “{}”, e não por um provedor{}.", note.curator, cited)
        case n.SourcesContradict():
            return contradicting_statements(note, sentences)
        case n.EfficacyDiffers():
            return _efficacy(note, sentences)
        case n.MeasureLapsed():
            return _measure_lapsed(note, sentences)
        case n.ConversionGap():
            ended = (
                format_markup("em {}", sentences.day(note.ended)) if note.ended is not None else "em data não informada"
            )
            return format_markup(
                "A {}, deixou de vigorar {}, e a lei de conversão ({}) só entrou em vigor em {}: por essas datas, "
                "nenhuma das duas vigorava nesse intervalo.",
                sentences.link(note.measure, short=True),
                ended,
                sentences.link(note.law, short=True),
                day(note.start),
            )
        case n.NotYetInForce():
            return format_markup(
                "Texto anterior à entrada em vigor, em {}: o texto que entrar em vigor pode ser outro.",
                day(note.start),
            )
        case n.ProvisionsNotYetInForce():
            start = format_markup("vigência a partir de {}", day(note.start)) if note.start is not None else None
            since = start or "início da vigência não informado"
            left_out = _links(note.provisions, sentences)
            sentence = "Não constam deste texto, por ainda não vigorarem no dia consultado ({}): {}."
            return format_markup(sentence, since, left_out)
        case n.NotInText():
            return format_markup(
                "O texto em vigor nesse dia ({}) não tem este dispositivo.", sentences.wording(note.version)
            )
        case n.DerivedText():
            acts = Markup(", ").join(sentences.wording(act) for act in note.acts)
            base = format_markup(", aplicados a {}", sentences.wording(note.base)) if note.base is not None else ""
            return format_markup(
                "Este texto (a partir de {}) não consta das fontes: resulta dos atos que alteraram a norma ({}{}).",
                day(note.day),
                acts,
                base,
            )
        case n.DerivedDiffers():
            acts = Markup(", ").join(sentences.wording(act) for act in note.acts)
            listed = Markup("; ").join(sentences.wording(name) for name in note.provisions)
            return format_markup(
                "Segundo os atos que alteraram a norma ({}), desde {} o texto destes dispositivos seria outro: {}.",
                acts,
                day(note.day),
                listed,
            )
        case n.TextUnknown():
            text = sentences.words("norm.text_missing", text=sentences.wording(note.version))
            if note.nearest is not None:
                address = sentences.frame.to(name_path(note.nearest))
                nearest = format_markup('<a href="{}">{}</a>', address, sentences.wording(note.nearest))
                text += sentences.words("norm.text_nearest", text=nearest)
            return text
        case n.WordsUnknown():
            if not note.provisions:
                return Markup("Nenhuma fonte tem a redação desta versão do dispositivo.")
            return format_markup(
                "Nenhuma fonte tem a redação destes dispositivos naquela data: {}.", _links(note.provisions, sentences)
            )
        case n.Vetoed():
            return Markup("O dispositivo foi vetado.")
        case n.CaputEnded():
            return format_markup(
                'O <a href="{}">caput</a> deste artigo não está em vigor ({}). O texto mostra os demais dispositivos.',
                sentences.path(note.caput),
                sentences.words(f"status.{note.status.value}").lower(),
            )
        case n.UndecidedProvisions():
            return format_markup(
                "As fontes não permitem determinar a vigência ou a redação destes dispositivos: {}.",
                _links(note.provisions, sentences),
            )
        case n.PassagesOmitted():
            return Markup("A fonte omite trechos destes textos: não é possível saber se eles mudaram.")
        case n.NotComparable():
            days = format_markup(" ({})", Markup(" e ").join(map(day, note.days))) if note.days else ""
            return format_markup("As fontes não permitem determinar o texto{}: não é possível comparar.", days)
        case n.NoTextInForce():
            return format_markup(
                "Não há texto a comparar: em nenhum dos dois dias havia um em vigor ({}: {}; {}: {}).",
                day(note.since),
                sentences.words(f"status.{note.before.value}").lower(),
                day(note.until),
                sentences.words(f"status.{note.after.value}").lower(),
            )
        case _:
            assert_never(note)


def _act_days(act_days: n.ActDays, sentences: Phrases) -> Markup:
    feminine = is_feminine_name(act_days.act, sentences.vocabulary)
    cited = ""
    if sentences.title(act_days.named) not in {sentences.title(act_days.act), sentences.short(act_days.act)}:
        cited = format_markup(
            " {} na fonte como “{}”,", "citada" if feminine else "citado", sentences.title(act_days.named)
        )
    act = format_markup(
        "{} {},{} é de {}",
        "A" if feminine else "O",
        sentences.short(act_days.act),
        cited,
        sentences.words.time(act_days.signed),
    )
    if act_days.published is None:
        return act + "."
    day = sentences.words.time(act_days.published)
    made = "publicada" if feminine else "publicado"
    return act + format_markup(" e foi {} em {}: a alteração é conhecida desde essa data.", made, day)


def _measure_lapsed(notice: n.MeasureLapsed, sentences: Phrases) -> Markup:
    """Return the sentence for a measure that lost its effect (Constitution, article 62, §§ 3, 11 and 12)."""
    measure = sentences.link(notice.measure, short=True)
    first = sentences.day(notice.effect) if notice.effect is not None else None
    if notice.is_earlier:
        return format_markup(
            "A {}, {}{}. O que não foi convertido em lei perdeu a eficácia desde a edição, salvo reedição dentro do "
            "prazo (Constituição, art. 62, parágrafo único, na redação anterior à EC nº 32, de 2001).",
            measure,
            _MEASURE_ENDS[notice.end],
            format_markup(" (primeiro dia sem vigência: {})", first) if first is not None else "",
        )
    if notice.end in {n.MeasureEnd.NOT_KEPT, n.MeasureEnd.NOT_STATED}:
        return format_markup(
            "A {}, {}, que por isso perdeu a eficácia desde a edição (Constituição, art. 62, §§ 3º, 11 e 12), "
            "ressalvadas as relações jurídicas disciplinadas por decreto legislativo (§ 3º) ou conservadas nos termos "
            "do § 11.{}",
            measure,
            _MEASURE_ENDS[notice.end],
            format_markup(" Primeiro dia sem vigência: {}.", first) if first is not None else "",
        )
    return format_markup(
        "A {}, {}{} e perdeu a eficácia desde a edição (Constituição, art. 62, § 3º), ressalvadas as relações "
        "jurídicas disciplinadas por decreto legislativo ou conservadas nos termos do § 11.",
        measure,
        _MEASURE_ENDS[notice.end],
        format_markup(" (primeiro dia sem vigência: {})", first) if first is not None else "",
    )


def _links(names: Sequence[str], sentences: Phrases, count: int | None = None) -> Markup:
    """Return the first names as links, with an ellipsis where there are more."""
    rest = len(names) > _SHOWN or (count is not None and count > len(names))
    return Markup(", ").join(sentences.link(name) for name in names[:_SHOWN]) + ("…" if rest else "")


def _occupant(occupant: n.Occupant, sentences: Phrases) -> Markup:
    if occupant.start is None:
        return format_markup(
            "{} (vigência não informada até {})", sentences.link(occupant.name), sentences.words.time(occupant.known)
        )
    days = sentences.interval(occupant.start, occupant.until)
    return format_markup(
        "{} ({}, conforme o publicado até {})",
        sentences.link(occupant.name),
        days,
        sentences.words.time(occupant.known),
    )


def _withdrawn(notice: n.RecordWithdrawn, sentences: Phrases) -> Markup:
    if notice.record is None:
        return format_markup(
            "Outros registros sobre este nome que não estão mais disponíveis: {}.", sentences.words.number(notice.more)
        )
    if notice.curated:
        fact = format_markup("O fato “{}” foi retirado pelo curador", notice.record)
        if notice.withdrawn_on is not None:
            return format_markup("{} em {}.", fact, sentences.words.time(notice.withdrawn_on))
        return format_markup("{}; a data não foi informada.", fact)
    of = format_markup(" de {}", notice.provider) if notice.provider is not None else ""
    which = format_markup("Um registro sobre este nome ({}{})", notice.record, of)
    if notice.missing_since is not None:
        since = sentences.words.time(notice.missing_since)
        return format_markup("{} não é mais listado pelo provedor, o que foi constatado em {}.", which, since)
    if notice.withdrawn_on is not None:
        return format_markup("{} foi retirado pelo provedor em {}.", which, sentences.words.time(notice.withdrawn_on))
    return format_markup("{} foi retirado pelo provedor; a data não foi informada.", which)


def _unknown_version(notice: n.UnknownVersion, sentences: Phrases) -> Markup:
    which = sentences.words.time(notice.day) if notice.day is not None else sentences.label(notice.asked)
    if notice.views:
        views = Markup("; ").join(_view(view, sentences) for view in notice.views)
        return format_markup("Nenhuma versão tem essas datas. Da versão de {}, as fontes informam só {}.", which, views)
    near = Markup(" e ").join(map(sentences.words.time, notice.neighbours))
    beside = format_markup("; as mais próximas são de {}", near) if notice.neighbours else ""
    return format_markup("Nenhuma versão tem essas datas ({}){}.", which, beside)


def _view(view: n.View, sentences: Phrases) -> Markup:
    on = format_markup(" em {}", sentences.words.time(view.day)) if view.day is not None else ""
    return format_markup("{}{}", sentences.event(view.event).lower(), on)


def _not_in_force_today(notice: n.NotInForceToday, sentences: Phrases) -> Markup:
    if notice.changed is not None:
        since = format_markup(" desde {}", sentences.words.time(notice.since)) if notice.since is not None else ""
        return format_markup(
            "Este não é o texto em vigor hoje. Conteúdo alterado: {}{}.", sentences.label(notice.changed), since
        )
    if notice.in_force is None:
        return format_markup("Nenhum texto está em vigor hoje, {}.", sentences.words.time(notice.today))
    now = sentences.wording(notice.in_force)
    return format_markup(
        "Este não é o texto em vigor hoje. Em vigor em {}: {}.", sentences.words.time(notice.today), now
    )


def _not_today(notice: n.NextToCome | n.MostRecentPast, sentences: Phrases) -> Markup:
    state = "em vigor" if notice.axis is Axis.FORCE else "com eficácia"
    yet = "ainda não está" if isinstance(notice, n.NextToCome) else "não está"
    status = sentences.status_word(notice.status, notice.name).lower()
    norm = sentences.link(notice.name, "")  # a link to today's text on every page
    return format_markup(
        "Hoje ({}) a norma ({}) {} {} ({})", sentences.words.time(notice.today), norm, yet, state, status
    )


def _future_phrase(notice: n.NextToCome) -> str:
    return "vigorará" if notice.axis is Axis.FORCE else "terá eficácia"


def _past_phrase(notice: n.MostRecentPast) -> str:
    return "vigorou" if notice.axis is Axis.FORCE else "teve eficácia"


def _undated(notice: n.Undated, sentences: Phrases) -> Markup:
    reported = "As fontes não informam a data exata de um ou mais eventos."
    if notice.events:
        return format_markup(
            "{} Eventos: {}.", reported, ", ".join(sentences.event(event).lower() for event in notice.events)
        )
    if notice.words:
        return format_markup("{} Uma fonte não informa o primeiro dia de vigência.", reported)
    missing = " nem ".join(_MISSING[part] for part in notice.missing)
    return (
        format_markup("{} Uma fonte nomeia uma versão, mas não informa {}.", reported, missing)
        if missing
        else format_markup(reported)
    )


def _dated(version: n.DatedVersion, sentences: Phrases) -> Markup:
    stated = (("em vigor desde", version.version_date), ("conhecida desde", version.view_date))
    days = Markup(" e ").join(
        format_markup("{} {}", day_label, sentences.words.time(day)) for day_label, day in stated if day is not None
    )
    return format_markup("{} ({})", sentences.wording(version.name), days)


def _efficacy(notice: n.EfficacyDiffers, sentences: Phrases) -> Markup:
    force = sentences.words(f"status.{notice.force.value}")
    joined = " " if notice.status is Status.SUSPENDED else ", "
    if notice.status is Status.IN_FORCE:
        effect = "mas com eficácia"
    elif notice.status is Status.UNKNOWN:
        effect = "com eficácia indeterminada"
    elif notice.status is Status.SUSPENDED:
        effect = "com a eficácia suspensa"
    elif notice.status is Status.VACATIO:
        effect = "ainda sem eficácia"
    else:
        effect = f"mas sem eficácia ({sentences.words(f'status.{notice.status.value}').lower()})"
    days = ""
    if notice.since is not None or notice.until is not None:
        days = format_markup("{}{}", joined, _interval(notice.since, notice.until, sentences))
    because = Markup("; ").join(_event(reason, sentences) for reason in _distinct_reasons(notice.because))
    return format_markup("{}, {}{}{}.", force, effect, days, format_markup(": {}", because) if because else "")


def _distinct_reasons(because: Iterable[Reason]) -> list[Reason]:
    return list({(reason.event, reason.effect, reason.known, reason.cause): reason for reason in because}.values())


def _event(reason: Reason, sentences: Phrases) -> Markup:
    by = format_markup(" {}", sentences.by_one(reason.cause, short=True)) if reason.cause is not None else ""
    return format_markup(
        "{}{}, {}, publicação {}",
        sentences.event_of(reason)[:1].lower() + sentences.event_of(reason)[1:],
        by,
        effect_of_reason(reason, sentences),
        sentences.published(reason.known),
    )


def _interval(since: date | None, until: date | None, sentences: Phrases) -> Markup:
    if since is None:
        return (
            format_markup("até {}", sentences.words.time(until - timedelta(days=1)))
            if until is not None
            else Markup("")
        )
    return sentences.interval(since, until)
