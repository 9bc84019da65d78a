"""Tests of Memento over HTTP (RFC 7089): two TimeGates and their TimeMaps; no time zone shifts a day."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph as ox
import pytest

from ontology.namespaces import VIG
from tests.support.web_names import AHEAD, CODE, GONE, RESTORED, TEXT, UNDATED

FIRST = f"{CODE}@1991-03-11;retificacao;2007-01-10"
SECOND = f"{CODE}@1993-05-22;retificacao;2007-01-10"
THIRD = f"{CODE}@1993-09-08;retificacao;2007-01-10"
#: The code on its day of signature, one day before its publication: not yet in force.
VACATIO = f"{CODE}?on=1990-09-11"
ZONES = ("UTC", "America/Sao_Paulo", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu")


def moment(day: str, hour: str = "00:00:00") -> str:
    """Return a day and a time of day as an HTTP date."""
    return f"{datetime.fromisoformat(day).replace(tzinfo=UTC):%a, %d %b %Y} {hour} GMT"


def plain(address: str, web: httpx.Client) -> str:
    """Return the path of an address with %3B and %2C decoded."""
    return address.removeprefix(str(web.base_url).rstrip("/")).replace("%3B", ";").replace("%2C", ",")


def travel(web: httpx.Client, gate: str, day: str, hour: str = "00:00:00") -> httpx.Response:
    return web.get(gate, headers={"accept-datetime": moment(day, hour)})


def links(text: str, web: httpx.Client) -> list[tuple[str, set[str], str | None]]:
    """Return each link with its relations and its datetime (RFC 7089, section 2.2)."""
    matches = re.findall(r'<([^>]*)>; rel="([^"]*)"((?:; \w+="[^"]*")*)', text)
    return [
        (plain(target, web), set(relations.split()), (re.search(r'datetime="([^"]*)"', more) or [None, None])[1])
        for target, relations, more in matches
    ]


def by_relation(text: str, web: httpx.Client, relation: str) -> tuple[str, str | None]:
    """Return the only memento link with a relation."""
    mementos = [(path, day) for path, relations, day in links(text, web) if {relation, "memento"} <= relations]
    assert len(mementos) == 1, (relation, mementos)
    return mementos[0]


@pytest.mark.parametrize("hour", ["00:00:00", "02:59:59", "03:00:00", "12:00:00", "23:59:59"])
@pytest.mark.parametrize(
    ("day", "version"),
    [
        ("1991-03-11", FIRST),
        ("1993-05-21", FIRST),
        ("1993-05-22", SECOND),
        ("1993-09-07", SECOND),
        ("1993-09-08", THIRD),
        ("2020-01-01", THIRD),
    ],
)
def test_timegate_over_force_uses_the_day(web: httpx.Client, day: str, version: str, hour: str) -> None:
    """Check that the time of day does not matter."""
    response = travel(web, f"/timegate/{CODE}", day, hour)
    assert (response.status_code, plain(response.headers["location"], web)) == (302, f"/{version}")
    assert response.headers["vary"] == "accept-datetime"
    assert "memento-datetime" not in response.headers
    assert "vigente-notice" not in response.headers
    paths = {relation: path for path, relations, _ in links(response.headers["link"], web) for relation in relations}
    assert (paths["original"], paths["timegate"], paths["timemap"]) == (
        f"/{CODE}",
        f"/timegate/{CODE}",
        f"/timemap/{CODE}",
    )
    assert by_relation(response.headers["link"], web, "first") == (f"/{VACATIO}", moment("1990-09-11"))
    assert by_relation(response.headers["link"], web, "last") == (f"/{THIRD}", moment("1993-09-08"))


def test_day_before_the_first_memento_gives_the_first_with_a_reason(web: httpx.Client) -> None:
    """Check RFC 7089, section 4.5.3; the resolver's own parameters are strict."""
    response = travel(web, f"/timegate/{CODE}", "1990-09-10", "23:59:59")
    assert (response.status_code, plain(response.headers["location"], web)) == (302, f"/{VACATIO}")
    assert response.headers["vigente-notice"] == "before-first-memento"
    assert response.json()["notices"][0]["code"] == "before-first-memento"
    assert web.get(f"/{CODE}?on=1990-09-10").status_code == 404


