"""The command in-force."""

from __future__ import annotations

import typer

from graph import store as stores
from queries.evidence import publication_day
from queries.in_force import in_force
from queries.resolution.interpretation import refuse_bad_question
from queries.several import several_in_force
from queries.text.absent import located
from service.cli.context import AsJson, AsKnown, Exit, NameArgument, On, ReadAxis, day
from service.cli.opening import settings
from service.cli.several import print_several
from service.output import print_json, print_lines
from service.render.answers import in_force_lines


def show_in_force(
    context: typer.Context,
    name: NameArgument,
    on: On = None,
    as_known: AsKnown = None,
    axis: ReadAxis = None,
    as_json: AsJson = False,
) -> int:
    """Show which version was in force on D, as known on K, and why."""
    asked_on, asked_known = day("--on", on), day("--as-known", as_known)
    refuse_bad_question(name, asked_on, asked_known, axis)
    with stores.open(settings(context).store) as store:
        several = several_in_force(store, name, asked_on, asked_known, axis)
        if several is not None:
            return print_several(several, in_force_lines, as_json=as_json)
        answer = located(store, in_force(store, name, asked_on, asked_known, axis))
        published = publication_day(store, answer.name)
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(in_force_lines(answer, published))
    return Exit.UNKNOWN_NAME if answer.is_unknown else Exit.ANSWERED


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("in-force")(show_in_force)
