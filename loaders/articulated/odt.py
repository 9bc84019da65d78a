"""Reading of OpenDocument texts (ODT), as an office program shows them (OpenDocument 1.3, part 3).

A document becomes a page in HTML, like one of Word. Tracked changes are read as accepted: removed words stand apart in
the file and are returned beside the text. Automatic numbers are written before their paragraphs (sections 5.3, 16.30).
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

from graph.errors import BadRecord
from loaders.articulated.lines import MAX_LINES, DocumentText, lines_of_html
from loaders.articulated.office import DAMAGED_PACKAGE, NUMBER_FORMATS, open_package, unreadable
from loaders.codes import RefusalCode
from loaders.xml import BadXml, Element, iter_elements, local_name, spaced

_EXPECTED = "an ODT document"
_TEXT_TYPE = b"application/vnd.oasis.opendocument.text"
#: The largest part of a document, in bytes.
_LARGEST_PART = 32 << 20
_NS = {
    name: f"{{urn:oasis:names:tc:opendocument:xmlns:{address}:1.0}}"
    for name, address in {
        "text": "text",
        "style": "style",
        "fo": "xsl-fo-compatible",
        "table": "table",
        "draw": "drawing",
        "office": "office",
    }.items()
} | {"xlink": "{http://www.w3.org/1999/xlink}", "svg": "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"}
_DEEPEST_STYLE = 16
_MOST_REPEATED = 100
#: Elements whose words are not of the text where they stand.
_APART = frozenset({"annotation", "tracked-changes", "deletion"})
_WITHOUT_WORDS = frozenset(
    {"sequence-decls", "forms", "variable-decls", "user-field-decls", "desc", "title", "image-map"}
)
_PLAIN = {"tab": " ", "line-break": "<br>"}


def _q(name: str) -> str:
    prefix, _, local = name.partition(":")
    return f"{_NS[prefix]}{local}"


def is_odt(raw: bytes) -> bool:
    """Return whether a ZIP archive is an OpenDocument text: the first member states the type, uncompressed."""
    return _TEXT_TYPE in raw[:200]


def read_odt(raw: bytes) -> DocumentText:
    """Return the lines of a document; the number of a line is that of its paragraph, from 1.

    Raises:
        BadRecord: ``bad-archive`` if it is damaged, ``encrypted``, ``archive-bomb`` if it is too large unpacked, or has
            too many members; the codes of XML.
    """
    try:
        with open_package(raw) as packed:
            if b"encryption-data" in packed.read("META-INF/manifest.xml"):
                raise BadRecord(RefusalCode.ENCRYPTED, "the document is encrypted", "a document without a password")
            parts = [
                part for part in ("styles.xml", "content.xml") if part != "styles.xml" or part in packed.namelist()
            ]
            page = _Page()
            for name in parts:
                root = "document-styles" if name == "styles.xml" else "document-content"
                page.read(packed, name, root)
    except (*DAMAGED_PACKAGE, BadXml) as error:
        raise unreadable(error, _EXPECTED) from None
    written = "".join(page.html)
    return DocumentText(lines_of_html(written.encode()) if written.strip() else [], page.beside, page.notes)


@dataclass(slots=True)
class _List:
    """A list in progress: the number of the last item of each level."""

    style: str
    counts: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Page:
    """A document as a page in HTML, one line of the page for each paragraph.

    Attributes:
        styles: the styles of paragraphs and words, by family and name.
        lists: the levels of each style of lists; that of headings has no name.
        html, beside, notes: as in :class:`loaders.articulated.lines.DocumentText`.
    """

    styles: dict[tuple[str, str], Element] = field(default_factory=dict)
    lists: dict[str, dict[int, Element]] = field(default_factory=dict)
    html: list[str] = field(default_factory=list)
    beside: list[tuple[int, str]] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)
    _number: int = 1
    _label: str = ""
    _boxes: list[Element] = field(default_factory=list)
    _known: dict[str, _List] = field(default_factory=dict)

    def read(self, packed: zipfile.ZipFile, name: str, root: str) -> None:
        """Read the styles of a part, and its text."""
        if packed.getinfo(name).file_size > _LARGEST_PART:
            problem = f"{name} has more than {_LARGEST_PART >> 20} MiB unpacked"
            raise BadRecord(RefusalCode.ARCHIVE_BOMB, problem, f"at most {_LARGEST_PART >> 20} MiB")
        stream = io.BytesIO(packed.read(name))
        for part in iter_elements(stream, {root}, roots={root}, record_limit=_LARGEST_PART):
            for style in part.iter(_q("style:style")):
                self.styles[style.get(_q("style:family"), ""), style.get(_q("style:name"), "")] = style
            for listed in part.iter(_q("text:list-style"), _q("text:outline-style")):
                own = listed.get(_q("style:name"), "") if listed.tag == _q("text:list-style") else ""
                self.lists[own] = {_count(level, "text:level"): level for level in listed if isinstance(level.tag, str)}
            for body in part.iter(_q("office:text")):
                self._write_blocks(body, _List(""), 0)

    def _write_blocks(self, holder: Element, within: _List, level: int) -> None:
        for child in holder:
            name = _name(child)
            if name in {"p", "h"}:
                self._write_paragraph(child, name)
            elif name == "list":
                self._write_list(child, within, level + 1)
            elif name == "table":
                self.html.append("<table>")
                self._write_rows(child)
                self.html.append("</table>")
            elif name in _APART:
                self._set_aside(child)
            elif name == "frame":
                self.html.append(f"<p>{''.join(self._inline_of(child))}</p>\n")
                self._write_boxes()
            elif name not in _WITHOUT_WORDS:
                self._write_blocks(child, within, level)

    def _write_paragraph(self, paragraph: Element, name: str) -> None:
        label, self._label = self._label, ""
        if not label and name == "h":
            label = self._label_of_heading(paragraph)
        style = paragraph.get(_q("text:style-name"), "")
        words = "".join(self._inline(paragraph, "paragraph", style))
        centred = ' align="center"' if self._property(style, "paragraph", "fo:text-align") == "center" else ""
        if self._property(style, "paragraph", "text:display") == "none":
            self.beside.append((self._number, spaced("".join(map(str, paragraph.itertext())))))
            words = label = ""
        self.html.append(f"<p{centred}>{escape(label)}{' ' if label else ''}{words}</p>\n")
        self._number += 1
        if self._number > MAX_LINES:
            raise BadRecord(
                RefusalCode.RECORD_TOO_LARGE, f"the text has more than {MAX_LINES} lines", f"at most {MAX_LINES}"
            )
        self._write_boxes()

    def _write_boxes(self) -> None:
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._write_blocks(box, _List(""), 0)

    def _write_list(self, listed: Element, within: _List, level: int) -> None:
        style = listed.get(_q("text:style-name")) or within.style
        continued = listed.get(_q("text:continue-list"))
        own = within
        if level == 1:
            before = self._known.get(continued or style)
            goes_on = continued is not None or listed.get(_q("text:continue-numbering")) == "true"
            own = before if before is not None and goes_on else _List(style)
            own.style = style
            self._known[style] = own
            identifier = listed.get("{http://www.w3.org/XML/1998/namespace}id")
            if identifier is not None:
                self._known[identifier] = own
        elif listed.get(_q("text:style-name")):
            own = _List(style, own.counts)
        for item in listed:
            if _name(item) == "list-item":
                self._begin_item(item, own, level)
            self._write_blocks(item, own, level)
            self._label = ""
        if level > 1:
            own.counts.pop(level, None)

    def _begin_item(self, item: Element, listed: _List, level: int) -> None:
        found = self.lists.get(listed.style, {}).get(level)
        is_holder = len(item) > 0 and _name(item[0]) == "list"  # an item only holds a deeper list
        if found is None or is_holder:
            return
        start = item.get(_q("text:start-value"))
        first = _count(found, "text:start-value", 1)
        listed.counts[level] = _count(item, "text:start-value") if start else listed.counts.get(level, first - 1) + 1
        for deeper in [each for each in listed.counts if each > level]:
            del listed.counts[deeper]
        self._label = self._written(listed.style, level, listed.counts)

    def _label_of_heading(self, heading: Element) -> str:
        levels, level = self.lists.get("", {}), _count(heading, "text:outline-level", 1)
        if level not in levels or not levels[level].get(_q("style:num-format")):
            return ""
        counts = self._known.setdefault("", _List("")).counts
        counts[level] = counts.get(level, _count(levels[level], "text:start-value", 1) - 1) + 1
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        return self._written("", level, counts)

    def _written(self, style: str, level: int, counts: Mapping[int, int]) -> str:
        """Return the number of an item, with those of the levels above that its style shows."""
        levels = self.lists[style]
        own = levels[level]
        if _name(own) == "list-level-style-bullet" or _name(own) == "list-level-style-image":
            return ""
        shown = _count(own, "text:display-levels", 1)
        numbers = []
        for each in range(max(1, level - shown + 1), level + 1):
            style_of = levels.get(each, own)
            written = style_of.get(_q("style:num-format"), "")
            number = counts.get(each, _count(style_of, "text:start-value", 1))
            numbers += [NUMBER_FORMATS.get(written, str)(number)] if written else []
        if not numbers:
            return ""
        return f"{own.get(_q('style:num-prefix'), '')}{'.'.join(numbers)}{own.get(_q('style:num-suffix'), '')}".strip()

    def _write_rows(self, table: Element) -> None:
        for row in table:
            name = _name(row)
            if name != "table-row":
                if name not in _WITHOUT_WORDS:
                    self._write_rows(row)
                continue
            self.html.append("<tr>")
            for cell in row:
                spans = "".join(
                    f' {key}="{_count(cell, f"table:number-{what}-spanned", 1)}"'
                    for key, what in (("colspan", "columns"), ("rowspan", "rows"))
                )
                if _name(cell) == "table-cell":
                    self.html.append(f"<td{spans}>")
                    self._write_blocks(cell, _List(""), 0)
                    self.html.append("</td>")
                    repeated = min(_count(cell, "table:number-columns-repeated", 1), _MOST_REPEATED)
                    self.html.extend(["<td></td>"] * (repeated - 1))
            self.html.append("</tr>")

    def _inline(self, holder: Element, family: str, style: str) -> Iterator[str]:
        """Yield the words of a paragraph or of a part of one, with the format of its style."""
        names = [
            tag
            for tag, key, plain in (
                ("b", "fo:font-weight", {"normal", "100", "200", "300", "400", "500"}),
                ("s", "style:text-line-through-style", {"none"}),
            )
            if (stated := self._property(style, family, key)) and stated not in plain
        ]
        yield from (f"<{name}>" for name in names)
        yield from self._inline_of(holder)
        yield from (f"</{name}>" for name in reversed(names))

    def _inline_of(self, holder: Element) -> Iterator[str]:
        yield escape(holder.text or "")
        for child in holder:
            yield from self._one(child, _name(child))
            yield escape(child.tail or "")

    def _one(self, child: Element, name: str) -> Iterator[str]:
        if name == "s":
            yield " "
        elif name in _PLAIN:
            yield _PLAIN[name]
        elif name == "span":
            style = child.get(_q("text:style-name"), "")
            if self._property(style, "text", "text:display") == "none":
                self._set_aside(child)
            else:
                yield from self._inline(child, "text", style)
        elif name == "a":
            yield f'<a href="{escape(child.get(_q("xlink:href"), ""))}">'
            yield from self._inline_of(child)
            yield "</a>"
        elif name == "note":
            body = child.find(_q("text:note-body"))
            if body is not None and (words := _words(body)):
                self.notes.append((self._number, words))
        elif name == "image":
            described = next(child.iterancestors(_q("draw:frame")), child)
            titles = (described.findtext(_q(f"svg:{each}")) for each in ("desc", "title"))
            words = next(filter(None, titles), "")
            yield f'<img src="{escape(child.get(_q("xlink:href"), ""))}" alt="{escape(words)}">'
        elif name == "text-box":
            self._boxes.append(child)
        elif name in _APART:
            self._set_aside(child)
        elif name not in _WITHOUT_WORDS:
            yield from self._inline_of(child)

    def _property(self, style: str, family: str, key: str) -> str:
        """Return a property of a style or of those that it is based on; empty if none states it."""
        for _ in range(_DEEPEST_STYLE):
            found = self.styles.get((family, style))
            if found is None:
                break
            stated = next((value for each in found if (value := each.get(_q(key))) is not None), None)
            if stated is not None:
                return str(stated)
            style = found.get(_q("style:parent-style-name"), "")
        return ""

    def _set_aside(self, holder: Element) -> None:
        """Add words that are not shown to those beside the text."""
        parts = list(holder) if _name(holder) == "tracked-changes" else [holder]
        self.beside += [(self._number, words) for part in parts if (words := _words(part))]


def _name(element: Element) -> str:
    return local_name(element.tag) if isinstance(element.tag, str) else ""


def _words(holder: Element) -> str:
    """Return the words of an element without who wrote it and when."""
    pieces = [
        piece
        for piece in holder.iter()
        if _name(piece) not in {"creator", "date", "initials", "date-string", "note-citation"}
    ]
    return spaced("".join(f"{piece.text or ''}{_tail(piece, holder)}" for piece in pieces))


def _tail(piece: Element, holder: Element) -> str:
    return f"{' ' if _name(piece) in {'p', 'h'} else ''}{piece.tail or ''}" if piece is not holder else ""


def _count(element: Element, key: str, default: int = 0) -> int:
    """Return the number in an attribute; the default if it is not one."""
    written = element.get(_q(key)) or ""
    return min(int(written), 1_000_000) if written.isdecimal() and written.isascii() and len(written) < 9 else default
