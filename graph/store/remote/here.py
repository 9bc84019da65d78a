"""Queries that an engine answers wrongly, answered here: what they read is fetched, and the embedded engine joins it.

Virtuoso 7.2.5 loses rows of queries with several OPTIONAL and BOUND, by the plan that it happens to choose, and refuses
some with MINUS or EXISTS. Look-ups it answers rightly. So of such a query the triples of each property that it names
are fetched, graph by graph as they stand, and the query runs over them: the same rows, at the cost of what is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice

import pyoxigraph as ox

from graph.errors import BadQuery
from ontology.namespaces import RDF

#: How many quads are fetched for a query at most.
MOST = 5_000_000
# How many are kept at most from one query to the next.
_KEPT = 200_000

_DOUBTFUL = re.compile(r"MINUS|EXISTS|BOUND|COALESCE", re.IGNORECASE)
_TOKEN = re.compile(
    r"""\#[^\n]*|(?P<string>"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<iri><[^<>"{}|^`\\\s]*>)|(?P<name>[\w.-]*:[\w.%-]*)|(?P<variable>[?$]\w+)|(?P<value>[+-]?[0-9][\w.]*|true\b|false\b)"""
    r"""|(?P<word>[A-Za-z_]+)|(?P<sign>\S)""",
    re.DOTALL,
)
_TERMS = frozenset({"iri", "name", "variable", "string", "value"})
#: Words behind which variables stand in a row that is no triple, up to the next brace.
_ROWS = frozenset({"SELECT", "BY"})


def is_doubtful(query: str) -> bool:
    """Whether a query has a word that is not to be trusted.

    >>> is_doubtful("SELECT ?s { ?s ?p 'MINUS' } # EXISTS"), is_doubtful("SELECT ?s { ?s ?p ?o MINUS { ?s ?q 1 } }")
    (False, True)
    """
    return any(found["word"] and _DOUBTFUL.fullmatch(found["word"]) for found in _TOKEN.finditer(query))


class Kept:
    """A small cache of the quads of properties, shared by a few queries."""

    def __init__(self) -> None:
        self._quads: dict[ox.NamedNode | None, list[ox.Quad]] = {}
        self._room = _KEPT

    def of(self, name: ox.NamedNode | None, look_up: Callable[[], Iterator[ox.Quad]]) -> Iterator[ox.Quad]:
        """The quads of a property.

        Args:
            name: the property; None for all.
            look_up: fetches them.
        """
        if name not in self._quads:
            found = look_up()
            first = list(islice(found, self._room + 1))
            if len(first) > self._room:
                return chain(first, found)
            self._quads[name] = first
            self._room -= len(first)
        return iter(self._quads[name])


def fetched(query: str, look_up: Callable[[ox.NamedNode | None], Iterator[ox.Quad]]) -> ox.Store:
    """The quads that a query may read.

    Args:
        query: without what asks other hosts.
        look_up: gives all quads of a property; of None, of all.

    Raises:
        BadQuery: there are too many.
    """
    store = ox.Store()
    count = 0
    batch: list[ox.Quad] = []
    for name in _properties(query):
        for quad in look_up(None if name is None else ox.NamedNode(name)):
            batch.append(quad)
            count += 1
            if count > MOST:
                raise BadQuery(
                    f"the query reads more than {MOST} triples, and this engine can't be trusted to join them"
                )
        store.bulk_extend(batch)
        batch = []
    return store


def _properties(query: str) -> list[str] | list[None]:
    """The IRIs that a query names, among them its properties; or None, where a property is a variable."""
    prefixes: dict[str, str] = {}
    found: dict[str, None] = {}
    tokens = [(one.lastgroup or "comment", one[0]) for one in _TOKEN.finditer(query)]
    tokens = [one for one in tokens if one[0] != "comment"]
    in_row = False
    around = zip([("sign", ""), *tokens], tokens, [*tokens[1:], ("sign", "")], strict=False)
    for (before, left), (kind, text), (after, right) in around:
        in_row = (in_row and text != "{") or text.upper() in _ROWS
        if kind == "name" and left.upper() == "PREFIX":
            prefixes[text[:-1]] = right[1:-1]
        elif kind == "name":
            label, _, local = text.partition(":")
            found[prefixes.get(label, "") + local] = None
        elif (kind == "iri" and before != "name") or (kind == "iri" and left[:-1] not in prefixes):
            found[text[1:-1]] = None
        elif text == "a":
            found[RDF["type"]] = None
        elif kind == "variable" and not in_row and _joins(before, left) and (after in _TERMS or right in ("[", "(")):
            return [None]
    return list(found)


def _joins(kind: str, text: str) -> bool:
    """Return whether a property may follow."""
    return kind in _TERMS or text == ";"
