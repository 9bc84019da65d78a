"""Tests of norms with a whole text for each version: the texts are those of the documents, and need few queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from lxml import etree

from benchmarks.generator.documents import CONSOLIDATED, editions, write_editions
from graph.civil import ONE_DAY
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory
from graph.terms import Cell
from graph.time.kinds import Status
from graph.urn import Name, parse
from loaders.pipeline import load
from ontology.namespaces import VIG
from queries import provisions as parts
from queries.catalogue import catalogue
from queries.text import composition
from queries.text.answers import TextAnswer
from queries.text.text import text
from tests.property.test_documents import LAW, WINDOW, Drawn, lives, loaded

ARTICLES = 22
KNOWN = "2026-01-01"


def stored(count: int, folder: Path) -> WritableStore:
    store, pages = in_memory(), folder / f"editions-{count}"
    pages.mkdir()
    write_editions(pages, count, ARTICLES)
    load([pages], store, Quarantine(folder / "quarantine"))
    return store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    return stored(6, tmp_path_factory.mktemp("consolidated"))


@cache
def printed() -> tuple[tuple[date, etree._Element], ...]:
    """Return the documents, each with its first day."""
    return tuple((day, etree.fromstring(xml)) for day, xml in editions(6, ARTICLES))


def in_the_document(document: etree._Element, fragment: str | None) -> list[tuple[str, int, str | None]]:
    """Return identifier, level and words of the provisions in a document, or of one with the provisions in it."""
    start = document.find(f".//*[@id='{fragment}']" if fragment else "./{*}Norma/{*}Articulacao")
    assert start is not None
    return list(_read(start, 1)) if fragment else [row for inner in start for row in _read(inner, 1)]


def _read(element: etree._Element, level: int) -> Iterator[tuple[str, int, str | None]]:
    yield element.get("id", ""), level, element.findtext("./{*}p")
    for inner in element:
        if inner.get("id") is not None:
            yield from _read(inner, level + 1)


def answered(answer: TextAnswer) -> list[tuple[str, int, str | None]]:
    return [(provision.name.rpartition("!")[2], provision.level, provision.text) for provision in answer.provisions]


@pytest.mark.slow
@pytest.mark.parametrize("few", [parts.FEW, 0], ids=["each by itself", "all at once"])
def test_provisions_equal_the_document_of_each_day(
    store: WritableStore, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "FEW", few)
    documents = printed()
    compared = 0
    for index, (first, document) in enumerate(documents):
        last = documents[index + 1][0] - ONE_DAY if index + 1 < len(documents) else first + ONE_DAY
        for day in (first, last):
            assert answered(text(store, CONSOLIDATED, day, KNOWN)) == in_the_document(document, None)
        fragments = [fragment for fragment, _, _ in in_the_document(document, None)]
        for fragment in ("cap1", "cap2", *fragments[index :: len(documents) * 9]):
            answer = text(store, f"{CONSOLIDATED}!{fragment}", last, KNOWN)
            assert answered(answer) == in_the_document(document, fragment), (fragment, last)
            assert answer.status is Status.IN_FORCE
            assert not answer.undecided
            compared += len(answer.provisions)
    assert compared > 500


def test_parent_of_each_provision_equals_the_records(store: WritableStore) -> None:
    """Compare with reading each quad; for a part of the norm, the containers are those found for the whole norm."""
    holder_of: dict[str, str] = {}
    for quad in store.engine.quads_for_pattern(None, ox.NamedNode(VIG["contidoEm"]), None, None):
        assert isinstance(quad.subject, ox.NamedNode)
        assert isinstance(quad.object, ox.NamedNode)
        holder_of[quad.subject.value] = quad.object.value
    assert parts.containers_by_provision(store, CONSOLIDATED) == holder_of
    assert len(holder_of) > 150
    for fragment in ("art1", "art7_cpt", "cap1", "cap2"):
        name = parse(f"{CONSOLIDATED}!{fragment}")
        containers = parts.held(store, name)
        below: set[str] = set()
        while more := {iri for iri, holder in holder_of.items() if holder in {name.iri, *below}} - below:
            below |= more
        expected = {iri: holder_of[iri] for iri in {name.iri, *below} if iri in holder_of}
        assert containers == expected, fragment


@pytest.mark.slow
@settings(max_examples=10)
@given(lives())
def test_provision_text_equals_its_part_of_the_whole_text(drawn: Drawn) -> None:
    """Check also provisions with versions of their own: the text equals that part of the text of the norm."""
    held = loaded(drawn)
    for day in (WINDOW[1], WINDOW[4], WINDOW[-1]):
        for fragment in ("cap1", "art1", "art1_cpt", "art3"):
            answer = text(held, f"{LAW}!{fragment}", day, WINDOW[-1])
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(composition, "_scope", _part_of_whole_text)
                assert text(held, f"{LAW}!{fragment}", day, WINDOW[-1]).as_json() == answer.as_json()


def _part_of_whole_text(store: Store, target: Name) -> tuple[dict[str, str], None]:
    """Return the scope of the whole norm."""
    return parts.containers_by_provision(store, target.work.iri), None


class _Counting(Store):
    """A store that counts how often each query of the catalogue is run, and the rows read from it."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.engine, None, store.names)
        self.asked = Counter[str]()
        self.read = Counter[str]()
        self._named = {query.text: name for name, query in catalogue().items()}

    def select(
        self, query: str, bindings: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> Iterator[dict[str, Cell]]:
        name = self._named.get(query, "of the code")
        self.asked[name] += 1
        for row in super().select(query, bindings):
            self.read[name] += 1
            yield row


def test_whole_text_reads_its_parts_from_the_index(store: WritableStore) -> None:
    counting = _Counting(store)
    assert text(counting, CONSOLIDATED, printed()[3][0], KNOWN).provisions
    of_provisions = {"holders_of_provisions", "own_periods_on_day", "parts_of_text", "provisions_with_own_periods"}
    assert of_provisions.isdisjoint(counting.asked)


def test_article_is_answered_without_reading_the_rest_of_its_norm(tmp_path: Path) -> None:
    read = []
    for count in (3, 9):
        counting = _Counting(stored(count, tmp_path))
        assert len(text(counting, f"{CONSOLIDATED}!art2", printed()[2][0], KNOWN).provisions) == 8
        assert not counting.asked["holders_of_provisions"]
        assert not counting.asked["parts_of_text"]
        read.append(counting.read.total())
    assert read[0] == read[1] < 60
