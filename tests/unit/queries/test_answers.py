"""Tests of the questions and answers in the TOML files of tests/data/answers; see tests/support/asking.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from graph.store import Store
from graph.store import open as open_store
from tests.support.asking import Case, cases, differences
from tests.support.written_stores import build

StoreFor: TypeAlias = Callable[[Case], Store]


@pytest.fixture(scope="module")
def store_for(sample_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreFor]:
    """Yield a function that makes the store of a case; cases with the same sources share it."""
    made: dict[str, Store] = {}
    with open_store(sample_store) as sample:

        def store_of_case(case: Case) -> Store:
            if case.sources.get("sample"):
                return sample
            key = repr(sorted(case.sources.items()))
            if key not in made:
                made[key] = build(case.sources, tmp_path_factory.mktemp("case"))
            return made[key]

        yield store_of_case


@cases("statuses.toml")
def test_status_and_version_are_those_of_the_day(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []


@cases("lives.toml")
def test_real_norm_has_the_expected_life(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []


@cases("measures.toml")
def test_provisional_measure_has_its_effects_and_notices(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []


@cases("documents.toml")
def test_document_has_its_words_and_statuses(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []


@cases("differences.toml")
def test_difference_has_its_changes_and_causes(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []


@cases("pages.toml")
def test_clause_of_a_page_has_its_days(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []


@cases("names.toml")
def test_name_means_what_is_stated(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []


@cases("searches.toml")
def test_search_finds_what_is_stated(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []


@cases("catalogue.toml")
def test_query_tells_apart_what_looks_alike(case: Case, store_for: StoreFor) -> None:
    assert differences(store_for(case), case) == []
