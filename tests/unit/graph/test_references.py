"""Tests of references: names and incomplete names are normalised by the vocabularies, and each step is listed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import BadName
from graph.references import read_reference
from graph.urn import parse
from graph.vocabulary import built_in
from tests.support.rows import Row, full_name, rows

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


@pytest.mark.parametrize("row", rows("wording/references.txt"))
def test_spellings_resolve_to_one_name(row: Row) -> None:
    """Check the name that a text means, and that each normalisation is listed; ``!`` marks a text that is refused."""
    if row.answers == ("!",):
        with pytest.raises(BadName):
            read_reference(row.text, built_in())
        return
    reference = read_reference(row.text, built_in())
    assert reference.name is not None
    assert (reference.name.canonical,) == tuple(map(full_name, row.answers))
    assert reference.steps or row.text == reference.name.canonical


@pytest.mark.parametrize(
    ("text", "year", "month", "numbers", "authority"),
    [
        ("urn:lex:br:federal:lei:1990-09;8078", 1990, 9, ("8078",), "federal"),
        ("urn:lex:br:federal:lei:1990-09", 1990, 9, (), "federal"),
        ("urn:lex:br:federal:lei:1990", 1990, None, (), "federal"),
        ("urn:lex:br:federal:lei:8078", None, None, ("8078",), "federal"),
        ("urn:lex:br:federal:lei:8.078", None, None, ("8078",), "federal"),
        ("urn:lex:br:lei:1990;8078", 1990, None, ("8078",), None),
        ("urn:lex:br::lei:1990;8078", 1990, None, ("8078",), None),
        ("urn:lex:br:lei:;8078", None, None, ("8078",), None),
    ],
)
def test_incomplete_name_has_the_stated_fields(
    text: str, year: int | None, month: int | None, numbers: tuple[str, ...], authority: str | None
) -> None:
    reference = read_reference(text, built_in())
    assert (reference.year, reference.month, reference.day) == (year, month, None)
    assert (reference.numbers, reference.kind) == (numbers, ("lei",))
    assert reference.authority == (((authority,),) if authority else ())
    assert reference.name is None or reference.name.canonical == "urn:lex:br:federal:lei:;8078"


def test_text_after_the_number_is_kept() -> None:
    reference = read_reference("urn:lex:br:lei:1990;8078!art6_cpt_inc8", built_in())
    assert (reference.numbers, reference.tail) == (("8078",), "!art6_cpt_inc8")
    reference = read_reference(
        "urn:lex:br:federal:decreto:1980-08;85080;anexo.ii@versao.vigente.em;2000-01-01", built_in()
    )
    assert (reference.month, reference.tail) == (8, ";anexo.2@versao.vigente.em;2000-01-01")


def test_huge_reference_is_refused() -> None:
    with pytest.raises(BadName):
        read_reference("urn:lex:br:federal:lei:1990;" + "9" * 5000, built_in())


WORDS = st.sampled_from(
    [
        *("stf", "STF", "federal", "Ministério da Fazenda", "ministerio.fazenda", "1.turma", "primeira.turma", "mp"),
        *("LEI", "sp"),
    ]
)


@given(
    st.sampled_from(["br", "br;sp", "br;rio.de.janeiro"]),
    st.lists(WORDS, min_size=1, max_size=3).map(",".join),
    WORDS,
    st.sampled_from(["1990-09-11;8078", "1990;8078", ";8078", "1990-09;1", "lei.da.ficha.limpa", "1990-09-11"]),
    st.sampled_from(["", ";anexo.ii", "!art5", "@versao.vigente.em;1993-06-15"]),
)
def test_normalisation_is_idempotent(place: str, authority: str, kind: str, descriptor: str, tail: str) -> None:
    once = read_reference(f"urn:lex:{place}:{authority}:{kind}:{descriptor}{tail}", built_in())
    if once.name is not None:
        again = read_reference(once.name.canonical, built_in())
        assert again.name == once.name
        assert not [step for step in again.steps if "written" in step]


@pytest.mark.parametrize(
    "name", [CODE, f"{CODE}@1991-03-11;publicacao;1990-09-12", "urn:lex:it:stato:legge:2004-01-09;4"]
)
def test_canonical_name_is_unchanged(name: str) -> None:
    reference = read_reference(name, built_in())
    assert (reference.name, reference.steps) == (parse(name), ())
