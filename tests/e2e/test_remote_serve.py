"""Tests of ``vigente serve`` over each remote engine, and of ``vigente serve-graph``, used by SPARQLWrapper."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import httpx
import pytest
from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import EndPointNotFound

from graph import store as stores
from graph.store.remote.endpoint import Credentials
from service.cli import main
from service.cli.program import execute
from tests.support.cases import values
from tests.support.demo_store import demo_store
from tests.support.serve_process import Served as Service
from tests.support.serve_process import environment, until
from tests.support.serve_process import served as serve
from tests.support.served_engines import EngineName, Served, fill

# ``vigente serve`` over each remote engine


SAMPLE = Path(__file__).parents[2] / "samples"
LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
PATHS = values("remote_serve", "paths")
SERVICE = "SELECT * WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }"


@pytest.fixture(scope="module")
def beside(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a folder for an engine that has the sample, with the credentials in the environment."""
    folder = tmp_path_factory.mktemp("beside") / "store"
    served.empty()
    with pytest.MonkeyPatch.context() as environment:
        if isinstance(served.credentials, Credentials):
            environment.setenv("VIGENTE_ENDPOINT_USER", "dba")
            environment.setenv("VIGENTE_ENDPOINT_PASSWORD", "dba")
        if served.name is EngineName.OXIGRAPH:
            assert execute(["--store", str(folder), *served.options, "load", str(SAMPLE)]) == 0
        else:
            filled = tmp_path_factory.mktemp("filled") / "store"
            assert execute(["--store", str(filled), "load", str(SAMPLE)]) == 0
            with stores.open(filled) as store:
                fill(served.engine(), store.engine)
            served.connect(folder)
        yield folder


def _endpoint_variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith("VIGENTE_ENDPOINT_")}


@pytest.fixture(scope="module")
def service(beside: Path) -> Iterator[Service]:
    with serve(beside, begun=True, **_endpoint_variables()) as served:
        yield served


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("embedded") / "store"
    assert execute(["--store", str(folder), "load", str(SAMPLE)]) == 0
    with serve(folder) as served:
        yield served


@pytest.mark.parametrize("path", PATHS)
def test_answers_equal_those_of_the_embedded_store(path: str, service: Service, embedded: Service) -> None:
    def answer(service: Service, accept: str) -> tuple[int, list[str]]:
        response = httpx.get(service.address + path, headers={"Accept": accept}, follow_redirects=True, timeout=60)
        body = response.text.replace(service.address, "").replace(service.address.partition("//")[2], "")
        return response.status_code, sorted(body.splitlines()) if "turtle" in accept else body.splitlines()

    for accept in ("text/html", "application/json", "text/turtle"):
        assert answer(service, accept) == answer(embedded, accept), accept


def test_clients_cannot_write_or_reach_other_hosts(service: Service) -> None:
    def status(query: str) -> int:
        return httpx.get(f"{service.address}/sparql", params={"query": query}, timeout=60).status_code

    for update in ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "DROP ALL", "LOAD <http://127.0.0.1:9/>"):
        assert status(update) == 403
    assert status(SERVICE) == 400
    assert status("ASK { <urn:a> <urn:b> <urn:c> }") == 200


def test_service_follows_a_write(beside: Path, served: Served, service: Service, tmp_path: Path) -> None:
    if served.name is EngineName.VIRTUOSO:
        pytest.skip("Virtuoso is only read: its requests are not atomic")
    name = "urn:lex:br:federal:lei:2001-03-05;99981"
    url = f"{service.address}/api/v1/norms/{name}"
    before = httpx.get(url, timeout=60)
    assert before.status_code == 404
    (tmp_path / "names.txt").write_text(f"{name}\n", "utf-8")
    assert execute(["--store", str(beside), "load", str(tmp_path / "names.txt")]) == 0
    until(lambda: httpx.get(url, timeout=60).status_code == 200, 30)
    snapshots = [path for path in (beside / "snapshots").iterdir() if path.name.isdigit()]
    assert 1 <= len(snapshots) <= 3


def test_endpoint_outage_is_reported_and_recovered(served: Served, service: Service) -> None:
    url = f"{service.address}/api/v1/norms/{LAW}?on=1999-01-01"
    if served.name is EngineName.VIRTUOSO:
        pytest.skip("a killed Virtuoso keeps its lock file")
    served.kill()
    gone = httpx.get(url, timeout=60)
    assert (gone.status_code, gone.json()["code"]) == (503, "store-unavailable")
    assert "refused" not in gone.text
    served.start()
    until(lambda: _status(url) == 200, 30)


def _status(url: str) -> int:
    try:
        return httpx.get(url, timeout=60).status_code
    except httpx.TransportError:
        return 0


# ``vigente serve-graph``


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
