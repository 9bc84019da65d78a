"""Tests of the resolver over HTTP: targets of names, cache lifetimes, and descriptions of every kind of resource."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo

import httpx
import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request

import graph.civil as clock
from graph.errors import BadName, StoreProblem
from graph.store import in_memory
from graph.store.caching import CachingStore
from graph.urn import parse
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import PREFIXES
from service.cli import main
from service.web import descriptions
from service.web.descriptions import describe
from service.web.http.name_paths import link_target, name_path, text_in_path
from service.web.published import Snapshot, State, from_one_snapshot, note_read
from service.web.replies import entity_tag
from service.web.settings import Settings
from tests.support.cases import tuples, values
from tests.support.engines import embedded
from tests.support.web import serving
from tests.support.web_names import CODE, ENDED, TEXT, UNDATED, code_of, place

# The resolver over HTTP


LAST = f"{CODE}@1993-09-08;retificacao;2007-01-10"
NEW = f"{CODE}@1993-05-22;retificacao;2007-01-10"


# Targets of names


def test_json_is_the_document_of_the_command_line(
    web: httpx.Client, names_store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, on in ((CODE, "1993-06-15"), (f"{TEXT}!art2", "2001-06-01"), (f"{TEXT}!art3", "2002-05-02")):
        main(["--store", str(names_store), "in-force", name, "--on", on, "--as-known", "2008-12-15", "--json"])
        printed = json.loads(capsys.readouterr().out)
        path = f"/{name}?on={on}&as_known=2008-12-15&format=json"
        assert web.get(path, follow_redirects=True).json() == printed


# Formats, links, caches


@pytest.mark.parametrize(("accept", "media"), tuples("resolver", "media_type_is_negotiated"))
def test_media_type_is_negotiated(web: httpx.Client, accept: str | None, media: str) -> None:
    response = web.get(f"/{LAST}", headers={"accept": accept} if accept else {})
    assert (response.status_code, response.headers["content-type"]) == (200, media)
    assert response.headers["vary"] == (
        "Accept, Accept-Language, Accept-Encoding" if media.startswith("text/html") else "Accept, Accept-Encoding"
    )
    assert web.get(response.headers["content-location"]).headers["content-type"] == media


def test_format_overrides_accept_and_unsupported_is_406(web: httpx.Client) -> None:
    response = web.get(f"/{LAST}?format=ttl", headers={"accept": "application/json"})
    assert response.headers["content-type"].startswith("text/turtle")
    assert web.get(f"/{LAST}?format=application/ld+json").headers["content-type"] == "application/ld+json"
    assert code_of(web.get(f"/{LAST}?format=pdf")) == (406, "not-acceptable")
    assert code_of(web.get(f"/{LAST}", headers={"accept": "image/png"})) == (406, "not-acceptable")
    assert place(web.get(f"/{CODE}?format=ttl")) == f"/{LAST}?format=ttl"
    for path in (CODE, UNDATED, f"{CODE}@1993-05-22", "urn:lex:br:federal:lei:1990;8078"):
        assert code_of(web.get(f"/{path}?format=xyz")) == (406, "not-acceptable"), "told before a redirect is followed"


def test_caching_and_conditional_headers_are_correct(web: httpx.Client) -> None:
    exact = web.get(f"/{NEW}?as_known=2008-01-01")
    assert web.get("/urn:lex:br:federal:lei:2011-01-03;77777").headers["cache-control"] == "no-store"
    tag = exact.headers["etag"]
    for condition in (tag, f'"other", W/{tag}', "*"):
        again = web.get(f"/{NEW}?as_known=2008-01-01", headers={"if-none-match": condition})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert web.get(f"/{NEW}?as_known=2008-01-01", headers={"if-none-match": '"other"'}).status_code == 200
    tags = {web.get(f"/{NEW}?format={short}").headers["etag"] for short in ("json", "ttl", "trig", "html")}
    assert len({*tags, tag}) == 5


#: An address of each kind of answer.
KINDS = f"""
    /{NEW}?as_known=2008-01-01 /diff/{CODE}?from=1990-09-11&to=2000-01-01 /timemap/{CODE} /descriptions/{CODE}
    /api/v1/in-force?urn={CODE} /openapi.json /ns /sparql
