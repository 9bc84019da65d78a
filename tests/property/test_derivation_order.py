"""The same sources give the same graph and the same index, in any order of loading and on any day."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SHARED = ROOT.parent / "shared"
#: Sources of one law, of norms without a day of publication, with and without a stated day of fetch.
BUNDLED = ("samples/oai", "samples/lexml_xml", "samples/facts")
REAL = (
    "data/planalto/L13709.html=2020-10-01",
    "data/normas/lgpd-excerpt.json",
    "data/normas/mpv-2206-1.json",
    "data/senado/lgpd-detalhe-excerpt.xml",
    "data/senado/lista-lei-14550.xml",
    "data/oai",
    "repro/turn3/town-xml",
    "repro/turn3/town-facts.toml",
    "repro/turn3/start-without-day.html",
)


def derived(store: Path, files: list[str], clock: int, zone: str, seed: str) -> list[object]:
    """Return the results of a load and of a rebuild, in a process of its own."""
    command = [sys.executable, "-m", "tests.support.deriving", str(store), str(clock), *files]
    environment = {**os.environ, "VIGENTE_TIMEZONE": zone, "PYTHONHASHSEED": seed}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    results: list[object] = json.loads(run.stdout)
    return results


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(not SHARED.is_dir(), reason="the real samples are beside the checkout only where it is developed")
def test_graph_and_index_depend_on_the_sources_alone(tmp_path: Path) -> None:
    files = [*(str(ROOT / file) for file in BUNDLED), *(str(SHARED / file) for file in REAL)]
    zones, clocks = ("Pacific/Niue", "Pacific/Kiritimati"), (0, 365, -365)
    results = []
    for turn in range(5):
        turned = [*files[2 * turn :], *files[: 2 * turn]]
        ordered = turned[::-1] if turn % 2 else turned
        store = tmp_path / str(turn)
        results += derived(store, ordered, clocks[turn % 3], zones[turn % 2], str(turn % 2))
    assert all(each == results[0] for each in results)
    assert isinstance(results[0], dict)
    assert results[0]["differing"] == 0
