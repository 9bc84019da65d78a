"""Tests of ``vigente harvest``: requests, stored data, messages and exit codes."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from loaders.harvest import session
from loaders.harvest.report import RemarkCode
from loaders.parallel import ReaderPool
from service.cli import main
from tests.docs.test_reference_pages import ROOT, _keys, _rows, _section, _ticked
from tests.support.harvesting import FIRST, everything, numbers, repository
from tests.support.oai_repository import Repository, StoredRecord, poisoned
from tests.support.oai_server import (
    OaiServer,
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    envelope,
    error_page,
    identifier,
    identify_page,
)

URL = "http://127.0.0.1:9/oai"
#: Control sequences of terminals, and characters that reverse the direction of text.
HOSTILE = "\x85\u202emal\u2066\u200e"

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Return a function: ``call(argument...)`` runs a harvest in an empty folder.

    It returns exit code, stdout and stderr.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIGENTE_STORE", raising=False)
    monkeypatch.delenv("VIGENTE_CONTACT", raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        pauses = [] if "--providers" in arguments else ["--politeness", "0"]
        code = main(["--store", "store", "harvest", *pauses, *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def providers(tmp_path: Path, text: str) -> str:
    (tmp_path / "providers.toml").write_text(text, encoding="utf-8")
    return "providers.toml"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected the base URL of a provider, or --providers FILE"),
        (["ftp://exemplo.gov.br/oai"], "expected the base URL of a provider, http or https, got 'ftp://exemplo"),
        (["exemplo"], "expected the base URL of a provider, http or https, got 'exemplo'"),
        (["http://[a/"], "expected the base URL of a provider, got 'http://[a/'"),
        ([f"{URL}?verb=Identify"], "expected a base URL without query, got"),
        (["http://ana:segredo@127.0.0.1:9/oai"], "without user and password"),
        ([URL, "--only", "a"], "expected --only together with --providers FILE"),
        ([URL, "--until", "2025-01-01", "--from", "2025-01-02"], "expected --until on or after --from, got"),
        ([URL, "--from", "2025-02-30"], "--from: expected a day of the calendar"),
        ([URL, "--from", "2025-01-02", "--reconcile"], "expected --reconcile without --from and --until"),
        ([URL, "--providers", "p.toml"], "expected --providers without URL"),
        (["--providers", "missing.toml"], "missing.toml cannot be read: No such file"),
        ([URL, "--set", ""], "expected set to be a text"),
        ([URL, "--set", " "], "expected set to be a text"),
        ([URL, "--prefix", "\t"], "expected metadataPrefix to be a text"),
        ([URL, "--contact", "\u00e1rvore"], "expected contact in printable ASCII"),
        ([URL, "--report", "nowhere/report.json"], "expected --report in an existing folder"),
        ([URL, "--bogus"], "No such option: --bogus"),
    ],
)
def test_invalid_calls_create_no_store(call: Call, tmp_path: Path, arguments: list[str], message: str) -> None:
    code, out, err = call(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("vigente: ")
    assert message in err
    assert "segredo" not in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            f"[[providers]]\nurl = '{URL}'\nca_file = 'missing.pem'",
            [],
            "expected verify to name a file of certificates",
        ),
        (f"[[providers]]\nurl = '{URL}'\nset = ' '", [], "expected set to be a text"),
        (f"[[providers]]\nname = 'x'\nurl = '{URL}'", ["--only", "y"], "expected --only to name one of x; got 'y'"),
        ("\x00", [], "is not valid TOML"),
        ("[[providers]]\nurl = 'http://a.invalid'\n'\\u001b[2J' = 1", [], "is unknown"),
    ],
)
def test_invalid_configurations_create_no_store(
    call: Call, tmp_path: Path, text: str, arguments: list[str], message: str
) -> None:
    code, out, err = call("--providers", providers(tmp_path, text), *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert "\x1b" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["providers.toml"]


def test_report_has_the_documented_shape(call: Call, tmp_path: Path) -> None:
    holds = repository(25)
    holds.poison[FIRST + 3] = poisoned
    with OaiServer(holds) as server:
        code, out, err = call(server.url, "--json", "--report", "report.json", "--contact", "arquivo@exemplo.gov.br")
        agents = {(request.fields["user-agent"].partition(" ")[2], request.fields["from"]) for request in server.asked}
    document = json.loads(out)
    assert code == 3
    assert document == json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert agents == {("(arquivo@exemplo.gov.br)", "arquivo@exemplo.gov.br")}
    (provider,) = document["providers"]
    assert (provider["ended"], provider["read"], provider["loaded"], len(provider["gaps"])) == ("complete", 25, 24, 1)
    assert sum(provider["refused"].values()) == 1
    assert "1 gap remains; the next harvest retries" in err
    assert _report_keys(document) == _documented_keys("harvest")


def test_a_dry_run_has_the_documented_shape(call: Call) -> None:
    holds = repository(25)
    holds.change(FIRST, sets=("leis",))
    with OaiServer(holds) as server:
        _, out, _ = call(server.url, "--set", "lies", "--dry-run", "--json")
    document = json.loads(out)
    assert [provider["remarks"][-1]["code"] for provider in document["providers"]] == ["unknown-set"]
    assert _report_keys(document) == _documented_keys("harvest --dry-run")


def _report_keys(document: dict[str, Any]) -> list[str]:
    """Return the keys of a report, without those that are data."""
    for provider in document["providers"]:
        for name in ("refused", "remark_counts", "notes"):
            if name in provider:
                provider[name] = None
        provider["fault"] = provider["fault"] or {"code": "", "problem": "", "expected": ""}
        provider["remarks"] = provider["remarks"] or [{"code": "", "message": ""}]
    return _keys(document)


def _documented_keys(section: str) -> list[str]:
    values = {"complete", "partial", "failed", "interrupted", "null", "YYYY-MM-DDThh:mm:ssZ", "--report"}
    words = _ticked(_section(section).partition("`refused`, `remark_counts`")[0])
    return [word for word in words if word not in values]


def test_documented_remarks_are_the_existing_ones() -> None:
    page = (ROOT / "docs" / "reference" / "harvesting.md").read_text(encoding="utf-8")
    codes = [_ticked(code)[0] for code, _ in _rows(page, "remark")]
    assert codes == sorted(code.value for code in RemarkCode)


def test_dry_run_writes_nothing_and_requests_one_page(call: Call, tmp_path: Path) -> None:
    with OaiServer(repository(25)) as server:
        code, out, err = call(server.url, "--dry-run")
        verbs = [request.arguments["verb"] for request in server.asked]
    assert (code, out) == (0, "")
    assert verbs == ["Identify", "ListMetadataFormats", "ListSets", "ListRecords"]
    assert "the first page has 10 of 25 records" in err
    assert "would request records with datestamps from the first to now" in err
    assert not list(tmp_path.iterdir())


def test_first_harvest_reports_an_unlisted_set(call: Call) -> None:
    holds = repository(5)
    holds.change(FIRST, sets=("leis",))
    with OaiServer(holds) as server:
        for more in (["--dry-run"], []):
            code, _, err = call(server.url, "--set", "lies", *more)
            assert code == 0
            assert "unknown-set: the provider lists no set 'lies'" in err
        assert "unknown-set" in call(server.url, "--set", "lies")[2]  # repeated while no record of the set was received
        assert "unknown-set" not in call(server.url, "--set", "leis")[2]


def test_provider_without_sets_and_formats_is_accepted(call: Call) -> None:
    with OaiServer(repository(5, verbs=("ListRecords",))) as server:
        assert call(server.url, "--dry-run")[0] == 0
        code, _, err = call(server.url, "--set", "leis")
    assert code == 0
    assert "unknown-set" not in err


def test_unsupported_format_is_reported_with_the_supported_ones(call: Call, tmp_path: Path) -> None:
    holds = repository(5)
    holds.hook = lambda asked: (
        error_page("cannotDisseminateFormat") if asked.arguments.get("metadataPrefix") == "lexml" else None
    )
    with OaiServer(holds) as server:
        for more in (["--dry-run"], []):
            code, _, err = call(server.url, "--prefix", "lexml", *more)
            assert code == 4
            assert "one of the formats that it offers: 'oai_lexml'" in err
            assert (tmp_path / "store").exists() is not bool(more)


def test_failed_hosts_do_not_stop_the_harvest_of_others(call: Call, tmp_path: Path) -> None:
    slow, fine, few = repository(12, size=4), repository(30), repository(3)

    meeting = threading.Barrier(2, timeout=20)

    def together(asked: ReceivedRequest) -> ScriptedAnswer | None:
        """Delay the first page of each list until the other list is requested: hosts are requested in parallel."""
        if asked.arguments["verb"] == "ListRecords" and "resumptionToken" not in asked.arguments:
            meeting.wait()
        return None

    def slowly(asked: ReceivedRequest) -> ScriptedAnswer | None:
        time.sleep(0.1)
        return together(asked)

    slow.hook, fine.hook = slowly, together
    with OaiServer(few) as down:
        gone = down.url
    with OaiServer(slow) as oai_server, OaiServer(fine) as other:
        listed = f"retries = 0\n[[providers]]\nname = 'down'\nurl = '{gone}'\n"
        listed += f"[[providers]]\nname = 'slow'\nurl = '{oai_server.url}'\n"
        listed += f"[[providers]]\nname = 'fine'\nurl = '{other.url}'\n"
        code, out, err = call("--providers", providers(tmp_path, listed), "--json")
        assert (oai_server.connections, other.connections) == (1, 1)
    assert code == 4
    ended = {provider["name"]: provider["ended"] for provider in json.loads(out)["providers"]}
    assert ended == {"down": "failed", "slow": "complete", "fine": "complete"}
    assert f"down ({gone}): failed" in err
    assert "connection: connection refused by 127.0.0.1" in err
    assert numbers(tmp_path / "store") == everything(30)


def test_lists_at_one_host_are_requested_sequentially_with_pauses(call: Call, tmp_path: Path) -> None:
    holds = repository(40)
    for number in range(40):
        holds.change(FIRST + number, sets=("a",) if number % 2 else ("b",))
    with OaiServer(holds) as server:
        listed = f"politeness = 0.1\n[[providers]]\nname = 'x'\nurl = '{server.url}'\nsets = ['a', 'b']\n"
        assert call("--providers", providers(tmp_path, listed))[0] == 0
        spans = []
        for spec in "ab":
            own_times = [
                e.received_at
                for e in server.asked
                if spec in (e.arguments.get("resumptionToken", "")[-1:], e.arguments.get("set"))
            ]
            spans.append((min(own_times), max(own_times)))
        gaps = [
            after.received_at - before.received_at
            for before, after in zip(server.asked, server.asked[1:], strict=False)
            if after.connection == before.connection
        ]
        assert call("--providers", "providers.toml", "--only", "x/a")[0] == 0
    assert spans[0][1] < spans[1][0]
    assert min(gaps) >= 0.1
    assert numbers(tmp_path / "store") == everything(40)


def test_provider_text_is_escaped_on_the_terminal(call: Call) -> None:
    holds = repository(5)
    bad = f"oai:exemplo.gov.br:{HOSTILE}\nvigente: all is well"
    holds.put(StoredRecord(FIRST + 9, raw=f"<record><header><identifier>{bad}</identifier></header></record>"))
    hostile = f"{HOSTILE}\nvigente: all is well"
    holds.hook = lambda asked: (
        identify_page("http://exemplo.gov.br/oai", repositoryName=hostile, deletedRecord=hostile)
        if asked.arguments["verb"] == "Identify"
        else envelope(f"<ListSets><set><setSpec>{hostile}</setSpec></set></ListSets>", verb="ListSets")
        if asked.arguments["verb"] == "ListSets"
        else None
    )
    with OaiServer(holds) as server:
        messages = [call(server.url, "--dry-run")[2], call(server.url)[2]]
        holds.hook = lambda asked: error_page(hostile, hostile) if asked.arguments["verb"] != "Identify" else None
        messages.append(call(server.url, "--set", "x")[2])
    for err in messages:
        assert "mal" in err
        assert not set(HOSTILE[:2] + "\u2066\u200e\x1b") & set(err)
        assert "\nvigente: all is well" not in err


def test_unrecoverable_record_is_a_gap_with_its_identifier(call: Call) -> None:
    holds = Repository()
    name = f"oai:x:{HOSTILE}\nvigente: all is well"
    header = f"<header><identifier>{name}</identifier></header>"
    page = envelope(f"<ListIdentifiers>{header}</ListIdentifiers>", verb="ListIdentifiers")
    replies = {"ListIdentifiers": page, "GetRecord": error_page("idDoesNotExist", verb="GetRecord")}
    holds.hook = lambda asked: replies.get(asked.arguments["verb"])
    with OaiServer(holds) as server:
        code, _, err = call(server.url, "--one-by-one")
    assert code == 3
    assert "gap: the record 'oai:x:" in err
    assert "\u202e" not in err
    assert "\nvigente: all is well" not in err


def test_another_record_than_the_requested_one_is_a_gap(call: Call) -> None:
    holds = repository(3)
    other = envelope(f"<GetRecord>{holds.records[FIRST + 1].as_record()}</GetRecord>", verb="GetRecord")
    missing = identifier(FIRST)
    holds.hook = lambda asked: other if asked.arguments.get("identifier") == missing else None
    with OaiServer(holds) as server:
        code, _, err = call(server.url, "--one-by-one")
    assert code == 3
    assert f"gap: the record '{missing}'" in err
    assert f"the provider answered with the record '{identifier(FIRST + 1)}'" in err
    assert numbers(Path("store")) == everything(3) - {FIRST}


def test_an_interrupted_harvest_reports_what_was_done(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds = repository(60)
    stopped = threading.Event()

    def taken(*_: object) -> None:
        if any(request.arguments.get("resumptionToken", "").startswith("30|") for request in server.asked):
            stopped.set()
            raise KeyboardInterrupt

    monkeypatch.setattr("loaders.harvest.session._IDLE", 0.0)
    monkeypatch.setattr("service.cli.harvesting._plain_progress", lambda: taken)
    with OaiServer(holds) as server:
        code, out, err = call(server.url, "--json")
        assert stopped.is_set()
        (provider,) = json.loads(out)["providers"]
        assert (code, provider["ended"]) == (130, "interrupted")
        assert err.endswith("vigente: stopped; finished work is kept\n")
        monkeypatch.undo()
        monkeypatch.chdir(tmp_path)
        assert call(server.url)[0] == 0
    assert numbers(tmp_path / "store") == everything(60)


def test_progress_is_in_plain_lines_without_a_terminal(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.harvesting._PLAIN_SECONDS", 0.0)
    monkeypatch.setattr("loaders.harvest.session._IDLE", 0.0)
    with OaiServer(repository(60)) as server:
        _, out, err = call(server.url)
        assert f"127.0.0.1:{server.port}: 6 pages" in err
    assert out == ""


def test_undecodable_state_file_is_reported(call: Call, tmp_path: Path) -> None:
    with OaiServer(repository(5)) as server:
        assert call(server.url)[0] == 0
        (state,) = (tmp_path / "store" / "harvest").glob("*/state.json")
        state.write_bytes(b"\xff\xfe")
        code, _, err = call(server.url)
    assert code == 4
    assert "is not the state of a harvest" in err
    assert err.count("\n") == 1


def test_forbidden_provider_exits_with_4(call: Call) -> None:
    with OaiServer([Reply("", 403)]) as server:
        code, _, err = call(server.url)
    assert code == 4
    assert "status: the server answered with the status 403" in err


def test_killed_parser_process_exits_with_4(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the error message and exit code 4, without a traceback, when readers are killed at once."""
    monkeypatch.setattr(session, "_FEW", 0)
    monkeypatch.setattr(ReaderPool, "is_starting", False)  # otherwise the few pages would be read in this process
    monkeypatch.setattr(session, "available", lambda: 2)
    done = threading.Event()

    def kill() -> None:
        while not done.wait(0.01):
            for child in active_children():
                child.kill()

    with OaiServer(repository(60)) as server:
        killing = threading.Thread(target=kill)
        killing.start()
        code, out, err = call(server.url)
        done.set()
        killing.join()
    assert (code, out) == (4, "")
    assert "vigente: a process that was to read " in err
    assert " ended before it began: killed, out of memory, or " in err
    assert "Traceback" not in err
    assert err.endswith("run the same command again\n")
