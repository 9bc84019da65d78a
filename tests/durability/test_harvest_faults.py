"""Tests of faulty and hostile providers, and of kill -9 during a harvest: nothing is lost silently."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import ssl
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import trustme

from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.harvest.report import ListResult
from loaders.harvest.state import Gap, StateFile, Window, moment
from queries.catalogue import named
from tests.support.cases import values
from tests.support.harvesting import (
    FIRST,
    as_of_harvest,
    everything,
    exported,
    harvested,
    literal,
    numbers,
    once,
    quads_in,
    quads_of,
    quick_provider,
    repository,
)
from tests.support.oai_repository import Repository, Spoil, StoredRecord, poisoned
from tests.support.oai_server import (
    OaiServer,
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    cut_short,
    error_page,
    identifier,
    list_page,
    reset,
    trickle,
)

# Faulty and hostile providers
# A case is a repository with a fault, and harvests of it one after the other; between them the fault may change or end.


DATA = tomllib.loads((Path(__file__).parents[1] / "data" / "oai" / "faulty_providers.toml").read_text("utf-8"))
MAINTENANCE = "<!DOCTYPE html><html><body>Em manutenção</body></html>"
COMPLETE, PARTIAL, FAILED = ListResult.COMPLETE, ListResult.PARTIAL, ListResult.FAILED
ONE_BY_ONE, LISTS = ("ListIdentifiers", "GetRecord"), ("ListRecords", "ListIdentifiers")
SPOILS: dict[str, Spoil] = {
    "control character": poisoned,
    "cut off": cut_short,
    "wrong encoding": lambda page: Reply(page.encode("latin-1", "replace").replace(b"fict", b"fict\xed")),
    "a doctype": lambda page: page.replace("<OAI-PMH", "<!DOCTYPE x><OAI-PMH", 1),
    "500": lambda _: Reply("out of order", 500),
    "HTML": lambda _: MAINTENANCE,
    "no list": lambda page: re.split("<List|<Get", page, maxsplit=1)[0] + "</OAI-PMH>",
    "reset": lambda _: reset,
    "trickle": lambda page: trickle(page, 0.2),
    "large": lambda page: page.replace("Norma fictícia.", "x" * (1 << 20)),
}
ANSWERS: dict[str, ScriptedAnswer] = {
    "HTML": MAINTENANCE,
    "empty": "",
    "503": Reply("away", 503, {"Retry-After": "100000"}),
    "500": Reply("", 500),
    "reset": reset,
    "expired": error_page("badResumptionToken"),
    "nothing": error_page("noRecordsMatch"),
}


def position(asked: ReceivedRequest) -> str:
    """Return the position in the token of a request; empty if it has none."""
    return asked.arguments.get("resumptionToken", "").partition("|")[0]


def at(start: str, answer: ScriptedAnswer, times: int, *, after: bool) -> Callable[[ReceivedRequest], Any]:
    """Return a function that answers the requests for a page, at most some times; or all requests after it."""
    answers = [answer] * times

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        found = asked.arguments["verb"] == "ListRecords" and position(asked) == start
        return answers.pop() if answers and (found or (after and len(answers) < times)) else None

    return hook


def truncated(_: ReceivedRequest, page: str) -> str:
    """End each list after 20 records, whatever size it announces."""
    found = re.search(r">(\d+)\|[^<]*</resumptionToken>", page)
    return page.replace(found[0], "></resumptionToken>") if found and int(found[1]) >= 20 else page


def long_tokens(_: ReceivedRequest, page: str) -> str:
    """Give the first page of any list a token that is too long for a URL."""
    return re.sub(r">10\|[^<]*<", f">{'t' * 100_000}<", page)


def repeated_pages() -> Callable[[ReceivedRequest], ScriptedAnswer | None]:
    """Return a function by which the list of all records never ends."""
    tokens = count()

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        whole = asked.arguments["verb"] == "ListRecords" and "until" not in asked.arguments
        return list_page(range(FIRST, FIRST + 3), str(next(tokens))) if whole else None

    return hook


def with_status_404() -> Callable[[ReceivedRequest, str], ScriptedAnswer]:
    """Return a function by which errors have an HTTP status, and the second page is an error once."""
    forgotten = [error_page("badResumptionToken")]

    def edit(asked: ReceivedRequest, page: str) -> ScriptedAnswer:
        page = forgotten.pop() if forgotten and position(asked) else page
        return Reply(page, 404 if "<error" in page else 200)

    return edit


def change(holds: Repository, step: Mapping[str, Any], size: int) -> None:
    """Change a repository as a step of a case says."""
    if "mended" in step:
        holds.poison, holds.hook, holds.edit = {}, lambda _: None, lambda _, page: page
        holds.now = "2026-02-03T00:00:00Z"
    spoil = SPOILS[step.get("spoil", "control character")]
    holds.poison |= {FIRST + n: spoil for n in step.get("bad", ())}
    if "hidden" in step:
        holds.hidden = {FIRST + n for n in step["hidden"]}
    if "at" in step:
        holds.hook = at(step["at"], ANSWERS[step["answer"]], step.get("times", 99), after=step.get("after", False))
    if "edit" in step:
        of, old, new = step["edit"]
        new = new.replace("LONG", "i" * 70_000)
        holds.edit = lambda asked, page: (
            page.replace(old, new) if of in (asked.arguments["verb"], f"from {position(asked)}") else page
        )
    match step.get("named"):
        case "long tokens":
            holds.edit = long_tokens
        case "truncated lists":
            holds.edit = truncated
        case "repeated pages":
            holds.hook = repeated_pages()
        case "text before":
            holds.edit = lambda _, page: f"\r\n\n{page}"
        case "errors with status 404":
            holds.edit = with_status_404()
        case _:
            pass
    for name, value in step.get("set", {}).items():
        setattr(holds, name, value)
    for n in range(size if "days" in step else 0):
        holds.change(FIRST + n, stamp=f"{step['days'] % (n + 1)}T00:00:00Z")
    for number, fields in step.get("norms", {}).items():
        holds.change(FIRST + int(number), **fields)


def case_name(part: object) -> str:
    return str(part["what"] if isinstance(part, dict) else part)


def gap_of(gap: Gap) -> int | str:
    """Return the position of the norm of a gap, or its code."""
    number = (gap.identifier or "").rpartition("/")[2]
    return int(number) - FIRST if number.isdecimal() else gap.code


@pytest.mark.parametrize(
    ("case", "one"), [(case, one) for case in DATA["cases"] for one in case.get("each", [""])], ids=case_name
)
def test_faulty_provider_costs_only_its_faulty_records(tmp_path: Path, case: dict[str, Any], one: str) -> None:
    size, whole = case["size"], everything(case["size"])
    holds = repository(size, **case.get("holds", {}))
    with OaiServer(holds) as server:
        for written in case["harvests"]:
            step = json.loads(json.dumps(written).replace("EACH", one))
            change(holds, step, size)
            server.asked.clear()
            report = once(tmp_path, server.url, provider=case.get("provider"))
            assert numbers(tmp_path) == whole - {n + FIRST for n in step.get("lost", ())}
            ended = ListResult(step.get("ended", "complete"))
            assert (report.ended, report.fault is None) == (ended, ended is COMPLETE), report.fault
            assert [gap_of(gap) for gap in report.state.gaps] == step.get("gaps", [])
            assert set(step.get("remarks", ())) <= set(report.remark_counts)
            assert "fewer" not in step or len(server.asked) < step["fewer"]
            if "quarantined" in step:
                assert len(list(Quarantine(tmp_path / QUARANTINE).list())) == step["quarantined"]
    assert size or not [quad for quad in exported(tmp_path) if "exemplo.gov.br" in quad]


def verbs(server: OaiServer, verb: str) -> int:
    """Return the number of requests with a verb."""
    return sum(asked.arguments["verb"] == verb for asked in server.asked)


# Lists without end


def test_number_of_requests_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check a list of unreadable records: the harvest ends, reports why, and continues at the next run."""
    monkeypatch.setattr("loaders.harvest.list_sync._MOST_REQUESTS", 80)
    holds = repository(60, verbs=ONE_BY_ONE, size=10)
    holds.poison = dict.fromkeys(holds.records, poisoned)
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert (report.ended, report.fault and report.fault.code) == (FAILED, "too-many-requests")
        assert "requests returned only 0 records" in str(report.fault)
        for _ in range(4):
            if report.ended is COMPLETE:
                break
            assert 0 < len(server.asked) < 90
            server.asked.clear()
            report = once(tmp_path, server.url, provider={"retries": 0})
        assert report.ended is COMPLETE
        assert {gap_of(gap) for gap in report.state.gaps} == set(range(60))
        holds.poison.clear()
        once(tmp_path, server.url, provider={"retries": 0})
    assert numbers(tmp_path) == everything(60)


