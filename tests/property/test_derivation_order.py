"""The same sources give the same graph and the same index, in any order of loading and on any day."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import values

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
