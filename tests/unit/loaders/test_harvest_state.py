"""Tests of what harvests leave: provenance, deletions, and the graph rebuilt as of a past time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.harvest.list_writer import Options
from loaders.harvest.providers import Provider
from loaders.harvest.report import Report
from loaders.harvest.session import harvest, is_due
from loaders.harvest.state import State
from loaders.sources.vocabulary import built_in_record
from ontology.iris import DERIVED_GRAPH, provider_iri
from queries.catalogue import named
from queries.in_force import in_force
from queries.messages import message
from service.cli import main
from tests.support.harvesting import (
    FIRST,
    as_of_harvest,
    everything,
    exported,
    harvested,
    numbers,
    once,
    quick_provider,
    repository,
)
from tests.support.oai_pages import oai_record
from tests.support.oai_repository import Repository, StoredRecord
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer, identifier


def test_every_statement_has_its_provenance(tmp_path: Path) -> None:
    holds = repository(12)
    with OaiServer(holds) as server:
        once(tmp_path, server.url, now=datetime(2026, 3, 1, 12, tzinfo=UTC))
        holds.change(FIRST + 2, deleted=True, stamp="2026-01-31T00:00:00Z")
        once(tmp_path, server.url, now=datetime(2026, 3, 2, 12, tzinfo=UTC))
        url = server.url
    with stores.open(tmp_path) as store:
        runs = {row["colheita"]: row for row in named("harvest_runs").rows(store)}
        quads = list(store.engine.quads_for_pattern(None, None, None, None))
        pairs = [(str(quad.graph_name), str(quad.subject)) for quad in quads]
        of_runs = {graph for graph, subject in pairs if subject.strip("<>") in runs}
        graphs = {graph.strip("<>") for graph, _ in pairs if graph not in of_runs}
        records = sorted(graphs - {DERIVED_GRAPH})
        assert records == sorted(identifier(FIRST + n) for n in range(12))
        for record in records:
            about = list(named("sources_of_statement").rows(store, {"sujeito": record}))
            inside = [row for row in about if row["registro"] == record]
            assert len(inside) == pairs.count((f"<{record}>", f"<{record}>"))
            for row in inside:
                assert row["provedor"] == provider_iri(url)
                assert row["identificador"] == record
                assert re.fullmatch(r"202[56]-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(row["datestamp"]))
                assert re.fullmatch(r"[0-9a-f]{64}", str(row["hash"]))
                assert row["carregador"] == "oai_lexml/5"
                assert row["colheita"] in runs
                assert str(row["obtido"]) >= str(runs[row["colheita"]]["inicio"])
    counts = sorted((run["carregados"], run["retirados"]) for run in runs.values())
    assert counts == [(0, 1), (12, 0)]
    assert all(run["fim"] is not None for run in runs.values())


def test_resumed_harvest_counts_all_records(tmp_path: Path) -> None:
    holds = repository(40)

    def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
        return Reply("", 403) if asked.arguments.get("resumptionToken", "").startswith("20|") else None

    holds.hook = hook
    with OaiServer(holds) as server:
        assert once(tmp_path, server.url).summary.loaded == 20
        with stores.open(tmp_path) as store:
            (run,) = named("harvest_runs").rows(store)
        assert (run["carregados"], run["fim"]) == (20, None)
        holds.hook = lambda _: None
        report = once(tmp_path, server.url)
    assert (report.summary.loaded, report.resumed) == (20, True)
    with stores.open(tmp_path) as store:
        (run,) = named("harvest_runs").rows(store)
    assert run["carregados"] == 40
    assert run["fim"] is not None


def test_providers_that_date_a_version_differently_are_both_named(tmp_path: Path) -> None:
    first_holdings, other = Repository(), Repository()
    for holds, key, since in ((first_holdings, "um", "2001-03-05"), (other, "outro", "2001-04-05")):
        version = f"urn:lex:br:federal:lei:2001-02-03;{FIRST}@{since};publicacao;2001-02-03"
        raw = oai_record(f"oai:{key}.example:1", version, day="2025-01-01T00:00:00Z")
        holds.put(StoredRecord(FIRST, stamp="2025-01-01T00:00:00Z", raw=raw))
    with OaiServer(first_holdings) as first, OaiServer(other) as second:
        harvested(tmp_path, [quick_provider(first.url), quick_provider(second.url)])
        urls = (first.url, second.url)
    with stores.open(tmp_path) as store:
        answer = in_force(store, f"urn:lex:br:federal:lei:2001-02-03;{FIRST}", on="2001-05-01")
    (sentence,) = [message(notice) for notice in answer.notices if notice.code == "sources-contradict"]
    assert all(url in sentence for url in urls)


def test_sigint_during_a_store_write_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt each write of a batch, before and after it: the state never includes records that are not stored."""
    monkeypatch.setattr("loaders.harvest.list_writer.BATCH_SIZE", 15)
    holds = repository(60)
    with OaiServer(holds) as server:
        for moment in range(8):
            folder = tmp_path / str(moment)
            with stores.open_for_writing(folder, create=True) as store:
                calls = 0

                def interrupted(write, mapped, moment=moment):  # type: ignore[no-untyped-def]
                    nonlocal calls
                    calls += 1
                    if calls == moment // 2 + 1:
                        if moment % 2:
                            write(mapped)
                        raise KeyboardInterrupt
                    return write(mapped)

                store.apply = partial(interrupted, store.apply)  # type: ignore[method-assign]
                with pytest.raises(KeyboardInterrupt):
                    harvest([quick_provider(server.url)], folder, store, Quarantine(folder / QUARANTINE), Options())
            once(folder, server.url)
            with stores.open(folder) as opened_store:
                (run,) = named("harvest_runs").rows(opened_store)
            assert [run["carregados"], run["inalterados"]] in ([60, 0], [50, 10], [40, 20])
            assert numbers(folder) == everything(60)


# Deletions: announced, or found by comparing whole lists


DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def reconciled(folder: Path, url: str, when: datetime = DAY, *, set: str | None = None, **options: Any) -> Report:  # noqa: A002
    (report,) = harvested(folder, [quick_provider(url, set=set)], now=when, reconcile=True, **options)
    return report


def silent(count: int, **fields: Any) -> Repository:
    """Return a provider that never announces deletions."""
    return repository(count, deletions="no", **fields)


@pytest.mark.parametrize(("days", "due"), [(29, False), (30, True), (31, True)])
def test_reconciliation_is_due_on_its_day(days: int, due: bool) -> None:
    provider = Provider("https://provider.invalid/oai", reconcile_days=30)
    state = State(provider.url, None, "oai_lexml", watermark=DAY, reconciled=DAY.date())
    assert is_due(provider, state, DAY + timedelta(days=days)) is due
    assert not is_due(Provider(provider.url), state, DAY + timedelta(days=days))
    assert not is_due(provider, State(provider.url, None, "oai_lexml"), DAY)
    assert is_due(provider, State(provider.url, None, "oai_lexml", watermark=DAY), DAY)


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


# Replay: the graph as of a time


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
