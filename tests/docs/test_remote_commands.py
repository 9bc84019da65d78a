"""Tests of docs/reference/remote.md: the commands that work on a graph behind an endpoint equal the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from service.cli.program import app, execute
from tests.support.harvesting import FIRST, everything, numbers, repository
from tests.support.oai_repository import StoredRecord
from tests.support.oai_server import OaiServer
from tests.support.served_engines import Served

REMOTE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "remote.md").read_text(encoding="utf-8")
#: An address without a listener.
UNREACHABLE_ENDPOINT = "http://127.0.0.1:9"
LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
#: For each command that needs no store, arguments with which it succeeds.
STORELESS_COMMANDS = {
    "convert": ["convert", "out.nq", "names.txt"],
    "name parse": ["name", "parse", LAW],
    "name canonical": ["name", "canonical", LAW],
    "name label": ["name", "label", LAW],
    "name from-epigraph": [
        "name",
        "from-epigraph",
        "Lei nº 8.078, de 11 de setembro de 1990",
        "--authority",
        "federal",
    ],
    "cite": ["cite", "Lei nº 8.078/90"],
    "queries": ["queries"],
    "structure": ["structure", "act.txt"],
    "amendments": ["amendments", "act.txt"],
}
REJECTED_COMMANDS = {
    "demo": ["demo"],
    "optimize": ["optimize"],
    "backup": ["backup", "target"],
    "restore": ["restore", "target"],
    "serve-graph": ["serve-graph", "--port", "0"],
}


def _commands_of_row(row: str) -> set[str]:
    """Return the commands of the row with this text."""
    (cells,) = re.findall(rf"^\| ([^|]+) \| {row}", REMOTE, re.MULTILINE)
    return set(re.findall(r"`([^`]+)`", cells))


def commands() -> Iterator[str]:
    waiting: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while waiting:
        words, group = waiting.pop()
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                waiting.append((f"{words}{name} ", command))
            else:
                yield words + name


def test_every_command_is_in_one_row() -> None:
    rows = [
        _commands_of_row("write to the endpoint"),
        _commands_of_row("the same answers"),
        _commands_of_row("need no store"),
        _commands_of_row("refused, exit code 4"),
    ]
    assert sorted(command for row in rows for command in row) == sorted(commands())
    assert rows[2] == set(STORELESS_COMMANDS)
    assert rows[3] == set(REJECTED_COMMANDS)


@pytest.mark.parametrize("command", STORELESS_COMMANDS)
def test_commands_without_a_store_do_not_contact_the_endpoint(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.txt").write_text(f"{LAW}\n", "utf-8")
    Path("act.txt").write_text("LEI Nº 99.901, DE 2 DE JANEIRO DE 2001\n\nArt. 1º Esta Lei é fictícia.\n", "utf-8")
    assert execute(["--store", "beside", "--endpoint", UNREACHABLE_ENDPOINT, *STORELESS_COMMANDS[command]]) == 0, (
        capfd.readouterr().err
    )
    assert not Path("beside").exists()


def test_harvest_writes_to_the_endpoint(written: Served, tmp_path: Path) -> None:
    """Run two harvests; the second has a change and a new record. The graph equals that of a store in a folder."""
    written.empty()
    provider = repository(6)
    places = {"here": ["--store", str(tmp_path / "here")]}
    places["there"] = ["--store", str(tmp_path / "beside"), *written.options]
    with OaiServer(provider) as server:
        for late in (None, FIRST + 6):
            if late is not None:
                provider.put(StoredRecord(late, stamp="2026-02-01T10:00:00Z"))
            for where in places.values():
                assert execute([*where, "harvest", server.url, "--politeness", "0"]) == 0
            assert numbers(tmp_path / "beside") == numbers(tmp_path / "here") == everything(6 if late is None else 7)
    assert (tmp_path / "beside" / "harvest").is_dir()


@pytest.mark.parametrize("command", REJECTED_COMMANDS)
def test_commands_for_local_stores_are_rejected_with_advice(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert execute(["--store", "beside", "--endpoint", UNREACHABLE_ENDPOINT, *REJECTED_COMMANDS[command]]) == 4
    printed = capfd.readouterr()
    assert printed.err.startswith(f"vigente: `vigente {command}` needs a graph in the folder, not behind an endpoint: ")
    assert printed.err.count("\n") == 1
    assert printed.err.endswith("(docs/reference/remote.md)\n")
    assert printed.out == ""
    assert not Path("beside").exists()


def test_unreachable_endpoint_is_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["--store", str(tmp_path / "beside"), "--endpoint", UNREACHABLE_ENDPOINT, "stats"]) == 4
    assert "127.0.0.1:9" in capfd.readouterr().err
    assert not (tmp_path / "beside").exists()


@pytest.mark.parametrize("command", ["serve", "load"])
def test_help_does_not_contact_the_endpoint(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["--endpoint", UNREACHABLE_ENDPOINT, command, "--help"]) == 0
    assert f"vigente {command}" in capfd.readouterr().out
