"""Tests of the latest possible day of a provisional measure: the recess of Congress, and the count of days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from graph.time.measure_terms import is_recess, latest_day


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ((2001, 12, 16), (2002, 2, 14)),
        ((2005, 7, 1), (2005, 7, 31)),
        ((2005, 12, 16), (2006, 2, 14)),
        ((2006, 7, 18), (2006, 7, 31)),
        ((2006, 12, 23), (2007, 2, 1)),
        ((2018, 12, 23), (2019, 2, 1)),
    ],
)
def test_recess_on_both_sides_of_its_boundaries(first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    begin, end, one = date(*first), date(*last), timedelta(days=1)
    days = (begin - one, begin, end, end + one)
    assert [is_recess(day) for day in days] == [False, True, True, False]


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        ("2001-09-12", "2002-04-11"),  # 94 days to 15 December, recess of 61 days, 26 days
        ("2018-08-24", "2019-01-21"),  # 120 days end on 22 December: the last day before the recess
        ("2018-08-25", "2019-03-04"),  # the last of the 120 days is the first one after the recess
        ("2018-12-22", "2019-07-01"),  # the day before the recess
        ("2018-12-23", "2019-07-02"),  # within the recess the days do not begin to count
        ("2019-01-01", "2019-07-02"),  # MPV 870
        ("2019-02-01", "2019-07-02"),
        ("2019-02-02", "2019-07-02"),  # the first day after the recess
        ("2019-02-03", "2019-07-03"),
        ("2019-03-19", "2019-08-16"),  # 120 days end on 17 July
        ("2019-03-20", "2019-08-31"),  # recess of 14 days in July
        ("2005-03-02", "2005-07-30"),  # 120 days end on 30 June, before the recess of all of July
        ("2005-03-03", "2005-08-31"),
    ],
)
def test_latest_day(published: str, expected: str) -> None:
    assert str(latest_day(date.fromisoformat(published))) == expected


def test_latest_day_is_the_publication_with_the_term_the_recess_and_the_sanction() -> None:
    """Compare each day of publication with the sum that the rule states."""
    for number in range(9_000):
        published = date(2001, 9, 12) + timedelta(days=number)
        recess = 0
        while True:
            last = published + timedelta(days=120 + recess)
            counted = sum(is_recess(published + timedelta(days=day)) for day in range((last - published).days + 1))
            if counted == recess:
                break
            recess = counted
        assert latest_day(published) == last + timedelta(days=30), published


def test_calendar_ends_before_the_term() -> None:
    assert latest_day(date(9999, 12, 1)) is None
