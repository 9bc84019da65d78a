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

#: The official terms in their order, each with its rank and its label.
OFFICIAL: dict[str, tuple[int, str]] = {
    "assinatura": (0, "Assinatura"),
    "iniciativa": (0, "Iniciativa"),
    "julgamento": (0, "Julgamento"),
    "publicacao": (1, "Publicação Original"),
    "alteracao": (2, "Alteração"),
    "retificacao": (4, "Retificação"),
    "republicacao": (3, "Republicação"),
    "anulacao": (6, "Anulação"),
    "declaracao.inconstitucionalidade": (6, "Declaração de Inconstitucionalidade"),
    "derrubada.veto.parcial": (5, "Derrubada de Veto Parcial"),
    "derrubada.veto.total": (5, "Derrubada de Veto Total"),
    "anotacao": (7, "Anotação"),
    "texto.atualizado": (7, "Texto Atualizado"),
    "leitura": (0, "Leitura"),
}
#: The other terms in their order. They have the last rank, as any other word has.
OURS = (
    "entrada.vigor revogacao caducidade suspensao restabelecimento repristinacao inicio.eficacia prorrogacao.vacatio "
    "conversao rejeicao restauracao veto redacao superacao renumeracao vigencia.propria inicio.vigencia "
    "interpretacao.conforme inconstitucionalidade.sem.reducao.texto votacao sancao promulgacao edicao"
)
#: The effects in their order, with the terms that have them. The others have none.
EFFECTS = {
    "revokes": "revogacao",
    "annuls": "anulacao declaracao.inconstitucionalidade",
    "expires": "caducidade rejeicao renumeracao",
    "restores": "repristinacao",
    "suspends": "suspensao",
    "reinstates": "restabelecimento",
    "starts-efficacy": "inicio.eficacia",
    "converts": "conversao",
    "restores-wording": "restauracao redacao superacao",
    "vetoes": "veto",
    "starts-force": "vigencia.propria inicio.vigencia",
    "interprets": "interpretacao.conforme inconstitucionalidade.sem.reducao.texto",
}


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


@pytest.mark.parametrize("word", ["publicacao", "derrubada.veto.parcial", "data.evento", "oficiais#x"])
def test_event_iri_accepts_any_word(word: str) -> None:
    assert event_iri(word) == f"https://w3id.org/vigente/vocab/evento/{word.replace('#', '%23')}"


def test_event_iri_refuses_an_empty_word() -> None:
    with pytest.raises(ValueError, match=r"^expected a notation of at least one character, got ''$"):
        event_iri("")


def test_terms_are_immutable() -> None:
    with pytest.raises(TypeError):
        EVENTS["outro"] = EVENTS["publicacao"]  # type: ignore[index]  # the refusal is what is tested
    with pytest.raises(dataclasses.FrozenInstanceError):
        EVENTS["publicacao"].order = 9  # type: ignore[misc]  # the refusal is what is tested
