"""Tests of gzip for pages and data: the same content, the header fields, and correct validators."""

from __future__ import annotations

import gzip

import httpx
import pytest

from service.web.cached_documents import asset_path
from tests.support.pages import BROWSER
from tests.support.web_names import CODE, TEXT

LONG = (f"/timeline/{CODE}", f"/{TEXT}?on=2001-06-01&lang=pt", "/queries", "/search?q=lei", asset_path("vigente.css"))
DATA = (
    f"/{TEXT}?format=ttl",
    f"/{TEXT}?format=jsonld",
    f"/api/v1/timeline?urn={CODE}",
    "/openapi.json",
    "/vocab?format=ttl",
)


def ask(web: httpx.Client, path: str, coding: str, method: str = "GET", **headers: str) -> httpx.Response:
    asked = {"accept": BROWSER, "accept-encoding": coding, **headers}
    return web.request(method, path, headers=asked, follow_redirects=True)


@pytest.mark.parametrize("path", [*LONG, *DATA])
def test_compressed_and_plain_responses_are_equal(web: httpx.Client, path: str) -> None:
    plain, short, headed = ask(web, path, "identity"), ask(web, path, "gzip"), ask(web, path, "br, gzip;q=0.1", "HEAD")
    assert plain.status_code == short.status_code == 200
    assert "content-encoding" not in plain.headers
    assert short.headers["content-encoding"] == headed.headers["content-encoding"] == "gzip"
    assert short.content == plain.content
    assert int(short.headers["content-length"]) < len(plain.content) / 2
    assert headed.headers["content-length"] == short.headers["content-length"]
    for response in (plain, short):
        assert "Accept-Encoding" in response.headers["vary"].split(", ")
    assert short.headers["etag"].startswith('W/"'), "its bytes are others than those of the plain one"
    assert short.headers["etag"].removeprefix("W/") == plain.headers["etag"].removeprefix("W/")
    again = ask(web, path, "gzip", **{"if-none-match": short.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", short.headers["etag"])
    assert "Accept-Encoding" in again.headers["vary"].split(", ")


def test_uncompressed_small_response_keeps_its_etag(web: httpx.Client) -> None:
    """Check that a 304 has the ETag of its 200, here a strong one (RFC 9110, section 15.4.5)."""
    small = ask(web, "/context.jsonld", "gzip")
    assert "content-encoding" not in small.headers
    tag = small.headers["etag"]
    assert tag.startswith('"')
    for held, reported in ((tag, tag), (f'"other", {tag}', tag), (f"W/{tag}", f"W/{tag}")):
        again = ask(web, "/context.jsonld", "gzip", **{"if-none-match": held})
        assert (again.status_code, again.headers["etag"]) == (304, reported), held


def test_response_body_is_gzip(web: httpx.Client) -> None:
    with web.stream("GET", LONG[0], headers={"accept": BROWSER, "accept-encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
    assert len(raw) == int(answer.headers["content-length"])
    assert gzip.decompress(raw).startswith(b"<!doctype html>")


@pytest.mark.parametrize(
    ("path", "coding"),
    [
        (LONG[0], "gzip;q=0"),
        (LONG[0], "br"),
        (LONG[0], "gzip;q=x, *;q=0"),
        (asset_path("badge.css"), "gzip"),
        ("/health", "gzip"),
    ],
)
def test_response_is_uncompressed_if_not_accepted_or_not_smaller(web: httpx.Client, path: str, coding: str) -> None:
    assert "content-encoding" not in ask(web, path, coding).headers


@pytest.mark.parametrize("path", [f"/timemap/{CODE}", "/urn:lex:br:federal:lei:1990-13-41;1", "/nada"])
def test_problem_page_has_one_vary_header(web: httpx.Client, path: str) -> None:
    """Check also problems that set Vary themselves, as 406 does."""
    answer = ask(web, path, "gzip", accept="text/html")
    assert answer.status_code >= 400
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers.get_list("vary") == ["Accept, Accept-Language, Accept-Encoding"]
