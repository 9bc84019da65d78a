"""Tests of pages in a real browser: on a telephone, in dark mode, by keyboard, without script, and against XSS."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from service.web.http.name_paths import name_path
from tests.support.browser import DESK, PHONE, looking, serious
from tests.support.hostile_records import HOSTILE
from tests.support.web_names import CODE, TEXT, UNDATED

CDC = name_path(CODE)
#: Every kind of page, with its parameters.
PAGES = f"""
    /.well-known/void /api /queries /queries/works_by_type/answer /queries/version_in_force / /help /feeds/
    /search?q=C%C3%B3digo+de+Defesa+do+Consumidor /recent?from=1993-01-01&to=1993-12-31
    /sparql/editor?example=version_in_force /urn:lex:br:federal:lei:2001-03-05;99999
    {CDC}?on=1993-06-01 /timeline{CDC} /text{CDC}?view=changes /blame{CDC} /cite{CDC}?on=1993-06-01
    /disagreements{CDC} /relations{CDC}?on=1993-06-01 /badge{CDC}?format=html
    /diff{name_path(TEXT)}?from=2001-06-01&to=2002-06-01 {name_path(f"{TEXT}!art2")} {name_path(UNDATED)}
    /descriptions{name_path(TEXT)}!art2
""".split()
NOT_LISTED = "script:not([type='application/ld+json'], [src$='/suggest.js'], [src$='/calendar.js'], [src$='/share.js'])"


@pytest.mark.parametrize("path", PAGES)
def test_page_is_accessible_and_fits_the_screen(browser: Browser, site: str, path: str) -> None:
    """Check that no page is wider than a phone or a desktop, and that axe reports nothing serious.

    In dark mode, only the contrast is checked, because nothing else changes.
    """
    with looking(browser, site, PHONE) as page:
        page.goto(path)
        assert width(page) <= PHONE[0]
        assert serious(page) == []
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        page.emulate_media(color_scheme="dark")
        assert width(page) <= DESK[0]
        assert _background_brightness(page) < 60
        assert serious(page, "color-contrast") == [], "only the contrast depends on the mode"


def width(page: Page) -> int:
    """Return the width of the whole page in pixels."""
    return int(page.evaluate("document.documentElement.scrollWidth"))


def _background_brightness(page: Page) -> float:
    """Return the brightness of the page's background: from 0, black, to 255."""
    colour = str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
    parts = [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(parts) / 3


def test_date_diff_and_timeline_work_without_script(browser: Browser, site: str) -> None:
    """Run without JavaScript: the only scripts of the pages are those of the search box, of dates and of sharing."""
    with looking(browser, site, script=False) as page:
        page.goto(CDC)
        assert page.locator(NOT_LISTED).count() == 0
        page.locator("#on").fill("1993-06-01")
        page.get_by_role("button", name="Ver o texto").first.click()
        assert "on=1993-06-01" in page.url
        expect(page.locator(".standing")).to_contain_text("texto de 22/05/1993")
        page.get_by_label("Comparar este texto com o do dia").fill("1993-10-01")
        page.get_by_role("button", name="Comparar").click()
        assert "/diff/" in page.url
        expect(page.locator("ins").first).to_contain_text("A multa será em montante")
        link = page.get_by_role("link", name="Linha do tempo", exact=False)
        page.goto(CDC)
        link.first.click()
        expect(page.locator("svg.timeline")).to_be_hidden()
        page.get_by_text("Conforme o publicado até cada data").click()
        marks = page.locator("svg.timeline a")
        assert marks.count() == page.locator("table.periods tbody tr").count() > 5
        marks.last.click()
        assert "as_known=2007-01-10" in page.url


def test_chosen_language_is_kept(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        page.goto(f"/timeline{CDC}")
        page.get_by_role("link", name="English").click()
        expect(page.locator("h1")).to_have_text("Timeline")
        page.locator("table.periods a").last.click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
    with looking(browser, site, language="en-GB") as page:
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", "en")


def test_timeline_rows_are_cards_on_a_phone_and_rows_in_print(browser: Browser, site: str) -> None:
    """Check that rows are cards on a phone and rows in print, and that no table is cut off on a phone."""
    with looking(browser, site, PHONE) as page:
        page.goto(f"/timeline{CDC}!art57")
        row = page.locator("table.periods tr:has(a)").first
        expect(row).to_have_css("display", "block")
        before = row.locator("td").nth(2).evaluate("(e) => getComputedStyle(e, '::before').content")
        assert "Início" in str(before)
        hidden = "[...document.querySelectorAll('table')].filter((e) => e.scrollWidth > e.clientWidth + 1).length"
        assert page.evaluate(hidden) == 0
        page.emulate_media(media="print")
        expect(row).to_have_css("display", "table-row")
    with looking(browser, site, PHONE) as page:
        page.goto(f"{CDC}!art57")
        expect(page.locator("table.lives tbody tr").first).to_have_css("display", "block")
        assert (
            page.locator(".history .wide").evaluate_all("e => e.filter(o => o.scrollWidth > o.clientWidth + 1)") == []
        )


def test_print_style_hides_controls_and_cuts_nothing(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        for path, seen in ((f"{CDC}?on=1993-06-01", ".standing"), (f"/timeline{CDC}", "svg.timeline")):
            page.goto(path)
            page.emulate_media(media="print")
            rules = "[...document.styleSheets].flatMap((s) => [...s.cssRules]).filter((r) => r instanceof CSSPageRule)"
            assert page.evaluate(f"{rules}.map((r) => r.style.margin)") == ["18mm 16mm"]
            expect(page.locator(seen)).to_be_visible()
            expect(page.get_by_role("search")).to_be_hidden()
            assert width(page) <= DESK[0]
            left = "e => e.getBoundingClientRect().left + parseFloat(getComputedStyle(e).paddingLeft)"
            assert {
                page.locator(selector).evaluate(left) for selector in ("main", "header .inner", "footer .inner")
            } == {0}
    for script in (True, False):
        with looking(browser, site, script=script) as page:
            page.goto("/sparql/editor?query=ASK+%7B%7D")
            page.emulate_media(media="print")
            expect(page.locator(".CodeMirror-code" if script else "#query")).to_be_visible()
            expect(page.locator("button")).to_have_count(page.locator("button:not(:visible)").count())
    with looking(browser, site, PHONE) as page:
        page.goto(name_path(f"{TEXT}!art2"))
        page.emulate_media(media="print")
        box = page.locator("nav.bar").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        assert page.locator(".bar .of").evaluate("e => e.scrollWidth <= e.clientWidth"), "the title is not cut"


@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_hint_of_a_date_field_is_not_clipped(browser: Browser, site: str, language: str) -> None:
    with looking(browser, site, PHONE) as page:
        page.goto(f"/?lang={language}")
        expect(page.locator("button.calendar").first).to_be_visible()
        free = page.locator("#search-on").evaluate(
            """field => {
                const style = getComputedStyle(field), canvas = document.createElement("canvas").getContext("2d");
                canvas.font = style.font;
                const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
                return room - canvas.measureText(field.placeholder).width;
            }"""
        )
        assert free >= 0


def test_query_without_script_is_sent_to_the_endpoint(browser: Browser, site: str) -> None:
    with looking(browser, site, script=False) as page:
        page.goto("/sparql/editor?query=ASK+%7B%7D")
        expect(page.get_by_role("button", name="Executar")).to_be_hidden()
        page.get_by_role("button", name="JSON", exact=True).click()
        expect(page.locator("body")).to_contain_text('"boolean":true')


def test_pages_work_with_the_keyboard_alone(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        page.goto(f"/timeline{CDC}")
        page.keyboard.press("Tab")
        assert _focused_element(page) == "#main"
        page.keyboard.press("Enter")
        visited: list[str] = []
        while not (visited and "as_known=" in visited[-1]):
            page.keyboard.press("Tab")
            visited.append(_focused_element(page))
            assert len(visited) < 20, visited
            if visited[-1].startswith("<summary>"):
                page.keyboard.press("Enter")
        outline = page.evaluate("getComputedStyle(document.activeElement.querySelector('path')).strokeWidth")
        assert float(outline.removesuffix("px")) >= 3, "the focus must be visible"
        page.keyboard.press("Enter")
        page.wait_for_url("**as_known=**")
        assert CODE in page.url


def _focused_element(page: Page) -> str:
    """Return the address of the focused link, or else the HTML of the focused element."""
    focused = page.evaluate(
        "document.activeElement.getAttribute('href') ?? document.activeElement.outerHTML.slice(0, 80)"
    )
    return str(focused)


def test_timeline_has_accessible_names_and_text_that_fits(browser: Browser, site: str) -> None:
    """Every rectangle is a link named by a sentence, and no text is wider than the picture assumes."""
    with looking(browser, site) as page:
        page.goto(f"/timeline{CDC}")
        page.locator("details.axes > summary").click()
        drawn = page.get_by_role("group", name="Linha do tempo: Lei nº 8.078")
        links = drawn.get_by_role("link")
        assert links.count() == page.locator("svg.timeline a").count()
        assert drawn.get_by_role("link", name="Em vigor: desde 08/09/1993, sem fim conhecido").count() >= 2
        wide = page.locator("svg.timeline").evaluate("e => e.getBoundingClientRect().width")
        assert float(wide) > DESK[0] * 0.8, "expected a picture as wide as the page"
        counts = page.evaluate(
            """() => {
              const [boxes, labels] = ['a path', '.labels text'].map((path) =>
                [...document.querySelectorAll(`svg.timeline ${path}`)].map((e) => e.getBBox()));
              const holds = (box, text) => text.x >= box.x && text.x + text.width <= box.x + box.width
                && text.y >= box.y - 1 && text.y + text.height <= box.y + box.height;
              return labels.map((text) => boxes.filter((box) => holds(box, text)).length);
            }"""
        )
        assert len(counts) >= 5
        assert set(counts) == {1}


#: Pages with the text of a hostile provider, or with a hostile request.
HOSTILE_PAGES = f"""
    {name_path(HOSTILE)} {name_path(HOSTILE)}?on=2001-06-01 /timeline{name_path(HOSTILE)}
    /descriptions{name_path(HOSTILE)} /diff{name_path(HOSTILE)}?from=2001-06-01&to=2002-06-01
    /badge{name_path(HOSTILE)}?format=html /search?type=lei&year=2001
    /search?q=%3Cscript%3Ewindow.hostile%3D14%3C/script%3E /%3Cscript%3Ewindow.hostile%3D13%3C/script%3E
    /badge/%3Cscript%3Ewindow.hostile%3D11%3C/script%3E?format=html
    /sparql/editor?query=%3C/textarea%3E%3Cscript%3Ewindow.hostile%3D12%3C/script%3E
""".split()
EXECUTABLE = "main script:not([type='application/json']), main iframe, main style, main img"


@pytest.mark.parametrize("path", HOSTILE_PAGES)
def test_provider_text_is_escaped(browser: Browser, site: str, path: str) -> None:
    with looking(browser, site) as page:
        page.goto(path)
        assert page.evaluate("window.hostile") is None
        assert page.locator(EXECUTABLE).count() == 0
        links = page.evaluate("[...document.links].map((a) => a.protocol)")
        assert {str(link) for link in links} <= {"http:", "https:"}
        assert page.evaluate("[...document.links].every((a) => a.username === '')")
        attributes = page.evaluate("[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())")
        assert not any(str(attribute).startswith("on") for attribute in attributes)
        text = page.locator("body").inner_text()
        assert not any(mark in text for mark in "\u202e\u2066\x85")
        if path == name_path(HOSTILE):
            assert "window.hostile = 1</script>" in text
            assert 'onerror="window.hostile = 2">{{ 7 * 7 }}' in text
            assert "javascript:window.hostile = 4" in text


def test_the_editor_runs_queries(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        page.goto("/sparql/editor")
        expect(page.locator(".CodeMirror")).to_be_visible()
        expect(page.locator("#query")).to_be_hidden()
        page.locator(".CodeMirror").click()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.CodeMirror')") is None, "the Tab key leaves the editor"
        page.get_by_role("button", name="Executar").click()
        expect(page.locator("#result tbody tr")).to_have_count(20)
        for query, message in (
            ("ASK {}", "Sim"),
            ("SELECT * { ?a <urn:x> ?b }", "Nenhuma linha."),
            ("SELECT * {", "the query is not SPARQL 1.1"),
            (f"CONSTRUCT WHERE {{ <{CODE}> a ?t }}", "Declarações em Turtle."),
        ):
            page.locator(".CodeMirror").evaluate("(e, text) => e.CodeMirror.setValue(text)", query)
            page.locator(".CodeMirror").click()
            page.keyboard.press("Control+Enter")
            expect(page.locator("#told")).to_contain_text(message)
        expect(page.locator("#result pre")).to_contain_text("F15_Complex_Work")
        assert "CONSTRUCT" in (page.locator("#address").get_attribute("href") or "")


def test_example_query_is_two_clicks_away(browser: Browser, site: str) -> None:
    with looking(browser, site) as page:
        page.goto("/sparql/editor")
        page.get_by_label("Consulta pronta").select_option("version_in_force")
        page.get_by_role("button", name="Usar o exemplo").click()
        page.locator("#value-em").fill("1993-06-01")
        page.get_by_role("button", name="Escrever a consulta com estes valores").click()
        page.get_by_role("button", name="Executar").click()
        expect(page.locator("#result tbody tr")).to_have_count(1)
        expect(page.locator("#result tbody a", has_text="1993-05-22")).to_be_visible()
        page.locator(".CodeMirror").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("PREFIX fr")
        page.keyboard.press("Control+Space")
        page.keyboard.press("Enter")
        expect(page.locator(".CodeMirror")).to_contain_text("PREFIX frbroo: <http://iflastandards.info/")
        page.get_by_text("Prefixos", exact=True).click()
        page.get_by_role("button", name="Inserir os prefixos na consulta").click()
        expect(page.locator(".CodeMirror")).to_contain_text("PREFIX eli:")


def test_answer_values_are_escaped(browser: Browser, site: str) -> None:
    query = """SELECT * { VALUES (?a ?b ?c ?d) {
      ("<img src=x onerror=alert(1)>" <javascript:alert(1)> <https://w3id.org/vigente/ns#a"b> "a\\u202Eb"@pt-br) } }"""
    with looking(browser, site) as page:
        page.goto("/sparql/editor")
        page.locator(".CodeMirror").evaluate("(e, text) => e.CodeMirror.setValue(text)", query.replace('a"b', "ab"))
        page.get_by_role("button", name="Executar").click()
        row = page.locator("#result tbody td")
        expect(row.nth(0)).to_have_text("<img src=x onerror=alert(1)>")
        expect(row.nth(1)).to_have_text("javascript:alert(1)")
        assert row.nth(1).locator("a").count() == 0
        expect(row.nth(2).locator("a")).to_have_text("vig:ab")
        expect(row.nth(3)).to_have_text("a\\u{202e}b @pt-br")


# Embedded in another site


@pytest.fixture
def elsewhere(site: str) -> Iterator[str]:
    """Run another site that shows the badge as in docs/reference/pages.md, and a page of the service."""
    badge = f"{site}/badge{CDC}?on=1993-06-01"
    body = f"""<!doctype html><html lang="pt-BR"><title>x</title>
      <a href="{site}{CDC}?on=1993-06-01">
        <img src="{badge}" alt="Lei nº 8.078/1990: em vigor em 1º de junho de 1993"></a>
      <iframe id="small" src="{badge}" title="Lei nº 8.078/1990" width="420" height="96"></iframe>
      <iframe id="whole" src="{site}{CDC}" title="x"></iframe></html>"""

    class Site(BaseHTTPRequestHandler):
        """A site of one page."""

        def do_GET(self) -> None:  # named by the library
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library names it
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_only_the_badge_is_embeddable_in_another_site(browser: Browser, elsewhere: str) -> None:
    context = browser.new_context(locale="pt-BR")
    page = context.new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(elsewhere)
    picture = page.locator("img").evaluate("(e) => [e.complete, e.naturalWidth, e.naturalHeight]")
    assert picture[0]
    assert picture[1] > 200
    small = page.frame_locator("#small")
    expect(small.locator("main")).to_contain_text("Em vigor em 01/06/1993")
    assert small.locator("html").evaluate("(e) => e.scrollHeight") <= 96
    with page.expect_navigation():
        small.get_by_role("link").click()
    assert CODE in page.url
    context.close()
    assert any("frame-ancestors" in text for text in messages), "expected the browser to refuse the frame"
    assert len(messages) == 1, messages
