"""Tests of ``vigente check`` on a store: exit codes, JSON, the report as RDF, repairs, and a concurrent writer."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib import RDF, Graph, Namespace

from graph import store as stores
from graph.entities import Record
from graph.store.names import NAMES
from ontology.iris import DERIVED_GRAPH
from queries.checks import Severity, checks
from tests.support.commands import ROOT, Run
from tests.support.engines import embedded

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
VIG = "https://w3id.org/vigente/ns#"
SH = Namespace("http://www.w3.org/ns/shacl#")
DQV = Namespace("http://www.w3.org/ns/dqv#")
CHECK = "--store store check --workers 1 --json --severity violation"


@pytest.fixture
def store(tmp_path: Path, record: Callable[..., Record]) -> Path:
    where = tmp_path / "store"
    with stores.open_for_writing(where, create=True) as opened:
        opened.apply([record(f"{LAW}@2001-04-01;publicacao;2001-03-06")])
    return where


def _invalidate_store(where: Path) -> None:
    """Give a period an end that is before its beginning, and that no event explains."""
    with stores.open_for_writing(where) as opened:
        (period,) = opened.engine.quads_for_pattern(None, ox.NamedNode(f"{VIG}versao"), None, None)
        end = ox.Literal("2001-01-01", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#date"))
        embedded(opened).add(ox.Quad(period.subject, ox.NamedNode(f"{VIG}fim"), end, ox.NamedNode(DERIVED_GRAPH)))
        opened.changed = True


def test_check_accepts_a_valid_store_and_reports_an_invalid_one(store: Path, run: Run) -> None:
    assert run(CHECK).json["conforms"] is True
    _invalidate_store(store)
    document = run("--store store check --workers 1 --json --report r.nt", code=5).json
    assert document["conforms"] is False
    failed = {tally["code"]: tally for tally in document["checks"] if tally["results"]}
    bad = {code for code, tally in failed.items() if tally["severity"] == "violation"}
    assert bad == {"period-start", "periods-follow-sources"}
    assert failed["periods-follow-sources"]["providers"] == {"https://provedor.example/oai": 1}
    page = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")
    keys = {*document, *document["checks"][0], *failed["period-start"]["examples"][0]}
    assert keys == set(re.findall(r"`([a-z]+)`", page.split("## check\n")[1].split("##")[0])) - {*Severity}
    graph = Graph().parse("r.nt", format="nt")
    (report,) = graph.subjects(RDF.type, SH.ValidationReport)
    assert str(graph.value(report, SH.conforms)) == "false"
    results = list(graph.objects(report, SH.result))
    assert len(results) == sum(tally["results"] for tally in failed.values())
    for result in results:
        for needed in (SH.focusNode, SH.resultSeverity, SH.sourceShape, SH.sourceConstraintComponent):
            assert len(list(graph.objects(result, needed))) == 1
    measures = [
        graph.value(measured, DQV.isMeasurementOf) for measured in graph.subjects(RDF.type, DQV.QualityMeasurement)
    ]
    assert {str(measure).rpartition("#")[2] for measure in measures} == {*checks(), "violations", "warnings", "infos"}
    assert "https://w3id.org/vigente/shapes#period-start" in run("--store store check --workers 1", code=5).out


#: Changes of the index of names.
SPOILING = (
    "UPDATE periods SET until = until - 1 WHERE until = (SELECT max(until) FROM periods)",
    "UPDATE periods SET packed = packed || ' '",
    "DELETE FROM periods WHERE start = (SELECT max(start) FROM periods)",
    "UPDATE many SET clocks = 'x'",
    "UPDATE summaries SET packed = packed || ' ' WHERE record = 0",
)


def test_wrong_index_of_names_is_reported_and_rebuilt(store: Path, run: Run, record: Callable[..., Record]) -> None:
    days = [date(2002, 1, 1) + timedelta(7 * number) for number in range(60)]
    with stores.open_for_writing(store) as opened:
        opened.apply([record(f"{LAW}@{day};alteracao;{day}", key=str(day)) for day in days])
    run(CHECK)
    for spoiling in SPOILING:
        for file in (store / NAMES, store / "current" / NAMES):
            with closing(sqlite3.connect(file)) as index, index:
                assert index.execute(spoiling).rowcount > 0
        document = run(CHECK, code=5).json
        (tally,) = (entry for entry in document["checks"] if entry["results"])
        assert (document["conforms"], tally["code"], tally["results"]) == (False, "periods-follow-sources", 1)
        examples = [(example["focus"], example["detail"]) for example in tally["examples"]]
        assert examples == [(LAW, "the index of names differs")], spoiling
        run("--store store rebuild")
        run(CHECK)


def test_writer_keeps_a_held_snapshot(store: Path, record: Callable[..., Record]) -> None:
    def write(number: int) -> None:
        with stores.open_for_writing(store) as opened:
            opened.apply([record(f"urn:lex:br:federal:lei:2002-01-01;{number}", key=str(number))])

    with stores.holding(store) as snapshot:
        for number in range(99911, 99914):
            write(number)
        with stores.open_snapshot(snapshot) as held:
            assert len(list(held.select(f"SELECT ?p WHERE {{ <{LAW}> ?p ?o }}"))) > 3
    write(99915)
    assert not snapshot.exists()


def test_sources_beyond_ten_are_summarized_in_one_row(tmp_path: Path, record: Callable[..., Record], run: Run) -> None:
    with stores.open_for_writing(tmp_path / "store", create=True) as opened:
        names = [f"urn:lex:br:federal:lei:2001-03-05;{99901 + n}@inicio.vigencia" for n in range(12)]
        opened.apply([record(name, provider=f"https://{n:02}.example/oai") for n, name in enumerate(names)])
    done = run("--store store check --workers 1")
    rows = [line.split(maxsplit=3)[2:] for line in done.lines if line.startswith("info      version-undated")]
    assert rows == [
        *(["1", f"https://{n:02}.example/oai"] for n in range(10)),
        ["2", "2 other sources; --json names them"],
    ]
    assert "info: version-undated, 12 results among " in done.out
    assert len(run("--store store check --workers 1 --json").json["checks"]) == len(checks())