@pytest.mark.parametrize("verb", LISTS)
def test_a_list_of_empty_pages_ends(tmp_path: Path, verb: str) -> None:
    tokens = count()
    holds = repository(12)
    holds.hook = lambda asked: list_page([], f"t{next(tokens)}", verb=verb) if asked.arguments["verb"] == verb else None
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"identifiers": verb == LISTS[1]}, reconcile=True)
        assert len(server.asked) < 5_000
    assert report.ended is not COMPLETE or report.state.gaps


def test_reconciliation_limits_failed_record_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loaders.harvest.session._MOST_FAILED", 5)
    holds = repository(30)
    late = everything(30) - everything(10)
    holds.hidden = late
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.hidden, holds.poison = set(), dict.fromkeys(late, poisoned)
        server.asked.clear()
        report = once(tmp_path, server.url, reconcile=True, provider={"retries": 0})
        assert (verbs(server, "GetRecord"), report.remark_counts["limit-reached"]) == (5, 1)
        holds.poison = {}
        once(tmp_path, server.url, reconcile=True)
    assert numbers(tmp_path) == everything(30)


# What a provider no longer lists


def test_removed_set_is_reported(tmp_path: Path) -> None:
    holds = repository(6)
    with OaiServer(holds) as server:
        for spec, loaded, gone in (("leis", 6, 0), ("leis", 0, 0), ("normas", 0, 1), ("normas", 0, 1)):
            for number in everything(6):
                holds.change(number, sets=(spec,))
            report = once(tmp_path, server.url, provider={"set": "leis", "overlap": 0})
            assert (report.ended, report.summary.loaded, report.remark_counts["set-gone"]) == (COMPLETE, loaded, gone)
    assert any("no longer lists the set 'leis'" in remark.message for remark in report.remarks)
    assert numbers(tmp_path) == everything(6)


