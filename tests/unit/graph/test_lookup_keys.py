"""Tests of lookup keys: the keys of each work, and that a query uses the same key as the work."""

from __future__ import annotations

from datetime import date

import pytest

from graph.references import (
    by_date,
    by_date_of,
    by_day,
    by_number,
    by_number_and_year,
    by_number_of,
    keys_of,
    nickname_key,
    numbers_of,
)
from graph.urn import parse


def keys(name: str) -> list[str]:
    return list(keys_of(parse(name)))


def begun(name: str, start: str) -> bool:
    """Return whether a name has a key with this prefix."""
    return any(key.startswith(start) for key in keys(name))


def test_a_full_name_is_found_by_each_incomplete_one() -> None:
    name = "urn:lex:br;sao.paulo;campinas:municipal:lei.complementar:2003-06-27;8"
    there = ("br;sao.paulo;campinas", "municipal", "lei.complementar")
    starts = [
        by_number("lei.complementar", "8"),
        by_number_and_year("lei.complementar", "8", 2003),
        by_number_of(*there, "8"),
        by_date("lei.complementar", 2003),
        by_date("lei.complementar", 2003, 6),
        by_date_of(*there, 2003),
        by_date_of(*there, 2003, 6),
        by_day(by_date_of(*there, 2003, 6), date(2003, 6, 27)),
    ]
    assert [start for start in starts if not begun(name, start)] == []
    others = [
        by_number("lei.complementar", "80"),
        by_number("lei", "8"),
        by_number_and_year("lei.complementar", "8", 2004),
        by_number_of("br;sao.paulo", "municipal", "lei.complementar", "8"),
        by_date("lei.complementar", 2003, 7),
        by_day(by_date("lei.complementar", 2003), date(2003, 6, 28)),
    ]
    assert [start for start in others if begun(name, start)] == []
    assert not begun("urn:lex:br:federal:lei:2003-06-27;80", by_number("lei", "8")), "of 80 it is no beginning"
    assert len(keys(name)) == 4


def test_a_year_alone_has_no_month() -> None:
    name = "urn:lex:br:federal:lei:1993;8656"
    assert begun(name, by_date("lei", 1993))
    assert begun(name, by_date_of("br", "federal", "lei", 1993))
    assert not begun(name, by_date("lei", 1993, 1))


def test_a_name_without_a_date_is_found_by_its_number() -> None:
    assert keys("urn:lex:br:supremo.tribunal.federal:sumula;vinculante:;4") == [
        "sumula nº 4/",
        "br:supremo.tribunal.federal:sumula nº 4/",
    ]


def test_subtype_organ_and_leading_zeros_are_not_in_a_key() -> None:
    name = "urn:lex:br:supremo.tribunal.federal;turma.1:acordao;ms:2012-05-29;030926-4156078"
    assert keys(name)[0] == by_number_and_year("acordao", "30926-4156078", 2012)
    assert begun(name, by_number("acordao", "4156078"))
    assert begun(name, by_number_of("br", "supremo.tribunal.federal", "acordao", "30926"))


def test_several_authorities_dates_and_numbers_each_give_keys() -> None:
    name = "urn:lex:br:ministerio.fazenda,ministerio.justica:portaria:1999-12-31,2000-01-02;135,409"
    for authority in ("ministerio.fazenda", "ministerio.justica"):
        for number in ("135", "409"):
            assert begun(name, by_number_of("br", authority, "portaria", number))
        assert begun(name, by_date_of("br", authority, "portaria", 1999, 12))
        assert begun(name, by_date_of("br", authority, "portaria", 2000, 1))
    assert begun(name, by_number_and_year("portaria", "409", 2000))
    assert len(keys(name)) == len(set(keys(name)))


def test_a_nickname_is_no_beginning_of_a_longer_one() -> None:
    assert not nickname_key("Código de Defesa do Consumidor").startswith(nickname_key("Código de Defesa"))


@pytest.mark.parametrize("component", [";anexo.1", ";retificacao.1", ";anexo.1,tratado.cooperacao.amazonica"])
def test_a_component_is_found_through_its_whole(component: str) -> None:
    assert keys(f"urn:lex:br:federal:decreto:1980-08-18;85080{component}") == []


def test_works_of_other_jurisdictions_have_keys_too() -> None:
    assert begun("urn:lex:it:stato:legge:2004-01-09;4", by_number_and_year("legge", "4", 2004))


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
    assert nickname_key(text) == "apelido lei maria penha."
