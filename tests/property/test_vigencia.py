"""The derivation against the slow evaluator: random lives, every pair of days, both axes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.civil import When
from graph.entities import Axis
from graph.lifecycle_events import Life as WholeLife
from graph.vigencia import BitemporalPeriod, Happening, Member, Status, derive, find
from ontology.events import Effect
from tests.support.vigencia_oracle import state

#: A small window over the turn of a year: days collide often, and both edges of a year-only date lie within.
FIRST = date(1999, 12, 27)
WINDOW = [FIRST + timedelta(n) for n in range(12)]
#: The days to ask for: the window, its margins, and the ends of the calendar.
ASKED = [date.min, FIRST - timedelta(1), *WINDOW, WINDOW[-1] + timedelta(1), date.max]
ENDED = {Status.REVOKED, Status.ANNULLED, Status.EXPIRED}


@dataclass(frozen=True)
class Life:
    """What goes into the derivation of a work without causes."""

    members: tuple[Member, ...]
    happenings: tuple[Happening, ...]
    inherited: tuple[tuple[Happening, ...], ...]

    @property
    def asked(self) -> WholeLife:
        return WholeLife(self.members, self.happenings, self.inherited)

    def rectangles(self) -> tuple[BitemporalPeriod, ...]:
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
def happening_lists(draw: st.DrawFn, prefix: str, most: int, effects: tuple[Effect, ...]) -> tuple[Happening, ...]:
    names = draw(st.permutations([f"{prefix}{n}" for n in range(draw(st.integers(0, most)))]))
    cancels = st.one_of(st.none(), st.none(), st.none(), st.sampled_from([*names, "nothing"]))
    kinds = st.sampled_from(effects)
    return tuple(Happening(name, draw(kinds), draw(whens), draw(whens), draw(cancels)) for name in names)


@st.composite
def lives(draw: st.DrawFn) -> Life:
    effects = draw(
        st.sampled_from(
            [
                tuple(Effect),
                (Effect.REVOKES, Effect.ANNULS, Effect.EXPIRES, Effect.RESTORES),
                (Effect.SUSPENDS, Effect.REINSTATES, Effect.STARTS_EFFICACY),
            ]
        )
    )
    parents = tuple(draw(happening_lists(f"p{n}.", 3, effects)) for n in range(draw(st.integers(0, 2))))
    return Life(draw(member_lists()), draw(happening_lists("e", 5, effects)), parents)


unhurried = settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.slow
@unhurried
@given(life=lives())
def test_every_answer_is_that_of_the_rules(life: Life) -> None:
    rectangles = life.rectangles()
    for day, known, axis in product(ASKED, ASKED, Axis):
        expected = state(life.asked, {}, day, known, axis)
        found = find(rectangles, day, known, axis)
        answer = (found.status, found.version) if found else (None, None)
        assert answer == expected, f"on {day}, as known on {known}, {axis}"


@settings(unhurried, max_examples=120)
@given(life=lives())
def test_no_two_rectangles_of_an_axis_hold_the_same_point(life: Life) -> None:
    for one, other in combinations(life.rectangles(), 2):
        if one.axes & other.axes:
            assert not (_meet(one.start, one.end, other.start, other.end) and _known_together(one, other)), (one, other)


@settings(unhurried, max_examples=120)
@given(life=lives())
def test_every_rectangle_has_days_and_a_reason(life: Life) -> None:
    versions = {m.name for m in life.members}
    reasons = {h.name for h in (*life.happenings, *(h for each in life.inherited for h in each))}
    for rectangle in life.rectangles():
        assert rectangle.axes
        assert rectangle.end is None or rectangle.start < rectangle.end
        assert rectangle.known_until is None or rectangle.known_from < rectangle.known_until
        assert (rectangle.version in versions) == (rectangle.status is Status.IN_FORCE)
        assert (rectangle.version is None) == (rectangle.status is not Status.IN_FORCE)
        assert set(rectangle.because) <= versions | reasons
        if rectangle.status in ENDED | {Status.SUSPENDED}:
            assert rectangle.because
            assert set(rectangle.because) <= reasons
        if rectangle.status is Status.UNKNOWN:
            assert rectangle.because


@settings(unhurried, max_examples=120)
@given(life=lives())
def test_no_two_rectangles_could_be_one(life: Life) -> None:
    for one, other in combinations(life.rectangles(), 2):
        same_answer = (one.axes, one.status, one.version, one.because) == (
            other.axes,
            other.status,
            other.version,
            other.because,
        )
        if not same_answer:
            continue
        days_of_one, days_of_other = (one.start, one.end), (other.start, other.end)
        known_of_one, known_of_other = (one.known_from, one.known_until), (other.known_from, other.known_until)
        assert not (days_of_one == days_of_other and _touch(known_of_one, known_of_other)), (one, other)
        assert not (known_of_one == known_of_other and _touch(days_of_one, days_of_other)), (one, other)


@settings(unhurried, max_examples=120)
@given(life=lives(), data=st.data())
def test_the_order_of_what_is_told_does_not_matter(life: Life, data: st.DataObject) -> None:
    told = life.rectangles()
    again = Life(
        tuple(data.draw(st.permutations(life.members))),
        tuple(data.draw(st.permutations(life.happenings))),
        tuple(tuple(data.draw(st.permutations(each))) for each in life.inherited),
    )
    assert again.rectangles() == told
    assert life.rectangles() == told


@settings(unhurried, max_examples=120)
@given(life=lives())
def test_rectangles_come_in_the_order_of_start_and_knowledge(life: Life) -> None:
    told = [(r.start, r.known_from) for r in life.rectangles()]
    assert told == sorted(told)


def _meet(start: date, end: date | None, other_start: date, other_end: date | None) -> bool:
    """Whether two half-open intervals share a day."""
    return (end is None or other_start < end) and (other_end is None or start < other_end)


def _known_together(one: BitemporalPeriod, other: BitemporalPeriod) -> bool:
    return _meet(one.known_from, one.known_until, other.known_from, other.known_until)


def _touch(one: tuple[date, date | None], other: tuple[date, date | None]) -> bool:
    """Whether one half-open interval begins where the other ends."""
    return one[1] == other[0] or other[1] == one[0]
