"""Tests of reading the texts of versions: the same as the query of the catalogue, in few queries."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings

import samples
from graph.entities import Record
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, caching, in_memory
from graph.store.caching import CachingStore, MemoizingStore, Snapshot
from graph.terms import Cell
from loaders.documents import SourceDocument
from loaders.pipeline import load
from loaders.sources.lexml_xml import read_lexml_xml
from queries.catalogue import named
from queries.in_force import in_force
from queries.provisions import editions
from tests.property.test_documents import Drawn, lives, loaded
from tests.support.records import record

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"


def by_query(store: Store, norm: str) -> dict[str, tuple[str, bool]]:
    """Return the text of each version that has one, and whether it is the whole text."""
    return {
        str(row["versao"]): (str(row["texto"]), row["completo"] is not None)
        for row in named("editions_of_norm").rows(store, {"norma": norm})
        if row["completo"] is not None or row["composto"] is not None
    }


def compare(store: Store) -> int:
    """Compare both ways of reading, and return the number of texts."""
    count = 0
    for norm in store.names.norms():
        texts = {
            edition.version.iri: (edition.text, edition.complete)
            for edition in editions(store, norm)
            if edition.text is not None
        }
        assert texts == by_query(store, norm), norm
        count += len(texts)
    return count


def test_editions_of_the_bundled_sample_equal_the_query(tmp_path: Path) -> None:
    store = in_memory()
    load([samples.folder()], store, Quarantine(tmp_path))
    assert compare(store) > 0


@settings(max_examples=25)
@given(drawn=lives())
def test_editions_of_random_documents_equal_the_query(drawn: Drawn) -> None:
    assert compare(loaded(drawn)) > 0


def of_versions(count: int) -> WritableStore:
    """Return a law of two articles: the first is amended each year, the second has no versions of its own."""
    events = [
        f'<Evento id="a{year}" data="{2001 + year}-05-01"><AlteracaoFragmento><ModificacaoTextual/>'
        "</AlteracaoFragmento></Evento>"
        for year in range(1, count + 1)
    ]
    chain = ["", *(f'eventoInicial="#a{year}"' for year in range(1, count + 1))]
    ends = [*(f'eventoFinal="#a{year}"' for year in range(1, count + 1)), ""]
    wordings = [
        f'<Caput id="art1_cpt" {begin} {end}><p>Redação {begin[14:]}.</p></Caput>'
        for begin, end in zip(chain, ends, strict=True)
    ]
    document = (
        '<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado>'
        f'<Identificacao URN="{LAW}@2001-04-01;publicacao;2001-03-06"/><CicloDeVida>'
        '<Evento id="p" data="2001-03-06"><Publicacao/></Evento>'
        f'<Evento id="v" data="2001-04-01"><EntradaEmVigor/></Evento>{"".join(events)}</CicloDeVida></Metadado>'
        f'<Norma><Articulacao><Artigo id="art1">{"".join(wordings)}</Artigo>'
        '<Artigo id="art2"><Caput id="art2_cpt"><p>Segue a norma.</p></Caput></Artigo></Articulacao></Norma></LexML>'
    ).encode()
    (read,) = read_lexml_xml(SourceDocument("lei.xml", lambda: io.BytesIO(document)))
    assert isinstance(read, Record), read
    store = in_memory()
    store.apply([read])
    return store


def test_records_beside_a_document_add_versions_and_texts() -> None:
    """Check records that name versions and texts of the norm, and nothing of the provisions."""
    store = of_versions(3)
    first, other = f"{LAW}@2001-04-01;publicacao;2001-03-06", f"{LAW}@2009-01-01;alteracao;2009-01-01"
    store.apply([record(f"{name}~texto;pt-br") for name in (first, other)])
    assert compare(store) == 4
    assert len(editions(store, LAW)) == 5


class _Counting(Store):
    """A store that counts the queries that it runs."""

    asked = 0

    def select(
        self, query: str, bindings: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> Iterator[dict[str, Cell]]:
        self.asked += 1
        return super().select(query, bindings)


@pytest.mark.parametrize("provision", ["art1_cpt", "art2_cpt", "art9"])
def test_query_count_is_independent_of_the_number_of_versions(provision: str) -> None:
    asked = []
    for count in (2, 20):
        held = of_versions(count)
        store = _Counting(held.engine, None, held.names)
        answer = in_force(store, f"{LAW}!{provision}", "2026-01-01", "2026-01-01")
        assert (answer.version is None) == (provision == "art9")
        asked.append(store.asked)
    assert asked[0] == asked[1]


def test_memoizing_store_reads_editions_once() -> None:
    written = of_versions(3)
    for store in (Snapshot(written.engine, None, written.names), CachingStore(of_versions(3))):
        first = editions(MemoizingStore(store), LAW)
        assert editions(MemoizingStore(store), LAW) is first
        assert editions(written, LAW) == first


def test_edition_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "_REMEMBERED", 25_000)
    written = of_versions(1)
    store, made = Snapshot(written.engine, None, written.names), list[int]()

    def asked(number: int) -> tuple[str, int]:
        def make() -> tuple[str, int]:
            made.append(number)
            return "x" * 10_000, number

        return store.cached(number, make)

    assert [asked(number) for number in (1, 2, 1, 3, 1, 2)] == [("x" * 10_000, number) for number in (1, 2, 1, 3, 1, 2)]
    assert made == [1, 2, 3, 2], "the one that was asked for least lately is made again"


def test_written_store_reads_editions_again() -> None:
    store = of_versions(1)
    before = len(editions(store, LAW))
    store.apply([record(f"{LAW}@2009-01-01;alteracao;2009-01-01")])
    assert len(editions(store, LAW)) == before + 1
