"""Tests of HTTP features of the endpoint: HEAD, validators, compression, CORS, and no truncated answer with 200."""

from __future__ import annotations

import csv
import gzip
import json
import os
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx
import pyoxigraph as ox
import pytest

from graph.store import open_for_writing
from tests.support.engines import embedded
from tests.support.sparql_endpoint import EX, asking, filled

ALL = "SELECT DISTINCT ?v { ?s ?p ?v } ORDER BY ?v"
LONG = "SELECT (CONCAT(?v, 'çççççççççççççççççççççççççççççççç') AS ?w) { " + " ".join(
    f"?s{n} ?p{n} ?v{n} ." for n in range(2)
) + " ?s ?p ?v }"  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("sparql") / "store")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with asking(folder) as client:
        yield client


def fields(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in ("date", "x-request-id")}


@pytest.mark.parametrize(
    ("target", "accept", "status"),
    [
        ("/sparql", "*/*", 200),
        ("/sparql", "text/html", 200),
        ("/sparql", "image/png", 406),
        (f"/sparql?query={ALL}", "*/*", 200),
        (f"/sparql?query={ALL}", "text/turtle", 406),
        ("/sparql?query=ASK", "*/*", 400),
        ("/sparql?update=x", "*/*", 403),
        (f"/sparql?query={LONG}", "text/csv", 200),
    ],
)
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_head_has_the_fields_of_get(client: httpx.Client, target: str, accept: str, status: int, coding: str) -> None:
    headers = {"Accept": accept, "Accept-Encoding": coding}
    get, head = client.get(target, headers=headers), client.head(target, headers=headers)
    assert (get.status_code, head.status_code) == (status, status)
    assert fields(get) == fields(head)
    assert get.content
    assert not head.content
    assert get.headers["vary"] == "Accept, Accept-Encoding"
    assert get.headers["x-content-type-options"] == "nosniff"


# Conditional requests (RFC 9110, section 13)


def test_conditional_get_skips_the_query(client: httpx.Client) -> None:
    parameters = {"query": ALL}
    first = client.get("/sparql", params=parameters)
    assert first.headers["cache-control"] == "no-cache"
    etag = first.headers["etag"]
    for tags in (etag, etag.removeprefix("W/"), f'"x", {etag}', "*"):
        for method in ("GET", "HEAD"):
            again = client.request(method, "/sparql", params=parameters, headers={"If-None-Match": tags})
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == etag
            assert again.headers["vary"] == "Accept, Accept-Encoding"
            assert again.headers["access-control-allow-origin"] == "*"
    for tags in ('"x"', "x", etag.strip('W/"'), ""):
        assert client.get("/sparql", params=parameters, headers={"If-None-Match": tags}).status_code == 200
    compressed = client.get("/sparql", params=parameters, headers={"If-None-Match": etag, "Accept-Encoding": "gzip"})
    assert compressed.status_code == 304


def test_different_answers_have_different_etags(client: httpx.Client) -> None:
    asked = [
        ({"query": ALL}, "*/*"),
        ({"query": ALL}, "text/csv"),
        ({"query": ALL + " "}, "*/*"),
        ({"query": ALL, "default-graph-uri": EX + "g1"}, "*/*"),
        ({"query": ALL, "named-graph-uri": EX + "g1"}, "*/*"),
        ({}, "*/*"),
        ({}, "text/html"),
    ]
    etags = [client.get("/sparql", params=p, headers={"Accept": accept}).headers["etag"] for p, accept in asked]
    assert len(set(etags)) == len(asked)
    assert client.get("/sparql", params={"query": ALL, "format": "csv"}).headers["etag"] == etags[1]


def test_malformed_query_never_matches_an_etag(client: httpx.Client) -> None:
    assert client.get("/sparql", params={"query": "ASK"}, headers={"If-None-Match": "*"}).status_code == 400


