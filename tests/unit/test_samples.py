"""Tests of the bundled sample: plain XML, canonical names, and facts that are in the specifications or fictional."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from lxml import etree

import samples
from graph.entities import ItemKind, RelationKind
from graph.urn import Dialect, Kind, parse
from loaders.xml import Element

SHARED = Path(__file__).resolve().parents[3] / "shared"
FOLDER = samples.folder()
FILES = sorted(FOLDER.glob("oai/*.xml"))

OAI = "{http://www.openarchives.org/OAI/2.0/}"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
PLACEHOLDER = "https://exemplo.vigente.invalid/"
FIRST_FICTIONAL = 99901
PART_0 = "lexml-0.7-part0-overview.txt"
PART_2 = "lexml-1.0-part2-urn.txt"
PART_4 = "lexml-0.7-part4-oai-harvesting.txt"
ARTICLE = "lex-encyclopedia-article.txt"

LAW = "urn:lex:br:federal:lei:1990-09-11;8078"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:"
TABLE_3 = tuple(
    f"{LAW}@{version}"
    for version in (
        "1991-03-11;assinatura;1990-09-11",
        "1991-03-11;publicacao;1990-09-12",
        "1993-05-22;alteracao;1993-05-22",
        "1993-09-08;alteracao;1993-09-08",
        "1991-03-11;retificacao;2007-01-10",
        "1993-05-22;retificacao;2007-01-10",
        "1993-09-08;retificacao;2007-01-10",
    )
)


class Stated(NamedTuple):
    """Where a fact is printed: the specification, its section, and the printed words without white space."""

    text: str
    section: str
    words: str


#: The names in the records that are not fictional.
STATED = {
    LAW: Stated(PART_2, "12.4, table 3", "1990-09-11;8078@"),
    **{name: Stated(PART_2, "12.4, table 3", name.removeprefix("urn:lex:br:federal:lei:")) for name in TABLE_3},
    "urn:lex:br:federal:lei:1993;8656@1993-05-22;publicacao;1993-05-22": Stated(
        PART_2, "12.4, table 2", "Lei8656/1993(publicadaem22/05/1993,comentradaemvigornapublicação)"
    ),
    "urn:lex:br:federal:lei:1993;8703@1993-09-08;publicacao;1993-09-08": Stated(
        PART_2, "12.4, table 2", "Lei8703/1993(publicadaem08/09/1993,comentradaemvigornapublicação)"
    ),
    f"{LAW};retificacao.1@1991-03-11;publicacao;2007-01-10": Stated(PART_2, "10.3.4", "1990-09-11;8078;retificacao.1@"),
    f"{GAZETTE}1990-09-12;123!pag1": Stated(PART_4, "3.3, figure 3", f"{GAZETTE}1990-09-12;123:pag1"),
    f"{GAZETTE}2007-01-10;133": Stated(PART_4, "3.5, figure 4", f"{GAZETTE}2007-01-10;133"),
    f"{GAZETTE}2008-07-22;139": Stated(PART_2, "10.4", f"{GAZETTE}2008-07-22;139"),
    "urn:lex:br:federal:lei:1993-06-21;8666": Stated(PART_0, "3.1", "urn:lex:br:federal:lei:1993-06-21;8666"),
    "urn:lex:br:federal:lei:2008-06-19;11705": Stated(ARTICLE, "Traduzindo", "urnlexbrfederallei2008061911705"),
    "urn:lex:br:federal:constituicao:1988-10-05;1988": Stated(
        ARTICLE, "Exemplos concretos", "urnlexbrfederalconstituicao198810051988"
    ),
    "urn:lex:br:federal:decreto:1980-08-18;85080;anexo.1,tratado.cooperacao.amazonica": Stated(
        PART_2, "10.3", "decreto:1980-08-18;85080;anexo.1,tratado.cooperacao.amazonica"
    ),
}

#: The addresses in the records that are not placeholders.
ADDRESSES = {
    "http://www6.senado.gov.br/legislacao/ListaPublicacoes.action?id=102415": PART_4,
    "https://www.in.gov.br/imprensa/visualiza/index.jsp?jornal=do&secao=1&pagina=1&data=10/01/2007": PART_4,
    "http://www6.senado.gov.br/legislacao/ListaPublicacoes.action?id=102466": PART_0,
    "http://www2.camara.gov.br/internet/legislacao/legin.html/textos/visualizarTexto.html"
    "?ideNorma=322221&seqTexto=1&PalavrasDestaque=": PART_0,
    "http://www.planalto.gov.br/ccivil/Leis/L8666cons.htm": PART_0,
}

needs_specifications = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the specifications' sample data is not beside this checkout"
)


class SampleRecord(NamedTuple):
    """A record that is not a deletion."""

    identifier: str
    lexml: Element

    def texts(self, name: str) -> list[str]:
        """Return the text of each child of that local name, with normalised white space."""
        elements = [child for child in self.lexml if etree.QName(child).localname == name]
        return [" ".join("".join(map(str, child.itertext())).split()) for child in elements]

    @property
    def name(self) -> str:
        (name,) = self.texts("DocumentoIndividual")
        return name


def _responses() -> Iterator[Element]:
    for path in FILES:
        yield etree.parse(str(path)).getroot()


def _headers() -> list[Element]:
    return [header for root in _responses() for header in root.iter(f"{OAI}header")]


def _identifier(header: Element) -> str:
    return header.findtext(f"{OAI}identifier") or ""


RECORDS = [
    SampleRecord(_identifier(header), metadata[0])
    for header in _headers()
    if (metadata := header.getnext()) is not None
]
NAMES = [record.name for record in RECORDS]
TARGETS = sorted({target for record in RECORDS for target in record.texts("Relacionamento")})
ALONE = [line for line in (FOLDER / "nomes.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def _is_fictional(name: str) -> bool:
    numbers = parse(name).descritor.identificadores
    return any(number.isdecimal() and int(number) >= FIRST_FICTIONAL for number in numbers)


def _record(number: int) -> SampleRecord:
    (matching_record,) = [record for record in RECORDS if f";{number}" in record.name]
    return matching_record


def _condensed(text: str) -> str:
    content = (SHARED / "spec" / text).read_text(encoding="utf-8")
    return "".join(content.split())


def test_sample_folder_is_inside_the_package() -> None:
    assert samples.__file__ is not None
    assert Path(samples.__file__).parent.samefile(FOLDER)
    assert [path.name for path in FILES] == [
        "alteradoras.xml",
        "diario.xml",
        "lei-8078-1990.xml",
        "lei-8666-1993.xml",
        "outros.xml",
    ]
    assert (len(RECORDS), len(_headers()), len(ALONE)) == (31, 32, 12)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_plain_responses(path: Path) -> None:
    tree = etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True))
    assert b"<!DOCTYPE" not in path.read_bytes()
    assert tree.getroot().tag == f"{OAI}OAI-PMH"
    assert tree.getroot().findtext(f"{OAI}request") == f"{PLACEHOLDER}oai"
    assert tree.getroot().find(f"{OAI}ListRecords/{OAI}resumptionToken") is None


def test_headers_have_identifiers_and_datestamps() -> None:
    identifiers = [_identifier(header) for header in _headers()]
    assert len(set(identifiers)) == len(identifiers)
    form = re.compile(r"oai:(senado\.|camara\.|presidencia\.)?exemplo\.vigente\.invalid:amostra/[a-z0-9.;-]+")
    assert [text for text in identifiers if not form.fullmatch(text)] == []
    assert {header.findtext(f"{OAI}datestamp") for header in _headers()} == {"2008-12-15"}


@pytest.mark.parametrize("text", [*NAMES, *TARGETS, *ALONE])
def test_names_are_canonical_identities(text: str) -> None:
    name = parse(text)
    assert name.kind is not Kind.REFERENCE
    assert name.canonical == text
    assert name.deviations == ()


def test_every_record_is_marked_fictional_or_documented() -> None:
    fictional = [record for record in RECORDS if _is_fictional(record.name)]
    assert sorted(int(parse(record.name).descritor.identificadores[0]) for record in fictional) == [
        *range(99901, 99909),
        *range(99910, 99915),
    ]
    for record in fictional:
        (epigrafe,), (ementa,) = record.texts("Epigrafe"), record.texts("Ementa")
        assert re.search("fictíci[oa]", epigrafe), epigrafe
        assert re.search("fictíci[oa]", ementa), ementa
    stated = {record.name for record in RECORDS} - {record.name for record in fictional}
    assert stated - STATED.keys() == set()
    assert not any(
        "fictíci" in text for record in RECORDS if record.name in stated for text in record.texts("Epigrafe")
    )


def test_relation_targets_are_fictional_or_documented() -> None:
    assert [name for name in TARGETS if not _is_fictional(name) and name not in STATED] == []
    kinds = {child.get("tipo", "") for record in RECORDS for child in record.lexml if "tipo" in child.attrib}
    assert kinds - {kind.value for kind in RelationKind} - {kind.value for kind in ItemKind} == set()


def test_every_documented_name_is_used() -> None:
    assert STATED.keys() - {*NAMES, *TARGETS} == set()
    assert [name for name in STATED if _is_fictional(name)] == []


@needs_specifications
@pytest.mark.parametrize("name", STATED)
def test_documented_name_is_printed_in_its_specification(name: str) -> None:
    text, section, words = STATED[name]
    assert words in _condensed(text), f"{name} is not printed in {text}, section {section}"


@needs_specifications
@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_are_printed_in_a_specification(address: str) -> None:
    assert address in _condensed(ADDRESSES[address])


def test_every_other_address_is_a_placeholder_with_a_note() -> None:
    used = set()
    for record in RECORDS:
        (item,) = [child for child in record.lexml if etree.QName(child).localname == "Item"]
        (url,) = record.texts("Item")
        note = item.get("nota", "")
        if url in ADDRESSES:
            used.add(url)
            assert note == "endereço impresso na especificação de 2008; pode não existir mais"
        elif item.get("tipo") is None:  # the first generation of the format has no nota
            assert (record.name, url) == (_record(99912).name, f"{PLACEHOLDER}lei-99912-2004.html")
        else:
            assert "fictíci" in note
            assert url.startswith(PLACEHOLDER) or (url == "" and item.get("tipo") != "conteudo")
    assert used == ADDRESSES.keys()


def test_table_3_is_included_exactly_once() -> None:
    assert sorted(name for name in [*NAMES, *ALONE] if name.startswith(f"{LAW}@")) == sorted(TABLE_3)


def test_law_8078_has_the_texts_of_figure_3() -> None:
    records = [record for record in RECORDS if record.name in TABLE_3]
    assert len(records) == len(TABLE_3)
    for record in records:
        assert record.texts("Epigrafe") == ["Lei nº 8.078, de 11 de setembro de 1990"]
        assert record.texts("Apelido") == [
            "Código de Defesa do Consumidor",
            "Código de Proteção e Defesa do Consumidor",
            "Código de Protección y Defensa del Consumidor",
        ]
        assert [child.get(XML_LANG) for child in record.lexml.iter("{*}Apelido")] == [None, None, "es"]
        assert record.texts("Ementa") == ["Dispõe sobre a proteção do consumidor e dá outras providências"]
    issues = {record.name: record.texts("Relacionamento") for record in records}
    assert issues == {
        TABLE_3[0]: [],
        TABLE_3[1]: [f"{GAZETTE}1990-09-12;123!pag1"],
        TABLE_3[2]: [],
        TABLE_3[3]: [],
        **{name: [f"{GAZETTE}2007-01-10;133"] for name in TABLE_3[4:]},
    }


def test_amending_laws_are_dated_by_year() -> None:
    amending = [record for record in RECORDS if LAW in record.texts("Relacionamento")]
    assert [(parse(record.name).descritor.ano, parse(record.name).version_date) for record in amending] == [
        (1993, parse(TABLE_3[2]).version_date),
        (1993, parse(TABLE_3[3]).version_date),
    ]


def test_law_8666_is_one_work_with_three_identifiers() -> None:
    records = [record for record in RECORDS if record.name.endswith(";8666")]
    assert [record.identifier.split(".")[0] for record in records] == ["oai:senado", "oai:camara", "oai:presidencia"]
    assert {record.name for record in records} == {"urn:lex:br:federal:lei:1993-06-21;8666"}
    assert len({record.texts("Item")[0] for record in records}) == 3


def test_formats_of_real_providers_are_included() -> None:
    (gone,) = [header for header in _headers() if header.get("status") == "deleted"]
    assert _identifier(gone) == "oai:exemplo.vigente.invalid:amostra/retirado;99909"
    assert gone.getnext() is None
    assert parse(_record(99910).name).dialect is Dialect.LEXML_07
    marked = {etree.QName(node).localname for node in _record(99911).lexml.iter("*")}
    assert {"p", "b", "i", "sup"} <= marked
    assert _record(99912).lexml.tag == "{http://www.lexml.gov.br/}LexML"
    unprefixed = _record(99913).lexml
    assert unprefixed.tag == "{http://www.lexml.gov.br/oai_lexml}LexML"
    assert {etree.QName(child).namespace for child in unprefixed} == {OAI[1:-1]}


def test_listed_names_cite_where_they_are_printed() -> None:
    lines = (FOLDER / "nomes.txt").read_text(encoding="utf-8").splitlines()
    assert all(line.startswith("#") for line in lines[:2])
    assert len(lines[2:]) == 2 * len(ALONE)
    for comment, name in zip(lines[2::2], lines[3::2], strict=True):
        assert re.fullmatch(r"# LexML (part 0|1\.0 part 2), section [0-9]+(\.[0-9]+)*", comment), comment
        assert name.startswith("urn:lex:br:")
        assert not _is_fictional(name)


@needs_specifications
def test_listed_names_are_printed_in_a_specification() -> None:
    lines = (FOLDER / "nomes.txt").read_text(encoding="utf-8").splitlines()
    for comment, name in zip(lines[2::2], lines[3::2], strict=True):
        text = PART_0 if "part 0" in comment else PART_2
        assert name.split(":", 5)[5] in _condensed(text), f"{name} is not printed where the list says: {comment}"


def test_readme_lists_every_file_and_fictional_number() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in FILES:
        assert f"`oai/{path.name}`" in readme
    for number in range(FIRST_FICTIONAL, 99916):
        assert str(number) in readme
