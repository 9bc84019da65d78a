"""Tests of the quarantine: refused records are kept once and whole, and damaged files do not stop reading."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import StoreProblem
from graph.quarantine import (
    MAX_PAYLOAD,
    DamagedFile,
    Quarantine,
    QuarantinedRecord,
    Refusal,
    kept_keys,
    remove_released,
)

REFUSAL = Refusal(
    origin="pages.zip!p3.xml",
    position="record 12",
    identifier="oai:exemplo.gov.br:r/1",
    code="bad-name",
    problem="expected a name",
    expected="a name, LexML 1.0 part 2",
    kind="oai_lexml",
    payload=b"<record>\x00\xff</record>",
    datestamp="2026-01-01",
    provider="https://oai.exemplo.gov.br",
)


@pytest.fixture
def quarantine(tmp_path: Path) -> Quarantine:
    return Quarantine(tmp_path / "store" / "quarantine")


def test_empty_quarantine_creates_no_folder(quarantine: Quarantine) -> None:
    assert (quarantine.list(), quarantine.damaged(), quarantine.count()) == ((), (), 0)
    assert quarantine.clear_for("x") == 0
    assert not quarantine.folder.exists()


def test_quarantined_payload_is_returned_whole(quarantine: Quarantine) -> None:
    key = quarantine.put(REFUSAL)
    (kept,) = quarantine.list()
    stated = {name: value for name, value in asdict(REFUSAL).items() if name != "payload"}
    digest, size = sha256(REFUSAL.payload).hexdigest(), len(REFUSAL.payload)
    assert kept == QuarantinedRecord(key=key, **stated, payload_sha256=digest, payload_size=size)
    assert (kept.truncated, kept.whole_sha256, kept.form, kept.column) == (False, None, None, None)
    assert quarantine.payload(kept) == REFUSAL.payload
    assert sorted(path.name for path in quarantine.folder.iterdir()) == [f"{key}.bin", f"{key}.json"]


def test_identical_refusals_are_stored_once(quarantine: Quarantine) -> None:
    keys = {quarantine.put(REFUSAL), quarantine.put(replace(REFUSAL, origin="other.xml", position="record 1"))}
    assert (len(keys), quarantine.count()) == (1, 1)
    for other in ({"payload": b"x"}, {"code": "no-name"}, {"identifier": None}, {"kind": "names"}):
        keys.add(quarantine.put(replace(REFUSAL, **other)))
    assert (len(keys), quarantine.count()) == (5, 5)


def test_refusals_are_sorted_by_origin_and_position(quarantine: Quarantine) -> None:
    for origin, position in [("b", "record 1"), ("a", "record 12"), ("a", "record 2"), ("a", "line 10, column 2")]:
        quarantine.put(replace(REFUSAL, origin=origin, position=position, payload=(origin + position).encode()))
    assert [(kept.origin, kept.position) for kept in quarantine.list()] == [
        ("a", "line 10, column 2"),
        ("a", "record 2"),
        ("a", "record 12"),
        ("b", "record 1"),
    ]


def test_refusals_are_removed_and_cleared(quarantine: Quarantine) -> None:
    first = quarantine.put(REFUSAL)
    quarantine.put(replace(REFUSAL, payload=b"2"))
    quarantine.put(replace(REFUSAL, identifier="another"))
    assert (quarantine.remove(first), quarantine.remove(first)) == (True, False)
    assert Quarantine(quarantine.folder).clear_for("oai:exemplo.gov.br:r/1") == 1
    assert [kept.identifier for kept in quarantine.list()] == ["another"]
    assert quarantine.clear_for("another") == 1
    assert len(kept_keys(quarantine.folder)) == 3  # until their replacements are published
    remove_released(quarantine.folder)
    assert list(quarantine.folder.iterdir()) == []


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "A" * 64, "0" * 63])
def test_remove_accepts_only_a_key(quarantine: Quarantine, key: str) -> None:
    with pytest.raises(ValueError, match="expected a key of 64 lower-case hexadecimal digits, got "):
        quarantine.remove(key)


@pytest.mark.parametrize("extra", [0, 1])
def test_payload_is_truncated_at_the_limit(quarantine: Quarantine, extra: int) -> None:
    payload = b"x" * (MAX_PAYLOAD + extra)
    quarantine.put(replace(REFUSAL, payload=payload))
    (kept,) = quarantine.list()
    assert (kept.payload_size, kept.truncated) == (MAX_PAYLOAD, extra == 1)
    assert kept.whole_sha256 == (sha256(payload).hexdigest() if extra else None)
    assert quarantine.payload(kept) == payload[:MAX_PAYLOAD]


@pytest.mark.parametrize(
    ("metadata", "problem"),
    [
        (b"", "not JSON: the file was changed or truncated"),
        (b"\xff", "not JSON: the file was changed or truncated"),
        (b"[" * 100_000, "not JSON: the file was changed or truncated"),
        (b"[]", "not the metadata of a refused record: the file was changed"),
        (b'{"format": 2}', "not the metadata of a refused record: the file was changed"),
    ],
)
def test_damaged_metadata_is_reported(quarantine: Quarantine, metadata: bytes, problem: str) -> None:
    key = quarantine.put(REFUSAL)
    good = quarantine.put(replace(REFUSAL, payload=b"good"))
    (quarantine.folder / f"{key}.json").write_bytes(metadata)
    assert quarantine.damaged() == (DamagedFile(f"{key}.json", problem),)
    assert [kept.key for kept in quarantine.list()] == [good]
    assert quarantine.count() == 1
    quarantine.put(REFUSAL)
    assert (quarantine.damaged(), quarantine.count()) == ((), 2)


@pytest.mark.parametrize("name", ["key", "origin", "payload_size", "truncated", "identifier", "form"])
def test_metadata_field_of_the_wrong_type_is_reported_as_damaged(quarantine: Quarantine, name: str) -> None:
    path = quarantine.folder / f"{quarantine.put(REFUSAL)}.json"
    fields = json.loads(path.read_bytes())
    path.write_text(json.dumps({**fields, name: []}))
    assert [damaged.file for damaged in quarantine.damaged()] == [path.name]


def test_damaged_payload_is_reported(quarantine: Quarantine) -> None:
    key = quarantine.put(REFUSAL)
    (kept,) = quarantine.list()
    path = quarantine.folder / f"{key}.bin"
    path.write_bytes(b"X" * len(REFUSAL.payload))
    expected = f"expected SHA-256 {kept.payload_sha256}, got another: the file was changed"
    assert quarantine.payload(kept) == DamagedFile(f"{key}.bin", expected)
    path.write_bytes(b"X")
    assert quarantine.damaged() == (DamagedFile(f"{key}.json", f"its payload {key}.bin should have 19 bytes, has 1"),)
    path.unlink()
    assert [damaged_file.problem for damaged_file in quarantine.damaged()] == [
        f"its payload {key}.bin cannot be read: No such file or directory"
    ]
    assert quarantine.payload(kept) == DamagedFile(f"{key}.bin", "cannot be read: No such file or directory")


def test_partial_and_foreign_files_are_reported_and_partial_ones_repaired(quarantine: Quarantine) -> None:
    key = quarantine.put(REFUSAL)
    (quarantine.folder / f"{key}.json").unlink()
    (quarantine.folder / f".{key}.json").write_bytes(b"half")
    assert quarantine.count() == 0
    assert quarantine.damaged() == (
        DamagedFile(f"{key}.bin", "a payload without its metadata: the load that refused it was killed; load again"),
    )
    quarantine.put(REFUSAL)
    assert (quarantine.count(), quarantine.damaged()) == (1, ())
    (quarantine.folder / "notes.txt").write_bytes(b"")
    assert quarantine.damaged() == (DamagedFile("notes.txt", "not a file of the quarantine"),)


@given(st.text(), st.text(), st.binary(), st.one_of(st.none(), st.text()))
def test_any_refusal_round_trips(identifier: str, problem: str, payload: bytes, column: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        quarantine = Quarantine(Path(folder))
        refusal = replace(REFUSAL, identifier=identifier, problem=problem, payload=payload, column=column)
        quarantine.put(refusal)
        (kept,) = quarantine.list()
        assert (kept.identifier, kept.problem, kept.column) == (identifier, problem, column)
        assert quarantine.payload(kept) == payload


def test_unwritable_folder_raises_store_problem(tmp_path: Path) -> None:
    (tmp_path / "quarantine").write_bytes(b"a file")
    with pytest.raises(StoreProblem) as raised:
        Quarantine(tmp_path / "quarantine").put(REFUSAL)
    assert str(raised.value) == f"the quarantine {tmp_path}/quarantine cannot be written: File exists"
