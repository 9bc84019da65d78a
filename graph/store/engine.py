"""The interface of a store's engine, embedded or remote, and the serialisation of named graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Protocol, TypeAlias

import pyoxigraph as ox

from graph.terms import iri
from ontology.iris import DERIVED_GRAPH

# Serialises named graphs in a syntax that both TriG and SPARQL Update accept.


def graph_block(graph: str, lines: str) -> str:
    """Return a named graph in the syntax of both SPARQL and TriG. ``lines`` must end with line feeds."""
    return f"GRAPH {iri(graph)} {{\n{lines}}}\n"


def derived_block(lines: Iterable[str]) -> str:
    """Return the derived graph in that syntax, with sorted lines; ``lines`` must have no line feeds."""
    return graph_block(DERIVED_GRAPH, "".join(f"{line}\n" for line in sorted(lines)))


# The protocol of an engine. The embedded engine implements it directly; graph/store/remote implements it for endpoints.


#: The answer of an engine to a query.
Answer: TypeAlias = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples
#: The values of a variable.
Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_Graph: TypeAlias = ox.NamedNode | ox.BlankNode | ox.DefaultGraph


class Engine(Protocol):
    """A set of quads for reading and writing, with the methods of :class:`pyoxigraph.Store`.

    Errors are those of that class: SyntaxError and ValueError for a query that cannot be answered, OSError and
    RuntimeError if quads cannot be read or written. A remote engine raises those of :mod:`graph.errors`.
    """

    def __len__(self) -> int:
        """Return the number of quads."""
        ...

    def __iter__(self) -> Iterator[ox.Quad]:
        """Yield every quad."""
        ...

    def __contains__(self, quad: ox.Quad, /) -> bool:
        """Return whether there is this quad."""
        ...

    def query(
        self,
        query: str,
        /,
        *,
        base_iri: str | None = None,
        use_default_graph_as_union: bool = False,
        default_graph: list[_Graph] | None = None,
        named_graphs: list[ox.NamedNode | ox.BlankNode] | None = None,
        substitutions: dict[ox.Variable, Term] | None = None,
    ) -> Answer:
        """Return the answer to a query. Substituted variables must be in the projection."""
        ...

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | ox.BlankNode | ox.Triple | None,
        predicate: ox.NamedNode | None,
        object: Term | None,  # noqa: A002 - as the engine calls it
        graph_name: _Graph | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Yield each quad with these terms; None matches any term."""
        ...

    def named_graphs(self) -> Iterator[ox.NamedNode | ox.BlankNode]:
        """Yield the names of all graphs."""
        ...

    def contains_named_graph(self, graph_name: ox.NamedNode, /) -> bool:
        """Return whether there is a graph of that name."""
        ...

    def dump(
        self,
        output: IO[bytes],
        format: ox.RdfFormat,  # noqa: A002 - as the engine calls it
        /,
        *,
        from_graph: ox.NamedNode | None = None,
        prefixes: dict[str, str] | None = None,
    ) -> bytes | None:
        """Write all quads, or the triples of one graph."""
        ...

    def update(self, update: str, /) -> None:
        """Run the operations of an update request."""
        ...

    def flush(self) -> None:
        """Sync everything to the disk."""
        ...

    def optimize(self) -> None:
        """Rewrite the files, for faster lookups."""
        ...
