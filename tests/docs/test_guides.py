"""Tests of the tutorial and the how-to guides: their files are saved, and their commands print what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.harvesting import repository
from tests.support.oai_server import OaiServer
from tests.support.shell_examples import program, run

pytestmark = pytest.mark.slow
DOCS = Path(__file__).resolve().parents[2] / "docs"
#: Commands whose exit code is not 0.
CODES = {"vigente --store mine.store load nomes.txt": 3}


@pytest.mark.parametrize(
    ("page", "commands"),
    [
        ("start/tutorial.md", 17),
        ("how-to/correct-a-fact.md", 10),
        ("how-to/ask-in-sparql.md", 4),
        ("how-to/add-a-source.md", 2),
    ],
)
def test_commands_print_the_documented_output(page: str, commands: int, tmp_path: Path) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    (tmp_path / "work").mkdir()
    steps = list(run(text, tmp_path / "work", program(tmp_path)))
    assert len(steps) == commands
    for step in steps:
        assert (step.command, step.code) == (step.command, CODES.get(step.command, 0))
        assert step.holds, (step.command, step.shown, step.printed)


def test_harvesting_commands_print_the_documented_output(tmp_path: Path) -> None:
    text = (DOCS / "how-to" / "harvest.md").read_text(encoding="utf-8")
    (tmp_path / "work").mkdir()
    with OaiServer(repository(30)) as server:
        here = {"https://provider.example/oai": server.url, "provider.example": f"127.0.0.1:{server.port}"}
        steps = list(run(text, tmp_path / "work", program(tmp_path), here, messages=True))
    assert len(steps) == 6
    for step in steps:
        assert (step.command, step.code) == (step.command, 0)
        assert step.holds, (step.command, step.shown, step.printed)
