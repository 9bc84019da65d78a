"""Tests of the transitional provisions (ADCT): a norm in citations, an annex of the Constitution in stores."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graph import store as stores
from graph.entities import Record
from graph.store import Store, WritableStore, in_memory
from graph.urn import parse
from graph.wording.labels import label, provision_label
from graph.wording.provisions import Style
from graph.wording.transitional import CONSTITUTION, TRANSITIONAL, as_annex_name
from queries.full_text import NamedTarget, meant
from queries.resolution.suggesting import suggest
from queries.resolve import resolve
from queries.text.text import text
from service.cli import main
from service.web.pages.search import SearchForm, find_matches

_VERSION = "@1988-10-05;publicacao;1988-10-05"
_FRAGMENTS = ("anx1", "anx1_art2", "anx1_art48", "anx1_art48_cpt", "anx1_art101_par2_inc1", "art48")
TYPED = [
    ("art. 2 do ADCT", "art2"),
    ("ADCT, art. 48", "art48"),
    ("art 48 adct", "art48"),
    ("art. 48 do ADCT da CF/88", "art48"),
    ("art. 48 do Ato das Disposições Constitucionais Transitórias", "art48"),
    ("art. 101, § 2º, I, do ADCT", "art101_par2_inc1"),
    (f"{TRANSITIONAL}!art48", "art48"),
]


def records(record: Callable[..., Record], norm: str = CONSTITUTION) -> list[Record]:
    return [record(f"{norm}{_VERSION}"), *(record(f"{norm}{_VERSION}!{fragment}") for fragment in _FRAGMENTS)]


@pytest.fixture
def store(record: Callable[..., Record]) -> WritableStore:
    """Return a store with the Constitution and its annex."""
    made = in_memory()
    made.apply(records(record))
    return made


@pytest.mark.parametrize(("typed", "fragment"), TYPED)
def test_every_citation_of_the_adct_means_the_annex(store: Store, typed: str, fragment: str) -> None:
    name = f"{CONSTITUTION}!anx1_{fragment}"
    resolution = resolve(store, typed)
    assert [candidate.name for candidate in resolution.candidates] == [name]
    assert not resolution.notices
    assert text(store, typed).name == name
    assert find_matches(store, SearchForm(words=typed)).matches[0].name == name


def test_adct_label_is_the_one_used_in_citations(store: Store) -> None:
    (candidate,) = resolve(store, "art. 48 do Ato das Disposições Constitucionais Transitórias").candidates
    assert candidate.label == "ADCT, art. 48"
    for name in (f"{CONSTITUTION}!anx1_art48", f"{TRANSITIONAL}!art48"):
        assert label(parse(name)) == label(parse(name), "en") == provision_label(parse(name)) == "ADCT, art. 48"
    assert provision_label(parse(f"{CONSTITUTION}!anx1_art101_par2_inc1"), Style.COMPACT) == (
        "ADCT, art. 101, § 2º, inciso I"
    )
    assert label(parse(f"{CONSTITUTION}{_VERSION}!anx1_art48")) == (
        "ADCT, art. 48, texto vigente a partir de 5 de outubro de 1988"
    )
    for act_name in (TRANSITIONAL, f"{CONSTITUTION}!anx1"):
        assert label(parse(act_name)) == "Ato das Disposições Constitucionais Transitórias"


def test_suggestions_and_word_searches_find_the_annex(store: Store) -> None:
    assert [(suggestion.name, suggestion.label) for suggestion in suggest(store, "art. 48 do adct")] == [
        (f"{CONSTITUTION}!anx1_art48", "ADCT, art. 48")
    ]
    day = parse(CONSTITUTION).oldest_day
    assert day is not None
    official = "https://normas.leg.br/?urn=urn:lex:br:federal:constituicao:1988-10-05;1988"
    assert meant(store, "art 48 adct", day) == (
        NamedTarget("art 48 adct", f"{CONSTITUTION}!anx1_art48", "ADCT, art. 48", known=True, url=official),
    )
    assert [meant_norm.name for meant_norm in meant(store, "ADCT", day)] == [f"{CONSTITUTION}!anx1"]


def test_unknown_article_resolves_to_the_constitution_with_a_notice(store: Store) -> None:
    resolution = resolve(store, "art. 999 do ADCT")
    assert resolution.match.value == "wider"
    assert [candidate.name for candidate in resolution.candidates] == [CONSTITUTION]
    assert [notice.CODE for notice in resolution.notices] == ["wider-level"]


def test_store_with_the_adct_as_a_norm_keeps_it(record: Callable[..., Record]) -> None:
    store = in_memory()
    store.apply([*records(record), *records(record, TRANSITIONAL)])
    assert [candidate.name for candidate in resolve(store, "art. 48 do ADCT").candidates] == [f"{TRANSITIONAL}!art48"]


def test_adct_does_not_resolve_without_the_constitution(record: Callable[..., Record]) -> None:
    store = in_memory()
    store.apply([record("urn:lex:br:federal:lei:2001-03-05;99901")])
    resolution = resolve(store, "art. 48 do ADCT")
    assert (resolution.canonical, resolution.candidates) == (f"{TRANSITIONAL}!art48", ())


def test_annexed_names_keep_version_and_range() -> None:
    assert [str(as_annex_name(parse(f"{TRANSITIONAL}{rest}"))) for rest in ("", f"{_VERSION}!art48")] == [
        f"{CONSTITUTION}!anx1",
        f"{CONSTITUTION}{_VERSION}!anx1_art48",
    ]
    assert as_annex_name(parse(CONSTITUTION)) is None


def test_command_line_resolves_and_finds_the_adct(
    record: Callable[..., Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with stores.open_for_writing(tmp_path / "store", create=True) as store:
        store.apply(records(record))
    assert main(["--store", str(tmp_path / "store"), "resolve", "art. 2 do ADCT", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["candidates"][0]["label"] == "ADCT, art. 2º"
    assert main(["--store", str(tmp_path / "store"), "search", "art. 2 do ADCT"]) == 0
    assert f"art. 2 do ADCT is ADCT, art. 2º, {CONSTITUTION}!anx1_art2" in capsys.readouterr().out
