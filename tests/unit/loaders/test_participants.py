"""Tests of those who took part in an act, as its enacting formula and its signatures state them."""

from __future__ import annotations

import pytest

from graph.entities import Coverage, Document, Provision, Record, Role, Source, Wording
from graph.urn import parse
from loaders.participants import of_formula, with_participants
from ontology.events import EVENTS
from ontology.iris import vocab_iri
from ontology.namespaces import CRM, FRBROO, RDFS
from tests.support.record_triples import Triples

SANCTION = "O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:"
LOCAL = "O PREFEITO MUNICIPAL, faço saber que a Câmara Municipal decreta e eu sanciono a seguinte Lei:"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (SANCTION, "votacao congresso.nacional, sancao presidencia.republica"),
        (LOCAL, "votacao camara.municipal, sancao prefeitura"),
        (
            "O PRESIDENTE DA REPÚBLICA, faço saber que o CONGRESSO NACIONAL decreta e eu promulgo:",
            "votacao congresso.nacional, promulgacao presidencia.republica",
        ),
        (
            "Faço saber que o Congresso Nacional aprovou, e eu, Fulano, Presidente do Senado Federal, promulgo",
            "votacao congresso.nacional, promulgacao senado.federal",
        ),
        ("Faço saber que o Senado Federal aprovou, e eu, Fulano, Presidente, promulgo", "votacao senado.federal"),
        (
            "As Mesas da Câmara dos Deputados e do Senado Federal, nos termos do art. 60, promulgam",
            "promulgacao camara.deputados, promulgacao senado.federal",
        ),
        ("O PRESIDENTE DO SENADO FEDERAL promulga, nos termos do art. 66, § 7º", "promulgacao senado.federal"),
        ("O PRESIDENTE DA REPÚBLICA, no uso da atribuição do art. 84, DECRETA:", "edicao presidencia.republica"),
        ("O MINISTRO DE ESTADO DA SAÚDE, no uso de suas atribuições, resolve:", "edicao ministerio.saude"),
        ("O SENADO FEDERAL resolve:", "votacao senado.federal"),
        ("Nós, representantes do povo brasileiro, reunidos para instituir um Estado, promulgamos a seguinte", ""),
        ("A QUEM INTERESSAR", ""),
    ],
)  # fmt: skip
def test_formula_states_who_took_part(formula: str, expected: str) -> None:
    assert ", ".join(f"{one.role} {one.authority}" for one in of_formula(formula)) == expected


def _record(name: str, *lines: tuple[str, str]) -> Record:
    provisions = tuple(
        Provision(fragment, None, order, (Wording(None, text=text),)) for order, (fragment, text) in enumerate(lines, 1)
    )
    source = Source("urn:x:1", "lexml_xml", "0" * 64, "lexml_xml/1")
    return Record(source, Document(parse(name)), provisions=provisions, coverage=Coverage.WHOLE)


@pytest.mark.parametrize(
    ("name", "lines", "expected"),
    [
        ("urn:lex:br:senado.federal:projeto.lei;pls:2001;99901", [("preambulo", SANCTION)], []),
        ("urn:lex:br;bahia;salvador:municipal:lei:2001-03-05;99901", [("preambulo", SANCTION)], []),
        ("urn:lex:br:federal:lei:2001-03-05;99901", [("preambulo", LOCAL)], []),
        ("urn:lex:br:federal:lei:2001-03-05;99901", [("assinatura", "D.O. de 6.3.2001, p. 1")], []),
        (
            "urn:lex:br;bahia;salvador:municipal:lei:2001-03-05;99901",
            [("preambulo", LOCAL), ("assinatura", "Fulana de Tal")],
            ["votacao camara.municipal None", "sancao prefeitura None", "assinatura None Fulana de Tal"],
        ),
        (
            "urn:lex:br:federal:lei:2001-03-05;99901",
            [("assinatura", "FULANO DE TAL Presidente da República")],
            [
                "assinatura None FULANO DE TAL Presidente da República",
                "assinatura presidencia.republica None",
            ],
        ),
    ],
)
def test_only_what_a_norm_states_is_read(name: str, lines: list[tuple[str, str]], expected: list[str]) -> None:
    found = with_participants(_record(name, *lines)).participations
    assert [f"{one.role} {one.authority} {one.name}" for one in found] == expected


def test_each_role_is_an_activity_of_an_actor() -> None:
    name = "urn:lex:br:federal:lei:2001-03-05;99901@2001-06-01;assinatura;2001-03-05"
    triples = Triples(with_participants(_record(name, ("preambulo", SANCTION), ("assinatura", "FULANO DE TAL"))))
    acts = {(p, o): s for s, p, o in triples.all if p == CRM["P14_carried_out_by"]}
    kinds = {triples.of(node, CRM["P2_has_type"])[0].rpartition("/")[2]: o for (_, o), node in acts.items()}
    assert set(kinds) == {"votacao", "sancao", "assinatura"} <= set(EVENTS)
    assert kinds["votacao"] == vocab_iri("autoridade", "congresso.nacional")
    assert kinds["sancao"] == vocab_iri("autoridade", "presidencia.republica")
    assert triples.of(kinds["assinatura"], RDFS["label"]) == ["FULANO DE TAL"]
    assert set(triples.all_of(CRM["E39_Actor"])) == set(kinds.values())
    (signature,) = [node for (_, actor), node in acts.items() if actor == kinds["assinatura"]]
    assert triples.of(signature, FRBROO["R19_created_a_realisation_of"]) == [name]


def test_roles_are_kinds_of_events() -> None:
    assert {role.value for role in Role} <= set(EVENTS)
