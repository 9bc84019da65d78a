"""Tests of the provider's answers against LexML part 4, element by element, for the six verbs over HTTP.

The expectations are those of the printed text: section 3.2 (header), section 3.3 with figure 3 (body), annex 1
(schema), and OAI-PMH 2.0, which part 4 adopts in section 2. Annex 1 has one ``Item`` a record, and no ``idPublicador``
and ``tipo``: there the provider follows the schema that came later, as real providers do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from lxml import etree

from graph.urn import parse
from loaders.xml import Element
from service.web.settings import Settings
from tests.support.oai_publishing import DOMAIN, PLACE, publish_sheet, shown
from tests.support.web import serving

OAI = "http://www.openarchives.org/OAI/2.0/"
LEXML = "http://www.lexml.gov.br/oai_lexml"  # annex 1, targetNamespace
DC = "http://purl.org/dc/elements/1.1/"
MANY = None
#: Annex 1, FormatoIdentificadorItemType, as printed; it has `text-web` twice.
FORMATS = [
    *("application/mpeg4-generic", "application/mp4", "application/msword", "application/ogg", "application/pdf"),
    *("application/postscript", "application/rtf", "application/sgml", "application/xhtml+xml", "application/xml"),
    *("application/zip", "application/vnd.oasis.opendocument.chart", "application/vnd.oasis.opendocument.image"),
    *("application/vnd.oasis.opendocument.text-web", "application/vnd.oasis.opendocument.text-web"),
    *("audio/ac3", "audio/mp4", "audio/mpeg", "audio/mpeg4-generic", "audio/ogg"),
    *("image/gif", "image/png", "image/jpeg", "image/tiff", "image/bmp"),
    *("text/plain", "text/html", "text/xml", "text/sgml", "text/rtf"),
]
URL = r"https?://\S+"
UTC = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
#: Section 3.2: "oai:" [ orgao .] domínio ":" sistema "/" identificador interno [ ";" detalhe ]
IDENTIFIER = r"oai:[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+:[A-Za-z0-9._-]+/\S+"
#: Annex 1, URNType; printed without the inner `+`, so that no name, not even those of figure 3, would match.
URN = r"urn:lex(:\S+)+(:\S+)+"
VERBS = "Identify ListMetadataFormats ListSets ListIdentifiers ListRecords GetRecord"


class Row(NamedTuple):
    """What an element holds: in the order of the table, from `least` to `most` times in its parent (None: any)."""

    parent: str
    element: str
    least: int
    most: int | None
    value: str
    section: str


TABLE = [
    Row("OAI-PMH", "responseDate", 1, 1, UTC, "OAI-PMH 3.2"),
    Row("OAI-PMH", "request", 1, 1, URL, "OAI-PMH 3.2"),
    *(Row("OAI-PMH", verb, 0, 1, "", "part 4, section 2: six verbs") for verb in VERBS.split()),
    Row("Identify", "repositoryName", 1, 1, r".+", "OAI-PMH 4.2"),
    Row("Identify", "baseURL", 1, 1, URL, "OAI-PMH 4.2"),
    Row("Identify", "protocolVersion", 1, 1, r"2\.0", "OAI-PMH 4.2"),
    Row("Identify", "adminEmail", 1, MANY, r"\S+@\S+", "OAI-PMH 4.2; part 4, 3.1: administrator"),
    Row("Identify", "earliestDatestamp", 1, 1, UTC, "OAI-PMH 4.2"),
    Row("Identify", "deletedRecord", 1, 1, "no|persistent|transient", "OAI-PMH 4.2"),
    Row("Identify", "granularity", 1, 1, "YYYY-MM-DDThh:mm:ssZ", "OAI-PMH 4.2"),
    Row("Identify", "compression", 0, MANY, r"\S+", "OAI-PMH 4.2"),
    Row("Identify", "description", 0, MANY, "", "OAI-PMH 4.2"),
    Row("ListMetadataFormats", "metadataFormat", 1, MANY, "", "OAI-PMH 4.4"),
    Row("metadataFormat", "metadataPrefix", 1, 1, "oai_dc|oai_lexml", "OAI-PMH 2.4; part 4, section 1"),
    Row("metadataFormat", "schema", 1, 1, URL, "OAI-PMH 2.4; part 4, section 4"),
    Row("metadataFormat", "metadataNamespace", 1, 1, URL, "OAI-PMH 2.4; part 4, annex 1"),
    Row("ListSets", "set", 1, MANY, "", "OAI-PMH 4.6"),
    Row("set", "setSpec", 1, 1, r"[\w\-.!~*'()]+(:[\w\-.!~*'()]+)*", "OAI-PMH 2.6"),
    Row("set", "setName", 1, 1, r".+", "OAI-PMH 2.6"),
    Row("ListIdentifiers", "header", 1, MANY, "", "OAI-PMH 4.3"),
    Row("ListRecords", "record", 1, MANY, "", "OAI-PMH 4.5"),
    Row("GetRecord", "record", 1, 1, "", "OAI-PMH 4.1"),
    Row("record", "header", 1, 1, "", "part 4, section 2: header, body, provenance"),
    Row("record", "metadata", 0, 1, "", "part 4, section 2; OAI-PMH 2.5.1: none where deleted"),
    Row("record", "about", 0, MANY, "", "part 4, section 2"),
    Row("header", "identifier", 1, 1, IDENTIFIER, "part 4, 3.2, figure 2"),
    Row("header", "datestamp", 1, 1, UTC, "part 4, 3.2; OAI-PMH 2.5: UTC"),
    Row("header", "setSpec", 0, MANY, r"\S+", "OAI-PMH 2.5"),
    Row("metadata", "LexML", 0, 1, "", "part 4, 3.3, figure 3; annex 1"),
    Row("metadata", "dc", 0, 1, "", "OAI-PMH 2.4: every record in oai_dc"),
    Row("LexML", "Item", 1, MANY, URL, "part 4, 3.3: a URL; annex 1: once"),
    Row("LexML", "DocumentoIndividual", 1, 1, URN, "part 4, 3.3: obligatory"),
    Row("LexML", "Relacionamento", 0, MANY, URN, "part 4, 3.4; annex 1"),
    Row("LexML", "Epigrafe", 0, MANY, r"(?s).+", "part 4, 3.3; annex 1"),
    Row("LexML", "Apelido", 0, MANY, r"(?s).+", "part 4, 3.3; annex 1"),
    Row("LexML", "Ementa", 0, MANY, r"(?s).+", "part 4, 3.3; annex 1"),
    *(Row("dc", name, 0, MANY, r"(?s).+", "OAI-PMH 2.4: Dublin Core") for name in
      ("title", "description", "format", "identifier")),
]  # fmt: skip
#: Attributes by element: required ones, and further ones that are allowed, each with its values.
ATTRIBUTES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "request": ({}, {"verb": "|".join(VERBS.split()), "metadataPrefix": ".+", "identifier": ".+", "set": ".+"}),
    "header": ({}, {"status": "deleted"}),  # OAI-PMH 2.5.1
    "Item": ({"formato": "|".join(map(re.escape, FORMATS))}, {"idPublicador": r"\d+", "tipo": "conteudo"}),  # annex 1
    "Relacionamento": ({"tipo": r"publicacao\.oficial|sucessor\.logico\.de|equivalente\.a"}, {}),  # section 3.4
    **{name: ({}, {"{http://www.w3.org/XML/1998/namespace}lang": r"[A-Za-z-]+"}) for name in
       ("Epigrafe", "Apelido", "Ementa", "title", "description")},  # section 3.3
}  # fmt: skip
NAMESPACES = {
    **dict.fromkeys((row.element for row in TABLE), OAI),
    **dict.fromkeys(("LexML", "Item", "DocumentoIndividual", "Relacionamento", "Epigrafe", "Apelido", "Ementa"), LEXML),
    "dc": "http://www.openarchives.org/OAI/2.0/oai_dc/",
}
SHEET = """\
tipo;numero;data;url;formato;epigrafe;ementa;apelido;anexo
Lei;99901;02/01/2026;https://a.example/1?x=1&y=2;text/html;Lei nº 99.901 (fictícia);Dispõe & "cria" <x>.;Lei Fictícia;
Lei;99901;02/01/2026;https://a.example/1.pdf;application/pdf;;;Lei do Teste;
Lei;99901;02/01/2026;https://a.example/1.png;image/png;Anexo I;;;I
Decreto;;03/01/2026;https://a.example/2;text/html;Decreto de 3 de janeiro de 2026;Nomeia.;;
Decreto;;03/01/2026;https://a.example/3;text/html;;Exonera.;;
Lei;99902;02/01/2026;https://a.example/4;application/rtf;;;;
"""
LEI, DECRETO = f"urn:lex:{PLACE}:municipal:lei:2026-01-02", f"urn:lex:{PLACE}:municipal:decreto:2026-01-03"
LISTED = "&metadataPrefix=oai_lexml"
QUERIES = [
    "verb=Identify", "verb=ListMetadataFormats", "verb=ListSets",
    *(f"verb={verb}&metadataPrefix={prefix}" for verb in ("ListIdentifiers", "ListRecords")
      for prefix in ("oai_lexml", "oai_dc")),
    f"verb=GetRecord{LISTED}&identifier=oai:{DOMAIN}:vigente/{LEI};99901",
    f"verb=GetRecord{LISTED}&identifier=oai:{DOMAIN}:vigente/{LEI};99902",
    f"verb=GetRecord{LISTED}&identifier=oai:{DOMAIN}:vigente/{DECRETO};lex-1",
]  # fmt: skip


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Serve six norms, one of which was removed."""
    folder = tmp_path_factory.mktemp("part4")
    sheet = folder / "normas.csv"
    for text in (SHEET, SHEET.rpartition("Lei;99902")[0]):
        sheet.write_text(text, "utf-8")
        assert publish_sheet(folder / "store", sheet, "--publisher", "7") == 0
    shown()
    shown()
    with serving(Settings(folder / "store")) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def asked(provider: httpx.Client, query: str) -> Element:
    answer = provider.get(f"/oai?{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/xml")  # OAI-PMH 3.1.2.1
    return etree.fromstring(answer.content)


