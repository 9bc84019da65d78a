"""Reads the shapes of ontology/shapes.ttl, and makes one SPARQL query for each constraint; its rows are the results.

Section numbers are those of SHACL (W3C Recommendation, 2017).

The engine evaluates encoded terms and decodes only failures, which makes checks of a large store feasible
(docs/decisions/0010). A result may have several consecutive rows, one for each graph that states it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TypeAlias

import pyoxigraph as ox

from ontology.describing import SH
from ontology.namespaces import PREFIXES, RDF, XSD

#: The namespace of the shapes; the local names are the codes of checks.
SHAPES = "https://w3id.org/vigente/shapes#"

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


class Severity(StrEnum):
    """The severity of a result (section 2.1.4), the worst first."""

    VIOLATION = "violation"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class PropertyPath:
    """A property path (section 2.3.1): one predicate or one of several, forwards or backwards."""

    predicates: tuple[str, ...]
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint (section 4), by the local name of its parameter, such as ``minCount``.

    Attributes:
        value: the value of the parameter, or the items if the value is a list.
        shapes: the shapes of ``sh:or``.
    """

    parameter: str
    value: tuple[Term, ...] = ()
    shapes: tuple[Shape, ...] = ()

    @property
    def component(self) -> str:
        """Return the local name of the constraint component, which identifies results."""
        return f"{self.parameter[:1].upper()}{self.parameter[1:]}ConstraintComponent"


@dataclass(frozen=True, slots=True)
class Shape:
    """A condition on a node, or (with a path) on the values of a property."""

    path: PropertyPath | None
    constraints: tuple[Constraint, ...]
    properties: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """The nodes of a check (section 2.1.3): all of a class, or all subjects of a property."""

    kind: str
    iri: str


@dataclass(frozen=True, slots=True)
class Check:
    """One check: a shape with its targets.

    Attributes:
        code: the local name of its IRI.
        query: the SELECT of a SPARQL constraint (section 5); None for any other.
    """

    code: str
    severity: Severity
    message: str
    mensagem: str
    targets: tuple[Target, ...]
    shape: Shape
    query: str | None = None

    @property
    def iri(self) -> str:
        """Return the IRI of the shape."""
        return SHAPES + self.code


_LISTS = ("in", "languageIn", "or")
_PARAMETERS = (
    *("class", "datatype", "hasValue", "in", "languageIn", "lessThan", "lessThanOrEquals", "maxCount", "minCount"),
    *("minInclusive", "nodeKind", "or", "pattern", "uniqueLang"),
)
_TARGETS = {"targetClass": "class", "targetSubjectsOf": "subjects"}


class _Graph:
    """The triples of the file by subject and predicate."""

    def __init__(self, text: bytes) -> None:
        self._objects: dict[Term, dict[str, list[Term]]] = {}
        for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
            self._objects.setdefault(quad.subject, {}).setdefault(quad.predicate.value, []).append(quad.object)

    def all(self, subject: Term, predicate: str) -> list[Term]:
        return self._objects.get(subject, {}).get(predicate, [])

    def one(self, subject: Term, predicate: str) -> Term | None:
        return next(iter(self.all(subject, predicate)), None)

    def items(self, head: Term) -> Iterator[Term]:
        while (first := self.one(head, RDF["first"])) is not None:
            yield first
            rest = self.one(head, RDF["rest"])
            assert rest is not None  # noqa: S101 - a list of the file
            head = rest

    def subjects(self) -> Iterator[tuple[ox.NamedNode, Mapping[str, list[Term]]]]:
        for subject, objects in self._objects.items():
            if isinstance(subject, ox.NamedNode):
                yield subject, objects


@cache
def checks() -> Mapping[str, Check]:
    """Return all checks by code, in the order of the file."""
    graph = _Graph(files("ontology").joinpath("shapes.ttl").read_bytes())
    targets: dict[Term, list[Target]] = {}
    for subject, objects in graph.subjects():
        own = [Target(kind, value(term)) for name, kind in _TARGETS.items() for term in graph.all(subject, SH[name])]
        for held in (subject, *objects.get(SH["property"], ())):
            targets.setdefault(held, []).extend(own)
    checks_by_code = {}
    for subject, objects in graph.subjects():
        if SH["severity"] in objects:
            shape_check = _check(graph, subject, tuple(targets[subject]))
            checks_by_code[shape_check.code] = shape_check
    return checks_by_code


def _check(graph: _Graph, subject: ox.NamedNode, targets: tuple[Target, ...]) -> Check:
    messages = {
        str(text.language): text.value for text in graph.all(subject, SH["message"]) if isinstance(text, ox.Literal)
    }
    sparql = graph.one(subject, SH["sparql"])
    select = None if sparql is None else graph.one(sparql, SH["select"])
    return Check(
        subject.value.removeprefix(SHAPES),
        Severity(value(graph.one(subject, SH["severity"])).removeprefix(str(SH)).lower()),
        messages["en"],
        messages["pt-br"],
        targets,
        _shape(graph, subject),
        None if select is None else value(select),
    )


def _shape(graph: _Graph, node: Term) -> Shape:
    constraints = []
    for parameter in _PARAMETERS:
        for term in graph.all(node, SH[parameter]):
            values = tuple(graph.items(term)) if parameter in _LISTS else (term,)
            if parameter == "or":
                constraints.append(Constraint("or", (), tuple(_shape(graph, alternative) for alternative in values)))
            else:
                constraints.append(Constraint(parameter, values))
    path = graph.one(node, SH["path"])
    inner = (
        ()
        if path is not None
        else tuple(_shape(graph, property_node) for property_node in graph.all(node, SH["property"]))
    )
    return Shape(None if path is None else _path(graph, path), tuple(constraints), inner)


