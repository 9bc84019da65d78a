"""Tests of the API against its OpenAPI description, with valid and invalid requests generated from it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.web.settings import Limits
from tests.support.web_api import CODE, Api, sampled

#: Small limits, so that bodies at the limits are generated and answered quickly.
LIMITS = Limits(batch=8, body_bytes=20_000)
SECONDS = 120
#: Codes for requests that violate the schema; such a request may also be too long.
REFUSED = ["400", "404", "406", "413", "415", "422"]
SEED = "20010305"


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with sampled(tmp_path_factory.mktemp("api") / "store", LIMITS) as made:
        yield made


def test_description_is_openapi_3_1(api: Api) -> None:
    import_module("schemathesis.specs.openapi.definitions").OPENAPI_31_VALIDATOR.validate(api.description)
    assert api.description["servers"] == [{"url": api.address}]


@pytest.mark.slow
def test_schemathesis_requests_match_the_description(api: Api, tmp_path: Path) -> None:
    """Check status, media type, schema and headers of each answer; invalid requests are refused; no status is 5xx.

    Requests within the schema may be refused too, because the schema does not define what a valid name is.
    """
    options = ["--phases", "examples,coverage,fuzzing", "--max-examples", "15", "--seed", SEED, "--workers", "1"]
    checks = ["--checks", "all", "--exclude-checks", "positive_data_acceptance", "--generation-deterministic"]
    plain = ["--no-color", "--continue-on-failure", "--warnings", "off", "--request-timeout", "20"]
    config = tmp_path / "schemathesis.toml"
    config.write_text(f"[checks.negative_data_rejection]\nexpected-statuses = {REFUSED}\n", encoding="utf-8")
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"]
    command.append(f"{api.address}/openapi.json")
    done = subprocess.run(
        [*command, *options, *checks, *plain],
        cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    printed = "\n".join(line[:500] for line in done.stdout.splitlines())
    assert done.returncode == 0, printed[-20_000:]


HEADER = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=80).map(str.strip)


@settings(max_examples=40, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(["accept", "accept-language", "if-none-match", "content-type", "range", "origin", "host"]),
    value=HEADER,
)
def test_any_header_is_answered(api: Api, name: str, value: str) -> None:
    response = api.client.get("/api/v1/name/canonical", params={"urn": CODE}, headers={name: value})
    assert response.status_code in {200, 304, 400, 406}
    if response.status_code == 200:
        assert response.json()["canonical"] == CODE


@settings(max_examples=50, derandomize=True)
@given(text=st.text(max_size=60))
def test_any_text_is_answered(api: Api, text: str) -> None:
    for path, parameters in (
        ("in-force", {"urn": text}),
        ("resolve", {"urn": text}),
        ("name/parse", {"urn": text}),
        ("name/label", {"urn": text}),
        ("name/from-epigraph", {"text": text}),
        ("cite", {"text": text}),
        ("search", {"words": text}),
        ("search", {"type": text, "number": "1"}),
        ("search", {"type": "lei", "number": text}),
    ):
        assert api.get(path, **parameters).status_code in {200, 404, 422}


@settings(max_examples=40, derandomize=True)
@given(
    document=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | st.just(CODE),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
            st.sampled_from(["names", "on", "as_known", "axis", "urn", "text", "x"]), inner, max_size=4
        ),
        max_leaves=8,
    )
)  # fmt: skip
def test_any_body_is_answered(api: Api, document: object) -> None:
    body = json.dumps(document)
    for path in ("in-force", "cite"):
        response = api.post(path, content=body.encode(), headers={"Content-Type": "application/json"})
        assert response.status_code in {200, 400, 413, 422}


def test_service_still_responds(api: Api) -> None:
    assert httpx.get(f"{api.address}/api/v1/in-force", params={"urn": CODE}).status_code == 200
