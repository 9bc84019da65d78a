"""Tests of pages of the bundled sample, with findings of a lawyer: no repetitions, empty rows or wrong statements."""

from __future__ import annotations

import httpx
import pytest

from tests.support.pages import page, status_words
from tests.support.web_names import place

LGPD = "/urn:lex:br:federal:lei:2018-08-14;13709"


@pytest.mark.parametrize(
    ("asked", "location"),
    [
        ("", "?on=2020-09-18"),
        ("?as_known=2019-01-01", "?on=2020-08-16&as_known=2019-01-01"),
        ("?as_known=2018-09-01", "@2020-02-16;publicacao;2018-08-15?as_known=2018-09-01"),
        ("@versao.vigente.em;2021-01-01", "?on=2021-01-01"),
        ("?axis=efficacy", "?on=2020-09-18&axis=efficacy"),
    ],
)
def test_address_to_cite_names_no_version_that_gave_no_words(sample: httpx.Client, asked: str, location: str) -> None:
    """Check a law whose start was postponed: the version in force is that of the postponement."""
    response = sample.get(f"{LGPD}{asked}", headers={"accept": "text/html"})
    assert (response.status_code, place(response)) == (303, f"{LGPD}{location}")
    assert sample.get(place(response)).status_code == 200


@pytest.mark.parametrize("asked", ["?on=2020-09-18", "@2020-08-16;prorrogacao.vacatio;2019-07-09"])
def test_page_of_a_version_without_words_gives_the_address_of_the_norm(sample: httpx.Client, asked: str) -> None:
    shown = page(sample, f"{LGPD}{asked}")
    for address in ("//link[@rel='canonical']/@href", "//a[@data-share]/@href", "//meta[@property='og:url']/@content"):
        assert shown.one(address).endswith(f"{LGPD}?on=2020-09-18")
    answer = sample.get(f"{LGPD}?on=2020-09-18", headers={"accept": "application/json"})
    assert answer.json()["version"]["name"].endswith("@2020-08-16;prorrogacao.vacatio;2019-07-09")


def test_gazette_issue_has_no_status_in_force(sample: httpx.Client) -> None:
    issue = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:2007-01-10;133"
    issue_page = page(sample, f"/{issue}")
    assert status_words(issue_page).startswith("Edição de publicação oficial, que não entra em vigor")
    assert not issue_page.elements("//main//form")
    assert "Publicou" in issue_page.text


def test_statement_table_cells_have_labels_on_a_phone(sample: httpx.Client) -> None:
    description_page = page(sample, "/descriptions/urn:lex:br:federal:lei:1990-09-11;8078")
    cells = description_page.all("//table[contains(@class, 'statements')]/tbody/tr[1]/td/@data-is")
    heads = description_page.all("//table[contains(@class, 'statements')]/thead//th")
    assert cells == heads[1:]
    assert description_page.all("//table[contains(@class, 'statements')]/tbody/tr[1]/td[@class='own']"), (
        "not shown there"
    )


def test_complete_statement_table_has_no_link_to_more(sample: httpx.Client) -> None:
    complete_page = page(sample, "/descriptions/urn:lex:br:federal:lei:2008-06-19;11705")
    cut = page(sample, "/descriptions/urn:lex:br:federal:lei:1990-09-11;8078")
    more = "Há mais declarações do que cabem aqui"
    assert complete_page.elements("//table[contains(@class, 'statements')]/tbody/tr")
    assert more not in complete_page.text
    assert more in cut.text


def test_stated_cause_of_an_amendment_is_a_relation(sample: httpx.Client) -> None:
    norm_page = page(sample, "/urn:lex:br:federal:lei:2001-03-05;99916")
    assert norm_page.all("//dt[.='Alterada por']/following-sibling::dd[1]//li") == [
        "Lei nº 99.917, de 2002 (não consta do acervo)"
    ]


def test_history_rows_have_no_empty_cells(sample: httpx.Client) -> None:
    provision_page = page(sample, "/urn:lex:br:federal:lei:1990-09-11;8078!art57")
    cells = provision_page.elements("//table[contains(@class, 'lives')]//td[@data-is]")
    assert cells
    assert all(cell.text_content().strip() for cell in cells)


def test_status_of_a_judgment_has_masculine_gender(sample: httpx.Client) -> None:
    search_text = page(
        sample, "/search?q=urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-09-03;99901&on=2005-01-01"
    ).text
    assert "em 01/01/2005: Não publicado" in search_text


def test_page_as_known_earlier_omits_later_events(sample: httpx.Client) -> None:
    """Check the gazette of the rectification and the revoking norm, and that statements about today are marked."""
    asked = "/urn:lex:br:federal:lei:1990-09-11;8078?on=1993-06-15&as_known="
    before, after = (page(sample, asked + day) for day in ("2007-01-09", "2007-01-10"))
    gazette = "Diário Oficial da União, Seção 1, nº 133, de 10 de janeiro de 2007"
    assert gazette not in before.one("//section[@class='copies']").text_content()
    assert gazette in after.one("//section[@class='copies']").text_content()
    (later,) = before.all("//section[@class='sources']//li[contains(span/@title, ';e5.3')]")
    assert "usada apenas para a situação de hoje" in later
    (then,) = before.all(
        "//section[@class='sources']//li[substring(span/@title, string-length(span/@title) - 2) = ';e3']"
    )
    assert "usada apenas para a situação de hoje" not in then
    asked = "/urn:lex:br:federal:lei:2001-03-05;99907?on=2006-07-01&as_known="
    before, after = (page(sample, asked + day) for day in ("2006-05-08", "2006-05-09"))
    assert "Revogada por" in after.all("//section[@class='links']//dt")
    assert "Revogada por" not in before.all("//section[@class='links']//dt")


def test_diff_of_the_summary_states_that_no_provision_changed(sample: httpx.Client) -> None:
    days = "from=1990-09-13&to=1992-04-14"
    diff_page = page(sample, f"/diff/urn:lex:br:federal:lei:1990-09-11;8078!ementa?{days}")
    assert diff_page.elements("//article[contains(@class, 'change')]")
    assert "Nenhum dispositivo mudou entre estes dois dias" in diff_page.text
