"""Tests of OAI-PMH responses and oai_lexml records: all namespaces and generations, and refused records."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.entities import Document, Item, ItemKind, Record
from graph.quarantine import MAX_PAYLOAD, Refusal
from graph.terms import Text
from loaders.codes import NoteCode, RefusalCode
from loaders.outcomes import Note, Outcome
from loaders.sources.oai_lexml import read_oai_lexml, record_iri
from loaders.xml import MAX_TEXT
from tests.support.cases import DATA, Row, cases, only, read_back, records, refusals, source, values
from tests.support.oai_pages import LEXML, NAME, oai_page, oai_record


def read(data: bytes, provider: str | None = None) -> list[Outcome]:
    return list(read_oai_lexml(source(data, "a.xml"), provider=provider))


def from_file(name: str) -> list[Outcome]:
    return read((DATA / "oai_lexml" / name).read_bytes())


def document(outcomes: list[Outcome]) -> Document:
    record = only(outcomes)
    assert record.document is not None
    return record.document


def bare(inside: str) -> bytes:
    return f'<LexML xmlns="{LEXML}"><DocumentoIndividual>{NAME}</DocumentoIndividual>{inside}</LexML>'.encode()


@cases("oai_lexml", "file")
def test_sample_is_read(row: Row) -> None:
    outcomes = from_file(row["file"])
    assert read_back(outcomes, row["reads"]) == row["reads"]
    if "positions" in row:
        notes = [(note.position, note.code) for note in outcomes if isinstance(note, Note)]
        assert [f"{position}: {code}" for position, code in notes] == row["positions"]
    if "refused" in row:
        found = [
            f"{each.position}: {each.code} {(each.identifier or '-').rpartition('/')[2]}" for each in refusals(outcomes)
        ]
        assert found == row["refused"]


def test_three_namespaces_give_the_same_records() -> None:
    found = records(from_file("three_namespaces.xml"))
    for number, record in enumerate(found, 99901):
        assert record.document is not None
        name, url = record.document.name, f"https://www.exemplo.gov.br/{number}"
        items = (Item(url, "text/html", ItemKind.CONTENT, "7"),)
        assert record.document == Document(name=name, items=items, epigraphs=(Text(f"Lei nº {number / 1000:.3f}"),))
        assert name.canonical == f"urn:lex:br:federal:lei:2001-02-03;{number}"
        assert record.source.iri == record.source.identifier == f"oai:exemplo.gov.br:normas/{number}"
        of = (record.source.provider, record.source.datestamp, record.source.origin, record.source.kind)
        assert of == ("https://oai.exemplo.gov.br/provedor", "2026-01-01", "a.xml", "oai_lexml")
    assert len(found) == 3


def test_second_generation_keeps_copies_and_doctrine() -> None:
    read_document = document(from_file("second_generation.xml"))
    assert read_document.items == (
        Item("https://www.exemplo.gov.br/m/99906", "text/html", ItemKind.METADATA, "7"),
        Item("https://www.exemplo.gov.br/99906.pdf", "application/pdf", ItemKind.CONTENT, "7", 12),
        Item(None, None, ItemKind.PHYSICAL_OBJECT, "7", None, "estante 3, caixa 4"),
        Item(None, None, ItemKind.UNAVAILABLE_CONTENT, "7"),
    )
    assert read_document.doctrine == (("Autor", "Fulana de Tal"), ("ClasseUDC", "34"))


def test_refusal_affects_only_its_own_record_and_states_what_was_expected() -> None:
    outcomes = from_file("refused_records.xml")
    assert (len(records(outcomes)), len([o for o in outcomes if not isinstance(o, Note)])) == (1, 12)
    expected = {refusal.code: refusal.expected for refusal in refusals(outcomes)}
    assert expected[RefusalCode.WRONG_NAMESPACE] == (
        "<LexML> in one of http://www.lexml.gov.br/oai_lexml, http://www.lexml.gov.br/, "
        "http://www.openarchives.org/OAI/2.0/; LexML part 4, section 3.3"
    )
    assert expected[RefusalCode.REFERENCE_NAME] == (
        "date and number of the document in place of the alias 'lei.ficticia', LexML 1.0 part 2, annex A"
    )
    assert expected[RefusalCode.NO_METADATA] == "one <LexML> in <metadata>"
    for refusal in refusals(outcomes):
        (again,) = read(refusal.payload, refusal.provider)
        assert isinstance(again, Refusal)
        assert (again.key, again.position, again.provider) == (refusal.key, "record 1", refusal.provider)


def test_doubtful_values_are_kept_as_written() -> None:
    first, second, third, fourth = records(from_file("noted_records.xml"))
    assert first.document is not None
    assert first.document.items == (Item("https://www.exemplo.gov.br/99920"),)
    assert first.document.epigraphs == (Text("Lei nº 99.920", "und"),)
    assert len(first.document.relations) == 1
    assert first.source.datestamp == "2008-07-08-10:20:20:002221"
    assert (second.deleted, second.source.datestamp) == (False, "2026-02-30")
    assert (third.deleted, third.source.datestamp, fourth.deleted) == (True, None, True)


def test_latin_1_get_record_with_an_invalid_iri_is_read() -> None:
    record = only(from_file("get_record.xml"))
    assert record.source.iri == "oai:exemplo.gov.br:g/%5B99930%5D"
    assert record.source.identifier == "oai:exemplo.gov.br:g/[99930]"
    assert (record.source.provider, record.source.datestamp) == ("exemplo.gov.br", "2026-01-01T00:00:00Z")
    assert document([record]).epigraphs == (Text("Lei nº 99.930, ÇÃO"),)


def test_broken_page_gives_its_records_and_keeps_the_file() -> None:
    data = oai_page(*(oai_record(f"oai:a:{n}", inside="<Ementa>x</Ementa>") for n in "123"))[:-300]
    outcomes = read(data)
    assert [record.source.identifier for record in records(outcomes)] == ["oai:a:1", "oai:a:2"]
    (refusal,) = refusals(outcomes)
    assert (refusal.code, refusal.payload, refusal.truncated) == (RefusalCode.ILL_FORMED_XML, data, False)
    assert refusal.provider == "https://oai.exemplo.gov.br/p"
    (large,) = refusals(read(oai_page(oai_record("oai:a:1")).replace(b"</ListRecords>", b" " * MAX_PAYLOAD)))
    assert (len(large.payload), large.truncated, len(large.whole_sha256 or "")) == (MAX_PAYLOAD, True, 64)


def test_hash_is_equal_only_for_equal_content() -> None:
    def hashed(*pages: bytes) -> list[str]:
        return [records(read(page))[0].source.payload_hash for page in pages]

    x = oai_record("oai:a:1", inside="<Ementa>x</Ementa>")
    zero = oai_record("oai:a:0", inside="<Ementa>x</Ementa>")
    commented = x.replace("<Ementa>", "<Ementa ><!-- c -->")
    same = hashed(oai_page(x), oai_page(zero, x), oai_page(commented))  # the identifier is not the content
    assert len(set(same)) == 1
    others = (
        oai_record("oai:a:1", inside="<Ementa>y</Ementa>"),
        oai_record("oai:a:1", inside="<Ementa>x</Ementa>", day="2026-01-02"),
        oai_record("oai:a:1", inside="<Ementa>x</Ementa>", status="deleted"),
    )
    assert len({*hashed(*map(oai_page, others)), same[0]}) == 4


def test_bare_record_is_identified_by_its_content() -> None:
    found = [records(read(bare(text)))[0].source for text in ("<Ementa>a</Ementa>", "<Ementa>b</Ementa>", "")]
    assert len({each.iri for each in found}) == 3
    assert found[0].iri == f"https://w3id.org/vigente/id/conteudo/{found[0].payload_hash}"
    assert (found[0].identifier, found[0].provider, found[0].datestamp) == (None, None, None)
    prefixed = f'<l:LexML xmlns:l="{LEXML}"><DocumentoIndividual>{NAME}</DocumentoIndividual></l:LexML>'
    assert document(read(prefixed.encode())).name.canonical == NAME
    assert document(read(bare("<Ementa> </Ementa>"))).summaries == ()


@pytest.mark.parametrize(
    ("data", "code", "problem"),
    [
        (bare('<x xmlns="relative"/>'), RefusalCode.WRONG_NAMESPACE, ""),
        (oai_page(bare("").decode()), RefusalCode.NO_IDENTIFIER, ""),
        (
            oai_page(oai_record("oai:a:1")).replace(b"<request>", b"<request><record/>"),
            RefusalCode.NOT_OAI_LEXML,
            "there are records inside of <request>",
        ),
    ],
)
def test_misplaced_element_is_refused(data: bytes, code: RefusalCode, problem: str) -> None:
    (refusal,) = read(data)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.problem if problem else "") == (code, problem)


def test_records_in_another_list_are_read() -> None:
    assert len(records(read(oai_page(oai_record("oai:a:1")).replace(b"ListRecords", b"Outro")))) == 1


@pytest.mark.parametrize(("request_text", "provider"), values("oai_lexml", "provider_is_the_base_url_or_the_domain"))
def test_provider_is_the_base_url_or_the_domain(request_text: str, provider: str) -> None:
    record = only(read(oai_page(oai_record("oai:dominio.example:s/1"), request=request_text)))
    assert record.source.provider == provider


def test_identifiers_cannot_collide_with_other_graph_iris() -> None:
    for identifier in ("http://a.example/1", "1", "oai:", "oai://x:port", "urn:lex:br", "oai:#"):
        iri = record_iri(identifier, "p")
        assert iri.startswith("https://w3id.org/vigente/id/registro/")
        assert iri != record_iri(identifier, "q")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_every_identifier_gives_a_valid_iri(identifier: str) -> None:
    iri = record_iri(f"oai:{identifier}", None)
    quad = f"<{iri}> <{iri}> <{iri}> <{iri}> .".encode()
    (read_quad,) = pyoxigraph.parse(quad, pyoxigraph.RdfFormat.N_QUADS)
    assert read_quad.graph_name == pyoxigraph.NamedNode(iri)


@pytest.mark.parametrize("over", [0, 1])
def test_lengths_are_limited_and_other_records_load(over: int) -> None:
    """Check the limit of texts too: the engine stores them together, so one without a limit would slow down others."""
    identifier = "oai:a:".ljust(4096 + over, "x")
    long = oai_record("oai:a:1", inside=f"<Ementa>{'x' * (MAX_TEXT + over)}</Ementa>")
    outcomes = read(oai_page(oai_record(identifier), long, oai_record("oai:a:2")))
    assert [refusal.code for refusal in refusals(outcomes)] == ["bad-identifier", "text-too-long"] * over
    kept = [record.source.identifier for record in records(outcomes)]
    assert kept == ["oai:a:2"] if over else [identifier, "oai:a:1", "oai:a:2"]


@pytest.mark.parametrize(("url", "kept"), values("oai_lexml", "valid_addresses_are_kept_as_written"))
def test_valid_addresses_are_kept_as_written(url: str, *, kept: bool) -> None:
    items = document(read(bare(f"<Item tipo='conteudo'>\n {url} </Item>"))).items
    assert [item.url for item in items] == ([url] if kept else [])


@pytest.mark.parametrize(
    ("attribute", "language"),
    [("", "pt-br"), ("xml:lang='pt_BR'", "pt-br"), ("xml:lang='EN'", "en"), ("xml:lang=''", "und")],
)
def test_languages_are_read(attribute: str, language: str) -> None:
    assert document(read(bare(f"<Ementa {attribute}>x</Ementa>"))).summaries == (Text("x", language),)


@pytest.mark.parametrize(("unknown", "notes"), [(100, 100), (101, 101), (5000, 101)])
def test_notes_per_record_are_limited_and_the_cut_is_reported(unknown: int, notes: int) -> None:
    outcomes = read(bare("<x/>" * unknown))
    found = [o for o in outcomes if isinstance(o, Note) and o.code is not NoteCode.ITEM_MISSING]
    assert len(found) == notes
    cut = f"{unknown - 100} more notes on this record are not shown"
    assert [note.message for note in found if note.code is NoteCode.MORE_NOTES] == [cut] * (unknown > 100)


def test_unread_parts_of_a_record_are_counted() -> None:
    data = oai_record("oai:a:1").replace("</record>", "<about><x/></about><about/></record>").encode()
    lines = ["note item-missing 1", "note not-used 2", "only note"]
    outcomes = read(data)
    assert read_back(outcomes, lines) == lines
    assert any("about" in outcome.message for outcome in outcomes if isinstance(outcome, Note) and outcome.count == 2)
    assert all(isinstance(outcome, Record | Note) for outcome in outcomes)
