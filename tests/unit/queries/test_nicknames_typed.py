"""Tests of nicknames of the built-in list as people type them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Record
from graph.store import in_memory
from queries.resolution.interpretation import interpret
from queries.resolve import resolve

LAW = "urn:lex:br:federal:lei:2021-04-01;14133"


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("Nova Lei de Licitações", ""),
        ("nova lei de licitacoes", ""),
        ("nova lei de licitações e contratos", ""),
        ("art. 75 da Nova Lei de Licitações", "!art75"),
        ("nova lei de licitacoes art 75", "!art75"),
    ],
)
def test_nickname_is_read_without_accents_and_capitals(record: Callable[..., Record], text: str, fragment: str) -> None:
    store = in_memory()
    store.apply([record(LAW, key="law"), record(f"{LAW}!art75", key="article")])
    resolution = resolve(store, text)
    assert [candidate.name for candidate in resolution.candidates] == [f"{LAW}{fragment}"]
    assert resolution.notices == ()
    understood = interpret(store, text)
    assert understood.name is not None
    assert understood.name.canonical == f"{LAW}{fragment}"


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("art. 75, par. único, da Lei 14.133/2021", "art75_par1u"),
        ("art. 75, p. único, da Lei 14.133/2021", "art75_par1u"),
        ("art. 75, p. ún., da Lei 14.133/2021", "art75_par1u"),
        ("art 75 parág. único da Lei 14.133/2021", "art75_par1u"),
        ("art. 75, par. 1º, da Lei 14.133/2021", "art75_par1"),
        ("nova lei de licitacoes art 75 par. 2", "art75_par2"),
    ],
)
def test_abbreviations_of_paragraphs_are_read(record: Callable[..., Record], text: str, fragment: str) -> None:
    store = in_memory()
    store.apply([record(LAW, key="law"), record(f"{LAW}!{fragment}", key="paragraph")])
    assert [candidate.name for candidate in resolve(store, text).candidates] == [f"{LAW}!{fragment}"]
