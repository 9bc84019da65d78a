"""Runs all benchmarks and writes one page with their figures. Each runs in separate processes and within a time limit.

Run ``python -m benchmarks.report`` (``--size small``, twelve minutes on two idle processors; ``full``, hours; ``tiny``,
a quick test), or with names of benchmarks to run only these. The page has the machine, the speed of its Python before
and after, the load by other programs, and each figure with its target. If a benchmark fails or a program is missing,
the page has the reason and the figures recorded before.
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
#: The load by other programs, in processors, above which the figures are not reliable.
_QUIET = 0.1
_ADDITIONS = 5_000_000
_TICKS = Path("/proc/stat")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark with its options by size; ``{store}`` is the store that the benchmark ``sources`` makes.

    Attributes:
        name: the heading on the page; its first word is the module.
        sizes: the unit of its sizes.
    """

    name: str
    sizes: str
    tiny: str
    small: str
    full: str

    def command(self, size: str, store: Path) -> list[str]:
        """Return the command line."""
        options = {"tiny": self.tiny, "small": self.small, "full": self.full}[size].format(store=store).split()
        return [sys.executable, "-m", f"benchmarks.{self.name.partition(' ')[0]}", *options]


#: Benchmarks that need data, or an earlier version, which is not distributed. They are run separately.
APART = ("constitution", "fairness")

BENCHMARKS = (
    Benchmark("sources", "works", "--works 60 --store {store}", "--works 5000 --store {store}", "--store {store}"),
    Benchmark("first_slice", "works", "--works 20", "--works 1000 5000", "--works 10000 100000"),
    Benchmark("loading", "records", "--records 60", "--records 2000 10000", "--records 20000 100000"),
    Benchmark("harvesting", "records", "--records 60", "--records 10000 100000", "--records 20000 100000"),
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
        "requests",
        "works",
        "--works 60 --store {store}",
        "--works 5000 --store {store}",
        "--store {store} --works 100000",
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
    Benchmark("soak", "works", "--works 60 --minutes 1", "--works 500 --minutes 1", "--minutes 10"),
    Benchmark(
        "catalogue",
        "works",
        "--works 60 --store {store} stock_by_year citations",
        "--works 20000",
        "--works 100000 --store {store}",
    ),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a benchmark.

    Attributes:
        fault: why it did not finish; None if it did.
        seconds: the elapsed time.
    """

    benchmark: Benchmark
    figures: Sequence[Figure]
    fault: str | None
    seconds: float


def run(benchmark: Benchmark, size: str, folder: Path) -> Outcome:
    """Run a benchmark; kill it and all its processes when the time limit is reached."""
    figures, log, store = folder / f"{benchmark.name}.jsonl", folder / f"{benchmark.name}.log", folder / "store"
    command = benchmark.command(size, store)
    began = time.monotonic()
    if benchmark.name != "sources" and str(store) in command and not (store / "current").exists():
        return Outcome(benchmark, (), "there is no store: the benchmark sources did not make it", 0)
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - this program itself
            command,
            stdout=output,
            stderr=output,
            cwd=_ROOT,
            env={**os.environ, FILE: str(figures)},
            start_new_session=True,
        )
    try:
        status = process.wait(_LIMITS[size])
    except subprocess.TimeoutExpired:
        fault: str | None = f"it was killed at the time limit of {_LIMITS[size]} s"
    else:
        fault = _last_line(log) if status else None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Outcome(benchmark, read(figures), fault, time.monotonic() - began)


def _last_line(log: Path) -> str:
    """Return the last line of a log, without paths and without characters that a table cannot have."""
    lines = log.read_text("utf-8", "replace").strip().splitlines() or ["it failed without a message"]
    return re.sub(r"/[\w./-]+/", "", lines[-1].strip()).replace("|", "/")[:200]


def pace() -> float:
    """Return how many seconds five million additions take in this Python."""
    began, total = time.perf_counter(), 0
    for number in range(_ADDITIONS):
        total += number
    return time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of the run: the speed of Python before and after, and processors busy with other programs."""

    before: float
    after: float
    others: float | None

    def paragraph(self) -> str:
        """Return the paragraph of the page about the conditions."""
        if self.others is None:
            load = "The load by other programs is unknown."
        else:
            load = f"Other programs used {self.others:.2f} of the {os.cpu_count()} processors meanwhile"
            load += ": **the machine was busy, these figures are not reliable**." if self.others > _QUIET else "."
        return (
            f"Five million additions in Python took {self.before:.2f} s before and {self.after:.2f} s after the run; "
            f"elapsed times vary with this speed. {load}"
        )


def _ticks() -> float | None:
    """Return the busy time of all processors in seconds; None where the system does not report it."""
    if not _TICKS.exists():
        return None
    user, nice, system, _, _, interrupts, soft, *_ = map(int, _TICKS.read_text("ascii").split()[1:9])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    return sum(spent.ru_utime + spent.ru_stime for spent in (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)))


