"""Tests of ``vigente serve-graph``: Oxigraph's server over the published graph, read only, used by SPARQLWrapper."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import EndPointNotFound

from service.cli import main
from tests.support.demo_store import demo_store
from tests.support.serve_process import environment, until

ROOT = Path(__file__).resolve().parents[2]
REMOTE = (ROOT / "docs" / "reference" / "remote.md").read_text(encoding="utf-8")
_SERVING_LINE = re.compile(r"vigente: .*, snapshot \w+, SPARQL at (http://\S+)/query\n")


@contextmanager
def _serving_graph(store: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``vigente serve-graph``, and yield the process and its address."""
    command = [sys.executable, "-m", "service", "--store", str(store), "serve-graph", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        match = _SERVING_LINE.fullmatch(line)
        try:
            assert match is not None, line
            until(lambda: _is_answering(match[1]))
            yield process, match[1]
        finally:
            process.terminate()
            process.wait(30)


def _make_client(address: str) -> SPARQLWrapper:
    made = SPARQLWrapper(f"{address}/query", f"{address}/update", returnFormat=JSON)
    made.setMethod(POST)
    return made


def _is_answering(address: str) -> bool:
    made = _make_client(address)
    made.setQuery("ASK {}")
    try:
        return bool(made.queryAndConvert()["boolean"])  # type: ignore[call-overload, index]  # JSON was asked for
    except OSError:
        return False


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_store(tmp_path_factory.mktemp("graph"))


def test_served_graph_matches_the_documentation_and_is_read_only(store: Path) -> None:
    (example,) = [block for block in re.findall(r"```python\n(.*?)```", REMOTE, re.DOTALL) if "SPARQLWrapper" in block]
    with _serving_graph(store) as (process, address):
        namespace: dict[str, Any] = {}
        exec(example.replace("http://127.0.0.1:7878", address), namespace)  # noqa: S102 - the page's own example
        (row,) = namespace["rows"]
        assert int(row["n"]["value"]) > 10
        update = _make_client(address)
        update.setQuery("INSERT DATA { <urn:a> <urn:b> <urn:c> }")
        with pytest.raises((EndPointNotFound, HTTPError)):
            update.query()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_missing_store_is_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", str(tmp_path / "none"), "serve-graph", "--port", "0"]) == 4
    assert "none" in capfd.readouterr().err
