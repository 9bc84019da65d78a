"""The bar above a text: the text shown, its day, and links to the texts before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.time.kinds import ENDED, Status
from graph.urn import Name
from queries.answers import InForce
from queries.intervals import AnswerInterval, doubtful
from queries.text.changes import (
    ChangeDay,
    days_of_change,
    is_between,
    joined_within_bounds,
    texts_over_force,
    uncertain_days,
)
from queries.text.diff import ORIGINAL, has_dated_original
from service.web.http.name_paths import name_path
from service.web.laid_out import PREVIOUS
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Messages
from service.web.pages.writer import PageWriter

#: The maximum number of texts in the bar: the first, the last, and those nearest to the one shown.
_MOST = 9
_UNKNOWN = frozenset({Status.UNKNOWN, Status.UNKNOWN_NAME, Status.NO_SUCH_PROVISION})


@dataclass(frozen=True, slots=True)
class Stop:
    """One of the texts over time.

    Attributes:
        path: the path of the text.
        label: the days of force, in words.
        day: its first day of force.
        begins: the same in the bar: the year, with the month or the day where other texts begin in the same year.
        shown: whether the page shows it.
        skipped: whether the bar leaves out texts before it.
    """

    path: str
    label: Markup
    day: date
    begins: str
    shown: bool
    skipped: bool


@dataclass(frozen=True, slots=True)
class ReadingBar:
    """The content of the bar.

    Attributes:
        path: the address of the page, without its days.
        day: the day of the page.
        known: the day of knowledge in the address; None where it has none.
        reading: the text shown and its day, as a sentence.
        current: the address of today's text; None where the page shows it, or where no text is in force today.
        compare: the links to comparisons, each as its text and its address. Another text is compared with today's;
            today's text is compared with the original text and with the text before it. Empty where there is no other
            text.
        cite: the address of the citation of the text; None where there is no text.
        before, after: the texts before and after the one shown.
        stops: the texts over time; empty where there is only one.
    """

    path: str
    day: date
    known: date | None
    reading: Markup
    current: str | None
    compare: Sequence[tuple[Markup, str]]
    cite: str | None
    before: Stop | None
    after: Stop | None
    stops: Sequence[Stop]


@dataclass(frozen=True, slots=True)
class BarText:
    """The text that the bar describes.

    Attributes:
        target: the norm or provision, without version.
        shown: the answer that the page shows.
        days: the days of the page. Links repeat its day of knowledge and its axis.
        of_day: the day that the reader asked for; None where the page is that of today.
        other: whether today's text differs.
        dated: whether the text has dates.
        has_text: whether the page has a text of that day, in force or in vacatio.
        last: whether the norm has ended, and the page shows its last text because the reader asked for no day.
        outside_parts: whether the sources have only parts of the text of the norm, without the provision.
        undetermined: whether the sources do not determine the wording of that day.
        previous: whether the bar may link to the comparison with the text before.
        rows: the days of force with one text each, as known on K (:func:`queries.text.changes.texts_over_force`).
            :func:`reading_bar` reads these and the two below from the store; its callers leave them out.
        changes: the days of the changes of the text, some within bounds.
        original: whether it has an original text (:func:`queries.text.diff.has_dated_original`).
    """

    target: Name
    shown: InForce
    days: RequestParameters
    of_day: date | None
    other: bool
    dated: bool
    has_text: bool
    last: bool = False
    outside_parts: bool = False
    undetermined: bool = False
    previous: bool = False
    rows: Sequence[AnswerInterval] = ()
    changes: Sequence[ChangeDay] = ()
    original: bool = False


def reading_bar(store: Store, known: date, read: BarText, writer: PageWriter) -> ReadingBar:
    """Return the bar of the page of a norm or provision.

    Args:
        known: K, a civil date.
        read: the text.
    """
    changes = days_of_change(store, read.target, known)
    rows = joined_within_bounds(texts_over_force(store, read.target, known), changes)
    read = replace(read, rows=rows, changes=changes, original=has_dated_original(store, read.target, known))
    path, on = name_path(read.target.canonical), read.shown.on
    uncertain = uncertain_days(read.changes)
    texts = [
        row for row in read.rows if row.version is not None and (row.holds(on) or not is_between(row, read.changes))
    ]
    shown_index = next((i for i, row in enumerate(texts) if row.holds(on)), None) if read.dated else None
    stops = [_stop(path, row, read, writer, shown=i == shown_index) for i, row in enumerate(texts)]
    return ReadingBar(
        path,
        read.of_day or writer.today,
        read.days.as_known,
        _reading_sentence(read, writer),
        writer.frame.to(path) if read.other and not read.last else None,
        _comparison_address(read, texts, shown_index, writer),
        _cite(read, writer),
        _neighbour(stops, texts, shown_index, on, -1) if read.dated else None,
        _neighbour(stops, texts, shown_index, on, 1) if read.dated else None,
        _distinguish_labels(_nearest_stops(stops, shown_index), [row.start for row in texts], uncertain, writer.words)
        if len(stops) > 1
        else (),
    )


def _reading_sentence(read: BarText, writer: PageWriter) -> Markup:
    """Return the sentence with the text shown and its day."""
    words, on = writer.words, read.shown.on
    if not read.has_text and read.shown.status in _UNKNOWN:
        if read.outside_parts:
            return words("norm.outside_parts", name=writer.within(read.target)).removesuffix(".")
        if any(row.version for row in read.rows) and read.shown.status is not Status.NO_SUCH_PROVISION:
            return writer.at("tenses.no_version_unknown", on).removesuffix(".")
        return Markup("")  # the page says below that there is no text
    if not read.dated:
        return Markup("") if read.shown.status is Status.VETOED else words("norm.reading_undated")
    if read.last:
        key = "norm.reading_last" if read.has_text else "norm.reading_last_missing"
    elif not read.has_text:
        key = "norm.reading_none" if read.shown.version is None else "norm.reading_missing"
    elif read.undetermined:
        key = "norm.reading_undetermined"
    elif read.shown.status is Status.VACATIO:
        key = "norm.reading_vacatio"
    elif read.of_day is None:
        key = "norm.reading_today"
    else:
        key = "norm.reading_day" if read.other else "norm.reading_same"
    reading = words(key, day=words.time(on))
    if read.days.as_known is not None:
        reading += words("norm.reading_known", day=words.time(read.days.as_known))
    return reading


def _stop(path: str, row: AnswerInterval, read: BarText, writer: PageWriter, *, shown: bool) -> Stop:
    days = read.days
    edges = () if is_between(row, read.changes) else {*uncertain_days(read.changes), *doubtful(read.rows)}
    address = writer.frame.to(path + RequestParameters(row.start, days.as_known, days.axis).query())
    return Stop(
        address,
        writer.interval(row.start, row.until, edges),
        row.start,
        str(row.start.year),
        shown,
        skipped=False,
    )


def _neighbour(
    stops: Sequence[Stop], texts: Sequence[AnswerInterval], index: int | None, on: date, step: int
) -> Stop | None:
    """Return the text before or after the one shown, or before or after the day where no text is in force."""
    if index is None:
        after = next((i for i, row in enumerate(texts) if row.start > on), len(texts))
        neighbour = after if step > 0 else after - 1
    else:
        neighbour = index + step
    return stops[neighbour] if 0 <= neighbour < len(stops) else None


def _nearest_stops(stops: Sequence[Stop], shown_index: int | None) -> Sequence[Stop]:
    """Return the first text, the last one, and those nearest to the one shown."""
    if len(stops) <= _MOST:
        return stops
    middle = shown_index if shown_index is not None else len(stops) - 1
    first = max(1, min(middle - (_MOST - 2) // 2, len(stops) - _MOST + 1))
    kept = [0, *range(first, first + _MOST - 2), len(stops) - 1]
    return [
        replace(stop, skipped=place > 0 and index != kept[place - 1] + 1)
        for place, index in enumerate(kept)
        for stop in (stops[index],)
    ]


def _distinguish_labels(
    stops: Sequence[Stop], starts: Sequence[date], uncertain: Container[date], words: Messages
) -> Sequence[Stop]:
    """Return the stops with labels that differ: years, or months or days where several texts begin in one.

    Args:
        stops: those of the bar.
        starts: the first days of all texts.
        uncertain: the days that are only bounds of a change. Their labels are years; of several stops in one year, the
            month or the day on which the text was certainly in force, and not that of its beginning.
    """
    years = Counter(day.year for day in starts)
    months = Counter((day.year, day.month) for day in starts)

    def exact(day: date) -> str:
        return f"{day:%m}/{day.year}" if months[day.year, day.month] == 1 else f"{day:%d/%m}/{day.year}"

    labels = [
        str(stop.day.year) if years[stop.day.year] == 1 or stop.day in uncertain else exact(stop.day) for stop in stops
    ]
    repeated = Counter(labels)
    return [
        replace(stop, begins=label if repeated[label] == 1 else str(words("norm.stop_in", day=exact(stop.day))))
        for stop, label in zip(stops, labels, strict=True)
    ]


def _cite(read: BarText, writer: PageWriter) -> str | None:
    """Return the address of the citation of the text or of its end, without a day on the page of today's text."""
    if not read.dated or not (read.has_text or read.shown.status in ENDED):
        return None
    days = RequestParameters(read.days.on if read.last else read.of_day, read.days.as_known)
    return writer.frame.to(f"/cite{name_path(read.target.canonical)}{days.query()}")


