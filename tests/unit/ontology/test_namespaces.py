"""Tests of closed namespaces: correct IRIs for existing terms, and a helpful error for all others."""

from __future__ import annotations

import csv
import re
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
    VIG,
    Terms,
)

SHARED = Path(__file__).resolve().parents[4] / "shared"
CHECKED_TERMS = SHARED / "design" / "terms.tsv"

each_namespace = pytest.mark.parametrize("space", NAMESPACES.values(), ids=list(NAMESPACES))


def test_prefixes_have_the_published_namespaces() -> None:
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
def test_item_access_gives_the_published_iri(iri: str, expected: str) -> None:
    assert iri == expected


@each_namespace
def test_every_term_is_available_by_item(space: Terms) -> None:
    assert len(space) > 0
    for term in space:
        assert space[term] == str(space) + term
        assert ox.NamedNode(space[term]).value == space[term]


@each_namespace
def test_iteration_length_and_membership_agree(space: Terms) -> None:
    terms = list(space)
    assert len(terms) == len(set(terms)) == len(space)
    assert all(term in space for term in terms)
    assert "NoSuchTerm" not in space


@pytest.mark.parametrize(
    ("space", "asked"),
    [(FRBROO, "F14_IndividualWork"), (VIG, "conhecido"), (CRM, "E52_Time_Span"), (ELI, "has_version")],
)
def test_unknown_term_is_refused(space: Terms, asked: str) -> None:
    message = f"^expected a term of <{re.escape(str(space))}>, got '{asked}'$"
    with pytest.raises(AttributeError, match=message):
        space[asked]


def test_eli_has_no_has_version() -> None:
    assert "has_version" not in ELI


def test_prefixes_are_immutable() -> None:
    with pytest.raises(TypeError):
        PREFIXES["vig"] = "https://elsewhere.example/"  # type: ignore[index]  # the refusal is what is tested


@pytest.mark.skipif(not CHECKED_TERMS.is_file(), reason="the specifications' sample data is not beside this checkout")
@pytest.mark.parametrize("space", [FRBROO, CRM], ids=["frbroo", "crm"])
def test_frbroo_and_crm_terms_are_in_the_checked_table(space: Terms) -> None:
    with CHECKED_TERMS.open(encoding="utf-8", newline="") as table:
        checked = {row["recommended_IRI"] for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)}
    assert {space[term] for term in space} - checked == set()
