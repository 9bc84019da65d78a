"""Tests of pages of search: filters, the search within one norm, and the pages of the query catalogue."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, quote, urlsplit

import httpx
import lxml.html
import pytest

import vigente
from graph.civil import today
from graph.entities import Record, Source
from graph.errors import BadParameter
from graph.store import in_memory
from graph.terms import Text
from graph.vocabulary import built_in
from ontology.iris import ID
from ontology.namespaces import VIG
from queries.catalogue import DEPRECATED_NAMES, Column, Group, Kind, catalogue
from queries.full_text import plain
from service.cli import main
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.meanings import meaning
from service.web.pages.queries import _cell_of, _cells
from service.web.pages.writer import PageWriter
from service.web.settings import Settings
from tests.support.cases import values
from tests.support.in_process import client_of
from tests.support.pages import page, words_of
from tests.support.sites import names
from tests.support.sites.search_within_norm import ARTICLES, LAW

# The filters of the search page


REVOKED, STEADY = (names("search_filters")[name] for name in ("REVOKED", "STEADY"))


@pytest.fixture(scope="module")
def filters_path(site_store: Callable[[str], Path]) -> Path:
    return site_store("search_filters")


@pytest.fixture(scope="module")
def filters_site(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("search_filters")


@pytest.mark.parametrize(
    ("query", "listed", "left_out"), values("search_pages", "filter_of_force_applies_to_every_method")
)
def test_filter_of_force_applies_to_every_method(
    filters_site: httpx.Client, query: str, listed: list[str], left_out: bool
) -> None:
    """Check that a norm without force is named apart, with its status, whether a citation, number or fields find it."""
    search_page = page(filters_site, f"/search?{query}")
    assert sorted(search_page.all("//ol[@class='found']/li/h3/a/@title")) == listed
    assert [words_of(sentence) for sentence in search_page.elements("//p[@class='left-out']")] == [
        (
            f"Fora da lista, porque não consta como em vigor em {today():%d/%m/%Y}: "
            "Lei nº 99.971, de 5 de março de 2001 (Revogada)."
        )
    ] * left_out
    assert ("Nada foi encontrado." in search_page.text) is (not listed)


def test_all_interfaces_name_a_norm_without_force_as_meant_and_do_not_find_it(
    filters_path: Path, filters_site: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    with vigente.open(filters_path) as opened:
        answer = opened.find("lei 99.971", in_force=True)
    assert (answer.total, answer.results) == (0, ())
    assert [(norm.name, norm.known) for norm in answer.meant] == [(REVOKED, True)]
    capsys.readouterr()
    assert main(["--store", str(filters_path), "search", "lei 99.971", "--in-force", "--json"]) == 0
    by_command = json.loads(capsys.readouterr().out)
    by_http = filters_site.get("/api/v1/search", params={"q": "lei 99.971", "in_force": "true"}).json()
    for document in (by_command, by_http):
        assert (document["results"], document["meant"]) == ([], answer.as_json()["meant"])


def test_applied_filters_are_links_that_remove_them(sample: httpx.Client) -> None:
    """Check every filter: its label, its accessible name, and that its link keeps all other criteria."""
    query = "q=fict%C3%ADcia&type=lei&authority=federal&place=br&year=2001&on=2006-01-01&in_force=true"
    search_page = page(sample, f"/search?{query}&start=25")
    links = search_page.elements("//nav[@class='applied']//a")
    labels = ["Tipo: Lei", "Autoridade: Federal", "Localidade: Brasil", "Ano: 2001", "somente em vigor na data"]
    assert [words_of(link) for link in links] == [f"{label} ×" for label in labels]
    assert [link.get("aria-label") for link in links] == [f"remover o filtro {label}" for label in labels]
    stated = dict(parse_qsl(query))
    assert [dict(parse_qsl(urlsplit(str(link.get("href"))).query)) for link in links] == [
        {key: value for key, value in stated.items() if key != removed}
        for removed in ("type", "authority", "place", "year", "in_force")
    ]
    english = page(sample, "/search?q=fict%C3%ADcia&type=lei", "en")
    assert english.one("//nav[@class='applied']//a").get("aria-label") == "remove the filter Type: Law"
    assert page(sample, "/search?q=fict%C3%ADcia").elements("//nav[@class='applied']") == []


def test_facet_and_its_removal_lead_back_and_forth(sample: httpx.Client) -> None:
    search_page = page(sample, "/search?q=fict%C3%ADcia")
    (first, *_) = search_page.elements("//nav[@class='facet']//a")
    narrowed = page(sample, str(first.get("href")))
    (link,) = narrowed.elements("//nav[@class='applied']//a")
    assert words_of(link) == f"Tipo: {words_of(first)} ×"
    back = page(sample, str(link.get("href")))
    assert back.all("//ol[@class='found']/li/h3/a/@title") == search_page.all("//ol[@class='found']/li/h3/a/@title")


# The search within one norm


WITHIN = "59 dispositivos nesta norma contêm os termos"


@pytest.fixture(scope="module")
def norm_path(site_store: Callable[[str], Path]) -> Path:
    return site_store("search_within_norm")


@pytest.fixture(scope="module")
def norm_site(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("search_within_norm")


@pytest.mark.parametrize("query", ["q=clepsidra", "q=clepsidra&on=2012-01-01", "q=clepsidra&lang=en"])
def test_group_links_to_the_other_provisions_of_its_norm(norm_site: httpx.Client, query: str) -> None:
    first = page(norm_site, f"/search?{query}")
    link = first.one("//p[@class='further']/a")
    label = "56 more provisions of this norm" if "lang=en" in query else "mais 56 dispositivos desta norma"
    assert words_of(link) == label
    names = first.all("//ol[@class='found']/li/h3/a/@title")
    assert len(names) == 3
    within = first.follow(label)
    assert within.all("//p[@class='further']") == []
    listed: list[str] = []
    while True:
        assert within.response.status_code == 200
        listed += within.all("//ol[@class='found']/li/h3/a/@title")
        if not within.elements("//a[@rel='next']"):
            break
        within = within.follow("Next page" if "lang=en" in query else "Próxima página")
    assert sorted(listed) == sorted(f"{LAW}!art{number}_cpt" for number in range(2, ARTICLES + 1))
    assert set(names) <= set(listed)
    counted = "59 provisions of this norm have the words" if "lang=en" in query else WITHIN
    ends = ", page 3 of 3" if "lang=en" in query else ", página 3 de 3"
    assert within.all("//section/h2") == [f"{counted}{ends}"]


def test_heading_counts_the_whole_search_and_every_page_leads_to_the_ends(norm_site: httpx.Client) -> None:
    """Check the heading, and the links at the foot, of each of the three pages of a list, and of a list in one page."""
    links = []
    for start, number in ((0, 1), (25, 2), (50, 3)):
        within = page(norm_site, f"/search?q=clepsidra&norm={quote(LAW)}&start={start}")
        assert within.all("//section/h2") == [f"{WITHIN}, página {number} de 3"]
        foot = within.one("//nav[@class='pages']")
        assert words_of(foot).startswith(f"{WITHIN}, página {number} de 3 · ")
        links.append([words_of(link) for link in foot.iter("a")])
    assert links == [
        ["Próxima página", "Última página"],
        ["Primeira página", "Página anterior", "Próxima página", "Última página"],
        ["Primeira página", "Página anterior"],
    ]
    assert len(within.follow("Primeira página").follow("Última página").all("//ol[@class='found']/li")) == 9
    assert page(norm_site, "/search?q=clepsidra").all("//section/h2") == ["1 norma, com 3 itens nesta página"]
    whole = page(norm_site, "/search?q=fornecedor+procedimento")
    assert whole.all("//section/h2") == ["1 resultado"]
    assert whole.elements("//nav[@class='pages']") == []


def test_all_interfaces_page_the_provisions_of_a_norm(
    norm_path: Path, norm_site: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    with vigente.open(norm_path) as store:
        by_name = store.find("clepsidra", norm=LAW, limit=25, offset=50)
        assert store.find("clepsidra", norm="Lei nº 99.901/2010", limit=25, offset=50).results == by_name.results
        everywhere = store.find("clepsidra")
    assert [(norm.provisions_found, len(norm.provisions)) for norm in everywhere.results] == [(59, 3)]
    assert [(norm.provisions_found, len(norm.provisions)) for norm in by_name.results] == [(59, 9)]
    assert (by_name.total, by_name.next_offset) == (1, None)
    options = ["--norm", LAW, "--limit", "25", "--offset", "50"]
    assert main(["--store", str(norm_path), "search", "clepsidra", *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == by_name.as_json()
    asked = {"q": "clepsidra", "norm": LAW, "limit": "25"}
    pages = [norm_site.get("/api/v1/search", params=asked).json()]
    while pages[-1]["next"] is not None:
        pages.append(norm_site.get("/api/v1/search", params={**asked, "after": pages[-1]["next"]}).json())
    assert [len(each["results"][0]["provisions"]) for each in pages] == [25, 25, 9]
    assert pages[0]["asked"]["norm"] == LAW
    assert pages[-1]["results"] == by_name.as_json()["results"]
    assert norm_site.get("/api/v1/search", params={"norm": LAW}).status_code == 422
    assert norm_site.get("/api/v1/search", params={**asked, "norm": "nada"}).status_code == 422
    assert main(["--store", str(norm_path), "search", "clepsidra"]) == 0
    assert f"    56 more provisions with --norm '{LAW}'\n" in capsys.readouterr().out


def test_norm_that_identifies_none_is_refused(norm_path: Path) -> None:
    with vigente.open(norm_path) as store, pytest.raises(BadParameter) as refused:
        store.find("clepsidra", norm="nada")
    assert str(refused.value) == "expected norm as the name, the citation or the nickname of one norm, got 'nada'"


def test_page_beyond_the_last_states_where_the_results_end(
    norm_path: Path, norm_site: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    beyond = page(norm_site, f"/search?q=clepsidra&norm={quote(LAW)}&start=75")
    assert "Os resultados terminam antes desta página." in beyond.all("//section/h2")
    assert "Nada foi encontrado" not in beyond.text
    assert f"{WITHIN} · Primeira página · Última página" in beyond.text
    assert len(beyond.follow("Última página").all("//ol[@class='found']/li")) == 9
    assert len(beyond.follow("Primeira página").all("//ol[@class='found']/li")) == 25
    norms = page(norm_site, "/search?q=clepsidra&start=25")
    assert "1 norma contém os termos · Primeira página" in norms.text
    assert "Última página" not in norms.text
    number = page(norm_site, "/search?q=8078&start=25")
    assert "Os resultados terminam antes desta página." in number.text
    assert number.follow("Primeira página").all("//ol[@class='found']/li/h3/a/@title") == [
        "urn:lex:br:federal:lei:1990-09-11;8078"
    ]
    nothing = page(norm_site, "/search?q=xyzw&start=25")
    assert "Nada foi encontrado." in nothing.text
    capsys.readouterr()
    assert main(["--store", str(norm_path), "search", "clepsidra", "--norm", LAW, "--offset", "75"]) == 0
    assert "  the results end before --offset 75; the last page has --offset 40\n" in capsys.readouterr().out


def test_heading_follows_the_label_of_its_grouping(norm_path: Path, norm_site: httpx.Client) -> None:
    with vigente.open(norm_path) as store:
        (norm,) = store.find("ampulhetas").results
        (found,) = store.search(text="ampulhetas").candidates
    assert [provision.excerpt for provision in norm.provisions] == ["TÍTULO I – DAS <mark>AMPULHETAS</mark>"]
    assert found.excerpt == "TÍTULO I – DAS AMPULHETAS"
    assert "TÍTULO I – DAS AMPULHETAS" in page(norm_site, "/search?q=ampulhetas").text


def test_excerpt_of_an_article_has_the_words_of_its_caput(norm_path: Path, norm_site: httpx.Client) -> None:
    with vigente.open(norm_path) as store:
        (norm,) = (norm for norm in store.find('"art. 7º"').results if norm.name == LAW)
        (found,) = (found for found in store.search(text="art 7").candidates if found.name == f"{LAW}!art7")
    (article,) = (provision for provision in norm.provisions if provision.name == f"{LAW}!art7")
    assert article.excerpt == "<mark>Art</mark>. <mark>7</mark>º A clepsidra é pública."
    assert found.excerpt == "Art. 7º A clepsidra é pública."
    shown = page(norm_site, "/search?q=%22art.+7%C2%BA%22")
    item = shown.one(f"//ol[@class='found']/li[h3/a/@title='{LAW}!art7']")
    assert "Art. 7º A clepsidra é pública." in words_of(item)


def test_excerpt_of_an_amended_article_has_the_caput_of_the_day(norm_path: Path) -> None:
    """Check an article whose caput was first known in the wording of 1993: on earlier days it is only its label."""
    code = "urn:lex:br:federal:lei:1990-09-11;8078"
    excerpts = []
    with vigente.open(norm_path) as store:
        for day in ("1992-01-01", "1993-06-01"):
            (norm,) = store.find('"art. 57"', on=day, norm=code).results
            (article,) = norm.provisions
            excerpts.append(plain(article.excerpt))
    assert excerpts[0] == "Art. 57."
    assert excerpts[1].startswith("Art. 57. A pena de multa, graduada de acordo com a gravidade da infração, ")


# The pages of the query catalogue


HTML = {"Accept": "text/html", "Accept-Language": "pt-BR"}
CODE, LGPD = "urn:lex:br:federal:lei:1990-09-11;8078", "urn:lex:br:federal:lei:2018-08-14;13709"


@pytest.fixture(scope="module")
def client(sample_store: Path) -> httpx.Client:
    """Return a client that accepts pages in Portuguese."""
    made = client_of(Settings(sample_store))
    made.headers.update(HTML)
    return made


def test_every_query_is_listed_once_in_its_group(client: httpx.Client) -> None:
    element = lxml.html.document_fromstring(client.get("/queries").text)
    assert [heading.get("id") for heading in element.iter("h2")] == [*(group.value for group in Group), "stock"]
    links = [link.get("href", "") for link in element.iter("a") if link.get("href", "").startswith("/queries/")]
    assert sorted(links) == sorted(f"/queries/{name}" for name in catalogue())


def test_every_query_has_an_answer_page(client: httpx.Client) -> None:
    statuses = {name: client.get(f"/queries/{name}/answer").status_code for name in catalogue()}
    assert {name for name, status in statuses.items() if status != 200} == set()


def test_every_column_has_a_portuguese_description(client: httpx.Client) -> None:
    columns = {column.meaning for query in catalogue().values() for column in query.columns}
    assert all(meaning(column, Language.PORTUGUESE)[1] is Language.PORTUGUESE for column in columns)
    page = client.get("/queries/citations").text
    assert "o outro documento, ou o nome citado" in page
    assert 'lang="en"' not in page.partition("<main")[2].partition("</main>")[0]
    answer = client.get("/queries/citations/answer", params={"norma": CODE}).text
    assert 'title="o que é citado"' in answer
    assert "what is cited" in client.get("/queries/citations?lang=en").text


@pytest.mark.parametrize(("language", "position"), [("pt-BR", 1), ("en", 0)])
def test_columns_and_fields_have_labels_in_the_language_of_the_page(
    client: httpx.Client, language: str, position: int
) -> None:
    for name, query in catalogue().items():
        page = (
            _parse_html(client.get(f"/queries/{name}/answer", params={"norma": CODE, "lang": language}).text)
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
        writer = PageWriter(Frame(language, False, "/queries", (), "http://um.example"), built_in(), lambda _: False)
        return _cell_of(of, cast("Any", value), writer, store).text

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
    [("pt-BR", "Lei nº 8.078, de 11 de setembro de 1990", "Lei"), ("en", "Law No. 8,078 of 11 September 1990", "Law")],
)
def test_file_with_names_has_the_names_of_the_page_beside_the_identifiers(
    client: httpx.Client, language: str, law: str, kind: str
) -> None:
    values = {"numero": "8078", "tipo": "lei", "lang": language}
    raw, with_names = (
        client.get(
            "/queries/works_by_number/answer",
            params={**values, "format": form},
            headers={"accept": "text/csv"},
            follow_redirects=True,
        )
        for form in ("csv", "csv-names")
    )
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
    writer = PageWriter(frame, built_in(), lambda _: False)
    query, store = catalogue()["gaps_on_day"], in_memory()
    said = {}
    for name in (f"{LGPD}!art55-1_par1", f"{LGPD}!art52_cpt_inc10_ali1", LGPD):
        row = dict.fromkeys((column.name for column in query.columns), None)
        cells = _cells(query, {**row, "norma": name, "situacao": VIG["revogada"]}, writer, store)
        (said[name],) = [cell.text for cell in cells if cell.name == VIG["revogada"]]
    assert list(said.values()) == ["revogado", "revogada", "revogada"]
    unchanged = _cells(query, {**row, "norma": LGPD, "situacao": VIG["vacatio"]}, writer, store)
    assert "vacatio legis" in [cell.text for cell in unchanged]
