"""A text as a file: PDF, DOCX, EPUB and plain text, each with its day, its address and the day of access."""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from itertools import groupby
from types import MappingProxyType

from docx import Document
from docx.document import Document as DocxDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Cm, Pt
from docx.styles.style import ParagraphStyle as DocxStyle
from reportlab.lib.colors import black
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Paragraph, SimpleDocTemplate, Table

from graph.wording.tables import Row, cells_of, row_line
from service.output import shown
from service.web.tasks.messages import CappedBuffer

#: The name of this service, which made the file. The author of a law is another one.
PUBLISHER = "Vigente"
#: The indentation of each kind of line, in steps.
_INDENTS: Mapping[str, int] = MappingProxyType({"step1": 1, "step2": 2, "step3": 3})
#: The earliest time that a zip file can have. A fixed time makes files of the same text identical.
_EPOCH = (1980, 1, 1, 0, 0, 0)
#: The maximum number of characters of one paragraph of a PDF, about two pages.
_LONGEST_PARAGRAPH = 8_000
#: The maximum number of characters of one word of a PDF, about ten lines.
_LONGEST_WORD = 1_000
#: The width of a table of a PDF, and the maximum number of its columns.
_TABLE_WIDTH, _MOST_COLUMNS = 16.6 * cm, 12
_LONG_WORD = re.compile(rf"[^ ]{{{_LONGEST_WORD}}}(?=[^ ])")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text.

    Attributes:
        role: the style of the line: the role of a block, ``heading`` or ``note``.
        label: the label before its words; None where it has none.
        text: its words.
        entry: the line of the outline that leads to it; None where the outline has none.
        level: the level of that entry, from 1.
    """

    role: str
    label: str | None
    text: str
    entry: str | None = None
    level: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """A section before or after the text, such as its notices.

    Attributes:
        title: its heading.
        paragraphs: its paragraphs; at least one.
    """

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileContent:
    """The content of a file.

    Attributes:
        title: the title of the norm or provision.
        summaries: the ementas of the sources.
        about: sentences about the text: its day, the day of access, and that it is not official.
        address: the address of the text.
        language: a language tag.
        lines: the lines in order.
        identifier: the canonical name.
        author: the authority of the norm; empty where the name has only the level of government.
        made: the day on which the file was made; None where it is unknown.
        dated_title: the title with the day of the text, for the metadata of the file; empty for the title alone.
        before: the sections before the text.
        after: the sections after the text.
    """

    title: str
    summaries: tuple[str, ...]
    about: tuple[str, ...]
    address: str
    language: str
    lines: tuple[Line, ...]
    identifier: str
    author: str = ""
    made: date | None = None
    dated_title: str = ""
    before: tuple[Section, ...] = ()
    after: tuple[Section, ...] = ()

    @property
    def metadata_title(self) -> str:
        """Return the title for the metadata of the file."""
        return self.dated_title or self.title


@dataclass(frozen=True, slots=True)
class File:
    """A file format: its media type and its writer."""

    media: str
    write: Callable[[FileContent], bytes]


def as_plain_text(printed: FileContent) -> bytes:
    """Return the text in UTF-8, with a paragraph on each line."""
    lines = [printed.title, *printed.summaries, *printed.about, printed.address]
    for section in printed.before:
        lines += ["", section.title, *(f"- {paragraph}" for paragraph in section.paragraphs)]
    lines.append("")
    for line in printed.lines:
        own = " ".join(filter(None, (line.label, line.text)))
        lines += [own] if line.role == "note" else ["", own] if line.role == "grouping" else [f"{_indent(line)}{own}"]
    for section in printed.after:
        lines += ["", section.title, *(f"- {paragraph}" for paragraph in section.paragraphs)]
    return ("\n".join(shown(text_line) for text_line in lines) + "\n").encode("utf-8", "backslashreplace")


def _indent(line: Line) -> str:
    return "  " * _INDENTS.get(line.role, 0)


def _lines_and_tables(lines: Sequence[Line]) -> Iterator[tuple[int, Line | tuple[Row, ...]]]:
    """Yield each line with its index; consecutive rows of a table are one table."""
    indexed = ((index, line, cells_of(line.text) if not line.label else None) for index, line in enumerate(lines))
    for is_table, group in groupby(indexed, key=lambda entry: entry[2] is not None):
        entries = list(group)
        if is_table:
            yield entries[0][0], tuple(cells for _, _, cells in entries if cells is not None)
        else:
            yield from ((index, line) for index, line, _ in entries)


def as_pdf(printed: FileContent) -> bytes:
    """Return the text as PDF on A4, in the standard fonts.

    The footer has the address and the page number, and the outline has the structure of the text.
    """
    out = CappedBuffer()
    pages = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=2.2 * cm,
        rightMargin=2.2 * cm,
        topMargin=2 * cm,
        bottomMargin=2.2 * cm,
        title=shown(printed.metadata_title),
        subject=printed.identifier,
        keywords=[printed.address],
        creator=PUBLISHER,
        lang=printed.language,
        invariant=1,
    )

    def foot(canvas: Canvas, template: BaseDocTemplate) -> None:
        canvas.setAuthor(_replace_missing_glyphs(printed.author))
        if printed.made is not None:
            created = f"D:{printed.made:%Y%m%d}000000Z"
            canvas.setDateFormatter(lambda *_: created)
        if template.page == 1:
            _outline(canvas, printed.lines)
        canvas.setFont("Helvetica", 7.5)
        address = _replace_missing_glyphs(printed.address)
        for index, start in enumerate(range(0, min(len(address), 240), 120)):
            canvas.drawString(2.2 * cm, 1.5 * cm - index * 9, address[start : start + 120])
        canvas.drawRightString(A4[0] - 2.2 * cm, 1.5 * cm, str(template.page))

    pages.build(list(_flow(printed)), onFirstPage=foot, onLaterPages=foot)
    return out.getvalue()


def _flow(printed: FileContent) -> Iterator[Flowable]:
    """Yield the paragraphs of a PDF. A line of the outline begins with its anchor."""
    styles = _styles()
    yield from _paragraphs(printed.title, styles["title"])
    for summary in printed.summaries:
        yield from _paragraphs(summary, styles["front"])
    for note in (*printed.about, printed.address):
        yield from _paragraphs(note, styles["note"])
    yield from _section_flow(printed.before)
    for index, line in _lines_and_tables(printed.lines):
        if isinstance(line, tuple):
            yield from _pdf_table(line, styles)
            continue
        anchor = f'<a name="{_anchor(index)}"/>' if line.entry is not None else ""
        yield from _paragraphs(line.text, styles.get(line.role, styles["step0"]), line.label, anchor)
    yield from _section_flow(printed.after)


def _pdf_table(rows: Sequence[Row], styles: Mapping[str, ParagraphStyle]) -> Iterator[Flowable]:
    """Yield a table; one that is too wide, or has a very long cell, as a paragraph for each row."""
    width = max(map(len, rows))
    if width > _MOST_COLUMNS or any(len(cell) > _LONGEST_WORD for row in rows for cell in row):
        for row in rows:
            yield from _paragraphs(row_line(row), styles["step0"])
        return
    filled = ((*row, *[""] * (width - len(row))) for row in rows)
    cells = [[_paragraph("", _replace_missing_glyphs(cell), styles["cell"]) for cell in row] for row in filled]
    grid = ("GRID", (0, 0), (-1, -1), 0.25, black)
    yield Table(cells, colWidths=[_TABLE_WIDTH / width] * width, style=[grid], spaceAfter=6)


def _section_flow(sections: Iterable[Section]) -> Iterator[Flowable]:
    styles = _styles()
    for section in sections:
        yield from _paragraphs(section.title, styles["section"])
        for paragraph in section.paragraphs:
            yield from _paragraphs(paragraph, styles["note"])


def _paragraphs(text: str, style: ParagraphStyle, label: str | None = None, anchor: str = "") -> Iterator[Flowable]:
    """Yield a text as a paragraph; a very long one as several, each of which the library lays out in bounded time.

    The library takes quadratic time to break a long word into lines and a long paragraph into pages.
    """
    words = _replace_missing_glyphs(text)
    bold = _replace_missing_glyphs(label) if label else ""
    if len(bold) > _LONGEST_WORD:
        words, bold = f"{bold} {words}", ""
    marks = anchor + (f"<b>{html.escape(bold, quote=False)}</b>" if bold else "")
    *begun, last = _pieces(words)
    for piece in begun:
        yield _paragraph(marks, piece, _unspaced(style))
        marks = ""
    yield _paragraph(marks, last, style)


def _paragraph(marks: str, words: str, style: ParagraphStyle) -> Paragraph:
    """Return a paragraph of marked text and words. The library parses the marks only: it is slow at escapes."""
    made = Paragraph(f"{marks}x", style)
    made.frags[-1].text = f" {words}" if marks.endswith("</b>") else words
    return made


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces of a bounded length; at least one. A piece ends after a space or within a long word.

    >>> [len(piece) for piece in _pieces("abc " * 5_000 + "a" * 2_500)]
    [8000, 8000, 5000, 1000, 500]
    """
    for part in _LONG_WORD.sub("\\g<0>\n", text).split("\n"):
        start = 0
        while len(part) - start > _LONGEST_PARAGRAPH:
            end = part.rindex(" ", start, start + _LONGEST_PARAGRAPH) + 1
            yield part[start:end]
            start = end
        yield part[start:]


