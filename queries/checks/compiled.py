"""Constraints of shapes, each as one SPARQL query whose rows are results: ``?this``, and ``?value`` where there is one.

The engine runs over encoded terms and decodes only what fails, which is what makes checks of a large store bearable
(docs/decisions/0010). Rows of one result may repeat, one for each graph that says it, and come one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ontology.namespaces import PREFIXES, RDF, XSD
from queries.checks.shapes import Check, Constraint, Path, Shape, Target, value

#: The component of SPARQL constraints (SHACL, section 5).
BY_QUERY = "SPARQLConstraintComponent"

#: What errs of a text that is no value of its datatype, and holds of any that is.
_READABLE = {
    XSD["date"]: "YEAR({0}) > -100000",
    XSD["dateTime"]: "YEAR({0}) > -100000",
    XSD["integer"]: "ABS({0}) >= 0",
}


def queries_of(check: Check) -> Iterator[tuple[str, str]]:
    """The queries of a check, each with the constraint component that its rows are results of."""
    if check.query is not None:
        lines = (f"PREFIX {prefix}: <{iri}>" for prefix, iri in PREFIXES.items() if f"{prefix}:" in check.query)
        among = " || ".join(f"EXISTS {{ {_target(target)} }}" for target in check.targets)
        asked = check.query.replace("$this", "?this")  # within, so that the targets are looked at of what fails alone
        yield BY_QUERY, "\n".join((*lines, f"SELECT * WHERE {{ {{ {asked} }} FILTER ({among}) }}"))
        return
    shape = check.shape
    for constraint in shape.constraints:
        for target in check.targets:
            yield constraint.component, _Query().results(shape.path, constraint, target)


def targets_of(target: Target) -> str:
    """The query for how many nodes a target has; ``?n`` is at least that many."""
    return f"SELECT (COUNT(DISTINCT ?this) AS ?n) WHERE {{ {_target(target)} }}"


def _target(target: Target) -> str:
    if target.kind == "class":
        return f"?this <{RDF['type']}> <{target.iri}>"
    return f"?this <{target.iri}> ?anything"


def _triple(path: Path, focus: str, target: str) -> str:
    predicate = "|".join(f"<{iri}>" for iri in path.predicates)
    return f"{target} {predicate} {focus}" if path.inverse else f"{focus} {predicate} {target}"


class _Query:
    """One query in the making, with variables of its own."""

    def __init__(self) -> None:
        self._numbers = count()

    def _fresh(self) -> str:
        return f"?x{next(self._numbers)}"

    def results(self, path: Path | None, constraint: Constraint, target: Target) -> str:
        """The nodes of the target that fail the constraint, with the value that does."""
        among = _target(target)
        within = f"FILTER EXISTS {{ {among} }}"
        if path is None:
            return f"SELECT ?this (?this AS ?value) WHERE {{ {among} FILTER (!({self._holds(constraint, '?this')})) }}"
        said = _triple(path, "?this", "?value")
        match constraint.parameter:
            case "minCount":
                return f"SELECT ?this WHERE {{ {among} FILTER NOT EXISTS {{ {said} }} }}"
            case "maxCount" if value(constraint.value[0]) == "0":
                return f"SELECT DISTINCT ?this WHERE {{ {said} {within} }}"
            case "maxCount":
                other = f"{_triple(path, '?this', '?other')} FILTER (!sameTerm(?other, ?value))"
                return f"SELECT DISTINCT ?this WHERE {{ {said} FILTER EXISTS {{ {other} }} {within} }}"
            case "uniqueLang":
                other = (
                    f"{_triple(path, '?this', '?other')} "
                    "FILTER (!sameTerm(?other, ?value) && LANG(?other) = LANG(?value) && LANG(?value) != '')"
                )
                return f"SELECT DISTINCT ?this WHERE {{ {said} FILTER EXISTS {{ {other} }} {within} }}"
            case "lessThan" | "lessThanOrEquals":
                sign = "<" if constraint.parameter == "lessThan" else "<="
                other = f"?this <{value(constraint.value[0])}> ?other"
                return (
                    f"SELECT DISTINCT ?this ?value WHERE {{ {said} . {other} "
                    f"FILTER (!COALESCE(?value {sign} ?other, false)) {within} }}"
                )
            case _:
                return (
                    f"SELECT ?this ?value WHERE {{ {said} FILTER (!({self._holds(constraint, '?value')})) {within} }}"
                )

    def _holds(self, constraint: Constraint, node: str) -> str:
        """Whether one node fulfils a constraint, as an expression that never errs."""
        values = constraint.value
        match constraint.parameter:
            case "datatype":
                return _of_datatype(node, value(values[0]))
            case "nodeKind":
                return f"isIRI({node})"
            case "class":
                return f"EXISTS {{ {node} <{RDF['type']}> <{value(values[0])}> }}"
            case "in":
                return " || ".join(f"sameTerm({node}, {term})" for term in values)
            case "pattern":
                return f"(!isBlank({node}) && REGEX(STR({node}), {_quoted(value(values[0]))}))"
            case "minInclusive":
                return f"COALESCE({node} >= {values[0]}, false)"
            case "languageIn":
                ranges = " || ".join(f"langMatches(LANG({node}), {term})" for term in values)
                return f"COALESCE({ranges}, false)"
            case _:
                return " || ".join(f"({self._conforms(shape, node)})" for shape in constraint.shapes)

    def _conforms(self, shape: Shape, node: str) -> str:
        """Whether a node conforms to a shape within another."""
        if shape.path is None:
            said = [*(self._holds(each, node) for each in shape.constraints)]
            said += [self._conforms(each, node) for each in shape.properties]
        else:
            said = [self._of_values(shape.path, each, node) for each in shape.constraints]
        return " && ".join(f"({one})" for one in said)

    def _of_values(self, path: Path, constraint: Constraint, node: str) -> str:
        found = self._fresh()
        said = _triple(path, node, found)
        if constraint.parameter == "minCount":
            return f"EXISTS {{ {said} }}"
        if constraint.parameter == "hasValue":
            return f"EXISTS {{ {_triple(path, node, str(constraint.value[0]))} }}"
        return f"!EXISTS {{ {said} FILTER (!({self._holds(constraint, found)})) }}"


def _of_datatype(node: str, datatype: str) -> str:
    """Whether a node is a well-formed literal of a datatype (section 4.1.2)."""
    if datatype == RDF["langString"]:
        return f"COALESCE(LANG({node}) != '', false)"
    same = f"COALESCE(DATATYPE({node}) = <{datatype}>, false)"
    readable = _READABLE.get(datatype)
    return same if readable is None else f"{same} && COALESCE({readable.format(node)}, false)"


def _quoted(text: str) -> str:
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    )
    return f'"{escaped}"'
