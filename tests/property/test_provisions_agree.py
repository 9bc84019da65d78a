"""Tests that SPARQL, the API and Python give the same version in force of a provision, at its boundaries."""

from __future__ import annotations

from pathlib import Path

import pytest

import samples
from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from tests.support.agreement import compare_answers

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
#: Files, and the statuses that must occur among the questions.
STORES = {
    "bundled": ([Path(samples.__file__).parent], {"in-force", "vacatio", "unknown", "revoked"}),
    "undated start": ([SHARED / "planalto" / "L14133.html"], {"in-force", "unknown", "vetoed"}),
    "several sources": (
        [SHARED / "planalto" / "L13709.html", SHARED / "normas", SHARED / "senado"],
        {"in-force", "vacatio", "unknown", "vetoed"},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STORES)
def test_sparql_the_api_and_python_agree_on_provisions(name: str, tmp_path: Path) -> None:
    paths, statuses = STORES[name]
    if not all(path.exists() for path in paths):
        pytest.skip("the real samples are not beside the checkout")
    with open_for_writing(tmp_path / "store", create=True) as store:
        load(paths, store, Quarantine(tmp_path))
    result = compare_answers(tmp_path / "store", each=40, most=400)
    assert result.differences == []
    assert result.questions == 400
    assert statuses <= set(result.statuses)
