"""A query of the catalogue as a text that stands for itself: the values of its parameters written into it."""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox

from queries.catalogue import Query
from queries.projection import TOKEN

__all__ = ["spelled"]

#: Words behind which variables are listed by which rows are grouped or ordered, and those behind which they are not.
_LISTS = ("GROUP", "ORDER")
_ENDS = ("HAVING", "LIMIT", "OFFSET", "VALUES", "SELECT")


def spelled(query: Query, values: Mapping[str, object]) -> str:
    """The query with its parameters written out, to be sent to any endpoint over the same data: the same rows.

    The outermost SELECT projects a value under the name of its parameter. Elsewhere the value stands in its place.
    Nothing is left of the parameter where an inner SELECT projects it, or rows are grouped or ordered by it: it is the
    same in all. One that VALUES bind stays a variable, and its value is bound first.

    Args:
        query: of the catalogue.
        values: as for :meth:`queries.catalogue.Query.rows`.

    Raises:
        BadParameter: a value is missing, not declared, or not of its kind.

    >>> from queries.catalogue import named
    >>> text = spelled(named("providers"), {})
    >>> text == named("providers").text
    True
    """
    terms = query.bindings(values)
    bound = _bound_by_values(query.text) & set(terms)
    binding = "".join(f" VALUES ?{name} {{ {terms[name]} }}" for name in sorted(bound))
    return _written(query.text, {name: term for name, term in terms.items() if name not in bound}, binding)


def _bound_by_values(text: str) -> set[str]:
    """The variables that stand at the head of VALUES."""
    found: set[str] = set()
    heading = False
    for token in TOKEN.finditer(text):
        heading = (heading and token["sign"] != "{") or (token["word"] or "").upper() == "VALUES"
        if heading and token["variable"]:
            found.add(token["variable"])
    return found


def _written(text: str, terms: Mapping[str, ox.NamedNode | ox.Literal], binding: str) -> str:
    made: list[str] = []
    last = brackets = braces = 0
    heading = listing = False
    for token in TOKEN.finditer(text):
        variable, sign, word = token["variable"], token["sign"], (token["word"] or "").upper()
        made.append(text[last : token.start()])
        last = token.end()
        if word == "SELECT":
            heading, brackets = True, 0
        listing = word in _LISTS or (listing and word not in _ENDS and sign != "}")
        brackets += {"(": 1, ")": -1}.get(sign or "", 0)
        term = terms.get(variable or "")
        if term is None:
            made.append(token[0])
        elif brackets > 0 or not (heading or listing):
            made.append(str(term))
        elif heading and braces == 0:
            made.append(f"({term} AS ?{variable})")
        if sign == "{":
            heading = False
            made.append(binding if braces == 0 else "")
        braces += {"{": 1, "}": -1}.get(sign or "", 0)
    return "".join((*made, text[last:]))
