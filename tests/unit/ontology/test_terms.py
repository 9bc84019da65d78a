"""Tests of the vocabularies of the graph: events, generated IRIs, closed namespaces, terms of ``vigente.ttl``."""

from __future__ import annotations

import csv
import dataclasses
import re
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import DCTERMS as DUBLIN
from rdflib import OWL, RDF, RDFS, SKOS, XSD, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.compare import isomorphic
from rdflib.term import Node

from ontology.events import EVENTS, Effect, event_iri, rank
from ontology.iris import (
    DERIVED_GRAPH,
    ID,
    VOCAB,
    content_iri,
    day_iri,
    hashed_iri,
    provider_iri,
    provider_of,
    vocab_iri,
)
from ontology.namespaces import CRM, DC, DCTERMS, ELI, FRBROO, NAMESPACES, PREFIXES, SCHEMA, VIG, Terms
from tests.support.cases import constant, values

# The event vocabulary


TURTLE = Path(__file__).resolve().parents[3] / "ontology" / "eventos.ttl"
SHARED = Path(__file__).resolve().parents[4] / "shared"
OFFICIAL_LIST = SHARED / "data" / "vocabularies" / "evento.csv"

EVENTO = Namespace("https://w3id.org/vigente/vocab/evento/")
GROUP = Namespace("https://w3id.org/vigente/vocab/evento#")
SCHEME = URIRef("https://w3id.org/vigente/vocab/evento")
ORDER = URIRef("https://w3id.org/vigente/ns#ordemVisao")

#: The official terms in their order, each with its rank and its label.
OFFICIAL: dict[str, tuple[int, str]] = constant("terms", "official")
#: The other terms in their order. They have the last rank, as any other word has.
OURS = (
    "entrada.vigor revogacao caducidade suspensao restabelecimento repristinacao inicio.eficacia prorrogacao.vacatio "
    "conversao rejeicao restauracao veto redacao superacao renumeracao vigencia.propria inicio.vigencia "
    "interpretacao.conforme inconstitucionalidade.sem.reducao.texto votacao sancao promulgacao edicao"
)
#: The effects in their order, with the terms that have them. The others have none.
EFFECTS = constant("terms", "effects")


@pytest.fixture(scope="module")
def vocabulary() -> Graph:
    return Graph().parse(TURTLE, format="turtle")


def _concepts(vocabulary: Graph) -> set[URIRef]:
    return {node for node in vocabulary.subjects(RDF.type, SKOS.Concept) if isinstance(node, URIRef)}


def _language(label: object) -> str:
    assert isinstance(label, Literal)
    assert label.language is not None
    return label.language.lower()


def test_terms_are_the_official_ones_followed_by_ours() -> None:
    assert list(EVENTS) == [*OFFICIAL, *OURS.split()]
    assert [term.notation for term in EVENTS.values() if term.official] == list(OFFICIAL)


def test_turtle_has_the_official_labels(vocabulary: Graph) -> None:
    for notation, (_, label) in OFFICIAL.items():
        labels = vocabulary.objects(EVENTO[notation], SKOS.prefLabel)
        assert [one for one in labels if _language(one) == "pt-br"] == [Literal(label, lang="pt-BR")]


@pytest.mark.skipif(not OFFICIAL_LIST.is_file(), reason="the specifications' sample data is not beside this checkout")
def test_official_list_is_unchanged() -> None:
    with OFFICIAL_LIST.open(encoding="utf-8", newline="") as table:
        listed = [(row["about"], row["prefLabel"]) for row in csv.DictReader(table)]
    assert listed == [(notation, label) for notation, (_, label) in OFFICIAL.items()]


def test_python_and_turtle_agree(vocabulary: Graph) -> None:
    """They have the same terms, in the same order and groups, official or not, and with the same effects."""
    concepts, terms = _concepts(vocabulary), EVENTS.values()
    notations = [(str(notation), str(node)) for node, notation in vocabulary.subject_objects(SKOS.notation)]
    assert {pair for pair in notations if URIRef(pair[1]) in concepts} == {(term.notation, term.iri) for term in terms}
    assert {str(concept) for concept in concepts} == {term.iri for term in terms}
    for group, official in ((GROUP.oficiais, True), (GROUP.proprios, False)):
        members = {str(member) for member in vocabulary.objects(group, SKOS.member)}
        assert members == {term.iri for term in terms if term.official is official}
    orders = {str(concept): [int(str(o)) for o in vocabulary.objects(concept, ORDER)] for concept in concepts}
    assert orders == {term.iri: [term.order] for term in terms}
    stated = {
        str(notation): {str(member) for member in vocabulary.objects(group, SKOS.member)}
        for group in vocabulary.subjects(RDF.type, SKOS.Collection)
        for notation in vocabulary.objects(group, SKOS.notation)
    }
    assert stated == {effect.value: {term.iri for term in terms if term.effect is effect} for effect in Effect}


