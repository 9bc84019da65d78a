"""Tests of every example name in the specifications, compared with the statements of its section.

``printed`` is the text in the specification; ``prefix`` and ``behind`` complete it to a name. ``expected`` is the
canonical name, ``=`` for the text itself, or the code of the refusal. Numbers 99901 and up are fictional.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from graph.errors import BadName
from graph.urn import parse

with (Path(__file__).parents[1] / "data" / "urn" / "spec-examples.tsv").open(encoding="utf-8", newline="") as table:
    ROWS = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_all_specifications_are_covered() -> None:
    assert {row["spec"] for row in ROWS} == {
        "LexML 0.7 part 0",
        "LexML 0.7 part 2",
        "LexML 0.7 part 3",
        "LexML 0.7 part 4",
        "LexML 0.7 part 5",
        "LexML 0.7 part 6",
        "LexML 1.0 part 2",
        "RFC 9676",
    }
    assert len(ROWS) >= 250


@pytest.mark.parametrize(
    "row",
    ROWS,
    ids=[f"{row['spec']}, {row['section']}: {row['prefix']}{row['printed']}{row['behind']}" for row in ROWS],
)
def test_specification_example_is_parsed(row: dict[str, str]) -> None:
    text = row["prefix"] + row["printed"] + row["behind"]
    expected = text if row["expected"] == "=" else row["expected"]
    if row["kind"] == "-":
        with pytest.raises(BadName) as refused:
            parse(text)
        assert refused.value.code == expected, str(refused.value)
        return
    name = parse(text)
    assert (name.canonical, name.dialect.value, name.kind.value) == (expected, row["dialect"], row["kind"])
    assert parse(name.canonical) == name
    assert (name.canonical == text) or name.deviations or name.normalisations
