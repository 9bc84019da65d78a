"""Tests of Word documents: what the reader gives is what Word shows."""

from __future__ import annotations

import io
import zipfile

import pytest

from graph.errors import BadRecord
from loaders.articulated.word import read_docx
from tests.support.cases import constant

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


_BOX = "<w:txbxContent>" + _p(_r("Na caixa.")) + "</w:txbxContent>"


@pytest.mark.parametrize(
    ("body", "lines", "beside"),
    [
        pytest.param(
            _p(_r("Nos termos da ") + f'<w:hyperlink r:id="rLink">{_r("Lei 9")}</w:hyperlink>' + _r(", vale.")),
            ["Nos termos da Lei 9, vale."],
            [],
            id="link",
        ),
        pytest.param(
            _p(
                _r("Em ")
                + f"<w:del>{_r('dez').replace('w:t', 'w:delText')}</w:del><w:ins>{_r('vinte')}</w:ins>"
                + f"<w:moveFrom>{_r('já')}</w:moveFrom>{_r(' dias.')}"
            ),
            ["Em vinte dias."],
            [(1, "dez"), (1, "já")],
            id="tracked changes",
        ),
        pytest.param(
            _p(_r("Primeira "), "<w:rPr><w:del/></w:rPr>") + _p(_r("parte.")) + _p(_r("Fim.")),
            ["Primeira parte.", "Fim."],
            [],
            id="deleted end of a paragraph",
        ),
        pytest.param(
            _item("Um.", 0) + _item("a;", 1) + _item("b:", 1) + _item("x;", 2) + _item("y.", 2) + _item("Dois:", 0)
            + _item("c;", 1) + _item("sub.", 3) + _item("ponto.", 4) + _item("d.", 1, 2) + _item("e.", 1),
            ["Art. 1º Um.", "I – a;", "II – b:", "a) x;", "b) y.", "Art. 2º Dois:", "I – c;", "2.1 sub.", "ponto.",
             "V – d.", "VI – e."],
            [],
            id="automatic numbers",
        ),
        pytest.param(
            _p(_r("um;"), '<w:pStyle w:val="Inciso"/>')
            + _p(_r("dois;"), '<w:pStyle w:val="Outro"/>')
            + _p(_r("Sem número."), '<w:pStyle w:val="Inciso"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
            ["I – um;", "II – dois;", "Sem número."],
            [],
            id="numbers of a style",
        ),
        pytest.param(
            _p(_r("Há nota") + '<w:r><w:footnoteReference w:id="3"/></w:r>' + _r(" e ") + _r("oculto", "<w:vanish/>")),
            ["Há nota e"],
            [(1, "oculto"), (1, "Ver a Lei 99.901.")],
            id="foot note and hidden words",
        ),
        pytest.param(
            _p(
                f"<mc:AlternateContent><mc:Choice>{_BOX}</mc:Choice><mc:Fallback>{_BOX}</mc:Fallback></mc:AlternateContent>"
                + _r("Antes.")
            ),
            ["Antes.", "Na caixa."],
            [],
            id="text box, once",
        ),
        pytest.param(
            "<w:tbl><w:tblPr/>"
            + "".join(
                f"<w:tr>{''.join(f'<w:tc>{_p(_r(cell))}</w:tc>' for cell in row)}</w:tr>"
                for row in (("Cargo", "Vagas"), ("Fiscal | chefe", "3"))
            )
            + "<w:tr><w:trPr><w:del/></w:trPr><w:tc>" + _p(_r("Guarda")) + "</w:tc></w:tr></w:tbl>",
            ["| Cargo | Vagas |", "| Fiscal \\| chefe | 3 |"],
            [(5, "Guarda")],
            id="table",
        ),
        pytest.param(
            _p(
                '<w:r><w:drawing><wp:docPr descr="Mapa da zona"/><a:blip r:embed="rImage"/></w:drawing></w:r>'
                '<w:r><w:t>A</w:t><w:noBreakHyphen/><w:t>B</w:t><w:tab/><w:t>C</w:t></w:r>'
            ),
            ["[imagem word/media/mapa.png: Mapa da zona] A-B C"],
            [],
            id="image, hyphen and tab",
        ),
        pytest.param(
            "<w:sdt><w:sdtPr><w:t>não</w:t></w:sdtPr><w:sdtContent>"
            + _p(_r("No controle.")) + "</w:sdtContent></w:sdt>"
            + _p('<w:r><w:fldChar/><w:instrText>REF x</w:instrText></w:r><w:fldSimple w:instr="x">' + _r("Campo.")
                 + "</w:fldSimple><m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>"),
            ["No controle.", "Campo.a+b"],
            [],
            id="controls, fields and formulas",
        ),
        pytest.param(
            _p('<w:r><w:t>Caput.</w:t><w:br/><w:t>Segunda linha &lt;b&gt;.</w:t></w:r>'),
            ["Caput.", "Segunda linha <b>."],
            [],
            id="line break and signs of HTML",
        ),
    ],
)  # fmt: skip
def test_document_is_read_as_word_shows_it(body: str, lines: list[str], beside: list[tuple[int, str]]) -> None:
    read = read_docx(_docx(body, numbering=_NUMBERING, styles=_STYLES, footnotes=_FOOTNOTES))
    assert [line.text for line in read.lines] == lines
    assert [*read.beside, *read.notes] == beside


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
