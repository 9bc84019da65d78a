"""Tests of hostile values: source text stays inside its literal, and values that cannot be written are refused."""

from __future__ import annotations

import io
from collections.abc import Callable

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Item, ItemKind, Record, Source, Text
from graph.mapping import mapped
from graph.store import Store, WritableStore, in_memory
from graph.terms import iri, read, string, text, to_engine
from ontology.namespaces import CRM, PREFIXES, SCHEMA, VIG

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
INJECTION = '" . <urn:x:s> <urn:x:p> <urn:x:o> . } } ; DROP ALL ; INSERT DATA { GRAPH <urn:x:g> { <urn:x:s> <urn:x:p> "'
HOSTILE = [
    'a "quoted" word',
    "back\\slash \\",
    "\\u0022 . <urn:x:s> <urn:x:p> <urn:x:o> . #",
    "\\U00000022",
    "lines\nand\rreturns\ttabs",
    "\x00NUL\x01\x1f\x7f\x80\x9f",
    "\ufffe\uffff non-characters",
    "emoji \U0001f600 and \U0010ffff",
    "bidi \u202e and \u2028 separators \u2029\x85\x0b\x0c",
    "'''\"\"\"",
    "?variable $1 {} <> @en ^^<urn:x:t>",
    "# comment",
    INJECTION,
    "",
    " " * 3,
]
each_hostile = pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))


def _literal_values(store: Store, term: str) -> list[object]:
    return [read(quad.object) for quad in store.engine.quads_for_pattern(None, ox.NamedNode(term), None, None)]


def _assert_intact(store: Store, record: Record) -> None:
    """Check that the store has the quads of the mapping, no foreign name, and a dump that is read back as the same."""
    graph = ox.NamedNode(record.source.iri)
    lines, _ = mapped(record, record.about)
    assert sum(1 for _ in store.engine.quads_for_pattern(None, None, None, graph)) == len(lines)
    assert not [str(quad) for quad in store.engine if "urn:x:" in (str(quad.subject) + str(quad.predicate))]
    dumped = ox.serialize(iter(store.engine), format=ox.RdfFormat.N_QUADS)
    assert set(ox.parse(dumped, format=ox.RdfFormat.N_QUADS)) == set(store.engine)


@each_hostile
def test_hostile_text_round_trips(value: str, record: Make, store_of: StoreOf) -> None:
    item = Item("https://x.example/a", "text/html", ItemKind.CONTENT, value, 1, value)
    made = record(
        LAW,
        epigraphs=[Text(value)],
        summaries=[Text(value, "en")],
        doctrine=[("Autor", value), ("Classe", value)],
        items=[item],
    )
    store = store_of(made)
    assert _literal_values(store, VIG["epigrafe"]) == [Text(value, "pt-br")]
    assert _literal_values(store, VIG["ementa"]) == [Text(value, "en")]
    assert _literal_values(store, CRM["P3_has_note"]) == _literal_values(store, VIG["idPublicador"]) == [value]
    _assert_intact(store, made)


@pytest.mark.parametrize(
    "url",
    ["https://x.example/a b", "https://x.example/[1]|{2}^`", f"https://x.example/> . {INJECTION}", "mailto:\u00e9"],
)
def test_a_hostile_address_is_a_literal(url: str, record: Make, store_of: StoreOf) -> None:
    made = record(LAW, items=[Item(url)])
    store = store_of(made)
    assert _literal_values(store, SCHEMA["contentUrl"]) == [url]
    _assert_intact(store, made)


def test_hostile_source_fields_are_literals(record: Make) -> None:
    made = record(LAW)
    source = Source(
        "oai:x.example:1", "oai_lexml", "0" * 64, INJECTION, "https://x.example/>", INJECTION, INJECTION, INJECTION
    )
    store = in_memory()
    hostile = Record(source, made.document)
    store.apply([hostile])
    assert _literal_values(store, VIG["datestamp"]) == _literal_values(store, VIG["origem"]) == [INJECTION]
    _assert_intact(store, hostile)
    assert store.apply([hostile]).unchanged == 1


def test_lone_surrogate_is_replaced(record: Make, store_of: StoreOf) -> None:
    made = record(LAW, epigraphs=[Text("a\ud800b\udfff")], items=[Item(None, note="\udc00")])
    store = store_of(made)
    assert _literal_values(store, VIG["epigrafe"]) == [Text("a\ufffdb\ufffd", "pt-br")]
    assert _literal_values(store, CRM["P3_has_note"]) == ["\ufffd"]
    _assert_intact(store, made)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("pt-BR", "pt-br"),
        ("pt-BR-x-foo", "pt-br-x-foo"),
        ("x-klingon", "x-klingon"),
        ("de-1996", "de-1996"),
        ("und", "und"),
        ("x", "und"),
        ("i", "und"),
        ("pt-x", "und"),
        ("en-a", "und"),
        ("abcde-fgh-ij", "und"),
        ("", "und"),
        ("pt br", "und"),
        ("pt_BR", "und"),
        ("en . <urn:x:s>", "und"),
    ],
)
def test_invalid_language_tag_is_undetermined(written: str, kept: str, record: Make, store_of: StoreOf) -> None:
    made = record(LAW, epigraphs=[Text("Lei", written)])
    store = store_of(made)
    assert _literal_values(store, VIG["epigrafe"]) == [Text("Lei", kept)]
    assert str(to_engine(Text("Lei", written))) == text(Text("Lei", written)) == f'"Lei"@{kept}'
    _assert_intact(store, made)


@pytest.mark.parametrize("graph", ["not an iri", "urn:x:a> . <urn:x:b", "oai:x.example:[1]", "", "urn:x:\ud800"])
def test_invalid_graph_iri_rejects_the_whole_batch(graph: str, record: Make) -> None:
    good = record(LAW)
    bad = Record(Source(graph, "oai_lexml", "0" * 64, "oai_lexml/1"), good.document)
    store = in_memory()
    with pytest.raises(ValueError, match=r"^not an absolute IRI: "):
        store.apply([good, bad])
    assert store.is_empty


@pytest.mark.parametrize("value", ["relative", "a b:c", "urn:x:<", 'urn:x:"', "urn:x:\\", "urn:x:\n", "urn:x:{}"])
def test_invalid_iri_is_rejected(value: str) -> None:
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
    expected = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
    assert read(triple.object) == expected


@pytest.mark.parametrize("rdf_format", [ox.RdfFormat.N_TRIPLES, ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG])
def test_dump_round_trips(rdf_format: ox.RdfFormat, code_store: WritableStore) -> None:
    output = io.BytesIO()
    code_store.dump(output, rdf_format, PREFIXES)
    dumped = set(ox.parse(output.getvalue(), format=rdf_format))
    if rdf_format.supports_datasets:
        assert dumped == set(code_store.engine)
    else:
        assert {quad.triple for quad in dumped} == {quad.triple for quad in code_store.engine}
