"""Reading of born-digital PDF by pypdf, in the order in which a person reads it, within limits on pages and time.

pypdf gives pieces of text with their places. Pieces become rows, rows columns, and rows of one paragraph one line. What
is printed on each page beside the text (running heads, page numbers) is returned beside it. A page without text is
never read: it needs text recognition.
"""

from __future__ import annotations

import io
import logging
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import hypot
from statistics import median
from typing import NamedTuple, TypeAlias

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError
from pypdf.generic import ContentStream, DictionaryObject, FloatObject, NameObject

from graph.errors import BadRecord
from graph.wording.folding import folded
from graph.wording.tables import row_line
from loaders.articulated.labels import annex_label, grouping_label, read_label, seems_labelled
from loaders.articulated.lines import LABEL_ALONE, DocumentText, Line, LineWriter
from loaders.articulated.outside import ANOTHER_ACT, CLOSING, EPIGRAPH, PUBLISHED, joined
from loaders.articulated.quotations import OPENING
from loaders.codes import RefusalCode
from loaders.xml import spaced

#: The maximum number of pages, and the maximum time in seconds.
MAX_PAGES = 3_000
MAX_SECONDS = 120.0
#: The number of a line is that of its page times this, and its number on the page.
LINES_OF_PAGE = 1_000
#: What pypdf raises for damaged files, besides its own errors.
_DAMAGED = (
    PyPdfError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)
