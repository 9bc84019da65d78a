"""What a store knows of records as such: whether one is there, whether it is withdrawn, what brought it."""

from __future__ import annotations

import pyoxigraph as ox

from graph.store.arriving import living, place_of
from graph.store.embedded import Store, telling_damage
from graph.terms import Cell, iri, read
from ontology.namespaces import PROV, VIG

_DATESTAMP = ox.NamedNode(VIG["datestamp"])
_GENERATED = ox.NamedNode(PROV["wasGeneratedBy"])
_TOMBSTONE = ox.NamedNode(VIG["lapide"])


class RecordsStore(Store):
    """A graph that can be asked about its records, each in a named graph of its own."""

    def has_graph(self, record: str) -> bool:
        """Whether the store has the named graph of a record."""
        return self.engine.contains_named_graph(ox.NamedNode(iri(record)[1:-1]))

    def literal_in(self, subject: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> Cell:
        """One value of a property as one graph says it; None where it says none."""
        quad = next(iter(self.engine.quads_for_pattern(subject, predicate, None, graph)), None)
        return None if quad is None else read(quad.object)

    def holds(self, record: str, provider: str, identifier: str) -> bool:
        """Whether there is anything of a record of a provider, a tombstone too; arguments as for :func:`place_of`."""
        with telling_damage():
            return self.has_graph(place_of(self.engine, record, provider, identifier))

    def lives(self, record: str, provider: str, identifier: str) -> bool:
        """Whether there is a record of a provider that is not withdrawn; arguments as for :func:`place_of`."""
        with telling_damage():
            place = place_of(self.engine, record, provider, identifier)
            graph = ox.NamedNode(iri(place)[1:-1])
            return self.has_graph(place) and self.literal_in(graph, _TOMBSTONE, graph) is None

    def brought(self, run: str) -> bool:
        """Whether any record, a tombstone too, came by a harvest run."""
        with telling_damage():
            found = self.engine.quads_for_pattern(None, _GENERATED, ox.NamedNode(run), None)
            return next(iter(found), None) is not None

    def datestamps(self) -> set[str]:
        """The datestamps of all records, as they are written."""
        if isinstance(self.engine, ox.Store):  # it compares terms without reading them
            return {str(row["d"]) for row in self.select(f"SELECT DISTINCT ?d WHERE {{ ?r {_DATESTAMP} ?d }}")}
        return {str(read(quad.object)) for quad in self.engine.quads_for_pattern(None, _DATESTAMP, None, None)}

    def living(self, provider: str, set_: str | None) -> list[str]:
        """The identifiers of a provider's records that harvests of a set (or of everything) brought and left alive."""
        with telling_damage():
            return living(self.engine, provider, set_)
