"""Tests of the content and the metadata of files of texts: days, status, notices, sources, outline and endings."""

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
from service.web.http.name_paths import name_path
from service.web.pages import downloads
from service.web.pages.downloads import FILES, FileContent, Line, Section
from tests.support.pages import BROWSER, page
from tests.support.web_names import CODE, TEXT

UNSAID = (
    "As fontes desta resposta não informam até que data estão atualizadas: pode haver alterações posteriores que não "
    "constam aqui."
)
NOT_OFFICIAL = "Este texto não substitui o publicado no Diário Oficial."
RECORD = "Arquivo lei-8078-1990.xml, data de coleta não informada"
RECTIFIED = (
    "O texto da norma foi retificado em 10/01/2007; nenhuma fonte informa que este dispositivo tenha sido alterado."
)
#: The characters of PDFDocEncoding in titles of these tests that Latin-1 does not have.
PDF_CHARACTERS = {0x85: "–"}


def text_of(kind: str, content: bytes) -> list[str]:
    """Return the paragraphs of a file that a reader of its format finds, without the numbering of lists."""
    if kind == "txt":
        return [line.strip().removeprefix("- ") for line in content.decode().splitlines() if line.strip()]
    if kind == "docx":
        return [paragraph.text for paragraph in docx.Document(io.BytesIO(content)).paragraphs]
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        tree = lxml.etree.fromstring(book.read("text.xhtml"))
    body = tree[1]
    return ["".join(map(str, part.itertext())) for part in body.iter() if str(part.tag).endswith(("}p", "}h1", "}h2"))]


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


@pytest.mark.parametrize("kind", ["txt", "docx", "epub"])
def test_file_of_an_article_has_the_days_status_notices_and_sources(web: httpx.Client, kind: str) -> None:
    found = text_of(kind, web.get(f"/text/{CODE}!art57?on=1993-06-01&format={kind}").content)
    now = today()
    address = f"{web.base_url}/{CODE}!art57?on=1993-06-01&as_known={now.isoformat()}"
    assert found[:10] == [
        "Art. 57 da Lei nº 8.078, de 11 de setembro de 1990",
        f"Texto de 01/06/1993, conforme o publicado até {now:%d/%m/%Y}",
        "Situação nesse dia: Em vigor",
        "Texto de 22/05/1993",
        f"Acesso em {now:%d/%m/%Y}",
        UNSAID,
        NOT_OFFICIAL,
        address,
        "Observações",
        RECTIFIED,
    ]
    assert found[-3:] == ["(Redação dada pela Lei nº 8.656, de 1993)", "Fontes", RECORD]


def test_file_has_the_notices_of_the_page(web: httpx.Client) -> None:
    for path in (f"{CODE}!art57?on=1993-06-01", f"{CODE}?on=1993-06-01"):
        notices = page(web, f"/{path}").all("//div[@class='notices']//li")
        assert notices
        found = text_of("txt", web.get(f"/text/{path}&format=txt").content)
        start = found.index("Observações") + 1
        assert found[start : start + len(notices)] == notices


def test_file_of_a_norm_has_the_day_of_its_data_and_its_wording(web: httpx.Client) -> None:
    found = text_of("txt", web.get(f"/text/{CODE}?on=1993-06-01&format=txt").content)
    assert found[2:7] == [
        "Texto de 01/06/1993, conforme o publicado até 16/12/2008",
        "Situação nesse dia: Em vigor",
        "Texto de 22/05/1993; retificado em 10/01/2007",
        f"Acesso em {today():%d/%m/%Y}",
        (
            "Dados atualizados, por fonte: provedor.example, até 16/12/2008. O que elas publicaram depois não "
            "consta aqui. As fontes não citadas nesta lista não informam até que data estão atualizadas."
        ),
    ]
    assert found[-3:] == ["Fontes", RECORD, "provedor.example, registro de 15/12/2008: https://provedor.example/oai"]


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
    printed = FileContent("Lei", (), (), "http://x.example/", "pt-BR", lines, "n", after=(Section("Fontes", ("f",)),))
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


