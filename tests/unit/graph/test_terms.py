"""Tests of converting values to N-Triples and to terms of the engine, and back."""

from __future__ import annotations

from datetime import date

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.civil import When, parse_when
from graph.errors import BadDate
from graph.terms import Cell, Text, boolean, day, iri, number, read, read_when, string, text, to_engine, when

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
    ("written", "term", "datatype"),
    [
        ("1993-05-22", '"1993-05-22"', "date"),
        ("1993", '"1993"', "gYear"),
        ("1993-05-22/1993-06-01", '"1993-05-22/1993-06-01"', None),
        ("1993-05-22/..", '"1993-05-22/.."', None),
        ("0001", '"0001"', "gYear"),
        ("0990-09-11", '"0990-09-11"', "date"),
    ],
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


@pytest.mark.parametrize(
    ("literal", "datatype", "value"),
    [
        ("1993-05-32", "date", "1993-05-32"),
        ("1993-05-22Z", "date", "1993-05-22Z"),
        ("x", "integer", "x"),
        ("1.5", "decimal", 1.5),
        ("1e3", "double", 1000.0),
        ("1", "boolean", True),
        ("0", "boolean", False),
        ("1993", "gYear", "1993"),
        ("2001-01-01T00:00:00", "dateTime", "2001-01-01T00:00:00"),
    ],
)
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
