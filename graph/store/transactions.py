"""How the embedded engine is changed: an update request is one transaction, whole or not at all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, nullcontext

from graph.errors import StoreDamaged
from graph.store.engine import Engine
from graph.store.faults import unwritable
from graph.store.names import NameIndex

# The number of characters of updates that the engine keeps in memory before it writes them out.
_FLUSH = 16 << 20


class Transactions:
    """Changes an engine whose requests are atomic.

    The bulk loader of the engine, which is not atomic and needs a journal, loaded 100,000 records in 0.6 of the time
    (78 s and 130 s on 2 processors): docs/explanation/benchmarks.md, "One way to write".

    Args:
        engine: the engine that is changed.
        names: its index of names, which records what is on the disk.
    """

    def __init__(self, engine: Engine, names: NameIndex) -> None:
        self._engine: Engine | None = engine
        self._names = names
        self._unflushed = 0

    @property
    def _at_work(self) -> Engine:
        if self._engine is None:
            raise StoreDamaged("the store is closed")
        return self._engine

    def close(self) -> None:
        """Let go of the engine, so that its files are closed. Closing twice is no fault."""
        self._engine = None

    def carry_out(self, operations: Sequence[str]) -> None:
        """Carry out operations of SPARQL 1.1 Update as one request.

        Raises:
            StoreDamaged: they cannot be written; nothing of them is there.
        """
        request = " ;\n".join(operations)
        try:
            self._at_work.update(request)
        except (OSError, RuntimeError) as error:
            raise unwritable(error) from None
        self._unflushed += len(request)
        if self._unflushed >= _FLUSH:
            self.flush()

    def settle(self) -> None:
        """Bring to its end what a writer before has left half done: here nothing can be."""

    def flush(self) -> None:
        """Bring everything to the disk, and out of the engine's memory.

        Raises:
            StoreDamaged: it cannot be written.
        """
        try:
            self._at_work.flush()
        except (OSError, RuntimeError) as error:
            raise unwritable(error) from None
        self._names.flushed()
        self._unflushed = 0

    def reading_ahead(
        self,
        works: Collection[str] = (),  # noqa: ARG002 - an engine behind an endpoint needs them
        graphs: Collection[str] = (),  # noqa: ARG002
    ) -> AbstractContextManager[None]:
        """Announce lookups of these works and graphs within the block. The embedded engine needs no preparation."""
        return nullcontext()
