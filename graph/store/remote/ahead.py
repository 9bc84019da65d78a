"""Prefetching: data that a derivation will look up for many works are fetched in a few requests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice

import pyoxigraph as ox

from graph.patterns import DECISIVE
from ontology.namespaces import VIG

#: The properties by which a derivation looks for what points at a node.
_POINTING = frozenset({*DECISIVE, VIG["periodoDe"], VIG["periodoNaNorma"]})
#: How many nodes a request names.
_AT_ONCE = 200
#: Steps from a work to the data that decide its periods: its versions and events, then the norms that caused them.
_STEPS = 2


class Ahead:
    """What is said of some nodes, and what points at some works, as it stood when it was read.

    Args:
        ask: gives the quads of a pattern in which ``?s ?p ?o`` stand in the graph ``?g``.
        pointed_at: gives those ``?o`` of a pattern at which anything points.
        works: IRIs; the data that decide their periods are read too.
        graphs: graphs of records, whose descriptions of themselves are read.
    """

    def __init__(
        self,
        ask: Callable[[str], Iterable[ox.Quad]],
        pointed_at: Callable[[str], Iterable[str]],
        works: Collection[str] = (),
        graphs: Collection[str] = (),
    ) -> None:
        self._ask = ask
        self._alone: set[str] = set()
        self._graphs = frozenset(graphs)
        self._of: dict[str, list[ox.Quad]] = {}
        self._at: dict[str, list[ox.Quad]] = {}
        self._read_of(graphs)
        near = set(works)
        for some in _batches(near):
            self._alone.update({*some}.difference(pointed_at(f"VALUES ?o {{ {_named(some)} }}")))
        for _ in range(_STEPS):
            self._read_at(work for work in near if work.startswith("urn:lex:"))
            near |= {node for one in near for quad in self._at.get(one, ()) for node in _node(quad.subject)}
            self._read_of(near)
            near |= {
                node
                for one in near
                for quad in self._of.get(one, ())
                if quad.predicate.value in _POINTING
                for node in _node(quad.object)
            }
        self._read_of(near)

    def found(
        self, subject: object, predicate: ox.NamedNode | None, target: object, graph: object
    ) -> Iterator[ox.Quad] | None:
        """Return the quads of a pattern; None if they were not fetched."""
        if isinstance(subject, ox.NamedNode):
            known = self._of.get(subject.value)
        elif isinstance(target, ox.NamedNode) and target.value in self._alone:
            known = []
        elif isinstance(target, ox.NamedNode) and predicate is not None and predicate.value in _POINTING:
            known = self._at.get(target.value)
        else:
            known = None
        if known is None:
            return None
        return (
            quad
            for quad in known
            if (predicate is None or quad.predicate == predicate)
            and (target is None or quad.object == target)
            and (graph is None or quad.graph_name == graph)
        )

    def has_graph(self, name: str) -> bool | None:
        """Return whether the graph of a record exists; None if that was not fetched."""
        if name not in self._graphs:
            return None
        graph = ox.NamedNode(name)
        return any(each.graph_name == graph for each in self._of[name])

    def _read_of(self, nodes: Iterable[str]) -> None:
        for some in _batches(node for node in nodes if node not in self._of):
            self._of.update({node: [] for node in some})
            for quad in self._ask(f"VALUES ?s {{ {_named(some)} }} GRAPH ?g {{ ?s ?p ?o }}"):
                assert isinstance(quad.subject, ox.NamedNode)  # noqa: S101 - it was named
                self._of[quad.subject.value].append(quad)

    def _read_at(self, nodes: Iterable[str]) -> None:
        # A second list, of the properties, would have Oxigraph read the whole store for each request: it joins the two
        # lists first, and then takes every quad for a candidate.
        properties = ", ".join(str(ox.NamedNode(name)) for name in sorted(_POINTING))
        for some in _batches(node for node in nodes if node not in self._at):
            self._at.update({node: [] for node in some})
            for quad in self._ask(
                f"VALUES ?o {{ {_named(some)} }} GRAPH ?g {{ ?s ?p ?o }} FILTER (?p IN ({properties}))"
            ):
                assert isinstance(quad.object, ox.NamedNode)  # noqa: S101 - it was named
                self._at[quad.object.value].append(quad)


def _batches(nodes: Iterable[str]) -> Iterator[list[str]]:
    left = iter(sorted(nodes))
    while some := list(islice(left, _AT_ONCE)):
        yield some


def _node(term: object) -> Iterator[str]:
    if isinstance(term, ox.NamedNode):
        yield term.value


def _named(nodes: Iterable[str]) -> str:
    return " ".join(str(ox.NamedNode(node)) for node in nodes)
