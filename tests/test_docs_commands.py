"""The tutorial and the how-to guides: their files are saved and their commands run, and print what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell_examples import program, run

pytestmark = pytest.mark.slow
DOCS = Path(__file__).resolve().parents[1] / "docs"
#: Commands that do not end with 0.
CODES = {"vigente --store mine.store load nomes.txt": 3}


@pytest.mark.parametrize(("page", "commands"), [("start/tutorial.md", 17)])
def test_the_commands_of_a_page_print_what_is_shown(page: str, commands: int, tmp_path: Path) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    (tmp_path / "work").mkdir()
    steps = list(run(text, tmp_path / "work", program(tmp_path)))
    assert len(steps) == commands
    for step in steps:
        assert (step.command, step.code) == (step.command, CODES.get(step.command, 0))
        assert step.holds, (step.command, step.shown, step.printed)
