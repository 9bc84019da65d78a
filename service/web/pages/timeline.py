"""The timeline of a norm: a page and a picture of its bitemporal periods, and the band of its texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import cast
from urllib.parse import quote

from markupsafe import Markup

from graph.civil import ONE_DAY, today
from graph.errors import UnknownName
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, parse, parse_or_none
from ontology.events import EventKind
from ontology.iris import ID
from queries.answers import Period, Timeline
from queries.causes import PARTIAL
from queries.contradictions import Dispute, disputes
from queries.dossier import Effect
from queries.evidence import bounds_of, published_on, records
from queries.following import feed_events
from queries.in_force import in_force
from queries.reasons import Reason
from queries.related import Record
from queries.text.absent import missing_provision
from queries.text.text_history import norm_history
from queries.text.wording_history import is_ended_by_act, parts_with_own_history
from queries.timeline import timeline
from service.web.http.name_paths import name_path
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Frame, render
from service.web.pages.history import given_by, row_in_words
from service.web.pages.notices import notice_sentences
from service.web.pages.reading_days import require_part, writer_of
from service.web.pages.reasons import cause_in_words, effect_of_reason, event_in_words
from service.web.pages.related import records_of, refused
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer

#: The maximum number of years on a scale, and the space after its last day as a fraction of the whole.
_YEARS, _AHEAD = 6, 0.04
#: The maximum number of pieces of the list before it is folded.
MOST_LISTED = 12
#: The minimum width of a rectangle, of one that has a colour other than its neighbour's, and of one with its number,
#: in percent.
_NARROW, _COLOURED, _NUMBERED = 0.15, 0.3, 3.0


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale of days, as wide as the page: the first day, and the number of days of the whole."""

    first: date
    days: float

    @classmethod
    def over(cls, days: Iterable[date]) -> Scale:
        """Return the scale from the first of some days to beyond the last."""
        ordered = sorted(days)
        return cls(ordered[0], max((ordered[-1] - ordered[0]).days, 1) * (1 + _AHEAD))

    def at(self, day: date | None) -> float:
        """Return the place of a day in percent; the right edge for None, an open end."""
        if day is None:
            return 100.0
        return round(100 * min(max((day - self.first).days / self.days, 0), 1), 3)

    @property
    def years(self) -> Sequence[tuple[int, float]]:
        """Return the years on the scale with their places: all, or every second, fifth, tenth or further one."""
        last = self.first.toordinal() + int(self.days / (1 + _AHEAD))
        years = range(self.first.year + 1, date.fromordinal(min(last, date.max.toordinal())).year + 1)
        step = next(step for step in (1, 2, 5, 10, 25, 50, 100, 500, 2_000) if len(years) <= step * _YEARS)
        return [(year, self.at(date(year, 1, 1))) for year in years if year % step == 0]


# The band: the texts in force over time, as known today, as a picture and as a list.


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


def band_of(store: Store, name: Name, today: date, writer: PageWriter) -> Band | None:
    """Return the band of a norm or provision; None where nothing dates it.

    Args:
        name: the norm or provision, without version.
        today: the civil date taken for today, which is D and K.
    """
    history = norm_history(store, name, today)
    if history is None or history.undated:
        return None
    rows = [row for row in history.rows if row.status is not Status.NOT_PUBLISHED]
    scale = Scale.over((rows[0].start, max(today, rows[-1].start)))
    given = given_by(store, name.work, writer)
    pieces, drawn = list[Piece](), 0
    for row in rows:
        left, right = scale.at(row.start), scale.at(row.until)
        drawn += right - left >= _COLOURED
        path = writer.frame.to(name_path(name.canonical) + RequestParameters(row.start).query())
        pieces.append(
            Piece(
                left,
                round(max(right - left, _NARROW), 3),
                row.status.value,
                drawn % 2 == 0,
                path if row.version is not None else None,
                *row_in_words(history, row, given, writer),
                row.holds(today),
            )
        )
    return Band(pieces, scale.years, scale.at(today))


# The page and the picture of the bitemporal periods.


#: The height of a row of the picture, of a row where there are many, and of the years above the first, in pixels.
_ROW, _LOW, TOP = 34, 16, 18


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the picture.

    Attributes:
        number: the number of its period, from 1: the number of its row in the table.
        period: the period.
        even: whether it has the second colour, which separates neighbours along the days of force.
        now: whether it includes today, as known today.
        x, width: its place and width, in percent.
        y, height: its place and height, in pixels.
    """

    number: int
    period: Period
    even: bool
    now: bool
    x: float
    width: float
    y: int
    height: int

    @property
    def has_number(self) -> bool:
        """Return whether its number fits below the label of the row."""
        return self.width >= _NUMBERED and self.height >= _ROW


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: days of force from left to right in percent, and a row for each day of knowledge.

    Attributes:
        boxes: the rectangles in the order of the periods.
        years: the years of the scale with their places.
        known: the days of knowledge, each with the place of its row, in pixels.
        height: the height of the whole, in pixels.
        today: the place of today.
    """

    boxes: tuple[Box, ...]
    years: Sequence[tuple[int, float]]
    known: tuple[tuple[date, int], ...]
    height: int
    today: float


