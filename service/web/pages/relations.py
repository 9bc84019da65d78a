"""The relations of a norm to other acts: a picture with the norm in the middle, and the same acts as two lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from textwrap import wrap

from markupsafe import Markup

from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.urn import Name, parse
from queries.catalogue import named
from queries.dossier import dossier
from queries.evidence import records
from queries.related_acts import BY_NORM, SIDES, TO_NORM, RelatedAct, amending, changed_without_act, related_acts
from queries.vocabulary import vocabulary
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Frame, Messages, format_markup, render
from service.web.pages.reading_days import query_with_days
from service.web.pages.related import require_described
from service.web.pages.text_status import has_text
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer
from service.web.text_layout import cut

#: The task type of the page, and the prefix of its address.
KIND, PREFIX = "page.relations", "/relations"
#: The maximum number of acts in the picture, and the maximum number of rows of one list.
MOST_DRAWN, MOST_LISTED = 40, 200

#: The styles of relations in the picture, in order of strength.
_DRAWN = ("ends", "changes", "cites")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a list: the date, the act and its relations to the norm."""

    date: Markup
    act: Markup
    does: str


@dataclass(frozen=True, slots=True)
class _RelationList:
    """One list: the acts with relations to the norm, or the acts that the norm has relations to.

    Attributes:
        side: ``to`` or ``by``.
        count: the number of all acts.
        drawn: the number of acts in the picture.
    """

    side: str
    rows: tuple[_Row, ...]
    count: int
    drawn: int


