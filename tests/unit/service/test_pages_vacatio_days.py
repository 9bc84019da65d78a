"""Addresses of provisions that changed while their norm was in vacatio, and differences of which words are missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.cli import main
from service.web.settings import Settings
from tests.support.pages import page
from tests.support.web import serving, serving_sample

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"
PAGE = Path(__file__).resolve().parents[4] / "shared" / "data" / "planalto" / "L13709.html"
needs_sample = pytest.mark.skipif(not PAGE.is_file(), reason="the sample of a real page is not here")


@pytest.fixture(scope="module")
def lgpd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """The bundled sample, which dates the life of the LGPD, and its page by Planalto, with earlier wordings."""
    store = tmp_path_factory.mktemp("vacatio") / "store"
    assert main(["--store", str(store), "demo", "--json"]) == 0
    assert main(["--store", str(store), "load", str(PAGE)]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@needs_sample
@pytest.mark.parametrize("article", ["art5", "art7", "art18", "art52"])
def test_the_address_of_an_article_leads_to_its_text_of_today(lgpd: httpx.Client, article: str) -> None:
    """Its wordings are dated before the law came into force: the page must not be that of a day in vacatio."""
    answer = lgpd.get(f"/{LGPD}!{article}", headers={"accept": "text/html"}, follow_redirects=True)
    assert answer.status_code == 200, answer.url


@needs_sample
def test_no_notice_denies_an_amendment_that_the_text_shows(lgpd: httpx.Client) -> None:
    """The page of Planalto gives the wordings of four amending acts; the norm itself has no version of theirs."""
    assert "nenhuma versão deste acervo começa com ela" not in page(lgpd, f"/{LGPD}?on=2024-01-01").text


def test_words_of_one_day_are_not_shown_as_those_of_the_other(tmp_path: Path) -> None:
    """The source leaves out the words of 1991: the column of that day says so."""
    with serving_sample(tmp_path / "store") as sample:
        found = page(sample, f"/diff/{CODE}?from=1991-03-11&to=2003-02-01&view=side")
        left, right = found.all("(//div[@class='sides'])[1]//p[@class='law']")
        assert left == "(trecho não disponível na fonte)"
        assert len(right) > len(left)
