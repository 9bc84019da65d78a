"""Tests of docs/reference/remote.md: the commands for a graph behind an endpoint, copies for readers, bulk loaders."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
import typer

from graph import store as stores
from service.cli.program import app, execute
from service.web.settings import Limits, Settings
from tests.docs.test_reverse_proxy import find_program, free_port, nginx, proxy
from tests.support.cases import constant
from tests.support.harvesting import FIRST, everything, numbers, repository
from tests.support.oai_repository import StoredRecord
from tests.support.oai_server import OaiServer
from tests.support.records import record
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


#: The norms of the store that readers answer from; a POST for all runs as two tasks.
NAMES = [f"urn:lex:br:federal:lei:2000-01-01;{number}" for number in range(99901, 100103)]
EXPRESSION = "<http://iflastandards.info/ns/fr/frbr/frbroo/F22_Self-Contained_Expression>"
#: Requests whose answers have versions. Worker processes make them.
REQUESTS: list[dict[str, Any]] = [
    {"url": "/sparql", "params": {"query": f"SELECT DISTINCT ?v {{ ?v a {EXPRESSION} }} ORDER BY ?v"}},
    {"url": f"/timeline/{NAMES[0]}"},
    {"url": "/api/v1/in-force", "method": "POST", "json": {"names": NAMES}},
]


def test_readers_behind_nginx_never_mix_snapshots(tmp_path: Path, shell: Callable[..., str]) -> None:
    """Two readers answer while the writer publishes; all versions of a snapshot have the day of its publication."""
    find_program("rsync")
    send = _shell_block("--link-dest").replace("/srv/vigente", f"{tmp_path}/$reader")
    readers = [tmp_path / "reader-1.example", tmp_path / "reader-2.example"]
    bodies: defaultdict[str, list[bytes]] = defaultdict(list)
    ended = Event()

    def publish(day: int) -> None:
        with stores.open_for_writing(tmp_path / "vigente.store", create=True) as store:
            store.apply([record(f"{name}@2000-01-{day:02};publicacao;2000-01-01", key=name) for name in NAMES])
        shell(send, readers=" ".join(reader.name for reader in readers))

    def ask(address: str, request: Mapping[str, Any]) -> None:
        with httpx.Client(base_url=address, headers={"Host": "vigente.example"}, timeout=60) as client:
            while not ended.is_set():
                answer = client.request(**{"method": "GET", **request})
                assert answer.status_code == 200, answer.text
                assert len(set(re.findall(r"@(2000-01-..);", answer.text))) == 1, answer.text
                bodies[answer.headers.get("ETag", f"{request['url']} {answer.text}")].append(answer.content)

    publish(1)
    with ExitStack() as stack:
        (upstream,) = re.findall(r"^```nginx\n(.*?)^```", REMOTE, re.DOTALL | re.MULTILINE)
        for reader in readers:
            settings = Settings(reader, "https://vigente.example", ("vigente.example",), limits=Limits(per_client=16))
            address = stack.enter_context(serving(replace(settings, proxies=("127.0.0.1",))))
            upstream = upstream.replace(f"{reader.name}:8000", address.removeprefix("http://"))
        port = free_port()
        address = stack.enter_context(proxy(nginx(tmp_path, port, "http://readers", upstream), tmp_path, port))
        threads = stack.enter_context(ThreadPoolExecutor())
        stack.callback(ended.set)
        asking = [threads.submit(ask, address, request) for request in REQUESTS]
        for day in range(2, 6):
            publish(day)
        copies = [sorted((reader / "snapshots").iterdir()) for reader in readers]
        assert [len(some) for some in copies] == [2, 2], "expected the newest and the previous snapshot"
        for number in range(50):  # the readers switch faster than a writer publishes
            for reader, some in zip(readers, copies, strict=True):
                (reader / "next").symlink_to(some[number % 2].relative_to(reader))
                (reader / "next").replace(reader / "current")
            time.sleep(0.2)
        ended.set()
        for future in asking:
            future.result()
    assert {len(set(found)) for found in bodies.values()} == {1}
    assert sum(map(len, bodies.values())) > 50
    for reader in readers:
        assert _quads_of(reader) == _quads_of(tmp_path / "vigente.store")


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
