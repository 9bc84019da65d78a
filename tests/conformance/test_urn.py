"""Tests of names: the examples of the specifications, refusals, deviations, names found on the web, and the docs."""

from __future__ import annotations

import csv
import doctest
import re
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from graph.errors import BadName, Span
from graph.urn import Kind, Name, parse
from graph.urn.deviations import DEVIATIONS, DeviationCode, Reason, SpellingCode

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "urn"
SHARED = ROOT.parent / "shared"
PAGE = ROOT / "docs" / "reference" / "names.md"
CDC = "urn:lex:br:federal:lei:1990-09-11;8078"


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def toml(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / name).read_text("utf-8"))


def read(text: str) -> Name | BadName:
    try:
        return parse(text)
    except BadName as error:
        return error


def refused(name: str) -> BadName:
    with pytest.raises(BadName) as raised:
        parse(name)
    return raised.value


# The examples of the specifications. ``prefix`` and ``behind`` complete the printed text to a name. ``expected`` is the
# canonical name, ``=`` for the text itself, or the code of the refusal.

EXAMPLES = table(DATA / "spec-examples.tsv")


def test_all_specifications_are_covered() -> None:
    parts = {f"LexML 0.7 part {number}" for number in (0, 2, 3, 4, 5, 6)}
    assert {row["spec"] for row in EXAMPLES} == parts | {"LexML 1.0 part 2", "RFC 9676"}
    assert len(EXAMPLES) >= 250


@pytest.mark.parametrize("spec", sorted({row["spec"] for row in EXAMPLES}))
def test_specification_example_is_parsed(spec: str) -> None:
    failed: list[tuple[str, str, object]] = []
    for row in (row for row in EXAMPLES if row["spec"] == spec):
        text = row["prefix"] + row["printed"] + row["behind"]
        expected = text if row["expected"] == "=" else row["expected"]
        name = read(text)
        if isinstance(name, BadName):
            sound = (row["kind"], name.code) == ("-", expected)
        else:
            sound = (name.canonical, name.dialect.value, name.kind.value) == (expected, row["dialect"], row["kind"])
            sound &= parse(name.canonical) == name
            sound &= bool(name.canonical == text or name.deviations or name.normalisations)
        failed += [] if sound else [(row["section"], text, name)]
    assert failed == []


# Refusals

REFUSALS = toml("refusals.toml")
CODES = [(name.replace("CDC", CDC), code) for code, names in REFUSALS["codes"].items() for name in names]
CODES += [("x" * 4097, "too-long"), ("x" * 4096, "no-prefix"), (f"{CDC}\ud800", "bad-character")]


@pytest.mark.parametrize("row", REFUSALS["messages"], ids=lambda row: row["expected"])
def test_error_has_its_message(row: dict[str, str]) -> None:
    name = row["name"].replace("CDC", CDC)
    error = refused(name)
    first, shown, marks, see = str(error).split("\n")
    assert (error.code, error.text, first, see) == (row["code"], name, row["expected"], f"see {row['see']}")
    assert shown == f"  {name}".replace("\0", "\ufffd")
    assert shown[marks.index("^") : len(marks)] == row["marked"]


def test_error_has_its_code() -> None:
    assert [(name, error.code) for name, code in CODES if (error := refused(name)).code != code] == []
    assert {code for _, code in CODES} | {row["code"] for row in REFUSALS["messages"]} == {r.value for r in Reason}
    error = refused("  URN%3ALEX%3ABR%3Afederal%3Alei%3A2023-02-30%3B99901")
    assert (error.span, error.text[35:45]) == (Span(35, 45), "2023-02-30")  # offsets in the original text


# Deviations and other spellings

