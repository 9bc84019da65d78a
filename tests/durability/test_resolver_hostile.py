"""Tests of invalid and hostile addresses: they are refused with a reason, and never redirect to another site."""

from __future__ import annotations

import tomllib
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from service.web.http.name_paths import name_path
from service.web.settings import Settings
from tests.support.raw_http import response_to, statuses
from tests.support.web import serving
from tests.support.web_names import CODE, TEXT, code_of

_WRITTEN = (Path(__file__).parents[1] / "data" / "hostile_requests.toml").read_text("utf-8")
NAMES = tomllib.loads(_WRITTEN.replace("CODE", CODE))["names"]
LAST = f"{CODE}@1993-09-08;retificacao;2007-01-10"


@pytest.mark.parametrize("name", [LAST, f"{TEXT}!art2", f"{CODE}@[1991-03-11,1993-05-22]", f"{LAST}~texto;pt-br"])
def test_raw_and_encoded_names_are_equivalent(web: httpx.Client, name: str) -> None:
    raw, encoded = web.get(f"/{name}"), web.get("/" + quote(name, safe=""))
    assert raw.status_code == encoded.status_code
    assert raw.status_code in (200, 300, 303)
    for field in ("location", "content-location"):
        assert raw.headers.get(field) == encoded.headers.get(field)
    assert code_of(web.get("/" + quote(quote(name, safe=""), safe=""))) == (400, "encoded-twice")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        *NAMES["invalid"],
        (f"/{CODE}" + "a" * 2048, 404, "unknown-name"),
        ("/urn:lex:br:" + "a" * 20000, 414, "address-too-long"),
    ],
)
def test_invalid_name_address_is_rejected(web: httpx.Client, path: str, status: int, code: str) -> None:
    response = web.get(path)
    assert code_of(response) == (status, code)
    assert {"set-cookie", "location"}.isdisjoint(response.headers)
    if code == "unknown-parameter":
        known = ("on", "as_known", "axis", "vigente_em", "conhecido_em", "eficaz_em")
        assert all(word in response.json()["detail"] for word in known)


@pytest.mark.parametrize(
    ("target", "allowed"),
    [
        *NAMES["redirecting"],
        ("/urn:lex:br:" + "%41" * 33000, (400, 414, 431)),
        ("/urn:lex:br:" + "a" * 2000 + "?" + "on=1993-06-15&" * 5000, (400, 414, 422, 431)),
    ],
)
def test_hostile_targets_do_not_redirect_elsewhere(web: httpx.Client, target: str, allowed: list[int]) -> None:
    own = f"127.0.0.1:{web.base_url.port}"
    answer = response_to(f"http://{own}", f"GET {target} HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n".encode())
    assert statuses(answer)[0] in allowed
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert b"\nlocation:" not in head or f"\nlocation: http://{own}/urn:lex:br".encode() in head


def test_only_the_configured_address_is_shown(web: httpx.Client, names_store: Path) -> None:
    answers = [web.get(f"/{CODE}", headers={"host": 'evil"><script>'})]
    with serving(Settings(names_store, base="https://direito.example/vigente")) as address:
        answers += [httpx.get(f"{address}/{name}", headers={"host": "evil.example"}) for name in (CODE, LAST)]
    assert answers[1].headers["location"] == f"https://direito.example/vigente/{LAST}"
    for answer in answers:
        assert "evil" not in answer.text + str(answer.headers)
    assert name_path("//evil.example") == "/%2F%2Fevil.example"
    assert name_path("..") != "/../"
