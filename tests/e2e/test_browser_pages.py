"""Tests of pages in a real browser: tasks of users, telephone, keyboard, paper, suggestions, and without script."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from service.web.http.name_paths import name_path
from service.web.settings import Settings
from tests.support.browser import DESK, PHONE, looking, serious
from tests.support.cases import constant
from tests.support.hostile_records import HOSTILE
from tests.support.sites import lgpd
from tests.support.web import serving
from tests.support.web_names import CODE, TEXT, UNDATED

# The browser checks


_PAGE = '<!doctype html><html lang="pt-BR"><head><title>x</title></head><body><main><h1>x</h1>{}</main></body></html>'
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
_FORBIDDEN_CONTENT = constant("browser_pages", "forbidden_content")
_SCRIPTS = {"/fault.js": "missing()", "/dialog.js": "alert(1)"}


class _ForbiddenPages(BaseHTTPRequestHandler):
    """Pages with the violations."""

    def do_GET(self) -> None:  # named by the library
        script = _SCRIPTS.get(self.path)
        body = script if script is not None else _PAGE.format(_FORBIDDEN_CONTENT.get(self.path, "<p>x</p>"))
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if script is None else "text/javascript")
        self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library names it
        """Log nothing."""


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _ForbiddenPages)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_forbidden_actions_and_accessibility_errors_are_detected(browser: Browser, pages: str) -> None:
    for path in _FORBIDDEN_CONTENT:
        with pytest.raises(AssertionError), looking(browser, pages) as page:
            page.goto(path)
    with looking(browser, pages, at="/") as page:
        assert serious(page) == []
        page.evaluate("document.documentElement.removeAttribute('lang')")
        page.evaluate("document.querySelector('p').append(document.createElement('button'))")
        assert [error.partition(":")[0] for error in serious(page)] == ["button-name", "html-has-lang"]


# Pages in a real browser


CDC = name_path(CODE)
#: Every kind of page, with its parameters.
PAGES = f"""
    /.well-known/void /api /queries /queries/works_by_type/answer /queries/version_in_force / /help /feeds/
    /search?q=C%C3%B3digo+de+Defesa+do+Consumidor&type=lei /recent?from=1993-01-01&to=1993-12-31
    /sparql/editor?example=version_in_force /urn:lex:br:federal:lei:2001-03-05;99999
    {CDC}?on=1993-06-01 /timeline{CDC} /text{CDC}?view=changes /blame{CDC} /cite{CDC}?on=1993-06-01
    /disagreements{CDC} /relations{CDC}?on=1993-06-01 /articles{CDC} /stock /badge{CDC}?format=html
    /diff{name_path(TEXT)}?from=2001-06-01&to=2002-06-01 {name_path(f"{TEXT}!art2")} {name_path(UNDATED)}
    /descriptions{name_path(TEXT)}!art2 {name_path(f"{TEXT}![art1,art2]")}