def test_gap_of_a_deleted_record_is_closed(tmp_path: Path) -> None:
    holds = repository(5, poison={FIRST + 2: SPOILS["500"]})
    with OaiServer(holds) as server:
        assert len(once(tmp_path, server.url, provider={"retries": 0}).state.gaps) == 1
        holds.poison.clear()
        del holds.records[FIRST + 2]
        report = once(tmp_path, server.url)
    assert report.state.gaps == ()
    assert StateFile(next((tmp_path / "harvest").glob("*/state.json"))).stored() == report.state


# Sizes and windows


@pytest.mark.parametrize("ignored", [(), ("from", "until")])
def test_wrong_list_size_is_accepted_if_halves_have_no_more(tmp_path: Path, ignored: tuple[str, ...]) -> None:
    holds = repository(20, ignored=ignored)
    holds.edit = lambda _, page: re.sub(r'completeListSize="\d+"', 'completeListSize="60"', page)
    with OaiServer(holds) as server:
        assert once(tmp_path, server.url).state.gaps != ()
        server.asked.clear()
        report = once(tmp_path, server.url)
        assert len(server.asked) < 30
    assert all(gap.window.start == moment("2026-01-30T00:00:00Z") for gap in report.state.gaps)
    assert bool(report.state.gaps) == bool(ignored)  # also the latest window announces 60
    messages = [remark.message for remark in report.remarks]
    assert any("its halves have no more records; accepted as the complete list" in message for message in messages)
    assert numbers(tmp_path) == everything(20)


