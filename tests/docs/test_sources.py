"""Tests that docs/reference/sources.md equals the registered formats, and that its limits are those in use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph.quarantine import MAX_PAYLOAD
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import LIMITS
from loaders.lines import MAX_LINE
from loaders.reference import page
from loaders.sources.names import FORMS
from loaders.sources.registry import BUILT_IN
from loaders.xml import RECORD_LIMIT

#: The codes of notes; two formats may use one code in different meanings.
NOTE_CODES = (*NoteCode, *(code for source in BUILT_IN for code in source.notes))
PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "sources.md").read_text(encoding="utf-8")


def _table_codes(heading: str) -> list[str]:
    """Return the codes in the first column of the table below a heading."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| \[?`([^`]+)`(?:\]\([^)]*\))? \|", section, re.MULTILINE)


def test_page_is_up_to_date() -> None:
    assert page(PAGE) == PAGE, "run `make docs`"


def test_page_without_markers_is_rejected() -> None:
    with pytest.raises(ValueError, match=r"expected <!-- generated: notes --> and <!-- end of notes --> in the page"):
        page(PAGE.replace("<!-- end of notes -->", ""))


@pytest.mark.parametrize(
    ("heading", "codes"),
    [
        ("Why something is refused", sorted(RefusalCode)),
        (
            "What is reported of a record that loads",
            [code for code, _ in sorted({(str(code), code.meaning) for code in NOTE_CODES})],
        ),
        ("Kinds of source", [source.name for source in BUILT_IN]),
    ],
)
def test_every_code_and_format_is_documented(heading: str, codes: list[str]) -> None:
    assert _table_codes(heading) == codes


def test_every_code_has_a_meaning_and_a_refusal_a_remedy() -> None:
    assert [code for code in (*RefusalCode, *NoteCode) if not code.meaning or "|" in code.meaning] == []
    assert [code for code in RefusalCode if not code.remedy] + [code for code in NoteCode if code.remedy] == []


def test_documented_limits_are_correct() -> None:
    assert (LIMITS.members, LIMITS.size >> 30, LIMITS.ratio, LIMITS.ratio_from >> 20) == (100_000, 8, 200, 10)
    assert "100,000 files, 8 GiB unpacked, and no member over 10 MiB that unpacks to more than 200 times" in PAGE
    assert (MAX_PAYLOAD >> 20, RECORD_LIMIT >> 20, MAX_LINE >> 10) == (16, 16, 64)
    assert all(text in PAGE for text in ("16 MiB for one record", "a line over 64 KiB", "Of more than 16 MiB"))


def test_every_file_extension_is_documented() -> None:
    assert {form for form in FORMS.values() if f"`.{form}`" not in PAGE} == set()
