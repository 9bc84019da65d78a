"""Tokens of a SPARQL query, and replacement of its variables by values in the text."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyoxigraph as ox

#: The tokens of a query that are used here. IRIs and strings are matched first, so that their content is not read as a
#: comment, a word or a brace.
TOKEN = re.compile(
    r"""<[^<>"{}|^`\\\s]*>"""
    r'''|"{3}(?:[^"\\]|\\.|"(?!""))*"{3}|"(?:[^"\\\n]|\\.)*"'''
    r"""|'{3}(?:[^'\\]|\\.|'(?!''))*'{3}|'(?:[^'\\\n]|\\.)*'"""
    r"""|\#[^\n]*|[?$](?P<variable>\w+)|(?P<word>[A-Za-z][\w.-]*)|(?P<sign>[{}()*])""",
    re.ASCII | re.DOTALL,
)

#: Keywords that begin a list of variables for grouping or sorting, and keywords that end such a list.
_LISTS = ("GROUP", "ORDER")
_ENDS = ("HAVING", "LIMIT", "OFFSET", "VALUES", "SELECT")
#: The content of a list from which all variables were removed.
_ANY = '("")'


def substitute_variables(text: str, terms: Mapping[str, ox.NamedNode | ox.Literal]) -> str:
    """Return a SELECT query with values instead of some projected variables. Its rows are those of the engine's own
    substitution.

    The outermost SELECT projects the value under the name of its variable. In patterns and expressions the value
    replaces the variable. The variable is removed where an inner SELECT projects it, or where rows are grouped or
    sorted by it, because it has the same value in all rows. A variable of VALUES is kept, and its value is bound
    first.

    >>> substitute_variables("SELECT ?a ?b WHERE { ?a ?p ?b } ORDER BY ?a", {"a": ox.NamedNode("urn:x")})
    'SELECT (<urn:x> AS ?a) ?b WHERE { <urn:x> ?p ?b } ORDER BY ("")'
    """
    bound = _bound_by_values(text) & set(terms)
    binding = "".join(f" VALUES ?{name} {{ {terms[name]} }}" for name in sorted(bound))
    return _substituted(text, {name: term for name, term in terms.items() if name not in bound}, binding)


def _bound_by_values(text: str) -> set[str]:
    """Return the names of the variables of all VALUES clauses."""
    variables: set[str] = set()
    heading = False
    for token in TOKEN.finditer(text):
        heading = (heading and token["sign"] != "{") or (token["word"] or "").upper() == "VALUES"
        if heading and token["variable"]:
            variables.add(token["variable"])
    return variables


def _substituted(text: str, terms: Mapping[str, ox.NamedNode | ox.Literal], binding: str) -> str:
    made: list[str] = []
    last = brackets = braces = 0
    heading = listing = False
    listed: int | None = None  # the position in `made` for _ANY if the list is empty
    for token in TOKEN.finditer(text):
        variable, sign, word = token["variable"], token["sign"], (token["word"] or "").upper()
        made.append(text[last : token.start()])
        last = token.end()
        if word == "SELECT":
            heading, brackets = True, 0
        listing = word in _LISTS or (listing and word not in _ENDS and sign != "}")
        brackets += {"(": 1, ")": -1}.get(sign or "", 0)
        term = terms.get(variable or "")
        if listed is not None and (not listing or word in _LISTS):
            made[listed], listed = _ANY, None
        if term is None:
            made.append(token[0])
            listed = None if listing and (variable or sign) else listed
        elif brackets > 0 or not (heading or listing):
            made.append(str(term))
        elif heading and braces == 0:
            made.append(f"({term} AS ?{variable})")
        elif listing:
            made.append("")
            listed = len(made) - 1 if _is_first_of_list(made) else listed
        if sign == "{":
            heading = False
            made.append(binding if braces == 0 else "")
        braces += {"{": 1, "}": -1}.get(sign or "", 0)
    if listed is not None:
        made[listed] = _ANY
    return "".join((*made, text[last:]))


def _is_first_of_list(made: list[str]) -> bool:
    """Return whether the list has nothing yet: the last token is BY."""
    return next((token.upper() for token in reversed(made) if token.strip()), "") == "BY"
