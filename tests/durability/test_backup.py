"""Tests of backups: a backup is a published state, also with a concurrent writer, and a restored store continues."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from graph import store as stores
from graph.entities import Record
from graph.errors import StoreDamaged, StoreLocked
from graph.quarantine import Quarantine, kept_keys
from graph.store import Store, open_for_writing
from graph.store import open as open_for_reading
from graph.store.backup import back_up, restore, verify
from loaders.harvest import list_writer
from loaders.harvest.report import ListResult
from loaders.harvest.state import Plan, stored_states
from queries.catalogue import named
from service.cli import main
from tests.support.backups import LATER, kept_store, names_in
from tests.support.harvesting import as_of_harvest, everything, numbers, once, quads_in, quads_of, repository
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer

Make = Callable[..., Record]
Quads = Callable[[Store], frozenset[str]]

ROOT = Path(__file__).resolve().parents[2]
KINDS = ["backup", "backup.tar"]


@pytest.fixture
def folder(tmp_path: Path, record: Make) -> Path:
    """Return the folder of a store with one record and two refused records."""
    return kept_store(tmp_path / "store", record)


def _read_store(folder: Path, quads: Quads) -> tuple[frozenset[str], list[tuple[str, str, str]], list[str]]:
    with open_for_reading(folder) as store:
        return quads(store), list(store.names), [kept.position for kept in Quarantine(folder / "quarantine").list()]


# Complete backups


@pytest.mark.parametrize("kind", KINDS)
def test_restored_store_equals_the_original_and_is_writable(
    kind: str, folder: Path, tmp_path: Path, record: Make, quads: Quads
) -> None:
    before = _read_store(folder, quads)
    made = back_up(folder, tmp_path / kind)
    assert verify(tmp_path / kind).files == made.files
    restored = restore(tmp_path / kind, tmp_path / "new" / "store")
    assert (restored.snapshot, restored.made, restored.bytes) == (made.snapshot, made.made, made.bytes)
    new = tmp_path / "new" / "store"
    assert names_in(tmp_path / "new") == ["store"]
    assert [*names_in(new), "tables.json"] == names_in(folder)  # tables.json describes only data outside snapshots
    assert _read_store(new, quads) == before
    for path in (folder, new):
        with open_for_writing(path) as store:
            assert not store.changed
            assert not store.undone
            store.apply([record(LATER, key="b")])
            store.rebuild()
    assert _read_store(new, quads) == _read_store(folder, quads) != before
    back_up(new, tmp_path / "again")
    assert verify(tmp_path / "again").snapshot == str(int(made.snapshot) + 1)


def test_backup_folder_is_readable_but_not_writable(folder: Path, tmp_path: Path, quads: Quads) -> None:
    back_up(folder, tmp_path / "backup")
    assert _read_store(tmp_path / "backup", quads) == _read_store(folder, quads)
    with pytest.raises(StoreDamaged), open_for_writing(tmp_path / "backup"):
        pass
    verify(tmp_path / "backup")


def test_backup_during_writing_has_the_published_state(
    folder: Path, tmp_path: Path, record: Make, quads: Quads
) -> None:
    before = _read_store(folder, quads)
    with open_for_writing(folder) as store:
        store.apply([record(LATER, key="b")])
        back_up(folder, tmp_path / "backup")
        with pytest.raises(StoreLocked), open_for_writing(folder):
            pass
    restore(tmp_path / "backup", tmp_path / "new")
    assert _read_store(tmp_path / "new", quads) == before != _read_store(folder, quads)


def test_backup_keeps_quarantine_entries_removed_by_an_open_writer(
    folder: Path, tmp_path: Path, record: Make, quads: Quads
) -> None:
    with open_for_writing(folder) as store:
        store.apply([record(LATER, key="b")])
        assert Quarantine(folder / "quarantine").clear_for("oai:1") == 1
        back_up(folder, tmp_path / "backup")
    assert _read_store(tmp_path / "backup", quads)[2] == ["record 1", "record 2"]
    assert _read_store(folder, quads)[2] == ["record 2"]
    assert len(names_in(folder / "quarantine")) == 2
    back_up(folder, tmp_path / "later")
    assert _read_store(tmp_path / "later", quads) == _read_store(folder, quads)


def test_backup_is_restarted_if_a_snapshot_is_published_meanwhile(
    folder: Path, tmp_path: Path, record: Make, quads: Quads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Publish, and remove refused records, after the snapshot is chosen and before the quarantine is copied."""
    times = iter([True])

    def publishing(quarantine: Path) -> list[str]:
        if next(times, False):
            with open_for_writing(folder) as store:
                store.apply([record(LATER, key="b")])
                Quarantine(quarantine).clear_for("oai:1")
        return kept_keys(quarantine)

    monkeypatch.setattr("graph.store.backup.kept_keys", publishing)
    assert back_up(folder, tmp_path / "backup").snapshot == (folder / "current").resolve().name
    assert _read_store(tmp_path / "backup", quads) == _read_store(folder, quads)


# During a harvest


