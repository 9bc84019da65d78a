"""Tests of commands that query: answers as text and as JSON, every format of a query and of an export."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib

from service.cli import main, progress
from tests.support.commands import CODE, Run, differences, table_of

ANSWERS = table_of("commands/answers.toml")
HEADER = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"


@pytest.mark.parametrize("row", ANSWERS["answer"], ids=lambda row: row["ask"])
def test_answer_of_a_command(row: dict[str, Any], ask: Run) -> None:
    done = ask(row["ask"], code=row.get("code", 0), given=row.get("given", "").encode())
    if "json" in row or "keys" in row:
        assert differences(row.get("json", {}), done.json) == []
        assert list(done.json) == row.get("keys", " ".join(done.json)).split()
        for name, keys in row.get("first", {}).items():
            assert list(done.json[name][0]) == keys.split()
    assert done.lines[: len(row.get("begins", ()))] == row.get("begins", [])
    assert done.lines == row.get("whole", done.lines)
    assert len(done.lines) == row.get("lines", len(done.lines))
    assert [part for part in row.get("has", ()) if part not in done.out] == []
    assert [part for part in row.get("once", ()) if done.out.count(part) != 1] == []
    assert done.err == row.get("err", "" if row.get("code", 0) == 0 else done.err)


def test_exit_codes_of_resolve(ask: Run) -> None:
    for name, code in ANSWERS["resolve"].items():
        ask("resolve", name, code=code)


@pytest.mark.parametrize("command", ["parse", "canonical"])
def test_names_need_no_store(command: str, run: Run, tmp_path: Path) -> None:
    assert run(f"name {command} {CODE}").err == ""
    assert list(tmp_path.iterdir()) == []


def test_cite_accepts_any_text(run: Run) -> None:
    assert run("cite -", given=b"(" * 100_000).out == "no citation found\n"


def test_queries_lists_the_catalogue(ask: Run) -> None:
    queries = {query["name"]: query for query in ask("queries --json").json}
    keys = "name title titulo question pergunta limits limites group competency parameters columns"
    assert list(queries["amendments_of_work"]) == keys.split()
    assert queries["amendments_of_work"]["parameters"] == [
        {
            "name": "norma",
            "kind": "iri",
            "required": True,
            "default": None,
            "meaning": "the amended norm, by its canonical name",
            "label": "Norm",
            "rotulo": "Norma",
        }
    ]


def test_norm_of_a_query_is_given_by_a_citation_or_a_nickname(ask: Run) -> None:
    named = ask("query timeline --format csv -p", f"norma={CODE}")
    assert len(named.lines) > 1
    for text in ("CDC", "Lei nº 8.078/1990"):
        answered = ask("query timeline --format csv -p", f"norma={text}")
        assert answered.out == named.out
        assert f"note: norma={text} is understood as {CODE}" in answered.err


def test_deprecated_name_of_a_query_works_with_a_note(ask: Run) -> None:
    old = ask("query norms_with_witnesses --format csv")
    assert old.out == ask("query norms_with_several_text_sources --format csv").out
    assert "note: the name norms_with_witnesses of a query is deprecated: use norms_with_several_text_sou" in old.err


def test_table_is_written_in_every_format(sample_store: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    def written(*options: str) -> bytes:
        assert main(["--store", str(sample_store), "query", "timeline", "-p", f"norma={CODE}", *options]) == 0
        return capfdbinary.readouterr().out

    assert len(written("--format", "csv").splitlines()) == 21
    for output in ("tsv", "json", "xml"):
        solutions = ox.parse_query_results(written("--format", output), getattr(ox.QueryResultsFormat, output.upper()))
        assert len(list(solutions)) == 20  # type: ignore[arg-type]
    assert written("--json") == written("--format", "json") == written("--format", "json", "--json")


def test_triples_are_written_in_every_format(
    sample_store: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    query = tmp_path / "feita.rq"
    query.write_text(f"{HEADER}CONSTRUCT {{ <{CODE}> ?p ?o }} WHERE {{ <{CODE}> ?p ?o }}", "utf-8")
    found = []
    for output in ("ttl", "nt", "rdf", "jsonld"):
        assert main(["--store", str(sample_store), "query", str(query), "--format", output]) == 0
        rdf_format = ox.RdfFormat.from_extension(output)
        assert rdf_format is not None
        found.append({quad.triple for quad in ox.parse(capfdbinary.readouterr().out, rdf_format)})
    assert found == [found[0]] * 4
    assert len(found[0]) > 10
    assert {triple.subject for triple in found[0]} == {ox.NamedNode(CODE)}


def test_values_of_a_table(ask: Run, tmp_path: Path) -> None:
    """Booleans are written as in SPARQL, and an empty literal is an empty cell."""
    for output in ("table", "csv"):
        lines = ask(f"query life_of_versions -p conhecido=2010-01-01 --format {output}").lines
        assert {line.replace(",", " ").split()[-1] for line in lines if "urn:lex" in line} == {"true", "false"}
    (tmp_path / "empty.rq").write_text(f'{HEADER}SELECT ?a ?b {{ BIND(""@pt AS ?a) BIND("x"@pt AS ?b) }}', "utf-8")
    assert ask("query empty.rq").lines == ["a  b", "-  -", "   x"]


def test_stats_reports_the_store(ask: Run, sample_store: Path) -> None:
    document = ask("stats --json").json
    assert list(document) == ["quads", "classes", "known_up_to", "quarantine", "quarantine_damaged", "harvests"]
    assert (document["harvests"], document["quarantine"]) == ([], 0)
    assert document["known_up_to"] == {"https://exemplo.vigente.invalid/oai": "2008-12-15"}
    assert document["quads"] == len(ox.Store.read_only(str((sample_store / "current").resolve())))
    lines = ask("stats").lines
    assert lines[0] == f"{document['quads']} quads; in quarantine: 0"
    assert lines[-1] == "harvested up to 2008-12-15 from https://exemplo.vigente.invalid/oai"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib calls its own deprecated code
def test_export_is_read_back_by_the_engine_and_by_rdflib(ask: Run, tmp_path: Path, sample_store: Path) -> None:
    held = set(ox.Store.read_only(str((sample_store / "current").resolve())))
    by_rdflib = {"rdf": "xml", "jsonld": "json-ld"}
    for ending in ("nq", "trig", "nt", "ttl", "n3", "rdf", "jsonld"):
        target = tmp_path / f"whole.{ending}"
        done = ask(f"export {target} --json")
        assert (done.json["quads"], list(done.json)) == (len(held), ["file", "format", "quads"])
        rdf_format = ox.RdfFormat.from_extension(ending)
        assert rdf_format is not None
        read_back = set(ox.parse(target.read_bytes(), rdf_format))
        triples = {quad.triple for quad in held}
        assert ({quad.triple for quad in read_back}, read_back == held) == (triples, rdf_format.supports_datasets)
        if ending in by_rdflib:
            graph = rdflib.Dataset(default_union=True).parse(target, format=by_rdflib[ending])
            assert len(set(graph.triples((None, None, None)))) == len(triples)
        target.unlink()
    assert list(tmp_path.iterdir()) == []


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("into", "term", "delay", "shown"),
    [
        (_Terminal(), "xterm", 0.01, f"\rtimeline: 0 s ...\r{' ' * 17}\r"),
        (io.StringIO(), "xterm", 0.01, ""),
        (_Terminal(), "dumb", 0.01, ""),
        (_Terminal(), "xterm", 9, ""),
    ],
    ids=["terminal", "pipe", "dumb", "quick"],
)
def test_timer_line_is_shown_on_a_terminal(
    into: io.StringIO, term: str, delay: float, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", into)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(progress, "_DELAY", delay)
    with progress.timer_line("timeline"):
        time.sleep(0.2 if shown else 0.05)
    assert into.getvalue() == shown
