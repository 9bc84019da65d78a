"""Tests of the projections against lists of terms, domains and ranges; LRMoo reverses R4 and R10 of FRBRoo."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.errors import BadParameter
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.pipeline import load
from ontology.describing import LRMOO
from ontology.namespaces import CRM, ELI, FRBROO, RDF, SCHEMA, VIG
from queries.profiles import profiles, projected

ROOT = Path(__file__).resolve().parents[3]
FACTS = Path(__file__).parents[2] / "data" / "profiles"
TERMS_TABLE = ROOT.parent / "shared" / "design" / "terms.tsv"
each_profile = pytest.mark.parametrize("profile", list(profiles()))
AKN = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0/"
Triple = tuple[str, str, str]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    store = in_memory()
    load(
        [ROOT / "samples", ROOT / "tests" / "data" / "amendments"],
        store,
        Quarantine(tmp_path_factory.mktemp("quarantine")),
    )
    return store


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    """Return norms with their words, some in versions of provisions and some without any day."""
    store = in_memory()
    data = ROOT / "tests" / "data"
    files = [data / "lexml_xml" / "historia.xml", data / "normas" / "arvore.json"]
    real = sorted((ROOT.parent / "shared" / "data" / "lexml-xml").glob("*.xml"))[:8]
    load([*files, *real], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return store


def objects(store: WritableStore, predicate: str) -> set[tuple[str, str]]:
    quads = store.engine.quads_for_pattern(None, ox.NamedNode(predicate), None, None)
    return {(q.subject.value, q.object.value) for q in quads}  # type: ignore[union-attr]


@pytest.mark.slow
def test_projection_keeps_all_provision_texts(documents: WritableStore) -> None:
    """Check each path from the words to the provision to which they belong."""
    realised = {text: node for node, text in objects(documents, FRBROO["R3_is_realised_in"])}
    words = objects(documents, CRM["P190_has_symbolic_content"])
    stated = {(realised[text], f"{SCHEMA}text", literal) for text, literal in words}
    assert len(stated) > 20
    assert any("@" in worded for worded, _, _ in stated)
    assert stated <= triples(documents, "schema")
    projection = triples(documents, "eli")
    assert {(realised[text], ELI["is_realized_by"], text) for text, _ in words} <= projection
    members = {version: node for node, version in objects(documents, FRBROO["R10_has_member"])}
    assert {
        (node, ELI["has_member"], version) for version, node in members.items() if node.startswith("urn:lex:")
    } <= projection
    for profile, term in (("eli", ELI["version_date"]), ("schema", f"{SCHEMA}legislationDateVersion")):
        starts = {(node, term, day) for node, day in objects(documents, VIG["dataVersao"])}
        assert starts <= triples(documents, profile)


def test_citations_in_text_are_eli_citations(documents: WritableStore) -> None:
    cited = objects(documents, CRM["P67_refers_to"])
    assert len(cited) > 0
    assert {(text, f"{ELI}cites", norm) for text, norm in cited} <= triples(documents, "eli")


def test_formats_link_to_copy_addresses(store: WritableStore) -> None:
    addresses = dict(objects(store, SCHEMA["contentUrl"]))
    examples = objects(store, FRBROO["R7_is_example_of"])
    formats = {node for node, class_ in objects(store, RDF["type"]) if class_ == ELI["Format"]}  # gazettes have none
    stated = {
        (of, f"{ELI}is_exemplified_by", addresses[copy]) for copy, of in examples if copy in addresses and of in formats
    }
    assert stated
    assert {t for t in triples(store, "eli") if t[1] == f"{ELI}is_exemplified_by"} == stated


def triples(store: WritableStore, profile: str) -> set[Triple]:
    return {(q.subject.value, q.predicate.value, q.object.value) for q in projected(store, profile)}  # type: ignore[union-attr]


def facts(profile: str) -> dict[str, tuple[str, str]]:
    """Return the domain and range of each property, as published; two dashes for each class."""
    lines = (FACTS / f"{profile}.tsv").read_text("utf-8").splitlines()
    return {term: (domain, range_) for term, domain, range_ in (line.split("\t") for line in lines[1:])}


def template(profile: str) -> set[str]:
    """Return the prefixed names in a query's template."""
    match = re.search(r"CONSTRUCT \{(.*?)\} WHERE", profiles()[profile].text, re.DOTALL)
    assert match is not None
    return set(re.findall(r"\b([a-z]+:[A-Za-z][\w-]*)", match[1]))


