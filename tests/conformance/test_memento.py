"""Tests of Memento over HTTP (RFC 7089): two TimeGates and their TimeMaps; no time zone shifts a day.

The names are those of tests/support/web_names.py. The texts of a norm may change within one version: each text is then
a memento.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph as ox
import pytest
from hypothesis import given, settings

import samples
from graph.civil import today
from graph.quarantine import Quarantine
from graph.store import Store, in_memory, open_for_writing
from graph.store.caching import CachingStore
from loaders.pipeline import load
from ontology.namespaces import VIG
from queries.text.text import text
from service.web.memento import TimeGate, force_gate, knowledge_gate
from service.web.settings import Settings
from tests.property.test_documents import Drawn, lives, loaded
from tests.property.test_timeline import days_of, facts, names_of, whole_records, whole_texts
from tests.support.cases import tuples, values
from tests.support.records import store_of
from tests.support.web import serving
from tests.support.web_names import AHEAD, CODE, GONE, RESTORED, TEXT, UNDATED

FIRST = f"{CODE}@1991-03-11;retificacao;2007-01-10"
SECOND = f"{CODE}@1993-05-22;retificacao;2007-01-10"
THIRD = f"{CODE}@1993-09-08;retificacao;2007-01-10"
#: The code on its day of signature, one day before its publication: not yet in force.
VACATIO = f"{CODE}?on=1990-09-11"
_NAMES = {"CODE": CODE, "TEXT": TEXT, "RESTORED": RESTORED}
_WRITTEN = (Path(__file__).parents[1] / "data" / "memento.toml").read_text("utf-8")
DATA = tomllib.loads(re.sub(r"\b(?:CODE|TEXT|RESTORED)\b", lambda found: _NAMES[found[0]], _WRITTEN))
#: A link: its path, its relations, and the day of its memento.
Link = tuple[str, set[str], str | None]


def moment(day: str, hour: str = "00:00:00") -> str:
    """Return a day and a time of day as an HTTP date."""
    return f"{datetime.fromisoformat(day).replace(tzinfo=UTC):%a, %d %b %Y} {hour} GMT"


def day_of(written: str | None) -> str | None:
    """Return the day of an HTTP date; fail if its time of day is not midnight."""
    if written is None:
        return None
    day, _, time_of_day = parsedate_to_datetime(written).isoformat().partition("T")
    assert time_of_day == "00:00:00+00:00"
    return day


def plain(address: str, web: httpx.Client) -> str:
    """Return the path of an address with %3B and %2C decoded."""
    return address.removeprefix(str(web.base_url).rstrip("/")).replace("%3B", ";").replace("%2C", ",")


def travel(web: httpx.Client, gate: str, day: str, hour: str = "00:00:00") -> tuple[str, httpx.Response]:
    """Return the path to which a TimeGate redirects for a day, and its response."""
    response = web.get(gate, headers={"accept-datetime": moment(day, hour)})
    assert response.status_code == 302, response.text
    assert response.headers["vary"] == "accept-datetime"
    assert "memento-datetime" not in response.headers
    return plain(response.headers["location"], web), response


def links(text: str, web: httpx.Client) -> list[Link]:
    """Return each link with its relations and its day (RFC 7089, section 2.2)."""
    matches = re.findall(r'<([^>]*)>; rel="([^"]*)"((?:; \w+="[^"]*")*)', text)
    return [
        (plain(target, web), set(relations.split()), day_of((re.search(r'datetime="([^"]*)"', more) or ["", None])[1]))
        for target, relations, more in matches
    ]


def mementos_in(listed: Iterable[Link], relation: str = "memento") -> list[tuple[str, str | None]]:
    return [(path, day) for path, relations, day in listed if {relation, "memento"} <= relations]


def paths_in(listed: Iterable[Link]) -> dict[str, str]:
    return {relation: path for path, relations, _ in listed for relation in relations}


def timemap(web: httpx.Client, path: str) -> list[dict[str, Any]]:
    """Return the mementos that a TimeMap lists as JSON; each address is its path."""
    listed = web.get(f"/{path}", headers={"accept": "application/json"}).json()["mementos"]["list"]
    return [{**memento, "uri": plain(memento["uri"], web)} for memento in listed]


# TimeGates


@pytest.mark.parametrize("row", DATA["gates"], ids=lambda row: f"{row['gate']} {row['days'][0]}")
def test_timegate_redirects_to_the_memento_of_the_day(web: httpx.Client, row: dict[str, Any]) -> None:
    """Check that the time of day does not matter, and that the memento leads back to the TimeGate and the TimeMap."""
    gate, path, notice = row["gate"], row["path"], row.get("notice")
    answers = []
    for day in row["days"]:
        for hour in ("00:00:00", "02:59:59", "03:00:00", "23:59:59"):
            led, response = travel(web, f"/timegate/{gate}", day, hour)
            assert (led, response.headers.get("vigente-notice")) == (f"/{path}", notice)
            answers = [response]
        assert notice is None or answers[0].json()["notices"][0]["code"] == notice
    memento = web.get(f"/{path}")
    assert {memento.status_code} <= {200, 404}
    listed = timemap(web, f"timemap/{gate}")
    assert day_of(memento.headers["memento-datetime"]) == next(m["from"] for m in listed if m["uri"] == f"/{path}")
    room = "timegate/as-known" if gate.startswith("as-known") else "timegate"
    name = gate.removeprefix("as-known/")
    for answer in (*answers, memento):
        found = paths_in(links(answer.headers["link"], web))
        assert (found["original"], found["timemap"]) == (f"/{name}", f"/{room.replace('gate', 'map')}/{name}")
        assert found["timegate"] == f"/{room}/{name}"


def test_timegate_without_a_day_redirects_to_today(web: httpx.Client) -> None:
    assert plain(web.get(f"/timegate/{CODE}").headers["location"], web) == f"/{THIRD}"
    ahead = web.get(f"/timegate/{AHEAD}")
    assert (ahead.status_code, ahead.headers["vigente-status"]) == (302, "vacatio")
    assert plain(ahead.headers["location"], web) == f"/{AHEAD}?on=2001-03-06"


@pytest.mark.parametrize("zone", ["America/Sao_Paulo", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_time_zone_never_shifts_a_day(web: httpx.Client, zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the time zone of this process, in which the server runs."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for day, version in (
            ("1993-05-21", FIRST),
            ("1993-05-22", SECOND),
            ("1993-09-07", SECOND),
            ("1993-09-08", THIRD),
        ):
            for hour in ("00:00:00", "23:59:59"):
                assert travel(web, f"/timegate/{CODE}", day, hour)[0] == f"/{version}"
            asked = web.get(f"/{CODE}?on={day}", follow_redirects=True).json()
            assert (asked["on"], asked["version"]["name"]) == (day, version)
        assert web.get(f"/{SECOND}").headers["memento-datetime"] == moment("1993-05-22")
        assert moment("1993-05-22") in web.get(f"/timemap/{CODE}").text
    finally:
        monkeypatch.undo()
        time.tzset()


# Days without a version (RFC 7089, section 4.5.5: an error on that day is a memento with the status of the error)


def test_day_without_a_version_is_a_memento_with_an_error_status(web: httpx.Client) -> None:
    path, response = travel(web, f"/timegate/{CODE}", "1991-03-10", "23:59:59")
    assert (response.headers["vigente-status"], response.json()["version"]) == ("vacatio", None)
    for memento in (path, f"/{CODE}?on=1990-10-01"):
        answer = web.get(memento)
        assert (answer.status_code, answer.json()["code"]) == (404, "before-first-version")
        assert answer.headers["vigente-status"] == answer.json()["answer"]["status"] == "vacatio"
        assert day_of(answer.headers["memento-datetime"]) == "1990-09-11"
        listed = links(answer.headers["link"], web)
        assert mementos_in(listed, "first") == [(f"/{VACATIO}", "1990-09-11")]
        assert mementos_in(listed, "next") == [(f"/{FIRST}", "1991-03-11")]
    before = web.get(f"/{CODE}?on=1990-09-10")
    assert (before.status_code, before.headers.get("memento-datetime")) == (404, None)
    assert 'rel="timemap"' in before.headers["link"]
    known = web.get(travel(web, f"/timegate/as-known/{CODE}?on=1991-03-10", "2000-01-01")[0])
    assert (known.status_code, day_of(known.headers["memento-datetime"])) == (404, "1990-09-11")
    assert known.json()["answer"]["as_known"] == "1990-09-11"
    for room in ("timegate", "timemap"):
        none = web.get(f"/{room}/as-known/{CODE}?on=1980-01-01")
        assert (none.status_code, none.json()["code"]) == (404, "before-first-version")
        assert none.json()["answer"]["status"] == "not-published"


# TimeMaps and links


@pytest.mark.parametrize("row", DATA["timemaps"], ids=lambda row: row["timemap"])
def test_timemap_lists_the_mementos_which_link_to_each_other(web: httpx.Client, row: dict[str, Any]) -> None:
    """Check RFC 7089, section 2.2.4; the first and last version (RFC 9676, section 7.1.1) may differ."""
    mementos = [
        (status, f"/{path}", first, until or None, code) for status, path, first, until, code in row["mementos"]
    ]
    listed = timemap(web, row["timemap"])
    assert [(m["status"], m["uri"], m["from"], m["until"]) for m in listed] == [row[:4] for row in mementos]
    in_links = links(web.get(f"/{row['timemap']}").text, web)
    assert mementos_in(in_links) == [(path, start) for _, path, start, _, _ in mementos]
    assert paths_in(in_links)["self"] == f"/{row['timemap']}"
    order = [path for _, path, _, _, _ in mementos]
    for index, (_, path, start, _, status) in enumerate(mementos):
        answer = web.get(path)
        assert (answer.status_code, day_of(answer.headers["memento-datetime"])) == (status, start)
        assert "accept-datetime" not in answer.headers["vary"].lower()
        around = links(answer.headers["link"], web)
        for relation, place in (("first", 0), ("prev", index - 1), ("next", index + 1), ("last", len(order) - 1)):
            linked = [path for path, _ in mementos_in(around, relation)]
            assert linked in ([], order[place : place + 1]), (path, relation)
            assert linked or relation != "prev" or not index or "as-known" not in row["timemap"], path


def test_timemaps_are_served_in_every_format(web: httpx.Client) -> None:
    as_links = web.get(f"/timemap/{CODE}")
    assert as_links.headers["content-type"] == "application/link-format"
    assert f'from="{moment("1990-09-11")}"; until="{moment("1993-09-08")}"' in as_links.text
    as_json = web.get(f"/timemap/{CODE}", headers={"accept": "application/json"}).json()
    triples = list(ox.parse(web.get(f"/timemap/{CODE}?format=ttl").content, format=ox.RdfFormat.TURTLE))
    pairs = {
        name: {
            (t.subject.value, t.object.value)
            for t in triples
            if t.predicate.value == f"http://mementoweb.org/ns#{name}"
        }
        for name in ("memento", "original", "timemap", "timegate", "mementoDatetime")
    }
    original, listed = as_json["original_uri"], as_json["mementos"]["list"]
    assert [day_of(memento["datetime"]) for memento in listed] == [memento["from"] for memento in listed]
    assert pairs == {
        "memento": {(original, memento["uri"]) for memento in listed},
        "original": {(memento["uri"], original) for memento in listed},
        "timemap": {(original, as_json["timemap_uri"])},
        "timegate": {(original, as_json["timegate_uri"])},
        "mementoDatetime": {(memento["uri"], f"{memento['from']}T00:00:00Z") for memento in listed},
    }
    assert sum(triple.object.value == "http://mementoweb.org/ns#Memento" for triple in triples) == 4
    assert [t.object.value for t in triples if t.predicate.value.endswith("situacao")] == [VIG["vacatio"]]
    for path, sign, begins in ((CODE, "?", "inicio"), (f"as-known/{CODE}?on=1993-06-15", "&", "conhecidoDesde")):
        turtle = ox.parse(web.get(f"/timemap/{path}{sign}format=ttl").content, format=ox.RdfFormat.TURTLE)
        days = {quad.object.value for quad in turtle if quad.predicate.value == VIG[begins]}
        assert days == {memento["from"] for memento in timemap(web, f"timemap/{path}")}
    tag = as_links.headers["etag"]
    assert web.get(f"/timemap/{CODE}", headers={"if-none-match": tag}).status_code == 304
    assert web.get(f"/timemap/{CODE}?format=html").status_code == 406


# Refused requests


@pytest.mark.parametrize(
    "field",
    [
        *("1993-06-15", "Tue, 15 Jun 1993", "Mon, 15 Jun 1993 00:00:00 GMT", "Tue, 31 Jun 1993 00:00:00 GMT", ""),
        *("Tue, 15 Jun 1993 24:00:00 GMT", "Tue, 15 Jun 1993 00:00:00 -0300", "Tuesday, 15-Jun-93 00:00:00 GMT"),
        "x" * 5000,
    ],
)
def test_malformed_accept_datetime_is_400(web: httpx.Client, field: str) -> None:
    response = web.get(f"/timegate/{CODE}", headers={"accept-datetime": field})
    assert (response.status_code, response.json()["code"]) == (400, "bad-accept-datetime")
    assert response.headers["vary"] == "accept-datetime, Accept"
    page = web.get(f"/timegate/{CODE}", headers={"accept-datetime": field, "accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (400, "text/html; charset=utf-8")
    assert {"accept-datetime", "accept", "accept-language"} <= set(re.split(", *", page.headers["vary"].lower()))


def test_name_without_mementos_and_foreign_parameters_are_refused(web: httpx.Client) -> None:
    for room in ("timegate", "timegate/as-known", "timemap", "timemap/as-known"):
        for name, status, code in (
            (UNDATED, 404, "no-mementos"),
            (GONE, 410, "withdrawn"),
            ("urn:lex:br:federal:lei:2011-01-03;77777", 404, "unknown-name"),
            (f"{TEXT}!art999", 404, "no-such-provision"),
            (THIRD, 422, "bad-parameter"),
            ("no-name", 404, "unknown-address"),
        ):
            response = web.get(f"/{room}/{name}")
            assert (response.status_code, response.json()["code"]) == (status, code), name
    twice = [("accept-datetime", moment("1993-06-15")), ("accept-datetime", moment("1993-06-16"))]
    assert web.get(f"/timegate/{CODE}", headers=twice).status_code == 400
    base = str(web.base_url).rstrip("/")
    for path, status in (
        (f"{CODE}?on=1993-06-15", 400),
        (f"as-known/{CODE}?as_known=1993-06-15", 400),
        (f"{base}/{CODE}", 302),
        (f"https://evil.example/{CODE}", 404),
    ):
        assert web.get(f"/timegate/{path}").status_code == status, path


def test_memento_client_follows_the_timegate(web: httpx.Client) -> None:
    """Check the client with the TimeGate as its ``timegate_uri``, as in docs/reference/addresses.md."""
    memento_client: Any = pytest.importorskip("memento_client")
    base = str(web.base_url).rstrip("/")
    documented = Path(__file__).parents[2] / "docs" / "reference" / "addresses.md"
    (line,) = re.findall(r"^ +(memento_client\..*)$", documented.read_text("utf-8"), re.MULTILINE)
    made = eval(line.replace("http://127.0.0.1:8000", base), {"memento_client": memento_client})  # noqa: S307 - our docs
    with made as client:
        mementos = client.get_memento_info(f"{base}/{CODE}", datetime(1993, 6, 15))["mementos"]  # noqa: DTZ001
    for relation, version, day in (
        ("closest", SECOND, "1993-05-22"),
        ("prev", FIRST, "1991-03-11"),
        ("next", THIRD, "1993-09-08"),
        ("last", THIRD, "1993-09-08"),
    ):
        assert plain(mementos[relation]["uri"][0], web) == f"/{version}"
        assert mementos[relation]["datetime"] == datetime.fromisoformat(day)
    assert mementos["closest"]["http_status_code"] == 200


# Texts that change within one version

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
CHAPTER, VERSION = f"{LAW}!cap1", f"{LAW}@2001-06-01;publicacao;2001-03-06"
ARTICLES = "".join(
    f'<Artigo id="art{n}"><Caput id="art{n}_cpt"><p>Palavra {n}.</p></Caput></Artigo>' for n in (1, 2, 3)
)
LAW_TEXT = f"""<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{VERSION}"/><CicloDeVida>
<Evento id="p" data="2001-03-06"><Publicacao/></Evento><Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>
</CicloDeVida></Metadado><Norma><Articulacao><Capitulo id="cap1">{ARTICLES}</Capitulo></Articulacao></Norma></LexML>"""
#: One article is revoked from 2010 and restored from 2018; another is annulled from 2012, by a decision of 2015.
FACTS = tuple(tuples("conformance_memento", "facts"))
#: The first days of force of the mementos of the norm. The chapter has the same days.
FORCE = ["2001-03-06", "2001-06-01", "2010-01-01", "2012-01-01", "2018-01-01"]


def eve(day: str) -> str:
    return str(date.fromisoformat(day) - timedelta(1))


def law_store(folder: Path, stated: Iterable[tuple[str, str, str, str]]) -> Path:
    """Make a store of the law, and of facts about its articles; return its folder."""
    (folder / "lei.xml").write_text(LAW_TEXT, "utf-8")
    lines = ['curator = "A"'] + [
        f'[[facts]]\nnorm = "{LAW}!{where}"\nevent = "{kind}"\neffect = {effect}\nknown = {known}'
        for where, kind, effect, known in stated
    ]
    (folder / "facts.toml").write_text("\n".join(lines), "utf-8")
    with open_for_writing(folder / "store", create=True) as store:
        assert load([folder / "lei.xml", folder / "facts.toml"], store, Quarantine(folder / "q")).refused.total() == 0
    return folder / "store"


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client of a service over a law with one version and three facts about its articles."""
    folder = law_store(tmp_path_factory.mktemp("texts"), FACTS)
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


