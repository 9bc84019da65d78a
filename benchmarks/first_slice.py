"""Benchmark of the basic operations at growing sizes: parse names, load records, answer in-force.

Run ``python -m benchmarks.first_slice`` (``--works 10000 100000``). Each stage runs in a separate process, so that its
peak memory can be measured. Rates depend on the machine. Compare the ratios between sizes, and the ratio to the bare
engine, which stores the same triples in the same transactions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

import pyoxigraph as ox

from benchmarks.figures import record_figures
from benchmarks.generate import names, works, write_pages
from benchmarks.stages import Figures, measured
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from graph.time.kinds import AXES
from graph.urn import parse
from loaders.pipeline import load
from queries.catalogue import named
from queries.in_force import in_force

_QUESTIONS = 1000
_SIZES = (10_000, 100_000)
_QUADS_A_TRANSACTION = 10_000
_BARE_QUADS = 1_000_000


def parse_names(count: int, folder: Path) -> dict[str, float]:
    """Parse that many names of versions; ``folder`` is not used."""
    del folder
    texts = list(names(count))
    began = time.perf_counter()
    for text in texts:
        _ = parse(text).canonical
    return {"names": len(texts), "names/s": len(texts) / (time.perf_counter() - began)}


def load_records(count: int, folder: Path) -> dict[str, float]:
    """Load one OAI-PMH record for each version of that many works, and derive the periods."""
    pages = folder / "pages"
    pages.mkdir()
    write_pages(pages, count)
    where = folder / "store"
    began = time.perf_counter()
    with stores.open_for_writing(where, create=True) as store:
        summary = load([pages], store, Quarantine(where / QUARANTINE))
        quads = len(store)
    spent = time.perf_counter() - began
    size = sum(path.stat().st_size for path in (where / "current").resolve().iterdir())
    return {
        "records": summary.loaded,
        "quads": quads,
        "records/s": summary.loaded / spent,
        "works/s": count / spent,
        "quads/s": quads / spent,
        "bytes/quad": size / quads,
    }


def load_again(count: int, folder: Path) -> dict[str, float]:
    """Load the same records again, without changes."""
    del count
    where = folder / "store"
    began = time.perf_counter()
    with stores.open_for_writing(where) as store:
        summary = load([folder / "pages"], store, Quarantine(where / QUARANTINE))
    return {"unchanged/s": summary.unchanged / (time.perf_counter() - began)}


def bare_engine(count: int, folder: Path) -> dict[str, float]:
    """Write the loaded quads (at most a million) with the engine alone, in transactions: the reference for loading."""
    del count
    with stores.open(folder / "store") as store:
        every = store.engine.quads_for_pattern(None, None, None, None)
        quads = [str(quad) for quad in islice(every, _BARE_QUADS)]
    engine = ox.Store(str(folder / "bare"))
    began = time.perf_counter()
    for start in range(0, len(quads), _QUADS_A_TRANSACTION):
        text = " .\n".join(quads[start : start + _QUADS_A_TRANSACTION]) + " .\n"
        engine.load(text.encode(), ox.RdfFormat.N_QUADS)
    return {"quads/s": len(quads) / (time.perf_counter() - began)}


def answer(count: int, folder: Path) -> dict[str, float]:
    """Ask whether random norms are in force on random days: the complete answer, and only the SPARQL lookup."""
    random = Random(7)
    every = [name for name, _ in works(count)]
    asked = [
        (random.choice(every), date(1960, 1, 1) + timedelta(days=random.randrange(24_000)), date(2025, 1, 1))
        for _ in range(_QUESTIONS)
    ]
    lookup = named("version_in_force")
    axis = next(iter(AXES.values()))
    with stores.open(folder / "store") as store:
        complete = _each(asked, lambda q: in_force(store, *q))
        bare = _each(
            asked,
            lambda q: list(lookup.rows(store, dict(zip(("norma", "em", "conhecido"), q, strict=True), eixo=axis))),
        )
    return {"whole answer, median ms": complete, "SPARQL lookup, median ms": bare}


def _each(questions: Iterable[tuple[str, date, date]], ask: Callable[[tuple[str, date, date]], object]) -> float:
    spent = []
    for question in questions:
        began = time.perf_counter()
        ask(question)
        spent.append((time.perf_counter() - began) * 1000)
    return median(spent)


_STAGES = (parse_names, load_records, load_again, bare_engine, answer)


def main() -> None:
    """Print every figure at every size, and how each grows from the smallest size to the largest."""
    figures_by_size = measured("benchmarks.first_slice", __doc__, "works", _SIZES, _STAGES)
    if figures_by_size is not None:
        _print(figures_by_size)


def _print(by_size: Figures) -> None:
    sizes = list(by_size)
    print(f"{'stage':14}{'figure':26}" + "".join(f"{size:>14,}" for size in sizes) + f"{'last/first':>12}")
    for stage, figures in by_size[sizes[0]].items():
        for figure in figures:
            row = [by_size[size][stage][figure] for size in sizes]
            cells = "".join(f"{value:>14,.2f}" if value < 100 else f"{value:>14,.0f}" for value in row)
            print(f"{stage:14}{figure:26}{cells}{row[-1] / row[0]:>12.2f}")
    for size in sizes:
        loading = by_size[size]["load_records"]["quads/s"]
        engine = by_size[size]["bare_engine"]["quads/s"]
        print(f"{size:,} works: read, map, derive and write at {loading / engine:.2f} of the bare engine")
        record_figures(size, "ratio", {"load to bare engine": loading / engine})


if __name__ == "__main__":
    main()
