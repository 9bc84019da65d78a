"""Tests of lookup keys: the keys of each work, of each query, and in the name index of a store."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.index_entries import lookup_keys_of
from graph.index_rows import IndexEntries
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
from graph.store import in_memory
from graph.store.filling import fill
from graph.store.names import NameIndex
from graph.terms import Text
from graph.urn import parse
from tests.support.cases import tuples
from tests.support.records import deletion, record
from tests.support.rows import Row, full_name, rows

# Lookup keys


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


@pytest.mark.parametrize(("number", "pieces"), tuples("lookup_keys", "number_is_split_into_parts"))
def test_number_is_split_into_parts(number: str, pieces: tuple[str, ...]) -> None:
    assert numbers_of(number) == pieces


@pytest.mark.parametrize("text", ["Lei Maria da Penha", "lei.maria.penha", "LEI  MARIA DA PENHA", "lei maria penha."])
def test_nickname_spellings_have_one_key(text: str) -> None:
    assert nickname_key(text) == "apelido lei maria penha."


# Lookup keys in the name index


LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
OTHER = "urn:lex:br:federal:lei:2001-03-06;99902"
#: The records: the norm and the nickname of each.
_STATES = st.dictionaries(
    st.sampled_from("abc"),
    st.one_of(st.none(), st.tuples(st.sampled_from([LAW, OTHER]), st.sampled_from(["", "Lei Fictícia", "Lei da Lua"]))),
    max_size=3,
)


@given(batches=st.lists(_STATES, max_size=5))
def test_key_table_equals_one_rebuilt_from_the_records(batches: list[dict[str, tuple[str, str] | None]]) -> None:
    """Compare the keys after replacements and deletions with a new index, and with the names in the last records."""
    store = in_memory()
    stored: dict[str, tuple[str, str]] = {}
    for number, batch in enumerate(batches):
        stamp = f"2010-01-{number + 1:02d}"
        arriving = []
        for key, entry in batch.items():
            if entry is None:
                stored.pop(key, None)
                arriving.append(deletion(key, datestamp=stamp))
            else:
                stored[key] = entry
                norm, nickname = entry
                nicknames = [Text(nickname)] if nickname else []
                name = f"{norm}@2001-04-01;publicacao;2001-03-06"
                arriving.append(record(name, key=key, datestamp=stamp, nicknames=nicknames))
        store.apply(arriving)
    anew = NameIndex(None)
    fill(anew, store.engine)
    for norm in (LAW, OTHER):
        expected = [norm] if any(entry[0] == norm for entry in stored.values()) else []
        for key in keys_of(parse(norm)):
            assert store.names.keys.find(key, 9) == anew.keys.find(key, 9) == expected
    for nickname in ("Lei Fictícia", "Lei da Lua"):
        expected = sorted({norm for norm, called in stored.values() if called == nickname})
        start = nickname_key(nickname)
        assert store.names.keys.find(start, 9) == anew.keys.find(start, 9) == expected


def test_prefix_search_returns_matches_in_order() -> None:
    index = NameIndex(None)
    norms = [f"urn:lex:br:federal:lei:{year}-03-05;{number}" for year in (2001, 2002) for number in (9, 99, 999)]
    called = (nickname_key("Lei da Lua"), norms[0], True)
    index.put({"urn:r": IndexEntries(keys=(*lookup_keys_of({norm: parse(norm) for norm in norms}, ()), called))}, {})
    assert index.keys.find(key_prefix_by_number("lei", "99"), 9) == [norms[1], norms[4]]
    assert index.keys.find(key_prefix_by_date("lei", 2001), 9) == norms[:3]
    assert index.keys.find(key_prefix_by_date("lei", 2001), 2) == norms[:2], "no more than are wanted"
    assert index.keys.find(nickname_key("Lei da Lua"), 9) == norms[:1]
    assert index.keys.find(nickname_key("Lei da"), 9) == []
