"""The writer of a page: names as links, days, events and messages with typed fields, in the language of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from markupsafe import Markup, escape

from graph.civil import ONE_DAY, parse_day, parse_when, today
from graph.errors import BadDate
from graph.terms import Text, day_stated
from graph.time.kinds import Status
from graph.urn import Kind, Name, parse, parse_or_none
from graph.vocabulary import Vocabulary
from graph.wording.citations import cite
from graph.wording.labels import NormForm, authority_label, label, place_label, provision_label
from graph.wording.marks import situation_mark
from graph.wording.provisions import articles_in_words
from ontology.events import FIRST_TEXT_EVENTS, EventKind, event_iri
from queries.answers import InForce
from queries.evidence import bounds_of
from queries.messages import Articles, Days, PlainWriter, fields_of
from queries.reasons import Reason
from queries.text.changes import ChangeDay
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.pages.frame import (
    Frame,
    Messages,
    escape_invisible,
    format_markup,
    gender,
    label_of,
    source_name,
    words_in,
)
from service.web.text_layout import cut
from words.messages import message
from words.texts import FUTURE, PAST, PRESENT, Texts, texts_in

_POSTPONEMENT, _UPDATE = EventKind.PRORROGACAO_VACATIO, EventKind.TEXTO_ATUALIZADO
_SIGNATURE = EventKind.ASSINATURA
#: The maximum number of characters of the name of a source, and of a text.
_LONGEST_SOURCE, _LONGEST = 100, 2_000
#: The authority of norms of a municipality.
_MUNICIPAL = "municipal"
#: Matches the name of a page of a gazette issue (LexML part 4, figure 3).
_PAGE = re.compile("([^!]+)!pag([0-9]+)", re.ASCII)
#: Matches the form and languages of a text in a name.
_FORM = re.compile(r"~[^!]*")
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
class SourcedSentence:
    """A sentence of a page.

    Attributes:
        text: the sentence.
        source: the IRI of the record that states it; None where it has no record of its own.
    """

    text: Markup | str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class PageWriter:
    """Writes the words of one page: names as links, days and events, and messages with typed fields.

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
        is_dated_by_act: returns whether the day of a version is only that of the signature of the act that made it.
        day_of_act: returns the day of the act that made a version whose name has only bounds; None if it is not known.
        own_norm: the norm of the page, whose provisions links name without it; None where they name it.
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
    is_dated_by_act: Callable[[str], bool] = lambda _: False
    day_of_act: Callable[[str], date | None] = lambda _: None
    own_norm: Name | None = None

    @property
    def words(self) -> Messages:
        """Return the messages of the page's language."""
        return words_in(self.frame.language)

    def at(self, key: str, when: date, /, **values: object) -> Markup:
        """Return a message in the past, present or future tense, as a day is before, on or after today.

        Args:
            key: the code of the message.
            when: the civil date.
        """
        return self.words(key, self.tense(when), **values)

    def tense(self, day: date) -> str:
        """Return the context of a message in the tense of a day."""
        return PAST if day < self.today else PRESENT if day == self.today else FUTURE

    def label(self, name: str | Name, *, short: bool = False) -> str:
        """Return a name in words; an invalid name unchanged; ``short`` as for :meth:`link`."""
        read = parse_or_none(name) if isinstance(name, str) else name
        if read is None:
            return str(name)
        page = _PAGE.fullmatch(read.canonical) if read.tipo_documento[0] == "publicacao.oficial" else None
        if page is not None:
            return str(self.words("norm.page_of", issue=self._label(parse(page[1])), page=page[2]))
        return self._label(read, NormForm.NOTE if short else NormForm.MENTION)

    def within(self, name: Name) -> str:
        """Return a provision in words, relative to its norm."""
        return provision_label(name, language=self.frame.language.code)

    def title(self, name: str | Name) -> str:
        """Return a name in words with an initial capital."""
        stated = self.label(name)
        return stated[:1].upper() + stated[1:]

    def number(self, name: Name) -> str:
        """Return a name in words with the number and year of its norm, such as ``lei nº 13.709/2018``."""
        return self._label(name, NormForm.TITLE)

    def heading(self, name: Name) -> str:
        """Return a name in words as a title, such as ``Lei nº 13.709/2018``."""
        stated = self.number(name)
        return stated[:1].upper() + stated[1:]

    def _label(self, name: Name, form: NormForm = NormForm.MENTION) -> str:
        return label(
            name,
            self.frame.language.code,
            self.vocabulary,
            is_dated_by_act=name.versao is not None and self.is_dated_by_act(_FORM.sub("", name.canonical)),
            form=form,
        )

    def link(self, name: str, query: str | None = None, *, short: bool = False, capital: bool = False) -> Markup:
        """Return a name in words as a link to its page; an invalid name as text.

        Args:
            name: the name of a norm or provision.
            query: the query of the address; None for the days of :attr:`carried`.
            short: whether a norm has only its number and year, as in official notes.
            capital: whether the first letter is a capital.
        """
        read = parse_or_none(name)
        if read is None:
            return format_markup("<bdi>{}</bdi>", name)
        called = self.called(read, short=short and read.versao is None)
        called = called[:1].upper() + called[1:] if capital else called
        if not self.is_known(read):
            return format_markup('<span class="unknown-here">{}</span>', called)
        if read.provision is not None and read.versao is None and not self.is_described(read):
            read = read.work
        path = self.path(read) if query is None else self.frame.to(name_path(read.canonical) + query)
        return format_markup('<a href="{}">{}</a>', path, called)

    def called(self, name: Name, *, short: bool = False) -> str:
        """Return a name in words; a provision of :attr:`own_norm` without that norm; ``short`` as for :meth:`link`."""
        is_own = name.work == self.own_norm and name.provision is not None and name.versao is None
        return self.within(name) if is_own else self.label(name, short=short)

    def listed(self, name: str, *, short: bool = False, capital: bool = False) -> Markup:
        """Return an act of a list as :meth:`link` does, with a note if no source of the store describes it."""
        shown = self.link(name, short=short, capital=capital)
        read = parse_or_none(name)
        if read is not None and self.is_known(read):
            return shown
        return format_markup('{} <span class="soft">({})</span>', shown, self.words("norm.not_described"))

    def short(self, name: str | Name) -> str:
        """Return a norm in words with only its number and year; an invalid name unchanged."""
        called = self.label(name, short=True)
        return called[:1].upper() + called[1:]

    def path(self, name: str | Name) -> str:
        """Return the address of a norm or provision, with the days of the page that the link keeps."""
        read = parse(name) if isinstance(name, str) else name
        return self.frame.to(name_path(read.canonical) + self.carried(read))

    def by(self, names: Sequence[str], *, short: bool = False) -> Markup:
        """Return the norms that caused something, each with ``pela`` or ``pelo``."""
        return self.words("norm.and_by").join(self.by_one(name, short=short) for name in names)

    def by_one(self, name: str, *, short: bool = False) -> Markup:
        """Return the norm that caused something, with ``pela`` or ``pelo``."""
        return self.agreed("norm.by", name, norm=self.link(name, short=short))

    def of(self, name: Name, called: str, query: str) -> Markup:
        """Return the norm that something belongs to, as a link with ``da`` or ``do``."""
        link = format_markup('<a href="{}">{}</a>', self.frame.to(name_path(name.canonical) + query), called)
        return self.agreed("norm.of", name.work, norm=link)

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

    def when(self, stated: str | None, exact: str = "norm.when_day") -> Markup:
        """Return the time of an effect in words.

        Args:
            stated: a day, a year or bounds, as in :attr:`queries.reasons.Reason.effect`; None if no source states it.
            exact: the code of the message for a day.
        """
        words = self.words
        if stated is None:
            return words("norm.when_unsaid")
        try:
            moment = parse_when(stated)
        except BadDate:
            return format_markup("<bdi>{}</bdi>", stated)
        if moment.exact is not None:
            return words(exact, day=words.time(moment.exact))
        if moment.last is None:
            return words("norm.when_not_before", day=words.time(moment.first))
        if len(stated) == 4:
            return words("norm.when_year", year=stated)
        return words("norm.when_between", first=words.time(moment.first), last=words.time(moment.last))

    def published(self, stated: str | None) -> Markup:
        """Return the time of a publication in words; ``stated`` as for :meth:`when`."""
        return self.when(stated, "norm.published_day")

    def published_of(self, stated: str) -> Markup:
        """Return the time of a publication, to follow the word ``publicação``; ``stated`` as for :meth:`when`."""
        return self.when(stated, "norm.published_of_day")

    def agreed(self, key: str, name: str | Name, **values: object) -> Markup:
        """Return a message that agrees in gender with a norm or provision."""
        reported = name if isinstance(name, str) else name.canonical
        return self.words(key, *gender(reported, self.vocabulary), **values)

    def situation_mark(self, situation: str, name: str) -> str:
        """Return the words that mark a provision in a text."""
        return situation_mark(situation, name, english=self.words.language is Language.ENGLISH)

    def status_in_row(self, status: Status, name: str | Name, start: date, until: date | None = None) -> Markup:
        """Return the status of a row of days. A norm is only signed in a row that ends by its publication.

        Args:
            name: the norm or provision.
            start: the first day of the row.
            until: the day after the last one; None if the status of the first day is meant.
        """
        norm = (parse(name) if isinstance(name, str) else name).work
        if status is Status.VACATIO and self.published_on is not None:
            published = self.published_on(norm)
            if published is not None and start < published and (until is None or until <= published):
                return self.agreed("status.signed", name)
            if published is None and start == norm.representative_date:
                return self.agreed("status.vacatio_signed", name)
        return self.status_word(status, name)

    def status_word(self, status: Status, name: str | Name) -> Markup:
        """Return a status in a word or two. What a court declared unconstitutional is not called annulled.

        Args:
            name: the norm or provision.
        """
        read = parse(name) if isinstance(name, str) else name
        is_void = status is Status.ANNULLED and self.is_declared_void(read)
        return self.agreed(f"status.{DECLARED_VOID if is_void else status}", read)

    def wording(self, version: str) -> Markup:
        """Return the words for a version's text: its day, and an event that made this view, such as a rectification."""
        words, name = self.words, parse(version)
        bounds = bounds_of(name)
        day = name.version_date or (self.day_of_act(version) if bounds is not None else None)
        if day is not None:
            text = words("norm.text_of", day=words.time(day))
        elif bounds is not None:
            text = words("norm.text_between", first=words.time(bounds[0]), last=words.time(bounds[1]))
        else:
            text = words("norm.text_undated")
        made, seen = name.event, name.view_date
        if made != _SIGNATURE and self.is_dated_by_act(version):
            text = self.of_act(text)
        if made is not None and made not in FIRST_TEXT_EVENTS and made != EventKind.ALTERACAO and seen is not None:
            key = f"norm.made_{made}" if words.has(f"norm.made_{made}") else "norm.made"
            event = words(key, day=words.time(seen), event=self.event(made).lower())
            if made == _POSTPONEMENT:  # the day in the name is that of a start, which may have been moved again
                return words("norm.text_postponed", event=event)
            if made == _UPDATE and seen == name.version_date:  # the event is named after the text, of the same day
                return event
            text += words("norm.and", text=event)
        return text

    def of_act(self, day: Markup) -> Markup:
        """Return a day in words, marked as that of the signature of the act, which need not be that of its effect."""
        return self.words("norm.of_act", day=day)

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
        name = cut(source_name(provider), _LONGEST_SOURCE)
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

    def message(self, code: str, fields: Mapping[str, object], *contexts: str) -> Markup:
        """Return a message with typed fields, with an initial capital; the arguments are those of
        :func:`words.messages.message`.
        """
        text = message(code, fields, self, contexts)
        return Markup(text[:1].upper() + text[1:])  # noqa: S704 - the writer escapes the values

    @property
    def texts(self) -> Texts:
        """The messages of the page's language."""
        return texts_in(self.words.language)

    def fields_of(self, value: object) -> Mapping[str, object] | None:
        """Return the fields of a value that has a message of its own; else None."""
        return fields_of(value)

    def write(self, value: object, form: str, fields: Mapping[str, object], *, first: bool) -> str:
        """Return a value of a message as HTML; the arguments are those of :meth:`words.messages.Writer.write`."""
        written = self._written(value, form, fields, first=first)
        return escape(escape_invisible(written))

    def _written(self, value: object, form: str, fields: Mapping[str, object], *, first: bool) -> str:
        match value:
            case Markup():
                return value
            case Status():
                name = fields.get("name")
                status = self.status_word(value, name) if isinstance(name, str) else self.words(f"status.{value}")
                return status if first else status.lower()
            case Days(start=None, until=date() as until):
                return self.words("norm.until", day=self.words.time(until - ONE_DAY))
            case Days(start=date() as start, until=until):
                return self.interval(start, until)
            case Articles():
                return articles_in_words(value.gaps, self.frame.language.code)
            case date():
                return self.words.time(value - ONE_DAY if form == "last" else value)
            case int():
                return str(value) if form == "plain" else self.words.number(value)
            case str():
                return self._text(value, form, first=first)
            case _:
                return PlainWriter().text(value, form)

    def _text(self, text: str, form: str, *, first: bool) -> str:
        """Return a text in a form: the name of a norm, the notation of an event, days as sources state them, or any."""
        match form:
            case "short":
                return self.link(text, short=True, capital=first)
            case "first":
                return self.link(text, short=self.words.language is Language.ENGLISH, capital=first)
            case "today":  # a link to today's text on every page
                return self.link(text, "")
            case "by":
                return self.by_one(text, short=True)
            case "event":
                return self.event(text) if first else self.event(text).lower()
            case "mark":
                return self.situation_mark(text, "")
        written = _FORMS.get(form)
        return written(self, text) if written is not None else PlainWriter().text(cut(text, _LONGEST), form)

    def named(self, text: str) -> str:
        """Return a name in words. A version is named by its days, as in the rest of the page."""
        name = parse_or_none(text)
        return self.wording(text) if name is not None and name.versao is not None else self.label(text)

    def linked(self, text: str) -> Markup:
        """Return a version, named by its days, as a link."""
        return format_markup('<a href="{}">{}</a>', self.frame.to(name_path(text)), self.wording(text))

    def exact_day(self, text: str) -> Markup:
        """Return a day; bounds as the time of an effect."""
        day = day_stated(text)
        return self.day(text) if day is not None and day.exact is not None else self.when(text)

    def stated_day(self, text: str) -> str:
        """Return a day or a year; any other text unchanged."""
        try:
            return self.day(text)
        except BadDate:
            return text

    def place(self, words: str) -> str:
        """Return a pair of place and authority, a place, or a type in words."""
        vocabulary = self.vocabulary
        place, _, authority = words.partition(":")
        if not authority:
            known = place_label(place, vocabulary) if ";" in place else place
            return known.replace(".", " ")
        where, who = place_label(place, vocabulary), authority_label(authority, vocabulary)
        if place == "br":
            return who
        if authority == _MUNICIPAL:
            return self.words("why.municipality", place=where)
        return f"{who} ({where})"


#: What writes a text, by the form of a field.
_FORMS: Mapping[str, Callable[[PageWriter, str], str]] = MappingProxyType(
    {
        "cited": PageWriter.cited_source,
        "day": PageWriter.stated_day,
        "exact": PageWriter.exact_day,
        "label": PageWriter.label,
        "link": PageWriter.link,
        "linked": PageWriter.linked,
        "name": PageWriter.named,
        "number": PageWriter.short,
        "path": PageWriter.path,
        "place": PageWriter.place,
        "published": PageWriter.published,
        "title": PageWriter.title,
        "when": PageWriter.when,
        "wording": PageWriter.wording,
    }
)
