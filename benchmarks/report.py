"""One page with all figures: every benchmark in turn, each in processes of its own and within a bounded time.

Run ``python -m benchmarks.report`` (``--size small``, some twenty minutes on two processors; ``full``, hours; ``tiny``,
to see that it works), or with names of benchmarks for these alone. The page tells the machine, how fast its Python was
before and after, what other programs took meanwhile, and each figure beside the one that is wanted. A benchmark that
fails, or lacks a program, is told in its place, with the figures that it came to.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from benchmarks.figures import FILE, Figure, read
from benchmarks.stages import machine
from benchmarks.wanted import holds, wanted

__all__ = ["Benchmark", "Outcome", "page", "run"]

_ROOT = Path(__file__).resolve().parents[1]
_PAGE = _ROOT / "docs" / "reference" / "report.md"
#: Seconds that one benchmark may take.
_LIMITS = {"tiny": 120, "small": 600, "full": 4 * 3600}
#: The share of a processor that others may have taken before figures are no measure.
_QUIET = 0.1
_ADDITIONS = 5_000_000
_TICKS = Path("/proc/stat")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark, and its options by size; ``{store}`` is the store that the benchmark ``sources`` makes.

    Attributes:
        name: what it is called on the page; its first word is the module.
        sizes: the unit in which its sizes are counted.
    """

    name: str
    sizes: str
    tiny: str
    small: str
    full: str

    def command(self, size: str, store: Path) -> list[str]:
        """What to run."""
        options = {"tiny": self.tiny, "small": self.small, "full": self.full}[size].format(store=store).split()
        return [sys.executable, "-m", f"benchmarks.{self.name.partition(' ')[0]}", *options]


#: A benchmark of real material, which is not shipped, with options of its own: it is run by itself.
APART = ("constitution",)

BENCHMARKS = (
    Benchmark("sources", "works", "--works 60 --store {store}", "--works 5000 --store {store}", "--store {store}"),
    Benchmark("first_slice", "works", "--works 20", "--works 1000 5000", "--works 10000 100000"),
    Benchmark("loading", "records", "--records 60", "--records 2000 10000", "--records 20000 100000"),
    Benchmark("harvesting", "records", "--records 60", "--records 2000 10000", "--records 20000 100000"),
    Benchmark("bulk", "records", "--records 60", "--records 10000", "--records 100000 1000000"),
    Benchmark("publishing", "records", "--records 60", "--records 5000", "--records 100000"),
    Benchmark("remote", "works", "--works 10", "--works 1000", "--works 1000 10000"),
    Benchmark("provisions", "documents", "--documents 1", "--documents 2 8", "--documents 10 40"),
    Benchmark("editions", "editions", "--editions 2", "--editions 5 20", "--editions 30 93"),
    Benchmark("amendments", "paragraphs", "", "", ""),
    Benchmark("pages", "norms", "--norms 20", "--norms 500", "--norms 500 5000"),
    Benchmark("search", "versions", "--versions 450", "--versions 10000", "--versions 10000 100000"),
    Benchmark("resolver", "works", "--works 100", "--works 1000 5000", "--works 10000 100000"),
    Benchmark("questions", "norms", "--store {store}", "--store {store}", "--store {store}"),
    Benchmark(
        "serving",
        "works",
        "--works 60 --store {store} --seconds 1",
        "--works 5000 --store {store} --seconds 5",
        "--store {store}",
    ),
    Benchmark(
        "checks",
        "works",
        "--works 60 --store {store}",
        "--works 5000 --store {store}",
        "--works 100000 --store {store}",
    ),
    Benchmark(
        "crowd",
        "works",
        "--works 60 --store {store} --seconds 1",
        "--works 5000 --store {store}",
        "--store {store} --works 100000",
    ),
    Benchmark("soak", "works", "--works 60 --minutes 1", "--works 500 --minutes 3", "--minutes 10"),
    Benchmark(
        "catalogue",
        "works",
        "--works 60 --store {store} stock_by_year citations",
        "--works 40000",
        "--works 100000 --store {store}",
    ),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a benchmark.

    Attributes:
        fault: why it did not come to its end; None where it did.
        seconds: that it took.
    """

    benchmark: Benchmark
    figures: Sequence[Figure]
    fault: str | None
    seconds: float


def run(benchmark: Benchmark, size: str, folder: Path) -> Outcome:
    """Run a benchmark, and end it with all that it started when its time is up."""
    told, log, store = folder / f"{benchmark.name}.jsonl", folder / f"{benchmark.name}.log", folder / "store"
    command = benchmark.command(size, store)
    began = time.monotonic()
    if benchmark.name != "sources" and str(store) in command and not (store / "current").exists():
        return Outcome(benchmark, (), "there is no store to ask: see sources", 0)
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - this program itself
            command,
            stdout=output,
            stderr=output,
            cwd=_ROOT,
            env={**os.environ, FILE: str(told)},
            start_new_session=True,
        )
    try:
        status = process.wait(_LIMITS[size])
    except subprocess.TimeoutExpired:
        fault: str | None = f"it was ended after {_LIMITS[size]} s"
    else:
        fault = _last_line(log) if status else None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Outcome(benchmark, read(told), fault, time.monotonic() - began)


def _last_line(log: Path) -> str:
    """What a failed program said last, without folders and what a table cannot hold."""
    lines = log.read_text("utf-8", "replace").strip().splitlines() or ["it failed and said nothing"]
    return re.sub(r"/[\w./-]+/", "", lines[-1].strip()).replace("|", "/")[:200]


def pace() -> float:
    """Seconds that this Python takes for five million additions."""
    began, total = time.perf_counter(), 0
    for number in range(_ADDITIONS):
        total += number
    return time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under which figures were taken: the pace of Python before and after, processors that others kept busy."""

    before: float
    after: float
    others: float | None

    def told(self) -> str:
        """A paragraph of the page."""
        if self.others is None:
            load = "What other programs took meanwhile is not known here."
        else:
            load = f"Other programs took {self.others:.2f} of its {os.cpu_count()} processors meanwhile"
            load += ": **the machine was busy, these figures are no measure**." if self.others > _QUIET else "."
        return (
            f"Five million additions took Python {self.before:.2f} s before and {self.after:.2f} s after: "
            f"figures by the clock move with that. {load}"
        )


def _ticks() -> float | None:
    """Seconds that all processors have been busy with anything; None where the system does not tell."""
    if not _TICKS.exists():
        return None
    user, nice, system, _, _, interrupts, soft, *_ = map(int, _TICKS.read_text("ascii").split()[1:9])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    return sum(spent.ru_utime + spent.ru_stime for spent in (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)))


