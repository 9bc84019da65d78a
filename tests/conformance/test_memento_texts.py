"""Tests of mementos of texts: the text of a norm changes within one version, and each text is a memento."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from itertools import cycle
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings

import samples
from graph.civil import today
from graph.entities import Record
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory, open_for_writing
from graph.store.caching import CachingStore
from graph.urn import Name
from loaders.pipeline import load
from queries.text.text import text
from service.web.memento import TimeGate, force_gate, knowledge_gate
from service.web.settings import Settings
from tests.conformance.test_memento import by_relation, links, moment, plain, travel
from tests.property.test_documents import Drawn, lives, loaded
from tests.property.test_timeline import days_of, facts, names_of, whole_records, whole_texts
from tests.support.web import serving
from tests.unit.queries.test_rules_of_provisions import LAW, article, law_records, part, words

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]

FIRST = f"{LAW}@2001-06-01;publicacao;2001-03-06"
BODY = part(
    "Capitulo",
    "cap1",
    "".join(article(n, part("Caput", f"art{n}_cpt", words(f"Palavra {n}."))) for n in (1, 2, 3)),
)
#: One article is revoked from 2010 and restored from 2018; another is annulled from 2012, by a decision of 2015.
FACTS = (
    ("revogacao", "2010-01-01", "2010-01-01", "art2"),
    ("repristinacao", "2018-01-01", "2018-01-01", "art2"),
    ("anulacao", "2012-01-01", "2015-03-01", "art3"),
)


#: The first days of force of the mementos of the norm. The chapter has the same days.
FORCE = ["2001-03-06", "2001-06-01", "2010-01-01", "2012-01-01", "2018-01-01"]
CHAPTER = f"{LAW}!cap1"


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client of a service over a law with one version and three facts about its articles."""
    folder = tmp_path_factory.mktemp("texts") / "store"
    written = (
        f'[[facts]]\nnorm = "{LAW}!{where}"\nevent = "{kind}"\neffect = {effect}\nknown = {known}\ncurator = "A"\n'
        for kind, effect, known, where in FACTS
    )
    with open_for_writing(folder, create=True) as store:
        store.apply(law_records("", BODY, *written))
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


def mementos_of(web: httpx.Client, room: str, name: str) -> list[tuple[str, str]]:
    listed = web.get(f"/{room}/{name}", headers={"accept": "application/json"}).json()["mementos"]["list"]
    return [(memento["from"], plain(memento["uri"], web)) for memento in listed]


def test_whole_text_containing_a_revoked_article_is_another_memento(record: Make, store_of: StoreOf) -> None:
    """Check a whole text with an article that another source revokes twice: from the text's day, and from the next day.

    The revocation from the next day is known on the text's day. The other one is known a day later; because it
    contradicts the text, which contains the article, the article is then in force.
    """
    text_day, behind = date(2001, 3, 6), date(2001, 3, 7)
    ends = [("revogacao", text_day, behind, "!art1"), ("revogacao", behind, text_day, "!art1")]
    store = CachingStore(store_of(*whole_records(record, [("2001-03-06;publicacao;2001-03-06", {1})], ends)))
    (law,) = (name for name in names_of(store) if name == name.work)
    assert [bool(text(store, law, behind, known).provisions) for known in (text_day, behind)] == [False, True]
    assert list(other_texts(store, names_of(store))) == []


@pytest.mark.parametrize(("name", "version"), [(LAW, FIRST), (CHAPTER, f"{FIRST}!cap1")])
def test_every_text_of_one_version_is_a_memento(gates: httpx.Client, name: str, version: str) -> None:
    mementos = mementos_of(gates, "timemap", name)
    assert mementos == [
        ("2001-03-06", f"/{name}?on=2001-03-06"),
        ("2001-06-01", f"/{version}"),
        *((day, f"/{version}?on={day}") for day in FORCE[2:]),
    ]
    in_links = links(gates.get(f"/timemap/{name}").text, gates)
    assert [(path, day) for path, relations, day in in_links if "memento" in relations] == [
        (path, moment(day)) for day, path in mementos
    ]
    turtle = gates.get(f"/timemap/{name}?format=ttl").text
    assert all(f'"{day}T00:00:00Z"' in turtle for day in FORCE)


