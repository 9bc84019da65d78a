"""Benchmark of fairness: how long one client waits while many others keep the server process busy.

Run ``python -m benchmarks.crowd`` (``--works 1000``, ``--seconds 5``; ``--store DIR`` uses an existing store). The
crowd is a separate program with four client addresses. First it opens 200 connections with twenty pipelined requests
each, for one path after another. Then it opens 32 connections whose requests each need a thread, while four clients
connect and disconnect. The measured client asks for the norm in force, with a new connection for each request. Compare
its waiting time with that without a crowd.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit

from benchmarks.figures import record_figures
from benchmarks.generate import works
from benchmarks.serving import loaded, serving
from benchmarks.stages import machine

__all__ = ["main"]

_CITATION = quote("art. 6, VIII, da Lei 8.078, de 11 de setembro de 1990; " * 30)
#: The path that the crowd requests, and how: 200 full connections, or 32 with clients that disconnect.
_CROWDS = (
    ("/openapi.json", "full"),
    ("/queries", "full"),
    ("/no/such/thing", "full"),
    (f"/api/v1/cite?text={_CITATION}", "full"),
    (f"/api/v1/cite?text={_CITATION}", "disconnecting"),
)
_CROWD = """
import asyncio, os, socket, struct, sys
host, port, path, how = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
asked = f"GET {path} HTTP/1.1\\r\\nHost: {host}\\r\\nAccept-Encoding: gzip\\r\\n\\r\\n".encode()
async def ask(number, behind):
    while True:
        try:
            source = (f"127.0.1.{1 + number % 4}", 0)
            taking, giving = await asyncio.open_connection(host, port, local_addr=source)
            giving.write(asked * behind)
            end = b""
            while came := await taking.read(1 << 18):
                giving.write(asked * (end + came).count(b"HTTP/1.1 "))
                end = came[-8:]
        except OSError:
            await asyncio.sleep(0.05)
async def hang_up():
    while True:
        try:
            _, giving = await asyncio.open_connection(host, port, local_addr=("127.0.1.1", 0))
            linger = struct.pack("ii", 1, 0)
            giving.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            giving.transport.abort()
        except OSError:
            await asyncio.sleep(0.05)
async def crowd():
    asyncio.get_running_loop().add_reader(0, lambda: os._exit(0))
    many = [ask(n, 20) for n in range(200)] if how == "full" else [ask(0, 1) for _ in range(32)]
    await asyncio.gather(*many, *([] if how == "full" else [hang_up() for _ in range(4)]))
asyncio.run(crowd())
"""


def main() -> None:
    """Print how long the client waits, alone and with each crowd."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, default=1000, help="how many works the store has")
    options.add_argument("--seconds", type=float, default=5.0, help="how long each crowd lasts")
    options.add_argument("--store", type=Path, help="a store of that many generated works")
    chosen = options.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        store = chosen.store or loaded(Path(folder), chosen.works)
        names = [name for name, _ in works(chosen.works)]
        with serving(store) as address:
            _measure(address, names, chosen.works, chosen.seconds)


def _measure(address: str, names: Sequence[str], count: int, seconds: float) -> None:
    _report(count, "alone", _waits(address, names, seconds))
    for path, how in _CROWDS:
        with _crowd(address, path, how):
            _report(count, f"during {path.partition('?')[0]}, {how}", _waits(address, names, seconds))


@contextmanager
def _crowd(address: str, path: str, how: str) -> Iterator[None]:
    where = urlsplit(address)
    command = [sys.executable, "-c", _CROWD, str(where.hostname), str(where.port), path, how]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:  # noqa: S603 - written above
        time.sleep(1)
        yield
        process.communicate()


def _waits(address: str, names: Sequence[str], seconds: float) -> list[float]:
    """Return the elapsed time of each request of a series, in milliseconds."""
    waits: list[float] = []
    where = urlsplit(address)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        name = quote(names[len(waits) % len(names)])
        began = time.perf_counter()
        client = HTTPConnection(str(where.hostname), where.port, 60, source_address=("127.0.0.9", 0))
        client.request("GET", f"/api/v1/in-force?urn={name}&on=2001-01-01&as_known=2010-01-01")
        answer = client.getresponse()
        assert answer.status == HTTPStatus.OK, answer.read()  # noqa: S101 - else the figure measures an error
        answer.read()
        waits.append((time.perf_counter() - began) * 1000)
        client.close()
        time.sleep(0.02)
    return waits


def _report(count: int, label: str, waits: Sequence[float]) -> None:
    median, most = statistics.median(waits), max(waits)
    print(f"  {label:45} {len(waits):5} answers, median {median:7.1f} ms, maximum {most:7.1f} ms")
    record_figures(count, label, {"median ms": median, "maximum ms": most})


if __name__ == "__main__":
    main()
