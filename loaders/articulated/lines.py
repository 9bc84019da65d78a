"""Lines of a text, from plain text or HTML, with their format: struck, bold, centred, links, anchors."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from graph.errors import BadRecord
from graph.wording.folding import with_printed_controls
from graph.wording.tables import image_mark, row_line
from loaders.codes import RefusalCode
from loaders.xml import Element

#: The maximum number of lines of a text.
MAX_LINES = 400_000
#: A line of plain text with at least this number of characters may have been wrapped.
_WRAPPED = 60
#: Bytes that windows-1252 does not define. They are read as ISO-8859-1.
_UNDEFINED = "\x81\x8d\x8f\x90\x9d"


@dataclass(frozen=True, slots=True)
class Span:
    """A part ``[start, end)`` of a line's text with a format of its own."""

    start: int
    end: int
    struck: bool = False
    bold: bool = False
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text: a paragraph, or a part of one that a line break ends.

    Attributes:
        text: its characters, white space normalised.
        number: where it begins in the file, from 1.
        spans: parts that are struck, bold or linked, in their order.
        anchors: the anchors of the page that begin here.
        centred: whether it is set in the middle.
        continues: whether it continues the paragraph of the line before.
        in_table: whether it is in a table.
    """

    text: str
    number: int
    spans: tuple[Span, ...] = ()
    anchors: tuple[str, ...] = ()
    centred: bool = False
    continues: bool = False
    in_table: bool = False

    @property
    def struck(self) -> bool:
        """Return whether more than half of its characters are struck."""
        return 2 * sum(span.end - span.start for span in self.spans if span.struck) > len(self.text)

    @property
    def bold(self) -> bool:
        """Return whether more than half of its characters are bold."""
        return 2 * sum(span.end - span.start for span in self.spans if span.bold) > len(self.text)

    def within(self, start: int, end: int) -> Iterator[Span]:
        """Return the spans with a character between two offsets."""
        for index in range(bisect_right(self.spans, start, key=_end), len(self.spans)):
            if self.spans[index].start >= end:
                return
            yield self.spans[index]

    def part(self, start: int, end: int | None = None) -> Line:
        """Return the line between two offsets, without surrounding white space."""
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip())
        text = piece.strip()
        end = start + len(text)
        spans = tuple(
            replace(span, start=max(span.start, start) - start, end=min(span.end, end) - start)
            for span in self.within(start, end)
        )
        return replace(self, text=text, spans=spans)

    def without(self, parts: Iterable[tuple[int, int]]) -> Line:
        """Return the line without some of its parts, which are sorted and do not overlap."""
        kept: list[Line] = []
        index = 0
        for start, end in (*parts, (len(self.text), len(self.text))):
            piece = self.part(index, start)
            if piece.text:
                kept.append(piece)
            index = end
        text = ""
        spans: list[Span] = []
        for piece in kept:
            text += " " if text and piece.text[:1] not in ".,;:)" else ""
            spans += [replace(span, start=span.start + len(text), end=span.end + len(text)) for span in piece.spans]
            text += piece.text
        return replace(self, text=text, spans=tuple(spans))

    def href(self, start: int, end: int) -> str | None:
        """Return the address of the first link in a part of the line; None if there is no link."""
        return next((span.href for span in self.within(start, end) if span.href), None)


def _end(span: Span) -> int:
    return span.end


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The content of a document with pages: Word, OpenDocument or PDF.

    Attributes:
        lines: its lines, each with a number by which a person finds it.
        beside: words that are not of the text: deleted or hidden ones, running heads, page numbers.
        notes: what is of the text and has no place in it: notes at the foot of a page, pages without text.
    """

    lines: list[Line]
    beside: list[tuple[int, str]]
    notes: list[tuple[int, str]]


