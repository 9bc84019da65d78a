"""Tests that every answer reports force and efficacy, with the days around D, whichever axis was asked about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings

from graph.civil import ONE_DAY
from graph.store import Store
from graph.store import open as open_store
from graph.store.caching import CachingStore
from graph.time.kinds import Axis
from graph.urn import Name
from queries.in_force import in_force
from service.web.settings import Settings
from tests.property.test_documents import Drawn, lives, loaded
from tests.property.test_timeline import days_of, names_of
from tests.support.in_process import client_of
from tests.support.web_names import ENDED, SUSPENDED, place


@pytest.mark.parametrize(("on", "efficacy"), [("2001-12-31", "in-force"), ("2002-01-01", "suspended")])
def test_header_fields_report_both_axes(names_store: Path, on: str, efficacy: str) -> None:
    """Check the header fields of a redirect to the version, of the version itself, and of a TimeGate."""
    site = client_of(Settings(names_store))
    response = site.get(f"/{SUSPENDED}?on={on}")
    answer = site.get(place(response))
    assert (response.status_code, answer.status_code) == (303, 200)
    for reply in (response, answer):
        assert (reply.headers["vigente-status"], reply.headers["vigente-force"]) == ("in-force", "in-force")
        assert reply.headers["vigente-efficacy"] == reply.json()["efficacy"]["status"] == efficacy
        assert ("efficacy-differs" in reply.headers["vigente-notice"].split(", ")) is (efficacy == "suspended")
    assert response.json()["efficacy"] == answer.json()["efficacy"]
    gap = site.get(f"/{ENDED}?on=2002-01-01")
    statuses = {gap.headers[f"vigente-{axis}"] for axis in ("status", "force", "efficacy")}
    assert (gap.status_code, statuses) == (404, {"expired"})
    for gate in (f"/timegate/as-known/{SUSPENDED}?on={on}", f"/timegate/{SUSPENDED}"):
        led = site.get(gate)
        memento = site.get(place(led))
        assert (led.status_code, memento.status_code) == (302, 200)
        for key in ("vigente-status", "vigente-force", "vigente-efficacy"):
            assert led.headers[key] == memento.headers[key], "a gate reports what it leads to"
        assert led.json()["efficacy"] == memento.json()["efficacy"]
    assert "Vigente-Efficacy" in answer.headers["access-control-expose-headers"]


def disagreements(store: Store, names: Iterable[Name], *, every: int = 1) -> Iterator[object]:
    """Yield each (name, D, K) for which an answer disagrees with the answers for the single days.

    It disagrees in its status or in the days around D.
    """
    for name in names:
        force, known = days_of(store, name)
        for as_known in known[::every]:
            asked = {axis: {on: in_force(store, name, on, as_known, axis) for on in force} for axis in Axis}
            for axis, other in zip(Axis, reversed(Axis), strict=True):
                status = {on: answer.status for on, answer in asked[axis].items()}
                for on, answer in asked[axis].items():
                    days, beside = (
                        (answer.force, answer.efficacy) if axis is Axis.FORCE else (answer.efficacy, answer.force)
                    )
                    if (days.status, beside.status) != (answer.status, asked[other][on].status):
                        yield name.canonical, axis.value, str(on), str(as_known), days, beside
                    if days.since is None and days.until is None:
                        continue
                    since, until = days.since or date.min, days.until or date.max
                    within = [day for day in force if since <= day < until]
                    wrong = [str(day) for day in within if status[day] is not days.status]
                    edges = [days.since - ONE_DAY] if days.since is not None and days.since > date.min else []
                    edges += [days.until] if days.until is not None else []
                    beyond = [in_force(store, name, day, as_known, axis).status for day in edges]
                    if wrong or days.status in beyond or on not in within:
                        yield name.canonical, axis.value, str(on), str(as_known), days, wrong


@pytest.mark.slow
def test_sample_answers_agree_with_each_single_day(sample_store: Path) -> None:
    with open_store(sample_store) as opened:
        store = CachingStore(opened)
        names = names_of(store)
        norms = [name for name in names if name == name.work]
        assert list(disagreements(store, norms)) == []
        assert list(disagreements(store, names[::7], every=5)) == []


@pytest.mark.slow
@settings(max_examples=15)
@given(lives())
def test_random_documents_agree_with_each_single_day(drawn: Drawn) -> None:
    store = CachingStore(loaded(drawn))
    assert list(disagreements(store, names_of(store))) == []
