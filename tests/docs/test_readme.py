"""Tests of the README: its commands run as written, its table equals the graph's answers, its examples work."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from graph import store as stores
from queries.in_force import in_force
from tests.support.shell_examples import Step, program, run

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


Walked = tuple[Path, list[Step]]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Walked:
    """Run the commands of the README in order, and return them and their folder."""
    folder = tmp_path_factory.mktemp("readme")
    return folder, list(run(README, folder, program(tmp_path_factory.mktemp("program"))))


def test_commands_print_the_documented_output(walked: Walked) -> None:
    _, steps = walked
    assert len(steps) == 5
    for step in steps:
        assert (step.command, step.code) == (step.command, 0)
        assert step.holds, (step.command, step.shown, step.printed)


def test_table_matches_the_answers_of_the_graph(walked: Walked) -> None:
    folder, _ = walked
    rows = re.findall(r"^\| (\d{4}-\d\d-\d\d) \| (\d{4}-\d\d-\d\d) \| (.+) \|$", README, re.MULTILINE)
    assert len(rows) == 5
    with stores.open(folder / "vigente.store") as store:
        for on, known, documented in rows:
            answer = in_force(store, CODE, on, known)
            version = answer.version
            shown = f"none: `{answer.status}`" if version is None else f"`{version.name.removeprefix(CODE)}`"
            assert (on, known, documented) == (on, known, shown)


def test_python_example_runs(walked: Walked, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _ = walked
    monkeypatch.chdir(folder)
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 4
    assert results.failed == 0


def test_readme_is_short() -> None:
    assert README.count("\n") <= 150


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    documented = re.findall(r"^    make (\w+)", README, re.MULTILINE)
    assert documented == ["demo", "test"]
    assert set(documented) <= targets
