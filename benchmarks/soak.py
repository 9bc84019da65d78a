"""Endurance test of the service: ten minutes of mixed traffic like that of the public web, without growth of memory.

Run ``python -m benchmarks.soak`` (``--minutes 10``, ``--works 2000``). Good clients must always get an answer. Bad
clients send invalid requests. Hostile clients send endless queries, leave connections open, flood the service and send
too much data. Meanwhile another process loads changed records, and the service switches to each new snapshot. The size
of the store stays the same, so that nothing else may grow. Every status of 500 or above must be a limit of
docs/reference/limits.md. Good clients wait in the queue with hostile ones, and may get the answer that it is full.

Memory must not grow. The time is divided into tenths, and the first three, in which caches fill, are ignored. The
growth of a figure is the median of its slopes between any two of the other seven. It must be less than 1 % of the
figure's median in a minute. The figures are the memory of the server process (median of each tenth), its open files
(likewise), and the memory of all processes with idle workers (minimum of each tenth; hostile clients pause for some
seconds at its end). The exit code is 1 if a condition fails.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, cycle, pairwise
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from benchmarks.generate import works, write_pages
from benchmarks.stages import machine
from graph.store import open as open_store

__all__ = ["main"]

#: The reason codes that a response of status 500 or above may have. docs/reference/limits.md explains each.
_STATED = {"busy", "out-of-memory", "task-died", "time-limit"}
_ENDLESS = (
    "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f } ORDER BY ?c ?f ?a",
    "SELECT (GROUP_CONCAT(?c) AS ?x) WHERE { ?a ?b ?c . ?d ?e ?f }",
    "CONSTRUCT { ?a ?e ?f } WHERE { ?a ?b ?c . ?d ?e ?f }",
    "SELECT * WHERE { ?a (!<urn:x:1>)* ?b . ?b (!<urn:x:2>)* ?c }",
    "SELECT * WHERE { SERVICE <http://127.0.0.1:9/> { ?a ?b ?c } }",
    "ASK { " + "FILTER EXISTS { " * 90 + "?a ?b ?c" + " }" * 91,
    "SELECT * WHERE { " + "{" * 5000 + "}" * 5000 + " }",
)
#: The allowed growth of a figure in a minute, as a share of its median, from the fourth tenth on.
_GROWTH = 0.01
_PARTS, _WARM = 10, 3
#: Seconds for which hostile clients pause at the end of each tenth: longer than the time limit of their queries.
_PAUSE = 6.0
#: Seconds between samples, and between loads.
_SAMPLE_EVERY = 2
_LOAD_EVERY = 15


class _Tally:
    """Counts the answers by kind of client."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.statuses: dict[str, Counter[int]] = {}
        self.wrong: Counter[str] = Counter()
        self.waited: list[float] = []

    def note(self, kind: str, answer: httpx.Response) -> None:
        status, spent = answer.status_code, answer.elapsed.total_seconds()
        with self._lock:
            self.statuses.setdefault(kind, Counter())[status] += 1
            if kind == "good":
                self.waited.append(spent)
            if status < 500:
                return
            code = answer.json().get("code") if "json" in answer.headers.get("content-type", "") else None
            if code not in (_STATED if kind == "hostile" else {"busy"}):
                self.wrong[f"{kind}: {status} {code} at {answer.request.url.path[:60]}"] += 1

    def fail(self, problem: str) -> None:
        with self._lock:
            self.wrong[problem] += 1


