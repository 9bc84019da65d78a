"""Tests of hostile values: source text stays inside its literal, and values that cannot be written are refused."""

from __future__ import annotations

import io

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Item, ItemKind, Record, Source
from graph.mapping import mapped
from graph.store import Store, WritableStore, in_memory
from graph.terms import Text, iri, read, string, text, to_engine
from ontology.namespaces import CRM, PREFIXES, SCHEMA, VIG
from tests.support.cases import values
from tests.support.records import record

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
INJECTION = '" . <urn:x:s> <urn:x:p> <urn:x:o> . } } ; DROP ALL ; INSERT DATA { GRAPH <urn:x:g> { <urn:x:s> <urn:x:p> "'
HOSTILE = values("store_hostile", "hostile")


def literals(store: Store, term: str) -> list[object]:
    return [read(quad.object) for quad in store.engine.quads_for_pattern(None, ox.NamedNode(term), None, None)]


def stored(record: Record) -> Store:
    """Return a store of a record; check that it has the quads of the mapping, no foreign name, and a sound dump."""
    store = in_memory()
    store.apply([record])
    lines, _ = mapped(record, record.about)
    assert len(list(store.engine.quads_for_pattern(None, None, None, ox.NamedNode(record.source.iri)))) == len(lines)
    assert not [str(quad) for quad in store.engine if "urn:x:" in (str(quad.subject) + str(quad.predicate))]
    dumped = ox.serialize(iter(store.engine), format=ox.RdfFormat.N_QUADS)
    assert set(ox.parse(dumped, format=ox.RdfFormat.N_QUADS)) == set(store.engine)
    assert store.apply([record]).unchanged == 1
    return store


def test_hostile_text_round_trips() -> None:
    for value in HOSTILE:
        item = Item("https://x.example/a", "text/html", ItemKind.CONTENT, value, 1, value)
        doctrine = [("Autor", value), ("Classe", value)]
        epigraphs, summaries = [Text(value)], [Text(value, "en")]
        store = stored(record(LAW, doctrine=doctrine, items=[item], epigraphs=epigraphs, summaries=summaries))
        assert literals(store, VIG["epigrafe"]) == [Text(value, "pt-br")]
        assert literals(store, VIG["ementa"]) == [Text(value, "en")]
        assert literals(store, CRM["P3_has_note"]) == literals(store, VIG["idPublicador"]) == [value]
    for url in ("https://x.example/a b", "https://x.example/[1]|{2}^`", f"https://x/> . {INJECTION}", "mailto:\u00e9"):
        assert literals(stored(record(LAW, items=[Item(url)])), SCHEMA["contentUrl"]) == [url]


def test_hostile_source_fields_are_literals() -> None:
    fields = (INJECTION, "https://x.example/>", INJECTION, INJECTION, INJECTION)
    store = stored(Record(Source("oai:x.example:1", "oai_lexml", "0" * 64, *fields), record(LAW).document))
    assert literals(store, VIG["datestamp"]) == literals(store, VIG["origem"]) == [INJECTION]


def test_lone_surrogate_is_replaced() -> None:
    store = stored(record(LAW, epigraphs=[Text("a\ud800b\udfff")], items=[Item(None, note="\udc00")]))
    assert literals(store, VIG["epigrafe"]) == [Text("a\ufffdb\ufffd", "pt-br")]
    assert literals(store, CRM["P3_has_note"]) == ["\ufffd"]


def test_invalid_language_tag_is_undetermined() -> None:
    kept = {
        "pt-BR": "pt-br",
        "pt-BR-x-foo": "pt-br-x-foo",
        "x-klingon": "x-klingon",
        "de-1996": "de-1996",
        "und": "und",
    }
    invalid = ("x", "i", "pt-x", "en-a", "abcde-fgh-ij", "", "pt br", "pt_BR", "en . <urn:x:s>")
    for written, tag in (kept | dict.fromkeys(invalid, "und")).items():
        store = stored(record(LAW, epigraphs=[Text("Lei", written)]))
        assert literals(store, VIG["epigrafe"]) == [Text("Lei", tag)]
        assert str(to_engine(Text("Lei", written))) == text(Text("Lei", written)) == f'"Lei"@{tag}'


def test_invalid_iris_are_rejected_with_the_whole_batch() -> None:
    good = record(LAW)
    for graph in ("not an iri", "urn:x:a> . <urn:x:b", "oai:x.example:[1]", "", "urn:x:\ud800"):
        bad = Record(Source(graph, "oai_lexml", "0" * 64, "oai_lexml/1"), good.document)
        store = in_memory()
        with pytest.raises(ValueError, match=r"^not an absolute IRI: "):
            store.apply([good, bad])
        assert store.is_empty
    for value in ("relative", "a b:c", "urn:x:<", 'urn:x:"', "urn:x:\\", "urn:x:\n", "urn:x:{}"):
        with pytest.raises(ValueError, match=r"^not an absolute IRI: "):
            iri(value)


@settings(max_examples=200)
@given(value=st.text(st.characters(exclude_categories=())))
def test_any_text_is_one_literal(value: str) -> None:
    line = f"<urn:x:s> <urn:x:p> {string(value)} ."
    (triple,) = ox.parse(line.encode(), format=ox.RdfFormat.N_TRIPLES)
    store = ox.Store()
    store.update(f"INSERT DATA {{ {line} }}")
    assert [quad.triple for quad in store] == [triple.triple]
    assert read(triple.object) == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)


@pytest.mark.parametrize("rdf_format", [ox.RdfFormat.N_TRIPLES, ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG])
def test_dump_round_trips(rdf_format: ox.RdfFormat, code_store: WritableStore) -> None:
    output = io.BytesIO()
    code_store.dump(output, rdf_format, PREFIXES)
    dumped = set(ox.parse(output.getvalue(), format=rdf_format))
    if rdf_format.supports_datasets:
        assert dumped == set(code_store.engine)
    else:
        assert {quad.triple for quad in dumped} == {quad.triple for quad in code_store.engine}
