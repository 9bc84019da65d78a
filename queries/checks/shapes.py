"""The shapes of ontology/shapes.ttl as values, and each constraint as one SPARQL query whose rows are results.

The names of section numbers are those of SHACL (W3C Recommendation, 2017).

The engine runs over encoded terms and decodes only what fails, which is what makes checks of a large store bearable
(docs/decisions/0010). Rows of one result may repeat, one for each graph that says it, and come one after the other.
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

from ontology.describing import DQV, LDQD, SH
from ontology.namespaces import PREFIXES, RDF, XSD

#: The namespace of our shapes: each is called by its code.
SHAPES = "https://w3id.org/vigente/shapes#"

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


class Severity(StrEnum):
    """How much a result matters (section 2.1.4), the worst first."""

    VIOLATION = "violation"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Path:
    """A property path (section 2.3.1): one predicate or one of several, forwards or backwards."""

    predicates: tuple[str, ...]
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint (section 4), by the local name of its parameter, such as ``minCount``.

    Attributes:
        value: the parameter's value, a list taken apart.
        shapes: the shapes of ``sh:or``.
    """

    parameter: str
    value: tuple[Term, ...] = ()
    shapes: tuple[Shape, ...] = ()

    @property
    def component(self) -> str:
        """The local name of the constraint component, which results are told by."""
        return f"{self.parameter[:1].upper()}{self.parameter[1:]}ConstraintComponent"


@dataclass(frozen=True, slots=True)
class Shape:
    """What has to hold of a node, or (with a path) of the values of a property."""

    path: Path | None
    constraints: tuple[Constraint, ...]
    properties: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """Which nodes a check looks at (section 2.1.3): all of a class, or all subjects of a property."""

    kind: str
    iri: str


@dataclass(frozen=True, slots=True)
class Check:
    """One check: a shape of its own with its targets.

    Attributes:
        code: the end of its IRI.
        dimension: what aspect of quality it measures, a local name of the list of dimensions.
        query: the SELECT of a SPARQL constraint (section 5); None for any other.
    """

    code: str
    severity: Severity
    message: str
    mensagem: str
    dimension: str
    targets: tuple[Target, ...]
    shape: Shape
    query: str | None = None

    @property
    def iri(self) -> str:
        """The shape."""
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
        self._said: dict[Term, dict[str, list[Term]]] = {}
        for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
            self._said.setdefault(quad.subject, {}).setdefault(quad.predicate.value, []).append(quad.object)

    def all(self, subject: Term, predicate: str) -> list[Term]:
        return self._said.get(subject, {}).get(predicate, [])

    def one(self, subject: Term, predicate: str) -> Term | None:
        return next(iter(self.all(subject, predicate)), None)

    def items(self, head: Term) -> Iterator[Term]:
        while (first := self.one(head, RDF["first"])) is not None:
            yield first
            rest = self.one(head, RDF["rest"])
            assert rest is not None  # noqa: S101 - a list of the file
            head = rest

    def subjects(self) -> Iterator[tuple[ox.NamedNode, Mapping[str, list[Term]]]]:
        for subject, said in self._said.items():
            if isinstance(subject, ox.NamedNode):
                yield subject, said


@cache
def checks() -> Mapping[str, Check]:
    """All checks by code, in the order of the file."""
    graph = _Graph(files("ontology").joinpath("shapes.ttl").read_bytes())
    targets: dict[Term, list[Target]] = {}
    for subject, said in graph.subjects():
        own = [Target(kind, value(term)) for name, kind in _TARGETS.items() for term in graph.all(subject, SH[name])]
        for held in (subject, *said.get(SH["property"], ())):
            targets.setdefault(held, []).extend(own)
    found = {}
    for subject, said in graph.subjects():
        if SH["severity"] in said:
            one = _check(graph, subject, tuple(targets[subject]))
            found[one.code] = one
    return found


def _check(graph: _Graph, subject: ox.NamedNode, targets: tuple[Target, ...]) -> Check:
    told = {
        str(text.language): text.value for text in graph.all(subject, SH["message"]) if isinstance(text, ox.Literal)
    }
    sparql = graph.one(subject, SH["sparql"])
    select = None if sparql is None else graph.one(sparql, SH["select"])
    return Check(
        subject.value.removeprefix(SHAPES),
        Severity(value(graph.one(subject, SH["severity"])).removeprefix(str(SH)).lower()),
        told["en"],
        told["pt-br"],
        value(graph.one(subject, DQV["inDimension"])).removeprefix(str(LDQD)),
        targets,
        _shape(graph, subject),
        None if select is None else value(select),
    )


def _shape(graph: _Graph, node: Term) -> Shape:
    found = []
    for parameter in _PARAMETERS:
        for term in graph.all(node, SH[parameter]):
            values = tuple(graph.items(term)) if parameter in _LISTS else (term,)
            if parameter == "or":
                found.append(Constraint("or", (), tuple(_shape(graph, each) for each in values)))
            else:
                found.append(Constraint(parameter, values))
    path = graph.one(node, SH["path"])
    inner = () if path is not None else tuple(_shape(graph, each) for each in graph.all(node, SH["property"]))
    return Shape(None if path is None else _path(graph, path), tuple(found), inner)


def _path(graph: _Graph, node: Term) -> Path:
    inverse = graph.one(node, SH["inversePath"])
    several = graph.one(node, SH["alternativePath"])
    if inverse is not None:
        return Path((value(inverse),), inverse=True)
    if several is not None:
        return Path(tuple(map(value, graph.items(several))))
    return Path((value(node),))


def value(term: Term | None) -> str:
    """The IRI or the text of a term that must be one."""
    assert isinstance(term, ox.NamedNode | ox.Literal)  # noqa: S101 - our own file; a test reads it with another parser
    return term.value


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