""".split()


@pytest.mark.parametrize("path", KINDS)
def test_if_match_compares_strongly(web: httpx.Client, path: str) -> None:
    """Check If-Match (RFC 9110, section 13.1.1): strong comparison, ``*`` for any answer, before If-None-Match."""
    tag = web.get(path).headers["etag"]
    held = {"if-match": f'"other", {tag}', "if-none-match": tag}
    same = web.get(path, headers=held)
    assert same.status_code == (412 if tag.startswith("W/") else 304)
    assert web.get(path, headers={"if-match": "*"}).status_code == 200
    for condition in ('"other"', f"W/{tag.removeprefix('W/')}", ""):
        refused = web.get(path, headers={"if-match": condition})
        assert code_of(refused) == (412, "precondition-failed"), condition
    assert web.get("/urn:lex:br:federal:lei:2011-01-03;77777", headers={"if-match": '"other"'}).status_code == 404


def test_head_options_and_cors_are_supported(web: httpx.Client) -> None:
    for path in (f"/{LAST}", f"/{CODE}", f"/{CODE}@1991-03-12", f"/timemap/{CODE}", f"/timegate/{CODE}"):
        fetched, head = web.get(path), web.head(path)
        assert (head.status_code, head.content) == (fetched.status_code, b"")
        passing = {"date", "x-request-id"}
        assert {k: v for k, v in head.headers.items() if k not in passing} == {
            k: v for k, v in fetched.headers.items() if k not in passing
        }
        assert fetched.headers["access-control-allow-origin"] == "*"
        options = web.options(path)
        assert (options.status_code, options.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
        assert "Accept-Datetime" in options.headers["access-control-allow-headers"]
    assert web.post(f"/{CODE}").status_code == 405


def test_etag_depends_on_the_snapshot() -> None:
    store = CachingStore(in_memory())
    snapshot, second, again = (Snapshot(State(*state), store) for state in (("1", 5), ("2", 5), ("1", 6)))
    assert entity_tag(snapshot, CODE) == entity_tag(snapshot, CODE)
    assert len({entity_tag(each_snapshot, CODE) for each_snapshot in (snapshot, second, again)}) == 3
    assert entity_tag(snapshot, CODE, "a") != entity_tag(snapshot, CODE, "b")


# Cache lifetimes

BASE = "https://direito.example"


@contextmanager
def _at_time(monkeypatch: pytest.MonkeyPatch, text: str) -> Iterator[None]:
    """Set the clock to this time in Brasília. The server runs in this process."""
    moment = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("America/Sao_Paulo")).astimezone(UTC)
    with monkeypatch.context() as patched:
        patched.setattr(clock, "_now", lambda: moment)
        yield


def _cache_control(web: httpx.Client, path: str, host: str | None = None) -> str:
    return str(web.get(path, headers={"host": host} if host is not None else None).headers["cache-control"])


@pytest.mark.parametrize(
    ("moment", "seconds"), [("2026-11-21T12:00:00", 3600), ("2026-11-21T23:00:01", 3599), ("2026-11-21T23:59:44", 16)]
)
def test_past_knowledge_is_cached_until_midnight(
    web: httpx.Client, monkeypatch: pytest.MonkeyPatch, moment: str, seconds: int
) -> None:
    """Check answers with notices and links about today: not-in-force-today, current."""
    with _at_time(monkeypatch, moment):
        for path in (
            f"/{NEW}?as_known=2026-11-20",
            f"/{CODE}?on=1993-06-15&as_known=2026-11-20",
            f"/{NEW}?on=1993-06-15&as_known=2026-11-20",
            f"/{CODE}@[1991-03-11,1993-05-22]?as_known=2006-01-01",
        ):
            assert _cache_control(web, path) == f"private, max-age={seconds}", path


#: Addresses without a day of knowledge, or with today.
CURRENT = f"""
    /{NEW} /{NEW}?as_known=2026-11-21 /{NEW}?on=1993-06-15&as_known=2026-11-21 /{CODE} /{CODE}?on=1993-06-15 /{ENDED}
    /timegate/{CODE} /timegate/as-known/{CODE}?on=1993-06-15 /timemap/{CODE} /timemap/as-known/{CODE}?on=1993-06-15
    /urn:lex:br:federal:lei:1990;8078
