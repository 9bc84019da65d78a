"""Tests of ``vigente serve`` over each remote engine: the same answers, updates are followed, and access is limited."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graph import store as stores
from graph.store.remote.endpoint import Credentials
from service.cli.program import execute
from tests.support.serve_process import Served as Service
from tests.support.serve_process import served as serve
from tests.support.serve_process import until
from tests.support.served_engines import EngineName, Served, fill

SAMPLE = Path(__file__).parents[2] / "samples"
LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
PATHS = [
    "/",
    f"/{LAW}?on=1993-06-15",
    f"/{LAW}!art1?on=1993-06-15",
    "/urn:lex:br:federal:lei:2001-03-05;99916?on=2002-01-01",
    f"/timemap/{LAW}",
    f"/descriptions/{LAW}",
    f"/api/v1/norms/{LAW}?on=1993-06-15",
    f"/api/v1/norms/{LAW}/timeline",
    "/search?q=consumidor",
    "/queries",
    "/sparql?query=SELECT%20DISTINCT%20?s%20WHERE%20{%20?s%20a%20?c%20}%20ORDER%20BY%20?s%20LIMIT%2050",
]
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
