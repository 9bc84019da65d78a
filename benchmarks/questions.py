"""Benchmark of questions about one norm and about all norms on a day, compared with SQLite and DuckDB on the same rows.

Run ``python -m benchmarks.questions`` (``--works 10000 100000``), or with ``--store DIR ...`` over stores with the
sources of ``benchmarks.generate``. The derived periods are written to a table of SQLite with an index for the questions
and to a table of DuckDB if it is installed, both on disk. One run puts the same questions to each of them in turn.
Between machines, compare the ratios, and the growth of each figure from the smallest size to the largest.
"""

from __future__ import annotations

import argparse
import csv
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import date
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from benchmarks.figures import record_figures
from benchmarks.generate import write_sources
from benchmarks.stages import machine
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store import Store
from graph.store.folder import QUARANTINE
from graph.summaries import Summary
from graph.time.kinds import Axis
from graph.urn import from_iri, parse
from loaders.pipeline import load
from ontology.iris import DERIVED_GRAPH
from queries.catalogue import named
from queries.in_force import in_force
from queries.status import decided

_ON, _KNOWN = date(2001, 1, 1), date(2010, 1, 1)
_COLUMNS = "work TEXT, axis TEXT, start TEXT, until TEXT, known TEXT, known_until TEXT, version TEXT, status TEXT"
_LOOK_UP = """
SELECT version, status, start, until FROM periods WHERE work = ? AND axis = 'force' AND start <= ? AND known <= ?
AND (until IS NULL OR until > ?) AND (known_until IS NULL OR known_until > ?)
"""
#: The same rows as the queries ``in_force_on_day``, ``changes_in_period`` and ``stock_by_year`` of the
#: catalogue, as far as the table of periods has them.
_ON_DAY = """
SELECT work, version, start, until FROM periods WHERE axis = 'force' AND version IS NOT NULL
AND start <= :em AND known <= :conhecido AND (until IS NULL OR until > :em)
AND (known_until IS NULL OR known_until > :conhecido)
"""
_CHANGED = """
SELECT start, work, version, status FROM periods WHERE axis = 'force' AND start >= :de AND start < :ate
AND known <= :conhecido AND (known_until IS NULL OR known_until > :conhecido) ORDER BY start, work, version
"""
_STOCK = """
WITH days AS (SELECT DISTINCT substr(start, 1, 4) AS year FROM periods WHERE start <= :conhecido)
SELECT year, count(*) FROM days
JOIN periods ON start <= year || '-12-31' AND (until IS NULL OR until > year || '-12-31')
WHERE axis = 'force' AND version IS NOT NULL AND instr(work, '!') = 0 AND known <= :conhecido
AND (known_until IS NULL OR known_until > :conhecido) GROUP BY year ORDER BY year
"""
_NORMS = "SELECT DISTINCT work FROM periods WHERE instr(work, '!') = 0 AND :many > 0"
_LIVELY = """
SELECT work FROM periods WHERE axis = 'force' AND instr(work, '!') = 0 GROUP BY work HAVING count(*) >= :many
"""
_PROVISIONS = "SELECT DISTINCT work FROM periods WHERE instr(work, '!') > 0 AND :many > 0"
#: The provisions of the norm with the most provisions.
_CODE = """
WITH code (name) AS (
    SELECT substr(work, 1, instr(work, '!')) AS name FROM periods WHERE instr(work, '!') > 0 AND :many > 0
    GROUP BY name ORDER BY count(*) DESC LIMIT 1
) SELECT DISTINCT work FROM code JOIN periods ON work > name AND work < name || '~'
"""
_ASKED = {"em": "2001-01-01", "conhecido": "2010-01-01", "de": "2000-01-01", "ate": "2001-01-01"}
_SIZES = (10_000, 100_000)
#: A norm with at least this number of periods counts as a norm with many periods.
_MANY = 200
#: Repetitions of a question that takes microseconds, and of one that takes milliseconds.
_LOOK_UPS, _ANSWERS = 2_000, 300

#: By question and column.
_Figures: TypeAlias = dict[tuple[str, str], float]


