"""Tests of every rule of time with its example, from curated facts to the answer, on both sides of each day.

The table is tests/data/rules_of_time.toml. docs/explanation/time.md and docs/reference/rules-of-time.md are generated
from it.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from graph.entities import Axis
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.pipeline import load
from queries.in_force import in_force
from tests.support.rules_of_time import Answer, Rule, full_name, norms, rules

ROOT = Path(__file__).resolve().parents[2]
RULES = rules()
NAMES = norms()


def facts(rule: Rule) -> str:
    """Return the events of the rule's example as a file of curated facts."""
    lines = ['curator = "Arquivo Fictício"']
    for number, event in enumerate(rule.events):
        lines += ["", "[[facts]]", f'id = "{rule.number}-{number}"']
        for key, value in event.items():
            stated = full_name(value, NAMES) if key in {"norm", "cause"} else value
            lines.append(f"{key} = {stated}" if isinstance(stated, date) else f'{key} = "{stated}"')
    return "\n".join(lines) + "\n"


def load_example(rule: Rule, folder: Path) -> WritableStore:
    """Return a store with the rule's example, loaded as curated facts."""
    file = folder / "facts.toml"
    file.write_text(facts(rule), "utf-8")
    store = in_memory()
    summary = load([file], store, Quarantine(folder / "quarantine"))
    assert (summary.refused.total(), summary.loaded) == (0, len(rule.events)), summary.refusals
    return store


def given(store: WritableStore, asked: Answer) -> Answer:
    """Return the answer of the store to the question of a row."""
    name = full_name(asked.of, NAMES)
    force, efficacy = (in_force(store, name, asked.on, asked.known, axis) for axis in (Axis.FORCE, Axis.EFFICACY))
    state = "@" + force.version.name.partition("@")[2].partition("!")[0] if force.version else force.status.value
    differs = efficacy.status.value if efficacy.status is not force.status else None
    codes = {notice.code for notice in force.notices}
    return Answer(asked.of, asked.on, asked.known, state, differs, asked.notice if asked.notice in codes else None)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.events], ids=lambda rule: rule.number)
def test_example_gives_the_answers_of_the_rule(rule: Rule, tmp_path: Path) -> None:
    store = load_example(rule, tmp_path)
    assert [given(store, answer) for answer in rule.answers] == list(rule.answers)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.events], ids=lambda rule: rule.number)
def test_rule_is_independent_of_event_order(rule: Rule, tmp_path: Path) -> None:
    """Check that the order in which a source states the events does not matter."""
    store = load_example(replace(rule, events=rule.events[::-1]), tmp_path)
    assert [given(store, answer) for answer in rule.answers] == list(rule.answers)


def test_each_rule_has_one_number_and_an_example_or_tests() -> None:
    numbers = [rule.number for rule in RULES]
    assert len(numbers) == len(set(numbers))
    for letter in ("R", "F"):
        counted = [int(number[1:]) for number in numbers if number.startswith(letter)]
        assert counted == list(range(1, len(counted) + 1))
    for rule in RULES:
        assert bool(rule.events) is bool(rule.answers) is not bool(rule.tests), rule.number


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.tests], ids=lambda rule: rule.number)
def test_tests_named_by_a_rule_exist(rule: Rule) -> None:
    for name in rule.tests:
        file, _, function = name.partition("::")
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def test_each_example_covers_both_sides_of_a_day() -> None:
    """Check that two questions about one work differ by one day of D or K, and in their answers."""
    for rule in RULES:
        if not rule.events:
            continue
        pairs = [
            (answer, other)
            for answer in rule.answers
            for other in rule.answers
            if answer.of == other.of and (answer.state, answer.efficacy) != (other.state, other.efficacy)
        ]
        assert any(
            (abs((answer.on - other.on).days), abs((answer.known - other.known).days)) in {(1, 0), (0, 1)}
            for answer, other in pairs
        ), rule.number
