"""Tests of numerals and folding: conversions in both directions, and texts that are not numerals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.wording.folding import folded, words
from graph.wording.numerals import from_letters, from_ordinal, from_roman, letters, ordinal, roman


def test_roman_numerals_round_trip() -> None:
    written = [roman(number) for number in range(1, 4000)]
    assert len(set(written)) == len(written)
    assert [from_roman(text) for text in written] == list(range(1, 4000))
    assert [from_roman(text.lower()) for text in written] == list(range(1, 4000))


@pytest.mark.parametrize("text", ["", "IIII", "VV", "IC", "XM", "MMMM", "A", "I I", "1", "Ⅳ"])
def test_invalid_roman_numeral_is_none(text: str) -> None:
    assert from_roman(text) is None


@pytest.mark.parametrize("number", [0, -1, 4000])
def test_number_out_of_roman_range_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 3999"):
        roman(number)


@given(st.integers(1, 26 + 26**2 + 26**3))
def test_letters_round_trip(number: int) -> None:
    assert from_letters(letters(number)) == number


@pytest.mark.parametrize(("number", "text"), [(1, "a"), (26, "z"), (27, "aa"), (28, "ab"), (52, "az"), (53, "ba")])
def test_letters_continue_after_z(number: int, text: str) -> None:
    assert letters(number) == text


@pytest.mark.parametrize("text", ["", "á", "a1", "abcde"])
def test_invalid_letters_are_none(text: str) -> None:
    assert from_letters(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("primeiro", 1),
        ("Primeira", 1),
        ("décimo", 10),
        ("décimo primeiro", 11),
        ("DÉCIMA NONA", 19),
        ("vigésimo", 20),
        ("vigésima-quarta", 24),
        ("centésimo vigésimo terceiro", 123),
        ("centésimo terceiro", 103),
        ("primeiro décimo", None),
        ("décimo décimo", None),
        ("segundo terceiro", None),
        ("sexta-feira", None),
        ("segundos", None),
        ("segundo a", None),
        ("o", None),
        ("", None),
    ],
)
def test_ordinal_words_are_read(text: str, number: int | None) -> None:
    assert from_ordinal(text) == number


@pytest.mark.parametrize(("number", "masculine", "feminine"), [(1, "1º", "1ª"), (9, "9º", "9ª"), (10, "10", "10")])
def test_ordinal_sign_is_used_only_up_to_nine(number: int, masculine: str, feminine: str) -> None:
    assert (ordinal(number), ordinal(number, feminine=True)) == (masculine, feminine)


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert words(" ".join(words(text))) == words(text)


def test_connectives_are_removed_unless_alone() -> None:
    assert words("Lei de Diretrizes e Bases da Educação") == ("lei", "diretrizes", "bases", "educacao")
    assert words("de e da") == ("de", "e", "da")
    assert words("Lei da Ficha Limpa", keep_connectives=True) == ("lei", "da", "ficha", "limpa")