def main() -> None:
    """Print each figure at every size, its ratio to SQLite or DuckDB, and its growth."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--works", type=int, nargs="+", default=list(_SIZES), help="sizes, in works")
    options.add_argument("--store", type=Path, nargs="+", help="existing stores, the smallest first")
    chosen = options.parse_args()
    print(machine())
    places: list[AbstractContextManager[Path]] = [nullcontext(where) for where in chosen.store or ()]
    measurements = [_measured(place) for place in places or map(_generated, chosen.works)]
    names = dict.fromkeys(name for figures in measurements for name in figures)
    for figures in measurements:
        for (question, column), figure in figures.items():
            record_figures(int(figures.get(("a norm", "of"), 0)), question, {column: figure})
    for question, column in names:
        cells = (figures.get((question, column)) for figures in measurements)
        columns = "".join(f"{'' if cell is None else _written(cell):>14}" for cell in cells)
        first, last = (figures.get((question, column)) for figures in (measurements[0], measurements[-1]))
        print(f"{question:36}{column:22}{columns}{'' if not first or last is None else f'{last / first:,.2f}':>10}")


def _written(figure: float) -> str:
    return f"{figure:,.0f}" if figure == int(figure) else f"{figure:,.2f}"


@contextmanager
def _generated(count: int) -> Iterator[Path]:
    """Yield an optimized store of that many generated works."""
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
        pages, where = Path(folder) / "pages", Path(folder) / "store"
        pages.mkdir()
        write_sources(pages, count)
        print(f"{count:,} works, loading ...", file=sys.stderr)
        with stores.open_for_writing(where, create=True) as store:
            load([pages], store, Quarantine(where / QUARANTINE))
            store.optimize()
        yield where


def _measured(place: AbstractContextManager[Path]) -> _Figures:
    """Return the figures of all questions in one store."""
    with (
        place as where,
        tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder,
        stores.open(where) as store,
        closing(sqlite3.connect(Path(folder) / "periods.sqlite")) as table,
    ):
        periods = _fill(table, store)
        (works,) = table.execute("SELECT count(DISTINCT work) FROM periods").fetchone()
        print(f"{where}: {works:,} norms and provisions with periods, asking ...", file=sys.stderr)
        sizes: _Figures = {("in the store", "with periods"): works, ("in the store", "periods"): periods}
        return {**sizes, **_one_norm(store, table), **_all_norms(store, table, Path(folder))}


def _fill(table: sqlite3.Connection, store: Store) -> int:
    """Fill a table with the derived periods, with an index for questions about one norm; return their number."""
    table.execute(f"CREATE TABLE periods ({_COLUMNS})")
    table.executemany("INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _rows(store))
    table.execute("CREATE INDEX of_work ON periods (work, axis, start, known)")
    table.execute("ANALYZE")
    table.commit()
    return int(table.execute("SELECT count(*) FROM periods").fetchone()[0])


def _rows(store: Store) -> Iterator[tuple[str | None, ...]]:
    for name, graph, packed in store.names:
        if graph == DERIVED_GRAPH:
            for period in Summary(name, [(graph, packed)]).periods():
                edges = (period.days.start, period.days.until, period.known.start, period.known.until)
                days = [str(day) if day is not None else None for day in edges]
                yield from ((name, axis.value, *days, period.version, period.status.value) for axis in period.axes)


def _one_norm(store: Store, table: sqlite3.Connection) -> _Figures:
    """Measure a look-up of one norm or provision on a day: in SQLite, in the library, and the full answer with reasons.

    Returns:
        Medians in microseconds, and their ratios to SQLite for the same norms and for any norm.
    """
    kinds = {"a norm": _NORMS, f"a norm of {_MANY} periods": _LIVELY, "a provision": _PROVISIONS, "of one code": _CODE}
    figures: _Figures = {}
    for kind, query in kinds.items():
        works = [work for (work,) in table.execute(query, {"many": _MANY})]
        if not works:
            continue
        figures[kind, "of"] = len(works)
        asked = Random(7).choices(works, k=_LOOK_UPS)
        by_sqlite, by_library, by_answer = _asking(store, table)
        own, lookup_time = _median(asked, by_sqlite), _median(asked, by_library)
        answer = _median(asked[:_ANSWERS], by_answer)
        plain = figures.get(("a norm", "SQLite, us"), own)
        figures |= {
            (kind, "SQLite, us"): own,
            (kind, "look-up, us"): lookup_time,
            (kind, "look-up x SQLite"): lookup_time / own,
        }
        figures |= {(kind, "look-up x a norm's"): lookup_time / plain}
        figures |= {(kind, "answer, us"): answer, (kind, "answer x SQLite"): answer / own}
    return figures


def _asking(store: Store, table: sqlite3.Connection) -> Sequence[Callable[[str], object]]:
    on, known = _ON.isoformat(), _KNOWN.isoformat()

    def by_sqlite(work: str) -> object:
        return table.execute(_LOOK_UP, (work, on, known, on, known)).fetchall()

    def by_library(work: str) -> object:
        return decided(store, parse(from_iri(work)), _ON, _KNOWN, Axis.FORCE)

    def by_full_answer(work: str) -> object:
        return in_force(store, work, _ON, _KNOWN)

    return by_sqlite, by_library, by_full_answer


def _median(asked: Sequence[str], ask: Callable[[str], object]) -> float:
    """Return the median elapsed time of the questions in microseconds, after one warm-up run of each."""
    spent: list[float] = []
    for work in asked:
        ask(work)
    for work in asked:
        began = time.perf_counter()
        ask(work)
        spent.append(time.perf_counter() - began)
    return statistics.median(spent) * 1e6


def _all_norms(store: Store, table: sqlite3.Connection, folder: Path) -> _Figures:
    """Measure questions that read every period: seconds of the second run, rows, and the ratio to each engine."""
    engines = {"SQLite": _by_sqlite(table), **_by_duckdb(table, folder)}
    figures: _Figures = {}
    for name, query in (("in_force_on_day", _ON_DAY), ("changes_in_period", _CHANGED), ("stock_by_year", _STOCK)):
        spent, rows = _timed(partial(_by_library, store, name))
        figures |= {(name, "rows"): rows, (name, "library, s"): spent}
        for engine, ask in engines.items():
            engine_time, count = _timed(partial(ask, query))
            figures |= {(name, f"{engine}, rows"): count, (name, f"{engine}, s"): engine_time}
            figures[name, f"library x {engine}"] = spent / engine_time
    return figures


def _by_library(store: Store, name: str) -> int:
    values = {
        parameter.name: _ASKED[parameter.name] for parameter in named(name).parameters if parameter.default is None
    }
    return sum(1 for _ in named(name).rows(store, values))


def _by_sqlite(table: sqlite3.Connection) -> Callable[[str], int]:
    return lambda query: len(table.execute(query, _ASKED).fetchall())


def _by_duckdb(table: sqlite3.Connection, folder: Path) -> dict[str, Callable[[str], int]]:
    """Return a function that asks DuckDB about the same rows, by engine name; empty if DuckDB is not installed."""
    try:
        duckdb: Any = import_module("duckdb")
    except ImportError:
        print("DuckDB is not installed: pip install duckdb", file=sys.stderr)
        return {}
    with (folder / "periods.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table.execute("SELECT * FROM periods"))
    engine = duckdb.connect(str(folder / "periods.duckdb"))
    engine.execute(f"CREATE TABLE periods ({_COLUMNS})")
    engine.execute(f"COPY periods FROM '{folder / 'periods.csv'}' (HEADER false)")

    def ask(query: str) -> int:
        translated = query.replace(":", "$").replace("instr(work, '!') = 0", "NOT contains(work, '!')")
        return len(
            engine.execute(translated, {key: day for key, day in _ASKED.items() if f"${key}" in translated}).fetchall()
        )

    return {"DuckDB": ask}


def _timed(ask: Callable[[], int]) -> tuple[float, int]:
    """Return the elapsed seconds of the second run of a question, and its rows."""
    ask()
    began = time.perf_counter()
    rows = ask()
    return time.perf_counter() - began, rows


if __name__ == "__main__":
    main()
