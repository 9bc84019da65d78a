"""Reading of Word documents (DOCX) by python-docx, as Word shows them, within limits on the unpacked size.

A document becomes a page in HTML, whose lines are read like those of any page. Tracked changes are read as accepted;
automatic numbers are written before their paragraphs (ECMA-376 part 1, sections 17.9 and 17.13.5). What Word does not
print in the text (deleted and hidden words, notes at the foot of a page) is returned beside it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

from docx import Document
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from lxml import etree

from graph.errors import BadRecord
from loaders.articulated.lines import DocumentText, lines_of_html
from loaders.articulated.office import DAMAGED_PACKAGE, NUMBER_FORMATS, open_package, unreadable
from loaders.codes import RefusalCode
from loaders.xml import Element, spaced

_VAL, _LEVEL = qn("w:val"), qn("w:ilvl")
#: Elements whose words Word does not show because a change removed them.
_REMOVED = frozenset({qn("w:del"), qn("w:moveFrom")})
#: Elements without words: properties, and the instructions of fields.
_WITHOUT_WORDS = frozenset(map(qn, ("w:pPr", "w:rPr", "w:sdtPr", "w:tblPr", "w:trPr", "w:tcPr", "w:instrText")))
_ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_BLIP, _IMAGE_DATA = qn("a:blip"), "{urn:schemas-microsoft-com:vml}imagedata"
_EMBEDDED, _RELATED = qn("r:embed"), qn("r:id")
_PLAIN = {qn("w:tab"): " ", qn("w:noBreakHyphen"): "-", qn("w:br"): "<br>", qn("w:cr"): "<br>"}
_NOTES = {
    qn("w:footnoteReference"): RELATIONSHIP_TYPE.FOOTNOTES,
    qn("w:endnoteReference"): RELATIONSHIP_TYPE.ENDNOTES,
}
#: The type of the main part of a document.
_CONTENT = b"wordprocessingml.document.main+xml"
#: What opening a damaged document raises: python-docx also AttributeError for another root element, and TypeError for a
#: relation without a target.
_DAMAGED = (*DAMAGED_PACKAGE, PackageNotFoundError, etree.XMLSyntaxError, AttributeError, TypeError)
_EXPECTED = "a DOCX document; `vigente publish --sheet` reads a spreadsheet"
_DEEPEST_STYLE = 16


def read_docx(raw: bytes) -> DocumentText:
    """Return the lines of a document; the number of a line is that of its paragraph, from 1.

    Raises:
        BadRecord: ``bad-archive`` if it is not DOCX, ``archive-bomb`` if it is too large unpacked, or has too many
            members.
    """
    try:
        with open_package(raw) as packed:
            if _CONTENT not in packed.read("[Content_Types].xml"):
                raise BadRecord(RefusalCode.BAD_ARCHIVE, "the ZIP archive is no Word document", _EXPECTED)
        document = Document(io.BytesIO(raw))
    except _DAMAGED as error:
        raise unreadable(error, _EXPECTED) from None
    try:
        page = _Page(document, _Numbers.of(document), _notes_of(document))
    except etree.XMLSyntaxError as error:
        raise unreadable(error, _EXPECTED) from None
    page.write_document()
    written = "".join(page.html)
    return DocumentText(lines_of_html(written.encode()) if written.strip() else [], page.beside, page.notes)


def _related_parts(document: WordDocument, kind: str) -> Iterator[Element]:
    """Yield the parts of a document with a kind of relation.

    Raises:
        XMLSyntaxError: a part is damaged.
    """
    for relation in document.part.rels.values():
        if relation.reltype == kind and not relation.is_external:
            yield parse_xml(relation.target_part.blob)


def _notes_of(document: WordDocument) -> dict[tuple[str, str | None], str]:
    """Return the words of each note, by the element that refers to it and by its number."""
    return {
        (reference, note.get(qn("w:id"))): _words(note)
        for reference, kind in _NOTES.items()
        for part in _related_parts(document, kind)
        for note in part
    }


@dataclass(slots=True)
class _Page:
    """A document as a page in HTML, one line of the page for each paragraph.

    Attributes:
        numbers: its automatic numbers.
        printed_notes: as :func:`_notes_of` returns them.
        html: the pieces of the page.
        beside, notes: as in :class:`DocumentText`.
    """

    document: WordDocument
    numbers: _Numbers
    printed_notes: Mapping[tuple[str, str | None], str]
    html: list[str] = field(default_factory=list)
    beside: list[tuple[int, str]] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)
    _number: int = 1
    _boxes: list[Element] = field(default_factory=list)

    def write_document(self) -> None:
        """Write the body of the document."""
        self._write_blocks(self.document.part.element)

    def _write_blocks(self, holder: Element) -> None:
        joined = ""
        for child in holder:
            if child.tag == qn("w:p"):
                joined = self._write_paragraph(child, joined)
            elif child.tag == qn("w:tbl"):
                self.html.append("<table>")
                self._write_rows(child)
                self.html.append("</table>")
            elif child.tag in _REMOVED:
                self._set_aside(child)
            elif child.tag not in _WITHOUT_WORDS:
                self._write_blocks(child)
        if joined:
            self.html.append(joined)

    def _write_paragraph(self, paragraph: Element, before: str) -> str:
        """Write a paragraph after the words of the one before; return its words instead if its end was deleted."""
        label = self.numbers.label(paragraph)
        words = f"{before}{escape(label)}{' ' if label else ''}{''.join(self._inline(paragraph))}"
        if paragraph.find(f"{qn('w:pPr')}/{qn('w:rPr')}/{qn('w:del')}") is not None:
            return words
        aligned = paragraph.find(f"{qn('w:pPr')}/{qn('w:jc')}")
        centred = ' align="center"' if aligned is not None and aligned.get(_VAL) == "center" else ""
        self.html.append(f"<p{centred}>{words}</p>\n")
        self._number += 1
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._write_blocks(box)
        return ""

    def _write_rows(self, table: Element) -> None:
        for row in table:
            if row.tag in _WITHOUT_WORDS:
                continue
            if row.tag != qn("w:tr"):
                self._write_rows(row)
            elif row.find(f"{qn('w:trPr')}/{qn('w:del')}") is not None:
                self._set_aside(row)
            else:
                self.html.append("<tr>")
                before = row.find(f"{qn('w:trPr')}/{qn('w:gridBefore')}")
                self.html.extend(["<td></td>"] * (_number(before) if before is not None else 0))
                self._write_cells(row)
                self.html.append("</tr>")

    def _write_cells(self, row: Element) -> None:
        for cell in row:
            if cell.tag == qn("w:tc"):
                spanned = cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}")
                self.html.append(f'<td colspan="{_number(spanned) if spanned is not None else 1}">')
                self._write_blocks(cell)
                self.html.append("</td>")
            elif cell.tag not in _WITHOUT_WORDS:
                self._write_cells(cell)

    def _inline(self, holder: Element) -> Iterator[str]:
        """Yield the content of a paragraph or of a part of one."""
        for child in holder:
            tag = child.tag
            if tag in {qn("w:t"), _MATHS}:
                yield escape(" ".join((child.text or "").splitlines()))
            elif tag in _PLAIN:
                yield _PLAIN[tag]
            elif tag in _REMOVED or (tag == qn("w:r") and _is_on(child, "w:vanish")):
                self._set_aside(child)
            elif tag == qn("w:r"):
                yield from self._run(child)
            elif tag == qn("w:hyperlink"):
                yield from self._link(child)
            elif tag == _ALTERNATIVES:
                yield from self._inline(child[0]) if len(child) else ()
            elif tag in _NOTES:
                if words := self.printed_notes.get((tag, child.get(qn("w:id")))):
                    self.notes.append((self._number, words))
            elif tag == qn("w:txbxContent"):
                self._boxes.append(child)
            elif tag in {_BLIP, _IMAGE_DATA}:
                yield self._image(child)
            elif tag not in _WITHOUT_WORDS:
                yield from self._inline(child)

    def _run(self, run: Element) -> Iterator[str]:
        struck = _is_on(run, "w:strike") or _is_on(run, "w:dstrike")
        names = [name for name, is_on in (("b", _is_on(run, "w:b")), ("s", struck)) if is_on]
        yield from (f"<{name}>" for name in names)
        yield from self._inline(run)
        yield from (f"</{name}>" for name in reversed(names))

    def _link(self, link: Element) -> Iterator[str]:
        target = self._target(link.get(_RELATED))
        yield f'<a href="{escape(target)}">' if target else "<a>"
        yield from self._inline(link)
        yield "</a>"

    def _image(self, image: Element) -> str:
        target = self._target(image.get(_EMBEDDED) or image.get(_RELATED))
        described = next(image.iterancestors(qn("w:drawing"), qn("w:pict")), image).find(f".//{qn('wp:docPr')}")
        words = described.get("descr") or "" if described is not None else ""
        return f'<img src="{escape(target)}" alt="{escape(words)}">' if target else ""

    def _target(self, relation: str | None) -> str:
        """Return the address of a link, or the name of a part of the document."""
        related = self.document.part.rels.get(relation) if relation is not None else None
        if related is None:
            return ""
        return str(related.target_ref if related.is_external else related.target_part.partname.lstrip("/"))

    def _set_aside(self, holder: Element) -> None:
        """Add words that Word does not show to those beside the text."""
        words = _words(holder)
        if words:
            self.beside.append((self._number, words))


def _words(holder: Element) -> str:
    return spaced("".join(piece.text or "" for piece in holder.iter(qn("w:t"), qn("w:delText"))))


def _is_on(run: Element, name: str) -> bool:
    """Return whether a run has a property that is on or off (ECMA-376 part 1, section 17.17.4)."""
    found = run.find(f"{qn('w:rPr')}/{qn(name)}")
    return found is not None and found.get(_VAL, "true") not in {"0", "false", "off"}


def _number(element: Element, attribute: str = _VAL) -> int:
    """Return the number in an attribute; 0 if it is not one."""
    written = element.get(attribute) or ""
    return min(int(written), 1_000_000) if written.isdecimal() and written.isascii() and len(written) < 9 else 0


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of a list: its format, its text with ``%1`` for the number of the first level, and its first number.

    Attributes:
        restarts: whether it begins again after a number of a higher level.
        is_legal: whether the numbers of all levels in its text are decimal.
    """

    format: str
    text: str
    start: int
    restarts: bool
    is_legal: bool

    @classmethod
    def of(cls, level: Element) -> _Level:
        def stated(name: str, default: str) -> str:
            found = level.find(qn(name))
            return found.get(_VAL, default) if found is not None else default

        start = level.find(qn("w:start"))
        first = _number(start) if start is not None else 0
        restarts, is_legal = stated("w:lvlRestart", "1") != "0", level.find(qn("w:isLgl")) is not None
        return cls(stated("w:numFmt", "decimal"), stated("w:lvlText", ""), first, restarts, is_legal)


