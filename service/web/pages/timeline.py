"""The timeline of a norm: a page and a picture of its bitemporal periods, and the band of its texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import pairwise
from typing import cast
from urllib.parse import quote

from markupsafe import Markup

from graph.civil import ONE_DAY, parse_when, today
from graph.errors import BadDate, BadParameter, UnknownName
from graph.store import Store
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, parse
from ontology.events import EventKind
from ontology.iris import ID
from queries.answers import Period, Timeline
from queries.causes import PARTIAL
from queries.contradictions import Dispute, disputes
from queries.evidence import published_on, records
from queries.in_force import in_force
from queries.intervals import AnswerInterval, doubtful
from queries.reasons import Reason
from queries.related import Record
from queries.text.absent import missing_provision
from queries.text.changes import days_of_change, is_between, joined_within_bounds, texts_over_force, uncertain_days
from queries.text.open_wording import is_wording_open
from queries.text.wording_history import bounds_of, is_ended_by_act, parts_with_own_history
from queries.timeline import timeline
from service.web.http.name_paths import name_path
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Frame, Messages, render, words_in
from service.web.pages.history import ended_by_act, given_by, split_signed_rows, texts_within_versions
from service.web.pages.notices import sentences_of
from service.web.pages.reading_days import writer_of
from service.web.pages.reasons import cause_in_words, effect_of_reason, event_in_words
from service.web.pages.related import records_of, refused
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer

# The band: the texts in force over time, as known today, on a linear scale and as a list.


#: The maximum number of years on the scale, and the space after today as a fraction of the whole.
_YEARS, _AHEAD = 8, 0.04
#: The maximum number of pieces of the list before it is folded, and of pieces that are links.
MOST_LISTED, MOST_LINKED = 12, 80
#: The minimum width, in percent, of a piece that has a colour other than its neighbour's.
_BAND_NARROW = 0.3


@dataclass(frozen=True, slots=True)
class Piece:
    """Days of one text, or without a text in force.

    Attributes:
        left, width: its place and width on the scale, in percent.
        status: the status on these days.
        even: whether it has the second colour, which separates it from its neighbours.
        path: the path of its text; None where there is none.
        days, description: the days, and the text or the status, in words.
        by: the norms that made the text, where a source states them.
        current: whether it includes today.
    """

    left: float
    width: float
    status: str
    even: bool
    path: str | None
    days: Markup
    description: Markup
    by: Markup
    current: bool


@dataclass(frozen=True, slots=True)
class Band:
    """The band: its pieces, the years of the scale with their places in percent, and the place of today."""

    pieces: Sequence[Piece]
    years: Sequence[tuple[int, float]]
    today: float

    @property
    def edges(self) -> Sequence[int]:
        """Return the starts of the pieces in thousandths of the whole, each once."""
        return sorted({round(piece.left * 10) for piece in self.pieces})

    @property
    def merged(self) -> Sequence[Piece]:
        """Return the pieces with neighbours of the same status joined, for a band of very many pieces."""
        joined: list[Piece] = []
        for piece in self.pieces:
            if joined and joined[-1].status == piece.status:
                joined[-1] = replace(joined[-1], width=piece.left + piece.width - joined[-1].left)
            else:
                joined.append(piece)
        return joined


def band_of(store: Store, name: Name, today: date, writer: PageWriter) -> Band | None:
    """Return the band of a norm or provision; None where nothing dates it.

    Args:
        store: a snapshot.
        name: the norm or provision, without version.
        today: the civil date taken for today, which is D and K.
        writer: the writer of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    changes = days_of_change(store, name, today)
    every = joined_within_bounds(texts_over_force(store, name, today), changes)
    every = split_signed_rows(every, published_on(store, name.work))
    rows = [row for row in every if row.status.value != "not-published"]
    if not rows:
        return None
    first, last = rows[0].start, max(today, rows[-1].start)
    total_days = max((last - first).days, 1) * (1 + _AHEAD)

    def place(day: date) -> float:
        return round(100 * min(max((day - first).days / total_days, 0), 1), 3)

    given = given_by(store, name.work, writer)
    by_act, edges = ended_by_act(store, name, rows, today), {*uncertain_days(changes), *doubtful(rows)}
    texts, _ = texts_within_versions(store, name, today, rows, changes, writer)
    unknown = [row.start for row in rows if row.status is Status.UNKNOWN] if name != name.work else []
    is_open = {day for day in unknown if is_wording_open(store, in_force(store, name, day, today))}
    pieces: list[Piece] = []
    drawn = 0
    for row in rows:
        left, right = place(row.start), place(row.until) if row.until is not None else 100.0
        drawn += right - left >= _BAND_NARROW
        between = is_between(row, changes)
        ended = () if row.until not in by_act else (row.until,)  # it may have been in force for some days more
        days = writer.interval(
            row.start, row.until, ended if between or row.status is Status.UNKNOWN else {*edges, *ended}
        )
        pieces.append(
            Piece(
                left,
                round(max(right - left, 0.15), 3),
                row.status.value,
                drawn % 2 == 0,
                _path(name, row, writer),
                writer.of_act(days) if row.start in by_act else days,
                texts[row.start]
                if row.start in texts
                else writer.wording(row.version)
                if row.version is not None
                else writer.words("status.wording_open")
                if row.start in is_open
                else writer.status_in_row(row.status, name, row.start),
                given(row.version) if row.version is not None and row.start not in texts else Markup(""),
                row.holds(today),
            )
        )
    return Band(pieces, [(year, place(date(year, 1, 1))) for year in _band_years(first, last)], place(today))


