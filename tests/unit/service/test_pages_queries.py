"""Tests of the pages of the query catalogue: subjects, search, and answers as table, chart and CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any, cast

import httpx
import lxml.html
import pytest

from graph.civil import today
from graph.entities import Record, Source, Text
from graph.store import in_memory
from graph.vocabulary import built_in
from ontology.iris import ID
from ontology.namespaces import VIG
from queries.catalogue import DEPRECATED_NAMES, Column, Group, Kind, catalogue
from service.cli import main
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.meanings import translated_texts
from service.web.pages.queries import _cell_of, _cells
from service.web.pages.sentences import Sentences
from service.web.settings import Settings
from tests.support.demo_store import demo_store
from tests.support.pages import words_of
from tests.support.web import serving

HTML = {"Accept": "text/html", "Accept-Language": "pt-BR"}
LAW, LGPD = "urn:lex:br:federal:lei:1990-09-11;8078", "urn:lex:br:federal:lei:2018-08-14;13709"
CITED = "Lei nº 8.078, de 11 de setembro de 1990"
PLANALTO = Path(__file__).resolve().parents[4] / "shared" / "data" / "planalto" / "L13709.html"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = demo_store(tmp_path_factory.mktemp("queries"))
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=30, headers=HTML) as client:
        yield client


def test_every_query_is_listed_once_in_its_group(client: httpx.Client) -> None:
    element = lxml.html.document_fromstring(client.get("/queries").text)
    assert [heading.get("id") for heading in element.iter("h2")] == [group.value for group in Group]
    links = [link.get("href", "") for link in element.iter("a") if link.get("href", "").startswith("/queries/")]
    assert sorted(links) == sorted(f"/queries/{name}" for name in catalogue())


def test_catalogue_search_ignores_accents_and_case(client: httpx.Client) -> None:
    element = lxml.html.document_fromstring(client.get("/queries", params={"q": "VACATIO dia"}).text)
    links = {link.get("href") for link in element.iter("a")}
    assert "/queries/vacatio_on_day" in links
    assert "/queries/citations" not in links
    assert "Nenhuma consulta contém" in client.get("/queries", params={"q": "xyzzy"}).text


def test_counts_are_shown_as_chart_table_and_file(client: httpx.Client) -> None:
    answer = client.get("/queries/works_by_type/answer")
    element = lxml.html.document_fromstring(answer.text)
    bars = [line for line in element.iter("div") if line.get("class") == "barline"]
    rows = list(catalogue()["works_by_type"].columns)
    table = next(element.iter("table"))
    assert len(bars) == len(list(table.iter("tr"))) - 1 > 1
    assert len(list(next(table.iter("tr")))) == len(rows)
    assert element.xpath("//p[@class='buttons noprint']/a[@download]/text()") == [
        "CSV com nomes",
        "CSV só com identificadores",
        "TSV",
        "JSON",
    ]
    (raw,) = (link for link in element.iter("a") if link.text == "CSV só com identificadores")
    file = client.get(raw.get("href", ""))
    assert file.headers["content-type"].startswith("text/csv")
    named = f'attachment; filename="works_by_type_{today().isoformat()}.csv"'
    assert file.headers["content-disposition"] == named
    assert len(file.text.splitlines()) == len(bars) + 1


def test_missing_value_is_requested_and_invalid_value_rejected(client: httpx.Client) -> None:
    asked = lxml.html.document_fromstring(client.get("/queries/citations/answer").text)
    assert list(asked.iter("table")) == []
    assert any(element.get("name") == "norma" and "required" in element.attrib for element in asked.iter("input"))
    wrong = client.get("/queries/timeline/answer", params={"norma": "the law of 1990"})
    assert wrong.status_code == 200
    assert "Valor inválido: Norma ou dispositivo." in wrong.text
    later = client.get("/queries/stock_by_year/answer", params={"conhecido": "2999-01-01"})
    assert "Valor inválido: Conforme o publicado até." in later.text


@pytest.mark.parametrize("written", ["CDC", "Lei 8.078/1990", "Código de Defesa do Consumidor"])
def test_norm_parameter_accepts_a_citation_or_nickname(client: httpx.Client, written: str) -> None:
    named, cited = (
        lxml.html.document_fromstring(client.get("/queries/timeline/answer", params={"norma": norm}).text)
        for norm in (LAW, written)
    )
    assert words_of(next(cited.iter("table"))) == words_of(next(named.iter("table")))
    assert next(element for element in cited.iter("input") if element.get("name") == "norma").get("value") == CITED


def test_date_parameter_accepts_the_local_format(client: httpx.Client) -> None:
    values = {"norma": LAW, "em": "01/06/1993"}
    element = lxml.html.document_fromstring(client.get("/queries/version_in_force/answer", params=values).text)
    assert next(field for field in element.iter("input") if field.get("name") == "em").get("value") == "01/06/1993"
    assert list(element.iter("table"))
    files = [
        client.get("/queries/version_in_force/answer", params={**values, "em": day, "format": "csv"}).text
        for day in ("01/06/1993", "1993-06-01")
    ]
    assert files[0] == files[1]


def test_norms_in_answers_are_named_and_linked(client: httpx.Client) -> None:
    element = lxml.html.document_fromstring(
        client.get("/queries/changes_between_norms/answer", params={"norma": LAW}).text
    )
    links = [link for link in element.iter("a") if link.get("title", "").startswith("urn:lex:")]
    assert links
    assert not [link for link in links if (link.text or "").startswith("urn:")]
    assert client.get(links[0].get("href", ""), follow_redirects=True).status_code == 200


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/queries/no_such_query/answer", 404, "unknown-address"),
        ("/queries/citations/answer?norm=x", 400, "unknown-parameter"),
        ("/queries/citations/answer?norma=a&norma=b", 400, "repeated-parameter"),
    ],
)
def test_invalid_addresses_are_rejected(path: str, status: int, code: str, client: httpx.Client) -> None:
    answer = client.get(path, headers={"Accept": "application/problem+json"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_every_query_has_an_answer_page(client: httpx.Client) -> None:
    statuses = {name: client.get(f"/queries/{name}/answer").status_code for name in catalogue()}
    assert {name for name, status in statuses.items() if status != 200} == set()


def test_file_with_missing_value_or_unknown_format_is_rejected(client: httpx.Client) -> None:
    json = {"Accept": "application/problem+json"}
    for path, status in (("citations/answer?format=csv", 422), ("works_by_type/answer?format=doc", 406)):
        assert client.get(f"/queries/{path}", headers=json).status_code == status
    file = client.get("/queries/citations/answer", params={"norma": LAW, "format": "tsv"})
    assert file.headers["content-type"].startswith("text/tab-separated-values")
    assert file.headers["content-disposition"].startswith('attachment; filename="citations_')


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


def test_codes_and_terms_of_other_ontologies_are_words(client: httpx.Client) -> None:
    queries = {"changes_between_norms": {"norma": LAW}, "gaps_on_day": {"em": "2010-01-01"}, "vocabulary_labels": {}}
    for language, written in (("pt-BR", {"altera", "vigência", "Revogado", "rótulo"}), ("en", {"amends", "force"})):
        cells = {
            words_of(cell)
            for name, values in queries.items()
            for cell in _parse_html(
                client.get(f"/queries/{name}/answer", params={**values, "lang": language}).text
            ).iter("td")
        }
        assert written <= cells
        assert not cells & {"eli:amends", "skos:prefLabel"}
        assert language == "pt-BR" or not cells & {"faz", "sofre"}


@pytest.mark.parametrize(
    ("language", "period", "event"),
    [("pt-BR", "período {}", "Retificação (evento {})"), ("en", "period {}", "Rectification (event {})")],
)
def test_resources_have_their_kind_in_the_language_of_the_page(
    client: httpx.Client, language: str, period: str, event: str
) -> None:
    for name, kind in (("timeline", period), ("events_of_work", event)):
        answer = _parse_html(client.get(f"/queries/{name}/answer", params={"norma": LAW, "lang": language}).text)
        cells = [words_of(cell) for cell in answer.iter("td")]
        assert kind in {re.sub(r"\b[0-9a-f]{8}\b", "{}", cell) for cell in cells}, name


def test_terms_sources_and_dates_are_formatted(client: httpx.Client) -> None:
    cells = lxml.html.document_fromstring(client.get("/queries/providers/answer").text).iter("td")
    assert [words_of(cell) for cell in cells] == ["https://exemplo.vigente.invalid/oai", "15/12/2008"]
    answer = client.get("/queries/events_of_work/answer", params={"norma": LAW}).text
    table = words_of(next(lxml.html.document_fromstring(answer).iter("table")))
    assert "https://w3id.org/vigente/id" not in table


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


@pytest.mark.parametrize(
    ("language", "nothing", "unknown"),
    [
        (
            "pt-BR",
            (
                "Nenhum resultado. As fontes carregadas neste acervo não trazem nada que corresponda a estes valores, "
                "o que não quer dizer que não exista."
            ),
            "Nenhuma fonte deste acervo descreve: Lei nº 99.999, de 2 de janeiro de 2020.",
        ),
        (
            "en",
            (
                "No results. The sources loaded into this store have nothing that matches these values, which does not "
                "mean that there is nothing."
            ),
            "No source of this store describes: Law No. 99,999 of 2 January 2020.",
        ),
    ],
)
def test_empty_answer_is_explained(client: httpx.Client, language: str, nothing: str, unknown: str) -> None:
    for norm, expected in ((LAW, nothing), ("urn:lex:br:federal:lei:2020-01-02;99999", f"{nothing} {unknown}")):
        values = {"norma": norm, "lang": language}
        answer = _parse_html(client.get("/queries/derived_texts/answer", params=values).text)
        assert words_of(answer.xpath("//p[@class='card']")[0]) == expected


def test_limits_name_queries_and_parameters_in_words(client: httpx.Client) -> None:
    shown = _parse_html(client.get("/queries/stock_by_year").text)
    (limits,) = (paragraph for paragraph in shown.xpath("//main/p") if words_of(paragraph).startswith("Limitações"))
    assert "só contam se “Tipo” os pedir." in words_of(limits)
    other = _parse_html(client.get("/queries/in_force_on_day").text)
    assert other.xpath("//main/p/a[@href='/queries/gaps_on_day']/text()") == [
        "O que não se aplicava em um dia, e por quê"
    ]


def _parse_html(text: str) -> Any:
    return lxml.html.document_fromstring(text)


def test_query_page_has_a_form_with_examples_and_a_csv_button(client: httpx.Client) -> None:
    query_page = _parse_html(client.get("/queries/timeline").text)
    (form,) = query_page.xpath("//main//form")
    values = {field.get("name"): field.get("value") for field in form.iter("input")}
    assert values["norma"] == CITED
    (button,) = form.xpath(".//button[@name='format'][@value='csv-names']")
    assert button.text == "Baixar CSV"
    for kind in ("csv", "csv-names"):
        file = client.get(form.get("action"), params={**values, "format": kind})
        assert file.headers["content-type"].startswith("text/csv")
        assert len(file.text.splitlines()) > 1


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


def test_file_with_names_and_an_invalid_value_is_rejected(client: httpx.Client) -> None:
    values = {"norma": LAW, "em": "31/02/1993", "format": "csv-names"}
    program = client.get("/queries/version_in_force/answer", params=values, headers={"Accept": "*/*"})
    assert (program.status_code, program.json()["code"]) == (422, "bad-parameter")


@pytest.mark.parametrize(
    ("language", "question"),
    [
        (
            "pt-BR",
            (
                "Que versão da norma estava em vigor em 15/06/1993, conforme o publicado até 10/01/2007? Uma linha ou "
                "nenhuma; em uma lacuna, “Situação” diz por que nenhuma versão se aplica."
            ),
        ),
        (
            "en",
            (
                "Which version of the norm was in force on 15 June 1993, as known on 10 January 2007? There is at most "
                "one row; in a gap, “Status” states why no version applies."
            ),
        ),
    ],
)
def test_form_has_no_variables_and_no_identifiers(client: httpx.Client, language: str, question: str) -> None:
    values = {"norma": LAW, "em": "1993-06-15", "conhecido": "2007-01-10", "lang": language}
    answer = _parse_html(client.get("/queries/version_in_force/answer", params=values).text)
    assert words_of(answer.xpath("//main/p")[0]) == question
    (form,) = answer.xpath("//main//form")
    assert "vig:" not in words_of(form)
    assert "(K)" not in words_of(form)
    assert not form.xpath(".//code")
    fields = {field.get("name"): field.get("value") for field in form.xpath(".//input[@type!='hidden']")}
    assert fields == {"norma": CITED, "em": "15/06/1993", "conhecido": "10/01/2007"}
    assert form.xpath(".//select[@name='eixo']/option[@selected]/@value") == [str(VIG["forca"])]


def test_vocabulary_parameter_accepts_a_label(client: httpx.Client) -> None:
    values = {"numero": "8078", "format": "csv"}
    answers = {
        client.get("/queries/works_by_number/answer", params={**values, "tipo": kind}).text for kind in ("lei", "Lei")
    }
    assert len(answers) == 1
    assert LAW in answers.pop()
    (field,) = _parse_html(client.get("/queries/stock_by_year").text).xpath("//main//input[@name='tipo']")
    assert (field.get("value"), field.get("placeholder")) == ("", "todos")


def test_file_accepts_the_values_of_the_form(client: httpx.Client) -> None:
    values = {"norma": "CDC", "em": "01/06/1993", "format": "csv"}
    cited = client.get("/queries/version_in_force/answer", params=values)
    named = client.get("/queries/version_in_force/answer", params={**values, "norma": LAW})
    assert cited.text == named.text
    assert len(cited.text.splitlines()) == 2


def test_invalid_value_shows_the_form_also_for_a_file(client: httpx.Client) -> None:
    values = {"norma": LAW, "em": "31/02/1993"}
    for query in (values, {**values, "format": "csv"}):
        answer = client.get("/queries/version_in_force/answer", params=query)
        query_page = _parse_html(answer.text)
        kept = {field.get("name"): field.get("value") for field in query_page.xpath("//main//form//input")}
        assert (kept["norma"], kept["em"]) == (CITED, "31/02/1993")
        assert "Valor inválido: No dia." in answer.text
    program = client.get(
        "/queries/version_in_force/answer", params={**values, "format": "csv"}, headers={"Accept": "*/*"}
    )
    assert (program.status_code, program.json()["code"]) == (422, "bad-parameter")


def test_norm_page_links_to_its_queries(client: httpx.Client) -> None:
    page = _parse_html(client.get(f"/{LAW}", follow_redirects=True).text)
    (link,) = [anchor for anchor in page.iter("a") if anchor.text == "Consultas sobre esta norma"]
    listed = _parse_html(client.get(link.get("href", "")).text)
    links = list(listed.xpath("//main//li/a"))
    assert "/queries/works_by_type" not in str([anchor.get("href") for anchor in links])
    (timeline,) = [anchor for anchor in links if anchor.get("href", "").startswith("/queries/timeline/")]
    answer = _parse_html(client.get(timeline.get("href", "")).text)
    assert list(answer.iter("table"))
    provision = client.get("/queries", params={"norma": f"{LAW}!art57", "q": "", "lang": "en"}).text
    assert f"/answer?dispositivo={LAW.replace(':', '%3A').replace(';', '%3B')}%21art57" in provision
    wrong = client.get("/queries", params={"norma": "urn:lex:nada"}, headers={"Accept": "application/json"})
    assert wrong.status_code == 200


@pytest.fixture(scope="module")
def planalto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client over the page of a real law, without the bundled sample."""
    if not PLANALTO.is_file():
        pytest.skip("the samples of real pages are not here")
    store = tmp_path_factory.mktemp("planalto") / "store"
    assert main(["--store", str(store), "load", str(PLANALTO)]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60, headers=HTML) as client:
        yield client


