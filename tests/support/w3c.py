"""The W3C SPARQL 1.1 test suite: its manifests and expected answers, read and compared by rdflib.

The suite is not distributed with Vigente. Tests that need it are skipped if it is not in a folder next to the checkout.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from rdflib import XSD, BNode, Graph, Literal, Namespace, URIRef
from rdflib.compare import isomorphic
from rdflib.query import Result

SUITE = Path(__file__).resolve().parents[3] / "shared" / "data" / "w3c-sparql11"
needs_suite = pytest.mark.skipif(not SUITE.is_dir(), reason="the W3C SPARQL 1.1 tests are not next to this checkout")

#: The base IRI of the suite at W3C. Manifests name files with it.
BASE = "http://www.w3.org/2009/sparql/docs/tests/data-sparql11/"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RS = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/result-set#")
_NUMBERS = {XSD.decimal: Decimal, XSD.integer: Decimal, XSD.double: float, XSD.float: float}


@dataclass(frozen=True)
class Entry:
    """A test of a manifest: its name, kind and node, and the manifest."""

    name: str
    kind: str
    node: ox.NamedNode
    manifest: ox.Store

    def value(self, *path: str) -> Any:
        """Return the first value of a path of properties; None if there is none."""
        node: Any = self.node
        for step in path:
            node = next(iter(self.values(node, step)), None)
            if node is None:
                return None
        return node

    def values(self, node: Any, step: str) -> list[Any]:
        """Return all values of a property of a node."""
        return [q.object for q in self.manifest.quads_for_pattern(node, ox.NamedNode(step), None)]

    def items(self, head: Any) -> Iterator[Any]:
        """Yield the members of an RDF list."""
        while head != ox.NamedNode(_RDF + "nil"):
            (first,) = self.values(head, _RDF + "first")
            yield first
            (head,) = self.values(head, _RDF + "rest")


def file_of(iri: ox.NamedNode) -> Path:
    """Return the local path of a file of the suite."""
    assert iri.value.startswith(BASE)
    return SUITE / iri.value.removeprefix(BASE)


@cache
def entries(folder: str) -> tuple[Entry, ...]:
    """Return the tests of the manifest of a folder, in order; none if the suite is missing."""
    if not SUITE.is_dir():
        return ()
    manifest = ox.Store()
    manifest_iri = f"{BASE}{folder}/manifest.ttl"
    manifest.load(path=SUITE / folder / "manifest.ttl", format=ox.RdfFormat.TURTLE, base_iri=manifest_iri)
    root = Entry("", "", ox.NamedNode(manifest_iri), manifest)
    return tuple(
        Entry(node.value.rpartition("#")[2], root.values(node, _RDF + "type")[0].value.removeprefix(MF), node, manifest)
        for node in root.items(root.value(MF + "entries"))
    )


def _table(body: bytes, kind: str) -> Any:
    """Return the answer to a SELECT or ASK query: ``srx``, ``srj``, ``csv``, ``tsv``, or ``ttl`` as a result set."""
    if kind != "ttl":
        return Result.parse(io.BytesIO(body), format={"srx": "xml", "srj": "json"}.get(kind, kind))
    graph = Graph().parse(data=body, format="turtle")
    result: Any = Result("SELECT")
    result.vars = list(graph.objects(None, _RS.resultVariable))
    result.bindings = [
        {
            graph.value(binding, _RS.variable): graph.value(binding, _RS.value)
            for binding in graph.objects(row, _RS.binding)
        }
        for row in graph.objects(None, _RS.solution)
    ]
    return result


def _term(term: Any) -> Any:
    """Return a term in a form for comparison: numbers by value and datatype, booleans by value."""
    if not isinstance(term, Literal) or term.datatype is None:
        return term
    if term.datatype == XSD.boolean:
        return Literal({"1": "true", "0": "false"}.get(str(term), str(term)))
    if term.datatype not in _NUMBERS:
        return term
    value = _NUMBERS[term.datatype](str(term))
    return Literal(f"{term.datatype} {value.normalize() if isinstance(value, Decimal) else value!r}")


def _rows(result: Any, *, ordered: bool) -> tuple[Counter[Any], Graph]:
    """Return the rows without blank nodes, and a graph of the others; each has its number if they are ordered."""
    ground, others = Counter[Any](), Graph()
    for number, binding in enumerate(result.bindings):
        row = {str(name): _term(term) for name, term in binding.items()}
        row |= {"": Literal(number)} if ordered else {}
        if any(isinstance(term, BNode) for term in row.values()):
            for name, term in row.items():
                others.add((BNode(f"row{number}"), URIRef(f"urn:x:{name}"), term))
        else:
            ground[frozenset(row.items())] += 1
    return ground, others


def same_answer(
    expected: tuple[bytes, str, str], actual: tuple[bytes, str, str], *, table: bool, ordered: bool
) -> bool:
    """Return whether two answers are equal, each given by its body, format and base.

    Names of blank nodes may differ, and the order of rows too, unless ``ordered``.
    """
    if not table:
        graphs = [Graph().parse(data=body, format="turtle", publicID=base) for body, _, base in (expected, actual)]
        return isomorphic(*graphs)
    one, other = (_table(body, kind) for body, kind, _ in (expected, actual))
    if one.type == "ASK" or other.type == "ASK":
        return one.askAnswer is not None and one.askAnswer == other.askAnswer
    same_columns = {str(name) for name in one.vars or ()} == {str(name) for name in other.vars or ()}
    ground, others = zip(*(_rows(result, ordered=ordered) for result in (one, other)), strict=True)
    return same_columns and ground[0] == ground[1] and isomorphic(*others)
