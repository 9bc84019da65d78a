"""Tests of the resolver over HTTP: the target of every name, with status code, links and header fields."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from graph.store import in_memory
from service.cli import main
from service.web.published import Snapshot, State
from service.web.replies import entity_tag
from tests.support.web_names import (
    CODE,
    TEXT,
    UNDATED,
    code_of,
    place,
)

LAST = f"{CODE}@1993-09-08;retificacao;2007-01-10"
NEW = f"{CODE}@1993-05-22;retificacao;2007-01-10"


# Targets of names


def test_json_is_the_document_of_the_command_line(
    web: httpx.Client, names_store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, on in ((CODE, "1993-06-15"), (f"{TEXT}!art2", "2001-06-01"), (f"{TEXT}!art3", "2002-05-02")):
        main(["--store", str(names_store), "in-force", name, "--on", on, "--as-known", "2008-12-15", "--json"])
        printed = json.loads(capsys.readouterr().out)
        path = f"/{name}?on={on}&as_known=2008-12-15&format=json"
        assert web.get(path, follow_redirects=True).json() == printed


# Formats, links, caches


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (None, "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
        ("text/turtle;q=0.5, application/trig", "application/trig"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/n-triples", "application/n-triples"),
        ("application/ld+json", "application/ld+json"),
    ],
)
def test_media_type_is_negotiated(web: httpx.Client, accept: str | None, media: str) -> None:
    response = web.get(f"/{LAST}", headers={"accept": accept} if accept else {})
    assert (response.status_code, response.headers["content-type"]) == (200, media)
    assert response.headers["vary"] == (
        "Accept, Accept-Language, Accept-Encoding" if media.startswith("text/html") else "Accept, Accept-Encoding"
    )
    assert web.get(response.headers["content-location"]).headers["content-type"] == media


def test_format_overrides_accept_and_unsupported_is_406(web: httpx.Client) -> None:
    response = web.get(f"/{LAST}?format=ttl", headers={"accept": "application/json"})
    assert response.headers["content-type"].startswith("text/turtle")
    assert web.get(f"/{LAST}?format=application/ld+json").headers["content-type"] == "application/ld+json"
    assert code_of(web.get(f"/{LAST}?format=pdf")) == (406, "not-acceptable")
    assert code_of(web.get(f"/{LAST}", headers={"accept": "image/png"})) == (406, "not-acceptable")
    assert place(web.get(f"/{CODE}?format=ttl")) == f"/{LAST}?format=ttl"
    for path in (CODE, UNDATED, f"{CODE}@1993-05-22", "urn:lex:br:federal:lei:1990;8078"):
        assert code_of(web.get(f"/{path}?format=xyz")) == (406, "not-acceptable"), "told before a redirect is followed"


def test_caching_and_conditional_headers_are_correct(web: httpx.Client) -> None:
    exact = web.get(f"/{NEW}?as_known=2008-01-01")
    assert web.get("/urn:lex:br:federal:lei:2011-01-03;77777").headers["cache-control"] == "no-store"
    tag = exact.headers["etag"]
    for condition in (tag, f'"other", W/{tag}', "*"):
        again = web.get(f"/{NEW}?as_known=2008-01-01", headers={"if-none-match": condition})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert web.get(f"/{NEW}?as_known=2008-01-01", headers={"if-none-match": '"other"'}).status_code == 200
    tags = {web.get(f"/{NEW}?format={short}").headers["etag"] for short in ("json", "ttl", "trig", "html")}
    assert len({*tags, tag}) == 5


@pytest.mark.parametrize(
    "path",
    [
        f"/{NEW}?as_known=2008-01-01",
        f"/diff/{CODE}?from=1990-09-11&to=2000-01-01",
        f"/timemap/{CODE}",
        f"/descriptions/{CODE}",
        f"/api/v1/in-force?urn={CODE}",
        "/openapi.json",
        "/ns",
        "/sparql",
    ],
)
def test_if_match_compares_strongly(web: httpx.Client, path: str) -> None:
    """Check If-Match (RFC 9110, section 13.1.1): strong comparison, ``*`` for any answer, before If-None-Match."""
    tag = web.get(path).headers["etag"]
    held = {"if-match": f'"other", {tag}', "if-none-match": tag}
    same = web.get(path, headers=held)
    assert same.status_code == (412 if tag.startswith("W/") else 304)
    assert web.get(path, headers={"if-match": "*"}).status_code == 200
    for condition in ('"other"', f"W/{tag.removeprefix('W/')}", ""):
        refused = web.get(path, headers={"if-match": condition})
        assert code_of(refused) == (412, "precondition-failed"), condition
    assert web.get("/urn:lex:br:federal:lei:2011-01-03;77777", headers={"if-match": '"other"'}).status_code == 404


def test_head_options_and_cors_are_supported(web: httpx.Client) -> None:
    for path in (f"/{LAST}", f"/{CODE}", f"/{CODE}@1991-03-12", f"/timemap/{CODE}", f"/timegate/{CODE}"):
        fetched, head = web.get(path), web.head(path)
        assert (head.status_code, head.content) == (fetched.status_code, b"")
        passing = {"date", "x-request-id"}
        assert {k: v for k, v in head.headers.items() if k not in passing} == {
            k: v for k, v in fetched.headers.items() if k not in passing
        }
        assert fetched.headers["access-control-allow-origin"] == "*"
        options = web.options(path)
        assert (options.status_code, options.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
        assert "Accept-Datetime" in options.headers["access-control-allow-headers"]
    assert web.post(f"/{CODE}").status_code == 405


def test_etag_depends_on_the_snapshot() -> None:
    snapshot, second, again = (Snapshot(State(*state), in_memory()) for state in (("1", 5), ("2", 5), ("1", 6)))
    assert entity_tag(snapshot, CODE) == entity_tag(snapshot, CODE)
    assert len({entity_tag(each_snapshot, CODE) for each_snapshot in (snapshot, second, again)}) == 3
    assert entity_tag(snapshot, CODE, "a") != entity_tag(snapshot, CODE, "b")
