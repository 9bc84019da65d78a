"""Tables, and IRIs in short form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from ontology.namespaces import PREFIXES
from service.output import shown


def shortened(iri: str) -> str:
    """Return an IRI with a known prefix instead of its namespace; any other IRI unchanged.

    >>> shortened("https://w3id.org/vigente/ns#nome")
    'vig:nome'
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri


def table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> Iterator[str]:
    """Yield the lines of a table with padded columns; where it is wider than ``width``, a block of lines for each row.

    >>> print("\\n".join(table(("part", "value"), [("kind", "complex")])))
    part  value
    ----  -------
    kind  complex
    >>> print("\\n".join(table(("part", "value"), [("kind", "complex")], width=12)))
    part   kind
    value  complex
    """
    cells = [[shown(cell) for cell in row] for row in (head, *rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(head))]
    if width is not None and sum(widths) + 2 * (len(widths) - 1) > width:
        yield from _blocks(cells[0], cells[1:])
        return
    for number, row in enumerate(cells):
        yield "  ".join(_padded(cell, size) for cell, size in zip(row, widths, strict=True)).rstrip()
        if number == 0:
            yield "  ".join("-" * size for size in widths)


def _blocks(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each row as lines of column and cell, with an empty line between rows."""
    size = max(cell_len(name) for name in head)
    for number, row in enumerate(rows):
        if number:
            yield ""
        for name, cell in zip(head, row, strict=True):
            yield f"{_padded(name, size)}  {cell}".rstrip()


def _padded(text: str, size: int) -> str:
    return text + " " * (size - cell_len(text))


# Texts and differences: as plain text, HTML and LexML XML.
