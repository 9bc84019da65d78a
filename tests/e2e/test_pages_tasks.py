"""Tests of eight tasks of users in a real browser, each in at most four clicks from the first page.

The tasks are to find a norm by its nickname, read the text of a day, see what changed, learn which norm revoked another
and since when, cite, compare, print, and run a query and download its rows. They are done on a phone and on a desktop,
in light and dark mode, with and without JavaScript, and one of them with the keyboard.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import DESK, PHONE, looking, serious

REVOKED = "nº 99.907"
PARAGRAPH = "revertendo para o Fundo de que trata a Lei nº 7.347"
#: The size of the window, the colour scheme, and whether JavaScript runs.
READERS = [(PHONE, "dark", True), (DESK, "light", False)]
MOST_CLICKS = 4


class _ClickCounter:
    """A user who starts at the first page, with a count of clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        page.goto("/")

    def click(self, target: Locator) -> None:
        """Click a visible element."""
        self.clicks += 1
        assert self.clicks <= MOST_CLICKS
        if "#" in self.page.url:
            self._wait_until_still(target.first)
        target.first.click()

    def _wait_until_still(self, target: Locator) -> None:
        """Wait until the browser has scrolled to the fragment of the address; earlier clicks would miss the target."""
        self.page.wait_for_load_state()
        before = None
        for _ in range(20):
            place = target.bounding_box()
            if place is not None and place == before:
                return
            before = place
            self.page.wait_for_timeout(300)

    def search(self, words: str, day: str = "") -> None:
        """Fill in the search form of the first page, and submit it."""
        self.page.get_by_label("Norma, citação, apelido ou palavras").fill(words)
        if day:
            self.page.locator("#search-on").fill(day)
        self.click(self.page.get_by_role("button", name="Buscar"))

    def unfold(self, title: str) -> None:
        """Open a details element if it is closed, as on a telephone."""
        drawer = self.page.locator(f"summary:has({title})")
        if not self.page.locator(f"details:has(> summary {title}) > :not(summary)").first.is_visible():
            self.click(drawer)


@pytest.fixture(params=READERS, ids=["phone dark", "desk light no script"])
def reader(browser: Browser, served_sample: str, request: pytest.FixtureRequest) -> Iterator[_ClickCounter]:
    """Yield a user at the first page, and check the width and the accessibility of the last page."""
    size, scheme, script = request.param
    with looking(browser, served_sample, size, script=script) as page:
        page.emulate_media(color_scheme=scheme)
        counter = _ClickCounter(page)
        yield counter
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], "nothing is cut off"
        if script:
            assert serious(page) == []


def test_norm_is_found_by_nickname_and_read_on_a_date(reader: _ClickCounter) -> None:
    reader.search("art. 57 do Código de Defesa do Consumidor", "01/06/1993")
    reader.click(reader.page.get_by_role("link", name="Art. 57 da Lei nº 8.078"))
    bar = reader.page.locator(".bar")
    expect(bar).to_contain_text("Você está lendo o texto de 01/06/1993")
    expect(reader.page.locator(".law")).to_contain_text(PARAGRAPH)
    expect(reader.page.locator(".law")).not_to_contain_text("Parágrafo único")
    if reader.page.locator(".bar .now").is_visible():
        reader.click(reader.page.get_by_role("link", name="ver o texto atual"))
        expect(reader.page.locator(".law")).to_contain_text("Parágrafo único")


def test_changes_are_compared_with_the_current_text(reader: _ClickCounter) -> None:
    reader.search("Código de Defesa do Consumidor em 01/06/1993")
    reader.click(reader.page.get_by_role("link", name="comparar", exact=True))
    expect(reader.page.locator("article.change").first).to_contain_text("do art. 57")
    expect(reader.page.locator("ins").first).to_contain_text("A multa será em montante")
    reader.click(reader.page.get_by_role("link", name="lado a lado"))
    expect(reader.page.locator(".sides").first).to_be_visible()


def test_revocation_is_found_with_its_cause_and_date(reader: _ClickCounter) -> None:
    reader.search(f"Lei {REVOKED}, de 2001")
    reader.click(reader.page.get_by_role("link", name=REVOKED))
    status = reader.page.locator(".standing")
    expect(status).to_contain_text("Revogada pela Lei nº 99.908, de 2006, a partir de 01/07/2006")


def test_a_text_is_cited(reader: _ClickCounter) -> None:
    reader.search("art. 57 do CDC em 01/06/1993")
    expect(reader.page.locator(".bar")).to_contain_text("01/06/1993")
    assert reader.clicks == 1, "a search with a day opens the text"
    reader.unfold("#keep-title")
    reader.click(reader.page.get_by_role("link", name="Citar", exact=True))
    expect(reader.page.locator("#abnt")).to_contain_text("BRASIL. Lei nº 8.078, de 11 de setembro de 1990, art. 57.")
    expect(reader.page.locator("#address")).to_contain_text("!art57?on=1993-06-01&as_known=")


def test_text_is_printed_and_downloaded(reader: _ClickCounter) -> None:
    reader.search("Código de Defesa do Consumidor em 01/06/1993")
    reader.unfold("#keep-title")
    reader.click(reader.page.get_by_role("link", name="Texto completo em uma página"))
    media = reader.page
    media.emulate_media(media="print")
    expect(media.locator(".onpaper")).to_contain_text("on=1993-06-01")
    expect(media.get_by_role("search")).to_be_hidden()
    media.emulate_media(media="screen")
    with media.expect_download() as kept:
        reader.click(media.get_by_role("link", name="PDF"))
    assert kept.value.suggested_filename.endswith("_1993-06-01.pdf")
    assert Path(kept.value.path()).read_bytes().startswith(b"%PDF-")


def test_query_is_run_and_its_answer_downloaded(reader: _ClickCounter) -> None:
    page = reader.page
    reader.click(page.get_by_role("link", name="Consultas prontas"))
    reader.click(page.get_by_role("link", name="Alterações por ano e autoridade"))
    reader.click(page.locator("form.card button").first)
    with page.expect_download() as kept:
        reader.click(page.get_by_role("link", name="CSV"))
    lines = Path(kept.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(lines) > 1
    assert "," in lines[0]


def test_the_texts_of_a_norm_are_reached_by_the_keyboard(browser: Browser, served_sample: str) -> None:
    """Use only the keyboard: search for the text of a day, return to the bar above it, and open the latest text."""
    with looking(browser, served_sample, DESK) as page:
        page.goto("/")
        page.get_by_label("Norma, citação, apelido ou palavras").focus()
        page.keyboard.type("art. 57 do CDC em 01/06/1993")
        page.keyboard.press("Enter")
        page.wait_for_url("**!art57**")
        for _ in range(25):
            page.keyboard.press("Shift+Tab")
            if page.evaluate("document.activeElement.className") == "now":
                break
        page.keyboard.press("Enter")
        expect(page.locator(".bar")).to_contain_text("Você está lendo o texto mais recente")
