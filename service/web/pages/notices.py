"""Notices and match reasons as sentences of a page, with links to the norms that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

import queries.notices as n
from graph.urn import parse
from queries.messages import match_fields, notice_fields
from queries.naming import Agreement, MatchReason
from queries.reasons import Reason
from service.web.http.negotiation import Language
from service.web.pages.contradictions import contradicting_statements
from service.web.pages.frame import format_markup, gender
from service.web.pages.reasons import effect_of_reason
from service.web.pages.writer import PageWriter, SourcedSentence
from service.web.text_layout import Some, cut, take_fitting
from words.messages import Listing, message

#: The maximum number of contradictions of sources with a notice each.
_APART = 2
#: The maximum number of notices of a page, of their bytes, and of characters of a message.
_MOST_NOTICES, _ROOM, _LONGEST = 20, 15_000, 2_000
#: The maximum number of names in a list in English.
_MOST = 20
#: The match reasons about parts that the text omits.
_UNSAID = frozenset({Agreement.AUTHORITY_MISSING, Agreement.PLACE_MISSING, Agreement.TYPE_MISSING})
#: The context of messages that pages write otherwise than documents.
_ON_PAGE = ("page",)


@dataclass(frozen=True, slots=True)
class _Event:
    """An event that decided a lack of effect: its fields as stated, and its label and days in words."""

    event: str | None
    effect: str | None
    known: str | None
    cause: str | None
    what: Markup
    when: Markup
    published: Markup

    @classmethod
    def of(cls, reason: Reason, writer: PageWriter) -> _Event:
        label = writer.event_of(reason)
        what, when = Markup("{}").format(label[:1].lower() + label[1:]), effect_of_reason(reason, writer)
        return cls(reason.event, reason.effect, reason.known, reason.cause, what, when, writer.published(reason.known))


def notice_sentence(notice: n.Notice, writer: PageWriter) -> Markup:
    """Return the sentence of a notice.

    Args:
        notice: a notice of :data:`queries.notices.AnyNotice`.
    """
    if isinstance(notice, n.SourcesContradict):
        return contradicting_statements(notice, writer)
    fields = notice_fields(notice)
    fields |= _fields_on_page(notice, fields, writer)
    if writer.words.language is Language.ENGLISH:
        fields = {key: _limited(value) for key, value in fields.items()}
    contexts = gender(notice.act, writer.vocabulary) if isinstance(notice, n.ActDays) else ()
    return writer.message(f"notice.{notice.CODE}", fields, *contexts)


def _limited(value: object) -> object:
    return Listing(value[:_MOST], None) if isinstance(value, tuple) and len(value) > _MOST else value


def _fields_on_page(notice: n.Notice, fields: dict[str, object], writer: PageWriter) -> dict[str, object]:
    """Return the fields that depend on what else the page says."""
    match notice:
        case n.AgreesInPart():
            return {"why": why(notice.why, writer)}
        case n.CommencementChanged():
            return {"other": notice.norm if parse(notice.norm) != writer.own_norm else None}
        case n.ActDays():
            known_as = {writer.title(notice.act), writer.short(notice.act)}
            cited = notice.named if writer.title(notice.named) not in known_as else None
            by_year = cited is None and parse(notice.named).representative_date is None
            return {"cited": cited, "by_year": by_year}
        case n.EfficacyDiffers():
            because = fields["because"]
            assert isinstance(because, tuple)  # noqa: S101 - reasons, each once
            return {"because": tuple(_Event.of(reason, writer) for reason in because)}
        case _:
            return {}


def why(reasons: Iterable[MatchReason], writer: PageWriter) -> Markup:
    """Return the match reasons of a candidate on one line."""
    lines = list[str]()
    before: MatchReason | None = None
    for reason in reasons:
        if reason.code is Agreement.IT_IS and before is not None and before.code in _UNSAID:
            lines[-1] = message(f"why.{before.code}_is", match_fields(reason), writer)
        else:
            lines.append(message(f"why.{reason.code}", match_fields(reason), writer, _ON_PAGE))
        before = reason
    return Markup("; ".join(lines))  # noqa: S704 - the writer escapes the values


def notice_sentences(notices: Iterable[n.Notice], writer: PageWriter) -> Iterator[SourcedSentence]:
    """Yield notices as sentences, each once. A missing text has one notice per version, with the nearest text if known.

    If there are more than :data:`_APART` contradictions of the sources, one notice lists all of them. The facts of one
    curator are one sentence.

    Args:
        notices: the notices in order.
    """
    every = list(dict.fromkeys(notices))
    missing = [each for each in every if isinstance(each, n.TextUnknown)]
    best = {each.version: each for each in sorted(missing, key=lambda each: each.nearest is not None)}
    contradictions = [each for each in every if isinstance(each, n.SourcesContradict)]
    if len(contradictions) > _APART:
        every = [each for each in every if each not in contradictions[1:]]
    joined = _facts_by_curator(every)
    for each in every:
        if each in joined:
            if each == joined[each][0]:
                yield SourcedSentence(facts_sentence(joined[each], writer))
        elif len(contradictions) > _APART and each == contradictions[0]:
            yield _group_contradictions(contradictions, writer)
        elif not isinstance(each, n.TextUnknown) or best[each.version] == each:
            yield SourcedSentence(notice_sentence(each, writer))


def _group_contradictions(notices: Sequence[n.SourcesContradict], writer: PageWriter) -> SourcedSentence:
    """Return one notice with the contradictions of the sources: their number, and a list that opens."""
    words, more = writer.words, len(notices) - _MOST_NOTICES
    sentences = [notice_sentence(each, writer) for each in notices[:_MOST_NOTICES]]
    if more > 0:
        sentences.append(words("norm.more", n=words.number(more)))
    items = Markup("").join(format_markup("<li>{}</li>", each) for each in sentences)
    summary = words("norm.contradictions", n=words.number(len(notices)))
    return SourcedSentence(format_markup("<details><summary>{}</summary><ul>{}</ul></details>", summary, items))


def notices_shown(*reported: SourcedSentence) -> Some[SourcedSentence]:
    """Return notices, each once, as many as fit into a page. Long messages are cut."""
    shown = (
        each if isinstance(each.text, Markup) else replace(each, text=cut(each.text, _LONGEST)) for each in reported
    )
    return take_fitting(
        [*dict.fromkeys(shown)],
        _MOST_NOTICES,
        _ROOM,
        lambda sentence: len(sentence.text),
    )


def facts_sentence(facts: Sequence[n.CuratedFact], writer: PageWriter) -> Markup:
    """Return the sentence of facts that one curator states, each with a source."""
    named = dict.fromkeys((fact.source or "", writer.cited_source(fact.source or "")) for fact in facts)
    quoted = (cited if cited.striptags() != source else format_markup("“{}”", source) for source, cited in named)
    return writer.words("norm.curated_facts", who=facts[0].curator, sources=Markup(", ").join(quoted))


def _facts_by_curator(notices: Iterable[n.Notice]) -> dict[n.Notice, Sequence[n.CuratedFact]]:
    """Return all facts with a source of one curator, by each of them; a curator with a single fact is left out."""
    facts: dict[str, list[n.CuratedFact]] = {}
    for notice in notices:
        if isinstance(notice, n.CuratedFact) and notice.source is not None:
            facts.setdefault(notice.curator, []).append(notice)
    return {fact: curator_facts for curator_facts in facts.values() if len(curator_facts) > 1 for fact in curator_facts}
