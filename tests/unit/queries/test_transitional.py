"""Tests of the transitional provisions (ADCT): a norm in citations, an annex of the Constitution in stores.

tests/data/answers/names.toml has the citations.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.store import WritableStore
from graph.urn import parse
from graph.wording.labels import label, provision_label
from graph.wording.provisions import Style
from graph.wording.transitional import CONSTITUTION, TRANSITIONAL, as_annex_name
from queries.full_text import NamedTarget, meant
from queries.resolve import resolve
from queries.searches import SearchForm, find_matches
from tests.support.records import record, store_of

_VERSION = "@1988-10-05;publicacao;1988-10-05"
ARTICLE = f"{CONSTITUTION}!anx1_art48"
Stores = Callable[..., WritableStore]


@pytest.fixture(scope="module")
def stored() -> Stores:
    """Return a function that makes a store of norms with the articles of the annex."""
    fragments = ("", "!anx1", "!anx1_art48", "!anx1_art48_cpt", "!art48")
    return lambda *norms: store_of(*(record(f"{norm}{_VERSION}{part}") for norm in norms for part in fragments))


def test_labels_are_those_used_in_citations() -> None:
    expected = {
        ARTICLE: "ADCT, art. 48",
        f"{TRANSITIONAL}!art48": "ADCT, art. 48",
        TRANSITIONAL: "Ato das Disposições Constitucionais Transitórias",
        f"{CONSTITUTION}!anx1": "Ato das Disposições Constitucionais Transitórias",
        f"{CONSTITUTION}{_VERSION}!anx1_art48": "ADCT, art. 48, texto vigente a partir de 5 de outubro de 1988",
    }
    assert {name: label(parse(name)) for name in expected} == expected
    for name in (ARTICLE, f"{TRANSITIONAL}!art48"):
        assert label(parse(name), "en") == provision_label(parse(name)) == "ADCT, art. 48"
    compact = provision_label(parse(f"{CONSTITUTION}!anx1_art101_par2_inc1"), Style.COMPACT)
    assert compact == "ADCT, art. 101, § 2º, inciso I"


def test_word_searches_and_names_find_the_annex(stored: Stores) -> None:
    store, day = stored(CONSTITUTION), parse(CONSTITUTION).oldest_day
    assert day is not None
    official = "https://normas.leg.br/?urn=urn:lex:br:federal:constituicao:1988-10-05;1988"
    target = NamedTarget("art 48 adct", ARTICLE, "ADCT, art. 48", known=True, url=official)
    assert meant(store, "art 48 adct", day) == (target,)
    assert [norm.name for norm in meant(store, "ADCT", day)] == [f"{CONSTITUTION}!anx1"]
    for typed in ("art 48 adct", f"{TRANSITIONAL}!art48"):
        assert find_matches(store, SearchForm(words=typed)).matches[0].name == ARTICLE
        assert [candidate.name for candidate in resolve(store, typed).candidates] == [ARTICLE]


def test_norm_is_that_of_the_store(stored: Stores) -> None:
    both, neither = stored(CONSTITUTION, TRANSITIONAL), stored("urn:lex:br:federal:lei:2001-03-05;99901")
    assert [candidate.name for candidate in resolve(both, "art. 48 do ADCT").candidates] == [f"{TRANSITIONAL}!art48"]
    resolution = resolve(neither, "art. 48 do ADCT")
    assert (resolution.canonical, resolution.candidates) == (f"{TRANSITIONAL}!art48", ())


def test_annexed_names_keep_version_and_range() -> None:
    names = {rest: str(as_annex_name(parse(f"{TRANSITIONAL}{rest}"))) for rest in ("", f"{_VERSION}!art48")}
    assert names == {"": f"{CONSTITUTION}!anx1", f"{_VERSION}!art48": f"{CONSTITUTION}{_VERSION}!anx1_art48"}
    assert as_annex_name(parse(CONSTITUTION)) is None
