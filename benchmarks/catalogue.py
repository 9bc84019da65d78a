"""Benchmark of every query of the catalogue, over generated works.

Run ``python -m benchmarks.catalogue`` (``--works 40000``, which are about 100,000 records), or over an
existing store: ``--store DIR``, which must have the sources of ``benchmarks.generate``. Each query runs in a separate
process, which serializes the complete answer as TSV. The table gives the processor time of that process and the elapsed
time; the two differ if the machine is busy. The ten slowest queries are listed again at the end. Queries about one norm
use a norm with more than 40 versions. Queries about provisions use a norm with 7,000 provisions.
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

from benchmarks.figures import record_figures
from benchmarks.generate import issue, works, write_sources
from benchmarks.generator.documents import CONSTITUTION
from benchmarks.stages import machine
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store import Store
from graph.store.folder import QUARANTINE
from loaders.pipeline import load
from queries.catalogue import Query, catalogue

_WORKS = 40_000
_SLOWEST = 10
#: Sorts queries without a competency question after all others.
_LAST = 1_000
#: Values for required parameters; the same for every query.
_DAYS = {
    "em": "2000-01-01",
    "conhecido": "2026-01-01",
    "conhecidoAntes": "2000-01-01",
    "conhecidoDepois": "2001-01-01",
    "de": "2000-01-01",
    "ate": "2001-01-01",
}
#: By vocabulary, the term for parameters that require one.
_TERMS = {"evento": "revogacao", "tipoDocumento": "lei"}
#: Queries about the provisions of a norm.
_OF_PROVISIONS = frozenset(
    {
        "changes_by_norm",
        "events_of_provisions",
        "holders_of_provisions",
        "provisions_acted_on",
        "provisions_in_force",
        "provisions_with_own_periods",
    }
)
#: By parameter, a property of its possible values. The query asks about the first resource with the property.
_FIRST_WITH = {
    "evento": "vig:alvo",
    "parte": "crm:P190_has_symbolic_content",
    "periodo": "vig:decididoPor",
    "provedor": "vig:horizonte",
    "registro": "vig:curador",
    "texto": "frbroo:R5_has_component",
}
_PREFIXES = """
PREFIX vig: <https://w3id.org/vigente/ns#>
PREFIX crm: <http://www.cidoc-crm.org/cidoc-crm/>
PREFIX frbroo: <http://iflastandards.info/ns/fr/frbr/frbroo/>
"""


def _given(query: Query, store: Store) -> dict[str, str]:
    """Return a value for each parameter without a default; names are of the first work with more than 40 versions."""
    norm, versions = next((name, suffixes) for name, suffixes in works(_WORKS) if len(suffixes) > 40)
    named = {
        "norma": CONSTITUTION if query.name in _OF_PROVISIONS else norm,
        "nome": norm,
        "sujeito": norm,
        "edicao": issue(_WORKS),
        "dispositivo": f"{CONSTITUTION}!art138_cpt_inc1",
        "versao": norm + versions[0],
        "numero": norm.rpartition(";")[2],
    }
    values = {}
    for parameter in query.parameters:
        if parameter.default is not None:
            continue
        if parameter.vocabulary is not None:
            values[parameter.name] = _TERMS[parameter.vocabulary]
        elif parameter.name in _FIRST_WITH:
            values[parameter.name] = _first_with(store, _FIRST_WITH[parameter.name])
        else:
            values[parameter.name] = (_DAYS | named)[parameter.name]
    return values


def _first_with(store: Store, property_: str) -> str:
    """Return the IRI of the first resource with a property."""
    (row,) = store.select(f"{_PREFIXES} SELECT ?it WHERE {{ ?it {property_} ?value FILTER (isIRI(?it)) }} LIMIT 1")
    return str(row["it"])


def _timed(path: Path, name: str, results: multiprocessing.SimpleQueue[tuple[float, float, int]]) -> None:
    query = catalogue()[name]
    with stores.open(path) as store:
        values = _given(query, store)
        clock, processor = time.perf_counter(), time.process_time()
        solutions = query.answer(store, values)
        assert isinstance(solutions, ox.QuerySolutions)  # noqa: S101 - all queries of the catalogue are SELECT
        written = solutions.serialize(format=ox.QueryResultsFormat.TSV) or b""
        results.put((time.process_time() - processor, time.perf_counter() - clock, written.count(b"\n") - 1))


def _measured(path: Path, names: list[str]) -> Iterator[tuple[str, tuple[float, float, int] | None]]:
    context = multiprocessing.get_context("spawn")
    for name in names:
        results: multiprocessing.SimpleQueue[tuple[float, float, int]] = context.SimpleQueue()
        process = context.Process(target=_timed, args=(path, name, results))
        process.start()
        process.join()
        yield name, results.get() if process.exitcode == 0 else None


_HEAD = "| question | query | processor s | clock s | rows |\n|---:|---|---:|---:|---:|"


def _row(query: Query, figures: tuple[float, float, int] | None) -> str:
    numbers = ", ".join(map(str, query.competency))
    if figures is None:
        return f"| {numbers} | {query.name} | failed | | |"
    processor, clock, rows = figures
    return f"| {numbers} | {query.name} | {processor:.2f} | {clock:.2f} | {rows:,} |"


def main() -> None:
    """Print a table with the time and the number of rows of each query, ordered by competency question."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, default=_WORKS, help="how many works to generate and load")
    options.add_argument("--store", type=Path, help="an existing store with generated works, instead of a new one")
    options.add_argument("queries", nargs="*", help="names of queries; default: all queries of the catalogue")
    chosen = options.parse_args()
    asked = chosen.queries or list(catalogue())
    asked.sort(key=lambda name: (catalogue()[name].competency or (_LAST,), name))
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
        print(_HEAD)
        times: dict[str, tuple[float, float, int]] = {}
        for name, figures in _measured(where, asked):
            print(_row(catalogue()[name], figures), flush=True)
            if figures is not None:
                times[name] = figures
                record_figures(chosen.works, name, dict(zip(("processor s", "clock s", "rows"), figures, strict=True)))
        print(f"\nThe slowest {_SLOWEST}:\n\n{_HEAD}")
        for name in sorted(times, key=times.__getitem__, reverse=True)[:_SLOWEST]:
            print(_row(catalogue()[name], times[name]))
            record_figures(chosen.works, "slowest", {f"{name}, processor s": times[name][0]})


if __name__ == "__main__":
    main()
