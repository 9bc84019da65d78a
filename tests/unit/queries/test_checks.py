"""Tests of the checks of a store against pySHACL on the same shapes: on the sample, and on one fault for each check."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.quarantine import Quarantine
from graph.record_rules import RecordRule
from graph.store import Store, WritableStore, in_memory
from loaders.pipeline import load
from loaders.xml import spaced
from ontology.namespaces import FRBROO, PROV, SKOS
from queries.catalogue import named
from queries.checks.lives import LIFE_CHECKS
from queries.checks.results import Finding
from queries.checks.run import INDEX_CHECK, check
from queries.checks.shapes import Severity, checks, value
from tests.support.cases import constant
from tests.support.check_oracle import ASKED_IN_SHACL, SHAPES_FILE, OracleResult, by_pyshacl
from tests.support.checking import BY_PROGRAM, results

ROOT = Path(__file__).resolve().parents[3]
REAL = ROOT.parent / "shared" / "data"
FAULTS = Path(__file__).parents[2] / "data" / "checks" / "faults.ttl"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    store = in_memory()
    load([ROOT / "samples"], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return store


@pytest.fixture(scope="module")
def faulty() -> Store:
    """Return one graph with all faults; their nodes are not connected."""
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


def test_sample_has_no_check_results(sample: WritableStore) -> None:
    tallies = check(sample)
    codes = {code for code, tally in tallies.items() if tally.results and tally.check.severity is not Severity.INFO}
    assert codes == set()


@pytest.mark.parametrize("folder", ["lexml_xml", "normas", "oai_lexml"])
def test_fixtures_of_every_loader_have_no_violation(folder: str, tmp_path: Path) -> None:
    store = in_memory()
    assert load([Path(__file__).parents[2] / "data" / folder], store, Quarantine(tmp_path)).loaded > 0
    tallies = check(store, least=Severity.VIOLATION)
    assert {code for code, tally in tallies.items() if tally.results} == set()


@pytest.mark.slow
@pytest.mark.skipif(not REAL.is_dir(), reason="the sample data is not beside the checkout")
@pytest.mark.parametrize("folder", ["lexml-xml", "oai", "vocabularies"])
def test_real_data_has_no_violation(folder: str, tmp_path: Path) -> None:
    store = in_memory()
    load([REAL / folder], store, Quarantine(tmp_path))
    tallies = check(store)
    assert {
        code for code, tally in tallies.items() if tally.results and tally.check.severity is Severity.VIOLATION
    } == set()
    assert sum(tally.checked for tally in tallies.values()) > 0
    if folder == "lexml-xml":
        (blank,) = tallies["wording-blank"].examples
        assert blank.focus.endswith("~texto;pt-br!preambulo")


def test_each_result_is_reported_once(sample: WritableStore) -> None:
    matches: list[Finding] = []
    check(sample, take=matches.append)
    assert (
        len(matches)
        == len({(match.code, match.component, match.focus, match.value, match.detail) for match in matches})
        > 0
    )


@pytest.mark.slow
def test_pyshacl_agrees_on_the_sample(sample: WritableStore) -> None:
    own_results = results(sample)
    assert own_results == by_pyshacl(sample)
    assert {code for code, *_ in own_results} == {"text-without-language", "version-undated"}


def test_every_check_has_a_fault_fixture() -> None:
    assert {code for code, _ in expected_faults()} == set(checks()) - BY_PROGRAM


@pytest.mark.parametrize(("code", "focus"), expected_faults(), ids=[code for code, _ in expected_faults()])
def test_fault_is_reported(code: str, focus: str, ours: set[OracleResult]) -> None:
    assert (code, focus) in {(reported_code, node) for reported_code, _, node, _ in ours}


SOUND = constant("queries_checks", "sound")
CODES_OF_FAULTS = {
    *("event-before-norm", "event-causes-itself", "event-interval", "text-empty", "wording-blank"),
    *("wording-without-words", "event-cause", "event-class"),
}


def test_valid_data_is_not_reported() -> None:
    engine = ox.Store()
    prefixes = "".join(re.findall(r"^@prefix .*\n", FAULTS.read_text("utf-8"), re.MULTILINE))
    engine.load(f"{prefixes}@prefix x: <https://example.com/> .\n{SOUND}", format=ox.RdfFormat.TURTLE)
    store = Store(engine, None)
    own_results = results(store)
    assert {result for result in own_results if result[0] in CODES_OF_FAULTS} == set()
    assert own_results == by_pyshacl(store)


#: Values that are not dates, and dates that the calendar does not have.
NO_DAYS = (
    *('"2001-08-01"', '"2001-08-01"@pt', '"depois"', '"2001"', "ev:alteracao", '"2001"^^xsd:gYear'),
    *('"2001-08"^^xsd:gYearMonth', '"2001-08-01T00:00:00"^^xsd:dateTime', '"sem data"^^xsd:date', '""^^xsd:date'),
    *('"2001-13-45"^^xsd:date', '"2001-02-29"^^xsd:date', '"1900-02-29"^^xsd:date', '"2001-06-31"^^xsd:date'),
)
#: The days of a norm with two versions: the first was rectified, and no rectification covers the second.
DAYS = constant("queries_checks", "days")
BY_DAYS = {"rectification-incomplete", "version-before-norm", "view-ambiguous", "view-before-norm"}


def dated(number: int, days: dict[str, str]) -> str:
    """Return the triples of such a norm, with these days in Turtle."""
    name = f"urn:lex:br:federal:lei:2001-03-05;{number}"
    return (
        f"<{name}> a frbroo:F15_Complex_Work ; vig:dataRepresentativa {days['of the norm']} ; "
        f"frbroo:R10_has_member <{name}@a>, <{name}@b> . "
        f"<{name}@a> vig:ordemVisao 4 ; vig:eventoVisao ev:retificacao ; vig:dataVersao {days['one']} ; "
        f"vig:dataVisao {days['its view']} . "
        f"<{name}@b> vig:ordemVisao 4 ; vig:eventoVisao ev:outra ; vig:dataVersao {days['other']} ; "
        f"vig:dataVisao {days['seen']} .\n"
    )


@pytest.mark.slow
def test_malformed_dates_are_not_compared() -> None:
    """Check that invalid days are not compared: an engine that orders any texts would report wrong violations."""
    right = {place: f'"{day}"^^xsd:date' for place, day in DAYS.items()}
    both_odd = [("one", "other"), ("its view", "seen")]
    cases = [right, *({**right, place: odd} for odd in NO_DAYS for place in DAYS)]
    cases += [{**right, **dict.fromkeys(places, odd)} for odd in NO_DAYS for places in both_odd]
    numbered = dict(enumerate(cases, start=99901))
    engine = ox.Store()
    prefixes = "".join(re.findall(r"^@prefix .*\n", FAULTS.read_text("utf-8"), re.MULTILINE))
    engine.load(
        prefixes + "".join(dated(*numbered_case) for numbered_case in numbered.items()), format=ox.RdfFormat.TURTLE
    )
    store = Store(engine, None)
    own_results = {result for result in results(store) if result[0] in BY_DAYS}
    assert own_results == {result for result in by_pyshacl(store) if result[0] in BY_DAYS}
    passed_over = {number for number, days in numbered.items() if {**right, "of the norm": days["of the norm"]} == days}
    reported = {(code, int(node.rpartition(";")[2])) for code, _, node, _ in own_results}
    assert {number for code, number in reported if code == "rectification-incomplete"} == passed_over
    assert not {code for code, number in reported if number not in passed_over}


def test_blank_characters_are_the_same_in_shapes_and_loaders() -> None:
    (pattern,) = {
        constraint.value[0]
        for code in ("text-empty", "epigraph-text", "nickname-text", "summary-text", "index-term-text")
        for constraint in checks()[code].shape.constraints
        if constraint.parameter == "pattern"
    }
    prints = re.compile(value(pattern))
    written = [
        *"\t\n\r",
        *map(chr, range(0x20, 0x10000)),
    ]  # XML 1.0, section 2.2: RDF/XML cannot contain other control characters
    blank = [character for character in written if not prints.search(character)]
    assert blank == [character for character in written if not spaced(character)]
    assert {" ", "\n", "\u00a0", "\u00ad", "\u200b", "\ufeff"} < {*blank}


def test_pyshacl_finds_the_same_faults(faulty: Store, ours: set[OracleResult]) -> None:
    pyshacl_results = by_pyshacl(faulty)
    assert ours - pyshacl_results == set()
    assert pyshacl_results - ours == set()


def test_checks_implemented_in_python_are_listed() -> None:
    assert {*LIFE_CHECKS, INDEX_CHECK, *RecordRule} == ASKED_IN_SHACL | BY_PROGRAM
    for code in BY_PROGRAM:
        assert checks()[code].query is None
        assert not checks()[code].shape.constraints


def test_every_class_of_the_graph_has_a_shape(sample: WritableStore) -> None:
    shaped = {
        target.iri for known_check in checks().values() for target in known_check.targets if target.kind == "class"
    }
    shaped_as_what_they_are = {
        *(PROV["Entity"], PROV["Activity"], SKOS["ConceptScheme"], SKOS["Collection"]),
        *(FRBROO[name] for name in ("F27_Work_Conception", "F28_Expression_Creation", "F30_Publication_Event")),
        *(FRBROO[name] for name in ("F17_Aggregation_Work", "F23_Expression_Fragment")),  # issues, and texts
        *(FRBROO[name] for name in ("F4_Manifestation_Singleton", "F32_Carrier_Production_Event")),  # no own properties
    }
    written = {str(row["classe"]) for row in named("statistics").rows(sample)}
    assert written - shaped_as_what_they_are <= shaped
    assert len(written) > 20


def test_shapes_use_only_supported_constraints() -> None:
    """Check that no constraint is ignored: one that the program does not know would never be violated."""
    read = (
        "NodeShape PropertyShape property path inversePath alternativePath targetClass targetSubjectsOf minCount "
        "maxCount datatype nodeKind class in hasValue pattern minInclusive languageIn uniqueLang or lessThan "
        "lessThanOrEquals sparql select prefixes declare prefix namespace severity message Violation Warning Info IRI"
    )
    assert set(re.findall(r"sh:(\w+)", SHAPES_FILE.read_text("utf-8"))) == set(read.split())
