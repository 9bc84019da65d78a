"""Tests of OpenDocument texts: what the reader gives is what an office program shows."""

from __future__ import annotations

import io
import zipfile

import pytest

from graph.errors import BadRecord
from loaders.articulated.odt import read_odt
from loaders.articulated.reading import read_articulated
from tests.support.cases import constant

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


_CHANGES = """<text:tracked-changes><text:changed-region><text:deletion><office:change-info>
<dc:creator>Ana</dc:creator><dc:date>2001-02-03</dc:date></office:change-info><text:p>dez</text:p></text:deletion>
</text:changed-region></text:tracked-changes>"""
_CELLS = '<table:table-cell table:number-columns-spanned="2"><text:p>Cargo</text:p></table:table-cell>'


@pytest.mark.parametrize(
    ("body", "lines", "aside"),
    [
        pytest.param(
            _p('Nos termos da <text:a xlink:href="/lei9">Lei <text:span>9</text:span></text:a>,<text:s/>vale.'),
            ["Nos termos da Lei 9, vale."],
            [],
            id="link",
        ),
        pytest.param(
            _CHANGES + _p('Em <text:change/><text:change-start/>vinte<text:change-end/> dias<text:tab/>e.'),
            ["Em vinte dias e."],
            [(1, "dez")],
            id="tracked changes",
        ),
        pytest.param(
            _list(_p("Um:") + _list(_p("a:") + _list(_p("x;"), _p("y."), style=""), _p("b."), style=""), _p("Dois."))
            + _p("Meio.")
            + _list(_p("Três."), style=' text:style-name="L1" text:continue-numbering="true"')
            + _list(_p("Nove."), more=' text:start-value="9"')
            + _list(_p("ponto"), style=' text:style-name="L2"'),
            ["Art. 1º Um:", "I – a:", "a) x;", "b) y.", "II – b.", "Art. 2º Dois.", "Meio.", "Art. 3º Três.",
             "Art. 9º Nove.", "ponto"],
            [],
            id="automatic numbers",
        ),
        pytest.param(
            '<text:h text:outline-level="1">Um</text:h><text:h text:outline-level="1">Dois</text:h>'
            '<text:h text:outline-level="2">Sem</text:h>',
            ["CAPÍTULO I Um", "CAPÍTULO II Dois", "Sem"],
            [],
            id="numbers of headings",
        ),
        pytest.param(
            _p("Há nota<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Ver a Lei 99.901."
               "</text:p></text:note-body></text:note> e<text:span text:style-name='T2'> oculto</text:span>."
               "<office:annotation><dc:creator>Ana</dc:creator><text:p>confira</text:p></office:annotation>"),
            ["Há nota e."],
            [(1, "oculto"), (1, "confira"), (1, "Ver a Lei 99.901.")],
            id="foot note, hidden words and comment",
        ),
        pytest.param(
            "<table:table><table:table-column/><table:table-header-rows><table:table-row>" + _CELLS
            + "<table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>"
            + "".join(f"<table:table-cell>{_p(each)}</table:table-cell>" for each in ("Fiscal | chefe", "3"))
            + "</table:table-row><table:table-row><table:table-cell table:number-columns-repeated='2'/>"
            + "</table:table-row>"
            + "<table:table-row>" + f"<table:table-cell>{_p('x')}</table:table-cell>" * 2
            + "</table:table-row></table:table>",
            ["| Cargo | |", "| Fiscal \\| chefe | 3 |", "| x | x |"],
            [],
            id="table",
        ),
        pytest.param(
            _p('Antes.<draw:frame><draw:text-box><text:p>Na caixa.</text:p></draw:text-box></draw:frame>'
               '<draw:frame><draw:image xlink:href="Pictures/m.png"/><svg:title>Mapa</svg:title></draw:frame>'),
            ["Antes. [imagem Pictures/m.png: Mapa]", "Na caixa."],
            [],
            id="text box and image",
        ),
        pytest.param(
            '<text:section><text:table-of-content><text:index-body>' + _p("Índice") + '</text:index-body>'
            '</text:table-of-content>' + _p("Caput.<text:line-break/>Segunda &lt;b&gt;.") + "</text:section>",
            ["Índice", "Caput.", "Segunda <b>."],
            [],
            id="section, index, line break and signs of HTML",
        ),
    ],
)  # fmt: skip
def test_document_is_read_as_it_is_shown(body: str, lines: list[str], aside: list[tuple[int, str]]) -> None:
    read = read_odt(_odt(body))
    assert [line.text for line in read.lines] == lines
    assert [*read.beside, *read.notes] == aside


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
