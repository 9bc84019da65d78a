"""The store, for writing: one named graph per source record, replaced whole; derived triples in a graph of their own.

The works that a batch touches are marked with it, and the mark goes with the transaction that derives their periods,
so that a process killed between the two leaves work to do but never a wrong answer unmarked. Horizons of providers go
with the records. Many new records at once go through the engine's bulk loader, under a journal (journal.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pyoxigraph as ox

from graph.entities import Record
from graph.errors import StoreDamaged
from graph.life import Patterns, touched_by
from graph.mapping import Mapped, map_record
from graph.store.derivation import Derivation, changes, graph_block, mark
from graph.store.embedded import Store, telling_damage
from graph.store.journal import Journal, Load
from graph.terms import Cell, iri, read
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import VIG

__all__ = ["Applied", "WritableStore", "in_memory"]

_HASH = ox.NamedNode(VIG["hashConteudo"])
_LOADER = ox.NamedNode(VIG["carregador"])

# From how many characters of new lines on the bulk loader is worth its files and their syncing.
_BULK = 1 << 20
# How many characters of updates the engine may keep in memory before it is told to write them out.
_FLUSH = 16 << 20
# How many graphs are dropped in one transaction when a load is undone.
_DROPPED_AT_ONCE = 200

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a batch of records: each record is counted once."""

    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0

    def __add__(self, other: Applied) -> Applied:
        return Applied(self.loaded + other.loaded, self.unchanged + other.unchanged, self.deleted + other.deleted)


@dataclass(frozen=True, slots=True)
class _About:
    """What tells one state of a record from another."""

    graph: str
    payload_hash: str
    loader: str
    deleted: bool


