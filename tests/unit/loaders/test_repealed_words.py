"""Tests of provisions whose words are only "(Revogado)" or "(Vetado)", in each format that has whole texts.

Norms with numbers from 99901 up are fictional; the internal rules of the Senate are real.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.pipeline import load
from queries.in_force import in_force

DATA = Path(__file__).parents[2] / "data"
RISF = Path(__file__).resolve().parents[4] / "shared" / "data" / "lexml-xml" / "RISF-com-RSF-7-2015.xml"
RULES = "urn:lex:br:senado.federal:resolucao:1970;93"
LAW = "urn:lex:br:federal:lei:2001-03-05;99910"
K = "2026-01-01"

DOCUMENT = """<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado>
<Identificacao URN="{law}@2001-06-01;publicacao;2001-03-06"/>{life}</Metadado><Norma>
<ParteInicial><Epigrafe id="epigrafe">Lei nº 99.910, de 5 de março de 2001</Epigrafe></ParteInicial>
<Articulacao>{articles}</Articulacao></Norma></LexML>"""
LIFE = """<CicloDeVida><Evento id="p" data="2001-03-06"><Publicacao/></Evento>
<Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>
<Evento id="a" data="2002-05-02"><AlteracaoFragmento>
<ModificacaoTextual FonteURN="urn:lex:br:federal:lei:2002-05-01;99915" AlvoLocal="art1_par1"/>
</AlteracaoFragmento></Evento>
<Evento id="b" data="2003-05-02"><AlteracaoFragmento>
<ModificacaoTextual FonteURN="urn:lex:br:federal:lei:2003-05-01;99916" AlvoLocal="art1_par1"/>
</AlteracaoFragmento></Evento></CicloDeVida>"""


def loaded(folder: Path, *paths: Path) -> WritableStore:
    store = in_memory()
    summary = load(paths, store, Quarantine(folder / "quarantine"))
    assert not summary.refused.total()
    return store


def document(folder: Path, articles: str, life: str = "") -> WritableStore:
    file = folder / "lei.xml"
    file.write_text(DOCUMENT.format(law=LAW, life=life, articles=articles), "utf-8")
    return loaded(folder, file)


def status(store: WritableStore, name: str, on: str) -> str:
    return in_force(store, name, on, K).status.value


@pytest.mark.slow
@pytest.mark.skipif(not RISF.is_file(), reason="the internal rules of the Senate are not shipped")
def test_consolidated_text_revokes_a_paragraph_by_its_day(tmp_path: Path) -> None:
    store = loaded(tmp_path, RISF)
    for fragment in ("art14_par2", "art43_par1", "art43_par2"):
        assert status(store, f"{RULES}!{fragment}", "2015-06-25") == "unknown"
        assert status(store, f"{RULES}!{fragment}", "2015-06-26") == "revoked"
    assert status(store, f"{RULES}!art14_par1", "2015-06-26") == "in-force"


def test_whole_text_revokes_articles_and_states_vetoes(tmp_path: Path) -> None:
    article = '<Artigo id="{0}"><Rotulo>Art.</Rotulo><Caput id="{0}_cpt"><p>{1}</p></Caput>{2}</Artigo>'
    paragraph = '<Paragrafo id="{0}_par1"><Rotulo>§ 1º</Rotulo><p>{1}</p></Paragrafo>'
    store = document(
        tmp_path,
        article.format("art1", "(Revogado pela Lei nº 99.915, de 2001)", "")
        + article.format("art2", "(Revogado).", paragraph.format("art2", "Texto."))
        + article.format("art3", "(VETADO)", "")
        + article.format("art4", "Revogado o regime anterior, vale este.", ""),
    )
    statuses = {f: status(store, f"{LAW}!{f}", "2001-06-01") for f in ("art1", "art1_cpt", "art2", "art2_cpt")}
    assert statuses == {"art1": "revoked", "art1_cpt": "revoked", "art2": "in-force", "art2_cpt": "revoked"}
    statuses = {f: status(store, f"{LAW}!{f}", "2001-06-01") for f in ("art2_par1", "art3_cpt", "art4_cpt")}
    assert statuses == {"art2_par1": "in-force", "art3_cpt": "vetoed", "art4_cpt": "in-force"}


def test_revoked_wording_applies_until_the_next_wording(tmp_path: Path) -> None:
    paragraph = '<Paragrafo id="art1_par1" {0}><Rotulo>§ 1º</Rotulo><p>{1}</p></Paragrafo>'
    store = document(
        tmp_path,
        '<Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>Texto.</p></Caput>'
        + paragraph.format('eventoFinal="#a"', "Primeiro.")
        + paragraph.format('eventoInicial="#a" eventoFinal="#b"', "(Revogado).")
        + paragraph.format('eventoInicial="#b"', "Terceiro.")
        + "</Artigo>",
        LIFE,
    )
    days = ("2002-05-01", "2002-05-02", "2003-05-01", "2003-05-02")
    assert [status(store, f"{LAW}!art1_par1", day) for day in days] == ["in-force", "revoked", "revoked", "in-force"]


def test_tree_version_revokes_its_provision(tmp_path: Path) -> None:
    tree = json.loads((DATA / "normas" / "arvore.json").read_text("utf-8"))
    caput = next(node for node in _nodes(tree) if str(node.get("legislationIdentifier")).endswith("!art2_cpt"))
    examples = caput["workExample"]
    assert isinstance(examples, list)
    first, second, *_ = examples
    days = f"{second['temporalCoverage'].partition('/')[0]}/.."
    caput["workExample"] = [first, {**second, "text": "(Revogado).", "temporalCoverage": days}]
    file = tmp_path / "arvore.json"
    file.write_text(json.dumps(tree), "utf-8")
    law = "urn:lex:br:federal:lei:2018-08-14;99920"
    store = loaded(tmp_path, file)
    assert status(store, f"{law}!art2_cpt", "2018-12-26") != "revoked"
    assert status(store, f"{law}!art2_cpt", "2018-12-27") == "revoked"


def test_tree_version_vetoes_its_provision_until_its_promulgation(tmp_path: Path) -> None:
    document_tree = json.loads((DATA / "normas" / "arvore.json").read_text("utf-8"))
    caput = next(node for node in _nodes(document_tree) if str(node.get("legislationIdentifier")).endswith("!art1_cpt"))
    vetoed = caput["workExample"]
    assert isinstance(vetoed, dict)
    caput["workExample"] = [
        {**vetoed, "text": "(VETADO).", "temporalCoverage": "2018-08-14/2019-12-19"},
        {**vetoed, "legislationDate": "2019-12-20", "temporalCoverage": "2019-12-20/.."},
    ]
    tree, start = tmp_path / "arvore.json", tmp_path / "facts.toml"
    tree.write_text(json.dumps(document_tree), "utf-8")
    law = "urn:lex:br:federal:lei:2018-08-14;99920"
    days = "effect = 2018-08-15\nknown = 2018-08-15"
    start.write_text(f'curator = "A"\n[[facts]]\nnorm = "{law}"\nevent = "publicacao"\n{days}\n', "utf-8")
    for paths in ((tree, start), (start, tree)):
        store = loaded(tmp_path, *paths)
        statuses = [status(store, f"{law}!art1_cpt", on) for on in ("2018-08-15", "2019-12-19", "2019-12-20")]
        assert statuses == ["vetoed", "vetoed", "in-force"]
        assert in_force(store, f"{law}!art1_cpt", "2019-12-20", "2019-12-19").status.value == "vetoed"


def _nodes(node: object) -> list[dict[str, object]]:
    if isinstance(node, list):
        return [descendant for child in node for descendant in _nodes(child)]
    if isinstance(node, dict):
        return [node, *(descendant for child in node.values() for descendant in _nodes(child))]
    return []


@pytest.mark.parametrize(
    ("paragraph", "expected"), [("", "revoked"), ("<p>§ 1º (Revogado).</p>", "revoked"), ("<p>§ 1º Texto.</p>", None)]
)
def test_article_ends_when_all_its_parts_end(tmp_path: Path, paragraph: str, expected: str | None) -> None:
    lines = (
        "planalto.gov.br",
        "LEI Nº 99.910, DE 5 DE MARÇO DE 2001.",
        "Ementa.",
        "O CONGRESSO NACIONAL decreta:",
        "<strike>Art. 1º Texto um.</strike>",
        "Art. 1º (Revogado). (Redação dada pela Lei nº 99.915, de 10 de janeiro de 2002)",
    )
    text = "".join(f"<p>{line}</p>" for line in lines) + paragraph
    end = (
        "<p>Art. 2º Esta Lei entra em vigor na data de sua publicação.</p>"
        "<p>Este texto não substitui o publicado no DOU de 6.3.2001</p>"
    )
    page = tmp_path / "page.htm"
    page.write_text(text + end, "utf-8")
    store = loaded(tmp_path, page)
    assert status(store, f"{LAW}!art1_cpt", "2002-01-10") == "revoked"
    assert status(store, f"{LAW}!art1", "2002-01-10") == (expected or "in-force")
