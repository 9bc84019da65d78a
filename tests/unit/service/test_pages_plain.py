"""Tests that pages neither deny nor omit data of the store, and that all words are in the language of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from graph.entities import Record, Text
from graph.store import open_for_writing
from queries.catalogue import catalogue
from service.web.http.negotiation import Language
from service.web.http.problem_codes import MEANINGS, MEANINGS_PT
from service.web.pages.meanings import without_variables
from service.web.settings import Settings
from tests.support.pages import BROWSER, Page, page, status_words, words_of
from tests.support.web import serving, serving_sample

VOID = "urn:lex:br:federal:lei:2007-05-07;99914"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LEI_SECA = "urn:lex:br:federal:lei:2008-06-19;11705"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over the bundled sample."""
    with serving_sample(tmp_path_factory.mktemp("plain") / "store") as client:
        yield client


@pytest.mark.parametrize("norm", [VOID, LEI_SECA])
def test_norm_without_text_lists_known_copies(sample: httpx.Client, norm: str) -> None:
    stated = sample.get(f"/descriptions/{norm}", params={"format": "nt"}).text
    norm_page = page(sample, f"/{norm}")
    copies = norm_page.one("//section[@class='copies']")
    listed = copies.xpath(".//a[@rel='external nofollow noreferrer']/@href")
    assert listed, stated
    assert "Nenhuma fonte diz" not in copies.text_content()


def test_history_mentions_earlier_answers_before_a_judgment(sample: httpx.Client) -> None:
    norm_page = page(sample, f"/{VOID}")
    history = norm_page.one("//section[@class='history']").text_content()
    assert "Nenhuma fonte informa o período" not in history
    assert "A linha do tempo mostra as respostas anteriores." in history
    assert "Nenhuma fonte informa o período de vigência." in page(sample, f"/{LEI_SECA}").text


def test_annulling_or_repealing_act_is_a_relation(sample: httpx.Client) -> None:
    void = page(sample, f"/{VOID}").one("//section[@class='links']").text_content()
    assert "Declarada inconstitucional por" in void
    assert "Acórdão" in void
    repealed = page(sample, "/urn:lex:br:federal:lei:2001-03-05;99907").one("//section[@class='links']").text_content()
    assert "Revogada por" in repealed


def test_two_titles_name_their_sources(tmp_path: Path, record: Callable[..., Record]) -> None:
    law = "urn:lex:br:federal:lei:2001-03-05;99907"
    reported = [
        record(law, key=provider_name, provider=f"https://{provider_name}.example/oai", epigraphs=[Text(stated)])
        for provider_name, stated in (
            ("um", "Lei fictícia do mar"),
            ("dois", "Lei fictícia da terra"),
            ("tres", "LEI FICTÍCIA DO MAR"),
        )
    ]
    with open_for_writing(tmp_path / "store", create=True) as store:
        store.apply(reported)
    with serving(Settings(tmp_path / "store")) as address, httpx.Client(base_url=address, timeout=20) as client:
        stated = page(client, f"/{law}").one("//details[contains(@class, 'epigraphs')]").text_content()
    assert "“Lei fictícia do mar” (um.example)" in stated
    assert "“Lei fictícia da terra” (dois.example)" in stated


def test_provision_links_on_a_date_open_the_shown_text(sample: httpx.Client) -> None:
    """Check an article that keeps its version while its caput is reworded: its name alone has the first wording."""
    provision_page = page(sample, "/urn:lex:br:federal:lei:1990-09-11;8078!art57?on=1993-06-01")
    shown = provision_page.one("//div[contains(@class, 'law')]").text_content()
    data = json.loads(provision_page.one("//script[@type='application/ld+json']").text_content())
    printed = provision_page.one("//header//span[@class='name']").text_content()
    addresses = {
        *provision_page.all("//link[@rel='canonical']/@href | //meta[@property='og:url']/@content"),
        data["@id"],
        data["url"],
    }
    assert printed == "urn:lex:br:federal:lei:1990-09-11;8078!art57", "the name of a version would be of another text"
    for address in addresses:
        assert page(sample, address).one("//div[contains(@class, 'law')]").text_content() == shown, address
    assert data["legislationDateVersion"] == "1993-05-22"
    assert data["temporalCoverage"] == "1993-05-22/1993-09-07"
    again = page(sample, "/urn:lex:br:federal:lei:1990-09-11;8078?on=1993-06-01")
    assert "?" not in again.one("//link[@rel='canonical']").get("href", "?")


def _law_text(page: Page) -> list[str]:
    """Return the blocks of the text, without the marked places of provisions that are not yet in force on the day."""
    return page.all("//div[contains(@class, 'law')]//div[not(contains(@class, 'coming'))]")


