"""Commands that ask about one norm: in-force, show, timeline, resolve."""

from __future__ import annotations

from typing import Annotated

import typer

from graph import store as stores
from queries import in_force, resolve, timeline
from queries.dossier import dossier
from service.cli.context import AsJson, Exit, NameArgument, day, settings
from service.documents import is_unknown, refuse_bad_question
from service.output import put_json, put_lines, terminal_width
from service.render import dossier_lines, in_force_lines, resolution_lines, timeline_lines


def ask_in_force(
    context: typer.Context,
    name: NameArgument,
    on: Annotated[str | None, typer.Option("--on", metavar="D", help="Day on which it applies; default today.")] = None,
    as_known: Annotated[
        str | None, typer.Option("--as-known", metavar="K", help="Day on which one asks; default today.")
    ] = None,
    axis: Annotated[
        str | None, typer.Option("--axis", metavar="force|efficacy", help="The clock to read; default force.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Which version was in force on D, as known on K, and why."""
    asked_on, asked_known = day("--on", on), day("--as-known", as_known)
    refuse_bad_question(name, asked_on, asked_known, axis)
    with stores.open(settings(context).store) as store:
        answer = in_force(store, name, asked_on, asked_known, axis)
    if as_json:
        put_json(answer.as_json())
    else:
        put_lines(in_force_lines(answer))
    return Exit.UNKNOWN_NAME if is_unknown(answer) else Exit.ANSWERED


def ask_show(
    context: typer.Context,
    name: NameArgument,
    on: Annotated[str | None, typer.Option("--on", metavar="D", help="Day on which it applies; default today.")] = None,
    as_known: Annotated[
        str | None, typer.Option("--as-known", metavar="K", help="Day on which one asks; default today.")
    ] = None,
    axis: Annotated[
        str | None, typer.Option("--axis", metavar="force|efficacy", help="The clock to read; default force.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """All about a norm on D, as known on K: status, texts, reasons, contradictions, effects, related acts, sources."""
    asked_on, asked_known = day("--on", on), day("--as-known", as_known)
    refuse_bad_question(name, asked_on, asked_known, axis)
    with stores.open(settings(context).store) as store:
        found = dossier(store, name, asked_on, asked_known, axis)
    if as_json:
        put_json(found.as_json())
    else:
        put_lines(dossier_lines(found, terminal_width()))
    return Exit.UNKNOWN_NAME if is_unknown(found) else Exit.ANSWERED


def ask_timeline(context: typer.Context, name: NameArgument, as_json: AsJson = False) -> int:
    """All versions of a norm with both clocks, and the events behind them."""
    refuse_bad_question(name)
    with stores.open(settings(context).store) as store:
        answer = timeline(store, name)
    if as_json:
        put_json(answer.as_json())
    else:
        put_lines(timeline_lines(answer, terminal_width()))
    return Exit.ANSWERED


def ask_resolve(
    context: typer.Context,
    name: NameArgument,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="D", help="Day of the citation: decides between norms of one nickname."),
    ] = None,
    as_known: Annotated[
        str | None, typer.Option("--as-known", metavar="K", help="Day on which one asks; default today.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """What a name, a citation or a nickname leads to: itself, or ranked candidates with reasons."""
    asked_on, asked_known = day("--on", on), day("--as-known", as_known)
    refuse_bad_question(name, as_known=asked_known)
    with stores.open(settings(context).store) as store:
        answer = resolve(store, name, asked_known, asked_on)
    if as_json:
        put_json(answer.as_json())
    else:
        put_lines(resolution_lines(answer))
    return Exit.UNKNOWN_NAME if is_unknown(answer) else Exit.ANSWERED


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("in-force")(ask_in_force)
    app.command("show")(ask_show)
    app.command("timeline")(ask_timeline)
    app.command("resolve")(ask_resolve)
