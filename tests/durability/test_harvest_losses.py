"""Tests of providers without visible faults whose behaviour could lose records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from loaders.harvest.report import ListResult
from loaders.harvest.state import StateFile, moment
from tests.support.harvesting import FIRST, everything, exported, numbers, once, repository
from tests.support.oai_repository import Repository, StoredRecord
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer, error_page


def test_equal_identifiers_of_two_providers_are_distinct_records(tmp_path: Path) -> None:
    unchanged, other = repository(3), repository(3)
    other.change(FIRST, text="Do outro provedor.", stamp="2025-01-01T00:00:00Z")
    with OaiServer(unchanged) as first, OaiServer(other) as second:
        once(tmp_path, first.url)
        report = once(tmp_path, second.url)
        assert report.summary.loaded == 3
        quads = exported(tmp_path)
        assert sum("Norma fictícia." in quad for quad in quads) == 5
        assert sum("Do outro provedor." in quad for quad in quads) == 1
        other.change(FIRST + 1, deleted=True, stamp="2026-01-31T12:00:00Z")
        once(tmp_path, second.url)
        assert sum("Norma fictícia." in quad for quad in exported(tmp_path)) == 4
        assert numbers(tmp_path) == everything(3)
        assert once(tmp_path, first.url).summary.loaded == 0
        assert once(tmp_path, second.url).summary.loaded == 0


@pytest.mark.parametrize("stamps", [("2026-01-05", "2026-01-03"), ("2026-01-03", "2026-01-05")])
def test_newer_of_two_copies_of_a_record_is_kept(tmp_path: Path, stamps: tuple[str, str]) -> None:
    holds = repository(2, size=1)
    holds.records = {
        n: StoredRecord(FIRST, stamp=f"{stamp}T00:00:00Z", text=f"De {stamp}.") for n, stamp in enumerate(stamps, 1)
    }
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
    quads = exported(tmp_path)
    assert any("De 2026-01-05." in quad for quad in quads)
    assert not any("De 2026-01-03." in quad for quad in quads)


def test_initially_empty_provider_is_harvested_completely_later(tmp_path: Path) -> None:
    holds = repository(12)
    holds.hook = lambda asked: error_page("noRecordsMatch") if asked.arguments["verb"] == "ListRecords" else None
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert (report.ended, report.state.watermark) == (ListResult.COMPLETE, None)
        holds.hook = lambda _: None
        once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(12)


def test_short_list_is_requested_again_and_then_accepted(tmp_path: Path) -> None:
    holds = repository(12, size=50)
    holds.hidden.update(range(FIRST + 5, FIRST + 12))

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        if asked.arguments["verb"] != "ListRecords":
            return None
        holds.hook = lambda _: None
        page = holds(asked)
        holds.hook = hook
        assert isinstance(page, str)
        return page.replace('completeListSize="5"', 'completeListSize="12"')

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        (gap,) = report.state.gaps
        assert gap.code == "list-incomplete"
        holds.hidden.clear()
        report = once(tmp_path, server.url)
        assert numbers(tmp_path) == everything(12)
        assert report.state.gaps == ()


def test_permanently_wrong_list_size_is_accepted_the_second_time(tmp_path: Path) -> None:
    holds = repository(5, size=50)

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        holds.hook = lambda _: None
        page = holds(asked)
        holds.hook = hook
        return page.replace('completeListSize="5"', 'completeListSize="12"') if isinstance(page, str) else page

    holds.hook = hook
    with OaiServer(holds) as server:
        assert len(once(tmp_path, server.url).state.gaps) == 1
        assert once(tmp_path, server.url).state.gaps == ()


@pytest.mark.parametrize(
    ("response_date", "watermark"),
    [
        ("2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z"),
        ("2026-02-01T00:00:00-03:00", "2026-01-31T00:00:00Z"),
        ("2026-02-01", "2026-01-31T00:00:00Z"),
    ],
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


def test_endless_list_of_repeated_pages_is_detected(tmp_path: Path) -> None:
    holds = repository(3)
    count = 0

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        nonlocal count
        if asked.arguments["verb"] != "ListRecords" or asked.arguments.get("until"):
            return None
        count += 1
        holds.hook = lambda _: None
        page = holds(ReceivedRequest("/oai?verb=ListRecords&metadataPrefix=oai_lexml", {}, 0, 0.0))
        holds.hook = hook
        assert isinstance(page, str)
        return page.replace("></resumptionToken>", f">{count}</resumptionToken>")

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert len(server.asked) < 5000
    assert numbers(tmp_path) == everything(3)
    assert "window-halved" in report.remark_counts


def test_suddenly_empty_list_withdraws_nothing(tmp_path: Path) -> None:
    holds = repository(8, deletions="no")
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.hidden.update(everything(8))
        report = once(tmp_path, server.url, reconcile=True)
        assert "not-reconciled" in report.remark_counts
        assert numbers(tmp_path) == everything(8)
        once(tmp_path, server.url, reconcile=True, accept_withdrawals=True)
    assert numbers(tmp_path) == set()


def test_gap_of_a_deleted_record_is_closed(tmp_path: Path) -> None:
    holds = repository(5)
    holds.poison[FIRST + 2] = lambda _: Reply("out of order", 500)
    with OaiServer(holds) as server:
        assert len(once(tmp_path, server.url, provider={"retries": 0}).state.gaps) == 1
        holds.poison.clear()
        del holds.records[FIRST + 2]
        report = once(tmp_path, server.url)
    assert report.state.gaps == ()
    assert StateFile(next((tmp_path / "harvest").glob("*/state.json"))).stored() == report.state


def test_entry_without_identifier_is_reported(tmp_path: Path) -> None:
    holds: Repository = repository(3, verbs=("ListIdentifiers", "GetRecord"))

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        if asked.arguments["verb"] != "ListIdentifiers":
            return None
        holds.hook = lambda _: None
        page = holds(asked)
        holds.hook = hook
        assert isinstance(page, str)
        return page.replace("<ListIdentifiers>", "<ListIdentifiers><header><datestamp>2025-01-01</datestamp></header>")

    holds.hook = hook
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
    assert "gap" in report.remark_counts
    assert numbers(tmp_path) == everything(3)
