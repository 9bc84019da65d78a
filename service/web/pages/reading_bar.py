"""The bar that stays in view above a text: what is read, of which day, and the way to the texts before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from markupsafe import Markup

from graph.urn import Name
from queries.answers import InForce
from queries.intervals import AnswerInterval
from service.web.http.name_paths import name_path
from service.web.names.parameters import Asked
from service.web.pages.sentences import Sentences

#: Most texts that the bar lists: the first, the last, and those nearest to the one that is shown.
_MOST = 9
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Stop:
    """One of the texts over time.

    Attributes:
        path: its address.
        label: which text it is, in words.
        year: of its first day of force.
        shown: whether the page shows it.
        skipped: whether others before it are left out.
    """

    path: str
    label: Markup
    year: int
    shown: bool
    skipped: bool


@dataclass(frozen=True, slots=True)
class ReadingBar:
    """What the bar says.

    Attributes:
        title: the norm or provision in words.
        reading: which text is read, in a sentence.
        status: how it stands on the day, in a word or two.
        current: the address of the text of today; None where the page shows it.
        compare: the address of the comparison with the text of today, or of the first text with this one where this is
            that of today; None where there is no other text.
        before, after: the texts beside the one that is shown.
        stops: the texts over time; none where there is only one.
    """

    title: str
    reading: Markup
    status: Markup
    current: str | None
    compare: str | None
    before: Stop | None
    after: Stop | None
    stops: Sequence[Stop]


@dataclass(frozen=True, slots=True)
class BarText:
    """The text that the bar speaks of.

    Attributes:
        target: the norm or provision, without version.
        title: in words.
        shown: the answer that the page shows.
        rows: the days of force with one text each, as known on K (:func:`queries.text.composition.same_over_force`).
        days: those that the page speaks of; links keep its day of knowledge and its clock.
        of_day: the day that a reader asked for; None where the page is that of today.
        other: whether the text of today is another.
        dated: whether anything dates the text.
        has_text: whether the page has words of that day, in force or in vacatio.
    """

    target: Name
    title: str
    shown: InForce
    rows: Sequence[AnswerInterval]
    days: Asked
    of_day: date | None
    other: bool
    dated: bool
    has_text: bool


def reading_bar(read: BarText, status: Markup, say: Sentences, *, base: str = "") -> ReadingBar:
    """Return the bar of the page of a norm or provision.

    Args:
        read: the text.
        status: how it stands on its day, in a word or two.
        say: the words of the page.
        base: what stands in front of names in the addresses of the texts.
    """
    path, on = base + name_path(read.target.canonical), read.shown.on
    texts = [row for row in read.rows if row.version is not None]
    at = next((i for i, row in enumerate(texts) if row.holds(on)), None) if read.dated else None
    stops = [_stop(path, row, read.days, say, shown=i == at) for i, row in enumerate(texts)]
    return ReadingBar(
        read.title,
        _reading(read, say),
        status,
        say.frame.to(path) if read.other else None,
        _compare(read, texts, at, say),
        _beside(stops, texts, at, on, -1) if read.dated else None,
        _beside(stops, texts, at, on, 1) if read.dated else None,
        _nearest(stops, at) if len(stops) > 1 else (),
    )


def _reading(read: BarText, say: Sentences) -> Markup:
    """Which text is read, in a sentence."""
    words = say.words
    if not read.dated:
        return words("norm.reading_undated")
    if not read.has_text:
        key = "norm.reading_none"
    elif read.of_day is None:
        key = "norm.reading_today"
    else:
        key = "norm.reading_day" if read.other else "norm.reading_same"
    reading = words(key, day=words.time(read.shown.on))
    if read.days.as_known is not None:
        reading += words("norm.reading_known", day=words.time(read.days.as_known))
    return reading


def _stop(path: str, row: AnswerInterval, days: Asked, say: Sentences, *, shown: bool) -> Stop:
    address = say.frame.to(path + Asked(row.start, days.as_known, days.axis).query())
    return Stop(address, say.interval(row.start, row.until), row.start.year, shown, skipped=False)


def _beside(stops: Sequence[Stop], texts: Sequence[AnswerInterval], at: int | None, on: date, step: int) -> Stop | None:
    """The text before or after the one that is shown; in a gap, before or after the day."""
    if at is None:
        after = next((i for i, row in enumerate(texts) if row.start > on), len(texts))
        found = after if step > 0 else after - 1
    else:
        found = at + step
    return stops[found] if 0 <= found < len(stops) else None


def _nearest(stops: Sequence[Stop], at: int | None) -> Sequence[Stop]:
    """The first and the last text, and those beside the one that is shown."""
    if len(stops) <= _MOST:
        return stops
    middle = at if at is not None else len(stops) - 1
    first = max(1, min(middle - (_MOST - 2) // 2, len(stops) - _MOST + 1))
    kept = [0, *range(first, first + _MOST - 2), len(stops) - 1]
    return [
        Stop(one.path, one.label, one.year, one.shown, skipped=place > 0 and index != kept[place - 1] + 1)
        for place, index in enumerate(kept)
        for one in (stops[index],)
    ]


def _compare(read: BarText, texts: Sequence[AnswerInterval], at: int | None, say: Sentences) -> str | None:
    """The comparison of the text with that of today; of the text of today, with the one before it."""
    path, on, known = f"/diff{name_path(read.target.canonical)}", read.shown.on, read.days.as_known
    if read.other:
        return say.frame.to(path, from_=on.isoformat(), to=say.today.isoformat(), as_known=known)
    if at is None or at == 0:
        return None
    before = max(texts[at].start - _ONE_DAY, texts[at - 1].start)
    return say.frame.to(path, from_=before.isoformat(), to=on.isoformat(), as_known=known)
