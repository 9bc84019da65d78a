"""Tests of provenance: provider, identifier, datestamp, payload hash, loader, time and harvest of each statement."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.harvest.list_writer import Options
from loaders.harvest.session import harvest
from loaders.harvest.state import StateFile, moment
from ontology.iris import DERIVED_GRAPH, provider_iri
from queries.catalogue import named
from queries.english import message
from queries.in_force import in_force
from tests.support.harvesting import FIRST, everything, exported, harvested, numbers, once, quick_provider, repository
from tests.support.oai_repository import Repository, StoredRecord
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer, error_page, identifier


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


def test_unchanged_harvest_writes_nothing(tmp_path: Path) -> None:
    holds = repository(20)
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        holds.now = "2025-06-01T00:00:00Z"  # the provider's clock was set back: records since then are requested again
        snapshot, before = (tmp_path / "current").resolve(), exported(tmp_path)
        kept = {path: path.read_bytes() for path in (tmp_path / "harvest").rglob("pages/*")}
        (file,) = map(StateFile, (tmp_path / "harvest").glob("*/state.json"))
        state = file.stored()
        assert state is not None
        file.write(replace(state, watermark=moment("2025-06-01T00:00:00Z")))
        report = once(tmp_path, server.url)
    assert report.summary.unchanged > 5
    assert (tmp_path / "current").resolve() == snapshot
    assert exported(tmp_path) == before
    assert {path: path.read_bytes() for path in (tmp_path / "harvest").rglob("pages/*")} == kept


def dated(number: int, since: str, key: str) -> StoredRecord:
    name = f"urn:lex:br:federal:lei:2001-02-03;{number}@{since};publicacao;2001-02-03"
    raw = (
        f"<record><header><identifier>oai:{key}:1</identifier><datestamp>2025-01-01T00:00:00Z</datestamp></header>"
        f'<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml"><DocumentoIndividual>{name}'
        f"</DocumentoIndividual><Epigrafe>Lei fictícia</Epigrafe></LexML></metadata></record>"
    )
    return StoredRecord(number, stamp="2025-01-01T00:00:00Z", raw=raw)


def test_providers_that_date_a_version_differently_are_both_named(tmp_path: Path) -> None:
    first_holdings, other = Repository(), Repository()
    first_holdings.put(dated(FIRST, "2001-03-05", "um.example"))
    other.put(dated(FIRST, "2001-04-05", "outro.example"))
    with OaiServer(first_holdings) as first, OaiServer(other) as second:
        harvested(tmp_path, [quick_provider(first.url), quick_provider(second.url)])
        urls = (first.url, second.url)
    with stores.open(tmp_path) as store:
        answer = in_force(store, f"urn:lex:br:federal:lei:2001-02-03;{FIRST}", on="2001-05-01")
    (sentence,) = [message(notice) for notice in answer.notices if notice.code == "sources-contradict"]
    assert all(url in sentence for url in urls)


def test_wrong_provider_clock_does_not_damage_the_state(tmp_path: Path) -> None:
    holds = repository(6, now="0001-01-01T00:00:00Z", earliest="0001-01-01T00:00:00Z")
    with OaiServer(holds) as server:
        once(tmp_path, server.url)
        report = once(tmp_path, server.url)
        last = next(request for request in reversed(server.asked) if request.arguments["verb"] == "ListRecords")
    assert "from" not in last.arguments  # such a watermark is ignored
    assert report.summary.unchanged == 6


def test_gap_filled_by_another_list_is_closed(tmp_path: Path) -> None:
    holds = repository(20)
    holds.poison[FIRST + 3] = lambda _: Reply("", 500)
    with OaiServer(holds) as server:
        assert len(once(tmp_path, server.url, provider={"retries": 0}).state.gaps) == 1
        holds.poison.clear()
        holds.change(FIRST + 3, stamp="2026-02-01T00:00:00Z")
        before = len(server.asked)
        assert once(tmp_path, server.url).state.gaps == ()
        assert "GetRecord" not in {request.arguments["verb"] for request in server.asked[before:]}


@pytest.mark.parametrize("code", ["badResumptionToken", "badArgument", "noRecordsMatch"])
def test_expired_token_does_not_block_later_harvests(tmp_path: Path, code: str) -> None:
    """Check that the harvest restarts the list, however often tokens expired in earlier harvests."""
    holds = repository(60)
    holds.hook = lambda asked: (
        error_page(code) if asked.arguments.get("resumptionToken", "").startswith("30|") else None
    )
    with OaiServer(holds) as server:
        for _ in range(2):
            assert once(tmp_path, server.url).fault is not None
        holds.hook = lambda asked: (
            error_page(code) if asked.arguments.get("resumptionToken", "").endswith("!") else None
        )
        assert once(tmp_path, server.url).fault is None
    assert numbers(tmp_path) == everything(60)


def test_expired_token_after_a_refusal_restarts_the_list(tmp_path: Path) -> None:
    holds = repository(60)
    holds.hook = lambda asked: Reply("", 403) if asked.arguments.get("resumptionToken", "").startswith("30|") else None
    with OaiServer(holds) as server:
        assert once(tmp_path, server.url).fault is not None
        stale = [Reply("", 410)]

        def gone(asked: ReceivedRequest) -> ScriptedAnswer | None:
            return stale.pop() if stale and asked.arguments.get("resumptionToken", "").startswith("30|") else None

        holds.hook = gone
        report = once(tmp_path, server.url)
    assert report.fault is None
    assert "list-begun-anew" in report.remark_counts


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

                store.put = partial(interrupted, store.put)  # type: ignore[method-assign]
                with pytest.raises(KeyboardInterrupt):
                    harvest([quick_provider(server.url)], folder, store, Quarantine(folder / QUARANTINE), Options())
            once(folder, server.url)
            with stores.open(folder) as opened_store:
                (run,) = named("harvest_runs").rows(opened_store)
            assert [run["carregados"], run["inalterados"]] in ([60, 0], [50, 10], [40, 20])
            assert numbers(folder) == everything(60)


def test_interrupted_harvest_without_records_leaves_no_trace(tmp_path: Path) -> None:
    holds = repository(20)
    with OaiServer(holds) as server:
        once(tmp_path, server.url, now=datetime(2026, 3, 1, 12, tzinfo=UTC))
        before = exported(tmp_path)
        holds.hook = lambda asked: Reply("", 403) if asked.arguments["verb"] == "ListRecords" else None
        assert once(tmp_path, server.url).fault is not None
        holds.hook = lambda _: None
        assert once(tmp_path, server.url).fault is None
    assert exported(tmp_path) == before
