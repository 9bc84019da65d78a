"""The command search: norms and provisions by words, as the words apply on D and were known on K."""

from __future__ import annotations

from typing import Annotated

import typer

from graph import store as stores
from queries.full_text.finding import DEFAULT_LIMIT, FARTHEST, MOST, Narrowed, find
from queries.full_text.language import parse_query
from queries.question import days
from service.cli.context import AsJson, Exit, day, settings
from service.output import put_json, put_lines
from service.render import full_text_lines


def ask_search(  # noqa: PLR0913, PLR0917 - one parameter for each option
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORDS...", help="Words; a phrase in quotation marks, -word to exclude, begin* for beginnings."
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
        str | None, typer.Option("--place", metavar="P", help="Country, state or town: SP, Campinas.")
    ] = None,
    authority: Annotated[
        str | None, typer.Option("--authority", metavar="A", help="Who issued it: federal, STF.")
    ] = None,
    year: Annotated[
        int | None, typer.Option("--year", metavar="Y", help="Year of the norm.", min=1500, max=2199)
    ] = None,
    in_force: Annotated[bool, typer.Option("--in-force", help="Only what is in force on D.")] = False,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="Norms of a page.", min=1, max=MOST)
    ] = DEFAULT_LIMIT,
    offset: Annotated[
        int, typer.Option("--offset", metavar="N", help="Norms before the page.", min=0, max=FARTHEST)
    ] = 0,
    as_json: AsJson = False,
) -> int:
    """Norms and provisions that have words, with the days on which the words apply."""
    text = " ".join(words)
    narrowed = Narrowed(day("--on", on), day("--as-known", as_known), kind, authority, place, year, in_force)
    parse_query(text)
    days(narrowed.on, narrowed.as_known)
    with stores.open(settings(context).store) as store:
        answer = find(store, text, narrowed, limit=limit, offset=offset)
    if as_json:
        put_json(answer.as_json())
    else:
        put_lines(full_text_lines(answer))
    return Exit.ANSWERED


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("search", context_settings={"ignore_unknown_options": True})(ask_search)
