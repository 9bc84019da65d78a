"""Commands that look up norms: in-force, show, timeline, resolve, text and diff for one norm; search by words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Annotated, Any

import typer

from graph import store as stores
from graph.errors import BadParameter
from queries.dossier import dossier
from queries.evidence import publication_day
from queries.full_text import DEFAULT_LIMIT, FARTHEST, MOST, SearchFilters, find, parse_query
from queries.in_force import in_force
from queries.question import days
from queries.resolve import resolve
from queries.several import SeveralInForce, SeveralTexts, is_absent, several_in_force, several_texts
from queries.text.absent import located, located_text
from queries.text.diff import ORIGINAL, diff
from queries.text.text import text
from queries.timeline import timeline
from service.cli.context import AsJson, Exit, NameArgument, day
from service.cli.opening import settings
from service.documents import is_unknown, refuse_bad_question
from service.output import print_json, print_lines, terminal_width
from service.render import (
    diff_lines,
    dossier_lines,
    full_text_lines,
    in_force_lines,
    resolution_lines,
    text_html,
    text_lines,
    text_xml,
    timeline_lines,
)

On = Annotated[str | None, typer.Option("--on", metavar="D", help="Day on which the text applies; default today.")]
AsKnown = Annotated[str | None, typer.Option("--as-known", metavar="K", help="Day of knowledge; default today.")]
ReadAxis = Annotated[
    str | None, typer.Option("--axis", metavar="force|efficacy", help="Axis of the answer; default force.")
]


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
            return _print_several(several, in_force_lines, as_json=as_json)
        answer = located(store, in_force(store, name, asked_on, asked_known, axis))
        published = publication_day(store, answer.name)
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(in_force_lines(answer, published))
    return Exit.UNKNOWN_NAME if is_unknown(answer) else Exit.ANSWERED


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
    return Exit.UNKNOWN_NAME if is_unknown(answer) else Exit.ANSWERED


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
    return Exit.UNKNOWN_NAME if is_unknown(answer) else Exit.ANSWERED


def _print_several(
    several: SeveralInForce | SeveralTexts, lines_of: Callable[[Any], Iterable[str]], *, as_json: bool
) -> int:
    """Print the answers for several provisions, each with its name; return the exit code."""
    if as_json:
        print_json(several.as_json())
    else:
        for index, answer in enumerate(several.answers):
            print_lines([*([""] if index else []), *lines_of(answer)])
    return Exit.UNKNOWN_NAME if all(map(is_absent, several.answers)) else Exit.ANSWERED


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
            return _print_several(several, text_lines, as_json=as_json)
        answer = located_text(store, text(store, name, asked_on, asked_known, axis))
        published = publication_day(store, answer.name)
    if as_json:
        print_json(answer.as_json())
    elif form == TextFormat.HTML:
        print_lines(text_html(answer).splitlines())
    elif form == TextFormat.XML:
        print_lines(text_xml(answer).splitlines())
    else:
        print_lines(text_lines(answer, published))
    return Exit.UNKNOWN_NAME if is_unknown(answer) else Exit.ANSWERED


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
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(diff_lines(answer))
    return Exit.UNKNOWN_NAME if is_unknown(answer) else Exit.ANSWERED


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("in-force")(show_in_force)
    app.command("show")(show_dossier)
    app.command("timeline")(show_timeline)
    app.command("resolve")(resolve_name)
    app.command("text")(show_text)
    app.command("diff")(show_diff)
    app.command("search", context_settings={"ignore_unknown_options": True})(search_texts)


# The command search.


def search_texts(  # noqa: PLR0913, PLR0917 - one parameter for each option
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORDS...", help="Words; a phrase in quotation marks, -word to exclude, begin* for a prefix."
        ),
    ],
    on: Annotated[
        str | None, typer.Option("--on", metavar="D", help="Only words that apply on that day; default any day.")
    ] = None,
    as_known: Annotated[
        str | None, typer.Option("--as-known", metavar="K", help="Only what was known on that day; default today.")
    ] = None,
    kind: Annotated[str | None, typer.Option("--type", metavar="T", help="Type of document: lei, decreto-lei.")] = None,
    place: Annotated[
        str | None, typer.Option("--place", metavar="P", help="Country, state or municipality: SP, Campinas.")
    ] = None,
    authority: Annotated[
        str | None, typer.Option("--authority", metavar="A", help="Issuing authority: federal, STF.")
    ] = None,
    year: Annotated[
        int | None, typer.Option("--year", metavar="Y", help="Year of the norm.", min=1500, max=2199)
    ] = None,
    in_force: Annotated[bool, typer.Option("--in-force", help="Only what is in force on D.")] = False,
    norm: Annotated[
        str | None,
        typer.Option("--norm", metavar="NORM", help="Only this norm; --limit and --offset count provisions."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="Maximum number of norms on a page.", min=1, max=MOST)
    ] = DEFAULT_LIMIT,
    offset: Annotated[
        int, typer.Option("--offset", metavar="N", help="Number of norms to skip before the page.", min=0, max=FARTHEST)
    ] = 0,
    as_json: AsJson = False,
) -> int:
    """Search norms and provisions by words; show the days on which the words apply."""
    text = " ".join(words)
    filters = SearchFilters(day("--on", on), day("--as-known", as_known), kind, authority, place, year, in_force, norm)
    parse_query(text)
    days(filters.on, filters.as_known)
    with stores.open(settings(context).store) as store:
        answer = find(store, text, filters, limit=limit, offset=offset)
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(full_text_lines(answer, limit, offset, of_norm=norm is not None))
    return Exit.ANSWERED
