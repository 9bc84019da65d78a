"""Fills the index of names from a graph."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from itertools import islice

import pyoxigraph as ox

from graph.index_entries import index_entries_of
from graph.index_rows import IndexEntries
from graph.store.derivation import Derivation
from graph.store.engine import Engine
from graph.store.names import NameIndex
from graph.terms import statement
from ontology.iris import DERIVED_GRAPH

# The number of records or works in one transaction.
_AT_ONCE = 1_000


def fill(index: NameIndex, engine: Engine) -> bool:
    """Fill an index from the records and derived data of a graph. Return whether the index changed.

    Raises:
        StoreDamaged: the index cannot be written.
    """
    changed = fill_records(index, engine)
    derivation = Derivation(engine)
    works = iter(sorted(derivation.works()))
    while some := list(islice(works, _AT_ONCE)):
        changed = index.put({}, derivation.of(some).packed) or changed
    index.mark_complete()
    return changed


def fill_records(index: NameIndex, engine: Engine) -> bool:
    """Fill an index from the records of a graph, without derived data. Return whether the index changed.

    Raises:
        StoreDamaged: the index cannot be written.
    """
    graphs = [graph.value for graph in engine.named_graphs() if isinstance(graph, ox.NamedNode)]
    return refill(index, engine, sorted({*graphs, *index.records()} - {DERIVED_GRAPH}))


def refill(index: NameIndex, engine: Engine, records: Iterable[str]) -> bool:
    """Replace the entries of some records, which may have been deleted. Return whether the index changed.

    Raises:
        StoreDamaged: the index cannot be written.
    """
    changed = False
    waiting = iter(records)
    while some := list(islice(waiting, _AT_ONCE)):
        changed = index.put({record: entries_of(engine, record) for record in some}, {}) or changed
    return changed


def entries_of(engine: Engine, record: str) -> IndexEntries:
    """Return the entries of a record of a graph; empty ones if it was deleted."""
    written = BytesIO()
    engine.dump(written, ox.RdfFormat.N_TRIPLES, from_graph=ox.NamedNode(record))
    return index_entries_of(record, map(statement, written.getvalue().decode().split("\n")[:-1]))
