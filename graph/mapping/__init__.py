"""Maps entities to RDF. The input is entities; the output is N-Triples text.

Only this package chooses the RDF terms of records. Those of derived triples are in :mod:`graph.store.derivation`.

FRBRoo 2.4 and CIDOC CRM describe the levels of LexML part 1 (works, versions, texts, copies, events). ELI classes are
added for readers of ELI. The terms of Vigente (ontology/vigente.ttl) cover the rest. docs/reference/graph.md has the
complete mapping with an example.
"""

from __future__ import annotations

from graph.mapping.documents import RELATION_PROPERTIES
from graph.mapping.records import Arriving, MappedRecord, map_record, mapped, placed

__all__ = ["RELATION_PROPERTIES", "Arriving", "MappedRecord", "map_record", "mapped", "placed"]
