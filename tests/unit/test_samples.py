"""Tests of the bundled sample: plain XML, canonical names, and facts that are in the specifications or fictional."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from lxml import etree

import samples
from graph.entities import ItemKind, RelationKind
from graph.urn import Kind, parse
from loaders.xml import Element

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
FOLDER = samples.folder()
FILES = sorted(FOLDER.glob("oai/*.xml"))
OAI = "{http://www.openarchives.org/OAI/2.0/}"
PLACEHOLDER = "https://exemplo.vigente.invalid/"
#: Where the names and addresses that are not fictional are printed.
PRINTED = tomllib.loads((ROOT / "tests" / "data" / "samples" / "stated.toml").read_text("utf-8"))
STATED: dict[str, list[str]] = PRINTED["names"]
ADDRESSES: dict[str, str] = PRINTED["addresses"]


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


HEADERS: list[Element] = [header for path in FILES for header in etree.parse(str(path)).iter(f"{OAI}header")]
RECORDS = [
    SampleRecord(header.findtext(f"{OAI}identifier") or "", metadata[0])
    for header in HEADERS
    if (metadata := header.getnext()) is not None
]
NAMES = [record.name for record in RECORDS]
TARGETS = sorted({target for record in RECORDS for target in record.texts("Relacionamento")})
LISTED = (FOLDER / "nomes.txt").read_text(encoding="utf-8").splitlines()
ALONE = [line for line in LISTED if not line.startswith("#")]


def _is_fictional(name: str) -> bool:
    numbers = parse(name).descritor.identificadores
    return any(number.isdecimal() and int(number) >= 99901 for number in numbers)


def _record(number: int) -> SampleRecord:
    (matching_record,) = [record for record in RECORDS if f";{number}" in record.name]
    return matching_record


def test_files_are_plain_responses_inside_the_package() -> None:
    assert samples.__file__ is not None
    assert Path(samples.__file__).parent.samefile(FOLDER)
    names = ["alteradoras.xml", "diario.xml", "lei-8078-1990.xml", "lei-8666-1993.xml", "outros.xml"]
    assert [path.name for path in FILES] == names
    assert (len(RECORDS), len(HEADERS), len(ALONE)) == (31, 32, 12)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in FILES:
        root = etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True)).getroot()
        assert b"<!DOCTYPE" not in path.read_bytes()
        assert root.tag == f"{OAI}OAI-PMH"
        assert root.findtext(f"{OAI}request") == f"{PLACEHOLDER}oai"
        assert root.find(f"{OAI}ListRecords/{OAI}resumptionToken") is None
        assert f"`oai/{path.name}`" in readme
    assert [number for number in range(99901, 99916) if str(number) not in readme] == []


def test_headers_have_identifiers_and_datestamps() -> None:
    identifiers = [header.findtext(f"{OAI}identifier") or "" for header in HEADERS]
    assert len(set(identifiers)) == len(identifiers)
    form = re.compile(r"oai:(senado\.|camara\.|presidencia\.)?exemplo\.vigente\.invalid:amostra/[a-z0-9.;-]+")
    assert [text for text in identifiers if not form.fullmatch(text)] == []
    assert {header.findtext(f"{OAI}datestamp") for header in HEADERS} == {"2008-12-15"}


def test_names_are_canonical_identities() -> None:
    for text in (*NAMES, *TARGETS, *ALONE):
        name = parse(text)
        assert (name.kind is Kind.REFERENCE, name.canonical, name.deviations) == (False, text, ())


# Fictional or printed


def test_every_record_is_marked_fictional_or_documented() -> None:
    fictional = [record for record in RECORDS if _is_fictional(record.name)]
    numbers = sorted(int(parse(record.name).descritor.identificadores[0]) for record in fictional)
    assert numbers == [*range(99901, 99909), *range(99910, 99915)]
    for record in fictional:
        (epigrafe,), (ementa,) = record.texts("Epigrafe"), record.texts("Ementa")
        assert re.search("fictíci[oa]", epigrafe), epigrafe
        assert re.search("fictíci[oa]", ementa), ementa
    stated = {record.name for record in RECORDS} - {record.name for record in fictional}
    assert stated - STATED.keys() == set()
    texts = [text for record in RECORDS if record.name in stated for text in record.texts("Epigrafe")]
    assert [text for text in texts if "fictíci" in text] == []


def test_relation_targets_are_fictional_or_documented() -> None:
    assert [name for name in TARGETS if not _is_fictional(name) and name not in STATED] == []
    kinds = {child.get("tipo", "") for record in RECORDS for child in record.lexml if "tipo" in child.attrib}
    assert kinds - {kind.value for kind in RelationKind} - {kind.value for kind in ItemKind} == set()
    assert STATED.keys() - {*NAMES, *TARGETS} == set()
    assert [name for name in STATED if _is_fictional(name)] == []


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


def test_listed_names_cite_where_they_are_printed() -> None:
    assert all(line.startswith("#") for line in LISTED[:2])
    assert len(LISTED[2:]) == 2 * len(ALONE)
    for comment, name in zip(LISTED[2::2], LISTED[3::2], strict=True):
        assert re.fullmatch(r"# LexML (part 0|1\.0 part 2), section [0-9]+(\.[0-9]+)*", comment), comment
        assert name.startswith("urn:lex:br:")
        assert not _is_fictional(name)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the specifications' sample data is not beside this checkout")
def test_documented_names_and_addresses_are_printed_in_a_specification() -> None:
    places = [(text, words) for text, _, words in STATED.values()]
    places += [(text, address) for address, text in ADDRESSES.items()]
    for comment, name in zip(LISTED[2::2], LISTED[3::2], strict=True):
        text = "lexml-0.7-part0-overview" if "part 0" in comment else "lexml-1.0-part2-urn"
        places.append((text, name.split(":", 5)[5]))
    condensed = {
        text: "".join((SHARED / "spec" / f"{text}.txt").read_text(encoding="utf-8").split())
        for text in {text for text, _ in places}
    }
    assert [(text, words) for text, words in places if words not in condensed[text]] == []


# The laws
