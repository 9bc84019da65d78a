"""Loads sources in a given order, and prints the export of the store and a canonical dump of its index.

It runs as a program of its own, so that the hash seed, the time zone and the clock can differ between runs.
"""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from graph import civil
from graph import store as stores
from queries.checks.results import Finding
from queries.checks.run import check
from queries.checks.shapes import Severity, checks
from service.cli.program import execute
from tests.support.cases import constant

#: The tables of the index with names in place of numbers. Other tables are made from these.
TABLES: dict[str, str] = constant("index_dump", "tables")


def dump(index: sqlite3.Connection) -> Iterator[str]:
    """Yield the rows of an index in a canonical form: numbers of records and norms replaced by their names, sorted."""
    for table, query in TABLES.items():
        yield from sorted(json.dumps([table, *row], ensure_ascii=False) for row in index.execute(query))


def result(store: Path) -> dict[str, object]:
    """Return digests of the export and of the index."""
    export = store.parent / f"{store.name}.nq"
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        execute(["--store", str(store), "export", str(export)])
    with closing(sqlite3.connect(f"file:{store / 'names.sqlite'}?mode=ro", uri=True)) as index:
        rows = "\n".join(dump(index))
    return {
        "export": sha256(b"\n".join(sorted(export.read_bytes().splitlines()))).hexdigest(),
        "index": sha256(rows.encode()).hexdigest(),
    }


def checked(store: Path, days: int) -> dict[str, object]:
    """Return a digest of the results of `check` under a clock moved by some days, and the codes of those that it
    reports as violations, or as differences from the sources. It runs in this process, which has that clock."""
    set_clock(days)
    findings: list[Finding] = []
    with stores.open(store) as opened:
        check(opened, take=findings.append)
    rows = "\n".join(sorted(map(repr, findings)))
    wrong = {found.code for found in findings if checks()[found.code].severity is Severity.VIOLATION}
    wrong |= {found.code for found in findings} & {"periods-follow-sources"}
    return {"findings": sha256(rows.encode()).hexdigest(), "wrong": sorted(wrong)}


def set_clock(days: int) -> None:
    """Move the clock of this process by some days."""
    civil._now = lambda: datetime.now(UTC) + timedelta(days=days)  # noqa: SLF001 - the clock itself


def main(arguments: Sequence[str]) -> None:
    """Load files one by one, and print the results, and those of `check` on that day and a year later.

    Args:
        arguments: the folder of the store, days by which the clock is moved, ``rebuild`` to have the results after a
            rebuild too, else ``-``, and the files, each perhaps with ``=`` and its day of fetch.
    """
    store, days, rebuild, *files = arguments
    set_clock(int(days))
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for file in files:
            path, _, fetched = file.partition("=")
            execute(["--store", store, "load", path, "--workers", "1", *(["--fetched", fetched] if fetched else [])])
    folder = Path(store)
    checks = [checked(folder, int(days)), checked(folder, int(days) + 365)]
    results = [result(folder)]
    if rebuild == "rebuild":
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            execute(["--store", store, "rebuild"])
        results.append(result(folder))
    sys.stdout.write(json.dumps({"results": results, "checks": checks}))


if __name__ == "__main__":
    main(sys.argv[1:])