def show_relations(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page of the acts that a norm changes or cites, or that change or cite it (runs in a worker process).

    An act that changes only provisions of a norm is among them.

    Args:
        store: a snapshot.
        arguments: ``name``, canonical; ``on`` and ``as_known``, days or None; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name.
        StoreProblem: the store cannot be read.
    """
    store = MemoizingStore(store)
    norm = parse(str(arguments["name"])).work
    require_described(store, norm)
    frame = Frame.of_json(arguments["frame"])
    now = date.fromisoformat(str(arguments["today"]))
    on, known = (
        date.fromisoformat(str(day)) if (day := arguments[key]) is not None else None for key in ("on", "as_known")
    )
    days = RequestParameters(on, known) if on is not None or known is not None else None
    writer = PageWriter(
        frame,
        vocabulary(store),
        lambda name: bool(records(store, name.work.iri)),
        today=now,
        carried=query_with_days(store, lambda: days, now),
    )
    norm_dossier = dossier(store, norm, now, known or now, today=now)
    acts = related_acts(store, norm_dossier, norm)
    drawn = _pictured_acts(acts)
    body = render(
        "relations.html",
        frame,
        title=writer.title(norm),
        back=writer.path(norm),
        known=known or now,
        picture=_picture(norm, drawn, writer) if any(drawn.values()) else None,
        lists=[
            _RelationList(
                side,
                tuple(_row(act, codes, writer) for act in acts[side][:MOST_LISTED]),
                len(acts[side]),
                len(drawn[side]),
            )
            for side, codes in SIDES.items()
        ],
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


def _pictured_acts(acts: Mapping[str, Sequence[RelatedAct]]) -> dict[str, list[RelatedAct]]:
    """Return the acts in the picture, by side. Each side has half of the places, and those that the other leaves free.

    Where there are more acts, the strongest relations are first: ends, then changes, then citations. Among equals
    the newest acts are first.
    """
    half = MOST_DRAWN // 2
    room = {side: max(half, MOST_DRAWN - len(others)) for side, others in (("to", acts["by"]), ("by", acts["to"]))}
    acts_by_side = {}
    for side, codes in (("to", TO_NORM), ("by", BY_NORM)):
        newest = sorted(acts[side], key=lambda act: act.order, reverse=True)
        strongest = sorted(newest, key=lambda act: _DRAWN.index(codes[act.relations[0]][1]))
        acts_by_side[side] = sorted(strongest[: room[side]], key=lambda act: act.order)
    return acts_by_side


def _row(act: RelatedAct, codes: Mapping[str, tuple[str, str]], writer: PageWriter) -> _Row:
    return _Row(_date_text(act, writer), writer.listed(act.name, capital=True), _relation_phrase(act, codes, writer))


def _date_text(act: RelatedAct, writer: PageWriter) -> Markup:
    if act.day is not None:
        return writer.words.time(act.day)
    return format_markup("{}", act.year) if act.year is not None else writer.words("relations.no_date")


def _relation_phrase(act: RelatedAct, codes: Mapping[str, tuple[str, str]], writer: PageWriter) -> str:
    """Return the relations between the act and the norm, in words."""
    return ", ".join(str(writer.words(f"relations.does_{codes[code][0]}")) for code in act.relations)


# The picture: the norm in the middle, acts with relations to it on the left, acts that it relates to on the right.


#: The width of the picture, of a box at a side, and of the box in the middle, in units of the picture.
_WIDTH, _BOX, _MIDDLE = 1_060, 330, 190
#: The height of a box, and the distance from one to the next.
_HEIGHT, _STEP = 38, 46
#: The left edges of the boxes on either side. Years are beside the boxes.
_LEFT, _RIGHT = 52, _WIDTH - 52 - _BOX
#: The maximum number of characters of a name and of a relation in a box, and of a line in the middle.
_LONGEST, _LONGEST_DOES, _LINE = 44, 50, 20


@dataclass(frozen=True, slots=True)
class _Box:
    """An act in the picture.

    Attributes:
        x, y: the coordinates of its upper left corner.
        edge: the path of the line from it to the norm.
        drawn: its style: ``ends``, ``changes`` or ``cites``.
        name: the name, shortened.
        path: the path of its page; None where there is none.
        alt_text: the full name and relation, as the alternative text.
        year: the year, on the first act of each year; else empty. Its place is ``year_x``.
    """

    x: int
    y: int
    edge: str
    drawn: str
    name: str
    does: str
    path: str | None
    alt_text: Markup
    year: str
    year_x: int


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture, in its own units.

    Attributes:
        box: the width and height of the boxes of acts.
        middle: the box of the norm: left, top, width and height.
        lines: the name of the norm, wrapped.
    """

    width: int
    height: int
    box: tuple[int, int]
    middle: tuple[int, int, int, int]
    lines: tuple[str, ...]
    boxes: tuple[_Box, ...]


def _picture(norm: Name, drawn: Mapping[str, Sequence[RelatedAct]], writer: PageWriter) -> Picture:
    lines = tuple(wrap(cut(writer.title(norm), 4 * _LINE), _LINE))
    tall = max(24 * len(lines) + 24, 96)
    height = max(tall, _STEP * max(map(len, drawn.values()))) + 8
    left = (_WIDTH - _MIDDLE) // 2
    boxes: list[_Box] = []
    for side, codes in (("to", TO_NORM), ("by", BY_NORM)):
        acts = drawn[side]
        top = (height - _STEP * len(acts)) // 2 + (_STEP - _HEIGHT) // 2
        before: int | None = None
        for index, act in enumerate(acts):
            y = top + index * _STEP
            new_year = str(act.year) if act.year is not None and act.year != before else ""
            before = act.year
            boxes.append(_box(act, (side, y, height // 2, left), codes, new_year, writer))
    return Picture(_WIDTH, height, (_BOX, _HEIGHT), (left, (height - tall) // 2, _MIDDLE, tall), lines, tuple(boxes))


def _box(
    act: RelatedAct,
    place: tuple[str, int, int, int],
    codes: Mapping[str, tuple[str, str]],
    year: str,
    writer: PageWriter,
) -> _Box:
    side, y, centre, left = place
    x = _LEFT if side == "to" else _RIGHT
    begin, end = (x + _BOX, left) if side == "to" else (x, left + _MIDDLE)
    half = (begin + end) // 2
    middle = y + _HEIGHT // 2
    edge = f"M{begin} {middle}C{half} {middle} {half} {centre} {end} {centre}"
    does = _relation_phrase(act, codes, writer)
    known = act.read is not None and writer.is_known(act.read)
    called = writer.title(act.name)
    return _Box(
        x,
        y,
        edge,
        codes[act.relations[0]][1],
        cut(writer.short(act.name), _LONGEST),
        cut(does, _LONGEST_DOES),
        writer.path(act.name) if known else None,
        writer.words(f"relations.told_{side}", act=called, does=does),
        year,
        _LEFT - 8 if side == "to" else _RIGHT + _BOX + 8,
    )