@each_profile
def test_template_uses_exactly_the_listed_terms(profile: str) -> None:
    assert template(profile) == set(facts(profile))


@pytest.mark.slow
@pytest.mark.parametrize("which", ["store", "documents"])
@each_profile
def test_subjects_and_objects_match_domain_and_range(profile: str, which: str, request: pytest.FixtureRequest) -> None:
    """Check the resources that the projection describes; those that records only mention have no class."""
    store: WritableStore = request.getfixturevalue(which)
    projection = triples(store, profile)
    known = facts(profile)
    classes: dict[str, set[str]] = {}
    for subject, predicate, value in projection:
        if predicate == RDF["type"]:
            classes.setdefault(subject, set()).add(short(value))
    used = set()
    for subject, predicate, value in projection:
        name = short(predicate)
        if predicate == RDF["type"]:
            used.add(short(value))
            continue
        used.add(name)
        domain, range_ = known[name]
        assert domain == "*" or classes.get(subject, set()) & set(domain.split("|")), (subject, name)
        if range_ not in ("*", "literal") and value in classes:
            assert classes[value] & set(range_.split("|")), (subject, name, value)
    assert which == "documents" or len(used) > 0.7 * len(known), set(known) - used


def short(iri: str) -> str:
    spaces = {"akn": AKN, "lrmoo": LRMOO, "crm": CRM, "eli": ELI, "schema": SCHEMA}
    for prefix, space in spaces.items():
        if iri.startswith(str(space)):
            return f"{prefix}:{iri.removeprefix(str(space))}"
    return iri.replace("http://www.w3.org/2000/01/rdf-schema#", "rdfs:")


def test_r10_and_r4_are_inverted(store: WritableStore) -> None:
    projection = triples(store, "lrmoo")
    for lrmoo_property, frbroo_property in (
        ("R10_is_member_of", "R10_has_member"),
        ("R4_embodies", "R4_carriers_provided_by"),
    ):
        stated = store.engine.quads_for_pattern(None, ox.NamedNode(FRBROO[frbroo_property]), None, None)
        turned = {(q.object.value, LRMOO[lrmoo_property], q.subject.value) for q in stated}  # type: ignore[union-attr]
        turned = {triple for triple in turned if "/texto-publicado/" not in triple[2]}  # a manifestation in LRMoo
        assert turned
        assert turned <= projection
        assert not {(o, p, s) for s, p, o in turned} & projection
    assert not any(value.startswith(str(FRBROO)) for triple in projection for value in triple)


def test_undated_force_is_not_stated(store: WritableStore) -> None:
    for profile, word in (("eli", "in_force"), ("schema", "legislationLegalForce")):
        assert not any(word in predicate for _, predicate, _ in triples(store, profile))


def test_each_statement_is_in_the_graph_of_its_record(store: WritableStore) -> None:
    records = {quad.graph_name for quad in store.engine}
    assert {quad.graph_name for quad in projected(store, "eli")} <= records


def test_unknown_profile_is_refused(store: WritableStore) -> None:
    with pytest.raises(BadParameter, match="expected a profile akn, eli, lrmoo, schema, got 'frbr'"):
        projected(store, "frbr")


def test_lrmoo_terms_are_in_the_published_table() -> None:
    if not TERMS_TABLE.is_file():
        pytest.skip("the table of terms is not part of the project")
    published = set(re.findall(r"http://iflastandards\.info/ns/lrm/lrmoo/[\w-]+", TERMS_TABLE.read_text("utf-8")))
    assert {LRMOO[term] for term in LRMOO} <= published
