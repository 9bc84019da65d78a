"""Tests of backups and of a store of an earlier version: both continue, and damage is reported, not restored."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tarfile
import time
import tomllib
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from graph import store as stores
from graph.errors import BadParameter, NotAStore, StoreDamaged, StoreLocked, StoreProblem, VigenteError
from graph.quarantine import Quarantine, kept_keys
from graph.store import open_for_writing
from graph.store.backup import MANIFEST, back_up, restore, verify
from graph.store.folder import CURRENT
from graph.store.names import NAMES
from loaders.harvest import list_writer
from loaders.harvest.report import ListResult
from loaders.harvest.state import Plan, stored_states
from queries.catalogue import named
from service.cli import main
from tests.durability.conftest import Kit
from tests.support.harvesting import as_of_harvest, everything, exported, numbers, once, quads_in, quads_of, repository
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer

# Backups


ROOT = Path(__file__).resolve().parents[2]
KINDS = ["backup", "backup.tar"]
INVALID = tomllib.loads((ROOT / "tests" / "data" / "invalid_backups.toml").read_text("utf-8"))["cases"]


def content(kit: Kit, folder: Path | None = None) -> tuple[frozenset[str], list[str]]:
    """Return what readers see of a store, and the positions of the refused records of its quarantine."""
    refused = Quarantine((folder or kit.folder) / "quarantine").list()
    return kit.read(folder), [entry.position for entry in refused]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Complete backups


@pytest.mark.parametrize("kind", KINDS)
def test_restored_store_equals_the_original_and_is_writable(kind: str, kit: Kit) -> None:
    before, new, backup = content(kit), kit.tmp / "new" / "store", kit.tmp / kind
    made = back_up(kit.folder, backup)
    assert verify(backup).files == made.files
    restored = restore(backup, new)
    assert (restored.snapshot, restored.made, restored.bytes) == (made.snapshot, made.made, made.bytes)
    assert names_in(new.parent) == ["store"]
    assert [*names_in(new), "tables.json"] == names_in(kit.folder)  # it describes only data outside snapshots
    assert content(kit, new) == before
    for path in (kit.folder, new):
        with open_for_writing(path) as store:
            assert store.changed is False
            store.apply(kit.batch(1))
            store.rebuild()
    assert content(kit, new) == content(kit) != before
    back_up(new, kit.tmp / "again")
    assert verify(kit.tmp / "again").snapshot == str(int(made.snapshot) + 1)
    if kind == "backup":
        assert content(kit, backup) == before
        with pytest.raises(StoreDamaged), open_for_writing(backup):
            pass
        verify(backup)


def test_backup_during_writing_has_the_published_state(kit: Kit) -> None:
    before = content(kit)
    with open_for_writing(kit.folder) as store:
        store.apply(kit.batch(1))
        assert Quarantine(kit.folder / "quarantine").clear_for("oai:1") == 1
        back_up(kit.folder, kit.tmp / "backup")
        with pytest.raises(StoreLocked), open_for_writing(kit.folder):
            pass
    restore(kit.tmp / "backup", kit.tmp / "new")
    assert content(kit, kit.tmp / "new") == before
    assert content(kit) == (kit.states(2)[2], ["record 2"])
    assert len(names_in(kit.folder / "quarantine")) == 2
    back_up(kit.folder, kit.tmp / "later")
    assert content(kit, kit.tmp / "later") == content(kit)


def test_backup_is_restarted_if_a_snapshot_is_published_meanwhile(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish, and remove refused records, after the snapshot is chosen and before the quarantine is copied."""
    times = iter([True])

    def publishing(quarantine: Path) -> list[str]:
        if next(times, False):
            with open_for_writing(kit.folder) as store:
                store.apply(kit.batch(1))
                Quarantine(quarantine).clear_for("oai:1")
        return kept_keys(quarantine)

    monkeypatch.setattr("graph.store.backup.kept_keys", publishing)
    assert back_up(kit.folder, kit.tmp / "backup").snapshot == (kit.folder / "current").resolve().name
    assert content(kit, kit.tmp / "backup") == content(kit) == (kit.states(2)[2], ["record 2"])


