"""Tests of queries with words beside the nickname of a norm: all interfaces search the words, in any case."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from graph.store import Store
from queries.full_text import find
from service.cli import main
from tests.support.pages import page, words_of
from tests.support.sample_site import folder, sample, store
from tests.support.web_names import CODE

__all__ = ["folder", "sample", "store"]

ARTICLE = f"{CODE}!art57_cpt"


@pytest.mark.parametrize(
    ("query", "nickname"),
    [
        ("multa CDC", "CDC"),
        ("multa cdc", "CDC"),
        ("MULTA NO Cdc", "CDC"),
        ("cdc multa", "CDC"),
        ("multa do codigo de defesa do consumidor", "Código de Defesa do Consumidor"),
        ("Código de Defesa do Consumidor, multa", "Código de Defesa do Consumidor"),
    ],
)
def test_words_beside_a_nickname_are_searched(
    store: Store,
    folder: Path,
    sample: httpx.Client,
    capsys: pytest.CaptureFixture[str],
    query: str,
    nickname: str,
) -> None:
    plain, answer = find(store, "multa"), find(store, query)
    assert [(target.nickname, target.name) for target in answer.meant] == [(nickname, CODE)]
    assert answer.every_word
    assert answer.in_one_provision
    assert answer.suggestion is None
    assert answer.results[0].name == CODE
    assert sorted(norm.name for norm in answer.results) == sorted(norm.name for norm in plain.results)
    capsys.readouterr()
    assert main(["--store", str(folder), "search", query, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == answer.as_json()
    by_http = sample.get("/api/v1/search", params={"q": query}).json()
    assert (by_http["results"], by_http["meant"]) == (answer.as_json()["results"], answer.as_json()["meant"])
    search_page = page(sample, str(httpx.URL("/search", params={"q": query})))
    assert search_page.all("//ol[@class='found']/li/h3/a/@title") == page(sample, "/search?q=multa").all(
        "//ol[@class='found']/li/h3/a/@title"
    )
    assert "não foi entendido" not in search_page.text
    assert [words_of(named) for named in search_page.elements("//p[@class='meant']")] == [
        (
            f"“{nickname}” é apelido desta norma: Lei nº 8.078, de 11 de setembro de 1990. "
            "As outras palavras são buscadas nela primeiro, e depois nas demais normas."
        )
    ]


def test_norm_without_the_words_is_named_but_not_found(sample: httpx.Client, store: Store) -> None:
    """Check a nickname of a norm that the store has, with words that only another norm has."""
    answer = find(store, "relógio CDC")
    assert [target.name for target in answer.meant] == [CODE]
    assert answer.total > 0
    assert CODE not in [norm.name for norm in answer.results]
    search_page = page(sample, "/search?q=rel%C3%B3gio+CDC")
    assert search_page.all("//p[@class='meant']//a/@href")
    absent = page(sample, "/search?q=rel%C3%B3gio+ECA")
    assert "“ECA” é apelido desta norma, que não foi encontrada no acervo: Lei nº 8.069" in absent.text
    assert absent.all("//ol[@class='found']/li/h3/a/@title")


@pytest.mark.parametrize(
    "query", ["art. 57 do CDC", "CDC", '"multa cdc"', "multa -cdc", "cdc*", "art. 57 multa CDC", "de CDC", "CDC CLT"]
)
def test_other_queries_with_a_nickname_are_read_as_before(store: Store, query: str) -> None:
    """Check citations, signs of the language of queries, and queries without other words."""
    answer = find(store, query)
    assert [target.name for target in answer.meant] in ([], [CODE], [f"{CODE}!art57"])
    assert (answer.meant == ()) is (query not in ("art. 57 do CDC", "CDC", "cdc*", "de CDC"))


def test_misspelt_word_beside_a_nickname_has_a_suggestion(store: Store) -> None:
    assert find(store, "fornecedro cdc").suggestion == "fornecedor cdc"
