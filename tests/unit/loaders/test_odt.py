"""Tests of OpenDocument texts: what the reader gives is what an office program shows."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from graph.errors import BadRecord
from loaders.articulated.odt import read_odt
from loaders.articulated.reading import read_articulated
from tests.support.cases import cases, constant

_NS = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "style": "style", "fo": "xsl-fo-compatible", "table": "table",
        "draw": "drawing", "svg": "svg-compatible",
    }.items()
) + ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'  # fmt: skip
_STYLES = constant("odt", "styles")


def _odt(body: str, manifest: str = "", name: str = "content.xml") -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", f"<manifest>{manifest}</manifest>")
        archive.writestr("styles.xml", f"<office:document-styles {_NS}><office:styles/></office:document-styles>")
        content = f"<office:automatic-styles>{_STYLES}</office:automatic-styles><office:body>"
        content = f"{content}<office:text>{body}</office:text></office:body>"
        archive.writestr(name, f"<office:document-content {_NS}>{content}</office:document-content>")
    return written.getvalue()


def _p(words: str) -> str:
    return f"<text:p>{words}</text:p>"


def _list(*items: str, style: str = ' text:style-name="L1"', more: str = "") -> str:
    written = "".join(f"<text:list-item{more if not n else ''}>{each}</text:list-item>" for n, each in enumerate(items))
    return f"<text:list{style}>{written}</text:list>"


@cases("odt", "shown")
def test_document_is_read_as_it_is_shown(row: dict[str, Any]) -> None:
    read = read_odt(_odt(row["body"]))
    assert [line.text for line in read.lines] == row["lines"]
    assert [list(each) for each in (*read.beside, *read.notes)] == row["beside"]


def test_format_of_words_is_that_of_their_styles() -> None:
    written = '<text:p text:style-name="P1">TÍTULO I</text:p>'
    title, old = read_odt(_odt(written + _p('<text:span text:style-name="T1">Art. 1º Velho.</text:span>'))).lines
    assert (title.bold, title.centred, title.struck, title.number) == (True, True, False, 1)
    assert (old.bold, old.centred, old.struck, old.number) == (False, False, True, 2)


def test_document_has_the_provisions_of_its_text() -> None:
    head = _p("LEI Nº 99.901, DE 5 DE MARÇO DE 2001") + _p("Dispõe.") + _p("O PREFEITO DO MUNICÍPIO decreta:")
    read = read_articulated(_odt(head + _list(_p("Um:") + _list(_p("a;"), _p("b."), style=""))))
    assert [each.id for each in read.text.provisions[-3:]] == ["art1_cpt", "art1_cpt_inc1", "art1_cpt_inc2"]


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (_odt(_p("x"))[:-40], "bad-archive"),
        (_odt("<text:p>"), "bad-archive"),
        (_odt(_p("x"), name="other.xml"), "bad-archive"),
        (_odt(_p("x"), manifest="<encryption-data/>"), "encrypted"),
        (_odt("<text:section>" * 300 + "</text:section>" * 300), "bad-archive"),
        (_odt(_p("0" * (129 << 20))), "archive-bomb"),
    ],
)
def test_damaged_document_is_refused(raw: bytes, code: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read_odt(raw)
    assert caught.value.code == code
