"""Tests of docs/reference/remote.md: the commands for a graph behind an endpoint, copies for readers, bulk loaders."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer

from graph import store as stores
from service.cli.program import app, execute
from service.web.settings import Settings
from tests.support.cases import constant
from tests.support.harvesting import FIRST, everything, numbers, repository
from tests.support.oai_repository import StoredRecord
from tests.support.oai_server import OaiServer
from tests.support.serve_process import until
from tests.support.served_engines import WHY_NOT, EngineName, Served, programs, serving_engine
from tests.support.web import serving

# The commands in docs/reference/remote.md


ROOT = Path(__file__).resolve().parents[2]
REMOTE = (ROOT / "docs" / "reference" / "remote.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "samples"
LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
#: Replaces ssh: runs the command after the machine's name locally.
SSH = '#!/bin/sh\nshift\nexec sh -c "$*"\n'


def _shell_block(of: str) -> str:
    """Return the shell block that contains some words."""
    (block,) = [candidate for candidate in re.findall(r"```sh\n(.*?)```", REMOTE, re.DOTALL) if of in candidate]
    return str(block)


def _shell_line(of: str) -> str:
    """Return the shell line that contains some words."""
    (line,) = [candidate for candidate in re.findall(r"^    (.*)$", REMOTE, re.MULTILINE) if of in candidate]
    return str(line)


@pytest.fixture
def shell(tmp_path: Path) -> Callable[..., str]:
    """Return a function: ``shell(script, **environment)`` runs a script and returns its output.

    Its folder has ``vigente`` and ``ssh`` in the path.
    """
    programs_ = {"vigente": f'#!/bin/sh\nexec "{sys.executable}" -m service "$@"\n', "ssh": SSH}
    (tmp_path / "bin").mkdir()
    for name, text in programs_.items():
        (tmp_path / "bin" / name).write_text(text, "utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    path = os.pathsep.join((str(tmp_path / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]))

    def run(script: str, **environment: str) -> str:
        variables = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **environment}
        done = subprocess.run(
            ["sh", "-c", script], cwd=tmp_path, env=variables, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def _quads_of(folder: Path) -> frozenset[str]:
    with stores.open(folder) as store:
        return frozenset(map(str, store.engine))


def test_remote_reader_receives_successive_snapshots(tmp_path: Path, shell: Callable[..., str]) -> None:
    remote_folder = tmp_path / "srv"
    send = _shell_block("vigente.store.sent").replace("/srv/vigente", str(remote_folder))
    files = sorted((SAMPLE / "oai").glob("*.xml"))

    def published(file: Path) -> None:
        assert execute(["--store", str(tmp_path / "vigente.store"), "load", str(file)]) == 0
        shell(send, reader="leitora")
        assert _quads_of(remote_folder) == _quads_of(tmp_path / "vigente.store")

    published(files[0])
    with serving(Settings(remote_folder)) as address:
        before = httpx.get(f"{address}/health").json()
        for file in files[1:4]:
            published(file)
        kept = sorted(path.name for path in (remote_folder / "snapshots").iterdir())
        newest = (remote_folder / "current").readlink().name
        assert kept == sorted([str(int(newest) - 1), newest]), "expected the newest two snapshots"
        asked = f"{address}/api/v1/timeline"
        until(lambda: httpx.get(asked, params={"urn": LAW}, timeout=60).status_code == 200)  # checked once a second
        assert before == httpx.get(f"{address}/health").json()
    assert not (remote_folder / "new").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", list(EngineName))
def test_graph_comes_to_an_engine_by_its_bulk_loader(
    name: EngineName, tmp_path: Path, shell: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if programs(name) is None:
        pytest.skip(WHY_NOT[name])
    (tmp_path / "sources").symlink_to(SAMPLE / "oai")
    shell(_shell_line("./embedded load"))
    shell(_shell_line("./embedded export"))
    monkeypatch.setenv("VIRTUOSO_LOADS", str(tmp_path / "bulk"))
    with serving_engine(name, tmp_path / "engine", rows=1_000_000) as engine:
        if name is EngineName.OXIGRAPH:
            engine.kill()
            shell(_shell_line("oxigraph load").replace("--location data", f"--location {tmp_path / 'engine' / 'data'}"))
            engine.start()
        else:
            shell(_shell_line('isql-vt 127.0.0.1:1111 dba dba exec="ld_dir').replace("1111", engine.sql_port))
        answer = shell(_shell_line("./beside --endpoint").replace("http://127.0.0.1:8890", engine.url))
        assert "in force" in answer
        assert _quads_of(tmp_path / "beside") == _quads_of(tmp_path / "embedded") != frozenset()


# The page docs/reference/remote.md

#: An address without a listener.
UNREACHABLE_ENDPOINT = "http://127.0.0.1:9"
#: For each command that needs no store, arguments with which it succeeds.
STORELESS_COMMANDS = constant("remote_commands", "storeless_commands")
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
    monkeypatch.setattr("graph.store.remote.endpoint.time.sleep", lambda _: None)
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
