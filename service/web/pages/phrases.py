"""Phrases of one page: names as links, events, days and intervals in words, and why a name may be meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from markupsafe import Markup

from graph.civil import parse_day, parse_when
from graph.errors import BadDate, BadName
from graph.today import today
from graph.urn import Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import authority_label, is_feminine, label, place_label
from graph.wording.provisions import provision_name
from ontology.events import FIRST_TEXT_EVENTS, event_iri
from queries.naming import Agreement, MatchReason
from queries.reasons import Reason
from queries.text.wording_history import bounds_of
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.words import Words, agreeing, is_she, labelled, marked, words_in

_ONE_DAY = timedelta(days=1)
#: The name of a page of an issue of a gazette (LexML part 4, figure 3).
_PAGE = re.compile("([^!]+)!pag([0-9]+)", re.ASCII)
#: The day of a norm behind its number, of which official notes have the year alone.
_DAY_OF_NORM = re.compile(r", de \d{1,2}º? de \w+ de (\d{4})\Z")
#: Days from one to another, by whether nobody knows how it stands before them, and after them.
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

    def within(self, name: Name) -> str:
        """A provision in words, as it is called within its norm."""
        language = "pt" if self.frame.language is Language.PORTUGUESE else "en"
        return provision_name(name.canonical.rpartition("!")[2], language=language)

    def title(self, name: str | Name) -> str:
        """A name in words with a capital at its head."""
        said = self.label(name)
        return said[:1].upper() + said[1:]

    def _label(self, name: Name) -> str:
        return label(name, "pt" if self.frame.language is Language.PORTUGUESE else "en", self.vocabulary)

    def link(self, name: str, query: str = "", *, short: bool = False) -> Markup:
        """A name in words as a link to its address; what is no name is text.

        Args:
            name: of a norm or provision.
            query: of the address.
            short: whether a norm is called by its number and year, as official notes call it.
        """
        try:
            read = parse(name)
        except BadName:
            return marked("<bdi>{}</bdi>", name)
        called = self.label(read)
        called = _DAY_OF_NORM.sub(r", de \1", called) if short else called
        if not self.is_known(read):
            return marked('<span class="unknown-here">{}</span>', called)
        path = self.frame.to(name_path(read.canonical) + query)
        return marked('<a href="{}">{}</a>', path, called)

    def by(self, names: Sequence[str], *, short: bool = False) -> Markup:
        """Which norms did something: ``pela`` one, ``pelo`` another."""
        return self.words("norm.and_by").join(self.by_one(name, short=short) for name in names)

    def by_one(self, name: str, *, short: bool = False) -> Markup:
        """Which norm did something: ``pela`` or ``pelo`` and its name."""
        feminine = is_she(name, self.vocabulary)
        return self.words("norm.by_her" if feminine else "norm.by_him", norm=self.link(name, short=short))

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

    def published(self, said: str | None) -> Markup:
        """When something was published: on a day, in a year, or between bounds, as a reason has it."""
        try:
            day = parse_when(said).exact if said is not None else None
        except BadDate:
            day = None
        return self.words("norm.published_day", day=self.words.time(day)) if day is not None else self.when(said)

    def agreed(self, key: str, name: str | Name, **values: object) -> Markup:
        """A message that agrees with what it is said of."""
        told = name if isinstance(name, str) else name.canonical
        return self.words(agreeing(self.words, key, told, self.vocabulary), **values)

    def wording(self, version: str) -> Markup:
        """Which text a version is: its day, and what made this view of it."""
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


#: Reasons whose value is a name, or a day.
_NAMES = frozenset({Agreement.EQUIVALENT, Agreement.CITED_AS, Agreement.READ_AS, Agreement.WORDS_OF})
_DAYS = frozenset({Agreement.FULL_DATE, Agreement.OTHER_DAY, Agreement.OF_DAY})


def why(reasons: Iterable[MatchReason], say: Phrases) -> Markup:
    """Why a name may be meant, in one line."""
    return Markup("; ").join(_said(one, say) for one in reasons)


def _said(one: MatchReason, say: Phrases) -> Markup:
    key, value = f"why.{one.code}", one.value or ""
    match one.code:
        case Agreement.IN_FORCE_FROM | Agreement.KNOWN_FORCE_NONE | Agreement.IN_FORCE | Agreement.MADE_KNOWN:
            return _days(one, say)
        case Agreement.IT_IS:
            return say.words(key, words=_place(value, say))
        case code if code in _NAMES:
            return say.words(key, name=_named(value, say))
        case code if code in _DAYS:
            return say.words(key, day=say.day(value))
        case _:
            return say.words(key, words=value)


def _days(one: MatchReason, say: Phrases) -> Markup:
    day = say.words.time
    values: dict[str, object] = {"known": day(one.known) if one.known is not None else "?"}
    if one.code is Agreement.IN_FORCE_FROM and one.since is not None:
        values["days"] = say.interval(one.since, one.until)
    elif one.since is not None:
        values["day"] = day(one.since)
    if one.code is Agreement.MADE_KNOWN:
        values["event"] = say.event(one.value).lower()
    return say.words(f"why.{one.code}_{one.value}" if one.code is Agreement.IN_FORCE else f"why.{one.code}", **values)


def _named(name: str, say: Phrases) -> Markup | str:
    """A name in words; a version by its days, as the rest of the page has them, and not by the norm's whole title."""
    try:
        version = parse(name)
    except BadName:
        return name
    return say.wording(name) if version.versao is not None else say.label(version)


def _place(words: str, say: Phrases) -> str:
    """Place and authority, as the names of norms write them, in words; what is no such pair stays."""
    place, _, authority = words.partition(":")
    if not authority:
        return words
    where, who = place_label(place, say.vocabulary), authority_label(authority, say.vocabulary).lower()
    return who if place == "br" else f"{who} ({where})"
