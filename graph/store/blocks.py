"""Lines of named graphs as the engine takes them: TriG, which is SPARQL's own form too."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox

from graph.terms import iri
from ontology.iris import DERIVED_GRAPH

__all__ = ["derived_block", "graph_block", "load_blocks"]


def graph_block(graph: str, lines: str) -> str:
    """Lines of a named graph, as both SPARQL and TriG write them."""
    return f"GRAPH {iri(graph)} {{\n{lines}}}\n"


def derived_block(lines: Iterable[str]) -> str:
    """Lines of the derived graph, without their ends."""
    return graph_block(DERIVED_GRAPH, "".join(f"{line}\n" for line in sorted(lines)))


def load_blocks(engine: ox.Store, blocks: Iterable[str], file: Path | None) -> None:
    """Load blocks by the engine's bulk loader: fast, and in part when the process is killed meanwhile.

    What was written by :mod:`graph.terms` is not checked a second time.

    Args:
        file: where they are written first, and taken away again: what is loaded at once lies in memory only in the
            engine. None for little, which needs no file.

    Raises:
        OSError: the file, or the engine's own, cannot be written.
    """
    if file is None:
        engine.bulk_load("".join(blocks).encode(), ox.RdfFormat.TRIG, lenient=True)
        return
    try:
        with file.open("w", encoding="utf-8", newline="") as output:
            output.writelines(blocks)
        engine.bulk_load(path=str(file), format=ox.RdfFormat.TRIG, lenient=True)
    finally:
        file.unlink(missing_ok=True)