def picture(periods: Sequence[Period], today: date) -> Picture:
    """Return the picture of the periods of one norm or provision on one axis.

    Args:
        periods: the periods, which do not overlap; at least one.
        today: the civil date taken for today.
    """
    edges = {day for period in periods for day in (period.valid_from, period.valid_until) if day is not None}
    force = Scale.over((*edges, today))
    known = sorted({day for period in periods for day in (period.known_from, period.known_until) if day is not None})
    row = _ROW if len(known) < _MANY else _LOW
    place = {day: TOP + index * row for index, day in enumerate(known)}
    bottom = TOP + len(known) * row
    even = {start: bool(n % 2) for n, start in enumerate(sorted({period.valid_from for period in periods}))}
    boxes = []
    for number, period in enumerate(periods, start=1):
        x, y = force.at(period.valid_from), place[period.known_from]
        width = max(force.at(period.valid_until) - x, _NARROW)
        height = (place[period.known_until] if period.known_until is not None else bottom) - y
        now = period.holds(today, today)
        boxes.append(Box(number, period, even[period.valid_from], now, x, round(width, 3), y, height))
    return Picture(tuple(boxes), force.years, tuple(place.items()), bottom, force.at(today))


#: The task type of the page, and the prefix of its address.
KIND, PREFIX = "page.timeline", "/timeline"
#: The message keys of the axes.
_CLOCKS = {Axis.FORCE: "timeline.force", Axis.EFFICACY: "timeline.efficacy"}
#: The minimum number of rectangles or events for which a table has parts, and the number of rows of a part.
_MANY, _ROWS_OF_PART = 61, 20
_SIGNATURE = EventKind.ASSINATURA
#: The event of a start of force that was moved before it came.
_POSTPONEMENT = EventKind.PRORROGACAO_VACATIO