def test_norm_links_on_a_date_open_the_shown_text(sample: httpx.Client) -> None:
    """Check a provision that ends: the norm keeps its version, and its new text has another address and other days."""
    law = "urn:lex:br:federal:lei:2001-03-05;99916"
    asked = [(law, day) for day in ("2001-06-01", "2002-05-01", "2002-05-02", "2010-01-01")]
    shown: dict[str, list[str]] = {}
    for norm, day in [*asked, (CODE, "1992-01-01"), (CODE, "1993-06-01")]:
        norm_page = page(sample, f"/{norm}?on={day}")
        text = _law_text(norm_page)
        data = json.loads(norm_page.one("//script[@type='application/ld+json']").text_content())
        assert (
            norm_page.all("//link[@rel='canonical']/@href | //meta[@property='og:url']/@content") == [data["@id"]] * 2
        )
        assert shown.setdefault(data["@id"], text) == text, "one address, one text"
        assert _law_text(page(sample, data["@id"])) == text, (norm, day)
        first, _, last = data["temporalCoverage"].partition("/")
        assert first <= data["legislationDateVersion"] <= day
        assert last == ".." or day <= last
    assert len(shown) > 3


def test_start_of_force_is_among_the_reasons(sample: httpx.Client) -> None:
    norm_page = page(sample, "/urn:lex:br:federal:lei:1990-09-11;8078")
    assert "Em vigor desde 11/03/1991" in norm_page.text
    reasons = norm_page.all("//section[contains(@class, 'standing')]//li")
    (began,) = [reason for reason in reasons if "a partir de 11/03/1991" in reason]
    assert began.startswith("Publicação original: vigência a partir de 11/03/1991")
    assert not any(reason.startswith("Assinatura") for reason in reasons), (
        "what was signed and then published decides nothing"
    )
    signed = page(sample, "/urn:lex:br:federal:lei:1990-09-11;8078?on=1991-03-11&as_known=1990-09-11")
    assert any(reason.startswith("Assinatura") for reason in signed.all("//section[contains(@class, 'standing')]//li"))


def test_last_day_of_force_follows_the_first(sample: httpx.Client) -> None:
    norm_page = page(sample, "/urn:lex:br:federal:lei:2001-03-05;99907?on=2005-01-01")
    assert "Em vigor de 06/03/2001 a 30/06/2006; texto de 06/03/2001." in norm_page.text


def test_catalogue_and_codes_are_translated(sample: httpx.Client) -> None:
    listed = page(sample, "/queries")
    assert listed.root.get("lang") == "pt-BR"
    assert len(listed.all("//ul[@class='listed']/li")) == len(catalogue())
    query_page = listed.follow("Versão em vigor em um dia, conforme o publicado até outro")
    query = catalogue()["version_in_force"]
    variables = {r"\?em": "(.+)", r"\?conhecido": "(.+)", r"\?situacao": "“Situação”"}
    question = str(query_page.one("//main/p[2]").text_content())
    asked = re.escape(query.pergunta)
    for variable, words in variables.items():
        asked = asked.replace(variable, words)
    assert re.fullmatch(asked, question), question
    assert without_variables(str(query.limites), Language.PORTUGUESE) in query_page.text
    assert query.question not in query_page.text
    assert query_page.follow("Abrir no editor").path.startswith("/sparql/editor?example=version_in_force")
    assert page(sample, "/queries/version_in_force?lang=en").all("//h1") == [
        "Version in force on a day, as known on another"
    ]
    nobody = ("Norma não encontrada no acervo.", "Norm not found in the store.")
    for language, meanings, stated in zip(("pt-BR", "en"), (MEANINGS_PT, MEANINGS), nobody, strict=True):
        reported = page(sample, "/problems", language)
        assert reported.all("//dd") == list(meanings.values())
        missing = page(sample, "/timeline/urn:lex:br:federal:lei:2001-03-05;99999", language)
        assert missing.all("//p[@class='lead']") == [stated], "and not that the text may mean several names"


def test_amended_or_inserted_provision_names_the_act(sample: httpx.Client) -> None:
    notes = page(sample, f"/{CODE}").all("//p[@class='note']")
    assert notes == [
        "(Redação dada pela Lei nº 8.656, de 1993)",
        "(Incluído pela Lei nº 8.703, de 1993)",
    ]


def test_rectified_wording_names_the_act_that_gave_it(sample: httpx.Client) -> None:
    law = "/urn:lex:br:federal:lei:2001-03-05;99916"
    given = "(Redação dada pela Lei nº 99.917, de 2002"
    assert (
        page(sample, law).all("//div[@id='art1']//p[@class='note']")[0] == f"{given}; texto retificado em 01/07/2002)"
    )
    before = page(sample, f"{law}?on=2002-06-01&as_known=2002-06-30").all("//div[@id='art1']//p[@class='note']")
    assert before[0] == f"{given})"