def test_day_without_a_version_is_a_memento_with_an_error_status(web: httpx.Client) -> None:
    """Check RFC 7089, section 4.5.5: an error on that day is a memento with the status of the error."""
    response = travel(web, f"/timegate/{CODE}", "1991-03-10", "23:59:59")
    assert (response.status_code, plain(response.headers["location"], web)) == (302, f"/{VACATIO}")
    assert (response.headers["vigente-status"], response.json()["version"]) == ("vacatio", None)
    assert "vigente-notice" not in response.headers
    answer = web.get(response.headers["location"])
    assert (answer.status_code, answer.json()["code"]) == (404, "before-first-version")
    assert answer.headers["memento-datetime"] == moment("1990-09-11")
    assert answer.headers["vigente-status"] == answer.json()["answer"]["status"] == "vacatio"
    text = answer.headers["link"]
    assert by_relation(text, web, "first") == (f"/{VACATIO}", moment("1990-09-11"))
    assert by_relation(text, web, "next") == (f"/{FIRST}", moment("1991-03-11"))
    paths = {relation: path for path, relations, _ in links(text, web) for relation in relations}
    assert (paths["original"], paths["timemap"]) == (f"/{CODE}", f"/timemap/{CODE}")
    within = web.get(f"/{CODE}?on=1990-10-01")
    assert (within.status_code, within.headers["memento-datetime"]) == (404, moment("1990-09-11"))
    assert by_relation(within.headers["link"], web, "first") == (f"/{VACATIO}", moment("1990-09-11"))
    before = web.get(f"/{CODE}?on=1990-09-10")
    assert before.status_code == 404
    assert "memento-datetime" not in before.headers
    assert 'rel="timemap"' in before.headers["link"]


def test_day_of_vacatio_has_mementos_over_knowledge(web: httpx.Client) -> None:
    """Check that the mementos show vacatio, as known from the first day of knowledge on."""
    listed = web.get(f"/timemap/as-known/{CODE}?on=1991-03-10&format=json").json()["mementos"]["list"]
    assert [(memento["status"], memento["from"], memento["until"]) for memento in listed] == [
        ("vacatio", "1990-09-11", None)
    ]
    response = travel(web, f"/timegate/as-known/{CODE}?on=1991-03-10", "2000-01-01")
    answer = web.get(response.headers["location"])
    assert (answer.status_code, answer.headers["memento-datetime"]) == (404, moment("1990-09-11"))
    assert answer.json()["answer"]["as_known"] == "1990-09-11"
    for room in ("timegate", "timemap"):
        before = web.get(f"/{room}/as-known/{CODE}?on=1980-01-01")
        assert (before.status_code, before.json()["code"]) == (404, "before-first-version")
        assert before.json()["answer"]["status"] == "not-published"


def test_future_known_date_gives_the_current_knowledge(web: httpx.Client) -> None:
    response = travel(web, f"/timegate/as-known/{CODE}?on=1993-06-15", "2990-01-01")
    assert (response.status_code, response.headers["vigente-notice"]) == (302, "after-today")
    assert response.headers["location"].endswith("as_known=2007-01-10")
    assert "vigente-notice" not in travel(web, f"/timegate/{CODE}", "2990-01-01").headers


def test_memento_has_its_headers_and_links(web: httpx.Client) -> None:
    response = web.get(travel(web, f"/timegate/{CODE}", "1993-06-15").headers["location"])
    assert response.status_code == 200
    assert response.headers["memento-datetime"] == moment("1993-05-22")
    assert response.headers["content-location"] == f"/{SECOND}?format=json"
    assert "accept-datetime" not in response.headers["vary"].lower()
    text = response.headers["link"]
    assert by_relation(text, web, "prev") == (f"/{FIRST}", moment("1991-03-11"))
    assert [path for path, relations, _ in links(text, web) if "first" in relations] == [f"/{FIRST}"]
    assert (f"/{VACATIO}", {"memento"}, moment("1990-09-11")) in links(text, web)
    assert by_relation(text, web, "next") == by_relation(text, web, "last") == (f"/{THIRD}", moment("1993-09-08"))
    paths = {relation: path for path, relations, _ in links(text, web) for relation in relations}
    assert (paths["original"], paths["timegate"]) == (f"/{CODE}", f"/timegate/{CODE}")


