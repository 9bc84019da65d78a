"""Two pictures: the norms in force by year and type, and the lives of a norm's articles. Other pages end with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise

from graph.civil import day_after, day_before
from graph.document_kinds import kind_of_type
from graph.store import Store
from graph.time.kinds import Status
from graph.urn import Name, parse
from graph.vocabulary import Scheme
from graph.wording.provisions import natural_order_key
from queries.histories import Change, changes, stock
from queries.provisions import article_of
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.pages.frame import render
from service.web.pages.reading_days import read_arguments, read_page, writer_of
from service.web.pages.timeline import Scale
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer

#: The task types of the pages, and their addresses.
STOCK, STOCK_PATH = "page.stock", "/stock"
ARTICLES, ARTICLES_PREFIX = "page.articles", "/articles"
#: The maximum number of document types with a colour, and the height of the bars in pixels.
_TYPES, _HEIGHT = 5, 200
#: The minimum distance of a year from the first one, in percent.
_APART = 12
#: The maximum number of acts that a mark names.
_ACTS = 3


@dataclass(frozen=True, slots=True)
class _Bar:
    """The norms of a type in force at the end of a year: place and width in percent, top and height in pixels."""

    left: float
    width: float
    top: float
    height: float
    style: int
    title: str


def show_stock(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page of the norms in force by year and type (runs in a worker process).

    Args:
        arguments: ``frame``; ``today``, which is K.
    """
    frame, known, _ = read_arguments(arguments)
    counted: dict[str, dict[int, int]] = {}
    for kind, status, day, count in stock(store, known):
        if status is Status.IN_FORCE and day <= known and kind_of_type(kind) is None:
            counted.setdefault(kind, {})[day.year] = count
    ended = day_after(known).year  # its last day is not known
    years = range(min([ended - 1, *(year for by_year in counted.values() for year in by_year)]), ended)
    held = {kind: _filled(by_year, years) for kind, by_year in counted.items()}
    most = sorted(held, key=lambda kind: (-max(held[kind], default=0), kind))[:_TYPES]
    of_type = {kind: held[kind] for kind in most if any(held[kind])}
    total = [sum(counts) for counts in zip(*held.values(), strict=True)]
    rest = [max(0, whole - sum(parts)) for whole, *parts in zip(total, *of_type.values(), strict=True)]
    terms = vocabulary(store)
    concepts = [(kind, terms.concept(Scheme.TIPO_DOCUMENTO, kind)) for kind in of_type]
    called = [concept.label if concept is not None else kind for kind, concept in concepts]
    words, highest = writer_of(store, frame, known).words, max(total, default=0) or 1
    series = [*zip(called, of_type.values(), strict=True), (str(words("pictures.other_types")), rest)]
    bars, base = list[_Bar](), [0.0] * len(total)
    for style, (label, counts) in enumerate(series):
        for index, count in enumerate(counts):
            height = round(_HEIGHT * count / highest, 1)
            base[index] += height
            left, width = round(100 * index / len(years), 3), round(100 / len(years), 3)
            title = f"{years[index]}: {label}, {words.number(count)}"
            bars.append(_Bar(left, width, round(_HEIGHT - base[index], 1), height, style, title))
    scale = Scale(date(years[0], 1, 1), (date(years[-1], 12, 31) - date(years[0], 1, 1)).days)
    body = render(
        "stock.html",
        frame,
        bars=[bar for bar in bars if bar.height],
        series=[(label, counts[-1]) for label, counts in series if any(counts)],
        years=[year for year in ((years[0], 0.0), *scale.years) if year[1] == 0 or year[1] > _APART],
        height=_HEIGHT,
        highest=highest,
        now=known,
        table=frame.to("/queries/stock_by_year/answer", conhecido=known.isoformat()),
    )
    return Answer(body, "text/html")


def _filled(by_year: Mapping[int, int], years: Sequence[int]) -> list[int]:
    """Return the number of each year. A year without a row has that of the year before."""
    held, count = list[int](), 0
    for year in years:
        count = by_year.get(year, count)
        held.append(count)
    return held


@dataclass(frozen=True, slots=True)
class _Span:
    """Days of one status of an article, or the day of a change of it: its place and width in percent, and its words.

    Attributes:
        path: the comparison of the text before the change with the text after it; None for days of a status.
    """

    left: float
    width: float
    status: str
    title: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class _Life:
    """An article: its name in words, its path, its days by status, and its changes."""

    label: str
    path: str
    spans: Sequence[_Span]
    marks: Sequence[_Span]


def show_articles(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page of the lives of a norm's articles that changed (runs in a worker process).

    Args:
        arguments: ``name``, canonical, without a version; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name.
    """
    store, norm, frame, now, _ = read_page(store, arguments)
    writer = writer_of(store, frame, now)
    of_article: dict[str, list[Change]] = {}
    begun = set[date]()  # the first days of force of the norm, and of its articles with it
    for change in changes(store, norm, date.min, date.max, now):
        if change.name == norm.canonical and change.before is Status.UNKNOWN and change.after.stands:
            begun.add(change.day)
        article = article_of(change.name)
        if article is not None:
            of_article.setdefault(article, []).append(change)
    days = {change.day for every in of_article.values() for change in every}
    scale = Scale.over((*days, now)) if days else None
    lives = [
        life
        for article in sorted(of_article, key=lambda name: ("!anx" in name, natural_order_key(name)))
        if scale is not None and (life := _life(parse(article), of_article[article], begun, scale, writer)).marks
    ]
    body = render(
        "articles.html",
        frame,
        title=writer.title(norm),
        back=writer.path(norm),
        lives=lives,
        unchanged=len(of_article) - len(lives),
        years=scale.years if scale is not None else [],
        statuses=[status for status in Status if any(span.status == status for life in lives for span in life.spans)],
        writer=writer,
        norm=parse(min(of_article, key=natural_order_key, default=norm.canonical)),
    )
    return Answer(body, "text/html")


def _life(article: Name, every: Sequence[Change], begun: Collection[date], scale: Scale, writer: PageWriter) -> _Life:
    own = sorted((change for change in every if change.name == article.canonical), key=lambda change: change.day)
    spans = [
        _Span(
            scale.at(change.day),
            round(scale.at(after.day if after is not None else None) - scale.at(change.day), 3),
            change.after.value,
            f"{writer.words.day(change.day)}: {writer.status_in_row(change.after, article, change.day).striptags()}",
        )
        for change, after in pairwise([*own, None])
        if change is not None
    ]
    path, first = name_path(article.canonical), min(change.day for change in every)
    marks = []
    # a provision whose first words enter into force does not change
    later = (change for change in every if change.day > first)
    changed = sorted(
        (
            change
            for change in later
            if not change.after.stands
            or not (change.before is Status.VACATIO or (change.before is Status.UNKNOWN and change.day in begun))
        ),
        key=_by_day,
    )
    for day, of_day in groupby(changed, key=_by_day):
        listed = list(of_day)
        acts = dict.fromkeys(act for change in listed if change.act is not None for act in change.act.split())
        count = writer.words.count("relations.provisions", len({change.name for change in listed})).striptags()
        by = [writer.title(act) for act in list(acts)[:_ACTS]]
        query = {"from_": day_before(day).isoformat(), "to": day.isoformat()}
        title = "; ".join([f"{writer.words.day(day)}: {count}", *by])
        marks.append(_Span(scale.at(day), 0, "mark", title, writer.frame.to(f"/diff{path}", **query)))
    return _Life(writer.within(article), writer.frame.to(path), spans, marks)


def _by_day(change: Change) -> date:
    return change.day
