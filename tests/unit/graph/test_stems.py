"""Tests of search terms: inflections of one word have one term, and other words have other terms."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from graph.wording.folding import pieces, singular, term, terms

WORDS = (Path(__file__).parents[2] / "data" / "wording" / "word_pairs.txt").read_text("utf-8")
UNITED, APART = (
    [(word, other) for word, other in (pair.split() for pair in part.split(";"))]
    for part in WORDS.removeprefix("## one term\n").split("## two terms\n")
)


def without_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def test_inflections_have_one_term_with_and_without_accents() -> None:
    assert len(UNITED) >= 60
    for word, other in UNITED:
        spellings = [word, other, without_accents(word), without_accents(other), word.upper(), other.capitalize()]
        assert len({term(spelling) for spelling in spellings}) == 1, spellings


def test_different_words_have_different_terms() -> None:
    assert len(APART) >= 60
    for word, other in APART:
        assert term(word) != term(other), (word, other)
        assert term(without_accents(word)) != term(without_accents(other)), (word, other)


@given(st.text("abcdefghijlmnopqrstuvxzáâãàçéêíóôõúüÁÇÕ0123456789 -,§", max_size=40))
@example("ôes aos")
def test_folding_first_does_not_change_terms(text: str) -> None:
    assert terms(" ".join(pieces(text))) == terms(text)


@given(st.text("abcdeioslrzm", min_size=1, max_size=12))
def test_singular_is_never_longer_than_the_word(word: str) -> None:
    assert len(singular(word)) <= len(word)


def test_punctuation_splits_words_and_ordinals_are_omitted() -> None:
    assert pieces("Art. 5º-A, § 2º: dá-se o disposto n'A Lei_X") == [
        *("art", "5", "a", "2", "da", "se", "o", "disposto", "n", "a", "lei", "x")
    ]
