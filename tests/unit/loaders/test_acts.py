"""Tests of what an act states about itself: commencement, participants, and the changes that it orders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest

from graph.entities import Coverage, Document, Provision, Record, Role, Source, Wording
from graph.urn import parse
from loaders.commencement import read_commencement
from loaders.documents import SourceDocument
from loaders.participants import of_formula, with_participants
from loaders.sources.registry import read_document
from ontology.events import EVENTS
from ontology.iris import vocab_iri
from ontology.namespaces import CRM, FRBROO, RDFS
from tests.support.cases import values
from tests.support.record_triples import Triples

# Commencement clauses: the day of each, counted by LC 95/1998, or none


PUBLISHED = date(2015, 7, 7)


def clauses_of(text: str, published: date = PUBLISHED) -> list[tuple[str, tuple[str, ...] | None, str | None]]:
    commencements = read_commencement({"art9_cpt": text}, published)
    return [
        (str(commencement.day), commencement.parts, None if commencement.term is None else str(commencement.term))
        for commencement in commencements
    ]


@pytest.mark.parametrize(("text", "day", "term"), values("acts", "commencement_clauses_are_read"))
def test_commencement_clauses_are_read(text: str, day: str, term: str) -> None:
    assert clauses_of(text) == [(day, None, term or None)]


@pytest.mark.parametrize("text", values("acts", "unreadable_clause_gives_no_day"))
def test_unreadable_clause_gives_no_day(text: str) -> None:
    assert clauses_of(text) == []


def test_real_commencement_clauses_are_read() -> None:
    """Check Lei 13.105/2015 and Lei 13.146/2015 (docs/explanation/time.md, counting)."""
    code = "Este Código entra em vigor após decorrido 1 (um) ano da data de sua publicação oficial."
    assert clauses_of(code, date(2015, 3, 17))[0][0] == "2016-03-18"
    statute = "Esta Lei entra em vigor após decorridos 180 (cento e oitenta) dias de sua publicação oficial."
    assert clauses_of(statute, date(2015, 7, 7))[0][0] == "2016-01-03"


def test_clause_with_parts_gives_several_days() -> None:
    commencements = read_commencement(
        {
            "art65_cpt": "Esta Lei entra em vigor:",
            "art65_cpt_inc1": "dia 28 de dezembro de 2018, quanto aos arts. 55-A, 55-L e 60 a 62; e",
            "art65_cpt_inc2": "24 (vinte e quatro) meses após a data de sua publicação, quanto aos demais artigos.",
        },
        date(2018, 8, 15),
    )
    assert [(str(commencement.day), commencement.parts, commencement.fragment) for commencement in commencements] == [
        ("2018-12-28", ("art60", "art61", "art62", "art55-1", "art55-12"), "art65_cpt_inc1"),
        ("2020-08-16", None, "art65_cpt_inc2"),
    ]


def test_unreadable_part_leaves_the_whole_clause_open() -> None:
    commencements = read_commencement(
        {
            "art9_cpt": "Esta Lei entra em vigor:",
            "art9_cpt_inc1": "na data de sua publicação, quanto aos arts. 1º e 2º; e",
            "art9_cpt_inc2": "quando o regulamento o disser, quanto aos demais artigos.",
        },
        PUBLISHED,
    )
    assert commencements == ()


# Those who took part in an act


SANCTION = "O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:"
LOCAL = "O PREFEITO MUNICIPAL, faço saber que a Câmara Municipal decreta e eu sanciono a seguinte Lei:"


@pytest.mark.parametrize(("formula", "expected"), values("acts", "formula_states_who_took_part"))
def test_formula_states_who_took_part(formula: str, expected: str) -> None:
    assert ", ".join(f"{one.role} {one.authority}" for one in of_formula(formula)) == expected


def norm_of(name: str, *lines: Sequence[str]) -> Record:
    provisions = tuple(
        Provision(fragment, None, order, (Wording(None, text=text),)) for order, (fragment, text) in enumerate(lines, 1)
    )
    source = Source("urn:x:1", "lexml_xml", "0" * 64, "lexml_xml/1")
    return Record(source, Document(parse(name)), provisions=provisions, coverage=Coverage.WHOLE)


@pytest.mark.parametrize(("name", "lines", "expected"), values("acts", "only_what_a_norm_states_is_read"))
def test_only_what_a_norm_states_is_read(name: str, lines: list[list[str]], expected: list[str]) -> None:
    found = with_participants(norm_of(name, *lines)).participations
    assert [f"{one.role} {one.authority} {one.name}" for one in found] == expected


def test_each_role_is_an_activity_of_an_actor() -> None:
    name = "urn:lex:br:federal:lei:2001-03-05;99901@2001-06-01;assinatura;2001-03-05"
    triples = Triples(with_participants(norm_of(name, ("preambulo", SANCTION), ("assinatura", "FULANO DE TAL"))))
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


# The operations of an act, from each source of its text


REAL = Path(__file__).resolve().parents[4] / "shared" / "data" / "planalto" / "L14133.html"
LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
FORMULA = "A Lei nº 99.901, de 5 de março de 2001, passa a vigorar com as seguintes alterações:"
VERSION = "urn:lex:br:federal:lei:2011-04-04;99902@2011-04-05;publicacao;2011-04-05"


def page(clause: str, end: str = "</html>") -> bytes:
    """Return a compiled page of an act that amends one law and repeals another."""
    lines = (
        "LEI Nº 99.902, DE 4 DE ABRIL DE 2011",
        "Altera a Lei nº 99.901.",
        f"Art. 1º {FORMULA}",
        "“Art. 3º Novo.” (NR)",
        "Art. 2º Fica revogado o art. 9º da Lei nº 99.903, de 6 de março de 2001.",
        f"Art. 3º {clause}",
        "Este texto não substitui o publicado no DOU de 5.4.2011",
    )
    return "".join(("<html>", *(f"<p>{line}</p>" for line in lines), end)).encode()


def document(name: str, act: str = "Norma") -> bytes:
    """Return an act, or a bill, as LexML XML."""
    quoted = (
        '<Alteracao id="art1_cpt_alt1"><Artigo id="art1_cpt_alt1_art3"><Rotulo>Art. 3º</Rotulo>'
        '<Caput id="art1_cpt_alt1_art3_cpt"><p>Novo.</p></Caput></Artigo></Alteracao>'
    )
    articles = (
        f'<Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>{FORMULA}</p>{quoted}</Caput></Artigo>'
        '<Artigo id="art2"><Rotulo>Art. 2º</Rotulo><Caput id="art2_cpt">'
        "<p>Esta Lei entra em vigor na data de sua publicação.</p></Caput></Artigo>"
    )
    wrapped = f"<{act}><Articulacao>{articles}</Articulacao></{act}>"
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
        f'<Identificacao URN="{name}"/></Metadado>{wrapped}</LexML>'
    ).encode()


def record_of(raw: bytes, label: str, kind: str) -> Record:
    source = SourceDocument(label, partial(BytesIO, raw))
    return next(outcome for outcome in read_document(source, as_kind=kind) if isinstance(outcome, Record))


@pytest.mark.parametrize(
    ("raw", "kind", "effects"),
    [
        (page("Esta Lei entra em vigor na data de sua publicação."), "planalto", {date(2011, 4, 5)}),
        (page("Esta Lei entra em vigor em 1º de maio de 2011."), "planalto", {date(2011, 5, 1)}),
        (
            page(
                "Esta Lei entra em vigor em 1º de junho de 2011. (Redação dada pela Lei nº 99.904, de 2011)",
            ),
            "planalto",
            {None},
        ),
        (document(VERSION), "lexml_xml", {date(2011, 4, 5)}),
        (document("urn:lex:br:federal:lei:2011-04-04;99902"), "lexml_xml", {None}),
    ],
)
def test_operations_are_read_with_the_days_that_the_source_states(
    raw: bytes, kind: str, effects: set[date | None]
) -> None:
    read = record_of(raw, "act", kind)
    targets = [operation.target.canonical for operation in read.operations]
    assert targets[0] == f"{LAW}!art3_cpt"
    assert targets[1:] == (["urn:lex:br:federal:lei:2001-03-06;99903!art9"] if kind == "planalto" else [])
    assert {operation.effect for operation in read.operations} == effects
    assert read.unread_orders == 0


def test_bill_has_no_operations() -> None:
    bill = "urn:lex:br:senado.federal:projeto.lei;pls:2011;99902"
    assert record_of(document(bill), "bill.xml", "lexml_xml").operations == ()


def test_orders_that_are_not_understood_are_counted() -> None:
    raw = page("Esta Lei entra em vigor na data de sua publicação.").replace("“Art. 3º Novo.” (NR)".encode(), b"")
    read = record_of(raw, "act.htm", "planalto")
    assert (len(read.operations), read.unread_orders) == (1, 1)


@pytest.mark.skipif(not REAL.is_file(), reason="the real page is not distributed with Vigente")
def test_real_law_amends_four_laws_and_repeals_parts_of_two() -> None:
    read = record_of(REAL.read_bytes(), REAL.name, "planalto")
    amended = {operation.target.work.canonical.rpartition(";")[2] for operation in read.operations}
    assert amended == {"13105", "2848", "8987", "11079", "8666", "10520", "12462"}
    assert read.unread_orders == 0
