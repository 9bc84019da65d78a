"""The page of a timeline: the picture with both clocks, and the same in tables.

A provision that holds others that changed by themselves has a picture of each of them below its own. Of many rectangles
the picture has all and the table a part at a time: then a rectangle leads to its row, and the row to the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import cast
from urllib.parse import quote

from markupsafe import Markup

from graph.entities import Axis
from graph.errors import BadParameter, UnknownName
from graph.store import Store
from graph.today import today
from graph.urn import parse
from ontology.iris import ID
from queries.answers import Period, Reason, Status, Timeline
from queries.evidence import records
from queries.partial import PARTIAL
from queries.timeline import timeline
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.pages.contradicted import Dispute, disputes
from service.web.pages.frame import Frame
from service.web.pages.history import living_within
from service.web.pages.inferred import inferred
from service.web.pages.only_told import refused
from service.web.pages.rendering import render
from service.web.pages.sentences import Sentences
from service.web.pages.surroundings import Record, records_of
from service.web.pages.timeline_picture import Box, Picture, picture
from service.web.pages.words import Words, words_in
from service.web.tasks.answer import Answer

__all__ = ["KIND", "PREFIX", "show_timeline", "timeline_page"]

#: The kind of task that makes the page, and where timelines are.
KIND, PREFIX = "page.timeline", "/timeline"
#: What the clocks are called.
_CLOCKS = {Axis.FORCE: "timeline.force", Axis.EFFICACY: "timeline.efficacy"}
_ONE_DAY = timedelta(days=1)
#: From so many rectangles or events on the tables come in parts, of so many rows.
_MANY, _ROWS = 61, 25
#: Most pictures of what a provision holds.
_INNER = 8


@dataclass(frozen=True, slots=True)
class _Row:
    """A period as the table tells it.

    Attributes:
        number: from 1.
        period: itself.
        what: the text that applies, shortly; that there is none.
        address: of the text as the answer of the period's first days; None where no text applies.
        now: whether it is what is so today.
        ahead: whether nobody can know it yet: then no text is asked for as known on its days.
        contested: whether sources differ on days of it.
    """

    number: int
    period: Period
    what: str
    address: str | None
    now: bool
    ahead: bool
    contested: bool

    @property
    def last(self) -> date | None:
        """The last day of force."""
        return _before(self.period.valid_until)

    @property
    def last_known(self) -> date | None:
        """The last day on which one knew it so."""
        return _before(self.period.known_until)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A rectangle of the picture as a link: where it leads, what it is called, how it looks.

    One that is in force looks as all do of which nothing else is said: of many, that is every one. Of many, the label
    is what it is called.
    """

    address: str
    told: str
    classes: str
    box: Box


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A picture with its table.

    Attributes:
        key: what the identifiers of its elements begin with.
        name: whose it is; label: the same in words; path:
            the address of its own timeline, where it is one of a part.
        drawn: the picture; marks: its rectangles, in its order.
        rows: of the table, those of one part where there are many.
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
        """Whether the table has them in parts."""
        return len(self.marks) >= _MANY


@dataclass(frozen=True, slots=True)
class _Event:
    """An event as the page tells it, the reason that it is, and the record that states it, if it has one."""

    what: str | Markup
    effect: Markup
    known: Markup
    cause: Markup | None
    reason: Reason
    record: Record | None


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a page is made of: words, records, the clock, the part of the tables, today, and where sources differ."""

    say: Sentences
    store: Store
    axis: Axis
    part: int
    now: date
    disputes: tuple[Dispute, ...] = ()

    def contested(self, period: Period) -> bool:
        """Whether sources differ on days of a rectangle."""
        return any(one.touches(period) for one in self.disputes)

    @property
    def shown(self) -> slice:
        """The rows of a table that belong to the part."""
        return slice((self.part - 1) * _ROWS, self.part * _ROWS)


def show_timeline(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The page of a timeline, as a task: ``name``, ``axis``, ``part`` and ``frame``, as plain values.

    Raises:
        BadName, UnknownName: as :func:`queries.timeline.timeline`.
        BadParameter: there is no such part.
        Problem: 404 where no source describes the name, and something is told of it all the same.
    """
    try:
        found = timeline(store, str(arguments["name"]))
    except UnknownName as unknown:
        raise refused(store, unknown.name) or unknown from None
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    say = Sentences(
        frame,
        vocabulary(store),
        lambda name: bool(records(store, name.iri) or records(store, name.work.iri)),
        inferred(store),
    )
    name = parse(found.name)
    inner = living_within(store, name) if name != name.work else []
    notices = found.notices if name == name.work else (*found.notices, *timeline(store, name.work).notices)
    axis, part = Axis(str(arguments["axis"])), cast("int", arguments["part"])
    asked = _Asked(say, store, axis, part, today(), tuple(disputes(notices)))
    return Answer(timeline_page(asked, found, [timeline(store, one) for one in inner]), "text/html")


