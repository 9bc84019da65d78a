"""New records on their way into the store: derived while those before them are being written, or gathered.

What is begun is written by the engine's bulk loader in a thread of its own, one batch at a time. Of a load that brings
much, batches are gathered in a file instead, and written at once: the engine orders what it is given at once, and of
many small loads it merges its files again and again, which takes it three times as long (docs/benchmarks.md).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path

from graph.mapping import Mapped, Said
from graph.store.blocks import append_blocks, blocks_of
from graph.store.derivation import Derivation, changes, newest_days
from graph.store.engine import Engine
from graph.store.faults import unwritable
from graph.store.flight import Derived, Flight
from graph.store.heap import give_back
from graph.store.journal import Journal
from graph.store.journaled import JournaledStore
from graph.store.names import NameIndex
from graph.store.together import Index, Together
from graph.terms import Statement, statement
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import VIG

# How many bytes of lines are gathered at most, those of a million records and more, and how many statements that decide
# lives are remembered of them.
_GATHERED, _REMEMBERED = 8 << 30, 5_000_000
# From how many bytes on that were written at once the engine's files are worth being laid out anew, and from how many
# on they have a level below the first, which alone is compressed.
_MUCH, _DEEP = 1 << 30, 2 << 30
# The triples of the derived graph by which it is found whose periods depend on a norm.
_PERIOD_IN, _PERIOD_OF = f"<{VIG['periodoNaNorma']}>", f"<{VIG['periodoDe']}>"


class Step(StrEnum):
    """What may take minutes."""

    WRITING = "writing"  #: what was gathered
    LAYING_OUT = "laying-out"  #: the engine's files


@dataclass(slots=True)
class _Gathered:
    """Batches that are to be written at once.

    Attributes:
        file: their lines.
        graphs: the named graphs that they make.
        works: the works that they derive anew.
        gone: the lines of the derived graph, be they in the engine or in the file, that do not hold in the end.
        newest: the newest day of each provider's datestamps.
        index: what they say that decides the lives of works, and whose periods depend on which.
        size: how many bytes of the file count.
    """

    file: Path
    graphs: set[str] = field(default_factory=set)
    works: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    newest: dict[str, date] = field(default_factory=dict)
    index: Index = field(default_factory=Index)
    size: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether it is to be written."""
        return self.size >= _GATHERED or len(self.index) >= _REMEMBERED


