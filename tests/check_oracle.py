"""What pySHACL finds in a graph by our shapes, in the words of our own results: the oracle of the checks."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
from pyshacl import validate
from rdflib import Graph, Literal, Namespace, URIRef

from graph.store import Store
from queries.checks import SHAPES
from queries.checks.lives import LIFE_CHECKS

__all__ = ["SHAPES_FILE", "OracleResult", "by_pyshacl"]

SHAPES_FILE = Path(__file__).resolve().parents[1] / "ontology" / "shapes.ttl"
_SH = Namespace("http://www.w3.org/ns/shacl#")
#: Code, component, node and value of a result.
OracleResult = tuple[str, str, str, str | None]
#: What pySHACL says of these checks is theirs; of every other one that needs a program it says nothing.
ASKED_IN_SHACL = {"periods-overlap", "rectification-incomplete", "view-ambiguous", "view-before-norm"} & {*LIFE_CHECKS}


def by_pyshacl(store: Store) -> set[OracleResult]:
    """All results in the union of the graphs of a store."""
    triples = {quad.triple for quad in store.engine}
    text = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)
    assert text is not None
    data = Graph().parse(data=text, format="nt")
    _, report, _ = validate(data, shacl_graph=Graph().parse(SHAPES_FILE), inference="none")
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
    text = str(term).replace("+00:00", "Z")  # rdflib's way of writing UTC
    return str(ox.Literal(text, datatype=ox.NamedNode(str(term.datatype))))
