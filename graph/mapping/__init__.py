"""From entities to RDF: the only place that knows which terms say what. Entities in, N-Triples text out.

FRBRoo 2.4 and CIDOC CRM carry the levels of LexML part 1 (works, versions, texts, copies, events); ELI classes stand
beside them for readers of ELI; what neither has is in our own few terms (ontology/vigente.ttl). docs/reference/graph.md
shows the whole with an example.
"""

from __future__ import annotations

from graph.mapping.documents import RELATION_PROPERTIES
from graph.mapping.index_entries import IndexEntries
from graph.mapping.records import Mapped, map_record, mapped, placed

__all__ = ["RELATION_PROPERTIES", "IndexEntries", "Mapped", "map_record", "mapped", "placed"]
