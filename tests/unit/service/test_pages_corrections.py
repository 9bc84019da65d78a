"""Tests of pages for invalid days, ranges of articles and errors of files: the user's input stays in the form."""

from __future__ import annotations

import httpx
import pytest

from graph.store import Store
from queries.naming import Agreement, MatchReason
from queries.notices import SeveralCitations, any_of
from service.web.pages.search import SearchForm, find_matches
from tests.support.pages import Page, page
from tests.support.sample_site import folder, sample, store
from tests.support.web_names import CODE

__all__ = ["folder", "sample", "store"]


def test_invalid_calendar_day_in_a_search_is_reported(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=CDC+em+31/02/1993")
    (alert,) = search_page.all("//main//p[@role='alert']/text()")
    assert alert == (
        "31/02/1993 não existe no calendário. Os resultados são os de hoje. Escreva a data como dd/mm/aaaa."
    )
    assert search_page.all("//ol[@class='found']/li/h3/a/@title")[0] == CODE
    assert search_page.all("//main//input[@name='q']/@value") == ["CDC em 31/02/1993"]


@pytest.mark.parametrize(
    ("path", "wrong", "kept"),
    [
        ("/search?q=CDC&on=31/02/1993&type=lei", ("on", "31/02/1993"), {"q": "CDC", "type": "lei"}),
        (f"/{CODE}?on=99/99/9999", ("on", "99/99/9999"), {}),
        (f"/diff/{CODE}?de=1993-06-01&ate=amanha", ("ate", "amanha"), {"de": "1993-06-01"}),
        (f"/{CODE}?on=1993-06-01&as_known=2999-01-01", ("as_known", "2999-01-01"), {"on": "1993-06-01"}),
    ],
)
def test_invalid_date_keeps_the_typed_values(
    sample: httpx.Client, path: str, wrong: tuple[str, str], kept: dict[str, str]
) -> None:
    answer = sample.get(path, headers={"accept": "text/html", "accept-language": "pt-BR"})
    assert answer.status_code in (404, 422)
    error_page = Page(sample, answer)
    form = "//main//form"
    assert error_page.all(f"{form}/@action") == [answer.request.url.raw_path.decode().partition("?")[0]]
    typed = dict(zip(error_page.all(f"{form}//input/@name"), error_page.all(f"{form}//input/@value"), strict=True))
    assert typed == {**kept, wrong[0]: wrong[1]}
    assert error_page.all(f"{form}//input[@aria-invalid='true']/@name") == [wrong[0]]
    assert f"Data inválida: “{wrong[1]}”. Informe uma data que exista no calendário (dd/mm/aaaa)" in answer.text
    program = sample.get(path, headers={"accept": "application/json"})
    assert (program.status_code, program.headers["content-type"]) == (answer.status_code, "application/problem+json")


def test_file_error_is_a_page_for_a_browser(sample: httpx.Client) -> None:
    path = "/text/urn:lex:br:federal:lei:2001-03-05;99999?format=pdf"
    answer = sample.get(path, headers={"accept": "text/html,*/*;q=0.8", "accept-language": "pt-BR"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "Norma pedida: Lei nº 99.999, de 5 de março de 2001." in answer.text
    assert sample.get(path, headers={"accept": "*/*"}).headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("words", "articles"),
    [
        ("arts. 1 a 3 da Lei 99.916/2001", [1, 2, 3]),
        ("arts. 1º ao 3º da Lei 99.916/2001", [1, 2, 3]),
        ("arts. 1 e 3 da Lei 99.916/2001", [1, 3]),
        ("arts. 2 a 900 da Lei 99.916/2001", [2, 3]),
    ],
)
def test_article_range_finds_the_articles_between(store: Store, words: str, articles: list[int]) -> None:
    law = "urn:lex:br:federal:lei:2001-03-05;99916"
    result = find_matches(store, SearchForm(words=words))
    assert [match.name for match in result.matches if "!" in match.name] == [f"{law}!art{n}" for n in articles]
    if " e " not in words:
        assert result.matches[1].why == (MatchReason(Agreement.IN_RANGE),)
    assert any_of(result.notices, SeveralCitations) == (" e " in words)
