"""Tests of faulty providers: valid records are loaded, invalid ones are reported, and nothing is lost silently."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.harvest.report import ListResult, Report
from tests.support.harvesting import FIRST, everything, exported, harvested, numbers, once, quick_provider, repository
from tests.support.oai_repository import Repository, Spoil, StoredRecord, poisoned
from tests.support.oai_server import (
    OaiServer,
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    cut_chunk,
    cut_short,
    error_page,
    identify_page,
    list_page,
    reset,
)

MAINTENANCE = "<!DOCTYPE html><html><body>Em manutenção</body></html>"


def _remark_codes(report: Report) -> set[str]:
    return set(report.remark_counts)


def _quarantined_codes(folder: Path) -> list[str]:
    return [entry.code for entry in Quarantine(folder / QUARANTINE).list()]


INVALID_PAGES: dict[str, Spoil] = {
    "a control character": poisoned,
    "ill-formed": lambda page: page.replace("</Ementa>", "", 1),
    "truncated but of the length that was said": lambda page: page[: len(page) * 2 // 3],
    "cut off": cut_short,
    "cut within a chunk": cut_chunk,
    "wrong encoding": lambda page: Reply(page.encode("latin-1", "replace").replace(b"fict", b"fict\xed")),
    "declared in another encoding": lambda page: page.replace("encoding='UTF-8'", "encoding='UTF-16'"),
    "a doctype": lambda page: page.replace("<OAI-PMH", "<!DOCTYPE x><OAI-PMH", 1),
    "500": lambda _: Reply("out of order", 500),
    "an HTML page with status 200": lambda _: MAINTENANCE,
    "an empty body": lambda _: "",
    "neither list nor error": lambda page: (
        page[: page.index("<List") if "<List" in page else page.index("<Get")] + "</OAI-PMH>"
    ),
    "another root": lambda page: page.replace("OAI-PMH", "RSS"),
    "reset": lambda _: reset,
}


@pytest.mark.parametrize("spoil", INVALID_PAGES.values(), ids=INVALID_PAGES)
@pytest.mark.parametrize("granularity", ["YYYY-MM-DD", "YYYY-MM-DDThh:mm:ssZ"])
def test_invalid_page_costs_only_the_invalid_record(tmp_path: Path, spoil: Spoil, granularity: str) -> None:
    holds = repository(60, granularity=granularity)
    bad = FIRST + 33
    holds.poison[bad] = spoil
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert numbers(tmp_path) == everything(60) - {bad}
        assert report.ended is ListResult.COMPLETE
        assert {"window-halved", "gap"} <= _remark_codes(report)
        (gap,) = report.state.gaps
        assert gap.identifier is not None
        assert gap.identifier.endswith(str(bad))
        holds.poison.clear()
        holds.now = "2026-02-03T00:00:00Z"
        report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(60)
    assert report.state.gaps == ()


def test_invalid_page_is_quarantined_until_it_loads(tmp_path: Path) -> None:
    holds = repository(20)
    holds.poison[FIRST + 3] = poisoned
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert _quarantined_codes(tmp_path) == ["bad-encoding"] or _quarantined_codes(tmp_path) == ["ill-formed"]
        assert report.summary.refused.total() == 1
        holds.poison.clear()
        once(tmp_path, server.url)
    assert _quarantined_codes(tmp_path) == []


def test_unreadable_window_is_a_gap_until_it_loads(tmp_path: Path) -> None:
    holds = repository(20, verbs=("ListRecords",))
    holds.poison[FIRST + 3] = poisoned
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        (gap,) = report.state.gaps
        assert gap.identifier is None
        assert numbers(tmp_path) == everything(20) - {FIRST + 3}
        holds.poison.clear()
        report = once(tmp_path, server.url)
    assert report.state.gaps == ()
    assert numbers(tmp_path) == everything(20)


def test_many_invalid_pages_cost_only_their_records(tmp_path: Path) -> None:
    holds = repository(120)
    bad = {FIRST + n for n in (0, 1, 17, 50, 51, 118, 119)}
    holds.poison.update(dict.fromkeys(bad, poisoned))
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
    assert numbers(tmp_path) == everything(120) - bad
    assert len(report.state.gaps) == len(bad)
    assert report.ended is ListResult.COMPLETE


def test_requests_to_a_fully_broken_provider_are_limited(tmp_path: Path) -> None:
    holds = repository(20, verbs=("ListRecords", "ListIdentifiers"))
    holds.poison.update(dict.fromkeys(everything(20), lambda _: Reply("out of order", 500)))
    holds.poisoned_verbs = ("ListRecords", "ListIdentifiers")
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert len(server.asked) < 3000
    assert numbers(tmp_path) == set()
    assert report.ended is not ListResult.COMPLETE or len(report.state.gaps) == 20


@pytest.mark.parametrize(
    "away", [MAINTENANCE, "", Reply("away", 503, {"Retry-After": "100000"}), Reply("", 500), reset]
)
def test_harvest_resumes_after_an_outage(tmp_path: Path, away: ScriptedAnswer) -> None:
    holds = repository(60)
    gone = False

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        nonlocal gone
        gone = gone or asked.arguments.get("resumptionToken", "").startswith("30|")
        return away if gone else None

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert report.ended is ListResult.PARTIAL
        assert report.fault is not None
        assert numbers(tmp_path) == everything(30)
        holds.hook = lambda _: None
        before = len(server.asked)
        report = once(tmp_path, server.url)
        again = [request.arguments.get("resumptionToken", "") for request in server.asked[before:]]
    assert report.ended is ListResult.COMPLETE
    assert report.resumed
    assert numbers(tmp_path) == everything(60)
    assert [token.partition("|")[0] for token in again if token] == ["30", "40", "50"]


def test_expired_token_restarts_the_list(tmp_path: Path) -> None:
    holds = repository(60)
    expired: list[str] = []

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        token = asked.arguments.get("resumptionToken", "")
        if token.startswith("30|") and not expired:
            expired.append(token)
            return error_page("badResumptionToken")
        return None

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
    assert report.ended is ListResult.COMPLETE
    assert "list-begun-anew" in _remark_codes(report)
    assert numbers(tmp_path) == everything(60)


def test_always_expiring_tokens_end_the_harvest(tmp_path: Path) -> None:
    holds = repository(60)
    holds.hook = lambda asked: (
        error_page("badResumptionToken") if asked.arguments.get("resumptionToken", "").startswith("30|") else None
    )
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
    assert report.ended is ListResult.PARTIAL
    assert report.fault is not None
    assert numbers(tmp_path) == everything(30)


@pytest.mark.parametrize("back", ["0", "20"])
def test_repeated_token_does_not_cause_a_loop(tmp_path: Path, back: str) -> None:
    """Check a third page whose token leads back: the windows are halved until each list ends."""
    holds = repository(60)

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        token = asked.arguments.get("resumptionToken", "")
        if token.startswith("20|"):
            holds.hook = lambda _: None
            page = holds(asked)
            holds.hook = hook
            assert isinstance(page, str)
            return page.replace(">30|", f">{back}|")
        return None

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
    assert report.ended is ListResult.COMPLETE
    assert numbers(tmp_path) == everything(60)
    assert "window-halved" in _remark_codes(report)


def test_records_are_fetched_singly_without_list_records(tmp_path: Path) -> None:
    holds = repository(25, verbs=("ListIdentifiers", "GetRecord"))
    holds.put(StoredRecord(FIRST + 25, deleted=True))
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert numbers(tmp_path) == everything(25)
        assert "one-by-one" in _remark_codes(report)
        assert report.summary.deleted == 1
        holds.change(FIRST + 3, deleted=True, stamp="2026-01-31T12:00:00Z")
        once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(25) - {FIRST + 3}


def test_wrongly_declared_granularity_is_worked_around(tmp_path: Path) -> None:
    holds = repository(25, granularity="YYYY-MM-DD")
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.hook = lambda asked: (
            None
            if asked.arguments["verb"] != "Identify"
            else _identify_page(holds, asked).replace("<granularity>YYYY-MM-DD<", "<granularity>YYYY-MM-DDThh:mm:ssZ<")
        )
        holds.put(StoredRecord(FIRST + 25, stamp="2026-02-20T00:00:00Z"))
        report = once(tmp_path, server.url)
    assert "granularity" in _remark_codes(report)
    assert numbers(tmp_path) == everything(26)


def _identify_page(holds: Repository, asked: ReceivedRequest) -> str:
    hook, holds.hook = holds.hook, lambda _: None
    page = holds(asked)
    holds.hook = hook
    assert isinstance(page, str)
    return page


def test_records_with_invalid_datestamps_are_received(tmp_path: Path) -> None:
    holds = repository(30)
    holds.change(FIRST + 5, stamp="2008-07-08-10:20:20:002221")
    holds.change(FIRST + 6, stamp="amanhã")
    holds.change(FIRST + 7, stamp="1000-01-01T00:00:00Z")
    holds.poison[FIRST + 20] = poisoned
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(30) - {FIRST + 20}
    assert report.summary.note_counts["bad-datestamp"] >= 1


def test_incomplete_list_is_reported(tmp_path: Path) -> None:
    holds = repository(40)

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        holds.hook = lambda _: None
        page = holds(asked)
        holds.hook = hook
        assert isinstance(page, str)
        return page.replace('completeListSize="40"', 'completeListSize="41"')

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(40)
    assert "list-incomplete" in _remark_codes(report)


def test_invalid_record_is_refused_alone(tmp_path: Path) -> None:
    holds = repository(20)
    holds.change(
        FIRST + 4, raw="<record><header><identifier>oai:exemplo.gov.br:norma/99905</identifier></header></record>"
    )
    holds.change(FIRST + 5, raw="<record/>")
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(20) - {FIRST + 4, FIRST + 5}
    assert report.summary.refused.total() == 2
    assert report.ended is ListResult.COMPLETE


def test_empty_provider_completes(tmp_path: Path) -> None:
    with OaiServer(Repository()) as server:
        report = once(tmp_path, server.url)
    assert (report.ended, report.summary.read) == (ListResult.COMPLETE, 0)
    assert not [quad for quad in exported(tmp_path) if "exemplo.gov.br" in quad]


def test_unreachable_provider_fails(tmp_path: Path) -> None:
    with OaiServer(Repository()) as server:
        url = server.url
    report = once(tmp_path, url)
    assert report.ended is ListResult.FAILED
    assert report.fault is not None


def test_unlistable_window_does_not_block_others(tmp_path: Path) -> None:
    holds = repository(20)
    holds.poison[FIRST + 3] = lambda _: Reply("out of order", 500)
    holds.poisoned_verbs = ("ListRecords", "ListIdentifiers")
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
    assert (report.ended, len(report.state.gaps)) == (ListResult.COMPLETE, 1)
    assert report.state.gaps[0].identifier is None
    assert numbers(tmp_path) == everything(20) - {FIRST + 3}


def test_years_before_1000_have_four_digits_in_requests(tmp_path: Path) -> None:
    holds = repository(20, earliest="0001-01-01T00:00:00Z")
    for number in range(20):
        holds.change(FIRST + number, stamp=f"0{number + 100}-01-01T00:00:00Z")
    holds.poison[FIRST + 3] = poisoned
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
    assert (report.ended, len(report.state.gaps)) == (ListResult.COMPLETE, 1)
    assert numbers(tmp_path) == everything(20) - {FIRST + 3}


def test_non_breaking_space_is_a_valid_token(tmp_path: Path) -> None:
    def script(asked: ReceivedRequest) -> ScriptedAnswer:
        if asked.arguments["verb"] == "Identify":
            return identify_page("http://exemplo.gov.br/oai")
        return list_page([FIRST + 1]) if "resumptionToken" in asked.arguments else list_page([FIRST], "\u00a0")

    with OaiServer(script) as server:
        report = once(tmp_path, server.url)
        assert server.asked[-1].arguments["resumptionToken"] == "\u00a0"
    assert report.ended is ListResult.COMPLETE
    assert numbers(tmp_path) == everything(2)


def test_hosts_beyond_the_parallel_limit_are_harvested_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loaders.harvest.session._MOST_HOSTS", 2)
    with ExitStack() as stack:
        servers = [stack.enter_context(OaiServer(repository(5))) for _ in range(5)]
        reports = harvested(tmp_path, [quick_provider(server.url) for server in servers])
    assert {report.ended for report in reports} == {ListResult.COMPLETE}
    assert all(server.asked for server in servers)
