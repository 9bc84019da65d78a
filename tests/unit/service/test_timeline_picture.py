"""Tests of the timeline picture: each period has one rectangle at its days, and rectangles do not overlap."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.time.kinds import Axis, Status
from queries.answers import Period
from service.web.pages.timeline import TOP, Box, Scale, picture

TODAY = date(2026, 11, 21)
DAYS = st.dates(date(1800, 1, 1), date(2090, 12, 31))


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
    drawing = picture(periods, TODAY)
    assert [box.period for box in drawing.boxes] == periods
    assert [box.number for box in drawing.boxes] == list(range(1, len(periods) + 1))
    assert not any(_overlap(box, other) for box, other in combinations(drawing.boxes, 2))


@given(_random_periods())
def test_every_edge_is_at_its_date(periods: list[Period]) -> None:
    drawing, places = picture(periods, TODAY), dict(picture(periods, TODAY).known)
    days = sorted({day for box in drawing.boxes for day in (box.period.valid_from, box.period.valid_until) if day})
    force = Scale.over((*days, TODAY))
    for box in drawing.boxes:
        assert (box.x, box.y) == (force.at(box.period.valid_from), places[box.period.known_from])
        assert box.x + box.width == pytest.approx(force.at(box.period.valid_until), abs=0.151)
        until = box.period.known_until
        assert box.y + box.height == (places[until] if until is not None else drawing.height)
    assert drawing.today == force.at(TODAY)
    ordered = [force.at(day) for day in days]
    assert ordered == sorted(ordered)


@given(_random_periods())
def test_everything_is_inside_the_picture(periods: list[Period]) -> None:
    drawing = picture(periods, TODAY)
    for box in drawing.boxes:
        assert 0 <= box.x <= box.x + box.width <= 100.2
        assert TOP <= box.y < box.y + box.height <= drawing.height
    assert all(later - earlier >= 5 for (_, earlier), (_, later) in pairwise(drawing.years))
    assert all(later - earlier >= 12 for (_, earlier), (_, later) in pairwise(drawing.known))


@given(_random_periods())
def test_current_periods_are_marked(periods: list[Period]) -> None:
    current_periods = [box.period for box in picture(periods, TODAY).boxes if box.now]
    assert current_periods == [period for period in periods if period.holds(TODAY, TODAY)]


def test_adjacent_versions_have_different_colours() -> None:
    boxes = {box.period.version: box.even for box in picture(_staircase_periods(12), TODAY).boxes}
    assert all(boxes[f"v{n}"] != boxes[f"v{n + 1}"] for n in range(11))


def test_extreme_dates_are_drawn() -> None:
    drawing = picture([Period("v", Status.IN_FORCE, date.min, date.max, date.min, None, Axis.FORCE)], TODAY)
    assert drawing.years[-1][1] <= 100
    assert drawing.boxes[0].x == 0
    assert drawing.boxes[0].width == pytest.approx(96.154, abs=0.01)


@pytest.mark.parametrize(("versions", "height"), [(12, 500), (61, 1_000), (3_000, 50_000)])
def test_height_is_limited_for_many_versions(versions: int, height: int) -> None:
    drawing = picture(_staircase_periods(versions), date(2600, 1, 1))
    assert drawing.height < height
    assert len(drawing.boxes) == 2 * versions - 1
