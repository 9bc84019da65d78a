"""Tests of search with incomplete fields: nothing is assumed of missing ones, and places may be written in any way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from itertools import product
from typing import Any

import pytest

from graph.entities import Record
from graph.errors import BadParameter
from graph.store import WritableStore
from graph.urn import Name, parse
from graph.vocabulary import built_in
from queries.english import match_message, message
from queries.resolution import searching
from queries.resolution.searching import SearchFields, SearchResult, places_meant, search

WORKS = (
    "urn:lex:br:federal:decreto:2008-04-15;99901",
    "urn:lex:br:federal:lei:2008-06-19;99902",
    "urn:lex:br;sao.paulo:estadual:decreto:2008-04-15;99901",
    "urn:lex:br;sao.paulo:estadual:lei:2008-04-15;99903",
    "urn:lex:br;sao.paulo:assembleia.legislativa:decreto:2008-07-01;99904",
    "urn:lex:br;sao.paulo;sao.paulo:municipal:decreto:2008-05-01;99905",
    "urn:lex:br;sao.paulo;campinas:municipal:lei:2008-04-15;99902",
    "urn:lex:br;sao.paulo;campinas:camara.municipal:decreto:2009-04-15;99901",
    "urn:lex:br;rio.janeiro:estadual:decreto:2008-04-15;99906",
    "urn:lex:br;rio.janeiro;rio.janeiro:municipal:decreto:2008-04-15;99906",
    "urn:lex:br;piaui;bom.jesus:municipal:lei:2008-04-01;99907",
    "urn:lex:br;santa.catarina;bom.jesus:municipal:lei:2008-04-01;99907",
    "urn:lex:br;distrito.federal:distrital:lei:2008-04-15;99908",
    "urn:lex:br;sao.paulo:tribunal.nao.listado:decreto:2008;99909",
    "urn:lex:it:stato:lei:2008-04-15;99910",
)
#: Spellings of places, each with the places in names to which it may refer.
PLACES = {
    "br": {"br"},
    "BR": {"br"},
    "Brasil": {"br"},
    "SP": {"br;sao.paulo"},
    "sp": {"br;sao.paulo"},
    "br;sp": {"br;sao.paulo"},
    "br;sao.paulo": {"br;sao.paulo"},
    "Estado de São Paulo": {"br;sao.paulo"},
    "São Paulo": {"br;sao.paulo", "br;sao.paulo;sao.paulo"},
    "sao paulo": {"br;sao.paulo", "br;sao.paulo;sao.paulo"},
    "sao.paulo": {"br;sao.paulo", "br;sao.paulo;sao.paulo"},
    "Município de São Paulo": {"br;sao.paulo;sao.paulo"},
    "São Paulo - SP": {"br;sao.paulo;sao.paulo"},
    "Rio de Janeiro": {"br;rio.janeiro", "br;rio.janeiro;rio.janeiro"},
    "Campinas": {"br;sao.paulo;campinas"},
    "campinas/SP": {"br;sao.paulo;campinas"},
    "Campinas, Estado de São Paulo": {"br;sao.paulo;campinas"},
    "sp;campinas": {"br;sao.paulo;campinas"},
    "Bom Jesus": {"br;piaui;bom.jesus", "br;santa.catarina;bom.jesus"},
    "Bom Jesus (PI)": {"br;piaui;bom.jesus"},
    "DF": {"br;distrito.federal"},
    "it": {"it"},
    "nowhere": set[str](),
}
AUTHORITIES = (None, "federal", "Estadual", "municipal", "assembleia.legislativa", "tribunal.nao.listado")
LEVELS = {"federal": 0, "estadual": 1, "distrital": 1, "municipal": 2}
WHEN: tuple[dict[str, Any], ...] = (
    {"year": 2008},
    {"day": date(2008, 4, 15)},
    {"number": "99.901"},
    {"number": "99906", "year": 2008},
)


@pytest.fixture(scope="module")
def store(record: Callable[..., Record], store_of: Callable[..., WritableStore]) -> WritableStore:
    return store_of(*map(record, WORKS))


def place_of(name: Name) -> str:
    return ";".join((name.local.pais, *name.local.detalhe))


def is_there(name: Name, stated: str, authority: str | None) -> bool:
    """Return whether a work is of a place, or of a place inside it on the level of the authority."""
    place, level = place_of(name), LEVELS.get((authority or "").lower())
    inside = any(place.startswith(f"{path};") for path in PLACES[stated])
    return place in PLACES[stated] or (inside and level == place.count(";"))


def is_of(name: Name, kind: str, when: dict[str, object], authority: str | None, place: str | None) -> bool:
    """Return whether the name of a work matches all fields."""
    day = when.get("day")
    return (
        name.tipo_documento == (kind,)
        and (day is None or name.representative_date == day)
        and when.get("year") in (None, name.representative_year)
        and str(when.get("number", "")).replace(".", "") in ("", *name.descritor.identificadores)
        and (authority is None or (authority.lower(),) in name.autoridade)
        and (place is None or is_there(name, place, authority))
    )


def names(result: SearchResult) -> list[str]:
    return sorted(match.name.canonical for match in result.matches)


def asked() -> list[dict[str, Any]]:
    return [
        {"type": kind, "authority": authority, "place": place, **when}
        for kind, when, authority, place in product(("lei", "decreto"), WHEN, AUTHORITIES, (None, *PLACES))
    ]


def expected(stated: dict[str, Any]) -> list[str]:
    when = {key: value for key, value in stated.items() if key in ("year", "day", "number")}
    kind, authority, place = stated["type"], stated["authority"], stated["place"]
    return sorted(name for name in WORKS if is_of(parse(name), kind, when, authority, place))


def test_search_equals_a_full_scan(store: WritableStore) -> None:
    assert sum(bool(expected(stated)) for stated in asked()) > 200
    for stated in asked():
        result = search(store, SearchFields(**stated))
        assert names(result) == expected(stated), stated
        assert result.complete


@pytest.mark.parametrize("stated", [{"authority": "estadual"}, {"place": "SP"}, {"place": "São Paulo"}])
def test_truncated_key_is_replaced_by_narrower_keys(
    store: WritableStore, monkeypatch: pytest.MonkeyPatch, stated: dict[str, Any]
) -> None:
    full_result = search(store, SearchFields(type="lei", year=2008, **stated))
    monkeypatch.setattr(searching, "MOST_WORKS", 3)
    cut = search(store, SearchFields(type="lei", year=2008, **stated))
    assert not cut.complete
    assert names(cut) == names(full_result) == [WORKS[3]]


def test_reasons_state_matched_and_unstated_fields(store: WritableStore) -> None:
    (match,) = search(store, SearchFields(type="decreto", number="99904", place="SP")).matches
    assert (
        match_message(match.why)
        == "the number matches; the authority is not given; it is br;sao.paulo:assembleia.legislativa; of 2008-07-01"
    )
    (match,) = search(store, SearchFields(type="lei", number="99903", authority="estadual")).matches
    assert match_message(match.why) == "the place is not given; it is br;sao.paulo; the number matches; of 2008-04-15"
    (match,) = search(store, SearchFields(words="Lei nº 99.903/2008 do Estado de São Paulo")).matches
    assert "the year matches" in match_message(match.why)


@pytest.mark.parametrize(
    ("stated", "reported"),
    [
        ({"type": "decretos"}, "type 'decretos' is in no vocabulary or work of this store; similar: Decreto"),
        ({"type": "foo"}, "type 'foo' is in no vocabulary or work of this store"),
        (
            {"type": "lei", "place": "Sao Palo"},
            "place 'Sao Palo' is in no vocabulary or work of this store; similar: S",
        ),
        (
            {"type": "lei", "authority": "fedral"},
            "authority 'fedral' is in no vocabulary or work of this store; similar",
        ),
    ],
)
def test_unknown_values_are_reported(store: WritableStore, stated: dict[str, Any], reported: str) -> None:
    result = search(store, SearchFields(year=2008, **stated))
    assert result.matches == ()
    (notice,) = result.notices
    assert notice.code == "unknown-value"
    assert reported in message(notice)


def test_known_but_absent_values_give_an_empty_result(store: WritableStore) -> None:
    result = search(store, SearchFields(type="lei", year=1999, place="SP", authority="estadual"))
    assert (result.matches, result.notices) == ((), ())
    assert search(store, SearchFields(type="decreto", year=2008, authority="tribunal.nao.listado")).notices == ()


def test_subtypes_and_organs_are_matched(record: Callable[..., Record], store_of: Callable[..., WritableStore]) -> None:
    adi = "urn:lex:br:supremo.tribunal.federal;turma.1:acordao;adi:2008-09-03;99901"
    plenary_judgment = "urn:lex:br:supremo.tribunal.federal:acordao:2008-09-03;99902"
    judgments = store_of(record(adi), record(plenary_judgment))
    year: dict[str, Any] = {"year": 2008}
    assert names(search(judgments, SearchFields(type="acórdão", **year))) == sorted([adi, plenary_judgment])
    assert names(search(judgments, SearchFields(type="acórdão;adi", **year))) == [adi]
    assert names(search(judgments, SearchFields(type="acórdão;ms", **year))) == []
    assert names(search(judgments, SearchFields(type="acórdão", authority="STF", **year))) == sorted(
        [adi, plenary_judgment]
    )
    assert names(search(judgments, SearchFields(type="acórdão", authority="STF;turma.1", **year))) == [adi]


def test_interpretation_of_words_is_reported(
    record: Callable[..., Record], store_of: Callable[..., WritableStore]
) -> None:
    code = "urn:lex:br:federal:lei:1990-09-11;8078"
    laws = store_of(record(code))
    (match,) = search(laws, SearchFields(words="CDC")).matches
    assert match_message(match.why) == f"the words are interpreted as {code}"
    result = search(laws, SearchFields(words="Tabela I da Lei nº 8.078/90"))
    assert [notice.code for notice in result.notices] == ["words-left"]
    assert [notice.code for notice in search(laws, SearchFields(words="nothing of the kind")).notices] == [
        "not-understood"
    ]


@pytest.mark.parametrize("text", ["br;atlantida", "br;atlantida;campinas", "Campinas - XX"])
def test_unknown_units_are_refused(text: str) -> None:
    with pytest.raises(BadParameter, match="expected place as a country, a unit of the federation"):
        places_meant(text, built_in())