@pytest.mark.parametrize("name", list(catalogue()))
def test_examples_are_about_norms_of_the_store(planalto: httpx.Client, name: str) -> None:
    fields = _parse_html(planalto.get(f"/queries/{name}").text).xpath("//main//form//input")
    values = [value for field in fields if (value := field.get("value", "")).startswith(("urn:lex:", "Lei"))]
    assert all(value.startswith((LGPD, "Lei nº 13.709, de 14 de agosto de 2018")) for value in values), values
    for field in fields:
        if field.get("name") in ("norma", "dispositivo", "versao"):
            assert field.get("value") or field.get("placeholder")


def test_answer_about_a_norm_is_downloaded_after_three_clicks(planalto: httpx.Client) -> None:
    """Check the history of a provision: from the norm to the list, to the form with a provision of it, to the file."""
    norm_page = _parse_html(planalto.get(f"/{LGPD}", follow_redirects=True).text)
    (about,) = norm_page.xpath("//a[text()='Consultas sobre esta norma']/@href")
    listed = _parse_html(planalto.get(about).text)
    (href,) = listed.xpath("//main//li/a[contains(@href, 'history_of_provision')]/@href")
    (form,) = _parse_html(planalto.get(href).text).xpath("//main//form")
    values = {field.get("name"): field.get("value") for field in form.iter("input")}
    assert values["dispositivo"].endswith(" da Lei nº 13.709, de 14 de agosto de 2018")
    file = planalto.get(form.get("action"), params={**values, "format": "csv"})
    assert file.headers["content-type"].startswith("text/csv")
    assert len(file.text.splitlines()) > 1
    provision = _parse_html(planalto.get(f"/queries/history_of_provision?norma={LGPD}!art52").text)
    assert provision.xpath("//input[@name='dispositivo']/@value") == [
        "Art. 52 da Lei nº 13.709, de 14 de agosto de 2018"
    ]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("pt-BR", "Só contam os atos carregados neste acervo (1 norma), que não abrange toda a legislação."),
        ("en", "Only the acts loaded into this store count (1 norm); it does not cover all legislation."),
    ],
)
def test_queries_about_all_norms_state_that_the_store_is_partial(
    planalto: httpx.Client, language: str, sentence: str
) -> None:
    for name in ("most_amended", "most_amending", "volatile_provisions", "stock_by_year"):
        assert sentence in planalto.get(f"/queries/{name}/answer", params={"lang": language}).text, name
    for name, values in (("timeline", {"norma": LGPD}), ("providers", {})):
        answer = planalto.get(f"/queries/{name}/answer", params={**values, "lang": language}).text
        assert sentence not in answer, name


