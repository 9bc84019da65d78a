"""Benchmark of the service: questions about one norm, a batch of 1,000, and questions while endless queries run.

Run ``python -m benchmarks.serving`` (``--works 100000``, ``--seconds 10``; ``--store DIR`` uses an existing store
of the same number of generated works). It needs wrk, and the oxigraph command line of the pinned version, which is in
the test tools. The same run puts the same question as SPARQL to ``oxigraph serve-read-only``, over the same snapshot.
Between machines, compare the ratios; wrk uses some of the processors.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import IO
from urllib.parse import quote

import httpx

from benchmarks.figures import record_figures
from benchmarks.generate import works, write_pages
from benchmarks.stages import machine
from graph.store.folder import CURRENT
from queries.catalogue import named

__all__ = ["free_port", "loaded", "main", "oxigraph", "printed_address", "serving", "until_it_answers"]

#: Requests of many connections wait for each other: at 1,500 requests a second, the mean latency of 64 is above 40 ms.
_CONNECTIONS, _MANY = 16, 64
_BATCH = 1000
_ON, _KNOWN = "2001-01-01", "2010-01-01"
_RATE = re.compile(r"Requests/sec:\s+([\d.]+)")
_TAIL = re.compile(r"99%\s+([\d.]+)(us|ms|s)")
_BAD = re.compile(r"Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)")
_UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0}
#: Requests one line of a file after another; each thread of wrk starts at a random line.
_SCRIPT = """
local lines = {}
local at = 0
function init(args)
  for line in io.lines(args[1]) do lines[#lines + 1] = line end
  math.randomseed(os.time())
  at = math.random(#lines)
end
function request()
  at = at %% #lines + 1
  return wrk.format(%s)
end
"""
_GET = '"GET", lines[at]'
_POST = '"POST", "/query", {["Content-Type"] = "application/sparql-query"}, lines[at]'
#: A query that would take hours: a product of all triples with all triples.
_ENDLESS = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def main() -> None:
    """Print the rates, the 99th percentiles and the ratios."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, default=100_000, help="how many works the store has")
    options.add_argument("--seconds", type=int, default=10, help="how long each load lasts")
    options.add_argument("--store", type=Path, help="a store of that many generated works")
    chosen = options.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("expected wrk on the path; Debian's package is wrk")
    print(machine())
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        store = chosen.store or loaded(Path(folder), chosen.works)
        _measure(Path(folder), store, chosen.works, chosen.seconds)


def loaded(folder: Path, count: int) -> Path:
    """Return a new store of that many generated works, in a folder."""
    pages = folder / "pages"
    pages.mkdir()
    print(f"{write_pages(pages, count)} records of {count} works, loading ...", file=sys.stderr)
    command = [sys.executable, "-m", "service", "--store", str(folder / "store"), "load", str(pages)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - this program itself
    return folder / "store"


def _measure(folder: Path, store: Path, count: int, seconds: int) -> None:
    names = [name for name, _ in works(count)]
    Random(7).shuffle(names)
    asked, sparql = folder / "asked.txt", folder / "sparql.txt"
    asked.write_text(
        "".join(f"/api/v1/in-force?urn={quote(n, safe=':;')}&on={_ON}&as_known={_KNOWN}\n" for n in names), "utf-8"
    )
    sparql.write_text("".join(f"{_as_sparql(name)}\n" for name in names), "utf-8")
    print(f"{count:,} works, {_CONNECTIONS} connections, {seconds} s each{'requests/s':>22}{'99 % ms':>10}")
    with serving(store) as address:
        alone = _report(count, "in-force", _wrk(folder, address, asked, _GET, seconds))
        _report(count, "in-force, again", _wrk(folder, address, asked, _GET, seconds))
        _report(count, f"in-force, {_MANY} connections", _wrk(folder, address, asked, _GET, seconds, _MANY))
        spent = _batches(address, names)
        print(f"  batch of {_BATCH:,} names: median {statistics.median(spent):.0f} ms, maximum {max(spent):.0f} ms")
        record_figures(count, "batch of 1,000 names", {"median ms": statistics.median(spent), "maximum ms": max(spent)})
        with _endless_queries(address):
            beside_queries = _report(
                count, "in-force during endless queries", _wrk(folder, address, asked, _GET, seconds)
            )
    with oxigraph(store) as address:
        other = _report(count, "oxigraph serve-read-only", _wrk(folder, address, sparql, _POST, seconds))
    print(
        f"  ratios: in-force to oxigraph serve-read-only {alone / other:.2f}, "
        f"in-force during endless queries to in-force alone {beside_queries / alone:.2f}"
    )
    ratios = {"in-force to oxigraph": alone / other, "with endless queries to alone": beside_queries / alone}
    record_figures(count, "ratio", ratios)


def _as_sparql(name: str) -> str:
    """Return the query ``version_in_force`` in one line, with the values of its parameters."""
    body = " ".join(line for line in named("version_in_force").text.splitlines() if not line.startswith("#"))
    day = '"{}"^^<http://www.w3.org/2001/XMLSchema#date>'
    for variable, value in (
        ("?norma", f"<{name}>"),
        ("?eixo", "vig:forca"),
        ("?em", day.format(_ON)),
        ("?conhecido", day.format(_KNOWN)),
    ):
        head, _, pattern = body.partition(" WHERE ")
        body = f"{re.sub(re.escape(variable) + r' ', '', head)} WHERE " + re.sub(
            re.escape(variable) + r"(?=[ )])", value.replace("\\", r"\\"), pattern
        )
    return body


def _wrk(
    folder: Path, address: str, lines: Path, request: str, seconds: int, connections: int = _CONNECTIONS
) -> tuple[float, float, str]:
    """Return requests a second, the 99th percentile in milliseconds, and the errors."""
    script = folder / "asking.lua"
    script.write_text(_SCRIPT % request, "utf-8")
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script), address, "--"]
    done = subprocess.run([*command, str(lines)], check=True, capture_output=True, text=True)  # noqa: S603 - found above
    rate, tail, bad = _RATE.search(done.stdout), _TAIL.search(done.stdout), _BAD.search(done.stdout)
    if rate is None or tail is None:
        raise RuntimeError(f"expected figures of wrk, got {done.stdout}")
    return float(rate[1]), float(tail[1]) * _UNITS[tail[2]], bad[0] if bad is not None else ""


def _report(count: int, label: str, measured: tuple[float, float, str]) -> float:
    rate, tail, bad = measured
    faults = sum(map(int, re.findall(r"[0-9]+", bad)))
    record_figures(count, label, {"requests/s": rate, "99 % ms": tail, "faults": faults})
    print(f"  {label:55}{rate:>10.0f}{tail:>10.1f}  {bad}")
    return rate


def _batches(address: str, names: Sequence[str]) -> list[float]:
    """Return the elapsed time of each batch of different names, in milliseconds."""
    spent = []
    with httpx.Client(timeout=60) as client:
        for start in range(0, 10 * _BATCH, _BATCH):
            chosen = [names[index % len(names)] for index in range(start, start + _BATCH)]
            body = {"names": chosen, "on": _ON, "as_known": _KNOWN}
            began = time.perf_counter()
            answer = client.post(f"{address}/api/v1/in-force", json=body)
            spent.append((time.perf_counter() - began) * 1000)
            documents = answer.raise_for_status().json()["answers"]
            assert len(documents) == _BATCH  # noqa: S101 - else the figure measures an error
            assert all("status" in document and "version" in document for document in documents)  # noqa: S101
    return spent


@contextmanager
def serving(store: Path) -> Iterator[str]:
    """Run a service over a store in a separate process; yield its address."""
    command = [sys.executable, "-m", "service", "--store", str(store), "serve", "--port", "0", "--query-seconds", "20"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:  # reading a pipe would use the processors
        process = subprocess.Popen(command, stderr=log, stdout=subprocess.DEVNULL)  # noqa: S603 - this program itself
        try:
            yield printed_address(process, log)
        finally:
            process.terminate()
            process.wait()


def printed_address(process: subprocess.Popen[bytes], log: IO[str]) -> str:
    """Return the address that the service prints."""
    while process.poll() is None:
        log.seek(0)
        for line in log:
            if "listening on " in line:
                return line.rpartition("listening on ")[2].strip().rstrip("/")
        time.sleep(0.05)
    raise RuntimeError("the service did not start")


@contextmanager
def _endless_queries(address: str) -> Iterator[None]:
    """Run four clients that repeat endless queries, each from a different loopback address."""
    over = Event()

    def ask(host: str) -> None:
        transport = httpx.HTTPTransport(local_address=host)
        with httpx.Client(transport=transport, timeout=60) as client:
            while not over.is_set():
                try:
                    answer = client.get(f"{address}/sparql", params={"query": _ENDLESS})
                    over.wait(float(answer.headers.get("retry-after", 0)))
                except httpx.HTTPError:
                    over.wait(0.2)

    clients = [Thread(target=ask, args=(f"127.0.0.{host}",), daemon=True) for host in range(2, 6)]
    for client in clients:
        client.start()
    time.sleep(1)
    yield
    over.set()


def free_port() -> int:
    """Return a port of this machine that no program uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def oxigraph(store: Path) -> Iterator[str]:
    """Run ``oxigraph serve-read-only`` over the snapshot of a store; yield its address."""
    address = f"127.0.0.1:{free_port()}"
    command = [shutil.which("oxigraph") or str(Path(sys.executable).with_name("oxigraph")), "serve-read-only"]
    command += ["--location", str((store / CURRENT).resolve()), "--bind", address, "--union-default-graph"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:  # noqa: S603
        try:
            until_it_answers(f"http://{address}")
            yield f"http://{address}"
        finally:
            process.terminate()


def until_it_answers(address: str) -> None:
    """Wait until a server answers a query with JSON.

    Raises:
        RuntimeError: it did not start within ten seconds.
    """
    for _ in range(100):
        try:
            json.loads(
                httpx.get(
                    f"{address}/query",
                    params={"query": "ASK {}"},
                    headers={"Accept": "application/sparql-results+json"},
                ).text
            )
        except (httpx.HTTPError, ValueError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"{address} did not start")


if __name__ == "__main__":
    main()
