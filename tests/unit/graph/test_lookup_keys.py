"""Tests of lookup keys: the keys of each work, and that a query uses the same key as the work."""

from __future__ import annotations

from datetime import date

import pytest

from graph.references import (
    key_prefix_by_date,
    key_prefix_by_date_of_issuer,
    key_prefix_by_day,
    key_prefix_by_number,
    key_prefix_by_number_and_year,
    key_prefix_by_number_of_issuer,
    keys_of,
    nickname_key,
    numbers_of,
)
from graph.urn import parse
from tests.support.rows import Row, full_name, rows


@pytest.mark.parametrize("row", rows("urn/lookup_keys.txt"))
def test_norm_has_its_keys(row: Row) -> None:
    assert tuple(keys_of(parse(full_name(row.text)))) == row.answers


def test_each_incomplete_form_is_the_beginning_of_its_keys() -> None:
    issuer = ("br;sao.paulo;campinas", "municipal", "lei.complementar")
    assert [
        key_prefix_by_number("lei.complementar", "8"),
        key_prefix_by_number_and_year("lei.complementar", "8", 2003),
        key_prefix_by_number_of_issuer(*issuer, "8"),
        key_prefix_by_date("lei.complementar", 2003),
        key_prefix_by_date("lei.complementar", 2003, 6),
        key_prefix_by_date_of_issuer(*issuer, 2003),
        key_prefix_by_date_of_issuer(*issuer, 2003, 6),
        key_prefix_by_day(key_prefix_by_date_of_issuer(*issuer, 2003, 6), date(2003, 6, 27)),
    ] == [
        "lei.complementar nº 8/",
        "lei.complementar nº 8/2003",
        "br;sao.paulo;campinas:municipal:lei.complementar nº 8/",
        "lei.complementar de 2003",
        "lei.complementar de 2003-06",
        "br;sao.paulo;campinas:municipal:lei.complementar de 2003",
        "br;sao.paulo;campinas:municipal:lei.complementar de 2003-06",
        "br;sao.paulo;campinas:municipal:lei.complementar de 2003-06-27",
    ]


def test_nickname_key_is_not_a_prefix_of_a_longer_nickname_key() -> None:
    assert not nickname_key("Código de Defesa do Consumidor").startswith(nickname_key("Código de Defesa"))


@pytest.mark.parametrize(
    ("number", "pieces"),
    [
        ("8078", ("8078",)),
        ("039", ("39",)),
        ("0", ("0",)),
        ("2021-5", ("2021-5", "2021")),
        ("40_1986010447423", ("40_1986010447423", "40", "1986010447423")),
        ("106-11001", ("106-11001", "106", "11001")),
        ("c-10-97", ("c-10-97", "c", "10")),
        ("aipa-cr-35", ("aipa-cr-35", "aipa", "35")),
        ("lex-16", ("lex-16",)),
        ("seq-sf-32", ("seq-sf-32",)),
    ],
)
def test_number_is_split_into_parts(number: str, pieces: tuple[str, ...]) -> None:
    assert numbers_of(number) == pieces


@pytest.mark.parametrize("text", ["Lei Maria da Penha", "lei.maria.penha", "LEI  MARIA DA PENHA", "lei maria penha."])
def test_nickname_spellings_have_one_key(text: str) -> None:
    assert nickname_key(text) == "apelido lei maria penha."
