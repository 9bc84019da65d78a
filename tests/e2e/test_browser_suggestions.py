"""Tests of suggestions in the search boxes in a real browser: keyboard, mouse, screen reader, and without script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from service.web.http.name_paths import name_path
from tests.support.browser import DESK, PHONE, looking, serious
from tests.support.hostile_records import HOSTILE
from tests.support.web_names import CODE, TEXT

NICKNAME = "Código de Defesa do Consumidor"
LABEL = "Lei nº 8.078, de 11 de setembro de 1990"
#: The page of each box, and its selector.
BOXES = {"home": ("/", "#q"), "head": (name_path(CODE), "#quick"), "search": ("/search?q=lei", "#q")}


def _suggestions(page: Page) -> Locator:
    """Return the visible suggestions."""
    return page.get_by_role("listbox", name="Sugestões").get_by_role("option")


@pytest.mark.parametrize("where", BOXES)
def test_norm_is_suggested_and_chosen_with_the_keyboard(browser: Browser, site: str, where: str) -> None:
    """Check arrows, Enter and Escape, and the properties for screen readers."""
    path, place = BOXES[where]
    with looking(browser, site) as page:
        page.goto(path)
        box = page.locator(place)
        box.fill("")
        box.press_sequentially("codigo de def")
        expect(_suggestions(page)).to_have_count(1)
        expect(_suggestions(page)).to_contain_text(f"{NICKNAME} {LABEL}")
        expect(box).to_have_attribute("aria-expanded", "true")
        expect(page.locator("[role=status]").first).to_contain_text("1 sugestão")
        assert serious(page) == []
        box.press("ArrowDown")
        expect(_suggestions(page)).to_have_attribute("aria-selected", "true")
        expect(box).to_have_attribute("aria-activedescendant", str(_suggestions(page).get_attribute("id")))
        box.press("ArrowDown")
        expect(_suggestions(page)).to_have_attribute("aria-selected", "false")
        box.press("ArrowUp")
        box.press("Enter")
        expect(box).to_have_value(NICKNAME)
        expect(box).to_be_focused()
        expect(_suggestions(page)).to_have_count(0)
        expect(box).to_have_attribute("aria-expanded", "false")
        box.press("Enter")
        page.get_by_role("link", name="Lei nº 8.078", exact=False).first.click()
        assert CODE in page.url


def test_provision_of_a_suggested_norm_is_found(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        page.goto("/")
        box = page.locator("#q")
        box.press_sequentially("art. 2º do codigo de def")
        expect(_suggestions(page)).to_have_count(1)
        expect(_suggestions(page)).to_contain_text(f"art. 2º do {NICKNAME} art. 2º da {LABEL}")
        box.fill("art. 2º da lei 99.916/2001")
        expect(_suggestions(page)).to_contain_text("art. 2º da Lei nº 99.916, de 5 de março de 2001")
        box.press("ArrowDown")
        box.press("Enter")
        expect(box).to_have_value("art. 2º da Lei nº 99.916, de 5 de março de 2001")
        box.press("Enter")
        page.wait_for_url("**/search?*")
        expect(page.locator("ol.found a").first).to_have_attribute("href", name_path(f"{TEXT}!art2"))


def test_escape_closes_the_list_and_keeps_the_typed_text(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        page.goto("/")
        box = page.locator("#q")
        box.press_sequentially("cdc")
        expect(_suggestions(page)).to_contain_text("CDC")
        box.press("ArrowDown")
        box.press("Escape")
        expect(_suggestions(page)).to_have_count(0)
        expect(box).to_have_value("cdc")
        box.press("ArrowDown")
        expect(_suggestions(page)).to_contain_text("CDC")
        box.press("Tab")
        expect(_suggestions(page)).to_have_count(0)


def test_suggestion_is_chosen_by_touch_on_a_phone(browser: Browser, site: str) -> None:
    with looking(browser, site, PHONE) as page:
        page.goto(name_path(CODE))
        box = page.locator("#quick")
        box.press_sequentially("lei 8.078/9")
        expect(_suggestions(page)).to_have_count(1)
        assert int(page.evaluate("document.documentElement.scrollWidth")) <= PHONE[0]
        _suggestions(page).click()
        expect(box).to_have_value(LABEL)


def test_provider_text_in_suggestions_is_escaped(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        page.goto("/")
        page.locator("#q").press_sequentially("lei 99")
        expect(_suggestions(page).first).to_be_visible()
        answer = page.evaluate("async (text) => (await (await fetch('/api/v1/suggest?text=' + text)).json())", "window")
        assert any(suggestion["name"] == HOSTILE for suggestion in answer["suggestions"]), (
            "expected the hostile norm among the suggestions"
        )
        page.locator("#q").fill("window")
        expect(_suggestions(page).first).to_contain_text("window")
        assert page.evaluate("window.hostile") is None
        assert page.locator(".suggested :not(li, span)").count() == 0


def test_failed_suggestions_leave_a_plain_search_box(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        asked: list[str] = []

        def refuse(route: Route) -> None:
            asked.append(route.request.url)
            route.fulfill(status=503, body="")

        page.route("**/api/v1/suggest*", refuse)
        page.goto("/")
        with page.expect_response("**/api/v1/suggest*"):
            page.locator("#q").press_sequentially("codigo")
        expect(_suggestions(page)).to_have_count(0)
        page.locator("#q").press("Enter")
        page.wait_for_url("**/search?*")
        assert asked
        page.unroute("**/api/v1/suggest*")


def test_search_box_without_script_has_a_nickname_list(browser: Browser, site: str) -> None:
    with looking(browser, site, script=False) as page:
        page.goto("/")
        assert page.locator("#q").get_attribute("list") == "names"
        assert page.locator(f"#names option[value='{NICKNAME}']").count() == 1
        assert page.locator("[role=combobox]").count() == 0


@pytest.mark.parametrize("where", BOXES)
def test_suggestion_list_does_not_cover_the_button_on_a_phone(browser: Browser, site: str, where: str) -> None:
    path, place = BOXES[where]
    with looking(browser, site, PHONE) as page:
        page.goto(path)
        page.locator(place).fill("")
        page.locator(place).press_sequentially("lei")
        expect(_suggestions(page).first).to_be_visible()
        form = page.locator("form", has=page.locator(place))
        button = form.get_by_role("button", name="Buscar")
        uncovered = """e => {
          const { left, right, top, bottom } = e.getBoundingClientRect();
          const seen = (x, y) => e.contains(document.elementFromPoint(x, y));
          return [left + 3, (left + right) / 2, right - 3].every((x) => seen(x, top + 3) && seen(x, bottom - 3));
        }"""
        assert button.evaluate(uncovered)
        button.click()
        page.wait_for_url("**/search?q=lei*")


@pytest.mark.parametrize(("size", "script"), [(PHONE, True), (DESK, False)], ids=["phone", "desktop without script"])
def test_corrected_spelling_is_in_the_flow_above_the_results(
    browser: Browser, site: str, size: tuple[int, int], script: bool
) -> None:
    """Check that "Você quis dizer" stands between the form and the heading of the results, in the width of the text."""
    with looking(browser, site, size, script=script) as page:
        page.goto("/search?q=consumidro")
        line = page.get_by_text("Você quis dizer: consumidor")
        form = page.locator("main form[role=search]").bounding_box()
        shown, heading = line.bounding_box(), page.locator("main section h2").first.bounding_box()
        assert form is not None
        assert shown is not None
        assert heading is not None
        assert line.evaluate("element => getComputedStyle(element).position") == "static"
        assert form["y"] + form["height"] <= shown["y"]
        assert shown["y"] + shown["height"] <= heading["y"]
        assert (shown["x"], shown["width"]) == (heading["x"], heading["width"])
        line.get_by_role("link", name="consumidor", exact=True).click()
        expect(page.locator("#q")).to_have_value("consumidor")