def _path(name: Name, row: AnswerInterval, writer: PageWriter) -> str | None:
    return (
        writer.frame.to(name_path(name.canonical) + RequestParameters(row.start).query())
        if row.version is not None
        else None
    )


def _band_years(first: date, last: date) -> Sequence[int]:
    """Return the years on the scale: all, or every second, fifth, tenth or further one."""
    years = range(first.year + 1, last.year + 1)
    step = next(step for step in (1, 2, 5, 10, 25, 50, 100, 500, 2_000) if len(years) <= step * _YEARS)
    return [year for year in years if year % step == 0]


# The page and the picture of the bitemporal periods.


@dataclass(frozen=True, slots=True)
class Scale:
    """The places of days along a line, in pixels.

    Attributes:
        days: the stops, civil dates in order.
        places: the place of each stop, ascending.
        widened: the intervals, in pixels, that are wider than linear, so that short times are visible.
    """

    days: tuple[date, ...]
    places: tuple[float, ...]
    widened: tuple[tuple[float, float], ...] = ()

    def at(self, day: date) -> float:
        """Return the place of a day between the first and the last stop."""
        after = bisect_right(self.days, day)
        if after == len(self.days):
            return self.places[-1]
        start, end = self.days[after - 1], self.days[after]
        share = (day - start).days / (end - start).days
        return self.places[after - 1] + share * (self.places[after] - self.places[after - 1])

    def holds(self, day: date) -> bool:
        """Return whether a day is between the first and the last stop, both included."""
        return self.days[0] <= day <= self.days[-1]


def scale(days: Iterable[date], start: float, length: float, least: float) -> Scale:
    """Return a scale that is linear except for spaces between stops that would be too short, which are widened.

    Args:
        days: the stops, in any order; at least one.
        start: the place of the first stop, in pixels.
        length: the distance from the first stop to the last, in pixels.
        least: the least space between two stops, in pixels; at most the length divided by the number of spaces.
    """
    stops = sorted(set(days))
    spaces = [(later - earlier).days for earlier, later in pairwise(stops)]
    least = min(least, length / len(spaces)) if spaces else least
    rate = _rate(spaces, length, least)
    places, widened = [start], list[tuple[float, float]]()
    for space in spaces:
        before = places[-1]
        places.append(before + max(least, space * rate))
        if space * rate < least - 0.5:
            joined = widened and widened[-1][1] == before
            widened[-1:] = [(widened[-1][0], places[-1])] if joined else [*widened[-1:], (before, places[-1])]
    return Scale(tuple(stops), tuple(places), tuple(widened))


