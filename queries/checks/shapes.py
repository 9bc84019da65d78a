"""The shapes as values: ``ontology/shapes.ttl`` read back, each part of SHACL that it uses and no other.

The names of section numbers are those of SHACL (W3C Recommendation, 2017).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import pyoxigraph as ox

from ontology.describing import DQV, LDQD, SH
from ontology.namespaces import RDF

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
        code: what it is called, the end of its IRI.
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
