"""Benchmark of bulk loading: load and publish all records, load a few changed records, then optimize the store.

Run ``python -m benchmarks.bulk`` (``--records 100000 1000000``). The records are those of ``benchmarks.loading``: seven
of ten name a norm without a version. The load uses one reader process for each processor. The peaks of memory are those
of the process with the store, and of one reader.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from benchmarks.generate import write_mixed_pages
from benchmarks.stages import measured, print_figures
from graph import store as stores
from graph.process import available
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.pipeline import load

_SIZES = (20_000, 100_000)
_CHANGED = 1_000
_RECORD = re.compile(r"<record>.*?</record>", re.DOTALL)
_SUMMARY = re.compile(r"(?<=<Ementa>)[^<]*")


def first_load(count: int, folder: Path) -> dict[str, float]:
    """Load all records into a new store, derive all periods, and publish."""
    pages = folder / "pages"
    pages.mkdir()
    write_mixed_pages(pages, count)
    figures = _loaded([pages], folder / "store")
    with stores.open(folder / "store") as published:
        quads = len(published)
    size = sum(file.stat().st_size for file in (folder / "store" / "current").resolve().iterdir())
    return {
        "records/s": count / figures["seconds"],
        "quads/s": quads / figures["seconds"],
        **figures,
        "quads/record": quads / count,
        "bytes/quad": size / quads,
        "bytes/record": size / count,
        "peak MiB of a reader": getrusage(RUSAGE_CHILDREN).ru_maxrss / 1024,
    }


def few_changed(count: int, folder: Path) -> dict[str, float]:
    """Load and publish a thousand changed records from all parts of the store, three times.

    The first of these loads also computes the checksums of the tables that the engine merged after loading all records.
    """
    every = max(1, count // _CHANGED)
    changed: list[str] = []
    index = 0
    head = ""
    for page in sorted((folder / "pages").iterdir()):
        text = page.read_text("utf-8")
        head = head or text[: text.index("<record>")]
        for record in _RECORD.findall(text):
            if index % every == 0 and len(changed) < _CHANGED:
                changed.append(record)
            index += 1
    page = folder / "changed.xml"
    seconds = []
    for time_of_change in ("uma vez", "duas vezes", "três vezes"):
        records = (
            _SUMMARY.sub(f"Documento fictício, mudado {time_of_change} para medir.", changed_record)
            for changed_record in changed
        )
        page.write_text(f"{head}{''.join(records)}</ListRecords></OAI-PMH>", "utf-8")
        figures = _loaded([page], folder / "store")
        seconds.append(figures["seconds"])
    return {"records": len(changed), "seconds of the first": seconds[0], **figures}


def optimised(count: int, folder: Path) -> dict[str, float]:
    """Optimize the store."""
    began = time.perf_counter()
    with stores.open_for_writing(folder / "store") as store:
        store.optimize()
    took = time.perf_counter() - began
    with stores.open(folder / "store") as published:
        quads = len(published)
    size = sum(file.stat().st_size for file in (folder / "store" / "current").resolve().iterdir())
    return {"seconds": took, "bytes/quad": size / quads, "bytes/record": size / count}


def _loaded(paths: list[Path], where: Path) -> dict[str, float]:
    began, busy = time.perf_counter(), _busy()
    with stores.open_for_writing(where, create=True) as store:  # as the command does
        summary = load(paths, store, Quarantine(where / QUARANTINE), workers=available())
    if summary.refused or summary.read != summary.loaded:
        raise RuntimeError(f"expected every record to be loaded, got {summary}")
    took = time.perf_counter() - began
    return {"seconds": took, "CPU ms/record": (_busy() - busy) * 1000 / summary.read}


def _busy() -> float:
    """Return the processor time of this process and of the readers that have ended, in seconds."""
    return sum(spent.ru_utime + spent.ru_stime for spent in (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)))


def main() -> None:
    """Print every figure at every size."""
    figures_by_size = measured("benchmarks.bulk", __doc__, "records", _SIZES, (first_load, few_changed, optimised))
    if figures_by_size is not None:
        print_figures(figures_by_size)


if __name__ == "__main__":
    main()
