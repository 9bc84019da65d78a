"""The checks of a store against what pySHACL says of the same shapes: on the sample, on a fault for each."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory
from loaders.pipeline import load
from ontology.namespaces import FRBROO, PROV, SKOS
from queries.catalogue import named
from queries.checks import Found, Severity, check, checks
from queries.checks.lives import LIFE_CHECKS
from tests.check_oracle import ASKED_IN_SHACL, SHAPES_FILE, OracleResult, by_pyshacl
from tests.checking import BY_PROGRAM, results

ROOT = Path(__file__).resolve().parents[1]
FAULTS = Path(__file__).parent / "data" / "checks" / "faults.ttl"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    store = in_memory()
    load([ROOT / "samples"], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return store


@pytest.fixture(scope="module")
def faulty() -> Store:
    """All faults in one graph: their nodes have nothing to do with each other."""
    engine = ox.Store()
    engine.load(
        path=FAULTS, format=ox.RdfFormat.TURTLE, to_graph=ox.NamedNode("https://w3id.org/vigente/id/grafo/derivado")
    )
    return Store(engine, None)


@pytest.fixture(scope="module")
def ours(faulty: Store) -> set[OracleResult]:
    return results(faulty)


def expected_faults() -> list[tuple[str, str]]:
    return re.findall(r"^# ([a-z-]+) <(.+)>$", FAULTS.read_text("utf-8"), re.MULTILINE)


def test_the_sample_has_no_fault_and_no_doubt(sample: WritableStore) -> None:
    tallies = check(sample)
    found = {code for code, tally in tallies.items() if tally.results and tally.check.severity is not Severity.INFO}
    assert found == set()


def test_each_result_is_told_once(sample: WritableStore) -> None:
    found: list[Found] = []
    check(sample, take=found.append)
    assert len(found) == len({(one.code, one.component, one.focus, one.value, one.detail) for one in found}) > 0


def test_the_sample_by_pyshacl(sample: WritableStore) -> None:
    ours = results(sample)
    assert ours == by_pyshacl(sample)
    assert {code for code, *_ in ours} == {"text-without-language", "version-undated"}


def test_every_check_has_a_fault_of_its_own() -> None:
    assert sorted(code for code, _ in expected_faults()) == sorted(set(checks()) - BY_PROGRAM)


@pytest.mark.parametrize(("code", "focus"), expected_faults(), ids=[code for code, _ in expected_faults()])
def test_a_fault_is_told(code: str, focus: str, ours: set[OracleResult]) -> None:
    assert (code, focus) in {(found, node) for found, _, node, _ in ours}


def test_the_faults_by_pyshacl(faulty: Store, ours: set[OracleResult]) -> None:
    theirs = by_pyshacl(faulty)
    assert ours - theirs == set()
    assert theirs - ours == set()


def test_what_is_answered_by_a_program_is_known() -> None:
    assert {*LIFE_CHECKS} == ASKED_IN_SHACL | BY_PROGRAM
    for code in BY_PROGRAM:
        assert checks()[code].query is None
        assert not checks()[code].shape.constraints


def test_every_class_of_the_graph_has_a_shape(sample: WritableStore) -> None:
    shaped = {target.iri for one in checks().values() for target in one.targets if target.kind == "class"}
    shaped_as_what_they_are = {
        *(PROV["Entity"], PROV["Activity"], SKOS["ConceptScheme"], SKOS["Collection"]),
        *(FRBROO[name] for name in ("F27_Work_Conception", "F28_Expression_Creation", "F30_Publication_Event")),
    }
    written = {str(row["classe"]) for row in named("statistics").rows(sample)}
    assert written - shaped_as_what_they_are <= shaped
    assert len(written) > 20


def test_the_file_uses_nothing_that_is_passed_over() -> None:
    """A constraint that the program does not know would hold of everything."""
    read = (
        "NodeShape PropertyShape property path inversePath alternativePath targetClass targetSubjectsOf minCount "
        "maxCount datatype nodeKind class in hasValue pattern minInclusive languageIn uniqueLang or lessThan "
        "lessThanOrEquals sparql select prefixes declare prefix namespace severity message Violation Warning Info IRI"
    )
    assert set(re.findall(r"sh:(\w+)", SHAPES_FILE.read_text("utf-8"))) == set(read.split())
