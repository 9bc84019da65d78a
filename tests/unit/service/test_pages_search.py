"""Tests of the search page: results, their order and reasons, filters, and the targets of links."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlencode

import httpx
import pytest

from graph.civil import today
from graph.store import Store
from queries.naming import Agreement, MatchReason
from queries.notices import CandidatesCut
from service.cli import main
from service.web.pages.search import WAYS, SearchForm, SearchMatch, SearchMatches, find_matches
from service.web.settings import Settings
from tests.support.pages import Page, page, words_of
from tests.support.sample_site import folder, sample, store
from tests.support.web import serving
from tests.support.web_names import CODE, TEXT

__all__ = ["folder", "sample", "store"]


def _result_names(page: Page) -> list[str]:
    return page.all("//ol[@class='found']/li/h3/a/@title")


@pytest.mark.parametrize(
    ("query", "first", "count"),
    [
        ("q=Lei+8.078/1990", CODE, None),
        ("q=C%C3%B3digo+de+Defesa+do+Consumidor", CODE, 1),
        ("q=CODIGO+DE+DEFESA+DO+CONSUMIDOR", CODE, 1),
        ("palavras=art.+57+da+Lei+n%C2%BA+8.078/90", f"{CODE}!art57", None),
        (f"q={CODE}", CODE, None),
        ("q=fornecedor+procedimento", f"{CODE}!art57_cpt", 1),
        ("q=rel%C3%B3gios+fict%C3%ADcios", TEXT, None),
        ("q=rel%C3%B3gios&ano=2001&tipo=lei&autoridade=federal", TEXT, None),
        ("type=decreto&year=2008&place=SP", "urn:lex:br;sao.paulo:estadual:decreto:2008-04-15;99904", 1),
        ("tipo=lei&ano=2008", None, 4),
        ("q=rel%C3%B3gios&year=1999", None, 0),
        ("q=rel%C3%B3gios&place=SP", None, 0),
        ("q=rel%C3%B3gios&place=br;xx", None, 0),
        ("q=xyzw", None, 0),
        ("type=lei", None, 0),
        ("q=8078", CODE, 1),
        ("q=8.078", CODE, None),
        ("q=8078%2F90", CODE, 1),
        ("q=n%C2%BA+8.078%2F1990", CODE, None),
        ("q=8078%2F1991", None, 0),
        ("q=123456%2F90", None, 0),
        ("q=8078&type=lei", CODE, 1),
        ("q=8078&authority=federal", CODE, 1),
        ("q=8078&year=1990", CODE, 1),
        ("q=8.078%2F90&year=1990", CODE, 1),
        ("q=8078%2F1990&type=Lei", CODE, 1),
        ("q=8078&type=lei&authority=federal&year=1990", CODE, 1),
        ("q=8078&type=decreto", None, 0),
        ("q=8078&year=1991", None, 0),
        ("q=8.078%2F90&year=1991", None, 0),
        ("q=8078&place=SP", None, 0),
        ("q=cdc+art+57", f"{CODE}!art57", 1),
        ("q=art.+57+do+cdc", f"{CODE}!art57", 1),
        ("q=cdc", CODE, 1),
        ("q=%E2%80%AE", None, 0),
    ],
)
def test_search_returns_the_expected_norms(
    sample: httpx.Client, query: str, first: str | None, count: int | None
) -> None:
    search_page = page(sample, f"/search?{query}")
    assert search_page.response.status_code == 200
    listed = _result_names(search_page)
    if first is not None:
        assert listed[0] == first
    assert count is None or len(listed) == count
    assert len(listed) == len(set(listed))
    if not listed:
        assert ("Nada foi encontrado." in search_page.text) is (query != "type=lei")


@pytest.mark.parametrize(
    ("query", "stated"),
    [
        ("type=lei", ["Falta o ano"]),
        ("year=1990", ["Falta o tipo"]),
        ("place=SP", ["Faltam o tipo e o ano"]),
        ("authority=federal&place=SP", ["Faltam o tipo e o ano"]),
        ("type=xyz", ["Tipo não encontrado nos vocabulários: “xyz”", "Falta o ano"]),
        ("type=xyz&year=1990", ["Tipo não encontrado nos vocabulários: “xyz”"]),
        ("q=rel%C3%B3gios&place=br;xx", ["Localidade não encontrada nos vocabulários: “br;xx”"]),
        ("q=rel%C3%B3gios&type=lei&authority=ninguem", ["Autoridade não encontrada nos vocabulários: “ninguem”"]),
    ],
)
def test_missing_search_terms_are_stated_in_portuguese(sample: httpx.Client, query: str, stated: list[str]) -> None:
    search_page = page(sample, f"/search?{query}")
    assert _result_names(search_page) == []
    reported = search_page.one("//div[@class='notices']")
    assert [sentence for sentence in stated if sentence not in reported.text_content()] == []
    assert reported.xpath(".//*[@lang='en']") == []
    assert ("É pouco para buscar" in search_page.text) is ("Falta" in stated[-1])


def test_unknown_provision_is_reported(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=art.+58+do+CDC")
    assert _result_names(search_page) == [CODE]
    assert search_page.all("//div[@class='notices']//li") == [
        (
            "O acervo tem só parte do texto da norma (Lei nº 8.078, de 11 de setembro de 1990), sem este dispositivo. "
            "O artigo mais próximo é: art. 57 da Lei nº 8.078, de 11 de setembro de 1990."
        )
    ]
    whole = page(sample, "/search?q=art.+999+da+Lei+n%C2%BA+99.916%2F2001")
    assert whole.all("//div[@class='notices']//li") == [
        (
            "Nenhuma fonte traz este dispositivo: o texto da norma (Lei nº 99.916, de 5 de março de 2001) em "
            f"{today():%d/%m/%Y} não o tem. O artigo mais próximo é: art. 3º da Lei nº 99.916, de 5 de março de 2001."
        )
    ]


def test_results_keep_the_date(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=Lei+8.078/1990&on=1993-06-01")
    for href in search_page.all("//ol[@class='found']//h3/a/@href"):
        assert href.endswith("?on=1993-06-01")
        assert page(sample, href).response.status_code == 200


def test_past_wording_links_to_a_date_when_it_applied(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=mostra+uma+hora")
    (href,) = search_page.all("//ol[@class='found']//h3/a/@href")
    assert unquote(href) == f"/{TEXT}!art1_cpt?on=2001-06-01"
    assert "mostra uma hora" in page(sample, href).one("//div[contains(@class, 'law')]").text_content()


def test_current_wording_is_preferred_to_past_ones(sample: httpx.Client) -> None:
    caput = f"//ol[@class='found']/li[h3/a/@title='{TEXT}!art1_cpt']"
    gone = "Redação não mais vigente: a de hoje é outra."
    now = page(sample, "/search?q=relogio").one(caput).text_content()
    assert ("mostra duas horas" in now, "uma hora" in now, gone in now) == (True, False, False)
    then = page(sample, "/search?q=relogio&on=2001-07-01").one(caput).text_content()
    assert ("mostra uma hora" in then, "Esta não é a redação" in then) == (True, False)
    other = page(sample, "/search?q=uma+hora&on=2003-07-01").one(caput).text_content()
    assert ("mostra duas horas" in other, "mostra uma hora" in other) == (True, False), "no words of another day"
    assert gone in page(sample, "/search?q=mostra+uma+hora").one(caput).text_content()


def test_wording_removed_by_a_rectification_is_found(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=duas+oras")
    assert "Redação não mais vigente" in search_page.text
    assert "hoje: Em vigor" in search_page.text
    (href,) = search_page.all("//ol[@class='found']//h3/a/@href")
    assert "duas oras" in page(sample, href).one("//div[contains(@class, 'law')]").text_content()


def test_each_result_states_its_reason_in_the_page_language(sample: httpx.Client) -> None:
    asked = (
        "q=Lei+8.078/1990",
        "q=Lei+8078",
        "q=art.+57+do+CDC",
        "q=Lei+8.078/1991",
        "q=Lei+Seca",
        "q=rel%C3%B3gios",
        "q=relogios+inexistentes",
        "type=lei&year=2008",
        "type=decreto&year=2008&place=SP",
        "q=lei+99904",
        "q=Constitui%C3%A7%C3%A3o",
    )
    reasons = 0
    for query in asked:
        search_page = page(sample, f"/search?{query}")
        reasons += len(search_page.elements("//p[@class='why']"))
        assert search_page.all("//p[@class='why']//span[@lang='en']") == [], query
        english = page(sample, f"/search?{query}", "en")
        assert len(_result_names(english)) == len(_result_names(search_page))
    assert reasons > 15


def test_empty_search_shows_the_form(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=&on=&type=&authority=&place=&year=")
    assert search_page.elements("//ol[@class='found']") == []
    assert search_page.send("/search", q="Lei Seca").elements("//ol[@class='found']/li")
    assert "Código de Defesa do Consumidor" in search_page.all("//datalist[@id='names']/option/@value")


WORDS = (MatchReason(Agreement.ALL_WORDS),)


def test_custom_search_function_extends_results(store: Store) -> None:
    def guessing(_: Store, form: SearchForm) -> SearchMatches:
        guessed = (SearchMatch(TEXT, 0.1, WORDS), SearchMatch(CODE, 0.1, WORDS))
        return SearchMatches(guessed if form.words else (), (CandidatesCut(looked_at=1),), complete=False)

    result = find_matches(store, SearchForm(words="Lei 8.078/1990"), (*WAYS, guessing))
    listed = [match.name for match in result.matches]
    assert (listed[0], listed[-1], len(set(listed))) == (CODE, TEXT, len(listed))
    assert result.matches[0].why != WORDS, "what was found first keeps its reason"
    assert not result.complete
    assert [notice.code for notice in result.notices] == ["candidates-cut"]
    assert find_matches(store, SearchForm()) == SearchMatches()


@pytest.mark.parametrize(
    ("query", "stated"),
    [
        ("type=lei&year=1993", "Por quê: tipo lei; ano 1993"),
        ("q=8078&type=Lei&authority=federal", "Por quê: tipo Lei; autoridade federal; o número confere"),
    ],
)
def test_matching_fields_are_the_reason(sample: httpx.Client, query: str, stated: str) -> None:
    reported = page(sample, f"/search?{query}").all("//p[@class='why']")
    assert reported
    assert all(reason.startswith(stated) and "foi dit" not in reason for reason in reported)


@pytest.mark.parametrize(
    ("query", "reported", "count"),
    [
        ("q=Lei+8.079%2F90", "Nenhuma norma descrita aqui tem o número 8.079 de 1990.", None),
        ("q=art.+5+da+Lei+8.079%2F90&type=lei", "Nenhuma norma descrita aqui tem o número 8.079 de 1990.", None),
        ("q=urn:lex:br:federal:lei:1990-09-11;8079", "Nenhuma norma descrita aqui tem o número 8.079 de 1990.", None),
        ("q=8.079%2F90", "Nenhuma norma descrita aqui tem o número 8.079 de 1990.", 0),
        ("q=Lei+8.078%2F91", "Nenhuma norma descrita aqui tem o número 8.078 de 1991.", 1),
        ("q=Decreto+8.078%2F90", "Nenhuma fonte deste acervo descreve: Decreto nº 8.078, de 1990.", None),
        ("q=eca", "Nenhuma norma descrita aqui tem o número 8.069 de 1990.", 0),
    ],
)
def test_unknown_norm_is_stated_first(sample: httpx.Client, query: str, reported: str, count: int | None) -> None:
    search_page = page(sample, f"/search?{query}")
    headings = search_page.all("//main//h2")
    assert headings[0] == reported
    listed = _result_names(search_page)
    assert headings[1:] == (["Resultados que correspondem em parte ou contêm os termos"] if listed else [])
    assert count is None or len(listed) == count


@pytest.mark.parametrize(
    "query", ["q=Lei+8.078%2F1990", "q=cdc", "q=rel%C3%B3gio", "q=8078", "q=lei+secca", "q=%C3%A1gua"]
)
def test_known_norm_is_not_stated_to_be_unknown(sample: httpx.Client, query: str) -> None:
    assert page(sample, f"/search?{query}").elements("//h2[@class='absent']") == []


@pytest.mark.parametrize("query", ["q=cdc", "q=art.+57+do+cdc", "q=art.+57+do+C%C3%B3digo+de+Defesa+do+Consumidor"])
def test_nickname_is_the_reason(sample: httpx.Client, query: str) -> None:
    why = page(sample, f"/search?{query}").all("//p[@class='why']")[0]
    assert "é apelido da norma, na lista deste serviço" in why, "no source says so"
    assert "próprio nome" not in why


@pytest.mark.parametrize("on", ["1992-06-01", "2001-07-01", "2024-01-01"])
@pytest.mark.parametrize("query", ["q=lei", "q=cdc+art+57", "type=lei&year=2001"])
def test_results_on_a_date_have_a_status_and_a_valid_link(sample: httpx.Client, query: str, on: str) -> None:
    search_page = page(sample, f"/search?{query}&on={on}")
    results = search_page.elements("//ol[@class='found']/li")
    assert results
    day = "/".join(reversed(on.split("-")))
    for result in results:
        badges = [words_of(badge) for badge in result.xpath(".//span[contains(@class, 'badge')]")]
        assert [badge.partition(":")[0] for badge in badges] == [f"em {day}", "hoje"]
        (href,) = result.xpath(".//h3/a/@href")
        reported = words_of(result)
        once = f"Conforme as publicações até hoje, não há texto em vigor em {day} nem em outro dia" in reported
        assert ("as_known=" in href) is once
        assert href.endswith(f"?on={on}") is not once
        assert page(sample, href).response.status_code == 200, href


def test_every_result_has_a_status(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=lei")
    results = search_page.elements("//ol[@class='found']/li")
    assert len(results) >= 18
    assert all(result.xpath(".//span[contains(@class, 'badge')]") for result in results)


def test_misspelled_nickname_does_not_match_every_law(sample: httpx.Client) -> None:
    assert page(sample, "/search?q=lei+secca").elements("//ol[@class='found']/li") == []


def test_result_title_is_not_repeated(sample: httpx.Client) -> None:
    for result in page(sample, "/search?q=lei").elements("//ol[@class='found']/li"):
        title = words_of(result.xpath("./h3/a")[0])
        assert title not in [words_of(paragraph) for paragraph in result.xpath("./p")], title


# Typed text


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("art. 57 do CDC em 1º de junho de 1993", f"/{CODE}!art57?on=1993-06-01"),
        ("art 57 do cdc em 01/06/1993", f"/{CODE}!art57?on=1993-06-01"),
        ("Lei nº 8.078, de 11 de setembro de 1990, em 1993-06-01", f"/{CODE}?on=1993-06-01"),
    ],
)
def test_citation_with_a_date_opens_the_text(sample: httpx.Client, typed: str, path: str) -> None:
    answer = sample.get("/search", params={"q": typed}, headers={"Accept": "text/html"})
    assert (answer.status_code, unquote(answer.headers["Location"])) == (303, path)
    opened = sample.get(answer.headers["Location"], headers={"Accept": "text/html"}, follow_redirects=True)
    assert opened.status_code == 200
    assert "01/06/1993" in opened.text


@pytest.mark.parametrize("typed", ["relógio em 01/07/2001", "art. 57 do CDC", "art. 999 do CDC em 01/06/1993"])
def test_ambiguous_search_shows_a_list(sample: httpx.Client, typed: str) -> None:
    assert sample.get("/search", params={"q": typed}, headers={"Accept": "text/html"}).status_code == 200


def test_date_after_the_words_is_the_search_date(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=rel%C3%B3gio+em+1%C2%BA+de+julho+de+2001")
    assert "mostra uma hora" in search_page.text
    assert search_page.one("//input[@id='search-on']/@value") == "01/07/2001"


@pytest.mark.parametrize(
    "typed", ["art 57 do cdc em 1993", "cdc artigo 57 no ano de 1993", "cdc art 57 vigente em 1993"]
)
def test_year_after_a_citation_means_its_last_day_and_the_page_says_so(sample: httpx.Client, typed: str) -> None:
    search_page = page(sample, f"/search?{urlencode({'q': typed})}")
    status = search_page.one("//p[@role='status']")
    assert (
        words_of(status) == "A busca informa só o ano, 1993. Os resultados são os de 31/12/1993. Ver os de 01/01/1993"
    )
    assert search_page.all("//ol[@class='found']/li[1]/h3/a/@href") == [f"/{CODE}!art57?on=1993-12-31"]
    assert search_page.one("//input[@id='search-on']/@value") == "31/12/1993"
    (first,) = search_page.all("//p[@role='status']/a/@href")
    assert page(sample, first).all("//ol[@class='found']/li[1]/h3/a/@href") == [f"/{CODE}!art57?on=1993-01-01"]


@pytest.mark.parametrize("typed", ["lei 8.078 de 1990", "relógio em 2001", "lei 8.078 publicada em 1990", "8078/1990"])
def test_other_years_are_no_day(sample: httpx.Client, typed: str) -> None:
    search_page = page(sample, f"/search?{urlencode({'q': typed})}")
    assert search_page.elements("//p[@role='status']") == []
    assert search_page.one("//input[@id='search-on']/@value") == ""


def test_current_year_after_a_citation_means_today(sample: httpx.Client) -> None:
    search_page = page(sample, f"/search?q=art+57+do+cdc+em+{today().year}")
    assert search_page.one("//input[@id='search-on']/@value") == f"{today():%d/%m/%Y}"


@pytest.mark.parametrize("day", ["01/07/2001", "1º de julho de 2001", "2001-07-01", "1.7.2001"])
def test_dates_are_accepted_in_common_formats(sample: httpx.Client, day: str) -> None:
    response = sample.get("/search", params={"q": "relógio", "on": day}, headers={"Accept": "text/html"})
    assert "mostra uma hora" in response.text.replace("<mark>", "").replace("</mark>", "")
    text = sample.get(f"/{TEXT}", params={"on": day}, headers={"Accept": "text/html"}, follow_redirects=True)
    assert text.status_code == 200
    assert "mostra uma hora" in text.text
    changed = sample.get(f"/diff/{TEXT}", params={"from": day, "to": "03/05/2002"}, headers={"Accept": "text/html"})
    assert changed.status_code == 200


@pytest.mark.parametrize("day", ["31/02/2001", "07/2001", "1 de julho", "amanhã"])
def test_invalid_dates_are_rejected(sample: httpx.Client, day: str) -> None:
    assert sample.get("/search", params={"q": "x", "on": day}, headers={"Accept": "text/html"}).status_code == 422


@pytest.mark.parametrize("day", ["2010", "06/2010"])
def test_incomplete_date_asks_for_day_month_and_year(sample: httpx.Client, day: str) -> None:
    problem_page = page(sample, f"/search?q=lei&on={day}")
    assert problem_page.response.status_code == 422
    assert words_of(problem_page.one("//h1")) == "Data incompleta"
    assert "Informe dia, mês e ano (dd/mm/aaaa)." in words_of(problem_page.one("//span[@class='hint wrong']"))
    whole = page(sample, "/search?q=lei&on=31/02/2010")
    assert "Data incompleta" not in whole.text


@pytest.mark.parametrize(
    ("typed", "stated", "address"),
    [
        ("ECA", "“ECA” é apelido desta norma, que não foi encontrada no acervo: Lei nº 8.069", "lei:1990-07-13;8069"),
        ("eca", "“ECA” é apelido desta norma, que não foi encontrada no acervo: Lei nº 8.069", "lei:1990-07-13;8069"),
        ("estatuto da criança", "“Estatuto da Criança” é apelido desta norma", "lei:1990-07-13;8069"),
        ("Estatuto da Crianca e do Adolescente", "é apelido desta norma", "lei:1990-07-13;8069"),
        ("Maria da Penha", "“Lei Maria da Penha” é apelido desta norma", "lei:2006-08-07;11340"),
    ],
)
def test_nickname_of_a_missing_norm_names_it_with_a_link(
    sample: httpx.Client, typed: str, stated: str, address: str
) -> None:
    search_page = page(sample, f"/search?q={typed}")
    assert stated in search_page.text
    assert "não foi reconhecido" not in search_page.text
    assert search_page.all("//p[@class='absent']/a/@href") == [
        f"https://normas.leg.br/?urn=urn:lex:br:federal:{address}"
    ]


def test_misspelling_has_a_suggestion(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=consumidro")
    (href,) = search_page.all("//p[@class='spelling']/a/@href")
    assert href == "/search?q=consumidor"
    assert _result_names(page(sample, href))


def test_facets_filter_and_matches_are_highlighted(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=fict%C3%ADcia")
    links = search_page.all("//nav[@class='facet']//a/@href")
    assert any("type=" in link for link in links)
    assert any("year=" in link for link in links)
    for link in links:
        assert _result_names(page(sample, link)), link
    assert search_page.all("//ol[@class='found']//mark")


BILLS = Path(__file__).resolve().parents[4] / "shared" / "data" / "lexml-xml"


@pytest.fixture(scope="module")
def bills(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client over bills of the Senate, of two types."""
    files = sorted(BILLS.glob("*projeto.lei=pl*2017*"))[:12]
    if not files:
        pytest.skip("the samples of bills are not here")
    store = tmp_path_factory.mktemp("bills") / "store"
    assert main(["--store", str(store), "load", *map(str, files)]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def test_facets_of_document_types_have_their_subtypes(bills: httpx.Client) -> None:
    """Check bills of both houses: their types have one label. The field has the label too, which the search reads."""
    search_page = page(bills, "/search?q=lei")
    links = {words_of(link): str(link.get("href")) for link in search_page.elements("//nav[@class='facet']//a")}
    assert {"Projeto de Lei (PLC)", "Projeto de Lei (PLS)"} <= set(links)
    narrowed = page(bills, links["Projeto de Lei (PLS)"])
    assert narrowed.one("//input[@id='type']").get("value") == "Projeto de Lei (PLS)"
    names = _result_names(narrowed)
    assert names
    assert all(":projeto.lei;pls:" in name for name in names)
    assert _result_names(page(bills, "/search?q=lei&type=Projeto+de+Lei+%28PLS%29")) == names
    english = page(bills, "/search?q=lei", "en").all("//nav[@class='facet']//a")
    assert not any(label.startswith("Projeto") for label in english)


def test_status_of_a_bill_says_that_it_is_no_norm_in_force(bills: httpx.Client) -> None:
    badges = page(bills, "/search?q=lei&type=projeto.lei").all("//ol[@class='found']//h3/span")
    assert set(badges) == {"hoje: Projeto de Lei, não é norma em vigor"}


@pytest.mark.parametrize("query", ["q=lgpd&on=01/01/2010", "q=lgpd+em+01/01/2010"])
def test_nickname_of_a_later_norm_names_that_norm(sample: httpx.Client, query: str) -> None:
    lgpd = "urn:lex:br:federal:lei:2018-08-14;13709"
    search_page = page(sample, f"/search?{query}")
    heading = search_page.one("//h2[@class='absent']")
    assert words_of(heading) == "Em 01/01/2010 ainda não existia: Lei nº 13.709, de 14 de agosto de 2018."
    assert search_page.all("//h2[@class='absent']/a/@href") == [f"/{lgpd}"], "without the day"
    assert search_page.all("//ol[@class='found']/li/h3/a/@href") == [f"/{lgpd}?on=2010-01-01"]
    assert "não foi reconhecido" not in search_page.text
    english = page(sample, f"/search?{query}", "en").one("//h2[@class='absent']")
    assert words_of(english) == "Did not exist yet on 1 January 2010: Law No. 13,709 of 14 August 2018."


def test_nickname_shared_with_an_older_norm_finds_the_older(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=C%C3%B3digo+de+Processo+Civil&on=1960-01-01")
    assert "ainda não existia" not in search_page.text
    assert "Decreto-Lei nº 1.608, de 18 de setembro de 1939" in search_page.text


def test_suggestion_lists_have_usual_values_and_a_link_to_all(sample: httpx.Client) -> None:
    for path in ("/", "/search"):
        form_page = page(sample, path)
        assert {"Lei", "Decreto", "Súmula Vinculante"} <= set(form_page.all("//datalist[@id='types']/option/@value"))
        assert form_page.all("//a[.='Ver todos os tipos']/@href") == ["/vocab/tipoDocumento"]
        assert form_page.all("//a[.='Ver todas as autoridades']/@href") == ["/vocab/autoridade"]
        assert sample.get("/vocab/autoridade").status_code == 200


@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_help_explains_the_signs_of_a_search_with_working_examples(sample: httpx.Client, language: str) -> None:
    help_page = page(sample, "/help", language)
    assert help_page.all("//nav//a[@href='#query']") == [help_page.one("//h2[@id='query']").text]
    examples = help_page.all("//h2[@id='query']/following::table[1]//a")
    assert examples == [
        "direitos do consumidor",
        '"defesa do consumidor"',
        "consumidor -multa",
        "consum*",
        "art. 57 do CDC em 1º de junho de 1993",
        "art. 57 do CDC em 1993",
    ]
    results = {example: help_page.follow(example) for example in examples}
    found = {example: result.all("//ol[@class='found']//h3/a/@title") for example, result in results.items()}
    day = "art. 57 do CDC em 1º de junho de 1993"
    assert unquote(results[day].path).startswith(f"/{CODE}@1991-03-11;publicacao;1990-09-12!art57?on=1993-06-01")
    assert f"{CODE}!art57" in found["art. 57 do CDC em 1993"]
    assert all(found[example] for example in examples if example != day)
    assert f"{CODE}!art57_cpt" not in found["consumidor -multa"]
    assert [result.response.status_code for result in results.values()] == [200] * len(examples)


def test_cited_provision_shows_its_words_of_the_day(sample: httpx.Client) -> None:
    """Check that a citation lists the words of the provision, and no link to others of the norm, which it names."""
    law = "urn:lex:br:federal:lei:2001-03-05;99916"
    for query, words in (
        ("art.+1%C2%BA+da+Lei+n%C2%BA+99.916%2F2001", "Todo relógio fictício mostra duas horas."),
        ("art.+1%C2%BA+da+Lei+n%C2%BA+99.916%2F2001&on=2001-07-01", "Todo relógio fictício mostra uma hora."),
        (
            "par%C3%A1grafo+%C3%BAnico+do+art.+1%C2%BA+da+Lei+n%C2%BA+99.916%2F2001",
            "A segunda hora é a que se conhecia",
        ),
    ):
        search_page = page(sample, f"/search?q={query}")
        first = search_page.elements("//ol[@class='found']/li")[0]
        assert first.xpath("h3/a/@title")[0].startswith(f"{law}!art1")
        assert words in words_of(first)
        assert search_page.all("//p[@class='further']") == []


def test_nickname_without_accents_means_its_norm(sample: httpx.Client) -> None:
    for typed in ("codigo do consumidor", "código do consumidor", "Código do Consumidor"):
        search_page = page(sample, f"/search?{urlencode({'q': typed})}")
        assert _result_names(search_page)[0] == CODE
        assert "não foi reconhecido" not in search_page.text


def test_words_of_different_provisions_are_not_attributed_to_each(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=%22duas+horas%22+atrasam")
    reasons = search_page.all("//ol[@class='found']/li/p[@class='why']")
    assert len(reasons) == 2
    assert all("Por quê: a norma contém os termos, em dispositivos diferentes" in reason for reason in reasons)
    english = page(sample, "/search?q=%22duas+horas%22+atrasam", "en")
    assert "Why: its norm has the words, in several provisions" in english.text
    assert "Campinas - SP (2)" in page(sample, "/search?q=fict%C3%ADcia").text


def test_an_absent_norm_that_others_name_as_a_cause_leads_to_what_it_changed(sample: httpx.Client) -> None:
    cause = "urn:lex:br:federal:lei:2002-04-20;99917"
    stated = "Lei nº 99.917, de 20 de abril de 2002"
    search_page = page(sample, f"/search?q={cause}")
    (heading,) = search_page.all("//h2[@class='absent']")
    assert heading == (
        f"Norma conhecida só por referências: {stated}. "
        "Nenhuma fonte deste acervo traz o seu texto ou os dias da sua vigência."
    )
    (changed,) = search_page.all("//p[@class='referred']")
    assert changed == (
        "Segundo as fontes, este ato causou mudanças em: Lei nº 99.916, de 5 de março de 2001. "
        "Ver o que se refere a este ato"
    )
    assert search_page.all("//p[@class='referred']/a/@href") == [f"/{TEXT}", f"/{cause}"]
    assert "Nada foi encontrado" not in search_page.text
    assert f"/{TEXT}" in " ".join(page(sample, f"/{cause}").all("//main//a/@href"))
    unknown_year = page(sample, "/search?q=Lei+99.955")
    assert unknown_year.all("//p[@class='referred']") == [
        "Com o ano (Lei nº 8.078/1990), a busca acha também as normas conhecidas só por referências."
    ]
