"""Tests of deletions: announced, or found by comparing whole lists; records that still exist are never withdrawn."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graph import store as stores
from loaders.harvest.providers import Provider
from loaders.harvest.report import ListResult, Report
from loaders.harvest.session import is_due
from loaders.harvest.state import State
from queries.english import message
from queries.in_force import in_force
from tests.support.harvesting import FIRST, everything, exported, harvested, numbers, once, quick_provider, repository
from tests.support.oai_repository import Repository, StoredRecord, poisoned
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def reconciled(folder: Path, url: str, when: datetime = DAY, *, set: str | None = None, **options: Any) -> Report:  # noqa: A002
    (report,) = harvested(folder, [quick_provider(url, set=set)], now=when, reconcile=True, **options)
    return report


def messages_of(folder: Path, number: int) -> list[str]:
    """Return the messages of answers about a norm whose record is deleted."""
    with stores.open(folder) as store:
        notices = in_force(store, f"urn:lex:br:federal:lei:2001-02-03;{number}").notices
    return [message(notice) for notice in notices if notice.code == "record-withdrawn"]


def silent(count: int, **fields: Any) -> Repository:
    """Return a provider that never announces deletions."""
    return repository(count, deletions="no", **fields)


def test_announced_deletion_is_reported_with_its_day(tmp_path: Path) -> None:
    holds = repository(12)
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.change(FIRST + 4, deleted=True, stamp="2026-01-31T12:00:00Z")
        report = once(tmp_path, server.url)
        assert report.summary.deleted == 1
        assert report.withdrawn == 0
    assert numbers(tmp_path) == everything(12) - {FIRST + 4}
    (message,) = messages_of(tmp_path, FIRST + 4)
    assert message.endswith("was withdrawn by its provider on 2026-01-31")
    assert messages_of(tmp_path, FIRST + 5) == []


def test_missing_record_is_withdrawn_on_the_day_it_is_noticed(tmp_path: Path) -> None:
    holds = silent(30)
    with OaiServer(holds) as server:
        assert "never-reconciled" in once(tmp_path, server.url).remark_counts
        holds.hidden.add(FIRST + 7)
        report = once(tmp_path, server.url)
        assert numbers(tmp_path) == everything(30)
        report = reconciled(tmp_path, server.url)
        assert (report.ended, report.withdrawn) == (ListResult.COMPLETE, 1)
        assert numbers(tmp_path) == everything(30) - {FIRST + 7}
        (message,) = messages_of(tmp_path, FIRST + 7)
        assert message.endswith("is no longer listed by its provider: first noticed on 2026-03-01")
        before = exported(tmp_path)
        assert reconciled(tmp_path, server.url, DAY + timedelta(days=1)).withdrawn == 0
        assert exported(tmp_path) == before
        holds.hidden.clear()
        reconciled(tmp_path, server.url)
    assert numbers(tmp_path) == everything(30)
    assert messages_of(tmp_path, FIRST + 7) == []


def test_record_missing_from_only_one_of_two_lists_stays(tmp_path: Path) -> None:
    holds = silent(30)
    begun = 0

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        nonlocal begun
        if asked.arguments["verb"] == "ListIdentifiers" and "resumptionToken" not in asked.arguments:
            begun += 1
            holds.hidden = {FIRST + 7} if begun == 1 else {FIRST + 9}
        return None

    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.hook = hook
        report = reconciled(tmp_path, server.url)
    assert begun == 2
    assert report.withdrawn == 0
    assert numbers(tmp_path) == everything(30)


@pytest.mark.parametrize(
    ("count", "gone", "believed"), [(30, 10, True), (30, 11, False), (130, 13, True), (130, 14, False)]
)
def test_many_missing_records_are_withdrawn_only_when_accepted(
    tmp_path: Path, count: int, gone: int, believed: bool
) -> None:
    holds = silent(count, size=50)
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.hidden = everything(gone)
        report = reconciled(tmp_path, server.url)
        assert ("not-reconciled" not in report.remark_counts) is believed
        assert (report.state.reconciled is not None) is believed
        assert len(numbers(tmp_path)) == count - gone * believed
        reconciled(tmp_path, server.url, accept_withdrawals=True)
    assert numbers(tmp_path) == everything(count) - everything(gone)


def test_listed_but_missing_record_is_fetched(tmp_path: Path) -> None:
    holds = silent(15)
    holds.hidden = {FIRST + 3}
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.hidden.clear()
        once(tmp_path, server.url)
        assert numbers(tmp_path) == everything(15) - {FIRST + 3}
        reconciled(tmp_path, server.url)
    assert numbers(tmp_path) == everything(15)


@pytest.mark.parametrize("fault", [lambda _: Reply("", 500), poisoned, lambda _: Reply("", 403)])
def test_unfetchable_record_does_not_stop_reconciliation(tmp_path: Path, fault: Any) -> None:
    holds = silent(15)
    holds.hidden = {FIRST + 3}
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.hidden = {FIRST + 8}
        holds.poison[FIRST + 3] = fault
        report = reconciled(tmp_path, server.url)
    forbidden = report.fault is not None
    assert forbidden == (fault(" ") == Reply("", 403))
    assert report.withdrawn == (0 if forbidden else 1)
    assert forbidden or "gap" in report.remark_counts


def test_fault_in_either_list_withdraws_nothing(tmp_path: Path) -> None:
    for fails in (1, 2):
        folder = tmp_path / str(fails)
        holds = silent(30)
        begun = 0

        def hook(asked: ReceivedRequest, fails: int = fails) -> ScriptedAnswer | None:
            nonlocal begun
            if asked.arguments["verb"] != "ListIdentifiers":
                return None
            token = asked.arguments.get("resumptionToken", "")
            begun += not token
            return Reply("out of order", 500) if begun == fails and token.startswith("20|") else None

        with OaiServer(holds) as server:
            once(folder, server.url)
            holds.hidden = {FIRST + 2}
            holds.hook = hook
            report = reconciled(folder, server.url)
        assert report.ended is ListResult.PARTIAL or report.ended is ListResult.FAILED
        assert report.state.reconciled is None
        assert numbers(folder) == everything(30)


@pytest.mark.parametrize(("days", "due"), [(29, False), (30, True), (31, True)])
def test_reconciliation_is_due_on_its_day(days: int, due: bool) -> None:
    provider = Provider("https://provider.invalid/oai", reconcile_days=30)
    state = State(provider.url, None, "oai_lexml", watermark=DAY, reconciled=DAY.date())
    assert is_due(provider, state, DAY + timedelta(days=days)) is due
    assert not is_due(Provider(provider.url), state, DAY + timedelta(days=days))
    assert not is_due(provider, State(provider.url, None, "oai_lexml"), DAY)
    assert is_due(provider, State(provider.url, None, "oai_lexml", watermark=DAY), DAY)


def test_schedule_is_kept_between_harvests(tmp_path: Path) -> None:
    holds = silent(15)
    with OaiServer(holds) as server:
        provider = quick_provider(server.url, reconcile_days=30)
        (report,) = harvested(tmp_path, [provider], now=DAY)
        assert "never-reconciled" not in report.remark_counts
        assert report.state.reconciled == DAY.date()
        holds.hidden = {FIRST}
        (report,) = harvested(tmp_path, [provider], now=DAY + timedelta(days=29))
        assert report.withdrawn == 0
        (report,) = harvested(tmp_path, [provider], now=DAY + timedelta(days=30))
        assert report.withdrawn == 1
        assert report.state.reconciled == date(2026, 3, 31)
    assert messages_of(tmp_path, FIRST)[0].endswith("first noticed on 2026-03-31")


def in_sets() -> Repository:
    """Return a provider with twelve norms in one set, twelve in another, and six in both."""
    holds = silent(30)
    for number in range(30):
        sets = ("a",) * (number < 18) + ("b",) * (number >= 12)
        holds.change(FIRST + number, sets=sets)
    return holds


def test_reconciling_one_set_keeps_other_sets_and_providers(tmp_path: Path) -> None:
    holds, others = in_sets(), silent(5)
    for number in range(5):
        moved = others.records.pop(FIRST + number)
        others.put(StoredRecord(99990 + number, stamp=moved.stamp))
    with OaiServer(holds) as server, OaiServer(others) as other:
        lists = [quick_provider(server.url, set="a"), quick_provider(server.url, set="b"), quick_provider(other.url)]
        harvested(tmp_path, lists, now=DAY)
        assert numbers(tmp_path) == everything(30) | {99990 + n for n in range(5)}
        holds.hidden = {FIRST, FIRST + 29}
        others.hidden = {99990}
        assert reconciled(tmp_path, server.url, set="a").withdrawn == 1
        assert numbers(tmp_path) == (everything(30) - {FIRST}) | {99990 + n for n in range(5)}
        before = len(server.asked)
        assert reconciled(tmp_path, server.url, set="b").withdrawn == 1
        single = [request for request in server.asked[before:] if request.arguments["verb"] == "GetRecord"]
        assert single == []  # six records of this set are also in the other list, so they exist
    assert numbers(tmp_path) == (everything(30) - {FIRST, FIRST + 29}) | {99990 + n for n in range(5)}


def test_deletions_in_the_compared_list_are_reported_once(tmp_path: Path) -> None:
    holds = repository(20, deletions="transient")
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.change(FIRST + 2, deleted=True, stamp="2025-06-01T00:00:00Z")  # before the window of the request
        assert reconciled(tmp_path, server.url).summary.deleted == 1
        before = exported(tmp_path)
        report = reconciled(tmp_path, server.url, DAY + timedelta(days=2))
        assert (report.withdrawn, report.summary.deleted) == (0, 0)
    assert exported(tmp_path) == before
    assert messages_of(tmp_path, FIRST + 2)[0].endswith("on 2025-06-01")