def page(told: str, outcomes: Sequence[Outcome], conditions: Conditions) -> str:
    """All figures as one page of Markdown.

    Args:
        told: the words behind ``make bench`` by which they came.
    """
    minutes = sum(outcome.seconds for outcome in outcomes) / 60
    today, where = datetime.now(UTC).date(), machine()
    lines = [
        "# All figures",
        "",
        f"Written by `make bench {told}` on {today}, in {minutes:.0f} minutes.",
        "[Benchmarks](../explanation/benchmarks.md) says what each benchmark measures, and what larger runs showed.",
        "What carries",
        "over to another machine are ratios. A figure is wanted of the size beside it, on two quiet",
        "processors.",
        "",
        f"{where[0].upper()}{where[1:]}, SQLite {sqlite3.sqlite_version}, {platform.system()}; {_commit()}.",
        "",
        conditions.told(),
    ]
    for outcome in outcomes:
        lines += ["", f"## {outcome.benchmark.name}", ""]
        if outcome.fault is not None:
            lines += [f"**Not measured to its end**: {outcome.fault}", ""]
        elif not outcome.figures:
            lines += ["It came to its end without a fault, and tells no figures.", ""]
        lines += _table(outcome)
    return "\n".join(lines).rstrip() + "\n"


def _table(outcome: Outcome) -> list[str]:
    """The rows of a benchmark: a column for each size, where all figures have the same sizes."""
    rows: dict[tuple[str, str], dict[int, float]] = {}
    for figure in outcome.figures:
        rows.setdefault((figure.stage, figure.name), {})[figure.size] = figure.value
    if not rows:
        return []
    sizes = sorted({size for found in rows.values() for size in found})
    alike = all(len(found) == 1 for found in rows.values()) and len(sizes) > 1
    heads = (
        [outcome.benchmark.sizes, "measured"] if alike else [f"{size:,} {outcome.benchmark.sizes}" for size in sizes]
    )
    several = ["last / first"] if len(heads) > 1 and not alike else []
    columns = ["stage", "figure", *heads, *several, "wanted", "holds"]
    lines = [f"| {' | '.join(columns)} |", f"|---|---|{'---:|' * (len(heads) + len(several))}---|---|"]
    for (stage, name), found in rows.items():
        last = max(found)
        cells = [f"{last:,}", _number(found[last])] if alike else [_number(found.get(size)) for size in sizes]
        if several:
            first = found.get(sizes[0])
            cells.append(f"{found[sizes[-1]] / first:.2f}" if first and sizes[-1] in found else "")
        mark = wanted(outcome.benchmark.name, stage, name)
        judged = ["", ""] if mark is None else [mark.told(), holds(mark, last, found[last])]
        lines.append(f"| {' | '.join([stage, name, *cells, *judged])} |")
    return lines


def _number(value: float | None) -> str:
    """With three digits at least, of small figures."""
    if value is None:
        return ""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.4f}"


def _commit() -> str:
    """Which state of the program was measured, where that is a checkout."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],  # noqa: S607 - whichever git there is
            cwd=_ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "no checkout"
    return f"commit {done.stdout.strip()}"


def main() -> None:
    """Run the benchmarks, print the page and write it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--size", choices=list(_LIMITS), default="small")
    options.add_argument("--to", type=Path, default=_PAGE, help="where the page is written: docs/reference/report.md")
    options.add_argument(
        "benchmarks", nargs="*", metavar="BENCHMARK", help=", ".join(benchmark.name for benchmark in BENCHMARKS)
    )
    chosen = options.parse_args()
    unknown = set(chosen.benchmarks) - {benchmark.name for benchmark in BENCHMARKS}
    if unknown:
        options.error(f"expected names of benchmarks, got {', '.join(sorted(unknown))}")
    before, busy, own, began = pace(), _ticks(), _own(), time.monotonic()
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        for benchmark in BENCHMARKS:
            if not chosen.benchmarks or benchmark.name in chosen.benchmarks:
                print(f"{benchmark.name} ...", file=sys.stderr, flush=True)
                outcomes.append(run(benchmark, chosen.size, Path(folder)))
    now, spent = _ticks(), time.monotonic() - began
    others = None if busy is None or now is None else max(0.0, now - busy - (_own() - own)) / spent
    told = f"SIZE={chosen.size}" + (f" ONLY='{' '.join(chosen.benchmarks)}'" if chosen.benchmarks else "")
    text = page(told, outcomes, Conditions(before, pace(), others))
    chosen.to.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
