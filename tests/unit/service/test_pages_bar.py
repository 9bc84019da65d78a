"""Tests of the bar above a text: the text shown, its status, and links to the texts before and after."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Browser, expect

from graph.civil import today
from service.web.http.name_paths import name_path
from tests.support.browser import DESK, PHONE, looking
from tests.support.pages import Page, page, status_words, words_of
from tests.support.web_names import CODE, TEXT

BILL = "urn:lex:br:senado.federal:projeto.lei;plc:2008-03-04;99902"

#: The newest record of the sample is older than a year.
LATEST = "Você está lendo o texto mais recente informado pelas fontes deste acervo (fonte: provedor.example; dados até"


def _bar_text(page: Page) -> str:
    """Return the text of the bar."""
    (stated,) = page.all("//nav[@class='bar']")
    return stated


def test_date_is_shown_in_bar_title_and_description(web: httpx.Client) -> None:
    provision_page = page(web, f"/{CODE}!art57?on=1993-06-01")
    assert "Você está lendo o texto de 01/06/1993" in _bar_text(provision_page)
    assert "Em vigor" in _bar_text(provision_page)
    assert provision_page.all("//title")[0].startswith(
        "Art. 57 da Lei nº 8.078, de 11 de setembro de 1990, texto de 01/06/1993"
    )
    (described,) = provision_page.all("//meta[@property='og:description']/@content")
    assert "texto de 22/05/1993" in described, "that of the caput, which alone had changed by then"
    assert provision_page.one("//input[@id='on']").get("value") == "01/06/1993"
    english = page(web, f"/{CODE}!art57?on=1993-06-01", "en")
    assert "You are reading the text of 1 June 1993" in _bar_text(english)


def test_bar_states_whether_the_text_is_current(web: httpx.Client) -> None:
    assert LATEST in _bar_text(page(web, f"/{CODE}"))
    same = page(web, f"/{CODE}?on=2001-01-01")
    assert "Você está lendo o texto de 01/01/2001, igual ao mais recente informado pelas fontes" in _bar_text(same)
    assert same.one("//input[@id='on']").get("value") == "01/01/2001"
    known = page(web, f"/{CODE}?on=1993-06-01&as_known=2000-01-01")
    assert "o texto de 01/06/1993, conforme o publicado até 01/01/2000" in _bar_text(known)


@pytest.mark.parametrize("name", [CODE, f"{CODE}!art57", TEXT])
def test_bar_links_to_previous_and_next_text(web: httpx.Client, name: str) -> None:
    """Follow the links from the newest text to the first, and forward again."""
    norm_page = page(web, f"/{name}")
    count = len(norm_page.elements("//nav[@class='bar']//li/a"))
    assert count >= 2
    seen = []
    while before := norm_page.all("//nav[@class='bar']//a[@rel='prev']/@href"):
        norm_page = page(web, before[0])
        seen.append(norm_page.text)
    assert len(set(seen)) == count - 1
    for _ in seen:
        norm_page = page(web, norm_page.all("//nav[@class='bar']//a[@rel='next']/@href")[0])
    assert not norm_page.all("//nav[@class='bar']//a[@rel='next']/@href")
    assert LATEST.partition(" (")[0] in _bar_text(norm_page)


def test_comparison_is_with_the_current_or_previous_text(web: httpx.Client) -> None:
    old = page(web, f"/{CODE}?on=1993-06-01").follow("comparar")
    assert "from=1993-06-01" in old.path
    assert old.elements("//article[contains(@class, 'change')]")
    new = page(web, f"/{CODE}").follow("anterior ↔ atual")
    assert new.all("//input[@id='from']/@value") == ["07/09/1993"]
    assert new.elements("//article[contains(@class, 'change')]")


@pytest.mark.parametrize("path", ["", "/text"])
def test_original_and_current_text_are_compared_in_one_click(web: httpx.Client, path: str) -> None:
    original_diff = page(web, f"{path}/{CODE}").follow("original ↔ atual")
    assert "from=original" in original_diff.path
    assert "Do texto original (12/09/1990) ao texto de" in original_diff.text
    assert len(original_diff.elements("//article[contains(@class, 'change')]")) == 2
    inserted = page(web, f"{path}/{CODE}!art57_par1u")
    assert "original ↔ atual" not in inserted.text, "the original text does not have it"


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_title_date_and_status_stay_visible(browser: Browser, site: str, size: tuple[int, int]) -> None:
    """Check with an address of an article, and at every scroll position."""
    with looking(browser, site, (size[0], 813)) as page:
        page.goto(f"{name_path(CODE)}!art57?on=1993-06-01")
        for _ in range(2):
            for words in ("Art. 57 da Lei", "Em vigor", "01/06/1993"):
                expect(page.locator(".bar").get_by_text(words).first).to_be_in_viewport()
            page.evaluate("window.scrollTo(0, document.body.scrollHeight / 2)")
        page.goto(f"{name_path(CODE)}!art57?on=1993-06-01#art57")
        expect(page.locator("#art57")).to_be_in_viewport()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_bar_does_not_cover_the_provision_of_an_address(browser: Browser, site: str, size: tuple[int, int]) -> None:
    """Check bars of several heights: a short one, one with all links, and one with a revocation."""
    addresses = (f"{CODE}!art57#art57_par1u", f"{CODE}#art57", f"{CODE}?on=1993-06-01#art57", f"{CODE}!art57#history")
    with looking(browser, site, (size[0], 813)) as page:
        for address in (*addresses, *(f"/text/{address}" for address in addresses[:3])):
            page.goto("about:blank")
            page.goto(address if address.startswith("/") else f"/{address}")
            target = page.locator(f"#{address.rpartition('#')[2]}").bounding_box()
            bar = page.locator(".bar").bounding_box()
            assert target is not None
            assert bar is not None
            assert bar["y"] + bar["height"] <= target["y"] < 813, address
            title = page.locator(".bar .of").bounding_box()
            assert title is not None
            assert title["width"] > 200, "the title is not cut to its first words"


def test_the_asked_day_precedes_today(web: httpx.Client) -> None:
    boxes = "//section[@class='standing']/div[contains(@class, 'status')]"
    for on, same in (("2001-01-01", True), ("1993-06-01", False)):
        first, second = page(web, f"/{CODE}?on={on}").elements(boxes)
        year, month, day = on.split("-")
        assert words_of(first).startswith(f"Em {day}/{month}/{year}, conforme as publicações até hoje: Em vigor")
        stated = "A mesma situação e o mesmo texto." if same else "Em vigor desde"
        assert words_of(second).startswith(f"Hoje, {today():%d/%m/%Y} {stated}")
        assert "second" in second.get("class")
        assert second.xpath("details/summary/text()") == ([] if same else ["Outros fundamentos, além dos já indicados"])
        shown = [words_of(reason) for box in (first, second) for reason in box.xpath("details/ul/li")]
        assert shown
        assert len(set(shown)) == len(shown), "no reason is repeated"
    assert len(page(web, f"/{CODE}").elements(boxes)) == 1
    first, _ = page(web, f"/{CODE}?on=2001-01-01", "en").elements(boxes)
    assert words_of(first).startswith("On 1 January 2001, as known today: In force")


@pytest.mark.parametrize("path", [f"/{CODE}", f"/{CODE}?on=1993-06-01", f"/diff/{CODE}?from=1991-03-11&to=2010-01-01"])
def test_touch_targets_have_the_least_size_on_a_phone(browser: Browser, site: str, path: str) -> None:
    """Check WCAG 2.2, success criterion 2.5.8: 24 by 24 CSS pixels, except links within sentences."""
    targets = ".bar a, .deep, a.ref, .language, footer.site nav a, .articles a, summary"
    with looking(browser, site, (390, 844)) as phone:
        phone.goto(path)
        boxes = [box for target in phone.locator(targets).all() if (box := target.bounding_box()) is not None]
        assert len(boxes) > 10
        assert not [box for box in boxes if 0 < min(box["width"], box["height"]) < 24]


def test_contents_and_dates_are_collapsed_on_a_phone(browser: Browser, site: str) -> None:
    with looking(browser, site, PHONE) as page:
        page.goto(name_path(CODE))
        expect(page.locator("#on")).to_be_hidden()
        page.locator("#dates-title").click()
        expect(page.locator("#on")).to_be_visible()
    with looking(browser, site, DESK, script=False) as page:
        page.goto(name_path(CODE))
        expect(page.locator("#on")).to_be_visible()


def test_date_format_is_the_same_in_every_browser(browser: Browser, site: str) -> None:
    """Check that the field accepts and keeps dd/mm/aaaa, and that it has a calendar button."""
    with looking(browser, site, language="en-US") as page:
        page.goto(f"{name_path(CODE)}?lang=pt-BR")
        page.locator("#on").fill("01/06/1993")
        expect(page.get_by_role("button", name="Abrir o calendário").first).to_be_visible()
        page.get_by_role("button", name="Ver o texto").first.click()
        expect(page.locator("#on")).to_have_value("01/06/1993")


def test_missing_article_links_to_the_nearest(web: httpx.Client) -> None:
    provision_page = page(web, f"/{CODE}!art999")
    assert "As fontes deste acervo não trazem art. 999 no texto desta norma em " in provision_page.text
    assert "O mais próximo é: art. 57 da Lei nº 8.078" in provision_page.text, "the sample has one article of the code"
    assert provision_page.follow("art. 57 da Lei").response.status_code == 200
    assert "O acervo tem só parte do texto desta norma, sem art. 999" in _bar_text(provision_page)
    assert status_words(provision_page) == (
        "Situação não informada: o acervo tem só parte do texto desta norma, que não inclui este dispositivo."
    )
    assert (
        "O acervo tem só parte do texto da norma (Lei nº 8.078, de 11 de setembro de 1990), sem este dispositivo. "
        in (provision_page.text)
    )
    assert "nenhuma fonte trata deste dispositivo em separado" not in provision_page.text
    english = page(web, f"/{CODE}!art999", "en").text
    assert "The store has only parts of the text of this norm, without art. 999" in english
    assert "the store has only parts of that text. The nearest is: art. 57" in english
    assert "Não há texto em vigor" not in provision_page.text


def test_nonexistent_article_of_a_complete_text_is_reported(sample: httpx.Client) -> None:
    provision_page = page(sample, "/urn:lex:br:federal:lei:2001-03-05;99916!art999")
    assert (
        f"Não existe art. 999 no texto desta norma em {today():%d/%m/%Y}. O mais próximo é: art. 3"
        in provision_page.text
    )
    assert "Não existe art. 999 no texto desta norma" in _bar_text(provision_page)
    assert status_words(provision_page) == (
        f"Dispositivo inexistente na norma. O texto da norma em {today():%d/%m/%Y} não tem este dispositivo."
    )
    assert "Situação não informada" not in provision_page.text
    assert "Dispositivo inexistente na norma" in _bar_text(provision_page)
    then = page(sample, "/urn:lex:br:federal:lei:2001-03-05;99916!art999?on=2001-07-01", "en")
    assert status_words(then).startswith(
        "The norm has no such provision. The text of the norm on 1 July 2001 does not have this provision."
    )
    assert "There is no art. 999 in the text of this norm on 1 July 2001. The nearest is: art. 3" in then.text


@pytest.mark.parametrize("path", ["/api/v1/in-force?urn=", "/api/v1/text?urn=", "/"])
def test_the_api_states_that_the_text_of_the_day_has_no_such_article(sample: httpx.Client, path: str) -> None:
    law = "urn:lex:br:federal:lei:2001-03-05;99916"
    document = sample.get(f"{path}{law}!art999{'&' if 'api' in path else '?'}on=2001-07-01").json()
    notices = (document if "api" in path else document["answer"])["notices"]
    (absent,) = (notice for notice in notices if notice["code"] == "provision-unknown")
    assert (absent["norm"], absent["day"], absent["nearest"]) == (law, "2001-07-01", f"{law}!art3")
    lacks = f"no source has this provision: the text of {law} on 2001-07-01 lacks it"
    assert absent["message"] == f"{lacks}; the nearest article is {law}!art3"


def test_description_page_has_no_bar(web: httpx.Client) -> None:
    description_page = page(web, f"/descriptions/{CODE}")
    assert description_page.all("//p[@class='kicker']/a/@href") == [f"/{CODE}"]
    assert not description_page.elements("//nav[@class='bar']")


def test_bill_is_not_reported_as_in_force(sample: httpx.Client) -> None:
    bill_page = page(sample, f"/{BILL}")
    assert "não é norma vigente." in bill_page.one("//section[@class='standing']//strong").text_content()
    assert "Não é norma" in _bar_text(bill_page)
    assert "Situação não informada" not in bill_page.one("//section[@class='standing']").text_content()
    assert "not a norm in force." in page(sample, f"/{BILL}", "en").text


REVOKED = "urn:lex:br:federal:lei:2001-03-05;99907"
REVOKED_BY = "Revogada pela Lei nº 99.908, de 2006, a partir de 01/07/2006"


def test_revoked_norm_begins_with_its_revocation(sample: httpx.Client) -> None:
    norm_page = page(sample, f"/{REVOKED}")
    words = _bar_text(norm_page)
    assert REVOKED_BY in words
    assert "O último texto, de 06/03/2001, não está disponível nas fontes" in words
    assert words.index(REVOKED_BY) < words.index("06/03/2001, não")
    assert "ver o texto atual" not in words, "there is none"
    assert "Não há texto em vigor em 06/03/2001" not in words, "it was in force"
    first, second = norm_page.elements("//section[@class='standing']/div[contains(@class, 'status')]")
    assert REVOKED_BY in first.text_content()
    assert "Em vigor de 06/03/2001 a 30/06/2006" in second.text_content()
    (heading,) = second.xpath(".//span[@class='when']")
    assert not heading.text_content().endswith(":"), "the style adds the colon"
    assert "(revogada), texto de 06/03/2001" in norm_page.all("//title")[0]
    assert norm_page.all("//meta[@property='og:description']/@content")
    assert "(revoked), text of 6 March 2001" in page(sample, f"/{REVOKED}", "en").all("//title")[0]


def test_date_precedes_the_revocation(sample: httpx.Client) -> None:
    earlier = page(sample, f"/{REVOKED}?on=2005-01-01")
    assert _bar_text(earlier).startswith("Lei fictícia nº 99.907, de 5 de março de 2001 Em vigor")
    later = page(sample, f"/{REVOKED}?on=2010-01-01")
    assert REVOKED_BY in _bar_text(later)
    assert "Não há texto em vigor em 01/01/2010" in _bar_text(later)
    assert "Revogada pela" in _bar_text(page(sample, f"/text/{REVOKED}"))


def test_texts_of_one_year_are_labelled_by_month_or_day(web: httpx.Client) -> None:
    labels = page(web, f"/{CODE}").all("//nav[@class='bar']//ol/li/a")
    assert labels[:3] == ["1991", "05/1993", "09/1993"]
    assert len(set(labels)) == len(labels)


def test_timeline_scale_shows_each_year_once(web: httpx.Client) -> None:
    for picture in page(web, f"/timeline/{CODE}").elements("//svg"):
        years = [words for text_element in picture.findall("text") if (words := text_element.text_content()).isdigit()]
        assert len(set(years)) == len(years)
