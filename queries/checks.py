"""Checks of a whole store: its shapes (ontology/shapes.ttl) as queries, and a comparison of stored and derived
periods."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import count, islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import BinaryIO, TypeAlias

import pyoxigraph as ox

from graph.acts import OF_YEAR, SAME_ACT, Acts
from graph.entities import Item, ItemKind
from graph.errors import StoreDamaged, VigenteError
from graph.patterns import Patterns
from graph.process import available
from graph.record_rules import Profile, RecordFinding, RecordRule, RecordRules
from graph.statements import StatementsReader
from graph.store import Store, open_snapshot
from graph.store.comparison import IndexComparison
from graph.store.derivation import DERIVES, act_lines, derivation_lines, period_lines
from graph.store.embedded import translating_engine_errors
from graph.summaries import pack_derived
from graph.terms import Cell, boolean, iri, moment, number, read, string
from graph.time.events import History, Member
from graph.time.evidence import DecidedDays, Evidence
from graph.time.force import derive
from graph.time.intervals import Interval
from graph.urn import from_iri, parse
from ontology.describing import DQV, SH
from ontology.events import EventKind, rank
from ontology.iris import DERIVED_GRAPH, hashed_iri, provider_iri, provider_of
from ontology.namespaces import CRM, DCTERMS, FRBROO, PREFIXES, PROV, RDF, SCHEMA, VIG, XSD
from queries.contradictions import contradictions
from queries.evidence import versions
from queries.messages import message
from queries.vocabulary import vocabulary

# The records of OAI-PMH providers in a store, compared with the rules of LexML part 4 (graph/record_rules.py).


_ABOUT = ox.NamedNode(CRM["P129_is_about"])
_COPY_OF = ox.NamedNode(VIG["copiaDe"])
_URL = ox.NamedNode(SCHEMA["contentUrl"])
_FORMAT = ox.NamedNode(SCHEMA["encodingFormat"])
_KIND = ox.NamedNode(VIG["tipoItem"])
_PUBLISHER = ox.NamedNode(VIG["idPublicador"])
_RECORDS = (
    f"PREFIX vig: <{PREFIXES['vig']}> SELECT DISTINCT ?this WHERE {{ ?this vig:carregador ?loader "
    'FILTER (STRSTARTS(?loader, "oai_lexml/")) FILTER NOT EXISTS { ?this vig:lapide true } }'
)


def records_of(store: Store) -> Iterator[str]:
    """Yield the IRIs of the records of ``oai_lexml`` that are not deleted.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    for row in store.select(_RECORDS):
        yield str(row["this"])


def record_findings(store: Store, record: str, rules: RecordRules) -> Iterator[RecordFinding]:
    """Yield the rules that one record does not follow.

    Args:
        record: the IRI of the record, which is its named graph.
    """
    graph = ox.NamedNode(record)
    about = [str(read(quad.object)) for quad in store.engine.quads_for_pattern(graph, _ABOUT, None, graph)]
    names = [iri for iri in about if iri.startswith("urn:lex:")]
    if not names:
        return
    copies = store.engine.quads_for_pattern(None, _COPY_OF, None, graph)
    items = [_item(store, quad.subject, graph) for quad in copies if isinstance(quad.subject, ox.NamedNode)]
    yield from rules.findings(parse(from_iri(min(names, key=len))).work, items)


def _item(store: Store, item: ox.NamedNode, graph: ox.NamedNode) -> Item:
    kind = _value(store, item, _KIND, graph)
    return Item(
        _value(store, item, _URL, graph),
        _value(store, item, _FORMAT, graph),
        ItemKind(kind) if kind is not None else None,
        _value(store, item, _PUBLISHER, graph),
    )


