"""The engine interface of a store over an endpoint: every lookup is a query; an incomplete answer is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import IO, BinaryIO, TypeAlias

import pyoxigraph as ox

from graph.errors import BadQuery
from graph.patterns import DECISIVE
from graph.sparql import substitute_variables
from graph.store.engine import Answer, Term
from graph.store.remote.endpoint import GRAPH, TABLE, AnswerCut, Endpoint, as_graph, parse_results, triples_of
from graph.store.remote.probe import CONTROL, STATES, Properties
from graph.terms import iri
from ontology.namespaces import RDF, VIG

# Prefetching: data that a derivation will look up for many works are fetched in a few requests.


#: The properties for which a derivation looks up the subjects that refer to a node.
_POINTING = frozenset({*DECISIVE, VIG["periodoDe"], VIG["periodoNaNorma"]})
#: The maximum number of nodes in a request.
_AT_ONCE = 200
#: Steps from a work to the data that decide its periods: its versions and events, then the norms that caused them.
_STEPS = 2


class Prefetch:
    """The quads about some nodes, and the references to some works, at the time of fetching.

    Args:
        ask: returns the quads of a pattern with ``?s ?p ?o`` in the graph ``?g``.
        pointed_at: returns the IRIs ``?o`` of a pattern that are the object of any quad.
        works: IRIs; the data that decide their periods are read too.
        graphs: graphs of records, whose metadata are read.
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
        self._read_by_subject(graphs)
        near = set(works)
        for some in _batches(near):
            self._alone.update({*some}.difference(pointed_at(f"VALUES ?o {{ {_node_list(some)} }}")))
        for _ in range(_STEPS):
            self._read_by_object(work for work in near if work.startswith("urn:lex:"))
            near |= {
                node
                for near_node in near
                for quad in self._at.get(near_node, ())
                for node in _iri_of_node(quad.subject)
            }
            self._read_by_subject(near)
            near |= {
                node
                for near_node in near
                for quad in self._of.get(near_node, ())
                if quad.predicate.value in _POINTING
                for node in _iri_of_node(quad.object)
            }
        self._read_by_subject(near)

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
        return any(quad.graph_name == graph for quad in self._of[name])

    def _read_by_subject(self, nodes: Iterable[str]) -> None:
        for some in _batches(node for node in nodes if node not in self._of):
            self._of.update({node: [] for node in some})
            for quad in self._ask(f"VALUES ?s {{ {_node_list(some)} }} GRAPH ?g {{ ?s ?p ?o }}"):
                assert isinstance(quad.subject, ox.NamedNode)  # noqa: S101 - it was named
                self._of[quad.subject.value].append(quad)

    def _read_by_object(self, nodes: Iterable[str]) -> None:
        # With a second list, of the properties, Oxigraph would read the whole store for each request. It joins the two
        # lists first, and then tests every quad.
        properties = ", ".join(str(ox.NamedNode(name)) for name in sorted(_POINTING))
        for some in _batches(node for node in nodes if node not in self._at):
            self._at.update({node: [] for node in some})
            for quad in self._ask(
                f"VALUES ?o {{ {_node_list(some)} }} GRAPH ?g {{ ?s ?p ?o }} FILTER (?p IN ({properties}))"
            ):
                assert isinstance(quad.object, ox.NamedNode)  # noqa: S101 - it was named
                self._at[quad.object.value].append(quad)


def _batches(nodes: Iterable[str]) -> Iterator[list[str]]:
    left = iter(sorted(nodes))
    while some := list(islice(left, _AT_ONCE)):
        yield some


def _iri_of_node(term: object) -> Iterator[str]:
    if isinstance(term, ox.NamedNode):
        yield term.value


def _node_list(nodes: Iterable[str]) -> str:
    return " ".join(str(ox.NamedNode(node)) for node in nodes)


