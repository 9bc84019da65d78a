"""Tests of invalid and hostile addresses: they are refused with a reason, and never redirect to another site."""

from __future__ import annotations

from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from service.web.http.name_paths import name_path
from service.web.settings import Settings
from tests.support.web import serving
from tests.support.web_names import CODE, TEXT, code_of

LAST = f"{CODE}@1993-09-08;retificacao;2007-01-10"


@pytest.mark.parametrize("name", [LAST, f"{TEXT}!art2", f"{CODE}@[1991-03-11,1993-05-22]", f"{LAST}~texto;pt-br"])
def test_raw_and_encoded_names_are_equivalent(web: httpx.Client, name: str) -> None:
    raw, encoded = web.get(f"/{name}"), web.get("/" + quote(name, safe=""))
    assert raw.status_code == encoded.status_code
    assert raw.status_code in (200, 300, 303)
    assert raw.headers.get("location") == encoded.headers.get("location")
    assert raw.headers.get("content-location") == encoded.headers.get("content-location")
    twice = web.get("/" + quote(quote(name, safe=""), safe=""))
    assert code_of(twice) == (400, "encoded-twice")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        (f"/{CODE}?urn={CODE}", 400, "name-in-query"),
        (f"/{CODE}?day=1993-06-15", 400, "unknown-parameter"),
        (f"/{CODE}?on=1993-06-15&vigente_em=1993-06-15", 400, "repeated-parameter"),
        (f"/{CODE}?on=1993-06-15&eficaz_em=1993-06-15", 400, "repeated-parameter"),
        (f"/{CODE}?eficaz_em=1993-06-15&axis=force", 422, "bad-parameter"),
        (f"/{CODE}?on=1993-02-30", 422, "bad-date"),
        (f"/{CODE}?on=31/02/1993", 422, "bad-date"),
        (f"/{CODE}?on=", 422, "bad-date"),
        (f"/{CODE}?axis=vigor", 422, "bad-parameter"),
        ("/urn:lex:br:federal:lei", 422, "bad-name"),
        (f"/{CODE}%00", 422, "bad-name"),
        (f"/{CODE}%0d%0aSet-Cookie:%20a=b", 422, "bad-name"),
        (f"/{CODE}%E2%80%AE", 422, "bad-name"),
        (f"/{CODE}%5C..%5C", 422, "bad-name"),
        (f"/{CODE}/../../x", 404, "unknown-address"),
        ("/%2e%2e/%2e%2e/etc/passwd", 404, "unknown-address"),
        ("/%FF%FE", 400, "bad-request"),
        ("/no-such-page", 404, "unknown-address"),
        (f"/{CODE}" + "a" * 2048, 404, "unknown-name"),
        ("/urn:lex:br:" + "a" * 20000, 414, "address-too-long"),
        (f"/descriptions/{CODE}%0d%0a", 422, "bad-name"),
        ("/descriptions/no iri", 422, "bad-name"),
        ("/descriptions/https://example.com/nothing", 404, "unknown-name"),
        (f"/timegate%2F{CODE}", 404, "unknown-address"),
    ],
)
def test_invalid_name_address_is_rejected(web: httpx.Client, path: str, status: int, code: str) -> None:
    response = web.get(path)
    assert code_of(response) == (status, code)
    assert "set-cookie" not in response.headers
    assert "location" not in response.headers


def test_unknown_parameters_are_reported_with_the_known_ones(web: httpx.Client) -> None:
    detail = web.get(f"/{CODE}?day=1993-06-15").json()["detail"]
    assert all(word in detail for word in ("on", "as_known", "axis", "vigente_em", "conhecido_em", "eficaz_em"))


def raw(web: httpx.Client, target: str) -> tuple[int, str | None]:
    """Return status and Location for a request target that no ordinary client sends."""
    connection = HTTPConnection("127.0.0.1", web.base_url.port, timeout=20)
    try:
        connection.putrequest("GET", target, skip_host=True)
        connection.putheader("Host", f"127.0.0.1:{web.base_url.port}")
        connection.endheaders()
        response = connection.getresponse()
        response.read()
        return response.status, response.getheader("location")
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("target", "statuses"),
    [
        ("//evil.example/urn:lex:br", {404}),
        ("//evil.example/%2e%2e", {404}),
        (f"//{CODE}", {303}),  # an empty host is ignored: the path begins after it
        (f"///{CODE}", {303}),
        (f"/\\evil.example/{CODE}", {422}),
        (f"/x/../{CODE}", {404}),
        (f"http://evil.example/{CODE}", {303, 400, 404}),
        ("/urn:lex:br:" + "%41" * 33000, {400, 414, 431}),
        ("/urn:lex:br:" + "a" * 2000 + "?" + "on=1993-06-15&" * 5000, {400, 414, 422, 431}),
    ],
)
def test_hostile_targets_do_not_redirect_elsewhere(web: httpx.Client, target: str, statuses: set[int]) -> None:
    status, location = raw(web, target)
    assert status in statuses
    assert location is None or location.startswith(f"http://127.0.0.1:{web.base_url.port}/urn:lex:br")
    assert web.get(f"/{LAST}").status_code == 200


def test_invalid_host_is_not_echoed(web: httpx.Client) -> None:
    response = web.get(f"/{CODE}", headers={"host": 'evil"><script>'})
    assert "evil" not in response.text + str(response.headers)


def test_only_the_configured_address_is_shown(names_store: Path) -> None:
    with serving(Settings(names_store, base="https://direito.example/vigente")) as address:
        response = httpx.get(f"{address}/{CODE}", headers={"host": "evil.example"})
        assert response.headers["location"] == f"https://direito.example/vigente/{LAST}"
        assert "evil" not in str(response.headers) + response.text
        version = httpx.get(f"{address}/{LAST}", headers={"host": "evil.example"})
        assert "evil" not in str(version.headers) + version.text


def test_name_path_is_escaped() -> None:
    assert name_path("//evil.example") == "/%2F%2Fevil.example"
    assert name_path("..") != "/../"
