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
from rdflib import SDO

from graph import store as stores
from graph.entities import Record
from graph.store import Store, WritableStore
from queries.profiles import projected
from service.web.http.name_paths import name_path
from service.web.pages.home import MOST, show_sitemap
from service.web.settings import Settings
from tests.support.in_process import client_of
from tests.support.web import serving
from tests.support.web_names import AHEAD, CODE, ENDED, GONE, SUSPENDED, TEXT, UNDATED

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
BASE = "https://direito.example"
CDC = name_path(CODE)


@pytest.fixture(scope="module")
def web(names_store: Path) -> httpx.Client:
    """Return a client of a service over the store of web_names.py, in this process."""
    return client_of(Settings(names_store))


# The sitemap and robots.txt


def _read_addresses(document: bytes, root: str) -> list[str]:
    element = ET.fromstring(document)
    assert element.tag == SPACE + root
    return [str(location.text) for location in element.iter(SPACE + "loc")]


def _map_addresses(store: Store, first: str | None, most: int = MOST) -> list[str]:
    answer = show_sitemap(store, {"base": BASE, "from": first, "most": most})
    assert answer.media == "application/xml"
    return _read_addresses(answer.body, "sitemapindex" if first is None else "urlset")


def _pages(store: Store, most: int = MOST) -> list[list[str]]:
    """Return the addresses of each page; the address of a page has its first name."""
    return [_map_addresses(store, httpx.URL(page).params["from"], most) for page in _map_addresses(store, None, most)]


