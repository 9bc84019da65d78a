"""Tests of operation: /health, /ready, /metrics, and a switch to a newer snapshot without failed requests."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from graph.store import open_for_writing
from service.web.http.problems import Problem
from service.web.settings import Settings
from service.web.tasks.messages import Answer
from service.web.tasks.pool import Pool, Task
from tests.e2e.test_serve_process import Asking
from tests.support.serve_process import environment, served, until
from tests.support.sparql_endpoint import filled
from tests.support.web import serving
from tests.support.web_api import CODE


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("operations") / "store"
    with open_for_writing(folder, create=True):
        pass
    return folder


def _read_metrics(address: str) -> Mapping[str, float]:
    text = httpx.get(f"{address}/metrics").text
    return {name: float(value) for name, value in re.findall(r"^(\w.*) ([0-9.e+-]+)$", text, re.MULTILINE)}


def test_service_is_alive_and_ready(store: Path) -> None:
    with serving(Settings(store)) as address:
        assert httpx.get(f"{address}/health").json() == {"alive": True}
        assert httpx.get(f"{address}/ready").json() == {"ready": True, "snapshot": "1", "pool": "works"}


def test_service_without_a_snapshot_is_alive_but_not_ready(tmp_path: Path) -> None:
    with serving(Settings(tmp_path / "none")) as address:
        assert httpx.get(f"{address}/health").status_code == 200
        answer = httpx.get(f"{address}/ready")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert (answer.json()["code"], answer.json()["snapshot"]) == ("not-ready", None)
        assert str(tmp_path) not in answer.text
        assert httpx.get(f"{address}/vocab/evento").json()["code"] == "store-unavailable"
        assert httpx.get(f"{address}/metrics").status_code == 200


def test_missing_store_is_reported_and_reopened_when_it_returns(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = filled(tmp_path / "store")
    caplog.set_level("WARNING", "vigente.store")
    ask = {"query": "SELECT * { ?s ?p ?o }"}
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=60) as client:
        assert client.get("/ready").status_code == 200
        folder.rename(tmp_path / "elsewhere")
        until(lambda: client.get("/ready").status_code == 503)
        time.sleep(2.2)  # by now every process has checked the store
        seen = set()
        for _ in range(15):
            seen.add((client.get("/ready").status_code, client.get("/sparql", params=ask).status_code))
            seen.add((client.get("/ready").status_code, client.get(f"/api/v1/in-force?urn={CODE}").status_code))
            time.sleep(0.1)
        assert seen == {(503, 503)}
        assert [record.levelname for record in caplog.records if record.name == "vigente.store"] == ["WARNING"]
        (tmp_path / "elsewhere").rename(folder)
        until(lambda: client.get("/ready").status_code == 200)
        time.sleep(2.2)
        assert {client.get("/sparql", params=ask).status_code for _ in range(10)} == {200}


@pytest.mark.parametrize(("code", "status"), [("task-died", 503), ("time-limit", 503), ("busy", 200)])
def test_ready_reports_the_state_of_the_workers(
    store: Path, monkeypatch: pytest.MonkeyPatch, code: str, status: int
) -> None:
    async def fails(_: Pool, task: Task) -> Answer:
        raise Problem(503, code, task.kind)

    monkeypatch.setattr(Pool, "run", fails)
    with serving(Settings(store)) as address:
        answer = httpx.get(f"{address}/ready")
        assert (answer.status_code, answer.json()["pool"]) == (status, code)
        assert _read_metrics(address)[f'vigente_tasks_total{{kind="sparql",outcome="{code}"}}'] == 1


def test_requests_are_counted_by_route_not_by_path(store: Path) -> None:
    with serving(Settings(store)) as address:
        for n in range(30):
            httpx.get(f"{address}/queries/made-up-{n}")
            httpx.get(f"{address}/made-up-{n}")
            httpx.request(f"MADEUP{n}", f"{address}/ns")
        httpx.get(f"{address}/queries/timeline")
        counted = _read_metrics(address)
    assert counted['vigente_requests_total{method="GET",route="/queries/{name}",status="404"}'] == 30
    assert counted['vigente_requests_total{method="GET",route="/queries/{name}",status="200"}'] == 1
    assert counted['vigente_requests_total{method="GET",route="/{urn:anything}",status="404"}'] == 30
    assert counted['vigente_problems_total{code="unknown-address"}'] == 60
    assert counted['vigente_request_seconds_count{route="/queries/{name}"}'] == 31
    assert counted["vigente_snapshot_number"] == 1
    assert counted["vigente_snapshot_age_seconds"] >= 0
    assert not any("made-up" in name or "MADEUP" in name for name in counted)


def test_metrics_are_restricted_by_client_address(store: Path) -> None:
    with serving(Settings(store)) as address:
        assert httpx.get(f"{address}/metrics").status_code == 200
        for field in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):  # behind a proxy, every address is local
            answer = httpx.get(f"{address}/metrics", headers={field: "127.0.0.1"})
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    with serving(Settings(store, metrics_for=("127.0.0.2",))) as address:
        assert httpx.get(f"{address}/metrics").status_code == 403
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as client:
            assert client.get(f"{address}/metrics").status_code == 200


def test_new_snapshot_is_served_without_failed_requests(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    names = [tmp_path / f"names-{n}.txt" for n in range(3)]
    for n, file in enumerate(names):
        file.write_text(f"urn:lex:br:federal:lei:2020-01-02;9993{n}\n", encoding="utf-8")
    with served(folder, "--workers", "2") as service, Asking(service.address, "/ready") as asking:
        until(lambda: len(asking.answers) > 20)
        for file in names:
            command = [sys.executable, "-m", "service", "--store", str(folder), "load", str(file)]
            loaded = subprocess.run(command, env=environment(), capture_output=True, timeout=60, check=False)
            assert loaded.returncode == 0, loaded.stderr
        time.sleep(3)
        text = httpx.get(f"{service.address}/.well-known/void").text
    assert asking.cut == []
    assert asking.refused == 0
    assert {status for status, _ in asking.answers} == {200}
    snapshots = [re.findall(rb'"snapshot":"(\d+)"', body)[0] for _, body in asking.answers]
    assert snapshots[0] == b"1"
    assert int(snapshots[-1]) >= 4
    assert f'dcat:version "{snapshots[-1].decode()}"' in text
