"""Tests of feeds of changes, and of the page of recent changes."""

from __future__ import annotations

import httpx
from lxml import etree

from service.web.http.name_paths import name_path
from tests.support.pages import page
from tests.support.web_names import CODE, TEXT

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def _feed_entries(client: httpx.Client, path: str) -> list[etree._Element]:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    root = etree.fromstring(answer.content)
    for element in (root, *root.iterfind("a:entry", ATOM)):
        assert all(element.findtext(f"a:{key}", None, ATOM) for key in ("title", "id", "updated"))
    assert root.find("a:link[@rel='self']", ATOM) is not None
    elements = list(root.iterfind("a:entry", ATOM))
    identities = [entry.findtext("a:id", None, ATOM) for entry in elements]
    assert len(set(identities)) == len(identities)
    return elements


def test_norm_feed_includes_its_provisions(web: httpx.Client) -> None:
    feed = page(web, f"/{TEXT}").all("//link[@type='application/atom+xml']/@href")[0]
    assert feed == f"/feeds/norms{name_path(TEXT)}.atom"
    elements = _feed_entries(web, feed)
    titles = [str(entry.findtext("a:title", None, ATOM)) for entry in elements]
    assert any(title.startswith("Revogação: Art. 2º da Lei nº 99.916") for title in titles)
    assert [entry.findtext("a:updated", None, ATOM) for entry in elements] == sorted(
        (str(entry.findtext("a:updated", None, ATOM)) for entry in elements), reverse=True
    )
    part = _feed_entries(web, f"/feeds/norms{name_path(TEXT)}!art2.atom")
    assert 0 < len(part) < len(elements)
    for element in part:
        (link,) = element.iterfind("a:link", ATOM)
        assert page(web, str(link.get("href"))).response.status_code in {200, 404}


def test_search_has_a_feed(web: httpx.Client) -> None:
    elements = _feed_entries(web, "/feeds/search.atom?q=relogio")
    assert any(TEXT in str(element.findtext("a:id", None, ATOM)) for element in elements)
    assert web.get("/feeds/search.atom").json()["code"] == "missing-parameter"
    assert web.get("/feeds/norms/urn:lex:br:federal:lei:2020-01-02;99999.atom").status_code == 404
    assert web.get(f"/feeds/norms/{CODE}").status_code == 404


def test_recent_page_lists_changes_between_two_dates(web: httpx.Client) -> None:
    recent_page = page(web, "/recent?from=01/05/1993&to=30/09/1993")
    days = recent_page.all("//ul[contains(@class, 'recent')]//h2")
    assert days == sorted(days, key=lambda day: day.split("/")[::-1], reverse=True)
    assert "08/09/1993" in days
    assert f"/diff{name_path(CODE)}?from=1993-09-07&to=1993-09-08" in recent_page.all("//main//a/@href")
    empty = page(web, "/recent?from=1900-01-01&to=1900-02-01")
    assert "Nenhuma mudança conhecida" in empty.text


def test_opensearch_description_is_linked(web: httpx.Client) -> None:
    (path,) = page(web, "/").all("//link[@rel='search']/@href")
    root = etree.fromstring(web.get(path).content)
    (address, *_) = root.iter("{http://a9.com/-/spec/opensearch/1.1/}Url")
    assert str(address.get("template")) == f"{web.base_url}/search?q={{searchTerms}}"
    assert page(web, "/feeds/").response.status_code == 200
