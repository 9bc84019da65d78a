"""RDF for rdflib: a read-only view of a whole store, triples as a graph, and the evidence of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

import pyoxigraph as ox
import rdflib
from oxrdflib import OxigraphStore
from rdflib.graph import ModificationException
from rdflib.query import Result

from graph import store as stores
from graph.errors import BadQuery, NotAStore
from graph.store.embedded import translating_engine_errors
from graph.urn import parse, to_iri
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import FRBROO, PREFIXES, VIG
from queries.answers import InForce
from queries.catalogue import named
from queries.guard import refuse_unsafe
from queries.reasons import Reason

_AXES = (VIG["forca"], VIG["eficacia"])
_TARGET, _DECIDED_BY, _MEMBER = VIG["alvo"], VIG["decididoPor"], FRBROO["R10_has_member"]


def dataset(store: stores.Store) -> rdflib.Dataset:
    """Return a read-only view of a store: one named graph for each record, and their union as the default graph.

    Raises:
        NotAStore: the graph is behind an endpoint.
        StoreDamaged: the store is closed.
    """
    if not isinstance(store.engine, ox.Store):
        raise NotAStore(
            "Store.rdflib() needs a graph in the folder, not behind an endpoint: "
            "rdflib's SPARQLStore connects to an endpoint directly (docs/reference/remote.md)"
        )
    view = rdflib.Dataset(store=_ReadOnlyStore(store), default_union=True)
    _bind(view)
    return view


def graph_of(triples: Iterable[ox.Triple]) -> rdflib.Graph:
    """Return triples as a graph in memory."""
    written = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)
    assert written is not None  # noqa: S101 - no output was given
    graph = rdflib.Graph()
    _bind(graph)
    return graph.parse(data=written, format="nt")


def evidence(store: stores.Store, answer: InForce) -> Iterator[ox.Triple]:
    """Yield the statements on which an answer is based, as :meth:`vigente.Answer.graph` describes them.

    Raises:
        StoreProblem: the store is closed, or cannot be read.
    """
    look = store.engine.quads_for_pattern
    because = list(_chain(answer.because))
    records = _nodes((*answer.sources, *(reason.source for reason in because)))
    if not records:
        return
    name = parse(answer.name)
    views = (answer.version and answer.version.name, *(reason.version for reason in because))
    subjects = _nodes((name.iri, *(to_iri(view) for view in views if view is not None)))
    causes = _nodes(to_iri(reason.cause) for reason in because if reason.cause is not None)
    periods = _nodes(
        str(row["periodo"])
        for work in dict.fromkeys((name.iri, name.work.iri))
        for axis in _AXES
        for row in named("version_in_force").rows(
            store, {"norma": work, "em": answer.on, "conhecido": answer.as_known, "eixo": axis}
        )
    )
    triples: dict[ox.Triple, None] = {}
    with translating_engine_errors():
        for period in periods:
            for quad in look(period, None, None, ox.NamedNode(DERIVED_GRAPH)):
                triples[quad.triple] = None
                if quad.predicate.value == _DECIDED_BY and isinstance(quad.object, ox.NamedNode):
                    triples.update((event.triple, None) for event in look(quad.object, None, None, None))
        for record in records:
            linked = {quad.subject for node in subjects for quad in look(None, ox.NamedNode(_TARGET), node, record)}
            members = (quad.object for cause in causes for quad in look(cause, ox.NamedNode(_MEMBER), None, record))
            linked |= {member for member in members if isinstance(member, ox.NamedNode)}
            for subject in (record, *subjects, *causes, *sorted(linked, key=str)):
                triples.update((quad.triple, None) for quad in look(subject, None, None, record))
    yield from triples


def _chain(reasons: Iterable[Reason]) -> Iterator[Reason]:
    """Yield reasons, each followed by the events that undid it."""
    for reason in reasons:
        yield reason
        yield from _chain(reason.undone_by)


def _nodes(iris: Iterable[str | None]) -> list[ox.NamedNode]:
    return [ox.NamedNode(iri) for iri in dict.fromkeys(iris) if iri is not None]


def _bind(graph: rdflib.Graph) -> None:
    for prefix, space in PREFIXES.items():
        graph.bind(prefix, space, replace=True)


class ReadOnlyView(ModificationException):
    """Raised when code tries to change a store through its rdflib view."""

    def __str__(self) -> str:
        return "the rdflib view of a store is read-only; Store.load() and Store.harvest() write"


class _ReadOnlyStore(OxigraphStore):
    """An open store for rdflib: reading and SPARQL go to the engine, and every change is refused."""

    def __init__(self, store: stores.Store) -> None:
        super().__init__()
        self._opened = store

    @property
    def _inner(self) -> ox.Store:
        """The engine; a closed store raises StoreDamaged, as everywhere else."""
        engine = self._opened.engine
        assert isinstance(engine, ox.Store)  # noqa: S101 - `dataset` takes no other
        return engine

    def query(
        self,
        query: Any,
        initNs: Mapping[str, Any],  # noqa: N803 - as rdflib calls it
        initBindings: Mapping[str, Any],  # noqa: N803
        queryGraph: str,  # noqa: N803
        **kwargs: object,
    ) -> Result:
        if not isinstance(query, str):
            raise BadQuery("expected the text of a query, got one that rdflib has prepared")
        refuse_unsafe(query)
        return super().query(query, initNs, initBindings, queryGraph, **kwargs)

    def add_graph(self, graph: rdflib.Graph) -> None:
        """Do nothing. rdflib calls this for each graph that it reads."""

    def add(self, *_: object, **__: object) -> NoReturn:
        raise ReadOnlyView

    addN = remove = remove_graph = update = open = destroy = add  # noqa: N815 - as rdflib calls it
