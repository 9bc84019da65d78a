"""Tests of differences beyond the answers of tests/data/answers: long lists, pages, and words that a source omits."""

from __future__ import annotations

import re
from dataclasses import replace

import httpx
import pytest

from graph.store import open_for_writing
from queries.messages import message, reason_message
from queries.reasons import Reason
from queries.text.diff import diff
from service.web.settings import Settings
from tests.support.in_process import client_of
from tests.support.law_parts import LAW, article, fact, law, part, xml_records
from tests.support.pages import page

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
OMITTING = "urn:lex:br:federal:lei:2001-03-05;99902"
DAYS = {"from": "2001-07-01", "to": "2002-07-01"}
#: art. 1 is reworded, and the new wording of its paragraph is left out; a passage of art. 2 is left out from then on.
DOCUMENT = f"""<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado>
<Identificacao URN="{OMITTING}@2001-06-01;publicacao;2001-03-06"/><CicloDeVida>
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


def test_differently_dated_articles_beyond_the_limit_are_named_together() -> None:
    numbers = range(1, 19)
    body = "".join(article(n, part("Caput", f"art{n}_cpt", f"<p>Palavra {n}.</p>")) for n in numbers)
    facts = [
        fact("revogacao", day, f"art{n}").replace('"A"', f'"{who}"')
        for n in numbers
        for who, day in (("A", "2004-01-01"), ("B", "2004-06-01"))
    ]
    difference = diff(law("", body, *facts), LAW, "2003-06-01", "2004-03-01")
    messages = [message(notice) for notice in difference.notices if notice.code == "sources-contradict"]
    assert len(messages) == 11
    assert messages[-1].startswith(f"sources state different days for the events of these provisions: {LAW}!art")
    assert messages[-1].endswith("!art6 and 3 more")


def test_reason_names_the_annulled_parts() -> None:
    part_of = Reason("anulacao", "2001-06-01", "2014-12-10", None, None, provisions=(f"{LAW}!art3_par1", f"{LAW}!art4"))
    assert reason_message(part_of) == "anulacao of art3_par1 art4, effect 2001-06-01, known 2014-12-10"
    assert reason_message(replace(part_of, provisions=())) == "anulacao, effect 2001-06-01, known 2014-12-10"


@pytest.mark.parametrize("name", [CODE, f"{CODE}!art57_cpt"])
def test_pages_and_api_report_the_same_kinds(sample: httpx.Client, name: str) -> None:
    """Compare pages with the API; the API and the command line are compared in the tests of API documents."""
    asked = {"from": "1990-09-12", "to": "1993-09-08"}
    changes = sample.get("/api/v1/diff", params={"urn": name, **asked}).json()["changes"]
    shown_page = sample.get(f"/diff/{name}", params=asked, headers={"accept": "text/html"})
    anchor = r'<article class="change (\w+)" id="([^"]+)"|<p class="law" lang="pt-BR" id="([^"]+)"'
    shown: list[tuple[str, str]] = []
    for match in re.finditer(anchor, shown_page.text):  # a caput of the same kind is shown inside its article
        shown.append((match[1] or shown[-1][0], match[2] or match[3]))
    assert shown == [(change["kind"], change["provision"].rpartition("!")[2]) for change in changes]
    assert {kind for kind, _ in shown} == ({"begun", "inserted"} if name == CODE else {"begun"})


@pytest.fixture(scope="module")
def omitting(tmp_path_factory: pytest.TempPathFactory) -> httpx.Client:
    folder = tmp_path_factory.mktemp("omissis") / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply(xml_records(DOCUMENT.encode()))
    return client_of(Settings(folder))


def test_omitted_words_are_not_reported_as_removed(omitting: httpx.Client) -> None:
    document = omitting.get("/api/v1/diff", params={"urn": OMITTING, **DAYS}).json()
    assert document["comparable"]
    assert "passages-omitted" in {notice["code"] for notice in document["notices"]}, "of the rest nothing is known"
    changes = {change["provision"].partition("!")[2]: change for change in document["changes"]}
    assert set(changes) == {"art1_cpt", "art1_par1u"}
    assert ["-", "atrasa."] in changes["art1_cpt"]["words"]
    left = changes["art1_par1u"]
    assert (left["kind"], left["after"]["situation"]) == ("changed", "omissis")
    assert left["words"] == [], "nobody says that words went"
    assert left["before"]["text"] == "Às vezes."


def test_page_reports_the_same_changes(omitting: httpx.Client) -> None:
    diff_page = page(omitting, f"/diff/{OMITTING}?from={DAYS['from']}&to={DAYS['to']}")
    assert diff_page.all("//article/@id") == ["art1_cpt", "art1_par1u"]
    assert "A fonte omite trechos destes textos: não é possível saber se eles mudaram." in diff_page.text
    left = diff_page.one("//article[@id='art1_par1u']")
    assert left.xpath(".//del | .//ins") == []
    assert "Às vezes." in left.text_content()
    assert "A fonte não traz a redação do segundo dia." in left.text_content()
