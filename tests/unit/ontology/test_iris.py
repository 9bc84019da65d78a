"""Tests of generated IRIs: equal for equal input, different for different input, and accepted by the engine."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from hashlib import sha256
from urllib.parse import unquote

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.iris import (
    DERIVED_GRAPH,
    ID,
    VOCAB,
    content_iri,
    day_iri,
    hashed_iri,
    provider_iri,
    provider_of,
    vocab_iri,
)

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
parts = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x1f")), min_size=1, max_size=4)


def test_constants_have_the_published_values() -> None:
    assert ID == "https://w3id.org/vigente/id/"
    assert VOCAB == "https://w3id.org/vigente/vocab/"
    assert DERIVED_GRAPH == "https://w3id.org/vigente/id/grafo/derivado"


@pytest.mark.parametrize(
    ("notation", "segment"),
    [
        ("lei", "lei"),
        ("projeto.lei;plc", "projeto.lei;plc"),
        ("minas.gerais;sao.joao.del-rei", "minas.gerais;sao.joao.del-rei"),
        ("a b", "a%20b"),
        ("a/b", "a%2Fb"),
        ("a?b#c", "a%3Fb%23c"),
        ("[a]", "%5Ba%5D"),
        ('<">{}|\\^`', "%3C%22%3E%7B%7D%7C%5C%5E%60"),
        ("50%", "50%25"),
        ("a%20b", "a%2520b"),
        ("são", "s%C3%A3o"),
        ("\n", "%0A"),
        (".", "%2E"),
        ("..", "%2E%2E"),
        ("...", "..."),
    ],
)
def test_vocab_iri_percent_encodes_its_segment(notation: str, segment: str) -> None:
    assert vocab_iri("tipoDocumento", notation) == f"https://w3id.org/vigente/vocab/tipoDocumento/{segment}"


@settings(max_examples=100)
@given(words, parts, parts)
def test_every_input_gives_a_valid_iri_of_its_own(word: str, first: list[str], other: list[str]) -> None:
    iri = vocab_iri("evento", word)
    assert unquote(iri.removeprefix(f"{VOCAB}evento/")) == word
    assert ox.NamedNode(iri).value == iri
    assert (hashed_iri("x", *first) == hashed_iri("x", *other)) == (first == other)


def test_hashed_iri_is_the_truncated_digest_of_the_joined_parts() -> None:
    digest = sha256("é\x1fb".encode()).hexdigest()
    assert hashed_iri("periodo", "é", "b") == f"https://w3id.org/vigente/id/periodo/{digest[:32]}"
    made = {hashed_iri("x", "ab", "c"), hashed_iri("x", "a", "bc"), hashed_iri("x", "abc"), hashed_iri("x", "abc", "")}
    assert len(made) == 4
    assert hashed_iri("periodo", "a") != hashed_iri("lacuna", "a")
    assert hashed_iri("a/b", "c").startswith(f"{ID}a%2Fb/")


@pytest.mark.parametrize(
    ("day", "segment"),
    [
        (date(1990, 9, 11), "1990-09-11"),
        (date(1, 1, 1), "0001-01-01"),
        (date(9999, 12, 31), "9999-12-31"),
        (datetime(1990, 9, 11, 23, 59), "1990-09-11"),  # noqa: DTZ001 - a civil day has no zone
    ],
)
def test_day_iri_is_the_civil_date(day: date, segment: str) -> None:
    assert day_iri(day) == f"https://w3id.org/vigente/id/dia/{segment}"


def test_provider_iri_uses_the_url_unchanged() -> None:
    iri = provider_iri("https://oai.example/oai")
    assert iri == ID + "provedor/https%3A%2F%2Foai.example%2Foai" == provider_iri("https://oai.example/oai")
    assert provider_of(iri) == "https://oai.example/oai"
    assert len({iri, provider_iri("https://oai.example/oai/"), provider_iri("http://oai.example/oai")}) == 3


def test_content_iri_is_the_full_digest() -> None:
    digest = "0123456789abcdef" * 4
    assert content_iri(digest) == f"https://w3id.org/vigente/id/conteudo/{digest}"


WRONG_DIGESTS = ["", "a" * 63, "a" * 65, "A" * 64, "g" * 64, "a" * 64 + "\n", "\N{DEVANAGARI DIGIT ONE}" * 64]
REFUSED: list[tuple[Callable[[], str], str]] = [
    (lambda: vocab_iri("", "lei"), "expected a scheme of at least one character, got ''"),
    (lambda: vocab_iri("evento", ""), "expected a notation of at least one character, got ''"),
    (lambda: vocab_iri("", ""), "expected a scheme of at least one character, got ''"),
    (
        lambda: hashed_iri("x", "ok", "a\x1fb"),
        "expected a part without U+001F, which separates the parts, got 'a\\x1fb'",
    ),
    (lambda: hashed_iri("periodo"), "expected at least one part that identifies the periodo, got none"),
    (lambda: hashed_iri("", "a"), "expected a kind of at least one character, got ''"),
    (lambda: provider_iri(""), "expected the base URL or the domain of a provider, got ''"),
]


def test_invalid_input_is_refused() -> None:
    digests = [
        (lambda text=text: content_iri(text), f"expected a SHA-256 in 64 lower-case hexadecimal digits, got {text!r}")
        for text in WRONG_DIGESTS
    ]
    for call, message in (*REFUSED, *digests):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message follows
            call()
        assert str(caught.value) == message
