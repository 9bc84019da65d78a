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
from service.cli.program import execute

#: The tables of the index with names in place of numbers. Other tables are made from these.
TABLES = {
    "records": "SELECT iri FROM records",
    "summaries": "SELECT name, iri, packed FROM summaries JOIN records ON id = record",
    "keys": "SELECT key, name, iri FROM keys LEFT JOIN records ON id = record",
    "beginnings": "SELECT depth, said, name, iri, nickname FROM beginnings JOIN records ON id = record",
    "editions": "SELECT text, iri, whole FROM editions_sought JOIN records ON id = record",
    "kinds": "SELECT place, authority, type FROM kinds_sought",
    "norms": """
        SELECT iri, place, authority, type, year, stale FROM norms_sought
        LEFT JOIN kinds_sought ON kinds_sought.id = kind""",
    "worded": """
        SELECT records.iri, name, node, norms_sought.iri, title, nicknames, summary, text FROM worded
        JOIN records ON records.id = record JOIN words ON words.rowid = worded.id
        LEFT JOIN norms_sought ON norms_sought.id = norm""",
    "days": """
        SELECT iri, name, node, start, known, status, until, known_until FROM days_sought
        JOIN worded ON worded.id = wording JOIN records ON records.id = record""",
    "periods": """
        SELECT name, clocks, stands, start, until, known, known_until, packed FROM periods
        JOIN many ON many.id = many""",
}


def dump(index: Path) -> Iterator[str]:
    """Yield the rows of an index in a canonical form: numbers of records and norms replaced by their names, sorted."""
    with closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True)) as connection:
        for table, query in TABLES.items():
            yield from sorted(json.dumps([table, *row], ensure_ascii=False) for row in connection.execute(query))


def result(store: Path) -> dict[str, object]:
    """Return digests of the export and of the index, and the number of differences that `check` finds."""
    export = store.parent / f"{store.name}.nq"
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(io.StringIO()):
        execute(["--store", str(store), "export", str(export)])
        execute(["--store", str(store), "check", "--workers", "1", "--json"])
    rows = "\n".join(dump(store / "names.sqlite"))
    return {
        "export": sha256(export.read_bytes()).hexdigest(),
        "index": sha256(rows.encode()).hexdigest(),
        "differing": next(
            each["results"]
            for each in json.loads(printed.getvalue())["checks"]
            if each["code"] == "periods-follow-sources"
        ),
    }


def main(arguments: Sequence[str]) -> None:
    """Load files one by one, and print the results before and after a rebuild.

    Args:
        arguments: the folder of the store, days by which the clock is moved, and the files, each perhaps with ``=`` and
            its day of fetch.
    """
    store, days, *files = arguments
    civil._now = lambda: datetime.now(UTC) + timedelta(days=int(days))  # noqa: SLF001 - the clock itself
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for file in files:
            path, _, fetched = file.partition("=")
            execute(["--store", store, "load", path, "--workers", "1", *(["--fetched", fetched] if fetched else [])])
    loaded = result(Path(store))
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        execute(["--store", store, "rebuild"])
    sys.stdout.write(json.dumps([loaded, result(Path(store))]))


if __name__ == "__main__":
    main(sys.argv[1:])
