"""A second engine for the queries of the catalogue: rdflib, another implementation of SPARQL 1.1 in another language.

Values of parameters are written into the text of the query; our own engine binds them. So both ways of passing a
parameter are compared too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyoxigraph as ox
from rdflib import Dataset
from rdflib.query import ResultRow
from rdflib.term import Literal, Node
from rdflib.util import from_n3

from graph.store import Store
from tests.support.engines import embedded

_TOKEN = re.compile(r"""<[^<>"{}|^`\\\s]*>|"(?:[^"\\\n]|\\.)*"|\#[^\n]*|[?$]\w+|[A-Za-z]+|[{}()]""")


class SecondEngine:
    """The quads of a store in rdflib, queried over the union of all graphs."""

    def __init__(self, store: Store) -> None:
        self._dataset = Dataset(default_union=True)
        for quad in embedded(store):
            subject, predicate, target = (_term(node) for node in quad.triple)
            self._dataset.graph(quad.graph_name.value).add((subject, predicate, target))

    def rows(self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal]) -> list[dict[str, str]]:
        """Return the rows of a SELECT; :func:`cell_of` writes each cell."""
        result = self._dataset.query(_given(query, {name: str(term) for name, term in values.items()}))
        names = [str(var) for var in result.vars or ()]
        return [
            {name: cell_of(cell) for name, cell in zip(names, row, strict=True)}
            for row in result
            if isinstance(row, ResultRow)
        ]


def _term(term: object) -> Node:
    read = from_n3(str(term))
    assert isinstance(read, Node)
    return read


def cell_of(term: object) -> str:
    """Return a term as text that is the same for both engines: N-Triples, without rdflib's abbreviations."""
    if term is None:
        return ""
    if isinstance(term, Literal):
        return term.n3() if term.datatype is None else f'"{term}"^^<{term.datatype}>'
    if isinstance(term, Node):
        return term.n3()
    return str(term)


def _given(query: str, values: Mapping[str, str]) -> str:
    """Return the query with each parameter ``?a`` replaced by its term, and in a projection by ``(term AS ?a)``."""
    written: list[str] = []
    heading = grouping = False
    brackets = index = 0
    for token in _TOKEN.finditer(query):
        word = token[0]
        written.append(query[index : token.start()])
        index = token.end()
        if word.upper() == "SELECT":
            heading, brackets = True, 0
        elif word == "{" or word.upper() == "WHERE":
            heading = False
        elif word.upper() in ("GROUP", "HAVING", "ORDER"):
            grouping = word.upper() == "GROUP"
        elif word == "}":
            grouping = False
        elif word in "()":
            brackets += 1 if word == "(" else -1
        elif word[1:] in values and word[0] in "?$":
            term = values[word[1:]]
            word = "" if grouping else f"({term} AS {word})" if heading and brackets == 0 else term
        written.append(word)
    return "".join((*written, query[index:]))
