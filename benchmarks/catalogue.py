"""The questions of research, measured: each query of the catalogue that answers one, over generated works.

Run ``python -m benchmarks.catalogue`` (``--works 100000``), or over a store that is there: ``--store DIR``, which must
hold the sources of ``benchmarks.generate``. Each query runs in a process of its own, and its answer is written out
whole as TSV; what is told is the time of that process at work and by the clock: where other work is on the machine the
two lie apart. Queries about one norm ask of one with more than 40 versions, of a gazette's issue, and of a provision of
a norm with 7,000.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox

from benchmarks.figures import tell
from benchmarks.generate import issue, works, write_sources
from benchmarks.generator.documents import CONSTITUTION
from benchmarks.stages import machine
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.pipeline import load
from queries.catalogue import Query, catalogue

_WORKS = 100_000
#: Values of parameters that must be given; names of norms are those of the first work with more than 40 versions.
_DAYS = {
    "em": "2000-01-01",
    "conhecido": "2026-01-01",
    "conhecidoAntes": "2000-01-01",
    "conhecidoDepois": "2001-01-01",
    "de": "2000-01-01",
    "ate": "2001-01-01",
}
#: Questions about a norm for what it holds.
_OF_PROVISIONS = frozenset({"provisions_in_force"})


def _given(query: Query) -> dict[str, str]:
    norm, versions = next((name, suffixes) for name, suffixes in works(_WORKS) if len(suffixes) > 40)
    named = {
        "norma": CONSTITUTION if query.name in _OF_PROVISIONS else norm,
        "edicao": issue(_WORKS),
        "dispositivo": f"{CONSTITUTION}!art138_cpt_inc1",
        "versao": norm + versions[0],
    }
    return {p.name: (_DAYS | named)[p.name] for p in query.parameters if p.default is None}


def _timed(where: Path, name: str, told: multiprocessing.SimpleQueue[tuple[float, float, int]]) -> None:
    query = catalogue()[name]
    values = _given(query)
    with stores.open(where) as store:
        clock, processor = time.perf_counter(), time.process_time()
        found = query.answer(store, values)
        assert isinstance(found, ox.QuerySolutions)  # noqa: S101 - all of the catalogue are SELECT
        written = found.serialize(format=ox.QueryResultsFormat.TSV) or b""
        told.put((time.process_time() - processor, time.perf_counter() - clock, written.count(b"\n") - 1))


def _measured(where: Path, names: list[str]) -> Iterator[tuple[str, tuple[float, float, int] | None]]:
    context = multiprocessing.get_context("spawn")
    for name in names:
        told: multiprocessing.SimpleQueue[tuple[float, float, int]] = context.SimpleQueue()
        process = context.Process(target=_timed, args=(where, name, told))
        process.start()
        process.join()
        yield name, told.get() if process.exitcode == 0 else None


def _row(query: Query, figures: tuple[float, float, int] | None) -> str:
    numbers = ", ".join(map(str, query.competency))
    if figures is None:
        return f"| {numbers} | {query.name} | failed | | |"
    processor, clock, rows = figures
    return f"| {numbers} | {query.name} | {processor:.2f} | {clock:.2f} | {rows:,} |"


def main() -> None:
    """Print a table with the time and the number of rows of each query, by the number of its question."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, default=_WORKS, help="how many works to generate and load")
    options.add_argument("--store", type=Path, help="a store that holds generated works, in place of a new one")
    options.add_argument("queries", nargs="*", help="names of queries; all that answer a question of research")
    chosen = options.parse_args()
    asked = chosen.queries or [query.name for query in catalogue().values() if query.competency]
    asked.sort(key=lambda name: (catalogue()[name].competency, name))
    print(machine())
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        where: Path = chosen.store or Path(folder) / "store"
        if chosen.store is None:
            print(f"{chosen.works} works, loading ...", file=sys.stderr)
            pages = Path(folder) / "pages"
            pages.mkdir()
            write_sources(pages, chosen.works)
            with stores.open_for_writing(where, create=True) as store:
                load([pages], store, Quarantine(where / QUARANTINE))
                store.optimize()
        print("| question | query | processor s | clock s | rows |\n|---:|---|---:|---:|---:|")
        for name, figures in _measured(where, asked):
            print(_row(catalogue()[name], figures), flush=True)
            if figures is not None:
                tell(chosen.works, name, dict(zip(("processor s", "clock s", "rows"), figures, strict=True)))


if __name__ == "__main__":
    main()