@dataclass(slots=True)
class LineWriter:
    """Joins pieces of text into lines, and normalises the white space between them.

    Attributes:
        lines: the finished lines.
    """

    lines: list[Line] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)
    _spans: list[Span] = field(default_factory=list)
    _anchors: list[str] = field(default_factory=list)
    _length: int = 0
    _spaced: bool = True
    _number: int = 0
    _breaks: bool = False
    _begun: bool = False

    def add(self, text: str, number: int, *, struck: bool = False, bold: bool = False, href: str | None = None) -> None:
        """Add a piece of text to the current line."""
        text = with_joined_letters(with_printed_controls(text))
        plain = " ".join(text.split())
        if not plain:
            self._spaced = self._spaced or bool(text)
            return
        if not self._text:
            self._number = number
        elif (self._spaced or text[0].isspace()) and not (plain[0] in ",;.:" and plain[1:2] != "."):
            self._text.append(" ")
            self._length += 1
        start = self._length
        self._text.append(plain)
        self._length += len(plain)
        self._spaced = text[-1].isspace()
        if struck or bold or href:
            last = self._spans[-1] if self._spans else None
            joined = last is not None and (last.struck, last.bold, last.href) == (struck, bold, href)
            if last is not None and joined and start - last.end <= 1:
                self._spans[-1] = replace(last, end=self._length)
            else:
                self._spans.append(Span(start, self._length, struck, bold, href))

    def anchor(self, name: str) -> None:
        """Add an anchor that begins here."""
        if name:
            self._anchors.append(name)

    def image(self, address: str, words: str, number: int) -> None:
        """Add the mark of an image to the current line."""
        self._spaced = True
        self.add(f"{image_mark(address, words)} ", number)

    def bar(self, number: int) -> None:
        """Begin a row of a table, or end a cell of it."""
        self.add(" | ", number)

    def end(self, *, breaks: bool = False, centred: bool = False, in_table: bool = False) -> None:
        """End the current line; a row whose cells are all empty is left out.

        Args:
            breaks: whether the next line continues the same paragraph.

        Raises:
            BadRecord: ``record-too-large``: there are too many lines.
        """
        if any(piece not in {"|", " "} for piece in self._text):
            continues = self._breaks and self._begun
            line = Line(
                "".join(self._text),
                self._number,
                tuple(self._spans),
                tuple(self._anchors),
                centred,
                continues,
                in_table,
            )
            if len(self.lines) >= MAX_LINES:
                problem = f"the text has more than {MAX_LINES} lines"
                raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {MAX_LINES} lines")
            self.lines.append(line)
            self._begun = True
            self._anchors = []
        if not breaks:
            self._begun = False
        self._breaks = breaks
        self._text, self._spans, self._length, self._spaced = [], [], 0, True


def lines_of_text(text: str) -> Iterator[Line]:
    """Return the lines of a plain text.

    A line may continue the line before it if that line does not end in ``.;:,`` or a quotation mark. It does if that
    line is long enough to have been wrapped, or if it begins with a lower-case letter itself. A line after an empty
    line continues nothing.
    """
    before = ""
    lines = with_printed_controls(text).splitlines()
    is_markdown = _MARKDOWN.search(text) is not None
    rows = [_cells_of_text(line) for line in lines]
    for number, (written, cells) in enumerate(zip(lines, rows, strict=True), 1):
        beside = (*rows[max(0, number - 2) : number - 1], *rows[number : number + 1])
        is_row = len(cells) > 2 or (len(cells) > 1 and any(len(row) > 1 for row in beside))
        plain = row_line(cells) if is_row else " ".join(with_joined_letters(written).split())
        plain = plain.lstrip("\ufeff")
        line = Line(plain, number) if not is_markdown else _read_marks(plain, number)
        plain = line.text
        if plain:
            open_ = bool(before) and before[-1] not in '.;:,”"|' and not is_row
            continues = open_ and (len(before) >= _WRAPPED or plain[0].islower())
            yield replace(line, continues=continues, in_table=is_row or plain.startswith("| "))
        before = plain


