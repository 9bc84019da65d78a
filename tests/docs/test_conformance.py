"""Tests of docs/reference/conformance.md: each test that it names exists, and each verdict is one of three."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS.parent / "docs" / "reference" / "conformance.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| [0-9]+ \| ", line)
]
VERDICT = re.compile(r"`yes`|`(?:partly|no)`: \S.*")
SOURCE = re.compile(r"(?:LexML 0\.7 part [0-6]|LexML 1\.0 part 2|RFC 9676), \S.*|article, \".+\"|project")


def _defined(file: Path) -> set[str]:
    """Return the names of the tests of a module, or of the cases of a table."""
    if file.suffix == ".toml":
        cases = tomllib.loads(file.read_text(encoding="utf-8"))["cases"]
        return {case["id"] for case in cases} if isinstance(cases, list) else set(cases)
    return set(re.findall(r"^(?:async )?def (test_\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE))


def test_each_row_has_a_number_a_source_and_a_verdict() -> None:
    assert [len(row) for row in ROWS] == [5] * len(ROWS)
    assert [int(number) for number, *_ in ROWS] == list(range(1, len(ROWS) + 1))
    assert [row for row in ROWS if not row[1] or SOURCE.fullmatch(row[2]) is None] == []
    assert [row for row in ROWS if VERDICT.fullmatch(row[4]) is None] == []


def test_each_named_test_exists() -> None:
    for number, _, _, named, verdict in ROWS:
        tests = re.findall(r"`([^`]+)`", named)
        assert tests or verdict.startswith("`no`"), f"row {number} has no test"
        for test in tests:
            file, _, function = test.partition("::")
            assert (TESTS / file).is_file(), f"row {number}: {file}"
            assert not function or function in _defined(TESTS / file), f"row {number}: {test}"


def test_counts_of_verdicts_are_those_of_the_rows() -> None:
    counted = Counter(re.findall(r"`(\w+)`", row[4])[0] for row in ROWS)
    stated = re.findall(r"^\| `(yes|partly|no)` \| .+ \| ([0-9]+) \|$", PAGE, re.MULTILINE)
    assert {word: int(count) for word, count in stated} == counted
