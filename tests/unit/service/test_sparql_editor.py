"""Tests of ``/sparql/editor`` and of CSV results: examples run as written, and every row has all fields."""

from __future__ import annotations

import csv
from hashlib import sha256
from importlib.resources import files
from io import BytesIO, StringIO
from typing import cast

import httpx
import lxml.html
import pyoxigraph as ox
import pytest
from lxml.html import FormElement, HtmlElement, TextareaElement

from ontology.namespaces import PREFIXES
from queries.catalogue import catalogue
from service.results import write_results
from service.web.pages.examples import example_value
from tests.support.cases import values

# ``/sparql/editor``


PATH = "/sparql/editor"
#: Parameters without an example value in the bundled sample: the user fills them in.
WITHOUT_VALUES = {name for name, query in catalogue().items() for p in query.parameters if not example_value(p)}


def editor(web: httpx.Client, language: str = "pt-BR", **query: str) -> HtmlElement:
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
        page = editor(web, example=name)
        text = _field_text(page)
        assert text, "the query itself is there to be read"
        if name in WITHOUT_VALUES:
            alerts = [each.text_content() for each in page.iter("p") if each.get("role") == "alert"]
            assert ["needs parameter" in alert for alert in alerts] == [True], name
            continue
        assert not text.startswith("#"), name
        answer = web.post("/sparql", content=text, headers={"Content-Type": "application/sparql-query"})
        assert answer.status_code == 200, answer.text
        assert set(answer.json()["head"]["vars"]) >= {column.name for column in query.columns}, name


def test_values_are_inserted_into_the_example(web: httpx.Client) -> None:
    text = _field_text(
        editor(web, example="version_in_force", norma="urn:lex:br:federal:lei:2001-03-05;99907", em="2001-05-01")
    )
    assert "<urn:lex:br:federal:lei:2001-03-05;99907>" in text
    assert '"2001-05-01"^^' in text
    assert "?em" not in text.replace("AS ?em)", "")


def test_invalid_value_is_reported_and_kept(web: httpx.Client) -> None:
    page = editor(web, example="version_in_force", em="ontem")
    assert page.get_element_by_id("value-em").get("value") == "ontem"
    assert "parameter 'em'" in page.text_content()


def test_every_catalogue_query_is_listed_in_both_languages(web: httpx.Client) -> None:
    for language, title in (("pt-BR", "titulo"), ("en", "title")):
        options = [
            (option.get("value"), option.text) for option in editor(web, language).iter("option") if option.get("value")
        ]
        assert dict(options) == {name: getattr(query, title) for name, query in catalogue().items()}
        assert [text for _, text in options] == sorted(text for _, text in options if text)


def test_the_prefixes_are_those_of_the_data(web: httpx.Client) -> None:
    (text,) = [element.text_content() for element in editor(web).iter("pre")]
    assert text == "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in sorted(PREFIXES.items()))


@pytest.mark.parametrize(("query", "name", "media"), values("sparql_editor", "form_works_without_javascript"))
def test_form_works_without_javascript(web: httpx.Client, query: str, name: str, media: str) -> None:
    asked = _query_form(editor(web, query=query))
    buttons = [button.get("value") for button in asked.iter("button") if button.get("name") == "format"]
    assert name in buttons
    fields = {str(key): str(value) for key, value in asked.form_values()}
    assert {key: value.removeprefix("\n") for key, value in fields.items()} == {"query": query}
    answer = web.request(asked.method, asked.action or "", data={**fields, "format": name})
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, media)


def test_editor_files_match_the_licence_file(web: httpx.Client) -> None:
    licence = files("service.web").joinpath("assets", "yasqe.license.txt").read_text(encoding="utf-8")
    paths = [str(element.get("src") or element.get("href")) for element in editor(web).iter("script", "link")]
    for name in ("yasqe.min.js", "yasqe.min.css"):
        (path,) = [path for path in paths if path.endswith(name)]
        assert f"sha256 {sha256(web.get(path).content).hexdigest()} {name}\n" in licence


# CSV results


PROVISION = "urn:lex:br:federal:lei:2018-08-14;13709!art65_cpt_inc2,mpv-869-2018-12-27"


def written(query: str, results_format: ox.QueryResultsFormat) -> bytes:
    output = BytesIO()
    answer = ox.Store().query(query)
    assert not isinstance(answer, ox.QueryTriples)
    write_results(answer, output, results_format)
    return output.getvalue()


def test_every_term_is_one_field() -> None:
    query = f"""SELECT ?name ?text ?open WHERE {{ VALUES (?name ?text ?open) {{
        (<{PROVISION}> "a, b" UNDEF) ("q\\"x" "two\\nlines"@pt 1.5) ("" true <urn:x:y>) }} }}"""
    rows = list(csv.reader(StringIO(written(query, ox.QueryResultsFormat.CSV).decode(), newline="")))
    assert rows == [
        ["name", "text", "open"],
        [PROVISION, "a, b", ""],
        ['q"x', "two\nlines", "1.5"],
        ["", "true", "urn:x:y"],
    ]


@pytest.mark.parametrize(
    "query", values("sparql_editor", "answers_without_a_comma_in_an_iri_are_as_the_engine_writes_them")
)
def test_answers_without_a_comma_in_an_iri_are_as_the_engine_writes_them(query: str) -> None:
    for results_format in (ox.QueryResultsFormat.CSV, ox.QueryResultsFormat.TSV, ox.QueryResultsFormat.JSON):
        answer = ox.Store().query(query)
        assert not isinstance(answer, ox.QueryTriples)
        assert written(query, results_format) == answer.serialize(format=results_format)
