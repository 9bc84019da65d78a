"""Tests of random histories of a provider over years: at the end, the store has what the provider has.

The provider is the oracle. Between harvests, records are added, changed, deleted and restored; requests fail, pages are
damaged, and tokens expire. When the faults are over, nothing may be missing, outdated or superfluous, a further harvest
changes nothing, and each earlier harvest can be replayed from the payloads.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph import store as stores
from loaders.harvest.report import ListResult, Report
from tests.support.harvesting import (
    FIRST,
    as_of_harvest,
    exported,
    harvested,
    numbers,
    quads_in,
    quads_of,
    quick_provider,
)
from tests.support.oai_repository import Repository, Spoil, StoredRecord, poisoned
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer, cut_short, error_page, reset

FORGOTTEN = error_page("badResumptionToken", verb="ListRecords")
FAULTS: dict[str, ScriptedAnswer] = {
    "503": Reply("busy", 503, {"Retry-After": "0"}),
    "500": Reply("out of order", 500),
    "404": Reply("gone", 404),
    "HTML": "<!DOCTYPE html><html><body>Em manutenção</body></html>",
    "nothing": "",
    "reset": reset,
    "a forgotten token": FORGOTTEN,
}
SPOILS: dict[str, Spoil] = {
    "a control character": poisoned,
    "cut": cut_short,
    "half": lambda page: page[: len(page) // 2],
}
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)

kinds = st.sampled_from(["add", "add", "change", "delete", "bring back", "spoil", "cure"])


@dataclass(frozen=True, slots=True)
class Season:
    """The time before a harvest and the harvest: the changes before it, and its failing requests with their faults."""

    lasts: timedelta
    changes: list[tuple[str, int]]
    faults: dict[int, str]
    reconcile: bool


seasons = st.builds(
    Season,
    st.sampled_from([SECOND, HOUR, DAY, 5 * DAY, 90 * DAY]),
    st.lists(st.tuples(kinds, st.integers(0, 60)), max_size=4),
    st.dictionaries(st.integers(0, 9), st.sampled_from([*sorted(FAULTS), "a forgotten token"]), max_size=3),
    st.booleans(),
)
providers = st.builds(
    Repository,
    size=st.sampled_from([1, 3, 10]),
    granularity=st.sampled_from(["YYYY-MM-DD", "YYYY-MM-DDThh:mm:ssZ"]),
    deletions=st.sampled_from(["persistent", "persistent", "transient", "no"]),
    ignored=st.sampled_from([(), (), (), ("from", "until"), ("from",), ("until",)]),
)


class Life:
    """A provider, the store that harvests it, and the content of the store after each harvest."""

    def __init__(self, holds: Repository, place: Path) -> None:
        self.holds = holds
        self.folder = place / "store"
        self.now = datetime(2025, 1, 1, 12, tzinfo=UTC)
        self.faults: dict[int, ScriptedAnswer] = {}  # by the number of earlier requests of the same harvest
        self.came = 0
        self.texts = 0
        self.gone: list[int] = []
        self.then: dict[str, list[str]] = {}

    def answer(self, asked: ReceivedRequest) -> ScriptedAnswer:
        self.holds.now = z(self.now)
        fault = self.faults.get(self.came)
        self.came += 1
        if fault is None or (fault == FORGOTTEN and "resumptionToken" not in asked.arguments):
            return self.holds(asked)
        return fault

    def live(self) -> list[int]:
        return [number for number, kept in self.holds.records.items() if not kept.deleted]

    def texts_now(self) -> set[str]:
        return {self.holds.records[number].text for number in self.live()}

    def put(self, number: int) -> None:
        self.texts += 1
        self.holds.put(StoredRecord(number, stamp=z(self.now), text=f"Texto {self.texts}."))

    def change(self, kind: str, which: int) -> None:
        live = self.live()
        chosen = live[which % len(live)] if live else None
        if kind == "cure":
            self.holds.poison.clear()
        elif kind == "bring back":
            deleted = [number for number, kept in self.holds.records.items() if kept.deleted]
            if deleted or self.gone:
                self.put(deleted[0] if deleted else self.gone.pop(0))
        elif kind == "add" or chosen is None:
            first = FIRST + len(self.holds.records) + len(self.gone)
            for number in range(first, first + 1 + which % 6):
                self.put(number)
        elif kind == "change":
            self.put(chosen)
        elif kind == "spoil":
            self.holds.poison[chosen] = SPOILS[sorted(SPOILS)[which % len(SPOILS)]]
        elif self.holds.deletions == "persistent":
            self.holds.change(chosen, deleted=True, stamp=z(self.now))
        else:
            del self.holds.records[chosen]
            self.gone.append(chosen)

    def harvest(self, url: str, *, reconcile: bool = False) -> Report:
        self.came = 0
        lists = [quick_provider(url, retries=1)]
        (report,) = harvested(self.folder, lists, now=self.now, reconcile=reconcile, accept_withdrawals=True)
        self.then[z(self.now)] = of_records(quads_of(self.folder))
        return report

    def settle(self, url: str) -> None:
        """Harvest without faults until the store is complete: the first may resume an older one, or fill gaps."""
        self.faults.clear()
        self.holds.poison.clear()
        left: list[Report] = []
        for _ in range(5):
            self.now += 30 * DAY
            left.append(self.harvest(url))
            if len(left) > 1 and left[-1].ended is ListResult.COMPLETE and not left[-1].state.gaps:
                return
        pytest.fail(f"after five harvests without faults: {left[-1].ended}, {left[-1].state.gaps}")

    def of_the_living(self, quads: list[str]) -> list[str]:
        """Return the quads without the graphs of deleted records, and without the horizon of the provider.

        The store keeps data on deleted records that a new store never received, for example the newest datestamp.
        """
        ends = tuple(f"/{number}>" for number in self.live())
        living_quads = [quad for quad in quads if "<oai:" not in quad or quad.endswith(ends)]
        return [quad for quad in living_quads if "ns#horizonte>" not in quad]


def z(when: datetime) -> str:
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"


def of_records(quads: list[str]) -> list[str]:
    """Return the quads without the vocabulary, which the command line writes and these tests do not."""
    return [quad for quad in quads if "/id/vocabulario/" not in quad]


def texts(folder: Path) -> set[str]:
    with stores.open(folder) as store:
        objects = (quad.object for quad in store.engine.quads_for_pattern(None, None, None, None))
        return {node.value for node in objects if isinstance(node, ox.Literal) and node.value.startswith("Texto ")}


@pytest.mark.slow
@given(holds=providers, years=st.lists(seasons, min_size=2, max_size=6))
@settings(max_examples=8)
def test_store_equals_the_provider_after_years_of_faults(holds: Repository, years: list[Season]) -> None:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        life = Life(holds, place)
        life.change("add", 5)
        with OaiServer(life.answer) as server:
            for season in years:
                life.now += season.lasts
                for kind, which in season.changes:
                    life.change(kind, which)
                life.faults = {number: FAULTS[fault] for number, fault in season.faults.items()}
                life.harvest(server.url, reconcile=season.reconcile)
            then = sorted(life.then.items())
            life.settle(server.url)
            if holds.deletions != "persistent":  # deletions in the middle of a list may have hidden others
                life.harvest(server.url, reconcile=True)
            assert numbers(life.folder) == set(life.live())
            assert texts(life.folder) == life.texts_now()
            fresh = place / "fresh"
            harvested(fresh, [quick_provider(server.url)], now=life.now)
            assert life.of_the_living(quads_of(life.folder)) == life.of_the_living(quads_of(fresh))
            before = exported(life.folder)
            life.harvest(server.url)
            assert exported(life.folder) == before
        for when, graph in (then[-1], then[len(then) // 2]):
            assert of_records(quads_in(as_of_harvest(life.folder, when, place / "then.nq"))) == graph, when
