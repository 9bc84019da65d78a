"""Tests of search with incomplete fields against a full scan, and of the limits of the lists that it reads.

tests/data/answers/searches.toml has the answers of single searches.
"""

from __future__ import annotations

from datetime import date
from itertools import product
from typing import Any

import pytest

from graph.errors import BadParameter
from graph.store import WritableStore
from graph.urn import Name, parse
from graph.vocabulary import built_in
from queries.resolution import searching
from queries.resolution.searching import SearchFields, SearchResult, places_meant, search
from tests.support.cases import constant, values
from tests.support.records import record, store_of

WORKS = tuple(values("searching", "works"))
#: Places in names, each with the spellings that may refer to it.
SPELLINGS = constant("searching", "spellings")
PLACES = {text: set(places.split()) for places, texts in SPELLINGS.items() for text in texts.split(" | ")}
AUTHORITIES = (None, "federal", "Estadual", "municipal", "assembleia.legislativa", "tribunal.nao.listado")
LEVELS = {"federal": 0, "estadual": 1, "distrital": 1, "municipal": 2}
WHEN: tuple[dict[str, Any], ...] = (
    {"year": 2008},
    {"day": date(2008, 4, 15)},
    {"number": "99.901"},
    {"number": "99906", "year": 2008},
)


@pytest.fixture(scope="module")
def store() -> WritableStore:
    return store_of(*map(record, WORKS))


def is_there(name: Name, stated: str, authority: str | None) -> bool:
    """Return whether a work is of a place, or of a place inside it on the level of the authority."""
    place, level = ";".join((name.local.pais, *name.local.detalhe)), LEVELS.get((authority or "").lower())
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


def test_search_equals_a_full_scan(store: WritableStore) -> None:
    found = 0
    for kind, when, authority, place in product(("lei", "decreto"), WHEN, AUTHORITIES, (None, *PLACES)):
        result = search(store, SearchFields(type=kind, authority=authority, place=place, **when))
        expected = sorted(name for name in WORKS if is_of(parse(name), kind, when, authority, place))
        assert (names(result), result.complete) == (expected, True), (kind, when, authority, place)
        assert all(0 < match.score <= 1 and match.why for match in result.matches)
        found += bool(expected)
    assert found > 200


@pytest.mark.parametrize("stated", [{"authority": "estadual"}, {"place": "SP"}, {"place": "São Paulo"}])
def test_truncated_key_is_replaced_by_narrower_keys(
    store: WritableStore, monkeypatch: pytest.MonkeyPatch, stated: dict[str, Any]
) -> None:
    full_result = search(store, SearchFields(type="lei", year=2008, **stated))
    monkeypatch.setattr(searching, "MOST_WORKS", 3)
    cut = search(store, SearchFields(type="lei", year=2008, **stated))
    assert not cut.complete
    assert names(cut) == names(full_result) == [WORKS[3]]


def test_truncated_list_is_reported(store: WritableStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_WORKS", 1)
    result = search(store, SearchFields(type="lei", number="99907"))
    assert (len(result.matches), result.complete) == (1, False)


def test_search_without_fields_is_refused(store: WritableStore) -> None:
    with pytest.raises(BadParameter, match="expected words, or a type beside a number, a year or a date, got nothing"):
        search(store, SearchFields())


@pytest.mark.parametrize("text", ["br;atlantida", "br;atlantida;campinas", "Campinas - XX"])
def test_unknown_units_are_refused(text: str) -> None:
    with pytest.raises(BadParameter, match="expected place as a country, a unit of the federation"):
        places_meant(text, built_in())
