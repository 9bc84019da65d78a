"""Tests of docs/explanation/time.md: its Python runs, and its table of the consumer code equals the derivation."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from graph.vigencia import Status
from tests.support.vigencia_tables import check, view

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "time.md"
ROW = re.compile(r"\| (\d{4}-\d{2}-\d{2}) \| (\d{4}-\d{2}-\d{2}) \| `([^`]+)` \|")
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))

MEMBERS = [
    view(f"@{start};{word};{seen}", start, seen, word)
    for start, word, seen in (
        ("1991-03-11", "assinatura", "1990-09-11"),
        ("1991-03-11", "publicacao", "1990-09-12"),
        ("1993-05-22", "alteracao", "1993-05-22"),
        ("1993-09-08", "alteracao", "1993-09-08"),
        ("1991-03-11", "retificacao", "2007-01-10"),
        ("1993-05-22", "retificacao", "2007-01-10"),
        ("1993-09-08", "retificacao", "2007-01-10"),
    )
]


def test_python_examples_run() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert outcome.attempted >= 9
    assert outcome.failed == 0


def test_table_has_ten_rows() -> None:
    assert len(ROWS) == 10


@pytest.mark.parametrize(("day", "known", "answer"), ROWS)
def test_table_row_matches_the_answer(day: str, known: str, answer: str) -> None:
    check(f"{day} {known} {answer}", MEMBERS)


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.IN_FORCE}))
def test_every_status_without_a_version_is_explained(status: Status) -> None:
    assert f"`{status}`" in PAGE.read_text(encoding="utf-8")
