"""The store, for writing: one named graph per source record, replaced whole; derived triples in a graph of their own.

There is one way to write. What a batch changes is worked out beside the store: which records take the place of which,
and what is derived of the works that they touch, from what is stored and what comes together. Then it is switched in
by one transaction (transactions.py; behind an endpoint remote/writing.py). The index of names follows (names.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pyoxigraph as ox

from graph.entities import Record, Source
from graph.mapping import Mapped, map_record, placed
from graph.store.applied import Applied, Left
from graph.store.arriving import Held, held_in, living, other_place, place_of
from graph.store.blocks import derived_block, graph_block
from graph.store.derivation import Derivation, changes
from graph.store.embedded import Store, telling_damage
from graph.store.engine import Engine
from graph.store.faults import unwritable
from graph.store.filling import fill, fill_records, refill
from graph.store.journal import Journal
from graph.store.names import NameIndex
from graph.store.standing import Standing, StandingHere
from graph.store.together import Index, Together
from graph.store.transactions import Transactions
from graph.terms import Cell, iri, read
from ontology.namespaces import PROV, VIG

__all__ = ["Applied", "WritableStore", "in_memory"]

_DATESTAMP = ox.NamedNode(VIG["datestamp"])
_GENERATED = ox.NamedNode(PROV["wasGeneratedBy"])
_HASH = ox.NamedNode(VIG["hashConteudo"])
_LOADER = ox.NamedNode(VIG["carregador"])
_TOMBSTONE = ox.NamedNode(VIG["lapide"])

# The number of works of a killed writer that are derived in one step.
_DERIVED_AT_ONCE = 2_000
# Placeholder for an unchanged record, whose stored state is not read.
_NOTHING = Held(None, (), None, doubtful_stamp=False, missing_since=None)

_Arriving = TypeVar("_Arriving", Record, Mapped)


class WritableStore(Store):
    """A graph that records can be put into.

    Args:
        transactions: how the engine is changed; None for the embedded one.

    Attributes:
        changed: whether anything was written since it was opened.
        undone: how many records were taken away again because their load was cut short: they have to be loaded again.
        lost: how many records were there and are so no longer, since the engine lost the end of its log: likewise.
        left: what the writer before left behind.
    """

    def __init__(
        self, engine: Engine, path: Path | None, names: NameIndex, transactions: Transactions | None = None
    ) -> None:
        super().__init__(engine, path, names)
        self.changed = False
        self.undone = 0
        self.lost = 0
        self.left = Left()
        self._transactions = transactions or Transactions(engine, names)

    def __enter__(self) -> WritableStore:
        return self

    def close(self) -> None:
        """Let go of the files. Closing twice is no fault."""
        self._transactions.close()
        super().close()

    def apply(self, records: Sequence[Record]) -> Applied:
        """Put a batch of records into the graph: each replaces what its source said before.

        After the call every record of the batch is in the graph, or (an error) none is. A record equal to what is
        there, by payload and loader, is left alone; one from a file also leaves alone what has a later datestamp. A
        tombstone keeps what the record was about.

        Raises:
            StoreDamaged: the store cannot be read or written.
        """
        return self._take(records, map_record)

    def put(self, mapped: Sequence[Mapped]) -> Applied:
        """Put records that are mapped already into the graph, as :meth:`apply` does."""
        return self._take(mapped, _itself)

    def _take(self, batch: Sequence[_Arriving], ready: Callable[[_Arriving], Mapped]) -> Applied:
        self.settle()
        with telling_damage(), self._transactions.reading_ahead(graphs={each.source.iri for each in batch}):
            fresh: dict[str, Mapped] = {}
            there: set[str] = set()
            loaded = unchanged = deleted = older = 0
            for each in batch:
                one, held, known = each, None, False
                if each.source.iri in fresh or self.has_graph(each.source.iri):
                    one = self._placed(each, fresh)
                    before = fresh.get(one.source.iri)
                    held, known = self._held(one.source) if before is None else _left_by(before, one.source)
                    if before is None and held is not None:
                        there.add(one.source.iri)
                source = one.source
                if known:
                    unchanged += 1
                elif held is not None and held.outlasts(source):
                    older += 1
                elif one.deleted:
                    tombstone = Record(source, None, was_about=one.about)
                    fresh[source.iri] = map_record(held.remembered_by(tombstone) if held is not None else tombstone)
                    deleted += 1
                else:
                    fresh[source.iri] = ready(one)
                    loaded += 1
            if fresh:
                self._switch_in(fresh, there.intersection(fresh))
            return Applied(loaded, unchanged, deleted, older)

    def _placed(self, one: _Arriving, fresh: Mapping[str, Mapped]) -> _Arriving:
        """The record in its named graph: where two providers give one identifier to theirs, each has its own."""
        source = one.source
        if source.run is None or source.provider is None or source.identifier is None:
            return one
        before = fresh.get(source.iri)
        if before is not None and before.source.run is not None:
            mine = before.source.provider == source.provider
            place = source.iri if mine else other_place(source.provider, source.identifier)
        else:
            place = place_of(self.engine, source.iri, source.provider, source.identifier)
        return one if place == source.iri else placed(one, place)

    def _held(self, source: Source) -> tuple[Held | None, bool]:
        """What is in the place of a record, and whether it is that very state of it."""
        if not self.has_graph(source.iri):
            return None, False
        graph = ox.NamedNode(source.iri)
        known = (self._literal_in(graph, _HASH), self._literal_in(graph, _LOADER))
        if known == (source.payload_hash, source.loader):
            return _NOTHING, True
        return held_in(self.engine, source.iri), False

    def _literal_in(self, graph: ox.NamedNode, predicate: ox.NamedNode) -> Cell:
        """Return one value of a property of a record in its own graph; None if it has none."""
        quad = next(iter(self.engine.quads_for_pattern(graph, predicate, None, graph)), None)
        return None if quad is None else read(quad.object)

    def _switch_in(self, fresh: Mapping[str, Mapped], there: Collection[str]) -> None:
        """Work out all that a batch changes, and write it by one transaction.

        Args:
            fresh: its records, by their graphs.
            there: the graphs among them that hold a record already.
        """
        standing = StandingHere(self.engine) if isinstance(self.engine, ox.Store) else Standing(self.engine)
        index = Index()
        for record in fresh.values():
            index.extend(record.graph, record.decisive)
        touched = {
            work
            for record in fresh.values()
            for work in (standing.touched(record) if record.graph in there else record.touched)
        }
        stamps = {stamp for graph in there for stamp in standing.patterns(graph).stamp(graph)}
        with self._transactions.reading_ahead(works=touched.union(_named_by(fresh.values()))):
            derivation = Derivation(Together(self.engine, index, replaced=there))
            derived = derivation.of(derivation.dependants(touched))
            horizons = Derivation(self.engine).moved_horizons(fresh, stamps, self.datestamps)
        gone, come = [], []
        for record in fresh.values():
            before, after = standing.exchanged(record) if record.graph in there else ("", record.lines)
            gone += [before] if before else []
            come += [graph_block(record.graph, after)] if after else []
        lines = derived.after - derived.before
        come += [derived_block(lines)] if lines else []
        inserts = [f"INSERT DATA {{\n{''.join(come)}}}"] if come else []
        self.names.intend(fresh, derived.packed)
        self._transact([*gone, *inserts, *changes(derived.before - derived.after, set()), *changes(*horizons)])
        self.names.put({graph: record.said for graph, record in fresh.items()}, derived.packed)

    def _transact(self, operations: Sequence[str]) -> None:
        """Run operations in one transaction. Without operations nothing happens."""
        if operations:
            self.changed = True
            self._transactions.carry_out(operations)

    def has_graph(self, record: str) -> bool:
        """Whether the store has the named graph of a record."""
        return self.engine.contains_named_graph(ox.NamedNode(iri(record)[1:-1]))

    def holds(self, record: str, provider: str, identifier: str) -> bool:
        """Whether there is anything of a record of a provider, a tombstone too; arguments as for :func:`place_of`."""
        with telling_damage():
            return self.has_graph(place_of(self.engine, record, provider, identifier))

    def lives(self, record: str, provider: str, identifier: str) -> bool:
        """Whether there is a record of a provider that is not withdrawn; arguments as for :func:`place_of`."""
        with telling_damage():
            place = place_of(self.engine, record, provider, identifier)
            return self.has_graph(place) and self._literal_in(ox.NamedNode(iri(place)[1:-1]), _TOMBSTONE) is None

    def brought(self, run: str) -> bool:
        """Return whether a harvest run brought any record or tombstone."""
        with telling_damage():
            found = self.engine.quads_for_pattern(None, _GENERATED, ox.NamedNode(run), None)
            return next(iter(found), None) is not None

    def datestamps(self) -> set[str]:
        """The datestamps of all records, as they are written."""
        if isinstance(self.engine, ox.Store):  # it compares terms without reading them
            return {str(row["d"]) for row in self.select(f"SELECT DISTINCT ?d WHERE {{ ?r {_DATESTAMP} ?d }}")}
        return {str(read(quad.object)) for quad in self.engine.quads_for_pattern(None, _DATESTAMP, None, None)}

    def living(self, provider: str, set_: str | None) -> list[str]:
        """Return the identifiers of a provider's records that harvests of a set (or of everything) brought and kept."""
        with telling_damage():
            return living(self.engine, provider, set_)

    def settle(self) -> None:
        """Bring to its end what a writer behind an endpoint has left half done."""
        with telling_damage():
            self._transactions.settle()

    def finish_load(self, journal: Journal) -> None:
        """Finish or drop what a killed bulk load of an earlier release left.

        Args:
            journal: that it wrote.
        """
        load = journal.under_way
        if load is not None:
            with telling_damage():
                self._transact(load.operations)
                self.undone += len(load.graphs) if load.rest is None else 0
                self._derive(load.works)
                self.flush()
            journal.end()

    @property
    def marked(self) -> list[str]:
        """Works that a killed process of an earlier release left to be derived."""
        return Derivation(self.engine).marked()

    def finish(self) -> int:
        """Make the index of names follow the graph where a killed process left it behind, and derive what was left to
        be derived; the number of works it concerned."""
        with telling_damage():
            self.settle()
            if not self.names.is_whole:
                self.changed = fill(self.names, self.engine) or self.changed
            records, works = self.names.pending
            self.changed = refill(self.names, self.engine, records) or self.changed
            left = sorted({*self.marked, *works})
            for start in range(0, len(left), _DERIVED_AT_ONCE):
                self._derive(left[start : start + _DERIVED_AT_ONCE])
            self.changed = self.names.refresh() or self.changed
        return len(left)

    def read_through(self) -> None:
        """Read all that is listed once, so that the engine compares its checksums; an index that is torn is emptied.

        Raises:
            StoreDamaged: something cannot be read.
        """
        with telling_damage():
            len(self.engine)
        if not self.names.is_sound:
            self.names.clear()

    def take_stock(self) -> None:
        """Hold what a killed writer had not brought to the disk against the index: what the graph lost is counted.

        The index follows the graph. Where it says more, the engine's log was cut, and the index now says what is left.
        """
        with telling_damage():
            there = self.engine.contains_named_graph
            records, _ = self.names.unflushed
            self.lost = sum(refill(self.names, self.engine, [record]) for record in records)
            self.lost += sum(not there(ox.NamedNode(record)) for record in self.names.records())
            if self.lost:
                self.names.clear()

    def _derive(self, works: Iterable[str]) -> None:
        """Rewrite the periods of these works and of those that depend on them, and take their marks away."""
        with self._transactions.reading_ahead(works=(concerned := list(works))):
            derivation = Derivation(self.engine)
            found = derivation.of(derivation.dependants(concerned))
        if found.packed:
            self.names.intend((), found.packed)
            self._transact(changes(found.before, found.after))
            self.changed = self.names.put({}, found.packed) or self.changed

    def rebuild(self, batch: int = 500) -> int:
        """Derive everything again from the asserted graphs, and make the index of names again. Return the number of
        works.

        Safe to kill: it can be run again.
        """
        with telling_damage():
            self.settle()
            if not self.names.is_sound:
                self.names.clear()
            self.changed = fill_records(self.names, self.engine) or self.changed
            derivation = Derivation(self.engine)
            works = sorted(derivation.works())
            for start in range(0, len(works), batch):
                self._derive(works[start : start + batch])
            self.names.told_whole()
            self.changed = self.names.remake_full_text() or self.changed
            self._transact(changes(*derivation.horizons()))
            return len(works)

    def optimize(self) -> None:
        """Rewrite the files that many loads have left, for faster lookups. No data change.

        While it runs it takes up to twice the space on the disk. Safe to kill: it can be run again.

        Raises:
            StoreDamaged: the store cannot be read or written.
        """
        with telling_damage():
            self.settle()
            try:
                self.engine.optimize()
            except OSError as error:
                raise unwritable(error) from None
            self.changed = True

    def flush(self) -> None:
        """Bring everything to the disk, and out of the engine's memory."""
        self._transactions.flush()


def _named_by(records: Iterable[Mapped]) -> set[str]:
    """Return the IRIs that the deciding statements of records are about."""
    said = (term for record in records for subject, _, target in record.decisive for term in (subject, target))
    return {term[1:-1] for term in said if term.startswith("<")}


def _left_by(before: Mapped, source: Source) -> tuple[Held | None, bool]:
    """What a record of the same batch leaves in the place of another, and whether the other is the same again."""
    there = before.source
    same = (there.payload_hash, there.loader) == (source.payload_hash, source.loader)
    return Held.of(there, before.about), same


def _itself(mapped: Mapped) -> Mapped:
    return mapped


def in_memory() -> WritableStore:
    """A store without a folder: for tests, and for research on what fits in memory."""
    return WritableStore(ox.Store(), None, NameIndex(None))