""".split()


@pytest.mark.parametrize("path", CURRENT)
def test_current_knowledge_is_revalidated(web: httpx.Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    with _at_time(monkeypatch, "2026-11-21T12:00:00"):
        assert _cache_control(web, path) == "no-cache"


def test_etag_changes_at_midnight(web: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/{NEW}?as_known=2008-01-01"
    with _at_time(monkeypatch, "2026-11-21T23:59:59"):
        tag = web.get(path).headers["etag"]
        assert web.get(path, headers={"if-none-match": tag}).status_code == 304
    with _at_time(monkeypatch, "2026-11-22T00:00:00"):
        assert web.get(path, headers={"if-none-match": tag}).status_code == 200


def test_shared_caching_requires_a_known_host(names_store: Path) -> None:
    """Check that the cache is private without --base and --hosts: a Location then begins with the Host field."""
    path = f"/{CODE}?on=1993-06-15&as_known=2008-01-01"
    for served, host, address, scope in (
        (Settings(names_store), "evil.example", "http://evil.example", "private"),
        (Settings(names_store, base=BASE), "evil.example", BASE, "public"),
        (Settings(names_store, hosts=("um.example",)), "um.example", "http://um.example", "public"),
    ):
        with serving(served) as service, httpx.Client(base_url=service, timeout=20) as web:
            response = web.get(path, headers={"host": host})
            assert response.headers["location"].startswith(f"{address}/urn:lex:"), served
            assert response.headers["cache-control"].startswith(f"{scope}, max-age="), served
            assert f"<{address}/" in response.headers["link"]
            described = web.get(f"/descriptions/{CODE}", headers={"host": host})
            assert described.headers["cache-control"].startswith(f"{scope}, max-age=")
            ends = time.monotonic() + 20
            while _cache_control(web, "/.well-known/void", host) == "no-cache":  # the counts are still being computed
                assert time.monotonic() < ends
                time.sleep(0.05)
            for linked in ("/.well-known/void", "/problems"):
                assert _cache_control(web, linked, host) == f"{scope}, max-age=60", (linked, served)
            if served.hosts:
                assert web.get(path, headers={"host": "evil.example"}).status_code == 400


def test_today_begins_at_midnight_in_brasilia(web: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that resolver, Memento and API change the day at midnight in Brasília, which is 03:00 UTC."""
    for moment, day in (("2026-11-21T23:59:59", "2026-11-21"), ("2026-11-22T00:00:00", "2026-11-22")):
        with _at_time(monkeypatch, moment):
            assert web.get(f"/{CODE}", follow_redirects=True).json()["as_known"] == day
            assert web.get("/api/v1/in-force", params={"urn": CODE}).json()["on"] == day
            tomorrow = date.fromisoformat(day).replace(day=23).isoformat()
            for path in (f"/{CODE}?as_known={tomorrow}", f"/api/v1/in-force?urn={CODE}&as_known={tomorrow}"):
                refused = web.get(path)
                assert (refused.status_code, refused.json()["code"]) == (404, "outside-knowledge-horizon")
                assert f"of {day} or before" in refused.json()["detail"]
    with _at_time(monkeypatch, "2001-03-05T23:59:59"):
        assert web.get(f"/timegate/{CODE}").headers["location"].endswith("alteracao%3B1993-09-08")


# Descriptions from the graph over HTTP