#: Marks that show that a text is Markdown: headings, bold or struck words.
_MARKDOWN = re.compile(r"^#{1,6} |\*\*[^*\n]+\*\*|~~[^~\n]+~~", re.MULTILINE)
_MARK = re.compile(
    r"~~|\*{2,3}|(!?)\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\(([^)\n]*)\)|\\([\\`*_{}\[\]()#+.!~|-])"
    r"|^(?:> ?|#{1,6} |[-*+] (?=[IVXLC]+\b|[a-z]\)|§|Par|Art))+"
    r"|</?(?:span|font|u|p|br|center|div|sup|sub)(?:\s[^<>\n]*)?/?>"
)
_EMPHASIS = re.compile(r"\*{1,3}")
#: Words in italics: "*I -* um", "_Parágrafo único._".
_ITALIC = re.compile(r"(?<![\w*\\])\*(?=[^\s*)])([^*\n]+)(?<=\S)\*(?![\w*])|(?<![\w\\])_(?=[^\W_])([^_\n]+)_(?!\w)")
#: A line between the head and the rows of a table, or between two parts of the text.
_DIVIDER = re.compile(r"\|(?:\s?:?-+:?\s?\|)+|-(?:\s?-){2,}|\*(?:\s?\*){2,}|_(?:\s?_){2,}")


def _read_marks(text: str, number: int) -> Line:
    """Return a line of Markdown without its marks; empty for a line that only divides.

    >>> line = _read_marks("~~**Art. 1º** Velho~~ [(Lei 9)](/l.htm)", 1)
    >>> line.text, line.struck, line.href(16, 20)
    ('Art. 1º Velho (Lei 9)', True, '/l.htm')
    >>> [_read_marks(text, 1).text for text in ("> *I -* um", "- I - um", "- um", "(*) 2 * 3 * 4 a_b_c")]
    ['I - um', 'I - um', '- um', '(*) 2 * 3 * 4 a_b_c']
    """
    writer = LineWriter()
    struck = bold = False
    index = 0
    if _DIVIDER.fullmatch(text):
        return Line("", number)
    text = _ITALIC.sub(lambda match: match[1] or match[2], text)
    for mark in _MARK.finditer(text):
        writer.add(text[index : mark.start()], number, struck=struck, bold=bold)
        index = mark.end()
        if mark[0] == "~~":
            struck = not struck
        elif mark[3] is not None and mark[1]:
            writer.image(mark[3], mark[2], number)
        elif mark[3] is not None:
            writer.add(_EMPHASIS.sub("", mark[2]), number, struck=struck, bold=bold, href=mark[3])
        elif mark[4] is not None:
            writer.add(mark[0] if mark[4] == "|" else mark[4], number, struck=struck, bold=bold)
        elif mark[0].startswith("*"):
            bold = not bold
    writer.add(text[index:], number, struck=struck, bold=bold)
    writer.end()
    return writer.lines[0] if writer.lines else Line("", number)


def _cells_of_text(line: str) -> list[str]:
    """Return the cells of a line with tabs; a tab after a label separates no cells."""
    cells = line.strip(" ").split("\t")
    return [] if len(cells) < 2 or LABEL_ALONE.fullmatch(cells[0].strip()) or _ARRANGED.match(cells[0]) else cells


_CHUNKS = re.compile(r"\s{2,}|\u00a0+\s*")
_SPACED_LETTERS = re.compile(r"[^\W\d_](?:\s[^\W\d_])+[.:,]?|[IVXLCDM]+|[0-9]{1,4}[ºª]?|[-–]|N[º°]")
_UNSPLIT = re.compile(r"(PARTE|LIVRO|SUBTÍTULO|TÍTULO|CAPÍTULO|SUBSEÇÃO|SEÇÃO)(?=[A-ZÀ-Ú])")
_FEWEST_LETTERS = 4


def with_joined_letters(text: str) -> str:
    """Return a piece of text in capitals with spaces between all its letters as words; any other text unchanged.

    Two spaces separate words. Where there is one everywhere, only the word of a grouping is separated from the next.

    >>> with_joined_letters("P A R T E   E S P E C I A L"), with_joined_letters("T Í T U L O  II")
    ('PARTE ESPECIAL', 'TÍTULO II')
    >>> with_joined_letters("P A R T E E S P E C I A L"), with_joined_letters("A E I")
    ('PARTE ESPECIAL', 'A E I')
    """
    if text[1:2] != " " and text.strip()[1:2] not in {" ", "\u00a0"}:
        return text
    chunks = _CHUNKS.split(text.strip())
    spaced_letters = [chunk for chunk in chunks if len(chunk.split()) >= _FEWEST_LETTERS]
    if not spaced_letters or not text.isupper() or not all(map(_SPACED_LETTERS.fullmatch, chunks)):
        return text
    joined = " ".join("".join(chunk.split()) for chunk in chunks)
    joined = joined if len(chunks) > 1 else _UNSPLIT.sub(r"\1 ", joined, count=1)
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{joined}{after}"


