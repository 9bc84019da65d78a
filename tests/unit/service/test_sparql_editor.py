"""Tests of ``/sparql/editor``: examples run as written, the form works without script, and input is escaped."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import cast

import httpx
import lxml.html
import pytest
from lxml.html import FormElement, HtmlElement, TextareaElement

from ontology.namespaces import PREFIXES
from queries.catalogue import catalogue
from service.web.pages.examples import example_value

PATH = "/sparql/editor"
#: Parameters without an example value in the bundled sample: the user fills them in.
WITHOUT_VALUES = {name for name, query in catalogue().items() for p in query.parameters if not example_value(p)}


def page(web: httpx.Client, language: str = "pt-BR", **query: str) -> HtmlElement:
    answer = web.get(PATH, params=query, headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    assert "Accept-Language" in answer.headers["vary"]
    return lxml.html.document_fromstring(answer.content)


def _field_text(page: HtmlElement) -> str:
    """Return the content of the field: a browser drops a line break at its beginning."""
    return (cast("TextareaElement", page.get_element_by_id("query")).value or "").removeprefix("\n")


def _query_form(page: HtmlElement) -> FormElement:
    return cast("FormElement", page.get_element_by_id("ask"))


def test_examples_run_as_written_or_request_their_values(web: httpx.Client) -> None:
    assert len(WITHOUT_VALUES) <= 13, WITHOUT_VALUES
    for name, query in catalogue().items():
        editor_page = page(web, example=name)
        text = _field_text(editor_page)
        assert text, "the query itself is there to be read"
        if name in WITHOUT_VALUES:
            alerts = [each.text_content() for each in editor_page.iter("p") if each.get("role") == "alert"]
            assert ["needs parameter" in alert for alert in alerts] == [True], name
            continue
        assert not text.startswith("#"), name
        answer = web.post("/sparql", content=text, headers={"Content-Type": "application/sparql-query"})
        assert answer.status_code == 200, answer.text
        assert set(answer.json()["head"]["vars"]) >= {column.name for column in query.columns}, name


def test_values_are_inserted_into_the_example(web: httpx.Client) -> None:
    text = _field_text(
        page(web, example="version_in_force", norma="urn:lex:br:federal:lei:2001-03-05;99907", em="2001-05-01")
    )
    assert "<urn:lex:br:federal:lei:2001-03-05;99907>" in text
    assert '"2001-05-01"^^' in text
    assert "?em" not in text.replace("AS ?em)", "")


def test_invalid_value_is_reported_and_kept(web: httpx.Client) -> None:
    editor_page = page(web, example="version_in_force", em="ontem")
    assert editor_page.get_element_by_id("value-em").get("value") == "ontem"
    assert "parameter 'em'" in editor_page.text_content()


def test_every_catalogue_query_is_listed_in_both_languages(web: httpx.Client) -> None:
    for language, title in (("pt-BR", "titulo"), ("en", "title")):
        options = [
            (option.get("value"), option.text) for option in page(web, language).iter("option") if option.get("value")
        ]
        assert dict(options) == {name: getattr(query, title) for name, query in catalogue().items()}
        assert [text for _, text in options] == sorted(text for _, text in options if text)


def test_the_prefixes_are_those_of_the_data(web: httpx.Client) -> None:
    (text,) = [element.text_content() for element in page(web).iter("pre")]
    assert text == "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in sorted(PREFIXES.items()))


@pytest.mark.parametrize(
    ("query", "name", "media"),
    [
        ("SELECT * { ?s ?p ?o } LIMIT 1", "csv", "text/csv"),
        ("SELECT * { ?s ?p ?o } LIMIT 1", "tsv", "text/tab-separated-values"),
        ("ASK { ?s ?p ?o }", "json", "application/sparql-results+json"),
        ("ASK { ?s ?p ?o }", "xml", "application/sparql-results+xml"),
        ("DESCRIBE <urn:lex:br:federal:lei:1990-09-11;8078>", "ttl", "text/turtle"),
        ("CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1", "nt", "application/n-triples"),
        ("CONSTRUCT WHERE { ?s a ?o } LIMIT 1", "rdf", "application/rdf+xml"),
        ("CONSTRUCT WHERE { ?s a ?o } LIMIT 1", "jsonld", "application/ld+json"),
    ],
)
def test_form_works_without_javascript(web: httpx.Client, query: str, name: str, media: str) -> None:
    asked = _query_form(page(web, query=query))
    buttons = [button.get("value") for button in asked.iter("button") if button.get("name") == "format"]
    assert name in buttons
    fields = {str(key): str(value) for key, value in asked.form_values()}
    assert {key: value.removeprefix("\n") for key, value in fields.items()} == {"query": query}
    answer = web.request(asked.method, asked.action or "", data={**fields, "format": name})
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, media)


@pytest.mark.parametrize("text", ["</textarea><script>alert(1)</script>", "\n\n?x", '"<>&', "\u202ea"])
def test_typed_query_is_escaped(web: httpx.Client, text: str) -> None:
    editor_page = page(web, query=text)
    assert "alert(1)" not in "".join(script.text or "" for script in editor_page.iter("script"))
    kept = _field_text(editor_page).replace("\r\n", "\n")
    assert kept == text or "\u202e" in text
    assert "\u202e" not in lxml.html.tostring(editor_page, encoding="unicode")


def test_editor_files_match_the_licence_file(web: httpx.Client) -> None:
    licence = files("service.web").joinpath("assets", "yasqe.license.txt").read_text(encoding="utf-8")
    paths = [str(element.get("src") or element.get("href")) for element in page(web).iter("script", "link")]
    for name in ("yasqe.min.js", "yasqe.min.css"):
        (path,) = [path for path in paths if path.endswith(name)]
        assert f"sha256 {sha256(web.get(path).content).hexdigest()} {name}\n" in licence


def test_nothing_is_loaded_from_another_host(web: httpx.Client) -> None:
    for element in page(web).iter("script", "link", "img"):
        address = str(
            element.get("src") or (element.get("href") if element.get("rel") in ("stylesheet", "icon") else None) or "/"
        )
        assert address.startswith("/")
        assert not address.startswith("//")
