"""Tests of providers that ignore ``from`` or ``until`` and have an unreadable page: windows cannot be halved."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from loaders.harvest.report import ListResult, Report
from loaders.harvest.state import Window, moment
from tests.support.harvesting import FIRST, everything, literal, numbers, once, repository
from tests.support.oai_repository import Repository, StoredRecord, poisoned
from tests.support.oai_server import OaiServer, ReceivedRequest, ScriptedAnswer, identifier, reset

BAD = FIRST + 33
IGNORED = [("from", "until"), ("from",), ("until",)]
EMENTA = "https://w3id.org/vigente/ns#ementa"


def damaged(count: int, ignored: tuple[str, ...], **fields: Any) -> Repository:
    holds = repository(count, ignored=ignored, **fields)
    holds.poison[BAD] = poisoned
    return holds


def verbs(server: OaiServer) -> Counter[str]:
    return Counter(asked.arguments["verb"] for asked in server.asked)


def gaps(report: Report) -> list[str | None]:
    return [gap.identifier for gap in report.state.gaps]


@pytest.mark.parametrize("ignored", IGNORED, ids=" and ".join)
@pytest.mark.parametrize("granularity", ["YYYY-MM-DD", "YYYY-MM-DDThh:mm:ssZ"])
def test_harvest_of_an_unselective_provider_is_complete_except_the_gap(
    tmp_path: Path, ignored: tuple[str, ...], granularity: str
) -> None:
    holds = damaged(60, ignored, granularity=granularity)
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert numbers(tmp_path) == everything(60) - {BAD}
        assert report.ended is ListResult.COMPLETE
        assert gaps(report) == [identifier(BAD)]
        assert report.remark_counts["one-by-one"] == 1
        assert report.state.watermark == moment("2026-02-01T00:00:00Z")
        assert verbs(server)["GetRecord"] <= 60
        assert len(server.asked) < 200


@pytest.mark.parametrize("ignored", IGNORED, ids=" and ".join)
def test_later_harvests_fetch_little_besides_new_records(tmp_path: Path, ignored: tuple[str, ...]) -> None:
    holds = damaged(60, ignored)
    with OaiServer(holds) as server:
        once(tmp_path, server.url, provider={"retries": 0})
        holds.now = "2026-03-01T00:00:00Z"
        holds.change(FIRST + 50, stamp="2026-02-10T00:00:00Z", text="Mudou.")
        holds.put(StoredRecord(FIRST + 60, stamp="2026-02-11T00:00:00Z"))
        holds.change(FIRST + 51, stamp="2026-02-12T00:00:00Z", deleted=True)
        holds.change(BAD, stamp="2026-02-13T00:00:00Z")
        server.asked.clear()
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert numbers(tmp_path) == everything(61) - {BAD, FIRST + 51}
        assert "Mudou." in literal(tmp_path, EMENTA)
        assert gaps(report) == [identifier(BAD)]
        assert verbs(server)["GetRecord"] <= 3
        holds.poison.clear()
        report = once(tmp_path, server.url, provider={"retries": 0})
    assert numbers(tmp_path) == everything(61) - {FIRST + 51}
    assert report.state.gaps == ()


def test_interrupted_harvest_resumes_without_repeating_requests(tmp_path: Path) -> None:
    holds = damaged(60, ("from", "until"))
    with OaiServer(holds) as server:
        holds.hook = lambda _: reset if verbs(server)["GetRecord"] > 15 else None
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert report.ended is ListResult.PARTIAL
        came = numbers(tmp_path)
        assert len(came) > 40
        holds.hook = lambda _: None
        server.asked.clear()
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert numbers(tmp_path) == everything(60) - {BAD}
        assert report.ended is ListResult.COMPLETE
        assert gaps(report) == [identifier(BAD)]
        assert verbs(server)["GetRecord"] <= 60 - len(came)


def test_only_the_requested_window_is_fetched(tmp_path: Path) -> None:
    holds = damaged(60, ("from", "until"), size=100)
    march = Window(moment("2025-03-01T00:00:00Z"), moment("2025-03-31T23:59:59Z"))
    with OaiServer(holds) as server:
        once(tmp_path, server.url, provider={"retries": 0}, window=march)
    assert numbers(tmp_path) == {n for n, kept in holds.records.items() if "2025-03" in kept.stamp} - {BAD}


def test_incomplete_identifier_list_is_one_gap(tmp_path: Path) -> None:
    holds = repository(60, ignored=("from", "until"), poisoned_verbs=("ListRecords", "ListIdentifiers"))
    holds.poison[BAD] = lambda page: page.replace("<datestamp>", "<datestamp>\x01")
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert report.ended is ListResult.COMPLETE
        assert gaps(report) == [None]
        holds.poison.clear()
        report = once(tmp_path, server.url, provider={"retries": 0})
    assert numbers(tmp_path) == everything(60)
    assert report.state.gaps == ()


def test_selective_provider_is_not_mistaken_for_an_unselective_one(tmp_path: Path) -> None:
    """Check datestamps that differ from those used for selection, so that each record looks outside the window."""
    holds = damaged(60, ())

    def dated_otherwise(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        return page.replace("<datestamp>2025", "<datestamp>2019") if isinstance(page, str) else page

    with OaiServer(dated_otherwise) as server:
        report = once(tmp_path, server.url, provider={"retries": 0})
    assert numbers(tmp_path) == everything(60) - {BAD}
    assert report.remark_counts["one-by-one"] == 0
