"""Tests of real LexML XML documents against a second count: each provision, word and citation is in the graph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from graph.entities import Record
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.documents import SourceDocument
from loaders.pipeline import load
from loaders.sources.lexml_xml import read_lexml_xml
from loaders.xml import Element
from queries.text.text import text

SAMPLES = Path(__file__).parents[4] / "shared" / "data" / "lexml-xml"
HREF = "{http://www.w3.org/1999/xlink}href"

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample data is not beside the checkout")


def files() -> list[Path]:
    return sorted(SAMPLES.glob("*.xml")) if SAMPLES.is_dir() else []


def only_record(path: Path) -> Record:
    outcomes = list(read_lexml_xml(SourceDocument(path.name, lambda: path.open("rb"))))
    (record,) = (outcome for outcome in outcomes if isinstance(outcome, Record))
    assert len(outcomes) == 1, outcomes
    return record


def nodes(element: Element, path: str) -> list[Any]:
    """Return the nodes found by an XPath."""
    results = element.xpath(path)
    assert isinstance(results, list)
    return results


def identified(path: Path) -> list[Element]:
    """Return every element with an identifier, by XPath alone."""
    return nodes(etree.parse(path).getroot(), "//*[@id]")


def own_words(element: Element) -> str:
    """Return the words of an element outside other identified elements, without labels and headings."""
    beside = "self::*[local-name()='Rotulo' or local-name()='NomeAgrupador' or local-name()='TituloDispositivo']"
    depth = len(nodes(element, "ancestor-or-self::*[@id]"))
    pieces = nodes(element, f".//text()[count(ancestor::*[@id])={depth}][not(ancestor::*[{beside}])]")
    return re.sub(r"\s+", "", "".join([str(piece) for piece in pieces]))


def test_number_of_samples_is_as_documented() -> None:
    assert len(files()) == 61


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name[:60])
def test_every_provision_has_its_words_and_label(path: Path) -> None:
    record = only_record(path)
    elements = identified(path)
    behind = [p for p in record.provisions if "_txt" in p.fragment]
    with_id = [p for p in record.provisions if p not in behind]
    assert [p.fragment for p in with_id] == [str(e.get("id")) for e in elements]
    for provision, element in zip(with_id, elements, strict=True):
        (wording,) = provision.wordings
        texts = [wording.text, *(p.wordings[0].text for p in behind if p.within == provision.fragment)]
        assert re.sub(r"\s+", "", "".join(filter(None, texts))) == own_words(element), provision.fragment
        label = element.find("{*}Rotulo")
        assert wording.label == (" ".join(str(label.xpath("string()")).split()) or None if label is not None else None)
        above = nodes(element, "ancestor::*[@id][1]/@id")
        assert [provision.within] == (above or [None])


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name[:60])
def test_every_citation_is_read(path: Path) -> None:
    spans = [
        (nodes(span, "ancestor::*[@id][1]/@id")[0], str(span.get(HREF)))
        for span in nodes(etree.parse(path).getroot(), "//*[local-name()='span'][@*[local-name()='href']]")
    ]
    record = only_record(path)
    cites = [(p.fragment, name.text) for p in record.provisions for w in p.wordings for name in w.cites]
    assert sorted(cites) == sorted(spans)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    made = in_memory()
    summary = load([SAMPLES], made, Quarantine(tmp_path_factory.mktemp("quarantine")))
    assert (summary.loaded, summary.refused.total(), summary.note_counts.total()) == (61, 0, 0)
    again = load([SAMPLES], made, Quarantine(tmp_path_factory.mktemp("again")))
    assert (again.loaded, again.unchanged) == (0, 61)
    return made


def lines_of(path: Path) -> Iterator[str]:
    """Return labels, headings and words of a document in document order."""
    root = etree.parse(path).getroot()
    body = nodes(root, "/*/*[local-name()!='Metadado']//text()[not(parent::*[local-name()='Metadado'])]")
    yield from (piece for piece in ("".join(str(part).split()) for part in body) if piece)


@pytest.mark.slow
@pytest.mark.parametrize("path", files(), ids=lambda path: path.name[:60])
def test_composed_text_equals_the_document(path: Path, store: WritableStore) -> None:
    """Compare the text of the version that the document names with the document: same words in the same order."""
    record = only_record(path)
    assert record.document is not None
    answer = text(store, record.document.name)
    composed = "".join("".join("".join(p.lines).split()) for p in answer.provisions)
    assert composed == "".join(lines_of(path))
    assert len(answer.provisions) == len(record.provisions)


def test_regulation_on_the_day_of_its_consolidation(store: WritableStore) -> None:
    name = "urn:lex:br:senado.federal:resolucao:1970;93"
    (path,) = SAMPLES.glob("RISF*.xml")
    on_day = text(store, name, "2015-06-26", "2015-06-26")
    assert on_day.status is not None
    assert on_day.status.value == "in-force"
    assert len(on_day.provisions) == len(identified(path))
    before = text(store, name, "2015-06-25", "2015-06-26")
    assert before.status is not None
    assert (before.status.value, before.provisions) == ("unknown", ())
