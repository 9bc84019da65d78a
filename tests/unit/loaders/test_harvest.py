"""Tests of whole harvests: every record is loaded once, changed records are loaded again, others are not."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from graph import store as stores
from graph.mapping import MappedRecord
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from graph.store.journal import BatchResult
from loaders.harvest import list_writer, session
from loaders.harvest.list_writer import Options
from loaders.harvest.report import ListResult
from loaders.harvest.session import harvest
from loaders.parallel import PendingPage, Reader, ReaderPool
from service.cli.program import execute
from tests.support.harvesting import FIRST, everything, exported, harvested, numbers, once, quick_provider, repository
from tests.support.oai_repository import StoredRecord
from tests.support.oai_server import OaiServer


def test_harvest_is_complete_and_a_second_one_changes_nothing(tmp_path: Path) -> None:
    holds = repository(95)
    with OaiServer(holds) as server:
        report = once(tmp_path, server.url)
        assert (report.ended, report.summary.loaded, report.pages) == (ListResult.COMPLETE, 95, 10)
        assert numbers(tmp_path) == everything(95)
        before = exported(tmp_path)
        snapshot = (tmp_path / "current").resolve()
        kept = sorted((tmp_path / "harvest").rglob("pages/*"))
        holds.now = "2026-02-02T00:00:00Z"
        report = once(tmp_path, server.url)
    assert (report.ended, report.summary.loaded, report.summary.read) == (ListResult.COMPLETE, 0, 0)
    assert exported(tmp_path) == before
    assert (tmp_path / "current").resolve() == snapshot
    assert sorted((tmp_path / "harvest").rglob("pages/*")) == kept


def test_harvest_writes_records_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_writer, "BATCH_SIZE", 20)
    batches: list[int] = []
    with OaiServer(repository(95)) as server, stores.open_for_writing(tmp_path, create=True) as store:
        put = store.put

        def counted(mapped: Sequence[MappedRecord]) -> BatchResult:
            batches.append(len(mapped))
            return put(mapped)

        monkeypatch.setattr(store, "put", counted)
        (report,) = harvest([quick_provider(server.url)], tmp_path, store, Quarantine(tmp_path / QUARANTINE), Options())
    assert report.summary.loaded == 95
    assert [size for size in batches if size > 1] == [20, 20, 20, 20, 15]


def test_pages_read_by_workers_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that records are in order, whether a page is read in this process or by a worker."""
    monkeypatch.setattr(session, "_LARGE_PAGE", 10)
    monkeypatch.setattr(session, "available", lambda: 2)
    submitted: list[str] = []
    submit = ReaderPool.submit

    def counted(pool: ReaderPool, label: str, payload: bytes, provider: str | None, read: Reader) -> PendingPage:
        submitted.append(label)
        return submit(pool, label, payload, provider, read)

    monkeypatch.setattr(ReaderPool, "submit", counted)
    with OaiServer(repository(295)) as server:
        monkeypatch.setattr(ReaderPool, "is_starting", property(lambda _: len(server.asked) < 20))
        report = once(tmp_path, server.url)
    assert (report.ended, report.summary.loaded, report.pages) == (ListResult.COMPLETE, 295, 30)
    assert 0 < len(submitted) < 30
    assert numbers(tmp_path) == everything(295)
    pages = Counter(
        match[1] for quad in exported(tmp_path) if (match := re.search(r'ns#origem> "[^"]*, page (\d+)"', quad))
    )
    assert pages == {str(page): 10 if page < 30 else 5 for page in range(1, 31)}


def test_incremental_harvest_requests_changes_with_an_overlap(tmp_path: Path) -> None:
    holds = repository(30)
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.now = "2026-03-01T00:00:00Z"
        holds.change(FIRST, stamp="2026-01-31T00:00:00Z", text="Antes do fim da colheita anterior.")
        holds.change(FIRST + 1, stamp="2026-01-29T23:59:59Z", text="Antes da sobreposição.")
        holds.put(StoredRecord(FIRST + 30, stamp="2026-02-20T00:00:00Z"))
        report = once(tmp_path, server.url)
        asked = [request.arguments for request in server.asked if request.arguments["verb"] == "ListRecords"]
    assert asked[-1]["from"] == "2026-01-30T00:00:00Z"  # the watermark, 1 February, less two days
    assert (report.summary.loaded, report.summary.unchanged) == (2, 0)
    assert numbers(tmp_path) == everything(31)
    assert any("Antes do fim" in quad for quad in exported(tmp_path))
    assert not any("Antes da sobre" in quad for quad in exported(tmp_path))


def test_watermark_of_each_list_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with OaiServer(repository(5)) as server:
        once(tmp_path, server.url)
        assert execute(["--store", str(tmp_path), "stats", "--json"]) == 0
        (harvest,) = json.loads(capsys.readouterr().out)["harvests"]
        assert (harvest["url"], harvest["heard"], harvest["under_way"]) == (server.url, "2026-02-01T00:00:00Z", False)
        assert execute(["--store", str(tmp_path), "stats"]) == 0
        assert f"harvested up to 2026-02-01T00:00:00Z: {server.url}" in capsys.readouterr().out


def test_two_hosts_are_harvested_in_one_run(tmp_path: Path) -> None:
    with OaiServer(repository(25)) as oai_server, OaiServer(repository(35)) as other:
        reports = harvested(tmp_path, [quick_provider(oai_server.url), quick_provider(other.url)])
    assert [report.summary.loaded + report.summary.unchanged for report in reports] == [25, 35]
    assert numbers(tmp_path) == everything(35)
