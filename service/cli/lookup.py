"""Commands that look up one norm: show, coverage, timeline and resolve."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated

import typer

from graph import store as stores
from queries.coverage import Coverage, coverage
from queries.dossier import Dossier, dossier
from queries.evidence import publication_day
from queries.messages import explanation_message, message, reason_message
from queries.resolution.interpretation import refuse_bad_question
from queries.resolve import resolve
from queries.text.absent import refusing_missing
from queries.timeline import timeline
from service.cli.context import AsJson, AsKnown, NameArgument, On, ReadAxis, day, print_answer
from service.cli.opening import settings
from service.cli.timer import timer_line
from service.output import shown, terminal_width
from service.render.answers import (
    answer_text,
    axis_lines,
    interval_text,
    notice_lines,
    period_text,
    resolution_lines,
    timeline_lines,
)
from service.render.tables import table

# The dossier of a norm as lines of plain text.


#: The maximum number of printed names of a relation.
_MAX_NAMES = 20


def dossier_lines(dossier: Dossier, width: int | None = None, published: date | None = None) -> Iterator[str]:
    """Yield the lines of a dossier, most important first.

    Args:
        width: as for :func:`table`.
        published: as for :func:`in_force_lines`.
    """
    answer, today = dossier.day.answer, dossier.today.answer
    yield dossier.name
    called = dossier.around.called if dossier.around is not None else None
    if called is not None:
        yield from (
            f"  {text}"
            for text in dict.fromkeys((called.epigraph, *(nickname.value for nickname in called.nicknames)))
            if text
        )
    yield f"  on {answer.on}, as known on {answer.as_known}, {answer.axis}: {answer_text(answer, published)}"
    if answer.version is not None:
        yield f"  version    {answer.version.name}"
    yield from axis_lines(answer.force, answer.efficacy)
    yield f"  today      {answer_text(today, published)}"
    for reason in dossier.day.reasons:
        yield f"  reason     {explanation_message(reason)}"
    yield from notice_lines(dossier.notices)
    for contradiction in dossier.contradictions:
        yield f"  contradicted {message(contradiction.notice)}"
    rows = [
        (
            interval_text(text.valid_from, text.valid_until),
            interval_text(text.known_from, text.known_until),
            period_text(dossier.name, text, published),
        )
        for text in dossier.texts
    ]
    if rows:
        yield from table(("valid", "known", "text"), rows, width)
    for note in dossier.notes[:_MAX_NAMES]:
        yield f"  note       {note.provision.partition('!')[2] or 'norm'}: {shown(note.text)}"
    if len(dossier.notes) > _MAX_NAMES:
        yield f"  note       and {len(dossier.notes) - _MAX_NAMES} more (--json lists all)"
    for heading, effects in (("acted on by", dossier.effects_on), ("acts on", dossier.effects_by)):
        for effect in effects:
            yield f"  {heading:<11} {effect.name}: {reason_message(effect.reason)}"
    for related in dossier.around.related if dossier.around is not None else ():
        names = ", ".join(related.names[:_MAX_NAMES])
        more = f" and {len(related.names) - _MAX_NAMES} more" if len(related.names) > _MAX_NAMES else ""
        yield f"  {related.code:<10} {names}{more}"
    for item, version in dossier.copies:
        fields = (item.format, item.kind, item.url, version)
        yield f"  copy       {' '.join(part for part in fields if part)}"
    for source in dossier.sources:
        yield f"  source     {source.called}"
    for provider, newest in answer.known_up_to:
        yield f"  harvested up to {newest} from {provider}"


def show_dossier(
    context: typer.Context,
    name: NameArgument,
    on: On = None,
    as_known: AsKnown = None,
    axis: ReadAxis = None,
    as_json: AsJson = False,
) -> int:
    """Show the dossier of a norm on D, as known on K: status, texts, reasons, contradictions, effects, sources."""
    asked_on, asked_known = day("--on", on), day("--as-known", as_known)
    refuse_bad_question(name, asked_on, asked_known, axis)
    with stores.open(settings(context).store) as store:
        answer = dossier(store, name, asked_on, asked_known, axis)
        published = publication_day(store, answer.name)
    return print_answer(answer, dossier_lines(answer, terminal_width(), published), as_json=as_json)


def coverage_lines(answer: Coverage) -> Iterator[str]:
    """Yield the lines of a coverage: sources, texts, acts, and what is missing with how to give it."""
    yield answer.name or "the whole store"
    if answer.counts is not None:
        norms = f"{_count(answer.counts.norms, 'norm')}, {answer.counts.with_provisions} with provisions"
        yield f"  {norms}; acts in the store change {answer.counts.amended}"
    if answer.status is not None:
        yield f"  today      {answer.status}"
    for source in answer.sources:
        withdrawn = f", {source.withdrawn} withdrawn" if source.withdrawn else ""
        until = f"up to {source.up_to}" if source.up_to is not None else "up to an unknown day"
        what = ", ".join(source.what)
        yield f"  source     {source.source or 'files'}: {what}; {_count(source.records, 'record')}{withdrawn}; {until}"
    for text in answer.texts:
        whole = {True: "whole", False: "not known to be whole", None: "not examined"}[text.whole]
        derived = ", derived from acts" if text.derived else ""
        since = f"from {text.since}" if text.since is not None else "undated"
        yield f"  text       {since}: {whole}{derived}{f', {text.version}' if text.version is not None else ''}"
    for act in answer.amending:
        known = f"known {act.known}" if act.known is not None else "day not known"
        text_with = f"in a {act.in_text} text" if act.in_text is not None else "not in a text"
        operations = f"; {act.applied} of {act.operations} operations applied" if act.operations else ""
        yield f"  amended by {act.act}: {known}; {text_with}; {_count(act.provisions, 'provision')}{operations}"
        for refused in act.refused:
            yield f"    refused ({refused.code}): {refused.kind} {refused.target}"
    for row in answer.as_json()["missing"]:
        yield f"  missing    {row['what']} ({row['code']})"
        yield f"    give     {row['how_to_give']}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def show_coverage(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A norm; default the whole store.")] = None,
    as_json: AsJson = False,
) -> int:
    """Show what the store has of a norm: sources and their last days, texts, amending acts, and what is missing."""
    if name is not None:
        refuse_bad_question(name)
    with stores.open(settings(context).store) as store, timer_line("coverage"):
        answer = coverage(store, name)
    return print_answer(answer, coverage_lines(answer), as_json=as_json)


def show_timeline(context: typer.Context, name: NameArgument, as_json: AsJson = False) -> int:
    """Show all versions of a norm on both axes, and the events that made them."""
    refuse_bad_question(name)
    with stores.open(settings(context).store) as store, refusing_missing(store):
        answer = timeline(store, name)
        published = publication_day(store, answer.name)
    return print_answer(answer, timeline_lines(answer, terminal_width(), published), as_json=as_json)


def resolve_name(
    context: typer.Context,
    name: NameArgument,
    on: Annotated[
        str | None,
        typer.Option(metavar="D", help="Day of the citation; it decides between norms with the same nickname."),
    ] = None,
    as_known: AsKnown = None,
    as_json: AsJson = False,
) -> int:
    """Show the norm that a name, a citation or a nickname identifies, or ranked candidates with reasons."""
    asked_on, asked_known = day("--on", on), day("--as-known", as_known)
    refuse_bad_question(name, as_known=asked_known)
    with stores.open(settings(context).store) as store:
        answer = resolve(store, name, asked_known, asked_on)
    return print_answer(answer, resolution_lines(answer), as_json=as_json)
