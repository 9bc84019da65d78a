"""Tests of docs/reference/checks.md and ontology.md: examples run, the table equals the shapes, the page is current."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from ontology.namespaces import VIG
from ontology.reference import page
from queries.checks import checks

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "checks.md"


@pytest.mark.parametrize("file", [PAGE, PAGE.with_name("profiles.md")])
def test_python_examples_run(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(file), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= 12


def test_check_table_is_complete() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    documented = [row for row in rows if row[1] in ("violation", "warning", "info")]
    assert documented == [(code, check.severity.value, check.message) for code, check in sorted(checks().items())]


def test_ontology_page_is_up_to_date() -> None:
    """Compare the page with the output of `python -m ontology.reference`, which writes it."""
    written = (ROOT / "docs" / "reference" / "ontology.md").read_text("utf-8")
    assert written == page()
    assert sorted(re.findall(r"^### vig:(\w+)$", written, re.MULTILINE)) == sorted(VIG)
