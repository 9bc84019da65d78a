"""Tests of pages of the bundled sample, with findings of a lawyer: no repetitions, empty rows or wrong statements."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.support.pages import page, status_words
from tests.support.web import serving_sample


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over the sample."""
    with serving_sample(tmp_path_factory.mktemp("sample") / "store") as client:
        yield client


def test_an_issue_of_a_gazette_is_not_stated_to_be_perhaps_in_force(sample: httpx.Client) -> None:
    issue = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:2007-01-10;133"
    found = page(sample, f"/{issue}")
    assert status_words(found).startswith("Edição de publicação oficial, que não entra em vigor")
    assert not found.elements("//main//form")
    assert "Publicou" in found.text


def test_a_table_of_statements_states_on_a_telephone_what_each_cell_is(sample: httpx.Client) -> None:
    found = page(sample, "/descriptions/urn:lex:br:federal:lei:1990-09-11;8078")
    cells = found.all("//table[contains(@class, 'statements')]/tbody/tr[1]/td/@data-is")
    heads = found.all("//table[contains(@class, 'statements')]/thead//th")
    assert cells == heads[1:]
    assert found.all("//table[contains(@class, 'statements')]/tbody/tr[1]/td[@class='own']"), "not shown there"


def test_a_table_with_all_statements_does_not_state_that_there_are_more(sample: httpx.Client) -> None:
    whole = page(sample, "/descriptions/urn:lex:br:federal:lei:2008-06-19;11705")
    cut = page(sample, "/descriptions/urn:lex:br:federal:lei:1990-09-11;8078")
    more = "Há mais declarações do que cabem aqui"
    assert whole.elements("//table[contains(@class, 'statements')]/tbody/tr")
    assert more not in whole.text
    assert more in cut.text


def test_what_a_source_states_as_the_cause_of_an_amendment_is_among_the_relations(sample: httpx.Client) -> None:
    found = page(sample, "/urn:lex:br:federal:lei:2001-03-05;99916")
    assert found.all("//dt[.='Alterada por']/following-sibling::dd[1]//li") == ["Lei nº 99.917, de 2002"]


def test_no_row_of_a_history_has_a_label_and_nothing_behind_it(sample: httpx.Client) -> None:
    found = page(sample, "/urn:lex:br:federal:lei:1990-09-11;8078!art57")
    cells = found.elements("//table[contains(@class, 'lives')]//td[@data-is]")
    assert cells
    assert all(cell.text_content().strip() for cell in cells)


def test_a_judgment_is_no_she(sample: httpx.Client) -> None:
    found = page(
        sample, "/search?q=urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-09-03;99901&on=2005-01-01"
    ).text
    assert "em 01/01/2005: Não publicado" in found


def test_a_page_of_what_was_known_then_reports_nothing_that_came_later(sample: httpx.Client) -> None:
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


def test_a_difference_of_what_is_no_provision_states_that_none_changed(sample: httpx.Client) -> None:
    days = "from=1990-09-13&to=1992-04-14"
    found = page(sample, f"/diff/urn:lex:br:federal:lei:1990-09-11;8078!ementa?{days}")
    assert found.elements("//article[contains(@class, 'change')]")
    assert "Nenhum dispositivo mudou entre estes dois dias" in found.text