def test_every_term_has_both_languages_and_is_in_the_scheme(vocabulary: Graph) -> None:
    assert (SCHEME, RDF.type, SKOS.ConceptScheme) in vocabulary
    for concept in _concepts(vocabulary):
        for predicate in (SKOS.prefLabel, SKOS.definition):
            values = list(vocabulary.objects(concept, predicate))
            assert sorted(_language(v) for v in values) == ["en", "pt-br"], (concept, predicate)
            assert len({str(v) for v in values}) == 2, f"{concept} is not translated"
        assert list(vocabulary.objects(concept, SKOS.inScheme)) == [SCHEME]
        assert list(vocabulary.objects(concept, SKOS.topConceptOf)) == [SCHEME]
    for group in vocabulary.subjects(RDF.type, SKOS.Collection):
        assert sorted(_language(v) for v in vocabulary.objects(group, SKOS.prefLabel)) == ["en", "pt-br"]


def test_each_term_has_its_effect() -> None:
    assert [effect.value for effect in Effect] == list(EFFECTS)
    expected = {word: effect for effect, words in EFFECTS.items() for word in words.split()}
    assert {term.notation: term.effect.value for term in EVENTS.values() if term.effect is not None} == expected


def test_rank_of_each_term() -> None:
    ranks = {notation: order for notation, (order, _) in OFFICIAL.items()}
    assert {notation: rank(notation) for notation in ranks} == ranks
    assert {rank(word) for word in ("data.evento", "Publicacao", "publicacao ", "", *OURS.split())} == {8}
    assert rank(None) == -1


def test_terms_are_immutable() -> None:
    with pytest.raises(TypeError):
        EVENTS["outro"] = EVENTS["publicacao"]  # type: ignore[index]  # the refusal is what is tested
    with pytest.raises(dataclasses.FrozenInstanceError):
        EVENTS["publicacao"].order = 9  # type: ignore[misc]  # the refusal is what is tested


# Generated IRIs


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
parts = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x1f")), min_size=1, max_size=4)


def test_iris_have_the_published_values() -> None:
    """Check event words of any kind, civil days, the URL of a provider, which is unchanged, and a full digest."""
    begins, digest = "https://w3id.org/vigente/", "0123456789abcdef" * 4
    provider = provider_iri("https://oai.example/oai")
    made = {
        "id/": ID,
        "vocab/": VOCAB,
        "id/grafo/derivado": DERIVED_GRAPH,
        "vocab/evento/publicacao": event_iri("publicacao"),
        "vocab/evento/derrubada.veto.parcial": event_iri("derrubada.veto.parcial"),
        "vocab/evento/data.evento": event_iri("data.evento"),
        "vocab/evento/oficiais%23x": event_iri("oficiais#x"),
        "id/dia/1990-09-11": day_iri(date(1990, 9, 11)),
        "id/dia/0001-01-01": day_iri(date.min),
        "id/dia/9999-12-31": day_iri(date.max),
        "id/provedor/https%3A%2F%2Foai.example%2Foai": provider,
        f"id/conteudo/{digest}": content_iri(digest),
    }
    assert list(made.values()) == [begins + end for end in made]
    assert day_iri(datetime(1990, 9, 11, 23, 59)) == day_iri(date(1990, 9, 11))  # noqa: DTZ001 - a day has no zone
    assert provider_of(provider) == "https://oai.example/oai"
    assert len({provider, provider_iri("https://oai.example/oai/"), provider_iri("http://oai.example/oai")}) == 3


@pytest.mark.parametrize(("notation", "segment"), values("terms", "vocab_iri_percent_encodes_its_segment"))
def test_vocab_iri_percent_encodes_its_segment(notation: str, segment: str) -> None:
    assert vocab_iri("tipoDocumento", notation) == f"https://w3id.org/vigente/vocab/tipoDocumento/{segment}"


