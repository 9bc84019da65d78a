"""Tests of ambiguous requests: other spellings of addresses, and forwarding header fields of proxies."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from service.web.settings import Settings
from tests.support.raw_http import problem, response_to, statuses
from tests.support.sparql_endpoint import filled
from tests.support.web import serving


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("disguises") / "store")


def test_encoded_slash_is_no_path_separator(store: Path) -> None:
    with serving(Settings(store)) as address:
        for target in ("/api%2fv1%2fqueries", "/api/v1%2Fqueries", "/%2Fhealth", "/vocab%2Fevento"):
            answer = response_to(address, f"GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
            assert (statuses(answer), problem(answer)) == ([404], "unknown-address"), target


def test_only_the_last_forwarded_addresses_are_trusted(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "vigente.requests")
    with serving(Settings(store, proxies=("127.0.0.1",))) as address:
        for forwarded in (
            'foo"bar',
            "192.0.2.7",
            "192.0.2.7, x",
            "2001:db8::7",
            "x, 192.0.2.7",
            "192.0.2.9, 192.0.2.7",
            "",
        ):
            assert httpx.get(f"{address}/health", headers={"X-Forwarded-For": forwarded}).status_code == 200
            answer = httpx.get(f"{address}/metrics", headers={"X-Forwarded-For": forwarded})
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), forwarded
    asked = [vars(record)["fields"] for record in caplog.records if record.name == "vigente.requests"]
    clients = [entry["client"] for entry in asked if entry["route"] == "/health"]
    assert clients == ["unknown", "192.0.2.7", "unknown", "2001:db8::7", "192.0.2.7", "192.0.2.7", "unknown"]


def test_unknown_method_is_rejected(store: Path) -> None:
    with serving(Settings(store)) as address:
        answer = response_to(address, b"BREW / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert (statuses(answer), problem(answer)) == ([405], "method-not-allowed")
        assert b"allow: get, head, options" in answer.lower()
        assert statuses(response_to(address, b"BR\x00EW / HTTP/1.1\r\nHost: a\r\n\r\n")) == [400]


def test_repeated_leading_slashes_are_collapsed(store: Path) -> None:
    with serving(Settings(store)) as address:
        for target in ("//health", "http://a//health", "http://a///health"):
            answer = response_to(address, f"GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
            assert statuses(answer) == [200], target


def test_two_content_types_are_rejected(store: Path) -> None:
    types = ("application/sparql-query", "text/plain"), ("text/plain", "application/sparql-query")
    with serving(Settings(store)) as address:
        for first, other in types:
            fields = [("Content-Type", first), ("Content-Type", other)]
            answer = httpx.post(f"{address}/sparql", content=b"ASK {}", headers=fields)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")
