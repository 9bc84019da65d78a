"""Tests of the mapping of a record to triples of FRBRoo, as LexML part 1 defines; nothing unstated is added."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graph.entities import Item, ItemKind, Record, RelationKind, Source, Text
from graph.errors import BadName
from graph.mapping import mapped
from graph.store import in_memory
from graph.urn import parse
from ontology.namespaces import CRM, DC, FRBROO, NAMESPACES, RDF, SCHEMA, VIG
from tests.support.record_triples import Triples, short

Make = Callable[..., Record]

SHARED = Path(__file__).resolve().parents[4] / "shared"
GOLDEN = Path(__file__).parents[2] / "data" / "mapping" / "consumer-code-publication.nt"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
PUBLISHED = f"{CODE}@1991-03-11;publicacao;1990-09-12"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1"
ISSUE = f"{GAZETTE}:2007-01-10;133"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
VOCAB = "https://w3id.org/vigente/vocab/"
ID = "https://w3id.org/vigente/id/"


def every_shape(record: Make, event: Make) -> list[Record]:
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


DOCTRINE = {
    "Autor": DC["creator"],
    "Titulo": DC["title"],
    "Forma": DC["type"],
    "Lingua": DC["language"],
    "Ano": DC["date"],
    "Responsabilidade": DC["contributor"],
    "Imprenta": DC["publisher"],
    "DescricaoFisica": DC["format"],
    "ISBN": SCHEMA["isbn"],
    "Edicao": SCHEMA["bookEdition"],
    "Oculto": VIG["indexacaoOculta"],
    "ClasseUDC": DC["subject"],
}


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


def test_written_terms_belong_to_closed_namespaces(record: Make, event: Make) -> None:
    written = {
        term
        for shape in every_shape(record, event)
        for s, p, o in Triples(shape).all
        for term in (p, *((o,) if p == RDF["type"] else ()))
    }
    for iri in written:
        spaces = [space for space in NAMESPACES.values() if iri.startswith(str(space))]
        assert any(iri.removeprefix(str(space)) in space for space in spaces), iri


# Domains and ranges (FRBRoo 2.4): property -> classes allowed for its subject, and classes allowed for its object
CLASSES = {
    FRBROO["R10_has_member"]: ({"frbroo:F15_Complex_Work", "frbroo:F18_Serial_Work"}, {"F14", "F19"}),
    FRBROO["R3_is_realised_in"]: ({"frbroo:F14_Individual_Work", "frbroo:F19_Publication_Work"}, {"F22", "F24"}),
    FRBROO["R4_carriers_provided_by"]: (
        {"frbroo:F22_Self-Contained_Expression", "frbroo:F24_Publication_Expression"},
        {"F3_"},
    ),
    FRBROO["R6_carries"]: ({"frbroo:F5_Item"}, {"F22", "F24"}),
    FRBROO["R7_is_example_of"]: ({"frbroo:F5_Item"}, {"F3_"}),
    FRBROO["R16_initiated"]: ({"frbroo:F27_Work_Conception"}, {"F14"}),
    FRBROO["R19_created_a_realisation_of"]: (
        {"frbroo:F28_Expression_Creation", "frbroo:F30_Publication_Event"},
        {"F14"},
    ),
    FRBROO["R17_created"]: ({"frbroo:F28_Expression_Creation", "frbroo:F30_Publication_Event"}, {"F22"}),
    FRBROO["R18_created"]: ({"frbroo:F28_Expression_Creation"}, {"F4_"}),
    FRBROO["R24_created"]: ({"frbroo:F30_Publication_Event"}, {"F24"}),
    FRBROO["R28_produced"]: ({"frbroo:F32_Carrier_Production_Event"}, {"F5_"}),
    CRM["P128_carries"]: ({"frbroo:F4_Manifestation_Singleton"}, {"F22"}),
    CRM["P165_incorporates"]: ({"frbroo:F24_Publication_Expression"}, {"F22"}),
    CRM["P4_has_time-span"]: ({"crm:E5_Event"}, {"E52"}),
}


def test_subjects_and_objects_have_the_classes_required_by_frbroo(record: Make, event: Make) -> None:
    met = set()
    for shape in every_shape(record, event):
        triples = Triples(shape)
        for s, p, o in triples.all:
            if p in CLASSES:
                domain, range_ = CLASSES[p]
                subject = {short(c) for x, q, c in triples.all if (x, q) == (s, RDF["type"])}
                object_ = {short(c) for x, q, c in triples.all if (x, q) == (o, RDF["type"])}
                assert subject & domain, (s, p)
                assert any(start in c for c in object_ for start in range_), (p, o, object_)
                met.add(p)
    assert met == set(CLASSES)


# Versions, texts, events


@pytest.mark.parametrize(
    ("event", "class_", "link"),
    [
        ("assinatura", "frbroo:F28_Expression_Creation", "R19_created_a_realisation_of"),
        ("publicacao", "frbroo:F30_Publication_Event", "R19_created_a_realisation_of"),
        ("alteracao", "frbroo:F27_Work_Conception", "R16_initiated"),
        ("retificacao", "frbroo:F28_Expression_Creation", "R19_created_a_realisation_of"),
        ("republicacao", "frbroo:F30_Publication_Event", "R19_created_a_realisation_of"),
        ("palavra.nova", "frbroo:F27_Work_Conception", "R16_initiated"),
    ],
)
def test_event_that_made_a_view_has_a_time_span(event: str, class_: str, link: str, record: Make) -> None:
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


def test_two_records_of_one_view_share_its_event(record: Make) -> None:
    triples, other = (Triples(record(PUBLISHED, provider=f"https://{p}.example")) for p in ("um", "dois"))
    assert triples.all_of(CRM["E5_Event"]) == other.all_of(CRM["E5_Event"])


@pytest.mark.parametrize(
    ("suffix", "date", "view", "event", "word"),
    [
        ("1991-03-11;publicacao;1990-09-12", ["1991-03-11"], ["1990-09-12"], ["publicacao"], []),
        ("1991-03-11;publicacao", ["1991-03-11"], [], ["publicacao"], []),
        ("1991-03-11", ["1991-03-11"], [], [], []),
        ("1991-03-11!2007-01-10", ["1991-03-11"], ["2007-01-10"], [], []),
        ("multivigente", [], [], [], ["multivigente"]),
        ("inicio.vigencia;publicacao;1990-09-12", [], ["1990-09-12"], ["publicacao"], ["inicio.vigencia"]),
        ("1991-03-11,1993-05-22;alteracao;1993-05-22", [], ["1993-05-22"], ["alteracao"], []),
        ("[1991-03-11,1993-05-22];alteracao;1993-05-22", [], ["1993-05-22"], ["alteracao"], []),
        ("1991-03-11;retificacao;1993-05-22,2007-01-10", ["1991-03-11"], [], ["retificacao"], []),
        ("data.evento;leitura;2017-04-10t14.24", [], ["2017-04-10"], ["leitura"], ["data.evento"]),
    ],
)
def test_version_has_only_the_properties_in_its_name(
    suffix: str, date: list[str], view: list[str], event: list[str], word: list[str], record: Make
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
    ("form", "node", "type_", "languages"),
    [
        ("", "~texto;pt-br", "texto", ["pt-br"]),
        ("~texto;pt-br", "~texto;pt-br", "texto", ["pt-br"]),
        ("~texto;en,pt-br", "~texto;en,pt-br", "texto", ["en", "pt-br"]),
        ("~imagem", "~imagem", "imagem", []),
    ],
)
def test_version_text_has_form_and_language(
    form: str, node: str, type_: str, languages: list[str], record: Make
) -> None:
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


@pytest.mark.parametrize(
    ("name", "links"),
    [
        (f"{LAW}@2001-03-06;assinatura;2001-03-05", ["R17_created", "R18_created"]),
        (f"{LAW}@2001-03-06;assinatura;2001-03-05!art2", ["R17_created"]),
        (f"{LAW}@2001-03-06;publicacao;2001-03-06~texto;pt-br", ["R17_created"]),
        (f"{LAW}@2001-03-06;retificacao;2001-04-07", ["R17_created"]),
        (f"{LAW}@2001-03-06;publicacao;2001-03-06~texto;en", []),
        (f"{LAW}@2001-03-06;publicacao;2001-03-06~imagem", []),
        (f"{LAW}@2001-03-06;alteracao;2001-03-06", []),
        (f"{LAW}@2001-03-06;assinatura", []),
        (f"{ISSUE}@2007-01-10;publicacao;2007-01-10", ["R24_created"]),
    ],
)
def test_event_is_linked_to_what_it_created(name: str, links: list[str], record: Make) -> None:
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
def test_copy_of_a_text_carries_it(name: str, item: Item, carries: bool, produced: bool, record: Make) -> None:
    triples = Triples(record(name, items=[item]))
    (node,) = triples.all_of(FRBROO["F5_Item"])
    carried = triples.of(node, FRBROO["R6_carries"])
    assert bool(carried) is carries
    assert all(triples.of(text, FRBROO["R4_carriers_provided_by"]) for text in carried)
    assert bool(triples.into(FRBROO["R28_produced"], node)) is produced


def test_copy_without_a_version_belongs_to_the_norm(record: Make) -> None:
    """Check a copy whose version is not stated: no text, product type or version is invented."""
    triples = Triples(record(LAW, items=[Item("https://x.example/1", "text/html")]))
    (item,) = triples.all_of(FRBROO["F5_Item"])
    assert triples.of(item, VIG["copiaDe"]) == [LAW]
    assert triples.touched == set()
    assert not triples.all_of(FRBROO["F22_Self-Contained_Expression"])
    assert not triples.all_of(FRBROO["F3_Manifestation_Product_Type"])
    assert not triples.all_of(FRBROO["F14_Individual_Work"])


def test_different_copies_are_different_items(record: Make) -> None:
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


def test_provision_maps_to_a_work_without_epigraph(record: Make) -> None:
    triples = Triples(record(f"{LAW}!art2", epigraphs=[Text("Art. 2º")]))
    assert triples.classes(f"{LAW}!art2") == {"frbroo:F15_Complex_Work", "eli:LegalResourceSubdivision"}
    assert triples.of(f"{LAW}!art2", VIG["dispositivoDe"]) == [LAW]
    assert triples.of(f"{LAW}!art2", VIG["epigrafe"]) == ["Art. 2º"]
    assert triples.of(LAW, VIG["epigrafe"]) == []
    assert triples.touched == set()


def test_version_of_a_provision_is_part_of_the_version_of_its_norm(record: Make) -> None:
    name = f"{LAW}@2001-03-06;publicacao;2001-03-06!art2"
    triples = Triples(record(name))
    assert triples.classes(name) == {"frbroo:F14_Individual_Work", "eli:LegalResourceSubdivision"}
    assert triples.into(FRBROO["R10_has_member"], name) == [f"{LAW}!art2"]
    assert triples.of(LAW, FRBROO["R10_has_member"]) == []
    assert triples.touched == {f"{LAW}!art2"}
    (text,) = triples.of(name, FRBROO["R3_is_realised_in"])
    assert text == f"{LAW}@2001-03-06;publicacao;2001-03-06~texto;pt-br!art2"


def test_brackets_are_encoded_only_in_the_iri(record: Make) -> None:
    name = f"{LAW}![art6,art10]"
    triples = Triples(record(name))
    assert triples.of(name, VIG["nome"]) == [name]
    assert f"{LAW}!%5Bart6,art10%5D" in {s for s, _, _ in triples.all}


def test_annex_is_a_separate_work(record: Make) -> None:
    triples = Triples(record(f"{LAW};anexo.1@2001-03-06;publicacao;2001-03-06"))
    assert triples.of(f"{LAW};anexo.1", VIG["componenteDe"]) == [LAW]
    assert triples.touched == {f"{LAW};anexo.1"}
    assert not triples.has_subject(LAW)


def test_gazette_issue_maps_to_a_publication_work(record: Make) -> None:
    """Check a gazette issue (LexML part 1, section 3.1, table 2): it is not a legal resource of ELI."""
    triples = Triples(record(ISSUE, items=[Item("https://x.example/1")]))
    assert triples.classes(ISSUE) == {"frbroo:F17_Aggregation_Work", "frbroo:F19_Publication_Work"}
    (series,) = triples.into(FRBROO["R10_has_member"], ISSUE)
    assert triples.classes(series) == {"frbroo:F18_Serial_Work"}
    assert series == Triples(record(f"{GAZETTE}:2008-07-22;139")).all_of(FRBROO["F18_Serial_Work"])[0]
    assert series != Triples(record(f"{GAZETTE}.extra:2008-07-22;139")).all_of(FRBROO["F18_Serial_Work"])[0]


def test_gazette_issue_with_versions_is_also_a_complex_work(record: Make) -> None:
    name = f"{ISSUE}@2007-01-10;publicacao;2007-01-10"
    triples = Triples(record(name))
    works = {"frbroo:F15_Complex_Work", "frbroo:F17_Aggregation_Work", "frbroo:F19_Publication_Work"}
    assert triples.classes(ISSUE) == works
    assert triples.classes(name) == {"frbroo:F14_Individual_Work"}
    assert triples.classes(f"{name}~texto;pt-br") == {"frbroo:F24_Publication_Expression", "crm:E33_Linguistic_Object"}


def test_gazette_publication_incorporates_the_text(record: Make) -> None:
    triples = Triples(record(PUBLISHED, ("publicacao.oficial", f"{ISSUE}!pag1")))
    assert triples.of(CODE, VIG["publicadoEm"]) == [f"{ISSUE}!pag1"]
    assert triples.of(f"{ISSUE}!pag1", VIG["dispositivoDe"]) == [ISSUE]
    assert triples.classes(f"{ISSUE}!pag1") == {"frbroo:F15_Complex_Work"}
    (printed,) = triples.of(ISSUE, FRBROO["R3_is_realised_in"])
    assert triples.classes(printed) == {"frbroo:F24_Publication_Expression"}
    assert triples.of(printed, CRM["P165_incorporates"]) == [f"{PUBLISHED}~texto;pt-br"]


def test_publication_without_a_named_text_incorporates_nothing(record: Make) -> None:
    triples = Triples(record(CODE, ("publicacao.oficial", ISSUE)))
    assert triples.of(CODE, VIG["publicadoEm"]) == [ISSUE]
    assert triples.classes(ISSUE) == {"frbroo:F17_Aggregation_Work", "frbroo:F19_Publication_Work"}
    assert triples.all_of(FRBROO["F24_Publication_Expression"]) == []


@pytest.mark.parametrize("field", DOCTRINE)
def test_doctrine_fields_are_mapped(field: str, record: Make) -> None:
    book = "urn:lex:br:rede.virtual.bibliotecas:livro:2006;000763345"
    triples = Triples(record(book, doctrine=[(field, "valor")]))
    assert triples.of(book, DOCTRINE[field]) == ["valor"]
    assert triples.classes(book) == {"frbroo:F15_Complex_Work"}


def test_foreign_version_has_no_start_of_force(record: Make) -> None:
    """Check a foreign name: the date of its version is the day on which the amendment was issued (RFC 9676, 7.1.2)."""
    name = "urn:lex:it:stato:legge:2004-01-09;4@2005-01-01"
    triples = Triples(record(name))
    assert triples.of(name, VIG["dataVersao"]) == triples.of(name, VIG["dataVisao"]) == []
    assert triples.into(FRBROO["R10_has_member"], name) == [name.partition("@")[0]]
    assert triples.all_of(FRBROO["F22_Self-Contained_Expression"]) == []
    assert triples.of(name.partition("@")[0], VIG["localidade"]) == [f"{VOCAB}localidade/it"]


def test_year_only_date_is_written_as_gyear(record: Make) -> None:
    year_record = record("urn:lex:br:federal:lei:1993;8656")
    year = '"1993"^^<http://www.w3.org/2001/XMLSchema#gYear>'
    assert f"<urn:lex:br:federal:lei:1993;8656> <{VIG['dataRepresentativa']}> {year} ." in Triples(year_record).lines


def test_several_dates_and_authorities_are_all_written(record: Make) -> None:
    name = "urn:lex:br;sao.paulo;campinas:ministerio.fazenda,ministerio.saude:portaria:1999-12-21,2000-01-03;1,2"
    triples = Triples(record(name))
    canonical = parse(name).canonical
    assert triples.of(canonical, VIG["autoridade"]) == [
        f"{VOCAB}autoridade/ministerio.fazenda",
        f"{VOCAB}autoridade/ministerio.saude",
    ]
    assert triples.of(canonical, VIG["localidade"]) == [f"{VOCAB}localidade/br;sao.paulo;campinas"]
    assert triples.of(canonical, VIG["numero"]) == ["1", "2"]
    assert triples.of(canonical, VIG["dataRepresentativa"]) == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the specifications' sample data is not beside this checkout")
def test_every_sample_name_maps_to_valid_triples(record: Make) -> None:
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
