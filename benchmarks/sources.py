"""Benchmark of generating, loading and optimizing all kinds of sources. Other benchmarks use the store.

Run ``python -m benchmarks.sources --store DIR`` (``--works 100000``). The sources are those of
:func:`benchmarks.generate.write_sources`; ``vigente load`` loads them, and ``vigente optimize`` optimizes the store.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from benchmarks.figures import record_figures
from benchmarks.generate import write_sources
from benchmarks.stages import machine
from graph import store as stores

_WORKS = 100_000


def main() -> None:
    """Print the times of generating, loading and optimizing."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, default=_WORKS, help="how many works to generate and load")
    options.add_argument("--store", type=Path, required=True, help="the folder of the new store")
    chosen = options.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        began, busy = time.perf_counter(), time.process_time()
        written = write_sources(Path(folder), chosen.works)
        _report(chosen.works, "generate", {"records": written.records, **_spent(began, time.process_time() - busy)})
        _report(chosen.works, "load", _command(chosen.store, "load", folder))
    with stores.open(chosen.store) as store:
        quads = len(store)
    _report(chosen.works, "optimize", _command(chosen.store, "optimize"))
    size = sum(path.stat().st_size for path in (chosen.store / "current").resolve().iterdir())
    _report(chosen.works, "store", {"quads": quads, "bytes/quad": size / quads})


def _command(store: Path, *arguments: str) -> dict[str, float]:
    """Return time and memory of a command with all its processes; the peak is that of the largest process."""
    began, before = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "service", "--store", str(store), *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - this program itself
    after = getrusage(RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**_spent(began, busy), "peak MiB, largest process": after.ru_maxrss / 1024}


def _spent(began: float, busy: float) -> dict[str, float]:
    return {"clock s": time.perf_counter() - began, "processor s": busy}


def _report(works: int, stage: str, figures: dict[str, float]) -> None:
    print(f"{stage:10}", ", ".join(f"{name} {value:,.1f}" for name, value in figures.items()), flush=True)
    record_figures(works, stage, figures)


if __name__ == "__main__":
    main()
