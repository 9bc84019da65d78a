"""Tests of states and payloads kept between harvests: written completely or not at all."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.errors import StoreDamaged
from loaders.harvest.archive import Archive, PageKind, read_archive
from loaders.harvest.state import Gap, Plan, State, StateFile, Window

URL = "https://provider.invalid/oai"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FRESH = State(URL, None, "oai_lexml")

moments = st.integers(0, 30_000_000_000).map(
    lambda seconds: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)
windows = st.builds(Window, st.none() | moments, st.none() | moments)
texts = st.text()
plans = st.builds(
    Plan,
    moments,
    st.lists(windows, max_size=4).map(tuple),
    st.none() | texts,
    st.integers(0),
    st.none() | st.integers(0),
    st.integers(0),
    st.integers(0),
    st.none() | moments,
    st.booleans(),
    st.booleans(),
    repeated=st.integers(0),
)
gaps = st.builds(Gap, windows, st.none() | texts, texts, texts, moments, st.none() | st.integers(0))
states = st.builds(
    State,
    st.just(URL),
    st.none() | texts,
    texts,
    st.none() | moments,
    st.none() | plans,
    st.lists(gaps, max_size=3).map(tuple),
    st.none() | st.dates(date(1970, 1, 1)),
)


@given(state=states)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_state_that_was_written_is_read_the_same(tmp_path: Path, state: State) -> None:
    StateFile(tmp_path / "state.json").write(state)
    assert StateFile(tmp_path / "state.json").read(State(URL, state.set, state.prefix)) == state


def test_unchanged_state_is_not_written(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "state.json")
    file.write(FRESH)
    before = (tmp_path / "state.json").stat().st_mtime_ns
    file.write(State(URL, None, "oai_lexml"))
    assert (tmp_path / "state.json").stat().st_mtime_ns == before
    assert file.read(FRESH) == FRESH
    file.write(FRESH)
    assert (tmp_path / "state.json").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"format": 2}', '{"format": 1}', "\x00", '{"format": 1, "url": 3}']
)
def test_invalid_state_is_reported_with_advice(tmp_path: Path, text: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(text)
    with pytest.raises(StoreDamaged, match="remove it to harvest"):
        StateFile(path).read(FRESH)


def test_state_of_another_list_is_rejected(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "state.json")
    file.write(State(URL, "leis", "oai_lexml"))
    with pytest.raises(StoreDamaged, match=r"set leis, prefix oai_lexml; expected .*, all sets, prefix oai_lexml"):
        file.read(FRESH)


def test_damaged_state_is_reported_or_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    StateFile(path).write(State(URL, None, "oai_lexml", NOW, Plan(NOW, (Window(NOW),), "t"), (), NOW.date()))
    stored_bytes = path.read_bytes()
    for cut in range(len(stored_bytes) - 2):  # the last two bytes are the closing brace and the line's end
        path.write_bytes(stored_bytes[:cut])
        with pytest.raises(StoreDamaged):
            StateFile(path).read(FRESH)


def test_watermark_never_decreases() -> None:
    later = NOW + timedelta(days=1)
    assert State(URL, None, "x", NOW, Plan(NOW, (), watermark=later)).finished().watermark == later
    assert State(URL, None, "x", later, Plan(NOW, (), watermark=NOW)).finished().watermark == later
    assert State(URL, None, "x", None, Plan(NOW, (), watermark=None)).finished().watermark is None


def test_payloads_are_returned_in_order(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "one", URL, None, "vigente/0")
    for number in range(5):
        archive.keep(PageKind.PAGE, NOW, NOW + timedelta(seconds=number), "p", b"page %d" % number * 100)
    archive.settle(changed=True)
    other = Archive(tmp_path / "two", URL, "leis", "vigente/0")
    other.keep(PageKind.MISSING, NOW, NOW + timedelta(seconds=2), "p", b"[]")
    other.settle(changed=True)
    entries = read_archive(tmp_path)
    assert [entry.fetched for entry in entries] == sorted(entry.fetched for entry in entries)
    assert [entry.payload() for entry in entries if entry.set is None] == [b"page %d" % n * 100 for n in range(5)]
    assert [(entry.kind, entry.payload()) for entry in entries if entry.set == "leis"] == [(PageKind.MISSING, b"[]")]


def test_payloads_without_changes_are_dropped(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "one", URL, None, "vigente/0")
    archive.keep(PageKind.PAGE, NOW, NOW, "p", b"a")
    archive.keep(PageKind.PAGE, NOW, NOW, "p", b"b")
    archive.settle(changed=False)
    assert not list((tmp_path / "one" / "pages").iterdir())
    archive.keep(PageKind.PAGE, NOW, NOW, "p", b"c")
    archive.settle(changed=True)
    archive.keep(PageKind.PAGE, NOW, NOW, "p", b"d")
    archive.settle(changed=False)
    archive.keep(PageKind.PAGE, NOW, NOW, "p", b"e")
    archive.settle(changed=True)
    assert [entry.payload() for entry in read_archive(tmp_path)] == [b"c", b"e"]


@pytest.mark.parametrize("file", ["gz", "jsonl"])
def test_partial_page_of_a_killed_process_is_overwritten(tmp_path: Path, file: str) -> None:
    first = Archive(tmp_path / "one", URL, None, "vigente/0")
    first.keep(PageKind.PAGE, NOW, NOW, "p", b"whole")
    first.settle(changed=True)
    (left,) = (tmp_path / "one" / "pages").glob(f"*.{file}")
    with left.open("ab") as stream:
        stream.write(b'{"kind": "pa')
    assert [entry.payload() for entry in read_archive(tmp_path)] == [b"whole"]
    again = Archive(tmp_path / "one", URL, None, "vigente/0")
    again.keep(PageKind.PAGE, NOW, NOW, "p", b"next")
    again.settle(changed=True)
    assert [entry.payload() for entry in read_archive(tmp_path)] == [b"whole", b"next"]


def test_damaged_payload_is_reported(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "one", URL, None, "vigente/0")
    archive.keep(PageKind.PAGE, NOW, NOW, "p", b"abcdefgh" * 1000)
    archive.settle(changed=True)
    (data,) = (tmp_path / "one" / "pages").glob("*.gz")
    stored_bytes = bytearray(data.read_bytes())
    (entry,) = read_archive(tmp_path)
    for place in range(10, len(stored_bytes), 3):  # after the header of the gzip member
        damaged = stored_bytes.copy()
        damaged[place] ^= 0xFF
        data.write_bytes(damaged)
        with pytest.raises(StoreDamaged):
            entry.payload()


def test_invalid_line_in_the_index_is_reported(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "one", URL, None, "vigente/0")
    archive.keep(PageKind.PAGE, NOW, NOW, "p", b"a")
    archive.settle(changed=True)
    (index,) = (tmp_path / "one" / "pages").glob("*.jsonl")
    index.write_text(json.dumps({"kind": "page"}) + "\n")
    with pytest.raises(StoreDamaged, match="line 1"):
        read_archive(tmp_path)


def test_checksum_detects_a_changed_state(tmp_path: Path) -> None:
    """Change a byte so that the state is well-formed with valid types: the checksum detects it."""
    path = tmp_path / "state.json"
    StateFile(path).write(State(URL, None, "oai_lexml", NOW, Plan(NOW, (Window(NOW),), "t"), (), NOW.date()))
    stored_bytes = path.read_bytes()
    changed = 0
    for place in range(len(stored_bytes)):
        for other in (stored_bytes[place] ^ 1, ord("9")):
            path.write_bytes(stored_bytes[:place] + bytes([other]) + stored_bytes[place + 1 :])
            try:
                state = StateFile(path).stored()
            except StoreDamaged:
                changed += 1
            else:
                assert state == StateFile(path).stored()
                assert state is not None
                assert (state.watermark, state.url) == (NOW, URL)
    assert changed > len(stored_bytes)


def test_state_without_checksum_is_read_and_rewritten_with_one(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    StateFile(path).write(FRESH)
    members = json.loads(path.read_bytes())
    assert len(members.pop("sha256")) == 64
    path.write_text(json.dumps(members))
    with pytest.raises(StoreDamaged, match="checksum"):
        StateFile(path).stored()
    path.write_text(json.dumps({**members, "format": 1}))
    file = StateFile(path)
    assert file.read(FRESH) == FRESH
    file.write(State(URL, None, "oai_lexml", NOW))
    assert "sha256" in json.loads(path.read_bytes())


def test_number_of_payload_files_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [NOW + timedelta(hours=n) for n in range(200)]
    for run in runs:
        archive = Archive(tmp_path / "one", URL, None, "vigente/0")
        archive.keep(PageKind.PAGE, run, run, "p", f"{run}".encode())
        archive.settle(changed=True)
    assert len(list((tmp_path / "one" / "pages").iterdir())) == 2
    assert [(entry.run, entry.payload()) for entry in read_archive(tmp_path)] == [
        (run, f"{run}".encode()) for run in runs
    ]
    monkeypatch.setattr("loaders.harvest.archive._FULL", 100)
    for run in [*runs[-3:], NOW]:  # a full file, and a clock that was set back
        archive = Archive(tmp_path / "one", URL, None, "vigente/0")
        for n in range(4):
            archive.keep(PageKind.PAGE, run, runs[-1] + timedelta(days=1), "p", b"%d" % n * 60)
        archive.settle(changed=True)
    assert len(read_archive(tmp_path)) == 216
    assert [entry.payload() for entry in read_archive(tmp_path)][200:] == [b"%d" % n * 60 for n in range(4)] * 4
