"""Commands that look up one norm: show, timeline and resolve."""

from __future__ import annotations

from typing import Annotated

import typer

from graph import store as stores
from queries.dossier import dossier
from queries.evidence import publication_day
from queries.resolution.interpretation import refuse_bad_question
from queries.resolve import resolve
from queries.timeline import timeline
from service.cli.context import AsJson, AsKnown, Exit, NameArgument, On, ReadAxis, day
from service.cli.opening import settings
from service.output import print_json, print_lines, terminal_width
from service.render.answers import resolution_lines, timeline_lines
from service.render.dossiers import dossier_lines


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
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(dossier_lines(answer, terminal_width(), published))
    return Exit.UNKNOWN_NAME if answer.is_unknown else Exit.ANSWERED


def show_timeline(context: typer.Context, name: NameArgument, as_json: AsJson = False) -> int:
    """Show all versions of a norm on both axes, and the events that made them."""
    refuse_bad_question(name)
    with stores.open(settings(context).store) as store:
        answer = timeline(store, name)
        published = publication_day(store, answer.name)
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(timeline_lines(answer, terminal_width(), published))
    return Exit.ANSWERED


def resolve_name(
    context: typer.Context,
    name: NameArgument,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="D", help="Day of the citation; it decides between norms with the same nickname."),
    ] = None,
    as_known: AsKnown = None,
    as_json: AsJson = False,
) -> int:
    """Show the norm that a name, a citation or a nickname identifies, or ranked candidates with reasons."""
    asked_on, asked_known = day("--on", on), day("--as-known", as_known)
    refuse_bad_question(name, as_known=asked_known)
    with stores.open(settings(context).store) as store:
        answer = resolve(store, name, asked_known, asked_on)
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(resolution_lines(answer))
    return Exit.UNKNOWN_NAME if answer.is_unknown else Exit.ANSWERED
