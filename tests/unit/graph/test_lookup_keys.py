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


def keys(name: str) -> list[str]:
    return list(keys_of(parse(name)))


def has_key_with_prefix(name: str, start: str) -> bool:
    """Return whether a name has a key with this prefix."""
    return any(key.startswith(start) for key in keys(name))


def test_full_name_has_a_key_for_each_incomplete_form() -> None:
    name = "urn:lex:br;sao.paulo;campinas:municipal:lei.complementar:2003-06-27;8"
    issuer = ("br;sao.paulo;campinas", "municipal", "lei.complementar")
    starts = [
        key_prefix_by_number("lei.complementar", "8"),
        key_prefix_by_number_and_year("lei.complementar", "8", 2003),
        key_prefix_by_number_of_issuer(*issuer, "8"),
        key_prefix_by_date("lei.complementar", 2003),
        key_prefix_by_date("lei.complementar", 2003, 6),
        key_prefix_by_date_of_issuer(*issuer, 2003),
        key_prefix_by_date_of_issuer(*issuer, 2003, 6),
        key_prefix_by_day(key_prefix_by_date_of_issuer(*issuer, 2003, 6), date(2003, 6, 27)),
    ]
    assert [start for start in starts if not has_key_with_prefix(name, start)] == []
    others = [
        key_prefix_by_number("lei.complementar", "80"),
        key_prefix_by_number("lei", "8"),
        key_prefix_by_number_and_year("lei.complementar", "8", 2004),
        key_prefix_by_number_of_issuer("br;sao.paulo", "municipal", "lei.complementar", "8"),
        key_prefix_by_date("lei.complementar", 2003, 7),
        key_prefix_by_day(key_prefix_by_date("lei.complementar", 2003), date(2003, 6, 28)),
    ]
    assert [start for start in others if has_key_with_prefix(name, start)] == []
    assert not has_key_with_prefix("urn:lex:br:federal:lei:2003-06-27;80", key_prefix_by_number("lei", "8")), (
        "of 80 it is no beginning"
    )
    assert len(keys(name)) == 4


def test_year_only_name_has_no_month_key() -> None:
    name = "urn:lex:br:federal:lei:1993;8656"
    assert has_key_with_prefix(name, key_prefix_by_date("lei", 1993))
    assert has_key_with_prefix(name, key_prefix_by_date_of_issuer("br", "federal", "lei", 1993))
    assert not has_key_with_prefix(name, key_prefix_by_date("lei", 1993, 1))


def test_undated_name_is_found_by_number() -> None:
    assert keys("urn:lex:br:supremo.tribunal.federal:sumula;vinculante:;4") == [
        "sumula nº 4/",
        "br:supremo.tribunal.federal:sumula nº 4/",
    ]


def test_keys_omit_subtype_organ_and_leading_zeros() -> None:
    name = "urn:lex:br:supremo.tribunal.federal;turma.1:acordao;ms:2012-05-29;030926-4156078"
    assert keys(name)[0] == key_prefix_by_number_and_year("acordao", "30926-4156078", 2012)
    assert has_key_with_prefix(name, key_prefix_by_number("acordao", "4156078"))
    assert has_key_with_prefix(
        name, key_prefix_by_number_of_issuer("br", "supremo.tribunal.federal", "acordao", "30926")
    )


def test_each_authority_date_and_number_gives_keys() -> None:
    name = "urn:lex:br:ministerio.fazenda,ministerio.justica:portaria:1999-12-31,2000-01-02;135,409"
    for authority in ("ministerio.fazenda", "ministerio.justica"):
        for number in ("135", "409"):
            assert has_key_with_prefix(name, key_prefix_by_number_of_issuer("br", authority, "portaria", number))
        assert has_key_with_prefix(name, key_prefix_by_date_of_issuer("br", authority, "portaria", 1999, 12))
        assert has_key_with_prefix(name, key_prefix_by_date_of_issuer("br", authority, "portaria", 2000, 1))
    assert has_key_with_prefix(name, key_prefix_by_number_and_year("portaria", "409", 2000))
    assert len(keys(name)) == len(set(keys(name)))


def test_nickname_key_is_not_a_prefix_of_a_longer_nickname_key() -> None:
    assert not nickname_key("Código de Defesa do Consumidor").startswith(nickname_key("Código de Defesa"))


@pytest.mark.parametrize("component", [";anexo.1", ";retificacao.1", ";anexo.1,tratado.cooperacao.amazonica"])
def test_component_is_found_by_the_keys_of_its_norm(component: str) -> None:
    assert keys(f"urn:lex:br:federal:decreto:1980-08-18;85080{component}") == []


def test_foreign_works_have_keys() -> None:
    assert has_key_with_prefix("urn:lex:it:stato:legge:2004-01-09;4", key_prefix_by_number_and_year("legge", "4", 2004))


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
