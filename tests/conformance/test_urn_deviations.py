"""Tests of the tables of deviations and refusals: the examples hold, and docs/reference/names.md agrees and runs."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from graph.urn import parse
from graph.urn.deviations import DEVIATIONS, DeviationCode, Reason, SpellingCode

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "names.md"

#: Deviations that the canonical form keeps: the grammars have no syntax for their content.
LASTING = {
    DeviationCode.DATA_EVENTO,
    DeviationCode.INSERTED_BY,
    DeviationCode.NUMBER_IS_PROVISION,
    DeviationCode.NO_DATE,
    DeviationCode.HYPHEN,
    DeviationCode.GAZETTE,
}


@pytest.mark.parametrize("code", list(DeviationCode))
def test_documented_example_has_its_deviation(code: DeviationCode) -> None:
    entry = DEVIATIONS[code]
    name = parse(entry.example)
    assert [deviation.code for deviation in name.deviations] == [code.value]
    assert name.deviations[0].message == entry.meaning
    assert name.canonical == entry.canonical
    again = parse(name.canonical)
    assert [deviation.code for deviation in again.deviations] == ([code.value] if code in LASTING else [])
    assert again == name


@pytest.mark.parametrize(
    ("text", "code", "piece"),
    [
        ("urn:lex:br:federal:LEI:1990-09-11;8078", "upper-case", "L"),
        ("urn:lex:br:federal:lei:1990-09-11;8078!art43@1991-03-11", "fragment-before-version", "!art43"),
        ("urn:lex:br:federal:lei:1990-09-11;8078!art43,lei-1-1999-01-01", "inserted-by", "lei-1-1999-01-01"),
        ("urn:lex:br:federal:lei:1990-09-11;8078,8078", "repeated-value", "8078,8078"),
        ("urn:lex:br:federal:lei:1990-09-11,1990-09-11;8078", "repeated-value", "1990-09-11,1990-09-11"),
        ("urn:lex:br:federal,federal:lei:1990-09-11;8078", "repeated-value", "federal,federal"),
        (
            "urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11;x;1990-09-12,1990-09-12",
            "repeated-value",
            "1990-09-12,1990-09-12",
        ),
        (
            "urn:lex:br;justica.eleitoral;paraiba,pb:tribunal:acordao:2000;99901",
            "repeated-value",
            "paraiba,pb",
        ),
        ("urn:lex:br:federal:lei:1990-09-11;8078!", "trailing-separator", "!"),
        ("urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11!2007-01-10!art43", "mixed-dialects", "!art43"),
        ("urn:lex:br:federal:lei:1990-09-11;8078:art43@1991-03-11;publicacao", "mixed-dialects", ":art43"),
        ("urn:lex:br:federal:lei:1990-09-11;8078@versao.original!art43$vig=2000-01-01", "mixed-dialects", "!art43"),
        ("urn:lex:br:federal:lei:1990-09-11;8078 ", "white-space", " "),
        ("br:federal:lei:1990-09-11;8078", "prefix-missing", "b"),
    ],
)
def test_deviation_has_its_span(text: str, code: str, piece: str) -> None:
    (deviation,) = parse(text).deviations
    assert deviation.code == code
    assert text[deviation.span.start : deviation.span.end] == piece


def test_several_deviations_are_all_reported() -> None:
    name = parse(" URN:LEX:BR;rio.de.janeiro:Estadual:lei:2000-01-01;99901!art1@2000-02-01 ")
    assert [deviation.code for deviation in name.deviations] == [
        "white-space",
        "upper-case",
        "connective",
        "fragment-before-version",
    ]
    assert str(name) == "urn:lex:br;rio.janeiro:estadual:lei:2000-01-01;99901@2000-02-01!art1"


NORMALISED = {
    SpellingCode.UNIT_SPELLED_OUT: "urn:lex:br;sp:estadual:lei:2000;99901",
    SpellingCode.PLACES_SORTED: "urn:lex:br;justica.eleitoral;sergipe,alagoas:tribunal:acordao:2000;99901",
    SpellingCode.AUTHORITIES_SORTED: "urn:lex:br:b,a:portaria:2000;99901",
    SpellingCode.NUMBERS_SORTED: "urn:lex:br:federal:lei:2000;409,135",
    SpellingCode.DATES_SORTED: "urn:lex:br:federal:lei:2000-01-02,2000-01-01;99901",
    SpellingCode.ONE_DAY: "urn:lex:br:federal:lei:[2000-01-02,2000-01-02];99901",
    SpellingCode.PLAIN_NUMBER: "urn:lex:br:federal:lei:2000;99901;retificacao.01",
    SpellingCode.TRANSLATED: "urn:lex:br:federal:lei:2000;99901:art1",
    SpellingCode.HEX_DIGITS: "urn:lex:it:citt%c3%A0:legge:2000;99901",
    SpellingCode.PUNYCODE: "urn:lex:de:stadt.xn--mnchen-3ya:rundschreiben:2000;99901",
    SpellingCode.LOWER_CASE: "urn:lex:it:Stato:legge:2000;99901",
}


@pytest.mark.parametrize("code", list(SpellingCode))
def test_documented_spelling_is_normalised(code: SpellingCode) -> None:
    name = parse(NORMALISED[code])
    assert name.normalisations == (code.value,)
    assert not name.deviations
    assert name.canonical != name.text
    assert not parse(name.canonical).normalisations


def test_documentation_tables_equal_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \| `(.+)` \|$", page, re.MULTILINE)
    assert rows == [(code.value, entry.meaning, entry.example) for code, entry in DEVIATIONS.items()]
    assert set(DEVIATIONS) == set(DeviationCode)
    listed = re.search(r"Refusal codes: (.+?)\.\n", page, re.DOTALL)
    assert listed is not None
    assert re.findall(r"`([a-z-]+)`", listed[1]) == [reason.value for reason in Reason]
    for code in SpellingCode:
        assert f"`{code.value}`" in page


def test_documentation_examples_run() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.failed == 0
    assert done.attempted >= 10
