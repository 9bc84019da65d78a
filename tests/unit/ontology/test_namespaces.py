"""Tests of closed namespaces: correct IRIs for existing terms, and a helpful error for all others."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology.namespaces import CRM, DC, DCTERMS, ELI, FRBROO, NAMESPACES, PREFIXES, SCHEMA, VIG, Terms

SHARED = Path(__file__).resolve().parents[4] / "shared"
CHECKED_TERMS = SHARED / "design" / "terms.tsv"


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
    with pytest.raises(TypeError):
        PREFIXES["vig"] = "https://elsewhere.example/"  # type: ignore[index]  # the refusal is what is tested


def test_every_term_is_available_by_item() -> None:
    for space in NAMESPACES.values():
        terms = list(space)
        assert len(terms) == len(set(terms)) == len(space) > 0
        assert all(term in space for term in terms)
        assert "NoSuchTerm" not in space
        for term in terms:
            assert space[term] == str(space) + term
            assert ox.NamedNode(space[term]).value == space[term]


@pytest.mark.parametrize(
    ("space", "terms"),
    [
        (FRBROO, "F15_Complex_Work F22_Self-Contained_Expression"),
        (CRM, "E52_Time-Span P4_has_time-span"),
        (ELI, "version_date"),
        (SCHEMA, "contentUrl"),
        (DCTERMS, "title"),
        (DC, "title"),
        (VIG, "dataVersao"),
    ],
)
def test_namespace_has_the_published_terms(space: Terms, terms: str) -> None:
    assert [term for term in terms.split() if term not in space] == []


@pytest.mark.parametrize(
    ("space", "asked"),
    [(FRBROO, "F14_IndividualWork"), (VIG, "conhecido"), (CRM, "E52_Time_Span"), (ELI, "has_version")],
)
def test_unknown_term_is_refused(space: Terms, asked: str) -> None:
    assert asked not in space
    message = f"^expected a term of <{re.escape(str(space))}>, got '{asked}'$"
    with pytest.raises(AttributeError, match=message):
        space[asked]


@pytest.mark.skipif(not CHECKED_TERMS.is_file(), reason="the specifications' sample data is not beside this checkout")
@pytest.mark.parametrize("space", [FRBROO, CRM], ids=["frbroo", "crm"])
def test_frbroo_and_crm_terms_are_in_the_checked_table(space: Terms) -> None:
    with CHECKED_TERMS.open(encoding="utf-8", newline="") as table:
        checked = {row["recommended_IRI"] for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)}
    assert {space[term] for term in space} - checked == set()
