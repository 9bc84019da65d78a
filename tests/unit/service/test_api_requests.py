"""Tests of HTTP behaviour of the API: methods, caching, CORS, and every kind of invalid request."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import quote, urlsplit

import pytest

from graph.civil import today
from graph.store import Store
from service.web.api.endpoints import ENDPOINTS
from service.web.api.operations import get_in_force_batch
from service.web.settings import Limits
from tests.support.web_api import CODE, LAW, UNKNOWN, Api, sampled

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with sampled(tmp_path_factory.mktemp("api") / "store", Limits(batch=3, body_bytes=4_000)) as made:
        yield made


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.path)
def test_examples_in_the_description_return_200(api: Api, endpoint: object) -> None:
    path = f"/api/v1/{getattr(endpoint, 'path', '')}"
    declared = api.description["paths"][path]
    given = {
        parameter["name"]: parameter["example"] for parameter in declared["get"]["parameters"] if "example" in parameter
    }
    response = api.get(path.removeprefix("/api/v1/"), **given)
    assert response.status_code == 200, response.text
    for media, body in declared.get("post", {}).get("requestBody", {}).get("content", {}).items():
        example = body["example"]
        content = example if isinstance(example, str) else json.dumps(example)
        posted = api.post(path.removeprefix("/api/v1/"), content=content.encode(), headers={"Content-Type": media})
        assert posted.status_code == 200, posted.text


@pytest.mark.parametrize(
    ("path", "query", "status", "code", "detail"),
    [
        ("in-force", "", 400, "missing-parameter", "expected urn or name or nome: "),
        ("in-force", f"urn={CODE}&onn=1993-06-15", 400, "unknown-parameter", "got 'onn'; similar: on"),
        ("in-force", f"urn={CODE}&urn={CODE}", 400, "repeated-parameter", "expected urn once, got urn and urn"),
        ("in-force", f"urn={CODE}&nome={CODE}", 400, "repeated-parameter", "got urn and nome"),
        ("in-force", f"urn={CODE}&on=1993-06-15&vigente_em=1993-06-15", 400, "repeated-parameter", "on and vigente_em"),
        ("in-force", f"urn={CODE}&eficaz_em=1993-06-15&axis=force", 422, "bad-parameter", "eficaz_em means axis"),
        ("in-force", f"urn={CODE}&on=15/06/1993", 422, "bad-date", "expected a date YYYY-MM-DD, got '15/06/1993'"),
        ("in-force", f"urn={CODE}&on=1993-02-30", 422, "bad-date", "1993-02-30"),
        ("in-force", f"urn={CODE}&on=", 422, "bad-date", "on: "),
        ("in-force", f"urn={CODE}&axis=both", 422, "bad-parameter", "expected axis force or efficacy, got 'both'"),
        ("in-force", "urn=", 422, "bad-name", ""),
        ("in-force", "urn=urn:lex:br:federal:lei:1990-13-11;8078", 422, "bad-name", ""),
        ("in-force", f"urn={CODE}@versao.vigente.em;1993-06-15&on=1993-06-16", 422, "bad-parameter", "says on"),
        ("in-force", "urn=%ED%A0%80", 400, "bad-request", "UTF-8"),
        ("in-force", "urn=%FF", 400, "bad-request", "UTF-8"),
        ("in-force", "&".join(f"a{index}=1" for index in range(65)), 400, "bad-request", "at most 64 parameters"),
        ("in-force", f"urn={'x' * 4097}", 422, "bad-parameter", "at most 4096 characters, got 4097"),
        ("in-force", f"urn={UNKNOWN}", 404, "unknown-name", "no source in this store mentions"),
        ("norms/", "", 422, "bad-name", ""),
        ("norms/urn:lex:br:federal:lei:1990-13-11;8078", "", 422, "bad-name", ""),
        (f"norms/{CODE}", "on=1993-02-30", 422, "bad-date", "1993-02-30"),
        (f"norms/{CODE}", "as_known=2999-01-01", 404, "outside-knowledge-horizon", "2999-01-01"),
        (f"norms/{CODE}", "axis=both", 422, "bad-parameter", "expected axis force or efficacy, got 'both'"),
        (f"norms/{CODE}", f"name={CODE}", 400, "repeated-parameter", "expected name once"),
        (f"norms/{CODE}", f"urn={CODE}", 400, "unknown-parameter", "got 'urn'"),
        (f"norms/{CODE}@versao.vigente.em;1993-06-15", "on=1993-06-16", 422, "bad-parameter", "says on"),
        (f"norms/{UNKNOWN}", "", 404, "unknown-name", "no source in this store mentions"),
        ("resolve", "urn=nothing+of+the+kind", 404, "unknown-name", "not-understood"),
        ("diff", f"urn={CODE}&from=1993-06-15", 400, "missing-parameter", "expected to: "),
        ("diff", f"urn={CODE}&from=1993-06-15&to=1991-01-01", 422, "bad-parameter", "expected two days in order"),
        ("timeline", f"urn={CODE}&on=1993-06-15", 400, "unknown-parameter", "expected urn, name, nome, got 'on'"),
        ("name/label", "urn=art5&context=nonsense", 422, "bad-parameter", "expected context to be the id"),
        ("cite", "text=x&provision=art5", 422, "bad-parameter", "expected norm, the norm of the provision"),
        ("cite", "text=x&norm=nonsense", 422, "bad-name", ""),
        ("queries", "x=1", 400, "unknown-parameter", "expected no parameters, got 'x'"),
        ("search", "", 422, "bad-parameter", "expected words, or a type beside a number"),
        ("search", "type=lei&number=1&limit=101", 422, "bad-parameter", "from 1 to 100, got '101'"),
        ("search", "type=lei&number=1&limit=-1", 422, "bad-parameter", "from 1 to 100"),
        ("search", "type=lei&year=1993.0", 422, "bad-parameter", "expected year to be a number"),
        ("search", "type=lei&number=1&after=W10", 422, "bad-parameter", "expected after to be the `next`"),
        ("search", "type=lei&number=1&after=%F0%9F%98%80", 422, "bad-parameter", "expected after to be the `next`"),
    ],
)  # fmt: skip
def test_invalid_request_is_rejected(api: Api, path: str, query: str, status: int, code: str, detail: str) -> None:
    response = api.raw(path, query)
    problem = response.json()
    assert (response.status_code, problem["code"], problem["status"]) == (status, code, status)
    assert detail in problem["detail"]
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "text",
    ["a\x00b", "\u202elei\u202c", "a\r\nX-Injected: 1", "\x1b[2J", "\ufeff", "\ufffe", "😀" * 50, "..;/etc/passwd"],
)
def test_unusual_characters_are_returned_unchanged(api: Api, text: str) -> None:
    response = api.get("in-force", urn=text)
    assert response.status_code in {404, 422}
    assert "x-injected" not in response.headers
    if response.status_code == 404:
        assert response.json()["answer"]["asked"] == text
    assert api.get("cite", text=text).json() == {"citations": [], "left_out": []}


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("in-force", b"", 400, "bad-json"),
        ("in-force", b"{", 400, "bad-json"),
        ("in-force", b"\xff\xfe", 400, "bad-request"),
        ("in-force", b"[" * 3_000, 400, "bad-json"),
        ("in-force", b'{"names": [NaN]}', 400, "bad-json"),
        ("in-force", b'{"names": [], "names": []}', 400, "bad-json"),
        ("in-force", b"null", 422, "bad-parameter"),
        ("in-force", b'{"names": "x"}', 422, "bad-parameter"),
        ("in-force", b'{"names": [], "on": "1993-02-30"}', 422, "bad-date"),
        ("in-force", b'{"names": [], "day": "1993-02-03"}', 400, "unknown-parameter"),
        ("in-force", b'{"names": [], "on": null}', 422, "bad-parameter"),
        ("in-force", b'{"names": [], "foo": 1}', 400, "unknown-parameter"),
        ("in-force", b'{"names": ["a", "b", "c", "d"]}', 413, "too-many-questions"),
        ("in-force", b'["' + b"x" * 4_000 + b'"]', 413, "body-too-large"),
        ("cite", b"{}", 400, "missing-parameter"),
        ("cite", b'{"text": "x", "norm": 1}', 422, "bad-parameter"),
        ("cite", b'{"text": "x", "foo": 1}', 400, "unknown-parameter"),
        ("cite", b'{"text": "' + b"x" * 4_000 + b'"}', 413, "body-too-large"),
    ],
)
def test_invalid_body_is_rejected(api: Api, path: str, body: bytes, status: int, code: str) -> None:
    response = api.post(path, content=body, headers=JSON)
    assert (response.status_code, response.json()["code"]) == (status, code)


@pytest.mark.parametrize(
    "bad",
    [
        {"urn": CODE, "x": "1"},
        {"on": "1993-09-09"},
        {"urn": CODE, "on": "1993-02-30"},
        {"urn": CODE, "axis": "both"},
        {"urn": f"{CODE}%%%"},
        {"urn": UNKNOWN},
    ],
)
def test_invalid_item_of_a_batch_is_rejected_alone(api: Api, bad: dict[str, str]) -> None:
    good = {"urn": CODE, "on": "1993-06-15", "as_known": "2007-01-09"}
    alone = [api.get("in-force", **question).json() for question in (good, bad)]
    response = api.post("in-force", content=json.dumps([good, bad, good]).encode(), headers=JSON)
    assert response.status_code == 200
    first, second, third = response.json()["answers"]
    assert first == third == alone[0]
    expected = {key: value for key, value in alone[1].items() if key not in ("known", "detail")}
    assert {key: value for key, value in second.items() if key not in ("known", "detail")} == expected


@pytest.mark.parametrize("bad", [5, None, "x", ["x"], {"urn": 5}])
def test_non_object_batch_item_is_reported_at_its_position(api: Api, bad: object) -> None:
    response = api.post("in-force", content=json.dumps([{"urn": CODE}, bad]).encode(), headers=JSON)
    first, second = response.json()["answers"]
    assert (response.status_code, first["name"]) == (200, CODE)
    assert (second["status"], second["code"]) == (422, "bad-parameter")


def test_non_string_names_are_reported_at_their_positions(api: Api) -> None:
    body = b'{"names": [' + b"1" * 3_000 + b', "' + CODE.encode() + b'", null]}'
    answers = api.post("in-force", content=body, headers=JSON).json()["answers"]
    assert [answer.get("code") for answer in answers] == ["bad-parameter", None, "bad-parameter"]
    assert "sys." not in json.dumps(answers)


def test_lone_surrogate_is_escaped(api: Api) -> None:
    response = api.post("in-force", content=b'{"names": ["lei \\ud800"]}', headers=JSON)
    (answer,) = response.json()["answers"]
    assert (response.status_code, answer["code"]) == (200, "unknown-name")
    assert b"\\ud800" in response.content
    response = api.post("cite", content=b'{"text": "art. 5\\u00ba\\udfff da Lei n\\u00ba 8.078/90"}', headers=JSON)
    assert response.json()["citations"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "application/xml"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=iso-8859-1"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
        {"Content-Type": "multipart/form-data; boundary=x"},
    ],
)
def test_unsupported_media_type_or_encoding_is_415(api: Api, headers: dict[str, str]) -> None:
    for path in ("in-force", "cite"):
        response = api.post(path, content=b'{"names": [], "text": ""}', headers=headers)
        code = "unsupported-encoding" if "Content-Encoding" in headers else "unsupported-media-type"
        assert (response.status_code, response.json()["code"]) == (415, code)


def test_body_without_content_length_is_limited(api: Api) -> None:
    response = api.post("cite", content=iter([b"x" * 3_000, b"x" * 3_000]), headers={"Content-Type": "text/plain"})
    assert (response.status_code, response.json()["code"]) == (413, "body-too-large")


def test_disconnect_during_the_body_does_not_stop_the_service(api: Api) -> None:
    address = urlsplit(api.address)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=5) as client:
        client.sendall(
            b"POST /api/v1/cite HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nx"
        )
    assert api.get("name/canonical", urn=CODE).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_unsupported_method_is_405(api: Api, method: str) -> None:
    for path, allow in (
        ("/api/v1/in-force", "GET, HEAD, OPTIONS, POST"),
        ("/api/v1/timeline", "GET, HEAD, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"),
    ):
        response = api.client.request(method, path)
        assert (response.status_code, response.headers["allow"]) == (405, allow)
        assert response.json()["code"] == "method-not-allowed"
    assert api.client.post("/api/v1/timeline").status_code == 405


def test_cross_origin_requests_are_allowed(api: Api) -> None:
    asking = {"Origin": "https://exemplo.example", "Access-Control-Request-Method": "POST"}
    response = api.client.options("/api/v1/in-force", headers=asking)
    assert response.status_code == 204
    assert response.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert response.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS, POST"
    assert "Content-Type" in response.headers["access-control-allow-headers"]
    assert response.headers["access-control-allow-origin"] == "*"
    response = api.get("in-force", urn=CODE)
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["content-language"] == "en"
    assert response.headers["vary"] == "Accept-Encoding"


def test_head_has_the_headers_of_get_and_no_body(api: Api) -> None:
    for path in ("in-force", "text", "name/parse"):
        fetched = api.client.get(f"/api/v1/{path}", params={"urn": LAW})
        headed = api.client.head(f"/api/v1/{path}", params={"urn": LAW})
        assert (headed.status_code, headed.content) == (200, b"")
        for field in ("content-type", "content-length", "etag", "cache-control"):
            assert headed.headers[field] == fetched.headers[field]


def test_matching_etag_returns_304(api: Api) -> None:
    for path in ("in-force", "text", "name/parse"):
        url = f"/api/v1/{path}"
        tag = api.client.get(url, params={"urn": LAW}).headers["etag"]
        assert tag.startswith('W/"')
        for field in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
            again = api.client.get(url, params={"urn": LAW}, headers={"If-None-Match": field})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        for field in ('"other"', "", tag[:-2]):
            assert api.client.get(url, params={"urn": LAW}, headers={"If-None-Match": field}).status_code == 200
        assert api.client.get(url, params={"urn": CODE}).headers["etag"] != tag
    lost = api.client.get("/api/v1/in-force", params={"urn": UNKNOWN}, headers={"If-None-Match": "*"})
    assert lost.status_code == 404


def test_norm_address_behaves_like_a_query_endpoint(api: Api) -> None:
    """Check the name raw and percent-encoded: both return one document with one ETag."""
    url = f"/api/v1/norms/{LAW}"
    fetched = api.checked(api.client.get(url))
    encoded = api.checked(api.client.get(f"/api/v1/norms/{quote(LAW, safe='')}"))
    assert (encoded.json(), encoded.headers["etag"]) == (fetched.json(), fetched.headers["etag"])
    headed = api.client.head(url)
    assert (headed.status_code, headed.content) == (200, b"")
    for field in ("content-type", "content-length", "etag", "cache-control"):
        assert headed.headers[field] == fetched.headers[field]
    again = api.client.get(url, headers={"If-None-Match": fetched.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = api.client.get(f"/api/v1/norms/{CODE}")
    assert other.headers["etag"] != fetched.headers["etag"]
    assert fetched.headers["cache-control"] == "no-cache"
    past = api.client.get(url, params={"on": "2002-05-02", "as_known": "2002-06-30"})
    assert past.headers["cache-control"] == "public, max-age=3600"
    assert api.client.post(url, json={}).headers["allow"] == "GET, HEAD, OPTIONS"


def test_cache_control_depends_on_the_dates(api: Api) -> None:
    now = today()
    for days, kept in (
        ({}, "no-cache"),
        ({"on": "1993-06-15"}, "no-cache"),
        ({"on": "1993-06-15", "as_known": "2007-01-09"}, "public, max-age=3600"),
        ({"on": "1993-06-15", "as_known": (now - timedelta(days=1)).isoformat()}, "public, max-age=3600"),
        ({"on": "1993-06-15", "as_known": now.isoformat()}, "no-cache"),
    ):
        assert api.get("in-force", urn=CODE, **days).headers["cache-control"] == kept
    assert api.get("name/parse", urn=CODE).headers["cache-control"] == "public, max-age=3600"


def test_unacceptable_media_type_is_406(api: Api) -> None:
    for field in ("text/html", "application/json;q=0, */*", "image/png, text/*;q=0.5"):
        response = api.client.get("/api/v1/in-force", params={"urn": CODE}, headers={"Accept": field})
        assert (response.status_code, response.json()["code"]) == (406, "not-acceptable")
    for field in ("*/*", "application/*", "text/html, */*;q=0.1", ""):
        assert api.client.get("/api/v1/queries", headers={"Accept": field}).status_code == 200


def test_raw_and_encoded_names_are_equivalent(api: Api) -> None:
    for spelled in (CODE, quote(CODE, safe=""), quote(CODE, safe=":"), CODE.replace(";", "%3b")):
        assert api.raw("in-force", f"urn={spelled}").json()["name"] == CODE


def test_unknown_address_is_404_with_suggestions(api: Api) -> None:
    response = api.client.get("/api/v1/in-forse")
    assert (response.status_code, response.json()["code"]) == (404, "unknown-address")
    assert response.json()["near"][0] == "/api/v1/in-force"
    redirected = api.client.get("/api/v1/openapi.json")
    assert (redirected.status_code, redirected.headers["location"]) == (308, "/openapi.json")
    refused = api.client.get("/openapi.json?x=1")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown-parameter")


def test_search_pages_together_equal_the_whole_result(api: Api) -> None:
    full_result = api.get("search", type="lei", year=2008, limit=100).json()
    assert full_result["total"] == len(full_result["candidates"]) >= 3
    assert full_result["next"] is None
    names: list[str] = []
    asked = {"tipo": "lei", "ano": 2008, "limit": 1}
    page = api.get("search", **asked).json()
    while page["next"] is not None:
        names += [candidate["name"] for candidate in page["candidates"]]
        page = api.get("search", **asked, after=page["next"]).json()
    names += [candidate["name"] for candidate in page["candidates"]]
    assert names == [candidate["name"] for candidate in full_result["candidates"]]
    cursor = api.get("search", **asked).json()["next"]
    assert api.get("search", type="lei", year=1990, after=cursor).status_code == 422


def test_batch_time_limit_is_reported_for_each_item(code_store: Store) -> None:
    asked = {"questions": [{"asked": {"urn": name}} for name in (CODE, LAW, CODE)], "seconds": 0.0}
    answers = get_in_force_batch(code_store, asked)["answers"]
    assert isinstance(answers, list)
    assert [answer["code"] for answer in answers] == ["time-limit"] * 3
