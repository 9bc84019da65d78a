"""Tests of whole harvests: each record is loaded once, also from lists that move and providers that move."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from graph import store as stores
from graph.mapping import Arriving
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from graph.store.journal import BatchResult
from loaders.harvest import list_writer, session
from loaders.harvest.list_writer import Options
from loaders.harvest.report import ListResult, Report
from loaders.harvest.session import harvest
from loaders.harvest.state import Window, moment
from loaders.parallel import PendingPage, Reader, ReaderPool
from ontology.namespaces import PROV, VIG
from queries.in_force import in_force
from queries.messages import message
from samples import folder
from service.cli import main
from service.cli.program import execute
from tests.support.cases import Row, cases
from tests.support.harvesting import (
    FIRST,
    everything,
    exported,
    harvested,
    literal,
    numbers,
    once,
    quads_of,
    quick_provider,
    repository,
)
from tests.support.oai_independent import OAI, IndependentProvider, Norm, norms
from tests.support.oai_repository import Repository, StoredRecord, poisoned
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer, error_page, identifier, reset

EMENTA = "https://w3id.org/vigente/ns#ementa"


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
        apply = store.apply

        def counted(records: Sequence[Arriving]) -> BatchResult:
            batches.append(len(records))
            return apply(records)

        monkeypatch.setattr(store, "apply", counted)
        (report,) = harvest([quick_provider(server.url)], tmp_path, store, Quarantine(tmp_path / QUARANTINE), Options())
    assert report.summary.loaded == 95
    assert [size for size in batches if size > 1] == [20, 20, 20, 20, 15]


def test_pages_read_by_workers_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that records are in order, whether a page is read in this process or by a worker."""
    monkeypatch.setattr(session, "_LARGE_PAGE", 10)
    monkeypatch.setattr(session, "available", lambda: 2)
    submitted: list[str] = []
    submit = ReaderPool.submit

    def counted(
        pool: ReaderPool, label: str, payload: bytes, provider: str | None, read: Reader, *, mapping: bool
    ) -> PendingPage:
        submitted.append(label)
        return submit(pool, label, payload, provider, read, mapping=mapping)

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


def test_watermark_of_each_list_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with OaiServer(repository(5)) as server:
        once(tmp_path, server.url)
        assert execute(["--store", str(tmp_path), "stats", "--json"]) == 0
        (harvest,) = json.loads(capsys.readouterr().out)["harvests"]
        assert (harvest["url"], harvest["heard"], harvest["under_way"]) == (server.url, "2026-02-01T00:00:00Z", False)
        assert execute(["--store", str(tmp_path), "stats"]) == 0
        assert f"harvested up to 2026-02-01T00:00:00Z: {server.url}" in capsys.readouterr().out


# An independent provider


def living(held: dict[str, Norm], spec: str | None = None) -> set[int]:
    return {norm.number for norm in held.values() if not norm.deleted and (spec is None or spec in norm.sets)}


def test_sets_and_windows_are_harvested(tmp_path: Path) -> None:
    held = norms(200)
    window = Window(datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 5, 23, 59, 59, tzinfo=UTC))
    with IndependentProvider(held, limit=20) as provider:
        report = once(tmp_path, provider.url, provider={"set": "normas:leis"}, window=window)
        assert report.ended is ListResult.COMPLETE
        assert numbers(tmp_path) == {FIRST + n for n in range(24, 120) if n % 3 and n % 7 != 6}
        report = once(tmp_path, provider.url, provider={"set": "normas:leis"})
    assert numbers(tmp_path) == living(held, "normas:leis")
    assert report.remark_counts["unknown-set"] == 0


def sample() -> dict[str, Norm]:
    """Return the records of the sample."""
    held = {}
    for file in sorted((folder() / "oai").glob("*.xml")):
        for record in etree.parse(file).iter(f"{OAI}record"):
            name = record.findtext(f"{OAI}header/{OAI}identifier") or ""
            day = datetime.fromisoformat(record.findtext(f"{OAI}header/{OAI}datestamp") or "").replace(tzinfo=UTC)
            lexml = record.find(f"{OAI}metadata/{{*}}LexML")
            held[name] = Norm(FIRST, day, ("normas",), deleted=lexml is None, lexml=lexml)
    return held


