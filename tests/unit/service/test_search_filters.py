"""Tests of the filters of the search page: the filter of force, and the filters that the page shows as applied."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

import vigente
from graph.civil import today
from service.cli import main
from tests.support.pages import page, words_of
from tests.support.sites.search_filters import REVOKED, STEADY


@pytest.fixture(scope="module")
def path(site_store: Callable[[str], Path]) -> Path:
    return site_store("search_filters")


@pytest.fixture(scope="module")
def site(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("search_filters")


@pytest.mark.parametrize(
    ("query", "listed", "left_out"),
    [
        ("q=lei+99.971&in_force=true", [], True),
        ("q=lei+99.971&on=2003-06-01&in_force=true", [REVOKED], False),
        ("q=lei+99.971&on=2003-06-01", [REVOKED], False),
        ("q=lei+99.971", [REVOKED], False),
        ("q=99.971&in_force=true", [], True),
        ("q=lei+99.974&in_force=true", [STEADY], False),
        ("type=lei&year=2001&in_force=true", [STEADY], True),
        ("type=lei&year=2001&in_force=true&on=2003-06-01", [REVOKED, STEADY], False),
        ("q=99.971&year=2001&in_force=true", [], True),
    ],
)
def test_filter_of_force_applies_to_every_method(
    site: httpx.Client, query: str, listed: list[str], left_out: bool
) -> None:
    """Check that a norm without force is named apart, with its status, whether a citation, number or fields find it."""
    search_page = page(site, f"/search?{query}")
    assert sorted(search_page.all("//ol[@class='found']/li/h3/a/@title")) == listed
    assert [words_of(sentence) for sentence in search_page.elements("//p[@class='left-out']")] == [
        (
            f"Fora da lista, porque não consta como em vigor em {today():%d/%m/%Y}: "
            "Lei nº 99.971, de 5 de março de 2001 (Revogada)."
        )
    ] * left_out
    assert ("Nada foi encontrado." in search_page.text) is (not listed)


def test_all_interfaces_name_a_norm_without_force_as_meant_and_do_not_find_it(
    path: Path, site: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    with vigente.open(path) as opened:
        answer = opened.find("lei 99.971", in_force=True)
    assert (answer.total, answer.results) == (0, ())
    assert [(norm.name, norm.known) for norm in answer.meant] == [(REVOKED, True)]
    capsys.readouterr()
    assert main(["--store", str(path), "search", "lei 99.971", "--in-force", "--json"]) == 0
    by_command = json.loads(capsys.readouterr().out)
    by_http = site.get("/api/v1/search", params={"q": "lei 99.971", "in_force": "true"}).json()
    for document in (by_command, by_http):
        assert (document["results"], document["meant"]) == ([], answer.as_json()["meant"])


def test_applied_filters_are_links_that_remove_them(sample: httpx.Client) -> None:
    """Check every filter: its label, its accessible name, and that its link keeps all other criteria."""
    query = "q=fict%C3%ADcia&type=lei&authority=federal&place=br&year=2001&on=2006-01-01&in_force=true"
    search_page = page(sample, f"/search?{query}&start=25")
    links = search_page.elements("//nav[@class='applied']//a")
    labels = ["Tipo: Lei", "Autoridade: Federal", "Localidade: Brasil", "Ano: 2001", "somente em vigor na data"]
    assert [words_of(link) for link in links] == [f"{label} ×" for label in labels]
    assert [link.get("aria-label") for link in links] == [f"remover o filtro {label}" for label in labels]
    stated = dict(parse_qsl(query))
    assert [dict(parse_qsl(urlsplit(str(link.get("href"))).query)) for link in links] == [
        {key: value for key, value in stated.items() if key != removed}
        for removed in ("type", "authority", "place", "year", "in_force")
    ]
    english = page(sample, "/search?q=fict%C3%ADcia&type=lei", "en")
    assert english.one("//nav[@class='applied']//a").get("aria-label") == "remove the filter Type: Law"
    assert page(sample, "/search?q=fict%C3%ADcia").elements("//nav[@class='applied']") == []


def test_facet_and_its_removal_lead_back_and_forth(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=fict%C3%ADcia")
    (first, *_) = search_page.elements("//nav[@class='facet']//a")
    narrowed = page(sample, str(first.get("href")))
    (link,) = narrowed.elements("//nav[@class='applied']//a")
    assert words_of(link) == f"Tipo: {words_of(first)} ×"
    back = page(sample, str(link.get("href")))
    assert back.all("//ol[@class='found']/li/h3/a/@title") == search_page.all("//ol[@class='found']/li/h3/a/@title")