def test_sitemap_has_every_norm_on_one_page(
    record: Callable[..., Record], store_of: Callable[..., WritableStore]
) -> None:
    names = [f"urn:lex:br:federal:lei:2001-03-05;{99901 + n}" for n in range(23)]
    versions = ("2001-03-06;publicacao;2001-03-06", "2002-01-01;alteracao;2001-12-01")
    many = store_of(*(record(f"{name}@{version}") for name in names for version in versions))
    for most in (1, 5, 22, 23, 24, MOST):
        pages = _pages(many, most)
        assert len(pages) == -(-23 // most)
        assert all(len(page) <= most for page in pages)
        assert [address for page in pages for address in page] == [f"{BASE}/{name}" for name in names]
    assert _pages(store_of()) == [[]]
    long = "urn:lex:br:federal:lei:2001-03-05;99901;" + "a" * 2100
    assert all(len(address) < 2048 for page in _pages(store_of(record(f"{long}@2001-03-06"))) for address in page)


def test_sitemap_contains_only_norms(web: httpx.Client) -> None:
    (page,) = _read_addresses(web.get("/sitemap.xml").content, "sitemapindex")
    answer = web.get(page)
    assert answer.headers["content-type"] == "application/xml"
    addresses = _read_addresses(answer.content, "urlset")
    assert str(web.base_url.join(CDC)) in addresses
    assert str(web.base_url.join(name_path(GONE))) not in addresses
    assert not any("!" in address or "@" in address for address in addresses)
    statuses = {address: web.get(address, headers={"Accept": "text/html"}).status_code for address in addresses}
    assert set(statuses.values()) <= {200, 303}, statuses
    again = web.get(page, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_any_query_of_the_sitemap_is_handled(web: httpx.Client) -> None:
    for query in ("from=a&from=b", "page=1", "From=a"):
        assert web.get(f"/sitemap.xml?{query}").status_code == 400
    for first in ("%00", "%FF", "'; DROP TABLE summaries", "urn:lex:br", "~", "x" * 5000):
        answer = web.get(f"/sitemap.xml?from={first}")
        assert answer.status_code in (200, 400, 414), answer.text
        assert web.get("/sitemap.xml").status_code == 200


def test_robots_allow_norms_and_disallow_queries(web: httpx.Client) -> None:
    rules = RobotFileParser()
    rules.parse(web.get("/robots.txt").text.splitlines())
    assert rules.site_maps() == [str(web.base_url.join("/sitemap.xml"))]
    allowed = {path: rules.can_fetch("*", path) for path in ("/", CDC, f"/timeline{CDC}", "/queries")}
    assert set(allowed.values()) == {True}
    for path in ("/sparql", "/sparql/editor", "/api/v1/search", "/badge/x", "/timegate/x", "/timemap/x", "/search?q=a"):
        assert not rules.can_fetch("*", path), path


# The badge

#: Norms and queries, and the text of the badge for screen readers; "…" stands for other text.
BADGES = [
    (CODE, "on=1993-06-01", "…Em vigor em 01/06/1993 (texto de 22/05/1993)"),
    (CODE, "on=1991-01-01", "…Publicada, em vacatio legis em 01/01/1991…"),
    (CODE, "vigente_em=1993-06-15&conhecido_em=2007-01-09", "…conforme o publicado até 09/01/2007"),
    (f"{TEXT}!art2", "on=2003-01-01", "…Em 01/01/2003: revogado desde 02/05/2002…"),
    (ENDED, "on=2005-01-01", "…Em 01/01/2005: vigência encerrada desde 01/01/2002…"),
    (SUSPENDED, "on=2002-06-01&axis=efficacy", "…Em vigor, com a eficácia suspensa em 01/06/2002…"),
    (AHEAD, "on=2003-01-01", "…Publicada, em vacatio legis em 01/01/2003…"),
    ("Código de Defesa do Consumidor", "on=1993-06-01", "…Lei nº 8.078, de 11 de setembro de 1990: Em vigor…"),
    ("nada que se conheça", "", "…nada que se conheça: Nome desconhecido…"),
    (CODE, "on=1993-06-01&lang=en", "…In force on 1 June 1993 (text of 22 May 1993)"),
]


@pytest.mark.parametrize(("name", "query", "expected"), BADGES)
def test_badge_has_the_status_of_the_api(web: httpx.Client, name: str, query: str, expected: str) -> None:
    headers = {"Accept": "image/*", "Accept-Language": "pt-BR"}
    answer = web.get(f"/badge{name_path(name)}?{query}", headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml"), answer.text
    label = str(ET.fromstring(answer.content).get("aria-label"))
    assert expected.strip("…") in label
    assert expected.endswith("…") or label.endswith(expected.strip("…")), label


def test_language_of_the_reader_is_that_of_the_badge(web: httpx.Client) -> None:
    answer = web.get(f"/badge{CDC}?on=1993-06-01", headers={"Accept": "image/*", "Accept-Language": "en"})
    assert "In force on 1 June 1993 (text of 22 May 1993)" in str(ET.fromstring(answer.content).get("aria-label"))


@pytest.mark.parametrize("name", [CODE, GONE, f"{TEXT}!art1", "x" * 300, "<script>alert(1)</script>", 'a" onload="b'])
def test_badge_is_valid_for_any_name_and_format(web: httpx.Client, name: str) -> None:
    for format_ in ("svg", "html"):
        answer = web.get(f"/badge{name_path(name)}?format={format_}")
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors *" in policy
        assert ("unsafe" in policy, "script-src" in policy, b"<script" in answer.content) == (False, False, False)
        if format_ == "svg":
            picture = ET.fromstring(answer.content)
            assert not any(key.startswith("on") for element in picture.iter() for key in element.attrib)
            assert float(picture.get("width", "0")) < 520


def test_html_badge_links_to_the_answer(web: httpx.Client) -> None:
    answer = web.get(f"/badge{CDC}?on=1993-06-01", headers={"Accept": "text/html"})
    (link,) = lxml.html.document_fromstring(answer.content).iter("a")
    assert link.get("target") == "_top"
    linked = web.get(str(link.get("href")), headers={"Accept": "application/json"}, follow_redirects=True)
    assert linked.json()["on"] == "1993-06-01"


def test_one_client_can_load_many_badges(names_store: Path) -> None:
    """Request more at once than the number of tasks that one client may have."""
    addresses = [f"/badge{CDC}?on=1993-06-{day:02}" for day in range(1, 13)]
    with (
        serving(Settings(names_store)) as address,
        httpx.Client(base_url=address, timeout=20) as client,
        ThreadPoolExecutor(12) as crew,
    ):
        assert {answer.status_code for answer in crew.map(client.get, addresses)} == {200}


def test_only_badges_may_be_framed_and_only_past_ones_are_kept(web: httpx.Client) -> None:
    for path in ("/", CDC, f"/timeline{CDC}", "/sparql/editor", "/queries"):
        answer = web.get(path, headers={"Accept": "text/html, */*;q=0.1"}, follow_redirects=True)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path
    assert web.get(f"/badge{CDC}?on=1993-06-01").headers["cache-control"] == "no-cache"
    assert "max-age" in web.get(f"/badge{CDC}?on=1993-06-01&as_known=2000-01-01").headers["cache-control"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{CDC}?on=anteontem", 422),
        (f"{CDC}?as_known=2999-01-01", 404),
        (f"{CDC}?format=png", 406),
        (f"{CDC}?size=3", 400),
        ("/urn:lex:br:federal", 422),
        ("/", 422),
    ],
)
def test_invalid_badge_is_rejected(web: httpx.Client, path: str, status: int) -> None:
    answer = web.get(f"/badge{path}")
    assert answer.status_code == status, answer.text
    assert json.loads(answer.content)["code"]


# The head of a page


def _head(
    web: httpx.Client, path: str, language: str = "pt-BR"
) -> tuple[dict[str | None, str | None], list[str | None], Any]:
    """Return the metadata of a page by their names, its canonical addresses, and the page."""
    headers = {"Accept": "text/html", "Accept-Language": language}
    answer = web.get(path, headers=headers, follow_redirects=True)
    page = lxml.html.document_fromstring(answer.content)
    metas = {meta.get("property") or meta.get("name"): meta.get("content") for meta in page.iter("meta")}
    return metas, [link.get("href") for link in page.iter("link") if link.get("rel") == "canonical"], page


def _json_ld(web: httpx.Client, path: str) -> dict[str, Any]:
    """Return the schema.org data of a page."""
    _, _, page = _head(web, f"/{path}")
    (data,) = [script.text for script in page.iter("script") if script.get("type") == "application/ld+json"]
    return json.loads(data or "")  # type: ignore[no-any-return]


def _schema_terms(value: object) -> Iterator[str]:
    """Return the schema.org terms in a document and in its nested objects."""
    if isinstance(value, list):
        for item in value:
            yield from _schema_terms(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield inner if key == "@type" else key
            yield from _schema_terms(inner)


def test_json_ld_uses_only_schema_org_terms(web: httpx.Client) -> None:
    dated = (f"{CODE}?on=1993-06-01", f"{CODE}?on=1990-01-01")
    for name in (CODE, *dated, ENDED, SUSPENDED, AHEAD, UNDATED, TEXT, f"{TEXT}!art2"):
        data = _json_ld(web, name)
        assert data.pop("@context") == "https://schema.org"
        terms = {term for term in _schema_terms(data) if not term.startswith("@")}
        assert terms
        assert {term for term in terms if term not in SDO} == set(), name


def test_json_ld_values_are_in_the_graph(web: httpx.Client, names_store: Path) -> None:
    """The values of shared properties, of the norm and of its version, are all in the graph."""
    data = _json_ld(web, f"{CODE}?on=1993-06-01")
    in_graph: dict[str, set[str]] = {}
    with stores.open(names_store) as store:
        for triple in projected(store, "schema"):
            of = str(triple.subject)[1:-1]
            if of in (CODE, data["legislationIdentifier"]) and isinstance(triple.object, ox.Literal):
                key = triple.predicate.value.removeprefix("http://schema.org/")
                in_graph.setdefault(key, set()).add(triple.object.value)
    listed = {key: value if isinstance(value, list) else [value] for key, value in data.items()}
    in_page = {key: set(texts) for key, texts in listed.items() if all(isinstance(text, str) for text in texts)}
    shared = set(in_graph) & set(in_page)
    assert shared >= {"legislationDate", "legislationDateVersion", "legislationIdentifier", "name", "alternateName"}
    assert {key: in_page[key] - in_graph[key] for key in shared} == {key: set() for key in shared}


def test_json_ld_has_the_legal_force_of_today_and_the_last_day_covered(web: httpx.Client) -> None:
    for path, force in (
        (CODE, "InForce"),
        (f"{CODE}?on=1993-06-01", "NotInForce"),
        (ENDED, "NotInForce"),
        (AHEAD, "NotInForce"),
        (SUSPENDED, "InForce"),
        (UNDATED, None),
    ):
        stated = _json_ld(web, path).get("legislationLegalForce")
        assert stated == (f"https://schema.org/{force}" if force else None), path
    assert _json_ld(web, f"{CODE}?on=1993-06-01")["temporalCoverage"] == "1993-05-22/1993-09-07"
    assert _json_ld(web, CODE)["temporalCoverage"] == "1993-09-08/.."


def test_canonical_address_ignores_dates_and_language(web: httpx.Client) -> None:
    seen = set()
    for path in (f"{CODE}?on=1993-06-01", f"{CODE}?on=1993-07-01&lang=en", f"{CODE}?vigente_em=1993-06-01"):
        data = _json_ld(web, path)
        metas, canonical, _ = _head(web, f"/{path}")
        seen |= {*canonical, metas["og:url"], data["url"]}
        assert str(metas["og:title"]).startswith(str(data["name"]))
        assert metas["og:description"]
    (address,) = seen
    assert web.get(str(address), headers={"Accept": "text/html"}).status_code == 200


@pytest.mark.parametrize("path", ["/", f"/timeline/{CODE}", "/sparql/editor?query=ASK+%7B%7D"])
def test_other_pages_have_metadata(web: httpx.Client, path: str) -> None:
    for language, locale in (("pt-BR", "pt_BR"), ("en", "en")):
        metas, canonical, _ = _head(web, path, language)
        assert [metas["og:url"]] == canonical == [str(web.base_url.join(path.partition("?")[0]))]
        assert len(str(metas["og:description"])) > 30
        assert metas["og:locale"] == locale
