"""Every query of the catalogue gives the rows expected of it: records and rows are files in tests/data/queries."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from graph.entities import (
    Coverage,
    Event,
    Item,
    ItemKind,
    Provision,
    Record,
    Situation,
    Source,
    Text,
    Wording,
    record_of,
)
from graph.harvests import HarvestRun
from graph.store import WritableStore
from graph.terms import read
from graph.urn import parse
from graph.vocabulary import Concept, Scheme
from queries.catalogue import catalogue, named

DATA = Path(__file__).parent / "data" / "queries"
CASES = json.loads((DATA / "manifest.json").read_text("utf-8"))
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["expected"].removesuffix(".tsv"))


@pytest.fixture(scope="module")
def store(
    record: Callable[..., Record],
    deletion: Callable[..., Record],
    event: Callable[..., Event],
    store_of: Callable[..., WritableStore],
) -> WritableStore:
    made = []
    for number, line in enumerate((DATA / "records.jsonl").read_text("utf-8").splitlines(), start=1):
        said = {"key": f"registro-{number}", "provider": "https://um.example/oai", **json.loads(line)}
        if "concept" in said:
            notation, label, english = said.pop("concept")
            value = Concept(Scheme(said.pop("scheme")), notation, label, english, tuple(said.pop("alternative")))
            source = Source(f"urn:x:{said['key']}", "vocabulary", f"{number:064x}", "vocabulary/1")
            made.append(Record(source, None, concepts=(value,)))
            continue
        if "run" in said:
            made.append(record_of(HarvestRun(**{**said["run"], **_moments(said["run"], "started", "ended")})))
            continue
        if "deleted" in said:
            one = deletion(said["deleted"], provider=said["provider"], datestamp=said["datestamp"])
            missing = date.fromisoformat(said["missing_since"]) if "missing_since" in said else None
            made.append(replace(one, source=replace(one.source, missing_since=missing)))
            continue
        for field in ("epigraphs", "nicknames", "summaries", "index_terms", "catalogue_notes"):
            said[field] = [Text(text) for text in said.get(field, ())]
        said["items"] = [
            Item(url, form, ItemKind(kind) if kind else None, *rest) for url, form, kind, *rest in said.get("items", ())
        ]
        said["events"] = [event(*parts) for parts in said.get("events", ())]
        curated = dict(zip(("curator", "cited", "note"), said.pop("curated", ()), strict=False))
        curated |= {"wording_dates": said.pop("wording_dates", False), "doubtful_stamp": said.pop("doubtful", False)}
        if "harvested" in said:
            started, fetched = map(datetime.fromisoformat, said.pop("harvested"))
            run = HarvestRun(said["provider"], started, "vigente/0", "federal")
            curated |= {"run": run.iri, "fetched": fetched}
        text = _text(said)
        one = record(said.pop("name"), *map(tuple, said.pop("relations", ())), **said)
        made.append(replace(one, source=replace(one.source, payload_hash=f"{number:064x}", **curated), **text))
    return store_of(*made)


def _moments(said: dict[str, Any], *keys: str) -> dict[str, datetime]:
    return {key: datetime.fromisoformat(said[key]) for key in keys}


def _text(said: dict[str, Any]) -> dict[str, Any]:
    """What a record says of provisions: identifier, holder and wordings, each with version, label ... situation."""
    provisions = []
    for order, (fragment, within, wordings, *words) in enumerate(said.pop("provisions", ()), start=1):
        each = tuple(
            Wording(parse(version), label, heading, text, markup, Situation(situation) if situation else None)
            for version, label, heading, text, markup, situation in wordings
        )
        if wordings[0][0] != said["name"]:
            each = (replace(each[0], inserts=True), *each[1:])
        provisions.append(Provision(fragment, within, order, each, parse(words[0]) if words else None))
    versions = tuple((parse(version), parse(cause)) for version, cause in said.pop("versions", ()))
    coverage = Coverage(said.pop("coverage", "parts"))
    return {"provisions": tuple(provisions), "versions": versions, "coverage": coverage}


def rows(store: WritableStore, query: str, parameters: dict[str, str]) -> bytes:
    """The answer as SPARQL 1.1 TSV."""
    found = named(query).answer(store, {name: _value(store, value) for name, value in parameters.items()})
    assert isinstance(found, ox.QuerySolutions)
    written = found.serialize(format=ox.QueryResultsFormat.TSV)
    assert written is not None
    return written


def _value(store: WritableStore, value: str) -> str:
    """``?gap of NORM`` stands for the last rectangle of the norm, a gap: its IRI is known only once it is derived."""
    if not value.startswith("?gap of "):
        return value
    (*_, last) = named("timeline").rows(store, {"norma": value.removeprefix("?gap of ")})
    assert last["situacao"] is not None
    return str(last["periodo"])


@each_case
def test_the_rows_of_a_query(case: dict[str, object], store: WritableStore) -> None:
    query, parameters, expected = case["query"], case["parameters"], case["expected"]
    assert isinstance(query, str)
    assert isinstance(parameters, dict)
    assert rows(store, query, parameters).decode() == (DATA / str(expected)).read_text("utf-8")


@each_case
def test_the_columns_hold_what_the_header_declares(case: dict[str, str], store: WritableStore) -> None:
    """``iri``: a name; ``date``: a civil date; ``integer``: a whole number; ``string``: any value, as text."""
    query = named(case["query"])
    parameters = case["parameters"]
    assert isinstance(parameters, dict)
    found = query.answer(store, {name: _value(store, value) for name, value in parameters.items()})
    assert isinstance(found, ox.QuerySolutions)
    for row in found:
        for column in query.columns:
            term = row[column.name]
            if term is not None and column.kind.value == "iri":
                assert isinstance(term, ox.NamedNode), (column, term)
            elif term is not None and column.kind.value in ("date", "integer"):
                assert isinstance(term, ox.Literal)
                assert term.datatype.value.endswith(f"#{column.kind.value}"), (column, term)
                assert type(read(term)).__name__ == {"date": "date", "integer": "int"}[column.kind.value]


def test_every_query_has_rows_to_answer() -> None:
    tested = {case["query"] for case in CASES if len((DATA / case["expected"]).read_text("utf-8").splitlines()) > 1}
    empty_in_a_sound_store = {"pending_works"}
    assert tested | empty_in_a_sound_store == set(catalogue())


def test_every_file_of_rows_is_expected_by_a_case() -> None:
    assert {path.name for path in DATA.glob("*.tsv")} == {case["expected"] for case in CASES}
    assert len({case["expected"] for case in CASES}) == len(CASES)


def test_every_column_is_bound_in_some_row(store: WritableStore) -> None:
    """A column that no case fills might as well be misspelt."""
    bound: dict[str, set[str]] = {name: set() for name in catalogue()}
    for case in CASES:
        lines = rows(store, case["query"], case["parameters"]).decode().splitlines()
        names = lines[0].replace("?", "").split("\t")
        for line in lines[1:]:
            bound[case["query"]].update(name for name, cell in zip(names, line.split("\t"), strict=True) if cell)
    empty = {
        f"{name}.{column.name}"
        for name, query in catalogue().items()
        for column in query.columns
        if column.name not in bound[name]
    }
    assert empty == {"pending_works.norma", "versions_of_work.cancela"}