class _Soak:
    """One run: starts the clients, and ends them."""

    def __init__(self, address: str, names: Sequence[str], pages: Path, store: Path, seconds: float) -> None:
        self._address = address
        self._began, self._tenth = time.monotonic(), seconds / _PARTS
        self._names = names
        self._pages = pages
        self._store = store
        self._over = Event()
        self.tally = _Tally()
        self.loads = 0

    def threads(self) -> Iterator[Thread]:
        """Yield a thread for each client and one for the loads, each with its own loopback address."""
        kinds: tuple[tuple[Callable[[str, int], None], int], ...] = (
            (self._good, 3),
            (self._bad, 2),
            (self._hostile, 4),
            (self._silent, 1),
            (self._loading, 1),
        )
        host = 2
        for kind, count in kinds:
            for _ in range(count):
                yield Thread(target=self._until_over, args=(kind, f"127.0.0.{host}", host), daemon=True)
                host += 1

    def end(self) -> None:
        self._over.set()

    def _until_over(self, kind: Callable[[str, int], None], host: str, seed: int) -> None:
        try:
            kind(host, seed)
        except Exception as error:  # noqa: BLE001 - without one client the run would be worthless
            self.tally.fail(f"a client failed: {type(error).__name__}: {error}")

    def _client(self, host: str) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=host)
        return httpx.Client(transport=transport, base_url=self._address, timeout=60)

    def _good(self, host: str, seed: int) -> None:
        random = Random(seed)
        with self._client(host) as client:
            while not self._over.is_set():
                name, day = random.choice(self._names), f"{random.randrange(1960, 2026)}-06-01"
                path, parameters = random.choice(
                    (
                        ("/api/v1/in-force", {"urn": name, "on": day, "as_known": "2026-01-01"}),
                        ("/api/v1/timeline", {"urn": name}),
                        ("/api/v1/resolve", {"urn": name}),
                        (f"/{name}", {}),
                        (f"/timemap/{name}", {}),
                        ("/sparql", {"query": f"SELECT ?p ?o WHERE {{ <{name}> ?p ?o }}"}),
                        ("/health", {}),
                    )
                )
                answer = client.get(path, params=parameters)
                self.tally.note("good", answer)
                if answer.status_code == 429:
                    self.tally.fail(f"good: 429 at {path[:30]}")
                self._over.wait(0.01)

    def _bad(self, host: str, seed: int) -> None:
        random = Random(seed)
        with self._client(host) as client:
            while not self._over.is_set():
                method, path = random.choice(
                    (
                        ("GET", "/api/v1/in-force?urn=urn:lex:br:federal:lei:1990-13-41;1"),
                        ("GET", "/api/v1/in-force?urn=lei&urn=lei"),
                        ("GET", "/api/v1/in-force?urn=urn:lex:br:federal:lei:2001-01-01;1&on=yesterday"),
                        ("GET", "/urn:lex:br:federal:lei:1999-01-01;31999"),
                        ("GET", "/..%2f..%2fetc/passwd"),
                        ("DELETE", "/sparql"),
                        ("POST", "/sparql"),
                        ("GET", "/sparql?query=SELECT"),
                        ("GET", "/nothing/here"),
                    )
                )
                self.tally.note("bad", client.request(method, path, headers=[(b"X-Odd", b"\xe9" * 20)]))
                self._over.wait(0.02)

    def _hostile(self, host: str, seed: int) -> None:
        random = Random(seed)
        while not self._over.is_set():
            if self._is_pause():
                self._over.wait(0.1)
                continue
            with self._client(host) as client, contextlib.suppress(httpx.TransportError):
                if random.randrange(6) == 0:
                    self.tally.note("hostile", client.post("/sparql", content=b"x" * (3 << 20)))
                elif random.randrange(6) == 0:
                    body = {"names": ["lei do pregão"] * 1000}
                    self.tally.note("hostile", client.post("/api/v1/in-force", json=body))
                else:
                    self.tally.note("hostile", client.post("/sparql", data={"query": random.choice(_ENDLESS)}))
            self._over.wait(0.05)

    def _is_pause(self) -> bool:
        """Return whether a tenth of the time is about to end."""
        left = self._tenth - (time.monotonic() - self._began) % self._tenth
        return left < min(_PAUSE, self._tenth / 2)

    def _silent(self, host: str, _: int) -> None:
        """Open connections, send half of a request on each, and wait."""
        to = urlsplit(self._address)
        while not self._over.is_set():
            held = []
            for _ in range(20):
                with contextlib.suppress(OSError):
                    held.append(socket.create_connection((str(to.hostname), to.port or 80), 5, (host, 0)))
                    held[-1].sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n")
            self._over.wait(5)
            for connection in held:
                connection.close()

    def _loading(self, _: str, __: int) -> None:
        """Load one page of changed records after another; each gives a new snapshot of the same size."""
        for turn, page in enumerate(cycle(sorted(self._pages.iterdir())), start=1):
            mended = self._pages.with_name("mended") / page.name
            mended.write_text(_mended(page.read_text("utf-8"), turn), "utf-8")
            command = [sys.executable, "-m", "service", "--store", str(self._store), "load", str(mended)]
            done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - see above
            if done.returncode:
                self.tally.fail(f"a load ended with {done.returncode}: {done.stderr[-200:]}")
            self.loads += 1
            if self._over.wait(_LOAD_EVERY):
                return


def _mended(page: str, turn: int) -> str:
    """Return a page with its records changed for the ``turn``-th time, without changing their lengths."""
    stamped = page.replace("T12:00:00Z</datestamp>", f"T13:{turn // 60:02}:{turn % 60:02}Z</datestamp>")
    return stamped.replace("gerado para medir.", f"gerado, redação {turn:05}.")


class _Sample(NamedTuple):
    """One measurement: MiB of the server process and of all processes, and open files of the server process."""

    server: float
    everything: float
    files: float