# Local evaluation of queries that an engine answers wrongly: their data are fetched, and the embedded engine joins
# them.
#
# Virtuoso 7.2.5 loses rows of queries with several OPTIONAL and BOUND, depending on the query plan. It refuses some
# with MINUS or EXISTS. It answers look-ups correctly. So the triples of each property that such a query names are
# fetched with their graphs, and the query is evaluated on them. The rows are the same; only fetching takes longer.


#: The maximum number of quads that are fetched for a query.
MOST = 5_000_000
# The number of quads above which they are not kept for the next query.
_KEPT = 200_000

_DOUBTFUL = re.compile(r"MINUS|EXISTS|BOUND|COALESCE", re.IGNORECASE)
_TOKEN = re.compile(
    r"""\#[^\n]*|(?P<string>"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<iri><[^<>"{}|^`\\\s]*>)|(?P<name>[\w.-]*:[\w.%-]*)|(?P<variable>[?$]\w+)|(?P<value>[+-]?[0-9][\w.]*|true\b|false\b)"""
    r"""|(?P<word>[A-Za-z_]+)|(?P<sign>\S)""",
    re.DOTALL,
)
_TERMS = frozenset({"iri", "name", "variable", "string", "value"})
#: Keywords that precede lists of variables, which are not triples, up to the next brace.
_ROWS = frozenset({"SELECT", "BY"})


def is_doubtful(query: str) -> bool:
    """Return whether a query has a keyword that Virtuoso may evaluate wrongly.

    >>> is_doubtful("SELECT ?s { ?s ?p 'MINUS' } # EXISTS"), is_doubtful("SELECT ?s { ?s ?p ?o MINUS { ?s ?q 1 } }")
    (False, True)
    """
    return any(match["word"] and _DOUBTFUL.fullmatch(match["word"]) for match in _TOKEN.finditer(query))


class FetchedQuads:
    """The quads of the properties that some queries name.

    Attributes:
        store: a store with these quads.
    """

    def __init__(self) -> None:
        self.store = ox.Store()
        self._names = set[str | None]()
        self._count = 0

    @property
    def is_large(self) -> bool:
        """Return whether there are too many quads to keep them for the next query."""
        return self._count > _KEPT

    def fetch_for(self, query: str, look_up: Callable[[ox.NamedNode | None], Iterable[ox.Quad]]) -> None:
        """Fetch the quads that a query may read.

        Args:
            query: a query without SERVICE.
            look_up: returns all quads of a property; all quads for None.

        Raises:
            BadQuery: there are more than :data:`MOST`.
        """
        for name in _properties(query):
            if name in self._names:
                continue
            quads = list(islice(look_up(None if name is None else ox.NamedNode(name)), MOST + 1 - self._count))
            self._count += len(quads)
            if self._count > MOST:
                raise BadQuery(
                    f"the query reads more than {MOST} triples, which this engine may join wrongly; narrow it"
                )
            self.store.bulk_extend(quads)
            self._names.add(name)


def _properties(query: str) -> list[str] | list[None]:
    """Return the IRIs in a query, which include its properties; one None if a property is a variable."""
    prefixes: dict[str, str] = {}
    properties: dict[str, None] = {}
    tokens = [(match.lastgroup or "comment", match[0]) for match in _TOKEN.finditer(query)]
    tokens = [token for token in tokens if token[0] != "comment"]
    in_row = False
    around = zip([("sign", ""), *tokens], tokens, [*tokens[1:], ("sign", "")], strict=False)
    for (before, left), (kind, text), (after, right) in around:
        in_row = (in_row and text != "{") or text.upper() in _ROWS
        if kind == "name" and left.upper() == "PREFIX":
            prefixes[text[:-1]] = right[1:-1]
        elif kind == "name":
            label, _, local = text.partition(":")
            properties[prefixes.get(label, "") + local] = None
        elif (kind == "iri" and before != "name") or (kind == "iri" and left[:-1] not in prefixes):
            properties[text[1:-1]] = None
        elif text == "a":
            properties[RDF["type"]] = None
        elif (
            kind == "variable"
            and not in_row
            and (before in _TERMS or left == ";")
            and (after in _TERMS or right in ("[", "("))
        ):
            return [None]
    return list(properties)