def _rate(spaces: Iterable[int], length: float, least: float) -> float:
    """Return the pixels of a day with which all spaces fill the length and none is shorter than the least."""
    ordered = sorted(spaces)
    rest, rate = sum(ordered), 0.0
    for index, space in enumerate(ordered):
        rate = (length - index * least) / rest
        if space * rate >= least:
            break
        rest -= space
    return rate


#: The maximum width and height of a character of the labels, and their distance from an edge, in pixels.
LETTER, LINE, INSET = 6.9, 12.0, 4.0
#: The margins: left for days of knowledge, right for open periods, above for days of force, and below.
_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 84.0, 40.0, 8.0
#: The plot's minimum width, its maximum width except for many columns, and a column's usual and minimum width.
_NARROW, WIDE, _COLUMN, _LEAST_COLUMN = 184.0, 880.0, 14.0, 4.5
#: The length of a tooth of a zigzag.
_TOOTH = 6.0
#: The heights: maximum and minimum of a row, the usual height of all rows together, and the maximum of the picture.
_ROW, _LEAST_ROW, _ROWS, _ENDLESS = 30.0, 15.0, 420.0, 12_000.0


#: The least distance between years on the scale, and the steps of years in order of preference.
_APART = 5 * LETTER
_ROUND = (100, 50, 10, 5, 1)


@dataclass(frozen=True, slots=True)
class Tick:
    """A label on a scale: its text and its place."""

    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the picture.

    Attributes:
        number: the number of its period, from 1.
        period: the period.
        shade: 0 or 1, alternating between neighbours along the days of force.
        now: whether it includes today, as known today.
        x, y, width, height: its place and size.
        label: its text; empty where no text fits.
    """

    number: int
    period: Period
    shade: int
    now: bool
    x: float
    y: float
    width: float
    height: float
    label: str

    @property
    def label_at(self) -> Markup:
        """Return the place of the label as SVG attributes."""
        return Markup(f'x="{_short_number(self.x + INSET)}" y="{_short_number(self.y + LINE - 1)}"')  # noqa: S704 - numbers

    @property
    def outline(self) -> str:
        """Return the rectangle as the shortest SVG path."""
        left, top = _short_number(self.x), _short_number(self.y)
        return f"M{left} {top}h{_short_number(self.width)}v{_short_number(self.height)}H{left}z"


def _short_number(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, in pixels.

    Attributes:
        width, height: the size of the whole.
        boxes: the rectangles in the order of the periods.
        force, knowledge: labels of the two scales.
        left, top, right, bottom: edges of the plot.
        today: the horizontal position of today.
        widened: the parts of the scale of force, and of the scale of knowledge, that are wider than linear.
    """

    width: float
    height: float
    boxes: tuple[Box, ...]
    force: tuple[Tick, ...]
    knowledge: tuple[Tick, ...]
    left: float
    top: float
    right: float
    bottom: float
    today: float
    widened: tuple[tuple[tuple[float, float], ...], tuple[tuple[float, float], ...]] = ((), ())

    @property
    def zigzags(self) -> str:
        """Return the widened spaces of both scales as an SVG path: a zigzag along the edge of the plot."""
        force, knowledge = self.widened
        across = (
            _zigzag(first, last, f"M{_short_number(first)} {_short_number(self.top)}", "l{} {}")
            for first, last in force
        )
        down = (
            _zigzag(first, last, f"M{_short_number(self.left)} {_short_number(first)}", "l{1} {0}")
            for first, last in knowledge
        )
        return "".join((*across, *down))