def decode_text(raw: bytes) -> str:
    """Decode bytes as UTF-8, or else as windows-1252, the encoding of most old pages.

    C1 controls in UTF-8 become the characters of windows-1252: somebody converted the text as ISO-8859-1.

    >>> decode_text("São".encode("utf-8")), decode_text("São “x”".encode("windows-1252"))
    ('São', 'São “x”')

    Raises:
        BadRecord: ``bad-encoding``: the bytes are UTF-16 or UTF-32 without a byte order mark, or not text.
    """
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark):
            try:
                return with_printed_controls(raw.decode(name))
            except UnicodeDecodeError as error:
                problem = f"byte {error.start + 1} of the file is not {name.upper()}"
                raise BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8, windows-1252 or ISO-8859-1") from None
    if b"\x00" in raw:
        problem = f"byte {raw.index(0) + 1} of the file is zero: it is no text"
        raise BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8, windows-1252 or ISO-8859-1")
    try:
        return with_printed_controls(raw.decode("utf-8"))
    except UnicodeDecodeError:
        table = {ord(char): char for char in _UNDEFINED}
        return raw.decode("windows-1252", "surrogateescape").translate(
            {0xDC00 + code: letter for code, letter in table.items()}
        )


# The only HTML parser of the project. It returns the lines of a page, within limits on its size and depth.
#
# Nothing is fetched and no script runs. The encoding is UTF-8 if the bytes are valid UTF-8, else windows-1252. The
# declared encoding is ignored: it is often wrong, and some pages declare two.


#: The maximum size of a page, in MiB.
MAX_MIB = 32
#: The maximum depth of nested elements.
MAX_DEPTH = 2_000

