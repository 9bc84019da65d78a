"""Tests of the files of texts: metadata, outline, endings and unusual characters."""

from __future__ import annotations

import io
import re
import zipfile

import docx
import httpx
import lxml.etree
import pytest
from reportlab.platypus import Paragraph

from graph.civil import today
from service.web.pages import downloads
from service.web.pages.downloads import FILES, FileContent, Line, Section
from tests.support.web_names import CODE, TEXT

#: The characters of PDFDocEncoding in titles of these tests that Latin-1 does not have.
PDF_CHARACTERS = {0x85: "–"}


def outline(content: bytes) -> list[tuple[int, str, int]]:
    """Return the level, the title and the page of each entry of the outline of a PDF, in order."""
    objects: dict[bytes, bytes] = dict(re.findall(rb"(?s)\n(\d+) 0 obj\n<<\n(.*?)\n>>\nendobj", content))

    def value(body: bytes, key: str, form: str = r"(\d+) 0 R") -> bytes | None:
        matched = re.search(rf"/{key} {form}".encode(), body)
        return matched[1] if matched is not None else None

    (pages,) = (body for body in objects.values() if b"/Type /Pages" in body)
    kids = re.findall(rb"(\d+) 0 R", re.search(rb"/Kids \[(.*?)\]", pages)[1])  # type: ignore[index]
    root = next(body for body in objects.values() if b"/Type /Outlines" in body)
    entries: list[tuple[int, str, int]] = []

    def walk(number: bytes | None, level: int) -> None:
        while number is not None:
            body = objects[number]
            title = re.sub(
                rb"\\(\d{3})",
                lambda octal: PDF_CHARACTERS.get(int(octal[1], 8), chr(int(octal[1], 8))).encode(),
                value(body, "Title", r"\((.*)\)") or b"",
            ).decode()
            place = kids.index(value(body, "Dest", r"\[ (\d+) 0 R") or b"") + 1
            entries.append((level, title, place))
            walk(value(body, "First"), level + 1)
            number = value(body, "Next")

    walk(value(root, "First"), 0)
    return entries


def test_metadata_of_files_have_the_day_the_address_and_the_maker(web: httpx.Client) -> None:
    title = "Lei nº 8.078, de 11 de setembro de 1990, texto de 01/06/1993"
    address = f"{web.base_url}/{CODE}?on=1993-06-01&as_known=2008-12-16"
    properties = docx.Document(io.BytesIO(web.get(f"/text/{CODE}?on=1993-06-01&format=docx").content)).core_properties
    assert (properties.title, properties.identifier, properties.subject) == (title, address, CODE)
    assert (properties.language, properties.author, properties.last_modified_by) == ("pt-BR", "", "Vigente")
    with zipfile.ZipFile(io.BytesIO(web.get(f"/text/{CODE}?on=1993-06-01&format=epub").content)) as book:
        package = lxml.etree.fromstring(book.read("book.opf"))
    assert {lxml.etree.QName(each).localname: each.text for each in package[0]} == {
        "identifier": address,
        "title": title,
        "language": "pt-BR",
        "source": CODE,
        "publisher": "Vigente",
        "meta": f"{today().isoformat()}T00:00:00Z",
    }
    pdf = web.get(f"/text/{CODE}?on=1993-06-01&format=pdf").content
    assert rb"/Title (Lei n\272 8.078, de 11 de setembro de 1990, texto de 01/06/1993)" in pdf
    assert f"/Keywords ({address})".encode() in pdf
    assert b"/Creator (Vigente)" in pdf
    assert b"/Author ()" in pdf
    assert b"/Lang (pt-BR)" in pdf