_SAME: tuple[FloatObject, ...] = tuple(map(FloatObject, (1, 0, 0, 1, 0, 0)))
#: Gaps in thousandths of the size of a font that pypdf may take for one between letters.
_NARROW_GAP = (-330, -170)
#: Operators that paint a path, and the largest number of sides that are used of one.
_PAINTS = frozenset({b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*"})
_MOST_STROKES = 5_000
_Point: TypeAlias = tuple[float, float]
_Operation: TypeAlias = tuple[object, bytes]
#: The operators that are used besides those of text, and the largest number that a file may have.
_USED = frozenset({b"Tr", b"m", b"l", b"re", b"n", *_PAINTS})
_LARGEST_NUMBER = 1e9
_MOVES = frozenset({b"Td", b"TD", b"Tm", b"T*", b"'", b'"'})
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_NARROW = frozenset("fijlrtIJ .,;:!|'\"()[]-/ºª°")
_WIDE = frozenset("mw—%…")
_MEAN_WIDTH = 480.0
#: Rows at the edge of a page that may be running heads, and the smallest part of the pages that has one.
_EDGE, _REPEATED = 4, 0.3
_PAGE_NUMBER = re.compile(
    r"\W*(?:p[áa]g(?:ina)?s?\.?|fls?\.?|folhas?)\s*(?:n[º°.]+)?\s*[0-9]{1,4}(?:\s*(?:/|de)\s*[0-9]{1,4})?\W*"
)
_BARE_NUMBER = re.compile(r"\W*([0-9]{1,4})\W*")
_DIGITS = re.compile(r"[0-9]+")
#: The end of a row that a label cannot follow: the sentence goes on.
_DANGLING = re.compile(
    r"(?:,|(?<![;,]\s)\b(?:e|ou)|\b(?:[ao]s?|[dn][ao]s?|de|em|aos?|às?|que|com|por|pel[ao]s?|para|sobre|sob|c/c|deste|desta|este|esta"
    r"|caput|n[º°.]|arts?\.|incisos?|al[íi]neas?|§§?|lei|decreto))$",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"\b(?:arts?|n|inc|al|c[óo]d|pg|p[áa]g)\.$", re.IGNORECASE)
#: Words that begin the second row of a title.
_OF_TITLE = re.compile(r"(?:DE|D[AO]S?|E|EM|N[AO]S?|AOS?|[ÀA]S?|PARA|COM|POR|QUE)\b")
_WORDS_OF_ONE_LETTER = frozenset("AEOÀÉÓaeoàéó")
#: How near lines are that touch, and the longest cell of a table.
_TOUCH, _LONGEST_CELL = 4.0, 2_000
_ARRANGED = re.compile(r"Art(?:igo)?[.\s]+[0-9].{40}|(?:LEI|DECRETO)\s")
_FEWEST_BULLETS, _MANY_BULLETS = 3, 10


class _Piece(NamedTuple):
    """Text that begins at a place of a page; the page's lower left corner is 0, 0."""

    x: float
    y: float
    size: float
    text: str
    bold: bool
    scale: float = 1.0
    struck: bool = False
    order: int = 0

    @property
    def end(self) -> float:
        """Return about where it ends: pypdf does not state the widths of letters."""
        return self.x + _width(self.text, self.size) * self.scale


class _Stroke(NamedTuple):
    """An upright or level stroke: its place across its direction, and from where to where it goes."""

    at: float
    start: float
    end: float


def _width(text: str, size: float) -> float:
    return size * sum(
        0.3 if char in _NARROW else 0.72 if char.isupper() or char in _WIDE else 0.5 for char in text.strip()
    )


@dataclass
class _Row:
    """Pieces of one row of a column.

    Attributes:
        left, right: the edges of the column.
        leading: the distance of rows in this column.
        above: the distance of the row above it; 0 if it is the first one.
        begins: whether it is the first row of a column or page.
        cells: its cells, if it is a row of a table.
        is_scattered: whether wide spaces separate its words and it is no row of a table that can be read.
    """

    pieces: list[_Piece]
    number: int = 0
    left: float = 0.0
    right: float = 0.0
    leading: float = 0.0
    above: float = 0.0
    begins: bool = False
    cells: list[str] | None = None
    is_scattered: bool = False

    @cached_property
    def text(self) -> str:
        return spaced("".join(words for words, _ in self.words()))

    def words(self) -> Iterator[tuple[str, _Piece]]:
        """Yield the words of each piece with the white space before them."""
        before: _Piece | None = None
        for piece in self.pieces:
            apart = before is not None and piece.order != before.order + 1 and piece.x - before.end > piece.size / 4
            yield f"{' ' if apart else ''}{piece.text}", piece
            before = piece

    @property
    def x(self) -> float:
        return self.pieces[0].x

    @property
    def y(self) -> float:
        return self.pieces[0].y

    @property
    def size(self) -> float:
        return max(piece.size for piece in self.pieces)

    @property
    def end(self) -> float:
        return max(piece.end for piece in self.pieces)

    @property
    def bold(self) -> bool:
        return sum(len(piece.text) if piece.bold else -len(piece.text) for piece in self.pieces) > 0

    @property
    def centred(self) -> bool:
        width = self.right - self.left
        before, after = self.x - self.left, self.right - self.end
        return before > width / 12 and read_label(self.text) is None and abs(before - after) < width / 10

    @property
    def is_long(self) -> bool:
        """Return whether it is a row of a narrower paragraph, such as one in quotation marks, rather than a title."""
        return self.end - self.x > 0.6 * (self.right - self.left) and not self.centred and not self.text.isupper()

    def is_full(self, following: _Row) -> bool:
        """Return whether the first word of the next row would not have fitted at its end."""
        word = _width(following.text.partition(" ")[0], self.size)
        return self.end + word + self.size / 4 > self.right - (self.right - self.left) / 20


def read_pdf(raw: bytes) -> DocumentText:
    """Return the lines of a PDF.

    Raises:
        BadRecord: ``encrypted``; ``bad-archive`` if it is damaged; ``record-too-large`` if it exceeds a limit;
            ``no-text`` if no page has text.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what matters of its warnings is in the refusals
    with _reading():
        reader = PdfReader(io.BytesIO(raw))
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encrypted()
        count = len(reader.pages)
    if count > MAX_PAGES:
        problem = f"the PDF has {count} pages"
        raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {MAX_PAGES} pages")
    pages = _Pages(time.monotonic() + MAX_SECONDS)
    for number in range(count):
        with _reading():
            read = _read_page(reader.pages[number], pages.until)
        pages.add(number + 1, read)
    return pages.text()


@contextmanager
def _reading() -> Iterator[None]:
    """Refuse a file for what pypdf raises. Only pypdf, and what reads its objects, runs in this context."""
    try:
        yield
    except DependencyError:
        raise _encrypted() from None
    except LimitReachedError as error:
        raise BadRecord(RefusalCode.RECORD_TOO_LARGE, f"the PDF exceeds a limit: {error}", "a smaller PDF") from None
    except _DAMAGED as error:
        problem = f"the PDF is damaged or cut off: {str(error)[:200]}"
        raise BadRecord(RefusalCode.BAD_ARCHIVE, problem, "a whole PDF") from None


def _encrypted() -> BadRecord:
    return BadRecord(RefusalCode.ENCRYPTED, "the PDF is encrypted", "a PDF that opens without a password")


@dataclass(slots=True)
class _Pages:
    """The pages of a file.

    Attributes:
        until: when to give up.
        rows: the rows of each page with text, by its number.
        scanned: the numbers of the pages with images and without text.
        recognised: the numbers of the pages with an image and text that is not shown.
    """

    until: float
    rows: dict[int, list[_Row]] = field(default_factory=dict)
    scanned: list[int] = field(default_factory=list)
    recognised: list[int] = field(default_factory=list)
    beside: list[tuple[int, str]] = field(default_factory=list)

    def add(self, number: int, page: _Page) -> None:
        """Add a page."""
        reading = _PageReader()
        pieces = reading.read(page.drawn)
        if not pieces:
            self.scanned += [number] if page.has_image else []
            return
        if reading.hidden and page.has_image:
            self.recognised.append(number)
        self.beside += [(number * LINES_OF_PAGE, words) for words in reading.turned]
        rows = _with_tables(pieces, reading.tables())
        self.rows[number] = [
            replace(row, number=number * LINES_OF_PAGE + min(place, LINES_OF_PAGE - 1))
            for place, row in enumerate(rows, 1)
        ]

    def text(self) -> DocumentText:
        """Return the text of all pages."""
        if not self.rows:
            where = f"page{_numbers(self.scanned)} {'has' if len(self.scanned) == 1 else 'have'} only images"
            problem = f"the PDF has no text: {where if self.scanned else 'all pages are empty'}"
            raise BadRecord(RefusalCode.NO_TEXT, problem, "a PDF with text: text recognition (OCR) makes one of a scan")
        self._remove_edges()
        rows = [row for row in self._rows_in_order() if row.text]
        _remove_bullets(rows, self.beside)
        notes = [
            (page * LINES_OF_PAGE, f"[page {page} has only an image; its words need text recognition]")
            for page in self.scanned
        ]
        notes += [
            (row.number, f"[words of a table without lines, perhaps in another order] {row.text}")
            for before, row in pairwise(rows)
            if row.is_scattered and not before.is_scattered
        ]
        if self.recognised:
            words = f"[page{_numbers(self.recognised)}: text recognition made the words of the image]"
            self.beside.append((self.recognised[0] * LINES_OF_PAGE, words))
        return DocumentText(_Writer(_words_of(rows)).write(rows), sorted(self.beside), notes)

    def _remove_edges(self) -> None:
        """Remove running heads and page numbers, and report each once with the number of its pages.

        A row that repeats at the edge of pages is one if the text of other pages leaves its place empty.
        """
        found: dict[tuple[bool, str], list[_Row]] = {}
        for rows in self.rows.values():
            for key, row in {(at_end, _edge_key(row)): row for at_end, row in _edges(rows)}.items():
                found.setdefault(key, []).append(row)
        fewest = max(2, round(len(self.rows) * _REPEATED))
        heads = {key for key, rows in found.items() if len(rows) >= fewest}
        body = Counter((key[0], round(row.y)) for key, rows in found.items() if key not in heads for row in rows)
        for key in list(heads):
            places = {(key[0], round(row.y)) for row in found[key]}
            if sum(body[place] for place in places) > len(found[key]) / 4:
                heads.remove(key)
        removed: dict[tuple[bool, str], list[_Row]] = {}
        for page, rows in self.rows.items():
            for at_end in (False, True):
                while rows:
                    row = rows[-1] if at_end else rows[0]
                    key = (at_end, _edge_key(row))
                    is_title = page == min(self.rows) and EPIGRAPH.match(row.text) is not None
                    is_head = key in heads and read_label(row.text) is None and not is_title
                    if not is_head and not _is_page_number(rows, page, at_end=at_end):
                        break
                    removed.setdefault(key, []).append(rows.pop(-1 if at_end else 0))
        for some in removed.values():
            pages = f" ({len(some)} pages)" if len(some) > 1 else ""
            self.beside.append((some[0].number, f"{some[0].text}{pages}"))

    def _rows_in_order(self) -> Iterator[_Row]:
        gutters: list[float] = []
        for rows in self.rows.values():
            for block in _columns(rows, gutters):
                yield from _set_in_block(block)


def _numbers(pages: Sequence[int]) -> str:
    """Return the numbers of pages for a message: "s 1, 4 to 6"."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and page == ranges[-1][-1] + 1:
            ranges[-1].append(page)
        else:
            ranges.append([page])
    written = [str(each[0]) if len(each) == 1 else f"{each[0]} to {each[-1]}" for each in ranges]
    return f"{'s' if len(pages) > 1 else ''} {', '.join(written[:20])}{' and more' if len(written) > 20 else ''}"


class _Text(NamedTuple):
    """Text that pypdf gives: the matrices of its place, and the name of its font, how wide it is, and its size."""

    text: str
    cm: tuple[float, ...]
    tm: tuple[float, ...]
    font: str
    scale: float
    size: float


class _Drawing(NamedTuple):
    """An operator with its numbers, and the matrix of its place."""

    operator: bytes
    numbers: tuple[float, ...]
    cm: tuple[float, ...]


class _Page(NamedTuple):
    """What pypdf gives of a page, in the order of the page."""

    drawn: list[_Text | _Drawing]
    has_image: bool


def _read_page(page: PageObject, until: float) -> _Page:
    """Return what pypdf gives of a page; the calls from pypdf only collect it.

    Args:
        until: when to give up.
    """
    drawn: list[_Text | _Drawing] = []
    scales: dict[int, float] = {}

    def take_text(
        text: str, cm: Sequence[float], tm: Sequence[float], font: DictionaryObject | None, size: float
    ) -> None:
        if time.monotonic() > until:
            problem = f"the PDF takes more than {MAX_SECONDS:.0f} seconds"
            raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, "a smaller PDF")
        name = str(font.get("/BaseFont", "")) if font is not None else ""
        if font is not None and id(font) not in scales:
            scales[id(font)] = min(1.5, max(0.7, _mean_width(font) / _MEAN_WIDTH))
        scale = scales[id(font)] if font is not None else 1.0
        drawn.append(_Text(text, _numbers_of(cm), _numbers_of(tm), name, scale, *_numbers_of([size])))

    def take_operation(operator: bytes, operands: Sequence[object], cm: Sequence[float], _: object) -> None:
        if operator in _USED:
            numbers = [each for each in operands if isinstance(each, (int, float))]
            drawn.append(_Drawing(operator, _numbers_of(numbers), _numbers_of(cm)))

    contents = page.get("/Contents")
    if contents is not None:
        stream = ContentStream(contents.get_object(), page.pdf, "bytes")
        # a move to another place without effect before each one makes pypdf return the pieces one by one
        stream.operations = [
            each
            for operation in _with_clear_gaps(stream.operations)
            for each in (((list(_SAME), b"cm"), operation) if operation[1] in _MOVES else (operation,))
        ]
        page[NameObject("/Contents")] = stream
        page.extract_text(visitor_text=take_text, visitor_operand_before=take_operation)
    return _Page(drawn, _has_image(page))


def _numbers_of(values: Iterable[float]) -> tuple[float, ...]:
    """Return numbers of a file.

    Raises:
        ValueError: one is so large that the file is damaged.
    """
    numbers = tuple(map(float, values))
    if not all(-_LARGEST_NUMBER < number < _LARGEST_NUMBER for number in numbers):
        raise ValueError("a number is too large")
    return numbers


def _has_image(page: PageObject) -> bool:
    resources = page.get("/Resources")
    objects = resources.get_object().get("/XObject") if resources is not None else None
    named = objects.get_object() if objects is not None else None
    if not isinstance(named, DictionaryObject):
        return False
    return any(each.get_object().get("/Subtype") in {"/Image", "/Form"} for each in named.values())


@dataclass(slots=True)
class _PageReader:
    """Reads the pieces of one page.

    Attributes:
        turned: the words in another direction than most, such as a stamp along the margin.
        hidden: whether some text is invisible.
    """

    turned: list[str] = field(default_factory=list)
    hidden: bool = False
    _pieces: dict[int, list[_Piece]] = field(default_factory=dict)
    _strokes: dict[int, list[_Stroke]] = field(default_factory=dict)
    _path: list[tuple[_Point, _Point]] = field(default_factory=list)
    _upright: list[_Stroke] = field(default_factory=list)
    _from: tuple[float, float] = (0.0, 0.0)
    _last: list[_Piece] = field(default_factory=list)

    def read(self, drawn: Iterable[_Text | _Drawing]) -> list[_Piece]:
        """Return the pieces in the direction of most of them."""
        for each in drawn:
            if isinstance(each, _Text):
                self._take_text(each)
            else:
                self._take_drawing(each)
        if not self._pieces:
            return []
        turn = max(self._pieces, key=lambda each: sum(len(piece.text) for piece in self._pieces[each]))
        self.turned += [
            spaced(" ".join(piece.text for piece in pieces)) for each, pieces in self._pieces.items() if each != turn
        ]
        return [self._with_stroke(piece) for piece in self._pieces[turn]] if turn == 0 else self._pieces[turn]

    def tables(self) -> list[_Table]:
        """Return the tables with lines between their cells."""
        strokes = [stroke for some in self._strokes.values() for stroke in some]
        return _ruled_tables(strokes, self._upright)

    def _take_text(self, drawn: _Text) -> None:
        text, cm, tm = drawn.text, drawn.cm, drawn.tm
        if not text.strip():
            if text and self._last:
                self._last[-1] = self._last[-1]._replace(text=f"{self._last[-1].text} ")
            return
        across, along = tm[0] * cm[0] + tm[1] * cm[2], tm[0] * cm[1] + tm[1] * cm[3]
        height = hypot(tm[2] * cm[0] + tm[3] * cm[2], tm[2] * cm[1] + tm[3] * cm[3]) * abs(drawn.size)
        x, y = _placed(tm[4], tm[5], cm)
        turn = (0 if across > 0 else 2) if abs(across) >= abs(along) else 1 if along > 0 else 3
        x, y = ((x, y), (y, -x), (-x, -y), (-y, x))[turn]
        bold = any(word in drawn.font for word in ("Bold", "Black", "Heavy", "Demi"))
        self._last = pieces = self._pieces.setdefault(turn, [])
        for below, part in enumerate(text.translate(_LIGATURES).split("\n")):
            if part.strip():
                height = height or 1.0
                pieces.append(_Piece(x, y - 1.2 * below * height, height, part, bold, drawn.scale, order=len(pieces)))

    def _take_drawing(self, drawn: _Drawing) -> None:
        """Note the strokes, which may strike words out or divide the cells of a table, and invisible text."""
        operator, places, cm = drawn
        if operator == b"Tr" and places and places[0] == 3:
            self.hidden = True
        elif operator in {b"m", b"l"} and len(places) == 2:
            start, self._from = self._from, _placed(places[0], places[1], cm)
            if operator == b"l":
                self._path.append((start, self._from))
        elif operator == b"re" and len(places) == 4:
            x, y, width, height = places
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
            self._path += pairwise(_placed(*corner, cm) for corner in corners)
        elif operator in _PAINTS:
            self._paint()
        elif operator == b"n":
            self._path.clear()

    def _paint(self) -> None:
        """Note the upright and level sides of the path."""
        path, self._path = self._path, []
        for start, end in path[:_MOST_STROKES]:
            width, height = abs(start[0] - end[0]), abs(start[1] - end[1])
            if height < 1 < width:
                y = (start[1] + end[1]) / 2
                self._strokes.setdefault(int(y), []).append(_Stroke(y, min(start[0], end[0]), max(start[0], end[0])))
            elif width < 1 < height:
                self._upright.append(_Stroke(start[0], min(start[1], end[1]), max(start[1], end[1])))

    def _with_stroke(self, piece: _Piece) -> _Piece:
        """Return a piece struck, if a stroke goes through at least half of it in the middle of its letters."""
        if not self._strokes:
            return piece
        low, high = piece.y + 0.13 * piece.size, piece.y + 0.45 * piece.size
        covered = sum(
            max(0.0, min(end, piece.end) - max(start, piece.x))
            for key in range(int(low) - 1, int(high) + 2)
            for y, start, end in self._strokes.get(key, ())
            if low <= y <= high
        )
        return piece._replace(struck=covered > (piece.end - piece.x) / 2)


def _with_clear_gaps(operations: list[_Operation]) -> list[_Operation]:
    """Return operations whose gaps between words pypdf recognises, if the text has no spaces, as that of TeX."""
    arrays = [operands[0] for operands, operator in operations if operator == b"TJ" and isinstance(operands, list)]
    parts = [part for array in arrays if isinstance(array, list) for part in array]
    if any(isinstance(part, bytes) and (b" " in part or b"\0" in part) for part in parts):
        return operations
    for array in arrays:
        if isinstance(array, list):
            array[:] = [each for part in array for each in _clear_gap(part)]
    return operations


def _clear_gap(part: object) -> tuple[object, ...]:
    """Return a part of an array of text; a gap that may be one between letters becomes a large one and a move back."""
    if not isinstance(part, (int, float)) or not _NARROW_GAP[0] <= part <= _NARROW_GAP[1]:
        return (part,)
    return FloatObject(2 * _NARROW_GAP[0]), FloatObject(part - 2 * _NARROW_GAP[0])


def _mean_width(font: DictionaryObject) -> float:
    """Return the mean width of the small letters of a font, or of all its letters, in thousandths of its size."""
    widths, below = font.get("/Widths"), font.get("/DescendantFonts")
    if widths is not None:
        first = font.get("/FirstChar", 0)
        stated = list(widths.get_object())[max(0, 97 - int(first)) : max(0, 123 - int(first))]
    elif below is not None:
        listed = below.get_object()[0].get_object().get("/W")
        arrays = [each.get_object() for each in listed.get_object()] if listed is not None else []
        stated = [width for each in arrays if isinstance(each, list) for width in each]
    else:
        name = str(font.get("/BaseFont", ""))
        return 600.0 if "Courier" in name else 450.0 if "Times" in name else _MEAN_WIDTH
    numbers = [float(each) for each in stated if isinstance(each, (int, float)) and each > 0]
    return sum(numbers) / len(numbers) if numbers else _MEAN_WIDTH


def _placed(x: float, y: float, matrix: Sequence[float]) -> tuple[float, float]:
    return x * matrix[0] + y * matrix[2] + matrix[4], x * matrix[1] + y * matrix[3] + matrix[5]


def _rows(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    """Return the pieces of each row from top to bottom, each from left to right."""
    rows: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda each: -each.y):
        if rows and rows[-1][0].y - piece.y <= 0.4 * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda each: (each.x, each.order))
    return rows


