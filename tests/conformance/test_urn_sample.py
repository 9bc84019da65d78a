"""Tests of 402 names found on the web: the kind of each agrees with tests/data/urn/kinds.tsv."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from graph.errors import BadName
from graph.urn import Kind, parse

SHARED = Path(__file__).resolve().parents[3] / "shared"
SAMPLE = SHARED / "data" / "urns-sample.tsv"
DATA = Path(__file__).parents[1] / "data" / "urn"

pytestmark = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the sample data of the specifications is not next to this checkout"
)


def table(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def sample() -> list[tuple[str, str]]:
    """Return pairs (name, kind). One name contains NUL bytes, which the csv module cannot read."""
    rows = [line.split("\t") for line in SAMPLE.read_text(encoding="utf-8").split("\n")[1:] if line]
    return [(row[0], row[1]) for row in rows]


def verdict(name: str) -> tuple[str, tuple[str, ...]]:
    try:
        read = parse(name)
    except BadName as refused:
        return "refused", (refused.code,)
    codes = tuple(deviation.code for deviation in read.deviations)
    return ("deviation" if codes else "accepted"), codes


def test_sample_verdicts_equal_the_table() -> None:
    pairs = sample()
    assert len(pairs) == 402
    differing = {row["name"]: row for row in table("kinds-differences.tsv")}
    assert set(differing) <= {name for name, _ in pairs}
    outcomes: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for name, kind in pairs:
        result, codes = verdict(name)
        if name in differing:
            row = differing[name]
            assert (result, ",".join(codes)) == (row["verdict"], row["codes"]), name
        else:
            outcomes[kind] |= {(result, code) for code in codes or ("",)}
    expected = {row["kind"]: {(row["verdict"], code) for code in row["codes"].split(",")} for row in table("kinds.tsv")}
    assert outcomes == expected


def test_accepted_names_round_trip_through_their_canonical_text() -> None:
    for text, kind in sample():
        if verdict(text)[0] == "refused":
            continue
        name = parse(text)
        again = parse(name.canonical)
        assert (again, again.canonical, again.kind) == (name, name.canonical, name.kind)
        if kind == "v1.0-canonical":
            assert name.canonical == text
            assert name.kind is not Kind.REFERENCE
        if kind == "v1.0-reference":
            assert name.kind is Kind.REFERENCE


def test_refusals_have_spans_inside_the_text() -> None:
    for text, _ in sample():
        if verdict(text)[0] != "refused":
            continue
        with pytest.raises(BadName) as refused:
            parse(text)
        assert 0 <= refused.value.span.start < refused.value.span.end <= len(text), text
        assert str(refused.value).count("\n") == 3


def _column(column: str, file: str) -> list[str]:
    with (SHARED / "data" / "vocabularies" / file).open(encoding="utf-8", newline="") as lines:
        return [row[column] for row in csv.DictReader(lines)]


def test_every_vocabulary_value_makes_a_name() -> None:
    texts = [f"urn:lex:{place}:federal:lei:2000;99901" for place in _column("about", "localidade.csv")]
    texts += [f"urn:lex:br:{authority}:portaria:2000;99901" for authority in _column("about", "autoridade.csv")]
    texts += [f"urn:lex:{prefix}:2000;99901" for prefix in _column("prefixo", "portal-prefix-counts-2015.csv")]
    texts += [
        f"urn:lex:{kind}:2000;99901" if kind.startswith("br") else f"urn:lex:br:federal:{kind}:2000;99901"
        for kind in _column("about", "tipoDocumento.csv")
    ]
    events = _column("about", "evento.csv")
    texts += [f"urn:lex:br:federal:lei:2000;99901@2000-01-01;{event};2000-01-01" for event in events]
    counts = Counter[str]()
    for text in texts:
        name = parse(text)
        counts.update(deviation.code for deviation in name.deviations)
        counts.update(name.normalisations)
        assert name.canonical == text or name.normalisations, text
    assert counts == {"hyphen-in-authority": 1, "gazette-detail": 3, "authorities-sorted": 3}
