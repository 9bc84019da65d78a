"""The W3C SPARQL 1.1 test suite: its manifests and expected answers, and comparisons of answers.

The suite is not distributed with Vigente. Tests that need it are skipped if it is not in a folder next to the checkout.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pyoxigraph as ox
import pytest

__all__ = [
    "BASE",
    "MF",
    "SUITE",
    "Entry",
    "Rows",
    "entries",
    "file_of",
    "graph_of",
    "needs_suite",
    "same_graph",
    "same_rows",
    "table_of",
]

SUITE = Path(__file__).resolve().parents[3] / "shared" / "data" / "w3c-sparql11"
needs_suite = pytest.mark.skipif(not SUITE.is_dir(), reason="the W3C SPARQL 1.1 tests are not next to this checkout")

#: The base IRI of the suite at W3C. Manifests name files with it.
BASE = "http://www.w3.org/2009/sparql/docs/tests/data-sparql11/"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
XSD = "http://www.w3.org/2001/XMLSchema#"
_SRX = "{http://www.w3.org/2005/sparql-results#}"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

#: A term in a form for comparison: blank nodes by name, numbers and booleans by value and datatype.
Term = tuple[Hashable, ...]
Row = Mapping[str, Term]


@dataclass(frozen=True)
class Rows:
    """The answer to a SELECT query."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]


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
            node = next((q.object for q in self.manifest.quads_for_pattern(node, ox.NamedNode(step), None)), None)
            if node is None:
                return None
        return node

    def values(self, node: Any, step: str) -> list[Any]:
        """Return all values of a property of a node."""
        return [q.object for q in self.manifest.quads_for_pattern(node, ox.NamedNode(step), None)]

    def items(self, head: Any) -> Iterator[Any]:
        """Yield the members of an RDF list."""
        while head != ox.NamedNode(RDF + "nil"):
            (first,) = self.values(head, RDF + "first")
            yield first
            (head,) = self.values(head, RDF + "rest")


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
    root_entry = Entry("", "", ox.NamedNode(manifest_iri), manifest)
    tests = []
    for node in root_entry.items(root_entry.value(MF + "entries")):
        kind = root_entry.values(node, RDF + "type")[0].value.removeprefix(MF)
        tests.append(Entry(node.value.rpartition("#")[2], kind, node, manifest))
    return tuple(tests)


def _literal(value: str, datatype: str, language: str | None) -> Term:
    if language:
        return ("literal", value, language.lower())
    if datatype in (XSD + "decimal", XSD + "integer"):
        return ("number", datatype, Decimal(value))
    if datatype in (XSD + "double", XSD + "float"):
        return ("number", datatype, repr(float(value)))
    if datatype == XSD + "boolean":
        return ("boolean", {"1": "true", "0": "false"}.get(value, value))
    return ("literal", value, datatype)


def _term(term: Any) -> Term:
    if isinstance(term, ox.NamedNode):
        return ("iri", term.value)
    if isinstance(term, ox.BlankNode):
        return ("blank", term.value)
    return _literal(term.value, term.datatype.value, term.language)


def table_of(body: str, kind: str, base: str = BASE) -> Rows | bool:
    """Return the answer to a SELECT or ASK query, parsed without the engine that wrote it (except TSV).

    Args:
        kind: the format: ``srx``, ``srj``, ``csv``, ``tsv``, or ``ttl`` in the vocabulary of result sets.
    """
    if kind == "ttl":
        return _from_turtle(body, base)
    if kind == "srx":
        return _from_xml(ET.fromstring(body))
    if kind == "srj":
        return _from_json(json.loads(body))
    if kind == "tsv":
        read = ox.parse_query_results(body.encode(), ox.QueryResultsFormat.TSV)
        assert isinstance(read, ox.QuerySolutions)
        names = tuple(variable.value for variable in read.variables)
        rows = [{n: _term(row[n]) for n in names if row[n] is not None} for row in read]
        return Rows(names, tuple(rows))
    header, *lines = list(csv.reader(StringIO(body)))
    cells = [[("blank" if cell.startswith("_:") else "text", cell) for cell in line] for line in lines]
    return Rows(tuple(header), tuple(dict(zip(header, line, strict=True)) for line in cells))