def test_unreadable_page_in_a_half_keeps_the_gap(tmp_path: Path) -> None:
    holds = repository(40, edit=truncated)
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.poison[FIRST + 3] = poisoned
        report = once(tmp_path, server.url)
        assert "list-incomplete" in {gap.code for gap in report.state.gaps} or numbers(tmp_path) == everything(40)
        holds.poison.clear()
        for _ in range(3):
            report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(40)
    assert report.state.gaps == ()


@pytest.mark.parametrize("overlap", [0, 2])
def test_repeated_harvest_of_an_empty_window_succeeds(tmp_path: Path, overlap: int) -> None:
    empty = Window(moment("2019-01-01T00:00:00Z"), moment("2019-01-31T23:59:59Z"))
    with OaiServer(repository(6)) as server:
        for window, read in ((empty, 0), (empty, 0), (None, 6), (None, None), (empty, 0)):
            report = once(tmp_path, server.url, window=window, provider={"overlap": overlap})
            assert (report.ended, report.state.gaps) == (COMPLETE, ())
            assert read is None or report.summary.read == read
    assert numbers(tmp_path) == everything(6)


@pytest.mark.parametrize(
    ("response_date", "watermark"), values("harvest_faults", "invalid_response_date_does_not_advance_the_watermark")
)
def test_invalid_response_date_does_not_advance_the_watermark(
    tmp_path: Path, response_date: str, watermark: str
) -> None:
    with OaiServer(repository(3, now=response_date)) as server:
        report = once(tmp_path, server.url)
    assert report.state.watermark is not None
    assert f"{report.state.watermark:%Y-%m-%dT%H:%M:%SZ}" == watermark
    assert any("responseDate" in remark.message for remark in report.remarks) == (watermark != response_date)


def test_watermark_in_the_future_is_ignored(tmp_path: Path) -> None:
    holds = repository(3)
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        (path,) = (tmp_path / "harvest").glob("*/state.json")
        state = StateFile(path).stored()
        assert state is not None
        StateFile(path).write(replace(state, watermark=moment("2936-02-01T00:00:00Z")))
        holds.put(StoredRecord(FIRST + 3, stamp="2026-02-20T00:00:00Z"))
        report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(4)
    assert "list-begun-anew" in report.remark_counts


# Which record is which


@pytest.mark.parametrize("stamps", [("2026-01-05", "2026-01-03"), ("2026-01-03", "2026-01-05")])
def test_newer_of_two_copies_of_a_record_is_kept(tmp_path: Path, stamps: tuple[str, str]) -> None:
    holds = Repository(size=1)
    holds.records = {
        n: StoredRecord(FIRST, stamp=f"{day}T00:00:00Z", text=f"De {day}.") for n, day in enumerate(stamps)
    }
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
    quads = "".join(exported(tmp_path))
    assert ("De 2026-01-05." in quads, "De 2026-01-03." in quads) == (True, False)


def test_differently_encoded_identifiers_have_separate_graphs(tmp_path: Path) -> None:
    holds = repository(3)
    written = {FIRST: "oai:x:a b", FIRST + 1: "oai:x:a%20b", FIRST + 2: "oai:x:a%2520b"}
    for number, text in written.items():
        holds.change(number, raw=holds.records[number].as_record().replace(identifier(number), text))
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert report.summary.loaded == 3
        assert any("'oai:x:a b'" in remark.message for remark in report.remarks)
        assert once(tmp_path, server.url).summary.loaded == 0
    assert literal(tmp_path, "http://purl.org/dc/terms/identifier") == sorted(written.values())


