"""Which parameters a SPARQL query uses without projecting them: the engine would leave them free, in silence."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from graph.sparql import TOKEN


@dataclass(slots=True)
class Select:
    """One SELECT of a query.

    Attributes:
        nested: whether it stands inside another group.
        everything: whether it projects ``*``.
        projected: the variables that it projects.
        used: the variables in its expressions and between its braces, those of inner SELECTs too.
        depth: how many braces are open inside of it; None before the first.
    """

    nested: bool
    everything: bool = False
    projected: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    depth: int | None = None


def unprojected(query: str, parameters: Collection[str]) -> list[str]:
    """The parameters that the query does not project, or that an inner SELECT uses and does not project, sorted.

    >>> unprojected("SELECT ?a ?b WHERE { { SELECT ?b WHERE { ?a ?b ?c } } }", {"a"})
    ['a']
    >>> unprojected("SELECT ?a ?b WHERE { { SELECT ?a ?b WHERE { ?a ?b ?c } } }", {"a"})
    []
    """
    missing: set[str] = set()
    for select in selects(query):
        if not select.everything:
            wanted = select.used & set(parameters) if select.nested else set(parameters)
            missing |= wanted - select.projected
    return sorted(missing)


def selects(query: str) -> list[Select]:
    """Every SELECT of a query, in the order in which they begin. What is no SPARQL gives whatever it looks like."""
    found: list[Select] = []
    inside: list[Select] = []
    braces = brackets = 0
    named = False
    for token in TOKEN.finditer(query):
        variable, word, sign = token["variable"], token["word"], token["sign"]
        heading = inside[-1] if inside and inside[-1].depth is None else None
        if word is not None and word.upper() == "SELECT":
            found.append(Select(nested=braces > 0))
            inside.append(found[-1])
            brackets = 0
        elif variable is not None:
            if heading is not None and (brackets == 0 or named):
                heading.projected.add(variable)
            else:
                for select in inside:
                    select.used.add(variable)
        elif sign == "{":
            braces += 1
            if heading is not None:
                heading.depth = braces
        elif sign == "}":
            if inside and inside[-1].depth == braces:
                inside.pop()
            braces -= 1
        elif heading is not None and sign is not None:
            brackets += {"(": 1, ")": -1, "*": 0}[sign]
            heading.everything = heading.everything or (sign == "*" and brackets == 0)
        named = word is not None and word.upper() == "AS"
    return found
