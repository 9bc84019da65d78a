"""Tests of the filters of the search page: the filter of force, and the filters that the page shows as applied."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

import vigente
from graph.civil import today
from graph.entities import Event, Record
from graph.store import open_for_writing
from service.cli import main
from service.web.settings import Settings
from tests.support.pages import page, words_of
from tests.support.sample_site import folder, sample, store
from tests.support.web import serving

__all__ = ["folder", "sample", "store"]

REVOKED = "urn:lex:br:federal:lei:2001-03-05;99971"
STEADY = "urn:lex:br:federal:lei:2001-03-05;99974"
LATER = "urn:lex:br:federal:lei:2003-12-01;99908"
FIRST = "@2001-03-06;publicacao;2001-03-06"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record], event: Callable[..., Event]) -> Path:
    """Return the folder of a store with a law that was revoked on 1 January 2004, and one that is in force."""
    store = tmp_path_factory.mktemp("filters") / "store"
    with open_for_writing(store, create=True) as opened:
        opened.apply(
            [
                record(f"{REVOKED}{FIRST}", events=[event("revogacao", REVOKED, "2004-01-01", "2003-12-01", LATER)]),
                record(f"{STEADY}{FIRST}"),
            ]
        )
    return store


@pytest.fixture(scope="module")
def site(path: Path) -> Iterator[httpx.Client]:
    with serving(Settings(path)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


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


def test_nickname_of_a_norm_after_the_day_is_stated_once(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=CDC&on=1980-01-01&in_force=true")
    assert search_page.all("//ol[@class='found']/li/h3/a/@title") == []
    assert [words_of(heading) for heading in search_page.elements("//section/h2")] == [
        "Em 01/01/1980 ainda não existia: Lei nº 8.078, de 11 de setembro de 1990."
    ]
    assert search_page.elements("//p[@class='left-out']") == []


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


@pytest.mark.parametrize(
    ("query", "field", "pt", "en"),
    [
        (
            "year=abcd",
            "year",
            "Campo Ano: “abcd” não é um ano de quatro algarismos, de 1500 a 2199.",
            "Field Year: “abcd” is not a year of four digits, from 1500 to 2199.",
        ),
        (
            "q=lei&inicio=-1",
            "start",
            "Parâmetro start (início da página de resultados): “-1” não é um número inteiro de 0 a 1.000.000.",
            "Parameter start (beginning of the page of results): “-1” is not a whole number from 0 to 1,000,000.",
        ),
    ],
)
def test_invalid_value_names_its_field(sample: httpx.Client, query: str, field: str, pt: str, en: str) -> None:
    for language, sentence in (("pt-BR", pt), ("en", en)):
        problem_page = page(sample, f"/search?{query}", language)
        assert problem_page.response.status_code == 422
        assert problem_page.all("//main/p[@role='alert']") == [sentence]
    document = sample.get(f"/search?{query}").json()
    assert (document["code"], document["parameter"]) == ("bad-parameter", field)


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("lei 11.340/2006", "lei:2006-08-07;11340"),
        ("art. 5 da Lei Maria da Penha", "lei:2006-08-07;11340"),
        ("Lei nº 9.999, de 30 de agosto de 2000", "lei:2000-08-30;9999"),
        ("lei 9.998/2000", "lei:2000;9998"),
    ],
)
def test_absent_norm_has_a_link_to_the_official_site(sample: httpx.Client, query: str, address: str) -> None:
    search_page = page(sample, str(httpx.URL("/search", params={"q": query})))
    assert search_page.elements("//h2[@class='absent']")
    (link,) = search_page.elements("//a[@rel='external' and starts-with(@href, 'https://normas.leg.br/')]")
    assert words_of(link) == "Ver no site oficial"
    assert link.get("href") == f"https://normas.leg.br/?urn=urn:lex:br:federal:{address}"