def test_first_and_last_mementos_are_those_of_the_timemap(web: httpx.Client) -> None:
    """Check RFC 7089, section 2.2.4; the first and last version (RFC 9676, section 7.1.1) may differ."""
    gone = f"{TEXT}@2001-06-01;publicacao;2001-03-06!art2"
    for name, versions in ((CODE, (FIRST, SECOND, THIRD)), (f"{TEXT}!art2", (gone,)), (RESTORED, ())):
        listed = links(web.get(f"/timemap/{name}").text, web)
        paths = {
            relation: path
            for path, relations, _ in listed
            for relation in relations
            if {relation, "memento"} <= relations
        }
        pages = [f"/{version}" for version in versions] or [
            path for path, relations, _ in listed if "memento" in relations
        ]
        for page in pages:
            page_links = links(web.get(page).headers["link"], web)
            for path, relations, _ in page_links:
                for end in {"first", "last"} & relations if "memento" in relations else ():
                    assert paths[end] == path, (page, end)
            if versions:
                ends = {
                    end: [path for path, relations, _ in page_links if end in relations] for end in ("first", "last")
                }
                assert ends == {"first": [f"/{versions[0]}"], "last": [f"/{versions[-1]}"]}, page
            order = [path for path, relations, _ in listed if "memento" in relations]
            for path, relations, _ in page_links:
                for step, by in (("prev", -1), ("next", 1)):
                    if {step, "memento"} <= relations:
                        assert order.index(path) == order.index(page) + by, (page, step)


def test_timegate_without_a_day_redirects_to_today(web: httpx.Client) -> None:
    assert plain(web.get(f"/timegate/{CODE}").headers["location"], web) == f"/{THIRD}"
    ahead = web.get(f"/timegate/{AHEAD}")
    assert (ahead.status_code, ahead.headers["vigente-status"]) == (302, "vacatio")
    assert plain(ahead.headers["location"], web) == f"/{AHEAD}?on=2001-03-06"


@pytest.mark.parametrize(
    ("known", "memento"),
    [
        ("1990-09-11", "@1991-03-11;assinatura;1990-09-11?on=1993-06-15&as_known=1990-09-11"),
        ("1990-09-12", "@1991-03-11;publicacao;1990-09-12?on=1993-06-15&as_known=1990-09-12"),
        ("1993-05-21", "@1991-03-11;publicacao;1990-09-12?on=1993-06-15&as_known=1990-09-12"),
        ("1993-05-22", "@1993-05-22;alteracao;1993-05-22?on=1993-06-15&as_known=1993-05-22"),
        ("1993-09-07", "@1993-05-22;alteracao;1993-05-22?on=1993-06-15&as_known=1993-05-22"),
        ("1993-09-08", "@1993-05-22;alteracao;1993-05-22?on=1993-06-15&as_known=1993-09-08"),
        ("2007-01-09", "@1993-05-22;alteracao;1993-05-22?on=1993-06-15&as_known=1993-09-08"),
        ("2007-01-10", "@1993-05-22;retificacao;2007-01-10?on=1993-06-15&as_known=2007-01-10"),
    ],
)
def test_timegate_over_knowledge_uses_the_known_date(web: httpx.Client, known: str, memento: str) -> None:
    """Check LexML 1.0 part 2, section 12.4, table 3: one day of force, as known on eight days.

    From 1993-09-08 on, the end of the version in force was known.
    """
    response = travel(web, f"/timegate/as-known/{CODE}?on=1993-06-15", known, "23:00:00")
    assert (response.status_code, plain(response.headers["location"], web)) == (302, f"/{CODE}{memento}")
    answer = web.get(response.headers["location"])
    assert answer.headers["memento-datetime"] == moment(memento[-10:])
    paths = {relation: path for path, relations, _ in links(answer.headers["link"], web) for relation in relations}
    assert paths["original"] == f"/{CODE}?on=1993-06-15"
    assert paths["timegate"] == f"/timegate/as-known/{CODE}?on=1993-06-15"
    assert web.get(f"/{CODE}?on=1993-06-15&as_known={known}").status_code == 303


def test_day_before_publication_has_a_notice(web: httpx.Client) -> None:
    response = travel(web, f"/timegate/as-known/{CODE}?on=1993-06-15", "1990-09-10")
    assert (response.status_code, response.headers["vigente-notice"]) == (302, "before-first-memento")
    assert response.headers["location"].endswith("as_known=1990-09-11")


def test_mementos_over_knowledge_are_linked_in_a_chain(web: httpx.Client) -> None:
    """Follow ``prev`` from the last memento: the links visit every memento of the TimeMap once, in reverse order."""
    path = travel(web, f"/timegate/as-known/{CODE}?on=1993-06-15", "2020-01-01").headers["location"]
    seen = [plain(path, web)]
    while True:
        answer = web.get(path)
        before = [p for p, rel, _ in links(answer.headers["link"], web) if {"prev", "memento"} <= rel]
        if not before:
            break
        path = before[0]
        seen.append(path)
    listed = web.get(f"/timemap/as-known/{CODE}?on=1993-06-15&format=json").json()["mementos"]["list"]
    assert [plain(memento["uri"], web) for memento in reversed(listed)] == seen
    assert len(seen) == 5


