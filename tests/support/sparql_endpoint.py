"""An endpoint on loopback for tests, with four triples in three named graphs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pyoxigraph as ox

from graph.store import open_for_writing
from service.web.settings import Limits, Settings
from tests.support.engines import embedded
from tests.support.web import serving

EX = "http://example.org/"
#: Graph, subject and value; the property of all is ``http://example.org/p``.
STATEMENTS = (("g1", "a", "um"), ("g1", "b", "dois"), ("g2", "a", "três"), ("g3", "a", "um"))


def filled(folder: Path) -> Path:
    """Make a store with the statements and an old time of publication; return its folder."""
    with open_for_writing(folder, create=True) as store:
        for graph, subject, value in STATEMENTS:
            terms = ox.NamedNode(EX + subject), ox.NamedNode(EX + "p"), ox.Literal(value)
            embedded(store).add(ox.Quad(*terms, ox.NamedNode(EX + graph)))
        store.changed = True
    os.utime(folder / "current", (1e9, 1e9), follow_symlinks=False)
    return folder


@contextmanager
def asking(folder: Path, limits: Limits | None = None) -> Iterator[httpx.Client]:
    """Yield an HTTP client whose base URL is a service over the store in a folder."""
    with (
        serving(Settings(folder, limits=limits or Limits())) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        client.headers["Accept-Encoding"] = "identity"
        yield client
