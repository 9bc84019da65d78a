"""The same sources give the same graph and the same index, in any order of loading and on any day."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from graph.entities import Coverage, Provision, Record, Wording
from graph.store import WritableStore, in_memory
from graph.store.comparison import IndexComparison
from graph.store.filling import fill
from graph.store.names import NameIndex
from graph.time.kinds import Status
from graph.urn import parse
from loaders.sources.facts import read_facts
from tests.support.cases import facts, records, source, values
from tests.support.deriving import dump
from tests.support.records import PROVIDER, deletion, event, record

ROOT = Path(__file__).resolve().parents[2]

SHARED = ROOT.parent / "shared"
#: Sources of one law, of norms without a day of publication, of an amending act, and of towns; with and without a
#: stated day of fetch. Each of the larger samples takes longer to load than all of these.
BUNDLED = ("samples/oai", "samples/lexml_xml", "samples/facts")
REAL = tuple(values("derivation_order", "real"))
ZONES, SEEDS, CLOCKS = ("Pacific/Niue", "Pacific/Kiritimati"), ("0", "1"), (0, 365, -365)
#: The runs of which each has another order; the last one also derives everything anew.
RUNS = 5


def derived(folder: Path, files: list[str], turn: int) -> dict[str, Any]:
    """Return the results of a load in one order, in a process of its own."""
    turned = [*files[3 * turn :], *files[: 3 * turn]]
    ordered = turned[::-1] if turn % 2 else turned
    rebuild = "rebuild" if turn == RUNS - 1 else "-"
    arguments = [str(folder / str(turn)), str(CLOCKS[turn % 3]), rebuild, *ordered]
    seed, zone = SEEDS[turn // 2 % 2], ZONES[turn % 2]
    run = subprocess.run(
        [sys.executable, "-m", "tests.support.deriving", *arguments],
        cwd=ROOT,
        env={**os.environ, "VIGENTE_TIMEZONE": zone, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    results: dict[str, Any] = json.loads(run.stdout)
    return results


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(not SHARED.is_dir(), reason="the real samples are beside the checkout only where it is developed")
def test_graph_and_index_depend_on_the_sources_alone(tmp_path: Path) -> None:
    files = [*(str(ROOT / file) for file in BUNDLED), *(str(SHARED / file) for file in REAL)]
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(partial(derived, tmp_path, files), range(RUNS)))
    results = [result for run in runs for result in run["results"]]
    assert len(results) == RUNS + 1
    assert all(result == results[0] for result in results)
    checks = [check for run in runs for check in run["checks"]]  # on the day of the load, and a year later
    assert len(checks) == 2 * RUNS
    assert all(check == checks[0] for check in checks)
    assert checks[0]["wrong"] == []


LAW, ENDED, NAMED = (f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99901, 99902, 99903))
ACT, YEAR = "urn:lex:br:federal:lei:2003-02-03;99908", "urn:lex:br:federal:lei:2003;99908"
TWIN = "urn:lex:br:federal:lei:2003-07-01;99908"
FIRST = f"{LAW}@2001-04-01;publicacao;2001-03-06"


def _sources() -> dict[str, list[Record]]:
    """Return laws with events that an act dates by its start of force, named in full, by year and by a provision of it;
    the act, an act with the same number and year, a fact that lets the act start earlier, and a copy of a provider."""
    ends = [event("revogacao", f"{LAW}!art2", None, None, ACT), event("revogacao", f"{LAW}!art3", None, None, YEAR)]
    parts = [
        Provision(part, within, number, (Wording(parse(FIRST), part, None, f"Texto de {part}."),))
        for number, (part, within) in enumerate({"cap1": None, "art1": "cap1", "art2": None, "art3": None}.items(), 1)
    ]
    law = record(FIRST, key="law", events=[*ends, event("suspensao", f"{LAW}!cap1", None, None, f"{ACT}!art9")])
    start = facts(f"{ACT} publicacao 2003-02-10 2003-02-05")
    return {
        "law": [replace(law, provisions=tuple(parts), coverage=Coverage.WHOLE)],
        "ended": [
            record(name, key=name, events=[event("revogacao", name, None, None, cause)])
            for name, cause in ((ENDED, ACT), (NAMED, YEAR))
        ],
        "act": [record(f"{ACT}@2003-03-20;publicacao;2003-02-04", ("altera", LAW), key="act")],
        "twin": [record(f"{TWIN}@2003-07-02;publicacao;2003-07-02", key="twin")],
        "fact": [*records(read_facts(source(start, "facts.toml")))],
        "copy": [record(FIRST, key="copy", provider="https://outro.example/oai", datestamp="2020-01-01")],
    }


def _rows(store: WritableStore) -> list[str]:
    """Return the dump of an index, which follows from its graph, and equals that of an index made anew."""
    dumps = []
    anew = NameIndex(None)
    fill(anew, store.engine)
    for names in (store.names, anew):
        names.refresh()
        with names.reading() as connection:
            dumps.append(list(dump(connection)))
    assert list(IndexComparison(store.names, store.engine).all()) == []
    assert dumps[0] == dumps[1]
    return dumps[0]


def test_rows_follow_the_records_in_each_order_and_after_withdrawal() -> None:
    """Load sources one by one in several orders, all at once, and with the act and its twin withdrawn again."""
    parts, ends, outcomes = _sources(), set[int](), set[tuple[str, str]]()
    orders = [[[name] for name in drawn] for drawn in [*permutations(parts)][::97]]
    for order in [*orders, [list(parts)]]:
        store = in_memory()
        for step in order:
            store.apply([record for name in step for record in parts[name]])
            _rows(store)
        loaded = _rows(store)
        rows = {(row.fragment, row.row.status) for row in store.names.full_text.rows(LAW)}
        assert {("art2", Status.REVOKED), ("art3", Status.UNKNOWN), ("art1", Status.UNKNOWN)} <= rows
        assert {row.row.status for row in store.names.full_text.rows(ENDED)} == {Status.UNKNOWN, Status.REVOKED}
        ends |= {row.row.days.start for row in store.names.full_text.rows(ENDED) if row.row.status is Status.REVOKED}
        for key in ("twin", "act", "copy"):
            store.apply([deletion(key, provider="https://outro.example/oai" if key == "copy" else PROVIDER)])
            left = _rows(store)
        outcomes.add(("\n".join(loaded), "\n".join(left)))
    assert len(outcomes) == 1
    assert ends == {date(2003, 2, 10).toordinal()}, "the earlier start"
