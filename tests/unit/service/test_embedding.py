"""Tests of robots.txt, the sitemap of all norms, the badge of a norm, and the metadata in the head of its page."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.robotparser import RobotFileParser

import httpx
import lxml.html
import pyoxigraph as ox
import pytest
from lxml.html import HtmlElement
from rdflib import SDO

from graph import store as stores
from graph.entities import Record
from graph.store import Store, WritableStore
from queries.profiles import projected
from service.web.http.name_paths import name_path
from service.web.pages.home import MOST, show_sitemap
from tests.support.web_names import AHEAD, CODE, ENDED, GONE, SUSPENDED, TEXT, UNDATED

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
BASE = "https://direito.example"


def _read_addresses(document: bytes, root: str) -> list[str]:
    element = ET.fromstring(document)
    assert element.tag == SPACE + root
    return [str(location.text) for location in element.iter(SPACE + "loc")]


def _map_addresses(store: Store, first: str | None, most: int = MOST) -> list[str]:
    answer = show_sitemap(store, {"base": BASE, "from": first, "most": most})
    assert answer.media == "application/xml"
    return _read_addresses(answer.body, "sitemapindex" if first is None else "urlset")


def _first_name(page: str) -> str:
    """Return the first name of a page of the sitemap, from the address of the page."""
    return httpx.URL(page).params["from"]


@pytest.fixture(scope="module")
def many(record: Callable[..., Record], store_of: Callable[..., WritableStore]) -> WritableStore:
    """Return some norms, each mentioned by several records."""
    names = [f"urn:lex:br:federal:lei:2001-03-05;{99901 + n}" for n in range(23)]
    versions = ("2001-03-06;publicacao;2001-03-06", "2002-01-01;alteracao;2001-12-01")
    return store_of(*(record(f"{name}@{version}") for name in names for version in versions))


@pytest.mark.parametrize("most", [1, 5, 22, 23, 24, MOST])
def test_sitemap_has_every_norm_on_one_page(many: WritableStore, most: int) -> None:
    pages = _map_addresses(many, None, most)
    assert len(pages) == -(-23 // most)
    address_lists = [_map_addresses(many, _first_name(page), most) for page in pages]
    assert all(len(page) <= most for page in address_lists)
    together = [address for page in address_lists for address in page]
    assert together == [f"{BASE}/urn:lex:br:federal:lei:2001-03-05;{99901 + n}" for n in range(23)]


def test_sitemap_of_an_empty_store_has_one_empty_page(store_of: Callable[..., WritableStore]) -> None:
    (page,) = _map_addresses(store_of(), None)
    assert _map_addresses(store_of(), _first_name(page)) == []


def test_sitemap_omits_too_long_addresses(
    record: Callable[..., Record], store_of: Callable[..., WritableStore]
) -> None:
    long = "urn:lex:br:federal:lei:2001-03-05;99901;" + "a" * 2100
    assert all(len(address) < 2048 for address in _map_addresses(store_of(record(f"{long}@2001-03-06")), ""))


def test_sitemap_contains_only_norms(web: httpx.Client) -> None:
    (page,) = _read_addresses(web.get("/sitemap.xml").content, "sitemapindex")
    answer = web.get(page)
    assert answer.headers["content-type"] == "application/xml"
    addresses = _read_addresses(answer.content, "urlset")
    assert str(web.base_url.join(name_path(CODE))) in addresses
    assert str(web.base_url.join(name_path(GONE))) not in addresses
    assert not any("!" in address or "@" in address for address in addresses)
    statuses = {address: web.get(address, headers={"Accept": "text/html"}).status_code for address in addresses}
    assert set(statuses.values()) <= {200, 303}, statuses
    again = web.get(page, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("query", ["from=a&from=b", "page=1", "From=a"])
def test_invalid_sitemap_query_is_400(web: httpx.Client, query: str) -> None:
    assert web.get(f"/sitemap.xml?{query}").status_code == 400


@pytest.mark.parametrize("first", ["%00", "%FF", "'; DROP TABLE summaries", "urn:lex:br", "~", "x" * 5000])
def test_any_first_name_of_a_sitemap_page_is_handled(web: httpx.Client, first: str) -> None:
    answer = web.get(f"/sitemap.xml?from={first}")
    assert answer.status_code in (200, 400, 414), answer.text
    assert web.get("/sitemap.xml").status_code == 200


def test_robots_allow_norms_and_disallow_queries(web: httpx.Client) -> None:
    text = web.get("/robots.txt").text
    rules = RobotFileParser()
    rules.parse(text.splitlines())
    assert rules.site_maps() == [str(web.base_url.join("/sitemap.xml"))]
    for path in ("/", name_path(CODE), f"/timeline{name_path(CODE)}", "/queries"):
        assert rules.can_fetch("*", path), path
    for path in ("/sparql", "/sparql/editor", "/api/v1/search", "/badge/x", "/timegate/x", "/timemap/x", "/search?q=a"):
        assert not rules.can_fetch("*", path), path


# The badge


def _badge_label(web: httpx.Client, name: str, query: str = "", language: str = "pt-BR") -> str:
    """Return the text of a badge for screen readers."""
    answer = web.get(f"/badge{name_path(name)}{query}", headers={"Accept": "image/*", "Accept-Language": language})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/svg+xml"
    return str(ET.fromstring(answer.content).get("aria-label"))


@pytest.mark.parametrize(
    ("name", "query", "expected"),
    [
        (CODE, "?on=1993-06-01", "Em vigor em 01/06/1993 (texto de 22/05/1993)"),
        (CODE, "?on=1991-01-01", "Publicada, em vacatio legis em 01/01/1991"),
        (CODE, "?vigente_em=1993-06-15&conhecido_em=2007-01-09", "01/06"),
        (f"{TEXT}!art2", "?on=2003-01-01", "Em 01/01/2003: revogado desde 02/05/2002"),
        (ENDED, "?on=2005-01-01", "Em 01/01/2005: vigência encerrada desde 01/01/2002"),
        (SUSPENDED, "?on=2002-06-01&axis=efficacy", "Em vigor, com a eficácia suspensa em 01/06/2002"),
        (AHEAD, "?on=2003-01-01", "Publicada, em vacatio legis em 01/01/2003"),
        ("Código de Defesa do Consumidor", "?on=1993-06-01", "Lei nº 8.078, de 11 de setembro de 1990: Em vigor"),
        ("nada que se conheça", "", "nada que se conheça: Nome desconhecido"),
    ],
)
def test_badge_has_the_status_of_the_api(web: httpx.Client, name: str, query: str, expected: str) -> None:
    text = _badge_label(web, name, query)
    if expected == "01/06":
        assert text.endswith("conforme o publicado até 09/01/2007")
    else:
        assert expected in text


def test_badge_is_available_in_english(web: httpx.Client) -> None:
    assert _badge_label(web, CODE, "?on=1993-06-01", "en").endswith("In force on 1 June 1993 (text of 22 May 1993)")
    assert _badge_label(web, CODE, "?on=1993-06-01&lang=en").endswith("In force on 1 June 1993 (text of 22 May 1993)")


@pytest.mark.parametrize("name", [CODE, GONE, f"{TEXT}!art1", "x" * 300, "<script>alert(1)</script>", 'a" onload="b'])
@pytest.mark.parametrize("format_", ["svg", "html"])
def test_badge_is_valid_for_any_name_and_format(web: httpx.Client, name: str, format_: str) -> None:
    answer = web.get(f"/badge{name_path(name)}?format={format_}")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "unsafe" not in policy
    assert "script-src" not in policy
    assert b"<script" not in answer.content
    if format_ == "svg":
        picture = ET.fromstring(answer.content)
        assert not any(key.startswith("on") for element in picture.iter() for key in element.attrib)
        assert float(picture.get("width", "0")) < 520


def test_html_badge_links_to_the_answer(web: httpx.Client) -> None:
    answer = web.get(f"/badge{name_path(CODE)}?on=1993-06-01", headers={"Accept": "text/html"})
    (link,) = lxml.html.document_fromstring(answer.content).iter("a")
    assert link.get("target") == "_top"
    linked_answer = web.get(str(link.get("href")), headers={"Accept": "application/json"}, follow_redirects=True)
    assert linked_answer.json()["on"] == "1993-06-01"


def test_one_client_can_load_many_badges(web: httpx.Client) -> None:
    """Request more at once than the number of tasks that one client may have."""
    paths = [f"/badge{name_path(CODE)}?on=1993-06-{day:02}" for day in range(1, 13)]
    with ThreadPoolExecutor(12) as crew:
        assert {answer.status_code for answer in crew.map(web.get, paths)} == {200}


def test_only_badges_may_be_framed(web: httpx.Client) -> None:
    for path in ("/", name_path(CODE), f"/timeline{name_path(CODE)}", "/sparql/editor", "/queries"):
        answer = web.get(path, headers={"Accept": "text/html, */*;q=0.1"}, follow_redirects=True)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path


def test_only_badges_of_past_dates_are_cached(web: httpx.Client) -> None:
    def keeping(query: str) -> str:
        return web.get(f"/badge{name_path(CODE)}{query}").headers["cache-control"]

    assert keeping("?on=1993-06-01") == "no-cache"
    assert "max-age" in keeping("?on=1993-06-01&as_known=2000-01-01")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/badge{name_path(CODE)}?on=anteontem", 422),
        (f"/badge{name_path(CODE)}?as_known=2999-01-01", 404),
        (f"/badge{name_path(CODE)}?format=png", 406),
        (f"/badge{name_path(CODE)}?size=3", 400),
        ("/badge/urn:lex:br:federal", 422),
        ("/badge/", 422),
    ],
)
def test_invalid_badge_is_rejected(web: httpx.Client, path: str, status: int) -> None:
    answer = web.get(path)
    assert answer.status_code == status, answer.text
    assert json.loads(answer.content)["code"]


# The head of a norm's page


def _page_with_json_ld(web: httpx.Client, path: str, language: str = "pt-BR") -> tuple[HtmlElement, dict[str, Any]]:
    """Return the page, and its schema.org data."""
    headers = {"Accept": "text/html", "Accept-Language": language}
    answer = web.get(path, headers=headers, follow_redirects=True)
    element = lxml.html.document_fromstring(answer.content)
    (data,) = [script.text for script in element.iter("script") if script.get("type") == "application/ld+json"]
    return element, json.loads(data or "")


def _schema_terms(value: object) -> Iterator[str]:
    """Return the schema.org terms in a document and in its nested objects."""
    if isinstance(value, list):
        for item in value:
            yield from _schema_terms(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield inner if key == "@type" else key
            yield from _schema_terms(inner)


@pytest.mark.parametrize(
    "name",
    [CODE, f"{CODE}?on=1993-06-01", ENDED, SUSPENDED, AHEAD, UNDATED, TEXT, f"{TEXT}!art2", f"{CODE}?on=1990-01-01"],
)
def test_json_ld_uses_only_schema_org_terms(web: httpx.Client, name: str) -> None:
    _, data = _page_with_json_ld(web, f"/{name}")
    assert data.pop("@context") == "https://schema.org"
    terms = {term for term in _schema_terms(data) if not term.startswith("@")}
    assert terms
    assert {term for term in terms if term not in SDO} == set()


def test_json_ld_values_are_in_the_graph(web: httpx.Client, names_store: Path) -> None:
    """Check that the values of shared properties, of the norm and of its version, are all in the graph."""
    _, data = _page_with_json_ld(web, f"/{CODE}?on=1993-06-01")
    version = data["legislationIdentifier"]
    with stores.open(names_store) as store:
        in_graph: dict[str, set[str]] = {}
        for triple in projected(store, "schema"):
            if str(triple.subject)[1:-1] in (CODE, version) and isinstance(triple.object, ox.Literal):
                in_graph.setdefault(triple.predicate.value.removeprefix("http://schema.org/"), set()).add(
                    triple.object.value
                )
    in_page = {key: {value} if isinstance(value, str) else set(value) for key, value in data.items() if _is_text(value)}
    shared = set(in_graph) & set(in_page)
    assert shared >= {"legislationDate", "legislationDateVersion", "legislationIdentifier", "name", "alternateName"}
    assert {key: in_page[key] - in_graph[key] for key in shared} == {key: set() for key in shared}


def _is_text(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))


@pytest.mark.parametrize(
    ("path", "force"),
    [
        (CODE, "InForce"),
        (f"{CODE}?on=1993-06-01", "NotInForce"),
        (ENDED, "NotInForce"),
        (AHEAD, "NotInForce"),
        (SUSPENDED, "InForce"),
        (UNDATED, None),
    ],
)
def test_json_ld_has_the_legal_force_of_today(web: httpx.Client, path: str, force: str | None) -> None:
    _, data = _page_with_json_ld(web, f"/{path}")
    assert data.get("legislationLegalForce") == (f"https://schema.org/{force}" if force else None)


def test_temporal_coverage_includes_the_last_day(web: httpx.Client) -> None:
    assert _page_with_json_ld(web, f"/{CODE}?on=1993-06-01")[1]["temporalCoverage"] == "1993-05-22/1993-09-07"
    assert _page_with_json_ld(web, f"/{CODE}")[1]["temporalCoverage"] == "1993-09-08/.."


def test_canonical_address_ignores_dates_and_language(web: httpx.Client) -> None:
    """Check that the canonical address is the same for all days and languages."""
    seen = set()
    for path in (f"/{CODE}?on=1993-06-01", f"/{CODE}?on=1993-07-01&lang=en", f"/{CODE}?vigente_em=1993-06-01"):
        element, data = _page_with_json_ld(web, path)
        links = [link.get("href") for link in element.iter("link") if link.get("rel") == "canonical"]
        metas = {meta.get("property"): meta.get("content") for meta in element.iter("meta")}
        seen |= {*links, metas["og:url"], data["url"]}
        assert str(metas["og:title"]).startswith(str(data["name"]))
        assert metas["og:description"]
    (address,) = seen
    assert web.get(str(address), headers={"Accept": "text/html"}).status_code == 200


@pytest.mark.parametrize("path", ["/", f"/timeline/{CODE}", "/sparql/editor?query=ASK+%7B%7D"])
@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_other_pages_have_metadata(web: httpx.Client, path: str, language: str) -> None:
    answer = web.get(path, headers={"Accept": "text/html", "Accept-Language": language})
    element = lxml.html.document_fromstring(answer.content)
    metas = {meta.get("property") or meta.get("name"): meta.get("content") for meta in element.iter("meta")}
    (canonical,) = [link.get("href") for link in element.iter("link") if link.get("rel") == "canonical"]
    assert metas["og:url"] == canonical == str(web.base_url.join(path.partition("?")[0]))
    assert len(str(metas["og:description"])) > 30
    assert metas["og:locale"] == ("pt_BR" if language == "pt-BR" else "en")
