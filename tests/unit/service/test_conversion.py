"""Tests of converting sources to N-Quads: the file has the quads that a store asserts."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from benchmarks.generate import write_sources
from graph.quarantine import Quarantine
from graph.store import in_memory
from loaders.documents import BadInput
from loaders.pipeline import convert, load
from loaders.sources.vocabulary import built_in_record
from ontology.iris import DERIVED_GRAPH
from service.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function: ``run(argument...)`` returns exit code, stdout and stderr, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def _asserted_quads(path: Path, quarantine: Path) -> set[ox.Quad]:
    """Return the quads of a store with the same sources, without derived ones."""
    store = in_memory()
    store.apply([built_in_record()])
    load([path], store, Quarantine(quarantine))
    return {quad for quad in store.engine if quad.graph_name != ox.NamedNode(DERIVED_GRAPH)}


def _read_quads(lines: bytes) -> list[ox.Quad]:
    return list(ox.parse(lines, ox.RdfFormat.N_QUADS))


@pytest.mark.slow
@pytest.mark.usefixtures("short_constitution")
def test_converted_quads_equal_the_asserted_quads(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    write_sources(sources, 30)
    output = BytesIO()
    summary = convert([sources], output, Quarantine(tmp_path / "q"))
    assert (summary.older, summary.files) == (0, sum(path.is_file() for path in sources.rglob("*")))
    quads = _read_quads(output.getvalue())
    assert len(quads) == len(set(quads)), "each once"
    assert set(quads) == _asserted_quads(sources, tmp_path / "q2")


def test_repeated_record_is_written_once(tmp_path: Path) -> None:
    def page(*records: str) -> None:
        (tmp_path / "p.xml").write_text(
            f"<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'><ListRecords>{''.join(records)}</ListRecords></OAI-PMH>"
        )

    def record(day: str) -> str:
        head = f"<header><identifier>oai:a:1</identifier><datestamp>{day}</datestamp></header>"
        name = "<DocumentoIndividual>urn:lex:br:federal:lei:2001-02-03;99901</DocumentoIndividual>"
        lexml = f"<LexML xmlns='http://www.lexml.gov.br/oai_lexml'>{name}</LexML>"
        return f"<record>{head}<metadata>{lexml}</metadata></record>"

    page(record("2026-01-01"), record("2026-01-01"), record("2026-01-02"))
    output = BytesIO()
    summary = convert([tmp_path / "p.xml"], output, Quarantine(tmp_path / "q"))
    assert (summary.loaded, summary.unchanged, summary.older) == (2, 1, 1), "the vocabularies, and one record"
    assert b"2026-01-01" in output.getvalue()
    assert b"2026-01-02" not in output.getvalue()


@pytest.mark.parametrize("wrong", [{"as_kind": "nothing"}, {"workers": 0}])
def test_invalid_options_are_rejected_before_writing(tmp_path: Path, wrong: dict[str, Any]) -> None:
    output = BytesIO()
    with pytest.raises(BadInput):
        convert([tmp_path], output, Quarantine(tmp_path / "q"), **wrong)
    assert output.getvalue() == b""


def test_convert_command_writes_quads(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("urn:lex:br:federal:lei:2001-02-03;99901\nno name\n", "utf-8")
    code, printed, _ = run("convert", "out.nq.gz", "names.txt", "--as", "names", "--json")
    assert (code, json.loads(printed)["refused"]) == (3, {"bad-name": 1})
    assert any(
        "99901" in str(quad.subject) for quad in _read_quads(gzip.decompress((tmp_path / "out.nq.gz").read_bytes()))
    )
    assert (tmp_path / "out.nq.gz.refused").is_dir()
    for wrong, message in (
        (("out.nt", "names.txt"), "expected a file name ending in .nq or .nq.gz, got 'out.nt'"),
        (("out.nq", "none.txt"), "expected a file or folder, got none.txt, which does not exist"),
        (("out.nq", "names.txt", "--as", "nothing"), "expected --as "),
    ):
        code, out, err = run("convert", *wrong)
        assert (code, out) == (2, "")
        assert message in err
    assert not (tmp_path / "out.nq").exists()
