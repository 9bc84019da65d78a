"""Tests of every rule of time with its example, from curated facts to the answer, on both sides of each day.

The table is tests/data/rules_of_time.toml. docs/explanation/time.md and docs/reference/rules-of-time.md are generated
from it.
"""

from __future__ import annotations

import ast
from datetime import date
from pathlib import Path

import pytest

from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.time.kinds import Axis
from loaders.pipeline import load
from queries.in_force import in_force
from tests.support.rules_of_time import Answer, Rule, full_name, norms, rules

ROOT = Path(__file__).resolve().parents[2]
RULES = rules()
WITH_EXAMPLE = [rule for rule in RULES if rule.events]
NAMES = norms()


def facts(rule: Rule, step: int) -> str:
    """Return the events of the rule's example as a file of curated facts, in their order or the reverse."""
    lines = ['curator = "Arquivo Fictício"']
    for number, event in enumerate(rule.events[::step]):
        lines += ["", "[[facts]]", f'id = "{rule.number}-{number}"']
        for key, value in event.items():
            stated = full_name(value, NAMES) if key in {"norm", "cause"} else value
            lines.append(f"{key} = {stated}" if isinstance(stated, date) else f'{key} = "{stated}"')
    return "\n".join(lines) + "\n"


def given(store: WritableStore, asked: Answer) -> Answer:
    """Return the answer of the store to the question of a row."""
    name = full_name(asked.of, NAMES)
    force, efficacy = (in_force(store, name, asked.on, asked.known, axis) for axis in (Axis.FORCE, Axis.EFFICACY))
    state = "@" + force.version.name.partition("@")[2].partition("!")[0] if force.version else force.status.value
    differs = efficacy.status.value if efficacy.status is not force.status else None
    codes = {notice.code for notice in force.notices}
    return Answer(asked.of, asked.on, asked.known, state, differs, asked.notice if asked.notice in codes else None)


@pytest.mark.parametrize("rule", WITH_EXAMPLE, ids=lambda rule: rule.number)
def test_example_gives_the_answers_of_the_rule(rule: Rule, tmp_path: Path) -> None:
    """Check the answers in both orders of the events: the order in which a source states them does not matter."""
    file = tmp_path / "facts.toml"
    for step in (1, -1):
        file.write_text(facts(rule, step), "utf-8")
        store = in_memory()
        summary = load([file], store, Quarantine(tmp_path / "quarantine"))
        assert (summary.refused.total(), summary.loaded) == (0, len(rule.events)), summary.refusals
        assert [given(store, answer) for answer in rule.answers] == list(rule.answers)


def test_each_rule_has_one_number_and_an_example_or_tests() -> None:
    for letter in ("R", "F"):
        numbers = [int(rule.number[1:]) for rule in RULES if rule.number.startswith(letter)]
        assert numbers == list(range(1, len(numbers) + 1))
    for rule in RULES:
        assert bool(rule.events) is bool(rule.answers) is not bool(rule.tests), rule.number
        for name in rule.tests:
            file, _, function = name.partition("::")
            tree = ast.parse((ROOT / file).read_text("utf-8"))
            assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def test_each_example_covers_both_sides_of_a_day() -> None:
    """Check that two questions about one work differ by one day of D or K, and in their answers."""
    for rule in WITH_EXAMPLE:
        assert any(
            answer.of == other.of
            and (answer.state, answer.efficacy) != (other.state, other.efficacy)
            and (abs((answer.on - other.on).days), abs((answer.known - other.known).days)) in {(1, 0), (0, 1)}
            for answer in rule.answers
            for other in rule.answers
        ), rule.number
