"""The store of the graph. One process writes; any number of processes read the last published snapshot.

>>> from graph.store import in_memory
>>> store = in_memory()
>>> store.is_empty
True
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.store import folder as embedded
from graph.store.embedded import Store
from graph.store.folder import has_endpoint as is_remote
from graph.store.folder import holding, open_snapshot
from graph.store.journal import BatchResult

if TYPE_CHECKING:
    from graph.store.writable import WritableStore, in_memory

__all__ = [
    "BatchResult",
    "Store",
    "WritableStore",
    "holding",
    "in_memory",
    "is_remote",
    "open",
    "open_for_writing",
    "open_published",
    "open_snapshot",
]


def __getattr__(name: str) -> Any:
    """Import what only a writer needs when it is used: a question of the command line is answered without it."""
    if name in {"WritableStore", "in_memory"}:
        from graph.store import writable  # noqa: PLC0415 - see above

        return getattr(writable, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Opens a store by its folder, with its graph in the folder or behind an endpoint.


def open(path: str | Path) -> Store:  # noqa: A001 - `graph.store.open` is the promised name
    """Open a store for reading: the last published state of a folder's graph, or the graph behind its endpoint.

    Raises:
        StoreProblem: as :func:`graph.store.folder.open_for_reading`; for an endpoint, as
            :func:`graph.store.remote.folder.open_for_reading`.
    """
    folder = Path(path)
    if is_remote(folder):
        from graph.store.remote import folder as remote  # noqa: PLC0415 - slow to import; most stores have no endpoint

        return remote.open_for_reading(folder)
    return embedded.open_for_reading(folder)


def open_published(path: str | Path) -> Store:
    """Open a store for a service: a published snapshot, or the graph behind the endpoint.

    This function never writes, and never waits for a writer.

    Raises:
        StoreProblem: as :func:`open`, and StoreDamaged if nothing was published.
    """
    folder = Path(path)
    if is_remote(folder):
        from graph.store.remote import folder as remote  # noqa: PLC0415 - slow to import; most stores have no endpoint

        return remote.open_published(folder)
    return embedded.open_for_reading(folder)


@contextmanager
def open_for_writing(path: str | Path, *, create: bool = False) -> Iterator[WritableStore]:
    """Open a store for writing, which one process at a time may do.

    Args:
        path: the folder.
        create: make an embedded store if the folder is empty or does not exist.

    Raises:
        StoreProblem: as :func:`graph.store.writing.open_for_writing`; for an endpoint, as
            :func:`graph.store.remote.folder.open_for_writing`.
    """
    folder = Path(path)
    if is_remote(folder):
        from graph.store.remote import folder as remote  # noqa: PLC0415 - slow to import; most stores have no endpoint

        with remote.open_for_writing(folder) as store:
            yield store
    else:
        from graph.store import writing  # noqa: PLC0415 - slow to import; a reader does not need it

        with writing.open_for_writing(folder, create=create) as store:
            yield store
