"""Tests of ``vigente harvest --names``: combinations of options, messages, exit codes, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from service.cli import main
from tests.support.normas_answers import Api, name, numbers_in
from tests.support.oai_server import OaiServer, Reply, ScriptedAnswer

FIRST = 99901
ROOT = Path(__file__).resolve().parents[3]


def base(server: OaiServer) -> str:
    return server.url.removesuffix("/oai")


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "names.txt"
    file.write_text("".join(f"{name(FIRST + n)}\n" for n in range(4)))
    return file


def harvest(url: str, *more: str) -> int:
    return main(["--store", "s", "harvest", url, "--names", "names.txt", *more])


def test_complete_list_is_harvested_and_reported(names: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with OaiServer(Api(range(FIRST, FIRST + 4))) as server:
        assert harvest(base(server), "--json", "--report", "report.json") == 0
        document = json.loads(capsys.readouterr().out)
        assert harvest(base(server)) == 0
    assert json.loads(names.with_name("report.json").read_text()) == document
    (report,) = document["providers"]
    assert (report["ended"], report["loaded"], report["url"]) == ("complete", 4, base(server) + "/api/public/normas")
    assert numbers_in(Path("s")) == set(range(FIRST, FIRST + 4))
    assert main(["--store", "s", "export", "all.nq"]) == 0
    assert main(["--store", "s", "export", "then.nq", "--as-of-harvest", "2100-01-01"]) == 0
    assert sorted(Path("all.nq").read_text().splitlines()) == sorted(Path("then.nq").read_text().splitlines())
    assert main(["--store", "s", "export", "before.nq", "--as-of-harvest", "2000-01-01"]) == 0
    assert name(FIRST) not in Path("before.nq").read_text()


def test_no_payloads_option_keeps_no_payloads(names: Path) -> None:
    with OaiServer(Api(range(FIRST, FIRST + 4))) as server:
        assert harvest(base(server), "--no-payloads") == 0
    assert names.exists()
    assert not list(Path("s").rglob("pages"))


def test_a_dry_run_writes_nothing(names: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names.write_text(names.read_text() + "no name\n")
    with OaiServer(Api([FIRST])) as server:
        assert harvest(base(server), "--dry-run", "--json") == 0
        assert len(server.asked) == 1
    printed = capsys.readouterr()
    (report,) = json.loads(printed.out)["providers"]
    assert (report["list_size"], report["done"], report["first_page"], report["resumes"]) == (4, 0, 1, False)
    assert "4 names, 0 already answered; 1 entries are not names" in printed.err
    assert f"the API knows the first name to request: {name(FIRST)}" in printed.err
    assert not Path("s").exists()


def test_invalid_name_is_quarantined_alone(names: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names.write_text(f"{name(FIRST)}\nno name\nurn:lex:br:federal:lei:2018;\n")
    with OaiServer(Api([FIRST])) as server:
        assert harvest(base(server), "--json") == 3
    (report,) = json.loads(capsys.readouterr().out)["providers"]
    assert (report["read"], report["loaded"], sum(report["refused"].values())) == (3, 1, 2)
    assert main(["--store", "s", "quarantine", "list", "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)["refused"]
    assert [(refusal["origin"], refusal["position"], refusal["kind"]) for refusal in kept] == [
        ("names.txt", "line 2", "names"),
        ("names.txt", "line 3", "names"),
    ]


@pytest.mark.parametrize(("reply", "code"), [(Reply("later", 503, {"Retry-After": "9999"}), 4), (Reply("no", 404), 3)])
def test_missing_name_sets_the_exit_code(names: Path, reply: ScriptedAnswer, code: int) -> None:
    names.write_text(f"{name(FIRST)}\n")
    with OaiServer(Api([], lambda _: reply)) as server:
        assert harvest(base(server)) == code


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--set", "x"], "expected --names without options of OAI-PMH, got --set"),
        (["--prefix", "x", "--one-by-one"], "expected --names without options of OAI-PMH, got --prefix, --one-by-one"),
        (
            ["--from", "2020-01-01", "--until", "2020-01-02"],
            "expected --names without options of OAI-PMH, got --from, --until",
        ),
        (["--providers", "p.toml"], "expected --names without options of OAI-PMH, got --providers"),
        (["--reconcile"], "expected --names without options of OAI-PMH, got --reconcile"),
        (["--accept-withdrawals"], "expected --names without options of OAI-PMH, got --accept-withdrawals"),
        (["--only", "x"], "expected --names without options of OAI-PMH, got --only"),
    ],
)
def test_incompatible_options_are_rejected(
    names: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert harvest("http://127.0.0.1:1", *more) == 2
    assert message in capsys.readouterr().err
    assert names.exists()
    assert not Path("s").exists()


def test_invalid_calls_are_rejected(names: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for call, message in (
        (["harvest", "--names", "names.txt"], "expected the URL of normas.leg.br"),
        (["harvest", "http://127.0.0.1:1", "--names", "nowhere.txt"], "expected a file with a list of names"),
        (["harvest", "http://127.0.0.1:1/?x=1", "--names", "names.txt"], "without query"),
        (["harvest", "http://127.0.0.1:1", "--column", "x"], "--names FILE"),
    ):
        assert main(["--store", "s", *call]) == 2
        assert message in capsys.readouterr().err
    assert names.exists()
    assert not Path("s").exists()


def test_sigint_keeps_the_store_intact(names: Path) -> None:
    names.write_text("".join(f"{name(FIRST + n)}\n" for n in range(60)))
    child: list[subprocess.Popen[bytes]] = []

    def hook(number: int) -> ScriptedAnswer | None:
        if number == FIRST + 8 and child:
            child.pop().send_signal(signal.SIGINT)
            time.sleep(0.3)
        return None

    api = Api(range(FIRST, FIRST + 60), hook)
    with OaiServer(api) as server:
        arguments = ["--store", "s", "harvest", base(server), "--names", "names.txt"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            [sys.executable, "-m", "service", *arguments], env=environment, stderr=subprocess.PIPE
        )
        child.append(process)
        _, printed = process.communicate(timeout=60)
        assert process.returncode == 130
        assert b"interrupted" in printed
        done = len(numbers_in(Path("s")))
        assert 0 < done <= 9
        assert numbers_in(Path("s")) == set(range(FIRST, FIRST + done))
        before = len(server.asked)
        assert harvest(base(server), "--dry-run") == 0
        assert server.asked[before].target.partition("&")[0].endswith(name(FIRST + done))
