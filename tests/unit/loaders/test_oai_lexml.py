"""Tests of OAI-PMH responses and oai_lexml records: all namespaces and generations, and refused records."""

from __future__ import annotations

import io
from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.entities import Document, Item, ItemKind, Record, RelationKind, Text
from graph.quarantine import MAX_PAYLOAD, Refusal
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome
from loaders.sources.oai_lexml import read_oai_lexml, record_iri
from loaders.xml import MAX_TEXT

DATA = Path(__file__).parents[2] / "data" / "oai_lexml"
NS = "http://www.lexml.gov.br/oai_lexml"
NAME = "urn:lex:br:federal:lei:2001-02-03;99901"


def read(data: bytes, provider: str | None = None) -> list[Outcome]:
    return list(read_oai_lexml(SourceDocument("a.xml", lambda: io.BytesIO(data)), provider=provider))


def from_file(name: str) -> list[Outcome]:
    return read((DATA / name).read_bytes())


def records(outcomes: list[Outcome]) -> list[Record]:
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def document(outcomes: list[Outcome]) -> Document:
    (record,) = records(outcomes)
    assert record.document is not None
    return record.document


def bare(inside: str, namespace: str = NS) -> bytes:
    return f'<LexML xmlns="{namespace}"><DocumentoIndividual>{NAME}</DocumentoIndividual>{inside}</LexML>'.encode()


def page(*records: str, request: str = "https://oai.exemplo.gov.br/p") -> bytes:
    return (
        f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><request>{request}</request>'
        f"<ListRecords>{''.join(records)}</ListRecords></OAI-PMH>"
    ).encode()


def record(identifier: str, *, ementa: str = "x", datestamp: str = "2026-01-01", status: str = "") -> str:
    return (
        f'<record><header status="{status}"><identifier>{identifier}</identifier><datestamp>{datestamp}</datestamp>'
        f'</header><metadata><LexML xmlns="{NS}"><DocumentoIndividual>{NAME}</DocumentoIndividual>'
        f"<Ementa>{ementa}</Ementa></LexML></metadata></record>"
    )


def test_three_namespaces_give_the_same_records() -> None:
    parsed_records = records(from_file("three_namespaces.xml"))
    for number, parsed_record in enumerate(parsed_records, 99901):
        assert parsed_record.document == Document(
            name=parsed_record.document.name if parsed_record.document else pytest.fail("deleted"),
            items=(Item(f"https://www.exemplo.gov.br/{number}", "text/html", ItemKind.CONTENT, "7"),),
            epigraphs=(Text(f"Lei nº {number / 1000:.3f}"),),
        )
        assert parsed_record.document.name.canonical == f"urn:lex:br:federal:lei:2001-02-03;{number}"
        assert parsed_record.source.iri == parsed_record.source.identifier == f"oai:exemplo.gov.br:normas/{number}"
        assert parsed_record.source.provider == "https://oai.exemplo.gov.br/provedor"
        assert (parsed_record.source.datestamp, parsed_record.source.origin, parsed_record.source.kind) == (
            "2026-01-01",
            "a.xml",
            "oai_lexml",
        )
    assert len(parsed_records) == 3


def test_first_generation_format_is_read() -> None:
    read_document = document(from_file("first_generation.xml"))
    assert read_document.name.text == "urn:lex:br:federal:lei:2001-02-03;99904@2001-02-05!2001-02-05~texto;pt-br"
    url = "https://www.exemplo.gov.br/diario?secao=1&data=03/02/2001"
    assert read_document.items == (Item(url, "application/pdf", None, None, 140),)
    assert read_document.epigraphs == (Text("Lei nº 99.904, de 3 de fevereiro de 2001"),)
    assert read_document.nicknames == (Text("Lei Fictícia"), Text("Ley Ficticia", "es"))
    assert [relation.kind for relation in read_document.relations] == [RelationKind.PUBLICACAO_OFICIAL]


def test_second_generation_format_is_read_in_any_order() -> None:
    outcomes = from_file("second_generation.xml")
    assert [o for o in outcomes if isinstance(o, Note)] == []
    read_document = document(outcomes)
    assert read_document.summaries == (
        Text("Antes forte.\nPrimeiro parágrafo, H2O.\nSegundo x2 u s.\nDepois."),
        Text("A fictional act.", "en"),
    )
    assert read_document.items == (
        Item("https://www.exemplo.gov.br/m/99906", "text/html", ItemKind.METADATA, "7"),
        Item("https://www.exemplo.gov.br/99906.pdf", "application/pdf", ItemKind.CONTENT, "7", 12),
        Item(None, None, ItemKind.PHYSICAL_OBJECT, "7", None, "estante 3, caixa 4"),
        Item(None, None, ItemKind.UNAVAILABLE_CONTENT, "7"),
    )
    assert read_document.index_terms == (Text("NORMA FICTÍCIA"),)
    assert read_document.catalogue_notes == (Text("Nota de catálogo"),)
    assert read_document.doctrine == (("Autor", "Fulana de Tal"), ("ClasseUDC", "34"))
    assert [(r.kind, r.target.canonical) for r in read_document.relations] == [(RelationKind.ALTERA, NAME)]


