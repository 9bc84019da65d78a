"""Tests of redirects of providers: which targets count as the requested host."""

from __future__ import annotations

import httpx
import pytest

from loaders.oai_pmh.fetching import is_elsewhere


@pytest.mark.parametrize(
    ("first", "target"),
    [
        ("http://a.example/oai", "http://a.example/novo"),
        ("http://a.example/oai", "http://a.example:80/novo"),
        ("https://a.example:443/oai", "https://a.example/novo"),
        ("https://a.example:8443/oai", "https://A.example:8443/novo"),
        ("http://a.example/oai", "https://a.example/oai"),
        ("http://a.example:80/oai", "https://a.example:443/oai"),
        ("http://a.example:8080/oai", "https://a.example/oai"),
    ],
)
def test_same_host_and_port_is_not_elsewhere(first: str, target: str) -> None:
    assert not is_elsewhere(httpx.URL(target), httpx.URL(first))


@pytest.mark.parametrize(
    ("first", "target"),
    [
        ("http://a.example/oai", "http://b.example/oai"),
        ("http://a.example/oai", "http://www.a.example/oai"),
        ("http://a.example/oai", "http://a.example:8080/oai"),
        ("http://a.example:8080/oai", "http://a.example/oai"),
        ("http://a.example:8080/oai", "http://a.example:8081/oai"),
        ("https://a.example/oai", "https://a.example:8443/oai"),
        ("https://a.example/oai", "https://a.example:80/oai"),
        ("http://a.example/oai", "https://a.example:8443/oai"),
        ("http://a.example/oai", "https://a.example:80/oai"),
        ("https://a.example/oai", "http://a.example/oai"),
        ("https://a.example:8080/oai", "http://a.example:8080/oai"),
    ],
)
def test_other_host_or_port_or_downgrade_is_elsewhere(first: str, target: str) -> None:
    assert is_elsewhere(httpx.URL(target), httpx.URL(first))
