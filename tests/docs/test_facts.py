"""Tests of docs/reference/sources.md on curated facts: the table of events equals the code, with the required keys."""

from __future__ import annotations

import re

import pytest

from graph.entities import Record
from graph.quarantine import Refusal
from loaders.sources.facts import COLUMNS, FACT_EVENTS
from ontology.events import EVENTS
from tests.unit.loaders.test_curated_facts import DOCS, MPV
from tests.unit.loaders.test_facts import LAW, OTHER, fact, read

EVENT_ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in DOCS.read_text("utf-8").partition("| event | what it does |")[2].partition("\n\n")[0].splitlines()[2:]
]


def test_event_table_is_complete() -> None:
    assert [row[0].strip("`") for row in EVENT_ROWS] == list(FACT_EVENTS)
    for word, does, *_ in EVENT_ROWS:
        effect = EVENTS[word.strip("`")].effect
        verb = "makes" if effect is None else effect.value.partition("-")[0]
        assert does.split()[0].rstrip(":") == verb, word


@pytest.mark.parametrize("row", EVENT_ROWS, ids=lambda row: row[0])
def test_required_keys_of_each_event_are_as_documented(row: list[str]) -> None:
    event, _, norm, needs = row[0].strip("`"), *row[1:]
    values = {
        "effect": "2003-01-01",
        "known": "2002-12-01",
        "cause": OTHER,
        "wording": f"as of {MPV}@2001-11-14;publicacao;2001-11-14",
    }
    needed = re.findall("`(.*?)`", needs)
    fields = {"norm": f"{MPV}!art3" if norm == "a provision" else MPV, "event": event, "curator": "A"}
    full = fields | {key: values[key] for key in needed}
    assert [type(result) for result in read(fact(**full))] == [Record]
    for key in needed:
        assert [type(result) for result in read(fact(**{k: v for k, v in full.items() if k != key}))] == [Refusal]
    other = {
        "a norm": f"{MPV}!art3",
        "a norm or provision": f"{MPV}!art3",
        "a provision": MPV,
        "a provisional measure": LAW,
    }.get(norm, LAW)
    fits = norm == "a norm or provision"
    assert [type(result) for result in read(fact(**full | {"norm": other}))] == [Record if fits else Refusal]


def test_every_key_of_a_fact_is_documented() -> None:
    page = DOCS.read_text("utf-8").partition("## Curated facts")[2].partition("## Convert")[0]
    assert [key for key in COLUMNS if f"`{key}`" not in page] == []


def test_example_facts_load() -> None:
    page = DOCS.read_text("utf-8").partition("## Curated facts")[2]
    example = page.partition("```toml\n")[2].partition("```")[0]
    outcomes = read(example)
    assert [type(outcome) for outcome in outcomes] == [Record, Record, Record]
