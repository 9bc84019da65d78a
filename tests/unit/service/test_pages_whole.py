"""Tests of the whole text on one page, with earlier wordings struck, and of its downloads."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

import httpx
import lxml.etree
import pytest
from docx import Document
from playwright.sync_api import Browser

from graph.civil import today
from service.web.http.name_paths import name_path
from service.web.pages.downloads import FILES, FileContent, Line
from tests.support.browser import PHONE, looking, serious
from tests.support.pages import page, words_of
from tests.support.web_names import CODE, TEXT

PARAGRAPH = "revertendo para o Fundo de que trata a Lei nº 7.347"


def test_full_text_page_has_its_date_and_address(web: httpx.Client) -> None:
    text_page = page(web, f"/{CODE}?on=1993-06-01").follow("Texto completo em uma página")
    assert text_page.path.startswith(f"/text{name_path(CODE)}?on=1993-06-01")
    assert PARAGRAPH in text_page.one("//div[@class='law']").text_content()
    assert text_page.all("//title")[0].startswith("Lei nº 8.078, de 11 de setembro de 1990, texto de 01/06/1993")
    kept = text_page.one("//p[contains(@class, 'onpaper')]").text_content()
    assert f"/{CODE}?on=1993-06-01&as_known=" in kept
    assert "Acesso em" in kept
    assert "on=1993-06-01" in text_page.follow("Situação, histórico e fontes").path


@pytest.mark.parametrize("days", ["", "?on=1993-06-01"])
def test_permanent_address_has_the_last_day_of_the_data(web: httpx.Client, days: str) -> None:
    """Check that it has the day of knowledge of the citation, which is before today, in the page and its files."""
    cited = re.search(r"as_known=([0-9-]{10})", page(web, f"/cite/{CODE}{days}").text)
    assert cited is not None
    assert cited[1] < today().isoformat()
    kept = page(web, f"/text/{CODE}{days}").one("//p[contains(@class, 'onpaper')]").text_content()
    address = re.search(r"/urn:lex:\S+", kept)
    assert address is not None
    assert address[0].endswith(f"as_known={cited[1]}")
    assert web.get(address[0]).status_code in (200, 303)
    separator = "&" if days else "?"
    assert f"as_known={cited[1]}" in web.get(f"/text/{CODE}{days}{separator}format=txt").text


def test_earlier_wordings_are_struck_through_with_their_cause(web: httpx.Client) -> None:
    plain = page(web, f"/text/{TEXT}")
    assert not plain.elements("//del")
    struck = plain.follow("Com alterações")
    assert struck.all("//del") == [
        "Art. 1º Todo relógio fictício mostra uma hora.",
        "Os relógios fictícios não se atrasam.",
    ]
    text = words_of(struck.one("//div[@class='law']"))
    assert "(Redação dada pela Lei nº 99.917, de 2002; texto retificado em 01/07/2002)" in text
    assert "(Revogado pela Lei nº 99.917, de 2002, a partir de 02/05/2002)" in text
    early = page(web, f"/text/{TEXT}?view=changes&on=2001-07-01")
    assert not early.elements("//del"), "what came later is no change of that day's text"


def test_file_states_the_status_on_its_date(web: httpx.Client) -> None:
    assert "Situação nesse dia: Em vigor\n" in web.get(f"/text/{CODE}?on=1993-06-01&format=txt").text


def test_article_links_to_the_previous_and_next(web: httpx.Client) -> None:
    provision_page = page(web, f"/{TEXT}!art2?on=2001-07-01")
    (before,) = provision_page.all("//nav[contains(@class, 'beside')]//a[@rel='prev']/@href")
    assert before.startswith(f"{name_path(TEXT)}!art1?on=2001-07-01"), "of the same day"
    after = page(web, before).all("//nav[contains(@class, 'beside')]//a[@rel='next']/@href")
    assert after[0].startswith(f"{name_path(TEXT)}!art2?on=2001-07-01")
    assert (
        page(web, f"/{TEXT}!art1_par1u?on=2001-07-01").all("//nav[contains(@class, 'beside')]//a[@rel='next']/@href")
        == after
    )
    assert not page(web, f"/{TEXT}").elements("//nav[contains(@class, 'beside')]")


def test_missing_text_is_stated_and_its_file_rejected(web: httpx.Client) -> None:
    text_page = page(web, f"/text/{CODE}?on=1980-01-01")
    assert "Não há texto em vigor em 01/01/1980" in text_page.text
    answer = web.get(f"/text/{CODE}?on=1980-01-01&format=pdf")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-in-force")
    assert web.get(f"/text/{CODE}?format=odt").status_code == 406
    assert web.get(f"/text/{CODE}?view=all").status_code == 422
    assert web.get("/text/urn:lex:br:federal:lei:2020-01-02;99999").status_code == 404


@pytest.mark.parametrize("kind", FILES)
def test_text_is_downloaded_as_a_file(web: httpx.Client, kind: str) -> None:
    answer = web.get(f"/text/{CODE}?on=1993-06-01&format={kind}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == FILES[kind].media
    assert answer.headers["content-disposition"] == (
        f'attachment; filename="federal-lei-1990-09-11-8078_1993-06-01.{kind}"'
    )
    assert web.get(f"/text/{CODE}?on=1993-06-01&format={kind}").content == answer.content or kind == "docx"


def test_files_have_the_text_date_and_address(web: httpx.Client) -> None:
    def kept(kind: str) -> bytes:
        return web.get(f"/text/{CODE}?on=1993-06-01&format={kind}").content

    address = f"{web.base_url}/{CODE}?on=1993-06-01&as_known="
    document = "\n".join(paragraph.text for paragraph in Document(BytesIO(kept("docx"))).paragraphs)
    with zipfile.ZipFile(BytesIO(kept("epub"))) as book:
        assert book.namelist()[0] == "mimetype"
        assert book.getinfo("mimetype").compress_type == zipfile.ZIP_STORED
        read = {name: book.read(name) for name in book.namelist()}
    for name, content in read.items():
        if name.endswith(("xhtml", "opf", "xml")):
            lxml.etree.fromstring(content)
    chapter = str(lxml.etree.fromstring(read["text.xhtml"]).xpath("string()"))
    for text in (document, chapter, kept("txt").decode()):
        assert PARAGRAPH in text
        assert "Texto de 01/06/1993" in text
        assert "Acesso em" in text
        assert address in text
        assert "(Redação dada pela Lei nº 8.656, de 1993)" in text
    assert kept("pdf").startswith(b"%PDF-")


def test_unsupported_characters_are_replaced_and_not_dropped() -> None:
    odd = FileContent(
        "Lei <&> \u2603", (), (), "http://x.example/", "pt-BR", (Line("step0", "Art. 1º", "a\x01\u2603"),), "n"
    )
    for kind, file in FILES.items():
        content = file.write(odd)
        assert content, kind
    assert "\u2603" in FILES["txt"].write(odd).decode()
    with zipfile.ZipFile(BytesIO(FILES["epub"].write(odd))) as book:
        assert "\u2603" in str(lxml.etree.fromstring(book.read("text.xhtml")).xpath("string()"))


def test_full_text_page_is_accessible(browser: Browser, site: str) -> None:
    with looking(browser, site, PHONE) as text_page:
        text_page.goto(f"/text{name_path(CODE)}?view=changes")
        assert text_page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert serious(text_page) == []
        text_page.emulate_media(color_scheme="dark")
        assert serious(text_page, "color-contrast") == []