class LaunchingStore(JournaledStore):
    """A graph that batches of new records can be launched into."""

    def __init__(self, engine: Engine, path: Path | None, journal: Journal, names: NameIndex) -> None:
        super().__init__(engine, path, journal, names)
        self._flight: Flight | None = None
        self._fault: BaseException | None = None
        self._gathers = False
        self._gathered: _Gathered | None = None
        self._much = 0
        self._is_deep = False
        self._on_step: Callable[[Step, int], None] | None = None

    def land(self) -> None:
        """Wait until what was begun is in the graph.

        Raises:
            StoreDamaged: it cannot be written; nothing of it is there. So it is at each call from then on, for who
                began it may not be the one that is told.
        """
        self._join()
        if self._gathered is not None:
            self._write_gathered(self._gathered)
            self._join()

    def _join(self) -> None:
        if self._flight is not None:
            self._flight.join()
            self._fault, self._flight = self._flight.taken_fault(), None
        if self._fault is not None:
            raise self._fault

    @property
    def _is_under_way(self) -> bool:
        """Whether anything that was begun may not be in the graph yet."""
        return self._flight is not None or self._gathered is not None

    def _is_flying(self, record: str) -> bool:
        """Whether a record was begun and may not be in the graph yet."""
        return (self._flight is not None and record in self._flight.graphs) or (
            self._gathered is not None and record in self._gathered.graphs
        )

    def _launch(self, fresh: Mapping[str, Mapped], new: Sequence[Mapped], touched: Collection[str]) -> None:
        """Derive while the batch before is still being written, then write this one in a thread of its own."""
        index = Index()
        for record in new:
            index.extend(record.graph, record.decisive)
        if self._gathers:
            self._gather(fresh, new, touched, index)
            if (gathered := self._gathered) is not None and gathered.is_enough:
                del gathered  # what it remembers is not needed while it is written
                self.land()
            return
        if self._gathered is not None:  # an error ended the block in which it was gathered
            self.land()
        flight = self._flight
        derivation = Derivation(Together(self.engine, index, *(() if flight is None else (flight.index,))))
        works = derivation.dependants(touched)
        found = derivation.of(works)
        before = found.before - flight.gone if flight is not None else found.before
        changed = Derived(works, before - found.after, found.after - before, found.packed)
        index.extend(DERIVED_GRAPH, map(statement, changed.come))
        graphs, newest, blocks = frozenset(fresh), newest_days(new), self._written(new, changed.come)
        said = _said(fresh)
        self.land()

        def write() -> None:
            self.names.intend(graphs, changed.packed)
            self._load(graphs, blocks, changed, lambda: self._rising(newest))
            self.names.put_new(said, changed.packed)

        self._fly(Flight(write, graphs, index, changed.gone))

    def _fly(self, flight: Flight) -> None:
        self._flight = flight
        flight.start()

    def _gather(
        self, fresh: Mapping[str, Mapped], new: Sequence[Mapped], touched: Collection[str], index: Index
    ) -> None:
        """Derive a batch, and gather it in a thread of its own: what is half gathered counts for nothing."""
        self._join()
        lines = self._journal.lines()
        assert lines is not None  # noqa: S101 - else nothing is gathered
        gathered = self._gathered or _Gathered(lines)
        derivation = Derivation(Together(self.engine, index, gathered.index))
        works = derivation.dependants(touched)
        found = derivation.of(works)
        before = found.before - gathered.gone
        if again := gathered.works.intersection(works):  # what was derived of these is in the file, not in the engine
            before |= Derivation(Together(self.engine, gathered.index)).of(again).after
        gone, come = before - found.after, found.after - before
        index.extend(DERIVED_GRAPH, _of_provisions(come))
        newest, said, packed = newest_days(new), _said(fresh), found.packed
        blocks = list(blocks_of(new, come))
        self.changed = True

        def write() -> None:
            self.names.intend(said, packed)
            try:
                size = append_blocks(blocks, gathered.file, gathered.size)
            except OSError as error:
                raise unwritable(error) from None
            self.names.wait(said, packed)
            gathered.graphs.update(said)
            gathered.works.update(works)
            gathered.gone = (gathered.gone - come) | gone
            for provider, day in newest.items():
                gathered.newest[provider] = max(day, gathered.newest.get(provider, day))
            gathered.index.take(index)
            gathered.size = size
            self._gathered = gathered

        self._fly(Flight(write, frozenset(fresh), index, gone))

    def _write_gathered(self, gathered: _Gathered) -> None:
        """Begin to write what was gathered: all of it or nothing."""
        changed = Derived(sorted(gathered.works), gathered.gone, set(), {})
        graphs, newest, file, size = gathered.graphs, gathered.newest, gathered.file, gathered.size

        def write() -> None:
            is_whole = False
            try:
                os.truncate(file, size)
                self._load(graphs, file, changed, lambda: self._rising(newest))
                is_whole = True
            except OSError as error:
                raise unwritable(error) from None
            finally:
                if not is_whole:
                    self.names.forget_unwritten()
            self.names.written(graphs, changed.works)
            self._much += len(graphs) if size >= _MUCH else 0
            self._is_deep = self._is_deep or size >= _DEEP

        self._tell(Step.WRITING, len(graphs))
        flight = Flight(write, graphs, Index(), set())
        self._flight, self._gathered = flight, None
        flight.start()
        gathered.index = Index()  # nothing is derived until it is written, which takes as much memory
        give_back()

    def _tell(self, step: Step, count: int) -> None:
        if self._on_step is not None:
            self._on_step(step, count)

    def _rising(self, newest: Mapping[str, date]) -> list[str]:
        """The operations that move horizons when nothing is replaced."""
        return changes(*Derivation(self.engine).risen_horizons(newest))


def _of_provisions(come: Iterable[str]) -> Iterator[Statement]:
    """Of lines of the derived graph those by which it is found which provisions' periods depend on a norm."""
    found = [statement(line) for line in come if _PERIOD_IN in line or _PERIOD_OF in line]
    of_provisions = {subject for subject, predicate, _ in found if predicate == _PERIOD_IN}
    return (one for one in found if one[0] in of_provisions)


def _said(records: Mapping[str, Mapped]) -> dict[str, Said]:
    return {graph: record.said for graph, record in records.items()}
