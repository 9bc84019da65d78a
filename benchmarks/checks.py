"""Benchmark of the checks of a store: time and memory of `vigente check` and of the profiles of `export`.

Run ``python -m benchmarks.checks`` (``--works 1000 10000``), or with ``--store DIR`` on an existing store. The works
are fictional (numbers from 99901 up). On a busy machine processor time is more reliable than elapsed time. Compare how
both grow with size.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from benchmarks.figures import record_figures
from benchmarks.generate import write_sources
from benchmarks.stages import machine
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.pipeline import load
from queries.checks.run import check
from queries.profiles import projected

_SIZES = (1_000, 10_000)
#: The number of statements of a profile that are generated to measure its rate.
_STATEMENTS = 50_000


def _measured(where: Path, count: int) -> None:
    with stores.holding(where) as snapshot:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        tallies = check(snapshot)
        spent = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        nodes = sum({target: tally.checked for tally in tallies.values() for target in tally.check.targets}.values())
        print(f"  check: {spent:.0f} s, {processor:.0f} s of processor time, {nodes:,} nodes, ", end="")
        results, peak = sum(tally.results for tally in tallies.values()), after.ru_maxrss / 1024
        print(f"{results:,} results, peak {peak:.0f} MiB in the largest process")
        figures = {
            "clock s": spent,
            "processor s": processor,
            "nodes": nodes,
            "results": results,
            "peak MiB, largest process": peak,
        }
        record_figures(count, "check", figures)
        with stores.open_snapshot(snapshot) as store:
            for profile in ("lrmoo", "eli", "schema"):
                began, busy = time.perf_counter(), time.process_time()
                made = sum(1 for _ in islice(projected(store, profile), _STATEMENTS))
                rates = made / (time.perf_counter() - began), made / (time.process_time() - busy)
                print(f"  {profile}: {rates[0]:,.0f} statements/s, {rates[1]:,.0f} per second of processor")
                record_figures(count, profile, {"statements/s": rates[0], "statements per processor second": rates[1]})
        print(f"  peak of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def main() -> None:
    """Print time and memory of the checks and profiles at every size."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, nargs="+", default=list(_SIZES), help="sizes, in works")
    options.add_argument("--store", type=Path, help="an existing store with that number of works")
    chosen = options.parse_args()
    print(machine())
    if chosen.store is not None:
        _measured(chosen.store, chosen.works[0])
        return
    for count in chosen.works:
        with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
            pages = Path(folder) / "pages"
            pages.mkdir()
            records = write_sources(pages, count).records
            where = Path(folder) / "store"
            print(f"{count} works, loading ...", file=sys.stderr)
            with stores.open_for_writing(where, create=True) as store:
                load([pages], store, Quarantine(where / QUARANTINE))
            print(f"{count:,} works, {records:,} records")
            _measured(where, count)


if __name__ == "__main__":
    main()
