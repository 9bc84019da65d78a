"""Tests of the settings of harvests: providers, windows of datestamps, and redirects."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.harvest.providers import BadProviders, Provider, read_providers
from loaders.harvest.state import DAY, SECOND, Window
from loaders.oai_pmh.fetching import is_elsewhere
from tests.support.cases import DATA, values


def read(tmp_path: Path, text: str) -> list[Provider]:
    path = tmp_path / "providers.toml"
    path.write_text(text, encoding="utf-8")
    return read_providers(path)


def test_defaults_apply_to_all_and_sets_are_separate_lists() -> None:
    leis, decretos, sapl = read_providers(DATA / "tables" / "providers.toml")
    assert (leis.name, leis.set, leis.politeness, leis.publisher) == ("exemplo/leis", "leis", 0.5, "Câmara Fictícia")
    assert (decretos.name, decretos.set) == ("exemplo/decretos", "decretos")
    assert (sapl.name, sapl.politeness, sapl.reconcile_days) == ("sapl.invalid:8080", 2, 30)
    assert sapl.keep_payloads is False
    assert len({provider.key for provider in (leis, decretos, sapl)}) == 3
    assert leis.host == decretos.host != sapl.host


@pytest.mark.parametrize(("text", "message"), values("harvest_settings", "invalid_value_is_reported_with_its_position"))
def test_invalid_value_is_reported_with_its_position(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadProviders, match=message) as caught:
        read(tmp_path, text)
    assert "secret" not in str(caught.value)


def test_unreadable_provider_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadProviders, match="not valid TOML"):
        read_providers(tmp_path / "a.toml")
    with pytest.raises(BadProviders, match="cannot be read"):
        read_providers(tmp_path / "b.toml")
    with pytest.raises(BadProviders, match="cannot be read"):
        read_providers(tmp_path)


def test_folder_of_a_list_is_stable() -> None:
    assert Provider("https://provider.invalid/oai").key == "provider.invalid-a7c06838df8d"
    assert "/" not in Provider("https://provider.invalid:8443/../x", "a/../b").key


# Windows of datestamps: the two halves cover exactly the window


EARLIEST = datetime(2001, 1, 1, 10, tzinfo=UTC)
NOW = datetime(2026, 1, 1, 12, 30, tzinfo=UTC)
moments = st.integers(0, 780_000_000).map(lambda seconds: datetime(2001, 1, 2, tzinfo=UTC) + timedelta(seconds=seconds))


def holds(window: Window, stamped: str, unit: timedelta) -> bool:
    """Return whether a provider selects a datestamp: ``from`` and ``until`` are inclusive (OAI-PMH 2.0, 2.7.1)."""
    first, last = window.from_(unit), window.until(unit)
    return (first is None or first <= stamped) and (last is None or stamped <= last)


def stamped(when: datetime, unit: timedelta) -> str:
    text = Window(when).from_(unit)
    assert text is not None
    return text


@pytest.mark.parametrize("unit", [DAY, SECOND])
@given(start=st.none() | moments, length=st.none() | st.integers(0, 10**9), probe=moments)
def test_each_stamp_of_a_window_is_in_exactly_one_half(
    unit: timedelta, start: datetime | None, length: int | None, probe: datetime
) -> None:
    end = None if length is None else (start or EARLIEST) + timedelta(seconds=length)
    window = Window(start, end)
    halves = window.halves(unit, EARLIEST, NOW)
    if halves is None:
        assert start is None or end is None or stamped(start, unit) >= stamped(end, unit)
        return
    for when in (probe, start or EARLIEST, end or NOW, EARLIEST - timedelta(days=900), NOW + timedelta(days=2)):
        text = stamped(when, unit)
        assert sum(holds(half, text, unit) for half in halves) == holds(window, text, unit)


@pytest.mark.parametrize(("unit", "most"), [(DAY, 14), (SECOND, 30)])
def test_halving_reaches_one_unit_in_a_bounded_number_of_steps(unit: timedelta, most: int) -> None:
    window, steps = Window(), 0
    while (halves := window.halves(unit, EARLIEST, NOW)) is not None:
        window, steps = halves[steps % 2], steps + 1
    assert 0 < steps <= most


def test_window_of_one_unit_has_no_halves() -> None:
    day = datetime(2024, 2, 29, tzinfo=UTC)
    assert Window(day, day + DAY - SECOND).halves(DAY, EARLIEST, NOW) is None
    assert Window(day, day + DAY).halves(DAY, EARLIEST, NOW) is not None
    assert Window(day, day).halves(SECOND, EARLIEST, NOW) is None
    halves = Window(day, day + SECOND).halves(SECOND, EARLIEST, NOW)
    assert halves == (Window(day, day), Window(day + SECOND, day + SECOND))


# Redirects: which targets count as the requested host


@pytest.mark.parametrize("elsewhere", [False, True])
def test_other_host_or_port_or_downgrade_is_elsewhere(elsewhere: bool) -> None:
    tables = ("same_host_and_port_is_not_elsewhere", "other_host_or_port_or_downgrade_is_elsewhere")
    for first, target in values("harvest_settings", tables[elsewhere]):
        assert is_elsewhere(httpx.URL(target), httpx.URL(first)) is elsewhere, (first, target)
