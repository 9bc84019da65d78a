"""Tests of the HTTP API: the documents of the command line, HTTP methods, caching, CORS, and invalid requests."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from urllib.parse import quote

import httpx
import pytest

from graph.civil import today
from graph.errors import BadName
from graph.store import Store
from service.documents import parts_document
from service.web.api.endpoints import ENDPOINTS
from service.web.api.operations import get_in_force_batch
from service.web.settings import Limits
from tests.support.cases import values
from tests.support.commands import ROOT, Run, table_of
from tests.support.web_api import CODE, LAW, UNKNOWN, Api, sampled

SAME = table_of("api/documents.toml")["same"]
REFUSED = table_of("api/refused.toml")
SPECIFIED = ROOT / "tests" / "data" / "urn" / "spec-examples.tsv"
TEXT = "Nos termos do art. 6º, VIII, desta Lei e da Lei nº 8.666, de 21 de junho de 1993."
JSON = {"Content-Type": "application/json"}
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
TEXT_PATH = "/api/v1/text"
PAST = {"on": "1993-06-15", "as_known": "2007-01-09"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with sampled(tmp_path_factory.mktemp("api") / "store", Limits(batch=6, body_bytes=100_000, per_client=1)) as made:
        yield made


def get(api: Api, request: str) -> httpx.Response:
    """Send GET with a path and a query that may have letters and spaces."""
    path, _, query = request.partition("?")
    return api.raw(quote(path, safe="/%:;@!~$"), quote(query, safe="&=%:;@!~$/+"))


# The documents of the command line


def test_api_returns_the_documents_of_the_command_line(api: Api, run: Run) -> None:
    differ = []
    for command, request in SAME.items():
        response = get(api, request.replace("TEXT", TEXT))
        found = response.status_code != 404
        printed = run(f"--store '{api.store}' {command.replace('TEXT', TEXT)} --json", code=0 if found else 1).json
        document = response.json()
        assert not (found and UNKNOWN in request), request
        if (document if found else document["answer"]) != printed:
            differ.append(command)
        assert found or document["code"] == "unknown-name"
    assert differ == []


def test_compared_texts_and_changes_are_not_empty(api: Api) -> None:
    assert len(get(api, f"text?urn={LAW}&on=2009-01-01").json()["provisions"]) > 1
    changes = get(api, f"diff?urn={LAW}&from=2001-06-01&to=2002-05-02&as_known=2002-07-01").json()["changes"]
    assert {change["kind"] for change in changes} == {"changed", "inserted", "revoked"}


def test_cite_accepts_the_text_in_the_request_body(api: Api, run: Run) -> None:
    printed = run("cite", TEXT, "--norm", CODE, "--json").json
    assert api.post("cite", json={"text": TEXT, "norm": CODE}).json() == printed
    assert api.post("cite", content=TEXT.encode(), params={"norm": CODE}, headers=PLAIN).json() == printed
    longer = f"{TEXT} " * 1_000
    citations = api.post("cite", content=longer.encode(), headers=PLAIN).json()["citations"]
    assert len(citations) >= 1_000
    assert longer[citations[-1]["start"] : citations[-1]["end"]] == citations[-1]["text"]


def test_parts_of_every_kind_of_name_match_their_schema(api: Api) -> None:
    """Check names of all dialects in the specifications against the schema, without a request for each."""
    with SPECIFIED.open(encoding="utf-8", newline="") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        names = [f"{row['prefix']}{row['printed']}{row['behind']}" for row in rows]
    seen = 0
    for name in names:
        try:
            parts = parts_document(name)
        except BadName:
            continue
        api.hold({"$ref": "#/components/schemas/NameParts"}, parts)
        seen += 1
    assert seen > 20


def test_examples_in_the_description_return_200(api: Api) -> None:
    for endpoint in ENDPOINTS:
        declared = api.description["paths"][f"/api/v1/{endpoint.path}"]
        given = {one["name"]: one["example"] for one in declared["get"]["parameters"] if "example" in one}
        response = api.get(endpoint.path, **given)
        assert response.status_code == 200, response.text
        for media, body in declared.get("post", {}).get("requestBody", {}).get("content", {}).items():
            example = body["example"]
            content = example if isinstance(example, str) else json.dumps(example)
            needed = [f"{each.name}={each.example}" for each in endpoint.parameters[1:] if each.required]
            path = "?".join([endpoint.path, *(needed if media == "text/plain" else [])])
            posted = api.post(path, content=content.encode(), headers={"Content-Type": media})
            assert posted.status_code == 200, posted.text


# Invalid requests


def test_invalid_requests_are_refused(api: Api) -> None:
    rows = {
        **REFUSED["get"],
        "in-force?" + "&".join(f"a{index}=1" for index in range(65)): [400, "bad-request", "at most 64 parameters"],
        f"in-force?urn={'x' * 4097}": [422, "bad-parameter", "at most 4096 characters, got 4097"],
    }
    for request, (status, code, detail) in rows.items():
        response = get(api, request)
        problem = response.json()
        assert (response.status_code, problem["code"], problem["status"]) == (status, code, status), request
        assert detail in problem["detail"], request
        assert response.headers["cache-control"] == "no-store"
        assert response.headers["access-control-allow-origin"] == "*"


def test_invalid_bodies_are_refused(api: Api) -> None:
    rows = [(path, body.encode(), *row) for path, bodies in REFUSED["post"].items() for body, row in bodies.items()]
    rows += [
        ("in-force", b"\xff\xfe", 400, "bad-request"),
        ("in-force", b"[" * 3_000, 400, "bad-json"),
        ("in-force", b'["' + b"x" * 100_000 + b'"]', 413, "body-too-large"),
        ("cite", b'{"text": "' + b"x" * 100_000 + b'"}', 413, "body-too-large"),
    ]
    for path, body, status, code in rows:
        response = api.post(path, content=body, headers=JSON)
        assert (response.status_code, response.json()["code"]) == (status, code), (path, body[:50])
    streamed = api.post("cite", content=iter([b"x" * 70_000, b"x" * 70_000]), headers=PLAIN)
    assert (streamed.status_code, streamed.json()["code"]) == (413, "body-too-large")


@pytest.mark.parametrize(("headers", "code"), values("service_api", "unsupported_media_type_or_encoding_is_415"))
def test_unsupported_media_type_or_encoding_is_415(api: Api, headers: dict[str, str], code: str) -> None:
    for path in ("in-force", "cite"):
        response = api.post(path, content=b'{"names": [], "text": ""}', headers=headers)
        assert (response.status_code, response.json()["code"]) == (415, code)


def test_answers_of_a_batch_are_those_of_each_question_alone(api: Api) -> None:
    good = {"urn": CODE, **PAST}
    wanted = api.get("in-force", **good).json()
    for item, code in REFUSED["item"].items():
        question = json.loads(item)
        response = api.post("in-force", json=[good, question, good])
        first, second, third = response.json()["answers"]
        assert (response.status_code, first, third) == (200, wanted, wanted)
        assert second["code"] == code, item
        if isinstance(question, dict) and question.get("urn") != 5:
            alone = api.get("in-force", **question).json()
            assert {**second, "known": 0, "detail": 0} == {**alone, "known": 0, "detail": 0}, item
    names = [CODE, UNKNOWN, LAW]
    answers = api.post("in-force", json={"names": names, **PAST}).json()["answers"]
    assert answers == [api.get("in-force", urn=name, **PAST).json() for name in names]
    assert [answer.get("code", answer["status"]) for answer in answers] == ["in-force", "unknown-name", "not-published"]
    assert api.post("in-force", json=[]).json() == {"answers": []}
    numbers = b'{"names": [' + b"1" * 3_000 + b', "' + CODE.encode() + b'", null]}'
    answers = api.post("in-force", content=numbers, headers=JSON).json()["answers"]
    assert [answer.get("code") for answer in answers] == ["bad-parameter", None, "bad-parameter"]
    assert "sys." not in json.dumps(answers)


def test_time_limit_of_a_batch_is_reported_for_each_question(code_store: Store) -> None:
    asked = {"questions": [{"asked": {"urn": name}} for name in (CODE, LAW, CODE)], "seconds": 0.0}
    answers = get_in_force_batch(code_store, asked)["answers"]
    assert isinstance(answers, list)
    assert [answer["code"] for answer in answers] == ["time-limit"] * 3


def test_lone_surrogate_is_escaped(api: Api) -> None:
    response = api.post("in-force", content=b'{"names": ["lei \\ud800"]}', headers=JSON)
    (answer,) = response.json()["answers"]
    assert (response.status_code, answer["code"]) == (200, "unknown-name")
    assert b"\\ud800" in response.content
    response = api.post("cite", content=b'{"text": "art. 5\\u00ba\\udfff da Lei n\\u00ba 8.078/90"}', headers=JSON)
    assert response.json()["citations"]


# HTTP


def test_cross_origin_requests_are_allowed(api: Api) -> None:
    asking = {"Origin": "https://exemplo.example", "Access-Control-Request-Method": "POST"}
    response = api.client.options("/api/v1/in-force", headers=asking)
    assert response.status_code == 204
    assert response.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert response.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS, POST"
    assert "Content-Type" in response.headers["access-control-allow-headers"]
    assert response.headers["access-control-allow-origin"] == "*"
    headers = api.get("in-force", urn=CODE).headers
    assert headers["access-control-allow-origin"] == "*"
    assert (headers["content-language"], headers["vary"]) == ("en", "Accept-Encoding")


@pytest.mark.parametrize("path", ["in-force?urn=", "text?urn=", "name/parse?urn=", "norms/"])
def test_head_and_etag(api: Api, path: str) -> None:
    """HEAD has the headers of GET and no body; a known ETag is answered with 304."""
    url = f"/api/v1/{path}{LAW}"
    fetched, headed = api.checked(api.client.get(url)), api.client.head(url)
    assert (headed.status_code, headed.content) == (200, b"")
    for field in ("content-type", "content-length", "etag", "cache-control"):
        assert headed.headers[field] == fetched.headers[field]
    tag = fetched.headers["etag"]
    assert tag.startswith('W/"')
    for field in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = api.client.get(url, headers={"If-None-Match": field})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert all(
            name in again.headers for name in api.description["paths"][TEXT_PATH]["get"]["responses"]["304"]["headers"]
        )
    for field in ('"other"', "", tag[:-2]):
        assert api.client.get(url, headers={"If-None-Match": field}).status_code == 200
    assert api.client.get(f"/api/v1/{path}{CODE}").headers["etag"] != tag
    lost = api.client.get("/api/v1/in-force", params={"urn": UNKNOWN}, headers={"If-None-Match": "*"})
    assert lost.status_code == 404


def test_limit_of_tasks_is_in_the_headers(api: Api) -> None:
    """Each answer has the limit; one beyond it says when to retry. The description declares these fields."""
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda day: api.get("text", urn=LAW, on=f"2003-01-{day:02}"), range(1, 13)))
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"tasks";q=1;qu="concurrent-requests"'}
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert {(answer.headers["ratelimit"], answer.headers["retry-after"]) for answer in refused} == {
        ('"tasks";r=0;t=1', "1")
    }
    declared = api.description["paths"][TEXT_PATH]["get"]["responses"]["429"]["headers"]
    assert all(name in answer.headers for name in declared for answer in refused)


def test_cache_control_depends_on_the_dates(api: Api) -> None:
    now = today()
    kept = {
        f"in-force?urn={CODE}": "no-cache",
        f"in-force?urn={CODE}&on=1993-06-15": "no-cache",
        f"in-force?urn={CODE}&on=1993-06-15&as_known=2007-01-09": "public, max-age=3600",
        f"in-force?urn={CODE}&on=1993-06-15&as_known={now - timedelta(days=1)}": "public, max-age=3600",
        f"in-force?urn={CODE}&on=1993-06-15&as_known={now}": "no-cache",
        f"norms/{LAW}": "no-cache",
        f"norms/{LAW}?on=2002-05-02&as_known=2002-06-30": "public, max-age=3600",
        f"name/parse?urn={CODE}": "public, max-age=3600",
    }
    assert {request: get(api, request).headers["cache-control"] for request in kept} == kept


def test_unacceptable_media_type_is_406(api: Api) -> None:
    for field in ("text/html", "application/json;q=0, */*", "image/png, text/*;q=0.5"):
        response = api.client.get("/api/v1/in-force", params={"urn": CODE}, headers={"Accept": field})
        assert (response.status_code, response.json()["code"]) == (406, "not-acceptable")
    for field in ("*/*", "application/*", "text/html, */*;q=0.1", ""):
        assert api.client.get("/api/v1/queries", headers={"Accept": field}).status_code == 200
    for question, field in (("norma=CDC&format=csv", "*/*"), ("norma=CDC", "text/csv")):
        response = api.client.get(f"/api/v1/queries/amending_acts?{question}", headers={"Accept": field})
        assert (response.headers["content-type"], response.headers["vary"][:6]) == ("text/csv; charset=utf-8", "Accept")
        assert response.text.splitlines()[0] == "norma,alteradora,dispositivos,revogados"


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
    page = first = api.get("search", **asked).json()
    while page["next"] is not None:
        names += [candidate["name"] for candidate in page["candidates"]]
        page = api.get("search", **asked, after=page["next"]).json()
    names += [candidate["name"] for candidate in page["candidates"]]
    assert names == [candidate["name"] for candidate in full_result["candidates"]]
    assert api.get("search", type="lei", year=1990, after=first["next"]).status_code == 422
