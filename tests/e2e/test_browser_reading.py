"""Tests in a browser of what only its layout, its scripts and its paper show of the pages of texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from service.web.http.name_paths import name_path
from service.web.settings import Settings
from tests.support.browser import DESK, PHONE, looking
from tests.support.sites import lgpd
from tests.support.web import serving
from tests.support.web_names import CODE, TEXT


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
            bar, title = page.locator(".bar").bounding_box(), page.locator(".bar .of").bounding_box()
            assert target is not None
            assert bar is not None
            assert bar["y"] + bar["height"] <= target["y"] < 813, address
            assert title is not None
            assert title["width"] > 200, "the title is not cut to its first words"


@pytest.mark.parametrize("path", [f"/{CODE}", f"/{CODE}?on=1993-06-01", f"/diff/{CODE}?from=1991-03-11&to=2010-01-01"])
def test_touch_targets_have_the_least_size_on_a_phone(browser: Browser, site: str, path: str) -> None:
    """Check WCAG 2.2, success criterion 2.5.8: 24 by 24 CSS pixels, except links within sentences."""
    targets = ".bar a, .deep, a.ref, .language, footer.site nav a, .articles a, summary"
    with looking(browser, site, PHONE) as phone:
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


@pytest.mark.parametrize("name", [f"{CODE}?on=1993-06-01", f"{CODE}!art57?on=1993-06-01"])
def test_permanent_link_uses_the_share_function_of_the_browser(browser: Browser, site: str, name: str) -> None:
    with browser.new_context(locale="pt-BR") as context:
        reader = context.new_page()
        reader.goto(f"{site}/{name}")
        link = reader.get_by_role("link", name="Endereço permanente")
        expect(link).to_have_attribute("href", f"{site}/{name}")
        expect(reader.get_by_role("button", name="Compartilhar")).to_have_count(0)
        reader.add_init_script("navigator.share = async (shared) => { window.shared = shared; }")
        reader.reload()
        reader.get_by_role("button", name="Compartilhar").click()
        shared = reader.evaluate("window.shared")
        assert shared["url"] == f"{site}/{name}"
        assert "texto de 01/06/1993" in shared["title"]


def test_contents_are_printed_completely(browser: Browser, site: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 700}) as context:
        reader = context.new_page()
        reader.emulate_media(media="print")
        reader.goto(f"{site}/{TEXT}")
        reader.evaluate(
            """() => {
                const contents = document.createElement("nav");
                contents.className = "card contents";
                contents.innerHTML = "<ul>" + "<li>Título</li>".repeat(200) + "</ul>";
                document.querySelector(".tools").append(contents);
            }"""
        )
        height, shown = reader.locator("nav.contents").last.evaluate("one => [one.scrollHeight, one.clientHeight]")
        assert height == shown


def test_address_with_an_article_of_another_part_opens_it(browser: Browser, tmp_path: Path) -> None:
    """Check the fragment of an address, which the server does not see: art. 52 is in a later part of the page."""
    with serving(Settings(lgpd.page_alone(tmp_path))) as address, looking(browser, address, DESK) as opened:
        opened.goto(f"/{lgpd.LGPD}?on=2021-09-01#art52")
        expect(opened.locator("#art52")).to_be_in_viewport()
        assert opened.url.endswith(f"/text/{lgpd.LGPD}?on=2021-09-01#art52")
        opened.goto(f"/{lgpd.LGPD}?on=2021-09-01#art5")
        expect(opened.locator("#art5")).to_be_in_viewport()
        assert "/text/" not in opened.url