def _zigzag(first: float, last: float, begin: str, step: str) -> str:
    count = max(2, round((last - first) / _TOOTH))
    half = _short_number((last - first) / count / 2)
    return begin + "".join(step.format(half, -3) + step.format(half, 3) for _ in range(count))


def picture(
    periods: Sequence[Period],
    labels: Callable[[Period], Iterable[str]],
    in_words: Callable[[date], str],
    today: date,
    wide: float = 0.0,
) -> Picture:
    """Return the picture of the periods of one norm on one axis.

    Args:
        periods: the periods, which do not overlap; at least one.
        labels: returns the labels of a period in order of preference. The first that fits is used.
        in_words: returns a civil date as a label of at most 12 characters.
        today: the civil date taken for today.
        wide: the minimum width of the plot, in pixels.
    """
    force = _columns({today, *_edges((period.valid_from, period.valid_until) for period in periods)}, wide)
    known = _rows({today, *_edges((period.known_from, period.known_until) for period in periods)})
    right, bottom = force.places[-1] + _RIGHT, known.places[-1] + _height(len(known.days))
    shades = {start: n % 2 for n, start in enumerate(sorted({period.valid_from for period in periods}))}
    boxes = []
    for number, period in enumerate(periods, start=1):
        x, y = force.at(period.valid_from), known.at(period.known_from)
        width = (force.at(period.valid_until) if period.valid_until is not None else right) - x
        height = (known.at(period.known_until) if period.known_until is not None else bottom) - y
        label = next((text for text in labels(period) if _label_fits(text, width, height)), "")
        shade, now = shades[period.valid_from], period.holds(today, today)
        boxes.append(Box(number, period, shade, now, x, y, width, height, label))
    return Picture(
        right + 1,
        bottom + _BOTTOM,
        tuple(boxes),
        tuple(_years(force)),
        tuple(
            _spaced_ticks(
                (Tick(in_words(day), position) for day, position in zip(known.days, known.places, strict=True)), LINE
            )
        ),
        force.places[0],
        known.places[0],
        right,
        bottom,
        force.at(today),
        (force.widened, known.widened),
    )


def _edges(pairs: Iterable[tuple[date, date | None]]) -> set[date]:
    return {day for pair in pairs for day in pair if day is not None}


def _columns(days: set[date], wide: float) -> Scale:
    width = max(wide, _NARROW, min(WIDE, _COLUMN * len(days)), _LEAST_COLUMN * len(days))
    return scale(days, _LEFT, width, min(_COLUMN, 0.85 * width / len(days)))


def _rows(days: set[date]) -> Scale:
    return scale(days, _TOP, _height(len(days)) * (len(days) - 1) * 1.25, _height(len(days)))


def _height(rows: int) -> float:
    return min(max(_LEAST_ROW, min(_ROW, _ROWS / rows)), _ENDLESS / rows)


def _label_fits(text: str, width: float, height: float) -> bool:
    return len(text) * LETTER + 2 * INSET <= width and height >= LINE + 2