def _from_turtle(body: str, base: str) -> Rows:
    """Return a table from RDF in the suite's vocabulary of result sets."""
    graph = ox.Store()
    graph.load(body.encode(), ox.RdfFormat.TURTLE, base_iri=base)

    def of(node: Any, step: str) -> list[Any]:
        return [quad.object for quad in graph.quads_for_pattern(node, ox.NamedNode(RS + step), None)]

    rows = [
        {of(binding, "variable")[0].value: _term(of(binding, "value")[0]) for binding in of(solution, "binding")}
        for solution in of(None, "solution")
    ]
    return Rows(tuple(name.value for name in of(None, "resultVariable")), tuple(rows))


def _from_xml(root: ET.Element) -> Rows | bool:
    boolean = root.find(f"{_SRX}boolean")
    if boolean is not None:
        return (boolean.text or "").strip() == "true"
    names = tuple(variable.attrib["name"] for variable in root.iter(f"{_SRX}variable"))
    rows = []
    for result in root.iter(f"{_SRX}result"):
        row: dict[str, Term] = {}
        for binding in result.iter(f"{_SRX}binding"):
            (value,) = binding
            text = value.text or ""
            if value.tag == f"{_SRX}uri":
                row[binding.attrib["name"]] = ("iri", text)
            elif value.tag == f"{_SRX}bnode":
                row[binding.attrib["name"]] = ("blank", text)
            else:
                datatype = value.attrib.get("datatype", XSD + "string")
                row[binding.attrib["name"]] = _literal(text, datatype, value.attrib.get(_LANG))
        rows.append(row)
    return Rows(names, tuple(rows))


def _from_json(document: Any) -> Rows | bool:
    if "boolean" in document:
        return bool(document["boolean"])
    rows = []
    for binding in document["results"]["bindings"]:
        row: dict[str, Term] = {}
        for name, term in binding.items():
            match term["type"]:
                case "uri":
                    row[name] = ("iri", term["value"])
                case "bnode":
                    row[name] = ("blank", term["value"])
                case _:
                    datatype = term.get("datatype", XSD + "string")
                    row[name] = _literal(term["value"], datatype, term.get("xml:lang"))
        rows.append(row)
    return Rows(tuple(document["head"]["vars"]), tuple(rows))


def same_rows(expected: Rows, actual: Rows, *, ordered: bool) -> bool:
    """Return whether two answers have equal columns and rows.

    Names of blank nodes may differ, and the order of rows too, unless ``ordered``.
    """
    if set(expected.names) != set(actual.names) or len(expected.rows) != len(actual.rows):
        return False
    if ordered:
        naming: dict[Term, Term] = {}
        return all(_matches(a, b, naming) for a, b in zip(expected.rows, actual.rows, strict=True))
    ground = [row for row in expected.rows if not _blanks(row)]
    others = [row for row in expected.rows if _blanks(row)]
    actual_ground = [row for row in actual.rows if not _blanks(row)]
    actual_others = [row for row in actual.rows if _blanks(row)]
    frozen = [Counter(frozenset(row.items()) for row in rows) for rows in (ground, actual_ground)]
    return frozen[0] == frozen[1] and _assigned(others, actual_others, {})


def _blanks(row: Row) -> bool:
    return any(term[0] == "blank" for term in row.values())


def _matches(a: Row, b: Row, naming: dict[Term, Term]) -> bool:
    """Return whether two rows are equal under a mapping of blank nodes, which is extended."""
    if a.keys() != b.keys():
        return False
    for name, term in a.items():
        other = b[name]
        if (term[0] == "blank") != (other[0] == "blank"):
            return False
        if term[0] != "blank":
            if term != other:
                return False
        elif term in naming:
            if naming[term] != other:
                return False
        elif other in naming.values():
            return False
        else:
            naming[term] = other
    return True


def _assigned(rows: Sequence[Row], others: Sequence[Row], naming: dict[Term, Term]) -> bool:
    if not rows:
        return True
    for index, other in enumerate(others):
        trial = dict(naming)
        if _matches(rows[0], other, trial) and _assigned(rows[1:], [*others[:index], *others[index + 1 :]], trial):
            return True
    return False


def graph_of(body: bytes, rdf_format: ox.RdfFormat, base: str) -> list[ox.Triple]:
    """Return the triples of a serialized graph."""
    return [quad.triple for quad in ox.parse(input=body, format=rdf_format, base_iri=base)]


def same_graph(expected: Sequence[ox.Triple], actual: Sequence[ox.Triple]) -> bool:
    """Return whether two graphs are isomorphic (RDF 1.1 Concepts, section 3.6)."""
    graphs = [ox.Dataset(ox.Quad(t.subject, t.predicate, t.object) for t in triples) for triples in (expected, actual)]
    for graph in graphs:
        graph.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return graphs[0] == graphs[1]
