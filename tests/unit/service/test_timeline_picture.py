"""Tests of the timeline picture: each period has one rectangle, rectangles do not overlap, and labels fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.time.kinds import Axis, Status
from queries.answers import Period
from service.web.pages.timeline import INSET, LETTER, LINE, Box, Picture, picture, scale

TODAY = date(2026, 11, 21)
LONG, SHORT = "desde 01/01/2000", "2000"
DAYS = st.dates(date(1800, 1, 1), date(2090, 12, 31))


def _draw(periods: Sequence[Period], today: date = TODAY) -> Picture:
    return picture(periods, lambda _: (LONG, SHORT), date.isoformat, today)


def _staircase_periods(versions: int) -> list[Period]:
    """Return the periods of a norm with many amendments.

    Each version is known from its first day on, and ends the one before.
    """
    days = [date(1990, 1, 1) + timedelta(days=60 * n) for n in range(versions)]
    periods = []
    for n, day in enumerate(days):
        following = days[n + 1] if n + 1 < versions else None
        periods.append(Period(f"v{n}", Status.IN_FORCE, day, None, day, following, Axis.FORCE))
        if following is not None:
            periods.append(Period(f"v{n}", Status.IN_FORCE, day, following, following, None, Axis.FORCE))
    return sorted(periods, key=lambda period: (period.known_from, period.valid_from))


@st.composite
def _random_periods(draw: st.DrawFn) -> list[Period]:
    """Draw some of the rectangles into which repeated cuts divide the plane."""
    first, known = draw(DAYS), draw(st.dates(date(1800, 1, 1), TODAY))
    pieces: list[tuple[date, date | None, date, date | None]] = [(first, None, known, None)]
    for _ in range(draw(st.integers(0, 12))):
        index = draw(st.integers(0, len(pieces) - 1))
        start, end, since, until = pieces[index]
        if draw(st.booleans()):
            day = draw(DAYS)
            if start < day and (end is None or day < end):
                pieces[index : index + 1] = [(start, day, since, until), (day, end, since, until)]
        else:
            day = draw(st.dates(date(1800, 1, 1), TODAY))
            if since < day and (until is None or day < until):
                pieces[index : index + 1] = [(start, end, since, day), (start, end, day, until)]
    kept = draw(st.sets(st.integers(0, len(pieces) - 1), min_size=1))
    return [Period(f"v{n}", Status.IN_FORCE, *pieces[n], Axis.FORCE) for n in sorted(kept)]


def _overlap(box: Box, other: Box) -> bool:
    """Return whether two boxes overlap by more than an edge."""
    across = min(box.x + box.width, other.x + other.width) - max(box.x, other.x)
    down = min(box.y + box.height, other.y + other.height) - max(box.y, other.y)
    return across > 1e-6 and down > 1e-6


@given(_random_periods())
def test_every_period_is_drawn_once_without_overlap(periods: list[Period]) -> None:
    drawing = _draw(periods)
    assert [box.period for box in drawing.boxes] == periods
    assert [box.number for box in drawing.boxes] == list(range(1, len(periods) + 1))
    assert not any(_overlap(box, other) for box, other in combinations(drawing.boxes, 2))


@given(_random_periods())
def test_every_edge_is_at_its_date(periods: list[Period]) -> None:
    drawing = _draw(periods)
    across = {(box.x, box.period.valid_from) for box in drawing.boxes}
    across |= {(box.x + box.width, box.period.valid_until or date.max) for box in drawing.boxes}
    down = {(box.y, box.period.known_from) for box in drawing.boxes}
    down |= {(box.y + box.height, box.period.known_until or date.max) for box in drawing.boxes}
    across.add((drawing.today, TODAY))
    for edges in (across, down):
        days = sorted({day for _, day in edges})
        places = [sorted(coordinate for coordinate, day in edges if day == of) for of in days]
        assert all(coordinates[-1] - coordinates[0] < 1e-6 for coordinates in places)
        assert all(later[0] - earlier[-1] > 2 for earlier, later in pairwise(places))


@given(_random_periods())
def test_everything_is_inside_the_picture(periods: list[Period]) -> None:
    drawing = _draw(periods)
    assert 0 < drawing.left < drawing.right < drawing.width
    assert 0 < drawing.top < drawing.bottom < drawing.height
    for box in drawing.boxes:
        assert drawing.left <= box.x < box.x + box.width <= drawing.right + 1e-6
        assert drawing.top <= box.y < box.y + box.height <= drawing.bottom + 1e-6
        assert len(box.label) * LETTER + 2 * INSET <= box.width or not box.label
        assert box.height >= LINE or not box.label
    assert all(drawing.left <= tick.at <= drawing.right for tick in drawing.force)
    assert all(drawing.top <= tick.at <= drawing.bottom for tick in drawing.knowledge)
    assert all(later.at - earlier.at >= 4 * LETTER for earlier, later in pairwise(drawing.force))
    assert all(later.at - earlier.at >= LINE for earlier, later in pairwise(drawing.knowledge))
    assert drawing.force, "a scale without a year says nothing"


@given(_random_periods())
def test_current_periods_are_marked(periods: list[Period]) -> None:
    current_periods = [box.period for box in _draw(periods).boxes if box.now]
    assert current_periods == [period for period in periods if period.holds(TODAY, TODAY)]


@pytest.mark.parametrize("versions", [2, 3, 12, 60, 200])
def test_every_version_has_a_readable_box(versions: int) -> None:
    periods = _staircase_periods(versions)
    drawing = _draw(periods)
    first: dict[str | None, Box] = {}
    for box in drawing.boxes:
        first.setdefault(box.period.version, box)
    assert len(first) == versions
    assert all(box.label for box in first.values()), "the day of each version stands where it was first known"
    assert len(drawing.knowledge) == versions + 1, "every day of knowledge is listed, and today"
    assert drawing.width <= 1250, "it goes into a window of a desk"
    assert versions > 8 or drawing.width <= 358, "it goes into a telephone"
    assert drawing.height <= 400 + 20 * versions


def test_adjacent_versions_have_different_shades() -> None:
    boxes = {box.period.version: box.shade for box in _draw(_staircase_periods(12)).boxes}
    assert all(boxes[f"v{n}"] != boxes[f"v{n + 1}"] for n in range(11))


def test_extreme_dates_are_drawn() -> None:
    drawing = _draw([Period("v", Status.IN_FORCE, date.min, date.max, date.min, None, Axis.FORCE)])
    assert drawing.force[-1].at <= drawing.right
    assert drawing.width < 400


def test_height_is_limited_for_thousands_of_versions() -> None:
    drawing = _draw(_staircase_periods(3000), date(2600, 1, 1))
    assert drawing.height < 16_000
    assert len(drawing.boxes) == 5999


@given(st.sets(DAYS, min_size=2, max_size=60), st.floats(0, 20))
def test_scale_is_linear_except_in_widened_intervals(days: Iterable[date], least: float) -> None:
    made = scale(days, 10, 300, least)
    spaces = [
        ((later - earlier).days, end - start, any(first <= start and end <= last for first, last in made.widened))
        for (earlier, later), (start, end) in zip(pairwise(made.days), pairwise(made.places), strict=True)
    ]
    least = min(least, 300 / len(spaces))
    assert all(width >= least - 1e-6 for _, width, _ in spaces)
    linear = [(days_, width) for days_, width, widened in spaces if not widened]
    rate = next((width / longest for longest, width in sorted(linear, reverse=True)), 0.0)
    assert all(abs(width - days_ * rate) < 1 for days_, width in linear)
    assert all(abs(width - least) < 1e-6 for _, width, widened in spaces if widened)


def test_short_interval_is_widened_with_a_zigzag() -> None:
    days = [date(1990, 9, 11), date(1990, 9, 12), date(2026, 11, 21)]
    assert scale(days, 0, 880, 14).widened == ((0, 14),)
    assert scale([days[0], date(2008, 1, 1), days[-1]], 0, 880, 14).widened == ()
    periods = [
        Period("a", Status.IN_FORCE, days[0], days[1], days[0], None, Axis.FORCE),
        Period("b", Status.IN_FORCE, days[1], None, days[0], None, Axis.FORCE),
    ]
    assert _draw(periods).zigzags.startswith("M84 40l")
    assert _draw(periods[1:]).zigzags == ""
