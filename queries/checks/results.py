"""The results of checks, their counts in bounded memory, and the report as RDF (SHACL, DQV)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO

import pyoxigraph as ox

from graph.store import Store
from graph.terms import boolean, iri, moment, number, read, string
from ontology.describing import DQV, SH
from ontology.iris import DERIVED_GRAPH, hashed_iri, provider_iri, provider_of
from ontology.namespaces import DCTERMS, PROV, RDF, VIG, XSD
from queries.checks.shapes import SHAPES, Check, PropertyPath, Severity, checks

#: The providers of derived data, and of results without a source.
DERIVED = "derived"
_UNNAMED = "no source named"
#: The component of checks by a program.
BY_PROGRAM = "ProgramConstraintComponent"
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