def test_harvested_sample_equals_the_sample_loaded_from_files(tmp_path: Path) -> None:
    held = sample()
    with IndependentProvider(held, limit=5) as provider:
        report = once(tmp_path / "harvested", provider.url)
    assert (report.summary.refused.total(), report.ended) == (0, ListResult.COMPLETE)
    assert main(["--store", str(tmp_path / "loaded"), "load", str(folder() / "oai")]) == 0
    harvested, other = (content(tmp_path / name) for name in ("harvested", "loaded"))
    assert len(harvested) > 1000
    assert harvested == other


def content(store: Path) -> list[str]:
    """Return the statements of the records, without provider, datestamp and day of fetch.

    Harvested datestamps have a time. Files state the day of fetch, and harvests its moment.
    """
    others = (
        PROV["wasAttributedTo"],
        VIG["datestamp"],
        VIG["obtidoEm"],
        VIG["hashConteudo"],
        "/id/provedor/",
        "/id/vocabulario/",
    )
    return [quad for quad in quads_of(store) if not any(term in quad for term in others)]


# Providers that move to another URL


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


# Scenarios


@dataclass
class Scenario:
    """A provider, its server and the store into which it is harvested; each method is a step of harvests.toml.

    ``at POSITION STEP`` takes a step before the page at that position is answered, and ``list N STEP`` before the first
    page of the Nth list of identifiers of a reconciliation.
    """

    folder: Path
    holds: Repository
    url: str
    server: OaiServer
    report: Report | None = None
    marked: list[str] = field(default_factory=list)
    hooks: dict[str, Callable[[ReceivedRequest], ScriptedAnswer | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.holds.hook = self.answer

    def take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        getattr(self, f"step_{word}")(rest)

    def answer(self, asked: ReceivedRequest) -> ScriptedAnswer | None:
        return next((answer for hook in list(self.hooks.values()) if (answer := hook(asked)) is not None), None)

    def before(self, position: str, act: Callable[[], ScriptedAnswer | None], *, once: bool) -> None:
        def hook(asked: ReceivedRequest) -> ScriptedAnswer | None:
            if asked.arguments["verb"] != position and not token(asked).startswith(f"{position}|"):
                return None
            if once:
                del self.hooks["page"]
            return act()

        self.hooks["page"] = hook

    # the provider

    def step_now(self, rest: str) -> None:
        self.holds.now = rest

    def step_put(self, rest: str) -> None:
        number, stamp = rest.split()
        self.holds.put(StoredRecord(FIRST + int(number), stamp=stamp))

    def step_change(self, rest: str) -> None:
        number, stamp, *text = rest.split(" ", 2)
        self.holds.change(FIRST + int(number), stamp=stamp, **({"text": text[0]} if text else {}))

    def step_delete(self, rest: str) -> None:
        number, stamp = rest.split()
        self.holds.change(FIRST + int(number), stamp=stamp, deleted=True)

    def step_hide(self, rest: str) -> None:
        self.holds.hidden = numbers_of(rest)

    def step_drop(self, rest: str) -> None:
        del self.holds.records[FIRST + int(rest)]

    def step_reorder(self, rest: str) -> None:
        for number in numbers_of(rest):
            self.holds.records[number] = self.holds.records.pop(number)

    def step_twice(self, rest: str) -> None:
        number = FIRST + int(rest)
        self.holds.change(number, raw=self.holds.records[number].as_record() * 2)

    def step_poison(self, rest: str) -> None:
        number, _, fault = rest.partition(" ")
        spoil = {"": poisoned, "datestamp": lambda page: page.replace("<datestamp>", "<datestamp>\x01")}.get(fault)
        self.holds.poison[FIRST + int(number)] = spoil or (lambda _: Reply("", int(fault)))

    def step_heal(self, _: str) -> None:
        self.holds.poison.clear()

    def step_at(self, rest: str) -> None:
        position, _, step = rest.partition(" ")
        self.before(position, lambda: self.take(step), once=True)

    def step_status(self, rest: str) -> None:
        position, status, *once = rest.split()
        self.before(position, lambda: Reply("", int(status)), once=bool(once))

    def step_error(self, rest: str) -> None:
        position, code = rest.split()
        self.before(position, lambda: error_page(code), once=False)

    def step_lost(self, rest: str) -> None:
        """Answer with 404 to all requests from that page on."""

        def lose() -> ScriptedAnswer:
            self.hooks["away"] = lambda _: Reply("gone", 404)
            return Reply("gone", 404)

        self.before(rest, lose, once=False)

    def step_restored(self, _: str) -> None:
        self.hooks.clear()

    def step_list(self, rest: str) -> None:
        count, step = rest.split(" ", 1)
        lists = iter(range(1, 10))

        def hook(asked: ReceivedRequest) -> None:
            if asked.arguments["verb"] == "ListIdentifiers" and not token(asked) and next(lists) == int(count):
                self.take(step)

        self.hooks[count] = hook

    # the harvester, and what is expected

    def step_harvest(self, rest: str) -> None:
        options = {key: value for key, _, value in (option.partition("=") for option in rest.split())}
        provider = quick_provider(
            self.url, **{key: int(options[key]) for key in ("retries", "reconcile_days") if key in options}
        )
        given: dict[str, Any] = {"reconcile": True} if "reconcile" in options else {}
        given |= {"accept_withdrawals": True} if "accept" in options else {}
        now = datetime.fromisoformat(f"{options['day']}T12:00:00Z") if "day" in options else None
        self.server.asked.clear()
        (self.report,) = harvested(self.folder, [provider], now=now, **given)

    def step_report(self, rest: str) -> None:
        assert self.report is not None
        state, summary = self.report.state, self.report.summary
        gaps = [f"{gap.code}:{gap.lacking}" if gap.lacking else str(number_of(gap.identifier)) for gap in state.gaps]
        day = state.reconciled
        found = {
            "ended": {self.report.ended.value},
            "fault": {"no" if self.report.fault is None else "yes"},
            "withdrawn": {str(self.report.withdrawn)},
            "gaps": {",".join(gaps) or "0"},
            "reconciled": {"no"} if day is None else {"yes", str(day)},
            **{key: {str(getattr(summary, key))} for key in ("loaded", "unchanged", "deleted")},
        }
        for field_ in rest.split():
            key, value = field_.split("=")
            assert (value.removeprefix("!") in found[key]) is not value.startswith("!"), (key, value, found[key])

    def step_remarks(self, rest: str) -> None:
        assert self.report is not None
        for remark in rest.split():
            code, _, count = remark.removeprefix("!").partition("=")
            found = self.report.remark_counts[code]
            assert found == int(count) if count else (found == 0) is remark.startswith("!"), remark

    def step_remark(self, rest: str) -> None:
        assert self.report is not None
        code, _, words = rest.partition(" ")
        (said,) = [remark.message for remark in self.report.remarks if remark.code == code]
        assert words in said

    def step_watermark(self, rest: str) -> None:
        assert self.report is not None
        assert self.report.state.watermark == moment(rest)

    def step_asked(self, rest: str) -> None:
        lists = [request.arguments for request in self.server.asked if request.arguments["verb"] == "ListRecords"]
        for one in rest.split():
            if one.startswith("from="):
                assert lists[-1].get("from", "-") == one.removeprefix("from=")
            else:
                verb, most = one.split("<=")
                assert sum(verb in {"*", request.arguments["verb"]} for request in self.server.asked) <= int(most), verb

    def step_has(self, rest: str) -> None:
        assert numbers(self.folder) == numbers_of(rest)

    def step_text(self, rest: str) -> None:
        assert rest in literal(self.folder, EMENTA)

    def step_no(self, rest: str) -> None:
        assert rest.removeprefix("text ") not in literal(self.folder, EMENTA)

    def step_mark(self, _: str) -> None:
        self.marked = exported(self.folder)

    def step_same(self, _: str) -> None:
        assert exported(self.folder) == self.marked

    def step_message(self, rest: str) -> None:
        number, _, end = rest.partition(" ")
        with stores.open(self.folder) as store:
            notices = in_force(store, f"urn:lex:br:federal:lei:2001-02-03;{FIRST + int(number)}").notices
        said = [message(notice) for notice in notices if notice.code == "record-withdrawn"]
        assert [one.endswith(end) for one in said] == [True] * bool(end)


def token(asked: ReceivedRequest) -> str:
    return asked.arguments.get("resumptionToken", "")


def numbers_of(written: str) -> set[int]:
    """Return the numbers of norms: ``0-9 12 !3`` are those in the places 0 to 9 and 12, without 3."""
    found, without = set[int](), set[int]()
    for part in written.split():
        first, _, last = part.removeprefix("!").partition("-")
        (without if part.startswith("!") else found).update(range(FIRST + int(first), FIRST + int(last or first) + 1))
    return found - without


def number_of(name: str | None) -> int | str:
    return "-" if name is None else int(name.rpartition("/")[2]) - FIRST


def odd(row: Row, holds: Repository) -> Callable[[ReceivedRequest], ScriptedAnswer]:
    """Return the provider of a row, which may leave out the size of lists, or state other datestamps."""

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        page = holds(asked)
        if isinstance(page, str) and not row.get("sizes", True):
            return page.replace("completeListSize", "tamanho")
        return (
            page.replace("<datestamp>2025", "<datestamp>2019") if isinstance(page, str) and "misdated" in row else page
        )

    return answer


@cases("harvests", "scenario")
def test_scenario(row: Row, tmp_path: Path) -> None:
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in row.get("provider", {}).items()}
    for ignored in (("from", "until"), ("from",), ("until",)) if "ignored" in row else (None,):
        holds = repository(row["count"], **fields, **({} if ignored is None else {"ignored": ignored}))
        with OaiServer(odd(row, holds)) as server:
            scenario = Scenario(tmp_path / "-".join(ignored or ("all",)), holds, server.url, server)
            for line in row["steps"].strip().splitlines():
                scenario.take(line)


# Providers that ignore `from` or `until` and have an unreadable page


BAD = FIRST + 33


def unselective(count: int, **fields: Any) -> Repository:
    holds = repository(count, ignored=("from", "until"), **fields)
    holds.poison[BAD] = poisoned
    return holds


def asked_verbs(server: OaiServer) -> Counter[str]:
    return Counter(asked.arguments["verb"] for asked in server.asked)


def test_interrupted_harvest_resumes_without_repeating_requests(tmp_path: Path) -> None:
    holds = unselective(60)
    with OaiServer(holds) as server:
        holds.hook = lambda _: reset if asked_verbs(server)["GetRecord"] > 15 else None
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert report.ended is ListResult.PARTIAL
        came = numbers(tmp_path)
        assert len(came) > 40
        holds.hook = lambda _: None
        server.asked.clear()
        report = once(tmp_path, server.url, provider={"retries": 0})
        assert numbers(tmp_path) == everything(60) - {BAD}
        assert report.ended is ListResult.COMPLETE
        assert [gap.identifier for gap in report.state.gaps] == [identifier(BAD)]
        assert asked_verbs(server)["GetRecord"] <= 60 - len(came)


def test_only_the_requested_window_is_fetched(tmp_path: Path) -> None:
    holds = unselective(60, size=100)
    march = Window(moment("2025-03-01T00:00:00Z"), moment("2025-03-31T23:59:59Z"))
    with OaiServer(holds) as server:
        once(tmp_path, server.url, provider={"retries": 0}, window=march)
    assert numbers(tmp_path) == {n for n, kept in holds.records.items() if "2025-03" in kept.stamp} - {BAD}