def test_provision_notes_a_rectification_of_its_norm(
    sample: httpx.Client,
) -> None:
    reported = (
        "O texto da norma foi retificado em 10/01/2007; nenhuma fonte informa que este dispositivo tenha sido alterado."
    )
    article = f"/{CODE}!art57?on=1993-06-01"
    assert reported in page(sample, article).text
    assert reported not in page(sample, f"{article}&as_known=2007-01-09").text
    assert reported not in page(sample, f"/{CODE}?on=1993-06-01").text
    clock = "/urn:lex:br:federal:lei:2001-03-05;99916!art"
    assert "O texto da norma foi" not in page(sample, f"{clock}1_cpt?on=2002-06-01").text, "itself was rectified"
    assert "O texto da norma foi retificado em 01/07/2002" in page(sample, f"{clock}3?on=2002-06-01").text


def test_inferred_causes_are_marked(sample: httpx.Client) -> None:
    """Check the rectification of 2007, whose cause is inferred, and the amendments, whose causes a record states."""
    norm_page = page(sample, f"/{CODE}?on=1993-06-01")
    reasons = [
        reason
        for reason in norm_page.all("//div[contains(@class, 'status')]//li")
        if reason.startswith("Retificação (")
    ]
    assert reasons
    assert all(
        "1ª retificação, causa deduzida das datas; não informada por nenhuma fonte)" in reason for reason in reasons
    )
    amended = [
        reason for reason in norm_page.all("//div[contains(@class, 'status')]//li") if reason.startswith("Alteração (")
    ]
    assert amended
    assert not any("deduzida" in reason for reason in amended)
    timeline = page(sample, f"/timeline/{CODE}").all("//table[@class='happened']//tr[starts-with(th, 'Retificação')]")
    assert timeline
    assert all("causa deduzida das datas" in row for row in timeline)


def test_gazette_issue_states_what_it_published(sample: httpx.Client) -> None:
    copies = page(sample, f"/{CODE}").all("//section[contains(@class, 'copies')]//li")
    assert any("12 de setembro de 1990, p. 1 (publicação original)" in copy_text for copy_text in copies)
    assert any("10 de janeiro de 2007 (retificação)" in copy_text for copy_text in copies)


def test_not_acceptable_page_is_in_the_language_of_the_browser(sample: httpx.Client) -> None:
    """Check also a format that does not exist: it has no influence on the language."""
    reader = {"accept": BROWSER, "accept-language": "pt-BR"}
    refused = Page(sample, sample.put("/", headers=reader))
    assert refused.response.status_code == 405
    assert refused.all("//h1 | //title") == ["Método não permitido · Vigente", "Método não permitido"]
    refused = page(sample, f"/{CODE}?format=pdf")
    assert (refused.response.status_code, refused.all("//h1")) == (406, ["Formato não disponível"])
    plain = sample.get(f"/{CODE}?format=pdf", headers={"accept": "application/json"})
    assert plain.json()["code"] == "not-acceptable"


def test_empty_fields_are_ignored(sample: httpx.Client) -> None:
    bare = page(sample, f"/{CODE}")
    for left in ("on=&as_known=", "vigente_em=&conhecido_em=&format=", "eficaz_em="):
        norm_page = page(sample, f"/{CODE}?{left}")
        assert (norm_page.response.status_code, norm_page.all("//h1")) == (200, bare.all("//h1"))
    assert page(sample, f"/timeline/{CODE}?axis=&part=").response.status_code == 200
    reported = sample.get(f"/{CODE}?on=", headers={"accept": "application/json"})
    assert reported.json()["code"] == "bad-date", "a program meant something"


@pytest.mark.parametrize(("stated", "missing"), [("from", "segundo"), ("to", "primeiro")])
def test_diff_states_the_missing_date(sample: httpx.Client, stated: str, missing: str) -> None:
    lacking = f"Falta o {missing} dia: a comparação precisa dos dois."
    assert page(sample, f"/diff/{CODE}?{stated}=1993-01-01").all("//p[@role='status']") == [lacking]
    for query in ("", "?from=1993-01-01&to=1994-01-01"):
        assert page(sample, f"/diff/{CODE}{query}").elements("//p[@role='status']") == []


def test_lists_name_norms_and_sources_in_words(sample: httpx.Client) -> None:
    """Check that lists show the LexML name as a tooltip, and that the page header labels it."""
    search_page = page(sample, "/search?q=consumidor")
    assert "urn:lex:" not in search_page.one("//main").text_content()
    assert search_page.all("//ol[@class='found']/li/h3/a/@title")[0].startswith("urn:lex:br:")
    norm = page(sample, "/urn:lex:br:federal:lei:2001-03-05;99907")
    assert "Nome LexML: urn:lex:br:federal:lei:2001-03-05;99907" in norm.one("//header[@class='title']").text_content()
    sources = norm.one("//section[@class='sources']").text_content()
    assert "exemplo.vigente.invalid" in sources
    assert "oai:" not in sources
    assert norm.all("//section[@class='sources']//li/span/@title")[0].startswith("oai:")