""".split()
_SCRIPTS_LISTED = ", ".join(f"[src$='/{name}.js']" for name in ("suggest", "calendar", "share", "fragment"))
NOT_LISTED = f"script:not([type='application/ld+json'], {_SCRIPTS_LISTED})"


@pytest.mark.parametrize("path", PAGES)
def test_page_is_accessible_and_fits_the_screen(browser: Browser, site: str, path: str) -> None:
    """Check that no page is wider than a phone or a desktop, and that axe reports nothing serious.

    In dark mode, only the contrast is checked, because nothing else changes.
    """
    with looking(browser, site, PHONE, at=path) as page:
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
    with looking(browser, site, script=False, at=CDC) as page:
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
        marks = page.locator("svg.timeline a")
        assert marks.count() == page.locator("table.periods tbody tr").count() > 5
        marks.last.click()
        assert "as_known=2007-01-10" in page.url


def test_chosen_language_is_kept(browser: Browser, site: str) -> None:
    with looking(browser, site, at=f"/timeline{CDC}") as page:
        page.get_by_role("link", name="English").click()
        expect(page.locator("h1")).to_have_text("Timeline")
        page.locator("table.periods a").last.click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
    with looking(browser, site, language="en-GB", at="/") as page:
        expect(page.locator("html")).to_have_attribute("lang", "en")


def test_timeline_rows_are_cards_on_a_phone_and_rows_in_print(browser: Browser, site: str) -> None:
    """Check that rows are cards on a phone and rows in print, and that no table is cut off on a phone."""
    with looking(browser, site, PHONE, at=f"/timeline{CDC}!art57") as page:
        row = page.locator("table.periods tr:has(a)").first
        expect(row).to_have_css("display", "block")
        before = row.locator("td").nth(2).evaluate("(e) => getComputedStyle(e, '::before').content")
        assert "Início" in str(before)
        hidden = "[...document.querySelectorAll('table')].filter((e) => e.scrollWidth > e.clientWidth + 1).length"
        assert page.evaluate(hidden) == 0
        page.emulate_media(media="print")
        expect(row).to_have_css("display", "table-row")
    with looking(browser, site, PHONE, at=f"{CDC}!art57") as page:
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
            assert page.evaluate(f"{rules}.map((r) => r.style.margin)") == ["3cm 2cm 2cm 3cm", ""]
            expect(page.locator(seen)).to_be_visible()
            expect(page.get_by_role("search")).to_be_hidden()
            assert width(page) <= DESK[0]
            left = "e => e.getBoundingClientRect().left + parseFloat(getComputedStyle(e).paddingLeft)"
            assert {
                page.locator(selector).evaluate(left) for selector in ("main", "header .inner", "footer .inner")
            } == {0}
    for script in (True, False):
        with looking(browser, site, script=script, at="/sparql/editor?query=ASK+%7B%7D") as page:
            page.emulate_media(media="print")
            expect(page.locator(".CodeMirror-code" if script else "#query")).to_be_visible()
            expect(page.locator("button")).to_have_count(page.locator("button:not(:visible)").count())
    with looking(browser, site, PHONE, at=name_path(f"{TEXT}!art2")) as page:
        page.emulate_media(media="print")
        box = page.locator("nav.bar").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        expect(page.locator(".bar .of")).to_be_hidden()


@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_hint_of_a_date_field_is_not_clipped(browser: Browser, site: str, language: str) -> None:
    with looking(browser, site, PHONE, at=f"/?lang={language}") as page:
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
    with looking(browser, site, script=False, at="/sparql/editor?query=ASK+%7B%7D") as page:
        expect(page.get_by_role("button", name="Executar")).to_be_hidden()
        page.get_by_role("button", name="JSON", exact=True).click()
        expect(page.locator("body")).to_contain_text('"boolean":true')


def test_pages_work_with_the_keyboard_alone(browser: Browser, site: str) -> None:
    with looking(browser, site, at=f"/timeline{CDC}") as page:
        page.keyboard.press("Tab")
        assert _focused_element(page) == "#main"
        page.keyboard.press("Enter")
        visited: list[str] = []
        while not (visited and "as_known=" in visited[-1]):
            page.keyboard.press("Tab")
            visited.append(_focused_element(page))
            assert len(visited) < 20, visited
        outline = page.evaluate("getComputedStyle(document.activeElement.querySelector('rect')).strokeWidth")
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


def test_timeline_has_accessible_names_and_acts(browser: Browser, site: str) -> None:
    """Every rectangle is a link named by a sentence, and each day of knowledge has its act."""
    with looking(browser, site, at=f"/timeline{CDC}") as page:
        drawn = page.get_by_role("group", name="Linha do tempo: Lei nº 8.078")
        links = drawn.get_by_role("link")
        assert links.count() == page.locator("svg.timeline a").count()
        assert drawn.get_by_role("link", name="Em vigor. Início: 08/09/1993; fim: sem fim conhecido").count() >= 2
        wide = page.locator("svg.timeline").evaluate("e => e.getBoundingClientRect().width")
        assert float(wide) > DESK[0] * 0.8, "expected a picture as wide as the page"
        assert page.locator("svg.timeline .labels text").first.text_content() == "11/09/1990: Assinatura"


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
    with looking(browser, site, at=path) as page:
        assert page.evaluate("window.hostile") is None
        assert page.locator(EXECUTABLE).count() == 0
        links = page.evaluate("[...document.links].map((a) => a.protocol)")
        assert {str(link) for link in links} <= {"http:", "https:"}
        assert page.evaluate("[...document.links].every((a) => a.username === '')")
        attributes = page.evaluate("[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())")
        assert not any(str(attribute).startswith("on") for attribute in attributes)
        page.evaluate("document.querySelectorAll('details').forEach((folded) => { folded.open = true; })")
        text = page.locator("body").inner_text()
        assert not any(mark in text for mark in "\u202e\u2066\x85")
        if path == name_path(HOSTILE):
            assert "window.hostile = 1</script>" in text
            assert 'onerror="window.hostile = 2">{{ 7 * 7 }}' in text
            assert "javascript:window.hostile = 4" in text


def test_the_editor_runs_queries(browser: Browser, site: str) -> None:
    with looking(browser, site, at="/sparql/editor") as page:
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
        page.route("**/sparql", lambda route: route.fulfill(status=502, body="x"), times=1)
        page.get_by_role("button", name="Executar").click()
        expect(page.locator("#told.wrong")).not_to_contain_text("Consultando")


def test_example_query_is_two_clicks_away(browser: Browser, site: str) -> None:
    with looking(browser, site, at="/sparql/editor") as page:
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
    with looking(browser, site, at="/sparql/editor") as page:
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


# What only its layout, its scripts and its paper show of the pages of texts


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_title_date_and_status_stay_visible(browser: Browser, site: str, size: tuple[int, int]) -> None:
    """Check with an address of an article, and at every scroll position."""
    with looking(browser, site, (size[0], 813), at=f"{name_path(CODE)}!art57?on=1993-06-01") as page:
        for _ in range(2):
            for words in ("Art. 57 da Lei", "Em vigor", "01/06/1993"):
                expect(page.locator(".bar").get_by_text(words).first).to_be_in_viewport()
            page.evaluate("window.scrollTo(0, document.body.scrollHeight / 2)")
        page.goto(f"{name_path(CODE)}!art57?on=1993-06-01#art57")
        expect(page.locator("#art57")).to_be_in_viewport()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_bar_does_not_cover_the_provision_of_an_address(browser: Browser, site: str, size: tuple[int, int]) -> None:
    """Check bars of several heights: a short one, one with all links, and one with a revocation."""
    addresses = (f"{CODE}!art57#art57_par1u", f"{CODE}#art57", f"{CODE}?on=1993-06-01#art57", f"{CODE}#history")
    with looking(browser, site, (size[0], 813)) as page:
        for address in (*addresses, *(f"/text/{address}" for address in addresses[:3])):
            page.goto("about:blank")
            page.goto(address if address.startswith("/") else f"/{address}")
            target = page.locator(f"#{address.rpartition('#')[2]}").bounding_box()
            bar, title = page.locator(".bar").bounding_box(), page.locator(".bar .of").bounding_box()
            assert target is not None
            assert bar is not None
            assert title is not None
            assert bar["y"] + bar["height"] + title["height"] <= target["y"] < 813, address
            assert title["width"] > 200, "the title is not cut to its first words"


@pytest.mark.parametrize("path", [f"/{CODE}", f"/{CODE}?on=1993-06-01", f"/diff/{CODE}?from=1991-03-11&to=2010-01-01"])
def test_touch_targets_have_the_least_size_on_a_phone(browser: Browser, site: str, path: str) -> None:
    """Check WCAG 2.2, success criterion 2.5.8: 24 by 24 CSS pixels, except links within sentences."""
    targets = ".bar a, .deep, a.ref, .language, footer.site nav a, summary"
    with looking(browser, site, PHONE, at=path) as phone:
        boxes = [box for target in phone.locator(targets).all() if (box := target.bounding_box()) is not None]
        assert len(boxes) > 10
        assert not [box for box in boxes if 0 < min(box["width"], box["height"]) < 24]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_first_screen_has_title_status_day_and_text(browser: Browser, site: str, size: tuple[int, int]) -> None:
    """Check that reasons, remarks and names are folded, and on a phone also what is beside the text."""
    for path in (CODE, f"{CODE}!art57"):
        with looking(browser, site, size, script=False, at=name_path(path)) as page:
            for seen in ("h1", ".statusline", "#on", ".law .label"):
                expect(page.locator(seen).first).to_be_in_viewport()
            for folded in (".status", ".names .name"):
                expect(page.locator(folded).first).to_be_hidden()
            expect(page.get_by_role("link", name="Endereço permanente")).to_be_visible(visible=size == DESK)


def test_date_format_is_the_same_in_every_browser(browser: Browser, site: str) -> None:
    """Check that the field accepts and keeps dd/mm/aaaa, and that it has a calendar button."""
    with looking(browser, site, language="en-US", at=f"{name_path(CODE)}?lang=pt-BR") as page:
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


def test_address_with_an_article_opens_it_without_script(browser: Browser, tmp_path: Path) -> None:
    """Check the fragment of an address, which the server does not see: the page has the whole text."""
    with serving(Settings(lgpd.page_alone(tmp_path))) as address, looking(browser, address, script=False) as opened:
        opened.goto(f"/{lgpd.LGPD}?on=2021-09-01#art52")
        expect(opened.locator("#art52")).to_be_in_viewport()


# Suggestions in the search boxes in a real browser


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
    with looking(browser, site, at=path) as page:
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
        page.wait_for_url(lambda url: CODE in url)


def test_provision_of_a_suggested_norm_is_found(browser: Browser, site: str) -> None:
    with looking(browser, site, at="/") as page:
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
        page.wait_for_url("**!art2*")


def test_escape_closes_the_list_and_keeps_the_typed_text(browser: Browser, site: str) -> None:
    with looking(browser, site, at="/") as page:
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
    with looking(browser, site, PHONE, at=name_path(CODE)) as page:
        box = page.locator("#quick")
        box.press_sequentially("lei 8.078/9")
        expect(_suggestions(page)).to_have_count(1)
        assert int(page.evaluate("document.documentElement.scrollWidth")) <= PHONE[0]
        _suggestions(page).click()
        expect(box).to_have_value(LABEL)


def test_provider_text_in_suggestions_is_escaped(browser: Browser, site: str) -> None:
    with looking(browser, site, at="/") as page:
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
    with looking(browser, site, script=False, at="/") as page:
        assert page.locator("#q").get_attribute("list") == "names"
        assert page.locator(f"#names option[value='{NICKNAME}']").count() == 1
        assert page.locator("[role=combobox]").count() == 0


@pytest.mark.parametrize("where", BOXES)
def test_suggestion_list_does_not_cover_the_button_on_a_phone(browser: Browser, site: str, where: str) -> None:
    path, place = BOXES[where]
    with looking(browser, site, PHONE, at=path) as page:
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
    with looking(browser, site, size, script=script, at="/search?q=consumidro") as page:
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


# Eight tasks of users in a real browser, each in at most four clicks from the first page
# The tasks are to find a norm by its nickname, read the text of a day, see what changed, learn which norm revoked
# another and since when, cite, compare, print, and run a query and download its rows. They are done on a phone and on
# a desktop, in light and dark mode, with and without JavaScript, and one of them with the keyboard.


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
    status = reader.page.locator(".statusline")
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
    """Use only the keyboard: search for the text of a day, go to the bar above it, and open the latest text."""
    with looking(browser, served_sample, DESK, at="/") as page:
        page.get_by_label("Norma, citação, apelido ou palavras").focus()
        page.keyboard.type("art. 57 do CDC em 01/06/1993")
        page.keyboard.press("Enter")
        page.wait_for_url("**!art57**")
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.className") == "now":
                break
        page.keyboard.press("Enter")
        expect(page.locator(".bar")).to_contain_text("Texto mais recente")
