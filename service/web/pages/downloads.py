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
from typing import Any

from docx import Document
from docx.document import Document as DocxDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.section import Section as DocxSection
from docx.shared import Cm, Pt, RGBColor
from docx.styles.style import ParagraphStyle as DocxStyle
from reportlab.lib.colors import black
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Paragraph, SimpleDocTemplate, Table

from graph.wording.folding import folded
from graph.wording.tables import Row, cells_of, row_line
from service.output import shown
from service.web.pages.frame import filled
from service.web.tasks.messages import CappedBuffer

#: The name of this service, which made the file. The author of a law is another one.
PUBLISHER = "Vigente"
#: The indentation of each kind of line, in steps.
_INDENTS: Mapping[str, int] = MappingProxyType({"step1": 1, "step2": 2, "step3": 3})
#: The margins of a page in centimetres, as ABNT NBR 14724 sets them: left and top, right and bottom.
_WIDE, _NARROW = 3, 2
#: The number of a page and that of all pages, below each page.
_PAGE = "Página {} de {}"
#: The earliest time that a zip file can have. A fixed time makes files of the same text identical.
_EPOCH = (1980, 1, 1, 0, 0, 0)
#: The maximum number of characters of one paragraph of a PDF, about two pages.
_LONGEST_PARAGRAPH = 8_000
#: The maximum number of characters of one word of a PDF, about ten lines.
_LONGEST_WORD = 1_000
#: The width of a table of a PDF, and the maximum number of its columns.
_TABLE_WIDTH, _MOST_COLUMNS = A4[0] - (_WIDE + _NARROW) * cm, 12
_LONG_WORD = re.compile(rf"[^ ]{{{_LONGEST_WORD}}}(?=[^ ])")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text.

    Attributes:
        role: the style of the line: the role of a block, ``heading`` or ``note``; of a file, also ``title``, ``about``,
            ``section`` or ``remark``.
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
    """A section after the text, such as its notices.

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
        sections: the sections after the text.
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
    sections: tuple[Section, ...] = ()

    @property
    def metadata_title(self) -> str:
        """Return the title for the metadata of the file."""
        return self.dated_title or self.title

    @property
    def flow(self) -> Iterator[Line]:
        """Yield all lines of the file: the title, the data of the text, its lines, and the sections.

        A line of the text that repeats the title or a summary is left out.
        """
        said = {folded(text) for text in (self.title, *self.summaries)}
        yield Line("title", None, self.title)
        yield from (Line("front", None, summary) for summary in self.summaries)
        yield from (Line("about", None, sentence) for sentence in (*self.about, self.address))
        yield from (line for line in self.lines if line.role != "front" or line.label or folded(line.text) not in said)
        for section in self.sections:
            yield Line("section", None, section.title)
            yield from (Line("remark", None, paragraph) for paragraph in section.paragraphs)


@dataclass(frozen=True, slots=True)
class File:
    """A file format: its media type and its writer."""

    media: str
    write: Callable[[FileContent], bytes]


def as_plain_text(printed: FileContent) -> bytes:
    """Return the text in UTF-8, with a paragraph on each line."""
    lines, begun = list[str](), False
    for line, steps in _indented(printed.flow):
        own = " ".join(filter(None, (line.label, line.text)))
        if line.role in ("grouping", "section") or not (begun or line.role in ("title", "front", "about")):
            lines.append("")
            begun = True
        lines.append(f"- {own}" if line.role == "remark" else f"{'  ' * steps}{own}")
    return ("\n".join(shown(text_line) for text_line in lines) + "\n").encode("utf-8", "backslashreplace")


def _indented(lines: Iterable[Line]) -> Iterator[tuple[Line, int]]:
    """Yield each line with its indentation in steps. A note has that of the line before it."""
    steps = 0
    for line in lines:
        steps = steps if line.role == "note" else _INDENTS.get(line.role, 0)
        yield line, steps


def _lines_and_tables(printed: FileContent) -> Iterator[tuple[Line, int, tuple[Row, ...]]]:
    """Yield each line with its indentation and no rows. Consecutive rows of a table are one line, with the rows."""
    read = ((line, steps, cells_of(line.text) if not line.label else None) for line, steps in _indented(printed.flow))
    for is_table, group in groupby(read, key=lambda entry: entry[2] is not None):
        entries = list(group)
        if is_table:
            yield *entries[0][:2], tuple(cells for _, _, cells in entries if cells is not None)
        else:
            yield from ((line, steps, ()) for line, steps, _ in entries)


class _PagedCanvas(Canvas):
    """A canvas that knows the number of all pages when it is saved: the form ``pages``, which each page shows."""

    def save(self) -> None:
        """Write the file."""
        count = self.getPageNumber() - 1
        self.beginForm("pages")
        self.setFont("Helvetica", 7.5)
        self.drawString(0, 0, str(count))
        self.endForm()
        super().save()


def as_pdf(printed: FileContent) -> bytes:
    """Return the text as PDF on A4, in the standard fonts.

    Each page but the first has the title above the text. The footer has the address and the number of the page and of
    all pages, and the outline has the structure of the text.
    """
    out = CappedBuffer()
    pages = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=_WIDE * cm,
        rightMargin=_NARROW * cm,
        topMargin=_WIDE * cm,
        bottomMargin=_NARROW * cm,
        title=shown(printed.metadata_title),
        subject=printed.identifier,
        keywords=[printed.address],
        creator=PUBLISHER,
        lang=printed.language,
        invariant=1,
    )
    right, before = A4[0] - _NARROW * cm, _PAGE.partition(" de ")[0] + " de "

    def frame(canvas: Canvas, template: BaseDocTemplate) -> None:
        canvas.setAuthor(_replace_missing_glyphs(printed.author))
        if printed.made is not None:
            created = f"D:{printed.made:%Y%m%d}000000Z"
            canvas.setDateFormatter(lambda *_: created)
        canvas.setFont("Helvetica", 7.5)
        if template.page == 1:
            _outline(canvas, printed.flow)
        else:
            canvas.drawString(_WIDE * cm, A4[1] - 1.8 * cm, _replace_missing_glyphs(printed.title)[:120])
        address = _replace_missing_glyphs(printed.address)
        for index, start in enumerate(range(0, min(len(address), 200), 100)):
            canvas.drawString(_WIDE * cm, 1.2 * cm - index * 9, address[start : start + 100])
        canvas.drawRightString(right - 0.6 * cm, 1.2 * cm, before.format(template.page))
        canvas.saveState()
        canvas.translate(right - 0.6 * cm, 1.2 * cm)
        canvas.doForm("pages")
        canvas.restoreState()

    pages.build(list(_flow(printed)), onFirstPage=frame, onLaterPages=frame, canvasmaker=_PagedCanvas)
    return out.getvalue()


def _flow(printed: FileContent) -> Iterator[Flowable]:
    """Yield the paragraphs of a PDF. A line of the outline begins with its anchor."""
    entries = 0
    for line, steps, rows in _lines_and_tables(printed):
        if rows:
            yield from _pdf_table(rows)
            continue
        anchor = ""
        if line.entry is not None:
            anchor, entries = f'<a name="{_anchor(entries)}"/>', entries + 1
        yield from _paragraphs(line.text, _style(line.role, steps), line.label, anchor)


def _pdf_table(rows: Sequence[Row]) -> Iterator[Flowable]:
    """Yield a table; one that is too wide, or has a very long cell, as a paragraph for each row."""
    width = max(map(len, rows))
    if width > _MOST_COLUMNS or any(len(cell) > _LONGEST_WORD for row in rows for cell in row):
        for row in rows:
            yield from _paragraphs(row_line(row), _style("step0"))
        return
    filled = ((*row, *[""] * (width - len(row))) for row in rows)
    cells = [[_paragraph("", _replace_missing_glyphs(cell), _style("cell")) for cell in row] for row in filled]
    grid = ("GRID", (0, 0), (-1, -1), 0.25, black)
    yield Table(cells, colWidths=[_TABLE_WIDTH / width] * width, style=[grid], spaceAfter=6)


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


def _anchor(entry: int) -> str:
    return f"l{entry}"


def _outline(canvas: Canvas, lines: Iterable[Line]) -> None:
    """Add the entries of the outline. An entry is at most one level below the one before it, as PDF readers need."""
    levels: list[int] = []
    for index, line in enumerate(line for line in lines if line.entry is not None):
        while levels and levels[-1] >= line.level:
            levels.pop()
        levels.append(line.level)
        canvas.addOutlineEntry(shown(line.entry or ""), _anchor(index), len(levels) - 1, closed=line.role != "grouping")
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


#: The differences of the style of each kind of line from that of the text, which is in Times of 11 points.
_STYLES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "about": {"fontName": "Helvetica", "fontSize": 8.5, "leading": 11, "spaceAfter": 1},
        "cell": {"fontSize": 8.5, "leading": 10.5, "spaceAfter": 0},
        "front": {"fontName": "Times-Italic", "alignment": TA_CENTER, "spaceAfter": 8},
        "grouping": {"fontName": "Times-Bold", "alignment": TA_CENTER, "spaceBefore": 10, "keepWithNext": 1},
        "heading": {"fontName": "Times-Bold"},
        "note": {"fontName": "Helvetica", "fontSize": 8.5, "leading": 11},
        "remark": {"fontName": "Helvetica", "fontSize": 8.5, "leading": 11},
        "section": {"fontName": "Helvetica-Bold", "fontSize": 9.5, "spaceBefore": 8, "keepWithNext": 1},
        "title": {"fontName": "Times-Bold", "fontSize": 17, "leading": 21, "spaceAfter": 8},
    }
)


@cache
def _style(role: str, steps: int = 0) -> ParagraphStyle:
    base = {"fontName": "Times-Roman", "fontSize": 11, "leading": 14.5, "spaceAfter": 4, "leftIndent": steps * 0.7 * cm}
    return ParagraphStyle(role, **{**base, **_STYLES.get(role, {})})


def as_docx(printed: FileContent) -> bytes:
    """Return the text as a document for Word and LibreOffice, with header and footer as in the PDF."""
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
    _set_page(made.sections[0], printed)
    for name, size in (("Normal", 11), ("Title", 17), ("Heading 1", 12), ("Heading 2", 11)):
        style = made.styles[name]
        assert isinstance(style, DocxStyle)  # noqa: S101 - every document of the library has it
        style.font.name, style.font.size, style.font.color.rgb = "Times New Roman", Pt(size), RGBColor(0, 0, 0)
        for fonts in style.element.xpath(".//w:rFonts"):
            for attribute in [attribute for attribute in fonts.attrib if attribute.endswith("Theme")]:
                del fonts.attrib[attribute]
    for line, steps, rows in _lines_and_tables(printed):
        if rows:
            _add_table(made, rows)
            continue
        if line.role in _HEADINGS:
            heading = made.add_heading(shown(line.text), _HEADINGS[line.role])
            if line.role == "grouping":
                heading.alignment = WD_ALIGN_PARAGRAPH.CENTER
            continue
        paragraph = made.add_paragraph()
        paragraph.paragraph_format.left_indent = Cm(0.7 * steps)
        paragraph.paragraph_format.space_after = Pt(4)
        if line.label:
            paragraph.add_run(f"{shown(line.label)} ").bold = True
        run = paragraph.add_run(shown(line.text))
        run.italic, run.bold = line.role == "front", line.role == "heading"
        if line.role in _SMALL:
            run.font.size = Pt(8.5)
    out = CappedBuffer()
    made.save(out)
    return out.getvalue()


#: The lines that are headings, with their levels; and those in small letters.
_HEADINGS: Mapping[str, int] = MappingProxyType({"title": 0, "grouping": 1, "section": 2})
_SMALL = frozenset({"about", "note", "remark"})


def _set_page(section: DocxSection, printed: FileContent) -> None:
    """Set the size, the margins, the header and the footer of the pages of a document."""
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.top_margin = Cm(_WIDE)
    section.right_margin = section.bottom_margin = Cm(_NARROW)
    section.different_first_page_header_footer = True
    section.header.paragraphs[0].add_run(shown(printed.title)).font.size = Pt(8.5)
    for footer in (section.first_page_footer, section.footer):
        paragraph = footer.paragraphs[0]
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        first, middle, _ = _PAGE.split("{}")
        for words, field in ((first, "PAGE"), (middle, "NUMPAGES")):
            paragraph.add_run(words)
            counted = OxmlElement("w:fldSimple")
            counted.set(qn("w:instr"), field)
            paragraph._p.append(counted)  # noqa: SLF001 - the library has no fields


def _add_table(made: DocxDocument, rows: Sequence[Row]) -> None:
    table = made.add_table(len(rows), max(map(len, rows)), "Table Grid")
    for written, row in zip(table.rows, rows, strict=True):
        for cell, text in zip(written.cells, row, strict=False):
            cell.text = shown(text)


_BOOK_STYLE = (
    "@page{size:A4;margin:3cm 2cm 2cm 3cm}body{line-height:1.5}p{margin:.4em 0}"
    ".step1{margin-left:1.2em}.step2{margin-left:2.4em}.step3{margin-left:3.6em}"
    ".note,.about,.remark{font-size:.8em}.front{font-style:italic;text-align:center}.heading{font-weight:bold}"
    "h2{font-size:1.1em}.grouping{text-align:center}table{border-collapse:collapse}td{border:1px solid;padding:.2em}"
)


def as_epub(printed: FileContent) -> bytes:
    """Return the text as an EPUB 3 book with a table of contents."""
    lines, changed = list(_lines_and_tables(printed)), printed.made or date(*_EPOCH[:3])
    headings = _HEADINGS.keys() - {"title"}
    entries = [(i, line.text) for i, (line, _, rows) in enumerate(lines, start=1) if not rows and line.role in headings]
    files = {
        "META-INF/container.xml": filled("container.xml"),
        "book.opf": filled("book.opf", printed=printed, publisher=PUBLISHER, changed=changed),
        "nav.xhtml": filled("contents.xhtml", printed=printed, entries=entries),
        "text.xhtml": filled("book.xhtml", printed=printed, lines=lines, headings=headings),
        "style.css": _BOOK_STYLE.encode(),
    }
    out = CappedBuffer()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        kept = zipfile.ZipInfo("mimetype", _EPOCH)
        book.writestr(kept, "application/epub+zip", zipfile.ZIP_STORED)
        for name, content in files.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            book.writestr(member, content)
    return out.getvalue()


#: The file formats, by their values of ``format``.
FILES: Mapping[str, File] = MappingProxyType(
    {
        "pdf": File("application/pdf", as_pdf),
        "docx": File("application/vnd.openxmlformats-officedocument.wordprocessingml.document", as_docx),
        "epub": File("application/epub+zip", as_epub),
        "txt": File("text/plain; charset=utf-8", as_plain_text),
    }
)