@dataclass(frozen=True, slots=True)
class _Table:
    """A table with lines between its cells.

    Attributes:
        rows: the places of the level lines, from top to bottom.
        upright: the upright lines; a row has the cells between those that go through it.
    """

    rows: tuple[float, ...]
    upright: tuple[_Stroke, ...]

    def place(self, piece: _Piece) -> tuple[int, int] | None:
        """Return the row and the column of a piece; None if it is not in the table."""
        y, x = piece.y + 0.3 * piece.size, piece.x + 0.1 * piece.size
        row = sum(line > y for line in self.rows)
        if not 0 < row < len(self.rows):
            return None
        middle = (self.rows[row - 1] + self.rows[row]) / 2
        sides = _merged([each.at for each in self.upright if each.start - 2 <= middle <= each.end + 2])
        column = sum(side <= x for side in sides)
        return (row, column) if 0 < column < len(sides) else None


def _merged(places: Iterable[float]) -> list[float]:
    """Return places in order, one for all those that touch."""
    merged: list[float] = []
    for place in sorted(places):
        if not merged or place - merged[-1] > _TOUCH:
            merged.append(place)
    return merged


def _ruled_tables(level: Sequence[_Stroke], upright: Sequence[_Stroke]) -> list[_Table]:
    """Return the tables of a page by their lines: at least three upright ones that go side by side."""
    groups: list[list[_Stroke]] = []
    lowest = 0.0
    for stroke in sorted((each for each in upright if each.end - each.start > _TOUCH), key=lambda each: -each.end):
        if groups and stroke.end >= lowest - _TOUCH:
            groups[-1].append(stroke)
            lowest = min(lowest, stroke.start)
        else:
            groups.append([stroke])
            lowest = stroke.start
    tables: list[_Table] = []
    for group in groups:
        sides = _merged(each.at for each in group)
        top, bottom = max(each.end for each in group), min(each.start for each in group)
        rows = _merged(
            each.at
            for each in level
            if bottom - _TOUCH <= each.at <= top + _TOUCH
            and any(abs(each.start - side) <= _TOUCH for side in sides)
            and any(abs(each.end - side) <= _TOUCH for side in sides)
        )
        if len(sides) > 2 and len(rows) > 1:
            tables.append(_Table(tuple(reversed(rows)), tuple(group)))
    return tables