@pytest.mark.parametrize("call", ["NOW()", "rand()", "UUID()", "StrUUID()", "bnode()", 'CONCAT("\\\\u0041")'])
def test_nondeterministic_answer_has_no_etag(client: httpx.Client, call: str) -> None:
    answer = client.get("/sparql", params={"query": f"SELECT ({call} AS ?v) {{}}"})
    assert answer.status_code == 200
    assert "etag" not in answer.headers


def test_post_has_no_etag(client: httpx.Client) -> None:
    assert "etag" not in client.post("/sparql", data={"query": ALL}).headers


def test_new_snapshot_has_new_etags(tmp_path: Path) -> None:
    folder = filled(tmp_path / "store")
    with asking(folder) as client:
        before = client.get("/sparql", params={"query": ALL})
        with open_for_writing(folder) as store:
            embedded(store).add(
                ox.Quad(ox.NamedNode("x:x"), ox.NamedNode("x:p"), ox.Literal("novo"), ox.NamedNode("x:g"))
            )
            store.changed = True
        conditional = {"If-None-Match": before.headers["etag"]}
        deadline = time.monotonic() + 10
        while "novo" not in (answer := client.get("/sparql", params={"query": ALL}, headers=conditional)).text:
            # for a second, a process may answer from the previous snapshot: ignore such an answer
            assert answer.status_code == 200
            assert "etag" not in answer.headers
            assert time.monotonic() < deadline
            time.sleep(0.05)
        os.utime(folder / "current", (1e9, 1e9), follow_symlinks=False)
        after = client.get("/sparql", params={"query": ALL}, headers=conditional)
        assert after.status_code == 200
        assert after.headers["etag"] != before.headers["etag"]


# Compression


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("gzip", True),
        ("GZIP;q=0.1, br", True),
        ("*", True),
        ("x-gzip", True),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("gzip;q=0.0", False),
        ("br, zstd", False),
        ("identity", False),
        ("", False),
        ("gzipped", False),
        ("gzip;q=1.2.3", False),
    ],
)
def test_answers_are_compressed_only_when_accepted(client: httpx.Client, accepted: str, compressed: bool) -> None:
    answer = client.get("/sparql", params={"query": LONG}, headers={"Accept-Encoding": accepted})
    assert ("content-encoding" in answer.headers) is compressed
    assert int(answer.headers["content-length"]) > 0
    plain = client.get("/sparql", params={"query": LONG})
    assert int(plain.headers["content-length"]) == len(plain.content) > 2048
    assert answer.json() == plain.json()