def page(command: str, outcomes: Sequence[Outcome], conditions: Conditions) -> str:
    """Return all figures as one page of Markdown.

    Args:
        command: the arguments of ``make bench``.
    """
    minutes = sum(outcome.seconds for outcome in outcomes) / 60
    today, where = datetime.now(UTC).date(), machine()
    lines = [
        "# All figures",
        "",
        f"Written by `make bench {command}` on {today}, in {minutes:.0f} minutes.",
        "[Benchmarks](../explanation/benchmarks.md) describes what each benchmark measures, and has larger runs.",
        "Between machines, compare the ratios. A target applies to the size after `of`, on two idle processors.",
        "The last column has the measured size, if it is smaller.",
        "",
        f"{where[0].upper()}{where[1:]}, SQLite {sqlite3.sqlite_version}, {platform.system()}; {_commit()}.",
        "",
        conditions.paragraph(),
    ]
    for outcome in outcomes:
        lines += ["", f"## {outcome.benchmark.name}", ""]
        if outcome.fault is not None:
            lines += [f"**Not measured to its end**: {outcome.fault}", ""]
        elif not outcome.figures:
            lines += ["It finished without a fault, and recorded no figures.", ""]
        lines += _table(outcome)
    return "\n".join(lines).rstrip() + "\n"


def _table(outcome: Outcome) -> list[str]:
    """Return the table of a benchmark, with a column for each size; only one if each figure has one size."""
    rows: dict[tuple[str, str], dict[int, float]] = {}
    for figure in outcome.figures:
        rows.setdefault((figure.stage, figure.name), {})[figure.size] = figure.value
    if not rows:
        return []
    sizes = sorted({size for values in rows.values() for size in values})
    one_size_each = all(len(values) == 1 for values in rows.values()) and len(sizes) > 1
    headings = (
        [outcome.benchmark.sizes, "measured"]
        if one_size_each
        else [f"{size:,} {outcome.benchmark.sizes}" for size in sizes]
    )
    several = ["last / first"] if len(headings) > 1 and not one_size_each else []
    columns = ["stage", "figure", *headings, *several, "target", "met"]
    lines = [f"| {' | '.join(columns)} |", f"|---|---|{'---:|' * (len(headings) + len(several))}---|---|"]
    for (stage, name), values in rows.items():
        last = max(values)
        cells = [f"{last:,}", _number(values[last])] if one_size_each else [_number(values.get(size)) for size in sizes]
        if several:
            first = values.get(sizes[0])
            cells.append(f"{values[sizes[-1]] / first:.2f}" if first and sizes[-1] in values else "")
        target = wanted(outcome.benchmark.name, stage, name)
        target_cells = ["", ""] if target is None else [target.text(), holds(target, last, values[last])]
        lines.append(f"| {' | '.join([stage, name, *cells, *target_cells])} |")
    return lines


def _number(value: float | None) -> str:
    """Return a figure as text; small figures have at least three digits."""
    if value is None:
        return ""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.4f}"


def _commit() -> str:
    """Return the commit that was measured, if the program is in a checkout."""
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
    options.add_argument("--to", type=Path, default=_PAGE, help="the file to write; default: docs/reference/report.md")
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
    command = f"SIZE={chosen.size}" + (f" ONLY='{' '.join(chosen.benchmarks)}'" if chosen.benchmarks else "")
    text = page(command, outcomes, Conditions(before, pace(), others))
    chosen.to.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