def _with_tables(pieces: Sequence[_Piece], tables: Sequence[_Table]) -> list[_Row]:
    """Return the rows of a page from top to bottom, those of tables with their cells."""
    rows: list[_Row] = []
    left = list(pieces)
    for table in tables:
        cells: dict[int, dict[int, list[_Piece]]] = {}
        for piece in left:
            if (place := table.place(piece)) is not None:
                cells.setdefault(place[0], {}).setdefault(place[1], []).append(piece)
        found = [_row_of_cells(row) for row in cells.values()]
        if any(len(cell) > _LONGEST_CELL or _ARRANGED.match(cell) for row in found for cell in row.cells or ()):
            continue  # the lines only arrange the text
        rows += found
        taken = {id(piece) for row in found for piece in row.pieces}
        left = [piece for piece in left if id(piece) not in taken]
    rows += map(_Row, _rows(left))
    return sorted(rows, key=lambda row: -row.y)


def _row_of_cells(cells: dict[int, list[_Piece]]) -> _Row:
    texts = [" ".join(_Row(line).text for line in _rows(cells.get(column, []))) for column in range(1, max(cells) + 1)]
    pieces = [piece for line in _rows(piece for cell in cells.values() for piece in cell) for piece in line]
    return _Row(pieces, cells=texts)


