"""Tests of states and payloads kept between harvests: written completely or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable
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
UNDER_WAY = State(URL, None, "oai_lexml", NOW, Plan(NOW, (Window(NOW),), "t"), (), NOW.date())

moments = st.integers(0, 30_000_000_000).map(lambda n: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=n))
windows = st.builds(Window, st.none() | moments, st.none() | moments)
texts = st.text()
counts = st.integers(0)
plans = st.builds(
    Plan,
    *(moments, st.lists(windows, max_size=4).map(tuple), st.none() | texts, counts, st.none() | counts, counts, counts),
    *(st.none() | moments, st.booleans(), st.booleans()),
    repeated=counts,
)
gaps = st.builds(Gap, windows, st.none() | texts, texts, texts, moments, st.none() | counts)
states = st.builds(
    State,
    *(st.just(URL), st.none() | texts, texts, st.none() | moments, st.none() | plans),
    *(st.lists(gaps, max_size=3).map(tuple), st.none() | st.dates(date(1970, 1, 1))),
)


# States


@given(state=states)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
def test_a_state_that_was_written_is_read_the_same(tmp_path: Path, state: State) -> None:
    StateFile(tmp_path / "state.json").write(state)
    assert StateFile(tmp_path / "state.json").read(State(URL, state.set, state.prefix)) == state


def test_unchanged_state_is_not_written(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "state.json")
    file.write(FRESH)
    before = (tmp_path / "state.json").stat().st_mtime_ns
    file.write(State(URL, None, "oai_lexml"))
    assert file.read(FRESH) == FRESH
    file.write(FRESH)
    assert (tmp_path / "state.json").stat().st_mtime_ns == before


def test_invalid_state_is_reported_with_advice(tmp_path: Path) -> None:
    """Check states that are no states, a state cut anywhere before its closing brace, and the state of another list."""
    file = StateFile(tmp_path / "state.json")
    file.write(UNDER_WAY)
    whole = (tmp_path / "state.json").read_bytes()
    cut = [whole[:end] for end in range(0, len(whole) - 2, 7)] + [whole[:-3]]
    for content in (b"[]", b"null", b'{"format": 2}', b'{"format": 1}', b"\0", b'{"format": 1, "url": 3}', *cut):
        (tmp_path / "state.json").write_bytes(content)
        with pytest.raises(StoreDamaged, match="remove it to harvest"):
            StateFile(tmp_path / "state.json").read(FRESH)
    file.write(State(URL, "leis", "oai_lexml"))
    with pytest.raises(StoreDamaged, match=r"set leis, prefix oai_lexml; expected .*, all sets, prefix oai_lexml"):
        file.read(FRESH)


def test_checksum_detects_a_changed_state(tmp_path: Path) -> None:
    """Change a byte so that the state is well-formed with valid types: the checksum detects it."""
    path = tmp_path / "state.json"
    StateFile(path).write(UNDER_WAY)
    whole = path.read_bytes()
    changed = 0
    for place in range(len(whole)):
        for other in (whole[place] ^ 1, ord("9")):
            path.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
            try:
                state = StateFile(path).stored()
            except StoreDamaged:
                changed += 1
            else:
                assert state is not None
                assert (state.watermark, state.url) == (NOW, URL)
    assert changed > len(whole)


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


def test_watermark_never_decreases() -> None:
    later = NOW + timedelta(days=1)
    for before, reached, after in ((NOW, later, later), (later, NOW, later), (None, None, None)):
        assert State(URL, None, "x", before, Plan(NOW, (), watermark=reached)).finished().watermark == after


# Payloads


def keep(folder: Path, *payloads: bytes, changed: bool = True, run: datetime = NOW, **of_list: str) -> None:
    """Keep the payloads of one harvest, one second after the other."""
    archive = Archive(folder / of_list.get("name", "one"), URL, of_list.get("set"), "vigente/0")
    for number, payload in enumerate(payloads):
        archive.keep(PageKind.PAGE, run, run + timedelta(seconds=number), "p", payload)
    archive.settle(changed=changed)


def kept(folder: Path) -> list[bytes]:
    return [entry.payload() for entry in read_archive(folder)]


def files(folder: Path, suffix: str) -> Iterable[Path]:
    return (folder / "one" / "pages").glob(f"*.{suffix}")


def test_payloads_are_returned_in_order_and_dropped_without_changes(tmp_path: Path) -> None:
    keep(tmp_path, b"a" * 100, b"b", changed=False)
    assert not list(files(tmp_path, "*"))
    pages = [b"page %d" % number * 100 for number in range(5)]
    keep(tmp_path, *pages)
    keep(tmp_path, b"c", changed=False)
    other = Archive(tmp_path / "two", URL, "leis", "vigente/0")
    other.keep(PageKind.MISSING, NOW, NOW + timedelta(seconds=2), "p", b"[]")
    other.settle(changed=True)
    entries = read_archive(tmp_path)
    assert [entry.fetched for entry in entries] == sorted(entry.fetched for entry in entries)
    assert [entry.payload() for entry in entries if entry.set is None] == pages
    assert [(entry.kind, entry.payload()) for entry in entries if entry.set == "leis"] == [(PageKind.MISSING, b"[]")]


@pytest.mark.parametrize("suffix", ["gz", "jsonl"])
def test_partial_page_of_a_killed_process_is_overwritten(tmp_path: Path, suffix: str) -> None:
    keep(tmp_path, b"whole")
    (left,) = files(tmp_path, suffix)
    with left.open("ab") as stream:
        stream.write(b'{"kind": "pa')
    assert kept(tmp_path) == [b"whole"]
    keep(tmp_path, b"next")
    assert kept(tmp_path) == [b"whole", b"next"]


def test_damaged_payload_and_index_are_reported(tmp_path: Path) -> None:
    keep(tmp_path, b"abcdefgh" * 1000)
    (data,), (index,) = files(tmp_path, "gz"), files(tmp_path, "jsonl")
    whole = data.read_bytes()
    (entry,) = read_archive(tmp_path)
    for place in range(10, len(whole), 3):  # after the header of the gzip member
        data.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with pytest.raises(StoreDamaged):
            entry.payload()
    index.write_text(json.dumps({"kind": "page"}) + "\n")
    with pytest.raises(StoreDamaged, match="line 1"):
        read_archive(tmp_path)


def test_number_of_payload_files_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [NOW + timedelta(hours=n) for n in range(50)]
    for run in runs:
        keep(tmp_path, f"{run}".encode(), run=run)
    assert len(list(files(tmp_path, "*"))) == 2
    assert kept(tmp_path) == [f"{run}".encode() for run in runs]
    monkeypatch.setattr("loaders.harvest.archive._FULL", 100)
    for run in [*runs[-3:], NOW]:  # a full file, and a clock that was set back
        archive = Archive(tmp_path / "one", URL, None, "vigente/0")
        for n in range(4):
            archive.keep(PageKind.PAGE, run, runs[-1] + timedelta(days=1), "p", b"%d" % n * 60)
        archive.settle(changed=True)
    assert kept(tmp_path)[50:] == [b"%d" % n * 60 for n in range(4)] * 4
