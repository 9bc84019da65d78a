"""Tests of the page of a difference: provisions not compared, contradictions of sources, and agreement with the API."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import httpx
import pytest
from docx import Document

from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.pages import page, words_of
from tests.support.web import serving
from tests.support.web_names import TEXT
from tests.unit.queries.test_differences_causes import CHAPTER
from tests.unit.queries.test_differences_endings import BODY, ended
from tests.unit.queries.test_differences_vacatio import LATER_START
from tests.unit.queries.test_rules_of_provisions import LAW, article, change, fact, law_records, part, words

EXPIRED, BACK, DISPUTED, LATER = (
    f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99971, 99972, 99973, 99974)
)


CHANGED = change("a", "2002-02-01", 99961, "art2_cpt")
AMENDED = article(1, part("Caput", "art1_cpt", words("Palavra 1."))) + article(
    2,
    part("Caput", "art2_cpt", words("Palavra 2."), ends="a") + part("Caput", "art2_cpt", words("Outra."), begins="a"),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over four laws.

    One is expired, one has a restored article, on one curators disagree, and one has an article that starts later.
    """
    many = [fact("revogacao", "2004-01-01", f"art{n}").replace('"A"', f'"C{n}"') for n in (1, 2)]
    other = fact("revogacao", "2004-06-01", "art2").replace('"A"', '"<b>B</b>"')
    laws = {
        EXPIRED: (BODY, ended("caducidade", "2003-06-01")),
        BACK: (CHAPTER, fact("revogacao", "2005-01-01", "cap1"), fact("repristinacao", "2007-01-01", "art1")),
        DISPUTED: (CHAPTER, *many, other),
    }
    store = tmp_path_factory.mktemp("compared") / "store"
    with open_for_writing(store, create=True) as opened:
        for name, (body, *facts) in laws.items():
            opened.apply(law_records("", body, *(fact_text.replace(LAW, name) for fact_text in facts), name=name))
        opened.apply(law_records(CHANGED, AMENDED, LATER_START.replace(LAW, LATER), name=LATER))
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def _notice_codes(site: httpx.Client, name: str, since: str, until: str) -> list[str]:
    answer = site.get("/api/v1/diff", params={"urn": name, "from": since, "to": until}).json()
    return [notice["code"] for notice in answer["notices"]]


def test_diff_of_dates_without_a_text_states_both_statuses(site: httpx.Client) -> None:
    for name in (EXPIRED, f"{EXPIRED}!art1"):
        diff_page = page(site, f"/diff/{name}?from=2004-01-01&to=2006-01-01")
        assert "Nada mudou" not in diff_page.text
        assert diff_page.text.count("Não há texto a comparar") == 1, "not among the notices as well"
        stands = diff_page.all("//div[contains(@class, 'stands')]")
        assert ["01/01/2004" in stands[0], "01/01/2006" in stands[1]] == [True, True]
        assert ["encerrada" in box and "01/06/2003" in box for box in stands] == [True, True]
        assert "no-text-in-force" in _notice_codes(site, name, "2004-01-01", "2006-01-01")
    english = page(site, f"/diff/{EXPIRED}?from=2001-03-10&to=2006-01-01", "en")
    assert "There is no text to compare" in english.text
    assert len(english.all("//div[contains(@class, 'stands')]")) == 2
    unchanged = page(site, f"/diff/{EXPIRED}?from=2002-01-01&to=2003-01-01")
    assert "Nada mudou" in unchanged.text
    assert "no-text-in-force" not in _notice_codes(site, EXPIRED, "2002-01-01", "2003-01-01")


def test_diff_of_a_chapter_shows_its_restoration(site: httpx.Client) -> None:
    diff_page = page(site, f"/diff/{BACK}!cap1?from=2006-01-01&to=2008-01-01")
    assert diff_page.all("//article/@class") == ["change restored"]
    assert "Repristinação" in diff_page.one("//article").text_content()


def test_dispute_about_an_article_is_on_the_diff_page_of_its_norm(site: httpx.Client) -> None:
    for name in (DISPUTED, f"{DISPUTED}!cap1", f"{DISPUTED}!art2"):
        for days in ("from=2003-06-01&to=2004-03-01", "from=2004-03-01&to=2004-07-01"):
            notices_text = page(site, f"/diff/{name}?{days}").one("//div[@class='notices']").text_content()
            assert "segundo o curador C2, efeitos a partir de 01/01/2004" in notices_text, (name, days)
            assert "segundo o curador <b>B</b>, efeitos a partir de 01/06/2004" in notices_text, (name, days)
    inside = page(site, f"/diff/{DISPUTED}?from=2004-03-01&to=2004-07-01").text
    assert "As fontes divergem quanto a estas datas" in inside
    assert "Nada mudou" not in inside
    later = page(site, f"/diff/{DISPUTED}?from=2004-07-01&to=2005-01-01")
    assert "As fontes divergem quanto" not in later.text
    assert "Nada mudou" in later.text


