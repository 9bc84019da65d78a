"""Tests of ``vigente harvest``, of lists and of names: requests, stored data, messages and exit codes."""

from __future__ import annotations

import json
import threading
import time
from itertools import pairwise
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from loaders.harvest import session
from loaders.harvest.report import RemarkCode
from loaders.parallel import ReaderPool
from tests.support.commands import Done, Run
from tests.support.documentation import keys_of, page_text, rows_of, section_of, ticked
from tests.support.harvesting import FIRST, everything, numbers, repository
from tests.support.normas_answers import Api, name, numbers_in
from tests.support.oai_repository import StoredRecord, poisoned
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

#: Control sequences of terminals, and characters that reverse the direction of text.
HOSTILE = "\x85\u202emal\u2066\u200e"
FORGED = f"{HOSTILE}\nvigente: all is well"


@pytest.fixture
def harvest(run: Run) -> Run:
    """Return a function that harvests into the folder ``store``, without pauses where they are not configured."""

    def call(command: str, *more: str, code: int = 0, given: bytes = b"") -> Done:
        pauses = "" if "--providers" in command else "--politeness 0"
        return run(f"--store store harvest {command} {pauses}", *more, code=code, given=given)

    return call


def test_report_has_the_documented_shape(harvest: Run, tmp_path: Path) -> None:
    holds = repository(25)
    holds.poison[FIRST + 3] = poisoned
    with OaiServer(holds) as server:
        done = harvest(f"{server.url} --json --report report.json --contact arquivo@exemplo.gov.br", code=3)
        agents = {(request.fields["user-agent"].partition(" ")[2], request.fields["from"]) for request in server.asked}
    assert done.json == json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert agents == {("(arquivo@exemplo.gov.br)", "arquivo@exemplo.gov.br")}
    (provider,) = done.json["providers"]
    assert (provider["ended"], provider["read"], provider["loaded"], len(provider["gaps"])) == ("complete", 25, 24, 1)
    assert sum(provider["refused"].values()) == 1
    assert "1 gap remains; the next harvest retries" in done.err
    assert _report_keys(done.json) == _documented_keys("harvest")


def _report_keys(document: dict[str, Any]) -> list[str]:
    """Return the keys of a report, without those that are data."""
    for provider in document["providers"]:
        provider.update(dict.fromkeys(provider.keys() & {"refused", "remark_counts", "notes"}))
        provider["fault"] = provider["fault"] or {"code": "", "problem": "", "expected": ""}
        provider["remarks"] = provider["remarks"] or [{"code": "", "message": ""}]
    return keys_of(document)


def _documented_keys(section: str) -> list[str]:
    values = {"complete", "partial", "failed", "interrupted", "null", "YYYY-MM-DDThh:mm:ssZ", "--report"}
    words = ticked(section_of(section).partition("`refused`, `remark_counts`")[0])
    return [word for word in words if word not in values]


def test_documented_remarks_are_the_existing_ones() -> None:
    codes = [ticked(code)[0] for code, _ in rows_of(page_text("harvesting"), "remark")]
    assert codes == sorted(code.value for code in RemarkCode)


def test_dry_run_writes_nothing_and_requests_one_page(harvest: Run, tmp_path: Path) -> None:
    holds = repository(25)
    holds.change(FIRST, sets=("leis",))
    with OaiServer(holds) as server:
        done = harvest(f"{server.url} --dry-run")
        verbs = [request.arguments["verb"] for request in server.asked]
        document = harvest(f"{server.url} --set lies --dry-run --json").json
    assert (done.out, verbs) == ("", ["Identify", "ListMetadataFormats", "ListSets", "ListRecords"])
    assert "the first page has 10 of 25 records" in done.err
    assert "would request records with datestamps from the first to now" in done.err
    assert [provider["remarks"][-1]["code"] for provider in document["providers"]] == ["unknown-set"]
    assert _report_keys(document) == _documented_keys("harvest --dry-run")
    assert list(tmp_path.iterdir()) == []


def test_unsupported_format_is_reported_with_the_supported_ones(harvest: Run, tmp_path: Path) -> None:
    holds = repository(5)
    holds.hook = lambda asked: (
        error_page("cannotDisseminateFormat") if asked.arguments.get("metadataPrefix") == "lexml" else None
    )
    with OaiServer(holds) as server:
        for more in ("--dry-run", ""):
            err = harvest(f"{server.url} --prefix lexml {more}", code=4).err
            assert "one of the formats that it offers: 'oai_lexml'" in err
            assert (tmp_path / "store").exists() is not bool(more)


