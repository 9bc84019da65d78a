"""Tests of citations against annotated bills: recall and precision.

The documents are a sample of citations, bills used to develop the rules, and bills used only for the evaluation.
``python -m tests.unit.graph.test_citations_annotated`` prints the figures of docs/reference/citations.md.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from tests.support.citations_scoring import Anchor, Text, anchor_of, score

SHARED = Path(__file__).resolve().parents[4] / "shared"
SAMPLE = SHARED / "data" / "citations-sample.tsv"
BILLS = SHARED / "data" / "lexml-xml"
_HREF = "{http://www.w3.org/1999/xlink}href"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_LEXML = "{http://www.lexml.gov.br/1.0}"


def sample(half: int | None = None) -> Iterator[Text]:
    """Return the annotated citations of a half of the sample of 250, each with its paragraph.

    Half 0 was used to develop the rules. Half 1 was kept for the evaluation.
    """
    csv.field_size_limit(10**7)
    with SAMPLE.open(encoding="utf-8", newline="") as lines:
        for position, row in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)):
            if half is not None and position % 2 != half:
                continue
            norm, provision = row["in_alteracao_base"] or row["doc_urn"], row["provision_id"]
            anchor = anchor_of(row["paragraph_text"], row["anchor_text"], row["urn"], norm, provision)
            yield Text(row["paragraph_text"], (anchor,), norm, provision)


def bills(*, unseen: bool) -> Iterator[Text]:
    """Return the annotated paragraphs of every second bill: those used to develop the rules, or the others."""
    files = sorted(path for path in BILLS.glob("*.xml") if not path.name.startswith("RISF"))
    for path in files[1 if unseen else 0 :: 2]:
        yield from paragraphs(path)


def paragraphs(path: Path) -> Iterator[Text]:
    """Return the annotated paragraphs of one document."""
    root = etree.parse(path).getroot()
    identity = root.find(f".//{_LEXML}Identificacao")
    own = identity.get("URN", "") if identity is not None else ""
    for element in root.iter(f"{_LEXML}p", f"{_LEXML}Ementa"):
        pieces: list[str] = []
        anchors: list[Anchor] = []
        _gather(element, pieces, anchors)
        if anchors:
            within = [element, *element.iterancestors()]
            provision = next((ancestor.get("id", "") for ancestor in within if ancestor.get("id")), "")
            base = next((ancestor.get(_BASE, "") for ancestor in within if ancestor.tag == f"{_LEXML}Alteracao"), "")
            yield Text("".join(pieces), tuple(anchors), base or own, provision)


def _gather(element: etree._Element, pieces: list[str], anchors: list[Anchor]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if isinstance(child.tag, str):
            start = sum(map(len, pieces))
            _gather(child, pieces, anchors)
            if (name := child.get(_HREF)) is not None:
                anchors.append(Anchor(start, sum(map(len, pieces)), name))
        pieces.append(child.tail or "")


@pytest.mark.skipif(not SAMPLE.exists(), reason="the annotated sample is not here")
def test_sample_matches_its_annotations() -> None:
    result = score(sample())
    assert result.met + len(result.missed) == 250
    assert result.recall_apart >= 0.93, result.missed
    assert result.precision_apart >= 0.97, result.wrong
    assert (result.recall, result.precision) >= (0.92, 0.94)
    assert result.finer <= 7
    assert result.senate == 4


@pytest.mark.skipif(not SAMPLE.exists(), reason="the annotated sample is not here")
@pytest.mark.parametrize("half", [0, 1])
def test_certain_citations_are_correct(half: int) -> None:
    """Check that wrong citations of confidence 1.0 name the annotated norm, and that at most three exist.

    The annotations of these three are wrong: they have the norm alone, or an identifier without its article.
    """
    result = score(sample(half))
    sure = [(citation, expected) for citation, expected in result.wrong if citation.confidence == 1.0]
    assert [
        citation for citation, expected in sure if citation.name.partition("!")[0] != expected.partition("!")[0]
    ] == []
    assert len(sure) <= 3


@pytest.mark.skipif(not BILLS.exists(), reason="the annotated bills are not here")
@pytest.mark.parametrize("unseen", [False, True])
def test_bills_match_their_annotations(*, unseen: bool) -> None:
    result = score(bills(unseen=unseen))
    assert result.met > 70
    assert result.recall >= 0.96, result.missed
    assert result.precision >= 0.97, result.wrong


def documented_figures() -> Iterator[str]:
    """Return the figures of docs/reference/citations.md, line by line."""
    yield f"sample: {score(sample())}"
    yield f"first half of the sample: {score(sample(0))}"
    yield f"second half of the sample: {score(sample(1))}"
    yield f"bills: {score(bills(unseen=False))}"
    yield f"unseen bills: {score(bills(unseen=True))}"
    yield f"regulation: {score(paragraphs(next(BILLS.glob('RISF*.xml'))))}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(documented_figures()) + "\n")
