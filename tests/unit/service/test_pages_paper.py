"""Tests of printed pages and files: address, day, day of access, and references as in NBR 6023."""

from __future__ import annotations

import io
import re

import docx
import httpx
from playwright.sync_api import Browser

from graph.civil import today
from graph.urn import parse
from graph.vocabulary import built_in
from service.web.http.negotiation import Language
from service.web.pages.citing import _heading
from service.web.pages.frame import Frame, origin_in_words, words_in
from service.web.pages.sentences import Sentences
from service.web.pages.text_status import authority_of
from tests.support.pages import page
from tests.support.web_names import CODE, TEXT


def test_printed_page_has_its_address_and_dates(web: httpx.Client) -> None:
    for path in (f"/{CODE}?on=1992-01-01", f"/text/{CODE}?on=1992-01-01"):
        (line,) = page(web, path).all("//p[contains(@class, 'onpaper')]")
        assert CODE in line
        assert "Texto de 1º de janeiro de 1992" in line or "Texto de 01/01/1992" in line
        assert "Acesso em" in line


def test_file_author_is_not_the_software(web: httpx.Client) -> None:
    pdf = web.get(f"/text/{CODE}?format=pdf").content
    assert b"/Author ()" in pdf
    assert re.search(rb"/CreationDate \(D:(\d{8})", pdf)[1].decode() == f"{today():%Y%m%d}"  # type: ignore[index]
    properties = docx.Document(io.BytesIO(web.get(f"/text/{CODE}?format=docx").content)).core_properties
    assert properties.author == ""
    assert properties.created is not None
    assert properties.created.date() == today()


def test_the_author_is_the_authority_of_the_norm() -> None:
    resolution = parse("urn:lex:br:senado.federal:resolucao:2001-03-05;99901")
    assert authority_of(resolution, built_in()) == "Senado Federal"
    assert authority_of(parse(CODE), built_in()) is None


def test_a_constitution_has_its_uniform_title() -> None:
    assert _heading(parse("urn:lex:br:federal:constituicao:1988-10-05;1988!art6"), "x") == "[Constituição (1988)]. "
    assert _heading(parse(CODE), "x") == ""


def test_origin_of_a_joined_text_is_translated() -> None:
    words = words_in(Language.PORTUGUESE)
    assert origin_in_words("32 states, a.html to b.html", words) == "32 textos datados, de a.html a b.html"
    assert origin_in_words("a.html", words) == "a.html"


def test_a_link_to_a_provision_without_a_page_leads_to_its_norm() -> None:
    frame = Frame(Language.PORTUGUESE, False, "/", (), "http://x")
    sentences = Sentences(frame, built_in(), lambda _: True, is_described=lambda _: False)
    assert f'href="/{CODE}"' in sentences.link(f"{CODE}!art57")
    assert f'href="/{CODE}!art57"' in Sentences(frame, built_in(), lambda _: True).link(f"{CODE}!art57")


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