def _sample(root: int) -> _Sample:
    """Measure the server process, and the supervisor with all its descendants (proportional set sizes).

    The server process is the largest child of the supervisor; workers are other descendants.
    """
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    total, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        waiting.extend(children.get(process, ()))
        total += _held_by(process)
    server = max(children.get(root, ()), key=_held_by)
    return _Sample(_held_by(server) / 1024, total / 1024, len(list(Path(f"/proc/{server}/fd").iterdir())))


def _held_by(process: int) -> int:
    """Return the memory of a process in KiB; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def main() -> None:
    """Print the answers and the memory; exit with 1 if a condition fails."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, default=2_000, help="how many works the store has")
    options.add_argument("--minutes", type=float, default=10, help="the duration of the run in minutes")
    chosen = options.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        sys.exit(_soak(Path(folder), chosen.works, chosen.minutes * 60))


def _soak(folder: Path, count: int, seconds: float) -> int:
    pages, store = folder / "pages", folder / "store"
    for directory in (pages, folder / "mended"):
        directory.mkdir()
    write_pages(pages, count)
    load = [sys.executable, "-m", "service", "--store", str(store), "load", str(pages)]
    subprocess.run(load, check=True, capture_output=True)  # noqa: S603 - this program itself
    quads = _quads(store)
    serve = [sys.executable, "-m", "service", "--store", str(store), "serve", "--port", "0", "--query-seconds", "2"]
    with (folder / "log").open("w+") as log, subprocess.Popen(serve, stderr=log) as process:  # noqa: S603
        try:
            address = _address(folder / "log")
            soak = _Soak(address, [name for name, _ in works(count)], pages, store, seconds)
            clients = list(soak.threads())
            for client in clients:
                client.start()
            held: list[_Sample] = []
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                time.sleep(_SAMPLE_EVERY)
                held.append(_sample(process.pid))
            soak.end()
            for client in clients:
                client.join(90)
        finally:
            process.terminate()
    print(f"  quads in the store: {quads:,} before, {_quads(store):,} after")
    return _check(soak, held, (folder / "log").read_text())


def _quads(store: Path) -> int:
    with open_store(store) as opened:
        return len(opened)


def _address(log: Path) -> str:
    for _ in range(300):
        text = log.read_text()
        if "listening on " in text and text.endswith("\n"):
            return text.rpartition("listening on ")[2].split()[0].rstrip("/")
        time.sleep(0.1)
    raise RuntimeError("the service did not start")


def _check(soak: _Soak, held: Sequence[_Sample], log: str) -> int:
    tally = soak.tally
    for kind, statuses in sorted(tally.statuses.items()):
        print(f"  {kind:8}", ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items())))
    tail = statistics.quantiles(tally.waited, n=100)[98] * 1000
    print(
        f"  good clients waited {statistics.median(tally.waited) * 1000:.0f} ms (99 %: {tail:.0f} ms); "
        f"{soak.loads} new snapshots"
    )
    failed = dict(tally.wrong)
    if "internal-error" in log or "Traceback" in log:
        failed["the log has an error"] = 1
    server, everything, files = zip(*held, strict=True)
    for label, parts in (
        ("MiB of the server process", _parts(server, statistics.median)),
        ("open files of the server process", _parts(files, statistics.median)),
        ("MiB of all processes with idle workers", _parts(everything, min)),
    ):
        grows = _growth(parts[_WARM:], len(held) * _SAMPLE_EVERY / 60 / _PARTS)
        print(f"  {label}: {' '.join(f'{part:.0f}' for part in parts)}; {grows:+.2%} a minute")
        if grows >= _GROWTH:
            failed[f"{label}: it grows"] = 1
    print(f"  maximum MiB of all processes: {max(everything):.0f}")
    for label, times in failed.items():
        print(f"  WRONG ({times}): {label}")
    if not failed:
        print("  RIGHT: memory does not grow, and every refusal is by a documented limit")
    return 1 if failed else 0


def _parts(samples: Sequence[float], summarize: Callable[[Sequence[float]], float]) -> list[float]:
    """Return a summary of each tenth of the samples."""
    ends = [len(samples) * part // _PARTS for part in range(_PARTS + 1)]
    return [summarize(samples[start:end]) for start, end in pairwise(ends)]


def _growth(parts: Sequence[float], minutes: float) -> float:
    """Return the growth in a minute, as a share of the median of the parts, each of which lasts ``minutes``.

    It is the median of the slopes between any two parts (Theil and Sen), which single outliers do not change.
    """
    slopes = [(later - earlier) / (n - m) for (m, earlier), (n, later) in combinations(enumerate(parts), 2)]
    return statistics.median(slopes) / minutes / statistics.median(parts)


if __name__ == "__main__":
    os.umask(0o077)
    main()
