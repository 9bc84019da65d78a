"""Tests of CSV results: every row has as many fields as the header, whatever the terms contain."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO

import pyoxigraph as ox
import pytest

from service.results import write_results

PROVISION = "urn:lex:br:federal:lei:2018-08-14;13709!art65_cpt_inc2,mpv-869-2018-12-27"


def written(query: str, results_format: ox.QueryResultsFormat) -> bytes:
    output = BytesIO()
    answer = ox.Store().query(query)
    assert not isinstance(answer, ox.QueryTriples)
    write_results(answer, output, results_format)
    return output.getvalue()


def test_every_term_is_one_field() -> None:
    query = f"""SELECT ?name ?text ?open WHERE {{ VALUES (?name ?text ?open) {{
        (<{PROVISION}> "a, b" UNDEF) ("q\\"x" "two\\nlines"@pt 1.5) ("" true <urn:x:y>) }} }}"""
    rows = list(csv.reader(StringIO(written(query, ox.QueryResultsFormat.CSV).decode(), newline="")))
    assert rows == [
        ["name", "text", "open"],
        [PROVISION, "a, b", ""],
        ['q"x', "two\nlines", "1.5"],
        ["", "true", "urn:x:y"],
    ]


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?a ?b WHERE { VALUES (?a ?b) { (<urn:x:y> 1) (UNDEF "t"@en) } }',
        'SELECT ?a WHERE { VALUES ?a { UNDEF "" "a,b" } }',
        "SELECT ?a WHERE { FILTER(false) }",
        "ASK {}",
    ],
)
def test_answers_without_a_comma_in_an_iri_are_as_the_engine_writes_them(query: str) -> None:
    for results_format in (ox.QueryResultsFormat.CSV, ox.QueryResultsFormat.TSV, ox.QueryResultsFormat.JSON):
        answer = ox.Store().query(query)
        assert not isinstance(answer, ox.QueryTriples)
        assert written(query, results_format) == answer.serialize(format=results_format)