def test_refusal_affects_only_its_own_record() -> None:
    outcomes = from_file("refused_records.xml")
    refusals = [o for o in outcomes if isinstance(o, Refusal)]
    last = "oai:exemplo.gov.br:r/"
    assert [(r.position, r.code, (r.identifier or "").removeprefix(last)) for r in refusals] == [
        ("record 2", RefusalCode.NO_DOCUMENT, "no-document"),
        ("record 3", RefusalCode.NO_DOCUMENT, "empty"),
        ("record 4", RefusalCode.SEVERAL_DOCUMENTS, "several"),
        ("record 5", RefusalCode.BAD_NAME, "bad-name"),
        ("record 6", RefusalCode.REFERENCE_NAME, "reference"),
        ("record 7", RefusalCode.WRONG_NAMESPACE, "namespace"),
        ("record 8", RefusalCode.NOT_OAI_LEXML, "dc"),
        ("record 9", RefusalCode.NO_METADATA, "no-metadata"),
        ("record 10", RefusalCode.NO_METADATA, "empty-metadata"),
        ("record 11", RefusalCode.NO_IDENTIFIER, ""),
        ("record 12", RefusalCode.BAD_IDENTIFIER, ""),
    ]
    assert len(records(outcomes)) == 1
    assert len([o for o in outcomes if not isinstance(o, Note)]) == 12


def test_refusal_states_the_received_and_expected_data() -> None:
    by_code = {o.code: o for o in from_file("refused_records.xml") if isinstance(o, Refusal)}
    namespace = by_code[RefusalCode.WRONG_NAMESPACE]
    assert namespace.problem == "the record is <LexML> in the namespace 'http://www.lexml.gov.br/1.0'"
    assert namespace.expected == (
        "<LexML> in one of http://www.lexml.gov.br/oai_lexml, http://www.lexml.gov.br/, "
        "http://www.openarchives.org/OAI/2.0/; LexML part 4, section 3.3"
    )
    reference = by_code[RefusalCode.REFERENCE_NAME]
    assert reference.problem == (
        "'urn:lex:br:federal:lei:lei.ficticia' is a reference: a question about a document, not the name of one"
    )
    assert reference.expected == (
        "date and number of the document in place of the alias 'lei.ficticia', LexML 1.0 part 2, annex A"
    )
    assert "Lei nº 99.913" in by_code[RefusalCode.BAD_NAME].problem
    assert by_code[RefusalCode.NO_METADATA].expected == "one <LexML> in <metadata>"
    assert by_code[RefusalCode.BAD_IDENTIFIER].problem == "the record has 2 identifiers"


def test_refused_record_alone_is_refused_with_the_same_key() -> None:
    for refusal in (o for o in from_file("refused_records.xml") if isinstance(o, Refusal)):
        (again,) = read(refusal.payload, refusal.provider)
        assert isinstance(again, Refusal)
        assert (again.key, again.position, again.provider) == (refusal.key, "record 1", refusal.provider)


