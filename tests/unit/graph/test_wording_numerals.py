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


def test_other_text_is_no_numeral() -> None:
    roman_like = ["", "IIII", "VV", "IC", "XM", "MMMM", "A", "I I", "1", "Ⅳ"]
    assert [text for text in roman_like if from_roman(text) is not None] == []
    assert [text for text in ("", "á", "a1", "abcde") if from_letters(text) is not None] == []
    for number in (0, -1, 4000):
        with pytest.raises(ValueError, match="from 1 to 3999"):
            roman(number)


@given(st.integers(1, 26 + 26**2 + 26**3))
def test_letters_round_trip(number: int) -> None:
    assert from_letters(letters(number)) == number


def test_letters_continue_after_z() -> None:
    assert [letters(number) for number in (1, 26, 27, 28, 52, 53)] == ["a", "z", "aa", "ab", "az", "ba"]


def test_ordinal_words_are_read() -> None:
    stated = """primeiro 1; Primeira 1; décimo 10; décimo primeiro 11; DÉCIMA NONA 19; vigésimo 20; vigésima-quarta 24;
    centésimo vigésimo terceiro 123; centésimo terceiro 103"""
    for words_, number in (pair.rsplit(" ", 1) for pair in stated.split(";")):
        assert from_ordinal(words_.strip()) == int(number), words_
    for other in (
        "primeiro décimo",
        "décimo décimo",
        "segundo terceiro",
        "sexta-feira",
        "segundos",
        "segundo a",
        "o",
        "",
    ):
        assert from_ordinal(other) is None, other


def test_ordinal_sign_is_used_only_up_to_nine() -> None:
    assert [ordinal(number) for number in (1, 9, 10)] == ["1º", "9º", "10"]
    assert [ordinal(number, feminine=True) for number in (1, 9, 10)] == ["1ª", "9ª", "10"]


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert words(" ".join(words(text))) == words(text)


def test_connectives_are_removed_unless_alone() -> None:
    assert words("Lei de Diretrizes e Bases da Educação") == ("lei", "diretrizes", "bases", "educacao")
    assert words("de e da") == ("de", "e", "da")
    assert words("Lei da Ficha Limpa", keep_connectives=True) == ("lei", "da", "ficha", "limpa")
