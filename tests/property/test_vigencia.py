"""Tests of the derivation against the slow evaluator: random life cycles, every pair of days, both axes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.civil import When
from graph.time.events import History as WholeHistory
from graph.time.force import LifecycleEvent, Member, derive, find
from graph.time.intervals import BitemporalPeriod
from graph.time.kinds import Axis, Status
from graph.time.measure_terms import TERM_PASSED
from ontology.events import Effect
from tests.support.vigencia_oracle import state

#: A small window over the turn of a year: days often coincide, and it contains both bounds of a date with only a year.
FIRST = date(1999, 12, 27)
WINDOW = [FIRST + timedelta(n) for n in range(12)]
#: The days to check: the window, the days beside it, and the ends of the calendar.
ASKED = [date.min, FIRST - timedelta(1), *WINDOW, WINDOW[-1] + timedelta(1), date.max]
ENDED = {Status.REVOKED, Status.ANNULLED, Status.EXPIRED}


@dataclass(frozen=True)
class History:
    """The input of the derivation of a work without causes."""

    members: tuple[Member, ...]
    events: tuple[LifecycleEvent, ...]
    inherited: tuple[tuple[LifecycleEvent, ...], ...]
    latest: date | None = None

    @property
    def asked(self) -> WholeHistory:
        return WholeHistory(self.members, self.events, self.inherited, latest=self.latest)

    def periods(self) -> tuple[BitemporalPeriod, ...]:
        return derive(self.asked)


days = st.sampled_from(WINDOW)
exact = days.map(When.on)
bounded = st.tuples(days, days).map(lambda pair: When(min(pair), max(pair)))
years = st.sampled_from([When.in_year(1999), When.in_year(2000), When.not_before(date.min), When(date.min, FIRST)])
whens = st.one_of(exact, exact, exact, bounded, days.map(When.not_before), years)


@st.composite
def member_lists(draw: st.DrawFn) -> tuple[Member, ...]:
    names = draw(st.permutations([f"v{n}" for n in range(draw(st.integers(0, 8)))]))
    dates = st.one_of(days, days, days, st.none())
    cancels = st.one_of(st.none(), st.none(), st.none(), days)
    orders = st.integers(0, 2)
    return tuple(
        Member(name, draw(dates), draw(whens), draw(orders), draw(cancels), draw(st.booleans())) for name in names
    )


@st.composite
def event_lists(draw: st.DrawFn, prefix: str, most: int, effects: tuple[Effect, ...]) -> tuple[LifecycleEvent, ...]:
    names = draw(st.permutations([f"{prefix}{n}" for n in range(draw(st.integers(0, most)))]))
    cancels = st.one_of(st.none(), st.none(), st.none(), st.sampled_from([*names, "nothing"]))
    kinds = st.sampled_from(effects)
    return tuple(
        LifecycleEvent(name, kind, draw(whens), draw(whens), draw(cancels), is_term=kind is Effect.EXPIRES and term)
        for name, kind, term in ((name, draw(kinds), draw(st.booleans())) for name in names)
    )


@st.composite
def histories(draw: st.DrawFn) -> History:
    effects = draw(
        st.sampled_from(
            [
                tuple(Effect),
                (Effect.REVOKES, Effect.ANNULS, Effect.EXPIRES, Effect.RESTORES),
                (Effect.SUSPENDS, Effect.REINSTATES, Effect.STARTS_EFFICACY),
            ]
        )
    )
    parents = tuple(draw(event_lists(f"p{n}.", 3, effects)) for n in range(draw(st.integers(0, 2))))
    latest = draw(st.one_of(st.none(), st.none(), days))
    return History(draw(member_lists()), draw(event_lists("e", 5, effects)), parents, latest)


unhurried = settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.slow
@unhurried
@given(history=histories())
def test_periods_agree_with_the_reference_rules(history: History) -> None:
    periods = history.periods()
    for day, known, axis in product(ASKED, ASKED, Axis):
        expected = state(history.asked, {}, day, known, axis)
        period = find(periods, day, known, axis)
        answer = (period.status, period.version) if period else (None, None)
        assert answer == expected, f"on {day}, as known on {known}, {axis}"


@settings(unhurried, max_examples=120)
@given(history=histories())
def test_every_period_has_days_and_a_reason(history: History) -> None:
    versions = {m.name for m in history.members}
    reasons = {h.name for h in (*history.events, *(h for event_list in history.inherited for h in event_list))}
    for period in history.periods():
        assert period.axes
        assert period.days.until is None or period.days.start < period.days.until
        assert period.known.until is None or period.known.start < period.known.until
        assert (period.version in versions) == (period.status is Status.IN_FORCE)
        assert (period.version is None) == (period.status is not Status.IN_FORCE)
        assert set(period.because) <= versions | reasons | {TERM_PASSED}
        if period.status in ENDED | {Status.SUSPENDED}:
            assert period.because
            assert set(period.because) <= reasons
        if period.status is Status.UNKNOWN:
            assert period.because


@settings(unhurried, max_examples=120)
@given(history=histories())
def test_adjacent_periods_are_merged(history: History) -> None:
    for period, other in combinations(history.periods(), 2):
        same_answer = (period.axes, period.status, period.version, period.because) == (
            other.axes,
            other.status,
            other.version,
            other.because,
        )
        if not same_answer:
            continue
        days_of_one, days_of_other = (period.days.start, period.days.until), (other.days.start, other.days.until)
        known_of_one, known_of_other = (period.known.start, period.known.until), (other.known.start, other.known.until)
        assert not (days_of_one == days_of_other and _adjoin(known_of_one, known_of_other)), (period, other)
        assert not (known_of_one == known_of_other and _adjoin(days_of_one, days_of_other)), (period, other)


@settings(unhurried, max_examples=120)
@given(history=histories())
def test_periods_are_ordered_by_start_and_known_date(history: History) -> None:
    days = [(r.days.start, r.known.start) for r in history.periods()]
    assert days == sorted(days)


def _adjoin(interval: tuple[date, date | None], other: tuple[date, date | None]) -> bool:
    """Return whether one half-open interval begins where the other ends."""
    return interval[1] == other[0] or other[1] == interval[0]
