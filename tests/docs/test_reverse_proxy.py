"""Tests of the examples in docs/how-to/reverse-proxy.md for nginx and Caddy, in front of a service on loopback."""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from service.web.settings import Settings
from tests.support.raw_http import connect, rest
from tests.support.web import serving

GUIDE = (Path(__file__).parents[2] / "docs" / "how-to" / "reverse-proxy.md").read_text("utf-8")
LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
#: Includes the folders of system programs, where some systems install nginx.
SEARCH_PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"


def _config_example(language: str) -> str:
    (example,) = re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    return str(example)


def find_program(name: str) -> str:
    program = shutil.which(name, path=SEARCH_PATH)
    if program is None:
        pytest.skip(f"the program {name} is not installed (Debian package of the same name)")
    return program


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def nginx(folder: Path, port: int, behind: str, more: str = "") -> list[str]:
    site = _config_example("nginx").replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    site = site.replace("http://127.0.0.1:8000", behind)
    site = re.sub(r"^ *ssl_certificate.*\n", "", site, flags=re.MULTILINE)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    head = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
    config = f"{head}http {{\naccess_log off;\n{temporary}{more}{site}}}\n"
    (folder / "nginx.conf").write_text(config, "utf-8")
    return [find_program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, behind: str) -> list[str]:
    site = _config_example("caddy").replace(
        "vigente.example {", f"http://vigente.example:{port} {{\n    bind 127.0.0.1"
    )
    site = site.replace("127.0.0.1:8000", behind.removeprefix("http://"))
    site = site.replace("{\n    servers {", "{\n    admin off\n    servers {", 1)
    (folder / "Caddyfile").write_text(site, "utf-8")
    return [find_program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def proxy(command: list[str], folder: Path, port: int) -> Iterator[str]:
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(command, stdout=log, stderr=log, env={"HOME": str(folder), "PATH": SEARCH_PATH}) as process,
    ):
        try:
            end = time.monotonic() + 20
            while time.monotonic() < end:
                assert process.poll() is None, (folder / "log").read_text("utf-8", errors="replace")[-2000:]
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                except OSError:
                    time.sleep(0.05)
                else:
                    break
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(10)


@pytest.fixture(scope="module", params=[nginx, caddy])
def behind_proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, sample_store: Path
) -> Iterator[tuple[str, str]]:
    """Run the proxy, and yield its name and address."""
    folder = tmp_path_factory.mktemp("proxy")
    name = "vigente.example"
    settings = Settings(sample_store, base=f"https://{name}", hosts=(name,), proxies=("127.0.0.1",))
    with serving(settings) as address:
        port = free_port()
        with proxy(request.param(folder, port, address), folder, port) as proxy_address:
            yield request.param.__name__, proxy_address


HOST = {"Host": "vigente.example"}


def test_service_uses_the_public_address_and_names_are_unchanged(behind_proxy: tuple[str, str]) -> None:
    _, address = behind_proxy
    answer = httpx.get(f"{address}/{LAW}?on=1993-06-15", headers={**HOST, "X-Forwarded-For": "192.0.2.99"})
    assert answer.status_code in (200, 303)
    assert "127.0.0.1" not in answer.text + str(answer.headers)
    assert httpx.get(f"{address}/metrics", headers=HOST).status_code == 404
    assert httpx.get(f"{address}/sparql", params={"query": "ASK {}"}, headers=HOST).json()["boolean"] is True
    for path in (f"/api/v1/norms/{LAW}", f"/api/v1/norms/{LAW.replace(';', '%3B')}"):
        assert httpx.get(address + path, headers=HOST).json()["name"] == LAW
    assert httpx.post(f"{address}/sparql", content=b"a" * 2_000_000, headers=HOST).status_code == 413


def test_slow_request_headers_do_not_block_others(behind_proxy: tuple[str, str]) -> None:
    _, address = behind_proxy
    held = [connect(address) for _ in range(40)]
    for connection in held:
        connection.sendall(b"GET / HT")
    began = time.monotonic()
    assert httpx.get(f"{address}/health", headers=HOST).status_code == 200
    assert time.monotonic() - began < 5
    for connection in held:
        connection.close()


def test_half_closed_client_receives_its_answer(behind_proxy: tuple[str, str]) -> None:
    name, address = behind_proxy
    if name == "caddy":
        pytest.skip("Caddy ends a request whose client has closed its side")
    with connect(address) as connection:
        connection.sendall(b"GET /health HTTP/1.0\r\nHost: vigente.example\r\n\r\n")
        assert b" 200 " in rest(connection)


def test_disconnecting_clients_do_not_delay_others(behind_proxy: tuple[str, str]) -> None:
    """Let 20 clients send requests and disconnect without reading, repeatedly, for three seconds."""
    name, address = behind_proxy
    if name == "caddy":
        pytest.skip("Caddy has no limits by address without a plugin")
    until = time.monotonic() + 3

    def storm(source: str) -> int:
        asked = 0
        while time.monotonic() < until:
            with contextlib.suppress(OSError), connect(address, source) as connection:
                connection.sendall(b"GET /ns HTTP/1.1\r\nHost: vigente.example\r\n\r\n")
                asked += 1
        return asked

    slowest = 0.0
    with ThreadPoolExecutor(20) as storms:
        asked = [storms.submit(storm, f"127.0.0.{host}") for host in range(20, 40)]
        while time.monotonic() < until:
            began = time.monotonic()
            assert httpx.get(f"{address}/health", headers=HOST, timeout=10).status_code == 200
            slowest = max(slowest, time.monotonic() - began)
    assert sum(future.result() for future in asked) > 1000
    assert slowest < 3, "expected an answer within 3 s (1 s on an idle machine)"


def test_requests_of_one_address_are_limited(behind_proxy: tuple[str, str]) -> None:
    name, address = behind_proxy
    if name == "caddy":
        pytest.skip("Caddy has no limits by address without a plugin")
    with httpx.Client(headers=HOST) as client, ThreadPoolExecutor(16) as threads:
        statuses = list(threads.map(lambda _: client.get(f"{address}/health").status_code, range(600)))
    assert 429 in statuses
    assert statuses.count(200) >= 200
