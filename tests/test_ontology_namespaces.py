"""Closed namespaces: right IRIs for the terms there are, an error that helps for all others."""

from __future__ import annotations

import copy
import csv
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology.namespaces import (
    CRM,
    DC,
    DCTERMS,
    ELI,
    FRBROO,
    NAMESPACES,
    PREFIXES,
    SCHEMA,
    SKOS,
    VIG,
    ClosedNamespace,
    TermError,
)

SHARED = Path(__file__).resolve().parents[2] / "shared"
CHECKED_TERMS = SHARED / "design" / "terms.tsv"

each_namespace = pytest.mark.parametrize("space", NAMESPACES.values(), ids=list(NAMESPACES))


def test_every_prefix() -> None:
    assert dict(PREFIXES) == {
        "frbroo": "http://iflastandards.info/ns/fr/frbr/frbroo/",
        "crm": "http://www.cidoc-crm.org/cidoc-crm/",
        "eli": "http://data.europa.eu/eli/ontology#",
        "schema": "http://schema.org/",
        "prov": "http://www.w3.org/ns/prov#",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "dcterms": "http://purl.org/dc/terms/",
        "dc": "http://purl.org/dc/elements/1.1/",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "owl": "http://www.w3.org/2002/07/owl#",
        "vig": "https://w3id.org/vigente/ns#",
    }


@pytest.mark.parametrize(
    ("iri", "expected"),
    [
        (FRBROO["F15_Complex_Work"], "http://iflastandards.info/ns/fr/frbr/frbroo/F15_Complex_Work"),
        (
            FRBROO["F22_Self-Contained_Expression"],
            "http://iflastandards.info/ns/fr/frbr/frbroo/F22_Self-Contained_Expression",
        ),
        (CRM["E52_Time-Span"], "http://www.cidoc-crm.org/cidoc-crm/E52_Time-Span"),
        (CRM["P4_has_time-span"], "http://www.cidoc-crm.org/cidoc-crm/P4_has_time-span"),
        (ELI["version_date"], "http://data.europa.eu/eli/ontology#version_date"),
        (SCHEMA["contentUrl"], "http://schema.org/contentUrl"),
        (DCTERMS["title"], "http://purl.org/dc/terms/title"),
        (DC["title"], "http://purl.org/dc/elements/1.1/title"),
        (VIG["dataVersao"], "https://w3id.org/vigente/ns#dataVersao"),
    ],
)
def test_brackets_give_the_published_iri(iri: str, expected: str) -> None:
    assert iri == expected


@each_namespace
def test_every_term_is_an_iri_of_its_namespace_by_both_ways(space: ClosedNamespace) -> None:
    assert len(space) > 0
    for term in space:
        assert space[term] == str(space) + term
        assert getattr(space, term.replace("-", "_")) == space[term], "shadowed by an attribute or by another term"
        assert ox.NamedNode(space[term]).value == space[term]


@each_namespace
def test_iteration_length_and_membership_agree(space: ClosedNamespace) -> None:
    terms = list(space)
    assert len(terms) == len(set(terms)) == len(space)
    assert all(term in space for term in terms)
    assert "NoSuchTerm" not in space
    assert set(dir(space)) >= {term.replace("-", "_") for term in terms}


def test_an_attribute_writes_underscores_for_hyphens() -> None:
    assert FRBROO.F22_Self_Contained_Expression == FRBROO["F22_Self-Contained_Expression"]
    assert CRM.P4_has_time_span == CRM["P4_has_time-span"]


def test_brackets_take_the_exact_name_only() -> None:
    with pytest.raises(TermError) as caught:
        CRM["E52_Time_Span"]
    assert caught.value.nearest == ("E52_Time-Span",)


@pytest.mark.parametrize(
    ("space", "asked", "message"),
    [
        pytest.param(
            FRBROO,
            "F14_IndividualWork",
            """expected a term of frbroo: <http://iflastandards.info/ns/fr/frbr/frbroo/>, got 'F14_IndividualWork'; \
nearest: F14_Individual_Work (the terms are listed in ontology/namespaces.py)""",
            id="one near",
        ),
        pytest.param(
            VIG,
            "conhecido",
            """expected a term of vig: <https://w3id.org/vigente/ns#>, got 'conhecido'; \
nearest: conhecidoAte, conhecidoDesde (the terms are listed in ontology/vigente.ttl)""",
            id="several near",
        ),
        pytest.param(
            ELI,
            "quite_another_thing",
            """expected a term of eli: <http://data.europa.eu/eli/ontology#>, got 'quite_another_thing' \
(the terms are listed in ontology/namespaces.py)""",
            id="none near",
        ),
    ],
)
def test_an_unknown_term_is_refused_with_the_nearest_ones(space: ClosedNamespace, asked: str, message: str) -> None:
    with pytest.raises(TermError) as by_brackets:
        space[asked]
    with pytest.raises(TermError) as by_attribute:
        getattr(space, asked)
    assert str(by_brackets.value) == str(by_attribute.value) == message


def test_eli_has_no_has_version() -> None:
    assert "has_version" not in ELI
    assert not hasattr(ELI, "has_version")


def test_an_unknown_term_is_both_kinds_of_absence() -> None:
    with pytest.raises(KeyError):
        SKOS["preferredLabel"]
    with pytest.raises(AttributeError):
        _ = SKOS.preferredLabel
    assert getattr(SKOS, "preferredLabel", None) is None


def test_copying_does_not_ask_for_terms() -> None:
    twin = copy.deepcopy(FRBROO)
    assert list(twin) == list(FRBROO)
    with pytest.raises(AttributeError, match=r"^_no_term$"):
        _ = FRBROO._no_term  # noqa: SLF001 - a private name is never a term


def test_prefixes_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PREFIXES["vig"] = "https://elsewhere.example/"  # type: ignore[index]  # the refusal is what is tested


def test_repr_says_which_and_how_many() -> None:
    tiny = ClosedNamespace("x", "https://x.example/", ("a-b", "c"))
    assert repr(tiny) == "<closed namespace x: https://x.example/ (2 terms)>"


@pytest.mark.skipif(not CHECKED_TERMS.is_file(), reason="the specifications' sample data is not beside this checkout")
@pytest.mark.parametrize("space", [FRBROO, CRM], ids=["frbroo", "crm"])
def test_frbroo_and_crm_terms_are_in_the_checked_table(space: ClosedNamespace) -> None:
    with CHECKED_TERMS.open(encoding="utf-8", newline="") as table:
        checked = {row["recommended_IRI"] for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)}
    assert {space[term] for term in space} - checked == set()
