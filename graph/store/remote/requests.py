"""Splits operations into requests of a limited number of triples; a graph stays in one request if it fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

import pyoxigraph as ox

from graph.store.blocks import graph_block

_DROP = re.compile(r"DROP SILENT GRAPH (<[^>]*>)")
_DATA = re.compile(r"(INSERT|DELETE) DATA \{\s*(.*)\}", re.DOTALL)


def parsed(operation: str) -> tuple[str, list[ox.Quad]] | tuple[str, str]:
    """An operation of graph/store: ``DROP`` and a graph, or ``INSERT`` or ``DELETE`` and quads.

    Raises:
        ValueError: it is none of these.
    """
    if found := _DROP.fullmatch(operation):
        return "DROP", found[1][1:-1]
    if found := _DATA.fullmatch(operation):
        return found[1], list(ox.parse(found[2], ox.RdfFormat.TRIG, lenient=True))
    raise ValueError(f"expected DROP SILENT GRAPH, INSERT DATA or DELETE DATA, got {operation[:80]!r}")


def inserts(quads: Iterable[ox.Quad], most: int) -> Iterator[str]:
    """Yield requests that write quads, which are sorted by graph."""
    return _requests("INSERT", quads, most)


def deletes(quads: Iterable[ox.Quad], most: int) -> Iterator[str]:
    """Requests that take quads away."""
    return _requests("DELETE", quads, most)


def _requests(verb: str, quads: Iterable[ox.Quad], most: int) -> Iterator[str]:
    blocks: list[str] = []
    room = most
    for graph, lines in _pieces(quads, most):
        if len(lines) > room and blocks:
            yield f"{verb} DATA {{\n{''.join(blocks)}}}"
            blocks, room = [], most
        blocks.append(graph_block(graph, "".join(f"{line}\n" for line in lines)))
        room -= len(lines)
    if blocks:
        yield f"{verb} DATA {{\n{''.join(blocks)}}}"


def _pieces(quads: Iterable[ox.Quad], most: int) -> Iterator[tuple[str, list[str]]]:
    """Graph by graph, no piece longer than a request."""
    for graph, each in groupby(quads, lambda quad: quad.graph_name):
        assert isinstance(graph, ox.NamedNode)  # noqa: S101 - everything is said in a named graph
        lines: list[str] = []
        for quad in each:
            lines.append(f"{quad.triple} .")
            if len(lines) == most:
                yield graph.value, lines
                lines = []
        if lines:
            yield graph.value, lines
