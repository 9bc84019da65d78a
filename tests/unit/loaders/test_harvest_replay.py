"""Tests of replay: the graph rebuilt from payloads as of a time equals the graph at that time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.harvest.list_writer import Options
from loaders.harvest.session import harvest
from loaders.sources.vocabulary import built_in_record
from service.cli import main
from tests.support.harvesting import FIRST, as_of_harvest, exported, quick_provider, repository
from tests.support.oai_repository import Repository, StoredRecord
from tests.support.oai_server import OaiServer

T1 = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def at(folder: Path, when: datetime, *urls: str, keep: bool = True, reconcile: bool = False) -> list[str]:
    """Harvest at a time, and return the whole graph afterwards."""
    with stores.open_for_writing(folder, create=True) as store:
        store.apply([built_in_record()])
        options = Options(keep_payloads=keep, reconcile=reconcile)
        lists = [quick_provider(url) for url in urls]
        harvest(lists, folder, store, Quarantine(folder / QUARANTINE), options, clock=lambda: when)
    return exported(folder)


def lines(file: Path) -> list[str]:
    return sorted(line.removesuffix(" .") for line in file.read_text(encoding="utf-8").splitlines())


def then(folder: Path, until: str) -> list[str]:
    return lines(as_of_harvest(folder, until, folder.with_name("then.nq")))


def z(when: datetime) -> str:
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"


def dated(holds: Repository, number: int, version: str, stamp: str) -> None:
    """Store a norm with a dated version at the provider."""
    name = f"urn:lex:br:federal:lei:2001-02-03;{number}@{version};publicacao;{version}"
    kept = StoredRecord(number, stamp=stamp)
    text = kept.as_record().replace(f"urn:lex:br:federal:lei:2001-02-03;{number}", name)
    holds.put(StoredRecord(number, stamp=stamp, raw=text))


def history(holds: Repository, folder: Path, url: str) -> dict[datetime, list[str]]:
    """Run four harvests, and return the graph after each, by its time.

    Between them, records are changed, added, deleted, and removed without notice.
    """
    for number in range(10):
        dated(holds, FIRST + number, "2001-03-05", f"2025-01-{number + 1:02d}T00:00:00Z")
    graphs = {T1: at(folder, T1, url)}
    holds.now = "2026-03-02T00:00:00Z"
    dated(holds, FIRST + 1, "2001-04-05", "2026-02-01T00:00:00Z")
    holds.change(FIRST + 2, deleted=True, raw=None, stamp="2026-02-01T00:00:01Z")
    dated(holds, FIRST + 20, "2001-03-05", "2026-02-01T00:00:02Z")
    graphs[T1 + timedelta(days=1)] = at(folder, T1 + timedelta(days=1), url)
    holds.hidden.add(FIRST + 3)
    graphs[T1 + timedelta(days=9)] = at(folder, T1 + timedelta(days=9), url, reconcile=True)
    dated(holds, FIRST + 2, "2001-03-05", "2026-03-10T00:00:00Z")
    holds.now = "2026-03-12T00:00:00Z"
    graphs[T1 + timedelta(days=10)] = at(folder, T1 + timedelta(days=10), url)
    assert len({tuple(graph) for graph in graphs.values()}) == 4
    return graphs


def test_each_past_state_is_restored(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    holds = Repository(deletions="transient")
    with OaiServer(holds) as server:
        graphs = history(holds, folder, server.url)
    before = min(graphs) - SECOND
    nothing = then(folder, z(before))
    with stores.in_memory() as empty:
        empty.apply([built_in_record()])
        quads = empty.engine.quads_for_pattern(None, None, None, None)
        assert nothing == sorted(map(str, quads))
    last = nothing
    for when, graph in graphs.items():
        assert then(folder, z(when - SECOND)) == last
        assert then(folder, z(when)) == graph
        assert then(folder, f"{when:%Y-%m-%d}") == graph
        last = graph
    assert then(folder, "2026-02-28") == nothing
    assert then(folder, "9999-12-31") == last
    assert exported(folder) == last


def test_several_providers_are_replayed_in_order(tmp_path: Path) -> None:
    """Check two providers with the same identifiers: both records are kept, also in the replay."""
    folder = tmp_path / "store"
    first_holdings, other = repository(8), repository(8)
    for number in range(8):
        other.change(FIRST + number, text="Do outro provedor.")
    graphs = {}
    with OaiServer(first_holdings) as first, OaiServer(other) as second:
        for days, url in enumerate((first.url, second.url, first.url)):
            when = T1 + timedelta(days=days)
            graphs[when] = at(folder, when, url)
            for holds in (first_holdings, other):
                holds.now = z(when)
                holds.change(FIRST + days, text=f"Mudança {days}.", stamp=z(when - timedelta(hours=1)))
        both = T1 + timedelta(days=3)
        graphs[both] = at(folder, both, first.url, second.url)
    for when, graph in graphs.items():
        if when != both:  # the order within one second is not recorded
            assert then(folder, z(when)) == graph


def test_harvests_without_payloads_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "store"
    holds = repository(5)
    with OaiServer(holds) as server:
        kept = at(folder, T1, server.url)
        holds.now = "2026-03-02T00:00:00Z"
        holds.change(FIRST, text="Mudança.", stamp="2026-03-01T13:00:00Z")
        at(folder, T1 + timedelta(days=1), server.url, keep=False)
    capsys.readouterr()
    assert then(folder, z(T1)) == kept
    assert "which kept no payloads" not in capsys.readouterr().err
    assert then(folder, "2026-03-02") == kept
    errors = capsys.readouterr().err
    assert errors.endswith("without the data of 1 of 2 harvests, which kept no payloads\n")


def test_damaged_payload_is_reported_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, file = tmp_path / "store", tmp_path / "x.nq"
    with OaiServer(repository(5)) as server:
        kept = at(folder, T1, server.url)
    (data,) = (folder / "harvest").glob("*/pages/*.gz")
    payload = data.read_bytes()
    nothing = then(folder, "2026-02-01")

    def exported_anyway() -> list[str]:
        file.unlink(missing_ok=True)
        capsys.readouterr()
        assert main(["--store", str(folder), "export", str(file), "--as-of-harvest", "2026-03-01"]) == 3
        errors = capsys.readouterr().err
        assert f"a damaged payload was replaced by the previous one: {data}: the payload at byte 0 " in errors
        return lines(file)

    for damaged in (payload[:20], b""):
        data.write_bytes(damaged)
        assert exported_anyway() == nothing
    data.write_bytes(payload[:40] + b"\0" + payload[41:])
    assert set(nothing) < set(exported_anyway()) < set(kept)
    data.unlink()
    assert exported_anyway() == nothing
    data.write_bytes(payload)
    assert then(folder, "2026-03-01") == kept


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30", "2026-03-01T12:00:00", "2026-03-01T25:00:00Z", ""])
def test_invalid_moment_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert main(["--store", str(tmp_path / "store"), "export", str(tmp_path / "x.nq"), "--as-of-harvest", text]) == 2
    assert "expected a date YYYY-MM-DD, or a moment YYYY-MM-DDThh:mm:ssZ" in capsys.readouterr().err
