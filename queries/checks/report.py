"""The report as RDF: a SHACL validation report with a quality measurement (DQV) of each check, written as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import BinaryIO

from graph.terms import boolean, iri, moment, number, string
from ontology.describing import DQV, SH
from ontology.iris import hashed_iri, provider_iri
from ontology.namespaces import DCTERMS, PROV, RDF, XSD
from queries.checks.found import Found, Tally
from queries.checks.shapes import SHAPES, Path, Severity, checks

#: What is measured: the dataset as the service describes it.
DATASET = "https://w3id.org/vigente/.well-known/void#dataset"
_TYPE = iri(RDF["type"])
_COUNTS = {Severity.VIOLATION: "violations", Severity.WARNING: "warnings", Severity.INFO: "infos"}


class Report:
    """A report in the making, N-Triples line by line, so that its size is no matter of memory.

    Args:
        output: where it goes.
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
                f"{self._node} {_TYPE} {iri(SH['ValidationReport'])} .",
                f"{self._node} {iri(PROV['generatedAtTime'])} {moment(made)} .",
                f"{self._node} {iri(PROV['wasDerivedFrom'])} {iri(DATASET)} .",
            ]
        )

    def _write(self, lines: Iterable[str]) -> None:
        self._output.write("".join(f"{line}\n" for line in lines).encode())

    def take(self, found: Found) -> None:
        """One result (SHACL, section 3.6), with the records that speak of its node."""
        node = iri(hashed_iri("resultado", found.code, found.component, found.focus, found.value or ""))
        one = checks()[found.code]
        self._write([f"{self._node} {iri(SH['result'])} {node} .", *_result(node, found, one.shape.path)])

    def end(self, tallies: Iterable[Tally]) -> None:
        """What can be said only now: whether all conforms (section 3.6.1), and the measurements."""
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
        yield f"{node} {_TYPE} {iri(DQV['QualityMeasurement'])} ."
        yield f"{node} {iri(DQV['isMeasurementOf'])} {iri(metric)} ."
        yield f"{node} {iri(DQV['computedOn'])} {iri(on)} ."
        yield f"{node} {iri(DQV['value'])} {value} ."
        yield f"{node} {iri(PROV['wasGeneratedBy'])} {self._node} ."


def _result(node: str, found: Found, path: Path | None) -> Iterator[str]:
    one = checks()[found.code]
    component = (SHAPES if found.component.startswith("Program") else str(SH)) + found.component
    yield f"{node} {_TYPE} {iri(SH['ValidationResult'])} ."
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