def test_text_around_a_page_is_not_kept(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with OaiServer(repository(5, edit=lambda _, page: f"{page}<br />\n<b>Notice</b>: Undefined\n")) as server:
        report = once(store, server.url)
    assert any("there is other text around the response" in remark.message for remark in report.remarks)
    again = quads_in(as_of_harvest(store, "2999-01-01", tmp_path / "kept.nq"))
    assert [quad for quad in again if "<oai:" in quad] == [quad for quad in quads_of(store) if "<oai:" in quad] != []


# Hosts and connections


def test_each_list_is_harvested_whatever_the_others_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check more hosts than are harvested at once; one has tokens that are too long, and one is unreachable."""
    monkeypatch.setattr("loaders.harvest.session._MOST_HOSTS", 2)
    with OaiServer(Repository()) as closed:
        unreachable = closed.url
    with ExitStack() as stack:
        servers = [stack.enter_context(OaiServer(repository(5))) for _ in range(4)]
        servers.append(stack.enter_context(OaiServer(repository(25, edit=long_tokens))))
        urls = [unreachable, *(server.url for server in servers)]
        away, *sound, broken = harvested(tmp_path, [quick_provider(url) for url in urls])
    assert (away.ended, away.fault is None) == (FAILED, False)
    assert {report.ended for report in sound} == {COMPLETE}
    assert broken.ended is COMPLETE  # halved windows need no token
    assert [gap for report in (*sound, broken) for gap in report.state.gaps] == []


def test_only_trusted_certificate_authorities_are_accepted(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with OaiServer(repository(5), context) as server:
        report = once(tmp_path / "a", server.url)
        assert (report.ended, report.fault and report.fault.code) == (FAILED, "tls")
        report = once(tmp_path / "b", server.url, provider={"ca_file": str(tmp_path / "authority.pem")})
    assert report.ended is COMPLETE
    assert numbers(tmp_path / "b") == everything(5)


# Kill -9 during a harvest
# Set ``KILLS=60`` for more kills.


ROOT = Path(__file__).resolve().parents[2]
COUNT, SIZE, BATCH = 150, 3, 12
KILLS = int(os.environ.get("KILLS", "4"))
#: The command, with small batches that the bulk loader writes while the next one is prepared. Because of the
#: ``__main__`` guard, its worker processes can import it.
COMMAND = f"""
import sys
import loaders.harvest.list_writer as list_writer
list_writer.BATCH_SIZE = {BATCH}
import graph.store.writable as writable
writable._BULK = 1
from service.cli import run
if __name__ == "__main__":
    run()
"""
#: Pages that may be ahead of the state: handed over, being read, being written, in the batch, in transit.
MAX_PREFETCHED_PAGES = 16 + 7 + 2 * (BATCH // SIZE) + 2
#: Ends the process before the description of a harvest is written to the graph for the first time.
KILL_BEFORE_DESCRIPTION = """
import os
def _write_run(*_, **__):
    os.kill(os.getpid(), 9)
list_writer.ListWriter._write_run = _write_run
"""
#: Ends the process as soon as a state without a running harvest is written.
KILL_AFTER_HARVEST_END = """
import os
import loaders.harvest.state as state
write = state.StateFile.write
def _write(file, now):
    write(file, now)
    if now.under_way is None:
        os.kill(os.getpid(), 9)
state.StateFile.write = _write
"""

Served = tuple[OaiServer, Repository]


def _start(store: Path, url: str, fate: str = "") -> subprocess.Popen[str]:
    program = COMMAND.replace("if __name__", fate + "if __name__")
    command = [sys.executable, "-c", program, "--store", str(store), "harvest", "--politeness", "0", url]
    return subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def _ended(store: Path, url: str, fate: str = "") -> None:
    """Run a harvest to its end, which is success or the fate."""
    process = _start(store, url, fate)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == (-9 if fate else 0), errors


def _lists(asked: list[ReceivedRequest]) -> int:
    return sum(request.arguments["verb"] == "ListRecords" for request in asked)


def _interrupted(store: Path, server: OaiServer, after: float, how: signal.Signals) -> tuple[int, str]:
    """Run a harvest, send a signal ``after`` seconds after its first list request; return exit code and stderr."""
    before = len(server.asked)
    process = _start(store, server.url)
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None and not _lists(server.asked[before:]):
        time.sleep(0.005)
    time.sleep(after)
    if process.poll() is None:
        os.kill(process.pid, how)
    _, errors = process.communicate(timeout=30)
    return process.returncode, errors


def _slowly(_: ReceivedRequest) -> ScriptedAnswer | None:
    time.sleep(0.01)
    return None


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    holds = repository(COUNT, size=SIZE, hook=_slowly)
    with OaiServer(holds) as server:
        yield server, holds


@pytest.fixture(scope="module")
def whole(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], None]:
    """Return a function that ends the harvest of a store, and compares it with an uninterrupted harvest."""
    folder = tmp_path_factory.mktemp("undisturbed")
    _ended(folder / "store", served[0].url)
    expected = quads_of(folder / "store")

    def check(store: Path) -> None:
        _ended(store, served[0].url)
        assert numbers(store) == everything(COUNT)
        assert quads_of(store) == expected
        assert quads_in(as_of_harvest(store, "2999-01-01", store.with_name("then.nq"))) == expected
        with stores.open(store) as opened_store:
            (run,) = named("harvest_runs").rows(opened_store)
            brought = "SELECT DISTINCT ?c { ?r <http://www.w3.org/ns/prov#wasGeneratedBy> ?c }"
            assert {str(row["c"]) for row in opened_store.select(brought)} == {str(run["colheita"])}
        assert run["fim"] is not None

    return check


@pytest.mark.slow
def test_repeatedly_killed_harvest_ends_like_an_undisturbed_one(
    tmp_path: Path, served: Served, whole: Callable[[Path], None]
) -> None:
    server, _ = served
    moments = random.Random(20081215)  # noqa: S311 - moments, not secrets
    first, kills = len(server.asked), 0
    for _ in range(KILLS):
        before = len(server.asked)
        code, errors = _interrupted(tmp_path / "store", server, moments.uniform(0.0, 0.5), signal.SIGKILL)
        assert code in {0, -9}, errors
        kills += code == -9
        assert _lists(server.asked[before:]) <= COUNT // SIZE + 1
    assert kills
    whole(tmp_path / "store")
    assert _lists(server.asked[first:]) <= COUNT // SIZE + 12 + kills * MAX_PREFETCHED_PAGES


def test_harvest_killed_during_its_description_is_described_later(
    tmp_path: Path, served: Served, whole: Callable[[Path], None]
) -> None:
    for fate in (KILL_BEFORE_DESCRIPTION, KILL_AFTER_HARVEST_END):
        _ended(tmp_path / "store", served[0].url, fate)
    whole(tmp_path / "store")


@pytest.mark.slow
def test_harvest_survives_kills_and_expired_tokens(
    tmp_path: Path, served: Served, whole: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, holds = served
    fresh = True

    def forgetful(asked: ReceivedRequest) -> ScriptedAnswer | None:
        nonlocal fresh
        if asked.arguments["verb"] == "Identify":
            fresh = True
        elif asked.arguments["verb"] == "ListRecords":
            expired, fresh = fresh and "resumptionToken" in asked.arguments, False
            if expired:
                return error_page("badArgument", "the token is not known")
        return _slowly(asked)

    monkeypatch.setattr(holds, "hook", forgetful)
    assert _interrupted(tmp_path / "store", server, 0.4, signal.SIGKILL)[0] == -9
    whole(tmp_path / "store")


@pytest.mark.slow
def test_sigint_keeps_finished_pages_and_the_next_harvest_resumes(
    tmp_path: Path, served: Served, whole: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, holds = served
    monkeypatch.setattr(holds, "hook", lambda _: time.sleep(0.04))
    store = tmp_path / "store"
    half = set[int]()
    for after in (0.0, 0.2, 0.4, 0.8, 1.2):  # later on a busy machine
        code, errors = _interrupted(store, server, after, signal.SIGINT)
        assert (code, "Traceback" in errors) == (130, False)
        assert errors.endswith("vigente: stopped; finished work is kept\n")
        if after and (half := numbers(store)):
            break
    assert 0 < len(half) < COUNT
    assert quads_in(as_of_harvest(store, "2999-01-01", tmp_path / "half.nq")) == quads_of(store)
    before = len(server.asked)
    monkeypatch.undo()
    whole(store)
    assert _lists(server.asked[before:]) <= (COUNT - len(half)) // SIZE + MAX_PREFETCHED_PAGES
