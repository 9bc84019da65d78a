"""Tests of ``vigente serve``: start and stop, dead processes, snapshots, logs, /health, /ready and /metrics."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import socket
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from graph.store import open_for_writing
from graph.store.caching import CachingStore
from service.cli import main
from service.cli.serving import _warn
from service.web.http.problems import Problem
from service.web.published import SnapshotReader
from service.web.settings import Settings
from service.web.tasks.messages import Answer
from service.web.tasks.pool import Pool, Task
from tests.support.raw_http import rest, statuses
from tests.support.serve_process import Served, children, served, until
from tests.support.sparql_endpoint import filled
from tests.support.tasks import alive
from tests.support.web import serving
from tests.support.web_api import CODE

LOOPS = 4
LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
WRONG = "urn:lex:br:federal:lei:1990-13-41;1"
REJECTED_REQUESTS = (
    *(f"/api/v1/in-force?urn={name}" for name in (WRONG, LAW)),
    *(f"/api/v1/{question}?urn={LAW}" for question in ("timeline", "text")),
    *(f"/{path}" for path in (LAW, WRONG, f"timemap/{LAW}", "descriptions/urn:x:1", "nothing/here")),
    "/sparql?query=SELECT",
)


def _publish(folder: Path) -> None:
    with open_for_writing(folder) as store:
        store.changed = True


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with open_for_writing(tmp_path / "store", create=True):
        return tmp_path / "store"


def _get(address: str, **options: Any) -> httpx.Response:
    """Send GET, with patience for a busy machine."""
    return httpx.get(address, timeout=60, **options)


class Asking:
    """Clients that send requests in a loop, each over new connections, and their results."""

    def __init__(self, address: str, path: str) -> None:
        self.answers: list[tuple[int, bytes]] = []
        self.cut: list[str] = []
        self.refused = 0
        self._stop = Event()
        self._threads = [Thread(target=self._ask, args=(address + path,)) for _ in range(LOOPS)]

    def __enter__(self) -> Asking:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(30)

    def _ask(self, url: str) -> None:
        while not self._stop.is_set():
            try:
                answer = httpx.get(url, timeout=20)
            except httpx.ConnectError:
                self.refused += 1
                time.sleep(0.02)
            except httpx.HTTPError as error:
                self.cut.append(repr(error))
            else:
                self.answers.append((answer.status_code, answer.content))


# Start and stop


def test_service_starts_and_stops_without_leaving_anything(
    store: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    temporary = tmp_path_factory.mktemp("t")  # short, because the path of a socket has at most 107 characters
    with served(store, "--workers", "2", TMPDIR=str(temporary)) as service:
        assert service.snapshot == "1"
        assert service.address.startswith("http://127.0.0.1:")
        assert _get(f"{service.address}/health").json() == {"alive": True}
        until(lambda: _get(f"{service.address}/ready").is_success, 60)
        assert _get(f"{service.address}/ready").json() == {"ready": True, "snapshot": "1", "pool": "works"}
        workers = children(service.process.pid)
        assert len(workers) == 2
        assert {path.name.partition("-")[0] for path in temporary.iterdir()} == {"vigente", "pymp"}
        service.process.send_signal(signal.SIGTERM)
        assert service.ended() == 0
        with pytest.raises(httpx.ConnectError):
            _get(f"{service.address}/health")
    assert list(temporary.iterdir()) == []
    until(lambda: not any(map(alive, workers)), 30)
    assert not any("Traceback" in line for line in service.lines), service.lines


def test_metrics_are_summed_and_killed_processes_are_restarted_or_end_all(store: Path) -> None:
    """A killed process is started again; if the service itself is killed, its processes end."""
    with served(store, "--workers", "2") as service:
        for _ in range(40):
            assert _get(f"{service.address}/problems/busy").status_code == 200
        for _ in range(4):
            text = _get(f"{service.address}/metrics").text
            assert 'vigente_requests_total{method="GET",route="/problems/{code}",status="200"} 40.0' in text
            assert "vigente_task_slots 6.0" in text
        first = children(service.process.pid)
        with Asking(service.address, "/health") as asking:
            until(lambda: len(asking.answers) > LOOPS)
            os.kill(first[0], signal.SIGKILL)
            until(lambda: len(children(service.process.pid)) == 2 and first[0] not in children(service.process.pid))
            answered = len(asking.answers)
            until(lambda: len(asking.answers) > answered + LOOPS)
        assert {status for status, _ in asking.answers} == {200}
        assert len(asking.cut) <= LOOPS  # the requests of the killed process
        workers = children(service.process.pid)
        service.process.kill()
        until(lambda: not any(map(alive, workers)), 30)


def _connect_without_reading(service: Served, asked_host: str = "a") -> socket.socket:
    """Open a connection with requests for more than the buffers hold, and read nothing: the requests stay open."""
    host, _, port = service.address.removeprefix("http://").partition(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((host, int(port)))
    request = f"GET /ns HTTP/1.1\r\nHost: {asked_host}\r\nAccept: application/n-triples\r\n\r\n"
    connection.sendall(request.encode() * 90)
    time.sleep(1)
    return connection


def test_stopping_completes_running_requests(store: Path) -> None:
    """A request whose answer is read slowly is completed too."""
    with (
        served(store, "--workers", "2") as service,
        Asking(service.address, "/ns") as asking,
        _connect_without_reading(service) as slow,
    ):
        until(lambda: len(asking.answers) > 50)
        service.process.send_signal(signal.SIGTERM)
        time.sleep(1)
        assert service.process.poll() is None
        slow.settimeout(10)
        answers = rest(slow)
        assert service.ended() == 0
    assert set(statuses(answers)) == {200}
    head, _, body = answers[answers.rindex(b"HTTP/1.1 200") :].partition(b"\r\n\r\n")
    assert f"content-length: {len(body)}".encode() in head
    assert {status for status, _ in asking.answers} == {200}
    assert len({body for _, body in asking.answers}) == 1
    assert asking.refused > 0
    # a connection that was not yet accepted is reset when the socket closes; no answer is truncated
    assert all("ReadError" in error or "RemoteProtocolError" in error for error in asking.cut), asking.cut
    assert not any("without sending complete" in error or "incomplete" in error for error in asking.cut), asking.cut
    assert len(asking.cut) <= LOOPS


def test_options_override_environment_variables(store: Path) -> None:
    """An unfinished request is cut after --stop-seconds."""
    options = ("--hosts", "a.example", "--log-queries", "--stop-seconds", "1")
    with served(store, *options, VIGENTE_HOSTS="b.example", VIGENTE_BASE="https://c.example") as service:
        here = {"Host": "a.example"}
        assert _get(f"{service.address}/ns", headers={"Host": "b.example"}).status_code == 400
        page = _get(f"{service.address}/.well-known/void", headers=here).text
        assert "<https://c.example/.well-known/void>" in page
        _get(f"{service.address}/ns?query=SELECT%0a", headers=here)
        until(lambda: any("query=SELECT%0a" in line for line in service.lines))
        with _connect_without_reading(service, "a.example"):
            began = time.monotonic()
            service.process.send_signal(signal.SIGTERM)
            assert service.ended() == 0
            assert 0.9 < time.monotonic() - began < 9


def test_second_signal_stops_immediately(store: Path) -> None:
    with served(store) as service, _connect_without_reading(service):
        service.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert service.process.poll() is None
        began = time.monotonic()
        service.process.send_signal(signal.SIGINT)
        assert service.ended() == 130
        assert time.monotonic() - began < 15


def test_logs_are_json_without_request_contents(store: Path) -> None:
    """SIGINT ends the service with 130."""
    secret = "what-somebody-asked"  # noqa: S105 - nothing secret
    with served(store) as service:
        answer = httpx.get(
            f"{service.address}/queries/{secret}?q={secret}",
            headers={"User-Agent": secret, "Referer": secret, "Cookie": secret, "Authorization": secret},
        )
        _get(f"{service.address}/queries/%0a%7B%22time%22:0%7D")
        until(lambda: len(service.lines) >= 3)
        service.process.send_signal(signal.SIGINT)
        assert service.ended() == 130
    assert not any("Traceback" in line for line in service.lines), service.lines
    entries = [json.loads(line) for line in service.lines if line.startswith("{")]
    assert len(entries) == 2
    first = entries[0]
    assert first.pop("id") == answer.headers["x-request-id"]
    assert first.pop("time").startswith("20")
    assert first.pop("ms") >= 0
    assert first == {
        "level": "info", "logger": "vigente.requests", "message": "request", "method": "GET",
        "route": "/queries/{name}",
        "status": 404, "bytes": len(answer.content), "client": "127.0.0.1", "reason": "unknown-address",
    }  # fmt: skip
    assert secret not in "\n".join(service.lines)


def test_port_in_use_is_reported(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--store", str(store), "serve", "--port", str(port)]) == 2
    errors = capsys.readouterr().err
    assert errors == f"vigente: --port: expected a free port, but {port} of 127.0.0.1 is in use; 0 selects a free one\n"


def test_public_address_without_hosts_prints_a_warning(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _warn(Settings(store), "127.0.0.1")
    _warn(Settings(store, hosts=("vigente.example",)), "0.0.0.0")  # noqa: S104 - nothing is bound
    _warn(Settings(store, base="https://vigente.example"), "0.0.0.0")  # noqa: S104
    assert capsys.readouterr().err == ""
    _warn(Settings(store), "0.0.0.0")  # noqa: S104
    assert capsys.readouterr().err.startswith("vigente: warning: other machines can reach this address")


# Snapshots


def _held(processes: list[int]) -> set[str]:
    """Return the snapshots of which processes hold files open."""
    links = [
        str(link.readlink()) for pid in processes for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()
    ]
    return {match[1] for link in links if (match := re.search(r"/snapshots/([0-9]+)/", link))}


def test_all_processes_answer_from_a_new_snapshot_without_failed_requests(store: Path) -> None:
    """The first requests after a publication are all answered from the new snapshot, and none fails meanwhile.

    The snapshots before it are closed, also without requests.
    """
    with served(store, "--workers", "2") as service:

        def states() -> set[str]:
            address, asked = f"{service.address}/sparql", {"query": "ASK {}"}
            answers = [_get(address, params=asked) for _ in range(24)]
            assert {answer.status_code for answer in answers} == {200}
            return {answer.headers["ETag"] for answer in answers}

        with Asking(service.address, "/ready") as asking:
            until(lambda: len(asking.answers) > 20 and len(children(service.process.pid)) == 2)
            before = states()
            for _ in range(3):
                _publish(store)
                after = states()
                assert (len(before), len(after), before & after) == (1, 1, set())
                before = after
            text = _get(f"{service.address}/.well-known/void").text
        processes = children(service.process.pid)
        assert _get(f"{service.address}/api/v1/timeline?urn={LAW}").is_client_error
        assert "4" in _held(processes)
        _publish(store)
        until(lambda: _held(processes) == {"5"}, 15)
    assert (asking.cut, asking.refused, {status for status, _ in asking.answers}) == ([], 0, {200})
    snapshots = [re.findall(rb'"snapshot":"(\d+)"', body)[0].decode() for _, body in asking.answers]
    assert (snapshots[0], "4" in snapshots) == ("1", True)
    assert 'dcat:version "4"' in text


@contextmanager
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _open_stores(folder: Path) -> list[CachingStore]:
    stores = [item for item in gc.get_objects() if isinstance(item, CachingStore)]
    return [store for store in stores if getattr(store, "path", None) == folder]


def test_rejected_request_holds_no_snapshot(store: Path) -> None:
    """Neither the traceback of an error nor a task refers to a snapshot, which would delay its closing."""
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60) as web:
        web.get("/ready")
        with without_collector():
            for path in REJECTED_REQUESTS:
                for accept in ("application/json", "text/html"):
                    assert web.get(path, headers={"accept": accept}).status_code >= 400
            (before,) = map(weakref.ref, _open_stores(store))
            _publish(store)
            until(lambda: web.get("/nothing").status_code == 404 and before() is None, 10)
            assert len(_open_stores(store)) == 1


def test_snapshot_in_a_reference_cycle_is_closed(store: Path) -> None:
    published = SnapshotReader(store)
    with without_collector():
        ring: list[object] = [published.now().store]
        ring.append(ring)
        del ring
        (before,) = map(weakref.ref, _open_stores(store))
        _publish(store)
        for _ in range(2):  # the first check replaces the snapshot; the second one collects reference cycles
            assert before() is not None
            published.now()
        assert before() is None


# Health, readiness and metrics


def _read_metrics(address: str) -> Mapping[str, float]:
    text = _get(f"{address}/metrics").text
    return {name: float(value) for name, value in re.findall(r"^(\w.*) ([0-9.e+-]+)$", text, re.MULTILINE)}


def test_service_without_a_snapshot_is_alive_but_not_ready(tmp_path: Path) -> None:
    with serving(Settings(tmp_path / "none")) as address:
        assert _get(f"{address}/health").status_code == 200
        answer = _get(f"{address}/ready")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert (answer.json()["code"], answer.json()["snapshot"]) == ("not-ready", None)
        assert str(tmp_path) not in answer.text
        assert _get(f"{address}/vocab/evento").json()["code"] == "store-unavailable"
        assert _get(f"{address}/metrics").status_code == 200


def test_missing_store_is_reported_and_reopened_when_it_returns(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = filled(tmp_path / "store")
    caplog.set_level("WARNING", "vigente.store")
    ask = {"query": "SELECT * { ?s ?p ?o }"}
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=60) as client:

        def seen(times: int) -> set[tuple[int, int, int]]:
            time.sleep(2.2)  # by now every process has checked the store
            return {
                (
                    client.get("/ready").status_code,
                    client.get("/sparql", params=ask).status_code,
                    client.get(f"/api/v1/in-force?urn={CODE}").status_code,
                )
                for _ in range(times)
            }

        assert client.get("/ready").status_code == 200
        folder.rename(tmp_path / "elsewhere")
        until(lambda: client.get("/ready").status_code == 503)
        assert seen(15) == {(503, 503, 503)}
        assert [record.levelname for record in caplog.records if record.name == "vigente.store"] == ["WARNING"]
        (tmp_path / "elsewhere").rename(folder)
        until(lambda: client.get("/ready").status_code == 200)
        assert seen(10) == {(200, 200, 404)}


@pytest.mark.parametrize(("code", "status"), [("task-died", 503), ("time-limit", 503), ("busy", 200)])
def test_ready_reports_the_state_of_the_workers(
    store: Path, monkeypatch: pytest.MonkeyPatch, code: str, status: int
) -> None:
    async def fails(_: Pool, task: Task) -> Answer:
        raise Problem(503, code, task.kind)

    monkeypatch.setattr(Pool, "run", fails)
    with serving(Settings(store)) as address:
        answer = _get(f"{address}/ready")
        assert (answer.status_code, answer.json()["pool"]) == (status, code)
        assert _read_metrics(address)[f'vigente_tasks_total{{kind="sparql",outcome="{code}"}}'] == 1


def test_requests_are_counted_by_route_not_by_path(store: Path) -> None:
    with serving(Settings(store)) as address:
        for n in range(30):
            _get(f"{address}/queries/made-up-{n}")
            _get(f"{address}/made-up-{n}")
            httpx.request(f"MADEUP{n}", f"{address}/ns")
        _get(f"{address}/queries/timeline")
        counted = _read_metrics(address)
        for field in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):  # behind a proxy, every address is local
            answer = _get(f"{address}/metrics", headers={field: "127.0.0.1"})
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    wanted = {
        'vigente_requests_total{method="GET",route="/queries/{name}",status="404"}': 30,
        'vigente_requests_total{method="GET",route="/queries/{name}",status="200"}': 1,
        'vigente_requests_total{method="GET",route="/{urn:anything}",status="404"}': 30,
        'vigente_problems_total{code="unknown-address"}': 60,
        'vigente_request_seconds_count{route="/queries/{name}"}': 31,
        "vigente_snapshot_number": 1,
    }
    assert {name: counted[name] for name in wanted} == wanted
    assert counted["vigente_snapshot_age_seconds"] >= 0
    assert not any("made-up" in name or "MADEUP" in name for name in counted)


def test_metrics_are_restricted_by_client_address(store: Path) -> None:
    with serving(Settings(store, metrics_for=("127.0.0.2",))) as address:
        assert _get(f"{address}/metrics").status_code == 403
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as client:
            assert client.get(f"{address}/metrics").status_code == 200
