"""Tests of the page of benchmark results: every benchmark is on it, also if it failed, was skipped or timed out."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.figures import Figure, record_figures
from benchmarks.report import APART, BENCHMARKS, Benchmark, Conditions, Outcome, page, run
from benchmarks.wanted import Bound, holds

ROOT = Path(__file__).resolve().parents[2]
QUIET = Conditions(0.18, 0.19, 0.01)
ROOM = Benchmark("harvesting", "records", "", "", "")


def rows(text: str, benchmark: str) -> list[list[str]]:
    """Return the cells of the table of a benchmark, header row first."""
    section = text.partition(f"## {benchmark}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_benchmark_is_on_the_page() -> None:
    has_main = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text("utf-8")}
    assert {benchmark.name.partition(" ")[0] for benchmark in BENCHMARKS} == has_main - {"report", *APART}


def test_figure_is_shown_with_its_target() -> None:
    figures = [
        Figure(size, "first_harvest", name, value)
        for size, rate, peak in ((1_000, 2_000, 100), (100_000, 1_400, 400))
        for name, value in (("records/s", rate), ("peak MiB", peak), ("quads/record", 0.056))
    ]
    text = page("SIZE=small", [Outcome(ROOM, figures, None, 60)], QUIET)
    assert rows(text, "harvesting") == [
        ["stage", "figure", "1,000 records", "100,000 records", "last / first", "target", "met"],
        ["first_harvest", "records/s", "2,000", "1,400", "0.70", "≥ 1,500, of 100,000", "**no**"],
        ["first_harvest", "peak MiB", "100", "400", "4.00", "≤ 572, of 1,000,000", "yes, of 100,000"],
        ["first_harvest", "quads/record", "0.0560", "0.0560", "1.00", "", ""],
    ]


def test_target_equal_to_the_figure_is_met() -> None:
    for more in (True, False):
        assert holds(Bound(5, more, 0), 1, 5) == "yes"
        assert holds(Bound(5, more, 10), 1, 4 if more else 6) == "**no**, of 1"


def test_busy_machine_is_reported() -> None:
    busy = page("SIZE=small", [], Conditions(0.2, 0.4, 0.5))
    assert "0.20 s before and 0.40 s after" in busy
    assert re.search(r"Other programs used 0\.50 of the [0-9]+ processors meanwhile: \*\*the machine was busy", busy)
    assert "busy" not in page("SIZE=small", [], QUIET)
    assert "The load by other programs is unknown." in page("SIZE=small", [], Conditions(0.2, 0.2, None))


def test_missing_program_or_store_is_reported_and_the_run_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    no_wrk = run(Benchmark("serving", "works", "--works 5 --seconds 1", "", ""), "tiny", tmp_path)
    assert no_wrk.fault == "expected wrk on the path; Debian's package is wrk"
    no_store = run(Benchmark("checks", "works", "--store {store}", "", ""), "tiny", tmp_path)
    assert no_store.fault == "there is no store: the benchmark sources did not make it"
    text = page("SIZE=tiny", [no_wrk, no_store], QUIET)
    assert "## serving\n\n**Not measured to its end**: expected wrk" in text
    assert "## checks\n\n**Not measured to its end**: there is no store" in text


def test_timed_out_benchmark_is_killed_with_its_child_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(report._LIMITS, "tiny", 3)  # noqa: SLF001
    endless = run(Benchmark("soak", "works", "--works 5 --minutes 10", "", ""), "tiny", tmp_path)
    assert endless.fault == "it was killed at the time limit of 3 s"
    assert endless.seconds < 15
    until = time.monotonic() + 5
    while alive := _processes_writing_to(tmp_path / "soak.jsonl"):
        assert time.monotonic() < until, f"{alive} live on"
        time.sleep(0.05)


def _processes_writing_to(file: Path) -> list[str]:
    """Return the processes whose environment names a file for results."""
    processes = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"VIGENTE_BENCH_FIGURES={file}".encode() in environment.read_bytes().split(b"\0"):
                processes.append(environment.parent.name)
        except OSError:
            continue
    return processes


@pytest.mark.slow
def test_small_run_writes_the_page(tmp_path: Path) -> None:
    where = tmp_path / "report.md"
    command = [sys.executable, "-m", "benchmarks.report", "--size", "tiny", "--to", str(where), "first_slice"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=120)
    text = where.read_text("utf-8")
    assert done.stdout == text + "\n"
    assert "Not measured" not in text
    assert "## harvesting" not in text
    figures = {(stage, name): value for stage, name, value, *_ in rows(text, "first_slice")}
    assert 20 < float(figures["load_records", "records"]) < 2000
    assert float(figures["ratio", "load to bare engine"]) > 0
    assert "`make bench SIZE=tiny ONLY='first_slice'`" in text


def test_unknown_benchmark_is_refused() -> None:
    command = [sys.executable, "-m", "benchmarks.report", "resolvr"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "expected names of benchmarks, got resolvr" in done.stderr


def test_figures_are_written_only_if_requested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIGENTE_BENCH_FIGURES", raising=False)
    record_figures(1, "stage", {"figure": 1})
    assert list(tmp_path.iterdir()) == []