def _path(graph: _Graph, node: Term) -> PropertyPath:
    inverse = graph.one(node, SH["inversePath"])
    several = graph.one(node, SH["alternativePath"])
    if inverse is not None:
        return PropertyPath((value(inverse),), inverse=True)
    if several is not None:
        return PropertyPath(tuple(map(value, graph.items(several))))
    return PropertyPath((value(node),))


def value(term: Term | None) -> str:
    """Return the IRI or the text of a term, which must be an IRI or a literal."""
    assert isinstance(term, ox.NamedNode | ox.Literal)  # noqa: S101 - the file is ours, and a test checks it
    return term.value


#: The component of SPARQL constraints (SHACL, section 5).
BY_QUERY = "SPARQLConstraintComponent"

#: Expressions that raise an error for an invalid text of a datatype, and hold for any valid one.
_READABLE = {
    XSD["date"]: "YEAR({0}) > -100000",
    XSD["dateTime"]: "YEAR({0}) > -100000",
    XSD["integer"]: "ABS({0}) >= 0",
}


def queries_of(check: Check) -> Iterator[tuple[str, str]]:
    """Yield the queries of a check, each with its constraint component."""
    if check.query is not None:
        lines = (f"PREFIX {prefix}: <{iri}>" for prefix, iri in PREFIXES.items() if f"{prefix}:" in check.query)
        among = " || ".join(f"EXISTS {{ {target_pattern(target)} }}" for target in check.targets)
        asked = check.query.replace("$this", "?this")  # a subquery, so that targets are evaluated only for failures
        yield BY_QUERY, "\n".join((*lines, f"SELECT * WHERE {{ {{ {asked} }} FILTER ({among}) }}"))
        return
    shape = check.shape
    for constraint in shape.constraints:
        for target in check.targets:
            yield constraint.component, _Query().results(shape.path, constraint, target)


def target_pattern(target: Target) -> str:
    if target.kind == "class":
        return f"?this <{RDF['type']}> <{target.iri}>"
    return f"?this <{target.iri}> ?anything"


def _triple(path: PropertyPath, focus: str, target: str) -> str:
    predicate = "|".join(f"<{iri}>" for iri in path.predicates)
    return f"{target} {predicate} {focus}" if path.inverse else f"{focus} {predicate} {target}"


class _Query:
    """One query during construction; its variables are numbered."""

    def __init__(self) -> None:
        self._numbers = count()

    def _fresh_variable(self) -> str:
        return f"?x{next(self._numbers)}"

    def results(self, path: PropertyPath | None, constraint: Constraint, target: Target) -> str:
        """Return the query for the nodes of the target that fail the constraint, with the failing value."""
        among = target_pattern(target)
        within = f"FILTER EXISTS {{ {among} }}"
        if path is None:
            return f"SELECT ?this (?this AS ?value) WHERE {{ {among} FILTER (!({self._holds(constraint, '?this')})) }}"
        triple = _triple(path, "?this", "?value")
        match constraint.parameter:
            case "minCount":
                return f"SELECT ?this WHERE {{ {among} FILTER NOT EXISTS {{ {triple} }} }}"
            case "maxCount" if value(constraint.value[0]) == "0":
                return f"SELECT DISTINCT ?this WHERE {{ {triple} {within} }}"
            case "maxCount":
                other = f"{_triple(path, '?this', '?other')} FILTER (!sameTerm(?other, ?value))"
                return f"SELECT DISTINCT ?this WHERE {{ {triple} FILTER EXISTS {{ {other} }} {within} }}"
            case "uniqueLang":
                other = (
                    f"{_triple(path, '?this', '?other')} "
                    "FILTER (!sameTerm(?other, ?value) && LANG(?other) = LANG(?value) && LANG(?value) != '')"
                )
                return f"SELECT DISTINCT ?this WHERE {{ {triple} FILTER EXISTS {{ {other} }} {within} }}"
            case "lessThan" | "lessThanOrEquals":
                sign = "<" if constraint.parameter == "lessThan" else "<="
                other = f"?this <{value(constraint.value[0])}> ?other"
                return (
                    f"SELECT DISTINCT ?this ?value WHERE {{ {triple} . {other} "
                    f"FILTER (!COALESCE(?value {sign} ?other, false)) {within} }}"
                )
            case _:
                return (
                    f"SELECT ?this ?value WHERE {{ {triple} FILTER (!({self._holds(constraint, '?value')})) {within} }}"
                )

    def _holds(self, constraint: Constraint, node: str) -> str:
        """Return an expression that tests whether a node fulfils a constraint. It raises no SPARQL error."""
        values = constraint.value
        match constraint.parameter:
            case "datatype":
                return _datatype_expression(node, value(values[0]))
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
        """Return an expression that tests whether a node conforms to a shape within another."""
        if shape.path is None:
            conditions = [*(self._holds(constraint, node) for constraint in shape.constraints)]
            conditions += [self._conforms(property_shape, node) for property_shape in shape.properties]
        else:
            conditions = [self._values_expression(shape.path, constraint, node) for constraint in shape.constraints]
        return " && ".join(f"({condition})" for condition in conditions)

    def _values_expression(self, path: PropertyPath, constraint: Constraint, node: str) -> str:
        variable = self._fresh_variable()
        triple = _triple(path, node, variable)
        if constraint.parameter == "minCount":
            return f"EXISTS {{ {triple} }}"
        if constraint.parameter == "hasValue":
            return f"EXISTS {{ {_triple(path, node, str(constraint.value[0]))} }}"
        return f"!EXISTS {{ {triple} FILTER (!({self._holds(constraint, variable)})) }}"


def _datatype_expression(node: str, datatype: str) -> str:
    """Return an expression that tests whether a node is a well-formed literal of a datatype (section 4.1.2)."""
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
