"""Pages of the documentation for tests: their text, sections, tables and words in code style."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def page_text(name: str) -> str:
    """Return the text of a page of the reference."""
    return (DOCS / "reference" / f"{name}.md").read_text(encoding="utf-8")


def section_of(title: str, page: str = "json") -> str:
    """Return the text below a heading of a page, up to the next heading."""
    match = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", page_text(page), re.MULTILINE | re.DOTALL)
    assert match is not None, f"docs/reference/{page}.md has no section {title!r}"
    return match[1]


def rows_of(text: str, head: str) -> list[list[str]]:
    """Return the rows of the table of ``text`` whose first column has the name ``head``."""
    lines = text[text.index(f"| {head} |") :].split("\n\n", maxsplit=1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def ticked(text: str) -> list[str]:
    """Return the words of a text in code style."""
    return re.findall(r"`([^`]+)`", text)


def keys_of(document: object) -> list[str]:
    """Return every key of a document and of its nested values; of a list, those of its first value."""
    if isinstance(document, list):
        return keys_of(document[0]) if document else []
    if not isinstance(document, dict):
        return []
    return [key for name, value in document.items() for key in (name, *keys_of(value))]
