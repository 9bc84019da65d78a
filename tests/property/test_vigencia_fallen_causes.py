"""Tests of the derivation against the slow evaluator where causes fall: random works with causes, and their causes.

All days are within a week, so that they often coincide. The evaluator itself is checked by two properties: what was not
known by K changes nothing, and nothing changes between two stated days.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.civil import When
from graph.time.force import History, LifecycleEvent, Member, Moves, derive, find
from graph.time.intervals import BitemporalPeriod
from graph.time.kinds import Axis, Status
from graph.time.measure_terms import TERM_PASSED
from ontology.events import Effect
from tests.support.vigencia_oracle import World

FIRST = date(2004, 12, 28)
WINDOW = [FIRST + timedelta(n) for n in range(6)]
DAYS = [FIRST - timedelta(1), *WINDOW, WINDOW[-1] + timedelta(1), date.max]
KNOWN = [*WINDOW, date.max]
#: The work whose periods are derived, and its causes; one of them is a provision of another.
ASKED = "t"
CAUSES = ("a", "b", "b!art1", "c")
#: The effects in a world: few at a time, so that they often interact.
FLAVOURS = (
    (Effect.ANNULS, Effect.REVOKES),
    (Effect.ANNULS, Effect.REVOKES, Effect.RESTORES),
    (Effect.EXPIRES, Effect.CONVERTS, Effect.CONVERTS, Effect.REVOKES),
    (Effect.SUSPENDS, Effect.SUSPENDS, Effect.REINSTATES, Effect.REVOKES, Effect.STARTS_EFFICACY),
    (Effect.EXPIRES, Effect.RESTORES, Effect.RESTORES_WORDING),
    tuple(Effect),
)

days = st.sampled_from(WINDOW)
exact = days.map(When.on)
bounded = st.tuples(days, days).map(lambda pair: When(min(pair), max(pair)))


@dataclass(frozen=True)
class Case:
    """The input of the derivation."""

    history: History
    causes: dict[str, History]

    def periods(self) -> tuple[BitemporalPeriod, ...]:
        return derive(self.history, self.causes)


@dataclass(frozen=True)
class Manner:
    """The parameters of a world: effects, causes, whether starts may move, and whether days may have only bounds."""

    effects: tuple[Effect, ...]
    causes: tuple[str, ...]
    moving: bool
    vague: bool

    @property
    def whens(self) -> st.SearchStrategy[When]:
        return st.one_of(exact, exact, exact, bounded, days.map(When.not_before)) if self.vague else exact


def rarely(draw: st.DrawFn) -> bool:
    """Draw True in one of eight cases."""
    return draw(st.integers(0, 7)) == 7


@st.composite
def events(
    draw: st.DrawFn, prefix: str, most: int, manner: Manner, wordings: tuple[str, ...]
) -> tuple[LifecycleEvent, ...]:
    names = draw(st.permutations([f"{prefix}{n}" for n in range(draw(st.integers(0, most)))]))
    made: list[LifecycleEvent] = []
    for name in names:
        effect, when, known = draw(st.sampled_from(manner.effects)), draw(manner.whens), draw(manner.whens)
        taken_back = draw(st.sampled_from([*names, "nothing"])) if rarely(draw) else None
        cause = draw(st.sampled_from([None, *manner.causes, *manner.causes]))
        for_good, stated = rarely(draw), draw(st.booleans())
        wording = draw(st.sampled_from([*wordings, *wordings, None])) if effect is Effect.RESTORES_WORDING else None
        with_cause = effect is Effect.REVOKES and draw(st.booleans())
        is_term = effect is Effect.EXPIRES and draw(st.booleans())
        made.append(
            LifecycleEvent(
                name, effect, when, known, taken_back, cause, not for_good, stated, wording, with_cause, is_term
            )
        )
        if effect is Effect.EXPIRES and draw(st.booleans()):
            made.append(LifecycleEvent(f"{name}.back", Effect.RESTORES, when, known))
    return tuple(made)


@st.composite
def members(draw: st.DrawFn, prefix: str, most: int, manner: Manner) -> tuple[Member, ...]:
    """Draw amendments and, in seven of eight cases, a first text."""
    names = draw(st.permutations([f"{prefix}v{n}" for n in range(draw(st.integers(0, most)))]))
    made: list[Member] = []
    if not rarely(draw):
        start = draw(st.sampled_from(WINDOW[3:] if manner.moving else WINDOW[:2]))
        made.append(Member(f"{prefix}first", start, When.on(WINDOW[0])))
    for name in names:
        moves = draw(st.sampled_from([None, *Moves])) if manner.moving else None
        start_of = None if moves is None and rarely(draw) else draw(days)
        cancels = draw(days) if moves is None and rarely(draw) else None
        causes = tuple(draw(st.lists(st.sampled_from(manner.causes), max_size=2, unique=True)))
        order, original = draw(st.integers(0, 2)), moves is None and rarely(draw)
        made.append(Member(name, start_of, draw(manner.whens), order, cancels, original, causes, moves))
    return tuple(made)


@st.composite
def histories(draw: st.DrawFn, name: str, manner: Manner, most: int) -> History:
    own = draw(members(f"{name}.", most, manner))
    wordings = tuple(m.name for m in own)
    lists = draw(st.sampled_from([0, 0, 1]))
    inherited = tuple(draw(events(f"{name}.p{n}.", 2, manner, wordings)) for n in range(lists))
    latest = draw(st.one_of(st.none(), st.none(), days))
    return History(own, draw(events(f"{name}.e", 3, manner, wordings)), inherited, draw(st.booleans()), latest=latest)


@st.composite
def worlds(draw: st.DrawFn) -> Case:
    chosen = tuple(draw(st.lists(st.sampled_from(CAUSES), min_size=1, max_size=4, unique=True)))
    beside = draw(st.sampled_from([(), (), (ASKED,), ("nobody",)]))
    manner = Manner(draw(st.sampled_from(FLAVOURS)), (*chosen, *beside), draw(st.booleans()), rarely(draw))
    history = draw(histories(ASKED, manner, 4))
    causes = {name: draw(histories(name, replace(manner, moving=draw(st.booleans())), 1)) for name in chosen}
    if ASKED in beside or draw(st.booleans()):
        causes[ASKED] = history
    return Case(history, causes)


unhurried = settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.slow
@unhurried
@given(case=worlds())
def test_periods_agree_with_the_reference_rules(case: Case) -> None:
    periods = case.periods()
    for known, axis in product(KNOWN, Axis):
        world = World(case.history, case.causes, known, axis)
        for day in DAYS:
            period = find(periods, day, known, axis)
            answer = (period.status, period.version) if period else (None, None)
            assert answer == world.answer(day), f"on {day}, as known on {known}, {axis}"


@pytest.mark.slow
@settings(unhurried, max_examples=120)
@given(case=worlds())
def test_periods_of_one_axis_do_not_overlap(case: Case) -> None:
    for period, other in combinations(case.periods(), 2):
        if period.axes & other.axes:
            days = period.days.overlaps(other.days)
            assert not (days and period.known.overlaps(other.known))


@pytest.mark.slow
@settings(unhurried, max_examples=120)
@given(case=worlds())
def test_every_period_has_days_and_a_stated_reason(case: Case) -> None:
    everything = (case.history, *case.causes.values())
    stated = {m.name for history in everything for m in history.members}
    stated |= {
        h.name for history in everything for event_list in (history.events, *history.inherited) for h in event_list
    }
    for period in case.periods():
        assert period.axes
        assert period.days.until is None or period.days.start < period.days.until
        assert period.known.until is None or period.known.start < period.known.until
        assert (period.version is None) == (period.status is not Status.IN_FORCE)
        assert set(period.because) <= stated | {TERM_PASSED}
        if period.status not in (Status.IN_FORCE, Status.VACATIO):
            assert period.because


@settings(unhurried, max_examples=60)
@given(case=worlds(), data=st.data())
def test_input_order_does_not_matter(case: Case, data: st.DataObject) -> None:
    def again(history: History) -> History:
        return replace(
            history,
            members=tuple(data.draw(st.permutations(history.members))),
            events=tuple(data.draw(st.permutations(history.events))),
        )

    turned = {name: again(history) for name, history in sorted(case.causes.items(), reverse=True)}
    assert derive(turned.get(ASKED) or again(case.history), turned) == case.periods()


# The evaluator itself


@settings(unhurried, max_examples=80)
@given(case=worlds(), known=days)
def test_facts_not_yet_known_change_nothing(case: Case, known: date) -> None:
    def cut(history: History) -> History:
        """Return the history without members and events that are certainly unknown on K."""
        return History(
            tuple(m for m in history.members if m.view.possible_on(known)),
            tuple(h for h in history.events if h.known.possible_on(known)),
            tuple(tuple(h for h in event_list if h.known.possible_on(known)) for event_list in history.inherited),
            history.provisional,
            latest=history.latest,
        )

    less = {name: cut(history) for name, history in case.causes.items()}
    for axis in Axis:
        full_world, part = World(case.history, case.causes, known, axis), World(cut(case.history), less, known, axis)
        for day in DAYS:
            assert full_world.answer(day) == part.answer(day), (day, axis)


@pytest.mark.slow
@settings(unhurried, max_examples=80)
@given(case=worlds(), known=days, axis=st.sampled_from(Axis))
def test_answer_is_constant_between_stated_days(case: Case, known: date, axis: Axis) -> None:
    sparse, dense = World(case.history, case.causes, known, axis), World(case.history, case.causes, known, axis)
    dense.marks = set(DAYS)
    for day in DAYS:
        assert sparse.answer(day) == dense.answer(day)
