"""Writes to the graph behind an endpoint: a transaction is one request, and each change sets a new state.

An index of names is valid for exactly one state of the endpoint.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from uuid import uuid4

from graph.errors import StoreDamaged, unwritable_store_error
from graph.store.embedded import Transactions
from graph.store.journal import sync_to_disk
from graph.store.names import NameIndex
from graph.store.remote.engine import RemoteEngine
from graph.store.remote.probe import STATES

#: The file in the folder.
REVISION = "revision.json"


class Revision:
    """The states in which the endpoint may be: one, or two during a change.

    Attributes:
        known: their names, the older one first; empty if no state was recorded.

    Raises:
        StoreDamaged: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known: tuple[str, ...] = ()
        try:
            self.known = tuple(map(str, json.loads(path.read_bytes())["states"]))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreDamaged(f"{path} cannot be read: {error!r}; delete it; the index is then rebuilt") from None

    def new_state(self) -> str:
        """Return a new state for the endpoint. It is recorded on the disk when this returns."""
        new = f"{STATES}{uuid4().hex}"
        self._write((*self.known[-1:], new))
        return new

    def record_state(self, state: str) -> None:
        """Record the state of the endpoint."""
        self._write((state,))

    def _write(self, states: tuple[str, ...]) -> None:
        new = self._path.with_suffix(".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                json.dump({"states": states}, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
            sync_to_disk(self._path.parent)
        except OSError as error:
            raise unwritable_store_error(error) from None
        self.known = states


class RemoteTransactions(Transactions):
    """Changes the graph behind an endpoint; each call is atomic.

    Args:
        engine: the engine of the endpoint.
        names: the index of names of the folder.
        revision: the recorded state of the endpoint.
    """

    def __init__(self, engine: RemoteEngine, names: NameIndex, revision: Revision) -> None:
        super().__init__(engine, names)
        self._remote = engine
        self._revision = revision

    def close(self) -> None:
        """Close the connections."""
        super().close()
        self._remote.endpoint.close()

    def carry_out(self, operations: Sequence[str]) -> None:
        """As :meth:`Transactions.carry_out`, with a new state of the endpoint.

        Raises:
            EndpointProblem: the endpoint cannot be reached.
        """
        new = self._revision.new_state()
        gone = [state for state in self._revision.known if state.startswith(STATES) and state != new]
        self._remote.update(" ;\n".join((*operations, *self._remote.properties.state_operations(gone, new))))
        self._revision.record_state(new)

    def flush(self) -> None:
        """Record the changes as flushed in the index: an endpoint answers an update once it has stored it."""
        self._names.mark_flushed()

    def prefetching(self, works: Collection[str] = (), graphs: Collection[str] = ()) -> AbstractContextManager[None]:
        """As :meth:`Transactions.prefetching`: the data of these lookups are fetched in a few requests instead of
        one each."""
        return self._remote.prefetching(works, graphs)