def provisions(web: httpx.Client, name: str, **days: str) -> object:
    return web.get("/api/v1/text", params={"urn": name, **days}).json()["provisions"]


def check_gate(web: httpx.Client, gate: str, listed: Sequence[tuple[str, str]], last_day: str) -> None:
    """Check the TimeGate on the first and the last day of each memento, given by day and path, and the links."""
    for index, (start, path) in enumerate(listed):
        end = eve(listed[index + 1][0]) if index + 1 < len(listed) else last_day
        assert travel(web, gate, start)[0] == travel(web, gate, end)[0] == path
        memento = web.get(path)
        assert (memento.status_code, day_of(memento.headers["memento-datetime"])) == (200, start)
        around = links(memento.headers["link"], web)
        if index:
            assert mementos_in(around, "prev") == [(listed[index - 1][1], listed[index - 1][0])]
        if index + 1 < len(listed):
            assert mementos_in(around, "next") == [(listed[index + 1][1], listed[index + 1][0])]


@pytest.mark.parametrize(("name", "version"), [(LAW, VERSION), (CHAPTER, f"{VERSION}!cap1")])
def test_every_text_of_one_version_is_a_memento(gates: httpx.Client, name: str, version: str) -> None:
    listed = [(memento["from"], memento["uri"]) for memento in timemap(gates, f"timemap/{name}")]
    assert listed == [
        ("2001-03-06", f"/{name}?on=2001-03-06"),
        ("2001-06-01", f"/{version}"),
        *((day, f"/{version}?on={day}") for day in FORCE[2:]),
    ]
    in_links = links(gates.get(f"/timemap/{name}").text, gates)
    assert mementos_in(in_links) == [(path, day) for day, path in listed]
    turtle = gates.get(f"/timemap/{name}?format=ttl").text
    assert all(f'"{day}T00:00:00Z"' in turtle for day in FORCE)
    check_gate(gates, f"/timegate/{name}", listed[1:], "2030-01-01")
    texts_ = [provisions(gates, name, on=day) for day in FORCE[1:]]
    for index, (day, following) in enumerate(zip(FORCE[1:], [*FORCE[2:], "2030-01-01"], strict=True)):
        assert provisions(gates, name, on=eve(following)) == texts_[index]
        assert index == 0 or texts_[index] != texts_[index - 1]
        asked = gates.get(f"/{name}?on={eve(following)}", follow_redirects=True)
        assert (asked.status_code, day_of(asked.headers["memento-datetime"])) == (200, day)
    # without a day, the name leads to the text of today
    led = gates.get(f"/{name}").headers["location"]
    assert plain(led, gates).partition("#")[0] == f"/{version}?on=2018-01-01"
    assert provisions(gates, name, on="2026-01-01") == texts_[-1]
    assert day_of(gates.get(led).headers["memento-datetime"]) == "2018-01-01"


