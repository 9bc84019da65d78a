"""Tests of provisions in words: every kind of identifier in every style, lists, and invalid identifiers.

The cases are in tests/data/wording/provisions.txt.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.wording.citations.provisions import chain_at, provision_id
from graph.wording.provisions import KINDS, Style, provision_name
from tests.support.rows import Row, rows

SAMPLE = Path(__file__).resolve().parents[4] / "shared" / "data" / "fragment-names-sample.tsv"
FUNCTIONS = {"Urn2Nome": Style.NAME, "Urn2Rotulo": Style.ROTULO, "Urn2NomeCompacto": Style.COMPACT}


@pytest.mark.parametrize("row", rows("wording/provisions.txt"))
def test_provision_id_is_labelled_in_words(row: Row) -> None:
    ids, context = row.text.split(), row.given.get("context")
    if "style" in row.given:
        assert (provision_name(ids, Style.COMPACT, context),) == (row.answers or ("",))
        return
    (id_,) = ids
    given = (
        provision_name(id_),
        provision_name(id_, Style.COMPACT),
        provision_name(id_, Style.ROTULO),
        provision_name(id_, language="en"),
    )
    assert [answer for answer, expected in zip(given, row.answers, strict=True) if expected not in {"-", answer}] == []


def test_lists_are_labelled_in_english() -> None:
    assert provision_name(["art1", "art2", "art3"], Style.COMPACT, language="en") == "arts. 1, 2 and 3"
    assert provision_name(["art1_par1", "art1_par2"], Style.COMPACT, language="en") == "art. 1, paragraphs 1 and 2"


PARTS = st.sampled_from([*KINDS, "x", "", "art5", "par1u", "inc3-2", "ali27", "anx;CIII", "_", "-", "1", "ção", "art-"])


@given(st.lists(PARTS, max_size=8).map("_".join), st.sampled_from(list(Style)), st.sampled_from(["pt", "en"]))
def test_any_id_has_a_label(id_: str, style: Style, language: str) -> None:
    text = provision_name(id_, style, language=language)
    assert "  " not in text
    assert bool(text) == bool(id_.strip("_")) or id_.startswith("_") or not id_


NUMBERS = st.integers(1, 60)
LEVELS = st.fixed_dictionaries(
    {"art": NUMBERS},
    optional={"par": NUMBERS, "inc": NUMBERS, "ali": st.integers(1, 26)},
)


@given(LEVELS)
def test_full_provision_label_is_read_back(levels: dict[str, int]) -> None:
    """Check that reading the words as a citation returns the identifier from which they were made."""
    id_ = provision_id({prefix: str(number) for prefix, number in levels.items()})
    (read,) = chain_at(provision_name(id_), 0)
    assert provision_id(read.levels) == id_


@pytest.mark.skipif(not SAMPLE.is_file(), reason="the sample of fragment names is not beside the checkout")
def test_fragment_name_sample_is_labelled() -> None:
    rows = list(csv.DictReader(io.StringIO(SAMPLE.read_text("utf-8"), newline=""), delimiter="\t"))
    assert len(rows) == 80
    for row in rows:
        ids = json.loads(row["fragments_json"])
        assert provision_name(ids, FUNCTIONS[row["function"]], row["context"] or None) == row["expected"], row
