"""Tests that docs/reference/settings.md and problems.md equal the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import typer

from graph.store import open_for_writing
from service.cli.program import app
from service.web.http.problem_codes import MEANINGS
from service.web.settings import Settings
from tests.support.web import serving

DOCS = Path(__file__).resolve().parents[2] / "docs"
SETTINGS = (DOCS / "reference" / "settings.md").read_text(encoding="utf-8")


def _rows(text: str, head: str) -> list[list[str]]:
    """Return the rows of the table whose first line begins with ``head``."""
    lines = text[text.index(f"| {head} |") :].split("\n\n", maxsplit=1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_settings_tables_match_the_options() -> None:
    root: Any = typer.main.get_command(app)
    option_rows = [
        (f"`{p.opts[0]}`", f"`{p.envvar}`", f"`{p.default}`" if p.default not in ("", False, None) else "")
        for p in root.commands["serve"].params
        if p.name != "help"
    ]
    assert [(option, variable, default) for option, variable, default, _ in _rows(SETTINGS, "option")] == option_rows
    for option, variable, _ in option_rows:
        assert variable == f"`VIGENTE_{option[3:-1].replace('-', '_').upper()}`"


def test_metrics_table_matches_the_metrics(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "store", create=True):
        pass
    with serving(Settings(tmp_path / "store")) as address:
        httpx.get(f"{address}/ready", timeout=60)
        text = httpx.get(f"{address}/metrics", timeout=60).text
    documented = {name.strip("`"): set(labels.split(", ")) - {""} for name, labels, _ in _rows(SETTINGS, "metric")}
    types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    assert set(documented) == {name for name in types if not name.endswith("_created")}
    for name, labels in documented.items():
        match = re.search(rf"^{name}(?:_count)?{{(.*)}} ", text, re.MULTILINE)
        if match is not None:
            assert set(re.findall(r'(\w+)="', match[1])) == labels, name


def test_problem_code_table_matches_the_code() -> None:
    problems = (DOCS / "reference" / "problems.md").read_text(encoding="utf-8")
    assert {code.strip("`"): meaning for code, meaning in _rows(problems, "code")} == dict(MEANINGS)
