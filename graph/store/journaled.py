"""How a store is written: an update request is one transaction; much goes by the bulk loader, under a journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from graph.mapping import Mapped
from graph.store.applied import Left
from graph.store.blocks import blocks_of, load_blocks, write_blocks
from graph.store.derivation import changes, mark
from graph.store.embedded import telling_damage
from graph.store.engine import Engine
from graph.store.faults import unwritable
from graph.store.flight import Derived
from graph.store.heap import give_back
from graph.store.journal import Journal, Load
from graph.store.names import NameIndex
from graph.store.records import RecordsStore
from graph.terms import iri

# How many characters of updates the engine may keep in memory before it is told to write them out.
_FLUSH = 16 << 20
# How many graphs are dropped in one transaction when a load is undone.
_DROPPED_AT_ONCE = 200


class JournaledStore(RecordsStore):
    """A graph that can be written whole batch by whole batch.

    Attributes:
        changed: whether anything was written since it was opened.
        undone: how many records were taken away again because their load was cut short: they have to be loaded again.
        lost: how many records were there and are so no longer, since the engine lost the end of its log: likewise.
        left: what the writer before left behind.
    """

    def __init__(self, engine: Engine, path: Path | None, journal: Journal, names: NameIndex) -> None:
        super().__init__(engine, path, names)
        self.changed = False
        self.undone = 0
        self.lost = 0
        self.left = Left()
        self._journal = journal
        self._unflushed = 0

    def _written(self, new: Iterable[Mapped], come: Iterable[str]) -> Path | bytes:
        """The lines of records and lines of the derived graph, ready for the bulk loader."""
        try:
            return write_blocks(blocks_of(new, come), self._journal.lines())
        except OSError as error:
            raise unwritable(error) from None

    def _load(
        self,
        graphs: Iterable[str],
        blocks: Path | bytes,
        changed: Derived,
        rest: Callable[[], list[str]],
    ) -> None:
        """Write a batch by the bulk loader, and what remains to be done after it, under the journal."""
        with telling_damage():
            self._journal.begin(graphs, changed.works)
            try:
                self._bulk(blocks)
                self._journal.count([*rest(), *changes(changed.gone, set())])
            finally:
                self._settle()

    def _transact(self, operations: Sequence[str]) -> None:
        """One update request is one transaction: whole, or not at all. Of no operations nothing comes."""
        if not operations:
            return
        self.changed = True
        request = " ;\n".join(operations)
        try:
            self.engine.update(request)
        except (OSError, RuntimeError) as error:
            raise unwritable(error) from None
        self._unflushed += len(request)
        if self._unflushed >= _FLUSH:
            self._flush()

    def _bulk(self, blocks: Path | bytes) -> None:
        """Write graphs by the bulk loader: fast, and in part when the process is killed meanwhile."""
        self.changed = True
        try:
            load_blocks(self.engine, blocks)
        except (OSError, RuntimeError) as error:
            raise unwritable(error) from None
        finally:
            give_back()  # what each of the engine's threads keeps of a batch in a heap of its own

    def _settle(self) -> None:
        load = self._journal.under_way
        if load is not None:
            with telling_damage():
                if load.rest is None:
                    self._undo(load)
                elif load.rest:
                    self._transact(load.rest)
                    self._flush()
                self._journal.end()

    def _undo(self, load: Load) -> None:
        """Drop what a load has made, and mark what it may have derived: twice is as good as once."""
        for start in range(0, len(load.works), _DROPPED_AT_ONCE):
            marks = {mark(work) for work in load.works[start : start + _DROPPED_AT_ONCE]}
            self._transact(changes(set(), marks))
        for start in range(0, len(load.graphs), _DROPPED_AT_ONCE):
            dropped = load.graphs[start : start + _DROPPED_AT_ONCE]
            self._transact([f"DROP SILENT GRAPH {iri(graph)}" for graph in dropped])
        self.undone += len(load.graphs)
        self._flush()

    def _flush(self) -> None:
        try:
            self.engine.flush()
        except (OSError, RuntimeError) as error:
            raise unwritable(error) from None
        self.names.flushed()
        self._unflushed = 0
