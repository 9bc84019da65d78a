"""Lookup keys: what each work is found by, and that a question's key is the work's own."""

from __future__ import annotations

import pytest

from graph.lookup import (
    by_month,
    by_month_anywhere,
    by_number,
    by_number_and_year,
    by_number_of,
    by_year,
    by_year_anywhere,
    keys_of,
    nickname_key,
    numbers_of,
)
from graph.urn import parse


def keys(name: str) -> list[str]:
    return list(keys_of(parse(name)))


def test_a_full_name_has_a_key_for_each_incomplete_one() -> None:
    assert keys("urn:lex:br;sao.paulo;campinas:municipal:lei.complementar:2003-06-27;8") == [
        by_number("lei.complementar", "8"),
        by_number_and_year("lei.complementar", "8", 2003),
        by_number_of("br;sao.paulo;campinas", "municipal", "lei.complementar", "8"),
        by_year_anywhere("lei.complementar", 2003),
        by_month_anywhere("lei.complementar", 2003, 6),
        by_year("br;sao.paulo;campinas", "municipal", "lei.complementar", 2003),
        by_month("br;sao.paulo;campinas", "municipal", "lei.complementar", 2003, 6),
    ]


def test_a_year_alone_has_no_month() -> None:
    assert keys("urn:lex:br:federal:lei:1993;8656")[-2:] == [
        by_year_anywhere("lei", 1993),
        by_year("br", "federal", "lei", 1993),
    ]


def test_subtype_organ_and_leading_zeros_are_not_in_a_key() -> None:
    name = "urn:lex:br:supremo.tribunal.federal;turma.1:acordao;ms:2012-05-29;030926-4156078"
    assert keys(name)[:1] == [by_number("acordao", "30926-4156078")]
    assert by_number("acordao", "4156078") in keys(name)
    assert by_number_of("br", "supremo.tribunal.federal", "acordao", "30926") in keys(name)


def test_several_authorities_dates_and_numbers_each_give_keys() -> None:
    name = "urn:lex:br:ministerio.fazenda,ministerio.justica:portaria:1999-12-31,2000-01-02;135,409"
    found = keys(name)
    for authority in ("ministerio.fazenda", "ministerio.justica"):
        for number in ("135", "409"):
            assert by_number_of("br", authority, "portaria", number) in found
        assert by_month("br", authority, "portaria", 1999, 12) in found
        assert by_month("br", authority, "portaria", 2000, 1) in found
    assert by_number_and_year("portaria", "409", 2000) in found
    assert len(found) == len(set(found))


@pytest.mark.parametrize("component", [";anexo.1", ";retificacao.1", ";anexo.1,tratado.cooperacao.amazonica"])
def test_a_component_is_found_through_its_whole(component: str) -> None:
    assert keys(f"urn:lex:br:federal:decreto:1980-08-18;85080{component}") == []


def test_works_of_other_jurisdictions_have_keys_too() -> None:
    assert by_number_and_year("legge", "4", 2004) in keys("urn:lex:it:stato:legge:2004-01-09;4")


@pytest.mark.parametrize(
    ("number", "pieces"),
    [
        ("8078", ("8078",)),
        ("039", ("39",)),
        ("0", ("0",)),
        ("2021-5", ("2021-5", "2021")),
        ("40_1986010447423", ("40_1986010447423", "40", "1986010447423")),
        ("106-11001", ("106-11001", "106", "11001")),
        ("c-10-97", ("c-10-97", "c")),
    ],
)
def test_a_number_and_its_pieces(number: str, pieces: tuple[str, ...]) -> None:
    assert numbers_of(number) == pieces


@pytest.mark.parametrize("text", ["Lei Maria da Penha", "lei.maria.penha", "LEI  MARIA DA PENHA", "lei maria penha."])
def test_spellings_of_a_nickname_meet(text: str) -> None:
    assert nickname_key(text) == "apelido lei maria penha"