@pytest.fixture(scope="module")
def described_web(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("resolver_descriptions")


def _parse_triples(text: bytes, rdf_format: ox.RdfFormat) -> set[str]:
    return {str(quad.triple) for quad in ox.parse(text, format=rdf_format)}


@pytest.mark.parametrize("name", [CODE, f"{CODE}@1993-05-22;alteracao;1993-05-22", f"{TEXT}!art2", UNDATED])
def test_every_format_has_the_same_triples(described_web: httpx.Client, name: str) -> None:
    triples_by_format = {
        rdf_format: _parse_triples(described_web.get(f"/descriptions/{name}?format={short}").content, rdf_format)
        for short, rdf_format in (
            ("ttl", ox.RdfFormat.TURTLE),
            ("nt", ox.RdfFormat.N_TRIPLES),
            ("rdf", ox.RdfFormat.RDF_XML),
            ("jsonld", ox.RdfFormat.JSON_LD),
            ("trig", ox.RdfFormat.TRIG),
        )
    }
    reference = triples_by_format[ox.RdfFormat.N_TRIPLES]
    assert any(line.startswith(f"<{name}>") for line in reference)
    assert all(triples == reference for triples in triples_by_format.values())


def test_trig_has_a_graph_for_each_record(described_web: httpx.Client) -> None:
    quads = list(ox.parse(described_web.get(f"/descriptions/{CODE}?format=trig").content, format=ox.RdfFormat.TRIG))
    graphs = {quad.graph_name for quad in quads if quad.subject == ox.NamedNode(CODE)}
    assert len(graphs) > 1
    about = {quad.subject for quad in quads}
    assert graphs - {ox.DefaultGraph(), ox.NamedNode(DERIVED_GRAPH)} <= about
    union = {quad.triple for quad in quads if quad.graph_name == ox.DefaultGraph()}
    assert union == {quad.triple for quad in quads if quad.graph_name != ox.DefaultGraph()}


def test_every_described_resource_has_a_description(described_web: httpx.Client) -> None:
    """Check events, periods, records and texts, which have no name in lex: their IRI is in the path."""
    version = f"{CODE}@1993-05-22;retificacao;2007-01-10"
    quads = list(ox.parse(described_web.get(f"/descriptions/{version}?format=trig").content, format=ox.RdfFormat.TRIG))
    subjects = {quad.subject.value for quad in quads if isinstance(quad.subject, ox.NamedNode)}
    assert any("/id/evento/" in subject for subject in subjects)
    assert any("/id/periodo/" in subject for subject in subjects)
    for iri in subjects:
        for path in (iri, quote(iri, safe="")):
            response = described_web.get(f"/descriptions/{path}", headers={"accept": "text/turtle"})
            assert response.status_code == 200, iri
            assert response.headers["content-location"] == f"/descriptions{name_path(iri)}?format=ttl"
            assert described_web.get(response.headers["content-location"]).content == response.content


def test_version_and_text_are_described_at_their_names(described_web: httpx.Client) -> None:
    version = f"{CODE}@1993-05-22;retificacao;2007-01-10"
    own = described_web.get(f"/{version}", headers={"accept": "text/turtle"})
    assert own.content == described_web.get(f"/descriptions/{version}?format=ttl").content
    text = described_web.get(f"/{version}~texto;pt-br", headers={"accept": "application/ld+json"})
    assert text.status_code == 200
    assert text.headers["content-location"] == f"/{version}~texto;pt-br?format=jsonld"
    assert described_web.get(f"/{version}~texto;pt-br?on=1993-06-15").status_code == 422


def test_json_ld_is_compact_with_an_inline_context(described_web: httpx.Client) -> None:
    document = described_web.get(f"/descriptions/{CODE}?format=jsonld").json()
    assert document["@context"] == dict(PREFIXES)
    assert described_web.get("/context.jsonld").json() == {"@context": document["@context"]}
    node = next(entry for entry in document["@graph"] if entry["@id"] == CODE)
    assert "frbroo:F15_Complex_Work" in node["@type"]
    assert node["vig:nome"] == CODE
    assert not [key for entry in document["@graph"] for key in entry if key.startswith("http")]


def test_description_size_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    store = in_memory()
    node = ox.NamedNode("urn:lex:br:federal:lei:2009-01-05;99942")
    predicate = ox.NamedNode("https://w3id.org/vigente/ns#numero")
    embedded(store).extend(ox.Quad(node, predicate, ox.Literal(str(n))) for n in range(31))
    monkeypatch.setattr(descriptions, "MAX_STATEMENTS", 30)
    cut_description = describe(store, node.value)
    assert cut_description is not None
    assert (len(cut_description.quads), cut_description.cut) == (30, True)
    monkeypatch.setattr(descriptions, "MAX_STATEMENTS", 31)
    full_description = describe(store, node.value)
    assert full_description is not None
    assert (len(full_description.quads), full_description.cut) == (31, False)


# Names in paths

_TYPES = st.sampled_from(["lei", "decreto", "emenda.constitucional", "medida.provisoria", "acordao;adi"])
_TAILS = st.sampled_from(values("resolver", "tails"))
_BRAZILIAN = st.builds(
    lambda kind, day, number, tail: f"urn:lex:br:federal:{kind}:{day.isoformat()};{number}{tail}",
    _TYPES,
    st.dates(),
    st.integers(1, 99999),
    _TAILS,
)
_FOREIGN = st.builds(
    lambda number, part: f"urn:lex:fr:etat:loi:2004-05-15;{number}{part}",
    st.text("abcXYZ019.-_'=()+|", min_size=1, max_size=12),
    st.sampled_from(["", "~art15;par3", "@original:es$text-html:juradmin.eu"]),
)


def _make_request(path: str) -> Request:
    return Request({"type": "http", "method": "GET", "path": path, "raw_path": path.encode("ascii"), "headers": []})


def _round_trips(text: str) -> bool:
    """Return whether the text is a name, and check that its path, in every spelling, is read as that name."""
    try:
        name = parse(text)
    except BadName:
        return False
    path = name_path(name.canonical)
    assert path.count("/") == 1
    for spelled in (path, link_target(path), "/" + quote(name.canonical, safe="")):
        assert parse(text_in_path(_make_request(spelled))).canonical == name.canonical
    return True


@settings(max_examples=200)
@given(_BRAZILIAN | _FOREIGN)
def test_canonical_name_round_trips_through_a_path(text: str) -> None:
    _round_trips(text)


async def _read_two_snapshots() -> None:
    for number in "12":
        note_read(State(number, 0))


def test_answer_of_two_snapshots_is_refused() -> None:
    with pytest.raises(StoreProblem, match="5 attempts"):
        asyncio.run(from_one_snapshot(_read_two_snapshots))
