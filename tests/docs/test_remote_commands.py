"""Tests of docs/reference/remote.md: the commands that work on a graph behind an endpoint equal the program."""

from __future__ import annotations

import re
import shlex
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
    "convert": "out.nq names.txt",
    "name parse": LAW,
    "name canonical": LAW,
    "name label": LAW,
    "name from-epigraph": "'Lei nº 8.078, de 11 de setembro de 1990' --authority federal",
    "cite": "'Lei nº 8.078/90'",
    "queries": "",
    "structure": "act.txt",
    "amendments": "act.txt",
}
REJECTED_COMMANDS = {"demo": "", "optimize": "", "backup": "target", "restore": "target", "serve-graph": "--port 0"}
BESIDE = ["--store", "beside", "--endpoint", UNREACHABLE_ENDPOINT]


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


def test_commands_without_a_store_do_not_contact_the_endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.txt").write_text(f"{LAW}\n", "utf-8")
    Path("act.txt").write_text("LEI Nº 99.901, DE 2 DE JANEIRO DE 2001\n\nArt. 1º Esta Lei é fictícia.\n", "utf-8")
    for command, arguments in STORELESS_COMMANDS.items():
        assert execute([*BESIDE, *command.split(), *shlex.split(arguments)]) == 0, capfd.readouterr().err
    for command in ("serve", "load"):
        capfd.readouterr()
        assert execute([*BESIDE, command, "--help"]) == 0
        assert f"vigente {command}" in capfd.readouterr().out
    assert not Path("beside").exists()


def test_commands_for_local_stores_are_rejected_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command, arguments in REJECTED_COMMANDS.items():
        assert execute([*BESIDE, command, *arguments.split()]) == 4
        printed = capfd.readouterr()
        needed = f"vigente: `vigente {command}` needs a graph in the folder, not behind an endpoint: "
        assert printed.err.startswith(needed)
        assert (printed.err.count("\n"), printed.out) == (1, "")
        assert printed.err.endswith("(docs/reference/remote.md)\n")
    for command in ("stats", "serve --port 0"):
        assert execute([*BESIDE, *command.split()]) == 4
        err = capfd.readouterr().err
        assert ("127.0.0.1:9" in err, "Traceback" in err) == (True, False)
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
