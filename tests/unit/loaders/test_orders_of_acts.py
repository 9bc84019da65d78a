"""Tests that the operations of an act are read from each source of its text. All norms but one are fictional."""

from __future__ import annotations

from datetime import date
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest

from graph.entities import Record
from loaders.documents import SourceDocument
from loaders.sources.registry import read_document

REAL = Path(__file__).resolve().parents[4] / "shared" / "data" / "planalto" / "L14133.html"
LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
FORMULA = "A Lei nº 99.901, de 5 de março de 2001, passa a vigorar com as seguintes alterações:"
VERSION = "urn:lex:br:federal:lei:2011-04-04;99902@2011-04-05;publicacao;2011-04-05"


def page(clause: str, end: str = "</html>") -> bytes:
    """Return a compiled page of an act that amends one law and repeals another."""
    lines = (
        "LEI Nº 99.902, DE 4 DE ABRIL DE 2011",
        "Altera a Lei nº 99.901.",
        f"Art. 1º {FORMULA}",
        "“Art. 3º Novo.” (NR)",
        "Art. 2º Fica revogado o art. 9º da Lei nº 99.903, de 6 de março de 2001.",
        f"Art. 3º {clause}",
        "Este texto não substitui o publicado no DOU de 5.4.2011",
    )
    return "".join(("<html>", *(f"<p>{line}</p>" for line in lines), end)).encode()


def document(name: str, act: str = "Norma") -> bytes:
    """Return an act, or a bill, as LexML XML."""
    quoted = (
        '<Alteracao id="art1_cpt_alt1"><Artigo id="art1_cpt_alt1_art3"><Rotulo>Art. 3º</Rotulo>'
        '<Caput id="art1_cpt_alt1_art3_cpt"><p>Novo.</p></Caput></Artigo></Alteracao>'
    )
    articles = (
        f'<Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>{FORMULA}</p>{quoted}</Caput></Artigo>'
        '<Artigo id="art2"><Rotulo>Art. 2º</Rotulo><Caput id="art2_cpt">'
        "<p>Esta Lei entra em vigor na data de sua publicação.</p></Caput></Artigo>"
    )
    wrapped = f"<{act}><Articulacao>{articles}</Articulacao></{act}>"
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
        f'<Identificacao URN="{name}"/></Metadado>{wrapped}</LexML>'
    ).encode()


def record_of(raw: bytes, label: str, kind: str) -> Record:
    source = SourceDocument(label, partial(BytesIO, raw))
    return next(outcome for outcome in read_document(source, as_kind=kind) if isinstance(outcome, Record))


@pytest.mark.parametrize(
    ("raw", "kind", "effects"),
    [
        (page("Esta Lei entra em vigor na data de sua publicação."), "planalto", {date(2011, 4, 5)}),
        (page("Esta Lei entra em vigor em 1º de maio de 2011."), "planalto", {date(2011, 5, 1)}),
        (
            page(
                "Esta Lei entra em vigor em 1º de junho de 2011. (Redação dada pela Lei nº 99.904, de 2011)",
            ),
            "planalto",
            {None},
        ),
        (document(VERSION), "lexml_xml", {date(2011, 4, 5)}),
        (document("urn:lex:br:federal:lei:2011-04-04;99902"), "lexml_xml", {None}),
    ],
)
def test_operations_are_read_with_the_days_that_the_source_states(
    raw: bytes, kind: str, effects: set[date | None]
) -> None:
    read = record_of(raw, "act", kind)
    targets = [operation.target.canonical for operation in read.operations]
    assert targets[0] == f"{LAW}!art3_cpt"
    assert targets[1:] == (["urn:lex:br:federal:lei:2001-03-06;99903!art9"] if kind == "planalto" else [])
    assert {operation.effect for operation in read.operations} == effects
    assert read.unread_orders == 0


def test_bill_has_no_operations() -> None:
    bill = "urn:lex:br:senado.federal:projeto.lei;pls:2011;99902"
    assert record_of(document(bill), "bill.xml", "lexml_xml").operations == ()


def test_orders_that_are_not_understood_are_counted() -> None:
    raw = page("Esta Lei entra em vigor na data de sua publicação.").replace("“Art. 3º Novo.” (NR)".encode(), b"")
    read = record_of(raw, "act.htm", "planalto")
    assert (len(read.operations), read.unread_orders) == (1, 1)


@pytest.mark.skipif(not REAL.is_file(), reason="the real page is not distributed with Vigente")
def test_real_law_amends_four_laws_and_repeals_parts_of_two() -> None:
    read = record_of(REAL.read_bytes(), REAL.name, "planalto")
    amended = {operation.target.work.canonical.rpartition(";")[2] for operation in read.operations}
    assert amended == {"13105", "2848", "8987", "11079", "8666", "10520", "12462"}
    assert read.unread_orders == 0