UNKNOWN = "urn:lex:br:federal:lei:2006-08-07;11340"


def test_missing_norm_links_to_the_official_site_and_search(sample: httpx.Client) -> None:
    for path in (f"/{UNKNOWN}", f"/cite/{UNKNOWN}", f"/relations/{UNKNOWN}!art1"):
        missing_page = page(sample, path)
        assert missing_page.response.status_code == 404
        assert "Lei nº 11.340, de 7 de agosto de 2006" in missing_page.text
        official = missing_page.one("//main//a[@rel='external nofollow noreferrer']").get("href")
        assert official == f"https://normas.leg.br/?urn={UNKNOWN}"
        assert "Lei+n%C2%BA+11.340" in missing_page.follow("Buscar neste acervo").path
    text = page(sample, "/lei 11340")
    assert text.follow("Buscar “lei 11340” neste acervo").path == "/search?q=lei+11340"


def test_problem_page_states_the_problem_before_its_code(sample: httpx.Client) -> None:
    problem_page = page(sample, "/search?q=lei&on=31/02/2020")
    assert words_of(problem_page.elements("//main/*")[0]) == "Valor inválido"
    code = problem_page.one("//main/p[@class='small soft']")
    assert words_of(code) == "Código para programas: 422 bad-date. O que este código significa"
    assert problem_page.text.count("bad-date") == 1


def test_problem_page_is_in_the_language_of_the_page(sample: httpx.Client) -> None:
    for path in (f"/{UNKNOWN}", "/nada", f"/{CODE}?on=1993-13-01", f"/{CODE}?onn=1993", "/urn:lex:xx"):
        problem_page = page(sample, path)
        assert not problem_page.elements("//main//*[@lang='en']"), path
        assert "expected" not in problem_page.text, path
        assert "no source" not in problem_page.text, path
        assert page(sample, path, "en").elements("//main//details"), path
    wrong = page(sample, f"/{CODE}?onn=1993")
    assert "Parâmetro: onn." in wrong.text
    assert "Nomes parecidos: on" in wrong.text


def test_recent_changes_state_the_coverage_of_each_source(sample: httpx.Client) -> None:
    """Check that the day of one source is not stated of the others: most records have no day of harvest."""
    assert page(sample, "/recent").all("//p[contains(@class, 'horizon')]") == [
        (
            "Dados atualizados, por fonte: exemplo.vigente.invalid, até 15/12/2008. O que elas publicaram depois não "
            "consta aqui. As fontes não citadas nesta lista não informam até que data estão atualizadas."
        )
    ]
    assert page(sample, "/recent", "en").all("//p[contains(@class, 'horizon')]") == [
        (
            "Data current, by source: exemplo.vigente.invalid, up to 15 December 2008. What they published later is "
            "not included. Sources not in this list do not state how current they are."
        )
    ]


def test_nicknames_are_in_portuguese(sample: httpx.Client) -> None:
    """Check that a nickname in Spanish is only in the data for machines."""
    norm_page = page(sample, f"/{CODE}")
    names = "Código de Defesa do Consumidor · Código de Proteção e Defesa do Consumidor"
    assert norm_page.all("//p[@class='nicknames']") == [names]
    data = json.loads(norm_page.all("//script[@type='application/ld+json']/text()")[0])
    assert "Código de Protección y Defensa del Consumidor" in data["alternateName"]
    for path in ("/search?q=8078/1990", "/search?q=8078/1990&lang=en"):
        assert "Protección" not in page(sample, path).one("//main").text_content(), path


def test_a_known_version_without_words_is_not_undetermined(sample: httpx.Client) -> None:
    """Check an article that a lapsed provisional measure changed, of which the sources have the dates and no words."""
    name = "urn:lex:br:federal:decreto.lei:1943-05-01;5452!art394-1"
    today_page = page(sample, f"/{name}")
    assert status_words(today_page).startswith("Em vigor pelo menos desde 11/11/2017; texto de 11/11/2017")
    assert "Nenhuma fonte tem a redação destes dispositivos naquela data: art. 394-A." in today_page.text
    assert "não permitem determinar" not in today_page.text
    earlier = page(sample, f"/{name}?on=2016-01-01").text
    assert "As fontes não permitem determinar a vigência ou a redação destes dispositivos: art. 394-A." in earlier
    assert "Nenhuma fonte tem a redação" not in earlier
