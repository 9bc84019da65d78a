"""Lines of named graphs as the engine takes them: TriG, which is SPARQL's own form too."""

from __future__ import annotations

from collections.abc import Iterable

from graph.terms import iri
from ontology.iris import DERIVED_GRAPH


def graph_block(graph: str, lines: str) -> str:
    """Lines of a named graph, as both SPARQL and TriG write them."""
    return f"GRAPH {iri(graph)} {{\n{lines}}}\n"


def derived_block(lines: Iterable[str]) -> str:
    """Lines of the derived graph, without their ends."""
    return graph_block(DERIVED_GRAPH, "".join(f"{line}\n" for line in sorted(lines)))
