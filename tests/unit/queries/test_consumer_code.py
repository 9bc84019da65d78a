"""Tests of Lei 8.078/1990 (LexML 1.0 part 2, section 12.4, tables 2 and 3), loaded from the sample.

Four interfaces must give the same answers: Python, the command line, the query of the catalogue, and plain SPARQL.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import pytest

import samples
from graph.store import Store
from graph.store import open as open_for_reading
from graph.terms import Cell
from queries.catalogue import named
from queries.in_force import in_force
from service.cli import main
from tests.support.cases import constant

LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = ROOT / "tests" / "data" / "answers" / "lei-8078-in-force.json"

#: D, K, and version in force or status. The first ten rows are those of the tables; then both sides of each boundary
#: of D and of K.
TABLE = constant("consumer_code", "table")
ROWS = [(on, known, expected) for on, known, expected in map(str.split, TABLE.strip().splitlines())]
AXES = {"force": "forca", "efficacy": "eficacia"}
PLAIN = constant("consumer_code", "plain")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store into which the command line loaded the OAI records of the sample."""
    path = tmp_path_factory.mktemp("oracle") / "store"
    assert main(["--store", str(path), "load", str(samples.folder() / "oai")]) == 0
    return path


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with open_for_reading(folder) as opened:
        yield opened


def by_rows(rows: Iterable[dict[str, Cell]]) -> str:
    every = list(rows)
    assert len(every) <= 1, "two periods hold the same point"
    if not every:
        return "not-published"
    version, situation = every[0]["versao"], every[0]["situacao"]
    return str(version).removeprefix(LAW) if version is not None else str(situation).rpartition("#")[2]


def test_in_force_in_python(store: Store) -> None:
    answered = []
    for (on, known, _), axis in product(ROWS, AXES):
        answer = in_force(store, LAW, on, known, axis)
        version = answer.version
        assert (answer.status.value == "in-force") == (version is not None)
        answered.append(version.name.removeprefix(LAW) if version is not None else answer.status.value)
    assert answered == [expected for _, _, expected in ROWS for _ in AXES]


def test_in_force_by_sparql(store: Store) -> None:
    """Check the query of the catalogue, and a plain query."""
    wrong = []
    for (on, known, expected), axis in product(ROWS, AXES.values()):
        values = {"norma": LAW, "em": on, "conhecido": known, "eixo": f"https://w3id.org/vigente/ns#{axis}"}
        catalogued = by_rows(dict(row) for row in named("version_in_force").rows(store, values))
        plain = by_rows(store.select(PLAIN.format(law=LAW, on=on, as_known=known, axis=axis)))
        wrong += [(on, known, axis, catalogued, plain)] if {catalogued, plain} != {expected} else []
    assert wrong == []


@pytest.mark.parametrize(("on", "known", "expected"), ROWS)
def test_in_force_on_the_command_line(
    on: str, known: str, expected: str, folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--store", str(folder), "in-force", LAW, "--on", on, "--as-known", known, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads(json.dumps(in_force(store, LAW, on, known).as_json()))
    assert (document["version"] or {"name": document["status"]})["name"].removeprefix(LAW) == expected


def test_complete_json_answer(store: Store) -> None:
    """Check every key of the documented JSON, with causes from table 2 and the sources of the sample."""
    assert in_force(store, LAW, "1993-06-15", "2007-01-10").as_json() == json.loads(DOCUMENT.read_text("utf-8"))