@settings(max_examples=100)
@given(words, parts, parts)
def test_every_input_gives_a_valid_iri_of_its_own(word: str, first: list[str], other: list[str]) -> None:
    iri = vocab_iri("evento", word)
    assert unquote(iri.removeprefix(f"{VOCAB}evento/")) == word
    assert ox.NamedNode(iri).value == iri
    assert (hashed_iri("x", *first) == hashed_iri("x", *other)) == (first == other)


def test_hashed_iri_is_the_truncated_digest_of_the_joined_parts() -> None:
    digest = sha256("é\x1fb".encode()).hexdigest()
    assert hashed_iri("periodo", "é", "b") == f"https://w3id.org/vigente/id/periodo/{digest[:32]}"
    made = {hashed_iri("x", "ab", "c"), hashed_iri("x", "a", "bc"), hashed_iri("x", "abc"), hashed_iri("x", "abc", "")}
    assert len(made) == 4
    assert hashed_iri("periodo", "a") != hashed_iri("lacuna", "a")
    assert hashed_iri("a/b", "c").startswith(f"{ID}a%2Fb/")


WRONG_DIGESTS = ["", "a" * 63, "a" * 65, "A" * 64, "g" * 64, "a" * 64 + "\n", "\N{DEVANAGARI DIGIT ONE}" * 64]
REFUSED: list[tuple[Callable[[], str], str]] = [
    (lambda: vocab_iri("", "lei"), "expected a scheme of at least one character, got ''"),
    (lambda: vocab_iri("evento", ""), "expected a notation of at least one character, got ''"),
    (lambda: event_iri(""), "expected a notation of at least one character, got ''"),
    (lambda: vocab_iri("", ""), "expected a scheme of at least one character, got ''"),
    (
        lambda: hashed_iri("x", "ok", "a\x1fb"),
        "expected a part without U+001F, which separates the parts, got 'a\\x1fb'",
    ),
    (lambda: hashed_iri("periodo"), "expected at least one part that identifies the periodo, got none"),
    (lambda: hashed_iri("", "a"), "expected a kind of at least one character, got ''"),
    (lambda: provider_iri(""), "expected the base URL or the domain of a provider, got ''"),
]


def test_invalid_input_is_refused() -> None:
    digests = [
        (lambda text=text: content_iri(text), f"expected a SHA-256 in 64 lower-case hexadecimal digits, got {text!r}")
        for text in WRONG_DIGESTS
    ]
    for call, message in (*REFUSED, *digests):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message follows
            call()
        assert str(caught.value) == message


# Closed namespaces

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
    ("space", "terms", "unknown"),
    [
        (FRBROO, "F15_Complex_Work F22_Self-Contained_Expression", "F14_IndividualWork"),
        (CRM, "E52_Time-Span P4_has_time-span", "E52_Time_Span"),
        (ELI, "version_date", "has_version"),
        (SCHEMA, "contentUrl", "contenturl"),
        (DCTERMS, "title", "titulo"),
        (DC, "title", "titulo"),
        (VIG, "dataVersao", "conhecido"),
    ],
)
def test_namespace_has_only_the_published_terms(space: Terms, terms: str, unknown: str) -> None:
    assert [term for term in terms.split() if term not in space] == []
    assert unknown not in space
    with pytest.raises(AttributeError, match=f"^expected a term of <{re.escape(str(space))}>, got '{unknown}'$"):
        space[unknown]


@pytest.mark.skipif(not CHECKED_TERMS.is_file(), reason="the specifications' sample data is not beside this checkout")
@pytest.mark.parametrize("space", [FRBROO, CRM], ids=["frbroo", "crm"])
def test_frbroo_and_crm_terms_are_in_the_checked_table(space: Terms) -> None:
    with CHECKED_TERMS.open(encoding="utf-8", newline="") as table:
        checked = {row["recommended_IRI"] for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)}
    assert {space[term] for term in space} - checked == set()


# The terms in ``vigente.ttl``


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
    assert _languages(list(ontology.objects(HEADER, DUBLIN.title))) == LANGUAGES
    assert list(ontology.objects(HEADER, DUBLIN.creator)) == [Literal("Vigente contributors")]
    assert list(ontology.objects(HEADER, DUBLIN.license)) == [URIRef("https://creativecommons.org/licenses/by/4.0/")]
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
    assert list(ontology.objects(NS.dataRepresentativa, RDFS.subPropertyOf)) == [DUBLIN.date]
