"""The results of pySHACL for a store and our shapes, in the form of our own results: the oracle of the checks."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from pyshacl import validate
from rdflib import Graph, Literal, Namespace, URIRef
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query
from rdflib.query import Result

from graph.store import Store
from queries.checks.lives import LIFE_CHECKS
from queries.checks.shapes import SHAPES

SHAPES_FILE = Path(__file__).resolve().parents[2] / "ontology" / "shapes.ttl"
_SH = Namespace("http://www.w3.org/ns/shacl#")
#: Code, component, node and value of a result.
OracleResult = tuple[str, str, str, str | None]
#: The life-cycle checks that pySHACL evaluates too, because the shapes state them in SPARQL.
ASKED_IN_SHACL = {
    *("periods-overlap", "rectification-incomplete", "version-before-norm", "view-ambiguous", "view-before-norm")
} & {*LIFE_CHECKS}


def by_pyshacl(store: Store) -> set[OracleResult]:
    """Return all results of pySHACL for the union of the graphs of a store."""
    triples = {quad.triple for quad in store.engine}
    text = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)
    assert text is not None
    data = _Remembering().parse(data=text, format="nt")
    _, report, _ = validate(data, shacl_graph=_shapes(), inference="none", inplace=True)
    assert isinstance(report, Graph)
    return {
        (
            str(report.value(result, _SH.sourceShape)).removeprefix(SHAPES),
            str(report.value(result, _SH.sourceConstraintComponent)).removeprefix(str(_SH)),
            str(report.value(result, _SH.focusNode)),
            _written(report.value(result, _SH.value)),
        )
        for result in report.objects(None, _SH.result)
    }


class _Remembering(Graph):
    """A graph that parses each query once: pySHACL runs it for each node, and parsing takes most of the time."""

    def query(self, query_object: str | Query, *rest: Any, **named: Any) -> Result:
        asked = _prepared(query_object) if isinstance(query_object, str) else query_object
        return super().query(asked, *rest, **named)


@cache
def _prepared(text: str) -> Query:
    return prepareQuery(text)


@cache
def _shapes() -> Graph:
    return Graph().parse(SHAPES_FILE)


def _written(term: object) -> str | None:
    if term is None:
        return None
    if isinstance(term, URIRef):
        return str(ox.NamedNode(str(term)))
    assert isinstance(term, Literal)
    if term.language is not None:
        return str(ox.Literal(str(term), language=term.language))
    if term.datatype is None:
        return str(ox.Literal(str(term)))
    text = str(term).replace("+00:00", "Z")  # rdflib writes UTC as +00:00
    return str(ox.Literal(text, datatype=ox.NamedNode(str(term.datatype))))
