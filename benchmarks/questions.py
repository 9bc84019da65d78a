"""Questions at size: one norm on a day, and all norms on a day, against SQLite and DuckDB on the same rows.

Run ``python -m benchmarks.questions --store DIR`` over a store that holds the sources of ``benchmarks.generate``. The
derived periods are written into a table of SQLite, with the index that the question wants, and of DuckDB, where that is
installed: each on disk. Then the same questions are put to each, by turns, in one run; ratios are what carries over.
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
from datetime import date
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.figures import tell
from benchmarks.stages import machine
from graph import store as stores
from graph.entities import Axis
from graph.store import Store
from graph.summaries import Summary
from graph.urn import from_iri, parse
from ontology.iris import DERIVED_GRAPH
from queries.catalogue import named
from queries.in_force import in_force
from queries.periods import looked_up

_ON, _KNOWN = date(2001, 1, 1), date(2010, 1, 1)
_COLUMNS = "work TEXT, axis TEXT, start TEXT, until TEXT, known TEXT, known_until TEXT, version TEXT, status TEXT"
_LOOK_UP = """
SELECT version, status, start, until FROM periods WHERE work = ? AND axis = 'force' AND start <= ? AND known <= ?
AND (until IS NULL OR until > ?) AND (known_until IS NULL OR known_until > ?)
"""
#: The same rows as those of the catalogue's queries of these names, as far as one table of periods has them.
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
_ASKED = {"em": "2001-01-01", "conhecido": "2010-01-01", "de": "2000-01-01", "ate": "2001-01-01"}
#: How many rectangles a norm of many versions has at least.
_MANY = 200
_TIMES = 2_000


def main() -> None:
    """Print each question's median, and its ratio to SQLite."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--store", type=Path, required=True)
    chosen = options.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder, stores.open(chosen.store) as store:
        table = sqlite3.connect(Path(folder) / "periods.sqlite")
        print(f"{_fill(table, store):,} periods")
        _one_norm(store, table)
        _all_norms(store, table, Path(folder))


def _fill(table: sqlite3.Connection, store: Store) -> int:
    """The derived periods as a table with the index that one norm's question wants; how many there are."""
    table.execute(f"CREATE TABLE periods ({_COLUMNS})")
    table.executemany("INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _rows(store))
    table.execute("CREATE INDEX of_work ON periods (work, axis, start, known)")
    table.execute("ANALYZE")
    table.commit()
    return int(table.execute("SELECT count(*) FROM periods").fetchone()[0])


def _rows(store: Store) -> Iterator[tuple[str | None, ...]]:
    for name, graph, packed in store.names:
        if graph == DERIVED_GRAPH:
            for told in Summary(name, [(graph, packed)]).periods():
                days = (told.start, told.end, told.known_from, told.known_until)
                yield from ((name, axis.value, *days, told.version, told.status.value) for axis in told.axes)


def _one_norm(store: Store, table: sqlite3.Connection) -> None:
    """A look-up of one norm or provision on a day: SQLite, the library's own, and the whole answer with its reasons."""
    kinds = {"a norm": _NORMS, f"a norm of {_MANY} periods or more": _LIVELY, "a provision": _PROVISIONS}
    print(f"{'median us of':42}{'SQLite':>10}{'look-up':>10}{'x':>7}{'answer':>10}{'x':>7}")
    for kind, query in kinds.items():
        works = [work for (work,) in table.execute(query, {"many": _MANY})]
        asked = Random(7).choices(works, k=_TIMES)
        own, found, whole_answer = (_medians(asked, each) for each in _asking(store, table))
        cells = f"{own:>10.1f}{found:>10.1f}{found / own:>7.1f}{whole_answer:>10.1f}{whole_answer / own:>7.1f}"
        print(f"{f'{kind}, of {len(works):,}':42}{cells}")
        tell(
            len(works),
            kind,
            {"SQLite us": own, "look-up us": found, "look-up x": found / own, "answer us": whole_answer},
        )


def _asking(store: Store, table: sqlite3.Connection) -> Sequence[Callable[[str], object]]:
    on, known = _ON.isoformat(), _KNOWN.isoformat()

    def by_sqlite(work: str) -> object:
        return table.execute(_LOOK_UP, (work, on, known, on, known)).fetchall()

    def by_library(work: str) -> object:
        return looked_up(store, parse(from_iri(work)), _ON, _KNOWN, Axis.FORCE)

    def whole(work: str) -> object:
        return in_force(store, work, _ON, _KNOWN)

    return by_sqlite, by_library, whole


def _medians(asked: Sequence[str], ask: Callable[[str], object]) -> float:
    """Microseconds of the median question; each is asked once before, so that all find their pages in memory."""
    spent: list[float] = []
    for work in asked:
        ask(work)
    for work in asked:
        began = time.perf_counter()
        ask(work)
        spent.append(time.perf_counter() - began)
    return statistics.median(spent) * 1e6


def _all_norms(store: Store, table: sqlite3.Connection, folder: Path) -> None:
    """Questions that read every period, each answered once."""
    engines = {"SQLite": _by_sqlite(table), **_by_duckdb(table, folder)}
    print(f"{'seconds of':20}{'rows':>10}{'library':>10}" + "".join(f"{name + ', rows':>22}" for name in engines))
    for name, query in (("in_force_on_day", _ON_DAY), ("changes_in_period", _CHANGED), ("stock_by_year", _STOCK)):
        spent, rows = _timed(partial(_by_library, store, name))
        tell(rows, name, {"library s": spent})
        cells = ""
        for engine, ask in engines.items():
            theirs, found = _timed(partial(ask, query))
            cells += f"{theirs:>12.2f}{found:>10,}"
            tell(rows, name, {f"{engine} s": theirs})
        print(f"{name:20}{rows:>10,}{spent:>10.2f}{cells}")


def _by_library(store: Store, name: str) -> int:
    values = {each.name: _ASKED[each.name] for each in named(name).parameters if each.default is None}
    return sum(1 for _ in named(name).rows(store, values))


def _by_sqlite(table: sqlite3.Connection) -> Callable[[str], int]:
    return lambda query: len(table.execute(query, _ASKED).fetchall())


def _by_duckdb(table: sqlite3.Connection, folder: Path) -> dict[str, Callable[[str], int]]:
    """DuckDB over the same rows, in a file; nothing where it is not installed."""
    try:
        duckdb: Any = import_module("duckdb")
    except ImportError:
        print("DuckDB is not here: pip install duckdb", file=sys.stderr)
        return {}
    with (folder / "periods.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table.execute("SELECT * FROM periods"))
    engine = duckdb.connect(str(folder / "periods.duckdb"))
    engine.execute(f"CREATE TABLE periods ({_COLUMNS})")
    engine.execute(f"COPY periods FROM '{folder / 'periods.csv'}' (HEADER false)")

    def ask(query: str) -> int:
        said = query.replace(":", "$").replace("instr(work, '!') = 0", "NOT contains(work, '!')")
        return len(engine.execute(said, {key: day for key, day in _ASKED.items() if f"${key}" in said}).fetchall())

    return {"DuckDB": ask}


def _timed(ask: Callable[[], int]) -> tuple[float, int]:
    """Seconds by the clock, and rows."""
    began = time.perf_counter()
    rows = ask()
    return time.perf_counter() - began, rows


if __name__ == "__main__":
    main()