def _anchor(index: int) -> str:
    return f"l{index}"


def _outline(canvas: Canvas, lines: Sequence[Line]) -> None:
    """Add the entries of the outline. An entry is at most one level below the one before it, as PDF readers need."""
    levels: list[int] = []
    for index, line in enumerate(lines):
        if line.entry is None:
            continue
        while levels and levels[-1] >= line.level:
            levels.pop()
        levels.append(line.level)
        canvas.addOutlineEntry(shown(line.entry), _anchor(index), len(levels) - 1, closed=line.role != "grouping")
    if levels:
        canvas.showOutline()


def _replace_missing_glyphs(text: str) -> str:
    """Return a text in the characters of the standard fonts. Other characters become their code points.

    >>> _replace_missing_glyphs("Art. 1º – “a” \\u2603")
    'Art. 1º – “a” [U+2603]'
    """
    stated = shown(text)
    if stated.isascii():
        return stated
    return "".join(
        character if character.encode("cp1252", "ignore") else f"[U+{ord(character):04X}]" for character in stated
    )


@cache
def _unspaced(style: ParagraphStyle) -> ParagraphStyle:
    """Return the style of a paragraph that the next one continues."""
    return ParagraphStyle(f"{style.name} continued", style, spaceAfter=0, spaceBefore=0, keepWithNext=0)


