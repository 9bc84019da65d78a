"""The page of a timeline: the picture with both clocks, and the same in tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import cast
from urllib.parse import quote

from graph.entities import Axis
from graph.store import Store
from graph.today import today
from graph.urn import Name, parse
from graph.wording.labels import label
from ontology.events import event_iri
from queries.answers import Period, Reason, Status, Timeline
from queries.timeline import timeline
from service.web.name_paths import name_path
from service.web.pages.frame import Frame
from service.web.pages.labels import labelled
from service.web.pages.rendering import render
from service.web.pages.timeline_picture import picture
from service.web.pages.words import Words, words_in
from service.web.tasks.answer import Answer

__all__ = ["PREFIX", "show_timeline", "timeline_page", "timeline_path"]

#: Where timelines are.
PREFIX = "/timeline"


def timeline_path(name: str) -> str:
    """The address of the timeline of a norm or provision, by its canonical name."""
    return PREFIX + name_path(name)


@dataclass(frozen=True, slots=True)
class _Row:
    """A period as the page tells it.

    Attributes:
        number: from 1.
        period: itself.
        what: the text that applies, shortly; that there is none.
        told: all of it as one sentence.
        address: of the text as the answer of the period's first days; of its row where no text applies.
    """

    number: int
    period: Period
    what: str
    told: str
    address: str


@dataclass(frozen=True, slots=True)
class _Event:
    """An event as the page tells it, all of it in words, and the reason that it is."""

    what: str
    effect: str
    known: str
    cause: str | None
    reason: Reason


def show_timeline(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The page of a timeline, as a task: ``name``, ``axis`` and ``frame``, as plain values.

    Raises:
        BadName, UnknownName: as :func:`queries.timeline.timeline`.
    """
    found = timeline(store, str(arguments["name"]))
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    return Answer(timeline_page(frame, found, Axis(str(arguments["axis"])), today()), "text/html")


def timeline_page(frame: Frame, answer: Timeline, axis: Axis, now: date) -> bytes:
    """The page.

    Args:
        frame: what stands around it.
        answer: the timeline of a norm or provision.
        axis: the clock whose rectangles are drawn.
        now: the civil date taken for today.
    """
    words = words_in(frame.language)
    name = parse(answer.name)
    periods = [one for one in answer.periods if one.axis is axis]
    rows = [_row(words, frame, number, one) for number, one in enumerate(periods, start=1)]
    drawn = picture(periods, partial(_labels, words), partial(_short, words), now) if periods else None
    return render(
        "timeline.html",
        frame,
        label=_named(words, name),
        name=answer.name,
        axis=axis,
        axes=tuple(Axis),
        path=timeline_path(answer.name),
        drawn=drawn,
        rows=rows,
        statuses=[status for status in Status if any(one.status is status for one in periods)],
        dated=bool(answer.periods),
        events=[_event(words, one) for one in answer.events],
        notices=answer.notices,
        document=f"/api/v1/timeline?urn={quote(answer.name, safe='')}",
    )


def _named(words: Words, name: Name) -> str:
    return label(name, words.language.value.partition("-")[0])


def _row(words: Words, frame: Frame, number: int, period: Period) -> _Row:
    what = _what(words, period)
    force = _span(words, period.valid_from, period.valid_until, "timeline.no_end")
    known = _span(words, period.known_from, period.known_until, "timeline.still")
    status = words(f"status.{period.status}")
    told = words("timeline.tell", what=what, status=status, force=force, known=known)
    address = f"#p{number}"
    if period.version is not None:
        address = frame.to(name_path(period.version), on=period.valid_from, as_known=period.known_from)
    return _Row(number, period, what, str(told), address)


def _what(words: Words, period: Period) -> str:
    """Which text applies: that of a day, and by which event it reads so."""
    if period.version is None:
        return str(words("timeline.no_version"))
    name = parse(period.version)
    text = words("timeline.text_of", day=words.day(name.version_date or period.valid_from))
    made = _made(words, name)
    return f"{text} ({made})" if made else str(text)


def _made(words: Words, name: Name) -> str | None:
    if name.event is None:
        return None
    event = _event_words(words, name.event).lower()
    day = name.view_date
    return str(words("timeline.made_by", event=event, day=words.day(day))) if day is not None else event


def _event_words(words: Words, event: str) -> str:
    return labelled(event_iri(event), words.language) or event


def _span(words: Words, first: date, until: date | None, ending: str) -> str:
    if until is not None:
        return str(words("timeline.tell_until", first=words.day(first), until=words.day(until)))
    return str(words("timeline.tell_from", first=words.day(first), end=words(ending)))


def _labels(words: Words, period: Period) -> Iterator[str]:
    """What may be written in a rectangle, the best first."""
    if period.version is None:
        yield str(words(f"status.{period.status}"))
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


def _event(words: Words, reason: Reason) -> _Event:
    what = _event_words(words, reason.event) if reason.event is not None else str(words("timeline.not_said"))
    cause = _named(words, parse(reason.cause)) if reason.cause is not None else None
    return _Event(what, _when(words, reason.effect), _when(words, reason.known), cause, reason)


def _when(words: Words, said: str | None) -> str:
    """A day as a source knows it: exactly, by its year, or between two days."""
    if said is None:
        return str(words("timeline.not_said"))
    first, _, last = said.partition("/")
    if last:
        return str(words("timeline.between", first=_when(words, first), last=_when(words, last)))
    return words.day(date.fromisoformat(said)) if len(said) == len("2000-01-01") else said
