"""Tests of what an act states about itself: its commencement, counted by LC 95/1998, and who took part in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from graph.entities import Coverage, Document, Provision, Record, Role, Source, Wording
from graph.urn import parse
from loaders.commencement import read_commencement
from loaders.participants import of_formula, with_participants
from ontology.events import EVENTS
from ontology.iris import vocab_iri
from ontology.namespaces import CRM, FRBROO, RDFS
from tests.support.cases import Row, cases, values
from tests.support.record_triples import Triples


@pytest.mark.parametrize(("text", "expected"), values("acts", "commencement"))
def test_commencement_clause_gives_its_day(text: str, expected: str) -> None:
    found = read_commencement({"art9_cpt": text}, date(2015, 7, 7))
    assert [f"{one.day} {one.term or ''}".strip() for one in found] == ([expected] if expected else [])
    assert all(one.parts is None for one in found)


@cases("acts", "parts")
def test_clause_with_parts_gives_several_days(row: Row) -> None:
    head, *parts = row["clauses"]
    clauses = {"art9_cpt": head, **{f"art9_cpt_inc{n}": part for n, part in enumerate(parts, 1)}}
    found = read_commencement(clauses, row["published"])
    assert [" ".join((str(one.day), one.fragment, *(one.parts or ()))) for one in found] == row["expected"]


@pytest.mark.parametrize(("formula", "expected"), values("acts", "formula"))
def test_formula_states_who_took_part(formula: str, expected: str) -> None:
    assert ", ".join(f"{one.role} {one.authority}" for one in of_formula(formula)) == expected


def norm_of(name: str, *lines: Sequence[str]) -> Record:
    provisions = tuple(
        Provision(fragment, None, order, (Wording(None, text=text),)) for order, (fragment, text) in enumerate(lines, 1)
    )
    source = Source("urn:x:1", "lexml_xml", "0" * 64, "lexml_xml/1")
    return Record(source, Document(parse(name)), provisions=provisions, coverage=Coverage.WHOLE)


@pytest.mark.parametrize(("name", "lines", "expected"), values("acts", "participants"))
def test_only_what_a_norm_states_is_read(name: str, lines: list[list[str]], expected: list[str]) -> None:
    found = with_participants(norm_of(name, *lines)).participations
    assert [f"{one.role} {one.authority} {one.name}" for one in found] == expected


def test_each_role_is_an_activity_of_an_actor() -> None:
    name = "urn:lex:br:federal:lei:2001-03-05;99901@2001-06-01;assinatura;2001-03-05"
    formula = values("acts", "formula")[0][0]
    triples = Triples(with_participants(norm_of(name, ("preambulo", formula), ("assinatura", "FULANO DE TAL"))))
    acts = {(p, o): s for s, p, o in triples.all if p == CRM["P14_carried_out_by"]}
    kinds = {triples.of(node, CRM["P2_has_type"])[0].rpartition("/")[2]: o for (_, o), node in acts.items()}
    assert set(kinds) == {"votacao", "sancao", "assinatura"} <= set(EVENTS)
    assert kinds["votacao"] == vocab_iri("autoridade", "congresso.nacional")
    assert kinds["sancao"] == vocab_iri("autoridade", "presidencia.republica")
    assert triples.of(kinds["assinatura"], RDFS["label"]) == ["FULANO DE TAL"]
    assert set(triples.all_of(CRM["E39_Actor"])) == set(kinds.values())
    (signature,) = [node for (_, actor), node in acts.items() if actor == kinds["assinatura"]]
    assert triples.of(signature, FRBROO["R19_created_a_realisation_of"]) == [name]
    assert {role.value for role in Role} <= set(EVENTS)
