"""Generates the tables of docs/reference/sources.md from the registered formats: ``python -m loaders.reference``.

Each part is between two comments, ``<!-- generated: NAME -->`` and ``<!-- end of NAME -->``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from loaders.codes import Code
from loaders.sources.registry import ANY_FORMAT, ANY_NOTES, BUILT_IN
from ontology.reference import with_parts

_PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "sources.md"


def page(written: str) -> str:
    """Return the page with its generated parts up to date.

    Args:
        written: the current page.

    Raises:
        ValueError: one of the comments is missing.
    """
    parts = {
        "formats": _formats(),
        "refusals": _codes("refusals", ANY_FORMAT, ("code", "what came", "what to do", "formats")),
        "notes": _codes("notes", ANY_NOTES, ("code", "what came", "formats")),
    }
    return with_parts(written, parts)


def _formats() -> Iterator[str]:
    yield from _head(("--as", "what", "how it is recognised", "options"))
    for source_format in BUILT_IN:
        yield _row(
            (
                f"[`{source_format.name}`](#format-{source_format.name})",
                source_format.title,
                source_format.recognised,
                _as_code(source_format.options),
            )
        )
    for source_format in BUILT_IN:
        yield f"\n### Format `{source_format.name}`\n\n{source_format.documentation}"


def _codes(kind: str, any_format: Sequence[Code], titles: Sequence[str]) -> Iterator[str]:
    declared = {
        source_format.name: source_format.refusals if kind == "refusals" else source_format.notes
        for source_format in BUILT_IN
    }
    yield from _head(titles)
    formats: dict[tuple[str, str, str | None], list[str]] = {}
    for name, codes in declared.items():
        for declared_code in codes:
            formats.setdefault(_row_key(declared_code), []).append(name)
    shared = {_row_key(shared_code) for shared_code in any_format}
    for code, meaning, remedy in sorted({*formats, *shared}, key=lambda row: row[:2]):
        by = "any" if (code, meaning, remedy) in shared else _as_code(formats[code, meaning, remedy])
        yield _row((f"`{code}`", meaning, *([remedy] if remedy else []), by))


def _row_key(code: Code) -> tuple[str, str, str | None]:
    return str(code), code.meaning, code.remedy


def _head(titles: Sequence[str]) -> Iterator[str]:
    yield _row(titles)
    yield f"|{'---|' * len(titles)}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _as_code(names: Sequence[str]) -> str:
    return " ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    _PAGE.write_text(page(_PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stderr.write(f"{_PAGE.name} written\n")
