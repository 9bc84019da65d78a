"""The page of a timeline: the picture with both clocks, and the same in tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import cast
from urllib.parse import quote

from markupsafe import Markup

from graph.entities import Axis
from graph.store import Store
from graph.today import today
from graph.urn import parse
from ontology.iris import ID
from queries.answers import Period, Reason, Status, Timeline
from queries.evidence import records
from queries.timeline import timeline
from queries.vocabulary import vocabulary
from service.web.name_paths import name_path
from service.web.pages.frame import Frame
from service.web.pages.rendering import render
from service.web.pages.sentences import Sentences
from service.web.pages.timeline_picture import picture
from service.web.pages.words import Words, words_in
from service.web.tasks.answer import Answer

__all__ = ["KIND", "PREFIX", "show_timeline", "timeline_page"]

#: The kind of task that makes the page, and where timelines are.
KIND, PREFIX = "page.timeline", "/timeline"
#: What the clocks are called.
_CLOCKS = {Axis.FORCE: "timeline.force", Axis.EFFICACY: "timeline.efficacy"}
_ONE_DAY = timedelta(days=1)


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

    @property
    def last(self) -> date | None:
        """The last day of force."""
        return _before(self.period.valid_until)

    @property
    def last_known(self) -> date | None:
        """The last day on which one knew it so."""
        return _before(self.period.known_until)


@dataclass(frozen=True, slots=True)
class _Event:
    """An event as the page tells it, the reason that it is, and the IRI of the record that states it, if it has one."""

    what: str
    effect: Markup
    known: Markup
    cause: Markup | None
    reason: Reason
    record: str | None


def show_timeline(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The page of a timeline, as a task: ``name``, ``axis`` and ``frame``, as plain values.

    Raises:
        BadName, UnknownName: as :func:`queries.timeline.timeline`.
    """
    found = timeline(store, str(arguments["name"]))
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    say = Sentences(
        frame,
        vocabulary(store),
        lambda name: bool(records(store, name.iri) or records(store, name.work.iri)),
    )
    return Answer(timeline_page(say, found, Axis(str(arguments["axis"])), today()), "text/html")


def timeline_page(say: Sentences, answer: Timeline, axis: Axis, now: date) -> bytes:
    """The page.

    Args:
        say: the words of the page, and the frame around it.
        answer: the timeline of a norm or provision.
        axis: the clock whose rectangles are drawn.
        now: the civil date taken for today.
    """
    words = words_in(say.frame.language)
    periods = [one for one in answer.periods if one.axis is axis]
    rows = [_row(say, number, one) for number, one in enumerate(periods, start=1)]
    drawn = picture(periods, partial(_labels, words), partial(_short, words), now) if periods else None
    named = say.label(answer.name)
    return render(
        "timeline.html",
        say.frame,
        label=named[:1].upper() + named[1:],
        name=answer.name,
        axis=axis,
        clocks=_CLOCKS,
        path=PREFIX + name_path(answer.name),
        drawn=drawn,
        rows=rows,
        statuses=[status for status in Status if any(one.status is status for one in periods)],
        dated=bool(answer.periods),
        events=[_event(say, one) for one in answer.events],
        notices=say.notices(answer.notices),
        document=f"/api/v1/timeline?urn={quote(answer.name, safe='')}",
    )


def _before(day: date | None) -> date | None:
    return day - _ONE_DAY if day is not None else None


def _row(say: Sentences, number: int, period: Period) -> _Row:
    words = say.words
    what = _what(say, period)
    force = _span(words, period.valid_from, period.valid_until, "timeline.no_end")
    known = _span(words, period.known_from, period.known_until, "timeline.still")
    status = words(f"status.{period.status}")
    told = words("timeline.tell", what=what, status=status, force=force, known=known)
    address = f"#p{number}"
    if period.version is not None:
        address = say.frame.to(name_path(period.version), on=period.valid_from, as_known=period.known_from)
    return _Row(number, period, what, str(told), address)


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
    made = words("timeline.made_by", event=event, day=words.day(seen)) if seen is not None else event
    return f"{text} ({made})"


def _span(words: Words, first: date, until: date | None, ending: str) -> str:
    last = _before(until)
    if last is None:
        return str(words("timeline.tell_from", first=words.day(first), end=words(ending)))
    return str(words("timeline.tell_until", first=words.day(first), last=words.day(last)))


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


def _event(say: Sentences, reason: Reason) -> _Event:
    cause = say.link(reason.cause) if reason.cause is not None else None
    record = reason.source if reason.source is not None and reason.source.startswith(ID) else None
    return _Event(say.event(reason.event), say.when(reason.effect), say.when(reason.known), cause, reason, record)