@cache
def _styles() -> Mapping[str, ParagraphStyle]:
    base = ParagraphStyle("step0", fontName="Times-Roman", fontSize=11, leading=14.5, spaceAfter=4)
    made = {"step0": base}
    for role, steps in _INDENTS.items():
        made[role] = ParagraphStyle(role, base, leftIndent=steps * 0.7 * cm)
    made["front"] = ParagraphStyle("front", base, fontName="Times-Italic", alignment=TA_CENTER, spaceAfter=8)
    made["cell"] = ParagraphStyle("cell", base, fontSize=8.5, leading=10.5, spaceAfter=0)
    made["heading"] = ParagraphStyle("heading", base, fontName="Times-Bold")
    made["grouping"] = ParagraphStyle(
        "grouping", base, fontName="Times-Bold", alignment=TA_CENTER, spaceBefore=10, keepWithNext=1
    )
    made["section"] = ParagraphStyle(
        "section", base, fontName="Helvetica-Bold", fontSize=9.5, spaceBefore=8, keepWithNext=1
    )
    made["note"] = ParagraphStyle("note", base, fontName="Helvetica", fontSize=8.5, leading=11)
    made["title"] = ParagraphStyle("title", base, fontName="Times-Bold", fontSize=17, leading=21, spaceAfter=8)
    return MappingProxyType(made)


