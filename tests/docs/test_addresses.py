"""Tests of docs/reference/addresses.md: its examples run against the real server, and its tables equal the code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import httpx
import pytest

from service.cli import main
from service.web.http.problem_codes import MEANINGS
from service.web.names.parameters import EVERY_PARAMETER
from service.web.resolver import FORMATS
from service.web.settings import Settings
from tests.support.web import serving

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "addresses.md").read_text(encoding="utf-8")
DOCUMENTED_ADDRESS = "http://127.0.0.1:8000"


def _read_examples() -> list[tuple[str, list[str]]]:
    """Return each command with the lines that must be in its output."""
    examples = re.findall(r"^    \$ (curl .*)\n((?:    .*\n)+)", PAGE, re.MULTILINE)
    return [(command, [line[4:] for line in lines.splitlines()]) for command, lines in examples]


def _run_curl(command: str, address: str) -> str:
    """Return the output of curl for the options on the page: the last response, with its header fields for -i."""
    words = shlex.split(command)[1:]
    headers, flags, target = {}, "", ""
    while words:
        word = words.pop(0)
        if word == "-H":
            key, _, value = words.pop(0).partition(": ")
            headers[key] = value
        elif word.startswith("-"):
            flags += word[1:]
        else:
            target = word
    assert set(flags) <= set("siL")
    assert target.startswith(DOCUMENTED_ADDRESS)
    response = httpx.get(target.replace(DOCUMENTED_ADDRESS, address), headers=headers, follow_redirects="L" in flags)
    head = [
        f"HTTP/1.1 {response.status_code} {response.reason_phrase}",
        *(f"{k}: {v}" for k, v in response.headers.items()),
    ]
    return "\n".join([*(head if "i" in flags else []), response.text]).replace(address, DOCUMENTED_ADDRESS)


def test_examples_return_the_documented_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--store", str(tmp_path / "store"), "demo", "--json"])
    capsys.readouterr()
    assert len(_read_examples()) == 9
    with serving(Settings(tmp_path / "store")) as address:
        for command, lines in _read_examples():
            printed = _run_curl(command, address).splitlines()
            assert [line for line in lines if line not in printed] == [], command


def test_tables_list_the_parameters_and_codes_of_the_code() -> None:
    parameters = PAGE.split("## Parameters")[1].split("## Redirect")[0]
    first = set(re.findall(r"^\| `(\w+)` \|", parameters, re.MULTILINE))
    assert first == set(EVERY_PARAMETER)
    shorts = re.search(r"^\| `format` \| \| (.*), or a media type", parameters, re.MULTILINE)
    assert shorts is not None
    assert set(re.findall(r"`(\w+)`", shorts[1])) == set(FORMATS) - {"turtle"}
    table = PAGE.split("## Redirect or answer")[1].split("\n\n")[2]
    codes = set(re.findall(r"4\d\d `([a-z-]+)`", table))
    assert len(codes) >= 7
    assert codes <= set(MEANINGS)
