"""What checks find, how it is counted in bounded memory, and the report as RDF (SHACL, DQV)."""

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
from queries.checks.shapes import SHAPES, Check, Path, Severity, checks

#: In place of a provider: derived data, and results without a source.
DERIVED = "derived"
_UNNAMED = "no source named"
#: How many records are named with one result, and how many results with one check.
_MOST_SOURCES = 8
_EXAMPLES = 3
_TYPE = ox.NamedNode(RDF["type"])
_KEPT = 1 << 16


@dataclass(frozen=True, slots=True)
class Found:
    """One result of a check.

    Attributes:
        code: the check's.
        component: the local name of the constraint component.
        focus: the node that does not conform, an IRI.
        value: the value at fault as N-Triples writes it; None where the fault is in no one value.
        detail: details that the message of the check does not have.
        sources: a few records that mention the node, each with its provider.
    """

    code: str
    component: str
    focus: str
    value: str | None = None
    detail: str | None = None
    sources: tuple[tuple[str, str], ...] = ()


class Sources:
    """Whose the statements about a node are.

    Args:
        store: an opened store.
    """

    def __init__(self, store: Store) -> None:
        self._engine = store.engine
        self._whose: dict[str, str] = {}

    def of(self, node: str) -> tuple[tuple[str, str], ...]:
        """Return the records that mention a node, by IRI, each with its provider (or curator, or file)."""
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
        return tuple((graph, self._of_graph(graph)) for graph in graphs)

    def _of_graph(self, graph: str) -> str:
        if graph == DERIVED_GRAPH:
            return DERIVED
        found = self._whose.get(graph)
        if found is None:
            if len(self._whose) >= _KEPT:
                self._whose.clear()
            found = self._whose[graph] = self._told(ox.NamedNode(graph))
        return found

    def _told(self, record: ox.NamedNode) -> str:
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
    """The results of one check, counted.

    Attributes:
        checked: how many nodes it looked at.
        failed: how many of them do not conform.
        results: how many results it has; a node may have several.
        providers: the number of results by the providers of records that mention the node; one may count for several.
        examples: the first few.
    """

    check: Check
    checked: int = 0
    failed: int = 0
    results: int = 0
    providers: Counter[str] = field(default_factory=Counter)
    examples: list[Found] = field(default_factory=list)
    _last: str | None = None

    def add(self, found: Found) -> None:
        """Count one more; results of one node come one after the other."""
        self.results += 1
        if found.focus != self._last:
            self.failed += 1
            self._last = found.focus
        self.providers.update({whose for _, whose in found.sources} or {_UNNAMED})
        if len(self.examples) < _EXAMPLES:
            self.examples.append(found)

    @property
    def share(self) -> float:
        """The share of the nodes looked at that conform; 1.0 where there are none."""
        return 1.0 if not self.checked else max(0.0, 1 - self.failed / self.checked)

    def as_json(self) -> dict[str, object]:
        """The document of one check in ``check --json``."""
        return {
            "code": self.check.code,
            "severity": self.check.severity.value,
            "message": self.check.message,
            "checked": self.checked,
            "results": self.results,
            "providers": dict(sorted(self.providers.items())),
            "examples": [
                {
                    "focus": each.focus,
                    "value": each.value,
                    "detail": each.detail,
                    "sources": [record for record, _ in each.sources],
                }
                for each in self.examples
            ],
        }


def worst_first(tallies: Iterable[Tally]) -> list[Tally]:
    """Those with results, the worst severity first, then by code."""
    order = list(Severity)
    found = (tally for tally in tallies if tally.results)
    return sorted(found, key=lambda tally: (order.index(tally.check.severity), tally.check.code))


#: What is measured: the dataset as the service describes it.
DATASET = "https://w3id.org/vigente/.well-known/void#dataset"
_IS_A = iri(RDF["type"])
_COUNTS = {Severity.VIOLATION: "violations", Severity.WARNING: "warnings", Severity.INFO: "infos"}


class Report:
    """Writes a report as N-Triples line by line, so that its size does not take memory.

    Args:
        output: the file of the report.
        made: when, an aware datetime.
        snapshot: the number of the snapshot that was looked at.

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

    def take(self, found: Found) -> None:
        """Write one result (SHACL, section 3.6), with the records that mention its node."""
        node = iri(hashed_iri("resultado", found.code, found.component, found.focus, found.value or ""))
        one = checks()[found.code]
        self._write([f"{self._node} {iri(SH['result'])} {node} .", *_result(node, found, one.shape.path)])

    def end(self, tallies: Iterable[Tally]) -> None:
        """Write the end of the report: whether everything conforms (section 3.6.1), and the measurements."""
        counted = list(tallies)
        conforms = not any(tally.results for tally in counted)
        self._write([f"{self._node} {iri(SH['conforms'])} {boolean(conforms)} ."])
        for tally in counted:
            share = f'"{tally.share:.6f}"^^{iri(XSD["decimal"])}'
            self._write(self._measured(tally.check.iri, DATASET, share))
        for severity, metric in _COUNTS.items():
            whole = 0
            by: Counter[str] = Counter()
            for tally in counted:
                if tally.check.severity is severity:
                    whole += tally.results
                    by.update(tally.providers)
            self._write(self._measured(SHAPES + metric, DATASET, number(whole)))
            for whose, results in sorted(by.items()):
                if ":" in whose and " " not in whose:
                    self._write(self._measured(SHAPES + metric, provider_iri(whose), number(results)))

    def _measured(self, metric: str, on: str, value: str) -> Iterator[str]:
        """One measurement (DQV, section 5)."""
        node = iri(hashed_iri("medida", self._node, metric, on))
        yield f"{node} {_IS_A} {iri(DQV['QualityMeasurement'])} ."
        yield f"{node} {iri(DQV['isMeasurementOf'])} {iri(metric)} ."
        yield f"{node} {iri(DQV['computedOn'])} {iri(on)} ."
        yield f"{node} {iri(DQV['value'])} {value} ."
        yield f"{node} {iri(PROV['wasGeneratedBy'])} {self._node} ."


def _result(node: str, found: Found, path: Path | None) -> Iterator[str]:
    one = checks()[found.code]
    component = (SHAPES if found.component.startswith("Program") else str(SH)) + found.component
    yield f"{node} {_IS_A} {iri(SH['ValidationResult'])} ."
    yield f"{node} {iri(SH['focusNode'])} {iri(found.focus)} ."
    yield f"{node} {iri(SH['sourceShape'])} {iri(one.iri)} ."
    yield f"{node} {iri(SH['sourceConstraintComponent'])} {iri(component)} ."
    yield f"{node} {iri(SH['resultSeverity'])} {iri(SH[one.severity.value.capitalize()])} ."
    yield f"{node} {iri(SH['resultMessage'])} {string(one.message)}@en ."
    yield f"{node} {iri(SH['resultMessage'])} {string(one.mensagem)}@pt-br ."
    if found.detail is not None:
        yield f"{node} {iri(DCTERMS['description'])} {string(found.detail)} ."
    if found.value is not None:
        yield f"{node} {iri(SH['value'])} {found.value} ."
    if path is not None and len(path.predicates) == 1:
        inner = f"_:path{node[-33:-1]}"
        predicate = iri(path.predicates[0])
        yield f"{node} {iri(SH['resultPath'])} {inner if path.inverse else predicate} ."
        if path.inverse:
            yield f"{inner} {iri(SH['inversePath'])} {predicate} ."
    for record, _ in found.sources:
        yield f"{node} {iri(DCTERMS['source'])} {iri(record)} ."