def test_small_answers_are_not_compressed(client: httpx.Client) -> None:
    answer = client.get("/sparql", params={"query": "ASK {}"}, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "Accept, Accept-Encoding"


def test_compressed_bodies_of_any_size_are_complete(client: httpx.Client) -> None:
    values = " ".join(str(n) for n in range(20000))
    query = f"SELECT ?n {{ VALUES ?n {{ {values} }} }}"
    for way in ("identity", "gzip"):
        with client.stream(
            "POST", "/sparql", data={"query": query, "format": "csv"}, headers={"Accept-Encoding": way}
        ) as answer:
            raw = b"".join(answer.iter_raw())
        assert len(raw) == int(answer.headers["content-length"])
        body = gzip.decompress(raw) if way == "gzip" else raw
        assert len(body) > 64 * 1024
        assert body.decode().split() == ["n", *values.split()]


# Other origins (the Fetch standard)


@pytest.mark.parametrize("target", ["/sparql", f"/sparql?query={ALL}", "/sparql?query=ASK", "/sparql?format=x"])
def test_any_origin_may_read(client: httpx.Client, target: str) -> None:
    for headers in ({}, {"Origin": "https://leitor.example"}, {"Origin": "null"}):
        answer = client.get(target, headers=headers)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers
        assert "Retry-After" in answer.headers["access-control-expose-headers"]


def test_preflight_is_answered(client: httpx.Client) -> None:
    asked = {
        "Origin": "https://leitor.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    for headers in (asked, {}):
        answer = client.options("/sparql", headers=headers)
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS, POST"
        assert answer.headers["access-control-allow-headers"] == "Accept, Content-Type, If-None-Match"
        assert int(answer.headers["access-control-max-age"]) > 0
        assert "access-control-allow-credentials" not in answer.headers


# An answer is whole or an error


def test_late_serialization_failure_is_an_error(client: httpx.Client) -> None:
    """Check a triple as a term, which JSON-LD cannot write, after thousands of other rows: none of them is sent."""
    rows = " ".join(str(n) for n in range(5000))
    pattern = f"{{ VALUES ?o {{ {rows} }} }} UNION {{ BIND(<<( <x:s> <x:p> 1 )>> AS ?o) }}"
    query = f"CONSTRUCT {{ <x:s> <x:p> ?o }} WHERE {{ {pattern} }}"
    full_response = client.post("/sparql", data={"query": query, "format": "nt"})
    assert full_response.status_code == 200
    assert len(full_response.text.splitlines()) == 5001
    late = client.post("/sparql", data={"query": query, "format": "jsonld"})
    assert late.headers["content-type"] == "application/problem+json"
    assert (late.status_code, late.json()["code"]) == (400, "bad-query")


@pytest.mark.parametrize("name", ["xml", "rdf"])
@pytest.mark.parametrize("escape", ["0000", "0001", "001F", "FFFE", "FFFF"])
def test_characters_invalid_in_xml_are_an_error(client: httpx.Client, name: str, escape: str) -> None:
    query = f'SELECT ("a\\u{escape}b" AS ?v) {{}}'
    if name == "rdf":
        query = f'CONSTRUCT {{ <x:s> <x:p> "a\\u{escape}b" }} WHERE {{}}'
    answer = client.get("/sparql", params={"query": query, "format": name})
    assert (answer.status_code, answer.json()["code"]) == (406, "not-acceptable")
    assert f"U+{escape}" in answer.json()["detail"]


@pytest.mark.parametrize(
    "iri", ["x:p/", "x:1", "http://data.europa.eu/eli/ontology#", "urn:lex:br:federal:lei:1990;8078"]
)
def test_properties_without_a_local_name_are_refused_as_rdf_xml(client: httpx.Client, iri: str) -> None:
    query = f"CONSTRUCT {{ <x:s> <{iri}> 1 }} WHERE {{}}"
    assert client.get("/sparql", params={"query": query, "format": "nt"}).status_code == 200
    answer = client.get("/sparql", params={"query": query, "format": "rdf"})
    assert (answer.status_code, answer.json()["code"]) == (406, "not-acceptable")


def test_values_round_trip_through_every_format(client: httpx.Client) -> None:
    value = "a\r\nb\rc\td ]]> <e/> &amp; \u0085 \u2028 \U0001f600 \"'"
    literal = json.dumps(value, ensure_ascii=False)
    query = {"query": f"SELECT ({literal} AS ?v) {{}}"}
    read = [
        client.get("/sparql", params={**query, "format": "json"}).json()["results"]["bindings"][0]["v"]["value"],
        "".join(ET.fromstring(client.get("/sparql", params={**query, "format": "xml"}).content).itertext()),
        list(csv.reader(StringIO(client.get("/sparql", params={**query, "format": "csv"}).text, newline="")))[1][0],
    ]
    assert read == [value] * 3
    for name in ("ttl", "nt", "rdf", "jsonld"):
        query = {"query": f"CONSTRUCT {{ <x:s> <x:p> {literal} }} WHERE {{}}", "format": name}
        answer = client.get("/sparql", params=query)
        rdf_format = ox.RdfFormat.from_media_type(answer.headers["content-type"])
        (quad,) = ox.parse(answer.content, rdf_format)
        assert quad.object == ox.Literal(value)