@pytest.mark.parametrize(
    ("name", "values", "label"),
    [
        ("history_of_provision", {"dispositivo": f"{LGPD}!art52"}, "Primeiro dia conhecido"),
        ("vacatio_on_day", {"em": "2019-01-01"}, "Assinatura ou publicação"),
    ],
)
def test_a_day_before_force_is_not_called_its_start(
    planalto: httpx.Client, name: str, values: dict[str, str], label: str
) -> None:
    answer = _parse_html(planalto.get(f"/queries/{name}/answer", params={**values, "conhecido": "2026-01-01"}).text)
    headings = [heading.text_content().strip() for heading in answer.xpath("//main//th")]
    assert label in headings
    assert "Início" not in headings


def test_vocabulary_values_have_labels(client: httpx.Client) -> None:
    for language, label in (("pt-BR", "Lei"), ("en", "Law")):
        answer_page = _parse_html(client.get(f"/queries/works_by_type/answer?lang={language}").text)
        link, *_ = answer_page.xpath("//td/a[@href='/vocab/tipoDocumento/lei?lang=" + language + "']")
        assert link.text == label
        assert link.get("title") == "https://w3id.org/vigente/vocab/tipoDocumento/lei"
        assert not answer_page.xpath("//td[contains(., 'w3id.org')]")


@pytest.mark.parametrize("path", ["/queries/changes_in_period", "/sparql/editor?example=changes_in_period"])
def test_default_knowledge_date_is_today(client: httpx.Client, path: str) -> None:
    element = lxml.html.document_fromstring(client.get(path, headers={"accept-language": "pt-BR"}).text)
    (field,) = (candidate for candidate in element.iter("input") if candidate.get("name") == "conhecido")
    now = today()
    assert field.get("value") in {now.isoformat(), f"{now:%d/%m/%Y}"}


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