@pytest.mark.parametrize("query", QUERIES)
def test_each_element_is_as_part_4_states(provider: httpx.Client, query: str) -> None:
    root = asked(provider, query)
    assert root.tag == f"{{{OAI}}}OAI-PMH"
    assert [etree.QName(child).localname for child in root][2:] == [query[5:].partition("&")[0]]
    for element in root.iter("*"):
        name = etree.QName(element).localname
        rows = [row for row in TABLE if row.parent == name]
        children = [etree.QName(child).localname for child in element]
        if name == "description" or any("description" in str(each.tag) for each in element.iterancestors()):
            continue
        assert set(children) <= {row.element for row in rows}, name
        order = [row.element for row in rows]
        if name != "dc":
            assert children == sorted(children, key=order.index), name
        for row in rows:
            count = children.count(row.element)
            assert row.least <= count <= (count if row.most is None else row.most), row
        for child, child_name in zip(element, children, strict=True):
            row = next(row for row in rows if row.element == child_name)
            expected = DC if name == "dc" else NAMESPACES[child_name]
            assert etree.QName(child).namespace == expected, child_name
            assert re.fullmatch(row.value, (child.text or "").strip()), (row, child.text)
        required, allowed = ATTRIBUTES.get(name, ({}, {}))
        own = {key: value for key, value in element.attrib.items() if "XMLSchema-instance" not in str(key)}
        assert set(required) <= set(own) <= {*required, *allowed}, name
        for key, value in own.items():
            assert re.fullmatch({**required, **allowed}[str(key)], str(value)), (name, key, value)


