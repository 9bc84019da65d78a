"""The store of the cases of pages: timeline long."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from graph.store import open_for_writing
from tests.support.records import record

NORM = "urn:lex:br:federal:lei:1990-01-02;99961"
VERSIONS = 200


def build(folder: Path) -> Path:
    """Make a store of a law that was amended every two months."""
    days = [date(1990, 1, 3) + timedelta(days=60 * n) for n in range(VERSIONS)]
    folder = folder / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply([record(f"{NORM}@{day};{'alteracao' if n else 'publicacao'};{day}") for n, day in enumerate(days)])
    return folder
