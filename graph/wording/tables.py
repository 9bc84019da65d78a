"""Tables and images in plain text: a line for each row of a table, and a mark with the address for each image."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TypeAlias

Row: TypeAlias = tuple[str, ...]

_ROW = re.compile(r"\|(?: .*)? \|")
_BETWEEN = re.compile(r"(?<!\\)\|")
#: Matches the mark of an image; its groups are the address and the words.
IMAGE = re.compile(r"\[imagem(?: ([^\s\]:]+(?::[^\s\]]+)?))?(?:: ([^\]]*))?\]")
_LONGEST_ADDRESS = 500


def row_line(cells: Iterable[str]) -> str:
    r"""Return a row of a table as a line of text; a vertical bar within a cell is escaped.

    >>> row_line(["Faixa", "", "4,00%"])
    '| Faixa | | 4,00% |'
    """
    return "| " + "".join(f"{text} | " if text else "| " for text in map(_escaped, cells)).rstrip()


def _escaped(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")


def cells_of(line: str) -> Row | None:
    r"""Return the cells of a row; None for any other line.

    >>> cells_of("| Faixa | | 4,00% |"), cells_of("a | b")
    (('Faixa', '', '4,00%'), None)
    """
    if not line.startswith("|") or _ROW.fullmatch(line) is None:
        return None
    return tuple(cell.strip().replace("\\|", "|") for cell in _BETWEEN.split(line)[1:-1])


def paragraphs_and_tables(lines: Iterable[str]) -> Iterator[str | tuple[Row, ...]]:
    """Yield the lines in order; consecutive rows are one table.

    >>> list(paragraphs_and_tables(["A tabela é:", "| a | b |", "| c | d |", "Fim."]))
    ['A tabela é:', (('a', 'b'), ('c', 'd')), 'Fim.']
    """
    for is_row, group in groupby(((line, cells_of(line)) for line in lines), key=lambda pair: pair[1] is not None):
        if is_row:
            yield tuple(cells for _, cells in group if cells is not None)
        else:
            yield from (line for line, _ in group)


def image_mark(address: str, words: str) -> str:
    """Return the mark of an image in a text.

    >>> image_mark("formula.gif", "Fórmula do reajuste"), image_mark("formula.gif", "")
    ('[imagem formula.gif: Fórmula do reajuste]', '[imagem formula.gif]')
    """
    address = "".join(address.split()).replace("]", "%5D").replace("[", "%5B")
    if address.startswith("data:"):
        address = address.partition(",")[0]
    shown = " ".join(words.replace("[", "(").replace("]", ")").split())
    return f"[imagem{' ' if address else ''}{address[:_LONGEST_ADDRESS]}{': ' if shown else ''}{shown}]"


def is_image(line: str) -> bool:
    """Return whether a line consists of images.

    >>> is_image("[imagem a.gif] [imagem b.gif: Mapa]"), is_image("Veja: [imagem a.gif]")
    (True, False)
    """
    return line.startswith("[imagem") and not IMAGE.sub("", line).strip()