def as_docx(printed: FileContent) -> bytes:
    """Return the text as a document for Word and LibreOffice."""
    made = Document()
    made.core_properties.title = shown(printed.metadata_title)[:255]
    made.core_properties.identifier = printed.address[:255]
    made.core_properties.last_modified_by = made.core_properties.comments = PUBLISHER
    made.core_properties.author = shown(printed.author)[:255]
    if printed.made is not None:
        created = datetime.combine(printed.made, time())
        made.core_properties.created = made.core_properties.modified = created
    made.core_properties.subject = printed.identifier[:255]
    made.core_properties.language = printed.language
    for section in made.sections:
        section.page_width, section.page_height = Cm(21), Cm(29.7)
    normal = made.styles["Normal"]
    assert isinstance(normal, DocxStyle)  # noqa: S101 - every document of the library has it
    normal.font.name, normal.font.size = "Times New Roman", Pt(11)
    made.add_heading(shown(printed.title), 0)
    for front_text in printed.summaries:
        made.add_paragraph().add_run(shown(front_text)).italic = True
    for front_text in (*printed.about, printed.address):
        made.add_paragraph().add_run(shown(front_text)).font.size = Pt(8.5)
    _add_sections(made, printed.before)
    for _, line in _lines_and_tables(printed.lines):
        if isinstance(line, tuple):
            _add_table(made, line)
            continue
        if line.role == "grouping":
            made.add_heading(shown(line.text), 2).alignment = WD_ALIGN_PARAGRAPH.CENTER
            continue
        paragraph = made.add_paragraph()
        paragraph.paragraph_format.left_indent = Cm(0.7 * _INDENTS.get(line.role, 0))
        paragraph.paragraph_format.space_after = Pt(4)
        if line.label:
            paragraph.add_run(f"{shown(line.label)} ").bold = True
        run = paragraph.add_run(shown(line.text))
        run.italic, run.bold = line.role == "front", line.role == "heading"
        if line.role == "note":
            run.font.size = Pt(8.5)
    _add_sections(made, printed.after)
    out = CappedBuffer()
    made.save(out)
    return out.getvalue()


def _add_table(made: DocxDocument, rows: Sequence[Row]) -> None:
    table = made.add_table(len(rows), max(map(len, rows)), "Table Grid")
    for written, row in zip(table.rows, rows, strict=True):
        for cell, text in zip(written.cells, row, strict=False):
            cell.text = shown(text)


def _add_sections(made: DocxDocument, sections: Iterable[Section]) -> None:
    for section in sections:
        made.add_heading(shown(section.title), 2)
        for paragraph in section.paragraphs:
            made.add_paragraph().add_run(shown(paragraph)).font.size = Pt(8.5)


_CONTAINER = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
)
_BOOK_STYLE = (
    "body{line-height:1.5}.step1{margin-left:1.2em}.step2{margin-left:2.4em}.step3{margin-left:3.6em}"
    ".note{font-size:.8em}.front{font-style:italic;text-align:center}h2{text-align:center;font-size:1.1em}"
    ".heading{font-weight:bold}p{margin:.4em 0}table{border-collapse:collapse}td{border:1px solid;padding:.2em}"
)


