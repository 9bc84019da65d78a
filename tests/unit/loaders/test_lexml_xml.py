"""Tests of LexML XML: what is read, what is refused, the life cycle of a document, and real documents.

The fixture of the life cycle is a fictional law with every event of the schema (LexML part 3, annex 1): published
2001-03-06, in force from 2001-06-01; a veto overturned 2001-09-10; amended, and an article revoked, from 2002-05-02;
rectified 2002-07-01; a chapter revoked from 2003-02-01, known since 2003-01-21; an article annulled from the start by a
judgment of 2004-03-03; republished 2005-01-10; revoked from 2006-01-01, known since 2005-12-01.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from graph.entities import Coverage, Record
from graph.quarantine import Quarantine, Refusal
from graph.store import WritableStore, in_memory
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load
from loaders.xml import Element
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline
from tests.support.cases import DATA, SHARED, Row, answered, cases, loaded, only, read_back, read_by, stored, values

FILE = DATA / "lexml_xml" / "historia.xml"
FIXTURE = FILE.read_bytes()
NAME = "urn:lex:br:federal:lei:2001-03-05;99940"
LAW = "urn:lex:br:federal:lei:2001-03-05;99910"
AMENDING = "urn:lex:br:federal:lei:2002-05-01;99915"
LATE = "2006-06-01"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1"
FIRST = "@2001-06-01;publicacao;2001-03-06"
AMENDED = "@2002-05-02;alteracao;2002-05-02"
ARTICLE = '<Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>Palavras.</p></Caput></Artigo>'


def xml(articles: str = ARTICLE, metadata: str = "", name: str = NAME, content: str | None = None) -> str:
    """Return a document: a norm with these articles, if it has no other content."""
    inside = f"<Norma><Articulacao>{articles}</Articulacao></Norma>" if content is None else content
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
        f'<Identificacao URN="{name}"/>{metadata}</Metadado>{inside}</LexML>'
    )


def read(data: bytes | str) -> list[Outcome]:
    return read_by("lexml_xml", data, "a.xml")


@cases("lexml_xml", "read")
def test_document_is_read_or_refused(row: Row) -> None:
    fields = {key: row[key] for key in ("articles", "metadata", "name", "content") if key in row}
    raw = row.get("raw", xml(**fields))
    changes = row.get("replace", [])
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        raw = raw.replace(old, new)
    outcomes = read(raw)
    assert read_back(outcomes, row["reads"]) == row["reads"]
    if any(line.startswith("refusal") for line in row["reads"]):
        assert len(outcomes) == 1
        return
    record, notes = only(outcomes), [outcome for outcome in outcomes if isinstance(outcome, Note)]
    assert row.get("message", "") in "".join(note.message for note in notes)
    if "dropped" in row:
        assert sum(note.count for note in notes if note.dropped) == row["dropped"]
    if "parts" in row:
        assert [provision.fragment for provision in record.provisions] == row["parts"].split()
    if "parts" in row or "text" in row:
        name = row.get("name", NAME)
        provisions = text(stored(record), name).provisions
        assert len(provisions) == len(record.provisions)
        assert "text" not in row or [provision.text for provision in provisions if provision.text] == row["text"]


def test_bytes_that_are_not_text_are_refused() -> None:
    lines = ["refusal bad-encoding bytes that are not text", "only refusal"]
    outcomes = read(xml().encode().replace(b"Palavras", b"Pal\xe3vras"))
    assert read_back(outcomes, lines) == lines


def test_levels_are_limited() -> None:
    lines = ["refusal xml-limit", "only refusal"]
    assert read_back(read(xml("<Secao id='s'>" * 10_000 + "</Secao>" * 10_000)), lines) == lines
    record = only(read(xml("".join(f"<Secao id='sec{n}'>" for n in range(200)) + "</Secao>" * 200)))
    assert len(record.provisions) == 200
    assert [p.level for p in text(stored(record), NAME).provisions] == list(range(1, 201))


def test_circular_documents_are_loaded() -> None:
    """Check cycles of annexes and successors, and a provision that another source contains in its own descendant."""
    other = NAME.replace("99940", "99941")
    body = '<Capitulo id="cap1"><Artigo id="art1"><Caput id="art1_cpt"><p>A.</p></Caput></Artigo></Capitulo>'
    turned = '<Artigo id="art1"><Capitulo id="cap1"><Caput id="art1_cpt"><p>B.</p></Caput></Capitulo></Artigo>'
    context = (
        '<Contexto><FRBRObraComplexa URN="{}"><SucessorLogicoDe URN="{}"/><EquivalenteA URN="{}"/></FRBRObraComplexa>'
        "</Contexto>"
    )
    store = stored(
        only(read(xml(body, context.format(NAME, other, NAME), f"{NAME}@2001-06-01;publicacao;2001-03-06"))),
        only(read(xml(turned, name=f"{NAME}@2002-06-01;alteracao;2002-06-01"))),
        only(read(xml(body, context.format(other, NAME, other), other))),
    )
    for day in ("2001-06-01", "2002-06-01"):
        answer = text(store, NAME, day, "2003-01-01")
        assert {p.name.rpartition("!")[2] for p in answer.provisions} == {"cap1", "art1", "art1_cpt"}
    store.rebuild()


@settings(max_examples=300)
@given(st.data())
def test_damaged_document_never_raises(data: st.DataObject) -> None:
    """Replace up to 40 bytes anywhere by up to two: the result is one record that can be stored, or one refusal."""
    index = data.draw(st.integers(0, len(FIXTURE) - 1))
    byte = data.draw(st.binary(max_size=2))
    taken = data.draw(st.integers(0, 40))
    outcomes = read(FIXTURE[:index] + byte + FIXTURE[index + taken :])
    final = [o for o in outcomes if isinstance(o, Record | Refusal)]
    assert len(final) == 1
    if isinstance(final[0], Record):
        in_memory().apply([final[0]])


def test_truncated_document_gives_nothing_partial() -> None:
    for index in range(0, len(FIXTURE), 997):
        (outcome,) = read(FIXTURE[:index])
        assert isinstance(outcome, Refusal), index


# Optional parts of the schema of LexML 0.7 (part 3, annexes 1 to 3)


#: A document with each optional part of the schema.
WHOLE = (DATA / "tables" / "lexml_0_7.xml").read_text("utf-8")


def _without(path: str) -> bytes:
    """Return the document without the first place of a path."""
    root = etree.fromstring(WHOLE.strip().encode())
    found = root.xpath(path, namespaces={"n": "http://www.lexml.gov.br/0.7"})
    assert isinstance(found, list)
    first = found[0]
    if path.rpartition("/")[2].startswith("@"):
        parent = first.getparent()  # type: ignore[union-attr]  # an attribute's value
        del parent.attrib[first.attrname]  # type: ignore[union-attr,arg-type]
    else:
        first.getparent().remove(first)  # type: ignore[union-attr,arg-type]
    return etree.tostring(root, encoding="utf-8")


def test_optional_part_may_be_absent() -> None:
    lines = [
        'wording art1_cpt_pen1 - - "multa."',
        r'wording art1_par1 - - "Outro:\nx=2\n| um | dois |\nde fora"',
        'wording art1_par1_dpg1 - - "um."',
        'wording art2_cpt_asp1_art4_cpt_inc3 - - "novo"',
        "only note",
    ]
    lines = [line.replace(" - - ", " 2001-06-01 - ") for line in lines]
    outcomes = read(WHOLE.strip())
    assert read_back(outcomes, lines) == lines
    for path in values("lexml_xml", "optional"):
        outcomes = read(_without(path))
        assert [type(outcome) for outcome in outcomes] == [Record], path
        assert {"art1", "art2"} <= {provision.fragment for provision in only(outcomes).provisions}, path


def test_absent_identifiers_are_made_from_those_of_the_container() -> None:
    taken = WHOLE.replace('<Pena id="art1_cpt_pen1">', "<Pena>").replace("art1_cpt_inc1", "art1_cpt_pen1")
    for data, made in (
        (_without("//n:Pena/@id"), "art1_cpt_pen1"),
        (_without("//n:Alteracao/@id"), "art2_cpt_alt1"),
        (taken.strip().encode(), "art1_cpt_pen2"),
    ):
        assert made in {provision.fragment for provision in only(read(data)).provisions}


# The life cycle


@pytest.fixture(scope="module")
def store() -> WritableStore:
    assert [type(outcome) for outcome in read(FIXTURE)] == [Record]
    return loaded(FILE)


@cases("lexml_xml", "life")
def test_life_cycle_gives_the_answers(row: Row, store: WritableStore) -> None:
    assert answered(store, LAW, row["answers"]) == row["answers"]


def test_version_name_gives_its_text(store: WritableStore) -> None:
    answer = text(store, f"{LAW}{FIRST}")
    assert (answer.on, answer.as_known, answer.status, answer.version) == (None, None, None, LAW + FIRST)
    words = {p.name.rpartition("!")[2]: p.text for p in answer.provisions}
    assert (words["art1_cpt"], words["art2_cpt"]) == ("Primeira redação.", "Revogado depois.")
    amended = {p.name.rpartition("!")[2]: p.text for p in text(store, f"{LAW}{AMENDED}").provisions}
    assert amended["art1_cpt"] == "Segunda redasão."
    for on, status in (("2006-01-01", "revoked"), ("2001-03-04", "not-published"), ("2001-05-31", "vacatio")):
        of_day = text(store, LAW, on, LATE).status
        assert of_day is not None
        assert of_day.value == status


ORDER = (
    "epigrafe 1 ementa 1 cap1 1 art1 2 art1_cpt 3 art1_par1 3 art3 2 art3_cpt 3 art4 2 art4_cpt 3 cap2 1 art5 2 "
    "art5_cpt 3 art5_cpt_inc1 4 art6 1 art6_cpt 2 localdatafecho 1 assinatura 1"
)


def test_provisions_have_the_order_of_the_document(store: WritableStore) -> None:
    for name, expected in ((LAW, ORDER), (f"{LAW}!art1", "art1 1 art1_cpt 2 art1_par1 2")):
        provisions = text(store, name, "2002-05-02", "2002-07-01").provisions
        assert " ".join(f"{p.name.rpartition('!')[2]} {p.level}" for p in provisions) == expected


def test_diff_shows_the_change_of_each_provision(store: WritableStore) -> None:
    difference = diff(store, LAW, "2001-06-01", "2005-06-01", "2005-06-01")
    changes = []
    for change in difference.changes:
        why = [(reason.event, reason.cause) for reason in change.because]
        changes.append((change.provision.rpartition("!")[2], change.kind.value, why))
    amended, by = ("alteracao", AMENDING), ("revogacao", AMENDING)
    chapter = ("revogacao", "urn:lex:br:federal:lei:2003-01-20;99916")
    assert changes == [
        ("art1_cpt", "changed", [amended, ("retificacao", None), ("republicacao", None)]),
        ("art1_par1", "inserted", [amended]),
        ("art2", "revoked", [by]),
        ("art2_cpt", "revoked", [by]),
        ("art4_cpt", "changed", [("derrubada.veto.parcial", None)]),
        *((fragment, "revoked", [chapter]) for fragment in ("cap2", "art5", "art5_cpt", "art5_cpt_inc1")),
    ]
    assert difference.comparable


def test_diff_marks_words_and_compares_only_known_texts(store: WritableStore) -> None:
    difference = diff(store, LAW, "2001-09-09", "2002-06-01", "2002-07-01")
    change = next(c for c in difference.changes if c.provision.endswith("art1_cpt"))
    assert change.words == (("-", "Primeira"), ("+", "Segunda"), ("=", "redação."))
    made = diff(store, LAW, "2001-05-31", "2001-06-01", LATE)
    assert {c.kind.value for c in made.changes} == {"begun"}
    ended = diff(store, LAW, "2005-12-31", "2006-01-01", LATE)
    assert {c.kind.value for c in ended.changes} == {"revoked"}
    assert all(c.because[0].cause == "urn:lex:br:federal:lei:2005-11-30;99918" for c in ended.changes)
    assert diff(store, LAW, "2005-06-01", "2005-06-01", LATE).changes == ()
    unknown = diff(store, LAW, "2001-06-01", "2001-06-02", "2001-03-05")
    assert (unknown.comparable, unknown.changes) == (False, ())
    assert "not-comparable" in {notice.code for notice in unknown.notices}


def test_timeline_of_a_provision_has_causes(store: WritableStore) -> None:
    events = [(e.event, e.effect, e.known, e.cause) for e in timeline(store, f"{LAW}!art1_cpt").events]
    assert events == [
        ("publicacao", "2001-06-01", "2001-03-06", None),
        ("alteracao", "2002-05-02", "2002-05-02", AMENDING),
        ("retificacao", "2002-05-02", "2002-07-01", None),
        ("republicacao", "2005-01-10", "2005-01-10", None),
    ]
    follows = timeline(store, f"{LAW}!art6_cpt").periods
    assert {period.version for period in follows} == {None, f"{LAW}{FIRST}!art6_cpt"}


def test_metadata_and_citations_are_read() -> None:
    record = only(read(FIXTURE))
    lines = [
        'nicknames "Lei das Histórias"',
        "item https://um.example/99910.xml text/xml",
        'index_terms "histórias, ficção"',
        'summaries "Conta histórias."',
        "coverage history",
        "cites art6_cpt lei:2001-03-05;99910!art1",
        "cites art6_cpt lei:2001-03-05;99910!art3",
    ]
    assert record.coverage is Coverage.HISTORY
    assert read_back([record], lines) == lines
    assert record.document is not None
    assert {f"{relation.kind.value} {relation.target}" for relation in record.document.relations} == {
        "equivalente.a urn:lex:br:congresso.nacional:lei:2001-03-05;99910",
        "sucessor.logico.de urn:lex:br:federal:lei:1999-01-04;99911",
        f"publicacao.oficial {GAZETTE}:2001-03-06;99912",
        "em.conformidade.com urn:lex:br:federal:lei.complementar:1998-02-26;95",
        "projeto.de.origem urn:lex:br:camara.deputados:projeto.lei;pl:2000;99913",
        "mensagem.de.veto urn:lex:br:presidencia.republica:mensagem;veto:2001-03-05;99914",
    }


# Real documents, against a second count


SAMPLES = SHARED / "lexml-xml"
HREF = "{http://www.w3.org/1999/xlink}href"

needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample data is not beside the checkout")


def files() -> list[Path]:
    return sorted(SAMPLES.glob("*.xml")) if SAMPLES.is_dir() else []


def nodes(element: Element, path: str) -> list[Any]:
    """Return the nodes found by an XPath."""
    results = element.xpath(path)
    assert isinstance(results, list)
    return results


def own_words(element: Element) -> str:
    """Return the words of an element outside other identified elements, without labels and headings."""
    beside = "self::*[local-name()='Rotulo' or local-name()='NomeAgrupador' or local-name()='TituloDispositivo']"
    depth = len(nodes(element, "ancestor-or-self::*[@id]"))
    pieces = nodes(element, f".//text()[count(ancestor::*[@id])={depth}][not(ancestor::*[{beside}])]")
    return re.sub(r"\s+", "", "".join([str(piece) for piece in pieces]))


@needs_samples
@pytest.mark.parametrize("path", files(), ids=lambda path: path.name[:60])
def test_every_provision_has_its_words_label_and_citations(path: Path) -> None:
    (record,) = read(path.read_bytes())
    assert isinstance(record, Record)
    root = etree.parse(path).getroot()
    elements = nodes(root, "//*[@id]")
    behind = [p for p in record.provisions if "_txt" in p.fragment]
    with_id = [p for p in record.provisions if p not in behind]
    assert [p.fragment for p in with_id] == [str(e.get("id")) for e in elements]
    for provision, element in zip(with_id, elements, strict=True):
        (wording,) = provision.wordings
        texts = [wording.text, *(p.wordings[0].text for p in behind if p.within == provision.fragment)]
        assert re.sub(r"\s+", "", "".join(filter(None, texts))) == own_words(element), provision.fragment
        label = element.find("{*}Rotulo")
        assert wording.label == (" ".join(str(label.xpath("string()")).split()) or None if label is not None else None)
        assert [provision.within] == (nodes(element, "ancestor::*[@id][1]/@id") or [None])
    spans = [
        (nodes(span, "ancestor::*[@id][1]/@id")[0], str(span.get(HREF)))
        for span in nodes(root, "//*[local-name()='span'][@*[local-name()='href']]")
    ]
    assert sorted((p.fragment, name.text) for p in record.provisions for w in p.wordings for name in w.cites) == sorted(
        spans
    )


def lines_of(path: Path) -> Iterator[str]:
    """Return labels, headings and words of a document in document order."""
    root = etree.parse(path).getroot()
    body = nodes(root, "/*/*[local-name()!='Metadado']//text()[not(parent::*[local-name()='Metadado'])]")
    yield from (piece for piece in ("".join(str(part).split()) for part in body) if piece)


@needs_samples
@pytest.mark.slow
def test_composed_text_equals_each_document(tmp_path: Path) -> None:
    """Compare the text of the version that the document names with the document: same words in the same order."""
    store = in_memory()
    summary = load([SAMPLES], store, Quarantine(tmp_path / "q"))
    assert (summary.loaded, summary.refused.total(), summary.note_counts.total()) == (61, 0, 0)
    again = load([SAMPLES], store, Quarantine(tmp_path / "again"))
    assert (again.loaded, again.unchanged) == (0, 61)
    for path in files():
        record = only(read(path.read_bytes()))
        assert record.document is not None
        answer = text(store, record.document.name)
        assert "".join("".join("".join(p.lines).split()) for p in answer.provisions) == "".join(lines_of(path)), (
            path.name
        )
        assert len(answer.provisions) == len(record.provisions)
    name, (regulation,) = "urn:lex:br:senado.federal:resolucao:1970;93", SAMPLES.glob("RISF*.xml")
    identified = nodes(etree.parse(regulation).getroot(), "//*[@id]")
    for on, status, count in (("2015-06-26", "in-force", len(identified)), ("2015-06-25", "unknown", 0)):
        of_day = text(store, name, on, "2015-06-26")
        assert of_day.status is not None
        assert (of_day.status.value, len(of_day.provisions)) == (status, count)
