"""The picture of a timeline: where its rectangles, labels and ticks stand, with both clocks, in pixels.

Days of force go to the right, days of knowledge down. What nobody ended runs to the right edge, what is still so to the
lower edge, both beyond the last day that is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from queries.answers import Period
from service.web.pages.timeline_scale import Scale, scale

__all__ = ["INSET", "LETTER", "LINE", "Box", "Picture", "Tick", "picture"]

#: Width and height of a letter of the labels, at most, and their distance from an edge.
LETTER, LINE, INSET = 6.9, 12.0, 4.0
#: Room at the left for days of knowledge, at the right for what has no end, above for days of force.
_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 84.0, 40.0, 8.0
#: The plot between these: at least and, but for many columns, at most; what a column should have and must have.
_NARROW, _WIDE, _COLUMN, _LEAST_COLUMN = 184.0, 880.0, 14.0, 4.5
#: The rows: what each may have, must have, and has at least where there are so many that the picture would be endless.
_ROW, _LEAST_ROW, _ROWS, _ENDLESS = 30.0, 15.0, 420.0, 12_000.0


#: How far the years of the scale stand apart; and which years are marked first.
_APART = 5 * LETTER
_ROUND = (100, 50, 10, 5, 1)


@dataclass(frozen=True, slots=True)
class Tick:
    """A label at a scale: what it says, where it stands."""

    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the picture.

    Attributes:
        number: of the period that it draws, from 1.
        period: what it draws.
        shade: 0 or 1, by turns for neighbours along the days of force.
        now: whether it is what is so today.
        x, y, width, height: where it stands.
        label: what is written in it, perhaps nothing for want of room.
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
        """Where the label stands, as attributes of SVG."""
        return Markup(f'x="{_brief(self.x + INSET)}" y="{_brief(self.y + LINE - 1)}"')  # noqa: S704 - numbers

    @property
    def outline(self) -> str:
        """The rectangle as a path of SVG, the shortest way to write it."""
        return f"M{_brief(self.x)} {_brief(self.y)}h{_brief(self.width)}v{_brief(self.height)}H{_brief(self.x)}z"


def _brief(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, in pixels.

    Attributes:
        width, height: of all.
        boxes: in the order of the periods.
        force, knowledge: labels of the two scales.
        left, top, right, bottom: edges of the plot.
        today: where today stands among the days of force.
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


def picture(
    periods: Sequence[Period],
    labels: Callable[[Period], Iterable[str]],
    in_words: Callable[[date], str],
    today: date,
) -> Picture:
    """The picture of the rectangles of one norm on one clock.

    Args:
        periods: rectangles, none over another; at least one.
        labels: what may be written in one, the best first: the first that has room is.
        in_words: a civil date as a label of at most 12 letters.
        today: the civil date taken for today.
    """
    force = _columns({today, *_edges((one.valid_from, one.valid_until) for one in periods)})
    known = _rows({today, *_edges((one.known_from, one.known_until) for one in periods)})
    right, bottom = force.places[-1] + _RIGHT, known.places[-1] + _height(len(known.days))
    shades = {start: n % 2 for n, start in enumerate(sorted({one.valid_from for one in periods}))}
    boxes = []
    for number, period in enumerate(periods, start=1):
        x, y = force.at(period.valid_from), known.at(period.known_from)
        width = (force.at(period.valid_until) if period.valid_until is not None else right) - x
        height = (known.at(period.known_until) if period.known_until is not None else bottom) - y
        label = next((text for text in labels(period) if _fits(text, width, height)), "")
        shade, now = shades[period.valid_from], period.holds(today, today)
        boxes.append(Box(number, period, shade, now, x, y, width, height, label))
    return Picture(
        right + 1,
        bottom + _BOTTOM,
        tuple(boxes),
        tuple(_years(force)),
        tuple(_spaced((Tick(in_words(day), at) for day, at in zip(known.days, known.places, strict=True)), LINE)),
        force.places[0],
        known.places[0],
        right,
        bottom,
        force.at(today),
    )


def _edges(pairs: Iterable[tuple[date, date | None]]) -> set[date]:
    return {day for pair in pairs for day in pair if day is not None}


def _columns(days: set[date]) -> Scale:
    width = max(_NARROW, min(_WIDE, _COLUMN * len(days)), _LEAST_COLUMN * len(days))
    return scale(days, _LEFT, width, _even(len(days)))


def _rows(days: set[date]) -> Scale:
    return scale(days, _TOP, _height(len(days)) * (len(days) - 1) * 1.25, 0.8)


def _height(rows: int) -> float:
    """What one row has at least."""
    return min(max(_LEAST_ROW, min(_ROW, _ROWS / rows)), _ENDLESS / rows)


def _even(stops: int) -> float:
    """The more stops there are, the less is by time."""
    return min(0.85, 0.25 + stops / 80)


def _fits(text: str, width: float, height: float) -> bool:
    return len(text) * LETTER + 2 * INSET <= width and height >= LINE + 2


def _years(force: Scale) -> list[Tick]:
    """The years of the first and the last stop, where they stand; between them the first days of years for which there
    is room, round ones first."""
    first, last = force.days[0], force.days[-1]
    found = [Tick(str(first.year), force.places[0])]
    if last != first and force.places[-1] - force.places[0] >= _APART:
        found.append(Tick(str(last.year), force.places[-1]))
    for step in _ROUND:
        for year in range(-(-(first.year + 1) // step) * step, last.year + 1, step):
            at = force.at(date(year, 1, 1))
            if all(abs(at - one.at) >= _APART for one in found):
                found.append(Tick(str(year), at))
    return sorted(found, key=lambda one: one.at)


def _spaced(ticks: Iterable[Tick], least: float) -> Iterable[Tick]:
    """Those that leave room for one another, from the first on."""
    last = float("-inf")
    for tick in ticks:
        if tick.at - last >= least:
            last = tick.at
            yield tick
