"""Tests of providers that move to another URL: they remain one provider, with each record stored once."""

from __future__ import annotations

from pathlib import Path

import pytest

from loaders.harvest.report import ListResult
from service.cli import main
from tests.support.harvesting import FIRST, everything, literal, numbers, once, repository
from tests.support.oai_repository import StoredRecord
from tests.support.oai_server import OaiServer


def moved(folder: Path, old: str, new: str) -> int:
    return main(["--store", str(folder), "provider", "move", old, new])


@pytest.mark.parametrize("names_new", [True, False])
def test_moved_provider_is_stored_once(tmp_path: Path, names_new: bool) -> None:
    holds = repository(12)
    with OaiServer(holds) as old, OaiServer(holds) as new:
        once(tmp_path, old.url)
        assert moved(tmp_path, old.url, new.url) == 0
        holds.now = "2026-03-01T00:00:00Z"
        holds.put(StoredRecord(FIRST + 12, stamp="2026-02-20T00:00:00Z"))
        holds.change(FIRST, stamp="2026-02-21T00:00:00Z", text="Mudou.")
        old.asked.clear()
        report = once(tmp_path, new.url if names_new else old.url)
        assert (report.ended, report.summary.loaded) == (ListResult.COMPLETE, 2)
        assert not old.asked
        report = once(tmp_path, new.url if names_new else old.url, reconcile=True)
        assert (report.ended, report.summary.loaded, report.withdrawn) == (ListResult.COMPLETE, 0, 0)
    assert numbers(tmp_path) == everything(13)
    assert len(literal(tmp_path, "http://purl.org/dc/terms/identifier")) == 13
    assert len(list((tmp_path / "harvest").iterdir())) == 1


def test_provider_may_move_again_and_back(tmp_path: Path) -> None:
    holds = repository(5)
    with OaiServer(holds) as first, OaiServer(holds) as second, OaiServer(holds) as third:
        once(tmp_path, first.url)
        assert moved(tmp_path, first.url, second.url) == 0
        assert moved(tmp_path, second.url, third.url) == 0
        assert once(tmp_path, third.url).summary.loaded == 0
        assert third.asked
        assert not second.asked
        assert moved(tmp_path, third.url, first.url) == 0
        third.asked.clear()
        assert once(tmp_path, first.url).ended is ListResult.COMPLETE
        assert not third.asked
    assert len(list((tmp_path / "harvest").iterdir())) == 1


def test_invalid_moves_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    holds, others = repository(5), repository(3)
    with OaiServer(holds) as old, OaiServer(others) as other:
        once(tmp_path, old.url)
        once(tmp_path, other.url)
        assert moved(tmp_path, "https://nobody.example/oai", "https://novo.example/oai") == 2
        assert old.url in capsys.readouterr().err
        assert moved(tmp_path, old.url, other.url) == 2
        assert "which another provider of this store uses" in capsys.readouterr().err
        assert moved(tmp_path, old.url, "novo.example") == 2
        assert once(tmp_path, old.url).ended is ListResult.COMPLETE