@pytest.mark.parametrize("name", [LAW, CHAPTER])
@pytest.mark.parametrize("index", range(1, len(FORCE)))
def test_timegate_redirects_to_the_text_of_the_day(gates: httpx.Client, name: str, index: int) -> None:
    """Check the first and the last day of each text: the TimeGate redirects to the memento with that text."""
    listed = mementos_of(gates, "timemap", name)
    last = FORCE[index + 1] if index + 1 < len(FORCE) else "2030-01-01"
    for day in (FORCE[index], str(date.fromisoformat(last) - timedelta(1))):
        led = travel(gates, f"/timegate/{name}", day)
        assert (led.status_code, plain(led.headers["location"], gates)) == (302, listed[index][1])
        memento = gates.get(led.headers["location"])
        assert (memento.status_code, memento.headers["memento-datetime"]) == (200, moment(FORCE[index]))
        texts_ = [gates.get("/api/v1/text", params={"urn": name, "on": on}).json() for on in (day, FORCE[index])]
        assert texts_[0]["provisions"] == texts_[1]["provisions"]
        beside = memento.headers["link"]
        assert by_relation(beside, gates, "last") == (listed[-1][1], moment(FORCE[-1]))
        if index > 1:
            assert by_relation(beside, gates, "prev") == (listed[index - 1][1], moment(FORCE[index - 1]))
        if index + 1 < len(FORCE):
            assert by_relation(beside, gates, "next") == (listed[index + 1][1], moment(FORCE[index + 1]))
        asked = gates.get(f"/{name}?on={day}", follow_redirects=True)
        assert (asked.status_code, asked.headers["memento-datetime"]) == (200, moment(FORCE[index]))
    before = gates.get("/api/v1/text", params={"urn": name, "on": str(date.fromisoformat(FORCE[index]) - timedelta(1))})
    assert index == 1 or before.json()["provisions"] != texts_[0]["provisions"]


@pytest.mark.parametrize(
    ("on", "known"),
    [
        ("2011-12-31", ["2001-03-06", "2010-01-01"]),
        ("2012-01-01", ["2001-03-06", "2010-01-01", "2015-03-01"]),
        ("2017-12-31", ["2001-03-06", "2010-01-01", "2015-03-01"]),
        ("2018-01-01", ["2001-03-06", "2010-01-01", "2015-03-01", "2018-01-01"]),
    ],
)
@pytest.mark.parametrize("name", [LAW, CHAPTER])
def test_timegate_over_knowledge_gives_the_text_known_by_then(
    gates: httpx.Client, name: str, on: str, known: list[str]
) -> None:
    """Check one day of force as known on several days: the version is the same, and each fact changes the text."""
    listed = mementos_of(gates, "timemap/as-known", f"{name}?on={on}")
    assert [day for day, _ in listed] == known
    for index, day in enumerate(known):
        led = travel(gates, f"/timegate/as-known/{name}?on={on}", day)
        assert plain(led.headers["location"], gates) == listed[index][1]
        memento = gates.get(led.headers["location"])
        assert (memento.status_code, memento.headers["memento-datetime"]) == (200, moment(day))
        if index:
            eve = str(date.fromisoformat(day) - timedelta(1))
            led = travel(gates, f"/timegate/as-known/{name}?on={on}", eve)
            assert plain(led.headers["location"], gates) == listed[index - 1][1]
            assert by_relation(memento.headers["link"], gates, "prev")[0] == listed[index - 1][1]
            asked = gates.get(f"/{name}?on={on}&as_known={eve}", follow_redirects=True)
            assert asked.headers["memento-datetime"] == moment(known[index - 1])
            both = [
                gates.get("/api/v1/text", params={"urn": name, "on": on, "as_known": as_known}).json()["provisions"]
                for as_known in (eve, day)
            ]
            assert both[0] != both[1]


