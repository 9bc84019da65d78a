"""Tests of provisions whose words are only "(Revogado)" or "(Vetado)", in each format that has whole texts.

Norms with numbers from 99901 up are fictional; the internal rules of the Senate are real.
"""

from __future__ import annotations

import json

import pytest

from graph.entities import Record
from tests.support.cases import DATA, SHARED, answered, facts, loaded, only, read_by, records, stored

RISF = SHARED / "lexml-xml" / "RISF-com-RSF-7-2015.xml"
LAW = "urn:lex:br:federal:lei:2001-03-05;99910"
TREE = "urn:lex:br:federal:lei:2018-08-14;99920"
CHANGE = (
    '<Evento id="{}" data="{}-05-02"><AlteracaoFragmento><ModificacaoTextual FonteURN="urn:lex:br:federal:lei:{}-05-01;'
    '{}" AlvoLocal="art1_par1"/></AlteracaoFragmento></Evento>'
)
LIFE = (
    '<CicloDeVida><Evento id="p" data="2001-03-06"><Publicacao/></Evento><Evento id="v" data="2001-06-01">'
    "<EntradaEmVigor/></Evento>"
    f"{CHANGE.format('a', 2002, 2002, 99915)}{CHANGE.format('b', 2003, 2003, 99916)}</CicloDeVida>"
)


def document(articles: str, life: str = "") -> Record:
    """Return the record of a law in LexML XML."""
    (record,) = records(
        read_by(
            "lexml_xml",
            '<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado>'
            f'<Identificacao URN="{LAW}@2001-06-01;publicacao;2001-03-06"/>{life}</Metadado><Norma><ParteInicial>'
            '<Epigrafe id="epigrafe">Lei nº 99.910, de 5 de março de 2001</Epigrafe></ParteInicial>'
            f"<Articulacao>{articles}</Articulacao></Norma></LexML>",
        )
    )
    return record


def article(name: str, words: str, inside: str = "") -> str:
    caput = f'<Caput id="{name}_cpt"><p>{words}</p></Caput>'
    return f'<Artigo id="{name}"><Rotulo>Art.</Rotulo>{caput}{inside}</Artigo>'


def paragraph(name: str, words: str, events: str = "") -> str:
    return f'<Paragrafo id="{name}_par1" {events}><Rotulo>§ 1º</Rotulo><p>{words}</p></Paragrafo>'


@pytest.mark.slow
@pytest.mark.skipif(not RISF.is_file(), reason="the internal rules of the Senate are not shipped")
def test_consolidated_text_revokes_a_paragraph_by_its_day() -> None:
    lines = [
        "art14_par2 art43_par1 art43_par2: 2015-06-25 unknown, 2015-06-26 revoked",
        "art14_par1: 2015-06-26 in-force",
    ]
    assert answered(loaded(RISF), "urn:lex:br:senado.federal:resolucao:1970;93", lines) == lines


def test_whole_text_revokes_articles_and_states_vetoes() -> None:
    articles = (
        article("art1", "(Revogado pela Lei nº 99.915, de 2001)"),
        article("art2", "(Revogado).", paragraph("art2", "Texto.")),
        article("art3", "(VETADO)"),
        article("art4", "Revogado o regime anterior, vale este."),
    )
    lines = [
        "art1 art1_cpt art2_cpt: 2001-06-01 revoked",
        "art2 art2_par1 art4_cpt: 2001-06-01 in-force",
        "art3_cpt: 2001-06-01 vetoed",
    ]
    assert answered(stored(document("".join(articles))), LAW, lines) == lines


def test_revoked_wording_applies_until_the_next_wording() -> None:
    wordings = (
        paragraph("art1", "Primeiro.", 'eventoFinal="#a"'),
        paragraph("art1", "(Revogado).", 'eventoInicial="#a" eventoFinal="#b"'),
        paragraph("art1", "Terceiro.", 'eventoInicial="#b"'),
    )
    lines = ["art1_par1: 2002-05-01 in-force, 2002-05-02 revoked, 2003-05-01 revoked, 2003-05-02 in-force"]
    assert answered(stored(document(article("art1", "Texto.", "".join(wordings)), LIFE)), LAW, lines) == lines


def test_version_of_a_tree_revokes_or_vetoes_its_provision() -> None:
    tree = json.loads((DATA / "normas" / "arvore.json").read_text("utf-8"))
    first_article, second_article = tree["hasPart"]
    vetoed, changed = first_article["hasPart"], second_article["hasPart"][0]
    first, second, *_ = changed["workExample"]
    days = f"{second['temporalCoverage'].partition('/')[0]}/.."
    changed["workExample"] = [first, {**second, "text": "(Revogado).", "temporalCoverage": days}]
    words = vetoed["workExample"]
    vetoed["workExample"] = [
        {**words, "text": "(VETADO).", "temporalCoverage": "2018-08-14/2019-12-19"},
        {**words, "legislationDate": "2019-12-20", "temporalCoverage": "2019-12-20/.."},
    ]
    record = only(read_by("normas", json.dumps(tree)))
    start = facts(f"{TREE} publicacao 2018-08-15 2018-08-15")
    lines = [
        "art1_cpt: 2018-08-15 vetoed, 2019-12-19 vetoed, 2019-12-20 in-force, 2019-12-20/2019-12-19 vetoed",
        "art2_cpt: 2018-12-26 in-force, 2018-12-27 revoked",
    ]
    for store in (stored(record, start), stored(start, record)):
        assert answered(store, TREE, lines) == lines


@pytest.mark.parametrize(
    ("inside", "expected"), [("", "revoked"), ("§ 1º (Revogado).", "revoked"), ("§ 1º Texto.", "in-force")]
)
def test_article_ends_when_all_its_parts_end(inside: str, expected: str) -> None:
    paragraphs = (
        "planalto.gov.br",
        "LEI Nº 99.910, DE 5 DE MARÇO DE 2001.",
        "Ementa.",
        "O CONGRESSO NACIONAL decreta:",
        "<strike>Art. 1º Texto um.</strike>",
        "Art. 1º (Revogado). (Redação dada pela Lei nº 99.915, de 10 de janeiro de 2002)",
        inside,
        "Art. 2º Esta Lei entra em vigor na data de sua publicação.",
        "Este texto não substitui o publicado no DOU de 6.3.2001",
    )
    record = only(read_by("planalto", "".join(f"<p>{line}</p>" for line in paragraphs)))
    lines = ["art1_cpt: 2002-01-10 revoked", f"art1: 2002-01-10 {expected}"]
    assert answered(stored(record), LAW, lines) == lines