def _edges(rows: Sequence[_Row]) -> Iterator[tuple[bool, _Row]]:
    """Yield the rows at the top and at the bottom of a page; whether each is at the bottom goes before it."""
    yield from ((False, row) for row in rows[:_EDGE])
    yield from ((True, row) for row in rows[-_EDGE:])


def _is_page_number(rows: Sequence[_Row], page: int, *, at_end: bool) -> bool:
    """Return whether the first or the last row has nothing but a page number: one without a word is far from others."""
    row, beside = (rows[-1], rows[-2:-1]) if at_end else (rows[0], rows[1:2])
    bare = _BARE_NUMBER.fullmatch(row.text)
    is_far = all(abs(row.y - each.y) > 2.5 * row.size for each in beside)
    return _PAGE_NUMBER.fullmatch(folded(row.text)) is not None or (
        bare is not None and int(bare[1]) == page and is_far
    )


def _edge_key(row: _Row) -> str:
    return _DIGITS.sub("#", folded(row.text))


# Columns and tables


def _columns(rows: Sequence[_Row], gutters: list[float]) -> Iterator[list[_Row]]:
    """Yield the rows of each column of a page, in the order of reading; rows across all columns are blocks too.

    Args:
        gutters: where columns began on earlier pages; those of this page are added.
    """
    start = _gutter(rows, gutters)
    if start is None:
        yield list(rows)
        return
    if start not in gutters:
        gutters.append(start)
    right_edge = max(row.end for row in rows)
    across: list[_Row] = []
    sides: tuple[list[_Row], list[_Row]] = ([], [])
    for row in rows:
        within = row.pieces[0] if row.cells is not None else None  # a row of a table is in one column, or across all
        left = [piece for piece in row.pieces if (within or piece).x < start - 2]
        right = [piece for piece in row.pieces if (within or piece).x >= start - 2]
        is_apart = bool(left and right) and right[0].order != left[-1].order + 1
        if left and not is_apart and _shortened_end(left[-1]) > start + (0 if right else 0.15 * (right_edge - start)):
            if any(sides):
                yield from _read_sides(sides, gutters)
                sides = ([], [])
            across.append(row)
            continue
        if across:
            yield across
            across = []
        for side, pieces in zip(sides, (left, right), strict=True):
            if pieces:
                side.append(replace(row, pieces=pieces))
    if across:
        yield across
    yield from _read_sides(sides, gutters)


