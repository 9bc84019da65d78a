"""The store: what holds the graph. One process writes, any number read the last published snapshot.

>>> store = in_memory()
>>> store.is_empty
True
"""

from graph.store.embedded import Store
from graph.store.folder import holding, open_snapshot
from graph.store.opening import open_for_reading as open  # noqa: A004 - `graph.store.open` is the promised name
from graph.store.opening import open_for_writing, open_published
from graph.store.remote.folder import endpoint_of
from graph.store.remote.folder import is_beside as is_beside_an_endpoint
from graph.store.remote.serving import following as following_endpoint
from graph.store.writable import Applied, WritableStore, in_memory

__all__ = [
    "Applied",
    "Store",
    "WritableStore",
    "endpoint_of",
    "following_endpoint",
    "holding",
    "in_memory",
    "is_beside_an_endpoint",
    "open",
    "open_for_writing",
    "open_published",
    "open_snapshot",
]
