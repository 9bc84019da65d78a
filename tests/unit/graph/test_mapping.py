"""Tests of the mapping of records, relations and events to triples of FRBRoo, and of values to terms of the engine."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.civil import When, parse_when
from graph.entities import Item, ItemKind, Record, RelationKind, Source
from graph.errors import BadDate, BadName
from graph.mapping import RELATION_PROPERTIES, mapped
from graph.store import in_memory
from graph.terms import Cell, Text, boolean, day, iri, number, read, read_when, string, text, to_engine, when
from graph.urn import parse
from ontology.namespaces import CRM, ELI, FRBROO, NAMESPACES, PROV, RDF, SCHEMA, VIG
from tests.support.cases import constant, tuples, values
from tests.support.record_triples import Triples, short
from tests.support.records import deletion, event, record

# The mapping of a record to triples of FRBRoo, as LexML part 1 defines; nothing unstated is added


SHARED = Path(__file__).resolve().parents[4] / "shared"
DATA = Path(__file__).parents[2] / "data" / "mapping"
GOLDEN = DATA / "consumer-code-publication.nt"
RECORDS = tomllib.loads((DATA / "records.toml").read_text("utf-8"))["records"]
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
PUBLISHED = f"{CODE}@1991-03-11;publicacao;1990-09-12"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1"
ISSUE = f"{GAZETTE}:2007-01-10;133"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
VOCAB = "https://w3id.org/vigente/vocab/"
ID = "https://w3id.org/vigente/id/"


def every_shape() -> list[Record]:
    """Return records that cover every branch of the mapping."""
    items = (
        Item("https://x.example/1", "text/html", ItemKind.CONTENT, "7", 3, "nota"),
        Item(None, kind=ItemKind.PHYSICAL_OBJECT, note="exemplar"),
    )
    texts = (Text("texto"),)
    full_record = record(
        PUBLISHED,
        *((kind.value, LAW) for kind in RelationKind),
        ("publicacao.oficial", f"{ISSUE}!pag1"),
        ("revoga.dispositivo", f"{LAW}!art2"),
        items=items,
        epigraphs=texts,
        nicknames=texts,
        summaries=texts,
        index_terms=texts,
        catalogue_notes=texts,
        doctrine=[(category, "valor") for category in (*DOCTRINE, "Classe")],
    )
    names = [
        f"{CODE}@1991-03-11;assinatura;1990-09-11~texto;pt-br,en!art5",
        f"{CODE}@1991-03-11;assinatura;1990-09-11",
        f"{CODE}@multivigente",
        f"{CODE}@1991-03-11;retificacao;2007-01-10",
        f"{CODE}@1993-05-22;alteracao;1993-05-22",
        f"{CODE};anexo.1",
        f"{ISSUE}@2007-01-10;publicacao;2007-01-10",
        "urn:lex:br:rede.virtual.bibliotecas:livro:2006;000763345",
        "urn:lex:it:stato:legge:2004-01-09;4@2005-01-01",
        "urn:lex:br:federal:lei:1993;8656",
    ]
    suspended = record(LAW, key="e", events=[event("suspensao", LAW, "2004-02-01", "2004", CODE)])
    gone = Record(Source("oai:x:1", "oai_lexml", "0", "oai_lexml/1", "https://x.example"), None)
    return [full_record, suspended, gone, *map(record, names)]


DOCTRINE = constant("mapping", "doctrine")


# All triples of one record


def test_consumer_code_publication_maps_to_the_golden_triples(code_records: tuple[Record, ...]) -> None:
    document = code_records[1].document
    assert document is not None
    source = Source(
        "oai:provedor.example:lei-8078;e2",
        "oai_lexml",
        "0" * 64,
        "oai_lexml/1",
        "https://provedor.example/oai",
        "oai:provedor.example:lei-8078;e2",
        "2008-12-15",
        "registros.xml",
    )
    record = Record(source, document)
    statements, touched = mapped(record, record.about)
    assert touched == {CODE}
    assert sorted(Triples(record).lines) == GOLDEN.read_text("utf-8").splitlines()
    assert mapped(Record(source, document), record.about)[0] == statements, (
        "the same record always gives the same triples"
    )


def test_written_terms_belong_to_closed_namespaces() -> None:
    written = {
        term
        for shape in every_shape()
        for s, p, o in Triples(shape).all
        for term in (p, *((o,) if p == RDF["type"] else ()))
    }
    for name in written:
        spaces = [space for space in NAMESPACES.values() if name.startswith(str(space))]
        assert any(name.removeprefix(str(space)) in space for space in spaces), name


#: Domains and ranges (FRBRoo 2.4): a property, the classes allowed for its subject, and those allowed for its object.
CLASSES = constant("mapping", "classes")


def test_subjects_and_objects_have_the_classes_required_by_frbroo() -> None:
    allowed = {
        property_: (set(domain), tuple(ends.split()))
        for line in CLASSES.strip().splitlines()
        for begins, _, ends in [line.partition(" > ")]
        for property_, *domain in [begins.split()]
    }
    met = set()
    for shape in every_shape():
        triples = Triples(shape)
        for s, p, o in triples.all:
            property_ = short(p).partition(":")[2] if p.startswith((str(FRBROO), str(CRM))) else ""
            if property_ in allowed:
                domain, range_ = allowed[property_]
                subjects, objects = ({one.partition(":")[2] for one in classes_of(triples, node)} for node in (s, o))
                assert subjects & domain, (s, p)
                assert any(one.startswith(range_) for one in objects), (p, o, objects)
                met.add(property_)
    assert met == set(allowed)


def classes_of(triples: Triples, iri: str) -> set[str]:
    return {short(class_) for node, property_, class_ in triples.all if (node, property_) == (iri, RDF["type"])}


# Versions, texts, events


@pytest.mark.parametrize(("event", "class_", "link"), values("mapping", "event_that_made_a_view_has_a_time_span"))
def test_event_that_made_a_view_has_a_time_span(event: str, class_: str, link: str) -> None:
    name = f"{LAW}@2001-03-06;{event};2001-04-07"
    triples = Triples(record(name))
    (node,) = triples.all_of(CRM["E5_Event"])
    assert triples.classes(node) == {"crm:E5_Event", class_}
    assert triples.of(node, FRBROO[link]) == [name]
    assert triples.of(node, CRM["P2_has_type"]) == [f"{VOCAB}evento/{event}"]
    assert triples.of(node, VIG["alvo"]) == [LAW]
    assert triples.of(node, VIG["dataEfeito"]) == ["2001-03-06"]
    assert triples.of(node, VIG["dataConhecimento"]) == ["2001-04-07"]
    (span,) = triples.of(node, CRM["P4_has_time-span"])
    assert span == f"{ID}dia/2001-04-07"
    assert triples.of(span, CRM["P82a_begin_of_the_begin"]) == ["2001-04-07T00:00:00"]
    assert triples.of(span, CRM["P82b_end_of_the_end"]) == ["2001-04-07T23:59:59"]


@pytest.mark.parametrize(
    ("suffix", "date", "view", "event", "word"), values("mapping", "version_has_only_the_properties_in_its_name")
)
def test_version_has_only_the_properties_in_its_name(
    suffix: str, date: list[str], view: list[str], event: list[str], word: list[str]
) -> None:
    name = f"{CODE}@{suffix}"
    triples = Triples(record(name))
    assert triples.touched == {CODE}
    assert triples.classes(name) == {"frbroo:F14_Individual_Work", "eli:LegalResource"}
    assert triples.into(FRBROO["R10_has_member"], name) == [CODE]
    assert triples.of(name, VIG["nome"]) == [name]
    assert triples.of(name, VIG["dataVersao"]) == date
    assert triples.of(name, VIG["dataVisao"]) == view
    assert triples.of(name, VIG["eventoVisao"]) == [f"{VOCAB}evento/{event_code}" for event_code in event]
    assert triples.of(name, VIG["palavraVersao"]) == word
    assert len(triples.of(name, VIG["ordemVisao"])) == 1
    assert len(triples.all_of(CRM["E5_Event"])) == (1 if view and event else 0)


@pytest.mark.parametrize(
    ("form", "node", "type_", "languages"), values("mapping", "version_text_has_form_and_language")
)
def test_version_text_has_form_and_language(form: str, node: str, type_: str, languages: list[str]) -> None:
    """Check the text of a version: ``texto;pt-br`` where the name does not state it (LexML 1.0 part 2, section 13)."""
    triples = Triples(record(PUBLISHED + form, items=[Item("https://x.example/1", "text/html")]))
    text = PUBLISHED + node
    language = {"crm:E33_Linguistic_Object"} if languages else set()
    assert triples.classes(text) == {"frbroo:F22_Self-Contained_Expression", "eli:LegalExpression"} | language
    assert triples.of(PUBLISHED, FRBROO["R3_is_realised_in"]) == [text]
    assert triples.of(text, CRM["P2_has_type"]) == [f"{VOCAB}tipoConteudo/{type_}"]
    assert triples.of(text, CRM["P72_has_language"]) == [f"{VOCAB}lingua/{language_tag}" for language_tag in languages]
    (product,) = triples.of(text, FRBROO["R4_carriers_provided_by"])
    (item,) = triples.into(FRBROO["R7_is_example_of"], product)
    assert triples.classes(product) == {"frbroo:F3_Manifestation_Product_Type", "eli:Format"}
    assert triples.of(item, VIG["copiaDe"]) == [text]


@pytest.mark.parametrize(("name", "links"), values("mapping", "event_is_linked_to_what_it_created"))
def test_event_is_linked_to_what_it_created(name: str, links: list[str]) -> None:
    """Check LexML part 1, figure 3: the event of a text made the text, the signature also the original."""
    triples = Triples(record(name))
    created = [(p, o) for s, p, o in triples.all if p.endswith("_created")]
    assert [p.removeprefix(str(FRBROO)) for p, _ in created] == links
    for property_, made in created:
        if property_ == FRBROO["R18_created"]:
            assert triples.classes(made) == {"frbroo:F4_Manifestation_Singleton"}
            assert triples.of(made, CRM["P128_carries"]) == [created[0][1]]
        else:
            assert len(triples.into(FRBROO["R3_is_realised_in"], made)) == 1


@pytest.mark.parametrize(
    ("name", "item", "carries", "produced"),
    [
        (PUBLISHED, Item("https://x.example/1", "text/html", ItemKind.CONTENT), True, False),
        (PUBLISHED, Item("https://x.example/1", "text/html"), True, False),
        (PUBLISHED, Item("https://x.example/1", "text/html", ItemKind.METADATA), False, False),
        (PUBLISHED, Item(None, kind=ItemKind.UNAVAILABLE_CONTENT), False, False),
        (PUBLISHED, Item(None, kind=ItemKind.PHYSICAL_OBJECT), True, True),
        (ISSUE, Item("https://x.example/1.pdf", "application/pdf", ItemKind.CONTENT), True, False),
        (LAW, Item("https://x.example/1", "text/html", ItemKind.CONTENT), False, False),
    ],
)
def test_copy_of_a_text_carries_it(name: str, item: Item, carries: bool, produced: bool) -> None:
    triples = Triples(record(name, items=[item]))
    (node,) = triples.all_of(FRBROO["F5_Item"])
    carried = triples.of(node, FRBROO["R6_carries"])
    assert bool(carried) is carries
    assert all(triples.of(text, FRBROO["R4_carriers_provided_by"]) for text in carried)
    assert bool(triples.into(FRBROO["R28_produced"], node)) is produced


def test_different_copies_are_different_items() -> None:
    items = [Item("https://x.example/1", "text/html"), Item("https://x.example/1", "application/pdf"), Item(None)]
    triples = Triples(record(PUBLISHED, items=[*items, items[0]]))
    nodes = triples.all_of(FRBROO["F5_Item"])
    assert len(nodes) == 3
    assert sorted(triples.of(node, SCHEMA["encodingFormat"]) for node in nodes) == [
        [],
        ["application/pdf"],
        ["text/html"],
    ]


# Provisions, annexes, gazettes, doctrine, other jurisdictions


@pytest.mark.parametrize("case", RECORDS, ids=lambda case: case["checks"])
def test_record_states_the_triples_of_its_name(case: dict[str, str]) -> None:
    for short_name, name in (("LAW", LAW), ("CODE", CODE), ("ISSUE", ISSUE)):
        case = {key: re.sub(rf"\b{short_name}\b", name, text) for key, text in case.items()}
    relations = [(kind, target) for kind, _, target in [case.get("relation", "").partition(" ")] if kind]
    items = [Item("https://x.example/1", case["copy"])] if "copy" in case else []
    epigraphs = [Text(case["epigraph"])] if "epigraph" in case else []
    triples = Triples(record(case["name"], *relations, items=items, epigraphs=epigraphs))
    for line in case["stated"].strip().splitlines():
        asked, _, values = f"{line} ".partition(": ")
        assert " ".join(values_of(triples, asked)) == values.strip(), line
    assert triples.touched == set(case.get("touched", "").split())


def values_of(triples: Triples, asked: str) -> list[str]:
    """Return the values of ``subject property``, the subjects of ``object ^property``, or the nodes of a class."""
    subject, _, property_ = asked.partition(" ")
    if not property_:
        found = triples.all_of(iri_of(subject))
    elif property_ == "a":
        found = sorted(triples.classes(subject))
    elif property_[0] == "^":
        found = triples.into(iri_of(property_[1:]), subject)
    else:
        found = triples.of(subject, iri_of(property_))
    return ["1" if one.startswith(ID) else one for one in found]


@pytest.mark.parametrize("field", DOCTRINE)
def test_doctrine_fields_are_mapped(field: str) -> None:
    book = "urn:lex:br:rede.virtual.bibliotecas:livro:2006;000763345"
    triples = Triples(record(book, doctrine=[(field, "valor")]))
    assert triples.of(book, DOCTRINE[field]) == ["valor"]
    assert triples.classes(book) == {"frbroo:F15_Complex_Work"}


def iri_of(short_iri: str) -> str:
    prefix, _, term = short_iri.partition(":")
    return NAMESPACES[prefix][term]


def test_issues_of_one_gazette_section_belong_to_one_series() -> None:
    series = [
        Triples(record(issue)).all_of(FRBROO["F18_Serial_Work"])
        for issue in (ISSUE, f"{GAZETTE}:2008-07-22;139", f"{GAZETTE}.extra:2008-07-22;139")
    ]
    assert series[0] == series[1] != series[2]


def test_brackets_are_encoded_only_in_the_iri() -> None:
    name = f"{LAW}![art6,art10]"
    triples = Triples(record(name))
    assert triples.of(name, VIG["nome"]) == [name]
    assert f"{LAW}!%5Bart6,art10%5D" in {s for s, _, _ in triples.all}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the specifications' sample data is not beside this checkout")
def test_every_sample_name_maps_to_valid_triples() -> None:
    lines = (SHARED / "data" / "urns-sample.tsv").read_text("utf-8").splitlines()[1:]
    seen = 0
    for line in lines:
        try:
            name = parse(line.partition("\t")[0])
        except BadName:
            continue
        if not name.is_reference:
            made = record(name.canonical, ("referencia", name.canonical))
            triples = Triples(made)
            assert triples.has_subject(name.canonical), name
            store = in_memory()
            assert store.apply([made]).loaded == 1
            seen += 1
    assert seen > 300


# The mapping of relations and events to triples


@pytest.mark.parametrize("kind", list(RelationKind))
def test_every_relation_has_its_own_property(kind: RelationKind) -> None:
    triples = Triples(record(PUBLISHED, (kind.value, LAW)))
    assert triples.of(CODE, RELATION_PROPERTIES[kind]) == [LAW]
    assert len(set(RELATION_PROPERTIES.values())) == len(RelationKind) == len(RELATION_PROPERTIES)


ENDS = constant("mapping", "ends")


@pytest.mark.parametrize("kind", list(RelationKind))
@pytest.mark.parametrize("target", [LAW, f"{LAW}!art2", f"{LAW}@2001-03-06;publicacao;2001-03-06"])
def test_ending_relations_are_mapped_to_events(kind: RelationKind, target: str) -> None:
    """Check also a source that states that a provision is revoked, but not which one: the norm is not revoked."""
    triples = Triples(record(CODE, (kind.value, target)))
    events = triples.all_of(CRM["E5_Event"])
    if kind not in ENDS or (kind.endswith(".dispositivo") and "!" not in target):
        assert events == []
        assert triples.touched == set()
        return
    (node,) = events
    touched = target.partition("@")[0]
    assert triples.of(node, CRM["P2_has_type"]) == [f"{VOCAB}evento/{ENDS[kind]}"]
    assert triples.of(node, VIG["alvo"]) == [touched]
    assert triples.of(node, VIG["causadoPor"]) == [CODE]
    assert triples.of(node, VIG["dataEfeito"]) == triples.of(node, VIG["dataConhecimento"]) == []
    assert triples.touched == {touched}


def test_revoking_provision_acts_as_its_norm() -> None:
    """Check that the cause of the revocation is the norm of the provision, because the norm has the dates."""
    triples = Triples(record(f"{CODE}!art119", ("revoga", LAW)))
    (node,) = triples.all_of(CRM["E5_Event"])
    assert triples.of(f"{CODE}!art119", ELI["repeals"]) == [LAW]
    assert triples.of(node, VIG["causadoPor"]) == [CODE]


def test_relation_to_a_reference_creates_no_event() -> None:
    reference = "urn:lex:br:federal:lei:lei.maria.penha"
    triples = Triples(record(CODE, ("revoga", reference), ("publicacao.oficial", f"{GAZETTE}:2007-01-10")))
    assert triples.of(CODE, ELI["repeals"]) == [reference]
    assert triples.all_of(CRM["E5_Event"]) == triples.all_of(FRBROO["F19_Publication_Work"]) == []
    assert triples.touched == set()


@pytest.mark.parametrize(("effect", "known", "written"), tuples("mapping", "event_dates_are_written"))
def test_event_dates_are_written(
    effect: str | None, known: str | None, written: tuple[str | None, str | None, int]
) -> None:
    cause = f"{CODE}@1991-03-11;publicacao;1990-09-12"
    stated = event("suspensao", f"{LAW}@2001-03-06!2001-03-06", effect, known, cause)
    triples = Triples(record(CODE, events=[stated]))
    (node,) = triples.all_of(CRM["E5_Event"])
    assert triples.of(node, VIG["alvo"]) == [LAW]
    assert triples.of(node, VIG["causadoPor"]) == [CODE]
    assert triples.touched == {LAW}
    assert triples.of(node, VIG["dataEfeito"]) == ([written[0]] if written[0] else [])
    assert triples.of(node, VIG["dataConhecimento"]) == ([written[1]] if written[1] else [])
    assert len(triples.of(node, CRM["P4_has_time-span"])) == written[2]


def test_deletion_keeps_only_the_record() -> None:
    triples = Triples(deletion("a"))
    assert triples.touched == set()
    (node,) = {s for s, _, _ in triples.all}
    assert triples.classes(node) == {"prov:Entity", "vig:RegistroFonte"}
    assert triples.of(node, VIG["lapide"]) == ["true"]
    assert triples.of(node, PROV["wasAttributedTo"]) == [f"{ID}provedor/https%3A%2F%2Fprovedor.example%2Foai"]


# Values converted to N-Triples and to terms of the engine, and back


XSD = "http://www.w3.org/2001/XMLSchema#"


def parsed(written: str) -> ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple:
    """Return what the engine parses from a written term."""
    quads = ox.parse(f"<urn:x:s> <urn:x:p> {written} .".encode(), format=ox.RdfFormat.N_TRIPLES)
    term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple = next(quads).object
    assert next(quads, None) is None
    return term


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (string('a "b"\n\\'), 'a "b"\n\\'),
        (text(Text("Lei", "PT-br")), Text("Lei", "pt-br")),
        (day(date(990, 9, 1)), date(990, 9, 1)),
        (day(date.max), date.max),
        (number(-3), -3),
        (boolean(True), True),
        (boolean(False), False),
        (iri("urn:lex:br:federal:lei:2001-03-05;99901"), "urn:lex:br:federal:lei:2001-03-05;99901"),
    ],
)
def test_written_term_round_trips(written: str, value: Cell) -> None:
    term = parsed(written)
    assert read(term) == value
    assert type(read(term)) is type(value)
    assert str(term) == written


@pytest.mark.parametrize(
    ("written", "term", "datatype"), tuples("mapping", "date_term_has_its_datatype_and_round_trips")
)
def test_date_term_has_its_datatype_and_round_trips(written: str, term: str, datatype: str | None) -> None:
    value = parse_when(written)
    assert when(value) == term + (f"^^<{XSD}{datatype}>" if datatype else "")
    assert read_when(read(parsed(when(value)))) == value


@given(first=st.dates(), last=st.one_of(st.none(), st.dates()))
def test_every_interval_round_trips(first: date, last: date | None) -> None:
    value = When(first, last if last is None else max(first, last))
    assert read_when(read(parsed(when(value)))) == value


def test_missing_date_reads_as_none() -> None:
    assert read(None) is None
    assert read_when(None) is None
    with pytest.raises(BadDate):
        read_when("soon")


@pytest.mark.parametrize(("literal", "datatype", "value"), values("mapping", "foreign_literals_are_read"))
def test_foreign_literals_are_read(literal: str, datatype: str, value: Cell) -> None:
    """Check that a value that its datatype does not allow is returned as text, without an error."""
    assert read(ox.Literal(literal, datatype=ox.NamedNode(XSD + datatype))) == value


def test_blank_node_is_read_as_text() -> None:
    assert read(ox.BlankNode("a")) == "_:a"


@pytest.mark.parametrize(
    ("value", "term"),
    [
        ("urn:x:1", '"urn:x:1"'),
        (True, f'"true"^^<{XSD}boolean>'),
        (False, f'"false"^^<{XSD}boolean>'),
        (12, f'"12"^^<{XSD}integer>'),
        (date(1990, 9, 12), f'"1990-09-12"^^<{XSD}date>'),
        (Text("Lei", "pt-BR"), '"Lei"@pt-br'),
    ],
)
def test_parameters_are_written_as_terms(value: str | int | bool | date | Text, term: str) -> None:
    assert str(to_engine(value)) == term
    assert read(to_engine(value)) == (Text("Lei", "pt-br") if isinstance(value, Text) else value)


def test_name_becomes_an_iri_only_on_request() -> None:
    assert to_engine("urn:x:1", as_iri=True) == ox.NamedNode("urn:x:1")
    with pytest.raises(ValueError, match=r"^not an absolute IRI: 'lei'$"):
        to_engine("lei", as_iri=True)