def timeline_page(asked: _Asked, answer: Timeline, inner: Sequence[Timeline]) -> bytes:
    """The page.

    Args:
        asked: its words, clock and part.
        answer: the timeline of a norm or provision.
        inner: those of what the provision holds that has a life of its own.

    Raises:
        BadParameter: there is no such part.
    """
    say, words = asked.say, words_in(asked.say.frame.language)
    periods = [one for one in answer.periods if one.axis is asked.axis]
    events = _events(asked, answer, inner)
    most = max(len(periods), len(events))
    parts = -(-most // _ROWS) if most >= _MANY else 1
    if asked.part > parts:
        raise BadParameter(f"expected part from 1 to {parts}, got {asked.part}")
    drawings = [_drawing(asked, answer.name, periods, "")] if periods else []
    living = {one.name: [each for each in one.periods if each.axis is asked.axis] for one in inner}
    living = {name: told for name, told in living.items() if told}
    drawings += [
        _drawing(asked, name, told, f"i{at}-") for at, (name, told) in enumerate(list(living.items())[:_INNER])
    ]
    drawn = [period for told in (periods, *living.values()) for period in told]
    return render(
        "timeline.html",
        say.frame,
        label=say.title(answer.name),
        name=answer.name,
        axis=asked.axis,
        clocks=_CLOCKS,
        path=PREFIX + name_path(answer.name),
        drawings=drawings,
        own=bool(periods),
        inner=[(say.title(name), PREFIX + name_path(name)) for name in living],
        contested=any(asked.contested(one) for one in drawn),
        ahead=any(one.known_from > asked.now for one in drawn),
        statuses=[status for status in Status if any(one.status is status for one in drawn)],
        shades=any(one.status is Status.IN_FORCE and one.version != drawn[0].version for one in drawn),
        dated=bool(answer.periods),
        events=[make() for make in (events[asked.shown] if parts > 1 else events)],
        spans=[(at * _ROWS + 1, min((at + 1) * _ROWS, most)) for at in range(parts)] if parts > 1 else [],
        part=asked.part,
        number=words.number,
        most=most,
        notices=say.notices(answer.notices),
        say=say,
        document=f"/api/v1/timeline?urn={quote(answer.name, safe='')}",
    )


def _drawing(asked: _Asked, name: str, periods: Sequence[Period], key: str) -> _Drawing:
    """A picture and its table; of the norm itself, whose key is empty, the table may have parts."""
    say, words = asked.say, asked.say.words
    drawn = picture(periods, partial(_labels, say, name), partial(_short, words), asked.now)
    many = len(periods) >= _MANY
    rows = [
        _row(asked, box.number, box.period, now=box.now) for box in (drawn.boxes[asked.shown] if many else drawn.boxes)
    ]
    addresses = {row.number: row.address for row in rows}
    marks = []
    for box in drawn.boxes:
        address = f"#{key}p{box.number}"
        told = words("timeline.mark", n=box.number, day=_short(words, box.period.valid_from))
        if many and key == "":
            address = _query(say.frame, (box.number - 1) // _ROWS + 1, asked.part) + address
        elif not many:
            address = addresses[box.number] or address
            told = _told(asked, name, rows[box.number - 1])
        status = box.period.status
        looks = {str(status): status is not Status.IN_FORCE, "even": bool(box.shade), "now": box.now}
        looks["contested"] = asked.contested(box.period)
        classes = [one for one, so in looks.items() if so]
        marks.append(_Mark(address, str(told), " ".join(classes), box))
    return _Drawing(key, name, say.title(name), PREFIX + name_path(name), drawn, marks, rows)


def _query(frame: Frame, part: int, current: int) -> str:
    """What leads from this page to another part of it: the rest of the address is the same."""
    return "?" + frame.here(part=part).partition("?")[2] if part != current else ""


def _before(day: date | None) -> date | None:
    return day - _ONE_DAY if day is not None else None


def _row(asked: _Asked, number: int, period: Period, *, now: bool) -> _Row:
    address, say = None, asked.say
    ahead = period.known_from > asked.now
    if period.version is not None and not ahead:
        address = say.frame.to(name_path(period.version), on=period.valid_from, as_known=period.known_from)
    return _Row(number, period, _what(say, period), address, now, ahead, asked.contested(period))


def _told(asked: _Asked, name: str, row: _Row) -> Markup:
    """All of a rectangle of a norm or provision in one sentence."""
    words, period = asked.say.words, row.period
    force = _span(words, period.valid_from, period.valid_until, "timeline.no_end")
    known = _span(words, period.known_from, period.known_until, "timeline.no_end" if row.ahead else "timeline.still")
    key = "timeline.tell_efficacy" if period.axis is Axis.EFFICACY else "timeline.tell"
    status = asked.say.agreed(f"status.{period.status}", name)
    if row.contested:
        status = words("status.contested", status=status)
    return words(key, what=row.what, status=status, force=force, known=known)


def _what(say: Sentences, period: Period) -> str:
    """Which text applies: that of a day, and by which event it reads so."""
    words = say.words
    if period.version is None:
        return str(words("timeline.no_version"))
    name = parse(period.version)
    text = words("timeline.text_of", day=words.day(name.version_date or period.valid_from))
    if name.event is None:
        return str(text)
    event, seen = say.event(name.event).lower(), name.view_date
    key = "timeline.made_in_part" if name.event in PARTIAL and name == name.individual else "timeline.made_by"
    made = words(key, event=event, day=words.day(seen)) if seen is not None else event
    return f"{text} ({made})"


def _span(words: Words, first: date, until: date | None, ending: str) -> str:
    last = _before(until)
    if last is None:
        return str(words("timeline.tell_from", first=words.day(first), end=words(ending)))
    return str(words("timeline.tell_until", first=words.day(first), last=words.day(last)))


def _labels(say: Sentences, name: str, period: Period) -> Iterator[str]:
    """What may be written in a rectangle, the best first."""
    words = say.words
    if period.version is None:
        yield str(say.agreed(f"status.{period.status}", name))
        return
    yield str(words("timeline.in_force_since", day=_short(words, period.valid_from)))
    yield _short(words, period.valid_from)
    yield str(period.valid_from.year)


def _short(words: Words, day: date) -> str:
    """A day in at most twelve letters.

    >>> from service.web.pages.language import Language
    >>> _short(words_in(Language.ENGLISH), date(1990, 9, 11)), _short(words_in(Language.PORTUGUESE), date(1990, 9, 11))
    ('11 Sep 1990', '11/09/1990')
    """
    parts = words.day(day).split(" ")
    return " ".join(part[:3] if part.isalpha() else part for part in parts)


def _events(asked: _Asked, answer: Timeline, inner: Sequence[Timeline]) -> list[Callable[[], _Event]]:
    """What happened to a norm or provision, and to what it holds, in the order in which it could be known."""
    told: list[tuple[Reason, str | None]] = [(one, None) for one in answer.events]
    told += [(one, part.name) for part in inner for one in part.events]
    told.sort(key=lambda each: (each[0].known or "9999", each[0].effect or "9999"))
    return [partial(_event, asked, reason, of) for reason, of in told]


def _event(asked: _Asked, reason: Reason, of: str | None) -> _Event:
    say = asked.say
    what: Markup | str = say.happened(reason)
    if of is not None:
        what = say.words("timeline.event_of", event=what, name=say.label(of))
    cause = say.cause(reason) if reason.cause is not None else None
    record = None
    if reason.source is not None and reason.source.startswith(ID):
        record = records_of(asked.store, [reason.source])[reason.source]
    return _Event(what, say.when(reason.effect), say.when(reason.known), cause, reason, record)
