"""Tests of the rules of combination on random subjects, against the slow evaluator, on each pair of near days.

The subjects are lines of the table of the rules (tests/data/rules_of_combination.toml).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.time.combination import PeriodLookup, decide, decided_cells
from graph.time.kinds import Status
from tests.support import combination_oracle
from tests.support.combination_table import subject, written

Lines = st.SearchStrategy[str]

#: The day before the issue of the norm, and days from then on.
DAYS = [date(2001, 3, 4) + timedelta(number) for number in range(7)]
PAIRS = list(product(DAYS, DAYS))
days = st.sampled_from([str(day) for day in DAYS[1:]])
bounds = st.one_of(days, days, st.just("-"), st.tuples(days, days).map(lambda pair: f"{min(pair)}/{max(pair)}"))
WORDINGS = ["publicacao", "publicacao", "alteracao", "alteracao", "retificacao", "prorrogacao.vacatio", "entrada.vigor"]
OWN = ["publicacao", "alteracao", "alteracao", "derrubada.veto.parcial"]
KINDS = [
    "revogacao",
    "veto",
    "anulacao",
    "vigencia.propria",
    "repristinacao",
    "suspensao",
    "interpretacao.conforme",
    "-",
]
TEXTS = ["-", "composed", "composed has", "complete", "complete has", "complete has", "complete ended"]
#: The statuses of the norm, by case: ``@`` is a version, the empty string no period.
NORMS = {
    "in force": ["@"],
    "vacatio": ["vacatio", "vacatio", "@"],
    "unknown": ["unknown", "", "@"],
    "any": ["@", "", "vacatio", "revoked", "suspended", "unknown"],
}
STATUSES = ["@", "@", "", "vacatio", "revoked", "vetoed", "suspended", "unknown"]


def _names(events: Sequence[str]) -> Lines:
    dated = st.builds("{};{};{}".format, days, st.sampled_from(events), days)
    kinds = st.sampled_from(events)
    undated = st.builds("inicio.vigencia;{};{}".format, kinds, days)
    return st.one_of(dated, dated, dated, undated, st.builds("{};{}".format, days, kinds))


def _fits(version: str, start: str, known: str) -> bool:
    """Return whether a version may be in force from a day on, as known on another."""
    first, _, *view = version.split(";")
    return (first <= start or first == "inicio.vigencia") and all(day <= known for day in view)


@st.composite
def _periods(
    draw: st.DrawFn, of: str, versions: Sequence[str], statuses: Sequence[str], reasons: Sequence[str]
) -> list[str]:
    """Draw lines with periods that do not overlap."""
    lines = []
    views = [str(DAYS[1]), *sorted(draw(st.sets(days, max_size=2)) - {str(DAYS[1])})]
    for known, known_until in zip(views, [*views[1:], ""], strict=True):
        starts = sorted(draw(st.sets(days, min_size=1, max_size=3)))
        for start, until in zip(starts, [*starts[1:], ""], strict=True):
            status = draw(st.sampled_from(statuses))
            if status == "@":
                status = draw(st.sampled_from([f"@{name}" for name in versions if _fits(name, start, known)] or [""]))
            because = draw(st.sampled_from(["", *reasons]))
            lines += [f"{of}period {status} {start}/{until} {known}/{known_until} {because}"] * bool(status)
    return lines


@st.composite
def stated(draw: st.DrawFn, statuses: Sequence[str]) -> list[str]:
    """Draw the lines of a subject."""
    versions = draw(st.lists(_names(WORDINGS), min_size=1, max_size=4, unique=True))
    lines = [f"norm version {name} {draw(st.sampled_from(TEXTS))}" for name in versions]
    lines += draw(_periods("norm ", versions, statuses, []))
    own = draw(st.lists(_names(OWN), max_size=2, unique=True))
    lines += [f"version {name} {draw(st.sampled_from(['inserts', 'by-act', '']))}" for name in own]
    event = st.builds(
        "{} {{}} {} {} {}".format, st.sampled_from(["event", "around event"]), st.sampled_from(KINDS), bounds, bounds
    )
    events = [line.format(f"e{number}") for number, line in enumerate(draw(st.lists(event, max_size=2)))]
    if own or events:
        reasons = [f"e{number}" for number in range(len(events))] + [f"@{name}" for name in own]
        lines += draw(_periods("", own, STATUSES, reasons)) or ["other-axis"]
    more = draw(st.sampled_from([[], [], [], ["undated-text"], ["norm stands in-progress"]]))
    return [*lines, *events, *more]


@pytest.mark.parametrize("case", NORMS)
def test_rules_give_what_the_slow_evaluator_gives(case: str) -> None:
    """Check the provision and its norm on each pair of days."""

    @settings(max_examples=60)
    @given(stated(NORMS[case]))
    def check(lines: list[str]) -> None:
        for asked in (subject(lines), subject(lines, of_norm=True)):
            found = PeriodLookup(asked.periods)
            for on, known in PAIRS:
                decided = decide(asked, on, known)
                answer = (decided.rule, decided.status, decided.version, decided.doubt, decided.about)
                assert written(*answer) == written(*combination_oracle.decide(asked, on, known)), (on, known)
                assert found(on, known) == asked.period(on, known)

    check()


@pytest.mark.parametrize("case", NORMS)
def test_cells_have_the_answer_of_each_pair_of_days(case: str) -> None:
    """Check the days of the periods of a provision and of its norm.

    Where neither has a period, ``decide`` may know that the status is unknown; no cell has such a day.
    """

    @settings(max_examples=40)
    @given(stated(NORMS[case]), st.randoms(use_true_random=False))
    def check(lines: list[str], order: random.Random) -> None:
        asked = subject(lines)
        assert asked.whole is not None
        cells = list(decided_cells(asked))
        assert set(decided_cells(subject(order.sample(lines, len(lines))))) == set(cells)
        for on, known in PAIRS:
            answers = [each.decision for each in cells if each.days.holds(on) and each.known.holds(known)]
            decided = decide(asked, on, known)
            is_stated = (asked.period(on, known) or asked.whole.period(on, known)) is not None
            has_answer = decided.status is not Status.NOT_PUBLISHED or decided.doubt is not None
            assert answers == [decided] * (is_stated and has_answer), (on, known)

    check()
