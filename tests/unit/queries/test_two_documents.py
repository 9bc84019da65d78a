"""Tests of a text from two documents: the order follows the labels, whatever the positions in the documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph.quarantine import Quarantine
from graph.store import in_memory
from loaders.pipeline import load
from queries.text.text import text

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"


@pytest.mark.slow
def test_provisions_of_two_sources_are_ordered_by_label(tmp_path: Path) -> None:
    sources = [SHARED / "planalto" / "L13709.html", SHARED / "normas" / "lgpd-excerpt.json"]
    if not all(source.is_file() for source in sources):
        pytest.skip("the sources of the LGPD are not shipped")
    store = in_memory()
    load(sources, store, Quarantine(tmp_path / "quarantine"))
    names = [provision.name.partition("!")[2] for provision in text(store, LGPD, "2021-01-01").provisions]
    for prefix in ("art", "cap"):
        tops = [match for name in names if (match := re.fullmatch(rf"{prefix}([0-9]+(?:-[0-9]+)*)", name))]
        numbers = [[int(part) for part in top[1].split("-")] for top in tops]
        assert len(numbers) > 5
        assert numbers == sorted(numbers)
