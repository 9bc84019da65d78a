"""Tests of born-digital PDF: its lines are the paragraphs that a person reads, in their order."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from graph.errors import BadRecord
from loaders.articulated import pdf
from loaders.articulated.pdf import read_pdf
from loaders.articulated.reading import read_articulated
from tests.support.cases import SHARED, cases, values

_LONG = (
    "O comércio eventual é permitido nas ruas da cidade, nos dias e horários que o regulamento fixar, observadas as "
    "condições desta Lei, sem prejuízo das normas de higiene, de segurança e de sossego, que o Município estabelece"
)
_LAW = values("pdf", "law")
_Draw = Callable[[Canvas], None]


def _pdf(*pages: _Draw, encrypt: StandardEncryption | None = None) -> bytes:
    written = io.BytesIO()
    canvas = Canvas(written, encrypt=encrypt)
    for draw in pages:
        canvas.setFont("Times-Roman", 11)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def _rows(paragraphs: Sequence[str], width: int) -> Iterator[tuple[str, float]]:
    """Yield wrapped rows, each with the distance to the row above it."""
    for paragraph in paragraphs:
        for index, row in enumerate(wrap(paragraph, width, break_on_hyphens=False)):
            yield row, 13 if index else 19


def _text(*rows: tuple[str, float], x: float = 70, top: float = 760) -> _Draw:
    def draw(canvas: Canvas) -> None:
        y = top
        for words, distance in rows:
            y -= distance
            canvas.drawString(x, y, words)

    return draw


def _all(*draws: _Draw) -> _Draw:
    def draw(canvas: Canvas) -> None:
        for each in draws:
            each(canvas)

    return draw


def _by_rows(left: Sequence[tuple[str, float]], right: Sequence[tuple[str, float]]) -> _Draw:
    """Return a page in two columns that is drawn row by row over both."""

    def draw(canvas: Canvas) -> None:
        y = 760.0
        for index in range(max(len(left), len(right))):
            y -= 13
            for x, rows in ((60, left), (310, right)):
                if index < len(rows):
                    canvas.drawString(x, y, rows[index][0])

    return draw


def _read(raw: bytes) -> list[str]:
    return [line.text for line in read_pdf(raw).lines]


def test_rows_become_the_lines_of_a_law() -> None:
    assert _read(_pdf(_text(*_rows(_LAW, 88)))) == _LAW


def test_column_is_read_before_the_next_one() -> None:
    rows = list(_rows(_LAW, 44))
    head = _text(("DIÁRIO OFICIAL DO MUNICÍPIO DE CAMPINAS, ANO X, Nº 99, DE 6 DE MARÇO DE 2001", 0), x=90, top=780)
    columns = (_text(*rows[:14], x=60), _text(*rows[14:], x=310))
    even = [(words, 13.0) for words, _ in rows]  # no row of these columns has a row beside it
    lower = (_text(*even[:14], x=60), _text(*even[14:], x=310, top=754.5))
    pages = (_all(head, *columns), _all(*columns, head), _all(head, *lower))
    for page in (*pages, _all(head, _by_rows(rows[:14], rows[14:]))):
        lines = _read(_pdf(page))
        assert [line for line in lines if "DIÁRIO" not in line] == _LAW, lines


def test_running_heads_and_page_numbers_are_counted_beside_the_text() -> None:
    rows = list(_rows(_LAW, 88))
    parts = (rows[:5], rows[5:9], rows[9:])
    pages = [
        _all(
            _text(("Prefeitura de Campinas", 0), top=800),
            _text(*part),
            _text((f"Página {number} de 3", 0), x=280, top=40),
        )
        for number, part in enumerate(parts, 1)
    ]
    read = read_pdf(_pdf(*pages))
    assert [line.text for line in read.lines] == _LAW
    assert [words for _, words in read.beside] == ["Prefeitura de Campinas (3 pages)", "Página 1 de 3 (3 pages)"]
    assert [line.number for line in read.lines][-1] == 3009


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (["O prazo será fixado em regula-", "mento próprio, que o Vice-", "Prefeito assina, e aplica-", "se a todos."],
         ["O prazo será fixado em regulamento próprio, que o Vice-Prefeito assina, e aplica-se a todos."]),
        (["Os bens constam nos termos do", "Art. 5º da Lei nº 99.902, conforme o", "§ 2º deste artigo."],
         ["Os bens constam nos termos do Art. 5º da Lei nº 99.902, conforme o § 2º deste artigo."]),
        (["Esta Lei produz efeitos a partir de", "1º de janeiro de 2019."],
         ["Esta Lei produz efeitos a partir de 1º de janeiro de 2019."]),
        (["• I - um;", "• II - dois;", "\u2022 a) três."], ["I - um;", "II - dois;", "a) três."]),
        (["Ê I - um;", "Ê II - dois;", "Ê § 1º Três."], ["I - um;", "II - dois;", "§ 1º Três."]),
        (["A § 1º refere-se.", "É a) um."], ["A § 1º refere-se. É a) um."]),
    ],
)  # fmt: skip
def test_rows_of_a_paragraph_are_joined(rows: list[str], lines: list[str]) -> None:
    assert _read(_pdf(_text(*((row, 13) for row in rows)))) == lines


def test_words_keep_their_format_and_a_stroke_strikes_them() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(70, 700, "Art. 1º Velho.")
        canvas.line(70, 703, 135, 703)
        canvas.drawString(70, 680, "Art. 1º Novo.")
        canvas.line(70, 678, 135, 678)
        canvas.setFont("Times-Bold", 11)
        canvas.drawString(225, 650, "CAPÍTULO I")
        canvas.rotate(90)
        canvas.drawString(300, -20, "Carimbo")

    read = read_pdf(_pdf(_all(_text(*_rows([_LONG], 88)), draw)))
    old, new, title = read.lines[1:]
    assert [(each.struck, each.bold) for each in (old, new, title)] == [(True, False), (False, False), (False, True)]
    assert title.centred
    assert [words for _, words in read.beside] == ["Carimbo"]


@cases("pdf", "tables")
def test_table_keeps_its_rows(row: dict[str, Any]) -> None:
    def draw(canvas: Canvas) -> None:
        for x, y, cell, *edge in row["cells"]:
            (canvas.drawRightString if edge else canvas.drawString)(x, y, cell)
        if row.get("ruled"):
            canvas.grid([66, 246, 376, 480], (612, 597, 552, 537))

    read = read_pdf(_pdf(_all(_text(*_rows([_LONG + "."], 88)), draw)))
    assert [line.text for line in read.lines[1:]] == row["lines"]
    assert all(line.in_table == line.text.startswith("|") for line in read.lines)
    about = "[words of a table without lines, perhaps in another order] "
    assert [words for _, words in read.notes] == [about + words for words in row["reported"]]


def _image(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (40, 40), 200)), 0, 0, 500, 700)


def test_scanned_page_is_refused_or_reported() -> None:
    with pytest.raises(BadRecord) as caught:
        read_pdf(_pdf(_image, _image, _text(), _image))
    assert (caught.value.code, caught.value.problem) == (
        "no-text",
        "the PDF has no text: pages 1 to 2, 4 have only images",
    )
    assert "text recognition" in caught.value.expected
    read = read_pdf(_pdf(_text(*_rows(_LAW, 88)), _image))
    assert read.notes == [(2000, "[page 2 has only an image; its words need text recognition]")]
    text = read_articulated(_pdf(_text(*_rows(_LAW, 88)), _image)).text
    assert text.not_placed == read.notes


_WHOLE = _pdf(_text(*_rows(_LAW, 88)))


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"%PDF-1.7\n", "bad-archive"),
        (_WHOLE[:900], "bad-archive"),
        (b"%PDF-1.4\n" + bytes(range(256)) * 40, "bad-archive"),
        (_WHOLE.replace(b"/Pages", b"/Paxes"), "bad-archive"),
        (_pdf(_text(("Um.", 13)), encrypt=StandardEncryption("segredo")), "encrypted"),
        (_pdf(_text()), "no-text"),
    ],
)
def test_damaged_file_is_refused(raw: bytes, code: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read_pdf(raw)
    assert caught.value.code == code


def test_file_with_a_password_of_its_owner_only_is_read() -> None:
    owned = StandardEncryption("", ownerPassword="dono", canPrint=0)
    assert _read(_pdf(_text(("Art. 1º Um.", 13)), encrypt=owned)) == ["Art. 1º Um."]


def test_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = PdfWriter(clone_from=PdfReader(io.BytesIO(_WHOLE)))
    stream = bomb.pages[0].get_contents()
    assert stream is not None
    stream.set_data(stream.get_data() + b" " * (90 << 20))
    written = io.BytesIO()
    bomb.pages[0].replace_contents(stream.flate_encode())
    bomb.write(written)
    for raw, name, limit in (
        (written.getvalue(), "MAX_PAGES", 9),
        (_WHOLE, "MAX_PAGES", 0),
        (_WHOLE, "MAX_SECONDS", -1.0),
    ):
        monkeypatch.setattr(pdf, name, limit)
        with pytest.raises(BadRecord) as caught:
            read_pdf(raw)
        assert caught.value.code == "record-too-large"
        monkeypatch.undo()
    monkeypatch.setattr(pdf, "_placed", None)
    with pytest.raises(TypeError):  # a fault of the reader is no damaged file
        read_pdf(_WHOLE)


_SAMPLE = SHARED / "municipal" / "maracaju"


@pytest.mark.slow
@pytest.mark.skipif(not _SAMPLE.exists(), reason="the shared samples are not there")
def test_organic_law_in_pdf_has_the_provisions_of_its_page() -> None:
    """Beside the signatures, whose tables the PDF has as rows of words, two of 1,252 differ."""
    page, printed = (
        {
            each.id: "".join(f"{each.heading or ''}{each.text or ''}".split())
            for each in read_articulated((_SAMPLE / f"lei-organica.{ending}").read_bytes()).text.provisions
            if each.prefix != "assinatura"
        }
        for ending in ("html", "pdf")
    )
    assert page.keys() == printed.keys()
    assert {each for each in page if page[each] != printed[each]} <= {"art43_cpt", "art81_par3_inc3"}
