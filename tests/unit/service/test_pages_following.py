"""Tests of provisions that no event names: they have the status of their norm."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from service.web.settings import Settings
from tests.support.pages import page, status_words
from tests.support.web import serving

LAW = "urn:lex:br:federal:lei:2009-12-01;99962"
#: Annulled from its first day on, by a judgment of 2015.
ANNULLED_FROM_START = f"{LAW}!art3_par1"
JUDGED = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2015-06-08;99941@2010-03-01;publicacao;2015-06-10"
CHANGING = "urn:lex:br:federal:lei:2018-05-01;99940@2018-05-05;publicacao;2018-05-02"
DOCUMENT = f"""<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>
<Identificacao URN="{LAW}@2010-03-01;publicacao;2009-12-02"/><CicloDeVida>
<Evento id="pub" data="2009-12-02"><Publicacao/></Evento>
<Evento id="vigor" data="2010-03-01"><EntradaEmVigor/></Evento>
<Evento id="alt" data="2018-05-05"><AlteracaoFragmento><ModificacaoTextual FonteURN="{CHANGING}" AlvoLocal="art2"/>
</AlteracaoFragmento></Evento>
<Evento id="anula" data="2015-06-10"><AlteracaoFragmento><AnulamentoParcial FonteURN="{JUDGED}" AlvoLocal="art3_par1"/>
</AlteracaoFragmento></Evento>
</CicloDeVida></Metadado><Norma><Articulacao>
<Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>A maré sobe.</p></Caput></Artigo>
<Artigo id="art2"><Rotulo>Art. 2º</Rotulo><Caput id="art2_cpt" eventoFinal="#alt"><p>A maré desce.</p></Caput>
<Caput id="art2_cpt" eventoInicial="#alt"><p>A maré não desce.</p></Caput></Artigo>
<Artigo id="art3"><Rotulo>Art. 3º</Rotulo><Caput id="art3_cpt"><p>A maré fica.</p></Caput>
<Paragrafo id="art3_par1" eventoFinal="#anula"><Rotulo>§ 1º</Rotulo><p>A maré volta.</p></Paragrafo></Artigo>
<Artigo id="art4"><Rotulo>Art. 4º</Rotulo><Caput id="art4_cpt"><p>A maré passa.</p></Caput></Artigo>
</Articulacao></Norma></LexML>"""
FACTS = f"""curator = "Arquivo Fictício"
[[facts]]
norm = "{LAW}"
event = "suspensao"
effect = 2024-02-01
known = 2024-01-20
[[facts]]
norm = "{LAW}!art4"
event = "revogacao"
effect = 2015-01-01
known = 2015-01-01
[[facts]]
norm = "{LAW}!art4"
event = "repristinacao"
effect = 2016-01-01
known = 2016-01-01
[[facts]]
norm = "{LAW}!art4"
event = "revogacao"
effect = 2017-01-01
known = 2017-01-01
"""
#: Amended in 2020; no source states which provisions.
UNREPORTED_LAW = LAW.replace("99962", "99963")
CHANGED = f"""curator = "Arquivo Fictício"
[[facts]]
norm = "{UNREPORTED_LAW}"
event = "alteracao"
effect = 2020-02-01
known = 2020-01-11
"""
#: One article amended, and the whole law revoked later; the revocation was known before.
ENDED = LAW.replace("99962", "99965")
REVOKED = f"""curator = "Arquivo Fictício"
[[facts]]
norm = "{ENDED}"
event = "revogacao"
effect = 2020-01-01
known = 2019-06-01
"""
#: A second provider gives a start of force a month later for the same publication, without words.
DISPUTED = LAW.replace("99962", "99964")
HARVEST = f"""<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-01T00:00:00Z</responseDate>
<request verb="ListRecords" metadataPrefix="oai_lexml">https://um.invalid/oai</request><ListRecords><record>
<header><identifier>oai:um:64</identifier><datestamp>2026-11-01</datestamp></header><metadata>
<LexML xmlns="http://www.lexml.gov.br/oai_lexml">
<Item formato="text/html" tipo="conteudo">https://exemplo.vigente.invalid/64.html</Item>
<DocumentoIndividual>{DISPUTED}@2010-04-01;publicacao;2009-12-02</DocumentoIndividual></LexML></metadata></record>
</ListRecords></OAI-PMH>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over these laws."""
    folder = tmp_path_factory.mktemp("following")
    written = {"facts.toml": FACTS, "changed.toml": CHANGED, "revoked.toml": REVOKED, "harvest.xml": HARVEST}
    written |= {f"{law[-5:]}.xml": DOCUMENT.replace(LAW, law) for law in (LAW, UNREPORTED_LAW, DISPUTED, ENDED)}
    for name, content in written.items():
        (folder / name).write_text(content, "utf-8")
    with open_for_writing(folder / "store", create=True) as store:
        load([folder / name for name in written], store, Quarantine(folder / "quarantine"))
    with serving(Settings(folder / "store")) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_unmentioned_provision_is_in_force_with_its_wording(site: httpx.Client) -> None:
    """Check in every format that the amendment of another article does not change the periods of a provision."""
    provision_page = page(site, f"/{LAW}!art1")
    assert len(provision_page.elements("//div[contains(@class, 'status')]")) == 1, "one box: it stands as it reads"
    assert "Em vigor desde 01/03/2010" in status_words(provision_page)
    embedded = json.loads(str(provision_page.one("//script[@type='application/ld+json']").text_content()))
    assert embedded["legislationLegalForce"].endswith("/InForce")
    assert embedded["temporalCoverage"] == "2010-03-01/.."
    timemap = site.get(f"/timemap/{LAW}!art1", headers={"accept": "application/json"}).json()
    assert [memento["datetime"][:16] for memento in timemap["mementos"]["list"]] == [
        "Wed, 02 Dec 2009",
        "Mon, 01 Mar 2010",
    ]
    answer = site.get("/api/v1/in-force", params={"urn": f"{LAW}!art1"}).json()["version"]
    assert (answer["from"], answer["until"]) == ("2010-03-01", None)
    assert (answer["known_from"], answer["known_until"]) == ("2009-12-02", None)


@pytest.mark.parametrize("name", [LAW, f"{LAW}!art1"])
def test_article_history_states_the_suspension_of_its_law(site: httpx.Client, name: str) -> None:
    history = page(site, f"/{name}").one("//section[@class='history']").text_content()
    assert "Em vigor e sem eficácia: desde 01/02/2024." in " ".join(str(history).split()).replace(" .", ".")


@pytest.mark.parametrize("address", [f"{LAW}!art4", f"{LAW}!art4?on=2016-06-01"])
def test_last_text_of_a_revoked_provision_has_one_notice(site: httpx.Client, address: str) -> None:
    """Check a law revoked, restored and revoked again: without a day, the address redirects to the last text's day."""
    provision_page = page(site, f"/{address}")
    assert "A maré passa." in provision_page.text
    assert "Revogado desde 01/01/2017" in provision_page.text
    assert provision_page.text.count("Este não é o texto em vigor hoje.") == 1
    assert "quando foi colhida" not in provision_page.text


