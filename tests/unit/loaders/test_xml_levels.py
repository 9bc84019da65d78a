"""Tests of iterating over the upper levels of an XML document, each element when it is complete."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from loaders.codes import RefusalCode
from loaders.xml import BadXml, iter_levels, local_name
from tests.support.memory import needs_peak

ROOT = Path(__file__).resolve().parents[3]


def levels(data: bytes, depth: int) -> list[tuple[str, str]]:
    return [(local_name(e.tag), "".join(map(str, e.itertext()))) for e in iter_levels(io.BytesIO(data), depth)]


def test_elements_are_yielded_at_their_end_and_the_root_last() -> None:
    data = b"<a>1<b>2<c>3<d>4</d></c><c>5</c></b><b>6</b></a>"
    assert levels(data, 0) == [("a", "123456")]
    assert levels(data, 1) == [("b", "2345"), ("b", "6"), ("a", "1")]
    assert levels(data, 2) == [("c", "34"), ("c", "5"), ("b", "2"), ("b", "6"), ("a", "1")]


def test_parent_distinguishes_one_name_on_two_levels() -> None:
    tag_pairs = []
    for element in iter_levels(io.BytesIO(b"<r><t>1</t><l><t>2</t><x><t>3</t></x></l></r>"), 2):
        above = element.getparent()
        tag_pairs.append((element.tag, None if above is None else above.tag))
    assert tag_pairs == [("t", "r"), ("t", "l"), ("x", "l"), ("l", "r"), ("r", None)]


@pytest.mark.parametrize("data", [b"<a><b/>", b"<a><b/></a><a/>", b"<a><b></a>", b"<a>\x0b</a>"])
def test_ill_formed_document_fails_after_its_complete_elements(data: bytes) -> None:
    with pytest.raises(BadXml) as error:
        levels(data, 1)
    assert error.value.code == RefusalCode.ILL_FORMED_XML


_FLAT = """
from loaders.xml import iter_levels
from tests.support.memory import Pages, peak

first = b"<a><l>" + b" " * 70000
page = (b"<r><x>" + b"y" * 900 + b"</x></r>\\n") * 60
peaks = []
for pages in (100, 1000):
    assert sum(1 for _ in iter_levels(Pages(first, page, b"</l></a>", pages), 2)) == (pages - 1) * 60 + 2
    peaks.append(peak())
print(peaks[1] - peaks[0])
"""


@needs_peak
@pytest.mark.slow
def test_memory_is_constant_from_6_to_60_megabytes() -> None:
    run = subprocess.run([sys.executable, "-c", _FLAT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(run.stdout) < 4 << 10  # KiB