def records(root: Element) -> dict[str, Element]:
    return {
        record.findtext(f"{{{OAI}}}header/{{{OAI}}}identifier", "").partition("/")[2]: record
        for record in root.iter(f"{{{OAI}}}record")
    }


def test_every_document_has_a_record_with_its_values(provider: httpx.Client) -> None:
    """Check section 3.3: a record for each document, also for an annex, with all its copies; and its content."""
    listed = records(asked(provider, f"verb=ListRecords{LISTED}"))
    assert listed.keys() == {
        *(f"{LEI};{number}" for number in ("99901", "99901;anexo.1", "99902")),
        *(f"{DECRETO};{number}" for number in ("lex-1", "lex-2")),
    }
    shown_values = {}
    for name, record in listed.items():
        lexml = record.find(f"{{{OAI}}}metadata/{{{LEXML}}}LexML")
        if lexml is None:  # OAI-PMH 2.5.1
            assert name == f"{LEI};99902"
            assert [etree.QName(child).localname for child in record] == ["header"]
            assert record[0].get("status") == "deleted"
            continue
        assert lexml.findtext(f"{{{LEXML}}}DocumentoIndividual") == name == parse(name).canonical
        values = [(etree.QName(child).localname, child.text) for child in lexml]
        shown_values[name] = [value for value in values if value[0] != "DocumentoIndividual"]
    assert shown_values == {
        f"{LEI};99901": [
            ("Item", "https://a.example/1?x=1&y=2"), ("Item", "https://a.example/1.pdf"),
            ("Epigrafe", "Lei nº 99.901 (fictícia)"), ("Apelido", "Lei Fictícia"), ("Apelido", "Lei do Teste"),
            ("Ementa", 'Dispõe & "cria" <x>.'),
        ],
        f"{LEI};99901;anexo.1": [("Item", "https://a.example/1.png"), ("Epigrafe", "Anexo I")],
        f"{DECRETO};lex-1": [
            ("Item", "https://a.example/2"), ("Epigrafe", "Decreto de 3 de janeiro de 2026"), ("Ementa", "Nomeia."),
        ],
        f"{DECRETO};lex-2": [("Item", "https://a.example/3"), ("Ementa", "Exonera.")],
    }  # fmt: skip


