"""Tests of linked data: other parsers read every answer, all terms exist, and nothing unknown is stated."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import httpx
import pytest
from rdflib import DCTERMS, FOAF, RDF, RDFS, SH, XSD, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection

from graph.store import open as open_store
from ontology.namespaces import VIG
from queries.catalogue import catalogue
from service.cli import main
from service.web.http.problem_codes import MEANINGS
from service.web.settings import DatasetSettings, Settings
from tests.support.cases import constant
from tests.support.web import serving

FORMATS = constant("linked_data", "formats")
VOID = "http://rdfs.org/ns/void#"
DCAT = "http://www.w3.org/ns/dcat#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
#: By namespace, the terms of other vocabularies.
TERMS = tomllib.loads((Path(__file__).parents[2] / "data" / "external_terms.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def address(served_sample: str) -> str:
    """Return the address of a server over the sample that has counted its triples."""
    end = time.monotonic() + 60
    while VOID + "triples" not in httpx.get(f"{served_sample}/.well-known/void?format=nt", timeout=60).text:
        assert time.monotonic() < end
    return served_sample


def _fetch_graph(url: str, media: str = "text/turtle") -> Graph:
    answer = httpx.get(url, headers={"Accept": media})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].partition(";")[0] == media
    return Graph().parse(data=answer.content, format=FORMATS[media])


def _assert_terms_exist(graph: Graph) -> None:
    used = {str(term) for _, property_, value in graph for term in (property_, value) if isinstance(term, URIRef)}
    for space, terms in TERMS.items():
        local = {term.removeprefix(space) for term in used if term.startswith(space) and term != space}
        assert local <= set(terms.split()), space


PATHS = ["/ns", "/shapes", "/vocab", "/vocab/evento", "/vocab/localidade/br", "/queries", "/queries/timeline"]


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")  # rdflib's own reader of JSON-LD
@pytest.mark.parametrize("path", [*PATHS, "/.well-known/void"])
def test_every_format_has_the_same_statements_and_existing_terms(address: str, path: str) -> None:
    first, *others = [_fetch_graph(address + path, media) for media in FORMATS]
    _assert_terms_exist(first)
    assert len(first) > 0
    for other in others:
        assert len(other) == len(first)
        assert _named_links(other) == _named_links(first)


def _named_links(graph: Graph) -> set[tuple[str, str, str]]:
    """Return the triples of a graph whose subject and object are IRIs."""
    terms = ((s, p, o) for s, p, o in graph if isinstance(s, URIRef) and isinstance(o, URIRef))
    return {(str(s), str(p), str(o)) for s, p, o in terms}


def test_ontology_page_describes_every_term(address: str) -> None:
    graph = _fetch_graph(f"{address}/ns")
    page = httpx.get(f"{address}/ns", headers={"Accept": "text/html"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for term in VIG:
        assert (URIRef(VIG[term]), None, None) in graph
        assert f'id="{term}"' in page.text


def test_vocabulary_lists_its_values(address: str) -> None:
    scheme = URIRef("https://w3id.org/vigente/vocab/evento")
    graph = _fetch_graph(f"{address}/vocab/evento")
    members = set(graph.subjects(URIRef(SKOS + "inScheme"), scheme))
    assert URIRef(f"{scheme}/publicacao") in members
    assert (URIRef(f"{scheme}/publicacao"), URIRef(SKOS + "notation"), Literal("publicacao")) in graph
    place_graph = _fetch_graph(f"{address}/vocab/localidade/br;sao.paulo")
    assert set(place_graph.subjects()) == {URIRef("https://w3id.org/vigente/vocab/localidade/br;sao.paulo")}
    assert _fetch_graph(f"{address}/vocab/localidade/br%3Bsao.paulo").isomorphic(place_graph)
    assert "São Paulo" in httpx.get(f"{address}/vocab/localidade/br;sao.paulo", headers={"Accept": "text/html"}).text
    for unknown in ("/vocab/nenhum", "/vocab/evento/nenhum", "/vocab/nenhum/br", "/vocab/evento/", "/vocab/../evento"):
        answer = httpx.get(address + unknown)
        assert answer.status_code == 404, unknown
        assert answer.json()["code"] == "unknown-address"


def test_value_defined_in_the_store_is_served(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    file = tmp_path / "autoridade.csv"
    file.write_text(
        "id,about,prefLabel,lang,altLabel,broader,facetaAcronimo,faceta,prefNodeId\n"
        "1,ministerio.ficticio,Ministério Fictício,pt-BR,,,,,\n",
        encoding="utf-8",
    )
    assert main(["--store", str(folder), "load", "--as", "vocabulary", str(file)]) == 0
    with serving(Settings(folder)) as address:
        graph = _fetch_graph(f"{address}/vocab/autoridade/ministerio.ficticio")
        label = next(graph.objects(None, URIRef(SKOS + "prefLabel")))
        assert str(label) == "Ministério Fictício"
        assert "ministerio.ficticio" in httpx.get(f"{address}/vocab/autoridade").text


CSVW = Namespace("http://www.w3.org/ns/csvw#")
KINDS = {"anyURI": "iri", "date": "date", "integer": "integer", "string": "string"}


def columns_of(graph: Graph, query: URIRef) -> list[tuple[str, str, str]]:
    """Return the columns of a query in its RDF: name, kind and meaning, in order."""
    schema = graph.value(query, CSVW.tableSchema)
    assert (schema, RDF.type, CSVW.Schema) in graph
    head = graph.value(schema, CSVW.column)
    assert head is not None
    return [
        (
            str(graph.value(node, CSVW.name)),
            KINDS[str(graph.value(node, CSVW.datatype)).removeprefix(str(XSD))],
            str(graph.value(node, DCTERMS.description)),
        )
        for node in Collection(graph, head)
    ]


def test_queries_are_served_as_written(address: str) -> None:
    listed = httpx.get(f"{address}/queries").json()
    assert [entry["name"] for entry in listed] == list(catalogue())
    text = URIRef("http://www.w3.org/ns/shacl#select")
    graph = _fetch_graph(f"{address}/queries")
    for name, query in catalogue().items():
        subject = URIRef(f"https://w3id.org/vigente/queries/{name}")
        assert graph.value(subject, text) == Literal(query.text)
        assert (subject, RDF.type, URIRef("http://www.w3.org/ns/shacl#SPARQLSelectExecutable")) in graph
        body = [line for line in query.text.splitlines() if not line.startswith("#")]
        assert any("SELECT" in line for line in body)
        for predicate, texts in (
            (DCTERMS.title, {"pt-br": query.titulo, "en": query.title}),
            (RDFS.comment, {"pt-br": query.pergunta, "en": query.question}),
            (DCTERMS.description, {"pt-br": query.limites, "en": query.limits} if query.limits else {}),
        ):
            literals = [
                (str(literal.language), str(literal))
                for literal in graph.objects(subject, predicate)
                if isinstance(literal, Literal)
            ]
            assert sorted(literals) == sorted(texts.items())
        numbers = {int(str(position)) for position in graph.objects(subject, URIRef("http://schema.org/position"))}
        assert numbers == set(query.competency)
        parameters = [(parameter.name, parameter.kind, parameter.meaning) for parameter in query.parameters]
        columns = [(column.name, column.kind, column.meaning) for column in query.columns]
        assert columns_of(graph, subject) == parameters + columns
        defaults = {
            str(graph.value(node, SH.path)).rpartition("#")[2]: graph.value(node, SH.defaultValue)
            for node in graph.objects(subject, SH.parameter)
        }
        assert {name: None if value is None else str(value) for name, value in defaults.items()} == {
            parameter.name: parameter.default for parameter in query.parameters
        }
        for node in graph.objects(subject, SH.parameter):
            assert (graph.value(node, SH.defaultValue) is not None) == bool(graph.value(node, SH.optional))
    answer = httpx.get(f"{address}/queries/timeline", headers={"Accept": "application/sparql-query"})
    assert answer.text == catalogue()["timeline"].text
    assert httpx.get(f"{address}/queries/timeline").json()["text"] == answer.text
    assert httpx.get(f"{address}/queries/none").status_code == 404


def test_every_problem_code_has_a_page(address: str) -> None:
    for code, meaning in MEANINGS.items():
        assert httpx.get(f"{address}/problems/{code}", headers={"Accept": "application/json"}).json() == [
            {"code": code, "meaning": meaning}
        ]
    assert httpx.get(f"{address}/problems/none").status_code == 404
    assert httpx.get(f"{address}/problems").text.count("<dt>") == len(MEANINGS)


def test_dataset_description_has_the_counts_of_the_store(address: str, sample_store: Path) -> None:
    graph = _fetch_graph(f"{address}/.well-known/void")
    dataset = URIRef(f"{address}/.well-known/void#dataset")
    with open_store(sample_store) as opened:
        quads = list(opened.engine.quads_for_pattern(None, None, None, None))
    assert graph.value(dataset, URIRef(VOID + "triples")) == Literal(len(quads))
    counted = {
        str(graph.value(part, URIRef(VOID + "property"))): int(str(graph.value(part, URIRef(VOID + "triples"))))
        for part in graph.objects(dataset, URIRef(VOID + "propertyPartition"))
    }
    assert counted == {p: sum(q.predicate.value == p for q in quads) for p in {q.predicate.value for q in quads}}
    classes = {
        str(graph.value(part, URIRef(VOID + "class"))): int(str(graph.value(part, URIRef(VOID + "entities"))))
        for part in graph.objects(dataset, URIRef(VOID + "classPartition"))
    }
    typed = {(str(q.subject), str(getattr(q.object, "value", ""))) for q in quads if q.predicate.value == str(RDF.type)}
    assert classes == {class_: sum(c == class_ for _, c in typed) for class_ in {c for _, c in typed}}
    example = str(graph.value(dataset, URIRef(VOID + "exampleResource")))
    assert any(str(q.subject) == f"<{example}>" for q in quads)
    assert not list(graph.objects(None, URIRef("http://purl.org/dc/terms/license")))  # none is configured
    assert not list(graph.objects(None, URIRef(VOID + "dataDump")))  # there is none
    horizon = list(graph.objects(None, URIRef(VIG["horizonte"])))
    assert [str(day) for day in horizon] == ["2008-12-15"]
    described = set(graph.objects(None, URIRef(DCAT + "endpointURL")))
    for endpoint in described:
        assert httpx.get(str(endpoint)).status_code != 404


def test_dataset_description_has_the_operator_settings(sample_store: Path) -> None:
    dataset_settings = DatasetSettings(
        licence="https://creativecommons.org/publicdomain/zero/1.0/",
        publisher="Câmara Municipal de Exemplo",
        keywords=("direito", "LexML"),
        dump="https://vigente.example/tudo.nq.gz",
    )
    with serving(Settings(sample_store, dataset=dataset_settings)) as address:
        graph = _fetch_graph(f"{address}/.well-known/void")
        dataset = URIRef(f"{address}/.well-known/void#dataset")
        publisher = graph.value(dataset, DCTERMS.publisher)
        assert str(graph.value(publisher, FOAF.name)) == dataset_settings.publisher
        assert graph.value(dataset, DCTERMS.license) == URIRef(str(dataset_settings.licence))
        assert graph.value(dataset, DCTERMS.rights) is None
        assert {str(word) for word in graph.objects(dataset, URIRef(DCAT + "keyword"))} == {"direito", "LexML"}
        assert graph.value(dataset, URIRef(DCAT + "landingPage")) == URIRef(f"{address}/")
        assert graph.value(dataset, URIRef(VOID + "dataDump")) == URIRef(str(dataset_settings.dump))
        assert (None, URIRef(DCAT + "downloadURL"), URIRef(str(dataset_settings.dump))) in graph
        subjects = int(str(graph.value(dataset, URIRef(VOID + "distinctSubjects"))))
    with open_store(sample_store) as opened:
        assert subjects == len({str(quad.subject) for quad in opened.engine.quads_for_pattern(None, None, None, None)})


def test_browser_receives_the_dataset_as_html(address: str, sample_store: Path) -> None:
    path = f"{address}/.well-known/void"
    dataset = URIRef(f"{path}#dataset")
    triples = int(str(_fetch_graph(path).value(dataset, URIRef(VOID + "triples"))))
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    page = httpx.get(path, headers=browser)
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["content-language"] == "pt-BR"
    assert page.headers["vary"] == "Accept, Accept-Language, Accept-Encoding, Host"
    assert "<h1>Sobre os dados</h1>" in page.text
    assert f"{triples:,} declarações.".replace(",", ".") in page.text
    assert "Não há licença única." in page.text
    assert '/oai">exemplo.vigente.invalid</a>: até <time datetime="2008-12-15">15/12/2008</time>' in page.text
    assert '<a href="/ns#Periodo">vig:Periodo</a> <span class="soft">(período)</span></td>' in page.text
    for short in ("ttl", "jsonld", "rdf", "nt"):
        assert f'href="/.well-known/void?format={short}"' in page.text
    english = httpx.get(f"{path}?lang=en", headers=browser)
    assert "<h1>About the data</h1>" in english.text
    assert "There is no single licence." in english.text
    assert "<h1>Sobre os dados</h1>" in httpx.get(f"{path}?format=html").text
    for accept in ("*/*", "text/turtle, text/html;q=0.5", "application/rdf+xml"):  # other clients still receive RDF
        assert "html" not in httpx.get(path, headers={"Accept": accept}).headers["content-type"], accept
    settings = DatasetSettings(
        licence="https://creativecommons.org/publicdomain/zero/1.0/",
        publisher="Câmara <Municipal> de Exemplo",
        dump="javascript:alert(1)",
    )
    with serving(Settings(sample_store, dataset=settings, base="https://vigente.example")) as other:
        page = httpx.get(f"{other}/.well-known/void", headers=browser)
        assert page.headers["vary"] == "Accept, Accept-Language, Accept-Encoding"
        assert f'href="{settings.licence}"' in page.text
        assert "Câmara &lt;Municipal&gt; de Exemplo" in page.text
        assert 'href="javascript' not in page.text


def test_resources_have_etags_and_cache_headers(address: str) -> None:
    for path in ("/ns", "/shapes", "/vocab/evento", "/queries", "/problems/busy", "/.well-known/void", "/robots.txt"):
        first = httpx.get(address + path)
        tag = first.headers["etag"]
        assert "max-age" in first.headers["cache-control"]
        again = httpx.get(address + path, headers={"If-None-Match": f'"other", W/{tag.removeprefix("W/")}'})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert httpx.get(address + path, headers={"If-None-Match": '"other"'}).status_code == 200
        head = httpx.head(address + path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == first.headers["content-length"]
        if path != "/robots.txt":
            assert "Accept" in first.headers["vary"]
            others = httpx.get(address + path, headers={"Accept": "text/html, application/ld+json;q=0.9"})
            assert others.headers["etag"] != tag or path == "/problems/busy"
    refused = httpx.get(f"{address}/ns", headers={"Accept": "image/png"})
    assert (refused.status_code, refused.json()["code"]) == (406, "not-acceptable")


def test_format_parameter_overrides_accept(address: str) -> None:
    for path in ("/ns", "/vocab", "/vocab/evento", "/queries", "/queries/timeline", "/.well-known/void"):
        answer = httpx.get(f"{address}{path}?format=jsonld", headers={"Accept": "text/turtle"})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/ld+json"), path
        assert httpx.get(f"{address}{path}?format=pdf").status_code == 406
        assert httpx.get(f"{address}{path}?foo=1").json()["code"] == "unknown-parameter"
    assert httpx.get(f"{address}/queries/timeline?format=rq").text.startswith("# title")
    assert httpx.get(f"{address}/problems?foo=1").json()["code"] == "unknown-parameter"


def test_index_links_to_every_part(address: str) -> None:
    index = httpx.get(address + "/").json()
    for path in index["links"].values():
        if "{urn}" not in path:
            assert httpx.get(address + path).status_code == 200, path
    page = httpx.get(address + "/", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["vary"] == "Accept, Accept-Language, Accept-Encoding"
    assert httpx.get(address + "/", headers={"Accept": "image/png"}).status_code == 406
    assert httpx.get(address + "/?x=1").json()["code"] == "unknown-parameter"