def test_timemaps_are_served_in_every_format(web: httpx.Client) -> None:
    as_links = web.get(f"/timemap/{CODE}")
    assert as_links.headers["content-type"] == "application/link-format"
    timemap_links = links(as_links.text, web)
    mementos = [(path, day) for path, relations, day in timemap_links if "memento" in relations]
    assert mementos == [
        (f"/{VACATIO}", moment("1990-09-11")),
        (f"/{FIRST}", moment("1991-03-11")),
        (f"/{SECOND}", moment("1993-05-22")),
        (f"/{THIRD}", moment("1993-09-08")),
    ]
    relations = {relation: path for path, every, _ in timemap_links for relation in every}
    assert relations["self"] == f"/timemap/{CODE}"
    assert f'from="{moment("1990-09-11")}"; until="{moment("1993-09-08")}"' in as_links.text
    as_json = web.get(f"/timemap/{CODE}", headers={"accept": "application/json"}).json()
    assert [(plain(memento["uri"], web), memento["datetime"]) for memento in as_json["mementos"]["list"]] == mementos
    assert [memento["until"] for memento in as_json["mementos"]["list"]] == [
        "1991-03-11",
        "1993-05-22",
        "1993-09-08",
        None,
    ]
    assert [memento["status"] for memento in as_json["mementos"]["list"]] == ["vacatio", *["in-force"] * 3]
    turtle = web.get(f"/timemap/{CODE}?format=ttl")
    triples = list(ox.parse(turtle.content, format=ox.RdfFormat.TURTLE))
    kind = ox.NamedNode("http://mementoweb.org/ns#Memento")
    assert sum(triple.object == kind for triple in triples) == 4
    original = ox.NamedNode(as_json["original_uri"])
    pairs = {
        name: {(t.subject, t.object) for t in triples if t.predicate.value == f"http://mementoweb.org/ns#{name}"}
        for name in ("memento", "original", "timemap", "timegate", "mementoDatetime")
    }
    uris = [ox.NamedNode(memento["uri"]) for memento in as_json["mementos"]["list"]]
    assert pairs["memento"] == {(original, uri) for uri in uris}
    assert pairs["original"] == {(uri, original) for uri in uris}
    assert pairs["timemap"] == {(original, ox.NamedNode(as_json["timemap_uri"]))}
    assert pairs["timegate"] == {(original, ox.NamedNode(as_json["timegate_uri"]))}
    moments = {(uri.value, datetime_.value) for uri, datetime_ in pairs["mementoDatetime"]}
    days = ["1990-09-11", "1991-03-11", "1993-05-22", "1993-09-08"]
    assert moments == {(uri.value, f"{day}T00:00:00Z") for uri, day in zip(uris, days, strict=True)}
    assert [t.object for t in triples if t.predicate.value.endswith("situacao")] == [ox.NamedNode(VIG["vacatio"])]
    tag = as_links.headers["etag"]
    assert web.get(f"/timemap/{CODE}", headers={"if-none-match": tag}).status_code == 304
    assert web.get(f"/timemap/{CODE}?format=html").status_code == 406


def test_timegates_work_for_provisions_and_across_gaps(web: httpx.Client) -> None:
    version = f"{TEXT}@2001-06-01;publicacao;2001-03-06!art2"
    listed = web.get(f"/timemap/{TEXT}!art2?format=json").json()["mementos"]["list"]
    assert [(memento["status"], memento["version"], memento["from"], memento["until"]) for memento in listed] == [
        ("vacatio", None, "2001-03-06", "2001-06-01"),
        ("in-force", version, "2001-06-01", "2002-05-02"),
        ("revoked", None, "2002-05-02", None),
    ]
    gone = travel(web, f"/timegate/{TEXT}!art2", "2002-05-02")
    assert plain(gone.headers["location"], web) == f"/{TEXT}!art2?on=2002-05-02"
    assert web.get(gone.headers["location"]).json()["code"] == "not-in-force"
    assert plain(travel(web, f"/timegate/{TEXT}!art2", "2002-05-01").headers["location"], web) == f"/{version}"
    restored = [
        plain(memento["uri"], web) for memento in web.get(f"/timemap/{RESTORED}?format=json").json()["mementos"]["list"]
    ]
    only = f"/{RESTORED}@2001-03-06;publicacao;2001-03-06"
    assert restored == [only, f"/{RESTORED}?on=2002-01-01", f"{only}?on=2003-01-01"]
    assert [web.get(path).status_code for path in restored] == [200, 404, 200]
    assert [web.get(path).headers["memento-datetime"] for path in restored] == [
        moment("2001-03-06"),
        moment("2002-01-01"),
        moment("2003-01-01"),
    ]


