"""Tests of every rule of composition with its examples, without a store."""

from __future__ import annotations

import pytest

from graph.time.composition import Words
from tests.support.composition_table import Example, rules

RULES = rules()
EXAMPLES = {f"{rule.number}.{place}": each for rule in RULES for place, each in enumerate(rule.examples, 1)}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_example_has_the_words_of_its_rule(example: Example) -> None:
    decided = example.decided()
    assert (decided.words.value, decided.rule) == (example.words, example.rule)


def test_every_rule_and_kind_of_words_has_an_example() -> None:
    assert [rule.number for rule in RULES] == [rule.examples[0].rule for rule in RULES]
    assert {example.words for example in EXAMPLES.values()} == set(Words)
