"""Tests that every query of the catalogue returns the expected rows; records and rows are in tests/data/queries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pyoxigraph as ox
import pytest
from rdflib.util import from_n3

from graph.store import Store, WritableStore
from graph.terms import read
from queries.catalogue import catalogue, named, spelled
from tests.support.cases import constant
from tests.support.query_records import records_in
from tests.support.records import store_of
from tests.support.second_engine import SecondEngine, cell_of

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[2] / "data" / "queries"
CASES = json.loads((DATA / "manifest.json").read_text("utf-8"))
Case: TypeAlias = dict[str, Any]
#: Queries that the second engine cannot run, each with the reason.
ONE_ENGINE = constant("catalogue_rows", "one_engine")
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["expected"].removesuffix(".tsv"))


@pytest.fixture(scope="module")
def stores() -> Mapping[str, WritableStore]:
    """Return a store for each file of records that a case names."""
    return {name: store_of(*records_in(DATA / name)) for name in {*map(records_of, CASES)}}


@pytest.fixture(scope="module")
def second_engines(stores: Mapping[str, WritableStore]) -> Mapping[str, SecondEngine]:
    """Return the same quads in rdflib."""
    return {name: SecondEngine(store) for name, store in stores.items()}


def records_of(case: Case) -> str:
    """Return the name of the file with the records of the case."""
    return str(case.get("records", "records.jsonl"))


def rows(store: Store, query: str, parameters: dict[str, str]) -> bytes:
    """Return the answer as SPARQL 1.1 TSV."""
    solutions = named(query).answer(store, {name: _value(store, value) for name, value in parameters.items()})
    assert isinstance(solutions, ox.QuerySolutions)
    written = solutions.serialize(format=ox.QueryResultsFormat.TSV)
    assert written is not None
    return written


def _value(store: Store, value: str) -> str:
    """Return the value, with ``?gap of NORM`` replaced by the IRI of the last period of the norm, which is a gap.

    The IRI is known only after the period is derived.
    """
    if not value.startswith("?gap of "):
        return value
    (*_, last) = named("timeline").rows(store, {"norma": value.removeprefix("?gap of ")})
    assert last["situacao"] is not None
    return str(last["periodo"])


@each_case
def test_query_returns_the_expected_rows(case: Case, stores: Mapping[str, WritableStore]) -> None:
    answered = rows(stores[records_of(case)], case["query"], case["parameters"]).decode().splitlines()
    expected = (DATA / case["expected"]).read_text("utf-8").splitlines()
    if "ORDER BY" not in named(case["query"]).text:
        answered, expected = sorted(answered), sorted(expected)
    assert answered == expected


@each_case
def test_query_with_inlined_parameters_returns_the_same_rows(case: Case, stores: Mapping[str, WritableStore]) -> None:
    """Check queries in the form for the endpoint, which has no parameters."""
    store, query = stores[records_of(case)], named(case["query"])
    text = spelled(query, {name: _value(store, value) for name, value in case["parameters"].items()})
    solutions = store.answer(text)
    assert isinstance(solutions, ox.QuerySolutions)
    written = solutions.serialize(format=ox.QueryResultsFormat.TSV)
    assert written is not None
    expected = (DATA / case["expected"]).read_text("utf-8").splitlines()
    assert sorted(written.decode().splitlines()) == sorted(expected)


@pytest.mark.filterwarnings("ignore:Dataset.:DeprecationWarning")  # raised inside rdflib
@each_case
def test_second_engine_returns_the_same_rows(
    case: Case, stores: Mapping[str, WritableStore], second_engines: Mapping[str, SecondEngine]
) -> None:
    """Compare the rows in any order, because tied rows have no order.

    Without DISTINCT, rows are compared as sets: rdflib returns a statement of several graphs only once.
    """
    if case["query"] in ONE_ENGINE:
        pytest.skip(ONE_ENGINE[case["query"]])
    query, store = named(case["query"]), stores[records_of(case)]
    values = query.bindings({name: _value(store, value) for name, value in case["parameters"].items()})
    answer = query.answer(store, values={name: term.value for name, term in values.items()})
    assert isinstance(answer, ox.QuerySolutions)
    names = [variable.value for variable in answer.variables]
    expected = [tuple(_written(row[name]) for name in names) for row in answer]
    second_rows = [
        tuple(row[name] for name in names) for row in second_engines[records_of(case)].rows(query.text, values)
    ]
    if "SELECT DISTINCT" not in query.text:
        expected, second_rows = [*set(expected)], [*set(second_rows)]
    assert sorted(second_rows) == sorted(expected)


def _written(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | None) -> str:
    return cell_of(None if term is None else from_n3(str(term)))


@each_case
def test_columns_have_the_declared_types(case: Case, stores: Mapping[str, WritableStore]) -> None:
    """Check ``iri`` (a name), ``date`` (a civil date), ``integer`` (whole number) and ``string`` (any text)."""
    query, store = named(case["query"]), stores[records_of(case)]
    parameters = case["parameters"]
    solutions = query.answer(store, {name: _value(store, value) for name, value in parameters.items()})
    assert isinstance(solutions, ox.QuerySolutions)
    for row in solutions:
        for column in query.columns:
            term = row[column.name]
            if term is not None and column.kind.value == "iri":
                assert isinstance(term, ox.NamedNode), (column, term)
            elif term is not None and column.kind.value in ("date", "integer"):
                assert isinstance(term, ox.Literal)
                assert term.datatype.value.endswith(f"#{column.kind.value}"), (column, term)
                assert type(read(term)).__name__ == {"date": "date", "integer": "int"}[column.kind.value]


def test_every_query_has_a_case_with_rows() -> None:
    tested = {case["query"] for case in CASES if len((DATA / case["expected"]).read_text("utf-8").splitlines()) > 1}
    empty_in_a_sound_store = {"pending_works"}
    assert tested | empty_in_a_sound_store == set(catalogue())


def test_every_row_file_is_used_by_a_case() -> None:
    assert {path.name for path in DATA.glob("*.tsv")} == {case["expected"] for case in CASES}
    assert len({case["expected"] for case in CASES}) == len(CASES)


def test_every_check_has_a_passing_and_a_failing_fixture() -> None:
    checks = {name for name, query in catalogue().items() if "This is a check" in query.question}
    assert checks == {"conflicts_between_providers", "dangling_references", "versions_without_copy"}
    for name in checks:
        files = [DATA / case["expected"] for case in CASES if case["query"] == name]
        assert {len(file.read_text("utf-8").splitlines()) > 1 for file in files} == {False, True}, name


def test_every_column_is_bound_in_some_row(stores: Mapping[str, WritableStore]) -> None:
    """Check that no column is empty in all cases: its variable might be misspelt."""
    bound: dict[str, set[str]] = {name: set() for name in catalogue()}
    for case in CASES:
        lines = rows(stores[records_of(case)], case["query"], case["parameters"]).decode().splitlines()
        names = lines[0].replace("?", "").split("\t")
        for line in lines[1:]:
            bound[case["query"]].update(name for name, cell in zip(names, line.split("\t"), strict=True) if cell)
    empty = {
        f"{name}.{column.name}"
        for name, query in catalogue().items()
        for column in query.columns
        if column.name not in bound[name]
    }
    assert empty == {"operations_on.segue", "pending_works.norma", "versions_of_work.cancela"}