def _read_sides(sides: tuple[list[_Row], list[_Row]], gutters: list[float]) -> Iterator[list[_Row]]:
    for side in sides:
        if side:
            yield from _columns(side, gutters)


def _shortened_end(piece: _Piece) -> float:
    """Return where a piece ends at least: the width of a long one is known within a tenth."""
    return piece.end - (piece.end - piece.x) / 10


def _gutter(rows: Sequence[_Row], known: Sequence[float]) -> float | None:
    """Return where a column begins to the right of another one; None if there is one column, or a table."""
    left, right = min(row.x for row in rows), max(row.end for row in rows)
    starts: Counter[int] = Counter()
    for row in rows:
        before = None
        for piece in row.pieces:
            apart = before is None or piece.x - _shortened_end(before) > piece.size / 2
            if apart and left + (right - left) / 4 < piece.x < right - (right - left) / 5:
                starts[round(piece.x)] += 1
            before = piece
    likely = sorted(starts, key=lambda x: -(starts[x - 1] + starts[x] + starts[x + 1]))[:3]
    drawn = _places_after_jumps(rows, (right - left) / 5)
    candidates = (*((start, True) for start in (*known, *drawn)), *((float(start), False) for start in likely))
    for start, is_drawn in candidates:
        is_known = start in known
        if left + (right - left) / 4 < start and _divides(rows, start, is_known=is_known, is_drawn=is_drawn):
            return start
    return None


def _places_after_jumps(rows: Sequence[_Row], least: float) -> Iterator[float]:
    """Yield where columns begin by the order of drawing: up and to the right, by a least distance."""
    pieces = sorted((each for row in rows if row.cells is None for each in row.pieces), key=lambda each: each.order)
    begins = pieces[0] if pieces else None
    for index, (before, piece) in enumerate(pairwise(pieces), 1):
        if begins is not None and piece.y > before.y + 1.5 * piece.size and piece.x > begins.x + least:
            column = [piece.x]
            for above, below in pairwise(pieces[index:]):
                if below.y > above.y + 1.5 * below.size:
                    break
                column += [below.x] if below.x > piece.x - least else []
            yield min(column)
        if abs(piece.y - before.y) > piece.size / 2:
            begins = piece


def _divides(rows: Sequence[_Row], start: float, *, is_known: bool, is_drawn: bool) -> bool:
    """Return whether text begins at a place to the right of other text, as a column does, and little text crosses it.

    Args:
        is_known: whether a column of an earlier page began there.
        is_drawn: whether it is a column by the order of drawing, so that its rows need none beside them.
    """
    both: list[tuple[str, str]] = []
    gaps: list[float] = []
    crossing = alone = lefts = 0
    for row in rows:
        if row.cells is not None:
            continue
        left = [piece for piece in row.pieces if piece.x < start - 2]
        right = [piece for piece in row.pieces if piece.x >= start - 2]
        end = _shortened_end(left[-1]) if left else 0.0
        lefts += bool(left)
        if not left or (not right and end <= start):
            alone += bool(right)
            continue
        if right and end <= start - 2 and right[0].x <= start + 3 * right[0].size and _apart(left[-1], right[0]):
            both.append((_Row(left).text, _Row(right).text))
            gaps.append((start - left[-1].end) / left[-1].size)
        else:
            crossing += 1
    found = len(both) + alone if is_drawn else len(both)
    if found < (1 if is_known else 3 if is_drawn else 4) or crossing > found / 2 + 3 or (is_drawn and lefts < 3):
        return False
    if is_drawn:
        return True
    sides = tuple(zip(*both, strict=True))
    is_wide = median(gaps) > 0.3 and all(median(map(len, side)) >= 20 for side in sides)
    return is_wide and (is_known or all(map(_is_prose, sides)) or all(map(_is_in_provisions, sides)))