DEVIATING = toml("deviations.toml")
#: The meaning and the example of each deviation in the documentation.
DEVIATION_ROWS = {
    code: (meaning, example)
    for code, meaning, example in re.findall(
        r"^\| `([a-z-]+)` \| (.+) \| `(.+)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
}


@pytest.mark.parametrize("code", list(DeviationCode))
def test_documented_example_has_its_deviation(code: DeviationCode) -> None:
    name = parse(DEVIATION_ROWS[code][1])
    assert [deviation.code for deviation in name.deviations] == [code.value]
    assert (name.deviations[0].message, name.canonical) == (DEVIATIONS[code], DEVIATING["canonical"][code])
    again = parse(name.canonical)
    assert [deviation.code for deviation in again.deviations] == [code.value] * (code.value in DEVIATING["lasting"])
    assert again == name


def test_deviation_has_its_span() -> None:
    for text, code, piece in DEVIATING["spans"]:
        (deviation,) = parse(text).deviations
        assert (deviation.code, text[deviation.span.start : deviation.span.end]) == (code, piece), text
    name = parse(" URN:LEX:BR;rio.de.janeiro:Estadual:lei:2000-01-01;99901!art1@2000-02-01 ")
    several = ["white-space", "upper-case", "connective", "fragment-before-version"]
    assert [deviation.code for deviation in name.deviations] == several
    assert str(name) == "urn:lex:br;rio.janeiro:estadual:lei:2000-01-01;99901@2000-02-01!art1"


def test_documented_spelling_is_normalised() -> None:
    assert set(DEVIATING["normalised"]) == {code.value for code in SpellingCode}
    for code, text in DEVIATING["normalised"].items():
        name = parse(text)
        assert (name.normalisations, name.deviations) == ((code,), ())
        assert name.canonical != name.text
        assert not parse(name.canonical).normalisations


def test_documentation_agrees_and_runs() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert {code: meaning for code, (meaning, _) in DEVIATION_ROWS.items()} == DEVIATIONS
    assert list(DEVIATION_ROWS) == list(DeviationCode)
    listed = re.search(r"Refusal codes: (.+?)\.\n", page, re.DOTALL)
    assert listed is not None
    assert re.findall(r"`([a-z-]+)`", listed[1]) == [reason.value for reason in Reason]
    assert all(f"`{code.value}`" in page for code in SpellingCode)
    done = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert (done.failed, done.attempted >= 10) == (0, True)


# Names found on the web, and the vocabularies

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the sample data of the specifications is not next to this checkout"
)


@needs_shared
def test_sample_verdicts_equal_the_table() -> None:
    """Check 402 names. One name contains NUL bytes, which the csv module cannot read."""
    lines = (SHARED / "data" / "urns-sample.tsv").read_text(encoding="utf-8").split("\n")[1:]
    pairs = [tuple(line.split("\t")[:2]) for line in lines if line]
    assert len(pairs) == 402
    differing = {row["name"]: (row["verdict"], row["codes"]) for row in table(DATA / "kinds-differences.tsv")}
    assert set(differing) <= {text for text, _ in pairs}
    outcomes: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for text, kind in pairs:
        name = read(text)
        if isinstance(name, BadName):
            verdict, codes = "refused", [name.code]
            assert 0 <= name.span.start < name.span.end <= len(text), text
            assert str(name).count("\n") == 3
        else:
            codes = [deviation.code for deviation in name.deviations]
            verdict = "deviation" if codes else "accepted"
            again = parse(name.canonical)
            assert (again, again.canonical, again.kind) == (name, name.canonical, name.kind)
            assert kind != "v1.0-canonical" or (name.canonical == text and name.kind is not Kind.REFERENCE)
            assert kind != "v1.0-reference" or name.kind is Kind.REFERENCE
        if text in differing:
            assert (verdict, ",".join(codes)) == differing[text], text
        else:
            outcomes[kind] |= {(verdict, code) for code in codes or [""]}
    kinds = table(DATA / "kinds.tsv")
    assert outcomes == {row["kind"]: {(row["verdict"], code) for code in row["codes"].split(",")} for row in kinds}


@needs_shared
def test_every_vocabulary_value_makes_a_name() -> None:
    counts = Counter[str]()
    for file, column, form in (
        ("localidade", "about", "{}:federal:lei:2000;99901"),
        ("autoridade", "about", "br:{}:portaria:2000;99901"),
        ("portal-prefix-counts-2015", "prefixo", "{}:2000;99901"),
        ("tipoDocumento", "about", "br:federal:{}:2000;99901"),
        ("evento", "about", "br:federal:lei:2000;99901@2000-01-01;{};2000-01-01"),
    ):
        with (SHARED / "data" / "vocabularies" / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
            values = [row[column] for row in csv.DictReader(lines)]
        for value in values:
            text = f"urn:lex:{form.format(value).replace('br:federal:br', 'br')}"
            name = parse(text)
            counts.update([*(deviation.code for deviation in name.deviations), *name.normalisations])
            assert name.canonical == text or name.normalisations, text
    assert counts == {"hyphen-in-authority": 1, "gazette-detail": 3, "authorities-sorted": 3}
