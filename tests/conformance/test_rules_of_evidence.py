"""Tests of every rule of evidence with its example, from statements to versions and events, without a store."""

from __future__ import annotations

import ast
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graph.time.evidence import DecidedDays, Evidence
from graph.time.statements import Statements
from graph.urn import to_iri
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


_ACT = "A version 2002-02-01;publicacao;2002-01-11\n"
_MOVED = f"{_ACT}A version 2002-03-01;prorrogacao.vacatio;2002-01-21\n"
_START = "T version inicio.vigencia;publicacao;2001-03-20\n"


@pytest.mark.parametrize(
    ("lines", "decided"),
    [
        pytest.param(f"{_ACT}T event e1 revogacao 2002 2002 cause=Y", ("2002-02-01", "2002-01-11"), id="E1"),
        pytest.param(f"{_ACT}T event e1 revogacao 2002-02-01 2002-01-11 cause=A", None, id="both stated"),
        pytest.param(f"{_ACT}T event e1 revogacao - 2002-01-20 cause=A", ("2002-02-01", None), id="E8"),
        pytest.param(f"{_MOVED}T event e1 revogacao - - cause=A", ("2002-03-01", "2002-01-11", True), id="R9"),
        pytest.param(f"{_ACT}T event e1 suspensao 2002-01-10 2002-01-10 cause=A", None, id="E5: a day is stated"),
        pytest.param(f"{_ACT}T event e1 suspensao 2003 2002 cause=Y", (None, "2002-01-11"), id="E1, knowledge alone"),
        pytest.param(f"{_ACT}T event e1 suspensao 2002-05-01 - cause=A", (None, "2002-01-11"), id="E9"),
        pytest.param(f"{_ACT}T event e1 interpretacao - - cause=A", (None, "2002-01-11"), id="decides nothing"),
        pytest.param(f"{_ACT}T event e1 interpretacao - 2002 cause=Y", (None, "2002-01-11"), id="decides nothing, E1"),
        pytest.param(f"{_ACT}T event e1 interpretacao - 2002 cause=A", None, id="decides nothing, bounds"),
        pytest.param("T event e1 interpretacao - - cause=A", (None, "2002-01-10"), id="decides nothing, signature"),
        pytest.param("T event e1 interpretacao - -", None, id="decides nothing, no act"),
        pytest.param("T event e1 interpretacao - - cause=P", None, id="decides nothing, act without a day"),
        pytest.param(
            f"{_ACT}T event e1 inicio.vigencia - 2002 cause=Y", (None, "2002-01-11"), id="start without a day"
        ),
        pytest.param(f"{_ACT}T event e1 revogacao - - cause=A makes=yes", None, id="made a version"),
        pytest.param("A lives\nT event e1 revogacao 2002 2002 cause=Y", ("2002-01-10", "2002-01-10"), id="signature"),
        pytest.param(
            f"{_START}T event e1 inicio.vigencia 2001-03-05/2001-12-31 2001-03-05/2001-12-31",
            ("2001-03-20", "2001-03-20"),
            id="E13",
        ),
        pytest.param(
            "A lives\nT event e1 inicio.vigencia 2002-01-10/2002-12-31 2002-01-10/2002-12-31 cause=Y!art2",
            None,
            id="E13 without a publication",
        ),
        pytest.param(
            "T event e0 redacao 2002-01-01/2002-12-31 2002-01-01/2002-12-31 cause=B wording=multivigente\n"
            "T event e1 revogacao 2002-01-02/2002-12-31 2002-01-02/2002-12-31",
            None,
            id="E4 orders two events, and dates none",
        ),
    ],
)
def test_decided_days_are_those_that_no_source_states(lines: str, decided: tuple[Any, ...] | None) -> None:
    """Check the days of a reason: ``(effect, known, with_cause)``, or None if the sources' own days stay."""
    days = Evidence(statements(lines)).decided_days(to_iri(norms()["T"])).get("e1")
    if decided is None:
        assert days is None
    else:
        effect, known, *moved = decided
        assert days == DecidedDays(_day(effect), _day(known), bool(moved))


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text is not None else None
