"""Tests that words omitted by a source (``Omissis``, ``textoOmitido``) are not reported as inserted or removed."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from service.web.settings import Settings
from tests.support.pages import page
from tests.support.web import serving

LAW = "urn:lex:br:federal:lei:2001-03-05;99902"
DAYS = {"from": "2001-07-01", "to": "2002-07-01"}
#: art. 1 is reworded, and the new wording of its paragraph is left out; a passage of art. 2 is left out from then on.
DOCUMENT = f"""<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado>
<Identificacao URN="{LAW}@2001-06-01;publicacao;2001-03-06"/><CicloDeVida>
<Evento id="p" data="2001-03-06"><Publicacao/></Evento>
<Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>
<Evento id="a" data="2002-05-02"><AlteracaoFragmento><ModificacaoTextual/></AlteracaoFragmento></Evento>
</CicloDeVida></Metadado><Norma><Articulacao>
<Artigo id="art1"><Rotulo>Art. 1º</Rotulo>
<Caput id="art1_cpt" eventoFinal="#a"><p>O relógio atrasa.</p></Caput>
<Caput id="art1_cpt" eventoInicial="#a"><p>O relógio adianta.</p></Caput>
<Paragrafo id="art1_par1u" eventoFinal="#a"><Rotulo>Parágrafo único.</Rotulo><p>Às vezes.</p></Paragrafo>
<Paragrafo id="art1_par1u" eventoInicial="#a" textoOmitido="s"><Rotulo>Parágrafo único.</Rotulo></Paragrafo></Artigo>
<Artigo id="art2"><Rotulo>Art. 2º</Rotulo><Caput id="art2_cpt"><p>O resto:</p>
<Omissis id="art2_cpt_omi1" eventoInicial="#a"/></Caput></Artigo>
</Articulacao></Norma></LexML>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("omissis")
    (folder / "law.xml").write_text(DOCUMENT, "utf-8")
    with open_for_writing(folder / "store", create=True) as store:
        assert load([folder / "law.xml"], store, Quarantine(folder / "quarantine")).loaded == 1
    with serving(Settings(folder / "store")) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


def test_answer_reports_changes_but_not_omissions(site: httpx.Client) -> None:
    document = site.get("/api/v1/diff", params={"urn": LAW, **DAYS}).json()
    assert document["comparable"]
    assert "passages-omitted" in {notice["code"] for notice in document["notices"]}, "of the rest nothing is known"
    changes = {change["provision"].partition("!")[2]: change for change in document["changes"]}
    assert set(changes) == {"art1_cpt", "art1_par1u"}
    assert ["-", "atrasa."] in changes["art1_cpt"]["words"]
    left = changes["art1_par1u"]
    assert (left["kind"], left["after"]["situation"]) == ("changed", "omissis")
    assert left["words"] == [], "nobody says that words went"
    assert left["before"]["text"] == "Às vezes."


def test_page_reports_the_same_changes(site: httpx.Client) -> None:
    diff_page = page(site, f"/diff/{LAW}?from={DAYS['from']}&to={DAYS['to']}")
    assert diff_page.all("//article/@id") == ["art1_cpt", "art1_par1u"]
    assert "A fonte omite trechos destes textos: não é possível saber se eles mudaram." in diff_page.text
    left = diff_page.one("//article[@id='art1_par1u']")
    assert left.xpath(".//del | .//ins") == []
    assert "Às vezes." in left.text_content()
    assert "A fonte não traz a redação do segundo dia." in left.text_content()
