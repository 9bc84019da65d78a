"""Commands that show texts: text and diff."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from graph import store as stores
from graph.errors import BadParameter
from queries.evidence import publication_day
from queries.resolution.interpretation import refuse_bad_question
from queries.several_texts import several_texts
from queries.text.absent import located
from queries.text.diff import ORIGINAL, diff
from queries.text.text import text
from service.cli.context import AsJson, AsKnown, Exit, NameArgument, On, ReadAxis, day, print_answer
from service.cli.in_force import print_several
from service.cli.opening import settings
from service.output import print_json, print_lines
from service.render.texts import diff_lines, text_html, text_lines, text_xml


class TextFormat(StrEnum):
    """The output formats of a text."""

    PLAIN = "plain"
    HTML = "html"
    XML = "xml"


def show_text(
    context: typer.Context,
    name: NameArgument,
    on: On = None,
    as_known: AsKnown = None,
    axis: ReadAxis = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="plain|html|xml", help="Output format; default plain.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Show the text of a norm or provision on D, as known on K, composed of its provisions."""
    asked_on, asked_known = day("--on", on), day("--as-known", as_known)
    if form is not None and as_json:
        raise BadParameter(f"expected --json or --format {form}, not both")
    if form is not None and form not in {text_format.value for text_format in TextFormat}:
        raise BadParameter(f"expected --format {' or '.join(TextFormat)}, got {form!r}")
    refuse_bad_question(name, asked_on, asked_known, axis)
    with stores.open(settings(context).store) as store:
        several = several_texts(store, name, asked_on, asked_known, axis)
        if several is not None and form not in {None, TextFormat.PLAIN}:
            raise BadParameter(f"expected one provision for --format {form}, got {several.name}")
        if several is not None:
            return print_several(several, text_lines, as_json=as_json)
        answer = located(store, text(store, name, asked_on, asked_known, axis))
        published = publication_day(store, answer.name)
    if as_json:
        print_json(answer.as_json())
    elif form == TextFormat.HTML:
        print_lines(text_html(answer).splitlines())
    elif form == TextFormat.XML:
        print_lines(text_xml(answer).splitlines())
    else:
        print_lines(text_lines(answer, published))
    return Exit.UNKNOWN_NAME if answer.is_unknown else Exit.ANSWERED


def show_diff(
    context: typer.Context,
    name: NameArgument,
    since: Annotated[str, typer.Option("--from", metavar="D1", help="The first day; or `original`, as published.")],
    until: Annotated[str, typer.Option("--to", metavar="D2", help="The second day.")],
    as_known: AsKnown = None,
    as_json: AsJson = False,
) -> int:
    """Show the changes from D1 to D2 for each provision, with the removed and added words."""
    first = ORIGINAL if since == ORIGINAL else day("--from", since)
    last, asked_known = day("--to", until), day("--as-known", as_known)
    if first is None or last is None:
        raise BadParameter("expected --from D1 and --to D2")
    refuse_bad_question(name, last, asked_known)
    with stores.open(settings(context).store) as store:
        answer = diff(store, name, first, last, asked_known)
    return print_answer(answer, diff_lines(answer), as_json=as_json)
