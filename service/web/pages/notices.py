"""Notices and match reasons as sentences of a page, with links to the norms that they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup, escape

import queries.notices as n
from graph.civil import ONE_DAY
from graph.errors import BadDate
from graph.terms import day_stated
from graph.time.kinds import Status
from graph.urn import parse, parse_or_none
from graph.wording.labels import authority_label, place_label
from graph.wording.provisions import articles_in_words
from queries.messages import Articles, Days, PlainWriter, fields_of, match_fields, notice_fields
from queries.naming import Agreement, MatchReason
from queries.reasons import Reason
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.pages.frame import escape_invisible, format_markup, gender
from service.web.pages.phrases import Phrases, contradicting_statements, effect_of_reason
from service.web.text_layout import cut
from words.messages import Listing, message
from words.texts import Texts, texts_in

#: The maximum number of names in a list in English, and of characters of a text.
_MOST, _LONGEST = 20, 2_000
#: The match reasons about parts that the text omits.
_UNSAID = frozenset({Agreement.AUTHORITY_MISSING, Agreement.PLACE_MISSING, Agreement.TYPE_MISSING})
#: The context of messages that pages write otherwise than documents.
_ON_PAGE = ("page",)
#: The authority of norms of a municipality.
_MUNICIPAL = "municipal"


def notice_sentence(notice: n.Notice, phrases: Phrases) -> Markup:
    """Return the sentence of a notice.

    Args:
        notice: a notice of :data:`queries.notices.AnyNotice`.
        phrases: the phrases of the page.
    """
    if isinstance(notice, n.SourcesContradict):
        return contradicting_statements(notice, phrases)
    fields = {**notice_fields(notice), **_fields_on_page(notice, phrases)}
    if phrases.words.language is Language.ENGLISH:
        fields = {key: _limited(value) for key, value in fields.items()}
    contexts = gender(notice.act, phrases.vocabulary) if isinstance(notice, n.ActDays) else ()
    text = message(f"notice.{notice.CODE}", fields, _PageWriter(phrases), contexts)
    return Markup(text[:1].upper() + text[1:])  # noqa: S704 - the writer escapes the values


def _limited(value: object) -> object:
    return Listing(value[:_MOST], None) if isinstance(value, tuple) and len(value) > _MOST else value


def _fields_on_page(notice: n.Notice, phrases: Phrases) -> dict[str, object]:
    """Return the fields that depend on what else the page says."""
    match notice:
        case n.AgreesInPart():
            return {"why": why(notice.why, phrases)}
        case n.CommencementChanged():
            return {"other": notice.norm if parse(notice.norm) != phrases.own_norm else None}
        case n.ActDays():
            known_as = {phrases.title(notice.act), phrases.short(notice.act)}
            cited = notice.named if phrases.title(notice.named) not in known_as else None
            by_year = cited is None and parse(notice.named).representative_date is None
            return {"cited": cited, "by_year": by_year}
        case _:
            return {}


def why(reasons: Iterable[MatchReason], phrases: Phrases) -> Markup:
    """Return the match reasons of a candidate on one line."""
    writer, lines = _PageWriter(phrases), list[str]()
    before: MatchReason | None = None
    for reason in reasons:
        if reason.code is Agreement.IT_IS and before is not None and before.code in _UNSAID:
            lines[-1] = message(f"why.{before.code}_is", match_fields(reason), writer)
        else:
            lines.append(message(f"why.{reason.code}", match_fields(reason), writer, _ON_PAGE))
        before = reason
    return Markup("; ".join(lines))  # noqa: S704 - the writer escapes the values


@dataclass(frozen=True, slots=True)
class _PageWriter:
    """Writes values as HTML in the language of a page."""

    phrases: Phrases

    @property
    def texts(self) -> Texts:
        return texts_in(self.phrases.words.language)

    def fields_of(self, value: object) -> Mapping[str, object] | None:
        made = fields_of(value)
        if made is None or not isinstance(value, Reason):
            return made
        event, when = self.phrases.event_of(value), effect_of_reason(value, self.phrases)
        return {
            **made,
            "what": event[:1].lower() + event[1:],
            "when": when,
            "published": self.phrases.published(value.known),
        }

    def write(self, value: object, form: str, fields: Mapping[str, object], *, first: bool) -> str:
        written = self._written(value, form, fields, first=first)
        return escape(escape_invisible(written))

    def _written(self, value: object, form: str, fields: Mapping[str, object], *, first: bool) -> str:
        phrases, is_english = self.phrases, self.phrases.words.language is Language.ENGLISH
        match value:
            case Markup():
                return value
            case Status():
                name = fields.get("name")
                status = phrases.status_word(value, name) if isinstance(name, str) else phrases.words(f"status.{value}")
                return status if first else status.lower()
            case Days(start=None, until=date() as until):
                return phrases.words("norm.until", day=phrases.words.time(until - ONE_DAY))
            case Days(start=date() as start, until=until):
                return phrases.interval(start, until)
            case Articles():
                return articles_in_words(value.gaps, "en" if is_english else "pt")
            case date():
                return phrases.words.time(value - ONE_DAY if form == "last" else value)
            case int():
                return str(value) if form == "plain" else phrases.words.number(value)
            case str():
                return self._text(value, form, first=first)
            case _:
                return PlainWriter().text(value, form)

    def _text(self, text: str, form: str, *, first: bool) -> str:  # noqa: PLR0911, PLR0912 - a table
        phrases = self.phrases
        match form:
            case "short":
                return phrases.link(text, short=True, capital=first)
            case "first":
                return phrases.link(text, short=phrases.words.language is Language.ENGLISH, capital=first)
            case "link":
                return phrases.link(text)
            case "today":  # a link to today's text on every page
                return phrases.link(text, "")
            case "linked":
                address = phrases.frame.to(name_path(text))
                return format_markup('<a href="{}">{}</a>', address, phrases.wording(text))
            case "label":
                return phrases.label(text)
            case "title":
                return phrases.title(text)
            case "number":
                return phrases.short(text)
            case "wording":
                return phrases.wording(text)
            case "name":
                version = parse_or_none(text)
                return (
                    phrases.wording(text) if version is not None and version.versao is not None else phrases.label(text)
                )
            case "by":
                return phrases.by_one(text, short=True)
            case "path":
                return phrases.path(text)
            case "event":
                event = phrases.event(text)
                return event if first else event.lower()
            case "when":
                return phrases.when(text)
            case "exact":
                day = day_stated(text)
                return phrases.day(text) if day is not None and day.exact is not None else phrases.when(text)
            case "day":
                try:
                    return phrases.day(text)
                except BadDate:
                    return text
            case "published":
                return phrases.published(text)
            case "cited":
                return phrases.cited_source(text)
            case "place":
                return self._place(text)
            case "mark":
                return phrases.situation_mark(text, "")
            case _:
                return PlainWriter().text(cut(text, _LONGEST), form)

    def _place(self, words: str) -> str:
        """Return a pair of place and authority, a place, or a type in words."""
        vocabulary = self.phrases.vocabulary
        place, _, authority = words.partition(":")
        if not authority:
            known = place_label(place, vocabulary) if ";" in place else place
            return known.replace(".", " ")
        where, who = place_label(place, vocabulary), authority_label(authority, vocabulary)
        if place == "br":
            return who
        if authority == _MUNICIPAL:
            return self.phrases.words("why.municipality", place=where)
        return f"{who} ({where})"
