"""Tests that memory does not grow with the size of a source."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cases import constant
from tests.support.memory import needs_peak
from tests.support.oai_pages import LEXML

ROOT = Path(__file__).resolve().parents[3]
_MIB = 1 << 10  # in KiB

pytestmark = [needs_peak, pytest.mark.slow]

_FLAT = constant("programs", "memory_flat")
_LOAD = constant("programs", "memory_load")
_HELD = constant("programs", "memory_held")


def run(program: str, *arguments: object) -> list[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.parametrize(
    ("read", "wanted", "first", "before", "after", "end", "others"),
    [
        ("iter_elements", '["r"]', "<a>", "<list>junk<junk/><!-- c --><r>", "</r></list>", "</a>", 0),
        ("iter_levels", "2", "<a><l>", "<r>", "</r>", "</l></a>", 2),
    ],
)
def test_memory_is_constant_from_6_to_60_megabytes_of_xml(
    read: str, wanted: str, first: str, before: str, after: str, end: str, others: int
) -> None:
    program = _FLAT.format(read=read, wanted=wanted, first=first, before=before, after=after, end=end, others=others)
    (grown,) = run(program)
    assert int(grown) < 4 * _MIB


def test_memory_does_not_grow_with_the_response_size(tmp_path: Path) -> None:
    """Check with 50 megabytes first: by then the bounded caches of terms and names are full."""
    record = (
        "<record><header><identifier>oai:a.gov.br:m/{0}</identifier><datestamp>2026-01-01</datestamp></header>"
        f'<metadata><LexML xmlns="{LEXML}"><DocumentoIndividual>urn:lex:br:federal:lei:2001-02-03;{{0}}'
        f"</DocumentoIndividual><Ementa>{'Norma fictícia. ' * 250}</Ementa></LexML></metadata></record>\n"
    )
    paths = [tmp_path / "50.xml", tmp_path / "100.xml"]
    for path, count in zip(paths, (12_000, 24_000), strict=True):
        with path.open("w", encoding="utf-8") as out:
            out.write('<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>\n')
            out.writelines(record.format(99901 + number) for number in range(count))
            out.write("</ListRecords></OAI-PMH>")
    assert paths[1].stat().st_size > 100_000_000
    (half, before), (full, after) = (map(int, line.split()) for line in run(_LOAD, *paths))
    assert (half, full) == (12_000, 24_000)
    assert after - before < 8 * _MIB
    assert before < 128 * _MIB


class Endless(io.RawIOBase):
    """A LexML XML document of a given number of bytes, generated without holding it in memory."""

    def __init__(self, size: int) -> None:
        self._head = (
            b'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao '
            b'URN="urn:lex:br:federal:lei:2001-03-05;99940"/></Metadado><Norma><Articulacao>'
        )
        self._left = size
        self._number = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self._head:
            head, self._head = self._head, b""
            return head
        if self._left <= 0:
            return b""
        self._number += 1
        name = f"art{self._number}"
        piece = f'<Artigo id="{name}"><Caput id="{name}_cpt"><p>Palavras.</p></Caput></Artigo>'.encode()
        filler = b"<!-- " + b"-x" * (max(size, 0) // 2) + b" -->"
        self._left -= len(piece) + len(filler)
        return piece + filler


def test_half_a_gigabyte_is_refused_without_being_held_in_memory() -> None:
    *codes, grown = run(_HELD)
    assert codes == ["record-too-large"]
    assert int(grown) < 400 * _MIB, f"{int(grown) >> 10} MiB"