@dataclass(slots=True)
class _Numbers:
    """The automatic numbers of the paragraphs of a document, which are asked in their order.

    Attributes:
        lists: the number of the abstract list and the levels of each list, by the number of the list.
        styles: the styles of paragraphs, by name.
    """

    lists: dict[str, tuple[str, dict[int, _Level]]]
    overridden: dict[tuple[str, int], int]
    styles: Mapping[str, Element]
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, document: WordDocument) -> _Numbers:
        """Return the numbers of a document before its first paragraph."""
        styles = {style.get(qn("w:styleId"), ""): style for style in document.styles.element.iter(qn("w:style"))}
        numbers = cls({}, {}, styles)
        for part in _related_parts(document, RELATIONSHIP_TYPE.NUMBERING):
            numbers._read(part)
        return numbers

    def _read(self, part: Element) -> None:
        abstract = {each.get(qn("w:abstractNumId")): each for each in part.iter(qn("w:abstractNum"))}
        for listed in part.iter(qn("w:num")):
            number, found = listed.get(qn("w:numId")), listed.find(qn("w:abstractNumId"))
            kind = found.get(_VAL) if found is not None else None
            if number is None or kind is None or kind not in abstract:
                continue
            levels = {_number(level, _LEVEL): _Level.of(level) for level in abstract[kind].iter(qn("w:lvl"))}
            for override in listed.iter(qn("w:lvlOverride")):
                place = _number(override, _LEVEL)
                start, level = override.find(qn("w:startOverride")), override.find(qn("w:lvl"))
                if level is not None:
                    levels[place] = _Level.of(level)
                if start is not None:
                    self.overridden[number, place] = _number(start)
            self.lists[number] = (kind, levels)

    def label(self, paragraph: Element) -> str:
        """Return the automatic number of the next paragraph; empty if it has none."""
        number, place = self._list_of(paragraph)
        if number not in self.lists:
            return ""
        kind, levels = self.lists[number]
        if place not in levels:
            return ""
        counts = self._counts.setdefault(kind, {})
        begins = self.overridden.pop((number, place), None)
        if begins is not None:
            counts[place] = begins
        else:
            counts[place] = counts[place] + 1 if place in counts else levels[place].start
        for deeper in [each for each in counts if each > place and levels.get(each, levels[place]).restarts]:
            del counts[deeper]
        own = levels[place]
        text = own.text if own.format not in {"bullet", "none"} else ""
        for each, level in levels.items():
            written = str if own.is_legal else NUMBER_FORMATS.get(level.format, str)
            text = text.replace(f"%{each + 1}", written(counts.get(each, level.start)))
        return text.strip()

    def _list_of(self, paragraph: Element) -> tuple[str | None, int]:
        """Return the number of the list of a paragraph, and the level, as the paragraph or its style states them."""
        number: str | None = None
        place: int | None = None
        holder: Element | None = paragraph
        for _ in range(_DEEPEST_STYLE):
            if holder is None:
                break
            stated = holder.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
            if stated is not None:
                listed, level = stated.find(qn("w:numId")), stated.find(qn("w:ilvl"))
                number = listed.get(_VAL) if number is None and listed is not None else number
                place = _number(level) if place is None and level is not None else place
            if number is not None:
                break
            style = holder.find(f"{qn('w:pPr')}/{qn('w:pStyle')}" if holder is paragraph else qn("w:basedOn"))
            holder = self.styles.get(style.get(_VAL) or "") if style is not None else None
        return number, place or 0
