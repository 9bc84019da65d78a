"""Tests that memory does not grow with the size of a response."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.memory import needs_peak

ROOT = Path(__file__).resolve().parents[3]
RECORD = (
    "<record><header><identifier>oai:exemplo.gov.br:m/{0}</identifier><datestamp>2026-01-01</datestamp></header>"
    '<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml"><DocumentoIndividual>urn:lex:br:federal:lei:2001-02-03'
    ";{0}</DocumentoIndividual><Ementa>" + "Norma fictícia. " * 250 + "</Ementa></LexML></metadata></record>\n"
)
PROGRAM = """
import resource, sys, types
from pathlib import Path
from graph.quarantine import Quarantine
from loaders.pipeline import load
from tests.support.memory import peak

class Sink:
    def put(self, mapped):
        return types.SimpleNamespace(loaded=len(mapped), unchanged=0, deleted=0, older=0)

for path in sys.argv[1:]:
    summary = load([Path(path)], Sink(), Quarantine(Path(path + ".quarantine")), batch_size=1000)
    assert summary.refused.total() == 0
    print(summary.loaded, peak())
"""


def response(path: Path, records: int) -> Path:
    with path.open("w", encoding="utf-8") as out:
        out.write('<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>\n')
        out.writelines(RECORD.format(99901 + number) for number in range(records))
        out.write("</ListRecords></OAI-PMH>")
    return path


@needs_peak
@pytest.mark.slow
def test_memory_does_not_grow_with_the_response_size(tmp_path: Path) -> None:
    """Check with 50 megabytes first: by then the bounded caches of terms and names are full."""
    paths = [response(tmp_path / "50.xml", 12_000), response(tmp_path / "100.xml", 24_000)]
    assert paths[1].stat().st_size > 100_000_000
    run = subprocess.run([sys.executable, "-c", PROGRAM, *paths], cwd=ROOT, capture_output=True, text=True, check=True)
    (half, before), (full, after) = (map(int, line.split()) for line in run.stdout.splitlines())
    assert (half, full) == (12_000, 24_000)
    assert after - before < 8 << 10  # KiB
    assert before < 128 << 10  # KiB
