"""Tests of invalid or damaged backups: an error is reported, nothing is restored, and nothing is overwritten."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from graph.entities import Record
from graph.errors import BadParameter, NotAStore, StoreDamaged, StoreProblem, VigenteError
from graph.store.backup import MANIFEST, back_up, restore, verify
from graph.store.folder import CURRENT
from graph.store.names import NAMES
from tests.support.backups import kept_store, names_in

KINDS = ["backup", "backup.tar"]


@pytest.fixture
def folder(tmp_path: Path, record: Callable[..., Record]) -> Path:
    """Return the folder of a store with one record and two refused records."""
    return kept_store(tmp_path / "store", record)


def test_existing_target_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    back_up(folder, tmp_path / "backup")
    for target in ("backup", "file", "store"):
        with pytest.raises(BadParameter, match=r"already exists; give the name of a new file or folder"):
            back_up(folder, tmp_path / target)
        with pytest.raises(BadParameter, match=r"already exists and was not changed"):
            restore(tmp_path / "backup", tmp_path / target)
    with pytest.raises(BadParameter, match=r"is within the store"):
        back_up(folder, folder / "harvest" / "backup")
    with pytest.raises(BadParameter, match=r"expected a folder or a file ending in \.tar"):
        back_up(folder, tmp_path / "backup.tar.gz")
    (tmp_path / "empty").mkdir()
    restore(tmp_path / "backup", tmp_path / "empty")
    assert names_in(tmp_path) == ["backup", "empty", "file", "store"]


@pytest.mark.parametrize("kind", KINDS)
def test_verify_detects_any_changed_byte(kind: str, folder: Path, tmp_path: Path) -> None:
    """Flip a byte in the middle of each file; in a folder, each file is also truncated by one byte, and removed."""
    back_up(folder, tmp_path / "sound")
    listed = json.loads((tmp_path / "sound" / "backup.json").read_bytes())["files"]
    assert len(listed) > 12
    for path in [name for name, entry in listed.items() if entry["size"]]:
        content = (tmp_path / "sound" / path).read_bytes()
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        for harmed in (flipped, content[:-1], None) if kind == "backup" else (flipped,):
            backup = _damaged_copy(tmp_path, kind, path, harmed)
            with pytest.raises(StoreDamaged, match=rf"the backup {backup} is damaged: {path} \((its|expected|missing)"):
                restore(backup, tmp_path / "new")
            assert names_in(tmp_path) == sorted(["sound", "store", backup.name])
            shutil.rmtree(backup) if backup.is_dir() else backup.unlink()


def _damaged_copy(folder: Path, kind: str, path: str, content: bytes | None) -> Path:
    """Return a copy of the backup ``sound`` with other bytes in a file, or without the file."""
    copy = folder / "harmed"
    shutil.copytree(folder / "sound", copy, symlinks=True)
    (copy / path).unlink()
    if content is not None:
        (copy / path).write_bytes(content)
    if kind == "backup":
        return copy
    with tarfile.open(folder / "harmed.tar", "w") as archive:
        for file in sorted(copy.rglob("*")):
            if not file.is_dir() or file.is_symlink():
                archive.add(file, file.relative_to(copy).as_posix(), recursive=False)
    shutil.rmtree(copy)
    return folder / "harmed.tar"


def test_truncated_file_is_reported(folder: Path, tmp_path: Path) -> None:
    back_up(folder, tmp_path / "whole.tar")
    archive_bytes = (tmp_path / "whole.tar").read_bytes()
    for length in (
        0,
        1,
        511,
        512,
        513,
        len(archive_bytes) // 3,
        len(archive_bytes) // 2,
        archive_bytes.rindex(b"backup.json"),
    ):
        (tmp_path / "cut.tar").write_bytes(archive_bytes[:length])
        with pytest.raises(StoreProblem, match=r"is truncated|cannot be read"):
            restore(tmp_path / "cut.tar", tmp_path / "new")
        assert not (tmp_path / "new").exists()


def _archive_maker(name: str, content: bytes = b"x", **changed: Any) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with tarfile.open(path, "w") as archive:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            for field, value in changed.items():
                setattr(member, field, value)
            archive.addfile(member, io.BytesIO(content))

    return make


def _backup_list_maker(content: object) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.mkdir()
        (path / "backup.json").write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")

    return make


def _backup_list(*paths: str) -> dict[str, object]:
    files = {path: {"size": 1, "sha256": "0"} for path in paths}
    return {"application": "vigente", "backup": 1, "snapshot": "1", "made": "2026-01-01T00:00:00Z", "files": files}


INVALID_BACKUPS: dict[str, tuple[Callable[[Path], object], type[VigenteError], str]] = {
    "nothing": (lambda _: 0, BadParameter, "expected a backup, got {path}, which does not exist"),
    "a folder": (lambda path: path.mkdir(), NotAStore, "{path} is not a backup of Vigente: expected backup.json in it"),
    "an empty file": (lambda path: path.touch(), NotAStore, "{path} is not a backup of Vigente, or is truncated"),
    "a text": (
        lambda path: path.write_text("text" * 999),
        NotAStore,
        "{path} is not a backup of Vigente, or is truncated",
    ),
    "out of it": (_archive_maker("../up"), NotAStore, "'../up' is not a file of a store"),
    "absolute": (_archive_maker("/etc/it"), NotAStore, "'/etc/it' is not a file of a store"),
    "up within": (_archive_maker("quarantine/.."), NotAStore, "'quarantine/..' is not a file of a store"),
    "data": (_archive_maker("data/CURRENT"), NotAStore, "'data/CURRENT' is not a file of a store"),
    "a link": (
        _archive_maker("demo", b"", type=tarfile.SYMTYPE, linkname="/"),
        NotAStore,
        "'demo' in it is not a file",
    ),
    "no list": (
        _archive_maker("demo"),
        StoreDamaged,
        "the backup {path} is truncated: its last file, backup.json, is missing",
    ),
    "empty list": (
        _backup_list_maker(""),
        StoreDamaged,
        "backup.json of the backup {path} cannot be read: JSONDecodeError",
    ),
    "another list": (
        _backup_list_maker([]),
        StoreDamaged,
        "backup.json of the backup {path} cannot be read: TypeError",
    ),
    "newer": (
        _backup_list_maker({**_backup_list(), "backup": 2}),
        NotAStore,
        "was written by 'vigente' in format 2; this version reads",
    ),
    "foreign": (
        _backup_list_maker({**_backup_list(), "application": "x"}),
        NotAStore,
        "was written by 'x' in format 1",
    ),
    "listed out of it": (_backup_list_maker(_backup_list("../up")), NotAStore, "['../up'] is not a file of a store"),
    "listed absolute": (
        _backup_list_maker(_backup_list("/etc/passwd")),
        NotAStore,
        "['/etc/passwd'] is not a file of a store",
    ),
    "snapshot": (
        _backup_list_maker({**_backup_list(), "snapshot": "../1"}),
        NotAStore,
        "../1 is not a file of a store",
    ),
    "nothing in it": (_backup_list_maker(_backup_list()), StoreDamaged, "is damaged: store.json (not in its list)"),
}


@pytest.mark.parametrize("case", INVALID_BACKUPS)
def test_invalid_backup_is_rejected_without_writing(case: str, tmp_path: Path) -> None:
    make, error, message = INVALID_BACKUPS[case]
    inner = tmp_path / "inner"
    inner.mkdir()
    make(inner / "it")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(error) as raised:
        restore(inner / "it", inner / "new")
    assert message.format(path=inner / "it") in str(raised.value)
    with pytest.raises(error) as again:
        verify(inner / "it")
    assert str(again.value) == str(raised.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_damaged_snapshot_is_not_backed_up(folder: Path, tmp_path: Path) -> None:
    table = max((folder / "current").glob("*.sst"), key=lambda path: path.stat().st_size)
    when = table.stat().st_mtime_ns
    flipped = bytearray(table.read_bytes())
    flipped[len(flipped) // 2] ^= 1
    table.write_bytes(flipped)
    os.utime(table, ns=(when, when))  # as a disk that loses data does
    for kind in KINDS:
        with pytest.raises(StoreDamaged) as raised:
            back_up(folder, tmp_path / kind)
        assert str(raised.value) == (
            f"the snapshot of {folder} is damaged: {table.resolve()} is not what was published (its SHA-256 "
            "differs). No backup was made; restore an earlier one (`vigente restore`), or load the sources again"
        )
    assert names_in(tmp_path) == ["store"]


def _truncate(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


@pytest.mark.parametrize("size", [0, 100, 4096])
def test_empty_or_truncated_name_index_is_not_backed_up(folder: Path, tmp_path: Path, size: int) -> None:
    _truncate((folder / CURRENT).resolve() / NAMES, size)
    with pytest.raises(StoreDamaged, match="vigente rebuild"):
        back_up(folder, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


@pytest.mark.parametrize("size", [0, 100, 4096])
def test_empty_or_truncated_name_index_in_a_backup_is_reported(folder: Path, tmp_path: Path, size: int) -> None:
    """Check a backup as earlier releases wrote it: its list has the size and the hash of the truncated index."""
    backup = tmp_path / "backup"
    result = back_up(folder, backup)
    path = f"snapshots/{result.snapshot}/{NAMES}"
    _truncate(backup / path, size)
    manifest = json.loads((backup / MANIFEST).read_bytes())
    manifest["files"][path] = {"size": size, "sha256": sha256((backup / path).read_bytes()).hexdigest()}
    (backup / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(StoreDamaged, match="empty or truncated"):
        verify(backup)
    with pytest.raises(StoreDamaged, match="empty or truncated"):
        restore(backup, tmp_path / "restored")
    assert not (tmp_path / "restored").exists()


def test_missing_file_is_reported_by_name(folder: Path, tmp_path: Path) -> None:
    (missing,) = list((folder / CURRENT).resolve().glob("MANIFEST-*"))
    missing.unlink()
    with pytest.raises(StoreDamaged, match=f"{missing.name} is missing"):
        back_up(folder, tmp_path / "backup")
