"""The store of the graph. One process writes; any number of processes read the last published snapshot.

>>> store = in_memory()
>>> store.is_empty
True
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graph.store import folder as embedded
from graph.store.embedded import Store
from graph.store.folder import holding, open_snapshot
from graph.store.remote import folder as remote
from graph.store.remote.folder import endpoint_of
from graph.store.remote.folder import has_endpoint as is_remote
from graph.store.remote.folder import publish_index_copies as following_endpoint
from graph.store.writable import BatchResult, WritableStore, in_memory

__all__ = [
    "BatchResult",
    "Store",
    "WritableStore",
    "endpoint_of",
    "following_endpoint",
    "holding",
    "in_memory",
    "is_remote",
    "open",
    "open_for_writing",
    "open_published",
    "open_snapshot",
]


# Opens a store by its folder, with its graph in the folder or behind an endpoint.


def open(path: str | Path) -> Store:  # noqa: A001 - `graph.store.open` is the promised name
    """Open a store for reading: the last published state of a folder's graph, or the graph behind its endpoint.

    Raises:
        StoreProblem: as :func:`graph.store.folder.open_for_reading`; for an endpoint, as
            :func:`graph.store.remote.folder.open_for_reading`.
    """
    folder = Path(path)
    return remote.open_for_reading(folder) if remote.has_endpoint(folder) else embedded.open_for_reading(folder)


def open_published(path: str | Path) -> Store:
    """Open a store for a service: a published snapshot, or the graph behind the endpoint.

    This function never writes, and never waits for a writer.

    Raises:
        StoreProblem: as :func:`open`, and StoreDamaged if nothing was published.
    """
    folder = Path(path)
    return remote.open_published(folder) if remote.has_endpoint(folder) else embedded.open_for_reading(folder)


@contextmanager
def open_for_writing(path: str | Path, *, create: bool = False) -> Iterator[WritableStore]:
    """Open a store for writing, which one process at a time may do.

    Args:
        path: the folder.
        create: make an embedded store if the folder is empty or does not exist.

    Raises:
        StoreProblem: as :func:`graph.store.folder.open_for_writing`; for an endpoint, as
            :func:`graph.store.remote.folder.open_for_writing`.
    """
    folder = Path(path)
    if remote.has_endpoint(folder):
        with remote.open_for_writing(folder) as store:
            yield store
    else:
        with embedded.open_for_writing(folder, create=create) as store:
            yield store
