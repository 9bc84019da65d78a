"""What records say in the store before others take their places."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import pyoxigraph as ox

from graph.life import dates_itself
from graph.mapping import Mapped
from graph.patterns import DECISIVE, STAMPS, Patterns, touched_by
from graph.store.blocks import graph_block
from graph.store.engine import Engine
from graph.store.together import Index
from graph.terms import Statement, iri, statement

_DECISIVE, _STAMPS = frozenset(map(iri, DECISIVE)), frozenset(map(iri, STAMPS))


class Standing:
    """The stored graphs of the records of a batch, which do not change before the batch is written."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def patterns(self, record: str) -> Patterns:  # noqa: ARG002 - who has read it looks no further
        """Return the patterns that decide periods and horizons in a record's graph."""
        return Patterns(self._engine)

    def touched(self, record: Mapped) -> set[str]:
        """Return the works whose periods may change when a record replaces the stored one."""
        return touched_by(self.patterns(record.graph), ox.NamedNode(record.graph)).union(record.touched)

    def exchanged(self, record: Mapped) -> tuple[str, str]:
        """Return how a record is replaced: an operation that comes first, if any, and the lines to write after it."""
        return f"DROP SILENT GRAPH {iri(record.graph)}", record.lines


class StandingHere(Standing):
    """Graphs in the embedded engine: of a record that changes a little only that is written."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._read: dict[str, bytes] = {}

    def patterns(self, record: str) -> Patterns:
        """As :meth:`Standing.patterns`."""
        return Patterns(_index(record, self._decisive(record)))

    def touched(self, record: Mapped) -> set[str]:
        """As :meth:`Standing.touched`: none if all data that decide periods are unchanged (docs/decisions/0016)."""
        before, after = self._decisive(record.graph), set(record.decisive)
        index = Patterns(_index(record.graph, after))
        if _but_stamps(before) == _but_stamps(after) and (before == after or dates_itself(index, after)):
            return set()
        return super().touched(record)

    def exchanged(self, record: Mapped) -> tuple[str, str]:
        """As :meth:`Standing.exchanged`: removed lines are deleted and new lines are inserted."""
        before, after = self._lines(record.graph), set(record.lines.split("\n")[:-1])
        gone, come = _written(before - after), _written(after - before)
        return (f"DELETE DATA {{\n{graph_block(record.graph, gone)}}}" if gone else ""), come

    def _lines(self, record: str) -> set[str]:
        known = self._read.get(record)
        if known is None:
            known = self._read[record] = _dumped(self._engine, ox.NamedNode(record))
        return set(known.decode().split("\n")[:-1])

    def _decisive(self, record: str) -> set[Statement]:
        return {one for one in map(statement, self._lines(record)) if one[1] in _DECISIVE}


def _index(record: str, said: Iterable[Statement]) -> Index:
    index = Index()
    index.extend(record, said)
    return index


def _written(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in sorted(lines))


def _but_stamps(said: Iterable[Statement]) -> set[Statement]:
    return {one for one in said if one[1] not in _STAMPS}


def _dumped(engine: Engine, graph: ox.NamedNode) -> bytes:
    written = BytesIO()
    engine.dump(written, ox.RdfFormat.N_TRIPLES, from_graph=graph)
    return written.getvalue()
