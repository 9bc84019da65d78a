"""Tests of ``vigente check`` on a store: exit codes, JSON, the report as RDF, Ctrl-C, and a concurrent writer."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
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
from service.cli import main
from tests.support.engines import embedded

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")
LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
SH = Namespace("http://www.w3.org/ns/shacl#")
DQV = Namespace("http://www.w3.org/ns/dqv#")


@pytest.fixture
def store(tmp_path: Path, record: Callable[..., Record]) -> Path:
    where = tmp_path / "store"
    with stores.open_for_writing(where, create=True) as opened:
        opened.apply([record(f"{LAW}@2001-04-01;publicacao;2001-03-06")])
    return where


def _invalidate_store(where: Path) -> None:
    """Give a period an end that is before its beginning, and that no event explains."""
    with stores.open_for_writing(where) as opened:
        (period,) = opened.engine.quads_for_pattern(
            None, ox.NamedNode("https://w3id.org/vigente/ns#versao"), None, None
        )
        end = ox.Literal("2001-01-01", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#date"))
        fim = ox.NamedNode("https://w3id.org/vigente/ns#fim")
        embedded(opened).add(ox.Quad(period.subject, fim, end, ox.NamedNode(DERIVED_GRAPH)))
        opened.changed = True


def _run_check(where: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, object]]:
    code = main(["--store", str(where), "check", "--workers", "1", "--json", *options])
    return code, json.loads(capsys.readouterr().out)


def test_check_accepts_a_valid_store_and_reports_an_invalid_one(
    store: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, document = _run_check(store, capsys, "--severity", "violation")
    assert (code, document["conforms"]) == (0, True)
    _invalidate_store(store)
    report = tmp_path / "r.nt"
    code, document = _run_check(store, capsys, "--report", str(report))
    assert (code, document["conforms"]) == (5, False)
    failed_checks = {tally["code"]: tally for tally in document["checks"] if tally["results"]}  # type: ignore[attr-defined]
    bad = {code for code, tally in failed_checks.items() if tally["severity"] == "violation"}
    assert bad == {"period-start", "periods-follow-sources"}
    assert failed_checks["periods-follow-sources"]["providers"] == {"https://provedor.example/oai": 1}
    section = DOCUMENTS.split("## check\n")[1].split("##")[0]
    keys = {*document, *document["checks"][0], *failed_checks["period-start"]["examples"][0]}  # type: ignore[index]
    assert keys == set(re.findall(r"`([a-z]+)`", section)) - {*Severity}
    graph = Graph().parse(report, format="nt")
    (report_node,) = graph.subjects(RDF.type, SH.ValidationReport)
    assert str(graph.value(report_node, SH.conforms)) == "false"
    results = list(graph.objects(report_node, SH.result))
    assert len(results) == sum(tally["results"] for tally in failed_checks.values())
    for result in results:
        for needed in (SH.focusNode, SH.resultSeverity, SH.sourceShape, SH.sourceConstraintComponent):
            assert len(list(graph.objects(result, needed))) == 1
    measured = {
        str(graph.value(measurement, DQV.isMeasurementOf)).rpartition("#")[2]
        for measurement in graph.subjects(RDF.type, DQV.QualityMeasurement)
    }
    assert measured == {*checks(), "violations", "warnings", "infos"}
    assert main(["--store", str(store), "check", "--workers", "1"]) == 5
    assert "https://w3id.org/vigente/shapes#period-start" in capsys.readouterr().out


@pytest.mark.parametrize(
    "spoiling",
    [
        "UPDATE periods SET until = until - 1 WHERE until = (SELECT max(until) FROM periods)",
        "UPDATE periods SET packed = packed || ' '",
        "DELETE FROM periods WHERE start = (SELECT max(start) FROM periods)",
        "UPDATE many SET clocks = 'x'",
        "UPDATE summaries SET packed = packed || ' ' WHERE record = 0",
    ],
)
def test_check_reports_and_rebuild_repairs_a_wrong_name_index(
    spoiling: str, store: Path, capsys: pytest.CaptureFixture[str], record: Callable[..., Record]
) -> None:
    days = [date(2002, 1, 1) + timedelta(7 * number) for number in range(60)]
    with stores.open_for_writing(store) as opened:
        opened.apply([record(f"{LAW}@{day};alteracao;{day}", key=str(day)) for day in days])
    assert _run_check(store, capsys, "--severity", "violation")[0] == 0
    for file in (store / NAMES, store / "current" / NAMES):
        with closing(sqlite3.connect(file)) as index, index:
            assert index.execute(spoiling).rowcount > 0
    code, document = _run_check(store, capsys, "--severity", "violation")
    assert (code, document["conforms"]) == (5, False)
    (tally,) = (entry for entry in document["checks"] if entry["results"])  # type: ignore[attr-defined]
    assert (tally["code"], tally["results"]) == ("periods-follow-sources", 1)
    assert [(example["focus"], example["detail"]) for example in tally["examples"]] == [
        (LAW, "the index of names differs")
    ]
    assert main(["--store", str(store), "rebuild"]) == 0
    capsys.readouterr()
    assert _run_check(store, capsys, "--severity", "violation")[0] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--severity", "bad"], "expected --severity violation, warning, info, got 'bad'"),
        (["--report", "r.xml"], "expected a file name ending in .nt for --report, got 'r.xml'"),
    ],
)
def test_invalid_options_are_rejected(
    options: list[str], message: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--store", str(store), "check", *options]) == 2
    assert capsys.readouterr().err == f"vigente: {message}\n"


def test_missing_store_exits_with_4(tmp_path: Path) -> None:
    assert main(["--store", str(tmp_path / "none"), "check"]) == 4


def test_writer_keeps_a_held_snapshot(store: Path, record: Callable[..., Record]) -> None:
    with stores.holding(store) as snapshot:
        for number in range(3):
            with stores.open_for_writing(store) as opened:
                opened.apply([record(f"urn:lex:br:federal:lei:2002-01-01;{99911 + number}", key=str(number))])
        with stores.open_snapshot(snapshot) as held:
            assert len(list(held.select(f"SELECT ?p WHERE {{ <{LAW}> ?p ?o }}"))) > 3
    with stores.open_for_writing(store) as opened:
        opened.apply([record("urn:lex:br:federal:lei:2002-01-01;99915", key="last")])
    assert not snapshot.exists()


def test_sigint_leaves_no_files(store: Path, tmp_path: Path) -> None:
    report = tmp_path / "r.nt"
    command = [sys.executable, "-m", "service", "--store", str(store), "check", "--report", str(report)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as running:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".r.nt.*.part")) and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


#: Starts a check with two processes, prints their ids, and waits.
CHECKER_SCRIPT = """
import multiprocessing, sys, time
from pathlib import Path
from queries import checks
if __name__ == "__main__":
    steps = checks._run_in_workers(Path(sys.argv[1]), [checks._Task()], 2)
    next(steps)
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    time.sleep(60)
"""


def test_workers_exit_when_their_parent_dies(store: Path, tmp_path: Path) -> None:
    script = tmp_path / "checker.py"
    script.write_text(CHECKER_SCRIPT, "utf-8")
    snapshot = (store / "current").resolve()
    command = [sys.executable, str(script), str(snapshot)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as running:
        assert running.stdout is not None
        workers = [int(pid) for pid in running.stdout.readline().split()]
        assert len(workers) == 2
        running.kill()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{pid}/cmdline").exists() for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}/cmdline").exists() for pid in workers)


def test_sources_beyond_ten_are_summarized_in_one_row(
    tmp_path: Path, record: Callable[..., Record], capsys: pytest.CaptureFixture[str]
) -> None:
    where = tmp_path / "many"
    with stores.open_for_writing(where, create=True) as opened:
        names = [f"urn:lex:br:federal:lei:2001-03-05;{99901 + n}@inicio.vigencia" for n in range(12)]
        opened.apply([record(name, provider=f"https://{n:02}.example/oai") for n, name in enumerate(names)])
    assert main(["--store", str(where), "check", "--workers", "1"]) == 0
    printed = capsys.readouterr().out
    rows = [line.split(maxsplit=3) for line in printed.splitlines() if line.startswith("info      version-undated")]
    assert [row[2:] for row in rows[:-1]] == [["1", f"https://{n:02}.example/oai"] for n in range(10)]
    assert rows[-1][2:] == ["2", "2 other sources; --json names them"]
    assert "info: version-undated, 12 results among " in printed
    assert len(_run_check(where, capsys)[1]["checks"]) == len(checks())  # type: ignore[arg-type]


@pytest.mark.parametrize("files", [8, 12, 20])
def test_too_few_file_descriptors_are_reported_in_one_line(store: Path, files: int) -> None:
    command = f'ulimit -n {files} && exec "$0" "$@"'
    program = [sys.executable, "-m", "service", "--store", str(store), "check"]
    ended = subprocess.run(["/bin/sh", "-c", command, *program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert ended.returncode == 4
    assert re.fullmatch(r"vigente: .*(Too many open files|file descriptors).*ulimit -n.*\n", ended.stderr), ended.stderr
