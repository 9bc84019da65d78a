"""Lines of named graphs as the engine takes them: TriG, which is SPARQL's own form too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyoxigraph as ox

from graph.mapping import Mapped
from graph.store.engine import Engine
from graph.terms import iri
from ontology.iris import DERIVED_GRAPH


def graph_block(graph: str, lines: str) -> str:
    """Lines of a named graph, as both SPARQL and TriG write them."""
    return f"GRAPH {iri(graph)} {{\n{lines}}}\n"


def derived_block(lines: Iterable[str]) -> str:
    """Lines of the derived graph, without their ends."""
    return graph_block(DERIVED_GRAPH, "".join(f"{line}\n" for line in sorted(lines)))


def blocks_of(new: Iterable[Mapped], come: Iterable[str]) -> Iterator[str]:
    """The lines of records, and lines of the derived graph."""
    yield from (graph_block(one.graph, one.lines) for one in new)
    yield derived_block(come)


def write_blocks(blocks: Iterable[str], file: Path | None) -> Path | bytes:
    """Blocks ready to be loaded: what is loaded at once lies in memory only in the engine.

    Args:
        file: where they are written; None for little, which needs no file.

    Raises:
        OSError: the file cannot be written.
    """
    if file is None:
        return "".join(blocks).encode()
    try:
        with file.open("w", encoding="utf-8", newline="") as output:
            output.writelines(blocks)
    except OSError:
        file.unlink(missing_ok=True)  # a full disk has better uses
        raise
    return file


def append_blocks(blocks: Iterable[str], file: Path, size: int) -> int:
    """Blocks behind others in a file, of which so many bytes count; how many count then.

    Raises:
        OSError: the file cannot be written; as many bytes of it count as before.
    """
    with file.open("ab") as output:
        output.truncate(size)
        for block in blocks:
            output.write(block.encode())
        return output.tell()


def load_blocks(engine: Engine, blocks: Path | bytes) -> None:
    """Load blocks by the engine's bulk loader: fast, and in part when the process is killed meanwhile.

    What was written by :mod:`graph.terms` is not checked a second time. A file is taken away.

    Raises:
        OSError: the engine's own files cannot be written.
    """
    if isinstance(blocks, bytes):
        engine.bulk_load(blocks, ox.RdfFormat.TRIG, lenient=True)
        return
    try:
        engine.bulk_load(path=str(blocks), format=ox.RdfFormat.TRIG, lenient=True)
    finally:
        blocks.unlink(missing_ok=True)
