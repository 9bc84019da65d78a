"""Tests of search by identification: works that match all fields given, their order, and refused searches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from graph.entities import Record, Text
from graph.errors import BadParameter
from graph.store import WritableStore
from queries.resolution import searching
from queries.resolution.searching import SearchFields, search

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
YOUNGER = "urn:lex:br:federal:lei:2003-07-08;99907"
TOWN = "urn:lex:br;sao.paulo;campinas:municipal:lei:2001-09-10;99907"
OTHER = "urn:lex:br:federal:lei:2001-04-06;99908"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-09-03;99901"


@pytest.fixture(scope="module")
def store(record: Callable[..., Record], store_of: Callable[..., WritableStore]) -> WritableStore:
    nicknamed = record(LAW, nicknames=(Text("Lei das Amostras"),))
    return store_of(nicknamed, *map(record, (YOUNGER, TOWN, OTHER, JUDGMENT)))


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ({"type": "Lei", "number": "99.907"}, [YOUNGER, LAW, TOWN]),
        ({"type": "lei", "number": "99907", "year": 2001}, [LAW, TOWN]),
        ({"type": "lei", "number": "99907", "day": date(2001, 3, 5)}, [LAW]),
        ({"type": "lei", "number": "99907", "day": date(2001, 3, 6)}, []),
        ({"type": "lei", "number": "99907", "place": "br;sao.paulo;campinas"}, [TOWN]),
        ({"type": "lei", "number": "99907", "authority": "federal"}, [YOUNGER, LAW]),
        ({"type": "lei", "year": 2001}, [OTHER, LAW, TOWN]),
        ({"type": "lei", "year": 2001, "place": "br;sao.paulo;campinas"}, [TOWN]),
        ({"type": "lei", "day": date(2001, 4, 6)}, [OTHER]),
        ({"type": "acórdão", "authority": "STF", "year": 2008}, [JUDGMENT]),
        ({"words": "lei das amostras"}, [LAW]),
        ({"words": "LEI Nº 99.908, DE 6 DE ABRIL DE 2001"}, [OTHER]),
        ({"words": "Lei das Amostras", "year": 2003}, []),
        ({"words": "Lei das Amostras", "type": "lei", "year": 2001}, [LAW]),
        ({"words": "nothing of the kind"}, []),
    ],
)
def test_search_finds_the_works(store: WritableStore, stated: dict[str, Any], names: list[str]) -> None:
    result = search(store, SearchFields(**stated))
    assert [match.name.canonical for match in result.matches] == names
    assert result.complete
    assert all(0 < match.score <= 1 and match.why for match in result.matches)


@pytest.mark.parametrize(
    ("stated", "reported"),
    [
        ({}, "expected words, or a type beside a number, a year or a date, got nothing"),
        ({"type": "lei"}, "got type"),
        ({"number": "99907", "year": 2001}, "got year, number"),
        ({"type": "lei", "year": 999}, "expected year from 1500 to 2199, got 999"),
        ({"type": "lei", "year": 2001, "day": date(2002, 1, 1)}, "expected year and date to agree"),
        ({"type": "lei", "day": date(1, 1, 1)}, "expected date from 1500"),
        ({"type": "lei:x", "number": "1"}, "expected type without :"),
        ({"type": "lei", "number": "1;2"}, "expected number without a semicolon"),
        ({"type": "lei", "number": "--"}, "expected number to have letters or digits"),
        ({"type": "lei", "number": "1", "authority": "\x00stf"}, "expected authority without"),
        (
            {"type": "lei", "number": "1", "place": "br;atlantida"},
            "expected place as a country, a unit of the federation",
        ),
    ],
)
def test_invalid_search_is_refused(store: WritableStore, stated: dict[str, Any], reported: str) -> None:
    with pytest.raises(BadParameter) as refused:
        search(store, SearchFields(**stated))
    assert reported in str(refused.value)


def test_truncated_list_is_reported(store: WritableStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_WORKS", 1)
    result = search(store, SearchFields(type="lei", number="99907"))
    assert (len(result.matches), result.complete) == (1, False)
