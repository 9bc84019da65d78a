"""Tests of the reference pages of the service: requests return what is shown, and the tables equal the code."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer

from graph.entities import Record
from graph.store import open_for_writing
from service.cli.program import app
from service.web.api.endpoints import ENDPOINTS
from service.web.application import build
from service.web.http.negotiation import GRAPHS, RESULTS, SHORT_NAMES
from service.web.http.problem_codes import MEANINGS
from service.web.names.parameters import EVERY_PARAMETER
from service.web.resolver import FORMATS
from service.web.settings import Connections, Limits, Settings
from service.web.sparql import LONGEST_TARGET
from tests.conformance.test_w3c_queries import KNOWN
from tests.support.commands import differences
from tests.support.documentation import page_text, rows_of, ticked
from tests.support.web import serving
from tests.support.web_api import Api

API, ENDPOINT, ADDRESSES, SETTINGS = map(page_text, ("api", "endpoint", "addresses", "settings"))
REQUESTS = re.findall(r"^```http\n(.*?)\n```\n\n```json\n(.*?)\n```$", API, re.MULTILINE | re.DOTALL)


# docs/reference/api.md


def test_requests_to_the_api_return_the_documented_answers(sample: httpx.Client, sample_store: Path) -> None:
    """Every key shown has the value shown, and lists have the length shown."""
    api = Api(sample_store, str(sample.base_url), sample)
    assert len(REQUESTS) == API.count("```http") >= 8
    for asked, shown in REQUESTS:
        head, _, body = asked.partition("\n\n")
        (method, target), *fields = (line.split(": " if index else " ") for index, line in enumerate(head.splitlines()))
        response = api.client.request(method, target, content=body.encode(), headers=dict(fields))
        api.checked(response)
        assert differences(json.loads(shown), response.json()) == [], target


def test_tables_of_the_api_are_complete(tmp_path: Path) -> None:
    documented = {ticked(address)[0]: ticked(parameters) for address, parameters, _ in rows_of(API, "address")}
    endpoints = {f"/api/v1/{one.path}": [parameter.name for parameter in one.parameters] for one in ENDPOINTS}
    assert documented == endpoints
    routes = {re.sub(r":\w+}", "}", getattr(route, "path", "")) for route in build(Settings(tmp_path)).routes}
    listed = [ticked(address)[0] for address, _ in rows_of(API, "address | content")]
    assert listed == sorted(routes - endpoints.keys())


def test_table_of_aliases_is_complete() -> None:
    documented: dict[str, set[str]] = {}
    for names, others in rows_of(API, "parameter"):
        parameters, aliases = ticked(names), ticked(others)
        if len(parameters) == len(aliases) > 1:
            documented |= {name: {other} for name, other in zip(parameters, aliases, strict=True)}
        else:
            documented[parameters[0]] = set(aliases) - {"axis", "efficacy", "force"}
    actual: dict[str, set[str]] = {}
    for parameter in (aliased for endpoint in ENDPOINTS for aliased in endpoint.parameters if aliased.aliases):
        actual.setdefault(parameter.name, set()).update(alias.name for alias in parameter.aliases)
    assert documented == actual


def test_documented_codes_exist() -> None:
    listed = [code for _, _, codes in rows_of(API, "result") for code in ticked(codes)]
    assert len(listed) == len(set(listed))
    of_addresses = set(re.findall(r"4\d\d `([a-z-]+)`", ADDRESSES.split("## Redirect or answer")[1].split("\n\n")[2]))
    assert len(of_addresses) >= 7
    of_the_endpoint = {code for row in rows_of(ENDPOINT, "status") for code in ticked(row[1])}
    assert {*listed, *of_addresses, *of_the_endpoint} <= set(MEANINGS)
    assert {code.strip("`"): meaning for code, meaning in rows_of(page_text("problems"), "code")} == dict(MEANINGS)
    assert list(MEANINGS) == sorted(MEANINGS)


# docs/reference/addresses.md


def test_requests_to_addresses_return_the_documented_output(sample: httpx.Client) -> None:
    """The options of curl on the page are -s, -i, -L, and -H with a header field."""
    examples = re.findall(r"^    \$ curl (.*)\n((?:    .*\n)+)", ADDRESSES, re.MULTILINE)
    assert len(examples) == 9
    for command, lines in examples:
        words = shlex.split(command)
        headers = dict(words[n + 1].split(": ", 1) for n, word in enumerate(words) if word == "-H")
        flags = "".join(word[1:] for word in words if word.startswith("-") and word != "-H")
        assert set(flags) <= set("siL")
        target = words[-1].removeprefix("http://127.0.0.1:8000")
        response = sample.get(target, headers=headers, follow_redirects="L" in flags)
        printed = [line.rstrip() for line in response.text.splitlines()]
        if "i" in flags:
            printed += [f"HTTP/1.1 {response.status_code} {response.reason_phrase}"]
            printed += [f"{name}: {value}" for name, value in response.headers.items()]
        printed = [line.replace("http://127.0.0.1/", "http://127.0.0.1:8000/") for line in printed]
        assert [line for line in lines.splitlines() if line[4:].rstrip() not in printed] == [], command


def test_table_of_parameters_is_complete() -> None:
    parameters = ADDRESSES.split("## Parameters")[1].split("## Redirect")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", parameters, re.MULTILINE)) == set(EVERY_PARAMETER)
    shorts = re.search(r"^\| `format` \| \| (.*), or a media type", parameters, re.MULTILINE)
    assert shorts is not None
    assert set(ticked(shorts[1])) == set(FORMATS) - {"turtle"}


# docs/reference/endpoint.md


def _endpoint_examples() -> list[tuple[str, str]]:
    """Return commands with their output."""
    examples = []
    for block in re.findall(r"^```console\n(.*?)^```$", ENDPOINT, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = example.splitlines(keepends=True)
            end = next(n for n in range(1, len(lines) + 1) if "".join(lines[:n]).count("'") % 2 == 0)
            examples.append(("".join(lines[:end]), "".join(lines[end:])))
    return examples


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, code_records: Sequence[Record]) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("docs") / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply(code_records)
    with serving(Settings(folder)) as address:
        yield address


@pytest.mark.skipif(shutil.which("curl") is None, reason="this system has no curl")
def test_requests_to_the_endpoint_return_the_documented_output(address: str) -> None:
    examples = _endpoint_examples()
    assert len(examples) == 8
    for part in ("-G ", "--data-urlencode 'query=", "application/sparql-query", "-I ", "format=", "update="):
        assert any(part in command for command, _ in examples), "expected an example of each form of request"
    for command, printed in examples:
        words = shlex.split(command.replace("http://localhost:8000", address))
        assert words[0] == "curl"
        run = subprocess.run([*words, "--max-time", "20"], capture_output=True, text=True, timeout=30, check=True)
        output = run.stdout.replace(address, "http://localhost:8000").rstrip("\n") + "\n"
        wanted = printed.replace("\n...\n", "\n...")  # any number of lines
        flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
        assert doctest.OutputChecker().check_output(wanted, output, flags), (command, output)


def test_formats_and_limits_of_the_endpoint_are_correct() -> None:
    documented: dict[str, list[str]] = {}
    for _, media, names in rows_of(ENDPOINT, "answer to"):
        for name in ticked(names):
            documented.setdefault(name, []).extend(ticked(media))
    documented["json"].remove("application/json")
    assert {name: tuple(media) for name, media in documented.items()} == dict(SHORT_NAMES)
    listed = {media for row in rows_of(ENDPOINT, "answer to") for media in ticked(row[1])}
    assert listed == {*RESULTS, *GRAPHS}
    limits = Limits()
    for number in (limits.query_length, limits.body_bytes, limits.answer_bytes, LONGEST_TARGET):
        assert f" {number:,} " in ENDPOINT
    for seconds in (limits.query_seconds, Connections().body_seconds):
        assert f"more than {seconds:g} seconds" in ENDPOINT
    assert f"{235 - len(KNOWN)} of 235" in ENDPOINT


# docs/reference/settings.md


def test_tables_of_settings_match_the_options() -> None:
    root: Any = typer.main.get_command(app)
    option_rows = [
        (f"`{p.opts[0]}`", f"`{p.envvar}`", f"`{p.default}`" if p.default not in ("", False, None) else "")
        for p in root.commands["serve"].params
        if p.name != "help"
    ]
    assert [(option, variable, default) for option, variable, default, _ in rows_of(SETTINGS, "option")] == option_rows
    for option, variable, _ in option_rows:
        assert variable == f"`VIGENTE_{option[3:-1].replace('-', '_').upper()}`"


def test_table_of_metrics_matches_the_metrics(address: str) -> None:
    httpx.get(f"{address}/ready", timeout=60)
    text = httpx.get(f"{address}/metrics", timeout=60).text
    documented = {name.strip("`"): set(labels.split(", ")) - {""} for name, labels, _ in rows_of(SETTINGS, "metric")}
    types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    assert set(documented) == {name for name in types if not name.endswith("_created")}
    for name, labels in documented.items():
        match = re.search(rf"^{name}(?:_count)?{{(.*)}} ", text, re.MULTILINE)
        if match is not None:
            assert set(re.findall(r'(\w+)="', match[1])) == labels, name
