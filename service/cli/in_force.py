"""The command in-force, and the printing of answers about several provisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import typer

from graph import store as stores
from queries.evidence import publication_day
from queries.in_force import in_force
from queries.resolution.interpretation import refuse_bad_question
from queries.several import SeveralInForce, is_absent, several_in_force
from queries.text.absent import located
from service.cli.context import AsJson, AsKnown, Exit, NameArgument, On, ReadAxis, day, print_answer
from service.cli.opening import settings
from service.output import print_json, print_lines
from service.render.answers import in_force_lines

if TYPE_CHECKING:
    from queries.several_texts import SeveralTexts


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
    return print_answer(answer, in_force_lines(answer, published), as_json=as_json)


def print_several(
    several: SeveralInForce | SeveralTexts, lines_of: Callable[[Any], Iterable[str]], *, as_json: bool
) -> int:
    """Print the answers for several provisions, each with its name; return the exit code."""
    if as_json:
        print_json(several.as_json())
    else:
        for index, answer in enumerate(several.answers):
            print_lines([*([""] if index else []), *lines_of(answer)])
    return Exit.UNKNOWN_NAME if all(map(is_absent, several.answers)) else Exit.ANSWERED
