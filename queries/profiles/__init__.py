"""The graph in other vocabularies: Akoma Ntoso, LRMoo, ELI and schema.org.

Each is a CONSTRUCT query that is run record by record.

The statements of one record are projected from its own graph alone. Memory therefore does not grow with the store, and
the provenance is kept. Of the derived graph only the derivation of versions is projected, by profiles that have a term
for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

import pyoxigraph as ox

from graph.errors import BadParameter
from graph.store import Store
from graph.store.derivation import DERIVES
from ontology.iris import DERIVED_GRAPH
from queries.catalogue import Query, read

__all__ = ["profiles", "projected"]

_DERIVED = ox.NamedNode(DERIVED_GRAPH)


@cache
def profiles() -> Mapping[str, Query]:
    """Return the queries by the name of their profile, sorted."""
    entries = (entry for entry in files("queries").joinpath("profiles").iterdir() if entry.name.endswith(".rq"))
    texts = sorted((entry.name.removesuffix(".rq"), entry.read_text(encoding="utf-8")) for entry in entries)
    return {name: read(name, text) for name, text in texts}


def projected(store: Store, profile: str) -> Iterator[ox.Quad]:
    """Yield the whole graph in another vocabulary, each statement in the graph of its record.

    Raises:
        BadParameter: there is no such profile.
        StoreDamaged: the store cannot be read.
    """
    query = profiles().get(profile)
    if query is None:
        raise BadParameter(f"expected a profile {', '.join(profiles())}, got {profile!r}")
    return _projected(store, query.text)


def _projected(store: Store, query: str) -> Iterator[ox.Quad]:
    for graph in store.graphs():
        if graph != _DERIVED or DERIVES.value.rpartition("/")[2] in query:
            for triple in store.construct(query, graph):
                yield ox.Quad(triple.subject, triple.predicate, triple.object, graph)