@pytest.mark.parametrize("accept", [BROWSER, "*/*", "text/plain"])
def test_file_of_a_revoked_provision_states_the_act_and_the_day(web: httpx.Client, accept: str) -> None:
    answer = web.get(f"/text/{TEXT}!art2?format=txt", headers={"accept": accept, "accept-language": "pt-BR"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    found = text_of("txt", answer.content)
    assert found[:3] == [
        "Art. 2º da Lei nº 99.916, de 5 de março de 2001",
        f"Situação em {today():%d/%m/%Y}, conforme o publicado até {today():%d/%m/%Y}",
        "Situação nesse dia: Revogado pela Lei nº 99.917, de 2002, a partir de 02/05/2002",
    ]
    last = f"{web.base_url}{name_path(TEXT)}!art2?on=2002-05-01"
    assert NOT_OFFICIAL not in found, "there is no text"
    assert found[6:8] == ["Não há texto em vigor hoje.", f"Último texto em vigor: {last}"]
    assert "Art. 2º" in web.get(last, headers={"accept": BROWSER}, follow_redirects=True).text
    for kind in ("pdf", "docx", "epub"):
        other = web.get(f"/text/{TEXT}!art2?format={kind}", headers={"accept": accept})
        assert (other.status_code, other.headers["content-type"]) == (200, FILES[kind].media)


@pytest.mark.parametrize("accept", ["application/json", "application/problem+json"])
def test_program_gets_the_problem_of_a_missing_text(web: httpx.Client, accept: str) -> None:
    answer = web.get(f"/text/{TEXT}!art2?format=txt", headers={"accept": accept})
    assert answer.headers["content-type"] == "application/problem+json"
    now = today().isoformat()
    assert answer.json() == {
        "type": "/problems/not-in-force",
        "title": "Not Found",
        "status": 404,
        "code": "not-in-force",
        "detail": f"no text of {TEXT}!art2 is in force on {now}; its page has other days",
        "name": f"{TEXT}!art2",
        "on": now,
        "force": "revoked",
        "absent": False,
        "page": f"{name_path(TEXT)}!art2",
    }


def test_file_of_a_future_day_states_that_there_may_be_changes(web: httpx.Client) -> None:
    found = text_of("txt", web.get(f"/text/{TEXT}!art1?on=2990-01-01&format=txt").content)
    assert found[1:4] == [
        f"Texto de 01/01/2990, conforme o publicado até {today():%d/%m/%Y}",
        "Data futura: até lá pode haver alterações.",
        "Situação nesse dia: Em vigor",
    ]


def test_metadata_of_a_file_without_a_text_have_the_day_of_the_question(web: httpx.Client) -> None:
    made = docx.Document(io.BytesIO(web.get(f"/text/{TEXT}!art2?on=2010-01-01&format=docx").content))
    assert made.core_properties.title == "Art. 2º da Lei nº 99.916, de 5 de março de 2001, situação em 01/01/2010"


def test_file_and_citation_of_a_provision_that_the_norm_does_not_have(web: httpx.Client) -> None:
    refused = page(web, f"/text/{TEXT}!art99?on=2010-01-01&format=pdf")
    assert refused.all("//p[@class='lead']") == [
        (
            "Art. 99 da Lei nº 99.916, de 5 de março de 2001: não há texto em vigor em 01/01/2010. "
            "Situação nesse dia: Dispositivo inexistente na norma."
        )
    ]
    cite_page = page(web, f"/cite/{TEXT}!art99?on=2010-01-01")
    assert not cite_page.elements("//pre")
    assert cite_page.all("//main//p[@class='card']") == [
        "Em 01/01/2010: O texto da norma em 01/01/2010 não tem este dispositivo."
    ]
    problem = web.get(f"/cite/{TEXT}!art99?on=2010-01-01&format=bib").json()
    assert (problem["code"], problem["absent"], problem["page"]) == ("not-in-force", True, f"{name_path(TEXT)}!art99")


@pytest.mark.parametrize(
    ("language", "title", "sentence", "step"),
    [
        (
            "pt-BR",
            "Não há texto nesse dia",
            (
                "Lei nº 8.078, de 11 de setembro de 1990: não há texto em vigor em 01/01/1980. "
                "Situação nesse dia: Não publicada."
            ),
            "Situação, histórico e textos de outros dias",
        ),
        (
            "en",
            "There is no text on that day",
            (
                "Law No. 8,078 of 11 September 1990: no text is in force on 1 January 1980. "
                "Status on that day: Not published."
            ),
            "Status, history and texts of other days",
        ),
    ],
)
def test_reader_of_a_day_without_text_gets_a_page_with_a_next_step(
    web: httpx.Client, language: str, title: str, sentence: str, step: str
) -> None:
    refused = page(web, f"/text/{CODE}?on=1980-01-01&format=txt", language)
    assert refused.response.status_code == 404
    assert refused.all("//h1") == [title]
    assert refused.all("//p[@class='lead']") == [sentence]
    assert refused.follow(step).path.startswith(f"/{CODE}?on=1980-01-01")


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
