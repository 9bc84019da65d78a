"""Tests of every rule of combination with its examples, without a store."""

from __future__ import annotations

import pytest

from graph.time.combination import decide, decided_cells
from tests.support import combination_oracle
from tests.support.combination_table import Example, rules, subject, written

RULES = rules()
EXAMPLES = {f"{rule.number}.{place}": each for rule in RULES for place, each in enumerate(rule.examples, 1)}


#: Two rules say that the own status decides: that is C1, or C2 without a period.
DECIDED_BY = {"C15": "C1", "C18": "C2"}
NOTHING = "not-published"


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_example_has_the_answers_of_its_rule(example: Example) -> None:
    """Check the rule, its answer and its notice, also with the slow evaluator, and the period with this answer."""
    asked = subject(example.subject, of_norm=example.of_norm)
    periods = list(decided_cells(asked))
    for on, known, expected in example.rows:
        decided = decide(asked, on, known)
        answer = (decided.rule, decided.status, decided.version, decided.doubt, decided.about)
        assert written(*answer) == expected, (on, known)
        assert written(*combination_oracle.decide(asked, on, known)) == expected, (on, known)
        answers = [each.decision for each in periods if each.days.holds(on) and each.known.holds(known)]
        is_stated = asked.period(on, known) or (asked.whole and asked.whole.period(on, known))
        has_answer = expected.split()[0] != NOTHING or decided.doubt is not None
        assert answers == [decided] * bool(is_stated and has_answer)


def test_each_rule_decides_an_example_of_its_own() -> None:
    assert sorted(int(rule.number[1:]) for rule in RULES) == list(range(1, 19))
    for rule in RULES:
        deciding = {answer.split()[1] for example in rule.examples for _, _, answer in example.rows}
        assert DECIDED_BY.get(rule.number, rule.number) in deciding, rule.number
