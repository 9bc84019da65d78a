"""The properties of the engine behind an endpoint, found by a probe when a folder is connected to it.

The engine must answer SPARQL 1.1 queries over the union of all graphs and over named graphs, with whole answers, typed
values and dates. To be written to, its requests must be atomic: the operator says so (``--atomic``), and the probe
tests it with a graph of its own, which it drops. docs/reference/remote.md describes the probe for users.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pyoxigraph as ox

from graph.errors import BadParameter, BadQuery, EndpointProblem, NotAStore
from graph.store.remote.endpoint import (
    TABLE,
    AnswerCut,
    Credentials,
    Endpoint,
    Limits,
    RequestRefused,
    parse_results,
)
from graph.terms import iri
from ontology.iris import ID
from ontology.namespaces import DCTERMS, XSD

#: The graph with the state of an endpoint, where the engine does not keep empty graphs.
CONTROL = f"{ID}grafo/controle"
#: The prefix of the names of states.
STATES = f"{ID}estado/"
#: The suffixes of addresses for queries that are tried, in this order.
_PATHS = ("", "/query", "/sparql")
#: The request parameters that may make the union of all graphs the default graph, in the order in which they are tried.
_UNIONS: tuple[tuple[tuple[str, str], ...], ...] = ((), (("union-default-graph", "true"),))
#: Graphs that Virtuoso keeps for itself. It can exclude graphs from a query by a clause of its own.
OWN_GRAPHS = (
    "http://www.openlinksw.com/schemas/virtrdf#",
    "http://www.w3.org/ns/ldp#",
    "http://localuriqaserver/sparql",
)
#: ``GRAPH`` with a name. Strings, comments and IRIs are matched first, so that their content is not changed.
_NAMED_GRAPH = re.compile(
    r"""(?P<left><[^<>"{}|^`\\\s]*>|"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\#[^\n]*)"""
    r"""|\bGRAPH\s+(?P<graph><[^<>"{}|^`\\\s]*>|[\w.-]*:[\w.%-]+)""",
    re.IGNORECASE | re.DOTALL,
)
#: The number of triples with which the probe tests for truncated answers.
_MANY = 20_000
#: Raised where the engine was reached and does not carry out a request. Any other error ends the probe.
_REFUSALS = (BadQuery, RequestRefused, AnswerCut)
_RECIPE = "docs/reference/remote.md, “Bulk loaders of the engines”"


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties of the engine of an endpoint.

    Attributes:
        query_url: the address for queries.
        update_url: the address for updates; None if the endpoint is only read.
        dump_url: the address that returns all quads; None if they are fetched graph by graph.
        union: parameters of a request that make the union of all graphs the default graph.
        hidden: graphs of the engine itself, which are excluded from every query.
        is_standard: whether it computes booleans, dates and joins as the embedded engine does. If not, queries with
            certain keywords are evaluated on fetched triples (engine.py).
        keeps_empty_graphs: whether an empty graph exists once it was created.
    """

    query_url: str
    update_url: str | None = None
    dump_url: str | None = None
    union: tuple[tuple[str, str], ...] = ()
    hidden: tuple[str, ...] = ()
    is_standard: bool = True
    keeps_empty_graphs: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the properties as a JSON document."""
        return asdict(self)

    @classmethod
    def of_json(cls, data: Mapping[str, object]) -> Properties:
        """Return the properties of a document of :meth:`as_json`.

        Raises:
            KeyError: it is another document.
        """
        return cls(**{name: _without_lists(data[name]) for name in cls.__slots__})

    def written(self, query: str) -> str:
        """Return a query without the graphs of the engine itself.

        With an excluded graph, Virtuoso finds nothing in a graph by its name: it is sent as a variable and a filter.
        """
        if not self.hidden:
            return query
        kinds, number = ("default", "named"), count()
        excluded = "".join(f"define input:{kind}-graph-exclude {iri(g)} " for g in self.hidden for kind in kinds)
        return excluded + _NAMED_GRAPH.sub(lambda match: _by_variable(match, number), query)

    @property
    def any_graph(self) -> str:
        """The graph pattern that binds ``?g`` to the name of each graph."""
        return "GRAPH ?g {}" if self.keeps_empty_graphs else "GRAPH ?g { ?s ?p ?o }"

    def state(self, state: str) -> str:
        """Return the graph pattern of a state of the endpoint; ``state`` is an IRI or a variable, as written."""
        if self.keeps_empty_graphs:
            return f"GRAPH {state} {{}}"
        return f"GRAPH {iri(CONTROL)} {{ {iri(CONTROL)} {iri(DCTERMS['identifier'])} {state} }}"

    def state_operations(self, gone: Iterable[str], come: str) -> list[str]:
        """Return the operations that change the state of an endpoint: an empty graph, else a triple."""
        if self.keeps_empty_graphs:
            return [*(f"DROP SILENT GRAPH {iri(state)}" for state in gone), f"CREATE SILENT GRAPH {iri(come)}"]
        old = (f"DELETE DATA {{ {self.state(iri(state))} }}" for state in gone)
        return [*old, f"INSERT DATA {{ {self.state(iri(come))} }}"]


def _without_lists(value: Any) -> Any:
    """Return a value of JSON with tuples in place of lists."""
    return tuple(map(_without_lists, value)) if isinstance(value, list) else value


def _by_variable(match: re.Match[str], number: Iterator[int]) -> str:
    if match["graph"] is None:
        return match[0]
    variable = f"?grafo_{next(number)}"
    return f"FILTER ({variable} = {match['graph']}) GRAPH {variable}"


def probe(
    url: str, update_url: str | None, credentials: Credentials | None, limits: Limits, *, atomic: bool
) -> Properties:
    """Return the properties of the engine at an address.

    Args:
        url: of the endpoint for queries, or of its server.
        update_url: for updates; None for the usual address beside that for queries.
        atomic: whether the operator says that a request of several updates is atomic.

    Raises:
        EndpointProblem: it cannot be reached.
        NotAStore: the engine lacks what is needed; the message has each finding.
        BadParameter: it is not an endpoint.
    """
    endpoint = _found(url, credentials, limits)
    if not atomic:
        return _readable(endpoint)
    return _writable(Endpoint(endpoint.url, update_url or _beside(endpoint.url, "update"), credentials, limits))


def _beside(url: str, name: str) -> str:
    """Return the address with another last part of its path."""
    parts = urlsplit(url)
    return parts._replace(path=f"{parts.path.rpartition('/')[0]}/{name}").geturl()


def _found(url: str, credentials: Credentials | None, limits: Limits) -> Endpoint:
    """Return the first address that answers a query."""
    first: Exception | None = None
    for suffix in _PATHS:
        endpoint = Endpoint(url.rstrip("/") + suffix, None, credentials, limits)
        try:
            parse_results(endpoint.ask("SELECT (1 AS ?n) {}", TABLE))
        except (BadQuery, EndpointProblem) as error:
            first = first or error
        else:
            return endpoint
    if isinstance(first, EndpointProblem):
        raise first
    raise BadParameter(f"expected a SPARQL endpoint, got {url}, which answers no query: {first}")


class _Asking:
    """Asks an endpoint, with the parameters for the union and without the graphs of the engine itself."""

    def __init__(self, endpoint: Endpoint, hidden: tuple[str, ...] = ()) -> None:
        self.endpoint, self._properties = endpoint, Properties(endpoint.url, hidden=hidden)

    def rows(self, query: str, union: tuple[tuple[str, str], ...] = ()) -> list[ox.QuerySolution]:
        results = parse_results(self.endpoint.ask(self._properties.written(query), TABLE, union))
        assert isinstance(results, ox.QuerySolutions)  # noqa: S101 - of a SELECT
        return list(results)


def _readable(endpoint: Endpoint) -> Properties:
    """Return the properties of an endpoint that is only read, tested with the data in it."""
    hidden = _own_graphs(endpoint)
    asking = _Asking(endpoint, hidden)
    some = asking.rows("SELECT ?s ?p ?o ?g { GRAPH ?g { ?s ?p ?o FILTER (ISIRI(?s) && ISIRI(?o)) } } LIMIT 1")
    if not some:
        raise NotAStore(
            f"{endpoint.url} has no named graphs, and is only read without --atomic: bring a graph there with the bulk "
            f"loader of the engine ({_RECIPE}), or state with --atomic that its requests are atomic"
        )
    quad = " ".join(str(some[0][name]) for name in "spo")
    union = _union(asking, quad)
    if not asking.rows(f"SELECT ?g {{ GRAPH ?g {{ {quad} }} }}"):
        raise _lacks(endpoint, "it does not answer queries of named graphs")
    _check_whole_answers(asking)
    return Properties(
        endpoint.url,
        None,
        _dump_url(endpoint),
        union,
        hidden,
        _is_standard(asking),
        bool(asking.rows(f"SELECT ?g {{ GRAPH ?g {{}} FILTER (STRSTARTS(STR(?g), '{STATES}')) }}")),
    )


def _writable(endpoint: Endpoint) -> Properties:
    """Return the properties of an endpoint that is written to, tested with two graphs of the probe, which it drops."""
    graph, empty = (iri(f"{ID}grafo/sonda-{uuid4().hex}") for _ in range(2))
    drop = f"DROP SILENT GRAPH {graph} ; DROP SILENT GRAPH {empty}"
    try:
        found = _tested(endpoint, graph, empty)
        endpoint.change(drop)
    except BaseException:
        with suppress(BadQuery, EndpointProblem):  # the first error is reported
            endpoint.change(drop)
        raise
    return found


def _tested(endpoint: Endpoint, graph: str, empty: str) -> Properties:
    """Return the properties of an endpoint, after tests that write to two graphs."""
    asking = _Asking(endpoint)
    values = " , ".join(map(str, _VALUES))
    endpoint.change(f"INSERT DATA {{ GRAPH {graph} {{ {graph} {_P} {values} }} }}")
    if {row["o"] for row in asking.rows(f"SELECT ?o {{ GRAPH {graph} {{ {graph} {_P} ?o }} }}")} != set(_VALUES):
        raise _lacks(endpoint, "it does not return the values that were written")
    union = _union(asking, f"{graph} {_P} {_VALUES[0]}")
    _check_atomic(endpoint, asking, graph)
    many = "".join(f"{graph} {_P} {number} ." for number in range(1000, 1000 + _MANY))
    endpoint.change(f"INSERT DATA {{ GRAPH {graph} {{ {many} }} }}")
    _check_whole_answers(asking, f"GRAPH {graph} {{ ?s ?p ?o }}")
    endpoint.change(f"CREATE SILENT GRAPH {empty}")
    keeps = bool(asking.rows(f"SELECT ?g {{ GRAPH ?g {{}} FILTER (?g = {empty}) }}"))
    if not _is_standard(asking):
        raise _lacks(endpoint, "it computes values or joins in its own way; without --atomic it can be read")
    return Properties(endpoint.url, endpoint.update_url, _dump_url(endpoint), union, (), True, keeps)


_P = iri(DCTERMS["identifier"])
#: Values of the types that the graph has.
_VALUES = (
    ox.Literal("true", datatype=ox.NamedNode(XSD["boolean"])),
    ox.Literal("7", datatype=ox.NamedNode(XSD["integer"])),
    ox.Literal("2001-02-03", datatype=ox.NamedNode(XSD["date"])),
    ox.Literal("á", language="pt-br"),
)


def _lacks(endpoint: Endpoint, finding: str) -> NotAStore:
    return NotAStore(f"the engine at {endpoint.url} is not supported: {finding} ({_RECIPE})")


def _own_graphs(endpoint: Endpoint) -> tuple[str, ...]:
    """Return the graphs of the engine itself; empty if it cannot exclude graphs."""
    asking = _Asking(endpoint, OWN_GRAPHS)
    with suppress(*_REFUSALS):
        asking.rows("SELECT (1 AS ?n) {}")
        return OWN_GRAPHS
    return ()


def _union(asking: _Asking, triple: str) -> tuple[tuple[str, str], ...]:
    """Return the parameters with which a triple of a named graph is in the default graph."""
    for union in _UNIONS:
        if asking.rows(f"SELECT (1 AS ?n) {{ {triple} }} LIMIT 1", union):
            return union
    raise _lacks(asking.endpoint, "it does not answer queries over the union of all graphs")


def _check_whole_answers(asking: _Asking, pattern: str = "GRAPH ?g { ?s ?p ?o }") -> None:
    """Check that an answer has all rows, or that the engine says that it is truncated."""
    (row,) = asking.rows(f"SELECT (COUNT(*) AS ?n) {{ {pattern} }}")
    triples = row["n"]
    assert isinstance(triples, ox.Literal)  # noqa: S101 - a count
    with suppress(AnswerCut):
        rows = len(asking.rows(f"SELECT ?s ?p ?o {{ {pattern} }} LIMIT {_MANY}"))
        if rows < min(int(triples.value), _MANY):
            raise _lacks(asking.endpoint, f"it truncates an answer at {rows} rows without saying so")


def _check_atomic(endpoint: Endpoint, asking: _Asking, graph: str) -> None:
    """Check that a failing second operation undoes the first.

    Raises:
        NotAStore: it does not, or no second operation fails.
    """
    has_failed = False
    for number, failing in enumerate((f"CREATE GRAPH {graph}", "LOAD <urn:uuid:f3b0c442-98fc-4c14-9afb-f4c8996fb924>")):
        first = f"{graph} {_P} {number}"
        try:
            endpoint.change(f"INSERT DATA {{ GRAPH {graph} {{ {first} }} }} ; {failing}")
        except _REFUSALS:
            has_failed = True
            if asking.rows(f"SELECT (1 AS ?n) {{ GRAPH {graph} {{ {first} }} }}"):
                finding = "a failing update is executed in part; without --atomic it can be read"
                raise _lacks(endpoint, finding) from None
    if not has_failed:
        raise _lacks(endpoint, "no failing update shows that its requests are atomic; without --atomic it can be read")


#: A query with typed values, dates and joins, and the row that it has.
_TYPED = f"""SELECT (1 < 2 AS ?a) (?d < "2001-02-04"^^{iri(XSD["date"])} AS ?b) (DATATYPE(?d) AS ?c) (BOUND(?z) AS ?e)
(COALESCE(?z, 3) AS ?f) {{
  VALUES (?x ?d) {{ (1 "2001-02-03"^^{iri(XSD["date"])}) (2 "2001-02-05"^^{iri(XSD["date"])}) }}
  OPTIONAL {{ VALUES (?x ?z) {{ (2 5) }} }}
  FILTER (!BOUND(?z)) MINUS {{ VALUES ?x {{ 7 }} }}
}}"""


def _is_standard(asking: _Asking) -> bool:
    """Return whether the engine answers a query as the embedded engine does."""
    expected = ox.Store().query(_TYPED)
    assert isinstance(expected, ox.QuerySolutions)  # noqa: S101 - of a SELECT
    try:
        found = asking.rows(_TYPED)
    except _REFUSALS:
        return False
    return [[row[name] for name in "abcef"] for row in found] == [[row[name] for name in "abcef"] for row in expected]


def _dump_url(endpoint: Endpoint) -> str | None:
    """Return the address of all quads (``oxigraph serve`` has one), if there is one."""
    url = _beside(endpoint.url, "store")
    return url if endpoint.offers(url, "application/n-quads") else None