@dataclass(frozen=True, slots=True)
class _Row:
    """A period in the picture and in the table.

    Attributes:
        box: its rectangle, with its number.
        description: the text in force in few words, or that there is none.
        address: the address of the text on the period's first day; None where no text is in force.
        ahead: whether its days of knowledge are in the future. Its text is then not requested by day of knowledge.
        contested: whether the sources disagree about its days.
        by_act: whether its first day is only that of the act that ended the text.
        open_start, open_end: whether its status may extend beyond that day, because the status there is unknown.
        mark: the address to which its rectangle leads: that of the text, else that of the row.
    """

    box: Box
    description: str
    address: str | None
    ahead: bool
    contested: bool
    by_act: bool
    open_start: bool
    open_end: bool
    mark: str

    @property
    def period(self) -> Period:
        """Return the period."""
        return self.box.period

    @property
    def classes(self) -> str:
        """Return the style of the rectangle. One in force has no class for its status."""
        status = self.period.status
        looks = {
            str(status): not status.stands,
            "even": self.box.even,
            "now": self.box.now,
            "contested": self.contested,
        }
        return " ".join(css_class for css_class, so in looks.items() if so)

    @property
    def last(self) -> date | None:
        """Return the last day of force; None for an open period."""
        return _day_before(self.period.valid_until)

    @property
    def last_known(self) -> date | None:
        """Return the last day of knowledge; None if the period is still known."""
        return _day_before(self.period.known_until)


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
    writer, name = asked.writer, parse(answer.name)
    published = published_on(asked.store, name.work)
    periods = split_at_publication([period for period in answer.periods if period.axis is asked.axis], published)
    events = _events(asked, answer, inner)
    most = max(len(periods), len(events))
    parts = -(-most // _ROWS_OF_PART) if most >= _MANY else 1
    require_part(asked.part, parts)
    shown = asked.shown if parts > 1 else slice(None)
    drawn = picture(periods, asked.now) if periods else None
    rows = (
        [_row(asked, answer.name, box, periods, whole=parts == 1) for box in drawn.boxes] if drawn is not None else []
    )
    own = {part.name for part in inner if any(period.axis is asked.axis for period in part.periods)}
    return render(
        "timeline.html",
        writer.frame,
        label=writer.title(answer.name),
        name=answer.name,
        axis=asked.axis,
        clocks=_CLOCKS,
        path=PREFIX + name_path(answer.name),
        band=band_of(asked.store, name, asked.now, writer),
        most_listed=MOST_LISTED,
        drawn=drawn,
        acts=_acts(answer.events, drawn, writer) if drawn is not None else {},
        rows=rows,
        shown=rows[shown],
        inner=[(writer.within(parse(part.name)), PREFIX + name_path(part.name)) for part in inner if part.name in own],
        contested=any(asked.contested(period) for period in periods),
        ahead=any(period.known_from > asked.now for period in periods),
        statuses=[status for status in Status if any(period.status is status for period in periods)],
        shades=len({period.version for period in periods if period.status.stands}) > 1,
        dated=bool(answer.periods),
        events=[make() for make in events[shown]],
        spans=[(index * _ROWS_OF_PART + 1, min((index + 1) * _ROWS_OF_PART, most)) for index in range(parts)]
        if parts > 1
        else [],
        part=asked.part,
        notices=[*notice_sentences(answer.notices, writer)],
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


def _acts(events: Iterable[Reason], drawn: Picture, writer: PageWriter) -> dict[date, str]:
    """Return the acts that became known on the days of a picture, in words; else the events without an act."""
    acts: dict[date, dict[str, None]] = {day: {} for day, _ in drawn.known}
    for reason in sorted(events, key=lambda reason: reason.cause is None):
        known = day_stated(reason.known)
        of_day = acts.get(known.exact) if known is not None and known.exact is not None else None
        if of_day is not None and (reason.cause is not None or not of_day):
            act = parse_or_none(reason.cause) if reason.cause is not None else None
            if act is not None:
                of_day[writer.heading(act.work)] = None
            else:
                of_day[reason.cause or event_in_words(reason, writer).striptags()] = None
    return {day: _first_of(list(of_day), writer) for day, of_day in acts.items()}


def _first_of(acts: Sequence[str], writer: PageWriter) -> str:
    """Return the first act, and the number of the others: a row of the picture is as narrow as a telephone."""
    more = f" {writer.words('norm.more', n=len(acts) - 1)}" if len(acts) > 1 else ""
    return f"{acts[0]}{more}" if acts else ""


def _query(frame: Frame, part: int, current: int) -> str:
    """Return the query of another part of this page; empty for the current part."""
    return "?" + frame.here(part=part).partition("?")[2] if part != current else ""


def _day_before(day: date | None) -> date | None:
    return day - ONE_DAY if day is not None else None


def _row(asked: _PageData, name: str, box: Box, periods: Sequence[Period], *, whole: bool) -> _Row:
    address, writer, period = None, asked.writer, box.period
    ahead = period.known_from > asked.now
    if period.version is not None and not ahead:
        address = writer.frame.to(name_path(period.version), on=period.valid_from, as_known=period.known_from)
    is_ended = period.status in ENDED and not ahead
    by_act = is_ended and is_ended_by_act(in_force(asked.store, name, period.valid_from, period.known_from, asked.axis))
    part = "" if whole else _query(writer.frame, (box.number - 1) // _ROWS_OF_PART + 1, asked.part)
    mark = address if whole and address is not None else f"{part}#p{box.number}"
    is_known = period.status is not Status.UNKNOWN
    unknown = [other for other in periods if other.status is Status.UNKNOWN and _known_together(other, period)]
    return _Row(
        box,
        _text_in_force(writer, period),
        address,
        ahead,
        asked.contested(period),
        by_act,
        is_known and any(other.valid_until == period.valid_from for other in unknown),
        is_known and any(other.valid_from == period.valid_until for other in unknown),
        mark,
    )


def _known_together(one: Period, other: Period) -> bool:
    """Return whether two periods are both known on some day."""
    return max(one.known_from, other.known_from) < min(one.known_until or date.max, other.known_until or date.max)


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


def _events(asked: _PageData, answer: Timeline, inner: Sequence[Timeline]) -> list[Callable[[], _Event]]:
    """Return functions that make the events of a norm or provision and of its inner provisions.

    They are in the order of their days of knowledge. Events of several sources that may be the same change are one.
    """
    stated = [Effect(part.name, event) for part in (answer, *inner) for event in part.events]
    reported = [(event.reason, event.stated.name) for event in feed_events(asked.store, stated, asked.now)]
    reported.sort(key=lambda entry: (entry[0].known or "9999", entry[0].effect or "9999"))
    return [partial(_event, asked, reason, name if name != answer.name else None) for reason, name in reported]


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
    known = day_stated(stated)
    return writer.words.time(known.exact) if known is not None and known.exact is not None else writer.when(stated)
