"""Tests of docs/reference/endpoint.md: its examples print what is shown, and its tables equal the code."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from graph.entities import Record
from graph.store import open_for_writing
from service.web.http.negotiation import GRAPHS, RESULTS, SHORT_NAMES
from service.web.http.problem_codes import MEANINGS
from service.web.settings import Connections, Limits, Settings
from service.web.sparql import LONGEST_TARGET
from tests.conformance.test_w3c_queries import KNOWN
from tests.support.web import serving

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "endpoint.md").read_text(encoding="utf-8")
DOCUMENTED_ADDRESS = "http://localhost:8000"
ELLIPSIS = doctest.ELLIPSIS | doctest.REPORT_NDIFF


def _read_examples() -> list[tuple[str, str]]:
    """Return commands with their output."""
    examples = []
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = example.splitlines(keepends=True)
            end = next(n for n in range(1, len(lines) + 1) if "".join(lines[:n]).count("'") % 2 == 0)
            examples.append(("".join(lines[:end]), "".join(lines[end:])))
    return examples


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, code_records: Sequence[Record]) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("docs") / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply(code_records)
    with serving(Settings(folder)) as address:
        yield address


@pytest.mark.skipif(shutil.which("curl") is None, reason="this system has no curl")
@pytest.mark.parametrize(("command", "printed"), _read_examples())
def test_example_returns_the_documented_output(command: str, printed: str, address: str) -> None:
    words = shlex.split(command.replace(DOCUMENTED_ADDRESS, address))
    assert words[0] == "curl"
    run = subprocess.run([*words, "--max-time", "20"], capture_output=True, text=True, timeout=30, check=True)
    output = run.stdout.replace(address, DOCUMENTED_ADDRESS).rstrip("\n") + "\n"
    wanted = printed.replace("\n...\n", "\n...")  # any number of lines
    assert doctest.OutputChecker().check_output(wanted, output, ELLIPSIS), output


def test_examples_cover_every_request_form() -> None:
    commands = [command for command, _ in _read_examples()]
    assert len(commands) == 8
    for part in ("-G ", "--data-urlencode 'query=", "application/sparql-query", "-I ", "format=", "update="):
        assert any(part in command for command in commands)


def _table_rows(head: str) -> list[list[str]]:
    """Return the rows of the table whose first column has this name."""
    lines = PAGE[PAGE.index(f"| {head} |") :].split("\n\n", maxsplit=1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_format_table_is_complete() -> None:
    documented: dict[str, list[str]] = {}
    for _, media, names in _table_rows("answer to"):
        for name in re.findall(r"`([^`]+)`", names):
            documented.setdefault(name, []).extend(re.findall(r"`([^`]+)`", media))
    documented["json"].remove("application/json")
    assert {name: tuple(media) for name, media in documented.items()} == dict(SHORT_NAMES)
    listed = [media for row in _table_rows("answer to") for media in re.findall(r"`([^`]+)`", row[1])]
    assert set(listed) == {*RESULTS, *GRAPHS}


def test_error_table_and_limits_are_correct() -> None:
    codes = {code for row in _table_rows("status") for code in re.findall(r"`([^`]+)`", row[1])}
    assert codes <= set(MEANINGS)
    limits = Limits()
    for number in (limits.query_length, limits.body_bytes, limits.answer_bytes, LONGEST_TARGET):
        assert f" {number:,} " in PAGE
    for seconds in (limits.query_seconds, Connections().body_seconds):
        assert f"more than {seconds:g} seconds" in PAGE


def test_documented_test_suite_count_is_correct() -> None:
    assert f"{235 - len(KNOWN)} of 235" in PAGE