def _years(force: Scale) -> list[Tick]:
    """Return the years on the scale: those of the first and last stop, and others that fit, round ones first.

    Each year is there once.
    """
    first, last = force.days[0], force.days[-1]
    ticks = [Tick(str(first.year), force.places[0])]
    if last.year != first.year and force.places[-1] - force.places[0] >= _APART:
        ticks.append(Tick(str(last.year), force.places[-1]))
    for step in _ROUND:
        for year in range(-(-(first.year + 1) // step) * step, last.year + 1, step):
            position = force.at(date(year, 1, 1))
            if all(abs(position - tick.at) >= _APART and tick.text != str(year) for tick in ticks):
                ticks.append(Tick(str(year), position))
    return sorted(ticks, key=lambda tick: tick.at)


def _spaced_ticks(ticks: Iterable[Tick], least: float) -> Iterable[Tick]:
    """Yield the ticks that are far enough apart, from the first on."""
    last = float("-inf")
    for tick in ticks:
        if tick.at - last >= least:
            last = tick.at
            yield tick


#: The task type of the page, and the prefix of its address.
KIND, PREFIX = "page.timeline", "/timeline"
#: The message keys of the axes.
_CLOCKS = {Axis.FORCE: "timeline.force", Axis.EFFICACY: "timeline.efficacy"}
#: The minimum number of rectangles or events for which a table has parts, and the number of rows of a part.
_MANY, _ROWS_OF_PART = 61, 20
#: The maximum number of pictures of inner provisions.
_INNER = 8


_SIGNATURE = EventKind.ASSINATURA
#: The event of a start of force that was moved before it came.
_POSTPONEMENT = EventKind.PRORROGACAO_VACATIO


@dataclass(frozen=True, slots=True)
class _Row:
    """A period in the table.

    Attributes:
        number: from 1.
        period: the period.
        description: the text in force in few words, or that there is none.
        address: the address of the text on the period's first day; None where no text is in force.
        now: whether it includes today, as known today.
        ahead: whether its days of knowledge are in the future. Its text is then not requested by day of knowledge.
        contested: whether the sources disagree about its days.
        by_act: whether its first day is only that of the act that ended the text.
    """

    number: int
    period: Period
    description: str
    address: str | None
    now: bool
    ahead: bool
    contested: bool
    by_act: bool

    @property
    def last(self) -> date | None:
        """Return the last day of force; None for an open period."""
        return _day_before(self.period.valid_until)

    @property
    def last_known(self) -> date | None:
        """Return the last day of knowledge; None if the period is still known."""
        return _day_before(self.period.known_until)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A rectangle of the picture as a link: its address, its accessible name and its style.

    A rectangle in force has no class for its status. Where there are many, the accessible name is the short label.
    """

    address: str
    title: str
    classes: str
    box: Box


@dataclass(frozen=True, slots=True)
class _Picture:
    """A picture with its table.

    Attributes:
        key: the prefix of the identifiers of its elements.
        name: the norm or provision.
        label: the norm or provision in words.
        path: the path of its own timeline.
        drawn: the picture.
        marks: the rectangles, in the picture's order.
        rows: the rows of the table; those of one part where there are many.
    """

    key: str
    name: str
    label: str
    path: str
    drawn: Picture
    marks: Sequence[_Mark]
    rows: Sequence[_Row]

    @property
    def many(self) -> bool:
        """Return whether the table has parts."""
        return len(self.marks) >= _MANY


@dataclass(frozen=True, slots=True)
class _Event:
    """An event as the page shows it, its reason, and the record that states it, if any."""

    description: str | Markup
    effect: Markup
    known: Markup
    cause: Markup | None
    reason: Reason
    record: Record | None


@dataclass(frozen=True, slots=True)
class _PageData:
    """The data of a page: sentences, store, axis, part of the tables, today, and the disputes of the sources."""

    writer: PageWriter
    store: Store
    axis: Axis
    part: int
    now: date
    disputes: tuple[Dispute, ...] = ()

    def contested(self, period: Period) -> bool:
        """Return whether the sources disagree about days of a period."""
        return any(dispute.touches(period) for dispute in self.disputes)

    @property
    def shown(self) -> slice:
        """Return the rows of a table in the part."""
        return slice((self.part - 1) * _ROWS_OF_PART, self.part * _ROWS_OF_PART)


def show_timeline(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page of a timeline (runs in a worker process).

    ``arguments`` has ``name``, ``axis``, ``part`` and ``frame``, as plain values.

    Raises:
        BadName, UnknownName: as :func:`queries.timeline.timeline`.
        NoSuchProvision: the norm does not have the provision.
        BadParameter: there is no such part.
        Problem: 404 where no source describes the name, but there are facts about it.
    """
    try:
        answer = timeline(store, str(arguments["name"]))
    except UnknownName as unknown:
        raise refused(store, unknown.name) or missing_provision(store, unknown.name) or unknown from None
    frame = Frame.of_json(arguments["frame"])
    writer = replace(writer_of(store, frame, today()), is_described=lambda name: bool(records(store, name.iri)))
    name = parse(answer.name)
    inner = parts_with_own_history(store, name) if name != name.work else []
    notices = answer.notices if name == name.work else (*answer.notices, *timeline(store, name.work).notices)
    axis, part = Axis(str(arguments["axis"])), cast("int", arguments["part"])
    asked = _PageData(writer, store, axis, part, today(), tuple(disputes(notices)))
    return Answer(timeline_page(asked, answer, [timeline(store, inner_name) for inner_name in inner]), "text/html")


def timeline_page(asked: _PageData, answer: Timeline, inner: Sequence[Timeline]) -> bytes:
    """Return the page.

    Args:
        asked: its sentences, axis and part.
        answer: the timeline of a norm or provision.
        inner: the timelines of inner provisions with a history of their own.

    Raises:
        BadParameter: there is no such part.
    """
    writer, words = asked.writer, words_in(asked.writer.frame.language)
    published = published_on(asked.store, parse(answer.name).work)
    periods = split_at_publication([period for period in answer.periods if period.axis is asked.axis], published)
    events = _events(asked, answer, inner)
    most = max(len(periods), len(events))
    parts = -(-most // _ROWS_OF_PART) if most >= _MANY else 1
    if asked.part > parts:
        raise BadParameter(f"expected part from 1 to {parts}, got {asked.part}")
    drawings = [_drawing(asked, answer.name, periods, "")] if periods else []
    living = {
        inner_timeline.name: split_at_publication(
            [period for period in inner_timeline.periods if period.axis is asked.axis], published
        )
        for inner_timeline in inner
    }
    living = {name: reported for name, reported in living.items() if reported}
    drawings += [
        _drawing(asked, name, reported, f"i{index}-")
        for index, (name, reported) in enumerate(list(living.items())[:_INNER])
    ]
    drawn = [period for reported in (periods, *living.values()) for period in reported]
    return render(
        "timeline.html",
        writer.frame,
        label=writer.title(answer.name),
        name=answer.name,
        axis=asked.axis,
        clocks=_CLOCKS,
        path=PREFIX + name_path(answer.name),
        band=band_of(asked.store, parse(answer.name), asked.now, writer),
        most_listed=MOST_LISTED,
        most_linked=MOST_LINKED,
        drawings=drawings,
        own=bool(periods),
        inner=[(writer.title(name), PREFIX + name_path(name)) for name in living],
        contested=any(asked.contested(period) for period in drawn),
        ahead=any(period.known_from > asked.now for period in drawn),
        statuses=[status for status in Status if any(period.status is status for period in drawn)],
        shades=any(period.status.stands and period.version != drawn[0].version for period in drawn),
        dated=bool(answer.periods),
        events=[make() for make in (events[asked.shown] if parts > 1 else events)],
        spans=[(index * _ROWS_OF_PART + 1, min((index + 1) * _ROWS_OF_PART, most)) for index in range(parts)]
        if parts > 1
        else [],
        part=asked.part,
        number=words.number,
        most=most,
        notices=sentences_of(answer.notices, writer),
        writer=writer,
        document=f"/api/v1/timeline?urn={quote(answer.name, safe='')}",
    )


def split_at_publication(periods: Iterable[Period], published: date | None) -> list[Period]:
    """Return periods, where vacatio before the publication of the norm is a period of its own.

    As known before that day the norm is only signed, on all days.

    Args:
        periods: the periods in order.
        published: the first day on which the norm was published; None where it is unknown.
    """
    parts: list[Period] = []
    for period in periods:
        if period.status is not Status.VACATIO or published is None or period.valid_from >= published:
            parts.append(period)
            continue
        later = period
        if period.known_from < published:
            parts.append(replace(period, known_until=min(published, period.known_until or date.max)))
            if period.known_until is not None and period.known_until <= published:
                continue
            later = replace(period, known_from=published)
        if published < (period.valid_until or date.max):
            parts += [replace(later, valid_until=published), replace(later, valid_from=published)]
        else:
            parts.append(later)
    return parts


def _drawing(asked: _PageData, name: str, periods: Sequence[Period], key: str) -> _Picture:
    """Return a picture and its table. The table of the norm itself, whose key is empty, may have parts."""
    writer, words = asked.writer, asked.writer.words
    drawn = picture(periods, partial(_labels, writer, name), partial(_short, words), asked.now, WIDE)
    many = len(periods) >= _MANY
    rows = [
        _row(asked, name, box.number, box.period, now=box.now)
        for box in (drawn.boxes[asked.shown] if many else drawn.boxes)
    ]
    addresses = {row.number: row.address for row in rows}
    marks = []
    for box in drawn.boxes:
        address = f"#{key}p{box.number}"
        reported = words("timeline.mark", n=box.number, day=_short(words, box.period.valid_from))
        if many and key == "":
            address = _query(writer.frame, (box.number - 1) // _ROWS_OF_PART + 1, asked.part) + address
        elif not many:
            address = addresses[box.number] or address
            reported = _period_sentence(asked, name, rows[box.number - 1])
        status = box.period.status
        looks = {str(status): not status.stands, "even": bool(box.shade), "now": box.now}
        looks["contested"] = asked.contested(box.period)
        classes = [css_class for css_class, so in looks.items() if so]
        marks.append(_Mark(address, str(reported), " ".join(classes), box))
    return _Picture(key, name, writer.title(name), PREFIX + name_path(name), drawn, marks, rows)


def _query(frame: Frame, part: int, current: int) -> str:
    """Return the query of another part of this page; empty for the current part."""
    return "?" + frame.here(part=part).partition("?")[2] if part != current else ""


def _day_before(day: date | None) -> date | None:
    return day - ONE_DAY if day is not None else None


def _row(asked: _PageData, name: str, number: int, period: Period, *, now: bool) -> _Row:
    address, writer = None, asked.writer
    ahead = period.known_from > asked.now
    if period.version is not None and not ahead:
        address = writer.frame.to(name_path(period.version), on=period.valid_from, as_known=period.known_from)
    is_ended = period.status in ENDED and not ahead
    by_act = is_ended and is_ended_by_act(in_force(asked.store, name, period.valid_from, period.known_from, asked.axis))
    text = _text_in_force(writer, period)
    return _Row(number, period, text, address, now, ahead, asked.contested(period), by_act)


def _period_sentence(asked: _PageData, name: str, row: _Row) -> Markup:
    """Return a period of a norm or provision as a sentence."""
    words, period = asked.writer.words, row.period
    days = _days(words, period.valid_from, period.valid_until)
    days = asked.writer.of_act(days) if row.by_act else days
    known = _known_days(words, period.known_from, period.known_until, ahead=row.ahead)
    status = asked.writer.status_in_row(period.status, name, period.valid_from)
    if row.contested:
        status = words("status.contested", status=status)
    if period.version is None:
        return words("timeline.tell_none", status=status, days=days, known=known)
    return words("timeline.tell", what=row.description, status=status, days=days, known=known)


def _text_in_force(writer: PageWriter, period: Period) -> str:
    """Return the text in force: its day, and the event of this view of it."""
    words = writer.words
    if period.version is None:
        return str(words("timeline.no_version"))
    name = parse(period.version)
    if name.event == _POSTPONEMENT or (name.version_date is None and bounds_of(name) is not None):
        return str(writer.wording(period.version).striptags())
    text = words("timeline.text_of", day=words.day(name.version_date or period.valid_from))
    if name.event != _SIGNATURE and writer.is_dated_by_act(period.version):
        text = writer.of_act(text)
    if name.event is None:
        return str(text)
    event, seen = writer.event(name.event).lower(), name.view_date
    key = "timeline.made_in_part" if name.event in PARTIAL and name == name.individual else "timeline.made_by"
    made = words(key, event=event, day=words.day(seen)) if seen is not None else event
    return f"{text} ({made})"


def _days(words: Messages, first: date, until: date | None) -> Markup:
    """Return the days ``[first, until)`` of a period in words."""
    if until is None:
        return words("timeline.tell_from", first=words.day(first))
    if until - ONE_DAY == first:
        return words("timeline.tell_only", day=words.day(first))
    return words("timeline.tell_until", first=words.day(first), last=words.day(until - ONE_DAY))


def _known_days(words: Messages, first: date, until: date | None, *, ahead: bool) -> Markup:
    """Return the days ``[first, until)`` on which a period is known, in words.

    Args:
        words: the messages of the page.
        first, until: civil dates; ``until`` is None if it is still known.
        ahead: whether ``first`` is after today.
    """
    if until is None and not ahead:
        return words("timeline.tell_today", first=words.day(first))
    if until is not None and until - ONE_DAY == first:
        return words("timeline.tell_on", day=words.day(first))
    return _days(words, first, until)


def _labels(writer: PageWriter, name: str, period: Period) -> Iterator[str]:
    """Yield the labels of a period in order of preference."""
    words = writer.words
    if period.version is None:
        yield str(writer.status_in_row(period.status, name, period.valid_from))
        yield str(writer.status_word(period.status, name))
        return
    if _is_bound(period):
        yield str(period.valid_from.year)
        return
    yield str(words("timeline.in_force_since", day=_short(words, period.valid_from)))
    yield _short(words, period.valid_from)
    yield str(period.valid_from.year)


def _is_bound(period: Period) -> bool:
    """Return whether a period begins with the last possible day of a change whose day is unknown."""
    bounds = bounds_of(parse(period.version)) if period.version is not None else None
    return bounds is not None and period.valid_from == bounds[1]


def _short(words: Messages, day: date) -> str:
    """Return a day in at most twelve characters.

    >>> from service.web.http.negotiation import Language
    >>> _short(words_in(Language.ENGLISH), date(1990, 9, 11)), _short(words_in(Language.PORTUGUESE), date(1990, 9, 11))
    ('11 Sep 1990', '11/09/1990')
    """
    parts = words.day(day).split(" ")
    return " ".join(part[:3] if part.isalpha() else part for part in parts)


def _events(asked: _PageData, answer: Timeline, inner: Sequence[Timeline]) -> list[Callable[[], _Event]]:
    """Return functions that make the events of a norm or provision and of its inner provisions.

    They are in the order of their days of knowledge.
    """
    reported: list[tuple[Reason, str | None]] = [(event, None) for event in answer.events]
    reported += [(event, part.name) for part in inner for event in part.events]
    reported.sort(key=lambda entry: (entry[0].known or "9999", entry[0].effect or "9999"))
    return [partial(_event, asked, reason, of) for reason, of in reported]


def _event(asked: _PageData, reason: Reason, of: str | None) -> _Event:
    writer = asked.writer
    description: Markup | str = event_in_words(reason, writer)
    if of is not None:
        description = writer.words("timeline.event_of", event=description, name=writer.label(of))
    cause = cause_in_words(reason, writer) if reason.cause is not None else None
    record = None
    if reason.source is not None and reason.source.startswith(ID):
        record = records_of(asked.store, [reason.source])[reason.source]
    return _Event(
        description,
        effect_of_reason(reason, writer),
        _known_since(writer, reason.known),
        cause,
        reason,
        record,
    )


def _known_since(writer: PageWriter, stated: str | None) -> Markup:
    """Return the first day of knowledge in words; a year or bounds where the sources state no day."""
    try:
        day = parse_when(stated).exact if stated is not None else None
    except BadDate:
        day = None
    return writer.words.time(day) if day is not None else writer.when(stated)