def test_dropped_parts_of_a_record_are_reported() -> None:
    outcomes = from_file("noted_records.xml")
    notes = [(o.position, o.code, o.message) for o in outcomes if isinstance(o, Note)]
    assert [(position, code) for position, code, _ in notes] == [
        ("record 1", NoteCode.BAD_URL),
        ("record 1", NoteCode.ITEM_WITHOUT_URL),
        ("record 1", NoteCode.UNKNOWN_ITEM_TYPE),
        ("record 1", NoteCode.BAD_PAGE_COUNT),
        ("record 1", NoteCode.BAD_LANGUAGE),
        ("record 1", NoteCode.UNREAD_ELEMENT),
        ("record 1", NoteCode.UNREAD_ELEMENT),
        ("record 1", NoteCode.RELATION_REFUSED),
        ("record 1", NoteCode.RELATION_REFUSED),
        ("record 1", NoteCode.FORMAT_UNKNOWN),
        ("record 2", NoteCode.BAD_DATESTAMP),
        ("record 2", NoteCode.UNKNOWN_STATUS),
        ("record 2", NoteCode.ITEM_MISSING),
        ("record 3", NoteCode.BAD_DATESTAMP),
        ("record 3", NoteCode.DELETED_WITH_METADATA),
    ]
    messages = [message for _, _, message in notes]
    assert messages[0] == "Item '/relativo.html' is not an absolute http, https or ftp address: left out"
    assert messages[7] == f"Relacionamento/@tipo='inventa' is not in the schema; its target is '{NAME}'"
    assert messages[8].startswith("the target 'não é nome' of revoga: ")
    first, second, third, fourth = records(outcomes)
    assert first.document is not None
    assert first.document.items == (Item("https://www.exemplo.gov.br/99920"),)
    assert first.document.epigraphs == (Text("Lei nº 99.920", "und"),)
    assert len(first.document.relations) == 1
    assert first.source.datestamp == "2008-07-08-10:20:20:002221"
    assert (second.deleted, second.source.datestamp) == (False, "2026-02-30")
    assert (third.deleted, third.source.datestamp, fourth.deleted) == (True, None, True)


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("answers_identify.xml", "no-records", "the answer to Identify: there are no records in it"),
        ("answers_list_identifiers.xml", "no-records", "the answer to ListIdentifiers: there are no records in it"),
        ("answers_empty_page.xml", "no-records", "an OAI-PMH response: there are no records in it"),
        ("answers_error.xml", "oai-error", "the provider answered with the error 'noRecordsMatch': 'Nada encontrado'"),
    ],
)
def test_answers_without_records_are_noted_not_refused(name: str, code: str, message: str) -> None:
    assert from_file(name) == [Note(NoteCode(code), message, "a.xml", "whole file")]


def test_latin_1_get_record_with_an_invalid_iri_is_read() -> None:
    (parsed_record,) = records(from_file("get_record.xml"))
    assert parsed_record.source.iri == "oai:exemplo.gov.br:g/%5B99930%5D"
    assert parsed_record.source.identifier == "oai:exemplo.gov.br:g/[99930]"
    assert (parsed_record.source.provider, parsed_record.source.datestamp) == ("exemplo.gov.br", "2026-01-01T00:00:00Z")
    assert document([parsed_record]).epigraphs == (Text("Lei nº 99.930, ÇÃO"),)


def test_truncated_page_gives_its_records_and_keeps_the_whole_file() -> None:
    data = page(record("oai:a:1"), record("oai:a:2"), record("oai:a:3"))[:-300]
    outcomes = read(data)
    assert [r.source.identifier for r in records(outcomes)] == ["oai:a:1", "oai:a:2"]
    refusal = outcomes[-1]
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.payload, refusal.truncated) == (RefusalCode.ILL_FORMED_XML, data, False)
    assert refusal.provider == "https://oai.exemplo.gov.br/p"


def test_large_broken_file_keeps_its_beginning_and_hash() -> None:
    data = page(record("oai:a:1")).replace(b"</ListRecords>", b" " * MAX_PAYLOAD)
    refusal = read(data)[-1]
    assert isinstance(refusal, Refusal)
    assert (len(refusal.payload), refusal.truncated) == (MAX_PAYLOAD, True)
    assert len(refusal.whole_sha256 or "") == 64


def test_hash_is_equal_only_for_equal_content() -> None:
    def hashed(data: bytes) -> str:
        return records(read(data))[0].source.payload_hash

    same = hashed(page(record("oai:a:1")))
    assert hashed(page(record("oai:a:0"), record("oai:a:1"))) == same  # the identifier is not the content
    assert hashed(page(record("oai:a:1")).replace(b"<Ementa>", b"<Ementa ><!-- c -->")) == same
    others = {
        hashed(page(record("oai:a:1", ementa="y"))),
        hashed(page(record("oai:a:1", datestamp="2026-01-02"))),
        hashed(page(record("oai:a:1", status="deleted"))),
    }
    assert len(others | {same}) == 4


def test_bare_record_is_identified_by_its_content() -> None:
    (first,), (second,), (third,) = (
        records(read(bare(text))) for text in ("<Ementa>a</Ementa>", "<Ementa>b</Ementa>", "")
    )
    assert len({first.source.iri, second.source.iri, third.source.iri}) == 3
    assert first.source.iri == f"https://w3id.org/vigente/id/conteudo/{first.source.payload_hash}"
    assert (first.source.identifier, first.source.provider, first.source.datestamp) == (None, None, None)


def test_unprefixed_children_of_a_prefixed_record_are_read() -> None:
    data = f'<l:LexML xmlns:l="{NS}"><DocumentoIndividual>{NAME}</DocumentoIndividual></l:LexML>'
    assert document(read(data.encode())).name.canonical == NAME


