"""Opens a store by its folder, whether its graph is in the folder or behind an endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graph.store import folder as embedded
from graph.store.embedded import Store
from graph.store.remote import folder as remote
from graph.store.remote import serving
from graph.store.writable import WritableStore


def open_for_reading(path: str | Path) -> Store:
    """Open a store for reading: the last published state of a folder's graph, or the graph behind its endpoint.

    Raises:
        StoreProblem: as the function of that name in folder.py, and in remote/folder.py.
    """
    folder = Path(path)
    return remote.open_for_reading(folder) if remote.is_beside(folder) else embedded.open_for_reading(folder)


def open_published(path: str | Path) -> Store:
    """Open a store for a service: a published snapshot, or the graph behind the endpoint. Writes and waits for nothing.

    Raises:
        StoreProblem: as :func:`open_for_reading`, and StoreDamaged where nothing was published.
    """
    folder = Path(path)
    return serving.open_published(folder) if remote.is_beside(folder) else embedded.open_for_reading(folder)


@contextmanager
def open_for_writing(path: str | Path, *, create: bool = False) -> Iterator[WritableStore]:
    """What can be written, for the one process that may.

    Args:
        path: the folder.
        create: make an embedded store where there is nothing, or an empty folder.

    Raises:
        StoreProblem: as the function of that name in folder.py, and in remote/folder.py.
    """
    folder = Path(path)
    if remote.is_beside(folder):
        with remote.open_for_writing(folder) as store:
            yield store
    else:
        with embedded.open_for_writing(folder, create=create) as store:
            yield store
