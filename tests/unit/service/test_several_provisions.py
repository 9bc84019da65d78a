"""Names of several provisions: lists and ranges answer for each provision (LexML 1.0 part 2, section 11)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from service.cli import main
from tests.support.sites import names

LAW = names("several_provisions")["LAW"]
#: A fragment, and the provisions that it means.
FRAGMENTS = {
    "[art1,art3]": ["art1", "art2", "art2-1", "art3"],
    "art3,art1": ["art3", "art1"],
    "[art2,art3],art10": ["art2", "art2-1", "art3", "art10"],
    "[art2_cpt_inc1,art3]": ["art2_cpt_inc1", "art2-1", "art3"],
    "art1,art99": ["art1", "art99"],
}


@pytest.fixture(scope="module")
def store(site_store: Callable[[str], Path]) -> Path:
    return site_store("several_provisions")


@pytest.fixture(scope="module")
def client(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("several_provisions")


@pytest.mark.parametrize("command", ["in-force", "text"])
@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_each_provision_is_answered(
    command: str, fragment: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--store", str(store), command, f"{LAW}!{fragment}", "--on", "2002-01-01", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["name"] == f"{LAW}!{fragment}"
    assert [answer["name"] for answer in document["answers"]] == [f"{LAW}!{part}" for part in FRAGMENTS[fragment]]
    known = [answer["status"] for answer in document["answers"] if not answer["name"].endswith("99")]
    assert set(known) == {"in-force"}


@pytest.mark.parametrize("command", ["in-force", "text"])
def test_exit_code_is_1_only_if_all_are_absent(command: str, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", str(store), command, f"{LAW}!art98,art99", "--on", "2002-01-01"]) == 1
    assert main(["--store", str(store), command, f"{LAW}!art1,art99", "--on", "2002-01-01"]) == 0
    assert "Texto" in capsys.readouterr().out or command == "in-force"


def test_service_answers_each_provision(client: httpx.Client) -> None:
    for path in (f"/api/v1/in-force?urn={LAW}!", f"/api/v1/text?urn={LAW}!", f"/{LAW}!"):
        answer = client.get(f"{path}[art1,art2]", headers={"Accept": "application/json"})
        assert answer.status_code == 200
        assert [part["name"].rpartition("!")[2] for part in answer.json()["answers"]] == ["art1", "art2"]
        absent = client.get(f"{path}art98,art99", headers={"Accept": "application/json"})
        assert (absent.status_code, absent.json()["code"]) == (404, "provision-unknown")


def test_range_that_is_turned_round_is_refused(client: httpx.Client, store: Path) -> None:
    assert main(["--store", str(store), "in-force", f"{LAW}![art3,art1]"]) == 2
    answer = client.get(f"/{LAW}![art3,art1]", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-parameter")


def test_page_shows_each_provision(client: httpx.Client) -> None:
    page = client.get(f"/{LAW}![art1,art2]?on=2002-01-01", headers={"Accept": "text/html"})
    assert page.status_code == 200
    shown = re.sub(r"<[^>]+>", "", page.text)
    for words in ("Art. 1 Texto 1.", "Art. 2 Texto 2.", "I - um;"):
        assert words in shown
    assert "Art. 3" not in shown
    assert (shown.count("Em vigor desde"), shown.count(", conforme fontes")) == (1, 1), (
        "the status of all is shown once"
    )


def test_parts_of_a_name_keep_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["name", "parse", f"{LAW}![art1,art3],art5"]) == 0
    assert "partes [art1,art3]; art5" in capsys.readouterr().out
