"""Tests of epigraphs and titles: the name read from each kind, the hints it needs, and the reasons for refusals.

The cases are in tests/data/wording/epigraphs.txt.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import BadEpigraph, BadParameter
from graph.urn import Kind, Name, parse
from graph.wording.epigraph import LONGEST, from_epigraph
from graph.wording.numerals import MONTHS
from tests.support.rows import Row, full_name, rows

TITLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "portal-titles-sample.tsv"
needs_titles = pytest.mark.skipif(not TITLES.exists(), reason="the sample of titles is not here")


@pytest.mark.parametrize("row", rows("wording/epigraphs.txt"))
def test_epigraph_gives_the_name_of_its_norm(row: Row) -> None:
    """Check the name and steps, or the refusal with the text that it concerns. Without number or day: a reference."""
    text = re.sub("[«»]", "", row.text)
    place, authority = row.given.get("place"), row.given.get("authority")
    answer, *steps = row.answers
    if answer[0] == "!":
        with pytest.raises(BadEpigraph) as refused:
            from_epigraph(text, place=place, authority=authority)
        error = refused.value
        assert (f"!{error.code}", error.problem[:9]) == (answer, "expected ")
        assert re.findall("«(.*)»", row.text, re.DOTALL) in ([], [text[error.span.start : error.span.end]])
        return
    reading = from_epigraph(text, place=place, authority=authority)
    assert (reading.name, reading.text, reading.kind) == (full_name(answer), text, parse(reading.name).kind)
    assert set(steps) <= set(reading.steps)
    assert (reading.kind is Kind.REFERENCE) == any(step.endswith("is a reference") for step in reading.steps)


def test_steps_explain_the_origin_of_each_part() -> None:
    text = "Resolução nº 99901, de 2016 - Dispõe sobre tudo"
    assert from_epigraph(text, place="sp;campinas", authority="camara.municipal").steps == (
        "place 'br;sao.paulo;campinas' from the hint",
        "no day: the year alone",
        "left out after the date: '- Dispõe sobre tudo'",
        "authority 'camara.municipal' from the hint",
    )
    assert from_epigraph("LEI Nº 11.705, DE 19 DE JUNHO DE 2008").steps == ()


@pytest.mark.parametrize("place", ["xx", "são@paulo", "sp;campinas;centro;sul", "Campinas", "nowhere", "xx;y"])
def test_invalid_place_hint_is_refused(place: str) -> None:
    with pytest.raises(BadParameter, match="expected a place"):
        from_epigraph("Lei nº 99901, de 2011", place=place)


def test_invalid_authority_hint_is_refused() -> None:
    with pytest.raises(BadParameter, match="expected an authority"):
        from_epigraph("Lei nº 99901, de 2011", authority="a:b")


@given(
    number=st.integers(1, 999_999),
    day=st.dates(date(1822, 1, 1), date.today()),  # noqa: DTZ011 - no norm has a later date
    capitals=st.booleans(),
    dotted=st.booleans(),
)
def test_number_and_date_round_trip(number: int, day: date, *, capitals: bool, dotted: bool) -> None:
    spelled = f"{number:,}".replace(",", ".") if dotted else str(number)
    text = f"Decreto nº {spelled}, de {day.day} de {MONTHS[day.month - 1]} de {day.year}"
    reading = from_epigraph(text.upper() if capitals else text, place="br")
    assert reading.name == f"urn:lex:br:federal:decreto:{day.isoformat()};{number}"


@given(st.text(max_size=60) | st.text("LeidcrtoMPnº°. ,/-0123456789\n[]()", max_size=60))
def test_any_text_gives_a_name_or_an_error(text: str) -> None:
    try:
        reading = from_epigraph(text)
    except BadEpigraph as refused:
        assert 0 <= refused.span.start <= refused.span.end <= max(1, len(text))  # noqa: PT017
    else:
        assert parse(reading.name).canonical == reading.name


@pytest.mark.parametrize("trap", ["1", "1.", "Lei ", "(", "I", "nº ", " ", "de ", "Lei nº 1 ", ", "])
def test_adversarial_texts_are_parsed_quickly(trap: str) -> None:
    for text in (trap * (LONGEST // len(trap)), "Lei nº 99901" + trap * 450 + "x", trap * 1_000_000):
        assert any(_seconds(text) < 1 for _ in range(10)), "a text that is no epigraph takes long"


def _seconds(text: str) -> float:
    start = process_time()
    try:
        from_epigraph(text)
    except BadEpigraph as refused:
        assert len(str(refused)) < 1000  # noqa: PT017
    return process_time() - start


def titles() -> Iterator[tuple[str, Name]]:
    with TITLES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["title"], parse(row["urn"])


@needs_titles
def test_state_and_municipal_titles_are_not_read_as_federal() -> None:
    for title, name in titles():
        if name.local.detalhe:
            try:
                assert parse(from_epigraph(title).name).local.detalhe, title
            except BadEpigraph:
                continue


@needs_titles
def test_portal_titles_give_the_portal_names() -> None:
    """Check titles of norms and bills. Titles of judgments and books do not contain the number that their name has."""
    outcome = Counter(_compared(title, name) for title, name in titles())
    assert outcome["right"] >= 36
    assert outcome["as far as it says"] >= 6
    assert outcome["other"] <= 1, "a bill of 2019 that the portal dates 2022"
    assert outcome["norm refused"] == 0


def _compared(title: str, name: Name) -> str:
    place = ";".join((name.local.pais, *name.local.detalhe))
    authority = ",".join(";".join(subject) for subject in name.autoridade)
    try:
        parsed = parse(from_epigraph(title, place=place, authority=authority).name)
    except BadEpigraph:
        judged = {"acordao", "folheto", "livro"} & set(name.tipo_documento)
        return "refused" if judged else "norm refused"
    if parsed == name:
        return "right"
    same = (parsed.local, parsed.autoridade, parsed.tipo_documento, parsed.descritor.identificadores) == (
        name.local,
        name.autoridade,
        name.tipo_documento,
        name.descritor.identificadores,
    )
    dated = parsed.representative_date is None and parsed.representative_year in {None, name.representative_year}
    return "as far as it says" if same and dated else "other"
