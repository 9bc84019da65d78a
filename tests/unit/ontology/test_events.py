"""Tests of the event vocabulary: Python and ``eventos.ttl`` agree, and the official terms match the official list."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import pytest
from rdflib import RDF, SKOS, Graph, Literal, Namespace, URIRef

from ontology.events import EVENTS, Effect, event_iri, rank

TURTLE = Path(__file__).resolve().parents[3] / "ontology" / "eventos.ttl"
SHARED = Path(__file__).resolve().parents[4] / "shared"
OFFICIAL_LIST = SHARED / "data" / "vocabularies" / "evento.csv"

EVENTO = Namespace("https://w3id.org/vigente/vocab/evento/")
GROUP = Namespace("https://w3id.org/vigente/vocab/evento#")
SCHEME = URIRef("https://w3id.org/vigente/vocab/evento")
ORDER = URIRef("https://w3id.org/vigente/ns#ordemVisao")

OFFICIAL = {
    "assinatura": "Assinatura",
    "iniciativa": "Iniciativa",
    "julgamento": "Julgamento",
    "publicacao": "Publicação Original",
    "alteracao": "Alteração",
    "retificacao": "Retificação",
    "republicacao": "Republicação",
    "anulacao": "Anulação",
    "declaracao.inconstitucionalidade": "Declaração de Inconstitucionalidade",
    "derrubada.veto.parcial": "Derrubada de Veto Parcial",
    "derrubada.veto.total": "Derrubada de Veto Total",
    "anotacao": "Anotação",
    "texto.atualizado": "Texto Atualizado",
    "leitura": "Leitura",
}
OURS = [
    "entrada.vigor",
    "revogacao",
    "caducidade",
    "suspensao",
    "restabelecimento",
    "repristinacao",
    "inicio.eficacia",
    "prorrogacao.vacatio",
    "conversao",
    "rejeicao",
    "restauracao",
    "veto",
    "redacao",
    "superacao",
    "renumeracao",
    "vigencia.propria",
    "inicio.vigencia",
    "interpretacao.conforme",
    "inconstitucionalidade.sem.reducao.texto",
    "votacao",
    "sancao",
    "promulgacao",
    "edicao",
]


@pytest.fixture(scope="module")
def vocabulary() -> Graph:
    return Graph().parse(TURTLE, format="turtle")


def _concepts(vocabulary: Graph) -> set[URIRef]:
    return {node for node in vocabulary.subjects(RDF.type, SKOS.Concept) if isinstance(node, URIRef)}


def test_terms_are_the_official_ones_followed_by_ours() -> None:
    assert list(EVENTS) == [*OFFICIAL, *OURS]
    assert [term.notation for term in EVENTS.values() if term.official] == list(OFFICIAL)


def test_turtle_has_the_official_labels(vocabulary: Graph) -> None:
    labels = {
        notation: [
            label for label in vocabulary.objects(EVENTO[notation], SKOS.prefLabel) if _language(label) == "pt-br"
        ]
        for notation in OFFICIAL
    }
    assert labels == {notation: [Literal(label, lang="pt-BR")] for notation, label in OFFICIAL.items()}


def _language(label: object) -> str:
    assert isinstance(label, Literal)
    assert label.language is not None
    return label.language.lower()


@pytest.mark.skipif(not OFFICIAL_LIST.is_file(), reason="the specifications' sample data is not beside this checkout")
def test_official_list_is_unchanged() -> None:
    with OFFICIAL_LIST.open(encoding="utf-8", newline="") as table:
        listed = {row["about"]: row["prefLabel"] for row in csv.DictReader(table)}
    assert list(listed.items()) == list(OFFICIAL.items())


def test_python_and_turtle_have_the_same_terms(vocabulary: Graph) -> None:
    assert {str(concept) for concept in _concepts(vocabulary)} == {term.iri for term in EVENTS.values()}
    stated = {
        str(notation): str(concept)
        for concept, notation in vocabulary.subject_objects(SKOS.notation)
        if concept in _concepts(vocabulary)
    }
    assert stated == {term.notation: term.iri for term in EVENTS.values()}


def test_python_and_turtle_agree_on_the_origin_of_terms(vocabulary: Graph) -> None:
    for group, official in ((GROUP.oficiais, True), (GROUP.proprios, False)):
        members = {str(member) for member in vocabulary.objects(group, SKOS.member)}
        assert members == {term.iri for term in EVENTS.values() if term.official is official}


def test_python_and_turtle_agree_on_the_order(vocabulary: Graph) -> None:
    orders = {
        str(concept): [o.toPython() for o in vocabulary.objects(concept, ORDER) if isinstance(o, Literal)]
        for concept in _concepts(vocabulary)
    }
    assert orders == {term.iri: [term.order] for term in EVENTS.values()}


def test_python_and_turtle_agree_on_the_effects(vocabulary: Graph) -> None:
    stated: dict[str, set[str]] = {}
    for group in vocabulary.subjects(RDF.type, SKOS.Collection):
        for notation in vocabulary.objects(group, SKOS.notation):
            stated[str(notation)] = {str(member) for member in vocabulary.objects(group, SKOS.member)}
    assert stated == {effect.value: {t.iri for t in EVENTS.values() if t.effect is effect} for effect in Effect}


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
    assert {term.notation: term.effect for term in EVENTS.values() if term.effect is not None} == {
        "anulacao": Effect.ANNULS,
        "declaracao.inconstitucionalidade": Effect.ANNULS,
        "revogacao": Effect.REVOKES,
        "caducidade": Effect.EXPIRES,
        "repristinacao": Effect.RESTORES,
        "suspensao": Effect.SUSPENDS,
        "restabelecimento": Effect.REINSTATES,
        "inicio.eficacia": Effect.STARTS_EFFICACY,
        "conversao": Effect.CONVERTS,
        "rejeicao": Effect.EXPIRES,
        "restauracao": Effect.RESTORES_WORDING,
        "veto": Effect.VETOES,
        "redacao": Effect.RESTORES_WORDING,
        "superacao": Effect.RESTORES_WORDING,
        "renumeracao": Effect.EXPIRES,
        "vigencia.propria": Effect.STARTS_FORCE,
        "inicio.vigencia": Effect.STARTS_FORCE,
        "interpretacao.conforme": Effect.INTERPRETS,
        "inconstitucionalidade.sem.reducao.texto": Effect.INTERPRETS,
    }
    assert [effect.value for effect in Effect] == [
        "revokes",
        "annuls",
        "expires",
        "restores",
        "suspends",
        "reinstates",
        "starts-efficacy",
        "converts",
        "restores-wording",
        "vetoes",
        "starts-force",
        "interprets",
    ]


RANKS: list[tuple[int, list[str | None]]] = [
    (-1, [None]),
    (0, ["assinatura", "iniciativa", "julgamento", "leitura"]),
    (1, ["publicacao"]),
    (2, ["alteracao"]),
    (3, ["republicacao"]),
    (4, ["retificacao"]),
    (5, ["derrubada.veto.parcial", "derrubada.veto.total"]),
    (6, ["declaracao.inconstitucionalidade", "anulacao"]),
    (7, ["texto.atualizado", "anotacao"]),
    (8, ["data.evento", "Publicacao", "publicacao ", "", *OURS]),
]


@pytest.mark.parametrize(("expected", "event"), [(expected, event) for expected, events in RANKS for event in events])
def test_rank_of_each_term(expected: int, event: str | None) -> None:
    assert rank(event) == expected


def test_rank_table_lists_every_term() -> None:
    assert {event for _, events in RANKS for event in events} >= set(EVENTS)


@pytest.mark.parametrize(
    ("word", "iri"),
    [
        ("publicacao", "https://w3id.org/vigente/vocab/evento/publicacao"),
        ("derrubada.veto.parcial", "https://w3id.org/vigente/vocab/evento/derrubada.veto.parcial"),
        ("data.evento", "https://w3id.org/vigente/vocab/evento/data.evento"),
        ("oficiais#x", "https://w3id.org/vigente/vocab/evento/oficiais%23x"),
    ],
)
def test_event_iri_accepts_any_word(word: str, iri: str) -> None:
    assert event_iri(word) == iri


def test_event_iri_refuses_an_empty_word() -> None:
    with pytest.raises(ValueError, match=r"^expected a notation of at least one character, got ''$"):
        event_iri("")


def test_terms_are_immutable() -> None:
    with pytest.raises(TypeError):
        EVENTS["outro"] = EVENTS["publicacao"]  # type: ignore[index]  # the refusal is what is tested
    with pytest.raises(dataclasses.FrozenInstanceError):
        EVENTS["publicacao"].order = 9  # type: ignore[misc]  # the refusal is what is tested
