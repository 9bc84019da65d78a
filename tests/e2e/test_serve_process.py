"""Tests of ``vigente serve``: its output, refused options, shutdown, and recovery when a process dies."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest

from graph.store import open_for_writing
from service.cli import main
from service.cli.serving import _warn
from service.web.settings import Settings
from tests.support.raw_http import rest, statuses
from tests.support.serve_process import Served, children, served, until

LOOPS = 4


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("serve") / "store"
    with open_for_writing(folder, create=True):
        pass
    return folder


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


def test_service_prints_its_address_and_exits_with_0(store: Path) -> None:
    with served(store) as service:
        assert service.snapshot == "1"
        assert service.address.startswith("http://127.0.0.1:")
        assert httpx.get(f"{service.address}/ready").json() == {"ready": True, "snapshot": "1", "pool": "works"}
        service.process.send_signal(signal.SIGTERM)
        assert service.ended() == 0
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{service.address}/health")
    assert not any("Traceback" in line for line in service.lines), service.lines


def test_sigint_exits_with_130(store: Path) -> None:
    with served(store) as service:
        service.process.send_signal(signal.SIGINT)
        assert service.ended() == 130
    assert not any("Traceback" in line for line in service.lines), service.lines


def test_stopped_service_leaves_no_files_or_processes(store: Path, tmp_path: Path) -> None:
    with served(store, "--workers", "2", TMPDIR=str(tmp_path)) as service:
        workers = children(service.process.pid)
        assert len(workers) == 2
        assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {"vigente", "pymp"}
        service.process.send_signal(signal.SIGTERM)
        assert service.ended() == 0
    assert list(tmp_path.iterdir()) == []
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def test_workers_exit_when_the_service_is_killed(store: Path) -> None:
    with served(store) as service:
        (worker,) = children(service.process.pid)
        service.process.kill()
        until(lambda: not _is_alive(worker))


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_killed_server_process_is_restarted(store: Path) -> None:
    with served(store, "--workers", "2") as service:
        first = children(service.process.pid)
        with Asking(service.address, "/health") as asking:
            until(lambda: len(asking.answers) > LOOPS)
            os.kill(first[0], signal.SIGKILL)
            until(lambda: len(children(service.process.pid)) == 2 and first[0] not in children(service.process.pid))
            answered = len(asking.answers)
            until(lambda: len(asking.answers) > answered + LOOPS)
        assert {status for status, _ in asking.answers} == {200}
        assert len(asking.cut) <= LOOPS  # the requests of the killed process


def test_stopping_completes_running_requests(store: Path) -> None:
    with served(store, "--workers", "2") as service, Asking(service.address, "/ns") as asking:
        until(lambda: len(asking.answers) > 50)
        service.process.send_signal(signal.SIGTERM)
        assert service.ended() == 0
        time.sleep(0.1)
    assert {status for status, _ in asking.answers} == {200}
    assert len({body for _, body in asking.answers}) == 1
    assert asking.refused > 0
    # a connection that was not yet accepted is reset when the socket closes; no answer is truncated
    assert all("ReadError" in error or "RemoteProtocolError" in error for error in asking.cut), asking.cut
    assert not any("without sending complete" in error or "incomplete" in error for error in asking.cut), asking.cut
    assert len(asking.cut) <= LOOPS


def _connect_without_reading(service: Served) -> socket.socket:
    """Open a connection with requests for more than the buffers hold, and read nothing: the requests stay open."""
    host, _, port = service.address.removeprefix("http://").partition(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((host, int(port)))
    connection.sendall(b"GET /ns HTTP/1.1\r\nHost: a\r\nAccept: application/n-triples\r\n\r\n" * 90)
    time.sleep(1)
    return connection


def test_stopping_waits_for_a_running_request(store: Path) -> None:
    with served(store) as service, _connect_without_reading(service) as slow:
        service.process.send_signal(signal.SIGTERM)
        time.sleep(1)
        assert service.process.poll() is None
        slow.settimeout(10)
        answers = rest(slow)
        assert service.ended() == 0
        assert set(statuses(answers)) == {200}
        last = answers[answers.rindex(b"HTTP/1.1 200") :]
        head, _, body = last.partition(b"\r\n\r\n")
        assert f"content-length: {len(body)}".encode() in head


def test_unfinished_request_is_cut_after_the_limit(store: Path) -> None:
    with served(store, "--stop-seconds", "1") as service, _connect_without_reading(service):
        began = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        assert service.ended() == 0
        assert 0.9 < time.monotonic() - began < 9


@pytest.mark.parametrize(("second", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_second_signal_stops_immediately(store: Path, second: signal.Signals, code: int) -> None:
    with served(store) as service, _connect_without_reading(service):
        service.process.send_signal(second)
        time.sleep(0.5)
        assert service.process.poll() is None
        began = time.monotonic()
        service.process.send_signal(second)
        assert service.ended() == code
        assert time.monotonic() - began < 15


def test_metrics_are_summed_over_processes(store: Path) -> None:
    with served(store, "--workers", "2") as service:
        for _ in range(40):
            assert httpx.get(f"{service.address}/problems/busy").status_code == 200
        for _ in range(4):
            text = httpx.get(f"{service.address}/metrics").text
            assert 'vigente_requests_total{method="GET",route="/problems/{code}",status="200"} 40.0' in text
            assert "vigente_task_slots 6.0" in text


def test_options_override_environment_variables(store: Path) -> None:
    with served(store, "--hosts", "a.example", VIGENTE_HOSTS="b.example", VIGENTE_BASE="https://c.example") as service:
        for host, status in (("a.example", 200), ("b.example", 400)):
            assert httpx.get(f"{service.address}/ns", headers={"Host": host}).status_code == status
        assert "<https://c.example/.well-known/void>" in httpx.get(
            f"{service.address}/.well-known/void", headers={"Host": "a.example"}
        ).text  # fmt: skip


def test_logs_are_json_without_request_contents(store: Path) -> None:
    secret = "what-somebody-asked"  # noqa: S105 - nothing secret
    with served(store) as service:
        answer = httpx.get(
            f"{service.address}/queries/{secret}?q={secret}",
            headers={"User-Agent": secret, "Referer": secret, "Cookie": secret, "Authorization": secret},
        )
        httpx.get(f"{service.address}/queries/%0a%7B%22time%22:0%7D")
        until(lambda: len(service.lines) >= 3)
    entries = [json.loads(line) for line in service.lines if not line.startswith("vigente: ")]
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


def test_query_text_is_logged_if_enabled(store: Path) -> None:
    with served(store, "--log-queries") as service:
        httpx.get(f"{service.address}/ns?query=SELECT%0a")
        until(lambda: len(service.lines) >= 2)
    assert json.loads(service.lines[-1])["query"] == "query=SELECT%0a"


def test_missing_store_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", str(tmp_path / "none"), "serve"]) == 4
    assert "`vigente load` or `vigente demo` makes one" in capsys.readouterr().err


def test_port_in_use_is_reported(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--store", str(store), "serve", "--port", str(port)]) == 2
    errors = capsys.readouterr().err
    assert errors == f"vigente: --port: expected a free port, but {port} of 127.0.0.1 is in use; 0 selects a free one\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "no-such-host.invalid"], "--host: expected an address or name of this machine"),
        (["--host", "192.0.2.1"], "--host: cannot listen on 192.0.2.1:8000"),
        (["--port", "65536"], "--port: expected a port up to 65535, got 65536"),
        (["--query-seconds", "inf"], "--query-seconds: expected a number of seconds, got inf"),
        (["--stop-seconds", "nan"], "Invalid value for '--stop-seconds'"),
        (["--port", "-1"], "Invalid value for '--port'"),
        (["--workers", "0"], "Invalid value for '--workers'"),
        (
            ["--worker-memory", "419430400"],
            "--worker-memory: expected at least 536870912 bytes (512 MiB), got 419430400",
        ),
        (["--base", "vigente.example"], "--base: expected an address such as https://vigente.example"),
        (["--base", "https://vigente.example/"], "--base: expected an address such as https://vigente.example"),
        (
            ["--base", "https://vigente.example/lex"],
            "--base: expected an address such as https://vigente.example, without a path",
        ),
        (["--base", "https://a b"], "--base: expected an address such as https://vigente.example"),
        (["--hosts", "https://vigente.example"], "--hosts: expected names such as vigente.example"),
        (["--hosts", " , "], "--hosts: expected names such as vigente.example, separated by commas, got ' , '"),
        (["--licence", "CC0"], "--licence: expected an address http://... or https://..., got 'CC0'"),
        (["--dump", "https://a.example/x y"], "--dump: expected an address http://... or https://..., got"),
        (["--metrics-for", "everybody"], "--metrics-for: expected addresses or networks"),
        (["--proxies", "10.0.0.0/99"], "--proxies: expected addresses or networks"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_invalid_options_are_rejected(
    store: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main(["--store", str(store), "serve", *options]) == 2
    assert message in capsys.readouterr().err


def test_public_address_without_hosts_prints_a_warning(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _warn(Settings(store), "127.0.0.1")
    _warn(Settings(store, hosts=("vigente.example",)), "0.0.0.0")  # noqa: S104 - nothing is bound
    _warn(Settings(store, base="https://vigente.example"), "0.0.0.0")  # noqa: S104
    assert capsys.readouterr().err == ""
    _warn(Settings(store), "0.0.0.0")  # noqa: S104
    assert capsys.readouterr().err.startswith("vigente: warning: other machines can reach this address")
