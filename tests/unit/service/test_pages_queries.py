"""Tests of the pages of the query catalogue: subjects, search, and answers as table, chart and CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, cast

import httpx
import lxml.html
import pytest

from graph.entities import Record, Source
from graph.store import in_memory
from graph.terms import Text
from graph.vocabulary import built_in
from ontology.iris import ID
from ontology.namespaces import VIG
from queries.catalogue import DEPRECATED_NAMES, Column, Group, Kind, catalogue
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.meanings import translated_texts
from service.web.pages.queries import _cell_of, _cells
from service.web.pages.sentences import Sentences
from service.web.settings import Settings
from tests.support.in_process import client_of
from tests.support.pages import words_of

HTML = {"Accept": "text/html", "Accept-Language": "pt-BR"}
LAW, LGPD = "urn:lex:br:federal:lei:1990-09-11;8078", "urn:lex:br:federal:lei:2018-08-14;13709"


@pytest.fixture(scope="module")
def client(sample_store: Path) -> httpx.Client:
    """Return a client that accepts pages in Portuguese."""
    made = client_of(Settings(sample_store))
    made.headers.update(HTML)
    return made


def test_every_query_is_listed_once_in_its_group(client: httpx.Client) -> None:
    element = lxml.html.document_fromstring(client.get("/queries").text)
    assert [heading.get("id") for heading in element.iter("h2")] == [group.value for group in Group]
    links = [link.get("href", "") for link in element.iter("a") if link.get("href", "").startswith("/queries/")]
    assert sorted(links) == sorted(f"/queries/{name}" for name in catalogue())


def test_every_query_has_an_answer_page(client: httpx.Client) -> None:
    statuses = {name: client.get(f"/queries/{name}/answer").status_code for name in catalogue()}
    assert {name for name, status in statuses.items() if status != 200} == set()


def test_every_column_has_a_portuguese_description(client: httpx.Client) -> None:
    columns = {column.meaning for query in catalogue().values() for column in query.columns}
    assert columns <= translated_texts()
    page = client.get("/queries/citations").text
    assert "o outro documento, ou o nome citado" in page
    assert 'lang="en"' not in page.partition("<main")[2].partition("</main>")[0]
    answer = client.get("/queries/citations/answer", params={"norma": LAW}).text
    assert 'title="o que é citado"' in answer
    assert "what is cited" in client.get("/queries/citations?lang=en").text


@pytest.mark.parametrize(("language", "position"), [("pt-BR", 1), ("en", 0)])
def test_columns_and_fields_have_labels_in_the_language_of_the_page(
    client: httpx.Client, language: str, position: int
) -> None:
    for name, query in catalogue().items():
        page = (
            _parse_html(client.get(f"/queries/{name}/answer", params={"norma": LAW, "lang": language}).text)
            if (
                [parameter.name for parameter in query.parameters if parameter.required] in ([], ["norma"])
                and "norma" in [parameter.name for parameter in query.parameters]
            )
            else None
        )
        form = _parse_html(client.get(f"/queries/{name}", params={"lang": language}).text)
        labels = [words_of(label) for label in form.xpath("//main//form//label")]
        for label, parameter in zip(labels, query.parameters, strict=True):
            assert label.startswith((parameter.label, parameter.rotulo)[position]), name
        if page is not None and page.xpath("//table"):
            headings = [words_of(heading) for heading in page.xpath("//table/thead//th")]
            assert headings == [(column.label, column.rotulo)[position] for column in query.columns], name


def test_answer_cells_are_in_words() -> None:
    column = Column("valor", Kind.STRING, "a value", "Value", "Valor")
    record_column = Column("registro", Kind.IRI, "a record", "Record", "Registro")
    store = in_memory()
    store.apply(
        [
            Record(
                Source(f"{ID}fato/0fe8", "facts", "0", "facts/2", origin="pasta/fatos.toml", curator="Fulano"), None
            ),
            Record(Source(f"{ID}documento/0650", "xml", "1", "xml/1", origin="pasta/lei.xml"), None),
        ]
    )

    def said(value: object, language: Language = Language.PORTUGUESE, of: Column = column) -> str:
        sentences = Sentences(Frame(language, False, "/queries", (), "http://um.example"), built_in(), lambda _: False)
        return _cell_of(of, cast("Any", value), sentences, store).text

    types = "https://w3id.org/vigente/vocab/tipoDocumento/"
    assert said(Text("Lei Geral (LGPD)", "pt-br")) == "Lei Geral (LGPD)"
    assert [said(value, language) for value in (True, False) for language in Language] == ["Sim", "Yes", "Não", "No"]
    assert said("2018-08-15") == "15/08/2018"
    assert said("2018-08-15/2018-12-31") == "entre 15/08/2018 e 31/12/2018"
    assert said("2018-08-15/2018-12-31", Language.ENGLISH) == "between 15 August 2018 and 31 December 2018"
    assert said("2018-13-15") == "2018-13-15"
    assert said(f"{types}projeto.lei;pls") == "Projeto de Lei (PLS)"
    gazette = f"{types}publicacao.oficial;diario.oficial.uniao;secao.1"
    assert said(gazette) == "Publicação Oficial (Diario Oficial Uniao, Secao 1)"
    assert said(f"{ID}fato/0fe8", of=record_column) == "Fato informado pelo curador “Fulano” (arquivo fatos.toml)"
    assert said(f"{ID}documento/0650", of=record_column) == "Arquivo lei.xml"


def _parse_html(text: str) -> Any:
    return lxml.html.document_fromstring(text)


@pytest.mark.parametrize(
    ("language", "law", "kind"),
    [
        ("pt-BR", "Lei nº 8.078, de 11 de setembro de 1990", "Lei"),
        ("en", "Law No. 8,078 of 11 September 1990", "Law"),
    ],
)
def test_file_with_names_has_the_names_of_the_page_beside_the_identifiers(
    client: httpx.Client, language: str, law: str, kind: str
) -> None:
    values = {"numero": "8078", "tipo": "lei", "lang": language}
    raw, with_names = (
        client.get("/queries/works_by_number/answer", params={**values, "format": form})
        for form in ("csv", "csv-names")
    )
    assert with_names.headers["content-disposition"] == raw.headers["content-disposition"]
    assert with_names.content.startswith("\ufeff".encode())
    header, *rows = csv.reader(StringIO(with_names.content.decode("utf-8-sig")))
    assert header == [
        *("tipo", "tipo_nome", "numero", "norma", "norma_nome", "nome"),
        *("localidade", "localidade_nome", "autoridade", "autoridade_nome", "data"),
    ]
    assert [(row[1], row[4]) for row in rows] == [(kind, law)]
    without = [[cell for name, cell in zip(header, row, strict=True) if not name.endswith("_nome")] for row in rows]
    assert without == list(csv.reader(StringIO(raw.text)))[1:]


def test_examples_are_about_norms_of_the_store(site_of: Callable[[str], httpx.Client]) -> None:
    for name in catalogue():
        asked = site_of("planalto").get(f"/queries/{name}", headers=HTML).text
        fields = _parse_html(asked).xpath("//main//form//input")
        values = [value for field in fields if (value := field.get("value", "")).startswith(("urn:lex:", "Lei"))]
        assert all(value.startswith((LGPD, "Lei nº 13.709, de 14 de agosto de 2018")) for value in values), values
        for field in fields:
            if field.get("name") in ("norma", "dispositivo", "versao"):
                assert field.get("value") or field.get("placeholder"), name


@pytest.mark.parametrize("path", ["/queries/{}", "/queries/{}/answer", "/sparql/editor?example={}"])
def test_a_deprecated_name_of_a_query_has_the_page_of_the_query(client: httpx.Client, path: str) -> None:
    for deprecated, name in DEPRECATED_NAMES.items():
        found, page = client.get(path.format(deprecated)), client.get(path.format(name))
        assert found.status_code == page.status_code != 404
        assert catalogue()[name].titulo in found.text


def test_a_situation_agrees_in_gender_with_the_provision_of_its_row() -> None:
    frame = Frame(Language.PORTUGUESE, False, "/", (), "http://um.example")
    sentences = Sentences(frame, built_in(), lambda _: False)
    query, store = catalogue()["gaps_on_day"], in_memory()
    said = {}
    for name in (f"{LGPD}!art55-1_par1", f"{LGPD}!art52_cpt_inc10_ali1", LGPD):
        row = dict.fromkeys((column.name for column in query.columns), None)
        cells = _cells(query, {**row, "norma": name, "situacao": VIG["revogada"]}, sentences, store)
        (said[name],) = [cell.text for cell in cells if cell.name == VIG["revogada"]]
    assert list(said.values()) == ["revogado", "revogada", "revogada"]
    unchanged = _cells(query, {**row, "norma": LGPD, "situacao": VIG["vacatio"]}, sentences, store)
    assert "vacatio legis" in [cell.text for cell in unchanged]