def _value(store: Store, item: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> str | None:
    quads = store.engine.quads_for_pattern(item, predicate, None, graph)
    return next((str(read(quad.object)) for quad in quads), None)


# Reads the shapes of ontology/shapes.ttl, and makes one SPARQL query for each constraint; the rows of that query are
# the results.
#
# Section numbers are those of SHACL (W3C Recommendation, 2017).
#
# The engine evaluates encoded terms and decodes only failures, which makes checks of a large store feasible
# (docs/decisions/0010). A result may have several consecutive rows, one for each graph that states it.


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
        among = " || ".join(f"EXISTS {{ {_target(target)} }}" for target in check.targets)
        asked = check.query.replace("$this", "?this")  # a subquery, so that targets are evaluated only for failures
        yield BY_QUERY, "\n".join((*lines, f"SELECT * WHERE {{ {{ {asked} }} FILTER ({among}) }}"))
        return
    shape = check.shape
    for constraint in shape.constraints:
        for target in check.targets:
            yield constraint.component, _Query().results(shape.path, constraint, target)


def _target(target: Target) -> str:
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
        among = _target(target)
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


# The results of checks, their counts in bounded memory, and the report as RDF (SHACL, DQV).


#: The providers of derived data, and of results without a source.
DERIVED = "derived"
_UNNAMED = "no source named"
#: The maximum number of records named with one result, and of examples of one check.
_MOST_SOURCES = 8
_EXAMPLES = 3
_TYPE = ox.NamedNode(RDF["type"])
_KEPT = 1 << 16


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a check.

    Attributes:
        code: the code of the check.
        component: the local name of the constraint component.
        focus: the node that does not conform, an IRI.
        value: the failing value in N-Triples syntax; None if there is no single failing value.
        detail: details in addition to the message of the check; empty if there are none.
        sources: a few records that mention the node, each with its provider.
    """

    code: str
    component: str
    focus: str
    value: str | None = None
    detail: str | None = None
    sources: tuple[tuple[str, str], ...] = ()


class Sources:
    """Finds the records with statements about a node."""

    def __init__(self, store: Store) -> None:
        self._engine = store.engine
        self._whose: dict[str, str] = {}

    def of(self, node: str) -> tuple[tuple[str, str], ...]:
        """Return at most eight records with statements about a node, given by its IRI.

        Each is the IRI of the record, and its provider (or curator, or file). Records that state the type of the node
        are preferred.
        """
        subject = ox.NamedNode(node)
        graphs: dict[str, None] = {}
        for predicate in (_TYPE, None):
            for quad in self._engine.quads_for_pattern(subject, predicate, None, None):
                if isinstance(quad.graph_name, ox.NamedNode):
                    graphs[quad.graph_name.value] = None
                if len(graphs) == _MOST_SOURCES:
                    break
            if graphs:
                break
        return tuple((graph, self._source_of_graph(graph)) for graph in graphs)

    def _source_of_graph(self, graph: str) -> str:
        if graph == DERIVED_GRAPH:
            return DERIVED
        source = self._whose.get(graph)
        if source is None:
            if len(self._whose) >= _KEPT:
                self._whose.clear()
            source = self._whose[graph] = self._name_source(ox.NamedNode(graph))
        return source

    def _name_source(self, record: ox.NamedNode) -> str:
        for term, written in (
            (PROV["wasAttributedTo"], provider_of),
            (VIG["curador"], "curator {}".format),
            (VIG["origem"], "file {}".format),
        ):
            for quad in self._engine.quads_for_pattern(record, ox.NamedNode(term), None, record):
                return written(str(read(quad.object)))
        return _UNNAMED


@dataclass(slots=True)
class Tally:
    """The counted results of one check.

    Attributes:
        checked: the number of nodes checked.
        failed: the number of nodes that do not conform.
        results: the number of results; a node may have several.
        providers: the number of results by the providers of records that mention the node; one may count for several.
        examples: the first results.
    """

    check: Check
    checked: int = 0
    failed: int = 0
    results: int = 0
    providers: Counter[str] = field(default_factory=Counter)
    examples: list[Finding] = field(default_factory=list)
    _last: str | None = None

    def add(self, match: Finding) -> None:
        """Count one more result; results of one node must be consecutive."""
        self.results += 1
        if match.focus != self._last:
            self.failed += 1
            self._last = match.focus
        self.providers.update({whose for _, whose in match.sources} or {_UNNAMED})
        if len(self.examples) < _EXAMPLES:
            self.examples.append(match)

    @property
    def share(self) -> float:
        """Return the share of conforming nodes; 1.0 if there are none."""
        return 1.0 if not self.checked else max(0.0, 1 - self.failed / self.checked)

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of one check in ``check --json``."""
        return {
            "code": self.check.code,
            "severity": self.check.severity.value,
            "message": self.check.message,
            "checked": self.checked,
            "results": self.results,
            "providers": dict(sorted(self.providers.items())),
            "examples": [
                {
                    "focus": example.focus,
                    "value": example.value,
                    "detail": example.detail,
                    "sources": [record for record, _ in example.sources],
                }
                for example in self.examples
            ],
        }


def worst_first(tallies: Iterable[Tally]) -> list[Tally]:
    """Return the tallies with results, the worst severity first, then by code."""
    order = list(Severity)
    reported = (tally for tally in tallies if tally.results)
    return sorted(reported, key=lambda tally: (order.index(tally.check.severity), tally.check.code))


#: The subject of measurements: the dataset as the service describes it.
DATASET = "https://w3id.org/vigente/.well-known/void#dataset"
_IS_A = iri(RDF["type"])
_COUNTS = {Severity.VIOLATION: "violations", Severity.WARNING: "warnings", Severity.INFO: "infos"}


class Report:
    """Writes a report as N-Triples line by line, so that memory use does not grow with the report.

    Args:
        output: the file of the report.
        made: the time of the report, an aware datetime.
        snapshot: the number of the checked snapshot.

    Raises:
        OSError: the output cannot be written.
    """

    def __init__(self, output: BinaryIO, made: datetime, snapshot: str) -> None:
        self._output = output
        self._node = iri(hashed_iri("relatorio", made.isoformat(), snapshot))
        self._write(
            [
                f"{self._node} {_IS_A} {iri(SH['ValidationReport'])} .",
                f"{self._node} {iri(PROV['generatedAtTime'])} {moment(made)} .",
                f"{self._node} {iri(PROV['wasDerivedFrom'])} {iri(DATASET)} .",
            ]
        )

    def _write(self, lines: Iterable[str]) -> None:
        self._output.write("".join(f"{line}\n" for line in lines).encode())

    def take(self, match: Finding) -> None:
        """Write one result (SHACL, section 3.6), with the records that mention its node."""
        node = iri(hashed_iri("resultado", match.code, match.component, match.focus, match.value or ""))
        failed_check = checks()[match.code]
        self._write([f"{self._node} {iri(SH['result'])} {node} .", *_result(node, match, failed_check.shape.path)])

    def end(self, tallies: Iterable[Tally]) -> None:
        """Write the end of the report: whether all nodes conform (section 3.6.1), and the measurements."""
        counted = list(tallies)
        conforms = not any(tally.results for tally in counted)
        self._write([f"{self._node} {iri(SH['conforms'])} {boolean(conforms)} ."])
        for tally in counted:
            share = f'"{tally.share:.6f}"^^{iri(XSD["decimal"])}'
            self._write(self._measured(tally.check.iri, DATASET, share))
        for severity, metric in _COUNTS.items():
            total = 0
            by: Counter[str] = Counter()
            for tally in counted:
                if tally.check.severity is severity:
                    total += tally.results
                    by.update(tally.providers)
            self._write(self._measured(SHAPES + metric, DATASET, number(total)))
            for whose, results in sorted(by.items()):
                if ":" in whose and " " not in whose:
                    self._write(self._measured(SHAPES + metric, provider_iri(whose), number(results)))

    def _measured(self, metric: str, on: str, value: str) -> Iterator[str]:
        """Yield the statements of one measurement (DQV, section 5)."""
        node = iri(hashed_iri("medida", self._node, metric, on))
        yield f"{node} {_IS_A} {iri(DQV['QualityMeasurement'])} ."
        yield f"{node} {iri(DQV['isMeasurementOf'])} {iri(metric)} ."
        yield f"{node} {iri(DQV['computedOn'])} {iri(on)} ."
        yield f"{node} {iri(DQV['value'])} {value} ."
        yield f"{node} {iri(PROV['wasGeneratedBy'])} {self._node} ."


def _result(node: str, match: Finding, path: PropertyPath | None) -> Iterator[str]:
    failed_check = checks()[match.code]
    component = (SHAPES if match.component.startswith("Program") else str(SH)) + match.component
    yield f"{node} {_IS_A} {iri(SH['ValidationResult'])} ."
    yield f"{node} {iri(SH['focusNode'])} {iri(match.focus)} ."
    yield f"{node} {iri(SH['sourceShape'])} {iri(failed_check.iri)} ."
    yield f"{node} {iri(SH['sourceConstraintComponent'])} {iri(component)} ."
    yield f"{node} {iri(SH['resultSeverity'])} {iri(SH[failed_check.severity.value.capitalize()])} ."
    yield f"{node} {iri(SH['resultMessage'])} {string(failed_check.message)}@en ."
    yield f"{node} {iri(SH['resultMessage'])} {string(failed_check.mensagem)}@pt-br ."
    if match.detail is not None:
        yield f"{node} {iri(DCTERMS['description'])} {string(match.detail)} ."
    if match.value is not None:
        yield f"{node} {iri(SH['value'])} {match.value} ."
    if path is not None and len(path.predicates) == 1:
        inner = f"_:path{node[-33:-1]}"
        predicate = iri(path.predicates[0])
        yield f"{node} {iri(SH['resultPath'])} {inner if path.inverse else predicate} ."
        if path.inverse:
            yield f"{inner} {iri(SH['inversePath'])} {predicate} ."
    for record, _ in match.sources:
        yield f"{node} {iri(DCTERMS['source'])} {iri(record)} ."


# Checks of one work that need all of its versions and periods.
#
# The periods are derived again (graph/time/force.py) and compared with the stored ones. Views are compared with each
# other by the rules of LexML 1.0 part 2, section 12. If a shape has the same check in SPARQL, tests compare the two.


#: The checks implemented here.
LIFE_CHECKS = (
    "periods-follow-sources",
    "periods-overlap",
    "rectification-incomplete",
    "sources-contradict",
    "version-before-norm",
    "view-ambiguous",
    "view-before-norm",
)

#: The check of the index of names, in :mod:`graph.store.comparison`.
INDEX_CHECK = "index-follows-graph"

_DERIVED = ox.NamedNode(DERIVED_GRAPH)
_PERIOD_OF = ox.NamedNode(VIG["periodoDe"])
_HAS_MEMBER = ox.NamedNode(FRBROO["R10_has_member"])
_TO_DERIVE = ox.NamedNode(VIG["aDerivar"])
_NORM_DATE = ox.NamedNode(VIG["dataRepresentativa"])
_YEAR = re.compile("[0-9]{4}", re.ASCII)
_RECTIFIES = rank(EventKind.RETIFICACAO)
_AMENDS = rank(EventKind.ALTERACAO)
_BY_PROGRAM = "ProgramConstraintComponent"

_IS_WORK = "?this a frbroo:F15_Complex_Work FILTER NOT EXISTS { ?this vig:dispositivoDe ?whole }"
_LIVES = "?this vig:vidaPropriaEm ?norm"
#: Every work and provision that may have versions, events or periods, and every name of an act about which statements
#: are derived; the queries have disjoint results.
_WORK_QUERIES = (
    _IS_WORK,
    f"{_LIVES} FILTER NOT EXISTS {{ {_IS_WORK} }}",
    f"?event vig:alvo ?this FILTER NOT EXISTS {{ {_LIVES} }} FILTER NOT EXISTS {{ {_IS_WORK} }}",
    (
        f"?period vig:periodoDe ?this FILTER NOT EXISTS {{ {_LIVES} }} FILTER NOT EXISTS {{ {_IS_WORK} }} "
        "FILTER NOT EXISTS { ?event vig:alvo ?this }"
    ),
    (
        f"?this vig:nomeDoAno ?year FILTER NOT EXISTS {{ {_LIVES} }} FILTER NOT EXISTS {{ {_IS_WORK} }} "
        "FILTER NOT EXISTS { ?event vig:alvo ?this } FILTER NOT EXISTS { ?period vig:periodoDe ?this }"
    ),
)
_HEAD = f"PREFIX vig: <{PREFIXES['vig']}> PREFIX frbroo: <{FRBROO}> "


@dataclass(frozen=True, slots=True)
class _StoredPeriod:
    """A stored period, and the IRIs of its axes."""

    node: str
    axes: frozenset[str]
    days: Interval
    known: Interval

    def overlaps(self, other: _StoredPeriod) -> bool:
        together = self.days.overlaps(other.days) and self.known.overlaps(other.known)
        return together and not self.axes.isdisjoint(other.axes)


def works_of(store: Store) -> Iterator[str]:
    """Yield every work and provision for :func:`life_check_results`, each once.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    for query in _WORK_QUERIES:
        for row in store.select(f"{_HEAD}SELECT DISTINCT ?this WHERE {{ {query} FILTER (isIRI(?this)) }}"):
            yield str(row["this"])


def life_check_results(store: Store, works: Iterable[str]) -> Iterator[Finding]:
    """Yield the results of :data:`LIFE_CHECKS` for some works; those of one work are consecutive.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    checking = _CheckRun(store)
    with translating_engine_errors():
        for work in works:
            yield from checking.work(work)


class _CheckRun:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._engine = store.engine
        self._patterns = Patterns(store.engine)
        self._acts = Acts(self._patterns)
        self._reader = StatementsReader(self._patterns, self._acts)
        self._evidence = Evidence(self._reader.statements)

    def work(self, work: str) -> Iterator[Finding]:
        history = History()
        decided: Mapping[str, DecidedDays] = {}
        if work.startswith("urn:lex:"):
            self._reader.read([work])
            history, decided = self._evidence.history(work), self._evidence.decided_days(work)
        yield from self._periods(work, history, decided)
        yield from self._views(work, history.members)
        if _may_contradict(history):
            for notice in contradictions(self._store, parse(from_iri(work)), versions(self._store, work), None):
                yield Finding("sources-contradict", _BY_PROGRAM, work, None, message(notice))

    def _periods(self, work: str, history: History, decided: Mapping[str, DecidedDays]) -> Iterator[Finding]:
        node = ox.NamedNode(work)
        stored: set[str] = set()
        periods = []
        for period_quad in self._engine.quads_for_pattern(None, _PERIOD_OF, node, _DERIVED):
            properties: dict[str, list[Cell]] = {}
            for quad in self._engine.quads_for_pattern(period_quad.subject, None, None, _DERIVED):
                stored.add(f"{quad.subject} {quad.predicate} {quad.object} .")
                properties.setdefault(quad.predicate.value, []).append(read(quad.object))
            periods.append(_stored_period(str(read(period_quad.subject)), properties))
        yield from _overlapping_periods([period for period in periods if period is not None])
        if any(True for _ in self._engine.quads_for_pattern(node, _TO_DERIVE, None, _DERIVED)):
            return  # known to be outdated; `periods-pending` reports it
        derived = derive(history, self._evidence.causes_of(history))
        acts = self._acts.statements(work)
        for predicate in (OF_YEAR, SAME_ACT):
            stored.update(f"{node} {predicate} {iri(act)} ." for act in self._patterns.links(work, predicate))
        for version in self._patterns.links(work, _HAS_MEMBER):
            made_from = self._patterns.links(version, DERIVES)
            stored.update(f"{iri(version)} {DERIVES} {iri(origin)} ." for origin in made_from)
        derived_lines = {
            *period_lines(work, history.norm, derived),
            *act_lines(work, acts),
            *derivation_lines(self._patterns, work),
        }
        differing = stored.symmetric_difference(derived_lines)
        if not self._store.names.is_up_to_date(work, pack_derived(work, derived, decided, acts.get(SAME_ACT))):
            yield Finding("periods-follow-sources", _BY_PROGRAM, work, None, "the index of names differs")
        for period in sorted({line.partition(" ")[0] for line in differing}):
            yield Finding("periods-follow-sources", _BY_PROGRAM, work, period)

    def _views(self, work: str, members: Sequence[Member]) -> Iterator[Finding]:
        dated = [
            (m.version_date, m.view.exact, m)
            for m in members
            if m.version_date is not None and m.view.exact is not None
        ]
        yield from _ambiguous_views(work, [(start, seen, m) for start, seen, m in dated if seen is not None])
        yield from _incomplete_views(work, [(start, seen, m) for start, seen, m in dated if seen is not None])
        dates = self._engine.quads_for_pattern(ox.NamedNode(work), _NORM_DATE, None, None)
        oldest = {str(read(quad.object)) for quad in dates if _is_day_or_year(quad.object)}
        for member in members:
            for code, day in (("version-before-norm", member.version_date), ("view-before-norm", member.view.exact)):
                if day is not None and any(str(day)[: len(norm_date)] < norm_date for norm_date in oldest):
                    yield Finding(code, BY_QUERY, work, iri(member.name))


def _is_day_or_year(term: Term) -> bool:
    if isinstance(term, ox.Literal) and term.datatype.value == XSD["gYear"]:
        return _YEAR.fullmatch(term.value) is not None
    return isinstance(read(term), date)


_Dated = tuple[date, date, Member]


def _ambiguous_views(work: str, dated: Sequence[_Dated]) -> Iterator[Finding]:
    """Yield the views of one version with the same day and rank, except the last by name."""
    groups: dict[tuple[date, date, int], list[str]] = {}
    for start, seen, member in dated:
        groups.setdefault((start, seen, member.order), []).append(member.name)
    for names in groups.values():
        for name in sorted(names)[:-1]:
            yield Finding("view-ambiguous", BY_QUERY, work, iri(name))


def _incomplete_views(work: str, dated: Sequence[_Dated]) -> Iterator[Finding]:
    """Yield the views that a later rectification left unchanged, although it corrected an earlier version."""
    corrected: dict[date, date] = {}
    done = set()
    for start, seen, member in dated:
        if member.order == _RECTIFIES:
            corrected[seen] = min(start, corrected.get(seen, start))
            done.add((start, seen))
    for start, seen, member in dated if corrected else ():
        if any(seen < day and first < start and (start, day) not in done for day, first in corrected.items()):
            yield Finding("rectification-incomplete", BY_QUERY, work, iri(member.name))


def _may_contradict(history: History) -> bool:
    """Return whether two sources may differ on a date: an event that occurs only once is stated more than once."""
    if len(history.events) > 1:
        return True
    firsts = [m.order for m in history.members if m.order < _AMENDS]
    views = [m.view for m in history.members if m.order == _AMENDS]
    starts = [m.version_date for m in history.members if m.order == _AMENDS]
    return any(len(set(values)) < len(values) for values in (firsts, views, starts))


def _stored_period(node: str, properties: dict[str, list[Cell]]) -> _StoredPeriod | None:
    """Return a stored period; None if it has no start, which other checks report."""

    def day(term: str) -> date | None:
        return next((cell for cell in properties.get(VIG[term], ()) if isinstance(cell, date)), None)

    start, known_from = day("inicio"), day("conhecidoDesde")
    if start is None or known_from is None:
        return None
    axes = frozenset(str(axis) for axis in properties.get(VIG["eixo"], ()))
    return _StoredPeriod(node, axes, Interval(start, day("fim")), Interval(known_from, day("conhecidoAte")))


def _overlapping_periods(periods: list[_StoredPeriod]) -> Iterator[Finding]:
    """Yield a result for each period and each other period that it overlaps."""
    periods.sort(key=lambda period: period.days.start)
    pairs = []
    for index, period in enumerate(periods):
        for other in periods[index + 1 :]:
            if period.days.until is not None and other.days.start >= period.days.until:
                break
            if period.overlaps(other):
                pairs += [(period.node, other.node), (other.node, period.node)]
    for node, other_node in sorted(pairs):
        yield Finding("periods-overlap", BY_QUERY, node, iri(other_node))


# Runs all checks over a store in worker processes, since a running query cannot be interrupted.
#
# Each worker opens the same snapshot, runs one task after the other, and returns results in small batches. The parent
# counts them, and ends all workers when it is stopped.


#: The number of works in one task, and of records or norms compared with the index.
_WORKS_AT_ONCE, _COMPARED_AT_ONCE = 500, 50
_BATCH = 200
_WAITING = 64
#: The number of seconds without results before checking whether the workers are alive.
_LOOK_EVERY = 1.0


@dataclass(frozen=True, slots=True)
class _Task:
    """A task: list the works, check some of them, count a target's nodes, or run one query of a check.

    ``records`` are records to compare with the rules of part 4; if it is empty, the records are listed. ``compared``
    are records or norms (``of``) whose index is compared with the graph; if it is empty, they are listed.
    """

    works: tuple[str, ...] = ()
    records: tuple[str, ...] | None = None
    compared: tuple[str, ...] | None = None
    of: str = ""
    target: Target | None = None
    code: str = ""
    component: str = ""
    query: str = ""


def _tasks(wanted: list[Check]) -> Iterator[_Task]:
    """Yield the tasks, the long ones first, so that the workers finish at about the same time."""
    if any(wanted_check.code in LIFE_CHECKS for wanted_check in wanted):
        yield _Task()
    if any(wanted_check.code in set(RecordRule) for wanted_check in wanted):
        yield _Task(records=())
    if any(wanted_check.code == INDEX_CHECK for wanted_check in wanted):
        yield from (_Task(compared=(), of=of) for of in ("records", "norms", "rows"))
    for wanted_check in wanted:
        if wanted_check.code not in LIFE_CHECKS:
            for component, query in queries_of(wanted_check):
                yield _Task(code=wanted_check.code, component=component, query=query)
    for target in dict.fromkeys(target for wanted_check in wanted for target in wanted_check.targets):
        yield _Task(target=target, query=f"SELECT (COUNT(DISTINCT ?this) AS ?n) WHERE {{ {_target(target)} }}")


def check(
    where: Store | Path,
    *,
    least: Severity = Severity.INFO,
    workers: int | None = None,
    take: Callable[[Finding], None] | None = None,
    profiles: Sequence[Profile] = (),
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Tally]:
    """Run every check, and return the counts of results by the code of the check.

    Args:
        where: the folder of a snapshot, for several workers; or an opened store, for this process only.
        least: the lowest severity of the checks that are run.
        workers: the number of processes; None for the number of processors.
        take: called with each result; None for no call.
        profiles: what each publisher may publish.
        on_progress: called with the numbers of finished tasks and of all tasks; None for no call.

    Raises:
        StoreDamaged: the store cannot be read, or a worker ended unexpectedly.
    """
    order = list(Severity)
    wanted = [candidate for candidate in checks().values() if order.index(candidate.severity) <= order.index(least)]
    tallies = {wanted_check.code: Tally(wanted_check) for wanted_check in wanted}
    tasks = list(_tasks(wanted))
    done, pieces = 0, len(tasks)
    steps = (
        _run_in_process(where, tasks, profiles)
        if isinstance(where, Store)
        else _run_in_workers(where, tasks, workers or available(), profiles)
    )
    for step in steps:
        if isinstance(step, Finding):
            if step.code in tallies:
                tallies[step.code].add(step)
                if take is not None:
                    take(step)
        elif isinstance(step, tuple):
            for tally in tallies.values():
                tally.checked += step[1] if step[0] in tally.check.targets else 0
        elif isinstance(step, _Task):
            pieces += 1
        else:
            done += 1
            if on_progress is not None:
                on_progress(done, pieces)
    return tallies


#: The results of a task: results, the number of a target's nodes, further tasks, and None at its end.
_Step = Finding | tuple[Target, int] | _Task | None


def _run_in_process(store: Store, tasks: list[_Task], profiles: Sequence[Profile]) -> Iterator[_Step]:
    sources = Sources(store)
    left = deque(tasks)
    if not store.names.immutable:  # a published one has no stale norm
        store.names.refresh()
    with store.sharing_reads():
        while left:
            for step in _run_task(store, sources, left.popleft(), profiles):
                if isinstance(step, _Task):
                    left.append(step)
                yield step
            yield None


def _run_task(
    store: Store, sources: Sources, task: _Task, profiles: Sequence[Profile]
) -> Iterator[Finding | tuple[Target, int] | _Task]:
    if task.target is not None:
        yield task.target, int(str(next(store.select(task.query))["n"]))
    elif task.query:
        yield from _query_results(store, sources, task)
    elif task.records is not None:
        yield from _record_steps(store, sources, task.records, profiles)
    elif task.compared is not None:
        yield from _comparison_steps(store, sources, task)
    elif task.works:
        for finding in life_check_results(store, task.works):
            yield replace(finding, sources=sources.of(finding.focus))
    else:
        works = works_of(store)
        while some := tuple(islice(works, _WORKS_AT_ONCE)):
            yield _Task(works=some)


def _record_steps(
    store: Store, sources: Sources, records: tuple[str, ...], profiles: Sequence[Profile]
) -> Iterator[Finding | _Task]:
    """List the records of providers as tasks, or yield the rules that some of them do not follow."""
    if not records:
        listed = records_of(store)
        while some := tuple(islice(listed, _WORKS_AT_ONCE)):
            yield _Task(records=some)
        return
    rules = RecordRules.of(vocabulary(store), profiles)
    with translating_engine_errors():
        for record in records:
            for found in record_findings(store, record, rules):
                value = string(found.value) if found.value else None
                finding = Finding(found.rule.value, _BY_PROGRAM, record, value, found.message)
                yield replace(finding, sources=sources.of(record))


def _comparison_steps(store: Store, sources: Sources, task: _Task) -> Iterator[Finding | _Task]:
    """List the records or norms of the index as tasks, or yield the differences of some of them from the graph."""
    comparison = IndexComparison(store.names, store.engine)
    if not task.compared and task.of != "rows":
        listed = comparison.records() if task.of == "records" else comparison.norms()
        while some := tuple(islice(listed, _COMPARED_AT_ONCE)):
            yield _Task(compared=some, of=task.of)
        return
    differences = {"records": comparison.of_record, "norms": comparison.of_norm}
    found = (each for name in task.compared or () for each in differences[task.of](name))
    with translating_engine_errors():
        for node, table in found if task.compared else comparison.unfounded():
            finding = Finding(INDEX_CHECK, _BY_PROGRAM, node or DATASET, None, f"the table {table} of the index")
            yield replace(finding, sources=sources.of(finding.focus))


def _query_results(store: Store, sources: Sources, task: _Task) -> Iterator[Finding]:
    """Yield the results of one query; the same result in several graphs counts once, and its rows are consecutive."""
    answer = store.answer(task.query)
    assert isinstance(answer, ox.QuerySolutions)  # noqa: S101 - our own queries are SELECT
    has_value = any(variable.value == "value" for variable in answer.variables)
    at_node = not has_value and task.component == BY_QUERY  # SHACL, section 5.3.2: the value is the node itself
    last = None
    with translating_engine_errors():
        for row in answer:
            focus = row["this"]
            result = (focus, row["value"] if has_value else None)
            if result != last and isinstance(focus, ox.NamedNode):
                value = str(focus) if at_node else None if result[1] is None else str(result[1])
                yield Finding(task.code, task.component, focus.value, value, None, sources.of(focus.value))
            last = result


def _run_in_workers(
    snapshot: Path, tasks: list[_Task], workers: int, profiles: Sequence[Profile] = ()
) -> Iterator[_Step]:
    context = get_context("spawn")
    waiting: Queue[_Task] = context.Queue()
    given: Queue[list[_Step] | VigenteError] = context.Queue(_WAITING)
    processes: list[BaseProcess] = []
    try:
        for _ in range(workers):
            worker = context.Process(target=_run_worker, args=(str(snapshot), waiting, given, profiles), daemon=True)
            worker.start()
            processes.append(worker)
        for task in tasks:
            waiting.put(task)
        left = len(tasks)
        while left:
            for step in _next_batch(given, processes):
                if isinstance(step, _Task):
                    waiting.put(step)
                    left += 1
                left -= step is None
                yield step
    finally:
        for process in processes:
            process.kill()
            process.join()
        for queue in (waiting, given):
            queue.close()
            queue.cancel_join_thread()


def _next_batch(given: Queue[list[_Step] | VigenteError], processes: list[BaseProcess]) -> list[_Step]:
    """Return the next batch of a worker."""
    while True:
        try:
            batch = given.get(timeout=_LOOK_EVERY)
        except Empty:
            if any(process.exitcode for process in processes):
                raise StoreDamaged(
                    "a process that checks ended unexpectedly, killed or out of memory; nothing was changed"
                ) from None
            continue
        if isinstance(batch, VigenteError):
            raise batch
        return batch


def _run_worker(
    snapshot: str, waiting: Queue[_Task], given: Queue[list[_Step] | VigenteError], profiles: Sequence[Profile]
) -> None:
    """Run a worker: one task after the other, until the parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles the signal and ends this process
    Thread(target=_end_with_parent, daemon=True).start()
    batch: list[_Step] = []
    try:
        store = open_snapshot(Path(snapshot))
        sources = Sources(store)
        while True:
            for step in _run_task(store, sources, waiting.get(), profiles):
                batch.append(step)
                if len(batch) == _BATCH:
                    given.put(batch)
                    batch = []
            given.put([*batch, None])
            batch = []
    except VigenteError as error:
        given.put(StoreDamaged(str(error)))
    except (OSError, RuntimeError) as error:
        given.put(StoreDamaged(f"the store cannot be read: {error}"))


def _end_with_parent() -> None:
    """Wait until the parent process ends, even by a signal; then exit."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
