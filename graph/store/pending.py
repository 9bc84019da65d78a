"""What the index of names has written down: whose summaries are about to change, until the graph and they have.

What a killed process leaves written down is made anew from the graph (docs/decisions/0012).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

#: The table: records, and works of which something is derived; ``put`` where the index has it and the disk may not.
PENDING_SCHEMA = """
CREATE TABLE pending (
    iri TEXT NOT NULL, derived INTEGER NOT NULL, put INTEGER NOT NULL, PRIMARY KEY (iri, derived)
) WITHOUT ROWID;
"""
_INTENDED = "INSERT OR REPLACE INTO pending VALUES (?, ?, 0)"
_DONE = "DELETE FROM pending WHERE iri = ? AND derived = ?"
_PUT = "UPDATE pending SET put = 1 WHERE iri = ? AND derived = ?"
_FLUSHED = "DELETE FROM pending WHERE put = 1"
_WRITTEN_DOWN = "SELECT iri, derived FROM pending WHERE put = ? ORDER BY iri"


class PendingTable:
    """The table within a connection; who has it sees to transactions and errors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def intend(self, records: Iterable[str], works: Iterable[str]) -> None:
        """Write down records, and works."""
        self._connection.executemany(_INTENDED, _rows(records, works))

    def cross_out(self, records: Iterable[str], works: Iterable[str], *, on_disk: bool) -> None:
        """The index has what was written down; ``on_disk`` where the graph has it on the disk as well."""
        self._connection.executemany(_DONE if on_disk else _PUT, _rows(records, works))

    def flushed(self) -> None:
        """What the index has is on the disk in the graph as well."""
        self._connection.execute(_FLUSHED)

    def written_down(self, *, put: bool) -> tuple[list[str], list[str]]:
        """The records and the works that are written down, in order.

        Args:
            put: those that the index has, and are not known to be on the disk in the graph; else those it has not.
        """
        rows = list(self._connection.execute(_WRITTEN_DOWN, (put,)))
        return [iri for iri, derived in rows if not derived], [iri for iri, derived in rows if derived]


def _rows(records: Iterable[str], works: Iterable[str]) -> list[tuple[str, int]]:
    return [*((record, 0) for record in records), *((work, 1) for work in works)]
