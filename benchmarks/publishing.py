"""Benchmark of the OAI-PMH provider: publish a spreadsheet, and list all its records over HTTP.

Run ``python -m benchmarks.publishing`` (``--records 100000``). The service is a separate process. One client parses
only the resumption token. Memory is that of all processes of the service, as the system counts it.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from benchmarks.figures import record_figures

_TITLES = ("tipo", "numero", "data", "url", "formato", "epigrafe", "ementa")
_TOKEN = re.compile(rb"<resumptionToken[^>]*>([^<]+)<")
_ADDRESS = re.compile(r"listening on (http://\S+)")
_OPTIONS = (
    *("--domain", "camara.example.org", "--email", "a@example.org"),
    *("--authority", "municipal", "--place", "br;sao.paulo;campinas"),
)
_PAGES_BETWEEN = 50


def main() -> None:
    """Run the benchmark, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    count = parser.parse_args().records
    with TemporaryDirectory(prefix="vigente-") as temporary:
        folder = Path(temporary)
        sheet = _sheet(folder / "normas.csv", count)
        began = time.monotonic()
        program = [sys.executable, "-m", "service", "--store", str(folder / "store")]
        subprocess.run([*program, "publish", str(sheet), *_OPTIONS], check=True)  # noqa: S603
        rate = count / (time.monotonic() - began)
        print(f"published: {rate:.0f} records/s")
        record_figures(count, "publish", {"records/s": rate})
        time.sleep(3)
        with _serving(program, folder / "log") as (process, address), httpx.Client(timeout=60) as client:
            for verb, prefix, coding in (
                ("ListRecords", "oai_lexml", "gzip"),
                ("ListRecords", "oai_lexml", "identity"),
                ("ListRecords", "oai_dc", "gzip"),
                ("ListIdentifiers", "oai_lexml", "gzip"),
            ):
                client.headers["Accept-Encoding"] = coding
                _list(client, f"{address}/oai", {"verb": verb, "metadataPrefix": prefix}, count, process.pid)


def _sheet(path: Path, count: int) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(_TITLES)
        for n in range(99901, 99901 + count):
            words = "Dispõe sobre matéria fictícia, altera norma fictícia e dá outras providências. " * 3
            url = f"https://leis.example/{n}"
            writer.writerow(("Lei", n, "02/01/2026", url, "text/html", f"Lei nº {n}, de 2026 (fictícia)", words))
    return path


@contextmanager
def _serving(program: list[str], log: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    with log.open("wb") as stderr, subprocess.Popen([*program, "serve", "--port", "0"], stderr=stderr) as process:  # noqa: S603
        try:
            while (match := _ADDRESS.search(log.read_text(encoding="utf-8"))) is None and process.poll() is None:
                time.sleep(0.1)
            assert match is not None, log.read_text(encoding="utf-8")  # noqa: S101
            yield process, match[1]
        finally:
            process.terminate()


def _list(client: httpx.Client, url: str, first_parameters: dict[str, str], count: int, pid: int) -> None:
    began, pages, listed, size = time.monotonic(), 0, 0, 0
    memory: list[int] = []
    parameters = first_parameters
    while True:
        body = client.get(url, params=parameters).content
        pages, listed, size = pages + 1, listed + body.count(b"<header"), size + len(body)
        if pages % _PAGES_BETWEEN == 1:
            memory.append(_memory(pid))
        more = _TOKEN.search(body)
        if more is None:
            break
        parameters = {"verb": first_parameters["verb"], "resumptionToken": more[1].decode()}
    seconds = time.monotonic() - began
    memory.append(_memory(pid))
    assert listed == count, f"expected {count} records, got {listed}"  # noqa: S101
    name = f"{' '.join(first_parameters.values())} ({client.headers['Accept-Encoding']})"
    memory_text = ", ".join(f"{sample >> 20}" for sample in memory)
    print(f"{name}: {count / seconds:.0f} records/s, {pages} pages, {size >> 20} MiB; memory {memory_text} MiB")


def _memory(pid: int) -> int:
    """Return the resident memory of a process and its descendants, in bytes."""
    total = int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))[0]) << 10
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return total + sum(_memory(int(child)) for child in below)


if __name__ == "__main__":
    main()
