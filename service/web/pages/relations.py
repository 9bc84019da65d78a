"""The relations of a norm to other acts: two lists around the norm, with lines as thick as the acts changed much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.urn import Name, parse
from queries.catalogue import named
from queries.dossier import dossier
from queries.related_acts import SIDES, RelatedAct, amending, changed_without_act, related_acts
from service.web.http.name_paths import name_path
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Messages, format_markup, render
from service.web.pages.reading_days import read_page, writer_of
from service.web.pages.text_status import has_text
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer

#: The task type of the page, and the prefix of its address.
KIND, PREFIX = "page.relations", "/relations"
#: The maximum number of rows of one list, and the greatest thickness of a line.
MOST_LISTED, _THICKEST = 200, 8
#: The maximum number of acts of which the page shows further relations, those that changed most, and the maximum
#: number of acts that it shows for each.
_FOLLOWED, _NEIGHBOURS = 12, 4
#: The messages of relations to a norm that have the number of its provisions.
_COUNTED = {
    "amended-by": "relations.does_amends_counted",
    "amended-in-part-by": "relations.does_amends_counted",
    "repealed-in-part-by": "relations.does_repeals_counted",
}


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a list.

    Attributes:
        date: the date of the act.
        act: the act.
        does: its relations to the norm, with the numbers of provisions.
        style: the style of its line: ``ends``, ``changes`` or ``cites``.
        weight: the thickness of its line, by the number of provisions that it changed or repealed.
        path: the path of its own relations; None where no source describes it.
        neighbours: the first of the other acts with relations to it, ``more`` the number of the others; None where the
            page does not follow them.
    """

    date: Markup
    act: Markup
    does: str
    style: str
    weight: int
    path: str | None
    neighbours: tuple[Markup, ...] | None = None
    more: int = 0


@dataclass(frozen=True, slots=True)
class _RelationList:
    """One list: the acts with relations to the norm, or the acts that the norm has relations to.

    Attributes:
        side: ``to`` or ``by``.
        count: the number of all acts.
    """

    side: str
    rows: tuple[_Row, ...]
    count: int


def show_relations(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page of the acts that a norm changes or cites, or that change or cite it (runs in a worker process).

    An act that changes only provisions of a norm is among them.

    Args:
        arguments: ``name``, canonical; ``on`` and ``as_known``, days or None; ``year``, that of the acts, or None for
            all; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name.
    """
    store, norm, frame, now, days = read_page(store, arguments)
    known = days.as_known
    writer = writer_of(store, frame, now, days if days != RequestParameters() else None)
    norm_dossier = dossier(store, norm, now, known or now, today=now)
    acts, year = related_acts(store, norm_dossier, norm), arguments.get("year")
    years = sorted({act.year for side in acts.values() for act in side if act.year is not None})
    shown = {side: [act for act in listed if year in (None, act.year)] for side, listed in acts.items()}
    lists = {side: [_row(act, SIDES[side], writer) for act in each[:MOST_LISTED]] for side, each in shown.items()}
    followed = sorted(
        ((row.weight, side, i) for side, rows in lists.items() for i, row in enumerate(rows) if row.path is not None),
        reverse=True,
    )
    for _, side, i in followed[:_FOLLOWED]:
        lists[side][i] = _with_neighbours(store, lists[side][i], shown[side][i], norm, (known or now, now), writer)
    body = render(
        "relations.html",
        frame,
        title=writer.title(norm),
        back=writer.path(norm),
        years=years,
        year=year,
        known=known or now,
        lists=[_RelationList(side, tuple(lists[side]), len(shown[side])) for side in SIDES],
        amending=len(amending(acts["to"])),
        unnamed=changed_without_act(store, norm) if (known or now) >= now else 0,
        amending_path=frame.to("/queries/amending_acts/answer", norma=norm.canonical),
        incomplete=_incompleteness(store, norm, writer.words),
        every=frame.to("/sparql/editor", example="citations", norma=norm.canonical),
    )
    return Answer(body, "text/html")


def _incompleteness(store: Store, norm: Name, words: Messages) -> Markup | None:
    """Return why the list of what a norm changes may lack norms; None if its orders were all read."""
    if not has_text(store, norm):
        return words("relations.incomplete_no_text")
    counts = [int(str(row["textos"])) for row in named("orders_not_understood").rows(store, {"norma": norm.iri})]
    return words.count("relations.incomplete", max(counts)) if counts else None


def _row(act: RelatedAct, codes: Mapping[str, tuple[str, str]], writer: PageWriter) -> _Row:
    changed, repealed = act.changed or 0, act.repealed or 0
    mostly_changes = act.relations[0] == "repealed-in-part-by" and changed >= repealed
    return _Row(
        _date_text(act, writer),
        writer.listed(act.name, capital=True),
        ", ".join(_relation_phrase(act, code, codes, writer) for code in act.relations),
        "changes" if mostly_changes else codes[act.relations[0]][1],
        min(max((changed + repealed).bit_length(), 1), _THICKEST),
        writer.frame.to(PREFIX + name_path(act.name)) if act.read is not None and writer.is_known(act.read) else None,
    )


def _with_neighbours(
    store: Store, row: _Row, act: RelatedAct, norm: Name, days: tuple[date, date], writer: PageWriter
) -> _Row:
    """Return the row of an act with its relations to acts other than the norm: neighbours of second degree.

    Args:
        days: the day of knowledge, and today.
    """
    name, (known, now) = parse(act.name), days
    sides = related_acts(store, dossier(store, name, now, known, today=now), name).values()
    others = {other.name: other for side in sides for other in side if other.name != norm.canonical}
    ordered = sorted(others.values(), key=lambda other: other.order)
    links = tuple(writer.link(other.name, short=True) for other in ordered[:_NEIGHBOURS])
    return replace(row, neighbours=links, more=len(ordered) - len(links))


def _date_text(act: RelatedAct, writer: PageWriter) -> Markup:
    if act.day is not None:
        return writer.words.time(act.day)
    return format_markup("{}", act.year) if act.year is not None else writer.words("relations.no_date")


def _relation_phrase(act: RelatedAct, code: str, codes: Mapping[str, tuple[str, str]], writer: PageWriter) -> str:
    """Return a relation between an act and the norm in words, with the number of provisions, where it is counted."""
    count = act.repealed if code.startswith("repealed") else act.changed
    if code in _COUNTED and count:
        return str(writer.words.count(_COUNTED[code], count))
    return str(writer.words(f"relations.does_{codes[code][0]}"))
