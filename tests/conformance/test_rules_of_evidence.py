"""Tests of every rule of evidence with its example, from statements to versions and events, without a store."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graph.time.evidence import DecidedDays, Evidence
from graph.time.statements import Statements
from graph.urn import to_iri
from tests.support.cases import cases
from tests.support.evidence_oracle import causes, history
from tests.support.evidence_table import Rule, followed, norms, rules, statements

ROOT = Path(__file__).resolve().parents[2]
RULES = rules()
EXAMPLES = {f"{rule.number}.{place}": each for rule in RULES for place, each in enumerate(rule.each, 1)}


def reversed_order(stated: Statements) -> Statements:
    """Return the same statements in the reverse order."""
    works = {
        name: replace(work, versions=work.versions[::-1], events=work.events[::-1])
        for name, work in reversed(list(stated.works.items()))
    }
    return Statements(works)


@pytest.mark.parametrize("rule", EXAMPLES.values(), ids=EXAMPLES)
def test_example_gives_what_follows(rule: Rule) -> None:
    """Check the example in both orders, in which sources state something, and with the slow evaluator."""
    expected = rule.follow.strip().splitlines()
    stated = statements(rule.statements)
    evidence = Evidence(stated)
    assert followed(rule, evidence.history, evidence.causes_of) == expected
    assert sorted(followed(rule, partial(history, stated), partial(causes, stated))) == sorted(expected)
    backwards = Evidence(reversed_order(stated))
    assert sorted(followed(rule, backwards.history, backwards.causes_of)) == sorted(expected)


def test_each_rule_has_a_number_and_names_what_decides() -> None:
    assert [rule.number for rule in RULES] == [f"E{number}" for number in range(1, len(RULES) + 1)]
    tree = ast.parse((ROOT / "graph/time/evidence.py").read_text("utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    methods = {f"{c.name}.{n.name}": n for c in classes for n in c.body if isinstance(n, ast.FunctionDef)}
    for rule in RULES:
        assert bool(rule.code) is not bool(rule.reader), rule.number
        if rule.code:
            assert rule.number in (ast.get_docstring((functions | methods)[rule.code]) or ""), rule.number
        else:
            assert (ROOT / rule.reader).is_file(), rule.number
            for name in rule.tests:
                file, _, function = name.partition("::")
                assert f"def {function}(" in (ROOT / file).read_text("utf-8"), name


def test_acts_that_date_each_other_by_their_years_have_one_answer() -> None:
    """Check that two acts, each with a version by the other one within a year, are dated in any order."""
    lines = """
A version inicio.vigencia;alteracao;[2002-01-01,2002-12-31] cause=Z
B version inicio.vigencia;alteracao;[2002-01-01,2002-12-31] cause=Y
T event e1 revogacao - - cause=A
T event e2 revogacao - - cause=B
"""
    first, second = Evidence(statements(lines)), Evidence(statements(lines))
    works = list(statements(lines).works)
    forwards = {work: first.history(work) for work in works}
    backwards = {work: second.history(work) for work in reversed(works)}
    assert forwards == backwards


@cases("decided_days", "case")
def test_decided_days_are_those_that_no_source_states(row: Mapping[str, Any]) -> None:
    """Check the days of a reason; see the table."""
    days = Evidence(statements(row["lines"])).decided_days(to_iri(norms()["T"])).get("e1")
    effect, known, *moved = row["decided"] or ("-", "-")
    assert days == (DecidedDays(_day(effect), _day(known), bool(moved)) if row["decided"] else None)


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text != "-" else None
