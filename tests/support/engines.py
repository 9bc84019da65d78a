"""The embedded engine itself, for tests that write quads that no loader would write."""

from __future__ import annotations

import pyoxigraph as ox

from graph.store import Store


def embedded(store: Store) -> ox.Store:
    """Return the engine of an embedded store."""
    assert isinstance(store.engine, ox.Store)
    return store.engine