@pytest.mark.parametrize(
    "field",
    [
        "1993-06-15",
        "Tue, 15 Jun 1993",
        "Mon, 15 Jun 1993 00:00:00 GMT",
        "Tue, 31 Jun 1993 00:00:00 GMT",
        "Tue, 15 Jun 1993 24:00:00 GMT",
        "Tue, 15 Jun 1993 00:00:00 -0300",
        "Tuesday, 15-Jun-93 00:00:00 GMT",
        "",
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


def test_repeated_accept_datetime_and_resolver_parameters_are_refused(web: httpx.Client) -> None:
    twice = [("accept-datetime", moment("1993-06-15")), ("accept-datetime", moment("1993-06-16"))]
    assert web.get(f"/timegate/{CODE}", headers=twice).status_code == 400
    assert web.get(f"/timegate/{CODE}?on=1993-06-15").status_code == 400
    assert web.get(f"/timegate/as-known/{CODE}?as_known=1993-06-15").status_code == 400


@pytest.mark.parametrize("room", ["timegate", "timegate/as-known", "timemap", "timemap/as-known"])
def test_name_without_mementos_is_not_found(web: httpx.Client, room: str) -> None:
    for name, status, code in (
        (UNDATED, 404, "no-mementos"),
        (GONE, 410, "withdrawn"),
        ("urn:lex:br:federal:lei:2011-01-03;77777", 404, "unknown-name"),
        (f"{TEXT}!art999", 404, "provision-unknown"),
        (THIRD, 422, "bad-parameter"),
        ("no-name", 404, "unknown-address"),
    ):
        response = web.get(f"/{room}/{name}")
        assert (response.status_code, response.json()["code"]) == (status, code), name


@pytest.mark.parametrize("zone", ZONES)
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
                response = travel(web, f"/timegate/{CODE}", day, hour)
                assert plain(response.headers["location"], web) == f"/{version}"
            asked = web.get(f"/{CODE}?on={day}", follow_redirects=True)
            assert asked.json()["on"] == day
            assert asked.json()["version"]["name"] == version
        assert web.get(f"/{SECOND}").headers["memento-datetime"] == moment("1993-05-22")
        assert moment("1993-05-22") in web.get(f"/timemap/{CODE}").text
    finally:
        monkeypatch.undo()
        time.tzset()


def test_memento_client_follows_the_timegate(web: httpx.Client) -> None:
    """Check the client with the TimeGate as its ``timegate_uri``, as in docs/reference/addresses.md."""
    memento_client: Any = pytest.importorskip("memento_client")
    base = str(web.base_url).rstrip("/")
    documented = Path(__file__).parents[2] / "docs" / "reference" / "addresses.md"
    (line,) = re.findall(r"^ +(memento_client\..*)$", documented.read_text("utf-8"), re.MULTILINE)
    made = eval(line.replace("http://127.0.0.1:8000", base), {"memento_client": memento_client})  # noqa: S307 - our docs
    with made as client:
        info = client.get_memento_info(f"{base}/{CODE}", datetime(1993, 6, 15))  # noqa: DTZ001 - without a zone
    mementos = info["mementos"]
    assert plain(mementos["closest"]["uri"][0], web) == f"/{SECOND}"
    assert mementos["closest"]["datetime"] == datetime(1993, 5, 22)  # noqa: DTZ001
    assert mementos["closest"]["http_status_code"] == 200
    for relation, version, day in (
        ("prev", FIRST, datetime(1991, 3, 11)),  # noqa: DTZ001
        ("next", THIRD, datetime(1993, 9, 8)),  # noqa: DTZ001
        ("last", THIRD, datetime(1993, 9, 8)),  # noqa: DTZ001
    ):
        assert plain(mementos[relation]["uri"][0], web) == f"/{version}"
        assert mementos[relation]["datetime"] == day


def test_timegate_accepts_only_addresses_of_this_service(web: httpx.Client) -> None:
    base = str(web.base_url).rstrip("/")
    assert web.get(f"/timegate/{base}/{CODE}").status_code == 302
    assert web.get(f"/timegate/https://evil.example/{CODE}").status_code == 404
