"""Tests of converting sources to N-Quads: the file has the quads that a store asserts."""

from __future__ import annotations

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


@pytest.mark.slow
@pytest.mark.usefixtures("short_constitution")
def test_converted_quads_equal_the_asserted_quads(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    write_sources(sources, 30)
    output = BytesIO()
    summary = convert([sources], output, Quarantine(tmp_path / "q"))
    assert (summary.older, summary.files) == (0, sum(path.is_file() for path in sources.rglob("*")))
    quads = list(ox.parse(output.getvalue(), ox.RdfFormat.N_QUADS))
    assert len(quads) == len(set(quads)), "each once"
    store = in_memory()
    store.apply([built_in_record()])
    load([sources], store, Quarantine(tmp_path / "q2"))
    assert set(quads) == {quad for quad in store.engine if quad.graph_name != ox.NamedNode(DERIVED_GRAPH)}


def test_repeated_record_is_written_once(tmp_path: Path) -> None:
    def record(day: str) -> str:
        head = f"<header><identifier>oai:a:1</identifier><datestamp>{day}</datestamp></header>"
        name = "<DocumentoIndividual>urn:lex:br:federal:lei:2001-02-03;99901</DocumentoIndividual>"
        lexml = f"<LexML xmlns='http://www.lexml.gov.br/oai_lexml'>{name}</LexML>"
        return f"<record>{head}<metadata>{lexml}</metadata></record>"

    records = "".join(map(record, ("2026-01-01", "2026-01-01", "2026-01-02")))
    (tmp_path / "p.xml").write_text(
        f"<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'><ListRecords>{records}</ListRecords></OAI-PMH>"
    )
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