_BLOCKS = frozenset(
    {"p", "div", "td", "th", "tr", "table", "tbody", "li", "ul", "ol", "center", "blockquote", "body", "hr", "dd", "dt"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "pre", "section", "article", "header", "footer", "main", "caption", "form"}
)
_SKIPPED = frozenset(
    {"script", "style", "head", "title", "noscript", "template", "iframe", "object", "select", "button"}
)
_STRUCK = frozenset({"strike", "s", "del"})
_BOLD = frozenset({"b", "strong"})
_THROUGH = re.compile(r"text-decoration[a-z-]*\s*:[^;]*line-through", re.IGNORECASE)
_HEAVY = re.compile(r"font-weight\s*:\s*(?:bold|[7-9]00)", re.IGNORECASE)
_LIGHT = re.compile(r"font-weight\s*:\s*(?:normal|[1-5]00)", re.IGNORECASE)
_CENTRED = re.compile(r"text-align\s*:\s*center", re.IGNORECASE)
#: The beginning of a cell with a provision or a title: the table only arranges them.
_ARRANGED = re.compile(
    r"(?:(?:Art(?:igo)?[.\s]|§|Par[áa]grafo\s).{40}"
    r"|(?:LEI|DECRETO|MEDIDA PROVIS[ÓO]RIA|PRESID[ÊE]NCIA|T[ÍI]TULO|CAP[ÍI]TULO)\s"
    r"|Mensagem de veto|Texto (?:compilado|original)|Convers[ãa]o da|Disp[õo]e sobre|Alter[ae]\s|Institui\s)"
)
#: A cell with nothing but the label of an item, whose words are in the next cell.
LABEL_ALONE = re.compile(r"(?:[IVXLCDM]{1,12}|[a-z]{1,2}|[0-9]{1,3})\s?[-–—).]|(?:§|Art\.)\s?[0-9]{1,4}\s?[ºo°]?\.?")
_CELL = frozenset({"td", "th"})
_IMAGES = frozenset({"img", "object", "embed"})
_MOST_SPANNED = 100
#: A table has at least this number of rows with several cells, or a row with more cells.
_FEWEST_ROWS = 2
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{0,4000})\}")
_CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_BLANK = re.compile(r"<!--.*?-->|\s+", re.DOTALL)
_PROLOG = re.compile(r"<\?xml[^>]*\?>|<!DOCTYPE[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Style:
    """The format of text inside an element."""

    struck: bool = False
    bold: bool = False
    centred: bool = False
    href: str | None = None
    in_table: bool = False
    in_row: bool = False


@dataclass(slots=True)
class _Grid:
    """The columns of a table that cells of earlier rows cover."""

    covered: dict[int, int] = field(default_factory=dict)
    column: int = 0

    def skip(self) -> int:
        """Return how many covered columns begin here, and go on after them."""
        first = self.column
        while self.covered.get(self.column, 0) > 0:
            self.covered[self.column] -= 1
            self.column += 1
        return self.column - first

    def take(self, cell: Element) -> None:
        """Go on after a cell."""
        rows, columns = (_spanned(cell, key) for key in ("rowspan", "colspan"))
        for _ in range(columns):
            if rows > 1:
                self.covered[self.column] = rows - 1
            self.column += 1


def _spanned(cell: Element, key: str) -> int:
    written = (cell.get(key) or "").strip()
    return min(int(written), _MOST_SPANNED) if written.isdecimal() and written.isascii() and int(written) else 1


def lines_of_html(raw: bytes) -> list[Line]:
    """Return the lines of a page.

    Raises:
        BadRecord: ``record-too-large``, ``bad-encoding``; ``xml-limit`` if elements are nested too deep.
    """
    if len(raw) > MAX_MIB << 20:
        problem = f"the page has more than {MAX_MIB} MiB"
        raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {MAX_MIB} MiB")
    text = _PROLOG.sub("", decode_text(raw), count=40).replace("\x00", " ")
    if not text.strip():
        raise BadRecord(RefusalCode.EMPTY_FILE, "the page is empty", "a page with text")
    lines: list[Line] = []
    before = 0
    for index, page in enumerate(_END.split(text)):  # the parser reads nothing after the first end of a document
        if index == 0 or _BLANK.sub("", page):
            lines += [replace(line, number=line.number + before) for line in _parse_html(page)]
        before += page.count("\n")
    return lines


def _parse_html(page: str) -> list[Line]:
    parser = HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise BadRecord(RefusalCode.ILL_FORMED_XML, f"the page cannot be read: {error}", "an HTML page") from None
    return _lines_of_tree(root)


def _struck_classes(root: Element) -> frozenset[str]:
    """Return the classes that the page's own style sheet strikes through."""
    classes: set[str] = set()
    for sheet in root.iter("style"):
        for selector, rule in _RULE.findall((sheet.text or "")[:200_000]):
            if _THROUGH.search(rule):
                classes.update(_CLASS.findall(selector))
    return frozenset(classes)


def _has_data(table: Element) -> bool:
    if next(table.iterdescendants("table"), None) is not None:
        return False
    rows = [
        [" ".join("".join(map(str, cell.itertext())).split()) for cell in row.iterchildren("td", "th")]
        for row in table.iter("tr")
    ]
    filled = [cells for row in rows if (cells := [cell for cell in row if cell])]
    if sum(len(cells) > 1 for cells in filled) < _FEWEST_ROWS and not any(
        len(cells) > _FEWEST_ROWS for cells in filled
    ):
        return False
    if any(_ARRANGED.match(cell) for cells in filled for cell in cells):
        return False
    return not all(len(cells) == 2 and LABEL_ALONE.fullmatch(cells[0]) for cells in filled)


def _lines_of_tree(root: Element) -> list[Line]:
    page = _PageReader(_struck_classes(root), frozenset(table for table in root.iter("table") if _has_data(table)))
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, node in walker:
        if not isinstance(node.tag, str):
            continue
        if event == "end":
            page.end(node, node.tag.lower())
        elif not page.start(node, node.tag.lower()):
            walker.skip_subtree()
    page.writer.end()
    return page.writer.lines


@dataclass(slots=True)
class _PageReader:
    """The state of reading the lines of a page."""

    classes: frozenset[str]
    tables: frozenset[Element]
    writer: LineWriter = field(default_factory=LineWriter)
    grid: _Grid = field(default_factory=_Grid)
    styles: list[_Style] = field(default_factory=lambda: [_Style()])

    def start(self, node: Element, tag: str) -> bool:
        """Read the beginning of an element. Return whether its content is read."""
        if len(self.styles) > MAX_DEPTH:
            problem = f"the elements of the page are nested more than {MAX_DEPTH} deep (line {node.sourceline})"
            raise BadRecord(RefusalCode.XML_LIMIT, problem, f"at most {MAX_DEPTH} levels")
        style = _style(node, tag, self.styles[-1], self.classes)
        if tag in _BLOCKS or tag == "br":
            _end_line(self.writer, self.styles[-1] if tag != "br" else style, breaks=tag == "br")
        self.styles.append(style)
        if node in self.tables:
            self.grid = _Grid()
        elif tag == "tr" and next(node.iterancestors("table"), None) in self.tables:
            self.styles[-1] = replace(style, in_row=True)
            self.grid.column = 0
            self.writer.bar(_line_number(node))
        elif tag in _CELL and style.in_row:
            self._add_covered(node)
        for key in ("name", "id"):
            if (name := node.get(key)) is not None and (key == "id" or tag == "a"):
                self.writer.anchor(name.strip())
        if tag in _IMAGES:
            _add_image(self.writer, node)
        if tag in _SKIPPED:
            return False
        _add(self.writer, node.text, node, self.styles[-1])
        return True

    def end(self, node: Element, tag: str) -> None:
        """Read the end of an element and the text after it."""
        style = self.styles.pop()
        if tag == "tr" and style.in_row:
            self._add_covered(node)
            _end_line(self.writer, self.styles[-1])
        elif tag in _CELL and style.in_row:
            self.grid.take(node)
            for _ in range(_spanned(node, "colspan")):
                self.writer.bar(_line_number(node))
        elif tag in _BLOCKS:
            _end_line(self.writer, style)
        _add(self.writer, node.tail, node, self.styles[-1])

    def _add_covered(self, node: Element) -> None:
        """Add an empty cell for each column that a cell of an earlier row covers."""
        for _ in range(self.grid.skip()):
            self.writer.bar(_line_number(node))


def _add_image(writer: LineWriter, node: Element) -> None:
    """Add the mark of an image; one of at most two pixels only arranges the page."""
    sizes = [size for key in ("width", "height") if (size := (node.get(key) or "").strip()).isdecimal()]
    address = next((value for key in ("src", "data") if (value := node.get(key))), "")
    if address and not any(int(size) <= 2 for size in sizes):
        writer.image(address, node.get("alt") or node.get("title") or "", _line_number(node))


def _line_number(node: Element) -> int:
    return int(str(node.sourceline or 0))


def _add(writer: LineWriter, text: str | None, node: Element, style: _Style) -> None:
    if text:
        words = text.replace("|", "\\|") if style.in_row else text
        writer.add(words, _line_number(node), struck=style.struck, bold=style.bold, href=style.href)


def _end_line(writer: LineWriter, style: _Style, *, breaks: bool = False) -> None:
    """End the line; within a row of a table, only the word."""
    if style.in_row:
        writer.add(" ", 0)
        return
    writer.end(breaks=breaks, centred=style.centred, in_table=style.in_table)


def _style(node: Element, tag: str, around: _Style, classes: frozenset[str]) -> _Style:
    css = node.get("style") or ""
    named = (node.get("class") or "").split()
    bold = around.bold or tag in _BOLD or (tag[:1] == "h" and tag[1:].isdigit()) or _HEAVY.search(css) is not None
    if _LIGHT.search(css):
        bold = False
    return _Style(
        around.struck or tag in _STRUCK or _THROUGH.search(css) is not None or not classes.isdisjoint(named),
        bold,
        around.centred
        or tag == "center"
        or (node.get("align") or "").lower() == "center"
        or _CENTRED.search(css) is not None,
        (node.get("href") or "").strip() or around.href if tag == "a" else around.href,
        around.in_table or tag == "table",
        around.in_row,
    )
