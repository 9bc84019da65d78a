"""Tests of ``vigente query``: every format of a table and of triples, and the progress line of a long query."""

from __future__ import annotations

import io
import re
import sys
import time
from pathlib import Path

import pyoxigraph as ox
import pytest

from service.cli import main, progress

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
HEADER = "# title@pt-br: T\n# title@en: E\n# question@pt-br: P?\n# question@en: Q?\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with the bundled sample."""
    folder = tmp_path_factory.mktemp("query")
    assert main(["--store", str(folder / "store"), "demo"]) == 0
    return folder


def _run_query(made: Path, capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> bytes:
    assert main(["--store", str(made / "store"), "query", *arguments]) == 0
    printed = capfdbinary.readouterr()
    assert printed.err == b""
    return printed.out


def test_norm_is_given_by_a_citation_or_a_nickname(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["--store", str(made / "store"), "query", "timeline", "--format", "csv", "-p"]
    assert main([*command, f"norma={CODE}"]) == 0
    named = capfd.readouterr().out
    assert len(named.splitlines()) > 1
    for text in ("CDC", "Lei nº 8.078/1990"):
        assert main([*command, f"norma={text}"]) == 0
        answered = capfd.readouterr()
        assert answered.out == named
        assert f"note: norma={text} is understood as {CODE}" in answered.err
    assert main([*command, "norma=lei de mentira"]) == 2
    assert "parameter 'norma' of query timeline expects an IRI or a name urn:lex:..." in capfd.readouterr().err


@pytest.mark.parametrize("output", ["csv", "tsv", "json", "xml"])
def test_table_is_written_in_every_format(made: Path, capfdbinary: pytest.CaptureFixture[bytes], output: str) -> None:
    written = _run_query(made, capfdbinary, "timeline", "-p", f"norma={CODE}", "--format", output)
    assert written.endswith(b"\n")
    if output == "csv":
        assert len(written.splitlines()) == 21
        return
    solutions = ox.parse_query_results(written, getattr(ox.QueryResultsFormat, output.upper()))
    assert isinstance(solutions, ox.QuerySolutions)
    assert len(list(solutions)) == 20


@pytest.mark.parametrize(
    ("output", "form"),
    [
        ("ttl", ox.RdfFormat.TURTLE),
        ("nt", ox.RdfFormat.N_TRIPLES),
        ("rdf", ox.RdfFormat.RDF_XML),
        ("jsonld", ox.RdfFormat.JSON_LD),
    ],
)
def test_triples_are_written_in_every_format(
    made: Path, capfdbinary: pytest.CaptureFixture[bytes], output: str, form: ox.RdfFormat
) -> None:
    query = made / "feita.rq"
    query.write_text(f"{HEADER}CONSTRUCT {{ <{CODE}> ?p ?o }} WHERE {{ <{CODE}> ?p ?o }}", "utf-8")
    triples = {quad.triple for quad in ox.parse(_run_query(made, capfdbinary, str(query), "--format", output), form)}
    assert len(triples) > 10
    assert {triple.subject for triple in triples} == {ox.NamedNode(CODE)}


def test_booleans_are_written_as_in_sparql(made: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for output in ("table", "csv"):
        printed = _run_query(made, capfdbinary, "life_of_versions", "-p", "conhecido=2010-01-01", "--format", output)
        last = {line.replace(b",", b" ").split()[-1] for line in printed.splitlines() if b"urn:lex" in line}
        assert last == {b"true", b"false"}


def test_sample_has_no_conflicts(made: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert len(_run_query(made, capfdbinary, "conflicts_between_providers", "--format", "tsv").splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "rdf", "--json"), "expected --json or --format rdf, not both"),
        (("--json", "--format", "table"), "expected --json or --format table, not both"),
        (("-p", "norma=urn:lex:br:federal:lei:2001-03-05;99901"), "expected the parameter norma once"),
        (("-p", f"norma={CODE}"), "expected the parameter norma once"),
    ],
)
def test_contradictory_options_are_rejected(
    made: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert main(["--store", str(made / "store"), "query", "timeline", "-p", f"norma={CODE}", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err


def test_json_option_may_repeat_the_format(made: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    asked = ("timeline", "-p", f"norma={CODE}")
    both = _run_query(made, capfdbinary, *asked, "--format", "json", "--json")
    assert both == _run_query(made, capfdbinary, *asked, "--json")


def test_documentation_lists_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "timeline", "--format", "nada"]) == 2
    (taken,) = re.findall(r"expected --format (.+?), got", capsys.readouterr().err)
    page = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "commands.md").read_text("utf-8")
    (documented,) = re.findall(
        r"`--format` of `query` is (.+?) for SELECT and ASK, (.+?) for CONSTRUCT", page, re.DOTALL
    )
    tables, graphs = (re.findall(r"`(\w+)`", format_list) for format_list in documented)
    assert [*tables, *graphs] == taken.split(", ")
    assert len(graphs) == 4


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_timer_line_is_shown_and_cleared_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "_DELAY", 0.01)
    with progress.timer_line("stock_by_year"):
        time.sleep(0.2)
    shown, wiped, rest = terminal.getvalue().rsplit("\r", 2)
    assert shown == "\rstock_by_year: 0 s ..."
    assert (wiped, rest) == (" " * len("stock_by_year: 0 s ..."), "")


@pytest.mark.parametrize("where", ["pipe", "dumb", "quick"])
def test_timer_line_is_hidden_elsewhere(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    into = io.StringIO() if where == "pipe" else _Terminal()
    monkeypatch.setattr(sys, "stderr", into)
    monkeypatch.setenv("TERM", "dumb" if where == "dumb" else "xterm")
    if where != "quick":
        monkeypatch.setattr(progress, "_DELAY", 0.01)
    with progress.timer_line("timeline"):
        time.sleep(0.05)
    assert into.getvalue() == ""