def test_long_timemap_is_split_into_pages(tmp_path: Path) -> None:
    """Check RFC 7089, section 5: each part links to the others, and together they list each memento once."""
    days = [date(2002, 1, 1) + timedelta(n) for n in range(1_001)]
    written = (
        f'[[facts]]\nnorm = "{LAW}!art2"\nevent = "{kind}"\neffect = {day}\nknown = 2001-06-01\ncurator = "A"\n'
        for day, kind in zip(days, cycle(["revogacao", "repristinacao"]), strict=False)
    )
    with open_for_writing(tmp_path / "store", create=True) as store:
        store.apply(law_records("", BODY, *written))
    with serving(Settings(tmp_path / "store")) as address, httpx.Client(base_url=address, timeout=60) as web:
        timemap = web.get(f"/timemap/{LAW}?format=json").json()
        assert len(timemap["mementos"]["list"]) == 1_000
        (other,) = timemap["timemaps"]
        assert plain(other["uri"], web) == f"/timemap/{LAW}?part=2"
        second = web.get(other["uri"], headers={"accept": "application/json"}).json()
        every = [*timemap["mementos"]["list"], *second["mementos"]["list"]]
        assert [memento["from"] for memento in every] == ["2001-03-06", "2001-06-01", *map(str, days)]
        assert timemap["mementos"]["last"] == second["mementos"]["last"] == every[-1]
        assert (other["from"], other["until"]) == (every[1_000]["datetime"], every[-1]["datetime"])
        first, last = (web.get(f"/timemap/{LAW}{query}").text for query in ("", "?part=2"))
        for listed, own, elsewhere in ((first, "", "?part=2"), (last, "?part=2", "")):
            relations = {path: link_relations for path, link_relations, _ in links(listed, web)}
            assert relations[f"/timemap/{LAW}{own}"] == {"self"}
            assert relations[f"/timemap/{LAW}{elsewhere}"] == {"timemap"}
        assert ("first memento" in first, "last memento" in first) == (True, False)
        assert ("first memento" in last, "last memento" in last) == (False, True)
        assert web.get(f"/timemap/{LAW}?part=3").status_code == 422
        assert web.get(f"/timemap/{LAW}?part=2").headers["etag"] != web.get(f"/timemap/{LAW}").headers["etag"]


def texts(store: Store, name: Name, on: date, known: date) -> object:
    """Return the text of a name, with the undecided provisions in it."""
    answer = text(store, name, on, known)
    return answer.provisions, answer.undecided


def other_texts(store: Store, names: Iterable[Name]) -> Iterator[object]:
    """Yield the name and the days for which a TimeGate redirects to a memento whose text is not that of the day."""
    now = today()
    for name in names:
        related = [days_of(store, related_name) for related_name in names_of(store) if related_name.work == name.work]
        force = sorted({day for days, _ in related for day in days})
        known = sorted({day for _, days in related for day in days})
        for gate, on, asked in (
            *((force_gate(store, name, now), None, day) for day in force),
            *(
                (gate, day, as_known)
                for day in force[::3]
                for gate in [knowledge_gate(store, name, day, now)]
                for as_known in known
            ),
        ):
            yield from _other(store, gate, on, asked, now)


def _other(store: Store, gate: TimeGate, on: date | None, asked: date, now: date) -> Iterator[object]:
    memento = gate.memento_on(asked)
    if memento is None or memento.version is None:
        return  # without a version there is no text; tests/property/test_memento.py compares the answers
    shown = texts(store, gate.target, *((asked, now) if on is None else (on, asked)))
    led = texts(store, gate.target, *((memento.day, now) if on is None else (on, memento.day)))
    if shown != led:
        yield gate.target.canonical, on, asked, memento.day


def test_mementos_of_the_samples_have_the_text_of_the_day(tmp_path: Path) -> None:
    made = in_memory()
    load([Path(samples.folder())], made, Quarantine(tmp_path))
    store = CachingStore(made)
    assert list(other_texts(store, names_of(store))) == []


@pytest.mark.slow
@settings(max_examples=15)
@given(lives())
def test_mementos_of_random_documents_have_the_text_of_the_day(drawn: Drawn) -> None:
    store = CachingStore(loaded(drawn))
    assert list(other_texts(store, names_of(store))) == []


@pytest.mark.slow
@settings(max_examples=40)
@given(texts_=whole_texts, stated=facts)
def test_mementos_of_random_whole_texts_have_the_text_of_the_day(
    record: Make,
    store_of: StoreOf,
    texts_: list[tuple[str, set[int] | None]],
    stated: list[tuple[str, date, date, str]],
) -> None:
    store = CachingStore(store_of(*whole_records(record, texts_, stated)))
    assert list(other_texts(store, names_of(store))) == []


@pytest.mark.parametrize(("name", "version"), [(LAW, FIRST), (CHAPTER, f"{FIRST}!cap1")])
def test_name_without_a_day_redirects_to_the_text_of_today(gates: httpx.Client, name: str, version: str) -> None:
    """Check provisions with events of 2012 and 2018: the later of both days gives the text of today."""
    led = gates.get(f"/{name}").headers["location"]
    assert plain(led, gates).partition("#")[0] == f"/{version}?on=2018-01-01"
    text_2018, now = (
        gates.get("/api/v1/text", params={"urn": name, "on": on}).json() for on in ("2018-01-01", "2026-01-01")
    )
    assert text_2018["provisions"] == now["provisions"]
    assert gates.get(led).headers["memento-datetime"] == moment("2018-01-01")
