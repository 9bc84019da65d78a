"""Tests that a store of an earlier version (commit 11e6922: 12 fictional norms, harvested twice) can be used."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

from graph import store as stores
from graph.errors import NotAStore
from service.cli import main
from tests.support.harvesting import as_of_harvest, exported, numbers, once, quads_in, repository
from tests.support.oai_server import OaiServer

ROOT = Path(__file__).resolve().parents[2]
FIXTURE = Path(__file__).parents[1] / "data" / "stores" / "11e6922.tar.xz"
STORED_NUMBERS = {99901, *range(99903, 99913)}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a folder with ``store``, ``quads.json`` (its quads as the earlier version exported them) and ``url``."""
    with tarfile.open(FIXTURE) as kept:
        kept.extractall(tmp_path, filter="data")
    return tmp_path


def test_documented_rebuild_changes_no_answer(old: Path) -> None:
    """Kill a rebuild of the store, and rebuild it as the documentation says."""
    store, quads = old / "store", json.loads((old / "quads.json").read_text("utf-8"))
    page = (ROOT / "docs" / "how-to" / "operating.md").read_text("utf-8")
    assert "\n    vigente --store /var/lib/vigente/store rebuild\n" in page
    assert exported(store) == quads
    assert numbers(store) == STORED_NUMBERS
    assert main(["--store", str(store), "check"]) == 0
    command = [sys.executable, "-m", "service", "--store", str(store), "rebuild"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(0.5)
        process.kill()
    assert exported(store) == quads
    assert main(["--store", str(store), "rebuild"]) == 0
    assert exported(store) == quads
    assert main(["--store", str(store), "check"]) == 0
    assert main(["--store", str(store), "backup", str(old / "backup")]) == 0


def test_harvest_of_an_old_store_resumes_and_payloads_are_read(old: Path) -> None:
    store = old / "store"
    assert quads_in(as_of_harvest(store, "2999-01-01", old / "before.nq"))
    provider = repository(12, size=5)
    provider.change(99901, text="Outra ementa.", stamp="2026-03-01T00:00:00Z")
    provider.change(99902, deleted=True, stamp="2026-03-01T00:00:00Z")
    provider.change(99903, text="Terceira.", stamp="2026-06-01T00:00:00Z")
    with OaiServer(provider) as server:
        assert main(["--store", str(store), "provider", "move", (old / "url").read_text("utf-8"), server.url]) == 0
        report = once(store, server.url)
        # The changed record; and the two by which the harvests overlap, because the loader has a new version.
        assert (report.summary.loaded, report.summary.deleted) == (2, 1)
        lists = [asked.arguments for asked in server.asked if asked.arguments.get("verb") == "ListRecords"]
        assert [arguments["from"] for arguments in lists] == ["2026-01-30T00:00:00Z"]
    assert numbers(store) == STORED_NUMBERS
    assert any("Terceira." in quad for quad in exported(store))


def test_unknown_layout_is_rejected(old: Path) -> None:
    for layout in (1, 2, 4, None):
        (old / "store" / "store.json").write_text(json.dumps({"application": "vigente", "layout": layout}), "utf-8")
        with pytest.raises(NotAStore, match=r"this version of Vigente supports layout 3"):
            stores.open(old / "store")
