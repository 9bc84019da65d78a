"""Tests of windows of datestamps: the two halves cover exactly the window, on both sides of the middle."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.harvest.state import DAY, SECOND, Window

EARLIEST = datetime(2001, 1, 1, 10, tzinfo=UTC)
NOW = datetime(2026, 1, 1, 12, 30, tzinfo=UTC)
moments = st.integers(0, 780_000_000).map(lambda seconds: datetime(2001, 1, 2, tzinfo=UTC) + timedelta(seconds=seconds))


def holds(window: Window, stamped: str, unit: timedelta) -> bool:
    """Return whether a provider selects a datestamp: ``from`` and ``until`` are inclusive (OAI-PMH 2.0, 2.7.1)."""
    first, last = window.from_(unit), window.until(unit)
    return (first is None or first <= stamped) and (last is None or stamped <= last)


def stamped(when: datetime, unit: timedelta) -> str:
    text = Window(when).from_(unit)
    assert text is not None
    return text


@pytest.mark.parametrize("unit", [DAY, SECOND])
@given(start=st.none() | moments, length=st.none() | st.integers(0, 10**9), probe=moments)
def test_each_stamp_of_a_window_is_in_exactly_one_half(
    unit: timedelta, start: datetime | None, length: int | None, probe: datetime
) -> None:
    end = None if length is None else (start or EARLIEST) + timedelta(seconds=length)
    window = Window(start, end)
    halves = window.halves(unit, EARLIEST, NOW)
    if halves is None:
        assert start is None or end is None or stamped(start, unit) >= stamped(end, unit)
        return
    for when in (probe, start or EARLIEST, end or NOW, EARLIEST - timedelta(days=900), NOW + timedelta(days=2)):
        text = stamped(when, unit)
        assert sum(holds(half, text, unit) for half in halves) == holds(window, text, unit)


@pytest.mark.parametrize(("unit", "most"), [(DAY, 14), (SECOND, 30)])
def test_halving_reaches_one_unit_in_a_bounded_number_of_steps(unit: timedelta, most: int) -> None:
    window, steps = Window(), 0
    while (halves := window.halves(unit, EARLIEST, NOW)) is not None:
        window, steps = halves[steps % 2], steps + 1
    assert 0 < steps <= most


def test_window_of_one_unit_has_no_halves() -> None:
    day = datetime(2024, 2, 29, tzinfo=UTC)
    assert Window(day, day + DAY - SECOND).halves(DAY, EARLIEST, NOW) is None
    assert Window(day, day + DAY).halves(DAY, EARLIEST, NOW) is not None
    assert Window(day, day).halves(SECOND, EARLIEST, NOW) is None
    halves = Window(day, day + SECOND).halves(SECOND, EARLIEST, NOW)
    assert halves == (Window(day, day), Window(day + SECOND, day + SECOND))
