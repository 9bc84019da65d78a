"""Tests of OAI-PMH datestamps: both granularities, malformed values, and their order."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import BadDate
from loaders.oai_pmh import Datestamp, Granularity, compare, format_datestamp, is_datestamp, parse_datestamp

DAY, SECOND = Granularity.DAY, Granularity.SECOND


def test_day_and_second_datestamps_are_parsed() -> None:
    assert parse_datestamp(" 2026-01-02\n") == Datestamp("2026-01-02", date(2026, 1, 2))
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert parse_datestamp("2026-01-02T03:04:05Z") == Datestamp("2026-01-02T03:04:05Z", date(2026, 1, 2), moment)


@pytest.mark.parametrize(
    "text",
    [
        "2008-07-08-10:20:20:002221",
        "2008-07-08 10:20:20",
        "2008-07-08T10:20:20",
        "2008-07-08T10:20:20.123Z",
        "2008-07-08T10:20:20-03:00",
        "2008-07-08T10:20Z",
        "2008-07-08T24:00:00Z",
        "2008-07-08T23:59:60Z",
        "2008-07-08T99:99:99Z",
        "2008-07-081",
        "2008-07-08T10:20:2\u0660Z",
    ],
)
def test_malformed_datestamp_keeps_a_doubtful_day(text: str) -> None:
    stamp = parse_datestamp(text)
    assert (stamp.day, stamp.moment, stamp.text) == (date(2008, 7, 8), None, text)
    assert stamp.doubt
    assert not is_datestamp(text)


@pytest.mark.parametrize("text", ["", "  ", "08/07/2008", "2008-7-8", "2008", "2008-02-30", "0000-01-01", "x" * 1000])
def test_text_without_a_day_is_not_a_datestamp(text: str) -> None:
    with pytest.raises(BadDate, match=r"OAI-PMH 2\.0, section 3\.3, got") as error:
        parse_datestamp(text)
    assert len(str(error.value)) < 200
    assert not is_datestamp(text)


def test_moments_are_written_in_utc() -> None:
    moment = datetime(2026, 1, 1, 22, 30, 1, 999999, tzinfo=timezone(timedelta(hours=-3)))
    assert format_datestamp(moment, SECOND) == "2026-01-02T01:30:01Z"
    assert format_datestamp(moment, DAY) == "2026-01-02"
    assert format_datestamp(date(2026, 1, 2), DAY) == "2026-01-02"
    assert format_datestamp(datetime(999, 1, 2, tzinfo=UTC), SECOND) == "0999-01-02T00:00:00Z"


def test_day_is_not_extended_and_no_zone_is_assumed() -> None:
    with pytest.raises(BadDate, match="a moment: a day does not say"):
        format_datestamp(date(2026, 1, 2), SECOND)
    with pytest.raises(BadDate, match="a moment with its time zone"):
        format_datestamp(datetime(2026, 1, 2), SECOND)  # noqa: DTZ001


@given(st.datetimes(timezones=st.just(UTC)))
def test_written_datestamp_is_read_back(moment: datetime) -> None:
    for granularity in Granularity:
        text = format_datestamp(moment, granularity)
        stamp = parse_datestamp(text)
        assert (stamp.granularity, stamp.doubt, stamp.day) == (granularity, None, moment.date())
    assert parse_datestamp(format_datestamp(moment, SECOND)).moment == moment.replace(microsecond=0)


@pytest.mark.parametrize(
    ("datestamp", "other", "order"),
    [
        ("2026-01-02", "2026-01-03", -1),
        ("2026-01-02", "2026-01-02", 0),
        ("2026-01-02T00:00:01Z", "2026-01-02T00:00:00Z", 1),
        ("2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z", 0),
        ("2026-01-02", "2026-01-03T00:00:00Z", -1),
        ("2026-01-02", "2026-01-02T00:00:00Z", None),
        ("2026-01-02-10:20:20:002221", "2026-01-02", None),
        ("2026-01-02-10:20:20:002221", "2026-01-02-10:20:20:002221", None),
        ("2026-01-02-10:20:20:002221", "2026-01-03", -1),
    ],
)
def test_comparison_is_none_when_uncertain(datestamp: str, other: str, order: int | None) -> None:
    assert compare(parse_datestamp(datestamp), parse_datestamp(other)) == order
    assert compare(parse_datestamp(other), parse_datestamp(datestamp)) == (None if order is None else -order)
