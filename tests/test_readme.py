"""The README: its tour runs as written, its table is what the graph answers, its examples work."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph import store as stores
from queries import in_force

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (ROOT / "docs" / "start" / "tutorial.md").read_text(encoding="utf-8")
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
#: Ends of the commands of the tour that don't end with 0.
CODES = {"load nomes.txt": 3}


def _tour() -> Iterator[tuple[str, list[str]]]:
    """The commands of the README and of the tour with the lines they print."""
    for block in re.findall(r"```console\n(.*?)```", README + TOUR, re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = step.splitlines()
            yield command, lines


def _program(folder: Path) -> dict[str, str]:
    """An environment in which ``vigente`` is the program of this checkout, installed or not."""
    program = folder / "bin" / "vigente"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m service "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    plain = {name: value for name, value in os.environ.items() if name != "VIGENTE_STORE"}
    return {**plain, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, list[str], int, list[str]]]]:
    """The tour taken in order: where, and of each command what is written, how it ended and what it printed."""
    folder = tmp_path_factory.mktemp("tour")
    environment = _program(tmp_path_factory.mktemp("program"))
    steps = []
    for command, written in _tour():
        ended = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
        )
        steps.append((command, written, ended.returncode, ended.stdout.splitlines()))
    return folder, steps


def test_the_tour(walked: tuple[Path, list[tuple[str, list[str], int, list[str]]]]) -> None:
    _, steps = walked
    assert len(steps) >= 12
    for command, written, code, printed in steps:
        expected = next((code for end, code in CODES.items() if command.endswith(end)), 0)
        assert (command, code) == (command, expected)
        if "..." in written:
            shown = written[1:-1]
            assert (written[0], written[-1]) == ("...", "...")
            start = printed.index(shown[0])
            assert printed[start : start + len(shown)] == shown
        else:
            assert (command, printed) == (command, written)


def test_the_table_is_what_the_graph_answers(
    walked: tuple[Path, list[tuple[str, list[str], int, list[str]]]],
) -> None:
    folder, _ = walked
    rows = re.findall(r"^\| (\d{4}-\d\d-\d\d) \| (\d{4}-\d\d-\d\d) \| (.+) \|$", README, re.MULTILINE)
    assert len(rows) == 5
    with stores.open(folder / "vigente.store") as store:
        for on, known, told in rows:
            answer = in_force(store, CODE, on, known)
            version = answer.version
            shown = f"none: `{answer.status}`" if version is None else f"`{version.name.removeprefix(CODE)}`"
            assert (on, known, told) == (on, known, shown)


def test_the_python_example(
    walked: tuple[Path, list[tuple[str, list[str], int, list[str]]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = walked
    monkeypatch.chdir(folder)
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted >= 4
    assert found.failed == 0


def test_the_two_commands_are_in_the_makefile() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    told = re.findall(r"^    make (\w+)", README, re.MULTILINE)
    assert told == ["demo", "test"]
    assert set(told) <= targets
