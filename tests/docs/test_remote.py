"""Tests of the commands in docs/reference/remote.md: copies for readers, and bulk loaders."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from graph import store as stores
from service.cli.program import execute
from service.web.settings import Settings
from tests.support.serve_process import until
from tests.support.served_engines import WHY_NOT, EngineName, programs, serving_engine
from tests.support.web import serving

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
        until(lambda: httpx.get(asked, params={"urn": LAW}).status_code == 200)  # checked once a second
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