def test_outline_of_a_pdf_has_the_structure_of_the_text() -> None:
    long = "palavra " * 380
    lines = (
        Line("grouping", None, "TÍTULO I – DO INÍCIO", "TÍTULO I – DO INÍCIO", 1),
        Line("grouping", None, "Seção", "Seção", 3),
        Line("step0", "Art. 1º", long, "Art. 1º", 99),
        Line("step1", "I -", "um"),
        Line("step0", "Art. 2º", long, "Art. 2º", 99),
        Line("grouping", None, "TÍTULO II", "TÍTULO II", 1),
        Line("step0", "Art. 3º", "fim", "Art. 3º", 99),
    )
    printed = FileContent(
        "Lei", (), (), "http://x.example/", "pt-BR", lines, "n", sections=(Section("Fontes", ("f",)),)
    )
    assert outline(FILES["pdf"].write(printed)) == [
        (0, "TÍTULO I – DO INÍCIO", 1),
        (1, "Seção", 1),
        (2, "Art. 1º", 1),
        (2, "Art. 2º", 1),
        (0, "TÍTULO II", 2),
        (1, "Art. 3º", 2),
    ]


def test_articles_are_in_the_outline(web: httpx.Client) -> None:
    assert outline(web.get(f"/text/{TEXT}?on=2001-07-01&format=pdf").content) == [
        (0, "Art. 1º", 1),
        (0, "Art. 2º", 1),
        (0, "Art. 3º", 1),
    ]


def test_metadata_of_a_file_without_a_text_have_the_day_of_the_question(web: httpx.Client) -> None:
    made = docx.Document(io.BytesIO(web.get(f"/text/{TEXT}!art2?on=2010-01-01&format=docx").content))
    assert made.core_properties.title == "Art. 2º da Lei nº 99.916, de 5 de março de 2001, situação em 01/01/2010"


#: Texts for which the library takes quadratic time in one paragraph.
LONG_TEXTS = {
    "one word": "a" * 300_000,
    "many words": "palavra " * 120_000,
    "accents on one letter": "e" + "\u0301" * 20_000,
    "escaped characters": "& < > " * 50_000,
}


@pytest.mark.parametrize("name", LONG_TEXTS)
def test_pdf_of_a_very_long_text_has_short_paragraphs(name: str) -> None:
    text, shown_text = LONG_TEXTS[name], LONG_TEXTS[name].replace("\u0301", "[U+0301]")
    line = Line("step0", "Art. 1º", text)
    printed = FileContent("Lei nº 99.901", (), (), "http://a.example/", "pt-BR", (line,), "urn:lex:br")
    _, _, *paragraphs = downloads._flow(printed)  # noqa: SLF001 - for their lengths
    words = [part.frags[-1].text for part in paragraphs if isinstance(part, Paragraph)]
    assert "".join(words).strip() == shown_text.strip()
    assert max(map(len, words)) <= 8_001
    assert max(len(word) for part in words for word in part.split(" ")) <= 1_000
    assert downloads.as_pdf(printed).startswith(b"%PDF")


def test_unsupported_characters_are_replaced_and_not_dropped() -> None:
    odd = FileContent(
        "Lei <&> \u2603", (), (), "http://x.example/", "pt-BR", (Line("step0", "Art. 1º", "a\x01\u2603"),), "n"
    )
    for kind, file in FILES.items():
        content = file.write(odd)
        assert content, kind
    assert "\u2603" in FILES["txt"].write(odd).decode()
    with zipfile.ZipFile(io.BytesIO(FILES["epub"].write(odd))) as book:
        assert "\u2603" in str(lxml.etree.fromstring(book.read("text.xhtml")).xpath("string()"))


def test_epub_has_its_media_type_first_and_wellformed_parts(web: httpx.Client) -> None:
    with zipfile.ZipFile(io.BytesIO(web.get(f"/text/{CODE}?on=1993-06-01&format=epub").content)) as book:
        assert book.namelist()[0] == "mimetype"
        assert book.getinfo("mimetype").compress_type == zipfile.ZIP_STORED
        for name in book.namelist():
            if name.endswith(("xhtml", "opf", "xml")):
                lxml.etree.fromstring(book.read(name))
