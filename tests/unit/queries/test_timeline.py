"""Tests of timelines: every period on both axes, and the events in the order in which they became known."""

from __future__ import annotations

import pytest

from graph.store import WritableStore
from graph.time.kinds import Axis
from queries.answers import Period
from queries.timeline import timeline
from tests.support.cases import constant
from tests.support.records import record, store_of

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
#: Version or status, valid from and until, known from and until: LexML 1.0 part 2, section 12.4, tables 2 and 3.
PERIODS = constant("queries_timeline", "periods")


def plain(period: Period) -> list[str]:
    state = period.status.value if period.version is None else period.version.removeprefix(CODE)
    days = (period.valid_from, period.valid_until, period.known_from, period.known_until)
    return [state, *("-" if day is None else str(day) for day in days)]


@pytest.mark.parametrize("axis", list(Axis))
def test_periods_of_the_consumer_code(axis: Axis, code_store: WritableStore) -> None:
    code_timeline = timeline(code_store, CODE)
    periods = [plain(period) for period in code_timeline.periods if period.axis is axis]
    assert periods == [row.split() for row in PERIODS.strip().splitlines()]
    assert code_timeline.notices == ()


def test_events_are_ordered_by_known_date(code_store: WritableStore) -> None:
    assert [(e.event, e.effect, e.known, e.cause) for e in timeline(code_store, CODE).events] == [
        ("assinatura", "1991-03-11", "1990-09-11", None),
        ("publicacao", "1991-03-11", "1990-09-12", None),
        ("alteracao", "1993-05-22", "1993-05-22", "urn:lex:br:federal:lei:1993;8656"),
        ("alteracao", "1993-09-08", "1993-09-08", "urn:lex:br:federal:lei:1993;8703"),
        ("retificacao", "1991-03-11", "2007-01-10", None),
        ("retificacao", "1993-05-22", "2007-01-10", None),
        ("retificacao", "1993-09-08", "2007-01-10", None),
    ]


def test_days_before_the_first_known_text_are_unknown() -> None:
    amended = f"{LAW}@2002-01-02;alteracao;2002-01-02"
    periods = timeline(store_of(record(amended)), LAW).periods
    assert [plain(period) for period in periods if period.axis is Axis.FORCE] == [
        ["unknown", "2001-03-05", "-", "2001-03-05", "2002-01-02"],
        ["unknown", "2001-03-05", "2002-01-02", "2002-01-02", "-"],
        [amended, "2002-01-02", "-", "2002-01-02", "-"],
    ]


def test_timeline_json_document() -> None:
    made = record(FIRST)
    days = {"from": "2001-03-06", "until": None, "known_from": "2001-03-06", "known_until": None}
    period = {"version": FIRST, "status": "in-force", **days}
    reason = {"event": "publicacao", "effect": "2001-03-06", "known": "2001-03-06", "cause": None}
    assert timeline(store_of(made), LAW).as_json() == {
        "name": LAW,
        "periods": [{**period, "axis": "efficacy"}, {**period, "axis": "force"}],
        "events": [{**reason, "source": made.source.iri}],
        "notices": [],
    }
