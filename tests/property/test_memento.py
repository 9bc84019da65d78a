"""Tests that following a TimeGate gives the answer of ``in_force``, on both sides of each boundary of D and K."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from graph.civil import today
from graph.store import Store
from graph.store import open as open_store
from graph.store.caching import CachingStore
from graph.urn import Name, parse
from queries.answers import InForce
from queries.in_force import in_force
from service.web.memento import TimeGate, force_gate, knowledge_gate
from tests.property.test_timeline import days_of, names_of
from tests.support.web_names import AHEAD, CODE, RESTORED, SUSPENDED, TEXT

pytestmark = pytest.mark.slow

#: Statuses of days before the first knowledge: a gate then redirects to its first memento, with a notice.
NOTHING = {"not-published", "unknown-name"}


def essence(answer: InForce) -> object:
    """Return what equal answers share: the status, and the version with its days."""
    return answer.status.value, answer.version


def followed(store: Store, gate: TimeGate, on: date | None, asked: date) -> InForce | None:
    """Return the answer at the chosen memento's address; None if the day is before the first memento."""
    memento, notices = gate.choose(asked, today())
    if notices:
        assert [notice.code for notice in notices] == ["before-first-memento"]
        return None
    path, _, query = unquote(memento.path).partition("?")
    asked_days = {key: date.fromisoformat(value) for key, value in re.findall(r"(\w+)=([-0-9]+)", query)}
    assert path == f"/{memento.version or gate.target.canonical}"
    if on is not None:
        assert asked_days == {"on": on, "as_known": memento.start}
    else:
        assert asked_days in ({"on": memento.start}, {})
        asked_days.setdefault("on", memento.start)
        asked_days["as_known"] = today()
    return in_force(store, gate.target, asked_days["on"], asked_days["as_known"])


def disagreements(store: Store, names: Iterable[Name]) -> Iterator[object]:
    """Yield every (name, D, K) for which a gate and the direct question give different answers."""
    now = today()
    for name in names:
        force, known = days_of(store, name)
        over_force = force_gate(store, name, now)
        for day in force:
            asked = essence(in_force(store, name, day, now))
            gate = knowledge_gate(store, name, day, now)
            for here, on, moment in ((over_force, None, day), *((gate, day, k) for k in known)):
                direct = asked if on is None else essence(in_force(store, name, day, moment))
                if not here.mementos:
                    if direct[0] not in {*NOTHING, "unknown"}:  # type: ignore[index]
                        yield name.canonical, day, moment, direct, "no mementos"
                    continue
                led = followed(store, here, on, moment)
                if led is None:
                    if direct[0] not in NOTHING:  # type: ignore[index]
                        yield name.canonical, day, moment, direct, "before the first"
                elif essence(led) != direct:
                    yield name.canonical, day, moment, direct, essence(led)


def test_timegate_agrees_with_in_force_for_every_name(names_store: Path) -> None:
    store = CachingStore(open_store(names_store))
    names = names_of(store)
    assert {CODE, RESTORED, SUSPENDED, AHEAD, f"{TEXT}!art2"} <= {name.canonical for name in names}
    assert list(disagreements(store, names)) == []


def moment(day: date) -> str:
    return f"{datetime(day.year, day.month, day.day, tzinfo=UTC):%a, %d %b %Y} 12:00:00 GMT"


@pytest.mark.parametrize("name", [RESTORED, f"{TEXT}!art2"])
def test_followed_memento_agrees_with_the_api_over_http(web: httpx.Client, names_store: Path, name: str) -> None:
    """Follow the address as a client does, and compare with the answer of the API."""
    force, known = days_of(CachingStore(open_store(names_store)), parse(name))
    for day in force[::2]:
        for asked in known:
            led = web.get(f"/timegate/as-known/{name}?on={day}", headers={"accept-datetime": moment(asked)})
            answer = web.get("/api/v1/in-force", params={"urn": name, "on": str(day), "as_known": str(asked)}).json()
            if led.status_code != 302 or led.headers.get("vigente-notice") == "before-first-memento":
                assert answer["status"] in NOTHING, (day, asked)
                continue
            response = web.get(led.headers["location"])
            document = response.json() if response.status_code == 200 else response.json()["answer"]
            assert (document["status"], document["version"]) == (answer["status"], answer["version"]), (day, asked)
            assert response.status_code == (200 if answer["version"] is not None else 404)
            assert response.headers["memento-datetime"] == led.json()["memento_datetime"]


def test_every_timemap_entry_is_a_memento(web: httpx.Client, names_store: Path) -> None:
    """Check that each listed address has its listed day, and that its own links name it as a memento."""
    store = CachingStore(open_store(names_store))
    for name in names_of(store):
        days = days_of(store, name)[0]
        rooms = (f"/timemap/{name.canonical}", *(f"/timemap/as-known/{name.canonical}?on={day}" for day in days[::5]))
        for room in rooms:
            timemap = web.get(room, headers={"accept": "application/json"})
            if timemap.status_code != 200:
                assert timemap.status_code in {404, 410}, (room, timemap.text)
                continue
            for memento in timemap.json()["mementos"]["list"]:
                response = web.get(memento["uri"])
                assert response.status_code == (404 if memento["version"] is None else 200), memento
                assert response.headers["memento-datetime"] == memento["datetime"], memento
                assert response.headers["vigente-status"] == memento["status"], memento
                own = rf'<{re.escape(memento["uri"])}>; rel="([^"]*)"; datetime="{memento["datetime"]}"'
                assert any("memento" in found_ for found_ in re.findall(own, response.headers["link"])), memento
