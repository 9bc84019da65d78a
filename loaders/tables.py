"""Rows of CSV and TSV tables, one at a time, each with its cells or its fault."""

from __future__ import annotations

import csv
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graph.errors import BadRecord
from loaders.codes import NoteCode, RefusalCode
from loaders.identity import quoted
from loaders.lines import MAX_LINE, Line
from loaders.outcomes import Note

#: The maximum number of columns or keys counted separately as unused.
_MOST_COLUMNS = 1_000
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: its cells, or its fault."""

    line: int
    raw: bytes
    cells: list[str]
    fault: BadRecord | None = None
    complete: bool = True


class Rows:
    """Rows of a table (RFC 4180). A quoted cell may have line ends; an open quote affects only its own line.

    Every line is parsed at most twice.
    """

    def __init__(self, source: Iterator[Line], delimiter: str) -> None:
        self._source = source
        self._delimiter = delimiter
        self._again: deque[Line] = deque()
        self._alone_until = 0

    def __iter__(self) -> Iterator[Row]:
        while (line := self._next()) is not None:
            row = self._row(line)
            if row.fault is not None or row.raw.strip():
                yield row

    def _next(self) -> Line | None:
        return self._again.popleft() if self._again else next(self._source, None)

    def _row(self, first: Line) -> Row:
        if first.text is None:
            return Row(first.number, first.raw, [], first.fault, first.whole)
        taken = [first]
        try:
            cells = next(csv.reader(self._feed(taken), delimiter=self._delimiter, strict=True), [])
        except csv.Error as error:
            self._alone_until = max(self._alone_until, taken[-1].number)
            self._again.extendleft(reversed(taken[1:]))
            problem = f"the row cannot be read: {error}"
            fault = BadRecord(RefusalCode.BAD_ROW, problem, f"cells that conform to RFC 4180, at most {MAX_LINE} bytes")
            return Row(first.number, first.raw, [], fault)
        return Row(first.number, b"\n".join(line.raw for line in taken), cells)

    def _feed(self, taken: list[Line]) -> Iterator[str]:
        """Yield the first line, then the lines of an open quoted cell, up to the limit of one line."""
        first = taken[0]
        yield f"{first.text}\n"
        size = len(first.raw)
        while first.number > self._alone_until:
            line = self._next()
            if line is None:
                return
            taken.append(line)
            size += len(line.raw)
            if line.text is None or size > MAX_LINE:
                return
            yield f"{line.text}\n"


def count_unused(unused: Counter[str], titles: Iterable[str]) -> None:
    """Count unused values by column or key. Once the limit of keys is reached, other keys are counted together."""
    for title in titles:
        unused[title if title in unused or len(unused) < _MOST_COLUMNS else "..."] += 1


def unused_note(unused: Counter[str], key_kind: str, label: str) -> Note:
    """Return the note with the number of unused values of a table or list, and their columns."""
    shown_titles = ", ".join(quoted(title) for title in list(unused)[:_SHOWN])
    message = f"{unused.total()} values are not used, by {key_kind}: {shown_titles}"
    return Note(NoteCode.NOT_USED, message, label, "whole file", None, unused.total())


def misfit(row: Row, header: Row) -> BadRecord | None:
    """Return why a row does not fit its header: it cannot be read, or has more or fewer cells; None if it fits."""
    if row.fault is not None or len(row.cells) == len(header.cells):
        return row.fault
    problem = f"the row has {len(row.cells)} cells, the header has {len(header.cells)}"
    return BadRecord(RefusalCode.BAD_ROW, problem, f"{len(header.cells)} cells; quote one that holds a comma")
