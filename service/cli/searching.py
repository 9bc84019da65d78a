"""The command search."""

from __future__ import annotations

from typing import Annotated

import typer

from graph import store as stores
from queries.full_text import DEFAULT_LIMIT, FARTHEST, MOST, SearchFilters, find, parse_query
from queries.question import days
from service.cli.context import AsJson, Exit, day
from service.cli.opening import settings
from service.output import print_json, print_lines
from service.render.searches import full_text_lines


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