def _is_prose(rows: Sequence[str]) -> bool:
    """Return whether sentences go on from row to row, and most rows are full, rather than cells of a table."""
    full = 0.75 * max(map(len, rows))
    going_on = sum(row.lstrip()[:1].islower() for row in rows)
    return going_on >= len(rows) / 4 and sum(len(row) >= full for row in rows) > len(rows) / 2


def _is_in_provisions(rows: Sequence[str]) -> bool:
    return sum(map(_is_labelled, rows)) >= len(rows) / 4


def _apart(before: _Piece, after: _Piece) -> bool:
    """Return whether a piece does not go on with the word of the one before it."""
    return after.order != before.order + 1 or before.text[-1].isspace() or after.text[0].isspace()


def _set_in_block(rows: list[_Row]) -> Iterator[_Row]:
    """Yield the rows of a column with its edges and the distance of its rows, those of tables with their cells."""
    ends = sorted(row.end for row in rows)
    left, right = min(row.x for row in rows), ends[-1 - len(ends) // 20]
    gaps = sorted(above.y - below.y for above, below in pairwise(rows) if above.y - below.y < 2.5 * above.size)
    parts = [_cells(row) for row in rows]
    tables = _unruled_tables(rows, parts)
    for index, row in enumerate(rows):
        yield replace(
            row,
            left=left,
            right=max(right, row.x + 1),
            leading=gaps[len(gaps) // 4] if gaps else row.size * 1.2,
            above=rows[index - 1].y - row.y if index else 0.0,
            begins=index == 0,
            cells=row.cells or tables.get(index),
            is_scattered=row.cells is None and (len(parts[index]) == 1 if index in tables else len(parts[index]) > 2),
        )


class _Cell(NamedTuple):
    """A part of a row that wide spaces separate: where it begins, where it ends at least, and its words."""

    start: float
    end: float
    text: str


def _cells(row: _Row) -> list[_Cell]:
    """Return the cells of a row; a label is none by itself."""
    gaps = [after.x - before.end for before, after in pairwise(row.pieces)]
    words = [gap for gap in gaps if gap > row.size / 10]
    least = 2.5 * median(words) if len(words) > 3 else 0.0  # a justified row has wide spaces between all words
    cells: list[_Cell] = []
    for index, (text, piece) in enumerate(row.words()):
        wide = index > 0 and gaps[index - 1] > max(1.3 * piece.size, least)
        if not cells or (wide and LABEL_ALONE.fullmatch(cells[-1].text.strip()) is None):
            cells.append(_Cell(piece.x, _shortened_end(piece), text))
        else:
            cells[-1] = _Cell(cells[-1].start, _shortened_end(piece), cells[-1].text + text)
    return cells


def _unruled_tables(rows: Sequence[_Row], parts: Sequence[list[_Cell]]) -> dict[int, list[str]]:
    """Return the cells of the rows of tables without lines, by the index of the row.

    A row with one cell is a row of its own: nothing states whether it goes on with the row above it.
    """
    found: dict[int, list[str]] = {}
    table = _UnruledTable()
    for index, (row, cells) in enumerate(zip(rows, parts, strict=True)):
        is_near = index > 0 and rows[index - 1].y - row.y < 1.5 * row.size
        may_be = row.cells is None and (len(cells) > 1 or (is_near and not _is_labelled(row.text)))
        if not (may_be and table.take(index, cells)):
            found |= table.read()
            table = _UnruledTable()
            if len(cells) > 1 and row.cells is None:
                table.take(index, cells)
    return found | table.read()


@dataclass(slots=True)
class _UnruledTable:
    """Rows whose cells are in columns: no cell is in two columns, and no column has two cells of a row.

    Attributes:
        columns: where each column begins and ends.
        rows: the cells of each row by their columns, by the index of the row.
    """

    columns: list[tuple[float, float]] = field(default_factory=list)
    rows: dict[int, dict[int, str]] = field(default_factory=dict)

    def take(self, index: int, cells: Sequence[_Cell]) -> bool:
        """Add a row, and return whether it is one of the table; the first has several cells."""
        columns, row = [*self.columns], dict[int, str]()
        for start, end, text in cells:
            within = [at for at, (left, right) in enumerate(columns) if start <= right and end >= left]
            at = within[0] if within else len(columns)
            if len(within) > 1 or at in row or not (within or len(cells) > 1):
                return False
            left, right = columns[at] if within else (start, end)
            columns[at : at + 1] = [(min(left, start), max(right, end))]
            row[at] = text
        self.columns, self.rows[index] = columns, row
        return True

    def read(self) -> dict[int, list[str]]:
        """Return the cells of each row by its index: none unless two rows have several cells.

        What stands below the last of them in the first column is no row of the table.
        """
        order = sorted(range(len(self.columns)), key=lambda at: self.columns[at])
        several = [index for index, row in self.rows.items() if len(row) > 1]
        return {
            index: [row.get(at, "") for at in order]
            for index, row in self.rows.items()
            if len(several) > 1 and (index <= several[-1] or order[0] not in row)
        }


# Paragraphs


def _is_labelled(text: str) -> bool:
    """Return whether a row begins like a provision, a grouping, an annex or an act."""
    text = text.lstrip(OPENING)
    labelled = any(reads(text) is not None for reads in (read_label, grouping_label, annex_label))
    return labelled or ANOTHER_ACT.match(text) is not None


def _remove_bullets(rows: list[_Row], beside: list[tuple[int, str]]) -> None:
    """Remove glyphs that are printed before labels; a letter is one if most rows that begin with it have a label."""
    found: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        glyph, _, rest = row.text.partition(" ")
        if len(glyph) == 1 and not glyph.isdigit() and glyph not in _WORDS_OF_ONE_LETTER and glyph != "§" and rest:
            found.setdefault(glyph, []).append(index)
    for glyph, some in found.items():
        labelled = [index for index in some if _is_labelled(rows[index].text[2:])]
        is_sure = not glyph.isalnum() and glyph not in OPENING
        if is_sure and len(labelled) >= _MANY_BULLETS and len(labelled) > 0.8 * len(some):
            labelled = [index for index in some if index in labelled or seems_labelled(rows[index].text[2:])]
        if not labelled or (not is_sure and (len(labelled) < _FEWEST_BULLETS or 2 * len(labelled) < len(some))):
            continue
        for index in labelled:
            first, *others = rows[index].pieces
            rest = first.text.lstrip()[1:]
            kept = [first._replace(text=rest), *others] if rest.strip() else others
            rows[index] = replace(rows[index], pieces=kept)
        beside.append((rows[labelled[0]].number, f"{glyph} (before {len(labelled)} labels)"))


def _begins_paragraph(row: _Row, before: _Row) -> bool:
    """Return whether a row begins a paragraph, rather than goes on with that of the row before it."""
    text, last = row.text, before.text
    is_whole = ANOTHER_ACT.match(last) is not None and last[-1].isdigit()
    is_whole |= CLOSING.fullmatch(last.rstrip(".")) is not None
    if row.cells is not None or before.cells is not None or not last or is_whole:
        return True
    if abs(row.size - before.size) > 0.15 * row.size:
        return True
    is_open, is_full = last[-1] not in ".;:" or _ABBREVIATED.search(last) is not None, before.is_full(row)
    goes_on = is_open and (_DANGLING.search(last) is not None or text[0].islower())
    if _is_labelled(text):
        label = read_label(text)
        may_go_on = is_open and is_full and (label is None or label.prefix in {"art", "par"})
        return not (may_go_on and _DANGLING.search(last) is not None)
    if goes_on or (is_open and last.isupper() and text.isupper() and _OF_TITLE.match(text) is not None):
        return False
    if row.begins:
        return not (is_open and is_full)
    is_closing = not is_open and (CLOSING.match(text) or PUBLISHED.match(text)) is not None
    if (
        row.above > 1.45 * min(row.leading, before.above or row.leading)
        or is_closing
        or not (is_full or (is_open and before.is_long))
    ):
        return True
    indented = row.x - before.x > 0.8 * row.size and before.x - row.left < 0.5 * row.size
    return indented and not is_open


_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST_WORD, _FIRST_WORD = re.compile(r"[^\W\d_]+-$"), re.compile(r"[^\W\d_]+")


@dataclass(slots=True)
class _Writer:
    """Writes rows as lines, one for each paragraph.

    Attributes:
        known: the words of the text: they decide whether a hyphen at the end of a row is of the word.
    """

    known: frozenset[str]
    writer: LineWriter = field(default_factory=LineWriter)

    def write(self, rows: Sequence[_Row]) -> list[Line]:
        """Return the lines of rows."""
        before: _Row | None = None
        divides = ""
        for row, following in zip(rows, (*rows[1:], None), strict=True):
            if before is not None and _begins_paragraph(row, before):
                self._end(before)
                before, divides = None, ""
            elif before is not None and not divides:
                self.writer.add(" ", row.number)
            if row.cells is not None:
                self.writer.add(row_line(spaced(cell) for cell in row.cells), row.number)
            else:
                goes_on = following is not None and not _begins_paragraph(following, row)
                divides = self._divides(row, following) if following is not None and goes_on else ""
                self._add_words(row, removed=divides == "-")
            before = row
        if before is not None:
            self._end(before)
        return self.writer.lines

    def _end(self, row: _Row) -> None:
        self.writer.end(centred=row.centred, in_table=row.cells is not None)

    def _divides(self, row: _Row, following: _Row) -> str:
        """Return "-" if a hyphen divides the word at the end of a row, "kept" if it is of the word; else nothing."""
        first, second = _LAST_WORD.search(row.text), _FIRST_WORD.match(following.text)
        if first is None or second is None:
            return "-" if row.text.endswith("\u00ad") else "kept" if re.search(r"\w-$", row.text) else ""
        whole = f"{first[0][:-1]}{second[0]}".lower()
        if whole in self.known:
            return "-"
        if f"{first[0]}{second[0]}".lower() in self.known:
            return "kept"
        return "kept" if joined(row.text, following.text).startswith(row.text) else "-"

    def _add_words(self, row: _Row, *, removed: bool) -> None:
        *others, (last, piece) = row.words()
        last = last.rstrip()
        for words, each in (*others, (last[:-1] if removed else last, piece)):
            self.writer.add(words, row.number, struck=each.struck, bold=each.bold)


def _words_of(rows: Iterable[_Row]) -> frozenset[str]:
    """Return the words of rows, without the first and last ones, of which the end of a row may be a part."""
    return frozenset(word.lower() for row in rows for word in _WORDS.findall(row.text)[1:-1])