@pytest.mark.parametrize(
    ("on", "known"), values("conformance_memento", "timegate_over_knowledge_gives_the_text_known_by_then")
)
@pytest.mark.parametrize("name", [LAW, CHAPTER])
def test_timegate_over_knowledge_gives_the_text_known_by_then(
    gates: httpx.Client, name: str, on: str, known: list[str]
) -> None:
    """Check one day of force as known on several days: the version is the same, and each fact changes the text."""
    listed = [(m["from"], m["uri"]) for m in timemap(gates, f"timemap/as-known/{name}?on={on}")]
    assert [day for day, _ in listed] == known
    check_gate(gates, f"/timegate/as-known/{name}?on={on}", listed, known[-1])
    for before, day in pairwise(known):
        asked = gates.get(f"/{name}?on={on}&as_known={eve(day)}", follow_redirects=True)
        assert day_of(asked.headers["memento-datetime"]) == before
        texts_ = [provisions(gates, name, on=on, as_known=as_known) for as_known in (eve(day), day)]
        assert texts_[0] != texts_[1]


def test_long_timemap_is_split_into_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check RFC 7089, section 5: each part links to the others, and together they list each memento once."""
    monkeypatch.setattr("service.web.memento._MAX_MEMENTOS", 20)
    days = [str(date(2002, 1, 1) + timedelta(n)) for n in range(21)]
    kinds = cycle(["revogacao", "repristinacao"])
    folder = law_store(tmp_path, (("art2", kind, day, "2001-06-01") for day, kind in zip(days, kinds, strict=False)))
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=60) as web:
        first = web.get(f"/timemap/{LAW}?format=json").json()
        (other,) = first["timemaps"]
        assert plain(other["uri"], web) == f"/timemap/{LAW}?part=2"
        second = web.get(other["uri"], headers={"accept": "application/json"}).json()
        assert len(first["mementos"]["list"]) == 20
        every = [*first["mementos"]["list"], *second["mementos"]["list"]]
        assert [memento["from"] for memento in every] == ["2001-03-06", "2001-06-01", *days]
        assert first["mementos"]["last"] == second["mementos"]["last"] == every[-1]
        assert (other["from"], other["until"]) == (every[20]["datetime"], every[-1]["datetime"])
        parts = [web.get(f"/timemap/{LAW}{query}") for query in ("", "?part=2", "?part=3")]
        for listed, own, elsewhere, end, other_end in (
            (parts[0].text, "", "?part=2", "first memento", "last memento"),
            (parts[1].text, "?part=2", "", "last memento", "first memento"),
        ):
            relations = {path: link_relations for path, link_relations, _ in links(listed, web)}
            assert relations[f"/timemap/{LAW}{own}"] == {"self"}
            assert relations[f"/timemap/{LAW}{elsewhere}"] == {"timemap"}
            assert (end in listed, other_end in listed) == (True, False)
        assert [part.status_code for part in parts] == [200, 200, 422]
        assert parts[0].headers["etag"] != parts[1].headers["etag"]


def other_texts(store: Store) -> Iterator[object]:
    """Yield the name and the days for which a TimeGate redirects to a memento whose text is not that of the day."""
    now, names = today(), list(names_of(store))
    for name in names:
        related = [days_of(store, related_name) for related_name in names if related_name.work == name.work]
        force = sorted({day for days, _ in related for day in days})
        known = sorted({day for _, days in related for day in days})
        for day in force:
            yield from _other(store, force_gate(store, name, now), None, day, now)
        for day in force[::3]:
            gate = knowledge_gate(store, name, day, now)
            for as_known in known:
                yield from _other(store, gate, day, as_known, now)


def _other(store: Store, gate: TimeGate, on: date | None, asked: date, now: date) -> Iterator[object]:
    def shown(day: date) -> object:
        answer = text(store, gate.target, *((day, now) if on is None else (on, day)))
        return answer.provisions, answer.undecided

    memento = gate.memento_on(asked)
    if memento is None or memento.version is None:
        return  # without a version there is no text; tests/property/test_memento.py compares the answers
    if shown(asked) != shown(memento.start):
        yield gate.target.canonical, on, asked, memento.start


def test_mementos_of_the_samples_have_the_text_of_the_day(tmp_path: Path) -> None:
    made = in_memory()
    load([Path(samples.folder())], made, Quarantine(tmp_path))
    assert list(other_texts(CachingStore(made))) == []


@pytest.mark.slow
@settings(max_examples=15)
@given(lives())
def test_mementos_of_random_documents_have_the_text_of_the_day(drawn: Drawn) -> None:
    assert list(other_texts(CachingStore(loaded(drawn)))) == []


@pytest.mark.slow
@settings(max_examples=40)
@given(texts_=whole_texts, stated=facts)
def test_mementos_of_random_whole_texts_have_the_text_of_the_day(
    texts_: list[tuple[str, set[int] | None]], stated: list[tuple[str, date, date, str]]
) -> None:
    assert list(other_texts(CachingStore(store_of(*whole_records(texts_, stated))))) == []


def test_article_that_a_whole_text_contains_is_revoked_from_its_day_and_later() -> None:
    """Check a whole text with an article that another source revokes twice: from the text's day, and from the next day.

    The revocation from the next day is known on the text's day, which the text agrees with: it contains the article on
    its day. Nobody could know of the other one when the text was published. So none contradicts the text.
    """
    text_day, behind = date(2001, 3, 6), date(2001, 3, 7)
    ends = [("revogacao", text_day, behind, "!art1"), ("revogacao", behind, text_day, "!art1")]
    store = CachingStore(store_of(*whole_records([("2001-03-06;publicacao;2001-03-06", {1})], ends)))
    (law,) = (name for name in names_of(store) if name == name.work)
    assert [bool(text(store, law, behind, known).provisions) for known in (text_day, behind)] == [False, False]
    assert list(other_texts(store)) == []