def _has_text_before(read: BarText, texts: Sequence[AnswerInterval]) -> bool:
    """Return whether a part of the text has certainly changed since the first text; its words may be the same again."""
    first = min((row.start for row in texts), default=None)
    return first is not None and any(
        change.first is not None and change.first > first and change.is_settled(read.shown.on)
        for change in read.changes
    )


def _comparison_address(
    read: BarText, texts: Sequence[AnswerInterval], index: int | None, writer: PageWriter
) -> list[tuple[Markup, str]]:
    """Return the comparison with today's text, or those of the text with the original and the one before it."""
    path, on, known = f"/diff{name_path(read.target.canonical)}", read.shown.on, read.days.as_known
    words, frame = writer.words, writer.frame
    if read.other and not read.last:
        address = frame.to(path, from_=on.isoformat(), to=writer.today.isoformat(), as_known=known)
        return [(words("norm.reading_compare"), address)]
    last = on.isoformat()
    links = []
    if read.original and (index or (not read.last and len(read.changes) > 1)):
        links.append((words("norm.compare_original"), frame.to(path, from_=ORIGINAL, to=last, as_known=known)))
    elif index is not None and index > 1:  # of two texts, the text before is the first one
        first = texts[0].start.isoformat()
        links.append((words("norm.compare_original"), frame.to(path, from_=first, to=last, as_known=known)))
    has_previous = read.previous and _has_text_before(read, texts)
    if has_previous:
        before = frame.to(path, from_=PREVIOUS, to=last, as_known=known)
        links.append((words("norm.compare_previous"), before))
    if len(links) > 1:
        return links
    alone = "norm.reading_compare" if has_previous else "norm.reading_compare_original"
    return [(words(alone), address) for _, address in links]
