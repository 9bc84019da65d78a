"""Properties of intervals: each operation agrees with sets of days."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graph.time.intervals import Interval

FIRST = date(2001, 1, 1)
DAYS = [FIRST + timedelta(number) for number in range(12)]
days = st.sampled_from(DAYS)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    start = draw(days)
    end = draw(st.none() | st.sampled_from([day + timedelta(1) for day in DAYS if day >= start]))
    return Interval(start, end)


def covered(*parts: Interval | None) -> set[date]:
    """Return the days of intervals among the days of the test and the two days around them."""
    around = [FIRST - timedelta(1), *DAYS, DAYS[-1] + timedelta(1), date.max]
    return {day for day in around for part in parts if part is not None and part.holds(day)}


@given(intervals(), intervals())
def test_intersection_has_the_days_of_both(one: Interval, other: Interval) -> None:
    common = one.intersection(other)
    assert covered(common) == covered(one) & covered(other)
    assert one.overlaps(other) is (common is not None)
    assert other.intersection(one) == common


@given(intervals(), st.lists(days))
def test_parts_have_each_day_once_and_begin_on_the_given_days(interval: Interval, cuts: list[date]) -> None:
    parts = list(interval.split(cuts))
    assert covered(*parts) == covered(interval)
    assert all(before.until == after.start for before, after in pairwise(parts))
    assert {part.start for part in parts} == {interval.start, *(day for day in cuts if interval.holds(day))}


@given(intervals())
def test_interval_has_its_first_day_and_not_its_end(interval: Interval) -> None:
    assert interval.holds(interval.start)
    assert not interval.holds(interval.start - timedelta(1))
    assert interval.until is None or not interval.holds(interval.until)
