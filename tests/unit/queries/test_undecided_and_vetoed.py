"""Tests of the pages of provisions without words in force (undecided, vetoed), and of a converted measure."""

from __future__ import annotations

import httpx
import pytest

from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.in_process import client_of
from tests.support.law_parts import LAW, article, fact, fact_records, law_records, part, words
from tests.support.pages import page, status_words
from tests.support.written_stores import facts_file

MPV = "urn:lex:br:federal:medida.provisoria:2001-11-14;99904"
CONVERTING = "urn:lex:br:federal:lei:2002-03-08;99905"
ITEMS = part("Caput", "art2_cpt", words("São requisitos:") + part("Inciso", "art2_cpt_inc1", words("idade;")))
BODY = (
    article(1, part("Caput", "art1_cpt", words("um")))
    + article(2, "<Rotulo>Art. 2º</Rotulo>" + ITEMS)
    + f'<Artigo id="art3"><Rotulo>Art. 3º</Rotulo><Caput id="art3_cpt" situacao="vetado">{words("(VETADO)")}'
    + "</Caput></Artigo>"
)
FACTS = f"""
{MPV} publicacao 2001-11-14 2001-11-14
{MPV} conversao 2002-03-11 2002-03-11 {CONVERTING}
{CONVERTING} publicacao - 2002-03-11 | after = 45 days
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> httpx.Client:
    """Return a client of a service with a law that has an undecided and a vetoed article, and a converted measure."""
    store = tmp_path_factory.mktemp("kept") / "store"
    records = law_records("", BODY, fact("alteracao", "2003-01-01", "art2")) + fact_records(facts_file(FACTS))
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    return client_of(Settings(store))


def test_page_of_a_law_shows_undecided_and_vetoed_articles(site: httpx.Client) -> None:
    blocks = page(site, f"/{LAW}?on=2005-01-01").elements("//div[contains(@class, 'law')]/div")
    assert [str(block.get("id")) for block in blocks] == ["art1", "art2", "art2_cpt_inc1", "art3"]
    second, third = (" ".join(str(blocks[index].text_content()).split()) for index in (1, 3))
    assert second.startswith("Art. 2º")
    assert "(vigência ou redação não determinada pelas fontes)" in second
    assert third.startswith("Art. 3º (VETADO)")
    english = page(site, f"/{LAW}?on=2005-01-01", language="en")
    assert "(force or wording not determined by the sources)" in english.text
    assert status_words(page(site, f"/{LAW}!art3_cpt?on=2005-01-01")).startswith("Vetado")
    answer = site.get(f"/{LAW}!art3_cpt?on=2005-01-01", headers={"accept": "application/json"}).json()
    assert answer["code"] == "not-in-force"


def test_page_of_a_converted_measure_names_the_law(site: httpx.Client) -> None:
    for language, words_of_status in (("pt-br", "Convertida na Lei nº 99.905, de 2002, em 11/03/2002"), ("en", "Con")):
        shown = page(site, f"/{MPV}", language=language)
        assert shown.all("//p[@class='statusline']//strong")[0].startswith(words_of_status)
    assert "convertida na Lei nº 99.905" in site.get(f"/badge/{MPV}?format=svg").text
    assert "Convertida em lei" in page(site, f"/timeline/{MPV}").text
    assert site.get("/api/v1/in-force", params={"urn": MPV}).json()["status"] == "converted"
