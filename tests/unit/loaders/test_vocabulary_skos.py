"""Tests of vocabularies as SKOS in RDF/XML and Turtle: the same result as the CSV; hostile files are refused."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest

from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory
from graph.vocabulary import Concept, Scheme
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load, retry
from loaders.sources.vocabulary import read_vocabulary
from queries.vocabulary import vocabulary
from tests.support.cases import SHARED, records, source

VOCABULARIES = SHARED / "vocabularies"
NAMESPACES = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#"'
PLACES = "http://www.lexml.gov.br/vocabulario/localidade"
TURTLE = f"""@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@base <{PLACES}> .
<#zz> a skos:Concept ; skos:prefLabel "Terra Fictícia"@pt-BR , "Fictional land"@en ; skos:altLabel "TF" .
<#zz;vila> a skos:Concept ; skos:prefLabel "Vila, a Fictícia - TF"@pt-BR ; skos:broader <#zz> ; skos:note "x" .
"""


def rdf_xml(*rows: tuple[str, str, str], base: str = PLACES, declaration: str = "") -> str:
    """Return concepts as LexML writes them: notation, label, and notation of the broader concept."""
    concepts = "".join(
        f"<skos:Concept rdf:about={quoteattr('#' + about)}>"
        f'<skos:prefLabel xml:lang="pt-BR">{escape(label)}</skos:prefLabel>'
        + (f"<skos:broader rdf:resource={quoteattr(broader)}/>" if broader else "")
        + "</skos:Concept>"
        for about, label, broader in rows
    )
    return f'{declaration}<rdf:RDF {NAMESPACES} xml:base="{base}">{concepts}</rdf:RDF>'


XML = rdf_xml(("zz", "Terra Fictícia", ""), ("zz;vila", "Vila, a Fictícia - TF", "#zz"))


def read(data: str | bytes, name: str = "localidade.rdf") -> list[Outcome]:
    return list(read_vocabulary(source(data, name)))


def concepts(data: str | bytes, name: str = "localidade.rdf") -> list[Concept]:
    return [concept for record in records(read(data, name)) for concept in record.concepts]


def test_turtle_and_rdf_xml_give_the_same_concepts() -> None:
    land, town = concepts(TURTLE, "localidade.ttl")
    names = ("zz", "Terra Fictícia", "Fictional land", ("TF",))
    assert (land.notation, land.label, land.label_en, land.alternative) == names
    assert (town.notation, town.label, town.broader) == ("zz;vila", "Vila, a Fictícia - TF", "zz")
    assert [(concept.scheme, concept.notation, concept.label, concept.broader) for concept in concepts(XML)] == [
        (Scheme.LOCALIDADE, "zz", "Terra Fictícia", None),
        (Scheme.LOCALIDADE, "zz;vila", "Vila, a Fictícia - TF", "zz"),
    ]


def test_format_is_detected_and_loads_like_csv(tmp_path: Path) -> None:
    (tmp_path / "lugares.ttl").write_text(TURTLE, "utf-8")
    (tmp_path / "outro").write_text(XML.replace("zz", "yy"), "utf-8")
    store = in_memory()
    quarantine = Quarantine(tmp_path / "q")
    summary = load([tmp_path / "lugares.ttl", tmp_path / "outro"], store, quarantine)
    assert (summary.loaded, summary.complete, summary.note_counts) == (4, True, {"not-used": 1})
    assert load([tmp_path / "lugares.ttl"], store, quarantine).unchanged == 2
    known = vocabulary(store)
    for notation in ("zz;vila", "yy;vila"):
        concept = known.concept(Scheme.LOCALIDADE, notation)
        assert concept is not None
        assert concept.label == "Vila, a Fictícia - TF"


@pytest.mark.skipif(not VOCABULARIES.is_dir(), reason="the sample data is not beside the checkout")
@pytest.mark.parametrize("name", ["evento", "lingua", "tipoConteudo", "autoridade", "tipoDocumento", "localidade"])
def test_official_rdf_lists_equal_the_csv_lists(name: str) -> None:
    with (VOCABULARIES / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        rows = [(row["about"], row["prefLabel"].strip(), row["broader"]) for row in csv.DictReader(lines)]
    once = {about: (about, label, broader) for about, label, broader in rows if about and label}
    base = f"http://www.lexml.gov.br/vocabulario/{name}"
    by_notation = {
        concept.notation: concept for concept in concepts(rdf_xml(*once.values(), base=base), f"{name}.rdf.xml")
    }
    listed = concepts((VOCABULARIES / f"{name}.csv").read_bytes(), f"{name}.csv")
    assert len(listed) >= len(by_notation) > 0
    for concept in listed:
        if once[concept.notation][1] == concept.label:
            other = by_notation[concept.notation]
            assert (other.label, other.broader) == (concept.label, concept.broader)


BOMB = '<!DOCTYPE rdf:RDF [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (rdf_xml(("a", "&b;", ""), declaration=BOMB).replace("&amp;b;", "&b;"), "localidade.rdf", "doctype"),
        ("<!-- " + "x" * 60_000 + "-->" + BOMB + XML, "localidade.rdf", "doctype"),
        (XML[:-20], "localidade.rdf", "ill-formed-xml"),
        (XML.replace("Vila", "Vil\x01"), "localidade.rdf", "ill-formed-xml"),
        (f"<rdf:RDF {NAMESPACES}>" + "<a>" * 5_000 + "</a>" * 5_000 + "</rdf:RDF>", "localidade.rdf", "xml-limit"),
        (XML.replace('rdf:about="#zz"', 'rdf:about="#zz" rdf:ID="a"', 1), "localidade.rdf", "bad-rdf"),
        (f"<rdf:RDF {NAMESPACES}/>", "localidade.rdf", "unknown-kind"),
        (TURTLE[:-9], "localidade.ttl", "bad-rdf"),
        (TURTLE.encode() + b'<#a> <#b> "\xff" .', "localidade.ttl", "bad-rdf"),
        ("@prefix a: <b:> . a:x a:y " + "[ a:z " * 100_000, "localidade.ttl", "bad-rdf"),
        ("@prefix a: <b:> . a:x a:y " + "(" * 1_000_000, "localidade.ttl", "bad-rdf"),
        ("@prefix a: <b:> .", "localidade.ttl", "unknown-kind"),
    ],
)
def test_invalid_file_is_refused_with_its_code(data: str | bytes, name: str, code: str) -> None:
    (refusal,) = read(data, name)
    assert isinstance(refusal, Refusal)
    assert str(refusal.code) == code


def test_declared_latin_1_is_read() -> None:
    data = ('<?xml version="1.0" encoding="ISO-8859-1"?>' + XML).encode("iso-8859-1")
    assert [concept.label for concept in concepts(data)] == ["Terra Fictícia", "Vila, a Fictícia - TF"]


def test_only_the_invalid_concept_is_refused_and_can_be_retried(tmp_path: Path) -> None:
    (tmp_path / "localidade.ttl").write_text(TURTLE.replace("skos:prefLabel", "skos:label", 1), "utf-8")
    quarantine = Quarantine(tmp_path / "q")
    summary = load([tmp_path / "localidade.ttl"], in_memory(), quarantine)
    assert (summary.loaded, dict(summary.refused)) == (1, {"bad-row": 1})
    assert summary.refusals[0].identifier == f"{PLACES}#zz"
    assert retry(quarantine, in_memory()).refused == {"bad-row": 1}


def test_unused_properties_are_counted_and_reported() -> None:
    more = TURTLE + '<#zz> skos:definition "y" . [] skos:note "z" . <#s> a skos:ConceptScheme .\n'
    (note,) = (outcome for outcome in read(more, "localidade.ttl") if isinstance(outcome, Note))
    assert (str(note.code), note.count, note.dropped) == ("not-used", 4, False)


def test_vocabulary_is_named_by_the_file_or_the_concepts() -> None:
    assert {concept.scheme for concept in concepts(XML, "autoridade.rdf")} == {Scheme.AUTORIDADE}
    assert {concept.scheme for concept in concepts(XML, "x.rdf")} == {Scheme.LOCALIDADE}
    nowhere = XML.replace("localidade", "lugar")
    assert {str(outcome.code) for outcome in read(nowhere, "x.rdf") if isinstance(outcome, Refusal)} == {"bad-row"}
