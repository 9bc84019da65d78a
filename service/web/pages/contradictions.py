"""Statements of sources that contradict each other, as sentences of a page."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from datetime import date

from markupsafe import Markup

from graph.civil import ONE_DAY, When
from graph.errors import BadDate, BadName
from graph.urn import parse
from ontology.events import FIRST_TEXT_EVENTS
from queries.contradictions import effect_of
from queries.notices import Disagreement, Notice, SourcesContradict, Statement
from service.web.http.name_paths import description_path
from service.web.pages.frame import format_markup
from service.web.pages.reasons import OF_TEXTS, begins_force, effect_in_words
from service.web.pages.writer import PageWriter
from service.web.text_layout import cut

#: The maximum number of statements of one contradiction on a page, and of those before a sentence; the maximum
#: number of characters of the name of a curator, and of provisions that a sentence names.
_MOST, _MOST_CLAIMS, _LONGEST, _MOST_NAMES = 12, 5, 100, 5


def records_behind(notices: Iterable[Notice]) -> Iterator[str]:
    """Yield the IRIs of the records with the statements of ``sources-contradict`` notices."""
    for notice in notices:
        if isinstance(notice, SourcesContradict):
            yield from (statement.record for statement in notice.statements[:_MOST])


def contradicting_statements(notice: SourcesContradict, writer: PageWriter) -> Markup:
    """Return the statements that contradict each other, in the page's language."""
    if notice.on is Disagreement.ENDED_AND_PRINTED:
        version = parse(notice.names[0])
        return writer.words(
            "norm.contradicted_end", norm=writer.label(version.work), text=writer.wording(version.canonical)
        )
    if notice.on is not Disagreement.DATES:
        names = Markup(", ").join(_described_statements(name, writer) for name in notice.names[:_MOST_NAMES])
        key = "norm.contradicted_words" if notice.on is Disagreement.WORDINGS else "norm.contradicted_days"
        return writer.words(key, names=names + "…" if len(notice.names) > _MOST_NAMES else names)
    target = notice.names[0]
    event = format_markup("{}", writer.event(notice.event).lower())
    if notice.day is not None:
        event += format_markup(" ({})", writer.words.time(notice.day))
    if notice.start is not None:
        event = writer.words("norm.publication_of", event=event, day=writer.words.time(notice.start))
    if notice.cause is not None:
        event += format_markup(" ({})", writer.link(notice.cause, short=True))
    stated = Markup("; ").join(
        writer.words(
            "norm.contradicted_by",
            who=by_source(statement, writer),
            words=_contested_days(statement, notice.event, writer),
        )
        for statement in notice.statements[:_MOST]
    )
    if len(notice.statements) > _MOST:
        path = writer.frame.to("/sparql/editor", example="events_of_work", norma=target)
        every = format_markup('<a href="{}">{}</a>', path, writer.words("norm.part_facts_all"))
        stated += _more_statements(len(notice.statements) - _MOST, writer) + format_markup(" ({})", every)
    return writer.words("norm.contradicted", event=event, target=writer.label(target), said=stated)


def _more_statements(count: int, writer: PageWriter) -> Markup:
    """Return the number of statements left out, in words."""
    return Markup("; ") + writer.words("norm.more", n=writer.words.number(count)) if count > 0 else Markup("")


def _described_statements(name: str, writer: PageWriter) -> Markup:
    """Return a provision as a link to its statements, each with the record that makes it."""
    return format_markup('<a href="{}">{}</a>', writer.frame.to(description_path(name)), writer.called(parse(name)))


def _contested_days(statement: Statement, event: str | None, writer: PageWriter) -> Markup:
    if statement.version is None:
        return writer.words(
            "norm.contradicted_event",
            effect=effect_in_words(event, statement.effect, writer),
            known=writer.published(statement.known),
        )
    seen = parse(statement.version).view_date
    known = writer.published(seen.isoformat() if seen is not None else None)
    return writer.words("norm.contradicted_text", text=writer.wording(statement.version), known=known)


def contested(
    notice: SourcesContradict, sentence: Markup, days: Container[date], on: date, writer: PageWriter
) -> Markup | None:
    """Return the statements of the sources, where the status sentence on D would repeat the statement of only one.

    Args:
        notice: the contradiction of the sources.
        sentence: the status sentence.
        days: the civil dates that the sentence states.
        on: D, a civil date.
        writer: the phrases of the page.

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
            writer.words(
                "norm.contradicted_by",
                who=by_source(statement, writer),
                words=_claim(notice.event, effect, writer),
            )
            for statement, effect in claims[:_MOST_CLAIMS]
        ]
    except (BadDate, BadName):
        return None
    every = Markup("; ").join(stated) + _more_statements(len(claims) - _MOST_CLAIMS, writer)
    return writer.words("norm.contested", said=every, sentence=sentence[:1].lower() + sentence[1:])


def _is_stated(day: date, event: str | None, days: Container[date], on: date) -> bool:
    """Return whether a sentence on D with some days depends on the day that a source states for an event.

    An event that creates no text ends the days before it, and decides all later ones.
    """
    return day in days or (event not in OF_TEXTS and (day <= on or day - ONE_DAY in days))


def _claim(event: str | None, effect: When | None, writer: PageWriter) -> Markup:
    """Return the statement of a source in words."""
    if event in OF_TEXTS and effect is not None:
        start = "norm.contested_start" if effect.first <= writer.today else "norm.contested_start_ahead"
        key = start if event in FIRST_TEXT_EVENTS else "norm.contested_text"
        return writer.words(key, day=writer.day(str(effect)))
    if begins_force(event):
        effects = effect_in_words(event, str(effect) if effect is not None else None, writer)
        return format_markup("{}, {}", writer.event(event).lower(), effects)
    when = writer.when(str(effect) if effect is not None else None)
    return writer.words("norm.contested_event", event=writer.event(event).lower(), effect=when)


def by_source(statement: Statement, writer: PageWriter) -> Markup:
    """Return the name of the curator or provider that makes a statement."""
    return (
        writer.words("norm.curator", name=cut(statement.by, _LONGEST))
        if statement.curated
        else writer.source(statement.by)
    )
