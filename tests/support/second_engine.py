"""A second engine to put the catalogue to: rdflib, another implementation of SPARQL 1.1 in another language.

Values are put into the text of the query, term for term, where our own engine substitutes them: so the two ways of
giving a parameter are held against each other too.
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

__all__ = ["SecondEngine", "cell_of"]

_TOKEN = re.compile(r"""<[^<>"{}|^`\\\s]*>|"(?:[^"\\\n]|\\.)*"|\#[^\n]*|[?$]\w+|[A-Za-z]+|[{}()]""")


class SecondEngine:
    """The quads of a store, asked by rdflib over the union of all graphs."""

    def __init__(self, store: Store) -> None:
        self._dataset = Dataset(default_union=True)
        for quad in embedded(store):
            subject, predicate, target = (_term(each) for each in quad.triple)
            self._dataset.graph(quad.graph_name.value).add((subject, predicate, target))

    def rows(self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal]) -> list[dict[str, str]]:
        """The answer to a SELECT, each cell as :func:`cell_of` writes it."""
        found = self._dataset.query(_given(query, {name: str(term) for name, term in values.items()}))
        names = [str(one) for one in found.vars or ()]
        return [
            {name: cell_of(cell) for name, cell in zip(names, row, strict=True)}
            for row in found
            if isinstance(row, ResultRow)
        ]


def _term(term: object) -> Node:
    read = from_n3(str(term))
    assert isinstance(read, Node)
    return read


def cell_of(term: object) -> str:
    """A term so that both engines write it alike: what N-Triples says, with numbers and booleans in one spelling."""
    if term is None:
        return ""
    if isinstance(term, Literal):
        return term.n3() if term.datatype is None else f'"{term}"^^<{term.datatype}>'
    if isinstance(term, Node):
        return term.n3()
    return str(term)


def _given(query: str, values: Mapping[str, str]) -> str:
    """The query with each parameter replaced: ``?a`` by the term, in a projection by ``(term AS ?a)``."""
    written: list[str] = []
    heading = grouping = False
    brackets = at = 0
    for token in _TOKEN.finditer(query):
        word = token[0]
        written.append(query[at : token.start()])
        at = token.end()
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
    return "".join((*written, query[at:]))