def test_same_records_are_listed_and_got(provider: httpx.Client) -> None:
    listed = records(asked(provider, f"verb=ListRecords{LISTED}"))
    headers = asked(provider, f"verb=ListIdentifiers{LISTED}").iter(f"{{{OAI}}}header")
    assert [etree.tostring(header, method="c14n") for header in headers] == [
        etree.tostring(record[0], method="c14n") for record in listed.values()
    ]
    for name, record in listed.items():
        got = records(asked(provider, f"verb=GetRecord{LISTED}&identifier=oai:{DOMAIN}:vigente/{name}"))[name]
        assert etree.tostring(got, method="c14n") == etree.tostring(record, method="c14n")


def test_table_names_every_element_of_annex_1() -> None:
    """Compare the table with the printed schema."""
    printed = Path(__file__).resolve().parents[3] / "shared" / "spec" / "lexml-0.7-part4-oai-harvesting.txt"
    if not printed.is_file():
        pytest.skip("the specification is not beside the checkout")
    schema = printed.read_text("utf-8").partition("<xs:schema")[2]
    assert set(re.findall(r'<xs:element name="(\w+)"', schema)) == {row.element for row in TABLE if
                                                                    NAMESPACES[row.element] == LEXML}  # fmt: skip
    mime = schema.partition('name="FormatoIdentificadorItemType"')[2].partition("</xs:simpleType>")[0]
    assert re.findall(r'enumeration value="([^"]+)"', mime) == FORMATS
    assert re.findall(r'pattern value="([^"]+)"', schema) == [URN.replace(r"\S+", r"\S")]
