"""Tests of XML: the parser with hostile input, and vocabularies as SKOS in RDF/XML and Turtle."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.etree import fromstring

from graph.errors import BadRecord
from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory
from graph.vocabulary import Concept, Scheme
from loaders.codes import RefusalCode
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load, retry
from loaders.sources.lexml_xml.words import words
from loaders.sources.normas import strip_tags
from loaders.sources.vocabulary import read_vocabulary
from loaders.xml import RECORD_LIMIT, BadXml, iter_elements, iter_levels, local_name, plain_text, prolog, spaced
from queries.vocabulary import vocabulary
from tests.support.cases import SHARED, records, source, values

# The XML parser


@dataclass
class Parsed:
    """The texts of all elements ``r`` that were parsed, and the error that ended parsing."""

    texts: list[str]
    error: BadXml | None

    @property
    def code(self) -> str | None:
        return self.error.code if self.error else None


def parsed(data: bytes | str) -> Parsed:
    """Parse bytes, which a table has as text in Latin-1."""
    raw = data.encode("latin-1") if isinstance(data, str) else data
    texts: list[str] = []
    try:
        for element in iter_elements(io.BytesIO(raw), ["r"]):
            texts.append(plain_text(element))
    except BadXml as error:
        return Parsed(texts, error)
    return Parsed(texts, None)


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        *values("xml", "outermost_elements_are_yielded_in_order"),
        (b"<r>" + b"<x>" * 254 + b"1" + b"</x>" * 254 + b"</r>", ["1"]),
        (b"<r>" + b"<x>" * 255 + b"1" + b"</x>" * 255 + b"</r>", ["1"]),
    ],
)
def test_outermost_elements_are_yielded_in_order(data: str, texts: list[str]) -> None:
    assert parsed(data) == Parsed(texts, None)


DOCTYPES = {
    "bare": b"<!DOCTYPE a><a><r/></a>",
    "internal": b'<?xml version="1.0"?>\n<!-- x --><?p x?>\n<!DOCTYPE a [<!ENTITY l "lol">]><a><r>&l;</r></a>',
    "external": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a><r>&x;</r></a>',
    "parameter": b'<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><a><r/></a>',
    "system": b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd"><a><r/></a>',
    "quadratic": b'<!DOCTYPE a [<!ENTITY q "' + b"x" * 50_000 + b'">]><a><r>' + b"&q;" * 1000 + b"</r></a>",
    "html": b"<!doctype html><html><r/></html>",
}


@pytest.mark.parametrize("data", DOCTYPES.values(), ids=DOCTYPES)
def test_doctype_is_refused_before_any_record(data: bytes) -> None:
    result = parsed(data)
    assert (result.texts, result.code) == ([], RefusalCode.DOCTYPE)


def test_billion_laughs_are_refused_immediately() -> None:
    levels = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    data = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "lol">{levels}]><a><r>&l9;</r></a>'.encode()
    error = parsed(data).error
    assert error is not None
    assert (error.line, error.column) == (1, 22)
    assert str(error) == (
        "the file has a document type declaration (<!DOCTYPE>) "
        "(expected XML without one: entities are never read, see docs/reference/sources.md)"
    )


@pytest.mark.parametrize(("data", "texts"), values("xml", "records_before_an_error_are_yielded"))
def test_records_before_an_error_are_yielded(data: str, texts: list[str]) -> None:
    result = parsed(data)
    assert (result.texts, result.code) == (texts, RefusalCode.ILL_FORMED_XML)


@pytest.mark.parametrize(("data", "position", "said"), values("xml", "error_has_its_position"))
def test_error_has_its_position(data: str, position: str, said: str) -> None:
    error = parsed(data).error
    assert error is not None
    assert str(error).startswith(said)
    assert (error.code == RefusalCode.EMPTY_FILE) is ("empty" in said)
    assert error.position == position or error.code == RefusalCode.EMPTY_FILE
    assert error.expected.startswith(("well-formed XML, XML 1.0 (Fifth Edition)", "`<?xml` as", "an XML document"))


@pytest.mark.parametrize(("data", "problem"), values("xml", "unsupported_encoding_is_refused"))
def test_unsupported_encoding_is_refused(data: str, problem: str) -> None:
    result = parsed(data)
    assert result.error is not None
    assert (result.code, result.error.problem if problem else "") == (RefusalCode.BAD_ENCODING, problem)
    assert result.texts == (["1"] if "<r>1" in data else [])
    if "0xE9" in problem:
        assert result.error.expected == "UTF-8, or ISO-8859-1 or US-ASCII where the file declares it"


@pytest.mark.parametrize("depth", [257, 300, 100_000])
def test_depth_over_the_limit_is_refused(depth: int) -> None:
    result = parsed(b"<a><r>1</r>" + b"<x>" * (depth - 1) + b"1" + b"</x>" * (depth - 1) + b"</a>")
    assert (result.texts, result.code) == (["1"], RefusalCode.XML_LIMIT)


def test_lengths_of_a_text_and_of_a_record_are_limited() -> None:
    assert parsed(b"<r>" + b"x" * 10_000_000 + b"</r>").error is None
    assert parsed(b"<r>" + b"x" * 10_100_000 + b"</r>").code == RefusalCode.XML_LIMIT
    endless = b"<a><r>1</r><r>" + (b"<x>" + b"y" * 1000 + b"</x>\n") * (RECORD_LIMIT // 1000)
    result = parsed(endless)
    assert (result.texts, result.code) == (["1"], RefusalCode.RECORD_TOO_LARGE)
    assert result.error is not None
    assert result.error.problem == "more than 16777216 bytes without one complete record"


def test_wrong_root_is_reported() -> None:
    with pytest.raises(BadXml) as raised:
        list(iter_elements(io.BytesIO(b"<q:html xmlns:q='x'/>"), ["r"], roots=["LexML", "OAI-PMH"]))
    assert str(raised.value) == "the root element is <html> (expected <LexML>, <OAI-PMH>)"


def test_stream_error_is_raised_after_earlier_elements() -> None:
    class Cut(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            if not data:
                raise BadRecord(RefusalCode.TRUNCATED_FILE, "cut", "whole")
            return data

    elements = iter_elements(Cut(b"<a><r>1</r><r>2"), ["r"])
    assert plain_text(next(elements)) == "1"
    with pytest.raises(BadRecord, match="cut"):
        next(elements)


@given(st.binary(max_size=300))
def test_any_bytes_give_elements_or_a_bad_xml_error(data: bytes) -> None:
    for wrapped in (data, b"<a><r>" + data + b"</r></a>", b"<?xml " + data):
        result = parsed(wrapped)
        assert result.error is None or result.code in set(RefusalCode)
    try:
        encoding = prolog(data).encoding
    except BadXml:
        return
    assert encoding in {"utf-8", "iso-8859-1", "us-ascii"}


@given(st.text("<>/!-?DOCTYPEa[]&;'\"=: \n", max_size=60))
def test_doctype_is_never_accepted_after_any_markup(text: str) -> None:
    result = parsed(text.encode() + b"<!DOCTYPE r [<!ENTITY e 'boom'>]><r>&e;</r>")
    assert "boom" not in "".join(result.texts)


# The upper levels of a document


def levels(data: bytes, depth: int) -> list[tuple[str, str]]:
    return [(local_name(e.tag), "".join(map(str, e.itertext()))) for e in iter_levels(io.BytesIO(data), depth)]


def test_elements_of_upper_levels_are_yielded_at_their_end_and_the_root_last() -> None:
    data = b"<a>1<b>2<c>3<d>4</d></c><c>5</c></b><b>6</b></a>"
    assert levels(data, 0) == [("a", "123456")]
    assert levels(data, 1) == [("b", "2345"), ("b", "6"), ("a", "1")]
    assert levels(data, 2) == [("c", "34"), ("c", "5"), ("b", "2"), ("b", "6"), ("a", "1")]
    pairs = []
    for element in iter_levels(io.BytesIO(b"<r><t>1</t><l><t>2</t><x><t>3</t></x></l></r>"), 2):
        above = element.getparent()
        pairs.append((element.tag, None if above is None else above.tag))
    assert pairs == [("t", "r"), ("t", "l"), ("x", "l"), ("l", "r"), ("r", None)]
    for bad in (b"<a><b/>", b"<a><b/></a><a/>", b"<a><b></a>", b"<a>\x0b</a>"):
        with pytest.raises(BadXml) as error:
            levels(bad, 1)
        assert error.value.code == RefusalCode.ILL_FORMED_XML


# Texts of invisible characters are empty, and those within words are kept


@pytest.mark.parametrize(
    "text", ["\u200b", "\u00ad", "\u00a0", "\ufeff", "\u2060 \u200d", " \u2003\n\u200b\t", "\u2028", ""]
)
def test_invisible_characters_are_not_text(text: str) -> None:
    assert spaced(text) == ""
    assert strip_tags(text) == strip_tags(f"<p>{text}</p><p>{text}</p>") == (None, [])
    for inside in (text, f"<p>{text}</p>", f"<p>{text}<b>{text}</b></p><p>{text}</p>"):
        element = fromstring(f"<Texto>{inside}</Texto>")
        assert (plain_text(element), words([element])) == ("", None)


@pytest.mark.parametrize("text", ["lei\u00adtura", "\u200blei", "lei\u200b", "a", "§", "…", "\u0301"])
def test_word_with_invisible_characters_is_unchanged(text: str) -> None:
    assert spaced(text) == text
    assert strip_tags(text) == strip_tags(f"<p>{text}</p>") == (text, [])
    for inside in (text, f"<p>{text}</p>", f"<p>\u200b</p><p>{text}</p><p>\u00ad</p>"):
        element = fromstring(f"<Texto>{inside}</Texto>")
        assert plain_text(element) == words([element]) == text


# Vocabularies as SKOS in RDF/XML and Turtle


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