# The engine interface over an endpoint.


_Graph: TypeAlias = ox.NamedNode | ox.BlankNode | ox.DefaultGraph
_NAMES = ("s", "p", "o", "g")
# The number of quads that a look-up requests first.
_FEW = 200


class RemoteEngine:
    """The quads behind an endpoint, with the methods of :class:`graph.store.engine.Engine`.

    Args:
        endpoint: the endpoint.
        properties: the properties of its engine.
    """

    def __init__(self, endpoint: Endpoint, properties: Properties) -> None:
        self.endpoint = endpoint
        self.properties = properties
        self._nothing = ox.Store()
        self._prefetched: Prefetch | None = None
        self._kept: FetchedQuads | None = None

    def __len__(self) -> int:
        row = next(self._rows("SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }"))
        return int(_value(row["n"]))

    def __iter__(self) -> Iterator[ox.Quad]:
        return self.quads_for_pattern(None, None, None, None)

    def __contains__(self, quad: ox.Quad, /) -> bool:
        """Return whether there is this quad."""
        return any(self.quads_for_pattern(*quad))

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
        """Return the complete answer to a query.

        Raises:
            SyntaxError, ValueError, RuntimeError: as the embedded engine, which parses the query first.
            BadQuery: the endpoint cannot evaluate it.
            EndpointProblem: the endpoint cannot be reached, or its answer is incomplete.
        """
        kind = self._nothing.query(query, base_iri=base_iri, substitutions=substitutions)
        if not self.properties.is_standard and is_doubtful(query):
            return self._local_store(query, default_graph).query(
                query,
                base_iri=base_iri,
                use_default_graph_as_union=use_default_graph_as_union,
                default_graph=default_graph,
                named_graphs=named_graphs,
                substitutions=substitutions,
            )
        text = query if base_iri is None else f"BASE <{base_iri}> {query}"
        text = substitute_variables(text, {name.value: _constant(term) for name, term in (substitutions or {}).items()})
        given = [
            *(("default-graph-uri", _constant(graph).value) for graph in default_graph or ()),
            *(("named-graph-uri", _constant(graph).value) for graph in named_graphs or ()),
        ]
        union = self.properties.union if use_default_graph_as_union else ()
        if isinstance(kind, ox.QueryTriples):
            return as_graph(triples_of(self.endpoint.ask(self.properties.written(text), GRAPH, (*union, *given))))
        return self._request_results(text, (*union, *given))

    def _local_store(self, query: str, graphs: list[_Graph] | None) -> ox.Store:
        """Return a local store with the quads that a query reads."""
        fetched = FetchedQuads() if graphs or self._kept is None or self._kept.is_large else self._kept
        if self._kept is not None and not graphs:
            self._kept = fetched
        places: list[_Graph | None] = [*graphs] if graphs else [None]
        fetched.fetch_for(
            query, lambda name: (quad for place in places for quad in self.quads_for_pattern(None, name, None, place))
        )
        return fetched.store

    def _request_results(
        self, text: str, parameters: Sequence[tuple[str, str]] = ()
    ) -> ox.QuerySolutions | ox.QueryBoolean:
        return parse_results(self.endpoint.ask(self.properties.written(text), TABLE, parameters))

    def _rows(self, text: str) -> Iterator[ox.QuerySolution]:
        results = self._request_results(text)
        if not isinstance(results, ox.QuerySolutions):
            raise BadQuery("expected rows, got another kind of answer")
        return iter(results)

    def is_in(self, state: str) -> bool:
        """Return whether the endpoint is in a state."""
        return any(self._rows(f"SELECT (1 AS ?sim) WHERE {{ {self.properties.state(iri(state))} }}"))

    def states(self) -> list[str]:
        """Return the states of the endpoint."""
        known = f'{self.properties.state("?estado")} FILTER (STRSTARTS(STR(?estado), "{STATES}"))'
        return sorted(_value(row["estado"]) for row in self._rows(f"SELECT ?estado WHERE {{ {known} }}"))

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | ox.BlankNode | ox.Triple | None,
        predicate: ox.NamedNode | None,
        object: Term | None,  # noqa: A002 - as the engine calls it
        graph_name: _Graph | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Return the quads with these terms; None matches any term."""
        given = (subject, predicate, object, graph_name)
        ahead = self._prefetched
        known = None if ahead is None else ahead.found(*given)
        if known is not None:
            return known
        terms = [None if term is None else _constant(term) for term in given]
        s, p, o, g = (f"?{name}" if term is None else str(term) for name, term in zip(_NAMES, terms, strict=True))
        return self._fetch_lazily(terms, f"GRAPH {g} {{ {s} {p} {o} }}")

    def _fetch_lazily(self, terms: Sequence[ox.NamedNode | ox.Literal | None], pattern: str) -> Iterator[ox.Quad]:
        """Yield a few quads first, because callers often need only one; then fetch the others."""
        few = list(self._fetch_all(terms, pattern, f" LIMIT {_FEW}"))
        yield from few
        if len(few) == _FEW:
            seen = set(few)
            yield from (quad for quad in self._fetch_all(terms, pattern) if quad not in seen)

    @contextmanager
    def prefetching(self, works: Collection[str] = (), graphs: Collection[str] = ()) -> Iterator[None]:
        """Prefetch the data of some works, and the data that decide their periods, for lookups within the block.

        Args:
            works: IRIs. Their data must not change before the last lookup within the block.
            graphs: of records; likewise.
        """
        self._prefetched = Prefetch(
            lambda pattern: self._fetch_all((None,) * len(_NAMES), pattern), self._objects_of, works, graphs
        )
        try:
            yield
        finally:
            self._prefetched = None

    @contextmanager
    def sharing_reads(self) -> Iterator[None]:
        """Cache the fetched quads for further queries within the block, up to a limit."""
        self._kept = FetchedQuads()
        try:
            yield
        finally:
            self._kept = None

    def _objects_of(self, pattern: str) -> list[str]:
        query = f"SELECT DISTINCT ?o WHERE {{ {pattern} GRAPH ?g {{ ?s ?p ?o }} }}"
        return [_value(row["o"]) for row in self._rows(query)]

    def _fetch_all(
        self, terms: Sequence[ox.NamedNode | ox.Literal | None], pattern: str, limit: str = ""
    ) -> Iterable[ox.Quad]:
        """Return the quads of a pattern, fetched in one request, or page by page if the answer is truncated."""
        free = [name for name, term in zip(_NAMES, terms, strict=True) if term is None]
        wanted = " ".join(f"?{name}" for name in free) or "(1 AS ?there)"
        try:
            return [_quad(terms, row) for row in self._rows(f"SELECT {wanted} WHERE {{ {pattern} }}{limit}")]
        except AnswerCut as cut:
            return self._pages(terms, pattern, free, _page_size(cut))

    def _pages(
        self, terms: Sequence[ox.NamedNode | ox.Literal | None], pattern: str, free: Sequence[str], size: int
    ) -> Iterator[ox.Quad]:
        """Yield quads page by page, sorted by a key. Rows of the last key of a full page are left to the next page."""
        key = "CONCAT({})".format(', " ", '.join(f"SUBSTR(STR(?{name}), 1, 200)" for name in free))
        wanted = " ".join(f"?{name}" for name in free)
        after = ""
        while True:
            page_pattern = f"{pattern} BIND ({key} AS ?chave) {after}"
            rows = list(self._rows(f"SELECT {wanted} ?chave WHERE {{ {page_pattern}}} ORDER BY ?chave LIMIT {size}"))
            keys = [_value(row["chave"]) for row in rows]
            is_last_page = len(rows) < size
            kept = len(rows) if is_last_page else keys.index(keys[-1])
            if not is_last_page and kept == 0:
                raise AnswerCut(f"{self.endpoint.url} has more than {size} rows with one value of {key}")
            yield from (_quad(terms, row) for row in rows[:kept])
            if is_last_page:
                return
            after = f"FILTER (?chave >= {ox.Literal(keys[-1])}) "

    def named_graphs(self) -> Iterator[ox.NamedNode | ox.BlankNode]:
        """Yield the names of all graphs of records, and of the graph of derived triples."""
        for name in self._graphs():
            if name != CONTROL and not name.startswith(STATES):
                yield ox.NamedNode(name)

    def _graphs(self) -> Iterable[str]:
        query = f"SELECT DISTINCT ?g WHERE {{ {self.properties.any_graph} }}"
        try:
            return [_value(row["g"]) for row in self._rows(query)]
        except AnswerCut as cut:
            return self._pages_of_graphs(query, _page_size(cut))

    def _pages_of_graphs(self, query: str, size: int) -> Iterator[str]:
        after = ""
        while True:
            names = [_value(row["g"]) for row in self._rows(f"{query[:-1]}{after}}} ORDER BY STR(?g) LIMIT {size}")]
            yield from names
            if len(names) < size:
                return
            after = f"FILTER (STR(?g) > {ox.Literal(names[-1])}) "

    def write_all(self, output: BinaryIO) -> None:
        """Write all quads as N-Quads.

        Raises:
            EndpointProblem: the endpoint does not return all quads.
            OSError: they cannot be written.
        """
        if self.properties.dump_url is not None:
            self.endpoint.fetch(self.properties.dump_url, "application/n-quads", output)
            return
        for graph in self.named_graphs():
            output.writelines(f"{quad} .\n".encode() for quad in self.quads_for_pattern(None, None, None, graph))

    def contains_named_graph(self, graph_name: ox.NamedNode, /) -> bool:
        """Return whether a graph of that name has triples."""
        ahead = self._prefetched
        known = None if ahead is None else ahead.has_graph(graph_name.value)
        return (
            known
            if known is not None
            else any(self._rows(f"SELECT ?s WHERE {{ GRAPH {graph_name} {{ ?s ?p ?o }} }} LIMIT 1"))
        )

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
        quads = self.quads_for_pattern(None, None, None, from_graph)
        statements = (quad.triple for quad in quads) if from_graph is not None else quads
        return ox.serialize(statements, output, format, prefixes=prefixes)

    def update(self, update: str, /) -> None:
        """Send an update request unchanged; it is atomic."""
        self.endpoint.change(update)

    def flush(self) -> None:
        """Do nothing: an endpoint answers an update once it has stored it."""

    def optimize(self) -> None:
        """Do nothing: the endpoint manages its files itself."""


def _page_size(cut: AnswerCut) -> int:
    """Return the number of rows of a page: one less than the limit, because a full answer looks truncated.

    Raises:
        AnswerCut: the engine does not state its limit.
    """
    if cut.most is None or cut.most < 2:
        raise cut
    return cut.most - 1


def _constant(term: Term | _Graph) -> ox.NamedNode | ox.Literal:
    """Return a term that can be written into a query.

    Raises:
        ValueError: it is a blank node or triple, which a query cannot identify.
    """
    if isinstance(term, (ox.NamedNode, ox.Literal)):
        return term
    raise ValueError(f"expected an IRI or a literal for a query to an endpoint, got {term}")


def _value(term: Term | None) -> str:
    assert isinstance(term, (ox.NamedNode, ox.Literal))  # noqa: S101 - the query binds it
    return term.value


def _quad(terms: Sequence[ox.NamedNode | ox.Literal | None], row: ox.QuerySolution) -> ox.Quad:
    s, p, o, g = (row[name] if term is None else term for name, term in zip(_NAMES, terms, strict=True))
    assert isinstance(s, (ox.NamedNode, ox.BlankNode))  # noqa: S101 - as RDF has it
    assert isinstance(p, ox.NamedNode)  # noqa: S101
    assert isinstance(g, ox.NamedNode)  # noqa: S101
    assert o is not None  # noqa: S101
    return ox.Quad(s, p, o, g)
