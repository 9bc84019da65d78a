"""Rows of dots and quotation marks in texts of amending acts, and lines with several provisions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from loaders.articulated.labels import read_label
from loaders.articulated.lines import Line

#: A row of dots at the start or inside of a text, or dots in brackets.
ROW = r"(?:(?:\. ?){4,}|…[….]+|_{4,}|[\[(/]\s?(?:\.{2,}|…)\s?[\])/])"
DOTTED = re.compile(rf"[\s\-–—]*{ROW}")
#: A row of dots between two provisions on one line, and the end of a quotation before the next one.
_ROW_INSIDE = re.compile(rf"{ROW}[.…_\s]*|(?<=[”\"»])\s*(?:\((?:NR|AC)\))?\s+(?=[“\"«]\s?(?:Art|§|Par[áa]grafo))")
_FORMULA_AND_QUOTATION = re.compile(r"(?::|^[^\s“\"]{1,12}(?:\s[-–.])?)\s?(?=[“\"])")
#: The end of a sentence before a sole paragraph on the same line.
_SOLE_INSIDE = re.compile(r"(?<=[.;:)]) (?:[-–—] )?(?=(?:§|Par[áa]grafo)\s?[ÚUúu]nico\s?[.:–-]\s?[-–]?\s?[A-ZÀ-Ý])")
#: The end of a formula before new words on the same line, which may have no label.
_NEW_WORDING = re.compile(r"\breda[çc][ãa]o:\s?$", re.IGNORECASE)
_MARKS_OF_ROWS = " .…_·-–—()[]/;:,*\t\n"
OPENING = '“"”«‟'
#: Quotation marks left at the start of a provision that was moved into the law.
SINGLE = "‘'´`"
#: The mark of a changed or added provision, after its words.
_NR = r"[-–]?\s*(?:\(\s*(?P<mark>NR|AC|N\.\s?R\.?|A\.\s?C\.?)\s*\)|(?<=\s)(?:NR|AC)(?=[.;,\s]*$))"
CLOSE = re.compile(rf"[”\"»“]\s*[.;,]?\s*(?:{_NR})?\s*[.;,]?$")
MARK = re.compile(r"\(\s*(?P<mark>NR|AC|N\.\s?R\.?|A\.\s?C\.?)\s*\)\s*[.;]?$")
#: Inches after a short number at the end of words: "placas de 5”".
INCHES = re.compile(r"(?<![0-9])[0-9]{1,3}[”\"][.;,]?$")
CLOSE_SINGLE = re.compile(rf"[’']\s*[.;,]?\s*(?:{_NR})?\s*[.;,]?$")
#: Dots that replace words in or after other words.
REPLACED = re.compile(rf"\s*{ROW}[.…_\s]*|\s*\.{{3}}$")
_LONGEST_LABEL = 80


def is_row_of_dots(text: str) -> bool:
    """Return whether a text has only dots, in any spelling, which stand for omitted text.

    >>> [is_row_of_dots(text) for text in ("......;", "(...)", "/…/", ". . . .", "______", "..... e", "Art. 1º", "-")]
    [True, True, True, True, True, True, False, False]
    """
    shorter = re.sub(r"[.…]\s*[;,]?\s*(?:e|ou)$|\(?\[?omissis\]?\)?", "..", text, flags=re.IGNORECASE)
    dots = sum(3 if char == "…" else 1 for char in shorter if char in ".…_·")
    return (dots >= 2 or shorter.count("-") >= 4) and not shorter.strip(_MARKS_OF_ROWS)


def balance(text: str, marks: str, *, is_straight: bool) -> int:
    """Return how many more quotation marks a text opens than it closes; of straight marks, -1 if it closes one.

    Args:
        marks: the opening and the closing mark.
    """
    if not is_straight:
        return text.count(marks[0]) - text.count(marks[1])
    match = CLOSE.search(text)
    is_even = match is None or INCHES.search(text[: match.start()]) is None
    return 0 if (text.count('"') % 2 == 0) == is_even else -1


def quotation_bounds(texts: Sequence[str]) -> tuple[list[int], list[int], list[int]]:
    """Return three lists with the index of a next line for each line.

    These are the next line that opens a quotation, that closes one, and that closes one without opening it.
    """
    size = len(texts)
    opens, closes, ends = [size] * (size + 1), [size] * (size + 1), [size] * (size + 1)
    for index in range(size - 1, -1, -1):
        text = texts[index]
        is_open = text[:1] in OPENING or (
            text[:1] in SINGLE and read_label(text[1:].lstrip()[:_LONGEST_LABEL]) is not None
        )
        opens[index] = index if text and is_open else opens[index + 1]
        closing = CLOSE.search(text) or MARK.search(text)
        closes[index] = index if closing else closes[index + 1]
        unopened = text.count("”") > text.count("“") or text.count('"') % 2 == 1 or MARK.search(text)
        ends[index] = index if closing and unopened and opens[index] != index else ends[index + 1]
    return opens, closes, ends


def split(line: Line) -> list[Line]:
    """Split a line that has several provisions: where struck text ends, after dots, or between quotations."""
    pieces: list[Line] = []
    index = 0
    for end in sorted({*_ends_of_struck(line), *_ends_of_rows(line)}):
        if end > index:
            pieces.append(line.part(index, end))
            index = end
    if not pieces:
        return [line]
    first, *others = (piece for piece in (*pieces, line.part(index)) if piece.text)
    return [first, *(replace(piece, continues=False) for piece in others)]


def _ends_of_struck(line: Line) -> Iterator[int]:
    """Yield where struck text ends and another label begins: an earlier and a later wording share a line."""
    index = 0
    for number, span in enumerate(line.spans):
        following = line.spans[number + 1] if number + 1 < len(line.spans) else None
        goes_on = following is not None and following.struck and following.start - span.end <= 1
        if not span.struck or span.end <= index or goes_on:
            continue
        head = line.text[span.end : span.end + _LONGEST_LABEL].lstrip()
        if head and not head.startswith("(") and read_label(head) is not None:
            yield span.end
            index = span.end


def _ends_of_rows(line: Line) -> Iterator[int]:
    """Yield where a row of dots, or a quotation, ends and another label begins on the same line."""
    first = line.text.lstrip(OPENING + SINGLE + " ")
    if DOTTED.match(first) is None and read_label(first) is None:
        return
    if (start := _start_of_quotation(line.text)) is not None:
        yield start
    if (sole := _SOLE_INSIDE.search(line.text)) is not None and "“" not in line.text[1 : sole.start()]:
        yield sole.end()
    for match in _ROW_INSIDE.finditer(line.text):
        head = line.text[match.end() : match.end() + _LONGEST_LABEL].lstrip(OPENING + " ")
        if head and read_label(head) is not None:
            yield match.end()


def _start_of_quotation(text: str) -> int | None:
    """Return where a quotation begins on the line of its formula, if nothing follows it there; else None."""
    match = _FORMULA_AND_QUOTATION.search(text)
    if match is None or text[: match.start()].count("“") != text[: match.start()].count("”"):
        return None
    quoted = text[match.end() :]
    label = read_label(quoted[1:].lstrip()[:_LONGEST_LABEL])
    closings = quoted.count('"') - 1 if quoted[0] == '"' else quoted.count("”") - quoted.count("“") + 1
    whole = closings == 0 or (closings == 1 and (CLOSE.search(quoted) or MARK.search(quoted)) is not None)
    is_unlabelled = label is None and closings == 1 and _NEW_WORDING.search(text[: match.end()]) is not None
    return match.end() if whole and (is_unlabelled or (label is not None and label.prefix != "ite")) else None
