"""Differences between engines: the query for the union of all graphs, limits of requests, truncated answers.

docs/reference/remote.md lists these differences for users.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Any

from graph.errors import BadParameter
from graph.store.remote import endpoint
from graph.terms import iri
from ontology.iris import ID
from ontology.namespaces import DCTERMS

#: The graph with the state of a writer, and the graph in which a writer prepares data. Neither is in the union.
CONTROL = f"{ID}grafo/controle"
STAGING = f"{ID}grafo/preparo"
#: The prefix of the names of states; the name of the state of an endpoint that is being written.
STATES = f"{ID}estado/"
WRITING = f"{STATES}escrita"


class EngineName(StrEnum):
    """The supported and tested engines."""

    OXIGRAPH = "oxigraph"
    VIRTUOSO = "virtuoso"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The properties of an engine.

    Attributes:
        name: the engine.
        query_path, update_path: the path suffixes for queries and updates.
        is_atomic: whether a request with several operations is atomic.
        most: the maximum number of triples in a request.
        any_graph: the graph pattern that binds ``?g`` to the name of each graph.
        whole_path: the path suffix that returns all quads; None if they are fetched graph by graph.
        union: parameters of a request that make the union of all graphs the default graph.
        hidden: graphs of the engine itself, which are not part of the union.
        respell: converts its results in JSON to the standard form.
        doubts: whether queries with certain keywords are evaluated locally (engine.py).
    """

    name: EngineName
    query_path: str
    update_path: str
    is_atomic: bool
    most: int
    any_graph: str = "GRAPH ?g { ?s ?p ?o }"
    whole_path: str | None = None
    union: tuple[tuple[str, str], ...] = ()
    hidden: tuple[str, ...] = ()
    respell: Callable[[Any], Any] = endpoint.unchanged
    doubts: bool = False

    def state(self, state: str) -> str:
        """Return a query with one row if the endpoint is in a state, and none otherwise."""
        return f"SELECT (1 AS ?sim) WHERE {{ {self._state(state)} }}"

    def state_change_operations(self, gone: Iterable[str], come: Iterable[str]) -> list[str]:
        """Return the operations that change the state of an endpoint. They may be run twice.

        A state is an empty graph, which no query of triples finds. For Virtuoso it is a triple in a hidden graph.
        """
        if self.hidden:
            return [
                *(f"DELETE DATA {{ {self._state(state)} }}" for state in gone),
                *(f"INSERT DATA {{ {self._state(state)} }}" for state in come),
            ]
        return [
            *(f"DROP SILENT GRAPH {iri(state)}" for state in gone),
            *(f"CREATE SILENT GRAPH {iri(state)}" for state in come),
        ]

    def _state(self, state: str) -> str:
        if self.hidden:
            return f"GRAPH {iri(CONTROL)} {{ {iri(CONTROL)} {iri(DCTERMS['identifier'])} {iri(state)} }}"
        return f"GRAPH {iri(state)} {{}}"

    def all_states_query(self) -> str:
        """Return a query that binds ``?estado`` to each state of the endpoint."""
        if self.hidden:
            pattern = f"GRAPH {iri(CONTROL)} {{ {iri(CONTROL)} {iri(DCTERMS['identifier'])} ?estado }}"
        else:
            pattern = f'GRAPH ?estado {{}} FILTER (STRSTARTS(STR(?estado), "{STATES}"))'
        return f"SELECT ?estado WHERE {{ {pattern} }}"

    def written(self, query: str) -> str:
        """Return a query in the form that this engine accepts; it does not read hidden graphs."""
        if not self.hidden:
            return query
        hiding = "".join(
            f"define input:{kind}-graph-exclude {iri(graph)} " for graph in self.hidden for kind in ("default", "named")
        )
        number = count()
        return hiding + _NAMED_GRAPH.sub(lambda match: _by_variable(match, number), query)


# Matches ``GRAPH`` with a name. Strings, comments and IRIs are matched first, so that their content is not changed.
_NAMED_GRAPH = re.compile(
    r"""(?P<left><[^<>"{}|^`\\\s]*>|"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\#[^\n]*)"""
    r"""|\bGRAPH\s+(?P<graph><[^<>"{}|^`\\\s]*>|[\w.-]*:[\w.%-]+)""",
    re.IGNORECASE | re.DOTALL,
)


def _by_variable(match: re.Match[str], number: Iterator[int]) -> str:
    """Return ``GRAPH`` with a variable and a filter: Virtuoso finds nothing in a hidden graph by its name."""
    if match["graph"] is None:
        return match[0]
    variable = f"?grafo_{next(number)}"
    return f"FILTER ({variable} = {match['graph']}) GRAPH {variable}"


OXIGRAPH = Dialect(
    EngineName.OXIGRAPH,
    "/query",
    "/update",
    is_atomic=True,
    most=10_000,
    any_graph="GRAPH ?g {}",
    whole_path="/store",
    union=(("union-default-graph", "true"),),
)
VIRTUOSO = Dialect(
    EngineName.VIRTUOSO,
    "/sparql",
    "/sparql-auth",
    is_atomic=False,
    most=1_000,
    hidden=(
        "http://www.openlinksw.com/schemas/virtrdf#",
        "http://www.w3.org/ns/ldp#",
        "http://localuriqaserver/sparql",
        CONTROL,
        STAGING,
    ),
    respell=endpoint.standardise_virtuoso,
    doubts=True,
)
DIALECTS = {dialect.name: dialect for dialect in (OXIGRAPH, VIRTUOSO)}


def dialect_of(server: str, engine: str | None) -> Dialect:
    """Return the dialect of an endpoint.

    Args:
        server: the ``Server`` field of its answers (RFC 9110, section 10.2.4).
        engine: the engine's name in the settings; None if it is not set.

    Raises:
        BadParameter: neither names a supported engine.
    """
    name = (engine or server.partition("/")[0]).strip().lower()
    for dialect in DIALECTS.values():
        if dialect.name == name:
            return dialect
    known = " or ".join(DIALECTS)
    raise BadParameter(
        f"expected an endpoint of {known}, got the Server field {server or ''!r}; if a proxy hides the engine, "
        f"set VIGENTE_ENDPOINT_ENGINE"
    )
