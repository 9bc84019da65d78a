"""Benchmark of the shares of query workers: slow strangers, and a large page under 16 readers, before and after.

Run ``python -m benchmarks.fairness`` (``--before DIR`` is a checkout of an earlier version with its ``.venv``, which
serves the same store first; ``--articles 12000``). Each client has its own loopback address. First as many
strangers as there are query workers repeat an endless query, and another client asks the smallest query. Then 16
readers request one large page, and 16 readers its texts of different days; another client requests a small page
meanwhile. Compare the ratio to the same request alone, in the same run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx

from benchmarks.figures import record_figures
from benchmarks.pages import document, law
from benchmarks.serving import printed_address
from benchmarks.stages import machine
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.pipeline import load

_READERS, _STRANGERS, _SMALL_LAWS = 16, 3, 40
_PATIENCE = 180.0
_ENDLESS = "/sparql?query=" + quote("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
_SMALLEST = "/sparql?query=" + quote("ASK {}")


def main() -> None:
    """Print the times and the statuses of each version."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--before", type=Path, help="a checkout of an earlier version")
    options.add_argument("--articles", type=int, default=12_000, help="how many articles the large law has")
    chosen = options.parse_args()
    print(machine())
    own = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        store = _store(Path(folder), chosen.articles)
        if chosen.before is not None:
            _measure("before", chosen.before / ".venv/bin/python", chosen.before, store, chosen.articles)
        _measure("after", Path(sys.executable), own, store, chosen.articles)


def _store(folder: Path, articles: int) -> Path:
    """Load one large law and some small ones; return the store."""
    documents = folder / "documents"
    documents.mkdir()
    for number in range(_SMALL_LAWS + 1):
        size = 20 if number < _SMALL_LAWS else articles
        (documents / f"{number:05d}.xml").write_text(document(number, size), "utf-8")
    where = folder / "store"
    with stores.open_for_writing(where, create=True) as store:
        summary = load([documents], store, Quarantine(where / QUARANTINE))
        if summary.refused:
            raise RuntimeError(f"expected every law to be loaded, got {summary}")
    return where


def _measure(version: str, python: Path, checkout: Path, store: Path, articles: int) -> None:
    large, text = f"/{quote(law(_SMALL_LAWS), safe=':;')}", f"/text/{quote(law(_SMALL_LAWS), safe=':;')}"
    with _serving(python, checkout, store) as address:
        alone = _spent(address, _SMALLEST, 100)[1]
        with _requests(address, [_ENDLESS] * _STRANGERS) as pending:
            time.sleep(3)
            status, during = _spent(address, _SMALLEST, 101)
            figures = {"status": float(status), "ms": during * 1000, "times alone": during / alone}
            figures["strangers still served"] = float(sum(not task.done() for task in pending))
        _report(articles, f"{version}: smallest query, {_STRANGERS} slow strangers", figures)
    for label, paths in (
        ("one large page", [large] * _READERS),
        ("texts of 16 days", [f"{text}?on=2020-02-{day:02d}" for day in range(1, _READERS + 1)]),
    ):
        with _serving(python, checkout, store) as address:
            began = time.perf_counter()
            small: list[float] = []
            with _requests(address, paths) as pending:
                while not all(task.done() for task in pending):
                    path = f"/{quote(law(len(small) % _SMALL_LAWS), safe=':;')}?on={2000 + len(small)}-01-01"
                    small.append(_spent(address, path, 101)[1])
                    time.sleep(0.2)
                ended = Counter(task.result()[0] for task in pending)
            figures = {f"readers with {status}": float(number) for status, number in sorted(ended.items())}
            figures |= {"seconds": time.perf_counter() - began, "slowest small page, seconds": max(small)}
            _report(articles, f"{version}: {label}, {_READERS} readers", figures)


@contextmanager
def _serving(python: Path, checkout: Path, store: Path) -> Iterator[str]:
    """Run a version of the service over the store; yield its address."""
    command = [str(python), "-m", "service", "--store", str(store), "serve", "--port", "0"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, stderr=log, stdout=subprocess.DEVNULL, cwd=checkout)  # noqa: S603
        try:
            address = printed_address(process, log)
            while _spent(address, _SMALLEST, 99)[0] != httpx.codes.OK:
                time.sleep(0.1)
            yield address
        finally:
            process.terminate()
            process.wait()


@contextmanager
def _requests(address: str, paths: Sequence[str]) -> Iterator[list[Future[tuple[int, float]]]]:
    """Send requests at once, each from its own address; yield their futures."""
    with ThreadPoolExecutor(len(paths)) as threads:
        yield [threads.submit(_spent, address, path, host) for host, path in enumerate(paths, 2)]


def _spent(address: str, path: str, host: int) -> tuple[int, float]:
    """Return the status of a request from a loopback address, after redirects, and its seconds."""
    began = time.perf_counter()
    transport = httpx.HTTPTransport(local_address=f"127.0.1.{host}")
    with httpx.Client(transport=transport, timeout=_PATIENCE, follow_redirects=True) as client:
        status = client.get(f"{address}{path}", headers={"Accept": "text/html, */*;q=0.5"}).status_code
    return status, time.perf_counter() - began


def _report(articles: int, label: str, figures: dict[str, float]) -> None:
    print(f"  {label:50} " + ", ".join(f"{name} {value:.1f}" for name, value in figures.items()), flush=True)
    record_figures(articles, label, figures)


if __name__ == "__main__":
    main()