class WritableStore(Store):
    """A graph that records can be put into.

    Attributes:
        changed: whether anything was written since it was opened.
        undone: how many records were taken away again because their load was cut short: they have to be loaded again.
    """

    def __init__(self, engine: ox.Store, path: Path | None, journal: Journal) -> None:
        super().__init__(engine, path)
        self.changed = False
        self.undone = 0
        self._journal = journal
        self._unflushed = 0

    def __enter__(self) -> WritableStore:
        return self

    def apply(self, records: Sequence[Record]) -> Applied:
        """Put a batch of records into the graph: each replaces what its source said before.

        After the call every record of the batch is in the graph, or (an error) none is. A record equal to what is
        there, by payload and loader, is left alone.

        Raises:
            StoreDamaged: the store cannot be read or written.
        """
        return self._take(records, _about_record, map_record)

    def put(self, mapped: Sequence[Mapped]) -> Applied:
        """Put records that are mapped already into the graph, as :meth:`apply` does."""
        return self._take(mapped, _about_mapped, _itself)

    def _take(self, batch: Sequence[_T], about: Callable[[_T], _About], ready: Callable[[_T], Mapped]) -> Applied:
        with telling_damage():
            self.settle()
            fresh: dict[str, tuple[_About, _T]] = {}
            there: set[str] = set()
            loaded = unchanged = deleted = 0
            for one in batch:
                told = about(one)
                if self._is_known(told, fresh[told.graph][0] if told.graph in fresh else None, there):
                    unchanged += 1
                    continue
                fresh[told.graph] = told, one
                if told.deleted:
                    deleted += 1
                else:
                    loaded += 1
            if fresh:
                self._replace({graph: ready(one) for graph, (_, one) in fresh.items()}, there)
                self._derive(self.marked)
            return Applied(loaded, unchanged, deleted)

    def _is_known(self, told: _About, before: _About | None, there: set[str]) -> bool:
        """Whether the batch or the graph has this very state; a graph that is there is added to ``there``."""
        if before is not None:
            return (before.payload_hash, before.loader) == (told.payload_hash, told.loader)
        graph = ox.NamedNode(iri(told.graph)[1:-1])
        if not self.engine.contains_named_graph(graph):
            return False
        there.add(told.graph)
        known = (self._literal(graph, _HASH, graph), self._literal(graph, _LOADER, graph))
        return known == (told.payload_hash, told.loader)

    def _literal(self, subject: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> Cell:
        quad = next(iter(self.engine.quads_for_pattern(subject, predicate, None, graph)), None)
        return None if quad is None else read(quad.object)

    def _replace(self, fresh: Mapping[str, Mapped], there: Collection[str]) -> None:
        new = [record for graph, record in fresh.items() if graph not in there]
        if sum(len(record.lines) for record in new) < _BULK:
            self._transact(self._replacing(fresh.values(), fresh, there))
            return
        load = self._journal.begin(record.graph for record in new)
        try:
            marks = {mark(work) for record in new for work in record.touched}
            self._bulk([*(graph_block(record.graph, record.lines) for record in new), _marking(marks)])
            replaced = [record for graph, record in fresh.items() if graph in there]
            self._transact(self._replacing(replaced, fresh, there, {mark(load.mark)}))
        finally:
            self.settle()

    def _replacing(
        self,
        records: Collection[Mapped],
        fresh: Mapping[str, Mapped],
        there: Collection[str],
        marks: Iterable[str] = (),
    ) -> list[str]:
        """The operations that write some records of a batch, mark what they touch and move the batch's horizons."""
        marking = {*marks, *(mark(work) for record in records for work in record.touched)}
        patterns = Patterns(self.engine)
        drops: list[str] = []
        for record in records:
            if record.graph in there:
                marking.update(map(mark, touched_by(patterns, ox.NamedNode(record.graph))))
                drops.append(f"DROP SILENT GRAPH {iri(record.graph)}")
        inserts = "".join(graph_block(record.graph, record.lines) for record in records)
        horizons = Derivation(self.engine).moved_horizons(fresh, [graph for graph in fresh if graph in there])
        return [*drops, f"INSERT DATA {{\n{inserts}{_marking(marking)}}}", *changes(*horizons)]

    def _transact(self, operations: Sequence[str]) -> None:
        """One update request is one transaction: whole, or not at all. Of no operations nothing comes."""
        if not operations:
            return
        self.changed = True
        request = " ;\n".join(operations)
        try:
            self.engine.update(request)
        except (OSError, RuntimeError) as error:
            raise StoreDamaged(f"the store cannot be written: {error}") from None
        self._unflushed += len(request)
        if self._unflushed >= _FLUSH:
            self.flush()

    def _bulk(self, blocks: Iterable[str]) -> None:
        """Write graphs by the bulk loader: fast, and in part when the process is killed meanwhile."""
        self.changed = True
        try:
            self.engine.bulk_load("".join(blocks).encode(), ox.RdfFormat.TRIG)
        except (OSError, RuntimeError) as error:
            raise StoreDamaged(f"the store cannot be written: {error}") from None

    def settle(self) -> None:
        """Make a bulk load that did not end count as a whole, or as nothing."""
        load = self._journal.under_way
        if load is not None:
            with telling_damage():
                self._end(load)

    def _end(self, load: Load) -> None:
        if not Derivation(self.engine).has_mark(load.mark):
            for start in range(0, len(load.graphs), _DROPPED_AT_ONCE):
                dropped = load.graphs[start : start + _DROPPED_AT_ONCE]
                self._transact([f"DROP SILENT GRAPH {iri(graph)}" for graph in dropped])
            self.undone += len(load.graphs)
        self.flush()
        self._journal.end()

    @property
    def marked(self) -> list[str]:
        """Works whose periods are still to be derived: more than none only after a process was killed."""
        return Derivation(self.engine).marked()

    def finish(self) -> int:
        """Undo what a killed process had half written, derive what it left marked; the number of works it concerned."""
        with telling_damage():
            self.settle()
            left = self.marked
            self._derive(left)
        return len(left)

    def _derive(self, works: Iterable[str]) -> None:
        """Rewrite the periods of these works and of those that depend on them, and take their marks away."""
        derivation = Derivation(self.engine)
        before, after = derivation.of(works)
        come = after - before
        if sum(map(len, come)) >= _BULK:
            self._bulk([_marking(come)])  # should it be cut short, the marks are still there
            after -= come
        self._transact(changes(before | derivation.loads(), after))

    def rebuild(self, batch: int = 500) -> int:
        """Derive everything anew from what is asserted; the number of works. Safe to kill: it can be run again."""
        with telling_damage():
            self.settle()
            derivation = Derivation(self.engine)
            works = sorted(derivation.works())
            for start in range(0, len(works), batch):
                self._derive(works[start : start + batch])
            self._transact(changes(*derivation.horizons()))
            return len(works)

    def flush(self) -> None:
        """Bring everything to the disk, and out of the engine's memory."""
        try:
            self.engine.flush()
        except (OSError, RuntimeError) as error:
            raise StoreDamaged(f"the store cannot be written: {error}") from None
        self._unflushed = 0


def _marking(lines: Iterable[str]) -> str:
    return graph_block(DERIVED_GRAPH, "".join(f"{line}\n" for line in sorted(lines)))


def _about_record(record: Record) -> _About:
    return _About(record.source.iri, record.source.payload_hash, record.source.loader, record.deleted)


def _about_mapped(mapped: Mapped) -> _About:
    return _About(mapped.graph, mapped.payload_hash, mapped.loader, mapped.deleted)


def _itself(mapped: Mapped) -> Mapped:
    return mapped


def in_memory() -> WritableStore:
    """A store without a folder: for tests, and for research on what fits in memory."""
    return WritableStore(ox.Store(), None, Journal(None))