def as_epub(printed: FileContent) -> bytes:
    """Return the text as an EPUB 3 book with a table of contents."""
    body, contents = _book_body(printed.lines)
    title = _xml(printed.title)
    about = "".join(f'<p class="front">{_xml(summary)}</p>' for summary in printed.summaries)
    about += "".join(f'<p class="note">{_xml(paragraph)}</p>' for paragraph in (*printed.about, printed.address))
    before, after = (_book_sections(sections) for sections in (printed.before, printed.after))
    text = _xhtml(printed, f"<h1>{title}</h1>{about}{before}{body}{after}")
    listed = contents or f'<li><a href="text.xhtml">{title}</a></li>'
    nav = _xhtml(printed, f'<nav epub:type="toc" id="toc"><h1>{title}</h1><ol>{listed}</ol></nav>')
    creator = f"<dc:creator>{_xml(printed.author)}</dc:creator>" if printed.author else ""
    changed = printed.made or date(*_EPOCH[:3])
    package = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">{_xml(printed.address)}</dc:identifier>'
        f"<dc:title>{_xml(printed.metadata_title)}</dc:title><dc:language>{printed.language}</dc:language>"
        f"<dc:source>{_xml(printed.identifier)}</dc:source><dc:publisher>{PUBLISHER}</dc:publisher>"
        f"{creator}"
        f'<meta property="dcterms:modified">{changed.isoformat()}T00:00:00Z</meta></metadata><manifest>'
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="text" href="text.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="style" href="style.css" media-type="text/css"/></manifest>'
        '<spine><itemref idref="text"/></spine></package>\n'
    )
    out = CappedBuffer()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        kept = zipfile.ZipInfo("mimetype", _EPOCH)
        book.writestr(kept, "application/epub+zip", zipfile.ZIP_STORED)
        files = {
            "META-INF/container.xml": _CONTAINER,
            "book.opf": package,
            "nav.xhtml": nav,
            "text.xhtml": text,
            "style.css": _BOOK_STYLE,
        }
        for name, content in files.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            book.writestr(member, content.encode("utf-8", "backslashreplace"))
    return out.getvalue()


def _book_sections(sections: Iterable[Section]) -> str:
    return "".join(
        f"<h2>{_xml(section.title)}</h2>{''.join(f'<p>{_xml(paragraph)}</p>' for paragraph in section.paragraphs)}"
        for section in sections
    )


def _book_body(lines: Sequence[Line]) -> tuple[str, str]:
    """Return the lines as XHTML, and the table of contents as list items."""
    body: list[str] = []
    contents: list[str] = []
    for _, line in _lines_and_tables(lines):
        if isinstance(line, tuple):
            rows = ("".join(f"<td>{_xml(cell)}</td>" for cell in row) for row in line)
            body.append(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
            continue
        if line.role == "grouping":
            body.append(f'<h2 id="s{len(contents)}">{_xml(line.text)}</h2>')
            contents.append(f'<li><a href="text.xhtml#s{len(contents)}">{_xml(line.text)}</a></li>')
            continue
        label = f"<b>{_xml(line.label)}</b> " if line.label else ""
        body.append(f'<p class="{line.role}">{label}{_xml(line.text)}</p>')
    return "\n".join(body), "".join(contents)


def _xhtml(printed: FileContent, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'xml:lang="{printed.language}" lang="{printed.language}"><head><title>{_xml(printed.metadata_title)}</title>'
        f'<link rel="stylesheet" href="style.css"/></head><body>{body}</body></html>\n'
    )


def _xml(text: str) -> str:
    """Return a text escaped for XML, without the characters that XML forbids."""
    return html.escape(shown(text), quote=True)


#: The file formats, by their values of ``format``.
FILES: Mapping[str, File] = MappingProxyType(
    {
        "pdf": File("application/pdf", as_pdf),
        "docx": File("application/vnd.openxmlformats-officedocument.wordprocessingml.document", as_docx),
        "epub": File("application/epub+zip", as_epub),
        "txt": File("text/plain; charset=utf-8", as_plain_text),
    }
)
