"""Tests of lists that change during a harvest, with tokens that count positions: skipped records are reported."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from loaders.harvest.report import ListResult, Report
from tests.support.harvesting import FIRST, everything, numbers, once, repository
from tests.support.oai_repository import Repository
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer


def between_pages(holds: Repository, position: int, change: Callable[[], object]) -> None:
    """Change the list once, before its page at that position is answered."""

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        if asked.arguments.get("resumptionToken", "").startswith(f"{position}|"):
            holds.hook = lambda _: None
            change()
        return None

    holds.hook = hook


def reordered(holds: Repository, *numbers: int) -> None:
    """Move the records of those numbers to the end of the list, as in a list sorted by change."""
    for number in numbers:
        holds.records[number] = holds.records.pop(number)


def without_sizes(holds: Repository) -> Callable[[ReceivedRequest], ScriptedAnswer]:
    """Return the same provider without ``completeListSize``."""

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        return page.replace("completeListSize", "tamanho") if isinstance(page, str) else page

    return answer


def gaps(report: Report) -> list[tuple[str, int | None]]:
    return [(gap.code, gap.lacking) for gap in report.state.gaps]


@pytest.mark.parametrize("announces_sizes", [True, False])
def test_record_skipped_by_a_shifting_list_is_found(tmp_path: Path, announces_sizes: bool) -> None:
    holds = repository(40)
    skipped = FIRST + 20
    between_pages(holds, 20, lambda: reordered(holds, FIRST + 3))
    with OaiServer(holds if announces_sizes else without_sizes(holds)) as server:
        report = once(tmp_path, server.url)
        assert numbers(tmp_path) == everything(40) - {skipped}
        assert gaps(report) == [("list-incomplete", 1)]
        (message,) = [remark.message for remark in report.remarks if remark.code == "gap"]
        had = "the provider announced 40 records, and the list had 39" if announces_sizes else "it had 39 records"
        assert f"is incomplete: {had}, 1 were repeated on a later page: others may have been skipped" in message
        report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(40)
    assert gaps(report) == []


def test_shrunk_list_is_reported_as_short(tmp_path: Path) -> None:
    holds = repository(40, deletions="no")
    between_pages(holds, 20, lambda: holds.records.pop(FIRST + 3))
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert numbers(tmp_path) == everything(40) - {FIRST + 20}
        assert gaps(report) == [("list-incomplete", 1)]
        report = once(tmp_path, server.url)
    assert numbers(tmp_path) == everything(40)
    assert gaps(report) == []


def test_list_shrunk_between_two_runs_is_reported_as_short(tmp_path: Path) -> None:
    holds = repository(40, deletions="no")
    away: list[ReceivedRequest] = []

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        if away or asked.arguments.get("resumptionToken", "").startswith("20|"):
            away.append(asked)
            return Reply("gone", 404)
        return None

    holds.hook = hook
    with OaiServer(holds) as server:
        assert once(tmp_path, server.url).ended is ListResult.PARTIAL
        holds.hook = lambda _: None
        del holds.records[FIRST + 3]
        assert gaps(once(tmp_path, server.url)) == [("list-incomplete", 1)]
        assert gaps(once(tmp_path, server.url)) == []
    assert numbers(tmp_path) == everything(40)


def test_moving_list_is_requested_until_no_progress(tmp_path: Path) -> None:
    holds = repository(40)
    with OaiServer(holds) as server:
        for several, expected_gaps in ((3, [("list-incomplete", 3)]), (2, [("list-incomplete", 2)]), (2, [])):
            first = list(holds.records)[:several]
            between_pages(holds, 20, partial(reordered, holds, *first))
            report = once(tmp_path, server.url)
            assert gaps(report) == expected_gaps
    assert report.remark_counts["window-halved"] == 1
    assert numbers(tmp_path) == everything(40)


@pytest.mark.parametrize("announces_sizes", [True, False])
def test_duplicate_record_on_one_page_is_not_a_moving_list(tmp_path: Path, announces_sizes: bool) -> None:
    holds = repository(12)
    holds.change(FIRST + 3, raw=holds.records[FIRST + 3].as_record() * 2)
    with OaiServer(holds if announces_sizes else without_sizes(holds)) as server:
        report = once(tmp_path, server.url)
    assert gaps(report) == []
    assert numbers(tmp_path) == everything(12)