def test_diff_has_a_side_by_side_view_and_an_original_link(web: httpx.Client) -> None:
    diff_page = page(web, f"/diff/{TEXT}?from=2001-07-01&to=2002-06-01").follow("lado a lado")
    before, after = diff_page.all("(//div[@class='sides'])[1]/div/p")
    assert before != after
    assert not diff_page.elements("//div[@class='sides']/div[1]//ins | //div[@class='sides']/div[2]//del")
    steps = diff_page.all("//article//a[contains(@class, 'deep')]/@href")
    anchors = set(diff_page.all("//article/@id"))
    assert {step.removeprefix("#") for step in steps} <= anchors
    original_diff = diff_page.follow("do texto original ao atual")
    assert "from=original" in original_diff.path
    assert "Texto original: o publicado em 06/03/2001" in original_diff.text
    assert original_diff.elements("//article[contains(@class, 'change')]")
    assert web.get(f"/diff/{TEXT}?from=2001-07-01&to=2002-06-01&view=all").status_code == 422


def test_original_text_is_the_published_one(site: httpx.Client) -> None:
    """Check a law published on 2001-03-06, in force from 2001-06-01, with an article that starts later."""
    diff_page = page(site, f"/diff/{LATER}?from=original&to=2002-01-01&as_known=2002-01-01")
    assert diff_page.all("//article/@class") == []
    assert "Do texto original (06/03/2001) ao texto de 01/01/2002" in diff_page.text
    both = page(site, f"/diff/{LATER}?from=original&to=2004-01-01&view=side")
    assert both.all("//article/@class") == ["change changed"]
    assert both.all("//div[@class='sides']/div/h4") == ["texto original", "01/01/2004"]
    assert "2. Outra." not in both.text
    assert "Palavra 2." in both.one("//article").text_content()
    (original,) = both.all("//section//a[.='texto original']/@href")
    assert "on=2001-03-06&as_known=2001-03-06" in original
    assert "2. Outra." not in page(site, original).text
    english = page(site, f"/diff/{LATER}?from=original&to=2004-01-01", "en")
    assert "Original text: that published on 6 March 2001" in english.text


def test_swapped_dates_are_reported(site: httpx.Client) -> None:
    diff_page = page(site, f"/diff/{EXPIRED}?from=2003-01-01&to=2002-01-01")
    assert "As datas foram invertidas: a comparação vai de 01/01/2002 a 01/01/2003." in diff_page.text
    assert "invertidas" not in page(site, f"/diff/{EXPIRED}?from=2002-01-01&to=2003-01-01").text
    refused = site.get("/api/v1/diff", params={"urn": EXPIRED, "from": "2003-01-01", "to": "2002-01-01"})
    assert refused.status_code == 422
    assert "ask for the changes from 2002-01-01 to 2003-01-01" in refused.json()["detail"]


def test_page_marks_provisions_not_yet_in_force(site: httpx.Client) -> None:
    note = "(Ainda não vigora: vigência a partir de 01/01/2003)"
    for path in (f"/text/{LATER}?on=2002-12-31", f"/{LATER}?on=2002-12-31"):
        norm_page = page(site, path)
        law = words_of(norm_page.one("//div[@class='law']"))
        assert law == f"Palavra 1. Art. 2º {note}", path
        article = norm_page.follow("Ainda não vigora")
        assert f"/{LATER}!art2?on=2002-12-31" in article.path
        assert "Outra." in words_of(article.one("//div[@class='law']"))
        assert "Texto ainda não vigente" in words_of(article.one("//section[@class='reading']/h2"))
    full_text = page(site, f"/text/{LATER}?on=2002-12-31").text
    assert "ainda não vigentes nesse dia, indicados no seu lugar sem a redação: art. 2º." in full_text
    assert (
        "Not yet in force: it enters into force on 1 January 2003"
        in page(site, f"/text/{LATER}?on=2002-12-31", "en").text
    )
    assert "vigora" not in page(site, f"/text/{LATER}?on=2003-01-01").one("//div[@class='law']").text_content()
    own = page(site, f"/text/{LATER}!art2?on=2002-12-31")
    assert "Texto ainda não vigente" in words_of(own.one("//section[@class='reading']/h2"))
    assert "Outra." in words_of(own.one("//div[@class='law']"))


def test_file_marks_provisions_not_yet_in_force(site: httpx.Client) -> None:
    file = site.get(f"/text/{LATER}?on=2002-12-31&format=txt").text
    assert "Art. 2º (Ainda não vigora: vigência a partir de 01/01/2003)\n" in file
    assert "ainda não vigentes nesse dia" in file
    for kind in ("docx", "epub", "pdf"):
        assert site.get(f"/text/{LATER}?on=2002-12-31&format={kind}").status_code == 200
    paragraphs = [paragraph.text for paragraph in Document(BytesIO(_file(site, "docx"))).paragraphs]
    assert any("Ainda não vigora: vigência a partir de 01/01/2003" in paragraph for paragraph in paragraphs)


def _file(site: httpx.Client, kind: str) -> bytes:
    return site.get(f"/text/{LATER}?on=2002-12-31&format={kind}").content


@pytest.mark.parametrize("name", ["text", "in-force"])
def test_api_lists_provisions_not_yet_in_force(site: httpx.Client, name: str) -> None:
    asked = {"urn": LATER, "on": "2002-12-31"}
    notices = site.get(f"/api/v1/{name}", params=asked).json()["notices"]
    vacatio_notices = [notice for notice in notices if notice["code"] == "provisions-not-yet-in-force"]
    assert [(notice["provisions"], notice["start"]) for notice in vacatio_notices] == (
        [([f"{LATER}!art2"], "2003-01-01")] if name == "text" else []
    )
