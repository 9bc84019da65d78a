"""Benchmark of single requests: their processor time in the service, and in programs that answer with the same bytes.

Run ``python -m benchmarks.requests`` (``--works 5000``; ``--store DIR`` uses an existing store of the same number of
generated works). It needs the oxigraph command line, which is in the test tools. A figure is the processor time of all
processes of a server for one request of one connection. ``peer`` is Starlette, with the same server of HTTP, for an
answer of the API, and ``oxigraph serve-read-only`` over the same snapshot for SPARQL. Figures of one run can be
compared, also on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx

from benchmarks.figures import record_figures
from benchmarks.generate import works
from benchmarks.serving import free_port, loaded, oxigraph, serving, until_it_answers
from benchmarks.stages import machine

_ON, _KNOWN = "2001-01-01", "2010-01-01"
#: Requests before a figure is taken, those of one run, and the runs, of which the fastest counts.
_WARM, _REQUESTS, _RUNS = 30, 200, 3
_TICKS = os.sysconf("SC_CLK_TCK")
_SPARQL = {
    "ASK": "ASK {}",
    "SELECT, 10 rows": "SELECT * WHERE { ?a ?b ?c } LIMIT 10",
    "SELECT, 1,000 rows": "SELECT * WHERE { ?a ?b ?c } LIMIT 1000",
}
_ROWS = {"Accept": "application/sparql-results+json"}
_PAGE = {"Accept": "text/html"}
#: A program of Starlette that answers every request with the bytes of a file.
_PEER = """
import sys
from pathlib import Path
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

BODY = Path({body!r}).read_bytes()

async def answer(request):
    return Response(BODY, media_type="application/json")

app = Starlette(routes=[Route("/{{rest:path}}", answer)])
"""


def main() -> None:
    """Print the processor time of each request, and that of the peer."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, default=5000, help="how many works the store has")
    options.add_argument("--store", type=Path, help="a store of that many generated works")
    chosen = options.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        store = chosen.store or loaded(Path(folder), chosen.works)
        for label, figures in _measured(Path(folder), store, next(name for name, _ in works(chosen.works))):
            record_figures(chosen.works, label, figures)
            print(f"  {label:32}" + ", ".join(f"{name} {value:.2f}" for name, value in figures.items()))


def _measured(folder: Path, store: Path, name: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Yield the figures of each request; ``name`` is that of a norm in the store."""
    urn = quote(name, safe=":;")
    api = f"/api/v1/in-force?urn={urn}&on={_ON}&as_known={_KNOWN}"
    asked = {label: f"?{urlencode({'query': query})}" for label, query in _SPARQL.items()}
    with oxigraph(store) as address:
        peers = {label: _spent(address, f"/query{query}", _ROWS) for label, query in asked.items()}
    with serving(store) as address:
        answer = folder / "answer.json"
        answer.write_bytes(httpx.get(address + api).raise_for_status().content)
        with _starlette(folder, answer) as other:
            peers["in-force"] = _spent(other, api, {})
        yield "health", {"ms": _spent(address, "/health", {})}
        for label, path, accepted in (
            ("in-force", api, {}),
            ("redirect", f"/{urn}", {}),
            ("page of a norm", f"/{urn}", _PAGE),
            ("page of a search", f"/search?{urlencode({'q': 'lei'})}", _PAGE),
            *((label, f"/sparql{query}", _ROWS) for label, query in asked.items()),
        ):
            figures = {"ms": _spent(address, path, accepted)}
            if label in peers:
                figures |= {"peer, ms": peers[label], "ms above the peer": figures["ms"] - peers[label]}
            yield label, figures


def _spent(address: str, path: str, accepted: Mapping[str, str]) -> float:
    """Return the processor time of the servers for one request, in milliseconds: that of the fastest run."""
    with httpx.Client(base_url=address, headers=dict(accepted), timeout=60) as client:
        for _ in range(_WARM):
            answer = client.get(path)
            if answer.status_code >= 400:
                raise RuntimeError(f"expected an answer for {path}, got {answer.status_code}: {answer.text[:200]}")
        runs = []
        for _ in range(_RUNS):
            before = _processor_time()
            for _ in range(_REQUESTS):
                client.get(path)
            runs.append((_processor_time() - before) / _REQUESTS * 1000)
    return min(runs)


def _processor_time() -> float:
    """Return the processor time of the processes that this one started, and of those that they started, in seconds."""
    parents: dict[int, int] = {}
    spent: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text("ascii", "replace").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended
        number = int(status.parent.name)
        parents[number] = int(fields[1])
        spent[number] = sum(map(int, fields[11:15]))
    return sum(ticks for number, ticks in spent.items() if _is_below(number, parents)) / _TICKS


def _is_below(number: int, parents: Mapping[int, int]) -> bool:
    while number in parents:
        number = parents[number]
        if number == os.getpid():
            return True
    return False


@contextmanager
def _starlette(folder: Path, body: Path) -> Iterator[str]:
    """Run a program of Starlette with granian that answers with the bytes of a file; yield its address."""
    (folder / "peer.py").write_text(_PEER.format(body=str(body)), "utf-8")
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--no-access-log", "--workers", "1", "peer:app"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet) as process:  # noqa: S603 - a pinned package
        try:
            until_it_answers(f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
