"""Tests of the terms in ``vigente.ttl``: each is defined once, described in both languages, and linked to terms."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, XSD, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.compare import isomorphic
from rdflib.term import Node

from ontology.namespaces import NAMESPACES, VIG

ONTOLOGY = Path(__file__).resolve().parents[3] / "ontology"
VIGENTE = ONTOLOGY / "vigente.ttl"
FILES = [VIGENTE, ONTOLOGY / "eventos.ttl"]
NS = Namespace("https://w3id.org/vigente/ns#")
HEADER = URIRef("https://w3id.org/vigente/ns")
LANGUAGES = ["en", "pt-br"]
KINDS = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.NamedIndividual}

each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)


@pytest.fixture(scope="module")
def ontology() -> Graph:
    return Graph().parse(VIGENTE, format="turtle")


def _languages(values: list[Node]) -> list[str]:
    return sorted(str(value.language).lower() for value in values if isinstance(value, Literal))


def _with_lower_tags(graph: Graph) -> Graph:
    """Return the same graph with lower-case language tags, as the engine writes them (RDF 1.1, section 3.3)."""
    lowered = Graph()
    for subject, predicate, value in graph:
        if isinstance(value, Literal) and value.language is not None:
            lowered.add((subject, predicate, Literal(str(value), lang=value.language.lower())))
        else:
            lowered.add((subject, predicate, value))
    return lowered


@each_file
def test_both_parsers_read_the_same_triples(file: Path) -> None:
    by_engine = ox.serialize(ox.parse(path=file, format=ox.RdfFormat.TURTLE), format=ox.RdfFormat.N_TRIPLES)
    assert by_engine is not None
    by_rdflib = _with_lower_tags(Graph().parse(file, format="turtle"))
    assert len(by_rdflib) > 100
    assert isomorphic(Graph().parse(data=by_engine, format="nt"), by_rdflib)


@each_file
def test_each_subject_is_defined_once(file: Path) -> None:
    blocks = Counter(re.findall(r"^([\w-]*:[\w.-]+) a ", file.read_text("utf-8"), re.MULTILINE))
    assert [name for name, count in blocks.items() if count > 1] == []
    subjects = {
        q.subject for q in ox.parse(path=file, format=ox.RdfFormat.TURTLE) if isinstance(q.subject, ox.NamedNode)
    }
    assert len(blocks) == len(subjects), "a subject without a block of its own"


@each_file
def test_foreign_terms_are_in_their_closed_lists(file: Path) -> None:
    used = {
        term.value
        for quad in ox.parse(path=file, format=ox.RdfFormat.TURTLE)
        for term in (quad.subject, quad.predicate, quad.object)
        if isinstance(term, ox.NamedNode)
    }
    unknown = {
        iri
        for iri in used
        for space in NAMESPACES.values()
        if iri.startswith(str(space)) and iri.removeprefix(str(space)) not in space
    }
    assert unknown == set()


def test_header_has_version_and_version_iri(ontology: Graph) -> None:
    assert list(ontology.subjects(RDF.type, OWL.Ontology)) == [HEADER]
    assert _languages(list(ontology.objects(HEADER, DCTERMS.title))) == LANGUAGES
    assert list(ontology.objects(HEADER, DCTERMS.creator)) == [Literal("Vigente contributors")]
    assert list(ontology.objects(HEADER, DCTERMS.license)) == [URIRef("https://creativecommons.org/licenses/by/4.0/")]
    version = ontology.value(HEADER, OWL.versionInfo)
    assert ontology.value(HEADER, OWL.versionIRI) == URIRef(f"{HEADER}/{version}")


def test_closed_namespace_equals_the_file() -> None:
    names = re.findall(r"^vig:(\w+) a ", VIGENTE.read_text("utf-8"), re.MULTILINE)
    assert list(VIG) == names


def test_every_term_has_one_kind_and_both_languages(ontology: Graph) -> None:
    for term in VIG:
        node = NS[term]
        assert len(KINDS & set(ontology.objects(node, RDF.type))) == 1, term
        assert list(ontology.objects(node, RDFS.isDefinedBy)) == [HEADER], term
        for predicate in (RDFS.label, RDFS.comment):
            values = list(ontology.objects(node, predicate))
            assert _languages(values) == LANGUAGES, term
            assert all(str(value).strip() == str(value) != "" for value in values), term
        comments = [str(value) for value in ontology.objects(node, RDFS.comment)]
        assert len(set(comments)) == 2, f"the comment of {term} is not translated"
        assert all(comment.endswith(".") for comment in comments), term


def test_domains_are_classes_and_ranges_match_the_kind(ontology: Graph) -> None:
    datatypes = {RDFS.Literal, RDF.langString, *(XSD[name] for name in NAMESPACES["xsd"])}
    for property_ in ontology.subjects(RDF.type, OWL.DatatypeProperty):
        ranges = _members(ontology, property_, RDFS.range)
        assert ranges, f"{property_} says no datatype"
        assert ranges <= datatypes
    for property_ in ontology.subjects(RDF.type, OWL.ObjectProperty):
        assert not _members(ontology, property_, RDFS.range) & datatypes
    for property_ in {
        *ontology.subjects(RDF.type, OWL.DatatypeProperty),
        *ontology.subjects(RDF.type, OWL.ObjectProperty),
    }:
        assert not _members(ontology, property_, RDFS.domain) & datatypes


def _members(ontology: Graph, property_: Node, side: URIRef) -> set[Node]:
    """Return the classes or datatypes of a domain or range, with unions expanded."""
    members: set[Node] = set()
    for value in ontology.objects(property_, side):
        union = ontology.value(value, OWL.unionOf)
        members |= {value} if union is None else set(Collection(ontology, union))
    return members


def test_only_properties_have_published_superproperties(ontology: Graph) -> None:
    for property_, above in ontology.subject_objects(RDFS.subPropertyOf):
        assert {OWL.ObjectProperty, OWL.DatatypeProperty} & set(ontology.objects(property_, RDF.type))
        assert not str(above).startswith(str(NS))


def test_individuals_have_their_notations(ontology: Graph) -> None:
    individuals = {
        "Eixo": "forca force, eficacia efficacy",
        "Situacao": "vacatio vacatio, revogada revoked, anulada annulled, expirada expired, convertida converted, "
        "vetada vetoed, suspensa suspended, indeterminada unknown, emTramitacao in-progress, decidida decided",
    }
    for class_, listed in individuals.items():
        assert (NS[class_], RDFS.subClassOf, SKOS.Concept) in ontology
        notations = dict(pair.split() for pair in listed.split(", "))
        members = set(ontology.subjects(RDF.type, NS[class_]))
        assert {member: list(ontology.objects(member, SKOS.notation)) for member in members} == {
            NS[name]: [Literal(notation)] for name, notation in notations.items()
        }


def test_ranges_of_dates(ontology: Graph) -> None:
    """Bounds of periods are civil dates; a year or date is not eli:date_document."""
    for term in ("inicio", "fim", "conhecidoDesde", "conhecidoAte"):
        assert list(ontology.objects(NS[term], RDFS.range)) == [XSD.date]
        assert _members(ontology, NS[term], RDFS.domain) == {NS.Periodo, NS.Lacuna}
    assert _members(ontology, NS.dataRepresentativa, RDFS.range) == {XSD.date, XSD.gYear}
    assert list(ontology.objects(NS.dataRepresentativa, RDFS.subPropertyOf)) == [DCTERMS.date]
