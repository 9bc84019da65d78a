"""Benchmark of harvests at growing sizes: from a fast provider on this machine to published answers.

Run ``python -m benchmarks.harvesting`` (``--records 100000 1000000``). The provider is a separate process that serves
pages from files; it uses some of the processors. Peaks of memory are those of the harvesting process and its readers,
as the system counts them.
"""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, cast
from urllib.parse import parse_qsl, urlsplit

from benchmarks.bare import bulk_loaded
from benchmarks.figures import record_figures
from benchmarks.generate import write_mixed_pages
from benchmarks.stages import Figures, measured, print_figures
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from graph.store.published import HARVEST
from loaders.harvest.list_writer import Options
from loaders.harvest.providers import Provider
from loaders.harvest.session import harvest

_SIZES = (20_000, 100_000)

_IDENTIFY = b"""<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">
<responseDate>2026-01-01T00:00:00Z</responseDate><request verb="Identify">http://gerador.vigente.invalid/oai</request>
<Identify><repositoryName>Gerador</repositoryName><baseURL>http://gerador.vigente.invalid/oai</baseURL>
<protocolVersion>2.0</protocolVersion><adminEmail>a@gerador.vigente.invalid</adminEmail>
<earliestDatestamp>2001-01-01T00:00:00Z</earliestDatestamp><deletedRecord>persistent</deletedRecord>
<granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify></OAI-PMH>
"""
_END = b"</ListRecords>"
_PROVIDER = "port"


class _Pages(BaseHTTPRequestHandler):
    """Serves the pages of a folder in order; the resumption token is the number of the next page."""

    protocol_version = "HTTP/1.1"
    pages: list[Path]

    def do_GET(self) -> None:
        asked = dict(parse_qsl(urlsplit(self.path).query))
        body = _IDENTIFY if asked["verb"] == "Identify" else self._page(int(asked.get("resumptionToken", "0")))
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _page(self, number: int) -> bytes:
        pages = self.pages
        body = pages[number].read_bytes()
        if number + 1 < len(pages):
            body = body.replace(_END, b"<resumptionToken>%d</resumptionToken>" % (number + 1) + _END)
        return body

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library calls it
        """Write no log."""


def serve(folder: Path, port: int) -> None:
    """Serve the pages, and print the port to stdout; 0 is any free port."""
    _Pages.pages = sorted(folder.iterdir())
    server = ThreadingHTTPServer(("127.0.0.1", port), _Pages)
    print(server.server_address[1], flush=True)
    server.serve_forever()


@contextmanager
def _provider(folder: Path, port: int = 0) -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.harvesting", "--serve", str(folder), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - this program itself
        try:
            yield f"http://127.0.0.1:{int(cast('IO[str]', process.stdout).readline())}/oai"
        finally:
            process.terminate()


def first_harvest(count: int, folder: Path) -> dict[str, float]:
    """Harvest that many records into a new store: fetch, check, archive, map, derive, write and publish them."""
    pages = folder / "pages"
    pages.mkdir()
    records = write_mixed_pages(pages, count)
    where = folder / "store"
    with _provider(pages) as url:
        figures = _harvested(url, where)
    (folder / _PROVIDER).write_text(str(urlsplit(url).port), encoding="ascii")
    payload = sum(path.stat().st_size for path in (where / HARVEST).rglob("*.gz"))
    size = sum(path.stat().st_size for path in (where / "current").resolve().iterdir())
    with stores.open(where) as store:
        quads = len(store)
    return {
        "records": records,
        **figures,
        "quads/record": quads / records,
        "bytes/quad": size / quads,
        "bytes/record": size / records,
        "payload bytes/record": payload / records,
    }


def second_harvest(count: int, folder: Path) -> dict[str, float]:
    """Harvest all records again, without changes."""
    del count
    with _provider(
        folder / "pages", int((folder / _PROVIDER).read_text("ascii"))
    ) as url:  # with another port it would be another provider
        (state,) = (folder / "store" / HARVEST).glob("*/state.json")
        state.unlink()
        return _harvested(url, folder / "store")


def bare_engine(count: int, folder: Path) -> dict[str, float]:
    """Load the harvested quads with the bulk loader of the engine alone: the reference for harvests."""
    figures = bulk_loaded(folder / "store", folder)
    seconds, size = figures.pop("seconds"), figures.pop("bytes")
    return {**figures, "records/s": count / seconds, "bytes/record": size / count}


def sqlite_by_key(count: int, folder: Path) -> dict[str, float]:
    """Look up as many hashes in SQLite by the keys of records: the reference for a harvest without changes."""
    rows = [(f"oai:gerador.vigente.invalid:norma/{n}", sha256(b"%d" % n).hexdigest()) for n in range(count)]
    with closing(sqlite3.connect(folder / "keys.sqlite")) as keys:
        keys.execute("CREATE TABLE records (key TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID")
        keys.executemany("INSERT INTO records VALUES (?, ?)", rows)
        keys.commit()
        began = time.perf_counter()
        unchanged = sum(
            keys.execute("SELECT hash FROM records WHERE key = ?", (key,)).fetchone() == (known,) for key, known in rows
        )
        return {"unchanged": unchanged, "records/s": count / (time.perf_counter() - began)}


def _harvested(url: str, where: Path) -> dict[str, float]:
    began, busy = time.perf_counter(), _busy()
    with stores.open_for_writing(where, create=True) as store:
        (report,) = harvest([Provider(url, politeness=0)], where, store, Quarantine(where / QUARANTINE), Options())
    spent = time.perf_counter() - began
    if report.fault is not None:
        raise report.fault
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {
        "unchanged": report.summary.unchanged,
        "records/s": report.summary.read / spent,
        "CPU ms/record": (_busy() - busy) * 1000 / report.summary.read,
        "peak MiB of a reader": children,
    }


def _busy() -> float:
    """Return the processor time of this process and of the readers that have ended, in seconds."""
    return sum(
        spent.ru_utime + spent.ru_stime
        for spent in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def main() -> None:
    """Print every figure at every size."""
    if sys.argv[1:2] == ["--serve"]:
        serve(Path(sys.argv[2]), int(sys.argv[3]))
        return
    figures_by_size = measured(
        "benchmarks.harvesting",
        __doc__,
        "records",
        _SIZES,
        (first_harvest, bare_engine, second_harvest, sqlite_by_key),
    )
    if figures_by_size is not None:
        _print(figures_by_size)


def _print(by_size: Figures) -> None:
    print_figures(by_size)
    for size, stages in by_size.items():
        rates = {stage: figures["records/s"] for stage, figures in stages.items()}
        ratios = {
            "harvest to bare engine": rates["first_harvest"] / rates["bare_engine"],
            "harvest without changes to SQLite by key": rates["second_harvest"] / rates["sqlite_by_key"],
            "bytes/record to bare engine": stages["first_harvest"]["bytes/record"]
            / stages["bare_engine"]["bytes/record"],
        }
        print(f"{size:,} records: " + ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()))
        record_figures(size, "ratio", ratios)


if __name__ == "__main__":
    main()
