"""The store, for writing: one named graph per source record, replaced whole; derived triples in a graph of their own.

The works that a batch touches are marked with it, and the mark goes with the transaction that derives their periods,
so that a process killed between the two leaves work to do but never a wrong answer unmarked. Horizons of providers go
with the records. The index of names follows (names.py). How the engine itself is written stands in journaled.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import pyoxigraph as ox

from graph.entities import Record, Source
from graph.mapping import Mapped, map_record, placed
from graph.store.applied import Applied
from graph.store.arriving import Held, held_in, other_place, place_of
from graph.store.blocks import derived_block, graph_block, write_blocks
from graph.store.derivation import Derivation, changes, mark
from graph.store.embedded import telling_damage
from graph.store.faults import unwritable
from graph.store.filling import fill, fill_records, refill
from graph.store.flight import Derived
from graph.store.journal import Journal
from graph.store.launching import LaunchingStore, Step
from graph.store.names import NameIndex
from graph.store.standing import Standing, StandingHere
from graph.terms import iri
from ontology.iris import hashed_iri
from ontology.namespaces import PROV, VIG

__all__ = ["Applied", "WritableStore", "in_memory"]

_GENERATED = ox.NamedNode(PROV["wasGeneratedBy"])
_HASH = ox.NamedNode(VIG["hashConteudo"])
_LOADER = ox.NamedNode(VIG["carregador"])
_TOMBSTONE = ox.NamedNode(VIG["lapide"])

# From how many characters of new lines on the bulk loader is worth its files and their syncing.
_BULK = 1 << 20
# How many works are derived at once of what a killed writer has left.
_DERIVED_AT_ONCE = 2_000
# How many statements fall everywhere into the engine's orders.
_MARKS = 256
# What is in the place of a record that comes again as it is: nobody asks.
_NOTHING = Held(None, (), None, doubtful_stamp=False, missing_since=None)

_Arriving = TypeVar("_Arriving", Record, Mapped)


class WritableStore(LaunchingStore):
    """A graph that records can be put into."""

    def __enter__(self) -> WritableStore:
        return self

    def apply(self, records: Sequence[Record]) -> Applied:
        """Put a batch of records into the graph: each replaces what its source said before.

        After the call every record of the batch is in the graph, or (an error) none is. A record equal to what is
        there, by payload and loader, is left alone; one from a file also leaves alone what has a later datestamp. A
        tombstone keeps what the record was about.

        Raises:
            StoreDamaged: the store cannot be read or written.
        """
        return self._whole(self._take(records, map_record))

    def put(self, mapped: Sequence[Mapped]) -> Applied:
        """Put records that are mapped already into the graph, as :meth:`apply` does."""
        return self._whole(self._take(mapped, _itself))

    def begin(self, mapped: Sequence[Mapped]) -> Applied:
        """As :meth:`put`, but the batch may still be being written when this returns, in a thread of its own.

        What was begun before is in the graph, whole, when this returns, but while :meth:`gathering`. The batch is when
        :meth:`land` has returned, or anything else that writes. Until then questions may see it in part.

        Raises:
            StoreDamaged: this batch cannot be written, or the one before could not.
        """
        return self._take(mapped, _itself)

    @contextmanager
    def gathering(self, on_step: Callable[[Step, int], None] | None = None) -> Iterator[None]:
        """Much is about to come: as long as the block lasts batches that are begun are gathered, to be written at once,
        which takes the engine a third of the time. They are written when there is enough of them, before anything is
        that is not new, and at the end; then the engine's files are laid out anew, so that all is found soon.

        Until then questions see nothing of what is gathered, and a process that is killed leaves nothing of it. It
        takes some three gigabytes of memory for a million records, and twice the space on the disk. In memory, and
        behind an endpoint, it changes nothing.

        Args:
            on_step: called before each step that may take minutes, with how many records are written.

        Raises:
            StoreDamaged: what was gathered cannot be written.
        """
        if self._journal.is_kept and isinstance(self.engine, ox.Store):
            self._gathers = True
            self._on_step = on_step
        try:
            yield
            self.land()
        finally:
            self._gathers = False
        if self._much:
            self._tell(Step.LAYING_OUT, self._much)
            self._much = 0
            with ThreadPoolExecutor(1) as beside, telling_damage():
                ordered = beside.submit(self.names.put_in_order)
                self.optimize()
                if self._is_deep:
                    self._pack()
                ordered.result()

    def _whole(self, applied: Applied) -> Applied:
        """What a batch has done, when it is in the graph."""
        try:
            self.land()
        finally:
            self._fault = None  # who began it is told, and may go on
        return applied

    def close(self) -> None:
        """Let go of the files, when what was begun is written. Closing twice is no fault."""
        try:
            self.land()
        finally:
            self._fault = None  # it may hold the engine, which would keep the files open
            super().close()

    def _take(self, batch: Sequence[_Arriving], ready: Callable[[_Arriving], Mapped]) -> Applied:
        with telling_damage():
            if not self._is_under_way:
                self.settle()
            standing = StandingHere(self.engine) if isinstance(self.engine, ox.Store) else Standing(self.engine)
            standing.look(each.source for each in batch if not self._is_flying(each.source.iri))
            fresh: dict[str, Mapped] = {}
            there: set[str] = set()
            loaded = unchanged = deleted = older = 0
            for each in batch:
                one, held, known = each, None, False
                if self._is_flying(each.source.iri):
                    self.land()
                if each.source.iri in fresh or self.has_graph(each.source.iri):
                    one = self._placed(each, fresh)
                    if self._is_flying(one.source.iri):
                        self.land()
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
                self._replace(fresh, there, standing)
            else:
                self._join()
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
        known = (self.literal_in(graph, _HASH, graph), self.literal_in(graph, _LOADER, graph))
        if known == (source.payload_hash, source.loader):
            return _NOTHING, True
        return held_in(self.engine, source.iri), False

    def _replace(self, fresh: Mapping[str, Mapped], there: Collection[str], standing: Standing) -> None:
        new = [record for graph, record in fresh.items() if graph not in there]
        replaced = [record for graph, record in fresh.items() if graph in there]
        bulk = sum(len(record.lines) for record in new) >= _BULK
        touched = {work for record in new for work in record.touched}
        if bulk and not replaced:
            self._launch(fresh, new, touched)
            return
        self.land()
        self.names.intend(fresh, ())
        if bulk:  # what comes can be told from what is there only once that is replaced
            changed = Derived(sorted(touched), set(), {mark(work) for work in touched}, {})
            blocks = self._written(new, changed.come)
            self._load(
                [one.graph for one in new], blocks, changed, lambda: self._replacing(replaced, fresh, there, standing)
            )
        else:
            self._transact(self._replacing(fresh.values(), fresh, there, standing))
        self.names.put({graph: record.said for graph, record in fresh.items()}, {})
        self._derive(self.marked)

    def _replacing(
        self,
        records: Collection[Mapped],
        fresh: Mapping[str, Mapped],
        there: Collection[str],
        standing: Standing,
    ) -> list[str]:
        """The operations that write some records of a batch, mark what they touch and move the batch's horizons."""
        marking = {
            mark(work)
            for record in records
            for work in (standing.touched(record) if record.graph in there else record.touched)
        }
        gone: list[str] = []
        come: list[str] = []
        for record in records:
            before, after = standing.exchanged(record) if record.graph in there else ("", record.lines)
            gone += [before] if before else []
            come += [graph_block(record.graph, after)] if after else []
        if marking:
            come.append(derived_block(marking))
        inserts = [f"INSERT DATA {{\n{''.join(come)}}}"] if come else []
        stamps = {stamp for graph in there for stamp in standing.patterns(graph).stamp(graph)}
        horizons = Derivation(self.engine).moved_horizons(fresh, stamps, self.datestamps)
        return [*gone, *inserts, *changes(*horizons)]

    def settle(self) -> None:
        """Bring a bulk load that counts to its end, and make one that does not count as nothing."""
        self.land()
        self._settle()

    @property
    def marked(self) -> list[str]:
        """Works whose periods are still to be derived: more than none only after a process was killed."""
        return Derivation(self.engine).marked()

    def finish(self) -> int:
        """Undo what a killed process had half written, derive what it left marked; the number of works it concerned."""
        with telling_damage():
            self.settle()
            if not self.names.is_whole:
                self.changed = fill(self.names, self.engine) or self.changed
            records, works = self.names.pending
            self.changed = refill(self.names, self.engine, records) or self.changed
            left = sorted({*self.marked, *works})
            for start in range(0, len(left), _DERIVED_AT_ONCE):
                self._derive(left[start : start + _DERIVED_AT_ONCE])
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
        derivation = Derivation(self.engine)
        found = derivation.of(derivation.dependants(works))
        if not found.packed:
            return
        self.names.intend((), found.packed)
        before, after = found.before, found.after
        come = after - before
        if sum(map(len, come)) >= _BULK:
            self._bulk(
                write_blocks([derived_block(come)], self._journal.lines())
            )  # should it be cut short, the marks are still there
            after = after - come
        self._transact(changes(before, after))
        self.changed = self.names.put({}, found.packed) or self.changed

    def rebuild(self, batch: int = 500) -> int:
        """Derive everything anew from what is asserted, and make the index of names anew; the number of works.

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
            self._transact(changes(*derivation.horizons()))
            return len(works)

    def optimize(self) -> None:
        """Lay out anew what many loads have left in many files: nothing is changed, and all is found sooner.

        It takes about a third of the time that loading took, and while it runs up to twice the space on the disk. Safe
        to kill: it can be run again.

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

    def _pack(self) -> None:
        """Have the engine write all its files once more: those that one load has left are not compressed.

        What lies in the lowest level is written again where something new is to be merged with it, and compressed as
        soon as there is a level above. So a few statements that fall everywhere into each of the engine's orders
        are written, and taken away in the same transaction.
        """
        marks = [[iri(hashed_iri("ordem", str(number), term)) for term in "gspo"] for number in range(_MARKS)]
        come = "".join(f"GRAPH {graph} {{ {subject} {kind} {target} }}\n" for graph, subject, kind, target in marks)
        self._transact([f"INSERT DATA {{ {come} }}", *(f"DROP GRAPH {graph}" for graph, *_ in marks)])
        self._flush()
        self.optimize()

    def flush(self) -> None:
        """Bring everything to the disk, and out of the engine's memory."""
        if self._flight is not None and not self._gathers:  # what was written before it can be put in order meanwhile
            self.names.put_in_order()
        self.land()
        self._flush()


def _left_by(before: Mapped, source: Source) -> tuple[Held | None, bool]:
    """What a record of the same batch leaves in the place of another, and whether the other is the same again."""
    there = before.source
    same = (there.payload_hash, there.loader) == (source.payload_hash, source.loader)
    return Held.of(there, before.about), same


def _itself(mapped: Mapped) -> Mapped:
    return mapped


def in_memory() -> WritableStore:
    """A store without a folder: for tests, and for research on what fits in memory."""
    return WritableStore(ox.Store(), None, Journal(None), NameIndex(None))
