"""Tests of norms that no record describes, and of provisions without words: all pages state the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from graph.entities import Record
from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from loaders.sources import facts, lexml_xml, names, normas
from service.web.pages import home
from service.web.pages.related import MOST_SHOWN
from service.web.settings import Settings
from tests.support.pages import page, status_words
from tests.support.web import serving

LAW = "urn:lex:br:federal:lei:2001-03-05;"
#: One described; one with a fact on itself; one with a fact on an article; one with two facts; one with no statement.
DESCRIBED, ALONE, IN_PART, TWICE, NOBODY = (f"{LAW}{number}" for number in range(99950, 99955))
#: Described, with facts on many of its articles.
MANY = f"{LAW}99960"
#: No record describes them: a fact has the first as its cause, and a law refers to the second.
CAUSE, CITED = f"{LAW}99961", f"{LAW}99962"
#: Its provider has withdrawn its record.
WITHDRAWN_NORM = f"{LAW}99964"
ONE_FACT = "Conhecida só por um fato, sem texto nem dias de vigência"
WITHDRAWN = "Situação não informada: a última fonte retirou os seus registros em 16/12/2008"
PART_FACT = "Conhecida só por um fato sobre dispositivo seu, sem texto nem dias de vigência"


def _fact(norm: str, event: str, day: str) -> str:
    return f'[[facts]]\nnorm = "{norm}"\nevent = "{event}"\neffect = {day}\nknown = {day}\n'


_FACTS = 'curator = "Arquivo Fictício"\nsource = "Diário fictício"\n' + "".join(
    (
        _fact(ALONE, "revogacao", "2005-01-01") + 'note = "Consta do livro."\n',
        _fact(f"{IN_PART}!art3", "suspensao", "2005-01-01"),
        _fact(TWICE, "suspensao", "2005-01-01"),
        _fact(TWICE, "restabelecimento", "2006-01-01"),
        _fact(f"{DESCRIBED}!art10", "anulacao", "2004-01-01"),
        _fact(f"{DESCRIBED}!art2", "suspensao", "2005-01-01"),
        _fact(f"{DESCRIBED}!art2", "restabelecimento", "2006-01-01"),
        *(_fact(f"{MANY}!art{number}", "anulacao", "2004-01-01") for number in range(1, MOST_SHOWN + 4)),
        f'cause = "{CAUSE}"\n',
    )
)


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record], deletion: Callable[..., Record]
) -> Iterator[httpx.Client]:
    """Return a client of a service over facts, two laws without words, and a law whose record was withdrawn."""
    folder = tmp_path_factory.mktemp("told")
    facts = folder / "facts.toml"
    facts.write_text(_FACTS, "utf-8")
    with open_for_writing(folder / "store", create=True) as store:
        store.apply([record(f"{norm}@2001-03-06;publicacao;2001-03-06") for norm in (DESCRIBED, MANY)])
        store.apply([record(DESCRIBED, ("referencia", CITED))])
        store.apply([record(WITHDRAWN_NORM, key="gone")])
        store.apply([deletion("gone")])
        load([facts], store, Quarantine(folder / "quarantine"))
    with serving(Settings(folder / "store")) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


@pytest.mark.parametrize(
    ("norm", "reported", "facts"),
    [
        (ALONE, ONE_FACT, "1 fact is stated about it"),
        (IN_PART, PART_FACT, "1 fact is stated about it"),
        (TWICE, "Conhecida só por 2 fatos, sem texto nem dias de vigência", "2 facts are stated about it"),
    ],
)
def test_unsourced_norm_has_the_same_status_everywhere(
    site: httpx.Client, norm: str, reported: str, facts: str
) -> None:
    own = page(site, f"/{norm}")
    assert own.response.status_code == 404, "no source describes it"
    assert status_words(own) == f"{reported}; os fatos informados estão abaixo."
    for media in ("svg", "html"):
        badge = site.get(f"/badge/{norm}?format={media}")
        assert badge.status_code == 200
        assert reported in " ".join(badge.text.split()) or all(part in badge.text for part in reported.split(", "))
        assert "desconhecid" not in badge.text
    number = norm.rpartition(";")[2]
    for asked in (norm, f"Lei {number}/2001", f"lei nº {number}, de 5 de março de 2001"):
        search_page = page(site, str(httpx.URL("/search", params={"q": asked, "on": "2003-01-01"})))
        (badge_now,) = search_page.all("//ol[@class='found']//span[contains(., 'hoje')]")
        assert badge_now == f"hoje: {reported}", asked
        assert search_page.all("//ol[@class='found']/li/h3/a/@href")[0].startswith(f"/{norm}")
        assert not search_page.elements("//h2[@class='absent']")
    for address in (f"/timeline/{norm}", f"/diff/{norm}?from=2002-01-01&to=2008-01-01"):
        refused = page(site, address)
        assert refused.response.status_code == 404
        assert "Nenhuma fonte descreve esta norma" in refused.one("//p[@class='lead']").text_content()
        assert facts in page(site, address, "en").text
        assert refused.all("//main//ul[@class='found']//a/@href") == [f"/{norm}"]


def test_page_of_an_unsourced_norm_has_no_broken_links(site: httpx.Client) -> None:
    for norm in (ALONE, IN_PART):
        own = page(site, f"/{norm}")
        paths = [path for path in own.all("//main//a/@href | //main//form/@action") if path.startswith("/")]
        assert not own.elements("//main//form"), "no text to ask for, and nothing to compare"
        assert paths
        for path in dict.fromkeys(link.partition("#")[0] for link in paths if not link.startswith(f"/{norm}")):
            assert site.get(path).status_code == 200, path


def test_fact_sources_name_the_curator_and_reference(site: httpx.Client) -> None:
    (source,) = page(site, f"/{ALONE}").all("//section[@class='sources']//li")
    stated = "Fato informado pelo curador “Arquivo Fictício” (arquivo facts.toml), com base em Diário fictício"
    assert source.startswith(f"{stated}: “Consta do livro.” (")
    assert "colheita" not in source, "nobody harvests a fact"


def test_unmentioned_norm_has_no_status(site: httpx.Client) -> None:
    assert "Norma não encontrada no acervo" in page(site, f"/{NOBODY}").text
    assert "Nome desconhecido" in site.get(f"/badge/{NOBODY}?format=html").text
    assert page(site, "/search?q=lei+99954/2001").elements("//h2[@class='absent']")
    before = page(site, f"/{ALONE}?on=2003-01-01&as_known=2003-01-01")
    assert "fato" not in status_words(before), "nobody could have known it then"
    assert "nada foi publicado antes de 01/01/2005" in status_words(before)


def test_facts_about_textless_provisions_are_on_the_norm_page(site: httpx.Client) -> None:
    own = page(site, f"/{DESCRIBED}")
    assert own.one("//div[contains(@class, 'part-facts')]/details").get("open") is not None
    rows = own.all("//div[contains(@class, 'part-facts')]/details/ul/li")
    assert [row.partition(":")[0] for row in rows] == ["Art. 2º", "Art. 10"], "by their numbers"
    assert "Suspensão: efeitos a partir de 01/01/2005; publicação em 01/01/2005" in rows[0]
    assert "Restabelecimento da eficácia: efeitos a partir de 01/01/2006" in rows[0]
    leads = own.all("//div[contains(@class, 'part-facts')]/details/ul/li/a/@href")
    assert leads == [f"/{DESCRIBED}!art2", f"/{DESCRIBED}!art10"]
    cited = own.all("//div[contains(@class, 'part-facts')]//sup/a/@href")
    assert len(cited) == 3
    for anchor in cited:
        source = own.one(f"//li[@id='{anchor.removeprefix('#')}']").text_content()
        assert "Arquivo Fictício" in source
    then = page(site, f"/{DESCRIBED}?on=2004-06-01&as_known=2004-06-01")
    assert then.all("//div[contains(@class, 'part-facts')]/details/ul/li/a") == ["Art. 10"], "as known then"
    assert not page(site, f"/{DESCRIBED}!art2").elements("//div[contains(@class, 'part-facts')]")


def test_many_facts_are_folded_with_a_link_to_all(site: httpx.Client) -> None:
    own = page(site, f"/{MANY}", "en")
    assert own.one("//div[contains(@class, 'part-facts')]/details").get("open") is None
    head = own.one("//div[contains(@class, 'part-facts')]//summary").text_content()
    assert f"{MOST_SHOWN + 3} provisions" in head
    rows = own.all("//div[contains(@class, 'part-facts')]/details/ul/li")
    assert len(rows) == MOST_SHOWN + 1
    assert rows[-1].startswith("and 3 more")
    (full_list_link,) = own.all("//div[contains(@class, 'part-facts')]/details/ul/li[last()]/a/@href")
    assert MANY in page(site, full_list_link, "en").text


def test_mentioned_norm_links_to_the_mentioning_norms(site: httpx.Client) -> None:
    for name, who, why in (
        (CAUSE, f"{MANY}!art{MOST_SHOWN + 3}", "segundo uma fonte, este ato causou um evento da norma"),
        (CITED, DESCRIBED, "refere-se a este ato"),
    ):
        for asked in (name, f"{name}!art1"):
            norm_page = page(site, f"/{asked}")
            assert norm_page.response.status_code == 404
            assert "Norma não encontrada no acervo" not in norm_page.text
            assert (
                norm_page.one("//p[@class='lead']").text_content().endswith("Abaixo, as normas que se referem a ela.")
            )
            (listed,) = norm_page.elements("//ul[@class='found']/li")
            assert listed.xpath("string(./p[@class='why'])") == why
            assert listed.xpath("string(./a/@href)") == f"/{who}"
        for other in (f"/timeline/{name}", f"/diff/{name}"):
            assert page(site, other).all("//ul[@class='found']/li/p[@class='why']") == [why]
        (reported,) = site.get(f"/{name}", headers={"accept": "application/json"}).json()["referring"]
        assert reported["name"] == who


def test_fact_page_shows_the_content_of_the_fact(site: httpx.Client) -> None:
    (record,) = (
        href for href in page(site, f"/{ALONE}").all("//section[@class='sources']//li/a/@href") if "fato" in href
    )
    stated = set(page(site, record).all("//table[@class='statements']//td"))
    assert {
        ALONE,
        "https://w3id.org/vigente/vocab/evento/revogacao",
        "2005-01-01",
        "vig:dataEfeito",
        "vig:alvo",
    } <= stated
    turtle = site.get(record, params={"format": "nt"}).text
    assert f"<https://w3id.org/vigente/ns#alvo> <{ALONE}>" in turtle


def test_home_page_states_sources_other_than_providers(site: httpx.Client) -> None:
    files = (lexml_xml.LOADER, names.LOADER, normas.LOADER)
    assert {"home.heard_files": files, "home.heard_facts": (facts.LOADER,)} == home.ELSE
    reach = page(site, "/").all("//section[@aria-labelledby='reach']//li")
    reported = "Fatos informados por curadores: cada um indica quem o informou e pode ser posterior às coletas."
    assert reported in reach
    assert not any(line.startswith("Arquivos") for line in reach), "none was read"


def test_search_finds_a_withdrawn_norm_by_its_year(site: httpx.Client) -> None:
    """Check that the year is required, because only described norms have lookup keys, and that the page states it."""
    search_page = page(site, "/search?q=lei+99964/2001")
    assert search_page.all("//ol[@class='found']/li/h3/a/@title") == [WITHDRAWN_NORM]
    assert "Por quê: todos os registros sobre ele foram retirados" in search_page.text
    assert search_page.elements("//h2[@class='absent']") == []
    (now,) = search_page.all("//ol[@class='found']//span[contains(., 'hoje')]")
    assert now == f"hoje: {WITHDRAWN}"
    assert search_page.follow("Lei nº 99.964").response.status_code == 410
    for asked in ("lei+99964", f"lei+{ALONE[-5:]}"):
        missing = page(site, f"/search?q={asked}").text
        assert (
            "Se o acervo não tem o texto de uma norma, escreva o tipo, o número e o ano: as palavras não a acham."
            in missing
        )


def test_badge_of_a_withdrawn_norm_has_its_date(site: httpx.Client) -> None:
    badge = page(site, f"/badge/{WITHDRAWN_NORM}?format=html&on=2003-01-01")
    assert WITHDRAWN in badge.text
    picture = site.get(f"/badge/{WITHDRAWN_NORM}", headers={"accept-language": "pt-BR"}).text
    assert "em 16/12/2008" in picture


@pytest.mark.parametrize("year", ["9999", "0001"])
def test_minimum_and_maximum_years_are_accepted(site: httpx.Client, year: str) -> None:
    search_page = page(site, f"/search?q=lei+99954/{year}")
    assert search_page.response.status_code == 200
    assert f"Nenhuma norma descrita aqui tem o número 99.954 de {int(year)}" in search_page.text


def test_provision_page_does_not_call_it_a_document(site: httpx.Client) -> None:
    article = page(site, f"/{IN_PART}!art3")
    assert "Nenhuma fonte descreve esta norma" in article.text
    assert "Nenhum endereço com o texto foi informado pelas fontes." in article.text
    assert "este ato" not in article.text
    assert "Nenhum endereço com o texto foi informado pelas fontes." in page(site, f"/{ALONE}").text
    (heading,) = page(site, f"/{DESCRIBED}!xyz").all("//h1")
    assert heading == "Dispositivo “xyz” da Lei nº 99.950, de 5 de março de 2001", "it is no identifier of a provision"
    assert page(site, f"/{DESCRIBED}!xyz?lang=en").all("//h1")[0].startswith("Provision “xyz” of ")
