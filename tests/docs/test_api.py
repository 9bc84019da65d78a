"""Tests of docs/reference/api.md: its examples run, and its tables equal the endpoints and the codes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.web.api.endpoints import ENDPOINTS
from service.web.application import build
from service.web.http.problem_codes import MEANINGS
from service.web.settings import Settings
from tests.support.web_api import Api, sampled

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```http\n(.*?)\n```\n\n```json\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
QUOTED_CODE = re.compile(r"`([^`]+)`")


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with sampled(tmp_path_factory.mktemp("api") / "store") as made:
        yield made


def _rows(head: str) -> list[list[str]]:
    lines = PAGE[PAGE.index(f"| {head} |") :].split("\n\n", maxsplit=1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def _assert_contains(shown: object, real: object) -> None:
    """Check that every key shown has the value shown, and that lists have the length shown."""
    if isinstance(shown, dict):
        assert isinstance(real, dict)
        for key, value in shown.items():
            _assert_contains(value, real[key])
    elif isinstance(shown, list):
        assert isinstance(real, list)
        for shown_item, other in zip(shown, real, strict=True):
            _assert_contains(shown_item, other)
    else:
        assert shown == real


@pytest.mark.parametrize(("asked", "shown"), EXAMPLES, ids=[asked.splitlines()[0][:60] for asked, _ in EXAMPLES])
def test_example_returns_the_documented_answer(api: Api, asked: str, shown: str) -> None:
    head, _, body = asked.partition("\n\n")
    (method, target), *fields = (line.split(": " if index else " ") for index, line in enumerate(head.splitlines()))
    response = api.client.request(method, target, content=body.encode(), headers=dict(fields))
    api.checked(response)
    _assert_contains(json.loads(shown), response.json())


def test_page_has_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("```http") >= 8


def test_endpoint_table_is_complete() -> None:
    documented = {
        QUOTED_CODE.findall(address)[0]: QUOTED_CODE.findall(parameters) for address, parameters, _ in _rows("address")
    }
    assert documented == {
        f"/api/v1/{endpoint.path}": [parameter.name for parameter in endpoint.parameters] for endpoint in ENDPOINTS
    }


def test_alias_table_is_complete() -> None:
    documented: dict[str, set[str]] = {}
    for names, others in _rows("parameter"):
        parameters, aliases = QUOTED_CODE.findall(names), QUOTED_CODE.findall(others)
        if len(parameters) == len(aliases) > 1:
            documented |= {name: {other} for name, other in zip(parameters, aliases, strict=True)}
        else:
            documented[parameters[0]] = set(aliases) - {"axis", "efficacy", "force"}
    actual: dict[str, set[str]] = {}
    for parameter in (aliased for endpoint in ENDPOINTS for aliased in endpoint.parameters if aliased.aliases):
        actual.setdefault(parameter.name, set()).update(alias.name for alias in parameter.aliases)
    assert documented == actual


def test_documented_codes_exist() -> None:
    listed = [code for _, _, listed in _rows("result") for code in QUOTED_CODE.findall(listed)]
    assert len(listed) == len(set(listed))
    assert set(listed) <= set(MEANINGS)
    assert list(MEANINGS) == sorted(MEANINGS)


def test_address_table_is_complete(tmp_path: Path) -> None:
    routes = {re.sub(r":\w+}", "}", getattr(route, "path", "")) for route in build(Settings(tmp_path)).routes}
    documented = [QUOTED_CODE.findall(address)[0] for address, _ in _rows("address | content")]
    assert documented == sorted(routes - {f"/api/v1/{endpoint.path}" for endpoint in ENDPOINTS})