def test_store_restored_during_a_harvest_resumes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt a harvest, resume it, and make a backup while the state is ahead of the published snapshot."""
    monkeypatch.setattr(list_writer, "BATCH_SIZE", 6)
    count = 60
    undisturbed, store, new = tmp_path / "undisturbed", tmp_path / "store", tmp_path / "new"
    holds = repository(count, size=3)
    ahead: list[int] = []

    def lists() -> int:
        return sum(request.arguments["verb"] == "ListRecords" for request in server.asked)

    def plan(folder: Path) -> Plan:
        (stored,) = stored_states(folder / "harvest")
        assert stored.under_way is not None
        return stored.under_way

    def stopping(_: ReceivedRequest) -> ScriptedAnswer | None:
        return Reply("away", 503, {"Retry-After": "100000"}) if lists() > 8 else None

    def copying(_: ReceivedRequest) -> ScriptedAnswer | None:
        if lists() == 18 and not ahead:
            end = time.monotonic() + 30
            while plan(store).pages <= published and time.monotonic() < end:
                time.sleep(0.01)
            ahead.append(plan(store).pages)
            back_up(store, tmp_path / "backup")
        return None

    with OaiServer(holds) as server:
        once(undisturbed, server.url)
        server.asked.clear()
        holds.hook = stopping
        assert once(store, server.url).ended is ListResult.PARTIAL
        half, published = numbers(store), plan(store).pages
        assert 0 < len(half) < count
        kept_of_it = quads_in(as_of_harvest(store, "2999-01-01", tmp_path / "half.nq"))
        holds.hook = copying
        assert once(store, server.url).ended is ListResult.COMPLETE
        assert ahead[0] > published
        restore(tmp_path / "backup", new)
        assert (numbers(new), plan(new).pages) == (half, published)
        assert quads_in(as_of_harvest(new, "2999-01-01", tmp_path / "later.nq")) == kept_of_it
        assert once(new, server.url).resumed
        whole = quads_in(as_of_harvest(undisturbed, "2999-01-01", tmp_path / "undisturbed.nq"))
        for folder in (store, new):
            assert numbers(folder) == everything(count)
            assert quads_of(folder) == quads_of(undisturbed)
            assert quads_in(as_of_harvest(folder, "2999-01-01", tmp_path / f"{folder.name}.nq")) == whole
            with stores.open(folder) as opened_store:
                assert len(list(named("harvest_runs").rows(opened_store))) == 1
        assert once(new, server.url).summary.loaded == 0


KILLED_BACKUP_SCRIPT = """
import os, sys
from pathlib import Path
from graph.store.backup import back_up, restore
def tell(done, of):
    if done > float(sys.argv[4]) * of:
        os.kill(os.getpid(), 9)
{"backup": back_up, "restore": restore}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]), tell)
"""


@pytest.mark.parametrize(
    ("operation", "target", "share"),
    [("backup", "backup", "0.5"), ("backup", "backup.tar", "0.999"), ("restore", "new", "0.8")],
)
def test_killed_backup_leaves_no_target_and_is_cleaned_up_later(
    operation: str, target: str, share: str, kit: Kit
) -> None:
    back_up(kit.folder, kit.tmp / "sound")
    source = kit.folder if operation == "backup" else kit.tmp / "sound"
    command = [sys.executable, "-c", KILLED_BACKUP_SCRIPT, operation, str(source), str(kit.tmp / target), share]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert len(list(kit.tmp.glob("*.part"))) == 1
    assert not (kit.tmp / target).exists()
    if operation == "backup":
        back_up(source, kit.tmp / target)
        verify(kit.tmp / target)
    else:
        restore(source, kit.tmp / target)
        assert content(kit, kit.tmp / target) == content(kit)
    assert not list(kit.tmp.glob("*.part"))


# On the command line


def test_backup_commands_save_verify_and_restore(kit: Kit, capsys: pytest.CaptureFixture[str]) -> None:
    def told(code: int, store: Path, *words: object) -> tuple[str, str]:
        assert main(["--store", str(store), *map(str, words)]) == code
        output = capsys.readouterr()
        return output.out, output.err

    backup, new = kit.tmp / "backup.tar", kit.tmp / "new"
    out, err = told(0, kit.folder, "backup", backup, "--json")
    made = json.loads(out)
    assert (made["backup"], made["snapshot"], made["left_out"]) == (str(backup), "2", [])
    size = f"{made['files']} files, {made['bytes'] / 2**20:.1f} MiB"
    assert err == f"snapshot 2 in {backup}: {size}, every byte compared\n"
    out, err = told(0, new, "restore", backup, "--dry-run", "--json")
    assert err == f"{backup} is intact: snapshot 2, backed up at {made['made']}, {size}\n"
    assert json.loads(out)["store"] is None
    assert not new.exists()
    counts = {key: made[key] for key in ("snapshot", "made", "files", "bytes")}
    assert json.loads(told(0, new, "restore", backup, "--json")[0]) == {"store": str(new), **counts}
    errors = [
        told(2, new, "restore", backup)[1],
        told(2, kit.folder, "backup", backup)[1],
        told(4, kit.tmp / "none", "backup", kit.tmp / "other")[1],
    ]
    backup.write_bytes(backup.read_bytes()[:5000])
    errors.append(told(4, kit.tmp / "third", "restore", backup)[1])
    assert all(line.startswith("vigente: ") for error in errors for line in error.splitlines())
    assert names_in(kit.tmp) == ["backup.tar", "new", "store"]


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


# Damaged and invalid backups


def test_existing_target_is_not_overwritten(kit: Kit) -> None:
    (kit.tmp / "file").touch()
    back_up(kit.folder, kit.tmp / "backup")
    for target in ("backup", "file", "store"):
        with pytest.raises(BadParameter, match=r"already exists; give the name of a new file or folder"):
            back_up(kit.folder, kit.tmp / target)
        with pytest.raises(BadParameter, match=r"already exists and was not changed"):
            restore(kit.tmp / "backup", kit.tmp / target)
    with pytest.raises(BadParameter, match=r"is within the store"):
        back_up(kit.folder, kit.folder / "harvest" / "backup")
    with pytest.raises(BadParameter, match=r"expected a folder or a file ending in \.tar"):
        back_up(kit.folder, kit.tmp / "backup.tar.gz")
    (kit.tmp / "empty").mkdir()
    restore(kit.tmp / "backup", kit.tmp / "empty")
    assert names_in(kit.tmp) == ["backup", "empty", "file", "store"]


def _flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize("kind", KINDS)
def test_verify_detects_any_changed_byte(kind: str, kit: Kit) -> None:
    """Flip a byte in the middle of each file; in a folder, each file is also truncated by one byte, and removed."""
    sound = kit.tmp / "sound"
    back_up(kit.folder, sound)
    listed = json.loads((sound / MANIFEST).read_bytes())["files"]
    assert len(listed) > 12
    backup = sound if kind == "backup" else kit.tmp / "harmed.tar"
    for path in [name for name, entry in listed.items() if entry["size"]]:
        content = (sound / path).read_bytes()
        for harmed in (_flipped(content), content[:-1], None) if kind == "backup" else (_flipped(content),):
            (sound / path).unlink()
            if harmed is not None:
                (sound / path).write_bytes(harmed)
            if kind == "backup.tar":
                with tarfile.open(backup, "w") as archive:
                    for file in sorted(sound.rglob("*")):
                        if not file.is_dir() or file.is_symlink():
                            archive.add(file, file.relative_to(sound).as_posix(), recursive=False)
            with pytest.raises(StoreDamaged, match=rf"the backup {backup} is damaged: {path} \((its|expected|missing)"):
                restore(backup, kit.tmp / "new")
            assert names_in(kit.tmp) == sorted({"sound", "store", backup.name})
        (sound / path).write_bytes(content)
    verify(sound)


def test_truncated_archive_is_reported(kit: Kit) -> None:
    back_up(kit.folder, kit.tmp / "whole.tar")
    whole = (kit.tmp / "whole.tar").read_bytes()
    for length in (0, 1, 511, 512, 513, len(whole) // 3, len(whole) // 2, whole.rindex(b"backup.json")):
        (kit.tmp / "cut.tar").write_bytes(whole[:length])
        with pytest.raises(StoreProblem, match=r"is truncated|cannot be read"):
            restore(kit.tmp / "cut.tar", kit.tmp / "new")
        assert not (kit.tmp / "new").exists()


def make_invalid(path: Path, row: Mapping[str, Any]) -> None:
    """Make what a row of tests/data/invalid_backups.toml describes."""
    if "text" in row:
        path.write_text(row["text"], "utf-8")
    elif "archive" in row:
        member = tarfile.TarInfo(row["archive"])
        if "link" in row:
            member.type, member.linkname = tarfile.SYMTYPE, row["link"]
        with tarfile.open(path, "w") as archive:
            archive.addfile(member)
    elif set(row) > {"error", "message"}:
        path.mkdir()
        files = {name: {"size": 1, "sha256": "0"} for name in row.get("files", ())}
        listed = {
            "application": "vigente",
            "backup": 1,
            "snapshot": "1",
            "made": "2026-01-01T00:00:00Z",
            "files": files,
        }
        if "folder" not in row:
            (path / MANIFEST).write_text(row.get("list", json.dumps(listed | row.get("changed", {}))), "utf-8")


@pytest.mark.parametrize("row", INVALID, ids=str)
def test_invalid_backup_is_rejected_without_writing(row: Mapping[str, Any], tmp_path: Path) -> None:
    backup = tmp_path / "inner" / "it"
    backup.parent.mkdir()
    make_invalid(backup, row)
    before = sorted(tmp_path.rglob("*"))
    messages = []
    for use in (verify, lambda backup: restore(backup, tmp_path / "new")):
        with pytest.raises(VigenteError) as raised:
            use(backup)
        assert type(raised.value).__name__ == row["error"]
        messages.append(str(raised.value))
    assert messages[0] == messages[1]
    assert row["message"].format(path=backup) in messages[0]
    assert sorted(tmp_path.rglob("*")) == before


def _flip_a_table(snapshot: Path) -> str:
    table = max(snapshot.glob("*.sst"), key=lambda path: path.stat().st_size)
    when = table.stat().st_mtime_ns
    table.write_bytes(_flipped(table.read_bytes()))
    os.utime(table, ns=(when, when))  # as a disk that loses data does
    return (
        rf"the snapshot of .* is damaged: {table} is not what was published \(its SHA-256 differs\)\. "
        r"No backup was made; restore an earlier one \(`vigente restore`\), or load the sources again$"
    )


def _remove_a_file(snapshot: Path) -> str:
    (missing,) = snapshot.glob("MANIFEST-*")
    missing.unlink()
    return f"{missing.name} is missing"


def _truncate_names(size: int) -> Callable[[Path], str]:
    def harm(snapshot: Path) -> str:
        os.truncate(snapshot / NAMES, size)
        return "vigente rebuild"

    return harm


@pytest.mark.parametrize(
    "harm", [_flip_a_table, _remove_a_file, _truncate_names(0), _truncate_names(100), _truncate_names(4096)]
)
def test_damaged_snapshot_is_not_backed_up(harm: Callable[[Path], str], kit: Kit) -> None:
    message = harm((kit.folder / CURRENT).resolve())
    for kind in KINDS:
        with pytest.raises(StoreDamaged, match=message):
            back_up(kit.folder, kit.tmp / kind)
    assert names_in(kit.tmp) == ["store"]


@pytest.mark.parametrize("size", [0, 100, 4096])
def test_empty_or_truncated_name_index_in_a_backup_is_reported(kit: Kit, size: int) -> None:
    """Check a backup as earlier releases wrote it: its list has the size and the hash of the truncated index."""
    backup = kit.tmp / "backup"
    path = f"snapshots/{back_up(kit.folder, backup).snapshot}/{NAMES}"
    os.truncate(backup / path, size)
    manifest = json.loads((backup / MANIFEST).read_bytes())
    manifest["files"][path] = {"size": size, "sha256": sha256((backup / path).read_bytes()).hexdigest()}
    (backup / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    for use in (verify, lambda backup: restore(backup, kit.tmp / "restored")):
        with pytest.raises(StoreDamaged, match="empty or truncated"):
            use(backup)
    assert not (kit.tmp / "restored").exists()


# A store of an earlier version (commit 11e6922)

FIXTURE = Path(__file__).parents[1] / "data" / "stores" / "11e6922.tar.xz"
STORED_NUMBERS = {99901, *range(99903, 99913)}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a folder with ``store``, ``quads.json`` (its quads as the earlier version exported them) and ``url``."""
    with tarfile.open(FIXTURE) as kept:
        kept.extractall(tmp_path, filter="data")
    return tmp_path


def test_documented_rebuild_changes_no_answer(old: Path) -> None:
    """Kill a rebuild of the store, and rebuild it as the documentation says. Until then its snapshot is refused."""
    store, quads = old / "store", json.loads((old / "quads.json").read_text("utf-8"))
    page = (ROOT / "docs" / "how-to" / "operating.md").read_text("utf-8")
    assert "\n    vigente --store /var/lib/vigente/store rebuild\n" in page
    assert main(["--store", str(store), "check"]) == 4
    command = [sys.executable, "-m", "service", "--store", str(store), "rebuild"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(0.5)
        process.kill()
    assert main(["--store", str(store), "rebuild"]) == 0
    assert exported(store) == quads
    assert numbers(store) == STORED_NUMBERS
    assert main(["--store", str(store), "check"]) == 0
    assert main(["--store", str(store), "backup", str(old / "backup")]) == 0


def test_harvest_of_an_old_store_resumes_and_payloads_are_read(old: Path) -> None:
    store = old / "store"
    assert main(["--store", str(store), "rebuild"]) == 0
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