def test_failed_hosts_do_not_stop_the_harvest_of_others(harvest: Run, tmp_path: Path) -> None:
    """Hosts are requested in parallel: the first page of each list waits until the other list is requested."""
    slow, fine, few = repository(12, size=4), repository(30), repository(3)
    meeting = threading.Barrier(2, timeout=20)

    def together(asked: ReceivedRequest) -> ScriptedAnswer | None:
        if asked.arguments["verb"] == "ListRecords" and "resumptionToken" not in asked.arguments:
            meeting.wait()
        return None

    def slowly(asked: ReceivedRequest) -> ScriptedAnswer | None:
        time.sleep(0.05)
        return together(asked)

    slow.hook, fine.hook = slowly, together
    with OaiServer(few) as down:
        gone = down.url
    with OaiServer(slow) as oai_server, OaiServer(fine) as other:
        listed = {"down": gone, "slow": oai_server.url, "fine": other.url}
        text = "".join(f"[[providers]]\nname = '{key}'\nurl = '{url}'\n" for key, url in listed.items())
        (tmp_path / "providers.toml").write_text(f"retries = 0\n{text}", "utf-8")
        done = harvest("--providers providers.toml --json", code=4)
        assert (oai_server.connections, other.connections) == (1, 1)
    ended = {provider["name"]: provider["ended"] for provider in done.json["providers"]}
    assert ended == {"down": "failed", "slow": "complete", "fine": "complete"}
    assert f"down ({gone}): failed" in done.err
    assert "connection: connection refused by 127.0.0.1" in done.err
    assert numbers(tmp_path / "store") == everything(30)


def test_lists_at_one_host_are_requested_sequentially_with_pauses(harvest: Run, tmp_path: Path) -> None:
    holds = repository(40)
    for number in range(40):
        holds.change(FIRST + number, sets=("a",) if number % 2 else ("b",))
    with OaiServer(holds) as server:
        listed = f"politeness = 0.05\n[[providers]]\nname = 'x'\nurl = '{server.url}'\nsets = ['a', 'b']\n"
        (tmp_path / "providers.toml").write_text(listed, "utf-8")
        harvest("--providers providers.toml")
        asked = list(server.asked)
        harvest("--providers providers.toml --only x/a")
    times: dict[str, list[float]] = {"a": [], "b": []}
    for request in asked:
        spec = request.arguments.get("set") or request.arguments.get("resumptionToken", "")[-1:]
        if spec:
            times[spec].append(request.received_at)
    assert max(times["a"]) < min(times["b"])
    pairs = [pair for pair in pairwise(asked) if pair[0].connection == pair[1].connection]
    assert min(after.received_at - before.received_at for before, after in pairs) >= 0.05
    assert numbers(tmp_path / "store") == everything(40)


def test_provider_text_is_escaped_on_the_terminal(harvest: Run) -> None:
    holds = repository(5)
    bad = f"<record><header><identifier>oai:exemplo.gov.br:{FORGED}</identifier></header></record>"
    holds.put(StoredRecord(FIRST + 9, raw=bad))
    pages = {
        "Identify": identify_page("http://exemplo.gov.br/oai", repositoryName=FORGED, deletedRecord=FORGED),
        "ListSets": envelope(f"<ListSets><set><setSpec>{FORGED}</setSpec></set></ListSets>", verb="ListSets"),
    }
    holds.hook = lambda asked: pages.get(asked.arguments["verb"])
    with OaiServer(holds) as server:
        messages = [harvest(f"{server.url} --dry-run").err, harvest(server.url, code=3).err]
        holds.hook = lambda asked: error_page(FORGED, FORGED) if asked.arguments["verb"] != "Identify" else None
        messages.append(harvest(f"{server.url} --set x", code=4).err)
    for err in messages:
        assert "mal" in err
        assert not set("\x85\u202e\u2066\u200e\x1b") & set(err)
        assert "\nvigente: all is well" not in err


def test_another_record_than_the_requested_one_is_a_gap(harvest: Run) -> None:
    holds = repository(3)
    other = envelope(f"<GetRecord>{holds.records[FIRST + 1].as_record()}</GetRecord>", verb="GetRecord")
    holds.hook = lambda asked: other if asked.arguments.get("identifier") == identifier(FIRST) else None
    with OaiServer(holds) as server:
        err = harvest(f"{server.url} --one-by-one", code=3).err
    assert f"gap: the record '{identifier(FIRST)}'" in err
    assert f"the provider answered with the record '{identifier(FIRST + 1)}'" in err
    assert numbers(Path("store")) == everything(3) - {FIRST}