def test_relative_namespace_is_refused() -> None:
    (refusal,) = read(bare('<x xmlns="relative"/>'))
    assert isinstance(refusal, Refusal)
    assert refusal.code == RefusalCode.WRONG_NAMESPACE


def test_lexml_outside_a_record_has_no_identifier() -> None:
    (refusal,) = read(page(bare("").decode()))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.position) == (RefusalCode.NO_IDENTIFIER, "record 1")


@pytest.mark.parametrize(
    ("request_text", "provider"),
    [
        (" http://a.example/oai?verb=x#y ", "http://a.example/oai"),
        ("", "dominio.example"),
        ("/relative", "dominio.example"),
        ("http://[bad", "dominio.example"),
    ],
)
def test_provider_is_the_base_url_or_the_domain(request_text: str, provider: str) -> None:
    (parsed_record,) = records(read(page(record("oai:dominio.example:s/1"), request=request_text)))
    assert parsed_record.source.provider == provider


@pytest.mark.parametrize("identifier", ["http://a.example/1", "1", "oai:", "oai://x:port", "urn:lex:br", "oai:#"])
def test_identifiers_cannot_collide_with_other_graph_iris(identifier: str) -> None:
    iri = record_iri(identifier, "p")
    assert iri.startswith("https://w3id.org/vigente/id/registro/")
    assert iri != record_iri(identifier, "q")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_every_identifier_gives_a_valid_iri(identifier: str) -> None:
    iri = record_iri(f"oai:{identifier}", None)
    quad = f"<{iri}> <{iri}> <{iri}> <{iri}> .".encode()
    (read_back,) = pyoxigraph.parse(quad, pyoxigraph.RdfFormat.N_QUADS)
    assert read_back.graph_name == pyoxigraph.NamedNode(iri)


@pytest.mark.parametrize("length", [4096, 4097])
def test_identifier_length_is_limited(length: int) -> None:
    (outcome,) = (o for o in read(page(record("oai:a:".ljust(length, "x")))) if not isinstance(o, Note))
    assert isinstance(outcome, Record if length == 4096 else Refusal)


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://a.example/x y", True),
        ("FTP://a.example", True),
        ("http://a.example:80", True),
        ("http://a.example:port/", False),
        ("http:///x", False),
        ("javascript:alert(1)", False),
        ("//a.example", False),
        ("http://[::1", False),
    ],
)
def test_valid_addresses_are_kept_as_written(url: str, *, kept: bool) -> None:
    items = document(read(bare(f"<Item tipo='conteudo'>\n {url} </Item>"))).items
    assert [item.url for item in items] == ([url] if kept else [])


@pytest.mark.parametrize(
    ("attribute", "language"),
    [("", "pt-br"), ("xml:lang='pt_BR'", "pt-br"), ("xml:lang='EN'", "en"), ("xml:lang=''", "und")],
)
def test_languages_are_read(attribute: str, language: str) -> None:
    assert document(read(bare(f"<Ementa {attribute}>x</Ementa>"))).summaries == (Text("x", language),)


def test_misplaced_records_are_reported() -> None:
    inside = page(record("oai:a:1")).replace(b"<request>", b"<request><record/>")
    (refusal,) = read(inside)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.problem) == (RefusalCode.NOT_OAI_LEXML, "there are records inside of <request>")
    assert len(records(read(page(record("oai:a:1")).replace(b"ListRecords", b"Outro")))) == 1


@pytest.mark.parametrize(("unknown", "notes"), [(100, 100), (101, 101), (5000, 101)])
def test_notes_per_record_are_limited_and_the_cut_is_reported(unknown: int, notes: int) -> None:
    outcomes = read(bare("<x/>" * unknown))
    read_notes = [o for o in outcomes if isinstance(o, Note) and o.code is not NoteCode.ITEM_MISSING]
    assert len(read_notes) == notes
    if unknown > 100:
        assert (read_notes[-1].code, read_notes[-1].message) == (
            NoteCode.MORE_NOTES,
            f"{unknown - 100} more notes on this record are not shown",
        )


@pytest.mark.parametrize("over", [0, 1])
def test_oversized_text_is_refused_and_other_records_load(over: int) -> None:
    """Check the limit: the engine stores texts together, so one of unbounded length would slow down others."""
    long = "x" * (MAX_TEXT + over)
    outcomes = read(page(record("oai:a:1", ementa=long), record("oai:a:2")))
    codes = [outcome.code for outcome in outcomes if isinstance(outcome, Refusal)]
    assert codes == ["text-too-long"] * over
    assert [parsed_record.source.identifier for parsed_record in records(outcomes)] == ["oai:a:1", "oai:a:2"][over:]
