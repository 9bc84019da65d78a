"""The index of names made from the graph: all of it, or of some records."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from itertools import islice

import pyoxigraph as ox

from graph.mapping.index_entries import Said, said_of
from graph.store.derivation import Derivation
from graph.store.engine import Engine
from graph.store.names import NameIndex
from graph.terms import statement
from ontology.iris import DERIVED_GRAPH

# How many records or works are read before the index takes them up.
_AT_ONCE = 1_000


def fill(index: NameIndex, engine: Engine) -> bool:
    """Fill an index from a graph, its records and what is derived of them. Return whether the index differed.

    Raises:
        StoreDamaged: the index cannot be written.
    """
    changed = fill_records(index, engine)
    derivation = Derivation(engine)
    works = iter(sorted(derivation.works()))
    while some := list(islice(works, _AT_ONCE)):
        changed = index.put({}, derivation.of(some).packed) or changed
    index.told_whole()
    return changed


def fill_records(index: NameIndex, engine: Engine) -> bool:
    """Fill an index from the records alone. Return whether the index differed.

    Raises:
        StoreDamaged: the index cannot be written.
    """
    graphs = [graph.value for graph in engine.named_graphs() if isinstance(graph, ox.NamedNode)]
    return refill(index, engine, sorted({*graphs, *index.records()} - {DERIVED_GRAPH}))


def refill(index: NameIndex, engine: Engine, records: Iterable[str]) -> bool:
    """Fill an index from some records, which may be deleted. Return whether the index differed.

    Raises:
        StoreDamaged: the index cannot be written.
    """
    changed = False
    waiting = iter(records)
    while some := list(islice(waiting, _AT_ONCE)):
        changed = index.put({record: _said(engine, record) for record in some}, {}) or changed
    return changed


def _said(engine: Engine, record: str) -> Said:
    """Return the index entries of a record."""
    written = BytesIO()
    engine.dump(written, ox.RdfFormat.N_TRIPLES, from_graph=ox.NamedNode(record))
    return said_of(record, map(statement, written.getvalue().decode().split("\n")[:-1]))
