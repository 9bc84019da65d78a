"""Tests of Word documents: what the reader gives is what Word shows."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from graph.errors import BadRecord
from loaders.articulated.word import read_docx
from tests.support.cases import cases, constant

_SPACES = " ".join(f'xmlns:{prefix}="{address}"' for prefix, address in constant("word", "spaces").items())
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_NUMBERING = constant("word", "numbering")
_STYLES = """<w:style w:type="paragraph" w:styleId="Inciso"><w:pPr>
<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Outro"><w:basedOn w:val="Inciso"/></w:style>"""
_FOOTNOTES = '<w:footnote w:id="3"><w:p><w:r><w:t>Ver a Lei 99.901.</w:t></w:r></w:p></w:footnote>'


def _docx(body: str, **parts: str) -> bytes:
    """Return a document with a body, and with parts in XML: ``numbering``, ``footnotes`` or ``styles``."""
    written = io.BytesIO()
    related = "".join(f'<Relationship Id="p{name}" Type="{_KINDS}/{name}" Target="{name}.xml"/>' for name in parts) + (
        f'<Relationship Id="rLink" Type="{_KINDS}/hyperlink" TargetMode="External" Target="http://a.example/?a=1&amp;b=2"/>'
        f'<Relationship Id="rImage" Type="{_KINDS}/image" Target="media/mapa.png"/>'
    )
    with zipfile.ZipFile(written, "w") as archive:
        overrides = "".join(
            f'<Override PartName="/word/{name}.xml" ContentType="{_TYPES}.{name}+xml"/>' for name in parts
        )
        archive.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
            f'<Override PartName="/word/document.xml" ContentType="{_TYPES}.document.main+xml"/>{overrides}</Types>',
        )
        head = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        first = f'<Relationship Id="r1" Type="{_KINDS}/officeDocument" Target="word/document.xml"/>'
        archive.writestr("_rels/.rels", f"{head}{first}</Relationships>")
        archive.writestr("word/_rels/document.xml.rels", f"{head}{related}</Relationships>")
        archive.writestr("word/document.xml", f"<w:document {_SPACES}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/media/mapa.png", b"\x89PNG")
        for name, content in parts.items():
            archive.writestr(f"word/{name}.xml", f"<w:{name} {_SPACES}>{content}</w:{name}>")
    return written.getvalue()


def _p(words: str, properties: str = "") -> str:
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{words}</w:p>"


def _r(words: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


def _item(words: str, level: int, number: int = 1) -> str:
    return _p(_r(words), f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


@cases("word", "shown")
def test_document_is_read_as_word_shows_it(row: dict[str, Any]) -> None:
    read = read_docx(_docx(row["body"], numbering=_NUMBERING, styles=_STYLES, footnotes=_FOOTNOTES))
    assert [line.text for line in read.lines] == row["lines"]
    assert [list(each) for each in (*read.beside, *read.notes)] == row["beside"]


def test_format_of_words_and_lines_is_kept() -> None:
    link = f'<w:hyperlink r:id="rLink">{_r("Lei 9")}</w:hyperlink>'
    centred = _p(_r("TÍTULO I", "<w:b/>"), '<w:jc w:val="center"/>')
    body = centred + _p(_r("Art. 1º Velho.", "<w:strike/>")) + _p(_r("Art. 1º Novo. ", '<w:strike w:val="0"/>') + link)
    title, old, new = read_docx(_docx(body)).lines
    assert (title.bold, title.centred, title.number) == (True, True, 1)
    assert (old.struck, old.number, new.struck, new.number) == (True, 2, False, 3)
    assert new.href(0, len(new.text)) == "http://a.example/?a=1&b=2"


_UNREAD_LEVEL = '<w:abstractNum w:abstractNumId="9"><w:lvl w:ilvl="x"/></w:abstractNum>'


@pytest.mark.parametrize(
    "numbering",
    [
        "",
        f'{_UNREAD_LEVEL}<w:num w:numId="1"><w:abstractNumId w:val="9"/></w:num>',
        '<w:num w:numId="1"/>',
        '<w:num w:numId="1"><w:abstractNumId w:val="9"/></w:num>',
        '<w:abstractNum w:abstractNumId="9"/><w:num w:numId="1"><w:abstractNumId w:val="9"/></w:num>',
        '<w:abstractNum w:abstractNumId="9"><w:lvl w:ilvl="0"><w:lvlText w:val=""/></w:lvl></w:abstractNum>'  # noqa: ISC004
        '<w:num w:numId="1"><w:abstractNumId w:val="9"/></w:num>',
    ],
)
def test_list_without_definition_has_no_numbers(numbering: str) -> None:
    assert [line.text for line in read_docx(_docx(_item("palavras.", 0), numbering=numbering)).lines] == ["palavras."]


@pytest.mark.parametrize(
    "raw",
    [
        b"PK\x03\x04",
        b"PK\x03\x04" + bytes(99),
        _docx("<w:p>"),
        _docx("", numbering="<w:lvl>"),
        _docx("", footnotes="<w:p>"),
    ],
)
def test_damaged_document_is_refused(raw: bytes) -> None:
    with pytest.raises(BadRecord) as caught:
        read_docx(raw)
    assert caught.value.code == "bad-archive"