def test_interrupted_harvest_reports_what_was_done(
    harvest: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = threading.Event()

    def taken(*_: object) -> None:
        if any(request.arguments.get("resumptionToken", "").startswith("30|") for request in server.asked):
            stopped.set()
            raise KeyboardInterrupt

    with OaiServer(repository(60)) as server:
        with monkeypatch.context() as patched:
            patched.setattr("loaders.harvest.session._IDLE", 0.0)
            patched.setattr("service.cli.harvesting._plain_progress", lambda: taken)
            done = harvest(f"{server.url} --json", code=130)
        assert stopped.is_set()
        assert [provider["ended"] for provider in done.json["providers"]] == ["interrupted"]
        assert done.err.endswith("vigente: stopped; finished work is kept\n")
        monkeypatch.setattr("service.cli.harvesting._PLAIN_SECONDS", 0.0)
        monkeypatch.setattr("loaders.harvest.session._IDLE", 0.0)
        resumed = harvest(server.url)
        assert f"127.0.0.1:{server.port}: " in resumed.err, "progress in plain lines without a terminal"
        assert resumed.out == ""
    assert numbers(tmp_path / "store") == everything(60)


def test_failures_exit_with_4_in_one_line(harvest: Run, tmp_path: Path) -> None:
    with OaiServer([Reply("", 403)]) as server:
        assert "status: the server answered with the status 403" in harvest(server.url, code=4).err
    with OaiServer(repository(5)) as server:
        harvest(server.url)
        for state in (tmp_path / "store" / "harvest").glob("*/state.json"):
            state.write_bytes(b"\xff\xfe")
        err = harvest(server.url, code=4).err
    assert "is not the state of a harvest" in err
    assert err.count("\n") == 1


def test_killed_parser_process_exits_with_4(harvest: Run, monkeypatch: pytest.MonkeyPatch) -> None:
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
        printed = harvest(server.url, code=4)
        done.set()
        killing.join()
    assert printed.out == ""
    assert "vigente: a process that was to read " in printed.err
    assert " ended before it began: killed, out of memory, or " in printed.err
    assert printed.err.endswith("run the same command again\n")


# Lists of names


def base(server: OaiServer) -> str:
    return server.url.removesuffix("/oai")


@pytest.fixture
def names(tmp_path: Path) -> Path:
    (tmp_path / "names.txt").write_text("".join(f"{name(FIRST + n)}\n" for n in range(4)))
    return tmp_path / "names.txt"


def test_list_of_names_is_harvested_and_reported(harvest: Run, run: Run, names: Path) -> None:
    with OaiServer(Api(range(FIRST, FIRST + 4))) as server:
        done = harvest(f"{base(server)} --names names.txt --json --report report.json")
        harvest(f"{base(server)} --names names.txt")
        run(f"--store other harvest {base(server)} --names names.txt --no-payloads")
    assert (list(Path("other").rglob("pages")), list(Path("store").rglob("pages")) == []) == ([], False)
    assert json.loads(names.with_name("report.json").read_text()) == done.json
    (report,) = done.json["providers"]
    assert (report["ended"], report["loaded"], report["url"]) == ("complete", 4, base(server) + "/api/public/normas")
    assert numbers_in(Path("store")) == set(range(FIRST, FIRST + 4))
    whole = sorted(run("--store store export -").lines)
    assert sorted(run("--store store export - --as-of-harvest 2100-01-01").lines) == whole
    assert name(FIRST) not in run("--store store export - --as-of-harvest 2000-01-01").out


def test_dry_run_of_names_writes_nothing(harvest: Run, names: Path) -> None:
    names.write_text(names.read_text() + "no name\n")
    with OaiServer(Api([FIRST])) as server:
        done = harvest(f"{base(server)} --names names.txt --dry-run --json")
        assert len(server.asked) == 1
    (report,) = done.json["providers"]
    assert (report["list_size"], report["done"], report["first_page"], report["resumes"]) == (4, 0, 1, False)
    assert "4 names, 0 already answered; 1 entries are not names" in done.err
    assert f"the API knows the first name to request: {name(FIRST)}" in done.err
    assert not Path("store").exists()


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize(("reply", "code"), [(Reply("later", 503, {"Retry-After": "9999"}), 4), (Reply("no", 404), 3)])
def test_missing_name_sets_the_exit_code(harvest: Run, reply: ScriptedAnswer, code: int) -> None:
    with OaiServer(Api([], lambda _: reply)) as server:
        harvest(f"{base(server)} --names names.txt", code=code)