def test_text_not_in_force_has_one_notice(site: httpx.Client) -> None:
    ended = page(site, f"/{LAW}!art2_cpt?on=2011-01-01")
    alone = page(site, str(ended.response.url.path).partition("?")[0])
    for text_page in (ended, alone):
        assert "A maré desce." in text_page.text
        assert text_page.text.count("Este não é o texto em vigor hoje.") == 1


def test_provision_annulled_from_the_start_links_to_its_known_text(site: httpx.Client) -> None:
    provision_page = page(site, f"/{ANNULLED_FROM_START}")
    assert "Texto não disponível nas fontes" not in provision_page.text
    assert "Não há texto em vigor hoje." in provision_page.text
    then = provision_page.follow("O texto conforme o publicado até 09/06/2015")
    assert "A maré volta." in str(then.one("//div[contains(@class, 'law')]").text_content())
    day = page(site, f"/{ANNULLED_FROM_START}?on=2016-01-01")
    assert "A maré volta." in day.follow("O texto conforme o publicado até 09/06/2015").text


def test_search_result_links_to_the_known_text(site: httpx.Client) -> None:
    search_page = page(site, "/search?q=art.+3,+§+1+da+lei+99962&on=2016-01-01")
    assert "indica outras datas" not in search_page.text
    assert "Conforme as publicações até hoje, não há texto em vigor em 01/01/2016 nem em outro dia" in search_page.text
    assert "o endereço leva ao texto conforme o publicado até 09/06/2015" in search_page.text
    assert "A maré volta." in search_page.follow("§ 1º do art. 3º").text


@pytest.mark.parametrize("name", [UNREPORTED_LAW, f"{UNREPORTED_LAW}!art2"])
def test_missing_text_links_to_the_nearest(site: httpx.Client, name: str) -> None:
    version_page = page(site, f"/{name}?on=2021-01-01")
    reported = [
        notice for notice in version_page.all("//div[@class='notices']//li") if "O texto desta versão" in notice
    ]
    assert len(reported) == 1
    assert "O texto desta versão (texto de 01/02/2020) não consta das fontes" in reported[0]
    if name == UNREPORTED_LAW:
        assert "Texto anterior mais próximo: texto de 05/05/2018." in reported[0]
        assert "A maré não desce." in version_page.follow("texto de 05/05/2018").text


@pytest.mark.parametrize("on", ["2010-03-15", "2012-01-01", "2020-01-01"])
def test_publication_dated_differently_by_sources_is_one_text(site: httpx.Client, on: str) -> None:
    """Check that the record without words hides no words of the other source, and that the difference is reported."""
    norm_page = page(site, f"/{DISPUTED}?on={on}")
    law = str(norm_page.one("//div[contains(@class, 'law')]").text_content())
    assert ("A maré não desce." if on > "2018" else "A maré desce.") in law
    assert "As fontes divergem" in norm_page.text
    article = site.get("/api/v1/in-force", params={"urn": f"{DISPUTED}!art1", "on": on}).json()
    assert article["status"] == "in-force", "its law is, and has it"


@pytest.mark.parametrize(
    ("on", "known", "force", "since"),
    [
        ("2012-02-10", "2019-05-31", ("2010-03-01", None), "2009-12-02"),
        ("2012-02-10", "2019-06-01", ("2010-03-01", "2020-01-01"), "2019-06-01"),
        ("2019-12-31", "2019-06-01", ("2010-03-01", "2020-01-01"), "2019-06-01"),
        ("2020-01-01", "2019-05-31", ("2010-03-01", None), "2009-12-02"),
    ],
)
def test_unamended_provision_has_its_own_period_in_a_revoked_norm(
    site: httpx.Client, on: str, known: str, force: tuple[str, str | None], since: str
) -> None:
    """Check the days of force as known on a day, and since when they were known; no amendment divides them."""
    asked = {"urn": f"{ENDED}!art1", "on": on, "as_known": known}
    version = site.get("/api/v1/in-force", params=asked).json()["version"]
    assert (version["from"], version["until"], version["known_from"]) == (*force, since)