def test_store_restored_during_a_harvest_resumes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt a harvest, resume it, and make a backup while the state is ahead of the published snapshot."""
    monkeypatch.setattr(list_writer, "BATCH_SIZE", 6)
    count = 60
    undisturbed, store, new = tmp_path / "undisturbed", tmp_path / "store", tmp_path / "new"
    holds = repository(count, size=3)
    ahead: list[int] = []

    def state() -> Plan:
        (stored,) = stored_states(store / "harvest")
        assert stored.under_way is not None
        return stored.under_way

    def stopping(_: ReceivedRequest) -> ScriptedAnswer | None:
        return Reply("away", 503, {"Retry-After": "100000"}) if len(_list_requests(server)) > 8 else None

    def copying(_: ReceivedRequest) -> ScriptedAnswer | None:
        if len(_list_requests(server)) == 18 and not ahead:
            end = time.monotonic() + 30
            while state().pages <= published and time.monotonic() < end:
                time.sleep(0.01)
            ahead.append(state().pages)
            back_up(store, tmp_path / "backup")
        return None

    with OaiServer(holds) as server:
        once(undisturbed, server.url)
        server.asked.clear()
        holds.hook = stopping
        assert once(store, server.url).ended is ListResult.PARTIAL
        half, published = numbers(store), state().pages
        assert 0 < len(half) < count
        kept_of_it = quads_in(as_of_harvest(store, "2999-01-01", tmp_path / "half.nq"))
        holds.hook = copying
        assert once(store, server.url).ended is ListResult.COMPLETE
        assert ahead[0] > published
        restore(tmp_path / "backup", new)
        assert numbers(new) == half
        (kept,) = stored_states(new / "harvest")
        assert kept.under_way is not None
        assert kept.under_way.pages == published
        assert quads_in(as_of_harvest(new, "2999-01-01", tmp_path / "later.nq")) == kept_of_it
        assert once(new, server.url).resumed
        for folder in (store, new):
            assert numbers(folder) == everything(count)
            assert quads_of(folder) == quads_of(undisturbed)
            kept_of_it = quads_in(as_of_harvest(undisturbed, "2999-01-01", tmp_path / f"{folder.name}1.nq"))
            assert quads_in(as_of_harvest(folder, "2999-01-01", tmp_path / f"{folder.name}2.nq")) == kept_of_it
            with stores.open(folder) as opened_store:
                assert len(list(named("harvest_runs").rows(opened_store))) == 1
        assert once(new, server.url).summary.loaded == 0


def _list_requests(server: OaiServer) -> list[ReceivedRequest]:
    return [request for request in server.asked if request.arguments["verb"] == "ListRecords"]


# Killed backups


KILLED_BACKUP_SCRIPT = """
import os, sys
from pathlib import Path
from graph.store.backup import back_up
from graph.store.backup import restore
def tell(done, of):
    if done > float(sys.argv[4]) * of:
        os.kill(os.getpid(), 9)
{"backup": back_up, "restore": restore}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]), tell)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_killed_backup_leaves_no_target_and_is_cleaned_up_later(
    kind: str, folder: Path, tmp_path: Path, quads: Quads
) -> None:
    back_up(folder, tmp_path / "sound")
    for operation, source, target in (("backup", folder, kind), ("restore", tmp_path / "sound", "new")):
        for share in ("0.5", "0.999") if kind == "backup" else ("0.8",):
            command = [
                sys.executable,
                "-c",
                KILLED_BACKUP_SCRIPT,
                operation,
                str(source),
                str(tmp_path / target),
                share,
            ]
            assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
            left = [name for name in names_in(tmp_path) if name.endswith(".part")]
            assert len(left) == 1
            assert not (tmp_path / target).exists()
        back_up(source, tmp_path / target) if operation == "backup" else restore(source, tmp_path / target)
        assert not [name for name in names_in(tmp_path) if name.endswith(".part")]
    verify(tmp_path / kind)
    assert _read_store(tmp_path / "new", quads) == _read_store(folder, quads)


# On the command line


def test_backup_commands_save_verify_and_restore(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, new = tmp_path / "backup.tar", tmp_path / "new"
    assert main(["--store", str(folder), "backup", str(backup), "--json"]) == 0
    output = capsys.readouterr()
    made = json.loads(output.out)
    assert (made["backup"], made["snapshot"], made["left_out"]) == (str(backup), "2", [])
    size = f"{made['files']} files, {made['bytes'] / 2**20:.1f} MiB"
    assert output.err == f"snapshot 2 in {backup}: {size}, every byte compared\n"
    assert main(["--store", str(new), "restore", str(backup), "--dry-run", "--json"]) == 0
    output = capsys.readouterr()
    assert output.err == f"{backup} is intact: snapshot 2, backed up at {made['made']}, {size}\n"
    assert json.loads(output.out)["store"] is None
    assert not new.exists()
    assert main(["--store", str(new), "restore", str(backup), "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out) == {
        "store": str(new),
        **{key: made[key] for key in ("snapshot", "made", "files", "bytes")},
    }
    assert main(["--store", str(new), "restore", str(backup)]) == 2
    assert main(["--store", str(folder), "backup", str(backup)]) == 2
    assert main(["--store", str(tmp_path / "none"), "backup", str(tmp_path / "other")]) == 4
    backup.write_bytes(backup.read_bytes()[:5000])
    assert main(["--store", str(tmp_path / "third"), "restore", str(backup)]) == 4
    output = capsys.readouterr()
    assert "Traceback" not in output.err
    assert all(line.startswith("vigente: ") for line in output.err.splitlines())
    assert names_in(tmp_path) == ["backup.tar", "new", "store"]


def test_missing_payload_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    with OaiServer(repository(3)) as server:
        once(store, server.url)
    (payload,) = (store / "harvest").glob("*/pages/*.gz")
    payload.unlink()
    assert main(["--store", str(store), "backup", str(tmp_path / "backup")]) == 0
    below = payload.relative_to(store / "harvest")
    assert f"note: the kept payload {below} no longer exists; the backup does not have it\n" in capsys.readouterr().err
    verify(tmp_path / "backup")
