"""Tests of the search within one norm: the other provisions of a group, pages of them, headings and first words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

import vigente
from graph.errors import BadParameter
from queries.full_text import plain
from service.cli import main
from tests.support.pages import page, words_of
from tests.support.sites.search_within_norm import ARTICLES, LAW

WITHIN = "59 dispositivos nesta norma contêm os termos"


@pytest.fixture(scope="module")
def path(site_store: Callable[[str], Path]) -> Path:
    return site_store("search_within_norm")


@pytest.fixture(scope="module")
def site(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("search_within_norm")


@pytest.mark.parametrize("query", ["q=clepsidra", "q=clepsidra&on=2012-01-01", "q=clepsidra&lang=en"])
def test_group_links_to_the_other_provisions_of_its_norm(site: httpx.Client, query: str) -> None:
    first = page(site, f"/search?{query}")
    link = first.one("//p[@class='further']/a")
    label = "56 more provisions of this norm" if "lang=en" in query else "mais 56 dispositivos desta norma"
    assert words_of(link) == label
    names = first.all("//ol[@class='found']/li/h3/a/@title")
    assert len(names) == 3
    within = first.follow(label)
    assert within.all("//p[@class='further']") == []
    listed: list[str] = []
    while True:
        assert within.response.status_code == 200
        listed += within.all("//ol[@class='found']/li/h3/a/@title")
        if not within.elements("//a[@rel='next']"):
            break
        within = within.follow("Next page" if "lang=en" in query else "Próxima página")
    assert sorted(listed) == sorted(f"{LAW}!art{number}_cpt" for number in range(2, ARTICLES + 1))
    assert set(names) <= set(listed)
    counted = "59 provisions of this norm have the words" if "lang=en" in query else WITHIN
    ends = ", page 3 of 3" if "lang=en" in query else ", página 3 de 3"
    assert within.all("//section/h2") == [f"{counted}{ends}"]


def test_heading_counts_the_whole_search_and_every_page_leads_to_the_ends(site: httpx.Client) -> None:
    """Check the heading, and the links at the foot, of each of the three pages of a list, and of a list in one page."""
    links = []
    for start, number in ((0, 1), (25, 2), (50, 3)):
        within = page(site, f"/search?q=clepsidra&norm={quote(LAW)}&start={start}")
        assert within.all("//section/h2") == [f"{WITHIN}, página {number} de 3"]
        foot = within.one("//nav[@class='pages']")
        assert words_of(foot).startswith(f"{WITHIN}, página {number} de 3 · ")
        links.append([words_of(link) for link in foot.iter("a")])
    assert links == [
        ["Próxima página", "Última página"],
        ["Primeira página", "Página anterior", "Próxima página", "Última página"],
        ["Primeira página", "Página anterior"],
    ]
    assert len(within.follow("Primeira página").follow("Última página").all("//ol[@class='found']/li")) == 9
    assert page(site, "/search?q=clepsidra").all("//section/h2") == ["1 norma"]
    whole = page(site, "/search?q=fornecedor+procedimento")
    assert whole.all("//section/h2") == ["1 resultado"]
    assert whole.elements("//nav[@class='pages']") == []


def test_all_interfaces_page_the_provisions_of_a_norm(
    path: Path, site: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    with vigente.open(path) as store:
        by_name = store.find("clepsidra", norm=LAW, limit=25, offset=50)
        assert store.find("clepsidra", norm="Lei nº 99.901/2010", limit=25, offset=50).results == by_name.results
        everywhere = store.find("clepsidra")
    assert [(norm.provisions_found, len(norm.provisions)) for norm in everywhere.results] == [(59, 3)]
    assert [(norm.provisions_found, len(norm.provisions)) for norm in by_name.results] == [(59, 9)]
    assert (by_name.total, by_name.next_offset) == (1, None)
    options = ["--norm", LAW, "--limit", "25", "--offset", "50"]
    assert main(["--store", str(path), "search", "clepsidra", *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == by_name.as_json()
    asked = {"q": "clepsidra", "norm": LAW, "limit": "25"}
    pages = [site.get("/api/v1/search", params=asked).json()]
    while pages[-1]["next"] is not None:
        pages.append(site.get("/api/v1/search", params={**asked, "after": pages[-1]["next"]}).json())
    assert [len(each["results"][0]["provisions"]) for each in pages] == [25, 25, 9]
    assert pages[0]["asked"]["norm"] == LAW
    assert pages[-1]["results"] == by_name.as_json()["results"]
    assert site.get("/api/v1/search", params={"norm": LAW}).status_code == 422
    assert site.get("/api/v1/search", params={**asked, "norm": "nada"}).status_code == 422
    assert main(["--store", str(path), "search", "clepsidra"]) == 0
    assert f"    56 more provisions with --norm '{LAW}'\n" in capsys.readouterr().out


def test_norm_that_identifies_none_is_refused(path: Path) -> None:
    with vigente.open(path) as store, pytest.raises(BadParameter) as refused:
        store.find("clepsidra", norm="nada")
    assert str(refused.value) == "expected norm as the name, the citation or the nickname of one norm, got 'nada'"


def test_page_beyond_the_last_states_where_the_results_end(
    path: Path, site: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    beyond = page(site, f"/search?q=clepsidra&norm={quote(LAW)}&start=75")
    assert "Os resultados terminam antes desta página." in beyond.all("//section/h2")
    assert "Nada foi encontrado" not in beyond.text
    assert f"{WITHIN} · Primeira página · Última página" in beyond.text
    assert len(beyond.follow("Última página").all("//ol[@class='found']/li")) == 9
    assert len(beyond.follow("Primeira página").all("//ol[@class='found']/li")) == 25
    norms = page(site, "/search?q=clepsidra&start=25")
    assert "1 norma contém os termos · Primeira página" in norms.text
    assert "Última página" not in norms.text
    number = page(site, "/search?q=8078&start=25")
    assert "Os resultados terminam antes desta página." in number.text
    assert number.follow("Primeira página").all("//ol[@class='found']/li/h3/a/@title") == [
        "urn:lex:br:federal:lei:1990-09-11;8078"
    ]
    nothing = page(site, "/search?q=xyzw&start=25")
    assert "Nada foi encontrado." in nothing.text
    capsys.readouterr()
    assert main(["--store", str(path), "search", "clepsidra", "--norm", LAW, "--offset", "75"]) == 0
    assert "  the results end before --offset 75; the last page has --offset 40\n" in capsys.readouterr().out


def test_heading_follows_the_label_of_its_grouping(path: Path, site: httpx.Client) -> None:
    with vigente.open(path) as store:
        (norm,) = store.find("ampulhetas").results
        (found,) = store.search(text="ampulhetas").candidates
    assert [provision.excerpt for provision in norm.provisions] == ["TÍTULO I – DAS <mark>AMPULHETAS</mark>"]
    assert found.excerpt == "TÍTULO I – DAS AMPULHETAS"
    assert "TÍTULO I – DAS AMPULHETAS" in page(site, "/search?q=ampulhetas").text


def test_excerpt_of_an_article_has_the_words_of_its_caput(path: Path, site: httpx.Client) -> None:
    with vigente.open(path) as store:
        (norm,) = (norm for norm in store.find('"art. 7º"').results if norm.name == LAW)
        (found,) = (found for found in store.search(text="art 7").candidates if found.name == f"{LAW}!art7")
    (article,) = (provision for provision in norm.provisions if provision.name == f"{LAW}!art7")
    assert article.excerpt == "<mark>Art</mark>. <mark>7</mark>º A clepsidra é pública."
    assert found.excerpt == "Art. 7º A clepsidra é pública."
    shown = page(site, "/search?q=%22art.+7%C2%BA%22")
    item = shown.one(f"//ol[@class='found']/li[h3/a/@title='{LAW}!art7']")
    assert "Art. 7º A clepsidra é pública." in words_of(item)


def test_excerpt_of_an_amended_article_has_the_caput_of_the_day(path: Path) -> None:
    """Check an article whose caput was first known in the wording of 1993: on earlier days it is only its label."""
    code = "urn:lex:br:federal:lei:1990-09-11;8078"
    excerpts = []
    with vigente.open(path) as store:
        for day in ("1992-01-01", "1993-06-01"):
            (norm,) = store.find('"art. 57"', on=day, norm=code).results
            (article,) = norm.provisions
            excerpts.append(plain(article.excerpt))
    assert excerpts[0] == "Art. 57."
    assert excerpts[1].startswith("Art. 57. A pena de multa, graduada de acordo com a gravidade da infração, ")
