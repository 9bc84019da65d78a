"""The command search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from graph import store as stores
from queries.full_text import (
    DEFAULT_LIMIT,
    FARTHEST,
    MOST,
    FullTextAnswer,
    SearchFilters,
    Valid,
    find,
    parse_query,
    plain,
)
from queries.question import days
from service.cli.context import AsJson, day, print_answer
from service.cli.opening import settings
from service.render.answers import STATUS_TEXTS

# The answers of the search by words as lines of plain text.


def full_text_lines(answer: FullTextAnswer, limit: int, offset: int, *, of_norm: bool) -> Iterator[str]:
    """Yield the lines of a search by words: each norm with its best provisions, then the facets.

    Args:
        answer: the page of results.
        limit, offset: those of the page.
        of_norm: whether they count the provisions of the only norm, instead of norms.
    """
    if answer.suggestion is not None:
        yield f"did you mean: {answer.suggestion}"
    for target in answer.meant:
        where = target.name if target.known else f"which is not in this store: {target.url}"
        day = f" on {target.on}" if target.on is not None else ""
        means = "is" if len(answer.meant) == 1 else "may mean"
        yield f"{target.nickname} {means} {target.label}, {where}{day}"
    noun = "norm" if answer.total == 1 else "norms"
    apart = "" if answer.in_one_provision else " with the words, in several provisions"
    yield f"{answer.total} {noun}" + (apart if answer.every_word else " with some of the words; none has all of them")
    for result in answer.results:
        called = f" ({result.nickname})" if result.nickname is not None else ""
        yield result.name
        yield f"  {' '.join(result.title.split())}{called}: {STATUS_TEXTS[result.status]}{_days_text(result.valid)}"
        for provision in result.provisions:
            place = f"{provision.label}: " if provision.label is not None else ""
            yield f"    {place}{plain(provision.excerpt)} [{provision.status.value}{_days_text(provision.valid)}]"
        further = result.provisions_found - len(result.provisions)
        if further and not of_norm:
            yield f"    {further} more {'provision' if further == 1 else 'provisions'} with --norm '{result.name}'"
    for name, values in (("type", answer.facets.type), ("year", answer.facets.year), ("place", answer.facets.place)):
        if len(values) > 1:
            yield f"  by {name}: " + ", ".join(f"{key} {count}" for key, count in list(values.items())[:_MAX_VALUES])
    if answer.next_offset is not None:
        yield f"  more with --offset {answer.next_offset}"
    count = sum(result.provisions_found for result in answer.results) if of_norm else answer.total
    if 0 < count <= offset:
        last = (count - 1) // limit * limit
        yield f"  the results end before --offset {offset}; the last page has --offset {last}"


#: The maximum number of printed values of a facet.
_MAX_VALUES = 10


def _days_text(valid: Valid | None) -> str:
    return "" if valid is None else f" [{valid.valid_from or '...'}, {valid.valid_until or '...'})"


def search_texts(  # noqa: PLR0913, PLR0917 - one parameter for each option
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORDS...", help="Words; a phrase in quotation marks, -word to exclude, begin* for a prefix."
        ),
    ],
    on: Annotated[
        str | None, typer.Option(metavar="D", help="Only words that apply on that day; default any day.")
    ] = None,
    as_known: Annotated[
        str | None, typer.Option(metavar="K", help="Only what was known on that day; default today.")
    ] = None,
    kind: Annotated[str | None, typer.Option("--type", metavar="T", help="Type of document: lei, decreto-lei.")] = None,
    place: Annotated[
        str | None, typer.Option(metavar="P", help="Country, state or municipality: SP, Campinas.")
    ] = None,
    authority: Annotated[str | None, typer.Option(metavar="A", help="Issuing authority: federal, STF.")] = None,
    year: Annotated[int | None, typer.Option(metavar="Y", help="Year of the norm.", min=1500, max=2199)] = None,
    in_force: Annotated[bool, typer.Option("--in-force", help="Only what is in force on D.")] = False,
    norm: Annotated[
        str | None, typer.Option(metavar="NORM", help="Only this norm; --limit and --offset count provisions.")
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", help="Maximum number of norms on a page.", min=1, max=MOST)
    ] = DEFAULT_LIMIT,
    offset: Annotated[
        int, typer.Option(metavar="N", help="Number of norms to skip before the page.", min=0, max=FARTHEST)
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
    return print_answer(answer, full_text_lines(answer, limit, offset, of_norm=norm is not None), as_json=as_json)
