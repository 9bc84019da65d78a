"""Tests of descriptions from the graph over HTTP: every kind of resource, every format; and names in paths."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import httpx
import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request

from graph.errors import BadName
from graph.store import in_memory
from graph.urn import parse
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import PREFIXES
from service.web import descriptions
from service.web.descriptions import describe
from service.web.http.name_paths import link_target, name_path, text_in_path
from tests.support.engines import embedded
from tests.support.sites.resolver_descriptions import HOSTILE_NORM, SCRIPT
from tests.support.web_names import CODE, TEXT, UNDATED

EXAMPLES = Path(__file__).parents[2] / "data" / "urn" / "spec-examples.tsv"
#: Every name in the specifications.
NAMES = [
    row[2] + row[3] + row[4]
    for row in (line.split("\t") for line in EXAMPLES.read_text(encoding="utf-8").splitlines()[1:])
]


@pytest.fixture(scope="module")
def web(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("resolver_descriptions")


def _parse_triples(text: bytes, rdf_format: ox.RdfFormat) -> set[str]:
    return {str(quad.triple) for quad in ox.parse(text, format=rdf_format)}


@pytest.mark.parametrize("name", [CODE, f"{CODE}@1993-05-22;alteracao;1993-05-22", f"{TEXT}!art2", UNDATED])
def test_every_format_has_the_same_triples(web: httpx.Client, name: str) -> None:
    triples_by_format = {
        rdf_format: _parse_triples(web.get(f"/descriptions/{name}?format={short}").content, rdf_format)
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


def test_trig_has_a_graph_for_each_record(web: httpx.Client) -> None:
    quads = list(ox.parse(web.get(f"/descriptions/{CODE}?format=trig").content, format=ox.RdfFormat.TRIG))
    graphs = {quad.graph_name for quad in quads if quad.subject == ox.NamedNode(CODE)}
    assert len(graphs) > 1
    about = {quad.subject for quad in quads}
    assert graphs - {ox.DefaultGraph(), ox.NamedNode(DERIVED_GRAPH)} <= about
    union = {quad.triple for quad in quads if quad.graph_name == ox.DefaultGraph()}
    assert union == {quad.triple for quad in quads if quad.graph_name != ox.DefaultGraph()}


def test_every_described_resource_has_a_description(web: httpx.Client) -> None:
    """Check events, periods, records and texts, which have no name in lex: their IRI is in the path."""
    version = f"{CODE}@1993-05-22;retificacao;2007-01-10"
    quads = list(ox.parse(web.get(f"/descriptions/{version}?format=trig").content, format=ox.RdfFormat.TRIG))
    subjects = {quad.subject.value for quad in quads if isinstance(quad.subject, ox.NamedNode)}
    assert any("/id/evento/" in subject for subject in subjects)
    assert any("/id/periodo/" in subject for subject in subjects)
    for iri in subjects:
        for path in (iri, quote(iri, safe="")):
            response = web.get(f"/descriptions/{path}", headers={"accept": "text/turtle"})
            assert response.status_code == 200, iri
            assert response.headers["content-location"] == f"/descriptions{name_path(iri)}?format=ttl"
            assert web.get(response.headers["content-location"]).content == response.content


def test_version_and_text_are_described_at_their_names(web: httpx.Client) -> None:
    version = f"{CODE}@1993-05-22;retificacao;2007-01-10"
    own = web.get(f"/{version}", headers={"accept": "text/turtle"})
    assert own.content == web.get(f"/descriptions/{version}?format=ttl").content
    text = web.get(f"/{version}~texto;pt-br", headers={"accept": "application/ld+json"})
    assert text.status_code == 200
    assert text.headers["content-location"] == f"/{version}~texto;pt-br?format=jsonld"
    assert web.get(f"/{version}~texto;pt-br?on=1993-06-15").status_code == 422


def test_json_ld_is_compact_with_an_inline_context(web: httpx.Client) -> None:
    document = web.get(f"/descriptions/{CODE}?format=jsonld").json()
    assert document["@context"] == dict(PREFIXES)
    assert web.get("/context.jsonld").json() == {"@context": document["@context"]}
    node = next(entry for entry in document["@graph"] if entry["@id"] == CODE)
    assert "frbroo:F15_Complex_Work" in node["@type"]
    assert node["vig:nome"] == CODE
    assert not [key for entry in document["@graph"] for key in entry if key.startswith("http")]


class _PageParser(HTMLParser):
    """A parser that collects the tags, attributes and scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.scripts: list[list[tuple[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [key for key, _ in attrs]
        if tag == "script":
            self.scripts.append(attrs)


def test_source_text_is_escaped(web: httpx.Client) -> None:
    version = f"{HOSTILE_NORM}@2009-01-05;publicacao;2009-01-05"
    for path in (f"/{version}", f"/descriptions/{version}"):
        response = web.get(path, headers={"accept": "text/html"})
        page = _PageParser()
        page.feed(response.text)
        data = [("type", "application/ld+json")]  # no browser runs it
        others = [dict(attributes) for attributes in page.scripts if attributes != data]
        assert {str(attributes.get("src")).rpartition("/")[2] for attributes in others} <= {
            "calendar.js",
            "share.js",
            "suggest.js",
        }
        assert all(str(attributes["src"]).startswith("/assets/") for attributes in others)
        assert not [name for name in page.attributes if name.startswith("on")]
        assert "\u202e" not in response.text
    assert "&lt;script&gt;" in web.get(f"/descriptions/{version}?format=html").text
    served = web.get(f"/descriptions/{version}?format=jsonld").json()
    assert SCRIPT in json.dumps(served, ensure_ascii=False).replace('\\"', '"')


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
_TAILS = st.sampled_from(
    [
        "",
        "!art5_cpt_inc11",
        "@1993-05-22",
        "@1993-05-22;alteracao;1993-05-22",
        "@[1991-03-11,1993-09-08]",
        "~texto;pt-br",
    ]
)
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


def test_names_in_the_specifications_round_trip() -> None:
    assert sum(map(_round_trips, NAMES)) > 100
