"""docs/sources.md says of every code and limit what the code does, and of none that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph.quarantine import MAX_PAYLOAD
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import LIMITS
from loaders.lines import MAX_LINE
from loaders.sniff import FORMS, KINDS
from loaders.xml import RECORD_LIMIT

PAGE = (Path(__file__).parents[1] / "docs" / "sources.md").read_text(encoding="utf-8")


def table(heading: str) -> list[str]:
    """The codes in the first column of the table below a heading."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)


@pytest.mark.parametrize(
    ("heading", "codes"),
    [
        ("Why something is refused", list(RefusalCode)),
        ("What is told of a record that loads", list(NoteCode)),
        ("Kinds of source", list(KINDS)),
    ],
)
def test_the_tables_hold_the_codes_in_order(heading: str, codes: list[str]) -> None:
    assert table(heading) == codes


def test_the_limits_are_those_in_use() -> None:
    assert (LIMITS.members, LIMITS.size >> 30, LIMITS.ratio, LIMITS.ratio_from >> 20) == (100_000, 8, 200, 10)
    assert "100,000 files, 8 GiB unpacked, and no member over 10 MiB that unpacks to more than 200 times" in PAGE
    assert (MAX_PAYLOAD >> 20, RECORD_LIMIT >> 20, MAX_LINE >> 10) == (16, 16, 64)
    assert all(text in PAGE for text in ("16 MiB for one record", "a line over 64 KiB", "Of more than 16 MiB"))


def test_every_extension_of_a_list_is_told() -> None:
    assert {form for form in FORMS.values() if f"`.{form}`" not in PAGE} == set()


def test_every_code_is_used_in_the_loaders() -> None:
    rooms = Path(__file__).parents[1] / "loaders"
    written = "".join(path.read_text(encoding="utf-8") for path in rooms.rglob("*.py") if path.name != "outcomes.py")
    unused = [code for code in RefusalCode if f"RefusalCode.{code.name}" not in written]
    assert unused + [code for code in NoteCode if f"NoteCode.{code.name}" not in written] == []
